"""Whether one unit can attack a base at one place in its next turn, asked exactly, with a witness.

A *yes* comes with the place from which the attack is made; the way there, the end of the move, range and line of sight
are what the referee measures. A *no* is exact wherever distance alone decides it. Where it hangs on sight, places are
tried on a fine grid, where the nearest way into range ends, and along the lines past corners of terrain at which the
target comes into sight: a place from which it is seen only through a gap narrower than `FINE` may be missed.

Models stay on the surface that they stand on. Other units stand where they stand now.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import asin, atan2, cos, inf, sin

import numpy as np
from numpy.typing import NDArray
from tactician.agent.by_eye import EXACT, Measure
from tactician.agent.threat_ground import Grid, end_zones, fenced, least_gap
from tactician.rules.core.appraisal import Appraiser, Attack, appraiser_of
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import TOL, Inches, within
from tactician.rules.core.move_types import MoveType
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.shades import pieces_of
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.sight import Eye
from tactician.rules.core.state import Model, State, Unit, gap
from tactician.rules.core.terrain import GROUND
from tactician.rules.paths.arrival import Arrivals, arrivals
from tactician.rules.paths.contact import contact
from tactician.rules.paths.scene import Scene, limit_of
from tactician.rules.paths.walkers import cheapest, surroundings, unbarred

__all__ = ["Target", "Threat", "judged", "target_at", "target_unit", "threat_at", "threatened"]

FINE: Inches = 0.5
"""Inches between places that are tried."""

HAIR: Inches = 1e-3
"""How far beside the line past a corner places are tried."""

FEW = 64
"""Places whose sight is asked for at the same time."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The base that may be attacked."""

    pose: Pose
    radius: Inches
    eye: Eye

    @property
    def top(self) -> Inches:
        """Height of its highest part."""
        return self.eye.top


@dataclass(frozen=True, slots=True, kw_only=True)
class Threat:
    """How a unit can attack a base."""

    unit: str
    verb: str
    model: str
    """Who attacks."""
    place: Pose
    """From where."""
    gap: Inches
    """Between the two bases then."""
    needs_sight: bool
    """Whether it is a shot; otherwise it is a blow."""


def threatened(
    ruleset: Ruleset, state: State, point: Point | Pose, unit: str, *, target: str = "", measure: Measure = EXACT
) -> bool:
    """Whether a unit can attack a base at a place in its next turn; the arguments are those of `threat_at`."""
    return threat_at(ruleset, state, point, unit, target=target, measure=measure) is not None


def threat_at(
    ruleset: Ruleset, state: State, point: Point | Pose, unit: str, *, target: str = "", measure: Measure = EXACT
) -> Threat | None:
    """How a unit can attack a base at a place in its next turn; None where it cannot.

    Args:
        ruleset: the game.
        state: the moment.
        point: where the middle of the base is; on the table itself where no surface is named.
        unit: who attacks.
        target: an enemy unit whose base it is: it has left the place where it stands now. Empty for a base like those
            of the enemy's largest unit, all of whom stay where they are.
        measure: how inches are known.

    Raises:
        KeyError: there is no such unit.
    """
    appraiser = appraiser_of(ruleset)
    pose = point if isinstance(point, Pose) else Pose(*point)
    asked = target_at(appraiser, state, state.unit(unit), pose, target)
    if target:
        state = state.with_unit(replace(state.unit(target), models=()))
    attacker = state.unit(unit)
    question = _Question(appraiser, state, attacker, asked)
    for attack in appraiser.attacks(state, attacker):
        found = question.by(judged(attack, attacker, measure))
        if found is not None:
            return found
    return None


def target_at(appraiser: Appraiser, state: State, unit: Unit, pose: Pose, name: str = "") -> Target:
    """The base that a unit may attack at a place: of the named unit, else of the largest one against it."""
    like = target_unit(state, unit, name)
    return Target(pose=pose, radius=like.radius, eye=appraiser.eye(state, like, pose))


def target_unit(state: State, unit: Unit, name: str = "") -> Unit:
    """The unit whose base is attacked: the named one, else the largest against it; its own where it has no enemies."""
    if name:
        return state.unit(name)
    return max(state.against(unit.side), key=lambda foe: (len(foe.models), foe.id), default=unit)


