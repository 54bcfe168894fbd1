"""How long the threat map of both sides takes, and one exact answer: ``python -m benchmarks.threat``.

Battles of each game are filled up to twenty units by copies of their own units, put where there is room.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from time import perf_counter
from typing import Any

from tactician.agent.threat import threat_map, threatened
from tactician.rules.core.files import BadInput
from tactician.rules.core.ruleset import Ruleset, Scenario, load_ruleset, ruleset_names
from tactician.rules.core.state import SIDES, State
from tactician.rules.paths import twins

from benchmarks.rows import Row, group, load_ahead, median, part, write_group

__all__ = ["main"]

UNITS = 20
RUNS = 5
PLACES = 60
"""Places about which is asked exactly."""

MOST_TRIES = 4_000


def crowded(ruleset: Ruleset) -> State:
    """A battle of twenty units, ten a side, at random places in the halves of their sides.

    Raises:
        ValueError: there is no room for them.
    """
    rng = random.Random(5)
    state = ruleset.start(Scenario(size="battle", deployed=True, first="red"))
    data = ruleset.to_data(state)
    for side in SIDES:
        units = data["sides"][side]["units"]
        own, number, tries = list(units), 0, 0
        while len(units) < UNITS // 2:
            units.append(_copy(own[number % len(own)], f"z{number}", rng, state))
            try:
                state = ruleset.from_data(data)
                number += 1
            except BadInput:
                units.pop()
            tries += 1
            if tries > MOST_TRIES:
                raise ValueError(f"no room for {UNITS} units on {data['board']['name']}")
        del units[UNITS // 2 :]
    return ruleset.from_data(data)


def _copy(unit: dict[str, Any], mark: str, rng: random.Random, state: State) -> dict[str, Any]:
    """A unit with ids of its own, shifted towards the middle of the table or along its edge."""
    found: dict[str, Any] = json.loads(json.dumps(unit).replace(f'"{unit["id"]}', f'"{unit["id"]}{mark}'))
    x, y = found["models"][0]["at"][:2]
    dx = rng.uniform(2, state.board.width - 2) - x
    low, high = (
        (2.0, state.board.height / 2 - 4)
        if y < state.board.height / 2
        else (
            state.board.height / 2 + 4,
            state.board.height - 2,
        )
    )
    dy = rng.uniform(low, high) - y
    for model in found["models"]:
        model["at"] = [round(model["at"][0] + dx, 2), round(model["at"][1] + dy, 2), *model["at"][2:]]
    return found


def measured(name: str) -> Iterator[Row]:
    """The rows of one game."""
    ruleset = load_ruleset(name)
    state = crowded(ruleset)
    models = sum(len(unit.models) for unit in state.units)
    first, *times = [_seconds(ruleset, state) for _ in range(RUNS + 1)]
    middle = median(times)
    note = f"{len(state.units)} units, {models} models, cells of an inch; median of {RUNS}, first {first:.2f}"
    yield Row(
        what=f"threat map of both sides, {name}",
        target="<= 1 s",
        measured=middle,
        unit="s",
        met=middle <= 1.0,
        note=note,
    )
    rng, answers = random.Random(6), list[float]()
    for _ in range(PLACES):
        place = rng.uniform(1, state.board.width - 1), rng.uniform(1, state.board.height - 1)
        unit = rng.choice(state.units).id
        begun = perf_counter()
        threatened(ruleset, state, place, unit)
        answers.append(perf_counter() - begun)
    yield Row(
        what=f"whether a unit threatens a place, exactly, {name}",
        target="",
        measured=1000 * median(answers),
        unit="ms",
        note=f"median of {PLACES} random pairs; 95 of 100 within {1000 * part(answers, 0.95):.0f} ms",
    )


def _seconds(ruleset: Ruleset, state: State) -> float:
    begun = perf_counter()
    for side in SIDES:
        threat_map(ruleset, state, side)
    return perf_counter() - begun


def main() -> None:
    """Measure everything and write the file."""
    load = load_ahead()
    twins.force(twins.COMPILED)
    twins.warm()
    rows = [row for name in ruleset_names() for row in measured(name)]
    place = write_group(group("threat", "Threat maps", rows, load=load))
    for row in rows:
        sys.stdout.write(f"{row.what}: {row.measured:.4g} {row.unit} (target {row.target or '-'}; {row.note})\n")
    sys.stdout.write(f"{place}\n")


if __name__ == "__main__":
    main()
