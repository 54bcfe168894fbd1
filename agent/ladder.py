"""The ladder: every policy against every other, in pairs of games on one seed with the sides swapped.

What is to be played follows from the settings alone, pair by pair and numbered, so that pairs can be played in any
order, by any number of processes and on several machines, and come to the same. Missions, tables and armies of the
ruleset take turns from seed to seed; every two policies meet on the same ones.
"""

from __future__ import annotations

import multiprocessing
import random
import signal
from collections.abc import Generator, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import combinations, permutations
from time import process_time

from tactician.agent.arena import EndlessGame, GameResult, play_game
from tactician.agent.blunders import BlunderWatch, Tally
from tactician.agent.dice import stream
from tactician.agent.policies.base import Budget, Decision, Follower, Policy, policy, policy_names
from tactician.agent.policies.search import STYLES
from tactician.rules.core.agenda import CHANCE
from tactician.rules.core.notation import action_to_text
from tactician.rules.core.referee import IllegalAction
from tactician.rules.core.ruleset import Info, Ruleset, Scenario, load_ruleset
from tactician.rules.core.state import SIDES, State

__all__ = [
    "Fixture",
    "Game",
    "Pair",
    "Play",
    "Settings",
    "Shard",
    "fixtures",
    "play_pair",
    "played",
    "usual_policies",
    "usual_settings",
]

Shard = tuple[int, int]
"""Which part, from 1, of how many."""

USUAL = ("random", "straight-ahead", "doctrine-steady", "doctrine-bold", "greedy", "search")
"""Policies that meet where nobody says which, from the simplest to the one that thinks most."""

GAMES = 20
"""Games of a pairing where nobody says how many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What decides every game of a ladder."""

    ruleset: str
    version: str
    """Of the ruleset."""
    size: str
    policies: tuple[str, ...]
    games: int
    """Of each pairing; an odd number is rounded up."""
    seed: int
    """Of the first pair; the others follow one by one."""
    evaluations: int
    """That a decision may take."""

    @property
    def pairs(self) -> int:
        """Pairs of games of each pairing."""
        return (self.games + 1) // 2

    @property
    def pairings(self) -> tuple[tuple[str, str], ...]:
        """Every two policies, in the order of the policies."""
        return tuple(combinations(self.policies, 2))


def usual_policies() -> tuple[str, ...]:
    """Who meets where nobody says who: the usual policies and whatever else is registered, styles of the same apart."""
    left_out = {*USUAL, *(style.policy for style in STYLES)}
    return (*USUAL, *(name for name in policy_names() if name not in left_out))


