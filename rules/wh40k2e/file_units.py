"""The armies of a battle, out of its file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tactician.rules.core.battle_form import (
    Standing,
    base_radius,
    check_id,
    check_once,
    check_standing,
    formation_models,
    placed_models,
)
from tactician.rules.core.files import Faults
from tactician.rules.core.measure import Inches
from tactician.rules.core.state import SIDES, Model
from tactician.rules.wh40k2e import catalogue
from tactician.rules.wh40k2e.catalogue import Gear, gear_for
from tactician.rules.wh40k2e.file_form import STATUS, BattleForm, SideForm, UnitForm
from tactician.rules.wh40k2e.file_table import raw_names
from tactician.rules.wh40k2e.profiles import Profile, Weapon
from tactician.rules.wh40k2e.state import Squad, SquadTable

__all__ = ["read_units"]

Placed = tuple[tuple[str, Model], ...]

OF_UNIT = ("charged", "failed", "recharging")
"""Status that lists models of the unit."""

BY_MODEL = ("charge", "hurt", "jams", "walked")
"""Status that says something about models of the unit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """Names that units can use; None stands for what could not be read."""

    profiles: Mapping[str, Profile | None]
    weapons: Mapping[str, Weapon | None]


def read_units(form: BattleForm, data: Mapping[str, Any], table: SquadTable, faults: Faults) -> tuple[Squad, ...]:
    """All units, sorted by id within red, then blue; faults are noted."""
    known = _Known(
        profiles={**dict.fromkeys(raw_names(data, "profiles")), **dict(table.profiles)},
        weapons={**dict.fromkeys(raw_names(data, "weapons")), **dict(table.weapons)},
    )
    units: list[Squad] = []
    places: list[tuple[str, UnitForm, Squad]] = []
    named: list[tuple[str, str]] = []
    standing: list[Standing] = []
    for side in SIDES:
        half = form.sides.red if side == "red" else form.sides.blue
        units += _mustered(half, side, form.scenario.size)
        for i, entry in enumerate(half.units):
            where = f"sides.{side}.units[{i}]"
            unit, placed = _unit(entry, side, where, known, faults)
            units.append(unit)
            places.append((where, entry, unit))
            named += _named(entry, where, placed)
            standing += [Standing(place, model.id, model.pose, unit.radius) for place, model in placed]
    if not units and not faults.within("sides"):
        faults.add("sides", "no units", "at least one unit")
    check_once(((f"{where}.id", entry.id) for where, entry, _ in places), "unit", faults)
    check_once(named, "model", faults)
    if not faults.within("board", "table"):
        check_standing(table.board, standing, faults)
    if not faults.within("sides"):
        for where, _, unit in places:
            _check_status(where, unit, tuple(units), known.profiles.get(unit.profile), faults)
    return tuple(sorted(units, key=lambda unit: (SIDES.index(unit.side), unit.id)))


def _mustered(half: SideForm, side: str, size: str) -> tuple[Squad, ...]:
    """The units of an army of the catalogue, where the file names one and lists no units of its own."""
    if half.units or half.army not in catalogue.armies() or size not in catalogue.SIZES:
        return ()
    return catalogue.compose_units(half.army, side, size)


def _named(form: UnitForm, where: str, placed: Placed) -> list[tuple[str, str]]:
    """Every model of a unit, on the table or not, with its field."""
    found = [(place.removesuffix(".at"), model.id) for place, model in placed]
    for key in ("reserve", "lost"):
        found += [(f"{where}.{key}[{i}]", name) for i, name in enumerate(getattr(form, key))]
    return found


def _unit(form: UnitForm, side: str, where: str, known: _Known, faults: Faults) -> tuple[Squad, Placed]:
    """A unit, and its models with the fields that they come from."""
    check_id(form.id, f"{where}.id", faults)
    for key in ("reserve", "lost"):
        for i, name in enumerate(getattr(form, key)):
            check_id(name, f"{where}.{key}[{i}]", faults)
    name = _profile_name(form, where, known.profiles, faults)
    profile = known.profiles.get(name)
    models = form.models or ()
    bases = [(f"{where}.base", form.base)]
    bases += [(f"{where}.models[{i}].base", model.base) for i, model in enumerate(models)]
    radius = base_radius(bases, None if profile is None else profile.radius, faults)
    placed = _placed(form, where, radius, faults)
    on_table = tuple(model for _, model in placed)
    mustered = len(on_table) + len(form.reserve) + len(form.lost)
    unit = Squad(
        id=form.id,
        side=side,
        name=form.name or (form.id if profile is None else profile.name),
        profile=name,
        radius=0.5 if radius is None else radius,
        models=on_table,
        gear=_gear(form, where, on_table, profile, known.weapons, faults),
        lost=form.lost,
        reserve=form.reserve,
        mustered=mustered if form.mustered is None else form.mustered,
        at_turn=(len(on_table) or mustered) if form.at_turn is None else form.at_turn,
        **_status(form, where, profile, faults),
    )
    return unit, placed


def _status(form: UnitForm, where: str, profile: Profile | None, faults: Faults) -> dict[str, Any]:
    """The status of a unit; wounds left of single models count as wounds lost."""
    found = {name: getattr(form, name) for name in STATUS}
    found = {name: tuple(value.items()) if isinstance(value, Mapping) else value for name, value in found.items()}
    hurt = dict(found["hurt"])
    for i, model in enumerate(form.models or ()):
        if model.wounds is None or profile is None:
            continue
        if model.wounds > profile.wounds:
            expected = f"at most {profile.wounds}, as {profile.id} has"
            faults.wrong(f"{where}.models[{i}].wounds", model.wounds, expected)
        elif model.wounds < profile.wounds:
            hurt[model.id] = profile.wounds - model.wounds
    return {**found, "hurt": tuple(hurt.items())}


