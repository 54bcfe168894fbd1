"""The examples of the page on learning run as they stand there."""

from __future__ import annotations

import re
from ast import literal_eval

import gymnasium
import pytest

from tests.architecture.tree import ROOT

PAGE = ROOT / "docs" / "learning.md"

BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
TRAINING = [block for block in BLOCKS if "sb3_contrib" in block]


def test_there_are_examples() -> None:
    assert len(BLOCKS) >= 5
    assert len(TRAINING) == 1


@pytest.mark.parametrize("number", [n for n, block in enumerate(BLOCKS) if block not in TRAINING])
def test_an_example_runs(number: int) -> None:
    exec(compile(BLOCKS[number], f"{PAGE.name}, example {number + 1}", "exec"), {})


def test_the_training_example_names_what_exists() -> None:
    (block,) = TRAINING
    assert "make_vec_env" in compile(block, PAGE.name, "exec").co_names
    (name,) = re.findall(r'"tactician\.env:(.*?)"', block)
    (kwargs,) = re.findall(r"env_kwargs=(\{.*?\})", block)
    env = gymnasium.make(f"tactician.env:{name}", **literal_eval(kwargs)).unwrapped
    env.reset(seed=0)
    assert callable(env.get_wrapper_attr("action_masks"))
