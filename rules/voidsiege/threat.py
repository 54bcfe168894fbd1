"""Threat points: what units cost, where points come from, who can still be brought on (pages of the scenarios)."""

from __future__ import annotations

from dataclasses import replace

from tactician.rules.core.state import SIDES
from tactician.rules.voidsiege.scenario import mission_of
from tactician.rules.voidsiege.state import VoidState, VoidUnit

__all__ = ["can_come", "comers", "price", "refunded", "with_income", "without_threat"]

HIGHEST = 4
"""Turn from which the income of King of the Castle rises no further."""


def price(state: VoidState, unit: VoidUnit) -> int:
    """Threat points of a unit: its cost, or a part's share of it, at least 1 (VS-SU-05)."""
    if not state.holds("VS-SU-05"):
        return 0
    profile = state.profile(unit)
    return max(round(profile.cost * unit.mustered / profile.number), 1)


def income(state: VoidState, turn: int) -> int:
    """Threat points that a turn brings each side: 1 to 4 steps, rising by one a turn (VS-OB-10)."""
    if mission_of(state).threat != "income" or not state.holds("VS-OB-10"):
        return 0
    return round(state.table.inches("threat_step") * min(turn, HIGHEST))


def with_income(state: VoidState) -> VoidState:
    """The beginning of a turn: its threat points replace what was not spent (VS-OB-10, VS-OB-11)."""
    if mission_of(state).threat != "income":
        return state
    fresh = income(state, state.round)
    if state.holds("VS-OB-11"):
        return replace(state, threat=(fresh, fresh))
    return replace(state, threat=(state.threat[0] + fresh, state.threat[1] + fresh))


def without_threat(state: VoidState, side: str, points: int) -> VoidState:
    """The state with threat points of a side spent."""
    red, blue = state.threat
    return replace(state, threat=(red - points, blue) if side == SIDES[0] else (red, blue - points))


def refunded(state: VoidState) -> VoidState | None:
    """The state after units lost since then have been paid back at one point less; None where none were (VS-OB-17)."""
    if mission_of(state).threat != "refund" or not state.holds("VS-OB-17"):
        return None
    fallen = [unit for unit in state.units if unit.lost and not unit.models and not unit.reserve and not unit.refunded]
    if not fallen:
        return None
    for unit in fallen:
        back = max(price(state, unit) - 1, 0)
        told = f"{unit.name} ({unit.id}) is lost: {back} threat points back to {unit.side}"
        state = without_threat(state, unit.side, -back).with_unit(replace(unit, refunded=True))
        state = replace(state, log=(*state.log, told))
    return state


def comers(state: VoidState, side: str) -> tuple[VoidUnit, ...]:
    """Units of a side off the table that could be bought: those in reserve, and lost ones where they may come again."""
    kind = mission_of(state).threat
    again = kind == "refund" or bool(state.table.option("lost_return"))
    return tuple(
        unit
        for unit in state.units
        if kind and unit.side == side and not unit.models and (unit.reserve or (unit.lost and again))
    )


def can_come(state: VoidState, side: str) -> bool:
    """Whether a side that has no models on the table may yet get some."""
    kind = mission_of(state).threat
    if not kind:
        return any(unit.reserve for unit in state.units if unit.side == side)
    most = income(state, state.table.turns) if kind == "income" else state.threat[SIDES.index(side)]
    return any(price(state, unit) <= most for unit in comers(state, side))
