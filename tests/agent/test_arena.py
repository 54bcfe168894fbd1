from __future__ import annotations

import pytest
from tactician.agent import arena
from tactician.agent.arena import EndlessGame, Event, match, play_game, wilson
from tactician.agent.policies import Decision, policy
from tactician.rules.core.action import Action
from tactician.rules.core.record import Did, Fell
from tactician.rules.core.referee import IllegalAction
from tactician.rules.core.ruleset import load_ruleset
from tactician.rules.core.state import State

from tests.agent.positions import NAMES, smallest


class Stubborn:
    """Orders the same thing whatever happens."""

    name = "stubborn"

    def decide(self, ruleset, state: State, budget, rng) -> Decision:  # type: ignore[no-untyped-def]
        return Decision(action=Action(verb="nonsense"))


@pytest.mark.parametrize("name", NAMES)
def test_a_game_replays_to_its_end(name: str) -> None:
    ruleset = load_ruleset(name)
    heard: list[Event] = []
    players = {"red": policy("random"), "blue": policy("straight-ahead")}
    game = play_game(ruleset, smallest(ruleset), players, 3, on_event=heard.append)
    state = game.start
    for number, (ply, event) in enumerate(zip(game.plies, heard, strict=True)):
        assert (event.ply, event.before) == (number, state)
        if isinstance(ply, Did):
            assert ply.side == event.who == ruleset.to_move(state)
            state = ruleset.apply(state, ply.action)
        else:
            assert isinstance(ply, Fell)
            state = ruleset.resolve(state, ply.outcome)
    assert state == game.end
    assert game.returns == ruleset.returns(state)
    assert game.ending in ruleset.info.ends


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_plays_the_same_game(name: str) -> None:
    ruleset = load_ruleset(name)
    players = {"red": policy("random"), "blue": policy("random")}
    games = [play_game(ruleset, smallest(ruleset), players, seed) for seed in (3, 3, 4)]
    assert games[0] == games[1]
    assert games[0].plies != games[2].plies


def test_an_illegal_order_is_refused() -> None:
    ruleset = load_ruleset(NAMES[0])
    with pytest.raises(IllegalAction):
        play_game(ruleset, smallest(ruleset), {"red": Stubborn(), "blue": Stubborn()}, 1)


def test_a_game_that_does_not_end_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = load_ruleset(NAMES[0])
    monkeypatch.setattr(arena, "MOST_PLIES", 5)
    players = {"red": policy("random"), "blue": policy("random")}
    with pytest.raises(EndlessGame, match="seed 1 goes on"):
        play_game(ruleset, smallest(ruleset), players, 1)


def test_a_match_pairs_seeds_and_swaps_sides() -> None:
    ruleset = load_ruleset("_template")
    one, other = policy("random"), policy("straight-ahead")
    there = match(ruleset, smallest(ruleset), one, other, 10, 5)
    back = match(ruleset, smallest(ruleset), other, one, 10, 5)
    assert there.games == back.games == 10
    assert there.score == pytest.approx(1.0 - back.score)
    low, high = there.interval
    assert 0.0 <= low <= there.score <= high <= 1.0


def test_the_interval_is_wilson_s() -> None:
    low, high = wilson(0.5, 10)
    assert (low, high) == (pytest.approx(0.2366, abs=1e-4), pytest.approx(0.7634, abs=1e-4))
    assert wilson(0.0, 0) == (0.0, 1.0)
