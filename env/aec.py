"""Both sides in turn: the PettingZoo environment."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.utils.seeding import np_random
from numpy.typing import NDArray
from pettingzoo import AECEnv
from tactician.agent.arena import MOST_PLIES
from tactician.env.game import Game, Observation, Setup, armies_of
from tactician.env.render import MODES, Rendered, check_mode, rendered
from tactician.env.rewards import Reward, reward_of
from tactician.env.spaces import action_space, flat_space, observation_space
from tactician.env.terms import Episode, Terms
from tactician.rules.core.record import Record
from tactician.rules.core.state import SIDES

__all__ = ["AGENTS", "TableEnv", "side_of"]

AGENTS = tuple(f"{side}_0" for side in SIDES)
"""Red's agent and blue's, in the form of name that PettingZoo recommends."""

Seen = NDArray[np.float32] | Observation


def side_of(agent: str) -> str:
    """The side that an agent plays."""
    return SIDES[AGENTS.index(agent)]


class TableEnv(AECEnv[str, Seen, int | None]):  # type: ignore[misc]  # pettingzoo comes without types
    """A game in which both sides press numbers, whichever is asked.

    The mask is `infos[agent]["action_mask"]`; an agent that is not asked has `pass` alone in it. A masked-out number
    changes nothing, is paid `-illegal_penalty` and counted in `infos[agent]["illegal"]`; after 50 in a row the episode
    is truncated. Each side sees the table from its own end.
    """

    def __init__(
        self,
        ruleset: str,
        size: str,
        *,
        mission: str = "",
        armies: tuple[str, str] | tuple[()] = (),
        table: str = "",
        reward: str | Reward = "win",
        discount: float = 1.0,
        deployed: bool = True,
        strict: bool = False,
        illegal_penalty: float = 0.0,
        max_plies: int = MOST_PLIES,
        auto_forced: bool = True,
        flat: bool = True,
        render_mode: str | None = None,
    ) -> None:
        """Set up what is played; the arguments are those of `SoloEnv`, but for one.

        Args:
            ruleset: id of the game.
            size: one of its sizes; spaces depend on these two and `flat` alone.
            mission: of the game's missions; empty for its default, as for armies and table.
            armies: red's and blue's.
            table: of the game's tables.
            reward: name of a reward, or one of your own.
            discount: the learner's, for rewards with a potential.
            deployed: whether units stand on the table from the start; if not, deploying them is played too.
            strict: whether a masked-out number raises.
            illegal_penalty: what a masked-out number costs.
            max_plies: decisions and throws of a game after which the episode is truncated.
            auto_forced: whether a number that is the only one is pressed unasked.
            flat: whether an observation is one row of numbers, as most tools for PettingZoo want it, instead of the
                parts that `SoloEnv` hands out; the row is what `gymnasium.spaces.flatten` makes of the parts.
            render_mode: ``human`` (in the terminal), ``rgb_array``, ``ansi`` or none.

        Raises:
            ValueError: a name is not known (RulesetError for those of the game).
        """
        super().__init__()
        self.metadata = {
            "name": f"tactician_{ruleset}_{size}_v0",
            "render_modes": list(MODES),
            "render_fps": 4,
            "is_parallelizable": False,
        }
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
        self.flat = flat
        self.render_mode = check_mode(render_mode)
        space = flat_space if flat else observation_space
        self.observation_spaces: dict[str, spaces.Space[Any]] = {agent: space(ruleset, size) for agent in AGENTS}
        self.action_spaces = {agent: action_space(ruleset, size) for agent in AGENTS}
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self._rng = np_random(None)[0]
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

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """What an agent may press."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game and carry it on to the first decision.

        Args:
            seed: of the game's dice as it stands, and of the seeds of the games that follow.
            options: ``state`` to begin at a moment of your own.
        """
        if seed is not None:
            self._rng = np_random(seed)[0]
        dice = int(self._rng.integers(2**31)) if seed is None else seed
        self._episode = self.terms.begin({}, dice, options)
        self.agents = list(AGENTS)
        self.agent_selection = AGENTS[0]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self._skip_agent_selection = None
        self._tell()

    def step(self, action: int | np.int64 | None) -> None:
        """Press a number for the agent that is asked; None for one whose episode is over.

        Raises:
            ResetNeeded: no game has begun, or both agents are through with it.
            IllegalPress: the number is masked out, and the environment is strict.
        """
        episode, agent = self.episode, self.agent_selection
        if not self.agents:
            raise ResetNeeded("the episode is over: call reset()")
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise TypeError(f"{agent} is asked for a number")
        red = episode.press(action)
        self._cumulative_rewards[agent] = 0.0
        if red is None:
            self.rewards = {one: 0.0 - self.terms.illegal_penalty if one == agent else 0.0 for one in AGENTS}
        else:
            self.rewards = dict(zip(AGENTS, (red, 0.0 - red), strict=True))
        self._accumulate_rewards()
        self._tell()

    def observe(self, agent: str) -> Seen:
        """What an agent sees now, in fresh arrays."""
        return self.game.observe_row(side_of(agent)) if self.flat else self.game.observe(side_of(agent))

    def action_masks(self) -> NDArray[np.bool_]:
        """Which numbers the agent that is asked may press."""
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

    def _tell(self) -> None:
        """Who is asked, whether it is over, and each agent's mask."""
        game = self.game
        if game.mover in SIDES:
            self.agent_selection = AGENTS[SIDES.index(game.mover)]
        self.terminations = dict.fromkeys(AGENTS, game.is_ended)
        self.truncations = dict.fromkeys(AGENTS, game.is_cut)
        asked, stage = ("", "") if game.is_over else (self.agent_selection, game.asked())
        self.infos = {
            agent: {
                "action_mask": (game.legal if agent == asked else game.idle).astype(np.int8),
                "asked": stage if agent == asked else "",
                "illegal": game.illegal[side],
            }
            for side, agent in zip(SIDES, AGENTS, strict=True)
        }
        if self.render_mode == "human":
            self.render()
