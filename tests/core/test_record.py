"""Records: written and read line by line, replayed without dice, every bad line and every bad ply named."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.files import BadInput
from tactician.rules.core.notation import action_from_text
from tactician.rules.core.record import Did, End, Fell, Record, ReplayError, read_record, replay
from tactician.rules.core.ruleset import Ruleset, load_ruleset
from tactician.rules.core.state import State

from tests.core.duel import START

RULESET: Ruleset = load_ruleset("_template")


def begun() -> Record:
    info = RULESET.info
    return Record(product="0.1.0", ruleset=info.id, version=info.version, start=START, seed=7)


def whole(seed: int) -> tuple[Record, list[State]]:
    """The record of a random game, and all its moments."""
    rng, record = random.Random(seed), begun()
    states = [RULESET.from_data(record.start)]
    while (mover := RULESET.to_move(states[-1])) != TERMINAL:
        if mover == CHANCE:
            roll = RULESET.pending(states[-1])
            outcome = roll.sample(rng)
            record.fell(outcome, roll.why)
            states.append(RULESET.resolve(states[-1], outcome))
        else:
            action = rng.choice(RULESET.choices(states[-1])).sample(states[-1], rng.random)
            record.did(mover, action)
            states.append(RULESET.apply(states[-1], action))
    record.end = End(ending=RULESET.ending(states[-1]), returns=RULESET.returns(states[-1]))
    return record, states


@pytest.mark.parametrize("seed", range(4))
def test_a_record_reads_back_equal_and_replays_to_every_moment(tmp_path: Path, seed: int) -> None:
    record, states = whole(seed)
    record.write(tmp_path / "game.jsonl")
    again = read_record(tmp_path / "game.jsonl")
    assert again == record
    assert replay(again, RULESET) == states[-1]
    for ply in range(len(states)):
        assert replay(again, RULESET, to=ply) == states[ply]


def test_the_lines_of_a_record(tmp_path: Path) -> None:
    record = begun()
    record.did("red", action_from_text("R1 move R1a: 6,6"))
    record.fell((1, 2), "shots")
    record.end = End(ending="hit", returns=(1.0, -1.0))
    record.write(tmp_path / "game.jsonl")
    head, did, fell, end = map(json.loads, (tmp_path / "game.jsonl").read_text(encoding="utf-8").splitlines())
    assert head["format"] == "tactician-record/1"
    assert head["product"] == "0.1.0"
    assert head["ruleset"] == {"id": "_template", "version": "1"}
    assert head["seed"] == 7
    assert head["start"] == START
    assert did == {"do": {"unit": "R1", "verb": "move", "paths": {"R1a": [{"to": [6.0, 6.0]}]}}, "side": "red"}
    assert fell == {"dice": [1, 2], "why": "shots"}
    assert end == {"end": {"ending": "hit", "returns": [1.0, -1.0]}}


def lines(*rest: object) -> list[str]:
    start = {"format": "tactician-record/1", "product": "0", "ruleset": {"id": "_template"}, "start": {}}
    return [json.dumps(start), *(one if isinstance(one, str) else json.dumps(one) for one in rest)]


def refusal(folder: Path, texts: list[str]) -> list[str]:
    path = folder / "game.jsonl"
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        read_record(path)
    told = str(caught.value).split("\n")
    assert all(line.startswith(f"{path}: ") for line in told)
    return [line.removeprefix(f"{path}: ") for line in told]


def test_every_line_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    bad = lines(
        {"do": {"unit": "R"}, "side": "red"},
        '{"dice": 3,',
        {"dice": "six"},
        [1],
        {"roll": 3},
        {"do": {"verb": "pass"}, "dice": 3},
        '{"dice": NaN}',
        {"end": {"ending": 3}},
        {"dice": 1, "why": "late"},
    )
    assert refusal(tmp_path, bad) == [
        "line 2: do.verb: missing, expected a text",
        "line 3: line 1, column 12: not JSON: expecting property name enclosed in double quotes",
        "line 4: dice: found 'six', expected a whole number or a list of whole numbers",
        "line 5: found [1], expected an object",
        "line 6: found an object with roll, expected do and side, dice and why, or end",
        "line 7: found an object with do, dice, expected do and side, dice and why, or end",
        "line 8: dice: a number that is not finite, expected an ordinary number",
        "line 9: end.ending: found 3, expected a text",
        "line 9: the end of the game before the last line, expected nothing after it",
    ]


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ({"format": "tactician-record/2"}, "line 1: format: found 'tactician-record/2', expected 'tactician-record/1'"),
        ({"turn": 1}, "line 1: format: missing, expected 'tactician-record/1'"),
        ({"format": "tactician-record/1", "ruleset": {"id": "x"}}, "line 1: record.start: missing, expected an object"),
        (
            {"format": "tactician-record/1", "start": {}, "ruleset": {"id": 3}},
            "line 1: record.ruleset.id: found 3, expected a text",
        ),
    ],
)
def test_a_first_line_that_is_no_record_is_named(tmp_path: Path, head: object, words: str) -> None:
    assert refusal(tmp_path, [json.dumps(head)]) == [words]


def test_an_empty_file_is_no_record(tmp_path: Path) -> None:
    assert refusal(tmp_path, [""]) == ["an empty file, expected a record, one JSON object a line"]


def replayed(record: Record, to: int | None = None) -> str:
    with pytest.raises(ReplayError) as caught:
        replay(record, RULESET, to)
    return str(caught.value)


def test_the_ply_that_does_not_fit_the_rules_is_named() -> None:
    record = begun()
    record.did("red", action_from_text("R1 move R1a: 6,6"))
    record.fell(1, "shot")
    assert replayed(record) == "ply 2: dice 1 (shot): blue is to decide"
    record.plies[1] = Did(side="red", action=Action(unit="R1", verb="pass"))
    assert replayed(record) == "ply 2: red: R1 pass: blue is to decide"
    record.plies[1] = Did(side="blue", action=action_from_text("B1 shoot mark R1a at 4.5"))
    record.did("blue", Action(unit="B1", verb="pass"))
    assert replayed(record) == "ply 3: blue: B1 pass: dice must fall first"
    record.plies[2] = Fell(outcome=9)
    assert replayed(record).startswith("ply 3: shot of B1 at R1: outcome 9, expected")
    assert replay(record, RULESET, to=2).agenda[-1].kind == "shot"


def test_an_illegal_action_is_named_with_what_it_breaks() -> None:
    record = begun()
    record.did("red", action_from_text("R1 move R1a: 9,14"))
    told = replayed(record)
    assert told.startswith("ply 1: red: R1 move R1a: 9,14: R1a breaks DU-MO-01")
    assert "DU-MO-03" in told


def test_plies_after_the_end_and_another_end_are_named() -> None:
    record, _ = whole(0)
    other = replace(record, end=End(ending="surrender"))
    assert replayed(other).startswith("the record ends by 'surrender', the replay by '")
    assert record.end is not None
    other = replace(record, end=replace(record.end, returns=(0.5, 0.5)))
    assert replayed(other).startswith("the record ends with (0.5, 0.5) for red and blue, the replay with ")
    record.did("red", Action(unit="R1", verb="pass"))
    assert replayed(record) == f"ply {len(record.plies)}: red: R1 pass: the game is over"


def test_another_ruleset_and_plies_that_are_not_there_are_named() -> None:
    assert replayed(replace(begun(), ruleset="chess")) == "the record is of 'chess', not of '_template'"
    assert replayed(begun(), to=3) == "the record has 0 plies, not 3"
