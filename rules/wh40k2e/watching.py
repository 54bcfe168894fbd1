"""Where on an announced way units on overwatch see somebody, and where firing promises most (2E-OW-06; D1).

A way is cut at its event cells: ends of the stretches on which each watching model sees the mover, range bands,
borders of cover, and the inches at which a target counts as fast. Inside a cell nothing changes that fire depends
on, so that one look at each cell is a look at every point of the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tactician.rules.core.action import Mark
from tactician.rules.core.agenda import swap
from tactician.rules.core.barriers import box_of
from tactician.rules.core.derive import but
from tactician.rules.core.glimpses import (
    Border,
    Mover,
    Ring,
    Span,
    Watch,
    cells,
    cover_borders,
    middle,
    place_at,
    spans_seen,
)
from tactician.rules.core.legs import Path, Pose, Stretch, walk
from tactician.rules.core.measure import Inches, snap, within
from tactician.rules.core.remember import Remembered
from tactician.rules.core.shapes import Box, length
from tactician.rules.core.sight import Eye
from tactician.rules.core.state import Model, other_side
from tactician.rules.wh40k2e.arms import ready_arms
from tactician.rules.wh40k2e.contact import is_engaged, model_gap
from tactician.rules.wh40k2e.moving import advanced
from tactician.rules.wh40k2e.overwatch import watchers
from tactician.rules.wh40k2e.profiles import Weapon
from tactician.rules.wh40k2e.sighting import FRONT, blockers_for, eye_of, eyes_of, lifts_of, reach_of
from tactician.rules.wh40k2e.state import Moving, Squad, SquadState
from tactician.rules.wh40k2e.to_hit import FAST, FASTEST, chain, charges_at, need_to_hit
from tactician.rules.wh40k2e.ways import end_of
from tactician.rules.wh40k2e.wounding import struck

__all__ = ["Gun", "Trip", "best_marks", "guns_of", "promise_at", "trip_cells", "trips_of", "windows"]

MARKS = 4
"""Most points on announced ways that are named as worth a thought."""

Begun = tuple[tuple[Squad, ...], tuple[Stretch, ...]]
"""The units as a model finds them when its way begins, and the stretches of the way."""

_BEGUN: Remembered[tuple[Begun, ...]] = Remembered(500)
_BLOCKERS: Remembered[tuple[Eye, ...]] = Remembered(2_000)
_SEEN: Remembered[tuple[Span, ...]] = Remembered(10_000)

Windows = tuple[tuple[str, str, Inches, Inches], ...]
"""Watching unit, model on its way, and the inches of that way from - to."""


@dataclass(frozen=True, slots=True)
class Gun:
    """A watching model that can fire."""

    model: Model
    eye: Eye
    weapons: tuple[Weapon, ...]
    reach: Inches


@dataclass(frozen=True, slots=True)
class Trip:
    """One model's announced way, all earlier ones walked."""

    state: SquadState
    frame: Moving
    unit: Squad
    model: Model
    path: Path
    stretches: tuple[Stretch, ...]


def windows(state: SquadState, frame: Moving) -> Windows:
    """Where the enemy's units on overwatch may fire at an announced move: nothing where nobody watches."""
    units = [unit for unit in watchers(state, other_side(frame.owner)) if unit.id not in frame.answered]
    if not units or not frame.plan or _stays_hidden(state, frame):
        return ()
    found: list[tuple[str, str, Inches, Inches]] = []
    arms = [(watcher, guns_of(state, watcher)) for watcher in units]
    for trip in trips_of(state, frame):
        for watcher, guns in arms:
            if is_engaged(trip.state, watcher):  # by those who go first (corner case 36)
                continue
            spans = _spans(trip, watcher, guns)
            found += [(watcher.id, trip.model.id, low, high) for low, high in spans]
    return tuple(found)


def trips_of(state: SquadState, frame: Moving) -> tuple[Trip, ...]:
    """The announced ways one by one, each as its model finds the table."""
    found = []
    begun = _BEGUN.get((state.table, state.units, frame.plan), frame.unit, lambda: _begun(state, frame))
    for number, ((name, path), (units, stretches)) in enumerate(zip(frame.plan, begun, strict=True)):
        there = state if units is state.units else but(state, units=units)
        unit = there.unit(frame.unit)
        rest = replace(frame, plan=frame.plan[number:])
        found.append(Trip(there, rest, unit, unit.model(name), path, stretches))
    return tuple(found)


def _begun(state: SquadState, frame: Moving) -> tuple[Begun, ...]:
    """For each announced way the units as its model finds them, and its stretches."""
    found = []
    for name, path in frame.plan:
        unit = state.unit(frame.unit)
        model = unit.model(name)
        found.append((state.units, walk(model.pose, path, state.board)))
        end = end_of(state, model, path)
        state = state.with_unit(unit.moved({name: Pose(snap(end.x), snap(end.y), end.surface, end.bearing)}))
    return tuple(found)


