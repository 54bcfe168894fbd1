"""Exact expectimax: short questions answered by following every line of a small domain through the exact rules.

Own decisions take the best, the opponent's take what is worst for the side that asks, dice are weighed by their exact
odds; what the same moment is worth is remembered. Bounds cut lines short that cannot matter: alpha-beta between the
players, and at dice the bounds of Ballard (1983), *The star-minimax search procedure for trees containing chance
nodes* (Star1). Nothing is estimated but the leaves, and nothing here knows what the dice will show.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tactician.agent.policies.base import Clock
from tactician.agent.propose.candidates import MOST, candidates
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.choice import Choice
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import SIDES, State, other_side

__all__ = [
    "ALL",
    "Answer",
    "Found",
    "Question",
    "at_free_choice",
    "at_other_round",
    "at_other_turn",
    "expectimax",
    "never",
    "result_or_worth",
    "some_candidates",
]

ALL = (-1.0, 2.0)
"""Bounds that cut nothing off: values are from 0 to 1."""

NEAR = 1e-12
"""How near a bound a value counts as no more than that bound: sums of odds are rounded."""

DEEPEST = 200
"""Branchings in a line after which the search gives up: something in it goes round in circles."""

LONGEST = 2000
"""Steps without a branching in a row after which it does."""

Lines = Callable[[State], Sequence[Action]]
"""The actions that are looked at where a side decides; never none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked: for whom, how far, over which actions, and what the end of a line is worth."""

    ruleset: Ruleset
    side: str
    """Who asks: the values are his."""
    own: Lines
    """What he looks at in later decisions of his own."""
    replies: Lines
    """What the opponent may do; one action where his reply is taken as known, else he does the worst of them."""
    ends: Callable[[State], bool]
    """Whether a line is followed no further than this moment; the end of the game always ends it."""
    value: Callable[[State], float]
    """Worth of such a moment to the side, from 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An action and what it is worth."""

    action: Action
    value: float
    is_exact: bool = True
    """Whether the value is exact; else it is an upper bound no better than the best answer's value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a search came to."""

    answers: tuple[Answer, ...]
    """Best first, of equals in the order asked; only the actions that were followed to the end."""
    is_finished: bool
    """Whether every action was."""
    moments: int
    """Moments that were reached, those met again included."""
    leaves: int
    """Moments that were valued."""

    @property
    def best(self) -> Answer:
        """The best answer found.

        Raises:
            IndexError: the search was stopped before its first answer.
        """
        return self.answers[0]


def expectimax(
    question: Question,
    state: State,
    actions: Sequence[Action],
    clock: Clock,
    *,
    best_only: bool = False,
    prune: bool = True,
) -> Found:
    """The worth of each of some actions.

    Args:
        question: what is asked.
        state: a moment in which the side that asks decides.
        actions: legal actions, none twice.
        clock: how long to search; every moment valued counts as an evaluation.
        best_only: whether it is enough to know the best action; the others then may get bounds.
        prune: whether lines that cannot matter are cut short; the values are the same without.
    """
    search = _Search(question, clock, prune)
    answers: list[Answer] = []
    is_finished = True
    low = ALL[0]
    for action in actions:
        try:
            found = search.after(state, action, low if best_only else ALL[0])
        except _GivenUp:
            is_finished = False
            break
        answers.append(Answer(action=action, value=found, is_exact=found > low + NEAR or not best_only))
        low = max(low, found)
    answers.sort(key=lambda one: (-round(one.value, 9), not one.is_exact))
    return Found(answers=tuple(answers), is_finished=is_finished, moments=search.moments, leaves=search.leaves)


class _GivenUp(Exception):
    """The budget is used up, or a line has no end."""


