"""Weight profiles: temperaments in which moments are valued, open to everybody who uses `Weights`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tactician.agent.value.terms import Weights
from tactician.rules.core.forms import nearest

__all__ = ["PROFILES", "Profile", "profile", "profile_names"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A temperament."""

    name: str
    sentence: str
    """What a player is told about it."""
    weights: Weights


BALANCED = Weights()
"""The weights that play best; the other profiles lean away from them."""

PROFILES = (
    Profile(
        name="cautious",
        sentence="Keeps what it has: it minds what the enemy can do next, and takes places that score without a fight.",
        weights=replace(BALANCED, models=1.1, danger=3 * BALANCED.danger, scoring=0.9, threat=0.8 * BALANCED.threat),
    ),
    Profile(
        name="balanced",
        sentence="Weighs losses, threats and points as they have proved best; what is used unless told otherwise.",
        weights=BALANCED,
    ),
    Profile(
        name="aggressive",
        sentence="Looks for the fight: it counts what it can destroy next, and hardly what can be done to it.",
        weights=replace(BALANCED, danger=0.0, threat=1.4 * BALANCED.threat, goals=1.2 * BALANCED.goals),
    ),
)
"""Every profile, from the most careful to the least."""


def profile_names() -> tuple[str, ...]:
    """Every profile's name, from the most careful to the least."""
    return tuple(one.name for one in PROFILES)


def profile(name: str) -> Profile:
    """A profile by its name.

    Raises:
        ValueError: there is none of this name.
    """
    for one in PROFILES:
        if one.name == name:
            return one
    raise ValueError(f"there is no profile {name!r}{nearest(name, profile_names())}")
