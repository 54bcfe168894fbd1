"""What `suggest` tells: gain and loss, the enemy's answer, what follows, for one unit, from any policy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tactician.agent.advice import Answer, Plan, Prospect
from tactician.commands.plans import answer_words, plan_lines, plans, steady_line
from tactician.rules.core.action import Action
from tactician.rules.core.ruleset import Scenario

from tests.app.conftest import Run
from tests.app.table import RULES

STATE = RULES.start(Scenario(size="duel", deployed=True, first="red"))


def test_a_suggestion_tells_gain_and_loss_the_answer_and_what_follows(run: Run, battle: Path) -> None:
    code, out, _ = run("suggest", battle, "--top", "1", "--time", "0", "--json")
    assert code == 0
    (plan,) = json.loads(out)["plans"]
    assert plan["gain"] >= 0.0
    assert plan["loss"] >= 0.0
    assert {"answer", "steady", "drawn_back", "then", "losses", "exact"} <= plan.keys()
    assert 0.0 <= plan["steady"] <= 1.0
    for loss in plan["losses"]:
        assert 0.0 <= loss["all"] <= loss["half"] <= loss["any"] <= 1.0 + 1e-9


def test_one_unit_and_any_policy_may_be_asked(run: Run, battle: Path) -> None:
    code, out, _ = run("suggest", battle, "--top", "2", "--time", "0", "--unit", "R1", "--by", "straight-ahead")
    assert code == 0
    assert "1. R1 " in out
    code, _, err = run("suggest", battle, "--time", "0", "--unit", "R9")
    assert code == 2
    assert "'R9' has nothing to decide now" in err
    code, _, err = run("suggest", battle, "--time", "0", "--by", "nobody")
    assert code == 2
    assert "there is no policy 'nobody'" in err


def test_the_whole_turn_is_looked_at_on_demand() -> None:
    (whole,) = plans(RULES, STATE, 1, 0.0, by="straight-ahead", whole_turn=True, with_odds=False)
    assert 1 <= len(whole.then) <= 24
    told = "\n".join(plan_lines(1, whole))
    assert f"then {whole.then[0]}" in told
    assert told.count("     and  ") == len(whole.then) - 1


@pytest.mark.parametrize(
    ("kind", "moves", "words"),
    [
        ("attack", True, "B1 shoot at R1 in his next turn if it comes to that (50.0 %): after a move, up to 2.00"),
        (
            "attack",
            False,
            "B1 shoot at R1 in his next turn if it comes to that (50.0 %): from where it stands, 2.00",
        ),
        ("response", False, "pass at once if it comes to that (50.0 %): takes 2.00 of the value on average, 1.00"),
        ("order", False, "pass as his next order if it comes to that (50.0 %): takes 2.00 of the value on average"),
    ],
)
def test_answers_in_words(kind: str, moves: bool, words: str) -> None:
    action = None if kind == "attack" else Action(verb="pass")
    told = answer_words(
        Answer(
            kind=kind,  # type: ignore[arg-type]
            unit="B1",
            cost=2.0,
            loss=1.0,
            moment=STATE,
            action=action,
            verb="shoot",
            target="R1",
            moves=moves,
            chance=0.5,
        )
    )
    assert told.startswith(words)


def test_how_steady_a_plan_is_in_words() -> None:
    plan = Plan(action=Action(verb="pass"), value=0.0, reasons=(), prospect=Prospect(gain=0.0, loss=0.0), steady=0.875)
    assert steady_line(plan) == 'put down up to 0.25" off without a look, 87.5 % of the steps stay legal'
