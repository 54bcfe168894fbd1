"""The kernels give the very doubles of the plain code: interpreted on small tables, compiled on many large ones."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from tactician.rules.core.shapes import Point
from tactician.rules.paths import twins
from tactician.rules.paths.arrival import Arrivals, ByKernel, arrivals
from tactician.rules.paths.contact import contact
from tactician.rules.paths.field import Field, field_of
from tactician.rules.paths.graph import TangentGraph, tangent_graph
from tactician.rules.paths.scene import Disc, Scene, Way, layout
from tactician.rules.paths.search import shortest

from tests.paths.tables import faults, floor, free_place, is_free, random_board, random_discs, rectangle, table, wall

BUDGETS = (3.0, 8.0, 12.0, 18.0, math.inf)


def both(twin: str, scene: Scene, start: Point, goal: Point, budget: float) -> Way | None:
    """A way found by the plain code, after a look that a twin's is the same to the last bit."""
    with twins.forced(twins.PLAIN):
        plain = shortest(scene, start, goal, budget)
    with twins.forced(twin):
        assert shortest(scene, start, goal, budget) == plain
    return plain


def both_contacts(twin: str, scene: Scene, start: Point, target: Disc, budget: float) -> Way | None:
    with twins.forced(twins.PLAIN):
        plain = contact(scene, start, target, budget)
    with twins.forced(twin):
        assert contact(scene, start, target, budget) == plain
    return plain


def both_arrivals(twin: str, scene: Scene, start: Point, budget: float) -> tuple[Arrivals, Arrivals]:
    with twins.forced(twins.PLAIN):
        plain = arrivals(scene, start, budget)
    with twins.forced(twin):
        found = arrivals(scene, start, budget)
    assert isinstance(found.reached, ByKernel) == (budget >= 0.0)
    assert found.states == plain.states
    return plain, found


def any_place(rng: Random, scene: Scene) -> Point:
    """A place on the table or a little off it, free or not; often in touch with a disc, a wall or the edge."""
    width, height, radius = scene.board.width, scene.board.height, scene.radius
    kind = rng.random()
    if kind < 0.3 and scene.discs:
        x, y, reach = rng.choice(scene.discs)
        angle, more = rng.uniform(0, 2 * math.pi), rng.choice([0.0, 1e-5, -1e-5, -0.3])
        return x + (reach + more) * math.cos(angle), y + (reach + more) * math.sin(angle)
    if kind < 0.4:
        return rng.choice([radius, radius - 5e-5, width - radius]), rng.uniform(0, height)
    if kind < 0.6 and scene.board.features:
        ax, ay, bx, by = rng.choice(rng.choice(scene.board.features).outline.edges)
        t, size, side = rng.uniform(-0.1, 1.1), math.dist((ax, ay), (bx, by)), rng.choice([1, -1])
        away = side * (radius - rng.choice([0.0, 4e-5, 9e-5]))
        return ax + t * (bx - ax) - away * (by - ay) / size, ay + t * (by - ay) + away * (bx - ax) / size
    return rng.uniform(-0.1, width + 0.1), rng.uniform(-0.1, height + 0.1)


