"""Setting up by turns, who may begin hidden, and who has the first turn."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE
from tactician.rules.core.legs import Pose
from tactician.rules.core.terrain import Board
from tactician.rules.wh40k2e import catalogue
from tactician.rules.wh40k2e.deployment import DeployHandler, FirstTurnHandler, zones
from tactician.rules.wh40k2e.options import OPTIONS
from tactician.rules.wh40k2e.state import Deploy, FirstTurn, SquadState, SquadTable, Turn

DEPLOY, FIRST = DeployHandler(), FirstTurnHandler()


def fresh(red: str = "marines", blue: str = "orks", size: str = "skirmish", table: str = "farmland") -> SquadState:
    return SquadState(
        table=SquadTable(
            board=catalogue.table(table, size),
            profiles=tuple(sorted(catalogue.profiles().items())),
            weapons=tuple(sorted(catalogue.weapons().items())),
            options=tuple((option.name, option.default) for option in OPTIONS),
            size=size,
            ratings=(catalogue.rating(red), catalogue.rating(blue)),
        ),
        units=(*catalogue.compose_units(red, "red", size), *catalogue.compose_units(blue, "blue", size)),
        agenda=(FirstTurn(), Deploy()),
    )


def off(state: SquadState, *clauses: str) -> SquadState:
    return replace(state, table=replace(state.table, switched_off=frozenset(clauses)))


def on_board(state: SquadState, board: Board) -> SquadState:
    return replace(state, table=replace(state.table, board=board))


def deployed(state: SquadState) -> tuple[SquadState, list[str]]:
    """Everybody where the rules' own proposal puts him, and the order of the units."""
    order: list[str] = []
    while isinstance(frame := state.agenda[-1], Deploy):
        following = DEPLOY.step(state, frame)
        if following is not None:
            state = following
            continue
        choice = DEPLOY.choices(state, frame)[0]
        action = choice.canonical(state)
        assert choice.explain(state, action) == ()
        order.append(choice.unit)
        state = DEPLOY.take(state, frame, action)
    return state, order


def clauses(state: SquadState, action: Action) -> set[str]:
    frame = state.agenda[-1]
    assert isinstance(frame, Deploy)
    choice = next(one for one in DEPLOY.choices(state, frame) if one.unit == action.unit)
    return {fault.clause for fault in choice.explain(state, action)}


@pytest.mark.parametrize(
    ("width", "height", "red", "blue"),
    [
        (72, 48, (12, 0, 60, 12), (12, 36, 60, 48)),
        (48, 48, (8, 0, 40, 12), (8, 36, 40, 48)),
        (36, 36, (6, 0, 30, 9), (6, 27, 30, 36)),
        (24, 24, (4, 0, 20, 6), (4, 18, 20, 24)),
        (96, 60, (12, 0, 84, 12), (12, 48, 84, 60)),
    ],
)
def test_zones_are_a_quarter_of_the_depth_but_twelve_at_most_and_stop_short_of_the_sides(
    width: float, height: float, red: tuple[float, ...], blue: tuple[float, ...]
) -> None:
    assert zones(on_board(fresh(), Board(width=width, height=height))) == (red, blue)


def test_a_scenario_can_have_zones_of_its_own() -> None:
    own = ((0.0, 0.0, 5.0, 5.0), (10.0, 10.0, 15.0, 15.0))
    state = fresh()
    assert zones(replace(state, table=replace(state.table, zones=own))) == own


def test_the_lower_rating_begins_and_then_the_players_take_turns() -> None:
    """2E-DE-02: orks have 3, marines 5."""
    state, order = deployed(fresh())
    assert order == ["B1", "R1", "B2", "R2", "B3", "R3"]
    assert state.agenda == (FirstTurn(),)
    assert all(unit.models and not unit.reserve for unit in state.units)
    assert deployed(fresh("orks", "orks"))[1][:2] == ["R1", "B1"]
    assert deployed(off(fresh(), "2E-DE-02"))[1] == ["R1", "R2", "R3", "B1", "B2", "B3"]


def test_whoever_has_more_units_puts_the_rest_down_alone() -> None:
    order = deployed(fresh("marines", "orks", "battle"))[1]
    assert order[-2:] == ["R5", "B6"]


@pytest.mark.parametrize("table", catalogue.tables())
@pytest.mark.parametrize("size", catalogue.SIZES)
def test_the_largest_armies_find_room_on_every_table(size: str, table: str) -> None:
    state, _ = deployed(fresh("orks", "guard", size, table))
    for unit in state.units:
        x0, y0, x1, y1 = zones(state)[unit.side == "blue"]
        assert all(x0 <= model.pose.x <= x1 and y0 <= model.pose.y <= y1 for model in unit.models)
        assert {model.pose.bearing for model in unit.models} == {0.0 if unit.side == "red" else 180.0}


