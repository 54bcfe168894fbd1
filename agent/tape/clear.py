"""Ends that are clear of things: what a shaken order broke as demands, and places that meet them.

Demands are met one after another, over and over (cyclic projection, Bregman, 1965): an end that is too near something
is moved straight away from it; two ends that are too near each other, or too far apart, are moved by half each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from tactician.agent.tape.links import tree
from tactician.agent.tape.room import TIGHT, Walker
from tactician.rules.core.action import Action
from tactician.rules.core.clauses import Violation
from tactician.rules.core.clip import truncated
from tactician.rules.core.legs import Bend, Path, Pose, Straight, walk
from tactician.rules.core.measure import TOL, Inches
from tactician.rules.core.movement import MoveType
from tactician.rules.core.placement import PlaceRule
from tactician.rules.core.shapes import Box, Point, Polygon, clamp, length
from tactician.rules.core.state import State, Unit

__all__ = ["CLEAR", "Demands", "demands_of", "settled", "trimmed", "with_late_point"]

CLEAR: Inches = 0.3
"""How far ends are kept from what is solid or forbidden, and from the end of the allowance."""

SPARE: Inches = 0.02
"""Added where two models are put down off."""

LATE: Inches = 0.75
"""How long the last piece of a way is made, so that being off at its end changes no more of it."""

SWEEPS = 60
"""Times that all demands are gone through."""

Shift = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Demands:
    """What ends are to be kept clear of."""

    pieces: frozenset[str] = frozenset()
    """Terrain, on whichever side of its outline each end is."""
    bases: frozenset[tuple[str, Inches]] = frozenset()
    """Models of other units, and mates that stand still, with the gap that the rules ask for."""
    box: Box | None = None
    """A rectangle that bases lie in wholly."""
    tape: bool = False
    """Whether the end of the allowance was too near."""
    mates: bool = False
    """Whether models of the unit were too near each other."""
    link: Inches | None = None
    """The greatest gap of a link, where one broke."""

    def __or__(self, other: Demands) -> Demands:
        """Both together."""
        return Demands(
            pieces=self.pieces | other.pieces,
            bases=self.bases | other.bases,
            box=self.box or other.box,
            tape=self.tape or other.tape,
            mates=self.mates or other.mates,
            link=self.link if other.link is None else other.link,
        )

    @property
    def is_simple(self) -> bool:
        """Whether nothing but the end of the allowance, or of a zone, was too near."""
        return not (self.pieces or self.bases or self.mates or self.link is not None)

    @property
    def is_outer(self) -> bool:
        """Whether anything but the unit's own form is in the way, so that the formation may be shifted as it stands."""
        return bool(self.pieces or self.bases or self.box or self.tape) and not self.mates and self.link is None


def demands_of(
    state: State,
    unit: Unit,
    walkers: tuple[Walker, ...],
    broken: Iterable[Violation],
    kind: MoveType | None,
    rule: PlaceRule | None,
) -> Demands:
    """What to keep clear of, told by what broke when an order was shaken.

    Args:
        state: the moment before the order.
        unit: who is ordered.
        walkers: the models that it moves.
        broken: what the referee said.
        kind: how they move; None where they are put down.
        rule: where they may be put down; None where they move.
    """
    moving, found = {walker.model for walker in walkers}, Demands()
    pieces = {piece.id for piece in state.board.features}
    link = _link(kind, rule)
    others = {model.id: model.id for one in state.units for model in one.models if model.id not in moving}
    for one in broken:
        if one.against in pieces:
            found |= Demands(pieces=frozenset({one.against}))
        elif one.against in moving:
            found |= Demands(mates=True)
        elif one.against in others:
            found |= Demands(bases=frozenset({(one.against, max(one.limit or 0.0, 0.0))}))
        elif one.subject == unit.id or one.clause == _link_clause(kind, rule):
            found |= Demands(link=link)
        elif rule is not None and rule.zone is not None:
            found |= Demands(box=rule.zone)
        elif one.against:
            found |= Demands(box=state.board.box)
        else:
            found |= Demands(tape=True)
    return found


def _link(kind: MoveType | None, rule: PlaceRule | None) -> Inches | None:
    if rule is not None:
        return rule.coherency
    return kind.coherency.limit if kind is not None and kind.coherency is not None else None


def _link_clause(kind: MoveType | None, rule: PlaceRule | None) -> str:
    if rule is not None:
        return rule.coherency_cite.clause
    return kind.coherency.cite.clause if kind is not None and kind.coherency is not None else ""


