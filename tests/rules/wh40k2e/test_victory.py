"""Victory points by cost, and who wins."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tactician.rules.core.legs import Pose
from tactician.rules.core.state import Model
from tactician.rules.core.terrain import Board
from tactician.rules.wh40k2e import catalogue
from tactician.rules.wh40k2e.options import OPTIONS
from tactician.rules.wh40k2e.state import Squad, SquadState, SquadTable, Turn
from tactician.rules.wh40k2e.victory import ENDS, cost_of, finish, points, points_for


def squad(name: str, profile: str, mustered: int, standing: int | None = None, **more: Any) -> Squad:
    models = tuple(f"{name}{i}" for i in range(mustered))
    left = models[: mustered if standing is None else standing]
    return Squad(
        id=name,
        side="red" if name.startswith("R") else "blue",
        name=name,
        profile=profile,
        radius=0.5,
        models=tuple(Model(id=one, pose=Pose(2.0 * i, 5.0)) for i, one in enumerate(left)),
        gear=more.pop("gear", tuple((one, catalogue.profiles()[profile].weapons) for one in models)),
        lost=models[len(left) :],
        mustered=mustered,
        **more,
    )


def moment(*units: Squad, cost: float | None = None, off: tuple[str, ...] = ()) -> SquadState:
    """A moment; with a cost, every model costs that much."""
    known = dict(catalogue.profiles())
    if cost is not None:
        known = {name: replace(one, cost=cost) for name, one in known.items()}
    table = SquadTable(
        board=Board(width=72, height=48),
        switched_off=frozenset(off),
        profiles=tuple(known.items()),
        weapons=tuple(catalogue.weapons().items()),
        options=tuple((option.name, option.default) for option in OPTIONS),
    )
    return SquadState(table=table, units=units, agenda=(Turn(owner="red"),))


@pytest.mark.parametrize(
    ("cost", "half", "whole"),
    [(100, 0, 1), (101, 1, 1), (200, 1, 1), (201, 1, 2), (300, 1, 2), (301, 2, 2), (400, 2, 2), (401, 2, 3)],
)
def test_a_squad_gives_points_by_its_cost(cost: int, half: int, whole: int) -> None:
    """2E-VP-01, the expanded table."""
    each = cost / 10
    intact, most, halved = (squad("R1", "marine", 10, left) for left in (10, 6, 5))
    broken, gone = squad("R1", "marine", 10, broken=True), squad("R1", "marine", 10, 0)
    found = [points_for(moment(unit, cost=each), unit) for unit in (intact, most, halved, broken, gone)]
    assert found == [0, 0, half, whole, whole]
    assert points_for(moment(gone, cost=each, off=("2E-VP-01",)), gone) == 0


@pytest.mark.parametrize(
    ("cost", "whole"), [(50, 0), (51, 1), (100, 1), (101, 2), (200, 2), (201, 3), (300, 3), (301, 4)]
)
def test_a_character_gives_points_when_killed(cost: int, whole: int) -> None:
    """2E-VP-02; a wound gives none, and neither does running away."""
    hurt, broken = squad("R1", "captain", 1, hurt=(("R10", 1),)), squad("R1", "captain", 1, broken=True)
    killed = squad("R1", "captain", 1, 0)
    assert [points_for(moment(unit, cost=cost), unit) for unit in (hurt, broken, killed)] == [0, 0, whole]
    assert points_for(moment(killed, cost=cost, off=("2E-VP-02",)), killed) == 0


def test_a_creature_is_halved_by_its_wounds() -> None:
    """The beast costs 180 and has five wounds."""
    found = [points_for(moment(unit), unit) for n in range(5) for unit in [squad("B1", "ravager", 1, hurt=_lost(n))]]
    assert found == [0, 0, 0, 1, 1]
    gone = squad("B1", "ravager", 1, 0)
    assert points_for(moment(gone), gone) == 1


def _lost(wounds: int) -> tuple[tuple[str, int], ...]:
    return (("B10", wounds),) if wounds else ()


def test_cost_is_that_of_the_full_unit_with_its_weapons() -> None:
    gear = (("R10", ("lascannon", "bolt-pistol")), ("R11", ("boltgun", "flamer")))
    unit = squad("R1", "marine", 2, 1, gear=gear)
    assert cost_of(moment(unit), unit) == 60 + 45 + 9


def test_units_not_put_down_give_nothing() -> None:
    waiting = replace(squad("R1", "marine", 10, 0), lost=(), reserve=tuple(f"R1{i}" for i in range(10)))
    assert points_for(moment(waiting), waiting) == 0


def test_more_points_win() -> None:
    """2E-VP-03: red has lost a squad of 300 points, blue half of one of 120."""
    state = moment(squad("R1", "marine", 10, 0), squad("R2", "marine", 5), squad("B1", "boy", 10, 5))
    assert (points(state, "red"), points(state, "blue")) == (1, 2)
    over = finish(state, "last turn")
    assert (over.ended, over.winner, over.agenda) == ("last turn", "blue", ())
    assert over.log == ("last turn: victory points red 1, blue 2; blue wins",)
    assert finish(moment(*state.units, off=("2E-VP-03",)), "last turn").winner == ""


def test_equal_points_are_a_draw_unless_one_side_alone_stands() -> None:
    even = moment(squad("R1", "marine", 5), squad("B1", "boy", 5))
    assert finish(even, "last turn").winner == ""
    cheap = moment(squad("R1", "lieutenant", 1, 0), squad("B1", "boy", 5))
    assert (points(cheap, "blue"), finish(cheap, "destroyed").winner) == (0, "blue")
    assert ENDS == ("last turn", "destroyed")
