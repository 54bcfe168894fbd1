"""Advice: the best few plans in a moment, each with exact orders, reasons that add up, odds and the enemy's answer.

A plan's value is what it gains over the moment as it stands, in points on the table; its reasons are the
differences of the same value term by term, so that they sum to it: `tactician.agent.recheck` works all of them out
again from the rules alone. Who proposes the plans is a parameter: any policy does. Plans are drawn back a little where
that costs next to nothing, so that a hand may be off (`tactician.agent.tape.ease`), and no plan is shown that another
one on the list is at least as good as in everything.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf
from typing import cast

from tactician.agent.advice import AGAINST, Contact, Odds, Plan
from tactician.agent.answers import Asker, best_answer
from tactician.agent.by_eye import Measure, measure_of
from tactician.agent.outcomes import Outcomes, outcomes, prospect_of, terms_of
from tactician.agent.outlook import endings
from tactician.agent.policies.base import Budget, Policy
from tactician.agent.policies.greedy import Greedy
from tactician.agent.tape.ease import Eased, eased
from tactician.agent.value.terms import Term, Weights, terms
from tactician.rules.core.action import Action, Pairs
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.choice import Assign, Choice, Declare, Walk
from tactician.rules.core.legs import Pose, walk
from tactician.rules.core.measure import Inches, snap
from tactician.rules.core.movement import end_pose
from tactician.rules.core.notation import action_to_text
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.shapes import length
from tactician.rules.core.state import State, Unit, gap
from tactician.rules.core.targets import aimed_unit, main_target
from tactician.rules.core.tidy import tidied

__all__ = [
    "AGAINST",
    "Contact",
    "Odds",
    "Plan",
    "advise",
    "contact_of",
    "dominates",
    "gains_of",
    "is_same_plan",
    "odds_of",
]

ALIKE: Inches = 1.0
"""Plans of one unit that end everywhere nearer to each other than this are the same plan."""

DECIMALS = (2, 3)
"""Decimals of the coordinates in a plan."""

FEW = 400.0
"""Moments that are looked at to count the losses of a roll that the appraiser knows nothing about."""

SPARE = 6
"""Plans beyond those asked for that are worked out, as some are dropped."""

SAME = 1e-9
"""Amounts that differ by less are equal."""

TRIED = 4
"""Ways to draw a plan back that are valued, the steadiest first."""

SLACK = 0.05
"""Part of a plan's value that may be lost by drawing it back."""

TRIFLE = 0.005
"""Part of the own army's worth that may be lost as well where the plan's value is small."""

SURE = 0.95
"""A plan that is as steady is not drawn back once more."""

PASSES = 2
"""Times that a plan is drawn back, each from where the one before has left it."""


def advise(
    ruleset: Ruleset,
    state: State,
    top: int = 3,
    budget: Budget | None = None,
    seed: int = 0,
    weights: Weights | None = None,
    *,
    source: Policy | None = None,
    unit: str = "",
    answered: bool = True,
    drawn_back: bool = True,
) -> tuple[Plan, ...]:
    """The best plans for the side that decides, best first; at least one, no two the same, none dominated.

    Args:
        ruleset: the game.
        state: a moment in which a side decides.
        top: at most so many.
        budget: how long the source may think; working the plans out comes on top.
        seed: of the eye that looks where nobody may measure; elsewhere the advice is the same whatever it is.
        weights: of the terms.
        source: who proposes; greedy where none is given. What it proposes first stays first.
        unit: plans for this unit alone; empty for any.
        answered: whether the enemy's best answers are worked out.
        drawn_back: whether plans are drawn back where that costs next to nothing.

    Raises:
        ValueError: the unit has nothing to decide in this moment.
    """
    side, weights = ruleset.to_move(state), weights or Weights()
    asker = Asker(ruleset=ruleset, side=side, weights=weights, measure=measure_of(ruleset, state, seed), seed=seed)
    work = _Work(asker, state, terms(ruleset, state, side, weights, asker.measure), drawn_back)
    shown: list[_Draft] = []
    for foreseen, action in _proposed(_only(ruleset, state, unit), state, source, budget or Budget(), weights, seed):
        if len(shown) >= top + SPARE or len(_needed(shown)) >= top:
            break
        if any(is_same_plan(state, action, one.proposed) for one in shown):
            continue
        draft = work.draft(action, foreseen)
        if not any(is_same_plan(state, draft.action, one.action) for one in shown):
            shown.append(draft)
    if source is None:
        shown.sort(key=lambda one: (-round(one.value, 9), action_to_text(one.action)))
    return tuple(work.plan(one, answered=answered) for one in _needed(shown)[:top])


