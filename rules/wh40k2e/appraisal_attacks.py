"""The next attack of one unit on another: what it promises, who could take part, what it costs (for the appraiser)."""

from __future__ import annotations

from math import prod

import numpy as np
from tactician.rules.core.measure import Inches, within
from tactician.rules.core.remember import Remembered
from tactician.rules.core.views import views
from tactician.rules.wh40k2e.appraisal_might import (
    charge_reach,
    clash,
    farthest,
    fights,
    is_charging,
    shot_promise,
    some,
)
from tactician.rules.wh40k2e.contact import model_gap, unit_gap
from tactician.rules.wh40k2e.duels import duel_odds
from tactician.rules.wh40k2e.shooting import expected_losses
from tactician.rules.wh40k2e.sighting import eye_of, faces
from tactician.rules.wh40k2e.state import Squad, SquadState

__all__ = ["losses_of", "promise_of", "view_of"]

LOOK = 3
"""Models of each side that a rough look compares."""

WATCHING = 0.85
"""What fire from overwatch at somebody in sight now counts, who may yet go out of sight."""

EXPECTED = 0.6
"""The same at somebody out of sight who has to come near to do anything."""

HOPED = 0.12
"""The same at somebody out of sight who may as well stay where he is."""

CHARGE_TO_COME = 0.6
"""What a charge counts that has not been declared, against one that has."""

BARELY = 0.2
"""Least part of what is struck in hand-to-hand that counts, however much is struck back."""

LANES = 4
"""Models of the enemy that lanes of fire are looked at to."""

_LANES: Remembered[float] = Remembered()
_PROMISES: Remembered[float] = Remembered()
_VIEWS: Remembered[float] = Remembered()
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
    gap, far = unit_gap(unit, foe), farthest(state, unit)
    seen = _in_sight(state, unit, foe, far) if far and within(gap, far) else 0.0
    if unit.overwatch:
        return max(WATCHING * seen, _to_come(state, unit, foe, gap - far))
    shots, blows = shot_promise(state, unit, foe), _charge_promise(state, unit, foe)
    near = 1.0 if within(gap, charge_reach(state, unit)) else 0.0
    return max(seen * shots, near * blows) / max(shots, blows, 1e-9)


def _to_come(state: SquadState, unit: Squad, foe: Squad, short: Inches) -> float:
    """What a watching unit may expect of an enemy that is out of its sight, or so many inches out of its range."""
    fighter = not farthest(state, foe)
    stride = state.profile(foe).move * (2.0 if fighter else 1.0)
    if foe.broken or short > stride:
        return 0.0
    return EXPECTED if fighter else HOPED


def _in_sight(state: SquadState, unit: Squad, foe: Squad, reach: Inches) -> float:
    """Share of a few models that see one of a few of the enemy's in range; on overwatch also in front of them."""
    if foe.hidden and unit.id not in foe.spotters:
        return 0.0
    mine, theirs = some(unit.models, LOOK), some(foe.models, LOOK)
    eyes = [eye_of(state, unit, one) for one in mine]
    rows = views(state.board, eyes, [eye_of(state, foe, one) for one in theirs])
    seeing = 0
    for one, row in zip(mine, rows, strict=True):
        seeing += any(
            is_open
            and within(model_gap(one.pose, unit.radius, other.pose, foe.radius), reach)
            and (not unit.overwatch or faces(state, one, other.pose))
            for other, is_open in zip(theirs, row, strict=True)
        )
    return _with_clear_lanes(state, unit, foe) * seeing / len(mine) if seeing else 0.0


def _with_clear_lanes(state: SquadState, unit: Squad, foe: Squad) -> float:
    """Share of the models that shoot past all others of their own squad at one of a few of the enemy's."""
    if len(unit.models) < 2 or not state.table.option("own_squad_hides"):
        return 1.0
    return _LANES.get((unit.models, foe.models), (unit.radius, foe.radius), lambda: _clear_lanes(unit, foe))


def _clear_lanes(unit: Squad, foe: Squad) -> float:
    at = np.array([model.pose.point for model in unit.models])
    to = np.array([model.pose.point for model in some(foe.models, LANES)])
    ways = to[None, :, :] - at[:, None, :]
    away = np.maximum(np.sqrt((ways**2).sum(axis=2)), 1e-9)
    ways /= away[:, :, None]
    others = at[None, :, :] - at[:, None, :]
    along = np.einsum("itk,ijk->itj", ways, others)
    across = np.abs(ways[:, :, None, 0] * others[:, None, :, 1] - ways[:, :, None, 1] * others[:, None, :, 0])
    # a base hides another one of its size that is not much nearer to the line than its own rim
    hidden = (along > 1e-6) & (along < away[:, :, None]) & (across + foe.radius * along / away[:, :, None] < unit.radius)
    return float((~hidden.any(axis=2)).any(axis=1).mean())


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
