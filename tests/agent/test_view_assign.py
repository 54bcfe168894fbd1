"""Assignments in numbers, as candidates, and for those who choose."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from tactician.agent.advise import advise, is_same_plan
from tactician.agent.policies import Budget, policy
from tactician.agent.propose.candidates import assigned_harm, candidates
from tactician.agent.view.dialogue import View
from tactician.agent.view.layout import layout_of
from tactician.agent.view.seats import Seats
from tactician.rules.core.action import Action, Mark
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.choice import Choice, Window
from tactician.rules.core.state import State
from tactician.rules.core.targets import main_target

from tests.agent.aimers import AIMED_AT_E1, Everything
from tests.conformance.laws import law_check_is_membership, law_choices_are_legal, law_clip_is_legal
from tests.core.volleys import CHARGE, SPLIT, Volleys, everybody, volley_state

GAME = Volleys()
VIEW = View(GAME, layout_of(GAME, "duel"))
STATE = volley_state()
SEATS = Seats.at_start(STATE, VIEW.layout)
SHOOT = Action(verb="shoot", unit="A")


def choice_of(verb: str, state: State = STATE) -> Choice:
    return next(one for one in GAME.choices(state) if one.verb == verb)


def pressed(state: State, seats: Seats, *names: str) -> Action:
    step: tuple[int, ...] | Action = ()
    for name in names:
        assert not isinstance(step, Action)
        step = VIEW.press(state, seats, step, VIEW.layout.index_of(name))
    assert isinstance(step, Action)
    return step


def test_the_made_up_game_keeps_the_laws_of_choices() -> None:
    for law in (law_choices_are_legal, law_clip_is_legal, law_check_is_membership):
        law(GAME, STATE, 3, 30)


def test_an_enemy_stands_for_the_first_usual_assignment_at_it() -> None:
    first = VIEW.press(STATE, SEATS, (), VIEW.layout.index_of("unit 1: shoot"))
    assert isinstance(first, tuple)
    asked = VIEW.asked(STATE, SEATS, first)
    assert (asked.stage, asked.role, asked.in_words()) == ("target", "shoot", "whom it is aimed at (A: shoot)")
    names = [VIEW.layout.name_of(i) for i in range(VIEW.layout.size) if VIEW.mask(STATE, SEATS, first)[i]]
    assert names == ["enemy 1", "enemy 2"]
    assert pressed(STATE, SEATS, "unit 1: shoot", "enemy 1").targets == everybody("E1")
    assert pressed(STATE, SEATS, "unit 1: shoot", "enemy 2").targets == everybody("E2")


def test_what_was_pressed_is_said_again_and_other_assignments_by_whom_they_aim_at() -> None:
    layout = VIEW.layout
    for targets, enemy in ((everybody("E2"), "enemy 2"), (everybody("E1"), "enemy 1"), (SPLIT, "enemy 1")):
        path = VIEW.index_path(STATE, SEATS, replace(SHOOT, targets=targets))
        assert path == (layout.index_of("unit 1: shoot"), layout.index_of(enemy))


def test_an_assignment_without_an_alternative_is_not_asked_about() -> None:
    assert pressed(STATE, SEATS, "unit 1: charge").targets == CHARGE


def test_several_assignments_at_the_only_enemy_are_proposals() -> None:
    state = volley_state(f1=(40, 40))
    first = VIEW.press(state, SEATS, (), VIEW.layout.index_of("unit 1: shoot"))
    assert isinstance(first, tuple)
    assert VIEW.asked(state, SEATS, first).stage == "proposal"
    told = {pressed(state, SEATS, "unit 1: shoot", f"point {number}").targets for number in (1, 2)}
    assert told == {everybody("E1"), everybody("E1:bolter")}


def test_points_that_the_rules_name_come_before_the_middles_of_windows() -> None:
    marks = (Mark(model="e1", inches=3.5), Mark(model="e1", inches=2.5))
    window = Choice("shoot", "A", Window((("e1", 2.0, 4.0), ("e2", 0.0, 1.0)), marks))
    found = [action.mark for action in candidates(GAME, STATE, window)]
    assert found == [*marks, Mark(model="e1", inches=3.0), Mark(model="e2", inches=0.5)]


def test_without_seats_of_the_enemy_the_assignments_are_proposals() -> None:
    bare = replace(SEATS, blue=("",) * VIEW.layout.foes)
    first = VIEW.press(STATE, bare, (), VIEW.layout.index_of("unit 1: shoot"))
    assert isinstance(first, tuple)
    assert VIEW.asked(STATE, bare, first).stage == "proposal"
    for number in range(1, 5):
        action = pressed(STATE, bare, "unit 1: shoot", f"point {number}")
        assert GAME.check(STATE, action) == ()
        path = VIEW.index_path(STATE, bare, action)
        assert path == (*first, VIEW.layout.index_of(f"point {number}"))


def test_candidates_are_the_usual_assignments_those_first_that_destroy_most() -> None:
    appraiser, choice = appraiser_of(GAME), choice_of("shoot")
    found = [one.targets for one in candidates(GAME, STATE, choice)]
    assert sorted(found) == sorted([everybody("E1"), everybody("E2"), SPLIT, everybody("E1:bolter")])
    harms = [assigned_harm(appraiser, STATE, STATE.unit("A"), one) for one in found]
    assert harms == sorted(harms, reverse=True)
    assert found[0] == everybody("E1")  # two models count more than one, and the canonical one stands first
    assert len(candidates(GAME, STATE, choice, 2)) == 2
    assert candidates(GAME, STATE, choice_of("charge"))[0].targets == CHARGE


def test_harm_is_shared_out_by_models() -> None:
    appraiser, unit = appraiser_of(GAME), STATE.unit("A")
    at_first, at_second = (assigned_harm(appraiser, STATE, unit, everybody(name)) for name in ("E1", "E2"))
    assert assigned_harm(appraiser, STATE, unit, SPLIT) == pytest.approx((2 * at_first + at_second) / 3)
    assert assigned_harm(appraiser, STATE, unit, (("a1", "nobody"),)) == 0.0


@pytest.mark.parametrize("name", ["greedy", "straight-ahead", "random"])
def test_policies_give_targets(name: str) -> None:
    action = policy(name).decide(GAME, STATE, Budget(), random.Random(1)).action
    assert GAME.check(STATE, action) == ()
    if name == "greedy":
        assert main_target(STATE, action.targets) == "E1"
    if name == "straight-ahead":
        assert action.targets in (everybody("E1"), CHARGE)


def test_assignments_at_the_same_enemy_are_one_plan() -> None:
    shoot = tuple(replace(SHOOT, targets=targets) for targets in (everybody("E2"), *AIMED_AT_E1))
    same = {(i, j) for i, a in enumerate(shoot) for j, b in enumerate(shoot) if is_same_plan(STATE, a, b)}
    assert same == {(0, 0), *((i, j) for i in (1, 2, 3) for j in (1, 2, 3))}
    plans = advise(GAME, STATE, 5, Budget(evaluations=20), source=Everything())
    shots = {main_target(STATE, plan.action.targets): plan for plan in plans if plan.action.verb == "shoot"}
    assert set(shots) == {"E1", "E2"}
    assert len(plans) == len({(plan.action.verb, main_target(STATE, plan.action.targets)) for plan in plans}) == 3
    assert shots["E1"].action.targets == everybody("E1")  # what was proposed first stands for the others
    odds = shots["E1"].odds
    assert [(one.target, one.chances) for one in odds] == [("E1", (0.125, 0.375, 0.5))]
    charge = next(plan for plan in plans if plan.action.verb == "charge")
    assert str(charge.contact) == "charge at E1: 10.05 inches"
