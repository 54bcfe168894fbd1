"""Lines of sight by any visible part: slivers, heights, walls with a bottom; rays cast by shapely are the witness."""

from __future__ import annotations

from dataclasses import replace
from math import asin, atan2, cos, pi, sin, sqrt
from random import Random

import pytest
import shapely
from tactician.rules.core.shapes import Polygon, length
from tactician.rules.core.sight import Eye, can_see, sight_lines
from tactician.rules.core.terrain import Board, Feature, Surface
from tactician.rules.paths import twins

from tests.core.movement_boards import box

RAYS = 200


def eye(x: float, y: float, foot: float = 0.0, stature: float = 1.5, radius: float = 0.5) -> Eye:
    return Eye(x=x, y=y, foot=foot, stature=stature, radius=radius)


def wall(x0: float, y0: float, x1: float, y1: float, bottom: float = 0.0, top: float = float("inf")) -> Feature:
    return Feature(id=f"wall {x0} {y0}", outline=box(x0, y0, x1, y1), blocks=True, bottom=bottom, top=top)


def sees(one: Eye, other: Eye, *features: Feature) -> bool:
    return can_see(Board(width=48, height=48, features=features), one, other)


HERE, THERE = eye(10, 10), eye(20, 10)


def test_an_empty_table_hides_nobody_and_a_wall_does() -> None:
    assert sees(HERE, THERE)
    assert not sees(HERE, THERE, wall(14, 8, 15, 12))
    assert sees(HERE, THERE, wall(14, 12, 15, 14))
    assert sees(HERE, THERE, wall(21, 8, 22, 12))
    assert sees(HERE, THERE, wall(8, 8, 9, 12))


@pytest.mark.parametrize(("top", "seen"), [(10.24, True), (10.251, False), (10.26, False)])
def test_a_sliver_past_a_corner_is_enough(top: float, seen: bool) -> None:
    """From (10, 10) the left edge of the base at (20, 10) passes x = 15 at 10 + 5 tan(asin(0.05)) = 10.2503."""
    assert sees(HERE, THERE, wall(14.9, 0, 15, top)) is seen


def test_a_slit_between_two_walls_is_enough() -> None:
    lower, upper = wall(14, 5, 15, 10), wall(14, 10.001, 15, 15)
    assert sees(HERE, THERE, lower, upper)
    assert not sees(HERE, THERE, lower, wall(14, 10, 15, 15))


def test_a_wall_higher_than_both_hides_and_one_as_high_as_both_does_not() -> None:
    assert not sees(HERE, THERE, wall(14, 8, 15, 12, top=2.0))
    assert sees(HERE, THERE, wall(14, 8, 15, 12, top=1.5))
    assert sees(HERE, THERE, wall(14, 8, 15, 12, top=1.0))


def test_over_a_wall_from_one_floor_to_another() -> None:
    assert sees(eye(10, 10, foot=3), eye(20, 10, foot=3), wall(14, 8, 15, 12, top=2.0))
    assert not sees(eye(10, 10, foot=3), eye(20, 10, foot=3), wall(14, 8, 15, 12, top=5.0))


def test_what_a_wall_hides_from_above_depends_on_where_it_stands() -> None:
    """The line falls from 4.5 to 1.5 over 9.5 inches to the front of the base: at 2 inches height 7.9 inches out."""
    above = eye(10, 10, foot=3)
    assert sees(above, THERE, wall(13, 5, 17, 15, top=2.0))
    assert not sees(above, THERE, wall(13, 5, 18.5, 15, top=2.0))
    assert not sees(THERE, above, wall(13, 5, 18.5, 15, top=2.0))
    assert sees(THERE, above, wall(13, 5, 17, 15, top=2.0))


def test_a_wall_with_a_bottom_is_seen_under() -> None:
    assert sees(HERE, THERE, wall(14, 8, 15, 12, bottom=1.5))
    assert not sees(HERE, THERE, wall(14, 8, 15, 12, bottom=1.0))
    assert not sees(eye(10, 10, foot=3), THERE, wall(14, 8, 15, 12, bottom=2.0))
    assert sees(eye(10, 10, foot=3), THERE, wall(18.5, 8, 19, 12, bottom=2.0))


def test_a_target_partly_behind_a_wall_is_seen() -> None:
    assert sees(HERE, THERE, wall(14, 0, 15, 10))
    assert sees(HERE, THERE, wall(14, 9.8, 15, 10.2))
    assert not sees(HERE, THERE, wall(19, 9, 19.4, 11))


def test_bases_that_meet_see_each_other() -> None:
    assert sees(HERE, eye(10.4, 10), wall(10.1, 9, 10.2, 11))


def test_a_solid_floor_hides_like_a_wall_and_a_bridge_and_a_ramp_do_not() -> None:
    outline = box(14, 8, 16, 12)
    floor = Feature(id="f", outline=outline, surface=Surface(id="f", polygon=outline, low=3, high=3))
    bridge = replace(floor, surface=Surface(id="f", polygon=outline, low=3, high=3, solid=False))
    ramp = replace(floor, surface=Surface(id="f", polygon=outline, low=0, high=3, foot=(14, 10), head=(16, 10)))
    assert [sees(HERE, THERE, piece) for piece in (floor, bridge, ramp)] == [False, True, True]
    on_top = eye(15, 10, foot=3)
    assert sees(on_top, THERE, floor)
    assert sees(HERE, on_top, floor)


# ---- against rays ----------------------------------------------------------------------------------------------------


