"""Drag: a unit that does damage brings its target into base contact (page *Drag*)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import cos, inf, pi, sin
from typing import TYPE_CHECKING

from tactician.rules.core.action import Action
from tactician.rules.core.agenda import Handler, swap, without_top
from tactician.rules.core.choice import Choice, Nothing, Subset
from tactician.rules.core.legs import Pose, cost, walk
from tactician.rules.core.measure import TOL, Inches, beyond, snap, within
from tactician.rules.core.remember import Remembered
from tactician.rules.core.scene import bases_of
from tactician.rules.core.shapes import clamp, length
from tactician.rules.core.state import Model, gap
from tactician.rules.core.terrain import Surface
from tactician.rules.voidsiege.allowance import rates
from tactician.rules.voidsiege.engagement import model_gap, unit_gap
from tactician.rules.voidsiege.profiles import Command
from tactician.rules.voidsiege.state import Drag, Exchange, VoidState, VoidUnit

if TYPE_CHECKING:
    from tactician.rules.paths.scene import Disc

__all__ = ["DragHandler", "Tow", "drag_frames", "tows"]

FAN = 24
"""Places of contact that are looked at, beside the borders of the free ones, where a way leads over floors."""

PLACES = 3
"""How many of those, the nearest first, ways are looked for to."""

DETOUR: Inches = 12.0
"""Ways on one floor that are longer are not compared with ways over others, which are no more longer than straight."""


@dataclass(frozen=True, slots=True)
class Tow:
    """One way to do it: who is moved, where to, whom it touches there."""

    unit: str
    model: str
    touched: str
    end: Pose
    inches: Inches


TOWS: Remembered[tuple[Tow, ...]] = Remembered(200)


def drag_frames(state: VoidState, exchange: Exchange) -> tuple[Drag, ...]:
    """What is to be settled for units with Drag, the commanding side's first."""
    frames = [
        Drag(owner=state.unit(unit).side, unit=unit, target=target, pulls=pulls)
        for unit, target, pulls in exchange.dragging
    ]
    return tuple(sorted(frames, key=lambda frame: (frame.owner != exchange.owner, frame.unit, frame.target)))


class DragHandler(Handler[VoidState, Drag]):
    """Who is brought into contact with whom; asked where the rule leaves it open."""

    def step(self, state: VoidState, frame: Drag) -> VoidState | None:
        """Nothing where a side is gone or they touch; where one way alone fits the rule it is taken."""
        unit, target = state.unit(frame.unit), state.unit(frame.target)
        if not unit.models or not target.models or within(unit_gap(state, unit, target), 0.0):
            return without_top(state)
        if not state.holds("VS-DG-02" if frame.pulls else "VS-DG-03"):
            return without_top(state)
        found = tows(state, frame)
        if not found:
            text = f"{unit.name} ({unit.id}) drags nobody: no way leads into contact with {target.id}"
            return without_top(replace(state, log=(*state.log, text)))
        return self._carried(state, found[0]) if frame.pulls and len(found) == 1 else None

    def choices(self, state: VoidState, frame: Drag) -> tuple[Choice, ...]:
        """Which of the equally near models, or who moves to the target if anybody does."""
        found = tows(state, frame)
        ids = tuple(dict.fromkeys(tow.model for tow in found))
        if frame.pulls and len(ids) == 1:
            ids = tuple(dict.fromkeys(tow.touched for tow in found))
        drag = Choice("drag", frame.unit, Subset(ids, 1, 1, ids[:1]))
        return (drag,) if frame.pulls else (drag, Choice("pass", "", Nothing()))

    def take(self, state: VoidState, frame: Drag, action: Action) -> VoidState:
        """Move the model, or note which one it is where more than one could be touched."""
        if action.verb == "pass":
            return without_top(state)
        name = action.models[0]
        found = [tow for tow in tows(state, frame) if name in (tow.model, tow.touched)]
        return self._carried(state, found[0]) if len(found) == 1 else swap(state, replace(frame, pulled=name))

    def _carried(self, state: VoidState, tow: Tow) -> VoidState:
        frame, unit = state.agenda[-1], state.unit(tow.unit)
        assert isinstance(frame, Drag)
        name = state.unit(frame.unit).name
        done = f"drags {tow.model}" if frame.pulls else f"moves {tow.model}"
        told = f"{name} ({frame.unit}) {done} {tow.inches:.2f} inches into contact with {tow.touched}"
        moved = replace(state, log=(*state.log, told)).with_unit(unit.moved({tow.model: tow.end}))
        return without_top(moved)


# ---- who, and by which way -------------------------------------------------------------------------------------------


def tows(state: VoidState, frame: Drag) -> tuple[Tow, ...]:
    """Every way that fits the rule; none where none exists.

    The nearest model of the target is pulled to the one that it is nearest to, or one of the unit's own moves to it.

    Clauses: VS-DG-02, VS-DG-03, VS-DG-04 (the shortest way), VS-DG-05 (neither 2 inches nor coherency bind).
    """
    if not state.holds("VS-DG-05"):
        return ()
    key = frame.unit, frame.target, frame.pulls, frame.pulled
    return TOWS.get((state.units, state.table), key, lambda: tuple(_tows(state, frame)))


