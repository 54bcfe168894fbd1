"""Ways whose length is known in closed form."""

from __future__ import annotations

import math

import pytest
from tactician.rules.core.legs import Bend, Straight
from tactician.rules.core.measure import TOL
from tactician.rules.core.shapes import Polygon
from tactician.rules.paths.graph import tangent_graph
from tactician.rules.paths.scene import Scene
from tactician.rules.paths.search import shortest

from tests.paths.tables import faults, rectangle, table, wall

BLOCK = wall("block", rectangle(20, 10, 26, 20))


def test_straight_where_nothing_is_in_the_way() -> None:
    way = shortest(Scene(board=table(BLOCK), radius=0.5), (5, 5), (8, 9), 6)
    assert way is not None
    assert (way.cost, way.margin, way.legs) == (5.0, 1.0, (Straight((8, 9)),))


def test_nowhere_to_go_costs_nothing() -> None:
    way = shortest(Scene(board=table(), radius=0.5), (5, 5), (5, 5), 0)
    assert way is not None
    assert (way.cost, way.legs, way.points) == (0.0, (), ((5, 5),))


def test_detour_round_two_corners_of_a_block() -> None:
    r = 0.5
    scene = Scene(board=table(BLOCK), radius=r)
    way = shortest(scene, (17, 18), (29, 18), 30)
    # Either side: tangent from (3, 2) off the corner's centre, then an arc until the wall's direction.
    away = math.hypot(3, 2)
    leg = math.sqrt(away**2 - r**2)
    arc = math.atan2(2, 3) + math.asin(r / away)
    assert way is not None
    assert way.cost == pytest.approx(2 * (leg + r * arc) + 6, abs=1e-12)
    assert [type(each) for each in way.legs] == [Straight, Bend, Straight, Bend, Straight]
    assert faults(scene, (17, 18), way, (29, 18)) == []
    assert shortest(scene, (17, 18), (29, 18), way.cost - 2 * TOL) is None
    assert shortest(scene, (17, 18), (29, 18), way.cost) is not None


def test_detour_round_a_zone() -> None:
    scene = Scene(board=table(), radius=0.5, discs=((20, 15, 2.0),))
    way = shortest(scene, (14, 15), (26, 15), 20)
    leg = math.sqrt(36 - 4)
    assert way is not None
    assert way.cost == pytest.approx(2 * leg + 2 * (math.pi - 2 * math.acos(2 / 6)), abs=1e-12)
    assert faults(scene, (14, 15), way) == []


@pytest.mark.parametrize("solve", [shortest, lambda scene, *rest: tangent_graph(scene).shortest(*rest)])
@pytest.mark.parametrize(
    ("gap", "is_open"), [(1.0, True), (1.0 + 1e-9, True), (1.0 - 1e-9, True), (1.0 - TOL * 1.1, False), (0.999, False)]
)
def test_gap_as_wide_as_the_base(solve, gap: float, is_open: bool) -> None:  # type: ignore[no-untyped-def]
    board = table(wall("below", rectangle(20, 0, 21, 15)), wall("above", rectangle(20, 15 + gap, 21, 30)))
    way = solve(Scene(board=board, radius=0.5), (15, 14), (25, 15.8), 40)
    assert (way is not None) == is_open
    if way is not None:
        assert faults(Scene(board=board, radius=0.5), (15, 14), way) == []


def test_gap_between_corners_as_wide_as_the_base() -> None:
    board = table(wall("below", rectangle(0, 0, 20, 15)), wall("above", rectangle(20 + 0.6, 15.8, 40, 30)))
    scene = Scene(board=board, radius=0.5)
    way = shortest(scene, (15, 17), (30, 14), 40)
    assert way is not None
    assert faults(scene, (15, 17), way) == []
    assert shortest(Scene(board=board, radius=0.501), (15, 17), (30, 14), 60) is None


