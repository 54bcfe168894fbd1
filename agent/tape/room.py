"""How much room each step of an order has: how far off a model may be put down before the referee says no.

The referee is asked itself: a model's end is shifted in eight directions, and the distance is halved until the place
where something breaks is known. What stands still keeps its place; a mate that is put down too may be as far off the
other way, so that against mates half of the distance counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import atan2, cos, pi, sin

from tactician.agent.tape.links import beyond_link, shortest_tree
from tactician.rules.core.action import Action
from tactician.rules.core.clauses import Violation
from tactician.rules.core.legs import Leg, Path, Pose, Straight
from tactician.rules.core.measure import TOL, Inches
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.state import State, Unit

__all__ = ["TIGHT", "Room", "Walker", "nudged", "rooms"]

TIGHT: Inches = 0.25
"""Less room than this is told."""

DIRECTIONS = 8

BETWEEN = cos(pi / DIRECTIONS)
"""What is at least left of a shift in the direction that matters, when that lies between two that are tried."""

SPAN: Inches = 0.28
"""How far models are shifted: what has less room than `TIGHT` in any direction shows in one of those tried, round
things included."""

HALVINGS = 6

NO_ROOM: Inches = 0.005
"""Less than this is none, and nobody looks for still less."""

Faults = Callable[[Action], tuple[Violation, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """What is nearest to being broken by a step."""

    inches: Inches
    """How far off the model may be put down; less than `TIGHT`."""
    clause: str
    """What would be broken."""
    against: str = ""
    """Model or piece that it would be broken against."""
    relation: str = ""
    """What that is to the model: ``enemy``, ``friend``, ``mate``; empty for anything else."""

    def __str__(self) -> str:
        """As printed."""
        whom = " ".join(word for word in (self.relation, self.against) if word)
        about = f"{self.clause}, {whom}" if whom else self.clause
        return f'tight: {int(100.0 * self.inches + 1e-6) / 100.0:.2f}" of room ({about})'


@dataclass(frozen=True, slots=True, kw_only=True)
class Walker:
    """A model that an order moves or puts down."""

    model: str
    start: Pose | None
    """Where it stands; None for one that comes onto the table."""
    end: Pose


def nudged(action: Action, model: str, shift: Point) -> Action:
    """The order with one model put down so much off; the way up to its last point stays as it is."""
    paths = tuple((name, _nudged_path(path, shift) if name == model else path) for name, path in action.paths)
    places = tuple((name, _nudged_pose(pose, shift) if name == model else pose) for name, pose in action.places)
    return replace(action, paths=paths, places=places)


def _nudged_path(path: Path, shift: Point) -> Path:
    legs: list[Leg] = list(path)
    last = legs[-1]
    if not isinstance(last, Straight):
        place = next((leg.to for leg in reversed(legs) if hasattr(leg, "to")), None)
        return path if place is None else (*path, Straight((place[0] + shift[0], place[1] + shift[1])))
    moved = Straight((last.to[0] + shift[0], last.to[1] + shift[1]))
    number = len(legs)
    while number and legs[number - 1] == last:  # waits at the end only keep time
        number -= 1
        legs[number] = moved
    return tuple(legs)


def _nudged_pose(pose: Pose, shift: Point) -> Pose:
    return pose._replace(x=pose.x + shift[0], y=pose.y + shift[1])


def rooms(
    state: State, unit: Unit, action: Action, walkers: tuple[Walker, ...], faults: Faults
) -> Mapping[str, tuple[Room, ...]]:
    """For each model whose step is tight: what is nearest to being broken, and what breaks its links.

    Args:
        state: the moment before the order.
        unit: who is ordered.
        action: a legal order.
        walkers: the models that it moves, with where they end.
        faults: what the referee says of a changed order.
    """
    probe = _Probe(state, unit, action, walkers, faults, _roomy_mates(unit, walkers))
    found = {walker.model: [room] for walker in walkers if (room := probe.room(walker)) is not None}
    for name, room in probe.link_rooms():
        found.setdefault(name, []).append(room)
    return {name: kept for name, row in found.items() if (kept := _each_clause(row))}


def _each_clause(found: list[Room]) -> tuple[Room, ...]:
    """The least room under each clause, the least of all first."""
    least: dict[str, Room] = {}
    for room in sorted(found, key=lambda room: (room.inches, room.clause, room.against)):
        if room.inches < TIGHT:
            least.setdefault(room.clause, room)
    return tuple(least.values())


@dataclass(frozen=True, slots=True)
class _Probe:
    """One order whose ends are shifted."""

    state: State
    unit: Unit
    action: Action
    walkers: tuple[Walker, ...]
    faults: Faults
    roomy: Mapping[str, frozenset[str]]
    """For each model the mates that are far enough from it to be no trouble."""

    def room(self, walker: Walker) -> Room | None:
        """The least room in any direction."""
        heading = _heading(self.action, walker)
        inches, worst, exact = SPAN, None, False
        for number in range(DIRECTIONS):
            found = self._first(walker, heading + 2 * pi * number / DIRECTIONS, inches)
            if found is not None:
                inches, worst = found
                exact = number == 0
            if inches < NO_ROOM:
                break
        if worst is None:
            return None
        toward = self._toward(walker, worst)
        found = None if toward is None else self._first(walker, toward, inches)
        if found is not None:
            (inches, worst), exact = found, True
        return self._told(walker, inches if exact else inches * BETWEEN, worst)

    def _first(self, walker: Walker, angle: float, inches: Inches) -> tuple[Inches, Violation] | None:
        """How far a model can be shifted in a direction, up to so many inches, and what breaks then; else None."""
        return _halved(lambda far: self._broken(walker, angle, far), inches)

    def _broken(self, walker: Walker, angle: float, inches: Inches) -> tuple[Violation, ...]:
        """What breaks at a shift; against mates that are put down as well at twice that shift."""
        if len(self.walkers) == 1:
            return self._shifted(walker, angle, inches)
        wide = self._shifted(walker, angle, 2 * inches)
        roomy = self.roomy.get(walker.model, frozenset())
        shared = tuple(one for one in wide if self._is_shared(walker, one) and not {one.subject, one.against} & roomy)
        if shared or not wide:
            return shared
        near = self._shifted(walker, angle, inches)
        return tuple(one for one in near if not self._is_shared(walker, one))

    def _shifted(self, walker: Walker, angle: float, inches: Inches) -> tuple[Violation, ...]:
        shift = inches * cos(angle), inches * sin(angle)
        return self.faults(nudged(self.action, walker.model, shift))

    def _is_shared(self, walker: Walker, one: Violation) -> bool:
        """Whether something is between models that are both put down."""
        others = {other.model for other in self.walkers if other.model != walker.model} | {self.unit.id}
        return one.subject in others or one.against in others

    def link_rooms(self) -> Iterator[tuple[str, Room]]:
        """For each link that holds the unit together: how far its two parts may be put down off, away from each other.

        Told of the models of the link that move.
        """
        ends = {walker.model: walker.end for walker in self.walkers}
        poses = {model.id: model.pose for model in self.unit.models} | ends
        links = shortest_tree(poses, partial(_away, self.state))
        for link in links:
            (a, b), far = link, beyond_link(links, link)
            dx, dy = poses[b].x - poses[a].x, poses[b].y - poses[a].y
            away = length(dx, dy)
            if away <= TOL:
                continue
            found = _halved(partial(self._parted, far, (dx / away, dy / away)), TIGHT)
            if found is None:
                continue
            for name, mate in (link, (b, a)):
                if name in ends:
                    yield name, Room(inches=found[0], clause=found[1].clause, against=mate, relation="mate")

    def _parted(self, far: set[str], direction: Point, inches: Inches) -> tuple[Violation, ...]:
        """What the unit breaks as a whole when its two parts are shifted away from each other."""
        action = self.action
        for walker in self.walkers:
            way = inches if walker.model in far else -inches
            action = nudged(action, walker.model, (way * direction[0], way * direction[1]))
        return tuple(one for one in self.faults(action) if self.unit.id in (one.subject, one.against))

    def _toward(self, walker: Walker, worst: Violation) -> float | None:
        """The direction in which the room against a base is least."""
        place = next((other.end for other in self.walkers if other.model == worst.against), None)
        for unit in self.state.units:
            for model in unit.models:
                if place is None and model.id == worst.against:
                    place = model.pose
        if place is None or place.point == walker.end.point:
            return None
        return atan2(place.y - walker.end.y, place.x - walker.end.x)

    def _told(self, walker: Walker, inches: Inches, worst: Violation) -> Room:
        against = worst.subject if worst.against == walker.model else worst.against
        return Room(
            inches=inches,
            clause=worst.clause,
            against="" if against == self.unit.id else against,
            relation="mate" if any(other.model == against for other in self.walkers) else self._relation(against),
        )

    def _relation(self, against: str) -> str:
        for other in self.state.units:
            if other.id == against or any(model.id == against for model in other.models):
                if other.id == self.unit.id:
                    return "" if against == other.id else "mate"
                return "friend" if other.side == self.unit.side else "enemy"
        return ""


def _heading(action: Action, walker: Walker) -> float:
    """The direction of the last leg, in which the length of a way grows most."""
    points = [walker.start.point] if walker.start is not None else []
    points += [leg.to for leg in dict(action.paths).get(walker.model, ()) if hasattr(leg, "to")]
    for x, y in reversed(points):
        if length(walker.end.x - x, walker.end.y - y) > TOL:
            return atan2(walker.end.y - y, walker.end.x - x)
    return 0.0


def _roomy_mates(unit: Unit, walkers: tuple[Walker, ...]) -> dict[str, frozenset[str]]:
    """For each model of a formation that keeps its shape the mates that cannot be too near, both put down off.

    Where all make the same move, or are put down, models are nowhere nearer to each other than at their ends.
    """
    shifts = [
        (walker.end.x - walker.start.x, walker.end.y - walker.start.y) for walker in walkers if walker.start is not None
    ]
    if any(length(dx - shifts[0][0], dy - shifts[0][1]) > TOL for dx, dy in shifts):
        return {}
    least = 2 * (unit.radius + TIGHT) - TOL
    return {
        one.model: frozenset(
            mate.model
            for mate in walkers
            if mate is not one and length(mate.end.x - one.end.x, mate.end.y - one.end.y) >= least
        )
        for one in walkers
    }


def _halved(broken: Callable[[Inches], tuple[Violation, ...]], inches: Inches) -> tuple[Inches, Violation] | None:
    """How far one can go up to a distance until something breaks, and what does; None where nothing breaks there."""
    found = broken(inches)
    if not found:
        return None
    low, high = 0.0, inches
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        here = broken(middle)
        if here:
            high, found = middle, here
        else:
            low = middle
    return low, found[0]


def _away(state: State, a: Pose, b: Pose) -> Inches:
    return length(a.x - b.x, a.y - b.y, state.height_of(a) - state.height_of(b))
