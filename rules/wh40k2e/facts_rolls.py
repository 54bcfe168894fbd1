"""Facts about what comes next: who is to move, what is offered, what the dice are asked and how likely they answer.

=============================  =======================================================================================
``to_move``                    ``red``, ``blue``, ``chance`` or ``terminal``
``offers.VERB`` (``.UNIT``)    whether a verb is offered now (to a unit)
``roll.why``, ``roll.subject`` what is rolled for, and for which unit; empty where no dice are to fall
``roll.kind``, ``roll.dice``   form of the question, and number of dice that are thrown first
``roll.least``                 the face from which on a die succeeds
``odds.is.N``                  chance that the dice come to exactly N (several numbers: ``odds.is.2,1``)
``odds.at_least.N``            chance that they come to N or more, where they come to one number
``odds.at_most.N``             chance that they come to N or less
``odds.mean``                  what they come to on average
=============================  =======================================================================================
"""

from __future__ import annotations

from typing import Any

from tactician.rules.core.agenda import CHANCE, TERMINAL, Handler
from tactician.rules.core.chance import Roll, Successes
from tactician.rules.core.choice import Choice
from tactician.rules.core.forms import nearest
from tactician.rules.wh40k2e.state import SquadState

__all__ = ["FAMILIES", "coming_fact", "pending_why"]

FAMILIES = ("to_move", "offers", "roll", "odds")
"""First words of the paths."""

Fact = float | str | bool


def coming_fact(state: SquadState, path: str) -> Fact:
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
        case "odds":
            return _odds(state, rest)
    raise LookupError(f"there is no fact {path!r}{nearest(head, FAMILIES)}")


def pending_why(state: SquadState) -> str:
    """What dice are to fall for now; empty where none are."""
    roll = _pending(state)
    return "" if roll is None else roll.why


def _handler(state: SquadState) -> Handler[Any, Any]:
    """The handler of the innermost frame; looked up late, as the rules know this module."""
    from tactician.rules.wh40k2e.rules import HANDLERS

    return HANDLERS[state.agenda[-1].kind]


def _mover(state: SquadState) -> str:
    return _handler(state).mover(state, state.agenda[-1]) if state.agenda else TERMINAL


def _offered(state: SquadState) -> tuple[Choice, ...]:
    return () if _mover(state) in (CHANCE, TERMINAL) else _handler(state).choices(state, state.agenda[-1])


def _pending(state: SquadState) -> Roll | None:
    return _handler(state).roll(state, state.agenda[-1]) if _mover(state) == CHANCE else None


def _roll_fact(state: SquadState, what: str) -> Fact:
    roll = _pending(state)
    if what in ("why", "subject", "kind"):
        return "" if roll is None else str(getattr(roll, what))
    if roll is None:
        raise LookupError(f"no dice are to fall, so there is no roll.{what}")
    if what == "dice":
        return float(len(roll.to_throw()))
    if what == "least" and isinstance(roll, Successes):
        return float(roll.at_least or 0)
    known = ("why", "subject", "kind", "dice", "least")
    raise LookupError(f"the roll {roll.why!r} has no fact {what!r}{nearest(what, known)}")


def _odds(state: SquadState, what: str) -> float:
    roll = _pending(state)
    if roll is None:
        raise LookupError(f"no dice are to fall, so there is no odds.{what}")
    word, _, text = what.partition(".")
    numbers = _numbers(text)
    support = roll.support()
    if word == "is" and numbers:
        wanted = numbers[0] if len(numbers) == 1 else numbers
        return float(sum(chance for outcome, chance in support if outcome == wanted))
    plain = [(outcome, chance) for outcome, chance in support if isinstance(outcome, int)]
    if len(plain) == len(support):
        if word == "mean" and not text:
            return float(sum(outcome * chance for outcome, chance in plain))
        if word in ("at_least", "at_most") and len(numbers) == 1:
            sign = 1 if word == "at_least" else -1
            return float(sum(chance for outcome, chance in plain if sign * (outcome - numbers[0]) >= 0))
    known = ("is", "at_least", "at_most", "mean")
    raise LookupError(f"the roll {roll.why!r} has no odds.{what}{nearest(word, known)}")


def _numbers(text: str) -> tuple[int, ...]:
    """Whole numbers with commas between them; none where it is anything else."""
    parts = text.split(",") if text else []
    return tuple(int(part) for part in parts) if all(part.lstrip("-").isdecimal() for part in parts) else ()
