"""What is asked, which numbers answer it, and what each of them comes to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tactician.agent.view.layout import COMPASS, DIRECTIONS, QUARTERS, Layout, Stage
from tactician.agent.view.seats import Seats
from tactician.rules.core.action import Action
from tactician.rules.core.appraisal import Appraiser
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import SIDES, State, other_side

__all__ = ["Asked", "Moment", "Partial", "Question", "mask_of"]

Partial = tuple[int, ...]
"""What has been pressed of a decision so far; empty at its beginning."""

WORDS: dict[Stage, str] = {
    "order": "who does what",
    "target": "whom it is aimed at",
    "place": "where the unit goes",
    "spot": "where models are put down",
    "proposal": "one of the proposals",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a side is asked for."""

    stage: Stage
    side: str
    """Who is asked."""
    unit: str = ""
    """The unit that it is about; empty while anybody could be ordered."""
    verb: str = ""
    """The order that is being completed; empty while it is chosen."""
    role: str = ""
    """Which target of the order, such as ``charge``."""

    def in_words(self) -> str:
        """A phrase such as ``whom it is aimed at (A1: run, charge)``."""
        about = ", ".join(dict.fromkeys(part for part in (self.verb, self.role) if part))
        return WORDS[self.stage] + (f" ({self.unit}: {about})" if self.unit else f" ({about})" if about else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Where a decision stands: everything that its questions depend on."""

    ruleset: Ruleset
    appraiser: Appraiser
    layout: Layout
    state: State
    seats: Seats
    side: str
    """Who decides."""

    @property
    def turned(self) -> bool:
        """Whether the side looks at the table from its upper edge."""
        return self.side == SIDES[1]

    @property
    def has_room(self) -> bool:
        """Whether an own unit that appears would find a seat."""
        return self.seats.has_room(self.state, self.side)

    def foe(self, unit: str) -> int | None:
        """The number of an enemy unit, or None."""
        slot = self.seats.slot(other_side(self.side), unit)
        return None if slot is None else self.layout.foe(slot)

    def aim(self, target: str) -> int | None:
        """The number of what an order names: an enemy unit, or a point of the compass as the side sees it; or None."""
        point = target.upper()
        if point not in COMPASS:
            return self.foe(target)
        turn = DIRECTIONS // 2 if self.turned else 0
        return self.layout.place((COMPASS.index(point) + turn) % DIRECTIONS * QUARTERS + QUARTERS - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with the numbers that answer it."""

    asked: Asked
    mask: NDArray[np.bool_]
    """Shape (layout.size,), read-only."""
    answer: Callable[[int], Question | Action]
    """What a number of the mask comes to."""
    find: Callable[[Action], int | None]
    """The number that comes nearest to an action; None where none has anything to do with it."""

    @property
    def only(self) -> int | None:
        """The number that alone answers it; None where there are several."""
        flags = self.mask.tobytes()
        return flags.index(1) if flags.count(1) == 1 else None


def mask_of(
    layout: Layout, indices: Iterable[int], run: range = range(0), flags: Sequence[bool] = ()
) -> NDArray[np.bool_]:
    """True at some numbers, and along a run of numbers as flags say; read-only."""
    found = bytearray(layout.size)
    for index in indices:
        found[index] = True
    found[run.start : run.stop] = bytes(flags)
    return np.frombuffer(bytes(found), dtype=np.bool_)  # bytes never change, nor does what is read from them
