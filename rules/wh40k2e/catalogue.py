"""The catalogue: weapons, profiles, armies and tables, read once from the data files beside this module."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import islice
from string import ascii_lowercase
from types import MappingProxyType
from typing import Any, TypeVar

from tactician.rules.core.decoding import BAD, decode
from tactician.rules.core.files import Faults
from tactician.rules.core.forms import nearest
from tactician.rules.core.ruleset import RulesetError
from tactician.rules.core.state import SIDES
from tactician.rules.core.terrain import Board
from tactician.rules.wh40k2e.file_data import read_profile, read_weapon
from tactician.rules.wh40k2e.file_form import ArmsForm, LayoutForm, ProfileForm, RosterForm, WeaponForm
from tactician.rules.wh40k2e.file_terrain import read_feature
from tactician.rules.wh40k2e.profiles import Profile, Weapon
from tactician.rules.wh40k2e.state import Squad

__all__ = [
    "SIZES",
    "USUAL",
    "ArmyList",
    "Gear",
    "armies",
    "army",
    "compose_units",
    "gear_for",
    "profiles",
    "rating",
    "table",
    "tables",
    "weapons",
]

SIZES = ("duel", "skirmish", "battle")
"""Every size of a game, the smallest first."""

USUAL = ("marines", "orks")
"""Red's and blue's army where nobody names one."""

Gear = tuple[tuple[str, tuple[str, ...]], ...]

_PACKAGE = "tactician.rules.wh40k2e"

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmyForm:
    """An army in its file."""

    title: str
    rating: int
    duel: tuple[RosterForm, ...]
    skirmish: tuple[RosterForm, ...]
    battle: tuple[RosterForm, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableForm:
    """A table in its file, laid out for every size."""

    title: str
    duel: LayoutForm
    skirmish: LayoutForm
    battle: LayoutForm


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmyList:
    """An army: the units that it musters for each size."""

    name: str
    title: str
    """What a player calls it."""
    rating: int
    """Its strategy rating."""
    rosters: tuple[tuple[str, tuple[RosterForm, ...]], ...]
    """Its units for each size, in the order of their ids."""

    def units_for(self, size: str) -> tuple[RosterForm, ...]:
        """The units of a game of this size.

        Raises:
            RulesetError: there is no such size.
        """
        _known("size", size, SIZES)
        return dict(self.rosters)[size]


# ---- reading ---------------------------------------------------------------------------------------------------------


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


def _read(form: type[T], data: object, where: str, faults: Faults) -> T:
    """A thing of a file.

    Raises:
        BadInput: it is not as its form says.
    """
    found = decode(form, data, where, faults)
    if found is BAD:
        faults.check()
    assert isinstance(found, form)
    return found


def _names_in(folder: str) -> tuple[str, ...]:
    """Names of the files in a folder of the data, sorted, so that a new file needs no list."""
    found = [one.name for one in (files(_PACKAGE) / "data" / folder).iterdir()]
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


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
    faults = Faults()
    form = _read(TableForm, _load("tables", f"{name}.toml"), f"{name}.toml", faults)
    layout: LayoutForm = getattr(form, size)
    pieces = [
        read_feature(piece, f"{name}.toml.{size}.features[{i}]", faults) for i, piece in enumerate(layout.features)
    ]
    faults.check()
    found = tuple(piece for piece in pieces if piece is not None)
    return Board(width=layout.width, height=layout.height, features=found, name=form.title)


@cache
def weapons() -> Mapping[str, Weapon]:
    """Every weapon by its id, in the order of the file."""
    faults = Faults()
    found = {
        name: read_weapon(_read(WeaponForm, data, name, faults), name, name, faults)
        for name, data in _load("weapons.toml").items()
    }
    faults.check()
    return MappingProxyType(found)


@cache
def profiles() -> Mapping[str, Profile]:
    """Every profile by its id, in the order of the file."""
    faults = Faults()
    found = {
        name: read_profile(_read(ProfileForm, data, name, faults), name, name, weapons(), faults)
        for name, data in _load("profiles.toml").items()
    }
    faults.check()
    return MappingProxyType(found)


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
    faults = Faults()
    form = _read(ArmyForm, _load("armies", f"{name}.toml"), f"{name}.toml", faults)
    for size in SIZES:
        for i, row in enumerate(getattr(form, size)):
            _check_row(row, f"{name}.toml.{size}[{i}]", faults)
    faults.check()
    rosters = tuple((size, getattr(form, size)) for size in SIZES)
    return ArmyList(name=name, title=form.title, rating=form.rating, rosters=rosters)


def _check_row(row: RosterForm, where: str, faults: Faults) -> None:
    """Note unknown names, and more models with other weapons than there are models."""
    if row.profile not in profiles():
        faults.unknown(f"{where}.profile", "profile", row.profile, tuple(profiles()))
    for one in (*(row.weapons or ()), *(name for arms in row.arms for name in arms.weapons)):
        if one not in weapons():
            faults.unknown(where, "weapon", one, tuple(weapons()))
    if row.number > len(ascii_lowercase):
        faults.wrong(f"{where}.number", row.number, f"at most {len(ascii_lowercase)} models, a letter each")
    if sum(arms.count for arms in row.arms) > row.number:
        faults.add(f"{where}.arms", f"arms for more than {row.number} models")


def rating(name: str) -> int:
    """The strategy rating of an army.

    Raises:
        RulesetError: there is no such army.
    """
    return army(name).rating


def gear_for(models: tuple[str, ...], arms: tuple[ArmsForm, ...], usual: tuple[str, ...]) -> Gear:
    """Who carries what: the first models what the rows say, one row after another, the rest what is usual."""
    rows = [row.weapons for row in arms for _ in range(row.count)]
    return tuple((model, rows[i] if i < len(rows) else usual) for i, model in enumerate(models))


def compose_units(army_name: str, side: str, size: str) -> tuple[Squad, ...]:
    """The units of an army for one side, none of their models on the table yet.

    Args:
        army_name: name of the army.
        side: ``red`` or ``blue``; its units are called R1, R2 ... or B1, B2 ..., their models R1a, R1b ...
        size: size of the game.

    Raises:
        RulesetError: there is no such army, side or size.
    """
    _known("side", side, SIDES)
    initial = side[0].upper()
    units = []
    for number, row in enumerate(army(army_name).units_for(size), start=1):
        profile = profiles()[row.profile]
        models = tuple(f"{initial}{number}{letter}" for letter in islice(ascii_lowercase, row.number))
        units.append(
            Squad(
                id=f"{initial}{number}",
                side=side,
                name=row.title,
                profile=row.profile,
                radius=profile.radius,
                gear=gear_for(models, row.arms, profile.weapons if row.weapons is None else row.weapons),
                reserve=models,
                mustered=len(models),
                at_turn=len(models),
            )
        )
    return tuple(units)
