"""Records and saved battles: alike in every process, replayed without dice, resumed in the middle of anything."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tactician.agent.arena import GameResult, play_game
from tactician.agent.policies import policy
from tactician.rules.core.action import Action
from tactician.rules.core.record import Did, End, Record, read_record, replay
from tactician.rules.core.ruleset import Scenario
from tactician.rules.core.state import State
from tactician.rules.voidsiege import RULESET
from tactician.rules.voidsiege.state import Exchange, Movement, Volley

from tests.conformance.games import Ply, play

COMMAND = (sys.executable, "-P", "-c", "import sys; from tactician.cli import main; sys.exit(main())")
"""The command line in a process of its own."""


def recorded(folder: Path, *options: str) -> list[bytes]:
    """The record of one duel as two processes write it that order their sets and dictionaries of text differently."""
    running = []
    for seed in ("0", "1"):
        place = folder / f"hash-seed-{seed}.jsonl"
        words = [*COMMAND, "duel", "--rules", "voidsiege", "--seed", "7", "--record", str(place), *options]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        running.append((place, subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True)))
    for _, process in running:
        told, _ = process.communicate()
        assert process.returncode == 0, told
    return [place.read_bytes() for place, _ in running]


def test_a_small_duel_is_recorded_alike_in_another_process(tmp_path: Path) -> None:
    first, second = recorded(tmp_path, "--size", "duel", "--red", "random", "--blue", "random", "--quiet")
    assert first == second
    assert first.count(b"\n") > 50


@pytest.mark.slow
def test_the_duel_of_seed_7_is_recorded_alike_in_another_process(tmp_path: Path) -> None:
    first, second = recorded(tmp_path)
    assert first == second
    assert json.loads(first.splitlines()[0])["seed"] == 7


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


def forbid_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn(*_: object, **__: object) -> object:
        raise AssertionError("something was drawn by chance")

    for name in ("random", "getrandbits", "randrange", "choice", "shuffle", "uniform"):
        monkeypatch.setattr(random.Random, name, drawn)
        monkeypatch.setattr(random, name, drawn)


@pytest.mark.parametrize(("mission", "seed"), [("annihilation", 3), ("the-wall", 4)])
def test_a_replay_reaches_the_same_end_and_draws_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mission: str, seed: int
) -> None:
    players = {"red": policy("random"), "blue": policy("straight-ahead")}
    result = play_game(RULESET, Scenario(size="duel", mission=mission), players, seed)
    record_of(result).write(tmp_path / "game.jsonl")
    forbid_drawing(monkeypatch)
    with pytest.raises(AssertionError, match="drawn by chance"):
        random.Random(1).randrange(6)
    again = replay(read_record(tmp_path / "game.jsonl"), RULESET)
    assert again == result.end
    assert RULESET.ending(again) == result.ending


def test_a_record_with_one_other_outcome_is_noticed() -> None:
    result = play_game(RULESET, Scenario(size="duel"), {"red": policy("random"), "blue": policy("random")}, 3)
    record = record_of(result)
    assert record.end is not None
    record.end = replace(record.end, returns=tuple(-points or 1.0 for points in result.returns))
    with pytest.raises(ValueError, match="the record ends with"):
        replay(record, RULESET)


# ---- saved in the middle of something --------------------------------------------------------------------------------


def in_a_response(state: State) -> bool:
    """Whether an exchange is going on in which somebody has answered."""
    return any(isinstance(frame, Exchange) and frame.response for frame in state.agenda)


def awaits_an_answer(state: State) -> bool:
    """Whether somebody has to say now whether they answer."""
    top = state.agenda[-1] if state.agenda else None
    return isinstance(top, Exchange) and top.todo[0] == "answer"


def rolls_in_a_response(state: State) -> bool:
    """Whether dice have to fall for shots while an answer is being carried out."""
    return in_a_response(state) and isinstance(state.agenda[-1], Volley)


def moves_in_a_response(state: State) -> bool:
    """Whether models have to be moved while an answer is being carried out."""
    return in_a_response(state) and isinstance(state.agenda[-1], Movement)


def saved(state: State) -> State:
    """The moment as it comes back from a file."""
    return RULESET.from_data(json.loads(json.dumps(RULESET.to_data(state))))


def after(state: State, ply: Ply) -> State:
    if isinstance(ply.action, Action):
        assert RULESET.check(state, ply.action) == ()
        return RULESET.apply(state, ply.action)
    assert ply.outcome is not None
    return RULESET.resolve(state, ply.outcome)


MOMENTS = (awaits_an_answer, in_a_response, rolls_in_a_response, moves_in_a_response)


@pytest.mark.parametrize("wanted", MOMENTS, ids=[moment.__name__ for moment in MOMENTS])
def test_a_battle_saved_in_the_middle_of_a_response_goes_on_equally(wanted: Callable[[State], bool]) -> None:
    plies = list(play(RULESET, RULESET.start(Scenario(size="duel", deployed=True, first="red")), seed=11))
    places = [number for number, ply in enumerate(plies) if wanted(ply.before)]
    assert places, "no such moment in this game"
    for number in places[:: max(len(places) // 3, 1)][:3]:
        state = saved(plies[number].before)
        assert state == replace(plies[number].before, log=())
        assert RULESET.choices(state) == RULESET.choices(plies[number].before)
        for ply in plies[number:]:
            state = after(state, ply)
            assert state == ply.after


def test_every_ply_of_a_record_is_a_decision_or_a_throw() -> None:
    result = play_game(RULESET, Scenario(size="duel"), {"red": policy("random"), "blue": policy("random")}, 5)
    state = result.start
    for ply in result.plies:
        mover = RULESET.to_move(state)
        assert (ply.side if isinstance(ply, Did) else "chance") == mover
        state = RULESET.apply(state, ply.action) if isinstance(ply, Did) else RULESET.resolve(state, ply.outcome)
    assert state == result.end
