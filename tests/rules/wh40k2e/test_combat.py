"""Hand-to-hand: who fights whom, scores, strikes, odds, following up and breaking off."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest
from tactician.rules.core.agenda import push
from tactician.rules.core.clauses import Ledger
from tactician.rules.core.derive import but
from tactician.rules.core.legs import Straight
from tactician.rules.core.volley import Volley
from tactician.rules.wh40k2e.combat import CombatHandler
from tactician.rules.wh40k2e.contact import foes_of
from tactician.rules.wh40k2e.duel_odds import worth_of_faces
from tactician.rules.wh40k2e.duels import (
    attack_dice,
    blow_volley,
    duel_odds,
    hits_of,
    parries_of,
    score,
    striking_weapon,
)
from tactician.rules.wh40k2e.follow import FollowHandler
from tactician.rules.wh40k2e.pairing import (
    begin_break_off,
    break_off_choices,
    may_stride_out,
    next_combat,
    next_queue,
    pairs_to_fight,
)
from tactician.rules.wh40k2e.state import Combat, Follow, SquadState, Turn

from tests.rules.wh40k2e.fields import HANDLERS, battle, land, mover, order, piece, roll_of, settled, squad, throw, top

FIVE_TO_SIX_AND_TWO = ((5,), (2, 6))


def duel(red: dict[str, Any] | None = None, blue: dict[str, Any] | None = None, **field: Any) -> SquadState:
    """A marine and an ork in contact; both can be told to be something else."""
    mine, theirs = dict(red or {}), dict(blue or {})
    a = squad("R", "red", mine.pop("profile", "marine"), (20, 20), **mine)
    b = squad("B", "blue", theirs.pop("profile", "ork"), (20, 21), **theirs)
    return battle(a, b, **field)


def fights(state: SquadState) -> SquadState:
    """The state with the next fight begun, as a turn does it."""
    turn = state.agenda[0]
    assert isinstance(turn, Turn)
    fight = next_combat(state, turn)
    assert fight is not None
    noted = replace(turn, fought=(*turn.fought, (fight.first, fight.second)))
    return settled(push(but(state, agenda=(noted, *state.agenda[1:])), fight))


def reasons(ledger: Ledger) -> tuple[str, ...]:
    """Clauses of a ledger's lines besides the best die."""
    return tuple(entry.clause for entry in ledger.entries if entry.clause != "2E-HH-01")


# ---- scores ----------------------------------------------------------------------------------------------------------


def test_the_charging_marine_beats_the_ork_by_one() -> None:
    state = duel({"charged": ("R1",)})
    mine = score(state, "R1", "B1", FIVE_TO_SIX_AND_TWO)
    theirs = score(state, "B1", "R1", FIVE_TO_SIX_AND_TWO[::-1])
    assert (attack_dice(state, "R1"), attack_dice(state, "B1")) == (1, 2)
    assert (mine.total, theirs.total) == (10, 9)
    state = throw(throw(fights(state), 5), 6, 2)
    assert top(state) == "blow"
    roll = roll_of(state)
    assert isinstance(roll, Volley)
    (strikes,) = roll.groups
    assert (strikes.count, strikes.hit, strikes.wound, strikes.save) == (1, (), 4, None)
    assert throw(state, 3).unit("B").models
    after = throw(state, 4)
    assert after.unit("B").lost == ("B1",)
    assert after.agenda[-1] == replace(state.agenda[0], free=("R1",))


@pytest.mark.parametrize(
    ("off", "total"),
    [("", 10), ("2E-HH-05", 9)],
)
def test_charging_is_a_point(off: str, total: int) -> None:
    assert score(duel({"charged": ("R1",)}, off=(off,)), "R1", "B1", FIVE_TO_SIX_AND_TWO).total == total


