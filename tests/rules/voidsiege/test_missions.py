"""The missions as a whole: places that can be held, games that can be played, moments that can be saved and drawn."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from shapely.geometry import Point as Dot
from shapely.geometry import Polygon as Patch
from shapely.geometry import box
from shapely.ops import unary_union
from tactician.agent.policies.base import Budget, policy
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.drawing import Circle, Label
from tactician.rules.core.legs import Pose
from tactician.rules.core.ruleset import Scenario
from tactician.rules.core.state import Model, State
from tactician.rules.voidsiege import RULESET
from tactician.rules.voidsiege.missions import HOLD
from tactician.rules.voidsiege.scenario import MISSIONS, headquarters, objectives, token_side
from tactician.rules.voidsiege.state import VoidState

SIZES = RULESET.info.sizes
NEW = ("king-of-the-castle", "raid-and-repeat", "war-zone", "citadel-clash")


def started(mission: str, size: str = "duel", table: str = "quarry") -> VoidState:
    return RULESET.start(Scenario(mission=mission, size=size, table=table, first="red"))


def played(state: State, seed: int) -> Iterator[tuple[State, Action | None, State]]:
    """A game between two players who do anything legal, every order checked: before, order, after."""
    rng = random.Random(seed)
    while (mover := RULESET.to_move(state)) != TERMINAL:
        before, action = state, None
        if mover == CHANCE:
            state = RULESET.resolve(state, RULESET.pending(state).sample(rng))
        else:
            choices = RULESET.choices(state)
            assert choices, f"{mover} has nothing to choose"
            action = rng.choice(choices).sample(state, rng.random)
            assert RULESET.check(state, action) == ()
            state = RULESET.apply(state, action)
        yield before, action, state


# ---- places ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mission", MISSIONS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("table", RULESET.info.tables)
def test_the_largest_base_can_hold_every_objective_from_the_ground(mission: str, size: str, table: str) -> None:
    state = started(mission, size, table)
    board = state.board
    closed = unary_union([Patch(outline.points) for _, outline in board.ground("ground").walls])
    free = box(*board.box).buffer(-1.0).difference(closed.buffer(1.0))
    main = max(getattr(free, "geoms", [free]), key=lambda piece: piece.area)
    for x, y in (*objectives(state), *headquarters(state)):
        assert main.distance(Dot(x, y)) <= HOLD + 0.5, (x, y)


@pytest.mark.parametrize("mission", MISSIONS)
def test_objectives_favour_nobody(mission: str) -> None:
    state = started(mission)
    wide, high = state.board.width, state.board.height
    turned = {(round(wide - x, 9), round(high - y, 9)) for x, y in objectives(state)}
    same = {(round(x, 9), round(y, 9)) for x, y in objectives(state)}
    assert turned == same or mission == "the-wall"
    for number, (_, y) in enumerate(objectives(state)):
        side = token_side(state, number)
        assert not side or (y < high / 2) == (side == "red")


# ---- games -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mission", NEW)
def test_a_duel_is_played_to_its_end(mission: str) -> None:
    *_, last = played(started(mission), 5)
    assert RULESET.ending(last[2]) in RULESET.info.ends


@pytest.mark.slow
@pytest.mark.parametrize("table", RULESET.info.tables)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("mission", MISSIONS)
def test_games_of_every_kind_are_played_to_their_end(mission: str, size: str, table: str) -> None:
    armies = RULESET.info.armies
    for seed, pair in enumerate((armies[1:3], armies[2:] + armies[:1])):
        start = RULESET.start(Scenario(mission=mission, size=size, table=table, armies=(pair[0], pair[1])))
        *_, last = played(start, seed)
        assert RULESET.ending(last[2]) in RULESET.info.ends


@pytest.mark.parametrize("size", SIZES)
def test_both_sides_come_on_in_king_of_the_castle(size: str) -> None:
    state: State = started("king-of-the-castle", size)
    came: Counter[str] = Counter()
    for before, action, _ in played(state, 11):
        if action is not None and action.verb == "arrive":
            came[before.unit(action.unit).side] += 1
        if before.round > 4:
            break
    assert set(came) == {"red", "blue"}


def test_scouts_are_sampled_all_along_the_edge() -> None:
    state = started("king-of-the-castle", "skirmish")
    rng = random.Random(2)
    places = [RULESET.choices(state)[0].sample(state, rng.random).places[0][1].x for _ in range(12)]
    assert min(places) < 12.0
    assert max(places) > 24.0
    assert len(set(places)) == 12


def test_greedy_brings_units_on_rather_than_pass() -> None:
    state: State = started("king-of-the-castle")
    for _ in range(2):
        action = policy("greedy").decide(RULESET, state, Budget(), random.Random(1)).action
        assert action.verb == "arrive"
        state = RULESET.apply(state, action)


def raiding() -> VoidState:
    """A moment of Raid and Repeat in which red stands at blue's token."""
    state = RULESET.start(Scenario(mission="raid-and-repeat", size="duel", first="red", deployed=True))
    (x, y), unit = objectives(state)[1], state.unit("R1")
    places = [(x - 3, y - 2), (x - 1.5, y - 2), (x, y - 2), (x + 1.5, y - 2), (x + 3, y - 2)]
    near = [Model(id=one.id, pose=Pose(*place)) for one, place in zip(unit.models, places, strict=True)]
    return state.with_unit(replace(unit, models=tuple(near)))


