"""Shortest ways into base contact.

The places at which two round bases touch form a circle about the target. A shortest way meets it head on, or it ends
at a border of the part of that circle on which the base may stand: where the circle meets the clearance of a wall, a
corner, another base or zone, or the table's edge. These borders are finitely many.
"""

from __future__ import annotations

from dataclasses import replace
from math import cos, sin

from tactician.rules.core.measure import TOL, Inches, within
from tactician.rules.core.shapes import Point, length
from tactician.rules.paths import inner, kernels, twins
from tactician.rules.paths.scene import Disc, Local, Scene, Way, circle_blocked, grow, limit_of, local_of
from tactician.rules.paths.search import Search, as_floats, straight_way, way_of, way_of_rows

__all__ = ["border_places", "contact"]


def contact(scene: Scene, start: Point, target: Disc, budget: Inches) -> Way | None:
    """The shortest way of a base until it touches a target.

    Args:
        scene: the base and what stands in its way; a disc about the target's centre is left out of account.
        start: where the centre is.
        target: centre of the target and the distance of the two centres in contact (the sum of the radii).
        budget: inches that may be walked; infinite for no limit.

    Returns:
        The way, its last place at exactly the distance of contact (one of no legs where the bases touch already); None
        where none is within the budget.
    """
    start = as_floats(start)
    x, y, reach = target = (float(target[0]), float(target[1]), float(target[2]))
    away = length(x - start[0], y - start[1])
    limit = limit_of(budget)
    if within(away, reach):
        return Way(cost=0.0, legs=(), margin=budget, points=(start,)) if limit >= 0.0 else None
    if away - reach > limit:
        return None
    twin = twins.compiled()
    if twin is not None and scene.packed().is_flat:
        _, rows, discs = scene.packed()
        kind, cost, ex, ey, legs = twin.contact_way(rows, discs, *start, *target, float(limit))
        if kind == kernels.BENT:
            return way_of_rows(start, cost, legs, budget)
        return straight_way(start, (ex, ey), budget) if kind == kernels.STRAIGHT else None
    return _plain_contact(scene, start, target, budget)


def _plain_contact(scene: Scene, start: Point, target: Disc, budget: Inches) -> Way | None:
    """What `contact` answers for a target out of touch, by the plain code."""
    x, y, reach = target
    limit = limit_of(budget)
    others = tuple(disc for disc in scene.discs if length(disc[0] - x, disc[1] - y) > TOL)
    around = replace(scene, discs=(*others, target))
    head_on = _head_on(around, start, target, budget)
    if head_on is not None:
        return head_on
    local = local_of(around, start, (x, y), limit + reach)
    if local is None:
        return None
    goals = [(px, py, 0.0) for px, py in border_places(local, target) if length(px - start[0], py - start[1]) <= limit]
    search = Search(local=local, start=start, limit=limit, goals=(target, *goals), aim=target)
    finish = search.run()
    return None if finish is None else way_of(local, search.arrivals, finish, budget)


def _head_on(scene: Scene, start: Point, target: Disc, budget: Inches) -> Way | None:
    """The straight way to the target, if it is free."""
    x, y, reach = target
    away = length(x - start[0], y - start[1])
    rest = (away - reach) / away
    end = (start[0] + rest * (x - start[0]), start[1] + rest * (y - start[1]))
    local = local_of(scene, start, end, away - reach)
    if local is None or not local.free(*start, *end):
        return None
    apron = local.shared.apron
    if apron is not None and not apron.holds(*end):
        return None
    return straight_way(start, end, budget)


def border_places(local: Local, target: Disc) -> tuple[Point, ...]:
    """The borders of the free part of the circle of contact, at the full clearance and at the least that is allowed."""
    x, y, reach = target
    shared = local.shared
    others = [disc for disc in local.discs if length(disc[0] - x, disc[1] - y) > TOL]
    found: dict[Point, None] = {}
    for more in (shared.slack, min(inner.NOISE, shared.slack / 4)):
        edges = [(*edge[:6], edge[6] + more) for edge in local.edges]
        discs = [(dx, dy, limit + more) for dx, dy, limit in others]
        parts = list(circle_blocked(target, edges, discs, grow(local.box, -more), shared.apron))
        if shared.apron is not None:
            parts += shared.apron.not_whole(x, y, reach, shared.slack - more)
        for low, high in inner.merge_blocked(parts):
            if high - low < inner.TURN:
                for angle in (low, high):
                    found[x + reach * cos(angle), y + reach * sin(angle)] = None
    return tuple(found)
