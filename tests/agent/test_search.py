"""Search: the same for the same budget, never without an answer, and blind for the dice to come and for the tape."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from tactician.agent.arena import DiceTower
from tactician.agent.by_eye import Measure, pictured
from tactician.agent.policies import Budget, policy
from tactician.agent.search.plan import PlanSearch, Settings
from tactician.agent.search.short import answered, is_short, standing_of
from tactician.agent.value.terms import Weights, terms
from tactician.rules.core.agenda import CHANCE
from tactician.rules.core.ruleset import Ruleset, Scenario, load_ruleset, may_measure, ruleset_names
from tactician.rules.core.state import State
from tactician.rules.wh40k2e.state import Turn

from tests.rules.wh40k2e.boards import battle, row, squad

FEW = Budget(evaluations=4)


def after(ruleset: Ruleset, plies: int, seed: int = 3) -> State:
    """A moment in which somebody decides, some plies into a small game of random orders."""
    state, tower, rng = ruleset.start(Scenario(size="duel", deployed=True)), DiceTower(seed), random.Random(seed)
    done = 0
    while done < plies or ruleset.to_move(state) == CHANCE:
        if ruleset.to_move(state) == CHANCE:
            state = ruleset.resolve(state, tower.roll(ruleset, state))
            continue
        state = ruleset.apply(state, rng.choice(ruleset.choices(state)).sample(state, rng.random))
        done += 1
    return state


@pytest.mark.parametrize("name", ruleset_names())
def test_equal_budgets_and_seeds_decide_alike(name: str) -> None:
    ruleset = load_ruleset(name)
    state = after(ruleset, 3)
    first = policy("search").decide(ruleset, state, FEW, random.Random(1))
    again = policy("search").decide(ruleset, state, FEW, random.Random(2))
    assert first == again
    assert not ruleset.check(state, first.action)


@pytest.mark.parametrize("name", ruleset_names())
def test_it_has_an_answer_however_little_time_there_is(name: str) -> None:
    ruleset = load_ruleset(name)
    state = after(ruleset, 2)
    decision = policy("search").decide(ruleset, state, Budget(seconds=0.0, evaluations=1), random.Random(1))
    assert not ruleset.check(state, decision.action)


def test_the_terms_of_an_order_add_up_to_its_value() -> None:
    ruleset = load_ruleset("wh40k2e")
    for one in PlanSearch().weighed(ruleset, after(ruleset, 1), FEW):
        assert sum(term.amount for term in one.terms) == pytest.approx(one.value)


def test_roll_outs_change_what_is_thought_of_an_order() -> None:
    ruleset = load_ruleset("wh40k2e")
    state = after(ruleset, 1)
    far = {one.action: one.value for one in PlanSearch().weighed(ruleset, state, FEW)}
    blind = PlanSearch(settings=Settings(trust=0.0)).weighed(ruleset, state, FEW)
    assert any(far[one.action] != pytest.approx(one.value) for one in blind if one.action in far)


def test_short_questions_are_those_inside_an_order_or_in_a_small_battle_that_may_be_measured() -> None:
    open_game, shut = load_ruleset("voidsiege"), load_ruleset("wh40k2e")
    assert is_short(open_game, after(open_game, 0))
    state = after(shut, 0)
    assert not may_measure(shut, state)
    assert len(state.agenda) == 1
    assert not is_short(shut, state)


def test_an_exact_answer_that_the_budget_does_not_reach_is_none() -> None:
    ruleset = load_ruleset("voidsiege")
    state = after(ruleset, 1)
    actions = [choice.canonical(state) for choice in ruleset.choices(state)]
    assert answered(ruleset, state, actions, Weights(), Budget(evaluations=1).clock()) is None


def test_the_standing_of_both_sides_is_opposite() -> None:
    ruleset = load_ruleset("voidsiege")
    state, even = after(ruleset, 2), Weights(orders=0.0, danger=0.0, threat=0.0, goals=0.0, pieces=0.0, scoring=0.0)
    red, blue = (standing_of(ruleset, side, even)(state) for side in ("red", "blue"))
    assert red + blue == pytest.approx(1.0)


def test_enemies_stand_where_the_eye_puts_them_where_nobody_may_measure() -> None:
    state = battle(squad("R1", "marine", row(3, 16, 10)), squad("B1", "ork", row(3, 16, 30)))
    eye = Measure(False, 3, 1)
    there = pictured(state, "red", eye)
    assert there.unit("R1") == state.unit("R1")
    assert there.unit("B1") != state.unit("B1")
    assert pictured(state, "red", Measure()) is state


def test_exposure_follows_what_is_known_too() -> None:
    ruleset, eye = load_ruleset("wh40k2e"), Measure(False, 3, 1)
    found = []
    for gap in (12.0, 12.4, 12.8, 24.2, 24.6, 25.0):
        state = battle(squad("R1", "marine", row(3, 16, 10)), squad("B1", "marine", row(3, 16, 10 + gap)))
        state = replace(state, agenda=(Turn(owner="red", phase="normal"),))
        exact = {term.name: term.amount for term in terms(ruleset, state, "red", Weights())}
        guessed = {term.name: term.amount for term in terms(ruleset, state, "red", Weights(), eye)}
        found.append(exact["exposure"] != guessed["exposure"])
    assert any(found)
