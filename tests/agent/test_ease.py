"""Orders drawn back: what is learned from shaking them, and places that are clear of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tactician.agent.advise import advise
from tactician.agent.policies import Budget
from tactician.agent.tape.clear import CLEAR, Demands, demands_of, settled, trimmed, with_late_point
from tactician.agent.tape.ease import eased, steady
from tactician.agent.tape.links import beyond_link, tree
from tactician.agent.tape.orders import tape_of, walkers_of
from tactician.rules.core.action import Action
from tactician.rules.core.legs import Bend, Straight
from tactician.rules.core.ruleset import Scenario, load_ruleset
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.state import State

from tests.agent.positions import NAMES, decisions

TOY = load_ruleset("_template")


def moved(end: Point) -> tuple[State, Action]:
    """The toy game's only red model sent to a place."""
    return TOY.start(Scenario(size="duel")), Action(verb="move", unit="R1", paths=(("R1a", (Straight(end),)),))


@pytest.mark.parametrize("end", [(5.0, 10.43), (6.9, 9.0), (5.0, 0.62), (10.95, 5.5)])
def test_a_tight_order_is_drawn_back_until_it_has_room(end: Point) -> None:
    state, action = moved(end)
    assert steady(TOY, state, action) < 1.0
    best, *others = eased(TOY, state, action)
    assert best.steady == 1.0
    assert any(one.action == action for one in others)
    assert not TOY.check(state, best.action)
    (walker,) = walkers_of(state, state.unit("R1"), best.action)
    assert length(walker.end.x - end[0], walker.end.y - end[1]) < 0.7
    tape = tape_of(TOY, state, best.action)
    assert tape is not None
    assert all(room.inches > 0.2 for step in tape.tight for room in step.rooms)


def test_an_order_with_room_and_one_that_moves_nobody_stay_as_they_are() -> None:
    state, action = moved((5.0, 9.0))
    assert [one.action for one in eased(TOY, state, action)] == [action]
    for idle in (Action(verb="pass"), Action(verb="move", unit="R1")):
        assert [(one.action, one.steady) for one in eased(TOY, state, idle)] == [(idle, 1.0)]
        assert steady(TOY, state, idle) == 1.0


@pytest.mark.parametrize("name", NAMES)
def test_ways_to_draw_back_are_legal_and_the_steadiest_comes_first(name: str) -> None:
    ruleset, looked = load_ruleset(name), 0
    for state in decisions(name, ruleset.info.sizes[0], 50, 4):
        for plan in advise(ruleset, state, 1, Budget(evaluations=4), answered=False, drawn_back=False):
            found = list(eased(ruleset, state, plan.action))
            assert [one.steady for one in found] == sorted((one.steady for one in found), reverse=True)
            assert any(one.action == plan.action for one in found)
            assert all(not ruleset.check(state, one.action) for one in found)
            looked += len(found) > 1
    assert looked > 0


def test_what_breaks_is_told_as_what_to_keep_clear_of() -> None:
    ruleset = load_ruleset("_template")
    for end, expected in (((6.9, 9.0), "block"), ((5.0, 10.43), "B1a")):
        state, action = moved(end)
        unit = state.unit("R1")
        walkers = walkers_of(state, unit, action)
        into = replace(action, paths=(("R1a", (Straight((end[0] + 0.2, end[1] + 0.2)),)),))
        (choice,) = [one for one in ruleset.choices(state) if one.verb == "move"]
        demands = demands_of(state, unit, walkers, ruleset.check(state, into), choice.domain.kind, None)  # type: ignore[union-attr]
        assert expected in demands.pieces | {name for name, _ in demands.bases}
        assert not demands.is_simple
        assert demands | Demands() == demands
        ((_, (x, y)),) = settled(state, unit, action, walkers, demands, together=False).items()
        assert (x, y) != end


def test_ways_are_trimmed_along_their_length() -> None:
    state, _ = moved((5.0, 9.0))
    unit = state.unit("R1")
    x, y = unit.models[0].pose.point
    bent = (Straight((x, y + 2.0)), Bend((x + 1.0, y + 2.0), (x + 1.0, y + 3.0), "right"))
    action = Action(verb="move", unit="R1", paths=(("R1a", bent),))
    ((_, path),) = trimmed(state, unit, action).paths
    assert len(path) == 2
    assert isinstance(path[-1], Bend)
    assert path[-1].to[0] < x + 1.0 - CLEAR / 2
    ((_, short),) = trimmed(state, unit, action, 2.0).paths
    assert short[1] == short[0] or length(short[-1].to[0] - x, short[-1].to[1] - y) < 2.0  # type: ignore[union-attr]
    climbless = Action(verb="move", unit="R1", paths=(("R1a", (Straight((x, y + 0.2)),)),))
    ((_, half),) = trimmed(state, unit, climbless).paths
    assert half[-1] == Straight((x, pytest.approx(y + 0.1)))  # type: ignore[arg-type]


def test_a_late_point_keeps_the_way_and_its_end() -> None:
    state, action = moved((5.0, 9.0))
    ((_, path),) = with_late_point(state, state.unit("R1"), action).paths
    assert path[-1] == Straight((5.0, 9.0))
    assert path[-2] == Straight((pytest.approx(5.0), pytest.approx(8.25)))  # type: ignore[arg-type]
    near = replace(action, paths=(("R1a", (Straight((5.0, 6.0)),)),))
    assert with_late_point(state, state.unit("R1"), near) == near


def test_links_hold_what_is_nearest() -> None:
    links = tree({"a": (0.0, 0.0), "b": (1.0, 0.0), "c": (3.0, 0.0), "d": (0.0, 1.5)})
    assert sorted(tuple(sorted(link)) for link in links) == [("a", "b"), ("a", "d"), ("b", "c")]
    assert beyond_link(links, ("a", "b")) == {"b", "c"}
