"""The next attack of one unit on another: what it promises, who could take part, what it costs (for the appraiser)."""

from __future__ import annotations

from math import prod

import numpy as np
from numpy.typing import NDArray
from tactician.rules.core.measure import Inches, within
from tactician.rules.core.remember import Remembered
from tactician.rules.core.views import views
from tactician.rules.wh40k2e.appraisal_might import (
    barrels,
    charge_reach,
    clash,
    farthest,
    fights,
    is_charging,
    longest,
    shot_promise,
    some,
)
from tactician.rules.wh40k2e.contact import unit_gap
from tactician.rules.wh40k2e.duels import duel_odds
from tactician.rules.wh40k2e.shooting import expected_losses
from tactician.rules.wh40k2e.sighting import eye_of, faces
from tactician.rules.wh40k2e.state import Squad, SquadState

__all__ = ["has_view", "losses_of", "promise_of", "view_of"]

LOOK = 3
"""Models of each side that a rough look compares."""

WATCHING = 0.6
"""What fire from overwatch at somebody in sight now counts, who may yet go out of sight."""

EXPECTED = 0.6
"""The same at somebody out of sight who has to come near to do anything."""

COMING = 3.0
"""So many times his own Movement away an enemy who has nothing to shoot with comes near, as a rule."""

HOPED = 0.05
"""The same at somebody out of sight who may as well stay where he is."""

CHARGE_TO_COME = 0.6
"""What a charge counts that has not been declared, against one that has."""

BARELY = 0.2
"""Least part of what is struck in hand-to-hand that counts, however much is struck back."""

LANES = 4
"""Models of the enemy that lanes of fire are looked at to."""

SLACK: Inches = 1e-4
"""Rounding of a range."""

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_PROMISES: Remembered[float] = Remembered()
_VIEWS: Remembered[float] = Remembered()
_SEEING: Remembered[int] = Remembered()
_LOSSES: Remembered[tuple[float, ...]] = Remembered(2_000)


# ---- what an attack promises -----------------------------------------------------------------------------------------


def promise_of(state: SquadState, unit: Squad, foe: Squad) -> float:
    """Points by the better of fire and hand-to-hand if everybody could take part."""
    return _PROMISES.get((state.table, unit, foe), None, lambda: _promise(state, unit, foe))


def _promise(state: SquadState, unit: Squad, foe: Squad) -> float:
    if unit.broken or not unit.models or not foe.models:
        return 0.0
    if is_charging(unit):
        return _blows(state, unit, foe, charges=True)
    if fights(state, unit, foe):
        return _blows(state, unit, foe, charges=bool(unit.charged))
    if unit.overwatch:
        return shot_promise(state, unit, foe)
    return max(shot_promise(state, unit, foe), _charge_promise(state, unit, foe))


def _charge_promise(state: SquadState, unit: Squad, foe: Squad) -> float:
    """What a charge that may come promises; whoever has nothing to shoot with lives by it."""
    part = CHARGE_TO_COME if farthest(state, unit) else 1.0
    return part * _blows(state, unit, foe, charges=True)


def _blows(state: SquadState, unit: Squad, foe: Squad, *, charges: bool) -> float:
    """Points struck in a round of hand-to-hand, less those that are struck back."""
    found = clash(state, unit, foe, charges=charges)
    return max(found.gained - found.lost, BARELY * found.gained)


# ---- who could take part ---------------------------------------------------------------------------------------------


def view_of(state: SquadState, unit: Squad, foe: Squad) -> float:
    """Share of an attack's promise that can be had from where both stand."""
    return _VIEWS.get((state.table, unit, foe), None, lambda: _view(state, unit, foe))


def _view(state: SquadState, unit: Squad, foe: Squad) -> float:
    if not unit.models or not foe.models or unit.broken:
        return 0.0
    if is_charging(unit):
        return len(unit.charge) / len(unit.models)
    if fights(state, unit, foe):
        return 1.0
    gap, far = unit_gap(unit, foe), longest(state, unit)
    seen = _in_sight(state, unit, foe) if far and within(gap, far) else 0.0
    if unit.overwatch:
        return max(WATCHING * seen, _to_come(state, unit, foe, gap))
    shots, blows = shot_promise(state, unit, foe), _charge_promise(state, unit, foe)
    near = 1.0 if within(gap, charge_reach(state, unit)) else 0.0
    return max(seen * shots, near * blows) / max(shots, blows, 1e-9)


def has_view(state: SquadState, unit: Squad, foe: Squad) -> bool:
    """Whether anything of an attack's promise can be had from where both stand: `view_of` is more than nothing."""
    if not unit.models or not foe.models or unit.broken:
        return False
    if is_charging(unit) or fights(state, unit, foe):
        return True
    gap, far = unit_gap(unit, foe), longest(state, unit)
    seen = _in_sight(state, unit, foe) if far and within(gap, far) else 0.0
    if unit.overwatch:
        return seen > 0.0 or _to_come(state, unit, foe, gap) > 0.0
    if seen > 0.0 and shot_promise(state, unit, foe) > 0.0:
        return True
    return within(gap, charge_reach(state, unit)) and _charge_promise(state, unit, foe) > 0.0


