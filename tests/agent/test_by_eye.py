"""Distances by eye: the same for everybody who looks alike, right on average, and used where nobody may measure."""

from __future__ import annotations

import subprocess
import sys
from statistics import fmean, stdev

import pytest
from tactician.agent.advise import advise
from tactician.agent.by_eye import EXACT, SPREAD, Measure, about, by_eye, chance_within, measure_of, seen
from tactician.agent.policies import Budget
from tactician.agent.propose.aims import aims, nearest_pair
from tactician.agent.value.terms import Weights, terms
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.state import Unit, gap

from tests.agent.aimers import Everything
from tests.core.volleys import Volleys, volley_state

OPEN, SHUT = Volleys(), Volleys(measuring=False)
STATE = volley_state()


def test_an_estimate_is_the_same_in_every_process() -> None:
    code = "from tactician.agent.by_eye import by_eye; print(repr(by_eye(11.0, 3, 2, ('A', 'E1'))))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(run.stdout) == by_eye(11.0, 3, 2, ("A", "E1")) == by_eye(11.0, 3, 2, ("E1", "A"))


def test_estimates_differ_by_who_looks_turn_and_pair_and_grow_with_the_distance() -> None:
    one = by_eye(10.0, 0, 1, ("A", "E1"))
    others = {by_eye(10.0, 1, 1, ("A", "E1")), by_eye(10.0, 0, 2, ("A", "E1")), by_eye(10.0, 0, 1, ("A", "E2"))}
    assert len({one, *others}) == 4
    assert by_eye(20.0, 0, 1, ("A", "E1")) == pytest.approx(2 * one)
    assert by_eye(0.0, 0, 1, ("A", "E1")) == 0.0


def test_estimates_are_right_on_average_and_scatter_by_a_twentieth() -> None:
    seen_as = [by_eye(1.0, seed, 1, ("A", "E1")) for seed in range(4000)]
    assert fmean(seen_as) == pytest.approx(1.0, abs=0.004)
    assert stdev(seen_as) == pytest.approx(SPREAD, rel=0.06)
    within = sum(abs(one - 1.0) < SPREAD for one in seen_as) / len(seen_as)
    assert within == pytest.approx(0.683, abs=0.03)


def test_an_estimate_is_told_in_whole_inches() -> None:
    assert [about(value) for value in (10.83, 0.2, 7.5001)] == ["about 11", "about 0", "about 8"]


def test_how_likely_a_guess_is_near_enough() -> None:
    assert chance_within(8.0, 8.0) == pytest.approx(0.5)
    assert chance_within(8.4, 8.0) == pytest.approx(0.1587, abs=0.001)
    assert chance_within(4.0, 8.0) == pytest.approx(1.0)
    assert (chance_within(0.0, 0.0), chance_within(1.0, 0.0)) == (1.0, 0.0)


def test_a_measure_is_the_tape_or_the_eye() -> None:
    assert measure_of(OPEN, STATE) == EXACT
    assert measure_of(OPEN, STATE).gap(10.0, "A", "E1") == 10.0
    eye = measure_of(SHUT, STATE, 7)
    assert eye == Measure(False, 7, 1)
    assert eye.gap(10.0, "A", "E1") == by_eye(10.0, 7, 1, ("A", "E1")) == 10.0 * eye.factor("E1", "A")


def test_the_moment_as_it_is_seen_has_the_estimated_gap() -> None:
    eye = measure_of(SHUT, STATE)
    moved = seen(STATE, "A", "E1", eye)
    mine, before, after = STATE.unit("A"), STATE.unit("E1"), moved.unit("E1")

    def least(foe: Unit) -> float:
        return min(gap(moved, a.pose, 0.5, b.pose, 0.5) for a in mine.models for b in foe.models)

    assert least(after) == pytest.approx(eye.gap(least(before), "A", "E1"), abs=1e-4)
    assert moved.unit("E2") == STATE.unit("E2")
    assert seen(STATE, "A", "E1", EXACT) is STATE


def test_wishes_about_the_enemy_follow_what_is_known() -> None:
    eye, unit, appraiser = measure_of(SHUT, STATE), STATE.unit("A"), appraiser_of(SHUT)
    exact, guessed = nearest_pair(unit, STATE.against("red")), nearest_pair(unit, STATE.against("red"), eye)
    assert exact is not None
    assert guessed is not None
    assert guessed[0] == pytest.approx(eye.gap(exact[0], "A", "E1"))
    far = {one.name: one.inches for one in aims(appraiser, STATE, unit, 40.0)}
    by_sight = {one.name: one.inches for one in aims(appraiser, STATE, unit, 40.0, measure=eye)}
    assert by_sight["toward E1"] == pytest.approx(far["toward E1"] * eye.factor("A", "E1"))
    assert by_sight["toward E1"] != far["toward E1"]


def test_the_value_of_a_moment_follows_what_is_known() -> None:
    eye, weights = Measure(False, 3, 1), Weights()
    state = volley_state(e1=(11, 40), e2=(13, 40), f1=(20, 40))
    exact = {term.name: term.amount for term in terms(SHUT, state, "red", weights)}
    guessed = {term.name: term.amount for term in terms(SHUT, state, "red", weights, eye)}
    again = {term.name: term.amount for term in terms(SHUT, state, "red", weights)}
    assert guessed["threat"] != exact["threat"]
    assert exact == again  # what was guessed is not remembered as measured
    assert {name for name in exact if exact[name] != guessed[name]} <= {"threat", "danger"}


def test_advice_tells_gaps_by_eye_and_no_odds() -> None:
    budget, source = Budget(evaluations=20), Everything()
    plans = advise(SHUT, STATE, 5, budget, source=source)
    assert {plan.action.verb for plan in plans} == {"charge", "shoot"}
    assert all(not plan.odds for plan in plans)
    assert any(plan.odds for plan in advise(OPEN, STATE, 5, budget, source=source))
    contact = next(plan.contact for plan in plans if plan.action.verb == "charge")
    assert contact is not None
    assert contact.left is None
    assert str(contact) == f"charge at E1: {about(contact.gap)} inches by eye"
    other = advise(SHUT, STATE, 5, budget, seed=5, source=source)
    assert next(plan.contact for plan in other if plan.action.verb == "charge") != contact
