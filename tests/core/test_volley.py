"""Volleys: stages thrown face by face have exactly the odds that are computed without dice."""

from __future__ import annotations

import doctest
import itertools
import json
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tactician.rules.core import shots as shots_module
from tactician.rules.core import volley as volley_module
from tactician.rules.core import volley_odds as odds_module
from tactician.rules.core.chance import DiceError, Outcome, Stage, Total, throw_on
from tactician.rules.core.shots import Damage, Shots
from tactician.rules.core.volley import Volley, stages

D3 = Damage(dice=1, sides=3)
D4 = Damage(dice=1, sides=4)


BURST = (1, 1, 2, 2, 3, 0)
"""Hits on each face of a die for bursts, 0 being a jam."""


def rifle(count: int = 2, **more: Any) -> Shots:
    burst = {"sustained_die": BURST} if more.get("sustained") else {}
    return Shots(**{"name": "rifle", "count": count, "hit": (3,), "wound": 4, "save": 5} | burst | more)


def volley(*groups: Shots, models: tuple[int, ...] = (1, 1, 1)) -> Volley:
    return Volley(why="fire", groups=groups, models=models)


SMALL: dict[str, Volley] = {
    "plain": volley(rifle()),
    "no dice": volley(rifle(0)),
    "no groups": volley(),
    "no chance": volley(rifle(hit=None)),
    "cannot wound": volley(rifle(wound=None)),
    "always saved": volley(rifle(save=1)),
    "never saved": volley(rifle(save=7)),
    "by itself": volley(rifle(hit=(), save=None)),
    "chain": volley(rifle(hit=(6, 5))),
    "certain link": volley(rifle(hit=(1, 5, 0))),
    "two dice to save": volley(rifle(save=9, save_dice=2)),
    "sure on two dice": volley(rifle(save=2, save_dice=2)),
    "damage": volley(rifle(damage=D3), models=(2, 3)),
    "two dice of damage": volley(rifle(1, damage=Damage(dice=2, sides=2, add=1)), models=(5,)),
    "fixed damage": volley(rifle(3, damage=Damage(add=2)), models=(3, 3)),
    "more than enough": volley(rifle(damage=D4), models=(1, 1)),
    "at most one": volley(rifle(3, most=1), rifle(1, hit=()), models=(1, 2)),
    "at most none": volley(rifle(2, most=0)),
    "burst": volley(rifle(1, sustained=1)),
    "two bursts": volley(rifle(1, sustained=2, sustained_die=(1, 2, 0), save=None)),
    "only jams matter": volley(rifle(1, sustained=1, wound=None)),
    "jams of a late gun": volley(rifle(1, hit=(), wound=1, save=None), rifle(1, sustained=1), models=(1,)),
    "a die without a jam": volley(rifle(1, sustained=1, sustained_die=(1, 2))),
    "groups": volley(rifle(1, damage=D3), rifle(2, name="gun", hit=(4,), damage=Damage(add=2)), models=(2, 1, 3)),
    "groups that jam": volley(
        rifle(1, sustained=1, sustained_die=(1, 2, 0)),
        rifle(1, name="gun", sustained=1, sustained_die=(1, 0)),
        models=(1, 1, 2),
    ),
}
EACH = pytest.mark.parametrize("name", SMALL)


def walked(stage: Stage, known: dict[Stage, dict[Outcome, Fraction]] | None = None) -> dict[Outcome, Fraction]:
    """The odds by throwing every sequence of faces of every stage."""
    known = {} if known is None else known
    if stage not in known:
        throws = [stage.throw(faces) for faces in itertools.product(*(range(1, n + 1) for n in stage.dice()))]
        found: dict[Outcome, Fraction] = {}
        for after, number in Counter(throws).items():
            share = Fraction(number, len(throws))
            ends = {after: Fraction(1)} if isinstance(after, int | tuple) else walked(after, known)
            for outcome, part in ends.items():
                found[outcome] = found.get(outcome, Fraction(0)) + share * part
        known[stage] = found
    return known[stage]


