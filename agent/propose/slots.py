"""Places with a name that mean the same in every moment: the nearest cover, an objective, out of sight.

Each means "that way as far as legal". Whether a place is offered is answered cheaply, by two straight shifts toward it
(see `probes`); how the unit gets there is worked out only when somebody wants it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tactician.agent.propose.aims import Aim, middle
from tactician.agent.propose.shapes import tight
from tactician.agent.propose.slides import Slider
from tactician.agent.propose.spots import Spot, Who, along, drawn_in, moved_to, walking
from tactician.rules.core.action import Action
from tactician.rules.core.appraisal import Appraiser, Goal
from tactician.rules.core.choice import Choice
from tactician.rules.core.measure import CLOSED_MARGIN, OPEN_MARGIN, Inches
from tactician.rules.core.movement import KeepAway, MoveType
from tactician.rules.core.remember import Remembered
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.state import State, Unit

__all__ = ["HIDING", "NAMED", "SQUEEZING", "Open", "Wish", "is_offered", "probes", "reached", "wishes"]

HIDING, SQUEEZING = "out of sight", "squeeze"

NAMED: tuple[str, ...] = (
    "nearest cover",
    "objective 1",
    "objective 2",
    "objective 3",
    "nearest enemy",
    HIDING,
    "outside threat",
    "back",
    SQUEEZING,
)
"""The names in the order of their slots, which never changes."""

GOALS = 3
"""Objectives that have a slot."""

LEAST: Inches = 0.25
"""A way toward a place is open if the formation can be shifted so far along it, or all the way where it is nearer."""

HERE: Inches = 0.05
"""A place nearer than this is where the unit stands."""

MARGIN: Inches = 0.05
"""How far beyond an enemy's reach a unit stays that keeps out of it."""

BLOCKED = 0.7
"""A straight way that is shorter than this part of what was wanted is worth a way round."""

Floats = NDArray[np.float64]

Open = tuple[bool, bool]
"""Whether the formation can be shifted a little along a way, and whether all of it."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A direction and how far to go in it, at most as far as the allowance goes."""

    name: str
    way: Point
    """Unit vector; (0, 0) where the place is looked for only when it is wanted."""
    inches: Inches
    goal: Point | None = None
    """Where the unit's middle should come, where a way round would be worth it."""
    charged: str = ""
    """The unit to be come into contact with."""

    def by(self, inches: Inches) -> Point:
        """A shift along the way."""
        return self.way[0] * inches, self.way[1] * inches


_PLACES: Remembered[list[Point]] = Remembered(2_000)
_ROWS: Remembered[Floats] = Remembered(4_000)


# ---- what is wished for ----------------------------------------------------------------------------------------------


class _Wishes:
    """Gathers the wishes of one unit."""

    def __init__(self, unit: Unit, kind: MoveType) -> None:
        """Begin where the unit stands."""
        self.x, self.y = middle(unit)
        self.far = max(kind.allowance - CLOSED_MARGIN, 0.0)
        self.found: dict[str, Wish] = {}

    def add(
        self, name: str, start: Point, end: Point, inches: Inches, goal: Point | None = None, charged: str = ""
    ) -> None:
        """Wish to go from a place toward another, unless that is no way at all."""
        dx, dy = end[0] - start[0], end[1] - start[1]
        away, inches = length(dx, dy), min(inches, self.far)
        if away > HERE and inches > HERE:
            self.found[name] = Wish(name, (dx / away, dy / away), inches, goal, charged)

    def away(self, spot: Point) -> Inches:
        """How far the middle of the unit is from a place, so that equal distances compare equal."""
        return round(length(spot[0] - self.x, spot[1] - self.y), 6)

    def come_to(self, name: str, spot: Point) -> None:
        """Wish to bring the middle of the unit to a place."""
        self.add(name, (self.x, self.y), spot, length(spot[0] - self.x, spot[1] - self.y), spot)


