"""Places that protect, and what a sensible player answers with little thought (for the appraiser)."""

from __future__ import annotations

from functools import lru_cache

from tactician.rules.core.action import Action
from tactician.rules.core.appraisal import Goal
from tactician.rules.core.choice import Choice, Window
from tactician.rules.core.measure import Inches
from tactician.rules.core.remember import Remembered
from tactician.rules.core.shapes import Point, contains, length
from tactician.rules.core.terrain import Feature
from tactician.rules.wh40k2e.appraisal_might import shot_promise
from tactician.rules.wh40k2e.state import Moving, Squad, SquadState, SquadTable

__all__ = ["answer", "shelters_for"]

BEHIND: Inches = 0.75
"""How far behind an obstacle the middle of a unit stands that shelters there."""

WORTH_FIRE = 0.25
"""Overwatch is not spent on less than this part of what it promises at best."""

_SHELTERS: Remembered[tuple[Goal, ...]] = Remembered(500)


# ---- shelters --------------------------------------------------------------------------------------------------------


def shelters_for(state: SquadState, unit: Squad) -> tuple[Goal, ...]:
    """Middles of pieces that give cover, and places behind walls and hedges as seen from the enemy."""
    foes = state.against(unit.side)
    return _SHELTERS.get((state.table, *(foe.models for foe in foes)), unit.side, lambda: _shelters(state, foes))


def _shelters(state: SquadState, foes: tuple[Squad, ...]) -> tuple[Goal, ...]:
    places = _places(state.table)
    if not foes:
        return tuple(goal for goal, _ in places)
    points = [model.pose.point for foe in foes for model in foe.models]
    x, y = sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)
    return tuple(goal for goal, middle in places if middle is None or _is_behind(goal, middle, (x, y)))


def _is_behind(goal: Goal, middle: Point, enemy: Point) -> bool:
    """Whether a piece lies between a place beside it and the enemy."""
    away = (goal.x - middle[0]) * (middle[0] - enemy[0]) + (goal.y - middle[1]) * (middle[1] - enemy[1])
    return away > 0.0


@lru_cache(maxsize=64)
def _places(table: SquadTable) -> tuple[tuple[Goal, Point | None], ...]:
    """Places beside and in every piece; with the middle of the piece where only one side of it protects."""
    found: list[tuple[Goal, Point | None]] = []
    for piece in table.board.with_trait("cover"):
        x, y = _middle(piece)
        if not piece.trait("obstacle"):
            found.append((Goal(x=x, y=y, radius=0.0, name=piece.id), None))
            continue
        dx, dy, half = _across(piece, (x, y))
        for sign in (-1.0, 1.0):
            far = sign * (half + BEHIND)
            spot = (x + dx * far, y + dy * far)
            if not contains(piece.outline, *spot):
                found.append((Goal(x=spot[0], y=spot[1], radius=0.0, name=f"behind {piece.id}"), (x, y)))
    return tuple(found)


def _middle(piece: Feature) -> Point:
    points = piece.outline.points
    return sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)


def _across(piece: Feature, middle: Point) -> tuple[float, float, Inches]:
    """The direction across a piece, and half of its breadth: at right angles to its longest edge."""
    ax, ay, bx, by = max(piece.outline.edges, key=lambda edge: round(length(edge[2] - edge[0], edge[3] - edge[1]), 6))
    size = length(bx - ax, by - ay)
    dx, dy = (by - ay) / size, (ax - bx) / size
    half = max(abs((x - middle[0]) * dx + (y - middle[1]) * dy) for x, y in piece.outline.points)
    return dx, dy, half


# ---- answers ---------------------------------------------------------------------------------------------------------


def answer(state: SquadState, choices: tuple[Choice, ...]) -> Action | None:
    """Fire from overwatch where it promises enough, parry, go on as planned; None where things are let pass."""
    fires = [choice for choice in choices if choice.verb == "fire"]
    if fires:
        return _fire(state, fires)
    for choice in choices:
        if choice.verb in ("parry", "go_on"):
            return choice.canonical(state)
    return None


def _fire(state: SquadState, fires: list[Choice]) -> Action | None:
    """The watcher whose fire promises most, unless that is next to nothing."""
    moving = next((frame for frame in reversed(state.agenda) if isinstance(frame, Moving)), None)
    best: tuple[float, Choice] | None = None
    for choice in fires:
        unit = state.unit(choice.unit)
        foes = state.against(unit.side) if moving is None else (state.unit(moving.unit),)
        hopes = [shot_promise(state, unit, foe) for foe in foes]
        worth = max(hopes, default=0.0)
        if worth > 0.0 and (best is None or worth > best[0] + 1e-9):
            best = worth, choice
    if best is None:
        return None
    choice = best[1]
    if isinstance(choice.domain, Window) and not choice.domain.usual:
        return None
    return choice.canonical(state)
