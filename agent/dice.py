"""The dice of a game, and the private streams of those who play it.

A throw depends on where it stands in the game and on nothing else: the same seed, round, side, frame, unit and running
number give the same dice, however long anybody thought and whatever was thrown before. Two policies can so be compared
on common dice. The keys are digested, not hashed, so every process draws alike.
"""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass
from operator import index

from tactician.rules.core.chance import Outcome, Roll

__all__ = ["Dice", "stream"]


@dataclass(frozen=True, slots=True)
class Dice:
    """The dice of one game, decided by its seed. Arena, environments and command line own one; policies never do.

    >>> from tactician.rules.core.chance import Total
    >>> Dice(7).roll(Total(why="a march", dice=2), round=1, side="red", frame="march", unit="R1", number=0)
    8
    """

    seed: int

    def roll(self, roll: Roll, *, round: int, side: str, frame: str, unit: str, number: int) -> Outcome:
        """What the dice show for a roll at one place of the game.

        Rolls of different sizes under one key share their first dice.

        Args:
            roll: the question.
            round: of the game.
            side: whose turn it is.
            frame: kind of the rule event that asks.
            unit: id of the unit the roll belongs to, or empty.
            number: running number of the roll within the frame.

        Returns:
            An outcome of the support of the roll.
        """
        return roll.sample(_drawn("dice", index(self.seed), index(round), side, frame, unit, index(number)))


def stream(seed: int, name: str) -> random.Random:
    """A policy's own source of chance: independent of the dice of the same seed and of the streams of other names."""
    return _drawn("stream", index(seed), name)


def _drawn(*key: str | int) -> random.Random:
    """A generator that depends on the whole key; the first entry keeps dice and streams apart."""
    # str() and index() leave plain values, so that members of enumerations and numpy integers digest like their equals
    plain = tuple(part if isinstance(part, int) else str(part) for part in key)
    return random.Random(int.from_bytes(hashlib.sha256(repr(plain).encode()).digest(), "big"))
