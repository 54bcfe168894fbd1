"""The catalogue: weapons, profiles, commands, armies and tables, read once from the data files beside this module."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from math import inf, isnan
from string import ascii_lowercase
from types import MappingProxyType
from typing import Any, Literal, cast

from tactician.rules.core.forms import nearest
from tactician.rules.core.measure import Inches, is_finite
from tactician.rules.core.ruleset import RulesetError
from tactician.rules.core.shapes import Point, Polygon
from tactician.rules.core.state import SIDES
from tactician.rules.core.terrain import GROUND, Board, Feature, Surface, TraitValue
from tactician.rules.voidsiege.profiles import SPECIAL_RULES, Command, Permits, Profile, Weapon
from tactician.rules.voidsiege.scope import unknown_rule
from tactician.rules.voidsiege.state import VoidUnit

__all__ = [
    "SIZES",
    "ArmyList",
    "armies",
    "army",
    "commands",
    "compose_units",
    "feature_from",
    "profiles",
    "table",
    "tables",
    "weapons",
]

SIZES = ("duel", "skirmish", "battle")
"""Every size of a game, the smallest first."""

_PACKAGE = "tactician.rules.voidsiege"
_DISTANCES = ("none", "move", "run", "fixed")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmyList:
    """An army: the units that it musters for each size."""

    name: str
    title: str
    """What a player calls it."""
    duel: tuple[tuple[str, str], ...]
    """Title and profile of each unit."""
    skirmish: tuple[tuple[str, str], ...]
    battle: tuple[tuple[str, str], ...]

    def units_for(self, size: str) -> tuple[tuple[str, str], ...]:
        """Title and profile of each unit of a game of this size, in the order of their ids.

        Raises:
            RulesetError: there is no such size.
        """
        _known("size", size, SIZES)
        return {"duel": self.duel, "skirmish": self.skirmish, "battle": self.battle}[size]


# ---- reading ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Fields:
    """The fields of one thing in a file, each read as what it has to be."""

    data: Mapping[str, object]
    where: str
    known: tuple[str, ...] = field(kw_only=True)
    """Every field that may be set."""

    def __post_init__(self) -> None:
        """Refuse what is no table of known fields."""
        if not isinstance(self.data, Mapping):
            raise ValueError(f"{self.where}: expected a table of fields, got {self.data!r}")
        for key in self.data:
            if key not in self.known:
                raise self.fault(str(key), f"expected no such field{nearest(str(key), self.known)}")

    def fault(self, key: str, text: str) -> ValueError:
        """What is wrong with a field."""
        return ValueError(f"{self.where}: {key}: {text}")

    def has(self, key: str) -> bool:
        """Whether a field is set."""
        return key in self.data

    def text(self, key: str, default: str | None = None) -> str:
        """A text; empty only where that is the default."""
        value = self.data.get(key, default)
        if not isinstance(value, str) or (not value and default is None):
            raise self.fault(key, f"expected a text, {self._got(key)}")
        return value

    def flag(self, key: str, default: bool) -> bool:
        """Yes or no."""
        value = self.data.get(key, default)
        if not isinstance(value, bool):
            raise self.fault(key, f"expected true or false, {self._got(key)}")
        return value

    def number(self, key: str, default: float | None = None, *, least: float = 0.0, endless: bool = False) -> float:
        """A number not below the least; infinity only where it may be endless."""
        value = _number(self.data.get(key, default), endless=endless)
        if value is None or value < least:
            raise self.fault(key, f"expected a number from {least:g} up, {self._got(key)}")
        return value

    def count(self, key: str, default: int | None = None) -> int:
        """A whole number from 1 up."""
        value = self.data.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise self.fault(key, f"expected a whole number from 1 up, {self._got(key)}")
        return value

    def numbers(self, key: str, count: int) -> tuple[float, ...]:
        """A list of so many finite numbers."""
        found = _numbers(self.data.get(key))
        if len(found) != count:
            raise self.fault(key, f"expected {count} numbers, {self._got(key)}")
        return found

    def point(self, key: str) -> Point:
        """A place on the table."""
        x, y = self.numbers(key, 2)
        return x, y

    def names(self, key: str) -> tuple[str, ...]:
        """A list of texts; none where it is not set."""
        value = self.data.get(key, ())
        if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
            raise self.fault(key, f"expected a list of names, {self._got(key)}")
        return tuple(value)

    def entries(self, key: str, known: tuple[str, ...]) -> tuple[_Fields, ...]:
        """A list of tables, each with these fields."""
        value = self.data.get(key)
        if not isinstance(value, list | tuple) or not value:
            raise self.fault(key, f"expected a list of tables, {self._got(key)}")
        return tuple(_Fields(one, f"{self.where}: {key} {i}", known=known) for i, one in enumerate(value, start=1))

    def inner(self, key: str, known: tuple[str, ...]) -> _Fields:
        """The fields of a table inside; none where it is not set."""
        value = self.data.get(key, {})
        if not isinstance(value, Mapping):
            raise self.fault(key, f"expected a table of fields, {self._got(key)}")
        return _Fields(value, f"{self.where}: {key}", known=known)

    def _got(self, key: str) -> str:
        return f"got {self.data[key]!r}" if key in self.data else "got nothing"


def _number(value: object, *, endless: bool = False) -> float | None:
    """A number as a float, or None where it is none (or NaN, or infinite without leave)."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    number = float(value)
    return number if is_finite(number) or (endless and not isnan(number)) else None


