"""Every environment found, and ways to press numbers in it; nothing here lists games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from tactician.env.game import Game, Mask, Observation
from tactician.env.solo import SoloEnv

from tests.conformance.found import EVERY_SIZE, SMALLEST

__all__ = ["EVERY_SIZE", "SMALLEST", "Seen", "as_seen", "finish", "lowest", "pick", "same", "walk"]

MOST_STEPS = 6_000
"""Numbers after which a game is taken never to end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What an environment handed out after a step."""

    observation: Observation
    paid: float
    ended: bool
    cut: bool
    info: dict[str, Any]


def pick(mask: Mask, rng: random.Random) -> int:
    """A number that the mask allows, at random."""
    allowed = np.flatnonzero(mask)
    return int(allowed[rng.randrange(allowed.size)])


def lowest(observation: Observation, mask: Mask) -> int:
    """The least number that the mask allows: a player without chance."""
    return int(np.argmax(mask))


def walk(env: SoloEnv, info: dict[str, Any], seed: int, steps: int) -> Iterator[Seen]:
    """Random steps from where the environment stands, at most to the end of its episode."""
    rng = random.Random(seed)
    for _ in range(steps):
        seen = as_seen(env.step(pick(info["action_mask"], rng)))
        yield seen
        if seen.ended or seen.cut:
            return
        info = seen.info


def as_seen(step: tuple[Observation, float, bool, bool, dict[str, Any]]) -> Seen:
    """The result of a step by names."""
    observation, paid, ended, cut, info = step
    return Seen(observation=observation, paid=paid, ended=ended, cut=cut, info=info)


def same(one: Seen, other: Seen) -> bool:
    """Whether two steps handed out exactly the same."""
    arrays = all(np.array_equal(one.observation[name], other.observation[name]) for name in one.observation)
    masks = np.array_equal(one.info["action_mask"], other.info["action_mask"])
    rest = [{key: value for key, value in seen.info.items() if key != "action_mask"} for seen in (one, other)]
    numbers = (one.paid, one.ended, one.cut) == (other.paid, other.ended, other.cut)
    return arrays and masks and numbers and rest[0] == rest[1]


def finish(game: Game, seed: int) -> list[int]:
    """Press numbers at random until a game is over; returns them."""
    rng = random.Random(seed)
    pressed: list[int] = []
    while not game.is_over:
        assert len(pressed) < MOST_STEPS, "the game does not end"
        pressed.append(pick(game.mask(), rng))
        assert game.answer(pressed[-1])
    return pressed
