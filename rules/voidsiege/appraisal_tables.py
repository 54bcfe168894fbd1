"""VoidSiege in numbers for a coarse model: shots by gap and cover, blows, objectives, orders left.

What depends on profiles alone is worked out once; a new moment costs little more than reading where units stand.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import ceil, cos, pi, sin

import numpy as np
from numpy.typing import NDArray
from tactician.rules.core.derive import but
from tactician.rules.core.going import Going
from tactician.rules.core.legs import Pose
from tactician.rules.core.remember import Remembered
from tactician.rules.core.shapes import Point, Polygon, length
from tactician.rules.core.sketch_tables import (
    EACH_ROUND,
    LAST_ROUND,
    NO_GOING,
    Lie,
    Tables,
    UnitRow,
    middle_of,
    numbers_of,
    unit_rows,
)
from tactician.rules.core.state import SIDES, other_side
from tactician.rules.voidsiege.allowance import allowance
from tactician.rules.voidsiege.engagement import ENGAGED, engaged_pairs
from tactician.rules.voidsiege.missions import DENY, HOLD, HQ_LOSS, HQ_REACH
from tactician.rules.voidsiege.movement import move_type
from tactician.rules.voidsiege.profiles import Weapon
from tactician.rules.voidsiege.scenario import headquarters, mission_of, objectives, token_side
from tactician.rules.voidsiege.shooting import is_scout, melee_dice
from tactician.rules.voidsiege.state import Exchange, Turn, VoidState, VoidTable, VoidUnit

__all__ = ["Kill", "tables_of"]

Kill = Callable[[VoidState, VoidUnit, VoidUnit, Weapon, str], float]
"""Chance that one die of a weapon costs a target a model where it stands: state, attacker, target, weapon, role."""

Floats = NDArray[np.float64]

AWAY: Point = (-1000.0, -1000.0)
"""Where nothing gives cover."""

CORNERS = 8
"""Of the outline that stands for the ring about an objective."""

BEYOND = 2
"""Columns past the longest range, in which nothing is hit."""

SCORES_FROM = {"all-out-war": 2, "king-of-the-castle": 2}
"""First turn that scores, where it is not the first of all."""

_ODDS: Remembered[tuple[Floats, Floats]] = Remembered(100)
_FIRES: Remembered[Floats] = Remembered(2_000)
_BLOWS: Remembered[Floats] = Remembered(2_000)
_ROWS: Remembered[Floats] = Remembered(4_000)
_WALKS: Remembered[tuple[float, float]] = Remembered(2_000)


def tables_of(state: VoidState, stakes: float, kill: Kill) -> Tables:
    """A moment in numbers.

    Args:
        state: the moment.
        stakes: points that a victory point is worth.
        kill: the odds of one die.
    """
    units = [unit for unit in state.units if unit.models]
    count, lie = len(units), _lie_of(state)
    key = tuple((unit.side, unit.profile, unit.ditching) for unit in units)
    fire, blows = _ODDS.get((state.table,), (key, state.defender), lambda: _odds(state, units, kill))
    contacts = np.zeros((count, count))
    seen = [0.0 if is_scout(state, foe) else 1.0 for foe in units]
    lanes = np.array([[seen[j] * (unit.side != foe.side) for j, foe in enumerate(units)] for unit in units])
    _meet(state, units, contacts)
    mission = state.table.mission
    active = _active(state)
    return Tables(
        names=tuple(unit.id for unit in units),
        units=unit_rows([_numbers(state, unit) for unit in units]),
        fire=fire,
        kit_fire=fire[:, :, None],
        kits=tuple((0,) * len(unit.models) for unit in units),
        blows=blows,
        lanes=lanes,
        contacts=contacts,
        goals=_goals(state),
        goings=tuple(_going(state, unit) for unit in units),
        lie=lie,
        alternate=True,
        locks=False,
        duels=False,
        run_fires=True,
        active=SIDES.index(active or SIDES[0]),
        first=SIDES.index(state.first or SIDES[0]),
        swaps=state.table.option("turn_order") == "alternate",
        orders=state.points,
        orders_a_round=round(state.table.inches("command_points")),
        stakes=stakes,
        ends=max(state.table.turns - state.round, 0),
        score_when=LAST_ROUND if mission == "citadel-clash" else EACH_ROUND,
        score_after=max(SCORES_FROM.get(mission, 0) - state.round, 0),
        how=_how(state),
    )


def _active(state: VoidState) -> str:
    """Whose order comes next: within an exchange, the side that did not give it."""
    for frame in reversed(state.agenda):
        if isinstance(frame, Exchange):
            return other_side(frame.owner)
        if isinstance(frame, Turn):
            return frame.owner
    return state.first or SIDES[0]


# ---- one unit --------------------------------------------------------------------------------------------------------


def _numbers(state: VoidState, unit: VoidUnit) -> Floats:
    return _ROWS.get((state.table, unit), None, lambda: numbers_of(_row(state, unit)))


def _row(state: VoidState, unit: VoidUnit) -> UnitRow:
    profile = state.profile(unit)
    x, y, xx, xy, yy = middle_of(unit)
    walk, run = _paces(state, unit)
    may_run = "Run" not in unit.restrictions
    may_shoot = "Shoot" not in unit.restrictions and not unit.scouting
    return UnitRow(
        side=SIDES.index(unit.side),
        x=x,
        y=y,
        xx=xx,
        xy=xy,
        yy=yy,
        models=len(unit.models),
        full=profile.number,
        radius=unit.radius,
        points=profile.cost / profile.number,
        half=0.0,
        whole=0.0,
        walk=walk,
        run=run,
        charge=run + ENGAGED if profile.melee else 0.0,
        far=profile.reach,
        can_move=1.0,
        can_attack=float(may_shoot and bool(profile.ranged)),
        can_charge=float(bool(profile.melee) and may_run and not unit.scouting),
        can_run=float(may_run),
        watching=0.0,
        broken=0.0,
        nerve=0.0,
        rally=1.0,
        at_turn=len(unit.models),
        haste=0.0,
        gone=0.0,
        charged=0.0,
    )


def _paces(state: VoidState, unit: VoidUnit) -> tuple[float, float]:
    """What Move and Run grant."""
    key = unit.profile, unit.move_value, unit.move_distance
    table = state.table
    return _WALKS.get(
        (table,),
        key,
        lambda: (
            allowance(state, unit, table.command("move")).total,
            allowance(state, unit, table.command("run")).total,
        ),
    )


def _going(state: VoidState, unit: VoidUnit) -> Going:
    return move_type(state, unit, state.table.command("move")).going or NO_GOING


# ---- attacks ---------------------------------------------------------------------------------------------------------


def _at(unit: VoidUnit, place: Point) -> VoidUnit:
    """One model of a unit at a place."""
    return but(unit, models=(but(unit.models[0], pose=Pose(*place)),))


def _odds(state: VoidState, units: list[VoidUnit], kill: Kill) -> tuple[Floats, Floats]:
    """Fire and blows of every unit at every enemy."""
    count = len(units)
    fire = np.zeros((count, count, 2, len(_levels(state)), _inches(state.table)))
    blows = np.zeros((count, count, 2, 2))
    for i, unit in enumerate(units):
        for j, foe in enumerate(units):
            if unit.side != foe.side:
                fire[i, j] = _fire(state, unit, foe, kill)
                blows[i, j] = _blows(state, unit, foe, kill)
    return fire, blows


def _fire(state: VoidState, unit: VoidUnit, foe: VoidUnit, kill: Kill) -> Floats:
    """Models that one of a unit's models takes off on average, shape (2, levels, inches)."""
    key = unit.profile, foe.profile, foe.ditching, foe.side == state.defender
    return _FIRES.get((state.table,), key, lambda: _find_fire(state, unit, foe, kill))


