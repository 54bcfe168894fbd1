"""A bot in one file: it carries out a few orders in its head and takes the one that leaves it most points ahead.

To let it play, put this file into ``agent/policies`` and name it like any other policy:

    cp examples/counting_bot.py agent/policies/
    tactician duel --red counting --blue straight-ahead --seed 7
    tactician ladder --policies counting,random,straight-ahead --games 20

How it is made is told in docs/adding-a-policy.md.
"""

from __future__ import annotations

import random

from tactician.agent.outlook import endings
from tactician.agent.policies.base import Budget, Decision, register
from tactician.agent.propose.candidates import candidates
from tactician.rules.core.action import Action
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.notation import action_to_text
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State


@register("counting")
class Counting:
    """Counts the points on the table after every order it thinks of, and the places near enough to score."""

    name = "counting"

    def decide(self, ruleset: Ruleset, state: State, budget: Budget, rng: random.Random) -> Decision:
        """The order after which it is most points ahead on average; of equals the first by its words."""
        side, clock = ruleset.to_move(state), budget.clock()
        orders = [order for choice in ruleset.choices(state) for order in candidates(ruleset, state, choice)]
        rng.shuffle(orders)
        valued: list[tuple[float, Action]] = []
        for order in orders:
            if valued and clock.is_over():
                break
            clock.used += 1
            after = endings(ruleset, state, order)
            valued.append((sum(one.chance * lead(ruleset, one.state, side) for one in after), order))
        valued.sort(key=lambda row: (-round(row[0], 6), action_to_text(row[1])))
        worth, best = valued[0]
        return Decision(action=best, value=worth, alternatives=tuple(valued[1:]))


def lead(ruleset: Ruleset, state: State, side: str) -> float:
    """Points of own models less the enemy's, and the lead in victory points in the same coin."""
    appraiser = appraiser_of(ruleset)
    own = sum(appraiser.worth(state, unit) for unit in state.of(side))
    theirs = sum(appraiser.worth(state, unit) for unit in state.against(side))
    scored = appraiser.standing(state, side) + appraiser.outlook(state, side)
    return own - theirs + appraiser.stakes(state) * scored
