"""How a unit can attack in a turn of its own, and whom it would see (for the appraiser)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tactician.rules.core.appraisal import Attack
from tactician.rules.core.measure import Inches
from tactician.rules.core.move_types import MoveType
from tactician.rules.core.remember import Remembered
from tactician.rules.core.sight import Eye, sight_lines
from tactician.rules.voidsiege.engagement import ENGAGED
from tactician.rules.voidsiege.movement import move_type
from tactician.rules.voidsiege.state import VoidState, VoidUnit

__all__ = ["attacks_of", "seen_by"]

_ATTACKS: Remembered[tuple[Attack, ...]] = Remembered(2_000)

Found = tuple[str, MoveType | None, Inches, bool]
"""Command, its move, how far it tells, whether it needs sight."""


def attacks_of(state: VoidState, unit: VoidUnit) -> tuple[Attack, ...]:
    """Every command that shoots or charges, restrictions of this turn forgotten; none for a scout that only moves."""
    if unit.scouting and state.holds("VS-SU-12"):
        return ()
    if not (state.holds("VS-DE-04") and state.holds("VS-DE-01")):
        return _find_attacks(state, unit)  # who stands near it matters too
    return _ATTACKS.get((state.table, unit), None, lambda: _find_attacks(state, unit))


def _find_attacks(state: VoidState, unit: VoidUnit) -> tuple[Attack, ...]:
    models = tuple(model.id for model in unit.models)
    found: dict[object, Attack] = {}
    for verb, kind, carry, needs_sight in _ways(state, unit):
        same = None if kind is None else replace(kind, name="", budget=kind.walls), carry, needs_sight
        found.setdefault(same, Attack(verb=verb, models=models, kind=kind, carry=carry, needs_sight=needs_sight))
    return tuple(found.values()) if models else ()


def _ways(state: VoidState, unit: VoidUnit) -> Iterator[Found]:
    profile, carriers = state.profile(unit), str(state.table.option("charge_commands")).split()
    for name, command in state.table.commands:
        if not command.ordered:
            continue
        kind = move_type(state, unit, command) if command.moves else None
        if command.shoots and profile.ranged:
            yield name, kind, profile.reach, state.holds("VS-SI-02")
        is_carrier = name in carriers or not state.holds("VS-CH-01")
        if kind is not None and command.charges and is_carrier and profile.melee:
            yield name, replace(kind, keep_away=()), ENGAGED, False


def seen_by(state: VoidState, eyes: Sequence[Eye], targets: Sequence[Eye]) -> tuple[tuple[bool, ...], ...]:
    """For each eye whether it sees each target (VS-SI-02); models hide nobody."""
    if not state.holds("VS-SI-02"):
        return tuple(tuple(True for _ in targets) for _ in eyes)
    return sight_lines(state.board, eyes, targets)
