"""On which terms an episode is played: what both environments have in common."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from operator import index
from typing import Any, Self, SupportsIndex

from tactician.env.game import Game, Player, Setup
from tactician.env.rewards import Ledger, Reward

__all__ = ["Episode", "IllegalPress", "Terms"]


class IllegalPress(ValueError):
    """A number was pressed that the mask rules out, and the environment is strict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Everything about episodes but their seeds; the environments' arguments say what each means."""

    setup: Setup
    reward: Reward
    discount: float
    strict: bool
    illegal_penalty: float
    max_plies: int
    auto_forced: bool
    play: type[Game] = Game
    """What an episode is played with, for whoever wants to watch more closely."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Themselves: nothing in them changes."""
        return self

    def begin(self, players: Mapping[str, Player], seed: int, options: Mapping[str, Any] | None) -> Episode:
        """A new episode, carried on until a number is wanted; of the options only ``state`` means something."""
        start = (options or {}).get("state")
        game = self.play(self.setup, players, seed, start=start, max_plies=self.max_plies, auto_forced=self.auto_forced)
        return Episode(self, game)


class Episode:
    """A game and what has been paid in it."""

    def __init__(self, terms: Terms, game: Game) -> None:
        """Begin to keep the books."""
        self.terms, self.game = terms, game
        self._ledger = Ledger(terms.reward, game, terms.discount)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """An episode that goes on by itself; terms are values and are shared."""
        twin = object.__new__(type(self))
        twin.terms, twin.game = self.terms, copy.deepcopy(self.game, memo)
        twin._ledger = copy.copy(self._ledger)
        return twin

    def press(self, action: SupportsIndex) -> float | None:
        """Press a number, and answer what red is paid for everything that came of it; None if it is masked out.

        Raises:
            IllegalPress: it is masked out, and the terms are strict.
        """
        number = index(action)
        if self.terms.strict and not self.game.allows(number):
            raise IllegalPress(self.game.refusal(number))
        return self._ledger.settle(self.game) if self.game.answer(number) else None
