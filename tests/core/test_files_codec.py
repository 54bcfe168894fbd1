"""Actions, poses, outcomes, frames and dataclasses as data: exact there and back, every fault named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import pytest
from tactician.rules.core.action import Action, Mark
from tactician.rules.core.agenda import Frame
from tactician.rules.core.codec import (
    MOST_READ,
    action_from_data,
    action_to_data,
    encode,
    frame_from_data,
    frame_to_data,
    outcome_from_data,
    outcome_to_data,
)
from tactician.rules.core.decoding import BAD, Bound, decode
from tactician.rules.core.files import BadInput, Faults
from tactician.rules.core.legs import Bend, Climb, Drop, Path, Pose, Straight


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """Something inside a frame."""

    at: str
    dice: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Walking(Frame):
    """A frame with everything that frames hold."""

    kind: ClassVar[str] = "walking"
    unit: str
    plan: tuple[tuple[str, Path], ...] = ()
    shots: tuple[Shot, ...] = ()
    start: Pose | None = None
    spent: tuple[tuple[str, float, float], ...] = ()
    fast: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A form with limits."""

    width: Annotated[float, Bound(above=0, most=100)]
    count: Annotated[int, Bound(least=1)] = 1
    side: Literal["red", "blue"] = "red"
    shots: tuple[Shot | str, ...] = ()


KINDS: dict[str, type[Frame]] = {"walking": Walking}


def faults_of(data: object) -> str:
    with pytest.raises(BadInput) as caught:
        action_from_data(data, "do")
    return str(caught.value)


def decoded(hint: Any, data: object) -> tuple[Any, list[str]]:
    faults = Faults()
    value = decode(hint, data, "", faults)
    return value, [str(fault) for fault in faults.found]


def test_an_action_is_written_like_this() -> None:
    action = Action(
        unit="R",
        verb="run",
        order=("R2", "R1"),
        paths=(
            ("R1", (Straight((14.0, 10.5)), Bend((20.0, 8.0), (20.63, 8.0), "left"), Climb("ledge", 0.5))),
            ("R2", (Drop("ground"),)),
        ),
        targets=(("charge", "B2"), ("shoot", "B1")),
        models=("R1",),
        places=(("R1", Pose(1.0, 2.0)), ("R2", Pose(3.0, 4.0, "ledge", 90.0))),
        mark=Mark(model="R1", inches=5.5),
    )
    data = {
        "unit": "R",
        "verb": "run",
        "order": ["R2", "R1"],
        "paths": {
            "R1": [
                {"to": [14.0, 10.5]},
                {"arc": [20.0, 8.0], "to": [20.63, 8.0], "turn": "left"},
                {"climb": "ledge", "part": 0.5},
            ],
            "R2": [{"drop": "ground"}],
        },
        "targets": {"charge": "B2", "shoot": "B1"},
        "models": ["R1"],
        "places": {"R1": {"at": [1.0, 2.0]}, "R2": {"at": [3.0, 4.0], "surface": "ledge", "bearing": 90.0}},
        "mark": {"model": "R1", "inches": 5.5},
    }
    assert action_to_data(action) == data
    assert action_from_data(data) == action


def test_what_a_person_writes_may_be_shorter() -> None:
    data = {"unit": "R", "verb": "deploy", "targets": {"shoot": "B", "charge": "C"}, "places": {"R1": [1, 2]}}
    action = action_from_data({**data, "mark": None})
    assert action.places == (("R1", Pose(1.0, 2.0)),)
    assert action.targets == (("charge", "C"), ("shoot", "B"))
    assert isinstance(action.places[0][1].x, float)
    assert action_to_data(Action(verb="pass")) == {"verb": "pass"}


def test_a_model_with_two_paths_cannot_be_written() -> None:
    twice = Action(verb="move", unit="R", paths=(("R1", ()), ("R1", ())))
    with pytest.raises(ValueError, match="paths of R move name something twice"):
        action_to_data(twice)


def test_every_fault_of_an_action_is_named_at_once() -> None:
    legs = [{"to": [1]}, {"to": [1, "x"]}, {"arc": [1, 2], "to": [1, 2]}, {"climb": "a", "part": 7}, {"up": 3}, "on"]
    data = {"unit": 3, "paths": {"R1": legs}, "places": {"R2": [1, 2, 3]}, "mark": {"model": "R1"}, "modles": []}
    assert faults_of(data).split("\n") == [
        "do.modles: there is no field 'modles'; did you mean 'models'?",
        "do.verb: missing, expected a text",
        "do.unit: found 3, expected a text",
        "do.paths.R1[0].to: found [1], expected two numbers [x, y]",
        "do.paths.R1[1].to: found [1, 'x'], expected two numbers [x, y]",
        "do.paths.R1[2]: found an object with arc, to, expected a leg: {to}, {arc, to, turn}, {climb} or {drop}",
        "do.paths.R1[3].part: found 7, expected a number, more than 0 and at most 1",
        "do.paths.R1[4].up: there is no field 'up'; known: to, arc, turn, climb, drop, part",
        "do.paths.R1[5]: found 'on', expected a leg: {to}, {arc, to, turn}, {climb} or {drop}",
        "do.places.R2: found [1, 2, 3], expected two numbers [x, y]",
        "do.mark.inches: missing, expected a number",
    ]


