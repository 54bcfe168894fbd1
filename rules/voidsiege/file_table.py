"""What a battle shares, out of its file: options, mission, terrain, catalogue with the file's own entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from math import inf
from typing import Any

from tactician.rules.core.battle_form import check_id, check_once, polygon_of
from tactician.rules.core.files import Faults
from tactician.rules.core.forms import nearest
from tactician.rules.core.ruleset import Option, OptionValue
from tactician.rules.core.shapes import Point
from tactician.rules.core.terrain import GROUND, Board, Feature, Surface
from tactician.rules.voidsiege import catalogue
from tactician.rules.voidsiege.file_form import (
    BattleForm,
    BoardForm,
    FeatureForm,
    ProfileForm,
    ScenarioForm,
    WeaponForm,
)
from tactician.rules.voidsiege.options import OPTIONS
from tactician.rules.voidsiege.profiles import SPECIAL_RULES, Command, Profile, Weapon
from tactician.rules.voidsiege.scenario import MISSIONS
from tactician.rules.voidsiege.scope import unknown_mission, unknown_rule
from tactician.rules.voidsiege.state import VoidTable

__all__ = ["read_table"]

EMPTY = Board(width=48.0, height=48.0)
"""Stands in for a table that cannot be read, so that the rest of the file is still looked at."""


def read_table(form: BattleForm, data: Mapping[str, Any], faults: Faults) -> VoidTable:
    """The shared part of a battle; faults are noted, and what cannot be read is left out."""
    scenario = form.scenario
    if scenario.size not in catalogue.SIZES:
        faults.unknown("scenario.size", "size", scenario.size, catalogue.SIZES)
    mission = MISSIONS.get(scenario.mission)
    if mission is None:
        faults.add("scenario.mission", unknown_mission(scenario.mission, tuple(MISSIONS)))
    turns = scenario.turns if scenario.turns is not None else (mission.turns if mission is not None else 1)
    arms = _weapons(form)
    return VoidTable(
        board=_board(form, data, faults),
        switched_off=frozenset(form.switched_off),
        profiles=_profiles(form, arms, faults),
        commands=_commands(form, faults),
        options=_options(form, faults),
        mission=scenario.mission,
        size=scenario.size,
        turns=turns,
        defender=scenario.defender,
        objectives=scenario.objectives,
        headquarters=_headquarters(scenario, faults),
    )


def _headquarters(scenario: ScenarioForm, faults: Faults) -> tuple[Point, ...]:
    """One for each side, or none."""
    if len(scenario.headquarters) not in (0, 2):
        faults.add("scenario.headquarters", f"{len(scenario.headquarters)} places", "two: red's, then blue's")
        return ()
    return scenario.headquarters


# ---- options ---------------------------------------------------------------------------------------------------------


def _options(form: BattleForm, faults: Faults) -> tuple[tuple[str, OptionValue], ...]:
    known = {option.name: option for option in OPTIONS}
    for name, value in form.options.items():
        option = known.get(name)
        if option is None:
            faults.unknown(f"options.{name}", "option", name, tuple(known))
        elif not _takes(option, value):
            faults.wrong(f"options.{name}", value, _values(option))
    given = form.options if form.complete else {}  # a complete file keeps its order; what is new since has its default
    order = dict.fromkeys((*given, *known))
    return tuple((name, form.options.get(name, known[name].default)) for name in order if name in known)


def _takes(option: Option, value: OptionValue) -> bool:
    if option.values:
        return any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in option.values)
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= option.least


def _values(option: Option) -> str:
    if not option.values:
        return f"a number of at least {option.least:g}"
    return f"one of {', '.join(str(one).lower() if isinstance(one, bool) else repr(one) for one in option.values)}"


# ---- terrain ---------------------------------------------------------------------------------------------------------


def _board(form: BattleForm, data: Mapping[str, Any], faults: Faults) -> Board:
    if form.board is not None and form.table is not None:
        faults.add("table", "a table by name beside a board", "one of the two")
    if form.board is not None:
        return _own_board(form.board, faults)
    if form.table is None:
        if not faults.within("board", "table"):
            faults.add("board", "missing", f"a board, or a table by name: {', '.join(catalogue.tables())}")
        return EMPTY
    if form.table not in catalogue.tables():
        faults.unknown("table", "table", form.table, catalogue.tables())
        return EMPTY
    return catalogue.table(form.table, form.scenario.size) if form.scenario.size in catalogue.SIZES else EMPTY


def _own_board(form: BoardForm, faults: Faults) -> Board:
    places = [(f"board.features[{i}]", feature) for i, feature in enumerate(form.features)]
    check_once(((f"{where}.id", feature.id) for where, feature in places), "piece", faults)
    features = [_feature(feature, where, faults) for where, feature in places]
    found = tuple(feature for feature in features if feature is not None)
    return Board(width=form.width, height=form.height, features=found, name=form.name)


def _feature(form: FeatureForm, where: str, faults: Faults) -> Feature | None:
    check_id(form.id, f"{where}.id", faults)
    if form.id == GROUND:
        faults.add(f"{where}.id", f"the name {GROUND!r} is taken by the table itself", "another id")
    outline = polygon_of(form.shape, f"{where}.shape", faults)
    if form.height is not None and form.height <= form.bottom:
        faults.add(f"{where}.height", f"found {form.height:g}", f"more than the bottom, {form.bottom:g}")
    if form.surface is not None and form.ramp is not None:
        faults.add(f"{where}.ramp", "a ramp beside a surface", "one of the two")
    if form.ramp is not None and form.ramp.foot == form.ramp.head:
        faults.add(f"{where}.ramp.head", "the same point as the foot", "the point where the slope ends")
    if outline is None:
        return None
    surface = None
    if form.surface is not None:
        height = form.surface.height
        surface = Surface(id=form.id, polygon=outline, low=height, high=height, solid=form.surface.solid)
    elif form.ramp is not None:
        slope = form.ramp
        surface = Surface(
            id=form.id,
            polygon=outline,
            low=slope.low,
            high=slope.high,
            foot=slope.foot,
            head=slope.head,
            solid=slope.solid,
        )
    return Feature(
        id=form.id,
        outline=outline,
        kind=form.kind,
        blocks=form.impassable,
        bottom=form.bottom,
        top=inf if form.height is None else form.height,
        surface=surface,
        traits=_traits(form),
    )


def _traits(form: FeatureForm) -> tuple[tuple[str, float | bool | str], ...]:
    traits = dict(form.traits)
    if form.cover is not None:
        traits["cover"] = form.cover
    return tuple(sorted(traits.items()))


# ---- weapons, profiles, commands -------------------------------------------------------------------------------------


def _weapons(form: BattleForm) -> dict[str, Weapon]:
    own = {name: _weapon(weapon, name) for name, weapon in form.weapons.items()}
    return {**({} if form.complete else dict(catalogue.weapons())), **own}


def _weapon(form: WeaponForm, name: str) -> Weapon:
    return Weapon(id=form.id or name, range=form.range, rof=form.rof, force=form.force)


def _profiles(form: BattleForm, arms: dict[str, Weapon], faults: Faults) -> tuple[tuple[str, Profile], ...]:
    known = {} if form.complete else dict(catalogue.profiles())
    for name, profile in known.items():
        known[name] = replace(profile, weapons=tuple(arms[weapon.id] for weapon in profile.weapons))
    for name, entry in form.profiles.items():
        known[name] = _profile(form, entry, name, arms, faults)
    return tuple(known.items())


def _profile(battle: BattleForm, form: ProfileForm, name: str, arms: dict[str, Weapon], faults: Faults) -> Profile:
    weapons = []
    for i, one in enumerate(form.weapons):
        where = f"profiles.{name}.weapons[{i}]"
        if isinstance(one, WeaponForm):
            if not one.id:
                faults.add(f"{where}.id", "missing", "the weapon's name")
            weapons.append(_weapon(one, one.id))
        elif one in arms:
            weapons.append(arms[one])
        elif not faults.within(f"weapons.{one}"):
            faults.unknown(where, "weapon", one, tuple(arms))
    for i, rule in enumerate(form.rules):
        if rule not in SPECIAL_RULES:
            faults.add(f"profiles.{name}.rules[{i}]", unknown_rule(rule))
    return Profile(
        id=name,
        name=form.name or name,
        move=form.move,
        target_lock=form.target_lock,
        resolve=form.resolve,
        number=form.number if form.number is not None else _largest(battle, name),
        cost=form.cost,
        radius=form.radius,
        stature=form.stature,
        weapons=tuple(weapons),
        rules=form.rules,
    )


def _largest(form: BattleForm, profile: str) -> int:
    """Models of the largest unit of a profile: what a full unit of it is taken to be."""
    sizes = [1]
    for unit in (*form.sides.red.units, *form.sides.blue.units):
        if unit.profile == profile or any(model.profile == profile for model in unit.models or ()):
            drawn = unit.formation.models if unit.formation is not None else unit.models or ()
            standing = drawn if isinstance(drawn, int) else len(drawn)
            sizes.append(unit.mustered or standing + len(unit.reserve) + len(unit.lost))
    return max(sizes)


def _commands(form: BattleForm, faults: Faults) -> tuple[tuple[str, Command], ...]:
    known = {} if form.complete else dict(catalogue.commands())
    for name, entry in form.commands.items():
        values = {one.name: getattr(entry, one.name) for one in fields(Command)}
        known[name] = Command(**{**values, "id": name})
    for name, command in known.items():
        if command.like and command.like not in known:
            place, hint = f"commands.{name}.like", nearest(command.like, tuple(known))
            faults.add(place, f"there is no command {command.like!r}", hint=hint)
    return tuple(known.items())
