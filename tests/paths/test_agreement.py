"""The lazy search and the networkx graph give the same lengths, and every way stands up to a look at its places."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tactician.rules.core.measure import TOL, snap
from tactician.rules.core.shapes import Point, Polygon
from tactician.rules.paths.arrival import arrivals
from tactician.rules.paths.contact import contact
from tactician.rules.paths.graph import TangentGraph, tangent_graph
from tactician.rules.paths.scene import Scene
from tactician.rules.paths.search import shortest

from tests.paths.tables import (
    faults,
    floor,
    free_place,
    gap_to_walls,
    random_board,
    random_discs,
    rectangle,
    table,
    wall,
)


def compare(scene: Scene, rng: Random, queries: int) -> int:
    """Ask both for ways between random places; the number of ways found that are not straight."""
    graph = TangentGraph(scene)
    bent = 0
    for _ in range(queries):
        budget = rng.choice([8.0, 12.0, 30.0, math.inf])
        start = free_place(rng, scene)
        goal = free_place(rng, scene, start, min(budget, 40.0))
        found, again = shortest(scene, start, goal, budget), graph.shortest(start, goal, budget)
        assert (found is None) == (again is None), (start, goal, budget)
        if found is not None and again is not None:
            assert found.cost == pytest.approx(again.cost, abs=1e-9)
            assert faults(scene, start, found, goal) == []
            assert faults(scene, start, again, goal) == []
            bent += len(found.legs) > 1
    assert not {-1, -2} & set(graph.graph)
    return bent


@pytest.mark.parametrize("seed", range(3))
def test_graph_equals_search(seed: int) -> None:
    rng = Random(seed)
    scene = Scene(board=random_board(rng, 20), radius=0.63, discs=random_discs(rng, 6, 2.26))
    assert compare(scene, rng, 10) >= 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
def test_graph_equals_search_on_many_boards(seed: int) -> None:
    rng = Random(seed)
    radius = rng.choice([0.5, 0.63, 0.79, 1.0])
    scene = Scene(board=random_board(rng, 20), radius=radius, discs=random_discs(rng, seed % 3 * 10, radius + 1.63))
    assert compare(scene, rng, 30) >= 5


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_boxes_that_touch_and_overlap(seed: int) -> None:
    rng = Random(seed)
    boxes = [(rng.randrange(34), rng.randrange(24), rng.randrange(1, 6), rng.randrange(1, 6)) for _ in range(30)]
    pieces = [wall(f"box {i}", rectangle(x, y, x + w, y + h)) for i, (x, y, w, h) in enumerate(boxes)]
    for radius in (0.497, 0.5, 0.503):
        assert compare(Scene(board=table(*pieces), radius=radius), rng, 30) >= 2


def resting_places(rng: Random, scene: Scene, count: int) -> list[Point]:
    """Places on the half-inch grid, in touch with walls and the table's edge, or in base contact up to rounding."""
    places: list[Point] = []
    while len(places) < count:
        x, y = rng.randrange(1, 80) / 2, rng.randrange(1, 60) / 2
        if rng.random() < 0.4:
            angle, (dx, dy, reach) = rng.uniform(0, 2 * math.pi), rng.choice(scene.discs)
            x, y = snap(dx + reach * math.cos(angle)), snap(dy + reach * math.sin(angle))
        clear = all(math.dist((x, y), disc[:2]) >= disc[2] - TOL / 2 for disc in scene.discs)
        on_table = 0.5 <= x <= 39.5 and 0.5 <= y <= 29.5
        if clear and on_table and gap_to_walls(scene, [(x, y)]) >= 0.5 - 1e-9:
            places.append((x, y))
    return places


