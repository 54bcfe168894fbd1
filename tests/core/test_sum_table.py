"""Sums of dice read off a table."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from tactician.rules.core.chance import DiceError
from tactician.rules.core.sum_table import SumTable

RALLY = SumTable(why="rally", entries=((2, 2, "acts"), (3, 7, "rallies"), (8, 11, "fails"), (12, 12, "despairs")))


def test_odds_are_those_of_all_sequences() -> None:
    for dice, sides in ((1, 6), (2, 6), (3, 4)):
        low, high = dice, dice * sides
        for cut in range(low, high):
            roll = SumTable(why="x", dice=dice, sides=sides, entries=((low, cut, "low"), (cut + 1, high, "high")))
            lows = sum(sum(faces) <= cut for faces in product(range(1, sides + 1), repeat=dice))
            assert roll.exact() == ((0, Fraction(lows, sides**dice)), (1, 1 - Fraction(lows, sides**dice)))


def test_faces_are_summed_and_named() -> None:
    assert [RALLY.tell(RALLY.read(faces)) for faces in ((1, 1), (6, 1), (6, 2), (6, 6))] == [
        "acts",
        "rallies",
        "fails",
        "despairs",
    ]
    assert RALLY.to_throw() == (6, 6)
    assert RALLY.ask() == "roll 2D6, sum up: 2 acts, 3-7 rallies, 8-11 fails, 12 despairs"
    assert RALLY.sample(Random(1)) in (0, 1, 2, 3)


def test_an_outcome_that_cannot_happen_is_refused() -> None:
    with pytest.raises(DiceError, match=r"rally: outcome 4, expected the index of an entry: 0 \(acts\)"):
        RALLY.accept(4)
    with pytest.raises(DiceError, match="1 face given, expected 2"):
        RALLY.read((3,))


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        (((2, 6, "a"), (8, 12, "b")), "entry 'b' covers 8-12, expected it to begin at 7"),
        (((2, 6, "a"),), "no entry covers sums from 7"),
        (((2, 13, "a"),), "end by 12"),
    ],
)
def test_every_sum_has_one_entry(entries: tuple[tuple[int, int, str], ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SumTable(why="x", entries=entries)


def test_there_are_dice() -> None:
    with pytest.raises(ValueError, match="0 dice of 6 sides"):
        SumTable(why="x", dice=0, entries=((0, 0, "a"),))
