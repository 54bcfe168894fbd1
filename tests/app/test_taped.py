"""Exact orders as people see them: suggestions by tape, in words, as data and at the table."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tactician.agent.advise import advise
from tactician.agent.policies import Budget, policy
from tactician.agent.tape.orders import HOW, tape_of
from tactician.agent.tape.reading import rebuilt
from tactician.hints import advised
from tactician.orders import read, words
from tactician.rules.core.action import Action
from tactician.rules.core.legs import Straight
from tactician.rules.core.ruleset import Scenario, load_ruleset, ruleset_names
from tactician.rules.core.state import State
from tactician.session import play
from tactician.taped import tape_data, tape_lines, tight_line

from tests.agent.positions import decisions
from tests.app.conftest import Run
from tests.app.table import RULES, Table


def forward(state: State, inches: float) -> Action:
    """Red's unit up the table as it stands."""
    models = state.unit("R1").models
    ways = tuple((one.id, (Straight((one.pose.x, one.pose.y + inches)),)) for one in models)
    return Action(verb="move", unit="R1", paths=ways)


def test_suggestions_are_printed_by_tape(run: Run, battle: Path) -> None:
    code, out, _ = run("suggest", battle, "--top", "2", "--time", "0")
    assert code == 0
    assert HOW in out
    assert '" from the ' in out
    assert " o'clock (" in out
    assert re.search(r"without a look, \d+\.\d % of the steps stay legal", out)


def test_suggestions_as_data_hold_the_tape(run: Run, battle: Path) -> None:
    state = RULES.from_data(json.loads(battle.read_text(encoding="utf-8")))
    plans = json.loads(run("suggest", battle, "--top", "2", "--time", "0", "--json")[1])["plans"]
    taped = [(plan, plan["tape"]) for plan in plans if plan["tape"] is not None]
    assert taped
    assert all(plan["tape"] is None for plan in plans if not plan["action"].get("paths"))
    for plan, tape in taped:
        unit = state.unit(plan["action"]["unit"])
        assert sorted(plan["action"]["paths"]) == sorted(step["model"] for step in tape["steps"])
        for step in tape["steps"]:
            x, y = rebuilt(step["places"][0]["text"], state.board, {}, unit.radius)
            assert (x, y) == pytest.approx(step["end"]["at"], abs=0.1)
            assert step["places"][0]["from"][0].keys() == {"edge", "inches"}
            assert all(room["inches"] < 0.25 and room["clause"] in room["text"] for room in step["tight"])


def test_an_order_is_told_in_lines_and_its_tightest_steps_in_one() -> None:
    state = RULES.start(Scenario(size="duel", deployed=True, first="red"))
    far, near = forward(state, 6.0), forward(state, 1.0)
    assert tape_lines(RULES, state, far)[0].startswith("by tape")
    assert tight_line(RULES, state, far).startswith('tight: R1a 0.00" of room (')
    assert tight_line(RULES, state, far).endswith("2 more")
    assert tape_lines(RULES, state, Action(verb="pass")) == ()
    assert tight_line(RULES, state, Action(verb="pass")) == ""
    assert tape_data(tape_of(RULES, state, Action(verb="pass"))) is None
    assert len(tape_lines(RULES, state, near)) > len(state.unit("R1").models)


def test_why_tells_a_suggestion_and_a_legal_order_by_tape() -> None:
    state = RULES.start(Scenario(size="duel", deployed=True, first="red"))
    table = Table(["why R1 move by 0,1", "?", "why 1", "quit"])
    adviser = advised(Budget(evaluations=8))
    play(RULES, state, human="red", bot=policy("greedy"), ask=table.ask, tell=table.tell, adviser=adviser)
    assert next(line for line in table.transcript if HOW in line).startswith(f"  {HOW}")
    best = adviser(RULES, state, 1)[0].action
    for line in tape_lines(RULES, state, best):
        assert f"  {line}" in table.transcript
    tight = tight_line(RULES, state, best)
    assert not tight or f"     1 is {tight}; why 1 tells it by tape" in table.transcript


def test_an_order_that_is_illegal_is_not_told_by_tape() -> None:
    state = RULES.start(Scenario(size="duel", deployed=True, first="red"))
    table = Table(["why R1 move by 0,15", "quit"])
    play(RULES, state, human="red", bot=policy("greedy"), ask=table.ask, tell=table.tell)
    assert "not legal" in table.text
    assert HOW not in table.text


@pytest.mark.slow
@pytest.mark.parametrize("name", ruleset_names())
def test_plans_carried_out_as_printed_are_legal(name: str) -> None:
    ruleset, done = load_ruleset(name), 0
    for seed in (930, 931):
        for state in decisions(name, ruleset.info.sizes[1], seed, 20):
            for plan in advise(ruleset, state, 5, Budget(evaluations=16), answered=False):
                (action,) = read(ruleset, state, words(ruleset, state, plan.action)).actions
                assert ruleset.check(state, action) == ()
                assert ruleset.apply(state, action) != state
                done += 1
    assert done >= 50
