"""How far a unit may move: chapter *Command Movement Allowances*, and the price of heights."""

from __future__ import annotations

from tactician.rules.core.clauses import Cite, Entry, Ledger
from tactician.rules.core.legs import Rates
from tactician.rules.voidsiege.profiles import Command
from tactician.rules.voidsiege.state import VoidState, VoidUnit

__all__ = ["allowance", "budget_cite", "rates"]

GRANTS = {
    "move": "VS-AL-01",
    "ditch": "VS-AL-01",
    "advance": "VS-AL-02",
    "run": "VS-AL-04",
    "assault": "VS-AL-05",
    "overrun": "VS-AL-06",
    "intervene": "VS-IV-02",
}
"""The clause that grants each command its distance."""

SAME_PROHIBITION = (
    "VS-AL-03",
    "VS-AL-07",
    "VS-CR-01",
    "VS-CR-02",
    "VS-GM-09",
    "VS-GM-10",
    "VS-DP-01",
    "VS-DP-02",
    "VS-DP-03",
)


def allowance(state: VoidState, unit: VoidUnit, command: Command) -> Ledger:
    """The distance that a command grants a unit, and how it comes about.

    Clauses: VS-CR-02, VS-AL-01 to VS-AL-08.
    """
    own = command.distance_override is not None and state.holds("VS-AL-08")
    if command.like and not own and state.holds("VS-AL-07"):
        return _granted(state, unit, state.table.command(command.like), f"{command.like}'s distance")
    return _granted(state, unit, command, command.id)


def _granted(state: VoidState, unit: VoidUnit, command: Command, name: str) -> Ledger:
    if command.distance_override is not None and state.holds("VS-AL-08"):
        return Ledger(name=name, base=command.distance_override, base_reason="explicit distance [VS-AL-08]")
    after = (Entry(value=unit.move_distance, reason="movement distance"),) if unit.move_distance else ()
    if command.distance == "fixed":
        inches = command.inches if state.holds("VS-CR-02") else 0.0
        return Ledger(name=name, base=inches, base_reason="the effect's own distance [VS-CR-02]", after=after)
    grant = GRANTS.get(command.id, "VS-AL-08")
    value = state.profile(unit).move if state.holds("VS-CR-02") else 0.0
    runs = command.distance == "run" and state.holds("VS-AL-03")
    if not state.holds(grant):
        value, runs = (value, False) if command.distance == "run" else (0.0, False)
    if command.distance == "none":
        value = 0.0
    entries = (Entry(value=unit.move_value, reason="Move value"),) if unit.move_value else ()
    why = f"{command.id} [VS-AL-03, {grant}]" if runs else ""
    return Ledger(
        name=name, base=value, base_reason=f"OPDAT Move [{grant}]", entries=entries, doubled_by=why, after=after
    )


def budget_cite(command: Command) -> Cite:
    """The clause that a movement longer than its allowance breaks."""
    named = command.distance_override is None and not command.like and command.distance != "fixed"
    return Cite(GRANTS.get(command.id, "VS-AL-08") if named else "VS-AL-08", SAME_PROHIBITION)


def rates(state: VoidState, command: Command) -> Rates:
    """What an inch up and down costs: all of it upward, nothing downward unless a rule says so.

    Clauses: VS-GM-10, VS-DP-03 (up); VS-GM-11, VS-DP-04 (down).
    """
    up = 1.0 if state.holds("VS-GM-10") and state.holds("VS-DP-03") else 0.0
    free_descent = state.holds("VS-GM-11") and state.holds("VS-DP-04") and not command.permits.pay_descent
    return Rates(up=up, down=0.0 if free_descent else 1.0)
