"""Over ground that costs: every place offered is legal when pressed, and proposals pay what they must."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
import pytest
from tactician.agent.propose.aims import middle
from tactician.agent.propose.candidates import candidates
from tactician.agent.propose.fares import affordable
from tactician.agent.propose.shapes import behind, block, line
from tactician.agent.propose.slides import Slider
from tactician.agent.propose.slots import NAMED
from tactician.agent.propose.spots import moved_to, spots, walking
from tactician.agent.view.seats import Seats
from tactician.rules.core.action import Action
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.choice import Choice, Walk
from tactician.rules.core.clauses import Cite
from tactician.rules.core.legs import Straight, walk
from tactician.rules.core.measure import CLOSED_MARGIN, TOL
from tactician.rules.core.movement import MoveType, judge, paid
from tactician.rules.core.placement import PlaceRule, find_places
from tactician.rules.core.ruleset import Scenario, load_ruleset
from tactician.rules.core.shapes import contains, length, polygon_distance
from tactician.rules.core.state import State, Unit

from tests.agent.view_games import view_of
from tests.core.movement_boards import box

FREE = PlaceRule(end_place=Cite(""), from_enemies=1.1, coherency=2.0)


RULES = load_ruleset("wh40k2e")


@cache
def opened(table: str) -> State:
    """The first moment of a skirmish in which somebody may walk."""
    state = RULES.start(Scenario(size="skirmish", table=table, deployed=True))
    for _ in range(20):
        choices = RULES.choices(state)
        if any(isinstance(choice.domain, Walk) for choice in choices):
            return state
        state = RULES.apply(state, next(choice for choice in choices if choice.verb == "pass").bare())
    raise AssertionError(f"nobody walks on {table}")


def walks(state: State) -> list[tuple[Choice, MoveType]]:
    return [(one, one.domain.kind) for one in RULES.choices(state) if isinstance(one.domain, Walk)]


def scattered(state: State, rng: Random) -> State:
    """The same moment with every unit somewhere on the table, outside obstacles and far enough from enemies."""
    for unit in state.units:
        state = state.with_unit(unit.moved({}))
        names = tuple(model.id for model in unit.models)
        for _ in range(40):
            near = rng.uniform(2, state.board.width - 2), rng.uniform(2, state.board.height - 2)
            found = find_places(state, unit.id, names, FREE, near, rings=3)
            pieces = [
                piece.outline for piece in state.board.features if piece.trait("obstacle") or piece.trait("ditch")
            ]
            if found and all(polygon_distance(o, p.x, p.y) > unit.radius for o in pieces for _, p in found):
                state = state.with_unit(unit.moved(dict(found)))
                break
    return state


def moments(first: int, count: int) -> list[State]:
    """Random positions on all tables by turns."""
    tables = RULES.info.tables
    return [scattered(opened(tables[seed % len(tables)]), Random(seed)) for seed in range(first, first + count)]


def check_places(first: int, count: int) -> int:
    """Press every named place of every unit that can walk; how many there were."""
    pressed = 0
    for state in moments(first, count):
        view, rng = view_of(RULES.info.id, "skirmish"), Random(first)
        seats = Seats.at_start(state, view.layout)
        orders = np.flatnonzero(view.mask(state, seats, ())).tolist()
        for order in orders:
            step = view.press(state, seats, (), order)
            if isinstance(step, Action) or view.asked(state, seats, step).stage != "place":
                continue
            mask = view.mask(state, seats, step)
            straight = [index for index in np.flatnonzero(mask).tolist() if 0 <= view.layout.place_of(index) < 64]
            named = [index for index in map(view.layout.index_of, (f"place {one}" for one in NAMED)) if mask[index]]
            for index in (*named, *rng.sample(straight, min(4, len(straight)))):
                action = view.press(state, seats, step, index)
                assert isinstance(action, Action)
                assert RULES.check(state, action) == (), (first, view.layout.name_of(index), action)
                pressed += 1
    return pressed


def test_the_ground_of_every_table_costs_something() -> None:
    for table in RULES.info.tables:
        assert all(kind.going is not None for _, kind in walks(opened(table)))


@pytest.mark.parametrize("first", range(0, 12, 2))
def test_places_that_are_offered_are_legal_when_pressed(first: int) -> None:
    assert check_places(first, 2) > 4


@pytest.mark.slow
@pytest.mark.parametrize("first", range(12, 212, 40))
def test_places_that_are_offered_are_legal_in_many_positions(first: int) -> None:
    assert check_places(first, 10) > 20


@pytest.mark.parametrize("first", range(0, 9, 3))
def test_candidates_are_legal(first: int) -> None:
    for state in moments(first, 3):
        for choice, _ in walks(state):
            for action in candidates(RULES, state, choice):
                assert RULES.check(state, action) == ()


def mover(state: State) -> tuple[Choice, MoveType, Unit]:
    """The order of the largest unit to go as far as it may."""
    choice, kind = max(walks(state), key=lambda one: (len(state.unit(one[0].unit).models), one[1].allowance))
    return choice, kind, state.unit(choice.unit)


def toward_ground(unit: Unit, kind: MoveType) -> list[tuple[float, float]]:
    """Directions to the middles of the nearest pieces that cost something."""
    assert kind.going is not None
    (x, y), found = middle(unit), []
    for piece in (*kind.going.regions, *kind.going.fees):
        x0, y0, x1, y1 = piece.outline.box
        dx, dy = (x0 + x1) / 2 - x, (y0 + y1) / 2 - y
        found.append((length(dx, dy), (dx / length(dx, dy), dy / length(dx, dy))))
    return [way for _, way in sorted(found)[:3]]


@pytest.mark.parametrize("first", range(0, 12, 4))
def test_slides_are_paid_for_and_no_shorter_than_they_must_be(first: int) -> None:
    """A slide is paid for; half an inch more is not, or ends inside an obstacle, or something else is in the way."""
    dear = 0
    for state in moments(first, 4):
        for choice, kind in walks(state):
            unit, slider = state.unit(choice.unit), Slider(state, state.unit(choice.unit), kind)
            ways = toward_ground(unit, kind)
            wish = [kind.allowance - CLOSED_MARGIN] * len(ways)
            clear = slider.clear_lengths(ways, wish)
            for way, got, free in zip(ways, slider.lengths(ways, wish), clear, strict=True):
                assert got <= free + 1e-9
                assert is_affordable(state, unit, kind, way, got) or got == 0.0
                if got < free - 0.6:
                    assert not is_affordable(state, unit, kind, way, got + 0.5)
                    dear += 1
    assert dear > 0


def is_affordable(state: State, unit: Unit, kind: MoveType, way: tuple[float, float], inches: float) -> bool:
    """Whether every model pays for a straight shift and ends outside obstacles."""
    assert kind.going is not None
    for m in unit.models:
        end = m.pose.x + way[0] * inches, m.pose.y + way[1] * inches
        if paid(kind, walk(m.pose, (Straight(end),), state.board), unit.radius) > kind.allowance + TOL:
            return False
        if any(polygon_distance(fee.outline, *end) < unit.radius - TOL for fee in kind.going.fees):
            return False
    return True


def test_what_a_formation_can_pay_for_ends_where_its_dearest_model_ends() -> None:
    for state in moments(3, 3):
        _, kind, unit = mover(state)
        legs = ((0.0, 3.0), (4.0, 3.0), (4.0, 12.0))
        found = affordable(state.board, unit, kind, legs)
        for model in unit.models:
            path = tuple(Straight((model.pose.x + x, model.pose.y + y)) for x, y in found)
            assert paid(kind, walk(model.pose, path, state.board), unit.radius) <= kind.allowance + TOL
        assert found[:-1] == legs[: len(found) - 1]


def test_units_are_offered_other_shapes() -> None:
    """Lines and blocks are among the spots, no more than three, and are walked as they are ordered."""
    seen: set[str] = set()
    for state in moments(0, 3):
        choice, kind, unit = mover(state)
        found = spots(appraiser_of(RULES), state, unit, kind)
        shaped = [spot for spot in found if spot.name.startswith(("in line", "tight block", "behind"))]
        assert len(shaped) <= 3
        for spot in shaped:
            action = walking(choice.bare(), unit, spot, kind)
            assert judge(state, unit, kind, dict(action.paths), action.order).violations == ()
            ends = {name: path[-1].to for name, path in action.paths if isinstance(path[-1], Straight)}
            after = moved_to(unit, spot)
            assert all(length(after.model(m).pose.x - x, after.model(m).pose.y - y) < TOL for m, (x, y) in ends.items())
            seen.add(spot.name.split()[0])
    assert "in" in seen


# ---- places of shapes ------------------------------------------------------------------------------------------------


def gaps(places: tuple[tuple[float, float], ...], radius: float) -> list[float]:
    """From each place to the nearest other one, edge to edge."""
    return [min(length(a - x, b - y) for x, y in places if (x, y) != (a, b)) - 2 * radius for a, b in places]


def test_a_line_stands_square_to_where_it_looks_in_ranks_of_six() -> None:
    places = line((10.0, 10.0), (0.0, 1.0), 8, 0.5, 0.5)
    assert [y for _, y in places] == pytest.approx([10.0] * 6 + [8.5] * 2)
    assert sum(x for x, _ in places[:6]) / 6 == pytest.approx(10.0)
    assert gaps(places, 0.5) == pytest.approx([0.5] * 8)


def test_a_block_is_as_tight_as_bases_stand() -> None:
    places = block((10.0, 10.0), (0.6, 0.8), 9, 0.5)
    assert max(gaps(places, 0.5)) < 0.03
    assert min(gaps(places, 0.5)) > 0.0
    assert (sum(x for x, _ in places) / 9, sum(y for _, y in places) / 9) == pytest.approx((10.0, 10.0))


@pytest.mark.parametrize("count", [1, 4, 9])
def test_behind_a_wall_is_the_side_that_the_enemy_does_not_see(count: int) -> None:
    wall = box(10, 10, 16, 11)
    places = behind(wall, (13.0, 30.0), (20.0, 5.0), count, 0.5)
    assert len(places) == count
    assert all(y < 9.5 for _, y in places)
    assert min(polygon_distance(wall, *place) for place in places) == pytest.approx(0.52)
    assert not any(contains(wall, *place) for place in places)
    assert count == 1 or min(gaps(places, 0.5)) > 0.0
