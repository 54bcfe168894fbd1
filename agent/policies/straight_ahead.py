"""Always straight at the nearest enemy, shooting whenever that is possible: the opponent to beat."""

from __future__ import annotations

import random
from dataclasses import replace

from tactician.agent.by_eye import Measure, measure_of
from tactician.agent.outlook import PASS
from tactician.agent.policies.base import Budget, Decision, register
from tactician.agent.propose.aims import nearest_pair
from tactician.agent.propose.spots import Spot, walking
from tactician.rules.core.action import Action, Pairs
from tactician.rules.core.appraisal import Appraiser, appraiser_of
from tactician.rules.core.choice import Assign, Choice, Declare, Nothing, OneOf, Walk, Window
from tactician.rules.core.measure import Inches
from tactician.rules.core.movement import MoveType
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.shapes import length
from tactician.rules.core.state import State
from tactician.rules.core.targets import aimed_unit, main_target

__all__ = ["StraightAhead"]

Rank = tuple[float, ...]


@register("straight-ahead")
class StraightAhead:
    """Attacks first, then closes in; never steps back, never hides.

    Where a step of a turn can be ended, it gives no orders that lead a unit nowhere, such as to wait or to hide; inside
    something that is going on it does what it may.
    """

    name = "straight-ahead"

    def decide(self, ruleset: Ruleset, state: State, budget: Budget, rng: random.Random) -> Decision:
        """The answer that names the most targets, and among those the one that comes nearest to the enemy."""
        appraiser, measure, choices = appraiser_of(ruleset), measure_of(ruleset, state), ruleset.choices(state)
        rested = len(state.agenda) == 1 and any(choice.verb == PASS for choice in choices)
        ranked = [
            (rank, -number, action)
            for number, choice in enumerate(choices)
            if not (rested and choice.verb != PASS and isinstance(choice.domain, Nothing))
            for rank, action in _answers(appraiser, state, choice, measure)
        ]
        best = max(ranked, key=lambda row: row[:2])
        action = best[2]
        choice = next(c for c in choices if c.verb == action.verb and c.unit == action.unit)
        return Decision(action=_walked(state, choice, action, measure))


def _answers(appraiser: Appraiser, state: State, choice: Choice, measure: Measure) -> list[tuple[Rank, Action]]:
    bare = choice.bare()
    match choice.domain:
        case Walk() as domain:
            return [((2.0, _pace(appraiser, state, choice.unit, domain.kind, measure), 0.0), bare)]
        case Declare() as domain:
            return [
                (_rank(appraiser, state, choice, option, kind, measure), replace(bare, targets=option))
                for option, kind in zip(domain.options, domain.kinds, strict=True)
            ]
        case OneOf() as domain:
            return [
                (_rank(appraiser, state, choice, option, None, measure), replace(bare, targets=option))
                for option in domain.options
            ]
        case Assign() as domain:
            return [
                (_rank(appraiser, state, choice, _gist(state, choice, option), None, measure), action)
                for option in domain.usual
                for action in (replace(bare, targets=option),)
            ]
        case Window():
            return [((3.0, 0.0, 0.0), choice.canonical(state))]
        case _:
            return [((-1.0, 0.0, 0.0), choice.canonical(state))]


def _pace(appraiser: Appraiser, state: State, name: str, kind: MoveType, measure: Measure) -> Inches:
    """Rather far than short where nobody will be in range afterwards anyway, else rather short than far."""
    unit = state.unit(name)
    pair = nearest_pair(unit, state.against(unit.side), measure)
    far = pair is not None and pair[0] > appraiser.range(state, unit) + kind.allowance
    return kind.allowance if far else -kind.allowance


def _gist(state: State, choice: Choice, option: Pairs) -> Pairs:
    """An assignment as one target: the unit that most models aim at, in the role of the verb."""
    target = main_target(state, option)
    return () if target is None else ((choice.verb, target),)


def _rank(
    appraiser: Appraiser, state: State, choice: Choice, option: Pairs, kind: MoveType | None, measure: Measure
) -> Rank:
    """Targets that can be told at, inches of approach, nearness."""
    if not choice.unit:
        return 0.0, 0.0, 0.0
    unit = state.unit(choice.unit)
    far = 0.0 if kind is None else kind.allowance
    pair = nearest_pair(unit, state.against(unit.side), measure)
    gap = pair[0] if pair is not None else 0.0
    attacks = 0.0
    for role, target in option:
        foe = aimed_unit(state, target)
        if foe is not None and foe.side != unit.side:
            away = nearest_pair(unit, (foe,), measure)
            near = away is not None and away[0] <= far + appraiser.range(state, unit)
            attacks += 1.0 if role == "charge" or (near and appraiser.promise(state, unit, foe) > 0.0) else 0.0
            attacks -= 0.01 * (away[0] if away is not None else 0.0) / 100
    return attacks, min(far, max(gap, 0.0)), -gap


def _walked(state: State, choice: Choice, action: Action, measure: Measure) -> Action:
    """The answer with the straight way to the nearest enemy (or the one charged), as far as it is legal."""
    kind = _kind(choice, action)
    if kind is None:
        return action
    unit = state.unit(action.unit)
    charged = action.target("charge")
    foes = (state.unit(charged),) if charged is not None else state.against(unit.side)
    pair = nearest_pair(unit, foes, measure)
    if pair is None:
        return action
    gap, mine, theirs, _ = pair
    inches = min(max(gap, 0.0), kind.allowance)
    return choice.clip(state, walking(action, unit, _toward(mine, theirs, inches), kind))


def _toward(start: tuple[float, float], end: tuple[float, float], inches: Inches) -> Spot:
    away = length(end[0] - start[0], end[1] - start[1])
    if away <= 0.0 or inches <= 0.0:
        return Spot("stay", ())
    return Spot("straight ahead", (((end[0] - start[0]) * inches / away, (end[1] - start[1]) * inches / away),))


def _kind(choice: Choice, action: Action) -> MoveType | None:
    if isinstance(choice.domain, Walk):
        return choice.domain.kind
    return choice.domain.kind_for(action) if isinstance(choice.domain, Declare) else None
