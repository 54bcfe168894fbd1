"""Levels and styles: four and three, open, each made of a policy that is known by name."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tactician.agent.ladder import usual_policies
from tactician.agent.levels import LEVELS, Level, level, levels, opponent, style_names
from tactician.agent.policies import base, policy, policy_names
from tactician.agent.policies.greedy import Greedy
from tactician.agent.policies.random_choice import RandomChoice
from tactician.agent.policies.search import STYLES
from tactician.agent.search.plan import PlanSearch
from tactician.agent.value.profiles import profile, profile_names

ORDER = ("random", "straight-ahead", "doctrine-steady", "doctrine-bold", "greedy", "search")


def test_there_are_four_from_easy_to_hard() -> None:
    assert [one.name for one in levels()] == ["recruit", "regular", "veteran", "master"]
    assert all(low.evaluations <= high.evaluations for low, high in pairwise(LEVELS))
    assert len({one.policy for one in LEVELS}) == 4
    for one in LEVELS:
        assert level(one.name) is one
        assert one.policy in policy_names()
        assert one.sentence.startswith("Looks ")
        assert one.sentence.endswith(".")


def test_an_unknown_level_is_refused_with_the_nearest() -> None:
    with pytest.raises(ValueError, match="there is no level 'vetran'; did you mean 'veteran'"):
        level("vetran")


@pytest.mark.parametrize(
    ("name", "style", "message"),
    [
        ("mastr", "", "no level or policy 'mastr'; did you mean 'master'"),
        ("gredy", "", "no level or policy 'gredy'; did you mean 'greedy'"),
        ("master", "bold", "no style 'bold'"),
        ("recruit", "cautious", "recruit knows one way to play; styles are for regular, veteran, master"),
        ("search-cautious", "aggressive", "search-cautious knows one way to play"),
    ],
)
def test_what_nobody_plays_is_refused(name: str, style: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        opponent(name, style)


def test_whoever_names_nothing_meets_a_balanced_veteran() -> None:
    found = opponent()
    assert found.level is level("veteran")
    assert found.style == "balanced"
    assert (found.policy.name, found.budget.evaluations) == ("greedy", 24)


@pytest.mark.parametrize("one", LEVELS, ids=lambda one: one.name)
def test_a_level_plays_its_policy_with_its_budget(one: Level) -> None:
    found = opponent(one.name)
    assert found.policy.name == one.policy
    assert found.budget.evaluations == one.evaluations
    assert found.looks == one.sentence
    assert bool(found.style) == bool(found.sentence) == (one.name != "recruit")


def test_a_policy_named_for_itself_is_no_level() -> None:
    named, stranger = opponent("search", "aggressive"), opponent("random")
    assert named.level is None
    assert named.policy.name == "search-aggressive"
    assert named.looks == level("master").sentence
    assert (stranger.level, stranger.looks, stranger.style, stranger.sentence) == (None, "", "", "")


def test_the_styles_are_those_of_the_profiles() -> None:
    assert style_names() == profile_names()
    for style in STYLES:
        played, greedy = opponent("master", style.name), opponent("veteran", style.name).policy
        assert played.policy.name == style.policy == policy(style.policy).name
        assert isinstance(played.policy, PlanSearch)
        assert played.policy.settings.sketch == style.sketch
        assert played.policy.weights == style.weights == profile(style.name).weights
        assert played.sentence == style.sentence
        assert style.sentence.endswith(".")
        assert isinstance(greedy, Greedy)
        assert greedy.weights == style.weights
    careful, even, bold = (style.sketch for style in STYLES)
    assert careful.losses > even.losses > bold.losses
    assert careful.watch > even.watch > bold.watch


def test_the_script_leans_as_far_as_it_can() -> None:
    found = [opponent("regular", style) for style in style_names()]
    assert [one.policy.name for one in found] == ["doctrine-steady", "doctrine-steady", "doctrine-bold"]
    assert found[0].sentence == found[1].sentence != found[2].sentence


def test_the_ladder_meets_each_policy_in_one_style_and_takes_in_new_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    assert usual_policies() == ORDER
    assert set(policy_names()) - set(ORDER) == {"search-cautious", "search-aggressive"}
    monkeypatch.setattr(base, "_REGISTERED", {**base._REGISTERED, "mine": RandomChoice})
    assert usual_policies() == (*ORDER, "mine")
