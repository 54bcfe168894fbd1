"""The referee lets only legal things happen, and says whether an order was illegal or made no sense."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE
from tactician.rules.core.chance import DiceError
from tactician.rules.core.referee import (
    ActionError,
    IllegalAction,
    LegalView,
    MalformedAction,
    Referee,
    nearest_legal,
)
from tactician.rules.core.ruleset import load_ruleset
from tactician.rules.core.state import State

from tests.core.duel import START
from tests.core.movement_boards import straight

RULES = load_ruleset("_template")
FIRST: State = RULES.from_data(START)
"""A duel: red's disc R1a at (9, 2) may walk 6 inches and shoot 10; a block about (9, 9); blue's disc at (9, 16)."""


def move(x: float, y: float, **more: Any) -> Action:
    return Action(verb="move", unit="R1", paths=(("R1a", straight((x, y))),), **more)


def test_a_legal_order_is_played_and_the_moment_before_stays_as_it_was() -> None:
    referee = Referee(RULES, FIRST)
    assert (referee.to_move, referee.is_over, referee.pending) == ("red", False, None)
    assert (referee.check(move(9, 6)), referee.explain(move(9, 6))) == ((), "legal")
    after = referee.play(move(9, 6))
    assert referee.state is after
    assert FIRST.unit("R1").model("R1a").pose.point == (9, 2)


def test_an_order_that_breaks_clauses_is_illegal_and_nothing_happens() -> None:
    referee = Referee(RULES, FIRST)
    with pytest.raises(IllegalAction) as caught:
        referee.play(move(9, 9.5))
    assert referee.state is FIRST
    assert caught.value.action == move(9, 9.5)
    assert {fault.clause for fault in caught.value.violations} == {"DU-MO-01", "DU-MO-02"}
    assert str(caught.value).count(" breaks ") == len(caught.value.violations)
    assert referee.explain(move(9, 9.5)).count("\n") == len(caught.value.violations) - 1


@pytest.mark.parametrize(
    "action",
    [
        Action(verb="dance", unit="R1"),
        Action(verb="move", unit="R9"),
        Action(verb="move", unit="B1"),
        Action(verb="move", unit="R1", paths=(("B1a", straight((9, 6))),)),
        Action(verb="move", unit="R1", paths=(("R1a", straight((float("nan"), 6))),)),
        Action(verb="move", unit="R1", models=("R1a",)),
    ],
)
def test_an_order_that_makes_no_sense_here_is_malformed(action: Action) -> None:
    referee = Referee(RULES, FIRST)
    with pytest.raises(MalformedAction) as caught:
        referee.play(action)
    assert isinstance(caught.value, ActionError)
    assert isinstance(caught.value, ValueError)
    assert not isinstance(caught.value, IllegalAction)
    assert referee.state is FIRST


def test_the_legal_view_counts_choices_and_knows_its_members() -> None:
    legal = Referee(RULES, FIRST).legal
    assert isinstance(legal, LegalView)
    assert [choice.verb for choice in legal] == ["move"]
    assert len(legal) == 1
    assert move(9, 6) in legal
    assert move(9, 9.5) not in legal
    assert "move" not in legal


def test_dice_are_asked_for_and_wrong_outcomes_refused() -> None:
    referee = Referee(RULES, FIRST)
    while referee.to_move != CHANCE:
        choices = {choice.verb: choice for choice in referee.legal}
        verb = next(verb for verb in ("shoot", "go_on", "pass", "move") if verb in choices)
        referee.play(choices[verb].canonical(referee.state) if verb != "move" else _forward(referee))
    roll = referee.pending
    assert roll is not None
    assert roll.why
    before = referee.state
    with pytest.raises(DiceError):
        referee.roll(99)
    assert referee.state is before
    with pytest.raises(MalformedAction, match="dice must fall first"):
        referee.play(move(9, 6))
    after = referee.roll(roll.support()[0][0])
    assert referee.state is after
    assert after is not before


def _forward(referee: Referee) -> Action:
    """Three inches up or down the table, beside the block."""
    side = referee.to_move
    unit = referee.state.of(side)[0]
    pose = unit.models[0].pose
    step = 3 if side == "red" else -3
    return Action(verb="move", unit=unit.id, paths=((unit.models[0].id, straight((4, pose.y + step))),))


def test_the_nearest_legal_order_is_offered_where_there_is_one_that_differs() -> None:
    near = nearest_legal(RULES, FIRST, move(9, 9.5))
    assert near is not None
    assert RULES.check(FIRST, near) == ()
    (_, path) = near.paths[0]
    assert path == straight(pytest.approx((9, 7), abs=1e-3))
    assert nearest_legal(RULES, FIRST, move(9, 6)) is None
    assert nearest_legal(RULES, FIRST, Action(verb="dance", unit="R1")) is None
    assert nearest_legal(RULES, FIRST, Action(verb="move", unit="B1")) is None


def test_a_moment_of_a_game_survives_pickling() -> None:
    after = RULES.apply(FIRST, move(9, 6))
    for state in (FIRST, after):
        back = pickle.loads(pickle.dumps(state))
        assert (back, hash(back)) == (state, hash(state))
        assert RULES.choices(back) == RULES.choices(state)