@EACH
def test_stages_have_exactly_the_odds_of_the_volley(name: str) -> None:
    assert walked(stages(SMALL[name])) == dict(SMALL[name].exact())


@st.composite
def volleys(draw: Callable[..., Any]) -> Volley:
    def group(number: int) -> Shots:
        link = st.integers(0, 7)
        return Shots(
            name=f"g{number}",
            count=draw(st.integers(0, 2)),
            hit=draw(st.none() | st.lists(link, max_size=2).map(tuple)),
            sustained=draw(st.sampled_from((0, 0, 1))),
            sustained_die=draw(st.sampled_from(((1, 2, 0), (1, 1, 2, 0)))),
            wound=draw(st.none() | link),
            save=draw(st.none() | link),
            damage=draw(st.sampled_from((Damage(add=1), Damage(add=3), D3, Damage(dice=1, sides=2, add=1)))),
            most=draw(st.sampled_from((None, None, 0, 1, 2))),
        )

    models = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple))
    return volley(*(group(number) for number in range(draw(st.integers(1, 2)))), models=models)


@given(fired=volleys())
@settings(max_examples=40, deadline=None)
def test_any_small_volley_has_the_odds_of_its_stages(fired: Volley) -> None:
    assert walked(stages(fired)) == dict(fired.exact())
    outcomes = [outcome for outcome, _ in fired.exact()]
    assert outcomes == sorted(set(outcomes))
    assert sum(share for _, share in fired.exact()) == 1
    assert len({fired.tell(outcome) for outcome in outcomes}) == len(outcomes)


@EACH
def test_outcomes_survive_json_have_words_of_their_own_and_sum_to_one(name: str) -> None:
    fired = SMALL[name]
    assert sum(share for _, share in fired.exact()) == 1
    assert [(outcome, float(share)) for outcome, share in fired.exact()] == list(fired.support())
    words = set()
    for outcome, share in fired.support():
        assert share > 0
        assert fired.accept(json.loads(json.dumps(outcome))) == outcome
        words.add(fired.tell(outcome))
    assert len(words) == len(fired.support())


@EACH
def test_samples_are_outcomes_and_come_as_often_as_they_should(name: str) -> None:
    fired, draws, source = SMALL[name], 2000, random.Random(7)
    seen = Counter(fired.sample(source) for _ in range(draws))
    assert set(seen) <= {outcome for outcome, _ in fired.support()}
    for outcome, weight in fired.support():
        assert abs(seen[outcome] - draws * weight) <= 4.5 * (draws * weight * (1 - weight)) ** 0.5 + 1.0


# ---- odds by hand ----------------------------------------------------------------------------------------------------


def test_odds_worked_by_hand() -> None:
    one = Fraction(4, 6) * Fraction(3, 6) * Fraction(4, 6)
    assert volley(rifle(1)).exact() == (((0, 0), 1 - one), ((1, 0), one))
    chained = volley(rifle(1, hit=(6, 5), wound=1, save=None))
    assert dict(chained.exact())[(1, 0)] == Fraction(1, 6) * Fraction(2, 6)
    on_two_dice = volley(rifle(1, hit=(), wound=1, save=9, save_dice=2))
    assert dict(on_two_dice.exact())[(0, 0)] == Fraction(10, 36)
    hurt = volley(rifle(1, hit=(), wound=1, save=None, damage=D4), models=(3,))
    assert hurt.exact() == (((0, 1), Fraction(1, 4)), ((0, 2), Fraction(1, 4)), ((1, 0), Fraction(1, 2)))


def test_ten_plain_shots_are_binomial() -> None:
    odds = dict(volley(rifle(10), models=(1,) * 20).exact())
    one = Fraction(2, 9)
    assert odds[(0, 0)] == (1 - one) ** 10
    assert odds[(3, 0)] == 120 * one**3 * (1 - one) ** 7