# ---- who proposes ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Only:
    """A game in which, in one moment, only one unit may be ordered."""

    ruleset: Ruleset
    moment: State
    unit: str

    def choices(self, state: State) -> tuple[Choice, ...]:
        """What the rules offer; in that moment what they offer to that unit."""
        found = self.ruleset.choices(state)
        return tuple(one for one in found if one.unit == self.unit) if state is self.moment else found

    def __getattr__(self, name: str) -> object:
        """Everything else is the game's."""
        return getattr(self.ruleset, name)


def _only(ruleset: Ruleset, state: State, unit: str) -> Ruleset:
    if not unit:
        return ruleset
    able = sorted({one.unit for one in ruleset.choices(state) if one.unit})
    if unit not in able:
        others = f"expected one of {', '.join(able)}" if able else "and no unit has"
        raise ValueError(f"{unit!r} has nothing to decide now, {others}")
    return cast(Ruleset, _Only(ruleset, state, unit))


def _proposed(
    ruleset: Ruleset, state: State, source: Policy | None, budget: Budget, weights: Weights, seed: int
) -> Iterator[tuple[float | None, Action]]:
    """Orders with what their source thinks of them, best first; what greedy would do comes after a source's own."""
    if source is not None:
        decision = source.decide(ruleset, state, budget, random.Random(seed))
        yield decision.value, decision.action
        yield from decision.alternatives
    for one in Greedy(weights, seed).weighed(ruleset, state, budget, value_all=True):
        yield None, one.action


# ---- working plans out -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Draft:
    """An order being made a plan."""

    proposed: Action
    action: Action
    found: Outcomes
    reasons: tuple[Term, ...]
    steady: float
    foreseen: float | None

    @property
    def value(self) -> float:
        """The sum of the reasons."""
        return sum(term.amount for term in self.reasons)


def gains_of(now: tuple[Term, ...], then: tuple[Term, ...]) -> tuple[Term, ...]:
    """Differences of terms, those that are not nothing, the weightiest first."""
    before = {term.name: term.amount for term in now}
    gains = [replace(term, amount=term.amount - before[term.name]) for term in then]
    return tuple(sorted((one for one in gains if one.amount != 0.0), key=lambda one: (-abs(one.amount), one.name)))


