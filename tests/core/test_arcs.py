"""Arcs in closed form, against dense sampling: tiny ones, whole turns, none at all, and those that only touch."""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from random import Random

import pytest
from tactician.rules.core.arcs import LEFT, RIGHT, Arc
from tactician.rules.core.shapes import length, point_segment_distance

from tests.core.movement_boards import agree, random_arc

FINE = 4000
QUARTER = Arc((1.0, 0.0), (0.0, 1.0), (0.0, 0.0), LEFT)
THREE_QUARTERS = Arc((1.0, 0.0), (0.0, 1.0), (0.0, 0.0), RIGHT)


def place(rng: Random) -> tuple[float, float]:
    return rng.uniform(-6, 6), rng.uniform(-6, 6)


def along(arc: Arc, away: Callable[[float, float], float]) -> Callable[[float], float]:
    """A distance as a function of the fraction of an arc."""
    return lambda u: away(*arc.at(u))


def point_gap(p: tuple[float, float]) -> Callable[[float, float], float]:
    return lambda x, y: length(x - p[0], y - p[1])


def segment_gap(a: tuple[float, float], b: tuple[float, float]) -> Callable[[float, float], float]:
    return lambda x, y: point_segment_distance(x, y, *a, *b)


def test_an_arc_turns_the_way_it_says() -> None:
    assert QUARTER.inches == pytest.approx(pi / 2)
    assert QUARTER.at(0.5) == pytest.approx((0.5**0.5, 0.5**0.5))
    assert THREE_QUARTERS.inches == pytest.approx(3 * pi / 2)
    assert THREE_QUARTERS.at(1 / 3) == pytest.approx((0.0, -1.0))


def test_an_arc_that_ends_where_it_begins_is_no_way_at_all() -> None:
    for end in ((1.0, 0.0), (1.0, 1e-12), (1.0, -1e-12)):
        for turn in (LEFT, RIGHT):
            assert Arc((1.0, 0.0), end, (0.0, 0.0), turn).inches == pytest.approx(0.0, abs=1e-9)


def test_an_arc_about_its_own_place_is_no_way_at_all() -> None:
    still = Arc((1.0, 1.0), (1.0, 1.0), (1.0, 1.0), LEFT)
    assert still.inches == 0.0
    assert still.at(0.7) == (1.0, 1.0)
    assert still.near_point(1.0, 1.5, 1.0) == ((0.0, 1.0),)
    assert still.segment_distance(2.0, 0.0, 2.0, 2.0) == 1.0


@pytest.mark.parametrize("turn", [LEFT, RIGHT])
def test_ends_are_met_exactly_at_the_ends(turn: str) -> None:
    rng = Random(1)
    for _ in range(200):
        arc = random_arc(rng)
        assert arc.at(0.0) == pytest.approx(arc.start, abs=1e-9)
        assert arc.at(1.0) == pytest.approx(arc.end, abs=1e-8)


@pytest.mark.parametrize("seed", range(3))
def test_the_distance_of_a_point_is_what_sampling_finds(seed: int) -> None:
    rng = Random(seed)
    for _ in range(15):
        arc, (x, y) = random_arc(rng), place(rng)
        sampled = min(length(x - px, y - py) for px, py in (arc.at(i / FINE) for i in range(FINE + 1)))
        assert arc.point_distance(x, y) == pytest.approx(sampled, abs=arc.inches / FINE)
        assert arc.point_distance(x, y) <= sampled + 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_the_distance_of_a_segment_is_what_sampling_finds(seed: int) -> None:
    rng = Random(10 + seed)
    for _ in range(15):
        arc, a, b = random_arc(rng), place(rng), place(rng)
        sampled = min(point_segment_distance(*arc.at(i / FINE), *a, *b) for i in range(FINE + 1))
        assert arc.segment_distance(*a, *b) == pytest.approx(sampled, abs=arc.inches / FINE + 1e-9)
        assert arc.segment_distance(*a, *b) <= sampled + 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_the_parts_near_a_point_are_where_sampling_finds_them(seed: int) -> None:
    rng = Random(20 + seed)
    for _ in range(80):
        arc, (x, y), radius = random_arc(rng), place(rng), rng.uniform(0.1, 6)
        agree(arc.near_point(x, y, radius), along(arc, point_gap((x, y))), radius, f"{arc}")


@pytest.mark.parametrize("seed", range(3))
def test_the_parts_near_a_segment_are_where_sampling_finds_them(seed: int) -> None:
    rng = Random(30 + seed)
    for _ in range(80):
        arc, a, b, radius = random_arc(rng), place(rng), place(rng), rng.uniform(0.1, 4)
        agree(arc.near_segment(*a, *b, radius), along(arc, segment_gap(a, b)), radius, f"{arc}")


def test_an_arc_that_only_touches_is_nowhere_nearer() -> None:
    for arc in (QUARTER, THREE_QUARTERS):
        assert all(high - low < 1e-6 for low, high in arc.near_point(2.0, 0.0, 1.0))
        assert arc.near_point(0.0, 0.0, 1.0) == ()
    assert THREE_QUARTERS.near_segment(-3.0, -1.5, 3.0, -1.5, 0.5) == ()
    assert THREE_QUARTERS.segment_distance(-3.0, -1.5, 3.0, -1.5) == pytest.approx(0.5)
    assert THREE_QUARTERS.segment_distance(-3.0, -1.0, 3.0, -1.0) == pytest.approx(0.0, abs=1e-12)


def test_a_circle_round_everything_is_near_all_the_way() -> None:
    assert THREE_QUARTERS.near_point(0.0, 0.0, 1.5) == ((0.0, 1.0),)
    assert THREE_QUARTERS.near_segment(-0.1, 0.0, 0.1, 0.0, 1.2) != ()


def test_crossings_past_the_end_of_an_arc_are_told_from_those_on_it() -> None:
    first, second = sorted(QUARTER.circle_crossings(-2.0, 0.5, 2.0, 0.5))
    assert first == pytest.approx(1 / 3)
    assert second > 1.0
    assert QUARTER.segment_distance(-2.0, -0.5, 2.0, -0.5) == pytest.approx(0.5)
    assert QUARTER.circle_crossings(-2.0, 3.0, 2.0, 3.0) == ()
