"""Ways up, over and down, with costs known in closed form."""

from __future__ import annotations

import math
from random import Random

import pytest
from tactician.rules.core.legs import Climb, Drop, Pose, Rates, cost, walk
from tactician.rules.core.shapes import Polygon
from tactician.rules.core.terrain import Board, Feature, Surface
from tactician.rules.paths.scene import Scene, Way
from tactician.rules.paths.search import shortest
from tactician.rules.paths.surfaces import shortest_over

from tests.paths.tables import RATES, floor, rectangle, refused, table, wall

R = 0.5
BARRIER = table(floor("barrier", rectangle(20, 5, 21, 25), 2))
LEDGE = table(floor("ledge", rectangle(20, 5, 30, 25), 3))
CLOSE = 0.01


def go(board: Board, start: Pose, goal: Pose, budget: float, rates: Rates = RATES, **more: object) -> Way | None:
    """A way that was looked at: legal, of the cost it names, and ending at the goal."""
    way = shortest_over(board, R, start, goal, budget, rates, **more)  # type: ignore[arg-type]
    if way is not None:
        assert refused(board, R, start, way.legs) == []
        stretches = walk(start, way.legs, board)
        assert cost(stretches, rates) == pytest.approx(way.cost, abs=1e-8)
        assert (stretches[-1].surface if stretches else start.surface) == goal.surface
        assert way.points[-1] == pytest.approx(goal.point)
        assert len(way.points) == len(way.legs) + 1
        assert way.margin == pytest.approx(budget - way.cost)
    return way


def test_over_a_barrier_from_touch_to_touch() -> None:
    way = go(BARRIER, Pose(19.5, 15), Pose(21.5, 15), 4)
    assert way is not None
    assert way.cost == pytest.approx(4.0, abs=1e-9)
    assert [type(leg) for leg in way.legs if isinstance(leg, Climb | Drop)] == [Climb, Drop]
    assert go(BARRIER, Pose(19.5, 15), Pose(21.5, 15), 3.99) is None


def test_over_a_barrier_aslant() -> None:
    way = go(BARRIER, Pose(17.3, 15.3), Pose(23.9, 12.1), 12)
    assert way is not None
    assert way.cost == pytest.approx(math.dist((17.3, 15.3), (23.9, 12.1)) + 2, abs=CLOSE)


def test_round_a_barrier_where_that_is_shorter() -> None:
    start, goal = Pose(19.5, 24.8), Pose(21.5, 24.8)
    around = shortest(Scene(board=BARRIER, radius=R), start.point, goal.point, 4)
    way = go(BARRIER, start, goal, 4)
    assert around is not None
    assert way is not None
    assert way.cost == pytest.approx(around.cost, abs=1e-9)


@pytest.mark.parametrize("down", [0.0, 0.5, 1.0])
def test_up_to_a_ledge_and_down_again(down: float) -> None:
    rates = Rates(up=1.0, down=down)
    up = go(LEDGE, Pose(17, 15), Pose(24, 18.3, "ledge"), 12, rates)
    back = go(LEDGE, Pose(24, 18.3, "ledge"), Pose(17, 15), 12, rates)
    across = math.dist((17, 15), (24, 18.3))
    assert up is not None
    assert back is not None
    assert up.cost == pytest.approx(across + 3, abs=CLOSE)
    assert back.cost == pytest.approx(across + 3 * down, abs=CLOSE)


def test_wholly_on_the_ledge_at_the_end() -> None:
    assert go(LEDGE, Pose(19.5, 15), Pose(20.4, 15, "ledge"), 12) is None
    assert go(LEDGE, Pose(19.5, 15), Pose(20.5, 15, "ledge"), 4) is not None


def test_double_price_upward() -> None:
    way = go(LEDGE, Pose(19.5, 15), Pose(20.5, 15, "ledge"), 12, Rates(up=2, down=0))
    assert way is not None
    assert way.cost == pytest.approx(7.0, abs=1e-9)


def ramp(name: str, outline: Polygon, foot: tuple[float, float], head: tuple[float, float], height: float) -> Feature:
    surface = Surface(id=name, polygon=outline, low=0, high=height, foot=foot, head=head)
    return Feature(id=name, outline=outline, top=height, surface=surface)


def test_ramp_costs_its_slope_up_and_its_plan_down() -> None:
    """Three inches of rise on a run of four: the slope is five; level ends of an inch on both sides."""
    board = table(ramp("ramp", rectangle(9, 10, 15, 13), (10, 11.5), (14, 11.5), 3))
    low, high = Pose(9.5, 11.5, "ramp"), Pose(14.5, 11.5, "ramp")
    up, down = go(board, low, high, 12), go(board, high, low, 12)
    assert up is not None
    assert down is not None
    assert up.cost == pytest.approx(6.0, abs=1e-9)
    assert down.cost == pytest.approx(5.0, abs=1e-9)


def test_onto_a_ramp_at_its_foot_costs_no_climb() -> None:
    board = table(ramp("ramp", rectangle(10, 10, 15, 13), (10, 11.5), (14, 11.5), 3))
    up = go(board, Pose(8, 11.5), Pose(14.5, 11.5, "ramp"), 12)
    assert up is not None
    assert up.cost == pytest.approx(2 + 5 + 0.5, abs=1e-9)


def test_aslant_up_a_ramp_is_as_long_as_the_straight_line_in_space() -> None:
    board = table(ramp("ramp", rectangle(10, 5, 14, 25), (10, 15), (14, 15), 3))
    way = go(board, Pose(10.5, 8, "ramp"), Pose(13.5, 20, "ramp"), 20)
    assert way is not None
    assert way.cost == pytest.approx(math.hypot(3, 12, 2.25), abs=1e-9)


