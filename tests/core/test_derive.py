"""Deriving a value from another: equal to the standard way, and as strict about names."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest
from tactician.rules.core.derive import but


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    x: float
    y: float
    name: str = ""
    note: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named(Place):
    owner: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    x: float
    y: float
    far: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "far", self.x + self.y)


def test_it_is_what_replace_makes() -> None:
    one = Named(x=1.0, y=2.0, name="a", note="n", owner="red")
    assert but(one, y=3.0, owner="blue") == replace(one, y=3.0, owner="blue")
    assert but(one).note == "n"
    assert type(but(one)) is Named


def test_the_old_value_stays() -> None:
    one = Place(x=1.0, y=2.0)
    but(one, x=5.0)
    assert one == Place(x=1.0, y=2.0)


def test_a_field_that_does_not_exist_is_refused() -> None:
    with pytest.raises(TypeError, match="no field 'z'"):
        but(Place(x=1.0, y=2.0), z=3.0)


def test_a_class_that_makes_fields_of_its_own_is_refused() -> None:
    with pytest.raises(TypeError, match="fields of its own"):
        but(Made(x=1.0, y=2.0), x=3.0)
