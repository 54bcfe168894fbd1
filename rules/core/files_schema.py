"""The published JSON schema of everything that is written and read, derived from the dataclasses of the forms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tactician.rules.core.agenda import Frame
from tactician.rules.core.codec import ActionForm
from tactician.rules.core.decoding import LegForm, PoseForm

__all__ = ["CaseFileForm", "CaseForm", "ClipForm", "ExpectForm", "StepForm", "published"]

DIALECT = "https://json-schema.org/draft/2020-12/schema"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectForm:
    """What must come of a step: broken clauses and a measured number, a word of the refusal, or facts afterwards."""

    violates: tuple[str, ...] = ()
    measured: float | None = None
    refused: str | None = None
    values: dict[str, Any] = field(default_factory=dict)
    """Path of a fact to its value, or to [value, tolerance]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClipForm:
    """An order that is carried out as far as it is legal."""

    clip: str | ActionForm


@dataclass(frozen=True, slots=True, kw_only=True)
class StepForm:
    """One step of a case: something done, dice falling, or both, and what must come of it."""

    do: str | ActionForm | ClipForm | None = None
    dice: int | tuple[int | tuple[int, ...], ...] | None = None
    """An outcome, or several one after another."""
    expect: Literal["legal"] | ExpectForm = "legal"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseForm:
    """A situation with a verdict: a battle, what is changed in it, and steps with what must come of them."""

    case: str
    clause: str = ""
    source: str = "own"
    battle: str | dict[str, Any] | None = None
    set: dict[str, Any] = field(default_factory=dict)
    steps: tuple[StepForm, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFileForm:
    """Several cases in one file, on one battle unless they say otherwise."""

    cases: tuple[CaseForm, ...]
    battle: str | dict[str, Any] | None = None
    clause: str = ""
    source: str = "own"


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesetVersionForm:
    """A ruleset and the version of it."""

    id: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordHeadForm:
    """First line of a record."""

    format: Literal["tactician-record/1"]
    product: str
    ruleset: RulesetVersionForm
    start: dict[str, Any]
    seed: int | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DoneForm:
    """A line of a record: what a side did."""

    do: ActionForm
    side: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FellForm:
    """A line of a record: an outcome of the dice, and what was rolled for."""

    dice: int | tuple[int, ...]
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndForm:
    """Last line of a record of a finished game."""

    ending: str = ""
    returns: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LastForm:
    """Last line of a record."""

    end: EndForm


def published(battle: type, frames: Mapping[str, type[Frame]]) -> dict[str, Any]:
    """JSON schemas by what they describe: ``battle``, ``action``, ``case``, ``record`` (each line of one).

    Args:
        battle: the form of a battle file, with a field ``agenda``
        frames: every kind of frame that an agenda can hold
    """
    schema = _schema(battle)
    kinds = [_framed(schema, kind, frame) for kind, frame in sorted(frames.items())]
    schema["properties"]["agenda"]["anyOf"][0]["items"] = {"anyOf": kinds}
    return {
        "battle": schema,
        "action": _schema(ActionForm),
        "case": _schema(CaseForm | CaseFileForm),
        "record": _schema(RecordHeadForm | DoneForm | FellForm | LastForm),
    }


def _framed(schema: dict[str, Any], kind: str, frame: type[Frame]) -> dict[str, Any]:
    """A frame with its kind, its definitions moved into the whole schema's."""
    found = _schema(frame)
    schema.setdefault("$defs", {}).update(found.pop("$defs", {}))
    found.pop("$schema")
    found["properties"] = {"kind": {"const": kind}, **found["properties"]}
    found["required"] = ["kind", *found.get("required", [])]
    return found


def _schema(kind: Any) -> dict[str, Any]:
    """The schema of one form, legs and poses as files write them, and no field that is not named."""
    from pydantic import TypeAdapter

    schema = {"$schema": DIALECT, **TypeAdapter(kind).json_schema()}
    written = {name: _written(name) for name in ("Straight", "Bend", "Climb", "Drop", "Pose") if _uses(schema, name)}
    if written:
        schema["$defs"].update(written)
    _close(schema)
    return schema


def _uses(schema: dict[str, Any], name: str) -> bool:
    return name in schema.get("$defs", {})


def _written(name: str) -> dict[str, Any]:
    """How files write a leg or a pose."""
    from pydantic import TypeAdapter

    point = {"type": "array", "prefixItems": [{"type": "number"}] * 2, "minItems": 2, "maxItems": 2}
    if name == "Pose":
        return {"anyOf": [point, TypeAdapter(PoseForm).json_schema()]}
    legs = TypeAdapter(LegForm).json_schema()
    wanted = {"Straight": ("to",), "Bend": ("arc", "to", "turn"), "Climb": ("climb", "part"), "Drop": ("drop", "part")}
    kept = wanted[name]
    properties = {key: _without_null(legs["properties"][key]) for key in kept}
    return {"type": "object", "properties": properties, "required": [key for key in kept if key != "part"]}


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of a field that, where it belongs, is always there."""
    kept = [one for one in schema.get("anyOf", []) if one.get("type") != "null"]
    return dict(kept[0]) if kept else schema


def _close(schema: Any) -> None:
    """Say of every object with named fields that it has no others."""
    if isinstance(schema, list):
        for one in schema:
            _close(one)
    elif isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
            schema.setdefault("additionalProperties", False)
        for one in schema.values():
            _close(one)
