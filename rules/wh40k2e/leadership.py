"""Leadership: tests on two dice, the commander, and units that break (chapter LD, clauses 2E-OW-10 and 2E-OW-11).

Readings of our own: the commander is the unbroken unit with that rule and the highest Leadership of its side; a unit
that breaks because of a charge at it flees at once, as it does out of hand-to-hand, while any other flees in its own
compulsory moves; the test after the commander's fall comes besides the one break test of a turn.
"""

from __future__ import annotations

from tactician.rules.core.agenda import CHANCE, Frame, Handler, push, without_top
from tactician.rules.core.chance import Outcome
from tactician.rules.core.derive import but
from tactician.rules.core.measure import Inches, within
from tactician.rules.core.sum_table import SumTable
from tactician.rules.wh40k2e.contact import is_engaged, model_gap, unit_gap
from tactician.rules.wh40k2e.flight import flight_of
from tactician.rules.wh40k2e.psychology import chargers_feared, is_terrified_now, targets_feared
from tactician.rules.wh40k2e.rally import destroyed, is_lost, rallied
from tactician.rules.wh40k2e.state import Broken, Squad, SquadState, Test, Turn

__all__ = [
    "COMMAND_GAP",
    "BrokenHandler",
    "TestHandler",
    "after_losses",
    "commander_of",
    "leadership_of",
    "overwatch_test",
    "the_turn",
]

COMMAND_GAP: Inches = 12.0
"""How far a commander's Leadership reaches (2E-LD-02), and how far its fall is felt (2E-LD-12)."""

HATRED = 10
"""2E-PS-06: Leadership of those who hate, for break tests and rallying."""

QUARTER = 4
"""2E-LD-03: one in so many models lost is a break test."""

STEADY = ("break", "commander", "fear", "charge", "terror", "frenzy", "stupidity")
"""Tests that a unit immune to psychology does not take."""

WHOLE = ("break", "commander", "fear", "charge", "terror")
"""Tests that a unit which is broken already does not take."""

WORDS = {
    "break": "losses",
    "overwatch": "being shot at on overwatch",
    "fear": "being charged by something feared",
    "charge": "charging something feared",
    "terror": "terror",
    "frenzy": "holding frenzy back",
    "stupidity": "stupidity",
    "rally": "rallying",
    "commander": "the commander's fall",
}

LEAST, MOST = 2, 12
"""What two dice come to."""


def the_turn(state: SquadState) -> Turn | None:
    """Whose turn it is, and how far it has come."""
    return next((frame for frame in reversed(state.agenda) if isinstance(frame, Turn)), None)


# ---- whose Leadership ------------------------------------------------------------------------------------------------


def commander_of(state: SquadState, side: str) -> Squad | None:
    """The unit that commands a side; None where none is left to."""
    found = [unit for unit in state.of(side) if state.profile(unit).has("commander") and not unit.broken]
    return min(found, key=lambda unit: (-state.profile(unit).leadership, unit.id), default=None)


def leadership_of(state: SquadState, unit: Squad, cause: str = "") -> int:
    """The Leadership that a unit tests against (2E-LD-02, 2E-PS-06).

    Args:
        state: the moment.
        unit: who tests.
        cause: what for, one of the causes of `Test`; hatred counts when it is a break test or rallying.
    """
    value = state.profile(unit).leadership
    commander = commander_of(state, unit.side)
    if commander is not None and state.holds("2E-LD-02") and within(unit_gap(unit, commander), COMMAND_GAP):
        value = max(value, state.profile(commander).leadership)
    if cause in ("break", "rally") and state.profile(unit).has("hatred") and state.holds("2E-PS-06"):
        value = max(value, HATRED)
    return value


# ---- tests that fall due ---------------------------------------------------------------------------------------------


