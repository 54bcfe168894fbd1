"""Warhammer 40,000, second edition: squads that charge, watch, run and hide."""

from __future__ import annotations

from tactician.rules.core.ruleset import Ruleset
from tactician.rules.wh40k2e.rules import SecondEdition

__all__ = ["RULESET"]

RULESET: Ruleset = SecondEdition()
