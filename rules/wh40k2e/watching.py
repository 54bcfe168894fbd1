"""Where on an announced way units on overwatch see somebody, and where firing promises most (2E-OW-06; D1).

A way is cut at its event cells: ends of stretches in sight, range bands, borders of cover. Inside a cell nothing
changes that fire depends on, so that one look at each cell is a look at every point of the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tactician.rules.core.glimpses import (
    Border,
    Lift,
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
from tactician.rules.core.legs import Pose, Stretch, walk
from tactician.rules.core.measure import Inches, snap, within
from tactician.rules.core.shapes import length
from tactician.rules.core.sight import Eye
from tactician.rules.core.state import Model, other_side
from tactician.rules.wh40k2e.overwatch import watchers
from tactician.rules.wh40k2e.profiles import Weapon
from tactician.rules.wh40k2e.sighting import blockers_for, eye_of, reach_of
from tactician.rules.wh40k2e.state import Moving, Squad, SquadState
from tactician.rules.wh40k2e.to_hit import chain, cover_at
from tactician.rules.wh40k2e.ways import end_of

__all__ = ["Windows", "cells_of", "promise_at", "windows"]

FRONT = 90.0

MARKS = 4
"""Most points on announced ways that are named as worth a thought."""

Windows = tuple[tuple[tuple[str, str, Inches, Inches], ...], tuple[tuple[str, str, Inches], ...]]
"""Stretches in sight (watching unit, model, inches from - to) and the best points (unit, model, inches)."""


@dataclass(frozen=True, slots=True)
class Gun:
    """A watching model and the best weapon that it can fire."""

    eye: Eye
    pose: Pose
    skill: int
    weapon: Weapon
    reach: Inches


def windows(state: SquadState, frame: Moving) -> Windows:
    """Where the enemy's units on overwatch may fire at an announced move: nothing where nobody watches."""
    units = [unit for unit in watchers(state, other_side(frame.owner)) if unit.id not in frame.answered]
    if not units or not frame.plan or _stays_hidden(state, frame):
        return (), ()
    found: list[tuple[str, str, Inches, Inches]] = []
    best: list[tuple[float, str, str, Inches]] = []
    mover = state.unit(frame.unit)
    for name, path in frame.plan:
        unit = state.unit(mover.id)
        model = unit.model(name)
        stretches = walk(model.pose, path, state.board)
        for watcher in units:
            guns = guns_of(state, watcher)
            spans = _spans(state, watcher, guns, unit, model, stretches)
            found += [(watcher.id, name, low, high) for low, high in spans]
            best += _best(state, watcher, guns, unit, name, stretches, spans)
        end = end_of(state, model, path)
        state = state.with_unit(unit.moved({name: Pose(snap(end.x), snap(end.y), end.surface, end.bearing)}))
    ranked = sorted(best, key=lambda row: (-round(row[0], 9), row[1:]))
    return tuple(found), _few(ranked)


def _few(ranked: list[tuple[float, str, str, Inches]]) -> tuple[tuple[str, str, Inches], ...]:
    """The best few points of each watching unit."""
    kept: list[tuple[str, str, Inches]] = []
    for _, unit, name, inches in ranked:
        if sum(1 for one in kept if one[0] == unit) < MARKS:
            kept.append((unit, name, inches))
    return tuple(kept)


def _stays_hidden(state: SquadState, frame: Moving) -> bool:
    """Whether a hidden unit creeps from concealment to concealment, so that there is nobody to see (2E-HI-05)."""
    from tactician.rules.wh40k2e.hiding import conceals_at

    unit = state.unit(frame.unit)
    if not unit.hidden or unit.spotters or frame.gait != "walk" or not state.holds("2E-HI-04"):
        return False
    ends = {name: end_of(state, unit.model(name), path) for name, path in frame.plan}
    after = unit.moved(ends)
    return all(conceals_at(state, after, model) for model in after.models)


def guns_of(state: SquadState, unit: Squad) -> tuple[Gun, ...]:
    """The models of a watching unit that can fire, each with its farthest weapon (2E-OW-09: no grenades)."""
    skill = state.profile(unit).bs
    jammed = {name for name, _ in unit.jams} | set(unit.recharging)
    found = []
    for model in unit.models:
        if model.id in jammed:
            continue
        arms = [state.table.weapon(name) for name in unit.weapons_of(model.id)]
        usable = [arm for arm in arms if arm.shoots and not (arm.is_grenade and state.holds("2E-OW-09"))]
        if usable:
            weapon = max(usable, key=lambda arm: (reach_of(state, unit, arm), arm.strength, arm.id))
            found.append(Gun(eye_of(state, unit, model), model.pose, skill, weapon, reach_of(state, unit, weapon)))
    return tuple(found)


