"""Missions: objectives, scoring and how a game ends."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tactician.rules.core.measure import Inches, within
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.state import SIDES, Unit, other_side
from tactician.rules.voidsiege.state import VoidState, VoidUnit

__all__ = [
    "ENDS",
    "MISSIONS",
    "Mission",
    "annihilated",
    "end_turn",
    "finish",
    "holders",
    "objective_cover",
    "objectives",
]

ENDS = ("annihilation", "victory points", "last turn")

HOLD: Inches = 3.0
"""How near an objective a model must be to count for it."""

DENY: Inches = 2.0
"""An enemy model this near to an objective denies it."""

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
    annihilation_wins: bool = True
    objective_cover: float = 0.0
    """Cover bonus of units near an objective, which can only be charged with Move."""


MISSIONS = {
    mission.id: mission
    for mission in (
        Mission(id="annihilation", name="Annihilation"),
        Mission(id="all-out-war", name="All-out War", target=5, annihilation_wins=False),
        Mission(id="the-wall", name="The Wall", turns=5, objective_cover=3.0),
    )
}


def scale(state: VoidState) -> float:
    """How much smaller than the full table this one is."""
    return min(state.board.width, state.board.height, FULL_TABLE) / FULL_TABLE


def objectives(state: VoidState) -> tuple[Point, ...]:
    """Where the objectives stand (VS-OB-01, VS-OB-04)."""
    table, board = state.table, state.board
    if table.objectives:
        return table.objectives
    if table.mission == "all-out-war":
        if not state.holds("VS-OB-01"):
            return ()
        wide = 12.0 * scale(state)
        middle = board.height / 2
        return (board.width / 2 - wide, middle), (board.width / 2, middle), (board.width / 2 + wide, middle)
    if table.mission == "the-wall" and state.defender and state.holds("VS-OB-04"):
        deep = 12.0 * scale(state)
        y = deep if state.defender == "red" else board.height - deep
        return tuple((board.width * number / 5, y) for number in range(1, 5))
    return ()


def near_objective(unit: Unit, point: Point, limit: Inches) -> bool:
    """Whether a model of the unit is within a distance of an objective's middle."""
    return any(within(length(m.pose.x - point[0], m.pose.y - point[1]) - unit.radius, limit) for m in unit.models)


def scorers(state: VoidState, point: Point) -> tuple[str, ...]:
    """The sides that are near an objective which no enemy denies them: none, one, or both (VS-OB-02)."""
    near = [side for side in SIDES if any(near_objective(unit, point, HOLD) for unit in state.of(side))]
    return tuple(
        side
        for side in near
        if not any(near_objective(unit, point, DENY) for unit in state.against(side)) or not state.holds("VS-OB-02")
    )


def holders(state: VoidState, point: Point) -> str:
    """The side that alone would score for an objective; empty for none or both."""
    sides = scorers(state, point)
    return sides[0] if len(sides) == 1 else ""


def objective_cover(state: VoidState, unit: VoidUnit) -> float:
    """Cover bonus for being near an objective, where the mission gives one (VS-OB-05)."""
    bonus = MISSIONS[state.table.mission].objective_cover
    if not bonus or not state.holds("VS-OB-05"):
        return 0.0
    return bonus if is_at_objective(state, unit) else 0.0


def is_at_objective(state: VoidState, unit: Unit) -> bool:
    """Whether a unit is within the holding distance of some objective."""
    return any(near_objective(unit, point, HOLD) for point in objectives(state))


# ---- the end of a turn, the end of the game --------------------------------------------------------------------


def end_turn(state: VoidState) -> VoidState:
    """Score the turn that ends; finish the game if it decides it or was the last one."""
    mission = MISSIONS[state.table.mission]
    red, blue = _scored(state)
    state = replace(state, score=(red, blue), log=(*state.log, f"turn {state.round} ends: red {red}, blue {blue}"))
    if mission.target and max(red, blue) >= mission.target and red != blue and state.holds("VS-OB-03"):
        return finish(state, "victory points", "red" if red > blue else "blue")
    if state.round >= state.table.turns:
        leader = "" if red == blue else ("red" if red > blue else "blue")
        return finish(state, "last turn", leader)
    return state


def _scored(state: VoidState) -> tuple[int, int]:
    match state.table.mission:
        case "all-out-war":
            return _all_out_war(state)
        case "the-wall":
            return _the_wall(state)
        case _:
            return _fallen_cost(state, "blue"), _fallen_cost(state, "red")


def _all_out_war(state: VoidState) -> tuple[int, int]:
    """From turn 2: a point for each objective that a side is near and no enemy denies it (VS-OB-02)."""
    if state.round < 2:
        return state.score
    scored = [side for point in objectives(state) for side in scorers(state, point)]
    return state.score[0] + scored.count("red"), state.score[1] + scored.count("blue")


def _the_wall(state: VoidState) -> tuple[int, int]:
    """Points for the defender near every objective and the attacker near any; one is stolen near none (VS-OB-06)."""
    if not state.holds("VS-OB-06"):
        return state.score
    defender, attacker = state.defender, other_side(state.defender)
    points = objectives(state)
    near = {s: [any(near_objective(u, p, HOLD) for u in state.of(s)) for p in points] for s in SIDES}
    gained = {defender: 0, attacker: 0}
    if points and all(near[defender]):
        gained[defender] += 1
    elif not any(near[defender]) and state.score_of(defender) > 0:
        gained[defender] -= 1
        gained[attacker] += 1
    if any(near[attacker]):
        gained[attacker] += 1
    return state.score[0] + gained["red"], state.score[1] + gained["blue"]


def _fallen_cost(state: VoidState, side: str) -> int:
    """Threat points of the side's lost models, each its share of its unit's cost, whole points only."""
    shares = sorted(
        state.profile(unit).cost * len(unit.lost) / state.profile(unit).number
        for unit in state.units
        if unit.side == side
    )
    return int(sum(shares) + 1e-9)


def annihilated(state: VoidState) -> VoidState | None:
    """The finished game if a side has no models left to order and the mission ends with that (VS-OB-07)."""
    if not MISSIONS[state.table.mission].annihilation_wins or not state.holds("VS-OB-07"):
        return None
    gone = [side for side in SIDES if not any(u.models or u.reserve for u in state.units if u.side == side)]
    if not gone:
        return None
    score = (_fallen_cost(state, "blue"), _fallen_cost(state, "red"))
    state = replace(state, score=score) if state.table.mission == "annihilation" else state
    return finish(state, "annihilation", other_side(gone[0]) if len(gone) == 1 else "")


def finish(state: VoidState, how: str, winner: str) -> VoidState:
    """End the game."""
    told = f"the game ends by {how}: " + (f"{winner} wins" if winner else "a draw")
    return replace(state, ended=how, winner=winner, agenda=(), log=(*state.log, told))
