"""The random steps behind the evidence of environments: counted, resumable, and able to find a fault."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from tactician.env import id_of, ids
from tactician.env.game import Game
from tactician.rules.core.action import Action
from tactician.rules.core.clauses import MALFORMED, Violation
from tactician.rules.core.ruleset import load_ruleset

from tests.architecture.tree import ROOT

STEPS = 30


@pytest.fixture
def claims(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Benchmarks are run from the checkout and are no part of the package."""
    monkeypatch.syspath_prepend(str(ROOT))
    return import_module("benchmarks.env_claims")


@pytest.fixture
def playing(claims: ModuleType) -> ModuleType:
    """What presses the numbers."""
    return import_module("benchmarks.env_playing")


def walked(claims: ModuleType, playing: ModuleType) -> Any:
    """The beginning of the first stretch of the first claim."""
    claim = claims.env_claims()[0]
    return playing.stepped(claim.ruleset, replace(claim.games()[0], steps=STEPS))


def test_there_is_a_claim_for_every_id(claims: ModuleType) -> None:
    assert [id_of(claim.ruleset, claim.size) for claim in claims.env_claims()] == list(ids())
    for claim in claims.env_claims():
        stretches = claim.games()
        assert sum(one.steps for one in stretches) == claims.STEPS
        assert [one.number for one in stretches] == list(range(len(stretches)))
        assert stretches == claim.games()


def test_a_stretch_is_counted_comes_back_from_its_line_and_is_the_same_again(
    claims: ModuleType, playing: ModuleType
) -> None:
    one = walked(claims, playing)
    assert one.fault == "", one.story
    assert one.steps == STEPS == sum(times for _, times in one.stages)
    assert one.options >= STEPS
    assert playing.Stepped.from_data(json.loads(json.dumps(one.to_data()))) == one
    assert replace(walked(claims, playing), seconds=0.0) == replace(one, seconds=0.0)
    data = playing.env_result(claims.env_claims()[0], [one])
    assert data["holds"]
    assert data["steps"] == {"planned": claims.STEPS, "finished": STEPS}


def _complaint(*_: object) -> tuple[Violation, ...]:
    return (Violation(clause=MALFORMED, subject="", text="planted"),)


def _nothing(self: Game) -> Any:
    return np.zeros(self.view.layout.size, dtype=np.int8)


def _refuse(self: Game, index: int) -> bool:
    self.illegal[self.mover] += 1
    return False


def _fail(self: Game, action: Action) -> None:
    raise RuntimeError("planted")


@pytest.mark.parametrize(
    ("name", "planted", "fault"),
    [("check", _complaint, "illegal"), ("answer", _refuse, "refused"), ("order", _fail, "exception")],
)
def test_a_planted_fault_is_found(
    name: str, planted: object, fault: str, claims: ModuleType, playing: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim = claims.env_claims()[0]
    owner = type(load_ruleset(claim.ruleset)) if name == "check" else playing.CheckedGame
    monkeypatch.setattr(owner, name, planted)
    found = walked(claims, playing)
    assert found.fault == fault
    assert fault in playing.ENV_FAULTS
    assert found.story
    assert not playing.env_result(claim, [found])["holds"]


def test_an_empty_mask_is_found(claims: ModuleType, playing: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "mask", _nothing)
    monkeypatch.setattr(Game, "legal", property(lambda self: _nothing(self).astype(bool)))
    assert walked(claims, playing).fault == "empty"
