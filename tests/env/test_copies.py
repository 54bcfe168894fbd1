"""Copies, deep copies and pickles go on as the original would have, here and in another process."""

from __future__ import annotations

import copy
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import gymnasium
import pytest
from tactician.agent.policies import policy
from tactician.env import ids
from tactician.env.aec import TableEnv
from tactician.env.solo import SoloEnv

from tests.architecture.tree import ROOT
from tests.env.walks import EVERY_SIZE, SMALLEST, pick, same, walk

Maker = Callable[[SoloEnv], SoloEnv]


def repickled(env: SoloEnv) -> SoloEnv:
    back: SoloEnv = pickle.loads(pickle.dumps(env))
    return back


MAKERS: dict[str, Maker] = {"copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": repickled}


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize(("name", "size"), EVERY_SIZE)
def test_a_copy_goes_on_in_lockstep(name: str, size: str, maker: str) -> None:
    """Also when the original goes first, and into the next episode."""
    env = SoloEnv(name, size, opponent="random", side="random", reward="shaped", max_plies=60)
    _, info = env.reset(seed=7)
    *_, last = walk(env, info, 1, 11)
    twin = MAKERS[maker](env)
    if last.ended or last.cut:
        _, info = env.reset()
        _, again = twin.reset()
    else:
        info = again = last.info
    ahead = list(walk(env, info, 2, 25))
    behind = list(walk(twin, again, 2, 25))
    assert len(ahead) == len(behind)
    assert all(same(one, other) for one, other in zip(ahead, behind, strict=True))
    assert env.game.plies == twin.game.plies
    assert (env.reset()[1]["side"], env.game.seed) == (twin.reset()[1]["side"], twin.game.seed)


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_a_copy_leaves_the_original_alone(name: str, size: str, maker: str) -> None:
    env = SoloEnv(name, size, opponent="random")
    _, info = env.reset(seed=7)
    twin = MAKERS[maker](env)
    before = env.game.state, len(env.game.plies), env.game.illegal.copy()
    list(walk(twin, info, 3, 30))
    if not twin.game.is_over:
        twin.step(-1)
    assert (env.game.state, len(env.game.plies), env.game.illegal) == before
    twin.reset(seed=1)
    assert env.game.seed == 7


@pytest.mark.parametrize("maker", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_tables_are_copied_too(name: str, size: str, maker: Callable[[TableEnv], TableEnv]) -> None:
    env = TableEnv(name, size, reward="worth")
    env.reset(seed=3)
    rng = random.Random(0)
    for _ in range(9):
        env.step(pick(env.infos[env.agent_selection]["action_mask"], rng))
    twin = maker(env)
    for _ in range(25):
        if env.game.is_over:
            break
        number = pick(env.infos[env.agent_selection]["action_mask"], rng)
        for one in (env, twin):
            one.step(number)
        assert env.agent_selection == twin.agent_selection
        assert env.rewards == twin.rewards
        assert env.game.state == twin.game.state
    assert env.game.plies == twin.game.plies


def test_a_wrapped_environment_is_copied_whole() -> None:
    env = gymnasium.make(ids()[0], opponent="random")
    _, info = env.reset(seed=7)
    twin = copy.deepcopy(env)
    for _ in range(12):
        number = pick(info["action_mask"], random.Random(1))
        *_, info = env.step(number)
        *_, again = twin.step(number)
        assert (info["action_mask"] == again["action_mask"]).all()


def test_a_policy_of_its_own_comes_with_a_pickle() -> None:
    env = SoloEnv("_template", "duel", opponent=policy("greedy"))
    env.reset(seed=1)
    assert repickled(env).opponent.name == "greedy"


GO_ON = """
import pickle, sys
from pathlib import Path
from tests.env.walks import walk
env, info = pickle.loads(Path(sys.argv[1]).read_bytes())
seen = list(walk(env, info, 4, 30))
Path(sys.argv[1]).write_bytes(pickle.dumps((seen, env)))
"""


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_a_pickle_goes_on_in_another_process(name: str, size: str, tmp_path: Path) -> None:
    env = SoloEnv(name, size, opponent="random")
    _, info = env.reset(seed=7)
    place = tmp_path / "env.pickle"
    place.write_bytes(pickle.dumps((env, info)))
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONHASHSEED": "7"}
    done = subprocess.run(
        [sys.executable, "-P", "-c", GO_ON, str(place)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    there, back = pickle.loads(place.read_bytes())
    here = list(walk(env, info, 4, 30))
    assert len(here) == len(there)
    assert all(same(one, other) for one, other in zip(here, there, strict=True))
    assert back.game.plies == env.game.plies
