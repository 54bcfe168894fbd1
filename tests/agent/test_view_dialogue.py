from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from tactician.agent.view.dialogue import Partial, View
from tactician.agent.view.seats import Seats
from tactician.rules.core.action import Action
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.choice import Walk
from tactician.rules.core.ruleset import Scenario, load_ruleset
from tactician.rules.core.state import State

from tests.agent.view_games import Press, digest, presses, view_of
from tests.conformance.found import EVERY_SIZE, NAMES, SMALLEST

SCRIPT = """
import sys
from tests.agent.view_games import digest
sys.stdout.write(digest(sys.argv[1], sys.argv[2], 4, 25))
"""


def replayed(view: View, press: Press, path: tuple[int, ...]) -> Action:
    result: tuple[int, ...] | Action = ()
    for index in path:
        assert not isinstance(result, Action)
        result = view.press(press.state, press.seats, result, index)
    assert isinstance(result, Action)
    return result


def assert_sound(view: View, press: Press) -> None:
    """The mask is a mask, and what was pressed is legal and can be said in numbers again."""
    assert press.mask.shape == (view.layout.size,)
    assert press.mask.dtype == np.bool_
    assert press.mask.any()
    assert not press.mask.flags.writeable
    assert press.asked.side == view.ruleset.to_move(press.state)
    if isinstance(press.result, Action):
        faults = view.ruleset.check(press.state, press.result)
        assert not faults, (press.asked, view.layout.name_of(press.index), press.result, *map(str, faults))
        path = view.index_path(press.state, press.seats, press.result)
        assert path is not None
        assert replayed(view, press, path) == press.result
    else:
        assert press.result == (*press.partial, press.index)
    if press.mask.sum() == 1:
        assert press.asked.stage == "order"
        assert isinstance(press.result, Action)
        assert len(view.ruleset.choices(press.state)) == 1


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_whatever_is_pressed_is_legal_and_can_be_said_again(name: str, size: str) -> None:
    view = view_of(name, size)
    for press in presses(view, Scenario(size=size, deployed=True), 1, 45):
        assert_sound(view, press)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("name", "size"), EVERY_SIZE)
def test_whatever_is_pressed_is_legal_at_every_size(name: str, size: str, seed: int) -> None:
    view, seen = view_of(name, size), set[str]()
    for press in presses(view, Scenario(size=size, deployed=True), 10 + seed, 250):
        assert_sound(view, press)
        seen.add(press.asked.stage)
    assert {"order", "place"} <= seen


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_whatever_is_pressed_is_legal_in_every_mission(name: str) -> None:
    """Units that are put down, come on later, come back."""
    ruleset = load_ruleset(name)
    for number, mission in enumerate(ruleset.info.missions):
        size = ruleset.info.sizes[0]
        view = view_of(name, size)
        for press in presses(view, Scenario(size=size, mission=mission), 40 + number, 60):
            assert_sound(view, press)


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_every_number_of_a_mask_may_be_pressed_and_no_other(name: str, size: str) -> None:
    """All of them, not only the one that a game happened to press."""
    view, stages = view_of(name, size), set[str]()
    for press in presses(view, Scenario(size=size, deployed=True), 3, 12):
        if press.asked.stage in stages:
            continue
        stages.add(press.asked.stage)
        for index in range(view.layout.size):
            if not press.mask[index]:
                with pytest.raises(ValueError, match="may not be pressed now"):
                    view.press(press.state, press.seats, press.partial, index)
                continue
            result = view.press(press.state, press.seats, press.partial, index)
            assert not isinstance(result, Action) or not view.ruleset.check(press.state, result)
    assert "place" in stages


