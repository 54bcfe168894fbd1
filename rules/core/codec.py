"""Frozen dataclasses as JSON-able data and back, by their type hints; with the written forms of legs, poses, actions.

Reading collects every fault and goes on with what can be understood, so that one look at a file finds all that is
wrong with it. Writing leaves out what has its default. Numbers keep their value exactly.

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

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from tactician.rules.core.action import Action, Mark
from tactician.rules.core.agenda import Frame
from tactician.rules.core.chance import Outcome
from tactician.rules.core.files import Faults, quoted
from tactician.rules.core.legs import Bend, Climb, Drop, Leg, Path, Pose, Straight
from tactician.rules.core.measure import is_finite
from tactician.rules.core.shapes import Point
from tactician.rules.core.terrain import GROUND

__all__ = [
    "BAD",
    "MOST_READ",
    "ActionForm",
    "Bound",
    "LegForm",
    "PoseForm",
    "action_from_data",
    "action_to_data",
    "decode",
    "encode",
    "frame_from_data",
    "frame_to_data",
    "outcome_from_data",
    "outcome_to_data",
    "read_action",
]

MOST_READ = 100_000
"""Legs of one path above which it is refused unread; from how many on it is bad is a question of the rules."""

BAD: Any = object()
"""What `decode` answers where nothing can be made of the data."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Bound:
    """Limits of a number, to annotate a field with: ``Annotated[float, Bound(above=0)]``."""

    least: float | None = None
    above: float | None = None
    most: float | None = None

    def admits(self, value: float) -> bool:
        """Whether a number keeps to the limits."""
        return not (
            (self.least is not None and value < self.least)
            or (self.above is not None and value <= self.above)
            or (self.most is not None and value > self.most)
        )

    def __str__(self) -> str:
        """The limits in words."""
        parts = (
            "" if self.least is None else f"at least {self.least:g}",
            "" if self.above is None else f"more than {self.above:g}",
            "" if self.most is None else f"at most {self.most:g}",
        )
        return " and ".join(part for part in parts if part)

    def __get_pydantic_json_schema__(self, core: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        """Write the limits into a published schema (pydantic's hook for annotations)."""
        limits = {"minimum": self.least, "exclusiveMinimum": self.above, "maximum": self.most}
        return {**handler(core), **{key: limit for key, limit in limits.items() if limit is not None}}


# ---- the forms that actions take in files ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class LegForm:
    """A leg of a path: straight to a point, an arc about a centre to a point, a climb or a drop to a surface."""

    to: Point | None = None
    arc: Point | None = None
    turn: Literal["left", "right"] | None = None
    climb: str | None = None
    drop: str | None = None
    part: Annotated[float, Bound(above=0, most=1)] = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PoseForm:
    """Where a base rests: centre in inches, surface, bearing in degrees clockwise from +y."""

    at: Point
    surface: str = GROUND
    bearing: float = 0.0


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
    return action


def read_action(data: object, where: str, faults: Faults) -> Action:
    """The action that data stands for, faults noted; `BAD` where nothing can be made of it."""
    if isinstance(data, Mapping) and isinstance(data.get("paths"), Mapping):
        long = {key: len(path) for key, path in data["paths"].items() if isinstance(path, list)}
        for key, legs in long.items():
            if legs > MOST_READ:
                faults.add(f"{_join(where, 'paths')}.{key}", f"a path of {legs:,} legs", f"at most {MOST_READ:,}")
        if any(legs > MOST_READ for legs in long.values()):
            return BAD
    form = decode(ActionForm, data, where, faults)
    if form is BAD:
        return BAD
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
    numbers = data if isinstance(data, list | tuple) else [data]
    if not all(isinstance(number, int) and not isinstance(number, bool) for number in numbers):
        faults.wrong(where, data, "a whole number or a list of whole numbers")
    faults.check()
    return tuple(numbers) if isinstance(data, list | tuple) else numbers[0]


def frame_from_data(data: object, kinds: Mapping[str, type[Frame]], where: str, faults: Faults) -> Frame:
    """The frame that data stands for, faults noted; `BAD` where nothing can be made of it.

    Args:
        data: an object with a ``kind`` and the fields of that kind of frame
        kinds: every kind of frame that the ruleset has
        where: path of the field, for messages
        faults: collects what is wrong
    """
    if not isinstance(data, Mapping):
        faults.wrong(where, data, "an object with a kind")
        return BAD
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        if isinstance(kind, str):
            faults.unknown(f"{where}.kind", "kind of frame", kind, tuple(kinds))
        else:
            faults.add(f"{where}.kind", "missing" if kind is None else f"found {quoted(kind)}", "a kind of frame")
        return BAD
    frame: Frame = decode(kinds[kind], {key: value for key, value in data.items() if key != "kind"}, where, faults)
    return frame


# ---- reading by type hints -------------------------------------------------------------------------------------------


def decode(hint: Any, data: object, where: str, faults: Faults) -> Any:
    """The value of a type that data stands for, every fault noted; `BAD` where nothing can be made of it.

    Args:
        hint: a plain type, dataclass, tuple, dict, Literal, union, or one of these annotated with a `Bound`
        data: what JSON or TOML gave
        where: path of the field, for messages
        faults: collects what is wrong
    """
    reader = _READERS.get(hint)
    if reader is not None:
        return reader(data, where, faults)
    origin = get_origin(hint)
    if origin is Annotated:
        return _bounded(hint, data, where, faults)
    if origin is tuple:
        return _tuple(get_args(hint), data, where, faults)
    if origin is dict:
        return _dict(get_args(hint)[1], data, where, faults)
    if origin is Literal:
        if any(data is one or (isinstance(one, str) and data == one) for one in get_args(hint)):
            return data
        return _wrong(hint, data, where, faults)
    if origin in (Union, types.UnionType):
        return _union(hint, data, where, faults)
    if is_dataclass(hint):
        return _dataclass(hint, data, where, faults)
    raise TypeError(f"{hint!r} has no written form")


def expected(hint: Any) -> str:
    """What a type expects, in words."""
    if hint in _WORDS:
        return _WORDS[hint]
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return f"{expected(args[0])}, {args[1]}"
    if origin is tuple:
        return f"a list of {_plural(args[0])}" if args[-1] is Ellipsis else f"a list of {len(args)}"
    if origin is Literal:
        return f"one of {', '.join(repr(one) for one in args)}"
    if origin in (Union, types.UnionType):
        return " or ".join(expected(one) for one in args if one is not type(None))
    return "an object"


def _plural(hint: Any) -> str:
    words = {str: "texts", float: "numbers", int: "whole numbers", Point: "points [x, y]", Leg: "legs"}
    return words.get(hint, "objects")


def _wrong(hint: Any, data: object, where: str, faults: Faults) -> Any:
    faults.wrong(where, data, expected(hint))
    return BAD


def _text(data: object, where: str, faults: Faults) -> Any:
    return data if isinstance(data, str) else _wrong(str, data, where, faults)


def _flag(data: object, where: str, faults: Faults) -> Any:
    return data if isinstance(data, bool) else _wrong(bool, data, where, faults)


def _whole(data: object, where: str, faults: Faults) -> Any:
    if isinstance(data, float) and data.is_integer():
        return int(data)
    return data if isinstance(data, int) and not isinstance(data, bool) else _wrong(int, data, where, faults)


def _number(data: object, where: str, faults: Faults) -> Any:
    if isinstance(data, bool) or not isinstance(data, int | float):
        return _wrong(float, data, where, faults)
    try:
        number = float(data)
    except OverflowError:
        number = float("inf")
    if is_finite(number):
        return number
    faults.add(where, "a number that is not finite", "an ordinary number")
    return BAD


def _nothing(data: object, where: str, faults: Faults) -> Any:
    return None if data is None else _wrong(type(None), data, where, faults)


def _point(data: object, where: str, faults: Faults) -> Any:
    if not isinstance(data, list | tuple) or len(data) != 2:
        return _wrong(Point, data, where, faults)
    x, y = data
    if type(x) is float and type(y) is float and is_finite(x) and is_finite(y):
        return x, y
    if any(isinstance(one, bool) or not isinstance(one, int | float) for one in data):
        return _wrong(Point, data, where, faults)
    read = _number(x, where, faults), _number(y, where, faults)
    return BAD if BAD in read else read


def _pose(data: object, where: str, faults: Faults) -> Any:
    if isinstance(data, Mapping):
        form = decode(PoseForm, data, where, faults)
        return BAD if form is BAD else Pose(*form.at, form.surface, form.bearing)
    if isinstance(data, list | tuple):
        at = _point(data, where, faults)
        return BAD if at is BAD else Pose(*at)
    return _wrong(Pose, data, where, faults)


def _leg(data: object, where: str, faults: Faults) -> Any:
    if not isinstance(data, Mapping):
        return _wrong(Leg, data, where, faults)
    if len(data) == 1 and "to" in data:
        to = _point(data["to"], _join(where, "to"), faults)
        return BAD if to is BAD else Straight(to)
    form = decode(LegForm, data, where, faults)
    if form is BAD or faults.within(f"{where}."):
        return BAD
    match form:
        case LegForm(arc=None, turn=None, climb=None, drop=None, to=(_, _), part=1.0):
            return Straight(form.to)
        case LegForm(arc=(_, _), climb=None, drop=None, to=(_, _), part=1.0) if form.turn is not None:
            return Bend(form.arc, form.to, form.turn)
        case LegForm(to=None, arc=None, turn=None, climb=str(), drop=None):
            return Climb(form.climb, form.part)
        case LegForm(to=None, arc=None, turn=None, climb=None, drop=str()):
            return Drop(form.drop, form.part)
    return _wrong(Leg, data, where, faults)


_READERS: dict[Any, Callable[[object, str, Faults], Any]] = {
    str: _text,
    bool: _flag,
    int: _whole,
    float: _number,
    type(None): _nothing,
    Point: _point,
    Pose: _pose,
    Leg: _leg,
    Any: lambda data, where, faults: data,
}

_WORDS: dict[Any, str] = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    type(None): "nothing",
    Point: "two numbers [x, y]",
    Pose: 'a place, [x, y] or {"at": [x, y]}',
    Leg: "a leg: {to}, {arc, to, turn}, {climb} or {drop}",
}


