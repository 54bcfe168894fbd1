"""What comes after a plan: the rest of the turn as orders, one after another, if everything goes as is likeliest.

Where sides order by turns it is the enemy's answer and an own follow-up. Dice decide otherwise more often than not:
after every real roll it is asked for again.
"""

from __future__ import annotations

import random

from tactician.agent.advice import Order
from tactician.agent.outcomes import ROUGH, outcomes
from tactician.agent.policies.base import Budget, Policy
from tactician.agent.policies.greedy import Greedy
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State
from tactician.rules.core.tidy import tidied

__all__ = ["LOOK", "MOST", "following"]

LOOK = Budget(evaluations=8)
"""How long is thought about each order."""

MOST = 24
"""Most orders that are looked ahead."""

LIKELY = 0.1
"""Chance below which nothing more is looked ahead, once an order has been found."""

DECIMALS = (2, 3)
"""Decimals of the coordinates in an order."""


def following(
    ruleset: Ruleset,
    state: State,
    action: Action,
    *,
    source: Policy | None = None,
    budget: Budget | None = None,
    look: Budget = LOOK,
) -> tuple[Order, ...]:
    """The orders after a plan: own ones until the enemy decides, or his one and an own one where he decides at once.

    Args:
        ruleset: the game.
        state: the moment of the plan.
        action: the plan.
        source: who chooses; greedy where none is given.
        budget: seconds are for all orders together, evaluations the most orders; the first is always looked for.
        look: how long is thought about each order.
    """
    side, chooser = ruleset.to_move(state), source or Greedy()
    clock = (budget or Budget(evaluations=MOST)).clock()
    moment, chance, rng = state, 1.0, random.Random(0)
    found: list[Order] = []
    answered = False
    while not (found and clock.is_over()):
        here, share = outcomes(ruleset, moment, action, ROUGH).likeliest(ruleset)
        moment, chance = here, chance * share
        if found and chance < LIKELY:
            break
        mover = ruleset.to_move(moment)
        if mover in (CHANCE, TERMINAL) or answered or (mover != side and found):
            break
        answered = bool(found) and found[-1].side != side
        action = _round(ruleset, moment, chooser.decide(ruleset, moment, look, rng).action)
        clock.used += 1
        found.append(Order(side=mover, action=action, moment=moment, chance=chance))
    return tuple(found)


def _round(ruleset: Ruleset, moment: State, action: Action) -> Action:
    """With coordinates that a person can measure."""
    return tidied(action, lambda one: not ruleset.check(moment, one), DECIMALS)
