"""Levels and styles of the opponent, open to whoever plays: what it looks at, how long it thinks, what it minds.

A level is a policy and a budget; no level gets other rules, other dice or more points. Budgets are counted in
evaluations and not in seconds, so that a level is as strong on a slow machine as on a fast one.
"""

from __future__ import annotations

from dataclasses import dataclass

from tactician.agent.doctrine.style import BOLD, STEADY
from tactician.agent.policies.base import Budget, Policy, policy, policy_names
from tactician.agent.policies.greedy import Greedy
from tactician.agent.policies.search import STYLES
from tactician.agent.value.profiles import profile
from tactician.rules.core.forms import nearest

__all__ = ["BALANCED", "LEVELS", "USUAL", "Level", "Opponent", "level", "levels", "opponent", "style_names"]

BALANCED = "balanced"
"""The style of whoever asks for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """How well an opponent plays."""

    name: str
    title: str
    sentence: str
    """What it looks at, as a player is told."""
    policy: str
    """Who plays, by the name on the ladder."""
    evaluations: int
    """Orders that it carries out by the rules for one decision, at most; 0 for one that carries out none."""


LEVELS = (
    Level(
        name="recruit",
        title="Recruit",
        sentence="Looks at the nearest enemy only: shoots or charges if it can, else goes straight at him.",
        policy="straight-ahead",
        evaluations=0,
    ),
    Level(
        name="regular",
        title="Regular",
        sentence="Looks at what each of its units is good for and follows a script; it tries nothing out.",
        policy="doctrine-steady",
        evaluations=0,
    ),
    Level(
        name="veteran",
        title="Veteran",
        sentence="Looks at what an order leads to at once, the dice weighed by their odds, and takes the best result.",
        policy="greedy",
        evaluations=24,
    ),
    Level(
        name="master",
        title="Master",
        sentence="Looks further: works small questions out exactly, and plays whole turns on in a sketch of the game.",
        policy="search",
        evaluations=24,
    ),
)
"""Every level, from the easiest to the hardest."""

USUAL = "veteran"
"""The level of whoever asks for none."""

_STYLED = {
    STEADY.name: {"aggressive": BOLD.name},
    "search": {one.name: one.policy for one in STYLES},
}
"""Policies that play a style under a name of their own. The script plays in two ways; balanced is the careful one."""

_TOLD = {one.policy: one.sentence for one in STYLES} | {one.name: one.sentence for one in (STEADY, BOLD)}
"""What is said of the styles of those policies."""


def levels() -> tuple[Level, ...]:
    """Every level, from the easiest to the hardest."""
    return LEVELS


def level(name: str) -> Level:
    """A level by its name.

    Raises:
        ValueError: there is none of this name.
    """
    for one in LEVELS:
        if one.name == name:
            return one
    raise ValueError(f"there is no level {name!r}{nearest(name, tuple(one.name for one in LEVELS))}")


def style_names() -> tuple[str, ...]:
    """Every style, from the most careful to the least."""
    return tuple(one.name for one in STYLES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opponent:
    """Who plays against a person, as it is shown to him."""

    level: Level | None
    """None of a policy that was named for itself."""
    policy: Policy
    looks: str
    """What it looks at; empty of a policy that no level is."""
    style: str
    """The style's name; empty where there is one way to play only."""
    sentence: str
    """What is said of the style."""

    @property
    def budget(self) -> Budget:
        """How long it thinks about a decision; the usual budget of a policy that was named for itself."""
        return Budget() if self.level is None else Budget(evaluations=self.level.evaluations)


def opponent(name: str = "", style: str = "") -> Opponent:
    """Who plays at a level, or the policy of that name, in a style.

    Args:
        name: of a level or a policy; the usual level where it is empty.
        style: the balanced one where it is empty.

    Raises:
        ValueError: there is no such level or policy, no such style, or it has one way to play only.
    """
    chosen, asked = name or USUAL, style or BALANCED
    known = tuple(one.name for one in LEVELS)
    if chosen not in known and chosen not in policy_names():
        raise ValueError(f"there is no level or policy {chosen!r}{nearest(chosen, (*known, *policy_names()))}")
    if asked not in style_names():
        raise ValueError(f"there is no style {asked!r}{nearest(asked, style_names())}")
    found = level(chosen) if chosen in known else None
    player = chosen if found is None else found.policy
    if asked != BALANCED and not _is_styled(player):
        styled = ", ".join(one.name for one in LEVELS if _is_styled(one.policy))
        raise ValueError(f"{chosen} knows one way to play; styles are for {styled}")
    return Opponent(
        level=found,
        policy=_played(player, asked),
        looks=next((one.sentence for one in LEVELS if one.policy == player), ""),
        style=asked if _is_styled(player) else "",
        sentence=_sentence(player, asked),
    )


def _is_styled(name: str) -> bool:
    """Whether a policy plays in several styles."""
    return name == Greedy.name or name in _STYLED


def _played(name: str, style: str) -> Policy:
    """A policy in a style."""
    if name == Greedy.name:
        return Greedy(profile(style).weights)
    return policy(_STYLED.get(name, {}).get(style, name))


def _sentence(name: str, style: str) -> str:
    if name == Greedy.name:
        return profile(style).sentence
    return _TOLD.get(_STYLED.get(name, {}).get(style, name), "")
