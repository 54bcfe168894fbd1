"""What a side sees of a moment: arrays of numbers from -1 to 1, always of the same shape.

Blue sees the table turned by half a turn, so that both sides see their own edge below. What a game knows besides
places and sizes (restrictions, points, what is being answered) comes from its appraiser.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, prod, radians, sin
from struct import Struct

import numpy as np
from numpy.typing import NDArray
from tactician.agent.propose.aims import middle
from tactician.agent.view.layout import ROLES, STAGES, Layout
from tactician.agent.view.planes import CELLS, LONG, PLANES, SHORT, Grid, crowd, filled
from tactician.agent.view.question import Asked
from tactician.agent.view.seats import Seats
from tactician.rules.core.appraisal import Goal, appraiser_of
from tactician.rules.core.measure import Inches
from tactician.rules.core.remember import Remembered
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.shapes import length
from tactician.rules.core.state import SIDES, State, Unit, other_side

__all__ = ["GLOBALS", "UNITS", "Observation", "Observer", "names", "shapes"]

Observation = dict[str, NDArray[np.float32]]
"""The arrays by name: ``units``, ``globals``, ``asked``, ``board``."""

FAR: Inches = 48.0
"""Inches that are shown as 1: the side of a large table."""

SPREAD: Inches = 12.0
"""Mean distance of models from their middle that is shown as 1."""

LONG_GAME = 10.0
"""Rounds that are shown as 1."""

MANY_ORDERS = 12.0
"""Orders left that are shown as 1."""

CELL: Inches = 4.0
"""Side of a cell of the board that is shown as 1."""

AHEAD = 20.0
"""Victory points of a lead that are shown as 1."""

PIECES = 5.0
"""Pieces of a unit beyond the first that are shown as 1."""

UNITS = (
    "side: 1 own, -1 enemy, 0 nobody",
    "x from the middle of the table",
    "y from the middle of the table",
    "models, as a share of the largest unit",
    "models, as a share of its own most",
    "worth, as a share of an army",
    "stride",
    "range",
    "reach",
    "ready",
    "pieces beyond the first",
    "spread",
    "sine of the bearing",
    "cosine of the bearing",
    "asked about",
)
"""What is said of every unit; the numbers of the game's own `status` follow."""

GLOBALS = (
    "round",
    "rounds left",
    "lead",
    "lead to come at the end of the round",
    "own orders left",
    "enemy orders left",
    "own worth",
    "enemy worth",
    "own decision",
    "inches of a cell",
    "width of the table",
    "height of the table",
)
"""What is said of the moment; the numbers of the game's own `moment` follow."""

WIDE = 24
"""Numbers of a row of units, and of the globals."""

ASKED_ABOUT = UNITS.index("asked about")

Row = tuple[float, ...]

NOBODY: Row = (0.0,) * WIDE

ORDER = ("asked", "board", "globals", "units")
"""The arrays as they follow each other in one row: by name, as `gymnasium.spaces.flatten` puts them."""

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Look:
    """What changes only when a unit does, seen from one edge; numbers that stand together in its row."""

    worth: float
    """As a share of an army."""
    place: Row
    """Place and size."""
    might: Row
    """Worth, stride, range and reach."""
    form: Row
    """Pieces, spread and bearing, and that nothing is asked about it."""
    cells: tuple[int, ...]
    """The cells of the board in which its models stand."""


