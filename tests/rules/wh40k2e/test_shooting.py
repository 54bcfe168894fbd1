"""Shooting in the second edition: sight, needs, targets, dice, areas, hiding; every expected number worked by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from tactician.rules.core.action import Action
from tactician.rules.core.chance import Faces
from tactician.rules.core.legs import Straight
from tactician.rules.core.mixed import Mixed
from tactician.rules.core.volley import Volley
from tactician.rules.wh40k2e.areas import blast_at, flame_from
from tactician.rules.wh40k2e.arms import cleared
from tactician.rules.wh40k2e.blasts import drift
from tactician.rules.wh40k2e.firing import combat_of
from tactician.rules.wh40k2e.hiding import can_aim, conceals_at, hide_faults, reveal, stays_concealed, with_spotted
from tactician.rules.wh40k2e.shooting import expected_losses, open_fire, shoot_choice
from tactician.rules.wh40k2e.sighting import reach_of, sees
from tactician.rules.wh40k2e.state import Moving, SquadState, Targeting, Turn
from tactician.rules.wh40k2e.targets import aim_faults, targets_of, usual_aims
from tactician.rules.wh40k2e.to_hit import chain, need_to_hit
from tactician.rules.wh40k2e.wounding import fallen, save_need, wound_need

from tests.rules.wh40k2e.boards import (
    PROFILES,
    WEAPONS,
    answered,
    armed,
    asked,
    battle,
    fire,
    row,
    settled,
    squad,
    thrown,
    wall,
)

ARMS = {weapon.id: weapon for weapon in WEAPONS}
KINDS = {profile.id: profile for profile in PROFILES}


def clauses(state: SquadState, unit: str, *orders: tuple[str, str], on_overwatch: bool = False) -> list[str]:
    faults = aim_faults(state, state.unit(unit), orders, on_overwatch=on_overwatch)
    return sorted({fault.clause for fault in faults})


def need(state: SquadState, weapon: str = "boltgun", **how: bool) -> int:
    """The need of R1's first model at E1's first."""
    unit, foe = state.unit("R1"), state.unit("E1")
    ledger = need_to_hit(state, unit, unit.models[0], ARMS[weapon], foe, foe.models[0], **how)
    return round(ledger.total)


# ---- numbers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("strength", "row_"),
    [
        (1, [4, 5, 6, 6, None, None, None, None, None, None]),
        (4, [2, 2, 3, 4, 5, 6, 6, None, None, None]),
        (8, [2, 2, 2, 2, 2, 2, 3, 4, 5, 6]),
        (10, [2, 2, 2, 2, 2, 2, 2, 2, 3, 4]),
    ],
)
def test_strength_against_toughness(strength: int, row_: list[int | None]) -> None:
    assert [wound_need(strength, toughness) for toughness in range(1, 11)] == row_


def test_saves() -> None:
    assert save_need(KINDS["marine"], ARMS["boltgun"]) == 4
    assert save_need(KINDS["marine"], ARMS["lascannon"]) is None
    assert save_need(KINDS["ork"], ARMS["boltgun"]) is None
    assert save_need(KINDS["terminator"], ARMS["lascannon"]) == 9
    assert save_need(replace(KINDS["ork"], save_blast=5), ARMS["frag grenade"], blast=True) == 6


def test_needs_beyond_six_take_two_dice() -> None:
    assert [chain(one) for one in (2, 6, 7, 8, 9, 10)] == [(2,), (6,), (6, 4), (6, 5), (6, 6), None]
    assert chain(7, goes_on=False) is None


def test_range_decides_the_need() -> None:
    """BS 4 needs 3; a boltgun is one better to 12 inches, a bolt pistol two better to 8."""
    near, far = squad("E1", "ork", [(10, 20)]), squad("E1", "ork", [(10, 26)])
    shooter = squad("R1", "marine", [(10, 10)])
    assert need(battle(shooter, near)) == 2
    assert need(battle(shooter, far)) == 3
    assert need(battle(shooter, near, off=["2E-TH-02"])) == 3
    assert need(battle(shooter, near, off=["2E-TH-01"])) == 6
    assert need(battle(squad("R1", "hero", [(10, 10)]), near)) == 2


def test_a_targeter_and_a_very_large_target_are_one_better() -> None:
    shooter = squad("R1", "terminator", [(10, 10)])
    ork, beast = squad("E1", "ork", [(10, 26)]), squad("E1", "beast", [(10, 26)])
    assert need(battle(shooter, ork)) == 2
    assert need(battle(shooter, ork, off=["2E-TH-09"])) == 3
    marine = squad("R1", "marine", [(10, 10)])
    assert need(battle(marine, beast)) == 2
    assert need(battle(marine, beast, off=["2E-TH-05"])) == 3


@pytest.mark.parametrize(("gone", "expected"), [(9.9, 3), (10.0, 4), (20.0, 4), (20.1, 5)])
def test_speed(gone: float, expected: int) -> None:
    foe = squad("E1", "ork", [(10, 26)], went="ran", walked=(("E1.1", gone),))
    assert need(battle(squad("R1", "marine", [(10, 10)]), foe)) == expected


# ---- cover -----------------------------------------------------------------------------------------------------------


def covered(kind: str, *, off: tuple[str, ...] = (), orks: int = 1, x: float = 9.0) -> SquadState:
    piece = wall(x, 22, 60, 23, top=1.0, cover=kind)
    foes = squad("E1", "ork", row(orks, 10, 26))
    return battle(squad("R1", "marine", [(10, 10)]), foes, pieces=[piece], off=off)


def test_cover_is_one_or_two_worse() -> None:
    assert need(covered("soft")) == 4
    assert need(covered("hard")) == 5
    assert need(covered("hard", off=("2E-TH-03",))) == 3


def test_whoever_touches_a_wall_shoots_over_it() -> None:
    piece = wall(5, 10.5, 15, 11, top=1.0, cover="hard")
    assert need(battle(squad("R1", "marine", [(10, 10)]), squad("E1", "ork", [(10, 26)]), pieces=[piece])) == 3


@pytest.mark.parametrize(
    ("edge", "expected"),
    [(9.0, 5), (10.5, 4), (13.7, 3)],
    ids=["all in hard cover", "one of four in the open: one better", "most in the open"],
)
def test_a_unit_partly_in_cover(edge: float, expected: int) -> None:
    assert need(covered("hard", orks=4, x=edge)) == expected


def test_without_the_rule_of_units_the_model_aimed_at_counts() -> None:
    assert need(covered("hard", orks=4, x=10.5, off=("2E-TH-10",))) == 3


# ---- sight, arc, range -----------------------------------------------------------------------------------------------


def test_models_hide_what_is_behind_them() -> None:
    shooter, front, rear = squad("R1", "marine", [(10, 10)]), squad("E1", "ork", [(10, 15)]), (10, 20)
    state = battle(shooter, front, squad("E2", "ork", [rear]))
    assert targets_of(state, state.unit("R1")) == ("E1",)
    assert clauses(state, "R1", ("R1.1", "E2")) == ["2E-SH-03"]
    state = battle(shooter, front, squad("E2", "ork", [rear]), off=["2E-SH-03"])
    assert "2E-SH-03" not in clauses(state, "R1", ("R1.1", "E2"))


def test_the_own_squad_hides_unless_agreed_otherwise() -> None:
    units = squad("R1", "marine", [(10, 10), (10, 12)]), squad("E1", "ork", [(10, 22)])
    for hides in (True, False):
        state = battle(*units, own_squad_hides=hides)
        unit, foe = state.unit("R1"), state.unit("E1")
        assert sees(state, unit, unit.models[0], foe, foe.models[0]) != hides


def test_a_hill_lifts_eyes() -> None:
    hill = wall(8, 8, 12, 12, name="hill", rise=2.0, hill=True)
    hedge = wall(5, 14, 15, 14.5, top=1.5, screens=True, name="hedge")
    low = battle(squad("R1", "marine", [(10, 10)]), squad("E1", "ork", [(10, 30)]), pieces=[hedge])
    high = battle(squad("R1", "marine", [(10, 10)]), squad("E1", "ork", [(10, 30)]), pieces=[hill, hedge])
    for state, expected in ((low, False), (high, True)):
        red, blue = state.unit("R1"), state.unit("E1")
        assert sees(state, red, red.models[0], blue, blue.models[0]) is expected


def test_long_range_is_the_end() -> None:
    """Gaps of 24 and 24.1 inches between bases."""
    shooter = squad("R1", "marine", [(10, 10)])
    assert clauses(battle(shooter, squad("E1", "ork", [(10, 35)])), "R1", ("R1.1", "E1")) == []
    far = battle(shooter, squad("E1", "ork", [(10, 35.1)]))
    assert clauses(far, "R1", ("R1.1", "E1")) == ["2E-SH-04"]
    assert shoot_choice(far, far.unit("R1")) is None
    open_ended = battle(shooter, squad("E1", "ork", [(10, 35.1)]), off=["2E-SH-04"])
    assert shoot_choice(open_ended, open_ended.unit("R1")) is not None


def test_only_overwatch_is_bound_to_the_front_quarter() -> None:
    for bearing, on_overwatch, expected in ((45.0, True, []), (50.0, True, ["2E-SH-02"]), (180.0, False, [])):
        shooter = squad("R1", "marine", [(10, 10)], bearing=bearing, overwatch=on_overwatch)
        state = battle(shooter, squad("E1", "ork", [(10, 20)]))
        assert clauses(state, "R1", ("R1.1", "E1"), on_overwatch=on_overwatch) == expected


def test_grenades_go_by_strength() -> None:
    marine, guard = squad("R1", "marine", [(10, 10)]), squad("R1", "guard", [(10, 10)])
    state = battle(marine)
    assert reach_of(state, marine, ARMS["frag grenade"]) == 10.0
    assert reach_of(state, guard, ARMS["frag grenade"]) == 8.0
    for x, expected in ((21.0, []), (21.1, ["2E-BL-04"])):
        state = battle(squad("R1", "marine", [(10, 10)], "frag grenade"), squad("E1", "ork", [(x, 10)]))
        assert clauses(state, "R1", ("R1.1", "E1")) == expected


# ---- who may fire what -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ({"went": "ran"}, "2E-RU-03"),
        ({"charge": (("R1.1", "E1.1"),)}, "2E-CH-10"),
        ({"overwatch": True}, "2E-OW-05"),
        ({"went": "compelled"}, "2E-CM-01"),
        ({"broken": True}, "order"),
    ],
)
def test_who_does_not_shoot_at_all(status: dict[str, object], expected: str) -> None:
    units = squad("R1", "marine", [(10, 10)], **status), squad("E1", "ork", [(10, 20)])
    state = battle(*units)
    assert clauses(state, "R1", ("R1.1", "E1")) == [expected]
    assert shoot_choice(state, state.unit("R1")) is None
    if expected != "order":
        assert clauses(battle(*units, off=[expected]), "R1", ("R1.1", "E1")) == []


def test_a_bearer_that_stood_still_fires_though_its_squad_walked() -> None:
    moved = armed(
        squad("R1", "marine", row(2, 10, 10), went="walked", walked=(("R1.2", 4.0),)), _1="lascannon", _2="lascannon"
    )
    units = moved, squad("E1", "ork", row(2, 10, 20))
    state = battle(*units)
    assert clauses(state, "R1", ("R1.1", "E1")) == []
    assert clauses(state, "R1", ("R1.2", "E1")) == ["2E-SH-05"]
    assert clauses(battle(*units, off=["2E-SH-05"]), "R1", ("R1.2", "E1")) == []
    assert clauses(battle(*units, off=["2E-NM-03"]), "R1", ("R1.1", "E1")) == ["2E-SH-05"]


def test_no_grenades_from_overwatch_and_none_while_fighting() -> None:
    shooter = squad("R1", "marine", [(10, 10)], "frag grenade", overwatch=True)
    state = battle(shooter, squad("E1", "ork", [(10, 16)]))
    assert clauses(state, "R1", ("R1.1", "E1"), on_overwatch=True) == ["2E-OW-09"]
    assert shoot_choice(state, state.unit("R1"), on_overwatch=True) is None
    fighting = battle(squad("R1", "marine", [(10, 10)]), squad("E1", "ork", [(10, 11)]))
    assert clauses(fighting, "R1", ("R1.1", "E1")) == ["2E-SH-06"]


def test_one_weapon_a_model() -> None:
    state = battle(squad("R1", "marine", [(10, 10)], "boltgun", "frag grenade"), squad("E1", "ork", [(10, 16)]))
    assert clauses(state, "R1", ("R1.1", "E1:boltgun+frag grenade")) == ["2E-SH-01"]
    assert clauses(state, "R1", ("R1.1", "E1:axe")) == ["order"]
    assert clauses(state, "R1", ("R1.1", "E9")) == ["order"]
    assert clauses(state, "R1", ("R1.1", "E1:boltgun")) == []


@pytest.mark.parametrize(
    ("walked", "on_overwatch", "off", "shots"),
    [
        ((), False, (), 2),
        ((("R1.1", 4.0),), False, (), 1),
        ((), True, (), 1),
        ((), False, ("2E-SH-10",), 1),
    ],
)
def test_rapid_fire(
    walked: tuple[tuple[str, float], ...], on_overwatch: bool, off: tuple[str, ...], shots: int
) -> None:
    state = battle(squad("R1", "rapid", [(10, 10)], walked=walked), squad("E1", "ork", row(4, 10, 20)), off=off)
    roll = asked(fire(state, "R1", ("R1.1", "E1"), on_overwatch=on_overwatch))
    assert isinstance(roll, Volley)
    assert [group.count for group in roll.groups] == [shots]


def test_plasma_rests_a_turn_after_firing() -> None:
    state = battle(squad("R1", "marine", [(10, 10)], "plasma gun"), squad("E1", "ork", row(4, 10, 20)))
    state = thrown(fire(state, "R1", ("R1.1", "E1")), 1)
    state = cleared(state, "red")
    next_turn = replace(state, units=tuple(replace(unit, fired=False) for unit in state.units))
    assert clauses(next_turn, "R1", ("R1.1", "E1")) == ["2E-SH-11"]
    rested = cleared(next_turn, "red")
    assert rested.unit("R1").recharging == ()
    assert clauses(rested, "R1", ("R1.1", "E1")) == []


def test_plasma_fired_on_overwatch_rests_in_the_next_own_turn_only() -> None:
    state = battle(squad("R1", "marine", [(10, 10)], "plasma gun"), squad("E1", "ork", row(4, 10, 20)))
    state = thrown(fire(state, "R1", ("R1.1", "E1"), on_overwatch=True), 1)
    assert state.unit("R1").recharging == ("R1.1",)
    assert cleared(state, "red").unit("R1").recharging == ()


def test_a_jam_silences_a_weapon_until_a_phase_is_spent_on_it() -> None:
    state = battle(squad("R1", "marine", [(10, 10)], "storm bolter"), squad("E1", "ork", row(4, 10, 20)))
    state = thrown(fire(state, "R1", ("R1.1", "E1")), 5, 6)
    assert state.unit("R1").jams == (("R1.1", 1),)
    assert cleared(state, "red").unit("R1").jams == (("R1.1", 1),), "the phase in which it fired clears nothing"
    later = replace(state, units=tuple(replace(unit, fired=False) for unit in state.units))
    assert clauses(later, "R1", ("R1.1", "E1")) == ["2E-SH-09"]
    assert cleared(later, "red").unit("R1").jams == ()
    watching = replace(later, units=(replace(later.unit("R1"), overwatch=True), later.unit("E1")))
    assert cleared(watching, "red").unit("R1").jams == (("R1.1", 1),)


# ---- targets ---------------------------------------------------------------------------------------------------------


def two_targets(**status: object) -> SquadState:
    """E1 ten inches off, E2 nineteen."""
    near = squad("E1", "ork", row(2, 10, 21), **status)
    return battle(squad("R1", "marine", row(2, 10, 10)), near, squad("E2", "ork", row(2, 20, 28)))


def test_the_nearest_of_its_kind_is_shot_at() -> None:
    state = two_targets()
    assert clauses(state, "R1", ("R1.1", "E1"), ("R1.2", "E1")) == []
    assert clauses(state, "R1", ("R1.1", "E2"), ("R1.2", "E2")) == ["2E-TG-02"]
    assert [{aim.split(":")[0] for _, aim in orders} for orders in usual_aims(state, state.unit("R1"))] == [{"E1"}]


def test_broken_fighting_and_covered_units_may_be_passed_over() -> None:
    far = ("R1.1", "E2"), ("R1.2", "E2")
    assert clauses(two_targets(broken=True), "R1", *far) == []
    state = two_targets()
    melee = replace(state, units=(*state.units, squad("R2", "marine", [(10, 22)])))
    assert clauses(melee, "R1", *far) == []
    hedge = wall(5, 15, 14, 16, cover="soft", top=1.0)
    units = state.units
    assert clauses(battle(*units, pieces=[hedge]), "R1", *far) == []
    assert clauses(battle(*units, pieces=[hedge], off=["2E-TG-05"]), "R1", *far) == ["2E-TG-02"]
    both = wall(0, 15, 40, 16, cover="soft", top=1.0)
    assert clauses(battle(*units, pieces=[both]), "R1", *far) == ["2E-TG-02"], "both in cover"


def test_monsters_and_troops_are_two_kinds() -> None:
    shooter = squad("R1", "marine", row(2, 10, 10))
    state = battle(shooter, squad("E1", "ork", row(2, 10, 21)), squad("E2", "beast", [(20, 28)]))
    assert clauses(state, "R1", ("R1.1", "E2"), ("R1.2", "E2")) == []
    assert clauses(state, "R1", ("R1.1", "E1"), ("R1.2", "E2")) == ["2E-TG-01"]


def test_heavy_weapons_may_take_another_target() -> None:
    units = two_targets().units
    heavy = armed(units[0], _2="heavy bolter")
    state = battle(heavy, *units[1:])
    assert clauses(state, "R1", ("R1.1", "E1"), ("R1.2", "E2")) == []
    off = battle(heavy, *units[1:], off=["2E-TG-03"])
    assert clauses(off, "R1", ("R1.1", "E1"), ("R1.2", "E2")) == ["2E-TG-02"]


def test_a_model_that_cannot_see_the_squads_target_has_its_own() -> None:
    """A wall before R1.2 hides E1 from it; E2 is in its sight."""
    piece = wall(14.9, 10, 15, 30, blocks=True)
    units = squad("R1", "marine", [(14, 10), (16, 10)]), squad("E1", "ork", [(12, 18)]), squad("E2", "ork", [(18, 30)])
    state = battle(*units, pieces=[piece])
    assert clauses(state, "R1", ("R1.1", "E1"), ("R1.2", "E2")) == []
    off = battle(*units, pieces=[piece], off=["2E-TG-04"])
    assert clauses(off, "R1", ("R1.1", "E1"), ("R1.2", "E2")) == ["2E-TG-02"]


def test_a_model_with_a_nearer_enemy_has_its_own() -> None:
    units = squad("R1", "marine", [(10, 10), (20, 10)]), squad("E1", "ork", [(10, 16)]), squad("E2", "ork", [(20, 17)])
    state = battle(*units)
    assert clauses(state, "R1", ("R1.1", "E1"), ("R1.2", "E2")) == []
    assert clauses(state, "R1", ("R1.1", "E2"), ("R1.2", "E1")) != []
    assert clauses(battle(*units, off=["2E-TG-04"]), "R1", ("R1.1", "E1"), ("R1.2", "E2")) == ["2E-TG-02"]


def test_a_character_in_a_crowd_cannot_be_picked_out() -> None:
    shooter = squad("R1", "marine", [(10, 10)])
    lone = battle(shooter, squad("E1", "hero", [(10, 20)]), squad("E2", "ork", row(2, 13.1, 20)))
    assert clauses(lone, "R1", ("R1.1", "E1")) == []
    units = shooter, squad("E1", "hero", [(10, 20)]), squad("E2", "ork", row(2, 13, 20))
    crowd = battle(*units)
    assert clauses(crowd, "R1", ("R1.1", "E1")) == ["2E-TG-06"]
    assert targets_of(crowd, crowd.unit("R1")) == ("E2",)
    assert clauses(battle(*units, off=["2E-TG-06"]), "R1", ("R1.1", "E1")) == []


def test_characters_choose_freely() -> None:
    units = squad("R1", "hero", [(10, 10)]), *two_targets().units[1:]
    assert clauses(battle(*units), "R1", ("R1.1", "E2")) == []
    assert clauses(battle(*units, off=["2E-TG-07"]), "R1", ("R1.1", "E2")) == ["2E-TG-02"]
    heavy = squad("R1", "hero", [(10, 10)], "lascannon"), *units[1:]
    assert clauses(battle(*heavy), "R1", ("R1.1", "E2")) == ["2E-TG-02"]


def test_the_offered_assignments_are_legal_and_the_first_destroys_most() -> None:
    shooter = armed(squad("R1", "marine", row(5, 10, 10)), _5="lascannon")
    state = battle(shooter, squad("E1", "ork", row(4, 10, 21)), squad("E2", "beast", [(22, 24)]))
    choice = shoot_choice(state, state.unit("R1"))
    assert choice is not None
    usual = usual_aims(state, state.unit("R1"))
    assert len(usual) >= 3
    first = dict(usual[0])
    assert first["R1.5"] == "E2:lascannon", "a boltgun takes orks, a lascannon the beast"
    assert first["R1.1"] == "E1:boltgun"
    rng = Random(3)
    for _ in range(20):
        assert choice.explain(state, choice.sample(state, rng.random)) == ()
    assert choice.explain(state, choice.canonical(state)) == ()
    assert choice.explain(state, Action(verb="shoot", unit="R1", targets=(("R1.1", "E1"), ("R1.1", "E2")))) != ()


# ---- overwatch -------------------------------------------------------------------------------------------------------


def charging(gait: str = "charge", y: float = 26.0, off: tuple[str, ...] = ()) -> SquadState:
    foe = squad("E1", "ork", [(10, y)], charge=(("E1.1", "R1.1"),))
    state = battle(squad("R1", "marine", [(10, 10)], overwatch=True), foe, off=off)
    moving = Moving(owner="blue", unit="E1", gait=gait, stage="replan")  # type: ignore[arg-type]
    return replace(state, agenda=(Turn(owner="blue", phase="chargers"), moving))


def first_need(state: SquadState) -> object:
    roll = asked(fire(state, "R1", ("R1.1", "E1"), on_overwatch=True))
    assert isinstance(roll, Volley)
    return roll.groups[0].hit


def test_chargers_are_shot_at_at_short_range_and_one_worse() -> None:
    """Fifteen inches off: 3 - 1 for short range + 1; a runner there is at long range."""
    assert first_need(charging()) == (3,)
    assert first_need(charging("frenzy")) == (3,)
    assert first_need(charging(off=("2E-TH-07",))) == (4,)
    assert first_need(charging(off=("2E-TH-06",))) == (2,)
    assert first_need(charging("run")) == (3,)
    assert first_need(charging("run", y=20.0)) == (2,)


@pytest.mark.parametrize(("begun", "need"), [((13.0, 20.0), (3,)), ((10.0, 21.0), (2,))])
def test_one_worse_against_who_leaves_the_shelter_of_a_wall(begun: tuple[float, float], need: tuple[int, ...]) -> None:
    """From behind a low wall to the right into the open; and all the while in the open."""
    hedge = wall(11, 17, 14, 17.4, top=0.5, cover="hard")
    foe = squad("E1", "ork", [(10, 20)])
    state = battle(squad("R1", "marine", [(10, 10)], overwatch=True), foe, pieces=(hedge,))
    moving = Moving(owner="blue", unit="E1", gait="walk", stage="replan", begun=(("E1.1", *begun),))
    assert first_need(replace(state, agenda=(Turn(owner="blue", phase="normal"), moving))) == need


def test_an_interrupted_mover_counts_with_what_it_has_gone_so_far() -> None:
    state = charging("run")
    moving = replace(state.agenda[-1], walked=(("E1.1", 10.5),))  # type: ignore[type-var]
    assert first_need(replace(state, agenda=(state.agenda[0], moving))) == (4,)


def test_the_choice_from_overwatch_is_judged_as_such() -> None:
    state = charging()
    state = replace(state, agenda=(*state.agenda, Targeting(owner="red", unit="R1", mover="E1")))
    choice = shoot_choice(state, state.unit("R1"), on_overwatch=True, mover="E1")
    assert choice is not None
    assert choice.canonical(state).targets == (("R1.1", "E1:boltgun"),)
    afraid = replace(state, units=(replace(state.unit("R1"), cowed=True), state.unit("E1")))
    assert shoot_choice(afraid, afraid.unit("R1"), on_overwatch=True, mover="E1") is None


def test_who_is_shot_at_on_overwatch_is_tested_hit_or_not() -> None:
    state = battle(squad("R1", "marine", [(10, 10)]), squad("E1", "guard", row(2, 10, 20), overwatch=True))
    missed = thrown(fire(state, "R1", ("R1.1", "E1")), 1)
    assert [frame.kind for frame in missed.agenda] == ["test"]
    assert thrown(missed, 4, 4).unit("E1").overwatch is False, "eight is more than seven"
    assert thrown(missed, 4, 3).unit("E1").overwatch is True
    off = battle(*state.units, off=["2E-OW-10"])
    assert thrown(fire(off, "R1", ("R1.1", "E1")), 1).agenda == ()


def test_losses_break_before_the_test_of_overwatch() -> None:
    state = battle(squad("R1", "marine", [(10, 10)]), squad("E1", "ork", row(3, 10, 20), overwatch=True))
    state = thrown(fire(state, "R1", ("R1.1", "E1")), 6, 6)
    assert len(state.unit("E1").models) == 2
    assert [getattr(frame, "cause", frame.kind) for frame in state.agenda] == ["shooting", "break"]
    held = thrown(state, 1, 1)
    assert [getattr(frame, "cause", frame.kind) for frame in held.agenda] == ["overwatch"]


# ---- dice ------------------------------------------------------------------------------------------------------------


def test_a_volley_has_the_numbers_of_the_book() -> None:
    """Three boltguns at orks at short range: 2 to hit, 4 to wound, no save left: 5/12 each."""
    state = battle(squad("R1", "marine", row(3, 10, 10)), squad("E1", "ork", row(3, 10, 20)))
    roll = asked(fire(state, "R1", *((f"R1.{n}", "E1") for n in (1, 2, 3))))
    assert isinstance(roll, Volley)
    assert dict(roll.exact())[3, 0] == Fraction(5, 12) ** 3
    assert dict(roll.exact())[0, 0] == Fraction(7, 12) ** 3


def test_the_nearest_fall_first() -> None:
    units = squad("R1", "marine", [(10, 10)]), squad("E1", "ork", [(10, 22), (12, 20), (8, 21)])
    state = thrown(fire(battle(*units), "R1", ("R1.1", "E1")), 6, 6)
    assert state.unit("E1").lost == ("E1.2",)
    off = thrown(fire(battle(*units, off=["2E-SH-12"]), "R1", ("R1.1", "E1")), 6, 6)
    assert off.unit("E1").lost == ("E1.1",)


def test_sustained_fire_rolls_for_hits() -> None:
    """A hit, a burst of 2 and 3, five wounds, no saves."""
    units = squad("R1", "marine", [(10, 10)], "heavy bolter"), squad("E1", "ork", row(6, 6, 20))
    state = thrown(fire(battle(*units), "R1", ("R1.1", "E1")), 4, 4, 5, 6, 6, 6, 6, 6)
    assert len(state.unit("E1").lost) == 5
    off = asked(fire(battle(*units, off=["2E-SH-08"]), "R1", ("R1.1", "E1")))
    assert max(outcome[0] for outcome, _ in off.exact()) == 1


def test_damage_does_not_spill_over() -> None:
    """A lascannon's twelve wounds kill one hero of three wounds; with the clause off they kill all."""
    heroes = squad("E1", "hero", row(3, 10, 20))
    shooter = squad("R1", "marine", [(10, 10)], "lascannon")
    roll = asked(fire(battle(shooter, heroes), "R1", ("R1.1", "E1")))
    assert max(outcome[0] for outcome, _ in roll.exact()) == 1
    state = fire(battle(shooter, heroes, off=["2E-WO-03"]), "R1", ("R1.1", "E1"))
    state = thrown(state, 6, 6, 4, 4)
    assert state.unit("E1").lost == ("E1.1", "E1.2")
    assert state.unit("E1").hurt == (("E1.3", 2),)


