"""The second edition in numbers for a coarse model: fire by gap, cover and speed, duels, nerve, victory points.

What depends on profiles and weapons alone is worked out once; a new moment costs little more than reading where units
stand.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil

import numpy as np
from numpy.typing import NDArray
from tactician.rules.core.derive import but
from tactician.rules.core.legs import Pose
from tactician.rules.core.remember import Remembered
from tactician.rules.core.shapes import length
from tactician.rules.core.sketch_tables import NO_GOING, Lie, Tables, UnitRow, middle_of, numbers_of, unit_rows
from tactician.rules.core.state import SIDES, Model
from tactician.rules.wh40k2e.appraisal_might import charge_reach, is_charging, longest, share, some
from tactician.rules.wh40k2e.arms import jammed, rested
from tactician.rules.wh40k2e.contact import touching
from tactician.rules.wh40k2e.duels import duel_odds
from tactician.rules.wh40k2e.firing import likely
from tactician.rules.wh40k2e.leadership import leadership_of
from tactician.rules.wh40k2e.movement import RUN_GAP, allowance_of, move_type
from tactician.rules.wh40k2e.nearest import is_lost_in_crowd
from tactician.rules.wh40k2e.profiles import Weapon
from tactician.rules.wh40k2e.sighting import reach_of
from tactician.rules.wh40k2e.state import Deploy, FirstTurn, Shots, Squad, SquadState, SquadTable, Turn
from tactician.rules.wh40k2e.to_hit import FAST, WORSE
from tactician.rules.wh40k2e.victory import points_of
from tactician.rules.wh40k2e.wounding import is_area, struck

__all__ = ["tables_of"]

LEVELS = 4
"""How much worse to hit cover and speed can make somebody: from nothing to three."""

BEYOND = 2
"""Columns past the longest range, in which nothing is hit."""

BLAST, FLAME = 2.4, 3.0
"""Models that an area strikes on average where a squad stands as close as usual, those partly under it in part."""

BREAKS = 0.25
"""Part of a unit that is lost in a turn before it is tested."""

RALLY = 0.3
"""How likely a broken unit is to come back in its turn: it has to reach cover first."""

AWAY = Pose(-1000.0, -1000.0)
"""Where two models are asked about a duel."""

LANES = 4
"""Models of the enemy that lanes of fire are looked at to."""

NIMBLE = ("start", "opening", "compulsory", "chargers", "normal")
"""Steps of a turn in which units may still move."""

Floats = NDArray[np.float64]
Gear = tuple[str, ...]
Gears = tuple[tuple[Gear, int], ...]

_ARMS: Remembered[tuple[Gear, ...]] = Remembered(4_000)
_ROWS: Remembered[Floats] = Remembered(4_000)
_BLOCKS: Remembered[Floats] = Remembered(4_000)
_ODDS: Remembered[_Odds] = Remembered(60)
_LANES: Remembered[float] = Remembered(20_000)


def tables_of(state: SquadState, stakes: float) -> Tables:
    """A moment in numbers.

    Args:
        state: the moment.
        stakes: points that a victory point is worth.
    """
    units = [unit for unit in state.units if unit.models]
    turn = _turn(state)
    count = len(units)
    key = tuple(_composition(state, unit) for unit in units)
    odds = _ODDS.get((state.table,), key, lambda: _odds(state, units))
    contacts = np.zeros((count, count))
    lost = _lost_in_crowd(state, units)
    lanes = np.array(
        [[_lane(state, unit, foe) if foe.id not in lost else 0.0 for foe in units] for unit in units], np.float64
    ).reshape(count, count)
    _meet(state, units, contacts)
    owner = state.first or SIDES[0] if turn is None else turn.owner
    left = max(state.table.turns - state.round, 0)
    return Tables(
        names=tuple(unit.id for unit in units),
        units=unit_rows([_numbers(state, unit, turn) for unit in units]),
        fire=odds.fire,
        kit_fire=odds.kit_fire,
        kits=odds.kits,
        blows=odds.blows,
        lanes=lanes,
        contacts=contacts,
        goals=np.zeros((0, 6)),
        goings=tuple(move_type(state, unit, "walk").going or NO_GOING for unit in units),
        lie=_lie(state.table),
        active=SIDES.index(owner),
        first=SIDES.index(state.first or SIDES[0]),
        stakes=stakes,
        ends=2 * left + (owner == (state.first or SIDES[0])) if state.agenda else 0,
        fast=FAST,
        models_hide=True,
        run_gap=RUN_GAP,
        break_share=BREAKS,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Odds:
    """What does not depend on where units stand."""

    fire: Floats
    kit_fire: Floats
    kits: tuple[tuple[int, ...], ...]
    blows: Floats


def _composition(state: SquadState, unit: Squad) -> tuple[object, ...]:
    """What the odds of a unit depend on."""
    mood = unit.restrained or unit.broken, unit.leaving, unit.cowed
    return unit.side, unit.profile, _arms(state, unit), mood


def _odds(state: SquadState, units: list[Squad]) -> _Odds:
    count, inches = len(units), _inches(state.table)
    most = max((len(_gears(state, unit)) for unit in units), default=1)
    kit_fire = np.zeros((count, count, most, 2, LEVELS, inches))
    fire, blows = np.zeros((count, count, 2, LEVELS, inches)), np.zeros((count, count, 2, 2))
    kits = []
    for i, unit in enumerate(units):
        gears = _gears(state, unit)
        names = [gear for gear, _ in gears]
        kits.append(tuple(names.index(gear) for gear in _arms(state, unit)))
        for j, foe in enumerate(units):
            if unit.side == foe.side:
                continue
            blows[i, j] = _blows(state, unit, foe)
            for k, (gear, number) in enumerate(gears):
                kit_fire[i, j, k] = _kit(state, unit, gear, foe)
                fire[i, j] += kit_fire[i, j, k] * number / len(unit.models)
    return _Odds(fire, kit_fire, tuple(kits), blows)


def _turn(state: SquadState) -> Turn | None:
    frame = state.agenda[0] if state.agenda else None
    is_set_up = any(isinstance(one, Deploy | FirstTurn) for one in state.agenda)
    return frame if isinstance(frame, Turn) and not is_set_up else None


@lru_cache(maxsize=64)
def _lie(table: SquadTable) -> Lie:
    statures = sorted(profile.stature for _, profile in table.profiles)
    covers = tuple(
        (piece.outline, WORSE[str(piece.trait("cover"))])
        for piece in table.board.with_trait("cover")
        if str(piece.trait("cover")) in WORSE
    )
    return Lie(board=table.board, covers=covers, across=True, stature=statures[len(statures) // 2])


@lru_cache(maxsize=64)
def _inches(table: SquadTable) -> int:
    """Columns of the fire tables: to the longest range of any weapon, or across the board."""
    longest_arm = max((weapon.long for _, weapon in table.weapons), default=0.0)
    across = length(table.board.width, table.board.height)
    return ceil(min(max(longest_arm, 12.0), across)) + BEYOND


# ---- one unit --------------------------------------------------------------------------------------------------------


def _numbers(state: SquadState, unit: Squad, turn: Turn | None) -> Floats:
    leadership = leadership_of(state, unit, "break")
    key = leadership, None if turn is None else (turn.owner, turn.phase)
    return _ROWS.get((state.table, unit), key, lambda: numbers_of(_row(state, unit, turn, leadership)))


def _row(state: SquadState, unit: Squad, turn: Turn | None, leadership: int) -> UnitRow:
    profile = state.profile(unit)
    x, y, xx, xy, yy = middle_of(unit)
    half, whole = points_of(state, unit)
    moves, attacks, charges = _abilities(unit, turn)
    walked = max((inches for _, inches in unit.walked), default=0.0)
    return UnitRow(
        side=SIDES.index(unit.side),
        x=x,
        y=y,
        xx=xx,
        xy=xy,
        yy=yy,
        models=len(unit.models),
        full=max(unit.mustered, 1),
        radius=unit.radius,
        points=share(state, unit),
        half=half,
        whole=whole,
        walk=profile.move,
        run=allowance_of(state, unit, "run"),
        charge=0.0 if unit.shaken else charge_reach(state, unit),
        far=longest(state, unit),
        can_move=moves,
        can_attack=attacks,
        can_charge=charges,
        can_run=moves,
        watching=float(unit.overwatch),
        broken=float(unit.broken),
        nerve=0.0 if profile.has("immune") or not state.holds("2E-LD-03") else _fails(leadership),
        rally=RALLY,
        at_turn=max(unit.at_turn, len(unit.models)),
        haste=walked,
        gone=float(turn is not None and turn.owner == unit.side and unit.went == "walked"),
        charged=float(bool(unit.charged)),
    )


def _abilities(unit: Squad, turn: Turn | None) -> tuple[float, float, float]:
    """Whether a unit may still move, attack and charge in this turn: 1 or 0 each."""
    if turn is None:
        return 1.0, 1.0, 1.0
    if turn.owner != unit.side or unit.broken:
        return 0.0, 0.0, 0.0
    declares = turn.phase in ("start", "opening") and not unit.overwatch
    if unit.charge or is_charging(unit):
        return 0.0, 0.0, float(is_charging(unit) and turn.phase in NIMBLE)
    moves = turn.phase in NIMBLE and not unit.acted and not unit.overwatch
    spent = unit.fired or unit.dazed or unit.overwatch or unit.went in ("ran", "charged", "compelled")
    attacks = turn.phase in (*NIMBLE, "hiding", "shooting") and not spent
    return float(moves), float(attacks), float(declares)


def _fails(leadership: int) -> float:
    """Chance that two dice come to more."""
    return sum(a + b > leadership for a in range(1, 7) for b in range(1, 7)) / 36


def _arms(state: SquadState, unit: Squad) -> tuple[Gear, ...]:
    """What each model has at hand, jammed and resting weapons left out."""
    about = (state.table, unit.models, unit.gear, unit.jams, unit.recharging)
    return _ARMS.get(about, None, lambda: tuple(_gear(state, unit, model.id) for model in unit.models))


def _gears(state: SquadState, unit: Squad) -> Gears:
    """The different ways in which models are armed now, and how many models are."""
    counts: dict[Gear, int] = {}
    for gear in _arms(state, unit):
        counts[gear] = counts.get(gear, 0) + 1
    return tuple(sorted(counts.items()))


def _gear(state: SquadState, unit: Squad, model: str) -> Gear:
    arms = [state.table.weapon(name) for name in dict(unit.gear).get(model, ())]
    ready = (arm for arm in arms if not jammed(state, unit, model, arm) and rested(state, unit, model, arm))
    return tuple(arm.id for arm in ready)


# ---- fire ------------------------------------------------------------------------------------------------------------


def _kit(state: SquadState, unit: Squad, gear: Gear, foe: Squad) -> Floats:
    """Models that a model armed so takes off on average, shape (2, levels, inches)."""
    key = unit.profile, gear, foe.profile, min(len(foe.models), 3)
    return _BLOCKS.get((state.table,), key, lambda: _block(state, unit, gear, foe))


def _block(state: SquadState, unit: Squad, gear: Gear, foe: Squad) -> Floats:
    """What a model armed so takes off: by the best of its weapons at each gap."""
    found = np.zeros((2, LEVELS, _inches(state.table)))
    for name in gear:
        weapon = state.table.weapon(name)
        if not weapon.shoots:
            continue
        far = reach_of(state, unit, weapon)
        for moved in (0, 1):
            if moved and weapon.move_or_fire and state.holds("2E-SH-05"):
                continue
            for level in range(LEVELS):
                near, long = (_rate(state, unit, weapon, foe, level, not moved, mod) for mod in _mods(weapon))
                row = found[moved, level]
                for gap in range(len(row)):
                    if gap <= far:
                        row[gap] = max(row[gap], near if gap <= weapon.short else long)
    return found


def _mods(weapon: Weapon) -> tuple[int, int]:
    return weapon.hit_short, weapon.hit_long


def _rate(state: SquadState, unit: Squad, weapon: Weapon, foe: Squad, level: int, still: bool, bonus: int) -> float:
    profile = state.profile(unit)
    rapid = still and profile.has("rapid_fire") and weapon.is_bolt
    wound, save = struck(state, unit, weapon, foe)
    shots = Shots(
        weapon=weapon.id,
        shooters=(),
        need=max(7 - profile.bs + level - bonus - profile.has("targeter") - (state.profile(foe).stature >= 4.0), 2),
        target=foe.id,
        reach=(),
        count=2 if rapid else 1,
        sure=weapon.is_template,
        wound=wound,
        save=save,
    )
    struck_by_one = likely(state, foe, shots)
    if not is_area(weapon):
        return struck_by_one
    return struck_by_one * min(FLAME if weapon.is_template else BLAST, float(len(foe.models)))


def _lost_in_crowd(state: SquadState, units: list[Squad]) -> frozenset[str]:
    """The characters whom nobody can pick out."""
    found = [
        unit.id
        for unit in units
        if state.profile(unit).kind == "character"
        and any(is_lost_in_crowd(state, unit, foe) for foe in state.against(unit.side)[:1])
    ]
    return frozenset(found)


def _lane(state: SquadState, unit: Squad, foe: Squad) -> float:
    """Share of a unit's models that can fire at another past their own squad; 0 at whoever hides unseen."""
    if unit.side == foe.side or (foe.hidden and unit.id not in foe.spotters):
        return 0.0
    if len(unit.models) < 2 or not state.table.option("own_squad_hides"):
        return 1.0
    about = unit.radius, foe.radius
    return _LANES.get((unit.models, foe.models), about, lambda: _find_lane(unit, foe))