def _spans(
    state: SquadState, watcher: Squad, guns: Sequence[Gun], unit: Squad, model: Model, stretches: tuple[Stretch, ...]
) -> tuple[Span, ...]:
    """Where on a model's way any of the guns sees it in range: the union, the nearest eyes asked first."""
    whole = sum(stretch.across for stretch in stretches)
    if whole <= 0.0:
        return ()
    blockers = _blockers(state, watcher, unit, model)
    body = Mover(radius=unit.radius, stature=state.profile(unit).stature)
    there = place_at(stretches, whole / 2)
    seen: tuple[Span, ...] = ()
    for gun in sorted(guns, key=lambda one: (round(length(one.eye.x - there[0], one.eye.y - there[1]), 9), one.eye.x)):
        watch = _watch(state, gun)
        seen = _union((*seen, *spans_seen(state.board, watch, stretches, body, blockers, _lifts(state))))
        if len(seen) == 1 and seen[0][0] <= 1e-9 and seen[0][1] >= whole - 1e-9:
            break
    return tuple((low, high) for low, high in seen if high - low > 1e-6)


def _watch(state: SquadState, gun: Gun) -> Watch:
    width = FRONT if state.holds("2E-SH-02") else 360.0
    return Watch(eye=gun.eye, reach=gun.reach, bearing=gun.pose.bearing, width=width)


def _blockers(state: SquadState, watcher: Squad, unit: Squad, model: Model) -> tuple[Eye, ...]:
    mine = eye_of(state, unit, model)
    return tuple(eye for eye in blockers_for(state, watcher) if eye != mine)


def _lifts(state: SquadState) -> tuple[Lift, ...]:
    found = []
    for piece in state.board.with_trait("rise"):
        rise = piece.trait("rise")
        if isinstance(rise, int | float):
            found.append(Lift(outline=piece.outline, rise=float(rise)))
    return tuple(found)


def _union(spans: Sequence[Span]) -> tuple[Span, ...]:
    found: list[Span] = []
    for low, high in sorted(spans):
        if found and low <= found[-1][1] + 1e-9:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return tuple(found)


# ---- what fire promises ----------------------------------------------------------------------------------------------


def cells_of(
    state: SquadState, guns: Sequence[Gun], unit: Squad, stretches: tuple[Stretch, ...], spans: Sequence[Span]
) -> tuple[Span, ...]:
    """The event cells of the stretches in sight: nothing that fire depends on changes inside one of them."""
    borders: list[Border] = []
    for gun in guns:
        here = (gun.eye.x, gun.eye.y)
        for band in (gun.weapon.short, gun.reach):
            borders.append(Ring(here, band + gun.eye.radius + unit.radius))
        borders += cover_borders(here, state.board.with_trait("cover"))
    marks = [mark for span in spans for mark in span]
    return tuple(
        cell for cell in cells(stretches, borders, marks) if any(low < middle(cell) < high for low, high in spans)
    )


def promise_at(state: SquadState, guns: Sequence[Gun], unit: Squad, place: tuple[float, float]) -> float:
    """Expected hits of all guns that have a place in range, by range band and cover; sight is not asked again."""
    total = 0.0
    for gun in guns:
        gap = length(place[0] - gun.eye.x, place[1] - gun.eye.y) - gun.eye.radius - unit.radius
        if not within(gap, gun.reach):
            continue
        bonus = gun.weapon.hit_short if within(gap, gun.weapon.short) else gun.weapon.hit_long
        cover = cover_at(state, gun.pose, gun.eye.radius, Pose(*place))
        faces = chain(max(7 - gun.skill - bonus + cover, 2))
        chance = 1.0
        for face in faces or (7,):
            chance *= (7 - face) / 6
        total += 1.0 if gun.weapon.is_template else chance * (1 + gun.weapon.sustained)
    return total


def _best(
    state: SquadState,
    watcher: Squad,
    guns: Sequence[Gun],
    unit: Squad,
    name: str,
    stretches: tuple[Stretch, ...],
    spans: Sequence[Span],
) -> list[tuple[float, str, str, Inches]]:
    """The middle of every event cell with what fire promises there."""
    if not spans:
        return []
    found = []
    for cell in cells_of(state, guns, unit, stretches, spans):
        at = middle(cell)
        found.append((promise_at(state, guns, unit, place_at(stretches, at)), watcher.id, name, at))
    return found
