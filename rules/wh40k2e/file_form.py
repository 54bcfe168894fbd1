"""The form of a battle file, field by field: reading, checking and the published schema all follow it."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields, make_dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin, get_type_hints

from tactician.rules.core.battle_form import BaseForm, FormationForm, ModelForm
from tactician.rules.core.decoding import Bound
from tactician.rules.wh40k2e.file_terrain import FeatureForm
from tactician.rules.wh40k2e.state import Phase, Squad

__all__ = [
    "FORMAT",
    "STATUS",
    "ArmsForm",
    "BattleForm",
    "BoardForm",
    "LayoutForm",
    "ProfileForm",
    "RosterForm",
    "RulesetForm",
    "ScenarioForm",
    "SideForm",
    "SidesForm",
    "SquadForm",
    "SquadModelForm",
    "UnitForm",
    "WeaponForm",
    "ZonesForm",
]

FORMAT = "tactician-battle/1"

Side = Literal["red", "blue"]
SideOrNone = Literal["red", "blue", ""]
Value = int | float | bool | str
Size = Annotated[float, Bound(above=0, most=1000)]
"""Inches of something that has an extent."""

Some = Annotated[float, Bound(least=0, most=1000)]
Count = Annotated[int, Bound(least=0, most=500)]
Few = Annotated[int, Bound(least=1, most=500)]
Mark = Annotated[int, Bound(least=0, most=10)]
"""A characteristic."""

Change = Annotated[int, Bound(least=-10, most=10)]
"""What is added to a die."""

Rectangle = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesetForm:
    """The game, and the version of its rules that the file was written for."""

    id: str
    version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ZonesForm:
    """Deployment zones as rectangles [x0, y0, x1, y1]."""

    red: Rectangle
    blue: Rectangle


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioForm:
    """What is played: size, last turn, who has the first turn, zones of one's own."""

    mission: Literal["battle"] = "battle"
    size: str = "skirmish"
    turns: Annotated[int, Bound(least=1)] = 4
    first: SideOrNone = ""
    zones: ZonesForm | None = None
    arid: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutForm:
    """A table as it is laid out for one size."""

    width: Size
    height: Size
    features: tuple[FeatureForm, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardForm(LayoutForm):
    """The table: width along x, height along y, in inches."""

    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponForm:
    """A weapon's numbers; damage as a number or as dice (``D4``, ``2D6``, ``D3+1``)."""

    short: Some = 0.0
    long: Some = 0.0
    hit_short: Change = 0
    hit_long: Change = 0
    strength: Mark = 0
    damage: int | str = 1
    save: Annotated[int, Bound(least=-12, most=0)] = 0
    sustained: Mark = 0
    blast: Some = 0.0
    is_template: bool = False
    is_grenade: bool = False
    move_or_fire: bool = False
    is_heavy: bool = False
    is_close: bool = False
    parries: bool = False
    recharges: bool = False
    is_bolt: bool = False
    points: Some = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileForm:
    """A unit's datasheet; weapons and special rules by name."""

    move: Some
    ws: Mark
    bs: Mark
    strength: Annotated[int, Bound(least=1, most=10)]
    toughness: Annotated[int, Bound(least=1, most=10)]
    leadership: Annotated[int, Bound(least=0, most=12)]
    wounds: Annotated[int, Bound(least=1, most=100)] = 1
    initiative: Mark
    attacks: Mark = 1
    name: str = ""
    kind: str = "infantry"
    save: Annotated[int, Bound(least=2, most=99)] = 7
    save_dice: Annotated[int, Bound(least=1, most=3)] = 1
    save_blast: Annotated[int, Bound(least=0, most=99)] = 0
    weapons: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    cost: Annotated[float, Bound(least=0)] = 0.0
    number: Few = 1
    radius: Annotated[float, Bound(above=0, most=20)] = 0.5
    stature: Annotated[float, Bound(above=0, most=100)] = 1.2


# ---- units -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmsForm:
    """So many models of a unit that carry other weapons than the rest."""

    weapons: tuple[str, ...]
    count: Few = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterForm:
    """A unit of an army list."""

    title: str
    profile: str
    number: Few
    weapons: tuple[str, ...] | None = None
    arms: tuple[ArmsForm, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SquadModelForm(ModelForm):
    """One model; its weapons where they differ from the unit's, and the wounds it has left."""

    weapons: tuple[str, ...] | None = None
    wounds: Few | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SquadForm:
    """A unit: its models one by one or in a formation, those not yet deployed and those lost, and what they carry."""

    id: str
    name: str = ""
    profile: str | None = None
    base: BaseForm | None = None
    models: tuple[SquadModelForm, ...] | None = None
    formation: FormationForm | None = None
    weapons: tuple[str, ...] | None = None
    """What every model carries that is not armed otherwise; the profile's weapons where it is left out."""
    arms: tuple[ArmsForm, ...] = ()
    """Models with other weapons, in the order in which they are listed."""
    gear: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Weapons by model."""
    reserve: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    mustered: Count | None = None
    at_turn: Count | None = None


OWN = ("id", "side", "name", "profile", "radius", "models", "gear", "reserve", "lost", "mustered", "at_turn")

STATUS = tuple(one.name for one in fields(Squad) if one.name not in OWN)
"""What lies on a unit; every field of `Squad` of that sort can stand in a file."""


def _either(hint: Any) -> Any:
    """A hint for pairs, so that they may also be written as an object: ``{"R1a": "B1c"}``."""
    inner = get_args(hint)
    pairs = get_origin(hint) is tuple and inner[-1] is Ellipsis and get_args(inner[0])
    if not pairs or get_origin(inner[0]) is not tuple or len(pairs) != 2 or pairs[0] is not str:
        return hint
    return hint | dict[str, pairs[1]]  # type: ignore[valid-type]


def _status() -> list[tuple[str, Any, Any]]:
    """Fields for the status of a unit, as `Squad` has them: a new one needs no second list."""
    hints = get_type_hints(Squad, include_extras=True)
    found = []
    for one in fields(Squad):
        if one.name in STATUS:
            assert one.default is not MISSING
            found.append((one.name, _either(hints[one.name]), field(default=one.default)))
    return found


if TYPE_CHECKING:

    class UnitForm(SquadForm):
        """A unit and what lies on it."""
else:
    UnitForm = make_dataclass(
        "UnitForm",
        _status(),
        bases=(SquadForm,),
        frozen=True,
        slots=True,
        kw_only=True,
        namespace={"__doc__": "A unit and what lies on it.", "__module__": __name__},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SideForm:
    """One player's army: its units, or an army of the catalogue by name, and its strategy rating."""

    units: tuple[UnitForm, ...] = ()
    army: str = ""
    rating: Annotated[int, Bound(least=0, most=10)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SidesForm:
    """Both armies."""

    red: SideForm = field(default_factory=SideForm)
    blue: SideForm = field(default_factory=SideForm)


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleForm:
    """A moment of a battle; whatever has a natural default may be left out."""

    format: str = FORMAT
    ruleset: str | RulesetForm = "wh40k2e"
    complete: bool = False
    """Whether options, weapons and profiles are listed in full, so that nothing is added from the catalogue."""
    options: dict[str, Value] = field(default_factory=dict)
    scenario: ScenarioForm = field(default_factory=ScenarioForm)
    board: BoardForm | None = None
    table: str | None = None
    """A table of the catalogue by name, in place of `board`."""
    weapons: dict[str, WeaponForm] = field(default_factory=dict)
    profiles: dict[str, ProfileForm] = field(default_factory=dict)
    sides: SidesForm = field(default_factory=SidesForm)
    turn: Annotated[int, Bound(least=1)] = 1
    active: Side | None = None
    """Whose turn it is, where no agenda says so."""
    phase: Phase = "start"
    """How far that turn is, where no agenda says so."""
    first: SideOrNone | None = None
    """Who has the first turn."""
    ended: str = ""
    winner: SideOrNone = ""
    agenda: tuple[Any, ...] | None = None
    """What is going on, the innermost last: frames as ``{"kind": ..., ...}``."""
    switched_off: tuple[str, ...] = ()
