"""The cases of VoidSiege's wider rules and of its options, and the proof that each of them notices its rule."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tactician.rules.core.case_files import Case, read_cases
from tactician.rules.core.cases import run_case
from tactician.rules.core.clauses import Clause
from tactician.rules.core.ruleset import Option, OptionValue
from tactician.rules.voidsiege.clauses import CLAUSES, WIDER
from tactician.rules.voidsiege.options import OPTIONS

FOLDER = Path(__file__).resolve().parents[3] / "rules" / "voidsiege" / "cases"

CHAPTERS = (
    "charge",
    "covering_fire",
    "damage",
    "defend_ditch",
    "deployment",
    "drag",
    "horde",
    "intervene",
    "melee",
    "missions",
    "rally",
    "responses",
    "restrictions",
    "scenarios",
    "scouting",
    "shooting",
    "snap_fire",
    "splitting",
    "turn",
)

OWN: tuple[Clause, ...] = tuple(clause for clause in CLAUSES if clause.id.removeprefix("VS-") in {w[0] for w in WIDER})


@cache
def cases_in(name: str) -> tuple[Case, ...]:
    return read_cases(FOLDER / f"{name}.json")


@cache
def by_clause() -> Mapping[str, tuple[Case, ...]]:
    every = [case for name in CHAPTERS for case in cases_in(name)]
    return {clause.id: tuple(case for case in every if case.clause == clause.id) for clause in OWN}


def disagreements(cases: tuple[Case, ...], without: str | None = None) -> list[str]:
    return [str(result) for case in cases if not (result := run_case(case, without=without)).agrees]


@pytest.mark.parametrize("name", [*CHAPTERS, "options"])
def test_rules_agree_with_the_cases(name: str) -> None:
    assert cases_in(name)
    assert disagreements(cases_in(name)) == []


# ---- every clause ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("clause", OWN, ids=lambda clause: clause.id)
def test_every_clause_has_cases_of_both_kinds(clause: Clause) -> None:
    cases = by_clause()[clause.id]
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
    cases = by_clause()[clause.id]
    assert disagreements(cases, clause.id), f"{clause.id} is off, and none of its {len(cases)} cases disagrees"


# ---- every option ----------------------------------------------------------------------------------------------------


def about(option: Option) -> tuple[Case, ...]:
    """Its cases: their names begin with its own."""
    return tuple(case for case in cases_in("options") if re.match(rf"{option.name}\b", case.name))


def value_in(case: Case, option: Option) -> OptionValue:
    given: Mapping[str, Any] = case.battle.get("options", {})
    value: OptionValue = given.get(option.name, option.default)
    return value


def with_default(case: Case, option: Option) -> Case:
    options = {name: value for name, value in case.battle["options"].items() if name != option.name}
    return replace(case, battle={**case.battle, "options": options})


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_every_value_of_an_option_has_a_case(option: Option) -> None:
    shown = {value_in(case, option) for case in about(option)}
    assert option.default in shown
    assert set(option.values) <= shown
    assert len(shown) >= 2


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_every_value_of_an_option_makes_a_difference(option: Option) -> None:
    cases = tuple(case for case in about(option) if value_in(case, option) != option.default)
    others = [value for value in option.values if value != option.default]
    groups = {str(value): tuple(case for case in cases if value_in(case, option) == value) for value in others}
    for value, chosen in (groups or {"another number": cases}).items():
        back = tuple(with_default(case, option) for case in chosen)
        assert disagreements(back), f"{option.name} = {value} plays like {option.default}"


def test_every_case_of_an_option_begins_with_its_name() -> None:
    named = {case.name for option in OPTIONS for case in about(option)}
    assert [case.name for case in cases_in("options") if case.name not in named] == []
