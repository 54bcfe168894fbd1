"""Bad input gets one clear message, exit code 2, never a traceback, and nothing is written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tactician.cli import main

Run = Callable[..., tuple[int, str, str]]
Data = dict[str, Any]


@pytest.fixture(scope="module")
def waiting(battle: Path) -> Path:
    """The same, waiting for ten dice."""
    announced, place = battle.with_name("announced.json"), battle.with_name("waiting.json")
    assert main(["apply", str(battle), "R1 shoot B1", "--out", str(announced)]) == 0
    assert main(["apply", str(announced), "pass", "--out", str(place)]) == 0
    return place


def refused(found: tuple[int, str, str], *parts: str) -> None:
    """Exit code 2 and a message with all of these in it."""
    code, _, err = found
    assert code == 2
    assert "Traceback" not in err
    for part in parts:
        assert part in err


# ---- files that cannot be read ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "parts"),
    [
        ("words.json", b"hello", ("line 1, column 1", "not JSON")),
        ("cut.json", b'{"format": "tactician-ba', ("line 1, column 12", "not JSON")),
        ("bytes.json", b"\xff\xfe\x00{", ("byte 0 is not text", "UTF-8")),
        ("list.json", b"[1, 2]", ("expected an object at the top level",)),
        ("empty.json", b"", ("not JSON",)),
        ("twice.json", b'{"turn": 1, "turn": 2}', ("turn", "twice")),
        ("deep.json", b'{"a":' + b"[" * 100_000, ("nested too deeply",)),
        ("battle.yaml", b"{}", ("the name ends in .yaml", ".json or .toml")),
        ("cut.toml", b"turn = ", ("not TOML",)),
    ],
)
def test_files_that_are_no_battles(run: Run, tmp_path: Path, name: str, content: bytes, parts: tuple[str, ...]) -> None:
    place = tmp_path / name
    place.write_bytes(content)
    refused(run("choices", place), str(place), *parts)
    refused(run("show", place, "--picture", tmp_path / "out.svg"), str(place))
    assert [one.name for one in tmp_path.iterdir()] == [name]


def test_what_is_no_file(run: Run, tmp_path: Path, battle: Path) -> None:
    refused(run("choices", tmp_path), str(tmp_path), "directory")
    refused(run("choices", tmp_path / "nothing.json"), "nothing.json", "there is no such file")
    refused(run("check", battle, f"{tmp_path}/"), "directory")
    refused(run("replay", tmp_path), "directory")
    refused(run("choices", "a\0b.json"), "no such file")


def test_a_file_of_200_megabytes_is_not_read(run: Run, tmp_path: Path, battle: Path) -> None:
    place = tmp_path / "large.json"
    with place.open("wb") as stream:
        stream.truncate(200 * 1024 * 1024)
    refused(run("choices", place), str(place), "too large", "16 MiB")
    refused(run("check", battle, place), str(place), "too large")


# ---- battles that say something impossible ---------------------------------------------------------------------------


def _units(data: Data, side: str) -> Any:
    return data["sides"][side]["units"]


def _format(data: Data) -> None:
    data["format"] = "tactician-battle/9"


def _ruleset(data: Data) -> None:
    data["ruleset"] = "voidseige"


def _ruleset_number(data: Data) -> None:
    data["ruleset"] = 3


def _profile(data: Data) -> None:
    _units(data, "red")[0]["profile"] = "n-forze"


def _weapon(data: Data) -> None:
    del data["complete"]
    data["profiles"]["n-force"]["weapons"] = ["long-rifle"]


def _option(data: Data) -> None:
    data["options"]["coherency_distanz"] = 2


def _twice(data: Data) -> None:
    _units(data, "blue")[0]["models"][0]["id"] = "R1a"


def _overlap(data: Data) -> None:
    _units(data, "red")[0]["models"][1]["at"] = [9.2, 3.0]


def _off_the_table(data: Data) -> None:
    _units(data, "red")[0]["models"][1]["at"] = [-9.2, 3.0]


def _negative_base(data: Data) -> None:
    _units(data, "red")[0]["base"] = {"radius": -0.5}


def _crossing(data: Data) -> None:
    data["board"]["features"][0]["shape"] = {"polygon": [[1, 1], [5, 5], [5, 1], [1, 5]]}


def _frame(data: Data) -> None:
    data["agenda"].append({"kind": "exchang"})


def _exchange(data: Data, unit: str) -> None:
    data["agenda"] += [
        {"kind": "exchange", "owner": "red", "unit": "R1", "command": "move"},
        {"kind": "movement", "owner": "red", "unit": unit, "role": "command"},
    ]


def _frame_of_nobody(data: Data) -> None:
    _exchange(data, "R9")


def _frame_of_the_dead(data: Data) -> None:
    unit = _units(data, "red")[0]
    unit["lost"], unit["models"] = [model["id"] for model in unit["models"]], []
    _exchange(data, "R1")


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        (_format, ("format", "'tactician-battle/9'", "expected 'tactician-battle/1'")),
        (_ruleset, ("ruleset", "'voidseige'", "did you mean 'voidsiege'?")),
        (_ruleset_number, ("ruleset", "found 3", "expected the name of a ruleset")),
        (_profile, ("sides.red.units[0].profile", "did you mean 'n-force'?")),
        (_weapon, ("profiles.n-force.weapons[0]", "did you mean 'long-rifles'?")),
        (_option, ("options.coherency_distanz", "did you mean 'coherency_distance'?")),
        (_twice, ("sides.blue.units[0].models[0]", "'R1a' is there twice")),
        (_overlap, ("sides.red.units[0].models[1].at", "R1b overlaps R1a by 0.8")),
        (_off_the_table, ("sides.red.units[0].models[1].at", "off the table by 9.7", "24 x 24")),
        (_negative_base, ("sides.red.units[0].base.radius", "found -0.5", "more than 0")),
        (_crossing, ("board.features[0].shape.polygon", "crosses itself")),
        (_frame, ("agenda[1].kind", "did you mean 'exchange'?")),
        (_frame_of_nobody, ("agenda[2].unit", "there is no unit 'R9'")),
        (_frame_of_the_dead, ("agenda[2].unit", "R1 has no models on the table")),
    ],
)
def test_battles_that_cannot_be(
    run: Run, battle: Path, tmp_path: Path, change: Callable[[Data], None], parts: tuple[str, ...]
) -> None:
    data = json.loads(battle.read_text(encoding="utf-8"))
    change(data)
    place = tmp_path / "changed.json"
    place.write_text(json.dumps(data), encoding="utf-8")
    refused(run("choices", place), str(place), *parts)
    refused(run("apply", place, "R1 move", "--out", tmp_path / "out.json"), str(place))
    assert [one.name for one in tmp_path.iterdir()] == ["changed.json"]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400", "-1e400"])
def test_numbers_that_are_none(run: Run, battle: Path, tmp_path: Path, number: str) -> None:
    text = battle.read_text(encoding="utf-8")
    assert '"at": [9.0, 3.0]' in text
    place = tmp_path / "number.json"
    place.write_text(text.replace('"at": [9.0, 3.0]', f'"at": [{number}, 3.0]'), encoding="utf-8")
    refused(run("choices", place), str(place), "sides.red.units[0].models[0].at[0]", "not finite")
    order = f'{{"unit": "R1", "verb": "move", "paths": {{"R1a": [{{"to": [{number}, 3]}}]}}}}'
    refused(run("check", battle, order), "ACTION", "paths.R1a[0].to[0]", "not finite")


# ---- orders and dice -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "parts"),
    [
        ("B1 move to 12,20", ("B1: red is to decide, and B1 belongs to blue",)),
        ('{"unit": "B1", "verb": "move"}', ("B1: red is to decide, and B1 belongs to blue",)),
        ("R2 move to 12,20", ("'R2'", "did you mean 'R1'?")),
        ('{"unit": "R2", "verb": "move"}', ("there is no unit 'R2'", "R1")),
        ("R1 mvoe to 12,5", ("'mvoe'",)),
        ("R1 move to 12", ("expected a point x,y",)),
        ('{"unit": "R1", "verb": "move", "pathz": {}}', ("pathz", "did you mean 'paths'?")),
        ('{"unit": "R1", "verb": "move", "paths": {"R1z": [{"to": [9, 4]}]}}', ("'R1z' is no model of R1",)),
        ('{"unit": "R1"', ("ACTION", "not JSON")),
        ('{"a":' * 100_000, ("nested too deeply",)),
        ("R1 move to 1,1\0", ("column 15",)),
        ("nowhere.json", ("nowhere.json", "there is no such file")),
        ("", ("ACTION",)),
    ],
)
def test_orders_that_make_no_sense(run: Run, battle: Path, tmp_path: Path, order: str, parts: tuple[str, ...]) -> None:
    refused(run("check", battle, order), *parts)
    refused(run("apply", battle, order, "--out", tmp_path / "out.json"), *parts)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("legs", "part"), [(10_000, "a path of 10000 legs"), (110_000, "a path of 110,000 legs")])
def test_a_path_of_very_many_legs(run: Run, battle: Path, tmp_path: Path, legs: int, part: str) -> None:
    order = tmp_path / "order.json"
    path = [{"to": [9 + i % 2 / 10, 3]} for i in range(legs)]
    order.write_text(json.dumps({"unit": "R1", "verb": "move", "paths": {"R1a": path}}), encoding="utf-8")
    refused(run("check", battle, order), part)
    refused(run("apply", battle, order, "--out", tmp_path / "out.json"), part)
    assert [one.name for one in tmp_path.iterdir()] == ["order.json"]


@pytest.mark.parametrize(
    ("dice", "parts"),
    [
        ("1,2,3,4,5,6,6,6,6,7", ("--dice", "die 10 shows 7", "from 1 to 6")),
        ("0,2,3,4,5,6,6,6,6,6", ("die 1 shows 0",)),
        ("1,2", ("2 faces given, expected 10",)),
        ("one,2", ("found 'one'", "expected faces")),
        ("=11+0", ("--dice", "outcome")),
        ("=x", ("found '=x'",)),
        ("1,1,2,3,4,5,6,6,6,6,3", ("3 left over while blue is to decide",)),
        ("", ("--dice: missing", "dice must fall: target lock")),
    ],
)
def test_dice_that_cannot_fall(run: Run, waiting: Path, tmp_path: Path, dice: str, parts: tuple[str, ...]) -> None:
    refused(run("apply", waiting, "--dice", dice, "--out", tmp_path / "out.json"), *parts)
    assert list(tmp_path.iterdir()) == []


def test_orders_at_the_wrong_moment(run: Run, battle: Path, waiting: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    refused(run("apply", waiting, "R1 move", "--dice", "1", "--out", out), "ACTION", "dice must fall")
    refused(run("apply", battle, "--out", out), "ACTION: missing", "red is to decide")
    refused(run("check", waiting, "R1 move"), "dice must fall first")
    refused(run("suggest", waiting), "dice must fall", "somebody decides")
    assert list(tmp_path.iterdir()) == []


# ---- options and names of the command line ---------------------------------------------------------------------------

NEW = ("new", "--rules", "voidsiege", "--out", "OUT")


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (("chek",), ("check",)),
        (("check",), ("ACTION: missing",)),
        (("check", "BATTLE"), ("ACTION: missing", "red is to decide")),
        (("duel", "--sed", "3"), ("--seed",)),
        (("duel", "--seed", "x"), ("--seed",)),
        (("duel", "--red", "randm"), ("--red", "did you mean 'random'?")),
        (("duel", "--rules", "voidseige"), ("--rules", "did you mean 'voidsiege'?")),
        (("duel", "BATTLE", "--size", "duel"), ("BATTLE", "one of the two")),
        (("duel", "--record", "OUT.txt"), ("--record", ".jsonl")),
        (("play", "--level", "randm"), ("--level", "did you mean 'random'?")),
        (("play", "--side", "green"), ("--side",)),
        ((*NEW, "--size", "duell"), ("--size", "did you mean 'duel'?")),
        ((*NEW, "--mission", "anihilation"), ("mission", "did you mean 'annihilation'?")),
        ((*NEW, "--table", "quary"), ("--table", "did you mean 'quarry'?")),
        ((*NEW, "--armies", "confederation"), ("--armies", "two names")),
        ((*NEW, "--armies", "confederation,x"), ("--armies", "there is no army 'x'")),
        ((*NEW, "--option", "in_stepp=true"), ("--option", "did you mean 'in_step'?")),
        ((*NEW, "--option", "in_step=maybe"), ("--option in_step", "true or false")),
        ((*NEW, "--option", "command_points=-1"), ("--option command_points", "at least 0")),
        ((*NEW, "--option", "command_points=nan"), ("--option command_points", "at least 0")),
        ((*NEW, "--option", "in_step"), ("name=value",)),
        (("new", "--rules", "voidsiege", "--out", "OUT.txt"), ("--out", ".json")),
        (("new", "--rules", "voidsiege", "--out", "nowhere/OUT.json"), ("--out", "there is no folder")),
        (("show", "BATTLE", "--picture", "OUT.gif"), ("--picture", ".svg or .png")),
        (("show", "BATTLE", "--picture", "OUT.svg", "--reach", "R7"), ("--reach", "did you mean 'R1'?")),
        (("show", "BATTLE", "--picture", "OUT.svg", "--threat", "redd"), ("--threat", "did you mean 'red'?")),
        (("path", "BATTLE", "--model", "R1z", "--to", "3,4"), ("--model", "there is no model 'R1z'")),
        (("path", "BATTLE", "--model", "R1a", "--to", "3;4"), ("--to", "X,Y")),
        (("path", "BATTLE", "--model", "R1a", "--to", "nan,4"), ("--to", "ordinary")),
        (("path", "BATTLE", "--model", "R1a", "--to", "30,4"), ("--to", "24 x 24")),
        (("path", "BATTLE", "--model", "R1a", "--to", "3,4", "--budget", "nan"), ("--budget",)),
        (("path", "BATTLE", "--model", "R1a", "--to", "3,4", "--on", "lege-1"), ("--on", "did you mean 'ledge-1'?")),
        (("path", "BATTLE", "--model", "R1a", "--to", "3,4", "--verb", "rn"), ("--verb", "did you mean 'run'?")),
        (("suggest", "BATTLE", "--top", "0"), ("--top",)),
        (("suggest", "BATTLE", "--time", "nan"), ("--time",)),
        (("replay", "BATTLE"), ("battle.json", "line 1")),
        (("case", "BATTLE"), ("battle.json", "there is no field")),
        (("rules", "voidseige"), ("did you mean 'voidsiege'?",)),
        (("schema", "nix"), ("there is no ruleset 'nix'",)),
    ],
)
def test_names_that_nobody_knows(
    run: Run,
    battle: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    parts: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    given = [{"BATTLE": str(battle), "OUT": "OUT.json"}.get(one, one) for one in arguments]
    refused(run(*given), *parts)
    assert list(tmp_path.iterdir()) == []


def test_a_record_that_breaks_the_rules(run: Run, tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    run("duel", "--size", "duel", "--red", "random", "--blue", "random", "--quiet", "--record", record)
    lines = record.read_text(encoding="utf-8").splitlines()
    played = len(lines) - 2
    refused(run("replay", record, "--to", str(played + 1)), str(record), f"the record has {played} plies")
    record.write_text("\n".join([lines[0], *lines[2:]]) + "\n", encoding="utf-8")
    refused(run("replay", record), str(record), "ply 1")


def test_a_file_that_cannot_be_written_leaves_the_old_one(run: Run, battle: Path, tmp_path: Path) -> None:
    old = tmp_path / "old.json"
    old.write_text("old", encoding="utf-8")
    refused(run("apply", battle, "R1 mvoe", "--out", old), "'mvoe'")
    assert old.read_text(encoding="utf-8") == "old"
    refused(run("apply", battle, "R1 move", "--out", tmp_path), "--out")
    assert [one.name for one in tmp_path.iterdir()] == ["old.json"]
