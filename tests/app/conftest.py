"""What the tests of the command line share: running it in this process, and a battle to ask about."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tactician.cli import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line: exit code, what it prints, what it prints beside it."""

    def once(*arguments: object) -> tuple[int, str, str]:
        code = main([str(one) for one in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return once


@pytest.fixture(scope="module")
def battle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A duel of the default ruleset, units on the table 17 inches apart."""
    place = tmp_path_factory.mktemp("battle") / "battle.json"
    assert main(["new", "--rules", "voidsiege", "--size", "duel", "--table", "quarry", "--out", str(place)]) == 0
    return place
