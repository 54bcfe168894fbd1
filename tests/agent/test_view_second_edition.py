"""Questions that only games with facing, fights and interrupted moves ask."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tactician.agent.view.seats import Seats
from tactician.rules.core.action import Action
from tactician.rules.core.derive import but
from tactician.rules.core.legs import Pose
from tactician.rules.core.ruleset import Scenario
from tactician.rules.core.state import SIDES
from tactician.rules.wh40k2e.contact import engaged_models
from tactician.rules.wh40k2e.state import Moving, SquadState, Turn

from tests.agent.view_games import view_of

NAME, SIZE = "wh40k2e", "duel"
VIEW = view_of(NAME, SIZE)
LAYOUT = VIEW.layout


def moving(owner: str) -> SquadState:
    """The normal moves of a player, everybody where deployment put him."""
    state = VIEW.ruleset.start(Scenario(size=SIZE, deployed=True))
    assert isinstance(state, SquadState)
    return but(state, agenda=(Turn(owner=owner, phase="normal"),))


def asked_about(state: SquadState, unit: str, verb: str) -> tuple[Seats, tuple[int, ...]]:
    """Seats, and what has been pressed once a unit is to do something."""
    seats = Seats.at_start(state, LAYOUT)
    slot = seats.slot(state.unit(unit).side, unit)
    assert slot is not None
    pressed = VIEW.press(state, seats, (), LAYOUT.order(slot, verb))
    assert isinstance(pressed, tuple)
    return seats, pressed


@pytest.mark.parametrize(("side", "point"), [("red", "n"), ("blue", "s")])
def test_where_an_order_names_a_direction_the_place_at_its_end_stands_for_it(side: str, point: str) -> None:
    state = moving(side)
    seats, pressed = asked_about(state, state.of(side)[0].id, "turn")
    names = [LAYOUT.name_of(int(i)) for i in np.flatnonzero(VIEW.mask(state, seats, pressed))]
    winds = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
    foes = [f"enemy {number}" for number in range(1, len(state.against(side)) + 1)]
    assert sorted(names) == sorted([*foes, *(f"place {wind} 1" for wind in winds)])
    action = VIEW.press(state, seats, pressed, LAYOUT.index_of("place N 1"))
    assert isinstance(action, Action)
    assert action.targets == (("to", point),)
    assert VIEW.index_path(state, seats, action) == (*pressed, LAYOUT.index_of("place N 1"))


def fighting(owner: str) -> tuple[SquadState, str, str]:
    """A unit one model of which stands base to base with an enemy; the unit and that model."""
    state = moving(owner)
    unit, foe = state.of(owner)[0], state.against(owner)[0]
    ahead = 1.0 if owner == "red" else -1.0
    front = max(unit.models, key=lambda model: ahead * model.pose.y)
    touch = Pose(front.pose.x, front.pose.y + ahead * (unit.radius + foe.radius), front.pose.surface, 0.0)
    return state.with_unit(foe.moved({foe.models[0].id: touch})), unit.id, front.id


@pytest.mark.parametrize("owner", SIDES)
def test_only_those_who_do_not_fight_are_moved(owner: str) -> None:
    state, name, front = fighting(owner)
    assert engaged_models(state, state.unit(name)) == (front,)
    seats, pressed = asked_about(state, name, "move")
    allowed = np.flatnonzero(VIEW.mask(state, seats, pressed))
    walks = 0
    for index in allowed:
        action = VIEW.press(state, seats, pressed, int(index))
        assert isinstance(action, Action)
        assert not VIEW.ruleset.check(state, action)
        assert front not in dict(action.paths)
        walks += bool(action.paths)
        path = VIEW.index_path(state, seats, action)
        assert path is not None
        assert VIEW.press(state, seats, path[:-1], path[-1]) == action
    assert walks > 8


@pytest.mark.parametrize("owner", SIDES)
def test_a_shaken_unit_is_sent_nowhere_nearer_to_an_enemy(owner: str) -> None:
    state = moving(owner)
    unit = but(state.of(owner)[0], shaken=True)
    state = state.with_unit(unit)
    seats, pressed = asked_about(state, unit.id, "move")
    mask = VIEW.mask(state, seats, pressed)
    assert not mask[LAYOUT.index_of("place N 1/4")]
    assert not mask[LAYOUT.index_of("place nearest enemy")]
    assert mask[LAYOUT.index_of("place S 1/4")]
    for index in np.flatnonzero(mask):
        action = VIEW.press(state, seats, pressed, int(index))
        assert isinstance(action, Action)
        assert not VIEW.ruleset.check(state, action)


def test_an_interrupted_move_is_gone_on_with_by_parts_of_what_is_left() -> None:
    state = moving("red")
    unit = state.of("red")[0]
    move = VIEW.ruleset.choices(state)
    assert any(choice.verb == "move" for choice in move)
    first, *others = unit.models
    spent = ((first.id, 4.0), *((model.id, 2.0) for model in others))
    frame = Moving(owner="red", unit=unit.id, gait="walk", allowance=4.0, stage="replan", spent=spent)
    state = replace(state, agenda=(*state.agenda, frame))
    seats, pressed = asked_about(state, unit.id, "move")
    action = VIEW.press(state, seats, pressed, LAYOUT.index_of("place S 1/2"))
    assert isinstance(action, Action)
    assert [name for name, _ in action.paths] == [model.id for model in others]
    assert [round(model.pose.y - path[0].to[1], 6) for model, (_, path) in zip(others, action.paths, strict=True)] == [
        1.0
    ] * len(others)
    assert not VIEW.ruleset.check(state, action)
