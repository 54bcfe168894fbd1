"""Violations that say who breaks what, by how much and where; ledgers that print their own sum."""

from __future__ import annotations

import pytest
from tactician.rules.core.action import Action, pairs
from tactician.rules.core.clauses import Entry, Ledger, Violation
from tactician.rules.core.drawing import Circle


def test_a_violation_names_clause_subject_numbers_and_place() -> None:
    fault = Violation(
        clause="VS-GM-04",
        also=("VS-DE-05",),
        text='no end within 2" of an enemy',
        subject="A3",
        against="E1",
        measured=1.5,
        limit=2.0,
        at=(17.5, 10.0),
    )
    assert str(fault) == 'A3 breaks VS-GM-04 (no end within 2" of an enemy) [E1]: 1.50", limit 2", at (17.5, 10)'
    assert [fault.names(name) for name in ("VS-GM-04", "VS-DE-05", "VS-LE-03")] == [True, True, False]


@pytest.mark.parametrize(
    ("fault", "line"),
    [
        (Violation(clause="X"), "the order breaks X"),
        (Violation(clause="X", subject="a", measured=0.0), 'a breaks X: 0.00"'),
        (
            Violation(clause="X", subject="a", measured=3, limit=0, unit=" shots"),
            "a breaks X: 3.00 shots, limit 0 shots",
        ),
        (Violation(clause="X", subject="a", at=(0.0, 0.0)), "a breaks X, at (0, 0)"),
        (Violation(clause="X", subject="a", because_of="Y"), "a breaks X (follows from Y)"),
    ],
)
def test_what_is_not_known_is_not_printed_and_zero_is_known(fault: Violation, line: str) -> None:
    assert str(fault) == line


def test_a_ledger_doubles_what_came_before_and_not_what_comes_after() -> None:
    ledger = Ledger(
        name="move",
        base=5,
        base_reason="profile",
        entries=(Entry(value=1, reason="boots", clause="X"),),
        doubled_by="Run",
        after=(Entry(value=-0.5, reason="mud"),),
    )
    assert ledger.total == 11.5
    assert str(ledger) == "move: 5 profile, +1 boots [X], x2 Run, -0.5 mud = 11.5"
    plain = Ledger(name="to hit", base=4, base_reason="skill")
    assert (plain.total, str(plain)) == (4, "to hit: 4 skill = 4")


def test_targets_are_sorted_by_role_and_found_by_it() -> None:
    action = Action(verb="assault", unit="A", targets=pairs(shoot="E1", charge="E2", help=None))
    assert action.targets == (("charge", "E2"), ("shoot", "E1"))
    assert (action.target("charge"), action.target("help")) == ("E2", None)
    assert action == Action(verb="assault", unit="A", targets=pairs(charge="E2", shoot="E1"))
    assert len({action, Action(verb="assault", unit="A", targets=pairs(charge="E2", shoot="E1"))}) == 1


def test_what_is_drawn_is_a_value() -> None:
    assert Circle(role="base", centre=(1, 2), radius=0.5) == Circle(role="base", centre=(1, 2), radius=0.5)
