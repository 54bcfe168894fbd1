"""Lines of sight among models and areas: the kernel says what the plain code says, or leaves it to the plain code."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from tactician.rules.core.shades import pieces_of
from tactician.rules.core.sight import Eye
from tactician.rules.core.terrain import Board
from tactician.rules.core.views import views
from tactician.rules.paths import kernels, twins

from tests.core.sight_scenes import eye, random_blockers, random_board, random_eye, table, wall, wood


def marks(board: Board, one: Eye, other: Eye, blockers: tuple[Eye, ...] = ()) -> int:
    """What the interpreted kernel says of one pair."""
    pieces, answers = pieces_of(board), np.zeros(1, np.int64)
    kernels.view_marks(
        np.array([one.x, one.y, one.top]),
        np.array([other.x, other.y, other.top, other.radius]),
        np.array([number for piece in pieces for number in piece.box]),
        np.array(
            [
                number
                for piece in pieces
                for number in (piece.bottom, piece.top, -1.0 if piece.veil is None else piece.veil)
            ]
        ),
        np.cumsum([0, *(len(piece.points) for piece in pieces)]),
        np.array([number for piece in pieces for point in piece.points for number in point]),
        np.array([number for model in blockers for number in (model.x, model.y, model.radius, model.top)]),
        answers,
    )
    return int(answers[0])


HERE, THERE = eye(10, 10), eye(20, 10)


def test_certainly_seen_and_certainly_not() -> None:
    assert marks(table(), HERE, THERE) == 1
    assert marks(table(wall(14, 8, 15, 12)), HERE, THERE) == 0
    assert marks(table(wall(14, 10, 15, 12)), HERE, THERE) == 1
    assert marks(table(), HERE, THERE, (eye(18, 10, radius=1.0),)) == 0
    assert marks(table(), HERE, THERE, (eye(10, 10), eye(20, 10), eye(21.5, 10))) == 1
    assert marks(table(wood(13, 8, 16, 12)), HERE, THERE) == 0
    assert marks(table(wood(13, 8, 14.9, 12)), HERE, THERE) == 1


def test_what_is_not_judged_is_left_to_the_plain_code() -> None:
    assert marks(table(wall(19.8, 8, 20.4, 12)), HERE, THERE) == -1
    assert marks(table(wall(14, 8, 15, 12, top=2.0)), eye(10, 10, foot=2.0), THERE) == -1
    assert marks(table(wood(13, 8, 15.0001, 12)), HERE, THERE) == -1


def check_views(seeds: range, mode: str) -> None:
    """Equal answers; every third scene has bases that touch."""
    for seed in seeds:
        rng = Random(seed)
        board, blockers = random_board(rng, 6), random_blockers(rng, 25)
        if seed % 3 == 0:
            blockers += [eye(5.0 + k, rng.choice((0.0, 1.0))) for k in range(4)]
        eyes = [random_eye(rng) for _ in range(2)]
        targets = [eye(rng.uniform(3, 16), rng.uniform(-6, 6), rng.choice((0.0, 0.0, 1.0))) for _ in range(4)]
        with twins.forced(twins.PLAIN):
            plain = views(board, eyes, [*targets, *blockers[:3]], blockers)
        with twins.forced(mode):
            assert views(board, eyes, [*targets, *blockers[:3]], blockers) == plain, f"scene {seed}"


def test_interpreted_views_are_the_plain_ones() -> None:
    check_views(range(30), twins.INTERPRETED)


@pytest.mark.slow
@pytest.mark.skipif(not twins.has_compiler(), reason="no compiler is installed")
def test_compiled_views_are_the_plain_ones() -> None:
    check_views(range(100, 1100), twins.COMPILED)
