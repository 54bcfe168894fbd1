"""Exact shortest ways by a tangent search that makes its graph as it goes.

A shortest way among round obstacles is a taut string: straight pieces that touch circles, and arcs of those circles.
The obstacles here are the corners of walls (circles of the base's radius), bases and zones; straight pieces are found
when a circle is first left, and only measured against the walls when they come up for walking.

References: Y.-H. Liu and S. Arimoto, "Computation of the tangent graph of polygonal obstacles by moving-line
processing", IEEE Trans. Robotics and Automation 10 (1994): tangents as the only useful edges; P. Hart, N. Nilsson and
B. Raphael, "A formal basis for the heuristic determination of minimum cost paths" (1968).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import atan2, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tactician.rules.core.arcs import LEFT, RIGHT
from tactician.rules.core.legs import Bend, Leg, Straight
from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import Point, length
from tactician.rules.paths import inner, kernels, twins
from tactician.rules.paths.scene import Disc, Local, Scene, Way, limit_of, local_of

__all__ = ["Arrival", "Finish", "Search", "as_floats", "shortest", "straight_way", "way_of", "way_of_rows"]

START = -1
"""Number of the circle on which a way begins: a point of its own."""


class Arrival(NamedTuple):
    """A place where a way touches a circle, and how it came there."""

    cost: Inches
    circle: int
    turn: int
    angle: float
    run: float
    """Radians free ahead on the circle."""
    before: int
    """Number of the arrival before this one; -1 for the start itself."""
    left: Point
    """Where the circle before was left."""
    at: Point


class Finish(NamedTuple):
    """The last straight leg of a way."""

    cost: Inches
    before: int
    left: Point
    at: Point


class Exit(NamedTuple):
    """A tangent that leaves one circle for another."""

    key: int
    circle: int
    turn: int
    leave: float
    left: Point
    size: Inches
    angle: float
    run: float
    at: Point


@dataclass(slots=True)
class Search:
    """One search outward from a start; `run` to the nearest goal, or with no goals to every place within the limit."""

    local: Local
    start: Point
    limit: Inches
    goals: Sequence[Disc] = ()
    """Points (radius 0), or circles to be met head on."""
    aim: Disc | None = None
    """A disc that holds every goal; ways are tried in the order of cost plus distance to it."""
    resting: bool = True
    """Whether the base must lie on its surface completely at the goal."""
    arrivals: list[Arrival] = field(init=False, default_factory=list)
    _heap: list[tuple[float, int, Arrival | Finish, int]] = field(init=False, default_factory=list)
    _count: int = field(init=False, default=0)
    _done: set[int] = field(init=False, default_factory=set)
    _exits: dict[int, list[Exit]] = field(init=False, default_factory=dict)
    _reached: dict[int, list[Arrival]] = field(init=False, default_factory=dict)

    def run(self) -> Finish | None:
        """Walk outward; the shortest finish, or None where no goal lies within the limit."""
        self.arrivals.append(Arrival(0.0, START, 1, 0.0, inner.TURN, START, self.start, self.start))
        self._expand(0)
        free, done, heap = self.local.free, self._done, self._heap
        apron = self.local.shared.apron if self.resting else None
        while heap:
            _, _, step, key = heappop(heap)
            if key in done:
                continue
            (lx, ly), (x, y) = step.left, step.at
            if isinstance(step, Finish):
                if free(lx, ly, x, y) and (apron is None or apron.holds(x, y)):
                    return step
                continue
            if self._is_beaten(step):
                continue
            done.add(key)
            if not free(lx, ly, x, y):
                continue
            self.arrivals.append(step)
            self._reached.setdefault(2 * step.circle + (step.turn > 0), []).append(step)
            self._expand(len(self.arrivals) - 1)
        return None

    def _is_beaten(self, step: Arrival) -> bool:
        """Whether an earlier arrival gets round the circle to this place for no more."""
        earlier = self._reached.get(2 * step.circle + (step.turn > 0))
        if not earlier:
            return False
        radius = self.local.circles[step.circle][2]
        for other in earlier:
            turned = inner.sweep(other.angle, step.angle, step.turn)
            if turned <= other.run + inner.NOISE and other.cost + radius * turned <= step.cost + 1e-12:
                return True
        return False

    def _push(self, step: Arrival | Finish, key: int) -> None:
        x, y = step.at
        bound = step.cost
        if self.aim is not None:
            ax, ay, reach = self.aim
            away = sqrt((x - ax) * (x - ax) + (y - ay) * (y - ay)) - reach
            bound += away if away > 0.0 else 0.0
        if bound <= self.limit:
            self._count += 1
            heappush(self._heap, (bound, self._count, step, key))

    def _expand(self, number: int) -> None:
        """Offer every tangent that leaves the arc of an arrival."""
        here = self.arrivals[number]
        cost, turn, angle, run = here.cost, here.turn, here.angle, here.run + inner.NOISE
        radius = self.local.circles[here.circle][2] if here.circle != START else 0.0
        for goal in self.goals:
            finish = leave_for(self.local, here, number, goal)
            if finish is not None:
                self._push(finish, -1)
        side = 2 * here.circle + (turn > 0)
        exits = self._exits.get(side)
        if exits is None:
            exits = self._exits[side] = exits_from(self.local, here, self.limit)
        done, limit = self._done, self.limit
        for key, circle, onward, leave, left, size, arrive, ahead, at in exits:
            if key in done:
                continue
            turned = (leave - angle if turn > 0 else angle - leave) % inner.TURN if radius > 0.0 else 0.0
            if turned > inner.TURN - inner.NOISE:
                turned = 0.0
            total = cost + radius * turned + size
            if turned <= run and total <= limit:
                self._push(Arrival(total, circle, onward, arrive, ahead, number, left, at), key)


def exits_from(local: Local, here: Arrival, limit: Inches) -> list[Exit]:
    """Tangents from one side of a circle (or from the start) to every circle, walls between not yet looked at."""
    circles, slack = local.circles, local.shared.slack
    source, turn = here.circle, here.turn
    ax, ay, aradius = (*here.at, 0.0) if source == START else circles[source]
    arcs: inner.Blocked = () if source == START else local.blocked(source)
    base = 2 * (source + 1) + (turn > 0)
    exits = []
    for j, (bx, by, bradius) in enumerate(circles):
        if j == source:
            continue
        for onward in (1, -1):
            line = inner.tangent(ax, ay, aradius, turn, bx, by, bradius, onward, slack)
            if line is None or line[0] > limit:
                continue
            size, dx, dy = line
            leave = atan2(-turn * dx, turn * dy)
            if arcs and inner.free_run(arcs, leave, turn) < 0.0:
                continue
            angle = atan2(-onward * dx, onward * dy)
            run = inner.free_run(local.blocked(j), angle, onward) if bradius > 0.0 else inner.TURN
            if run < 0.0:
                continue
            left = (ax + turn * aradius * dy, ay - turn * aradius * dx)
            at = (bx + onward * bradius * dy, by - onward * bradius * dx)
            key = 2 * (base * len(circles) + j) + (onward > 0)
            exits.append(Exit(key, j, onward, leave, left, size, angle, run, at))
    return exits


def leave_for(local: Local, here: Arrival, number: int, goal: Disc) -> Finish | None:
    """The tangent from an arrival's arc to a goal, if the arc is free; walls on the straight part not looked at."""
    x, y, reach = goal
    if here.circle == START:
        dx, dy = x - here.at[0], y - here.at[1]
        away = sqrt(dx * dx + dy * dy)
        if away < reach or away == 0.0:
            return None
        rest = (away - reach) / away
        return Finish(away - reach, number, here.at, (here.at[0] + rest * dx, here.at[1] + rest * dy))
    cx, cy, radius = local.circles[here.circle]
    line = inner.tangent(cx, cy, radius, here.turn, x, y, 0.0, 1, local.shared.slack)
    if line is None or line[0] < reach - inner.NOISE:
        return None
    size, dx, dy = line
    leave = atan2(-here.turn * dx, here.turn * dy)
    turned = inner.sweep(here.angle, leave, here.turn) if radius > 0.0 else 0.0
    if turned > here.run + inner.NOISE:
        return None
    left = (cx + here.turn * radius * dy, cy - here.turn * radius * dx)
    size = size - reach if size > reach else 0.0
    end = (x, y) if reach == 0.0 else (left[0] + size * dx, left[1] + size * dy)
    return Finish(here.cost + radius * turned + size, number, left, end)


