"""What a unit can do to an enemy over the turns that are left (for the appraiser).

In this game every unit acts in each turn of its side, so that an attack costs no other one. Two ways of fighting are
compared: to stand or walk and fire, and to run in and fight hand to hand. Each is counted from the first turn in which
it can begin, later turns a little less than earlier ones, and no enemy is destroyed twice.
"""

from __future__ import annotations

from tactician.rules.core.measure import Inches
from tactician.rules.core.remember import Remembered
from tactician.rules.core.state import other_side
from tactician.rules.wh40k2e.appraisal_attacks import promise_of, view_of
from tactician.rules.wh40k2e.appraisal_might import (
    charge_reach,
    clash,
    farthest,
    fights,
    is_charging,
    shot_promise,
    spoils,
)
from tactician.rules.wh40k2e.state import Squad, SquadState, Turn

__all__ = ["campaign_of", "may_still_move", "turns_to_come"]

STEPS_OF_MOVES = ("start", "opening", "compulsory", "chargers", "normal")
"""Steps of its turn in which a unit that has not moved still can."""

COVERED = 0.8
"""Part of its run by which a unit comes nearer that still has its move."""


LATER = 0.85
"""What a turn counts, against the one before."""

PATIENCE = 0.75
"""What all of it counts that has yet to begin, for each turn until then: much may come between."""

ON_THE_WAY = 0.5
"""What fire counts for which the unit has to find a better place first, as somebody may stand in the way there."""

ARRIVES = 0.7
"""What hand-to-hand counts that has yet to be reached: fire from overwatch and the enemy's own moves come before."""

NEAR = 0.75
"""Part of its range from which a unit fires as a rule."""

SURE = 0.6
"""Part of its reach from which a charge hardly fails, whatever the enemy does before and whatever is in the way."""

ROUNDS = 2.0
"""Rounds of hand-to-hand to a turn of one's own: both sides' turns have one."""

LEAST = 0.15
"""Least part of what is struck in hand-to-hand that counts, however much is struck back."""

_CAMPAIGNS: Remembered[float] = Remembered()


def turns_to_come(state: SquadState, side: str) -> int:
    """Turns of a side that have not begun."""
    turn = state.agenda[0] if state.agenda else None
    left = max(state.table.turns - state.round, 0)
    if isinstance(turn, Turn) and turn.owner == other_side(side) and state.first == turn.owner:
        return left + 1
    return left if isinstance(turn, Turn) else left + 1


def may_still_move(state: SquadState, unit: Squad) -> bool:
    """Whether a unit has its move in the present turn yet to come."""
    turn = state.agenda[0] if state.agenda else None
    if not isinstance(turn, Turn) or turn.owner != unit.side or turn.phase not in STEPS_OF_MOVES:
        return False
    return not (unit.acted or unit.charge or unit.overwatch or unit.broken or unit.went)


def campaign_of(state: SquadState, unit: Squad, foe: Squad, gap: Inches) -> tuple[float, float]:
    """Points by the attack of the present turn, and over all later ones.

    Args:
        state: the moment.
        unit: the unit, perhaps where it is not yet.
        foe: its enemy.
        gap: inches to him, by the way that the unit would take.
    """
    if unit.broken or not unit.models or not foe.models:
        return 0.0, 0.0
    apart, turns = gap, turns_to_come(state, unit.side)
    if may_still_move(state, unit):
        gap = max(gap - COVERED * charge_reach(state, unit), min(gap, SURE * charge_reach(state, unit)))
    key = turns, round(gap, 6)
    later = _CAMPAIGNS.get((state.table, unit, foe), key, lambda: _later(state, unit, foe, gap, turns))
    return _now(state, unit, foe, apart), later


def _now(state: SquadState, unit: Squad, foe: Squad, gap: Inches) -> float:
    seen = view_of(state, unit, foe)
    found = promise_of(state, unit, foe) * seen
    if unit.acted or unit.overwatch or is_charging(unit) or unit.went:
        return found
    near = gap <= state.profile(unit).move + NEAR * farthest(state, unit)
    return max(found, ON_THE_WAY * shot_promise(state, unit, foe)) if near else found


def _later(state: SquadState, unit: Squad, foe: Squad, gap: Inches, turns: int) -> float:
    most = spoils(state, foe, float(len(foe.models)))
    plans = (_by_fire(state, unit, foe, gap, turns), _by_blows(state, unit, foe, gap, turns))
    return max(min(points, most) * float(PATIENCE**wait) for points, wait in plans)


def _by_fire(state: SquadState, unit: Squad, foe: Squad, gap: Inches, turns: int) -> tuple[float, float]:
    """Points by fire in all turns to come, and how many of them pass before it begins."""
    promise, move = shot_promise(state, unit, foe), state.profile(unit).move
    if promise <= 0.0:
        return 0.0, 0.0
    seen = 0.0 if unit.overwatch or is_charging(unit) else view_of(state, unit, foe)
    wait = max(gap - NEAR * farthest(state, unit), 0.0) / move
    stay, go = seen * promise * _sum(0.0, turns), ON_THE_WAY * promise * _sum(wait, turns)
    return (stay, 0.0) if stay >= go * PATIENCE**wait else (go, wait)


def _by_blows(state: SquadState, unit: Squad, foe: Squad, gap: Inches, turns: int) -> tuple[float, float]:
    """The same hand to hand."""
    blows = clash(state, unit, foe, charges=True)
    a_round = max(blows.gained - blows.lost, LEAST * blows.gained)
    if fights(state, unit, foe):
        return ROUNDS * a_round * _sum(0.0, turns), 0.0
    reach = charge_reach(state, unit)
    wait = max(gap - SURE * reach, 0.0) / reach
    return ARRIVES * ROUNDS * a_round * _sum(wait, turns), wait


def _sum(wait: float, turns: int) -> float:
    """Turns that are left after waiting, each counting a little less than the one before; parts of a turn in part."""
    found = 0.0
    for number in range(turns):
        part = min(max(number + 1.0 - wait, 0.0), 1.0)
        found += part * LATER**number
    return found
