"""Remembering answers about values by their identity.

States share what did not change: from one moment to the next most units are the very same objects. An answer that
depends on nothing but a few of these objects is remembered under their identities; the objects are kept alive with
it, so that an identity can never come to mean something else. Nothing here can change a result, only its cost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

__all__ = ["Remembered"]

T = TypeVar("T")


_MISSING = object()
"""Stands for an answer that is not known."""


class Remembered(Generic[T]):
    """Answers by the identities of the objects that they depend on, and a small key beside them."""

    def __init__(self, size: int = 8_000) -> None:
        """Keep about so many answers; when there are more, all are forgotten."""
        self._size = size
        self._known: dict[tuple[object, ...], Any] = {}
        self._alive: list[tuple[object, ...]] = []

    def get(self, objects: tuple[object, ...], key: object, answer: Callable[[], T]) -> T:
        """The remembered answer, or a new one.

        Args:
            objects: everything the answer depends on, by identity.
            key: a hashable value that it depends on besides.
            answer: works it out.
        """
        place = (*map(id, objects), key)
        found = self._known.get(place, _MISSING)
        if found is not _MISSING:
            known: T = found
            return known
        value = answer()
        if len(self._alive) >= self._size:
            self._known.clear()
            self._alive.clear()
        self._known[place] = value
        self._alive.append(objects)
        return value