def test_wounded_models_keep_their_wounds() -> None:
    state = battle(squad("R1", "marine", [(10, 10)]), squad("E1", "hero", [(10, 20)], hurt=(("E1.1", 1),)))
    state = thrown(fire(state, "R1", ("R1.1", "E1")), 6, 6, 1)
    assert state.unit("E1").hurt == (("E1.1", 2),)
    assert fallen(state, "E1", 1, 0, ("E1.1",)).unit("E1").models == ()


def test_wounds_and_saves_can_be_switched_off() -> None:
    units = squad("R1", "marine", [(10, 10)]), squad("E1", "beast", [(10, 20)])
    assert asked(fire(battle(*units), "R1", ("R1.1", "E1"))).groups[0].wound == 6
    assert asked(fire(battle(*units, off=["2E-WO-01"]), "R1", ("R1.1", "E1"))).groups[0].wound == 4
    assert asked(fire(battle(*units), "R1", ("R1.1", "E1"))).groups[0].save == 4
    assert asked(fire(battle(*units, off=["2E-WO-02"]), "R1", ("R1.1", "E1"))).groups[0].save == 3


def test_impossible_shots_come_to_nothing() -> None:
    """BS 3 at long range, hard cover, a target that went 21 inches: 4 + 2 + 2 = 8; two more are impossible."""
    piece = wall(5, 22, 15, 23, top=1.0, cover="hard")
    foe = squad("E1", "ork", [(10, 26)], walked=(("E1.1", 21.0),))
    state = battle(squad("R1", "guard", [(10, 10)], "lasgun"), foe, pieces=[piece])
    assert asked(fire(state, "R1", ("R1.1", "E1"))).groups[0].hit == (6, 5)
    assert fire(battle(*state.units, pieces=[piece], off=["2E-TH-08"]), "R1", ("R1.1", "E1")).agenda == ()


