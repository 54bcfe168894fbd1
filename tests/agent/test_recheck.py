"""Advice re-checked by the referee: every number is found again, and a wrong one is noticed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import islice

import pytest
from tactician.agent.advice import Plan
from tactician.agent.advise import advise
from tactician.agent.policies import Budget
from tactician.agent.recheck import Difference, recheck, refereed
from tactician.agent.value.terms import Term
from tactician.rules.core.ruleset import load_ruleset, ruleset_names
from tactician.rules.core.state import State

from tests.agent.positions import NAMES, decisions

FEW = Budget(evaluations=4)


@pytest.mark.parametrize("name", NAMES)
def test_the_referee_finds_every_number_again(name: str) -> None:
    ruleset = load_ruleset(name)
    for state in decisions(name, ruleset.info.sizes[0], 33, 16)[-8::4]:
        for plan in advise(ruleset, state, 2, FEW):
            assert [str(one) for one in recheck(ruleset, state, plan)] == [], plan.action


@pytest.mark.slow
@pytest.mark.parametrize("name", ruleset_names())
def test_the_referee_finds_every_number_again_in_thirty_positions(name: str) -> None:
    ruleset, plans, hurt = load_ruleset(name), 0, 0
    for size, seed in ((0, 950), (1, 951)):
        for state in islice(decisions(name, ruleset.info.sizes[size], seed, 15), 15):
            for plan in advise(ruleset, state, 3, FEW):
                plans += 1
                hurt += bool(plan.prospect.units)
                assert [str(one) for one in recheck(ruleset, state, plan)] == [], plan.action
    assert plans >= 30
    assert hurt > 0


def test_numbers_that_are_wrong_are_noticed() -> None:
    name = ruleset_names()[0]
    ruleset = load_ruleset(name)
    state, plan = bloody(name)
    one, *rest = plan.prospect.units
    assert faults(name, state, replace(plan, value=plan.value + 0.01)) == ["value"]
    first, *others = plan.reasons
    wrong = Term(name=first.name, sentence=first.sentence, amount=first.amount + 0.01)
    assert faults(name, state, replace(plan, reasons=(wrong, *others))) == [first.name]
    assert faults(name, state, replace(plan, reasons=tuple(others))) == [first.name]
    assert faults(name, state, replace(plan, prospect=replace(plan.prospect, gain=plan.prospect.gain + 1))) == ["gain"]
    worse = replace(plan.prospect, units=(replace(one, half=one.half / 2 + 0.3), *rest))
    assert faults(name, state, replace(plan, prospect=worse)) == [f"half lost by {one.unit}"]
    illegal = replace(plan, action=replace(plan.action, verb="dance"))
    assert faults(name, state, illegal) == ["clauses broken by the order"]
    if plan.answer is not None:
        dearer = replace(plan.answer, cost=plan.answer.cost + 1.0)
        assert faults(name, state, replace(plan, answer=dearer)) == [f"cost of the answer of {plan.answer.unit}"]
    assert sum((share for _, share in refereed(ruleset, state, plan.action)), Fraction(0)) == 1


def test_a_difference_tells_both_numbers() -> None:
    assert str(Difference(what="gain", told=1.5, found=1.25)) == "gain: told 1.5, found 1.25"


def faults(name: str, state: State, plan: Plan) -> list[str]:
    """What the referee does not find again."""
    return [one.what for one in recheck(load_ruleset(name), state, plan)]


def bloody(name: str) -> tuple[State, Plan]:
    """A moment and a plan, exactly followed, by which somebody can be lost."""
    ruleset = load_ruleset(name)
    for seed in range(33, 40):
        for state in decisions(name, ruleset.info.sizes[0], seed, 16):
            for plan in advise(ruleset, state, 2, FEW, answered=False, drawn_back=False):
                if plan.prospect.units and plan.prospect.exact and plan.reasons:
                    (best,) = [
                        one for one in advise(ruleset, state, 2, FEW, drawn_back=False) if one.action == plan.action
                    ]
                    return state, best
    raise AssertionError("nobody was ever hurt")
