"""Games played by pressing numbers at random, for the tests of the view; every draw comes from one seeded generator."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from tactician.agent.view.dialogue import Asked, Partial, View
from tactician.agent.view.layout import layout_of
from tactician.agent.view.seats import Seats
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.ruleset import Scenario, load_ruleset
from tactician.rules.core.state import State


@dataclass(frozen=True, slots=True)
class Press:
    """One number pressed: where, what was asked, and what it came to."""

    state: State
    seats: Seats
    partial: Partial
    asked: Asked
    mask: NDArray[np.bool_]
    index: int
    result: Partial | Action


@cache
def view_of(name: str, size: str) -> View:
    """A view, shared by the tests of a process."""
    ruleset = load_ruleset(name)
    return View(ruleset, layout_of(ruleset, size))


def presses(view: View, scenario: Scenario, seed: int, most: int) -> Iterator[Press]:
    """At most so many numbers pressed at random along games of a scenario."""
    ruleset, rng, pressed = view.ruleset, random.Random(seed), 0
    while pressed < most:
        state = ruleset.start(scenario)
        seats, partial = Seats.at_start(state, view.layout), Partial()
        while pressed < most and ruleset.to_move(state) != TERMINAL:
            if ruleset.to_move(state) == CHANCE:
                state = ruleset.resolve(state, ruleset.pending(state).sample(rng))
                seats = seats.updated(state)
                continue
            mask, asked = view.mask(state, seats, partial), view.asked(state, seats, partial)
            index = rng.choice(np.flatnonzero(mask).tolist())
            result = view.press(state, seats, partial, index)
            yield Press(state, seats, partial, asked, mask, index, result)
            pressed += 1
            if isinstance(result, Action):
                state, partial = ruleset.apply(state, result), ()
                seats = seats.updated(state)
            else:
                partial = result


def digest(name: str, size: str, seed: int, most: int) -> str:
    """A fingerprint of a game by numbers: what was asked, the masks, what was seen, what it came to."""
    found, view = hashlib.sha256(), view_of(name, size)
    for press in presses(view, Scenario(size=size, deployed=True), seed, most):
        found.update(repr((press.asked, press.index, press.result)).encode())
        found.update(press.mask.tobytes())
        for side in ("red", "blue"):
            seen = view.observe(press.state, press.seats, press.partial, side)
            for part in sorted(seen):
                found.update(seen[part].tobytes())
    return found.hexdigest()
