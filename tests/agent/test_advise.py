from __future__ import annotations

import pytest
from tactician.agent.advise import AGAINST, advise
from tactician.agent.policies import Budget
from tactician.agent.value.terms import SENTENCES
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.ruleset import load_ruleset, may_measure
from tactician.rules.core.shapes import length

from tests.agent.positions import NAMES, decisions, kinds

BUDGET = Budget(evaluations=8)


@pytest.mark.parametrize("name", NAMES)
def test_there_is_advice_at_every_kind_of_decision(name: str) -> None:
    ruleset = load_ruleset(name)
    found = kinds(name, 30)
    assert len(found) >= 3
    for kind, state in sorted(found.items()):
        assert ruleset.to_move(state) not in (CHANCE, TERMINAL), kind
        plans = advise(ruleset, state, 2, BUDGET, answered=False, drawn_back=False)
        assert 1 <= len(plans) <= 2, kind
        for plan in plans:
            assert not ruleset.check(state, plan.action), (kind, plan.action)
            assert ruleset.apply(state, plan.action) != state
            assert sum(term.amount for term in plan.reasons) == pytest.approx(plan.value)
            assert all(term.name in SENTENCES and term.amount for term in plan.reasons)
            assert plan.against == AGAINST


@pytest.mark.parametrize("name", NAMES)
def test_the_best_comes_first_and_no_two_are_the_same_thing(name: str) -> None:
    ruleset = load_ruleset(name)
    for state in decisions(name, ruleset.info.sizes[0], 31, 4):
        plans = advise(ruleset, state, 3, BUDGET, answered=False, drawn_back=False)
        values = [plan.value for plan in plans]
        assert values == sorted(values, reverse=True)
        for i, plan in enumerate(plans):
            for other in plans[:i]:
                assert plan.action != other.action
                if (
                    (plan.action.verb, plan.action.unit, plan.action.targets)
                    == (
                        other.action.verb,
                        other.action.unit,
                        other.action.targets,
                    )
                    and plan.action.paths
                    and other.action.paths
                ):
                    ends = dict(plan.action.paths)
                    assert any(
                        length(ends[m][-1].to[0] - path[-1].to[0], ends[m][-1].to[1] - path[-1].to[1]) >= 1.0
                        for m, path in other.action.paths
                    )


@pytest.mark.parametrize("name", NAMES)
def test_odds_are_distributions_over_what_can_be_lost(name: str) -> None:
    ruleset, seen = load_ruleset(name), 0
    for seed in range(32, 34):
        for state in decisions(name, ruleset.info.sizes[0], seed, 6):
            for plan in advise(ruleset, state, 3, BUDGET, answered=False, drawn_back=False):
                for odds in plan.odds:
                    seen += 1
                    assert sum(odds.chances) == pytest.approx(1.0)
                    assert 0.0 <= odds.any <= 1.0
                    assert odds.expected <= len(state.unit(odds.target).models)
                    assert odds.target in str(odds)
                if plan.contact is not None:
                    assert plan.contact.target in str(plan.contact)
                    allowance, left = plan.contact.allowance, plan.contact.left
                    assert left is None or allowance is None or plan.contact.gap <= allowance + left + 1.1
    assert seen > 0


@pytest.mark.parametrize("name", NAMES)
def test_the_advice_is_the_same_whenever_it_is_asked_for(name: str) -> None:
    ruleset = load_ruleset(name)
    for state in decisions(name, ruleset.info.sizes[0], 36, 2):
        seed = 2 if may_measure(ruleset, state) else 1  # who may not measure estimates, every seed for itself
        first, second = (advise(ruleset, state, 1, Budget(evaluations=4), one) for one in (1, seed))
        assert first == second
