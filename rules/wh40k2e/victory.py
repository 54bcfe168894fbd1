"""Victory points and how a battle ends (chapter VP, clause 2E-GF-02): the expanded tables.

Rulings: a creature counts as a squad whose casualties are its wounds; with equal points a side that alone has models
left wins; models that were never put down are no casualties.
"""

from __future__ import annotations

from tactician.rules.core.derive import but
from tactician.rules.core.remember import Remembered
from tactician.rules.core.state import SIDES, other_side
from tactician.rules.wh40k2e.state import Squad, SquadState

__all__ = ["ENDS", "cost_of", "finish", "next_points", "points", "points_for", "points_of"]

ENDS = ("last turn", "destroyed")
"""How a battle can end."""

SQUADS = ((100.0, (0, 1)), (200.0, (1, 1)), (300.0, (1, 2)), (400.0, (2, 2)), (float("inf"), (2, 3)))
"""Cost up to which a squad gives so many points when halved, and when destroyed or broken (2E-VP-01)."""

CHARACTERS = ((50.0, (0, 0)), (100.0, (0, 1)), (200.0, (0, 2)), (300.0, (0, 3)), (float("inf"), (0, 4)))
"""Cost up to which a character gives so many points when wounded, and when killed (2E-VP-02)."""


_COSTS: Remembered[float] = Remembered(2_000)


def cost_of(state: SquadState, unit: Squad) -> float:
    """What a unit cost at its full strength: its models, and the weapons that they carry beyond the usual ones."""
    key = unit.profile, unit.mustered
    return _COSTS.get((state.table, unit.gear), key, lambda: _cost_of(state, unit))


def _cost_of(state: SquadState, unit: Squad) -> float:
    profile = state.profile(unit)
    extra = sum(
        state.table.weapon(name).points for _, weapons in unit.gear for name in weapons if name not in profile.weapons
    )
    return unit.mustered * profile.cost + extra


def points_of(state: SquadState, unit: Squad) -> tuple[int, int]:
    """Victory points that a unit gives when halved (a character: wounded), and when destroyed or broken."""
    is_character = state.profile(unit).kind == "character"
    if not state.holds("2E-VP-02" if is_character else "2E-VP-01"):
        return 0, 0
    cost = cost_of(state, unit)
    return next(row for limit, row in (CHARACTERS if is_character else SQUADS) if cost <= limit)


def points_for(state: SquadState, unit: Squad) -> int:
    """Victory points that a unit gives its enemy as things stand."""
    is_character = state.profile(unit).kind == "character"
    half, whole = points_of(state, unit)
    is_gone = not unit.models and not unit.reserve
    if is_gone or (unit.broken and not is_character):
        return whole
    return half if _is_hurt(state, unit, is_character) else 0


def next_points(state: SquadState, unit: Squad) -> tuple[int, int, int]:
    """Victory points that a unit's next losses give, how many models must yet fall for them, and how many in all.

    Breaking, and the wounds of creatures and characters, are left out of account: models are counted alone.
    """
    standing = len(unit.models) + len(unit.reserve)
    half, whole = points_of(state, unit)
    have = points_for(state, unit)
    at_half = unit.mustered // 2
    if half > have and standing > at_half:
        return half - have, standing - at_half, unit.mustered - at_half
    if whole > have:
        return whole - have, standing, unit.mustered - (at_half if half else 0)
    return 0, standing, unit.mustered


def _is_hurt(state: SquadState, unit: Squad, is_character: bool) -> bool:
    """Whether a squad has half its models, or a creature half its wounds; whether a character is wounded at all."""
    each = state.profile(unit).wounds if state.profile(unit).kind == "creature" else 1
    wounds = sum(lost for _, lost in unit.hurt)
    if is_character:
        return wounds > 0
    standing = len(unit.models) + len(unit.reserve)
    left = standing * each - (wounds if each > 1 else 0)
    return 2 * left <= unit.mustered * each


def points(state: SquadState, side: str) -> int:
    """Victory points that a side has earned from the enemy's units as things stand."""
    return sum(points_for(state, unit) for unit in state.units if unit.side != side)


def finish(state: SquadState, how: str) -> SquadState:
    """The end of a battle: more victory points win (2E-GF-02, 2E-VP-03).

    Args:
        state: its last moment.
        how: one of `ENDS`.
    """
    red, blue = points(state, "red"), points(state, "blue")
    winner = ""
    if state.holds("2E-VP-03"):
        winner = "red" if red > blue else "blue" if blue > red else _last_standing(state)
    told = f"{how}: victory points red {red}, blue {blue}; {f'{winner} wins' if winner else 'a draw'}"
    return but(state, agenda=(), ended=how, winner=winner, log=(*state.log, told))


def _last_standing(state: SquadState) -> str:
    """The side that alone has models; empty if both have or none."""
    left = [side for side in SIDES if state.of(side)]
    return left[0] if len(left) == 1 and not state.of(other_side(left[0])) else ""
