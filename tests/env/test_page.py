"""The generated pages are up to date and say what the spaces are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tactician.env import ids
from tactician.env.page import main, page, pages
from tactician.env.solo import SoloEnv
from tactician.rules.core.ruleset import load_ruleset

from tests.architecture.tree import ROOT

PAGES = pages()


def test_there_is_a_page_for_every_id() -> None:
    assert len(PAGES) == len(ids())
    written = {path.name for path in (ROOT / "docs" / "env").glob("*.md")}
    assert written == set(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_up_to_date(name: str) -> None:
    is_new = (ROOT / "docs" / "env" / name).read_text(encoding="utf-8") == PAGES[name]
    assert is_new, "write it anew: python -m tactician.env.page"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_names_every_number(name: str) -> None:
    ruleset, _, size = name.removesuffix(".md").rpartition("-")
    env = SoloEnv(ruleset, size)
    env.reset(seed=0)
    layout = env.game.view.layout
    assert f"`Discrete({int(env.action_space.n)})`" in PAGES[name]
    assert all(f"{number} | {layout.name_of(number)}" in PAGES[name] for number in range(layout.size))


def test_where_nobody_may_measure_the_page_says_that_observations_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    name = next(one for one in PAGES if "judge by eye" not in PAGES[one])
    ruleset, _, size = name.removesuffix(".md").rpartition("-")
    kind = type(load_ruleset(ruleset))
    monkeypatch.setattr(kind, "info", replace(load_ruleset(ruleset).info, measuring_before_declaring=False))
    assert "Observations are exact all the same" in page(ruleset, size)


def test_the_command_writes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "env")]) == 0
    assert {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "env").glob("*")} == PAGES
    assert capsys.readouterr().out.count("wrote") == len(PAGES)
