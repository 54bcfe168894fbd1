"""A duel of two discs: the smallest whole game, to be copied when a new one is begun.

Each module is a chapter: `clauses` lists what can be broken or seen, `options` holds the numbers, `state` what a
moment consists of, `turn` the order of play, `moving` and `shooting` one phase each, `files` the battle as data.
Nothing here says what the package is called, so that a copy of the folder is a game of its own.
"""

from __future__ import annotations

from tactician.rules.core.ruleset import Ruleset

from .turn import Duel

__all__ = ["RULESET"]

RULESET: Ruleset = Duel(__name__.rsplit(".", 1)[-1])
