"""Models that move at the same time: crossing ways are legal at different times, and floors keep them apart."""

from __future__ import annotations

from random import Random

import pytest
from tactician.rules.core.legs import Pose, Stretch
from tactician.rules.core.mates import closest_approach, distance_to_keep, first_touch
from tactician.rules.core.measure import TOL
from tactician.rules.core.shapes import contains, length, outline_distance
from tactician.rules.core.terrain import Board, Feature, Surface

from tests.core.movement_boards import box

FLOOR = box(0, 0, 6, 6)
BOARD = Board(
    width=48,
    height=48,
    features=(
        Feature(id="bridge", outline=FLOOR, surface=Surface(id="bridge", polygon=FLOOR, low=2, high=2, solid=False)),
    ),
)
RADIUS = 0.5


def going(start: tuple[float, float], end: tuple[float, float], surface: str = "ground") -> Stretch:
    height = 2.0 if surface == "bridge" else 0.0
    return Stretch(leg=0, kind="straight", surface=surface, left=surface, start=start, end=end, low=height, high=height)


def touching(a: Stretch, b: Stretch, u: float) -> float:
    """Distance of the centres at a moment, a whole table where a floor separates the two."""
    (ax, ay), (bx, by) = a.at(u), b.at(u)
    upper = next((one for one in (a, b) if one.surface == "bridge"), None)
    if a.surface != b.surface and upper is not None:
        x, y = upper.at(u)
        if contains(FLOOR, x, y) and outline_distance(FLOOR, x, y) >= RADIUS - TOL:
            return 48.0
    return length(ax - bx, ay - by)


def random_pair(rng: Random) -> tuple[Stretch, Stretch]:
    ends = [(rng.uniform(-2, 8), rng.uniform(-2, 8)) for _ in range(4)]
    ends[1] = rng.choice((ends[1], ends[0]))
    names = rng.choice((("ground", "ground"), ("ground", "bridge"), ("bridge", "ground"), ("bridge", "bridge")))
    return going(ends[0], ends[1], names[0]), going(ends[2], ends[3], names[1])


def test_the_closest_approach_is_what_sampling_finds() -> None:
    rng = Random(1)
    for _ in range(400):
        a, b = random_pair(rng)
        sampled = min(touching(a, b, i / 500) for i in range(501))
        near = closest_approach(a, b, RADIUS, BOARD)
        if near is None:
            assert sampled == 48.0
        else:
            assert near[0] <= sampled + 1e-9
            assert touching(a, b, near[1]) == pytest.approx(near[0]) or touching(a, b, near[1]) == 48.0
            assert sampled == 48.0 or near[0] >= sampled - (a.across + b.across) / 500 - 0.05


def test_the_first_touch_is_the_first_moment_that_the_referee_minds() -> None:
    rng, met = Random(2), 0
    for _ in range(1500):
        a, b = random_pair(rng)
        if touching(a, b, 0.0) < 2 * RADIUS + 0.01:
            continue
        first = first_touch(a, b, RADIUS, BOARD, 2 * RADIUS)
        near = closest_approach(a, b, RADIUS, BOARD)
        if near is not None and abs(near[0] - 2 * RADIUS) < 3 * TOL:
            continue
        assert (first is not None) is (near is not None and near[0] < 2 * RADIUS), f"{a}\n{b}"
        if first is not None:
            met += 1
            assert all(touching(a, b, first * i / 100) >= 2 * RADIUS - TOL for i in range(100))
    assert met > 50


def test_ways_that_cross_at_different_times_do_not_meet_and_at_the_same_time_they_do() -> None:
    east = going((0, 3), (6, 3))
    at_once, later = going((3, 0), (3, 6)), going((3, -3), (3, 3))
    assert first_touch(east, at_once, RADIUS, BOARD, 1.0) == pytest.approx(0.5 - 2**0.5 / 12, abs=1e-4)
    meeting = closest_approach(east, at_once, RADIUS, BOARD)
    assert meeting == (0.0, 0.5)
    near = closest_approach(east, later, RADIUS, BOARD)
    assert near is not None
    assert near[0] == pytest.approx(18**0.5 / 2, abs=1e-9)
    assert first_touch(east, later, RADIUS, BOARD, 1.0) is None


def test_mates_that_touch_may_part_or_slide_along_and_not_press() -> None:
    still = going((3, 3), (3, 3))
    assert first_touch(going((4, 3), (6, 3)), still, RADIUS, BOARD, 1.0) is None
    assert first_touch(going((4, 3), (4, 6)), still, RADIUS, BOARD, 1.0) is None
    assert first_touch(going((4, 3), (3.9, 6)), still, RADIUS, BOARD, 1.0) == pytest.approx(0.0, abs=1e-4)
    assert first_touch(going((4, 3), (6, 3)), going((3, 3), (5, 3)), RADIUS, BOARD, 1.0) is None


def test_a_model_that_begins_to_hang_over_a_mate_is_stopped_even_on_its_way_apart() -> None:
    below = going((5.6, 3), (5.6, 3))
    out = going((5.5, 3), (6.4, 3), "bridge")
    assert first_touch(out, below, RADIUS, BOARD, 1.0) == pytest.approx(0.0, abs=1e-3)
    from_within = going((4.5, 3), (6.4, 3), "bridge")
    stop = first_touch(from_within, below, RADIUS, BOARD, 1.0)
    assert stop is not None
    assert from_within.at(stop)[0] == pytest.approx(5.5, abs=1e-3)


def test_over_a_bridge_one_passes_above_a_mate() -> None:
    assert closest_approach(going((1, 3), (5, 3), "bridge"), going((3, 3), (3, 3)), RADIUS, BOARD) is None


def test_mates_that_begin_overlapping_keep_at_least_that() -> None:
    assert distance_to_keep(Pose(3, 3), Pose(3, 3.8), RADIUS) == pytest.approx(0.8)
    assert distance_to_keep(Pose(3, 3), Pose(3, 4 - TOL / 2), RADIUS) == 1.0
    assert distance_to_keep(Pose(3, 3), Pose(3, 3.8, "bridge"), RADIUS) == 1.0
