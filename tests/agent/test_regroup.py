"""A squad in several pieces is offered ways to come together again."""

from __future__ import annotations

from math import cos, pi, sin

import pytest
from tactician.agent.propose.regroup import gathered, is_apart
from tactician.agent.propose.shapes import block
from tactician.agent.propose.spot import Spot, by_ways
from tactician.agent.propose.spots import moved_to, spots, walking
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.movement import disorder_of
from tactician.rules.core.ruleset import Ruleset, load_ruleset
from tactician.rules.core.shapes import length
from tactician.rules.paths.squads import reshaped
from tactician.rules.wh40k2e.movement import move_type

from tests.agent.broken_up import Broken, broken_up
from tests.rules.wh40k2e.boards import battle, row, squad, wall

GAMES = ("voidsiege", "wh40k2e")

SMALL = 2
"""A seed whose games are of the smallest size."""

TRIES = 60
"""Tight blocks that are tried before a squad counts as one that cannot come together."""


def offered(ruleset: Ruleset, one: Broken) -> list[Spot]:
    charged = dict(one.option or ()).get("charge")
    return spots(appraiser_of(ruleset), one.state, one.unit, one.kind, charged)


def pieces_at(one: Broken, spot: Spot) -> int:
    assert one.kind.coherency is not None
    return disorder_of(one.state, moved_to(one.unit, spot), one.kind.coherency)


def can_come_together(one: Broken) -> bool:
    """Whether some tight block on a grid about the middle can be taken up: the measure of what is possible cheaply."""
    unit, box = one.unit, one.state.board.box
    xs, ys = [model.pose.x for model in unit.models], [model.pose.y for model in unit.models]
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    centres = [(x + i, y + j) for i in range(-4, 5) for j in range(-4, 5)]
    ranked = sorted(
        centres, key=lambda at: (max(length(at[0] - a, at[1] - b) for a, b in zip(xs, ys, strict=True)), at)
    )
    blocks = [block(at, (sin(a), cos(a)), len(xs), unit.radius) for at in ranked for a in (0.0, pi / 4, pi / 2)]
    room = unit.radius
    inside = [
        places
        for places in blocks
        if all(box[0] + room <= a <= box[2] - room and box[1] + room <= b <= box[3] - room for a, b in places)
    ]
    for places in inside[:TRIES]:
        paths = reshaped(one.state, unit, one.kind, places)
        if paths and pieces_at(one, by_ways("", unit, paths)) == 1:
            return True
    return False


def assert_it_comes_together(name: str, count: int, seed: int) -> list[str]:
    """Every spot is legal and mends something; gives the squads that could come together and are not offered it."""
    ruleset, missed = load_ruleset(name), []
    for number, one in enumerate(broken_up(ruleset, count, seed)):
        assert one.kind.coherency is not None
        before = disorder_of(one.state, one.unit, one.kind.coherency)
        found = offered(ruleset, one)
        for spot in found:
            faults = ruleset.check(one.state, walking(one.bare, one.unit, spot, one.kind))
            assert not faults, (number, spot.name, faults)
            assert pieces_at(one, spot) < before
        if min((pieces_at(one, spot) for spot in found), default=before) > 1 and can_come_together(one):
            missed.append(f"{name} {number}")
    return missed


@pytest.mark.parametrize("name", GAMES)
def test_a_broken_up_squad_comes_together(name: str) -> None:
    assert assert_it_comes_together(name, 2, SMALL) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_broken_up_squads_come_together_wherever_a_tight_block_shows_that_they_can(name: str) -> None:
    assert assert_it_comes_together(name, 25, 40) == []


def test_the_lesser_part_walks_up_to_the_greater() -> None:
    """The nearer of two comes between, so that the other need not move; nor need anybody else."""
    state = battle(squad("R1", "marine", [*row(4, 20, 10), (29.0, 10.0), (29.0, 11.5)]), squad("B1", "ork", [(40, 40)]))
    unit = state.unit("R1")
    kind = move_type(state, unit, "walk")
    assert is_apart(state, unit, kind)
    (spot,) = gathered(state, unit, kind, ())
    assert [name for name, _ in spot.ways] == [unit.models[4].id]
    assert kind.coherency is not None
    assert disorder_of(state, moved_to(unit, spot), kind.coherency) == 1


def test_they_go_round_a_wall_to_each_other() -> None:
    models = [*row(4, 20, 10), (22.0, 14.0)]
    state = battle(
        squad("R1", "marine", models), squad("B1", "ork", [(40, 40)]), pieces=[wall(18, 11.4, 24, 11.8, blocks=True)]
    )
    unit = state.unit("R1")
    kind = move_type(state, unit, "run")
    found = gathered(state, unit, kind, ())
    assert found
    for spot in found:
        assert kind.coherency is not None
        assert disorder_of(state, moved_to(unit, spot), kind.coherency) == 1


def test_nothing_is_offered_where_the_pieces_are_too_far_apart() -> None:
    state = battle(squad("R1", "marine", [*row(3, 10, 10), (40.0, 10.0)]), squad("B1", "ork", [(40, 40)]))
    unit = state.unit("R1")
    assert spots(appraiser_of(load_ruleset("wh40k2e")), state, unit, move_type(state, unit, "walk")) == []


def test_a_squad_in_one_piece_is_left_alone() -> None:
    state = battle(squad("R1", "marine", row(4, 20, 10)), squad("B1", "ork", [(40, 40)]))
    unit = state.unit("R1")
    kind = move_type(state, unit, "walk")
    assert not is_apart(state, unit, kind)
    assert gathered(state, unit, kind, ()) == []
