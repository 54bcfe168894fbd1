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
from hypothesis import given, settings
from hypothesis import strategies as st
from tactician.rules.core import chance, odds
from tactician.rules.core.chance import DiceError, Faces, Outcome, Roll, Successes, Table, Total
from tactician.rules.core.odds import one_more_die

SHOTS = (("critical", 1, 1), ("lock", 2, 3))
MORALE = ((1, 3, "stands"), (4, 5, "falls back"), (6, 6, "runs"))

ROLLS: tuple[Roll, ...] = (
    Total(why="a test", dice=2),
    Total(why="a march", dice=1, add=4),
    Total(why="a test on a D3", dice=1, sides=3, add=-2),
    Total(why="a charge", dice=3, drop_lowest=1),
    Total(why="the middle die", dice=5, sides=4, drop_lowest=2, drop_highest=2),
    Total(why="nothing", dice=0, add=3),
    Successes(why="wounds", dice=5, at_least=4),
    Successes(why="tests", dice=3, sides=10, at_most=7),
    Successes(why="always", dice=3, at_least=1),
    Successes(why="never", dice=3, at_least=7),
    Successes(why="nobody", dice=0, at_most=3),
    Faces(why="shots", dice=4, bands=SHOTS),
    Faces(why="all named", dice=3, bands=(("low", 1, 3), ("high", 4, 6))),
    Faces(why="an empty band", dice=3, bands=(("critical", 1, 1), ("lock", 2, 1))),
    Faces(why="nobody", dice=0, bands=SHOTS),
    Table(why="morale", entries=MORALE),
    Table(why="coin", sides=2, entries=((2, 2, "tails"), (1, 1, "heads"))),
)
BY_NAME = pytest.mark.parametrize("roll", ROLLS, ids=lambda roll: f"{roll.kind}-{roll.why}".replace(" ", "_"))


def enumerated(roll: Roll) -> dict[Outcome, Fraction]:
    """The odds by throwing every sequence of faces."""
    throws = list(itertools.product(*(range(1, sides + 1) for sides in roll.to_throw())))
    counted = Counter(roll.read(faces) for faces in throws)
    return {outcome: Fraction(number, len(throws)) for outcome, number in counted.items()}


@st.composite
def pools(draw: Callable[..., int]) -> Roll:
    dice, sides = draw(st.integers(0, 5)), draw(st.integers(1, 6))
    low, high = draw(st.integers(-1, 8)), draw(st.integers(-1, 8))
    lowest = draw(st.integers(0, max(0, dice - 1)))
    highest = draw(st.integers(0, max(0, dice - 1 - lowest)))
    rolls: tuple[Roll, ...] = (
        Total(why="w", dice=dice, sides=sides, add=low, drop_lowest=lowest, drop_highest=highest),
        Successes(why="w", dice=dice, sides=sides, at_least=low),
        Successes(why="w", dice=dice, sides=sides, at_most=low),
        Faces(why="w", dice=dice, sides=sides, bands=(("first", 1, low), ("second", low + 1, high))),
        Table(why="w", sides=sides, entries=tuple((face, face, f"n{face}") for face in range(sides, 0, -1))),
    )
    return rolls[draw(st.integers(0, len(rolls) - 1))]


@BY_NAME
def test_odds_agree_with_throwing_every_sequence(roll: Roll) -> None:
    assert dict(roll.exact()) == enumerated(roll)


@given(roll=pools())
@settings(max_examples=50)
def test_odds_of_any_small_roll_agree_with_throwing_every_sequence(roll: Roll) -> None:
    assert dict(roll.exact()) == enumerated(roll)
    outcomes = [outcome for outcome, _ in roll.exact()]
    assert outcomes == sorted(set(outcomes))


@BY_NAME
def test_support_is_sorted_positive_and_sums_to_one(roll: Roll) -> None:
    assert sum(fraction for _, fraction in roll.exact()) == 1
    assert sum(weight for _, weight in roll.support()) == pytest.approx(1.0, abs=1e-12)
    assert all(weight > 0 for _, weight in roll.support())
    assert [(outcome, float(fraction)) for outcome, fraction in roll.exact()] == list(roll.support())
    outcomes = [outcome for outcome, _ in roll.support()]
    assert outcomes == sorted(outcomes)


