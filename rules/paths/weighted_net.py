"""A net of places on ground that costs, and the cheapest way along it.

A way over such ground bends at borders of regions, at their corners, and about the corners of walls, bases and
obstacles. The net has places on all of these: every so often along each border, at the feet of start and goal, where
the straight line crosses, and at both ends of every free arc and between. Legs join any two places that see each other
and are priced exactly, so that only the bends are approximate; `weighted_bend` then moves them to where they belong.

Rows of the net are worked out when the search first comes to a place, for several places at once with numpy.

References: L. Aleksandrov, A. Maheshwari and J.-R. Sack, "Determining approximate shortest paths on weighted polyhedral
surfaces", Journal of the ACM 52 (2005): places along borders; P. Hart, N. Nilsson and B. Raphael (1968): the search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush, nsmallest
from itertools import pairwise
from math import ceil, inf, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tactician.rules.core.arcs import LEFT, RIGHT
from tactician.rules.core.legs import Bend
from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import Point
from tactician.rules.paths import inner
from tactician.rules.paths.scene import Local
from tactician.rules.paths.weighted_goal import Aim, End, slope_at
from tactician.rules.paths.weighted_ground import Ground
from tactician.rules.paths.weighted_rims import Rims, arcs_of

__all__ = ["Net", "Node"]

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

AT_ONCE = 8
"""Places whose rows are worked out together."""


class Node(NamedTuple):
    """A place of the net: the border it lies on, or the circle and the angle there; -1 for none."""

    at: Point
    border: int = -1
    circle: int = -1
    angle: float = 0.0


@dataclass(slots=True)
class Net:
    """The net for one question."""

    ground: Ground
    local: Local
    rims: Rims
    start: Point
    aim: Aim
    ends: Sequence[End]
    bound: Inches
    """No way dearer than this is of interest."""
    step: Inches
    """Inches between places along borders."""
    nodes: list[Node] = field(init=False, default_factory=list)
    _links: dict[int, list[tuple[int, int]]] = field(init=False, default_factory=dict)
    _rows: dict[int, tuple[list[int], list[float], list[bool]]] = field(init=False, default_factory=dict)
    _first_end: int = field(init=False)
    _x: Floats = field(init=False)
    _y: Floats = field(init=False)
    _low: Floats = field(init=False)
    _high: Floats = field(init=False)
    _planes: Floats = field(init=False)
    _sides: tuple[Floats, Floats, Floats] = field(init=False)
    _side_owner: Ints = field(init=False)
    _posts: Floats = field(init=False)
    _post_owner: Ints = field(init=False)
    _inside: Bools = field(init=False)

    def __post_init__(self) -> None:
        """Put down the places."""
        self.nodes.append(Node(self.start))
        self._along_borders()
        self._in_notches()
        self._about_circles()
        self._first_end = len(self.nodes)
        self.nodes += [Node(end.at) for end in self.ends]
        self._measure()

    # ---- places ------------------------------------------------------------------------------------------------------

    def _along_borders(self) -> None:
        """Places along the borders of regions."""
        marks, rows = self._marks()
        if not marks:
            return
        places = np.array([self.ground.borders[row].at(mark) for mark, row in zip(marks, rows, strict=True)])
        x, y = places[:, 0], places[:, 1]
        good = slope_at(self.ground, self.start).of(x, y) + self.aim.bound(self.ground, x, y) <= self.bound
        good[good] = _stands(self.local, x[good], y[good])
        for i in np.nonzero(good)[0].tolist():
            at = (float(x[i]), float(y[i]))
            if not self.local.shared.inside_wall(*at):
                self.nodes.append(Node(at, border=rows[i]))

    def _marks(self) -> tuple[list[float], list[int]]:
        """Where to put places: inches along, and the border."""
        marks: list[float] = []
        rows: list[int] = []
        (sx, sy), middle = self.start, self.aim.middle()
        crossed: dict[int, list[Inches]] = {}
        for row, mark, _ in self.ground.joints:
            crossed.setdefault(row, []).append(mark)
        for row, border in enumerate(self.ground.borders):
            x, y, ux, uy, size, _ = border
            low = (sx - x) * ux + (sy - y) * uy
            high = (middle[0] - x) * ux + (middle[1] - y) * uy
            off, beyond = (sy - y) * ux - (sx - x) * uy, (middle[1] - y) * ux - (middle[0] - x) * uy
            bend = 1.0 / sqrt(self.ground.rates[row] ** 2 - 1.0)
            found = [*_about(low, abs(off), self.step, bend), *_about(high, abs(beyond), self.step, bend)]
            if off * beyond < 0.0:
                found.append(low + (high - low) * off / (off - beyond))
            count = max(2, ceil(size / self.step))
            found += crossed.get(row, ())
            here = [0.0, *(size * i / count for i in range(1, count)), *(m for m in found if 1e-3 < m < size - 1e-3)]
            marks += here
            rows += [row] * len(here)
        return marks, rows

    def _in_notches(self) -> None:
        """Places for ways that stay inside an obstacle that is not convex."""
        for obstacle in self.ground.obstacles:
            for x, y in obstacle.notches:
                if obstacle.holds(x, y) and self.local.may_stand(x, y, whole=False):
                    self.nodes.append(Node((x, y)))

    def _about_circles(self) -> None:
        """Places on the free arcs of circles, chained in both senses."""
        lights = (self.start, self.aim.middle())
        arcs = arcs_of(self.rims, self.ground, lights, self.step, self.local.shared.slack)
        marks = [(number, angle) for number, angles, _ in arcs for angle in angles]
        if not marks:
            return
        rings = np.array(self.rims.circles)[[number for number, _ in marks]]
        angles = np.array([angle for _, angle in marks])
        x, y = rings[:, 0] + rings[:, 2] * np.cos(angles), rings[:, 1] + rings[:, 2] * np.sin(angles)
        bound = slope_at(self.ground, self.start).of(x, y) + self.aim.bound(self.ground, x, y)
        places, kept = list(zip(x.tolist(), y.tolist(), strict=True)), (bound <= self.bound).tolist()
        first = 0
        for number, turns, closed in arcs:
            last = first + len(turns)
            numbers = []
            for i in range(first, last):
                numbers.append(len(self.nodes) if kept[i] else -1)
                if kept[i]:
                    self.nodes.append(Node(places[i], circle=number, angle=turns[i - first]))
            self._chain_up(numbers + numbers[:1] if closed else numbers)
            first = last

    def _chain_up(self, numbers: list[int]) -> None:
        """Link the neighbours on an arc, those left out aside."""
        for one, other in pairwise(numbers):
            if one >= 0 and other >= 0 and one != other:
                self._links.setdefault(one, []).append((other, 1))
                self._links.setdefault(other, []).append((one, -1))

    # ---- rows --------------------------------------------------------------------------------------------------------

    def _measure(self) -> None:
        """What the rows need of every place: bounds, and where it lies to every plane and side."""
        ground, local = self.ground, self.local
        places = np.array([node.at for node in self.nodes])
        x, y = self._x, self._y = np.ascontiguousarray(places[:, 0]), np.ascontiguousarray(places[:, 1])
        self._low = slope_at(ground, self.start).of(x, y)
        self._high = self.aim.bound(ground, x, y)
        nx, ny, d = ground.normals.T
        self._planes = x[:, None] * nx + y[:, None] * ny - d
        fees = [(edge, i) for i, obstacle in enumerate(ground.obstacles) for edge in obstacle.edges]
        sides = [(edge, -1) for edge in local.edges] + fees
        ex, ey, ux, uy, size, _, _ = np.array([edge for edge, _ in sides], dtype=np.float64).reshape(-1, 7).T
        dx, dy = x[:, None] - ex, y[:, None] - ey
        self._sides = (dx * ux + dy * uy, dy * ux - dx * uy, size)
        self._side_owner = np.array([owner for _, owner in sides], dtype=np.intp)
        ends = [(edge[0], edge[1], edge[6], owner) for edge, owner in sides]
        ends += [(edge[0] + edge[2] * edge[4], edge[1] + edge[3] * edge[4], edge[6], owner) for edge, owner in sides]
        ends += [(*disc, -1) for disc in local.discs]
        posts = list(dict.fromkeys((round(px, 9), round(py, 9), reach, owner) for px, py, reach, owner in ends))
        self._posts = np.array([post[:3] for post in posts], dtype=np.float64).reshape(-1, 3)
        self._post_owner = np.array([post[3] for post in posts], dtype=np.intp)
        holds = [[obstacle.holds(*node.at) for obstacle in ground.obstacles] for node in self.nodes]
        self._inside = np.array(holds, dtype=np.bool_).reshape(len(self.nodes), len(ground.obstacles))

    def _work_out(self, sources: list[int], least: Inches, best: list[Inches]) -> None:
        """Rows of some places: who can be reached on a straight leg, and for how much.

        Left out are legs of no use: all ways yet to come cost at least `least`, and `best` is what places cost so far.
        """
        us = np.array(sources, dtype=np.intp)
        low = np.maximum(self._low[us], least - self._high[us] - inner.NOISE)
        away = np.sqrt((self._x[us][:, None] - self._x) ** 2 + (self._y[us][:, None] - self._y) ** 2)
        reached = low[:, None] + away
        open_ = (reached + self._high <= self.bound) & (reached < np.array(best))
        open_[np.arange(len(us)), us] = False
        rows, to = np.nonzero(open_)
        cost = away[rows, to]
        at = us[rows]
        if len(self.ground.extras):
            cost = cost * self._mean_rates(at, to)
            kept = low[rows] + cost + self._high[to] <= self.bound
            rows, at, to, cost = rows[kept], at[kept], to[kept], cost[kept]
        near = self._near(at, to)
        kept = ~near[:, -1]
        doubtful = np.zeros(len(at), dtype=np.bool_)
        if len(self.ground.obstacles):
            fees, doubtful = self._fees(at, to, near)
            cost = cost + fees
            kept &= low[rows] + cost + self._high[to] <= self.bound
        rows, to, cost = rows[kept], to[kept], cost[kept]
        begins = np.searchsorted(rows, np.arange(len(us) + 1)).tolist()
        targets, costs, doubts = to.tolist(), cost.tolist(), doubtful[kept].tolist()
        for i, source in enumerate(sources):
            span = slice(begins[i], begins[i + 1])
            self._rows[source] = (targets[span], costs[span], doubts[span])

    def _mean_rates(self, at: Ints, to: Ints) -> Floats:
        """Mean rates of straight legs, fees left out."""
        u, v = self._planes[at], self._planes[to]
        with np.errstate(divide="ignore", invalid="ignore"):
            t = u / (u - v)
        out_u, out_v = u >= 0.0, v >= 0.0
        enter = np.where(out_u, np.where(out_v, 2.0, t), 0.0)
        leave = np.where(out_v & ~out_u, t, 1.0)
        low = np.maximum.reduceat(enter, self.ground.firsts, axis=1)
        high = np.minimum.reduceat(leave, self.ground.firsts, axis=1)
        inside = np.maximum(high - low, 0.0)
        rates: Floats = 1.0 + inside @ self.ground.extras
        if self.ground.is_mixed:
            several = np.nonzero((inside > 0.0).sum(axis=1) > 1)[0]
            parts = np.nonzero((inside[several] > 0.0).any(axis=0))[0]
            low, inside = low[np.ix_(several, parts)], inside[np.ix_(several, parts)]
            rates[several] = _dearest(low, low + inside, self.ground.extras[parts])
        return rates

    def _near(self, at: Ints, to: Ints) -> Bools:
        """For each leg which obstacles it overlaps, the last column for what bars it: walls, bases and zones."""
        near = np.zeros((len(at), len(self.ground.obstacles) + 1), dtype=np.bool_)
        along, off, size = self._sides
        v0, v1 = off[at], off[to]
        leg, side = np.nonzero(v0 * v1 < 0.0)
        v0, v1, u0, u1 = v0[leg, side], v1[leg, side], along[at[leg], side], along[to[leg], side]
        u = u0 + (u1 - u0) * v0 / (v0 - v1)
        hit = (u >= 0.0) & (u <= size[side])
        near[leg[hit], self._side_owner[side[hit]]] = True
        px, py, reach = self._posts.T
        ax, ay = self._x[at][:, None], self._y[at][:, None]
        dx, dy = self._x[to][:, None] - ax, self._y[to][:, None] - ay
        fx, fy = px - ax, py - ay
        t = np.clip((fx * dx + fy * dy) / np.maximum(dx * dx + dy * dy, 1e-30), 0.0, 1.0)
        fx -= t * dx
        fy -= t * dy
        leg, post = np.nonzero(fx * fx + fy * fy < reach * reach)
        near[leg, self._post_owner[post]] = True
        return near

    def _fees(self, at: Ints, to: Ints, near: Bools) -> tuple[Floats, Bools]:
        """The least fees that begin on legs, and where there may be more: about obstacles that are not convex."""
        total: Floats = np.zeros(len(at))
        doubtful: Bools = np.zeros(len(at), dtype=np.bool_)
        for i, obstacle in enumerate(self.ground.obstacles):
            touched = near[:, i] | self._inside[at, i] | self._inside[to, i]
            total += np.where(touched & ~self._inside[at, i], obstacle.inches, 0.0)
            if not obstacle.is_convex:
                doubtful |= touched
        return total, doubtful

    def _more_fees(self, u: int, v: int) -> Inches:
        """What a leg costs beyond its least fees."""
        total = 0.0
        for i, obstacle in enumerate(self.ground.obstacles):
            if not obstacle.is_convex:
                runs = obstacle.crossings(self.nodes[u].at, self.nodes[v].at)
                total += obstacle.inches * max(runs - (0 if self._inside[u, i] else 1), 0)
        return total

    # ---- the search --------------------------------------------------------------------------------------------------

    def piece_of(self, path: Sequence[tuple[int, int]]) -> int:
        """The piece of the goal on which a way ends."""
        return self.ends[path[-1][0] - self._first_end].piece

    def paths(self) -> Iterator[list[tuple[int, int]]]:
        """The cheapest way to each end, the cheapest first: its places, and for each the turn of the arc to it or 0."""
        count = len(self.nodes)
        best = [inf] * count
        before: list[tuple[int, int]] = [(-1, 0)] * count
        closed = [False] * count
        high = self._high.tolist()
        heap: list[tuple[float, int]] = [(high[0], 0)]
        best[0] = 0.0
        while heap:
            least, u = heappop(heap)
            if closed[u]:
                continue
            closed[u] = True
            if u >= self._first_end:
                yield _chain(before, u)
                continue
            if u not in self._rows:
                more = {v: None for _, v in nsmallest(3 * AT_ONCE, heap) if not closed[v] and v not in self._rows}
                self._work_out([u, *(v for v in more if v < self._first_end)][:AT_ONCE], least, best)
            here = best[u]
            for v, cost, doubtful in zip(*self._rows[u], strict=True):
                total = here + cost
                if total < best[v] - 1e-12 and total + high[v] <= self.bound:
                    if doubtful:
                        total += self._more_fees(u, v)
                        if total >= best[v] or total + high[v] > self.bound:
                            continue
                    best[v], before[v] = total, (u, 0)
                    heappush(heap, (total + high[v], v))
            for v, turn in self._links.get(u, ()):
                if here < best[v]:
                    total = here + self._arc(u, v, turn)
                    if total < best[v] - 1e-12 and total + high[v] <= self.bound:
                        best[v], before[v] = total, (u, turn)
                        heappush(heap, (total + high[v], v))

    def _arc(self, u: int, v: int, turn: int) -> Inches:
        """What the arc between neighbouring places costs."""
        one, other = self.nodes[u], self.nodes[v]
        cx, cy, _ = self.rims.circles[one.circle]
        bend = Bend((cx, cy), other.at, LEFT if turn > 0 else RIGHT)
        return self.ground.leg(one.at, bend)


def _dearest(low: Floats, high: Floats, extras: Floats) -> Floats:
    """Mean rates of legs (n) that lie in parts (m) from - to, as fractions (n, m): where parts overlap the dearest."""
    marks = np.clip(np.sort(np.concatenate([low, high], axis=1), axis=1), 0.0, 1.0)
    middle = (marks[:, 1:] + marks[:, :-1]) / 2
    covered = (low[:, None, :] < middle[:, :, None]) & (middle[:, :, None] < high[:, None, :])
    dearest = np.where(covered, extras, 0.0).max(axis=2, initial=0.0)
    return np.asarray(1.0 + ((marks[:, 1:] - marks[:, :-1]) * dearest).sum(axis=1))


def _chain(before: list[tuple[int, int]], u: int) -> list[tuple[int, int]]:
    """The places before one, from the start on, with how each was reached."""
    found = []
    while u >= 0:
        found.append((u, before[u][1]))
        u = before[u][0]
    return found[::-1]


def _about(foot: Inches, away: Inches, step: Inches, bend: float) -> list[Inches]:
    """Where to put places about the foot of a start or goal: the closer it is to the border, the closer together.

    A way that comes out to a border and goes along it does so at the critical angle, `bend` to the side for each inch.
    """
    found, part = [foot, foot - bend * away, foot + bend * away], max(away, 0.02) / 2
    while part < step:
        found += [foot - part, foot + part]
        part *= 2
    return found


def _stands(local: Local, x: Floats, y: Floats) -> Bools:
    """For many places whether they are clear of edges and discs and on the table."""
    x0, y0, x1, y1 = local.box
    good: Bools = (x >= x0) & (x <= x1) & (y >= y0) & (y <= y1)
    for dx, dy, reach in local.discs:
        good &= (x - dx) ** 2 + (y - dy) ** 2 >= reach * reach
    if local.edges:
        ex, ey, ux, uy, size, _, limit = np.array(local.edges).T
        dx, dy = x[:, None] - ex, y[:, None] - ey
        along, off = dx * ux + dy * uy, dy * ux - dx * uy
        over = along - np.clip(along, 0.0, size)
        good &= ~(over * over + off * off < limit * limit).any(axis=1)
    return good
