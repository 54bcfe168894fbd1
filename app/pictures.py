"""What a picture may show beyond the table itself: ways with their inches, where a unit can come to, orders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce
from math import inf
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from tactician.commands.told import inches, measure_now
from tactician.commands.ways import Mover, move_types, mover_for, mover_of
from tactician.rules.core.action import Action
from tactician.rules.core.arcs import Arc
from tactician.rules.core.drawing import Area, Circle, Drawing, Line, Shape
from tactician.rules.core.files import BadInput, Fault
from tactician.rules.core.going import Going, price
from tactician.rules.core.legs import Path, Rates, Stretch, walk
from tactician.rules.core.movement import MoveType
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.shapes import Point
from tactician.rules.core.state import State
from tactician.rules.core.targets import aimed_unit, name_of
from tactician.rules.core.terrain import GROUND

if TYPE_CHECKING:
    from shapely import Geometry, Polygon

__all__ = ["save", "way_shapes", "with_action", "with_reach", "with_shapes"]

ARC_STEPS = 16
"""Straight pieces in which an arc is drawn."""

END = "where_a_move_ends"
"""Role of a base at a place that it does not stand at yet; the legend spells it with spaces."""


def save(drawing: Drawing, place: FilePath) -> None:
    """Write a picture as a whole, SVG or PNG by the suffix.

    Raises:
        BadInput: it cannot be written there.
    """
    from tactician import draw

    beside = place.with_name(f".{place.stem}.part{place.suffix}")
    try:
        draw.save(drawing, beside)
        beside.replace(place)
    except OSError as error:
        beside.unlink(missing_ok=True)
        reason = error.strerror or str(error)
        raise BadInput([Fault(file=str(place), found=f"cannot be written ({reason})")]) from None


def with_shapes(drawing: Drawing, shapes: Iterable[Shape], *captions: str) -> Drawing:
    """The drawing with more shapes on top and more lines under it."""
    return replace(drawing, shapes=(*drawing.shapes, *shapes), caption=(*drawing.caption, *captions))


def way_shapes(
    state: State, model: str, path: Path, rates: Rates, note: str | None = None, going: Going | None = None
) -> tuple[Shape, ...]:
    """A model's way: where it starts, the line it walks with its inches, its climbs, and its base at the end.

    Args:
        state: the moment.
        model: who walks.
        path: its way.
        rates: what heights cost.
        note: what is written on the line; None for the inches.
        going: what the ground costs.
    """
    unit = state.owner(model)
    start = unit.model(model).pose
    stretches = walk(start, path, state.board)
    if not stretches:
        return ()
    points: list[Point] = [start.point]
    for stretch in stretches:
        points += _points(stretch)
    shapes: list[Shape] = [Circle(role="ghost", centre=start.point, radius=unit.radius, side=unit.side)]
    note = inches(price(going, stretches, rates, unit.radius)) if note is None else note
    shapes.append(Line(role="path", points=tuple(points), side=unit.side, name=model, note=note))
    for stretch in stretches:
        if stretch.is_vertical:
            x, y = stretch.start
            mark = ((x - unit.radius, y), (x + unit.radius, y))
            rise = f"{stretch.kind} {inches(abs(stretch.high - stretch.low))}"
            shapes.append(Line(role="climb", points=mark, side=unit.side, name=model, note=rise))
    end = stretches[-1].end
    shapes.append(Circle(role=END, centre=end, radius=unit.radius, side=unit.side))
    return tuple(shapes)


def _points(stretch: Stretch) -> list[Point]:
    if stretch.is_vertical:
        return []
    if isinstance(stretch.arc, Arc):
        return [stretch.at(step / ARC_STEPS) for step in range(1, ARC_STEPS + 1)]
    return [stretch.end]


def with_action(drawing: Drawing, ruleset: Ruleset, state: State, action: Action, told: str = "") -> Drawing:
    """The drawing with an order: the ways of its models, the places it puts them, lines to what it aims at."""
    shapes: list[Shape] = []
    kinds = dict(move_types(ruleset, state, action.unit))
    kind = kinds.get(action.verb)
    rates, going = (Rates(up=1.0, down=1.0), None) if kind is None else (kind.rates, kind.going)
    for model, path in action.paths:
        shapes += way_shapes(state, model, path, rates, going=going)
    if action.unit and state.has_unit(action.unit):
        unit = state.unit(action.unit)
        shapes += [Circle(role=END, centre=pose.point, radius=unit.radius, side=unit.side) for _, pose in action.places]
        shapes += _aims(state, action)
    return with_shapes(drawing, shapes, *([told] if told else []))


def _aims(state: State, action: Action) -> list[Shape]:
    unit = state.unit(action.unit)
    found: list[Shape] = []
    drawn: set[str] = set()
    for role, target in action.targets:
        aimed = aimed_unit(state, target)
        if aimed is None or not aimed.models or not unit.models:
            continue
        named = [model for model in aimed.models if model.id == name_of(target)]
        mine = [model for model in unit.models if model.id == role]
        start, end = (mine or unit.models)[0], (named or aimed.models)[0]
        # of an assignment every model has its line, and each target is written once
        note = role if not mine else action.verb if aimed.id not in drawn else ""
        drawn.add(aimed.id)
        found.append(Line(role="sight", points=(start.pose.point, end.pose.point), side=unit.side, note=note))
    return found


def with_reach(drawing: Drawing, ruleset: Ruleset, state: State, name: str) -> Drawing:
    """The drawing with where any model of a unit may end its farthest move, on the surface that it stands on.

    Each model is looked at alone: its mates are taken to have made room, coherency is not asked for. While nobody may
    measure it is drawn by eye, a little too far or too near. How exact it is over ground that costs is said in
    `tactician.rules.paths.paid_area`.
    """
    unit = state.unit(name)
    kinds = move_types(ruleset, state, name)
    if not kinds or not unit.models:
        return with_shapes(drawing, (), f"{name} is offered no move now")
    verb, kind = max(kinds, key=lambda one: one[1].allowance)
    measure = measure_now(ruleset, state)
    alone = replace(kind, mates_block=False, allowance=measure.gap(kind.allowance, name, name))
    movers = [mover_for(mover_of(ruleset, state, model.id), alone) for model in unit.models]
    shapes = [Area(role="reach", rings=rings, side=unit.side, name=name) for rings in _reach(movers, alone)]
    behind = [shape for shape in drawing.shapes if isinstance(shape, Area)]
    front = [shape for shape in drawing.shapes if not isinstance(shape, Area)]
    told = f"reach of {name} by {verb}, {kind.allowance:g} inches: where the centre of a base may end"
    told += "" if measure.exact else ", by eye"
    return replace(drawing, shapes=(*behind, *shapes, *front), caption=(*drawing.caption, told))


def _reach(movers: Sequence[Mover], kind: MoveType) -> tuple[tuple[tuple[Point, ...], ...], ...]:
    """The union of reachable areas, without the places too near to enemies: for each piece its outline and holes."""
    import shapely

    on_table = [mover for mover in movers if mover.going is not None and mover.start.surface == GROUND]
    areas = [_plain_area(mover, kind) for mover in movers if mover not in on_table]
    if on_table and kind.going is not None:
        from tactician.rules.paths.paid_area import Source, paid_area

        sources = [Source(scene=mover.scene(), start=mover.start.point) for mover in on_table]
        areas.append(_apart(paid_area(sources, kind.going, kind.allowance), on_table[0], kind))
    parts = [part for part in shapely.get_parts(shapely.union_all(areas)) if part.geom_type == "Polygon"]
    return tuple(
        tuple(tuple((x, y) for x, y in ring.coords) for ring in (part.exterior, *part.interiors)) for part in parts
    )


def _plain_area(mover: Mover, kind: MoveType) -> Geometry:
    """Where one model may end over ground that costs nothing."""
    import shapely
    from tactician.rules.paths.arrival import arrivals, reachable_area

    rings = reachable_area(arrivals(mover.scene(), mover.start.point, kind.allowance))
    filled = [shapely.make_valid(shapely.Polygon(ring)) for ring in rings]
    # a ring within another one is a hole, which the symmetric difference cuts out
    return _apart(reduce(shapely.symmetric_difference, filled, shapely.Polygon()), mover, kind)


def _apart(area: Geometry, mover: Mover, kind: MoveType) -> Geometry:
    import shapely

    return shapely.difference(area, shapely.union_all(_zones(mover, kind)))


def _zones(mover: Mover, kind: MoveType) -> list[Polygon]:
    """Discs about enemies within which no move of this kind may end."""
    import shapely

    return [
        shapely.Point(enemy.pose.point).buffer(keep.limit + mover.unit.radius + unit.radius)
        for keep in kind.keep_away
        if keep.limit < inf
        for unit in mover.state.against(mover.unit.side)
        if unit.id not in keep.spared
        for enemy in unit.models
    ]
