"""What the sources leave open, under names; and the verbs, in an order that never changes."""

from __future__ import annotations

from tactician.rules.core.ruleset import Option

__all__ = ["OPTIONS", "RULINGS", "VERBS"]

VERBS = (
    "deploy",
    "charge",
    "overwatch",
    "restrain",
    "assault",
    "move",
    "run",
    "turn",
    "hide",
    "shoot",
    "fire",
    "go_on",
    "stop",
    "parry",
    "follow",
    "break_off",
    "pass",
    "fight",
)
"""New verbs are appended, never inserted, and raise the version of learning environments."""


def _number(name: str, default: float, text: str, source: str) -> Option:
    return Option(name=name, default=default, text=text, source=source)


def _pick(name: str, default: str, others: tuple[str, ...], text: str, source: str) -> Option:
    return Option(name=name, default=default, values=(default, *others), text=text, source=source)


def _flag(name: str, default: bool, text: str, source: str) -> Option:
    return Option(name=name, default=default, values=(default, not default), text=text, source=source)


OPTIONS: tuple[Option, ...] = (
    _number("coherency", 2.0, "greatest gap of a link of a squad (4 for dispersed formation)", "squad coherency"),
    _pick("obstacle_fee", "movement", ("allowance",), "half of what a high obstacle costs", "crossing an obstacle"),
    _flag("thin_is_free", False, "an obstacle up to an inch broad is free at any height", "low and narrow obstacles"),
    _pick("unreachable_nearest", "fail", ("next",), "a charger whose nearest target is out of reach", "charge targets"),
    _pick("terrain_by", "centre", ("base",), "what part of a base pays for slow ground", "difficult ground"),
    _flag("premeasuring", False, "distances may be measured before charges are declared", "measuring"),
    _flag("original_run_halt", False, "runners halt at eight inches from an enemy", "running into 8 inches"),
    _pick("overwatch_foresight", "squad", ("model",), "how much of an announced move a watcher sees", "overwatch"),
    _pick("hills", "open", ("difficult",), "what hills count as", "2E-TR-02"),
    _flag("own_squad_hides", True, "models of the shooter's own squad stand in the way of its shots", "line of sight"),
)

RULINGS: tuple[str, ...] = (
    "An enemy is behind an obstacle if its base touches the far face and the line between the centres crosses it.",
    "Everybody stands on the level for measuring; a hill lifts eyes and fighters, it does not lengthen distances.",
    "At the end of its movement steps a side's models turn to the nearest enemy, unless told otherwise or on "
    "overwatch.",
    "A piece gives cover where the line between the centres crosses it, or the target's centre lies in it, unless the "
    "shooter touches it.",
    "Only the player whose turn it is breaks off from hand-to-hand.",
    "Lengths of a blast that misses are read with the arrow of the nearest hour of a clock.",
)
"""Readings that no option changes, for the page of the game."""
