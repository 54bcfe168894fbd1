"""Borders, cells and stretches in sight; dense looks along random ways are the witness."""

from __future__ import annotations

from math import hypot, isclose, pi, radians, sqrt, tan
from random import Random

import pytest
from tactician.rules.core.glimpses import (
    Border,
    Depth,
    Halfway,
    Lift,
    Mover,
    Ray,
    Ring,
    Side,
    Span,
    Watch,
    arc_borders,
    cells,
    cover_borders,
    middle,
    outline_borders,
    place_at,
    sight_borders,
    spans_seen,
    spans_where,
    visible_spans,
)
from tactician.rules.core.legs import Bend, Climb, Leg, Pose, Straight, Stretch, walk
from tactician.rules.core.measure import TOL
from tactician.rules.core.shades import pieces_of, shade_of
from tactician.rules.core.shapes import length
from tactician.rules.core.sight import Eye
from tactician.rules.core.terrain import Board, Feature, Surface
from tactician.rules.core.views import covered_by, in_arc, sees, views

from tests.core.movement_boards import box
from tests.core.sight_scenes import (
    eye,
    random_blockers,
    random_board,
    random_eye,
    random_outline,
    random_way,
    screen,
    table,
    wall,
    wood,
)

MOVER = Mover(radius=0.5, stature=1.5)


def way(x: float, y: float, *legs: Leg) -> tuple[Stretch, ...]:
    return walk(Pose(x, y), legs, table())


def close(found: tuple[Span, ...], wanted: tuple[Span, ...], by: float = 1e-6) -> bool:
    return len(found) == len(wanted) and all(
        isclose(a, b, abs_tol=by)
        for one, other in zip(found, wanted, strict=True)
        for a, b in zip(one, other, strict=True)
    )


# ---- borders on one stretch ------------------------------------------------------------------------------------------

ACROSS = way(0, 0, Straight((10, 0)))[0]
QUARTER = way(10, 0, Bend((0, 0), (0, 10), "left"))[0]
MOST = way(10, 0, Bend((0, 0), (0, 10), "right"))[0]


def test_rings() -> None:
    assert Ring((5, 3), 5).crossings(ACROSS) == pytest.approx((0.1, 0.9))
    assert Ring((5, 6), 5).crossings(ACROSS) == ()
    assert Ring((0, 0), 4).crossings(ACROSS) == pytest.approx((0.4,))
    assert Ring((10, 0), 10).crossings(QUARTER) == pytest.approx((2 / 3,))
    assert Ring((10, 0), 10).crossings(MOST) == pytest.approx((2 / 9,))
    assert Ring((0, 0), 9).crossings(QUARTER) == ()


def test_rays() -> None:
    assert Ray((4, -2), 0.0).crossings(ACROSS) == pytest.approx((0.4,))
    assert Ray((4, -2), 180.0).crossings(ACROSS) == ()
    assert Ray((4, -2), 0.0, 0.5).crossings(ACROSS) == pytest.approx((0.35,))
    assert Ray((4, -2), 45.0, -0.5).crossings(ACROSS) == pytest.approx((0.6 + 0.05 * sqrt(2),))
    assert Ray((0, 0), 30.0).crossings(QUARTER) == pytest.approx((2 / 3,))
    assert Ray((0, 0), 210.0).crossings(MOST) == pytest.approx((4 / 9,))


def test_sides() -> None:
    assert Side((4, -2), (4, 2)).crossings(ACROSS) == pytest.approx((0.4,))
    assert Side((4, -2), (4, 2), 1.0).crossings(ACROSS) == pytest.approx((0.3,))
    assert Side((4, 1), (4, 2)).crossings(ACROSS) == ()
    assert Side((4, 1), (4, 1)).crossings(ACROSS) == ()
    assert Side((0, 5), (10, 5)).crossings(QUARTER) == pytest.approx((1 / 3,))
    assert Side((0, -5), (-10, -5)).crossings(MOST) == pytest.approx((5 / 9,))


def test_halfway() -> None:
    assert Halfway((2, 1), (6, -1)).crossings(ACROSS) == pytest.approx((0.4,))
    assert Halfway((2, 0), (8, 0), 1.0, 0.0).crossings(ACROSS) == pytest.approx((0.55,))
    assert Halfway((10, 0), (0, 10)).crossings(QUARTER) == pytest.approx((0.5,))