@pytest.mark.parametrize("data", [None, 3, "move", ["move"], True])
def test_what_is_no_object_is_no_action(data: object) -> None:
    assert "expected an object with verb, unit, order" in faults_of(data)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 10**400])
def test_numbers_that_are_not_finite_are_named(number: float) -> None:
    data = {"verb": "move", "unit": "R", "paths": {"R1": [{"to": [number, 1.0]}]}}
    assert faults_of(data) == "do.paths.R1[0].to: a number that is not finite, expected an ordinary number"


def test_paths_that_nobody_draws_are_refused_unread() -> None:
    many = {"verb": "move", "unit": "R", "paths": {"R1": [{"to": [1.0, 1.0]}] * (MOST_READ + 1)}}
    assert faults_of(many) == "do.paths.R1: a path of 100,001 legs, expected at most 100,000"
    long = {"verb": "move", "unit": "R", "paths": {"R1": [{"to": [1.0, 1.0]}] * 1001}}
    assert len(action_from_data(long).paths[0][1]) == 1001


def test_outcomes_are_numbers_or_lists_of_numbers() -> None:
    assert outcome_from_data(outcome_to_data((1, 2))) == (1, 2)
    assert outcome_from_data(outcome_to_data(7)) == 7
    assert outcome_from_data([]) == ()
    for wrong in (True, "7", 1.5, [1, None], {"a": 1}):
        with pytest.raises(BadInput, match=r"dice: found .* expected a whole number or a list of whole numbers"):
            outcome_from_data(wrong, "dice")


def test_a_frame_reads_back_equal_whatever_it_holds() -> None:
    frame = Walking(
        owner="red",
        unit="R",
        plan=(("R1", (Straight((1.5, 2.0)), Climb("ledge"))), ("R2", ())),
        shots=(Shot(at="B", dice=3), Shot(at="C")),
        start=Pose(1.0, 2.0, "ledge"),
        spent=(("R1", 0.1, 0.30000000000000004),),
        fast=True,
    )
    data = frame_to_data(frame)
    assert data["kind"] == "walking"
    assert data["plan"][0] == ["R1", [{"to": [1.5, 2.0]}, {"climb": "ledge"}]]
    faults = Faults()
    assert frame_from_data(data, KINDS, "agenda[0]", faults) == frame
    assert not faults
    assert encode((Walking(unit="R"),)) == [{"kind": "walking", "unit": "R"}]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"kind": "waking"}, "agenda[0].kind: there is no kind of frame 'waking'; did you mean 'walking'?"),
        ({"unit": "R"}, "agenda[0].kind: missing, expected a kind of frame"),
        ({"kind": ["walking"]}, "agenda[0].kind: found ['walking'], expected a kind of frame"),
        ("walking", "agenda[0]: found 'walking', expected an object with a kind"),
        ({"kind": "walking"}, "agenda[0].unit: missing, expected a text"),
        ({"kind": "walking", "unit": "R", "fast": 1}, "agenda[0].fast: found 1, expected true or false"),
        ({"kind": "walking", "unit": "R", "plan": [["R1"]]}, "agenda[0].plan[0]: found ['R1'], expected a list of 2"),
        ({"kind": "walking", "unit": "", "spet": 1}, "agenda[0].spet: there is no field 'spet'; did you mean 'spent'?"),
    ],
)
def test_a_frame_that_cannot_be_read_is_named(data: object, words: str) -> None:
    faults = Faults()
    frame_from_data(data, KINDS, "agenda[0]", faults)
    assert [str(fault) for fault in faults.found] == [words]


def test_limits_words_and_unions_are_kept() -> None:
    good = {"width": 3, "count": 2.0, "side": "blue", "shots": ["a", {"at": "b"}]}
    assert decoded(Form, good) == (Form(width=3.0, count=2, side="blue", shots=("a", Shot(at="b"))), [])
    bad = {"width": 0, "count": True, "side": "green", "shots": [3, {"att": "b"}]}
    assert decoded(Form, bad) == (
        BAD,
        [
            "width: found 0, expected a number, more than 0 and at most 100",
            "count: found true, expected a whole number",
            "side: found 'green', expected one of 'red', 'blue'",
            "shots[0]: found 3, expected an object or a text",
            "shots[1].att: there is no field 'att'; did you mean 'at'?",
            "shots[1].at: missing, expected a text",
        ],
    )


def test_a_null_stands_for_what_is_left_out() -> None:
    assert decoded(Form, {"width": 1, "count": None}) == (Form(width=1.0), [])
    assert decoded(Form, {"width": None})[1] == ["width: missing, expected a number, more than 0 and at most 100"]


def test_a_hint_without_a_written_form_is_a_defect() -> None:
    with pytest.raises(TypeError, match="has no written form"):
        decode(set[str], ["a"], "", Faults())
