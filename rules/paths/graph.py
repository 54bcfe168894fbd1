"""The tangent graph of a scene as a networkx graph: for routes across the whole table, and as a second opinion.

A node is a tangent point of a circle together with the sense of turning; an edge is a free straight piece between two
circles or a free arc from one tangent point to the next. Start and goal are joined for a query and taken out again.

Reference: Y.-H. Liu and S. Arimoto, "Computation of the tangent graph of polygonal obstacles by moving-line
processing", IEEE Trans. Robotics and Automation 10 (1994).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from itertools import pairwise
from math import atan2, cos, inf, sin, sqrt
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from tactician.rules.core.arcs import LEFT, RIGHT
from tactician.rules.core.legs import Bend, Leg, Straight
from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import Point, length
from tactician.rules.paths import inner, kernels, search, twins
from tactician.rules.paths.batch import Batch
from tactician.rules.paths.scene import Local, Scene, Way, limit_of, whole_local

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["TangentGraph", "tangent_graph"]

START, GOAL = -1, -2
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
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

    One graph answers one question at a time: the start and the goal are nodes of it meanwhile. Each bitangent has four
    nodes, two for either direction.
    """

    def __init__(self, scene: Scene) -> None:
        """Find every free bitangent and every free arc between tangent points."""
        import networkx as nx

        self.scene = scene
        self.local: Local = whole_local(scene)
        twin = twins.compiled()
        self._by: _Measures = _PlainMeasures(self.local)
        if twin is not None and scene.packed().is_flat:
            self._by = _KernelMeasures(twin, self.local, scene.packed().rows)
        ends, sizes = self._by.bitangents()
        back = ends[:, (2, 3, 0, 1)] * (1, -1, 1, -1)
        self._sides: Ints = np.concatenate([ends, back], axis=1).reshape(-1, 2)
        self._angles: Floats = sizes[:, (0, 1, 1, 0)].reshape(-1)
        self.graph: nx.DiGraph[int] = nx.DiGraph()
        tails = range(0, len(self._angles), 2)
        weights = np.repeat(sizes[:, 2], 2).tolist()
        self.graph.add_weighted_edges_from(zip(tails, range(1, len(self._angles), 2), weights, strict=True))
        self._chain()
        self._places: list[Point] = list(zip(*(row.tolist() for row in self._touched()), strict=True))

    def _chain(self) -> None:
        """Sort the tangent points of each side of each circle and chain them by their free arcs."""
        sides, count = self._sides, len(self._angles)
        along = (sides[:, 1] * self._angles) % inner.TURN
        along[along >= inner.TURN] = 0.0
        codes = 2 * sides[:, 0] + (sides[:, 1] > 0)
        order = np.lexsort((np.arange(count), along, codes))
        self._order: list[int] = order.tolist()
        self._keys: list[float] = along[order].tolist()
        marks = np.searchsorted(codes[order], np.arange(2 * len(self.local.circles) + 1))
        self._begins: list[int] = marks.tolist()
        onward = np.arange(1, count + 1)
        lasts = marks[1:][marks[1:] > marks[:-1]] - 1
        onward[lasts] = marks[:-1][marks[1:] > marks[:-1]]
        pairs = np.stack([order, order[onward]], axis=1)
        pairs = np.ascontiguousarray(pairs[pairs[:, 0] != pairs[:, 1]])
        turned = self._by.arcs(sides, self._angles, pairs)
        self._add_arcs(pairs[turned >= 0.0], turned[turned >= 0.0])

    def _add_arcs(self, pairs: Ints, turned: Floats) -> None:
        radii = np.array([radius for _, _, radius in self.local.circles])
        weights = (radii[self._sides[pairs[:, 0], 0]] * turned).tolist()
        self.graph.add_weighted_edges_from(zip(*pairs.T.tolist(), weights, strict=True))
        same = pairs[turned < inner.NOISE]
        self.graph.add_weighted_edges_from((head, tail, 0.0) for tail, head in same.tolist())

    def _touched(self) -> tuple[Floats, Floats]:
        circles = np.array(self.local.circles, dtype=np.float64).reshape(-1, 3)
        return _touched(circles[self._sides[:, 0]], self._angles)

    def touch(self, number: int) -> Touch:
        """The tangent point that a node stands for."""
        circle, turn = self._sides[number].tolist()
        return Touch(circle, turn, float(self._angles[number]))

    def place(self, number: int) -> Point:
        """Where a node lies."""
        return self._places[number]

    def shortest(self, start: Point, goal: Point, budget: Inches) -> Way | None:
        """The shortest way of a base's centre from one place to another, as `search.shortest` answers it.

        A start or goal within a circle (engaged, or sunk into a wall by the tolerance) changes the circles, so that the
        question is handed to the search.
        """
        start, goal = search.as_floats(start), search.as_floats(goal)
        limit = limit_of(budget)
        away = length(goal[0] - start[0], goal[1] - start[1])
        if away > limit:
            return None
        for bound in (1.1 * away + 1.0, 1.5 * away + 4.0, limit):
            kind, ends, sizes = self._by.ends(start, goal, min(bound, limit))
            if kind == kernels.HAND_OVER:
                return search.shortest(self.scene, start, goal, budget)
            if kind == kernels.CLOSED:
                return None
            way = self._within(start, goal, min(bound, limit), budget, ends, sizes)
            if way is not None or bound >= limit:
                return way
        return None

    def _within(
        self, start: Point, goal: Point, limit: Inches, budget: Inches, ends: Ints, sizes: Floats
    ) -> Way | None:
        """The shortest way if it is no longer than the limit; a low limit leaves few tangents to be measured."""
        import networkx as nx

        self.graph.add_nodes_from((START, GOAL))
        try:
            self._join(ends, sizes)
            cutoff = None if limit == inf else limit
            path = nx.astar_path(self.graph, START, GOAL, self._distance_to(goal), "weight", cutoff=cutoff)
            return self._way([int(node) for node in path], start, goal, budget)
        except nx.NetworkXNoPath:
            return None
        finally:
            self.graph.remove_nodes_from((START, GOAL))

    def _distance_to(self, goal: Point) -> Callable[[int, int], float]:
        (gx, gy), places = goal, self._places

        def distance(node: int, _goal: int) -> float:
            if node < 0:
                return 0.0
            x, y = places[node]
            return sqrt((x - gx) * (x - gx) + (y - gy) * (y - gy))

        return distance

    def _join(self, ends: Ints, sizes: Floats) -> None:
        """Add the tangents of the start and of the goal as edges that include the arc to or from the nearest node."""
        sides: dict[Side, list[tuple[float, float] | None]] = {}
        for (at_goal, circle, turn), (size, angle) in zip(ends.tolist(), sizes.tolist(), strict=True):
            sides.setdefault((circle, turn), [None, None])[at_goal] = (size, angle)
        best: tuple[float, Touch, Touch] | None = None
        for side, (into, out) in sides.items():
            if into is not None:
                self._join_start(side, *into)
            if out is not None:
                self._join_goal(side, *out)
            if into is not None and out is not None:
                turned = self._turned(side, into[1], out[1])
                if turned is not None:
                    total = into[0] + self.local.circles[side[0]][2] * turned + out[0]
                    pair = (total, Touch(*side, into[1]), Touch(*side, out[1]))
                    best = pair if best is None else min(best, pair)
        if best is not None:
            self.graph.add_edge(START, GOAL, weight=best[0], via=best[1:])

    def _join_start(self, side: Side, size: Inches, angle: float) -> None:
        low, high = self._nodes_of(side)
        if low < high:
            place = bisect_left(self._keys, (_along(side[1], angle) - inner.NOISE) % inner.TURN, low, high)
            after = self._order[place if place < high else low]
            turned = self._turned(side, angle, float(self._angles[after]))
            if turned is not None:
                weight = size + self.local.circles[side[0]][2] * turned
                self.graph.add_edge(START, after, weight=weight, via=Touch(*side, angle))

    def _join_goal(self, side: Side, size: Inches, angle: float) -> None:
        low, high = self._nodes_of(side)
        if low < high:
            place = bisect_right(self._keys, (_along(side[1], angle) + inner.NOISE) % inner.TURN, low, high)
            before = self._order[place - 1 if place > low else high - 1]
            turned = self._turned(side, float(self._angles[before]), angle)
            if turned is not None:
                weight = size + self.local.circles[side[0]][2] * turned
                self.graph.add_edge(before, GOAL, weight=weight, via=Touch(*side, angle))

    def _nodes_of(self, side: Side) -> tuple[int, int]:
        """Where the nodes of a side begin and end in the order along it."""
        code = 2 * side[0] + (side[1] > 0)
        return self._begins[code], self._begins[code + 1]

    def _turned(self, side: Side, start: float, end: float) -> float | None:
        """Radians from one angle of a side to another, if the arc is free."""
        circle, turn = side
        if self.local.circles[circle][2] == 0.0:
            return 0.0
        turned = inner.sweep(start, end, turn)
        run = inner.free_run(self._by.blocked(circle), start, turn)
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
                touches += [facts["via"], self.touch(other)]
            elif other == GOAL:
                touches.append(facts["via"])
            else:
                touches.append(self.touch(other))
        legs, points = _legs(self.local, touches, start, goal)
        return Way(cost=total, legs=legs, margin=budget - total, points=points)


