"""The cases of the second edition's wider rules, and the proof that each of its clauses is noticed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from tactician.rules.core.case_files import Case, read_cases
from tactician.rules.core.cases import run_case
from tactician.rules.core.clauses import Clause
from tactician.rules.wh40k2e.clauses import CLAUSES

FOLDER = Path(__file__).resolve().parents[3] / "rules" / "wh40k2e" / "cases"

CHAPTERS: Mapping[str, str] = {
    "game": "GF",
    "deployment": "DE",
    "victory": "VP",
    "hiding": "HI",
    "shooting": "SH",
    "to_hit": "TH",
    "targets": "TG",
    "blasts": "BL",
    "wounding": "WO",
    "combat": "HH",
    "leadership": "LD",
    "psychology": "PS",
}
"""File of each chapter, and the letters of its clauses."""

OWN: tuple[Clause, ...] = tuple(
    clause
    for clause in CLAUSES
    if clause.source == "wider rules" and clause.kind not in ("planned", "out_of_scope")
)

BEYOND: tuple[str, ...] = ("XX", "AR", "VE")
"""Letters of what there is not: refused by name where an order can ask for it."""


@cache
def cases_in(name: str) -> tuple[Case, ...]:
    return read_cases(FOLDER / f"{name}.json")


def cases_of(clause: Clause) -> tuple[Case, ...]:
    letters = clause.id.split("-")[1]
    name = next(name for name, known in CHAPTERS.items() if known == letters)
    return tuple(case for case in cases_in(name) if case.clause == clause.id)


def disagreements(cases: tuple[Case, ...], without: str | None = None) -> list[str]:
    return [str(result) for case in cases if not (result := run_case(case, without=without)).agrees]


@pytest.mark.parametrize("name", [*CHAPTERS, "scope"])
def test_rules_agree_with_the_cases(name: str) -> None:
    assert cases_in(name)
    assert disagreements(cases_in(name)) == []


@pytest.mark.parametrize(("name", "letters"), CHAPTERS.items())
def test_a_file_holds_the_cases_of_its_own_chapter(name: str, letters: str) -> None:
    assert {case.clause.split("-")[1] for case in cases_in(name)} == {letters}


def test_every_chapter_of_the_wider_rules_has_a_file() -> None:
    assert {clause.id.split("-")[1] for clause in OWN} == set(CHAPTERS.values())


# ---- every clause ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("clause", OWN, ids=lambda clause: clause.id)
def test_every_clause_has_cases_of_both_kinds(clause: Clause) -> None:
    cases = cases_of(clause)
    steps = [step for case in cases for step in case.steps]
    refused = [step for step in steps if not step.expected.is_legal]
    if clause.kind == "check":
        assert any(clause.id in step.expected.violates for step in refused), "no step breaks it"
        assert any(step.expected.is_legal for step in steps), "no step keeps it"
    elif clause.kind == "order":
        assert refused, "no step takes the wrong order"
        assert any(step.expected.is_legal for step in steps)
    else:
        assert clause.kind == "effect"
        assert len(cases) >= 2, "one case where it shows, one where it must not"


@pytest.mark.parametrize("clause", OWN, ids=lambda clause: clause.id)
def test_every_clause_is_missed_when_switched_off(clause: Clause) -> None:
    cases = cases_of(clause)
    assert disagreements(cases, clause.id), f"{clause.id} is off, and none of its {len(cases)} cases disagrees"


# ---- what there is not -----------------------------------------------------------------------------------------------


def test_what_there_is_not_is_refused_by_name() -> None:
    for case in cases_in("scope"):
        assert case.clause.split("-")[1] in BEYOND
        assert all(step.expected.violates == (case.clause,) or step.expected.refused for step in case.steps)