def _to_come(state: SquadState, unit: Squad, foe: Squad, gap: Inches) -> float:
    """What a watching unit may expect of an enemy so far off whom it does not see: less where he need not come."""
    far, move = farthest(state, unit), state.profile(foe).move
    if foe.broken or gap > far + move:
        return 0.0
    return EXPECTED if not farthest(state, foe) and gap <= COMING * move else HOPED


def _in_sight(state: SquadState, unit: Squad, foe: Squad) -> float:
    """Share of its fire that can be had: by a few models' sight, everybody's range, and lanes past its own models."""
    if foe.hidden and unit.id not in foe.spotters:
        return 0.0
    key = unit.profile, unit.radius, foe.profile, foe.radius, unit.overwatch
    seeing = _SEEING.get((state.table, unit.models, foe.models), key, lambda: _seeing(state, unit, foe))
    return _in_range(state, unit, foe) * seeing / len(some(unit.models, LOOK)) if seeing else 0.0


def _seeing(state: SquadState, unit: Squad, foe: Squad) -> int:
    """How many of a few models of a unit see any of a few of an enemy's, in their front quarter when they watch."""
    mine, theirs = some(unit.models, LOOK), some(foe.models, LOOK)
    rows = views(state.board, [eye_of(state, unit, one) for one in mine], [eye_of(state, foe, one) for one in theirs])
    seeing = 0
    for one, row in zip(mine, rows, strict=True):
        seeing += any(
            is_open and (not unit.overwatch or faces(state, one, other.pose))
            for other, is_open in zip(theirs, row, strict=True)
        )
    return seeing


def _in_range(state: SquadState, unit: Squad, foe: Squad) -> float:
    """Share of a unit's fire that carries to the enemy past the models of its own squad."""
    rates, carried = barrels(state, unit, foe), dict(unit.gear)
    rows = np.array([rates[carried[model.id]] for model in unit.models])
    if not rows[:, 0].any():
        return 0.0
    at = np.array([model.pose.point for model in unit.models])
    to = np.array([model.pose.point for model in some(foe.models, LANES)])
    ways = to[None, :, :] - at[:, None, :]
    away = np.maximum(np.sqrt((ways**2).sum(axis=2)), 1e-9)
    fit = away - unit.radius - foe.radius <= rows[:, 1:] + SLACK
    if len(at) > 1 and state.table.option("own_squad_hides"):
        fit &= ~_hidden(at, ways / away[:, :, None], away, unit.radius, foe.radius)
    return float((fit.any(axis=1) * rows[:, 0]).sum() / rows[:, 0].sum())


def _hidden(at: Floats, ways: Floats, away: Floats, radius: Inches, theirs: Inches) -> Flags:
    """Whether a model of the own squad hides an enemy: it covers both sides of him as seen from the shooter.

    Args:
        at: places of the squad, shape (n, 2).
        ways: unit vectors to the enemies, shape (n, m, 2).
        away: how far they are, shape (n, m).
        radius: of the squad's bases.
        theirs: of the enemies' bases.
    """
    others = at[None, :, :] - at[:, None, :]
    along = np.einsum("itk,ijk->itj", ways, others)
    across = np.abs(ways[:, :, None, 0] * others[:, None, :, 1] - ways[:, :, None, 1] * others[:, None, :, 0])
    part = along / away[:, :, None]
    hides = (along > 1e-6) & (part < 1.0) & (across + theirs * part < radius)
    found: Flags = hides.any(axis=2)
    return found


# ---- what it costs exactly -------------------------------------------------------------------------------------------


def losses_of(state: SquadState, unit: Squad, foe: Squad) -> tuple[float, ...]:
    """Chances of 0, 1, 2 ... models lost: by a round of hand-to-hand where they fight, else by fire."""
    if state.unit(unit.id) is not unit:
        state = state.with_unit(unit)
    if state.unit(foe.id) is not foe:
        state = state.with_unit(foe)
    if not unit.models or not foe.models:
        return (1.0,)
    pairs = fights(state, unit, foe)
    if not pairs:
        return expected_losses(state, unit, foe)
    return _LOSSES.get((state.table, state.units), (unit.id, foe.id), lambda: _by_blows(state, foe, pairs))


def _by_blows(state: SquadState, foe: Squad, pairs: tuple[tuple[str, str], ...]) -> tuple[float, ...]:
    """Every pair's duel as it stands, the enemy's models falling independently of each other."""
    odds = [1.0]
    for model in foe.models:
        stands = prod(1.0 - duel_odds(state, one, other).second_falls for one, other in pairs if other == model.id)
        odds = [
            (odds[k] if k < len(odds) else 0.0) * stands + (odds[k - 1] if k else 0.0) * (1.0 - stands)
            for k in range(len(odds) + 1)
        ]
    return tuple(odds)
