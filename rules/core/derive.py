"""A value like another one but for some of its fields, faster than the standard way.

States are derived many times in every exchange, and `dataclasses.replace` asks the whole field table each time. Here
the slots of a class are looked up once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, TypeVar

__all__ = ["but"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Slots:
    """How to read and write the fields of a slotted dataclass."""

    read: Callable[[Any], tuple[Any, ...]]
    write: tuple[Callable[[Any, Any], None], ...]
    by_name: dict[str, Callable[[Any, Any], None]]


_KNOWN: dict[type, _Slots] = {}


def _look_up(kind: type) -> _Slots:
    """The slots of a class, all of whose fields are given to it, looked up once."""
    names = [field.name for field in fields(kind)]
    if hasattr(kind, "__post_init__") or len(names) < 2 or not all(field.init for field in fields(kind)):
        raise TypeError(f"{kind.__name__} makes fields of its own: use dataclasses.replace")
    write = tuple(getattr(kind, name).__set__ for name in names)
    found = _KNOWN[kind] = _Slots(attrgetter(*names), write, dict(zip(names, write, strict=True)))
    return found


def but(value: T, **changes: object) -> T:
    """The same as a value, some fields changed.

    Args:
        value: of a frozen dataclass with slots and at least two fields, all of which are given to it.
        changes: the fields that differ.

    Raises:
        TypeError: a change names no field, or the class makes fields of its own.
    """
    kind = type(value)
    slots = _KNOWN.get(kind) or _look_up(kind)
    made = object.__new__(kind)
    for write, held in zip(slots.write, slots.read(value)):  # noqa: B905 (as long as each other by construction)
        write(made, held)
    try:
        for name, new in changes.items():
            slots.by_name[name](made, new)
    except KeyError as unknown:
        raise TypeError(f"{kind.__name__} has no field {unknown}") from None
    return made