@dataclass(frozen=True, slots=True)
class _Work:
    """Plans of one moment."""

    asker: Asker
    state: State
    now: tuple[Term, ...]
    drawn_back: bool

    def draft(self, action: Action, foreseen: float | None) -> _Draft:
        """An order with what comes of it, drawn back where that costs next to nothing."""
        plain = self._counted(self._rounded(action), action, foreseen, 1.0)
        if not self.drawn_back or not (action.paths or action.places):
            return plain
        best = plain
        for _ in range(PASSES):
            better = self._steadier(best, plain.value - self._slack(plain))
            is_better, best = better.action != best.action, better
            if not is_better or best.steady >= SURE:
                break
        return best

    def _steadier(self, plain: _Draft, least: float) -> _Draft:
        """The steadiest way to draw a plan back that is still worth so much; the plan itself where there is none."""
        ways = list(eased(self.asker.ruleset, self.state, plain.action))
        before = next(one.steady for one in ways if one.action == plain.action)
        tried: list[dict[str, Pose]] = []
        for one in (way for way in ways if way.steady > before):
            ends = _ends(self.state, one.action)
            if ends in tried or len(tried) >= TRIED:
                continue
            tried.append(ends)
            draft = self._eased(plain, one)
            if draft is not None and draft.value >= least:
                return draft
        return replace(plain, steady=before)

    def _eased(self, plain: _Draft, one: Eased) -> _Draft | None:
        """A way to draw a plan back, worked out; None where it is not legal after all."""
        action = self._rounded(one.action)
        if self.asker.ruleset.check(self.state, action):
            return None
        return self._counted(action, plain.proposed, plain.foreseen, one.steady)

    def _slack(self, plain: _Draft) -> float:
        appraiser = appraiser_of(self.asker.ruleset)
        army = sum(appraiser.worth(self.state, unit) for unit in self.state.of(self.asker.side))
        return max(SLACK * abs(plain.value), TRIFLE * army)

    def _counted(self, action: Action, proposed: Action, foreseen: float | None, steady: float) -> _Draft:
        asker = self.asker
        found = outcomes(asker.ruleset, self.state, action)
        then = terms_of(asker.ruleset, self.state, found, asker.side, asker.weights, asker.measure)
        return _Draft(proposed, action, found, gains_of(self.now, then), steady, foreseen)

    def _rounded(self, action: Action) -> Action:
        """The same order with coordinates a person can measure, moved by less than a hundredth of an inch."""
        return tidied(action, lambda one: not self.asker.ruleset.check(self.state, one), DECIMALS)

    def plan(self, draft: _Draft, *, answered: bool) -> Plan:
        """Everything that is told of an order."""
        ruleset, state, action, measure = self.asker.ruleset, self.state, draft.action, self.asker.measure
        return Plan(
            action=action,
            value=draft.value,
            reasons=draft.reasons,
            prospect=prospect_of(ruleset, state, draft.found, self.asker.side),
            odds=odds_of(ruleset, state, action) if measure.exact else (),
            contact=contact_of(ruleset, state, action, measure),
            answer=best_answer(self.asker, state, action, draft.found) if answered else None,
            steady=draft.steady,
            is_eased=_ends(state, action) != _ends(state, self._rounded(draft.proposed)),
            foreseen=draft.foreseen,
        )


# ---- telling plans apart ---------------------------------------------------------------------------------------------


def is_same_plan(state: State, a: Action, b: Action) -> bool:
    """Whether two orders are one plan: the same unit with the same targets to the same places.

    The verb makes a difference only where nobody moves: of two gaits to one place the better is enough.
    """
    if (a.unit, a.models, a.mark) != (b.unit, b.models, b.mark) or gist(state, a) != gist(state, b):
        return False
    if a.verb != b.verb and not (a.paths and b.paths):
        return False
    here, there = _ends(state, a), _ends(state, b)
    if here.keys() != there.keys():
        return False
    return all(length(here[name].x - there[name].x, here[name].y - there[name].y) < ALIKE for name in here)


def dominates(a: Plan, b: Plan) -> bool:
    """Whether a plan is at least as good as another in gain, in loss, in every term and in what is foreseen of it."""
    if a.prospect.gain < b.prospect.gain - SAME or a.prospect.loss > b.prospect.loss + SAME:
        return False
    return is_as_good(a.amounts, a.foreseen, b.amounts, b.foreseen)


def is_as_good(a: dict[str, float], a_foreseen: float | None, b: dict[str, float], b_foreseen: float | None) -> bool:
    """Whether amounts of terms, and what is foreseen, are nowhere worse than others."""
    if (-inf if a_foreseen is None else a_foreseen) < (-inf if b_foreseen is None else b_foreseen) - SAME:
        return False
    return all(a.get(name, 0.0) >= b.get(name, 0.0) - SAME for name in {*a, *b})


def _needed(shown: list[_Draft]) -> list[_Draft]:
    """The drafts that no other one makes needless."""
    return [one for one in shown if not any(_beats(shown, other, one) for other in shown)]


