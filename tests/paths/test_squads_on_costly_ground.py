"""Squads over ground that costs, and in another shape: legal by the referee, in one piece, and no dearer than asked."""

from __future__ import annotations

from dataclasses import replace
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
from tactician.rules.paths.squads import centre_of, reshaped, squad_to

from tests.core.movement_boards import in_step, random_board

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
