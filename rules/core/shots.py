"""Shots within a volley: what is thrown for them, step by step, and the numbers that decide their odds.

Whatever is known about a step stands here once: the odds multiply what the steps say, and a person at a table throws
them (`tactician.rules.core.volley`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import ClassVar

from tactician.rules.core.odds import one_more_die
from tactician.rules.core.volley_odds import GroupOdds

__all__ = ["Burst", "Check", "Damage", "Harm", "Shots", "Step", "group_odds", "steps_of"]

SIDES = 6
"""Of the dice that hit, burst, wound and save."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """Wounds that one unsaved wound takes: some equal dice and a number.

    >>> str(Damage(dice=2, sides=12)), str(Damage(add=1)), str(Damage(dice=1, sides=4, add=2))
    ('2D12', '1', '1D4+2')

    Raises:
        ValueError: it could be less than 1.
    """

    dice: int = 0
    sides: int = SIDES
    add: int = 0

    def __post_init__(self) -> None:
        """Refuse numbers that describe no damage."""
        if self.dice < 0 or self.sides < 1 or self.least < 1:
            raise ValueError(f"damage {self.dice}D{self.sides}{self.add:+d}, expected at least 1 whatever it shows")

    @property
    def least(self) -> int:
        """The smallest that can come up."""
        return self.dice + self.add

    def __str__(self) -> str:
        """As dice are written."""
        thrown = f"{self.dice}D{self.sides}" if self.dice else ""
        return thrown + (f"{self.add:+d}" if thrown and self.add else "" if thrown else f"{self.add}")


ONE_WOUND = Damage(add=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shots:
    """Equal shots within a volley.

    A threshold is the least that a die must show: 1 or less always succeeds, more than the dice can show never does.

    Raises:
        ValueError: negative numbers, or a die for sustained fire without a hit on it.
    """

    name: str
    """Of the weapon, as printed."""
    count: int
    """Shots; none is legal."""
    hit: tuple[int, ...] | None = ()
    """Thresholds that must be made one after another, () for shots that hit by themselves, None for no chance."""
    sustained: int = 0
    """Dice for sustained fire thrown for each hit; their sum is the number of hits. 0: the hit counts once."""
    sustained_die: tuple[int, ...] = ()
    """Hits on each face of such a die, 0 being a jam."""
    wound: int | None
    """Threshold to wound, None for no chance."""
    save: int | None = None
    """Threshold to save, None for no save."""
    save_dice: int = 1
    """Dice summed up for each save."""
    damage: Damage = ONE_WOUND
    most: int | None = None
    """Models that these shots can remove at most; further wounds of theirs are lost. None: any number."""

    def __post_init__(self) -> None:
        """Refuse numbers that describe no shots."""
        if min(self.count, self.sustained, 0 if self.most is None else self.most) < 0 or self.save_dice < 1:
            raise ValueError(
                f"{self.name}: {self.count} shots, {self.sustained} dice for sustained fire, {self.save_dice} for a "
                f"save, at most {self.most} models: expected no negative number, and at least one die for a save"
            )
        faces = self.sustained_die
        if (faces or self.sustained) and (not faces or min(faces) < 0 or max(faces) < 1):
            raise ValueError(f"{self.name}: a die for sustained fire with {self.sustained_die}, expected hits on it")


# ---- the steps of a group --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Check:
    """Dice of which some go on."""

    noun: str
    """What those that make it are, as printed: "hits"."""
    least: int | None
    """Threshold, None for what the dice never show."""
    dice: int = 1
    """Summed up for each of those under way."""
    stops: bool = False
    """Whether those that make it are out, as with a save."""

    def passes(self) -> Fraction:
        """Chance to go on."""
        made = _chance(self.dice, self.least)
        return 1 - made if self.stops else made

    def sides(self, number: int) -> tuple[int, ...]:
        """Of each die to throw for so many under way."""
        return (SIDES,) * (self.dice * number)

    def going_on(self, faces: Sequence[int]) -> int:
        """How many go on."""
        assert self.least is not None
        sums = [sum(faces[at : at + self.dice]) for at in range(0, len(faces), self.dice)]
        made = sum(total >= self.least for total in sums)
        return len(sums) - made if self.stops else made

    def ask(self, number: int) -> tuple[str, str]:
        """What to throw for so many under way, and how it is read."""
        least = f"{self.least}" if self.least == SIDES * self.dice else f"{self.least} or more"
        return f"{_times(number, self.dice)}D{SIDES}", f"each{' sum of' if self.dice > 1 else ''} {least}"


@dataclass(frozen=True, slots=True)
class Burst:
    """Dice that say how often each hit counts."""

    dice: int
    die: tuple[int, ...]
    noun: ClassVar[str] = "sustained fire"

    def sides(self, number: int) -> tuple[int, ...]:
        """Of each die to throw for so many hits."""
        return (len(self.die),) * (self.dice * number)

    def ask(self, number: int) -> tuple[str, str]:
        """What to throw for so many hits, and how it is read."""
        faces: dict[int, list[int]] = {}
        for face, hits in enumerate(self.die, start=1):
            faces.setdefault(hits, []).append(face)
        read = [
            f"{' or '.join(map(str, shown))} is {f'{hits} hit' + 's' * (hits > 1) if hits else 'a jam'}"
            for hits, shown in faces.items()
        ]
        return f"{self.dice * number}D{len(self.die)}", ", ".join(read)


@dataclass(frozen=True, slots=True)
class Harm:
    """Dice that say how many wounds each unsaved wound takes."""

    damage: Damage
    noun: ClassVar[str] = "damage"

    def sides(self, number: int) -> tuple[int, ...]:
        """Of each die to throw for so many unsaved wounds."""
        return (self.damage.sides,) * (self.damage.dice * number)

    def ask(self, number: int) -> tuple[str, str]:
        """What to throw for so many unsaved wounds, and how it is read."""
        dice, add = self.damage.dice, self.damage.add
        read = ["each against the first model standing"]
        if add:
            read.append(f"{abs(add)} {'more' if add > 0 else 'less'} than it shows")
        return f"{_times(number, dice)}D{self.damage.sides}", ", ".join(read)


Step = Check | Burst | Harm


def _times(number: int, dice: int) -> str:
    return f"{number}" if dice == 1 else f"{number} times {dice}" if number > 1 else f"{dice}"


@lru_cache(maxsize=512)
def _chance(dice: int, least: int | None) -> Fraction:
    """Chance that the sum of dice is at least so much; None for what they never show."""
    if least is None:
        return Fraction(0)
    ways = [1]
    for _ in range(dice):
        ways = one_more_die(ways, SIDES)
    return Fraction(sum(ways[max(0, least - dice) :]), SIDES**dice)


@lru_cache(maxsize=512)
def steps_of(shots: Shots) -> tuple[Step, ...]:
    """What is thrown for shots, one after another."""
    bursts = (Burst(shots.sustained, shots.sustained_die),) if shots.sustained else ()
    return (*_hits(shots), *bursts, *_harms(shots), Harm(shots.damage))


def _hits(shots: Shots) -> tuple[Check, ...]:
    """What a shot must make to hit."""
    if shots.hit is None:
        return (Check("hits", None),)
    return tuple(Check("hits once more" if place else "hits", least) for place, least in enumerate(shots.hit))


def _harms(shots: Shots) -> tuple[Check, ...]:
    """What a hit must make to be an unsaved wound."""
    saves = () if shots.save is None else (Check("saves", shots.save, shots.save_dice, stops=True),)
    return (Check("wounds", shots.wound), *saves)


@lru_cache(maxsize=1024)
def group_odds(shots: Shots) -> GroupOdds:
    """What decides the odds of shots."""
    return GroupOdds(
        count=shots.count,
        hit=prod((check.passes() for check in _hits(shots)), start=Fraction(1)),
        bursts=shots.sustained,
        burst_die=shots.sustained_die if shots.sustained else (),
        harm=prod((check.passes() for check in _harms(shots)), start=Fraction(1)),
        damage=(shots.damage.dice, shots.damage.sides, shots.damage.add),
        most=shots.most,
    )
