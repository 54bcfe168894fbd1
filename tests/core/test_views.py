"""Sight among screens, areas and models, cover on the line, arcs; rays cut by shapely are the witness."""

from __future__ import annotations

from math import asin, atan2, cos, radians, sin, sqrt, tan
from random import Random

import numpy as np
import pytest
import shapely
from tactician.rules.core.legs import Pose
from tactician.rules.core.shapes import length
from tactician.rules.core.sight import Eye, can_see
from tactician.rules.core.terrain import Board, Feature
from tactician.rules.core.views import covered_by, in_arc, sees, views
from tactician.rules.paths import twins

from tests.core.movement_boards import box
from tests.core.sight_scenes import eye, random_blockers, random_board, random_eye, screen, table, wall, wood
from tests.core.test_sight import crowd

HERE, THERE = eye(10, 10), eye(20, 10)


# ---- walls and screens -----------------------------------------------------------------------------------------------


def test_a_wall_and_a_screen_hide_alike() -> None:
    for piece in (wall(14, 8, 15, 12), screen(14, 8, 15, 12), screen(14, 8, 15, 12, top=2.0)):
        assert not sees(table(piece), HERE, THERE)
        assert sees(table(piece), HERE, eye(20, 16))
    assert sees(table(screen(14, 8, 15, 12, top=1.5)), HERE, THERE)
    assert sees(table(), HERE, THERE)


@pytest.mark.parametrize(("top", "seen"), [(10.24, True), (10.2452, True), (10.2454, False)])
def test_a_sliver_past_a_corner_is_enough(top: float, seen: bool) -> None:
    """The left edge of the base passes x = 14.9 at 10 + 4.9 tan(asin(0.05)) = 10.24531."""
    assert 10 + 4.9 * tan(asin(0.05)) == pytest.approx(10.24531, abs=1e-5)
    assert sees(table(screen(14.9, 0, 15, top)), HERE, THERE) is seen


def test_from_a_hill_one_looks_over_a_wall_at_what_is_far_enough_behind_it() -> None:
    """From 4.5 down to 1.5 the line is below 3 on its second half: to x = 20 beyond 15, to x = 26 beyond 18."""
    above = eye(10, 10, foot=3)
    near = table(wall(13, 0, 14, 20, top=3.0))
    assert sees(near, above, THERE)
    assert not sees(near, HERE, THERE)
    board = table(wall(17, 0, 18, 20, top=3.0))
    assert [sees(board, above, eye(x, 10)) for x in (20, 25.4, 25.6)] == [False, False, True]
    assert [sees(board, eye(x, 10), above) for x in (26.6, 26.4, 25.0)] == [True, True, False]


def test_a_low_wall_close_to_the_eye_hides_a_tall_target_only_far_away() -> None:
    """From 1 up to 3 the line is below 1.5 on its first quarter, and what lies beyond the wall's near edge counts."""
    low, board = eye(10, 10, stature=1.0), table(wall(12, 0, 12.2, 20, top=1.5))
    assert [sees(board, low, eye(x, 10, stature=3.0)) for x in (16, 18.4, 18.6)] == [True, True, False]


def test_walls_alone_hide_what_the_plain_lines_of_sight_say() -> None:
    """Level lines agree; from above one may also look at the back of a base, never less than at its front."""
    seen = 0
    for seed in range(40):
        board, eyes = crowd(Random(seed))
        with twins.forced(twins.PLAIN):
            for one in eyes:
                for other in eyes:
                    plain, full = can_see(board, one, other), sees(board, one, other)
                    assert full is plain or (full and one.top > other.top), f"board {seed}"
                    seen += full
    assert seen > 500


# ---- areas -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("x1", "seen"), [(15.9, True), (16.0, True), (16.01, False)])
def test_one_sees_so_far_through_a_wood(x1: float, seen: bool) -> None:
    assert sees(table(wood(14, 5, x1, 15)), HERE, THERE) is seen


def test_into_and_out_of_a_wood() -> None:
    board = table(wood(14, 5, 20, 15))
    assert [sees(board, HERE, eye(x, 10)) for x in (15.9, 16.0, 16.1)] == [True, True, False]
    assert [sees(board, eye(x, 10), HERE) for x in (15.9, 16.0, 16.1)] == [True, True, False]
    assert [sees(board, eye(15, 10), eye(x, 10)) for x in (17, 17.1)] == [True, False]


def test_woods_with_one_veil_count_together_and_overlap_once() -> None:
    assert not sees(table(wood(13, 5, 14.2, 15), wood(16, 5, 17, 15)), HERE, THERE)
    assert sees(table(wood(13, 5, 14.2, 15), wood(13.5, 5, 15, 15)), HERE, THERE)
    assert sees(table(wood(13, 5, 14.2, 15), wood(16, 5, 17, 15, veil=6)), HERE, THERE)