def _stays_hidden(state: SquadState, frame: Moving) -> bool:
    """Whether a hidden unit creeps through concealment all the way, so that there is nobody to see (2E-HI-05)."""
    from tactician.rules.wh40k2e.hiding import stays_concealed

    unit = state.unit(frame.unit)
    if not unit.hidden or unit.spotters or frame.gait != "walk" or not state.holds("2E-HI-04"):
        return False
    return all(stays_concealed(state, unit, unit.model(name), path) for name, path in frame.plan)


def guns_of(state: SquadState, unit: Squad) -> tuple[Gun, ...]:
    """The models of a watching unit that can fire from overwatch, each with its weapons."""
    found = []
    arms, eyes = ready_arms(state, unit, on_overwatch=True), eyes_of(state, unit)
    for model, weapons, eye in zip(unit.models, arms, eyes, strict=True):
        if weapons:
            reach = max(reach_of(state, unit, weapon) for weapon in weapons)
            found.append(Gun(model, eye, weapons, reach))
    return tuple(found)


# ---- in sight --------------------------------------------------------------------------------------------------------


def _spans(trip: Trip, watcher: Squad, guns: Sequence[Gun]) -> tuple[Span, ...]:
    """Where on a way any of the guns sees the model in range: the union, the nearest eyes asked first."""
    whole = sum(stretch.across for stretch in trip.stretches)
    if whole <= 0.0:
        return ()
    box = _box_about(trip)
    near = [gun for gun in guns if within(_least_gap(trip, gun, box), gun.reach)]
    if not near:
        return ()
    there = place_at(trip.stretches, whole / 2)
    seen: tuple[Span, ...] = ()
    blockers = _blockers(trip, watcher)
    for gun in sorted(near, key=lambda one: (round(length(one.eye.x - there[0], one.eye.y - there[1]), 9), one.eye.x)):
        seen = _union((*seen, *seen_by(trip, gun, blockers)))
        if len(seen) == 1 and seen[0][0] <= 1e-9 and seen[0][1] >= whole - 1e-9:
            break
    return tuple((low, high) for low, high in seen if high - low > 1e-6)


def _blockers(trip: Trip, watcher: Squad) -> tuple[Eye, ...]:
    """Who stands in the way of a unit's sight of the mover: not the mover itself."""
    places = (trip.state.table, trip.state.units, trip.model)
    return _BLOCKERS.get(places, watcher.id, lambda: _find_blockers(trip, watcher))


def _find_blockers(trip: Trip, watcher: Squad) -> tuple[Eye, ...]:
    mine = eye_of(trip.state, trip.unit, trip.model)
    return tuple(eye for eye in blockers_for(trip.state, watcher) if eye.x != mine.x or eye != mine)


def _box_about(trip: Trip) -> Box:
    """The rectangle of a way."""
    boxes = [box_of(stretch) for stretch in trip.stretches]
    x0, y0 = min(box[0] for box in boxes), min(box[1] for box in boxes)
    return x0, y0, max(box[2] for box in boxes), max(box[3] for box in boxes)


def _least_gap(trip: Trip, gun: Gun, box: Box) -> Inches:
    """At most the gap between a gun and the mover anywhere on its way: from the rectangle of the way."""
    x0, y0, x1, y1 = box
    dx = max(x0 - gun.eye.x, 0.0, gun.eye.x - x1)
    dy = max(y0 - gun.eye.y, 0.0, gun.eye.y - y1)
    return length(dx, dy) - gun.eye.radius - trip.unit.radius


def seen_by(trip: Trip, gun: Gun, blockers: Sequence[Eye]) -> tuple[Span, ...]:
    """Where on a way one watching model sees the mover within its reach and arc; remembered."""
    about = gun.reach, trip.unit.radius, trip.unit.profile
    objects = (trip.state.table, gun.eye, gun.model, trip.stretches, blockers)
    return _SEEN.get(objects, about, lambda: _seen_by(trip, gun, blockers))


def _seen_by(trip: Trip, gun: Gun, blockers: Sequence[Eye]) -> tuple[Span, ...]:
    state = trip.state
    width = FRONT if state.holds("2E-SH-02") else 360.0
    watch = Watch(eye=gun.eye, reach=gun.reach, bearing=gun.model.pose.bearing, width=width)
    body = Mover(radius=trip.unit.radius, stature=state.profile(trip.unit).stature)
    if not state.holds("2E-SH-03"):
        return ((0.0, sum(stretch.across for stretch in trip.stretches)),)
    return spans_seen(state.board, watch, trip.stretches, body, blockers, lifts_of(state.board))


