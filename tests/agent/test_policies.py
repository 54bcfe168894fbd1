from __future__ import annotations

import subprocess
import sys

import pytest
from tactician.agent.arena import match, play_game
from tactician.agent.dice import stream
from tactician.agent.policies import Budget, policy, policy_names
from tactician.rules.core.ruleset import Scenario, load_ruleset
from tactician.rules.core.state import State

from tests.agent.positions import NAMES, decisions, smallest

BUDGET = Budget(evaluations=12)

LONG = ("wh40k2e",)
"""Games of which a handful takes longer than a fast test may."""

LEAST = {"voidsiege": (0.85, 0.55)}
"""Least shares of greedy's duels against random and against straight-ahead, where a dozen of them tell anything:
in the second edition one squad against one is decided by armies and dice. What is claimed stands in docs/evidence."""

SCRIPT = """
import sys
from tactician.agent.arena import play_game
from tactician.agent.policies import Budget, policy
from tactician.rules.core.ruleset import Scenario, load_ruleset
ruleset = load_ruleset(sys.argv[1])
players = {"red": policy("greedy"), "blue": policy("straight-ahead")}
game = play_game(ruleset, Scenario(size=ruleset.info.sizes[0]), players, 5, budget=Budget(evaluations=8))
import hashlib
sys.stdout.write(hashlib.sha256(repr((game.plies, game.returns)).encode()).hexdigest())
"""


def test_policies_are_found_by_name() -> None:
    assert {"greedy", "random", "straight-ahead"} <= set(policy_names())
    for name in policy_names():
        assert policy(name).name == name


def test_an_unknown_policy_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(ValueError, match="did you mean 'greedy'"):
        policy("gredy")


def players() -> list[object]:
    """Every policy; those that search take longer, and have a file of fast tests of their own."""
    return [
        pytest.param(name, marks=pytest.mark.slow) if name.startswith("search") else name for name in policy_names()
    ]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("player", players())
def test_every_decision_is_legal_and_the_same_again(name: str, player: str) -> None:
    ruleset = load_ruleset(name)
    for state in decisions(name, ruleset.info.sizes[0], 21, 10):
        first = policy(player).decide(ruleset, state, BUDGET, stream(1, player))
        again = policy(player).decide(ruleset, state, BUDGET, stream(1, player))
        assert not ruleset.check(state, first.action)
        assert first == again
        if first.terms:
            assert sum(term.amount for term in first.terms) == pytest.approx(first.value)
        assert [v for v, _ in first.alternatives] == sorted((v for v, _ in first.alternatives), reverse=True)


@pytest.mark.parametrize("name", NAMES)
def test_a_decision_does_not_depend_on_dice_to_come(name: str) -> None:
    """The battle's seed enters nowhere: the moment holds none, and two arenas with other dice get the same answer."""
    ruleset = load_ruleset(name)
    firsts = []
    for seed in (1, 2):
        start = ruleset.start(Scenario(size=ruleset.info.sizes[0], first="red"))
        asked: list[object] = []

        class Noting:
            name = "noting"

            def decide(self, ruleset, state: State, budget, rng, asked=asked):  # type: ignore[no-untyped-def]
                decision = policy("greedy").decide(ruleset, state, budget, rng)
                asked.append(decision.action)
                return decision

        play_game(ruleset, start, {"red": Noting(), "blue": policy("straight-ahead")}, seed, budget=BUDGET)
        firsts.append(asked[0])
    assert firsts[0] == firsts[1]


@pytest.mark.parametrize("name", NAMES)
def test_a_game_is_the_same_in_every_process(name: str) -> None:
    runs = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT, name],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": salt},
        ).stdout
        for salt in ("1", "2")
    ]
    assert runs[0] == runs[1] != ""


@pytest.mark.parametrize("name", NAMES)
def test_a_small_budget_still_gives_an_answer(name: str) -> None:
    ruleset = load_ruleset(name)
    for state in decisions(name, ruleset.info.sizes[0], 22, 6):
        for budget in (Budget(evaluations=0), Budget(seconds=0.0)):
            assert not ruleset.check(state, policy("greedy").decide(ruleset, state, budget, stream(0, "")).action)


def test_evaluations_are_counted() -> None:
    for name in NAMES:
        ruleset = load_ruleset(name)
        for state in decisions(name, ruleset.info.sizes[0], 23, 6):
            found = policy("greedy").decide(ruleset, state, Budget(evaluations=3), stream(0, ""))
            assert len(found.alternatives) <= 2


@pytest.mark.parametrize("name", [pytest.param(one, marks=pytest.mark.slow) if one in LONG else one for one in NAMES])
def test_greedy_beats_random_in_a_handful_of_games(name: str) -> None:
    ruleset = load_ruleset(name)
    result = match(ruleset, smallest(ruleset), policy("greedy"), policy("random"), 6, 40, budget=Budget(evaluations=5))
    assert result.score > 0.5, result


@pytest.mark.slow
@pytest.mark.parametrize("name", LEAST)
def test_greedy_beats_random_and_straight_ahead(name: str) -> None:
    """Over all missions together: a dozen games of one mission say little."""
    ruleset = load_ruleset(name)
    for other, games, least in zip(("random", "straight-ahead"), (8, 12), LEAST[name], strict=True):
        results = [
            match(
                ruleset, Scenario(size=ruleset.info.sizes[0], mission=mission), policy("greedy"), policy(other), games
            )
            for mission in ruleset.info.missions
        ]
        assert sum(result.score for result in results) / len(results) >= least, results
