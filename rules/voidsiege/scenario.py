"""The rulebook's scenarios: what each asks for, and where its objectives and headquarters stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import Point
from tactician.rules.core.state import SIDES
from tactician.rules.voidsiege.state import VoidState

__all__ = ["FULL_TABLE", "MISSIONS", "Mission", "headquarters", "mission_of", "objectives", "token_side"]

FULL_TABLE: Inches = 48.0
"""Edge of the table that the printed distances are for; smaller tables shrink them in proportion."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mission:
    """A rulebook scenario."""

    id: str
    name: str
    turns: int = 8
    """Last turn (missions without one in print end here)."""
    target: int = 0
    """Victory points that win at once; 0 where none do."""
    target_clause: str = "VS-OB-03"
    """The clause that says so."""
    annihilation_wins: bool = True
    objective_cover: float = 0.0
    """Cover bonus of units near an objective, which can only be charged with Move."""
    formations: bool = True
    """Whether units are deployed before the first turn; otherwise all of them arrive later."""
    threat: Literal["", "income", "refund"] = ""
    """Where threat points come from: every turn, from lost units, or from nowhere."""


MISSIONS = {
    mission.id: mission
    for mission in (
        Mission(id="annihilation", name="Annihilation"),
        Mission(id="all-out-war", name="All-out War", target=5, annihilation_wins=False, threat="refund"),
        Mission(id="the-wall", name="The Wall", turns=5, objective_cover=3.0),
        Mission(id="king-of-the-castle", name="King of the Castle", target=5, formations=False, threat="income"),
        Mission(
            id="raid-and-repeat",
            name="Raid and Repeat",
            target=3,
            target_clause="VS-OB-16",
            threat="refund",
        ),
        Mission(id="war-zone", name="War-zone", turns=3),
        Mission(id="citadel-clash", name="Citadel Clash", turns=5, objective_cover=3.0),
    )
}


def mission_of(state: VoidState) -> Mission:
    """The scenario being played."""
    return MISSIONS[state.table.mission]


def scale(state: VoidState) -> float:
    """How much smaller than the full table this one is."""
    return min(state.board.width, state.board.height, FULL_TABLE) / FULL_TABLE


def objectives(state: VoidState) -> tuple[Point, ...]:
    """Where the objectives stand; tokens of the sides come red's first.

    Clauses: VS-OB-01, VS-OB-04, VS-OB-08, VS-OB-13, VS-OB-18, VS-OB-21.
    """
    table, board = state.table, state.board
    if table.objectives:
        return table.objectives
    x, y, inch = board.width / 2, board.height / 2, scale(state)
    match table.mission:
        case "all-out-war" if state.holds("VS-OB-01"):
            return (x - 12 * inch, y), (x, y), (x + 12 * inch, y)
        case "the-wall" if state.defender and state.holds("VS-OB-04"):
            deep = 12 * inch if state.defender == "red" else board.height - 12 * inch
            return tuple((board.width * number / 5, deep) for number in range(1, 5))
        case "king-of-the-castle" if state.holds("VS-OB-08"):
            return ((x, y),)
        case "raid-and-repeat" if state.holds("VS-OB-13"):
            return (x, 8 * inch), (x, board.height - 8 * inch)
        case "war-zone" if state.holds("VS-OB-18"):
            corners = tuple((x + dx * inch, y + dy * inch) for dy in (-6, 6) for dx in (-12, 12))
            return ((x, y), *corners)
        case "citadel-clash" if state.holds("VS-OB-21"):
            rows = (9 * inch, board.height - 9 * inch)
            return tuple((x + dx * inch, deep) for deep in rows for dx in (-12, 0, 12))
        case _:
            return ()


def token_side(state: VoidState, number: int) -> str:
    """The side on whose part of the table an objective is a token of its own; empty where objectives are nobody's."""
    if state.table.mission not in ("raid-and-repeat", "citadel-clash"):
        return ""
    return SIDES[0] if 2 * number < len(objectives(state)) else SIDES[1]


def headquarters(state: VoidState) -> tuple[Point, ...]:
    """Red's headquarters, then blue's, where the mission has any (VS-OB-18)."""
    if state.table.mission != "war-zone" or not state.holds("VS-OB-18"):
        return ()
    if state.table.headquarters:
        return state.table.headquarters
    deep = 6 * scale(state)
    return (state.board.width / 2, deep), (state.board.width / 2, state.board.height - deep)