@lru_cache(maxsize=32)
def tangent_graph(scene: Scene) -> TangentGraph:
    """The tangent graph of a scene, remembered by the scene itself."""
    return TangentGraph(scene)


def _along(turn: int, angle: float) -> float:
    """How far round its circle a tangent point lies, in the sense of its turning."""
    turned = (turn * angle) % inner.TURN
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


class _Measures(Protocol):
    """Who measures what a graph is made of, all of it at once."""

    def blocked(self, circle: int) -> inner.Blocked:
        """The blocked stretches of a circle."""

    def bitangents(self) -> tuple[Ints, Floats]:
        """Every free bitangent: circle and sense of turning at both ends (n, 4); both angles and the size (n, 3)."""

    def arcs(self, sides: Ints, angles: Floats, pairs: Ints) -> Floats:
        """Radians turned from one tangent point to another for each pair, -1 where the arc is blocked."""

    def ends(self, start: Point, goal: Point, limit: Inches) -> tuple[int, Ints, Floats]:
        """What to do with a question, and the tangents from its ends, as `kernels.graph_ends` puts them down."""


class _KernelMeasures:
    """The kernels measure."""

    def __init__(self, twin: ModuleType, local: Local, rows: kernels.Rows) -> None:
        self._twin, self._rows = twin, rows
        corners = len(local.shared.circles)
        known = [i if i < corners else -1 for i in range(len(local.circles))]
        self._circles = np.array(local.circles, dtype=np.float64).reshape(-1, 3)
        self._near: kernels.Near = (
            True,
            np.array(local.edges, dtype=np.float64).reshape(-1, 7),
            np.array(local.discs, dtype=np.float64).reshape(-1, 3),
            self._circles,
            np.array(known, dtype=np.int64),
            np.array(local.box),
        )
        self._table, self._ends, self._sizes = twin.bitangents(rows, self._near)

    def blocked(self, circle: int) -> inner.Blocked:
        begins, many, spans = self._table
        first, count = int(begins[circle]), int(many[circle])
        return tuple((low, high) for low, high in spans[first : first + count].tolist())

    def bitangents(self) -> tuple[Ints, Floats]:
        return self._ends, self._sizes

    def arcs(self, sides: Ints, angles: Floats, pairs: Ints) -> Floats:
        sides, angles = np.ascontiguousarray(sides), np.ascontiguousarray(angles)
        turned: Floats = self._twin.arcs_between(self._table, self._circles, sides, angles, pairs)
        return turned

    def ends(self, start: Point, goal: Point, limit: Inches) -> tuple[int, Ints, Floats]:
        rows = (self._rows, self._near, self._table)
        found: tuple[int, Ints, Floats] = self._twin.graph_ends(*rows, *start, *goal, float(limit))
        return found


