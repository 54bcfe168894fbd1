from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tactician.agent.by_eye import Measure
from tactician.agent.threat import threat_at, threat_map, threatened
from tactician.rules.core.measure import within
from tactician.rules.core.ruleset import Scenario, load_ruleset, ruleset_names
from tactician.rules.core.shapes import length
from tactician.rules.core.state import SIDES, State

VOID, SQUADS = load_ruleset("voidsiege"), load_ruleset("wh40k2e")

WALL = {"id": "w", "kind": "wall", "impassable": True, "height": 4}


def unit(name: str, profile: str, *places: tuple[float, float], **more: Any) -> dict[str, Any]:
    models = [{"id": f"{name}{letter}", "at": list(place)} for letter, place in zip("abcdefgh", places, strict=False)]
    return {"id": name, "profile": profile, "models": models, **more}


def void(red: list[dict[str, Any]], *features: dict[str, Any]) -> State:
    """A bare table of 60 x 24 inches with thralls of blue's in its far corner, who have bases of half an inch."""
    blue = [unit("B1", "thralls", (59.0, 23.0))]
    sides = {"red": {"units": red}, "blue": {"units": blue}}
    board = {"width": 60, "height": 24, "features": list(features)}
    return VOID.from_data({"ruleset": "voidsiege", "board": board, "sides": sides, "first": "red", "active": "red"})


def squads(red: list[dict[str, Any]], *features: dict[str, Any]) -> State:
    """The same with a marine of blue's."""
    sides = {"red": {"units": red}, "blue": {"units": [unit("B1", "marine", (71.0, 23.0))]}}
    board = {"width": 72, "height": 24, "features": list(features)}
    data = {"ruleset": "wh40k2e", "board": board, "sides": sides, "active": "red", "phase": "opening", "first": "red"}
    return SQUADS.from_data(data)


# ---- worked by hand: VoidSiege ---------------------------------------------------------------------------------------


def test_fire_reaches_as_far_as_the_longest_move_and_the_range() -> None:
    # long rifles: an assault carries 12 inches, the rifle 20, the two bases half an inch each: 10 + 12 + 20 + 1
    state = void([unit("R1", "n-force", (10.0, 10.0))])
    assert threatened(VOID, state, (43.0, 10.0), "R1")
    assert not threatened(VOID, state, (43.001, 10.0), "R1")
    found = threat_at(VOID, state, (43.0, 10.0), "R1")
    assert found is not None
    assert (found.verb, found.model, found.needs_sight) == ("assault", "R1a", True)
    assert found.place.x == pytest.approx(22.0, abs=2e-4)
    assert within(found.gap, 20.0)


def test_blows_reach_as_far_as_the_longest_charge() -> None:
    # thralls run 8 inches and are engaged within 1: 10 + 8 + 1 + 1
    state = void([unit("R1", "thralls", (10.0, 10.0))])
    assert threatened(VOID, state, (20.0, 10.0), "R1")
    assert not threatened(VOID, state, (20.001, 10.0), "R1")
    found = threat_at(VOID, state, (20.0, 10.0), "R1")
    assert found is not None
    assert not found.needs_sight


def test_cover_stops_a_run_but_not_an_advance() -> None:
    # scrub from edge to edge, right in front: the run stops at x = 11.5; the advance carries 6 inches through it
    scrub = {"id": "s", "kind": "scrub", "shape": {"rect": [12.0, 0.0, 13.0, 24.0]}, "cover": 1}
    state = void([unit("R1", "n-force", (10.0, 10.0))], scrub)
    assert threatened(VOID, state, (37.0, 10.0), "R1")
    assert not threatened(VOID, state, (37.001, 10.0), "R1")


@pytest.mark.parametrize(("height", "is_seen"), [(4.0, False), (1.0, True)])
def test_nobody_shoots_through_a_high_wall(height: float, is_seen: bool) -> None:
    wall = {**WALL, "height": height, "shape": {"rect": [24.0, 0.0, 24.5, 24.0]}}
    assert threatened(VOID, void([unit("R1", "n-force", (10.0, 10.0))], wall), (30.0, 10.0), "R1") is is_seen


def test_a_gap_between_walls_is_found_by_moving() -> None:
    # from where he stands the gap at y 12 shows nothing of (32, 1); from (19, 13.2) it does, 17.8 inches away
    walls = [
        {**WALL, "id": "w1", "shape": {"rect": [20.0, 0.0, 20.5, 11.5]}},
        {**WALL, "id": "w2", "shape": {"rect": [20.0, 12.5, 20.5, 24.0]}},
    ]
    state = void([unit("R1", "n-force", (10.0, 10.0))], *walls)
    found = threat_at(VOID, state, (32.0, 1.0), "R1")
    assert found is not None
    assert length(found.place.x - 10.0, found.place.y - 10.0) <= 12.0 + 1e-3
    shut = {**WALL, "id": "w3", "shape": {"rect": [20.0, 11.5, 20.5, 12.5]}}
    assert not threatened(VOID, void([unit("R1", "n-force", (10.0, 10.0))], *walls, shut), (32.0, 1.0), "R1")


