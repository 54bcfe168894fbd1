"""One tolerance and four comparisons: what a tape that shows exactly the limit means."""

from __future__ import annotations

from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tactician.rules.core.measure import (
    CLOSED_MARGIN,
    GRID,
    OPEN_MARGIN,
    TOL,
    at_least,
    beyond,
    is_finite,
    overlaps,
    shown,
    snap,
    within,
)

INCHES = st.floats(0, 100)


def test_a_tape_that_shows_exactly_the_limit_is_within_it_and_reaches_it_and_is_not_beyond() -> None:
    assert within(2.0, 2.0)
    assert at_least(2.0, 2.0)
    assert not beyond(2.0, 2.0)


@pytest.mark.parametrize("hair", [-TOL / 2, TOL / 2])
def test_half_the_tolerance_changes_no_answer(hair: float) -> None:
    assert within(2.0 + hair, 2.0)
    assert at_least(2.0 + hair, 2.0)
    assert not beyond(2.0 + hair, 2.0)


def test_twice_the_tolerance_changes_the_answers() -> None:
    assert not within(2.0 + 2 * TOL, 2.0)
    assert beyond(2.0 + 2 * TOL, 2.0)
    assert not at_least(2.0 - 2 * TOL, 2.0)


def test_contact_is_no_overlap() -> None:
    assert not overlaps(0.0)
    assert not overlaps(-TOL / 2)
    assert overlaps(-2 * TOL)


@given(INCHES, INCHES)
def test_beyond_is_the_opposite_of_within(distance: float, limit: float) -> None:
    assert beyond(distance, limit) is not within(distance, limit)


@given(INCHES)
def test_what_is_generated_with_the_margins_is_judged_as_meant(limit: float) -> None:
    assert within(limit - CLOSED_MARGIN, limit)
    assert at_least(limit + CLOSED_MARGIN, limit)
    assert beyond(limit + OPEN_MARGIN, limit)


@given(INCHES)
def test_snapping_is_exact_stays_near_and_is_idempotent(value: float) -> None:
    snapped = snap(value)
    assert abs(snapped - value) <= GRID / 2
    assert snap(snapped) == snapped
    assert (snapped / GRID).is_integer()


def test_snapping_moves_less_than_the_margin_of_generated_places() -> None:
    assert GRID < CLOSED_MARGIN


def test_ordinary_numbers() -> None:
    assert [is_finite(value) for value in (0.0, -1e300, nan, inf, -inf)] == [True, True, False, False, False]


def test_inches_are_shown_in_hundredths() -> None:
    assert [shown(value) for value in (1.5, 0.0, 12.346)] == ['1.50"', '0.00"', '12.35"']
