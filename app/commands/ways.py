"""Exact ways of one model out of a moment of a battle: what stands in its way, and how far it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING

from tactician.errors import bad
from tactician.rules.core.choice import Declare, Walk
from tactician.rules.core.forms import nearest
from tactician.rules.core.going import Going, entered, price
from tactician.rules.core.legs import Path, Pose, Rates, walk
from tactician.rules.core.measure import TOL, Inches, within
from tactician.rules.core.movement import MoveType
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.scene import Base, bases_of
from tactician.rules.core.shapes import Point, Polygon, contains, length, polygon_distance
from tactician.rules.core.state import State, Unit
from tactician.rules.core.terrain import GROUND

if TYPE_CHECKING:
    from tactician.rules.paths.scene import Disc, Scene, Way

__all__ = ["Mover", "move_types", "mover_for", "mover_of", "offered_move_types"]

PLAIN = Rates(up=1.0, down=1.0)
"""What heights cost where the game in this moment says nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mover:
    """A model that is asked about, and the move type that it would move by."""

    state: State
    unit: Unit
    model: str
    kind: MoveType | None
    rates: Rates

    @property
    def start(self) -> Pose:
        """Where it stands."""
        return self.unit.model(self.model).pose

    def discs(self) -> dict[str, tuple[Disc, ...]]:
        """Bases and zones in the way, by surface: centre and least distance of the centres."""
        found: dict[str, list[Disc]] = {}
        kind = self.kind
        keeps = [] if kind is None else [keep for keep in kind.keep_away if keep.whole_way]
        for other in self.state.units:
            mates = other.id == self.unit.id
            if kind is not None and (kind.models is None or (mates and not kind.mates_block)):
                continue
            away = max(
                (keep.limit for keep in keeps if other.side != self.unit.side and other.id not in keep.spared),
                default=0.0,
            )
            for base in bases_of(self.state, other):
                if base.model != self.model:
                    disc = (base.x, base.y, self._reach(base, away))
                    found.setdefault(base.surface, []).append(disc)
        return {surface: tuple(discs) for surface, discs in found.items()}

    def _reach(self, base: Base, away: Inches) -> Inches:
        """The distance of two centres that is kept; as it is now where nobody may come nearer than he began."""
        if away == inf:
            return length(base.x - self.start.x, base.y - self.start.y)
        return self.unit.radius + base.radius + away

    @property
    def going(self) -> Going | None:
        """What the ground costs, where it costs anything."""
        return None if self.kind is None else self.kind.going

    def paid(self, legs: Path) -> Inches:
        """What legs from where it stands cost."""
        stretches = walk(self.start, legs, self.state.board)
        return price(self.going, stretches, self.rates, self.unit.radius)

    def closed(self) -> tuple[Polygon, ...]:
        """Pieces that this move may not touch, except those it starts in and may leave."""
        if self.kind is None:
            return ()
        return (*self._closed_by(self.kind), *self._barred())

    def _barred(self) -> Iterator[Polygon]:
        """Pieces that are walls for this unit alone."""
        for _, outline in self.going.barred if self.going is not None else ():
            if polygon_distance(outline, *self.start.point) >= self.unit.radius - TOL:
                yield outline

    def _closed_by(self, kind: MoveType) -> tuple[Polygon, ...]:
        pieces = [(piece, rule) for rule in kind.closed for piece in self.state.board.with_trait(rule.trait)]
        return tuple(
            piece.outline
            for piece, rule in pieces
            if not rule.leaving or polygon_distance(piece.outline, *self.start.point) >= self.unit.radius - TOL
        )

    def scene(self) -> Scene:
        """What stands in the way on the surface it is on."""
        from tactician.rules.paths.scene import Scene

        surface = self.start.surface
        discs = self.discs().get(surface, ())
        return Scene(
            board=self.state.board, surface=surface, radius=self.unit.radius, discs=discs, closed=self.closed()
        )

    def way(self, goal: Pose, budget: Inches) -> Way | None:
        """The cheapest way to a place, or None where there is none within the budget.

        On the table itself it takes account of what the ground costs. Over raised surfaces it is the shortest one, at
        the price that the ground asks for it.
        """
        from tactician.rules.paths.surfaces import shortest_over

        board, radius = self.state.board, self.unit.radius
        found = shortest_over(board, radius, self.start, goal, budget, self.rates, self.discs(), self.closed())
        if self.going is None:
            return found
        if found is not None:
            cost = self.paid(found.legs)
            rests = not any(True for _ in entered(self.going, goal, radius))
            found = replace(found, cost=cost, margin=budget - cost) if rests and within(cost, budget) else None
        level = self._level_way(goal, budget) if self.start.surface == goal.surface == GROUND else None
        return min((way for way in (level, found) if way is not None), key=lambda way: way.cost, default=None)

    def _level_way(self, goal: Pose, budget: Inches) -> Way | None:
        """The cheapest way on the table itself."""
        from tactician.rules.paths.weighted import easiest

        assert self.going is not None
        return easiest(self.scene(), replace(self.going, barred=()), self.start.point, goal.point, budget)

    def straightened(self, way: Way) -> Path:
        """The way's legs as an order may give them: without arcs where models move in step."""
        if self.kind is None or self.kind.motion == "sequence":
            return way.legs
        from tactician.rules.paths.polylines import polyline

        return polyline(self.start.point, way.legs, self.scene())

    def goal(self, point: Point, surface: str | None) -> Pose:
        """The place meant by a point: on the named surface, else on the highest one it lies in that is solid."""
        board = self.state.board
        if surface is not None:
            known = tuple(one.id for one in board.surfaces)
            if surface not in known:
                raise bad("--on", f"there is no surface {surface!r}", hint=nearest(surface, known))
            return Pose(*point, surface)
        under = [one for one in board.surfaces if one.polygon is not None and contains(one.polygon, *point)]
        if any(one.id == self.start.surface for one in under):
            return Pose(*point, self.start.surface)
        solid = [one for one in under if one.solid]
        best = max(solid, key=lambda one: (one.height_at(*point), one.id), default=None)
        return Pose(*point, GROUND if best is None else best.id)


