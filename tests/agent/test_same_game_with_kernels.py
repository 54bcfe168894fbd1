"""A game is the same whoever does the arithmetic: plain code, kernels as Python, kernels compiled."""

from __future__ import annotations

from typing import Literal

import pytest
from tactician.agent.arena import GameResult, play_game
from tactician.agent.policies import policy
from tactician.rules.core.ruleset import Scenario, load_ruleset
from tactician.rules.paths import twins

Mode = Literal["plain", "interpreted", "compiled"]


def duel(mode: Mode, red: str, blue: str, seed: int) -> GameResult:
    rules = load_ruleset("voidsiege")
    scenario = Scenario(size="duel", mission="annihilation")
    with twins.forced(mode):
        return play_game(rules, scenario, {"red": policy(red), "blue": policy(blue)}, seed)


@pytest.mark.slow
@pytest.mark.skipif(not twins.has_compiler(), reason="no compiler is installed")
@pytest.mark.parametrize(("red", "blue"), [("greedy", "straight-ahead"), ("random", "greedy")])
def test_a_duel_compiled_and_one_interpreted_have_equal_records(red: str, blue: str) -> None:
    plain = duel("plain", red, blue, 77)
    for mode in ("interpreted", "compiled"):
        other = duel(mode, red, blue, 77)  # type: ignore[arg-type]
        assert other.plies == plain.plies
        assert other.end == plain.end