@pytest.mark.parametrize(("at_least", "ways"), [(2, 36), (7, 21), (8, 15), (9, 10), (10, 6), (11, 3), (12, 1), (13, 0)])
def test_two_dice_have_the_odds_everybody_knows(at_least: int, ways: int) -> None:
    odds_of = Total(why="a test", dice=2).exact()
    assert sum(p for total, p in odds_of if isinstance(total, int) and total >= at_least) == Fraction(ways, 36)


def test_three_dice_without_the_lowest_have_the_odds_everybody_knows() -> None:
    ways = [1, 3, 7, 12, 19, 27, 34, 36, 34, 27, 16]
    expected = tuple((total, Fraction(number, 216)) for total, number in enumerate(ways, start=2))
    assert Total(why="a charge", dice=3, drop_lowest=1).exact() == expected


def test_dropping_the_highest_mirrors_dropping_the_lowest() -> None:
    low = dict(Total(why="x", dice=6, sides=8, drop_lowest=2).exact())
    high = dict(Total(why="x", dice=6, sides=8, drop_highest=2).exact())
    assert high == {4 * 9 - total: p for total, p in low.items() if isinstance(total, int)}


def test_large_pools_stay_exact() -> None:
    dropped = Total(why="x", dice=10, drop_lowest=1).exact()
    assert (dropped[0], len(dropped)) == ((9, Fraction(1, 6**10)), 46)
    assert dropped[-1] == (54, Fraction(10 * 5 + 1, 6**10))
    assert sum(p for _, p in dropped) == 1
    shots = Faces(why="x", dice=10, bands=SHOTS).exact()
    assert len(shots) == 66
    assert dict(shots)[(2, 3)] == Fraction(2520 * 2**3 * 3**5, 6**10)
    assert len(Successes(why="x", dice=10, at_least=4).exact()) == 11


@given(
    ways=st.lists(st.integers(0, 9), min_size=1, max_size=8),
    sides=st.integers(1, 7),
)
@settings(max_examples=50)
def test_one_more_die_moves_each_sum_by_every_face(ways: list[int], sides: int) -> None:
    expected = [0] * (len(ways) + sides - 1)
    for at, number in enumerate(ways):
        for pips in range(sides):
            expected[at + pips] += number
    assert one_more_die(ways, sides) == expected


@BY_NAME
def test_samples_come_as_often_as_the_odds_say(roll: Roll) -> None:
    draws = 4000
    source = random.Random(20240229)
    seen = Counter(roll.sample(source) for _ in range(draws))
    assert set(seen) <= {outcome for outcome, _ in roll.support()}
    for outcome, weight in roll.support():
        sigma = (draws * weight * (1 - weight)) ** 0.5
        assert abs(seen[outcome] - draws * weight) <= 4 * sigma + 1e-9


def test_a_sample_draws_once_for_each_die() -> None:
    asked: list[int] = []

    class Loaded:
        def randrange(self, n: int, /) -> int:
            asked.append(n)
            return n - 1

    assert Total(why="x", dice=3, sides=4, drop_lowest=1, add=1).sample(Loaded()) == 9
    assert asked == [4, 4, 4]


@BY_NAME
def test_every_outcome_survives_json_and_has_words(roll: Roll) -> None:
    for outcome, _ in roll.support():
        again = roll.accept(json.loads(json.dumps(outcome)))
        assert again == outcome
        assert type(again) is type(outcome)
        assert roll.tell(again)


@BY_NAME
@pytest.mark.parametrize("bad", [-1, 99, True, 1.0, "1", None, [], [0], [0, 99], [True, 0], [[0], 0], {}])
def test_an_outcome_that_cannot_happen_is_refused(roll: Roll, bad: object) -> None:
    with pytest.raises(DiceError, match="expected") as refused:
        roll.accept([*bad, 50] if isinstance(bad, list) else 77 if bad == -1 else bad)
    assert str(refused.value).startswith(f"{roll.why}: outcome")


