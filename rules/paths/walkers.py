"""One model of a unit under a move type: what stands in its way, and the cheapest way through it."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from tactician.rules.core.going import Going
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import OPEN_MARGIN, Inches, overlaps
from tactician.rules.core.movement import MoveType
from tactician.rules.core.remember import Remembered
from tactician.rules.core.scene import Base, scene_for
from tactician.rules.core.shapes import Point, Polygon, length, polygon_distance
from tactician.rules.core.state import State, Unit
from tactician.rules.core.terrain import GROUND
from tactician.rules.paths.scene import Scene, Way
from tactician.rules.paths.search import shortest

__all__ = ["broad", "cheapest", "surroundings", "unbarred", "widened"]

_OPEN: Remembered[Going] = Remembered(500)
_BROAD: Remembered[MoveType] = Remembered(500)


def surroundings(state: State, unit: Unit, kind: MoveType, start: Pose) -> Scene:
    """What stands in the way of one model of a unit under a move type, its own mates left out.

    Args:
        state: the moment before the move.
        unit: the unit that moves.
        kind: what must hold; what is barred for this unit is taken for walls, except where the base stands in it.
        start: where the model stands.
    """
    radius = unit.radius
    others = [base for base in scene_for(state, unit).others if base.surface == start.surface]
    discs = [(base.x, base.y, base.radius + radius) for base in others] if kind.models is not None else []
    for keep in kind.keep_away:
        if keep.whole_way:
            foes = [base for base in others if base.side != unit.side and base.unit not in keep.spared]
            reach = radius + keep.limit + (0.0 if keep.touching else OPEN_MARGIN)
            discs += [(base.x, base.y, _kept(base, start, reach)) for base in foes]
    pieces = [piece.outline for closed in kind.closed for piece in state.board.with_trait(closed.trait)]
    if kind.going is not None and start.surface == GROUND:
        pieces += [outline for _, outline in kind.going.barred]
    outside = [piece for piece in pieces if not overlaps(polygon_distance(piece, start.x, start.y) - radius)]
    return Scene(board=state.board, surface=start.surface, radius=radius, discs=tuple(discs), closed=tuple(outside))


def _kept(base: Base, start: Pose, reach: Inches) -> Inches:
    """The distance of two centres that is kept; as it is at the start where nobody may come nearer than he began."""
    return length(base.x - start.x, base.y - start.y) if reach == inf else base.radius + reach


def cheapest(
    kind: MoveType, scene: Scene, start: Point, goal: Point, budget: Inches, *, resting: bool = True
) -> Way | None:
    """The cheapest way of a base to a place: the shortest one where the ground costs nothing.

    Args:
        kind: the move type; what its ground bars is looked for in the scene alone.
        scene: the base and what stands in its way, from `surroundings`.
        start: where the centre is.
        goal: where it is to come to rest.
        budget: inches that may be paid; infinite for no limit.
        resting: False where a base on ground that costs nothing only passes the goal.
    """
    going = kind.going
    if going is None or scene.surface != GROUND or not (going.regions or going.fees):
        return shortest(scene, start, goal, budget, resting=resting)
    from tactician.rules.paths.weighted import easiest

    return easiest(scene, unbarred(going), start, goal, budget)


def widened(scene: Scene, more: Inches) -> Scene:
    """The scene as a base finds it that is wider by so much."""
    discs = tuple((x, y, reach + more) for x, y, reach in scene.discs)
    return replace(scene, radius=scene.radius + more, discs=discs)


def broad(kind: MoveType, more: Inches) -> MoveType:
    """The move type for a formation as if it were one base: it pays while any model is on slow ground.

    Args:
        kind: the move type.
        more: inches from the middle of the formation to its outermost centre.
    """
    going = kind.going
    if going is None or not going.regions:
        return kind
    return _BROAD.get((kind,), more, lambda: replace(kind, going=_grown(going, more)))


def _grown(going: Going, more: Inches) -> Going:
    """The ground with its slow pieces wider by so much all round, their corners pointed."""
    import shapely

    found = []
    for region in going.regions:
        wide = shapely.Polygon(region.outline.points).buffer(more, join_style="mitre", mitre_limit=2.0)
        outline = Polygon(tuple((x, y) for x, y in wide.exterior.coords[:-1]))
        found.append(replace(region, outline=outline))
    return replace(going, regions=tuple(found))


def unbarred(going: Going) -> Going:
    """The ground without what it bars: a scene has made walls of that already."""
    if not going.barred:
        return going
    return _OPEN.get((going,), "", lambda: replace(going, barred=()))
