"""Blue's view is red's, turned by half a turn: a battle and its mirror image ask, show and mean the same."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import pytest
from tactician.agent.view.dialogue import View
from tactician.agent.view.seats import Seats
from tactician.rules.core.action import Action
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.legs import Pose, Straight
from tactician.rules.core.ruleset import Scenario
from tactician.rules.core.shapes import Polygon
from tactician.rules.core.state import SIDES, State, Unit, other_side
from tactician.rules.core.terrain import Board

from tests.agent.view_games import Press, presses, view_of
from tests.conformance.found import EVERY_SIZE, SMALLEST

IN_PAIRS = ("points", "score", "threat", "headquarters")
"""Fields that hold red's number and blue's."""

WINDS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
"""Targets that are directions."""


class Turned:
    """Everything on a table turned by half a turn, and the sides changed over."""

    def __init__(self, board: Board) -> None:
        self.width, self.height = board.width, board.height

    def point(self, at: tuple[float, float]) -> tuple[float, float]:
        return self.width - at[0], self.height - at[1]

    def of(self, value: Any, name: str = "") -> Any:
        if isinstance(value, str):
            return other_side(value) if value in SIDES else value
        if isinstance(value, Pose):
            bearing = (value.bearing + 180.0) % 360.0
            return value._replace(x=self.width - value.x, y=self.height - value.y, bearing=bearing)
        if isinstance(value, Polygon):
            return Polygon(tuple(self.point(point) for point in value.points))
        if isinstance(value, Straight):
            return Straight(self.point(value.to))
        if isinstance(value, Board):
            return replace(value, features=tuple(self.of(piece) for piece in value.features))
        if isinstance(value, tuple) and not hasattr(value, "_fields"):
            if name in ("foot", "head"):
                return self.point((value[0], value[1]))
            if len(value) == 2 and value[1] in WINDS:
                return value[0], WINDS[(WINDS.index(value[1]) + 4) % 8]
            row = tuple(self.of(one) for one in value)
            if row and isinstance(row[0], Unit):
                return tuple(sorted(row, key=lambda unit: (unit.side != SIDES[0], unit.id)))
            return row[::-1] if name in IN_PAIRS and len(row) == 2 else row
        if is_dataclass(value) and not isinstance(value, type):
            kept = {f.name: self.of(getattr(value, f.name), f.name) for f in fields(value) if f.init}
            return replace(value, **kept)
        return value


def turned_seats(seats: Seats) -> Seats:
    return Seats(
        red=seats.blue,
        blue=seats.red,
        fixed=(seats.fixed[1], seats.fixed[0]),
        most_red=seats.most_blue,
        most_blue=seats.most_red,
    )


def is_proposed(view: View, press: Press) -> bool:
    """Whether a subset of models is proposed: the rules' own proposal may count models from the left."""
    parts = view.layout.name_of(press.index).rpartition(": ")[2] in appraiser_of(view.ruleset).parting_verbs
    return parts or press.asked.stage == "proposal"


def assert_seen_alike(view: View, state: State, twin: State, seats: Seats, partial: tuple[int, ...]) -> None:
    for side in SIDES:
        seen = view.observe(state, seats, partial, side)
        mirrored = view.observe(twin, turned_seats(seats), partial, other_side(side))
        for part in seen:
            np.testing.assert_allclose(seen[part], mirrored[part], atol=2e-4, err_msg=f"{part} of {side}")


def assert_mirrored(name: str, size: str, seed: int, most: int) -> int:
    view, alike = view_of(name, size), 0
    for press in presses(view, Scenario(size=size, deployed=True), seed, most):
        turned = Turned(press.state.board)
        twin, seats = turned.of(press.state), turned_seats(press.seats)
        if is_proposed(view, press):
            continue
        assert view.ruleset.to_move(twin) == other_side(view.ruleset.to_move(press.state))
        assert (view.mask(twin, seats, press.partial) == press.mask).all(), press.asked
        assert_seen_alike(view, press.state, twin, press.seats, press.partial)
        result = view.press(twin, seats, press.partial, press.index)
        if isinstance(result, Action) and isinstance(press.result, Action):
            wanted = turned.of(press.result)
            assert (result.verb, result.unit, result.targets) == (wanted.verb, wanted.unit, wanted.targets)
            ends = [[leg.to for _, path in one.paths for leg in path] for one in (result, wanted)]
            np.testing.assert_allclose(*ends, atol=1e-3)
            alike += bool(ends[0])
        else:
            assert result == press.result
    return alike


@pytest.mark.parametrize(("name", "size"), SMALLEST)
def test_a_mirrored_battle_asks_shows_and_means_the_same(name: str, size: str) -> None:
    assert assert_mirrored(name, size, 8, 40) > 3


@pytest.mark.slow
@pytest.mark.parametrize(("name", "size"), EVERY_SIZE)
def test_a_mirrored_battle_asks_shows_and_means_the_same_at_every_size(name: str, size: str) -> None:
    assert assert_mirrored(name, size, 30, 240) > 5