@pytest.mark.parametrize("seed", range(3))
def test_from_touch_to_touch(seed: int) -> None:
    """Among boxes and bases on the grid: graph, search and arrivals agree, and nothing is cut."""
    rng = Random(seed)
    boxes = [(rng.randrange(34), rng.randrange(24), rng.randrange(1, 6), rng.randrange(1, 6)) for _ in range(20)]
    board = table(*(wall(f"box {i}", rectangle(x, y, x + w, y + h)) for i, (x, y, w, h) in enumerate(boxes)))
    bases = tuple((rng.randrange(2, 78) / 2, rng.randrange(2, 58) / 2, 1.0) for _ in range(8))
    scene = Scene(board=board, radius=0.5, discs=bases)
    places = resting_places(rng, scene, 24)
    for start, goal in zip(places[::2], places[1::2], strict=True):
        way, again = shortest(scene, start, goal, 12), tangent_graph(scene).shortest(start, goal, 12)
        third = arrivals(scene, start, 12).way_to(goal)
        if way is None or again is None or third is None:
            assert way is again is third is None
            continue
        assert again.cost == pytest.approx(way.cost, abs=1e-9)
        # A goal that rounding has sunk into a base is reached by a step inward, which is longer by no more than that.
        assert way.cost - 1e-9 <= third.cost <= way.cost + TOL / 2
        assert [faults(scene, start, each, goal) for each in (way, again, third)] == [[], [], []]
        target = rng.choice(bases)
        charge = contact(scene, start, target, 12)
        others = Scene(board=board, radius=0.5, discs=tuple(base for base in bases if base != target))
        assert charge is None or faults(others, start, charge) == []


def test_graph_is_made_once() -> None:
    board = table(wall("block", rectangle(20, 10, 26, 20)))
    one, other = (tangent_graph(Scene(board=board, radius=0.5)) for _ in range(2))
    assert one is other
    assert tangent_graph(Scene(board=board, radius=0.6)) is not one


def test_way_about_the_notch_of_a_raised_floor() -> None:
    outline = Polygon(((10, 10), (20, 10), (20, 13), (13, 13), (13, 20), (10, 20)))
    scene = Scene(board=table(floor("gallery", outline, 3)), surface="gallery", radius=0.5)
    way = shortest(scene, (11.5, 19), (19, 11.5), 20)
    corner = (13.5, 13.5)
    assert way is not None
    assert way.cost == pytest.approx(math.dist((11.5, 19), corner) + math.dist(corner, (19, 11.5)), abs=1e-9)
    again = tangent_graph(scene).shortest((11.5, 19), (19, 11.5), 20)
    assert again is not None
    assert again.cost == pytest.approx(way.cost, abs=1e-9)
    assert shortest(scene, (11.5, 19), (19.6, 11.5), 20) is None
    assert shortest(scene, (11.5, 19), (19.6, 11.5), 20, resting=False) is not None


RNG_BOARD = random_board(Random(77), 8, 30, 24)


@given(
    start=st.tuples(st.floats(1, 29), st.floats(1, 23)),
    goal=st.tuples(st.floats(1, 29), st.floats(1, 23)),
    budget=st.floats(0, 40),
    more=st.floats(0, 10),
)
def test_longer_budget_never_reaches_less(
    start: tuple[float, float], goal: tuple[float, float], budget: float, more: float
) -> None:
    scene = Scene(board=RNG_BOARD, radius=0.5, discs=((15.0, 12.0, 1.5),))
    way, longer = shortest(scene, start, goal, budget), shortest(scene, start, goal, budget + more)
    if way is not None:
        assert longer is not None
        assert longer.cost == pytest.approx(way.cost, abs=1e-9)
    elif longer is not None:
        assert longer.cost > budget


@given(start=st.tuples(st.floats(1, 29), st.floats(1, 23)), goal=st.tuples(st.floats(1, 29), st.floats(1, 23)))
def test_way_back_is_as_long(start: tuple[float, float], goal: tuple[float, float]) -> None:
    scene = Scene(board=RNG_BOARD, radius=0.5)
    there, back = shortest(scene, start, goal, 60), shortest(scene, goal, start, 60)
    if there is not None and back is not None:
        assert there.cost == pytest.approx(back.cost, abs=1e-9)
