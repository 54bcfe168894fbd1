"""The threat map: where the units of a side can shoot and strike in their next turn.

The map is a grid, right to about a cell: for each unit where its models can end the moves that an attack may follow
(`threat_ground`), what can be shot at from there (`threat_sight`), and what its blows reach. Whether one place is
threatened by one unit is asked exactly of `threat_ask.threatened`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tactician.agent.by_eye import EXACT, Measure
from tactician.agent.threat_ask import Target, Threat, judged, target_at, target_unit, threat_at, threatened
from tactician.agent.threat_ground import Grid, Rests
from tactician.agent.threat_sight import Lights
from tactician.rules.core.appraisal import Appraiser, Attack, appraiser_of
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import Inches
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.shapes import Point, contains
from tactician.rules.core.state import State, Unit

__all__ = ["STEP", "Threat", "ThreatMap", "UnitThreat", "threat_at", "threat_map", "threatened"]

STEP: Inches = 1.0
"""Inches between cells."""

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class UnitThreat:
    """What one unit threatens; arrays are indexed (column, row)."""

    unit: str
    ends: Bools
    """Where some model can end a move that an attack may follow, or stands."""
    shots: Bools
    """Where a base can be shot at."""
    blows: Bools
    """Where a base can be struck."""
    points: float
    """Points that its attack destroys if all of it can take part: the mean over the enemy's units."""

    @property
    def any(self) -> Bools:
        """Where a base can be attacked."""
        return self.shots | self.blows


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ThreatMap:
    """What a side threatens; arrays are indexed (column, row), cell (i, j) being the place (i step, j step)."""

    side: str
    """Who threatens."""
    grid: Grid
    units: tuple[UnitThreat, ...]
    """Its units on the table, sorted by id."""
    measure: Measure
    """How inches are known."""

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many units can attack a base that stands there."""
        return self._sum([unit.any for unit in self.units]).astype(np.int64)

    @property
    def striking(self) -> NDArray[np.int64]:
        """How many units can strike a base that stands there."""
        return self._sum([unit.blows for unit in self.units]).astype(np.int64)

    @property
    def points(self) -> Floats:
        """Points that can be destroyed there at most: every unit that can attack does so with all of its models."""
        return self._sum([np.where(unit.any, unit.points, 0.0) for unit in self.units])

    def _sum(self, rows: Sequence[NDArray[np.generic]]) -> Floats:
        found = np.zeros(self.grid.shape)
        for row in rows:
            found += row.astype(np.float64)
        return found

    def cell(self, point: Point) -> tuple[int, int]:
        """Column and row of the cell nearest to a place on the table."""
        columns, rows = self.grid.shape
        i, j = round(point[0] / self.grid.step), round(point[1] / self.grid.step)
        return min(max(i, 0), columns - 1), min(max(j, 0), rows - 1)

    def against(self, point: Point) -> tuple[str, ...]:
        """Units that can attack a base near a place, as the map has it."""
        cell = self.cell(point)
        return tuple(unit.unit for unit in self.units if unit.any[cell])


def threat_map(
    ruleset: Ruleset, state: State, side: str, *, step: Inches = STEP, measure: Measure = EXACT
) -> ThreatMap:
    """What the units of a side can attack in their next turn, everybody else standing where he is.

    The base attacked is one of the enemy's largest unit, on the highest floor that there is at the place. Its own
    mates stay on the table: they stand in the way of moves, and moves end as far from them as the rules ask.

    Args:
        ruleset: the game.
        state: the moment.
        side: who threatens.
        step: inches between cells.
        measure: how inches are known; by eye, each unit is taken to reach a little too far or too near.

    Raises:
        ValueError: the step is not above 0.
    """
    if step <= 0.0:
        raise ValueError(f"the step of a map is {step}, but must be more than 0")
    grid = Grid(width=state.board.width, height=state.board.height, step=step)
    appraiser = appraiser_of(ruleset)
    covered = _covered(state, grid)
    heights = _heights(appraiser, state, grid, side, covered)
    work = _Work(appraiser, state, grid, heights, covered, Rests(state, grid), Lights(state.board), measure)
    return ThreatMap(
        side=side, grid=grid, units=tuple(work.unit_threat(unit) for unit in state.of(side)), measure=measure
    )


@dataclass(frozen=True, slots=True)
class _Work:
    """What the units of a side share."""

    appraiser: Appraiser
    state: State
    grid: Grid
    heights: Floats
    """For each cell how high the base attacked stands there and where its top is, shape (n, 2)."""
    covered: Bools
    """Whether a cell may lie in a piece of terrain."""
    rests: Rests
    lights: Lights
    measure: Measure

    def unit_threat(self, unit: Unit) -> UnitThreat:
        """What one unit threatens."""
        points = self.grid.points()
        target = target_at(self.appraiser, self.state, unit, Pose(0.0, 0.0))
        ends, shots, blows = (np.zeros(len(points), dtype=np.bool_) for _ in range(3))
        attacks = [judged(attack, unit, self.measure) for attack in self.appraiser.attacks(self.state, unit)]
        # the farthest first: what one has lit the next need not look at
        for attack in sorted(attacks, key=lambda one: (one.kind is None, -one.carry)):
            reached = np.zeros(len(points), dtype=np.bool_)
            if attack.kind is not None:
                reached = self.rests.cells(unit, attack.kind, attack.models)
                ends |= reached
            places = self._places(unit, attack, reached)
            found = shots if attack.needs_sight else blows
            left = np.nonzero(~found)[0]
            found[left] = self._told(unit, target, attack, places, np.column_stack((points[left], self.heights[left])))
        shape = self.grid.shape
        worth = self._worth(unit) if attacks else 0.0
        return UnitThreat(
            unit=unit.id,
            ends=ends.reshape(shape),
            shots=shots.reshape(shape),
            blows=blows.reshape(shape),
            points=worth,
        )

    def _places(self, unit: Unit, attack: Attack, reached: Bools) -> Floats:
        """From where an attack is made, now or after a move: x, y, height of the foot and of the eye."""
        standing = [model.pose for model in unit.models if model.id in attack.models]
        points = self.grid.points()
        bare, rough = points[reached & ~self.covered], points[reached & self.covered]
        poses = [*standing, *(Pose(x, y) for x, y in (*bare[:1].tolist(), *rough.tolist()))]
        eyes = [self.appraiser.eye(self.state, unit, pose) for pose in poses]
        rows = [(eye.x, eye.y, self.state.height_of(pose), eye.top) for eye, pose in zip(eyes, poses, strict=True)]
        found = np.array(rows, np.float64).reshape(-1, 4)
        if len(bare) < 2:
            return found
        level = found[len(standing), 2:]
        return np.concatenate([found, np.column_stack((bare[1:], np.tile(level, (len(bare) - 1, 1))))])

    def _told(self, unit: Unit, target: Target, attack: Attack, places: Floats, cells: Floats) -> Bools:
        """Cells at which an attack tells: a cell stands for the ground half a step about it.

        Args:
            unit: who attacks.
            target: the base attacked.
            attack: the attack.
            places: from `_places`.
            cells: x, y, height of the foot and of the top, shape (n, 4).
        """
        touch = unit.radius + target.radius
        reach = min(attack.carry + touch, 2.0 * (self.grid.width + self.grid.height))
        if attack.kind is not None:
            reach += self.grid.step / 2
        found = np.zeros(len(cells), dtype=np.bool_)
        if attack.needs_sight:
            for top in sorted(set(cells[:, 3].tolist())):
                some = np.nonzero(cells[:, 3] == top)[0]
                found[some] = self.lights.lit(places[:, [0, 1, 3]], top, target.radius, cells[some, :2], reach)
        elif len(places) and len(cells):
            from scipy.spatial import KDTree

            away, _ = KDTree(places[:, :3]).query(cells[:, :3], distance_upper_bound=reach)
            found = np.isfinite(away)
        return found

    def _worth(self, unit: Unit) -> float:
        foes = self.state.against(unit.side)
        hopes = [self.appraiser.promise(self.state, unit, foe) for foe in foes]
        return sum(hopes) / len(hopes) if hopes else 0.0


def _covered(state: State, grid: Grid) -> Bools:
    """Whether each cell may lie in a piece of terrain: in the box about one; all other cells are alike."""
    points = grid.points()
    found = np.zeros(len(points), dtype=np.bool_)
    for piece in state.board.features:
        x0, y0, x1, y1 = piece.outline.box
        found |= ((points >= (x0, y0)) & (points <= (x1, y1))).all(axis=1)
    return found


def _heights(appraiser: Appraiser, state: State, grid: Grid, side: str, covered: Bools) -> Floats:
    """For each cell how high a base attacked by a side stands there and where its top is, shape (n, 2).

    Tops on ramps are taken for the nearest of those on floors, so that there are only a few.
    """
    points = grid.points()
    found = np.zeros((len(points), 2))
    unit = next(iter(state.of(side)), None)
    if unit is None:
        return found
    like = target_unit(state, unit)
    level, ramps = set[Inches](), list[int]()
    for number in (*np.nonzero(~covered)[0][:1].tolist(), *np.nonzero(covered)[0].tolist()):
        pose = _stand(state, *points[number].tolist())
        found[number] = state.height_of(pose), appraiser.eye(state, like, pose).top
        if state.board.surface(pose.surface).foot is None:
            level.add(float(found[number, 1]))
        else:
            ramps.append(number)
    found[~covered] = found[~covered][:1]
    for number in ramps:
        found[number, 1] = min(level, key=lambda one: (abs(one - found[number, 1]), one), default=found[number, 1])
    return found


def _stand(state: State, x: Inches, y: Inches) -> Pose:
    """A place on the highest floor that there is."""
    floors = [(one, one.polygon) for one in state.board.surfaces if one.polygon is not None and one.solid]
    under = [one for one, polygon in floors if contains(polygon, x, y)]
    best = max(under, key=lambda one: (one.height_at(x, y), one.id), default=None)
    return Pose(x, y) if best is None else Pose(x, y, best.id)