def test_up_by_the_ramp_where_climbing_is_dear() -> None:
    ledge = floor("ledge", rectangle(14, 5, 24, 25), 3)
    board = table(ramp("ramp", rectangle(9, 10, 14, 13), (10, 11.5), (14, 11.5), 3), ledge)
    dear = go(board, Pose(8.5, 11.5), Pose(16, 11.5, "ledge"), 14, Rates(up=2.0, down=0))
    assert dear is not None
    assert [leg.surface for leg in dear.legs if isinstance(leg, Climb)] == ["ramp", "ledge"]
    # An inch and half to the foot, 3.5 of 4 inches of slope, the last eighth straight up, then across.
    slope = math.hypot(3.5, 2 * 3 * 3.5 / 4)
    assert dear.cost == pytest.approx(1.5 + slope + 2 * 3 / 8 + 2.5, abs=CLOSE)


def test_from_under_an_open_floor_one_climbs_at_its_border() -> None:
    board = table(floor("gantry", rectangle(20, 5, 30, 25), 3, solid=False))
    way = go(board, Pose(25, 15), Pose(28, 17, "gantry"), 14)
    assert way is not None
    # Out to the line half an inch inside the border and back: a mirror's path.
    assert way.cost == pytest.approx(math.dist((25, 15), (31, 17)) + 3, abs=CLOSE)
    across = go(board, Pose(16, 15), Pose(33, 16), 20)
    assert across is not None
    assert across.cost == pytest.approx(math.dist((16, 15), (33, 16)), abs=1e-9)


def test_bases_above_and_below_are_in_the_way_on_their_own_surface() -> None:
    start, goal = Pose(18, 15), Pose(23, 15, "ledge")
    free = go(LEDGE, start, goal, 12)
    below = go(LEDGE, start, goal, 12, discs_by_surface={"ground": [(19, 15, 1.0)]})
    above = go(LEDGE, start, goal, 12, discs_by_surface={"ledge": [(21, 15, 1.0)]})
    wrong = go(LEDGE, start, goal, 12, discs_by_surface={"ledge": [(18.5, 10, 1.0)]})
    assert free is not None
    assert below is not None
    assert above is not None
    assert wrong is not None
    assert min(below.cost, above.cost) > free.cost + 0.05
    assert wrong.cost == pytest.approx(free.cost)


def test_wall_on_the_ledge_is_walked_round() -> None:
    board = table(floor("ledge", rectangle(20, 5, 30, 25), 3), wall("chimney", rectangle(22, 12, 24, 18)))
    way = go(board, Pose(19.5, 15), Pose(26, 15, "ledge"), 14)
    assert way is not None
    corner = math.dist((19.5, 15), (22, 18))
    leg = math.sqrt(corner**2 - R**2)
    arc = math.atan2(3, 2.5) + math.asin(R / corner)
    other = math.dist((26, 15), (24, 18))
    far = math.sqrt(other**2 - R**2) + R * (math.atan2(3, 2) + math.asin(R / other))
    assert way.cost == pytest.approx(3 + leg + R * arc + 2 + far, abs=CLOSE)


def test_two_storeys() -> None:
    board = table(floor("first", rectangle(20, 5, 30, 25), 3), floor("second", rectangle(24, 8, 29, 20), 6))
    way = go(board, Pose(19.5, 14), Pose(26, 14, "second"), 14)
    assert way is not None
    assert way.cost == pytest.approx(6.5 + 6, abs=CLOSE)


def test_unknown_surface() -> None:
    with pytest.raises(KeyError):
        shortest_over(LEDGE, R, Pose(5, 5), Pose(6, 6, "attic"), 9, RATES)


@pytest.mark.parametrize("seed", range(12))
def test_no_place_on_the_rim_is_better(seed: int) -> None:
    """Up and over a turned box: against every place of its rim in steps of a fiftieth of an inch."""
    rng = Random(seed)
    turn, x, y = rng.uniform(0, math.pi), rng.uniform(16, 24), rng.uniform(12, 18)
    w, h = rng.uniform(1, 5), rng.uniform(4, 10)
    c, s = math.cos(turn), math.sin(turn)
    corners = ((-w, -h), (w, -h), (w, h), (-w, h))
    outline = Polygon(tuple((x + (px * c - py * s) / 2, y + (px * s + py * c) / 2) for px, py in corners))
    board = table(floor("box", outline, 1.5))
    start, goal = Pose(rng.uniform(4, 10), rng.uniform(8, 22)), Pose(x, y, "box")
    way = go(board, start, goal, 40) if w > 1.1 else None
    rim = [(u, v) for u, v in _rim(outline, R)]
    ground, top = Scene(board=board, radius=R), Scene(board=board, radius=R, surface="box")
    best = math.inf
    for place in rim:
        if math.dist(start.point, place) + math.dist(place, goal.point) + 1.5 < best:
            first, second = shortest(ground, start.point, place, 40), shortest(top, place, goal.point, 40)
            if first is not None and second is not None:
                best = min(best, first.cost + 1.5 + second.cost)
    assert (way.cost if way is not None else math.inf) <= best + 1e-6


def _rim(outline: Polygon, distance: float) -> list[tuple[float, float]]:
    import shapely

    ring = shapely.Polygon(outline.points).buffer(distance + 1e-6, quad_segs=64).exterior
    return [tuple(ring.interpolate(i / 50).coords[0]) for i in range(int(ring.length * 50))]