def wishes(appraiser: Appraiser, state: State, unit: Unit, kind: MoveType, *, turned: bool) -> tuple[Wish, ...]:
    """The places that exist for a unit, in the order of their slots.

    Args:
        appraiser: what the game says about goals, shelters and reaches.
        state: the moment.
        unit: the unit that moves.
        kind: its move type; an enemy unit that it spares is charged, and is the nearest enemy.
        turned: whether the table is seen from the upper edge: objectives are counted from the own edge on.
    """
    found = _Wishes(unit, kind)
    shelters, goals = appraiser.shelters(state, unit), appraiser.goals(state, unit.side)
    if shelters:
        places = _PLACES.get((shelters,), turned, lambda: _ranked(shelters, turned))
        found.come_to("nearest cover", min(places, key=lambda at: _square(at[0] - found.x, at[1] - found.y)))
    spots = _ranked(goals, turned) if goals else []
    for number, spot in enumerate(spots[:GOALS], start=1):
        found.come_to(f"objective {number}", spot)
    foe = _add_enemies(found, appraiser, state, unit, kind)
    if len(unit.models) > 1:
        far_ones = [spot for spot in spots if found.away(spot) > HERE] or ([] if foe is None else [foe])
        if far_ones:
            found.come_to(SQUEEZING, min(far_ones, key=found.away))
    return tuple(found.found[name] for name in NAMED if name in found.found)


def _square(x: Inches, y: Inches) -> int:
    """A square distance in millionths, so that equal ones compare equal."""
    return round((x * x + y * y) * 1e6)


def _ranked(goals: tuple[Goal, ...], turned: bool) -> list[Point]:
    """Places from the own edge of the table on, then from the left: of equally near ones the first is taken."""
    sign = -1.0 if turned else 1.0
    return sorted(((goal.x, goal.y) for goal in goals), key=lambda at: (round(sign * at[1], 6), round(sign * at[0], 6)))


def _add_enemies(found: _Wishes, appraiser: Appraiser, state: State, unit: Unit, kind: MoveType) -> Point | None:
    """Wishes about the enemy; the place of the nearest model, or None without enemies."""
    charged = next((name for keep in kind.keep_away for name in keep.spared if state.unit(name).models), "")
    foes = state.against(unit.side)
    if not foes:
        return None
    rows, own = np.concatenate([_rows(appraiser, state, foe) for foe in foes]), _rows(appraiser, state, unit)
    dx, dy = rows[:, 0] - own[:, :1], rows[:, 1] - own[:, 1:2]
    gaps: Floats = np.sqrt(dx * dx + dy * dy) - (unit.radius + rows[:, 2])
    least: Floats = gaps.min(axis=0)
    if not charged:
        j, limit = int(least.argmin()), max((_room(keep) for keep in kind.keep_away), default=0.0)
    else:
        targets = np.repeat([foe.id == charged for foe in foes], [len(foe.models) for foe in foes])
        j, limit = int(np.where(targets, least, np.inf).argmin()), 0.0
    mine, theirs = unit.models[int(gaps[:, j].argmin())].pose.point, _point(rows[j])
    found.add("nearest enemy", mine, theirs, float(least[j]) - limit, theirs, charged)
    found.found[HIDING] = Wish(HIDING, (0.0, 0.0), 0.0)
    found.add("back", theirs, mine, found.far)
    slack: Floats = least - rows[:, 3]
    k = int(slack.argmin())
    safe, threatened = float(slack[k]) - MARGIN, unit.models[int(gaps[:, k].argmin())].pose.point
    threat = _point(rows[k])
    if safe > 0.0:
        found.add("outside threat", threatened, threat, safe)
    else:
        found.add("outside threat", threat, threatened, -safe)
    return theirs


def _room(keep: KeepAway) -> Inches:
    """How near to an enemy a way toward him may come."""
    return keep.limit + (CLOSED_MARGIN if keep.touching else OPEN_MARGIN)


def _point(row: Floats) -> Point:
    return float(row[0]), float(row[1])


def _rows(appraiser: Appraiser, state: State, unit: Unit) -> Floats:
    """A row for each model of a unit: x, y, radius, and how far away an attack of its unit can tell."""
    return _ROWS.get((state.table, unit), None, lambda: _find_rows(appraiser, state, unit))


def _find_rows(appraiser: Appraiser, state: State, unit: Unit) -> Floats:
    radius, reach = unit.radius, appraiser.reach(state, unit)
    return np.array([(*model.pose.point, radius, reach) for model in unit.models], dtype=np.float64)


# ---- what is offered -------------------------------------------------------------------------------------------------


def probes(wish: Wish) -> tuple[Point, ...]:
    """Two shifts whose legality says whether the way of a wish is open: a little of it, and all; none while hiding."""
    return () if wish.name == HIDING else (wish.by(min(LEAST, wish.inches)), wish.by(wish.inches))