@dataclass(slots=True)
class _Search:
    """One search and what it remembers."""

    question: Question
    clock: Clock
    prune: bool
    moments: int = 0
    leaves: int = 0
    known: dict[State, tuple[float, float]] = field(default_factory=dict)
    """Bounds of what a moment is worth."""

    def after(self, state: State, action: Action, low: float) -> float:
        """Worth of an action; an upper bound where that is no more than `low`."""
        return self.worth(self.question.ruleset.apply(state, action), low, ALL[1], 0)

    def worth(self, state: State, low: float, high: float, depth: int) -> float:
        """Worth of a moment; an upper bound where no more than `low`, a lower one where no less than `high`."""
        state, lines = self._forced(state)
        if lines is None:
            return self._leaf(state)
        kept = self.known.get(state, ALL)
        if kept[0] == kept[1] or kept[0] >= high:
            return kept[0]
        if kept[1] <= low:
            return kept[1]
        if depth > DEEPEST:
            raise _GivenUp
        low, high = (max(low, kept[0]), min(high, kept[1])) if self.prune else ALL
        found = self._decided(state, lines, low, high, depth) if lines else self._rolled(state, low, high, depth)
        self.known[state] = (
            kept[0] if found <= low + NEAR else found,
            kept[1] if found >= high - NEAR else found,
        )
        return found

    def _forced(self, state: State) -> tuple[State, Sequence[Action] | None]:
        """The next moment with more than one way on, with the actions at a decision; None where the line ends."""
        ruleset = self.question.ruleset
        for _ in range(LONGEST):
            self.moments += 1
            if self.clock.is_over():
                raise _GivenUp
            mover = ruleset.to_move(state)
            if mover == TERMINAL or self.question.ends(state):
                return state, None
            if mover == CHANCE:
                support = ruleset.pending(state).support()
                if len(support) > 1:
                    return state, ()
                state = ruleset.resolve(state, support[0][0])
                continue
            lines = self.question.own(state) if mover == self.question.side else self.question.replies(state)
            if len(lines) > 1:
                return state, lines
            state = ruleset.apply(state, lines[0])
        raise _GivenUp

    def _leaf(self, state: State) -> float:
        self.leaves += 1
        self.clock.used += 1
        return self.question.value(state)

    def _decided(self, state: State, lines: Sequence[Action], low: float, high: float, depth: int) -> float:
        """The best of the lines for whoever decides."""
        ruleset = self.question.ruleset
        if ruleset.to_move(state) == self.question.side:
            best = ALL[0]
            for action in lines:
                best = max(best, self.worth(ruleset.apply(state, action), max(low, best), high, depth + 1))
                if best >= high:
                    break
            return best
        worst = ALL[1]
        for action in lines:
            worst = min(worst, self.worth(ruleset.apply(state, action), low, min(high, worst), depth + 1))
            if worst <= low:
                break
        return worst

    def _rolled(self, state: State, low: float, high: float, depth: int) -> float:
        """The mean over the outcomes of a roll, each looked at no closer than the mean needs."""
        ruleset = self.question.ruleset
        total, left = 0.0, 1.0
        for outcome, odds in ruleset.pending(state).support():
            left -= odds
            bounds = (low - total - max(left, 0.0)) / odds, (high - total) / odds
            found = self.worth(ruleset.resolve(state, outcome), *(bounds if self.prune else ALL), depth + 1)
            total += odds * found
            if self.prune and total + max(left, 0.0) <= low:
                return total + max(left, 0.0)
            if self.prune and total >= high:
                return total
        return total


# ---- what is looked at -----------------------------------------------------------------------------------------------


def some_candidates(
    ruleset: Ruleset, *, most: int = MOST, verbs: tuple[str, ...] = (), units: tuple[str, ...] = ()
) -> Lines:
    """A domain: the answers worth a thought to every choice that is offered.

    Args:
        ruleset: the game.
        most: answers to one choice.
        verbs: the only verbs that are looked at, where any of them is offered; all where this is empty.
        units: the only units that are ordered about, where any of them can be; all where this is empty. Choices that
            name no unit are always looked at.
    """

    def lines(state: State) -> tuple[Action, ...]:
        offered = ruleset.choices(state)
        kept = _kept(_kept(offered, lambda one: not verbs or one.verb in verbs), lambda one: _is_of(one, units))
        return tuple(action for choice in kept for action in candidates(ruleset, state, choice, most))

    return lines


def _is_of(choice: Choice, units: tuple[str, ...]) -> bool:
    return not units or not choice.unit or choice.unit in units


def _kept(offered: tuple[Choice, ...], wanted: Callable[[Choice], bool]) -> tuple[Choice, ...]:
    return tuple(filter(wanted, offered)) or offered


# ---- how far ---------------------------------------------------------------------------------------------------------


def never(state: State) -> bool:
    """Lines are followed to the end of the game."""
    return False


def at_free_choice(state: State) -> bool:
    """Lines are followed until somebody is free to choose again: nothing of what was ordered is going on."""
    return len(state.agenda) == 1


def at_other_turn(begin: State) -> Callable[[State], bool]:
    """Lines are followed until what lies undermost belongs to somebody else: his turn, or his activation."""
    owner = begin.agenda[0].owner

    def ends(state: State) -> bool:
        return state.agenda[0].owner != owner

    return ends


def at_other_round(begin: State) -> Callable[[State], bool]:
    """Lines are followed until another round begins."""
    number = begin.round

    def ends(state: State) -> bool:
        return state.round != number

    return ends


# ---- what it is worth ------------------------------------------------------------------------------------------------


def result_or_worth(ruleset: Ruleset, side: str) -> Callable[[State], float]:
    """The result once the game is over, a draw half; before that the side's part of the worth of all models."""
    appraiser = appraiser_of(ruleset)

    def value(state: State) -> float:
        if ruleset.to_move(state) == TERMINAL:
            return (ruleset.returns(state)[SIDES.index(side)] + 1.0) / 2.0
        mine = sum(appraiser.worth(state, unit) for unit in state.of(side))
        theirs = sum(appraiser.worth(state, unit) for unit in state.of(other_side(side)))
        return mine / (mine + theirs) if mine + theirs > 0.0 else 0.5

    return value
