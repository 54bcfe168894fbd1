"""Ids: one for each ruleset found and each of its sizes, made in any interpreter."""

from __future__ import annotations

import json
import subprocess
import sys

import gymnasium
import pytest
from tactician.env import id_of, ids
from tactician.env.solo import SoloEnv
from tactician.rules.core.ruleset import RulesetError, load_ruleset, ruleset_names

from tests.architecture.tree import ROOT

MADE = """
import json, sys
import gymnasium
env = gymnasium.make(sys.argv[1])
seen, info = env.reset(seed=3)
for _ in range(5):
    seen, paid, ended, cut, info = env.step(int(info["action_mask"].argmax()))
print(json.dumps([sorted(seen), int(info["action_mask"].sum()), int(env.get_wrapper_attr("action_masks")().sum())]))
"""


def test_there_is_an_id_for_every_ruleset_and_size() -> None:
    wanted = [f"tactician/{name}-{size}-v0" for name in ruleset_names() for size in load_ruleset(name).info.sizes]
    assert list(ids()) == wanted
    assert wanted
    assert set(wanted) <= set(gymnasium.registry)
    assert not any("_template" in one for one in gymnasium.registry)


@pytest.mark.parametrize("name", ids())
def test_an_id_makes_its_environment(name: str) -> None:
    env = gymnasium.make(name, opponent="straight-ahead", render_mode="ansi")
    solo = env.unwrapped
    assert isinstance(solo, SoloEnv)
    assert id_of(solo.terms.setup.ruleset, solo.terms.setup.size) == name
    assert solo.opponent.name == "straight-ahead"


def test_a_fresh_interpreter_finds_an_id_by_the_name_of_the_package() -> None:
    command = [sys.executable, "-P", "-W", "error", "-c", MADE, f"tactician.env:{ids()[0]}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    parts, in_info, by_method = json.loads(done.stdout)
    assert parts == ["asked", "board", "globals", "units"]
    assert in_info == by_method > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"opponent": "gredy"}, "greedy"),
        ({"opponent": 7}, "neither the name of a policy"),
        ({"reward": "wins"}, "win"),
        ({"side": "green"}, "expected red, blue or random"),
        ({"armies": ("one",)}, "two names"),
        ({"armies": "red"}, "two names"),
        ({"render_mode": "rgb"}, "rgb_array"),
    ],
)
def test_a_wrong_argument_is_named_with_what_was_meant(arguments: dict[str, object], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        SoloEnv("_template", "duel", **arguments)  # type: ignore[arg-type]


def test_unknown_games_and_sizes_are_named() -> None:
    with pytest.raises(RulesetError, match="no ruleset 'chess'"):
        SoloEnv("chess", "duel")
    name = ruleset_names()[0]
    with pytest.raises(RulesetError, match="enormous"):
        SoloEnv(name, "enormous")
    with pytest.raises(RulesetError, match="nowhere"):
        SoloEnv(name, load_ruleset(name).info.sizes[0], mission="nowhere").reset(seed=0)
