"""The value of a moment for a side: a sum of terms, each with a name, a sentence and a number.

All amounts are points on the table. The terms ask the ruleset's appraiser and weigh what it answers; the weights are
open and stand in `Weights`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from tactician.agent.by_eye import EXACT, Measure, chance_within, imagined, seen
from tactician.rules.core.agenda import TERMINAL
from tactician.rules.core.appraisal import Appraiser, Goal, appraiser_of
from tactician.rules.core.measure import Inches
from tactician.rules.core.remember import Remembered
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.shapes import length
from tactician.rules.core.state import SIDES, State, Unit, other_side

__all__ = ["SENTENCES", "Term", "Weights", "terms", "total", "value"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each term counts."""

    result: float = 100.0
    """A game won."""
    models: float = 1.0
    points: float = 1.0
    """Victory points already scored."""
    scoring: float = 0.8
    """Victory points that the end of this round would bring."""
    goals: float = 0.35
    """Being near to goals."""
    threat: float = 0.6
    """Harm that own units can do next."""
    danger: float = 0.1
    """Harm that the enemy's units can do next."""
    future: float = 0.6
    """What the attacks of all later turns count, where every unit acts in each turn."""
    exposure: float = 0.1
    """Harm that the enemy's units can do from where they stand, where every unit acts in each turn."""
    alert: float = 1.0
    """The same where the enemy can do it in the turn that is played, waiting for somebody to show himself."""
    later: float = 0.8
    """What an attack in a later round counts, against one in this round."""
    hidden: float = 0.55
    """What an attack counts that needs a move first, against one from where the unit stands."""
    orders: float = 0.02
    """Each order that a side has left in this round."""
    pieces: float = 0.15
    """Each piece more than one."""
    apart: float = 0.15
    """Part of its worth that a unit in pieces loses where every unit acts in each turn."""
    fuss: float = 1.5
    """An order that only leads to the next one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One summand."""

    name: str
    sentence: str
    amount: float

    def __str__(self) -> str:
        """The term as printed."""
        return f"{self.amount:+.2f} {self.name}: {self.sentence}"


SENTENCES = {
    "result": "the chance that this decides the game",
    "models": "points of own models on the table, less the enemy's",
    "victory points": "the lead in victory points",
    "scoring": "what the end of the round would score as things stand",
    "goals": "nearness to the places that score",
    "threat": "what own attacks can destroy next",
    "danger": "what the enemy's attacks can destroy next",
    "exposure": "what the enemy's attacks can destroy from where everybody stands",
    "orders": "orders left in this round, less the enemy's",
    "coherency": "units that stand in several pieces",
    "fuss": "an order that changes nothing yet",
}
"""Every term and its sentence."""


def terms(ruleset: Ruleset, state: State, side: str, weights: Weights, measure: Measure = EXACT) -> tuple[Term, ...]:
    """The value of a moment for a side, term by term, always in the same order.

    Args:
        ruleset: the game.
        state: the moment.
        side: whose value it is.
        weights: of the terms.
        measure: what whoever looks knows of distances to the enemy, in the moment in which he decides.
    """
    amounts = _amounts(ruleset, state, side, weights, measure)
    return tuple(
        Term(name=name, sentence=sentence, amount=amounts.get(name, 0.0)) for name, sentence in SENTENCES.items()
    )


def value(ruleset: Ruleset, state: State, side: str, weights: Weights, measure: Measure = EXACT) -> float:
    """The sum of `terms`."""
    amounts = _amounts(ruleset, state, side, weights, measure)
    return sum(amounts.get(name, 0.0) for name in SENTENCES)


def total(found: tuple[Term, ...]) -> float:
    """The sum of some terms."""
    return sum(term.amount for term in found)


