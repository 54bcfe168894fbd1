"""Advice: the best few plans in a moment, each with exact orders, reasons that add up, and odds.

A plan's value is what it gains over the moment as it stands, in points on the table; its reasons are the
differences of the same value term by term, so that they sum to it. Odds are those of the attacks that the plan
names, from where its models end, if nobody answers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tactician.agent.by_eye import EXACT, Measure, about, measure_of
from tactician.agent.outlook import endings
from tactician.agent.policies.base import Budget
from tactician.agent.policies.greedy import Greedy, Valued
from tactician.agent.value.terms import Term, Weights, terms
from tactician.rules.core.action import Action, Pairs
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.choice import Assign, Choice, Declare, Walk
from tactician.rules.core.legs import Pose, walk
from tactician.rules.core.measure import Inches, snap
from tactician.rules.core.movement import end_pose
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.shapes import length
from tactician.rules.core.state import State, Unit, gap
from tactician.rules.core.targets import aimed_unit, main_target
from tactician.rules.core.tidy import tidied

__all__ = ["AGAINST", "Contact", "Odds", "Plan", "advise"]

AGAINST = "the moment as it stands, nobody doing anything"
"""What a plan's value is the gain over."""

ALIKE: Inches = 1.0
"""Plans of one unit that end everywhere nearer to each other than this are the same plan."""

EVEN = 0.02
"""Values that differ by less do not tell two verbs apart."""

DECIMALS = (2, 3)
"""Decimals of the coordinates in a plan."""

FEW = 400.0
"""Moments that are looked at to count the losses of a roll that the appraiser knows nothing about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """What an attack costs its target, exactly, if nobody answers."""

    target: str
    chances: tuple[float, ...]
    """Probability of 0, 1, 2 ... models lost."""

    @property
    def any(self) -> float:
        """Probability of at least one loss."""
        return 1.0 - self.chances[0]

    @property
    def expected(self) -> float:
        """Models lost on average."""
        return sum(count * chance for count, chance in enumerate(self.chances))

    def __str__(self) -> str:
        """The odds as printed."""
        return f"{self.target} loses {self.expected:.2f} models on average, at least one in {100 * self.any:.1f} %"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """What a charge needs and what its way reaches."""

    target: str
    gap: Inches
    """Between the nearest bases before the move, as far as it may be known."""
    allowance: Inches | None
    """What the move may cost; None where the rules say it later."""
    left: Inches | None
    """Between the nearest bases after the move; None where no way is ordered, or nobody may measure."""
    measure: Measure = EXACT
    """How `gap` is known."""

    def __str__(self) -> str:
        """The numbers as printed."""
        limit = "" if self.allowance is None else f" of {self.allowance:.2f}"
        left = "" if self.left is None else f", {self.left:.2f} then left"
        if self.measure.exact:
            return f"charge at {self.target}: {self.gap:.2f}{limit} inches{left}"
        return f"charge at {self.target}: {about(self.gap)}{limit} inches by eye"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A suggestion that can be carried out as it is."""

    action: Action
    """The declaration and the exact ways, models in walking order."""
    value: float
    """Points gained over `against`."""
    reasons: tuple[Term, ...]
    """What the value consists of, the weightiest first; the amounts sum to the value."""
    odds: tuple[Odds, ...] = ()
    """None at all where nobody may measure, as they would tell distances."""
    contact: Contact | None = None
    against: str = AGAINST


def advise(
    ruleset: Ruleset,
    state: State,
    top: int = 3,
    budget: Budget | None = None,
    seed: int = 0,
    weights: Weights | None = None,
) -> tuple[Plan, ...]:
    """The best plans for the side that decides, best first; at least one, no two the same.

    Args:
        ruleset: the game.
        state: a moment in which a side decides.
        top: at most so many.
        budget: how long to think.
        seed: of the eye that looks where nobody may measure; elsewhere the advice is the same whatever it is.
        weights: of the terms.
    """
    thinker, measure = Greedy(weights, seed), measure_of(ruleset, state, seed)
    now = terms(ruleset, state, ruleset.to_move(state), thinker.weights, measure)
    kept: list[tuple[Valued, dict[str, Pose]]] = []
    for one in thinker.weighed(ruleset, state, budget or Budget(), value_all=True):
        ends = _ends(state, one.action)
        if len(kept) < top and not any(_same(state, one, ends, other, places) for other, places in kept):
            kept.append((one, ends))
    kept = [(_in_round_numbers(ruleset, state, one), ends) for one, ends in kept]
    return tuple(_plan(ruleset, state, one, ends, now, measure) for one, ends in kept)


