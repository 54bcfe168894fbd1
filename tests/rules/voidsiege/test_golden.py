"""Whole games pinned as text, order by order: what the rules made of each, and what it came to.

A file of `rules/voidsiege/golden` is a list of lines: a head line with the scenario, then a line for everything that
was done (``red: R1 run``) or rolled (``dice: 2, 1 | target lock: ...``), what the rules said about it indented below,
and last how the game ended and who stands where. Write them anew, after a change of the rules that is meant, with

    .venv/bin/python -m tests.rules.voidsiege.test_golden
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.chance import Outcome
from tactician.rules.core.notation import action_from_text, action_to_text
from tactician.rules.core.ruleset import Scenario
from tactician.rules.core.state import State
from tactician.rules.voidsiege import RULESET

FOLDER = Path(__file__).resolve().parents[3] / "rules" / "voidsiege" / "golden"

GAMES = {
    "annihilation": (Scenario(size="duel", mission="annihilation", options=(("command_points", 3),)), 7),
    "all-out-war": (Scenario(size="duel", mission="all-out-war", options=(("command_points", 2),)), 6),
}
"""Scenario and seed of each game."""


def played(scenario: Scenario, seed: int) -> Iterator[str]:
    """A game between two players who do anything legal, as text."""
    rng = random.Random(seed)
    state: State = RULESET.start(scenario)
    yield head(scenario)
    while (mover := RULESET.to_move(state)) != TERMINAL:
        if mover == CHANCE:
            roll = RULESET.pending(state)
            outcome = roll.sample(rng)
            yield rolled(outcome, roll.why)
            state = RULESET.resolve(state, outcome)
        else:
            action = rng.choice(RULESET.choices(state)).sample(state, rng.random)
            yield f"{mover}: {action_to_text(action)}"
            state = RULESET.apply(state, action)
        yield from told(state)
    yield from end(state)


def replayed(scenario: Scenario, lines: list[str]) -> Iterator[str]:
    """The same orders and dice once more, every order checked, as text."""
    state: State = RULESET.start(scenario)
    yield lines[0]
    for line in lines[1:]:
        if line.startswith((" ", "end:")):
            continue
        mover, _, rest = line.partition(": ")
        if RULESET.to_move(state) == CHANCE:
            outcome = fallen(rest.partition(" | ")[0])
            yield rolled(outcome, RULESET.pending(state).why)
            state = RULESET.resolve(state, outcome)
        else:
            assert RULESET.to_move(state) == mover
            action = action_from_text(rest)
            assert RULESET.check(state, action) == (), line
            yield f"{mover}: {action_to_text(action)}"
            state = RULESET.apply(state, action)
        yield from told(state)
    yield from end(state)


def head(scenario: Scenario) -> str:
    options = ", ".join(f"{name} {value:g}" for name, value in scenario.options)
    return f"voidsiege {RULESET.info.version}: {scenario.mission}, {scenario.size}, {options}"


def rolled(outcome: Outcome, why: str) -> str:
    numbers = outcome if isinstance(outcome, tuple) else (outcome,)
    return f"dice: {', '.join(map(str, numbers))} | {why}"


def fallen(text: str) -> Outcome:
    numbers = tuple(int(number) for number in text.split(", "))
    return numbers[0] if len(numbers) == 1 else numbers


def told(state: State) -> Iterator[str]:
    yield from (f"    {line}" for line in state.log)


def end(state: State) -> Iterator[str]:
    red, blue = RULESET.returns(state)
    yield f"end: {RULESET.ending(state)}, red {red:g}, blue {blue:g}"
    for unit in state.units:
        models = "; ".join(f"{m.id} {m.pose.x:g},{m.pose.y:g} {m.pose.surface}" for m in unit.models)
        yield f"    {unit.id} ({unit.name}): {models or 'nobody'}"


def read(name: str) -> list[str]:
    lines: list[str] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return lines


@pytest.mark.parametrize("name", GAMES)
def test_a_pinned_game_comes_out_the_same(name: str) -> None:
    lines = read(name)
    assert lines[0] == head(GAMES[name][0]), "of another version of the rules; see above how to write it anew"
    assert list(replayed(GAMES[name][0], lines)) == lines


def test_the_pinned_games_show_what_games_are_made_of() -> None:
    lines = [line for name in GAMES for line in read(name)]
    asked = {line.partition(" | ")[2].partition(":")[0] for line in lines if line.startswith("dice")}
    assert asked == set(RULESET.info.rolls)
    words = {word for line in lines if line.startswith(("red", "blue")) for word in line.split()[1:3]}
    assert set(RULESET.info.verbs) <= words


def regenerate() -> None:
    """Write the files anew."""
    for name, (scenario, seed) in GAMES.items():
        text = json.dumps(list(played(scenario, seed)), indent=0)
        (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    regenerate()