def test_a_target_that_juts_out_from_behind_a_wood_is_seen() -> None:
    assert sees(table(wood(14, 9.8, 18, 15)), HERE, THERE)
    assert not sees(table(wood(14, 9.4, 18, 15)), HERE, THERE)


def test_a_veil_of_nothing_hides_and_a_wood_is_seen_over() -> None:
    assert not sees(table(wood(14, 8, 14.5, 12, veil=0.0)), HERE, THERE)
    assert sees(table(wood(14, 8, 18, 12, top=1.5)), HERE, THERE)
    assert not sees(table(wood(14, 8, 18, 12, top=2.0)), HERE, THERE)
    assert sees(table(wood(11, 8, 15, 12, top=2.0)), eye(10, 10, foot=3), THERE)


# ---- models ----------------------------------------------------------------------------------------------------------


def test_a_model_hides_what_is_wholly_behind_it() -> None:
    assert not sees(table(), HERE, THERE, [eye(15, 10)])
    assert not sees(table(), HERE, THERE, [eye(12, 10, radius=0.25)])
    assert sees(table(), HERE, THERE, [eye(18, 10, radius=0.25)])
    assert sees(table(), HERE, THERE, [eye(15, 10.3)])
    assert not sees(table(), HERE, THERE, [eye(15, 10.3), eye(16, 9.6)])
    assert sees(table(), HERE, THERE, [eye(22, 10, radius=1.0), eye(8, 10, radius=1.0)])


def test_a_model_just_wide_enough_to_hide_another() -> None:
    """Halfway a base of half the radius is as wide to the eye as the target."""
    assert not sees(table(), HERE, THERE, [eye(15, 10, radius=0.2501)])
    assert sees(table(), HERE, THERE, [eye(15, 10, radius=0.2499)])


def test_a_model_hides_only_up_to_its_top() -> None:
    assert sees(table(), HERE, THERE, [eye(15, 10, stature=1.2)])
    assert sees(table(), eye(10, 10, foot=3), THERE, [eye(15, 10)])
    assert sees(table(), HERE, eye(20, 10, stature=3.0), [eye(15, 10)])
    low = eye(10, 10, stature=1.0)
    assert not sees(table(), low, eye(20, 10, stature=3.0), [eye(11.5, 10)])
    assert sees(table(), low, eye(13, 10, stature=3.0), [eye(11.5, 10)])


def test_nobody_hides_himself_or_from_himself() -> None:
    assert sees(table(), HERE, THERE, [HERE, THERE])
    assert views(table(), [HERE], [THERE, eye(30, 10)], [HERE, THERE]) == ((True, False),)


def test_views_are_the_single_answers() -> None:
    board = table(wall(14, 8, 15, 12), wood(20, 0, 26, 9))
    rng = Random(5)
    eyes = [eye(rng.uniform(8, 12), rng.uniform(2, 18)) for _ in range(6)]
    targets = [eye(rng.uniform(18, 30), rng.uniform(2, 18)) for _ in range(8)]
    found = views(board, eyes, targets, targets)
    assert found == tuple(tuple(sees(board, one, other, targets) for other in targets) for one in eyes)
    assert {answer for row in found for answer in row} == {True, False}
    assert views(board, [], targets) == ()
    assert views(board, eyes, []) == ((),) * 6


# ---- against rays ----------------------------------------------------------------------------------------------------


def band(one: Eye, top: float, piece: tuple[float, float]) -> tuple[float, float] | None:
    """Fractions of the line between which it is at a piece's height."""
    if abs(top - one.top) < 1e-9:
        return (0.0, 1.0) if piece[0] + 1e-4 < one.top < piece[1] - 1e-4 else None
    ends = sorted((height - one.top) / (top - one.top) for height in (piece[0] + 1e-4, piece[1] - 1e-4))
    low, high = max(ends[0], 0.0), min(ends[1], 1.0)
    return (low, high) if low < high else None


def stopped(
    one: Eye, ends: np.ndarray, top: float, shape: shapely.Geometry, heights: tuple[float, float]
) -> np.ndarray:
    """Whether a shape stops the lines to some points at a height."""
    part = band(one, top, heights)
    if part is None:
        return np.zeros(len(ends), bool)
    start = np.array([one.x, one.y])
    lines = shapely.linestrings(np.stack([start + (ends - start) * u for u in part], axis=1))
    shapely.prepare(shape)
    found: np.ndarray = shapely.intersects(shape, lines)
    return found


def veiled(board: Board, one: Eye, other: Eye) -> list[Feature]:
    """The areas that the line between the centres runs too far in."""
    found = []
    for veil in {piece.veil for piece in board.features if piece.veil is not None}:
        group, parts = [piece for piece in board.features if piece.veil == veil], []
        for piece in group:
            part = band(one, other.top, (piece.bottom, piece.top))
            if part is not None:
                spots = [(one.x + (other.x - one.x) * u, one.y + (other.y - one.y) * u) for u in part]
                parts.append(shapely.LineString(spots).intersection(shapely.Polygon(piece.outline.points)))
        found += group if shapely.union_all(parts).length > veil + 1e-4 else []
    return found


