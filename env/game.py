"""A game played by pressing numbers: the rules, a view of them, seats, dice, and whoever else plays.

Both environments are thin coats over this: it holds the moment, presses numbers for the side that is asked, and lets
everything else (dice, the other player, answers that are forced) happen until a number is wanted again. Dice and
streams are keyed as the arena keys them, so that the same decisions on the same seed are the same game there.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.metadata import version
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from tactician.agent.arena import MOST_PLIES, DiceTower
from tactician.agent.dice import stream
from tactician.agent.view.dialogue import Asked, Observation, Partial, Question, View
from tactician.agent.view.layout import layout_of
from tactician.agent.view.seats import Seats
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.record import Did, End, Fell, Record
from tactician.rules.core.ruleset import Scenario, load_ruleset
from tactician.rules.core.state import SIDES, State

__all__ = [
    "MOST_ILLEGAL",
    "Game",
    "Mask",
    "Observation",
    "Player",
    "Setup",
    "armies_of",
    "deployed_start",
    "start_of",
    "view_of",
]

Mask = NDArray[np.int8]
"""One byte a number: 1 where it may be pressed. Of this type `Discrete.sample` wants its mask."""

MOST_ILLEGAL = 50
"""Masked-out numbers in a row after which an episode is cut short."""

MOST_NAMED = 6
"""Numbers that a refusal proposes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What is played, by name; empty means the ruleset's own default."""

    ruleset: str
    size: str
    mission: str = ""
    armies: tuple[str, str] = ("", "")
    """Red's and blue's."""
    table: str = ""
    deployed: bool = True
    """Whether the units stand on the table from the start; if not, deploying them is part of the game."""

    @property
    def scenario(self) -> Scenario:
        """As the rules want it."""
        return Scenario(
            size=self.size, mission=self.mission, table=self.table, armies=self.armies, deployed=self.deployed
        )


def armies_of(armies: Sequence[str]) -> tuple[str, str]:
    """Red's and blue's army from what a caller passed: two names, or nothing for the usual ones.

    Raises:
        ValueError: it is something else.
    """
    if isinstance(armies, str) or len(armies) not in (0, 2):
        raise ValueError(f"armies is {armies!r}, expected two names, red's and blue's, or nothing")
    return (armies[0], armies[1]) if armies else ("", "")


@cache
def view_of(ruleset: str, size: str) -> View:
    """The view of a ruleset at a size; all environments of a process share it."""
    rules = load_ruleset(ruleset)
    return View(rules, layout_of(rules, size))


@lru_cache(maxsize=64)
def start_of(setup: Setup) -> State:
    """The first moment: the same value each time, so that whatever is worked out about its table stays known.

    Raises:
        RulesetError: a name in the setup is not known.
    """
    return load_ruleset(setup.ruleset).start(setup.scenario)


class Player(Protocol):
    """Somebody who decides for a side without being waited for."""

    name: str
    """For the stream that is the player's own."""

    def play(self, game: Game, rng: random.Random) -> None:
        """Carry the game on by one decision, or by one number of it."""


