"""Which cells of a grid some eye has a line of sight to, quickly and nearly: for maps.

About each eye rays are cast at even bearings, and for each it is found how far it runs before terrain stops it. A base
counts as seen where the ray to its middle, or one of the rays to its two flanks, runs so far. Slits narrower than a
degree may be missed. A piece lower than the eye hides nothing here, though by the rules it may hide whoever stands
close behind it; other models hide nobody. So the map warns rather too often than too seldom.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import pi

import numpy as np
from numpy.typing import NDArray
from tactician.rules.core.measure import TOL, Inches
from tactician.rules.core.shades import Outline, pieces_of
from tactician.rules.core.terrain import Board

__all__ = ["Lights"]

RAYS = 360
"""Bearings at which rays are cast."""

ASIDE = 0.37
"""Part of the angle between two rays by which they are turned off the table's axes, on which corners tend to lie."""

TURN = 2 * pi

FLANK = 0.9
"""How far from its middle towards its rim a base's flanks are looked for, as a part of its radius."""

CHUNK = 48
"""Eyes that look at the same time."""

FIRST = 12
"""Eyes spread over all of them that look first: most cells need no others."""

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class _Walls:
    """What hides at certain heights, as rows of edges."""

    edges: Floats
    """Ends of each edge, shape (n, 4); those of one piece follow each other."""
    owners: Ints
    """Number of the piece that each edge belongs to."""
    veils: Floats
    """How far one sees through each piece; 0 where it hides at once."""
    scales: Floats
    """Where each piece's shadow begins, in parts of the way to it: later where the line rises past its top."""


@dataclass(frozen=True, slots=True)
class Lights:
    """What eyes see on one board, remembered for as long as this object lives."""

    board: Board
    _walls: dict[tuple[Inches, Inches], _Walls] = field(default_factory=dict)
    _depths: dict[tuple[Inches, Inches, Inches, Inches], Floats] = field(default_factory=dict)

    def lit(
        self, eyes: Floats, target_top: Inches, radius: Inches, cells: Floats, reach: Inches, least: Inches = 0.0
    ) -> Bools:
        """For each cell whether a base there is seen by some eye that is near enough.

        Args:
            eyes: x, y and height of each, shape (n, 3).
            target_top: height of the top of the base's model.
            radius: of the base.
            cells: centres, shape (m, 2).
            reach: from centre to centre, at most.
            least: from centre to centre, at least.
        """
        found = np.zeros(len(cells), dtype=np.bool_)
        if not len(eyes):
            return found
        spread = np.unique(np.linspace(0, len(eyes) - 1, min(FIRST, len(eyes))).astype(np.intp))
        rest = np.setdiff1d(np.arange(len(eyes)), spread)
        for part in (spread, *(rest[i : i + CHUNK] for i in range(0, len(rest), CHUNK))):
            left = np.nonzero(~found)[0]
            left = left[_near(eyes[part], cells[left], reach)]
            if len(left):
                found[left] = self._seen(eyes[part], target_top, radius, cells[left], reach, least)
        return found

    def _seen(
        self, eyes: Floats, target_top: Inches, radius: Inches, cells: Floats, reach: Inches, least: Inches
    ) -> Bools:
        dx = cells[None, :, 0] - eyes[:, None, 0]
        dy = cells[None, :, 1] - eyes[:, None, 1]
        away = np.sqrt(dx * dx + dy * dy)
        near = (away <= reach) & (away >= least)
        who = np.nonzero(near.any(axis=1))[0]
        if not len(who):
            return np.zeros(len(cells), dtype=np.bool_)
        dx, dy, away, near = dx[who], dy[who], away[who], near[who]
        depths = self._depths_of(eyes[who], target_top)
        bearing = np.arctan2(dy, dx)
        flank = np.arcsin(np.minimum(FLANK * radius / np.maximum(away, radius), 1.0))
        seen = _at(depths, bearing) >= away - radius
        for side in (-flank, flank):
            seen |= _at(depths, bearing + side) >= away - radius * (1.0 - FLANK)
        return np.asarray((near & seen).any(axis=0))

    def _depths_of(self, eyes: Floats, target_top: Inches) -> Floats:
        """For each eye how far its rays run, shape (n, `RAYS`)."""
        keys = [(x, y, top, target_top) for x, y, top in eyes.tolist()]
        for top in sorted({key[2] for key in keys}):
            new = list(dict.fromkeys(key for key in keys if key[2] == top and key not in self._depths))
            if new:
                rows = _depths(self._walls_for(top, target_top), np.array([key[:2] for key in new]))
                self._depths.update(zip(new, rows, strict=True))
        return np.stack([self._depths[key] for key in keys])

    def _walls_for(self, top: Inches, target_top: Inches) -> _Walls:
        if (top, target_top) not in self._walls:
            scales = [(piece, _scale(piece, top, target_top)) for piece in pieces_of(self.board)]
            self._walls[top, target_top] = _rows([(piece, scale) for piece, scale in scales if scale is not None])
        return self._walls[top, target_top]


def _scale(piece: Outline, top: Inches, target_top: Inches) -> float | None:
    """Where the shadow of a piece begins for an eye, in parts of the way to it; None where there is none."""
    if piece.bottom + TOL >= min(top, target_top) or top >= piece.top - TOL:
        return None
    if target_top < piece.top - TOL:
        return 1.0
    return None if piece.veil is not None else (target_top - top) / (piece.top - TOL - top)


def _rows(pieces: list[tuple[Outline, float]]) -> _Walls:
    edges = [
        (*a, *b) for piece, _ in pieces for a, b in zip(piece.points, piece.points[1:] + piece.points[:1], strict=True)
    ]
    owners = np.repeat(np.arange(len(pieces)), [len(piece.points) for piece, _ in pieces])
    veils = np.array([piece.veil or 0.0 for piece, _ in pieces], np.float64)
    scales = np.array([scale for _, scale in pieces], np.float64)
    return _Walls(np.array(edges, np.float64).reshape(-1, 4), owners, veils, scales)


