"""What a moment of a battle consists of: squads with their status, the shared table, and everything going on."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import ClassVar, Literal, Self

from tactician.rules.core.action import Pairs
from tactician.rules.core.agenda import Frame
from tactician.rules.core.derive import but
from tactician.rules.core.legs import Path, Pose
from tactician.rules.core.measure import Inches
from tactician.rules.core.ruleset import OptionValue
from tactician.rules.core.shapes import Point
from tactician.rules.core.state import State, Table, Unit
from tactician.rules.wh40k2e.profiles import Profile, Weapon

__all__ = [
    "Alert",
    "Blow",
    "Bonus",
    "Broken",
    "Combat",
    "Deploy",
    "FirstTurn",
    "Flight",
    "Follow",
    "Moving",
    "Queue",
    "React",
    "Scatter",
    "Shooting",
    "Shots",
    "Squad",
    "SquadState",
    "SquadTable",
    "Targeting",
    "Test",
    "Turn",
    "Volleys",
]

Moved = Literal["", "walked", "ran", "charged", "compelled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Squad(Unit):
    """A unit and what lies on it."""

    gear: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Weapons of every model by its id, also of those lost, in the order in which they were mustered."""
    hurt: tuple[tuple[str, int], ...] = ()
    """Wounds lost by models that still stand."""
    lost: tuple[str, ...] = ()
    """Models that have fallen, in the order in which they did."""
    reserve: tuple[str, ...] = ()
    """Models not yet put down."""
    mustered: int = 1
    """Models at the start of the battle."""
    at_turn: int = 1
    """Models at the start of the present player turn."""
    overwatch: bool = False
    hidden: bool = False
    spotters: tuple[str, ...] = ()
    """Enemy units that have spotted this hidden unit (it is Detected as soon as there is one)."""
    went: Moved = ""
    """How it moved in its own latest turn."""
    walked: tuple[tuple[str, Inches], ...] = ()
    """Inches gone by each model that moved in its own latest turn (distance, not what was paid)."""
    charge: Pairs = ()
    """Model and enemy model declared as its target; empty without a declared charge."""
    failed: tuple[str, ...] = ()
    """Chargers that reached nobody in its own latest turn, and stragglers: they do nothing else in it."""
    charged: tuple[str, ...] = ()
    """Models that came into contact by charging this turn."""
    acted: bool = False
    """Whether it has done its part in the present phase (moved, shot, ...)."""
    fired: bool = False
    """Whether it has fired in this player turn."""
    broken: bool = False
    shaken: bool = False
    fled: bool = False
    """Whether it had to flee this turn."""
    breaks: int = 0
    """Break tests taken in this player turn (at most one)."""
    restrained: bool = False
    """Whether its frenzy is held back this turn."""
    dazed: bool = False
    """Whether it failed its test for stupidity this turn."""
    cowed: bool = False
    """Whether it failed its test against charging what it fears, or against being charged by it."""
    terrified: bool = False
    """Whether it has met terror once in this battle."""
    turned: bool = False
    """Whether it has been told where to face this turn."""
    picture: str = ""
    """What the unit on overwatch saw when it last let the enemy pass, as a fingerprint."""
    jams: tuple[tuple[str, int], ...] = ()
    """Models whose weapon is jammed, and the Shooting Phases it still takes to clear it."""
    recharging: tuple[str, ...] = ()
    """Models whose weapon rests this turn."""
    leaving: bool = False
    """Whether it is breaking off from hand-to-hand: it fights this round without skill and flees then."""
    grave: Pose | None = None
    """Where the last of its models fell, until that has had its consequences."""

    def without(self, names: tuple[str, ...]) -> Self:
        """The unit with some models taken off the table; where none is left it is known where the last one stood."""
        left = tuple(model for model in self.models if model.id not in names)
        if left or not self.models:
            return but(self, models=left)
        return but(self, models=left, grave=self.models[-1].pose)

    def weapons_of(self, model: str) -> tuple[str, ...]:
        """Names of a model's weapons.

        Raises:
            KeyError: the unit never had such a model.
        """
        for name, weapons in self.gear:
            if name == model:
                return weapons
        raise KeyError(model)


