"""Distances and near stretches in closed form, against dense sampling and against shapely."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, hypot, pi, sin
from random import Random

import pytest
import shapely
from tactician.rules.core.shapes import (
    Point,
    Polygon,
    clamp,
    contains,
    length,
    merge,
    near_point,
    near_segment,
    outline_distance,
    point_segment_distance,
    polygon_distance,
    segment_segment_distance,
    segments_cross,
)

from tests.core.movement_boards import agree, box


def place(rng: Random) -> tuple[float, float]:
    """A place in a small square, often on whole inches, so that touches and parallels happen."""
    if rng.random() < 0.5:
        return float(rng.randint(-3, 3)), float(rng.randint(-3, 3))
    return rng.uniform(-3, 3), rng.uniform(-3, 3)


def along(a: Point, b: Point, away: Callable[[float, float], float]) -> Callable[[float], float]:
    """A distance as a function of the fraction of a straight walk."""
    return lambda u: away(a[0] + (b[0] - a[0]) * u, a[1] + (b[1] - a[1]) * u)


def point_gap(p: Point) -> Callable[[float, float], float]:
    return lambda x, y: length(x - p[0], y - p[1])


def segment_gap(c: Point, d: Point) -> Callable[[float, float], float]:
    return lambda x, y: point_segment_distance(x, y, *c, *d)


def star(rng: Random) -> Polygon:
    """A simple polygon, dented more often than not."""
    count = rng.randint(3, 9)
    x, y = place(rng)
    rays = [(2 * pi * i / count, rng.uniform(0.3, 3)) for i in range(count)]
    return Polygon(tuple((x + far * cos(angle), y + far * sin(angle)) for angle, far in rays))


@pytest.mark.parametrize("seed", range(3))
def test_the_walk_near_a_point_is_where_sampling_finds_it(seed: int) -> None:
    rng = Random(seed)
    for _ in range(100):
        a, b, p, radius = place(rng), place(rng), place(rng), rng.choice((0.0, 1.0, rng.uniform(0, 4)))
        part = near_point(*a, *b, *p, radius)
        parts = () if part is None else (part,)
        agree(parts, along(a, b, point_gap(p)), radius, f"{a} - {b} by {p}")


@pytest.mark.parametrize("seed", range(3))
def test_the_walk_near_a_segment_is_one_interval_and_where_sampling_finds_it(seed: int) -> None:
    rng = Random(seed)
    for _ in range(100):
        a, b, c, d = (place(rng) for _ in range(4))
        radius = rng.choice((0.0, 1.0, rng.uniform(0, 4)))
        part = near_segment(*a, *b, *c, *d, radius)
        parts = () if part is None else (part,)
        agree(parts, along(a, b, segment_gap(c, d)), radius, f"{a} - {b} by {c} - {d}")


def test_a_walk_that_only_touches_is_nowhere_nearer() -> None:
    assert near_point(-2, 1, 2, 1, 0, 0, 1.0) is None
    assert near_segment(-2, 1, 2, 1, -1, 0, 1, 0, 1.0) is None
    assert near_segment(-3, 0, -2, 0, -1, 0, 1, 0, 1.0) is None


def test_a_walk_that_waits_is_near_all_the_time_or_never() -> None:
    assert near_point(0.5, 0, 0.5, 0, 0, 0, 1.0) == (0.0, 1.0)
    assert near_segment(0, 0.5, 0, 0.5, -1, 0, 1, 0, 1.0) == (0.0, 1.0)
    assert near_point(1, 0, 1, 0, 0, 0, 1.0) is None


def test_a_segment_of_no_length_is_a_point() -> None:
    assert near_segment(-2, 0, 2, 0, 0, 0, 0, 0, 1.0) == near_point(-2, 0, 2, 0, 0, 0, 1.0) == (0.25, 0.75)
    assert segment_segment_distance(1, 1, 1, 1, 4, 5, 4, 5) == 5.0


def test_distances_agree_with_shapely() -> None:
    rng = Random(4)
    for _ in range(1000):
        a, b, c, d = (place(rng) for _ in range(4))
        far = shapely.LineString([a, b]).distance(shapely.LineString([c, d]))
        assert segment_segment_distance(*a, *b, *c, *d) == pytest.approx(far, abs=1e-9)
        assert point_segment_distance(*a, *b, *c) == pytest.approx(
            shapely.Point(a).distance(shapely.LineString([b, c])), abs=1e-9
        )


def test_segments_that_share_an_end_or_lie_in_line_do_not_cross() -> None:
    assert segments_cross(0, 0, 2, 2, 0, 2, 2, 0)
    assert not segments_cross(0, 0, 1, 1, 1, 1, 2, 0)
    assert not segments_cross(0, 0, 2, 0, 1, 0, 3, 0)
    assert segment_segment_distance(0, 0, 2, 0, 1, 0, 3, 0) == 0.0


def test_inside_and_distance_of_dented_polygons_agree_with_shapely() -> None:
    rng = Random(5)
    for _ in range(300):
        polygon = star(rng)
        peer = shapely.Polygon(polygon.points)
        x, y = place(rng)
        assert outline_distance(polygon, x, y) == pytest.approx(peer.exterior.distance(shapely.Point(x, y)), abs=1e-9)
        assert polygon_distance(polygon, x, y) == pytest.approx(peer.distance(shapely.Point(x, y)), abs=1e-9)
        if outline_distance(polygon, x, y) > 1e-9:
            assert contains(polygon, x, y) is peer.contains(shapely.Point(x, y))
        assert polygon.area == pytest.approx(peer.area)
        assert polygon.box == pytest.approx(peer.bounds)


def test_a_polygon_turned_the_other_way_round_is_the_same_area() -> None:
    one, other = box(1, 2, 4, 4), Polygon(tuple(reversed(box(1, 2, 4, 4).points)))
    assert one.area == other.area == 6.0
    assert one.centre == other.centre == (2.5, 3.0)
    assert contains(other, 2, 3)


@pytest.mark.parametrize(
    ("points", "broken"),
    [
        (((0, 0), (2, 0), (2, 2), (0, 2)), False),
        (((0, 0), (2, 2), (2, 0), (0, 2)), True),
        (((0, 0), (1, 1), (2, 2)), True),
        (((0, 0), (4, 0), (4, 4), (2, 0), (0, 4)), True),
        (((0, 0), (1, 0)), True),
    ],
)
def test_outlines_that_cross_or_touch_themselves_or_enclose_nothing(
    points: tuple[tuple[float, float], ...], broken: bool
) -> None:
    assert Polygon(points).crosses_itself() is broken


def test_lengths_and_clamping() -> None:
    assert length(3, 4) == 5.0
    assert length(2, 3, 6) == 7.0
    assert [clamp(value, 0, 1) for value in (-1, 0.5, 2)] == [0, 0.5, 1]
    assert length(1e-3, 2e-3) == pytest.approx(hypot(1e-3, 2e-3))


def test_intervals_that_touch_or_overlap_are_one() -> None:
    assert merge([(0.5, 0.7), (0.0, 0.2), (0.2, 0.3), (0.6, 0.65)]) == ((0.0, 0.3), (0.5, 0.7))
    assert merge([]) == ()
