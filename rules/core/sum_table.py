"""The sum of some dice read off a table: a test that is passed or failed is one question with two outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from tactician.rules.core.chance import Outcome, Throw
from tactician.rules.core.odds import Odds, one_more_die, weighed

__all__ = ["SumTable"]

Bounds = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SumTable(Throw):
    """Equal dice summed up and read off a table; the outcome is the index of the entry.

    >>> test = SumTable(why="nerve", entries=((2, 7, "holds"), (8, 12, "runs")))
    >>> test.read([3, 4]), test.tell(1), test.support()[1]
    (0, 'runs', (1, 0.4166666666666667))

    Raises:
        ValueError: no die, a die without sides, or entries that leave out a sum, repeat one or go past the dice.
    """

    kind: ClassVar[str] = "sum_table"

    dice: int = 2
    sides: int = 6
    entries: tuple[tuple[int, int, str], ...]
    """Least sum, greatest sum and name of each, in ascending order; together they cover every sum once."""

    def __post_init__(self) -> None:
        """Refuse numbers that describe no throw."""
        if self.dice < 1 or self.sides < 1:
            raise ValueError(f"{self.dice} dice of {self.sides} sides, expected at least one of each")
        at = self.dice
        for low, high, name in self.entries:
            if low != at or not low <= high <= self.dice * self.sides:
                last = self.dice * self.sides
                raise ValueError(f"entry {name!r} covers {low}-{high}, expected it to begin at {at} and end by {last}")
            at = high + 1
        if at <= self.dice * self.sides:
            raise ValueError(f"no entry covers sums from {at}, expected every sum up to {self.dice * self.sides}")

    def to_throw(self) -> tuple[int, ...]:
        """Number of sides of each die that a person has to throw."""
        return (self.sides,) * self.dice

    def ask(self) -> str:
        """One sentence that tells a person at a table what to throw."""
        read = ", ".join(f"{low if low == high else f'{low}-{high}'} {name}" for low, high, name in self.entries)
        return f"roll {self.dice}D{self.sides}, sum up: {read}"

    def tell(self, outcome: Outcome) -> str:
        """An outcome in words: the name of the entry."""
        return self.name_of(outcome)

    def name_of(self, outcome: Outcome) -> str:
        """The name of the entry that an outcome stands for.

        Raises:
            DiceError: there is no such entry.
        """
        index = self.accept(outcome)
        assert isinstance(index, int)
        return self.entries[index][2]

    def _odds(self) -> Odds:
        return _odds(self.dice, self.sides, tuple((low, high) for low, high, _ in self.entries))

    def _read(self, faces: Sequence[int]) -> Outcome:
        return next(i for i, (low, high, _) in enumerate(self.entries) if low <= sum(faces) <= high)

    def _expected(self) -> str:
        named = ", ".join(f"{i} ({name})" for i, (_, _, name) in enumerate(self.entries))
        return f"the index of an entry: {named}"


@lru_cache(maxsize=512)
def _odds(dice: int, sides: int, bounds: Bounds) -> Odds:
    """The odds of each entry, given the sums that belong to it."""
    ways = [1]
    for _ in range(dice):
        ways = one_more_die(ways, sides)
    return weighed(enumerate(sum(ways[low - dice : high - dice + 1]) for low, high in bounds), sides**dice)
