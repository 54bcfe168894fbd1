"""What bars a way: depth for the referee, first touch for the generator, one geometry; sampling is the witness."""

from __future__ import annotations

from math import cos, pi, sin
from random import Random

import pytest
from tactician.rules.core.arcs import LEFT, RIGHT, Arc
from tactician.rules.core.barriers import (
    Barrier,
    DiscBarrier,
    EdgeBarrier,
    FootingBarrier,
    OverhangBarrier,
    WallBarrier,
    kept,
)
from tactician.rules.core.legs import Stretch
from tactician.rules.core.measure import OPEN_MARGIN, TOL, overlaps
from tactician.rules.core.shapes import Polygon, contains, length, outline_distance, polygon_distance
from tactician.rules.core.terrain import Surface

from tests.core.movement_boards import box, random_stretch

BAND = 3 * TOL
"""Gaps nearer than this to the limit may be told either way."""

DENSE = 500


def blob(rng: Random) -> Polygon:
    """A simple polygon about the origin, dented more often than not."""
    count = rng.randint(3, 8)
    rays = [(2 * pi * i / count, rng.uniform(0.5, 3)) for i in range(count)]
    return Polygon(tuple((far * cos(angle), far * sin(angle)) for angle, far in rays))


def random_barrier(rng: Random, kind: str) -> Barrier:
    polygon, radius = blob(rng), rng.uniform(0.3, 1.2)
    disc = DiscBarrier(
        name="d",
        x=rng.uniform(-3, 3),
        y=rng.uniform(-3, 3),
        reach=radius + rng.uniform(0.3, 2),
        margin=rng.choice((0.0, OPEN_MARGIN)) if kind == "disc" else 0.0,
    )
    found: dict[str, Barrier] = {
        "wall": WallBarrier(name="w", polygon=polygon, radius=radius),
        "disc": disc,
        "edge": EdgeBarrier(width=3.5, height=4, radius=radius),
        "footing": FootingBarrier(surface=Surface(id="s", polygon=polygon, low=2, high=2), radius=radius),
        "overhang": OverhangBarrier(disc=disc, floor=polygon, radius=radius),
    }
    return found[kind]


def gap_at(barrier: Barrier, x: float, y: float) -> float:
    """The gap at one place, as the rule reads; 1 where it does not apply."""
    match barrier:
        case WallBarrier(polygon=polygon, radius=radius):
            return polygon_distance(polygon, x, y) - radius
        case DiscBarrier(x=at, y=up, reach=reach):
            return length(x - at, y - up) - reach
        case EdgeBarrier(width=width, height=height, radius=radius):
            return min(x, y, width - x, height - y) - radius
        case FootingBarrier(surface=surface, radius=radius):
            assert surface.polygon is not None
            return radius - polygon_distance(surface.polygon, x, y)
        case OverhangBarrier(disc=disc, floor=floor, radius=radius):
            hangs = not contains(floor, x, y) or outline_distance(floor, x, y) < radius - TOL
            return gap_at(disc, x, y) if hangs else 1.0


def compare(barrier: Barrier, stretch: Stretch) -> None:
    """Depth, first touch and sampling tell one story, outside a band of a few tolerances about the limit."""
    first = barrier.first(stretch)
    gaps = [gap_at(barrier, *stretch.at(i / DENSE)) for i in range(DENSE + 1)]
    if first is not None:  # a base may hang over a corner for less than a step of the sampling
        gaps.append(min(gap_at(barrier, *stretch.at(min(first + i / DENSE / 50, 1.0))) for i in range(51)))
    if abs(min(gaps)) <= BAND:
        return
    bad, label = min(gaps) < 0.0, f"{barrier}\n{stretch}"
    assert overlaps(barrier.depth(stretch)) is bad, label
    assert (first is not None) is bad, label
    if first is None:
        return
    clear = next(i for i, gap in enumerate(gaps) if gap < -TOL)
    assert first <= clear / DENSE, label
    before = [gap for i, gap in enumerate(gaps[: DENSE + 1]) if i / DENSE <= first]
    assert all(gap >= -BAND for gap in before[1:]), label
    inside = gap_at(barrier, *stretch.at(min(first + 1e-6, 1.0)))
    assert inside <= BAND, f"stopped at {first} with {inside} to go\n{label}"


@pytest.mark.parametrize("kind", ["wall", "disc", "edge", "footing", "overhang"])
def test_depth_and_first_touch_agree_with_sampling(kind: str) -> None:
    rng = Random(kind)
    for _ in range(150):
        compare(random_barrier(rng, kind), random_stretch(rng, (1.75, 2.0) if kind == "edge" else (0.0, 0.0)))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wall", "disc", "edge", "footing", "overhang"])
@pytest.mark.parametrize("seed", range(4))
def test_depth_and_first_touch_agree_with_sampling_often(kind: str, seed: int) -> None:
    rng = Random(f"{kind} {seed}")
    for _ in range(500):
        compare(random_barrier(rng, kind), random_stretch(rng, (1.75, 2.0) if kind == "edge" else (0.0, 0.0)))


# ---- starts that touch ---------------------------------------------------------------------------------------------


def way(*points: tuple[float, float]) -> Stretch:
    """A straight stretch on the ground."""
    start, end = points[0], points[-1]
    return Stretch(leg=0, kind="straight", surface="ground", left="ground", start=start, end=end, low=0.0, high=0.0)


def bend(start: tuple[float, float], end: tuple[float, float], centre: tuple[float, float], turn: str) -> Stretch:
    arc = Arc(start, end, centre, turn)
    return Stretch(leg=0, kind="arc", surface="ground", left="ground", start=start, end=end, low=0, high=0, arc=arc)


