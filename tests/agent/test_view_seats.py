from __future__ import annotations

import pickle
from dataclasses import replace

import pytest
from tactician.agent.view.layout import Layout, layout_of
from tactician.agent.view.seats import Seats
from tactician.rules.core.legs import Pose
from tactician.rules.core.ruleset import Scenario, load_ruleset
from tactician.rules.core.state import Model, State, Unit


@pytest.fixture(scope="module")
def layout() -> Layout:
    """One unit a side, and two slots more."""
    return layout_of(load_ruleset("_template"), "duel")


@pytest.fixture(scope="module")
def start() -> State:
    return load_ruleset("_template").start(Scenario(size="duel"))


def unit(name: str, side: str = "red", count: int = 1) -> Unit:
    models = tuple(Model(id=f"{name}{i}", pose=Pose(i, 1.0)) for i in range(count))
    return Unit(id=name, side=side, name="Disc", profile="disc", radius=0.5, models=models)


def standing(start: State, *units: Unit) -> State:
    return replace(start, units=units)


def test_units_of_the_start_sit_by_id(layout: Layout, start: State) -> None:
    seats = Seats.at_start(start, layout)
    assert (seats.red, seats.blue) == (("R1", "", ""), ("B1", "", ""))
    assert (seats.slot("red", "R1"), seats.slot("blue", "B1")) == (0, 0)
    assert seats.slot("blue", "R1") is None


def test_nothing_changes_where_nobody_appears(layout: Layout, start: State) -> None:
    seats = Seats.at_start(start, layout)
    assert seats.updated(start) is seats
    assert seats.updated(standing(start, unit("R1"))) is seats


def test_a_unit_that_splits_off_takes_the_first_slot_that_is_left(layout: Layout, start: State) -> None:
    seats = Seats.at_start(start, layout).updated(standing(start, unit("R1"), unit("R1.b"), unit("B1", "blue")))
    assert seats.red == ("R1", "R1.b", "")
    assert seats.updated(standing(start, unit("R1"), unit("R1.b"), unit("R1.c"))).red == ("R1", "R1.b", "R1.c")


def test_a_slot_of_a_later_unit_is_free_again_when_it_is_gone(layout: Layout, start: State) -> None:
    seats = Seats.at_start(start, layout).updated(standing(start, unit("R1"), unit("R1.b"), unit("R1.c")))
    gone = standing(start, unit("R1"), unit("R1.b", count=0), unit("R1.c"), unit("R1.d", count=3))
    assert seats.updated(gone).red == ("R1", "R1.d", "R1.c")


def test_units_of_the_start_keep_their_slot_when_they_are_gone(layout: Layout, start: State) -> None:
    seats = Seats.at_start(start, layout)
    later = seats.updated(standing(start, unit("R1", count=0), unit("R1.b")))
    assert later.red == ("R1", "R1.b", "")
    assert later.slot("red", "R1") == 0


def test_a_unit_without_a_slot_stays_standing(layout: Layout, start: State) -> None:
    crowd = standing(start, *(unit(name) for name in ("R1", "R1.b", "R1.c", "R1.d")))
    seats = Seats.at_start(start, layout).updated(crowd)
    assert seats.slot("red", "R1.d") is None
    assert not seats.has_room(crowd, "red")
    assert seats.has_room(crowd, "blue")
    assert seats.updated(crowd) is seats


def test_the_most_models_of_each_unit_are_remembered(layout: Layout, start: State) -> None:
    seats = Seats.at_start(standing(start, unit("R1", count=3)), layout)
    assert seats.updated(standing(start, unit("R1", count=2))).most("red") == (3, 0, 0)
    assert seats.updated(standing(start, unit("R1", count=5))).most("red") == (5, 0, 0)


def test_seats_are_values(layout: Layout, start: State) -> None:
    seats = Seats.at_start(start, layout)
    assert pickle.loads(pickle.dumps(seats)) == seats == Seats.at_start(start, layout)
    assert hash(pickle.loads(pickle.dumps(seats))) == hash(seats)
