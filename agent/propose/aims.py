"""Where a unit might want to go: directions and lengths, each with a name that a player would understand."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

from tactician.agent.by_eye import EXACT, Measure
from tactician.rules.core.appraisal import Appraiser, Goal
from tactician.rules.core.measure import CLOSED_MARGIN, Inches
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.state import State, Unit

__all__ = ["Aim", "aims", "middle", "nearest_pair"]

MARGIN: Inches = 0.05
"""How far short of a border of interest an aim stays."""

ROUND = 8
"""Directions of the compass that are tried besides the places that mean something."""


@dataclass(frozen=True, slots=True)
class Aim:
    """A wish to go somewhere."""

    name: str
    way: Point
    """Unit vector."""
    inches: Inches
    """How far, within the allowance."""
    goal: Point | None = None
    """The place aimed at, where a detour would be worth it."""
    is_bearing: bool = False
    """Whether it is only a direction of the compass."""


def middle(unit: Unit) -> Point:
    """The middle of a unit's models."""
    count = len(unit.models)
    return sum(m.pose.x for m in unit.models) / count, sum(m.pose.y for m in unit.models) / count


def nearest_pair(
    unit: Unit, others: tuple[Unit, ...], measure: Measure = EXACT
) -> tuple[Inches, Point, Point, Unit] | None:
    """Gap, place of the own model, place of the other one, and the unit it belongs to; None without others.

    Args:
        unit: whose nearest neighbour is looked for.
        others: where it is looked for.
        measure: what is known of distances; the gap, and which is the nearest, follow it.
    """
    best: tuple[Inches, Point, Point, Unit] | None = None
    for other in others:
        factor = measure.factor(unit.id, other.id)
        for theirs in other.models:
            for mine in unit.models:
                between = length(mine.pose.x - theirs.pose.x, mine.pose.y - theirs.pose.y)
                away = factor * (between - unit.radius - other.radius)
                if best is None or away < best[0] - 1e-9:
                    best = away, mine.pose.point, theirs.pose.point, other
    return best


def aims(
    appraiser: Appraiser,
    state: State,
    unit: Unit,
    allowance: Inches,
    charged: str | None = None,
    measure: Measure = EXACT,
) -> tuple[Aim, ...]:
    """Wishes worth a try, the more meaningful first.

    Args:
        appraiser: what the game says about goals and shelters.
        state: the moment.
        unit: the unit that moves.
        allowance: inches it may go.
        charged: the unit at which a charge is declared, if any.
        measure: what is known of distances to the enemy.
    """
    far = max(allowance - CLOSED_MARGIN, 0.0)
    if charged is not None and state.has_unit(charged) and state.unit(charged).models:
        return tuple(_charges(unit, state.unit(charged), far, measure))
    found: list[Aim] = []
    found += _toward_goals(appraiser, state, unit, far)
    found += _about_enemies(appraiser, state, unit, far, measure)
    found += _toward_shelter(appraiser, state, unit, far)
    found += [
        Aim(f"bearing {360 * i // ROUND}", (sin(2 * pi * i / ROUND), cos(2 * pi * i / ROUND)), far, is_bearing=True)
        for i in range(ROUND)
    ]
    return tuple(aim for aim in found if aim.inches > MARGIN)


def _aim(name: str, start: Point, end: Point, inches: Inches, goal: Point | None = None) -> list[Aim]:
    away = length(end[0] - start[0], end[1] - start[1])
    if away <= MARGIN:
        return []
    way = ((end[0] - start[0]) / away, (end[1] - start[1]) / away)
    return [Aim(name, way, inches, goal)]


def _charges(unit: Unit, target: Unit, far: Inches, measure: Measure) -> list[Aim]:
    pair = nearest_pair(unit, (target,), measure)
    if pair is None:
        return []
    found = _aim(f"into contact with {target.id}", pair[1], pair[2], min(far, max(pair[0], 0.0)), pair[2])
    return found + _aim(f"at the middle of {target.id}", middle(unit), middle(target), far)


def _about_enemies(appraiser: Appraiser, state: State, unit: Unit, far: Inches, measure: Measure) -> list[Aim]:
    pair = nearest_pair(unit, state.against(unit.side), measure)
    if pair is None:
        return []
    away, mine, theirs, enemy = pair
    found = _aim(f"toward {enemy.id}", mine, theirs, min(far, max(away, 0.0)), theirs)
    found += _aim(f"half way toward {enemy.id}", mine, theirs, min(far / 2, max(away, 0.0)))
    shot = away - appraiser.range(state, unit) + MARGIN
    if 0.0 < shot < far:
        found += _aim(f"just into range of {enemy.id}", mine, theirs, shot)
    safe = away - appraiser.reach(state, enemy) - MARGIN
    if 0.0 < safe < far:
        found += _aim(f"just outside the reach of {enemy.id}", mine, theirs, safe)
    found += _aim(f"away from {enemy.id}", theirs, mine, far)
    return found


def _toward_goals(appraiser: Appraiser, state: State, unit: Unit, far: Inches) -> list[Aim]:
    found: list[Aim] = []
    here = middle(unit)
    goals = sorted(appraiser.goals(state, unit.side), key=lambda goal: (_far_from(here, goal), goal.name))
    for goal in goals[:3]:
        away = _far_from(here, goal)
        found += _aim(f"to {goal.name}", here, (goal.x, goal.y), min(far, away), (goal.x, goal.y))
    return found


def _toward_shelter(appraiser: Appraiser, state: State, unit: Unit, far: Inches) -> list[Aim]:
    found: list[Aim] = []
    here = middle(unit)
    places = sorted(appraiser.shelters(state, unit), key=lambda goal: (_far_from(here, goal), goal.name))
    for place in places[:2]:
        away = _far_from(here, place)
        found += _aim(f"into {place.name}", here, (place.x, place.y), min(far, away))
    return found


def _far_from(here: Point, goal: Goal) -> Inches:
    return round(length(here[0] - goal.x, here[1] - goal.y), 6)
