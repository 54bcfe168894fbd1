"""What is claimed of every environment found, and the random steps that would show it wrong: fixed seeds."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import product

from tactician.rules.core.ruleset import load_ruleset, ruleset_names

from benchmarks.claims import FIRST_SEED

__all__ = ["STEPS", "STRETCH", "EnvClaim", "Stretch", "env_claims"]

STEPS = 50_000
"""Numbers pressed at random in each environment."""

STRETCH = 500
"""Numbers pressed before a line is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Some steps in a row, in as many episodes as they fill."""

    number: int
    """Place in its claim, from 0."""
    seed: int
    """Of the first episode and of the numbers pressed."""
    steps: int
    size: str
    mission: str
    table: str
    armies: tuple[str, str]
    """Red's and blue's."""
    deployed: bool
    """Whether units stand on the table from the start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvClaim:
    """That whatever a mask allows is accepted and legal, and that no mask is empty."""

    ruleset: str
    size: str

    @property
    def name(self) -> str:
        """Such as ``env-<ruleset>-duel``."""
        return f"env-{self.ruleset}-{self.size}"

    def games(self) -> tuple[Stretch, ...]:
        """Every stretch: missions, tables and armies in all combinations as they come out of a shuffle."""
        info = load_ruleset(self.ruleset).info
        usual = ("",)
        armies = info.armies or usual
        settings = list(product(info.missions or usual, info.tables or usual, armies, armies))
        random.Random(FIRST_SEED).shuffle(settings)
        return tuple(self._stretch(number, *settings[number % len(settings)]) for number in range(STEPS // STRETCH))

    def _stretch(self, number: int, mission: str, table: str, red: str, blue: str) -> Stretch:
        return Stretch(
            number=number,
            seed=FIRST_SEED + number,
            steps=STRETCH,
            size=self.size,
            mission=mission,
            table=table,
            armies=(red, blue),
            deployed=number % 4 != 3,
        )


def env_claims() -> tuple[EnvClaim, ...]:
    """Every claim, ruleset by ruleset, from the smallest size."""
    return tuple(
        EnvClaim(ruleset=name, size=size) for name in ruleset_names() for size in load_ruleset(name).info.sizes
    )
