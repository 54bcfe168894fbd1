"""A squad in another shape: models are given places, and walk there in an order in which nobody is in the way.

Who goes where is the assignment with the least total distance. Models that walk one after another first try the order
in which whoever stands on somebody's way, or would be walled in by somebody's place, goes before him; a model whose
way is barred by a mate where he stands then goes round him.

Reference: H. W. Kuhn, "The Hungarian method for the assignment problem", Naval Research Logistics Quarterly 2 (1955).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np
from numpy.typing import NDArray
from tactician.rules.core.barriers import apart, box_of, disc_intervals
from tactician.rules.core.clip import clip
from tactician.rules.core.legs import Climb, Drop, Path, Stretch, walk
from tactician.rules.core.measure import CLOSED_MARGIN, TOL, Inches
from tactician.rules.core.movement import MoveType, end_pose, is_legal
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.state import Model, State, Unit, front_first
from tactician.rules.paths.arrival import arrivals
from tactician.rules.paths.pace import in_pace
from tactician.rules.paths.polylines import polyline
from tactician.rules.paths.scene import Scene, Way
from tactician.rules.paths.walkers import cheapest, surroundings

__all__ = ["order_of_ways", "reshaped"]

Paths = dict[str, Path]

TRIES = 8
"""How often at most models are assigned anew because some way turned out to cost too much."""

STILL: Inches = 1e-3
"""A place nearer than this is where a model stands already."""

DONE: Inches = 1e-3
"""Inches that all models together may miss their places by for a shape to count as taken."""


def reshaped(state: State, unit: Unit, kind: MoveType, places: Sequence[Point]) -> Paths | None:
    """Legal ways that bring the models of a unit to places, each to the one that suits the whole best.

    Args:
        state: the moment before the move.
        unit: the unit that moves, all of it on one surface.
        kind: the move type; what comes back is legal under it.
        places: where centres are to come to rest on that surface, one place for each model, in any order.

    Returns:
        Ways in the order in which they are walked, where models walk one after another; some may end short of their
        places. None where some place is out of reach of everybody who could take it, or nothing legal was found.

    Raises:
        ValueError: there are not as many places as models.
    """
    if len(places) != len(unit.models):
        raise ValueError(f"{len(places)} places for {len(unit.models)} models")
    if len({model.pose.surface for model in unit.models}) != 1:
        return None
    walkers = _assigned(state, unit, kind, places)
    if walkers is None:
        return None
    best: Paths | None = None
    least = inf
    for order in _orders(state, unit, kind, walkers):
        paths = _planned(state, unit, kind, walkers, order)
        clipped = clip(state, unit, kind, paths, order)
        found = {name: clipped[name] for name in order if clipped.get(name)}
        if not found or not is_legal(state, unit, kind, found, _said(kind, tuple(found))):
            continue
        missing = _missing(state, walkers, found)
        if missing < least:
            best, least = found, missing
        if missing <= DONE:
            break
    return best


def _said(kind: MoveType, order: tuple[str, ...]) -> tuple[str, ...]:
    return order if kind.motion == "sequence" else ()


@dataclass(frozen=True, slots=True)
class Walker:
    """A model with its place and its way there, mates left out of account."""

    model: Model
    place: Point
    scene: Scene
    legs: Path
    stretches: tuple[Stretch, ...]


# ---- who goes where --------------------------------------------------------------------------------------------------


def _assigned(state: State, unit: Unit, kind: MoveType, places: Sequence[Point]) -> list[Walker] | None:
    """A place for every model by the least total distance; a pair whose way costs too much is not tried again."""
    from scipy.optimize import linear_sum_assignment

    scenes = _scenes(state, unit, kind)
    costs = _lengths(unit, kind, scenes, places)
    ways: dict[tuple[int, int], Way] = {}
    for _ in range(TRIES * len(places)):
        if not _is_matched(costs):
            return None
        rows, columns = linear_sum_assignment(np.where(np.isfinite(costs), costs, _forbidden(costs)))
        pairs = list(zip(rows.tolist(), columns.tolist(), strict=True))
        if any(costs[pair] == inf for pair in pairs):
            return None
        if _are_walkable(unit, kind, scenes, places, pairs, costs, ways):
            return [_walker(state, unit.models[i], places[j], scenes[i], ways[i, j]) for i, j in pairs]
    return None


def _scenes(state: State, unit: Unit, kind: MoveType) -> list[Scene]:
    """What stands in the way of each model; equal scenes are one and the same."""
    known: dict[object, Scene] = {}
    found = [surroundings(state, unit, kind, model.pose) for model in unit.models]
    return [known.setdefault((scene.closed, scene.discs), scene) for scene in found]


def _lengths(unit: Unit, kind: MoveType, scenes: list[Scene], places: Sequence[Point]) -> NDArray[np.float64]:
    """The length of the way of each model (row) to each place (column); infinite where it is longer than allowed."""
    return np.array(
        [
            arrivals(scene, model.pose.point, max(kind.left_for(model.id), 0.0)).costs_to(places)
            for model, scene in zip(unit.models, scenes, strict=True)
        ]
    )


def _is_matched(costs: NDArray[np.float64]) -> bool:
    """Whether every model has some place left, and every place some model."""
    able = np.isfinite(costs)
    return bool(able.any(axis=0).all() and able.any(axis=1).all())


def _forbidden(costs: NDArray[np.float64]) -> float:
    """A distance that is dearer than any assignment without it."""
    return 1.0 + float(costs[np.isfinite(costs)].sum())


def _are_walkable(
    unit: Unit,
    kind: MoveType,
    scenes: list[Scene],
    places: Sequence[Point],
    pairs: list[tuple[int, int]],
    costs: NDArray[np.float64],
    ways: dict[tuple[int, int], Way],
) -> bool:
    """Whether every pair has a way within its allowance; notes the ways, and the pairs that have none."""
    all_can = True
    for i, j in pairs:
        if (i, j) in ways:
            continue
        model = unit.models[i]
        way = cheapest(kind, scenes[i], model.pose.point, places[j], kind.left_for(model.id) - CLOSED_MARGIN)
        if way is None:
            costs[i, j], all_can = inf, False
        else:
            ways[i, j] = way
    return all_can


def _walker(state: State, model: Model, place: Point, scene: Scene, way: Way) -> Walker:
    legs = () if length(place[0] - model.pose.x, place[1] - model.pose.y) <= STILL else way.legs
    return Walker(model, place, scene, legs, walk(model.pose, legs, state.board))


# ---- in which order --------------------------------------------------------------------------------------------------


def _orders(state: State, unit: Unit, kind: MoveType, walkers: list[Walker]) -> Iterator[tuple[str, ...]]:
    """Orders worth a try, the most promising first, none twice."""
    moving = {one.model.id: one.stretches for one in walkers if one.legs}
    if kind.motion != "sequence" or kind.models is None or not kind.mates_block:
        yield tuple(moving)
        return
    front = _front(unit, walkers, moving)
    tried: list[tuple[str, ...]] = []
    for order in (order_of_ways(unit, moving, front), front, front[::-1]):
        if order not in tried:
            tried.append(order)
            yield order


def _front(unit: Unit, walkers: list[Walker], moving: dict[str, tuple[Stretch, ...]]) -> tuple[str, ...]:
    """Those who move, the one furthest along the way of the whole unit first."""
    dx = sum(one.place[0] - one.model.pose.x for one in walkers)
    dy = sum(one.place[1] - one.model.pose.y for one in walkers)
    return tuple(name for name in front_first(unit, dx, dy) if name in moving)


def order_of_ways(unit: Unit, ways: dict[str, tuple[Stretch, ...]], ranked: tuple[str, ...]) -> tuple[str, ...]:
    """An order in which as few models as possible are in each other's way.

    Whoever stands where another walks goes before him; whoever would pass another's end goes before him too. Where
    that goes round in circles, the first in rank begins.

    Args:
        unit: the unit that moves.
        ways: the stretches of those who move.
        ranked: the same models in the order that decides where nothing else does.
    """
    before: dict[str, set[str]] = {name: set() for name in ranked}
    reach = 2 * unit.radius - TOL
    for walker in ranked:
        for other in ranked:
            if other == walker:
                continue
            if _passes(ways[walker], ways[other][0].start, reach):
                before[walker].add(other)
            if _passes(ways[walker], ways[other][-1].end, reach):
                before[other].add(walker)
    found: list[str] = []
    left = list(ranked)
    while left:
        free = [name for name in left if not before[name].intersection(left)]
        found.append((free or left)[0])
        left.remove(found[-1])
    return tuple(found)


def _passes(stretches: tuple[Stretch, ...], at: Point, reach: Inches) -> bool:
    """Whether a way comes nearer to a place than so many inches."""
    spot = (*at, *at)
    return any(not apart(box_of(one), spot, reach) and bool(disc_intervals(one, *at, reach)) for one in stretches)


# ---- how they walk ---------------------------------------------------------------------------------------------------


def _planned(state: State, unit: Unit, kind: MoveType, walkers: list[Walker], order: tuple[str, ...]) -> Paths:
    """The ways, before they are shortened to what is legal."""
    by_name = {one.model.id: one for one in walkers}
    if kind.motion != "sequence":
        points = {name: _points(by_name[name]) for name in order}
        return in_pace(points) if points else {}
    at = {model.id: model.pose.point for model in unit.models}
    paths: Paths = {}
    for name in order:
        one = by_name[name]
        mates = [place for mate, place in at.items() if mate != name]
        paths[name] = _round_mates(unit, kind, one, mates) if kind.models is not None and kind.mates_block else one.legs
        at[name] = one.place
    return paths


def _points(one: Walker) -> list[Point]:
    """Start and corners of a way without arcs."""
    start = one.model.pose.point
    chain = polyline(start, one.legs, one.scene)
    return [start, *(leg.to for leg in chain if not isinstance(leg, Climb | Drop))]


def _round_mates(unit: Unit, kind: MoveType, one: Walker, mates: list[Point]) -> Path:
    """A way that keeps clear of mates where they stand; as it was where none is found."""
    reach = 2 * unit.radius
    if not any(_passes(one.stretches, mate, reach - TOL) for mate in mates):
        return one.legs
    scene = replace(one.scene, discs=(*one.scene.discs, *((x, y, reach) for x, y in mates)))
    budget = kind.left_for(one.model.id) - CLOSED_MARGIN
    way = cheapest(kind, scene, one.model.pose.point, one.place, budget)
    return one.legs if way is None else way.legs


def _missing(state: State, walkers: list[Walker], paths: Paths) -> Inches:
    """Inches by which all models together miss their places."""
    total = 0.0
    for one in walkers:
        end = end_pose(one.model.pose, walk(one.model.pose, paths.get(one.model.id, ()), state.board))
        total += length(end.x - one.place[0], end.y - one.place[1])
    return total
