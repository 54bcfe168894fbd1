"""Scout and secure: units that come on during the game (pages of the scenarios).

At the start of a turn a side may pay for units. Of each a first model, its scout, is put down at the own table edge,
where nobody can aim at it; once it has moved the others are put down about it, and the unit goes on with its command.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tactician.rules.core.action import Action
from tactician.rules.core.agenda import Handler, push, swap, without_top
from tactician.rules.core.choice import Choice, Nothing, Put
from tactician.rules.core.clauses import Cite, Violation
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import Inches, snap
from tactician.rules.core.placement import PlaceRule
from tactician.rules.core.shapes import Box
from tactician.rules.core.state import SIDES, Model, other_side
from tactician.rules.voidsiege.missions import is_limited
from tactician.rules.voidsiege.movement import ENEMY_DISTANCE
from tactician.rules.voidsiege.scenario import mission_of
from tactician.rules.voidsiege.state import Arrivals, Follow, VoidState, VoidUnit
from tactician.rules.voidsiege.threat import comers, price, without_threat

__all__ = ["ArrivalsHandler", "FollowHandler", "followed", "with_arrivals"]

FOLLOW: Inches = 2.0
"""How near the scout the rest of its unit comes on."""


def with_arrivals(state: VoidState) -> VoidState:
    """The beginning of a turn in which units may come on: the side that acts first brings its own first (VS-SU-10)."""
    if not mission_of(state).threat:
        return state
    owner = state.first if state.holds("VS-SU-10") else other_side(state.first)
    return push(state, Arrivals(owner=owner, waiting=(other_side(owner),)))


def edge_of(state: VoidState, unit: VoidUnit) -> Box:
    """The strip along the side's own table edge that a base in touch with the edge fills."""
    deep = 2 * unit.radius
    low = 0.0 if unit.side == SIDES[0] else state.board.height - deep
    return 0.0, low, state.board.width, low + deep


def scout_rule(state: VoidState, unit: VoidUnit) -> PlaceRule:
    """Where a scout may be put down: its base touches the own edge (VS-SU-06), more than 2 inches from enemies."""
    return PlaceRule(
        end_place=Cite("VS-LE-03"),
        zone=edge_of(state, unit) if state.holds("VS-SU-06") else state.board.box,
        zone_cite=Cite("VS-SU-06"),
        from_enemies=ENEMY_DISTANCE,
        enemies_cite=Cite("VS-GM-04"),
    )


def follow_rule(state: VoidState) -> PlaceRule:
    """Where the rest of a unit comes on: near its scout, away from enemies (VS-SU-09)."""
    holds = state.holds("VS-SU-09")
    cite = Cite("VS-SU-09")
    return PlaceRule(
        end_place=Cite("VS-LE-03"),
        near=FOLLOW if holds else 2 * FOLLOW,
        near_cite=cite,
        from_enemies=ENEMY_DISTANCE if holds else None,
        enemies_cite=replace(cite, also=("VS-GM-04",)),
    )