class _PlainMeasures:
    """The plain code measures, with numpy where many things are measured alike."""

    def __init__(self, local: Local) -> None:
        self._local = local

    @cached_property
    def _batch(self) -> Batch:
        return Batch(self._local)

    def blocked(self, circle: int) -> inner.Blocked:
        return self._local.blocked(circle)

    def bitangents(self) -> tuple[Ints, Floats]:
        ends: list[tuple[int, int, int, int]] = []
        sizes: list[tuple[float, float, float]] = []
        for turn in (1, -1):
            for onward in (1, -1):
                for i, j, size, ux, uy in _bitangents(self._local, self._batch, turn, onward):
                    ends.append((i, turn, j, onward))
                    sizes.append((atan2(-turn * ux, turn * uy), atan2(-onward * ux, onward * uy), size))
        return np.array(ends, dtype=np.int64).reshape(-1, 4), np.array(sizes, dtype=np.float64).reshape(-1, 3)

    def arcs(self, sides: Ints, angles: Floats, pairs: Ints) -> Floats:
        touches = list(zip(sides.tolist(), angles.tolist(), strict=True))
        found = []
        for one, other in pairs.tolist():
            (circle, turn), angle = touches[one]
            turned = inner.sweep(angle, touches[other][1], turn)
            is_free = self._local.circles[circle][2] == 0.0
            if not is_free and turned > inner.free_run(self._local.blocked(circle), angle, turn) + inner.NOISE:
                turned = -1.0
            found.append(turned)
        return np.array(found, dtype=np.float64)

    def ends(self, start: Point, goal: Point, limit: Inches) -> tuple[int, Ints, Floats]:
        local, nothing = self._local, (np.empty((0, 3), np.int64), np.empty((0, 2)))
        if self._is_within(start) or self._is_within(goal):
            return kernels.HAND_OVER, *nothing
        if not (local.may_lie(*start, whole=False) and local.may_lie(*goal, whole=True)):
            return kernels.CLOSED, *nothing
        if length(goal[0] - start[0], goal[1] - start[1]) <= inner.NOISE or local.free(*start, *goal):
            return kernels.HAND_OVER, *nothing
        return kernels.OPEN, *_tangents(local, self._batch, start, goal, limit)

    def _is_within(self, point: Point) -> bool:
        """Whether a point lies in a circle, or nearer to an edge than the radius, so that limits must be lowered."""
        radius = self._local.shared.radius - inner.NOISE
        return self._batch.is_in_circle(*point, inner.NOISE) or self._batch.edge_distance(*point) < radius