class Observer:
    """Sees the moments of a ruleset in the seats of a layout."""

    def __init__(self, ruleset: Ruleset, layout: Layout) -> None:
        """Look at a ruleset's games."""
        self._ruleset, self._layout = ruleset, layout
        self._appraiser = appraiser_of(ruleset)
        self._unsaid: Row = (0.0,) * (WIDE - len(UNITS) - len(self._appraiser.status_names))
        self._untold: Row = (0.0,) * (WIDE - len(GLOBALS) - len(self._appraiser.moment_names))
        self._looks: Remembered[tuple[_Look, _Look]] = Remembered(4_000)
        self._grounds: Remembered[tuple[Array, Array]] = Remembered(64)
        self._parts, self._size = _parts(layout)
        self._numbers = slice(self._size - WIDE * (1 + layout.own + layout.foes), self._size)
        self._pack = Struct(f"{self._size - self._numbers.start}f").pack_into
        self._planes = self._numbers.start - 2 * CELLS, self._numbers.start - CELLS

    def observe(self, state: State, seats: Seats, asked: Asked | None, side: str) -> Observation:
        """What a side sees, in fresh arrays.

        Args:
            state: any moment.
            seats: who sits where.
            asked: what the side is asked for; None where it is not asked.
            side: whose eyes.
        """
        row = self.row(state, seats, asked, side)
        return {name: row[part].reshape(shape) for name, part, shape in self._parts}

    def row(self, state: State, seats: Seats, asked: Asked | None, side: str) -> Array:
        """The same in one fresh row, the arrays one after another in their `ORDER`."""
        row, turned = self._ground(state, side), side == SIDES[1]
        looks = {unit.id: self._look(state, unit)[turned] for unit in state.units if unit.models}
        self._show_models(row, state, side, looks)
        numbers = self._globals(state, side, looks)
        self._add_units(numbers, state, seats, side, looks)
        self._pack(row.data, self._numbers.start * row.itemsize, *numbers)
        self._show_question(row, state, seats, asked)
        return row

    def _show_question(self, row: Array, state: State, seats: Seats, asked: Asked | None) -> None:
        """What is being answered; and what is asked, and about whom."""
        layout, verb = self._layout, self._appraiser.answering(state)
        if verb:
            row[len(STAGES) + len(ROLES) + len(layout.verbs) + layout.verb_number(verb)] = 1.0
        if asked is None:
            return
        row[STAGES.index(asked.stage)] = 1.0
        if asked.role in ROLES:
            row[len(STAGES) + ROLES.index(asked.role)] = 1.0
        if asked.verb:
            row[len(STAGES) + len(ROLES) + layout.verb_number(asked.verb)] = 1.0
        for side, first in ((asked.side, 0), (other_side(asked.side), layout.own)):
            slot = seats.slot(side, asked.unit)
            if slot is not None:
                row[self._numbers.start + WIDE * (1 + first + slot) + ASKED_ABOUT] = 1.0

    # ---- units -------------------------------------------------------------------------------------------------------

    def _add_units(self, numbers: list[float], state: State, seats: Seats, side: str, looks: dict[str, _Look]) -> None:
        """A row for every slot, own ones first."""
        is_ready, status = self._appraiser.is_ready, self._appraiser.status
        standing = {unit.id: unit for unit in state.units if unit.models}
        for owner, whose in ((side, 1.0), (other_side(side), -1.0)):
            for name, most in zip(seats.of(owner), seats.most(owner), strict=True):
                unit = standing.get(name)
                if unit is None:
                    numbers += NOBODY
                    continue
                look, left = looks[name], min(len(unit.models) / most, 1.0)
                ready = 1.0 if is_ready(state, unit) else 0.0
                numbers += (whose, *look.place, left, *look.might, ready, *look.form, *status(state, unit))
                numbers += self._unsaid

    def _look(self, state: State, unit: Unit) -> tuple[_Look, _Look]:
        """What a unit looks like from the lower and from the upper edge."""
        return self._looks.get((state.table, unit), None, lambda: self._find_look(state, unit))

    def _find_look(self, state: State, unit: Unit) -> tuple[_Look, _Look]:
        appraiser, board, layout = self._appraiser, state.board, self._layout
        grid, points = Grid(board.width, board.height), [model.pose.point for model in unit.models]
        count = len(points)
        x, y = middle(unit)
        spread = sum([length(a - x, b - y) for a, b in points]) / count
        turns = [radians(model.pose.bearing) for model in unit.models] if appraiser.has_facing else []
        at = round(2 * x / board.width - 1.0, 6), round(2 * y / board.height - 1.0, 6)
        might = (
            appraiser.worth(state, unit) / layout.worth,
            appraiser.stride(state, unit) / FAR,
            appraiser.range(state, unit) / FAR,
            appraiser.reach(state, unit) / FAR,
        )
        form = (appraiser.pieces(state, unit) - 1) / PIECES, round(spread / SPREAD, 6)
        sine, cosine, models = sum(map(sin, turns)) / count, sum(map(cos, turns)) / count, count / layout.strength
        below, above = (
            _Look(
                might[0],
                _bounded(sign * at[0], sign * at[1], models),
                _bounded(*might),
                _bounded(*form, sign * sine, sign * cosine, 0.0),
                tuple(grid.cells(points, sign < 0.0)),
            )
            for sign in (1.0, -1.0)
        )
        return below, above

    # ---- the moment --------------------------------------------------------------------------------------------------

    def _globals(self, state: State, side: str, looks: dict[str, _Look]) -> list[float]:
        appraiser, foe = self._appraiser, other_side(side)
        board, mover = state.board, self._ruleset.to_move(state)
        worth = dict.fromkeys(SIDES, 0.0)
        for unit in state.units:
            if unit.models:
                worth[unit.side] += looks[unit.id].worth
        known = _bounded(
            state.round / LONG_GAME,
            appraiser.rounds_left(state) / LONG_GAME,
            appraiser.standing(state, side) / AHEAD,
            appraiser.outlook(state, side) / AHEAD,
            appraiser.orders(state, side) / MANY_ORDERS,
            appraiser.orders(state, foe) / MANY_ORDERS,
            worth[side],
            worth[foe],
            float(mover == side) - float(mover == foe),
            Grid(board.width, board.height).cell / CELL,
            board.width / FAR / 2,
            board.height / FAR / 2,
        )
        return [*known, *appraiser.moment(state, side), *self._untold]

    # ---- the board ---------------------------------------------------------------------------------------------------

    def _ground(self, state: State, side: str) -> Array:
        """A fresh row that shows the table, and nothing else yet."""
        goals = self._appraiser.goals(state, side)
        grounds = self._grounds.get((state.board,), goals, lambda: self._find_grounds(state, goals))
        return grounds[side == SIDES[1]].copy()

    def _show_models(self, row: Array, state: State, side: str, looks: dict[str, _Look]) -> None:
        """The planes of the models on the table."""
        plane = row.data.cast("B").cast("f")
        for unit in state.units:
            if unit.models:
                crowd(plane, self._planes[0 if unit.side == side else 1], looks[unit.id].cells)

    def _find_grounds(self, state: State, goals: tuple[Goal, ...]) -> tuple[Array, Array]:
        """Rows that show what stays, from the lower and from the upper edge."""
        below = filled(Grid(state.board.width, state.board.height), self._ruleset.describe(state), goals)
        rows = np.zeros((2, self._size), dtype=np.float32)
        for row, planes in zip(rows, (below, below[:, ::-1, ::-1]), strict=True):
            row[self._planes[0] - planes.size : self._planes[0]] = planes.reshape(-1)
        return rows[0], rows[1]


