"""The chapters of the source text and the corner cases: every case agrees, and notices when its clause is off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import tactician.rules.wh40k2e as second_edition
from tactician.rules.core.case_files import Case, read_cases
from tactician.rules.core.cases import run_case
from tactician.rules.core.clauses import Clause
from tactician.rules.core.ruleset import Option, OptionValue
from tactician.rules.wh40k2e.clauses import SEED
from tactician.rules.wh40k2e.options import OPTIONS

FOLDER = Path(second_edition.__file__).parent / "cases"

CHAPTERS = {
    "sequence": "MV",
    "charging": "CH",
    "compulsory": "CM",
    "normal": "NM",
    "table_edge": "TE",
    "overwatch": "OW",
    "terrain": "TR",
    "obstacles": "OB",
    "running": "RU",
}
"""File of each chapter, and the letters of its clauses."""

FILES = (*CHAPTERS, "corners")

DECIDED = tuple(clause for clause in SEED if clause.kind in ("check", "effect", "order"))

CORNERS = (*range(1, 29), 34, 35, 36)
"""Numbers of the corner cases that need no rules for arid tables."""

ELSEWHERE = ("own_squad_hides",)
"""Options of chapters that are tested with the wider rules."""

HERE = tuple(option for option in OPTIONS if option.name not in ELSEWHERE)


@cache
def cases(file: str) -> tuple[Case, ...]:
    return read_cases(FOLDER / f"{file}.json")


def cases_of(clause: Clause) -> tuple[Case, ...]:
    """The cases of a clause in the file of its chapter: each chapter stands on its own."""
    (file,) = (file for file, letters in CHAPTERS.items() if clause.id.startswith(f"2E-{letters}-"))
    return tuple(case for case in cases(file) if case.clause == clause.id)


def disagreements(some: tuple[Case, ...], without: str | None = None) -> list[str]:
    return [str(result) for case in some if not (result := run_case(case, without=without)).agrees]


# ---- the cases -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", FILES)
def test_the_rules_say_what_the_cases_say(file: str) -> None:
    assert cases(file)
    assert disagreements(cases(file)) == []


@pytest.mark.parametrize("clause", DECIDED, ids=lambda clause: clause.id)
def test_a_case_notices_when_its_clause_is_switched_off(clause: Clause) -> None:
    assert any(not run_case(case, without=clause.id).agrees for case in cases_of(clause))


@pytest.mark.parametrize(("file", "letters"), CHAPTERS.items())
def test_a_chapter_holds_the_cases_of_its_clauses(file: str, letters: str) -> None:
    wanted = {clause.id for clause in SEED if clause.id.startswith(f"2E-{letters}-")}
    assert {case.clause for case in cases(file)} == wanted


def test_no_chapter_is_without_a_file() -> None:
    assert {clause.id[3:5] for clause in SEED} == set(CHAPTERS.values())


@pytest.mark.parametrize(("file", "letters"), CHAPTERS.items())
def test_every_clause_has_the_worked_example_that_it_came_with(file: str, letters: str) -> None:
    worked = {case.clause for case in cases(file) if case.source in ("notes", "corrected")}
    assert sorted({clause.id for clause in SEED if clause.id.startswith(f"2E-{letters}-")} - worked) == []


@pytest.mark.parametrize("clause", DECIDED, ids=lambda clause: clause.id)
def test_a_clause_is_seen_from_both_sides(clause: Clause) -> None:
    found = cases_of(clause)
    steps = [step for case in found for step in case.steps]
    if clause.kind == "effect":
        assert len(found) >= 2, "one case where it shows, one where it must not"
        return
    refused = [step for step in steps if clause.id in step.expected.violates]
    assert refused, "no step breaks it"
    assert any(step.expected.is_legal for step in steps), "no step keeps it"


def test_every_corner_case_is_there() -> None:
    sources = {case.source for file in FILES for case in cases(file) if case.source.startswith("corner ")}
    assert sorted(set(CORNERS) - {int(source.removeprefix("corner ")) for source in sources}) == []


def test_names_of_cases_are_told_apart() -> None:
    named = [(file, case.name, case.clause) for file in FILES for case in cases(file)]
    assert len(set(named)) == len(named)


# ---- what the sources leave open -------------------------------------------------------------------------------------


def value_in(case: Case, option: Option) -> OptionValue:
    given: Mapping[str, Any] = case.battle.get("options", {})
    value: OptionValue = given.get(option.name, option.default)
    return value


@pytest.mark.parametrize("option", HERE, ids=lambda option: option.name)
def test_every_value_of_an_option_makes_a_difference(option: Option) -> None:
    unusual = [case for file in FILES for case in cases(file) if value_in(case, option) != option.default]
    shown = {value_in(case, option) for case in unusual}
    assert set(option.values) - {option.default} <= shown
    assert shown
    for value in shown:
        back = [
            replace(case, battle={**case.battle, "options": {**case.battle["options"], option.name: option.default}})
            for case in unusual
            if value_in(case, option) == value
        ]
        assert disagreements(tuple(back)), f"{option.name} = {value} plays like {option.default}"