def _bounded(hint: Any, data: object, where: str, faults: Faults) -> Any:
    kind, bound = get_args(hint)[:2]
    value = decode(kind, data, where, faults)
    if value is BAD or not isinstance(bound, Bound) or bound.admits(value):
        return value
    return _wrong(hint, data, where, faults)


def _tuple(args: tuple[Any, ...], data: object, where: str, faults: Faults) -> Any:
    """A list of things of one type, leaving out those that are bad; or a list with a type for each place."""
    if not isinstance(data, list | tuple):
        return _wrong(tuple[args], data, where, faults)  # type: ignore[valid-type]
    if args[-1] is Ellipsis:
        read = [decode(args[0], one, f"{where}[{i}]", faults) for i, one in enumerate(data)]
        return tuple(one for one in read if one is not BAD)
    if len(data) != len(args):
        return _wrong(tuple[args], data, where, faults)  # type: ignore[valid-type]
    both = [decode(arg, one, f"{where}[{i}]", faults) for i, (arg, one) in enumerate(zip(args, data, strict=True))]
    return BAD if any(one is BAD for one in both) else tuple(both)


def _dict(hint: Any, data: object, where: str, faults: Faults) -> Any:
    if not isinstance(data, Mapping):
        faults.wrong(where, data, "an object")
        return BAD
    read = {key: decode(hint, value, _join(where, key), faults) for key, value in data.items()}
    return {key: value for key, value in read.items() if value is not BAD}


