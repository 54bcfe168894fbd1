"""Big squads get on: each model by its own way where the formation as it stands cannot."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tactician.agent.propose.aims import Aim
from tactician.agent.propose.march import marched
from tactician.agent.propose.slides import Slider
from tactician.agent.propose.spot import Spot, moved_to, walking
from tactician.rules.core.choice import Walk
from tactician.rules.core.movement import MoveType, disorder_of
from tactician.rules.core.ruleset import load_ruleset
from tactician.rules.wh40k2e.state import Squad, SquadState

from tests.agent.test_greedy_squads import in_phase
from tests.rules.wh40k2e.boards import battle, row, squad, wall

RULES = load_ruleset("wh40k2e")

FOE = (30.0, 44.0)

GATE = [wall(5, 12, 28, 12.5, blocks=True, name="west"), wall(32, 12, 60, 12.5, blocks=True, name="east")]
"""Two walls with a gap of four inches between them."""


def asked(state: SquadState, verb: str) -> tuple[Squad, MoveType]:
    choice = next(one for one in RULES.choices(state) if (one.verb, one.unit) == (verb, "R1"))
    assert isinstance(choice.domain, Walk)
    return state.unit("R1"), choice.domain.kind


def march(state: SquadState, verb: str) -> Spot:
    unit, kind = asked(state, verb)
    (spot,) = marched(state, unit, kind, Aim("on", (0.0, 1.0), kind.allowance, FOE))
    choice = next(one for one in RULES.choices(state) if (one.verb, one.unit) == (verb, "R1"))
    assert not RULES.check(state, walking(choice.bare(), unit, spot, kind))
    assert kind.coherency is not None
    assert disorder_of(state, moved_to(unit, spot), kind.coherency) == 1
    return spot


@pytest.mark.parametrize(("verb", "least"), [("move", 1.0), ("run", 2.25)])
def test_a_wide_squad_files_through_a_gap(verb: str, least: float) -> None:
    """As it stands it comes no further than the walls, two thirds of an inch away."""
    state = in_phase(battle(squad("R1", "ork", row(9, 24, 10.8)), squad("B1", "ork", [FOE]), pieces=GATE), "normal")
    unit, kind = asked(state, verb)
    assert Slider(state, unit, kind).lengths([(0.0, 1.0)], [kind.allowance])[0] < 0.8
    assert march(state, verb).shift[1] > least
    inside = [model for model in moved_to(unit, march(state, verb)).models if model.pose.y > 11.5]
    assert len(inside) >= 2


def test_a_squad_goes_round_another_that_stands_in_front_of_it() -> None:
    state = in_phase(
        battle(squad("R1", "ork", row(6, 26, 10)), squad("R2", "ork", row(5, 27, 12)), squad("B1", "ork", [FOE])),
        "normal",
    )
    unit, kind = asked(state, "run")
    straight = Slider(state, unit, kind).lengths([(0.0, 1.0)], [kind.allowance])[0]
    assert straight < 1.2
    assert march(state, "run").shift[1] > 3 * straight


def test_nobody_marches_where_all_move_in_step() -> None:
    state = in_phase(battle(squad("R1", "ork", row(6, 26, 10)), squad("B1", "ork", [FOE])), "normal")
    unit, kind = asked(state, "run")
    assert marched(state, unit, replace(kind, motion="in_step"), Aim("on", (0.0, 1.0), 8.0, FOE)) == []