def test_a_charge_goes_round_a_wall() -> None:
    # 3.5 inches short of the wall's corner at (14, 12): round it and down again is farther than 8 inches
    wall = {**WALL, "shape": {"rect": [14.0, 0.0, 14.5, 12.0]}}
    state = void([unit("R1", "thralls", (10.0, 10.0))], wall)
    assert threatened(VOID, state, (16.0, 12.0), "R1")
    assert not threatened(VOID, state, (18.0, 6.0), "R1")
    assert threatened(VOID, void([unit("R1", "thralls", (10.0, 10.0))]), (18.0, 6.0), "R1")


def test_shots_are_not_fired_from_beside_the_target() -> None:
    # a move ends more than 2 inches from an enemy; between walls there is no other place to see this one from
    walls = [
        {**WALL, "id": "w1", "shape": {"rect": [14.0, 0.0, 30.0, 10.0]}},
        {**WALL, "id": "w2", "shape": {"rect": [14.0, 13.0, 30.0, 24.0]}},
    ]
    state = void([unit("R1", "n-force", (10.0, 20.0))], *walls)
    found = threat_at(VOID, state, (22.0, 11.5), "R1")
    assert found is not None
    assert found.gap > 2.0


def test_the_base_of_a_unit_that_is_named_has_left_its_place() -> None:
    state = void([unit("R1", "thralls", (40.0, 23.0))])
    assert not threatened(VOID, state, (51.0, 23.0), "R1", target="B1")
    assert threatened(VOID, state, (50.0, 23.0), "R1", target="B1")
    with pytest.raises(KeyError):
        threatened(VOID, state, (50.0, 23.0), "R7")


# ---- worked by hand: second edition ----------------------------------------------------------------------------------


def test_a_squad_walks_and_fires() -> None:
    # a boltgun carries 24 inches, a walk 4, the two bases half an inch each: 10 + 4 + 24 + 1
    state = squads([unit("R1", "marine", (10.0, 10.0), weapons=["boltgun"])])
    assert threatened(SQUADS, state, (39.0, 10.0), "R1")
    assert not threatened(SQUADS, state, (39.001, 10.0), "R1")


def test_a_heavy_weapon_fires_from_a_stand() -> None:
    state = squads([unit("R1", "marine", (10.0, 10.0), weapons=["heavy-bolter"])])
    found = threat_at(SQUADS, state, (51.0, 10.0), "R1")
    assert found is not None
    assert found.place.point == (10.0, 10.0)
    assert not threatened(SQUADS, state, (51.001, 10.0), "R1")


def test_a_charge_ends_in_contact() -> None:
    state = squads([unit("R1", "marine", (10.0, 10.0), weapons=["axe"])])
    found = threat_at(SQUADS, state, (19.0, 10.0), "R1")
    assert found is not None
    assert (found.verb, found.gap) == ("charge", pytest.approx(0.0, abs=1e-4))
    assert not threatened(SQUADS, state, (19.001, 10.0), "R1")


def test_slow_ground_is_paid_for() -> None:
    # a marsh from edge to edge, 2 inches broad: a charge pays 2 inches more, and a walk ends an inch inside
    marsh = {"id": "m", "kind": "marsh", "shape": {"rect": [12.0, 0.0, 14.0, 24.0]}}
    charger = squads([unit("R1", "marine", (10.0, 10.0), weapons=["axe"])], marsh)
    assert threatened(SQUADS, charger, (17.0, 10.0), "R1")
    assert not threatened(SQUADS, charger, (17.01, 10.0), "R1")
    shooter = squads([unit("R1", "marine", (10.0, 10.0), weapons=["boltgun"])], marsh)
    assert threatened(SQUADS, shooter, (37.99, 10.0), "R1")
    assert not threatened(SQUADS, shooter, (38.01, 10.0), "R1")


def test_models_that_stand_between_hide() -> None:
    mates = [unit("R2", "marine", *((20.0, y) for y in (2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0)))]
    gun = unit("R1", "marine", (10.0, 5.0), weapons=["heavy-bolter"])
    assert threatened(SQUADS, squads([gun]), (40.0, 5.0), "R1")
    assert not threatened(SQUADS, squads([gun, *mates]), (40.0, 5.0), "R1")


def test_a_broken_squad_threatens_nobody() -> None:
    state = squads([unit("R1", "marine", (10.0, 10.0), broken=True)])
    assert not threatened(SQUADS, state, (12.0, 10.0), "R1")
    assert not threat_map(SQUADS, state, "red").counts.any()


