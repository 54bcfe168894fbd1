"""What a game tells a coarse model of itself, in which every unit is one point: rows of numbers, no rules.

A ruleset's appraiser fills these tables from its own odds. Units are numbered in the order of `Tables.names`; a
pair is always (who attacks, who is attacked). Distances are in inches between the edges of bases, amounts in
points on the table, and models are counted in real numbers, as averages are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from tactician.rules.core.going import Going
from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import Polygon
from tactician.rules.core.state import SIDES, State, Unit
from tactician.rules.core.terrain import Board

__all__ = [
    "EACH_ROUND",
    "LAST_ROUND",
    "NO_GOING",
    "Lie",
    "Tables",
    "UnitRow",
    "middle_of",
    "numbers_of",
    "plain_tables",
    "unit_rows",
]

Floats = NDArray[np.float64]

EACH_ROUND, LAST_ROUND = 0, 1
"""When goals score: at the end of every round, or only when the last one ends."""

NO_GOING = Going()
"""Ground that costs nothing."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lie:
    """How the ground lies: what gives cover. One object for a whole game, so that answers are remembered by it."""

    board: Board
    covers: tuple[tuple[Polygon, int], ...] = ()
    """Pieces and the level of cover that each gives, an index into the fire tables."""
    across: bool = False
    """Whether a piece also covers who is behind it as seen from the shooter; otherwise only who is in it."""
    stature: Inches = 1.0
    """Height of an ordinary model, for sight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitRow:
    """One unit, as a row of numbers; the fields stand in the order of the columns of `Tables.units`."""

    side: int
    """0 for red, 1 for blue."""
    x: Inches
    y: Inches
    """Middle of its models."""
    xx: float
    xy: float
    yy: float
    """How its models spread about the middle: means of the squares and of the product, square inches."""
    models: float
    full: float
    """Models at the muster."""
    radius: Inches
    points: float
    """Points of a model."""
    half: float = 0.0
    whole: float = 0.0
    """Victory points for the enemy when it is halved, and when it is lost (both counted from nothing)."""
    walk: Inches
    run: Inches
    charge: Inches = 0.0
    """How far each of these carries; 0 where it has none."""
    far: Inches = 0.0
    """Its longest range; 0 where it has nothing to shoot with."""
    can_move: float = 1.0
    can_attack: float = 1.0
    can_charge: float = 1.0
    can_run: float = 1.0
    """Whether it still may in what is left of this turn: 1 or 0 each."""
    watching: float = 0.0
    """Whether it will fire at whoever comes into sight in the enemy's turn."""
    broken: float = 0.0
    """How likely it is that it obeys nobody now."""
    nerve: float = 0.0
    """How likely it is to break when it has lost so much that it is tested."""
    rally: float = 0.0
    """How likely a broken unit is to come back at its own turn."""
    at_turn: float
    """Models when this turn began."""
    haste: Inches = 0.0
    """How far it went in its latest move."""
    gone: float = 0.0
    """Whether it has moved in this turn, so that its fire counts as fire after a move: 1 or 0."""
    charged: float = 0.0
    """Whether it has charged in this turn whoever it fights: 1 or 0."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tables:
    """A moment of a game in numbers. Arrays are not written to by whoever gets them."""

    names: tuple[str, ...]
    """Units with models on the table, in the order of the state."""
    units: Floats
    """A `UnitRow` each, shape (n, fields)."""
    fire: Floats
    """Models that one attacking model takes off, shape (n, n, 2, levels, inches): after a move or not, by level of
    cover, by the gap rounded up to whole inches."""
    kit_fire: Floats
    """The same for each way in which models of the attacker are armed, shape (n, n, kits, 2, levels, inches)."""
    kits: tuple[tuple[int, ...], ...]
    """For each model of each unit the number of its way of being armed."""
    blows: Floats
    """A round of hand-to-hand, shape (n, n, 2, 2): not charging or charging; chance that a model of the foe falls, and
    that one of the own does. Where `duels` is false: models taken off by each model that strikes."""
    lanes: Floats
    """Share of a unit's fire at another that comes past its own models, as they stand; 0 at whom it may not shoot."""
    contacts: Floats
    """Models of a unit that fight another hand to hand now, shape (n, n)."""
    goals: Floats
    """Places that score, shape (g, 6): x, y, how near a base must be to count, how near an enemy must be to deny it (0
    where nobody denies), victory points for red and for blue."""
    goings: tuple[Going, ...]
    """The ground as each unit finds it on an ordinary move."""
    lie: Lie
    alternate: bool = False
    """Whether sides order one unit each in turn; otherwise each has whole turns."""
    locks: bool = True
    """Whether units that fight hand to hand stay and fight on."""
    duels: bool = True
    """Whether models fight in pairs, those left over a second time; otherwise every model strikes by itself."""
    run_gap: Inches = 0.0
    """Nobody runs with an enemy nearer than this."""
    models_hide: bool = False
    """Whether models hide whoever is behind them, and only those who can be seen fall to fire."""
    run_fires: bool = False
    """Whether a unit may shoot after a run."""
    active: int = 0
    """Whose turn it is, or whose order comes next."""
    first: int = 0
    """Who begins this round."""
    swaps: bool = False
    """Whether the other side begins the next round."""
    orders: tuple[int, int] = (0, 0)
    """Orders that the sides have left in this round, and (see `orders_a_round`) where orders alternate."""
    orders_a_round: int = 0
    stakes: float = 1.0
    """Points that a victory point is worth."""
    ends: int = 100
    """Player turns still to come after this one; where orders alternate, rounds after this one."""
    score_when: int = EACH_ROUND
    score_after: int = 0
    """Ends of rounds that still pass before anything scores."""
    how: tuple[int, int] = (0, 0)
    """For each side: 0 where every goal scores, 1 where one of them is enough, 2 where it needs all."""
    fast: Inches = 0.0
    """A unit that went so far is one level harder to hit; 0 where that is no matter."""
    break_share: float = 2.0
    """Part of its models that a unit loses in a turn before its nerve is tested; more than 1 for never."""


