"""What goes wrong in front of people: one clear message a fault, never a traceback.

Everything that a person can give wrong is one of `EXPECTED`; any other exception is a defect of ours and keeps its
traceback, so that it can be reported.
"""

from __future__ import annotations

from tactician.orders import OrderError
from tactician.rules.core.chance import DiceError
from tactician.rules.core.clauses import MALFORMED, Violation
from tactician.rules.core.files import BadInput, Fault
from tactician.rules.core.notation import NotationError
from tactician.rules.core.record import ReplayError
from tactician.rules.core.referee import ActionError
from tactician.rules.core.ruleset import RulesetError

__all__ = ["BAD_INPUT", "EXPECTED", "ILLEGAL", "bad", "complaints", "violation_words"]

ILLEGAL = 1
"""Exit code of an order that breaks clauses, of cases that disagree and of what was cut short."""

BAD_INPUT = 2
"""Exit code of anything that cannot be understood or used."""


EXPECTED = (
    BadInput,
    RulesetError,
    DiceError,
    ActionError,
    NotationError,
    OrderError,
    ReplayError,
    OSError,
    UnicodeError,
    RecursionError,
    MemoryError,
)
"""Every exception that says something about what was given."""


def bad(where: str, found: str, expected: str = "", hint: str = "") -> BadInput:
    """One fault of what was given on the command line, ready to be raised.

    Args:
        where: the option or argument, such as ``--dice`` or ``ACTION``
        found: what stands there, in words
        expected: what could stand there
        hint: the nearest known names, as `tactician.rules.core.forms.nearest` puts them
    """
    return BadInput([Fault(where=where, found=found, expected=expected, hint=hint)])


def complaints(error: BaseException) -> tuple[str, ...]:
    """What a person should read about an expected error, one line a fault."""
    match error:
        case ActionError(violations=violations):
            return tuple(violation_words(one) for one in violations)
        case RecursionError():
            return ("lists or objects nested too deeply, expected a usual depth",)
        case MemoryError():
            return ("not enough memory for this",)
        case OSError(filename=name, strerror=reason) if name is not None:
            return (f"{name}: {reason}",)
    return tuple(line for line in str(error).splitlines() if line.strip()) or (type(error).__name__,)


def violation_words(one: Violation) -> str:
    """A broken clause as one line; what makes no sense at all without the words about a clause."""
    if one.clause == MALFORMED:
        return f"{one.subject}: {one.text}" if one.subject else one.text
    return str(one)
