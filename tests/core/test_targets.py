"""What targets name, and whom an assignment mostly aims at."""

from __future__ import annotations

import pytest
from tactician.rules.core.ruleset import Ruleset, Scenario, load_ruleset, may_measure
from tactician.rules.core.targets import aimed_unit, main_target, name_of, weapon_of

from tests.core.volleys import SPLIT, Volleys, volley_state

STATE = volley_state()


@pytest.mark.parametrize(
    ("target", "unit"),
    [("E1", "E1"), ("e2", "E1"), ("f1:heavy bolter", "E2"), ("E2:", "E2"), ("nobody", None), (":", None), ("", None)],
)
def test_a_target_names_a_unit_or_a_model_of_it(target: str, unit: str | None) -> None:
    found = aimed_unit(STATE, target)
    assert (None if found is None else found.id) == unit


def test_a_weapon_stands_after_a_colon() -> None:
    assert (name_of("E1:heavy bolter"), weapon_of("E1:heavy bolter")) == ("E1", "heavy bolter")
    assert (name_of("E1"), weapon_of("E1")) == ("E1", "")


def test_the_main_target_is_aimed_at_by_most_and_among_equals_named_first() -> None:
    assert main_target(STATE, SPLIT) == "E1"
    assert main_target(STATE, (("a1", "f1"), ("a2", "E1"))) == "E2"
    assert main_target(STATE, (("a1", "e1"), ("a2", "e2:bolter"), ("a3", "f1"))) == "E1"
    assert main_target(STATE, (("a1", "nobody"),)) is None
    assert main_target(STATE, ()) is None


def test_one_may_measure_unless_the_ruleset_says_otherwise() -> None:
    silent: Ruleset = load_ruleset("_template")
    assert not hasattr(silent, "may_measure")
    assert may_measure(silent, silent.start(Scenario(size="duel")))
    assert may_measure(Volleys(), STATE)
    assert not may_measure(Volleys(measuring=False), STATE)