def test_a_burst_counts_each_face_and_each_jam() -> None:
    burst = volley(rifle(1, hit=(), wound=1, save=None, sustained=1), models=(1,) * 9)
    assert dict(burst.exact()) == {
        (0, 0, 1): Fraction(1, 6),
        (1, 0, 0): Fraction(2, 6),
        (2, 0, 0): Fraction(2, 6),
        (3, 0, 0): Fraction(1, 6),
    }
    two = dict(volley(rifle(1, hit=(), wound=1, save=None, sustained=2), models=(1,) * 9).exact())
    assert two[(0, 0, 2)] == Fraction(1, 36)
    assert two[(6, 0, 0)] == Fraction(1, 36)
    assert two[(3, 0, 1)] == Fraction(2, 36)


def test_damage_beyond_a_model_is_lost() -> None:
    cannon = rifle(1, hit=(), wound=1, save=None, damage=Damage(add=10))
    assert volley(cannon).exact() == (((1, 0), Fraction(1)),)
    wounded = volley(replace(cannon, damage=Damage(add=1)), cannon, models=(2, 5))
    assert wounded.exact() == (((1, 0), Fraction(1)),)


def test_a_group_removes_no_more_than_it_may() -> None:
    many = rifle(5, hit=(), wound=1, save=None, most=2)
    assert volley(many).exact() == (((2, 0), Fraction(1)),)
    assert volley(many, replace(many, name="more", count=1)).exact() == (((3, 0), Fraction(1)),)


@pytest.mark.parametrize(
    ("group", "models", "limit"),
    [
        (rifle(10), (1,) * 10, 0.005),
        (rifle(10, sustained=1), (1,) * 10, 0.030),
        (rifle(1, sustained=2, damage=D4), (10,), 0.050),
    ],
    ids=["ten rifles", "ten bursts", "a heavy gun"],
)
def test_odds_are_fast(group: Shots, models: tuple[int, ...], limit: float) -> None:
    spent = []
    for extra in range(5):  # other numbers each time, so that nothing is looked up; the best of five
        fired = volley(group, models=(*models, *(2,) * extra))
        before = time.process_time()
        fired.exact()
        spent.append(time.process_time() - before)
    assert min(spent) < limit


@pytest.mark.slow
@pytest.mark.parametrize(
    "fired",
    [
        volley(rifle(10), models=(1,) * 10),
        volley(rifle(10, sustained=1, hit=(4,)), models=(1,) * 10),
        volley(rifle(3, sustained=2, damage=D4), models=(10, 3)),
    ],
    ids=["rifles", "bursts", "heavy"],
)
def test_a_hundred_thousand_volleys_agree_with_the_odds(fired: Volley) -> None:
    draws, source = 100_000, random.Random(2)
    seen = Counter(fired.sample(source) for _ in range(draws))
    assert set(seen) <= {outcome for outcome, _ in fired.support()}
    models = sum(outcome[0] * number for outcome, number in seen.items() if isinstance(outcome, tuple)) / draws
    rows = [(outcome[0], weight) for outcome, weight in fired.support() if isinstance(outcome, tuple)]
    mean = sum(removed * weight for removed, weight in rows)
    spread = sum((removed - mean) ** 2 * weight for removed, weight in rows)
    assert abs(models - mean) <= 3 * (spread / draws) ** 0.5
    for removed in range(len(fired.models) + 1):
        weight = sum(share for number, share in rows if number == removed)
        came = sum(n for outcome, n in seen.items() if isinstance(outcome, tuple) and outcome[0] == removed)
        assert abs(came - draws * weight) <= 3 * (draws * weight * (1 - weight)) ** 0.5 + 1.0


# ---- at the table ----------------------------------------------------------------------------------------------------


def asked(fired: Volley, *throws: list[int]) -> list[str]:
    """What a person is told to throw, stage by stage, and what came of it."""
    told, after = [], stages(fired)
    for faces in throws:
        told.append(after.ask())
        found = after.throw(faces)
        if isinstance(found, int | tuple):
            return [*told, fired.tell(found)]
        after = found
    return [*told, after.ask()]