# ---- fire into combat ------------------------------------------------------------------------------------------------


def melee(off: tuple[str, ...] = ()) -> SquadState:
    """E1.1 fights R2.1, E1.2 stands free behind."""
    return battle(
        squad("R1", "marine", row(2, 9, 10)),
        squad("R2", "marine", [(11, 20)]),
        squad("E1", "ork", [(10, 20), (10, 24)]),
        off=off,
    )


def test_shots_into_a_combat_are_shared_out_over_everybody_in_it() -> None:
    state = melee()
    assert combat_of(state, "E1.1") == ("E1.1", "R2.1")
    state = fire(state, "R1", ("R1.1", "E1"), ("R1.2", "E1"))
    roll = asked(state)
    assert isinstance(roll, Faces)
    assert dict(roll.exact())[1, 1] == Fraction(1, 2)
    state = thrown(state, 1, 2)
    state = thrown(thrown(state, 6, 6), 6, 6, 1)
    assert state.unit("E1").lost == ("E1.1",)
    assert state.unit("R2").lost == ("R2.1",)


def test_without_the_clause_shots_into_a_combat_hit_whom_they_are_aimed_at() -> None:
    roll = asked(fire(melee(off=("2E-SH-07",)), "R1", ("R1.1", "E1")))
    assert isinstance(roll, Volley)