def _amounts(ruleset: Ruleset, state: State, side: str, weights: Weights, measure: Measure) -> dict[str, float]:
    appraiser, foe = appraiser_of(ruleset), other_side(side)
    stakes = appraiser.stakes(state)
    own = sum(appraiser.worth(state, unit) for unit in state.of(side))
    theirs = sum(appraiser.worth(state, unit) for unit in state.of(foe))
    found = {
        "models": weights.models * (own - theirs),
        "victory points": weights.points * stakes * appraiser.standing(state, side),
    }
    if ruleset.to_move(state) == TERMINAL:
        result = ruleset.returns(state)[SIDES.index(side)]
        return {**found, "result": weights.result * result}
    left = min(appraiser.rounds_left(state), 3)
    found["scoring"] = weights.scoring * stakes * appraiser.outlook(state, side) * (1 + left) / 4
    mine, others = appraiser.goals(state, side), appraiser.goals(state, foe)
    nearness = _nearness(appraiser, state, side, mine) - _nearness(appraiser, state, foe, others)
    found["goals"] = weights.goals * stakes * nearness
    found["threat"] = weights.threat * _threat(appraiser, state, side, weights, measure)
    found["danger"] = -weights.danger * _threat(appraiser, state, foe, weights, measure)
    if appraiser.every_turn:
        found["exposure"] = -_exposure(appraiser, state, side, weights, measure)
    left = appraiser.orders(state, side) - appraiser.orders(state, foe)
    found["orders"] = weights.orders * left
    loose = [(unit, appraiser.pieces(state, unit) - 1) for unit in state.of(side)]
    found["coherency"] = -weights.pieces * sum(more for _, more in loose)
    if appraiser.every_turn:
        found["coherency"] -= weights.apart * sum(appraiser.worth(state, unit) for unit, more in loose if more)
    return found


def _nearness(appraiser: Appraiser, state: State, side: str, goals: tuple[Goal, ...]) -> float:
    """For each goal how near the side's nearest unit is: 1 at the goal, a half a move away from it."""
    if not goals:
        return 0.0
    units = [(unit, appraiser.stride(state, unit)) for unit in state.of(side)]
    return sum(
        goal.weight * max((1 / (1 + _away(unit, goal) / max(stride, 1.0)) for unit, stride in units), default=0.0)
        for goal in goals
    )


def _away(unit: Unit, goal: Goal) -> Inches:
    nearest = min((length(m.pose.x - goal.x, m.pose.y - goal.y) for m in unit.models), default=inf)
    return max(nearest - unit.radius - goal.radius, 0.0)


def _threat(appraiser: Appraiser, state: State, side: str, weights: Weights, measure: Measure) -> float:
    """Points that the side's attacks can destroy next: those that have an order left in this round, and later ones."""
    if appraiser.every_turn:
        return _campaign(appraiser, state, side, weights, measure)
    foes = state.against(side)
    now: list[float] = []
    later: list[float] = []
    for unit in state.of(side):
        best = max((_attack(appraiser, state, unit, foe, weights, measure) for foe in foes), default=0.0)
        is_ready = appraiser.is_ready(imagined(state, unit.id, measure), unit)
        (now if is_ready else later).append(best)
    orders = max(appraiser.orders(state, side), 0)
    now.sort(reverse=True)
    return sum(now[:orders]) + weights.later * appraiser.later(state) * (sum(now[orders:]) + sum(later))


def _campaign(appraiser: Appraiser, state: State, side: str, weights: Weights, measure: Measure) -> float:
    """The same where every unit acts in each turn: what all of them together can still do, nobody destroyed twice."""
    foes = state.against(side)
    left = {foe.id: appraiser.prize(state, foe) for foe in foes}
    found = 0.0
    for soon in (True, False):
        rows = []
        for unit in state.of(side):
            if soon and not appraiser.is_ready(imagined(state, unit.id, measure), unit):
                continue
            for foe in foes:
                now, later = _prospects(appraiser, state, unit, foe, measure)
                amount = now if soon else weights.future * later
                if amount > 0.0:
                    rows.append((round(amount, 9), unit.id, foe.id))
        rows.sort(key=lambda row: (-row[0], row[1:]))
        busy: set[str] = set()
        for amount, unit_id, foe_id in rows:
            if unit_id not in busy and left[foe_id] > 0.0:
                busy.add(unit_id)
                part = min(amount, left[foe_id])
                left[foe_id] -= part
                found += part
    return found


