"""A squad to one place: what is offered is legal, the shift comes first, and walls are walked round together."""

from __future__ import annotations

from random import Random

import pytest
from tactician.rules.core.legs import Pose, walk
from tactician.rules.core.movement import end_pose, judge
from tactician.rules.core.terrain import Feature
from tactician.rules.paths.squads import centre_of, each_way, shift_mask, squad_to

from tests.core.movement_boards import box, in_step, random_board, table_with

SQUAD = {"a": Pose(10, 10), "b": Pose(10, 12), "c": Pose(12, 11)}


def test_in_the_open_the_formation_is_shifted_as_it_stands() -> None:
    state = table_with({"A": ("red", SQUAD)})
    unit = state.unit("A")
    ways = squad_to(state, unit, in_step(6), (centre_of(unit)[0] + 4, centre_of(unit)[1] + 2))
    assert len(ways) == 1
    ends = [end_pose(m.pose, walk(m.pose, ways[0][m.id], state.board)) for m in unit.models]
    assert [(p.x, p.y) for p in ends] == [pytest.approx((m.pose.x + 4, m.pose.y + 2)) for m in unit.models]


def test_a_wall_is_walked_round_together() -> None:
    wall = Feature(id="wall", outline=box(14, 6, 15, 13), blocks=True)
    state = table_with({"A": ("red", SQUAD)}, (wall,))
    unit = state.unit("A")
    kind = in_step(14)
    best = squad_to(state, unit, kind, (19.0, 11.0))[0]
    assert judge(state, unit, kind, best).violations == ()
    ends = [end_pose(m.pose, walk(m.pose, best[m.id], state.board)) for m in unit.models]
    assert min(p.x for p in ends) > 15


def test_the_mask_of_shifts_is_the_referees_own_answer() -> None:
    wall = Feature(id="wall", outline=box(14, 6, 15, 13), blocks=True)
    state = table_with({"A": ("red", SQUAD)}, (wall,))
    assert shift_mask(state, state.unit("A"), in_step(6), [(1, 0), (1.5, 0), (2, 0), (0, 6), (0, 6.1)]) == (
        True,
        True,
        False,
        True,
        False,
    )


def test_models_that_go_their_own_ways_arrive_at_the_same_time() -> None:
    wall = Feature(id="wall", outline=box(14, 10.5, 15, 11.5), blocks=True)
    state = table_with({"A": ("red", SQUAD)}, (wall,))
    ways = each_way(state, state.unit("A"), in_step(12), (17.0, 11.0), 30.0)
    assert ways is not None
    assert len({len(path) for path in ways.values()}) == 1


def check_offers(seed: int) -> None:
    rng = Random(seed)
    state, unit, _ = random_board(rng)
    kind = in_step(rng.choice((5.0, 10.0)), ban=rng.random() < 0.5)
    goal = rng.uniform(2, 46), rng.uniform(2, 46)
    for paths in squad_to(state, unit, kind, goal):
        assert judge(state, unit, kind, paths).violations == (), f"board {seed}"


@pytest.mark.parametrize("seed", range(25))
def test_every_offer_is_legal(seed: int) -> None:
    check_offers(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(25, 300))
def test_every_offer_is_legal_on_many_boards(seed: int) -> None:
    check_offers(seed)
