"""Tangents, blocked stretches and rays against their definitions."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tactician.rules.core.shapes import point_segment_distance, segment_segment_distance
from tactician.rules.paths import inner
from tactician.rules.paths.scene import circle_blocked

place = st.floats(-5, 5)
size = st.floats(0.1, 3)
turn = st.sampled_from((1, -1))
EVERYWHERE = (-100.0, -100.0, 100.0, 100.0)


@given(ax=place, ay=place, a=size, s=turn, bx=place, by=place, b=size, t=turn)
def test_tangent_leaves_and_arrives_along_both_circles(
    ax: float, ay: float, a: float, s: int, bx: float, by: float, b: float, t: int
) -> None:
    line = inner.tangent(ax, ay, a, s, bx, by, b, t, 1e-9)
    apart = math.hypot(bx - ax, by - ay)
    exists = apart > (a + b if s != t else abs(a - b))
    assume(abs(apart - (a + b if s != t else abs(a - b))) > 1e-3)
    assert (line is not None) == exists
    if line is not None:
        length, dx, dy = line
        px, py, qx, qy = ax + s * a * dy, ay - s * a * dx, bx + t * b * dy, by - t * b * dx
        assert math.hypot(dx, dy) == pytest.approx(1.0)
        assert (qx - px, qy - py) == pytest.approx((length * dx, length * dy), abs=1e-9)
        # Turning left about a centre keeps it on the left hand.
        assert (dx * (ay - py) - dy * (ax - px)) * s == pytest.approx(a)
        assert (dx * (by - qy) - dy * (bx - qx)) * t == pytest.approx(b)


@given(
    cx=place, cy=place, radius=size, ax=place, ay=place, bx=place, by=place, limit=size, x=place, y=place, reach=size
)
def test_blocked_stretches_are_where_the_limits_are_broken(
    cx: float,
    cy: float,
    radius: float,
    ax: float,
    ay: float,
    bx: float,
    by: float,
    limit: float,
    x: float,
    y: float,
    reach: float,
) -> None:
    edge = inner.edge_row(ax, ay, bx, by, limit)
    box = (-4.0, -3.5, 3.0, 4.5)
    blocked = circle_blocked((cx, cy, radius), [edge], [(x, y, reach)], box, None)
    assert all(0 <= low < inner.TURN and low < high <= low + inner.TURN for low, high in blocked)
    assert list(blocked) == sorted(blocked)
    for i in range(36):
        angle = i * inner.TURN / 36
        px, py = cx + radius * math.cos(angle), cy + radius * math.sin(angle)
        spare = min(
            point_segment_distance(px, py, ax, ay, bx, by) - limit,
            math.hypot(px - x, py - y) - reach,
            px - box[0],
            py - box[1],
            box[2] - px,
            box[3] - py,
        )
        if abs(spare) > 1e-6:
            runs = [inner.free_run(blocked, angle, sense) for sense in (1, -1)]
            assert [run >= 0 for run in runs] == [spare > 0] * 2


@given(
    cx=place,
    cy=place,
    radius=size,
    bearing=st.floats(0, 6.28),
    off=st.floats(-0.9, 0.9),
    reach=st.floats(0.1, 0.9),
    angle=st.floats(0, 6.28),
    sense=turn,
)
def test_free_run_ends_at_the_limit(
    cx: float, cy: float, radius: float, bearing: float, off: float, reach: float, angle: float, sense: int
) -> None:
    """A disc laid over part of the circle: a run from outside it ends where the disc begins."""
    reach *= radius
    far = radius + off * reach
    x, y = cx + far * math.cos(bearing), cy + far * math.sin(bearing)
    blocked = circle_blocked((cx, cy, radius), [], [(x, y, reach)], EVERYWHERE, None)
    run = inner.free_run(blocked, angle, sense)
    assert run < inner.TURN
    if run > 1e-6:
        end = angle + sense * run
        away = math.hypot(cx + radius * math.cos(end) - x, cy + radius * math.sin(end) - y)
        assert away == pytest.approx(reach, abs=1e-6)


def test_free_run_over_the_start_of_the_count() -> None:
    blocked = inner.merge_blocked([(-0.5, 0.25), (2.0, 3.0), (2.5, 3.5)])
    assert blocked == ((2.0, 3.5), (inner.TURN - 0.5, inner.TURN + 0.25))
    assert inner.free_run(blocked, 1.0, 1) == pytest.approx(1.0)
    assert inner.free_run(blocked, 1.0, -1) == pytest.approx(0.75)
    assert inner.free_run(blocked, 0.1, 1) == -1.0
    assert inner.free_run(blocked, 2.0, -1) == pytest.approx(1.75)
    assert inner.free_run(blocked, 2.0, 1) == 0.0
    assert inner.free_run((), 1.0, 1) == inner.TURN
    assert inner.merge_blocked([(0.0, 4.0), (3.0, 7.0)]) == ((0.0, inner.TURN),)


@given(ax=place, ay=place, bx=place, by=place, cx=place, cy=place, dx=place, dy=place, limit=size)
def test_leg_near_an_edge_is_a_matter_of_distance(
    ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float, limit: float
) -> None:
    gap = segment_segment_distance(ax, ay, bx, by, cx, cy, dx, dy) - limit
    assume(abs(gap) > 1e-9)
    row = inner.edge_row(cx, cy, dx, dy, limit)
    assert inner.segment_near_edge(ax, ay, bx, by, row) == (gap < 0)
    assert inner.segment_free(ax, ay, bx, by, [row], []) == (gap > 0)


@given(ax=place, ay=place, angle=st.floats(0, 6.28), cx=place, cy=place, dx=place, dy=place, limit=size)
def test_ray_stops_where_it_comes_too_near(
    ax: float, ay: float, angle: float, cx: float, cy: float, dx: float, dy: float, limit: float
) -> None:
    assume(point_segment_distance(ax, ay, cx, cy, dx, dy) > limit + 1e-6)
    ux, uy = math.cos(angle), math.sin(angle)
    row = inner.edge_row(cx, cy, dx, dy, limit)
    reach = inner.first_hit(ax, ay, ux, uy, 8.0, [row], [])
    assert segment_segment_distance(ax, ay, ax + reach * ux, ay + reach * uy, cx, cy, dx, dy) >= limit - 1e-7
    if reach < 8.0:
        end = (ax + reach * ux, ay + reach * uy)
        assert point_segment_distance(*end, cx, cy, dx, dy) == pytest.approx(limit, abs=1e-5)
