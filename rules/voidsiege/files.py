"""A battle as JSON-able data and back.

`to_data` writes any moment so that `from_data` reads it back equal. A file written by hand may leave out whatever has a
natural default; positions are put on the grid; everything wrong is reported at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from math import inf
from typing import Any

from tactician.rules.core.codec import encode
from tactician.rules.core.decoding import BAD, decode
from tactician.rules.core.files import BadInput, Faults, wanted_format
from tactician.rules.core.files_schema import published
from tactician.rules.core.movement import disorder_of
from tactician.rules.core.state import SIDES
from tactician.rules.core.terrain import Board, Feature, Surface
from tactician.rules.voidsiege.file_agenda import FRAMES, opening, read_agenda
from tactician.rules.voidsiege.file_form import FORMAT, BattleForm
from tactician.rules.voidsiege.file_table import read_table
from tactician.rules.voidsiege.file_units import read_units
from tactician.rules.voidsiege.movement import coherency_rule
from tactician.rules.voidsiege.profiles import Command, Profile
from tactician.rules.voidsiege.state import VoidState, VoidTable, VoidUnit

__all__ = ["from_data", "notices", "schema", "to_data"]


# ---- reading ---------------------------------------------------------------------------------------------------------


def from_data(data: Mapping[str, Any], settle: Callable[[VoidState], VoidState] | None = None) -> VoidState:
    """The moment of a battle that data stands for.

    Args:
        data: an object as `BattleForm` describes it
        settle: what runs the rules until somebody must decide, for files without an agenda

    Raises:
        BadInput: with every fault found, each naming its field and what was expected.
    """
    wanted_format(data, FORMAT)
    faults = Faults()
    form: BattleForm = decode(BattleForm, data, "", faults)
    if form is BAD:
        raise BadInput(faults.found)
    armies_whole = not faults.within("sides")
    _check_ruleset(form, faults)
    table = read_table(form, data, faults)
    units = read_units(form, data, table, faults)
    agenda = read_agenda(form, table, units, faults, armies_whole=armies_whole)
    faults.check()
    first = form.first if form.first is not None else form.scenario.first or form.active or ""
    pool = round(table.inches("command_points")) if form.points is None else 0
    state = VoidState(
        table=table,
        units=units,
        agenda=agenda,
        round=form.turn,
        points=(pool, pool) if form.points is None else (form.points.red, form.points.blue),
        score=(form.score.red, form.score.blue),
        threat=(0, 0) if form.threat is None else (form.threat.red, form.threat.blue),
        first=first,
        defender=form.defender if form.defender is not None else form.scenario.defender,
        ended=form.ended,
        winner=form.winner,
    )
    if form.agenda is not None:
        return state
    state = opening(state, form)
    return state if settle is None else settle(state)


def _version() -> str:
    """Version of the rules; looked up late, as the rules know this module."""
    from tactician.rules.voidsiege.rules import VERSION

    return VERSION


def _check_ruleset(form: BattleForm, faults: Faults) -> None:
    name = form.ruleset if isinstance(form.ruleset, str) else form.ruleset.id
    version, present = "" if isinstance(form.ruleset, str) else form.ruleset.version, _version()
    if name != "voidsiege":
        faults.unknown("ruleset", "ruleset", name, ("voidsiege",))
    if version and version != present and form.agenda is not None:
        faults.add("ruleset.version", f"an agenda of version {version}", f"version {present}, or no agenda")


def notices(state: VoidState) -> tuple[str, ...]:
    """What is legal to load and yet worth a word: units that are not in one piece."""
    rule = coherency_rule(state)
    return tuple(
        f"{unit.name} ({unit.id}) stands in {count} pieces"
        for unit in state.units
        if unit.models and (count := disorder_of(state, unit, rule)) > 1
    )


def schema() -> dict[str, Any]:
    """JSON schema of battle, action, case and record files."""
    return published(BattleForm, FRAMES)


# ---- writing ---------------------------------------------------------------------------------------------------------


def to_data(state: VoidState) -> dict[str, Any]:
    """The moment as data that `from_data` reads back equal, in the middle of anything."""
    table = state.table
    data = {
        "format": FORMAT,
        "ruleset": {"id": "voidsiege", "version": _version()},
        "complete": True,
        "options": dict(table.options),
        "scenario": _scenario_data(table),
        "board": _board_data(table.board),
        "profiles": {name: _profile_data(profile) for name, profile in table.profiles},
        "commands": {name: _named_data(command) for name, command in table.commands},
        "sides": {side: {"units": [_unit_data(u) for u in state.units if u.side == side]} for side in SIDES},
        "turn": state.round,
        "points": dict(zip(SIDES, state.points, strict=True)),
        "score": dict(zip(SIDES, state.score, strict=True)),
        "threat": dict(zip(SIDES, state.threat, strict=True)),
        "first": state.first,
        "defender": state.defender,
        "ended": state.ended,
        "winner": state.winner,
        "agenda": encode(state.agenda),
    }
    return {**data, "switched_off": sorted(table.switched_off)} if table.switched_off else data


def _scenario_data(table: VoidTable) -> dict[str, Any]:
    data: dict[str, Any] = {"mission": table.mission, "size": table.size, "turns": table.turns}
    if table.defender:
        data["defender"] = table.defender
    if table.objectives:
        data["objectives"] = encode(table.objectives)
    if table.headquarters:
        data["headquarters"] = encode(table.headquarters)
    return data


def _board_data(board: Board) -> dict[str, Any]:
    features = [_feature_data(feature) for feature in board.features]
    return {"name": board.name, "width": board.width, "height": board.height, "features": features}


def _feature_data(feature: Feature) -> dict[str, Any]:
    data: dict[str, Any] = {"id": feature.id, "shape": {"polygon": encode(feature.outline.points)}}
    if feature.kind:
        data["kind"] = feature.kind
    if feature.blocks:
        data["impassable"] = True
    if feature.bottom:
        data["bottom"] = feature.bottom
    if feature.top != inf:
        data["height"] = feature.top
    traits = dict(feature.traits)
    cover = traits.get("cover")
    if isinstance(cover, int | float) and not isinstance(cover, bool):
        data["cover"] = traits.pop("cover")
    if traits:
        data["traits"] = traits
    return data if feature.surface is None else {**data, **_surface_data(feature.surface)}


def _surface_data(surface: Surface) -> dict[str, Any]:
    solid: dict[str, Any] = {} if surface.solid else {"solid": False}
    if surface.foot is None or surface.head is None:
        return {"surface": {"height": surface.high, **solid}}
    slope = {"low": surface.low, "high": surface.high, "foot": list(surface.foot), "head": list(surface.head)}
    return {"ramp": {**slope, **solid}}


def _profile_data(profile: Profile) -> dict[str, Any]:
    data = {one.name: getattr(profile, one.name) for one in fields(profile) if one.name not in ("id", "weapons")}
    weapons = [{"id": weapon.id, **encode(weapon)} for weapon in profile.weapons]
    return {**encode(data), "weapons": weapons}


def _named_data(command: Command) -> dict[str, Any]:
    return {key: value for key, value in encode(command).items() if key != "id"}


def _unit_data(unit: VoidUnit) -> dict[str, Any]:
    models = [{"id": model.id, **encode(model.pose)} for model in unit.models]
    data: dict[str, Any] = {
        "id": unit.id,
        "name": unit.name,
        "profile": unit.profile,
        "base": {"radius": unit.radius},
        "models": models,
        "mustered": unit.mustered,
    }
    for key in ("reserve", "lost", "restrictions", "ditching", "move_value", "move_distance", "scouting", "refunded"):
        value = getattr(unit, key)
        if value:
            data[key] = encode(value)
    return data
