"""Who was interrupted half way across an obstacle does not stop there, whoever answers and however."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tactician.agent.dice import stream
from tactician.agent.policies import Budget, policy
from tactician.agent.propose.candidates import candidates
from tactician.agent.view.seats import Seats
from tactician.rules.core.action import Action
from tactician.rules.core.legs import Straight
from tactician.rules.core.ruleset import load_ruleset
from tactician.rules.wh40k2e.state import Moving, SquadState

from tests.agent.test_greedy_squads import in_phase
from tests.agent.view_games import view_of
from tests.rules.wh40k2e.boards import battle, row, squad, wall

RULES = load_ruleset("wh40k2e")

PLAN = (("R1.1", (Straight((20.0, 12.0)),)),)


def interrupted(y: float) -> SquadState:
    """A model on its way over a wall, fired at when its centre was there; what it began with was four inches away."""
    low_wall = wall(10, 10, 30, 10.4, top=1.5, obstacle=True)
    state = in_phase(
        battle(squad("R1", "marine", [(20.0, y)]), squad("B1", "ork", row(2, 20, 40)), pieces=[low_wall]), "normal"
    )
    frame = Moving(
        owner="red",
        unit="R1",
        gait="walk",
        plan=PLAN,
        allowance=8.0,
        spent=(("R1.1", 3.0),),
        walked=(("R1.1", 1.0),),
        begun=(("R1.1", 20.0, y - 1.0),),
        answered=("B1",),
        stage="replan",
    )
    return replace(state, agenda=(*state.agenda, frame))


def test_standing_still_is_refused_and_the_rest_of_the_way_is_the_usual_answer() -> None:
    state = interrupted(10.2)
    choice = next(one for one in RULES.choices(state) if one.verb == "move")
    assert [fault.clause for fault in RULES.check(state, choice.bare())] == ["2E-OB-05"]
    assert choice.canonical(state).paths == PLAN
    assert not RULES.check(state, choice.canonical(state))
    assert all(not RULES.check(state, action) for action in candidates(RULES, state, choice))


def test_in_front_of_the_wall_it_may_stop() -> None:
    state = interrupted(8.5)
    choice = next(one for one in RULES.choices(state) if one.verb == "move")
    assert not RULES.check(state, choice.bare())
    assert choice.canonical(state) == choice.bare()


@pytest.mark.parametrize("name", ["greedy", "random", "straight-ahead"])
def test_every_opponent_goes_on(name: str) -> None:
    state = interrupted(10.2)
    for seed in range(4):
        action = policy(name).decide(RULES, state, Budget(), stream(seed, name)).action
        assert not RULES.check(state, action)


@pytest.mark.parametrize(("y", "may_stop"), [(10.2, False), (8.5, True)])
def test_its_number_for_stopping_means_the_rest_of_the_way(y: float, may_stop: bool) -> None:
    view, state = view_of("wh40k2e", "duel"), interrupted(y)
    seats = Seats.at_start(state, view.layout)
    choice = next(one for one in RULES.choices(state) if one.verb == "move")
    path = view.index_path(state, seats, choice.bare())
    assert path is not None
    assert path[-1] == view.layout.option("stop")
    action = view.press(state, seats, path[:-1], path[-1])
    assert isinstance(action, Action)
    assert action == choice.canonical(state)
    assert bool(action.paths) != may_stop
    assert not RULES.check(state, action)