def after_losses(state: SquadState, name: str) -> SquadState:
    """The state after a unit has lost models or wounds, with the tests that this calls for on top.

    Clauses: 2E-LD-03 (break test), 2E-LD-10 (broken and all but gone), 2E-LD-12 (the commander's fall).
    """
    unit = state.unit(name)
    if is_lost(state, unit):
        return destroyed(state, unit, "are too few to come back")
    if not unit.models:
        return _fallen_commander(state, unit)
    if not _breaks(state, unit):
        return state
    state = state.with_unit(but(unit, breaks=unit.breaks + 1))
    return push(state, Test(owner=unit.side, unit=name, cause="break"))


def _breaks(state: SquadState, unit: Squad) -> bool:
    """Whether a unit has to take its break test of this player turn now."""
    if not state.holds("2E-LD-03") or unit.broken or unit.breaks or state.profile(unit).has("immune"):
        return False
    return len(unit.models) < unit.at_turn and QUARTER * (unit.at_turn - len(unit.models)) >= unit.at_turn


def _fallen_commander(state: SquadState, unit: Squad) -> SquadState:
    """The tests of everybody near a commander that has just been killed."""
    grave, rank = unit.grave, state.profile(unit).leadership
    if grave is None:
        return state
    left = commander_of(state, unit.side)
    commanded = state.profile(unit).has("commander") and (left is None or state.profile(left).leadership <= rank)
    state = state.with_unit(but(unit, grave=None))
    if not commanded or not state.holds("2E-LD-12"):
        return state
    tests: list[Frame] = []
    for other in state.of(unit.side):
        gap = min(model_gap(model.pose, other.radius, grave, unit.radius) for model in other.models)
        if within(gap, COMMAND_GAP) and not _is_spared(state, other, "commander"):
            tests.append(Test(owner=other.side, unit=other.id, cause="commander"))
    state = but(state, log=(*state.log, f"the commander {unit.name} ({unit.id}) has fallen"))
    return push(state, *reversed(tests)) if tests else state


def overwatch_test(state: SquadState, name: str) -> SquadState:
    """The state after an enemy unit has fired at a unit, with the test that it takes on overwatch (2E-OW-10)."""
    unit = state.unit(name)
    if not unit.models or not unit.overwatch or not state.holds("2E-OW-10"):
        return state
    return push(state, Test(owner=unit.side, unit=name, cause="overwatch"))


def _is_spared(state: SquadState, unit: Squad, cause: str) -> bool:
    """Whether a unit need not take a test: it is immune, or it is broken already."""
    return (cause in STEADY and state.profile(unit).has("immune")) or (cause in WHOLE and unit.broken)


# ---- the test itself -------------------------------------------------------------------------------------------------


class TestHandler(Handler[SquadState, Test]):
    """Two dice against Leadership, and what comes of it."""

    __test__ = False  # no test of pytest

    def step(self, state: SquadState, frame: Test) -> SquadState | None:
        """No test where it has become pointless, or where the clause of all tests is not in force (2E-LD-01)."""
        return None if state.holds("2E-LD-01") and _is_called_for(state, frame) else without_top(state)

    def mover(self, state: SquadState, frame: Test) -> str:
        """Always dice."""
        return CHANCE

    def roll(self, state: SquadState, frame: Test) -> SumTable:
        """Passed on the unit's Leadership or less; in rallying a two and a twelve mean more (2E-LD-09)."""
        unit = state.unit(frame.unit)
        need = leadership_of(state, unit, frame.cause)
        why = f"test: {WORDS[frame.cause]} of {unit.name} ({unit.id}), Leadership {need}"
        special = frame.cause == "rally" and unit.broken and state.holds("2E-LD-09")
        return SumTable(why=why, subject=unit.id, entries=_entries(need, frame.cause == "rally", special))

    def land(self, state: SquadState, frame: Test, outcome: Outcome) -> SquadState:
        """What passing or failing means."""
        result = self.roll(state, frame).name_of(outcome)
        unit = state.unit(frame.unit)
        state = without_top(state)
        if frame.cause == "rally":
            return rallied(state, unit, result)
        if frame.cause == "terror":
            unit = but(unit, terrified=True)
            state = state.with_unit(unit)
        if result == "passes":
            return state.with_unit(but(unit, restrained=True)) if frame.cause == "frenzy" else state
        return _failed(state, unit, frame.cause)