def _find_fire(state: VoidState, unit: VoidUnit, foe: VoidUnit, kill: Kill) -> Floats:
    levels, inches = _levels(state), _inches(state.table)
    found = np.zeros((2, len(levels), inches))
    for weapon in state.profile(unit).ranged:
        for level, place in enumerate(levels):
            each = weapon.rof * kill(state, unit, _at(foe, place), weapon, "command")
            found[:, level, : min(int(weapon.range) + 1, inches)] += each
    return found


def _blows(state: VoidState, unit: VoidUnit, foe: VoidUnit, kill: Kill) -> Floats:
    """Models that one striking model of the unit, and one of the foe, takes off, shape (2, 2)."""
    key = unit.profile, foe.profile, unit.ditching, foe.ditching
    return _BLOWS.get((state.table,), key, lambda: _find_blows(state, unit, foe, kill))


def _find_blows(state: VoidState, unit: VoidUnit, foe: VoidUnit, kill: Kill) -> Floats:
    mine, theirs = _at(unit, AWAY), _at(foe, AWAY)
    gains = sum(one.rof * kill(state, unit, theirs, one, "melee") for one in state.profile(unit).melee)
    costs = sum(one.rof * kill(state, foe, mine, one, "melee") for one in state.profile(foe).melee)
    return np.array([[gains, costs], [gains, costs]])


