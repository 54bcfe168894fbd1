"""Exact expectimax: values worked out by hand, and the same values however many lines are cut short."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import pytest
from tactician.agent.policies.base import Budget
from tactician.agent.search.expectimax import (
    Found,
    Lines,
    Question,
    at_free_choice,
    at_other_round,
    at_other_turn,
    expectimax,
    never,
    result_or_worth,
    some_candidates,
)
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.choice import Walk
from tactician.rules.core.ruleset import Ruleset, Scenario, load_ruleset
from tactician.rules.core.state import State

ENOUGH = Budget(evaluations=10**9)


# ---- the duel of two discs: a shot hits with one in three ------------------------------------------------------------


def lines(ruleset: Ruleset, *verbs: str) -> Lines:
    """Nobody walks; of the rest the verbs named, where they are offered."""

    def found(state: State) -> Sequence[Action]:
        offered = ruleset.choices(state)
        kept = [one for one in offered if one.verb in verbs] or list(offered)
        return [one.bare() if isinstance(one.domain, Walk) else one.canonical(state) for one in kept]

    return found


def duel(turns: int) -> tuple[Ruleset, State]:
    """Red's first shot, both in range."""
    ruleset = load_ruleset("_template")
    start = ruleset.start(Scenario(options=(("turns", turns),), size="duel"))
    return ruleset, ruleset.apply(start, Action(verb="move", unit="R1"))


def asked(ruleset: Ruleset, replies: Lines, ends: Callable[[State], bool] = never) -> Question:
    return Question(
        ruleset=ruleset,
        side="red",
        own=lines(ruleset),
        replies=replies,
        ends=ends,
        value=result_or_worth(ruleset, "red"),
    )


def shot(ruleset: Ruleset, state: State) -> tuple[Action, ...]:
    return tuple(choice.canonical(state) for choice in ruleset.choices(state))


def by_verb(found: Found) -> dict[str, float]:
    return {one.action.verb: one.value for one in found.answers}


def test_one_shot_each() -> None:
    ruleset, state = duel(1)
    found = expectimax(asked(ruleset, lines(ruleset)), state, shot(ruleset, state), ENOUGH.clock())
    assert found.is_finished
    assert found.best.action.verb == "shoot"
    assert by_verb(found) == pytest.approx({"shoot": 1 / 3 + 2 / 3 * (2 / 3) / 2, "pass": (2 / 3) / 2})


def test_two_shots_each() -> None:
    ruleset, state = duel(2)
    found = expectimax(asked(ruleset, lines(ruleset)), state, shot(ruleset, state), ENOUGH.clock())
    assert by_verb(found) == pytest.approx({"shoot": 47 / 81, "pass": 2 / 3 * 5 / 9})


def test_a_reply_that_is_known_is_followed_although_it_is_bad() -> None:
    ruleset, state = duel(2)
    found = expectimax(asked(ruleset, lines(ruleset, "pass")), state, shot(ruleset, state), ENOUGH.clock())
    assert by_verb(found)["shoot"] == pytest.approx(1 / 3 + 2 / 3 * (1 / 3 + 2 / 3 / 2))


def test_a_line_that_ends_early_is_valued_by_what_both_have_left() -> None:
    ruleset, state = duel(2)
    question = asked(ruleset, lines(ruleset), at_other_turn(state))
    found = expectimax(question, state, shot(ruleset, state), ENOUGH.clock())
    assert by_verb(found) == pytest.approx({"shoot": 1 / 3 + 2 / 3 / 2, "pass": 1 / 2})


def test_a_line_can_end_with_the_order_or_with_the_round() -> None:
    ruleset, state = duel(2)
    order = expectimax(asked(ruleset, lines(ruleset), at_free_choice), state, shot(ruleset, state), ENOUGH.clock())
    turn = expectimax(
        asked(ruleset, lines(ruleset), at_other_round(state)), state, shot(ruleset, state), ENOUGH.clock()
    )
    assert by_verb(order)["shoot"] == pytest.approx(2 / 3)
    assert by_verb(turn)["shoot"] == pytest.approx(1 / 3 + 2 / 3 * (2 / 3) / 2)


def test_a_shot_at_somebody_who_walks_into_range_is_worth_taking() -> None:
    ruleset = load_ruleset("_template")
    start = ruleset.start(Scenario(options=(("turns", 1),), size="duel"))
    walks = [one for one in some_candidates(ruleset)(start) if one.paths]
    watched = next(after for after in (ruleset.apply(start, one) for one in walks) if ruleset.to_move(after) == "blue")
    question = replace(asked(ruleset, lines(ruleset)), side="blue", value=result_or_worth(ruleset, "blue"))
    found = expectimax(question, watched, some_candidates(ruleset)(watched), ENOUGH.clock())
    values = by_verb(found)
    # Let pass: red hits or not, then blue does. Interrupt: the same after a first shot of blue's own.
    let_pass = 2 / 3 * (1 / 3 + 2 / 3 / 2)
    assert values["pass"] == pytest.approx(let_pass)
    assert values["shoot"] == pytest.approx(1 / 3 + 2 / 3 * let_pass)


# ---- budgets ---------------------------------------------------------------------------------------------------------


