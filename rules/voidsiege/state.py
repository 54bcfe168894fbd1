"""A moment of a VoidSiege game: units with their restrictions, the shared table, and the frames of its agenda."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import ClassVar, Literal

from tactician.rules.core.action import Pairs
from tactician.rules.core.agenda import Frame
from tactician.rules.core.legs import Path
from tactician.rules.core.measure import Inches
from tactician.rules.core.ruleset import OptionValue
from tactician.rules.core.shapes import Point
from tactician.rules.core.state import SIDES, State, Table, Unit
from tactician.rules.voidsiege.profiles import Command, Profile

__all__ = [
    "Arrivals",
    "Casualties",
    "Combine",
    "DamageRoll",
    "Deploy",
    "Drag",
    "Exchange",
    "Fire",
    "Follow",
    "Horde",
    "Movement",
    "Rally",
    "Redeploy",
    "Return",
    "RollOff",
    "Turn",
    "VoidState",
    "VoidTable",
    "VoidUnit",
    "Volley",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidUnit(Unit):
    """A unit and its status."""

    mustered: int = 0
    """Models at the start of the game."""
    reserve: tuple[str, ...] = ()
    """Models waiting to be deployed."""
    lost: tuple[str, ...] = ()
    """Models lost so far, in the order of their loss."""
    restrictions: tuple[str, ...] = ()
    """Restrictions gained this turn, sorted."""
    ditching: bool = False
    """Whether the next incoming damage meets +1 Resolve and no criticals."""
    move_value: float = 0.0
    """Modifier of the Move value itself (before doubling)."""
    move_distance: float = 0.0
    """Modifier of whatever distance a command grants (after doubling)."""
    scouting: bool = False
    """Whether its first model stands alone at the table edge and has not moved yet."""
    refunded: bool = False
    """Whether its loss has been paid back in threat points."""


@dataclass(frozen=True, kw_only=True)
class VoidTable(Table):
    """What a VoidSiege game shares: catalogue, options, mission."""

    profiles: tuple[tuple[str, Profile], ...] = ()
    commands: tuple[tuple[str, Command], ...] = ()
    options: tuple[tuple[str, OptionValue], ...] = ()
    mission: str = "annihilation"
    size: str = "skirmish"
    turns: int = 8
    """Last turn."""
    defender: str = ""
    """The side that won the roll-off, where the mission needs it from the start."""
    objectives: tuple[Point, ...] = ()
    """Fixed objectives of a hand-written battle; empty to use the mission's own."""
    headquarters: tuple[Point, ...] = ()
    """Fixed headquarters, red's then blue's; empty to use the mission's own."""

    def __hash__(self) -> int:
        """Hash computed once, as tables are large and shared."""
        if self._hash is None:
            facts = (self.board, self.switched_off, self.profiles, self.commands, self.options, self.mission)
            more = (self.size, self.turns, self.defender, self.objectives, self.headquarters)
            object.__setattr__(self, "_hash", hash((*facts, *more)))
        return self._hash or 0

    def __getstate__(self) -> dict[str, object]:
        """Pickle the facts alone, without what is derived from them."""
        return {field.name: getattr(self, field.name) for field in fields(self)} | {"_hash": None}

    @cached_property
    def _profiles(self) -> dict[str, Profile]:
        return dict(self.profiles)

    @cached_property
    def _commands(self) -> dict[str, Command]:
        return dict(self.commands)

    @cached_property
    def _options(self) -> dict[str, OptionValue]:
        return dict(self.options)

    def profile(self, name: str) -> Profile:
        """A profile by name.

        Raises:
            KeyError: there is none of this name.
        """
        return self._profiles[name]

    def command(self, name: str) -> Command:
        """A command by name.

        Raises:
            KeyError: there is none of this name.
        """
        return self._commands[name]

    def option(self, name: str) -> OptionValue:
        """The value of an option.

        Raises:
            KeyError: there is none of this name.
        """
        return self._options[name]

    def inches(self, name: str) -> Inches:
        """The value of an option that is a number."""
        return float(self.option(name))


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidState(State):
    """A moment of a game."""

    table: VoidTable
    units: tuple[VoidUnit, ...]
    points: tuple[int, int] = (0, 0)
    """Command points left this turn, red's and blue's."""
    score: tuple[int, int] = (0, 0)
    """Victory points."""
    threat: tuple[int, int] = (0, 0)
    """Threat points to bring units on with, red's and blue's."""
    first: str = ""
    """The side that acts first this turn; empty until the roll-off."""
    defender: str = ""
    """The side that won the roll-off."""
    ended: str = ""
    """How the game ended; empty while it goes on."""
    winner: str = ""
    """Who won; empty for a draw or while it goes on."""

    def unit(self, name: str) -> VoidUnit:
        """A unit by its id.

        Raises:
            KeyError: there is no such unit.
        """
        for unit in self.units:
            if unit.id == name:
                return unit
        raise KeyError(name)

    def of(self, side: str) -> tuple[VoidUnit, ...]:
        """The units of a side that have models on the table."""
        return tuple(unit for unit in self.units if unit.side == side and unit.models)

    def against(self, side: str) -> tuple[VoidUnit, ...]:
        """The units opposed to a side that have models on the table."""
        return tuple(unit for unit in self.units if unit.side != side and unit.models)

    def profile(self, unit: Unit) -> Profile:
        """A unit's OPDAT."""
        return self.table.profile(unit.profile)

    def points_of(self, side: str) -> int:
        """Command points that a side has left."""
        return self.points[SIDES.index(side)]

    def score_of(self, side: str) -> int:
        """Victory points of a side."""
        return self.score[SIDES.index(side)]

    def threat_of(self, side: str) -> int:
        """Threat points that a side may spend."""
        return self.threat[SIDES.index(side)]


