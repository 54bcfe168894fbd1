"""The agenda: frames on a stack, handlers that settle, and the reasons for which an order is not taken now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import FrozenInstanceError, dataclass, replace
from typing import Any, ClassVar

import pytest
from tactician.rules.core.action import Action, pairs
from tactician.rules.core.agenda import (
    CHANCE,
    TERMINAL,
    AgendaRules,
    Frame,
    Handler,
    push,
    settle,
    swap,
    top,
    without_top,
)
from tactician.rules.core.chance import DiceError, Outcome, Roll, Total
from tactician.rules.core.choice import Choice, Nothing, OneOf
from tactician.rules.core.clauses import MALFORMED, Violation
from tactician.rules.core.legs import Pose
from tactician.rules.core.state import State

from tests.core.movement_boards import table_with


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask(Frame):
    """Somebody decides: a signal, a shot or nothing."""

    kind: ClassVar[str] = "ask"


@dataclass(frozen=True, slots=True, kw_only=True)
class Toss(Frame):
    """A die falls."""

    kind: ClassVar[str] = "toss"


@dataclass(frozen=True, slots=True, kw_only=True)
class Count(Frame):
    """Goes on by itself so many times; for ever where negative."""

    kind: ClassVar[str] = "count"
    left: int = 0


class AskHandler(Handler[State, Ask]):
    def choices(self, state: State, frame: Ask) -> tuple[Choice, ...]:
        return (
            Choice("pass", "", Nothing()),
            Choice("shoot", "A", OneOf((pairs(shoot="E"),))),
            Choice("signal", "A", Nothing()),
            Choice("signal", "B", Nothing()),
        )

    def refuse(self, state: State, frame: Ask, action: Action) -> tuple[Violation, ...]:
        return (Violation(clause="NO-DIG", subject=action.unit),) if action.verb == "dig" else ()

    def take(self, state: State, frame: Ask, action: Action) -> State:
        state = without_top(replace(state, log=(*state.log, f"{action.verb} taken")))
        return push(state, Toss()) if action.verb == "shoot" else state


class TossHandler(Handler[State, Toss]):
    def mover(self, state: State, frame: Toss) -> str:
        return CHANCE

    def roll(self, state: State, frame: Toss) -> Roll:
        return Total(why="to hit", dice=1)

    def land(self, state: State, frame: Toss, outcome: Outcome) -> State:
        return replace(without_top(state), round=int(str(outcome)))


class CountHandler(Handler[State, Count]):
    def step(self, state: State, frame: Count) -> State | None:
        return swap(state, replace(frame, left=frame.left - 1)) if frame.left else without_top(state)


class Rules(AgendaRules):
    handlers: Mapping[str, Handler[Any, Any]] = {"ask": AskHandler(), "toss": TossHandler(), "count": CountHandler()}


RULES = Rules()


def state(*frames: Frame) -> State:
    units = {
        "A": ("red", {"a": Pose(10, 10)}),
        "B": ("red", {"b": Pose(10, 14)}),
        "C": ("red", {"c": Pose(10, 18)}),
        "E": ("blue", {"e": Pose(30, 10)}),
    }
    return replace(table_with(units), agenda=frames)


def reasons(here: State, **order: Any) -> list[str]:
    found = RULES.check(here, Action(**order))
    assert {fault.clause for fault in found} <= {MALFORMED}
    return [fault.text for fault in found]


# ---- the stack -------------------------------------------------------------------------------------------------------


def test_frames_are_pushed_swapped_and_taken_off_without_touching_the_state_before() -> None:
    one = state(Ask(owner="red"))
    two = push(one, Toss(), Count(left=3))
    assert [frame.kind for frame in two.agenda] == ["ask", "toss", "count"]
    assert top(two) == Count(left=3)
    assert top(swap(two, Count(left=2))) == Count(left=2)
    assert without_top(without_top(two)) == one
    assert one.agenda == (Ask(owner="red"),)
    with pytest.raises(IndexError):
        top(state())
    with pytest.raises(FrozenInstanceError):
        one.agenda[0].owner = "blue"  # type: ignore[misc]


def test_handlers_run_until_somebody_decides_dice_fall_or_nothing_is_left() -> None:
    asked = settle(state(Ask(owner="red"), Count(left=5)), RULES.handlers)
    assert (asked.agenda, RULES.to_move(asked)) == ((Ask(owner="red"),), "red")
    thrown = settle(state(Toss(), Count(left=5)), RULES.handlers)
    assert (RULES.to_move(thrown), RULES.choices(thrown)) == (CHANCE, ())
    over = settle(state(Count(left=5)), RULES.handlers)
    assert (over.agenda, RULES.to_move(over), RULES.choices(over)) == ((), TERMINAL, ())


def test_a_handler_that_goes_on_for_ever_is_named() -> None:
    with pytest.raises(RuntimeError, match="does not settle at frame 'count'"):
        settle(state(Count(left=-1)), RULES.handlers)


def test_a_frame_that_asks_nobody_or_rolls_nothing_says_so() -> None:
    handler, frame = CountHandler(), Count()
    for ask in (
        lambda: handler.choices(state(), frame),
        lambda: handler.take(state(), frame, Action(verb="pass")),
        lambda: handler.roll(state(), frame),
        lambda: handler.land(state(), frame, 3),
    ):
        with pytest.raises(NotImplementedError, match="'count'"):
            ask()


# ---- from one moment to the next -----------------------------------------------------------------------------------


def test_an_action_is_applied_and_what_follows_is_settled() -> None:
    here = replace(state(Ask(owner="red")), log=("long ago",))
    after = RULES.apply(here, Action(verb="signal", unit="A"))
    assert (after.agenda, after.log) == ((), ("signal taken",))
    assert here.agenda == (Ask(owner="red"),)


def test_dice_are_told_in_the_log_and_only_fitting_ones_are_taken() -> None:
    here = RULES.apply(state(Ask(owner="red")), Action(verb="shoot", unit="A", targets=pairs(shoot="E")))
    assert RULES.pending(here).why == "to hit"
    after = RULES.resolve(here, 4)
    assert (after.round, len(after.log)) == (4, 1)
    assert after.log[0].startswith("to hit: ")
    for outcome in (0, 7, (4,)):
        with pytest.raises(DiceError):
            RULES.resolve(here, outcome)


# ---- why not now -----------------------------------------------------------------------------------------------------

ASKED = state(Ask(owner="red"))


def test_what_is_offered_is_legal() -> None:
    for choice in RULES.choices(ASKED):
        assert RULES.check(ASKED, choice.canonical(ASKED)) == ()


@pytest.mark.parametrize(
    ("verb", "unit", "reason"),
    [
        ("signal", "C", "C cannot signal now; possible for: A, B"),
        ("signal", "", "nobody cannot signal now; possible for: A, B"),
        ("shoot", "B", "B cannot shoot now; possible for: A"),
        ("pass", "A", "'pass' names no unit"),
        ("signl", "A", "red cannot 'signl' now; did you mean 'signal'?; possible: pass, shoot, signal"),
        ("signal", "E", "red is to decide, and E belongs to blue"),
        ("signal", "AA", "there is no unit 'AA'; did you mean 'A'?"),
    ],
)
def test_an_order_that_is_not_offered_gets_its_reason(verb: str, unit: str, reason: str) -> None:
    assert reasons(ASKED, verb=verb, unit=unit) == [reason]


def test_the_rules_own_reason_goes_before_the_general_one() -> None:
    assert RULES.check(ASKED, Action(verb="dig", unit="A")) == (Violation(clause="NO-DIG", subject="A"),)


def test_an_answer_outside_its_domain_is_explained_by_the_domain() -> None:
    assert reasons(ASKED, verb="shoot", unit="A", targets=pairs(shoot="B")) == [
        "shoot shoot B: expected one of shoot E"
    ]
    assert reasons(ASKED, verb="signal", unit="A", models=("a",)) == ["signal takes no models here"]


def test_nothing_is_ordered_while_dice_must_fall_or_after_the_end() -> None:
    assert reasons(state(Toss()), verb="pass") == ["dice must fall first: to hit"]
    assert reasons(state(), verb="pass") == ["the game is over"]
