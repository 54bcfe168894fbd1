"""Questions about the table: where a unit goes, and where models are put down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import cos, pi, sin

from tactician.agent.propose.slots import NAMED, Open, Wish, is_offered, probes, reached, wishes
from tactician.agent.propose.spots import Spot, Who, walking
from tactician.agent.view.layout import COLUMNS, DIRECTIONS, PLACES, QUARTERS, ROWS, STRAIGHT
from tactician.agent.view.question import Asked, Moment, Question, mask_of
from tactician.rules.core.action import Action
from tactician.rules.core.choice import Choice, Put, Walk
from tactician.rules.core.legs import walk
from tactician.rules.core.measure import Inches
from tactician.rules.core.movement import MoveType, end_pose
from tactician.rules.core.placement import find_places
from tactician.rules.core.shapes import Point, clamp, length
from tactician.rules.core.state import Unit
from tactician.rules.paths.squads import shift_mask

__all__ = ["ask_place", "ask_spot", "straight_shifts"]

LEAST: Inches = 0.05
"""Whoever has no more than this left of an interrupted move stays where it is."""

RINGS = 6
"""How far about the middle of a cell room for a formation is looked for, in radii of a base."""


@lru_cache(maxsize=256)
def straight_shifts(allowance: Inches, turned: bool) -> tuple[Point, ...]:
    """The shifts that the straight places mean: direction by direction, a quarter of the allowance at a time."""
    found = []
    sign = -1.0 if turned else 1.0
    for direction in range(DIRECTIONS):
        angle = 2 * pi * direction / DIRECTIONS
        for quarter in range(1, QUARTERS + 1):
            far = sign * allowance * quarter / QUARTERS
            found.append((far * sin(angle), far * cos(angle)))
    return tuple(found)


# ---- where a unit goes -----------------------------------------------------------------------------------------------


class _Walking:
    """The places that a unit can be sent to."""

    def __init__(self, moment: Moment, choice: Choice, domain: Walk) -> None:
        """Find out which are offered: straight shifts that are legal in full, and named places with an open way."""
        self.moment, self.choice = moment, choice
        self.unit: Unit = moment.state.unit(choice.unit)
        self.who, self.kind = _walkers(self.unit, domain)
        state, kind, layout = moment.state, self.kind, moment.layout
        self.shifts = straight_shifts(kind.allowance, moment.turned)
        wished = wishes(moment.appraiser, state, self.unit, kind, turned=moment.turned)
        tries = [probes(wish) for wish in wished]
        legal = self._legal(domain.kind, [*self.shifts, *(shift for pair in tries for shift in pair)])
        self.legal, tried = legal[:STRAIGHT], iter(legal[STRAIGHT:])
        anywhere, first = True in self.legal, layout.place(STRAIGHT)
        self.named: dict[int, tuple[Wish, Open]] = {}
        for wish, pair in zip(wished, tries, strict=True):
            is_open = (next(tried), next(tried)) if pair else (False, False)
            if is_offered(wish, is_open, anywhere):
                self.named[first + NAMED.index(wish.name)] = wish, is_open
        self.stop = layout.option("stop")
        self.halt = self.choice.canonical(self.moment.state)

    def _legal(self, kind: MoveType, shifts: Sequence[Point]) -> tuple[bool, ...]:
        """Whether the models that walk can be shifted so, in full."""
        state = self.moment.state
        if self.who is None:
            return shift_mask(state, self.unit, kind, shifts)
        if not self.who:
            return (False,) * len(shifts)
        return tuple(not self.choice.explain(state, self._walk(Spot("", (shift,)))) for shift in shifts)

    def _walk(self, spot: Spot) -> Action:
        return walking(self.choice.bare(), self.unit, spot, self.kind, self.who)

    @property
    def straight(self) -> dict[int, Point]:
        """The straight shifts that are legal in full, by their numbers."""
        first = self.moment.layout.place(0)
        rows = zip(self.shifts, self.legal, strict=True)
        return {first + i: shift for i, (shift, is_legal) in enumerate(rows) if is_legal}

    def question(self) -> Question:
        """Where the unit goes."""
        choice, moment, first = self.choice, self.moment, self.moment.layout.place(0)
        mask = mask_of(moment.layout, (*self.named, self.stop), range(first, first + STRAIGHT), self.legal)
        return Question(
            asked=Asked(stage="place", side=moment.side, unit=choice.unit, verb=choice.verb),
            mask=mask,
            answer=self.answer,
            find=self.find,
        )

    def answer(self, index: int) -> Action:
        """The way to a place."""
        if index == self.stop:
            return self.halt
        number = self.moment.layout.place_of(index)
        if number < STRAIGHT:
            return self._walk(Spot(PLACES[number], (self.shifts[number],)))
        wish, is_open = self.named[index]
        shifts = tuple(self.straight.values())
        appraiser, state = self.moment.appraiser, self.moment.state
        return reached(appraiser, state, self.choice, self.kind, wish, is_open, shifts, self.who)

    def find(self, action: Action) -> int | None:
        """The place that an action leads to, or comes nearest to."""
        if not action.paths or action == self.halt:
            return self.stop
        x, y = self._shift(action)
        straight = self.straight
        near = sorted(straight, key=lambda i: (length(straight[i][0] - x, straight[i][1] - y), i))
        if near and self.answer(near[0]) == action:
            return near[0]
        rows = {index: self.answer(index) for index in (*near[:1], *self.named)}
        for index, other in rows.items():
            if other == action:
                return index
        rows[self.stop] = self.halt

        def away(index: int) -> tuple[float, int]:
            a, b = self._shift(rows[index])
            return round(length(a - x, b - y), 6), index

        return min(rows, key=away)

    def _shift(self, action: Action) -> Point:
        """How far the middle of the models comes that walk."""
        board, paths = self.moment.state.board, dict(action.paths)
        models = [model for model in self.unit.models if self.who is None or model.id in self.who]
        ends = [end_pose(m.pose, walk(m.pose, paths.get(m.id, ()), board)) for m in models]
        rows, count = list(zip(ends, models, strict=True)), len(models)
        return sum(e.x - m.pose.x for e, m in rows) / count, sum(e.y - m.pose.y for e, m in rows) / count


def _walkers(unit: Unit, domain: Walk) -> tuple[Who, MoveType]:
    """Who can still walk, None where all can; and the move type with the inches that all of those have."""
    kind = domain.kind
    left = {model.id: kind.left_for(model.id) for model in unit.models if domain.may_walk(model.id)}
    able = tuple(name for name, inches in left.items() if inches > LEAST)
    everybody = len(able) == len(unit.models)
    if not kind.spent or not able:
        return None if everybody else able, kind
    return None if everybody else able, replace(kind, allowance=min(left[name] for name in able), spent=())


def ask_place(moment: Moment, choice: Choice, domain: Walk) -> Question | Action:
    """Where a unit goes; it may always stay, and where it can do nothing else it is not asked."""
    question = _Walking(moment, choice, domain).question()
    return question if question.only is None else choice.canonical(moment.state)


# ---- where models are put down ---------------------------------------------------------------------------------------


class _Putting:
    """The cells of a grid over the zone in which models can be put down."""

    def __init__(self, moment: Moment, choice: Choice, domain: Put) -> None:
        """All cells, if there is room anywhere."""
        self.moment, self.choice, self.domain = moment, choice, domain
        self.usual = choice.canonical(moment.state)
        self.go_on = moment.layout.option("go on")
        cells = range(ROWS * COLUMNS) if self.usual.places else range(0)
        self.cells = {moment.layout.place(cell): cell for cell in cells}

    def question(self) -> Question:
        """Where models are put down."""
        choice, moment = self.choice, self.moment
        return Question(
            asked=Asked(stage="spot", side=moment.side, unit=choice.unit, verb=choice.verb),
            mask=mask_of(moment.layout, (*self.cells, self.go_on)),
            answer=self.answer,
            find=self.find,
        )

    def middle(self, cell: int) -> Point:
        """The middle of a cell, no nearer to the border of the zone than a base can stand."""
        x0, y0, x1, y1 = self.domain.rule.box(self.moment.state, self.choice.unit)
        along, up = (cell % COLUMNS + 0.5) / COLUMNS, (cell // COLUMNS + 0.5) / ROWS
        if self.moment.turned:
            along, up = 1.0 - along, 1.0 - up
        radius = self.moment.state.unit(self.choice.unit).radius
        room_x, room_y = min(radius, (x1 - x0) / 2), min(radius, (y1 - y0) / 2)
        x = clamp(x0 + along * (x1 - x0), x0 + room_x, x1 - room_x)
        return x, clamp(y0 + up * (y1 - y0), y0 + room_y, y1 - room_y)

    def answer(self, index: int) -> Action:
        """The formation nearest to the middle of a cell; the rules' own proposal where there is none near it."""
        if index == self.go_on:
            return self.usual
        near, domain = self.middle(self.cells[index]), self.domain
        found = find_places(self.moment.state, self.choice.unit, domain.models, domain.rule, near, rings=RINGS)
        return replace(self.usual, places=found) if found else self.usual

    def find(self, action: Action) -> int | None:
        """The cell that gives an action, or the one whose middle is nearest to its places."""
        if action == self.usual or not action.places or not self.cells:
            return self.go_on
        count = len(action.places)
        x, y = sum(p.x for _, p in action.places) / count, sum(p.y for _, p in action.places) / count

        def away(index: int) -> tuple[float, int]:
            a, b = self.middle(self.cells[index])
            return length(a - x, b - y), index

        near = sorted(self.cells, key=away)
        return next((index for index in near if self.answer(index) == action), near[0])


def ask_spot(moment: Moment, choice: Choice, domain: Put) -> Question | Action:
    """Where models are put down; nobody is asked where there is no room."""
    putting = _Putting(moment, choice, domain)
    return putting.question() if putting.cells else putting.usual