def test_a_person_throws_stage_by_stage() -> None:
    assert asked(volley(rifle(4), models=(2, 2)), [3, 6, 2, 5], [4, 1, 6], [5, 2]) == [
        "roll 4D6 for hits: each 3 or more",
        "roll 3D6 for wounds: each 4 or more",
        "roll 2D6 for saves: each 5 or more",
        "no models removed, the first has 1 wound left",
    ]


def test_every_kind_of_stage_has_its_sentence() -> None:
    heavy = rifle(2, hit=(6, 5), sustained=2, save=8, save_dice=2, damage=Damage(dice=2, sides=4, add=1))
    throws = [6, 6], [5, 1], [3, 5], [4, 4, 4, 1, 1], [1, 2, 3, 4, 6, 6], [1, 1, 2, 3]
    assert asked(volley(heavy, models=(9, 9)), *throws) == [
        "roll 2D6 for hits: each 6",
        "roll 2D6 for hits once more: each 5 or more",
        "roll 2D6 for sustained fire: 1 or 2 is 1 hit, 3 or 4 is 2 hits, 5 is 3 hits, 6 is a jam",
        "roll 5D6 for wounds: each 4 or more",
        "roll 3 times 2D6 for saves: each sum of 8 or more",
        "roll 2 times 2D4 for damage: each against the first model standing, 1 more than it shows",
        "1 model removed",
    ]


def test_groups_are_thrown_one_after_another_and_named() -> None:
    fired = volley(rifle(1), rifle(1, name="gun", sustained=1), models=(1, 1))
    assert fired.ask() == "roll 1D6 for hits (rifle): each 3 or more; more dice may follow"
    assert asked(fired, [1], [3], [6]) == [
        "roll 1D6 for hits (rifle): each 3 or more",
        "roll 1D6 for hits (gun): each 3 or more",
        "roll 1D6 for sustained fire (gun): 1 or 2 is 1 hit, 3 or 4 is 2 hits, 5 is 3 hits, 6 is a jam",
        "no models removed, 1 jam",
    ]


def test_dice_that_decide_nothing_are_not_thrown() -> None:
    assert asked(SMALL["cannot wound"], []) == ["nothing to roll", "no models removed"]
    assert asked(SMALL["at most none"], []) == ["nothing to roll", "no models removed"]
    assert SMALL["no dice"].ask() == "nothing to roll"
    enough = volley(rifle(1, hit=(), save=None, damage=D4), rifle(5), models=(1,))
    assert asked(enough, [4]) == ["roll 1D6 for wounds (rifle): each 4 or more", "1 model removed"]
    few = volley(rifle(6, hit=(), wound=1, save=None, damage=D3), models=(2,))
    assert few.to_throw() == (3, 3)


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        ((0, 0, 0, 0), "no models removed"),
        ((1, 2, 0, 1), "1 model removed, the next has 1 wound left, 1 jam (gun)"),
        ((2, 0, 1, 0), "2 models removed, 1 jam (rifle)"),
        ((0, 1, 1, 1), "no models removed, the first has 1 wound left, 1 jam (rifle), 1 jam (gun)"),
    ],
)
def test_outcomes_in_words(outcome: Outcome, words: str) -> None:
    gun = rifle(2, name="gun", sustained=1)
    assert volley(rifle(2, sustained=1), gun, models=(2, 3, 1)).tell(outcome) == words


def test_jams_of_one_gun_need_no_name_and_equal_names_get_numbers() -> None:
    assert volley(rifle(2, sustained=1)).tell((1, 0, 1)) == "1 model removed, 1 jam"
    same = volley(rifle(2, sustained=1), rifle(2, sustained=1))
    assert same.tell((0, 0, 2, 0)) == "no models removed, 2 jams (rifle, group 1)"


