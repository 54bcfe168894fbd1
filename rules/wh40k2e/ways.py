"""Ways of single models: into contact with an enemy, or as far toward one as the movement goes."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

from tactician.rules.core.going import Going
from tactician.rules.core.legs import Path, Pose, Straight, Stretch, walk
from tactician.rules.core.measure import CLOSED_MARGIN, OPEN_MARGIN, Inches, at_least, within
from tactician.rules.core.movement import MoveType, paid
from tactician.rules.core.scene import bases_of
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.state import Model
from tactician.rules.core.terrain import Board, Feature
from tactician.rules.wh40k2e.contact import ACROSS, barricades, is_between
from tactician.rules.wh40k2e.state import Squad, SquadState

if TYPE_CHECKING:
    from tactician.rules.paths.scene import Scene, Way

__all__ = ["clipped_path", "contact_way", "end_of", "inches_gone", "part_of", "surroundings", "toward"]


def surroundings(state: SquadState, unit: Squad, model: Model, kind: MoveType, spared: str = "") -> Scene:
    """What stands in the way of a charger: everybody else, and a hair more of enemies that it does not charge.

    Args:
        state: the moment.
        unit: the charger's unit.
        model: the charger.
        kind: how it moves.
        spared: the enemy model that it charges.
    """
    from tactician.rules.paths.scene import Scene

    discs = []
    for other in state.units:
        for base in bases_of(state, other):
            if base.model in (model.id, spared):
                continue
            reach = unit.radius + base.radius
            away = length(base.x - model.pose.x, base.y - model.pose.y)
            margin = OPEN_MARGIN if other.side != unit.side else 0.0
            discs.append((base.x, base.y, min(reach + margin, max(away, 1e-6))))
    closed = tuple(outline for _, outline in kind.going.barred) if kind.going is not None else ()
    return Scene(board=state.board, surface=model.pose.surface, radius=unit.radius, discs=tuple(discs), closed=closed)


def contact_way(
    state: SquadState, unit: Squad, model: Model, foe: Model, of_foe: Squad, kind: MoveType, budget: Inches = inf
) -> Way | None:
    """The cheapest way of a model until it touches an enemy, or the far face of the obstacle that the enemy is behind.

    Clauses: 2E-CH-08 (through nobody), 2E-CH-09 (the ground counts in full), 2E-CH-17 (an enemy behind a wall).

    Args:
        state: the moment.
        unit: the model's unit.
        model: who goes.
        foe: whom it should touch.
        of_foe: that model's unit.
        kind: how it goes; its allowance plays no part.
        budget: inches that may be paid.

    Returns:
        The way and its price; None where there is none within the budget.
    """
    from tactician.rules.paths.weighted import easiest

    scene = surroundings(state, unit, model, kind, foe.id)
    going = kind.going or Going()
    disc = (foe.pose.x, foe.pose.y, unit.radius + of_foe.radius)
    found = [easiest(scene, going, model.pose.point, disc, budget)]
    if state.holds("2E-CH-17"):
        for piece in barricades(state):
            for place in _before(piece, unit, model.pose, foe.pose, of_foe.radius):
                found.append(easiest(scene, going, model.pose.point, place, budget))
    ways = [way for way in found if way is not None]
    return min(ways, key=lambda way: round(way.cost, 9), default=None)


def _before(piece: Feature, unit: Squad, start: Pose, foe: Pose, radius: Inches) -> list[Point]:
    """Places at which a base touches a piece that an enemy touches from the other side."""
    x0, y0, x1, y1 = piece.outline.box
    far = radius + CLOSED_MARGIN
    if not (x0 - far <= foe.x <= x1 + far and y0 - far <= foe.y <= y1 + far):
        return []
    found = []
    for ax, ay, bx, by in piece.outline.edges:
        side = length(bx - ax, by - ay)
        if side <= 2 * OPEN_MARGIN:
            continue
        ux, uy = (bx - ax) / side, (by - ay) / side
        for nx, ny in ((uy, -ux), (-uy, ux)):
            off = unit.radius + CLOSED_MARGIN / 4
            for t in _along(ax, ay, ux, uy, side, start, foe):
                place = (ax + ux * t + nx * off, ay + uy * t + ny * off)
                pose = Pose(*place)
                apart = length(foe.x - place[0], foe.y - place[1]) - unit.radius - radius
                if not at_least(apart, ACROSS) and is_between(piece, pose, unit.radius, foe, radius):
                    found.append(place)
    return found


def _along(ax: float, ay: float, ux: float, uy: float, side: float, start: Pose, foe: Pose) -> list[float]:
    """Places along an edge, in inches from its beginning, worth a try: opposite the enemy, and on the straight way."""
    opposite = (foe.x - ax) * ux + (foe.y - ay) * uy
    dx, dy = foe.x - start.x, foe.y - start.y
    cross = dx * uy - dy * ux
    marks = [opposite]
    if abs(cross) > 1e-12:
        marks.append((dx * (start.y - ay) - dy * (start.x - ax)) / -cross)
    return [min(max(mark, 0.0), side) for mark in marks]


def toward(
    state: SquadState, unit: Squad, model: Model, foe: Model, of_foe: Squad, kind: MoveType, inches: Inches
) -> Path:
    """As far toward an enemy as so many inches pay: along the cheapest way, or straight where no way exists at all.

    Clauses: 2E-CH-18 (the full distance), 2E-OB-04 (halting in front of an obstacle).
    """
    from tactician.rules.core.clip import clip

    way = contact_way(state, unit, model, foe, of_foe, kind)
    if way is not None:
        return clipped_path(state, unit, model, tuple(way.legs), kind, inches)
    away = length(foe.pose.x - model.pose.x, foe.pose.y - model.pose.y)
    if away <= 0.0:
        return ()
    far = min(inches, away)
    end = (
        model.pose.x + (foe.pose.x - model.pose.x) * far / away,
        model.pose.y + (foe.pose.y - model.pose.y) * far / away,
    )
    found = clip(state, unit, kind, {model.id: (Straight(end),)}, (model.id,))
    return found.get(model.id, ())


def clipped_path(state: SquadState, unit: Squad, model: Model, path: Path, kind: MoveType, inches: Inches) -> Path:
    """The part of a way that so many inches pay for, halting in front of what they do not pay for (2E-OB-04)."""
    from tactician.rules.core.clip import paid_part

    if not state.holds("2E-OB-04") and not within(paid(kind, walk(model.pose, path, state.board), unit.radius), inches):
        return ()
    return paid_part(state, unit, replace(kind, allowance=inches, spent=()), model.id, path)


def part_of(path: Path, stretches: tuple[Stretch, ...], place: float, board: Board) -> Path:
    """The legs of a way up to a place on it (number of the stretch plus fraction)."""
    from tactician.rules.core.clip import truncated

    return path if place >= len(stretches) else truncated(path, stretches, place, board)


def end_of(state: SquadState, model: Model, path: Path) -> Pose:
    """Where a way leads, facing along its last leg."""
    stretches = walk(model.pose, path, state.board)
    if not stretches:
        return model.pose
    end = stretches[-1].end
    return Pose(end[0], end[1], model.pose.surface, model.pose.bearing)


def inches_gone(stretches: tuple[Stretch, ...]) -> Inches:
    """Inches of a way as a tape measures it."""
    return sum(stretch.across for stretch in stretches)
