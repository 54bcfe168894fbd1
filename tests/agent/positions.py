"""Positions for the tests of whoever chooses: moments of random games of every ruleset."""

from __future__ import annotations

from functools import cache

from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.ruleset import Ruleset, Scenario, load_ruleset, ruleset_names
from tactician.rules.core.state import State

from tests.conformance.games import moments, play

NAMES = (*ruleset_names(), "_template")


@cache
def decisions(name: str, size: str, seed: int, most: int) -> tuple[State, ...]:
    """Moments in which a side decides."""
    ruleset = load_ruleset(name)
    found = moments(ruleset, size, seed, most)
    return tuple(state for state in found if ruleset.to_move(state) not in (CHANCE, TERMINAL))


@cache
def kinds(name: str, seed: int) -> dict[str, State]:
    """The first decision of each kind of frame along a few random games."""
    ruleset = load_ruleset(name)
    found: dict[str, State] = {}
    for number in range(3):
        start = ruleset.start(Scenario(size=ruleset.info.sizes[0]))
        for ply in play(ruleset, start, seed + number):
            if ply.action is not None:
                found.setdefault(ply.before.agenda[-1].kind, ply.before)
    return found


def smallest(ruleset: Ruleset) -> Scenario:
    """The smallest game."""
    return Scenario(size=ruleset.info.sizes[0])