def test_many_shots_are_shared_out_in_several_rolls() -> None:
    """Nine models in a chain fight: six shots have 3,003 ways to go, five have 1,287."""
    line = [(10.0 + n, 20.0) for n in range(9)]
    units = squad("R2", "marine", line[1::2]), squad("E1", "ork", line[::2])
    state = battle(squad("R1", "rapid", row(3, 10, 10)), *units)
    state = fire(state, "R1", *((f"R1.{n}", "E1") for n in (1, 2, 3)))
    shares = []
    while isinstance(asked(state), Faces):
        shares.append(asked(state).dice)
        state = thrown(state, *([1] * shares[-1]))
    assert shares == [5, 1]
    assert [group.count for group in asked(state).groups] == [5, 1]
    assert len(asked(state).models) == 1


# ---- areas -----------------------------------------------------------------------------------------------------------


def test_bases_wholly_and_partly_under_a_blast() -> None:
    """A blast of two inches: wholly under it to 1.5 inches between the centres, partly below 2.5."""
    state = battle(squad("E1", "ork", [(10, 10), (11.5, 10), (10, 11.6), (12.49, 10), (10, 12.5)]))
    found = {one.model: one.wholly for one in blast_at(state, (10, 10), 2)}
    assert found == {"E1.1": True, "E1.2": True, "E1.3": False, "E1.4": False}
    off = battle(*state.units, off=["2E-BL-01"])
    assert {one.model for one in blast_at(off, (10, 10), 2)} == {"E1.1"}


