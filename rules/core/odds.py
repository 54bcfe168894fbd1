"""The odds of dice, exact and in closed form.

Ten dice have sixty million sequences, but only eleven numbers of successes: nothing here walks through sequences. Ways
are counted in whole numbers first and divided once, so that every probability is a fraction without error. The results
are cached by the numbers that decide them, never by what a roll is for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import comb

__all__ = ["Odds", "Outcome", "faces_odds", "one_more_die", "successes_odds", "table_odds", "total_odds", "weighed"]

Outcome = int | tuple[int, ...]
"""What a roll comes to; survives JSON (a tuple comes back as a list, which `Roll.accept` turns into a tuple again)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """The outcomes that can happen, in ascending order: with fractions, with floats, and as a set for membership."""

    exact: tuple[tuple[Outcome, Fraction], ...]
    support: tuple[tuple[Outcome, float], ...]
    outcomes: frozenset[Outcome]


@lru_cache(maxsize=512)
def total_odds(dice: int, sides: int, add: int, lowest: int, highest: int) -> Odds:
    """The odds of the sum of equal dice plus a number, `lowest` and `highest` counting the dice that are left out."""
    if lowest or highest:
        ways = _kept_ways(dice, sides, lowest, highest)
    else:
        ways = [1]
        for _ in range(dice):
            ways = one_more_die(ways, sides)
    return weighed(enumerate(ways, start=dice - lowest - highest + add), sides**dice)


@lru_cache(maxsize=512)
def successes_odds(dice: int, sides: int, lucky: int) -> Odds:
    """The odds of the number of dice that show one of `lucky` faces: the binomial distribution."""
    ways = ((k, comb(dice, k) * lucky**k * (sides - lucky) ** (dice - k)) for k in range(dice + 1))
    return weighed(ways, sides**dice)


@lru_cache(maxsize=512)
def faces_odds(dice: int, sides: int, widths: tuple[int, ...]) -> Odds:
    """The odds of how many dice fall in each band with so many faces: the multinomial distribution."""
    return weighed(_face_ways(dice, widths, sides - sum(widths)), sides**dice)


@lru_cache(maxsize=512)
def table_odds(sides: int, widths: tuple[int, ...]) -> Odds:
    """The odds of each entry of a table, given how many faces of the die belong to it."""
    return weighed(enumerate(widths), sides)


def one_more_die(ways: Sequence[int], sides: int) -> list[int]:
    """In how many ways each sum comes up once a die is added, by a sliding sum over what was there before.

    Args:
        ways: number of ways of each sum, from the smallest possible sum upwards without gaps; not empty.
        sides: of the added die.

    Returns:
        The new ways, again from the smallest possible sum upwards (which has grown by the 1 of the die).
    """
    up_to = list(accumulate(ways))
    reached = up_to + [up_to[-1]] * (sides - 1)
    passed = [0] * sides + up_to[:-1]
    return [high - low for high, low in zip(reached, passed, strict=True)]


def _kept_ways(dice: int, sides: int, lowest: int, highest: int) -> list[int]:
    """Ways of each sum of the dice that are kept, from the smallest sum upwards.

    Deals the faces out in ascending order, so that the dice placed first are the lowest ones; all sums of a step are
    held in one large integer, a slot of bits for each sum (Kronecker substitution, see von zur Gathen and Gerhard,
    "Modern Computer Algebra", section 8.4).
    """
    width = ((sides**dice).bit_length() + 7) // 8
    packed = [1] + [0] * dice
    for pips in range(sides):  # counted from 0, so that the smallest sum is slot 0
        after = [0] * (dice + 1)
        for placed, sums in enumerate(packed):
            for more in range(dice - placed + 1) if sums else ():
                kept = max(0, min(placed + more, dice - highest) - max(placed, lowest))
                after[placed + more] += (sums * comb(dice - placed, more)) << (8 * width * pips * kept)
        packed = after
    slots = (dice - lowest - highest) * (sides - 1) + 1
    raw = packed[dice].to_bytes(width * slots, "little")
    return [int.from_bytes(raw[at : at + width], "little") for at in range(0, len(raw), width)]


def _face_ways(left: int, widths: tuple[int, ...], rest: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Ways of each tuple of counts in bands with so many faces, `rest` faces being in none of them."""
    if not widths:
        yield (), rest**left
        return
    for count in range(left + 1 if widths[0] else 1):
        head = comb(left, count) * widths[0] ** count
        for tail, ways in _face_ways(left - count, widths[1:], rest):
            yield (count, *tail), head * ways


def weighed(ways: Iterable[tuple[Outcome, int]], total: int) -> Odds:
    """Odds from ways out of a total, in ascending order of the outcome; what has no way is left out."""
    exact = tuple((outcome, Fraction(number, total)) for outcome, number in ways if number)
    support = tuple((outcome, float(fraction)) for outcome, fraction in exact)
    return Odds(exact=exact, support=support, outcomes=frozenset(outcome for outcome, _ in exact))
