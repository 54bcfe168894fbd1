"""Move types: what must hold for a way of moving, each part with the clause that says so.

A move type carries an allowance, what must hold while moving and what must hold after; a part that is None does not
apply. `tactician.rules.core.movement` measures ways against it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from tactician.rules.core.clauses import Cite
from tactician.rules.core.going import Going
from tactician.rules.core.legs import Rates
from tactician.rules.core.measure import Inches

__all__ = ["NEVER_NEARER", "Closed", "Coherency", "KeepAway", "MoveType"]

NEVER_NEARER: Inches = float("inf")
"""A distance that nobody has, so that everybody keeps what he has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """Pieces with a trait may not be entered, passed through or over; one may leave the piece one starts in."""

    trait: str
    cite: Cite
    leaving: bool = True
    """Whether a base that starts in such a piece may leave it (never to come back)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepAway:
    """A distance from enemy models: at the end of the move, or on the whole way."""

    limit: Inches
    """`NEVER_NEARER` where models come no nearer to any enemy than they began; then the distance holds on the whole way
    and may be touched."""
    cite: Cite
    whole_way: bool = False
    spared: tuple[str, ...] = ()
    """Enemy units that it does not protect."""
    spared_within: Inches | None = None
    """The spared units lose protection only if some model ends at most this near to one of them."""
    standing: bool = False
    """Whether models of the unit that stand still must keep it too."""
    touching: bool = False
    """Whether a gap of exactly the limit is far enough at the end too, as it is on the way; whoever must keep the
    distance on the whole way and begins nearer may then also end nearer, though never nearer than it began."""

    @property
    def in_words(self) -> str:
        """What is asked on the way, and at its end where the limit may be touched."""
        if self.limit == NEVER_NEARER:
            return "no nearer to an enemy than before"
        return f"keep {self.limit:g} inches from enemies on the whole way"


@dataclass(frozen=True, slots=True, kw_only=True)
class Coherency:
    """The greatest gap of a link; all models in one piece, while moving (in step) and after."""

    limit: Inches
    cite: Cite
    chain: bool = True
    """The whole unit is one piece; otherwise each model only needs a mate in reach."""
    regroup: Literal["fewer", "whole"] = "fewer"
    """What a unit must reach that starts in several pieces: fewer pieces, or one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveType:
    """How a unit may move."""

    name: str
    allowance: Inches
    """Inches that each model may pay."""
    motion: Literal["sequence", "in_step"]
    """Models one after another in the stated order, or all at the same time."""
    rates: Rates
    budget: Cite
    walls: Cite
    edge: Cite
    footing: Cite
    end_place: Cite
    models: Cite | None
    """Passing through or over other models; None where a rule allows it."""
    closed: tuple[Closed, ...] = ()
    keep_away: tuple[KeepAway, ...] = ()
    coherency: Coherency | None = None
    mates_block: bool = True
    """Whether models of the moving unit block each other."""
    whole_base: bool = True
    """Whether the whole base stays on the table; otherwise its centre."""
    highest_climb: Inches = float("inf")
    """Highest face that may be climbed in one leg."""
    going: Going | None = None
    """What the ground costs on top of the distance, and where it bars the unit; None where it does neither."""
    spent: tuple[tuple[str, Inches], ...] = ()
    """Inches of the allowance that models have paid before: an interrupted move goes on with what is left."""

    def most_left(self, models: Iterable[str]) -> Inches:
        """The most inches that any of some models may still pay."""
        return max(map(self.left_for, models), default=0.0) if self.spent else self.allowance

    def left_for(self, model: str) -> Inches:
        """Inches that a model may still pay."""
        return self.allowance - dict(self.spent).get(model, 0.0) if self.spent else self.allowance
