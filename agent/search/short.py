"""Short questions answered exactly: which response, fire now or hold, charge or stay, in small battles near their end.

Every line is followed through the exact rules to the end of what is going on, or of the turn (of the round, where a
single order ends it): own later decisions take the best, the opponent's the worst, dice count by their odds. Where
that is too much for the budget there is no answer, and whoever asked falls back on what he does otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp

from tactician.agent.by_eye import EXACT
from tactician.agent.policies.base import Clock
from tactician.agent.propose.candidates import candidates
from tactician.agent.search.expectimax import (
    Found,
    Lines,
    Question,
    at_free_choice,
    at_other_round,
    at_other_turn,
    expectimax,
    never,
)
from tactician.agent.value.terms import Weights, value
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import TERMINAL
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.choice import Walk
from tactician.rules.core.ruleset import Ruleset, may_measure
from tactician.rules.core.state import SIDES, State

__all__ = ["answered", "is_short", "standing_of"]

UNITS = 4
"""Units on the table with which a whole turn, or in the end the rest of the game, is looked at exactly."""

LATER = 3
"""Answers to a choice that are looked at in later decisions."""

SPREAD = 4.0
"""Victory points' worth of lead at which a side is nearly sure of its game."""


def is_short(ruleset: Ruleset, state: State) -> bool:
    """Whether a decision may be a short question: inside what is going on, or with few units left on the table.

    Where nobody may measure, lines that go on after the present order would tell what only a tape can.
    """
    return len(state.agenda) > 1 or _is_small(ruleset, state)


def _is_small(ruleset: Ruleset, state: State) -> bool:
    return may_measure(ruleset, state) and sum(bool(unit.models) for unit in state.units) <= UNITS


def standing_of(ruleset: Ruleset, side: str, weights: Weights) -> Callable[[State], float]:
    """The result once the game is over, a draw half; before that the chance that its value lets one hope for."""
    appraiser = appraiser_of(ruleset)

    def worth(state: State) -> float:
        if ruleset.to_move(state) == TERMINAL:
            return (ruleset.returns(state)[SIDES.index(side)] + 1.0) / 2.0
        lead = value(ruleset, state, side, weights, EXACT) / max(SPREAD * appraiser.stakes(state) / 4.0, 1e-9)
        return 1.0 / (1.0 + exp(-max(min(lead, 30.0), -30.0)))

    return worth


def answered(ruleset: Ruleset, state: State, actions: list[Action], weights: Weights, clock: Clock) -> Found | None:
    """The worth of each of some answers, from 0 to 1; None where the budget does not reach.

    Args:
        ruleset: the game.
        state: the moment; `is_short`.
        actions: legal answers of the side to move, none twice.
        weights: of the terms by which the end of a line is valued.
        clock: how long to search.
    """
    for ends in _horizons(ruleset, state):
        found = _searched(ruleset, state, actions, weights, ends, clock)
        if found is not None:
            return found
        clock.used = 0
    return None


def _horizons(ruleset: Ruleset, state: State) -> list[Callable[[State], bool]]:
    """How far lines are followed, the farthest that may be worth a try first."""
    appraiser = appraiser_of(ruleset)
    found: list[Callable[[State], bool]] = []
    if _is_small(ruleset, state):
        if appraiser.rounds_left(state) <= 1:
            found.append(never)
        found.append(at_other_turn(state) if appraiser.every_turn else at_other_round(state))
    if len(state.agenda) > 1:
        found.append(at_free_choice)
    return found


def _searched(
    ruleset: Ruleset,
    state: State,
    actions: list[Action],
    weights: Weights,
    ends: Callable[[State], bool],
    clock: Clock,
) -> Found | None:
    side, lines = ruleset.to_move(state), _standing_still(ruleset)
    question = Question(
        ruleset=ruleset,
        side=side,
        own=lines,
        replies=lines,
        ends=ends,
        value=standing_of(ruleset, side, weights),
    )
    found = expectimax(question, state, actions, clock, prune=True)
    return found if found.is_finished and found.answers else None


def _standing_still(ruleset: Ruleset) -> Lines:
    """What is looked at in later decisions: what needs no way and decides something soon, where that is offered."""
    appraiser = appraiser_of(ruleset)
    idle = {*appraiser.idle_verbs, *(verb for aim in ("hide", "watch") for verb in appraiser.verbs_for(aim))}

    def lines(state: State) -> tuple[Action, ...]:
        offered = ruleset.choices(state)
        kept = [one for one in offered if one.verb not in idle and not isinstance(one.domain, Walk)] or list(offered)
        return tuple(action for choice in kept for action in candidates(ruleset, state, choice, LATER))

    return lines