def test_bases_under_a_flame() -> None:
    """The flame is a triangle from (10, 10.5) to x = 9 and 11 at y = 18.5."""
    state = battle(
        squad("R1", "marine", [(10, 10)], "flamer"),
        squad("E1", "ork", [(10, 17), (10, 18.4), (11, 17), (10, 12), (12, 18), (10, 19.1)]),
    )
    unit = state.unit("R1")
    found = {one.model: one.wholly for one in flame_from(state, unit, unit.models[0], (10, 30))}
    assert found == {"E1.1": True, "E1.2": False, "E1.3": False, "E1.4": False}


def test_a_flame_needs_no_roll_to_hit() -> None:
    units = squad("R1", "marine", [(10, 10)], "flamer"), squad("E1", "ork", [(10, 17)])
    roll = asked(fire(battle(*units), "R1", ("R1.1", "E1")))
    assert isinstance(roll, Volley)
    assert roll.groups[0].hit == ()
    off = battle(*units, off=["2E-BL-03"])
    assert asked(fire(off, "R1", ("R1.1", "E1"))).why.startswith("blast: ")
    assert thrown(fire(off, "R1", ("R1.1", "E1")), 1).agenda == (), "a flame that misses goes nowhere"


def frag(off: tuple[str, ...] = (), weapon: str = "frag missile", y: float = 30.0) -> SquadState:
    foes = squad("E1", "ork", [(10, y), (11.2, y), (12.2, y)])
    return battle(squad("R1", "marine", [(10, 10)], weapon), foes, off=off)


