"""What an order has said so far, and the small answers that its words stand for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tactician.order_ways import Paths
from tactician.order_words import OrderError, Token
from tactician.rules.core.action import Pairs
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import Inches, snap
from tactician.rules.core.shapes import Point
from tactician.rules.core.state import Model, Unit

__all__ = ["ATTACKS", "FILES", "Draft", "Places", "ranks", "role_of"]

ATTACKS = ("assault", "charge")
"""Verbs whose bare target is charged: the unit runs into contact with it."""

FILES = 5
"""Models side by side in a formation that is put down, unless an order says otherwise."""

Places = tuple[tuple[str, Pose], ...]


@dataclass(slots=True)
class Draft:
    """What an order has said so far."""

    unit: Unit | None = None
    verb: str = ""
    verb_at: Token | None = None
    only: str = ""
    """The one model that moves, where an order names no verb and a model."""
    way: Callable[[tuple[Model, ...]], Paths] | None = None
    into: Unit | None = None
    stays: bool = False
    roles: dict[str, str] = field(default_factory=dict)
    bare: list[tuple[Unit, Token]] = field(default_factory=list)
    pairs: dict[str, str] = field(default_factory=dict)
    """Models and what each aims at, where an order says so one by one."""
    models: list[str] = field(default_factory=list)
    middle: Point | None = None
    files: int = FILES
    details: list[tuple[str, Callable[[Model], Paths] | Pose | None]] = field(default_factory=list)
    order: tuple[str, ...] = ()

    @property
    def says_way(self) -> bool:
        """Whether anything was said about how models walk."""
        walks = any(not isinstance(what, Pose) for _, what in self.details)
        return self.way is not None or self.into is not None or self.stays or walks


def role_of(verb: str, options: tuple[Pairs, ...], target: str, token: Token) -> str:
    """The role in which a verb aims at a target that is named without one.

    Raises:
        OrderError: it could be several.
    """
    roles = sorted({role for option in options for role, _ in option})
    if verb in roles or not roles:
        return verb if verb in roles or not options else "shoot"
    if len(roles) == 1:
        return roles[0]
    listed = " or ".join(f"'{role} {target}'" for role in roles)
    raise OrderError(f"{verb} {target}: what for?", expected=f"'... toward {target}', {listed}", column=token.column)


def ranks(models: tuple[str, ...], radius: Inches, middle: Point, files: int = FILES) -> Places:
    """Models in ranks and files about a middle, half a base apart, the first in the far left corner."""
    files = min(files, len(models))
    deep = -(-len(models) // files)
    pitch = 2 * radius + min(radius, 0.5)
    left, top = middle[0] - (files - 1) * pitch / 2, middle[1] + (deep - 1) * pitch / 2
    return tuple(
        (name, Pose(snap(left + (i % files) * pitch), snap(top - (i // files) * pitch)))
        for i, name in enumerate(models)
    )
