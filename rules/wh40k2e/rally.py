"""Rallying, the end of lost units, and models that have lost their squad (clauses 2E-LD-07 to 2E-LD-11).

Readings of our own: shaken units may rally wherever they stand and are not destroyed by a twelve; a squad cannot be
half broken, so that models apart from its greater part when its movement steps end take no further part in this turn
(they count like chargers that reached nobody), unless the squad was driven, charged or fights.
"""

from __future__ import annotations

from tactician.rules.core.action import Action, Pairs
from tactician.rules.core.agenda import Handler, push, swap, without_top
from tactician.rules.core.choice import Choice, Nothing
from tactician.rules.core.coherency import pieces
from tactician.rules.core.derive import but
from tactician.rules.core.measure import TOL
from tactician.rules.wh40k2e.contact import is_engaged, unit_gap
from tactician.rules.wh40k2e.flight import is_in_cover
from tactician.rules.wh40k2e.movement import allowance_of, coherency_rule, walk_for
from tactician.rules.wh40k2e.state import Bonus, Squad, SquadState

__all__ = ["BonusHandler", "destroyed", "due_rallies", "may_rally", "rallied", "stragglers", "with_stragglers"]

LEFT = 4
"""2E-LD-10: a broken unit with no more than one in so many of its models left is destroyed."""


def due_rallies(state: SquadState, side: str) -> Pairs:
    """The units of a side that may try to rally in its Rally Phase, as cause and unit (2E-LD-08)."""
    return tuple(("rally", unit.id) for unit in state.of(side) if may_rally(state, unit))


def may_rally(state: SquadState, unit: Squad) -> bool:
    """Whether a broken or shaken unit may try to rally now."""
    if not state.holds("2E-LD-08") or is_engaged(state, unit) or unit.fled:
        return False
    if not unit.broken:
        return unit.shaken
    return is_in_cover(state, unit) and not _is_next_to_broken(state, unit)


def _is_next_to_broken(state: SquadState, unit: Squad) -> bool:
    """Whether the nearest friendly unit is broken."""
    friends = [other for other in state.of(unit.side) if other.id != unit.id]
    if not friends:
        return False
    return min(friends, key=lambda other: (round(unit_gap(unit, other), 9), other.id)).broken


def rallied(state: SquadState, unit: Squad, result: str) -> SquadState:
    """The state after a test to rally.

    Args:
        state: the moment, without the test's frame.
        unit: who tested.
        result: ``rallies``, ``fails``, ``acts`` (a two, 2E-LD-09) or ``despairs`` (a twelve).
    """
    if result == "despairs" and unit.broken:
        return destroyed(state, unit, "lose all hope")
    if result not in ("rallies", "acts"):
        return state
    state = state.with_unit(but(unit, broken=False, shaken=False))
    state = _told(state, unit, "rally")
    return push(state, Bonus(owner=unit.side, unit=unit.id)) if result == "acts" and unit.broken else state


def is_lost(state: SquadState, unit: Squad) -> bool:
    """Whether a broken unit is too small ever to come back (2E-LD-10)."""
    return bool(unit.models) and unit.broken and state.holds("2E-LD-10") and LEFT * len(unit.models) <= unit.mustered


def destroyed(state: SquadState, unit: Squad, why: str) -> SquadState:
    """The state with all that is left of a unit taken off the table; nobody is shocked by this end of a commander."""
    names = tuple(model.id for model in unit.models)
    gone = but(unit.without(names), lost=(*unit.lost, *names), hurt=(), hidden=False, overwatch=False, grave=None)
    return _told(state.with_unit(gone), unit, f"{why} and are destroyed")


def _told(state: SquadState, unit: Squad, what: str) -> SquadState:
    return but(state, log=(*state.log, f"{unit.name} ({unit.id}) {what}"))


# ---- squads in pieces ------------------------------------------------------------------------------------------------


def stragglers(state: SquadState, unit: Squad) -> tuple[str, ...]:
    """Models that are not in the greatest piece of their squad, or, of equal ones, in that of its first model."""
    reach = 2 * unit.radius + coherency_rule(state).limit + TOL
    parts = pieces([(model.pose.x, model.pose.y, 0.0) for model in unit.models], reach)
    whole = max(parts, key=lambda part: (len(part), -part[0]), default=[])
    return tuple(model.id for number, model in enumerate(unit.models) if number not in whole)


def with_stragglers(state: SquadState, side: str) -> SquadState:
    """The state as the movement steps of a side end: whoever has lost his squad does nothing more (2E-LD-11)."""
    if not state.holds("2E-LD-11"):
        return state
    for unit in state.of(side):
        if unit.broken or unit.charge or unit.went in ("charged", "compelled") or is_engaged(state, unit):
            continue
        names = stragglers(state, unit)
        if names:
            failed = tuple(sorted({*unit.failed, *names}))
            text = f"do nothing this turn: {', '.join(names)} are apart from their squad"
            state = _told(state.with_unit(but(unit, failed=failed)), unit, text)
    return state


# ---- a whole turn to act ---------------------------------------------------------------------------------------------


class BonusHandler(Handler[SquadState, Bonus]):
    """A unit that rallied on a two moves and shoots at once, without hand-to-hand (2E-LD-09)."""

    def step(self, state: SquadState, frame: Bonus) -> SquadState | None:
        """Over where nothing can be done."""
        unit = state.unit(frame.unit)
        if not unit.models or unit.broken or is_engaged(state, unit):
            return without_top(state)
        if frame.stage == "move":
            return None
        return None if self._shot(state, unit) is not None else without_top(state)

    def _shot(self, state: SquadState, unit: Squad) -> Choice | None:
        from tactician.rules.wh40k2e.shooting import shoot_choice

        return shoot_choice(state, unit)

    def choices(self, state: SquadState, frame: Bonus) -> tuple[Choice, ...]:
        """Move, then shoot; either may be left out."""
        unit = state.unit(frame.unit)
        leave = Choice("pass", "", Nothing())
        if frame.stage == "move":
            return (Choice("move", unit.id, walk_for(state, unit, "walk")), leave)
        shot = self._shot(state, unit)
        return (leave,) if shot is None else (leave, shot)

    def take(self, state: SquadState, frame: Bonus, action: Action) -> SquadState:
        """Do it and go on."""
        from tactician.rules.wh40k2e.moving import announce
        from tactician.rules.wh40k2e.shooting import open_fire

        if frame.stage == "shoot":
            state = without_top(state)
            return open_fire(state, action) if action.verb == "shoot" else state
        state = swap(state, but(frame, stage="shoot"))
        if not any(path for _, path in action.paths):
            return state
        return announce(state, action, "walk", allowance_of(state, state.unit(frame.unit), "walk"))