def test_a_fee_is_paid_and_nobody_rests_half_way() -> None:
    # a wall 1.5 inches high from edge to edge costs half of the move: a charge of 8 inches comes 6 inches far
    wall = {"id": "w", "kind": "wall", "shape": {"rect": [12.0, 0.0, 12.5, 24.0]}, "height": 1.5}
    state = squads([unit("R1", "marine", (10.0, 10.0), weapons=["axe"])], wall)
    assert threatened(SQUADS, state, (17.0, 10.0), "R1")
    assert not threatened(SQUADS, state, (17.01, 10.0), "R1")
    (squad,) = threat_map(SQUADS, state, "red").units
    assert squad.ends[14:17, 10].all()
    assert not squad.ends[12, 1:-1].any()
    assert not squad.ends[17:].any()


# ---- maps ------------------------------------------------------------------------------------------------------------


def test_a_map_of_one_rifle_is_a_disc() -> None:
    state = void([unit("R1", "n-force", (10.0, 10.0))])
    found = threat_map(VOID, state, "red")
    points = found.grid.points()
    away = np.hypot(points[:, 0] - 10.0, points[:, 1] - 10.0).reshape(found.grid.shape)
    (rifles,) = found.units
    assert rifles.any[away < 32.0].all()
    assert not rifles.any[away > 34.0].any()
    assert not rifles.blows.any()
    assert rifles.ends[1:, 1:-1][away[1:, 1:-1] < 12.0].all()
    assert not rifles.ends[away > 12.001].any()
    assert (found.points == rifles.points * found.counts).all()
    assert found.against((30.0, 10.0)) == ("R1",)


def test_finer_cells_and_steps_that_make_no_sense() -> None:
    state = void([unit("R1", "n-force", (10.0, 10.0))])
    assert threat_map(VOID, state, "red", step=0.5).grid.shape == (121, 49)
    with pytest.raises(ValueError, match="more than 0"):
        threat_map(VOID, state, "red", step=0.0)


def test_the_map_shows_the_shadow_of_a_wall() -> None:
    wall = {**WALL, "shape": {"rect": [24.0, 0.0, 24.5, 24.0]}}
    counts = threat_map(VOID, void([unit("R1", "n-force", (10.0, 10.0))], wall), "red").counts
    assert counts[:24].any()
    assert not counts[26:, 1:-1].any()


def test_a_floor_above_a_wall_is_seen_from_below() -> None:
    floor = {"id": "f", "kind": "ledge", "shape": {"rect": [20.0, 4.0, 28.0, 20.0]}, "surface": {"height": 3}}
    counts = threat_map(VOID, void([unit("R1", "n-force", (10.0, 10.0))], floor), "red").counts
    assert counts[21, 10] == 1
    assert counts[30, 10] == 0


@pytest.mark.parametrize("name", ruleset_names())
def test_the_map_is_the_same_for_the_other_side(name: str) -> None:
    ruleset = load_ruleset(name)
    state = ruleset.start(Scenario(size="duel", deployed=True, first="red"))
    data = ruleset.to_data(state)
    sides = data["sides"]
    turned = ruleset.from_data({**data, "sides": {"red": sides["blue"], "blue": sides["red"]}})
    for side, other in zip(SIDES, reversed(SIDES), strict=True):
        here, there = threat_map(ruleset, state, side), threat_map(ruleset, turned, other)
        assert (here.counts == there.counts).all()
        assert (here.striking == there.striking).all()
        assert here.counts.any()


@pytest.mark.parametrize("name", ruleset_names())
def test_the_map_agrees_with_exact_answers(name: str) -> None:
    ruleset = load_ruleset(name)
    state = ruleset.start(Scenario(size="duel", deployed=True, first="red"))
    asked = wrong = 0
    for side in SIDES:
        found = threat_map(ruleset, state, side)
        for one in found.units:
            for i in range(1, found.grid.shape[0], 5):
                for j in range(1, found.grid.shape[1], 7):
                    exact = threatened(ruleset, state, (float(i), float(j)), one.unit)
                    about = one.any[i - 1 : i + 2, j - 1 : j + 2]
                    asked += 1
                    if exact:
                        assert about.any()
                    wrong += exact != one.any[i, j]
    assert asked >= 40
    assert wrong <= asked * 0.1


def test_by_eye_a_unit_reaches_a_little_too_far_or_too_near() -> None:
    state = void([unit("R1", "n-force", (10.0, 10.0))])
    far = []
    for seed in range(6):
        measure = Measure(False, seed, 1)
        far.append(32.0 * measure.factor("R1", "R1") + 11.0)
        assert threatened(VOID, state, (far[-1] - 0.01, 10.0), "R1", measure=measure)
        assert not threatened(VOID, state, (far[-1] + 0.01, 10.0), "R1", measure=measure)
    assert min(far) < 43.0 < max(far)
