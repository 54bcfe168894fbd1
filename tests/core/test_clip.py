"""As much of a movement as is legal: the maximal clip is legal, idempotent and leaves nothing on the table."""

from __future__ import annotations

from random import Random

import pytest
from tactician.rules.core.clip import clip
from tactician.rules.core.legs import Climb, Drop, Path, Pose, Straight, walk
from tactician.rules.core.movement import end_pose, judge
from tactician.rules.core.shapes import length
from tactician.rules.core.state import State, Unit
from tactician.rules.core.terrain import Feature, Surface

from tests.core.movement_boards import box, in_step, random_board, straight, table_with

STILL = 1e-3
"""Inches: what the definition allows a further pass to move a model, whatever the engine stops at."""

FAST, SLOW = range(25), range(25, 500)


def ends(state: State, unit: Unit, paths: dict[str, Path]) -> dict[str, Pose]:
    return {m.id: end_pose(m.pose, walk(m.pose, paths.get(m.id, ()), state.board)) for m in unit.models}


def moved(state: State, unit: Unit, paths: dict[str, Path]) -> State:
    return state.with_unit(unit.moved(ends(state, unit, paths)))


def rest(path: Path, done: float, left: float, start: Pose) -> Path:
    """What is left of a straight way after so many inches, cut to the inches that may still be paid."""
    x, y, points = start.x, start.y, []
    for leg in path:
        assert isinstance(leg, Straight)
        far = length(leg.to[0] - x, leg.to[1] - y)
        begin, end = min(done, far), min(far, done + left)
        if end - begin > 1e-9:
            points.append((x + (leg.to[0] - x) * end / far, y + (leg.to[1] - y) * end / far))
            left -= end - begin
        done -= begin
        (x, y) = leg.to
        if left <= 1e-9:
            break
    return straight(*points)


def walked(state: State, unit: Unit, paths: dict[str, Path], name: str) -> float:
    return sum(stretch.across for stretch in walk(unit.model(name).pose, paths.get(name, ()), state.board))


def check_board(seed: int) -> None:
    rng = Random(seed)
    state, unit, paths = random_board(rng)
    kind = in_step(rng.choice((4.0, 6.0, 12.0)), ban=rng.random() < 0.5, spared="E" if rng.random() < 0.3 else "")
    found = clip(state, unit, kind, paths)
    verdict = judge(state, unit, kind, found)
    assert verdict.violations == (), f"board {seed}: {verdict.violations[0]}"
    again = clip(state, unit, kind, found)
    one, two = ends(state, unit, found), ends(state, unit, again)
    assert max(length(one[m].x - two[m].x, one[m].y - two[m].y) for m in one) <= STILL, f"board {seed}"


@pytest.mark.parametrize("seed", FAST)
def test_what_is_left_of_a_movement_is_legal_and_stays_so(seed: int) -> None:
    check_board(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SLOW)
def test_what_is_left_of_a_movement_is_legal_and_stays_so_on_many_boards(seed: int) -> None:
    check_board(seed)


def check_further_pass(seed: int) -> None:
    """Run the rest of every way again from where the models stand: nobody gets any further."""
    rng = Random(seed)
    state, unit, paths = random_board(rng)
    allowance = rng.choice((4.0, 6.0, 12.0))
    found = clip(state, unit, in_step(allowance), paths)
    if not found:
        return
    after = moved(state, unit, found)
    ways = {}
    for model in unit.models:
        done = walked(state, unit, found, model.id)
        way = rest(paths.get(model.id, ()), done, allowance - done, model.pose)
        if way:
            ways[model.id] = way
    further = clip(after, after.unit("A"), in_step(1000.0), ways)
    one, two = ends(after, after.unit("A"), {}), ends(after, after.unit("A"), further)
    gained = {name: length(one[name].x - two[name].x, one[name].y - two[name].y) for name in one}
    assert max(gained.values()) <= STILL, f"board {seed}: {gained}"


@pytest.mark.parametrize("seed", FAST)
def test_a_further_pass_moves_nobody(seed: int) -> None:
    check_further_pass(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SLOW)
def test_a_further_pass_moves_nobody_on_many_boards(seed: int) -> None:
    check_further_pass(seed)


def test_a_mate_that_is_blocked_holds_the_other_by_coherency() -> None:
    wall = Feature(id="wall", outline=box(14, 11.2, 15, 14), blocks=True)
    state = table_with({"A": ("red", {"a": Pose(10, 10), "b": Pose(10, 12)})}, (wall,))
    unit = state.unit("A")
    found = clip(state, unit, in_step(12), {"a": straight((22, 10)), "b": straight((22, 12))})
    end = ends(state, unit, found)
    assert (end["a"].x, end["b"].x) == (pytest.approx(15.736, abs=1e-3), pytest.approx(13.5, abs=1e-3))


def test_an_end_too_near_an_enemy_is_given_up_for_the_latest_legal_place() -> None:
    state = table_with({"A": ("red", {"a": Pose(10, 10)}), "E": ("blue", {"e": Pose(20, 10)})})
    found = clip(state, state.unit("A"), in_step(12), {"a": straight((18, 10))})
    assert ends(state, state.unit("A"), found)["a"].x == pytest.approx(17.0, abs=1e-3)


def test_a_charge_that_arrives_keeps_its_permission_and_one_that_does_not_loses_it() -> None:
    state = table_with({"A": ("red", {"a": Pose(10, 10)}), "E": ("blue", {"e": Pose(24.5, 10)})})
    unit = state.unit("A")
    short = clip(state, unit, in_step(12, spared="E"), {"a": straight((23.5, 10))})
    assert ends(state, unit, short)["a"].x == pytest.approx(21.5, abs=1e-3)
    reached = clip(state, unit, in_step(13, spared="E"), {"a": straight((23.0, 10))})
    assert ends(state, unit, reached)["a"].x == pytest.approx(23.0, abs=1e-3)


def test_nobody_rests_half_way_up_a_wall() -> None:
    wall = Feature(
        id="wall", outline=box(12, 8, 13, 12), surface=Surface(id="wall", polygon=box(12, 8, 13, 12), low=2, high=2)
    )
    state = table_with({"A": ("red", {"a": Pose(11.5, 10)})}, (wall,))
    over: Path = (Climb("wall"), Straight((13.5, 10)), Drop("ground"))
    unit = state.unit("A")
    assert ends(state, unit, clip(state, unit, in_step(4), {"a": over}))["a"] == Pose(13.5, 10.0)
    assert clip(state, unit, in_step(1.5), {"a": over}) == {}
    assert ends(state, unit, clip(state, unit, in_step(3.5), {"a": over}))["a"].surface == "wall"


def test_a_boxed_in_model_does_not_move() -> None:
    ring = {f"m{i}": pose for i, pose in enumerate([Pose(11, 10), Pose(9, 10), Pose(10, 11), Pose(10, 9)])}
    state = table_with({"A": ("red", {"a": Pose(10, 10)}), "F": ("red", ring)})
    assert clip(state, state.unit("A"), in_step(12), {"a": straight((22, 10))}) == {}