def judged(attack: Attack, unit: Unit, measure: Measure) -> Attack:
    """An attack as somebody judges it who may not measure: it carries a little too far or too near."""
    if measure.exact:
        return attack
    kind = attack.kind
    if kind is not None:
        kind = replace(kind, allowance=measure.gap(kind.allowance, unit.id, unit.id))
    return replace(attack, kind=kind, carry=measure.gap(attack.carry, unit.id, unit.id))


@dataclass(frozen=True, slots=True)
class _Question:
    """One unit and one target."""

    appraiser: Appraiser
    state: State
    unit: Unit
    target: Target

    @property
    def touch(self) -> Inches:
        """Distance of the centres of two bases that touch."""
        return self.unit.radius + self.target.radius

    def by(self, attack: Attack) -> Threat | None:
        """How an attack of one kind can be made."""
        models = sorted(
            (model for model in self.unit.models if model.id in attack.models),
            key=lambda model: (round(self._away(model.pose.point), 6), model.id),
        )
        standing = self._first(attack, [(model, model.pose) for model in models])
        if standing is not None or attack.kind is None:
            return standing
        far = attack.kind.allowance + attack.carry + self.touch + TOL
        for model in models:
            if self._away(model.pose.point) > far:
                break
            found = self._moving(attack, attack.kind, model)
            if found is not None:
                return found
        return None

    def _away(self, point: Point) -> Inches:
        return length(point[0] - self.target.pose.x, point[1] - self.target.pose.y)

    def _first(self, attack: Attack, places: Sequence[tuple[Model, Pose]]) -> Threat | None:
        """The attack from the first place at which it is in range and, if need be, in sight."""
        rows = [(model, pose, self._gap(pose)) for model, pose in places]
        rows = [row for row in rows if within(row[2], attack.carry)]
        for first in range(0, len(rows), FEW):
            part = rows[first : first + FEW]
            seen = self._seen([pose for _, pose, _ in part]) if attack.needs_sight else [True] * len(part)
            for (model, pose, apart), is_seen in zip(part, seen, strict=True):
                if is_seen:
                    return Threat(
                        unit=self.unit.id,
                        verb=attack.verb,
                        model=model.id,
                        place=pose,
                        gap=apart,
                        needs_sight=attack.needs_sight,
                    )
        return None

    def _gap(self, pose: Pose) -> Inches:
        return gap(self.state, pose, self.unit.radius, self.target.pose, self.target.radius)

    def _seen(self, poses: Sequence[Pose]) -> list[bool]:
        eyes = [self.appraiser.eye(self.state, self.unit, pose) for pose in poses]
        return [row[0] for row in self.appraiser.sees(self.state, self.unit, eyes, [self.target.eye])]

    def _moving(self, attack: Attack, kind: MoveType, model: Model) -> Threat | None:
        """How one model can attack after a move."""
        return _Move(self, attack, kind, model, surroundings(self.state, self.unit, kind, model.pose)).found()