def test_units_are_put_down_in_their_zone_whole_and_on_the_table() -> None:
    state = replace(fresh("marines", "orks", "duel"), agenda=(Deploy(owner="red"),))
    names = state.unit("R1").reserve

    def at(places: list[tuple[float, float]]) -> Action:
        rows = zip(names, places, strict=True)
        return Action(verb="deploy", unit="R1", places=tuple((name, Pose(x, y)) for name, (x, y) in rows))

    row = [(10.0 + 3 * i, 3.0) for i in range(4)]
    assert clauses(state, at(row)) == set()
    assert clauses(state, at([(x + 0.05 * (x > 18), y) for x, y in row])) == {"2E-DE-03"}
    assert clauses(state, at([(x, 8.4) for x, _ in row])) == set()
    assert clauses(state, at([(x, 9.0) for x, _ in row])) == {"2E-DE-01"}
    assert clauses(off(state, "2E-DE-01"), at([(x, 20.0) for x, _ in row])) == set()
    assert "2E-DE-03" in clauses(state, at([(x, -1.0) for x, _ in row]))


def test_an_inch_exactly_from_an_enemy_is_enough() -> None:
    state, _ = deployed(fresh("orks", "tyranids", "duel"))
    foe = state.unit("R1").models[0].pose
    own = off(state, "2E-DE-01")
    fresh_blue = replace(own.unit("B1"), models=(), reserve=("B1a",))
    own = replace(own.with_unit(fresh_blue), agenda=(Deploy(owner="blue"),))
    for gap, wanted in ((1.0, set()), (0.99, {"2E-DE-03"})):
        place = Pose(foe.x, foe.y + 1.0 + gap)
        others = [model.pose for model in state.unit("R1").models if model.pose.y > foe.y]
        assert others == []
        assert clauses(own, Action(verb="deploy", unit="B1", places=(("B1a", place),))) == wanted


def test_who_may_hide_begins_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """2E-DE-04: asked of `hiding.hide_faults` with the unit where it was put down."""
    asked: list[int] = []

    def hide_faults(state: SquadState, unit: object) -> tuple[str, ...]:
        asked.append(len(state.unit(unit.id).models))  # type: ignore[attr-defined]
        return ("seen",) if unit.id.startswith("B") else ()  # type: ignore[attr-defined]

    monkeypatch.setitem(sys.modules, "tactician.rules.wh40k2e.hiding", SimpleNamespace(hide_faults=hide_faults))
    state, _ = deployed(fresh())
    assert {unit.id for unit in state.units if unit.hidden} == {"R1", "R2", "R3"}
    assert asked == [1, 1, 12, 5, 12, 2]
    assert not any(unit.hidden for unit in deployed(off(fresh(), "2E-DE-04"))[0].units)


# ---- the first turn --------------------------------------------------------------------------------------------------


def thrown(state: SquadState, *totals: int) -> SquadState:
    for total in totals:
        frame = state.agenda[-1]
        assert isinstance(frame, FirstTurn)
        assert FIRST.step(state, frame) is None
        assert FIRST.mover(state, frame) == CHANCE
        state = FIRST.land(state, frame, FIRST.roll(state, frame).accept(total))
    return state


def test_die_and_rating_decide_and_equal_totals_throw_again() -> None:
    """2E-GF-03: red adds 5, blue 3."""
    state = replace(fresh(), agenda=(Turn(), FirstTurn()))
    assert [outcome for outcome, _ in FIRST.roll(state, FirstTurn()).support()] == [6, 7, 8, 9, 10, 11]
    assert [outcome for outcome, _ in FIRST.roll(state, FirstTurn(rolled=6)).support()] == [4, 5, 6, 7, 8, 9]
    red = thrown(state, 7, 6)
    assert (red.first, red.agenda) == ("red", (Turn(owner="red"),))
    blue = thrown(state, 7, 7, 6, 9)
    assert (blue.first, blue.agenda) == ("blue", (Turn(owner="blue"),))


def test_nothing_is_thrown_where_it_is_known_who_begins() -> None:
    state = replace(fresh(), agenda=(FirstTurn(),), first="blue")
    begun = FIRST.step(state, FirstTurn())
    assert begun is not None
    assert begun.agenda == (Turn(owner="blue"),)
    without = FIRST.step(off(replace(state, first=""), "2E-GF-03"), FirstTurn())
    assert without is not None
    assert (without.first, without.agenda) == ("red", (Turn(owner="red"),))


def test_a_turn_that_waits_below_is_given_to_whoever_is_first() -> None:
    state, _ = deployed(replace(fresh(), agenda=(Turn(), Deploy()), first="blue"))
    assert state.agenda == (Turn(owner="blue"),)
    assert deployed(replace(fresh(), agenda=(Turn(), Deploy())))[0].first == "red"
