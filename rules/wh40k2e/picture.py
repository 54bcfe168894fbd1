"""The table as shapes and labels, for any picture or page."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import cos, radians, sin

from tactician.rules.core.drawing import Area, Circle, Drawing, Label, Line, Shape
from tactician.rules.core.measure import Degrees, Inches, within
from tactician.rules.core.shapes import length
from tactician.rules.core.state import SIDES
from tactician.rules.core.terrain import Feature
from tactician.rules.wh40k2e.contact import model_gap, touching
from tactician.rules.wh40k2e.deployment import zone
from tactician.rules.wh40k2e.state import Deploy, Squad, SquadState, Turn
from tactician.rules.wh40k2e.victory import points

__all__ = ["picture"]

QUARTER: Degrees = 45.0
"""To either side of where a model faces lies its front quarter."""

MARK: Inches = 1.0
"""Length of the lines that show where a watcher looks."""

FLAGS = ("overwatch", "hidden", "broken", "shaken", "dazed", "cowed")
"""Status that is written beside a unit's name."""


def picture(state: SquadState) -> Drawing:
    """The table seen from above: zones while deploying, terrain, links, who watches and who fights, bases, names."""
    shapes: list[Shape] = []
    if any(isinstance(frame, Deploy) for frame in state.agenda):
        shapes += [_zone(state, side) for side in SIDES]
    for piece in state.board.features:
        shapes += _terrain(piece)
    standing = [unit for unit in state.units if unit.models]
    for unit in standing:
        shapes += _links(state, unit)
        if unit.overwatch:
            shapes += _watch(unit)
    shapes += _fights(state)
    for unit in standing:
        shapes += _bases(state, unit)
    return Drawing(
        width=state.board.width,
        height=state.board.height,
        title=_title(state),
        shapes=tuple(shapes),
        caption=_caption(state),
    )


def _zone(state: SquadState, side: str) -> Area:
    x0, y0, x1, y1 = zone(state, side)
    return Area(role="zone", rings=(((x0, y0), (x1, y0), (x1, y1), (x0, y1)),), side=side, name=f"{side} deploys")


# ---- terrain ---------------------------------------------------------------------------------------------------------


def _terrain(piece: Feature) -> Iterator[Shape]:
    yield Area(role=_role(piece), rings=(piece.outline.points,), name=piece.id)
    note = ", ".join((piece.kind or piece.id, *_notes(piece)))
    yield Label(text=note, near=piece.outline.centre)


def _role(piece: Feature) -> str:
    if piece.blocks:
        return "impassable"
    if piece.trait("gate") is not None:
        return "gate"
    if piece.trait("obstacle"):
        return "obstacle" if piece.trait("cover") == "hard" else "cover"
    if piece.trait("rise"):
        return "hill"
    if piece.trait("ditch"):
        return "ditch"
    if piece.trait("rate"):
        return "slow ground"
    return "cover"


def _notes(piece: Feature) -> Iterator[str]:
    """What a player wants to know of a piece."""
    gate, cover = piece.trait("gate"), piece.trait("cover")
    rate = piece.trait("agreed") or piece.trait("rate")
    rise = piece.trait("rise")
    if gate is not None:
        yield str(gate)
    if isinstance(rate, float) and rate > 1.0:
        yield f"{rate:g} inches an inch"
    if isinstance(rise, float):
        yield f"rises {rise:g}"
    elif piece.trait("obstacle"):
        yield f"{piece.top:g} high"
    if cover is not None:
        yield f"{cover} cover"


# ---- units -----------------------------------------------------------------------------------------------------------


def _links(state: SquadState, unit: Squad) -> Iterator[Shape]:
    """A line for each pair of models that links the unit."""
    limit = state.table.inches("coherency")
    for a, b in combinations(unit.models, 2):
        if within(model_gap(a.pose, unit.radius, b.pose, unit.radius), limit):
            yield Line(role="coherency", points=(a.pose.point, b.pose.point), side=unit.side)


def _watch(unit: Squad) -> Iterator[Shape]:
    """The edges of each watcher's front quarter, as two short lines."""
    for model in unit.models:
        x, y = model.pose.point
        for turn in (-QUARTER, QUARTER):
            way = radians(model.pose.bearing + turn)
            near, far = unit.radius, unit.radius + MARK
            ends = tuple((x + sin(way) * away, y + cos(way) * away) for away in (near, far))
            yield Line(role="overwatch", points=ends, side=unit.side)


def _fights(state: SquadState) -> Iterator[Shape]:
    """A line between every two models that fight each other."""
    poses = {model.id: model.pose for unit in state.units for model in unit.models}
    for name, foes in touching(state).items():
        for foe in foes:
            a, b = poses[name], poses[foe]
            if name < foe and length(a.x - b.x, a.y - b.y) > 0.0:
                yield Line(role="hand-to-hand", points=(a.point, b.point))


def _bases(state: SquadState, unit: Squad) -> Iterator[Shape]:
    for model in unit.models:
        yield Circle(
            role="base",
            centre=model.pose.point,
            radius=unit.radius,
            side=unit.side,
            name=model.id,
            bearing=model.pose.bearing,
        )
    top = max(unit.models, key=lambda model: (model.pose.y, model.pose.x))
    marks = _marks(unit)
    status = f" [{', '.join(marks)}]" if marks else ""
    yield Label(text=f"{unit.id} {unit.name}{status}", near=top.pose.point, side=unit.side, weight=2)


def _marks(unit: Squad) -> tuple[str, ...]:
    """The status of a unit in words."""
    found = [name for name in FLAGS if getattr(unit, name)]
    if unit.hidden and unit.spotters:
        found[found.index("hidden")] = "detected"
    if unit.went == "ran":
        found.append("ran")
    if unit.charge:
        found.append("charges")
    if unit.jams:
        found.append("jammed")
    return tuple(found)


def _title(state: SquadState) -> str:
    table = state.table
    turn = next((frame for frame in state.agenda if isinstance(frame, Turn)), None)
    when = f"turn {state.round} of {table.turns}"
    if state.ended:
        when = f"ended: {state.ended}"
    elif turn is not None and turn.owner:
        when = f"{when}, {turn.owner}: {turn.phase}"
    return f"Warhammer 40,000 2nd edition, {table.board.name or 'table'} ({table.size}), {when}"


def _caption(state: SquadState) -> tuple[str, ...]:
    lines = [f"victory points: red {points(state, 'red')}, blue {points(state, 'blue')}"]
    if state.winner:
        lines.append(f"{state.winner} has won")
    waiting = [f"{unit.id} {unit.name}" for unit in state.units if unit.reserve and not unit.models]
    return (*lines, f"off the table: {', '.join(waiting)}") if waiting else tuple(lines)
