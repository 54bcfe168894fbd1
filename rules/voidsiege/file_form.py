"""The form of a battle file, field by field: reading, checking and the published schema all follow it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from tactician.rules.core.battle_form import BaseForm, FormationForm, ModelForm, ShapeForm
from tactician.rules.core.decoding import Bound
from tactician.rules.core.shapes import Point
from tactician.rules.voidsiege.profiles import Command, Weapon

__all__ = [
    "FORMAT",
    "BattleForm",
    "BoardForm",
    "CommandForm",
    "FeatureForm",
    "FloorForm",
    "PairForm",
    "ProfileForm",
    "RampForm",
    "RulesetForm",
    "ScenarioForm",
    "SideForm",
    "SidesForm",
    "UnitForm",
    "WeaponForm",
]

FORMAT = "tactician-battle/1"

Side = Literal["red", "blue"]
SideOrNone = Literal["red", "blue", ""]
Value = int | float | bool | str
Size = Annotated[float, Bound(above=0, most=1000)]
"""Inches of something that has an extent."""

Some = Annotated[float, Bound(least=0)]
Count = Annotated[int, Bound(least=0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesetForm:
    """The game, and the version of its rules that the file was written for."""

    id: str
    version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioForm:
    """What is played for: mission, size, last turn, who is first, who defends, fixed objectives and headquarters."""

    mission: str = "annihilation"
    size: str = "skirmish"
    turns: Annotated[int, Bound(least=1)] | None = None
    first: SideOrNone = ""
    defender: SideOrNone = ""
    objectives: tuple[Point, ...] = ()
    headquarters: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorForm:
    """A floor to stand on; solid where nobody can be under it."""

    height: Some
    solid: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class RampForm:
    """A slope that rises from the height `low` at the point `foot` to `high` at `head`."""

    high: Some
    foot: Point
    head: Point
    low: Some = 0.0
    solid: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureForm:
    """A piece of terrain: its outline, whether it is impassable from `bottom` to `height`, cover, floor or ramp."""

    id: str
    shape: ShapeForm
    kind: str = ""
    impassable: bool = False
    bottom: Some = 0.0
    height: Some | None = None
    cover: Some | None = None
    surface: FloorForm | None = None
    ramp: RampForm | None = None
    traits: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardForm:
    """The table: width along x, height along y, in inches."""

    width: Size
    height: Size
    features: tuple[FeatureForm, ...] = ()
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponForm(Weapon):
    """A weapon: range 0 for hand-to-hand; the id may be left out where the weapon is listed by it."""

    id: str = ""
    range: Some = 0.0
    rof: Count = 1
    force: Count = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileForm:
    """A unit's OPDAT; weapons by name or written out."""

    move: Some
    target_lock: Count
    resolve: Count
    weapons: tuple[str | WeaponForm, ...] = ()
    rules: tuple[str, ...] = ()
    name: str = ""
    number: Count | None = None
    cost: Count = 1
    radius: Annotated[float, Bound(above=0, most=20)] = 0.5
    stature: Some = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandForm(Command):
    """A command: what its movement grants, what it leaves, what it permits; its id is the name it is listed by."""

    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitForm:
    """A unit: its models one by one or in a formation, those not yet deployed and those lost, and its status."""

    id: str
    name: str = ""
    profile: str | None = None
    base: BaseForm | None = None
    models: tuple[ModelForm, ...] | None = None
    formation: FormationForm | None = None
    reserve: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    mustered: Count | None = None
    restrictions: tuple[str, ...] = ()
    ditching: bool = False
    move_value: float = 0.0
    move_distance: float = 0.0
    scouting: bool = False
    refunded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SideForm:
    """One player's army."""

    units: tuple[UnitForm, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SidesForm:
    """Both armies."""

    red: SideForm = field(default_factory=SideForm)
    blue: SideForm = field(default_factory=SideForm)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairForm:
    """A number for each side."""

    red: int = 0
    blue: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleForm:
    """A moment of a battle; whatever has a natural default may be left out."""

    format: str = FORMAT
    ruleset: str | RulesetForm = "voidsiege"
    complete: bool = False
    """Whether options, profiles and commands are listed in full, so that nothing is added from the catalogue."""
    options: dict[str, Value] = field(default_factory=dict)
    scenario: ScenarioForm = field(default_factory=ScenarioForm)
    board: BoardForm | None = None
    table: str | None = None
    """A table of the catalogue by name, in place of `board`."""
    weapons: dict[str, WeaponForm] = field(default_factory=dict)
    profiles: dict[str, ProfileForm] = field(default_factory=dict)
    commands: dict[str, CommandForm] = field(default_factory=dict)
    sides: SidesForm = field(default_factory=SidesForm)
    turn: Annotated[int, Bound(least=1)] = 1
    active: Side | None = None
    """Whose activation comes next, where no agenda says so."""
    points: PairForm | None = None
    score: PairForm = field(default_factory=PairForm)
    threat: PairForm | None = None
    first: SideOrNone | None = None
    """Who acts first this turn."""
    defender: SideOrNone | None = None
    ended: str = ""
    winner: SideOrNone = ""
    agenda: tuple[Any, ...] | None = None
    """What is going on, the innermost last: frames as ``{"kind": ..., ...}``."""
    switched_off: tuple[str, ...] = ()