@pytest.mark.parametrize(
    ("roll", "outcome", "words"),
    [
        (ROLLS[0], 13, "a test: outcome 13, expected a whole number from 2 to 12"),
        (ROLLS[3], 1, "a charge: outcome 1, expected a whole number from 2 to 12"),
        (ROLLS[6], 6, "wounds: outcome 6, expected a whole number from 0 to 5"),
        (ROLLS[8], 2, "always: outcome 2, expected 3, the only possible number"),
        (ROLLS[9], 1, "never: outcome 1, expected 0, the only possible number"),
        (ROLLS[11], [3, 2], "shots: outcome [3, 2], expected 2 counts (critical, lock), at most 4 together"),
        (ROLLS[12], [1, 1], "all named: outcome [1, 1], expected 2 counts (low, high), 3 together"),
        (ROLLS[15], 3, "morale: outcome 3, expected the index of an entry: 0 (stands), 1 (falls back), 2 (runs)"),
    ],
)
def test_a_refused_outcome_names_what_was_expected(roll: Roll, outcome: object, words: str) -> None:
    with pytest.raises(DiceError) as refused:
        roll.accept(outcome)
    assert str(refused.value) == words


@pytest.mark.parametrize(
    ("faces", "words"),
    [
        ([1], "a test: 1 face given, expected 2 (roll 2D6, sum up)"),
        ([1, 2, 3], "a test: 3 faces given, expected 2 (roll 2D6, sum up)"),
        ([3, 7], "a test: die 2 shows 7, expected a whole number from 1 to 6"),
        ([0, 3], "a test: die 1 shows 0, expected a whole number from 1 to 6"),
        ([3, True], "a test: die 2 shows True, expected a whole number from 1 to 6"),
        ([3.0, 3], "a test: die 1 shows 3.0, expected a whole number from 1 to 6"),
        (["3", 3], "a test: die 1 shows '3', expected a whole number from 1 to 6"),
    ],
)
def test_faces_that_do_not_fit_are_refused(faces: list[int], words: str) -> None:
    with pytest.raises(DiceError) as refused:
        Total(why="a test", dice=2).read(faces)
    assert str(refused.value) == words


@pytest.mark.parametrize(
    ("roll", "faces", "outcome", "told"),
    [
        (Total(why="x", dice=3, drop_lowest=1, add=-1), [5, 1, 4], 8, "a total of 8"),
        (Total(why="x", dice=0, add=2), [], 2, "a total of 2"),
        (Successes(why="x", dice=4, at_least=4), [3, 4, 6, 1], 2, "2 successes of 4"),
        (Successes(why="x", dice=2, at_most=4), [5, 4], 1, "1 success of 2"),
        (Faces(why="x", dice=5, bands=SHOTS), [1, 1, 2, 3, 6], (2, 2), "2 critical, 2 locks"),
        (Faces(why="x", dice=2, bands=SHOTS), [2, 6], (0, 1), "0 critical, 1 lock"),
        (Faces(why="x", dice=2, bands=(("miss", 1, 6),)), [2, 6], (2,), "2 misses"),
        (Table(why="x", entries=MORALE), [5], 1, "falls back"),
    ],
)
def test_thrown_faces_are_read_and_told(roll: Roll, faces: list[int], outcome: Outcome, told: str) -> None:
    assert roll.read(faces) == outcome
    assert roll.tell(outcome) == told


