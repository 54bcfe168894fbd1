"""Two scripted players, version 1: yardsticks that are never edited (see `tactician.agent.doctrine.style`)."""

from __future__ import annotations

import random

from tactician.agent.doctrine.field import Field
from tactician.agent.doctrine.script import answer
from tactician.agent.doctrine.style import BOLD, STEADY, Style
from tactician.agent.policies.base import Budget, Decision, register
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State

__all__ = ["Doctrine"]


class Doctrine:
    """Does what the role of each unit says; never looks ahead."""

    def __init__(self, style: Style) -> None:
        """Play in a style."""
        self.style = style
        self.name = style.name

    def decide(self, ruleset: Ruleset, state: State, budget: Budget, rng: random.Random) -> Decision:
        """What the script says; neither budget nor chance matters to it."""
        field = Field(ruleset, state, ruleset.to_move(state), self.style, ruleset.choices(state))
        action, value, _ = answer(field)
        if ruleset.check(state, action):
            action = ruleset.choices(state)[0].canonical(state)
        return Decision(action=action, value=value)


@register("doctrine-steady")
def steady() -> Doctrine:
    """The careful yardstick."""
    return Doctrine(STEADY)


@register("doctrine-bold")
def bold() -> Doctrine:
    """The pushing yardstick."""
    return Doctrine(BOLD)