def _meet(state: VoidState, units: list[VoidUnit], contacts: Floats) -> None:
    """Note how many models of each unit strike at each other unit where they stand."""
    number = {unit.id: i for i, unit in enumerate(units)}
    for one, other in engaged_pairs(state):
        for a, b in ((one, other), (other, one)):
            unit, foe = units[number[a]], units[number[b]]
            blows = sum(weapon.rof for weapon in state.profile(unit).melee)
            if blows:
                contacts[number[a], number[b]] = sum(dice for _, dice in melee_dice(state, unit, foe)) / blows


# ---- the table -------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _inches(table: VoidTable) -> int:
    """Columns of the fire tables: to the longest range of any weapon, or across the board."""
    longest = max((weapon.range for _, profile in table.profiles for weapon in profile.weapons), default=0.0)
    across = length(table.board.width, table.board.height)
    return ceil(min(longest, across)) + BEYOND


def _rings(state: VoidState) -> tuple[float, tuple[Point, ...]]:
    """Cover about objectives, and where they stand."""
    bonus = mission_of(state).objective_cover if state.holds("VS-OB-05") else 0.0
    return bonus, objectives(state) if bonus else ()


def _levels(state: VoidState) -> tuple[Point, ...]:
    """For each level of cover a place that gives it, the first one in the open."""
    bonus, points = _rings(state)
    return _find_levels(state.table, bonus, points)


@lru_cache(maxsize=64)
def _find_levels(table: VoidTable, bonus: float, points: tuple[Point, ...]) -> tuple[Point, ...]:
    return (AWAY, *(place for _, place, _ in _covers(table, bonus, points)))


@lru_cache(maxsize=64)
def _covers(
    table: VoidTable, bonus: float, points: tuple[Point, ...]
) -> tuple[tuple[float, Point, tuple[Polygon, ...]], ...]:
    """The values of cover on a table, each with a place that has it and the outlines that give it."""
    found: dict[float, list[tuple[Point, Polygon]]] = {}
    for piece in table.board.with_trait("cover"):
        value = piece.trait("cover")
        if isinstance(value, int | float) and value > 0.0:
            found.setdefault(float(value), []).append((_middle(piece.outline), piece.outline))
    for point in points:
        found.setdefault(bonus, []).insert(0, (point, _ring(point)))
    return tuple(
        (value, rows[0][0], tuple(outline for _, outline in rows)) for value, rows in sorted(found.items()) if rows
    )


def _middle(outline: Polygon) -> Point:
    points = outline.points
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _ring(point: Point) -> Polygon:
    turns = [2 * pi * k / CORNERS for k in range(CORNERS)]
    return Polygon(tuple((point[0] + HOLD * cos(turn), point[1] + HOLD * sin(turn)) for turn in turns))


def _lie_of(state: VoidState) -> Lie:
    bonus, points = _rings(state)
    return _lie(state.table, bonus, points)


@lru_cache(maxsize=64)
def _lie(table: VoidTable, bonus: float, points: tuple[Point, ...]) -> Lie:
    statures = sorted(profile.stature for _, profile in table.profiles) or [1.0]
    covers = tuple(
        (outline, level)
        for level, (_, _, outlines) in enumerate(_covers(table, bonus, points), start=1)
        for outline in outlines
    )
    return Lie(board=table.board, covers=covers, stature=statures[len(statures) // 2])


# ---- what scores -----------------------------------------------------------------------------------------------------


def _goals(state: VoidState) -> Floats:
    """Objectives and headquarters, as `Tables.goals` has them."""
    denied = DENY if state.table.mission in ("all-out-war", "king-of-the-castle", "war-zone") else 0.0
    rows = []
    for number, (x, y) in enumerate(objectives(state)):
        owner = token_side(state, number)
        weights = [_weight(state, owner, side) for side in SIDES]
        rows.append((x, y, HOLD, denied, *weights))
    for owner, (x, y) in zip(SIDES, headquarters(state), strict=False):
        rows.append((x, y, HQ_REACH, 0.0, *(0.0 if owner == side else float(HQ_LOSS) for side in SIDES)))
    return np.array(rows, np.float64).reshape(-1, 6)


def _weight(state: VoidState, owner: str, side: str) -> float:
    """Victory points of an objective for a side that is near it."""
    if state.table.mission == "raid-and-repeat":
        return 0.0 if owner == side else 1.0
    return 2.0 if owner == other_side(side) else 1.0


def _how(state: VoidState) -> tuple[int, int]:
    """Whether one goal is enough for a side (1), or it needs all (2), or each scores (0)."""
    if state.table.mission != "the-wall" or not state.defender:
        return 0, 0
    red, blue = (2 if side == state.defender else 1 for side in SIDES)
    return red, blue