def test_a_blast_that_hits_strikes_all_under_it() -> None:
    """BS 4, long range 0: 3 to hit. About E1.2 all three are wholly or nearly under it."""
    state = fire(frag(), "R1", ("R1.1", "E1"))
    assert asked(state).at_least == 3
    state = thrown(state, 3)
    roll = asked(state)
    assert isinstance(roll, Volley)
    assert (roll.groups[0].count, roll.groups[0].hit) == (3, ())
    assert thrown(state, 6, 6, 1).unit("E1").lost == ("E1.1", "E1.2")


def test_a_blast_that_misses_goes_astray_by_clock_and_artillery_die() -> None:
    """Ten inches towards three o'clock, but at most half of the range of 18.04 inches: (20.2, 30)."""
    state = thrown(fire(frag(), "R1", ("R1.1", "E1")), 2)
    assert isinstance(asked(state), Mixed)
    assert len(asked(state).exact()) == 72
    assert thrown(state, 3, 5).agenda == (), "nobody there"
    assert thrown(state, 3, 6).log[-1] == "frag missile: a misfire without effect"
    near = thrown(state, 9, 1)
    roll = asked(near)
    assert isinstance(roll, Volley)
    assert [(group.count, group.hit) for group in roll.groups] == [(1, ())], "(9.2, 30): E1.1 wholly"
    assert thrown(fire(frag(off=("2E-BL-02",)), "R1", ("R1.1", "E1")), 2).agenda == ()


