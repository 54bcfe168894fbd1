"""The enemy's best answer to a plan: a reply inside the order, his own next order, or an attack in his next turn.

A reply is looked for wherever the rules ask him on the likeliest way of the order; where none takes anything, his
next order is, where he is to order next; else the attack that costs most of those that he can make in his next turn.
He looks for his best as greedy does; of his best few the one counts that takes most from whoever asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tactician.agent.advice import Answer
from tactician.agent.by_eye import Measure
from tactician.agent.deploy import is_deployment
from tactician.agent.outcomes import ROUGH, Outcomes, is_free, outcomes, prospect_of, terms_of
from tactician.agent.outlook import PASS, usual_answer
from tactician.agent.policies.base import Budget
from tactician.agent.policies.greedy import Greedy
from tactician.agent.threat_ask import threat_at
from tactician.agent.value.terms import Weights, total
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.measure import Inches
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.shapes import length
from tactician.rules.core.state import Model, State, Unit, other_side

__all__ = ["Asker", "best_answer", "take_of"]

LOOK = Budget(evaluations=5)
"""How long he thinks."""

BEST = 2
"""Of so many of his best answers the one that costs most is told."""

MOMENTS = 2
"""Times that he is asked on the way of one order that are looked at."""

LONGEST = 200
"""Steps after which the way of an order is followed no further."""

ATTACKS = 4
"""Attacks of his next turn that are looked at closely, those that promise most first."""

LEAST = 1e-6
"""What costs less costs nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Who asks, and what he knows."""

    ruleset: Ruleset
    side: str
    weights: Weights
    measure: Measure
    """Of distances, in the moment in which the plan is made."""
    seed: int = 0
    """Of the enemy's eye."""

    def value(self, state: State, found: Outcomes) -> float:
        """The value of what an order leads to."""
        return total(terms_of(self.ruleset, state, found, self.side, self.weights, self.measure))


def best_answer(asker: Asker, state: State, action: Action, found: Outcomes) -> Answer | None:
    """What the enemy can best do about an order; None where nothing costs anything.

    Args:
        asker: whose plan it is.
        state: the moment.
        action: the order.
        found: what it leads to.
    """
    replies = [_taken(asker, moment, chance, "response") for moment, chance in _asked(asker, state, action)]
    best = max(filter(None, replies), key=lambda one: one.cost, default=None)
    if best is not None:
        return best
    after, chance = found.likeliest(asker.ruleset)
    mover = asker.ruleset.to_move(after)
    if mover == TERMINAL or is_deployment(asker.ruleset, after):
        return None
    if mover == other_side(asker.side):
        return _taken(asker, after, chance, "order")
    return _attack(asker, after, chance)


def _asked(asker: Asker, state: State, action: Action) -> Iterator[tuple[State, float]]:
    """The moments on the likeliest way of an order in which the enemy has something to decide, with their chances."""
    ruleset, here, chance, told = asker.ruleset, asker.ruleset.apply(state, action), 1.0, 0
    beneath, kind = state.agenda[:-1], state.agenda[-1].kind
    for _ in range(LONGEST):
        mover = ruleset.to_move(here)
        if told >= MOMENTS or mover == TERMINAL or (mover != CHANCE and is_free(here, beneath, kind)):
            return
        if mover == CHANCE:
            outcome, part = max(ruleset.pending(here).support(), key=lambda row: row[1])
            here, chance = ruleset.resolve(here, outcome), chance * part
            continue
        if mover != asker.side and len(ruleset.choices(here)) > 1:
            told += 1
            yield here, chance
        here = ruleset.apply(here, usual_answer(ruleset, here, mover == asker.side))


def take_of(asker: Asker, moment: State, action: Action, rest: Action) -> tuple[float, float]:
    """What an answer takes: value over that after `rest`, and points of own models on average.

    Args:
        asker: whose value it is.
        moment: in which the enemy decides.
        action: what he does.
        rest: what he would do to let things be.
    """
    found, usual = (outcomes(asker.ruleset, moment, one, ROUGH) for one in (action, rest))
    lost = prospect_of(asker.ruleset, moment, found, asker.side).loss
    return asker.value(moment, usual) - asker.value(moment, found), lost


def letting_be(ruleset: Ruleset, moment: State) -> Action:
    """The order with which a side lets things be, where there is one; else the first that the rules offer."""
    choices = ruleset.choices(moment)
    return next((one for one in choices if one.verb == PASS), choices[0]).canonical(moment)


def _taken(asker: Asker, moment: State, chance: float, kind: str) -> Answer | None:
    """The enemy's order that costs most of his best few; None where none costs anything."""
    thinker, rest = Greedy(asker.weights, asker.seed), letting_be(asker.ruleset, moment)
    best: Answer | None = None
    for one in thinker.weighed(asker.ruleset, moment, LOOK, value_all=True)[:BEST]:
        if one.action == rest or asker.ruleset.check(moment, one.action):
            continue
        cost, lost = take_of(asker, moment, one.action, rest)
        if cost > LEAST and (best is None or cost > best.cost + LEAST):
            best = Answer(
                kind="response" if kind == "response" else "order",
                unit=one.action.unit,
                action=one.action,
                cost=cost,
                loss=lost,
                moment=moment,
                chance=chance,
            )
    return best


# ---- attacks of a turn to come ---------------------------------------------------------------------------------------


def _attack(asker: Asker, after: State, chance: float) -> Answer | None:
    """The attack of the enemy's next turn that destroys most, as things stand after the order."""
    appraiser, rows = appraiser_of(asker.ruleset), []
    for foe in after.against(asker.side):
        far = appraiser.reach(after, foe)
        for unit in after.of(asker.side):
            apart = asker.measure.gap(_least(foe, unit), unit.id, foe.id)
            promise = appraiser.promise(after, foe, unit)
            if promise > LEAST and apart <= far:
                rows.append((-round(promise, 9), foe.id, unit.id))
    best: Answer | None = None
    for promise, name, target in sorted(rows)[:ATTACKS]:
        if best is not None and -promise <= best.cost:
            break
        found = attack_on(asker, after, name, target, chance)
        if found is not None and (best is None or found.cost > best.cost):
            best = found
    return best


def attack_on(asker: Asker, after: State, name: str, target: str, chance: float = 1.0) -> Answer | None:
    """How one unit of the enemy can attack one own unit in his next turn, and what that costs; None where it cannot."""
    appraiser, foe, unit = appraiser_of(asker.ruleset), after.unit(name), after.unit(target)
    nearest = min(unit.models, key=lambda model: (_nearest(foe, model), model.id))
    threat = threat_at(asker.ruleset, after, nearest.pose, name, target=target, measure=asker.measure)
    if threat is None:
        return None
    stands = any(model.id == threat.model and model.pose == threat.place for model in foe.models)
    harm = appraiser.harm(after, foe, unit) if stands and asker.measure.exact else 0.0
    moves = harm <= LEAST
    cost = min(appraiser.promise(after, foe, unit), appraiser.worth(after, unit)) if moves else harm
    return Answer(
        kind="attack",
        unit=name,
        verb=threat.verb,
        target=target,
        cost=cost,
        loss=cost,
        moment=after,
        moves=moves,
        chance=chance,
    )


def _least(unit: Unit, foe: Unit) -> Inches:
    return min(_nearest(unit, model) for model in foe.models) - unit.radius - foe.radius


def _nearest(unit: Unit, model: Model) -> Inches:
    return min(length(one.pose.x - model.pose.x, one.pose.y - model.pose.y) for one in unit.models)
