"""What this game does not have yet, or will not have: each refused with one message that names it."""

from __future__ import annotations

from tactician.rules.core.clauses import Violation
from tactician.rules.core.forms import nearest
from tactician.rules.voidsiege.profiles import SPECIAL_RULES

__all__ = ["MISSIONS_BEYOND", "RULES_BEYOND", "VERBS_BEYOND", "refused_verb", "unknown_mission", "unknown_rule"]

VERBS_BEYOND = {
    "overcharge": ("VS-VE-01", "vehicles and their actions are out of scope"),
    "overkill": ("VS-VE-01", "vehicles and their actions are out of scope"),
    "ramming_speed": ("VS-VE-01", "vehicles and their actions are out of scope"),
}
"""Orders that the rulebook knows and this ruleset does not: clause, and why."""

MISSIONS_BEYOND = {
    "motherlode": ("VS-OB-09", "mission Motherlode is out of scope"),
}
"""Missions that the rulebook knows and this ruleset does not: clause, and why."""

RULES_BEYOND = (
    "agile",
    "caterpillar",
    "cavalry",
    "fissure",
    "flying",
    "infiltrate",
    "marked",
    "ram",
    "strider",
    "swarm",
    "toxic",
    "trudging",
    "will-of-the-masters",
)
"""Special rules that the rulebook knows and this ruleset does not (VS-SR-01)."""


def refused_verb(verb: str, unit: str) -> tuple[Violation, ...]:
    """The refusal of an order that is planned or out of scope; empty for any other verb."""
    if verb not in VERBS_BEYOND:
        return ()
    clause, why = VERBS_BEYOND[verb]
    return (Violation(clause=clause, subject=unit, text=why),)


def unknown_mission(name: str, known: tuple[str, ...]) -> str:
    """What is said of a mission that cannot be played."""
    if name in MISSIONS_BEYOND:
        clause, why = MISSIONS_BEYOND[name]
        return f"{why} [{clause}]; playable: {', '.join(known)}"
    return f"there is no mission {name!r}{nearest(name, known)}"


def unknown_rule(name: str) -> str:
    """What is said of a special rule that no profile can have."""
    plain = name.strip().lower().replace(" ", "-")
    if plain in RULES_BEYOND:
        return f"special rule {name!r} is out of scope [VS-SR-01]; known: {', '.join(SPECIAL_RULES)}"
    return f"there is no special rule {name!r}{nearest(plain, SPECIAL_RULES)}"