@dataclass(frozen=True, kw_only=True)
class SquadTable(Table):
    """What is shared by every moment of a battle."""

    profiles: tuple[tuple[str, Profile], ...]
    weapons: tuple[tuple[str, Weapon], ...]
    options: tuple[tuple[str, OptionValue], ...]
    mission: str = "battle"
    size: str = "skirmish"
    turns: int = 4
    ratings: tuple[int, int] = (3, 3)
    """Strategy ratings, red's and blue's."""
    zones: tuple[tuple[Inches, Inches, Inches, Inches], ...] = ()
    """Deployment zones, red's and blue's, as rectangles; empty for the rulebook's own."""

    def __hash__(self) -> int:
        """Hash computed once, as tables are large and shared."""
        if self._hash is None:
            facts = (self.board, self.switched_off, self.profiles, self.weapons, self.options, self.mission)
            object.__setattr__(self, "_hash", hash((*facts, self.size, self.turns, self.ratings, self.zones)))
        return self._hash or 0

    def __getstate__(self) -> dict[str, object]:
        """Pickle the facts alone, without what is derived from them."""
        return {field.name: getattr(self, field.name) for field in fields(self)} | {"_hash": None}

    @cached_property
    def _profiles(self) -> dict[str, Profile]:
        return dict(self.profiles)

    @cached_property
    def _weapons(self) -> dict[str, Weapon]:
        return dict(self.weapons)

    @cached_property
    def _options(self) -> dict[str, OptionValue]:
        return dict(self.options)

    def profile(self, name: str) -> Profile:
        """A profile by name.

        Raises:
            KeyError: there is none of this name.
        """
        return self._profiles[name]

    def weapon(self, name: str) -> Weapon:
        """A weapon by name.

        Raises:
            KeyError: there is none of this name.
        """
        return self._weapons[name]

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
class SquadState(State):
    """A moment of a battle."""

    table: SquadTable
    units: tuple[Squad, ...]
    first: str = ""
    """The side that has the first turn; empty until it is rolled for."""
    ended: str = ""
    """How the battle ended; empty while it goes on."""
    winner: str = ""
    """Who won; empty for a draw or while it goes on."""

    def unit(self, name: str) -> Squad:
        """A unit by its id.

        Raises:
            KeyError: there is no such unit.
        """
        for unit in self.units:
            if unit.id == name:
                return unit
        raise KeyError(name)

    def owner(self, model: str) -> Squad:
        """The unit that a model on the table belongs to.

        Raises:
            KeyError: no model of this id is on the table.
        """
        for unit in self.units:
            if any(one.id == model for one in unit.models):
                return unit
        raise KeyError(model)

    def of(self, side: str) -> tuple[Squad, ...]:
        """The units of a side that have models on the table."""
        return tuple(unit for unit in self.units if unit.side == side and unit.models)

    def against(self, side: str) -> tuple[Squad, ...]:
        """The units opposed to a side that have models on the table."""
        return tuple(unit for unit in self.units if unit.side != side and unit.models)

    def profile(self, unit: Unit) -> Profile:
        """A unit's datasheet."""
        return self.table.profile(unit.profile)


# ---- frames ----------------------------------------------------------------------------------------------------------