def usual_settings(
    ruleset: Ruleset,
    policies: tuple[str, ...],
    *,
    size: str = "",
    games: int = GAMES,
    seed: int = 0,
    evaluations: int | None = None,
) -> Settings:
    """Settings with what is usual for whatever is not said: the smallest size, the usual budget.

    Args:
        ruleset: the game.
        policies: by name, at least two.
        size: of the battle.
        games: of each pairing.
        seed: of the first pair.
        evaluations: that a decision may take.
    """
    return Settings(
        ruleset=ruleset.info.id,
        version=ruleset.info.version,
        size=size or ruleset.info.sizes[0],
        policies=policies,
        games=games,
        seed=seed,
        evaluations=Budget().evaluations if evaluations is None else evaluations,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """One pair of games to be played: the first policy is red in the first game and blue in the second."""

    number: int
    """Place in the ladder, from 0."""
    first: str
    second: str
    seed: int
    scenario: Scenario


def fixtures(settings: Settings, shard: Shard = (1, 1)) -> tuple[Fixture, ...]:
    """What is to be played, seed by seed and within a seed pairing by pairing.

    Args:
        settings: of the ladder.
        shard: only every n-th pair, beginning with the i-th.
    """
    info = load_ruleset(settings.ruleset).info
    rows = [(place, *pairing) for place in range(settings.pairs) for pairing in settings.pairings]
    part, parts = shard
    return tuple(
        Fixture(
            number=number,
            first=first,
            second=second,
            seed=settings.seed + place,
            scenario=_scenario(info, settings.size, place),
        )
        for number, (place, first, second) in enumerate(rows)
        if number % parts == part - 1
    )


def _scenario(info: Info, size: str, place: int) -> Scenario:
    """Missions take turns; when all were played the next table is taken; armies take turns as well."""
    missions, tables = info.missions or ("",), info.tables or ("",)
    armies = tuple(permutations(info.armies, 2)) or (("", ""),)
    rest, mission = divmod(place, len(missions))
    red, blue = armies[place % len(armies)]
    return Scenario(size=size, mission=missions[mission], table=tables[rest % len(tables)], armies=(red, blue))


# ---- what was played -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """What one policy did in one game; all but the seconds is the same in every run."""

    decisions: int
    seconds: float = field(compare=False)
    """Of processor time that its decisions took together."""
    longest: float = field(compare=False)
    """Of the longest of them."""
    blunders: tuple[Tally, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One game that was played."""

    returns: tuple[float, float]
    """Red's and blue's: 1, 0 or -1."""
    ending: str
    plies: int
    rounds: int
    plays: tuple[Play, Play]
    """Red's and blue's."""
    fault: str = ""
    """An illegal order, by which its side lost the game, or no end of it, which made it a draw; else empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A pair of games that was played."""

    fixture: Fixture
    games: tuple[Game, Game]

    @property
    def scores(self) -> tuple[float, float]:
        """What the first policy got of each game: 1 won, 0.5 drawn, 0 lost."""
        one, other = self.games
        return (one.returns[0] + 1) / 2, (other.returns[1] + 1) / 2

    def plays_of(self, name: str) -> tuple[Play, ...]:
        """What a policy did in the two games; nothing for who did not play."""
        places = {self.fixture.first: (0, 1), self.fixture.second: (1, 0)}.get(name)
        return () if places is None else tuple(g.plays[p] for g, p in zip(self.games, places, strict=True))


def play_pair(settings: Settings, fixture: Fixture) -> Pair:
    """Play two games on one seed, sides swapped."""
    ruleset = load_ruleset(settings.ruleset)
    budget = Budget(evaluations=settings.evaluations)
    for name in (fixture.first, fixture.second):
        _warm(settings.ruleset, settings.size, name)
    there = _game(ruleset, fixture, (fixture.first, fixture.second), budget)
    back = _game(ruleset, fixture, (fixture.second, fixture.first), budget)
    return Pair(fixture=fixture, games=(there, back))


@cache
def _warm(ruleset: str, size: str, name: str) -> None:
    """Let a policy decide once, so that what is loaded on first use counts for no decision."""
    rules, player, rng = load_ruleset(ruleset), policy(name), stream(0, "warm")
    state = rules.start(Scenario(size=size, deployed=True))
    if isinstance(player, Follower):
        player.follow(rules, state, begins=True)
    while rules.to_move(state) == CHANCE:
        state = rules.resolve(state, rules.pending(state).sample(rng))
    player.decide(rules, state, Budget(evaluations=1), rng)


def _game(ruleset: Ruleset, fixture: Fixture, names: tuple[str, str], budget: Budget) -> Game:
    asked: list[str] = []
    seats = {side: _seat(policy(name), side, asked) for side, name in zip(SIDES, names, strict=True)}
    watch = BlunderWatch(ruleset, offset=fixture.number)
    result: GameResult | None = None
    returns, fault = (0.0, 0.0), ""
    try:
        result = play_game(ruleset, fixture.scenario, seats, fixture.seed, budget=budget, on_event=watch.see)
        returns = result.returns
    except IllegalAction as error:
        loser = asked[-1]
        returns = (-1.0, 1.0) if loser == SIDES[0] else (1.0, -1.0)
        told = "; ".join(str(error).splitlines())
        fault = f"{names[SIDES.index(loser)]} ordered {action_to_text(error.action)}: {told}"
    except EndlessGame as error:
        fault = str(error)
    return Game(
        returns=returns,
        ending="" if result is None else result.ending,
        plies=0 if result is None else len(result.plies),
        rounds=0 if result is None else result.end.round,
        plays=(seats["red"].play(watch), seats["blue"].play(watch)),
        fault=fault,
    )


class _Seat:
    """A policy that plays a side, its thinking timed."""

    def __init__(self, policy: Policy, side: str, asked: list[str]) -> None:
        self.name = policy.name
        self.policy, self.side = policy, side
        self._asked = asked
        """The sides that decided, shared by both seats."""
        self._seconds: list[float] = []

    def decide(self, ruleset: Ruleset, state: State, budget: Budget, rng: random.Random) -> Decision:
        """What the policy decides."""
        self._asked.append(self.side)
        began = process_time()
        decision = self.policy.decide(ruleset, state, budget, rng)
        self._seconds.append(process_time() - began)
        return decision

    def play(self, watch: BlunderWatch) -> Play:
        """What it did."""
        return Play(
            decisions=self._asked.count(self.side),
            seconds=round(sum(self._seconds), 6),
            longest=round(max(self._seconds, default=0.0), 6),
            blunders=tuple(tally for tally in watch.tallies() if tally.side == self.side),
        )


class _FollowingSeat(_Seat):
    """The same for a policy that wants to see every moment."""

    def follow(self, ruleset: Ruleset, state: State, *, begins: bool) -> None:
        """Hand the moment on; what the policy thinks meanwhile is no decision and not timed."""
        assert isinstance(self.policy, Follower)
        self.policy.follow(ruleset, state, begins=begins)


def _seat(player: Policy, side: str, asked: list[str]) -> _Seat:
    return (_FollowingSeat if isinstance(player, Follower) else _Seat)(player, side, asked)


# ---- playing ---------------------------------------------------------------------------------------------------------


def played(settings: Settings, todo: Iterable[Fixture], jobs: int = 1) -> Generator[Pair, None, None]:
    """Play pairs, each handed out as soon as it is over; with several processes in any order.

    Close the iterator to stop: what waits is not begun, what is being played is played to its end.

    Args:
        settings: of the ladder.
        todo: what is to be played.
        jobs: processes; 1 for this one.

    Raises:
        concurrent.futures.process.BrokenProcessPool: a process was ended from outside.
    """
    if jobs == 1:
        yield from map(partial(play_pair, settings), todo)
        return
    pool = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_end_at_once)
    try:
        for future in as_completed([pool.submit(play_pair, settings, fixture) for fixture in todo]):
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _end_at_once() -> None:
    """A key that stops the ladder ends its processes without a word."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