def test_what_is_not_finished_says_so() -> None:
    ruleset, state = duel(2)
    found = expectimax(asked(ruleset, lines(ruleset)), state, shot(ruleset, state), Budget(evaluations=2).clock())
    assert not found.is_finished
    assert found.leaves == 2
    assert len(found.answers) < 2


def test_no_time_at_all_is_no_answer() -> None:
    ruleset, state = duel(1)
    clock = Budget(seconds=0.0, evaluations=10**9).clock()
    found = expectimax(asked(ruleset, lines(ruleset)), state, shot(ruleset, state), clock)
    assert found.answers == ()
    assert not found.is_finished


# ---- random trees ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Dice:
    odds: tuple[float, ...]

    def support(self) -> tuple[tuple[int, float], ...]:
        return tuple(enumerate(self.odds))


class Tree:
    """A game of numbered ways on: who moves, how many ways and what the ends are worth follow from the way so far."""

    def __init__(self, seed: int, depth: int = 5, *, meets: bool = True) -> None:
        self.seed, self.depth, self.meets = seed, depth, meets

    def _draw(self, state: tuple[int, ...]) -> random.Random:
        return random.Random(f"{self.seed} {self.met(state)}")

    def met(self, state: tuple[int, ...]) -> tuple[int, ...]:
        """What matters of the way: two ways with equal sums meet again, where ways do."""
        return (len(state), sum(state)) if self.meets else state

    def to_move(self, state: tuple[int, ...]) -> str:
        return TERMINAL if len(state) >= self.depth else self._draw(state).choice(("red", "blue", CHANCE))

    def lines(self, state: tuple[int, ...]) -> list[Action]:
        return [Action(verb="go", unit=str(number)) for number in range(self._draw(state).randint(1, 4))]

    def apply(self, state: tuple[int, ...], action: Action) -> tuple[int, ...]:
        return self._on(state, int(action.unit))

    def pending(self, state: tuple[int, ...]) -> Dice:
        weights = [self._draw(state).random() + 0.01 * (i + 1) for i in range(self._draw(state).randint(1, 4))]
        return Dice(tuple(weight / sum(weights) for weight in weights))

    def resolve(self, state: tuple[int, ...], outcome: int) -> tuple[int, ...]:
        return self._on(state, outcome)

    def _on(self, state: tuple[int, ...], number: int) -> tuple[int, ...]:
        return (*(0,) * len(state), sum(state) + number) if self.meets else (*state, number)

    def value(self, state: tuple[int, ...]) -> float:
        return self._draw(state).choice((0.0, 0.5, 1.0, self._draw(state).random()))

    def worth(self, state: tuple[int, ...]) -> float:
        """The value by its definition."""
        mover = self.to_move(state)
        if mover == TERMINAL:
            return self.value(state)
        if mover == CHANCE:
            return sum(odds * self.worth(self.resolve(state, one)) for one, odds in self.pending(state).support())
        values = [self.worth(self.apply(state, one)) for one in self.lines(state)]
        return max(values) if mover == "red" else min(values)

    def question(self) -> Question:
        rules, own, value = (cast(Any, one) for one in (self, self.lines, self.value))
        return Question(ruleset=rules, side="red", own=own, replies=own, ends=never, value=value)


def search(tree: Tree, **how: bool) -> Found:
    actions = [Action(verb="go", unit=str(number)) for number in range(4)]
    return expectimax(tree.question(), cast(State, ()), actions, ENOUGH.clock(), **how)


@pytest.mark.parametrize("seed", range(20))
def test_values_are_those_of_the_definition_whatever_is_cut_short(seed: int) -> None:
    tree = Tree(seed)
    wanted = {str(number): tree.worth((number,)) for number in range(4)}
    for prune in (False, True):
        found = {one.action.unit: one.value for one in search(tree, prune=prune).answers}
        assert found == pytest.approx(wanted, abs=1e-9)
    best = search(tree, best_only=True)
    assert best.best.value == pytest.approx(max(wanted.values()), abs=1e-9)
    assert best.best.is_exact
    assert all(one.value >= wanted[one.action.unit] - 1e-9 for one in best.answers)


def test_bounds_save_work() -> None:
    plain, cut, best_only = (
        sum(search(Tree(seed, 6, meets=False), **how).leaves for seed in range(4))
        for how in ({"prune": False}, {"prune": True}, {"best_only": True})
    )
    assert cut < plain
    assert best_only < plain


class Circle(Tree):
    """Dice that may lead back to the same moment for ever."""

    def to_move(self, state: tuple[int, ...]) -> str:
        return CHANCE if state else "red"

    def resolve(self, state: tuple[int, ...], outcome: int) -> tuple[int, ...]:
        return state

    def pending(self, state: tuple[int, ...]) -> Dice:
        return Dice((0.5, 0.5))


class OneWay(Circle):
    """The same without anything to tell apart."""

    def pending(self, state: tuple[int, ...]) -> Dice:
        return Dice((1.0,))


@pytest.mark.parametrize("kind", [Circle, OneWay])
def test_a_line_without_an_end_is_given_up(kind: type[Tree]) -> None:
    found = search(kind(0))
    assert not found.is_finished
    assert found.answers == ()