Phase = Literal[
    "start", "opening", "compulsory", "chargers", "normal", "hiding", "shooting", "combat", "follow", "rally", "over"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deploy(Frame):
    """The owner puts one unit down, then the other side one, and so on."""

    kind: ClassVar[str] = "deploy"


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstTurn(Frame):
    """Who has the first turn is rolled for."""

    kind: ClassVar[str] = "first_turn"
    rolled: int = 0
    """What red's die and strategy rating come to, once thrown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Frame):
    """A player's turn; the owner is the player whose turn it is."""

    kind: ClassVar[str] = "turn"
    phase: Phase = "start"
    todo: Pairs = ()
    """What still has to happen by itself in this phase: cause and unit, such as ``("flee", "R2")``."""
    fought: Pairs = ()
    """Pairs of models that have fought in this phase."""
    free: tuple[str, ...] = ()
    """Models that have killed everybody they fought and may follow up."""
    next: tuple[str, ...] = ()
    """The pair of models that has been said to fight next."""
    asked: bool = False
    """Whether the owner has said who breaks off from hand-to-hand in this phase."""
    closing: bool = False
    """Whether the phase is over but for what watchers do at its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moving(Frame):
    """A unit on its way, model after model; the owner is the unit's side."""

    kind: ClassVar[str] = "moving"
    unit: str
    gait: Literal["walk", "run", "charge", "frenzy", "flee", "wander", "follow"]
    plan: tuple[tuple[str, Path], ...] = ()
    """Ways still ahead, in the order in which the models walk them."""
    spent: tuple[tuple[str, Inches], ...] = ()
    """Inches paid so far by each model, fees included."""
    walked: tuple[tuple[str, Inches], ...] = ()
    """Inches gone so far by each model."""
    allowance: Inches = 0.0
    """Inches that each model may pay in all."""
    answered: tuple[str, ...] = ()
    """Enemy units that have fired at this move."""
    begun: tuple[tuple[str, Inches, Inches], ...] = ()
    """Where each model that has gone some of its way stood before: id, x and y."""
    bared: bool = False
    """Whether some model has been out of all concealment on its way."""
    stage: Literal["announced", "walk", "replan"] = "announced"
    """``announced``: the enemy may interrupt; ``walk``: nobody interferes; ``replan``: the owner says how to go on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class React(Frame):
    """The owner's units on overwatch may fire along an announced way."""

    kind: ClassVar[str] = "react"
    windows: tuple[tuple[str, str, Inches, Inches], ...]
    """Watching unit, model on its way, and the inches of that way from - to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert(Frame):
    """The owner's units on overwatch may fire after a finished action of the enemy."""

    kind: ClassVar[str] = "alert"
    watchers: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Targeting(Frame):
    """A unit on overwatch fires: its owner says who shoots at whom."""

    kind: ClassVar[str] = "targeting"
    unit: str
    mover: str = ""
    """The unit that was interrupted, if any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shots:
    """Shots of equal weapons at one unit under equal conditions, on their way to the dice."""

    weapon: str
    shooters: tuple[str, ...]
    """Models, one for each shot."""
    need: int
    """Least face that hits after all modifiers; may exceed six."""
    target: str
    """The unit aimed at."""
    reach: tuple[str, ...]
    """Models of the target that can be hit, the first to fall first."""
    count: int = 1
    """Shots in all."""
    sure: bool = False
    """Whether they hit without a roll (templates, models wholly under a blast)."""
    save: int = 7
    """Least total of the save's dice."""
    wound: int = 7
    """Least face that wounds."""
    centre: Point | None = None
    """Where a blast strikes, once known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shooting(Frame):
    """A unit's fire being resolved, one group of shots after another."""

    kind: ClassVar[str] = "shooting"
    unit: str
    orders: Pairs
    """Model, and the unit (with a weapon after a colon) it shoots at."""
    todo: tuple[Shots, ...] = ()
    on_overwatch: bool = False
    targets: tuple[str, ...] = ()
    """Units shot at, whose tests come when all is resolved."""
    stage: Literal["sort", "resolve", "tests"] = "sort"


@dataclass(frozen=True, slots=True, kw_only=True)
class Volleys(Frame):
    """Dice are to fall for groups of shots at one unit."""

    kind: ClassVar[str] = "volleys"
    unit: str
    """The shooting unit."""
    target: str
    groups: tuple[Shots, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scatter(Frame):
    """A blast that has been fired or thrown: does it hit, and where does it strike?"""

    kind: ClassVar[str] = "scatter"
    unit: str
    shots: Shots
    missed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Test(Frame):
    """A Leadership test that a unit has to take."""

    kind: ClassVar[str] = "test"
    unit: str
    cause: Literal["break", "overwatch", "fear", "charge", "terror", "frenzy", "stupidity", "rally", "commander"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken(Frame):
    """A unit has broken: what happens to it at once."""

    kind: ClassVar[str] = "broken"
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bonus(Frame):
    """A unit has rallied so well that it moves and shoots at once; the owner is its side."""

    kind: ClassVar[str] = "bonus"
    unit: str
    stage: Literal["move", "shoot"] = "move"


@dataclass(frozen=True, slots=True, kw_only=True)
class Flight(Frame):
    """A unit flees: how far is rolled for, then it goes."""

    kind: ClassVar[str] = "flight"
    unit: str
    again: bool = False
    """Whether a second roll follows because of what it fears."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Combat(Frame):
    """Two models fight; the owner is the side whose turn it is."""

    kind: ClassVar[str] = "combat"
    first: str
    """The model of the side whose turn it is."""
    second: str
    stage: Literal["first", "second", "parry", "reroll", "score", "blow"] = "first"
    dice: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    """Faces of the attack dice of both, once thrown."""
    extra: tuple[int, int] = (0, 0)
    """Further dice, and as much score, for being one of several (each side)."""
    parries: tuple[int, int] = (0, 0)
    """Parries left to each."""
    rerolled: tuple[bool, bool] = (False, False)
    """Whether each has thrown all its attack dice again, out of hatred, or may no longer."""
    parrying: int = 0
    """Which of the two parries, while the enemy's best die is thrown again: 0 or 1."""
    hits: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue(Frame):
    """Several models fight one: their owner says who goes next."""

    kind: ClassVar[str] = "queue"
    lone: str
    several: tuple[str, ...]
    """Those that have not fought it yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blow(Frame):
    """Hits of hand-to-hand on one model: wounds and saves are to be rolled."""

    kind: ClassVar[str] = "blow"
    striker: str
    victim: str
    hits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Follow(Frame):
    """The owner may move models that have killed their opponents."""

    kind: ClassVar[str] = "follow"
    unit: str
    models: tuple[str, ...] = field(default=())
