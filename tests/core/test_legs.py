"""Legs as they are walked: heights on ramps, prices up and down, climbs in one go or in parts."""

from __future__ import annotations

from math import pi
from random import Random

import pytest
from tactician.rules.core.action import Action
from tactician.rules.core.arcs import LEFT
from tactician.rules.core.beats import cut
from tactician.rules.core.forms import path_faults
from tactician.rules.core.legs import Bend, Climb, Drop, Leg, Path, Pose, Rates, Straight, cost, travel, walk
from tactician.rules.core.terrain import Board, Feature, Surface

from tests.core.movement_boards import box, straight, table_with

PAID_UP = Rates(up=1.0, down=0.0)
PAID_BOTH = Rates(up=1.0, down=1.0)
RAMP = Feature(
    id="ramp",
    outline=box(10, 8, 14, 12),
    surface=Surface(id="ramp", polygon=box(10, 8, 14, 12), low=0, high=3, foot=(10, 10), head=(14, 10)),
)
SHORT_RAMP = Feature(
    id="short",
    outline=box(10, 20, 20, 24),
    surface=Surface(id="short", polygon=box(10, 20, 20, 24), low=1, high=4, foot=(12, 22), head=(16, 22)),
)
FLOOR = Feature(
    id="floor", outline=box(14, 8, 20, 12), surface=Surface(id="floor", polygon=box(14, 8, 20, 12), low=3, high=3)
)
BOARD = Board(width=48, height=48, features=(RAMP, SHORT_RAMP, FLOOR))


def test_a_ramp_costs_its_slope_upward_and_only_its_plan_downward() -> None:
    up = walk(Pose(10, 10, "ramp"), straight((14, 10)), BOARD)
    down = walk(Pose(14, 10, "ramp"), straight((10, 10)), BOARD)
    assert (cost(up, PAID_UP), cost(down, PAID_UP), cost(down, PAID_BOTH)) == (5.0, 4.0, 5.0)


def test_a_leg_over_a_whole_ramp_is_cut_at_foot_and_head() -> None:
    stretches = walk(Pose(10.5, 21, "short"), straight((19.5, 23)), BOARD)
    assert [(s.low, s.high) for s in stretches] == [(1, 1), (pytest.approx(1), pytest.approx(4)), (4, 4)]
    assert [s.end[0] for s in stretches] == pytest.approx([12, 16, 19.5])
    assert {s.leg for s in stretches} == {0}
    plan = sum(s.across for s in stretches)
    assert plan == pytest.approx((81 + 4) ** 0.5)
    slope = stretches[1].across
    assert cost(stretches, PAID_UP) == pytest.approx(plan - slope + (slope**2 + 9) ** 0.5)


def test_the_height_along_a_leg_on_a_ramp_is_the_height_of_the_ramp() -> None:
    rng = Random(1)
    surface = BOARD.surface("short")
    for _ in range(100):
        pose = Pose(rng.uniform(10, 20), rng.uniform(20, 24), "short")
        to = rng.uniform(10, 20), rng.uniform(20, 24)
        for stretch in walk(pose, straight(to), BOARD):
            for u in (0.0, 0.3, 1.0):
                assert stretch.height_at(u) == pytest.approx(surface.height_at(*stretch.at(u)), abs=1e-9)


def test_across_a_ramp_nothing_rises() -> None:
    (stretch,) = walk(Pose(12, 9, "ramp"), straight((12, 11)), BOARD)
    assert (stretch.low, stretch.high, stretch.cost(PAID_UP)) == (1.5, 1.5, 2.0)


@pytest.mark.parametrize(
    ("start", "path", "up_paid", "both_paid"),
    [
        (Pose(21, 10), (Climb("floor"),), 3.0, 3.0),
        (Pose(19, 10, "floor"), (Drop("ground"),), 0.0, 3.0),
        (Pose(13.9, 10, "ramp"), (Climb("floor"),), 0.075, 0.075),
        (Pose(20.5, 10), (Straight((20.4, 10)), Climb("floor"), Straight((19, 10))), 4.5, 4.5),
        (Pose(21, 10), (Climb("floor", 0.25), Climb("floor", 0.5), Climb("floor")), 3.0, 3.0),
        (Pose(21, 10), (Climb("floor", 0.5), Straight((21, 10)), Climb("floor")), 3.0, 3.0),
        (Pose(19, 10, "floor"), (Drop("ground", 0.5), Drop("ground")), 0.0, 3.0),
    ],
)
def test_climbs_and_drops(start: Pose, path: Path, up_paid: float, both_paid: float) -> None:
    stretches = walk(start, path, BOARD)
    assert cost(stretches, PAID_UP) == pytest.approx(up_paid)
    assert cost(stretches, PAID_BOTH) == pytest.approx(both_paid)


def test_a_climb_in_parts_is_at_each_height_in_turn_and_a_wait_keeps_it() -> None:
    path = (Climb("floor", 0.5), Straight((21, 10)), Climb("floor"), Straight((21, 10)))
    heights = [(s.low, s.high) for s in walk(Pose(21, 10), path, BOARD)]
    assert heights == [(0, 1.5), (1.5, 1.5), (1.5, 3), (3, 3)]


