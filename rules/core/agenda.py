"""The agenda: one stack of small frozen frames, with queues inside them.

A frame says what is going on (a turn, an exchange of fire, a move) and who owns it; handlers, one per kind of
frame, are pure functions of state and frame. `settle` lets handlers run until somebody must decide, dice must
fall, or the stack is empty. Frames name units and models by id only, so that a frame whose unit is gone can end
itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from tactician.rules.core.action import Action
from tactician.rules.core.chance import Outcome, Roll
from tactician.rules.core.choice import Choice
from tactician.rules.core.clauses import MALFORMED, Violation
from tactician.rules.core.derive import but
from tactician.rules.core.forms import nearest
from tactician.rules.core.state import State

__all__ = ["CHANCE", "TERMINAL", "AgendaRules", "Frame", "Handler", "push", "settle", "swap", "top", "without_top"]

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
F = TypeVar("F", bound=Frame)


class Handler(Generic[S, F]):
    """What the rules do about one kind of frame; every method is pure."""

    def step(self, state: S, frame: F) -> S | None:
        """Go on without anybody's decision; None when somebody must decide or dice must fall."""
        return None

    def mover(self, state: S, frame: F) -> str:
        """The side that decides, or `CHANCE`, when `step` answers None."""
        return frame.owner

    def choices(self, state: S, frame: F) -> tuple[Choice, ...]:
        """What the side may do, sorted."""
        raise NotImplementedError(f"frame {frame.kind!r} asks nobody")

    def choice_for(self, state: S, frame: F, verb: str, unit: str) -> Choice | None:
        """The one choice of a verb for a unit, or None; a handler with many choices builds just the one asked for."""
        for choice in self.choices(state, frame):
            if choice.verb == verb and choice.unit == unit:
                return choice
        return None

    def refuse(self, state: S, frame: F, action: Action) -> tuple[Violation, ...]:
        """Why a verb that is not among the choices may not be ordered; the general reason where this is empty."""
        return ()

    def explain(self, state: S, frame: F, choice: Choice, action: Action) -> tuple[Violation, ...]:
        """What an answer to one of the choices breaks; empty if it belongs to the choice."""
        return choice.explain(state, action)

    def take(self, state: S, frame: F, action: Action) -> S:
        """Apply a legal action."""
        raise NotImplementedError(f"frame {frame.kind!r} asks nobody")

    def roll(self, state: S, frame: F) -> Roll:
        """The question to the dice."""
        raise NotImplementedError(f"frame {frame.kind!r} rolls nothing")

    def land(self, state: S, frame: F, outcome: Outcome) -> S:
        """Apply an outcome of the dice."""
        raise NotImplementedError(f"frame {frame.kind!r} rolls nothing")


class AgendaRules:
    """The part of a ruleset that follows from its handlers; a ruleset subclasses it and adds its own facts."""

    handlers: Mapping[str, Handler[Any, Any]]

    def to_move(self, state: State) -> str:
        """The side that decides, ``chance`` or ``terminal``."""
        if not state.agenda:
            return TERMINAL
        frame = state.agenda[-1]
        return self.handlers[frame.kind].mover(state, frame)

    def choices(self, state: State) -> tuple[Choice, ...]:
        """What the side to move may do; empty when dice must fall or the game is over."""
        if self.to_move(state) in (CHANCE, TERMINAL):
            return ()
        frame = state.agenda[-1]
        return self.handlers[frame.kind].choices(state, frame)

    def check(self, state: State, action: Action, assume: Mapping[str, int] | None = None) -> tuple[Violation, ...]:
        """Every clause that an action would break now; empty means legal."""
        mover = self.to_move(state)
        if mover == TERMINAL:
            return (_cannot(action, "the game is over"),)
        if mover == CHANCE:
            return (_cannot(action, f"dice must fall first: {self.pending(state).why}"),)
        frame = state.agenda[-1]
        handler = self.handlers[frame.kind]
        choice = handler.choice_for(state, frame, action.verb, action.unit)
        if choice is not None:
            return handler.explain(state, frame, choice, action)
        why = _stranger(state, action, mover) or handler.refuse(state, frame, action)
        return why or (_cannot(action, _not_offered(action, self.choices(state), mover)),)

    def apply(self, state: State, action: Action) -> State:
        """The moment after a legal action, settled."""
        frame = state.agenda[-1]
        return settle(self.handlers[frame.kind].take(_silent(state), frame, action), self.handlers)

    def pending(self, state: State) -> Roll:
        """The question to the dice, when chance is to move."""
        frame = state.agenda[-1]
        return self.handlers[frame.kind].roll(state, frame)

    def resolve(self, state: State, outcome: Outcome) -> State:
        """The moment after an outcome of the dice, settled.

        Raises:
            DiceError: the outcome is none that the question can have.
        """
        frame = state.agenda[-1]
        handler = self.handlers[frame.kind]
        roll = handler.roll(state, frame)
        fallen = roll.accept(outcome)
        told = f"{roll.why}: {roll.tell(fallen)}"
        return settle(handler.land(but(state, log=(told,)), frame, fallen), self.handlers)


def _silent(state: S) -> S:
    """The state with nothing told yet."""
    return but(state, log=()) if state.log else state


def _cannot(action: Action, text: str) -> Violation:
    return Violation(clause=MALFORMED, subject=action.unit, text=text)


def _stranger(state: State, action: Action, mover: str) -> tuple[Violation, ...]:
    """A unit that does not exist or belongs to the other side."""
    if not action.unit:
        return ()
    if not state.has_unit(action.unit):
        known = tuple(unit.id for unit in state.units)
        return (_cannot(action, f"there is no unit {action.unit!r}{nearest(action.unit, known)}"),)
    side = state.unit(action.unit).side
    if side != mover:
        return (_cannot(action, f"{mover} is to decide, and {action.unit} belongs to {side}"),)
    return ()


def _not_offered(action: Action, offered: tuple[Choice, ...], mover: str) -> str:
    verbs = tuple(sorted({choice.verb for choice in offered}))
    units = tuple(sorted({choice.unit for choice in offered if choice.verb == action.verb}))
    if action.verb not in verbs:
        return f"{mover} cannot {action.verb!r} now{nearest(action.verb, verbs)}; possible: {', '.join(verbs)}"
    if units == ("",):
        return f"{action.verb!r} names no unit"
    return f"{action.unit or 'nobody'} cannot {action.verb} now; possible for: {', '.join(filter(None, units))}"


def top(state: State) -> Frame:
    """The innermost frame.

    Raises:
        IndexError: the game is over.
    """
    return state.agenda[-1]


def push(state: S, *frames: Frame) -> S:
    """Put frames on top, the last one innermost."""
    return but(state, agenda=(*state.agenda, *frames))


def without_top(state: S) -> S:
    """Take the innermost frame off."""
    return but(state, agenda=state.agenda[:-1])


def swap(state: S, frame: Frame) -> S:
    """Replace the innermost frame."""
    return but(state, agenda=(*state.agenda[:-1], frame))


def settle(state: State, handlers: Mapping[str, Handler[Any, Any]]) -> State:
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