@dataclass(frozen=True, slots=True)
class _Move:
    """One model and one way of attacking after a move."""

    question: _Question
    attack: Attack
    kind: MoveType
    model: Model
    scene: Scene

    def found(self) -> Threat | None:
        """The attack, if there is one."""
        goal = self.question.target.pose
        into_range = (goal.x, goal.y, min(self.attack.carry, 1e6) + self.question.touch)
        level = goal.surface == self.model.pose.surface
        if level and contact(self._with_base(), self.model.pose.point, into_range, self.kind.allowance) is None:
            return None
        tried = self._tries()
        if not self.attack.needs_sight and level:
            tried = iter([self._nearest(into_range)])
        for places in tried:
            ends = [(self.model, self._pose(point)) for point in self._able(places)]
            found = self.question._first(self.attack, ends)
            if found is not None:
                return found
        return None

    def _pose(self, point: Point) -> Pose:
        return Pose(*point, self.scene.surface)

    def _with_base(self) -> Scene:
        """The scene with the target's base in it, where it is on the same surface."""
        goal = self.question.target.pose
        if goal.surface != self.scene.surface or self.kind.models is None:
            return self.scene
        return replace(self.scene, discs=(*self.scene.discs, (goal.x, goal.y, self.question.touch)))

    # ---- places worth a try ------------------------------------------------------------------------------------------

    def _nearest(self, into_range: tuple[float, float, float]) -> list[Point]:
        """Where the cheapest way into range ends."""
        going, start = self.kind.going, self.model.pose.point
        if going is None or self.scene.surface != GROUND or not (going.regions or going.fees):
            way = contact(self._with_base(), start, into_range, self.kind.allowance)
        else:
            from tactician.rules.paths.weighted import easiest

            way = easiest(self.scene, unbarred(going), start, into_range, self.kind.allowance)
        return [] if way is None else [way.points[-1]]

    def _tries(self) -> Iterator[list[Point]]:
        """The nearest place in range, a fine grid, and what lies along the lines past corners."""
        goal, reach = self.question.target.pose, self.attack.carry + self.question.touch
        yield self._nearest((goal.x, goal.y, min(reach, 1e6)))
        board = self.question.state.board
        grid = Grid(width=board.width, height=board.height, step=FINE)
        points = grid.points()[grid.about(np.array([self.model.pose.point]), self.kind.allowance)]
        yield [(x, y) for x, y in points.tolist()]
        yield self._past_corners()

    def _past_corners(self) -> list[Point]:
        """Places on the lines from the target's rim past corners: at even distances, and nearest to the start."""
        goal, radius = self.question.target.pose, self.question.target.radius
        start, far = self.model.pose.point, self.kind.allowance
        found: list[Point] = []
        for x, y in dict.fromkeys(point for piece in pieces_of(self.question.state.board) for point in piece.points):
            away = length(x - goal.x, y - goal.y)
            if away <= radius or length(x - start[0], y - start[1]) > far + self.attack.carry:
                continue
            towards, turn = atan2(y - goal.y, x - goal.x), asin(radius / away)
            for bearing in (towards - turn, towards, towards + turn):
                ux, uy = cos(bearing), sin(bearing)
                along = ux * (start[0] - x) + uy * (start[1] - y)
                steps = [max(along, 0.0), *(along + FINE * k for k in range(-int(far / FINE), int(far / FINE) + 1))]
                for inches in (inch for inch in steps if inch >= 0.0):
                    px, py = x + ux * inches, y + uy * inches
                    found += [(px - uy * side, py + ux * side) for side in (-HAIR, HAIR)]
        return found

    # ---- which of them can be reached --------------------------------------------------------------------------------

    def _able(self, places: Sequence[Point]) -> list[Point]:
        """The places in range at which the move can end, the nearest to the target first."""
        question, reach = self.question, self.attack.carry + self.question.touch + TOL
        start, far = self.model.pose.point, self.kind.allowance + TOL
        near = [
            point
            for point in places
            if question._away(point) <= reach and length(point[0] - start[0], point[1] - start[1]) <= far
        ]
        near = [point for point in near if not self._is_barred(point)]
        return sorted(self._reached(near), key=lambda point: (round(question._away(point), 6), point))

    def _is_barred(self, point: Point) -> bool:
        """Whether an enemy, or the target itself, is too near for the move to end there."""
        question = self.question
        zones = end_zones(question.state, question.unit, self.kind)
        if any(length(point[0] - x, point[1] - y) < reach for x, y, reach in zones):
            return True
        asked = [least_gap(keep) for keep in self.kind.keep_away if keep.limit < inf]
        return question._gap(self._pose(point)) < max(asked, default=-TOL)

    def _reached(self, places: Sequence[Point]) -> list[Point]:
        """The places to which there is a way that can be paid for."""
        if not places:
            return []
        going, start = self.kind.going, self.model.pose.point
        if going is None or self.scene.surface != GROUND or not (going.regions or going.fees):
            return _kept(arrivals(self.scene, start, self.kind.allowance), places)
        free = _kept(arrivals(fenced(self.scene, going), start, self.kind.allowance), places)
        plain = _kept(arrivals(self.scene, start, self.kind.allowance), places)
        return free if free else self._paid([point for point in plain if self._is_seen(point)])

    def _is_seen(self, point: Point) -> bool:
        return not self.attack.needs_sight or self.question._seen([self._pose(point)])[0]

    def _paid(self, places: Sequence[Point]) -> list[Point]:
        limit, start = self.kind.allowance, self.model.pose.point
        ordered = sorted(places, key=lambda point: length(point[0] - start[0], point[1] - start[1]))
        for point in ordered:
            way = cheapest(self.kind, self.scene, start, point, limit)
            if way is not None and way.cost <= limit_of(limit):
                return [point]
        return []


def _kept(reach: Arrivals, places: Sequence[Point]) -> list[Point]:
    found = np.isfinite(reach.costs_to(places))
    return [point for point, is_in in zip(places, found.tolist(), strict=True) if is_in]
