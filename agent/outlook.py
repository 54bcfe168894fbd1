"""What comes of an order: it is carried out by the exact rules until somebody is free to choose again.

On the way own later answers are the usual ones, the opponent answers as the game's appraiser thinks sensible, and dice
are weighed: rolls with few outcomes are followed outcome by outcome, rolls with many through a few outcomes that stand
for equal parts of the odds. Once as many moments are followed as were asked for, each takes one outcome of every
further roll, spread evenly over the odds from roll to roll and from moment to moment, so that a long fight comes
out neither at its middle nor at one end. What is left is an average of values; nothing here knows what the dice
will show.
"""

from __future__ import annotations

from dataclasses import dataclass

from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, TERMINAL, Frame
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.chance import Outcome, Roll
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State
from tactician.rules.core.volley import Volley

__all__ = ["Ending", "at_part", "endings", "representatives"]

PASS = "pass"
"""The verb with which a side lets things be, where a game has one."""

LONGEST = 200
"""Steps after which an order is valued as far as it has come."""

STEP_OF_ROLLS, STEP_OF_LANES = 0.7548776662466927, 0.5698402909980532
"""Parts of 1 whose multiples lie evenly."""

MOST_ROLLS = 100
"""Rolls after which it is, such as where a throw with equal results is thrown again and again."""


@dataclass(frozen=True, slots=True)
class Ending:
    """A moment that an order can lead to."""

    chance: float
    state: State
    """The moment at which somebody is free to choose again."""
    asked: bool
    """Whether the side had to say again how its own unit walks, although the order said it."""


def endings(ruleset: Ruleset, state: State, action: Action, leaves: float = 9.0, finest: float = 3.0) -> list[Ending]:
    """Every moment that an order leads to, with its chance; the chances sum to 1.

    Args:
        ruleset: the game.
        state: the moment.
        action: a legal order of the side to move.
        leaves: about how many moments to look at.
        finest: outcomes of one roll that are told apart at most; a roll with fewer is followed exactly.
    """
    side = ruleset.to_move(state)
    follow = _Follow(ruleset, side, state.agenda[:-1], state.agenda[-1].kind, finest)
    return follow.run(ruleset.apply(state, action), 1.0, leaves, False, _Lane())


@dataclass(frozen=True, slots=True)
class _Lane:
    """Which of the moments is followed, and how far the dice have got."""

    number: int = 0
    rolls: int = 0

    def part(self) -> float:
        """Where in the odds of its next roll it looks, from 0 to 1.

        Steps of the additive recurrence of two dimensions (M. Roberts, "The unreasonable effectiveness of
        quasirandom sequences", 2018) between rolls and between moments.
        """
        return (0.5 + STEP_OF_ROLLS * self.rolls + STEP_OF_LANES * self.number) % 1.0


@dataclass(frozen=True, slots=True)
class _Follow:
    """One order being carried out."""

    ruleset: Ruleset
    side: str
    beneath: tuple[Frame, ...]
    """Frames under the one that asked."""
    kind: str
    finest: float

    def run(self, state: State, chance: float, leaves: float, asked: bool, lane: _Lane) -> list[Ending]:
        """Endings from a moment on, which has this chance; about so many of them."""
        for _ in range(LONGEST):
            mover = self.ruleset.to_move(state)
            if mover == TERMINAL or (mover != CHANCE and self._is_free(state)):
                return [Ending(chance, state, asked)]
            if mover == CHANCE:
                return self._branch(state, chance, leaves, asked, lane)
            asked = asked or mover == self.side
            state = self.ruleset.apply(state, usual_answer(self.ruleset, state, mover == self.side))
        return [Ending(chance, state, asked)]

    def _is_free(self, state: State) -> bool:
        """Whether the decision is one of the game's own, not one inside what is going on."""
        agenda = state.agenda
        return len(agenda) == 1 or (agenda[:-1] == self.beneath and agenda[-1].kind == self.kind)

    def _branch(self, state: State, chance: float, leaves: float, asked: bool, lane: _Lane) -> list[Ending]:
        if lane.rolls >= MOST_ROLLS:
            return [Ending(chance, state, asked)]
        parts, roll = max(1, round(min(leaves, self.finest))), self.ruleset.pending(state)
        rows = representatives(roll, parts) if parts > 1 else [(at_part(roll, lane.part()), 1.0)]
        found = []
        for number, (outcome, share) in enumerate(rows):
            after = self.ruleset.resolve(state, outcome)
            follow = _Lane(lane.number * len(rows) + number, lane.rolls + 1)
            found += self.run(after, chance * share, max(leaves * share, 1.0), asked, follow)
        return found


