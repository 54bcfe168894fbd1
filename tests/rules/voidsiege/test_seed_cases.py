"""The seed's clauses and the corner cases: every case agrees, and notices when its clause is switched off."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import tactician.rules.core.movement as engine
import tactician.rules.voidsiege as voidsiege
from tactician.rules.core.case_files import Case, read_cases
from tactician.rules.core.cases import run_case
from tactician.rules.core.legs import Path as Way
from tactician.rules.core.legs import Straight
from tactician.rules.core.movement import Closed, KeepAway, MoveType, judge
from tactician.rules.voidsiege.clauses import CLAUSES
from tactician.rules.voidsiege.movement import move_type
from tactician.rules.voidsiege.options import OPTIONS
from tactician.rules.voidsiege.state import VoidState

FOLDER = Path(voidsiege.__file__).parent / "cases"

CHAPTERS = {
    "core": "CR",
    "allowances": "AL",
    "general": "GM",
    "distance": "DP",
    "legality": "LE",
    "partial": "PM",
    "disengaging": "DE",
    "shunt": "SH",
    "cover": "CO",
    "engagement": "EN",
    "interaction": "CI",
    "notes": "NT",
}
"""File of each chapter of the seed, and the letters of its clauses."""

SEED = tuple(clause for clause in CLAUSES if clause.source == "seed")
DECIDED = tuple(clause.id for clause in SEED if clause.kind in ("check", "effect", "order"))


@cache
def cases(file: str) -> tuple[Case, ...]:
    return read_cases(FOLDER / f"{file}.json")


@cache
def cases_of(clause: str) -> tuple[Case, ...]:
    return tuple(one for file in (*CHAPTERS, "corners") for one in cases(file) if one.clause == clause)


# ---- the cases -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", [*CHAPTERS, "corners"])
def test_the_rules_say_what_the_cases_say(file: str) -> None:
    results = [run_case(case) for case in cases(file)]
    assert [str(result) for result in results if not result.agrees] == []


@pytest.mark.parametrize("clause", DECIDED)
def test_a_case_notices_when_its_clause_is_switched_off(clause: str) -> None:
    assert any(not run_case(case, without=clause).agrees for case in cases_of(clause))


@pytest.mark.parametrize(("file", "letters"), CHAPTERS.items())
def test_a_chapter_holds_the_cases_of_its_clauses(file: str, letters: str) -> None:
    wanted = {clause.id for clause in SEED if clause.id.startswith(f"VS-{letters}-")}
    assert {case.clause for case in cases(file)} == wanted


def test_every_clause_has_the_worked_example_that_it_came_with() -> None:
    worked = {case.clause for file in CHAPTERS for case in cases(file) if case.source in ("notes", "corrected")}
    assert sorted({clause.id for clause in SEED} - worked) == []


@pytest.mark.parametrize("clause", [clause.id for clause in SEED if clause.kind == "check"])
def test_a_prohibition_is_seen_to_forbid_and_to_allow(clause: str) -> None:
    steps = [step for case in cases_of(clause) for step in case.steps]
    assert any(clause in step.expected.violates for step in steps)
    assert any(step.expected.is_legal for step in steps)


def test_every_corner_case_is_there() -> None:
    sources = {case.source for case in cases("corners") if case.source.startswith("corner ")}
    assert {int(source.removeprefix("corner ")) for source in sources} == set(range(1, 37))


def test_names_of_cases_are_told_apart() -> None:
    named = [(file, case.name, case.clause) for file in (*CHAPTERS, "corners") for case in cases(file)]
    assert len(set(named)) == len(named)


@pytest.mark.parametrize("row", [f"G{number}" for number in range(1, 14)])
def test_what_the_sources_leave_open_is_seen_with_its_other_value(row: str) -> None:
    options = [option for option in OPTIONS if option.source == row]
    battles = [case.battle.get("options", {}) for file in (*CHAPTERS, "corners") for case in cases(file)]
    for option in options:
        others = {battle[option.name] for battle in battles if option.name in battle} - {option.default}
        assert others == set(option.values) - {option.default} if option.values else others


# ---- one engine ------------------------------------------------------------------------------------------------------


def battle() -> VoidState:
    """One model before a stretch of cover, an enemy beyond it."""
    model = {"id": "a", "at": [10, 10]}
    foe = {"id": "e", "at": [24.9, 10]}
    return voidsiege.RULESET.from_data(
        {
            "format": "tactician-battle/1",
            "ruleset": "voidsiege",
            "scenario": {"first": "red"},
            "board": {
                "width": 48,
                "height": 48,
                "features": [{"id": "scrub", "shape": {"rect": [16, 8, 20, 12]}, "cover": 1}],
            },
            "profiles": {"m6": {"move": 6, "target_lock": 3, "resolve": 3}},
            "sides": {
                "red": {"units": [{"id": "A", "profile": "m6", "models": [model]}]},
                "blue": {"units": [{"id": "E", "profile": "m6", "models": [foe]}]},
            },
        }
    )


def broken(state: VoidState, kind: MoveType) -> set[str]:
    paths: dict[str, Way] = {"a": (Straight((22.0, 10.0)),)}
    return {violation.clause for violation in judge(state, state.unit("A"), kind, paths).violations}


def test_one_engine_answers_by_distances_and_conditions() -> None:
    state = battle()
    unit, run = state.unit("A"), state.table.command("run")
    kind = move_type(state, unit, run)
    bare = replace(kind, closed=(), keep_away=())
    assert broken(state, replace(bare, allowance=6.0)) == {"VS-AL-04"}
    assert broken(state, replace(bare, allowance=12.0)) == set()
    assert broken(state, replace(bare, closed=kind.closed)) == {"VS-CO-02"}
    assert broken(state, replace(bare, keep_away=kind.keep_away)) == {"VS-GM-04"}
    spared = tuple(replace(keep, spared=("E",)) for keep in kind.keep_away)
    assert broken(state, replace(bare, keep_away=spared)) == set()
    assert [type(part) for part in (*kind.closed, *kind.keep_away)] == [Closed, KeepAway]


def test_the_name_of_a_move_decides_nothing() -> None:
    state = battle()
    kind = move_type(state, state.unit("A"), state.table.command("run"))
    answers = {frozenset(broken(state, replace(kind, name=name))) for name, _ in state.table.commands}
    assert answers == {frozenset({"VS-CO-02", "VS-GM-04"})}


@pytest.mark.parametrize("module", ["movement", "clip", "legs", "coherency", "barriers", "scene", "beats", "mates"])
def test_the_engine_knows_no_command_by_name(module: str) -> None:
    source = (Path(engine.__file__).parent / f"{module}.py").read_text(encoding="utf-8")
    texts = {node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)}
    assert texts & {name for name, _ in battle().table.commands} == set()


def test_a_bare_call_of_the_engine_changes_nothing() -> None:
    state = battle()
    before = voidsiege.RULESET.to_data(state)
    for name in ("move", "run", "assault", "overrun"):
        broken(state, move_type(state, state.unit("A"), state.table.command(name)))
    assert voidsiege.RULESET.to_data(state) == before