def test_ones_of_the_enemy_and_further_sixes_are_points() -> None:
    state = duel()
    assert score(state, "R1", "B1", ((6, 6, 6), (1, 1, 4))).total == 4 + 6 + 2 + 2
    assert reasons(score(state, "R1", "B1", ((6, 6), (1, 4)))) == ("2E-HH-03", "2E-HH-04")
    plain = duel(off=("2E-HH-03", "2E-HH-04"))
    assert score(plain, "R1", "B1", ((6, 6, 6), (1, 1, 4))).total == 10
    assert worth_of_faces((1, 6, 6)) == 6 + 1 - 1
    assert worth_of_faces(()) == 0


def test_standing_higher_is_a_point() -> None:
    hill = piece("hill", (10, 10, 30, 20.4), rise=2.0, hill=True)
    state = duel(features=(hill,))
    assert reasons(score(state, "R1", "B1", ((1,), (2,)))) == ("2E-HH-06",)
    assert reasons(score(state, "B1", "R1", ((2,), (3,)))) == ()


def test_charging_across_a_wall_takes_a_point_off() -> None:
    wall = piece("wall", (10, 20.5, 30, 20.7), top=1.5, obstacle=True)
    a = squad("R", "red", "marine", (20, 20), charged=("R1",))
    b = squad("B", "blue", "ork", (20, 21.2))
    state = battle(a, b, features=(wall,))
    assert pairs_to_fight(state) == (("R1", "B1"),)
    assert reasons(score(state, "R1", "B1", ((2,), (3,)))) == ("2E-HH-05", "2E-HH-07")
    assert reasons(score(state, "B1", "R1", ((2,), (3,)))) == ()


def test_a_heavy_weapon_takes_a_point_off() -> None:
    state = duel({"arms": ("heavy bolter", "bolt pistol")})
    assert reasons(score(state, "R1", "B1", ((2,), (3,)))) == ("2E-HH-08",)


def test_the_cowed_fight_their_charger_at_half_skill_rounded_up() -> None:
    rules = {"marine": ("fear",)}
    state = duel({"charged": ("R1",)}, {"cowed": True}, rules=rules)
    assert score(state, "B1", "R1", ((3,), (3,))).base == 2
    assert score(duel({}, {"cowed": True}, rules=rules), "B1", "R1", ((3,), (3,))).base == 3
    off = duel({"charged": ("R1",)}, {"cowed": True}, rules=rules, off=("2E-PS-01",))
    assert score(off, "B1", "R1", ((3,), (3,))).base == 3


def test_contact_by_a_compulsory_move_is_no_charge() -> None:
    driven = {"went": "compelled", "charge": (("R1", "B1"),)}
    assert reasons(score(duel(driven), "R1", "B1", ((3,), (3,)))) == ()
    assert reasons(score(duel(driven, off=("2E-CM-05",)), "R1", "B1", ((3,), (3,)))) == ("2E-HH-05",)


def test_equal_scores_go_by_initiative() -> None:
    assert hits_of(duel(), "R1", "B1", 0) == 1
    assert hits_of(duel({"profile": "ork"}), "R1", "B1", 0) == 0
    assert hits_of(duel({"profile": "ork"}, {"profile": "marine"}), "R1", "B1", 0) == -1
    assert hits_of(duel(off=("2E-HH-10",)), "R1", "B1", 3) == 0


# ---- dice ------------------------------------------------------------------------------------------------------------


def test_two_close_combat_weapons_are_a_further_die() -> None:
    assert attack_dice(duel({"arms": ("bolt pistol", "boltgun")}), "R1") == 1
    assert attack_dice(duel({"arms": ("bolt pistol", "sword")}), "R1") == 2
    assert attack_dice(duel({"arms": ("bolt pistol", "sword")}, off=("2E-HH-02",)), "R1") == 1


def test_frenzy_doubles_attacks_and_forgets_parries() -> None:
    rules = {"hero": ("frenzy",)}
    hero = {"profile": "hero", "arms": ("chainsword",)}
    state = duel(hero, rules=rules)
    assert (attack_dice(state, "R1"), parries_of(state, "R1", "B1")) == (6, 0)
    calm = duel({**hero, "restrained": True}, rules=rules)
    assert (attack_dice(calm, "R1"), parries_of(calm, "R1", "B1")) == (3, 1)
    off = duel(hero, rules=rules, off=("2E-PS-05",))
    assert (attack_dice(off, "R1"), parries_of(off, "R1", "B1")) == (3, 1)


