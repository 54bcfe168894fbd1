"""The spaces of a ruleset at a size, and whether a moment's arrays come as they are or in one row."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from gymnasium import spaces
from tactician.agent.view.observe import shapes
from tactician.env.game import Observation, view_of

__all__ = ["action_space", "flat_space", "observation_space"]


def action_space(ruleset: str, size: str) -> spaces.Discrete:
    """All the numbers."""
    return spaces.Discrete(view_of(ruleset, size).layout.size)


def observation_space(ruleset: str, size: str) -> spaces.Space[Observation]:
    """A `gymnasium.spaces.Dict` with one box for each part of what is seen."""
    layout = view_of(ruleset, size).layout
    found: spaces.Space[Any] = spaces.Dict({name: _box(shape) for name, shape in shapes(layout).items()})
    return found


def flat_space(ruleset: str, size: str) -> spaces.Box:
    """All parts in one row, as `gymnasium.spaces.flatten` puts them."""
    layout = view_of(ruleset, size).layout
    return _box((sum(prod(shape) for shape in shapes(layout).values()),))


def _box(shape: tuple[int, ...]) -> spaces.Box:
    return spaces.Box(-1.0, 1.0, shape, np.float32)
