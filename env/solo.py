"""One learner against an opponent that is a parameter: the Gymnasium environment."""

from __future__ import annotations

import copy
from typing import Any, Self

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray
from tactician.agent.arena import MOST_PLIES
from tactician.env.game import Game, Observation, Setup, armies_of
from tactician.env.players import Opponent, player_of
from tactician.env.render import MODES, Rendered, check_mode, rendered
from tactician.env.rewards import Reward, reward_of
from tactician.env.spaces import action_space, observation_space
from tactician.env.terms import Episode, Terms
from tactician.rules.core.record import Record
from tactician.rules.core.state import SIDES, other_side

__all__ = ["SoloEnv"]

Step = tuple[Observation, float, bool, bool, dict[str, Any]]


class SoloEnv(gymnasium.Env[Observation, np.int64]):
    """A game in which the learner plays one side.

    A step presses one number; whatever does not need the learner (dice, the opponent, answers of which there is only
    one) happens before the step returns. The learner is also asked inside the opponent's turn, whenever the rules let
    his side answer.

    The mask of the numbers that may be pressed is `info["action_mask"]` (bytes, as `Discrete.sample` takes it) and
    `action_masks()` (booleans); it is never empty. A masked-out number changes nothing, is paid `-illegal_penalty` and
    counted in `info["illegal"]`; after 50 in a row the episode is truncated.

    `info` also holds the stage of the answer that is wanted (`asked`), the learner's `side`, and once the game has
    ended how it did (`ending`).
    """

    metadata = {"render_modes": list(MODES), "render_fps": 4}  # noqa: RUF012  (declared so by gymnasium)

    def __init__(
        self,
        ruleset: str,
        size: str,
        *,
        mission: str = "",
        armies: tuple[str, str] | tuple[()] = (),
        table: str = "",
        opponent: Opponent = "random",
        side: str = "red",
        reward: str | Reward = "win",
        discount: float = 1.0,
        deployed: bool = True,
        strict: bool = False,
        illegal_penalty: float = 0.0,
        max_plies: int = MOST_PLIES,
        auto_forced: bool = True,
        render_mode: str | None = None,
    ) -> None:
        """Set up what is played.

        Args:
            ruleset: id of the game.
            size: one of its sizes; spaces depend on these two alone.
            mission: of the game's missions; empty for its default, as for armies and table.
            armies: red's and blue's.
            table: of the game's tables.
            opponent: name of a policy, a policy, or a function of observation and mask that presses numbers.
            side: the learner's, ``red``, ``blue`` or ``random`` (drawn anew at each reset).
            reward: name of a reward, or one of your own.
            discount: the learner's, for rewards with a potential.
            deployed: whether units stand on the table from the start; if not, deploying them is played too.
            strict: whether a masked-out number raises.
            illegal_penalty: what a masked-out number costs.
            max_plies: decisions and throws of a game after which the episode is truncated.
            auto_forced: whether a number that is the only one is pressed unasked.
            render_mode: ``human`` (in the terminal), ``rgb_array``, ``ansi`` or none.

        Raises:
            ValueError: a name is not known (RulesetError for those of the game).
        """
        if side not in (*SIDES, "random"):
            raise ValueError(f"side is {side!r}, expected red, blue or random")
        self.terms = Terms(
            setup=Setup(
                ruleset=ruleset, size=size, mission=mission, armies=armies_of(armies), table=table, deployed=deployed
            ),
            reward=reward_of(reward),
            discount=discount,
            strict=strict,
            illegal_penalty=illegal_penalty,
            max_plies=max_plies,
            auto_forced=auto_forced,
        )
        self.seat, self.side = side, side if side in SIDES else SIDES[0]
        self.opponent = player_of(opponent)
        self.render_mode = check_mode(render_mode)
        self.action_space = action_space(ruleset, size)
        self.observation_space = observation_space(ruleset, size)
        self._episode: Episode | None = None

    @property
    def episode(self) -> Episode:
        """The game that is played, with its books.

        Raises:
            ResetNeeded: none has begun.
        """
        if self._episode is None:
            raise ResetNeeded("call reset() first")
        return self._episode

    @property
    def game(self) -> Game:
        """The game that is played: moment, seats, seed, everything done and thrown."""
        return self.episode.game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game and carry it on to the learner's first decision.

        Args:
            seed: the seed of this game's dice; those of the games that follow are drawn from it.
            options: ``state`` to begin at a moment of your own.
        """
        super().reset(seed=seed)
        dice = int(self.np_random.integers(2**31)) if seed is None else seed
        if self.seat not in SIDES:
            self.side = SIDES[int(self.np_random.integers(2))]
        self._episode = self.terms.begin({other_side(self.side): self.opponent}, dice, options)
        self._show()
        return self.game.observe(self.side), self._info()

    def step(self, action: int | np.int64) -> Step:
        """Press a number.

        Raises:
            ResetNeeded: no game has begun, or it is over.
            IllegalPress: the number is masked out, and the environment is strict.
        """
        game = self.game
        if game.is_over:
            raise ResetNeeded("the episode is over: call reset()")
        red = self.episode.press(action)
        paid = 0.0 - self.terms.illegal_penalty
        if red is not None:
            paid = red if self.side == SIDES[0] else 0.0 - red
        self._show()
        return game.observe(self.side), paid, game.is_ended, game.is_cut, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which numbers may be pressed now."""
        return self.game.legal.copy()

    def record(self) -> Record:
        """The game so far, to be written to a file and replayed."""
        return self.game.record()

    def render(self) -> Rendered:
        """A picture of the table, as the render mode says."""
        return rendered(self.render_mode, self.game.ruleset, self.game.state)

    def close(self) -> None:
        """Nothing is held open."""

    def __copy__(self) -> Self:
        """An environment that goes on by itself."""
        return copy.deepcopy(self)

    def _info(self) -> dict[str, Any]:
        game = self.game
        info: dict[str, Any] = {"action_mask": game.mask(), "asked": game.asked(), "side": self.side}
        info["illegal"] = game.illegal[self.side]
        if game.is_ended:
            info["ending"] = game.ruleset.ending(game.state)
        return info

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()
