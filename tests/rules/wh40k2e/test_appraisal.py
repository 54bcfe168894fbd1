"""What the appraiser says: worth, odds, promises that depend on two units alone, readiness, status."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.choice import Window
from tactician.rules.core.ruleset import Scenario, load_ruleset
from tactician.rules.wh40k2e.appraisal_might import clash, prize, share
from tactician.rules.wh40k2e.state import Squad, SquadState, Turn
from tactician.rules.wh40k2e.victory import cost_of

from tests.conformance.games import moments
from tests.rules.wh40k2e.boards import armed, battle, row, squad, wall

RULES = load_ruleset("wh40k2e")
APPRAISER = appraiser_of(RULES)


def in_phase(state: SquadState, phase: str, owner: str = "red") -> SquadState:
    return replace(state, agenda=(Turn(owner=owner, phase=phase),))  # type: ignore[arg-type]


def afresh(unit: Squad) -> Squad:
    """An equal unit of which nothing is remembered."""
    return replace(unit, models=tuple(replace(model) for model in unit.models))


def fighting() -> SquadState:
    return battle(squad("R1", "marine", row(3, 10, 10), "axe"), squad("B1", "ork", row(3, 10, 11), "axe"))


# ---- worth and odds --------------------------------------------------------------------------------------------------


def test_a_unit_s_worth_is_shared_equally_among_its_models() -> None:
    for army in RULES.info.armies:
        state = RULES.start(Scenario(size="skirmish", armies=(army, army), deployed=True))
        assert isinstance(state, SquadState)
        for unit in state.units:
            assert APPRAISER.worth(state, unit) == pytest.approx(cost_of(state, unit))
            fewer = unit.without((unit.models[0].id,))
            assert APPRAISER.worth(state, fewer) == pytest.approx(cost_of(state, unit) - share(state, unit))


@pytest.mark.parametrize("seed", [3, 4])
def test_losses_are_a_distribution_and_harm_is_their_mean(seed: int) -> None:
    for state in moments(RULES, "skirmish", seed, 12):
        assert isinstance(state, SquadState)
        for unit in state.units:
            for foe in state.against(unit.side):
                odds = APPRAISER.losses(state, unit, foe)
                assert sum(odds) == pytest.approx(1.0)
                assert len(odds) <= len(foe.models) + 1
                mean = sum(count * chance for count, chance in enumerate(odds))
                assert APPRAISER.harm(state, unit, foe) == pytest.approx(mean * share(state, foe))


def test_whoever_fights_is_asked_about_blows() -> None:
    state = fighting()
    odds = APPRAISER.losses(state, state.unit("R1"), state.unit("B1"))
    assert sum(odds) == pytest.approx(1.0)
    assert 0.0 < odds[0] < 1.0
    assert APPRAISER.view(state, state.unit("R1"), state.unit("B1")) == 1.0


def test_the_odds_are_asked_where_the_units_would_stand() -> None:
    state = battle(squad("R1", "marine", row(5, 10, 10)), squad("B1", "ork", row(5, 10, 40)))
    near = squad("R1", "marine", row(5, 10, 30))
    assert APPRAISER.harm(state, state.unit("R1"), state.unit("B1")) == 0.0
    assert APPRAISER.harm(state, near, state.unit("B1")) > 0.0


# ---- promises and views ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [5, 6])
def test_promise_and_view_depend_on_the_two_units_alone(seed: int) -> None:
    for state in moments(RULES, "skirmish", seed, 8):
        assert isinstance(state, SquadState)
        for unit in state.units:
            for foe in state.against(unit.side):
                if not unit.models:
                    continue
                mine, theirs = afresh(unit), afresh(foe)
                alone = replace(state, units=(mine, theirs), round=1, agenda=())
                assert APPRAISER.promise(alone, mine, theirs) == APPRAISER.promise(state, unit, foe)
                assert APPRAISER.view(alone, mine, theirs) == APPRAISER.view(state, unit, foe)


def test_cover_range_and_standing_still_count_in_what_fire_promises() -> None:
    hedge = wall(0, 25, 40, 25.5, top=1.0, cover="hard", obstacle=True)
    foes = squad("B1", "ork", row(5, 10, 26))
    open_ = battle(squad("R1", "rapid", row(5, 10, 5)), foes)
    covered = battle(squad("R1", "rapid", row(5, 10, 5)), foes, pieces=[hedge])
    unit = open_.unit("R1")
    promise = APPRAISER.promise(open_, unit, foes)
    assert APPRAISER.promise(covered, unit, foes) < promise
    walked = replace(unit, went="walked", walked=tuple((model.id, 4.0) for model in unit.models))
    assert APPRAISER.promise(open_, walked, foes) < promise
    assert APPRAISER.promise(open_, squad("R1", "rapid", row(5, 10, 18)), foes) > promise


def test_whoever_stands_behind_his_own_squad_sees_less() -> None:
    foes = squad("B1", "ork", row(5, 20, 30))
    line, file = squad("R1", "marine", row(6, 18, 12)), squad("R1", "marine", [(22, 12 - 1.1 * n) for n in range(6)])
    state = battle(line, foes)
    assert APPRAISER.view(state, line, foes) == 1.0
    assert APPRAISER.view(state, file, foes) < 0.5
    assert APPRAISER.view(battle(file, foes, own_squad_hides=False), file, foes) == 1.0


def test_only_weapons_that_carry_so_far_count_in_a_view() -> None:
    gunners, foes = armed(squad("R1", "marine", row(5, 20, 4)), _1="lascannon"), squad("B1", "ork", row(5, 20, 40))
    state = battle(gunners, foes)
    assert 0.0 < APPRAISER.view(state, gunners, foes) < 1.0
    assert APPRAISER.view(state, squad("R1", "marine", row(5, 20, 4)), foes) == 0.0
    assert APPRAISER.view(state, gunners, replace(foes, hidden=True)) == 0.0
    assert APPRAISER.view(state, gunners, replace(foes, hidden=True, spotters=("R1",))) > 0.0


def test_a_watching_unit_expects_fighters_that_are_near_and_sees_nobody_behind_it() -> None:
    screen = wall(0, 20, 60, 20.5, blocks=True)
    guns = replace(squad("R1", "marine", row(5, 20, 10)), overwatch=True)
    fighters, shooters = squad("B1", "ork", row(5, 20, 22), "axe"), squad("B1", "ork", row(5, 20, 22))
    state = battle(guns, fighters, pieces=[screen])
    assert APPRAISER.view(state, guns, fighters) > APPRAISER.view(state, guns, shooters) > 0.0
    behind = squad("B1", "ork", row(5, 20, 2))
    bare = battle(guns, behind)
    assert APPRAISER.view(bare, guns, behind) < APPRAISER.view(bare, replace(guns, overwatch=False), behind)


def test_a_charge_promises_blows_less_what_is_struck_back() -> None:
    state = battle(squad("R1", "marine", row(5, 10, 10), "axe"), squad("B1", "ork", row(5, 10, 15), "axe"))
    unit, foe = state.unit("R1"), state.unit("B1")
    charging = replace(unit, charge=tuple((f"R1.{n}", f"B1.{n}") for n in range(1, 6)))
    found = clash(state, unit, foe, charges=True)
    assert found.gained > clash(state, unit, foe, charges=False).gained
    assert found.gained <= 5 * prize(state, foe)
    least = 0.2 * found.gained
    assert APPRAISER.promise(state, charging, foe) == pytest.approx(max(found.gained - found.lost, least))
    assert APPRAISER.view(state, charging, foe) == 1.0
    assert APPRAISER.range(state, charging) == 8.0


# ---- the turn --------------------------------------------------------------------------------------------------------


def test_who_may_still_attack() -> None:
    state = battle(squad("R1", "marine", row(3, 10, 10)), squad("B1", "ork", row(3, 10, 30)))
    unit = state.unit("R1")
    for phase, ready in (("opening", True), ("normal", True), ("shooting", True), ("combat", False)):
        assert APPRAISER.is_ready(in_phase(state, phase), unit) is ready, phase
    shooting = in_phase(state, "shooting")
    assert not APPRAISER.is_ready(shooting, replace(unit, fired=True))
    assert not APPRAISER.is_ready(shooting, replace(unit, went="ran"))
    assert not APPRAISER.is_ready(shooting, replace(unit, broken=True))
    assert not APPRAISER.is_ready(in_phase(state, "normal", "blue"), unit)
    watching = squad("B1", "ork", row(3, 10, 30), bearing=180.0, overwatch=True)
    waits = in_phase(battle(unit, watching), "normal")
    assert APPRAISER.is_ready(waits, watching)
    assert APPRAISER.is_ready(in_phase(fighting(), "combat"), fighting().unit("R1"))


def test_every_order_and_every_step_that_is_ended_leaves_fewer_orders() -> None:
    state = in_phase(battle(squad("R1", "marine", row(3, 10, 10)), squad("B1", "ork", row(3, 10, 30))), "normal")
    before = APPRAISER.orders(state, "red")
    for choice in RULES.choices(state):
        if choice.verb == "turn":
            continue
        after = RULES.apply(state, choice.canonical(state))
        assert APPRAISER.orders(after, "red") < before, choice.verb


def test_what_is_said_of_units_and_moments_is_named_and_bounded() -> None:
    assert len(set(APPRAISER.status_names)) == len(APPRAISER.status_names) <= 9
    assert len(set(APPRAISER.moment_names)) == len(APPRAISER.moment_names) <= 12
    for state in moments(RULES, "skirmish", 7, 30):
        for unit in state.units:
            row_ = APPRAISER.status(state, unit)
            assert len(row_) == len(APPRAISER.status_names)
            assert all(-1.0 <= number <= 1.0 for number in row_)
        for side in ("red", "blue"):
            row_ = APPRAISER.moment(state, side)
            assert len(row_) == len(APPRAISER.moment_names)
            assert all(-1.0 <= number <= 1.0 for number in row_)
        assert APPRAISER.answering(state) in ("", *RULES.info.verbs)
        assert APPRAISER.standing(state, "red") == -APPRAISER.standing(state, "blue")


def test_a_unit_that_breaks_off_is_counted_as_broken() -> None:
    state = fighting()
    before = APPRAISER.standing(state, "red")
    leaving = state.with_unit(replace(state.unit("R1"), leaving=True))
    assert APPRAISER.standing(leaving, "red") == before - 1.0


def test_shelters_behind_a_wall_lie_on_the_side_away_from_the_enemy() -> None:
    low = wall(20, 20, 30, 20.5, top=1.5, cover="hard", obstacle=True, name="low")
    wood = wall(40, 10, 46, 16, cover="soft", name="wood")
    state = battle(squad("R1", "marine", row(3, 22, 10)), squad("B1", "ork", row(3, 22, 40)), pieces=[low, wood])
    found = {goal.name: (goal.x, goal.y) for goal in APPRAISER.shelters(state, state.unit("R1"))}
    assert found["wood"] == (43.0, 13.0)
    assert found["behind low"][1] < 20.0
    theirs = {goal.name: (goal.x, goal.y) for goal in APPRAISER.shelters(state, state.unit("B1"))}
    assert theirs["behind low"][1] > 20.5


def test_a_sensible_answer_to_a_move_is_fire_at_the_best_point() -> None:
    watching = squad("B1", "ork", row(5, 20, 30), bearing=180.0, overwatch=True)
    state = in_phase(battle(squad("R1", "marine", row(5, 20, 10)), watching), "normal")
    order = next(choice for choice in RULES.choices(state) if choice.verb == "move")
    from tactician.rules.core.legs import Straight

    paths = tuple((m.id, (Straight((m.pose.x, m.pose.y + 4.0)),)) for m in state.unit("R1").models)
    action = replace(order.bare(), paths=paths, order=tuple(name for name, _ in paths))
    assert not RULES.check(state, action)
    asked = RULES.apply(state, action)
    answer = APPRAISER.reply(asked, RULES.choices(asked))
    fire = next(choice for choice in RULES.choices(asked) if choice.verb == "fire")
    assert isinstance(fire.domain, Window)
    assert answer is not None
    assert (answer.verb, answer.mark) == ("fire", fire.domain.usual[0])
    assert APPRAISER.answering(asked) == "move"
