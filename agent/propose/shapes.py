"""Formations that a unit might take up: a line, a tight block, a row behind a piece of terrain."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, sqrt

from tactician.agent.propose.aims import Aim, middle, nearest_pair
from tactician.agent.propose.spot import Spot, by_ways
from tactician.rules.core.measure import Inches
from tactician.rules.core.movement import MoveType
from tactician.rules.core.remember import Remembered
from tactician.rules.core.shapes import Point, Polygon, contains, length
from tactician.rules.core.state import State, Unit

__all__ = ["behind", "block", "line", "shaped", "tight"]

Places = tuple[Point, ...]

BESIDE: Inches = 0.02
"""Room between neighbours, and between a base and a piece that it stands behind."""

ABREAST = 6
"""Models side by side in a line at most; the others stand in further ranks."""

LOOSE: Inches = 0.5
"""Room between neighbours in a line, or half of what coherency allows where that is less."""

SHARES = (1.0, 0.6)
"""Parts of what was wanted at which a shape is tried."""

FACING = 0.5
"""How squarely the side of a piece must face away from the enemy to be stood behind."""

_SHAPED: Remembered[list[Spot]] = Remembered(1_000)
_TIGHT: Remembered[list[Spot]] = Remembered(1_000)


# ---- places ----------------------------------------------------------------------------------------------------------


def line(at: Point, ahead: Point, count: int, radius: Inches, room: Inches) -> Places:
    """Places in ranks of at most `ABREAST`, square to a direction; the front rank's middle lies at a place.

    Args:
        at: the middle of the front rank.
        ahead: unit vector of the way it looks.
        count: how many places.
        radius: of a base.
        room: inches between neighbours.
    """
    return _ranks(at, ahead, count, min(count, ABREAST), 2 * radius + room)


def block(at: Point, ahead: Point, count: int, radius: Inches) -> Places:
    """Places as close together as bases can stand in ranks and files, about a place."""
    wide = ceil(sqrt(count))
    step = 2 * radius + BESIDE
    back = step * (ceil(count / wide) - 1) / 2
    return _ranks((at[0] + back * ahead[0], at[1] + back * ahead[1]), ahead, count, wide, step)


def _ranks(at: Point, ahead: Point, count: int, wide: int, step: Inches) -> Places:
    """Ranks from the front back, each in the middle behind the one before."""
    found = []
    for number in range(count):
        rank, file = divmod(number, wide)
        inside = min(wide, count - rank * wide)
        across, back = step * (file - (inside - 1) / 2), -step * rank
        found.append((at[0] + across * ahead[1] + back * ahead[0], at[1] - across * ahead[0] + back * ahead[1]))
    return tuple(found)


def behind(outline: Polygon, foe: Point, near: Point, count: int, radius: Inches) -> Places:
    """Places in ranks along the side of a piece that faces away from an enemy.

    Args:
        outline: of the piece.
        foe: where the enemy is.
        near: the place along that side that the row should lie near.
        count: how many places.
        radius: of a base.

    Returns:
        The places; none where no side faces away.
    """
    best: tuple[float, Point, Point, Inches] | None = None
    for (ax, ay), (ux, uy), size in _sides(outline):
        away = ((ax + ux * size / 2 - foe[0]) * uy - (ay + uy * size / 2 - foe[1]) * ux) / _far(ax, ay, foe)
        if away > FACING and (best is None or round(away * size, 6) > best[0]):
            best = round(away * size, 6), (ax, ay), (ux, uy), size
    if best is None:
        return ()
    _, (ax, ay), (ux, uy), size = best
    step = 2 * radius + BESIDE
    wide = max(min(count, int((size + 2 * radius) / step)), 1)
    half = step * (wide - 1) / 2
    along = (near[0] - ax) * ux + (near[1] - ay) * uy
    along = size / 2 if 2 * half >= size else min(max(along, half), size - half)
    out = radius + BESIDE
    at = ax + along * ux + out * uy, ay + along * uy - out * ux
    return _ranks(at, (-uy, ux), count, wide, step)


def _sides(outline: Polygon) -> Iterable[tuple[Point, Point, Inches]]:
    """Start, direction and length of each side, the inside on the left."""
    sense = sum(ax * by - bx * ay for ax, ay, bx, by in outline.edges)
    for ax, ay, bx, by in outline.edges:
        size = length(bx - ax, by - ay)
        if sense > 0.0:
            yield (ax, ay), ((bx - ax) / size, (by - ay) / size), size
        else:
            yield (bx, by), ((ax - bx) / size, (ay - by) / size), size


def _far(x: Inches, y: Inches, foe: Point) -> Inches:
    return max(length(x - foe[0], y - foe[1]), BESIDE)


# ---- spots -----------------------------------------------------------------------------------------------------------


def shaped(state: State, unit: Unit, kind: MoveType, wishes: tuple[Aim, ...]) -> list[Spot]:
    """At most three spots at which a unit stands in another shape: a line, a tight block, a row behind cover.

    Only for models that walk one after another: who moves in step keeps the links of its shape on the way.

    Args:
        state: the moment before the move.
        unit: the unit that moves.
        kind: its move type.
        wishes: where it might want to go, the more meaningful first.
    """
    if kind.motion != "sequence" or len(unit.models) < 2:
        return []
    key = tuple((aim.name, aim.way, aim.inches) for aim in wishes[:4])
    return _SHAPED.get((state.table, state.units, unit, kind), key, lambda: _shaped(state, unit, kind, wishes))


def _shaped(state: State, unit: Unit, kind: MoveType, wishes: tuple[Aim, ...]) -> list[Spot]:
    pair, (x, y) = nearest_pair(unit, state.against(unit.side)), middle(unit)
    aimed = next((aim for aim in wishes if aim.goal is not None), None)
    shelter = next((aim for aim in wishes if aim.name.startswith("into ")), None)
    foe = None if pair is None else pair[2]
    found: list[Spot] = []
    if aimed is not None:
        room = LOOSE if kind.coherency is None else min(LOOSE, kind.coherency.limit / 2)
        for share in SHARES:
            at = x + share * aimed.inches * aimed.way[0], y + share * aimed.inches * aimed.way[1]
            ahead = aimed.way if foe is None else _toward(at, foe, aimed.way)
            found += _taken(
                state, unit, kind, f"in line {aimed.name}", line(at, ahead, len(unit.models), unit.radius, room)
            )
            if found:
                break
    if shelter is not None:
        at = x + shelter.inches * shelter.way[0], y + shelter.inches * shelter.way[1]
        found += _sheltered(state, unit, kind, shelter, at, foe)
    return found


def _sheltered(state: State, unit: Unit, kind: MoveType, shelter: Aim, at: Point, foe: Point | None) -> list[Spot]:
    """Behind the piece that is nearest in the way of the wish, and tight at its end."""
    count, radius = len(unit.models), unit.radius
    piece = next((one for one in state.board.features if contains(one.outline, *at)), None)
    found: list[Spot] = []
    if piece is not None and foe is not None:
        found += _taken(
            state, unit, kind, f"behind {piece.id}", behind(piece.outline, foe, middle(unit), count, radius)
        )
    return found + _taken(state, unit, kind, f"tight block {shelter.name}", block(at, shelter.way, count, radius))


def tight(state: State, unit: Unit, kind: MoveType, aim: Aim) -> list[Spot]:
    """The tightest formation as far toward an aim as it fits; none where it fits nowhere, or moves in step."""
    if kind.motion != "sequence" or len(unit.models) < 2:
        return []
    key = aim.name, aim.way, aim.inches
    return _TIGHT.get((state.table, state.units, unit, kind), key, lambda: _tight(state, unit, kind, aim))


def _tight(state: State, unit: Unit, kind: MoveType, aim: Aim) -> list[Spot]:
    x, y = middle(unit)
    for share in SHARES:
        at = x + share * aim.inches * aim.way[0], y + share * aim.inches * aim.way[1]
        found = _taken(state, unit, kind, aim.name, block(at, aim.way, len(unit.models), unit.radius))
        if found:
            return found
    return []


def _taken(state: State, unit: Unit, kind: MoveType, name: str, places: Places) -> list[Spot]:
    """The unit at places, if it can come there."""
    from tactician.rules.paths.squads import reshaped

    box = state.board.box
    if not places or not all(box[0] <= x <= box[2] and box[1] <= y <= box[3] for x, y in places):
        return []
    paths = reshaped(state, unit, kind, places)
    return [by_ways(name, unit, paths)] if paths else []


def _toward(at: Point, goal: Point, otherwise: Point) -> Point:
    """The unit vector from a place to another; another one where they are the same."""
    dx, dy = goal[0] - at[0], goal[1] - at[1]
    away = length(dx, dy)
    return (dx / away, dy / away) if away > BESIDE else otherwise
