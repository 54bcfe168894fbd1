from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import cos, radians, sin

import pytest
from tactician.agent.propose.aims import middle, nearest_pair
from tactician.agent.view.dialogue import View
from tactician.agent.view.places import straight_shifts
from tactician.rules.core.action import Action
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.choice import Walk
from tactician.rules.core.legs import Straight
from tactician.rules.core.measure import TOL
from tactician.rules.core.movement import MoveType, judge
from tactician.rules.core.ruleset import Scenario
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.state import Unit, front_first

from tests.agent.view_games import Press, presses, view_of
from tests.conformance.found import SMALLEST


def places(name: str, size: str, seed: int, most: int) -> Iterator[tuple[View, Press, Unit, MoveType]]:
    """Moments in which a unit is asked where it goes."""
    view = view_of(name, size)
    for press in presses(view, Scenario(size=size, deployed=True), seed, most):
        if press.asked.stage == "place":
            asked = press.asked.verb, press.asked.unit
            domains = [one.domain for one in view.ruleset.choices(press.state) if (one.verb, one.unit) == asked]
            assert isinstance(domains[0], Walk)
            yield view, press, press.state.unit(press.asked.unit), domains[0].kind


def at(view: View, press: Press, name: str) -> Unit | None:
    """The unit where a place leads it, roughly; None where the place is masked out."""
    index = view.layout.index_of(name)
    if not press.mask[index]:
        return None
    action = view.press(press.state, press.seats, press.partial, index)
    assert isinstance(action, Action)
    unit = press.state.unit(press.asked.unit)
    ends = {name: path[-1].to for name, path in action.paths if isinstance(path[-1], Straight)}
    return unit.moved({m.id: m.pose._replace(x=ends[m.id][0], y=ends[m.id][1]) for m in unit.models if m.id in ends})


def gap(unit: Unit, foes: tuple[Unit, ...]) -> float:
    pair = nearest_pair(unit, foes)
    assert pair is not None
    return pair[0]