def settled(
    state: State, unit: Unit, action: Action, walkers: tuple[Walker, ...], demands: Demands, *, together: bool
) -> Mapping[str, Point]:
    """Ends that meet demands as well as may be.

    Args:
        state: the moment before the order.
        unit: who is ordered.
        action: a legal order, its ways trimmed already where the end of the allowance is too near.
        walkers: the models that it moves.
        demands: what to keep clear of.
        together: whether all are shifted alike, as they stand.
    """
    work = _Work(state, unit, demands, walkers, _tapes(action, walkers) if demands.tape else {})
    ends = {walker.model: walker.end.point for walker in walkers}
    for _ in range(SWEEPS):
        largest = 0.0
        if together:
            dx, dy = max(work.wanted(ends), key=lambda row: length(*row[1]), default=("", (0.0, 0.0)))[1]
            largest = length(dx, dy)
            ends = {name: (x + dx, y + dy) for name, (x, y) in ends.items()}
        else:
            for name, (dx, dy) in work.corrections(ends):
                largest = max(largest, length(dx, dy))
                ends[name] = ends[name][0] + dx, ends[name][1] + dy
        if largest <= SPARE / 10:
            break
    return ends


def trimmed(state: State, unit: Unit, action: Action, inches: Inches = CLEAR) -> Action:
    """An order whose ways all end so much sooner; models whose ways are shorter than that keep half of them.

    Ways keep their number of legs, so that models that move in step stay in step.
    """
    paths = tuple((name, _sooner(state, unit.model(name).pose, path, inches)) for name, path in action.paths)
    return replace(action, paths=paths)


def with_late_point(state: State, unit: Unit, action: Action) -> Action:
    """The order with one more point on the last straight leg of every way, shortly before its end.

    A model that is put down off then leaves its way only there. All legs are cut at the same part of them, so that
    models that move in step stay in step.
    """
    lasts: dict[str, tuple[Point, Point]] = {}
    for name, path in action.paths:
        end = path[-1]
        if not isinstance(end, Straight):
            return action
        points = [unit.model(name).pose.point, *(leg.to for leg in path if isinstance(leg, Straight | Bend))]
        lasts[name] = points[-2], end.to
    longest = max(length(b[0] - a[0], b[1] - a[1]) for a, b in lasts.values())
    if longest <= LATE + TOL:
        return action
    part, paths = 1.0 - LATE / longest, []
    for name, path in action.paths:
        (ax, ay), (bx, by) = lasts[name]
        paths.append((name, (*path[:-1], Straight((ax + part * (bx - ax), ay + part * (by - ay))), path[-1])))
    return replace(action, paths=tuple(paths))


def _sooner(state: State, start: Pose, path: Path, inches: Inches) -> Path:
    stretches = walk(start, path, state.board)
    far = sum(one.across for one in stretches)
    left = min(inches, far / 2)
    for number in range(len(stretches) - 1, -1, -1):
        one = stretches[number]
        if one.is_vertical or left <= TOL:
            return path  # nothing is taken off a climb
        if one.across > left:
            kept = truncated(path, stretches, number + 1.0 - left / one.across, state.board)
            wait = Straight(one.at(1.0 - left / one.across))
            return (*kept, *[wait] * (len(path) - len(kept)))
        left -= one.across
    return path


def _tapes(action: Action, walkers: tuple[Walker, ...]) -> dict[str, tuple[Point, Inches]]:
    """For each model where its last straight leg begins, and how long that is."""
    paths, found = dict(action.paths), {}
    for walker in walkers:
        if walker.start is None:
            continue
        points, straight = [walker.start.point], False
        for leg in paths[walker.model]:
            if isinstance(leg, Straight | Bend) and leg.to != points[-1]:
                points.append(leg.to)
                straight = isinstance(leg, Straight)
        if straight:
            (ax, ay), (bx, by) = points[-2:]
            found[walker.model] = (ax, ay), length(bx - ax, by - ay)
    return found


