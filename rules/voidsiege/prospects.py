"""What a mission promises, for whoever has to choose: places to be at, and what the end of a turn would score."""

from __future__ import annotations

from dataclasses import replace

from tactician.rules.core.appraisal import Goal
from tactician.rules.core.measure import Inches
from tactician.rules.core.state import SIDES, other_side
from tactician.rules.voidsiege.missions import HOLD, HQ_REACH, end_turn
from tactician.rules.voidsiege.raiding import is_raider
from tactician.rules.voidsiege.scenario import headquarters, objectives, token_side
from tactician.rules.voidsiege.state import VoidState

__all__ = ["goals_of", "outlook_of", "share_of_army", "standing_of"]

SHARE_OF_ARMY = {"raid-and-repeat": 0.5, "citadel-clash": 0.2}
"""What a victory point counts, as a part of the dearer army's cost, where the mission makes it rarer or cheaper."""

USUAL_SHARE = 0.3
"""The same in other missions in which objectives decide the game."""

RAID_TO_COME = 0.2
"""Victory points that a unit within reach of the enemy's token counts for before it raids."""

RAID_WEIGHT = 2.0
"""Victory points that being near the enemy's token is sought for: nothing else scores there, and raids repeat."""

HQ_WEIGHT = 2.0
"""Victory points that being near the enemy's headquarters is sought for."""

NOT_LAST = 0.5
"""What the points of a mission scored at its end count before the last turn."""


def share_of_army(mission: str) -> float:
    """What a victory point counts, as a part of the dearer army's cost."""
    return SHARE_OF_ARMY.get(mission, USUAL_SHARE)


def goals_of(state: VoidState, side: str) -> tuple[Goal, ...]:
    """Every objective that can score for a side, and the enemy's headquarters.

    For the attacker of a wall the objective that is nearest, as any of them will do.
    """
    found = tuple(
        Goal(x=x, y=y, radius=HOLD, weight=weight, name=f"objective {number + 1}")
        for number, (x, y) in enumerate(objectives(state))
        if (weight := _weight(state, side, number))
    )
    for owner, (x, y) in zip(SIDES, headquarters(state), strict=False):
        if owner != side:
            found += (Goal(x=x, y=y, radius=HQ_REACH, weight=HQ_WEIGHT, name="enemy headquarters"),)
    if state.table.mission != "the-wall" or side == state.defender or not found:
        return found
    return (min(found, key=lambda goal: (_away(state, side, goal), goal.name)),)


def standing_of(state: VoidState, side: str) -> float:
    """The lead in victory points where objectives score."""
    return float(state.score_of(side) - state.score_of(other_side(side))) if objectives(state) else 0.0


def outlook_of(state: VoidState, side: str, turns_left: int) -> float:
    """What the end of this turn would score as the units stand (from the turn on in which anything scores).

    Where only the end of the game scores, that; where raids do, what units in place for one are worth.
    """
    if not objectives(state) or state.ended:
        return 0.0
    if state.table.mission == "raid-and-repeat":
        mine, theirs = (any(is_raider(state, unit) for unit in state.of(one)) for one in (side, other_side(side)))
        return RAID_TO_COME * (mine - theirs)
    if state.table.mission == "citadel-clash":
        last = end_turn(replace(state, round=max(state.round, state.table.turns)))
        gained = standing_of(last, side) - standing_of(state, side)
        left = min(turns_left, 3)  # undoes that what scores every turn counts more early on
        return gained * 4 / (1 + left) * (1.0 if left <= 1 else NOT_LAST)
    after = end_turn(replace(state, round=max(state.round, 2)))
    return standing_of(after, side) - standing_of(state, side)


def _weight(state: VoidState, side: str, number: int) -> float:
    """Victory points that being at an objective can be worth to a side."""
    owner = token_side(state, number)
    if state.table.mission == "raid-and-repeat":
        return 0.0 if owner == side else RAID_WEIGHT
    return 2.0 if owner == other_side(side) else 1.0


def _away(state: VoidState, side: str, goal: Goal) -> Inches:
    """Least distance of a side's models from a goal."""
    gaps = [abs(m.pose.x - goal.x) + abs(m.pose.y - goal.y) for unit in state.of(side) for m in unit.models]
    return round(min(gaps, default=0.0), 3)