# ---- frames ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class RollOff(Frame):
    """Who goes first is rolled for."""

    kind: ClassVar[str] = "roll_off"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deploy(Frame):
    """The owner puts its units down, then the other side if it still has to."""

    kind: ClassVar[str] = "deploy"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Frame):
    """A game turn; the owner is the side whose activation comes next."""

    kind: ClassVar[str] = "turn"
    pinned: tuple[str, ...] = ()
    """After a split: the units one of which must be commanded now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fire:
    """The shots of one weapon on their way to damage."""

    role: str
    """``command``, ``response``, or ``melee``."""
    shooter: str
    target: str
    weapon: str
    criticals: int = 0
    locks: int = 0
    damage: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange(Frame):
    """A command and its response, resolved together; the owner is the side that commands."""

    kind: ClassVar[str] = "exchange"
    unit: str
    command: str
    targets: Pairs = ()
    """What the command names: ``shoot`` and ``charge``."""
    plan: tuple[tuple[str, Path], ...] = ()
    """Ways announced with the command, walked if they are still legal when the movement is made."""
    responder: str = ""
    response: str = ""
    """The command that answers; empty before or without."""
    response_plan: tuple[tuple[str, Path], ...] = ()
    todo: tuple[str, ...] = ("horde:command", "answer")
    """Steps still to take, in order."""
    buffer: tuple[Fire, ...] = ()
    """Shots rolled for and not yet applied."""
    moved: tuple[tuple[str, Inches, Inches], ...] = ()
    """Unit, most and least inches moved by its models in this exchange."""
    acted: tuple[tuple[str, str], ...] = ()
    """Role and part (``move``, ``shoot``) that did something."""
    defending: tuple[str, ...] = ()
    """Units that answered with Defend."""
    near_before: Pairs = ()
    """Pairs of opposed units within engagement distance when the exchange began."""
    met: Pairs = ()
    """Pairs of opposed units within engagement distance when all movement was done."""
    dragging: tuple[tuple[str, str, bool], ...] = ()
    """Unit with Drag, unit that it has damaged, and whether it pulls it; still to be settled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement(Frame):
    """The movement part of a command or response: its owner says where the models go."""

    kind: ClassVar[str] = "movement"
    unit: str
    role: str
    plan: tuple[tuple[str, Path], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Volley(Frame):
    """Target locks being rolled, weapon by weapon."""

    kind: ClassVar[str] = "volley"
    role: str
    shooter: str
    target: str
    weapons: tuple[tuple[str, int], ...]
    """Weapon and dice still to roll."""
    snap: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageRoll(Frame):
    """Damage being rolled for the locks in the exchange's buffer that still need it."""

    kind: ClassVar[str] = "damage"
    todo: tuple[int, ...]
    """Places in the buffer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Casualties(Frame):
    """The owner takes off models."""

    kind: ClassVar[str] = "casualties"
    unit: str
    count: int
    shooter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rally(Frame):
    """How many models come back is rolled for."""

    kind: ClassVar[str] = "rally"
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Return(Frame):
    """The owner puts lost models back."""

    kind: ClassVar[str] = "return"
    unit: str
    count: int
    cause: Literal["rally", "horde"] = "rally"


@dataclass(frozen=True, slots=True, kw_only=True)
class Horde(Frame):
    """How many models of a Horde come back before its command is rolled for."""

    kind: ClassVar[str] = "horde"
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Drag(Frame):
    """A unit with Drag has damaged a target: who is brought into contact with whom."""

    kind: ClassVar[str] = "drag"
    unit: str
    target: str
    pulls: bool = True
    """Whether a model of the target is pulled; otherwise one of the unit may move to it."""
    pulled: str = ""
    """The model chosen among equally near ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Combine(Frame):
    """The owner may join a unit that has just moved with another one near it."""

    kind: ClassVar[str] = "combine"
    unit: str
    partners: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrivals(Frame):
    """The start of a turn: the owner may bring units on for threat points."""

    kind: ClassVar[str] = "arrivals"
    waiting: tuple[str, ...] = ()
    """Sides that are asked after the owner."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Follow(Frame):
    """A scout has moved: its owner puts the rest of the unit down."""

    kind: ClassVar[str] = "follow"
    unit: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Redeploy(Frame):
    """A unit has raided: its owner puts it down in its own zone again."""

    kind: ClassVar[str] = "redeploy"
    unit: str
