"""What must hold for a move: chapters *General Movement Rules*, *Legality*, *Partial Movement*, *Cover Interaction*."""

from __future__ import annotations

from dataclasses import replace

from tactician.rules.core.choice import Walk
from tactician.rules.core.clauses import Cite
from tactician.rules.core.measure import Inches
from tactician.rules.core.movement import Closed, Coherency, KeepAway, MoveType
from tactician.rules.core.remember import Remembered
from tactician.rules.voidsiege.allowance import allowance, budget_cite, rates
from tactician.rules.voidsiege.engagement import ENGAGED, is_engaged
from tactician.rules.voidsiege.profiles import Command
from tactician.rules.voidsiege.state import VoidState, VoidUnit

__all__ = ["ENEMY_DISTANCE", "coherency_rule", "move_type", "walk_for"]

ENEMY_DISTANCE: Inches = 2.0
"""VS-GM-04: no movement ends within this of an enemy model."""

_KINDS: Remembered[MoveType] = Remembered()

_LINKS: Remembered[Coherency] = Remembered()


def coherency_rule(state: VoidState) -> Coherency:
    """The links of a unit (VS-GM-07, VS-LE-04)."""
    return _LINKS.get((state.table,), "", lambda: _coherency_rule(state))


def _coherency_rule(state: VoidState) -> Coherency:
    whole = state.table.option("regroup") == "whole"
    return Coherency(
        limit=state.table.inches("coherency_distance"),
        cite=Cite("VS-GM-07", ("VS-LE-04", "VS-NT-02")),
        chain=bool(state.table.option("coherency_chain")),
        regroup="whole" if whole else "fewer",
    )


def move_type(state: VoidState, unit: VoidUnit, command: Command, charge: str | None = None) -> MoveType:
    """What must hold when a unit moves under a command.

    Args:
        state: the moment before the move.
        unit: the unit that moves.
        command: the command or effect whose movement it is.
        charge: the unit at which a charge was declared, if one was.
    """
    if not state.holds("VS-DE-04") and is_engaged(state, unit):
        return _move_type(state, unit, command, charge)
    key = unit.profile, charge, unit.move_value, unit.move_distance
    return _KINDS.get((state.table, command), key, lambda: _move_type(state, unit, command, charge))


def _move_type(state: VoidState, unit: VoidUnit, command: Command, charge: str | None) -> MoveType:
    permits = command.permits
    ground = Cite("VS-LE-02", ("VS-LE-01", "VS-CR-01"))
    splits = permits.split and state.holds("VS-GM-08")
    return MoveType(
        name=command.id,
        allowance=_inches(state, unit, command),
        motion="in_step" if state.table.option("in_step") else "sequence",
        rates=rates(state, command),
        budget=budget_cite(command),
        walls=ground,
        edge=Cite("VS-LE-03"),
        footing=ground,
        end_place=Cite("VS-LE-03"),
        models=None if permits.pass_models else Cite("VS-GM-02", ("VS-GM-03", "VS-CR-01")),
        closed=_closed(state, command),
        keep_away=_keep_away(state, command, charge),
        coherency=None if splits or not state.holds("VS-GM-07") else coherency_rule(state),
        mates_block=bool(state.table.option("mates_block")),
        whole_base=bool(state.table.option("table_edge")),
        highest_climb=state.table.inches("climb_limit") or float("inf"),
    )


def walk_for(state: VoidState, unit: VoidUnit, command: Command, charge: str | None = None) -> Walk:
    """The ways a unit may go, and what a way is shortened to that cannot be made in full.

    Clauses: VS-PM-01 (as much as is legal), VS-PM-03 (the result is coherent).
    """
    kind = move_type(state, unit, command, charge)
    shortening = kind if state.holds("VS-PM-03") else replace(kind, coherency=None)
    return Walk(kind, shortening if state.holds("VS-PM-01") else None)


def _inches(state: VoidState, unit: VoidUnit, command: Command) -> Inches:
    """The allowance; leaving an engagement costs nothing (VS-DE-04)."""
    inches = allowance(state, unit, command).total
    if not state.holds("VS-DE-04") and is_engaged(state, unit):
        return inches / 2
    return max(inches, 0.0)


def _closed(state: VoidState, command: Command) -> tuple[Closed, ...]:
    """The ban on cover for movement of Run-distance, and who is exempt from it."""
    banned = command.cover_ban
    cite = Cite("VS-CO-03", ("VS-LE-01",)) if command.id == "assault" else Cite("VS-CO-02", ("VS-LE-01",))
    if command.permits.through_cover:
        banned = not state.holds("VS-CO-04")
    if command.distance == "move" and not state.holds("VS-CO-05"):
        banned = True
    if not banned or not state.holds(cite.clause):
        return ()
    return (Closed(trait="cover", cite=cite, leaving=bool(state.table.option("leave_cover"))),)


def _keep_away(state: VoidState, command: Command, charge: str | None) -> tuple[KeepAway, ...]:
    """The distance from enemies at the end of a move, and the permission that a charge gives.

    Clauses: VS-GM-04 (also VS-DE-05), VS-GM-05 (the end only), VS-GM-06 (an explicit permission).
    """
    if not state.holds("VS-GM-04") or (command.permits.end_near and state.holds("VS-GM-06")):
        return ()
    spared = (charge,) if charge is not None and state.holds("VS-GM-06") else ()
    return (
        KeepAway(
            limit=ENEMY_DISTANCE,
            cite=Cite("VS-GM-04", ("VS-DE-05", "VS-LE-03")),
            whole_way=not state.holds("VS-GM-05"),
            spared=spared,
            spared_within=ENGAGED if spared else None,
            standing=not state.table.option("standing_near"),
        ),
    )
