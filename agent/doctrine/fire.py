"""Whom to shoot at: what falls, what that shakes, and who is nearest to being lost."""

from __future__ import annotations

from math import ceil

from tactician.agent.doctrine.field import Field
from tactician.rules.core.action import Pairs
from tactician.rules.core.state import Unit
from tactician.rules.core.targets import aimed_unit

__all__ = ["salvo"]


def salvo(field: Field, unit: Unit, option: Pairs) -> float:
    """Points of a unit's shots at the targets that are named.

    Args:
        field: the moment.
        unit: who shoots.
        option: pairs of a model, or nothing, and what it aims at.
    """
    counts: dict[str, int] = {}
    for _, target in option:
        foe = aimed_unit(field.state, target)
        if foe is not None and foe.side != unit.side:
            counts[foe.id] = counts.get(foe.id, 0) + 1
    shooters = max(sum(counts.values()), 1)
    found = 0.0
    for name, count in sorted(counts.items()):
        found += count / shooters * _at(field, unit, field.state.unit(name))
    return found


def _at(field: Field, unit: Unit, foe: Unit) -> float:
    """What all of the shots at one target come to: losses, the chance of a heavy one, the chance of its end."""
    odds = field.appraiser.losses(field.state, unit, foe)
    worth, models, style = field.appraiser.worth(field.state, foe), len(foe.models), field.style
    mean = sum(lost * chance for lost, chance in enumerate(odds))
    many = max(ceil(style.heavy * models), 1)
    heavy = sum(chance for lost, chance in enumerate(odds) if lost >= many)
    gone = sum(chance for lost, chance in enumerate(odds) if lost >= models)
    return worth * (mean / max(models, 1) + style.shaken * heavy + style.finished * gone)
