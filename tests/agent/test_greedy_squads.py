"""Positions of the second edition with one sensible order, and greedy gives it."""

from __future__ import annotations

from dataclasses import replace

from tactician.agent.dice import stream
from tactician.agent.policies import Budget, policy
from tactician.agent.policies.greedy import Greedy
from tactician.rules.core.action import Action
from tactician.rules.core.choice import Window
from tactician.rules.core.legs import Straight
from tactician.rules.core.ruleset import load_ruleset
from tactician.rules.wh40k2e.state import SquadState, Turn

from tests.rules.wh40k2e.boards import battle, row, squad, wall

RULES = load_ruleset("wh40k2e")


def in_phase(state: SquadState, phase: str, owner: str = "red") -> SquadState:
    return replace(state, agenda=(Turn(owner=owner, phase=phase),))  # type: ignore[arg-type]


def chosen(state: SquadState, name: str = "greedy") -> Action:
    action = policy(name).decide(RULES, state, Budget(), stream(0, name)).action
    assert not RULES.check(state, action)
    return action


def test_it_shoots_rather_than_end_the_phase() -> None:
    state = battle(squad("R1", "marine", row(5, 20, 10)), squad("B1", "ork", row(5, 20, 24)))
    action = chosen(in_phase(state, "shooting"))
    assert (action.verb, action.unit) == ("shoot", "R1")


def test_it_shoots_at_those_whom_it_hurts_most() -> None:
    """The squad with the plainer armour, of two at the same distance."""
    state = battle(
        squad("R1", "marine", row(5, 20, 10)),
        squad("B1", "terminator", row(2, 15, 24)),
        squad("B2", "ork", row(5, 21, 24)),
    )
    action = chosen(in_phase(state, "shooting"))
    assert action.verb == "shoot"
    assert {target.partition(":")[0] for _, target in action.targets} == {"B2"}


def test_it_walks_out_from_behind_a_wall_to_shoot() -> None:
    screen = wall(10, 12, 20.6, 12.5, blocks=True)
    state = battle(squad("R1", "marine", row(3, 16, 10)), squad("B1", "ork", row(3, 16, 30)), pieces=[screen])
    action = chosen(in_phase(state, "normal"))
    assert (action.verb, action.unit) == ("move", "R1")
    assert not any(choice.verb == "shoot" for choice in RULES.choices(in_phase(state, "shooting")))
    after = RULES.apply(in_phase(state, "normal"), action)
    while after.agenda[0].phase in ("normal", "hiding"):  # type: ignore[attr-defined]
        after = RULES.apply(after, Action(verb="pass"))
    assert any(choice.verb == "shoot" for choice in RULES.choices(after))


def test_fighters_charge_what_they_beat() -> None:
    state = battle(squad("R1", "hero", [(20, 20)], "axe"), squad("B1", "ork", row(2, 20, 25), "axe"))
    action = chosen(in_phase(state, "opening"))
    assert (action.verb, action.unit) == ("charge", "R1")


def test_nobody_charges_by_eye_what_is_far_beyond_his_reach() -> None:
    """Ten inches away with a reach of eight: the rules let him declare it, the eye does not."""
    state = battle(squad("R1", "hero", [(20, 20)], "axe"), squad("B1", "ork", row(2, 20, 31), "axe"))
    state = in_phase(state, "opening")
    assert any(choice.verb == "charge" for choice in RULES.choices(state))
    for seed in range(5):
        action = Greedy(seed=seed).decide(RULES, state, Budget(), stream(0, "")).action
        assert action.verb != "charge"


def test_shooters_do_not_charge_those_who_are_better_with_blades() -> None:
    state = battle(squad("R1", "marine", row(5, 20, 20)), squad("B1", "beast", [(22, 28)], "axe"))
    assert chosen(in_phase(state, "opening")).verb != "charge"


def test_it_watches_a_corner_round_which_fighters_must_come() -> None:
    screen = wall(0, 20, 60, 20.5, blocks=True)
    state = battle(squad("R1", "guard", row(5, 20, 10)), squad("B1", "ork", row(5, 20, 21.5), "axe"), pieces=[screen])
    action = chosen(in_phase(state, "opening"))
    assert (action.verb, action.unit) == ("overwatch", "R1")


def test_it_does_not_watch_where_it_can_shoot_now() -> None:
    state = battle(squad("R1", "marine", row(5, 20, 10)), squad("B1", "ork", row(5, 20, 24)))
    assert chosen(in_phase(state, "opening")).verb == "pass"


def run_past(y: float) -> SquadState:
    """Orks that run past marines on overwatch, and are asked about on the way."""
    watching = squad("R1", "marine", row(5, 20, 10), overwatch=True)
    state = in_phase(battle(watching, squad("B1", "ork", row(5, 20, y), bearing=180.0)), "normal", "blue")
    order = next(choice for choice in RULES.choices(state) if choice.verb == "run")
    paths = tuple((m.id, (Straight((m.pose.x, m.pose.y - 8.0)),)) for m in state.unit("B1").models)
    action = replace(order.bare(), paths=paths, order=tuple(name for name, _ in paths))
    assert not RULES.check(state, action)
    asked = RULES.apply(state, action)
    assert isinstance(asked, SquadState)
    assert asked.agenda[-1].kind == "react"
    return asked


def test_it_fires_from_overwatch_where_that_promises_most() -> None:
    state = run_past(29.0)
    fire = next(choice for choice in RULES.choices(state) if choice.verb == "fire")
    assert isinstance(fire.domain, Window)
    action = chosen(state)
    assert (action.verb, action.unit) == ("fire", "R1")
    assert action.mark in fire.domain.usual[:4]
    best = Greedy().weighed(RULES, state, Budget())
    assert best[0].action == action
    assert best[0].value >= max(one.value for one in best)


def test_it_keeps_its_fire_where_hardly_anybody_sees_anything() -> None:
    """One of five models sees one runner at the edge of its range for an instant: better shots may come."""
    state = battle(squad("R1", "marine", row(5, 20, 10), overwatch=True), squad("B1", "ork", row(5, 20, 40)))
    asked = in_phase(state, "normal", "blue")
    assert not any(choice.verb == "fire" for choice in RULES.choices(asked))


def test_a_unit_that_is_beaten_hand_to_hand_stays_and_fights() -> None:
    """Whoever breaks off flees and counts as broken."""
    state = battle(squad("R1", "marine", row(3, 10, 10), "axe"), squad("B1", "ork", row(3, 10, 11), "axe"))
    state = in_phase(state, "combat")
    assert any(choice.verb == "break_off" for choice in RULES.choices(state))
    assert chosen(state).verb == "pass"


def test_straight_ahead_advances_charges_and_ends_what_it_cannot_use() -> None:
    far = battle(squad("R1", "marine", row(5, 20, 5)), squad("B1", "ork", row(5, 20, 44)))
    assert chosen(in_phase(far, "opening"), "straight-ahead").verb == "pass"
    assert chosen(in_phase(far, "normal"), "straight-ahead").verb == "run"
    near = battle(squad("R1", "marine", row(5, 20, 20)), squad("B1", "ork", row(5, 20, 26)))
    assert chosen(in_phase(near, "opening"), "straight-ahead").verb == "charge"
    middling = battle(squad("R1", "marine", row(5, 20, 10)), squad("B1", "ork", row(5, 20, 32)))
    assert chosen(in_phase(middling, "normal"), "straight-ahead").verb == "move"
    assert chosen(in_phase(middling, "shooting"), "straight-ahead").verb == "shoot"