@pytest.mark.parametrize(
    ("roll", "sentence"),
    [
        (Total(why="x", dice=2), "roll 2D6, sum up"),
        (Total(why="x", dice=1, add=4), "roll 1D6, add 4"),
        (Total(why="x", dice=3, drop_lowest=1, add=-2), "roll 3D6, drop the lowest, sum up, subtract 2"),
        (Total(why="x", dice=5, drop_highest=4), "roll 5D6, drop the highest 4"),
        (Total(why="x", dice=0, add=3), "nothing to roll: the total is 3"),
        (Successes(why="x", dice=10, at_least=4), "roll 10D6: each 4 or more succeeds"),
        (Successes(why="x", dice=3, sides=3, at_most=2), "roll 3D3: each 2 or less succeeds"),
        (Successes(why="x", dice=3, at_least=0), "roll 3D6: every die succeeds"),
        (Successes(why="x", dice=3, at_most=0), "roll 3D6: no die can succeed"),
        (Successes(why="x", dice=0, at_most=3), "nothing to roll: no successes"),
        (Faces(why="x", dice=10, bands=SHOTS), "roll 10D6: each 1 is critical, each 2-3 a lock"),
        (Faces(why="x", dice=2, bands=(("ace", 2, 1), ("hit", 5, 9))), "roll 2D6: each 5-6 is a hit"),
        (Faces(why="x", dice=2, bands=(("ace", 6, 6),)), "roll 2D6: each 6 is an ace"),
        (Faces(why="x", dice=2, bands=(("ace", 7, 9),)), "roll 2D6: every die misses"),
        (Faces(why="x", dice=0, bands=SHOTS), "nothing to roll"),
        (Table(why="x", entries=MORALE), "roll 1D6: 1-3 stands, 4-5 falls back, 6 runs"),
    ],
)
def test_a_person_is_told_what_to_throw(roll: Roll, sentence: str) -> None:
    assert roll.ask() == sentence


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: Total(why="x", dice=-1), "dice is -1"),
        (lambda: Total(why="x", dice=True), "dice is True"),
        (lambda: Total(why="x", dice=2, sides=0), "sides is 0"),
        (lambda: Total(why="x", dice=2, add=0.5), "add is 0.5"),  # type: ignore[arg-type]
        (lambda: Total(why="x", dice=2, drop_lowest=-1), "drop_lowest is -1"),
        (lambda: Total(why="x", dice=3, drop_lowest=1, drop_highest=2), "3 of 3 dice"),
        (lambda: Total(why="x", dice=0, drop_highest=1), "1 of 0 dice"),
        (lambda: Successes(why="x", dice=2), "exactly one"),
        (lambda: Successes(why="x", dice=2, at_least=2, at_most=3), "exactly one"),
        (lambda: Successes(why="x", dice=2, at_least=2.5), "at_least is 2.5"),  # type: ignore[arg-type]
        (lambda: Successes(why="x", dice=-2, at_least=2), "dice is -2"),
        (lambda: Faces(why="x", dice=2, bands=()), "bands is empty"),
        (lambda: Faces(why="x", dice=2, bands=(("", 1, 2),)), "without a name"),
        (lambda: Faces(why="x", dice=2, bands=(("a", 1, 2), ("a", 3, 4))), "different name"),
        (lambda: Faces(why="x", dice=2, bands=(("a", 1, 3), ("b", 3, 4))), "face 3 stands in two"),
        (lambda: Faces(why="x", dice=2, bands=(("a", 1, None),)), "highest face of 'a' is None"),  # type: ignore[arg-type]
        (lambda: Table(why="x", entries=()), "entries is empty"),
        (lambda: Table(why="x", entries=((1, 2, "a"), (4, 6, "b"))), "begin at 3"),
        (lambda: Table(why="x", entries=((1, 3, "a"), (3, 6, "b"))), "begin at 4"),
        (lambda: Table(why="x", entries=((1, 3, "a"), (4, 5, "b"))), "no entry covers 6"),
        (lambda: Table(why="x", entries=((1, 7, "a"),)), "end by 6"),
        (lambda: Table(why="x", sides=0, entries=((1, 1, "a"),)), "sides is 0"),
    ],
)
def test_numbers_that_describe_no_throw_are_refused(build: Callable[[], Roll], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        build()


@pytest.mark.parametrize("roll", [ROLLS[3], ROLLS[6], ROLLS[11], ROLLS[15]])
def test_odds_are_shared_between_rolls_for_different_reasons(roll: Total) -> None:
    other = replace(roll, why="another reason", subject="R2")
    assert other != roll
    assert other.support() is roll.support()


@BY_NAME
def test_rolls_are_slotted_values(roll: Roll) -> None:
    assert not hasattr(roll, "__dict__")
    assert hash(roll) == hash(replace(roll))  # type: ignore[type-var]
    assert roll.subject == ""


@pytest.mark.parametrize("module", [chance, odds])
def test_examples_run(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]
