"""What a learner is paid, by name.

A reward has at most two parts: the result at the end, and the change of a *potential*, which says how good a moment is
for a side. The payments of a potential telescope: over an episode they come to its last value minus its first, whatever
happens between. Where the potential counts as nothing at the end (`settles`), they come to nothing at all, and the
best way to play is the same as for the result alone, only easier to find.

All of it is zero-sum: blue is paid what red is not.

Source: A. Y. Ng, D. Harada, S. Russell, "Policy invariance under reward transformations", ICML 1999, section 3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tactician.env.game import Game, deployed_start
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.forms import nearest
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import SIDES, State

__all__ = ["REWARDS", "Ledger", "Reward", "reward_of"]

Basis = tuple[float, float]
"""Worth of red's and blue's units when the game began."""

Potential = Callable[[Ruleset, State, Basis], float]
"""How good a moment is for red."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reward:
    """What is paid for."""

    name: str
    text: str
    """What an episode's payments come to, in a sentence or two."""
    potential: Potential | None = None
    pays_result: bool = False
    """Whether 1, 0 or -1 is paid at the end for a game won, drawn or lost."""
    settles: bool = False
    """Whether the potential counts as nothing once the game has ended."""


def _lead(ruleset: Ruleset, state: State, basis: Basis) -> float:
    return appraiser_of(ruleset).standing(state, SIDES[0])


def _worth(ruleset: Ruleset, state: State, basis: Basis) -> float:
    red, blue = worths(ruleset, state)
    return min(red / basis[0], 1.0) - min(blue / basis[1], 1.0)


def _both(ruleset: Ruleset, state: State, basis: Basis) -> float:
    lead = _lead(ruleset, state, basis)
    return (_worth(ruleset, state, basis) + lead / (1.0 + abs(lead))) / 2


_ROWS = (
    Reward(
        name="win",
        text="1 for a game won, 0 for a draw, -1 for a game lost, at the end; 0 before.",
        pays_result=True,
    ),
    Reward(
        name="score",
        text="Every change of the lead in victory points, as it happens; an episode comes to the lead at its end. "
        "Missions that count nothing but losses pay nothing: take `worth` there.",
        potential=_lead,
    ),
    Reward(
        name="worth",
        text="Every change of (share of the own units' worth that is left) - (the same of the enemy's); an episode "
        "comes to the difference at its end, between -1 and 1.",
        potential=_worth,
    ),
    Reward(
        name="shaped",
        text="`win`, and on the way every change of half the difference of `worth` and half of lead / (1 + abs(lead)) "
        "in victory points, which is taken back at the end: an episode that ends comes to what `win` pays.",
        potential=_both,
        pays_result=True,
        settles=True,
    ),
)

REWARDS: dict[str, Reward] = {row.name: row for row in _ROWS}


def reward_of(reward: str | Reward) -> Reward:
    """A reward by name, or one of your own.

    Raises:
        ValueError: there is none of this name.
    """
    if isinstance(reward, Reward):
        return reward
    if reward not in REWARDS:
        raise ValueError(f"there is no reward {reward!r}{nearest(reward, tuple(REWARDS))}")
    return REWARDS[reward]


def worths(ruleset: Ruleset, state: State) -> Basis:
    """Worth of red's and blue's units on the table."""
    appraiser = appraiser_of(ruleset)
    red, blue = (sum(appraiser.worth(state, unit) for unit in state.of(side)) for side in SIDES)
    return red, blue


class Ledger:
    """What has been paid in one game."""

    def __init__(self, reward: Reward, game: Game, discount: float = 1.0) -> None:
        """Open it at the game's present moment.

        Args:
            reward: what is paid for.
            game: the game, just begun.
            discount: the learner's own, for the potential's payments: discount * new - old.
        """
        self.reward, self.discount = reward, discount
        self._basis = _basis(game) if reward.potential is not None else (1.0, 1.0)
        self._seen = game.begun
        self._held = 0.0 if reward.potential is None else reward.potential(game.ruleset, game.begun, self._basis)

    def settle(self, game: Game) -> float:
        """What red is paid for everything since the last time; blue is paid its negative."""
        paid = 0.0
        if self.reward.potential is not None and (game.state is not self._seen or self.discount != 1.0):
            now = 0.0
            if not (self.reward.settles and game.is_ended):
                now = self.reward.potential(game.ruleset, game.state, self._basis)
            paid, self._held = self.discount * now - self._held, now
        self._seen = game.state
        if self.reward.pays_result and game.is_ended:
            paid += game.ruleset.returns(game.state)[0]
        return paid


def _basis(game: Game) -> Basis:
    """What the shares of worth are shares of: the units at the start, put down or not."""
    begun = worths(game.ruleset, game.begun)
    if min(begun) > 0.0:
        return begun
    red, blue = worths(game.ruleset, deployed_start(game.setup))
    return max(red, 1.0), max(blue, 1.0)
