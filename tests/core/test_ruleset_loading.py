"""Rulesets are found by looking and verified when loaded; what is missing is named."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tactician.rules.core.clauses import Clause
from tactician.rules.core.ruleset import (
    Info,
    Ruleset,
    RulesetError,
    load_ruleset,
    names_in,
    ruleset_names,
    verified,
)

INFO = Info(
    id="toy",
    name="Toy",
    version="1",
    summary="",
    verbs=(),
    frames=(),
    rolls=(),
    ends=(),
    sizes=(),
    missions=(),
    armies=(),
    tables=(),
)
METHODS = (
    "apply",
    "check",
    "choices",
    "describe",
    "ending",
    "from_data",
    "pending",
    "resolve",
    "returns",
    "start",
    "to_data",
    "to_move",
)
CLAUSE = Clause(id="T-1", text="a rule", source="own", kind="check")


def toy(*, without: tuple[str, ...] = (), **facts: Any) -> SimpleNamespace:
    """An object with everything a ruleset has, less what is left out."""
    parts: dict[str, Any] = {name: (lambda *_: None) for name in METHODS}
    parts |= {"info": INFO, "clauses": (CLAUSE,), "options": ()} | facts
    return SimpleNamespace(**{name: part for name, part in parts.items() if name not in without})


def test_every_ruleset_found_loads_under_its_own_name() -> None:
    names = ruleset_names()
    assert names == tuple(sorted(names))
    assert names
    for name in (*names, "_template"):
        ruleset = load_ruleset(name)
        assert isinstance(ruleset, Ruleset)
        assert ruleset.info.id == name


def test_packages_that_are_no_game_are_not_listed(tmp_path: Path) -> None:
    for name in ("core", "paths", "_draft", "chess", "go"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("")
    (tmp_path / "notes.py").write_text("")
    (tmp_path / "empty").mkdir()
    assert names_in(tmp_path) == ("chess", "go")
    assert not {"core", "paths", "_template"} & set(ruleset_names())


def test_an_unknown_name_gets_the_nearest_known_one() -> None:
    name = ruleset_names()[0]
    with pytest.raises(RulesetError, match=f"no ruleset '{name[:-1]}'; did you mean '{name}'"):
        load_ruleset(name[:-1])
    for other in ("core", "paths", "", "../core"):
        with pytest.raises(RulesetError, match="no ruleset"):
            load_ruleset(other)


def test_a_whole_ruleset_is_taken_as_it_is() -> None:
    whole = toy()
    assert verified("toy", whole) is whole


@pytest.mark.parametrize("name", [*METHODS, "info", "clauses", "options"])
def test_each_part_that_is_missing_is_named(name: str) -> None:
    with pytest.raises(RulesetError, match=f"^ruleset 'toy' lacks {name}$"):
        verified("toy", toy(without=(name,)))


def test_all_that_is_missing_is_named_at_once() -> None:
    everything = ", ".join(sorted((*METHODS, "clauses", "info", "options")))
    for thing, missing in ((toy(without=("info", "apply", "start")), "apply, info, start"), (object(), everything)):
        with pytest.raises(RulesetError) as caught:
            verified("toy", thing)
        assert str(caught.value) == f"ruleset 'toy' lacks {missing}"


def test_facts_of_another_kind_and_doubled_clauses_are_refused() -> None:
    with pytest.raises(RulesetError, match="info is dict, expected Info"):
        verified("toy", toy(info={"id": "toy"}))
    with pytest.raises(RulesetError, match="lists a clause twice: T-1"):
        verified("toy", toy(clauses=(CLAUSE, CLAUSE)))
