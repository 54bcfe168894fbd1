"""Greedy: every order worth a thought is carried out by the exact rules, and the best result is taken.

Orders are found at the level of units and ranked roughly first (what would the place be worth, what would the shots do
from there); the best of them are carried out, dice in expectation, until somebody is free to choose again, and valued
there. Ties go by the text of the action.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from math import inf

from tactician.agent.by_eye import Measure, measure_of
from tactician.agent.outlook import PASS, Ending, endings
from tactician.agent.policies.base import Budget, Clock, Decision, register
from tactician.agent.propose.candidates import assigned_harm, candidates, options_by_harm
from tactician.agent.propose.spots import Spot, Who, binding, moved_to, spots, stay, walking
from tactician.agent.value.terms import SENTENCES, Term, Weights, terms, value
from tactician.rules.core.action import Action, Pairs
from tactician.rules.core.appraisal import Appraiser, appraiser_of
from tactician.rules.core.choice import Assign, Choice, Declare, Nothing, Subset, Walk
from tactician.rules.core.movement import MoveType
from tactician.rules.core.notation import action_to_text
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State, Unit

__all__ = ["SAME", "Greedy", "Thought", "Valued"]

PLACES = 4
"""Places of a unit under one move type that are carried out."""

TARGETS = 2
"""Targets of an order that are tried, those promising most first."""

MANY, FEW = 9.0, 3.0
"""Moments that an order is followed to; that a move is, where moving alone attacks nobody."""

SAME = 9
"""Decimals to which values are compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Valued:
    """An order and what comes of it."""

    action: Action
    value: float
    terms: tuple[Term, ...]
    """Averages over the moments that it can lead to; they add up to the value."""


@dataclass(slots=True)
class Thought:
    """One decision being made: orders worth a thought, and what comes of them."""

    ruleset: Ruleset
    state: State
    side: str
    weights: Weights
    measure: Measure
    """What is known of distances to the enemy at the moment of the decision, in whatever it leads to as well."""
    appraiser: Appraiser = field(init=False)
    _spots: dict[tuple[str, MoveType, str | None, Who], list[tuple[float, Spot]]] = field(default_factory=dict)
    _rest: float = field(init=False)
    announces: bool = field(init=False)
    """Whether ways are announced with an order and judged again when they are walked."""

    def __post_init__(self) -> None:
        """Value the moment as it is."""
        self.appraiser = appraiser_of(self.ruleset)
        self.announces = not any(isinstance(choice.domain, Walk) for choice in self.ruleset.choices(self.state))
        self._rest = self.static(self.state)

    def static(self, state: State) -> float:
        """The value of a moment without carrying anything out."""
        return value(self.ruleset, state, self.side, self.weights, self.measure)

    def places(self, unit: Unit, kind: MoveType, charged: str | None, who: Who = None) -> list[tuple[float, Spot]]:
        """The best places of a unit under a move type, with what standing there would gain; staying is one of them."""
        key = unit.id, binding(kind), charged, who
        if key not in self._spots:
            found = [(0.0, stay)]
            for spot in spots(self.appraiser, self.state, unit, kind, charged, self.measure, who):
                moved = self.state.with_unit(moved_to(unit, spot))
                found.append((self.static(moved) - self._rest, spot))
            found.sort(key=lambda row: (-round(row[0], SAME), row[1].name))
            self._spots[key] = found
        return self._spots[key]

    def ranked(self) -> list[tuple[float, str, Action]]:
        """Every order worth a thought with a rough guess at its gain, best first."""
        found: list[tuple[float, str, Action]] = []
        choices = self.ruleset.choices(self.state)
        busy = [choice for choice in choices if choice.verb not in self.appraiser.idle_verbs]
        for choice in busy or choices:
            for guess, action in self._of(choice):
                found.append((-round(guess, SAME), action_to_text(action), action))
        sensible = self._sensible(choices)
        if sensible is not None:
            found = [row for row in found if row[2] != sensible]
            found.append((-inf, action_to_text(sensible), sensible))
        return sorted(found, key=lambda row: row[:2])

    def _sensible(self, choices: tuple[Choice, ...]) -> Action | None:
        """The answer that the game calls sensible, where one may also let things pass: it is always looked at."""
        if not any(choice.verb == PASS for choice in choices):
            return None
        return self.appraiser.reply(self.state, choices)

    def _of(self, choice: Choice) -> list[tuple[float, Action]]:
        domain = choice.domain
        if isinstance(domain, Nothing):
            return [(inf, choice.bare())]  # nothing to guess by and few of them: always looked at
        if isinstance(domain, Walk):
            rows = self._walks(choice.bare(), self.state.unit(choice.unit), domain.kind, None, domain.models)
            usual = choice.canonical(self.state)  # standing still, where that is allowed
            return [(guess, action if action.paths else usual) for guess, action in rows]
        if isinstance(domain, Declare):
            rows = []
            for option in self._options(choice, domain.options):
                rows += self._declared(choice, option, domain)
            return rows
        if isinstance(domain, Assign):
            found, unit = candidates(self.ruleset, self.state, choice), self.state.unit(choice.unit)
            return [(assigned_harm(self.appraiser, self.state, unit, one.targets), one) for one in found]
        if isinstance(domain, Subset):
            return [(0.0, action) for action in candidates(self.ruleset, self.state, choice, 3)]
        return [(0.0, action) for action in candidates(self.ruleset, self.state, choice)]

    def _options(self, choice: Choice, options: tuple[Pairs, ...]) -> list[Pairs]:
        """Those that name nobody, and the best of those that do, for each set of roles."""
        kept: dict[tuple[str, ...], list[Pairs]] = {}
        for option in options_by_harm(self.appraiser, self.state, choice.unit, options):
            row = kept.setdefault(tuple(role for role, _ in option), [])
            if len(row) < TARGETS:
                row.append(option)
        return [option for row in kept.values() for option in row]

    def _declared(self, choice: Choice, option: Pairs, domain: Declare) -> list[tuple[float, Action]]:
        bare = replace(choice.bare(), targets=option)
        kind, unit = domain.kind_for(bare), self.state.unit(choice.unit)
        if kind is None:
            return [(self._harm(unit, option), bare)]
        return self._walks(bare, unit, kind, option)

    def _walks(
        self, bare: Action, unit: Unit, kind: MoveType, option: Pairs | None, who: Who = None
    ) -> list[tuple[float, Action]]:
        charged = dict(option or ()).get("charge")
        rows = []
        for gain, spot in self.places(unit, kind, charged, who):
            harm = self._harm(moved_to(unit, spot), option or ())
            rows.append((gain + harm, walking(bare, unit, spot, kind, who)))
        rows.sort(key=lambda row: -round(row[0], SAME))
        return rows[:PLACES]

    def _harm(self, unit: Unit, option: Pairs) -> float:
        """What the targets named would lose, roughly."""
        foes = [self.state.unit(name) for _, name in option if self.state.has_unit(name)]
        return sum(self.appraiser.harm(self.state, unit, foe) for foe in foes if foe.side != unit.side)

    def carried_out(self, action: Action) -> Valued | None:
        """An order's exact result on average; None if the rules would not let it be walked as ordered."""
        found = self.endings(action)
        return None if found is None else self.mean(action, found)

    def endings(self, action: Action) -> list[Ending] | None:
        """The moments that an order leads to; None if the rules would not let it be walked as ordered."""
        if action.paths and not self.announces and self.ruleset.check(self.state, action):
            return None
        found = endings(self.ruleset, self.state, action, FEW if action.paths and not self.announces else MANY)
        if action.paths and any(ending.asked for ending in found) and self.ruleset.check(self.state, action):
            return None
        return found

    def _is_fuss(self, after: State) -> bool:
        """Whether the side must choose again at once, no order spent: nothing has come of it yet."""
        if len(after.agenda) != 1 or len(self.state.agenda) != 1 or self.ruleset.to_move(after) != self.side:
            return False
        spent = self.appraiser.orders(after, self.side) < self.appraiser.orders(self.state, self.side)
        return not spent and after.round == self.state.round

    def mean(self, action: Action, found: list[Ending]) -> Valued:
        """The value of an order from the moments that it leads to."""
        sums = dict.fromkeys(SENTENCES, 0.0)
        for ending in found:
            for term in terms(self.ruleset, ending.state, self.side, self.weights, self.measure):
                sums[term.name] += ending.chance * term.amount
            if self._is_fuss(ending.state):
                sums["fuss"] -= ending.chance * self.weights.fuss
        row = tuple(Term(name=name, sentence=text, amount=sums[name]) for name, text in SENTENCES.items())
        return Valued(action=action, value=sum(term.amount for term in row), terms=row)