def _profile_name(form: UnitForm, where: str, known: Mapping[str, Profile | None], faults: Faults) -> str:
    """The one profile of a unit, named by it or by its models."""
    given = [] if form.profile is None else [(f"{where}.profile", form.profile)]
    for i, model in enumerate(form.models or ()):
        given += [] if model.profile is None else [(f"{where}.models[{i}].profile", model.profile)]
    if not given:
        if not faults.within(f"{where}.profile", f"{where}.models"):
            faults.add(f"{where}.profile", f"missing: {form.id} has no profile", "the name of one")
        return ""
    names = sorted({name for _, name in given})
    for place, name in given:
        if name not in known:
            faults.unknown(place, "profile", name, tuple(known))
            return name
    if len(names) > 1:
        faults.add(given[0][0], f"the models of {form.id} have several profiles: {', '.join(names)}", "one for all")
    return given[0][1]


def _placed(form: UnitForm, where: str, radius: Inches | None, faults: Faults) -> Placed:
    if form.models is not None and form.formation is not None:
        faults.add(f"{where}.formation", "a formation beside models", "one of the two")
    if form.models is not None:
        return placed_models(form.models, f"{where}.models", faults)
    if form.formation is not None:
        return formation_models(form.formation, form.id, radius or 0.5, f"{where}.formation", faults)
    if not form.reserve and not form.lost and not faults.within(f"{where}."):
        faults.add(f"{where}.models", f"missing: {form.id} has no models", "models, a formation, or a reserve")
    return ()


# ---- what they carry -------------------------------------------------------------------------------------------------


def _gear(
    form: UnitForm,
    where: str,
    on_table: tuple[Model, ...],
    profile: Profile | None,
    weapons: Mapping[str, Weapon | None],
    faults: Faults,
) -> Gear:
    """Weapons of every model: its own, else what the rows say, else the unit's, else the profile's."""
    for place, name in _weapon_names(form, where):
        if name not in weapons:
            faults.unknown(place, "weapon", name, tuple(weapons))
    models = (*(model.id for model in on_table), *form.reserve, *form.lost)
    own = {model.id: model.weapons for model in form.models or () if model.weapons is not None}
    own |= form.gear
    for name in form.gear:
        if name not in models:
            faults.unknown(f"{where}.gear.{name}", f"model of {form.id}", name, models)
    rest = tuple(name for name in models if name not in own)
    if sum(row.count for row in form.arms) > len(rest):
        faults.add(f"{where}.arms", "arms for more models than there are", f"at most {len(rest)}")
    usual = form.weapons if form.weapons is not None else profile.weapons if profile is not None else ()
    found = {**own, **dict(gear_for(rest, form.arms, usual))}
    order = dict.fromkeys((*(name for name in form.gear if name in models), *models))
    return tuple((name, found[name]) for name in order)


def _weapon_names(form: UnitForm, where: str) -> Iterator[tuple[str, str]]:
    """Every weapon that a unit names, with its field."""
    yield from ((f"{where}.weapons[{i}]", name) for i, name in enumerate(form.weapons or ()))
    for i, row in enumerate(form.arms):
        yield from ((f"{where}.arms[{i}].weapons[{j}]", name) for j, name in enumerate(row.weapons))
    for i, model in enumerate(form.models or ()):
        yield from ((f"{where}.models[{i}].weapons[{j}]", name) for j, name in enumerate(model.weapons or ()))
    for model_id, names in form.gear.items():
        yield from ((f"{where}.gear.{model_id}[{j}]", name) for j, name in enumerate(names))


# ---- status ----------------------------------------------------------------------------------------------------------


def _check_status(where: str, unit: Squad, units: tuple[Squad, ...], profile: Profile | None, faults: Faults) -> None:
    """Note status that names models or units which do not exist, or counts what cannot be."""
    own = tuple(name for name, _ in unit.gear)
    for key in OF_UNIT:
        for i, name in enumerate(getattr(unit, key)):
            if name not in own:
                faults.unknown(f"{where}.{key}[{i}]", f"model of {unit.id}", name, own)
    for key in BY_MODEL:
        for name, _ in getattr(unit, key):
            if name not in own:
                faults.unknown(f"{where}.{key}.{name}", f"model of {unit.id}", name, own)
    enemies = tuple(one for one in units if one.side != unit.side)
    _check_enemies(where, unit, enemies, faults)
    for name, lost in unit.hurt:
        if profile is not None and not 0 < lost < profile.wounds:
            faults.wrong(f"{where}.hurt.{name}", lost, f"more than 0 and less than its wounds, {profile.wounds}")
    for name, left in unit.jams:
        if left < 1:
            faults.wrong(f"{where}.jams.{name}", left, "at least 1")
    for name, far in unit.walked:
        if far < 0.0:
            faults.wrong(f"{where}.walked.{name}", far, "at least 0")
    if unit.breaks < 0:
        faults.wrong(f"{where}.breaks", unit.breaks, "at least 0")


def _check_enemies(where: str, unit: Squad, enemies: tuple[Squad, ...], faults: Faults) -> None:
    ids = tuple(one.id for one in enemies)
    for i, name in enumerate(unit.spotters):
        if name not in ids:
            faults.unknown(f"{where}.spotters[{i}]", "enemy unit", name, ids)
    models = tuple(name for one in enemies for name, _ in one.gear)
    for name, target in unit.charge:
        if target not in models:
            faults.unknown(f"{where}.charge.{name}", "enemy model", target, models)
