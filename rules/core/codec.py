"""Actions, outcomes, frames and other frozen dataclasses as JSON-able data, and actions, outcomes and frames back.

Writing leaves out what has its default. Numbers keep their value exactly.

======================  ==================================================================================
a pose                  ``[x, y]`` or ``{"at": [x, y], "surface": id, "bearing": degrees}``
a straight leg          ``{"to": [x, y]}``
an arc                  ``{"arc": [cx, cy], "to": [x, y], "turn": "left"}``
a climb or drop         ``{"climb": surface}``, ``{"drop": surface, "part": 0.5}``
an action               ``{"unit": id, "verb": word, "paths": {model: [leg, ...]}, "targets": {role: id}, ...}``
an outcome of the dice  a whole number or a list of them
======================  ==================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from typing import Any

from tactician.rules.core.action import Action, Mark
from tactician.rules.core.agenda import Frame
from tactician.rules.core.chance import Outcome
from tactician.rules.core.decoding import BAD, decode, join
from tactician.rules.core.files import Faults, quoted
from tactician.rules.core.legs import Bend, Climb, Drop, Leg, Path, Pose, Straight
from tactician.rules.core.terrain import GROUND

__all__ = [
    "MOST_READ",
    "ActionForm",
    "action_from_data",
    "action_of",
    "action_to_data",
    "encode",
    "frame_from_data",
    "frame_to_data",
    "outcome_from_data",
    "outcome_to_data",
    "read_action",
]

MOST_READ = 100_000
"""Legs of one path above which it is refused unread; from how many on it is bad is a question of the rules."""


# ---- the forms that actions take in files ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionForm:
    """One order or answer; what a verb does not use is left out."""

    verb: str
    unit: str = ""
    order: tuple[str, ...] = ()
    paths: dict[str, Path] = field(default_factory=dict)
    targets: dict[str, str] = field(default_factory=dict)
    models: tuple[str, ...] = ()
    places: dict[str, Pose] = field(default_factory=dict)
    mark: Mark | None = None


# ---- writing ---------------------------------------------------------------------------------------------------------


def encode(value: Any) -> Any:
    """JSON-able data of a value made of dataclasses, tuples, mappings, legs, poses and plain values."""
    match value:
        case Pose():
            return _pose_to_data(value)
        case Straight() | Bend() | Climb() | Drop():
            return _leg_to_data(value)
        case Frame():
            return frame_to_data(value)
        case tuple() | list():
            return [encode(one) for one in value]
        case Mapping():
            return {key: encode(one) for key, one in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return _fields_to_data(value)
    return value


def frame_to_data(frame: Frame) -> dict[str, Any]:
    """A frame of an agenda as data, its kind first."""
    return {"kind": frame.kind, **_fields_to_data(frame)}


def _fields_to_data(value: Any) -> dict[str, Any]:
    data = {}
    for one in fields(value):
        found = getattr(value, one.name)
        default = one.default_factory() if one.default_factory is not MISSING else one.default
        if default is MISSING or found != default:
            data[one.name] = encode(found)
    return data


def _pose_to_data(pose: Pose) -> dict[str, Any]:
    data: dict[str, Any] = {"at": [pose.x, pose.y]}
    if pose.surface != GROUND:
        data["surface"] = pose.surface
    if pose.bearing:
        data["bearing"] = pose.bearing
    return data


def _leg_to_data(leg: Leg) -> dict[str, Any]:
    match leg:
        case Straight(to=to):
            return {"to": list(to)}
        case Bend(centre=centre, to=to, turn=turn):
            return {"arc": list(centre), "to": list(to), "turn": turn}
        case Climb(surface=surface, part=part) | Drop(surface=surface, part=part):
            data: dict[str, Any] = {"climb" if isinstance(leg, Climb) else "drop": surface}
            return data if part == 1.0 else {**data, "part": part}


def action_to_data(action: Action) -> dict[str, Any]:
    """An action as data that `action_from_data` reads back equal.

    Raises:
        ValueError: a model has two paths or two places, or a role two targets, which no object can hold.
    """
    named = {"paths": action.paths, "targets": action.targets, "places": action.places}
    data: dict[str, Any] = {"unit": action.unit, "verb": action.verb} if action.unit else {"verb": action.verb}
    for key in ("order", "paths", "targets", "models", "places", "mark"):
        value = getattr(action, key)
        if not value:
            continue
        if key in named and len(dict(value)) < len(value):
            raise ValueError(f"{key} of {action.unit} {action.verb} name something twice")
        data[key] = encode(dict(value) if key in named else value)
    return data


def outcome_to_data(outcome: Outcome) -> int | list[int]:
    """An outcome of the dice as data."""
    return list(outcome) if isinstance(outcome, tuple) else outcome


# ---- reading actions and outcomes ------------------------------------------------------------------------------------


def action_from_data(data: object, where: str = "") -> Action:
    """The action that data stands for.

    Args:
        data: an object as `action_to_data` writes it
        where: path of the field that holds it, for messages

    Raises:
        BadInput: with every fault found.
    """
    faults = Faults()
    action = read_action(data, where, faults)
    faults.check()
    assert action is not None
    return action


def read_action(data: object, where: str, faults: Faults) -> Action | None:
    """The action that data stands for, faults noted; None where nothing can be made of it."""
    if isinstance(data, Mapping) and isinstance(data.get("paths"), Mapping):
        long = {key: len(path) for key, path in data["paths"].items() if isinstance(path, list)}
        for key, legs in long.items():
            if legs > MOST_READ:
                faults.add(f"{join(where, 'paths')}.{key}", f"a path of {legs:,} legs", f"at most {MOST_READ:,}")
        if any(legs > MOST_READ for legs in long.values()):
            return None
    form = decode(ActionForm, data, where, faults)
    return None if form is BAD else action_of(form)


def action_of(form: ActionForm) -> Action:
    """The action that its form in a file stands for."""
    return Action(
        verb=form.verb,
        unit=form.unit,
        order=form.order,
        paths=tuple(form.paths.items()),
        targets=tuple(sorted(form.targets.items())),
        models=form.models,
        places=tuple(form.places.items()),
        mark=form.mark,
    )


def outcome_from_data(data: object, where: str = "") -> Outcome:
    """The outcome of dice that data stands for; whether a roll can have it is for the roll to say.

    Raises:
        BadInput: it is neither a whole number nor a list of them.
    """
    faults = Faults()
    numbers = tuple(one for one in (data if isinstance(data, list | tuple) else [data]) if type(one) is int)
    if len(numbers) < (len(data) if isinstance(data, list | tuple) else 1):
        faults.wrong(where, data, "a whole number or a list of whole numbers")
    faults.check()
    return numbers if isinstance(data, list | tuple) else numbers[0]


def frame_from_data(data: object, kinds: Mapping[str, type[Frame]], where: str, faults: Faults) -> Frame | None:
    """The frame that data stands for, faults noted; None where nothing can be made of it.

    Args:
        data: an object with a ``kind`` and the fields of that kind of frame
        kinds: every kind of frame that the ruleset has
        where: path of the field, for messages
        faults: collects what is wrong
    """
    if not isinstance(data, Mapping):
        faults.wrong(where, data, "an object with a kind")
        return None
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        if isinstance(kind, str):
            faults.unknown(f"{where}.kind", "kind of frame", kind, tuple(kinds))
        else:
            faults.add(f"{where}.kind", "missing" if kind is None else f"found {quoted(kind)}", "a kind of frame")
        return None
    frame = decode(kinds[kind], {key: value for key, value in data.items() if key != "kind"}, where, faults)
    return frame if isinstance(frame, Frame) else None