WALL = WallBarrier(name="w", polygon=box(0, 0, 4, 1), radius=0.5)
POST = DiscBarrier(name="p", x=0, y=0, reach=1.0)
TABLE = EdgeBarrier(width=10, height=10, radius=0.5)


@pytest.mark.parametrize(
    ("barrier", "stretch"),
    [
        (WALL, way((1, 1.5), (3, 1.5))),
        (WALL, way((1, 1.5), (1, 4))),
        (WALL, way((-0.5, -2), (-0.5, 2))),
        (WALL, bend((-0.5, 0), (0, -0.5), (0, 0), LEFT)),
        (POST, way((1, 0), (3, 0))),
        (POST, way((1, 0), (1, 5))),
        (POST, bend((1, 0), (-1, 0), (0, 0), LEFT)),
        (TABLE, way((0.5, 0.5), (0.5, 9.5))),
        (TABLE, bend((0.5, 5), (5, 0.5), (5, 5), LEFT)),
        (TABLE, bend((0.5, 5), (9.5, 5), (5, 5), RIGHT)),
    ],
)
def test_a_base_that_touches_may_slide_along_and_leave(barrier: Barrier, stretch: Stretch) -> None:
    assert barrier.first(stretch) is None
    assert not overlaps(barrier.depth(stretch))


@pytest.mark.parametrize(
    ("barrier", "stretch"),
    [
        (WALL, way((1, 1.5), (1, 1.4))),
        (WALL, way((1, 1.5), (1, -4))),
        (POST, way((1, 0), (-5, 0))),
        (POST, way((1, 0), (0.9, 5))),
        (TABLE, way((0.5, 0.5), (0.4, 9.5))),
        (TABLE, bend((0.5, 5), (5, 9.5), (2.75, 7.25), RIGHT)),
    ],
)
def test_a_base_that_touches_may_not_go_in_and_stops_at_once(barrier: Barrier, stretch: Stretch) -> None:
    assert overlaps(barrier.depth(stretch))
    assert barrier.first(stretch) == pytest.approx(0.0, abs=1e-4)


def test_a_way_through_a_thin_wall_is_seen_though_both_ends_are_clear() -> None:
    thin = WallBarrier(name="w", polygon=box(0, 0, 4, 1e-3), radius=0.5)
    through = way((2, 100), (2, -100))
    assert thin.depth(through) == pytest.approx(-0.5)
    assert thin.first(through) == pytest.approx((100 - 0.501) / 200)


def test_an_arc_that_only_bulges_over_the_edge_is_stopped_where_it_leaves_the_table() -> None:
    bulge = bend((3, 1), (7, 1), (5, 2.5), LEFT)
    assert TABLE.depth(bulge) == pytest.approx(-0.5)
    stop = TABLE.first(bulge)
    assert stop is not None
    assert bulge.at(stop)[1] == pytest.approx(0.5, abs=1e-6)


def test_a_floor_is_lost_in_a_gap_however_narrow() -> None:
    horseshoe = Polygon(((0, 0), (8, 0), (8, 2), (5.2, 2), (5.2, 0.5), (4, 0.5), (4, 2), (0, 2)))
    footing = FootingBarrier(surface=Surface(id="s", polygon=horseshoe, low=1, high=1), radius=0.5)
    across = way((0.5, 1.5), (7.5, 1.5))
    assert footing.depth(across) == pytest.approx(-0.1)
    stop = footing.first(across)
    assert stop is not None
    assert across.at(stop)[0] == pytest.approx(4.5, abs=1e-3)
    assert footing.first(way((0.5, 0.75), (7.5, 0.75))) is None


def test_leaving_a_floor_above_another_base_is_barred_where_the_mover_begins_to_hang_over() -> None:
    floor = box(0, 0, 4, 4)
    below = OverhangBarrier(disc=DiscBarrier(name="b", x=4.3, y=2, reach=1.0), floor=floor, radius=0.5)
    out = way((3.5, 2), (4.2, 2))
    assert overlaps(below.depth(out))
    stop = below.first(out)
    assert stop is not None
    assert out.at(stop)[0] == pytest.approx(3.5, abs=1e-3)
    away_but_hanging = OverhangBarrier(disc=DiscBarrier(name="b", x=3.4, y=2, reach=1.0), floor=floor, radius=0.5)
    assert overlaps(away_but_hanging.depth(out))
    assert away_but_hanging.first(out) is not None
    assert below.first(way((3.5, 2), (0.5, 2))) is None


def test_an_arc_that_hangs_over_another_base_is_barred() -> None:
    floor = box(-4, -4, 4, 0)
    below = OverhangBarrier(disc=DiscBarrier(name="b", x=0, y=0.7, reach=1.0), floor=floor, radius=0.5)
    arc = bend((-2, -0.6), (2, -0.6), (0, -0.6 - 1.5), RIGHT)
    high = bend((-0.8, -0.5), (0.8, -0.5), (0, -0.5), RIGHT)
    for stretch in (arc, high):
        nearest = min(gap_at(below, *stretch.at(i / DENSE)) for i in range(DENSE + 1))
        assert below.depth(stretch) == pytest.approx(nearest, abs=1e-3)
        assert (below.first(stretch) is not None) is overlaps(nearest)


# ---- what is kept by whoever begins too near ---------------------------------------------------------------------


def test_whoever_begins_too_near_keeps_that_distance_and_nobody_else_does() -> None:
    assert kept(2.0, 3.0) == 2.0
    assert kept(2.0, 2.0 - TOL / 2) == 2.0
    assert kept(2.0, 1.5) == 1.5
    assert kept(2.0, 0.0) == 2.0
