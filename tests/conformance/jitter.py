"""Answers shaken out of shape: still near what somebody might order, and often illegal."""

from __future__ import annotations

import random
from dataclasses import replace
from math import atan2, cos, hypot, pi, sin

from tactician.rules.core.action import Action, Mark
from tactician.rules.core.choice import Assign, Choice, Declare, Put, Subset, Walk, Window
from tactician.rules.core.legs import Bend, Climb, Drop, Leg, Path, Pose, Straight
from tactician.rules.core.movement import MoveType
from tactician.rules.core.state import State

SHIFTS = (1e-6, 1e-4, 0.01, 0.5, 3.0)
"""Inches by which places are shaken, smallest first: within tolerance, about it, and far beyond."""


def jittered(state: State, choice: Choice, action: Action, rng: random.Random) -> Action:
    """An answer to a choice, changed in one or two of the fields that it uses."""
    domain = choice.domain
    if isinstance(domain, Walk):
        return _ways(state, domain.kind, action, rng)
    if isinstance(domain, Declare):
        targets = rng.choice(domain.options)
        kind = domain.kind_for(replace(action, targets=targets))
        action = replace(action, targets=targets)
        return action if kind is None else _ways(state, kind, action, rng)
    if isinstance(domain, Assign):
        return _reassigned(state, domain, action, rng)
    if isinstance(domain, Subset):
        names = [*domain.ids, *(unit.id for unit in state.units)]
        return replace(action, models=tuple(rng.choices(names, k=rng.randint(0, len(domain.ids) + 1))))
    if isinstance(domain, Put):
        return replace(action, places=tuple((name, _shaken(pose, rng)) for name, pose in action.places))
    if isinstance(domain, Window):
        model, low, high = rng.choice(domain.spans)
        return replace(action, mark=Mark(model=model, inches=rng.uniform(low - 0.5, high + 0.5)))
    return _renamed(state, action, rng)


def _shift(rng: random.Random) -> float:
    return rng.gauss(0.0, rng.choice(SHIFTS))


def _shaken(pose: Pose, rng: random.Random) -> Pose:
    return pose._replace(x=pose.x + _shift(rng), y=pose.y + _shift(rng))


def _renamed(state: State, action: Action, rng: random.Random) -> Action:
    """Targets swapped for other units, or a field that the verb does not use."""
    units = [unit.id for unit in state.units]
    if action.targets:
        return replace(action, targets=tuple((role, rng.choice(units)) for role, _ in action.targets))
    return rng.choice((action, replace(action, models=(rng.choice(units),)), replace(action, targets=(("", "x"),))))


def _reassigned(state: State, domain: Assign, action: Action, rng: random.Random) -> Action:
    """Targets left out, or swapped for those of other models, for any unit or model, or with a strange weapon."""
    known = [target for option in domain.usual for _, target in option]
    names = [name for unit in state.units for name in (unit.id, *(model.id for model in unit.models))]
    given, found = dict(action.targets), {}
    for model in domain.models:
        draw = rng.random()
        if draw < 0.5 and model in given:
            found[model] = given[model]
        elif draw < 0.75:
            found[model] = rng.choice(known)
        elif draw < 0.9:
            found[model] = rng.choice(names) + rng.choice(("", "", ":", ":no such weapon"))
    if rng.random() < 0.1:
        found[rng.choice(names)] = rng.choice(names)
    return replace(action, targets=tuple(sorted(found.items())))


def _ways(state: State, kind: MoveType, action: Action, rng: random.Random) -> Action:
    """Ways for some of the models: those of the answer shaken, or new ones; the formation often stays together."""
    unit = state.unit(action.unit)
    models = [model for model in unit.models if rng.random() < 0.9]
    enemies = [model.pose for other in state.against(unit.side) for model in other.models]
    given, together = dict(action.paths), random.Random(rng.random())
    shared = together.getstate()
    paths = []
    for model in models:
        if rng.random() < 0.7:
            together.setstate(shared)
        path = given.get(model.id)
        path = _new_way(state, kind, model.pose, enemies, together) if path is None or rng.random() < 0.6 else path
        paths.append((model.id, tuple(_leg_shaken(leg, rng) for leg in path)))
    order = [name for name, _ in paths]
    rng.shuffle(order)
    return replace(action, paths=tuple(paths), order=tuple(order) if kind.motion == "sequence" else ())


def _new_way(state: State, kind: MoveType, pose: Pose, enemies: list[Pose], rng: random.Random) -> Path:
    """One to three legs of about the allowance together, one in four of them aimed at an enemy."""
    legs: list[Leg] = []
    here = pose.point
    count = rng.randint(1, 3)
    for _ in range(count):
        draw = rng.random()
        if draw < 0.06:
            name = rng.choice(state.board.surfaces).id
            legs.append(rng.choice((Climb(name), Drop(name))))
            continue
        angle, far = rng.uniform(0, 2 * pi), rng.uniform(0, 1.5 * min(kind.allowance, 24.0)) / count
        if draw > 0.75 and enemies:
            enemy = rng.choice(enemies)
            angle = atan2(enemy.y - here[1], enemy.x - here[0])
        if draw < 0.3 and kind.motion == "sequence":
            leg = _arc(here, angle, max(far, 0.1), rng)
        else:
            leg = Straight((here[0] + far * cos(angle), here[1] + far * sin(angle)))
        legs.append(leg)
        here = leg.to
    return tuple(legs)


def _arc(here: tuple[float, float], angle: float, radius: float, rng: random.Random) -> Bend:
    """An arc round a centre in some direction, to a point on the same circle."""
    centre = here[0] + radius * cos(angle), here[1] + radius * sin(angle)
    end = angle + pi + rng.uniform(-2.0, 2.0)
    away = hypot(here[0] - centre[0], here[1] - centre[1])
    return Bend(centre, (centre[0] + away * cos(end), centre[1] + away * sin(end)), rng.choice(("left", "right")))


def _leg_shaken(leg: Leg, rng: random.Random) -> Leg:
    if isinstance(leg, Straight) and rng.random() < 0.5:
        return Straight((leg.to[0] + _shift(rng), leg.to[1] + _shift(rng)))
    if isinstance(leg, Bend) and rng.random() < 0.1:
        return replace(leg, to=(leg.to[0] + _shift(rng), leg.to[1] + _shift(rng)))
    return leg
