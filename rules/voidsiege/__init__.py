"""VoidSiege: commands and responses instead of phases, coherency while moving, partial movement."""

from tactician.rules.voidsiege.rules import VoidSiege

__all__ = ["RULESET"]

RULESET = VoidSiege()
