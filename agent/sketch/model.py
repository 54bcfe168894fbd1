"""What is likely to become of a moment: a turn of each side played on in a coarse model of the game.

Every unit is a point with so many models (half a model may have fallen), fights are averages, and each side does what
promises most at once. The numbers come from the ruleset's appraiser (`Appraiser.tables`), the arithmetic is in
`kernel`. Nothing here knows the game, its dice to come, or the order in which units are listed elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tactician.agent.sketch import kernel
from tactician.agent.sketch.compiled import compiled
from tactician.agent.sketch.ground import Ground, ground_for, kind_of
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.measure import Inches
from tactician.rules.core.remember import Remembered
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.sketch_tables import Tables
from tactician.rules.core.state import SIDES, State, Unit

__all__ = ["USUAL", "Future", "Sketch", "SketchWeights", "blows", "fire", "outlook", "roll_out", "sketch_of"]

Floats = NDArray[np.float64]
Shape = tuple[tuple[float, float, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SketchWeights:
    """What counts how much where the sketch chooses, and at its end."""

    progress: float = 0.45
    """What a unit may do in its next turn, when it chooses a place."""
    prospects: float = 0.3
    """The same at the end of the roll-out."""
    losses: float = 0.8
    """Own points lost by an attack of one's own, against the enemy's."""
    later: float = 0.5
    """How fast an attack counts less that is some runs away: divided by 1 and so much for each of them."""
    goals: float = 0.6
    """Being near to a place that scores, in the victory points it gives in a round."""
    watch: float = 0.5
    """Fire at whoever may come, against fire now."""
    runs_away: float = 0.4
    """Part of its points that a unit that breaks loses besides the victory points."""

    @property
    def row(self) -> tuple[float, ...]:
        """The weights in the order of the kernel."""
        return (self.progress, self.prospects, self.losses, self.later, self.goals, self.watch, self.runs_away)


USUAL = SketchWeights()


@dataclass(frozen=True, slots=True, kw_only=True)
class Future:
    """What a roll-out comes to, for red."""

    value: float
    """All of it in points on the table."""
    points: float
    """Points destroyed of blue's, less those of red's."""
    scored: float
    """Victory points gained on blue by losses and by goals."""
    prospects: tuple[float, float]
    """Points that red and blue may destroy after the end."""
    models: tuple[float, ...]
    """Models left of each unit."""
    places: tuple[tuple[Inches, Inches], ...]
    """Where each unit ends."""


@dataclass(frozen=True, slots=True, eq=False)
class Sketch:
    """A moment in numbers; units may be put elsewhere without building it anew."""

    tables: Tables
    ground: Ground
    rows: Floats
    """The units' rows, the sketch's own columns included."""
    shapes: tuple[Shape, ...]
    """Of each unit every model's x, y and top."""
    now: Floats
    """By pairs, shape (n, n, 2): models that one shooter takes off on average from where both stand at first, and the
    share of the target's models that can be hit."""

    def number(self, unit: str) -> int:
        """The place of a unit in the rows.

        Raises:
            ValueError: it has no models on the table.
        """
        return self.tables.names.index(unit)

    def moved(self, unit: str, x: Inches, y: Inches, *, spent: bool = False, coarse: bool = False) -> Sketch:
        """The sketch with a unit's middle elsewhere, its formation as it is.

        Args:
            unit: its id.
            x: of its new middle.
            y: of its new middle.
            spent: whether that was its move of this turn.
            coarse: whether what is seen from there may be taken from the net of cells; otherwise it is looked at model
                by model, which takes longer.
        """
        values = {kernel.X: x, kernel.Y: y, kernel.AWAY: float(coarse)}
        if spent:
            values |= {kernel.MOVES: 0.0, kernel.GONE: 1.0}
        found = self.changed(unit, values)
        if coarse:
            return found
        i = self.number(unit)
        dx, dy = x - float(self.rows[i, kernel.X]), y - float(self.rows[i, kernel.Y])
        rise = _top_at(self.ground, x, y) - _top_at(self.ground, x - dx, y - dy)
        shape = tuple((px + dx, py + dy, top + rise) for px, py, top in self.shapes[i])
        found = replace(found, shapes=(*self.shapes[:i], shape, *self.shapes[i + 1 :]), now=self.now.copy())
        for j in range(len(self.rows)):
            if self.rows[j, kernel.SIDE] != self.rows[i, kernel.SIDE]:
                found.now[i, j], found.now[j, i] = _rate_now(found, i, j), _rate_now(found, j, i)
        return found

    def changed(self, unit: str, values: dict[int, float]) -> Sketch:
        """The sketch with some numbers of a unit's row changed, by the kernel's columns."""
        rows = self.rows.copy()
        for column, value in values.items():
            rows[self.number(unit), column] = value
        return replace(self, rows=rows)


