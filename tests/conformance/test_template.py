"""The template's own rules, worked by hand, so that its copies begin from something that is right."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import pytest
from tactician.rules._template.state import Turn
from tactician.rules.core.action import Action, Mark, pairs
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.choice import Window
from tactician.rules.core.files import BadInput
from tactician.rules.core.legs import Bend, Leg, Pose, Straight
from tactician.rules.core.ruleset import RulesetError, Scenario, load_ruleset
from tactician.rules.core.state import State

DUEL = load_ruleset("_template")


def place(red: tuple[float, float], blue: tuple[float, float] = (9.0, 16.0)) -> State:
    """A duel with red to move; the block covers 7.5 to 10.5 both ways, discs have a radius of 0.5."""
    state = DUEL.start(Scenario(size="duel"))
    for name, point in (("R1", red), ("B1", blue)):
        state = state.with_unit(state.unit(name).moved({f"{name}a": Pose(*point)}))
    return state


def move(*legs: Leg, verb: str = "move") -> Action:
    return Action(verb=verb, unit="R1", paths=(("R1a", legs),), order=("R1a",))


def broken(state: State, action: Action) -> list[tuple[str, float | None]]:
    found = DUEL.check(state, action)
    return [(v.clause, None if v.measured is None else round(v.measured, 3)) for v in found]


@pytest.mark.parametrize(
    ("legs", "faults"),
    [
        ((Straight((15.0, 2.0)),), []),
        ((Straight((15.01, 2.0)),), [("DU-MO-01", 6.01)]),
        ((Straight((9.0, 7.0)),), []),  # touches the block
        ((Straight((9.0, 7.2)),), [("DU-MO-02", -0.2)]),
        ((Straight((9.0, 0.4)),), [("DU-MO-02", -0.1)]),
        ((Bend((10.0, 2.0), (11.0, 2.0), "right"),), []),
        ((Bend((10.7, 2.0), (12.4, 2.0), "left"),), [("DU-MO-02", -0.2)]),  # off the table half way
        ((Bend((9.01, 2.0), (15.0, 2.0), "left"),), [("order", None)]),  # no circle: its length would be a lie
        ((Bend((10.0, 2.0), (11.0, 2.0), "up"),), [("order", None)]),
    ],
)
def test_ways_are_measured(legs: tuple[Leg, ...], faults: list[tuple[str, float | None]]) -> None:
    assert broken(place((9.0, 2.0)), move(*legs)) == faults


def test_the_enemy_is_kept_away_from_on_the_whole_way() -> None:
    state = place((3.0, 4.0), (6.0, 6.05))
    assert broken(state, move(Straight((9.0, 4.0)))) == []  # passes at 1.05
    state = place((3.0, 4.0), (6.0, 5.9))
    assert broken(state, move(Straight((9.0, 4.0)))) == [("DU-MO-03", 0.9)]


def test_a_way_within_range_is_interrupted_where_the_enemy_says() -> None:
    state = DUEL.apply(place((3.0, 2.0), (3.0, 16.0)), move(Straight((3.0, 8.0))))
    assert DUEL.to_move(state) == "blue"
    shoot = DUEL.choices(state)[1]
    assert isinstance(shoot.domain, Window)
    ((model, low, high),) = shoot.domain.spans
    assert (model, round(low, 3), round(high, 3)) == ("R1a", 3.0, 6.0)  # in range from 11 inches between the centres
    state = DUEL.apply(state, Action(verb="shoot", unit="B1", mark=Mark(model="R1a", inches=4.5)))
    assert DUEL.to_move(state) == CHANCE
    assert [str(share) for _, share in DUEL.pending(state).exact()] == ["2/3", "1/3"]
    hit, missed = DUEL.resolve(state, 1), DUEL.resolve(state, 0)
    assert (DUEL.to_move(hit), DUEL.ending(hit), DUEL.returns(hit)) == (TERMINAL, "hit", (-1.0, 1.0))
    assert (DUEL.to_move(missed), missed.unit("R1").models[0].pose.point) == ("red", (3.0, 6.5))


def missed_on_the_way() -> State:
    """Red was to walk from (3, 2) to (3, 8) and was missed at (3, 6.5), with 1.5 inches left."""
    state = DUEL.apply(place((3.0, 2.0), (3.0, 16.0)), move(Straight((3.0, 8.0))))
    return DUEL.resolve(DUEL.apply(state, Action(verb="shoot", unit="B1", mark=Mark(model="R1a", inches=4.5))), 0)


@pytest.mark.parametrize(
    ("action", "end"),
    [
        (Action(verb="go_on", unit="R1"), (3.0, 8.0)),
        (Action(verb="stop", unit="R1"), (3.0, 6.5)),
        (move(Straight((1.5, 6.5))), (1.5, 6.5)),
    ],
)
def test_who_was_missed_goes_on_turns_or_stops(action: Action, end: tuple[float, float]) -> None:
    state = missed_on_the_way()
    assert broken(state, action) == []
    after = DUEL.apply(state, action)
    assert after.unit("R1").models[0].pose.point == end
    assert [choice.verb for choice in DUEL.choices(after)] == ["pass", "shoot"]  # red's own shooting phase


def test_another_way_has_what_is_left() -> None:
    assert broken(missed_on_the_way(), move(Straight((1.45, 6.5)))) == [("DU-MO-01", 1.55)]


def test_an_arc_is_interrupted_on_the_arc() -> None:
    half_circle = Bend((4.5, 7.0), (6.0, 7.0), "right")
    state = DUEL.apply(place((3.0, 7.0), (3.0, 16.0)), move(half_circle))
    state = DUEL.resolve(
        DUEL.apply(state, Action(verb="shoot", unit="B1", mark=Mark(model="R1a", inches=0.75 * pi))), 0
    )
    x, y = state.unit("R1").models[0].pose.point
    assert (round(x, 4), round(y, 4)) == (4.5, 8.5)
    after = DUEL.apply(state, Action(verb="go_on", unit="R1"))
    x, y = after.unit("R1").models[0].pose.point
    assert (round(x, 4), round(y, 4)) == (6.0, 7.0)


def test_moving_comes_before_shooting() -> None:
    state = place((3.0, 8.0), (3.0, 16.0))
    shoot = Action(verb="shoot", unit="R1", targets=pairs(shoot="B1"))
    assert broken(state, shoot) == [("order", None)]
    state = DUEL.apply(state, Action(verb="move", unit="R1"))
    assert broken(state, shoot) == []
    assert DUEL.returns(DUEL.resolve(DUEL.apply(state, shoot), 1)) == (1.0, -1.0)


def test_a_shot_in_the_last_turn_is_still_rolled_for() -> None:
    state = place((3.0, 8.0), (3.0, 16.0))
    state = replace(state, round=6, agenda=(Turn(owner="blue", phase="shoot"),))
    state = DUEL.apply(state, Action(verb="shoot", unit="B1", targets=pairs(shoot="R1")))
    assert (DUEL.to_move(state), DUEL.ending(state)) == (CHANCE, "")
    hit, missed = DUEL.resolve(state, 1), DUEL.resolve(state, 0)
    assert (DUEL.ending(hit), DUEL.ending(missed)) == ("hit", "last turn")
    assert hit.log == ("shot of B1 at R1: 1 success of 1", "R1 falls")


def test_nobody_in_range_has_nothing_to_decide() -> None:
    state = DUEL.apply(place((9.0, 2.0)), Action(verb="move", unit="R1"))
    assert (DUEL.to_move(state), state.agenda[-1].kind) == ("blue", "turn")


@pytest.mark.parametrize("first", ["red", "blue"])
def test_the_last_turn_is_a_draw(first: str) -> None:
    state = DUEL.start(Scenario(size="duel", first=first, options=(("range", 3.0), ("turns", 2))))
    movers = []
    while DUEL.to_move(state) != TERMINAL:
        movers.append(DUEL.to_move(state))
        (choice,) = DUEL.choices(state)
        state = DUEL.apply(state, choice.canonical(state))
    second = "blue" if first == "red" else "red"
    assert movers == [first, second, first, second]
    assert (DUEL.ending(state), DUEL.returns(state)) == ("last turn", (0.0, 0.0))


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"size": "battle"}, "no size 'battle'"),
        ({"table": "bloc"}, "no table 'bloc'; did you mean 'block'"),
        ({"armies": ("disc", "disk")}, "no army 'disk'; did you mean 'disc'"),
        ({"options": (("rnage", 3.0),)}, "no option 'rnage'; did you mean 'range'"),
        ({"options": (("hit_on", 7),)}, "option hit_on is 7, expected 2, 3, 4, 5, 6"),
    ],
)
def test_unknown_names_are_refused(fields: dict[str, object], complaint: str) -> None:
    with pytest.raises(RulesetError, match=complaint):
        DUEL.start(replace(Scenario(size="duel"), **fields))  # type: ignore[arg-type]


def test_a_file_may_leave_out_what_is_natural() -> None:
    assert DUEL.from_data({}) == DUEL.start(Scenario(size="duel"))


@pytest.mark.parametrize(
    ("data", "places"),
    [
        ({"first": 3, "optoins": {}, "turn": 0}, ["optoins", "first", "turn"]),
        ({"options": {"moove": 1}, "ruleset": {"id": "chess"}}, ["ruleset.id", "options"]),
        ({"agenda": [{"kind": "turm"}]}, ["agenda[0].kind"]),
        (
            {
                "agenda": [
                    {"kind": "turn", "owner": "green"},
                    {"kind": "shot", "owner": "red", "shooter": "R1", "target": "B2"},
                ]
            },
            ["agenda[0].owner", "agenda[1].target"],
        ),
        (
            {
                "agenda": [
                    {"kind": "turn", "owner": "red"},
                    {"kind": "react", "owner": "blue", "watcher": "B1", "spans": []},
                ]
            },
            ["agenda[1]"],
        ),
        (
            {"sides": {"red": {"units": [{"id": "R1", "models": [{"id": "a", "at": [9, 9]}]}]}}},
            ["sides.blue.units", "sides.red.units[0].models[0].at"],
        ),
        (
            {
                "sides": {
                    side: {"units": [{"id": side, "models": [{"id": "a", "at": [x, 3]}]}]}
                    for side, x in (("red", 3), ("blue", 3.5))
                }
            },
            ["sides.blue.units[0].models[0].id", "sides.blue.units[0].models[0].at"],
        ),
    ],
)
def test_every_fault_of_a_file_is_named(data: dict[str, object], places: list[str]) -> None:
    with pytest.raises(BadInput) as caught:
        DUEL.from_data(data)
    assert [fault.where for fault in caught.value.faults] == places


@pytest.mark.parametrize(
    ("clause", "action"),
    [("DU-MO-01", move(Straight((17.0, 2.0)))), ("DU-MO-03", move(Straight((9.0, 4.0))))],
)
def test_a_clause_that_is_off_is_not_held(clause: str, action: Action) -> None:
    state = place((9.0, 2.0), (9.0, 5.5))
    assert [found for found, _ in broken(state, action)] == [clause]
    off = replace(state, table=replace(state.table, switched_off=frozenset({clause})))
    assert broken(off, action) == []
