"""The odds of a volley, exact: how many models fall, how much the next one has lost, how many guns jam.

A shot is a polynomial in two unknowns, one counting wounds that no save stopped, one counting jams; equal shots are a
power of it. The polynomial is packed into one large integer, a slot of bits for each coefficient (Kronecker
substitution, see von zur Gathen and Gerhard, "Modern Computer Algebra", section 8.4), so the power is a single
multiplication chain of integers. The wounds then strike model after model, a walk of as many steps as can matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd

from tactician.rules.core.odds import Odds, one_more_die, weighed

__all__ = ["GroupOdds", "strike", "useful_strikes", "volley_odds"]

Struck = tuple[int, int]
"""Models removed, and wounds that the first one standing has lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupOdds:
    """What decides the odds of some equal shots."""

    count: int
    hit: Fraction
    """Chance of each to hit."""
    bursts: int
    """Dice that say how often a shot that hits has hit; 0: once."""
    burst_die: tuple[int, ...]
    """Number of hits on each face of such a die, 0 being a jam."""
    harm: Fraction
    """Chance of each hit to become a wound that no save stops."""
    damage: tuple[int, int, int]
    """Wounds that it takes: dice, their sides, and what is added."""
    most: int | None
    """Models that the shots can remove at most."""


def strike(models: Sequence[int], limit: int, struck: Struck, damage: int) -> Struck:
    """What one more unsaved wound does: it strikes the first model standing, and what is beyond that model is lost.

    Args:
        models: wounds that each model had left, in the order in which they fall.
        limit: how many may be removed in all.
        struck: how things stand.
        damage: wounds that it takes.
    """
    removed, lost = struck
    if removed >= limit:
        return struck
    return (removed + 1, 0) if lost + damage >= models[removed] else (removed, lost + damage)


def useful_strikes(models: Sequence[int], limit: int, struck: Struck, least: int) -> int:
    """How many unsaved wounds can matter at most, when each takes at least so many wounds (1 or more)."""
    removed, lost = struck
    standing = [models[at] - (lost if at == removed else 0) for at in range(removed, limit)]
    return sum(-(-wounds // least) for wounds in standing)


@lru_cache(maxsize=1024)
def volley_odds(groups: tuple[GroupOdds, ...], models: tuple[int, ...]) -> Odds:
    """The odds of groups of shots, one after another, at models with so many wounds left, first to fall first.

    Returns:
        Odds of: models removed, wounds lost by the first one standing, jams of each group that bursts.
    """
    here: dict[Struck, dict[tuple[int, ...], int]] = {(0, 0): {(): 1}}
    total = 1
    for group in groups:
        rows, of = _wound_ways(group.count, group.hit, group.bursts, group.burst_die, group.harm)
        damage, each = _damage_ways(group.damage, max(models))
        deep = len(rows[0]) - 1
        limits = {start: _limit(models, start, group.most) for start in here}
        deep = min(deep, max(useful_strikes(models, limits[start], start, damage[0][0]) for start in here))
        scaled = [_scaled(row, deep, each) for row in rows]
        after: dict[Struck, dict[tuple[int, ...], int]] = {}
        for start, before in here.items():
            landed = _landed(models, limits[start], start, damage, deep)
            for jams, row in enumerate(scaled):
                _add(after, _ends(row, landed), before, (jams,) if group.bursts else ())
        here, total = after, total * of * each**deep
    ways = [((*struck, *jams), number) for struck, row in here.items() for jams, number in row.items()]
    return weighed(sorted(ways), total)


def _limit(models: Sequence[int], start: Struck, most: int | None) -> int:
    return len(models) if most is None else min(len(models), start[0] + most)


@lru_cache(maxsize=1024)
def _wound_ways(
    count: int, hit: Fraction, bursts: int, burst_die: tuple[int, ...], harm: Fraction
) -> tuple[tuple[tuple[int, ...], ...], int]:
    """Ways of each number of unsaved wounds for each number of jams, and how many ways there are in all."""
    die, dice = (burst_die, bursts) if bursts else ((1,), 1)
    top = max(die)
    whole = harm.denominator**top
    everything = (len(die) * whole) ** dice
    total = (hit.denominator * everything) ** count
    width = total.bit_length() // 8 + 1  # bytes of a slot; no coefficient is larger than their sum
    wounds, jams = top * dice * count + 1, dice * count + 1 if 0 in die else 1
    one_wound, one_jam = 1 << 8 * width, 1 << 8 * width * wounds
    one_hit = harm.denominator - harm.numerator + harm.numerator * one_wound
    thrown = sum(one_hit**face * harm.denominator ** (top - face) if face else one_jam * whole for face in die)
    shot = (hit.denominator - hit.numerator) * everything + hit.numerator * thrown**dice
    raw = (shot**count).to_bytes(width * wounds * jams, "little")
    slots = [int.from_bytes(raw[at : at + width], "little") for at in range(0, len(raw), width)]
    return tuple(tuple(slots[at : at + wounds]) for at in range(0, len(slots), wounds)), total


@lru_cache(maxsize=256)
def _damage_ways(damage: tuple[int, int, int], enough: int) -> tuple[tuple[tuple[int, int], ...], int]:
    """Ways of each damage in ascending order, and how many there are in all; more than `enough` counts as enough."""
    dice, sides, add = damage
    ways = [1]
    for _ in range(dice):
        ways = one_more_die(ways, sides)
    found: dict[int, int] = {}
    for value, number in enumerate(ways, start=dice + add):
        found[min(value, enough)] = found.get(min(value, enough), 0) + number
    shared = gcd(*found.values())
    return tuple((value, number // shared) for value, number in sorted(found.items())), sides**dice // shared


def _scaled(row: Sequence[int], deep: int, each: int) -> list[int]:
    """Ways of each number of strikes up to those that matter, brought to a common denominator."""
    capped = [*row[:deep], sum(row[deep:])]
    return [number * each ** (deep - strikes) if number else 0 for strikes, number in enumerate(capped)]


def _landed(
    models: Sequence[int], limit: int, start: Struck, damage: Sequence[tuple[int, int]], deep: int
) -> list[dict[Struck, int]]:
    """Ways of where things stand after no strike, one strike and so on."""
    found = [{start: 1}]
    for _ in range(deep):
        after: dict[Struck, int] = {}
        for struck, number in found[-1].items():
            for value, ways in damage:
                end = strike(models, limit, struck, value)
                after[end] = after.get(end, 0) + number * ways
        found.append(after)
    return found


def _ends(row: Sequence[int], landed: Sequence[dict[Struck, int]]) -> dict[Struck, int]:
    """Ways of where things stand in the end, over all numbers of strikes."""
    ends: dict[Struck, int] = {}
    for number, struck in zip(row, landed, strict=True):
        for end, ways in struck.items() if number else ():
            ends[end] = ends.get(end, 0) + number * ways
    return ends


def _add(
    after: dict[Struck, dict[tuple[int, ...], int]],
    ends: dict[Struck, int],
    before: dict[tuple[int, ...], int],
    tail: tuple[int, ...],
) -> None:
    """Join the ends of a group with the jams of those before it."""
    for end, ways in ends.items():
        into = after.setdefault(end, {})
        for jams, share in before.items():
            key = (*jams, *tail)
            into[key] = into.get(key, 0) + share * ways
