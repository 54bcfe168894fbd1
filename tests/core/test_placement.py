"""Putting models down: free ground, the zone, distances to both sides, coherency, and finding room."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from tactician.rules.core.clauses import MALFORMED, Cite, Violation
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import GRID, TOL
from tactician.rules.core.placement import (
    PlaceRule,
    Places,
    _block,
    _inside,
    _spiral,
    _widths,
    find_places,
    judge_places,
)
from tactician.rules.core.state import State
from tactician.rules.core.terrain import Feature, Surface

from tests.core.movement_boards import box, codes, random_board, table_with

RULE = PlaceRule(
    end_place=Cite("PLACE"),
    zone=(0, 0, 48, 8),
    zone_cite=Cite("ZONE"),
    from_enemies=9.0,
    enemies_cite=Cite("FOE"),
    from_friends=1.0,
    friends_cite=Cite("FRIEND"),
    coherency=2.0,
    coherency_cite=Cite("LINK"),
)
OUTLINE = box(20, 2, 28, 6)
FLOOR = Feature(id="floor", outline=OUTLINE, surface=Surface(id="floor", polygon=OUTLINE, low=2, high=2))
ROCK = Feature(id="rock", outline=box(30, 2, 32, 6), blocks=True)
NAMES = ("a", "b")


def state(*features: Feature, standing: dict[str, Pose] | None = None) -> State:
    return table_with(
        {
            "A": ("red", standing or {}),
            "F": ("red", {"f": Pose(10, 4)}),
            "E": ("blue", {"e": Pose(40, 14)}),
        },
        features,
    )


def put(here: State, rule: PlaceRule, *poses: Pose) -> tuple[Violation, ...]:
    names = NAMES[: len(poses)]
    return judge_places(here, "A", names, rule, tuple(zip(names, poses, strict=True)))


def test_legal_places() -> None:
    assert put(state(), RULE, Pose(4, 4), Pose(4, 7)) == ()
    assert put(state(FLOOR, ROCK), RULE, Pose(24, 4, "floor"), Pose(26, 4, "floor")) == ()


@pytest.mark.parametrize(
    ("poses", "broken"),
    [
        ((Pose(4, 7.6), Pose(4, 5)), ["ZONE"]),
        ((Pose(4, 7.5), Pose(4, 5)), []),
        ((Pose(0.4, 4), Pose(3, 4)), ["PLACE", "ZONE"]),
        ((Pose(4, 4), Pose(4.9, 4)), ["PLACE"]),
        ((Pose(4, 4), Pose(5, 4)), []),
        ((Pose(8, 4), Pose(6, 4)), ["FRIEND"]),
        ((Pose(8 - 1e-3, 4), Pose(6, 4)), []),
        ((Pose(9.5, 4), Pose(7, 4)), ["PLACE", "FRIEND"]),
        ((Pose(40, 4), Pose(42.5, 4)), ["FOE"]),
        ((Pose(40, 3.99), Pose(42.5, 4)), []),
        ((Pose(4, 4), Pose(7, 4)), []),
        ((Pose(4, 4), Pose(4, 7 + 2 * TOL)), ["LINK"]),
        ((Pose(29.6, 4), Pose(27, 7)), ["PLACE", "LINK"]),
        ((Pose(24, 4), Pose(24, 7)), ["PLACE"]),
        ((Pose(20.4, 4, "floor"), Pose(22, 4, "floor")), ["PLACE"]),
    ],
)
def test_each_prohibition(poses: tuple[Pose, ...], broken: list[str]) -> None:
    assert codes(put(state(FLOOR, ROCK), RULE, *poses)) == broken


def test_bases_on_a_ramp_do_not_overlap_seen_from_above() -> None:
    slope = Surface(id="floor", polygon=OUTLINE, low=0, high=6, foot=(20, 4), head=(26, 4))
    here = state(replace(FLOOR, surface=slope))
    (fault,) = put(here, RULE, Pose(22, 4, "floor"), Pose(22.9, 4, "floor"))
    assert (fault.clause, fault.measured) == ("PLACE", pytest.approx(-0.1))


def test_numbers_and_places_are_told() -> None:
    (fault,) = put(state(), RULE, Pose(40, 4), Pose(42.5, 4))
    assert (fault.subject, fault.against, fault.measured, fault.limit, fault.at) == ("a", "e", 9.0, 9.0, (40, 4))


@pytest.mark.parametrize(
    ("places", "part"),
    [
        ((("c", Pose(4, 4)), ("b", Pose(4, 7))), "'c' is not to be put down"),
        ((("a", Pose(4, 4)),), "1 models put down, expected 2: a, b"),
        ((("a", Pose(4, 4)), ("a", Pose(4, 7))), "expected 2: a, b"),
        ((("a", Pose(float("nan"), 4)), ("b", Pose(4, 7))), "expected two numbers"),
        ((("a", Pose(float("inf"), 4)), ("b", Pose(4, 7))), "expected two numbers"),
        ((("a", Pose(4, 4, "attic")), ("b", Pose(4, 7))), "no surface 'attic'"),
    ],
)
def test_places_that_cannot_be_read(places: tuple[tuple[str, Pose], ...], part: str) -> None:
    found = judge_places(state(), "A", NAMES, RULE, places)
    assert {fault.clause for fault in found} == {MALFORMED}
    assert any(part in fault.text for fault in found)


def test_models_that_come_back_cling_to_their_unit() -> None:
    rule = PlaceRule(end_place=Cite("PLACE"), near=2.0, near_cite=Cite("NEAR"), coherency=2.0)
    here = state(standing={"m": Pose(10, 20)})
    assert put(here, rule, Pose(13, 20), Pose(10, 23)) == ()
    assert codes(put(here, rule, Pose(13, 20), Pose(16, 20))) == ["NEAR"]
    assert codes(put(state(), rule, Pose(13, 20))) == ["NEAR"]


def test_coherency_may_ask_for_a_mate_only() -> None:
    names = ("a", "b", "c", "d")
    pairs = tuple(zip(names, (Pose(2, 2), Pose(2, 4), Pose(16, 2), Pose(16, 4)), strict=True))
    assert codes(judge_places(state(), "A", names, RULE, pairs)) == ["LINK"]
    assert judge_places(state(), "A", names, replace(RULE, chain=False), pairs) == ()


# ---- finding room ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_places_found_are_legal_on_the_grid_and_near(seed: int) -> None:
    rng = Random(seed)
    here, _, _ = random_board(rng)
    here = here.with_unit(here.unit("A").without(tuple(m.id for m in here.unit("A").models)))
    names = tuple(f"a{i}" for i in range(rng.randint(1, 10)))
    rule = replace(RULE, zone=(0, 0, 48, 48), from_enemies=2.0)
    near = rng.uniform(2, 46), rng.uniform(2, 46)
    found = find_places(here, "A", names, rule, near)
    assert [name for name, _ in found] == list(names)
    assert judge_places(here, "A", names, rule, found) == ()
    assert all((pose.x / GRID).is_integer() and (pose.y / GRID).is_integer() for _, pose in found)
    assert found == find_places(here, "A", names, rule, near)


def test_the_places_asked_for_are_taken_where_they_are_free() -> None:
    assert find_places(state(), "A", ("a",), RULE, (4.0, 4.0)) == (("a", Pose(4, 4)),)
    ((_, beside),) = find_places(state(ROCK), "A", ("a",), RULE, (31.0, 4.0))
    assert 1.5 <= max(abs(beside.x - 31), abs(beside.y - 4)) <= 3.0


def test_no_room_is_no_places() -> None:
    assert find_places(state(), "A", NAMES, replace(RULE, zone=(0, 0, 1.5, 1.5)), (0.75, 0.75)) == ()


def test_returning_models_stand_round_their_mates() -> None:
    rule = PlaceRule(end_place=Cite("PLACE"), near=2.0, near_cite=Cite("NEAR"), coherency=2.0, from_enemies=2.0)
    here = state(standing={"m": Pose(10, 20)})
    found = find_places(here, "A", NAMES, rule, None)
    assert [name for name, _ in found] == ["a", "b"]
    assert judge_places(here, "A", NAMES, rule, found) == ()
    walled = state(Feature(id="ring", outline=box(8, 18, 12, 22), blocks=True), standing={"m": Pose(10, 20)})
    crowd = {f"x{i}{j}": Pose(6 + i, 16 + j) for i in range(9) for j in range(9) if (i, j) != (4, 4)}
    assert find_places(walled, "A", NAMES, rule, None) != find_places(here, "A", NAMES, rule, None)
    full = table_with({"A": ("red", {"m": Pose(10, 20)}), "G": ("red", crowd)})
    assert find_places(full, "A", NAMES, rule, None) == ()
    assert find_places(state(), "A", NAMES, rule, None) == ()


def test_where_places_may_lie() -> None:
    assert RULE.box(state(), "A") == (0, 0, 48, 8)
    assert RULE.middle(state()) == (24, 4)
    cling = PlaceRule(end_place=Cite("PLACE"), near=2.0)
    assert cling.box(state(standing={"m": Pose(10, 20)}), "A") == (7, 17, 13, 23)
    assert cling.box(state(), "A") == (0, 0, 48, 48)
    assert cling.middle(state()) is None


def tried_one_by_one(
    here: State, rule: PlaceRule, names: tuple[str, ...], near: tuple[float, float], rings: int
) -> Places:
    """`find_places` as its description says, without a quick look first."""
    radius = here.unit("A").radius
    near = _inside(rule, near, radius)
    for dx, dy in _spiral(rings, radius):
        for files in _widths(len(names)):
            spots = _block(len(names), radius, (near[0] + dx, near[1] + dy), files)
            places = tuple((name, Pose(x, y)) for name, (x, y) in zip(names, spots, strict=True))
            if not judge_places(here, "A", names, rule, places):
                return places
    return ()


@pytest.mark.parametrize("seed", range(12))
def test_the_quick_look_at_room_leaves_out_nothing(seed: int) -> None:
    rng = Random(seed)
    here, unit, _ = random_board(rng)
    names = tuple(f"n{i}" for i in range(rng.randint(1, 6)))
    rule = replace(
        RULE,
        zone=(8, 8, 40, 30) if rng.random() < 0.5 else None,
        from_enemies=rng.choice((None, 3.0)),
        from_friends=None,
        coherency=None if unit.models else 2.0,
    )
    near = rng.uniform(6, 42), rng.uniform(6, 42)
    assert find_places(here, "A", names, rule, near, 4) == tried_one_by_one(here, rule, names, near, 4)