def _entries(need: int, rallies: bool, special: bool) -> tuple[tuple[int, int, str], ...]:
    """The table of a test: sums up to the Leadership pass."""
    passes, fails = ("rallies", "fails") if rallies else ("passes", "fails")
    low, high = (LEAST + 1, MOST - 1) if special else (LEAST, MOST)
    need = min(max(need, low - 1), high)
    rows = [(low, need, passes), (need + 1, high, fails)]
    if special:
        rows = [(LEAST, LEAST, "acts"), *rows, (MOST, MOST, "despairs")]
    return tuple(row for row in rows if row[0] <= row[1])


def _is_called_for(state: SquadState, frame: Test) -> bool:
    """Whether the reason of a test still stands."""
    unit = state.unit(frame.unit)
    if not unit.models or _is_spared(state, unit, frame.cause):
        return False
    match frame.cause:
        case "overwatch":
            return unit.overwatch
        case "fear":
            return bool(chargers_feared(state, unit))
        case "charge":
            return bool(targets_feared(state, unit))
        case "terror":
            return not unit.terrified and is_terrified_now(state, unit)
        case "rally":
            return unit.broken or unit.shaken
        case _:
            return True


def _failed(state: SquadState, unit: Squad, cause: str) -> SquadState:
    """The consequences of a test that was failed."""
    match cause:
        case "overwatch":
            lost = state.holds("2E-OW-11")
            return _told(state.with_unit(but(unit, overwatch=False)), unit, "lose overwatch") if lost else state
        case "charge":
            return _told(state.with_unit(but(unit, charge=(), cowed=True)), unit, "do not dare to charge")
        case "stupidity":
            return _told(state.with_unit(but(unit, dazed=True, overwatch=False)), unit, "do not know what to do")
        case "frenzy":
            return _told(state, unit, "cannot be held back")
        case "fear":
            if sum(len(foe.models) for foe in chargers_feared(state, unit)) <= len(unit.models):
                return _told(state.with_unit(but(unit, cowed=True)), unit, "are cowed")
            return _scared(state, unit)
        case "terror":
            return _scared(state, unit)
        case _:
            return push(state, Broken(owner=unit.side, unit=unit.id))


def _scared(state: SquadState, unit: Squad) -> SquadState:
    """A unit that breaks for fear: in the enemy's turn it flees at once, in its own with the compulsory moves."""
    turn = the_turn(state)
    if turn is not None and turn.owner != unit.side:
        state = push(state, flight_of(state, unit))
    return push(state, Broken(owner=unit.side, unit=unit.id))


def _told(state: SquadState, unit: Squad, what: str) -> SquadState:
    return but(state, log=(*state.log, f"{unit.name} ({unit.id}) {what}"))


class BrokenHandler(Handler[SquadState, Broken]):
    """What happens at once to a unit that breaks."""

    def step(self, state: SquadState, frame: Broken) -> SquadState | None:
        """Shaken at first (2E-LD-07) or broken; out of hand-to-hand it flees at once; too few never come back."""
        unit = state.unit(frame.unit)
        state = without_top(state)
        if not unit.models or unit.broken:
            return state
        if state.profile(unit).has("shaken") and not unit.shaken and state.holds("2E-LD-07"):
            return _told(state.with_unit(but(unit, shaken=True)), unit, "are shaken")
        unit = but(unit, broken=True, shaken=False, overwatch=False, charge=(), leaving=False)
        state = _told(state.with_unit(unit), unit, "break")
        if is_lost(state, unit):
            return destroyed(state, unit, "are too few to come back")
        return push(state, flight_of(state, unit)) if is_engaged(state, unit) else state
