"""One search answers for every end point as a search of its own would."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random

import pytest
import shapely
from tactician.rules.paths import twins
from tactician.rules.paths.arrival import arrivals, reachable_area, reachable_shifts
from tactician.rules.paths.scene import Scene
from tactician.rules.paths.search import shortest

from tests.paths.tables import faults, floor, free_place, random_board, random_discs, rectangle, table, wall


def crowded(seed: int) -> tuple[Random, Scene]:
    rng = Random(seed)
    board = random_board(rng, 20, 40, 30)
    return rng, Scene(board=board, radius=0.63, discs=random_discs(rng, 6, 1.9, 40, 30))


@pytest.mark.parametrize("seed", range(2))
def test_cost_equals_shortest(seed: int) -> None:
    rng, scene = crowded(seed)
    bent = 0
    for _ in range(4):
        start = free_place(rng, scene)
        reach = arrivals(scene, start, 12)
        places = [free_place(rng, scene, start, 12) for _ in range(25)]
        for place, reached in zip(places, reach.reaches(places), strict=True):
            way, found = shortest(scene, start, place, 12), reach.way_to(place)
            assert reached == (way is not None)
            assert (reach.cost_to(place) is None) == (way is None)
            if way is not None and found is not None:
                assert reach.cost_to(place) == pytest.approx(way.cost, abs=1e-9)
                assert faults(scene, start, found, place) == []
                bent += len(way.legs) > 1
    assert bent > 10


@pytest.mark.parametrize("seed", range(3))
def test_longer_budget_never_reaches_less(seed: int) -> None:
    rng, scene = crowded(seed + 20)
    start = free_place(rng, scene)
    places = [free_place(rng, scene, start, 9) for _ in range(60)]
    last = [False] * len(places)
    for budget in (0.0, 2.0, 3.5, 5.0, 7.5, 10.0):
        now = arrivals(scene, start, budget).reaches(places)
        assert all(later or not earlier for earlier, later in zip(last, now, strict=True))
        last = now
    assert any(last)


def test_nothing_in_reach_from_inside_a_wall() -> None:
    scene = Scene(board=table(wall("block", rectangle(10, 10, 20, 20))), radius=0.5)
    reach = arrivals(scene, (15, 15), 12)
    assert reach.reaches([(15, 15), (25, 15)]) == [False, False]
    assert reachable_area(reach) == ()


def test_places_where_no_base_can_stand() -> None:
    scene = Scene(board=table(wall("block", rectangle(10, 10, 20, 20))), radius=0.5)
    reach = arrivals(scene, (5, 15), 30)
    assert reach.reaches([(5, 15), (9.4, 15), (15, 15), (0.3, 15), (23, 15)]) == [True, True, False, False, True]


def area_of(rings: tuple[tuple[tuple[float, float], ...], ...]) -> float:
    return abs(sum(x * v - u * y for ring in rings for (x, y), (u, v) in pairwise(ring))) / 2


def test_area_in_the_open_is_a_disc() -> None:
    (ring,) = reachable_area(arrivals(Scene(board=table(), radius=0.5), (20, 15), 6))
    assert area_of((ring,)) == pytest.approx(36 * math.pi, rel=0.002)


def test_area_behind_a_wall_follows_its_involute() -> None:
    """Behind the end of a long thin wall the border is the involute of the corner's arc."""
    scene = Scene(board=table(wall("wall", rectangle(20, 0, 20.001, 15))), radius=0.5)
    (ring,) = reachable_area(arrivals(scene, (19.5, 15), 6))
    area = shapely.Polygon(ring)
    farthest = 15 - (6 - 0.5 * math.pi - 0.001)
    assert area.contains(shapely.Point(20.51, farthest + 0.01))
    assert not area.contains(shapely.Point(20.51, farthest - 0.01))


@pytest.mark.parametrize("seed", [5, 6])
def test_area_agrees_with_places(seed: int) -> None:
    rng, scene = crowded(seed)
    start = free_place(rng, scene)
    reach = arrivals(scene, start, 8)
    rings = [shapely.Polygon(ring) for ring in reachable_area(reach)]
    border = shapely.union_all([ring.exterior for ring in rings])
    places = [free_place(rng, scene, start, 8) for _ in range(150)]
    for place in places:
        point = shapely.Point(place)
        if shapely.distance(point, border) > 0.05:
            inside = sum(ring.contains(point) for ring in rings) % 2 == 1
            assert inside == (reach.cost_to(place) is not None), place
    assert rings[0].area > 5


def test_area_on_a_raised_floor_ends_at_its_border() -> None:
    scene = Scene(board=table(floor("roof", rectangle(10, 10, 20, 14), 3)), surface="roof", radius=0.5)
    (ring,) = reachable_area(arrivals(scene, (12, 12), 20))
    assert shapely.Polygon(ring).bounds == pytest.approx((9.5, 9.5, 20.5, 14.5), abs=1e-3)


def test_shifts_that_all_bases_can_reach() -> None:
    scene = Scene(board=table(wall("wall", rectangle(14, 6, 15, 13))), radius=0.5, discs=((10.0, 20.0, 1.0),))
    starts, offsets = [(12.0, 8.0), (12.0, 10.0)], [(1, 0), (1.5, 0), (1.6, 0), (4, 0), (0, 4), (-2, 9.5), (0, -8)]
    for mode in (twins.PLAIN, twins.INTERPRETED):
        with twins.forced(mode):
            able = reachable_shifts(scene, starts, offsets, 12)
        each = [[shortest(scene, (x, y), (x + dx, y + dy), 12) for x, y in starts] for dx, dy in offsets]
        assert able.tolist() == [None not in ways for ways in each]
        assert able.tolist() == [True, True, False, True, True, False, False]
