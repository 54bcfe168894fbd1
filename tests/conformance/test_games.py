"""The laws about whole games: they end, replay, come back from files at every ply, and are the same everywhere."""

from __future__ import annotations

import pytest
from tactician.rules.core.ruleset import load_ruleset

from tests.conformance import laws
from tests.conformance.found import EVERY_SIZE, NAMES, SMALLEST
from tests.conformance.games import opening, play


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_a_game_is_over_some_time(name: str, size: str) -> None:
    laws.law_games_end(load_ruleset(name), size, 0)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "size"), EVERY_SIZE)
def test_games_are_over_some_time(name: str, size: str) -> None:
    ruleset = load_ruleset(name)
    ended = {laws.law_games_end(ruleset, size, seed) for seed in range(1, 13)}
    assert ended <= set(ruleset.info.ends)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_what_occurs_in_games_is_listed(name: str) -> None:
    ruleset = load_ruleset(name)
    for size in ruleset.info.sizes:
        for ply in play(ruleset, opening(ruleset, size), 1):
            laws.law_facts_cover(ruleset, ply.before)


@pytest.mark.parametrize(("name", "size"), EVERY_SIZE)
def test_a_game_replays(name: str, size: str) -> None:
    ruleset = load_ruleset(name)
    laws.law_replay(ruleset, list(play(ruleset, opening(ruleset, size), 2, 60)))


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_every_ply_of_a_game_comes_back_from_data(name: str, size: str) -> None:
    ruleset = load_ruleset(name)
    for ply in play(ruleset, opening(ruleset, size), 3, 40):
        laws.law_round_trips(ruleset, ply.after)


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_a_game_is_the_same_in_every_process(name: str, size: str) -> None:
    laws.law_every_process_agrees(name, size, 4, 25)
