"""The example bot and the page that tells how to write one: both run as they stand there."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

import pytest
from tactician.agent.arena import play_game
from tactician.agent.dice import stream
from tactician.agent.ladder import Pair, Settings, fixtures, played, usual_settings
from tactician.agent.policies import Budget, base, policy, policy_names
from tactician.agent.standings import encounters, standings
from tactician.rules.core.ruleset import load_ruleset

from tests.agent.positions import NAMES, decisions, smallest
from tests.architecture.tree import ROOT

BOT = ROOT / "examples" / "counting_bot.py"
PAGE = ROOT / "docs" / "adding-a-policy.md"


@pytest.fixture
def bot(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The file, loaded as it would be in the folder of the policies; forgotten afterwards."""
    policy_names()
    monkeypatch.setattr(base, "_REGISTERED", dict(base._REGISTERED))
    spec = spec_from_file_location("counting_bot", BOT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_is_one_file_with_one_registration(bot: ModuleType) -> None:
    assert "counting" in policy_names()
    assert isinstance(policy("counting"), bot.Counting)
    assert BOT.read_text(encoding="utf-8").count("@register(") == 1


@pytest.mark.parametrize("name", NAMES)
def test_it_keeps_what_the_page_asks_of_a_bot(bot: ModuleType, name: str) -> None:
    ruleset = load_ruleset(name)
    for state in decisions(name, ruleset.info.sizes[0], 21, 8):
        for evaluations in (0, 3):
            budget = Budget(evaluations=evaluations)
            first, again = (bot.Counting().decide(ruleset, state, budget, stream(1, "")) for _ in range(2))
            assert first == again
            assert not ruleset.check(state, first.action)
            assert len(first.alternatives) < max(evaluations, 1)


def ladder(games: int, evaluations: int) -> tuple[Settings, tuple[Pair, ...]]:
    settings = usual_settings(load_ruleset("voidsiege"), ("counting", "random"), games=games, evaluations=evaluations)
    return settings, tuple(played(settings, fixtures(settings)))


def test_it_plays_on_the_ladder(bot: ModuleType) -> None:
    settings, pairs = ladder(2, 2)
    rows = standings(settings.policies, pairs)
    assert sorted(one.policy for one in rows) == ["counting", "random"]
    assert all(one.all.games == 2 and one.faults == 0 and one.decisions > 0 for one in rows)


@pytest.mark.slow
def test_it_gets_the_better_of_random(bot: ModuleType) -> None:
    _, pairs = ladder(20, 24)
    (one,) = encounters(("counting", "random"), pairs)
    assert one.score >= 0.6, one


def test_the_frame_on_the_page_plays(bot: ModuleType) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    exec(compile(block, PAGE.name, "exec"), {"__name__": "page"})
    ruleset = load_ruleset("_template")
    players = {"red": policy("first"), "blue": policy("counting")}
    assert play_game(ruleset, smallest(ruleset), players, 1).ending in ruleset.info.ends


def test_the_page_names_modules_that_exist() -> None:
    text = PAGE.read_text(encoding="utf-8")
    named = re.findall(r"`(tactician(?:\.\w+)+)\(", text)
    assert len(named) >= 5
    for name in named:
        module, _, attribute = name.rpartition(".")
        assert hasattr(__import__(module, fromlist=[attribute]), attribute), name
