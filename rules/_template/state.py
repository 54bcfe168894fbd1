"""A moment of a duel: the shared table, who has won, and the frames of the agenda."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from tactician.rules.core.agenda import Frame
from tactician.rules.core.legs import Path
from tactician.rules.core.measure import Inches
from tactician.rules.core.state import Model, State, Table, Unit

from .options import RADIUS, STARTS

__all__ = [
    "FRAMES",
    "DuelState",
    "DuelTable",
    "Moving",
    "React",
    "Shot",
    "Turn",
    "starting_units",
]


@dataclass(frozen=True, kw_only=True)
class DuelTable(Table):
    """What every moment of a duel shares."""

    options: tuple[tuple[str, float], ...]
    first: str
    """The side that has the first turn."""

    def number(self, name: str) -> float:
        """The value of an option.

        Raises:
            KeyError: there is none of this name.
        """
        return dict(self.options)[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelState(State):
    """A moment of a duel."""

    table: DuelTable
    ended: str = ""
    """How the duel ended; empty while it goes on."""
    winner: str = ""
    """Who won; empty for a draw or while it goes on."""


def starting_units() -> tuple[Unit, ...]:
    """A disc at each end of the table."""
    return tuple(
        Unit(id=name, side=side, name="Disc", profile="disc", radius=RADIUS, models=(Model(id=f"{name}a", pose=pose),))
        for side, name, pose in STARTS
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Frame):
    """A player's turn: the owner moves, then shoots."""

    kind: ClassVar[str] = "turn"
    phase: Literal["move", "shoot", "over"] = "move"


@dataclass(frozen=True, slots=True, kw_only=True)
class Moving(Frame):
    """A disc on its way."""

    kind: ClassVar[str] = "moving"
    unit: str
    plan: Path
    """The way still ahead."""
    left: Inches
    """What may still be walked this turn."""
    stage: Literal["announced", "replan", "walk"] = "announced"
    """``announced``: the enemy may interrupt; ``replan``: the mover says how to go on; ``walk``: nobody interferes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class React(Frame):
    """The owner may shoot at the disc whose way has just been announced."""

    kind: ClassVar[str] = "react"
    watcher: str
    spans: tuple[tuple[str, Inches, Inches], ...]
    """Model, and the inches of its way from - to at which it is within range."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot(Frame):
    """A shot that is being rolled for."""

    kind: ClassVar[str] = "shot"
    shooter: str
    target: str


FRAMES: dict[str, type[Frame]] = {one.kind: one for one in (Turn, Moving, React, Shot)}
