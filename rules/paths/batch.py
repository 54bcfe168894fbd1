"""The tests of `inner`, for many points or straight legs at once with numpy: what a tangent graph is built with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from tactician.rules.paths import inner
from tactician.rules.paths.scene import Local

__all__ = ["Batch"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

CHUNK = 8_000
"""Pairs of a leg and an obstacle that are looked at in one go."""


class Batch:
    """The limits of a local scene as columns of numbers."""

    def __init__(self, local: Local) -> None:
        """Turn the rows of a local scene into columns."""
        self.local = local
        edges = np.array(local.edges, dtype=np.float64).reshape(-1, 7)
        self._edges: tuple[Floats, ...] = tuple(np.ascontiguousarray(edges[:, i]) for i in (0, 1, 2, 3, 4, 6))
        discs = np.array(local.discs, dtype=np.float64).reshape(-1, 3)
        self._discs: tuple[Floats, ...] = tuple(np.ascontiguousarray(discs[:, i]) for i in range(3))
        self.circles = np.array(local.circles, dtype=np.float64).reshape(-1, 3)
        self._spans = self._blocked_spans()

    def is_in_circle(self, x: float, y: float, noise: float) -> bool:
        """Whether a point lies in a circle by more than the noise."""
        cx, cy, radius = self.circles.T
        return bool(((cx - x) ** 2 + (cy - y) ** 2 < np.maximum(radius - noise, 0.0) ** 2).any())

    def edge_distance(self, x: float, y: float) -> float:
        """Least distance of a point from any edge; infinite without edges."""
        ax, ay, ux, uy, size, _ = self._edges
        dx, dy = x - ax, y - ay
        along, across = dx * ux + dy * uy, dy * ux - dx * uy
        over = along - np.clip(along, 0.0, size)
        return float(np.sqrt(over * over + across * across).min(initial=np.inf))

    def _blocked_spans(self) -> Floats:
        """Blocked stretches, indexed (n-th stretch, circle, low or high); empty ones where a circle has fewer."""
        blocked = [self.local.blocked(i) for i in range(len(self.local.circles))]
        spans = np.zeros((max(map(len, blocked), default=0), len(blocked), 2))
        for i, stretches in enumerate(blocked):
            for n, stretch in enumerate(stretches):
                spans[n, i] = stretch
        return spans

    def open_at(self, circle: NDArray[np.intp], angles: Floats) -> Bools:
        """For each angle on its circle whether it lies outside every blocked stretch, or at the end of one."""
        is_open = np.ones(len(circle), dtype=np.bool_)
        for span in self._spans:
            low, high = span[circle].T
            past = (angles - low) % inner.TURN
            is_open &= (past <= inner.NOISE) | (past >= high - low - inner.NOISE)
            is_open &= high - low < inner.TURN
        return is_open

    def free(self, ax: Floats, ay: Floats, bx: Floats, by: Floats) -> Bools:
        """For each straight leg a - b whether it keeps every limit, as `Local.free` says it for one."""
        x0, y0, x1, y1 = self.local.box
        good: Bools = (np.minimum(ax, bx) >= x0) & (np.maximum(ax, bx) <= x1)
        good &= (np.minimum(ay, by) >= y0) & (np.maximum(ay, by) <= y1)
        rows = np.nonzero(good)[0]
        step = max(1, CHUNK // max(1, len(self._edges[0]) + len(self._discs[0])))
        for first in range(0, len(rows), step):
            part = rows[first : first + step]
            legs = (ax[part], ay[part], bx[part], by[part])
            good[part] = ~(self._near_discs(*legs) | self._near_edges(*legs))
        apron = self.local.shared.apron
        if apron is not None:
            for i in np.nonzero(good)[0].tolist():
                good[i] = apron.carries(float(ax[i]), float(ay[i]), float(bx[i]), float(by[i]))
        return good

    def _near_discs(self, ax: Floats, ay: Floats, bx: Floats, by: Floats) -> Bools:
        x, y, limit = self._discs
        near = _near_points(x - ax[:, None], y - ay[:, None], (bx - ax)[:, None], (by - ay)[:, None], limit)
        hit: Bools = np.any(near, axis=1)
        return hit

    def _near_edges(self, ax: Floats, ay: Floats, bx: Floats, by: Floats) -> Bools:
        """For each leg whether it comes nearer to some edge than the limit.

        Both are seen in the frame of the edge: u along it, v across. Most pairs lie apart in u or in v.
        """
        ex, ey, ux, uy, size, limit = self._edges
        x0, y0, x1, y1 = ax[:, None] - ex, ay[:, None] - ey, bx[:, None] - ex, by[:, None] - ey
        v0, v1 = y0 * ux - x0 * uy, y1 * ux - x1 * uy
        u0, u1 = x0 * ux + y0 * uy, x1 * ux + y1 * uy
        apart = (np.minimum(v0, v1) >= limit) | (np.maximum(v0, v1) <= -limit)
        apart |= (np.maximum(u0, u1) <= -limit) | (np.minimum(u0, u1) >= size + limit)
        leg, edge = np.nonzero(~apart)
        u0, v0, u1, v1 = u0[leg, edge], v0[leg, edge], u1[leg, edge], v1[leg, edge]
        size, limit = size[edge], limit[edge]
        drop = v0 - v1
        u = u0 + (u1 - u0) * v0 / np.where(drop == 0.0, 1.0, drop)
        near = (v0 * v1 < 0.0) & (u >= 0.0) & (u <= size)
        for pu, pv in ((u0, v0), (u1, v1)):
            over = pu - np.clip(pu, 0.0, size)
            near |= over * over + pv * pv < limit * limit
        for end in (0.0, size):
            near |= _near_points(end - u0, -v0, u1 - u0, v1 - v0, limit)
        hit = np.zeros(len(ax), dtype=np.bool_)
        hit[leg[near]] = True
        return hit


def _near_points(fx: Floats, fy: Floats, dx: Floats, dy: Floats, limit: Floats) -> Bools:
    """Whether a leg d from the origin comes nearer to the point f than the limit."""
    square = dx * dx + dy * dy
    t = np.clip((fx * dx + fy * dy) / np.where(square == 0.0, 1.0, square), 0.0, 1.0)
    x, y = fx - t * dx, fy - t * dy
    near: Bools = x * x + y * y < limit * limit
    return near
