"""Every ruleset found, with its sizes, for the parameters of tests; nothing else lists them."""

from __future__ import annotations

import inspect
from functools import cache
from pathlib import Path

from tactician.rules.core.ruleset import Ruleset, RulesetError, load_ruleset, ruleset_names
from tactician.rules.core.state import State

from tests.conformance.games import moments

NAMES = (*ruleset_names(), "_template")


def sizes(name: str) -> tuple[str, ...]:
    """The sizes of a ruleset, smallest first; one that does not load gets one test, which then says why."""
    try:
        return load_ruleset(name).info.sizes
    except (ImportError, RulesetError):
        return ("",)


EVERY_SIZE = [(name, size) for name in NAMES for size in sizes(name)]
SMALLEST = [(name, sizes(name)[0]) for name in NAMES]


@cache
def some_moments(name: str, size: str, seed: int, most: int) -> tuple[State, ...]:
    """Moments of a random game, played once for all the laws that look at them."""
    return moments(load_ruleset(name), size, seed, most)


def folder_of(ruleset: Ruleset) -> Path:
    """Where a ruleset's source stands."""
    return Path(inspect.getfile(type(ruleset))).parent
