"""Lists of plans: who proposes, for which unit, what makes a plan needless, the enemy's answer and what follows."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from tactician.agent.advice import Plan, Prospect
from tactician.agent.advise import advise, dominates, is_same_plan
from tactician.agent.following import following
from tactician.agent.policies import Budget, Decision, policy
from tactician.agent.value.terms import SENTENCES, Term
from tactician.rules.core.action import Action
from tactician.rules.core.legs import Pose, Straight
from tactician.rules.core.ruleset import Ruleset, Scenario, load_ruleset, ruleset_names
from tactician.rules.core.state import State

from tests.agent.positions import NAMES, decisions

FEW = Budget(evaluations=4)

TOY = load_ruleset("_template")


class Last:
    """Proposes the last choice, and nothing else."""

    name = "last"

    def decide(self, ruleset: Ruleset, state: State, budget: Budget, rng: random.Random) -> Decision:
        """The last choice's canonical answer, thought to be worth seven."""
        return Decision(action=ruleset.choices(state)[-1].canonical(state), value=7.0)


def plan(gain: float, loss: float, foreseen: float | None = None, **amounts: float) -> Plan:
    """A plan with these numbers."""
    reasons = tuple(Term(name=name, sentence=SENTENCES[name], amount=amount) for name, amount in amounts.items())
    prospect = Prospect(gain=gain, loss=loss)
    value = sum(amounts.values())
    return Plan(action=Action(verb="pass"), value=value, reasons=reasons, prospect=prospect, foreseen=foreseen)


def test_a_plan_dominates_only_where_it_is_nowhere_worse() -> None:
    one = plan(2.0, 1.0, models=1.0, threat=0.5)
    assert dominates(one, plan(2.0, 1.0, models=1.0, threat=0.5))
    assert dominates(one, plan(1.0, 1.0, models=0.0, threat=0.5))
    assert not dominates(one, plan(1.0, 0.5, models=0.5, threat=0.5))
    assert not dominates(one, plan(1.0, 1.0, models=0.0, threat=0.6))
    assert not dominates(one, plan(1.0, 1.0, goals=0.1))
    assert not dominates(one, plan(1.0, 1.0, 3.0, models=0.0))
    assert dominates(plan(2.0, 1.0, 3.0, models=1.0), plan(1.0, 1.0, models=0.0))


@pytest.mark.parametrize("name", NAMES)
def test_no_plan_on_a_list_makes_another_one_needless(name: str) -> None:
    ruleset, several = load_ruleset(name), 0
    for source in (None, Last()):
        for state in decisions(name, ruleset.info.sizes[0], 41, 4):
            found = advise(ruleset, state, 3, FEW, source=source, answered=False, drawn_back=False)
            several += len(found) > 1
            for one in found:
                for other in found:
                    assert one is other or not (dominates(one, other))
                    assert one is other or not is_same_plan(state, one.action, other.action)
    assert several > 0


def test_two_gaits_to_one_place_are_one_plan_and_an_inch_makes_two() -> None:
    state = TOY.start(Scenario(size="duel"))
    here = Action(verb="move", unit="R1", paths=(("R1a", (Straight((5.0, 9.0)),)),))
    assert is_same_plan(state, here, replace(here, verb="run"))
    assert is_same_plan(state, here, replace(here, paths=(("R1a", (Straight((5.9, 9.0)),)),)))
    assert not is_same_plan(state, here, replace(here, paths=(("R1a", (Straight((6.1, 9.0)),)),)))
    assert not is_same_plan(state, here, replace(here, targets=(("shoot", "B1"),)))
    put = Action(verb="deploy", unit="R1", places=(("R1a", Pose(3.0, 3.0)),))
    assert is_same_plan(state, put, replace(put, places=(("R1a", Pose(3.5, 3.0)),)))
    assert not is_same_plan(state, put, replace(put, places=(("R1a", Pose(4.5, 3.0)),)))
    assert not is_same_plan(state, Action(verb="pass"), Action(verb="wait"))


def test_what_a_source_proposes_first_stays_first_unless_it_is_needless() -> None:
    for state in decisions("_template", TOY.info.sizes[0], 41, 6):
        found = advise(TOY, state, 3, FEW, source=Last(), answered=False)
        assert found[0].foreseen == 7.0
        assert all(one.foreseen is None for one in found[1:])
        assert advise(TOY, state, 1, FEW, answered=False)[0].foreseen is None


@pytest.mark.parametrize("name", ruleset_names())
def test_one_unit_may_be_asked_about(name: str) -> None:
    ruleset, looked = load_ruleset(name), 0
    for state in decisions(name, ruleset.info.sizes[1], 31, 6)[:4]:
        able = sorted({choice.unit for choice in ruleset.choices(state)} - {""})
        for unit in able[:2] if len(able) > 1 else ():
            looked += 1
            found = advise(ruleset, state, 2, FEW, unit=unit, answered=False, drawn_back=False)
            assert {one.action.unit for one in found} == {unit}
            assert all(not ruleset.check(state, one.action) for one in found)
        with pytest.raises(ValueError, match="nothing to decide now"):
            advise(ruleset, state, 1, FEW, unit="nobody")
    assert looked > 0


@pytest.mark.parametrize("name", ruleset_names())
def test_answers_are_the_enemys_and_cost_something(name: str) -> None:
    ruleset, kinds = load_ruleset(name), set[str]()
    for state in late(name, 3):
        side = ruleset.to_move(state)
        for one in advise(ruleset, state, 1, FEW, drawn_back=False):
            answer = one.answer
            if answer is None:
                continue
            kinds.add(answer.kind)
            assert answer.cost > 0.0
            assert 0.0 < answer.chance <= 1.0
            assert not answer.unit or answer.moment.unit(answer.unit).side != side
            if answer.action is not None:
                assert not ruleset.check(answer.moment, answer.action)
                assert ruleset.to_move(answer.moment) != side
            else:
                assert answer.moment.unit(answer.target).side == side
    assert kinds


@pytest.mark.parametrize("name", ruleset_names())
def test_what_follows_is_legal_when_it_is_given(name: str) -> None:
    ruleset, looked = load_ruleset(name), 0
    for state in late(name, 2):
        side = ruleset.to_move(state)
        (best,) = advise(ruleset, state, 1, FEW, answered=False, drawn_back=False)
        orders = following(ruleset, state, best.action, source=policy("straight-ahead"), budget=Budget(evaluations=3))
        looked += len(orders)
        chance = 1.0
        for number, order in enumerate(orders):
            assert not ruleset.check(order.moment, order.action)
            assert order.side == ruleset.to_move(order.moment)
            assert order.side == side or number == 0
            assert order.chance <= chance + 1e-9
            chance = order.chance
    assert looked > 0


def late(name: str, most: int) -> tuple[State, ...]:
    """The last few decisions of the beginning of a game."""
    ruleset = load_ruleset(name)
    return decisions(name, ruleset.info.sizes[0], 33, 16)[-most - 4 : -4]
