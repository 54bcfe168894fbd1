"""The PettingZoo environment: its contract, agents, masks, and the same game as the Gymnasium one."""

from __future__ import annotations

import random

import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, seed_test
from tactician.env.aec import AGENTS, TableEnv, side_of
from tactician.env.game import MOST_ILLEGAL
from tactician.env.solo import SoloEnv
from tactician.env.terms import IllegalPress

from tests.env.walks import EVERY_SIZE, SMALLEST, pick


@pytest.mark.parametrize(("name", "size"), EVERY_SIZE)
def test_the_api_test_of_pettingzoo_passes(name: str, size: str) -> None:
    api_test(TableEnv(name, size), num_cycles=25)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "size"), EVERY_SIZE)
@pytest.mark.parametrize("deployed", [True, False])
def test_the_api_test_of_pettingzoo_passes_over_whole_games(name: str, size: str, deployed: bool) -> None:
    api_test(TableEnv(name, size, deployed=deployed, reward="shaped"), num_cycles=1000)


@pytest.mark.parametrize(("name", "size"), EVERY_SIZE)
def test_the_seed_test_of_pettingzoo_passes(name: str, size: str) -> None:
    seed_test(lambda: TableEnv(name, size), num_cycles=25)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "size"), EVERY_SIZE)
def test_the_seed_test_of_pettingzoo_passes_over_whole_games(name: str, size: str) -> None:
    seed_test(lambda: TableEnv(name, size), num_cycles=500)


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_whole_games_are_played_by_both_sides(name: str, size: str) -> None:
    env = TableEnv(name, size)
    rng = random.Random(2)
    env.reset(seed=2)
    asked, sums = set(), dict.fromkeys(AGENTS, 0.0)
    for agent in env.agent_iter():
        seen, paid, ended, cut, info = env.last()
        sums[agent] += paid
        if ended or cut:
            assert info["action_mask"].sum() == 1
            env.step(None)
            continue
        assert env.game.mover == side_of(agent)
        assert env.observation_space(agent).contains(seen)
        assert np.array_equal(info["action_mask"].astype(bool), env.action_masks())
        (other,) = set(AGENTS) - {agent}
        idle = env.infos[other]["action_mask"]
        assert idle.sum() == 1
        assert env.game.view.layout.name_of(int(idle.argmax())) == "pass"
        asked.add(agent)
        env.step(pick(info["action_mask"], rng))
    assert asked == set(AGENTS)
    assert env.agents == []
    assert tuple(sums[agent] for agent in AGENTS) == env.game.ruleset.returns(env.game.state)
    with pytest.raises(ResetNeeded):
        env.step(0)


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_a_masked_out_number_is_treated_as_in_the_other_environment(name: str, size: str) -> None:
    env = TableEnv(name, size, illegal_penalty=0.5)
    env.reset(seed=1)
    agent = env.agent_selection
    (other,) = set(AGENTS) - {agent}
    before = env.game.state
    wrong = int(np.argmin(env.infos[agent]["action_mask"]))
    for count in range(1, MOST_ILLEGAL + 1):
        assert not any(env.truncations.values())
        env.step(wrong)
        assert env.game.state is before
        assert env.agent_selection == agent
        assert (env.rewards[agent], env.rewards[other]) == (-0.5, 0.0)
        assert (env.infos[agent]["illegal"], env.infos[other]["illegal"]) == (count, 0)
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    strict = TableEnv(name, size, strict=True)
    strict.reset(seed=1)
    with pytest.raises(IllegalPress):
        strict.step(wrong)


@pytest.mark.parametrize(("name", "size"), EVERY_SIZE)
def test_a_row_is_the_parts_flattened(name: str, size: str) -> None:
    row, parts = TableEnv(name, size), TableEnv(name, size, flat=False)
    for env in (row, parts):
        env.reset(seed=4)
    for agent in AGENTS:
        space = parts.observation_space(agent)
        flattened = spaces.flatten(space, parts.observe(agent))
        assert np.array_equal(row.observe(agent), flattened)
        assert row.observation_space(agent) == spaces.flatten_space(space)


@pytest.mark.parametrize(("name", "size"), EVERY_SIZE)
def test_both_environments_play_the_same_game(name: str, size: str) -> None:
    """The opponent of one presses what blue presses in the other."""
    rng = random.Random(6)
    table = TableEnv(name, size, flat=False)
    solo = SoloEnv(name, size, opponent=lambda seen, mask: pick(mask, rng))
    _, info = solo.reset(seed=6)
    pressed = []
    for _ in range(30):
        if solo.game.is_over:
            break
        pressed.append(pick(info["action_mask"], random.Random(len(pressed))))
        *_, info = solo.step(pressed[-1])
    rng = random.Random(6)
    table.reset(seed=6)
    for number in pressed:
        while side_of(table.agent_selection) != solo.side:
            table.step(pick(table.infos[table.agent_selection]["action_mask"], rng))
        table.step(number)
    while not table.game.is_over and side_of(table.agent_selection) != solo.side:
        table.step(pick(table.infos[table.agent_selection]["action_mask"], rng))
    assert table.game.plies == solo.game.plies
    assert table.game.state == solo.game.state
    red = table.observe(AGENTS[0])
    assert isinstance(red, dict)
    assert all(np.array_equal(red[part], solo.game.observe("red")[part]) for part in red)
