"""Every clause of every ruleset is decided by some code."""

from __future__ import annotations

from pathlib import Path

import pytest
from tactician.rules.core.clauses import Clause
from tactician.rules.core.ruleset import load_ruleset

from tests.conformance.found import NAMES, folder_of
from tests.conformance.laws import law_clauses_have_owners


@pytest.mark.parametrize("name", NAMES)
def test_every_clause_has_an_owner(name: str) -> None:
    ruleset = load_ruleset(name)
    law_clauses_have_owners(ruleset.clauses, folder_of(ruleset))


def test_a_longer_id_does_not_own_a_shorter_one(tmp_path: Path) -> None:
    (tmp_path / "moving.py").write_text('Cite("A-1-b"), Cite("A-12")\n', encoding="utf-8")
    clause = Clause(id="A-1", text="", source="", kind="check")
    with pytest.raises(AssertionError, match="nobody implements A-1"):
        law_clauses_have_owners([clause], tmp_path)


@pytest.mark.parametrize("kind", ["display", "advisory", "out_of_scope", "planned"])
def test_a_clause_that_decides_nothing_needs_no_owner(kind: str, tmp_path: Path) -> None:
    law_clauses_have_owners([Clause(id="A-1", text="", source="", kind=kind)], tmp_path)  # type: ignore[arg-type]