class ArrivalsHandler(Handler[VoidState, Arrivals]):
    """Who comes on at the start of a turn."""

    def step(self, state: VoidState, frame: Arrivals) -> VoidState | None:
        """On to the other side, or to the first activation, where nobody can be brought on."""
        return None if next(self._offers(state, frame), None) is not None else self._next(state, frame)

    def _next(self, state: VoidState, frame: Arrivals) -> VoidState:
        if not frame.waiting:
            return without_top(state)
        return swap(state, replace(frame, owner=frame.waiting[0], waiting=frame.waiting[1:]))

    def _offers(self, state: VoidState, frame: Arrivals) -> Iterator[Choice]:
        """Every unit that the side can pay for and has room for (VS-SU-05), unless it may spend nothing (VS-OB-12)."""
        if is_limited(state, frame.owner):
            return
        for unit in comers(state, frame.owner):
            if price(state, unit) <= state.threat_of(frame.owner):
                choice = Choice("arrive", unit.id, Put(_waiting(unit)[:1], scout_rule(state, unit)))
                if choice.canonical(state).places:
                    yield choice

    def choices(self, state: VoidState, frame: Arrivals) -> tuple[Choice, ...]:
        """Any of these units, or no more."""
        return (*self._offers(state, frame), Choice("pass", "", Nothing()))

    def refuse(self, state: VoidState, frame: Arrivals, action: Action) -> tuple[Violation, ...]:
        """Why a unit may not come on: it costs more than the side has."""
        coming = {unit.id: unit for unit in comers(state, frame.owner)}
        if action.verb != "arrive" or action.unit not in coming:
            return ()
        cost, left = price(state, coming[action.unit]), state.threat_of(frame.owner)
        if cost <= left:
            return (Violation(clause="VS-SU-06", subject=action.unit, text="there is no room at the own table edge"),)
        text = "a unit comes on for threat points equal to its cost"
        return (Violation(clause="VS-SU-05", subject=action.unit, text=text, measured=cost, limit=left),)

    def take(self, state: VoidState, frame: Arrivals, action: Action) -> VoidState:
        """Pay, and put the scout down; or let the other side go on."""
        if action.verb == "pass":
            return self._next(state, frame)
        unit = state.unit(action.unit)
        coming, paid = _waiting(unit), price(state, unit)
        fresh = replace(
            unit,
            models=_put(action),
            reserve=coming[1:],
            lost=() if not unit.reserve else unit.lost,
            restrictions=(),
            ditching=False,
            scouting=True,
            refunded=False,
        )
        told = f"{unit.name} ({unit.id}) comes on for {paid} threat points"
        state = replace(state, log=(*state.log, told))
        return without_threat(state, unit.side, paid).with_unit(fresh)


def _waiting(unit: VoidUnit) -> tuple[str, ...]:
    """The models of a unit off the table that come on: those in reserve, or all that it had lost."""
    return unit.reserve or tuple(sorted(unit.lost))


def _put(action: Action) -> tuple[Model, ...]:
    return tuple(
        Model(id=name, pose=Pose(snap(pose.x), snap(pose.y), pose.surface, pose.bearing))
        for name, pose in sorted(action.places)
    )


# ---- the rest of the unit --------------------------------------------------------------------------------------------


def followed(state: VoidState, name: str) -> VoidState:
    """After a movement: a scout is one no longer, and the rest of its unit comes on (VS-SU-08)."""
    unit = state.unit(name)
    if not unit.models or not (unit.scouting or unit.reserve):
        return state
    if not unit.reserve or not state.holds("VS-SU-08"):
        return state.with_unit(replace(unit, scouting=False))
    return push(state, Follow(owner=unit.side, unit=name, count=len(unit.reserve)))


class FollowHandler(Handler[VoidState, Follow]):
    """Where the rest of a unit is put; those without room come with its next movement."""

    def step(self, state: VoidState, frame: Follow) -> VoidState | None:
        """Fewer models where there is no room for all."""
        unit = state.unit(frame.unit)
        if frame.count < 1 or not unit.models or not unit.reserve:
            return without_top(state)
        if not self._choice(state, frame).canonical(state).places:
            return swap(state, replace(frame, count=frame.count - 1))
        return None

    def _choice(self, state: VoidState, frame: Follow) -> Choice:
        unit = state.unit(frame.unit)
        return Choice("follow", unit.id, Put(unit.reserve[: frame.count], follow_rule(state)))

    def choices(self, state: VoidState, frame: Follow) -> tuple[Choice, ...]:
        """Places for the models that follow."""
        return (self._choice(state, frame),)

    def take(self, state: VoidState, frame: Follow, action: Action) -> VoidState:
        """Put them down; from now on the unit can be aimed at."""
        unit = state.unit(frame.unit)
        models = tuple(sorted((*unit.models, *_put(action)), key=lambda model: model.id))
        left = tuple(name for name in unit.reserve if name not in dict(action.places))
        log = (*state.log, f"{unit.name} ({unit.id}): {', '.join(dict(action.places))} follow")
        state = without_top(replace(state, log=log))
        return state.with_unit(replace(unit, models=models, reserve=left, scouting=False))