def test_depths() -> None:
    """From (5, -4) the line to (x, 0) runs 2 / 4 of its way inside a band from y = -3 to -1: 2.5 of 5 at x = 2 or 8."""
    board = table(wood(-20, -3, 30, -1))
    shade = shade_of(pieces_of(board)[0], eye(5, -4), 1.5)
    assert shade is not None
    assert Depth((5, -4), (shade,), 2.5).crossings(ACROSS) == pytest.approx((0.2, 0.8))
    assert Depth((5, -4), (shade,), 1.9).crossings(ACROSS) == ()


def value(border: Border, x: float, y: float) -> float:
    """Something that changes its sign across a border."""
    match border:
        case Ring(centre=(cx, cy), radius=radius):
            return length(x - cx, y - cy) - radius
        case Side(a=(ax, ay), b=(bx, by), offset=offset):
            ux, uy = (bx - ax) / length(bx - ax, by - ay), (by - ay) / length(bx - ax, by - ay)
            return ux * (y - ay) - uy * (x - ax) - offset
        case Halfway(p=(px, py), q=(qx, qy), p_radius=p, q_radius=q):
            return length(x - px, y - py) - p - length(x - qx, y - qy) + q
    raise AssertionError(border)


def random_border(rng: Random) -> Border:
    a, b = ((rng.uniform(6, 18), rng.uniform(-8, 8)) for _ in range(2))
    far = (b[0] - a[0]) * 1000, (b[1] - a[1]) * 1000
    return rng.choice(
        (
            Ring(a, rng.uniform(0.5, 12)),
            Side((a[0] - far[0], a[1] - far[1]), (a[0] + far[0], a[1] + far[1]), rng.uniform(-2, 2)),
            Halfway(a, b, rng.choice((0.5, 1.0, 2.0)), 0.5),
        )
    )


def test_crossings_are_where_the_sign_changes() -> None:
    rng, crossed = Random(4), 0
    for _ in range(700):
        border = random_border(rng)
        for stretch in random_way(rng, []):
            found = border.crossings(stretch)
            assert all(abs(value(border, *stretch.at(u))) < 1e-7 for u in found)
            signs = [value(border, *stretch.at(i / 100)) > 0 for i in range(101)]
            for i in range(100):
                if signs[i] != signs[i + 1]:
                    assert sum(i / 100 - 1e-9 <= u <= (i + 1) / 100 + 1e-9 for u in found) == 1, border
            crossed += len(found)
    assert crossed > 200


# ---- cells -----------------------------------------------------------------------------------------------------------


def test_cells_are_inches_along_the_whole_way() -> None:
    bent = way(0, 0, Straight((3, 0)), Bend((3, 2), (5, 2), "left"), Straight((5, 4)))
    found = cells(bent, [Side((1, -1), (1, 1)), Side((0, 3), (9, 3))], [2.0])
    assert close(found, ((0, 1), (1, 2), (2, 4 + pi), (4 + pi, 5 + pi)), 1e-9)
    assert place_at(bent, 3 + pi / 2) == pytest.approx((3 + sqrt(2), 2 - sqrt(2)))
    assert place_at(bent, 99) == (5, 4)
    assert middle(found[1]) == pytest.approx(1.5)


def test_a_way_without_length_has_no_cells() -> None:
    assert cells((), []) == ()
    assert cells(way(3, 3, Straight((3, 3))), [Ring((3, 3), 1)]) == ()


def test_spans_where_a_test_holds() -> None:
    straight = way(0, 0, Straight((10, 0)))
    parts = cells(straight, [Side((x, -1), (x, 1)) for x in (2, 4, 7)])
    assert close(spans_where(straight, parts, lambda place: place[0] < 3 or place[0] > 8), ((0, 2), (7, 10)))
    assert close(spans_where(straight, parts, lambda place: place[0] < 4), ((0, 4),))
    assert close(spans_where(straight, parts, lambda place: place[0] < 4, joined=False), ((0, 2), (2, 4)))


# ---- stretches in sight: worked examples -----------------------------------------------------------------------------


def gap_board() -> Board:
    """A tall wall on the line x = 15 that is open from y = 1 to 3 (drawn 0.02 broad)."""
    return table(wall(14.99, -20, 15.01, 1), wall(14.99, 3, 15.01, 20))