def _union(spans: Sequence[Span]) -> tuple[Span, ...]:
    found: list[Span] = []
    for low, high in sorted(spans):
        if found and low <= found[-1][1] + 1e-9:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return tuple(found)


# ---- what fire promises ----------------------------------------------------------------------------------------------


def best_marks(state: SquadState, frame: Moving, watcher: Squad) -> tuple[Mark, ...]:
    """The points of an announced move at which a unit's fire promises most, the best first, one for each event cell.

    Where equal, the earlier point comes first. What is promised is `promise_at`.
    """
    guns = guns_of(state, watcher)
    rows: list[tuple[float, int, Inches, str]] = []
    for number, trip in enumerate(trips_of(state, frame)):
        for cell, sees in trip_cells(trip, watcher, guns):
            at = _plain(cell)
            rows.append((-round(promise_at(trip, watcher, sees, at), 9), number, at, trip.model.id))
    kept = sorted(row for row in rows if row[0] < 0.0)[:MARKS]
    return tuple(Mark(model=name, inches=at) for _, _, at, name in kept)


def _plain(cell: Span) -> Inches:
    """A place inside a cell that is easily said, near its middle: nothing changes between them."""
    low, high = cell
    for digits in (1, 2, 3):
        at = round(middle(cell), digits)
        if low < at < high:
            return at
    return middle(cell)


def trip_cells(trip: Trip, watcher: Squad, guns: Sequence[Gun]) -> tuple[tuple[Span, tuple[Gun, ...]], ...]:
    """The event cells of a way, each with the guns that see the mover in it."""
    state = trip.state
    blockers = _blockers(trip, watcher)
    seen = [(gun, seen_by(trip, gun, blockers)) for gun in guns]
    seen = [(gun, spans) for gun, spans in seen if spans]
    if not seen:
        return ()
    borders: list[Border] = []
    pieces = state.board.with_trait("cover")
    for gun, _ in seen:
        here = (gun.eye.x, gun.eye.y)
        bands = {band for weapon in gun.weapons for band in (weapon.short, reach_of(state, watcher, weapon))}
        borders += [Ring(here, band + gun.eye.radius + trip.unit.radius) for band in sorted(bands)]
        borders += cover_borders(here, pieces)
    gone = dict(trip.frame.walked).get(trip.model.id, 0.0)
    marks = [mark for _, spans in seen for span in spans for mark in span]
    marks += [limit - gone for limit in (FAST, FASTEST) if limit > gone]
    found = []
    for cell in cells(trip.stretches, borders, marks):
        at = middle(cell)
        sees = tuple(gun for gun, spans in seen if any(low < at < high for low, high in spans))
        if sees:
            found.append((cell, sees))
    return tuple(found)


def promise_at(trip: Trip, watcher: Squad, sees: Sequence[Gun], inches: Inches) -> float:
    """Models that fire takes off on average if all who see the mover after so many inches of its way shoot at it.

    The ledger of every gun is the referee's; whether somebody nearer would have to be shot at instead is not asked.
    """
    state = swap(trip.state, trip.frame)
    state, _ = advanced(state, trip.frame, Mark(model=trip.model.id, inches=inches))
    unit = state.unit(trip.unit.id)
    model = unit.model(trip.model.id)
    at_charger = charges_at(state, unit, watcher)
    return sum(_worth(state, watcher, gun, unit, model, at_charger) for gun in sees)


def _worth(state: SquadState, watcher: Squad, gun: Gun, unit: Squad, model: Model, at_charger: bool) -> float:
    """What the best weapon of one model takes off on average."""
    gap = model_gap(gun.model.pose, watcher.radius, model.pose, unit.radius)
    best = 0.0
    for weapon in gun.weapons:
        if not within(gap, reach_of(state, watcher, weapon)):
            continue
        ledger = need_to_hit(state, watcher, gun.model, weapon, unit, model, on_overwatch=True, at_charger=at_charger)
        faces = () if weapon.is_template else chain(round(ledger.total))
        wound, save = struck(state, watcher, weapon, unit)
        chance = (
            _made((*faces, wound)) * (1.0 - _made_on(save, state.profile(unit).save_dice)) if faces is not None else 0.0
        )
        best = max(best, chance * max(weapon.sustained * 1.5, 1.0))
    return best


def _made(faces: Sequence[int]) -> float:
    """Chance that faces are made one after another."""
    chance = 1.0
    for face in faces:
        chance *= max(0, min(6, 7 - face)) / 6
    return chance


def _made_on(need: int, dice: int) -> float:
    """Chance that one or two dice make a total."""
    if dice == 1:
        return max(0, min(6, 7 - need)) / 6
    return sum(a + b >= need for a in range(1, 7) for b in range(1, 7)) / 36
