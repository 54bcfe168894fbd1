"""A plan as a person with a tape measure carries it out: ways, places and tight steps, model by model.

`tape_of` works it out for one order; `Tape.lines` prints it. Where nobody may measure to the enemy, nothing is told
that would give such a distance away.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tactician.agent.by_eye import Measure, measure_of
from tactician.agent.tape.fixes import Disc, Fix, fixes
from tactician.agent.tape.pieces import Piece, pieces_of
from tactician.agent.tape.reading import rebuilt
from tactician.agent.tape.room import Faults, Room, Walker, rooms
from tactician.rules.core.action import Action
from tactician.rules.core.choice import Declare, Walk
from tactician.rules.core.legs import Pose, walk
from tactician.rules.core.movement import end_pose
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State, Unit

__all__ = ["HOW", "MANNERS", "Step", "Tape", "bases_for", "faults_for", "tape_of", "walkers_of"]

MANNERS = {
    "sequence": "one after another, in this order",
    "in_step": "all at the same time",
    "put": "put down in this order",
}
"""How the models of an order move."""

HOW = "by tape (12 o'clock is the top edge; inches to the near rim of the base, seen from above)"
"""What the numbers mean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One model of an order."""

    model: str
    way: tuple[Piece, ...]
    """Empty where it is put down."""
    end: Pose
    fixes: tuple[Fix, ...]
    """Ways to tell its end, from two table edges first."""
    rooms: tuple[Room, ...] = ()
    """What makes the step tight, the tightest first; empty where nothing does."""

    def lines(self) -> Iterator[str]:
        """As printed: the way and the place, other ways to tell the place, what is tight."""
        way = f"{', then '.join(map(str, self.way))}, to " if self.way else ""
        first, *others = self.fixes
        yield f"{self.model}: {way}{first}"
        yield from (f"  or {fix}" for fix in others)
        yield from (f"  {room}" for room in self.rooms)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tape:
    """An order, model by model, in walking order."""

    manner: str
    """A key of `MANNERS`."""
    steps: tuple[Step, ...]

    @property
    def tight(self) -> tuple[Step, ...]:
        """The tight steps, the tightest first."""
        found = [(step.rooms[0].inches, number, step) for number, step in enumerate(self.steps) if step.rooms]
        return tuple(step for _, _, step in sorted(found, key=lambda row: row[:2]))

    def lines(self) -> Iterator[str]:
        """As printed."""
        yield f"{HOW}, {MANNERS[self.manner]}:"
        for step in self.steps:
            yield from (f"  {line}" for line in step.lines())


def tape_of(ruleset: Ruleset, state: State, action: Action, measure: Measure | None = None) -> Tape | None:
    """What a person with a tape measure needs for an order; None where no model is moved or put down.

    Args:
        ruleset: the game.
        state: the moment before the order.
        action: a legal order of the side that decides.
        measure: what may be known of distances to the enemy; by default what the rules allow.
    """
    if not action.unit or not state.has_unit(action.unit) or not (action.paths or action.places):
        return None
    unit = state.unit(action.unit)
    walkers = walkers_of(state, unit, action)
    if not walkers:
        return None
    measure = measure_of(ruleset, state) if measure is None else measure
    tight = rooms(state, unit, action, walkers, faults_for(ruleset, state, unit, measure))
    known = bases_for(state, unit, walkers, measure)
    found: list[Step] = []
    for walker in walkers:
        near = {name: base for name, (base, surface) in known.items() if surface == walker.end.surface}
        told = fixes(walker.end.point, unit.radius, state.board, near)
        way = () if walker.start is None else pieces_of(walker.start, dict(action.paths)[walker.model], state.board)
        found.append(Step(model=walker.model, way=way, end=walker.end, fixes=told, rooms=tight.get(walker.model, ())))
        # whoever follows is measured from where the words put this model
        known[walker.model] = _put_down(state, unit, told[0]), walker.end.surface
    return Tape(manner=_manner(ruleset, state, action), steps=tuple(found))


def bases_for(state: State, unit: Unit, walkers: tuple[Walker, ...], measure: Measure) -> dict[str, tuple[Disc, str]]:
    """The bases that stand while an order is carried out and may be measured from, with their surfaces."""
    moving = {walker.model for walker in walkers}
    return {
        model.id: (Disc(model.pose.x, model.pose.y, other.radius), model.pose.surface)
        for other in state.units
        if measure.exact or other.side == unit.side
        for model in other.models
        if model.id not in moving
    }


def _put_down(state: State, unit: Unit, fix: Fix) -> Disc:
    x, y = rebuilt(fix, state.board, {}, unit.radius)
    return Disc(x, y, unit.radius)


def walkers_of(state: State, unit: Unit, action: Action) -> tuple[Walker, ...]:
    """The models that an order moves, in walking order, with where they end."""
    if action.places:
        return tuple(Walker(model=name, start=None, end=pose) for name, pose in action.places)
    paths, found = dict(action.paths), []
    for name in action.order or tuple(paths):
        start = unit.model(name).pose
        if pieces_of(start, paths[name], state.board):
            found.append(Walker(model=name, start=start, end=end_pose(start, walk(start, paths[name], state.board))))
    return tuple(found)


def _manner(ruleset: Ruleset, state: State, action: Action) -> str:
    """How the models of an order move: a key of `MANNERS`."""
    if action.places:
        return "put"
    for choice in ruleset.choices(state):
        if (choice.verb, choice.unit) == (action.verb, action.unit):
            domain = choice.domain
            kind = domain.kind if isinstance(domain, Walk) else None
            if isinstance(domain, Declare):
                kind = domain.kind_for(action)
            if kind is not None:
                return kind.motion
    return "sequence"


def faults_for(ruleset: Ruleset, state: State, unit: Unit, measure: Measure | None = None) -> Faults:
    """What the referee says, without what would tell distances that nobody may measure."""
    measure = measure_of(ruleset, state) if measure is None else measure
    if measure.exact:
        return lambda action: ruleset.check(state, action)
    hidden = {name for other in state.against(unit.side) for name in (other.id, *(model.id for model in other.models))}
    return lambda action: tuple(one for one in ruleset.check(state, action) if one.against not in hidden)