def test_a_run_past_a_gap_in_a_wall() -> None:
    """From (10, 2) the tightest corners are (15.01, 1) and (15.01, 3).

    The base is in sight from where it touches the line past the lower one till it leaves the line past the upper one:
    at x = 20 these lines are 10 / 5.01 off y = 2, and the base reaches half its width / cos beyond.
    """
    run = way(20, -3, Straight((20, 5)))
    off = 10 / 5.01 + 0.5 * hypot(5.01, 1) / 5.01
    found = visible_spans(gap_board(), [eye(10, 2)], run, MOVER)
    assert close(found, ((5 - off, 5 + off),), 1e-9)
    assert sees(gap_board(), eye(10, 2), eye(20, 2))
    assert not sees(gap_board(), eye(10, 2), eye(20, -2))


def test_reach_and_arc_bound_what_is_in_sight() -> None:
    """Edge to edge 11.5 is 12.5 between the centres, 7.5 along x = 10 + ... from a place 10 off the way."""
    run, one = way(20, -18, Straight((20, 22))), eye(10, 2)
    assert close(visible_spans(table(), [one], run, MOVER, reach=11.5), ((20 - 7.5, 20 + 7.5),))
    arc = Watch(eye=one, bearing=90.0, width=60.0)
    half = 10 * tan(radians(30))
    assert close(spans_seen(table(), arc, run, MOVER), ((20 - half, 20 + half),))
    assert close(visible_spans(table(), [one, eye(10, 7)], run, MOVER, reach=11.5), ((12.5, 32.5),))
    assert visible_spans(table(), [one], run, MOVER, reach=5) == ()


def test_over_a_wall_from_a_hill() -> None:
    """From 4.5 down to 1.5 the line is below 3 on its second half: from (10, 10) what is on the way from x = 20 on till
    the last of the base leaves the wall's far edge 18 enlarged by 2 about the eye, x = 26.
    """
    board, run = table(wall(17, 0, 18, 20, top=3.0)), way(20, 10, Straight((30, 10)))
    by = 3e-4  # a wall reaches up to a tolerance below its top
    assert close(visible_spans(board, [eye(10, 10, foot=3)], run, MOVER), ((5.5, 10.0),), 5 * by)
    assert visible_spans(board, [eye(10, 10)], run, MOVER) == ()


def test_into_and_through_woods() -> None:
    """Two inches deep; behind it lines are 2.5 sqrt(1 + slope^2) long inside, which is more than 2."""
    run = way(12, 10, Straight((22, 10)))
    assert close(visible_spans(table(wood(14, 5, 30, 15)), [eye(10, 10)], run, MOVER), ((0, 4.0001),))
    beside = way(20, 0, Straight((20, 20)))
    found = visible_spans(table(wood(14, -9, 15.9, 29)), [eye(10, 10)], beside, MOVER)
    half = 10 * sqrt((2.0001 / 1.9) ** 2 - 1)
    assert close(found, ((10 - half, 10 + half),))


def test_a_model_hides_a_part_of_a_way() -> None:
    """Halfway there, of radius 1: lines past it on both sides are 10 tan(asin(1 / 5)) off at x = 20."""
    run, slope = way(20, 0, Straight((20, 20))), 1 / sqrt(24)
    half = 10 * slope - 0.5 * sqrt(1 + slope * slope)
    found = visible_spans(table(), [eye(10, 10)], run, MOVER, [eye(15, 10, radius=1.0)])
    assert close(found, ((0, 10 - half), (10 + half, 20)))


def test_a_model_is_seen_over_from_a_hill() -> None:
    """From 4.5 to 1.5 the line is above 3 on its first half: the shadow ends with the base enlarged by 2 about the eye.

    That is the circle of radius 2 about (20, 10), in which the mover is hidden wholly up to x = 21.5.
    """
    run = way(20, 10, Straight((22.5, 10)))
    found = visible_spans(table(), [eye(10, 10, foot=3)], run, MOVER, [eye(15, 10, stature=3.0, radius=1.0)])
    assert close(found, ((1.5, 2.5),), 2e-3)
    aside = way(20, 6, Straight((20, 9.9)))
    found = visible_spans(table(), [eye(10, 10, foot=3)], aside, MOVER, [eye(15, 10, stature=3.0, radius=1.0)])
    assert close(found, ((0.0, 2.5),), 2e-3)


