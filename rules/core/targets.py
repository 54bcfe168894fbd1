"""What the names in an order aim at: a unit, or one of its models, perhaps with the weapon that is meant for it.

A target is written ``E1``, ``e1``, ``E1:bolter`` or ``e1:bolter``; ids of units and models hold no colon.
"""

from __future__ import annotations

from tactician.rules.core.action import Pairs
from tactician.rules.core.state import State, Unit

__all__ = ["aimed_unit", "main_target", "name_of", "weapon_of"]


def name_of(target: str) -> str:
    """The unit or the model that a target names.

    >>> name_of("E1:heavy bolter")
    'E1'
    """
    return target.partition(":")[0]


def weapon_of(target: str) -> str:
    """The weapon that a target names, or empty.

    >>> weapon_of("E1:heavy bolter")
    'heavy bolter'
    """
    return target.partition(":")[2]


def aimed_unit(state: State, target: str) -> Unit | None:
    """The unit that a target names or whose model on the table it names; None where there is neither."""
    name = name_of(target)
    for unit in state.units:
        if unit.id == name:
            return unit
    for unit in state.units:
        if any(model.id == name for model in unit.models):
            return unit
    return None


def main_target(state: State, targets: Pairs) -> str | None:
    """The unit at which most of some pairs aim, by id; of equals the one named first; None where none is known."""
    counts: dict[str, int] = {}
    for _, target in targets:
        unit = aimed_unit(state, target)
        if unit is not None:
            counts[unit.id] = counts.get(unit.id, 0) + 1
    return max(counts, key=lambda name: counts[name], default=None)
