"""Coherency at every moment of a beat, exactly; two thousand sampled moments are the witness."""

from __future__ import annotations

from random import Random

import pytest
from tactician.rules.core.beats import Beat
from tactician.rules.core.coherency import (
    disorder,
    disorder_at,
    first_break,
    lasting_disorder,
    linked,
    moves_as_one,
    pieces,
    widest_gap,
    widest_gap_in,
)
from tactician.rules.core.legs import Stretch
from tactician.rules.core.shapes import length
from tactician.rules.paths import twins

REACH = 3.0
MOMENTS = 2000
BLINK = 2 / MOMENTS
"""Breaks shorter than two samples may be seen by the closed form alone."""


def moving(start: tuple[float, float, float], end: tuple[float, float, float]) -> Stretch:
    return Stretch(
        leg=0,
        kind="straight",
        surface="ground",
        left="ground",
        start=start[:2],
        end=end[:2],
        low=start[2],
        high=end[2],
    )


def random_beat(rng: Random) -> Beat:
    """Models near each other that go about the same way, some of them waiting, some of them climbing."""
    count, heading = rng.randint(2, 7), (rng.uniform(-6, 6), rng.uniform(-6, 6))
    found = []
    for _ in range(count):
        x, y, z = rng.uniform(0, 5), rng.uniform(0, 5), rng.choice((0.0, 0.0, 1.0))
        go = rng.choice((0.0, 1.0, 1.0))
        end = x + go * heading[0] + rng.gauss(0, 1), y + go * heading[1] + rng.gauss(0, 1), z + rng.choice((0, 0, 1.5))
        found.append(moving((x, y, z), end))
    return tuple(found)


def compare(beat: Beat, allowed: int, chain: bool) -> None:
    """The first break found in closed form is the first one that sampling sees."""
    found = first_break(beat, REACH, allowed, chain)
    seen = [i / MOMENTS for i in range(MOMENTS + 1) if disorder_at(beat, i / MOMENTS, REACH, chain) > allowed]
    lasting = [u for u in seen if all(disorder_at(beat, v, REACH, chain) > allowed for v in (u + 1e-6, u - 1e-6))]
    if found is None:
        assert lasting == []
        return
    assert any(disorder_at(beat, found + step, REACH, chain) > allowed for step in (1e-9, 1e-7, 1e-5))
    assert not lasting or found <= lasting[0]
    if seen and seen[0] > found + BLINK:
        assert disorder_at(beat, found + BLINK, REACH, chain) <= allowed


@pytest.mark.parametrize("chain", [True, False])
def test_the_first_break_is_where_sampling_sees_it(chain: bool) -> None:
    rng = Random(f"break {chain}")
    for _ in range(12):
        beat = random_beat(rng)
        compare(beat, max(1, disorder_at(beat, 0.0, REACH, chain)), chain)


@pytest.mark.slow
@pytest.mark.parametrize("chain", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_the_first_break_is_where_sampling_sees_it_often(chain: bool, seed: int) -> None:
    rng = Random(f"break {chain} {seed}")
    for _ in range(60):
        beat = random_beat(rng)
        compare(beat, max(1, disorder_at(beat, 0.0, REACH, chain)), chain)


def test_each_pair_is_linked_during_one_interval() -> None:
    rng = Random(5)
    for _ in range(200):
        a, b = random_beat(rng)[:2]
        part = linked(a, b, REACH)
        for i in range(201):
            u = i / 200
            (ax, ay), (bx, by) = a.at(u), b.at(u)
            away = length(ax - bx, ay - by, a.height_at(u) - b.height_at(u))
            inside = part is not None and part[0] <= u <= part[1]
            assert inside is (away <= REACH) or abs(away - REACH) < 1e-9


def test_a_bulge_half_way_breaks_though_both_ends_are_close() -> None:
    """Seven inches apart in the middle of two legs of equal length (VS-GM-07)."""
    one = (moving((10, 10, 0), (13, 7, 0)), moving((10, 12, 0), (13, 15, 0)))
    assert first_break(one, REACH, 1) == pytest.approx(1 / 6)
    gap, at = widest_gap_in(one, 0.5, 2.0)
    assert (gap, at) == (7.0, 1.0)


def test_a_link_handed_on_from_mate_to_mate_never_breaks() -> None:
    beat = (moving((0, 0, 0), (4, 0, 0)), moving((2, 1, 0), (2, 1, 0)), moving((4, 0, 0), (0, 0, 0)))
    assert first_break(beat, 2.3, 1) is None


def test_models_that_move_as_one_change_no_distance() -> None:
    beat = (moving((0, 0, 0), (4, 1, 0)), moving((9, 0, 0), (13, 1, 0)))
    assert moves_as_one(beat)
    assert first_break(beat, REACH, 2) is None
    assert first_break(beat, REACH, 1) == 0.0
    assert not moves_as_one((moving((0, 0, 0), (4, 1, 1)), moving((9, 0, 0), (13, 1, 0))))


# ---- at rest ---------------------------------------------------------------------------------------------------------

LINE = [(0.0, 0.0, 0.0), (3.0, 0.0, 0.0), (6.0, 0.0, 0.0)]
PAIRS = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (9.0, 0.0, 0.0), (10.0, 0.0, 0.0)]


