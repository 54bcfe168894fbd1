"""Missions: holding, scoring and how a game ends."""

from __future__ import annotations

from dataclasses import replace

from tactician.rules.core.measure import Inches, within
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.state import SIDES, Unit, other_side
from tactician.rules.voidsiege.scenario import MISSIONS, headquarters, mission_of, objectives, token_side
from tactician.rules.voidsiege.state import VoidState, VoidUnit
from tactician.rules.voidsiege.threat import can_come

__all__ = [
    "ENDS",
    "HOLD",
    "HQ_REACH",
    "MISSIONS",
    "annihilated",
    "decided",
    "end_turn",
    "finish",
    "holders",
    "is_at_objective",
    "is_limited",
    "near_objective",
    "objective_cover",
    "objectives",
]

ENDS = ("annihilation", "victory points", "last turn")

HOLD: Inches = 3.0
"""How near an objective a model must be to count for it."""

DENY: Inches = 2.0
"""An enemy model this near to an objective denies it."""

HQ_REACH: Inches = 6.0
"""How near an enemy unit must be to a headquarters to cost it points."""

HQ_LOSS = 3
"""Victory points that this costs."""


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


def is_limited(state: VoidState, side: str) -> bool:
    """Whether a side holds the objective of King of the Castle: it may neither spend threat points nor rally then.

    Clauses: VS-OB-12.
    """
    if mission_of(state).threat != "income" or not state.holds("VS-OB-12"):
        return False
    return any(side in scorers(state, point) for point in objectives(state))


def objective_cover(state: VoidState, unit: VoidUnit) -> float:
    """Cover bonus for being near an objective, where the mission gives one (VS-OB-05)."""
    bonus = mission_of(state).objective_cover
    if not bonus or not state.holds("VS-OB-05"):
        return 0.0
    return bonus if is_at_objective(state, unit) else 0.0


def is_at_objective(state: VoidState, unit: Unit) -> bool:
    """Whether a unit is within the holding distance of some objective."""
    return any(near_objective(unit, point, HOLD) for point in objectives(state))


# ---- the end of a turn, the end of the game --------------------------------------------------------------------


def end_turn(state: VoidState) -> VoidState:
    """Score the turn that ends; finish the game if it decides it or was the last one."""
    red, blue = _scored(state)
    state = replace(state, score=(red, blue), log=(*state.log, f"turn {state.round} ends: red {red}, blue {blue}"))
    over = decided(state)
    if over is not None:
        return over
    if state.round >= state.table.turns:
        leader = "" if red == blue else ("red" if red > blue else "blue")
        return finish(state, "last turn", leader)
    return state


def decided(state: VoidState) -> VoidState | None:
    """The finished game if a side is ahead with the victory points that win (VS-OB-03, VS-OB-16)."""
    mission = mission_of(state)
    red, blue = state.score
    if not mission.target or max(red, blue) < mission.target or red == blue or not state.holds(mission.target_clause):
        return None
    return finish(state, "victory points", "red" if red > blue else "blue")


def _scored(state: VoidState) -> tuple[int, int]:
    match state.table.mission:
        case "all-out-war" | "king-of-the-castle":
            return _held(state) if state.round >= 2 else state.score
        case "the-wall":
            return _the_wall(state)
        case "raid-and-repeat":
            return state.score
        case "war-zone":
            return _war_zone(state)
        case "citadel-clash":
            return _citadels(state) if state.round >= state.table.turns else state.score
        case _:
            return _fallen_cost(state, "blue"), _fallen_cost(state, "red")


def _held(state: VoidState) -> tuple[int, int]:
    """A point for each objective that a side is near and no enemy denies it (VS-OB-02)."""
    scored = [side for point in objectives(state) for side in scorers(state, point)]
    return state.score[0] + scored.count("red"), state.score[1] + scored.count("blue")


def _war_zone(state: VoidState) -> tuple[int, int]:
    """Objectives score in every turn (VS-OB-19); an enemy near a headquarters costs its side three (VS-OB-20)."""
    scored = list(_held(state) if state.holds("VS-OB-19") else state.score)
    if state.holds("VS-OB-20"):
        for place, (side, point) in enumerate(zip(SIDES, headquarters(state), strict=False)):
            if any(near_objective(unit, point, HQ_REACH) for unit in state.against(side)):
                scored[place] -= HQ_LOSS
    return scored[0], scored[1]


def _citadels(state: VoidState) -> tuple[int, int]:
    """At the end of the game: a point for each own token that a side is near, two for each enemy one (VS-OB-22)."""
    if not state.holds("VS-OB-22"):
        return state.score
    gained = dict.fromkeys(SIDES, 0)
    for number, point in enumerate(objectives(state)):
        for side in SIDES:
            if any(near_objective(unit, point, HOLD) for unit in state.of(side)):
                gained[side] += 1 if token_side(state, number) == side else 2
    return state.score[0] + gained["red"], state.score[1] + gained["blue"]


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
    if not mission_of(state).annihilation_wins or not state.holds("VS-OB-07"):
        return None
    gone = [side for side in SIDES if not state.of(side) and not can_come(state, side)]
    if not gone:
        return None
    score = (_fallen_cost(state, "blue"), _fallen_cost(state, "red"))
    state = replace(state, score=score) if state.table.mission == "annihilation" else state
    return finish(state, "annihilation", other_side(gone[0]) if len(gone) == 1 else "")


def finish(state: VoidState, how: str, winner: str) -> VoidState:
    """End the game."""
    told = f"the game ends by {how}: " + (f"{winner} wins" if winner else "a draw")
    return replace(state, ended=how, winner=winner, agenda=(), log=(*state.log, told))
