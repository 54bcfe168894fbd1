"""The worth of things in the second edition."""

from __future__ import annotations

from tactician.rules.core.appraisal import PlainAppraiser

__all__ = ["SquadAppraiser"]


class SquadAppraiser(PlainAppraiser):
    """What units are worth, what attacks do, which places help."""
