"""What this game does not have yet, or will not have: each refused with one message that names the clause."""

from __future__ import annotations

from tactician.rules.core.clauses import Violation
from tactician.rules.core.forms import nearest
from tactician.rules.wh40k2e.profiles import SPECIAL_RULES

__all__ = [
    "ARID",
    "KINDS_BEYOND",
    "RULES_BEYOND",
    "TERRAIN_BEYOND",
    "VERBS_BEYOND",
    "refused_kind",
    "refused_terrain",
    "refused_verb",
    "unknown_rule",
]

ARID = "rules for arid tables are planned, not there yet [2E-AR-01]"

VERBS_BEYOND = {
    "drive": ("2E-VE-01", "vehicles are planned, not there yet"),
    "ram": ("2E-VE-01", "vehicles are planned, not there yet"),
    "change_speed": ("2E-VE-04", "vehicles are planned, not there yet"),
    "cast": ("2E-XX-01", "the psychic phase is out of scope"),
    "infiltrate": ("2E-XX-02", "infiltration is out of scope"),
    "play_card": ("2E-XX-03", "strategy cards are out of scope"),
    "board": ("2E-XX-04", "boarding is out of scope"),
}
"""Orders that the game knows and this ruleset does not: clause, and why."""

KINDS_BEYOND = ("bike", "dreadnought", "hover", "skimmer", "squadron", "tracked", "vehicle", "walker", "wheeled")
"""Kinds of profiles that the game knows and this ruleset does not (2E-VE-01)."""

RULES_BEYOND = {
    "infiltrate": ("2E-XX-02", "infiltration is out of scope"),
    "infiltrator": ("2E-XX-02", "infiltration is out of scope"),
    "psyker": ("2E-XX-01", "the psychic phase is out of scope"),
    "vehicle": ("2E-VE-01", "vehicles are planned, not there yet"),
    "transport": ("2E-XX-04", "boarding is out of scope"),
}
"""Special rules that the game knows and this ruleset does not: clause, and why."""

TERRAIN_BEYOND = {
    "rough": "2E-AR-05",
    "wadi": "2E-AR-06",
    "oasis": "2E-AR-11",
    "outcrop": "2E-AR-15",
    "dune": "2E-AR-16",
    "sangar": "2E-AR-19",
    "haze": "2E-AR-23",
    "cloud": "2E-AR-26",
}
"""Terrain of arid tables, and the clause of each."""


def refused_verb(verb: str, unit: str) -> tuple[Violation, ...]:
    """The refusal of an order that is planned or out of scope; empty for any other verb."""
    if verb not in VERBS_BEYOND:
        return ()
    clause, why = VERBS_BEYOND[verb]
    return (Violation(clause=clause, subject=unit, text=why),)


def unknown_rule(name: str) -> str:
    """What is said of a special rule that no profile can have."""
    plain = name.strip().lower().replace(" ", "_").replace("-", "_")
    if plain in RULES_BEYOND:
        clause, why = RULES_BEYOND[plain]
        return f"special rule {name!r}: {why} [{clause}]"
    return f"there is no special rule {name!r}{nearest(plain, SPECIAL_RULES)}"


def refused_kind(kind: str) -> str:
    """What is said of a kind of profile that nobody can have; empty for those that the game has."""
    known = ("infantry", "character", "creature")
    if kind in known:
        return ""
    if kind.strip().lower() in KINDS_BEYOND:
        return f"kind {kind!r}: vehicles are planned, not there yet [2E-VE-01]"
    return f"there is no kind of profile {kind!r}{nearest(kind, known)}"


def refused_terrain(kind: str) -> str:
    """What is said of terrain of arid tables; empty for any other word."""
    plain = kind.strip().lower().removesuffix("s")
    clause = TERRAIN_BEYOND.get(plain) or TERRAIN_BEYOND.get(kind.strip().lower())
    return f"terrain {kind!r}: rules for arid tables are planned, not there yet [{clause}]" if clause else ""