def _numbers(value: object) -> tuple[float, ...]:
    """The finite numbers of a list; none where it is no list or holds anything else."""
    items = [_number(one) for one in value] if isinstance(value, list | tuple) else []
    found = tuple(one for one in items if one is not None)
    return found if len(found) == len(items) else ()


def _known(what: str, name: str, names: tuple[str, ...]) -> None:
    """Refuse a name that nothing has."""
    if name not in names:
        raise RulesetError(f"there is no {what} {name!r}{nearest(name, names)}")


def _load(*path: str) -> dict[str, Any]:
    """A data file, parsed."""
    place = files(_PACKAGE) / "data"
    for part in path:
        place /= part
    return tomllib.loads(place.read_text(encoding="utf-8"))


def _names_in(folder: str) -> tuple[str, ...]:
    """Names of the files in a folder of the data, sorted, so that a new file needs no list."""
    found = [one.name for one in (files(_PACKAGE) / "data" / folder).iterdir()]
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


# ---- terrain ---------------------------------------------------------------------------------------------------------

_FEATURE = ("id", "kind", "polygon", "rect", "blocks", "bottom", "top", "cover", "surface", "ramp")


def feature_from(data: Mapping[str, object], where: str) -> Feature:
    """A piece of terrain from its fields in a file.

    Args:
        data: `id`; `kind`, what a player calls it; the outline as `polygon` = [[x, y], ...] or `rect` = [x0, y0,
        x1, y1] in inches; `blocks` with `bottom` and `top` in inches; `cover`, its bonus; what can be stood on as
        `surface` = {height, solid} or `ramp` = {low, high, foot, head, solid}.
        where: what to call the piece's place in the file.

    Returns:
        The piece; its surface bears its id.

    Raises:
        ValueError: ``where: field: what was expected``, for the first fault found.
    """
    fields = _Fields(data, where, known=_FEATURE)
    name = fields.text("id")
    if name == GROUND:
        raise fields.fault("id", f"expected another name: {GROUND!r} is the table itself")
    outline = _outline(fields)
    bottom, top = fields.number("bottom", 0.0), fields.number("top", inf, endless=True)
    if top <= bottom:
        raise fields.fault("top", f"expected more than the bottom, {bottom:g}, got {top:g}")
    traits: tuple[tuple[str, TraitValue], ...] = ()
    if fields.has("cover"):
        traits = (("cover", fields.number("cover")),)
    return Feature(
        id=name,
        outline=outline,
        kind=fields.text("kind", ""),
        blocks=fields.flag("blocks", False),
        bottom=bottom,
        top=top,
        surface=_surface(fields, name, outline),
        traits=traits,
    )


