"""The form of an action, before any rule is asked: known models, ordinary numbers, legs that exist."""

from __future__ import annotations

from difflib import get_close_matches

from tactician.rules.core.action import Action
from tactician.rules.core.arcs import LEFT, RIGHT
from tactician.rules.core.clauses import MALFORMED, Violation
from tactician.rules.core.legs import Bend, Climb, Drop, Leg, Path, Straight
from tactician.rules.core.measure import beyond, is_finite, shown
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.state import State, Unit

__all__ = ["MOST_LEGS", "nearest", "path_faults"]

MOST_LEGS = 1000
"""Legs of one model above which an order is bad input."""

FAR = 1e6
"""Inches beyond which a coordinate cannot be meant."""


def nearest(name: str, known: tuple[str, ...]) -> str:
    """A hint at the nearest known name, or at all of them where few: ``; did you mean 'rifle'?``."""
    close = get_close_matches(name, known, n=1, cutoff=0.5)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; known: {', '.join(known)}" if known and len(known) <= 12 else ""


def path_faults(state: State, unit: Unit, action: Action, motion: str) -> tuple[Violation, ...]:
    """What is wrong with the form of announced ways."""
    known = tuple(model.id for model in unit.models)
    texts: list[tuple[str, str]] = []
    names = [name for name, _ in action.paths]
    for name in names:
        if name not in known:
            texts.append((name, f"{name!r} is no model of {unit.id} on the table{nearest(name, known)}"))
    if len(set(names)) != len(names):
        texts.append((unit.id, "a model has two paths"))
    for name, path in action.paths:
        if len(path) > MOST_LEGS:
            texts.append((name, f"a path of {len(path)} legs; at most {MOST_LEGS}"))
        elif name in known:
            texts += [(name, text) for text in _leg_faults(state, unit.model(name).pose.point, path, motion)]
    texts += [(unit.id, text) for text in _order_faults(action, names, motion)]
    return tuple(Violation(clause=MALFORMED, subject=subject, text=text) for subject, text in texts)


def _leg_faults(state: State, here: Point, path: Path, motion: str) -> list[str]:
    texts = [_climb_fault(here, path)]
    for leg in path:
        texts.append(_leg_fault(state, leg, motion) or _arc_fault(here, leg))
        here = here if isinstance(leg, Climb | Drop) else leg.to
    return [text for text in texts if text]


def _climb_fault(here: Point, path: Path) -> str:
    """A climb or drop that is cut into parts goes on, perhaps after waits, until it arrives."""
    surface, done = "", 1.0
    for leg in path:
        if isinstance(leg, Climb | Drop):
            goes_on = leg.surface == surface and leg.part > done
            if done < 1.0 and not goes_on:
                break
            surface, done = leg.surface, leg.part
        elif done < 1.0 and (isinstance(leg, Bend) or leg.to != here):
            break
        else:
            here = leg.to
    return "" if done >= 1.0 else f"a climb to {surface} left off after {done:g} of its height: it must arrive"


def _arc_fault(here: Point, leg: Leg) -> str:
    """An arc begins and ends on one circle; otherwise its length would not be that of the way to its end."""
    if not isinstance(leg, Bend):
        return ""
    if leg.turn not in (LEFT, RIGHT):
        return f"an arc that turns {leg.turn!r}: expected {LEFT} or {RIGHT}"
    (cx, cy), (x, y) = leg.centre, leg.to
    begin, end = length(here[0] - cx, here[1] - cy), length(x - cx, y - cy)
    if beyond(abs(begin - end), 0.0):
        return f"an arc that begins {shown(begin)} from its centre and ends {shown(end)} from it: expected one circle"
    return ""


def _leg_fault(state: State, leg: Leg, motion: str) -> str:
    match leg:
        case Straight(to=to):
            return "" if _ordinary(*to) else f"a leg to {to}: expected two numbers on or near the table"
        case Bend(centre=centre, to=to):
            if motion == "in_step":
                return "models that move in step walk straight legs; draw the arc as short straight ones"
            (cx, cy), (x, y) = centre, to
            return "" if _ordinary(cx, cy, x, y) else "an arc with coordinates off every table"
        case Climb(surface=name, part=part) | Drop(surface=name, part=part):
            known = tuple(surface.id for surface in state.board.surfaces)
            if name not in known:
                return f"there is no surface {name!r}{nearest(name, known)}"
            return "" if 0.0 < part <= 1.0 else f"a climb by {part} of its height: expected more than 0, at most 1"


def _ordinary(*numbers: float) -> bool:
    return all(is_finite(number) and abs(number) < FAR for number in numbers)


def _order_faults(action: Action, names: list[str], motion: str) -> list[str]:
    if not action.order:
        return []
    if motion == "sequence" and sorted(action.order) != sorted(names):
        return ["the order names every model with a path once"]
    return [] if set(action.order) <= set(names) else ["the order names a model without a path"]
