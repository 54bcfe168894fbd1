"""Models that walk up to the others of their squad: places within a link of somebody who stands there already."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import pi
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from tactician.rules.core.clip import clip, paid_part
from tactician.rules.core.coherency import pieces
from tactician.rules.core.legs import Path, walk
from tactician.rules.core.measure import CLOSED_MARGIN, TOL, Inches
from tactician.rules.core.movement import Coherency, MoveType, end_pose
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.state import Model, State, Unit

if TYPE_CHECKING:
    from tactician.rules.paths.scene import Scene

__all__ = ["Gathering", "parts_of"]

Floats = NDArray[np.float64]
Paths = dict[str, Path]

ANGLES = 16
"""Places round each model that are looked at."""

BESIDE: Inches = 0.02
"""Room between a model that comes up close and the one it joins."""

WELL_WITHIN = 0.9
"""Part of a link's length at which a model joins loosely."""

TRIES = 4
"""Places that are walked to before a model is taken to find none."""

NOWHERE: Inches = 1e6


def parts_of(state: State, unit: Unit, coherency: Coherency) -> list[list[str]]:
    """The pieces in which a unit stands, the one with most models first, of equal ones the first of the list."""
    reach = 2 * unit.radius + coherency.limit + TOL
    places = [(m.pose.x, m.pose.y, state.height_of(m.pose)) for m in unit.models]
    found = [[unit.models[i].id for i in part] for part in pieces(places, reach)]
    return sorted(found, key=lambda part: -len(part))


@dataclass(slots=True)
class Gathering:
    """A squad some of whose models have walked, or stand, where the others shall come to them."""

    state: State
    """The moment before the move."""
    unit: Unit
    """As it stands by now."""
    kind: MoveType
    """What must hold for each way; the links are seen to here."""
    paths: Paths = field(default_factory=dict)
    """Ways in the order in which they are walked."""

    def walk(self, name: str, path: Path) -> None:
        """Let a model walk."""
        if path:
            start = self.unit.model(name).pose
            self.paths[name] = path
            self.unit = self.unit.moved({name: end_pose(start, walk(start, path, self.state.board))})

    def legal(self, name: str, path: Path, inches: Inches) -> Path:
        """As much of a way as so many inches pay for and the others leave room for."""
        spend = replace(self.kind, coherency=None, allowance=inches, spent=())
        at = self.state.with_unit(self.unit)
        part = paid_part(at, self.unit, spend, name, path)
        return clip(at, self.unit, spend, {name: part}, (name,)).get(name, ()) if part else ()

    def scene(self, model: Model) -> Scene:
        """What stands in a model's way by now, its mates included."""
        from tactician.rules.paths.walkers import surroundings

        scene = surroundings(self.state, self.unit, self.kind, model.pose)
        mates = [m.pose for m in self.unit.models if m.id != model.id and m.pose.surface == model.pose.surface]
        return replace(scene, discs=(*scene.discs, *((pose.x, pose.y, 2 * self.unit.radius) for pose in mates)))

    @property
    def limit(self) -> Inches:
        """The greatest gap of a link."""
        return 0.0 if self.kind.coherency is None else self.kind.coherency.limit

    def left(self, name: str) -> Inches:
        """What a model may pay."""
        return max(self.kind.left_for(name) - CLOSED_MARGIN, 0.0)

    def gather(self, names: list[str], to: list[str], toward: Point | None) -> list[str]:
        """Bring models up to others one by one, whoever is nearest first; those that cannot come are told.

        Args:
            names: who shall come.
            to: whom they shall join.
            toward: where they would rather be; None for the shortest way.
        """
        waiting, there = list(names), list(to)
        while waiting:
            ranked = sorted(waiting, key=lambda name: (self._away(name, there), name))
            for name in ranked:
                if self._comes(name, there, toward):
                    waiting.remove(name)
                    there.append(name)
                    break
            else:
                return waiting
        return []

    def _away(self, name: str, others: list[str]) -> Inches:
        pose = self.unit.model(name).pose
        rows = (self.unit.model(other).pose for other in others)
        return round(min(length(pose.x - one.x, pose.y - one.y) for one in rows), 6)

    def _comes(self, name: str, there: list[str], toward: Point | None) -> bool:
        """Let a model join the others, if it can."""
        model = self.unit.model(name)
        if toward is None and self._is_linked(model, there):
            return True
        for path in self._ways(model, there, toward):
            legal = self.legal(name, path, self.left(name))
            moved = replace(model, pose=end_pose(model.pose, walk(model.pose, legal, self.state.board)))
            if legal and self._is_linked(moved, there):
                self.walk(name, legal)
                return True
        return self._is_linked(model, there)

    def _is_linked(self, model: Model, there: list[str]) -> bool:
        reach, height = 2 * self.unit.radius + self.limit + TOL, self.state.height_of
        at = model.pose
        return any(
            length(at.x - one.x, at.y - one.y, height(at) - height(one)) <= reach
            for one in (self.unit.model(other).pose for other in there)
        )

    def _ways(self, model: Model, there: list[str], toward: Point | None) -> list[Path]:
        """The cheapest ways to the best places within a link of somebody who is there."""
        from tactician.rules.paths.arrival import arrivals
        from tactician.rules.paths.walkers import cheapest

        left, scene = self.left(model.id), self.scene(model)
        rows = [self.unit.model(name).pose for name in there]
        near = [pose.point for pose in rows if length(pose.x - model.pose.x, pose.y - model.pose.y) <= self._span(left)]
        if not near:
            return []
        places = self._places(near)
        costs = arrivals(scene, model.pose.point, left).costs_to(places)
        score = costs if toward is None else _distances(places, toward) + np.where(np.isfinite(costs), 0.0, np.inf)
        order = [int(i) for i in np.lexsort((costs, np.round(score, 6))) if np.isfinite(costs[i])][:TRIES]
        if toward is not None and order:
            order.append(int(np.argmin(costs)))
        found = []
        for i in dict.fromkeys(order):
            way = cheapest(self.kind, scene, model.pose.point, (float(places[i, 0]), float(places[i, 1])), left)
            found += [] if way is None else [way.legs]
        return found

    def _span(self, left: Inches) -> Inches:
        return left + 2 * self.unit.radius + self.limit

    def _places(self, near: list[Point]) -> Floats:
        """Places close to models and well within a link of them, all round."""
        turn = 2 * pi * np.arange(ANGLES) / ANGLES
        ring = np.stack([np.sin(turn), np.cos(turn)], axis=1)
        radii = 2 * self.unit.radius + np.array([BESIDE, WELL_WITHIN * self.limit])
        steps = (radii[:, None, None] * ring[None]).reshape(-1, 2)
        found: Floats = (np.array(near)[:, None, :] + steps[None]).reshape(-1, 2)
        return found


def _distances(places: Floats, to: Point) -> Floats:
    found: Floats = np.hypot(places[:, 0] - to[0], places[:, 1] - to[1])
    return found
