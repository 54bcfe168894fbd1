"""The armies of a battle, out of its file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
from tactician.rules.voidsiege.file_form import BattleForm, UnitForm
from tactician.rules.voidsiege.profiles import Profile
from tactician.rules.voidsiege.state import VoidTable, VoidUnit

__all__ = ["read_units"]

Placed = tuple[tuple[str, Model], ...]


def read_units(form: BattleForm, data: Mapping[str, Any], table: VoidTable, faults: Faults) -> tuple[VoidUnit, ...]:
    """All units, sorted by id within red, then blue; faults are noted."""
    known = {**dict.fromkeys(_raw_names(data, "profiles")), **dict(table.profiles)}
    units: list[VoidUnit] = []
    named: list[tuple[str, str]] = []
    standing: list[Standing] = []
    for side in SIDES:
        entries = (form.sides.red if side == "red" else form.sides.blue).units
        for i, entry in enumerate(entries):
            where = f"sides.{side}.units[{i}]"
            unit, placed = _unit(entry, side, where, known, faults)
            _check_status(entry, where, table, faults)
            units.append(unit)
            named += _named(entry, where, placed)
            standing += [Standing(place, model.id, model.pose, unit.radius) for place, model in placed]
    if not units and not faults.within("sides"):
        faults.add("sides", "no units", "at least one unit")
    check_once(_unit_ids(form), "unit", faults)
    check_once(named, "model", faults)
    if not faults.within("board", "table"):
        whole = dict(table.options).get("table_edge", True) is not False
        check_standing(table.board, standing, faults, whole_base_on_table=whole)
    return tuple(sorted(units, key=lambda unit: (SIDES.index(unit.side), unit.id)))


def _raw_names(data: Mapping[str, Any], key: str) -> Iterable[str]:
    """Names that the file gives, whether or not what they stand for can be read."""
    found = data.get(key)
    return tuple(str(name) for name in found) if isinstance(found, Mapping) else ()


def _unit_ids(form: BattleForm) -> list[tuple[str, str]]:
    sides = {"red": form.sides.red, "blue": form.sides.blue}
    return [(f"sides.{s}.units[{i}].id", unit.id) for s, side in sides.items() for i, unit in enumerate(side.units)]


def _named(form: UnitForm, where: str, placed: Placed) -> list[tuple[str, str]]:
    """Every model of a unit, on the table or not, with its field."""
    found = [(place.removesuffix(".at"), model.id) for place, model in placed]
    for key in ("reserve", "lost"):
        found += [(f"{where}.{key}[{i}]", name) for i, name in enumerate(getattr(form, key))]
    return found


def _unit(
    form: UnitForm, side: str, where: str, known: Mapping[str, Profile | None], faults: Faults
) -> tuple[VoidUnit, Placed]:
    """A unit, and its models with the fields that they come from."""
    check_id(form.id, f"{where}.id", faults)
    name = _profile_name(form, where, known, faults)
    profile = known.get(name)
    models = form.models or ()
    bases = [(f"{where}.base", form.base)]
    bases += [(f"{where}.models[{i}].base", model.base) for i, model in enumerate(models)]
    radius = base_radius(bases, None if profile is None else profile.radius, faults)
    placed = _placed(form, where, radius, faults)
    on_table = tuple(model for _, model in placed)
    mustered = len(on_table) + len(form.reserve) + len(form.lost)
    unit = VoidUnit(
        id=form.id,
        side=side,
        name=form.name or (form.id if profile is None else profile.name),
        profile=name,
        radius=0.5 if radius is None else radius,
        models=on_table,
        mustered=mustered if form.mustered is None else form.mustered,
        reserve=form.reserve,
        lost=form.lost,
        restrictions=tuple(sorted(form.restrictions)),
        ditching=form.ditching,
        move_value=form.move_value,
        move_distance=form.move_distance,
        scouting=form.scouting,
        refunded=form.refunded,
    )
    return unit, placed


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


def _check_status(form: UnitForm, where: str, table: VoidTable, faults: Faults) -> None:
    known = sorted({name for _, command in table.commands for name in command.restricts})
    for i, name in enumerate(form.restrictions):
        if name not in known:
            faults.unknown(f"{where}.restrictions[{i}]", "restriction", name, known)
    for i, name in enumerate((*form.reserve, *form.lost)):
        key, number = ("reserve", i) if i < len(form.reserve) else ("lost", i - len(form.reserve))
        check_id(name, f"{where}.{key}[{number}]", faults)
