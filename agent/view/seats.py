"""Seats: which unit has which slot, so that a number means the same unit for a whole game."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Self

from tactician.agent.view.layout import Layout
from tactician.rules.core.state import SIDES, State

__all__ = ["Seats"]

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seats:
    """Unit ids in slots. Units of the start keep their slot for ever; later ones share the slots that are left."""

    red: Row
    blue: Row
    """A unit's id in each slot; empty where nobody has ever sat."""
    fixed: tuple[int, int]
    """How many slots of red and of blue are held by units of the start."""
    most_red: tuple[int, ...]
    most_blue: tuple[int, ...]
    """The most models that each seated unit has been seen with."""
    _slots: dict[str, tuple[str, int, int]] = field(init=False, repr=False, compare=False)
    """Side, slot and most models of every unit with a seat."""

    def __post_init__(self) -> None:
        """Note where everybody sits, and with how many models at most."""
        slots = {
            name: (side, slot, most)
            for side in SIDES
            for slot, (name, most) in enumerate(zip(self.of(side), self.most(side), strict=True))
            if name
        }
        object.__setattr__(self, "_slots", slots)

    @classmethod
    def at_start(cls, state: State, layout: Layout) -> Self:
        """Every unit of a moment in a slot of its own, by id, as far as there are slots."""
        names = {side: tuple(unit.id for unit in state.units if unit.side == side)[: layout.own] for side in SIDES}
        rows = {side: (*row, *[""] * (layout.own - len(row))) for side, row in names.items()}
        sizes = {unit.id: len(unit.models) for unit in state.units}
        most = {side: tuple(sizes.get(name, 0) for name in row) for side, row in rows.items()}
        return cls(
            red=rows["red"],
            blue=rows["blue"],
            fixed=(len(names["red"]), len(names["blue"])),
            most_red=most["red"],
            most_blue=most["blue"],
        )

    def of(self, side: str) -> Row:
        """The slots of a side."""
        return self.red if side == SIDES[0] else self.blue

    def most(self, side: str) -> tuple[int, ...]:
        """The most models that each seated unit of a side has been seen with."""
        return self.most_red if side == SIDES[0] else self.most_blue

    def slot(self, side: str, unit: str) -> int | None:
        """The slot of a unit of a side, or None where the side has no such unit with a seat."""
        found = self._slots.get(unit)
        return found[1] if found is not None and found[0] == side else None

    def updated(self, state: State) -> Self:
        """Seats after a step: units that have appeared sit down, if a slot is left for them.

        Returns:
            The very same seats where nothing has changed.
        """
        known = self._slots
        for unit in state.units:
            count = len(unit.models)
            if count and (unit.id not in known or count > known[unit.id][2]):
                break
        else:
            return self
        seats = self
        for side in SIDES:
            seats = seats._with_side(state, side)
        return self if seats == self else seats

    def has_room(self, state: State, side: str) -> bool:
        """Whether a unit that appears now would find a slot."""
        return _free(state, self.of(side), self.fixed[SIDES.index(side)]) is not None

    def _with_side(self, state: State, side: str) -> Self:
        row, most = list(self.of(side)), list(self.most(side))
        for unit in state.units:
            if unit.side != side or not unit.models:
                continue
            slot = row.index(unit.id) if unit.id in row else _free(state, tuple(row), self.fixed[SIDES.index(side)])
            if slot is None:
                continue
            most[slot] = max(len(unit.models), most[slot] if row[slot] == unit.id else 0)
            row[slot] = unit.id
        if side == SIDES[0]:
            return replace(self, red=tuple(row), most_red=tuple(most))
        return replace(self, blue=tuple(row), most_blue=tuple(most))


def _free(state: State, row: Row, fixed: int) -> int | None:
    """The first slot that is nobody's, or whose unit came later and is gone."""
    standing = {unit.id for unit in state.units if unit.models}
    return next((slot for slot in range(fixed, len(row)) if row[slot] not in standing), None)
