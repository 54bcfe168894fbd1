"""Tests, breaking, flight, rallying, psychology and compulsory moves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tactician.rules.core.agenda import push
from tactician.rules.core.derive import but
from tactician.rules.core.legs import Straight
from tactician.rules.core.movement import judge
from tactician.rules.wh40k2e.compulsory import begin, due
from tactician.rules.wh40k2e.flight import flight_plan, flight_type, has_to_flee, is_in_cover
from tactician.rules.wh40k2e.leadership import after_losses, commander_of, leadership_of, overwatch_test
from tactician.rules.wh40k2e.psychology import charge_tests, fears, is_frenzied, may_restrain, opening_tests
from tactician.rules.wh40k2e.rally import due_rallies, with_stragglers
from tactician.rules.wh40k2e.state import Broken, Moving, Squad, SquadState
from tactician.rules.wh40k2e.state import Test as Ordeal

from tests.rules.wh40k2e.fields import HANDLERS, battle, mover, order, piece, roll_of, settled, squad, throw, top

ROW = tuple((20.0 + 1.5 * number, 20.0) for number in range(8))

WOOD = piece("wood", (18, 6, 34, 12), cover="soft", conceals=True, wood=True)


def orks(*places: tuple[float, float], **status: Any) -> Squad:
    """A red squad of orks, in a row unless places are given."""
    return squad("R", "red", "ork", *(places or ROW), **status)


def marines(*places: tuple[float, float], **status: Any) -> Squad:
    """A blue squad of marines, far away unless places are given."""
    return squad("B", "blue", "marine", *(places or ((20.0, 40.0),)), **status)


def facing(state: SquadState, unit: str, cause: Any) -> SquadState:
    """The state with a test on top."""
    return settled(push(state, Ordeal(owner=state.unit(unit).side, unit=unit, cause=cause)))


def broken(state: SquadState, unit: str = "R") -> SquadState:
    """The state after a unit has broken."""
    return settled(push(state, Broken(owner=state.unit(unit).side, unit=unit)))


def lost(state: SquadState, unit: str, count: int) -> SquadState:
    """The state after a unit has lost so many models, with its tests."""
    names = tuple(model.id for model in state.unit(unit).models[:count])
    return settled(after_losses(state.with_unit(state.unit(unit).without(names)), unit))


# ---- Leadership ------------------------------------------------------------------------------------------------------


def test_a_test_is_two_dice_up_to_leadership() -> None:
    state = facing(battle(orks(), marines()), "R", "stupidity")
    roll = roll_of(state)
    assert roll.ask() == "roll 2D6, sum up: 2-7 passes, 8-12 fails"
    assert not throw(state, 3, 4).unit("R").dazed
    assert throw(state, 4, 4).unit("R").dazed
    assert top(facing(battle(orks(), marines(), off=("2E-LD-01",)), "R", "stupidity")) == "turn"


def test_the_commander_lends_leadership_within_twelve_inches() -> None:
    near, far = squad("H", "red", "hero", (20, 33)), squad("H", "red", "hero", (20, 33.1))
    assert leadership_of(battle(orks(), near), orks()) == 10
    assert leadership_of(battle(orks(), far), orks()) == 7
    assert leadership_of(battle(orks(), near, off=("2E-LD-02",)), orks()) == 7
    assert leadership_of(battle(orks(), but(near, broken=True)), orks()) == 7
    assert leadership_of(battle(orks(), squad("H", "blue", "hero", (20, 33))), orks()) == 7
    leader = commander_of(battle(orks(), near), "red")
    assert leader is not None
    assert leader.id == "H"


def test_hatred_tests_for_losses_and_rallying_at_ten() -> None:
    state = battle(orks(broken=True), marines(), rules={"ork": ("hatred",)})
    assert [leadership_of(state, state.unit("R"), cause) for cause in ("break", "rally", "terror")] == [10, 10, 7]
    plain = battle(orks(), rules={"ork": ("hatred",)}, off=("2E-PS-06",))
    assert leadership_of(plain, plain.unit("R"), "break") == 7


# ---- losses ----------------------------------------------------------------------------------------------------------


def test_a_quarter_lost_in_a_turn_is_a_test_once_a_turn() -> None:
    state = battle(orks(), marines())
    assert top(lost(state, "R", 1)) == "turn"
    state = lost(state, "R", 2)
    assert (top(state), mover(state)) == ("test", "chance")
    state = throw(state, 3, 4)
    assert not state.unit("R").broken
    assert top(lost(state, "R", 2)) == "turn"
    assert top(lost(battle(orks(), off=("2E-LD-03",)), "R", 4)) == "turn"
    assert top(lost(battle(orks(), rules={"ork": ("immune",)}), "R", 4)) == "turn"
    assert throw(lost(battle(orks(), marines()), "R", 2), 4, 4).unit("R").broken


def test_marines_are_shaken_first_and_broken_then() -> None:
    state = battle(orks(), marines((20, 40), (22, 40)), owner="blue")
    shaken = broken(state, "B")
    assert (shaken.unit("B").shaken, shaken.unit("B").broken) == (True, False)
    then = broken(shaken, "B")
    assert (then.unit("B").shaken, then.unit("B").broken) == (False, True)
    assert broken(battle(orks(), marines(), off=("2E-LD-07",)), "B").unit("B").broken


def test_breaking_ends_overwatch_and_a_declared_charge() -> None:
    unit = broken(battle(orks(overwatch=True, charge=(("R1", "B1"),)), marines())).unit("R")
    assert (unit.broken, unit.overwatch, unit.charge) == (True, False, ())


def test_broken_and_down_to_a_quarter_is_the_end() -> None:
    few = orks(*ROW[:2], mustered=8)
    assert broken(battle(few, marines())).unit("R").models == ()
    assert broken(battle(few, marines(), off=("2E-LD-10",))).unit("R").models
    assert broken(battle(orks(*ROW[:3], mustered=8), marines())).unit("R").models
    assert lost(battle(orks(*ROW[:3], mustered=8, broken=True), marines()), "R", 1).unit("R").models == ()


def test_the_fall_of_the_commander_is_felt_by_everybody_near() -> None:
    near, far = orks(), squad("S", "red", "ork", (40, 40))
    hero = squad("H", "red", "hero", (20, 30))
    state = lost(battle(near, far, hero, marines()), "H", 1)
    assert roll_of(state).subject == "R"
    after = throw(state, 6, 6)
    assert (top(after), after.unit("R").broken, after.unit("S").broken) == ("turn", True, False)
    assert top(lost(battle(near, hero, marines(), off=("2E-LD-12",)), "H", 1)) == "turn"
    second = squad("I", "red", "hero", (40, 41))
    assert top(lost(battle(near, hero, second, marines()), "H", 1)) == "test"


def test_shot_at_on_overwatch_a_unit_may_lose_it() -> None:
    state = settled(overwatch_test(battle(orks(), marines(overwatch=True)), "B"))
    assert throw(state, 4, 4).unit("B").overwatch
    assert not throw(state, 4, 5).unit("B").overwatch
    keeps = settled(overwatch_test(battle(orks(), marines(overwatch=True), off=("2E-OW-11",)), "B"))
    assert throw(keeps, 6, 6).unit("B").overwatch
    none = overwatch_test(battle(orks(), marines(overwatch=True), off=("2E-OW-10",)), "B")
    assert top(none) == "turn"
    assert top(overwatch_test(battle(orks(), marines()), "B")) == "turn"


# ---- flight ----------------------------------------------------------------------------------------------------------


def fleeing(*features: Any, at: tuple[float, float] = (20, 26), unit: Squad | None = None, **field: Any) -> SquadState:
    """A broken red squad at the start of its compulsory moves, an enemy above it."""
    state = battle(unit or orks(*ROW[:3], broken=True), marines(at), features=features, phase="compulsory", **field)
    assert due(state, "red") in ((("flee", "R"),), ())
    return settled(begin(state, "flee", "R"))


def test_a_broken_unit_flees_two_dice_straight_away() -> None:
    state = fleeing(at=(21.5, 26))
    assert roll_of(state).to_throw() == (6, 6)
    after = throw(state, 3, 5)
    assert [model.pose.y for model in after.unit("R").models] == pytest.approx([12.0] * 3, abs=1e-3)
    assert (after.unit("R").fled, top(after)) == (True, "turn")
    assert top(fleeing(off=("2E-LD-05",))) == "turn"


def test_something_feared_near_makes_it_as_far_again() -> None:
    rules = {"marine": ("fear",)}
    after = throw(fleeing(at=(21.5, 28), rules=rules), 1, 2)
    assert (top(after), after.unit("R").models[0].pose.y) == ("flight", pytest.approx(17.0, abs=1e-3))
    assert throw(after, 2, 2).unit("R").models[0].pose.y == pytest.approx(13.0, abs=1e-3)
    assert top(throw(fleeing(at=(21.5, 30), rules=rules), 1, 2)) == "turn"
    assert top(throw(fleeing(at=(21.5, 28), rules=rules, off=("2E-LD-06",)), 1, 2)) == "turn"


def test_flight_makes_for_cover_and_ends_there() -> None:
    state = fleeing(WOOD)
    far = throw(state, 1, 2)
    assert [model.pose.y for model in far.unit("R").models] == pytest.approx([17.0] * 3, abs=1e-3)
    near = throw(state, 6, 6)
    assert is_in_cover(near, near.unit("R"))
    assert not has_to_flee(near, near.unit("R"))


def test_a_squad_behind_a_wall_finds_room_for_everybody() -> None:
    wall = piece("wall", (15, 10, 35, 10.4), top=1.5, obstacle=True, cover="hard")
    blob = orks(*((20.0 + 1.1 * (n % 3), 17.0 + 1.1 * (n // 3)) for n in range(9)), broken=True)
    state = fleeing(wall, unit=blob)
    plan = dict(flight_plan(state, state.unit("R"), 12.0))
    assert judge(state, state.unit("R"), flight_type(state, state.unit("R"), 12.0), plan, tuple(plan)).violations == ()
    after = throw(state, 6, 6)
    assert is_in_cover(after, after.unit("R"))


def test_flight_passes_nothing_impassable_and_stops_at_the_edge() -> None:
    rock = piece("rock", (10, 15, 40, 16), blocks=True)
    after = throw(fleeing(rock), 6, 6)
    assert [model.pose.y for model in after.unit("R").models] == pytest.approx([16.5] * 3, abs=1e-3)
    low = orks((20, 3), (22, 5), broken=True)
    edge = throw(fleeing(at=(21, 12), unit=low), 6, 6)
    assert [model.pose.y for model in edge.unit("R").models] == pytest.approx([0.5, 0.5], abs=2e-3)


def test_flight_ends_inside_no_obstacle_and_pays_nothing() -> None:
    wall = piece("wall", (10, 17, 40, 17.4), top=1.5, obstacle=True)
    marsh = piece("marsh", (10, 10, 40, 16), rate=2.0)
    state = fleeing(wall, marsh, at=(21.5, 26))
    halted = throw(state, 1, 2)
    assert [model.pose.y for model in halted.unit("R").models] == pytest.approx([17.9] * 3, abs=1e-3)
    over = throw(state, 4, 4)
    assert [model.pose.y for model in over.unit("R").models] == pytest.approx([12.0] * 3, abs=1e-3)


def test_a_broken_unit_in_cover_stays_and_hides() -> None:
    inside = orks((20, 8), (22, 8), broken=True)
    state = fleeing(WOOD, unit=inside)
    assert (top(state), state.unit("R").hidden) == ("turn", True)
    runs = fleeing(WOOD, unit=inside, off=("2E-LD-04",))
    assert (top(runs), runs.unit("R").hidden) == ("flight", False)
    partly = fleeing(WOOD, unit=orks((20, 8), (22, 13), broken=True))
    assert top(partly) == "flight"


def test_breaking_in_hand_to_hand_is_fleeing_at_once() -> None:
    state = broken(battle(orks((20, 20), (21.5, 20)), marines((20, 21)), owner="blue", features=(WOOD,)))
    after = throw(state, 2, 2)
    first, second = after.unit("R").models
    away = (20.75 - 20.0, -1.0)
    assert (first.pose.x - 20.0) / (first.pose.y - 20.0) == pytest.approx(away[0] / away[1], abs=1e-3)
    assert second.pose.y < 17.0
    assert top(broken(battle(orks((20, 20)), marines((20, 30))))) == "turn"


# ---- compulsory moves ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("off", "early", "late"),
    [
        ("", (("frenzy", "Q"), ("flee", "R"), ("wander", "S")), ()),
        ("2E-CM-01", (), ()),
        ("2E-CM-02", (("flee", "R"), ("wander", "S")), ()),
        ("2E-CM-03", (("frenzy", "Q"),), ()),
        ("2E-CM-04", (), (("frenzy", "Q"), ("flee", "R"), ("wander", "S"))),
    ],
)
def test_who_is_driven_and_when(off: str, early: object, late: object) -> None:
    mad = squad("Q", "red", "guard", (10, 38))
    stupid = squad("S", "red", "ork", (2, 2), dazed=True)
    state = battle(mad, orks(broken=True), stupid, marines((10, 46)), rules={"guard": ("frenzy",)}, off=(off,))
    assert due(state, "red") == early
    assert due(state, "red", late=True) == late


def test_frenzy_drives_into_hand_to_hand_unless_it_is_held_back() -> None:
    rules = {"ork": ("frenzy",)}
    state = battle(orks((20, 20), (22, 20)), marines((20, 28)), phase="opening", rules=rules)
    assert may_restrain(state, state.unit("R"))
    held = throw(facing(state, "R", "frenzy"), 3, 4)
    assert (due(held, "red"), is_frenzied(held, held.unit("R"))) == ((), False)
    loose = throw(facing(state, "R", "frenzy"), 6, 4)
    assert due(loose, "red") == (("frenzy", "R"),)
    moving = begin(loose, "frenzy", "R").agenda[-1]
    assert isinstance(moving, Moving)
    assert (moving.gait, moving.allowance, moving.plan[0][0]) == ("frenzy", 8.0, "R1")
    assert begin(loose, "frenzy", "R").unit("R").charged == ()
    assert due(battle(orks((20, 20)), marines((20, 29.1)), rules=rules), "red") == ()
    assert due(battle(orks((20, 20)), marines((20, 28)), rules=rules, off=("2E-PS-04",)), "red") == ()


def test_the_stupid_stumble_on_and_do_nothing() -> None:
    state = battle(orks((20, 20), (22, 20), bearing=90.0), marines(), rules={"ork": ("stupidity",)}, phase="opening")
    assert opening_tests(state, "red") == (("stupidity", "R"),)
    dazed = throw(facing(state, "R", "stupidity"), 6, 6)
    assert due(dazed, "red") == (("wander", "R"),)
    after = settled(begin(dazed, "wander", "R"))
    assert [model.pose.x for model in after.unit("R").models] == pytest.approx([22.0, 24.0], abs=1e-3)
    assert opening_tests(replace(state, table=replace(state.table, switched_off=frozenset({"2E-PS-07"}))), "red") == ()


# ---- psychology ------------------------------------------------------------------------------------------------------


def charged_by_the_feared(count: int = 2, **field: Any) -> SquadState:
    """Red orks that cause fear have declared a charge at two blue marines."""
    names = tuple((f"R{number}", "B1") for number in range(1, count + 1))
    places = tuple((20.0 + 1.5 * number, 20.0) for number in range(count))
    charging = orks(*places, charge=names)
    rules = {"ork": ("fear",), "marine": ()}
    return battle(charging, marines((20, 26), (21.5, 26)), phase="opening", rules=rules, **field)


def causes_of(state: SquadState, unit: str = "R") -> list[tuple[str, str]]:
    return [(one.cause, one.unit) for one in charge_tests(state, state.unit(unit))]


def test_who_is_charged_by_what_it_fears_tests() -> None:
    state = charged_by_the_feared()
    assert causes_of(state) == [("fear", "B")]
    assert causes_of(charged_by_the_feared(off=("2E-PS-01",))) == []
    cowed = throw(settled(push(state, *charge_tests(state, state.unit("R")))), 6, 6)
    assert (cowed.unit("B").cowed, cowed.unit("B").broken) == (True, False)
    many = charged_by_the_feared(3)
    fled = throw(settled(push(many, *charge_tests(many, many.unit("R")))), 6, 6)
    assert (top(fled), fled.unit("B").broken) == ("flight", True)
    assert throw(fled, 3, 4).unit("B").models[0].pose.y > 30.0


def test_who_dares_not_charge_stays_and_frightens_nobody() -> None:
    charging = orks((20, 20), charge=(("R1", "B1"),))
    state = battle(charging, marines((20, 26)), phase="opening", rules={"marine": ("fear",), "ork": ()})
    assert causes_of(state) == [("charge", "R")]
    after = throw(settled(push(state, *charge_tests(state, state.unit("R")))), 6, 6).unit("R")
    assert (after.charge, after.cowed, after.broken) == ((), True, False)
    off = battle(charging, marines((20, 26)), rules={"marine": ("fear",)}, off=("2E-PS-02",))
    assert causes_of(off) == []
    both = battle(charging, marines((20, 26)), phase="opening", rules={"marine": ("terror",), "ork": ("fear",)})
    tests = charge_tests(both, both.unit("R"))
    assert [one.cause for one in tests] == ["terror"]


def test_terror_is_met_once() -> None:
    state = battle(orks((20, 20)), marines((20, 29)), phase="opening", rules={"marine": ("terror",)})
    assert opening_tests(state, "red") == (("terror", "R"),)
    passed = throw(facing(state, "R", "terror"), 1, 1)
    assert (passed.unit("R").terrified, opening_tests(passed, "red")) == (True, ())
    failed = throw(facing(state, "R", "terror"), 6, 6)
    assert (top(failed), failed.unit("R").broken, due(failed, "red")) == ("turn", True, (("flee", "R"),))
    far = battle(orks((20, 20)), marines((20, 29.1)), rules={"marine": ("terror",)})
    assert opening_tests(far, "red") == ()
    assert opening_tests(replace(state, table=replace(state.table, switched_off=frozenset({"2E-PS-03"}))), "red") == ()


@pytest.mark.parametrize(
    ("mine", "theirs", "afraid"),
    [
        ((), ("fear",), True),
        ((), ("terror",), True),
        (("fear",), ("fear",), False),
        (("fear",), ("terror",), True),
        (("terror",), ("terror",), False),
        (("immune",), ("terror",), False),
        ((), (), False),
    ],
)
def test_who_fears_whom(mine: tuple[str, ...], theirs: tuple[str, ...], afraid: bool) -> None:
    state = battle(orks(), marines(), rules={"ork": mine, "marine": theirs})
    assert fears(state, state.unit("R"), state.unit("B")) is afraid


# ---- rallying --------------------------------------------------------------------------------------------------------


def hiding(*others: Squad, off: tuple[str, ...] = (), **status: Any) -> SquadState:
    """A broken red squad in a wood in its Rally Phase."""
    unit = orks((20, 8), (22, 8), (24, 8), **{"broken": True, **status})
    return battle(unit, marines(), *others, features=(WOOD,), phase="rally", off=off)


def test_a_broken_unit_in_cover_may_rally() -> None:
    assert due_rallies(hiding(), "red") == (("rally", "R"),)
    assert due_rallies(hiding(off=("2E-LD-08",)), "red") == ()
    assert due_rallies(hiding(fled=True), "red") == ()
    assert due_rallies(hiding(squad("S", "red", "ork", (28, 8), broken=True, fled=True)), "red") == ()
    steady = hiding(squad("S", "red", "ork", (28, 8), broken=True, fled=True), squad("T", "red", "ork", (20, 11)))
    assert due_rallies(steady, "red") == (("rally", "R"),)
    assert due_rallies(battle(orks(broken=True), marines(), phase="rally"), "red") == ()
    assert due_rallies(battle(marines(shaken=True), owner="blue", phase="rally"), "blue") == (("rally", "B"),)


def test_rallying_is_a_test() -> None:
    state = facing(hiding(), "R", "rally")
    assert not throw(state, 3, 4).unit("R").broken
    assert throw(state, 4, 4).unit("R").broken
    assert throw(state, 6, 6).unit("R").models == ()
    plain = facing(hiding(off=("2E-LD-09",)), "R", "rally")
    assert throw(plain, 6, 6).unit("R").models
    assert top(throw(plain, 1, 1)) == "turn"
    shaken = facing(battle(marines(shaken=True), owner="blue", phase="rally"), "B", "rally")
    assert throw(shaken, 6, 6).unit("B").shaken
    assert not throw(shaken, 3, 3).unit("B").shaken


def test_a_two_lets_the_unit_act_at_once() -> None:
    near = squad("C", "blue", "marine", (21, 20))
    state = throw(facing(hiding(near), "R", "rally"), 1, 1)
    assert (top(state), mover(state), state.unit("R").broken) == ("bonus", "red", False)
    moved = order(state, "move", "R", paths=(("R1", (Straight((20, 10)),)),), order=("R1",))
    assert moved.unit("R").model("R1").pose.y == pytest.approx(10)
    handler, frame = HANDLERS["bonus"], moved.agenda[-1]
    shot = handler.choice_for(moved, frame, "shoot", "R")
    assert shot is not None
    assert handler.take(moved, frame, shot.canonical(moved)).agenda[-1].kind == "shooting"
    assert top(order(moved, "pass")) == "turn"
    assert top(order(order(state, "pass"), "pass")) == "turn"


def test_models_apart_from_their_squad_do_nothing() -> None:
    apart = orks((20, 20), (22, 20), (30, 20))
    state = battle(apart, marines(), phase="normal")
    assert with_stragglers(state, "red").unit("R").failed == ("R3",)
    assert with_stragglers(state, "blue") == state
    assert with_stragglers(battle(apart, marines(), off=("2E-LD-11",)), "red").unit("R").failed == ()
    assert with_stragglers(battle(but(apart, fled=True, broken=True), marines()), "red").unit("R").failed == ()
    whole = orks((20, 20), (23, 20), (26, 20))
    assert with_stragglers(battle(whole, marines()), "red").unit("R").failed == ()
