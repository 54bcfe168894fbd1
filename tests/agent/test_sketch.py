"""The sketch: what it sees, how far ways are, and what units choose in it."""

from __future__ import annotations

from typing import Any

import pytest
from tactician.agent.sketch import kernel
from tactician.agent.sketch.model import blows, fire, outlook, roll_out, sketch_of
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.ruleset import Scenario, load_ruleset, ruleset_names
from tactician.rules.core.sketch_tables import UnitRow
from tactician.rules.core.state import State

VOID, SQUADS = load_ruleset("voidsiege"), load_ruleset("wh40k2e")
WALL = {"id": "w", "kind": "wall", "impassable": True, "height": 4}


def unit(name: str, profile: str, count: int, x: float, y: float) -> dict[str, Any]:
    places = [(x + 1.2 * (k % 5), y + 1.2 * (k // 5)) for k in range(count)]
    models = [{"id": f"{name}{letter}", "at": list(at)} for letter, at in zip("abcdefghijkl", places, strict=False)]
    return {"id": name, "profile": profile, "models": models}


def void(red: dict[str, Any], blue: dict[str, Any], *features: dict[str, Any]) -> State:
    sides = {"red": {"units": [red]}, "blue": {"units": [blue]}}
    board = {"width": 48, "height": 24, "features": list(features)}
    return VOID.from_data({"ruleset": "voidsiege", "board": board, "sides": sides, "first": "red", "active": "red"})


def squads(red: dict[str, Any], blue: dict[str, Any], *features: dict[str, Any]) -> State:
    sides = {"red": {"units": [red]}, "blue": {"units": [blue]}}
    board = {"width": 48, "height": 24, "features": list(features)}
    data = {"ruleset": "wh40k2e", "board": board, "sides": sides, "active": "red", "phase": "opening", "first": "red"}
    return SQUADS.from_data(data)


def mean(odds: tuple[float, ...]) -> float:
    return sum(count * chance for count, chance in enumerate(odds))


def test_the_kernel_reads_the_columns_of_the_tables() -> None:
    assert len(UnitRow.__slots__) == kernel.NEWLY + 1 == kernel.SORT
    for place, name in ((kernel.MODELS, "models"), (kernel.FAR, "far"), (kernel.HASTE, "haste"), (kernel.XY, "xy")):
        assert UnitRow.__slots__[place] == name


@pytest.mark.parametrize("name", ["voidsiege", "wh40k2e"])
def test_nobody_shoots_through_a_wall(name: str) -> None:
    wall = {**WALL, "shape": {"rect": [20.0, 0.0, 20.5, 24.0]}}
    games = {"voidsiege": (void, VOID, "n-force", "troopers"), "wh40k2e": (squads, SQUADS, "marine", "boy")}
    for make, ruleset, who, foe in (games[name],):
        red, blue = unit("R1", who, 3, 12.0, 10.0), unit("B1", foe, 3, 26.0, 10.0)
        free, shut = sketch_of(ruleset, make(red, blue)), sketch_of(ruleset, make(red, blue, wall))
        assert fire(free, "R1", "B1") > 0.1
        assert fire(shut, "R1", "B1") == 0.0
        # the same from the net of cells, and where the target was put behind the wall only in the sketch
        assert fire(free.moved("R1", 13.0, 10.5, coarse=True), "R1", "B1") > 0.1
        assert fire(shut.moved("R1", 13.0, 10.5, coarse=True), "R1", "B1") == 0.0
        assert fire(shut.moved("B1", 16.5, 10.5), "R1", "B1") > 0.1


def test_a_way_goes_round_a_wall() -> None:
    wall = {**WALL, "shape": {"rect": [20.0, 0.0, 20.5, 20.0]}}
    state = void(unit("R1", "thralls", 1, 15.0, 3.0), unit("B1", "troopers", 1, 25.0, 3.0), wall)
    ground = sketch_of(VOID, state).ground
    here, there = kernel.route_cell(ground.facts, 15.0, 3.0), kernel.route_cell(ground.facts, 25.0, 3.0)
    longer = kernel.excess(ground.facts, ground.nets, 0, here, there)
    # to the wall's end at y = 20 and back: 2 * sqrt(17 * 17 + 5 * 5) = 35.4, against 10 inches
    assert longer == pytest.approx(25.4, abs=4.0)
    open_ground = sketch_of(VOID, void(unit("R1", "thralls", 1, 15.0, 3.0), unit("B1", "troopers", 1, 25.0, 3.0)))
    assert not open_ground.ground.nets.any()


def test_a_fighter_near_a_weak_enemy_charges() -> None:
    for make, ruleset, who, foe in ((void, VOID, "thralls", "conscripts"), (squads, SQUADS, "berserker", "gretchin")):
        state = make(unit("R1", who, 5, 10.0, 10.0), unit("B1", foe, 2, 19.5, 10.0))
        future = roll_out(sketch_of(ruleset, state), 0)
        assert future.models[1] < 1.5
        assert future.points > 0.0
        (x, _), (tx, _) = future.places
        assert abs(x - tx) < 5.0


def test_a_unit_that_can_neither_shoot_nor_reach_comes_nearer() -> None:
    state = squads(unit("R1", "berserker", 5, 4.0, 10.0), unit("B1", "gretchin", 5, 40.0, 10.0))
    (x, _), _ = roll_out(sketch_of(SQUADS, state), 0).places
    assert 8.0 < x < 16.0


def test_the_sides_gain_what_the_other_loses() -> None:
    for name in ruleset_names():
        ruleset = load_ruleset(name)
        state = ruleset.start(Scenario(size=ruleset.info.sizes[0], deployed=True))
        red = outlook(ruleset, state, "red", 2)
        assert red == -outlook(ruleset, state, "blue", 2)


def test_a_game_without_an_appraiser_is_sketched_too() -> None:
    ruleset = load_ruleset("_template")
    state = ruleset.start(Scenario(size=ruleset.info.sizes[0]))
    assert outlook(ruleset, state, "red") == 0.0


def test_the_same_moment_read_from_a_file_is_played_on_equally() -> None:
    for name in ("voidsiege", "wh40k2e"):
        ruleset = load_ruleset(name)
        state = ruleset.start(Scenario(size="duel", deployed=True))
        again = ruleset.from_data(ruleset.to_data(state))
        assert roll_out(sketch_of(ruleset, state)) == roll_out(sketch_of(ruleset, again))


def test_playing_on_changes_nothing_in_the_sketch() -> None:
    state = squads(unit("R1", "berserker", 5, 4.0, 10.0), unit("B1", "gretchin", 5, 20.0, 10.0))
    sketch = sketch_of(SQUADS, state)
    before, now = sketch.rows.copy(), sketch.now.copy()
    assert roll_out(sketch) == roll_out(sketch)
    moved = sketch.moved("R1", 8.0, 20.0)
    assert roll_out(moved) != roll_out(sketch)
    assert (sketch.rows == before).all()
    assert (sketch.now == now).all()


@pytest.mark.parametrize("gap", [4.0, 13.0, 20.0, 23.0])
def test_fire_in_the_open_is_what_the_rules_expect(gap: float) -> None:
    # nearer than 12 inches marines throw grenades, whose blast the tables only know on average
    games = [(void, VOID, "troopers", "thralls"), *([(squads, SQUADS, "marine", "boy")] if gap > 12.0 else [])]
    for make, ruleset, who, foe in games:
        state = make(unit("R1", who, 1, 8.0, 10.0), unit("B1", foe, 8, 9.0 + gap, 10.0))
        exact = mean(appraiser_of(ruleset).losses(state, state.unit("R1"), state.unit("B1")))
        assert fire(sketch_of(ruleset, state), "R1", "B1") == pytest.approx(exact, rel=0.05)


def test_blows_are_what_the_rules_expect() -> None:
    red, blue = unit("R1", "thralls", 1, 10.0, 10.0), unit("B1", "conscripts", 2, 11.2, 10.0)
    state = void(red, blue)
    exact = mean(appraiser_of(VOID).losses(state, state.unit("R1"), state.unit("B1")))
    assert exact > 0.0
    assert blows(sketch_of(VOID, state), "R1", "B1")[0] == pytest.approx(exact, rel=0.05)
    near = squads(unit("R1", "berserker", 1, 10.0, 10.0), unit("B1", "gretchin", 1, 11.0, 10.0))
    exact = mean(appraiser_of(SQUADS).losses(near, near.unit("R1"), near.unit("B1")))
    assert exact > 0.0
    assert blows(sketch_of(SQUADS, near), "R1", "B1")[0] == pytest.approx(exact, rel=0.05)