def way_of(local: Local, arrivals: Sequence[Arrival], finish: Finish, budget: Inches) -> Way:
    """The legs of a way that ends with a finish."""
    chain = []
    number = finish.before
    while number != START:
        chain.append(arrivals[number])
        number = arrivals[number].before
    chain.reverse()
    here = chain[0].at
    points: list[Point] = [here]
    legs: list[Leg] = []
    steps = [(arrival.left, arrival.at) for arrival in chain[1:]] + [(finish.left, finish.at)]
    for on, (left, at) in zip(chain, steps, strict=True):
        if on.circle != START:
            cx, cy, radius = local.circles[on.circle]
            turned = inner.sweep(on.angle, atan2(left[1] - cy, left[0] - cx), on.turn)
            if radius * turned > inner.NOISE:
                legs.append(Bend((cx, cy), left, LEFT if on.turn > 0 else RIGHT))
                points.append(left)
                here = left
        if length(at[0] - here[0], at[1] - here[1]) > inner.NOISE:
            legs.append(Straight(at))
            points.append(at)
            here = at
    return Way(cost=finish.cost, legs=tuple(legs), margin=budget - finish.cost, points=tuple(points))


def shortest(scene: Scene, start: Point, goal: Point, budget: Inches, *, resting: bool = True) -> Way | None:
    """The shortest way of a base's centre from one place to another.

    Args:
        scene: the base and what stands in its way.
        start: where the centre is, x and y in inches; discs that hold it count as shrunk to where it stands.
        goal: where the centre is to come to rest.
        budget: inches that may be walked; infinite for no limit.
        resting: False where the base only passes the goal, so that it may stick out over the border of its surface.

    Returns:
        The way, or None where none is within the budget (by the tolerance of the tape).
    """
    start, goal = as_floats(start), as_floats(goal)
    limit = limit_of(budget)
    away = length(goal[0] - start[0], goal[1] - start[1])
    if away > limit:
        return None
    twin = twins.compiled()
    if twin is not None and scene.packed().is_flat:
        _, rows, discs = scene.packed()
        kind, cost, legs = twin.shortest_way(rows, discs, *start, *goal, float(limit))
        if kind == kernels.BENT:
            return way_of_rows(start, cost, legs, budget)
        return straight_way(start, goal, budget) if kind == kernels.STRAIGHT else None
    return _plain_shortest(scene, start, goal, budget, resting=resting)