def _outline(fields: _Fields) -> Polygon:
    """The outline of a piece, given in one of two ways."""
    if fields.has("polygon") == fields.has("rect"):
        raise fields.fault("polygon", "expected an outline as either polygon or rect")
    if fields.has("rect"):
        x0, y0, x1, y1 = fields.numbers("rect", 4)
        if x0 >= x1 or y0 >= y1:
            raise fields.fault("rect", "expected [x0, y0, x1, y1] with x0 < x1 and y0 < y1")
        return Polygon(((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
    value = fields.data["polygon"]
    corners = [_numbers(corner) for corner in value] if isinstance(value, list | tuple) else []
    points = tuple((corner[0], corner[1]) for corner in corners if len(corner) == 2)
    if len(points) < 3 or len(points) != len(corners):
        raise fields.fault("polygon", f"expected at least three corners [x, y], got {value!r}")
    outline = Polygon(points)
    if outline.crosses_itself():
        raise fields.fault("polygon", "expected an outline with an area that does not cross or repeat itself")
    return outline


def _surface(fields: _Fields, name: str, outline: Polygon) -> Surface | None:
    """The floor or ramp of a piece, if it has one."""
    if fields.has("surface") and fields.has("ramp"):
        raise fields.fault("ramp", "expected either a surface or a ramp")
    if fields.has("surface"):
        floor = fields.inner("surface", ("height", "solid"))
        height = floor.number("height")
        return Surface(id=name, polygon=outline, low=height, high=height, solid=floor.flag("solid", True))
    if not fields.has("ramp"):
        return None
    ramp = fields.inner("ramp", ("low", "high", "foot", "head", "solid"))
    low, high = ramp.number("low"), ramp.number("high")
    if low >= high:
        raise ramp.fault("high", f"expected more than low, {low:g}, got {high:g}")
    foot, head = ramp.point("foot"), ramp.point("head")
    if foot == head:
        raise ramp.fault("head", "expected another place than the foot")
    return Surface(id=name, polygon=outline, low=low, high=high, foot=foot, head=head, solid=ramp.flag("solid", True))


@cache
def tables() -> tuple[str, ...]:
    """Names of all tables, sorted."""
    return _names_in("tables")


@cache
def table(name: str, size: str) -> Board:
    """A table as it is laid out for a size.

    Raises:
        RulesetError: there is no such table or size.
    """
    _known("table", name, tables())
    _known("size", size, SIZES)
    fields = _Fields(_load("tables", f"{name}.toml"), f"{name}.toml", known=("title", *SIZES))
    layout = fields.inner(size, ("width", "height", "features"))
    features = tuple(feature_from(piece.data, piece.where) for piece in layout.entries("features", _FEATURE))
    return Board(
        width=layout.number("width", least=1.0),
        height=layout.number("height", least=1.0),
        features=features,
        name=fields.text("title"),
    )


# ---- weapons, profiles, commands -------------------------------------------------------------------------------------


@cache
def weapons() -> Mapping[str, Weapon]:
    """Every weapon by its id, in the order of the file."""
    return MappingProxyType({name: _weapon(name, data) for name, data in _load("weapons.toml").items()})


def _weapon(name: str, data: Mapping[str, object]) -> Weapon:
    fields = _Fields(data, f"weapons.toml: {name}", known=("range", "rof", "force"))
    return Weapon(id=name, range=fields.number("range", 0.0), rof=fields.count("rof"), force=fields.count("force"))


_PROFILE = ("name", "move", "target_lock", "resolve", "number", "cost", "radius", "stature", "weapons", "rules")


@cache
def profiles() -> Mapping[str, Profile]:
    """Every profile by its id, in the order of the file."""
    return MappingProxyType({name: _profile(name, data) for name, data in _load("profiles.toml").items()})


def _profile(name: str, data: Mapping[str, object]) -> Profile:
    fields = _Fields(data, f"profiles.toml: {name}", known=_PROFILE)
    arms = weapons()
    for one in fields.names("weapons"):
        if one not in arms:
            raise fields.fault("weapons", f"expected known weapons, got {one!r}{nearest(one, tuple(arms))}")
    for one in fields.names("rules"):
        if one not in SPECIAL_RULES:
            raise fields.fault("rules", unknown_rule(one))
    return Profile(
        id=name,
        name=fields.text("name"),
        move=fields.number("move"),
        target_lock=fields.count("target_lock"),
        resolve=fields.count("resolve"),
        number=fields.count("number"),
        cost=fields.count("cost"),
        radius=fields.number("radius", 0.5),
        stature=fields.number("stature", 1.5),
        weapons=tuple(arms[one] for one in fields.names("weapons")),
        rules=fields.names("rules"),
    )


_PERMITS = ("split", "end_near", "pass_models", "through_cover", "pay_descent")
_GAINS = ("gains_moving", "gains_shooting", "gains")
_REACH = ("distance", "inches", "like", "distance_override")
_COMMAND = (*_REACH, "cover_ban", "shoots", "charges", "ordered", "answers", "aids", *_GAINS, "permits")
_AIDS = ("", "targeted", "charged")


@cache
def commands() -> Mapping[str, Command]:
    """Every command by its id, in the order of the file."""
    return MappingProxyType({name: _command(name, data) for name, data in _load("commands.toml").items()})


def _command(name: str, data: Mapping[str, object]) -> Command:
    fields = _Fields(data, f"commands.toml: {name}", known=_COMMAND)
    distance = fields.text("distance", "none")
    if distance not in _DISTANCES:
        raise fields.fault("distance", f"expected one of {', '.join(_DISTANCES)}, got {distance!r}")
    aids = fields.text("aids", "")
    if aids not in _AIDS:
        raise fields.fault("aids", f"expected one of {', '.join(_AIDS[1:])}, got {aids!r}")
    permits = fields.inner("permits", _PERMITS)
    return Command(
        id=name,
        distance=cast("Literal['none', 'move', 'run', 'fixed']", distance),
        inches=fields.number("inches", 0.0),
        like=fields.text("like", ""),
        distance_override=fields.number("distance_override") if fields.has("distance_override") else None,
        cover_ban=fields.flag("cover_ban", False),
        shoots=fields.flag("shoots", False),
        charges=fields.flag("charges", False),
        ordered=fields.flag("ordered", True),
        answers=fields.flag("answers", True),
        aids=cast("Literal['', 'targeted', 'charged']", aids),
        gains_moving=fields.names("gains_moving"),
        gains_shooting=fields.names("gains_shooting"),
        gains=fields.names("gains"),
        permits=Permits(**{one: permits.flag(one, False) for one in _PERMITS}),
    )


# ---- armies ----------------------------------------------------------------------------------------------------------


@cache
def armies() -> tuple[str, ...]:
    """Names of all armies, sorted."""
    return _names_in("armies")


@cache
def army(name: str) -> ArmyList:
    """An army by name.

    Raises:
        RulesetError: there is no such army.
    """
    _known("army", name, armies())
    fields = _Fields(_load("armies", f"{name}.toml"), f"{name}.toml", known=("title", "units"))
    units = fields.inner("units", SIZES)
    return ArmyList(name=name, title=fields.text("title"), **{size: _roster(units, size) for size in SIZES})


def _roster(units: _Fields, size: str) -> tuple[tuple[str, str], ...]:
    """Title and profile of each unit listed for a size."""
    known = tuple(profiles())
    roster = []
    for entry in units.entries(size, ("title", "profile")):
        if entry.text("profile") not in known:
            raise entry.fault("profile", f"expected a known profile{nearest(entry.text('profile'), known)}")
        roster.append((entry.text("title"), entry.text("profile")))
    return tuple(roster)


def _muster(name: str, size: str) -> tuple[tuple[str, str], ...]:
    return army(name).units_for(size)


def compose_units(army: str, side: str, size: str) -> tuple[VoidUnit, ...]:
    """The units of an army for one side, none of their models on the table yet.

    Args:
        army: name of the army.
        side: ``red`` or ``blue``; its units are called R1, R2 ... or B1, B2 ..., their models R1a, R1b ...
        size: size of the game.

    Raises:
        RulesetError: there is no such army, side or size.
    """
    _known("side", side, SIDES)
    known, initial = profiles(), side[0].upper()
    units = []
    for number, (title, profile) in enumerate(_muster(army, size), start=1):
        letters = ascii_lowercase[: known[profile].number]
        radius: Inches = known[profile].radius
        units.append(
            VoidUnit(
                id=f"{initial}{number}",
                side=side,
                name=title,
                profile=profile,
                radius=radius,
                mustered=len(letters),
                reserve=tuple(f"{initial}{number}{letter}" for letter in letters),
            )
        )
    return tuple(units)
