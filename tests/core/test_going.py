"""What the ground costs: rates by the inch, fees by the crossing, and how far a budget reaches; exact."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import asin, pi
from random import Random

import pytest
from tactician.rules.core.arcs import LEFT, RIGHT
from tactician.rules.core.clauses import Cite
from tactician.rules.core.clear import certain_shifts, way_if_clear
from tactician.rules.core.clip import clip, paid_part, truncated
from tactician.rules.core.going import Bill, Fee, Going, Region, bill_of, place_at, price, sealed
from tactician.rules.core.legs import Bend, Climb, Drop, Path, Pose, Rates, Straight, Stretch, walk
from tactician.rules.core.measure import GRID, TOL
from tactician.rules.core.move_types import NEVER_NEARER
from tactician.rules.core.movement import (
    KeepAway,
    MoveType,
    Verdict,
    bill,
    end_pose,
    is_legal,
    judge,
    judge_in_words,
    paid,
)
from tactician.rules.core.shapes import Polygon, polygon_distance
from tactician.rules.core.state import State, Unit, front_first
from tactician.rules.core.terrain import GROUND, Feature, Surface
from tactician.rules.paths import twins
from tactician.rules.paths.squads import shift_mask, surroundings

from tests.core.movement_boards import box, in_step, random_board, random_heights, straight, table_with
from tests.core.test_clear import FAST, shrunk
from tests.core.test_movement_sequence import random_ways
from tests.paths.test_shift_mask import referee, some_offsets

FLAT = Rates(up=1.0, down=1.0)
NONE: tuple[Feature, ...] = ()


def on_foot(allowance: float, going: Going | None, *keeps: KeepAway) -> MoveType:
    """Models one after another over such ground."""
    return replace(in_step(allowance), motion="sequence", rates=FLAT, coherency=None, keep_away=keeps, going=going)


def marsh(outline: Polygon, rate: float = 2.0) -> Region:
    return Region(name="marsh", outline=outline, rate=rate)


def wall(x: float, thick: float = 0.4, inches: float = 2.0, name: str = "wall") -> Fee:
    """A wall that stands across the way along y = 10."""
    return Fee(name=name, outline=box(x, 0, x + thick, 20), inches=inches)


def ground(*pieces: Region | Fee, by_base: bool = False, barred: tuple[Polygon, ...] = ()) -> Going:
    return Going(
        regions=tuple(piece for piece in pieces if isinstance(piece, Region)),
        fees=tuple(piece for piece in pieces if isinstance(piece, Fee)),
        barred=tuple(("cliff", outline) for outline in barred),
        by_base=by_base,
        halfway=Cite("HALF"),
    )


def lone(x: float = 10.0, y: float = 10.0) -> State:
    return table_with({"A": ("red", {"a": Pose(x, y)})}, NONE)


def way(*points: tuple[float, float], state: State | None = None) -> tuple[Stretch, ...]:
    """The stretches from the first point through the others."""
    state = state or lone()
    return walk(Pose(*points[0]), straight(*points[1:]), state.board)


def verdict(going: Going, allowance: float, path: Path, state: State | None = None) -> Verdict:
    state = state or lone()
    return judge(state, state.unit("A"), on_foot(allowance, going), {"a": path})


def codes(going: Going, allowance: float, *points: tuple[float, float]) -> list[str]:
    return [one.clause for one in verdict(going, allowance, straight(*points)).violations]


def clipped(going: Going, allowance: float, *points: tuple[float, float]) -> Pose:
    """Where a lone model at (10, 10) ends."""
    state, kind = lone(), on_foot(allowance, going)
    found = clip(state, state.unit("A"), kind, {"a": straight(*points)})
    assert judge(state, state.unit("A"), kind, found).violations == ()
    return end_pose(Pose(10, 10), walk(Pose(10, 10), found.get("a", ()), state.board))


# ---- rates ----------------------------------------------------------------------------------------------------------


def test_each_part_of_a_way_is_paid_at_its_own_rate() -> None:
    half, quarter = ground(marsh(box(12, 0, 20, 20))), ground(marsh(box(12, 0, 20, 20), 4.0))
    assert codes(half, 4, (13, 10)) == []
    assert codes(half, 4, (13.1, 10)) == ["FAR"]
    assert verdict(half, 4, straight((13, 10))).spent == (("a", pytest.approx(4.0, abs=TOL)),)
    assert codes(quarter, 4, (12.5, 10)) == []
    (fault,) = verdict(quarter, 4, straight((12.6, 10))).violations
    assert (fault.clause, fault.measured, fault.limit) == ("FAR", pytest.approx(4.4, abs=TOL), 4)
    assert codes(half, 8, (14, 10), (14, 12)) == ["FAR"]
    assert codes(half, 10, (14, 10), (14, 12)) == []


def test_the_centre_pays_and_not_the_base_unless_a_game_says_so() -> None:
    strip = marsh(box(0, 10.1, 48, 11))
    assert price(ground(strip), way((10, 10), (14, 10)), FLAT, 0.5) == 4.0
    assert price(ground(strip, by_base=True), way((10, 10), (14, 10)), FLAT, 0.5) == pytest.approx(8.0)
    across = way((10, 9), (10, 13))
    assert price(ground(strip), across, FLAT, 0.5) == pytest.approx(4.9, abs=TOL)
    assert price(ground(strip, by_base=True), across, FLAT, 0.5) == pytest.approx(4 + 0.9 + 1.0, abs=3 * TOL)
    touching = marsh(box(0, 10.5, 48, 11))
    assert price(ground(touching, by_base=True), way((10, 10), (14, 10)), FLAT, 0.5) == 4.0


@pytest.mark.parametrize("off", [0.0, GRID / 2, -GRID / 2])
def test_a_way_along_a_border_is_outside(off: float) -> None:
    square = ground(marsh(box(10, 10, 14, 14)))
    for y in (10, 14):
        assert price(square, way((9, y + off), (16, y + off)), FLAT, 0.5) == 7.0
    assert price(square, way((9, 10 + off), (14, 10 + off), (14, 16)), FLAT, 0.5) == pytest.approx(11, abs=GRID)


def test_of_regions_that_overlap_the_dearest_counts() -> None:
    both = ground(marsh(box(11, 0, 15, 20)), marsh(box(13, 0, 17, 20), 4.0), marsh(box(12, 0, 14, 20), 1.5))
    assert price(both, way((10, 10), (18, 10)), FLAT, 0.5) == pytest.approx(1 + 2 * 2 + 4 * 4 + 1, abs=3 * TOL)
    again = ground(marsh(box(11, 0, 15, 20)), marsh(box(11, 0, 15, 20)))
    assert price(again, way((10, 10), (18, 10)), FLAT, 0.5) == pytest.approx(12, abs=TOL)


def test_an_arc_pays_for_the_part_of_it_inside() -> None:
    """A half circle of radius 2 about (12, 10), whose upper part (y > 11) is marsh: a third of the circle."""
    state = lone()
    bent = walk(Pose(14, 10), (Bend((12, 10), (10, 10), LEFT),), state.board)
    inside = 2 * (pi - 2 * asin(0.5))
    assert price(ground(marsh(box(0, 11, 48, 20))), bent, FLAT, 0.5) == pytest.approx(2 * pi + inside, abs=TOL)
    right = walk(Pose(10, 10), (Bend((12, 10), (14, 10), RIGHT), Straight((14, 9))), state.board)
    costs = bill_of(ground(marsh(box(0, 11, 48, 20), 4.0)), right, FLAT, 0.5)
    assert costs.total == pytest.approx(2 * pi + 3 * inside + 1, abs=2 * TOL)
    assert costs.inches_at(0.5) == pytest.approx(pi + 1.5 * inside, abs=TOL)
    assert costs.reach(pi + 1.5 * inside) == pytest.approx(0.5, abs=TOL)


def test_a_pocket_of_a_region_is_outside() -> None:
    horseshoe = Polygon(((11, 8), (17, 8), (17, 12), (15, 12), (15, 9), (13, 9), (13, 12), (11, 12)))
    assert price(ground(marsh(horseshoe)), way((10, 10), (18, 10)), FLAT, 0.5) == pytest.approx(12, abs=2 * TOL)
    assert price(ground(marsh(horseshoe)), way((12, 10), (12, 10)), FLAT, 0.5) == 0.0


def test_a_random_way_costs_what_small_steps_of_it_cost() -> None:
    rng = Random(5)
    for _ in range(12):
        regions = [
            marsh(Polygon(tuple((rng.uniform(8, 22), rng.uniform(8, 22)) for _ in range(3))), rng.choice((2.0, 4.0)))
            for _ in range(3)
        ]
        points = [(rng.uniform(8, 22), rng.uniform(8, 22)) for _ in range(3)]
        stretches, going, steps = way(*points), ground(*regions), 4000
        known = 0.0
        for stretch in stretches:
            for i in range(steps):
                at = stretch.at((i + 0.5) / steps)
                inside = [one.rate for one in regions if polygon_distance(one.outline, *at) == 0.0]
                known += stretch.across / steps * max(inside, default=1.0)
        assert price(going, stretches, FLAT, 0.5) == pytest.approx(known, abs=0.06)


# ---- fees -----------------------------------------------------------------------------------------------------------


def test_a_fee_is_paid_once_for_a_crossing_and_again_for_the_next() -> None:
    going = ground(wall(12))
    assert price(going, way((10, 10), (14, 10)), FLAT, 0.5) == pytest.approx(6.0)
    assert price(going, way((10, 10), (12.2, 10), (12.2, 12), (14, 12)), FLAT, 0.5) == pytest.approx(8.0)
    assert price(going, way((10, 10), (14, 10), (10, 10)), FLAT, 0.5) == pytest.approx(12.0)
    assert price(going, way((10, 10), (11.5, 10), (11.5, 15)), FLAT, 0.5) == pytest.approx(6.5)
    assert price(going, way((10, 10), (11.6, 10)), FLAT, 0.5) == pytest.approx(3.6)
    assert price(ground(wall(12), wall(12.4, name="other")), way((10, 10), (15, 10)), FLAT, 0.5) == pytest.approx(9)


def test_a_fee_is_due_where_the_base_enters_and_not_where_a_way_begins() -> None:
    going = ground(wall(12))
    ahead = way((10, 10), (14, 10))
    assert price(going, ahead, FLAT, 0.5, upto=1.5 / 4) == pytest.approx(1.5)
    assert price(going, ahead, FLAT, 0.5, upto=1.51 / 4) == pytest.approx(3.51)
    assert price(None, ahead, FLAT, 0.5, upto=0.5) == pytest.approx(2.0)
    assert price(going, way((11.8, 10), (14, 10)), FLAT, 0.5) == pytest.approx(2.2)
    assert price(going, way((11.8, 10), (14, 10), (11, 10)), FLAT, 0.5) == pytest.approx(7.2)
    assert price(going, way((11.5, 10), (14, 10)), FLAT, 0.5) == pytest.approx(4.5)


def test_an_arc_over_a_wall_pays_its_fee_once() -> None:
    state = lone()
    over = walk(Pose(10, 10), (Bend((12, 10), (14, 10), RIGHT),), state.board)
    assert price(ground(wall(12)), over, FLAT, 0.5) == pytest.approx(2 * pi + 2)
    twice = walk(Pose(10, 10), (Bend((12, 10), (14, 10), RIGHT), Bend((12, 10), (10, 10), RIGHT)), state.board)
    assert price(ground(wall(12)), twice, FLAT, 0.5) == pytest.approx(4 * pi + 4)


def test_nobody_rests_half_way_across() -> None:
    going = ground(wall(12))
    (fault,) = verdict(going, 8, straight((12, 10))).violations
    assert (fault.clause, fault.subject, fault.against) == ("HALF", "a", "wall")
    assert fault.measured == pytest.approx(-0.5)
    assert codes(going, 8, (11.5, 10)) == []
    assert codes(going, 8, (12.9, 10)) == []
    assert codes(going, 8, (12.89, 10)) == ["HALF"]
    inside = table_with({"A": ("red", {"a": Pose(12, 10), "b": Pose(20, 10)})}, NONE)
    still = judge(inside, inside.unit("A"), on_foot(4, going), {"b": straight((21, 10))})
    assert still.violations == ()
    assert [one.clause for one in verdict(going, 4, straight((12, 11)), inside).violations] == ["HALF"]


@pytest.mark.parametrize(
    ("ahead", "goes", "spent"), [(3.0, 3.0, 3.0), (0.6, 2.0, 4.0), (0.7, 0.7, 0.7), (0.0, 1.4, 3.4)]
)
def test_whoever_cannot_pay_for_a_wall_halts_in_front(ahead: float, goes: float, spent: float) -> None:
    going, path = ground(wall(10.5 + ahead)), straight((10 + goes, 10))
    assert verdict(going, 4, path).violations == ()
    assert verdict(going, 4, path).spent == (("a", pytest.approx(spent)),)
    end = clipped(going, 4, (10 + max(goes, 1.4) + ahead + 3, 10))
    assert end.x == pytest.approx(10 + goes + (4 - spent if goes > ahead else 0.0), abs=TOL)


def test_halting_in_front_is_told_by_the_budget_too() -> None:
    going = ground(wall(13.5))
    ahead = way((10, 10), (20, 10))
    assert place_at(going, ahead, FLAT, 0.5, 4) == pytest.approx(0.3)
    assert place_at(going, ahead, FLAT, 0.5, 6.3) == pytest.approx(0.3)
    assert place_at(going, ahead, FLAT, 0.5, 6.4) == pytest.approx(0.44)
    assert place_at(going, ahead, FLAT, 0.5, 7.4) == pytest.approx(0.54)
    assert place_at(going, ahead, FLAT, 0.5, 99) == 1.0
    assert place_at(going, way((13.5, 10), (20, 10)), FLAT, 0.5, 0.2) == 0.0
    assert place_at(going, way((10, 10), (13.6, 10)), FLAT, 0.5, 99) == pytest.approx(3 / 3.6)
    assert place_at(None, ahead, FLAT, 0.5, 4) == pytest.approx(0.4)


def test_rates_and_fees_are_paid_on_top_of_each_other() -> None:
    bog = marsh(box(0, 0, 48, 20))
    line = ground(bog, wall(10.5, GRID))
    assert codes(line, 4, (11, 10)) == []
    assert verdict(line, 4, straight((11, 10))).spent == (("a", pytest.approx(4.0)),)
    assert clipped(line, 4, (13, 10)).x == pytest.approx(11, abs=TOL)
    thick = ground(bog, wall(10.5))
    (fault,) = verdict(thick, 4, straight((11.4, 10))).violations
    assert (fault.clause, fault.measured) == ("FAR", pytest.approx(4.8))
    assert clipped(thick, 4, (13, 10)).x == pytest.approx(10)


def test_several_walls_close_to_each_other_are_halted_in_front_of_together() -> None:
    going = ground(wall(11.5), wall(12.0, name="second"))
    assert clipped(going, 6, (20, 10)).x == pytest.approx(11, abs=TOL)
    assert clipped(going, 6.9, (20, 10)).x == pytest.approx(12.9, abs=TOL)


def test_along_a_wall_and_then_over_it() -> None:
    going = ground(wall(10.5))
    assert codes(going, 8, (10, 12), (11.4, 12)) == []
    assert clipped(going, 3, (10, 12), (13, 12)).point == pytest.approx((10, 12), abs=TOL)


def test_whoever_hugs_a_wall_halts_where_it_would_go_over_it() -> None:
    state = lone(10 + GRID / 2)
    kind = on_foot(5, ground(wall(10.5)))
    found = clip(state, state.unit("A"), kind, {"a": straight((10 + GRID / 2, 14), (14, 14))})
    assert found["a"][0] == Straight((10 + GRID / 2, 14))
    assert judge(state, state.unit("A"), kind, found).farthest == pytest.approx(4, abs=TOL)


def test_past_the_first_part_of_a_wall_nobody_goes_back_in_front_of_it() -> None:
    """A comb with two teeth across the way, whose back the base just touches in between."""
    back = 9.5 + TOL / 4
    comb = (
        (11, 9),
        (20, 9),
        (20, back),
        (18.2, back),
        (18.2, 12),
        (18, 12),
        (18, back),
        (12.2, back),
        (12.2, 12),
        (12, 12),
        (12, back),
        (11, back),
    )
    going = ground(Fee(name="comb", outline=Polygon(comb), inches=2))
    assert price(going, way((10, 10), (19.5, 10)), FLAT, 0.5) == pytest.approx(9.5 + 4)
    assert place_at(going, way((10, 10), (19.5, 10)), FLAT, 0.5, 3) == pytest.approx(0.5 / 9.5, abs=0.1)
    assert 10 + 9.5 * place_at(going, way((10, 10), (19.5, 10)), FLAT, 0.5, 10) >= 12.7 - TOL


# ---- walls of some only ---------------------------------------------------------------------------------------------


def test_what_is_barred_is_a_wall_on_the_way_and_at_the_end() -> None:
    going = ground(barred=(box(13, 0, 14, 20),))
    (fault,) = verdict(going, 12, straight((16, 10))).violations
    assert (fault.clause, fault.against) == ("WALL", "cliff")
    found = verdict(going, 12, straight((13, 10))).violations
    assert [(one.clause, one.because_of) for one in found] == [("PLACE", "WALL"), ("WALL", "")]
    assert codes(going, 12, (12.5, 10), (12.5, 14)) == []
    assert clipped(going, 12, (16, 10)).x == pytest.approx(12.5, abs=TOL)
    state = lone()
    kind = on_foot(12, going)
    assert surroundings(state, state.unit("A"), kind, Pose(10, 10)).closed == (box(13, 0, 14, 20),)


def test_nothing_is_paid_on_a_floor_above() -> None:
    outline = box(12, 8, 18, 12)
    floor = Feature(id="f", outline=outline, surface=Surface(id="f", polygon=outline, low=2, high=2))
    state = table_with({"A": ("red", {"a": Pose(10, 10)})}, (floor,))
    going = ground(marsh(box(11, 0, 19, 20)), Fee(name="ditch", outline=box(14, 0, 15, 20), inches=3))
    path = (Straight((11.5, 10)), Climb("f"), Straight((18.5, 10)), Drop(GROUND), Straight((20, 10)))
    found = verdict(going, 20, path, state)
    assert found.violations == ()
    assert found.spent == (("a", pytest.approx(1.5 + 0.5 + 2 + 7 + 2 + 1.5 + 0.5, abs=2 * TOL)),)


# ---- a way cut off --------------------------------------------------------------------------------------------------


def test_a_way_is_cut_off_where_its_allowance_is_spent_whatever_is_in_the_way() -> None:
    foe = {"A": ("red", {"a": Pose(10, 10)}), "E": ("blue", {"e": Pose(13, 10)})}
    state = table_with(foe, NONE)
    unit, kind = state.unit("A"), on_foot(4, ground(wall(13.3)))
    path = straight((11, 10), (20, 10))
    assert paid_part(state, unit, kind, "a", path) == straight((11, 10), pytest.approx((12.8, 10), abs=TOL))
    assert paid_part(state, unit, replace(kind, going=None), "a", path)[1] == Straight(pytest.approx((14, 10), abs=TOL))
    assert paid_part(state, unit, replace(kind, allowance=99), "a", path) == path
    stretches = walk(Pose(10, 10), path, state.board)
    assert truncated(path, stretches, 1.5, state.board) == straight((11, 10), (15.5, 10))
    assert paid(kind, stretches, 0.5) == pytest.approx(12)
    assert bill(kind, stretches, 0.5).inches_at(1.0) == pytest.approx(1)


def pieces(rng: Random) -> Going:
    """A random ground: triangles and boxes that cost and bar."""
    regions, fees, barred = list[Region](), list[Fee](), list[tuple[str, Polygon]]()
    for number in range(rng.randint(3, 9)):
        x, y, wide, deep = rng.uniform(6, 40), rng.uniform(6, 40), rng.uniform(0.2, 5), rng.uniform(0.2, 5)
        outline = box(x, y, x + wide, y + deep)
        if rng.random() < 0.4:
            outline = Polygon(((x, y), (x + wide, y + rng.uniform(-2, 2)), (x + rng.uniform(-2, 2), y + deep)))
        which = rng.random()
        if which < 0.4:
            regions.append(Region(name=f"r{number}", outline=outline, rate=rng.choice((2.0, 4.0))))
        elif which < 0.85:
            thin = box(x, y, x + rng.choice((GRID, 0.4)), y + 4 * deep)
            fees.append(Fee(name=f"f{number}", outline=rng.choice((outline, thin)), inches=rng.choice((1.0, 2.0))))
        else:
            barred.append((f"b{number}", outline))
    return Going(
        regions=tuple(regions),
        fees=tuple(fees),
        barred=tuple(barred),
        by_base=rng.random() < 0.2,
        halfway=Cite("HALF"),
    )


def rough_kind(rng: Random) -> MoveType:
    """A movement over random ground, with a distance that may be touched or not."""
    keep = KeepAway(
        limit=rng.choice((1.0, 2.0)),
        cite=Cite("NEAR"),
        whole_way=rng.random() < 0.6,
        standing=rng.random() < 0.1,
        touching=rng.random() < 0.7,
        spared=("E",) if rng.random() < 0.15 else (),
        spared_within=1.0,
    )
    kind = replace(in_step(rng.choice((4.0, 8.0, 16.0))), rates=FLAT, keep_away=(keep,), going=pieces(rng))
    sequence = replace(kind, motion="sequence", coherency=None)
    return sequence if rng.random() < 0.75 else kind


@pytest.mark.parametrize("start", range(0, 120, 20))
def test_a_bill_tells_what_a_part_of_a_way_costs_and_the_other_way_round(start: int) -> None:
    for seed in range(start, start + 20):
        rng = Random(seed)
        state, unit, _ = random_board(rng)
        going, paths = pieces(rng), random_ways(rng, unit)
        for name, path in paths.items():
            stretches = walk(unit.model(name).pose, path, state.board)
            costs = bill_of(going, stretches, FLAT, 0.5)
            assert costs.total >= sum(stretch.across for stretch in stretches) - 1e-9
            assert all(a <= b for a, b in pairwise(costs.marks))
            assert all(a <= b for a, b in pairwise(costs.sums))
            for place in (rng.uniform(0, len(stretches)) for _ in range(6)):
                check_place(state, unit, going, costs, name, path, stretches, place)


def check_place(
    state: State,
    unit: Unit,
    going: Going,
    costs: Bill,
    name: str,
    path: Path,
    stretches: tuple[Stretch, ...],
    place: float,
) -> None:
    """What is paid up to a place is the price of the way that ends there, and pays as far as that place."""
    inches = costs.inches_at(place)
    part = truncated(path, stretches, place, state.board)
    assert price(going, walk(unit.model(name).pose, part, state.board), FLAT, 0.5) == pytest.approx(inches, abs=1e-6)
    reached = costs.reach(inches)
    assert reached >= place - 1e-6
    assert costs.inches_at(reached) <= inches + 1e-6
    halt = costs.place_at(inches)
    end = end_pose(
        unit.model(name).pose, walk(unit.model(name).pose, truncated(path, stretches, halt, state.board), state.board)
    )
    if halt > 0.0:
        assert all(polygon_distance(fee.outline, *end.point) > 0.5 - TOL for fee in going.fees)


# ---- the referee, the shortener and the quick look agree ------------------------------------------------------------


def check_board(seed: int) -> int:
    """What is left of a movement over random ground is legal and stays; how many ways were shortened."""
    rng = Random(seed)
    state, unit, plain = random_board(rng)
    kind = rough_kind(rng)
    sequence = kind.motion == "sequence"
    paths = random_ways(rng, unit) if sequence else plain
    order = tuple(rng.sample(sorted(paths), len(paths))) if sequence else ()
    found = clip(state, unit, kind, paths, order)
    left = tuple(name for name in order if name in found)
    assert judge_in_words(state, unit, kind, found, left).violations == (), f"board {seed}"
    assert clip(state, unit, kind, found, left) == found, f"board {seed}"
    if not sequence:
        return 0
    for name, path in found.items():
        assert path[:-1] == paths[name][: len(path) - 1], f"board {seed}"
        assert paid(kind, walk(unit.model(name).pose, path, state.board), 0.5) <= kind.allowance + TOL
    return sum(found.get(name) != path for name, path in paths.items())


@pytest.mark.parametrize("start", range(0, 160, 20))
def test_what_is_left_of_a_movement_is_legal_and_stays(start: int) -> None:
    assert sum(check_board(seed) for seed in range(start, start + 20)) > 10


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 5000, 100))
def test_what_is_left_of_a_movement_is_legal_and_stays_on_many_boards(start: int) -> None:
    assert sum(check_board(seed) for seed in range(start, start + 100)) > 10


@pytest.mark.parametrize("start", range(0, 60, 20))
def test_a_lone_model_goes_as_far_as_any_legal_beginning_of_its_way(start: int) -> None:
    """Tried at many places of the way: none farther than what `clip` finds is legal."""
    for seed in range(start, start + 20):
        rng = Random(seed)
        state, kind = lone(rng.uniform(10, 38), rng.uniform(10, 38)), on_foot(8, pieces(rng))
        unit = state.unit("A")
        (path,) = (random_ways(rng, unit) or {"a": straight((20, 20))}).values()
        stretches = walk(unit.models[0].pose, path, state.board)
        found = clip(state, unit, kind, {"a": path}).get("a", ())
        done = sum(stretch.across for stretch in walk(unit.models[0].pose, found, state.board))
        for number in range(60 * len(stretches)):
            place = (number + 1) / 60
            part = truncated(path, stretches, place, state.board)
            if is_legal(state, unit, kind, {"a": part}):
                assert sum(one.across for one in walk(unit.models[0].pose, part, state.board)) <= done + 3 * TOL, seed


def check_verdicts(seeds: range, mode: str) -> tuple[int, int]:
    """Verdicts with and without the quick look are the same; how many were legal, how many found so by it."""
    legal = clear = 0
    with twins.forced(mode):
        for seed in seeds:
            rng = Random(seed)
            state, unit, paths = random_heights(rng) if seed % 8 == 7 else random_board(rng)
            kind = rough_kind(rng)
            ways = [shrunk(unit, paths, share) for share in (1.0, 0.3, 0.1)]
            ways += [random_ways(rng, unit)] if kind.motion == "sequence" else []
            for one in ways:
                order = tuple(one) if kind.motion == "sequence" else ()
                known = judge_in_words(state, unit, kind, one, order)
                assert judge(state, unit, kind, one, order) == known, f"board {seed}"
                assert is_legal(state, unit, kind, one, order) == (not known.violations), f"board {seed}"
                legal += not known.violations
                clear += way_if_clear(state, unit, kind, one, order) is not None
    return legal, clear


@pytest.mark.parametrize("mode", FAST)
@pytest.mark.parametrize("start", range(0, 90, 30))
def test_a_quick_verdict_is_the_referees(mode: str, start: int) -> None:
    legal, clear = check_verdicts(range(start, start + 30), mode)
    assert legal >= 10
    assert clear >= legal / 2


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 3000, 100))
def test_a_compiled_quick_verdict_is_the_referees(start: int) -> None:
    legal, clear = check_verdicts(range(start, start + 100), twins.COMPILED)
    assert clear >= legal / 2


def check_masks(seeds: range, mode: str) -> tuple[int, int, int]:
    """Compare masks; how many shifts are possible, how many are not, and for how many the referee was asked."""
    yes = no = unsure = 0
    with twins.forced(mode):
        for seed in seeds:
            rng = Random(seed)
            state, unit, _ = random_board(rng)
            kind, offsets = rough_kind(rng), some_offsets(rng)
            mask = shift_mask(state, unit, kind, offsets)
            assert mask == referee(state, unit, kind, offsets), f"board {seed}"
            yes, no = yes + sum(mask), no + len(mask) - sum(mask)
            unsure += certain_shifts(state, unit, kind, offsets).count(None)
    return yes, no, unsure


@pytest.mark.parametrize("mode", FAST)
@pytest.mark.parametrize("start", range(0, 60, 20))
def test_a_mask_over_such_ground_is_the_referees_answer(mode: str, start: int) -> None:
    yes, no, unsure = check_masks(range(start, start + 20), mode)
    assert yes >= 30
    assert no >= 30
    assert unsure <= 0.1 * (yes + no)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 3000, 100))
def test_a_compiled_mask_over_such_ground_is_the_referees_answer(start: int) -> None:
    _, _, unsure = check_masks(range(start, start + 100), twins.COMPILED)
    assert unsure <= 0.2 * 1500


# ---- a distance that may be touched ---------------------------------------------------------------------------------

ONE = KeepAway(limit=1.0, cite=Cite("NEAR"), whole_way=True, touching=True)
HAIRS = (-3 * TOL, -TOL - 1e-7, -TOL + 1e-7, 0.0, TOL - 1e-7, TOL + 1e-7, 3 * TOL)


def facing(x: float) -> State:
    """A model at (10, 10) and an enemy ahead."""
    return table_with({"A": ("red", {"a": Pose(10, 10)}), "E": ("blue", {"e": Pose(x, 10)})}, NONE)


@pytest.mark.parametrize("whole_way", [True, False])
@pytest.mark.parametrize("mode", FAST)
def test_a_gap_of_exactly_the_limit_is_far_enough(mode: str, whole_way: bool) -> None:
    state = facing(16)
    unit, kind = state.unit("A"), on_foot(12, None, replace(ONE, whole_way=whole_way))
    offsets = [(4.0 + hair, 0.0) for hair in HAIRS]
    with twins.forced(mode):
        assert shift_mask(state, unit, kind, offsets) == tuple(hair < TOL for hair in HAIRS)
        for dx, _ in offsets:
            path = {"a": straight((10 + dx, 10))}
            assert judge(state, unit, kind, path) == judge_in_words(state, unit, kind, path)
        (*_, fault) = judge(state, unit, kind, {"a": straight((14.5, 10))}).violations
    assert (fault.clause, fault.measured) == ("NEAR", pytest.approx(0.5))
    strict = replace(kind, keep_away=(replace(ONE, touching=False, whole_way=whole_way),))
    assert shift_mask(state, unit, strict, [(4.0, 0.0), (4.0 - 3 * TOL, 0.0)]) == (False, True)


@pytest.mark.parametrize("whole_way", [True, False])
def test_what_is_shortened_ends_at_exactly_the_limit(whole_way: bool) -> None:
    state = facing(16)
    unit, kind = state.unit("A"), on_foot(12, None, replace(ONE, whole_way=whole_way))
    found = clip(state, unit, kind, {"a": straight((14.8, 10))})
    assert found["a"] == straight(pytest.approx((14, 10), abs=1e-6))
    (disc,) = surroundings(state, unit, replace(kind, models=None, keep_away=(ONE,)), Pose(10, 10)).discs
    assert disc == (16, 10, 2.0)


def test_along_the_limit_and_round_it() -> None:
    state = facing(12)
    unit, kind = state.unit("A"), on_foot(12, None, ONE)
    for path in (straight((10, 13)), (Bend((12, 10), (14, 10), LEFT),)):
        assert judge(state, unit, kind, {"a": path}).violations == ()
        assert clip(state, unit, kind, {"a": path}) == {"a": path}
    assert clip(state, unit, kind, {"a": straight((10, 13), (14, 10))})["a"][0] == Straight((10, 13))


@pytest.mark.parametrize("mode", FAST)
def test_a_limit_that_nobody_has_lets_nobody_nearer(mode: str) -> None:
    """Away and across are open, on the way as at the end; the gap at the start is what is told as the limit."""
    state = facing(20)
    unit, kind = state.unit("A"), on_foot(12, None, replace(ONE, limit=NEVER_NEARER))
    with twins.forced(mode):
        assert shift_mask(state, unit, kind, [(-1.0, 0.0), (0.0, 1.0), (0.1, 0.0)]) == (True, True, False)
        assert judge(state, unit, kind, {"a": straight((8, 10))}).violations == ()
        (fault,) = judge(state, unit, kind, {"a": straight((11, 10))}).violations
    assert (fault.clause, fault.text) == ("NEAR", "no nearer to an enemy than before")
    gap = 10.0 - unit.radius - state.units[1].radius
    assert (fault.measured, fault.limit) == (pytest.approx(gap - 1), pytest.approx(gap))
    assert clip(state, unit, kind, {"a": straight((11, 10))}) == {}
    assert judge(state, unit, kind, {"a": straight((8, 10), (9.5, 10))}).violations == ()


@pytest.mark.parametrize("mode", FAST)
def test_whoever_begins_too_near_may_end_as_near_and_no_nearer(mode: str) -> None:
    state = facing(11.6)
    unit, kind = state.unit("A"), on_foot(12, None, ONE)
    away, nearer, past = (-0.2, 0.0), (0.1, 0.0), (-1.0, 0.0)
    with twins.forced(mode):
        assert shift_mask(state, unit, kind, [away, nearer, past, (0.0, 1.0)]) == (True, False, True, True)
        elsewhere = on_foot(12, None, replace(ONE, whole_way=False))
        assert shift_mask(state, unit, elsewhere, [away, nearer, past]) == (False, False, True)
    assert clip(state, unit, kind, {"a": straight((11, 10))}) == {}


# ---- the order of a shift -------------------------------------------------------------------------------------------


def test_the_front_models_of_a_shift_go_first() -> None:
    models = {"a": Pose(10, 10), "b": Pose(11, 10), "c": Pose(10, 11)}
    state = table_with({"A": ("red", models)}, NONE)
    unit = state.unit("A")
    assert front_first(unit, 1, 0) == ("b", "a", "c")
    assert front_first(unit, -2, 0) == ("a", "c", "b")
    assert front_first(unit, 0, 1) == ("c", "a", "b")
    kind = on_foot(4, None)
    every = [(2.0, 0.0), (-2.0, 0.0), (0.0, 2.0), (0.0, -2.0), (1.0, 1.0), (-1.0, 0.5)]
    for mode in FAST:
        with twins.forced(mode):
            assert shift_mask(state, unit, kind, every) == (True,) * 6
            assert certain_shifts(state, unit, kind, every) == [True] * 6


# ---- regions that share a border -------------------------------------------------------------------------------------


def test_between_two_regions_nobody_walks_free() -> None:
    """Along the border that they share the less of the two rates is paid, beside it too; at the rims as before."""
    two = sealed((marsh(box(0, 0, 10, 10), 2.0), marsh(box(10, 2, 20, 8), 4.0)))
    assert len(two) == 3
    for x in (10.0, 10.0 - GRID / 2, 10.0 + GRID / 2):
        assert price(ground(*two), way((x, 3), (x, 7)), FLAT, 0.5) == pytest.approx(8.0, abs=1e-4)
        assert price(ground(*two[:2]), way((x, 3), (x, 7)), FLAT, 0.5) == pytest.approx(4.0, abs=1e-4)
    across = way((5, 5), (15, 5))
    assert price(ground(*two), across, FLAT, 0.5) == pytest.approx(price(ground(*two[:2]), across, FLAT, 0.5), abs=1e-3)
    assert price(ground(*two), way((10, 8), (20, 8)), FLAT, 0.5) == pytest.approx(10.0, abs=1e-3)
    assert price(ground(*two), way((10, 9), (10, 9.9)), FLAT, 0.5) == pytest.approx(0.9, abs=1e-3)


@pytest.mark.parametrize("gap", [0.0, GRID, TOL / 2])
def test_a_seam_covers_a_gap_that_no_tape_shows(gap: float) -> None:
    two = ground(*sealed((marsh(box(0, 0, 10, 10)), marsh(box(10 + gap, 0, 20, 10)))))
    for part in (0.0, 0.5, 1.0):
        x = 10.0 + part * gap
        assert price(two, way((x, 1), (x, 9)), FLAT, 0.5) == pytest.approx(16.0, abs=1e-3)


def test_there_is_no_seam_where_regions_only_overlap_or_touch_in_a_corner() -> None:
    square = box(0, 0, 10, 10)
    for other in (box(5, 5, 15, 15), box(10, 10, 20, 20), box(4, 0, 10, 6), box(10.01, 0, 20, 10), square):
        assert len(sealed((marsh(square), marsh(other, 4.0)))) == 2
    assert sealed(()) == ()
    turned = Polygon(((10, 2), (12, 5), (10, 8)))
    assert len(sealed((marsh(square), marsh(turned, 4.0)))) == 3
