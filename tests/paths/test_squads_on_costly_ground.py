"""Squads over ground that costs, and in another shape: legal by the referee, in one piece, and no dearer than asked."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from math import cos, hypot, pi, sin
from random import Random

import pytest
from tactician.rules.core.clauses import Cite
from tactician.rules.core.going import Fee, Going, Region
from tactician.rules.core.legs import Path, Pose, walk
from tactician.rules.core.measure import TOL
from tactician.rules.core.movement import KeepAway, MoveType, end_pose, judge_in_words
from tactician.rules.core.shapes import Point, Polygon
from tactician.rules.core.state import State, Unit
from tactician.rules.core.terrain import Feature
from tactician.rules.paths.squads import centre_of, led_way, reshaped, squad_to

from tests.core.movement_boards import box, in_step, random_board, table_with

SQUAD = {"a": Pose(10, 10), "b": Pose(10, 12), "c": Pose(12, 11)}


def going_of(rng: Random, outlines: list[Polygon]) -> Going:
    """Each outline slow, with a fee, or barred."""
    regions, fees, barred = [], [], []
    for number, outline in enumerate(outlines):
        match rng.choice(("slow", "fee", "barred")):
            case "slow":
                regions.append(Region(name=f"g{number}", outline=outline, rate=rng.choice((1.5, 2.0, 4.0))))
            case "fee":
                fees.append(Fee(name=f"g{number}", outline=outline, inches=rng.choice((1.0, 2.0))))
            case _:
                barred.append((f"g{number}", outline))
    return Going(
        regions=tuple(regions),
        fees=tuple(fees),
        barred=tuple(barred),
        by_base=rng.random() < 0.3,
        halfway=Cite("HALF"),
    )


def kind_of(rng: Random, state: State) -> MoveType:
    """A move type over the pieces of the board that block nobody, models in step or one after another."""
    outlines = [piece.outline for piece in state.board.features if not piece.blocks]
    kind = replace(in_step(rng.choice((4.0, 8.0))), going=going_of(rng, outlines))
    if rng.random() < 0.3:
        return kind
    keep = KeepAway(limit=1.0, cite=Cite("NEAR"), whole_way=True, touching=True)
    return replace(kind, motion="sequence", keep_away=(keep,) if rng.random() < 0.7 else ())


def ends_of(state: State, unit: Unit, paths: dict[str, Path]) -> dict[str, Pose]:
    return {m.id: end_pose(m.pose, walk(m.pose, paths.get(m.id, ()), state.board)) for m in unit.models}


def pieces_of(ends: dict[str, Pose], reach: float) -> int:
    """In how many pieces models stand, by the plainest way of counting."""
    left, count = list(ends.values()), 0
    while left:
        count += 1
        piece = [left.pop()]
        for here in piece:
            near = [other for other in left if hypot(other.x - here.x, other.y - here.y) <= reach]
            piece += near
            left = [other for other in left if other not in near]
    return count


def assert_is_legal(state: State, unit: Unit, kind: MoveType, paths: dict[str, Path], label: str) -> None:
    order = tuple(paths) if kind.motion == "sequence" else ()
    assert judge_in_words(state, unit, kind, paths, order).violations == (), label
    assert kind.coherency is not None
    reach = 2 * unit.radius + kind.coherency.limit + TOL
    before = pieces_of({model.id: model.pose for model in unit.models}, reach)
    assert pieces_of(ends_of(state, unit, paths), reach) <= max(before - 1, 1), label


def a_shape(rng: Random, at: Point, count: int) -> list[Point]:
    """A row, a file or a block, its places nearly touching or up to an inch apart, turned anyhow."""
    wide, step, turn = rng.choice((1, 2, 3, count)), 1.0 + rng.uniform(0.01, 1.0), rng.uniform(0, 2 * pi)
    found = []
    for number in range(count):
        x, y = step * (number % wide), step * (number // wide)
        found.append((at[0] + x * cos(turn) - y * sin(turn), at[1] + x * sin(turn) + y * cos(turn)))
    return found


def check_offers(seed: int) -> int:
    rng = Random(seed)
    state, unit, _ = random_board(rng)
    kind, (x, y) = kind_of(rng, state), centre_of(unit)
    for paths in squad_to(state, unit, kind, (x + rng.uniform(-12, 12), y + rng.uniform(-12, 12))):
        assert_is_legal(state, unit, kind, paths, f"board {seed}")
    found = reshaped(
        state, unit, kind, a_shape(rng, (x + rng.uniform(-3, 3), y + rng.uniform(-3, 3)), len(unit.models))
    )
    if found is None:
        return 0
    assert_is_legal(state, unit, kind, found, f"reshaped on board {seed}")
    return 1


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_every_offer_is_legal_and_coherent(first: int) -> None:
    assert sum(check_offers(seed) for seed in range(first, first + 10)) > 0


@pytest.mark.slow
@pytest.mark.parametrize("first", range(60, 1060, 20))
def test_every_offer_is_legal_and_coherent_on_many_boards(first: int) -> None:
    assert sum(check_offers(seed) for seed in range(first, first + 20)) > 0


# ---- by hand ---------------------------------------------------------------------------------------------------------


def ground(*regions: tuple[Polygon, float], fees: tuple[tuple[Polygon, float], ...] = ()) -> MoveType:
    """Models one after another, ten inches, over slow ground and obstacles."""
    going = Going(
        regions=tuple(Region(name=f"slow{i}", outline=outline, rate=rate) for i, (outline, rate) in enumerate(regions)),
        fees=tuple(Fee(name=f"fee{i}", outline=outline, inches=inches) for i, (outline, inches) in enumerate(fees)),
        halfway=Cite("HALF"),
    )
    return replace(in_step(10.0), motion="sequence", keep_away=(), going=going)


def middle_of(state: State, unit: Unit, paths: dict[str, Path]) -> Point:
    ends = list(ends_of(state, unit, paths).values())
    return sum(p.x for p in ends) / len(ends), sum(p.y for p in ends) / len(ends)


def test_a_marsh_is_gone_round_where_that_is_cheaper() -> None:
    state = table_with({"A": ("red", SQUAD)})
    unit, kind = state.unit("A"), ground((box(14, 8, 18, 14), 4.0))
    x, y = centre_of(unit)
    way = led_way(state, unit, kind, (x + 11, y), 40.0)
    assert way is not None
    assert all(len(path) > 1 for path in way.values())
    got = middle_of(state, unit, squad_to(state, unit, kind, (x + 11, y))[0])
    assert got[0] > x + 6.5, "straight through the marsh six inches would be the end"


def test_a_squad_goes_through_a_gate_one_after_another() -> None:
    """Between two walls with a fee that nobody can pay; the gap is narrower than the formation."""
    walls = ((box(14, 0, 14.5, 10), 9.0), (box(14, 12, 14.5, 48), 9.0))
    state = table_with({"A": ("red", SQUAD)})
    unit, kind = state.unit("A"), ground(fees=walls)
    paths = squad_to(state, unit, kind, (18.0, 11.0))[0]
    assert_is_legal(state, unit, kind, paths, "gate")
    assert min(pose.x for pose in ends_of(state, unit, paths).values()) > 15.0


def test_a_fee_that_pays_off_is_paid() -> None:
    state = table_with({"A": ("red", SQUAD)})
    unit, kind = state.unit("A"), ground(fees=((box(14, 0, 14.5, 48), 2.0),))
    x, y = centre_of(unit)
    paths = squad_to(state, unit, kind, (x + 7, y))[0]
    assert middle_of(state, unit, paths) == pytest.approx((x + 7, y), abs=1e-3)


def test_models_are_given_the_places_that_suit_the_whole() -> None:
    """A column turns into a line: all come there, with the least total distance of all ways to share the places."""
    column = {name: Pose(10, 10 + 1.5 * i) for i, name in enumerate("abcd")}
    state = table_with({"A": ("red", column)})
    unit, kind = state.unit("A"), ground()
    places = [(14.0 + 1.5 * i, 14.0) for i in range(4)]
    paths = reshaped(state, unit, kind, places)
    assert paths is not None
    assert_is_legal(state, unit, kind, paths, "line")
    ends = ends_of(state, unit, paths)
    assert sorted((round(p.x, 6), round(p.y, 6)) for p in ends.values()) == places
    total = sum(hypot(ends[m.id].x - m.pose.x, ends[m.id].y - m.pose.y) for m in unit.models)
    shares = permutations(places)
    rows = (sum(hypot(x - m.pose.x, y - m.pose.y) for m, (x, y) in zip(unit.models, s, strict=True)) for s in shares)
    assert total == pytest.approx(min(rows), abs=0.05)


def test_whoever_stands_in_the_way_goes_first() -> None:
    """In a lane as wide as a base the models can only go in the order in which they stand."""
    walls = tuple(Feature(id=f"w{i}", outline=box(8, y, 30, y + 1), blocks=True) for i, y in enumerate((8.45, 10.55)))
    lane = {name: Pose(10 + 1.2 * i, 10) for i, name in enumerate("abc")}
    state = table_with({"A": ("red", lane)}, walls)
    unit, kind = state.unit("A"), ground()
    paths = reshaped(state, unit, kind, [(15.0, 10.0), (16.2, 10.0), (17.4, 10.0)])
    assert paths is not None
    assert tuple(paths) == ("c", "b", "a")
    assert sorted(round(p.x, 3) for p in ends_of(state, unit, paths).values()) == [15.0, 16.2, 17.4]


def test_a_place_out_of_reach_of_everybody_makes_no_shape() -> None:
    state = table_with({"A": ("red", SQUAD)})
    unit, kind = state.unit("A"), ground((box(13, 0, 40, 48), 4.0))
    assert reshaped(state, unit, kind, [(11.0, 14.0), (12.2, 14.0), (30.0, 14.0)]) is None
    assert reshaped(state, unit, kind, [(11.0, 14.0), (12.2, 14.0), (19.0, 14.0)]) is None, "in reach but for the marsh"


def test_as_many_places_as_models_are_asked_for() -> None:
    state = table_with({"A": ("red", SQUAD)})
    with pytest.raises(ValueError, match="2 places for 3 models"):
        reshaped(state, state.unit("A"), ground(), [(11.0, 14.0), (12.2, 14.0)])
