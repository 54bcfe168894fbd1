"""The laws about one moment, on moments spread over random games of every ruleset and size found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tactician.rules.core.agenda import CHANCE
from tactician.rules.core.ruleset import load_ruleset

from tests.conformance import laws
from tests.conformance.found import EVERY_SIZE, SMALLEST, some_moments

FEW, MANY = 6, 30
"""Moments of a game that are looked at."""

LOOKS = (laws.law_somebody_can_choose, laws.law_facts_cover, laws.law_nonsense_is_refused, laws.law_round_trips)
DRAWS = (
    laws.law_choices_are_legal,
    laws.law_clip_is_legal,
    laws.law_check_is_membership,
    laws.law_arguments_stay,
)


@pytest.mark.parametrize("law", LOOKS, ids=lambda law: law.__name__)
@pytest.mark.parametrize(("name", "size"), EVERY_SIZE)
def test_a_moment_keeps_the_law(name: str, size: str, law: Callable[..., None]) -> None:
    for state in some_moments(name, size, 0, FEW):
        law(load_ruleset(name), state)


@pytest.mark.parametrize("law", DRAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize(("name", "size"), EVERY_SIZE)
def test_answers_keep_the_law(name: str, size: str, law: Callable[..., None]) -> None:
    for seed, state in enumerate(some_moments(name, size, 0, FEW)):
        law(load_ruleset(name), state, seed, **_one_sample(law))


@pytest.mark.parametrize(("name", "size"), EVERY_SIZE)
def test_rolls_keep_the_laws(name: str, size: str) -> None:
    ruleset = load_ruleset(name)
    asked = set()
    for seed in range(3):
        for state in some_moments(name, size, seed, FEW):
            if ruleset.to_move(state) == CHANCE and (roll := ruleset.pending(state)) not in asked:
                asked.add(roll)
                laws.law_odds(roll, seed)
                laws.law_outcome_decides(ruleset, state, seed)
    assert asked, "no dice in three games: look at more moments"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 9))
@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_many_moments_keep_every_law(name: str, size: str, seed: int) -> None:
    for number, state in enumerate(some_moments(name, size, seed, MANY)):
        laws.law_moment(load_ruleset(name), state, 100 * seed + number)


def _one_sample(law: Callable[..., None]) -> dict[str, Any]:
    return {} if law is laws.law_arguments_stay else {"samples": 1}
