"""Who is stronger: shares with intervals, ratings, time and blunders, out of pairs of games that were played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import log10

from tactician.agent.arena import wilson
from tactician.agent.blunders import BLUNDERS
from tactician.agent.ladder import Pair

__all__ = ["Encounter", "Standing", "encounters", "ratings", "standings"]

ANCHOR = "random"
"""The policy whose rating is 0 where it plays; else the first one's is."""

ELO = 400.0
"""Points of rating that stand for odds of ten to one."""

DRAWN = 1.0
"""Drawn games that every two policies are taken to have played besides: without them who wins always has no rating."""

CLOSE = 1e-9
"""Relative change of every strength at which they have settled."""

MOST_ROUNDS = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Encounter:
    """How two policies, or one and all its opponents, fared against each other."""

    first: str
    second: str
    """Empty for all opponents."""
    won: int
    """Games that the first one won."""
    drawn: int
    lost: int
    pairs: int

    @property
    def games(self) -> int:
        """How many were played."""
        return self.won + self.drawn + self.lost

    @property
    def score(self) -> float:
        """Share of the first one, draws half."""
        return (self.won + self.drawn / 2) / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Between what the share lies with 95 % confidence (Wilson), pairs being the trials."""
        return wilson(self.score, self.pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One policy's place on the ladder."""

    policy: str
    elo: float
    all: Encounter
    decisions: int
    seconds: float
    """Of processor time that a decision took on average."""
    longest: float
    """Of the longest decision."""
    blunders: tuple[tuple[str, float], ...]
    """Of each kind a game, as far as those looked at tell."""
    faults: int
    """Games with an illegal order or without an end that it took part in."""


def encounters(policies: tuple[str, ...], pairs: Iterable[Pair]) -> tuple[Encounter, ...]:
    """Every pairing of which anything was played, in the order of the policies."""
    rows: dict[tuple[str, str], list[Pair]] = {}
    for pair in pairs:
        rows.setdefault((pair.fixture.first, pair.fixture.second), []).append(pair)
    return tuple(_encounter(*two, rows[two]) for two in combinations(policies, 2) if two in rows)


def _encounter(first: str, second: str, pairs: list[Pair]) -> Encounter:
    scores = [score for pair in pairs for score in pair.scores]
    won, lost = scores.count(1.0), scores.count(0.0)
    drawn = len(scores) - won - lost
    return Encounter(first=first, second=second, won=won, drawn=drawn, lost=lost, pairs=len(pairs))


def standings(policies: tuple[str, ...], pairs: tuple[Pair, ...]) -> tuple[Standing, ...]:
    """The ladder, the strongest first; equals by name."""
    met = encounters(policies, pairs)
    elo = ratings(policies, met)
    found = [_standing(name, elo[name], met, [p for p in pairs if p.plays_of(name)]) for name in policies]
    return tuple(sorted(found, key=lambda one: (-round(one.elo, 6), one.policy)))


def _standing(name: str, elo: float, met: tuple[Encounter, ...], pairs: list[Pair]) -> Standing:
    plays = [play for pair in pairs for play in pair.plays_of(name)]
    decisions = sum(play.decisions for play in plays)
    sums = dict.fromkeys(BLUNDERS, 0.0)
    for kind in BLUNDERS:
        rows = [tally for play in plays for tally in play.blunders if tally.kind == kind]
        occasions, judged = sum(row.occasions for row in rows), sum(row.judged for row in rows)
        found = sum(row.found for row in rows)
        sums[kind] = found * occasions / judged / len(plays) if judged else 0.0
    return Standing(
        policy=name,
        elo=elo,
        all=_against_all(name, met),
        decisions=decisions,
        seconds=sum(play.seconds for play in plays) / decisions if decisions else 0.0,
        longest=max((play.longest for play in plays), default=0.0),
        blunders=tuple(sums.items()),
        faults=sum(bool(game.fault) for pair in pairs for game in pair.games),
    )


def _against_all(name: str, met: tuple[Encounter, ...]) -> Encounter:
    won = sum(one.won for one in met if one.first == name) + sum(one.lost for one in met if one.second == name)
    lost = sum(one.lost for one in met if one.first == name) + sum(one.won for one in met if one.second == name)
    mine = [one for one in met if name in (one.first, one.second)]
    drawn = sum(one.drawn for one in mine)
    return Encounter(first=name, second="", won=won, drawn=drawn, lost=lost, pairs=sum(one.pairs for one in mine))


def ratings(policies: tuple[str, ...], met: Iterable[Encounter], anchor: str = ANCHOR) -> Mapping[str, float]:
    """Elo ratings under which the games played are the likeliest, one drawn game of every two policies added.

    The model is Bradley's and Terry's: the odds of two policies are as their strengths. Draws count half.

    Args:
        policies: all of them.
        met: what came of the games.
        anchor: the policy rated 0; the first one where it does not play.

    Source: R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs", Biometrika 39 (1952); the
    iteration is that of D. R. Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of Statistics 32
    (2004), section 2.
    """
    points = dict.fromkeys(policies, DRAWN / 2 * (len(policies) - 1))
    games = {frozenset(two): DRAWN for two in combinations(policies, 2)}
    for one in met:
        points[one.first] += one.won + one.drawn / 2
        points[one.second] += one.lost + one.drawn / 2
        games[frozenset((one.first, one.second))] += one.games
    strength = dict.fromkeys(policies, 1.0)
    for _ in range(MOST_ROUNDS):
        before = dict(strength)
        for name in policies:
            others = (other for other in policies if other != name)
            weight = sum(games[frozenset((name, o))] / (strength[name] + strength[o]) for o in others)
            strength[name] = points[name] / weight if weight else 1.0
        if all(abs(strength[name] - before[name]) <= CLOSE * before[name] for name in policies):
            break
    zero = strength[anchor if anchor in policies else policies[0]]
    return {name: ELO * log10(strength[name] / zero) for name in policies}
