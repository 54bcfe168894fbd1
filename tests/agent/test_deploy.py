from __future__ import annotations

import pytest
from tactician.agent.deploy import LINES, deployment, is_deployment
from tactician.agent.policies.base import Budget
from tactician.agent.value.terms import total
from tactician.rules.core.ruleset import Ruleset, Scenario, load_ruleset, ruleset_names
from tactician.rules.core.state import State

QUICK = Budget(evaluations=3)


def opening(ruleset: Ruleset, size: str) -> State:
    return ruleset.start(Scenario(size=size, first="red"))


@pytest.mark.parametrize("name", ruleset_names())
def test_a_whole_army_is_put_down_legally_in_turn(name: str) -> None:
    ruleset = load_ruleset(name)
    state = opening(ruleset, "skirmish")
    side = ruleset.to_move(state)
    waiting = [choice.unit for choice in ruleset.choices(state)]
    found = deployment(ruleset, state, QUICK)
    assert sorted(one.unit for one in found.placed) == sorted(waiting)
    assert {one.role for one in found.placed} <= set(LINES)
    orders = iter(found.placed)
    while is_deployment(ruleset, state):
        if ruleset.to_move(state) == side:
            action = next(orders).action
            assert ruleset.check(state, action) == ()
        else:
            action = ruleset.choices(state)[0].canonical(state)
        state = ruleset.apply(state, action)
    assert all(unit.models for unit in state.units)
    assert next(orders, None) is None


@pytest.mark.parametrize("name", ruleset_names())
def test_a_proposal_is_no_worse_than_that_of_the_rules_and_says_why(name: str) -> None:
    ruleset = load_ruleset(name)
    found = deployment(ruleset, opening(ruleset, "skirmish"), QUICK)
    assert found.value >= 0.0
    assert total(found.reasons) == pytest.approx(found.value)
    assert deployment(ruleset, opening(ruleset, "skirmish"), QUICK) == found


def test_screens_stand_in_front_of_shooters() -> None:
    ruleset = load_ruleset("voidsiege")
    state = opening(ruleset, "skirmish")
    found = deployment(ruleset, state, Budget(evaluations=0))
    front = {
        one.role: max(pose.y for _, pose in one.action.places) for one in found.placed if one.role != "leader"
    }  # red looks up the table
    assert front["screen"] > front["shooter"]


def test_nobody_else_is_asked() -> None:
    ruleset = load_ruleset("voidsiege")
    state = ruleset.start(Scenario(size="duel", first="red", deployed=True))
    assert not is_deployment(ruleset, state)
    with pytest.raises(ValueError, match="putting units down"):
        deployment(ruleset, state)
