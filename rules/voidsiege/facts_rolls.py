"""Facts about what comes next: who is to move, what is offered, what the dice are asked, where objectives stand.

=============================  =======================================================================================
``to_move``                    ``red``, ``blue``, ``chance`` or ``terminal``
``offers.VERB`` (``.UNIT``)    whether a verb is offered now (to a unit)
``roll.why``, ``roll.subject`` what is rolled for, and for which unit; empty where no dice are to fall
``roll.kind``, ``roll.dice``   form of the question and number of its dice
``roll.least``                 the face from which on a die succeeds
``roll.faces.BAND``            how many faces of a die count as ``critical`` or as ``lock``
``objective.N.x``, ``.y``      where an objective stands, the first being number 0
``objective.count``            how many there are
``headquarters.N.x``, ``.y``   where headquarters stand, red's being number 0; ``headquarters.count``
=============================  =======================================================================================
"""

from __future__ import annotations

from typing import Any

from tactician.rules.core.agenda import CHANCE, TERMINAL, Handler
from tactician.rules.core.chance import Faces, Roll, Successes, Table, Total
from tactician.rules.core.choice import Choice
from tactician.rules.core.forms import nearest
from tactician.rules.core.shapes import Point
from tactician.rules.voidsiege.scenario import headquarters, objectives
from tactician.rules.voidsiege.state import VoidState

__all__ = ["FAMILIES", "coming_fact"]

FAMILIES = ("to_move", "offers", "roll", "objective", "headquarters")
"""First words of the paths."""

Fact = float | str | bool


def coming_fact(state: VoidState, path: str) -> Fact:
    """The fact at a path of one of the `FAMILIES`.

    Raises:
        LookupError: there is no such fact.
    """
    head, _, rest = path.partition(".")
    match head:
        case "to_move":
            return _mover(state)
        case "offers":
            verb, _, unit = rest.partition(".")
            return any(choice.verb == verb and unit in ("", choice.unit) for choice in _offered(state))
        case "roll":
            return _roll_fact(state, rest)
        case "objective" | "headquarters":
            return _place_fact(head, objectives(state) if head == "objective" else headquarters(state), rest)
    raise LookupError(f"there is no fact {path!r}{nearest(head, FAMILIES)}")


def _handler(state: VoidState) -> Handler[Any, Any]:
    """The handler of the innermost frame; looked up late, as the rules know this module."""
    from tactician.rules.voidsiege.rules import HANDLERS

    return HANDLERS[state.agenda[-1].kind]


def _mover(state: VoidState) -> str:
    return _handler(state).mover(state, state.agenda[-1]) if state.agenda else TERMINAL


def _offered(state: VoidState) -> tuple[Choice, ...]:
    return () if _mover(state) in (CHANCE, TERMINAL) else _handler(state).choices(state, state.agenda[-1])


def _pending(state: VoidState) -> Roll | None:
    return _handler(state).roll(state, state.agenda[-1]) if _mover(state) == CHANCE else None


def _roll_fact(state: VoidState, what: str) -> Fact:
    roll = _pending(state)
    what, _, detail = what.partition(".")
    if what in ("why", "subject", "kind"):
        return "" if roll is None else str(getattr(roll, what))
    if roll is None:
        raise LookupError(f"no dice are to fall, so there is no roll.{what}")
    if what == "dice" and isinstance(roll, Successes | Faces | Total):
        return float(roll.dice)
    if what == "dice" and isinstance(roll, Table):
        return 1.0
    if what == "least" and isinstance(roll, Successes):
        return float(roll.at_least or 0)
    if what == "faces" and isinstance(roll, Faces):
        return _faces(roll, detail)
    known = ("why", "subject", "kind", "dice", "least", "faces")
    raise LookupError(f"the roll {roll.why!r} has no fact {what!r}{nearest(what, known)}")


def _faces(roll: Faces, band: str) -> float:
    for name, low, high in roll.bands:
        if name == band:
            return float(max(min(high, roll.sides) - max(low, 1) + 1, 0))
    raise LookupError(f"the roll has no band {band!r}{nearest(band, tuple(name for name, _, _ in roll.bands))}")


def _place_fact(head: str, points: tuple[Point, ...], rest: str) -> float:
    if rest == "count":
        return float(len(points))
    number, _, what = rest.partition(".")
    if number.isdecimal() and int(number) < len(points) and what in ("x", "y"):
        return points[int(number)]["xy".index(what)]
    raise LookupError(f"there is no fact {head}.{rest}: {len(points)} of them, each with x and y")
