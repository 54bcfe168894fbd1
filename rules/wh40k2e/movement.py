"""What must hold for every way of moving: chapters NM, RU, CH, TE and OB as move types of the engine."""

from __future__ import annotations

from typing import Literal

from tactician.rules.core.choice import Walk
from tactician.rules.core.clauses import Cite
from tactician.rules.core.legs import Rates
from tactician.rules.core.measure import Inches
from tactician.rules.core.move_types import NEVER_NEARER, Coherency, KeepAway, MoveType
from tactician.rules.core.remember import Remembered
from tactician.rules.wh40k2e.contact import engaged_models
from tactician.rules.wh40k2e.ground import going_for
from tactician.rules.wh40k2e.state import Squad, SquadState

__all__ = [
    "APART",
    "FLAT",
    "FOLLOW",
    "RUN_GAP",
    "STAYING",
    "Gait",
    "allowance_of",
    "coherency_rule",
    "free_models",
    "move_type",
    "walk_for",
]

Gait = Literal["walk", "run", "charge", "frenzy", "flee", "wander", "follow"]

APART: Inches = 1.0
"""2E-CH-01: whoever does not charge stays so far from enemy models."""

RUN_GAP: Inches = 8.0
"""2E-RU-04: nobody runs with an enemy this near."""

FOLLOW: Inches = 2.0
"""2E-HH-13: how far models follow up."""

FLAT = Rates(up=0.0, down=0.0)
"""Heights cost nothing: everybody moves on the level."""

DOUBLED: tuple[Gait, ...] = ("run", "charge", "frenzy")

BUDGETS: dict[Gait, Cite] = {
    "walk": Cite("2E-NM-01", ("2E-TR-01", "2E-OB-02", "2E-OB-04", "2E-OB-08")),
    "run": Cite("2E-RU-01", ("2E-TR-01", "2E-OB-02", "2E-OB-04", "2E-OB-08")),
    "charge": Cite("2E-CH-13", ("2E-CH-09", "2E-TR-01", "2E-OB-02", "2E-OB-08")),
    "frenzy": Cite("2E-CM-02"),
    "flee": Cite("2E-LD-05"),
    "wander": Cite("2E-PS-07"),
    "follow": Cite("2E-HH-13"),
}
"""Clause of the greatest distance of each gait."""

STAYING = Cite("2E-SH-06")
"""Who fights stays where he is."""

_KINDS: Remembered[MoveType] = Remembered(2_000)
_LINKS: Remembered[Coherency] = Remembered(200)


def coherency_rule(state: SquadState) -> Coherency:
    """The links of a squad (2E-NM-02)."""
    return _LINKS.get(
        (state.table,), "", lambda: Coherency(limit=state.table.inches("coherency"), cite=Cite("2E-NM-02"))
    )


def allowance_of(state: SquadState, unit: Squad, gait: Gait) -> Inches:
    """Inches that each model of a unit may pay; those of a flight are rolled for."""
    move = state.profile(unit).move
    if gait == "follow":
        return FOLLOW
    if gait == "wander":
        return move / 2
    if gait not in DOUBLED:
        return move
    if gait == "run":
        return 2 * move if state.holds("2E-RU-01") else move
    return 2 * move


def move_type(state: SquadState, unit: Squad, gait: Gait, allowance: Inches | None = None) -> MoveType:
    """What must hold when a unit moves.

    Args:
        state: the moment before the move.
        unit: the unit that moves.
        gait: how it moves.
        allowance: inches that each model may pay, where that is not the gait's own.
    """
    inches = allowance_of(state, unit, gait) if allowance is None else allowance
    key = gait, inches, unit.profile, unit.shaken
    return _KINDS.get((state.table,), key, lambda: _move_type(state, unit, gait, inches))


def _move_type(state: SquadState, unit: Squad, gait: Gait, inches: Inches) -> MoveType:
    runs_into_foes = gait in ("charge", "frenzy", "follow", "flee", "wander")
    through = Cite("2E-CH-08") if gait in ("charge", "frenzy") else Cite("2E-NM-07")
    terrain = Cite("2E-OB-03", ("2E-TR-01",))
    is_free = gait == "flee" or (gait in ("charge", "frenzy") and not state.holds("2E-CH-09"))
    keep = [KeepAway(limit=APART, cite=Cite("2E-CH-01", ("2E-CH-12",)), whole_way=True, touching=True)]
    if unit.shaken and state.holds("2E-LD-07"):
        keep.append(KeepAway(limit=NEVER_NEARER, cite=Cite("2E-LD-07"), whole_way=True, touching=True))
    return MoveType(
        name=gait,
        allowance=inches,
        motion="sequence",
        rates=FLAT,
        budget=BUDGETS[gait],
        walls=terrain,
        edge=Cite("2E-TE-01"),
        footing=terrain,
        end_place=through,
        models=through,
        keep_away=() if runs_into_foes else tuple(keep),
        coherency=coherency_rule(state) if gait in ("walk", "run") else None,
        going=None if is_free else going_for(state, unit, inches),
    )


def walk_for(state: SquadState, unit: Squad, gait: Gait) -> Walk:
    """The ways a unit may go.

    Clauses: 2E-OB-04 (a way that cannot be made in full ends where the movement does, in front of an obstacle),
    2E-SH-06 (who fights stays where he is).
    """
    kind = move_type(state, unit, gait)
    return Walk(kind, kind if state.holds("2E-OB-04") else None, free_models(state, unit), STAYING)


def free_models(state: SquadState, unit: Squad) -> tuple[str, ...] | None:
    """Who may walk of a unit some of which fights; None where everybody may."""
    from tactician.rules.wh40k2e.pairing import may_stride_out

    fights = engaged_models(state, unit) if state.holds("2E-SH-06") else ()
    if not fights or may_stride_out(state, unit):
        return None
    return tuple(model.id for model in unit.models if model.id not in fights)
