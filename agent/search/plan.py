"""Search: orders are carried out by the exact rules, and what they lead to is played on in the sketch.

The candidates are those of greedy. Each is carried out, dice weighed, until somebody is free to choose again; the best
of them by greedy's own terms are then told apart by roll-outs: the rest of the own turn, the opponent's greedy
turn and the own greedy turn after it, all in the unit-level model of `sketch`. Values of all moments that an order
can lead to are averaged; nothing here sees the dice to come.

The first answer stands after the first order is valued; whatever the budget then allows makes it better.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import inf

from tactician.agent.by_eye import measure_of
from tactician.agent.outlook import Ending
from tactician.agent.policies.base import Budget, Clock, Decision
from tactician.agent.policies.greedy import SAME, Thought, Valued
from tactician.agent.sketch.model import USUAL, SketchWeights, outlook
from tactician.agent.value.terms import Term, Weights
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import TERMINAL
from tactician.rules.core.notation import action_to_text
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State

__all__ = ["CARRIED", "PlanSearch", "Settings"]

CARRIED = ("result", "models", "victory points", "coherency", "fuss")
"""Terms of greedy that stay beside a roll-out; the others are its guesses at what the roll-out plays."""

AHEAD = "outlook"
"""The term of the roll-out."""


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
    sketch: SketchWeights = USUAL


@dataclass(slots=True)
class _Row:
    """An order that has been carried out."""

    greedy: Valued
    endings: list[Ending]


class PlanSearch:
    """The best order by what both sides are likely to make of it."""

    def __init__(
        self, name: str = "search", settings: Settings | None = None, weights: Weights | None = None, seed: int = 0
    ) -> None:
        """Take what the search may do, the weights of the terms, and the seed of the eye where nobody may measure."""
        self.name = name
        self.settings = settings or Settings()
        self.weights = weights or Weights()
        self.seed = seed

    def decide(self, ruleset: Ruleset, state: State, budget: Budget, rng: random.Random) -> Decision:
        """The order with the best prospects; the first of the text where several are equal."""
        valued = self.weighed(ruleset, state, budget)
        best = valued[0]
        others = tuple((one.value, one.action) for one in valued[1:])
        return Decision(action=best.action, value=best.value, terms=best.terms, alternatives=others)

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
        rows = self._carried_out(thought, [row[2] for row in ranked], clock)
        if not rows:
            return [Valued(action=ruleset.choices(state)[0].canonical(state), value=-inf, terms=())]
        found = []
        for place, row in enumerate(self._finalists(rows)):
            if place and budget.seconds < inf and clock.is_late():
                break
            found.append(self._played_on(ruleset, row, thought.side))
        found.sort(key=lambda one: (-round(one.value, SAME), action_to_text(one.action)))
        return found

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

    def _played_on(self, ruleset: Ruleset, row: _Row, side: str) -> Valued:
        """An order with its roll-outs for value."""
        settings, ahead = self.settings, 0.0
        for ending in row.endings:
            if ruleset.to_move(ending.state) != TERMINAL:
                ahead += ending.chance * outlook(ruleset, ending.state, side, settings.halves, settings.sketch)
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
