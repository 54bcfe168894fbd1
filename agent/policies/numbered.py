"""A policy that presses numbers: what learned policies are, in the arena and anywhere else that policies play."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from tactician.agent.policies.base import Budget, Decision
from tactician.agent.view.dialogue import Observation, Partial, View
from tactician.agent.view.layout import layout_of
from tactician.agent.view.seats import Seats
from tactician.rules.core.action import Action
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State

__all__ = ["Chooser", "Numbered"]

Chooser = Callable[[Observation, NDArray[np.bool_]], int]
"""From what the side sees and the mask to a number that the mask allows."""


class Numbered:
    """Lets a function of observation and mask play a size of a game.

    It is not registered by name: whoever trained the function makes one of it. It follows the game that it plays, so
    that units keep their seats as they do in an environment, and plays one game at a time.
    """

    def __init__(self, size: str, chooser: Chooser, name: str = "numbered") -> None:
        """Play with a function.

        Args:
            size: the size whose numbers the function knows.
            chooser: answers with a number.
            name: what the policy is called in results.
        """
        self.name = name
        self._size, self._chooser = size, chooser
        self._view: View | None = None
        self._seats: Seats | None = None

    def decide(self, ruleset: Ruleset, state: State, budget: Budget, rng: random.Random) -> Decision:
        """Press numbers until the rules have an action; a number that is the only one is pressed unasked.

        Raises:
            ValueError: the function answered with a number that is masked out.
        """
        self.follow(ruleset, state, begins=False)
        view, seats = self._view, self._seats
        assert view is not None
        assert seats is not None
        side = ruleset.to_move(state)
        step: Partial | Action = ()
        while not isinstance(step, Action):
            mask = view.mask(state, seats, step)
            only = np.count_nonzero(mask) == 1
            number = int(mask.argmax()) if only else int(self._chooser(view.observe(state, seats, step, side), mask))
            step = view.press(state, seats, step, number)
        return Decision(action=step)

    def follow(self, ruleset: Ruleset, state: State, *, begins: bool) -> None:
        """Units sit down when a game begins; later ones as they appear."""
        if self._view is None or self._view.ruleset is not ruleset:
            self._view, self._seats = View(ruleset, layout_of(ruleset, self._size)), None
        if self._seats is None or begins:
            self._seats = Seats.at_start(state, self._view.layout)
        self._seats = self._seats.updated(state)
