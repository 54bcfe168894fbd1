"""Vectors of environments, in one process and in several, in both modes of beginning anew."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from tactician.env.solo import SoloEnv

from tests.env.walks import SMALLEST, pick

COUNT = 2
STEPS = 40
PLIES = 24
"""Few enough that every environment begins anew several times."""

Row = tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]


def maker(name: str, size: str) -> Callable[[], SoloEnv]:
    """Makes an environment in any process: nothing in it belongs to the tests."""
    return partial(SoloEnv, name, size, opponent="random", reward="worth", max_plies=PLIES)


def rolled(vector: Any, seed: int) -> list[Row]:
    """Masked random steps of all environments at once."""
    rngs = [random.Random(number) for number in range(COUNT)]
    seen, infos = vector.reset(seed=seed)
    rows: list[Row] = [(seen, *[np.zeros(COUNT)] * 3, infos)]
    for _ in range(STEPS):
        masks = infos["action_mask"]
        assert masks.shape == (COUNT, int(vector.single_action_space.n))
        assert masks.any(axis=1).all()
        numbers = np.array([pick(mask, rng) for mask, rng in zip(masks, rngs, strict=True)])
        *rest, infos = vector.step(numbers)
        rows.append((*rest, infos))
    vector.close()
    return rows


def alone(name: str, size: str, seed: int, number: int, mode: AutoresetMode) -> list[tuple[float, bool, list[int]]]:
    """What one environment of the vector does, by hand."""
    env, rng = maker(name, size)(), random.Random(number)
    _, info = env.reset(seed=seed + number)
    rows = []
    is_over = False
    for _ in range(STEPS):
        pressed = pick(info["action_mask"], rng)
        if is_over and mode is AutoresetMode.NEXT_STEP:
            paid, is_over = 0.0, False
            _, info = env.reset()
        else:
            _, paid, ended, cut, info = env.step(pressed)
            is_over = ended or cut
            if is_over and mode is AutoresetMode.SAME_STEP:
                _, info = env.reset()
        rows.append((paid, is_over, info["action_mask"].tolist()))
    return rows


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_a_vector_plays_the_games_of_its_environments(name: str, size: str, mode: AutoresetMode) -> None:
    rows = rolled(SyncVectorEnv([maker(name, size)] * COUNT, autoreset_mode=mode), seed=11)
    over = 0
    for number in range(COUNT):
        by_hand = alone(name, size, 11, number, mode)
        for (_, paid, ended, cut, infos), (wanted, is_over, mask) in zip(rows[1:], by_hand, strict=True):
            assert paid[number] == wanted
            assert bool(ended[number] or cut[number]) == is_over
            assert infos["action_mask"][number].tolist() == mask
            over += is_over
    assert over > COUNT, "no environment began anew"


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_several_processes_play_what_one_does(mode: AutoresetMode) -> None:
    name, size = SMALLEST[0]
    together = rolled(SyncVectorEnv([maker(name, size)] * COUNT, autoreset_mode=mode), seed=21)
    apart = rolled(AsyncVectorEnv([maker(name, size)] * COUNT, context="fork", autoreset_mode=mode), seed=21)
    for (seen, *numbers, infos), (seen_too, *numbers_too, infos_too) in zip(together, apart, strict=True):
        assert all(np.array_equal(seen[part], seen_too[part]) for part in seen)
        assert all(np.array_equal(one, other) for one, other in zip(numbers, numbers_too, strict=True))
        assert np.array_equal(infos["action_mask"], infos_too["action_mask"])


@pytest.mark.slow
@pytest.mark.parametrize("context", ["spawn", "forkserver"])
@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_processes_that_begin_afresh_play_the_same(name: str, size: str, context: str) -> None:
    mode = AutoresetMode.NEXT_STEP
    together = rolled(SyncVectorEnv([maker(name, size)] * COUNT, autoreset_mode=mode), seed=31)
    apart = rolled(AsyncVectorEnv([maker(name, size)] * COUNT, context=context, autoreset_mode=mode), seed=31)
    for (seen, *_, infos), (seen_too, *_, infos_too) in zip(together, apart, strict=True):
        assert all(np.array_equal(seen[part], seen_too[part]) for part in seen)
        assert np.array_equal(infos["action_mask"], infos_too["action_mask"])