def test_a_chain_is_one_piece_and_two_pairs_are_two() -> None:
    assert pieces(LINE, 3.0) == [[0, 1, 2]]
    assert pieces(LINE, 2.9) == [[0], [1], [2]]
    assert pieces(PAIRS, 3.0) == [[0, 1], [2, 3]]


def test_without_a_chain_a_mate_in_reach_is_enough() -> None:
    assert (disorder(PAIRS, 3.0), disorder(PAIRS, 3.0, chain=False)) == (2, 1)
    assert disorder([*PAIRS, (20.0, 0.0, 0.0)], 3.0, chain=False) == 2
    assert disorder([(0.0, 0.0, 0.0)], 3.0, chain=False) == 1


def test_height_counts_in_a_link() -> None:
    assert disorder([(0, 0, 0), (0, 2, 2)], 2.5) == 2
    assert disorder([(0, 0, 0), (0, 2, 1.5)], 2.5) == 1


def test_the_widest_gap_is_the_longest_link_of_the_shortest_tree() -> None:
    assert widest_gap(PAIRS, 0.25) == 8.0 - 0.5
    assert widest_gap([(0, 0, 0), (1, 0, 0), (1, 5, 0)], 0.5) == 4.0
    assert widest_gap([(0, 0, 0)], 0.5) == 0.0
    rng = Random(6)
    for _ in range(100):
        places = [(rng.uniform(0, 9), rng.uniform(0, 9), rng.uniform(0, 2)) for _ in range(rng.randint(2, 8))]
        widest = widest_gap(places, 0.0)
        assert len(pieces(places, widest + 1e-9)) == 1
        assert len(pieces(places, widest - 1e-9)) == 2


def any_beat(rng: Random) -> Beat:
    """Two to ten models that drift apart or together, some of them in pace, some waiting."""
    together = rng.uniform(-3, 3), rng.uniform(-3, 3)
    found = []
    for number in range(rng.randint(2, 10)):
        start = 1.5 * number + rng.uniform(-1, 1), rng.uniform(-2, 2), rng.choice((0.0, 0.0, 1.0))
        by = together if rng.random() < 0.5 else (rng.uniform(-3, 3), rng.uniform(-3, 3))
        by = (0.0, 0.0) if rng.random() < 0.2 else by
        found.append(moving(start, (start[0] + by[0], start[1] + by[1], rng.choice((start[2], 1.0)))))
    return tuple(found)


def check_breaks(seeds: range, twin: str) -> None:
    broken = 0
    for seed in seeds:
        rng = Random(seed)
        beat, allowed, chain = any_beat(rng), rng.randint(1, 2), rng.random() < 0.8
        with twins.forced(twins.PLAIN):
            known = first_break(beat, REACH, allowed, chain)
        with twins.forced(twin):
            assert first_break(beat, REACH, allowed, chain) == known, f"beat {seed}"
        moments = [i / 50 for i in range(51)]
        if lasting_disorder(beat, REACH, chain) <= allowed:
            assert all(disorder_at(beat, u, REACH, chain) <= allowed for u in moments), f"beat {seed}"
        broken += known is not None
    assert len(seeds) / 10 < broken < len(seeds)


def test_the_kernel_finds_the_same_moment_to_the_last_bit() -> None:
    check_breaks(range(150), twins.INTERPRETED)


@pytest.mark.slow
def test_the_compiled_kernel_finds_the_same_moment_to_the_last_bit() -> None:
    check_breaks(range(1000, 6000), twins.COMPILED)
