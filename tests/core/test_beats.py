"""Movement in step as beats of common time: legs are walked together and cut together."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from tactician.rules.core.beats import beats, distance, padded, rest_of, standing
from tactician.rules.core.legs import Climb, Drop, Path, Pose, Straight, walk
from tactician.rules.core.terrain import Feature, Surface

from tests.core.movement_boards import box, straight, table_with

RAMP = Feature(
    id="ramp",
    outline=box(10, 8, 20, 16),
    surface=Surface(id="ramp", polygon=box(10, 8, 20, 16), low=0, high=3, foot=(12, 10), head=(16, 10)),
)
STATE = table_with(
    {"A": ("red", {"a": Pose(2, 2), "b": Pose(2, 4), "c": Pose(10.5, 10, "ramp"), "d": Pose(10.5, 12, "ramp")})},
    (RAMP,),
)
UNIT = STATE.unit("A")


def test_legs_are_walked_together_and_shorter_paths_wait() -> None:
    rows = beats(UNIT, {"a": straight((4, 2), (4, 6)), "b": straight((2, 8))}, STATE.board)
    assert len(rows) == 2
    assert [(s.start, s.end) for s in rows[0]] == [
        ((2, 2), (4, 2)),
        ((2, 4), (2, 8)),
        ((10.5, 10), (10.5, 10)),
        ((10.5, 12), (10.5, 12)),
    ]
    assert (rows[1][0].end, rows[1][1].start, rows[1][1].end) == ((4, 6), (2, 8), (2, 8))


def test_nobody_moving_is_no_beat() -> None:
    assert beats(UNIT, {}, STATE.board) == ()


def test_a_ramp_that_one_model_meets_cuts_the_leg_for_all() -> None:
    rows = beats(UNIT, {"a": straight((12, 2)), "c": straight((18.5, 10))}, STATE.board)
    assert [row[2].end[0] for row in rows] == pytest.approx([12, 16, 18.5])
    assert [row[0].end[0] for row in rows] == pytest.approx([2 + 10 * 1.5 / 8, 2 + 10 * 5.5 / 8, 12])
    assert [(row[2].low, row[2].high) for row in rows] == [(0, pytest.approx(0)), (0, 3), (3, 3)]


def test_beats_join_without_a_gap_whatever_the_ramps_cut() -> None:
    rng = Random(3)
    for _ in range(300):
        paths: dict[str, Path] = {
            name: straight(*((rng.uniform(9, 21), rng.uniform(7, 17)) for _ in range(rng.randint(1, 3))))
            for name in "abcd"
        }
        paths["c"] = straight((rng.choice((12.0, 16.0, 20.0)), 10.0), *(leg.to for leg in paths["c"][:2]))  # type: ignore[union-attr]
        rows = beats(UNIT, paths, STATE.board)
        for i, model in enumerate(UNIT.models):
            assert rows[0][i].start == model.pose.point
            assert rows[-1][i].end == paths[model.id][-1].to  # type: ignore[union-attr]
            for before, after in pairwise(rows):
                assert before[i].end == pytest.approx(after[i].start, abs=1e-9)
                assert before[i].high == pytest.approx(after[i].low, abs=1e-9)
            walked = sum(row[i].across for row in rows)
            assert walked == pytest.approx(sum(s.across for s in walk(model.pose, paths[model.id], STATE.board)))


def test_waits_are_appended_at_the_last_place() -> None:
    pose = Pose(1, 1)
    assert padded((), 2, pose) == straight((1, 1), (1, 1))
    assert padded(straight((3, 3)), 2, pose) == straight((3, 3), (3, 3))
    assert padded((Straight((3, 3)), Climb("ramp")), 3, pose) == (Straight((3, 3)), Climb("ramp"), Straight((3, 3)))
    assert padded(straight((3, 3), (4, 4)), 1, pose) == straight((3, 3), (4, 4))


def test_the_leg_of_a_stretch_walks_it_again() -> None:
    path: Path = (Straight((11, 10)), Climb("ramp"), Drop("ground"))
    assert tuple(rest_of(stretch) for stretch in walk(Pose(9.5, 10), path, STATE.board)) == path


def test_the_distance_of_two_models_counts_heights() -> None:
    low, high = standing(Pose(0, 0), 0.0), standing(Pose(3, 0, "ramp"), 4.0)
    assert distance(low, high, 0.5) == 5.0