def _tangents(local: Local, batch: Batch, start: Point, goal: Point, limit: Inches) -> tuple[Ints, Floats]:
    """Free tangents from the start to each side of each circle, and from there to the goal.

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
    size, ux, uy, good = (np.concatenate(pair) for pair in zip(inward, outward, strict=True))
    x, y = rings[:, 0] + turns * rings[:, 2] * uy, rings[:, 1] - turns * rings[:, 2] * ux
    beyond = np.where(is_goal[:, None], start, goal)
    good = good & (size + np.sqrt((x - beyond[:, 0]) ** 2 + (y - beyond[:, 1]) ** 2) <= limit)
    good &= batch.open_at(owner, np.arctan2(-turns * ux, turns * uy))
    rows = np.nonzero(good)[0]
    rows = rows[batch.free(points[rows, 0], points[rows, 1], x[rows], y[rows])]
    ends = np.stack([is_goal[rows].astype(np.int64), owner[rows], turns[rows]], axis=1)
    angles = [atan2(-t * dx, t * dy) for t, dx, dy in zip(*(c[rows].tolist() for c in (turns, ux, uy)), strict=True)]
    return ends, np.stack([size[rows], np.array(angles, dtype=np.float64)], axis=1)


def _bitangents(local: Local, batch: Batch, turn: int, onward: int) -> Iterator[tuple[int, int, float, float, float]]:
    """Every free bitangent of these turns: the two circles, its length and its direction.

    Lengths and directions of all pairs are worked out at once; only those that touch both circles where these are free
    are measured against the walls.
    """
    circles = batch.circles
    first, second = np.triu_indices(len(circles), 1)
    size, ux, uy, good = _lines(circles[first], circles[second], turn, onward, local.shared.slack)
    good &= batch.open_at(first, np.arctan2(-turn * ux, turn * uy))
    good &= batch.open_at(second, np.arctan2(-onward * ux, onward * uy))
    rows = np.nonzero(good)[0]
    one, other, dx, dy = circles[first[rows]], circles[second[rows]], ux[rows], uy[rows]
    tail = (one[:, 0] + turn * one[:, 2] * dy, one[:, 1] - turn * one[:, 2] * dx)
    head = (other[:, 0] + onward * other[:, 2] * dy, other[:, 1] - onward * other[:, 2] * dx)
    rows = rows[batch.free(*tail, *head)]
    yield from zip(*(column[rows].tolist() for column in (first, second, size, ux, uy)), strict=True)


def _touched(circles: Floats, angles: Floats) -> tuple[Floats, Floats]:
    """Places at angles of circles."""
    return circles[:, 0] + circles[:, 2] * np.cos(angles), circles[:, 1] + circles[:, 2] * np.sin(angles)


def _lines(
    one: Floats, other: Floats, turn: int | Signs, onward: int | Signs, slack: float
) -> tuple[Floats, Floats, Floats, NDArray[np.bool_]]:
    """`inner.tangent` for many pairs of circles: lengths, directions (x, y), and which of them exist."""
    dx, dy = other[:, 0] - one[:, 0], other[:, 1] - one[:, 1]
    square = dx * dx + dy * dy
    k = onward * other[:, 2] - turn * one[:, 2]
    rest = square - k * k
    away = np.sqrt(square)
    over = np.abs(k) - away
    facing = (one[:, 2] == 0.0) | (other[:, 2] == 0.0) | (turn != onward)
    good = (square > 0.0) & ((rest > 0.0) | (over <= np.where(facing, slack, 1e-12)))
    straight = rest > 0.0
    size = np.sqrt(np.where(straight, rest, 0.0))
    divisor, distance, sign = np.where(good, square, 1.0), np.where(good, away, 1.0), np.where(k > 0.0, 1.0, -1.0)
    ux = np.where(straight, (size * dx + k * dy) / divisor, sign * dy / distance)
    uy = np.where(straight, (size * dy - k * dx) / divisor, -sign * dx / distance)
    return np.where(straight, size, over), ux, uy, good
