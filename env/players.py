"""Who plays the side that the learner does not: a policy by name, a policy, or anything that presses numbers.

The last makes self-play need no second framework: hand over a function of observation and mask, such as an earlier
version of the learner. It sees the table from its own end, as the learner does from his.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from operator import index
from typing import cast

from tactician.agent.policies import Budget, Policy, policy
from tactician.env.game import Game, Mask, Observation, Player

__all__ = ["Deciding", "Opponent", "Presser", "Pressing", "player_of"]

Presser = Callable[[Observation, Mask], int]
"""From what its side sees and a mask to a number that the mask allows."""

Opponent = str | Policy | Presser


class Deciding:
    """A policy, deciding as it does in the arena."""

    def __init__(self, chooser: Policy, budget: Budget | None = None) -> None:
        """Let a policy play."""
        self.chooser, self.budget = chooser, budget or Budget()
        self.name = chooser.name

    def play(self, game: Game, rng: random.Random) -> None:
        """One whole decision."""
        game.order(self.chooser.decide(game.ruleset, game.state, self.budget, rng).action)


class Pressing:
    """A function that presses numbers."""

    name = "pressing"

    def __init__(self, presser: Presser) -> None:
        """Let a function play."""
        self.presser = presser

    def play(self, game: Game, rng: random.Random) -> None:
        """One number; the only one, where there is only one, without asking.

        Raises:
            ValueError: the function answered with a number that is masked out.
        """
        if not game.press_forced():
            game.press(index(self.presser(game.observe(game.mover), game.mask())))


def player_of(opponent: Opponent) -> Player:
    """The player behind a name, a policy or a function.

    Raises:
        ValueError: there is no policy of this name.
        TypeError: it is neither of the three.
    """
    if isinstance(opponent, str):
        return Deciding(policy(opponent))
    if hasattr(opponent, "decide"):
        return Deciding(cast("Policy", opponent))
    if callable(opponent):
        return Pressing(opponent)
    raise TypeError(f"{opponent!r} is neither the name of a policy, nor a policy, nor a function that presses numbers")
