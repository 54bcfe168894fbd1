"""Putting units down: as far forward as the rules let them, before the enemy whom they want to meet."""

from __future__ import annotations

from dataclasses import replace

from tactician.agent.doctrine.field import Field
from tactician.agent.propose.candidates import candidates
from tactician.agent.propose.shapes import line
from tactician.rules.core.action import Action
from tactician.rules.core.choice import Choice, Put
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import Inches, snap
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.state import Model, Unit

__all__ = ["put_down"]

CROWD = 5
"""Models of a unit that stands in ranks, at least."""

WIDE: Inches = 5.0
"""Half of the front of a unit in ranks, and some room."""

STEPS = 12
"""Places along the front that are tried."""

LOOSE: Inches = 0.5
"""Room between neighbours."""

ASIDE = 0.7
"""What an inch to the side is worth to the first of several crowds, that the next has room beside it."""

FRONT = 0.35
"""What an inch to the side counts, against an inch forward."""


def put_down(field: Field) -> Action:
    """The unit that comes first, at the place from which it has least way to the enemy, and leaves others theirs."""
    puts = [choice for choice in field.choices if isinstance(choice.domain, Put)]
    choice = min(puts, key=lambda one: (-len(_models(one)), one.unit))
    aim, wanted = _enemy(field, choice), len(_models(choice))
    aside = wanted >= CROWD and any(len(_models(one)) >= CROWD for one in puts if one.unit != choice.unit)
    centre = field.state.board.width / 2
    found = _blocks(field, choice, aim) or candidates(field.ruleset, field.state, choice)

    def way(action: Action) -> tuple[float, str]:
        away = _way(action, aim, wanted)
        return (away - ASIDE * abs(_across(action) - centre) if aside and action.places else away), str(action.places)

    return min(found, key=way)


def _across(action: Action) -> Inches:
    """Where the middle of a unit would be, from the left edge of the table."""
    return sum(pose.x for _, pose in action.places) / max(len(action.places), 1)


def _blocks(field: Field, choice: Choice, aim: Point) -> list[Action]:
    """In two ranks at the front of the zone, for units that have to come to blows, before the enemy if they can."""
    domain, state = choice.domain, field.state
    assert isinstance(domain, Put)
    unit, count, zone = state.unit(choice.unit), len(domain.models), domain.rule.zone
    far = field.style.long_range * min(state.board.width, state.board.height)
    if zone is None or count < CROWD or _reach(field, unit, domain.models) >= far:
        return []
    x0, y0, x1, y1 = zone
    ahead = 1.0 if aim[1] > (y0 + y1) / 2 else -1.0
    y = (y1 if ahead > 0.0 else y0) - ahead * (unit.radius + 0.1)
    wanted = min(max(aim[0], x0 + WIDE), x1 - WIDE)
    for step in range(STEPS):
        x = wanted + (step + 1) // 2 * 3.0 * (1 if step % 2 else -1)
        places = line((x, y), (0.0, ahead), count, unit.radius, LOOSE)
        rows = tuple((name, Pose(snap(a), snap(b))) for name, (a, b) in zip(domain.models, places, strict=True))
        action = replace(choice.bare(), places=rows)
        if not choice.explain(state, action):
            return [action]
    return []


def _reach(field: Field, unit: Unit, names: tuple[str, ...]) -> float:
    """How far most of the models will shoot, once they stand on the table."""
    standing = replace(unit, models=tuple(Model(id=name, pose=Pose(-99.0, -99.0)) for name in names))
    return field.carries(standing)


def _models(choice: Choice) -> tuple[str, ...]:
    domain = choice.domain
    return domain.models if isinstance(domain, Put) else ()


def _enemy(field: Field, choice: Choice) -> Point:
    """The middle of the enemy's models; before any stand on the table, the middle of it."""
    points = [model.pose.point for foe in field.foes for model in foe.models]
    if not points:
        return field.state.board.width / 2, field.state.board.height / 2
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _way(action: Action, aim: Point, wanted: int) -> float:
    """How far the unit's middle would be from the enemy; whoever finds room for fewer models comes last."""
    if not action.places:
        return 1e6
    count = len(action.places)
    x, y = sum(p.x for _, p in action.places) / count, sum(p.y for _, p in action.places) / count
    return round(length(FRONT * (x - aim[0]), y - aim[1]), 6) + 1e3 * (wanted - count)
