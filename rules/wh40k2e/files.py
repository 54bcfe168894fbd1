"""A battle as JSON-able data and back.

`to_data` writes any moment so that `from_data` reads it back equal. A file written by hand may leave out whatever
has a natural default; positions are put on the grid; everything wrong is reported at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from tactician.rules.core.codec import encode
from tactician.rules.core.coherency import disorder
from tactician.rules.core.decoding import BAD, decode
from tactician.rules.core.files import BadInput, Faults, wanted_format
from tactician.rules.core.files_schema import published
from tactician.rules.core.measure import TOL
from tactician.rules.core.state import SIDES
from tactician.rules.core.terrain import Board
from tactician.rules.wh40k2e.file_agenda import FRAMES, opening, read_agenda
from tactician.rules.wh40k2e.file_data import profile_data, weapon_data
from tactician.rules.wh40k2e.file_form import FORMAT, STATUS, BattleForm
from tactician.rules.wh40k2e.file_table import read_table
from tactician.rules.wh40k2e.file_terrain import feature_data
from tactician.rules.wh40k2e.file_units import read_units
from tactician.rules.wh40k2e.state import Squad, SquadState, SquadTable

__all__ = ["from_data", "notices", "pieces", "schema", "to_data"]


# ---- reading ---------------------------------------------------------------------------------------------------------


def from_data(data: Mapping[str, Any], settle: Callable[[SquadState], SquadState] | None = None) -> SquadState:
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
    armies_whole = armies_whole and not faults.within("sides")
    agenda = read_agenda(form, table, units, faults, armies_whole=armies_whole)
    faults.check()
    state = SquadState(
        table=table,
        units=units,
        agenda=agenda,
        round=form.turn,
        first=form.first if form.first is not None else form.scenario.first,
        ended=form.ended,
        winner=form.winner,
    )
    if form.agenda is not None:
        return state
    state = opening(state, form)
    return state if settle is None else settle(state)


def _version() -> str:
    """Version of the rules; looked up late, as the rules know this module."""
    from tactician.rules.wh40k2e.rules import VERSION

    return VERSION


def _check_ruleset(form: BattleForm, faults: Faults) -> None:
    name = form.ruleset if isinstance(form.ruleset, str) else form.ruleset.id
    version = "" if isinstance(form.ruleset, str) else form.ruleset.version
    if name != "wh40k2e":
        faults.unknown("ruleset", "ruleset", name, ("wh40k2e",))
    if version and form.agenda is not None and version != _version():
        faults.add("ruleset.version", f"an agenda of version {version}", f"version {_version()}, or no agenda")


def pieces(state: SquadState, unit: Squad) -> int:
    """How many pieces a unit stands in: one where it is in coherency (2E-NM-02), none where nobody stands."""
    if not unit.models:
        return 0
    reach = 2 * unit.radius + state.table.inches("coherency") + TOL
    return disorder([(model.pose.x, model.pose.y, 0.0) for model in unit.models], reach, True)


def notices(state: SquadState) -> tuple[str, ...]:
    """What is legal to load and yet worth a word: units that are not in one piece."""
    found = ((unit, pieces(state, unit)) for unit in state.units)
    return tuple(f"{unit.name} ({unit.id}) stands in {count} pieces" for unit, count in found if count > 1)


def schema() -> dict[str, Any]:
    """JSON schema of battle, action, case and record files."""
    return published(BattleForm, FRAMES)


# ---- writing ---------------------------------------------------------------------------------------------------------


def to_data(state: SquadState) -> dict[str, Any]:
    """The moment as data that `from_data` reads back equal, in the middle of anything."""
    table = state.table
    data = {
        "format": FORMAT,
        "ruleset": {"id": "wh40k2e", "version": _version()},
        "complete": True,
        "options": dict(table.options),
        "scenario": _scenario_data(table),
        "board": _board_data(table.board),
        "weapons": {name: weapon_data(weapon) for name, weapon in table.weapons},
        "profiles": {name: profile_data(profile) for name, profile in table.profiles},
        "sides": {
            side: {"rating": rating, "units": [_unit_data(one) for one in state.units if one.side == side]}
            for side, rating in zip(SIDES, table.ratings, strict=True)
        },
        "turn": state.round,
        "first": state.first,
        "ended": state.ended,
        "winner": state.winner,
        "agenda": encode(state.agenda),
    }
    return {**data, "switched_off": sorted(table.switched_off)} if table.switched_off else data


def _scenario_data(table: SquadTable) -> dict[str, Any]:
    data: dict[str, Any] = {"mission": table.mission, "size": table.size, "turns": table.turns}
    if table.zones:
        data["zones"] = dict(zip(SIDES, encode(table.zones), strict=True))
    return data


def _board_data(board: Board) -> dict[str, Any]:
    features = [feature_data(feature) for feature in board.features]
    return {"name": board.name, "width": board.width, "height": board.height, "features": features}


def _unit_data(unit: Squad) -> dict[str, Any]:
    data: dict[str, Any] = {
        "id": unit.id,
        "name": unit.name,
        "profile": unit.profile,
        "base": {"radius": unit.radius},
        "models": [{"id": model.id, **encode(model.pose)} for model in unit.models],
        "gear": encode(dict(unit.gear)),
        "mustered": unit.mustered,
        "at_turn": unit.at_turn,
    }
    for key in ("reserve", "lost"):
        if getattr(unit, key):
            data[key] = list(getattr(unit, key))
    usual = {one.name: one.default for one in fields(Squad)}
    for key in STATUS:
        value = getattr(unit, key)
        if value != usual[key]:
            data[key] = encode(value)
    return data