def _tows(state: VoidState, frame: Drag) -> Iterator[Tow]:
    unit, target = state.unit(frame.unit), state.unit(frame.target)
    least = unit_gap(state, unit, target)
    pairs = [
        (theirs, own)
        for theirs in target.models
        for own in unit.models
        if within(gap(state, own.pose, unit.radius, theirs.pose, target.radius), least)
    ]
    if frame.pulls:
        for theirs, own in pairs:
            if frame.pulled in ("", theirs.id):
                yield from _tow(state, target, theirs, unit, own)
        return
    for own in _movers(unit, pairs):
        lone = replace(unit, models=(own,))
        nearest = min((one for one, _ in pairs), key=lambda one: (_rounded(state, one, target, lone), one.id))
        yield from _tow(state, unit, own, target, nearest)


def _movers(unit: VoidUnit, pairs: list[tuple[Model, Model]]) -> tuple[Model, ...]:
    """Own models that can be asked to move to the target: those on its floor, or the nearest where none is."""
    floors = {theirs.pose.surface for theirs, _ in pairs}
    level = tuple(own for own in unit.models if own.pose.surface in floors)
    return level or (pairs[0][1],)


def _rounded(state: VoidState, model: Model, unit: VoidUnit, other: VoidUnit) -> Inches:
    return round(model_gap(state, model, unit.radius, other), 6)


def _tow(state: VoidState, unit: VoidUnit, model: Model, other: VoidUnit, touched: Model) -> Iterator[Tow]:
    found = _way(state, unit, model, other, touched)
    if found is not None:
        end = Pose(snap(found[0].x), snap(found[0].y), found[0].surface, model.pose.bearing)
        yield Tow(unit.id, model.id, touched.id, end, found[1])


def _way(state: VoidState, unit: VoidUnit, model: Model, other: VoidUnit, touched: Model) -> tuple[Pose, Inches] | None:
    """Where the shortest way of a model into contact with another one ends, and its inches (VS-DG-04).

    On one floor it is exact. Ways over other floors go to the best of the nearest places of contact; they are looked
    for where the two stand on different floors, or within `DETOUR` of each other with no straight way on their floor.
    """
    from tactician.rules.paths.contact import contact
    from tactician.rules.paths.scene import Scene

    start, goal = model.pose, touched.pose
    target = (goal.x, goal.y, unit.radius + other.radius)
    discs = _discs(state, unit, model)
    best: tuple[Pose, Inches] | None = None
    straight = length(goal.x - start.x, goal.y - start.y) - target[2]
    if start.surface == goal.surface:
        around = discs.get(goal.surface, ())
        scene = Scene(board=state.board, surface=goal.surface, radius=unit.radius, discs=around)
        way = contact(scene, start.point, target, inf)
        if way is not None:
            price = cost(walk(start, way.legs, state.board), rates(state, Command(id="drag")))
            best = Pose(*way.points[-1], goal.surface), price
        if beyond(straight if way is None else way.cost, DETOUR) or (way is not None and within(way.cost, straight)):
            return best
    if not state.holds("VS-DG-04"):
        return None
    return _over_floors(state, unit.radius, start, goal, target[2], discs, best)


def _discs(state: VoidState, unit: VoidUnit, model: Model) -> dict[str, tuple[Disc, ...]]:
    """All bases but its own, by the floor that they stand on."""
    found: dict[str, tuple[Disc, ...]] = {}
    for other in state.units:
        for base in bases_of(state, other):
            if base.model != model.id:
                disc = (base.x, base.y, unit.radius + base.radius)
                found[base.surface] = (*found.get(base.surface, ()), disc)
    return found


def _over_floors(
    state: VoidState,
    radius: Inches,
    start: Pose,
    goal: Pose,
    reach: Inches,
    discs: dict[str, tuple[Disc, ...]],
    best: tuple[Pose, Inches] | None,
) -> tuple[Pose, Inches] | None:
    """The best way by climbs and drops, if it is shorter than the best one known."""
    from tactician.rules.paths.contact import border_places
    from tactician.rules.paths.scene import Scene, whole_local
    from tactician.rules.paths.surfaces import shortest_over

    board, around = state.board, discs.get(goal.surface, ())
    most = length(goal.x - start.x, goal.y - start.y) + DETOUR if best is None else best[1] - TOL
    if not any(_is_on_the_way(surface, start, goal, most + 4 * radius) for surface in board.surfaces):
        return best
    local = whole_local(Scene(board=board, surface=goal.surface, radius=radius, discs=around))
    turned = [2 * pi * number / FAN for number in range(FAN)]
    places = [(goal.x + reach * cos(angle), goal.y + reach * sin(angle)) for angle in turned]
    places += border_places(local, (goal.x, goal.y, reach))
    free = sorted((length(x - start.x, y - start.y), x, y) for x, y in places if local.may_stand(x, y, whole=True))
    for _, x, y in free[:PLACES]:
        end, price = Pose(x, y, goal.surface), rates(state, Command(id="drag"))
        way = shortest_over(board, radius, start, end, most, price, discs)
        best, most = ((end, way.cost), way.cost - TOL) if way is not None else (best, most)
    return best


def _is_on_the_way(surface: Surface, start: Pose, goal: Pose, inches: Inches) -> bool:
    """Whether a way of so many inches can touch a raised surface at all."""
    if surface.polygon is None:
        return False
    x0, y0, x1, y1 = surface.polygon.box
    near = [(clamp(pose.x, x0, x1), clamp(pose.y, y0, y1), pose) for pose in (start, goal)]
    return sum(length(pose.x - x, pose.y - y) for x, y, pose in near) <= inches