def test_drift() -> None:
    assert drift((10, 10), 12, 4) == pytest.approx((10, 14))
    assert drift((10, 10), 3, 4) == pytest.approx((14, 10))


def test_a_grenade_goes_half_as_far() -> None:
    """Two on the artillery die is one inch: at (11.2, 19) all are wholly under it still but the first, 1.2 + 1 off."""
    state = thrown(fire(frag(weapon="frag grenade", y=19.0), "R1", ("R1.1", "E1")), 2)
    told = thrown(state, 3, 1).log
    assert told[-1].startswith("frag grenade comes down at (12.2, 19.0)")


def test_blasts_strike_friends_too() -> None:
    foes, friends = squad("E1", "ork", [(10, 30)]), squad("R2", "marine", [(11.2, 30)])
    state = thrown(
        fire(battle(squad("R1", "marine", [(10, 10)], "frag missile"), foes, friends), "R1", ("R1.1", "E1")), 6
    )
    assert [frame.target for frame in state.agenda if frame.kind == "volleys"] == ["E1", "R2"]  # type: ignore[attr-defined]


# ---- hiding ----------------------------------------------------------------------------------------------------------

HEDGE = wall(5, 20, 15, 20.5, top=1.0, conceals=True, cover="soft", name="hedge")


def hidden(foe: str = "ork", y: float = 10.0, off: tuple[str, ...] = (), x: float = 10.0) -> SquadState:
    """E1 touches the hedge from above; R1 stands below it."""
    unit = squad("E1", "guard", [(10, 21), (12, 21)], hidden=True)
    return battle(squad("R1", foe, [(x, y)], "boltgun"), unit, pieces=[HEDGE], off=off)


def test_who_may_hide() -> None:
    state = battle(squad("R1", "marine", [(10, 19.5), (12, 19.5)]), pieces=[HEDGE])
    unit = state.unit("R1")
    assert all(conceals_at(state, unit, model) for model in unit.models)
    assert hide_faults(state, unit) == ()

    def faults(**status: object) -> list[str]:
        return [fault.clause for fault in hide_faults(state, replace(unit, **status))]  # type: ignore[arg-type]

    assert faults(went="walked") == []
    assert faults(went="ran") == ["2E-RU-03"]
    assert faults(went="charged") == ["2E-HI-01"]
    assert faults(overwatch=True) == ["2E-OW-05"]
    assert faults(profile="terminator") == ["2E-HI-03"]
    away = squad("R1", "marine", [(10, 19.5), (12, 19.4)])
    assert [fault.clause for fault in hide_faults(battle(away, pieces=[HEDGE]), away)] == ["2E-HI-02"]


@pytest.mark.parametrize(
    ("foe", "gap", "spotted"),
    [("marine", 4.0, True), ("marine", 4.1, False), ("ork", 3.0, False), ("scout", 8.0, True), ("scout", 8.1, False)],
)
def test_an_enemy_near_enough_spots(foe: str, gap: float, spotted: bool) -> None:
    state = with_spotted(hidden(foe, y=21 - gap - 1.0))
    assert state.unit("E1").spotters == (("R1",) if spotted else ())
    off = with_spotted(hidden(foe, y=21 - gap - 1.0, off=("2E-HI-07",)))
    assert off.unit("E1").spotters == ()


def test_an_enemy_past_the_hedge_spots() -> None:
    """From above nothing is between."""
    state = with_spotted(hidden(y=32.0))
    assert state.unit("E1").spotters == ("R1",)
    assert with_spotted(hidden(y=32.0, off=("2E-HI-08",))).unit("E1").spotters == ()


