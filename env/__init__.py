"""The learning interface: each game at each size as an environment for Gymnasium and for PettingZoo.

Importing this package registers an id for every ruleset found and each of its sizes, so that an id can be made in a
fresh interpreter by naming the package before it::

    gymnasium.make("tactician.env:tactician/RULESET-SIZE-v0", opponent="greedy")
"""

from __future__ import annotations

import gymnasium
from tactician.rules.core.ruleset import load_ruleset, ruleset_names

__all__ = ["VERSION", "id_of", "ids"]

VERSION = 0
"""Raised whenever a number or an observation comes to mean something else, so that a trained network no longer fits."""


def id_of(ruleset: str, size: str) -> str:
    """The Gymnasium id of a ruleset at a size."""
    return f"tactician/{ruleset}-{size}-v{VERSION}"


def ids() -> tuple[str, ...]:
    """Every id, rulesets by name and their sizes from the smallest."""
    return tuple(id_of(*row) for row in _found())


def _found() -> tuple[tuple[str, str], ...]:
    return tuple((name, size) for name in ruleset_names() for size in load_ruleset(name).info.sizes)


def _register() -> None:
    for ruleset, size in _found():
        gymnasium.register(
            id=id_of(ruleset, size),
            entry_point="tactician.env.solo:SoloEnv",
            kwargs={"ruleset": ruleset, "size": size},
        )


_register()
