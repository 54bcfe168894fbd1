"""What this game does not have yet, or will not have: each refused with one message that names it."""

from __future__ import annotations

from tactician.rules.core.clauses import Violation
from tactician.rules.core.forms import nearest

__all__ = ["MISSIONS_BEYOND", "VERBS_BEYOND", "refused_verb", "unknown_mission"]

LATER = "is planned and not built yet"

VERBS_BEYOND = {
    "covering_fire": ("VS-CF-01", f"Covering Fire {LATER}"),
    "intervene": ("VS-IV-01", f"Intervene {LATER}"),
    "overcharge": ("VS-VE-01", "vehicles and their actions are out of scope"),
    "overkill": ("VS-VE-01", "vehicles and their actions are out of scope"),
    "ramming_speed": ("VS-VE-01", "vehicles and their actions are out of scope"),
}
"""Orders that the rulebook knows and this ruleset does not: clause, and why."""

MISSIONS_BEYOND = {
    "king-of-the-castle": ("VS-OB-08", f"mission King of the Castle {LATER}"),
    "raid-and-repeat": ("VS-OB-08", f"mission Raid and Repeat {LATER}"),
    "war-zone": ("VS-OB-08", f"mission War-zone {LATER}"),
    "citadel-clash": ("VS-OB-08", f"mission Citadel Clash {LATER}"),
    "motherlode": ("VS-OB-09", "mission Motherlode is out of scope"),
}
"""Missions that the rulebook knows and this ruleset does not: clause, and why."""


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