def test_hidden_units_are_no_targets_until_spotted() -> None:
    state = hidden()
    assert clauses(state, "R1", ("R1.1", "E1")) == ["2E-HI-04"]
    assert shoot_choice(state, state.unit("R1")) is None
    assert clauses(hidden(off=("2E-HI-04",)), "R1", ("R1.1", "E1")) == []
    spotted = with_spotted(hidden("marine", y=16.0))
    assert can_aim(spotted, spotted.unit("R1"), spotted.unit("E1"))
    assert clauses(spotted, "R1", ("R1.1", "E1")) == []


def detected(off: tuple[str, ...] = ()) -> SquadState:
    """R2 has spotted E1; R1 has not."""
    unit = squad("E1", "guard", [(10, 21), (11, 21)], hidden=True, spotters=("R2",))
    shooter = armed(squad("R1", "marine", [(10, 8), (12, 8)]), _2="frag missile")
    return battle(shooter, squad("R2", "marine", [(20, 21)]), unit, pieces=[HEDGE], off=off)


def test_others_lay_only_areas_on_a_detected_unit_which_strike_on_four() -> None:
    state = detected()
    assert clauses(state, "R1", ("R1.1", "E1")) == ["2E-HI-09"]
    assert clauses(state, "R1", ("R1.2", "E1")) == []
    assert clauses(detected(off=("2E-HI-09",)), "R1", ("R1.1", "E1")) == []
    roll = asked(thrown(fire(state, "R1", ("R1.2", "E1")), 6))
    assert [(group.count, group.hit) for group in roll.groups] == [(2, (4,))]
    roll = asked(thrown(fire(detected(off=("2E-HI-09",)), "R1", ("R1.2", "E1")), 6))
    assert [(group.count, group.hit) for group in roll.groups] == [(2, ())]


def test_shooting_reveals() -> None:
    units = squad("R1", "marine", [(10, 19.5)], hidden=True, spotters=("E1",)), squad("E1", "ork", [(10, 30)])
    action = Action(verb="shoot", unit="R1", targets=(("R1.1", "E1"),))
    after = open_fire(battle(*units, pieces=[HEDGE]), action)
    assert (after.unit("R1").hidden, after.unit("R1").spotters, after.unit("R1").fired) == (False, (), True)
    assert open_fire(battle(*units, off=["2E-HI-06"]), action).unit("R1").hidden
    assert reveal(after, "R1", "again") is after


def test_moving_along_what_conceals_keeps_hidden() -> None:
    state = battle(squad("R1", "marine", [(10, 19.5)]), pieces=[HEDGE])
    unit, model = state.unit("R1"), state.unit("R1").models[0]
    assert stays_concealed(state, unit, model, (Straight((13, 19.5)),))
    assert stays_concealed(state, unit, model, (Straight((10, 20.2)), Straight((12, 20.2))))
    assert not stays_concealed(state, unit, model, (Straight((13, 19.3)), Straight((14, 19.5))))
    assert not stays_concealed(state, unit, model, (Straight((16, 19.5)),))


# ---- for appraisers --------------------------------------------------------------------------------------------------


def test_expected_losses_are_those_of_the_dice() -> None:
    state = battle(squad("R1", "marine", row(3, 10, 10)), squad("E1", "ork", row(4, 10, 20)))
    chances = expected_losses(state, state.unit("R1"), state.unit("E1"))
    assert sum(chances) == pytest.approx(1.0)
    assert chances[3] == pytest.approx((5 / 12) ** 3)
    assert chances[4] == 0.0
    far = battle(squad("R1", "marine", row(3, 10, 10)), squad("E1", "ork", row(4, 10, 40)))
    assert expected_losses(far, far.unit("R1"), far.unit("E1")) == (1.0, 0.0, 0.0, 0.0, 0.0)


# ---- whole firings ---------------------------------------------------------------------------------------------------

KITS = (
    ("boltgun", "frag grenade"),
    ("storm bolter",),
    ("heavy bolter", "bolt pistol"),
    ("flamer", "krak grenade"),
    ("frag missile",),
    ("plasma gun", "bolt pistol"),
)


def scattered(rng: Random) -> SquadState:
    """Squads anywhere near each other, armed with anything; some fight, some watch, some hide."""
    units = []
    for name in ("R1", "R2", "E1", "E2", "E3"):
        x, y = 20 + 14 * rng.random(), 12 + 14 * rng.random()
        places = [(x + 1.0 * (n % 3), y + 1.0 * (n // 3)) for n in range(rng.randrange(1, 7))]
        kind = rng.choice(("marine", "rapid", "ork", "guard", "terminator", "hero", "beast"))
        unit = squad(name, kind, places[:1] if kind in ("hero", "beast") else places, *rng.choice(KITS))
        units.append(replace(unit, overwatch=rng.random() < 0.3, hidden=rng.random() < 0.2))
    pieces = (wall(24, 18, 30, 22, cover="soft", conceals=True, veil=2.0, top=6.0), wall(35, 10, 36, 20, blocks=True))
    return with_spotted(battle(*units, pieces=pieces))


@pytest.mark.parametrize("seed", range(40))
def test_offered_fire_is_legal_and_comes_to_an_end(seed: int) -> None:
    rng = Random(seed)
    state = scattered(rng)
    for name in ("R1", "E2", "R2", "E1"):
        unit = state.unit(name)
        watching = unit.overwatch
        choice = shoot_choice(state, unit, on_overwatch=watching)
        if choice is None:
            continue
        action = choice.sample(state, rng.random)
        assert choice.explain(state, action) == ()
        after = settled(open_fire(state, action, on_overwatch=watching))
        rolls = 0
        while after.agenda:
            after = answered(after, asked(after).sample(rng))
            rolls += 1
            assert rolls < 200
        for one in after.units:
            assert len(one.models) + len(one.lost) == one.mustered
            left = {model.id for model in one.models}
            assert {model for model, _ in (*one.hurt, *one.jams)} | set(one.recharging) <= left
            assert all(0 < hurt < after.profile(one).wounds for _, hurt in one.hurt)
        state = after