def random_board(rng: Random) -> tuple[Feature, ...]:
    found = []
    for number in range(rng.randint(1, 4)):
        count, x, y = rng.randint(3, 7), rng.uniform(3, 9), rng.uniform(-2, 2)
        rays = [(2 * pi * i / count, rng.uniform(0.3, 2)) for i in range(count)]
        outline = Polygon(tuple((x + far * cos(angle), y + far * sin(angle)) for angle, far in rays))
        bottom = rng.choice((0.0, 0.0, 0.0, 1.0, 2.0))
        top = bottom + rng.choice((0.8, 1.2, 2.0, 3.0))
        found.append(Feature(id=f"w{number}", outline=outline, blocks=True, bottom=bottom, top=top))
    return tuple(found)


def ray_passes(one: Eye, other: Eye, angle: float, features: tuple[Feature, ...]) -> bool:
    """Whether the line from the eye to the front of the other base at a bearing meets no wall at its height."""
    away, off = length(other.x - one.x, other.y - one.y), angle - atan2(other.y - one.y, other.x - one.x)
    far = away * cos(off) - sqrt(max(other.radius**2 - (away * sin(off)) ** 2, 0.0))
    line = shapely.LineString([(one.x, one.y), (one.x + far * cos(angle), one.y + far * sin(angle))])
    for piece in features:
        inside = line.intersection(shapely.Polygon(piece.outline.points))
        for part in getattr(inside, "geoms", [inside]):
            if part.length < 1e-6:
                continue
            spots = [length(x - one.x, y - one.y) / far for x, y in part.coords]
            heights = [one.top + (other.top - one.top) * u for u in spots]
            if min(heights) < piece.top - 2e-4 and max(heights) > piece.bottom + 2e-4:
                return False
    return True


def compare(rng: Random) -> tuple[bool, bool]:
    features = random_board(rng)
    one = eye(0, 0, foot=rng.choice((0.0, 0.0, 2.0, 3.0)))
    other = eye(rng.uniform(10, 12), rng.uniform(-1, 1), rng.choice((0.0, 0.0, 2.0, 3.0)), rng.choice((1.0, 1.5)))
    towards, away = atan2(other.y, other.x), length(other.x, other.y)
    half = asin(other.radius / away)
    offs = [half * (2 * (i + 0.5) / RAYS - 1) for i in range(RAYS)]
    return sees(one, other, *features), any(ray_passes(one, other, towards + off, features) for off in offs)


def check_rays(seed: int, boards: int) -> None:
    """Whatever a ray sees is seen; what no ray sees is seen at most through a rare slit between two rays."""
    rng = Random(seed)
    found = [compare(rng) for _ in range(boards)]
    assert (False, True) not in found
    assert found.count((True, False)) <= boards // 50
    assert 0 < found.count((True, True)) < boards


def test_rays_agree() -> None:
    check_rays(1, 100)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 8))
def test_rays_agree_on_many_boards(seed: int) -> None:
    check_rays(seed, 500)


# ---- many lines at once, and the kernel ------------------------------------------------------------------------------


def crowd(rng: Random) -> tuple[Board, list[Eye]]:
    """A board of walls, some of them low or hanging, and floors, with eyes at odd and at round places."""
    features = []
    for number in range(rng.randint(1, 12)):
        x, y = rng.randint(2, 40), rng.randint(2, 40)
        outline = box(x, y, x + rng.randint(1, 5), y + rng.randint(1, 5))
        if rng.random() < 0.4:
            turn = rng.uniform(0, pi)
            outline = Polygon(tuple((x + 3 * cos(turn + i * 2), y + 3 * sin(turn + i * 2)) for i in range(3)))
        name = f"f{number}"
        if rng.random() < 0.7:
            bottom, top = rng.choice((0.0, 0.0, 1.0)), rng.choice((float("inf"), 1.5, 2.0, 3.0))
            features.append(Feature(id=name, outline=outline, blocks=True, bottom=bottom, top=top))
        else:
            floor = Surface(id=name, polygon=outline, low=2, high=2, solid=rng.random() < 0.7)
            features.append(Feature(id=name, outline=outline, surface=floor))
    eyes = []
    for _ in range(8):
        x, y = rng.uniform(1, 47), rng.uniform(1, 47)
        if rng.random() < 0.3:
            x, y = round(x), round(y)
        eyes.append(eye(x, y, rng.choice((0.0, 0.0, 2.0)), rng.choice((1.0, 1.5, 2.0))))
    return Board(width=48, height=48, features=tuple(features)), eyes


def check_lines(seeds: range, twin: str) -> None:
    hidden = 0
    for seed in seeds:
        board, eyes = crowd(Random(seed))
        with twins.forced(twins.PLAIN):
            known = tuple(tuple(can_see(board, one, other) for other in eyes) for one in eyes)
        with twins.forced(twin):
            assert sight_lines(board, eyes, eyes) == known, f"board {seed}"
            assert can_see(board, eyes[0], eyes[1]) == known[0][1]
        hidden += sum(not answer for row in known for answer in row)
    assert hidden > len(seeds)


def test_many_lines_are_the_single_ones() -> None:
    check_lines(range(30), twins.PLAIN)
    assert sight_lines(Board(width=48, height=48), [HERE], []) == ((),)


def test_the_kernel_sees_what_the_plain_code_sees() -> None:
    check_lines(range(30), twins.INTERPRETED)


@pytest.mark.slow
def test_the_compiled_kernel_sees_what_the_plain_code_sees() -> None:
    check_lines(range(100, 1100), twins.COMPILED)