def opening(view: View, size: str) -> tuple[State, Seats]:
    state = view.ruleset.start(Scenario(size=size, deployed=True))
    return state, Seats.at_start(state, view.layout)


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_a_refusal_names_the_number_and_what_is_asked(name: str, size: str) -> None:
    view = view_of(name, size)
    state, seats = opening(view, size)
    with pytest.raises(ValueError, match=r"spare\) may not be pressed now: wh.* is asked for"):
        view.press(state, seats, (), view.layout.option("spare"))
    with pytest.raises(ValueError, match="means nothing here"):
        view.press(state, seats, (), view.layout.size)
    with pytest.raises(ValueError, match="nothing more is asked"):
        view.mask(state, seats, (view.layout.option("spare"),))


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_what_numbers_cannot_say_has_no_path(name: str, size: str) -> None:
    view = view_of(name, size)
    state, seats = opening(view, size)
    assert view.index_path(state, seats, Action(verb="levitate", unit=state.units[0].id)) is None
    assert view.index_path(state, seats, Action(verb=view.layout.verbs[0], unit="nobody")) is None


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_an_action_of_no_number_is_said_by_the_nearest(name: str, size: str) -> None:
    """Ways that lead nowhere in particular are said by a place near their end."""
    view, found = view_of(name, size), 0
    for press in presses(view, Scenario(size=size, deployed=True), 5, 30):
        if press.asked.stage != "place" or found >= 3:
            continue
        asked = press.asked.verb, press.asked.unit
        (choice,) = (one for one in view.ruleset.choices(press.state) if (one.verb, one.unit) == asked)
        assert isinstance(choice.domain, Walk)
        action = choice.sample(press.state, iter((0.31, 0.62)).__next__)
        path = view.index_path(press.state, press.seats, action)
        assert path is not None
        assert not view.ruleset.check(press.state, replayed(view, press, path))
        found += 1
    assert found


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_orders_that_divide_a_unit_are_not_offered_without_a_seat_for_the_part(name: str, size: str) -> None:
    view, verbs = view_of(name, size), appraiser_of(load_ruleset(name)).parting_verbs
    offered = 0
    for press in presses(view, Scenario(size=size, deployed=True), 7, 20):
        dividing = [one for one in view.ruleset.choices(press.state) if one.verb in verbs]
        full = replace(press.seats, fixed=(view.layout.own, view.layout.own))
        mask = view.mask(press.state, full)
        for choice in dividing:
            slot = press.seats.slot(press.asked.side, choice.unit)
            assert slot is not None
            assert not mask[view.layout.order(slot, choice.verb)]
            offered += bool(view.mask(press.state, press.seats)[view.layout.order(slot, choice.verb)])
    assert offered or not verbs


@pytest.mark.parametrize("empty", ["own", "foes", "both"])
@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_without_seats_something_legal_can_still_be_pressed(name: str, size: str, empty: str) -> None:
    view = view_of(name, size)
    nobody = ("",) * view.layout.own
    for press in presses(view, Scenario(size=size, deployed=True), 9, 15):
        own, foe = press.asked.side, "blue" if press.asked.side == "red" else "red"
        seats = replace(press.seats, **dict.fromkeys({"own": [own], "foes": [foe], "both": [own, foe]}[empty], nobody))
        result, indices = Partial(), list[int]()
        while not isinstance(result, Action):
            mask = view.mask(press.state, seats, result)
            assert mask.any()
            indices.append(int(np.flatnonzero(mask)[-1]))
            result = view.press(press.state, seats, result, indices[-1])
        assert not view.ruleset.check(press.state, result)
        kinds = {view.layout.kind_of(index) for index in indices}
        assert not kinds & {"own": {"order"}, "foes": {"enemy"}, "both": {"order", "enemy"}}[empty]


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_copies_and_pickles_of_a_view_answer_alike(name: str, size: str) -> None:
    view = view_of(name, size)
    state, seats = opening(view, size)
    for twin in (copy.copy(view), copy.deepcopy(view), pickle.loads(pickle.dumps(view))):
        assert twin.layout == view.layout
        assert (twin.mask(state, seats) == view.mask(state, seats)).all()


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_another_process_asks_and_answers_alike(name: str, size: str) -> None:
    run = subprocess.run([sys.executable, "-c", SCRIPT, name, size], capture_output=True, text=True, check=True)
    assert run.stdout == digest(name, size, 4, 25)