def move_types(ruleset: Ruleset, state: State, unit: str) -> tuple[tuple[str, MoveType], ...]:
    """The move types that a unit is offered now, by verb, the first of each verb."""
    found: dict[str, MoveType] = {}
    for choice in ruleset.choices(state):
        if choice.unit != unit:
            continue
        match choice.domain:
            case Walk(kind=kind):
                found.setdefault(choice.verb, kind)
            case Declare(kinds=kinds):
                for one in kinds:
                    if one is not None:
                        found.setdefault(choice.verb, one)
    return tuple(found.items())


def offered_move_types(ruleset: Ruleset, state: State) -> tuple[MoveType, ...]:
    """Every move type that anybody is offered now."""
    units = dict.fromkeys(choice.unit for choice in ruleset.choices(state))
    return tuple(kind for unit in units for _, kind in move_types(ruleset, state, unit))


def mover_of(ruleset: Ruleset, state: State, model: str, verb: str | None = None) -> Mover:
    """A model as it would move by a verb; by the first offered one, or freely where its unit is offered none.

    Raises:
        BadInput: there is no such model on the table, or its unit is not offered the verb.
    """
    known = tuple(one.id for unit in state.units for one in unit.models)
    if model not in known:
        raise bad("--model", f"there is no model {model!r} on the table", hint=nearest(model, known))
    unit = state.owner(model)
    offered = move_types(ruleset, state, unit.id)
    if verb is not None:
        if verb not in dict(offered):
            verbs = tuple(name for name, _ in offered)
            raise bad("--verb", f"{unit.id} is not offered {verb!r} now", hint=nearest(verb, verbs))
        offered = tuple(one for one in offered if one[0] == verb)
    everybody = offered_move_types(ruleset, state)
    kind = offered[0][1] if offered else None
    rates = kind.rates if kind is not None else everybody[0].rates if everybody else PLAIN
    return Mover(state=state, unit=unit, model=model, kind=kind, rates=rates)


def mover_for(mover: Mover, kind: MoveType) -> Mover:
    """The same model moving by another move type."""
    return replace(mover, kind=kind, rates=kind.rates)
