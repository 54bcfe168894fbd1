"""The scripted player: who is what, and what each role does in a position that calls for it."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest
from tactician.agent.dice import stream
from tactician.agent.doctrine.field import Field, apart
from tactician.agent.doctrine.places import stragglers
from tactician.agent.doctrine.roles import ROLES, errands, roles
from tactician.agent.doctrine.script import answer
from tactician.agent.doctrine.style import BOLD, STEADY
from tactician.agent.policies import Budget, policy
from tactician.agent.propose.spot import by_ways, moved_to
from tactician.rules.core.action import Action
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.ruleset import load_ruleset
from tactician.rules.wh40k2e.movement import move_type
from tactician.rules.wh40k2e.state import SquadState, Turn

from tests.rules.wh40k2e.boards import battle, row, squad

RULES = load_ruleset("wh40k2e")
APPRAISER = appraiser_of(RULES)

FROZEN = {
    "doctrine-steady": "7124e6626cc96841",
    "doctrine-bold": "13648cd6df237903",
}
"""Fingerprints of the styles of version 1. They are yardsticks: if this test fails, put the number back, and make
a new style with a new version and a new name instead. Results of years are only comparable if nobody edits these."""


def in_phase(state: SquadState, phase: str, owner: str = "red") -> SquadState:
    return replace(state, agenda=(Turn(owner=owner, phase=phase),))  # type: ignore[arg-type]


def chosen(state: SquadState, name: str = "doctrine-steady") -> Action:
    action = policy(name).decide(RULES, state, Budget(), stream(0, name)).action
    assert not RULES.check(state, action)
    return action


@pytest.mark.parametrize("style", [STEADY, BOLD])
def test_the_numbers_of_version_one_are_frozen(style: object) -> None:
    assert style in (STEADY, BOLD)
    name = STEADY.name if style is STEADY else BOLD.name
    assert sha256(repr(style).encode()).hexdigest()[:16] == FROZEN[name]


def test_the_two_styles_have_their_names_and_play() -> None:
    assert {policy(style.name).name for style in (STEADY, BOLD)} == {"doctrine-steady", "doctrine-bold"}


# ---- roles -----------------------------------------------------------------------------------------------------------


def armies() -> SquadState:
    return battle(
        squad("R1", "marine", row(5, 10, 10)),
        squad("R2", "ork", row(5, 30, 10), "axe"),
        squad("R3", "marine", row(5, 40, 10), "bolt pistol"),
        squad("B1", "ork", row(5, 20, 40)),
    )


def test_who_has_only_blades_runs_in_and_who_has_rifles_shoots() -> None:
    found = roles(APPRAISER, armies(), "red", STEADY)
    assert found == {"R1": "shoot", "R2": "assault", "R3": "advance"}
    assert set(found.values()) <= set(ROLES)


def test_the_bold_make_fighters_of_more_units() -> None:
    steady, bold = (roles(APPRAISER, armies(), "red", style) for style in (STEADY, BOLD))
    fighters = [[name for name, role in found.items() if role in ("assault", "flank")] for found in (steady, bold)]
    assert set(fighters[0]) <= set(fighters[1])


def test_a_lone_leader_stays_with_his_men_until_somebody_is_in_reach() -> None:
    far = battle(
        squad("R1", "ork", row(12, 20, 10), "axe"),
        squad("R2", "hero", [(40, 10)], "axe"),
        squad("R3", "ork", row(12, 20, 6), "axe"),
        squad("R4", "marine", row(10, 20, 3)),
        squad("B1", "ork", row(5, 20, 44), "axe"),
    )
    found = errands(APPRAISER, far, "red", STEADY)["R2"]
    assert found.is_leader
    assert found.place is not None
    near = battle(*far.units[:-1], squad("B1", "ork", row(5, 40, 15), "axe"))
    assert not errands(APPRAISER, near, "red", STEADY)["R2"].is_leader


def test_units_go_to_goals_where_the_game_has_any() -> None:
    from tactician.rules.core.ruleset import Scenario

    from tests.agent.positions import decisions

    rules = load_ruleset("voidsiege")
    assert rules.start(Scenario(size="duel", mission="war-zone"))
    state = next(one for one in decisions("voidsiege", "duel", 21, 10) if one.of("red") and one.of("blue"))
    found = errands(appraiser_of(rules), state, "red", STEADY)
    goals = appraiser_of(rules).goals(state, "red")
    assert sum(errand.goal is not None for errand in found.values()) == min(len(goals), len(found))


# ---- what they do ----------------------------------------------------------------------------------------------------


def test_shooters_stand_and_shoot() -> None:
    state = battle(squad("R1", "marine", row(5, 20, 10)), squad("B1", "ork", row(5, 20, 24)))
    walk = chosen(in_phase(state, "normal"))
    assert not walk.paths
    shot = chosen(in_phase(state, "shooting"))
    assert (shot.verb, shot.unit) == ("shoot", "R1")


def test_shooters_out_of_range_come_nearer() -> None:
    state = battle(squad("R1", "marine", row(5, 20, 5)), squad("B1", "ork", row(5, 20, 44)))
    action = chosen(in_phase(state, "normal"))
    assert action.verb in ("move", "run")
    after = RULES.apply(in_phase(state, "normal"), action)
    assert apart(after.unit("R1"), after.unit("B1")) < apart(state.unit("R1"), state.unit("B1")) - 2.0


def test_all_shoot_at_the_one_who_is_nearest_to_being_lost() -> None:
    """Two squads alike at the same distance, one of which is down to two models."""
    state = battle(
        squad("R1", "marine", row(5, 20, 10)),
        squad("B1", "ork", row(6, 10, 24)),
        squad("B2", "ork", row(2, 24, 24)),
    )
    field = Field(RULES, in_phase(state, "shooting"), "red", STEADY, RULES.choices(in_phase(state, "shooting")))
    action, value, reason = answer(field)
    assert (action.verb, reason) == ("shoot", "shoot")
    assert value > 0.0
    assert {target.partition(":")[0] for _, target in action.targets} == {"B2"}


def test_fighters_charge_what_they_beat_and_only_that() -> None:
    weak = battle(squad("R1", "hero", [(20, 20)], "axe"), squad("B1", "ork", row(2, 20, 25), "axe"))
    assert chosen(in_phase(weak, "opening")).verb == "charge"
    strong = battle(squad("R1", "marine", row(5, 20, 20)), squad("B1", "beast", [(22, 28)], "axe"))
    assert chosen(in_phase(strong, "opening")).verb != "charge"


def test_fighters_run_in_and_a_declared_charge_is_made() -> None:
    state = battle(squad("R1", "ork", row(5, 20, 10), "axe"), squad("B1", "guard", row(5, 20, 40)))
    assert chosen(in_phase(state, "normal")).verb == "run"
    near = in_phase(
        battle(squad("R1", "hero", [(20, 20)], "axe"), squad("B1", "ork", row(2, 20, 25), "axe")), "opening"
    )
    after = RULES.apply(near, chosen(near))
    while after.agenda[0].phase == "opening":  # type: ignore[attr-defined]
        after = RULES.apply(after, Action(verb="pass"))
    assert chosen(after).verb == "assault"  # type: ignore[arg-type]


def test_shooters_whom_fighters_come_for_unseen_are_on_watch() -> None:
    from tests.rules.wh40k2e.boards import wall

    screen = wall(0, 20, 60, 20.5, blocks=True)
    state = battle(squad("R1", "guard", row(5, 20, 10)), squad("B1", "ork", row(5, 20, 21), "axe"), pieces=[screen])
    action = chosen(in_phase(state, "opening"))
    assert (action.verb, action.unit) == ("overwatch", "R1")


def test_who_has_nothing_to_do_ends_the_step() -> None:
    state = battle(squad("R1", "marine", row(3, 10, 10), "axe"), squad("B1", "ork", row(3, 10, 11), "axe"))
    assert chosen(in_phase(state, "combat")).verb == "pass"


def test_stragglers_come_back_to_their_unit() -> None:
    state = battle(
        squad("R1", "marine", [(10, 10), (11.5, 10), (13, 10), (18, 10)]), squad("B1", "ork", row(5, 20, 44))
    )
    unit = state.unit("R1")
    assert APPRAISER.pieces(state, unit) == 2
    kind = move_type(state, unit, "walk")
    ways = stragglers(unit, kind)
    assert set(ways) == {"R1.4"}
    assert APPRAISER.pieces(state, moved_to(unit, by_ways("together", unit, ways))) == 1
    assert stragglers(unit, kind, (0.0, 1.0)).keys() == {"R1.1", "R1.2", "R1.3", "R1.4"}
    action = chosen(in_phase(state, "normal"))
    after = RULES.apply(in_phase(state, "normal"), action)
    assert APPRAISER.pieces(after, after.unit("R1")) == 1