def _plain_shortest(scene: Scene, start: Point, goal: Point, budget: Inches, *, resting: bool) -> Way | None:
    """What `shortest` answers, by the plain code."""
    limit = limit_of(budget)
    away = length(goal[0] - start[0], goal[1] - start[1])
    local = local_of(scene, start, goal, away, goal_in=True)
    if local is None or not local.may_stand(*goal, whole=resting):
        return None
    if away <= inner.NOISE or local.free(*start, *goal):
        return straight_way(start, goal, budget)
    aim = (*goal, 0.0)
    for bound in (1.1 * away + 1.0, 1.5 * away + 4.0, limit):
        # A low limit leaves little to look at, and finds most ways.
        local = local_of(scene, start, goal, min(bound, limit), goal_in=True)
        if local is None:
            return None
        search = Search(local=local, start=start, limit=min(bound, limit), goals=(aim,), aim=aim, resting=resting)
        finish = search.run()
        if finish is not None:
            return way_of(local, search.arrivals, finish, budget)
        if bound >= limit:
            break
    return None


def as_floats(point: Point) -> Point:
    """A place with coordinates that are floats and not whole numbers: compiled code tells the two apart."""
    return float(point[0]), float(point[1])


def way_of_rows(start: Point, cost: Inches, rows: NDArray[np.float64], budget: Inches) -> Way:
    """The way whose legs a kernel has put down (see `kernels.legs_of`)."""
    points: list[Point] = [start]
    legs: list[Leg] = []
    for bends, x, y, cx, cy, turn in rows.tolist():
        legs.append(Bend((cx, cy), (x, y), LEFT if turn > 0.0 else RIGHT) if bends else Straight((x, y)))
        points.append((x, y))
    return Way(cost=cost, legs=tuple(legs), margin=budget - cost, points=tuple(points))


def straight_way(start: Point, goal: Point, budget: Inches) -> Way:
    """The way of one straight leg, or of none where start and goal are the same."""
    away = length(goal[0] - start[0], goal[1] - start[1])
    if away <= inner.NOISE:
        return Way(cost=away, legs=(), margin=budget - away, points=(start,))
    return Way(cost=away, legs=(Straight(goal),), margin=budget - away, points=(start, goal))