def test_on_an_arc_about_the_eye() -> None:
    """A model of radius 0.5 at 5 hides, at 10, the bearings within asin(0.1) - asin(0.05) of its own."""
    bend = way(20, 10, Bend((10, 10), (10, 20), "left"))
    half = 10 * (0.1001674211615598 - 0.0500208568057700)
    place = 10 + 5 / sqrt(2)
    found = visible_spans(table(), [eye(10, 10)], bend, MOVER, [eye(place, place)])
    assert close(found, ((0, 2.5 * pi - half), (2.5 * pi + half, 5 * pi)))


def test_a_hill_lifts_the_mover_into_sight() -> None:
    board, run = table(wall(15, 0, 15.2, 20, top=2.0)), way(20, 10, Straight((30, 10)))
    hill = Lift(outline=box(24, 5, 27, 15), rise=3.0)
    found = visible_spans(board, [eye(10, 10)], run, MOVER, lifts=[hill])
    assert close(found, ((4, 7),))
    assert visible_spans(board, [eye(10, 10)], run, MOVER) == ()


def test_slopes_are_refused_and_climbs_have_no_length() -> None:
    outline = box(22, 0, 26, 20)
    ramp = Surface(id="f", polygon=outline, low=0, high=3, foot=(22, 10), head=(26, 10))
    board = table(Feature(id="f", outline=outline, surface=ramp))
    up = walk(Pose(23, 10, "f"), (Straight((25, 10)),), board)
    with pytest.raises(ValueError, match="level ways"):
        visible_spans(board, [eye(10, 10)], up, MOVER)
    floor = Surface(id="f", polygon=outline, low=3, high=3, solid=False)
    board = table(Feature(id="f", outline=outline, surface=floor), wall(15, 0, 15.2, 20, top=2.0))
    climb = walk(Pose(20, 10), (Straight((21, 10)), Climb("f"), Straight((24, 10))), board)
    assert close(visible_spans(board, [eye(10, 10)], climb, MOVER), ((1, 4),))


# ---- against dense looks ---------------------------------------------------------------------------------------------


def scene(seed: int) -> tuple[Board, list[Eye], list[Eye], tuple[Stretch, ...], Mover]:
    rng = Random(seed)
    board, eyes = random_board(rng), [random_eye(rng) for _ in range(2)]
    blockers = [m for m in random_blockers(rng) if all(length(m.x - e.x, m.y - e.y) > m.radius + 0.5 for e in eyes)]
    return board, eyes, blockers, random_way(rng, blockers), Mover(radius=0.5, stature=rng.choice((1.0, 1.5, 2.0)))


def dense(stretches: tuple[Stretch, ...], looks: int) -> list[float]:
    size = sum(stretch.across for stretch in stretches)
    return [size * (i + 0.5) / looks for i in range(looks)]


def targets(stretches: tuple[Stretch, ...], places: list[float], mover: Mover) -> list[Eye]:
    spots = [place_at(stretches, at) for at in places]
    return [eye(x, y, 0.0, mover.stature, mover.radius) for x, y in spots]


def check_spans(seeds: range, looks: int) -> None:
    """Inside spans every look sees the mover, outside none does; nearer than a thousandth to an end it may differ."""
    total = 0
    for seed in seeds:
        board, eyes, blockers, run, mover = scene(seed)
        found, places = visible_spans(board, eyes, run, mover, blockers), dense(run, looks)
        seen = [any(column) for column in zip(*views(board, eyes, targets(run, places, mover), blockers), strict=True)]
        for at, answer in zip(places, seen, strict=True):
            if all(abs(at - end) > 1e-3 for span in found for end in span):
                assert any(low < at < high for low, high in found) is answer, f"scene {seed} at {at}"
        total += sum(seen)
    assert len(seeds) * looks // 4 < total < len(seeds) * looks


@pytest.mark.parametrize("first", range(0, 100, 20))
def test_spans_agree_with_dense_looks(first: int) -> None:
    check_spans(range(first, first + 20), 200)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(100, 400, 50))
def test_spans_agree_with_many_dense_looks(first: int) -> None:
    check_spans(range(first, first + 50), 400)


def worth(one: Eye, other: Eye, seen: bool) -> float:
    """A made-up score of a shot: hits expected at short and at long range."""
    gap = length(other.x - one.x, other.y - one.y) - one.radius - other.radius
    return 0.0 if not seen or gap > 14 else 0.7 if gap <= 8 else 0.4