def numbers_of(row: UnitRow) -> Floats:
    """A unit's row as an array."""
    return np.array([getattr(row, name) for name in UnitRow.__slots__], np.float64)


def unit_rows(rows: Sequence[Floats]) -> Floats:
    """Rows as one array, shape (n, fields)."""
    return np.array(rows, np.float64).reshape(-1, len(UnitRow.__slots__))


def middle_of(unit: Unit) -> tuple[float, float, float, float, float]:
    """The middle of a unit's models, and how they spread about it: means of x x, x y and y y."""
    xs = [model.pose.x for model in unit.models]
    ys = [model.pose.y for model in unit.models]
    count = len(xs)
    x, y = sum(xs) / count, sum(ys) / count
    xx = sum((one - x) * (one - x) for one in xs) / count
    yy = sum((one - y) * (one - y) for one in ys) / count
    xy = sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / count
    return x, y, xx, xy, yy


def plain_tables(state: State) -> Tables:
    """What can be said of any game: where units stand and how far they may go, a point a model, no attacks."""
    units = [unit for unit in state.units if unit.models]
    stride = min(state.board.width, state.board.height) / 10
    rows = [numbers_of(_plain_row(unit, stride)) for unit in units]
    count = len(units)
    return Tables(
        names=tuple(unit.id for unit in units),
        units=unit_rows(rows),
        fire=np.zeros((count, count, 2, 1, 2)),
        kit_fire=np.zeros((count, count, 1, 2, 1, 2)),
        kits=tuple((0,) * len(unit.models) for unit in units),
        blows=np.zeros((count, count, 2, 2)),
        lanes=np.ones((count, count)),
        contacts=np.zeros((count, count)),
        goals=np.zeros((0, 6)),
        goings=(NO_GOING,) * count,
        lie=_lie(state.board),
        locks=False,
    )


def _plain_row(unit: Unit, stride: Inches) -> UnitRow:
    x, y, xx, xy, yy = middle_of(unit)
    count = len(unit.models)
    return UnitRow(
        side=SIDES.index(unit.side),
        x=x,
        y=y,
        xx=xx,
        xy=xy,
        yy=yy,
        models=count,
        full=count,
        radius=unit.radius,
        points=1.0,
        walk=stride,
        run=stride,
        at_turn=count,
    )


@lru_cache(maxsize=16)
def _lie(board: Board) -> Lie:
    """One object for a board."""
    return Lie(board=board)
