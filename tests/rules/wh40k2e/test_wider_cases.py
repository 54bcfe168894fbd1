"""The cases of the second edition's wider rules, and the proof that each of its clauses is noticed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tactician.rules.core.case_files import Case, read_cases, set_at
from tactician.rules.core.cases import run_case
from tactician.rules.core.clauses import Clause
from tactician.rules.core.files import BadInput
from tactician.rules.wh40k2e.clauses import CLAUSES
from tactician.rules.wh40k2e.files import from_data
from tactician.rules.wh40k2e.scope import RULES_BEYOND, TERRAIN_BEYOND, VERBS_BEYOND

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
    clause for clause in CLAUSES if clause.source == "wider rules" and clause.kind not in ("planned", "out_of_scope")
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


def test_an_order_for_what_there_is_not_is_refused_by_name() -> None:
    for case in cases_in("scope"):
        assert case.clause.split("-")[1] in BEYOND
        assert any(step.expected.violates == (case.clause,) for step in case.steps), case.name


def test_every_order_for_what_there_is_not_has_a_case() -> None:
    shown = {(step.action.verb, case.clause) for case in cases_in("scope") for step in case.steps if step.action}
    assert {(verb, clause) for verb, (clause, _) in VERBS_BEYOND.items()} <= shown


ASKED: Mapping[str, tuple[str, str, Any]] = {
    "arid scenario": ("2E-AR-01", "scenario.arid", True),
    "arid option": ("2E-AR-01", "options.arid", True),
    "rough ground": ("2E-AR-05", "board.features.piece.kind", "rough"),
    "wadi": ("2E-AR-06", "board.features.piece.kind", "wadi"),
    "oasis": ("2E-AR-11", "board.features.piece.kind", "oasis"),
    "outcrop": ("2E-AR-15", "board.features.piece.kind", "outcrop"),
    "dunes": ("2E-AR-16", "board.features.piece.kind", "dunes"),
    "sangar": ("2E-AR-19", "board.features.piece.kind", "sangar"),
    "haze": ("2E-AR-23", "board.features.piece.kind", "haze"),
    "cloud": ("2E-AR-26", "board.features.piece.kind", "cloud"),
    "vehicle": ("2E-VE-01", "profiles.line.kind", "vehicle"),
    "walker": ("2E-VE-01", "profiles.line.kind", "walker"),
    "bike": ("2E-VE-01", "profiles.line.kind", "bike"),
    "vehicle rule": ("2E-VE-01", "profiles.line.rules", ["vehicle"]),
    "psyker": ("2E-XX-01", "profiles.line.rules", ["psyker"]),
    "infiltrator": ("2E-XX-02", "profiles.line.rules", ["infiltrator"]),
    "transport": ("2E-XX-04", "profiles.line.rules", ["transport"]),
}
"""What a battle's file can ask for in vain: the clause that the refusal names, the field, and what it holds."""


def battle_with(place: str, value: object) -> dict[str, Any]:
    line = {"move": 4, "ws": 3, "bs": 3, "strength": 3, "toughness": 3, "initiative": 3, "leadership": 7}
    data: dict[str, Any] = {
        "ruleset": "wh40k2e",
        "options": {},
        "scenario": {},
        "board": {"width": 40, "height": 40, "features": [{"id": "piece", "shape": {"rect": [10, 10, 12, 12]}}]},
        "profiles": {"line": line},
        "sides": {"red": {"units": [{"id": "A", "profile": "line", "models": [{"id": "a", "at": [5, 5]}]}]}},
    }
    set_at(data, place, value)
    return data


@pytest.mark.parametrize("name", ASKED)
def test_a_file_that_asks_for_what_there_is_not_is_refused_by_name(name: str) -> None:
    clause, place, value = ASKED[name]
    with pytest.raises(BadInput) as caught:
        from_data(battle_with(place, value))
    assert f"[{clause}]" in str(caught.value)
    assert len(caught.value.faults) == 1


def test_the_same_file_without_the_request_is_read() -> None:
    assert from_data(battle_with("options.hills", "open")).unit("A").models


def test_every_name_for_what_there_is_not_is_asked_for() -> None:
    asked = {clause for clause, _, _ in ASKED.values()}
    named = {*TERRAIN_BEYOND.values(), *(clause for clause, _ in RULES_BEYOND.values())}
    assert named <= asked