@dataclass(frozen=True, slots=True)
class _Work:
    """One order whose ends are moved."""

    state: State
    unit: Unit
    demands: Demands
    walkers: tuple[Walker, ...]
    tapes: Mapping[str, tuple[Point, Inches]]

    def corrections(self, ends: Mapping[str, Point]) -> Iterator[tuple[str, Shift]]:
        """What to move now, one after another: `ends` may change between two of them."""
        yield from self._pairs(ends)
        yield from self.wanted(ends)

    def wanted(self, ends: Mapping[str, Point]) -> Iterator[tuple[str, Shift]]:
        """What each end asks for that stands alone."""
        bases = self._bases()
        pieces = [piece.outline for piece in self.state.board.features if piece.id in self.demands.pieces]
        for name in [walker.model for walker in self.walkers]:
            for x, y, away in bases:
                shift = _off(ends[name], (x, y), away)
                if shift is not None:
                    yield name, shift
            for outline in pieces:
                shift = _off_outline(ends[name], outline, self.unit.radius + CLEAR)
                if shift is not None:
                    yield name, shift
            shift = self._inward(ends[name])
            if shift is not None:
                yield name, shift
            shift = self._back(name, ends[name])
            if shift is not None:
                yield name, shift

    def _bases(self) -> list[tuple[float, float, Inches]]:
        gaps = dict(self.demands.bases)
        return [
            (model.pose.x, model.pose.y, self.unit.radius + other.radius + gaps[model.id] + CLEAR)
            for other in self.state.units
            for model in other.models
            if model.id in gaps
        ]

    def _inward(self, end: Point) -> Shift | None:
        if self.demands.box is None:
            return None
        x0, y0, x1, y1 = self.demands.box
        room = min(self.unit.radius + CLEAR, (x1 - x0) / 2, (y1 - y0) / 2)
        x, y = clamp(end[0], x0 + room, x1 - room), clamp(end[1], y0 + room, y1 - room)
        return None if (x, y) == end else (x - end[0], y - end[1])

    def _back(self, name: str, end: Point) -> Shift | None:
        """Back on the last leg, where that is longer than may be."""
        if name not in self.tapes:
            return None
        (x, y), most = self.tapes[name]
        away = length(end[0] - x, end[1] - y)
        if away <= most + TOL:
            return None
        part = most / away - 1.0
        return (end[0] - x) * part, (end[1] - y) * part

    def _pairs(self, ends: Mapping[str, Point]) -> Iterator[tuple[str, Shift]]:
        """Models of the unit that are too near each other, or linked too loosely."""
        still = {model.id: model.pose.point for model in self.unit.models if model.id not in ends}
        size = 2 * self.unit.radius
        if self.demands.mates:
            for a, b in combinations(sorted(ends), 2):
                yield from _apart(ends, a, b, size + 2 * TIGHT + SPARE, 0.5)
            for a in sorted(ends):
                for place in still.values():
                    shift = _off(ends[a], place, size + TIGHT + SPARE)
                    if shift is not None:
                        yield a, shift
        if self.demands.link is not None:
            most = size + self.demands.link - 2 * TIGHT - SPARE
            for a, b in tree({**still, **ends}):
                share = 0.5 if a in ends and b in ends else 1.0
                yield from _nearer({**still, **ends}, ends, (a, b), most, share)


def _off(end: Point, other: Point, least: Inches) -> Shift | None:
    """Straight away from a place that is nearer than it may be."""
    dx, dy = end[0] - other[0], end[1] - other[1]
    away = length(dx, dy)
    if away >= least - TOL or away <= TOL:
        return None
    part = (least - away) / away
    return dx * part, dy * part


def _apart(ends: Mapping[str, Point], a: str, b: str, least: Inches, share: float) -> Iterator[tuple[str, Shift]]:
    shift = _off(ends[a], ends[b], least)
    if shift is not None:
        yield a, (shift[0] * share, shift[1] * share)
        yield b, (-shift[0] * share, -shift[1] * share)


def _nearer(
    places: Mapping[str, Point], ends: Mapping[str, Point], pair: tuple[str, str], most: Inches, share: float
) -> Iterator[tuple[str, Shift]]:
    (ax, ay), (bx, by) = places[pair[0]], places[pair[1]]
    away = length(bx - ax, by - ay)
    if away <= most + TOL:
        return
    part = share * (away - most) / away
    if pair[0] in ends:
        yield pair[0], ((bx - ax) * part, (by - ay) * part)
    if pair[1] in ends:
        yield pair[1], ((ax - bx) * part, (ay - by) * part)


def _off_outline(end: Point, outline: Polygon, least: Inches) -> Shift | None:
    """Away from the nearest point of an outline, on whichever side of it the end is."""
    x, y = _nearest_on(outline, end)
    dx, dy = end[0] - x, end[1] - y
    away = length(dx, dy)
    if away >= least - TOL or away <= TOL:
        return None
    part = (least - away) / away
    return dx * part, dy * part


def _nearest_on(outline: Polygon, end: Point) -> Point:
    points = outline.points
    best: tuple[float, Point] | None = None
    for (ax, ay), (bx, by) in pairwise((*points, points[0])):
        dx, dy = bx - ax, by - ay
        square = dx * dx + dy * dy
        u = clamp(((end[0] - ax) * dx + (end[1] - ay) * dy) / square, 0.0, 1.0) if square > 0.0 else 0.0
        place = (ax + u * dx, ay + u * dy)
        away = length(end[0] - place[0], end[1] - place[1])
        if best is None or away < best[0]:
            best = away, place
    assert best is not None
    return best[1]
