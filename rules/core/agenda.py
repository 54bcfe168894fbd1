"""The agenda: one stack of small frozen frames, with queues inside them.

A frame says what is going on (a turn, an exchange of fire, a move) and who owns it; handlers, one per kind of
frame, are pure functions of state and frame. `settle` lets handlers run until somebody must decide, dice must
fall, or the stack is empty. Frames name units and models by id only, so that a frame whose unit is gone can end
itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Protocol, TypeVar

from tactician.rules.core.action import Action
from tactician.rules.core.chance import Outcome, Roll
from tactician.rules.core.choice import Choice
from tactician.rules.core.clauses import Violation
from tactician.rules.core.state import State

__all__ = ["CHANCE", "TERMINAL", "Frame", "Handler", "push", "settle", "swap", "top", "without_top"]

CHANCE = "chance"
TERMINAL = "terminal"

LOOP_LIMIT = 10_000
"""Automatic steps in a row after which a handler is taken to be stuck."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One thing that is going on; subclasses add their data."""

    kind: ClassVar[str] = ""
    owner: str = ""
    """The side it belongs to, or empty."""


S = TypeVar("S", bound=State)


class Handler(Protocol):
    """What the rules do about one kind of frame; every method is pure."""

    def step(self, state: State, frame: Frame) -> State | None:
        """Go on without anybody's decision; None when somebody must decide or dice must fall."""

    def mover(self, state: State, frame: Frame) -> str:
        """The side that decides, or `CHANCE`, when `step` answers None."""

    def choices(self, state: State, frame: Frame) -> tuple[Choice, ...]:
        """What the side may do, sorted."""

    def check(self, state: State, frame: Frame, action: Action) -> tuple[Violation, ...]:
        """Every clause an action would break; empty means legal."""

    def take(self, state: State, frame: Frame, action: Action) -> State:
        """Apply a legal action."""

    def roll(self, state: State, frame: Frame) -> Roll:
        """The question to the dice."""

    def land(self, state: State, frame: Frame, outcome: Outcome) -> State:
        """Apply an outcome of the dice."""


def top(state: State) -> Frame:
    """The innermost frame.

    Raises:
        IndexError: the game is over.
    """
    return state.agenda[-1]


def push(state: S, *frames: Frame) -> S:
    """Put frames on top, the last one innermost."""
    return replace(state, agenda=(*state.agenda, *frames))


def without_top(state: S) -> S:
    """Take the innermost frame off."""
    return replace(state, agenda=state.agenda[:-1])


def swap(state: S, frame: Frame) -> S:
    """Replace the innermost frame."""
    return replace(state, agenda=(*state.agenda[:-1], frame))


def settle(state: State, handlers: dict[str, Handler]) -> State:
    """Run handlers until somebody must decide, dice must fall or nothing is left to do.

    Raises:
        RuntimeError: a handler goes on for ever (a defect of its ruleset).
    """
    for _ in range(LOOP_LIMIT):
        if not state.agenda:
            return state
        frame = state.agenda[-1]
        following = handlers[frame.kind].step(state, frame)
        if following is None:
            return state
        state = following
    raise RuntimeError(f"agenda does not settle at frame {state.agenda[-1].kind!r}")