def test_who_could_win_is_not_asked_to_parry() -> None:
    state = fights(duel({"arms": ("sword",)}))
    state = throw(state, 5)
    assert top(throw(state, 2, 5)) == "blow"
    asked = throw(state, 2, 6)
    assert (mover(asked), top(asked)) == ("red", "combat")


def test_a_parry_makes_the_enemy_throw_its_best_die_again() -> None:
    state = throw(throw(fights(duel({"arms": ("sword",)})), 4), 3, 6)
    again = order(state, "parry", "R")
    assert roll_of(again).subject == "B"
    after = throw(again, 1)
    blow = after.agenda[-1]
    assert blow.kind == "blow"
    assert (getattr(blow, "striker", ""), getattr(blow, "hits", 0)) == ("R1", 4 + 4 + 1 - 3 - 3)
    passed = order(state, "pass")
    assert (getattr(passed.agenda[-1], "striker", ""), getattr(passed.agenda[-1], "hits", 0)) == ("B1", 1)


def test_parries_of_both_cancel() -> None:
    state = duel({"arms": ("sword",)}, {"arms": ("chainsword", "axe")})
    assert (parries_of(state, "R1", "B1"), parries_of(state, "B1", "R1")) == (0, 0)
    assert parries_of(duel({"arms": ("sword",)}, off=("2E-HH-09",)), "R1", "B1") == 0


def test_hatred_throws_again_in_the_first_turn_only() -> None:
    rules = {"marine": ("hatred",)}
    first = throw(throw(fights(duel({"charged": ("R1",)}, rules=rules)), 1), 3, 4)
    assert roll_of(first).why.endswith("again out of hatred")
    after = throw(first, 2)
    assert (top(after), getattr(after.agenda[-1], "striker", "")) == ("blow", "R1")
    assert getattr(after.agenda[-1], "hits", 0) == 1  # 4 + 2 + 1 = 3 + 4: by Initiative
    later = throw(throw(fights(duel(rules=rules)), 1), 3, 4)
    assert getattr(later.agenda[-1], "striker", "") == "B1"
    won = throw(throw(fights(duel({"charged": ("R1",)}, rules=rules)), 6), 3, 4)
    assert getattr(won.agenda[-1], "striker", "") == "R1"


# ---- strikes ---------------------------------------------------------------------------------------------------------


def test_a_power_fist_strikes_at_eight_and_breaks_armour() -> None:
    state = duel({"arms": ("power fist",)}, {"profile": "marine"})
    weapon = striking_weapon(state, "R1")
    assert (weapon.strength, weapon.save) == (8, -5)
    (strikes,) = blow_volley(state, "R1", "B1", 2).groups
    assert (strikes.wound, strikes.save, strikes.count) == (2, None, 2)


def test_bare_hands_have_the_strength_of_the_model() -> None:
    state = duel({"arms": ("boltgun",)}, {"profile": "marine"})
    weapon = striking_weapon(state, "R1")
    assert (weapon.strength, weapon.save) == (4, -1)
    assert striking_weapon(duel({"arms": ("power fist",)}, off=("2E-HH-11",)), "R1").strength == 4


def test_a_wounded_hero_falls_at_his_last_wound() -> None:
    state = duel({}, {"profile": "hero", "hurt": (("B1", 2),)})
    assert blow_volley(state, "R1", "B1", 3).models == (1,)


# ---- who fights whom -------------------------------------------------------------------------------------------------


def crowd(**field: Any) -> SquadState:
    """Three orks round one marine; a second marine fights one of them too."""
    marines = squad("R", "red", "marine", (20, 20), (30, 30))
    orks = squad("B", "blue", "ork", (20, 21), (21, 20), (19, 20))
    return battle(marines, orks, **field)


