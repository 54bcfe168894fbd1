"""Moves that certainly break nothing: whatever the kernels answer, the referee's verdict is that of the plain code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import cos, pi, sin
from random import Random

import pytest
from tactician.rules.core.arcs import LEFT, RIGHT
from tactician.rules.core.clear import way_if_clear
from tactician.rules.core.legs import Bend, Path, Pose, Straight
from tactician.rules.core.measure import TOL
from tactician.rules.core.movement import MoveType, is_legal, judge, judge_in_words
from tactician.rules.core.state import State, Unit
from tactician.rules.core.terrain import Feature
from tactician.rules.paths import kernels, twins

from tests.core.movement_boards import box, in_step, random_board, random_heights, straight, table_with

FAST = (twins.PLAIN, twins.INTERPRETED)
"""Ways to be answered that need no compiler."""

Move = tuple[State, Unit, MoveType, dict[str, Path]]


def any_kind(rng: Random) -> MoveType:
    """A move type with any mixture of conditions."""
    kind = in_step(rng.choice((3.0, 6.0, 12.0, 30.0)), ban=rng.random() < 0.5, spared="E" if rng.random() < 0.3 else "")
    whole, standing, leaving, chain = (rng.random() < 0.2 for _ in range(4))
    assert kind.coherency is not None
    return replace(
        kind,
        motion="sequence" if rng.random() < 0.3 else "in_step",
        models=None if rng.random() < 0.2 else kind.models,
        mates_block=rng.random() < 0.8,
        keep_away=tuple(replace(keep, whole_way=whole, standing=standing) for keep in kind.keep_away),
        closed=tuple(replace(closed, leaving=not leaving) for closed in kind.closed),
        coherency=None if rng.random() < 0.1 else replace(kind.coherency, chain=not chain),
        whole_base=rng.random() < 0.8,
    )


def shrunk(unit: Unit, paths: dict[str, Path], share: float) -> dict[str, Path]:
    """The same ways drawn smaller about each model, so that more of them are legal."""
    found = {}
    for model in unit.models:
        x, y = model.pose.point
        legs = [leg for leg in paths.get(model.id, ()) if isinstance(leg, Straight)]
        found[model.id] = straight(*((x + (leg.to[0] - x) * share, y + (leg.to[1] - y) * share) for leg in legs))
    return {name: path for name, path in found.items() if path}


def bent(rng: Random, unit: Unit) -> dict[str, Path]:
    """Each model round a centre of its own, then straight on."""
    found: dict[str, Path] = {}
    for model in unit.models:
        x, y = model.pose.point
        size, first, turned = rng.uniform(0.3, 2.5), rng.uniform(0, 2 * pi), rng.uniform(0.1, 2.5)
        turn = rng.choice((LEFT, RIGHT))
        cx, cy = x - size * cos(first), y - size * sin(first)
        last = first + (turned if turn == LEFT else -turned)
        to = cx + size * cos(last), cy + size * sin(last)
        found[model.id] = (Bend((cx, cy), to, turn), Straight((to[0] + rng.uniform(-1, 1), to[1] + rng.uniform(-1, 1))))
    return found


def moves(seed: int) -> Iterator[Move]:
    """Ways of a unit on a random board, wild ones and tame ones."""
    rng = Random(seed)
    state, unit, paths = random_board(rng)
    kind = any_kind(rng)
    for share in (1.0, 0.3, 0.1):
        yield state, unit, kind, shrunk(unit, paths, share)
    yield state, unit, replace(kind, motion="sequence"), bent(rng, unit)
    state, unit, paths = random_heights(rng)
    yield state, unit, kind, paths


def check_boards(seeds: range, mode: str) -> tuple[int, int]:
    """Compare verdicts; how many moves were legal, and how many of them were found so by a kernel."""
    legal = clear = 0
    with twins.forced(mode):
        for seed in seeds:
            for state, unit, kind, paths in moves(seed):
                order = tuple(paths) if kind.motion == "sequence" else ()
                known = judge_in_words(state, unit, kind, paths, order)
                assert judge(state, unit, kind, paths, order) == known, f"board {seed}"
                assert is_legal(state, unit, kind, paths, order) == (not known.violations), f"board {seed}"
                legal += not known.violations
                clear += way_if_clear(state, unit, kind, paths, order) is not None
    return legal, clear


@pytest.mark.parametrize("mode", FAST)
@pytest.mark.parametrize("start", range(0, 120, 30))
def test_verdicts_are_those_of_the_plain_code(mode: str, start: int) -> None:
    legal, clear = check_boards(range(start, start + 30), mode)
    assert legal >= 10
    assert clear >= legal / 2


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 3000, 100))
def test_compiled_verdicts_are_those_of_the_plain_code(start: int) -> None:
    legal, clear = check_boards(range(start, start + 100), twins.COMPILED)
    assert clear >= legal / 2


# ---- near every limit ------------------------------------------------------------------------------------------------

HAIRS = (-3 * TOL, -TOL - 3e-6, -TOL - 1e-7, -TOL, -TOL + 1e-7, -TOL + 3e-6, 0.0, TOL - 1e-7, TOL, TOL + 1e-7, 3 * TOL)
"""Inches beside a limit at which a move ends."""


def limits() -> Iterator[tuple[str, Move]]:
    """Moves of two models that come just so far as the wall, an enemy, a mate, the edge, the allowance, a link."""
    wall = Feature(id="wall", outline=box(14, 6, 15, 13), blocks=True)
    scrub = Feature(id="scrub", outline=box(14, 6, 15, 13), traits=(("cover", 1.0),))
    pair, foe = {"a": Pose(10, 10), "b": Pose(10, 12)}, {"e": Pose(14, 10)}
    for hair in HAIRS:
        kind = in_step(6, ban=True)
        over = straight((13.5 + hair, 10)), straight((13.5 + hair, 12))
        for piece in (wall, scrub):
            state = table_with({"A": ("red", pair)}, (piece,))
            yield piece.id, (state, state.unit("A"), kind, dict(zip("ab", over, strict=True)))
        state = table_with({"A": ("red", pair), "E": ("blue", foe)})
        unit, both = state.unit("A"), {"b": straight((11, 12))}
        yield "enemy", (state, unit, kind, {"a": straight((11 + hair, 10)), **both})
        touching = replace(kind, keep_away=())
        yield "base", (state, unit, touching, {"a": straight((13 + hair, 10)), "b": straight((13, 12))})
        whole = replace(kind, keep_away=tuple(replace(keep, whole_way=True) for keep in kind.keep_away))
        yield "zone", (state, unit, whole, {"a": straight((11 + hair, 10)), **both})
        state = table_with({"A": ("red", pair)})
        unit = state.unit("A")
        yield "mate", (state, unit, kind, {"a": straight((10, 11 + hair))})
        yield "allowance", (state, unit, kind, {"a": straight((16 + hair, 10)), "b": straight((16 + hair, 12))})
        yield "link", (state, unit, kind, {"a": straight((10, 9 + hair))})
        lone = table_with({"A": ("red", {"a": Pose(5, 10)})})
        yield "edge", (lone, lone.unit("A"), kind, {"a": straight((0.5 + hair, 10))})


@pytest.mark.parametrize("mode", FAST)
def test_near_every_limit_the_verdict_is_that_of_the_plain_code(mode: str) -> None:
    seen: dict[str, set[bool]] = {}
    with twins.forced(mode):
        for name, (state, unit, kind, paths) in limits():
            known = judge_in_words(state, unit, kind, paths)
            assert judge(state, unit, kind, paths) == known, name
            seen.setdefault(name, set()).add(bool(known.violations))
    assert {name for name, answers in seen.items() if len(answers) == 1} == set()


@pytest.mark.slow
def test_near_every_limit_the_compiled_verdict_is_that_of_the_plain_code() -> None:
    test_near_every_limit_the_verdict_is_that_of_the_plain_code(twins.COMPILED)


def test_the_kernels_know_the_tolerance() -> None:
    assert kernels.TOLERANCE == TOL


def test_a_move_in_the_open_is_clear_and_told_in_full() -> None:
    state = table_with({"A": ("red", {"a": Pose(10, 10), "b": Pose(10, 12)})})
    unit = state.unit("A")
    clear = way_if_clear(state, unit, in_step(6), {"b": straight((13, 12)), "a": straight((13, 10))}, ())
    assert clear == ((("b", 3.0), ("a", 3.0)), (("b", Pose(13, 12)), ("a", Pose(13, 10))))


def test_what_is_out_of_the_ordinary_is_left_to_the_plain_code() -> None:
    state = table_with({"A": ("red", {"a": Pose(10, 10), "b": Pose(10, 12)})})
    unit, kind = state.unit("A"), in_step(6)
    assert way_if_clear(state, unit, kind, {"x": straight((13, 12))}, ()) is None
    assert way_if_clear(state, unit, kind, {"a": (Bend((10, 11), (10, 12), LEFT),)}, ()) is None
    assert way_if_clear(state, unit, kind, {"a": straight((float("nan"), 10))}, ()) is None
    assert way_if_clear(state, unit, replace(kind, motion="sequence"), {"a": straight((11, 10))}, ("a", "a")) is None
