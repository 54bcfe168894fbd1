"""Rolls of which each die counts: how many of some equal dice show each face, or what each of some unlike ones shows.

Both are questions to the dice like those of `tactician.rules.core.chance`; they are for rules that look at single dice,
such as the best of several together with the number of sixes, or a direction together with a distance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod
from typing import ClassVar

from tactician.rules.core.chance import Outcome, Throw
from tactician.rules.core.odds import Odds, faces_odds, weighed

__all__ = ["Die", "Mixed", "Shown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown(Throw):
    """How many of some equal dice show each face; the outcome is the tuple of counts, from face 1 upwards.

    >>> attack = Shown(why="attack dice", dice=3)
    >>> attack.read([6, 1, 6]), attack.tell((1, 0, 0, 0, 0, 2))
    ((1, 0, 0, 0, 0, 2), 'shows 1, 6, 6')

    Raises:
        ValueError: a negative number of dice, or a die without sides.
    """

    kind: ClassVar[str] = "shown"

    dice: int
    """How many; none is legal and has one outcome."""
    sides: int = 6
    """Of each die."""

    def __post_init__(self) -> None:
        """Refuse numbers that describe no throw."""
        if self.dice < 0 or self.sides < 1:
            raise ValueError(f"{self.dice} dice with {self.sides} sides, expected none or more with at least 1")

    def to_throw(self) -> tuple[int, ...]:
        """Number of sides of each die that a person has to throw."""
        return (self.sides,) * self.dice

    def ask(self) -> str:
        """One sentence that tells a person at a table what to throw."""
        return f"roll {self.dice}D{self.sides}, each counts by itself" if self.dice else "nothing to roll"

    def tell(self, outcome: Outcome) -> str:
        """An outcome in words: the faces in ascending order."""
        counts = self.accept(outcome)
        assert isinstance(counts, tuple)
        faces = [str(face) for face, count in enumerate(counts, start=1) for _ in range(count)]
        return f"shows {', '.join(faces) or 'nothing'}"

    def _odds(self) -> Odds:
        return faces_odds(self.dice, self.sides, (1,) * self.sides)

    def _read(self, faces: Sequence[int]) -> Outcome:
        return tuple(sum(shown == face for shown in faces) for face in range(1, self.sides + 1))

    def _expected(self) -> str:
        return f"{self.sides} counts, one for each face, {self.dice} together"


@dataclass(frozen=True, slots=True, kw_only=True)
class Die:
    """One die among others.

    Raises:
        ValueError: a die without sides, or marks for another number of sides.
    """

    name: str
    """What it decides, as printed: "direction"."""
    sides: int = 6
    marks: tuple[str, ...] = ()
    """What stands for each face from 1 upwards, such as "misfire"; the numbers themselves if empty."""

    def __post_init__(self) -> None:
        """Refuse numbers that describe no die."""
        if self.sides < 1 or len(self.marks) not in (0, self.sides):
            raise ValueError(f"{self.name}: D{self.sides} with {len(self.marks)} marks, expected none or one a side")

    def mark(self, face: int) -> str:
        """What stands for a face."""
        return self.marks[face - 1] if self.marks else str(face)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixed(Throw):
    """Several dice, unlike or not, each of which decides something else; the outcome is the tuple of their faces.

    >>> drift = Mixed(why="drift", dice=(Die(name="clock", sides=12), Die(name="way", sides=2, marks=("2", "none"))))
    >>> drift.ask(), drift.tell((7, 2))
    ('roll 1D12 for clock, then 1D2 for way (1 is 2, 2 is none)', 'clock 7, way none')

    Raises:
        ValueError: no dice.
    """

    kind: ClassVar[str] = "mixed"

    dice: tuple[Die, ...]
    """In the order in which their faces are given."""

    def __post_init__(self) -> None:
        """Refuse a roll of nothing."""
        if not self.dice:
            raise ValueError(f"{self.why}: no dice, expected at least one")

    def to_throw(self) -> tuple[int, ...]:
        """Number of sides of each die that a person has to throw."""
        return tuple(die.sides for die in self.dice)

    def ask(self) -> str:
        """One sentence that tells a person at a table what to throw."""
        parts = []
        for die in self.dice:
            marks = ", ".join(f"{face} is {mark}" for face, mark in enumerate(die.marks, start=1) if mark != str(face))
            parts.append(f"1D{die.sides} for {die.name}" + (f" ({marks})" if marks else ""))
        return f"roll {', then '.join(parts)}"

    def tell(self, outcome: Outcome) -> str:
        """An outcome in words: what stands for the face of each die."""
        faces = self.accept(outcome)
        assert isinstance(faces, tuple)
        return ", ".join(f"{die.name} {die.mark(face)}" for die, face in zip(self.dice, faces, strict=True))

    def _odds(self) -> Odds:
        return _mixed_odds(self.to_throw())

    def _read(self, faces: Sequence[int]) -> Outcome:
        return tuple(faces)

    def _expected(self) -> str:
        return ", ".join(f"1 to {die.sides} for {die.name}" for die in self.dice)


@lru_cache(maxsize=64)
def _mixed_odds(sides: tuple[int, ...]) -> Odds:
    """The odds of the faces of some dice: all equal."""
    faces = product(*(range(1, most + 1) for most in sides))
    return weighed(((shown, 1) for shown in faces), prod(sides))
