"""Shortest ways into base contact, against 720 places about the target."""

from __future__ import annotations

import math
from random import Random

import pytest
from tactician.rules.core.shapes import Point
from tactician.rules.paths.contact import contact
from tactician.rules.paths.scene import Disc, Scene
from tactician.rules.paths.search import shortest

from tests.paths.tables import faults, floor, free_place, random_board, random_discs, rectangle, table, wall

SAMPLES = 720
REACH = 1.26
DOUBT = 0.001
"""Inches about the budget within which sampling cannot tell yes from no."""


def sampled_contact(scene: Scene, start: Point, target: Disc, limit: float) -> float:
    """The shortest way to any of many places about the target, or infinity."""
    x, y, reach = target
    around = Scene(board=scene.board, radius=scene.radius, discs=(*scene.discs, target))
    angles = [2 * math.pi * i / SAMPLES for i in range(SAMPLES)]
    places = [(x + reach * math.cos(angle), y + reach * math.sin(angle)) for angle in angles]
    best = math.inf
    for place in sorted(places, key=lambda each: math.dist(start, each)):
        if math.dist(start, place) < min(best, limit):
            way = shortest(around, start, place, min(best, limit))
            best = best if way is None else min(best, way.cost)
    return best


def examine(rng: Random, cases: int) -> int:
    """Compare random charges with sampling; the number that did not end head on."""
    sidelong = seen = 0
    while seen < cases:
        scene = Scene(board=random_board(rng, 14, 30, 24), radius=0.63, discs=random_discs(rng, 4, 2.26, 30, 24))
        for _ in range(10):
            start = free_place(rng, scene)
            target = (rng.uniform(1, 29), rng.uniform(1, 23), REACH)
            budget = rng.choice([6.0, 8.0, 12.0])
            if not REACH + 0.1 < math.dist(start, target[:2]) < budget + REACH:
                continue
            way = contact(scene, start, target, budget)
            if way is not None and len(way.legs) == 1 and rng.random() < 0.9:
                continue
            seen += 1
            best = sampled_contact(scene, start, target, budget + 0.01)
            if way is None:
                assert best > budget - DOUBT, (start, target, budget)
                continue
            assert faults(scene, start, way) == []
            assert math.dist(way.points[-1], target[:2]) == pytest.approx(REACH, abs=1e-9)
            assert way.cost <= best + 1e-9
            sidelong += way.cost < best - 0.01
    return sidelong


def test_never_worse_than_sampling() -> None:
    examine(Random(1), 25)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 16))
def test_never_worse_than_sampling_in_many_cases(seed: int) -> None:
    examine(Random(seed), 50)


def test_head_on() -> None:
    way = contact(Scene(board=table(), radius=0.5, discs=((20, 15, 2.0),)), (10, 15), (20, 15, 1.0), 9)
    assert way is not None
    assert way.cost == pytest.approx(9.0)
    assert way.points[-1] == pytest.approx((19, 15))
    assert contact(Scene(board=table(), radius=0.5), (10, 15), (20, 15, 1.0), 8.999) is None


def test_bases_that_touch_need_no_way() -> None:
    way = contact(Scene(board=table(), radius=0.5), (19, 15), (20, 15, 1.0), 0)
    assert way is not None
    assert (way.cost, way.legs) == (0.0, ())


def test_ends_where_another_zone_begins() -> None:
    """The head-on place lies in a zone: the way ends where the zone meets the circle of contact."""
    scene = Scene(board=table(), radius=0.5, discs=((19, 15, 1.6),))
    way = contact(scene, (14, 15.0), (20, 15, 1.0), 20)
    assert way is not None
    end = way.points[-1]
    assert math.dist(end, (20, 15)) == pytest.approx(1.0)
    assert math.dist(end, (19, 15)) == pytest.approx(1.6, abs=1e-4)
    assert faults(scene, (14, 15), way) == []


def test_ends_along_a_wall() -> None:
    """A model behind the end of a wall can only be touched from the wall's clearance line or beyond it."""
    scene = Scene(board=table(wall("wall", rectangle(10, 14, 20, 15))), radius=0.5)
    way = contact(scene, (12, 16), (20.9, 14.5, 1.0), 20)
    assert way is not None
    assert faults(scene, (12, 16), way) == []
    assert math.dist(way.points[-1], (20.9, 14.5)) == pytest.approx(1.0)


def test_out_of_reach_behind_walls() -> None:
    boxed = [wall("w", rectangle(17, 12, 18, 18)), wall("e", rectangle(22, 12, 23, 18))]
    boxed += [wall("s", rectangle(17, 12, 23, 13)), wall("n", rectangle(17, 17, 23, 18))]
    scene = Scene(board=table(*boxed), radius=0.5)
    assert contact(scene, (10, 15), (20, 15, 1.0), 50) is None


def test_on_a_raised_floor_the_base_ends_wholly_on_it() -> None:
    scene = Scene(board=table(floor("roof", rectangle(10, 10, 20, 14), 3)), surface="roof", radius=0.5)
    way = contact(scene, (11, 11), (19.8, 13.9, 1.0), 20)
    assert way is not None
    x, y = way.points[-1]
    assert 10.5 - 1e-4 <= x <= 19.5 + 1e-4
    assert 10.5 - 1e-4 <= y <= 13.5 + 1e-4
    assert math.dist((x, y), (19.8, 13.9)) == pytest.approx(1.0)
    assert faults(scene, (11, 11), way) == []