def test_duels_go_by_the_models_of_the_player_whose_turn_it_is() -> None:
    assert pairs_to_fight(crowd()) == (("R1", "B1"), ("R1", "B2"), ("R1", "B3"))
    assert pairs_to_fight(crowd(owner="blue")) == (("B1", "R1"), ("B2", "R1"), ("B3", "R1"))
    assert pairs_to_fight(crowd(fought=(("R1", "B1"),))) == (("R1", "B2"), ("R1", "B3"))
    assert pairs_to_fight(crowd(off=("2E-HH-01",))) == ()


def test_each_further_opponent_has_a_further_die_and_point() -> None:
    state = crowd()
    found = []
    for number in range(3):
        turn = state.agenda[0]
        assert isinstance(turn, Turn)
        fight = next_combat(state, turn)
        assert fight is not None
        found.append((fight.second, fight.extra))
        assert attack_dice(state, fight.second, fight.extra[1]) == 2 + number
        state = but(state, agenda=(replace(turn, fought=(*turn.fought, (fight.first, fight.second))),))
    assert found == [("B1", (0, 0)), ("B2", (0, 1)), ("B3", (0, 2))]
    assert score(state, "B3", "R1", ((4,), (4,)), extra=2).total == 3 + 4 + 2
    turn = crowd(off=("2E-HH-12",), fought=(("R1", "B1"),)).agenda[0]
    assert isinstance(turn, Turn)
    lonely = next_combat(crowd(off=("2E-HH-12",), fought=(("R1", "B1"),)), turn)
    assert lonely is not None
    assert lonely.extra == (0, 0)


def test_no_fight_is_left_when_all_have_fought() -> None:
    state = duel(fought=(("R1", "B1"),))
    turn = state.agenda[0]
    assert isinstance(turn, Turn)
    assert next_combat(state, turn) is None


# ---- odds ------------------------------------------------------------------------------------------------------------


def tree(state: SquadState) -> dict[int, float]:
    """Odds of hits by playing out every throw and the better answer to every parry."""
    frame = state.agenda[-1]
    assert isinstance(frame, Combat)
    handler = CombatHandler()
    if frame.stage == "score":
        after = handler.step(state, frame)
        assert after is not None
        blow = after.agenda[-1]
        hits = getattr(blow, "hits", 0) if blow.kind == "blow" else 0
        return {hits if getattr(blow, "striker", "") == frame.first else -hits: 1.0}
    following = handler.step(state, frame)
    if following is not None:
        return tree(following)
    if handler.mover(state, frame) != "chance":
        sign = 1 if handler.mover(state, frame) == state.owner(frame.first).side else -1
        odds = {
            choice.verb: tree(handler.take(state, frame, choice.canonical(state)))
            for choice in handler.choices(state, frame)
        }
        worth = {verb: sign * sum(hits * chance for hits, chance in one.items()) for verb, one in odds.items()}
        return odds["parry" if worth["parry"] > worth["pass"] + 1e-9 else "pass"]
    found: dict[int, float] = {}
    for outcome, share in handler.roll(state, frame).support():
        for hits, chance in tree(handler.land(state, frame, outcome)).items():
            found[hits] = found.get(hits, 0.0) + share * chance
    return found


