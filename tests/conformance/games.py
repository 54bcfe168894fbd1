"""Random games of any ruleset, as the laws walk through them; every draw comes from one seeded generator."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass

from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.chance import Outcome
from tactician.rules.core.ruleset import Ruleset, Scenario
from tactician.rules.core.state import State

MOST_PLIES = 20_000
"""Plies after which a random game is taken never to end."""


@dataclass(frozen=True, slots=True)
class Ply:
    """One step of a game: the moment before, what happened, and the moment after."""

    before: State
    action: Action | None
    """What a side did; None where dice fell."""
    outcome: Outcome | None
    """What the dice came to; None where a side acted."""
    after: State


def opening(ruleset: Ruleset, size: str) -> State:
    """The first moment of the default scenario of a size."""
    return ruleset.start(Scenario(size=size))


def play(ruleset: Ruleset, state: State, seed: int, most: int = MOST_PLIES) -> Iterator[Ply]:
    """A game from a moment on in which everybody picks any choice and samples an answer to it."""
    rng = random.Random(seed)
    for _ in range(most):
        mover = ruleset.to_move(state)
        if mover == TERMINAL:
            return
        action: Action | None = None
        outcome: Outcome | None = None
        if mover == CHANCE:
            outcome = ruleset.pending(state).sample(rng)
            after = ruleset.resolve(state, outcome)
        else:
            action = rng.choice(ruleset.choices(state)).sample(state, rng.random)
            after = ruleset.apply(state, action)
        yield Ply(state, action, outcome, after)
        state = after


def moments(ruleset: Ruleset, size: str, seed: int, most: int) -> tuple[State, ...]:
    """At most so many moments of a random game, spread evenly over its first plies, none of them terminal.

    Kinds of frame count: the first moment of each kind of innermost frame is always among them.
    """
    plies = list(play(ruleset, opening(ruleset, size), seed, 12 * most))
    kinds: dict[str, State] = {}
    for ply in plies:
        kinds.setdefault(ply.before.agenda[-1].kind, ply.before)
    step = max(len(plies) // most, 1)
    spread = [ply.before for ply in plies[::step][:most]]
    return tuple(spread) + tuple(state for state in kinds.values() if not any(state is one for one in spread))


def digest(ruleset: Ruleset, size: str, seed: int, most: int) -> str:
    """A fingerprint of a random game: choices in their order, actions, outcomes, data in its order."""
    found = hashlib.sha256()
    for ply in play(ruleset, opening(ruleset, size), seed, most):
        offered = ruleset.choices(ply.before)
        found.update(repr((offered, ply.action, ply.outcome, ply.after.log)).encode())
        found.update(json.dumps(ruleset.to_data(ply.after)).encode())
    return found.hexdigest()
