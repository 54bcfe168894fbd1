"""The lazy search and the networkx graph give the same lengths, and every way stands up to a look at its places."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tactician.rules.core.shapes import Polygon
from tactician.rules.paths.graph import TangentGraph, tangent_graph
from tactician.rules.paths.scene import Scene
from tactician.rules.paths.search import shortest

from tests.paths.tables import faults, floor, free_place, random_board, random_discs, rectangle, table, wall


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


@given(
    start=st.tuples(st.floats(1, 29), st.floats(1, 23)), goal=st.tuples(st.floats(1, 29), st.floats(1, 23))
)
def test_way_back_is_as_long(start: tuple[float, float], goal: tuple[float, float]) -> None:
    scene = Scene(board=RNG_BOARD, radius=0.5)
    there, back = shortest(scene, start, goal, 60), shortest(scene, goal, start, 60)
    if there is not None and back is not None:
        assert there.cost == pytest.approx(back.cost, abs=1e-9)