@pytest.mark.parametrize(
    ("red", "blue", "rules"),
    [
        ({}, {}, {}),
        ({"charged": ("R1",)}, {}, {}),
        ({"arms": ("sword",)}, {}, {}),
        ({"arms": ("bolt pistol",)}, {"arms": ("sword", "axe")}, {}),
        ({"charged": ("R1",)}, {}, {"marine": ("hatred",)}),
        ({"charged": ("R1",)}, {}, {"ork": ("hatred",)}),
        ({"charged": ("R1",)}, {"arms": ("sword",)}, {"marine": ("hatred",), "ork": ("hatred",)}),
        ({"charged": ("R1",), "arms": ("sword", "sword")}, {}, {}),
    ],
)
def test_odds_are_those_of_playing_it_out(
    red: dict[str, Any], blue: dict[str, Any], rules: dict[str, tuple[str, ...]]
) -> None:
    state = duel(red, blue, rules=rules)
    turn = state.agenda[0]
    assert isinstance(turn, Turn)
    fight = next_combat(state, turn)
    assert fight is not None
    played = tree(push(state, fight))
    odds = duel_odds(state, "R1", "B1")
    assert dict(odds.hits) == pytest.approx({hits: chance for hits, chance in played.items() if chance})
    assert sum(chance for _, chance in odds.hits) == pytest.approx(1.0)


def test_odds_without_decisions_are_those_of_all_sequences() -> None:
    state = duel({"profile": "hero", "arms": ("axe",)})
    counted: dict[int, float] = {}
    for faces in product(range(1, 7), repeat=5):
        mine, theirs = tuple(sorted(faces[:3])), tuple(sorted(faces[3:]))
        margin = score(state, "R1", "B1", (mine, theirs)).total - score(state, "B1", "R1", (theirs, mine)).total
        hits = hits_of(state, "R1", "B1", round(margin))
        counted[hits] = counted.get(hits, 0.0) + 6.0**-5
    assert dict(duel_odds(state, "R1", "B1").hits) == pytest.approx(counted)


def test_odds_of_falling_and_of_a_charge_that_is_thought_of() -> None:
    state = duel()
    odds, charging = duel_odds(state, "R1", "B1"), duel_odds(state, "R1", "B1", charges=True)
    assert odds == duel_odds(state, "R1", "B1")
    assert charging == duel_odds(duel({"charged": ("R1",)}), "R1", "B1")
    assert charging.second_falls > odds.second_falls
    by_hand = sum(chance * (1 - 0.5**hits) for hits, chance in odds.hits if hits > 0)
    assert odds.second_falls == pytest.approx(by_hand)


# ---- afterwards ------------------------------------------------------------------------------------------------------


def free_marine(**field: Any) -> SquadState:
    """A marine that has killed its ork; another enemy stands three inches away."""
    marines = squad("R", "red", "marine", (20, 20), (22, 20))
    orks = squad("B", "blue", "ork", (20, 24), lost=("B2",))
    return battle(marines, orks, frames=(Follow(owner="red", unit="R", models=("R1",)),), phase="follow", **field)


def test_who_killed_all_its_opponents_is_free_and_a_friend_of_his_too() -> None:
    marines = squad("R", "red", "marine", (20, 20), (20, 22))
    orks = squad("B", "blue", "ork", (20, 21), (30, 30), (31, 30), (32, 30), (33, 30))
    state = battle(marines, orks, owner="red", fought=(("R1", "B1"),))
    state = land(throw(throw(fights(state), 6, 5), 1, 1), (1, 0))
    turn = state.agenda[0]
    assert isinstance(turn, Turn)
    assert turn.free == ("R1", "R2")


def test_following_up_is_two_inches_for_those_who_may() -> None:
    state = settled(free_marine())
    assert mover(state) == "red"
    choice = FollowHandler().choices(state, state.agenda[-1])[0]  # type: ignore[arg-type]
    far = replace(choice.bare(), paths=(("R1", (Straight((20, 22.1)),)),))
    assert [fault.clause for fault in choice.explain(state, far)] == ["2E-HH-13"]
    other = replace(choice.bare(), paths=(("R2", (Straight((22, 21)),)),))
    assert [fault.clause for fault in choice.explain(state, other)] == ["2E-HH-13"]
    assert choice.clip(state, other).paths == ()
    draws = Random(4)
    for _ in range(10):
        sampled = choice.sample(state, draws.random)
        assert choice.explain(state, sampled) == ()
    after = order(state, "follow", "R", paths=(("R1", (Straight((20, 22)),)),))
    assert after.unit("R").model("R1").pose.y == pytest.approx(22)
    assert settled(free_marine(off=("2E-HH-13",))).agenda[-1].kind == "turn"
    assert order(state, "pass").unit("R") == state.unit("R")


