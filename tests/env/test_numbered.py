"""A policy that presses numbers plays the same game in the arena as the same function does in an environment."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray
from tactician.agent.arena import play_game
from tactician.agent.policies import Budget
from tactician.agent.policies.numbered import Numbered
from tactician.agent.view.dialogue import Observation
from tactician.env.game import Game, Setup
from tactician.env.players import Pressing
from tactician.rules.core.ruleset import load_ruleset
from tactician.rules.core.state import SIDES

from tests.env.walks import SMALLEST


def chosen(seen: Observation, mask: NDArray[np.bool_]) -> int:
    """A number that depends on what is seen and allowed, and on nothing else."""
    allowed = np.flatnonzero(mask)
    return int(allowed[int(1e4 * (2.0 + float(seen["units"].sum()) + float(seen["globals"].sum()))) % len(allowed)])


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_arena_and_environment_hear_the_same_numbers(name: str, size: str) -> None:
    setup = Setup(ruleset=name, size=size)
    game = Game(setup, {side: Pressing(chosen) for side in SIDES}, 31, max_plies=400)
    players = {side: Numbered(size, chosen, name=side) for side in SIDES}
    result = play_game(load_ruleset(name), setup.scenario, players, 31, check=True)
    assert list(result.plies)[: len(game.plies)] == game.plies
    again = play_game(load_ruleset(name), setup.scenario, players, 31, check=True)
    assert again.plies == result.plies, "a policy that has played before sits down anew"


def test_a_number_that_is_masked_out_is_refused() -> None:
    rules = load_ruleset("_template")
    state = rules.start(Setup(ruleset="_template", size="duel").scenario)
    player = Numbered("duel", lambda seen, mask: int((~mask).argmax()))
    with pytest.raises(ValueError, match="may not be pressed now"):
        player.decide(rules, state, Budget(), random.Random(0))
