"""Horde: lost models come back before the unit's commands (page *Horde rule*)."""

from __future__ import annotations

from tactician.rules.core.agenda import CHANCE, Handler, push, without_top
from tactician.rules.core.chance import Outcome, Roll, Successes
from tactician.rules.voidsiege.state import Horde, Return, VoidState

__all__ = ["HordeHandler", "horde_frame", "is_horde"]

COMES_BACK = 5
"""VS-HO-02: what a die must show for a model to return."""


def is_horde(state: VoidState, name: str) -> bool:
    """Whether a unit's models come back."""
    return "horde" in state.profile(state.unit(name)).rules


def horde_frame(state: VoidState, name: str) -> Horde | None:
    """The roll before a command of a unit; None for units that are no Horde, have lost nobody or have nobody left.

    Clauses: VS-HO-01.
    """
    unit = state.unit(name)
    counts = bool(unit.models and unit.lost) and is_horde(state, name)
    return Horde(owner=unit.side, unit=name) if counts and state.holds("VS-HO-01") else None


class HordeHandler(Handler[VoidState, Horde]):
    """How many come back."""

    def step(self, state: VoidState, frame: Horde) -> VoidState | None:
        """Nobody to roll for when the unit is gone or whole."""
        unit = state.unit(frame.unit)
        return None if unit.models and unit.lost else without_top(state)

    def mover(self, state: VoidState, frame: Horde) -> str:
        """Always dice."""
        return CHANCE

    def roll(self, state: VoidState, frame: Horde) -> Roll:
        """A die for each lost model; those that show enough bring one back (VS-HO-01, VS-HO-02)."""
        unit = state.unit(frame.unit)
        why = f"horde: lost models of {unit.name} ({unit.id}) that return"
        least = COMES_BACK if state.holds("VS-HO-02") else 7
        return Successes(why=why, subject=unit.id, dice=len(unit.lost), sides=6, at_least=least)

    def land(self, state: VoidState, frame: Horde, outcome: Outcome) -> VoidState:
        """The owner puts them down."""
        assert isinstance(outcome, int)
        return push(without_top(state), Return(owner=frame.owner, unit=frame.unit, count=outcome, cause="horde"))
