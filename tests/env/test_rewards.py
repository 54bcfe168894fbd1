"""What a learner is paid comes to what the rewards say."""

from __future__ import annotations

import random

import pytest
from tactician.env.aec import AGENTS, TableEnv
from tactician.env.game import Game, Setup
from tactician.env.rewards import REWARDS, Ledger, Reward, worths
from tactician.env.solo import SoloEnv
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.ruleset import Ruleset, load_ruleset, ruleset_names
from tactician.rules.core.state import State

from tests.env.walks import SMALLEST, lowest, pick, walk

CASES = [(name, size, mission) for name, size in SMALLEST for mission in load_ruleset(name).info.missions[:3]]


def payments(name: str, size: str, mission: str, seed: int, **arguments: object) -> tuple[SoloEnv, list[float]]:
    """A random game to its end with what was paid for each step."""
    env = SoloEnv(name, size, mission=mission, opponent=lowest, **arguments)  # type: ignore[arg-type]
    _, info = env.reset(seed=seed)
    return env, [seen.paid for seen in walk(env, info, seed, 5_000)]


@pytest.mark.parametrize(("name", "size", "mission"), CASES)
def test_sums_are_as_documented(name: str, size: str, mission: str) -> None:
    """One game with the books of every reward beside it; the environment pays one of them, to blue."""
    env = SoloEnv(name, size, mission=mission, opponent=lowest, side="blue", reward="shaped")
    _, info = env.reset(seed=3)
    books = {reward.name: Ledger(reward, env.game) for reward in REWARDS.values()}
    paid: list[float] = []
    rows: dict[str, list[float]] = {reward: [] for reward in REWARDS}
    for seen in walk(env, info, 3, 5_000):
        paid.append(seen.paid)
        for reward, ledger in books.items():
            rows[reward].append(ledger.settle(env.game))
    assert env.game.is_ended
    assert paid == pytest.approx([-amount for amount in rows["shaped"]])
    assert not any(rows["win"][:-1])
    sums = {reward: sum(row) for reward, row in rows.items()}
    ruleset, begun, end = env.game.ruleset, env.game.begun, env.game.state
    assert sums["win"] == ruleset.returns(end)[0]
    assert sums["score"] == pytest.approx(appraiser_of(ruleset).standing(end, "red"))
    (red, blue), (red_end, blue_end) = worths(ruleset, begun), worths(ruleset, end)
    assert sums["worth"] == pytest.approx(red_end / red - blue_end / blue)
    assert -1.0 <= sums["worth"] <= 1.0
    assert sums["shaped"] == pytest.approx(sums["win"])


@pytest.mark.parametrize("reward", ["worth", "shaped"])
def test_dense_rewards_pay_on_the_way(reward: str) -> None:
    """Somewhere before the end, in a game in which something happens."""
    name = ruleset_names()[0]
    size = load_ruleset(name).info.sizes[0]
    for seed in range(20):
        env = SoloEnv(name, size, opponent=lowest, reward=reward)
        _, info = env.reset(seed=seed)
        if any(seen.paid for seen in walk(env, info, seed, 5_000) if not seen.ended):
            return
    pytest.fail("nothing was ever paid before the end")


@pytest.mark.parametrize("deployed", [True, False])
@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_both_agents_are_paid_in_opposite(name: str, size: str, deployed: bool) -> None:
    env = TableEnv(name, size, reward="worth", deployed=deployed)
    env.reset(seed=9)
    rng, sums = random.Random(9), dict.fromkeys(AGENTS, 0.0)
    while not env.game.is_over:
        env.step(pick(env.infos[env.agent_selection]["action_mask"], rng))
        assert env.rewards[AGENTS[0]] == -env.rewards[AGENTS[1]]
        for agent in AGENTS:
            sums[agent] += env.rewards[agent]
    assert -1.0 <= sums[AGENTS[0]] <= 1.0
    assert sums[AGENTS[0]] == pytest.approx(-sums[AGENTS[1]])


def test_a_discount_is_that_of_the_theorem() -> None:
    """Payments with a discount, discounted by it, telescope to the result alone (Ng, Harada, Russell 1999)."""
    name = ruleset_names()[0]
    size = load_ruleset(name).info.sizes[0]
    gamma = 0.97
    env, paid = payments(name, size, "", 2, reward="shaped", discount=gamma)
    result = env.game.ruleset.returns(env.game.state)[0]
    total = sum(gamma**step * amount for step, amount in enumerate(paid))
    assert total == pytest.approx(gamma ** (len(paid) - 1) * result)


def test_a_reward_of_your_own() -> None:
    mine = Reward(name="rounds", text="Rounds begun.", potential=_rounds)
    env, paid = payments("_template", "duel", "", 1, reward=mine)
    assert sum(paid) == env.game.state.round - env.game.begun.round


def _rounds(ruleset: Ruleset, state: State, basis: tuple[float, float]) -> float:
    return float(state.round)


def test_nothing_is_paid_where_nothing_changed() -> None:
    game = Game(Setup(ruleset="_template", size="duel"), {}, 1)
    for reward in REWARDS.values():
        assert Ledger(reward, game).settle(game) == 0.0