def test_gap_between_two_bases() -> None:
    posts = ((20, 14, 1.0), (20, 16, 1.0))
    walls = (wall("below", rectangle(19.5, 0, 20.5, 14)), wall("above", rectangle(19.5, 16, 20.5, 30)))
    scene = Scene(board=table(*walls), radius=0.5, discs=posts)
    way = shortest(scene, (16, 15), (24, 15), 20)
    assert way is not None
    assert way.cost == pytest.approx(8.0, abs=1e-9)
    tighter = Scene(board=table(*walls), radius=0.5, discs=((20, 14, 1.001), posts[1]))
    assert shortest(tighter, (16, 15), (24, 15), 99) is None


def test_touching_boxes_are_no_gap() -> None:
    board = table(wall("below", rectangle(20, 0, 22, 15)), wall("above", rectangle(21, 15, 23, 30)))
    assert shortest(Scene(board=board, radius=0.5), (15, 15), (28, 15), 200) is None


def test_table_edge_is_respected() -> None:
    # The way round the lower end is shorter but 0.9 inch wide.
    block = wall("block", rectangle(20, 0.9, 21, 20))
    narrow = shortest(Scene(board=table(block), radius=0.5), (18, 3), (23, 3), 99)
    wide = shortest(Scene(board=table(block), radius=0.45), (18, 3), (23, 3), 99)
    assert narrow is not None
    assert wide is not None
    assert narrow.cost > 30
    assert wide.cost < 10
    assert faults(Scene(board=table(block), radius=0.45), (18, 3), wide) == []


@pytest.mark.parametrize("goal", [(23, 15), (20.2, 15), (19.6, 15), (0.4, 15)])
def test_no_way_to_where_no_base_can_stand(goal: tuple[float, float]) -> None:
    assert shortest(Scene(board=table(BLOCK), radius=0.5), (10, 15), goal, 99) is None


def test_extra_closed_outline_is_a_wall() -> None:
    scene = Scene(board=table(), radius=0.5, closed=(rectangle(20, 10, 26, 20),))
    walled = shortest(Scene(board=table(BLOCK), radius=0.5), (17, 18), (29, 18), 30)
    assert shortest(scene, (17, 18), (29, 18), 30) == walled


def test_start_inside_a_zone_may_leave_but_not_cross() -> None:
    scene = Scene(board=table(), radius=0.5, discs=((20, 15, 2.5),))
    out = shortest(scene, (19, 15), (15, 15), 6)
    across = shortest(scene, (19, 15), (25, 15), 20)
    assert out is not None
    assert out.cost == pytest.approx(4.0)
    assert across is not None
    # The zone is shrunk to the distance of 1: a quarter turn and more about it, then straight.
    assert across.cost == pytest.approx(math.sqrt(24) + math.pi - math.acos(1 / 5), abs=1e-9)
    assert faults(scene, (19, 15), across) == []
    assert shortest(scene, (15, 15), (19, 15), 20) is None


@pytest.mark.parametrize("depth", [0.0, 1e-9, 0.4 * TOL, 0.9 * TOL])
@pytest.mark.parametrize("place", ["flat", "corner"])
def test_start_that_rests_in_a_wall_by_rounding(depth: float, place: str) -> None:
    scene = Scene(board=table(BLOCK), radius=0.5)
    half = math.sqrt(0.5) * (0.5 - depth)
    start = (20 - 0.5 + depth, 19) if place == "flat" else (20 - half, 20 + half)
    way = shortest(scene, start, (29, 19), 30)
    assert way is not None
    assert faults(scene, start, way) == []
    assert shortest(scene, (20 - 0.5 + 2 * TOL, 19), (15, 19), 30) is None


def test_bend_inside_a_notch_is_no_corner() -> None:
    notched = Polygon(((10, 10), (20, 10), (20, 20), (15, 14), (10, 20)))
    scene = Scene(board=table(wall("notched", notched)), radius=0.5)
    way = shortest(scene, (9, 21), (21, 21), 20)
    assert way is not None
    assert way.cost == pytest.approx(12.0)
