"""What an order comes to, exactly: every outcome of every roll it leads to, through the rules themselves.

Chance nodes are enumerated with exact fractions and equal moments are merged, so that the numbers are those of the
game and not of a formula beside it. Whoever is asked on the way passes where passing is possible and otherwise gives
the rules' own canonical answer (nobody moves, the usual casualties).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from tactician.errors import bad
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.chance import Roll
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State

__all__ = ["Expectation", "expect"]

MOST_MOMENTS = 50_000
"""Moments looked at before an order is refused as one with too many outcomes."""

PASS = "pass"


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """The distribution of moments that an order leads to, and the first of the rolls on the way."""

    before: State
    action: Action
    ends: tuple[tuple[State, Fraction], ...]
    rolls: tuple[Roll, ...]
    """Every question asked, each kind of it once."""

    def losses(self, unit: str) -> tuple[tuple[int, Fraction], ...]:
        """How many models a unit loses: number and probability, in ascending order."""
        stood = _strength(self.before, self.before, unit)
        found: dict[int, Fraction] = {}
        for state, share in self.ends:
            lost = stood - _strength(self.before, state, unit)
            found[lost] = found.get(lost, Fraction(0)) + share
        return tuple(sorted(found.items()))

    def harmed(self) -> tuple[str, ...]:
        """Units that lose a model in some outcome, in the order of the units."""
        return tuple(unit.id for unit in self.before.units if any(lost for lost, _ in self.losses(unit.id)))


def _strength(before: State, state: State, unit: str) -> int:
    """How many of a unit's models still stand, in whatever unit: to divide or to join is no loss."""
    names = {model.id for model in before.unit(unit).models}
    return sum(1 for one in state.units for model in one.models if model.id in names)


def expect(ruleset: Ruleset, state: State, action: Action, most: int = MOST_MOMENTS) -> Expectation:
    """Follow a legal order until somebody decides at the level where it was given.

    Args:
        ruleset: the game.
        state: the moment.
        action: a legal order of the side to move.
        most: moments that may be looked at.

    Raises:
        BadInput: it has too many outcomes to look at all of them.
    """
    depth = len(state.agenda)
    ends: dict[State, Fraction] = {}
    rolls: dict[Roll, None] = {}
    layer = {ruleset.apply(state, action): Fraction(1)}
    seen = 0
    while layer:
        seen += len(layer)
        if seen > most:
            raise bad("odds", f"more than {most:,} outcomes", "an order with fewer")
        following: dict[State, Fraction] = {}
        for here, share in layer.items():
            if _is_over(ruleset, here, depth):
                ends[here] = ends.get(here, Fraction(0)) + share
                continue
            for after, part in _onward(ruleset, here, rolls):
                following[after] = following.get(after, Fraction(0)) + share * part
        layer = following
    return Expectation(before=state, action=action, ends=tuple(ends.items()), rolls=tuple(rolls))


def _is_over(ruleset: Ruleset, state: State, depth: int) -> bool:
    mover = ruleset.to_move(state)
    return mover == TERMINAL or (mover != CHANCE and len(state.agenda) <= depth)


def _onward(ruleset: Ruleset, state: State, rolls: dict[Roll, None]) -> Iterator[tuple[State, Fraction]]:
    """The moments that follow, each with its probability."""
    if ruleset.to_move(state) == CHANCE:
        roll = ruleset.pending(state)
        rolls.setdefault(roll)
        for outcome, share in roll.exact():
            yield ruleset.resolve(state, outcome), share
        return
    offered = ruleset.choices(state)
    answer = next((choice for choice in offered if choice.verb == PASS), offered[0])
    yield ruleset.apply(state, answer.canonical(state)), Fraction(1)


def mean(distribution: Iterable[tuple[int, Fraction]]) -> Fraction:
    """The expected value of a distribution."""
    return sum((value * share for value, share in distribution), Fraction(0))