# ---- building --------------------------------------------------------------------------------------------------------

FLANK = 0.98
"""How far aside of its middle a base is looked for, as a part of its radius."""

ROOM: Inches = 12.0
"""How far the models of a unit may be from its middle, both of a pair together."""

LOOK, MOST = 8, 12
"""Shooters and targets that are looked at."""

_FACTS: Remembered[Floats] = Remembered(200)
_ARMS: Remembered[list[list[float]]] = Remembered(100)
_SHAPES: Remembered[Shape] = Remembered(4_000)
_PAIRS: Remembered[tuple[float, float]] = Remembered(20_000)
_LISTS: Remembered[Any] = Remembered(200)


def sketch_of(ruleset: Ruleset, state: State) -> Sketch:
    """The sketch of a moment."""
    tables = appraiser_of(ruleset).tables(state)
    units = [unit for unit in state.units if unit.models]
    count = len(units)
    sorts = list(zip(tables.goings, (unit.radius for unit in units), strict=True))
    known: dict[tuple[int, float], int] = {}
    numbers = [known.setdefault((id(going), radius), len(known)) for going, radius in sorts]
    rows = np.zeros((count, kernel.WIDTH))
    rows[:, : tables.units.shape[1]] = tables.units
    rows[:, kernel.SORT] = numbers
    rows[:, kernel.KIND] = [kind_of(len(unit.models)) for unit in units]
    rows[:, kernel.FOE] = _foes(tables)
    rows[:, kernel.ACTS] = 1.0
    ground = ground_for(tables.lie, tuple(sorts[numbers.index(k)] for k in range(len(known))))
    shapes = tuple(_shape_of(ruleset, state, unit) for unit in units)
    sketch = Sketch(tables, ground, rows, shapes, np.zeros((count, count, 2)))
    _look_about(sketch, units)
    return sketch


def _foes(tables: Tables) -> list[float]:
    """Whom each unit is locked with; -1 for nobody."""
    found = [-1.0] * len(tables.names)
    if tables.locks and tables.contacts.any():
        for i, row in enumerate(tables.contacts.tolist()):
            if any(row):
                found[i] = float(row.index(max(row)))
    return found


def _look_about(sketch: Sketch, units: list[Unit]) -> None:
    """Fill in what fire does from where all stand; remembered by whoever stands there or may be in the way."""
    tables, now = sketch.tables, sketch.now
    arms = _ARMS.get((tables.fire,), None, lambda: tables.kit_fire.sum(axis=(2, 3, 4, 5)).tolist())
    rows = sketch.rows.tolist()
    for i, unit in enumerate(units):
        mine = rows[i]
        for j, foe in enumerate(units):
            theirs = rows[j]
            if unit.side == foe.side or not _may_reach(mine, theirs):
                continue
            others = _between(sketch, rows, i, j)
            key = unit.profile, foe.profile, mine[kernel.GONE], theirs[kernel.HASTE], tables.kits[i], arms[i][j]
            about = (sketch.ground, *(units[k].models for k in (i, j, *others)))
            now[i, j] = _PAIRS.get(about, key, partial(_rate_now, sketch, i, j))


def _may_reach(mine: list[float], theirs: list[float]) -> bool:
    """Whether a unit has a weapon that may carry to another at all."""
    dx, dy, far = mine[kernel.X] - theirs[kernel.X], mine[kernel.Y] - theirs[kernel.Y], mine[kernel.FAR]
    return far > 0.0 and dx * dx + dy * dy <= (far + ROOM) * (far + ROOM)


def _shape_of(ruleset: Ruleset, state: State, unit: Unit) -> Shape:
    appraiser = appraiser_of(ruleset)
    about = state.table, unit.models
    return _SHAPES.get(
        about,
        unit.profile,
        lambda: tuple((eye.x, eye.y, eye.top) for eye in (appraiser.eye(state, unit, one.pose) for one in unit.models)),
    )


