"""Clauses of a rulebook, what breaks them, and ledgers of modifiers.

A clause is a constant of its ruleset with an id, one line in our own words, and a kind. Whoever decides a rule
cites the clause; a violation carries it with the number that was measured, the number allowed and the place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import Point

__all__ = ["MALFORMED", "Cite", "Clause", "Entry", "Kind", "Ledger", "Violation"]

MALFORMED = "order"
"""Stands in place of a clause id where an order cannot be understood."""

Kind = Literal["check", "effect", "order", "display", "advisory", "out_of_scope", "planned"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One testable rule."""

    id: str
    text: str
    """One line in our own words."""
    source: str
    """Where it comes from: the seed, a rulebook page, an inference or a proposal."""
    kind: Kind
    chapter: str = ""
    """Module that decides it, relative to the ruleset."""


@dataclass(frozen=True, slots=True)
class Cite:
    """The clause reported for a prohibition, and the further clauses that forbid the same."""

    clause: str
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """One broken prohibition."""

    clause: str
    also: tuple[str, ...] = ()
    text: str = ""
    """What is forbidden, as the clause's group puts it."""
    subject: str = ""
    """Model or unit that breaks it."""
    against: str = ""
    """Model, unit or piece that it is broken against."""
    measured: float | None = None
    limit: float | None = None
    unit: str = '"'
    """What the two numbers count: inches unless said."""
    at: Point | None = None
    because_of: str = ""
    """Clause of the failure that this one only follows from."""

    def names(self, clause: str) -> bool:
        """Whether a clause is among those broken."""
        return clause == self.clause or clause in self.also

    def __str__(self) -> str:
        """One line for a person: who breaks what, measured against allowed, and where."""
        numbers = ""
        if self.measured is not None:
            numbers = f": {self.measured:.2f}{self.unit}"
            if self.limit is not None:
                numbers += f", limit {self.limit:g}{self.unit}"
        against = f" [{self.against}]" if self.against else ""
        place = f", at ({self.at[0]:g}, {self.at[1]:g})" if self.at is not None else ""
        text = f" ({self.text})" if self.text else ""
        follows = f" (follows from {self.because_of})" if self.because_of else ""
        return f"{self.subject or 'the order'} breaks {self.clause}{text}{against}{numbers}{place}{follows}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of a ledger."""

    value: float
    reason: str
    clause: str = ""

    def __str__(self) -> str:
        """The line as printed."""
        cited = f" [{self.clause}]" if self.clause else ""
        return f"{self.value:+g} {self.reason}{cited}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """A number and how it came about; it prints its own sum."""

    name: str
    base: float
    base_reason: str
    entries: tuple[Entry, ...] = ()
    doubled_by: str = ""
    """Why what was summed so far is doubled before `after` is added; empty when it is not."""
    after: tuple[Entry, ...] = ()

    @property
    def total(self) -> Inches:
        """The sum."""
        value = self.base + sum(entry.value for entry in self.entries)
        return value * (2 if self.doubled_by else 1) + sum(entry.value for entry in self.after)

    def __str__(self) -> str:
        """For example ``move: 5 profile, x2 Run = 10``."""
        parts = [f"{self.base:g} {self.base_reason}", *map(str, self.entries)]
        if self.doubled_by:
            parts.append(f"x2 {self.doubled_by}")
        parts += map(str, self.after)
        return f"{self.name}: {', '.join(parts)} = {self.total:g}"