def _near(eyes: Floats, cells: Floats, reach: Inches) -> Bools:
    """Whether cells lie in the box about the eyes, wider by the reach."""
    low, high = eyes[:, :2].min(axis=0) - reach, eyes[:, :2].max(axis=0) + reach
    return np.asarray(((cells >= low) & (cells <= high)).all(axis=1))


def _at(depths: Floats, bearings: Floats) -> Floats:
    """How far the rays nearest to some bearings run, those of each eye in a row."""
    number = np.rint(bearings / TURN * RAYS - ASIDE).astype(np.intp) % RAYS
    return np.take_along_axis(depths, number, axis=1)


def _depths(walls: _Walls, eyes: Floats) -> Floats:
    """How far rays run from eyes, shape (n, `RAYS`)."""
    if not len(walls.edges):
        return np.full((len(eyes), RAYS), np.inf)
    parts = [_depths_of_some(walls, eyes[i : i + CHUNK]) for i in range(0, len(eyes), CHUNK)]
    return np.concatenate(parts)


def _depths_of_some(walls: _Walls, eyes: Floats) -> Floats:
    eye, edge, ray, far = _crossings(walls, eyes)
    shape, veils = (len(eyes), RAYS), walls.veils[walls.owners[edge]]
    depth = np.full(shape, np.inf)
    solid = veils == 0.0
    begins = far[solid] * walls.scales[walls.owners[edge[solid]]]
    np.minimum.at(depth, (eye[solid], ray[solid]), begins)
    depth[_is_inside(walls, eyes)] = 0.0
    for veil in sorted(set(walls.veils[walls.veils > 0.0].tolist())):
        pieces = np.nonzero(walls.veils == veil)[0]
        group = veils == veil
        place = (eye[group], np.searchsorted(pieces, walls.owners[edge[group]]), ray[group])
        first, last = np.full((len(eyes), len(pieces), RAYS), np.inf), np.zeros((len(eyes), len(pieces), RAYS))
        times = np.zeros(first.shape, dtype=np.intp)
        np.minimum.at(first, place, far[group])
        np.maximum.at(last, place, far[group])
        np.add.at(times, place, 1)
        first[times % 2 == 1] = 0.0  # the eye is inside
        depth = np.minimum(depth, _through(first, last, veil))
    return depth


def _crossings(walls: _Walls, eyes: Floats) -> tuple[Ints, Ints, Ints, Floats]:
    """Every crossing of a ray with an edge: number of the eye, the edge and the ray, and how far away it is."""
    ax, ay = walls.edges[None, :, 0] - eyes[:, :1], walls.edges[None, :, 1] - eyes[:, 1:2]
    bx, by = walls.edges[None, :, 2] - eyes[:, :1], walls.edges[None, :, 3] - eyes[:, 1:2]
    start, end = np.arctan2(ay, ax), np.arctan2(by, bx)
    turn = (end - start + pi) % TURN - pi
    low = np.where(turn >= 0.0, start, end)
    begin = np.ceil(low / TURN * RAYS - ASIDE).astype(np.intp)
    count = np.ceil((low + np.abs(turn)) / TURN * RAYS - ASIDE).astype(np.intp) - begin
    eye, edge = (row.ravel() for row in np.indices(count.shape))
    many = count.ravel()
    eye, edge = np.repeat(eye, many), np.repeat(edge, many)
    step = np.arange(len(eye)) - np.repeat(np.cumsum(many) - many, many)
    ray = (begin[eye, edge] + step) % RAYS
    angle = (ray + ASIDE) * (TURN / RAYS)
    ux, uy = np.cos(angle), np.sin(angle)
    ex, ey = (bx - ax)[eye, edge], (by - ay)[eye, edge]
    # the ray u meets the edge a + s e at t u: t = (a x e) / (u x e)
    across = ux * ey - uy * ex
    able = across != 0.0
    far = (ax[eye, edge] * ey - ay[eye, edge] * ex)[able] / across[able]
    return eye[able], edge[able], ray[able], far


def _is_inside(walls: _Walls, eyes: Floats) -> Bools:
    """Whether eyes are inside something that hides at once."""
    solid = walls.veils[walls.owners] == 0.0
    ax, ay, bx, by = walls.edges[solid].T
    x, y = eyes[:, :1], eyes[:, 1:2]
    with np.errstate(divide="ignore", invalid="ignore"):
        crossed = ((ay > y) != (by > y)) & (x < ax + (y - ay) * (bx - ax) / (by - ay))
    times = np.zeros((len(eyes), len(walls.veils)), dtype=np.intp)
    eye, edge = np.nonzero(crossed)
    np.add.at(times, (eye, walls.owners[solid][edge]), 1)
    return np.asarray((times % 2 == 1).any(axis=1))


def _through(first: Floats, last: Floats, veil: Inches) -> Floats:
    """How far rays run through areas until so many inches of them lie inside.

    Args:
        first: where each area is entered, infinite where it is missed, shape (eyes, areas, rays).
        last: where it is left.
        veil: inches that one sees through.
    """
    order = np.argsort(first, axis=1)
    first, last = np.take_along_axis(first, order, axis=1), np.take_along_axis(last, order, axis=1)
    sizes = np.where(np.isfinite(first), last - first, 0.0)
    before = np.cumsum(sizes, axis=1) - sizes
    stops = np.where(before + sizes > veil, first + (veil - before), np.inf)
    return np.asarray(stops.min(axis=1))