def is_offered(wish: Wish, is_open: Open, anywhere: bool) -> bool:
    """Whether a place may be chosen.

    Args:
        wish: the place.
        is_open: what was found of its `probes`.
        anywhere: whether the formation can be shifted anywhere at all.
    """
    return any(is_open) or (anywhere and (wish.name in (HIDING, SQUEEZING) or bool(wish.charged)))


# ---- how to get there ------------------------------------------------------------------------------------------------


def reached(
    appraiser: Appraiser,
    state: State,
    choice: Choice,
    kind: MoveType,
    wish: Wish,
    is_open: Open,
    shifts: Sequence[Point],
    who: Who = None,
) -> Action:
    """A legal way that leads as far as possible toward a place that is offered.

    Args:
        appraiser: what the game says about sight.
        state: the moment.
        choice: the walk that is asked for.
        kind: its move type.
        wish: the place.
        is_open: what was found of its `probes`.
        shifts: straight shifts of the formation that are known to be legal, at least one where nothing is open.
        who: the models that walk.
    """
    unit, bare = state.unit(choice.unit), choice.bare()
    if wish.name == HIDING:
        return walking(bare, unit, _hidden(appraiser, state, unit, shifts), kind, who)
    if is_open[1] and wish.name != SQUEEZING:
        return walking(bare, unit, Spot(wish.name, (wish.by(wish.inches),)), kind, who)
    for spot in _ways(state, unit, kind, wish, who):
        action = walking(bare, unit, spot, kind, who)
        if action.paths and not choice.explain(state, action):
            return action
    short = [shift for shift, is_free in zip(probes(wish), is_open, strict=True) if is_free]
    best = max((*short, *shifts), key=lambda shift: round(shift[0] * wish.way[0] + shift[1] * wish.way[1], 9))
    return walking(bare, unit, Spot(wish.name, (best,)), kind, who)


def _ways(state: State, unit: Unit, kind: MoveType, wish: Wish, who: Who) -> list[Spot]:
    """Straight on, round what is in the way, or drawn in: the ones that lead nearer first."""
    slider = Slider(state, unit, kind, who)
    aim = Aim(wish.name, wish.way, wish.inches, wish.goal)
    tries = [aim, *_at_its_middle(state, unit, kind, wish)]
    inches = slider.lengths([one.way for one in tries], [one.inches for one in tries])
    rows = zip(tries, inches, strict=True)
    found = [Spot(wish.name, ((one.way[0] * far, one.way[1] * far),)) for one, far in rows if far > HERE]
    got = inches[0]
    if wish.name == SQUEEZING:
        return [*tight(state, unit, kind, aim), *drawn_in(state, unit, kind, aim), *found]
    if wish.goal is not None and got < BLOCKED * wish.inches:
        found += along(state, unit, kind, slider, aim)
        if max((length(*spot.shift) for spot in found), default=0.0) < BLOCKED * wish.inches:
            found += drawn_in(state, unit, kind, aim)
    here = middle(unit)
    return sorted(found, key=lambda spot: round(_missing(here, spot, wish), 6))


def _at_its_middle(state: State, unit: Unit, kind: MoveType, wish: Wish) -> list[Aim]:
    """For whoever charges a second direction: with the whole formation at the middle of the target."""
    found = _Wishes(unit, kind)
    if wish.charged:
        found.add(wish.name, (found.x, found.y), middle(state.unit(wish.charged)), found.far)
    return [Aim(one.name, one.way, one.inches) for one in found.found.values()]


def _missing(here: Point, spot: Spot, wish: Wish) -> float:
    """How far the unit's middle is still from the place; without a place, how far it is behind what was wished."""
    x, y = spot.shift
    if wish.goal is None:
        return wish.inches - (x * wish.way[0] + y * wish.way[1])
    return length(wish.goal[0] - here[0] - x, wish.goal[1] - here[1] - y)


def _hidden(appraiser: Appraiser, state: State, unit: Unit, shifts: Sequence[Point]) -> Spot:
    """The shift after which the fewest enemy units see the unit; of several the shortest."""
    foes = state.against(unit.side)
    best, fewest = Spot(HIDING, (shifts[0],)), len(foes) + 1
    for shift in sorted(shifts, key=lambda one: round(length(*one), 6)):
        spot = Spot(HIDING, (shift,))
        moved = moved_to(unit, spot)
        count = 0
        for foe in foes:
            count += appraiser.view(state, foe, moved) > 0.0
            if count >= fewest:
                break
        if count < fewest:
            best, fewest = spot, count
        if not fewest:
            break
    return best