def usual_answer(ruleset: Ruleset, state: State, own: bool) -> Action:
    """What a side answers inside an order that is being carried out.

    The opponent gives the reply that the game calls sensible, if any; else both let pass what they may and do the
    usual thing where they may not.
    """
    choices = ruleset.choices(state)
    reply = None if own else appraiser_of(ruleset).reply(state, choices)
    if reply is not None:
        return reply
    for choice in choices:
        if choice.verb == PASS:
            return choice.canonical(state)
    return choices[0].canonical(state)


def representatives(roll: Roll, parts: int) -> list[tuple[Outcome, float]]:
    """Outcomes that stand for a roll, with their shares: all where they are no more than `parts`, else so many.

    The outcomes in their order by size are divided into equal parts of the odds; each part is stood for by the outcome
    nearest to its mean.
    """
    support = roll.support()
    if len(support) <= parts:
        return list(support)
    ranked = sorted(support, key=lambda row: (_size(roll, row[0]), row[0]))
    found: list[tuple[Outcome, float]] = []
    for part in _parts(ranked, parts):
        share = sum(weight for _, weight in part)
        found.append((_nearest_mean(roll, part, share), share))
    return found


def at_part(roll: Roll, part: float) -> Outcome:
    """The outcome up to which such a part of the odds lies, outcomes taken in their order by size."""
    ranked = sorted(roll.support(), key=lambda row: (_size(roll, row[0]), row[0]))
    below = 0.0
    for outcome, weight in ranked:
        below += weight
        if below > part:
            return outcome
    return ranked[-1][0]


def _size(roll: Roll, outcome: Outcome) -> float:
    """How much of an outcome there is; the bands named first count a little more."""
    if isinstance(roll, Volley):
        return roll.worth(outcome)
    if isinstance(outcome, int):
        return float(outcome)
    return sum(count * (1.0 + 0.5 / (1 + place)) for place, count in enumerate(outcome))


def _parts(ranked: list[tuple[Outcome, float]], parts: int) -> list[list[tuple[Outcome, float]]]:
    """Ranked outcomes cut into parts of equal odds; an outcome on a border is shared out."""
    rows: list[list[tuple[Outcome, float]]] = [[]]
    room = 1.0 / parts
    for outcome, weight in ranked:
        while weight > room + 1e-12 and len(rows) < parts:
            if room > 1e-12:
                rows[-1].append((outcome, room))
            weight -= room
            rows.append([])
            room = 1.0 / parts
        rows[-1].append((outcome, weight))
        room -= weight
    return [row for row in rows if row]


def _nearest_mean(roll: Roll, part: list[tuple[Outcome, float]], share: float) -> Outcome:
    columns = [_columns(roll, outcome) for outcome, _ in part]
    mean = [
        sum(row[i] * weight for row, (_, weight) in zip(columns, part, strict=True)) / share
        for i in range(len(columns[0]))
    ]

    def away(place: int) -> tuple[float, int]:
        return round(sum((a - b) ** 2 for a, b in zip(columns[place], mean, strict=True)), 9), place

    return part[min(range(len(part)), key=away)][0]


def _columns(roll: Roll, outcome: Outcome) -> tuple[float, ...]:
    """What outcomes are compared by: numbers that may be averaged."""
    if isinstance(outcome, int):
        return (outcome,)
    return (roll.worth(outcome), *outcome[2:]) if isinstance(roll, Volley) else outcome