def test_greedy_raids() -> None:
    state = replace(raiding(), score=(2, 0))
    action = policy("greedy").decide(RULESET, state, Budget(), random.Random(1)).action
    assert action == Action(verb="raid", unit="R1")


# ---- saving, comparing and drawing -----------------------------------------------------------------------------------


def test_every_moment_of_an_arrival_is_saved_whole() -> None:
    kinds = set()
    for before, _, after in played(started("king-of-the-castle"), 3):
        kinds.add(before.agenda[-1].kind)
        data = json.loads(json.dumps(RULESET.to_data(after)))
        assert RULESET.from_data(data) == after
        if after.round > 2:
            break
    assert {"arrivals", "follow"} <= kinds


def test_a_raid_is_saved_whole() -> None:
    state = RULESET.apply(raiding(), Action(verb="raid", unit="R1"))
    assert state.agenda[-1].kind == "redeploy"
    assert RULESET.from_data(json.loads(json.dumps(RULESET.to_data(state)))) == state


def test_points_and_scouts_tell_moments_apart() -> None:
    state = started("king-of-the-castle")
    unit = state.unit("R1")
    others = [
        replace(state, threat=(1, 0)),
        state.with_unit(replace(unit, scouting=True)),
        state.with_unit(replace(unit, refunded=True)),
        replace(state, table=replace(state.table, headquarters=((1.0, 1.0), (2.0, 2.0)))),
    ]
    assert len({state, *others}) == 5
    assert len({hash(one) for one in (state, *others)}) == 5


def test_one_headquarters_is_not_enough() -> None:
    data = RULESET.to_data(started("war-zone"))
    data["scenario"]["headquarters"] = [[4, 4]]
    with pytest.raises(ValueError, match=r"scenario\.headquarters: 1 places, expected two: red's, then blue's"):
        RULESET.from_data(data)


def test_pictures_show_scouts_tokens_and_headquarters() -> None:
    state: State = started("king-of-the-castle")
    state = RULESET.apply(state, RULESET.choices(state)[0].canonical(state))
    drawing = RULESET.describe(state)
    assert any("[scout]" in one.text for one in drawing.shapes if isinstance(one, Label))
    assert "threat points: red 0, blue 4" in drawing.caption
    assert any(line.startswith("off the table: B1") for line in drawing.caption)
    places = [one for one in RULESET.describe(started("war-zone")).shapes if isinstance(one, Circle)]
    names = [(one.name, one.side) for one in places if one.role == "objective"]
    assert [name for name, _ in names] == ["1", "2", "3", "4", "5", "HQ", "HQ"]
    assert [side for name, side in names if name == "HQ"] == ["red", "blue"]
    tokens = [one.side for one in RULESET.describe(started("raid-and-repeat")).shapes if isinstance(one, Circle)]
    assert tokens == ["", "red", "", "blue"]
