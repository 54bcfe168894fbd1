"""The table as shapes and labels, for any picture or page."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tactician.rules.core.drawing import Area, Circle, Drawing, Label, Line, Shape
from tactician.rules.core.measure import within
from tactician.rules.core.shapes import length
from tactician.rules.core.state import SIDES
from tactician.rules.core.terrain import Feature
from tactician.rules.voidsiege.deployment import zone
from tactician.rules.voidsiege.engagement import ENGAGED, is_engaged
from tactician.rules.voidsiege.missions import HOLD, HQ_REACH, holders, objectives
from tactician.rules.voidsiege.scenario import headquarters, mission_of, token_side
from tactician.rules.voidsiege.state import Deploy, Redeploy, VoidState, VoidUnit

__all__ = ["picture"]


def picture(state: VoidState) -> Drawing:
    """The table seen from above: zones while deploying, terrain, objectives, links, halos, bases, names."""
    shapes: list[Shape] = []
    if any(isinstance(frame, Deploy | Redeploy) for frame in state.agenda):
        shapes += [_zone(state, side) for side in SIDES]
    for piece in state.board.features:
        shapes += _terrain(piece)
    shapes += _places(state)
    standing = [unit for unit in state.units if unit.models]
    for unit in standing:
        shapes += _links(state, unit)
    for unit in standing:
        shapes += _bases(state, unit)
    return Drawing(
        width=state.board.width,
        height=state.board.height,
        title=_title(state),
        shapes=tuple(shapes),
        caption=_caption(state),
    )


def _zone(state: VoidState, side: str) -> Area:
    x0, y0, x1, y1 = zone(state, side)
    return Area(role="zone", rings=(((x0, y0), (x1, y0), (x1, y1), (x0, y1)),), side=side, name=f"{side} deploys")


def _places(state: VoidState) -> Iterator[Shape]:
    """Objectives, in the colour of whoever has them as tokens, and headquarters, each with the distance that counts."""
    for number, point in enumerate(objectives(state)):
        yield Circle(role="holding distance", centre=point, radius=HOLD, side=holders(state, point))
        side = token_side(state, number)
        yield Circle(role="objective", centre=point, radius=0.5, side=side, name=f"{number + 1}")
    for side, point in zip(SIDES, headquarters(state), strict=False):
        yield Circle(role="holding distance", centre=point, radius=HQ_REACH, side=side)
        yield Circle(role="objective", centre=point, radius=0.5, side=side, name="HQ")


def _terrain(piece: Feature) -> Iterator[Shape]:
    role = "wall" if piece.blocks and piece.kind == "wall" else "impassable" if piece.blocks else "cover"
    if piece.surface is not None:
        role = "ramp" if piece.surface.foot is not None else "surface"
    yield Area(role=role, rings=(piece.outline.points,), name=piece.id)
    cover = piece.trait("cover")
    note = f"{piece.kind or piece.id}" + (f" +{cover:g}" if isinstance(cover, float) else "")
    yield Label(text=note, near=piece.outline.centre)


def _links(state: VoidState, unit: VoidUnit) -> Iterator[Shape]:
    """A line for each pair of models that links the unit."""
    limit = state.table.inches("coherency_distance")
    for a, b in combinations(unit.models, 2):
        rise = state.height_of(a.pose) - state.height_of(b.pose)
        if within(length(a.pose.x - b.pose.x, a.pose.y - b.pose.y, rise) - 2 * unit.radius, limit):
            yield Line(role="coherency", points=(a.pose.point, b.pose.point), side=unit.side)


def _bases(state: VoidState, unit: VoidUnit) -> Iterator[Shape]:
    halo = is_engaged(state, unit)
    for model in unit.models:
        if halo:
            yield Circle(role="engagement", centre=model.pose.point, radius=unit.radius + ENGAGED, side=unit.side)
        yield Circle(role="base", centre=model.pose.point, radius=unit.radius, side=unit.side, name=model.id)
    top = max(unit.models, key=lambda model: (model.pose.y, model.pose.x))
    marks = (*(("scout",) if unit.scouting else ()), *unit.restrictions)
    status = f" [{', '.join(marks)}]" if marks else ""
    yield Label(text=f"{unit.id} {unit.name}{status}", near=top.pose.point, side=unit.side, weight=2)


def _title(state: VoidState) -> str:
    table = state.table
    when = f"ended by {state.ended}" if state.ended else f"turn {state.round} of {table.turns}"
    return f"VoidSiege, {table.mission}, {table.board.name or 'table'} ({table.size}), {when}"


def _caption(state: VoidState) -> tuple[str, ...]:
    lines = [f"victory points: red {state.score[0]}, blue {state.score[1]}"]
    if not state.ended:
        lines.append(f"command points: red {state.points[0]}, blue {state.points[1]}")
    if mission_of(state).threat and not state.ended:
        lines.append(f"threat points: red {state.threat[0]}, blue {state.threat[1]}")
    waiting = [f"{unit.id} {unit.name}" for unit in state.units if unit.reserve and not unit.models]
    return (*lines, f"off the table: {', '.join(waiting)}") if waiting else tuple(lines)
