from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from tactician.agent.outlook import endings, representatives
from tactician.agent.value.terms import SENTENCES, Weights, terms, total, value
from tactician.rules.core.action import Pairs
from tactician.rules.core.appraisal import PlainAppraiser, appraiser_of
from tactician.rules.core.chance import Faces, Successes, Total
from tactician.rules.core.choice import Assign, Choice, Declare
from tactician.rules.core.ruleset import Scenario, load_ruleset
from tactician.rules.core.state import SIDES, State, Unit, other_side
from tactician.rules.core.targets import main_target

from tests.agent.positions import NAMES, decisions
from tests.conformance.games import play

WEIGHTS = Weights()


@pytest.mark.parametrize("name", NAMES)
def test_the_terms_are_named_explained_and_add_up(name: str) -> None:
    ruleset = load_ruleset(name)
    for state in decisions(name, ruleset.info.sizes[0], 3, 12):
        for side in SIDES:
            found = terms(ruleset, state, side, WEIGHTS)
            assert [term.name for term in found] == list(SENTENCES)
            assert all(term.sentence for term in found)
            assert total(found) == pytest.approx(value(ruleset, state, side, WEIGHTS), abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_models_count_for_one_side_what_they_count_against_the_other(name: str) -> None:
    ruleset = load_ruleset(name)
    only = Weights(scoring=0.0, goals=0.0, threat=0.0, danger=0.0, exposure=0.0, alert=0.0, pieces=0.0, apart=0.0)
    for state in decisions(name, ruleset.info.sizes[0], 4, 12):
        assert value(ruleset, state, "red", only) == pytest.approx(-value(ruleset, state, "blue", only))


@pytest.mark.parametrize("name", NAMES)
def test_losing_a_model_is_worse(name: str) -> None:
    ruleset = load_ruleset(name)
    for state in decisions(name, ruleset.info.sizes[0], 5, 12):
        for unit in state.units:
            if not unit.models or len(state.agenda) != 1:
                continue
            after = state.with_unit(unit.without((unit.models[0].id,)))
            foe = other_side(unit.side)
            assert value(ruleset, after, unit.side, WEIGHTS) < value(ruleset, state, unit.side, WEIGHTS)
            assert value(ruleset, after, foe, WEIGHTS) > value(ruleset, state, foe, WEIGHTS)


@pytest.mark.parametrize("name", NAMES)
def test_a_finished_game_is_worth_its_result(name: str) -> None:
    ruleset = load_ruleset(name)
    state = decisions(name, ruleset.info.sizes[0], 3, 12)[0]
    over = replace(state, agenda=())
    found = {term.name: term.amount for term in terms(ruleset, over, "red", WEIGHTS)}
    assert found["result"] == WEIGHTS.result * ruleset.returns(over)[0]
    assert found["threat"] == found["danger"] == 0.0


def test_few_outcomes_stand_for_many() -> None:
    for roll in (
        Faces(why="shots", dice=10, bands=(("critical", 1, 1), ("lock", 2, 3))),
        Successes(why="hits", dice=12, at_least=4),
        Total(why="march", dice=2),
    ):
        for parts in (1, 2, 3, 5):
            found = representatives(roll, parts)
            assert len(found) <= parts
            assert sum(share for _, share in found) == pytest.approx(1.0)
            assert all(outcome in dict(roll.support()) for outcome, _ in found)
    exact = representatives(Successes(why="one", dice=1, at_least=4), 3)
    assert dict(exact) == {0: 0.5, 1: 0.5}


def test_the_mean_of_the_outcomes_that_stand_for_a_roll_is_near_its_own() -> None:
    for dice in range(2, 14):
        roll = Successes(why="hits", dice=dice, at_least=4)
        mean = sum(int(str(outcome)) * share for outcome, share in representatives(roll, 3))
        assert mean == pytest.approx(dice / 2, abs=0.35)


@pytest.mark.parametrize("name", NAMES)
def test_the_chances_of_the_endings_sum_to_one(name: str) -> None:
    ruleset = load_ruleset(name)
    for state in decisions(name, ruleset.info.sizes[0], 6, 8):
        for choice in ruleset.choices(state):
            found = endings(ruleset, state, choice.canonical(state))
            assert sum(ending.chance for ending in found) == pytest.approx(1.0)


@pytest.mark.parametrize("name", NAMES)
def test_expected_losses_of_an_attack_are_those_of_its_dice(name: str) -> None:
    """Wherever the appraiser knows odds they are a distribution, and their mean is the harm in points."""
    ruleset = load_ruleset(name)
    appraiser = appraiser_of(ruleset)
    for state in decisions(name, ruleset.info.sizes[-1], 8, 8):
        for unit in state.units:
            for foe in state.against(unit.side):
                if not unit.models:
                    continue
                odds = appraiser.losses(state, unit, foe)
                assert sum(odds) == pytest.approx(1.0)
                assert len(odds) <= len(foe.models) + 1
                points = appraiser.worth(state, foe) / len(foe.models)
                mean = sum(count * chance for count, chance in enumerate(odds))
                assert appraiser.harm(state, unit, foe) == pytest.approx(mean * points)


@pytest.mark.parametrize("name", [name for name in NAMES if hasattr(load_ruleset(name), "appraiser")])
def test_the_appraiser_s_odds_are_what_the_rules_lead_to(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every outcome of an unanswered attack, followed by the exact rules, against the distribution in closed form."""
    ruleset, compared = load_ruleset(name), 0
    appraiser = appraiser_of(ruleset)
    monkeypatch.setattr(type(appraiser), "reply", lambda self, state, choices: None)
    start = ruleset.start(Scenario(size=ruleset.info.sizes[0], deployed=True))
    for state in (ply.before for seed in range(10) for ply in play(ruleset, start, seed) if ply.action is not None):
        for choice in ruleset.choices(state) if len(state.agenda) == 1 and compared < 3 else ():
            for foe, option in attacks(state, choice):
                counted = [0.0] * (len(foe.models) + 1)
                for ending in endings(ruleset, state, replace(choice.bare(), targets=option), 1e9, 1e9):
                    counted[len(foe.models) - len(ending.state.unit(foe.id).models)] += ending.chance
                odds = appraiser.losses(state, state.unit(choice.unit), foe)
                assert list(odds) == pytest.approx(counted[: len(odds)])
                assert sum(counted[len(odds) :]) == 0.0
                compared += 1
    assert compared > 0


def attacks(state: State, choice: Choice) -> Iterator[tuple[Unit, Pairs]]:
    """Attacks on one enemy unit that nobody walks for: where models choose, the best of a unit's on each enemy."""
    domain, seen = choice.domain, set[str]()
    if isinstance(domain, Declare):
        for option, kind in zip(domain.options, domain.kinds, strict=True):
            if kind is None and len(option) == 1:
                yield state.unit(option[0][1]), option
    for option in domain.usual if isinstance(domain, Assign) and choice.verb == "shoot" else ():
        foe = main_target(state, option)
        if foe is not None and foe not in seen:
            seen.add(foe)
            yield state.unit(foe), option


def test_a_game_without_an_appraiser_gets_the_plain_one() -> None:
    assert isinstance(appraiser_of(load_ruleset("_template")), PlainAppraiser)