def test_a_second_climb_begins_where_the_first_one_arrived() -> None:
    path = (Climb("floor"), Drop("ramp"), Climb("floor"))
    assert [(s.left, s.surface) for s in walk(Pose(13.9, 9, "ramp"), path, BOARD)] == [
        ("ramp", "floor"),
        ("floor", "ramp"),
        ("ramp", "floor"),
    ]


def test_an_arc_is_as_long_as_its_circle_says() -> None:
    (stretch,) = walk(Pose(5, 5), (Bend((5, 7), (5, 9), "left"),), BOARD)
    assert stretch.across == pytest.approx(2 * pi)
    assert stretch.at(0.5) == pytest.approx((7, 7))
    middle = cut(stretch, 0.25, 0.75)
    assert middle.across == pytest.approx(pi)
    assert middle.at(0.5) == pytest.approx((7, 7))
    assert cut(stretch, 0.0, 1.0) is stretch


def test_an_unknown_surface_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="attic"):
        walk(Pose(5, 5), (Climb("attic"),), BOARD)


# ---- the form of a path ----------------------------------------------------------------------------------------------


def texts(path: tuple[Leg, ...], motion: str = "sequence", **more: tuple[str, ...]) -> list[str]:
    state = table_with({"A": ("red", {"a": Pose(10, 10), "b": Pose(12, 10)})}, (FLOOR,))
    action = Action(verb="move", unit="A", paths=(("a", path),), **more)
    return [fault.text for fault in path_faults(state, state.unit("A"), action, motion)]


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ((Straight((float("nan"), 3)),), "expected two numbers"),
        ((Straight((1e9, 3)),), "expected two numbers"),
        ((Bend((float("inf"), 0), (1, 1), "left"),), "off every table"),
        ((Bend((10, 12), (10, 14), "up"),), "expected left or right"),
        ((Bend((10, 12), (10, 15), "left"),), 'begins 2.00" from its centre and ends 3.00"'),
        ((Climb("flor"),), "did you mean 'floor'"),
        ((Climb("floor", 0.0), Climb("floor")), "expected more than 0, at most 1"),
        ((Climb("floor", 1.5),), "expected more than 0, at most 1"),
        (straight(*((10, 10 + i / 1000) for i in range(1001))), "at most 1000"),
    ],
)
def test_a_path_that_cannot_be_read_is_refused_with_the_reason(path: Path, part: str) -> None:
    assert [text for text in texts(path) if part in text], texts(path)


@pytest.mark.parametrize(
    "path",
    [
        (Climb("floor", 0.5),),
        (Climb("floor", 0.5), Straight((15, 10))),
        (Climb("floor", 0.5), Climb("floor", 0.5)),
        (Climb("floor", 0.5), Climb("floor", 0.4), Climb("floor")),
        (Climb("floor", 0.5), Drop("ground")),
        (Climb("floor"), Drop("ground", 0.5), Straight((10, 10))),
    ],
)
def test_nobody_steps_off_half_way_up_a_wall(path: Path) -> None:
    assert any("it must arrive" in text for text in texts(path))


def test_a_climb_in_parts_that_arrives_is_in_order() -> None:
    assert texts((Climb("floor", 0.5), Straight((10, 10)), Climb("floor"), Straight((15, 10)))) == []


def test_models_in_step_walk_no_arcs() -> None:
    path = (Bend((10, 12), (10, 14), "left"),)
    assert texts(path) == []
    (text,) = texts(path, "in_step")
    assert text.startswith("models that move in step walk straight legs")


def test_the_order_names_every_model_with_a_path_once() -> None:
    path = straight((10, 11))
    assert texts(path, order=("a",)) == []
    for order in (("a", "a"), ("b",), ("a", "b")):
        assert texts(path, order=order) == ["the order names every model with a path once"]


def test_unknown_and_doubled_models_are_named() -> None:
    state = table_with({"A": ("red", {"alpha": Pose(10, 10)})})
    action = Action(verb="move", unit="A", paths=(("alhpa", ()), ("alpha", ()), ("alpha", ())))
    found = [fault.text for fault in path_faults(state, state.unit("A"), action, "sequence")]
    assert found == ["'alhpa' is no model of A on the table; did you mean 'alpha'?", "a model has two paths"]


def test_travelling_is_walking_and_paying() -> None:
    board = Board(width=48, height=48)
    rates = Rates(up=1.0, down=0.0)
    start = Pose(3.0, 4.0, bearing=30.0)
    for path in ((), (Straight((10.1, 7.3)), Straight((2.7, 9.9))), (Bend((3.0, 6.0), (5.0, 6.0), LEFT),)):
        stretches = walk(start, path, board)
        end = stretches[-1].end if stretches else start.point
        assert travel(start, path, board, rates) == (cost(stretches, rates), Pose(*end, bearing=30.0))