def _top_at(ground: Ground, x: Inches, y: Inches) -> Inches:
    """Height of an ordinary model's top at a place."""
    return float(ground.facts[int(ground.facts[kernel.TOPS_AT]) + kernel.sight_cell(ground.facts, x, y)])


# ---- what fire does from where all stand -----------------------------------------------------------------------------


def _between(sketch: Sketch, rows: list[list[float]], i: int, j: int) -> tuple[int, ...]:
    """Units that may stand in the way between two others, the shooters' own included."""
    if not sketch.tables.models_hide:
        return ()
    a, b, room = rows[i], rows[j], ROOM / 2
    x0, x1 = min(a[kernel.X], b[kernel.X]) - room, max(a[kernel.X], b[kernel.X]) + room
    y0, y1 = min(a[kernel.Y], b[kernel.Y]) - room, max(a[kernel.Y], b[kernel.Y]) + room
    return tuple(k for k, row in enumerate(rows) if k != j and x0 <= row[kernel.X] <= x1 and y0 <= row[kernel.Y] <= y1)


def _rate_now(sketch: Sketch, i: int, j: int) -> tuple[float, float]:
    """Models that one shooter takes off on average, and the share of the target's models that can be hit."""
    rows = sketch.rows
    plain = rows.tolist()
    if not _may_reach(plain[i], plain[j]):
        return 0.0, 0.0
    chosen, twin = _spread(len(sketch.shapes[i]), LOOK), compiled()
    targets = _spread(len(sketch.shapes[j]), MOST)
    mine = [number for k in chosen for number in sketch.shapes[i][k]]
    theirs = [number for k in targets for number in sketch.shapes[j][k]]
    crowd = [
        number
        for k in _between(sketch, plain, i, j)
        for one in sketch.shapes[k]
        for number in (*one, float(rows[k, kernel.RADIUS]))
    ]
    kits = [float(sketch.tables.kits[i][k]) for k in chosen]
    odds = sketch.tables.kit_fire[i, j].ravel()
    wide, count = FLANK * float(rows[j, kernel.RADIUS]), len(targets)
    world = _world(sketch, USUAL, twin is None)
    if twin is None:
        hit = [0.0] * count
        about = rows.ravel().tolist(), mine, theirs, crowd, kits, odds, i, j, wide, hit
        return float(kernel.rate_now(world.facts, world.ground, *about)), sum(hit) / count
    arrays = (np.array(row, np.float64) for row in (mine, theirs, crowd, kits))
    flags = np.zeros(count)
    rate = twin.rate_now(world.facts, world.ground, rows.flatten(), *arrays, odds, i, j, wide, flags)
    return float(rate), float(flags.sum()) / count


def _spread(count: int, most: int) -> list[int]:
    """Numbers of at most so many models, spread over a unit."""
    if count <= most:
        return list(range(count))
    return [round(i * (count - 1) / (most - 1)) for i in range(most)]


def _rules(tables: Tables) -> tuple[float, ...]:
    return (
        float(tables.alternate),
        float(tables.locks),
        float(tables.duels),
        float(tables.run_fires),
        float(tables.active),
        float(tables.first),
        float(tables.swaps),
        float(tables.orders[0]),
        float(tables.orders[1]),
        float(tables.orders_a_round),
        float(tables.stakes),
        float(tables.ends),
        float(tables.score_when),
        float(tables.score_after),
        float(tables.how[0]),
        float(tables.how[1]),
        float(tables.fast),
        float(tables.break_share),
        float(tables.run_gap),
        float(tables.models_hide),
    )


def _facts(tables: Tables, weights: SketchWeights) -> Floats:
    """Rules, weights and tables as one row, as the kernel names its places."""
    count, _, _, levels, columns = tables.fire.shape
    parts = (tables.blows, tables.goals, tables.fire)
    starts, at = [], kernel.FIRE_AT + 1
    for part in parts:
        starts.append(at)
        at += part.size
    head = (*_rules(tables), *weights.row, count, levels, columns, len(tables.goals), *starts)
    return np.concatenate([np.array(head, np.float64), *(part.ravel() for part in parts)])


def _numbers(sketch: Sketch) -> Floats:
    """What changes from moment to moment: units, then pairs."""
    tables = sketch.tables
    return np.concatenate([part.ravel() for part in (sketch.rows, sketch.now, tables.lanes, tables.contacts)])