def scores(board: Board, eyes: list[Eye], others: list[Eye], blockers: list[Eye]) -> list[float]:
    rows = views(board, eyes, others, blockers)
    return [
        sum(worth(one, other, row[i]) for one, row in zip(eyes, rows, strict=True)) for i, other in enumerate(others)
    ]


def check_scores(seeds: range, looks: int) -> None:
    """The best cell is worth as much as the best dense look, and every look as much as its cell."""
    for seed in seeds:
        board, eyes, blockers, run, mover = scene(seed)
        ends = [end for one in eyes for span in spans_seen(board, Watch(eye=one), run, mover, blockers) for end in span]
        rings = [Ring((one.x, one.y), limit + one.radius + mover.radius) for one in eyes for limit in (8, 14)]
        parts, places = cells(run, rings, ends), dense(run, looks)
        by_cell = scores(board, eyes, targets(run, [middle(part) for part in parts], mover), blockers)
        by_look = scores(board, eyes, targets(run, places, mover), blockers)
        step = places[1] - places[0]
        wide = [value_ for (low, high), value_ in zip(parts, by_cell, strict=True) if high - low > 2 * step]
        assert max(wide) <= max(by_look) <= max(by_cell), f"scene {seed}"
        for at, value_ in zip(places, by_look, strict=True):
            number = next(i for i, (low, high) in enumerate(parts) if low <= at <= high)
            if min(at - parts[number][0], parts[number][1] - at) > 1e-3:
                assert value_ == by_cell[number], f"scene {seed} at {at}"


def test_the_best_cell_is_the_best_place() -> None:
    check_scores(range(30), 200)


@pytest.mark.slow
def test_the_best_cell_is_the_best_place_on_many_ways() -> None:
    check_scores(range(400, 500), 700)


HOME = (0.0, 0.0)


def covers(board: Board, run: tuple[Stretch, ...], at: float) -> tuple[object, ...]:
    place = place_at(run, at)
    return covered_by(board, HOME, place, "cover", 0.5), in_arc(Pose(*HOME), 80.0, 60.0, *place)


def test_cover_and_arcs_change_only_at_their_borders() -> None:
    changed = 0
    for seed in range(60):
        rng = Random(seed)
        outlines = [random_outline(rng, rng.uniform(3, 13), rng.uniform(-3, 3)) for _ in range(3)]
        pieces = [Feature(id=f"c{i}", outline=one, traits=(("cover", 1.0),)) for i, one in enumerate(outlines)]
        board, run = table(*pieces), random_way(rng, [])
        parts = cells(run, [*cover_borders(HOME, pieces), *arc_borders(*HOME, 80.0, 60.0)])
        by_cell = [covers(board, run, middle(part)) for part in parts]
        for at in dense(run, 200):
            number = next(i for i, (low, high) in enumerate(parts) if low <= at <= high)
            if min(at - parts[number][0], parts[number][1] - at) > 1e-3:
                assert covers(board, run, at) == by_cell[number], f"scene {seed} at {at}"
        changed += len(set(by_cell)) - 1
    assert changed > 60
    assert arc_borders(0, 0, 80.0, 360.0) == ()
    assert len(cells(way(0, 5, Straight((30, 5))), outline_borders(box(10, 0, 12, 10)))) == 3


def test_borders_out_of_the_way_are_left_out() -> None:
    """Behind the eye or the target's box nothing hides; an empty table leaves the eye's own ring."""
    here = eye(10, 10)
    for pieces in ((), (wall(0, 0, 5, 20),), (wall(40, 0, 45, 20), wall(20, 30, 25, 40))):
        assert len(sight_borders(table(*pieces), here, 0.5, 1.5, [here, eye(5, 10)], (20, 5, 22, 15))) == 1
    assert len(sight_borders(table(wall(15, 8, 16, 12)), here, 0.5, 1.5, [], (20, 5, 22, 15))) > 2


def test_a_side_of_a_shadow_may_meet_a_corner_of_the_box_alone() -> None:
    """Seen from the eye the corner (22.5, 24.25) lies half way to the corner of the box about the target's base."""
    here, piece = eye(19.25, 43.0, stature=1.2), screen(15, 23.75, 22.5, 24.25, top=1.5)
    found = sight_borders(table(piece), here, 0.5, 1.2, [], (22.765707165932454, 3.4586746068001215, 25.25, 5.0))
    assert Ring((19.25, 43.0), 0.5 + TOL) in found