@register("greedy")
class Greedy:
    """The best order by what it leads to at once."""

    name: str = "greedy"

    def __init__(self, weights: Weights | None = None, seed: int = 0) -> None:
        """Take the weights of the terms, and the seed of the eye that looks where nobody may measure."""
        self.weights = weights or Weights()
        self.seed = seed

    def decide(self, ruleset: Ruleset, state: State, budget: Budget, rng: random.Random) -> Decision:
        """The first of the orders that are `weighed`: the best, by its text where several are equal."""
        valued = self.weighed(ruleset, state, budget)
        best = valued[0]
        others = tuple((one.value, one.action) for one in valued[1:])
        return Decision(action=best.action, value=best.value, terms=best.terms, alternatives=others)

    def weighed(self, ruleset: Ruleset, state: State, budget: Budget, *, value_all: bool = False) -> list[Valued]:
        """Orders carried out and valued, best first; at least one, however small the budget.

        Args:
            ruleset: the game.
            state: the moment.
            budget: how long to think.
            value_all: whether even the only possible order is valued.
        """
        measure = measure_of(ruleset, state, self.seed)
        thought = Thought(ruleset, state, ruleset.to_move(state), self.weights, measure)
        ranked = thought.ranked()
        clock: Clock = budget.clock()
        found: list[Valued] = []
        if len(ranked) == 1 and not value_all:
            return [Valued(action=ranked[0][2], value=0.0, terms=())]
        for _, _, action in ranked:
            if found and clock.is_over():
                break
            clock.used += 1
            one = thought.carried_out(action)
            found += [one] if one is not None else []
        found.sort(key=lambda one: (-round(one.value, SAME), action_to_text(one.action)))
        return found or [Valued(action=ruleset.choices(state)[0].canonical(state), value=-inf, terms=())]