def _exposure(appraiser: Appraiser, state: State, side: str, weights: Weights, measure: Measure) -> float:
    """Points that the enemy's attacks destroy from where everybody stands, each unit at its best, nobody twice.

    Whoever may attack even in the turn that is played, out of his own, will: that counts nearly in full.
    """
    mine = state.of(side)
    left = {unit.id: appraiser.prize(state, unit) for unit in mine}
    rows = []
    for foe in state.against(side):
        weight = weights.alert if appraiser.is_ready(state, foe) else weights.exposure
        for unit in mine:
            amount = _menace(appraiser, state, foe, unit, measure)
            if amount > 0.0:
                rows.append((round(weight * amount, 9), foe.id, unit.id))
    rows.sort(key=lambda row: (-row[0], row[1:]))
    busy: set[str] = set()
    found = 0.0
    for amount, foe_id, unit_id in rows:
        if foe_id not in busy and left[unit_id] > 0.0:
            busy.add(foe_id)
            part = min(amount, left[unit_id])
            left[unit_id] -= part
            found += part
    return found


_MENACES: Remembered[float] = Remembered()


def _menace(appraiser: Appraiser, state: State, foe: Unit, unit: Unit, measure: Measure) -> float:
    """What an enemy's attack destroys from where both stand, as far as whoever looks may know."""
    if measure.exact:
        return appraiser.view(state, foe, unit) * appraiser.promise(state, foe, unit)

    def find() -> float:
        there = seen(state, unit.id, foe.id, measure).unit(foe.id)
        return appraiser.view(state, there, unit) * appraiser.promise(state, there, unit)

    return _MENACES.get((state.table, unit, foe), measure, find)


_PROSPECTS: Remembered[tuple[float, float]] = Remembered()


def _prospects(appraiser: Appraiser, state: State, unit: Unit, foe: Unit, measure: Measure) -> tuple[float, float]:
    """What a unit can do to an enemy in this turn and in later ones, as far as whoever looks may know."""
    where = appraiser.moment_key(state, unit.side), None if measure.exact else measure
    return _PROSPECTS.get(
        (state.table, unit, foe), where, lambda: _find_prospects(appraiser, state, unit, foe, measure)
    )


def _find_prospects(appraiser: Appraiser, state: State, unit: Unit, foe: Unit, measure: Measure) -> tuple[float, float]:
    gap = measure.gap(_gap(unit, foe), unit.id, foe.id)
    if not measure.exact:
        foe = seen(state, unit.id, foe.id, measure).unit(foe.id)
    return appraiser.campaign(state, unit, foe, gap)


_ATTACKS: Remembered[float] = Remembered()


def _attack(appraiser: Appraiser, state: State, unit: Unit, foe: Unit, weights: Weights, measure: Measure) -> float:
    """What one unit's next attack on another is worth: from where it stands, or after a move, or after several."""
    objects, key = (state.table, unit, foe, weights), (state.round, None if measure.exact else measure)
    return _ATTACKS.get(objects, key, lambda: _find_attack(appraiser, state, unit, foe, weights, measure))


def _find_attack(
    appraiser: Appraiser, state: State, unit: Unit, foe: Unit, weights: Weights, measure: Measure
) -> float:
    gap = measure.gap(_gap(unit, foe), unit.id, foe.id)
    if not measure.exact:
        foe = seen(state, unit.id, foe.id, measure).unit(foe.id)
    promise = appraiser.promise(state, unit, foe)
    if promise <= 0.0:
        return 0.0
    reach = appraiser.range(state, unit)
    share = appraiser.view(state, unit, foe) if gap <= reach + 1.0 else 0.0
    if share > 0.0 and not measure.exact:
        share *= chance_within(gap, reach)
    return promise * max(share, weights.hidden * appraiser.hope(state, unit, gap))


def _gap(unit: Unit, foe: Unit) -> Inches:
    square = min(
        ((a.pose.x - b.pose.x) ** 2 + (a.pose.y - b.pose.y) ** 2 for a in unit.models for b in foe.models), default=inf
    )
    return float(square**0.5) - unit.radius - foe.radius
