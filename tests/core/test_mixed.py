"""Rolls of which each die counts."""

from __future__ import annotations

import doctest
import itertools
import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest
from tactician.rules.core import mixed
from tactician.rules.core.chance import DiceError, Outcome, Roll
from tactician.rules.core.mixed import Die, Mixed, Shown

REACH = ("2", "4", "6", "8", "10", "misfire")
DRIFT = Mixed(why="drift", dice=(Die(name="direction", sides=12), Die(name="distance", marks=REACH)))
ATTACK = Shown(why="attack dice", dice=3)

ROLLS: tuple[Shown | Mixed, ...] = (
    DRIFT,
    ATTACK,
    Shown(why="small", dice=2, sides=3),
    Shown(why="none", dice=0),
    Mixed(why="one", dice=(Die(name="way", sides=4),)),
    Mixed(why="three", dice=(Die(name="a", sides=2), Die(name="b", sides=3), Die(name="c", sides=2))),
)
EACH = pytest.mark.parametrize("roll", ROLLS, ids=lambda roll: roll.why.replace(" ", "_"))


@EACH
def test_odds_agree_with_throwing_every_sequence(roll: Roll) -> None:
    throws = list(itertools.product(*(range(1, sides + 1) for sides in roll.to_throw())))
    counted = Counter(roll.read(faces) for faces in throws)
    assert dict(roll.exact()) == {outcome: Fraction(number, len(throws)) for outcome, number in counted.items()}
    assert sum(share for _, share in roll.exact()) == 1
    outcomes = [outcome for outcome, _ in roll.support()]
    assert outcomes == sorted(set(outcomes))
    assert len({roll.tell(outcome) for outcome in outcomes}) == len(outcomes)


@EACH
def test_samples_come_as_often_as_the_odds_say(roll: Roll) -> None:
    draws, source = 3000, random.Random(5)
    seen = Counter(roll.sample(source) for _ in range(draws))
    for outcome, weight in roll.support():
        assert abs(seen[outcome] - draws * weight) <= 4.5 * (draws * weight * (1 - weight)) ** 0.5 + 1e-9
        assert roll.accept(json.loads(json.dumps(outcome))) == outcome


@pytest.mark.parametrize(
    ("roll", "faces", "outcome", "told"),
    [
        (DRIFT, [7, 5], (7, 5), "direction 7, distance 10"),
        (DRIFT, [12, 6], (12, 6), "direction 12, distance misfire"),
        (ATTACK, [6, 1, 6], (1, 0, 0, 0, 0, 2), "shows 1, 6, 6"),
        (ROLLS[3], [], (0,) * 6, "shows nothing"),
    ],
)
def test_thrown_faces_are_read_and_told(roll: Roll, faces: list[int], outcome: Outcome, told: str) -> None:
    assert roll.read(faces) == outcome
    assert roll.tell(outcome) == told


def test_a_person_is_told_what_to_throw() -> None:
    marks = "1 is 2, 2 is 4, 3 is 6, 4 is 8, 5 is 10, 6 is misfire"
    assert DRIFT.ask() == f"roll 1D12 for direction, then 1D6 for distance ({marks})"
    assert ATTACK.ask() == "roll 3D6, each counts by itself"
    assert ROLLS[3].ask() == "nothing to roll"


@pytest.mark.parametrize(
    ("roll", "faces", "words"),
    [
        (DRIFT, [12], "1 face given, expected 2"),
        (DRIFT, [13, 1], "die 1 shows 13, expected a whole number from 1 to 12"),
        (DRIFT, [1, 7], "die 2 shows 7, expected a whole number from 1 to 6"),
        (ATTACK, [1, 2], "2 faces given, expected 3"),
    ],
)
def test_faces_that_do_not_fit_are_refused(roll: Roll, faces: list[int], words: str) -> None:
    with pytest.raises(DiceError, match=words):
        roll.read(faces)


@pytest.mark.parametrize(
    ("roll", "bad", "words"),
    [
        (DRIFT, [0, 1], "expected 1 to 12 for direction, 1 to 6 for distance"),
        (DRIFT, 4, "expected 1 to 12"),
        (ATTACK, [1, 0, 0, 0, 0, 1], "expected 6 counts, one for each face, 3 together"),
        (ATTACK, [3], "expected 6 counts"),
    ],
)
def test_an_outcome_that_cannot_happen_is_refused(roll: Roll, bad: object, words: str) -> None:
    with pytest.raises(DiceError, match=words):
        roll.accept(bad)


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: Shown(why="x", dice=-1), "-1 dice with 6 sides"),
        (lambda: Shown(why="x", dice=1, sides=0), "1 dice with 0 sides"),
        (lambda: Mixed(why="x", dice=()), "no dice"),
        (lambda: Die(name="way", sides=0), "D0"),
        (lambda: Die(name="way", marks=("a", "b")), "D6 with 2 marks"),
    ],
)
def test_numbers_that_describe_no_throw_are_refused(build: Callable[[], object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        build()


@EACH
def test_rolls_are_slotted_values_that_share_their_odds(roll: Shown | Mixed) -> None:
    other = replace(roll, why="another reason")
    assert not hasattr(roll, "__dict__")
    assert other.support() is roll.support()
    assert hash(roll) == hash(replace(roll))


def test_examples_run() -> None:
    assert doctest.testmod(mixed).failed == 0
