"""Values from JSON-able data by type hints: every fault is noted, and reading goes on with what can be understood.

A hint is a plain type, a dataclass, a tuple, a dict with text keys, a Literal, a union of these, or a number annotated
with a `Bound`. Poses and legs have written forms of their own (see `tactician.rules.core.codec`).
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from tactician.rules.core.files import Faults
from tactician.rules.core.legs import Bend, Climb, Drop, Leg, Pose, Straight
from tactician.rules.core.measure import is_finite
from tactician.rules.core.shapes import Point
from tactician.rules.core.terrain import GROUND

__all__ = ["BAD", "Bound", "LegForm", "PoseForm", "decode", "expected", "join"]

BAD: Any = object()
"""What `decode` answers where nothing can be made of the data."""


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


# ---- reading ---------------------------------------------------------------------------------------------------------


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
    if isinstance(hint, type) and is_dataclass(hint):
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
        return BAD if form is BAD else Pose(form.at[0], form.at[1], form.surface, form.bearing)
    if isinstance(data, list | tuple):
        at = _point(data, where, faults)
        return BAD if at is BAD else Pose(at[0], at[1])
    return _wrong(Pose, data, where, faults)


def _leg(data: object, where: str, faults: Faults) -> Any:
    if not isinstance(data, Mapping):
        return _wrong(Leg, data, where, faults)
    if len(data) == 1 and "to" in data:
        to = _point(data["to"], join(where, "to"), faults)
        return BAD if to is BAD else Straight(to)
    form = decode(LegForm, data, where, faults)
    if form is BAD or faults.within(f"{where}."):
        return BAD
    match form:
        case LegForm(arc=None, turn=None, climb=None, drop=None, to=(x, y), part=1.0):
            return Straight((x, y))
        case LegForm(arc=(cx, cy), turn=str(turn), climb=None, drop=None, to=(x, y), part=1.0):
            return Bend((cx, cy), (x, y), turn)
        case LegForm(to=None, arc=None, turn=None, climb=str(surface), drop=None, part=part):
            return Climb(surface, part)
        case LegForm(to=None, arc=None, turn=None, climb=None, drop=str(surface), part=part):
            return Drop(surface, part)
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
    read = {key: decode(hint, value, join(where, key), faults) for key, value in data.items()}
    return {key: value for key, value in read.items() if value is not BAD}


def _union(hint: Any, data: object, where: str, faults: Faults) -> Any:
    """The first member that takes the data; where one member alone has its shape, the faults of that one.

    Of several forms of an object the one that knows most of its keys is meant.
    """
    fitting: list[Any] = [one for one in get_args(hint) if one is type(data)] or [
        one for one in get_args(hint) if _has_shape(one, data)
    ]
    if len(fitting) > 1 and isinstance(data, Mapping) and all(is_dataclass(one) for one in fitting):
        fitting = [max(fitting, key=lambda one: sum(key in _slots(one) for key in data))]
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
def _slots(kind: Any) -> dict[str, _Slot]:
    hints = get_type_hints(kind, include_extras=True)
    found = {}
    for one in fields(kind):
        default: Callable[[], Any] | None = None
        if one.default_factory is not MISSING:
            default = one.default_factory
        elif one.default is not MISSING:
            default = _constant(one.default)
        found[one.name] = _Slot(one.name, hints[one.name], default)
    return found


def _constant(value: Any) -> Callable[[], Any]:
    return lambda: value


def _dataclass(kind: Any, data: object, where: str, faults: Faults) -> Any:
    """A dataclass from an object; a null stands for what is left out."""
    if not isinstance(data, Mapping):
        faults.wrong(where, data, f"an object with {', '.join(_slots(kind))}")
        return BAD
    slots = _slots(kind)
    for key in data:
        if key not in slots:
            faults.unknown(join(where, str(key)), "field", str(key), tuple(slots))
    values: dict[str, Any] = {}
    for name, slot in slots.items():
        given = data.get(name)
        value = BAD
        if given is not None:
            value = decode(slot.hint, given, join(where, name), faults)
        elif slot.default is None:
            faults.add(join(where, name), "missing", expected(slot.hint))
        if value is BAD and slot.default is not None:
            value = slot.default()
        values[name] = value
    return BAD if any(value is BAD for value in values.values()) else kind(**values)


def join(where: str, name: str) -> str:
    """The path of a field inside another one."""
    return f"{where}.{name}" if where else name