def _find_lane(unit: Squad, foe: Squad) -> float:
    at = np.array([model.pose.point for model in unit.models])
    to = np.array([model.pose.point for model in some(foe.models, LANES)])
    ways = to[None, :, :] - at[:, None, :]
    away = np.maximum(np.sqrt((ways**2).sum(axis=2)), 1e-9)
    ways /= away[:, :, None]
    others = at[None, :, :] - at[:, None, :]
    along = np.einsum("itk,ijk->itj", ways, others)
    across = np.abs(ways[:, :, None, 0] * others[:, None, :, 1] - ways[:, :, None, 1] * others[:, None, :, 0])
    part = along / away[:, :, None]
    hides = (along > 1e-6) & (part < 1.0) & (across + foe.radius * part < unit.radius)
    return float((~hides.any(axis=2)).any(axis=1).mean())


# ---- hand-to-hand ----------------------------------------------------------------------------------------------------


def _blows(state: SquadState, unit: Squad, foe: Squad) -> Floats:
    """Chances that a model of the foe and one of the own falls when two of them meet, shape (2, 2)."""
    found = np.zeros((2, 2))
    for mine, count in _singles(state, unit, "a"):
        for theirs, number in _singles(state, foe, "b"):
            part = count * number / (len(unit.models) * len(foe.models))
            for charges in (0, 1):
                odds = duel_odds(but(state, units=(mine, theirs)), "a", "b", charges=bool(charges))
                found[charges] += part * odds.second_falls, part * odds.first_falls
    return found


def _singles(state: SquadState, unit: Squad, name: str) -> list[tuple[Squad, int]]:
    """A model of each way of being armed, alone and off the table, where no ground helps; and how many there are."""
    model = Model(id=name, pose=AWAY)
    alone = but(unit, models=(model,), hurt=(), charged=(), charge=())
    return [(but(alone, gear=((name, gear),)), count) for gear, count in _gears(state, unit)]


def _meet(state: SquadState, units: list[Squad], contacts: Floats) -> None:
    """Note how many models of each unit fight each other unit."""
    pairs = touching(state)
    if not pairs:
        return
    owner = {model.id: i for i, unit in enumerate(units) for model in unit.models}
    for name, foes in pairs.items():
        for foe in {owner[other] for other in foes}:
            contacts[owner[name], foe] += 1.0
