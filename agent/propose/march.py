"""A squad on the march: each model by its own cheapest way toward a place, whoever is ahead first.

A formation that is shifted as it stands stops at the first thing that any of its models meets. On the march each model
goes round what is in its own way, other units and mates included; where the front would lose touch with the rear, the
front halts at a line up to which the rear can come. Only for models that walk one after another: what counts for them
is where they end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tactician.agent.propose.aims import Aim
from tactician.agent.propose.joining import Gathering, parts_of
from tactician.agent.propose.routes import lead_corners
from tactician.agent.propose.spot import Spot, Who, by_ways
from tactician.rules.core.legs import Path, walk
from tactician.rules.core.measure import CLOSED_MARGIN, Inches
from tactician.rules.core.movement import MoveType, disorder_of, ends_allowed
from tactician.rules.core.remember import Remembered
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.state import Model, State, Unit

__all__ = ["marched"]

Paths = dict[str, Path]

AHEAD: Inches = 3.0
"""How far beyond its movement a squad on the march looks for the place that its models make for."""

NARROWER = (0.75, 0.0)
"""Parts of its width that the formation keeps at that place, the first that a model finds a way to."""

LINES = (0.0, 1.5, 3.0, 4.5, 6.0)
"""How far beyond where the last model can come the front halts, at most, in inches; tried from the greatest down."""

SHORT: Inches = 1.5
"""A way that mates cut short by more than this is worth going round them."""

_MARCHED: Remembered[list[Spot]] = Remembered(1_000)


@dataclass(frozen=True, slots=True)
class Marcher:
    """A model and its whole way."""

    model: Model
    goal: Point
    path: Path
    cost: Inches
    """What the whole way costs."""


def marched(state: State, unit: Unit, kind: MoveType, aim: Aim, who: Who = None) -> list[Spot]:
    """At most one spot: the squad as far toward a place as its models come by ways of their own, in one piece.

    Args:
        state: the moment before the move.
        unit: the unit that moves.
        kind: its move type.
        aim: where it wants to go.
        who: the models that walk; None where all do.
    """
    if kind.motion != "sequence" or aim.goal is None or len(unit.models) < 2:
        return []
    key = aim.name, aim.goal, who
    return _MARCHED.get((state.table, state.units, unit, kind), key, lambda: _marched(state, unit, kind, aim, who))


def _marched(state: State, unit: Unit, kind: MoveType, aim: Aim, who: Who) -> list[Spot]:
    assert aim.goal is not None
    sub = _sub_goal(state, unit, kind, aim.goal)
    marchers = [] if sub is None else _marchers(state, unit, kind, _lead(unit, aim.goal).pose.point, sub, who)
    if sub is None or not marchers:
        return []
    links = kind.coherency
    best: tuple[int, Spot] | None = None
    for caps in _caps(kind, marchers):
        found = _kept_together(state, unit, kind, marchers, caps, sub)
        if not found.paths:
            continue
        parts = 1 if links is None else disorder_of(state, found.unit, links)
        if best is None or parts < best[0]:
            best = parts, by_ways(f"{aim.name} on the march", unit, found.paths)
        if parts == 1:
            break
    allowed = 1 if links is None else ends_allowed(links, disorder_of(state, unit, links))
    return [best[1]] if best is not None and best[0] <= allowed else []


def _kept_together(
    state: State, unit: Unit, kind: MoveType, marchers: list[Marcher], caps: dict[str, Inches], sub: Point
) -> Gathering:
    """The ways as far as they are legal; whoever would end apart from most of the squad joins it where he can."""
    links = kind.coherency
    everybody = _walked(state, unit, kind, marchers, caps)
    if links is None or disorder_of(state, everybody.unit, links) == 1:
        return everybody
    main, *others = parts_of(state, everybody.unit, links)
    first = _walked(state, unit, kind, [one for one in marchers if one.model.id in main], caps)
    free = {one.model.id for one in marchers}
    first.gather([name for part in others for name in part if name in free], main, sub)
    return first


def _marchers(state: State, unit: Unit, kind: MoveType, lead: Point, sub: Point, who: Who) -> list[Marcher]:
    """The models that walk with their ways, whoever has the least before him first; none where somebody has no way."""
    from tactician.rules.paths.walkers import cheapest, surroundings

    walking = [model for model in unit.models if who is None or model.id in who]
    if len({model.pose.surface for model in walking}) != 1:
        return []
    (x, y), found = lead, []
    for model in walking:
        scene = surroundings(state, unit, kind, model.pose)
        for part in NARROWER:
            goal = sub[0] + part * (model.pose.x - x), sub[1] + part * (model.pose.y - y)
            way = cheapest(kind, scene, model.pose.point, goal, _budget(kind, model, goal))
            if way is not None:
                found.append(Marcher(model, goal, way.legs, way.cost))
                break
        else:
            return []
    return sorted(found, key=lambda one: (round(one.cost, 6), one.model.id))


def _budget(kind: MoveType, model: Model, goal: Point) -> Inches:
    """Inches that a way may cost: whoever would pay more is better off with another place."""
    return 2 * length(goal[0] - model.pose.x, goal[1] - model.pose.y) + kind.allowance


def _lead(unit: Unit, goal: Point) -> Model:
    """The model nearest to a place."""
    return min(unit.models, key=lambda m: (round(length(m.pose.x - goal[0], m.pose.y - goal[1]), 6), m.id))


def _sub_goal(state: State, unit: Unit, kind: MoveType, goal: Point) -> Point | None:
    """A place on the way of the unit a little further than anybody can go; the goal itself where it is nearer."""
    lead = _lead(unit, goal)
    corners = lead_corners(state, unit, kind, lead.pose, goal)
    if not corners:
        return None
    left, at = kind.allowance + AHEAD, lead.pose.point
    for corner in corners:
        away = length(corner[0] - at[0], corner[1] - at[1])
        if away >= left:
            part = left / away
            return at[0] + part * (corner[0] - at[0]), at[1] + part * (corner[1] - at[1])
        left, at = left - away, corner
    return at


def _caps(kind: MoveType, marchers: list[Marcher]) -> Iterator[dict[str, Inches]]:
    """What each model spends: all it has, or less of it in front so that the rear keeps touch."""
    left = {one.model.id: max(kind.left_for(one.model.id) - CLOSED_MARGIN, 0.0) for one in marchers}
    yield left
    rear = max(one.cost - left[one.model.id] for one in marchers)
    front = min(one.cost - left[one.model.id] for one in marchers)
    for more in sorted(LINES, reverse=True):
        if rear - more > front:
            yield {one.model.id: min(left[one.model.id], max(one.cost - (rear - more), 0.0)) for one in marchers}


def _walked(state: State, unit: Unit, kind: MoveType, marchers: list[Marcher], caps: dict[str, Inches]) -> Gathering:
    """Models that have walked as far as is legal, one after another, whether they end in one piece or not."""
    found = Gathering(state, unit, kind)
    for one in marchers:
        name = one.model.id
        path = found.legal(name, one.path, caps[name])
        if _inches(state, one.model, path) < caps[name] - SHORT:
            path = _round_mates(found, one, path, caps[name])
        found.walk(name, path)
    return found


def _round_mates(found: Gathering, one: Marcher, path: Path, inches: Inches) -> Path:
    """The way round mates where they stand by now, if it brings the model further."""
    from tactician.rules.paths.walkers import cheapest

    scene = found.scene(one.model)
    reach = 2 * found.unit.radius
    taken = any(length(m.pose.x - one.goal[0], m.pose.y - one.goal[1]) < reach for m in found.unit.models)
    way = None if taken else cheapest(found.kind, scene, one.model.pose.point, one.goal, one.cost + inches)
    if way is None:
        return path
    other = found.legal(one.model.id, way.legs, inches)
    before, after = one.cost - _inches(found.state, one.model, path), way.cost - _inches(found.state, one.model, other)
    return other if after < before - CLOSED_MARGIN else path


def _inches(state: State, model: Model, path: Path) -> Inches:
    return sum(stretch.across for stretch in walk(model.pose, path, state.board))