def random_scene(rng: Random, pieces: int, discs: int, width: float, height: float) -> Scene:
    radius = rng.choice([0.0, 0.5, 0.63, 1.0])
    blocks = [wall(f"box {i}", rectangle(*_box(rng, width, height))) for i in range(pieces // 2)]
    board = table(*random_board(rng, pieces, width, height).features, *blocks, width=width, height=height)
    zones = random_discs(rng, discs, 2.26, width, height) + random_discs(rng, discs // 3, 1.26, width, height)
    return Scene(board=board, radius=radius, discs=(*zones, *zones[:1], (5.0, 5.0, 0.0)))


def _box(rng: Random, width: float, height: float) -> tuple[int, int, int, int]:
    x, y = rng.randrange(int(width) - 4), rng.randrange(int(height) - 4)
    return x, y, x + rng.randrange(1, 5), y + rng.randrange(1, 5)


def _many(rng: Random, scene: Scene) -> tuple[list[Point], list[Point]]:
    return [any_place(rng, scene) for _ in range(40)], [any_place(rng, scene) for _ in range(40)]


def compare(twin: str, rng: Random, scene: Scene, queries: int) -> int:
    """Ask for ways, contacts and arrivals from and to all sorts of places; how many ways were not straight."""
    bent = 0
    for number in range(queries):
        start, goal, budget = any_place(rng, scene), any_place(rng, scene), rng.choice(BUDGETS)
        if number % 2:
            start, goal = (next((p for p in places if is_free(scene, p)), start) for places in _many(rng, scene))
        way = both(twin, scene, start, goal, budget)
        charge = both_contacts(twin, scene, start, (*any_place(rng, scene), 1.26), budget)
        foe = both_contacts(twin, scene, start, rng.choice(scene.discs[:3]), budget)
        bent += sum(each is not None and len(each.legs) > 1 for each in (way, charge, foe))
        plain, found = both_arrivals(twin, scene, start, rng.choice([-1.0, 2.0, 6.0, 12.0]))
        ends = [any_place(rng, scene) for _ in range(4)] + [start, (start[0] + 2, start[1] + 1)]
        assert [found.way_to(end) for end in ends] == [plain.way_to(end) for end in ends]
        assert found.costs_to(ends).tolist() == plain.costs_to(ends).tolist()
        assert found.reaches(ends) == plain.reaches(ends)
    return bent


@pytest.mark.parametrize("seed", range(4))
def test_interpreted_kernels_equal_the_plain_code(seed: int) -> None:
    rng = Random(seed)
    assert compare(twins.INTERPRETED, rng, random_scene(rng, 4, 3, 24, 20), 12) >= 2


def test_interpreted_kernels_equal_the_graph_and_a_look_at_places() -> None:
    rng = Random(8)
    scene = Scene(board=random_board(rng, 8, 30, 24), radius=0.63, discs=random_discs(rng, 3, 2.26, 30, 24))
    with twins.forced(twins.INTERPRETED):
        for _ in range(10):
            start, goal = free_place(rng, scene), free_place(rng, scene)
            way, again = shortest(scene, start, goal, 40), tangent_graph(scene).shortest(start, goal, 40)
            assert (way is None) == (again is None)
            if way is not None and again is not None:
                assert way.cost == pytest.approx(again.cost, abs=1e-9)
                assert faults(scene, start, way, goal) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20, 50))
def test_compiled_kernels_equal_the_plain_code(seed: int) -> None:
    rng = Random(seed)
    width, height, most = rng.choice([(24, 20, 5), (44, 30, 15), (72, 48, 30)])
    scene = random_scene(rng, rng.randrange(3, most), rng.randrange(3, most), width, height)
    assert compare(twins.COMPILED, rng, scene, 24) >= 1


@pytest.mark.slow
def test_compiled_contact_equals_the_plain_code_in_300_cases() -> None:
    rng, seen, bent = Random(3), 0, 0
    while seen < 300:
        scene = Scene(board=random_board(rng, 14, 30, 24), radius=0.63, discs=random_discs(rng, 4, 2.26, 30, 24))
        for _ in range(10):
            start, target = free_place(rng, scene), (rng.uniform(1, 29), rng.uniform(1, 23), 1.26)
            way = both_contacts(twins.COMPILED, scene, start, target, rng.choice([6.0, 8.0, 12.0]))
            bent += way is not None and len(way.legs) > 1
            seen += 1
    assert bent > 20


def test_coordinates_that_are_whole_numbers_are_the_same_as_floats() -> None:
    scene = Scene(board=table(wall("block", rectangle(20, 10, 26, 20))), radius=0.5, discs=((12, 15, 1),))
    whole = both(twins.INTERPRETED, scene, (10, 15), (30, 15), 40)
    assert whole is not None
    assert whole == both(twins.INTERPRETED, scene, (10.0, 15.0), (30.0, 15.0), 40.0)
    assert all(isinstance(value, float) for point in whole.points for value in point)


def test_raised_floors_stay_with_the_plain_code() -> None:
    scene = Scene(board=table(floor("roof", rectangle(10, 10, 20, 14), 3)), surface="roof", radius=0.5)
    assert not scene.packed().is_flat
    way = both(twins.INTERPRETED, scene, (11, 11), (19, 13), 20)
    assert way is not None
    with twins.forced(twins.INTERPRETED):
        assert not isinstance(arrivals(scene, (11, 11), 6).reached, ByKernel)


def compare_graphs(twin: str, rng: Random, scene: Scene) -> None:
    """The same layout, nodes, edges and ways by both codes."""
    graphs = []
    for mode in (twins.PLAIN, twin):
        with twins.forced(mode):
            layout.cache_clear()
            graphs.append(TangentGraph(replace(scene)))
    one, other = graphs
    assert layout(scene.board, scene.surface, scene.radius, scene.closed).blocked == one.local.shared.blocked
    assert list(one.graph.edges(data="weight")) == list(other.graph.edges(data="weight"))
    assert [one.touch(number) for number in one.graph] == [other.touch(number) for number in other.graph]
    for _ in range(10):
        start, goal, budget = any_place(rng, scene), any_place(rng, scene), rng.choice(BUDGETS)
        assert one.shortest(start, goal, budget) == other.shortest(start, goal, budget)


@pytest.mark.parametrize("seed", range(2))
def test_interpreted_graphs_equal_the_plain_ones(seed: int) -> None:
    rng = Random(seed)
    compare_graphs(twins.INTERPRETED, rng, random_scene(rng, 3, 3, 24, 20))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(80, 90))
