"""Spots: places to which a unit's formation can be shifted, and the ways there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from tactician.agent.by_eye import EXACT, Measure
from tactician.agent.propose.aims import Aim, aims, middle
from tactician.agent.propose.fares import affordable, left_for
from tactician.agent.propose.march import marched
from tactician.agent.propose.regroup import gathered, is_apart
from tactician.agent.propose.routes import file_ways, route
from tactician.agent.propose.shapes import shaped, tight
from tactician.agent.propose.slides import Slider
from tactician.agent.propose.spot import Spot, Who, by_ways, moved_to, order_of, paths_to, stay, walking
from tactician.rules.core.appraisal import Appraiser
from tactician.rules.core.clip import clip
from tactician.rules.core.legs import Path, Straight
from tactician.rules.core.measure import Inches
from tactician.rules.core.movement import MoveType
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.state import State, Unit

__all__ = [
    "Spot",
    "Who",
    "along",
    "binding",
    "drawn_in",
    "moved_to",
    "order_of",
    "paths_to",
    "regrouped",
    "spots",
    "stay",
    "walking",
]

LEAST: Inches = 0.25
"""Shifts shorter than this, or nearer than this to an earlier one, are dropped."""

BLOCKED = 0.7
"""A straight way that is shorter than this part of what was wanted is worth a detour."""

HINDERED = 0.95
"""A straight way that is shorter than this part of what was wanted is worth a march."""

AFTER_A_TURN = 0.8
"""Part of its movement at which a unit closes up that goes round something: the outer models have longer ways."""

DETOURS = 2
"""Detours looked for under one move type."""


def binding(kind: MoveType) -> MoveType:
    """A move type without its names: what decides where it can lead."""
    return replace(kind, name="", budget=kind.walls)


def spots(
    appraiser: Appraiser,
    state: State,
    unit: Unit,
    kind: MoveType,
    charged: str | None = None,
    measure: Measure = EXACT,
    who: Who = None,
) -> list[Spot]:
    """Places worth a look under a move type, the more meaningful first, none twice.

    Args:
        appraiser: what the game says about goals and shelters.
        state: the moment before the move.
        unit: the unit that moves; one that stands in several pieces is brought together.
        kind: its move type.
        charged: the unit at which a charge is declared, if any.
        measure: what is known of distances to the enemy.
        who: the models that walk; None where all do.
    """
    if not unit.models or kind.allowance <= LEAST:
        return []
    wishes = aims(appraiser, state, unit, kind.allowance, charged, measure)
    if is_apart(state, unit, kind):
        return gathered(state, unit, kind, wishes, who)
    slider = Slider(state, unit, kind, who)
    inches = slider.lengths([aim.way for aim in wishes], [aim.inches for aim in wishes])
    found = [_straight(aim, got) for aim, got in zip(wishes, inches, strict=True)]
    round_ = _round(state, unit, kind, slider, wishes, inches)
    if kind.motion == "in_step":
        return _distinct([*found, *round_])
    rest = next((i for i, aim in enumerate(wishes) if aim.is_bearing), len(wishes))
    kept = _distinct([*found[:rest], *round_])
    shapes = shaped(state, unit, kind, wishes) if charged is None else []
    return [*kept, *shapes, *_distinct([*kept, *found[rest:]])[len(kept) :]]


def _round(
    state: State, unit: Unit, kind: MoveType, slider: Slider, wishes: tuple[Aim, ...], inches: list[Inches]
) -> list[Spot]:
    """Detours to the first places whose straight way is barred or dear."""
    found: list[Spot] = []
    hindered = [
        aim for aim, got in zip(wishes, inches, strict=True) if aim.goal is not None and got < HINDERED * aim.inches
    ]
    for aim in hindered[:DETOURS]:
        found += marched(state, unit, kind, aim, slider.who)
    blocked = [
        aim for aim, got in zip(wishes, inches, strict=True) if aim.goal is not None and got < BLOCKED * aim.inches
    ]
    for aim in blocked[:DETOURS]:
        detour = along(state, unit, kind, slider, aim)
        reached = max((length(*spot.shift) for spot in (*found, *detour)), default=0.0)
        if reached < BLOCKED * aim.inches and aim is blocked[0]:
            detour += drawn_in(state, unit, kind, aim) or regrouped(state, unit, kind, aim)
        found += detour
    return found


def regrouped(state: State, unit: Unit, kind: MoveType, aim: Aim) -> list[Spot]:
    """The unit in a tight block on the way of its middle round what bars the straight one, as far as it fits."""
    if aim.goal is None:
        return []
    here, left = middle(unit), AFTER_A_TURN * left_for(unit, kind)
    at = here
    for point in route(state, unit, kind, aim.goal):
        away = length(point[0] - at[0], point[1] - at[1])
        part = min(left / away, 1.0) if away > 0.0 else 0.0
        at, left = (at[0] + part * (point[0] - at[0]), at[1] + part * (point[1] - at[1])), left - part * away
        if left <= 0.0:
            break
    x, y = at[0] - here[0], at[1] - here[1]
    far = length(x, y)
    if far < LEAST:
        return []
    return tight(state, unit, kind, Aim(f"{aim.name} regrouped", (x / far, y / far), far))


def _straight(aim: Aim, inches: Inches) -> Spot:
    return Spot(aim.name, ((aim.way[0] * inches, aim.way[1] * inches),))


def _distinct(found: Iterable[Spot]) -> list[Spot]:
    kept: list[Spot] = []
    for spot in found:
        x, y = spot.shift
        if length(x, y) >= LEAST and all(length(x - a, y - b) >= LEAST for a, b in (one.shift for one in kept)):
            kept.append(spot)
    return kept


def along(state: State, unit: Unit, kind: MoveType, slider: Slider, aim: Aim) -> list[Spot]:
    """The formation following a detour of its middle, as far as the allowance and the room for it go."""
    if aim.goal is None:
        return []
    here = middle(unit)
    points = route(state, unit, kind, aim.goal)
    costs = kind.going is not None
    left, shift = left_for(unit, kind, slider.who) - LEAST / 100, (0.0, 0.0)
    shifts: list[Point] = []
    for x, y in points:
        dx, dy = x - here[0] - shift[0], y - here[1] - shift[1]
        away = length(dx, dy)
        if away <= 1e-6:
            continue
        way = (dx / away, dy / away)
        (got,) = slider.clear_lengths([way], [min(away, left)], shift)
        shift = (shift[0] + way[0] * got, shift[1] + way[1] * got)
        shifts.append(shift)
        left -= got
        if got < away - 1e-6 or left <= LEAST:
            break
    found = affordable(state.board, unit, kind, tuple(shifts), slider.who) if costs else tuple(shifts)
    return [Spot(f"{aim.name} by a detour", found)] if found else []


def drawn_in(state: State, unit: Unit, kind: MoveType, aim: Aim) -> list[Spot]:
    """Each model by its own way toward the aim, the formation drawn in, as far as is legal."""
    if aim.goal is None or len(unit.models) < 2:
        return []
    ways = file_ways(state, unit, kind, aim.goal)
    if not ways:
        return []
    paths = _in_step(state, unit, kind, ways) if kind.motion == "in_step" else _in_file(state, unit, kind, ways)
    return [by_ways(f"{aim.name} drawn in", unit, paths)] if paths else []


def _in_step(state: State, unit: Unit, kind: MoveType, ways: dict[str, list[Point]]) -> dict[str, Path]:
    from tactician.rules.paths.squads import in_pace

    return clip(state, unit, kind, in_pace(ways, kind.allowance - LEAST / 100))


def _in_file(state: State, unit: Unit, kind: MoveType, ways: dict[str, list[Point]]) -> dict[str, Path]:
    """The model with the shortest way first; everybody as far as possible, else all as far as the slowest."""
    from tactician.rules.paths.squads import evened

    order = tuple(sorted(ways, key=lambda name: (round(_inches(ways[name]), 6), name)))
    whole: dict[str, Path] = {name: tuple(Straight(point) for point in ways[name][1:]) for name in order}
    legal = clip(state, unit, kind, whole, order)
    if not legal:
        even = evened(state, unit, kind, whole)
        legal = clip(state, unit, kind, even, tuple(even))
    return {name: legal[name] for name in order if name in legal}


def _inches(points: list[Point]) -> Inches:
    return sum(length(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points))