@pytest.mark.parametrize(
    ("faces", "words"),
    [
        ([], "fire: 0 faces given, expected 4 (roll 4D6 for hits: each 3 or more)"),
        ([3, 6, 2], "fire: 3 faces given, expected 4 (roll 4D6 for hits: each 3 or more)"),
        ([3, 6, 2, 5], "fire: 4 faces given, expected 3 more (then roll 3D6 for wounds: each 4 or more)"),
        ([3, 6, 2, 5, 4], "fire: 1 face given, expected 3 (then roll 3D6 for wounds: each 4 or more)"),
        ([3, 6, 2, 5, 4, 7, 1], "fire: die 2 shows 7, expected a whole number from 1 to 6"),
        ([3, 6, 2, 5, 1, 1, 1, 1], "fire: 8 faces given, expected 7, which come to: no models removed"),
        ([1, 1, 1, True], "fire: die 4 shows True, expected a whole number from 1 to 6"),
    ],
)
def test_faces_that_do_not_fit_are_refused(faces: list[int], words: str) -> None:
    with pytest.raises(DiceError) as refused:
        volley(rifle(4)).read(faces)
    assert str(refused.value) == words


def test_faces_of_all_stages_are_read_at_once() -> None:
    fired = volley(rifle(4), models=(2, 2))
    assert fired.read([3, 6, 2, 5, 4, 1, 6, 5, 2]) == (0, 1)
    assert fired.read([1, 1, 2, 2]) == (0, 0)
    assert SMALL["no dice"].read([]) == (0, 0)


@pytest.mark.parametrize("bad", [0, [0], [0, 0, 0], [4, 0], [0, 1], [-1, 0], [True, 0], [0.0, 0], None, "1"])
def test_an_outcome_that_cannot_happen_is_refused(bad: object) -> None:
    with pytest.raises(DiceError, match=r"expected models removed \(at most 3\), wounds lost by the next$"):
        volley(rifle()).accept(bad)


def test_a_plain_roll_is_one_stage() -> None:
    march = Total(why="march", dice=2)
    stage = march.first_stage()
    assert (march.staged, stage.dice(), stage.ask()) == (False, (6, 6), march.ask())
    assert stage.throw([3, 4]) == 7
    assert throw_on(stage, [3, 4, 5]) == (7, (5,))
    with pytest.raises(DiceError, match="1 face given, expected 2"):
        stage.throw([3])


# ---- values ----------------------------------------------------------------------------------------------------------


def test_worth_counts_models_and_parts_of_the_next() -> None:
    fired = volley(rifle(4, damage=D4), models=(2, 4))
    assert [fired.worth(outcome) for outcome in ((0, 0), (0, 1), (1, 1), (2, 0))] == [0.0, 0.5, 1.25, 2.0]


def test_odds_are_shared_whatever_a_volley_is_for() -> None:
    one = volley(rifle(4))
    other = Volley(why="more", subject="R2", groups=(rifle(4, name="bow"),), models=(1, 1, 1))
    assert one.support() is other.support()
    assert one != other


@pytest.mark.parametrize("value", [SMALL["groups"], rifle(), D3, stages(SMALL["groups"])])
def test_volleys_are_slotted_values(value: Any) -> None:
    assert not hasattr(value, "__dict__")
    assert hash(value) == hash(replace(value))


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: rifle(-1), "-1 shots"),
        (lambda: rifle(sustained=-1), "-1 dice for sustained fire"),
        (lambda: rifle(save_dice=0), "0 for a save"),
        (lambda: rifle(most=-1), "at most -1 models"),
        (lambda: rifle(sustained=1, sustained_die=()), "a die for sustained fire"),
        (lambda: rifle(sustained_die=(0, 0)), "expected hits on it"),
        (lambda: Damage(), "damage 0D6\\+0, expected at least 1"),
        (lambda: Damage(dice=1, add=-1), "damage 1D6-1, expected at least 1"),
        (lambda: volley(rifle(), models=()), "expected some models"),
        (lambda: volley(rifle(), models=(1, 0)), "expected some models"),
    ],
)
def test_numbers_that_describe_no_volley_are_refused(build: Callable[[], object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        build()


@pytest.mark.parametrize("module", [volley_module, shots_module, odds_module])
def test_examples_run(module: Any) -> None:
    assert doctest.testmod(module).failed == 0