def test_straight_places_go_round_from_up_by_quarters() -> None:
    shifts = straight_shifts(8.0, False)
    assert len(shifts) == 64
    assert shifts[:4] == ((0.0, 2.0), (0.0, 4.0), (0.0, 6.0), (0.0, 8.0))
    assert shifts[19] == pytest.approx((8.0, 0.0))
    for number, (x, y) in enumerate(shifts):
        angle, far = radians(22.5 * (number // 4)), 2.0 * (number % 4 + 1)
        assert (x, y) == pytest.approx((far * sin(angle), far * cos(angle)))
    assert straight_shifts(8.0, True) == tuple((-x, -y) for x, y in shifts)


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_straight_places_are_offered_where_the_rules_allow_the_shift_in_full(name: str, size: str) -> None:
    seen = {True: 0, False: 0}
    for view, press, unit, kind in list(places(name, size, 12, 120))[::3]:
        for number, (x, y) in enumerate(straight_shifts(kind.allowance, unit.side == "blue")):
            paths = {m.id: (Straight((m.pose.x + x, m.pose.y + y)),) for m in unit.models}
            order = front_first(unit, x, y) if kind.motion == "sequence" else ()
            is_legal = not judge(press.state, unit, kind, paths, order).violations
            assert press.mask[view.layout.place(number)] == is_legal
            seen[is_legal] += 1
            if is_legal and number % 16 == 0:
                action = view.press(press.state, press.seats, press.partial, view.layout.place(number))
                assert isinstance(action, Action)
                assert dict(action.paths) == paths
    assert min(seen.values()) > 10


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_a_unit_may_always_stay(name: str, size: str) -> None:
    for view, press, unit, _ in places(name, size, 13, 15):
        stays = view.press(press.state, press.seats, press.partial, view.layout.option("stop"))
        assert stays == Action(verb=press.asked.verb, unit=unit.id)


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_named_places_about_the_enemy_do_what_they_say(name: str, size: str) -> None:
    appraiser, seen = appraiser_of(view_of(name, size).ruleset), dict.fromkeys(("nearest enemy", "back", "outside"), 0)
    for view, press, unit, kind in places(name, size, 14, 60):
        foes = press.state.against(unit.side)
        charged = {one for keep in kind.keep_away for one in keep.spared}
        aimed = tuple(foe for foe in foes if foe.id in charged) or foes
        closer, away = at(view, press, "place nearest enemy"), at(view, press, "place back")
        outside = at(view, press, "place outside threat")
        if closer is not None:
            assert gap(closer, aimed) < gap(unit, aimed) - TOL
            seen["nearest enemy"] += 1
        if away is not None:
            assert gap(away, foes) > gap(unit, foes) or len(foes) > 1
            assert length(*_step(unit, away)) <= kind.allowance + TOL
            seen["back"] += 1
        if outside is not None:
            slack = [
                min(gap(one, (foe,)) - appraiser.reach(press.state, foe) for foe in foes) for one in (unit, outside)
            ]
            assert slack[1] > -TOL or slack[1] > slack[0] or len(foes) > 1
            seen["outside"] += 1
    assert min(seen.values()) > 2, seen


def _step(before: Unit, after: Unit) -> Point:
    (a, b), (x, y) = middle(before), middle(after)
    return x - a, y - b


@pytest.mark.parametrize("size", ["duel", "skirmish"])
def test_objectives_and_cover_are_come_nearer_to(size: str) -> None:
    """In a mission with objectives, of whatever games have any."""
    seen = {"cover": 0, "objective": 0}
    for name in sorted({name for name, _ in SMALLEST}):
        ruleset = view_of(name, "duel").ruleset
        for mission in ruleset.info.missions[:3] if size in ruleset.info.sizes else ():
            view = view_of(name, size)
            for press in presses(view, Scenario(size=size, mission=mission, deployed=True), 15, 25):
                if press.asked.stage != "place":
                    continue
                unit = press.state.unit(press.asked.unit)
                appraiser, sign = appraiser_of(ruleset), -1 if unit.side == "blue" else 1
                goals = sorted(appraiser.goals(press.state, unit.side), key=lambda g, s=sign: (s * g.y, s * g.x))
                for number, goal in enumerate(goals[:3], start=1):
                    moved = at(view, press, f"place objective {number}")
                    if moved is not None:
                        assert _to(moved, (goal.x, goal.y)) < _to(unit, (goal.x, goal.y))
                        seen["objective"] += 1
                spots = [(one.x, one.y) for one in appraiser.shelters(press.state, unit)]
                moved = at(view, press, "place nearest cover")
                if moved is not None:
                    spot = min(spots, key=lambda one, unit=unit: _to(unit, one))
                    assert _to(moved, spot) < _to(unit, spot)
                    seen["cover"] += 1
    assert min(seen.values()) > 5, seen


def _to(unit: Unit, spot: Point) -> float:
    x, y = middle(unit)
    return length(x - spot[0], y - spot[1])


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_out_of_sight_is_seen_by_nobody_where_a_straight_place_is(name: str, size: str) -> None:
    appraiser, hidden = appraiser_of(view_of(name, size).ruleset), 0
    for view, press, unit, _ in list(places(name, size, 16, 60))[:6]:
        moved = at(view, press, "place out of sight")
        if moved is None:
            continue
        foes = press.state.against(unit.side)

        def eyes(one: Unit, press: Press = press, foes: tuple[Unit, ...] = foes) -> int:
            return sum(appraiser.view(press.state, foe, one) > 0.0 for foe in foes)

        straight = [at(view, press, view.layout.name_of(view.layout.place(i))) for i in range(64)]
        fewest = min(eyes(one) for one in straight if one is not None)
        assert eyes(moved) == fewest
        hidden += 1
    assert hidden


def test_cells_cover_the_zone_row_by_row_from_the_own_edge() -> None:
    """Models put down in a cell stand nearest to its middle; both sides count from their own left corner."""
    found = 0
    for name in sorted({name for name, _ in SMALLEST}):
        view = view_of(name, "duel")
        for press in presses(view, Scenario(size="duel"), 17, 6):
            if press.asked.stage != "spot":
                continue
            spots = []
            for cell in (0, 7, 56, 63):
                action = view.press(press.state, press.seats, press.partial, view.layout.place(cell))
                assert isinstance(action, Action)
                count = len(action.places)
                spots.append((sum(p.x for _, p in action.places) / count, sum(p.y for _, p in action.places) / count))
            sign = -1 if press.asked.side == "blue" else 1
            (left, low), (right, _), (_, high), _ = spots
            assert sign * (right - left) > 1.0
            assert sign * (high - low) > -TOL
            found += 1
    assert found


def test_a_unit_without_models_to_move_is_no_trouble() -> None:
    """A mask never looks at units that have gone: their seats stay, and nobody offers them."""
    view = view_of("_template", "duel")
    (press,) = presses(view, Scenario(size="duel", deployed=True), 1, 1)
    gone = press.state.with_unit(replace(press.state.unit("B1"), models=()))
    seen = view.observe(gone, press.seats, (), "red")
    assert not seen["units"][view.layout.own :].any()
