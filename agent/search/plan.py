"""Search: orders are carried out by the exact rules, and what they lead to is played on in the sketch.

The candidates are those of greedy. Each is carried out, dice weighed, until somebody is free to choose again; the best
of them by greedy's own terms are then told apart by roll-outs: the rest of the own turn, the opponent's greedy
turn and the own greedy turn after it, all in the unit-level model of `sketch`. Values of all moments that an order
can lead to are averaged; nothing here sees the dice to come.

Where the sides order one unit each in turn, roll-outs were measured to mislead more than they help, and greedy's own
values decide. Short questions (a response, fire from where one watches, the last turn of a small battle) are answered
exactly where the budget reaches (see `short`).

The first answer stands after the first order is valued; whatever the budget then allows makes it better.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf

from tactician.agent.by_eye import measure_of, pictured
from tactician.agent.outlook import Ending
from tactician.agent.policies.base import Budget, Clock
from tactician.agent.policies.greedy import SAME, Greedy, Thought, Valued
from tactician.agent.search.short import answered, is_short
from tactician.agent.sketch.model import USUAL, SketchWeights, outlook
from tactician.agent.value.terms import Term, Weights
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import TERMINAL
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.notation import action_to_text
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State

__all__ = ["CARRIED", "PlanSearch", "Settings"]

CARRIED = ("result", "models", "victory points", "coherency", "fuss")
"""Terms of greedy that stay beside a roll-out; the others are its guesses at what the roll-out plays."""

AHEAD = "outlook"
"""The term of the roll-out."""

CHANCE, CHANCES = "chance", "the chance of the game, every line followed to the end of what is going on"
"""The only term of an answer that was found exactly."""

CHIEF, OF_A_KIND = 10, 2
"""Orders that are followed exactly at most, and of those with one unit, verb and targets."""

EXACT_SHARE = 0.7
"""Part of the time that an exact answer may take; the rest is for the usual search if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a search may do, shown openly."""

    finalists: int = 8
    """Orders that are told apart by roll-outs."""
    halves: int = 2
    """Player turns that a roll-out goes on after the present one."""
    trust: float = 1.0
    """What a roll-out counts."""
    terms: float = 0.25
    """What greedy's own guesses still count beside it."""
    exact: int = 5
    """Moments that an exact answer to a short question may value, for each evaluation of the budget."""
    sketch: SketchWeights = USUAL


@dataclass(slots=True)
class _Row:
    """An order that has been carried out."""

    greedy: Valued
    endings: list[Ending]


class PlanSearch(Greedy):
    """The best order by what both sides are likely to make of it."""

    def __init__(
        self, name: str = "search", settings: Settings | None = None, weights: Weights | None = None, seed: int = 0
    ) -> None:
        """Take what the search may do, the weights of the terms, and the seed of the eye where nobody may measure."""
        super().__init__(weights, seed)
        self.name = name
        self.settings = settings or Settings()

    def weighed(self, ruleset: Ruleset, state: State, budget: Budget, *, value_all: bool = False) -> list[Valued]:
        """Orders valued by roll-outs, best first; at least one, however small the budget.

        Args:
            ruleset: the game.
            state: the moment.
            budget: how long to think; an evaluation is an order carried out.
            value_all: whether even the only possible order is valued.
        """
        measure = measure_of(ruleset, state, self.seed)
        thought = Thought(ruleset, state, ruleset.to_move(state), self.weights, measure)
        ranked = thought.ranked()
        if len(ranked) == 1 and not value_all:
            return [Valued(action=ranked[0][2], value=0.0, terms=())]
        clock = budget.clock()
        short = self._short(thought, [row[2] for row in ranked], budget)
        if short:
            return short
        rows = self._carried_out(thought, [row[2] for row in ranked], clock)
        if not rows:
            return [Valued(action=ruleset.choices(state)[0].canonical(state), value=-inf, terms=())]
        found = []
        for place, row in enumerate(self._finalists(rows)):
            if place and budget.seconds < inf and clock.is_late():
                break
            found.append(self._played_on(thought, row))
        found.sort(key=lambda one: (-round(one.value, SAME), action_to_text(one.action)))
        return found

    def _short(self, thought: Thought, actions: list[Action], budget: Budget) -> list[Valued]:
        """A short question answered exactly, best first; nothing where it is none, or too long for the budget."""
        ruleset, state = thought.ruleset, thought.state
        if not is_short(ruleset, state):
            return []
        legal = [action for action in _chief(actions) if not ruleset.check(state, action)]
        share = replace(
            budget, seconds=EXACT_SHARE * budget.seconds, evaluations=self.settings.exact * budget.evaluations
        )
        found = answered(ruleset, state, legal, self.weights, share.clock()) if legal else None
        if found is None:
            return []
        rows = [
            Valued(action=one.action, value=one.value, terms=(Term(name=CHANCE, sentence=CHANCES, amount=one.value),))
            for one in found.answers
        ]
        rows.sort(key=lambda one: (-round(one.value, SAME), action_to_text(one.action)))
        return rows

    def _carried_out(self, thought: Thought, actions: list[Action], clock: Clock) -> list[_Row]:
        rows: list[_Row] = []
        for action in actions:
            if rows and clock.is_over():
                break
            clock.used += 1
            endings = thought.endings(action)
            if endings is not None:
                rows.append(_Row(thought.mean(action, endings), endings))
        rows.sort(key=lambda row: (-round(row.greedy.value, SAME), action_to_text(row.greedy.action)))
        return rows

    def _finalists(self, rows: list[_Row]) -> list[_Row]:
        """The best rows, and the best of each kind of order as long as there is room, best first."""
        most = self.settings.finalists
        kept, kinds = list[int](), set[tuple[str, str]]()
        for number, row in enumerate(rows):
            kind = row.greedy.action.unit, row.greedy.action.verb
            if number < most // 2 or (kind not in kinds and len(kept) < most):
                kept.append(number)
            kinds.add(kind)
        kept += [number for number in range(len(rows)) if number not in kept][: max(most - len(kept), 0)]
        return [rows[number] for number in sorted(kept)]

    def _played_on(self, thought: Thought, row: _Row) -> Valued:
        """An order with its roll-outs for value; where nobody may measure, enemies stand where the eye puts them."""
        ruleset, side = thought.ruleset, thought.side
        if not appraiser_of(ruleset).every_turn:
            return row.greedy
        settings, ahead = self.settings, 0.0
        for ending in row.endings:
            if ruleset.to_move(ending.state) != TERMINAL:
                seen = pictured(ending.state, side, thought.measure)
                ahead += ending.chance * outlook(ruleset, seen, side, settings.halves, settings.sketch)
        kept = [
            term
            if term.name in CARRIED
            else Term(name=term.name, sentence=term.sentence, amount=settings.terms * term.amount)
            for term in row.greedy.terms
        ]
        kept.append(
            Term(name=AHEAD, sentence="what both sides are likely to make of it next", amount=settings.trust * ahead)
        )
        return Valued(action=row.greedy.action, value=sum(term.amount for term in kept), terms=tuple(kept))


def _chief(actions: list[Action]) -> list[Action]:
    """The first few orders of each kind, kinds told apart by unit, verb and targets."""
    kept: list[Action] = []
    counts: dict[object, int] = {}
    for action in actions:
        kind = action.unit, action.verb, action.targets
        counts[kind] = counts.get(kind, 0) + 1
        if counts[kind] <= OF_A_KIND and len(kept) < CHIEF:
            kept.append(action)
    return kept
