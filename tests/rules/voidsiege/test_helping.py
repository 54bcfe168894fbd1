"""Answers for a friend, models that come back, models that are dragged: beyond what the cases tell."""

from __future__ import annotations

import random
from math import hypot
from typing import Any

import pytest
from tactician import orders
from tactician.agent.policies.base import Budget, policy
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.measure import TOL
from tactician.rules.core.notation import action_from_text
from tactician.rules.core.scene import bases_of
from tactician.rules.core.state import State
from tactician.rules.voidsiege import RULESET
from tactician.rules.voidsiege.state import VoidState

HAULER = {
    "move": 6,
    "target_lock": 3,
    "resolve": 4,
    "number": 5,
    "rules": ["drag"],
    "weapons": [{"id": "hook", "range": 36, "rof": 2, "force": 1}],
}


def models(name: str, *places: tuple[float, float]) -> list[dict[str, Any]]:
    return [{"id": f"{name}{number}", "at": list(place)} for number, place in enumerate(places, start=1)]


def charged(helper: str = "walker", **status: list[str]) -> State:
    """A spider charges troopers; a walker or another helper stands nearby."""
    row = [(18.0 + 1.5 * i, 18.0) for i in range(5)]
    troopers = {"id": "T", "name": "Troopers", "profile": "troopers", "models": models("T", *row)}
    places = [(13.0, 20.0)] if helper == "walker" else [(11.5 + 1.1 * i, 20.0) for i in range(4)]
    walker = {"id": "W", "name": "Walker", "profile": helper, "models": models("W", *places)}
    spider = {"id": "S", "name": "Spider", "profile": "death-spider", "models": models("S", (10.0, 10.0))}
    for unit in (troopers, walker):
        unit["restrictions"] = status.get(str(unit["id"]), [])
    data = {
        "ruleset": "voidsiege",
        "board": {"width": 36, "height": 36},
        "sides": {"red": {"units": [spider]}, "blue": {"units": [troopers, walker]}},
        "active": "red",
    }
    return RULESET.apply(RULESET.from_data(data), action_from_text("S assault charge=T"))


# ---- who chooses them ------------------------------------------------------------------------------------------------


def test_greedy_covers_a_friend_that_cannot_answer() -> None:
    decision = policy("greedy").decide(RULESET, charged(T=["Defend", "Run", "Shoot"]), Budget(), random.Random(1))
    assert (decision.action.verb, decision.action.unit) == ("covering_fire", "W")


def test_greedy_intervenes_where_that_spares_more_than_it_costs() -> None:
    state = charged("horde", T=["Shoot"])
    sensible = appraiser_of(RULESET).reply(state, RULESET.choices(state))
    assert sensible is not None
    assert sensible.verb == "intervene"
    assert RULESET.check(state, sensible) == ()
    decision = policy("greedy").decide(RULESET, state, Budget(), random.Random(1))
    assert (decision.action.verb, decision.action.unit) == ("intervene", "W")
    after = RULESET.apply(state, sensible)
    assert RULESET.fact(after, "charged") == "W"


def test_a_costly_unit_is_not_thrown_in_for_a_cheap_one() -> None:
    state = charged(T=["Shoot"], W=["Shoot"])
    assert RULESET.fact(state, "offers.intervene.W") is True
    assert appraiser_of(RULESET).reply(state, RULESET.choices(state)) is None


def test_a_charger_is_thought_to_go_home() -> None:
    state = RULESET.apply(charged(), Action(verb="pass"))
    home = appraiser_of(RULESET).reply(state, RULESET.choices(state))
    assert home is not None
    assert RULESET.fact(RULESET.apply(state, home), "units.S.engaged") is True


@pytest.mark.parametrize(
    ("words", "order"),
    [
        ("W covering fire at S", "W covering_fire shoot=S"),
        ("walker cover spider", "W covering_fire shoot=S"),
        ("W intervene to 13,15", "W intervene W1: 13,15"),
        ("intervene", "W intervene"),
    ],
)
def test_answers_for_a_friend_in_words(words: str, order: str) -> None:
    state = charged()
    (action,) = orders.read(RULESET, state, words).actions
    assert action == action_from_text(order)
    assert orders.read(RULESET, state, orders.words(RULESET, state, action)).actions == (action,)


