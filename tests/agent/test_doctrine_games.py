"""The scripted player in whole games: legal to the last order, quick, and better than chance."""

from __future__ import annotations

from time import process_time

import pytest
from tactician.agent.arena import play_game
from tactician.agent.dice import stream
from tactician.agent.policies import Budget, policy
from tactician.rules.core.ruleset import Scenario, load_ruleset

from tests.agent.positions import NAMES, decisions

STYLES = ("doctrine-steady", "doctrine-bold")


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_duel_without_an_illegal_order(name: str) -> None:
    """The referee checks every order; both styles play, each against the other."""
    ruleset = load_ruleset(name)
    players = {"red": policy(STYLES[0]), "blue": policy(STYLES[1])}
    game = play_game(ruleset, Scenario(size=ruleset.info.sizes[0]), players, 500)
    assert game.ending
    assert len(game.plies) > 4


@pytest.mark.parametrize("name", NAMES)
def test_it_does_not_ponder(name: str) -> None:
    """On average; the first decisions of a process pay for what is worked out once, and are not counted."""
    ruleset = load_ruleset(name)
    states = decisions(name, ruleset.info.sizes[0], 21, 12)
    for state in states:
        policy(STYLES[0]).decide(ruleset, state, Budget(), stream(0, ""))
    began = process_time()
    for state in states:
        policy(STYLES[1]).decide(ruleset, state, Budget(), stream(0, ""))
    assert (process_time() - began) / len(states) < 0.1


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
def test_it_plays_better_than_chance(style: str) -> None:
    ruleset = load_ruleset("voidsiege")
    score = 0.0
    for seed, mission in enumerate(ruleset.info.missions):
        for swap in (False, True):
            names = (style, "random") if not swap else ("random", style)
            players = {"red": policy(names[0]), "blue": policy(names[1])}
            game = play_game(ruleset, Scenario(size="duel", mission=mission), players, 500 + seed)
            score += (game.returns[int(swap)] + 1) / 2
    assert score / (2 * len(ruleset.info.missions)) > 0.55
