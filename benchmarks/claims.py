"""What is claimed of every ruleset found, and the games that would show it wrong: fixed seeds, fixed order."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

from tactician.rules.core.ruleset import Info, Scenario, load_ruleset, ruleset_names

__all__ = ["LEAST_OFTEN", "OCCURRENCES", "Claim", "Game", "claims"]

OCCURRENCES = "occurrences"
"""Last word of the name under which the counts of all games of a ruleset are put together."""

LEAST_OFTEN = 20
"""Times that every verb, kind of frame, kind of roll and end must have occurred."""

FIRST_SEED = 10_000
"""Seeds below are for trying things out: no policy was tuned on those used here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One game to play."""

    number: int
    """Place in its claim, from 0."""
    seed: int
    size: str
    mission: str
    table: str
    armies: tuple[str, ...]
    """Red's and blue's; none where the ruleset knows no armies by name."""
    red: str
    """Policy of red."""
    blue: str

    @property
    def scenario(self) -> Scenario:
        """What is played."""
        red, blue = self.armies or ("", "")
        return Scenario(size=self.size, mission=self.mission, table=self.table, armies=(red, blue))


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Games between two policies, and what their result is claimed to be."""

    ruleset: str
    first: str
    """Policy whose share is counted."""
    second: str
    seeds: int
    """Different seeds; each is played once between equal policies, else twice with the sides swapped."""
    least: float = 0.0
    """Share that the first policy is claimed to win, draws half; 0 where nothing is claimed."""

    @property
    def name(self) -> str:
        """Such as ``<ruleset>-greedy-random``; ``<ruleset>-random`` where a policy meets itself."""
        policies = (self.first,) if self.is_mirror else (self.first, self.second)
        return "-".join((self.ruleset, *policies))

    @property
    def is_mirror(self) -> bool:
        """Whether a policy meets itself."""
        return self.first == self.second

    def games(self) -> tuple[Game, ...]:
        """Every game: sizes, missions, armies and tables take turns from seed to seed."""
        info = load_ruleset(self.ruleset).info
        seats = ((self.first, self.second), (self.second, self.first))[: 1 if self.is_mirror else 2]
        rows = [(seed, red, blue) for seed in range(self.seeds) for red, blue in seats]
        return tuple(_game(info, number, *row) for number, row in enumerate(rows))


def _game(info: Info, number: int, seed: int, red: str, blue: str) -> Game:
    sizes, missions, tables = info.sizes, info.missions or ("",), info.tables or ("",)
    rest, size = divmod(seed, len(sizes))
    rest, mission = divmod(rest, len(missions))
    pairs = tuple(permutations(info.armies, 2)) or ((),)
    return Game(
        number=number,
        seed=FIRST_SEED + seed,
        size=sizes[size],
        mission=missions[mission],
        table=tables[rest % len(tables)],
        armies=pairs[seed // len(sizes) % len(pairs)],
        red=red,
        blue=blue,
    )


def claims() -> tuple[Claim, ...]:
    """Every claim, ruleset by ruleset."""
    return tuple(claim for name in ruleset_names() for claim in _of(name))


def _of(name: str) -> tuple[Claim, ...]:
    return (
        Claim(ruleset=name, first="random", second="random", seeds=300),
        Claim(ruleset=name, first="greedy", second="random", seeds=50, least=0.95),
        Claim(ruleset=name, first="greedy", second="straight-ahead", seeds=50, least=0.65),
    )
