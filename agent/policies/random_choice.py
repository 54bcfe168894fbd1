"""Any choice, and any answer to it."""

from __future__ import annotations

import random

from tactician.agent.policies.base import Budget, Decision, register
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State

__all__ = ["RandomChoice"]


@register("random")
class RandomChoice:
    """Draws a choice, then a member of its domain."""

    name = "random"

    def decide(self, ruleset: Ruleset, state: State, budget: Budget, rng: random.Random) -> Decision:
        """An action at random."""
        choice = rng.choice(ruleset.choices(state))
        return Decision(action=choice.sample(state, rng.random))
