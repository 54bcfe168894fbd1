from __future__ import annotations

from math import cos, pi, sin

import pytest
from tactician.agent.propose.candidates import MOST, candidates
from tactician.agent.propose.slides import Slider
from tactician.agent.propose.spots import moved_to, spots, walking
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.choice import Choice, Declare, Walk
from tactician.rules.core.legs import Straight
from tactician.rules.core.measure import TOL
from tactician.rules.core.movement import MoveType, judge
from tactician.rules.core.ruleset import Ruleset, load_ruleset
from tactician.rules.core.shapes import length
from tactician.rules.core.state import State

from tests.agent.positions import NAMES, decisions


def move_types(choice: Choice) -> list[MoveType]:
    if isinstance(choice.domain, Walk):
        return [choice.domain.kind]
    return [kind for kind in choice.domain.kinds if kind is not None] if isinstance(choice.domain, Declare) else []


def assert_every_candidate_is_legal(ruleset: Ruleset, state: State) -> None:
    for choice in ruleset.choices(state):
        found = candidates(ruleset, state, choice)
        assert 1 <= len(found) <= MOST
        assert len(set(found)) == len(found)
        for action in found:
            assert not ruleset.check(state, action), (choice.verb, choice.unit, action)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_offered_is_legal(name: str, seed: int) -> None:
    ruleset = load_ruleset(name)
    for state in decisions(name, ruleset.info.sizes[0], seed, 10):
        assert_every_candidate_is_legal(ruleset, state)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(10))
def test_whatever_is_offered_is_legal_at_every_size(name: str, seed: int) -> None:
    ruleset = load_ruleset(name)
    for size in ruleset.info.sizes:
        for state in decisions(name, size, 100 + seed, 12):
            assert_every_candidate_is_legal(ruleset, state)


@pytest.mark.parametrize("name", NAMES)
def test_a_slide_is_as_long_as_the_rules_allow_and_no_longer(name: str) -> None:
    """Formations slid to their end are judged legal; a little further they are not, unless the wish was the limit."""
    ruleset, judged, blocked = load_ruleset(name), 0, 0
    for state in decisions(name, ruleset.info.sizes[-1], 7, 8):
        for choice in ruleset.choices(state)[:6]:
            for kind in move_types(choice)[:1]:
                unit = state.unit(choice.unit)
                if not unit.models or kind.allowance <= 0.5 or any(kind.closed):
                    continue
                ways = [(sin(2 * pi * i / 8), cos(2 * pi * i / 8)) for i in range(8)]
                wish = kind.allowance - TOL
                for (x, y), got in zip(ways, Slider(state, unit, kind).lengths(ways, [wish] * 8), strict=True):
                    assert 0.0 <= got <= wish
                    if got < 0.05:
                        continue
                    paths = {m.id: (Straight((m.pose.x + x * got, m.pose.y + y * got)),) for m in unit.models}
                    faults = judge(state, unit, kind, paths, tuple(m.id for m in unit.models)).violations
                    assert all("coheren" in fault.text for fault in faults if kind.motion == "in_step"), faults
                    judged += 1
                    blocked += got < wish - 0.01
    assert judged > 20
    assert blocked > 0


@pytest.mark.parametrize("name", NAMES)
def test_spots_shift_the_formation_as_it_stands(name: str) -> None:
    """All but those that give each model a way of its own."""
    ruleset = load_ruleset(name)
    seen = 0
    for state in decisions(name, ruleset.info.sizes[0], 11, 30):
        for choice in ruleset.choices(state):
            for kind in move_types(choice)[:1]:
                unit = state.unit(choice.unit)
                for spot in spots(appraiser_of(ruleset), state, unit, kind):
                    if spot.ways:
                        continue
                    moved = moved_to(unit, spot)
                    shifts = {
                        (round(b.pose.x - a.pose.x, 3), round(b.pose.y - a.pose.y, 3))
                        for a, b in zip(unit.models, moved.models, strict=True)
                    }
                    assert len({round(x, 2) for x, _ in shifts}) <= 2
                    total = sum(
                        length(x - a, y - b)
                        for (x, y), (a, b) in zip(spot.shifts, ((0.0, 0.0), *spot.shifts[:-1]), strict=True)
                    )
                    assert total <= kind.allowance + TOL
                    action = walking(choice.bare(), unit, spot, kind)
                    assert len(action.paths) == len(unit.models)
                    seen += 1
    assert seen > 10
