"""Cheapest ways over ground that costs: closed forms, random tables, and opinions of others."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from random import Random

import networkx as nx
import pytest
from tactician.rules.core.going import BORDER, Fee, Going, Region, entered, price, sealed
from tactician.rules.core.legs import Bend, Leg, Pose, Straight, walk
from tactician.rules.core.measure import TOL
from tactician.rules.core.shapes import Point, Polygon, polygon_distance
from tactician.rules.core.terrain import Feature
from tactician.rules.paths.contact import contact
from tactician.rules.paths.convex import clean, convex_parts
from tactician.rules.paths.scene import Disc, Scene, Way
from tactician.rules.paths.search import shortest
from tactician.rules.paths.weighted import easiest, easiest_each, reachable

from tests.paths.tables import RATES, faults, floor, free_place, is_free, rectangle, table, wall

R = 0.5
OPEN = Scene(board=table(width=48, height=48), radius=R)


def region(outline: Polygon, rate: float = 2.0) -> Region:
    return Region(name="ground", outline=outline, rate=rate)


def fee(outline: Polygon, inches: float = 2.0) -> Fee:
    return Fee(name="obstacle", outline=outline, inches=inches)


def cost_of(going: Going, start: Point, legs: tuple[Leg, ...], radius: float = R) -> float:
    return price(going, walk(Pose(*start), legs, OPEN.board), RATES, radius)


def found(way: Way | None) -> Way:
    assert way is not None
    return way


def shortest_cost(scene: Scene, start: Point, goal: Point) -> float:
    return found(shortest(scene, start, goal, math.inf)).cost


def least(cost: Callable[[float], float], low: float, high: float) -> float:
    """The least of a convex function, by thirds."""
    for _ in range(200):
        one, other = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, other) if cost(one) < cost(other) else (one, high)
    return cost((low + high) / 2)


# ---- one border ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rate", [2.0, 4.0])
@pytest.mark.parametrize(
    ("start", "goal"),
    [
        ((10, 20), (14, 28)),
        ((10, 23.5), (22, 25)),
        ((10, 14), (30, 24.6)),
        ((20, 23.9), (20, 34)),
        ((30, 20), (12, 24.2)),
        ((12, 23), (13, 40)),
    ],
)
def test_refraction_at_a_straight_border(rate: float, start: Point, goal: Point) -> None:
    going = Going(regions=(region(rectangle(0, 24, 48, 48), rate),))
    border = 24 + BORDER
    exact = least(
        lambda x: math.hypot(x - start[0], border - start[1]) + rate * math.hypot(goal[0] - x, goal[1] - border),
        min(start[0], goal[0]),
        max(start[0], goal[0]),
    )
    for one, other in ((start, goal), (goal, start)):
        way = found(easiest(OPEN, going, one, other))
        assert way.cost == pytest.approx(exact, abs=1e-6)
        assert cost_of(going, one, way.legs) == pytest.approx(way.cost, abs=1e-9)


@pytest.mark.parametrize("rate", [2.0, 4.0])
@pytest.mark.parametrize("shift", [0.0, 3.0, 12.0])
def test_refraction_through_a_slab(rate: float, shift: float) -> None:
    going = Going(regions=(region(rectangle(0, 20, 48, 23), rate),))
    way = found(easiest(OPEN, going, (10, 17), (10 + shift, 28)))
    clear, thick = 8 + 2 * BORDER, 3 - 2 * BORDER
    # The same angles on both sides: what is walked outside may be put together.
    exact = least(lambda x: math.hypot(x, clear) + rate * math.hypot(shift - x, thick), 0, shift)
    assert way.cost == pytest.approx(exact, abs=1e-6)


@pytest.mark.parametrize("rate", [2.0, 4.0])
def test_out_to_the_border_along_it_and_in_again(rate: float) -> None:
    going = Going(regions=(region(rectangle(0, 24, 48, 48), rate),))
    start, goal = (8.0, 24.6), (30.0, 25.0)
    way = found(easiest(OPEN, going, start, goal))
    # At the critical angle each inch of depth costs sqrt(rate^2 - 1) beyond what is walked along the border.
    exact = 22 + (1.6 - 2 * BORDER) * math.sqrt(rate**2 - 1)
    assert way.cost == pytest.approx(exact, abs=1e-6)
    assert len(way.legs) == 3


def test_three_media_one_after_another() -> None:
    going = Going(regions=(region(rectangle(0, 20, 48, 23), 2.0), region(rectangle(0, 23, 48, 26), 4.0)))
    way = found(easiest(OPEN, going, (10, 18), (16, 29)))

    def from_first(x: float) -> float:
        rest = least(lambda y: 4 * math.hypot(y, 3) + math.hypot(6 - x - y, 3), 0, 6)
        return least(lambda y: math.hypot(y, 2) + 2 * math.hypot(x - y, 3), 0, x) + rest

    assert way.cost == pytest.approx(least(from_first, 0, 6), abs=2e-4)


# ---- round or through ------------------------------------------------------------------------------------------------


def test_round_the_corner_of_a_dear_piece() -> None:
    going = Going(regions=(region(rectangle(20, 10, 26, 22.0), 4.0),))
    way = found(easiest(OPEN, going, (18, 21), (28, 21)))
    assert way.cost == pytest.approx(2 * math.hypot(2, 1) + 6, abs=1e-4)
    assert len(way.points) == 4


def test_through_a_piece_that_is_too_long_to_go_round() -> None:
    going = Going(regions=(region(rectangle(20, 0, 21, 48), 4.0),))
    assert found(easiest(OPEN, going, (18, 21), (28, 21))).cost == pytest.approx(13 - 6 * BORDER, abs=1e-9)


def test_of_overlapping_pieces_the_dearest_counts() -> None:
    dear, cheap = region(rectangle(20, 0, 22, 48), 4.0), region(rectangle(19, 0, 24, 48), 2.0)
    for regions in ((dear, cheap), (cheap, dear)):
        way = found(easiest(OPEN, Going(regions=regions), (17, 21), (27, 21)))
        assert way.cost == pytest.approx(5 + 3 * 2 + 2 * 4, abs=2e-4)


def test_through_the_open_side_of_a_piece_that_is_not_convex() -> None:
    hook = Polygon(((20, 20), (28, 20), (28, 30), (26, 30), (26, 22), (20, 22)))
    going = Going(regions=(region(hook, 4.0),))
    way = found(easiest(OPEN, going, (22, 26), (30, 26)))
    # Either straight through the upright, refracted nowhere, or over its end.
    assert way.cost == pytest.approx(min(6 + 4 * 2, math.hypot(4, 4) + 2 + math.hypot(2, 4)), abs=2e-4)


def test_paid_by_the_base() -> None:
    going = Going(regions=(region(rectangle(20, 0, 22, 48), 2.0),), by_base=True)
    assert found(easiest(OPEN, going, (17, 21), (27, 21))).cost == pytest.approx(13, abs=4 * TOL)
    going = Going(regions=(region(rectangle(20, 10, 26, 22), 4.0),), by_base=True)
    way = found(easiest(OPEN, going, (18, 21), (28, 21)))
    base = found(shortest(replace(OPEN, closed=(rectangle(20, 10, 26, 22),)), (18, 21), (28, 21), 40))
    assert way.cost == pytest.approx(base.cost, abs=0.002)


# ---- fees ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", [21.2, 22.0, 22.9, 24.0, 30.0])
@pytest.mark.parametrize("inches", [0.5, 2.0])
def test_over_an_obstacle_or_round_it(end: float, inches: float) -> None:
    obstacle = rectangle(23.8, 5, 24.2, end)
    start, goal = (21.0, 21.0), (27.0, 21.0)
    way = found(easiest(OPEN, Going(fees=(fee(obstacle, inches),)), start, goal))
    around = found(shortest(replace(OPEN, closed=(obstacle,)), start, goal, 60))
    assert way.cost == pytest.approx(min(6 + inches, around.cost), abs=1e-9)


@pytest.mark.parametrize(("gap", "cost"), [(1.5, 0.0), (1.0, 0.0), (0.9, 2.0)])
def test_through_a_gate(gap: float, cost: float) -> None:
    below, above = rectangle(23.8, 0, 24.2, 20), rectangle(23.8, 20 + gap, 24.2, 48)
    going = Going(fees=(fee(below), fee(above)))
    start, goal = (20.0, 20 + gap / 2), (28.0, 20 + gap / 2)
    way = found(easiest(OPEN, going, start, goal))
    if cost == 0.0:
        assert way.cost == 8.0
    else:
        # Beside the gate, where the base overlaps one of the two pieces only: half a base's width and a bit off.
        assert 8 + cost < way.cost < 8 + cost + 0.1


def test_an_aside_to_the_gate_pays_when_the_fee_is_dear() -> None:
    going = Going(fees=(fee(rectangle(23.8, 0, 24.2, 20), 5), fee(rectangle(23.8, 22, 24.2, 48), 5)))
    start, goal = (20.0, 16.0), (28.0, 16.0)
    walls = replace(OPEN, closed=tuple(each.outline for each in going.fees))
    assert found(easiest(OPEN, going, start, goal)).cost == pytest.approx(shortest_cost(walls, start, goal), abs=1e-9)
    cheaper = Going(fees=tuple(replace(each, inches=1.0) for each in going.fees))
    assert found(easiest(OPEN, cheaper, start, goal)).cost == 9.0


def test_who_begins_inside_an_obstacle_leaves_it_free_and_pays_to_come_back() -> None:
    going = Going(fees=(fee(rectangle(23.8, 0, 24.2, 48)),))
    assert found(easiest(OPEN, going, (24, 20), (28, 20))).cost == 4.0
    assert found(easiest(OPEN, going, (23.2, 20), (28, 20))).cost == pytest.approx(6.8, abs=1e-9)


def test_one_fee_for_a_way_that_stays_inside_a_bent_obstacle() -> None:
    bent = Polygon(((20, 20), (28, 20), (28, 28), (27.6, 28), (27.6, 20.4), (20, 20.4)))
    going = Going(
        fees=(fee(bent, 3),),
        barred=(("inner", rectangle(20, 22, 25.4, 40)), ("outer", rectangle(10, 10, 40, 19.0))),
    )
    way = found(easiest(OPEN, going, (19.3, 21.4), (28.6, 21.5)))
    assert way.cost == pytest.approx(cost_of(going, (19.3, 21.4), way.legs), abs=1e-12)
    assert way.cost < 9.5 + 3


def test_nobody_comes_to_rest_inside_an_obstacle() -> None:
    going = Going(fees=(fee(rectangle(23.8, 0, 24.2, 48)),))
    assert easiest(OPEN, going, (20, 20), (24.3, 20)) is None
    assert found(easiest(OPEN, going, (20, 20), (23.3, 20))).cost == pytest.approx(3.3)


def test_two_fees_and_a_slow_piece_add_up() -> None:
    going = Going(
        regions=(region(rectangle(20, 0, 22, 48)),),
        fees=(fee(rectangle(20.8, 0, 21.2, 48)), fee(rectangle(24, 0, 25, 48))),
    )
    assert found(easiest(OPEN, going, (18, 20), (28, 20))).cost == pytest.approx(10 + 2 + 4, abs=1e-4)


# ---- walls for some, budgets, plain ground ---------------------------------------------------------------------------


def test_what_is_barred_is_a_wall() -> None:
    block = rectangle(20, 10, 26, 22)
    way = found(easiest(OPEN, Going(barred=(("block", block),)), (18, 21), (28, 21), 40))
    assert way == shortest(replace(OPEN, closed=(block,)), (18, 21), (28, 21), 40)


def test_plain_ground_is_measured_as_ever() -> None:
    scene = Scene(board=table(wall("block", rectangle(20, 10, 26, 20))), radius=R, discs=((30, 20, 1.6),))
    far = Going(regions=(region(rectangle(0, 0, 4, 4), 4.0),), fees=(fee(rectangle(36, 1, 39, 2)),))
    for goal in ((29, 18), (33, 21), (18, 8)):
        assert easiest(scene, far, (17, 18), goal, 40) == shortest(scene, (17, 18), goal, 40)
    assert easiest(scene, far, (17, 18), (30, 20, 1.6), 40) == contact(scene, (17, 18), (30, 20, 1.6), 40)


def test_a_budget_is_kept_to() -> None:
    going = Going(regions=(region(rectangle(0, 24, 48, 48), 4.0),), fees=(fee(rectangle(0, 21, 48, 21.4)),))
    start, goal = (20, 18), (24, 27)
    way = found(easiest(OPEN, going, start, goal))
    assert found(easiest(OPEN, going, start, goal, way.cost)).margin == pytest.approx(0, abs=1e-9)
    assert easiest(OPEN, going, start, goal, way.cost - 2 * TOL) is None
    assert reachable(OPEN, going, start, goal, way.cost)
    assert not reachable(OPEN, going, start, goal, way.cost - 2 * TOL)
    assert not reachable(OPEN, going, start, goal, 5)


def test_nowhere_to_go_costs_nothing() -> None:
    going = Going(regions=(region(rectangle(0, 0, 48, 48), 4.0),))
    assert found(easiest(OPEN, going, (20, 18), (20, 18), 0)).cost == 0.0


def test_raised_floors_cost_nothing_more() -> None:
    board = table(floor("hall", rectangle(10, 10, 30, 20), 3.0))
    scene = Scene(board=board, surface="hall", radius=R)
    going = Going(regions=(region(rectangle(0, 0, 40, 30), 4.0),))
    assert easiest(scene, going, (12, 12), (20, 18), 20) == shortest(scene, (12, 12), (20, 18), 20)
    assert easiest_each(scene, going, (12, 12), [(20, 18)], 20) == (shortest(scene, (12, 12), (20, 18), 20),)
    with pytest.raises(ValueError, match="on the table itself"):
        easiest(scene, going, (12, 12), rectangle(20, 12, 21, 13), 20)


# ---- contact and faces -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_contact_is_never_dearer_than_any_place_of_contact(seed: int) -> None:
    scene, going, start, _ = random_scene(Random(1000 + seed))
    target = around(Random(seed), scene, start)
    scene = replace(scene, discs=(*scene.discs, target))
    way = easiest(scene, going, start, target)
    x, y, reach = target
    bare = replace(scene, discs=tuple(disc for disc in scene.discs if disc != target))
    angles = [2 * math.pi * i / 60 for i in range(60)]
    places = [(x + (reach + 1e-6) * math.cos(a), y + (reach + 1e-6) * math.sin(a)) for a in angles]
    others = easiest_each(scene, going, start, [place for place in places if is_free(bare, place)])
    costs = [other.cost for other in others if other is not None]
    if way is None:
        assert costs == []
        return
    assert way.cost <= min(costs, default=math.inf) + 0.005
    assert math.dist(way.points[-1], (x, y)) == pytest.approx(reach, abs=TOL)
    assert not any(entered(going, Pose(*way.points[-1]), R))
    assert wrong_with(scene, going, start, way) == []


def test_contact_head_on_through_a_slow_piece() -> None:
    going = Going(regions=(region(rectangle(20, 0, 22, 48)),))
    way = found(easiest(OPEN, going, (17, 20), (28, 20, 1.0)))
    assert way.cost == pytest.approx(10 + 2, abs=1e-4)
    assert way.points[-1] == pytest.approx((27, 20))


def test_contact_is_not_made_where_the_base_would_stand_in_an_obstacle() -> None:
    going = Going(fees=(fee(rectangle(24, 10, 24.4, 20.3), 1.0),))
    way = found(easiest(OPEN, going, (20, 20), (25.2, 20, 1.0)))
    assert not any(entered(going, Pose(*way.points[-1]), R))
    assert math.dist(way.points[-1], (25.2, 20)) == pytest.approx(1.0, abs=1e-6)
    assert way.cost > 4.5


def test_up_to_the_face_of_a_wall() -> None:
    face = rectangle(24, 10, 24.4, 30)
    going = Going(regions=(region(rectangle(21, 0, 22, 48), 4.0),), fees=(fee(face),))
    way = found(easiest(OPEN, going, (20, 18), face))
    assert way.cost == pytest.approx(3.5 + 3, abs=1e-4)
    assert way.points[-1] == pytest.approx((23.5, 18), abs=1e-3)
    beyond = found(easiest(OPEN, Going(), (20, 33), face))
    assert beyond.cost == pytest.approx(math.hypot(4, 3) - R, abs=1e-6)
    assert easiest(OPEN, going, (20, 18), face, 6) is None


def test_a_face_is_reached_beside_what_stands_before_it() -> None:
    face = rectangle(24, 10, 24.4, 30)
    scene = replace(OPEN, closed=(face, rectangle(21, 17.5, 23, 18.5)))
    way = found(easiest(scene, Going(regions=(region(rectangle(22.5, 0, 23, 48)),)), (20, 18), face))
    assert polygon_distance(face, *way.points[-1]) == pytest.approx(R, abs=1e-6)
    assert faults(scene, (20, 18), replace(way, cost=walked((20, 18), way))) == []


def test_many_goals_at_once() -> None:
    scene, going, start, _ = random_scene(Random(77))
    rng = Random(5)
    goals = [free_place(rng, scene) for _ in range(12)]
    for goal, way in zip(goals, easiest_each(scene, going, start, goals, 18), strict=True):
        alone = easiest(scene, going, start, goal, 18)
        assert (way is None) == (alone is None)
        if way is not None and alone is not None:
            assert way.cost == pytest.approx(alone.cost, abs=0.01)
            assert way.points[-1] == goal


# ---- random tables ---------------------------------------------------------------------------------------------------


def turned(points: list[Point], x: float, y: float, angle: float) -> Polygon:
    c, s = math.cos(angle), math.sin(angle)
    return Polygon(tuple((x + px * c - py * s, y + px * s + py * c) for px, py in points))


def patch(rng: Random) -> Polygon:
    """A lump, an L or a star anywhere on 24 by 24 inches."""
    count = rng.randrange(5, 9)
    if rng.random() < 0.5:
        size = rng.uniform(1.5, 4)
        angles = sorted(rng.uniform(0, 2 * math.pi) for _ in range(count))
        points = [(size * math.cos(angle), size * math.sin(angle)) for angle in angles]
    elif rng.random() < 0.5:
        w, h, t = rng.uniform(3, 7), rng.uniform(3, 7), rng.uniform(1, 2)
        corners = [(0, 0), (w, 0), (w, t), (t, t), (t, h), (0, h)]
        points = [(x - w / 2, y - h / 2) for x, y in corners]
    else:
        sizes = [rng.uniform(1, 4) for _ in range(count)]
        angles = [2 * math.pi * i / count for i in range(count)]
        points = [(s * math.cos(a), s * math.sin(a)) for s, a in zip(sizes, angles, strict=True)]
    return turned(points, rng.uniform(4, 20), rng.uniform(4, 20), rng.uniform(0, math.pi))


def low_wall(rng: Random) -> Polygon:
    """A low wall, straight or with a corner."""
    w, t = rng.uniform(3, 8) / 2, 0.2
    points = [(-w, -t), (w, -t), (w, t), (-w, t)]
    if rng.random() < 0.3:
        points = [(-w, -t), (w, -t), (w, 2.5), (w - 2 * t, 2.5), (w - 2 * t, t), (-w, t)]
    return turned(points, rng.uniform(5, 19), rng.uniform(5, 19), rng.uniform(0, math.pi))


def random_scene(rng: Random, regions: int = 0, fees: int = -1) -> tuple[Scene, Going, Point, Point]:
    """A table of 24 inches with ground that costs, walls, zones, and two places on it."""
    going = Going(
        regions=tuple(region(patch(rng), rng.choice([2.0, 4.0])) for _ in range(regions or rng.randrange(2, 6))),
        fees=tuple(fee(low_wall(rng)) for _ in range(rng.randrange(0, 4) if fees < 0 else fees)),
    )
    walls: list[Feature] = []
    for i in range(rng.randrange(0, 3)):
        box: list[Point] = [(-1.5, -0.5), (1.5, -0.5), (1.5, 0.5), (-1.5, 0.5)]
        walls.append(wall(f"wall {i}", turned(box, rng.uniform(4, 20), rng.uniform(4, 20), rng.uniform(0, math.pi))))
    discs = tuple((rng.uniform(4, 20), rng.uniform(4, 20), rng.choice([1.1, 2.1])) for _ in range(rng.randrange(0, 4)))
    scene = Scene(board=table(*walls, width=24, height=24), radius=R, discs=discs)
    while True:
        start, goal = free_place(rng, scene), free_place(rng, scene)
        if 8 < math.dist(start, goal) < 18 and not any(entered(going, Pose(*goal), R)):
            return scene, going, start, goal


def around(rng: Random, scene: Scene, start: Point) -> Disc:
    """A base to be touched, clear of the start."""
    while True:
        x, y = free_place(rng, scene)
        if math.dist((x, y), start) > 5:
            return x, y, 1.0


def walked(start: Point, way: Way) -> float:
    """Length of a way."""
    return sum(stretch.across for stretch in walk(Pose(*start), way.legs, OPEN.board))


def wrong_with(scene: Scene, going: Going, start: Point, way: Way, end: Point | None = None) -> list[str]:
    """What is wrong with a way: where it goes, and what it says it costs."""
    wrong = faults(scene, start, replace(way, cost=walked(start, way)), end)
    if abs(cost_of(going, start, way.legs) - way.cost) > 1e-9:
        wrong.append("is priced otherwise")
    return wrong


@pytest.mark.parametrize("seed", range(20))
def test_random_ways_can_be_walked_and_cannot_be_bettered_nearby(seed: int) -> None:
    scene, going, start, goal = random_scene(Random(seed))
    way = easiest(scene, going, start, goal)
    if way is None:
        assert shortest(scene, start, goal, math.inf) is None
        return
    assert wrong_with(scene, going, start, way, goal) == []
    rng = Random(seed)
    if not all(isinstance(leg, Straight) for leg in way.legs):
        return
    for _ in range(60):
        points = list(way.points)
        for i in range(1, len(points) - 1):
            size = 10 ** rng.uniform(-4, -0.5) * rng.randrange(2)
            angle = rng.uniform(0, 2 * math.pi)
            points[i] = (points[i][0] + size * math.cos(angle), points[i][1] + size * math.sin(angle))
        legs = tuple(Straight(point) for point in points[1:])
        other = Way(cost=0.0, legs=legs, margin=0.0, points=tuple(points))
        if cost_of(going, start, legs) < way.cost - 2e-5:
            assert wrong_with(scene, going, start, replace(other, cost=cost_of(going, start, legs))) != []


def test_who_stands_in_a_zone_begins_by_going_round_it() -> None:
    going = Going(regions=(region(rectangle(6, 6, 11, 7)), region(rectangle(6, 10, 10, 15))))
    scene = Scene(board=table(width=24, height=24), radius=1.0, discs=((2, 10, 2.0),))
    for step in (0.5, 0.125):
        way = found(easiest(scene, going, (2, 9), (14, 14), step=step))
        assert isinstance(way.legs[0], Bend)
        assert way.cost == pytest.approx(13.71942, abs=1e-4)


def aligned(rng: Random, size: int) -> Polygon:
    x, y = rng.randrange(2, 18), rng.randrange(2, 18)
    return rectangle(x, y, x + rng.randrange(1, size), y + rng.randrange(1, size))


def aligned_scene(rng: Random) -> tuple[Scene, Going, Point, Point]:
    """Pieces on whole inches, touching and overlapping each other, and places on their borders."""
    going = Going(
        regions=tuple(region(aligned(rng, 6), rng.choice([2.0, 4.0])) for _ in range(rng.randrange(1, 6))),
        fees=tuple(fee(aligned(rng, 3)) for _ in range(rng.randrange(0, 4))),
        barred=tuple(("bar", aligned(rng, 3)) for _ in range(rng.randrange(0, 2))),
        by_base=rng.random() < 0.15,
    )
    walls = [wall(f"wall {i}", aligned(rng, 4)) for i in range(rng.randrange(0, 3))]
    discs = tuple((float(rng.randrange(2, 20)), float(rng.randrange(2, 20)), 1.0) for _ in range(rng.randrange(0, 3)))
    scene = Scene(board=table(*walls, width=24, height=24), radius=R, discs=discs)
    start, goal = [(float(rng.randrange(1, 23)), float(rng.randrange(1, 23))) for _ in range(2)]
    return scene, going, start, goal


@pytest.mark.parametrize("seed", range(40))
def test_pieces_that_touch_and_places_on_borders(seed: int) -> None:
    scene, going, start, goal = aligned_scene(Random(seed))
    way = easiest(scene, going, start, goal)
    fine = easiest(scene, going, start, goal, step=0.125)
    assert (way is None) == (fine is None)
    if way is not None and fine is not None:
        assert way.cost <= fine.cost + 0.01
        walls = replace(scene, closed=tuple(outline for _, outline in going.barred))
        assert wrong_with(walls, going, start, way, goal) == []


def test_no_way_between_two_pieces_that_share_a_border() -> None:
    """Round both of them where they are dear, along the border at the less of two rates where that is cheaper."""
    both = (region(rectangle(20, 20, 30, 30), 4.0), region(rectangle(30, 20, 40, 30), 4.0))
    round_both = 2 * math.hypot(10, 1) + 10
    for regions, inches in ((both, round_both), ((replace(both[0], rate=2.0), both[1]), 22.0)):
        going = Going(regions=sealed(regions))
        scene = Scene(board=table(width=60, height=50), radius=R)
        way = found(easiest(scene, going, (30.0, 19.0), (30.0, 31.0)))
        assert way.cost == pytest.approx(inches, abs=1e-3)
        assert cost_of(going, (30.0, 19.0), way.legs) == pytest.approx(way.cost, abs=1e-6)


def test_the_same_question_has_the_same_answer() -> None:
    scene, going, start, goal = random_scene(Random(25))
    assert easiest(scene, going, start, goal) == easiest(scene, going, start, goal)


def test_convex_parts_fill_an_outline_and_keep_its_sides() -> None:
    rng = Random(4)
    for _ in range(60):
        outline = patch(rng)
        corners = clean(outline.points)
        parts = convex_parts(corners, 0)
        assert sum(Polygon(tuple(points)).area for points, _ in parts) == pytest.approx(outline.area)
        assert sorted(side for _, sides in parts for side in sides if side >= 0) == list(range(len(corners)))
        for points, sides in parts:
            for (here, onward), side in zip(pairwise([*points, points[0]]), sides, strict=True):
                assert side < 0 or (here, onward) == (corners[side], corners[(side + 1) % len(corners)])


@pytest.mark.slow
def test_random_ways_are_as_cheap_as_those_of_a_net_four_times_as_fine() -> None:
    compared = 0
    for seed in range(100):
        scene, going, start, goal = random_scene(Random(5000 + seed))
        way = easiest(scene, going, start, goal)
        fine = easiest(scene, going, start, goal, step=0.125)
        assert (way is None) == (fine is None)
        if way is not None and fine is not None:
            compared += 1
            assert way.cost <= fine.cost + 0.01, seed
            assert wrong_with(scene, going, start, way, goal) == [], seed
    assert compared > 80


@pytest.mark.slow
def test_random_ways_are_no_dearer_than_those_of_a_graph_by_the_referee() -> None:
    for seed in range(8):
        rng = Random(7000 + seed)
        scene, going, start, goal = random_scene(rng, fees=2)
        scene = replace(scene, board=table(width=24, height=24), discs=())
        way = found(easiest(scene, going, start, goal))
        assert way.cost <= by_the_referee(going, start, goal) + 1e-6, seed


def by_the_referee(going: Going, start: Point, goal: Point) -> float:
    """The cheapest way over many places outside of obstacles, every leg priced by the referee."""
    places = [start, goal]
    for each in going.regions:
        for ax, ay, bx, by in each.outline.edges:
            count = math.ceil(math.dist((ax, ay), (bx, by)) / 0.5)
            places += [(ax + (bx - ax) * i / count, ay + (by - ay) * i / count) for i in range(count)]
    for obstacle in going.fees:
        for x, y in obstacle.outline.points:
            places += [(x + 0.52 * math.cos(a * math.pi / 4), y + 0.52 * math.sin(a * math.pi / 4)) for a in range(8)]
    graph: nx.Graph[int] = nx.Graph()
    direct = cost_of(going, start, (Straight(goal),))
    clear = [p for p in places[2:] if not any(entered(going, Pose(*p), R))]
    near = [start, goal, *(p for p in clear if math.dist(start, p) + math.dist(p, goal) < direct)]
    for i, one in enumerate(near):
        for j in range(i):
            other, away = near[j], math.dist(one, near[j])
            through = (math.dist(start, p) + away + math.dist(q, goal) for p, q in ((one, other), (other, one)))
            if min(through) < direct + 0.1:
                graph.add_edge(i, j, weight=cost_of(going, other, (Straight(one),)))
    return float(nx.dijkstra_path_length(graph, 0, 1))
