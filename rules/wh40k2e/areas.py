"""Areas that weapons strike: blasts and flames, and who stands under them (clauses BL-01, BL-03, HI-09).

Readings of our own: a flame is a triangle with its tip at the edge of the firer's base, as long as `FLAME`, two inches
broad at its end, laid over the centre of the model aimed at; a blast is aimed at the model in reach around which it
strikes most enemies and fewest friends; models stand under an area by their bases, whatever is between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf

from tactician.rules.core.derive import but
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import Inches, overlaps, within
from tactician.rules.core.shapes import Point, Polygon, contains, length, outline_distance
from tactician.rules.core.state import Model
from tactician.rules.wh40k2e.contact import model_gap
from tactician.rules.wh40k2e.profiles import Weapon
from tactician.rules.wh40k2e.sighting import FLAME
from tactician.rules.wh40k2e.state import Shots, Squad, SquadState
from tactician.rules.wh40k2e.wounding import struck

__all__ = ["Under", "aimed_at", "blast_at", "flame_from", "strikes", "under"]

HALF_WIDTH: Inches = 1.0
"""Of a flame template at its far end."""

PARTLY = 4
"""Least face that hits a model that is partly under an area."""


@dataclass(frozen=True, slots=True)
class Under:
    """A model under an area."""

    unit: str
    model: str
    wholly: bool


def blast_at(state: SquadState, centre: Point, radius: Inches) -> tuple[Under, ...]:
    """The models under a blast; where clause BL-01 is out of force, only one that stands right in its centre."""

    def depth(x: Inches, y: Inches) -> Inches:
        return radius - length(x - centre[0], y - centre[1])

    found = _under(state, depth)
    if state.holds("2E-BL-01"):
        return found
    poses = {model.id: (model.pose, unit.radius) for unit in state.units for model in unit.models}
    return tuple(one for one in found if _holds_point(*poses[one.model], centre))


def _holds_point(pose: Pose, radius: Inches, point: Point) -> bool:
    return within(length(pose.x - point[0], pose.y - point[1]), radius)


def flame_from(state: SquadState, unit: Squad, model: Model, towards: Point) -> tuple[Under, ...]:
    """The models under a flame that a model fires towards a place; its bearer is never among them."""
    x, y = model.pose.point
    away = length(towards[0] - x, towards[1] - y)
    if away == 0.0:
        return ()
    ux, uy = (towards[0] - x) / away, (towards[1] - y) / away
    tip = (x + ux * unit.radius, y + uy * unit.radius)
    far = (tip[0] + ux * FLAME, tip[1] + uy * FLAME)
    left = (far[0] - uy * HALF_WIDTH, far[1] + ux * HALF_WIDTH)
    right = (far[0] + uy * HALF_WIDTH, far[1] - ux * HALF_WIDTH)
    shape = Polygon((tip, left, right))

    def depth(px: Inches, py: Inches) -> Inches:
        border = outline_distance(shape, px, py)
        return border if contains(shape, px, py) else -border

    return tuple(one for one in _under(state, depth) if one.model != model.id)


def _under(state: SquadState, depth: Callable[[Inches, Inches], Inches]) -> tuple[Under, ...]:
    """The models whose bases are under an area, given how deep in it a place lies (negative outside)."""
    found = []
    for unit in state.units:
        for model in unit.models:
            deep = depth(*model.pose.point)
            if within(unit.radius, deep):
                found.append(Under(unit.id, model.id, True))
            elif overlaps(-deep - unit.radius):
                found.append(Under(unit.id, model.id, False))
    return tuple(found)


def under(state: SquadState, unit: Squad, model: Model, weapon: Weapon, foe: Squad, name: str) -> tuple[Under, ...]:
    """The models that an area weapon strikes when it is aimed well at a model of a unit."""
    centre = foe.model(name).pose.point
    return flame_from(state, unit, model, centre) if weapon.is_template else blast_at(state, centre, weapon.blast)


def aimed_at(state: SquadState, unit: Squad, model: Model, weapon: Weapon, foe: Squad, reach: Iterable[str]) -> str:
    """The model in reach at which an area weapon is aimed: most enemies and fewest friends, then the first."""
    best, found = -inf, ""
    sides = {one.id: one.side for one in state.units}
    for name in reach:
        rows = under(state, unit, model, weapon, foe, name)
        score = sum((1.0 if row.wholly else 0.5) * (-2.0 if sides[row.unit] == unit.side else 1.0) for row in rows)
        if score > best:
            best, found = score, name
    return found


def strikes(
    state: SquadState, unit: Squad, shooter: Model | None, weapon: Weapon, rows: tuple[Under, ...]
) -> tuple[tuple[str, tuple[Shots, ...]], ...]:
    """Hits on the models under an area, by unit: sure where wholly under it, on a four where partly (2E-BL-01).

    Hidden units are struck on a four at best (2E-HI-09). Models with several wounds are struck one by one.

    Args:
        state: the moment.
        unit: whose weapon it is.
        shooter: who fired, if he still stands; the nearest to him fall first.
        weapon: what strikes.
        rows: the models under the area.
    """
    found = []
    for foe in state.units:
        mine = [row for row in rows if row.unit == foe.id]
        if not mine:
            continue
        hard = foe.hidden and state.holds("2E-HI-09")
        parts = [(True, [row.model for row in mine if row.wholly and not hard])]
        parts.append((False, [row.model for row in mine if hard or not row.wholly]))
        groups = [_hits(state, unit, shooter, weapon, foe, names, sure) for sure, names in parts]
        found.append((foe.id, tuple(one for group in groups for one in group)))
    return tuple(found)


def _hits(
    state: SquadState, unit: Squad, shooter: Model | None, weapon: Weapon, foe: Squad, names: list[str], sure: bool
) -> list[Shots]:
    """One hit for each of some models."""
    wound, save = struck(state, unit, weapon, foe)
    order = sorted(names, key=lambda name: (_gap(unit, shooter, foe, name), name))
    who = (shooter.id,) if shooter is not None else ()
    shots = Shots(
        weapon=weapon.id,
        shooters=who,
        need=PARTLY,
        target=foe.id,
        reach=tuple(order),
        count=len(order),
        sure=sure,
        save=save,
        wound=wound,
    )
    if not order:
        return []
    if state.profile(foe).wounds == 1:
        return [shots]
    return [but(shots, reach=(name,), count=1) for name in order]


def _gap(unit: Squad, shooter: Model | None, foe: Squad, name: str) -> Inches:
    if shooter is None:
        return 0.0
    return model_gap(shooter.pose, unit.radius, foe.model(name).pose, foe.radius)