def _beats(shown: list[_Draft], other: _Draft, one: _Draft) -> bool:
    """Whether one draft makes another needless; of equal ones the first is kept."""
    if other is one:
        return False
    a, b = ({term.name: term.amount for term in draft.reasons} for draft in (other, one))
    if not is_as_good(a, other.foreseen, b, one.foreseen):
        return False
    return not is_as_good(b, one.foreseen, a, other.foreseen) or shown.index(other) < shown.index(one)


def gist(state: State, action: Action) -> Pairs:
    """What an order aims at; of an assignment of models to targets only whom most of them aim at."""
    if not _is_assignment(state, action):
        return action.targets
    target = main_target(state, action.targets)
    return () if target is None else ((action.verb, target),)


def _is_assignment(state: State, action: Action) -> bool:
    names = {model.id for model in state.unit(action.unit).models} if action.unit else set()
    return bool(action.targets) and all(role in names for role, _ in action.targets)


def _ends(state: State, action: Action) -> dict[str, Pose]:
    """Where each model of the unit ends."""
    if not action.unit:
        return {}
    unit, paths, found = state.unit(action.unit), dict(action.paths), dict(action.places)
    for model in unit.models:
        if model.id in found:
            continue
        pose = end_pose(model.pose, walk(model.pose, paths.get(model.id, ()), state.board))
        found[model.id] = Pose(snap(pose.x), snap(pose.y), pose.surface, pose.bearing)
    return found


# ---- odds and charges ------------------------------------------------------------------------------------------------


def _foes(state: State, action: Action) -> list[Unit]:
    if not action.unit:
        return []
    side = state.unit(action.unit).side
    aimed = (aimed_unit(state, target) for _, target in action.targets)
    named = sorted({unit.id for unit in aimed if unit is not None})
    return [state.unit(name) for name in named if state.unit(name).side != side and state.unit(name).models]


def odds_of(ruleset: Ruleset, state: State, action: Action) -> tuple[Odds, ...]:
    """Of the appraiser where it knows the attack, else counted over everything that the order leads to."""
    found = []
    for foe in _foes(state, action):
        chances = appraiser_of(ruleset).losses(state, state.unit(action.unit).moved(_ends(state, action)), foe)
        if len(chances) < 2:
            chances = _counted(ruleset, state, action, foe)
        if len(chances) > 1:
            found.append(Odds(target=foe.id, chances=chances))
    return tuple(found)


def _counted(ruleset: Ruleset, state: State, action: Action, foe: Unit) -> tuple[float, ...]:
    chances = [0.0] * (len(foe.models) + 1)
    for ending in endings(ruleset, state, action, FEW, FEW):
        chances[len(foe.models) - len(ending.state.unit(foe.id).models)] += ending.chance
    while len(chances) > 1 and chances[-1] == 0.0:
        chances.pop()
    return tuple(chances)


def contact_of(ruleset: Ruleset, state: State, action: Action, measure: Measure) -> Contact | None:
    """What a charge needs and reaches; None of any other order."""
    target = dict(gist(state, action)).get("charge")
    if target is None:
        return None
    unit, foe = state.unit(action.unit), state.unit(target)
    choice = next(c for c in ruleset.choices(state) if (c.verb, c.unit) == (action.verb, action.unit))
    moved = unit.moved(_ends(state, action))
    return Contact(
        target=target,
        gap=measure.gap(_least(state, unit, foe), unit.id, foe.id),
        allowance=_allowance(choice, action),
        left=_least(state, moved, foe) if measure.exact and not isinstance(choice.domain, Assign) else None,
        measure=measure,
    )


def _least(state: State, unit: Unit, foe: Unit) -> Inches:
    return min(gap(state, a.pose, unit.radius, b.pose, foe.radius) for a in unit.models for b in foe.models)


def _allowance(choice: Choice, action: Action) -> Inches | None:
    domain = choice.domain
    if isinstance(domain, Assign):
        return None
    kind = domain.kind if isinstance(domain, Walk) else domain.kind_for(action) if isinstance(domain, Declare) else None
    return 0.0 if kind is None else kind.allowance