def _bounded(*numbers: float) -> Row:
    """Numbers kept from -1 to 1."""
    return tuple([1.0 if number > 1.0 else -1.0 if number < -1.0 else number for number in numbers])


# ---- shapes and names ------------------------------------------------------------------------------------------------


def _asked_size(layout: Layout) -> int:
    return len(STAGES) + len(ROLES) + 2 * len(layout.verbs)


def shapes(layout: Layout) -> dict[str, tuple[int, ...]]:
    """The shape of every array."""
    return {
        "units": (layout.own + layout.foes, WIDE),
        "globals": (WIDE,),
        "asked": (_asked_size(layout),),
        "board": (len(PLANES), SHORT, LONG),
    }


def _parts(layout: Layout) -> tuple[list[tuple[str, slice, tuple[int, ...]]], int]:
    """Name, part of the row and shape of every array, and the length of the row."""
    found, end, wanted = dict[str, slice](), 0, shapes(layout)
    for name in ORDER:
        start, end = end, end + prod(wanted[name])
        found[name] = slice(start, end)
    return [(name, found[name], shape) for name, shape in wanted.items()], end


def names(layout: Layout, ruleset: Ruleset) -> dict[str, tuple[str, ...]]:
    """What the numbers of every array mean: columns of the units, entries of globals and asked, planes of the board."""
    appraiser = appraiser_of(ruleset)
    return {
        "units": _padded((*UNITS, *appraiser.status_names)),
        "globals": _padded((*GLOBALS, *appraiser.moment_names)),
        "asked": (
            *(f"asked for: {stage}" for stage in STAGES),
            *(f"target to {role}" for role in ROLES),
            *(f"order being completed: {verb}" for verb in layout.verbs),
            *(f"order being carried out or answered: {verb}" for verb in layout.verbs),
        ),
        "board": PLANES,
    }


def _padded(row: tuple[str, ...]) -> tuple[str, ...]:
    return (*row, *("spare",) * (WIDE - len(row)))
