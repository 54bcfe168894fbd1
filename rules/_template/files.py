"""A duel as JSON-able data and back: whatever has a natural default may be left out, and every fault is named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from tactician.rules.core.agenda import Frame
from tactician.rules.core.arcs import LEFT, RIGHT
from tactician.rules.core.files import Faults
from tactician.rules.core.legs import Bend, Leg, Path, Pose, Straight
from tactician.rules.core.ruleset import OptionValue, RulesetError
from tactician.rules.core.shapes import Point, Polygon
from tactician.rules.core.state import SIDES, Model, Unit
from tactician.rules.core.terrain import Board, Feature

from .options import BOARD, RADIUS, settled_options
from .state import FRAMES, PHASES, STAGES, DuelState, DuelTable, Moving, React, Shot, Turn, starting_units

__all__ = ["from_data", "to_data"]

T = TypeVar("T")


def to_data(state: DuelState) -> dict[str, Any]:
    """The battle as JSON-able data."""
    return {
        "options": dict(state.table.options),
        "first": state.table.first,
        "board": _board_data(state.board),
        "units": [_unit_data(unit) for unit in state.units],
        "round": state.round,
        "agenda": [_frame_data(frame) for frame in state.agenda],
        "ended": state.ended,
        "winner": state.winner,
        "switched_off": sorted(state.table.switched_off),
    }


def _board_data(board: Board) -> dict[str, Any]:
    return {
        "name": board.name,
        "width": board.width,
        "height": board.height,
        "blocks": [*map(_block_data, board.features)],
    }


def _block_data(piece: Feature) -> dict[str, Any]:
    return {"id": piece.id, "corners": [{"x": x, "y": y} for x, y in piece.outline.points]}


def _unit_data(unit: Unit) -> dict[str, Any]:
    models = [{"id": model.id, "at": list(model.pose.point)} for model in unit.models]
    return {"id": unit.id, "side": unit.side, "radius": unit.radius, "models": models}


def _path_data(path: Path) -> list[dict[str, Any]]:
    legs: list[dict[str, Any]] = []
    for leg in path:
        if isinstance(leg, Bend):
            legs.append({"arc": list(leg.centre), "to": list(leg.to), "turn": leg.turn})
        elif isinstance(leg, Straight):
            legs.append({"to": list(leg.to)})
    return legs


def _frame_data(frame: Frame) -> dict[str, Any]:
    head = {"kind": frame.kind, "owner": frame.owner}
    match frame:
        case Turn():
            return {**head, "phase": frame.phase}
        case Moving():
            plan = _path_data(frame.plan)
            return {**head, "unit": frame.unit, "plan": plan, "left": frame.left, "stage": frame.stage}
        case React():
            spans = [{"model": model, "from": low, "to": high} for model, low, high in frame.spans]
            return {**head, "watcher": frame.watcher, "spans": spans}
        case Shot():
            return {**head, "shooter": frame.shooter, "target": frame.target}
    raise TypeError(f"a duel has no frame {frame.kind!r}")


# ---- reading ---------------------------------------------------------------------------------------------------------


class _Fields:
    """The fields of an object; what is missing or of another kind is noted, and a stand-in goes on."""

    def __init__(self, data: Any, where: str, faults: Faults) -> None:
        self.data: Mapping[str, Any] = data if isinstance(data, Mapping) else {}
        self.where, self.faults = where, faults
        if not isinstance(data, Mapping):
            faults.wrong(where, data, "an object")

    def get(self, key: str, kind: type, expected: str, default: Any = None) -> Any:
        value = self.data.get(key, default)
        if isinstance(value, kind) and not isinstance(value, bool):
            return value
        self.faults.wrong(self.place(key), value, expected)
        return kind()

    def place(self, key: str) -> str:
        return f"{self.where}.{key}" if self.where else key

    def text(self, key: str, default: str | None = None, known: tuple[str, ...] = ()) -> str:
        value = self.data.get(key, default)
        if not isinstance(value, str):
            self.faults.wrong(self.place(key), value, "a text")
            return ""
        if known and value not in known:
            self.faults.unknown(self.place(key), key, value, known)
        return value

    def number(self, key: str, default: float | None = None) -> float:
        value = self.data.get(key, default)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
        self.faults.wrong(self.place(key), value, "a number")
        return 0.0

    def point(self, key: str) -> Point:
        value = self.get(key, list, "two numbers")
        if len(value) == 2 and all(isinstance(one, int | float) for one in value):
            return float(value[0]), float(value[1])
        self.faults.wrong(self.place(key), value, "two numbers")
        return 0.0, 0.0

    def each(self, key: str, read: Callable[[_Fields], T]) -> tuple[T, ...]:
        rows = self.get(key, list, "a list", [])
        return tuple(read(_Fields(row, f"{self.place(key)}[{i}]", self.faults)) for i, row in enumerate(rows))


def from_data(data: Mapping[str, Any]) -> DuelState:
    """The battle that data stands for.

    Raises:
        BadInput: with every fault found.
    """
    faults = Faults()
    fields = _Fields(data, "", faults)
    first = fields.text("first", SIDES[0], SIDES)
    options: tuple[tuple[str, OptionValue], ...] = ()
    try:
        options = settled_options(fields.get("options", dict, "an object", {}))
    except RulesetError as error:
        faults.add("options", str(error))
    board = _board(_Fields(data["board"], "board", faults)) if "board" in data else BOARD
    off = frozenset(fields.get("switched_off", list, "a list", []))
    units = fields.each("units", _unit) if "units" in data else starting_units()
    agenda = fields.each("agenda", _frame) if "agenda" in data else (Turn(owner=first),)
    state = DuelState(
        table=DuelTable(board=board, options=options, first=first, switched_off=off),
        units=units,
        agenda=agenda,
        round=int(fields.number("round", 1)),
        ended=fields.text("ended", ""),
        winner=fields.text("winner", "", ("", *SIDES)),
    )
    faults.check()
    return state


def _board(fields: _Fields) -> Board:
    blocks = fields.each("blocks", _block)
    width, height = fields.number("width"), fields.number("height")
    return Board(name=fields.text("name", ""), width=width, height=height, features=blocks)


def _block(fields: _Fields) -> Feature:
    corners = fields.each("corners", lambda one: (one.number("x"), one.number("y")))
    if len(corners) < 3:
        fields.faults.add(fields.place("corners"), f"found {len(corners)}", "at least three")
    return Feature(id=fields.text("id"), outline=Polygon(corners or ((0.0, 0.0),)), blocks=True)


def _unit(fields: _Fields) -> Unit:
    name, side, radius = fields.text("id"), fields.text("side", None, SIDES), fields.number("radius", RADIUS)
    models = fields.each("models", lambda one: Model(id=one.text("id"), pose=Pose(*one.point("at"))))
    return Unit(id=name, side=side, name="Disc", profile="disc", radius=radius, models=models)


def _leg(fields: _Fields) -> Leg:
    if "arc" in fields.data:
        return Bend(fields.point("arc"), fields.point("to"), fields.text("turn", None, (LEFT, RIGHT)))
    return Straight(fields.point("to"))


def _frame(fields: _Fields) -> Frame:
    owner = fields.text("owner", None, SIDES)
    match fields.text("kind", None, tuple(kind.kind for kind in FRAMES)):
        case Moving.kind:
            plan, left = fields.each("plan", _leg), fields.number("left")
            stage = fields.text("stage", None, STAGES)
            return Moving(owner=owner, unit=fields.text("unit"), plan=plan, left=left, stage=stage)
        case React.kind:
            return React(owner=owner, watcher=fields.text("watcher"), spans=fields.each("spans", _span))
        case Shot.kind:
            return Shot(owner=owner, shooter=fields.text("shooter"), target=fields.text("target"))
    return Turn(owner=owner, phase=fields.text("phase", PHASES[0], PHASES))


def _span(fields: _Fields) -> tuple[str, float, float]:
    return fields.text("model"), fields.number("from"), fields.number("to")
