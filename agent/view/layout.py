"""Which number means what: own unit and verb, enemy unit, place, option.

The numbers depend on a ruleset and a size alone, never on a board, an army or a moment.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from tactician.agent.propose.slots import NAMED
from tactician.rules.core.appraisal import Points, appraiser_of
from tactician.rules.core.forms import nearest
from tactician.rules.core.remember import Remembered
from tactician.rules.core.ruleset import Ruleset, Scenario
from tactician.rules.core.state import SIDES

__all__ = [
    "COLUMNS",
    "COMPASS",
    "DIRECTIONS",
    "OPTIONS",
    "PLACES",
    "POINTS",
    "QUARTERS",
    "ROLES",
    "ROWS",
    "SPARE",
    "STAGES",
    "STRAIGHT",
    "Kind",
    "Layout",
    "Stage",
    "layout_of",
]

Stage = Literal["order", "target", "place", "spot", "proposal"]
Kind = Literal["order", "enemy", "place", "option"]

STAGES: tuple[Stage, ...] = ("order", "target", "place", "spot", "proposal")
"""What can be asked for."""

ROLES = ("charge", "shoot")
"""Roles of a target that have a place in the observation, in the order in which they are asked for."""

SPARE = 2
"""Slots of each side beyond the units of the larger side at the start."""

DIRECTIONS = 16
QUARTERS = 4
"""Places of a straight shift: so many directions, clockwise from up, by so many quarters of the allowance."""

STRAIGHT = DIRECTIONS * QUARTERS
"""Number of straight places; the named ones follow."""

ROWS = COLUMNS = 8
"""Where models are put down, the straight places are cells: row by row from the own edge on, from left to right."""

COMPASS = ("N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW")
"""Directions as seen by the side that decides, whose own edge of the table is south; where an order names a direction
instead of an enemy, the place at its end stands for it."""

PLACES: tuple[str, ...] = (
    *(f"{point} {part}" for point in COMPASS for part in ("1/4", "1/2", "3/4", "1")),
    *NAMED,
)

POINTS = tuple(f"point {number}" for number in range(1, 5))

OPTIONS: tuple[str, ...] = (
    "pass",
    *POINTS,
    *(f"reaction {number}" for number in range(1, 4)),
    "stop",
    "go on",
    "roll again",
    "spare",
)
"""Answers that name neither a unit nor a place; reactions, rolling again and the spare one wait for games with them."""


@dataclass(frozen=True, kw_only=True)
class Layout:
    """The numbers of one ruleset and size.

    >>> from tactician.rules.core.ruleset import load_ruleset
    >>> duel = layout_of(load_ruleset("_template"), "duel")
    >>> duel.size, duel.name_of(duel.order(0, "move"))
    (103, 'unit 1: move')
    """

    ruleset: str
    scale: str
    """The size of battle that it is for."""
    verbs: tuple[str, ...]
    own: int
    """Slots of own units."""
    foes: int
    """Slots of enemy units."""
    worth: Points
    """What the dearer army of the built-in scenario is worth: the unit of measure of the observation."""
    strength: int
    """Models of the largest unit of the built-in scenario."""
    places: tuple[str, ...] = PLACES
    options: tuple[str, ...] = OPTIONS

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The meaning of every number, in order."""
        orders = tuple(f"unit {slot}: {verb}" for slot in range(1, self.own + 1) for verb in self.verbs)
        enemies = tuple(f"enemy {slot}" for slot in range(1, self.foes + 1))
        return (*orders, *enemies, *(f"place {name}" for name in self.places), *self.options)

    @cached_property
    def size(self) -> int:
        """How many numbers there are."""
        return self._first_option + len(self.options)

    @cached_property
    def _first_enemy(self) -> int:
        return self.own * len(self.verbs)

    @cached_property
    def _first_place(self) -> int:
        return self._first_enemy + self.foes

    @cached_property
    def _first_option(self) -> int:
        return self._first_place + len(self.places)

    @cached_property
    def _verbs(self) -> dict[str, int]:
        return {verb: number for number, verb in enumerate(self.verbs)}

    @cached_property
    def _options(self) -> dict[str, int]:
        return {name: self._first_option + number for number, name in enumerate(self.options)}

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names)}

    def verb_number(self, verb: str) -> int:
        """Place of a verb among the verbs.

        Raises:
            KeyError: there is no such verb.
        """
        return self._verbs[verb]

    def order(self, slot: int, verb: str) -> int:
        """An own unit (from 0) and what it does.

        Raises:
            KeyError: there is no such verb.
        """
        return slot * len(self.verbs) + self._verbs[verb]

    def foe(self, slot: int) -> int:
        """An enemy unit (from 0)."""
        return self._first_enemy + slot

    def place(self, number: int) -> int:
        """A place (from 0), straight ones first."""
        return self._first_place + number

    def option(self, name: str) -> int:
        """An option by name.

        Raises:
            KeyError: there is no such option.
        """
        return self._options[name]

    def kind_of(self, index: int) -> Kind:
        """What sort of thing a number names.

        Raises:
            ValueError: the number is not one of these.
        """
        if not 0 <= index < self.size:
            raise ValueError(f"{index} means nothing here: numbers go from 0 to {self.size - 1}")
        if index < self._first_enemy:
            return "order"
        if index < self._first_place:
            return "enemy"
        return "place" if index < self._first_option else "option"

    def place_of(self, index: int) -> int:
        """Which place (from 0) the number of a place names."""
        return index - self._first_place

    def cell_of(self, index: int) -> str:
        """What the number of a straight place means where models are put down.

        Raises:
            ValueError: the number is none of a straight place.
        """
        number = self.place_of(index)
        if not 0 <= number < STRAIGHT:
            raise ValueError(f"{index} is no straight place")
        return f"row {number // COLUMNS + 1}, column {number % COLUMNS + 1}"

    def name_of(self, index: int) -> str:
        """What a number means, in words.

        Raises:
            ValueError: the number is not one of these.
        """
        self.kind_of(index)
        return self.names[index]

    def index_of(self, name: str) -> int:
        """The number of a meaning as `name_of` says it.

        Raises:
            ValueError: nothing is called so; the message names the nearest.
        """
        if name not in self._numbers:
            raise ValueError(f"nothing is called {name!r}{nearest(name, self.names)}")
        return self._numbers[name]


_LAYOUTS: Remembered[Layout] = Remembered(64)


def layout_of(ruleset: Ruleset, size: str) -> Layout:
    """The numbers of a ruleset at one of its sizes, with slots for the largest of its armies.

    Raises:
        RulesetError: the ruleset has no such size.
    """
    return _LAYOUTS.get((ruleset,), size, lambda: _layout_of(ruleset, size))


def _layout_of(ruleset: Ruleset, size: str) -> Layout:
    state = ruleset.start(Scenario(size=size, deployed=True))
    appraiser = appraiser_of(ruleset)
    musters = [state, *(ruleset.start(Scenario(size=size, armies=(army, army))) for army in ruleset.info.armies)]
    slots = SPARE + max(sum(unit.side == side for unit in one.units) for one in musters for side in SIDES)
    return Layout(
        ruleset=ruleset.info.id,
        scale=size,
        verbs=ruleset.info.verbs,
        own=slots,
        foes=slots,
        worth=max(sum(appraiser.worth(state, unit) for unit in state.of(side)) for side in SIDES),
        strength=max(len(unit.models) for unit in state.units),
    )
