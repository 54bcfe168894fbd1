"""Games and matches between policies: seeded dice, sides swapped, every order checked.

A game's dice come from `Dice` and depend only on where they fall; each policy has a stream of its own, so that
thinking longer changes neither. Matches play every seed twice with the sides swapped.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import sqrt

from tactician.agent.dice import Dice, stream
from tactician.agent.policies.base import Budget, Follower, Policy
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.chance import Outcome
from tactician.rules.core.record import Did, Fell
from tactician.rules.core.referee import IllegalAction
from tactician.rules.core.ruleset import Ruleset, Scenario
from tactician.rules.core.state import SIDES, State

__all__ = ["MOST_PLIES", "EndlessGame", "Event", "GameResult", "MatchResult", "match", "play_game", "wilson"]

MOST_PLIES = 20_000
"""Plies after which a game is taken never to end."""


class EndlessGame(RuntimeError):
    """A game that does not end: a defect of its ruleset or of a policy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One step of a game, as a watcher is told about it."""

    ply: int
    who: str
    """The side that decided, or ``chance``."""
    before: State
    what: Action | Outcome
    after: State


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """A game that was played to its end."""

    start: State
    end: State
    plies: tuple[Did | Fell, ...]
    returns: tuple[float, float]
    ending: str


class DiceTower:
    """The dice of one game, counting the rolls within each frame."""

    def __init__(self, seed: int) -> None:
        """Begin a game."""
        self._dice = Dice(seed)
        self._rolled: dict[tuple[int, str, str, str], int] = {}

    def roll(self, ruleset: Ruleset, state: State) -> Outcome:
        """What falls for the pending question."""
        frame = state.agenda[-1]
        pending = ruleset.pending(state)
        key = state.round, frame.owner, frame.kind, pending.subject
        number = self._rolled.get(key, 0)
        self._rolled[key] = number + 1
        side, kind, unit = key[1:]
        return self._dice.roll(pending, round=state.round, side=side, frame=kind, unit=unit, number=number)


def play_game(
    ruleset: Ruleset,
    start: State | Scenario,
    players: Mapping[str, Policy],
    seed: int,
    *,
    budget: Budget | None = None,
    on_event: Callable[[Event], None] | None = None,
    check: bool = True,
) -> GameResult:
    """A game to its end.

    Args:
        ruleset: the game.
        start: a moment, or a scenario to begin.
        players: a policy for each side.
        seed: of the dice and of the policies' streams.
        budget: for each decision.
        on_event: told about every step after it was taken.
        check: whether every order is checked before it is applied.

    Raises:
        IllegalAction: a policy ordered what is not legal.
        EndlessGame: the game does not end.
    """
    begun = state = ruleset.start(start) if isinstance(start, Scenario) else start
    tower, thinking = DiceTower(seed), budget or Budget()
    streams = {side: stream(seed, f"{side} {players[side].name}") for side in SIDES}
    followers = [player for player in players.values() if isinstance(player, Follower)]
    for follower in followers:
        follower.follow(ruleset, begun, begins=True)
    plies: list[Did | Fell] = []
    for ply in range(MOST_PLIES):
        mover = ruleset.to_move(state)
        if mover == TERMINAL:
            return GameResult(
                start=begun,
                end=state,
                plies=tuple(plies),
                returns=ruleset.returns(state),
                ending=ruleset.ending(state),
            )
        what: Action | Outcome
        if mover == CHANCE:
            what = tower.roll(ruleset, state)
            plies.append(Fell(outcome=what, why=ruleset.pending(state).why))
            after = ruleset.resolve(state, what)
        else:
            what = _ordered(ruleset, state, players[mover], thinking, streams[mover], check)
            plies.append(Did(side=mover, action=what))
            after = ruleset.apply(state, what)
        if on_event is not None:
            on_event(Event(ply=ply, who=mover, before=state, what=what, after=after))
        for follower in followers:
            follower.follow(ruleset, after, begins=False)
        state = after
    raise EndlessGame(f"the game of seed {seed} goes on after {MOST_PLIES} plies")


def _ordered(ruleset: Ruleset, state: State, player: Policy, budget: Budget, rng: random.Random, check: bool) -> Action:
    action = player.decide(ruleset, state, budget, rng).action
    faults = ruleset.check(state, action) if check else ()
    if faults:
        raise IllegalAction(action, faults)
    return action


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult:
    """Pairs of games between two policies on the same seeds, sides swapped."""

    first: str
    second: str
    pairs: tuple[tuple[float, float], ...]
    """Score of the first policy in each game of a pair: 1 won, 0.5 drawn, 0 lost."""
    plies: int

    @property
    def games(self) -> int:
        """How many were played."""
        return 2 * len(self.pairs)

    @property
    def score(self) -> float:
        """Share won by the first policy, draws half."""
        return sum(map(sum, self.pairs)) / self.games if self.pairs else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Between what the share lies with 95 % confidence, pairs being the trials."""
        return wilson(self.score, len(self.pairs))


def wilson(share: float, trials: int, z: float = 1.96) -> tuple[float, float]:
    """The interval of a share seen in so many trials.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
    """
    if trials == 0:
        return 0.0, 1.0
    wide = z * z / trials
    middle = (share + wide / 2) / (1 + wide)
    half = z * sqrt(share * (1 - share) / trials + wide / (4 * trials)) / (1 + wide)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def match(
    ruleset: Ruleset,
    scenario: Scenario,
    first: Policy,
    second: Policy,
    games: int,
    seed: int = 0,
    *,
    budget: Budget | None = None,
) -> MatchResult:
    """At least so many games between two policies: each seed twice, sides swapped."""
    pairs: list[tuple[float, float]] = []
    plies = 0
    for number in range((games + 1) // 2):
        scores = []
        for red, blue in ((first, second), (second, first)):
            result = play_game(ruleset, scenario, {"red": red, "blue": blue}, seed + number, budget=budget)
            mine = result.returns[0 if red is first else 1]
            scores.append((mine + 1) / 2)
            plies += len(result.plies)
            if first is second:
                scores[-1] = (result.returns[0] + 1) / 2
        pairs.append((scores[0], scores[1]))
    return MatchResult(first=first.name, second=second.name, pairs=tuple(pairs), plies=plies)
