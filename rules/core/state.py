"""A moment of a game as a value: frozen, hashable, cheap to derive.

What never changes in a game (board, profiles, options, scenario) is one shared `Table`; a move rebuilds only the
touched unit and the agenda. The state holds no seed and no dice to come.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from tactician.rules.core.derive import but
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import length
from tactician.rules.core.terrain import Board

if TYPE_CHECKING:
    from tactician.rules.core.agenda import Frame

__all__ = ["SIDES", "Model", "State", "Table", "Unit", "front_first", "gap", "other_side"]

SIDES = ("red", "blue")


def other_side(side: str) -> str:
    """The opponent of a side."""
    return SIDES[1] if side == SIDES[0] else SIDES[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """One miniature on its base."""

    id: str
    pose: Pose


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Models that act together; rulesets add their status by subclassing."""

    id: str
    side: str
    name: str
    profile: str
    """Name of its profile in the table's catalogue."""
    radius: Inches
    """Radius of every model's round base."""
    models: tuple[Model, ...] = ()
    """The models on the table; none while it is off the table or destroyed."""

    def model(self, name: str) -> Model:
        """A model by its id.

        Raises:
            KeyError: the unit has no such model on the table.
        """
        for model in self.models:
            if model.id == name:
                return model
        raise KeyError(name)

    def moved(self, poses: dict[str, Pose]) -> Self:
        """The unit with some models at new poses."""
        models = tuple(
            Model(id=model.id, pose=poses[model.id]) if model.id in poses else model for model in self.models
        )
        return but(self, models=models)

    def without(self, names: tuple[str, ...]) -> Self:
        """The unit with some models taken off the table."""
        return but(self, models=tuple(model for model in self.models if model.id not in names))


@dataclass(frozen=True, kw_only=True)
class Table:
    """What is shared by every state of a game; rulesets subclass it with their profiles, options and scenario."""

    board: Board
    switched_off: frozenset[str] = frozenset()
    """Clause ids that are ignored, to prove that their cases notice."""
    _hash: int | None = field(default=None, init=False, repr=False, compare=False)

    def __getstate__(self) -> dict[str, object]:
        """Pickle without the cached hash: hashes of text differ between processes."""
        return {**self.__dict__, "_hash": None}


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A moment of a game."""

    table: Table
    units: tuple[Unit, ...]
    """All units, sorted by id within red, then blue; destroyed ones stay with no models."""
    agenda: tuple[Frame, ...] = ()
    """What is going on, the innermost last; empty when the game is over."""
    round: int = 1
    """The game turn, from 1."""
    log: tuple[str, ...] = field(default=(), compare=False)
    """What the rules did by themselves during the last step, in plain words."""

    @property
    def board(self) -> Board:
        """The table top."""
        return self.table.board

    def holds(self, clause: str) -> bool:
        """Whether a clause is in force (all are, unless a case switches one off)."""
        return clause not in self.table.switched_off

    def unit(self, name: str) -> Unit:
        """A unit by its id.

        Raises:
            KeyError: there is no such unit.
        """
        for unit in self.units:
            if unit.id == name:
                return unit
        raise KeyError(name)

    def has_unit(self, name: str) -> bool:
        """Whether a unit of this id exists."""
        return any(unit.id == name for unit in self.units)

    def of(self, side: str) -> tuple[Unit, ...]:
        """The units of a side that have models on the table."""
        return tuple(unit for unit in self.units if unit.side == side and unit.models)

    def against(self, side: str) -> tuple[Unit, ...]:
        """The units opposed to a side that have models on the table."""
        return tuple(unit for unit in self.units if unit.side != side and unit.models)

    def owner(self, model: str) -> Unit:
        """The unit that a model on the table belongs to.

        Raises:
            KeyError: no model of this id is on the table.
        """
        for unit in self.units:
            if any(one.id == model for one in unit.models):
                return unit
        raise KeyError(model)

    def with_unit(self, unit: Unit) -> Self:
        """The state with one unit replaced."""
        return but(self, units=tuple(unit if one.id == unit.id else one for one in self.units))

    def height_of(self, pose: Pose) -> Inches:
        """Height of the surface a pose stands on."""
        if pose.surface == "ground":
            return 0.0
        return self.board.surface(pose.surface).height_at(pose.x, pose.y)


def gap(state: State, a: Pose, radius_a: Inches, b: Pose, radius_b: Inches) -> Inches:
    """Distance between two bases, edge to edge along the straight line of their centres, heights included."""
    rise = state.height_of(a) - state.height_of(b) if a.surface != b.surface or a.surface != "ground" else 0.0
    return length(a.x - b.x, a.y - b.y, rise) - radius_a - radius_b


def front_first(unit: Unit, dx: Inches, dy: Inches) -> tuple[str, ...]:
    """The order in which models that walk one after another are shifted: the one furthest along goes first.

    Then each finds the places ahead already left, and no straight shift brings a model nearer to a mate than it began.

    Args:
        unit: the unit that moves.
        dx: inches to the right.
        dy: inches up.
    """
    ranked = sorted(unit.models, key=lambda model: (-(model.pose.x * dx + model.pose.y * dy), model.id))
    return tuple(model.id for model in ranked)
