"""The Gymnasium environment: its contract, masks, masked-out numbers, forced answers, the opponent's turn."""

from __future__ import annotations

import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from tactician.env.game import MOST_ILLEGAL, Game, Setup
from tactician.env.solo import SoloEnv
from tactician.env.terms import IllegalPress
from tactician.rules.core.ruleset import ruleset_names
from tactician.rules.core.state import SIDES, other_side

from tests.env.walks import EVERY_SIZE, SMALLEST, as_seen, lowest, pick, walk


def made(name: str, size: str, **arguments: Any) -> SoloEnv:
    """As `gymnasium.make` makes it, whether it is registered or not."""
    spec = gymnasium.envs.registration.EnvSpec(
        id="Checked-v0", entry_point="tactician.env.solo:SoloEnv", kwargs={"ruleset": name, "size": size, **arguments}
    )
    env = gymnasium.make(spec).unwrapped
    assert isinstance(env, SoloEnv)
    return env


@pytest.mark.parametrize(("name", "size"), EVERY_SIZE)
@pytest.mark.parametrize("mode", [None, "ansi"])
def test_the_checker_of_gymnasium_has_nothing_to_say(name: str, size: str, mode: str | None) -> None:
    env = made(name, size, render_mode=mode, opponent=lowest)
    check_env(env, skip_render_check=mode is None)


@pytest.mark.parametrize(("name", "size"), EVERY_SIZE)
def test_a_masked_game_has_a_mask_that_is_right_and_never_empty(name: str, size: str) -> None:
    env = SoloEnv(name, size, side="random", opponent=lowest)
    for seed in range(2):
        _, info = env.reset(seed=seed)
        for seen in walk(env, info, seed, 40):
            mask = seen.info["action_mask"]
            assert mask.dtype == np.int8
            assert mask.shape == (int(env.action_space.n),)
            assert mask.any()
            assert np.array_equal(mask.astype(bool), env.action_masks())
            assert env.action_masks().dtype == np.bool_
            assert seen.info["illegal"] == 0
            assert env.observation_space.contains(seen.observation)
            if not (seen.ended or seen.cut):
                assert mask.sum() > 1, "an answer that is forced was asked for"
                assert env.game.mover == env.side
                assert seen.info["asked"] == env.game.asked() != ""


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_episodes_end_and_then_want_a_reset(name: str, size: str) -> None:
    env = SoloEnv(name, size, opponent=lowest)
    with pytest.raises(ResetNeeded):
        env.step(0)
    _, info = env.reset(seed=5)
    *_, last = walk(env, info, 5, 5_000)
    assert last.ended
    assert not last.cut
    assert last.info["ending"] in env.game.ruleset.info.ends
    assert last.info["action_mask"].sum() == 1, "the mask of a finished game is not empty either"
    assert last.info["asked"] == ""
    with pytest.raises(ResetNeeded):
        env.step(int(last.info["action_mask"].argmax()))
    env.reset()
    assert not env.game.is_over


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_a_masked_out_number_changes_nothing_is_counted_and_truncates_in_the_end(name: str, size: str) -> None:
    env = SoloEnv(name, size, illegal_penalty=0.25, reward="shaped")
    seen, info = env.reset(seed=1)
    wrong = [int(one) for one in np.flatnonzero(info["action_mask"] == 0)]
    wrong += [-1, int(env.action_space.n)]
    before = env.game.state, env.game.partial, list(env.game.plies)
    for count in range(1, MOST_ILLEGAL + 1):
        step = as_seen(env.step(wrong[count % len(wrong)]))
        assert (env.game.state, env.game.partial, env.game.plies) == before
        assert all(np.array_equal(seen[part], step.observation[part]) for part in seen)
        assert step.paid == -0.25
        assert step.info["illegal"] == count
        assert not step.ended
        assert step.cut == (count == MOST_ILLEGAL)
        if not step.cut:
            assert np.array_equal(step.info["action_mask"], info["action_mask"])
    with pytest.raises(ResetNeeded):
        env.step(0)


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_only_numbers_in_a_row_truncate(name: str, size: str) -> None:
    env = SoloEnv(name, size, opponent=lowest)
    _, info = env.reset(seed=1)
    for _ in range(2):
        wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
        for _ in range(MOST_ILLEGAL - 1):
            *_, cut, info = env.step(wrong)
            assert not cut
        *_, ended, cut, info = env.step(int(info["action_mask"].argmax()))
        assert not ended
        assert not cut
    assert info["illegal"] == 2 * (MOST_ILLEGAL - 1)


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_a_strict_environment_raises_and_says_what_may_be_pressed(name: str, size: str) -> None:
    env = SoloEnv(name, size, strict=True)
    _, info = env.reset(seed=1)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    right = int(info["action_mask"].argmax())
    with pytest.raises(IllegalPress, match="masked out") as caught:
        env.step(wrong)
    assert env.game.view.layout.name_of(right) in str(caught.value)
    with pytest.raises(IllegalPress, match="means nothing"):
        env.step(10**6)
    with pytest.raises(TypeError):
        env.step(0.5)  # type: ignore[arg-type]
    *_, info = env.step(right)
    assert info["illegal"] == 0


