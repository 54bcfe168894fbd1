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
from typing import Any

import pytest
from tactician.agent.policies.base import Budget, policy
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.chance import Outcome
from tactician.rules.core.notation import action_from_text, action_to_text
from tactician.rules.core.ruleset import Scenario
from tactician.rules.core.state import State
from tactician.rules.voidsiege import RULESET

Battle = dict[str, Any]

FOLDER = Path(__file__).resolve().parents[3] / "rules" / "voidsiege" / "golden"

GAMES = {
    "annihilation": (Scenario(size="duel", mission="annihilation", options=(("command_points", 3),)), 7),
    "all-out-war": (Scenario(size="duel", mission="all-out-war", options=(("command_points", 2),)), 6),
    "king-of-the-castle": (Scenario(size="duel", mission="king-of-the-castle", options=(("command_points", 2),)), 10),
    "raid-and-repeat": (Scenario(size="duel", mission="raid-and-repeat", options=(("command_points", 3),)), 2),
    "war-zone": (Scenario(size="duel", mission="war-zone", options=(("command_points", 2),)), 0),
    "citadel-clash": (Scenario(size="duel", mission="citadel-clash", options=(("command_points", 2),)), 10),
}
"""Scenario and seed of each game."""

HELP: Battle = {
    "ruleset": "voidsiege",
    "scenario": {"mission": "annihilation", "size": "duel", "turns": 2, "first": "red"},
    "board": {"width": 24, "height": 24},
    "options": {"command_points": 4},
    "profiles": {
        "winch": {
            "name": "Winch",
            "move": 8,
            "target_lock": 4,
            "resolve": 3,
            "number": 2,
            "rules": ["drag"],
            "weapons": [{"id": "hook", "range": 18, "rof": 3, "force": 2}, "claws"],
        }
    },
    "sides": {
        "red": {
            "units": [
                {
                    "id": "W",
                    "name": "Winches",
                    "profile": "winch",
                    "formation": {"models": 2, "front_left": [12, 6]},
                },
                {
                    "id": "H",
                    "name": "Horde",
                    "profile": "horde",
                    "formation": {"models": 5, "front_left": [5, 7]},
                    "lost": ["H7", "H8", "H9"],
                },
            ]
        },
        "blue": {
            "units": [
                {
                    "id": "A",
                    "name": "Assault",
                    "profile": "assault-team",
                    "formation": {"models": 3, "front_left": [11, 16]},
                },
                {
                    "id": "T",
                    "name": "Troopers",
                    "profile": "troopers",
                    "formation": {"models": 5, "front_left": [5, 20]},
                },
            ]
        },
    },
    "active": "red",
}
"""A battle for what seldom happens by chance: whoever can answer for a friend, drag or charge does."""

BATTLES: dict[str, tuple[Battle, int]] = {"helping": (HELP, 349)}
"""Battle and seed of games that begin with one."""

SOUGHT = ("covering_fire", "intervene", "drag")

LED = ("raid-and-repeat",)
"""Games in which red is played by the greedy policy, as what they are about hardly ever happens by chance."""


def begun(game: Scenario | Battle) -> State:
    return RULESET.start(game) if isinstance(game, Scenario) else RULESET.from_data(game)


def played(scenario: Scenario | Battle, seed: int) -> Iterator[str]:
    """A game between two players who do anything legal, one of them with a purpose if the game is led, as text."""
    rng = random.Random(seed)
    leader = policy("greedy") if isinstance(scenario, Scenario) and scenario.mission in LED else None
    sought = () if isinstance(scenario, Scenario) else SOUGHT
    state: State = begun(scenario)
    yield head(scenario)
    while (mover := RULESET.to_move(state)) != TERMINAL:
        if mover == CHANCE:
            roll = RULESET.pending(state)
            outcome = roll.sample(rng)
            yield rolled(outcome, roll.why)
            state = RULESET.resolve(state, outcome)
        else:
            choices = RULESET.choices(state)
            wanted = tuple(choice for choice in choices if choice.verb in sought)
            action = rng.choice(wanted or choices).sample(state, rng.random)
            if leader is not None and mover == "red":
                action = leader.decide(RULESET, state, Budget(), rng).action
            yield f"{mover}: {action_to_text(action)}"
            state = RULESET.apply(state, action)
        yield from told(state)
    yield from end(state)


def replayed(scenario: Scenario | Battle, lines: list[str]) -> Iterator[str]:
    """The same orders and dice once more, every order checked, as text."""
    state: State = begun(scenario)
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


def head(scenario: Scenario | Battle) -> str:
    if not isinstance(scenario, Scenario):
        return f"voidsiege {RULESET.info.version}: a battle by hand"
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


EVERY: dict[str, tuple[Scenario | Battle, int]] = {**GAMES, **BATTLES}


@pytest.mark.parametrize("name", EVERY)
def test_a_pinned_game_comes_out_the_same(name: str) -> None:
    lines = read(name)
    assert lines[0] == head(EVERY[name][0]), "of another version of the rules; see above how to write it anew"
    assert list(replayed(EVERY[name][0], lines)) == lines


def test_the_pinned_games_show_what_games_are_made_of() -> None:
    lines = [line for name in EVERY for line in read(name)]
    asked = {line.partition(" | ")[2].partition(":")[0] for line in lines if line.startswith("dice")}
    assert asked == set(RULESET.info.rolls)
    words = {word for line in lines if line.startswith(("red", "blue")) for word in line.split()[1:3]}
    assert set(RULESET.info.verbs) <= words


def regenerate() -> None:
    """Write the files anew."""
    for name, (scenario, seed) in EVERY.items():
        text = json.dumps(list(played(scenario, seed)), indent=0)
        (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    regenerate()