class Game:
    """One episode.

    Copies and pickles go on as the original would have; values that never change are shared by copies.
    """

    def __init__(
        self,
        setup: Setup,
        players: Mapping[str, Player],
        seed: int,
        *,
        start: State | None = None,
        max_plies: int = MOST_PLIES,
        auto_forced: bool = True,
    ) -> None:
        """Begin a game and carry it on until a number is wanted.

        Args:
            setup: what is played.
            players: who decides for a side; a side without a player presses numbers.
            seed: of the dice and the players' streams.
            start: a moment to begin at, in place of the setup's own start.
            max_plies: decisions and throws after which the game is cut short.
            auto_forced: whether a number that is the only one is pressed at once, unasked.
        """
        self.setup, self.seed, self.players = setup, seed, dict(players)
        self.max_plies, self.auto_forced = max_plies, auto_forced
        self.ruleset, self.view = load_ruleset(setup.ruleset), view_of(setup.ruleset, setup.size)
        self.begun = self.state = start_of(setup) if start is None else start
        self.seats = Seats.at_start(self.state, self.view.layout)
        self.partial: Partial = ()
        self.mover = self.ruleset.to_move(self.state)
        self.plies: list[Did | Fell] = []
        self.illegal = dict.fromkeys(SIDES, 0)
        """Masked-out numbers that each side has pressed so far."""
        self.illegal_in_row = 0
        self._tower = DiceTower(seed)
        self._streams = {side: stream(seed, f"{side} {player.name}") for side, player in self.players.items()}
        self._asked: Question | None = None
        """What is asked now, once somebody has looked."""
        self._carry_on()

    # ---- what is known -----------------------------------------------------------------------------------------------

    @property
    def is_ended(self) -> bool:
        """Whether the rules say it is over."""
        return self.mover == TERMINAL

    @property
    def is_cut(self) -> bool:
        """Whether it was cut short: too long, or too many masked-out numbers in a row."""
        return self.mover != TERMINAL and (len(self.plies) >= self.max_plies or self.illegal_in_row >= MOST_ILLEGAL)

    @property
    def is_over(self) -> bool:
        """Whether nothing more can be pressed."""
        return self.mover == TERMINAL or self.is_cut

    @property
    def question(self) -> Question:
        """What is asked now, of a side that decides."""
        if self._asked is None:
            self._asked = self.view.question(self.state, self.seats, self.partial)
        return self._asked

    @property
    def legal(self) -> NDArray[np.bool_]:
        """The numbers that may be pressed now; once the game is over `pass` alone, which then does nothing."""
        return self.idle if self.is_over else self.question.mask

    @property
    def idle(self) -> NDArray[np.bool_]:
        """The mask of a side that is not asked: `pass` alone, so that no mask is ever empty."""
        return _idle(self.setup.ruleset, self.setup.size)

    def mask(self) -> Mask:
        """`legal` as a fresh array of bytes."""
        return self.legal.astype(np.int8)

    def observe(self, side: str) -> Observation:
        """What a side sees, in fresh arrays."""
        return self.view.observer.observe(self.state, self.seats, self._asked_of(side), side)

    def observe_row(self, side: str) -> NDArray[np.float32]:
        """The same in one row, as `gymnasium.spaces.flatten` puts it: parts by name."""
        return self.view.observer.row(self.state, self.seats, self._asked_of(side), side)

    def _asked_of(self, side: str) -> Asked | None:
        return self.question.asked if side == self.mover else None

    def asked(self) -> str:
        """The stage of the answer that is wanted; empty where none is."""
        return "" if self.is_over else self.question.asked.stage

    def allows(self, index: int) -> bool:
        """Whether a number may be pressed now."""
        return not self.is_over and 0 <= index < self.legal.size and bool(self.legal[index])

    def refusal(self, index: int) -> str:
        """Why a number may not be pressed now, in words."""
        if self.is_over:
            return f"{index}: the episode is over"
        layout = self.view.layout
        if not 0 <= index < layout.size:
            return f"{index} means nothing: numbers go from 0 to {layout.size - 1}"
        some = ", ".join(layout.name_of(int(one)) for one in np.flatnonzero(self.legal)[:MOST_NAMED])
        return f"{index} ({layout.name_of(index)}) is masked out; {self.mover} may answer with: {some}, ..."

    def record(self) -> Record:
        """The game so far, to be written to a file and replayed."""
        info = self.ruleset.info
        end = None
        if self.is_ended:
            end = End(ending=self.ruleset.ending(self.state), returns=self.ruleset.returns(self.state))
        return Record(
            product=version("tactician"),
            ruleset=info.id,
            version=info.version,
            start=self.ruleset.to_data(self.begun),
            seed=self.seed,
            plies=list(self.plies),
            end=end,
        )

    # ---- what is done ------------------------------------------------------------------------------------------------

    def answer(self, index: int) -> bool:
        """Press a number for the side that is asked and carry the game on; False if it is masked out.

        A masked-out number changes nothing and is counted.
        """
        if not self.allows(index):
            self.illegal[self.mover] += 1
            self.illegal_in_row += 1
            return False
        self.illegal_in_row = 0
        self.press(index)
        self._carry_on()
        return True

    def press(self, index: int) -> None:
        """One number for the side that is asked, and nothing after it.

        Raises:
            ValueError: the number is masked out.
        """
        step = self.view.answer(self.question, index)
        if isinstance(step, Action):
            self.order(step)
        else:
            self.partial, self._asked = (*self.partial, index), step

    def press_forced(self) -> bool:
        """Press a number that is the only one, unless that is to be left to whoever is asked; whether that was so."""
        only = self.question.only if self.auto_forced else None
        if only is not None:
            self.press(only)
        return only is not None

    def order(self, action: Action) -> None:
        """A whole decision of the side to move; legal by the word of whoever gives it."""
        self.plies.append(Did(side=self.mover, action=action))
        self._become(self.ruleset.apply(self.state, action))

    def _roll(self) -> None:
        outcome = self._tower.roll(self.ruleset, self.state)
        self.plies.append(Fell(outcome=outcome, why=self.ruleset.pending(self.state).why))
        self._become(self.ruleset.resolve(self.state, outcome))

    def _become(self, state: State) -> None:
        self.state, self.seats, self.partial, self._asked = state, self.seats.updated(state), (), None
        self.mover = self.ruleset.to_move(state)

    def _carry_on(self) -> None:
        """Dice, players and forced answers, until a number is wanted or the game is over."""
        while not self.is_over:
            player = self.players.get(self.mover)
            if self.mover == CHANCE:
                self._roll()
            elif player is not None:
                player.play(self, self._streams[self.mover])
            elif not self.press_forced():
                return

    # ---- copies ------------------------------------------------------------------------------------------------------

    def __copy__(self) -> Self:
        """A game that goes on by itself; players are shared."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.plies, twin.illegal = list(self.plies), dict(self.illegal)
        twin._tower = copy.deepcopy(self._tower)
        twin._streams = {side: copy.copy(rng) for side, rng in self._streams.items()}
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """A game that goes on by itself, with players of its own; moments are values and are shared."""
        twin = copy.copy(self)
        twin.players = copy.deepcopy(self.players, memo)
        return twin

    def __getstate__(self) -> dict[str, Any]:
        """Without what is known by name, and without the question, which is asked again."""
        kept = {key: value for key, value in self.__dict__.items() if key not in ("ruleset", "view")}
        return kept | {"_asked": None}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Look up by name what was left out."""
        self.__dict__.update(kept)
        self.ruleset = load_ruleset(self.setup.ruleset)
        self.view = view_of(self.setup.ruleset, self.setup.size)


@cache
def _idle(ruleset: str, size: str) -> NDArray[np.bool_]:
    layout = view_of(ruleset, size).layout
    mask = np.zeros(layout.size, dtype=np.bool_)
    mask[layout.option("pass")] = True
    mask.setflags(write=False)
    return mask


def deployed_start(setup: Setup) -> State:
    """The setup's first moment with every unit on the table."""
    return start_of(replace(setup, deployed=True))
