"""What a side sees of a moment: arrays of numbers from -1 to 1, always of the same shape.

Blue sees the table turned by half a turn, so that both sides see their own edge below. What a game knows besides
places and sizes (restrictions, points, what is being answered) comes from its appraiser.
"""

from __future__ import annotations

from math import cos, radians, sin

import numpy as np
from numpy.typing import NDArray
from tactician.agent.propose.aims import middle
from tactician.agent.view.layout import ROLES, STAGES, Layout
from tactician.agent.view.planes import CELLS, LONG, PLANES, SHORT, Grid, crowd, filled
from tactician.agent.view.question import Asked
from tactician.agent.view.seats import Seats
from tactician.rules.core.appraisal import appraiser_of
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


class Observer:
    """Sees the moments of a ruleset in the seats of a layout."""

    def __init__(self, ruleset: Ruleset, layout: Layout) -> None:
        """Look at a ruleset's games."""
        self._ruleset, self._layout = ruleset, layout
        self._appraiser = appraiser_of(ruleset)
        self._standing: Remembered[Row] = Remembered(4_000)
        self._still: Remembered[NDArray[np.float32]] = Remembered(64)
        self._seen: Remembered[Observation] = Remembered(64)

    def observe(self, state: State, seats: Seats, asked: Asked | None, side: str) -> Observation:
        """What a side sees, in fresh arrays.

        Args:
            state: any moment.
            seats: who sits where.
            asked: what the side is asked for; None where it is not asked.
            side: whose eyes.
        """
        seen = self._seen.get((state, seats), side, lambda: self._see(state, seats, side))
        found = {name: array.copy() for name, array in seen.items()}
        if asked is not None:
            self._show(found, asked, seats)
        return found

    def _show(self, found: Observation, asked: Asked, seats: Seats) -> None:
        """Add what is asked, and about whom."""
        row, layout = found["asked"], self._layout
        row[STAGES.index(asked.stage)] = 1.0
        if asked.role in ROLES:
            row[len(STAGES) + ROLES.index(asked.role)] = 1.0
        if asked.verb:
            row[len(STAGES) + len(ROLES) + layout.verb_number(asked.verb)] = 1.0
        for side, first in ((asked.side, 0), (other_side(asked.side), layout.own)):
            slot = seats.slot(side, asked.unit)
            if slot is not None:
                found["units"][first + slot, ASKED_ABOUT] = 1.0

    def _see(self, state: State, seats: Seats, side: str) -> Observation:
        """Everything but the question."""
        layout = self._layout
        asked = np.zeros(_asked_size(layout), dtype=np.float32)
        verb = self._appraiser.answering(state)
        if verb:
            asked[len(STAGES) + len(ROLES) + len(layout.verbs) + layout.verb_number(verb)] = 1.0
        return {
            "units": self._units(state, seats, side),
            "globals": self._globals(state, side),
            "asked": asked,
            "board": self._board(state, side),
        }

    # ---- units -------------------------------------------------------------------------------------------------------

    def _units(self, state: State, seats: Seats, side: str) -> NDArray[np.float32]:
        """A row for every slot, own ones first."""
        layout, appraiser = self._layout, self._appraiser
        standing = {unit.id: unit for unit in state.units if unit.models}
        sign = 1.0 if side == SIDES[0] else -1.0
        rows: list[Row] = []
        for owner, place in ((side, 1.0), (other_side(side), -1.0)):
            for name, most in zip(seats.of(owner), seats.most(owner), strict=True):
                unit = standing.get(name)
                if unit is None:
                    rows.append(NOBODY)
                    continue
                x, y, models, worth, stride, reach, far, pieces, spread, sine, cosine = self._still_row(state, unit)
                left, ready = len(unit.models) / most, float(appraiser.is_ready(state, unit))
                row: Row = (place, sign * x, sign * y, models, left, worth, stride, reach, far, ready, pieces, spread)
                row = (*row, sign * sine, sign * cosine, 0.0, *appraiser.status(state, unit))
                rows.append((*row, *(0.0,) * (WIDE - len(row))))
        found: NDArray[np.float32] = np.array(rows, dtype=np.float32).reshape(layout.own + layout.foes, WIDE)
        return np.minimum(np.maximum(found, -1.0), 1.0)

    def _still_row(self, state: State, unit: Unit) -> Row:
        return self._standing.get((state.table, unit), None, lambda: self._find_still_row(state, unit))

    def _find_still_row(self, state: State, unit: Unit) -> Row:
        """What changes only when the unit does, seen from the lower edge."""
        appraiser, board, layout = self._appraiser, state.board, self._layout
        count = len(unit.models)
        x, y = middle(unit)
        spread = sum(length(model.pose.x - x, model.pose.y - y) for model in unit.models) / count
        turns = [radians(model.pose.bearing) for model in unit.models] if appraiser.has_facing else []
        return (
            round(2 * x / board.width - 1.0, 6),
            round(2 * y / board.height - 1.0, 6),
            count / layout.strength,
            appraiser.worth(state, unit) / layout.worth,
            appraiser.stride(state, unit) / FAR,
            appraiser.range(state, unit) / FAR,
            appraiser.reach(state, unit) / FAR,
            (appraiser.pieces(state, unit) - 1) / PIECES,
            round(spread / SPREAD, 6),
            sum(map(sin, turns)) / count,
            sum(map(cos, turns)) / count,
        )

    # ---- the moment --------------------------------------------------------------------------------------------------

    def _globals(self, state: State, side: str) -> NDArray[np.float32]:
        appraiser, foe = self._appraiser, other_side(side)
        board, mover = state.board, self._ruleset.to_move(state)
        worth = {one: sum(self._still_row(state, unit)[3] for unit in state.of(one)) for one in SIDES}
        row = (
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
            *appraiser.moment(state, side),
        )
        found = np.zeros(WIDE, dtype=np.float32)
        found[: len(row)] = row
        return np.minimum(np.maximum(found, -1.0), 1.0)

    # ---- the board ---------------------------------------------------------------------------------------------------

    def _board(self, state: State, side: str) -> NDArray[np.float32]:
        """The planes of the table and of the models on it."""
        grid, turned = Grid(state.board.width, state.board.height), side == SIDES[1]
        goals = self._appraiser.goals(state, side)
        still = self._still.get((state.board,), goals, lambda: filled(grid, self._ruleset.describe(state), goals))
        found = np.empty((len(PLANES), SHORT, LONG), dtype=np.float32)
        found[:4] = still[:, ::-1, ::-1] if turned else still
        found[4].reshape(CELLS)[:] = crowd(grid, state.of(side), turned)
        found[5].reshape(CELLS)[:] = crowd(grid, state.against(side), turned)
        return found


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