# ---- dragging --------------------------------------------------------------------------------------------------------


def hooked(red: list[dict[str, Any]], blue: list[dict[str, Any]], *features: dict[str, Any]) -> State:
    """The moment after a unit with Drag has done one damage, and the owner has taken the last model off."""
    data = {
        "ruleset": "voidsiege",
        "board": {"width": 36, "height": 36, "features": list(features)},
        "profiles": {"hauler": HAULER, "target": {"move": 6, "target_lock": 3, "resolve": 3}},
        "sides": {
            "red": {"units": [{"id": "A", "profile": "hauler", "models": red}]},
            "blue": {"units": [{"id": "E", "profile": "target", "models": blue}]},
        },
        "active": "red",
    }
    state = RULESET.from_data(data)
    for order in ("A shoot shoot=E", "pass"):
        state = RULESET.apply(state, action_from_text(order))
    state = RULESET.resolve(state, (1, 0))
    last = blue[-1]["id"]
    return RULESET.apply(state, action_from_text(f"E remove {last}"))


@pytest.mark.parametrize("seed", range(12))
def test_whoever_is_dragged_ends_in_contact_on_free_ground(seed: int) -> None:
    rng = random.Random(seed)
    wall = {"id": "wall", "shape": {"rect": [14, 8 + rng.random(), 16, 14]}, "height": 1, "impassable": True}
    block = {"id": "block", "shape": {"rect": [19, 12, 21, 14]}, "surface": {"height": 1}}
    near = (22 + 4 * rng.random(), 9 + 6 * rng.random())
    state = hooked(models("A", (9, 11), (9, 12.5)), models("E", near, (30, 11), (30, 13)), wall, block)
    if RULESET.to_move(state) == "red" and state.agenda[-1].kind == "drag":
        state = RULESET.apply(state, RULESET.choices(state)[0].canonical(state))
    assert isinstance(state, VoidState)
    assert RULESET.fact(state, "units.A.gap.E") == pytest.approx(0.0, abs=TOL)
    bases = [base for unit in state.units for base in bases_of(state, unit)]
    for i, base in enumerate(bases):
        for other in bases[:i]:
            assert hypot(base.x - other.x, base.y - other.y) >= 1.0 - TOL


def test_dragging_round_a_wall_is_told_with_its_inches() -> None:
    wall = {"id": "wall", "shape": {"rect": [14, 6, 16, 11]}, "height": 1, "impassable": True}
    state = hooked(models("A", (10, 10)), models("E", (20, 10), (22, 10), (22, 12)), wall)
    (told,) = [line for line in state.log if "drags" in line]
    inches = float(told.split(" inches")[0].split()[-1])
    corner = hypot(20 - 16, 11 - 10)
    assert 9.0 < inches < 9.0 + 2 * (corner - 4.0) + 1.6


def test_the_model_that_is_dragged_is_chosen_in_words() -> None:
    state = hooked(models("A", (10, 10)), models("E", (20, 9), (20, 11), (22, 10)))
    (action,) = orders.read(RULESET, state, "A drag E2").actions
    assert action == Action(verb="drag", unit="A", models=("E2",))
    assert orders.read(RULESET, state, orders.words(RULESET, state, action)).actions == (action,)


# ---- a Horde ---------------------------------------------------------------------------------------------------------


def test_a_horde_that_is_gone_does_not_come_back() -> None:
    horde = {"id": "H", "profile": "horde", "models": models("H", (20.0, 10.0)), "lost": ["H2", "H3"]}
    data = {
        "ruleset": "voidsiege",
        "board": {"width": 36, "height": 36},
        "sides": {
            "red": {"units": [{"id": "R", "profile": "troopers", "models": models("R", (10, 10))}]},
            "blue": {"units": [horde, {"id": "T", "profile": "troopers", "models": models("T", (30, 30))}]},
        },
        "active": "red",
    }
    state = RULESET.apply(RULESET.from_data(data), action_from_text("R shoot shoot=H"))
    state = RULESET.resolve(RULESET.apply(state, Action(verb="pass")), (1, 0))
    assert RULESET.fact(state, "units.H.models") == 0
    assert {choice.unit for choice in RULESET.choices(state)} == {"T"}
    assert RULESET.to_move(state) != CHANCE
