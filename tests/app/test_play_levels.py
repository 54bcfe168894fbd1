"""`play --level --style`: who plays is said openly before the first question."""

from __future__ import annotations

import pytest
from tactician.agent.levels import LEVELS, style_names
from tactician.commands import table

from tests.app.conftest import Run

SMALL = ("play", "--rules", "_template", "--size", "duel", "--seed", "1")


@pytest.fixture(autouse=True)
def leaving(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is asked leaves."""
    monkeypatch.setattr("builtins.input", lambda question: "quit")


def test_the_help_names_every_level_and_style() -> None:
    assert tuple(one.name for one in LEVELS) == table.LEVELS
    assert style_names() == table.STYLES


def test_a_level_and_a_style_are_told_with_what_they_look_at(run: Run) -> None:
    code, out, _ = run(*SMALL, "--level", "master", "--style", "cautious")
    assert code == 0
    assert "against search-cautious; seed 1" in out
    assert "  level: Master, 4 of 4\n  it looks further: " in out
    assert "  style: cautious. Gives up nothing it need not" in out
    assert "  evaluations: it carries out up to 24 orders for a decision" in out


def test_who_tries_nothing_out_says_so(run: Run) -> None:
    out = run(*SMALL, "--level", "recruit")[1]
    assert "  level: Recruit, 1 of 4\n  it looks at the nearest enemy only" in out
    assert "  style: it knows one way to play\n  evaluations: none" in out


def test_a_policy_may_be_named_instead(run: Run) -> None:
    out = run(*SMALL, "--level", "random")[1]
    assert "against random; seed 1" in out
    assert "no level: 0.5 seconds for a decision" in out


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--level", "vetran"), "--level: there is no level or policy 'vetran'; did you mean 'veteran'?"),
        (("--style", "agressive"), "--style: there is no style 'agressive'; did you mean 'aggressive'?"),
        (("--level", "recruit", "--style", "cautious"), "--style: recruit knows one way to play"),
    ],
)
def test_what_nobody_plays_is_refused(run: Run, given: tuple[str, ...], message: str) -> None:
    code, _, err = run(*SMALL, *given)
    assert code == 2
    assert message in err