def test_compiled_graphs_equal_the_plain_ones(seed: int) -> None:
    rng = Random(seed)
    compare_graphs(twins.COMPILED, rng, random_scene(rng, rng.randrange(3, 16), rng.randrange(3, 10), 44, 30))


# ---- fields ----------------------------------------------------------------------------------------------------------


def fields(reach: Arrivals) -> tuple[Field, Field]:
    return field_of(reach), field_of(reach, exact=True)


def same(one: Field, other: Field) -> bool:
    return (one.x0, one.y0, one.step) == (other.x0, other.y0, other.step) and np.array_equal(one.costs, other.costs)


def compare_fields(twin: str, rng: Random, scene: Scene, budget: float) -> None:
    """Both fields by both codes; the quick one is never too short and never far too long."""
    plain, found = both_arrivals(twin, scene, free_place(rng, scene), budget)
    quick, exact = fields(plain)
    with twins.forced(twin):
        assert all(same(one, other) for one, other in zip(fields(found), (quick, exact), strict=True))
    reached = np.isfinite(exact.costs)
    assert reached.sum() > 20
    assert not (np.isfinite(quick.costs) & ~reached).any()
    assert (quick.costs[reached] >= exact.costs[reached] - 1e-9).all()
    both_reached = reached & np.isfinite(quick.costs)
    assert both_reached.sum() >= 0.4 * reached.sum()  # gaps narrower than a cell stay shut
    assert np.median(quick.costs[both_reached] - exact.costs[both_reached]) < 0.05


@pytest.mark.parametrize("seed", range(2))
def test_interpreted_fields_equal_the_plain_ones(seed: int) -> None:
    rng = Random(seed)
    scene = Scene(board=random_board(rng, 6, 24, 20), radius=0.63, discs=random_discs(rng, 3, 2.26, 24, 20))
    compare_fields(twins.INTERPRETED, rng, scene, 4.0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60, 70))
def test_compiled_fields_equal_the_plain_ones(seed: int) -> None:
    rng = Random(seed)
    scene = Scene(board=random_board(rng, 20), radius=0.63, discs=random_discs(rng, 20, 2.26))
    compare_fields(twins.COMPILED, rng, scene, 9.0)


def test_field_of_an_open_table_is_the_distance() -> None:
    field = field_of(arrivals(Scene(board=table(), radius=0.5), (10.2, 12.3), 4))
    for i in range(field.costs.shape[0]):
        for j in range(field.costs.shape[1]):
            away = math.dist(field.place(i, j), (10.2, 12.3))
            assert field.costs[i, j] == (pytest.approx(away, abs=1e-12) if away <= 4.00005 else math.inf)
    assert field.cost_near((12.1, 12.4)) == pytest.approx(math.dist((12.0, 12.5), (10.2, 12.3)))
    assert field.cost_near((39, 29)) == math.inf


def test_field_goes_round_a_wall_and_not_through_it() -> None:
    scene = Scene(board=table(wall("wall", rectangle(11, 8, 11.2, 16))), radius=0.5)
    reach = arrivals(scene, (10, 12), 12)
    quick, exact = fields(reach)
    behind = (12.0, 12.0)
    way = shortest(scene, (10, 12), behind, 12)
    assert way is not None
    assert exact.cost_near(behind) == way.cost
    assert way.cost <= quick.cost_near(behind) <= way.cost + 0.5
    assert quick.cost_near((11.0, 12.0)) == math.inf


def test_field_of_a_start_that_is_not_free_is_out_of_reach() -> None:
    scene = Scene(board=table(wall("block", rectangle(20, 10, 26, 20))), radius=0.5)
    for mode in (twins.PLAIN, twins.INTERPRETED):
        with twins.forced(mode):
            for field in fields(arrivals(scene, (23, 15), 3)):
                assert not np.isfinite(field.costs).any()
    with pytest.raises(ValueError, match="step"):
        field_of(arrivals(scene, (10, 15), 3), step=0)