def _union(hint: Any, data: object, where: str, faults: Faults) -> Any:
    """The first member that takes the data; where one member alone has its shape, the faults of that one."""
    fitting = [one for one in get_args(hint) if _has_shape(one, data)]
    if len(fitting) == 1:
        return decode(fitting[0], data, where, faults)
    for one in fitting:
        trial = Faults()
        value = decode(one, data, where, trial)
        if not trial:
            return value
    return _wrong(hint, data, where, faults)


def _has_shape(hint: Any, data: object) -> bool:
    origin = get_origin(hint)
    match data:
        case None:
            return hint is type(None)
        case bool():
            return hint is bool
        case str():
            return hint is str or origin is Literal
        case int() | float():
            return hint in (int, float) or origin is Annotated
        case Mapping():
            return is_dataclass(hint) or origin is dict or hint is Pose
    return origin is tuple or hint is Pose


@dataclass(frozen=True, slots=True)
class _Slot:
    name: str
    hint: Any
    default: Callable[[], Any] | None


@cache
def _slots(kind: type) -> dict[str, _Slot]:
    hints = get_type_hints(kind, include_extras=True)
    found = {}
    for one in fields(kind):  # type: ignore[arg-type]  # `fields` asks for a type that mypy has no name for
        default: Callable[[], Any] | None = None
        if one.default_factory is not MISSING:
            default = one.default_factory
        elif one.default is not MISSING:
            default = _constant(one.default)
        found[one.name] = _Slot(one.name, hints[one.name], default)
    return found


def _constant(value: Any) -> Callable[[], Any]:
    return lambda: value


def _dataclass(kind: type[T], data: object, where: str, faults: Faults) -> Any:
    """A dataclass from an object; a null stands for what is left out."""
    if not isinstance(data, Mapping):
        faults.wrong(where, data, f"an object with {', '.join(_slots(kind))}")
        return BAD
    slots = _slots(kind)
    for key in data:
        if key not in slots:
            faults.unknown(_join(where, str(key)), "field", str(key), tuple(slots))
    values: dict[str, Any] = {}
    for name, slot in slots.items():
        given = data.get(name)
        value = BAD
        if given is not None:
            value = decode(slot.hint, given, _join(where, name), faults)
        elif slot.default is None:
            faults.add(_join(where, name), "missing", expected(slot.hint))
        if value is BAD and slot.default is not None:
            value = slot.default()
        values[name] = value
    return BAD if any(value is BAD for value in values.values()) else kind(**values)


def _join(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name
