"""Orders as a person would write them: round numbers, no idle legs, as long as they stay legal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tactician.rules.core.action import Action
from tactician.rules.core.legs import Leg, Path, Pose, Straight

__all__ = ["tidied"]

DECIMALS = (1, 2, 3)
"""Decimals tried, coarsest first."""


def tidied(action: Action, is_legal: Callable[[Action], bool], decimals: tuple[int, ...] = DECIMALS) -> Action:
    """The action with rounded coordinates and without idle last legs, the plainest form that is still legal.

    Args:
        action: a legal action.
        is_legal: whether a changed action is legal.
        decimals: decimals of coordinates tried, coarsest first.
    """
    short = replace(action, paths=tuple((name, _without_last_waits(path)) for name, path in action.paths))
    best = short if short != action and is_legal(short) else action
    for places in decimals:
        rounded = _rounded(best, places)
        if rounded != best and is_legal(rounded):
            return rounded
    return best


def _without_last_waits(path: Path) -> Path:
    """A path without legs at its end that repeat the last place; at least one leg is left."""
    legs = list(path)
    while len(legs) > 1 and legs[-1] == legs[-2] and isinstance(legs[-1], Straight):
        legs.pop()
    return tuple(legs)


def _rounded(action: Action, decimals: int) -> Action:
    paths = tuple((name, tuple(_rounded_leg(leg, decimals) for leg in path)) for name, path in action.paths)
    places = tuple((name, _rounded_pose(pose, decimals)) for name, pose in action.places)
    return replace(action, paths=paths, places=places)


def _rounded_leg(leg: Leg, decimals: int) -> Leg:
    if not isinstance(leg, Straight):
        return leg
    return Straight((round(leg.to[0], decimals), round(leg.to[1], decimals)))


def _rounded_pose(pose: Pose, decimals: int) -> Pose:
    return pose._replace(x=round(pose.x, decimals), y=round(pose.y, decimals))
