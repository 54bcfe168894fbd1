"""Records and saved battles: alike in every process, resumed in the middle of an interrupted run, replayed undrawn."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

import pytest
from tactician.agent.arena import GameResult, play_game
from tactician.agent.policies import policy
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE
from tactician.rules.core.notation import action_from_text
from tactician.rules.core.record import End, Record, read_record, replay
from tactician.rules.core.ruleset import Scenario
from tactician.rules.paths import twins
from tactician.rules.wh40k2e import RULESET
from tactician.rules.wh40k2e.state import Moving, React, Shooting, SquadState, Targeting, Volleys

from tests.rules.wh40k2e.checker import Ply, played

COMMAND = (sys.executable, "-P", "-c", "import sys; from tactician.cli import main; sys.exit(main())")
"""The command line in a process of its own."""

Mode = Literal["plain", "interpreted", "compiled"]

DUEL = Scenario(size="duel", armies=("marines", "orks"))


# ---- another process -------------------------------------------------------------------------------------------------


def recorded(folder: Path, hash_seed: str) -> bytes:
    """The record of one duel as a process writes it that orders its sets and dictionaries of text in its own way."""
    place = folder / f"hash-seed-{hash_seed}.jsonl"
    words = ("duel", "--rules", "wh40k2e", "--size", "duel", "--red", "random", "--blue", "random", "--seed", "7")
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    subprocess.run([*COMMAND, *words, "--quiet", "--record", str(place)], env=environment, check=True)
    return place.read_bytes()


def test_a_duel_is_recorded_alike_in_another_process(tmp_path: Path) -> None:
    first, second = recorded(tmp_path, "0"), recorded(tmp_path, "1")
    assert first == second
    assert first.count(b"\n") > 10


def record_of(result: GameResult) -> Record:
    """A game as it is written down."""
    return Record(
        product="0",
        ruleset=RULESET.info.id,
        version=RULESET.info.version,
        start=RULESET.to_data(result.start),
        plies=list(result.plies),
        end=End(ending=result.ending, returns=result.returns),
    )


def random_game(scenario: Scenario, seed: int) -> GameResult:
    return play_game(RULESET, scenario, {"red": policy("random"), "blue": policy("random")}, seed)


REPLAYED = """
import json, sys
from tactician.rules.core.agenda import CHANCE
from tactician.rules.core.notation import action_from_text
from tactician.rules.core.record import read_record, replay
from tactician.rules.wh40k2e import RULESET
print(json.dumps(RULESET.to_data(replay(read_record(sys.argv[1]), RULESET)), sort_keys=True))
"""


def test_a_record_is_replayed_alike_in_another_process(tmp_path: Path) -> None:
    result = random_game(replace(DUEL, deployed=True), 5)
    place = tmp_path / "game.jsonl"
    record_of(result).write(place)
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    command = (sys.executable, "-P", "-c", REPLAYED, str(place))
    told = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    assert told.strip() == json.dumps(RULESET.to_data(result.end), sort_keys=True)


# ---- replaying -------------------------------------------------------------------------------------------------------


def forbid_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn(*_: object, **__: object) -> object:
        raise AssertionError("something was drawn by chance")

    for name in ("random", "getrandbits", "randrange", "choice", "choices", "shuffle", "uniform"):
        monkeypatch.setattr(random.Random, name, drawn)
        monkeypatch.setattr(random, name, drawn)


@pytest.mark.parametrize("seed", [3, 4])
def test_a_replay_reaches_the_same_end_and_draws_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    result = random_game(DUEL, seed)
    record_of(result).write(tmp_path / "game.jsonl")
    forbid_drawing(monkeypatch)
    again = replay(read_record(tmp_path / "game.jsonl"), RULESET)
    assert again == result.end
    assert RULESET.ending(again) == result.ending


def test_a_record_with_another_end_is_noticed() -> None:
    record = record_of(random_game(DUEL, 3))
    assert record.end is not None
    assert record.end.returns is not None
    record.end = replace(record.end, returns=tuple(-points or 1.0 for points in record.end.returns))
    with pytest.raises(ValueError, match="the record ends with"):
        replay(record, RULESET)


# ---- saved in the middle of an interrupted run -----------------------------------------------------------------------


def row(name: str, count: int, x: float, y: float, bearing: float) -> list[dict[str, Any]]:
    return [{"id": f"{name}{n}", "at": [x + 1.5 * n, y], "bearing": bearing} for n in range(1, count + 1)]


AMBUSH: dict[str, Any] = {
    "ruleset": "wh40k2e",
    "board": {
        "width": 48,
        "height": 48,
        "features": [{"id": "hut", "kind": "building", "shape": {"rect": [22, 20, 26, 22]}}],
    },
    "scenario": {"turns": 1, "first": "blue"},
    "sides": {
        "red": {
            "units": [
                {"id": "L", "profile": "guardsman", "overwatch": True, "models": row("L", 3, 16, 10, 0)},
                {"id": "R", "profile": "guardsman", "overwatch": True, "models": row("R", 3, 26, 10, 0)},
            ]
        },
        "blue": {"units": [{"id": "O", "profile": "boy", "models": row("O", 7, 15, 28, 180)}]},
    },
    "active": "blue",
    "phase": "normal",
}
"""Two squads on overwatch, with a hut in the way, and a mob that is to run past them."""


@cache
def ambushes() -> tuple[tuple[Ply, ...], ...]:
    """Some ways in which that may go on."""
    start = RULESET.from_data(AMBUSH)
    places = {f"O{n}": (16.5 + 1.5 * (n - 1) + 6.0, 23.0) for n in range(1, 8)}
    ways = "; ".join(f"{name}: {x:g},{y:g}" for name, (x, y) in places.items())
    for order in ("pass", f"O run order {' '.join(reversed(places))} {ways}"):
        start = ordered(start, action_from_text(order))
    return tuple(tuple(played(start, random.Random(seed))) for seed in range(8))


def ordered(state: SquadState, action: Action) -> SquadState:
    assert RULESET.check(state, action) == ()
    found = RULESET.apply(state, action)
    assert isinstance(found, SquadState)
    return found


def runs(state: SquadState) -> Moving | None:
    return next((frame for frame in state.agenda if isinstance(frame, Moving) and frame.gait == "run"), None)


def may_interrupt(state: SquadState) -> bool:
    """Whether watchers are asked about a run that has been announced."""
    return runs(state) is not None and isinstance(state.agenda[-1], React)


def may_interrupt_again(state: SquadState) -> bool:
    """Whether the rest of an interrupted run is open to the other squad."""
    way = runs(state)
    return way is not None and bool(way.answered) and isinstance(state.agenda[-1], React)


def takes_aim(state: SquadState) -> bool:
    """Whether a run has been halted, and the watchers have not said yet at whom they shoot."""
    return runs(state) is not None and isinstance(state.agenda[-1], Targeting)


def rolls(state: SquadState) -> bool:
    """Whether dice have to fall for shots at a run that has been halted."""
    return runs(state) is not None and isinstance(state.agenda[-1], Shooting | Volleys)


def plans_anew(state: SquadState) -> bool:
    """Whether the runners have to say how they go on."""
    way = runs(state)
    return way is not None and way.stage == "replan" and state.agenda[-1] is way


MOMENTS = (may_interrupt, may_interrupt_again, takes_aim, rolls, plans_anew)


def saved(state: SquadState) -> SquadState:
    """The moment as it comes back from a file."""
    return RULESET.from_data(json.loads(json.dumps(RULESET.to_data(state))))


def after(state: SquadState, ply: Ply) -> SquadState:
    if isinstance(ply.what, Action):
        return ordered(state, ply.what)
    found = RULESET.resolve(state, ply.what)
    assert isinstance(found, SquadState)
    return found


@pytest.mark.parametrize("wanted", MOMENTS, ids=[moment.__name__ for moment in MOMENTS])
def test_a_battle_saved_in_the_middle_of_an_interrupted_run_goes_on_equally(
    wanted: Callable[[SquadState], bool],
) -> None:
    places = [(game, number) for game in ambushes() for number, ply in enumerate(game) if wanted(ply.before)]
    assert places, "no such moment in these games"
    for game, number in places[:3]:
        state = saved(game[number].before)
        assert state == replace(game[number].before, log=())
        if RULESET.to_move(state) != CHANCE:
            assert RULESET.choices(state) == RULESET.choices(game[number].before)
        for ply in game[number:]:
            state = after(state, ply)
            assert state == ply.after


# ---- the same game whoever does the arithmetic -----------------------------------------------------------------------


def game_in(mode: Mode, scenario: Scenario, seed: int) -> GameResult:
    with twins.forced(mode):
        return random_game(scenario, seed)


@pytest.mark.slow
@pytest.mark.skipif(not twins.has_compiler(), reason="no compiler is installed")
@pytest.mark.parametrize("size", ["duel", "skirmish"])
def test_a_game_plain_interpreted_and_compiled_has_equal_records(size: str) -> None:
    scenario = Scenario(size=size, armies=("guard", "orks"), table="farmland")
    plain = game_in("plain", scenario, 77)
    for mode in ("interpreted", "compiled"):
        other = game_in(mode, scenario, 77)  # type: ignore[arg-type]
        assert other.plies == plain.plies
        assert other.end == plain.end
