"""Environment and arena play the same game for the same decisions: equal records, dice and all."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from tactician.agent.arena import play_game
from tactician.agent.policies import Budget, Decision, policy
from tactician.env.game import Game, Setup
from tactician.env.players import Deciding
from tactician.env.solo import SoloEnv
from tactician.rules.core.action import Action
from tactician.rules.core.record import Did, Fell
from tactician.rules.core.ruleset import Ruleset, load_ruleset
from tactician.rules.core.state import SIDES, State

from tests.env.walks import SMALLEST, finish, pick


class FromList:
    """Decides what a list says, one after another."""

    def __init__(self, name: str, actions: Iterator[Action]) -> None:
        self.name, self.actions = name, actions

    def decide(self, ruleset: Ruleset, state: State, budget: Budget, rng: random.Random) -> Decision:
        return Decision(action=next(self.actions))


def orders(plies: list[Did | Fell], side: str) -> Iterator[Action]:
    return iter([ply.action for ply in plies if isinstance(ply, Did) and ply.side == side])


@pytest.mark.parametrize("deployed", [True, False])
@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_a_game_of_numbers_is_a_game_of_the_arena(name: str, size: str, deployed: bool) -> None:
    setup = Setup(ruleset=name, size=size, deployed=deployed)
    game = Game(setup, {}, 13)
    finish(game, 13)
    assert game.is_ended
    players = {side: FromList(side, orders(game.plies, side)) for side in SIDES}
    result = play_game(load_ruleset(name), setup.scenario, players, 13, check=True)
    assert list(result.plies) == game.plies
    assert result.end == game.state
    assert not any(list(player.actions) for player in players.values())


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_an_opponent_draws_as_it_does_in_the_arena(name: str, size: str) -> None:
    """The learner presses the numbers of a policy's orders; the opponent is a policy with a stream of its own."""
    env = SoloEnv(name, size, opponent="random", side="blue", auto_forced=True)
    env.reset(seed=17)
    rng = random.Random(0)
    while not env.game.is_over:
        env.step(pick(env.game.mask(), rng))
    players = {"red": policy("random"), "blue": FromList("list", orders(env.game.plies, "blue"))}
    result = play_game(load_ruleset(name), env.terms.setup.scenario, players, 17, check=True)
    assert list(result.plies) == env.game.plies
    assert result.returns == env.game.ruleset.returns(env.game.state)


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_two_policies_play_the_game_of_the_arena(name: str, size: str) -> None:
    setup = Setup(ruleset=name, size=size)
    game = Game(setup, {side: Deciding(policy("straight-ahead")) for side in SIDES}, 5, max_plies=60)
    result = play_game(
        load_ruleset(name), setup.scenario, {side: policy("straight-ahead") for side in SIDES}, 5, check=False
    )
    assert game.plies == list(result.plies)[: len(game.plies)]
    assert len(game.plies) == min(60, len(result.plies))


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_pressing_the_path_of_an_action_comes_to_that_action(name: str, size: str) -> None:
    """A recorded game, pressed once more through `index_path`, is the same game."""
    setup = Setup(ruleset=name, size=size)
    game = Game(setup, {}, 23)
    finish(game, 23)
    again = Game(setup, {}, 23, auto_forced=False)
    for ply in game.plies:
        if isinstance(ply, Fell):
            continue
        path = again.view.index_path(again.state, again.seats, ply.action)
        assert path is not None
        for number in path:
            assert again.answer(number)
    assert again.plies == game.plies
    assert again.state == game.state


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_a_record_says_what_was_played(name: str, size: str) -> None:
    env = SoloEnv(name, size, opponent="random")
    env.reset(seed=3)
    rng = random.Random(0)
    while not env.game.is_over:
        env.step(pick(env.game.mask(), rng))
    record = env.record()
    assert record.seed == 3
    assert record.plies == env.game.plies
    assert record.end is not None
    ruleset = load_ruleset(name)
    state = ruleset.from_data(record.start)
    for ply in record.plies:
        state = ruleset.apply(state, ply.action) if isinstance(ply, Did) else ruleset.resolve(state, ply.outcome)
    assert state == env.game.state
    assert ruleset.returns(state) == record.end.returns
