"""Distances by eye: what somebody thinks who may not measure.

Where the rules forbid measuring before declaring, a distance between an own and an enemy unit is told, and used, as an
estimate: the true one times 1 + 0.05 z, where z is standard normal and depends on who looks, on the turn and on
the two units alone. The same eye so sees the same distance however often it looks, in every process.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from math import cos, log, pi, sqrt

from tactician.rules.core.measure import TOL, Inches, snap
from tactician.rules.core.ruleset import Ruleset, may_measure
from tactician.rules.core.shapes import length
from tactician.rules.core.state import State, gap

__all__ = [
    "EXACT",
    "SPREAD",
    "Measure",
    "about",
    "by_eye",
    "chance_within",
    "imagined",
    "measure_of",
    "pictured",
    "seen",
]

SPREAD = 0.05
"""Standard deviation of an estimate, as a part of the distance."""

STEP = 2.0**-53
"""Between neighbouring numbers drawn from 0 to 1."""

DECIMALS = 9
"""Of z, so that the last bits of a logarithm make no difference between machines."""


def by_eye(gap: Inches, seed: int, turn: int, pair: tuple[str, str]) -> Inches:
    """A distance as somebody estimates it.

    Args:
        gap: the true distance.
        seed: of whoever looks.
        turn: the game turn.
        pair: ids of the two units, in either order.
    """
    return gap * _factor(seed, turn, *sorted(pair))


@lru_cache(maxsize=4096)
def _factor(seed: int, turn: int, first: str, second: str) -> float:
    """1 + SPREAD z, z by the method of Box and Muller, 1958, out of a hash."""
    digest = sha256(repr((seed, turn, first, second)).encode()).digest()
    u, v = ((int.from_bytes(part, "big") >> 11) * STEP for part in (digest[:8], digest[8:16]))
    z = round(sqrt(-2.0 * log(1.0 - u)) * cos(2.0 * pi * v), DECIMALS)
    return 1.0 + SPREAD * z


def about(inches: Inches) -> str:
    """An estimate in words, to the whole inch.

    >>> about(10.83)
    'about 11'
    """
    return f"about {round(inches)}"


def chance_within(estimate: Inches, limit: Inches) -> float:
    """How likely it is that the true distance is no more than a limit, for whoever has only the estimate."""
    from statistics import NormalDist

    if estimate <= TOL:
        return 1.0
    return 1.0 - NormalDist().cdf((estimate / limit - 1.0) / SPREAD) if limit > 0.0 else 0.0


@dataclass(frozen=True, slots=True)
class Measure:
    """What somebody knows of distances between own and enemy units: the tape's answer, or his eye's."""

    exact: bool = True
    seed: int = 0
    """Of whoever looks."""
    turn: int = 0

    def factor(self, unit: str, other: str) -> float:
        """What true distances between two units are multiplied by."""
        return 1.0 if self.exact else _factor(self.seed, self.turn, *sorted((unit, other)))

    def gap(self, gap: Inches, unit: str, other: str) -> Inches:
        """A distance between two units as it is known."""
        return gap if self.exact else by_eye(gap, self.seed, self.turn, (unit, other))


EXACT = Measure()
"""The tape's answer."""


def measure_of(ruleset: Ruleset, state: State, seed: int = 0) -> Measure:
    """What may be known of distances in a moment: everything, or what the eye of a seed sees.

    Args:
        ruleset: the game.
        state: the moment.
        seed: of whoever looks; pages and commands look with 0.
    """
    return EXACT if may_measure(ruleset, state) else Measure(False, seed, state.round)


def seen(state: State, unit: str, other: str, measure: Measure) -> State:
    """The moment as whoever looks imagines it about one pair: the other unit shifted to where the eye puts it.

    It is shifted as it stands, along the line between the nearest models, until their gap is the estimate.
    """
    mine, theirs = state.unit(unit), state.unit(other)
    if measure.exact or not mine.models or not theirs.models:
        return state
    rows = [
        (gap(state, a.pose, mine.radius, b.pose, theirs.radius), a.id, b.id, a.pose, b.pose)
        for a in mine.models
        for b in theirs.models
    ]
    apart, _, _, start, end = min(rows, key=lambda row: row[:3])
    away = length(end.x - start.x, end.y - start.y)
    if away <= TOL:
        return state
    far = (measure.gap(apart, unit, other) - apart) / away
    dx, dy = snap((end.x - start.x) * far), snap((end.y - start.y) * far)
    moved = {one.id: one.pose._replace(x=one.pose.x + dx, y=one.pose.y + dy) for one in theirs.models}
    return state.with_unit(theirs.moved(moved))


def pictured(state: State, side: str, measure: Measure) -> State:
    """The moment as a side imagines it as a whole: every enemy stands where the own unit nearest to him sees him."""
    if measure.exact:
        return state
    here = state
    for other in state.against(side):
        rows = [
            (min(length(a.pose.x - b.pose.x, a.pose.y - b.pose.y) for a in mine.models for b in other.models), mine.id)
            for mine in state.of(side)
            if mine.models and other.models
        ]
        if rows:
            here = seen(here, min(rows)[1], other.id, measure)
    return here


def imagined(state: State, unit: str, measure: Measure) -> State:
    """The moment as whoever looks imagines it about one unit: every enemy of it shifted to where the eye puts him."""
    if measure.exact:
        return state
    for other in state.against(state.unit(unit).side):
        state = seen(state, unit, other.id, measure)
    return state