@pytest.mark.parametrize(("name", "size"), SMALLEST)
@pytest.mark.parametrize("side", SIDES)
def test_the_learner_is_asked_inside_the_opponents_turn(name: str, size: str, side: str) -> None:
    env = SoloEnv(name, size, side=side)
    for seed in range(12):
        _, info = env.reset(seed=seed)
        assert info["side"] == side
        for seen in walk(env, info, seed, 60):
            going_on = [frame.owner for frame in env.game.state.agenda]
            if other_side(side) in going_on:
                assert env.game.mover == side
                assert seen.info["action_mask"].sum() > 1
                return
    pytest.fail("nobody was asked while something of the opponent's was going on")


def test_forced_answers_may_be_pressed_by_hand() -> None:
    """The same games either way: by hand there are more steps, each of them with one number."""
    setups = [Setup(ruleset=name, size=size) for name, size in SMALLEST]
    assert sum(_forced_in(setup, seed) for setup in setups for seed in range(2)), "nothing was ever forced"


def _forced_in(setup: Setup, seed: int) -> int:
    """How many answers were forced in a game of both kinds."""
    by_hand, by_itself = (Game(setup, {}, seed, auto_forced=auto, max_plies=90) for auto in (False, True))
    rng = random.Random(seed)
    forced = 0
    while True:
        while by_hand.legal.sum() == 1 and not by_hand.is_over:
            forced += by_hand.answer(int(by_hand.legal.argmax()))
        assert by_hand.plies == by_itself.plies
        assert by_hand.partial == by_itself.partial
        assert np.array_equal(by_hand.legal, by_itself.legal)
        if by_itself.is_over:
            assert by_hand.is_over
            return forced
        number = pick(by_itself.mask(), rng)
        assert by_hand.answer(number)
        assert by_itself.answer(number)


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_a_long_game_is_truncated(name: str, size: str) -> None:
    env = SoloEnv(name, size, max_plies=3, opponent=lowest)
    _, info = env.reset(seed=2)
    *_, last = walk(env, info, 2, 50)
    assert last.cut
    assert not last.ended
    assert len(env.game.plies) == 3
    assert last.info["action_mask"].any()


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_the_side_may_be_drawn_and_either_is(name: str, size: str) -> None:
    env = SoloEnv(name, size, side="random", opponent=lowest)
    drawn = [env.reset(seed=seed)[1]["side"] for seed in range(12)]
    assert set(drawn) == set(SIDES)
    assert drawn == [env.reset(seed=seed)[1]["side"] for seed in range(12)]


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_seeds_decide_games(name: str, size: str) -> None:
    env = SoloEnv(name, size, opponent="random")
    ends = []
    for seed in (4, 4, 5):
        _, info = env.reset(seed=seed)
        assert env.game.seed == seed
        list(walk(env, info, 9, 60))
        following = env.reset()[1]["action_mask"]
        ends.append((env.game.seed, following.tolist()))
    assert ends[0] == ends[1]
    assert ends[0][0] != ends[2][0]


def test_a_function_that_presses_numbers_can_be_the_opponent_and_sees_its_own_end() -> None:
    seen: list[tuple[float, int]] = []
    env = SoloEnv(ruleset_names()[0], "skirmish", opponent=lambda o, mask: _noting(seen, o, mask))
    observation, info = env.reset(seed=2)
    own = float(observation["units"][0, 2])
    for _ in walk(env, info, 2, 40):
        assert env.game.mover in (*SIDES, "terminal")
    assert seen, "the opponent was never asked"
    assert own < 0, "red's first unit stands in the lower half"
    assert seen[0][0] < 0, "blue's own units stand in the lower half of what blue sees"


def _noting(seen: list[tuple[float, int]], observation: dict[str, Any], mask: Any) -> int:
    number = lowest(observation, mask)
    seen.append((float(observation["units"][0, 2]), number))
    return number


def test_an_opponent_that_presses_a_wrong_number_is_told() -> None:
    env = SoloEnv("_template", "duel", opponent=lambda observation, mask: int(np.argmin(mask)))
    _, info = env.reset(seed=2)
    with pytest.raises(ValueError, match="may not be pressed"):
        list(walk(env, info, 2, 40))


def test_an_episode_can_begin_at_any_moment() -> None:
    name = ruleset_names()[0]
    env = SoloEnv(name, "duel", opponent=lowest)
    _, info = env.reset(seed=1)
    list(walk(env, info, 1, 9))
    moment = env.game.state
    other = SoloEnv(name, "duel", side=env.game.mover, opponent=lowest)
    other.reset(seed=8, options={"state": moment})
    assert other.game.begun == moment
    assert other.game.state == moment


def test_units_may_be_deployed_by_the_players() -> None:
    name = ruleset_names()[0]
    env = SoloEnv(name, "duel", deployed=False, opponent=lowest, side="random")
    stages = set()
    for seed in range(4):
        _, info = env.reset(seed=seed)
        stages |= {info["asked"], *(seen.info["asked"] for seen in walk(env, info, seed, 12))}
    assert "spot" in stages