def seen_by_rays(board: Board, one: Eye, other: Eye, blockers: list[Eye], rays: int, depths: int) -> bool:
    """Whether some line from the eye to points all over the target's base is open."""
    away, towards = length(other.x - one.x, other.y - one.y), atan2(other.y - one.y, other.x - one.x)
    half = asin(other.radius / away)
    ends = []
    for off in (half * (2 * (i + 0.5) / rays - 1) for i in range(rays)):
        chord = sqrt(max(other.radius**2 - (away * sin(off)) ** 2, 0.0))
        for part in (1e-6, *((i + 0.5) / depths for i in range(depths)), 1 - 1e-6):
            far = away * cos(off) - chord + 2 * chord * part
            ends.append((one.x + far * cos(towards + off), one.y + far * sin(towards + off)))
    spots = np.array(ends)
    dark = np.zeros(len(spots), bool)
    for piece in (*(piece for piece in board.features if piece.veil is None), *veiled(board, one, other)):
        dark |= stopped(one, spots, other.top, shapely.Polygon(piece.outline.points), (piece.bottom, piece.top))
    for model in blockers:
        shape = shapely.Point(model.x, model.y).buffer(model.radius, quad_segs=64)
        dark |= stopped(one, spots, other.top, shape, (-1e9, model.top + 2e-4))
    return not dark.all()


def check_rays(seeds: range) -> None:
    """Whatever a ray sees is seen, and what is seen is found by rays, if need be by many."""
    answers = []
    for seed in seeds:
        rng = Random(seed)
        board, one = random_board(rng, 6), random_eye(rng)
        other = eye(
            rng.uniform(8, 15), rng.uniform(-4, 4), rng.choice((0.0, 0.0, 0.0, 2.0)), rng.choice((1.0, 1.5, 2.0))
        )
        ends = (one, other)
        blockers = [m for m in random_blockers(rng) if all(length(m.x - e.x, m.y - e.y) > m.radius + 0.5 for e in ends)]
        seen = sees(board, one, other, blockers)
        if seen is not seen_by_rays(board, one, other, blockers, 100, 4):
            assert seen, f"scene {seed}: a ray sees what is said to be hidden"
            assert seen_by_rays(board, one, other, blockers, 20_000, 12), f"scene {seed}: no ray sees it"
        answers.append(seen)
    assert len(seeds) // 5 < sum(answers) < len(seeds)


def test_rays_agree() -> None:
    check_rays(range(200))


@pytest.mark.slow
def test_rays_agree_in_many_scenes() -> None:
    check_rays(range(200, 3200))


# ---- cover and arcs --------------------------------------------------------------------------------------------------


def scrub(name: str, x0: float, y0: float, x1: float, y1: float) -> Feature:
    return Feature(id=name, outline=box(x0, y0, x1, y1), traits=(("cover", 1.0),))


def test_cover_is_what_the_line_between_the_centres_crosses_or_ends_in() -> None:
    crossed, inside, beside = scrub("c", 14, 9, 15, 11), scrub("i", 19, 9, 22, 11), scrub("b", 14, 10.1, 15, 12)
    board = table(crossed, inside, beside, wood(16, 9, 17, 11))
    assert covered_by(board, (10, 10), (20, 10), "cover", 0.5) == (crossed, inside)
    assert covered_by(board, (10, 10), (18, 10), "cover", 0.5) == (crossed,)
    assert covered_by(board, (20, 10), (10, 10), "cover", 0.5) == (crossed,)
    assert covered_by(board, (10, 10), (20, 10), "height", 0.5) == ()


@pytest.mark.parametrize(
    ("x", "covers"), [(13.5, False), (13.4999, False), (13.49, True), (14.5, False), (15.5, False)]
)
def test_a_piece_that_the_shooter_touches_covers_nobody(x: float, covers: bool) -> None:
    piece = scrub("c", 14, 9, 15, 11)
    assert covered_by(table(piece), (x, 10), (20, 10), "cover", 0.5) == ((piece,) if covers else ())


@pytest.mark.parametrize(
    ("off", "inside"), [(0, True), (44.9, True), (45, True), (45.1, False), (-45, True), (-46, False), (180, False)]
)
@pytest.mark.parametrize("bearing", [0.0, 90.0, 350.0])
def test_a_front_arc(off: float, inside: bool, bearing: float) -> None:
    angle = radians(bearing + off)
    place = 20 + 7 * sin(angle), 20 + 7 * cos(angle)
    assert in_arc(Pose(20, 20), bearing, 90.0, *place) is inside


def test_an_arc_holds_its_tip_and_all_round_everything() -> None:
    assert in_arc(Pose(20, 20), 0.0, 90.0, 20, 20)
    assert in_arc(Pose(20, 20), 0.0, 360.0, 20, 10)
