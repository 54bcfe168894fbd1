"""Simple polygons cut into convex ones."""

from __future__ import annotations

from collections.abc import Sequence

from tactician.rules.core.shapes import Point, length

__all__ = ["Sides", "clean", "convex_parts"]

Sides = list[int]
"""For each corner the number of the outline's side that begins there, -1 where a cut does."""


def clean(points: Sequence[Point]) -> tuple[Point, ...]:
    """Corners counter-clockwise, without those that are repeated or lie on a straight line."""
    kept = [p for p, q in zip(points, [*points[1:], points[0]], strict=True) if length(p[0] - q[0], p[1] - q[1]) > 1e-9]
    kept = [p for i, p in enumerate(kept) if abs(_turn(kept[i - 1], p, kept[(i + 1) % len(kept)])) > 1e-12]
    area = sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(kept, [*kept[1:], *kept[:1]], strict=True))
    return tuple(kept if area > 0.0 else kept[::-1])


def _turn(a: Point, b: Point, c: Point) -> float:
    """Twice the signed area of a triangle."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def convex_parts(points: tuple[Point, ...], first: int) -> list[tuple[list[Point], Sides]]:
    """A simple polygon cut into convex ones: corners, and the border on which the side after each lies (-1: a cut)."""
    sides = list(range(first, first + len(points)))
    parts = _triangles(list(points), sides)
    merged = True
    while merged:
        merged = False
        for i in range(len(parts)):
            for j in range(i + 1, len(parts)):
                joined = _joined(parts[i], parts[j])
                if joined is not None:
                    parts[i] = joined
                    del parts[j]
                    merged = True
                    break
            if merged:
                break
    return parts


def _triangles(points: list[Point], sides: Sides) -> list[tuple[list[Point], Sides]]:
    """Ears cut off one after another (G. H. Meisters, 1975), until what is left is convex."""
    found = []
    while len(points) > 3 and any(_turn(points[i - 2], points[i - 1], points[i]) < 0.0 for i in range(len(points))):
        count = len(points)
        ears = [i for i in range(count) if _is_ear(points, i)]
        if not ears:
            break
        i = max(ears, key=lambda i: _turn(points[i - 1], points[i], points[(i + 1) % count]))
        found.append(([points[i - 1], points[i], points[(i + 1) % count]], [sides[i - 1], sides[i], -1]))
        sides[i - 1] = -1
        del points[i], sides[i]
    return [*found, (points, sides)]


def _is_ear(points: list[Point], i: int) -> bool:
    a, b, c = points[i - 1], points[i], points[(i + 1) % len(points)]
    if _turn(a, b, c) <= 0.0:
        return False
    others = [p for p in points if p not in (a, b, c)]
    return not any(_turn(a, b, p) >= 0.0 and _turn(b, c, p) >= 0.0 and _turn(c, a, p) >= 0.0 for p in others)


def _joined(one: tuple[list[Point], Sides], other: tuple[list[Point], Sides]) -> tuple[list[Point], Sides] | None:
    """Two convex polygons as one across a cut, if that is convex as well."""
    (p, ps), (q, qs) = one, other
    for i in range(len(p)):
        if ps[i] >= 0:
            continue
        a, b = p[i], p[(i + 1) % len(p)]
        for j in range(len(q)):
            if q[j] == b and q[(j + 1) % len(q)] == a:
                points = [*p[i + 1 :], *p[: i + 1], *[q[(j + 2 + k) % len(q)] for k in range(len(q) - 2)]]
                sides = [*ps[i + 1 :], *ps[:i], *[qs[(j + 1 + k) % len(q)] for k in range(len(q) - 1)]]
                if all(_turn(points[k - 2], points[k - 1], points[k]) >= 0.0 for k in range(len(points))):
                    return points, sides
    return None
