"""A duel as JSON-able data and back: what has a natural default may be left out, and every fault is named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from tactician.rules.core.agenda import Frame
from tactician.rules.core.battle_form import (
    ModelForm,
    ShapeForm,
    Standing,
    check_id,
    check_once,
    check_standing,
    placed_models,
    polygon_of,
)
from tactician.rules.core.codec import encode, frame_from_data
from tactician.rules.core.decoding import Bound, decode
from tactician.rules.core.files import BadInput, Faults, wanted_format
from tactician.rules.core.ruleset import Info, RulesetError
from tactician.rules.core.state import SIDES, Unit
from tactician.rules.core.terrain import Board, Feature

from .options import BOARD, RADIUS, settled_options
from .state import FRAMES, DuelState, DuelTable, Moving, React, Turn, starting_units

__all__ = ["from_data", "to_data"]

FORMAT = "tactician-battle/1"
NAMING = ("unit", "watcher", "shooter", "target")
"""Fields of frames that name a unit."""

Side = Literal["red", "blue"]
Size = Annotated[float, Bound(above=0, most=1000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesetForm:
    """The game, and the version of its rules that the file was written for."""

    id: str
    version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureForm:
    """A block."""

    id: str
    shape: ShapeForm


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardForm:
    """The table."""

    width: Size
    height: Size
    name: str = ""
    features: tuple[FeatureForm, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitForm:
    """A disc, or nothing where it has fallen."""

    id: str
    models: tuple[ModelForm, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SideForm:
    """The units of a side."""

    units: tuple[UnitForm, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleForm:
    """A battle file, field by field."""

    format: str = FORMAT
    ruleset: RulesetForm | None = None
    options: dict[str, float] = field(default_factory=dict)
    first: Side = "red"
    board: BoardForm | None = None
    sides: dict[str, SideForm] | None = None
    turn: Annotated[int, Bound(least=1)] = 1
    agenda: tuple[Any, ...] | None = None
    ended: str = ""
    winner: Literal["", "red", "blue"] = ""
    switched_off: tuple[str, ...] = ()


# ---- writing ---------------------------------------------------------------------------------------------------------


def to_data(state: DuelState, info: Info) -> dict[str, Any]:
    """The battle as data that `from_data` reads back equal, in the middle of anything."""
    board = state.board
    features = [{"id": one.id, "shape": {"polygon": encode(one.outline.points)}} for one in board.features]
    return {
        "format": FORMAT,
        "ruleset": {"id": info.id, "version": info.version},
        "options": dict(state.table.options),
        "first": state.table.first,
        "board": {"name": board.name, "width": board.width, "height": board.height, "features": features},
        "sides": {side: {"units": [_unit_data(one) for one in state.units if one.side == side]} for side in SIDES},
        "turn": state.round,
        "agenda": encode(state.agenda),
        "ended": state.ended,
        "winner": state.winner,
        "switched_off": sorted(state.table.switched_off),
    }


def _unit_data(unit: Unit) -> dict[str, Any]:
    return {"id": unit.id, "models": [{"id": model.id, "at": list(model.pose.point)} for model in unit.models]}


# ---- reading ---------------------------------------------------------------------------------------------------------


def from_data(data: Mapping[str, Any], info: Info) -> DuelState:
    """The battle that data stands for.

    Raises:
        BadInput: with every fault found.
    """
    wanted_format(data, FORMAT)
    faults = Faults()
    form = decode(BattleForm, data, "", faults)
    if not isinstance(form, BattleForm):
        raise BadInput(faults.found)
    if form.ruleset is not None and form.ruleset.id != info.id:
        faults.unknown("ruleset.id", "ruleset", form.ruleset.id, (info.id,))
    board = BOARD if form.board is None else _board(form.board, faults)
    units = starting_units() if form.sides is None else tuple(_units(form.sides, board, bool(form.ended), faults))
    agenda = (Turn(owner=form.first),) if form.agenda is None else tuple(_frames(form.agenda, units, faults))
    options, off = _options(form.options, faults), frozenset(form.switched_off)
    faults.check()
    table = DuelTable(board=board, options=options, first=form.first, switched_off=off)
    return DuelState(table=table, units=units, agenda=agenda, round=form.turn, ended=form.ended, winner=form.winner)


def _options(given: Mapping[str, float], faults: Faults) -> tuple[tuple[str, float], ...]:
    try:
        return settled_options(given)
    except RulesetError as error:
        faults.add("options", str(error))
        return ()


def _board(form: BoardForm, faults: Faults) -> Board:
    features = []
    for i, one in enumerate(form.features):
        outline = polygon_of(one.shape, f"board.features[{i}].shape", faults)
        if outline is not None:
            features.append(Feature(id=one.id, outline=outline, blocks=True))
    return Board(name=form.name, width=form.width, height=form.height, features=tuple(features))


def _units(sides: Mapping[str, SideForm], board: Board, is_over: bool, faults: Faults) -> Iterator[Unit]:
    """One disc a side, on free ground; a duel that is over may lack one."""
    named, standing = [], []
    for side in SIDES:
        forms = sides[side].units if side in sides else ()
        if len(forms) != 1:
            faults.add(f"sides.{side}.units", f"{len(forms)} units", "one")
        for i, form in enumerate(forms):
            where = f"sides.{side}.units[{i}]"
            check_id(form.id, f"{where}.id", faults)
            placed = placed_models(form.models, f"{where}.models", faults)
            if len(placed) != 1 and not is_over:
                faults.add(f"{where}.models", f"{len(placed)} models", "one")
            named += [(f"{where}.models[{j}].id", one.id) for j, one in enumerate(form.models)]
            standing += [Standing(place, model.id, model.pose, RADIUS) for place, model in placed]
            models = tuple(model for _, model in placed)
            yield Unit(id=form.id, side=side, name="Disc", profile="disc", radius=RADIUS, models=models)
    check_once(named, "model", faults)
    check_standing(board, standing, faults)


def _frames(agenda: tuple[Any, ...], units: tuple[Unit, ...], faults: Faults) -> Iterator[Frame]:
    """The frames of the agenda: a turn below, and everything above it about units that exist."""
    known = tuple(unit.id for unit in units)
    below: Frame | None = None
    for i, entry in enumerate(agenda):
        frame = frame_from_data(entry, FRAMES, f"agenda[{i}]", faults)
        if frame is None:
            return
        for name in NAMING:
            unit = getattr(frame, name, None)
            if unit is not None and unit not in known:
                faults.unknown(f"agenda[{i}].{name}", "unit", unit, known)
        if frame.owner not in SIDES:
            faults.unknown(f"agenda[{i}].owner", "side", frame.owner, SIDES)
        if isinstance(frame, Turn) != (i == 0) or (isinstance(frame, React) and not isinstance(below, Moving)):
            faults.add(f"agenda[{i}]", f"found a frame {frame.kind!r}", "a turn, then moving, react or shot")
        below = frame
        yield frame
