"""The tangent graph of a scene as a networkx graph: for routes across the whole table, and as a second opinion.

A node is a tangent point of a circle together with the sense of turning; an edge is a free straight piece between two
circles or a free arc from one tangent point to the next. Start and goal are joined for a query and taken out again.

Reference: Y.-H. Liu and S. Arimoto, "Computation of the tangent graph of polygonal obstacles by moving-line
processing", IEEE Trans. Robotics and Automation 10 (1994).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise
from math import cos, inf, sin
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from tactician.rules.core.arcs import LEFT, RIGHT
from tactician.rules.core.legs import Bend, Leg, Straight
from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import Point, length
from tactician.rules.paths import inner, search
from tactician.rules.paths.batch import Batch
from tactician.rules.paths.scene import Local, Scene, Way, limit_of, whole_local

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["TangentGraph", "tangent_graph"]

START, GOAL = -1, -2
Floats = NDArray[np.float64]
Signs = NDArray[np.int_]
Side = tuple[int, int]
"""A circle and the sense of turning about it."""


class Touch(NamedTuple):
    """A tangent point: the circle, the sense of turning and the angle."""

    circle: int
    turn: int
    angle: float


class TangentGraph:
    """Bitangents and arcs of a scene, with questions of shortest ways.

    One graph answers one question at a time: the start and the goal are nodes of it meanwhile.
    """

    def __init__(self, scene: Scene) -> None:
        """Find every free bitangent and every free arc between tangent points."""
        import networkx as nx

        self.scene = scene
        self.local: Local = whole_local(scene)
        self._batch = Batch(self.local)
        self.nodes: list[Touch] = []
        self.graph: nx.DiGraph[int] = nx.DiGraph()
        self._sides: dict[Side, list[int]] = {}
        self._keys: dict[Side, list[float]] = {}
        for tail, head, size in bitangents(self.local, self._batch):
            self.graph.add_edge(self._node(tail), self._node(head), weight=size)
        self._join_arcs()

    def _node(self, touch: Touch) -> int:
        number = len(self.nodes)
        self.nodes.append(touch)
        self._sides.setdefault((touch.circle, touch.turn), []).append(number)
        return number

    def _join_arcs(self) -> None:
        """Chain the tangent points of each side of each circle by their free arcs."""
        for side, numbers in self._sides.items():
            numbers.sort(key=lambda number: (_along(self.nodes[number]), number))
            self._keys[side] = [_along(self.nodes[number]) for number in numbers]
            if len(numbers) > 1:
                for one, other in pairwise([*numbers, numbers[0]]):
                    self._arc(one, other)

    def _arc(self, one: int, other: int) -> None:
        circle, turn, angle = self.nodes[one]
        radius = self.local.circles[circle][2]
        turned = inner.sweep(angle, self.nodes[other].angle, turn)
        if radius == 0.0 or turned <= inner.free_run(self.local.blocked(circle), angle, turn) + inner.NOISE:
            self.graph.add_edge(one, other, weight=radius * turned)
        if turned < inner.NOISE:
            self.graph.add_edge(other, one, weight=0.0)

    def place(self, number: int) -> Point:
        """Where a node lies."""
        circle, _, angle = self.nodes[number]
        return _on(self.local.circles[circle], angle)

    def shortest(self, start: Point, goal: Point, budget: Inches) -> Way | None:
        """The shortest way of a base's centre from one place to another, as `search.shortest` answers it.

        A start or goal within a circle (engaged, or sunk into a wall by the tolerance) changes the circles, so that the
        question is handed to the search.
        """
        limit = limit_of(budget)
        away = length(goal[0] - start[0], goal[1] - start[1])
        if away > limit:
            return None
        if self._is_within(start) or self._is_within(goal):
            return search.shortest(self.scene, start, goal, budget)
        local = self.local
        if not (local.may_lie(*start, whole=False) and local.may_lie(*goal, whole=True)):
            return None
        if away <= inner.NOISE or local.free(*start, *goal):
            return search.shortest(self.scene, start, goal, budget)
        for bound in (1.1 * away + 1.0, 1.5 * away + 4.0, limit):
            way = self._within(start, goal, min(bound, limit), budget)
            if way is not None or bound >= limit:
                return way
        return None

    def _within(self, start: Point, goal: Point, limit: Inches, budget: Inches) -> Way | None:
        """The shortest way if it is no longer than the limit; a low limit leaves few tangents to be measured."""
        import networkx as nx

        self.graph.add_nodes_from((START, GOAL))
        try:
            self._join(start, goal, limit)
            cutoff = None if limit == inf else limit
            path = nx.astar_path(self.graph, START, GOAL, self._distance_to(goal), "weight", cutoff=cutoff)
            return self._way([int(node) for node in path], start, goal, budget)
        except nx.NetworkXNoPath:
            return None
        finally:
            self.graph.remove_nodes_from((START, GOAL))

    def _distance_to(self, goal: Point) -> Callable[[int, int], float]:
        gx, gy = goal

        def distance(node: int, _goal: int) -> float:
            if node < 0:
                return 0.0
            x, y = self.place(node)
            return length(x - gx, y - gy)

        return distance

    def _is_within(self, point: Point) -> bool:
        """Whether a point lies in a circle, or nearer to an edge than the radius, so that limits must be lowered."""
        radius = self.local.shared.radius - inner.NOISE
        return self._batch.is_in_circle(*point, inner.NOISE) or self._batch.edge_distance(*point) < radius

    def _join(self, start: Point, goal: Point, limit: Inches) -> None:
        """Add the tangents of the start and of the goal as edges that include the arc to or from the nearest node."""
        local = self.local
        into, out = _tangents(local, self._batch, start, goal, limit)
        best: tuple[float, Touch, Touch] | None = None
        for side in [*into, *(side for side in out if side not in into)]:
            circle, turn = side
            radius = local.circles[circle][2]
            numbers, keys = self._sides.get(side, []), self._keys.get(side, [])
            if side in into and numbers:
                size, angle = into[side]
                key = (_along(Touch(circle, turn, angle)) - inner.NOISE) % inner.TURN
                after = numbers[bisect_left(keys, key) % len(numbers)]
                turned = self._turned(side, angle, self.nodes[after].angle)
                if turned is not None:
                    self.graph.add_edge(START, after, weight=size + radius * turned, via=Touch(circle, turn, angle))
            if side in out and numbers:
                size, angle = out[side]
                key = (_along(Touch(circle, turn, angle)) + inner.NOISE) % inner.TURN
                before = numbers[bisect_right(keys, key) - 1]
                turned = self._turned(side, self.nodes[before].angle, angle)
                if turned is not None:
                    self.graph.add_edge(before, GOAL, weight=size + radius * turned, via=Touch(circle, turn, angle))
            if side in into and side in out:
                turned = self._turned(side, into[side][1], out[side][1])
                if turned is not None:
                    total = into[side][0] + radius * turned + out[side][0]
                    pair = (total, Touch(circle, turn, into[side][1]), Touch(circle, turn, out[side][1]))
                    best = pair if best is None else min(best, pair)
        if best is not None:
            self.graph.add_edge(START, GOAL, weight=best[0], via=best[1:])

    def _turned(self, side: Side, start: float, end: float) -> float | None:
        """Radians from one angle of a side to another, if the arc is free."""
        circle, turn = side
        if self.local.circles[circle][2] == 0.0:
            return 0.0
        turned = inner.sweep(start, end, turn)
        run = inner.free_run(self.local.blocked(circle), start, turn)
        return turned if turned <= run + inner.NOISE else None

    def _way(self, path: list[int], start: Point, goal: Point, budget: Inches) -> Way:
        """Turn a path of nodes into legs."""
        touches: list[Touch] = []
        total = 0.0
        for one, other in pairwise(path):
            facts = self.graph.edges[one, other]
            total += facts["weight"]
            if (one, other) == (START, GOAL):
                touches += facts["via"]
            elif one == START:
                touches += [facts["via"], self.nodes[other]]
            elif other == GOAL:
                touches.append(facts["via"])
            else:
                touches.append(self.nodes[other])
        legs, points = _legs(self.local, touches, start, goal)
        return Way(cost=total, legs=legs, margin=budget - total, points=points)


@lru_cache(maxsize=32)
def tangent_graph(scene: Scene) -> TangentGraph:
    """The tangent graph of a scene, remembered by the scene itself."""
    return TangentGraph(scene)


def _along(touch: Touch) -> float:
    """How far round its circle a touch lies, in the sense of its turning."""
    turned = (touch.turn * touch.angle) % inner.TURN
    return turned if turned < inner.TURN else 0.0


def _on(circle: tuple[float, float, float], angle: float) -> Point:
    x, y, radius = circle
    return x + radius * cos(angle), y + radius * sin(angle)


def _legs(local: Local, touches: list[Touch], start: Point, goal: Point) -> tuple[tuple[Leg, ...], tuple[Point, ...]]:
    """Straight legs between circles and one bend along each."""
    legs: list[Leg] = []
    points = [start]

    def straight(to: Point) -> None:
        if length(to[0] - points[-1][0], to[1] - points[-1][1]) > inner.NOISE:
            legs.append(Straight(to))
            points.append(to)

    i = 0
    while i < len(touches):
        last = i
        while last + 1 < len(touches) and touches[last + 1][:2] == touches[i][:2]:
            last += 1
        circle, turn, angle = touches[i]
        x, y, radius = local.circles[circle]
        straight(_on(local.circles[circle], angle))
        if radius * inner.sweep(angle, touches[last].angle, turn) > inner.NOISE:
            to = _on(local.circles[circle], touches[last].angle)
            legs.append(Bend((x, y), to, LEFT if turn > 0 else RIGHT))
            points.append(to)
        i = last + 1
    straight(goal)
    return tuple(legs), tuple(points)


def _tangents(
    local: Local, batch: Batch, start: Point, goal: Point, limit: Inches
) -> tuple[dict[Side, tuple[float, float]], dict[Side, tuple[float, float]]]:
    """Free tangents from the start to each side of each circle, and from there to the goal: length and angle of each.

    Left out are those that no way within the limit can use. All are worked out in one go: first the start's, then the
    goal's, each for left turns and then for right turns.
    """
    circles = batch.circles
    count = len(circles)
    owner = np.tile(np.arange(count), 4)
    turns = np.repeat((1, -1, 1, -1), count)
    is_goal = np.repeat((False, True), 2 * count)
    rings = circles[owner]
    points = np.where(is_goal[:, None], (*goal, 0.0), (*start, 0.0))
    inward = _lines(points[: 2 * count], rings[: 2 * count], 1, turns[: 2 * count], local.shared.slack)
    outward = _lines(rings[2 * count :], points[2 * count :], turns[2 * count :], 1, local.shared.slack)
    size = np.concatenate((inward[0], outward[0]))
    angle = np.concatenate((inward[2], outward[1]))
    good = np.concatenate((inward[3], outward[3]))
    x, y = _touched(rings, angle)
    beyond = np.where(is_goal[:, None], start, goal)
    good &= size + np.sqrt((x - beyond[:, 0]) ** 2 + (y - beyond[:, 1]) ** 2) <= limit
    good &= batch.open_at(owner, angle)
    rows = np.nonzero(good)[0]
    rows = rows[batch.free(points[rows, 0], points[rows, 1], x[rows], y[rows])]
    into: dict[Side, tuple[float, float]] = {}
    out: dict[Side, tuple[float, float]] = {}
    for i in rows.tolist():
        (out if i >= 2 * count else into)[i % count, int(turns[i])] = (float(size[i]), float(angle[i]))
    return into, out


def bitangents(local: Local, batch: Batch) -> Iterator[tuple[Touch, Touch, Inches]]:
    """Every free bitangent, once in each direction.

    Lengths and angles of all pairs are worked out at once; only those that touch both circles where these are free are
    measured against the walls.
    """
    circles = batch.circles
    first, second = np.triu_indices(len(circles), 1)
    for turn in (1, -1):
        for onward in (1, -1):
            size, leave, arrive, good = _lines(circles[first], circles[second], turn, onward, local.shared.slack)
            good &= batch.open_at(first, leave) & batch.open_at(second, arrive)
            rows = np.nonzero(good)[0]
            tails, heads = first[rows], second[rows]
            free = batch.free(*_touched(circles[tails], leave[rows]), *_touched(circles[heads], arrive[rows]))
            for k in rows[free].tolist():
                tail = Touch(int(first[k]), turn, float(leave[k]))
                head = Touch(int(second[k]), onward, float(arrive[k]))
                inches = float(size[k])
                yield tail, head, inches
                yield head._replace(turn=-onward), tail._replace(turn=-turn), inches


def _touched(circles: Floats, angles: Floats) -> tuple[Floats, Floats]:
    """Places at angles of circles."""
    return circles[:, 0] + circles[:, 2] * np.cos(angles), circles[:, 1] + circles[:, 2] * np.sin(angles)


def _lines(
    one: Floats, other: Floats, turn: int | Signs, onward: int | Signs, slack: float
) -> tuple[Floats, Floats, Floats, NDArray[np.bool_]]:
    """`inner.tangent` for many pairs of circles: lengths, angles of leaving and arriving, and which of them exist."""
    dx, dy = other[:, 0] - one[:, 0], other[:, 1] - one[:, 1]
    square = dx * dx + dy * dy
    k = onward * other[:, 2] - turn * one[:, 2]
    rest = square - k * k
    over = np.abs(k) - np.sqrt(square)
    facing = (one[:, 2] == 0.0) | (other[:, 2] == 0.0) | (turn != onward)
    good = (square > 0.0) & ((rest > 0.0) | (over <= np.where(facing, slack, 1e-12)))
    straight = rest > 0.0
    size = np.where(straight, np.sqrt(np.maximum(rest, 0.0)), 0.0)
    divisor = np.where(square > 0.0, square, 1.0)
    held = np.where(straight, k, np.sign(k) * np.sqrt(square))
    ux, uy = (size * dx + held * dy) / divisor, (size * dy - held * dx) / divisor
    return (
        np.where(straight, size, np.maximum(over, 0.0)),
        np.arctan2(-turn * ux, turn * uy),
        np.arctan2(-onward * ux, onward * uy),
        good,
    )