def test_those_who_hate_must_follow_up() -> None:
    after = settled(free_marine(rules={"marine": ("hatred",)}))
    assert after.unit("R").model("R1").pose.y == pytest.approx(22, abs=1e-3)
    near = free_marine(rules={"marine": ("frenzy",)})
    orks = squad("B", "blue", "ork", (20, 22.5))
    reached = settled(near.with_unit(orks))
    assert foes_of(reached, "R1") == ("B1",)
    assert reached.unit("R").charged == ()


def test_breaking_off_is_a_round_without_skill_and_then_a_flight() -> None:
    state = duel({"profile": "guard"})
    (choice,) = break_off_choices(state, "red")
    state = begin_break_off(state, choice.canonical(state))
    assert break_off_choices(state, "red") == ()
    assert score(state, "R1", "B1", ((3,), (3,))).base == 0
    state = throw(throw(fights(state), 6), 2, 2)
    assert getattr(state.agenda[-1], "striker", "") == "R1"
    state = land(state, (0, 0))
    assert top(state) == "flight"
    unit = state.unit("R")
    assert (unit.broken, unit.leaving) == (True, False)
    after = throw(state, 3, 4)
    assert after.unit("R").fled
    assert after.unit("R").models[0].pose.y == pytest.approx(13, abs=1e-3)
    assert after.unit("R").models[0].pose.x == pytest.approx(20)
    assert break_off_choices(duel(off=("2E-HH-14",)), "red") == ()


def test_who_frees_itself_does_not_flee() -> None:
    state = duel({"leaving": True, "profile": "hero"})
    state = throw(throw(fights(state), 6, 6, 6), 1, 1)
    after = land(state, (1, 0))
    assert top(after) == "turn"
    assert not after.unit("R").broken
    assert not after.unit("R").leaving


def test_some_stride_out_freely_but_not_from_each_other() -> None:
    giants = {"marine": ("strides_out",)}
    assert may_stride_out(duel(rules=giants), duel().unit("R"))
    assert not may_stride_out(duel(rules=giants, off=("2E-HH-15",)), duel().unit("R"))
    both = duel({}, {"profile": "marine"}, rules=giants)
    assert not may_stride_out(both, both.unit("R"))
    assert not may_stride_out(duel(), duel().unit("R"))


def test_losses_in_hand_to_hand_are_tested_at_once() -> None:
    marines = squad("R", "red", "marine", (20, 20))
    orks = squad("B", "blue", "ork", (20, 21), (22, 24), (24, 24), (26, 24))
    state = land(throw(throw(fights(battle(marines, orks)), 6), 1, 2), (1, 0))
    assert top(state) == "test"
    assert HANDLERS["test"].mover(state, state.agenda[-1]) == "chance"
    assert throw(state, 6, 6).unit("B").broken


def test_who_of_several_goes_next_is_asked_where_it_matters() -> None:
    """Two alike, then one of them with two close weapons: the later one has the further die and point."""
    state = crowd()
    turn = next(frame for frame in state.agenda if isinstance(frame, Turn))
    assert next_queue(state, turn) is None
    foes = state.unit("B")
    gear = tuple((name, ("axe", "bolt pistol") if name == "B3" else ("axe",)) for name, _ in foes.gear)
    state = state.with_unit(but(foes, gear=gear))
    queue = next_queue(state, turn)
    assert queue is not None
    assert (queue.owner, queue.lone, queue.several) == ("blue", "R1", ("B1", "B2", "B3"))
    assert next_queue(state, but(turn, fought=(("R1", "B3"),))) is None
    assert next_queue(crowd(off=("2E-HH-12",)), turn) is None
    fight = next_combat(state, but(turn, next=("R1", "B3")))
    assert fight is not None
    assert (fight.first, fight.second) == ("R1", "B3")
