"""The mask of shifts: for every offset the answer is that of the referee, whoever answers."""

from __future__ import annotations

from math import cos, pi, sin
from random import Random

import numpy as np
import pytest
from tactician.rules.core.clear import certain_shifts
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import TOL
from tactician.rules.core.movement import MoveType, judge_in_words
from tactician.rules.core.shapes import Point
from tactician.rules.core.state import State, Unit, front_first
from tactician.rules.core.terrain import Feature
from tactician.rules.paths import twins
from tactician.rules.paths.squads import shift, shift_mask

from tests.core.movement_boards import box, in_step, random_board, random_heights, table_with
from tests.core.test_clear import FAST, any_kind


def some_offsets(rng: Random) -> list[Point]:
    """Long and short shifts, one of them none at all."""
    found = [(0.0, 0.0)]
    for _ in range(14):
        turn, far = rng.uniform(0, 2 * pi), rng.choice((1.0, 3.0, 8.0)) * rng.random()
        found.append((far * cos(turn), far * sin(turn)))
    return found


def referee(state: State, unit: Unit, kind: MoveType, offsets: list[Point]) -> tuple[bool, ...]:
    """What the referee says of each shift, the front models walking first where they walk one after another."""
    orders = [front_first(unit, *offset) if kind.motion == "sequence" else () for offset in offsets]
    rows = zip(offsets, orders, strict=True)
    return tuple(not judge_in_words(state, unit, kind, shift(unit, *one), order).violations for one, order in rows)


def check_boards(seeds: range, mode: str) -> tuple[int, int, int]:
    """Compare masks; how many shifts are possible, how many are not, and for how many the referee was asked."""
    yes = no = unsure = 0
    with twins.forced(mode):
        for seed in seeds:
            rng = Random(seed)
            state, unit, _ = random_heights(rng) if seed % 8 == 7 else random_board(rng)
            kind, offsets = any_kind(rng), some_offsets(rng)
            mask = shift_mask(state, unit, kind, offsets)
            assert mask == referee(state, unit, kind, offsets), f"board {seed}"
            yes, no = yes + sum(mask), no + len(mask) - sum(mask)
            unsure += certain_shifts(state, unit, kind, offsets).count(None)
    return yes, no, unsure


@pytest.mark.parametrize("mode", FAST)
@pytest.mark.parametrize("start", range(0, 80, 20))
def test_a_mask_is_the_referees_answer(mode: str, start: int) -> None:
    yes, no, unsure = check_boards(range(start, start + 20), mode)
    assert yes >= 30
    assert no >= 30
    assert unsure <= 0.2 * (yes + no)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 3000, 100))
def test_a_compiled_mask_is_the_referees_answer(start: int) -> None:
    _, _, unsure = check_boards(range(start, start + 100), twins.COMPILED)
    assert unsure <= 0.2 * 1500


@pytest.mark.parametrize("mode", FAST)
def test_shifts_to_just_beside_a_limit(mode: str) -> None:
    wall = Feature(id="wall", outline=box(14, 6, 15, 13), blocks=True)
    state = table_with(
        {"A": ("red", {"a": Pose(10, 10), "b": Pose(10, 12)}), "E": ("blue", {"e": Pose(6, 10)})}, (wall,)
    )
    unit, kind = state.unit("A"), in_step(5)
    hairs = (-3 * TOL, -TOL - 1e-7, -TOL, 0.0, TOL - 1e-7, TOL, TOL + 1e-7, 3 * TOL)
    offsets = [(edge + hair, 0.0) for edge in (3.5, -1.0, 5.0) for hair in hairs]
    offsets += [(0.0, edge + hair) for edge in (5.0, -5.0) for hair in hairs]
    with twins.forced(mode):
        mask = shift_mask(state, unit, kind, offsets)
    assert mask == tuple(not judge_in_words(state, unit, kind, shift(unit, *offset)).violations for offset in offsets)
    assert len(set(mask)) == 2


def test_offsets_may_be_an_array() -> None:
    state = table_with({"A": ("red", {"a": Pose(10, 10), "b": Pose(10, 12)})})
    offsets = [(1.0, 0.0), (0.0, 6.1), (-9.8, 0.0)]
    for mode in FAST:
        with twins.forced(mode):
            mask = shift_mask(state, state.unit("A"), in_step(6), np.array(offsets))
            assert mask == shift_mask(state, state.unit("A"), in_step(6), offsets) == (True, False, False)
            assert all(type(answer) is bool for answer in mask)
    assert shift_mask(state, state.unit("A"), in_step(6), ()) == ()


def test_a_unit_leaves_the_cover_that_it_begins_in_but_does_not_stay_in_it() -> None:
    scrub = Feature(id="scrub", outline=box(9, 9, 12, 13), traits=(("cover", 1.0),))
    state = table_with({"A": ("red", {"a": Pose(10, 10), "b": Pose(10, 12)})}, (scrub,))
    unit, kind = state.unit("A"), in_step(6, ban=True)
    offsets = [(1.0, 0.0), (3.0, 0.0), (0.0, 3.0), (-2.0, 0.0), (0.0, 5.9)]
    assert certain_shifts(state, unit, kind, offsets) == [False, True, False, True, True]
    assert shift_mask(state, unit, kind, offsets) == tuple(
        not judge_in_words(state, unit, kind, shift(unit, *offset)).violations for offset in offsets
    )