@dataclass(frozen=True, slots=True)
class _World:
    """What the kernel reads, as arrays or as lists."""

    facts: Any
    ground: Any
    nets: Any
    sights: Any


def _world(sketch: Sketch, weights: SketchWeights, plain: bool) -> _World:
    tables, ground = sketch.tables, sketch.ground
    key = _rules(tables), weights, tables.goals.tobytes()
    facts = _FACTS.get((tables.fire, tables.blows), key, lambda: _facts(tables, weights))
    if not plain:
        return _World(facts, ground.facts, ground.nets, ground.sights)
    lists = [_LISTS.get((one,), None, one.tolist) for one in (facts, ground.facts, ground.nets)]
    return _World(lists[0], lists[1], lists[2], ground.sights)


# ---- playing on ------------------------------------------------------------------------------------------------------


def outlook(ruleset: Ruleset, state: State, side: str, halves: int = 2, weights: SketchWeights = USUAL) -> float:
    """What a side is likely to gain on the other from a moment on, in points on the table.

    Played on are the rest of the turn (of the round, where the sides order one unit each in turn) and so many further
    player turns, at most to the end of the game. Added to the points on the table and the victory points of the moment
    it estimates the result.

    Args:
        ruleset: the game.
        state: the moment; dice and decisions that are pending are passed over.
        side: whose gain it is.
        halves: player turns after this one.
        weights: what counts how much.
    """
    if not all(state.of(one) for one in SIDES):
        return 0.0
    value = roll_out(sketch_of(ruleset, state), halves, weights).value
    return value if side == SIDES[0] else -value


def roll_out(sketch: Sketch, halves: int = 2, weights: SketchWeights = USUAL) -> Future:
    """Play on from a sketch; see `outlook`."""
    twin, count = compiled(), len(sketch.rows)
    world = _world(sketch, weights, twin is None)
    about = world.facts, world.ground, world.nets, world.sights
    orders, size = sketch.tables.orders, kernel.work_size(count)
    if twin is None:
        rows, out = _numbers(sketch).tolist(), [0.0] * 8
        value = kernel.roll(*about, rows, halves, [0.0] * size, [float(one) for one in orders], out)
    else:
        array, found = _numbers(sketch), np.zeros(8)
        value = twin.roll(*about, array, halves, np.zeros(size), np.array(orders, np.float64), found)
        rows, out = array.tolist(), found.tolist()
    starts = range(0, count * kernel.WIDTH, kernel.WIDTH)
    return Future(
        value=float(value),
        points=out[0],
        scored=out[1] + out[2],
        prospects=(out[3], out[4]),
        models=tuple(rows[at + kernel.MODELS] for at in starts),
        places=tuple((rows[at + kernel.X], rows[at + kernel.Y]) for at in starts),
    )


def fire(sketch: Sketch, unit: str, foe: str, *, moved: bool = False) -> float:
    """Models that a unit takes off another by fire from where both stand, on average."""
    u, v = sketch.number(unit), sketch.number(foe)
    world, rows = _world(sketch, USUAL, True), _numbers(sketch).tolist()
    x, y = sketch.rows[u, kernel.X], sketch.rows[u, kernel.Y]
    tx, ty, haste = (float(sketch.rows[v, column]) for column in (kernel.X, kernel.Y, kernel.HASTE))
    return kernel.loss_at(
        world.facts, world.ground, world.sights, rows, u, float(x), float(y), v, tx, ty, int(moved), haste
    )


def blows(sketch: Sketch, unit: str, foe: str) -> tuple[float, float]:
    """Models that a foe and that the unit lose in a round of hand-to-hand from where both stand, on average.

    As many meet as touch now; where none do, as if the unit charged with all it has.
    """
    u, v = sketch.number(unit), sketch.number(foe)
    facts, rows = _world(sketch, USUAL, True).facts, sketch.rows.ravel().tolist()
    mine, theirs = float(sketch.tables.contacts[u, v]), float(sketch.tables.contacts[v, u])
    if mine + theirs > 0.0:
        charges = int(sketch.rows[u, kernel.NEWLY])
        return kernel.brawl(facts, rows, u, v, charges, mine, theirs)
    return kernel.onset(facts, rows, u, v, 1.0)
