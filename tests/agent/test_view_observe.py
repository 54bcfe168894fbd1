from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tactician.agent.view.layout import STAGES
from tactician.agent.view.observe import ASKED_ABOUT, names, shapes
from tactician.agent.view.planes import LONG, PLANES, SHORT, Grid, filled
from tactician.rules.core.appraisal import Goal
from tactician.rules.core.drawing import Area, Drawing
from tactician.rules.core.ruleset import Scenario

from tests.agent.view_games import presses, view_of
from tests.conformance.found import EVERY_SIZE, SMALLEST


@pytest.mark.parametrize(("name", "size"), EVERY_SIZE)
def test_every_number_of_an_observation_has_a_name(name: str, size: str) -> None:
    layout, ruleset = view_of(name, size).layout, view_of(name, size).ruleset
    found, wanted = names(layout, ruleset), shapes(layout)
    assert set(found) == set(wanted)
    assert len(found["units"]) == wanted["units"][1] == 24
    assert len(found["globals"]) == wanted["globals"][0] == 24
    assert len(found["asked"]) == wanted["asked"][0] == len(STAGES) + 2 + 2 * len(layout.verbs)
    assert found["board"] == PLANES
    assert wanted["board"] == (6, 22, 30)


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_observations_keep_their_shape_type_and_bounds(name: str, size: str) -> None:
    view = view_of(name, size)
    for press in presses(view, Scenario(size=size, deployed=True), 2, 30):
        for side in ("red", "blue"):
            seen = view.observe(press.state, press.seats, press.partial, side)
            assert {part: array.shape for part, array in seen.items()} == shapes(view.layout)
            for array in seen.values():
                assert array.dtype == np.float32
                assert np.isfinite(array).all()
                assert np.abs(array).max() <= 1.0


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_only_the_side_that_is_asked_sees_the_question(name: str, size: str) -> None:
    view, about = view_of(name, size), 0
    for press in presses(view, Scenario(size=size, deployed=True), 6, 25):
        other = "blue" if press.asked.side == "red" else "red"
        seen = view.observe(press.state, press.seats, press.partial, press.asked.side)
        assert seen["asked"][: len(STAGES)].tolist() == [float(stage == press.asked.stage) for stage in STAGES]
        slot = press.seats.slot(press.asked.side, press.asked.unit)
        marked = np.flatnonzero(seen["units"][:, ASKED_ABOUT]).tolist()
        assert marked == ([] if slot is None else [slot])
        about += len(marked)
        unasked = view.observe(press.state, press.seats, press.partial, other)
        assert not unasked["asked"][: len(STAGES)].any()
        assert not unasked["units"][:, ASKED_ABOUT].any()
    assert about


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_arrays_belong_to_whoever_asked(name: str, size: str) -> None:
    view = view_of(name, size)
    (press,) = presses(view, Scenario(size=size, deployed=True), 2, 1)
    first = view.observe(press.state, press.seats, press.partial, "red")
    kept = {part: array.copy() for part, array in first.items()}
    for array in first.values():
        array.fill(9.0)
    again = view.observe(press.state, press.seats, press.partial, "red")
    assert all((again[part] == kept[part]).all() for part in kept)


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_each_side_sees_its_own_units_first_and_below(name: str, size: str) -> None:
    view = view_of(name, size)
    (press,) = presses(view, Scenario(size=size, deployed=True), 2, 1)
    for side in ("red", "blue"):
        rows = view.observe(press.state, press.seats, press.partial, side)["units"]
        own, foes = rows[: view.layout.own], rows[view.layout.own :]
        assert set(own[:, 0]) == {0.0, 1.0}
        assert set(foes[:, 0]) == {0.0, -1.0}
        assert own[own[:, 0] > 0, 2].max() < 0.0 < foes[foes[:, 0] < 0, 2].min()


def test_planes_hold_the_share_of_each_cell() -> None:
    """A table of 60 x 44 inches has cells of 2 inches: a piece of 3 x 2 inches fills one and a half."""
    piece = Area(role="cover", rings=(((4.0, 2.0), (7.0, 2.0), (7.0, 4.0), (4.0, 4.0)),))
    drawing = Drawing(width=60.0, height=44.0, title="", shapes=(piece,))
    planes = filled(Grid(60.0, 44.0), drawing, (Goal(x=30.5, y=0.5, radius=1.0),))
    assert planes.shape == (4, SHORT, LONG)
    assert planes[0, 1, 2:5].tolist() == [1.0, 0.5, 0.0]
    assert planes[0].sum() == 1.5
    assert not planes[1].any()
    assert np.argwhere(planes[3]).tolist() == [[0, 15]]


def test_an_obstacle_is_cover_and_in_the_way() -> None:
    ring = ((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0))
    drawing = Drawing(width=60.0, height=44.0, title="", shapes=(Area(role="obstacle", rings=(ring,)),))
    planes = filled(Grid(60.0, 44.0), drawing, ())
    assert [plane.sum() for plane in planes] == [1.0, 0.0, 1.0, 0.0]


def test_a_high_table_lies_on_its_side_and_the_rest_is_blocked() -> None:
    """A table of 22 x 60: cells of 2 inches again, 11 rows of them blocked, half below and half above."""
    piece = Area(role="wall", rings=(((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)),))
    drawing = Drawing(width=22.0, height=60.0, title="", shapes=(piece,))
    planes = filled(Grid(22.0, 60.0), drawing, ())
    assert planes[1].sum() == 11 * 30 + 1
    assert planes[1, 0].all()
    grid = Grid(22.0, 60.0)
    assert grid.cells([(1.0, 1.0)], False) == grid.cells([(21.0, 59.0)], True) == [16 * LONG]


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_losses_show_as_a_smaller_share_of_the_unit(name: str, size: str) -> None:
    view = view_of(name, size)
    (press,) = presses(view, Scenario(size=size, deployed=True), 2, 1)
    unit = press.state.units[0]
    fewer = replace(unit, models=unit.models[:1])
    seen = view.observe(press.state.with_unit(fewer), press.seats, (), "red")
    assert seen["units"][0, 4] == np.float32(1 / len(unit.models))
