"""What a game answers besides its rules: odds of its own, exactly, for whoever asks before deciding.

A ruleset may bind an oracle as ``oracle``. It decides nothing and throws nothing. It is asked before anything general
is worked out, and leaves to that whatever it does not answer. Where nobody may measure, its lines and data keep what
follows from distances between enemies to themselves; the distances themselves go into `Answer.gaps`, which whoever
prints them shows exactly or as an estimate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from tactician.rules.core.measure import Inches
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State

__all__ = ["Answer", "Gap", "Oracle", "OracleError", "Question", "oracle_of"]


class OracleError(ValueError):
    """A question that makes no sense about these units now; the message says why, in words for a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Something that a game can be asked."""

    name: str
    """One word, such as ``hit``."""
    text: str
    """What is answered, in half a line."""
    needs_target: bool = False
    """Whether a second unit has to be named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """How far apart two units of opposed sides are."""

    unit: str
    other: str
    inches: Inches
    """Between the nearest bases, edge to edge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What comes of a question."""

    lines: tuple[str, ...]
    """For people; chances as exact fractions."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """The same for programs, JSON-able, fractions as texts such as ``"5/12"``."""
    gaps: tuple[Gap, ...] = ()
    """Distances that belong to the answer, exact, and that neither `lines` nor `data` say."""


class Oracle(Protocol):
    """Answers about one game."""

    questions: tuple[Question, ...]
    """What it can be asked, in the order in which it is listed."""

    def answer(self, state: State, question: str, unit: str, target: str | None) -> Answer | None:
        """The answer to one of `questions`, or None where something more general should answer.

        Args:
            state: the moment.
            question: the name of the question.
            unit: the id of the unit that it is about; it may be of either side.
            target: the id of a unit of the other side, if one was named.

        Raises:
            OracleError: the question makes no sense about these units now.
        """


def oracle_of(ruleset: Ruleset) -> Oracle | None:
    """The oracle that a ruleset binds, or None."""
    found: Oracle | None = getattr(ruleset, "oracle", None)
    return found