def _in_round_numbers(ruleset: Ruleset, state: State, one: Valued) -> Valued:
    """The same order with coordinates a person can measure, moved by less than a hundredth of an inch."""
    return replace(one, action=tidied(one.action, lambda action: not ruleset.check(state, action), DECIMALS))


def _same(state: State, one: Valued, ends: dict[str, Pose], other: Valued, places: dict[str, Pose]) -> bool:
    """Whether two orders are one plan: the same unit with the same targets to the same places, to the same effect."""
    a, b = one.action, other.action
    if (a.unit, a.models, a.places, a.mark) != (b.unit, b.models, b.places, b.mark):
        return False
    if _gist(state, a) != _gist(state, b):
        return False
    if a.verb != b.verb and abs(one.value - other.value) > EVEN:
        return False
    return all(length(ends[name].x - places[name].x, ends[name].y - places[name].y) < ALIKE for name in ends)


def _gist(state: State, action: Action) -> Pairs:
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
    unit, paths = state.unit(action.unit), dict(action.paths)
    found = {}
    for model in unit.models:
        pose = end_pose(model.pose, walk(model.pose, paths.get(model.id, ()), state.board))
        found[model.id] = Pose(snap(pose.x), snap(pose.y), pose.surface, pose.bearing)
    return found


def _plan(
    ruleset: Ruleset, state: State, one: Valued, ends: dict[str, Pose], now: tuple[Term, ...], measure: Measure
) -> Plan:
    before = {term.name: term.amount for term in now}
    gains = [Term(name=t.name, sentence=t.sentence, amount=t.amount - before[t.name]) for t in one.terms]
    reasons = sorted((t for t in gains if t.amount != 0.0), key=lambda t: (-abs(t.amount), t.name))
    return Plan(
        action=one.action,
        value=sum(term.amount for term in reasons),
        reasons=tuple(reasons),
        odds=_odds(ruleset, state, one.action, ends) if measure.exact else (),
        contact=_contact(ruleset, state, one.action, ends, measure),
    )


def _foes(state: State, action: Action) -> list[Unit]:
    if not action.unit:
        return []
    side = state.unit(action.unit).side
    aimed = (aimed_unit(state, target) for _, target in action.targets)
    named = sorted({unit.id for unit in aimed if unit is not None})
    return [state.unit(name) for name in named if state.unit(name).side != side and state.unit(name).models]


def _odds(ruleset: Ruleset, state: State, action: Action, ends: dict[str, Pose]) -> tuple[Odds, ...]:
    """Of the appraiser where it knows the attack, else counted over everything that the order leads to."""
    found = []
    for foe in _foes(state, action):
        chances = appraiser_of(ruleset).losses(state, state.unit(action.unit).moved(ends), foe)
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


def _contact(ruleset: Ruleset, state: State, action: Action, ends: dict[str, Pose], measure: Measure) -> Contact | None:
    target = dict(_gist(state, action)).get("charge")
    if target is None:
        return None
    unit, foe = state.unit(action.unit), state.unit(target)
    choice = next(c for c in ruleset.choices(state) if (c.verb, c.unit) == (action.verb, action.unit))
    return Contact(
        target=target,
        gap=measure.gap(_least(state, unit, foe), unit.id, foe.id),
        allowance=_allowance(choice, action),
        left=_least(state, unit.moved(ends), foe) if measure.exact and not isinstance(choice.domain, Assign) else None,
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
