"""What a battle shares, out of its file: options, scenario, terrain, catalogue with the file's own entries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tactician.rules.core.battle_form import check_once
from tactician.rules.core.files import Faults
from tactician.rules.core.ruleset import Option, OptionValue
from tactician.rules.core.shapes import Box
from tactician.rules.core.terrain import Board
from tactician.rules.wh40k2e import catalogue
from tactician.rules.wh40k2e.file_data import read_profile, read_weapon
from tactician.rules.wh40k2e.file_form import BattleForm, BoardForm, ScenarioForm
from tactician.rules.wh40k2e.file_terrain import read_feature
from tactician.rules.wh40k2e.options import OPTIONS
from tactician.rules.wh40k2e.profiles import Profile, Weapon
from tactician.rules.wh40k2e.scope import ARID
from tactician.rules.wh40k2e.state import SquadTable

__all__ = ["raw_names", "read_table"]

EMPTY = Board(width=72.0, height=48.0)
"""Stands in for a table that cannot be read, so that the rest of the file is still looked at."""

USUAL_RATING = 3
"""Strategy rating of an army of which nothing is said."""


def read_table(form: BattleForm, data: Mapping[str, Any], faults: Faults) -> SquadTable:
    """The shared part of a battle; faults are noted, and what cannot be read is left out."""
    scenario = form.scenario
    if scenario.size not in catalogue.SIZES:
        faults.unknown("scenario.size", "size", scenario.size, catalogue.SIZES)
    if scenario.arid:
        faults.add("scenario.arid", ARID)
    arms = _weapons(form, faults)
    known = {**dict.fromkeys(raw_names(data, "weapons")), **arms}
    board = _board(form, faults)
    return SquadTable(
        board=board,
        switched_off=frozenset(form.switched_off),
        profiles=_profiles(form, known, faults),
        weapons=tuple(arms.items()),
        options=_options(form, faults),
        mission=scenario.mission,
        size=scenario.size,
        turns=scenario.turns,
        ratings=(_rating(form, "red", faults), _rating(form, "blue", faults)),
        zones=_zones(scenario, board, faults),
    )


def raw_names(data: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Names that the file gives, whether or not what they stand for can be read."""
    found = data.get(key)
    return tuple(str(name) for name in found) if isinstance(found, Mapping) else ()


def _rating(form: BattleForm, side: str, faults: Faults) -> int:
    """A side's strategy rating: given, or that of its army."""
    one = form.sides.red if side == "red" else form.sides.blue
    if one.army and one.army not in catalogue.armies():
        faults.unknown(f"sides.{side}.army", "army", one.army, catalogue.armies())
        return USUAL_RATING
    if one.rating is not None:
        return one.rating
    return catalogue.rating(one.army) if one.army else USUAL_RATING


def _zones(scenario: ScenarioForm, board: Board, faults: Faults) -> tuple[Box, ...]:
    """Red's zone, then blue's, or none for the rulebook's own."""
    if scenario.zones is None:
        return ()
    found = (("red", scenario.zones.red), ("blue", scenario.zones.blue))
    for side, (x0, y0, x1, y1) in found:
        if not (0.0 <= x0 < x1 <= board.width and 0.0 <= y0 < y1 <= board.height):
            expected = f"[x0, y0, x1, y1] on the table of {board.width:g} x {board.height:g} inches"
            faults.add(f"scenario.zones.{side}", f"found [{x0:g}, {y0:g}, {x1:g}, {y1:g}]", expected)
    return tuple(zone for _, zone in found)


# ---- options ---------------------------------------------------------------------------------------------------------


def _options(form: BattleForm, faults: Faults) -> tuple[tuple[str, OptionValue], ...]:
    known = {option.name: option for option in OPTIONS}
    for name, value in form.options.items():
        option = known.get(name)
        if name == "arid":
            if value is not False:
                faults.add("options.arid", ARID)
        elif option is None:
            faults.unknown(f"options.{name}", "option", name, tuple(known))
        elif not _takes(option, value):
            faults.wrong(f"options.{name}", value, _values(option))
    given = form.options if form.complete else {}  # a complete file keeps its order; what is new since has its default
    order = dict.fromkeys((*given, *known))
    return tuple((name, form.options.get(name, known[name].default)) for name in order if name in known)


def _takes(option: Option, value: OptionValue) -> bool:
    if option.values:
        return any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in option.values)
    return isinstance(value, int | float) and not isinstance(value, bool) and option.least <= value < 1e6


def _values(option: Option) -> str:
    if not option.values:
        return f"a number of at least {option.least:g}"
    return f"one of {', '.join(str(one).lower() if isinstance(one, bool) else repr(one) for one in option.values)}"


# ---- terrain ---------------------------------------------------------------------------------------------------------


def _board(form: BattleForm, faults: Faults) -> Board:
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
    features = [read_feature(feature, where, faults) for where, feature in places]
    found = tuple(feature for feature in features if feature is not None)
    return Board(width=form.width, height=form.height, features=found, name=form.name)


# ---- weapons and profiles --------------------------------------------------------------------------------------------


def _weapons(form: BattleForm, faults: Faults) -> dict[str, Weapon]:
    known = {} if form.complete else dict(sorted(catalogue.weapons().items()))
    own = {name: read_weapon(weapon, name, f"weapons.{name}", faults) for name, weapon in form.weapons.items()}
    return {**known, **own}


def _profiles(form: BattleForm, arms: Mapping[str, Weapon | None], faults: Faults) -> tuple[tuple[str, Profile], ...]:
    known = {} if form.complete else dict(sorted(catalogue.profiles().items()))
    for name, entry in form.profiles.items():
        known[name] = read_profile(entry, name, f"profiles.{name}", arms, faults)
    return tuple(known.items())
