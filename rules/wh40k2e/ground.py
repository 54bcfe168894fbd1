"""The ground: kinds of terrain, obstacles and gates, as a unit of a certain height finds them (chapters TR and OB)."""

from __future__ import annotations

from collections.abc import Iterator

from tactician.rules.core.clauses import Cite
from tactician.rules.core.going import Fee, Going, Region, sealed
from tactician.rules.core.measure import Inches, beyond, within
from tactician.rules.core.remember import Remembered
from tactician.rules.core.shapes import Polygon, length
from tactician.rules.core.terrain import Feature
from tactician.rules.wh40k2e.state import Squad, SquadState

__all__ = ["breadth", "going_for", "is_open_gate", "rate_of"]

DIFFICULT = 2.0
"""Inches paid for an inch of difficult ground (2E-TR-01)."""

LOW: Inches = 1.0
"""Height, depth or breadth up to which an obstacle costs nothing (2E-OB-01)."""

HEIGHTS = 2.0
"""So many times its own height a model can cross (2E-OB-03)."""

_GOINGS: Remembered[Going | None] = Remembered(500)


def going_for(state: SquadState, unit: Squad, allowance: Inches) -> Going | None:
    """What the ground costs a unit, or None where all of it is free.

    Args:
        state: the moment.
        unit: the unit; its Movement and height matter.
        allowance: what its models may pay in all; matters under the option ``obstacle_fee = "allowance"``.
    """
    profile = state.profile(unit)
    paid = allowance if state.table.option("obstacle_fee") == "allowance" else profile.move
    key = profile.stature, paid / 2
    return _GOINGS.get((state.table,), key, lambda: _going(state, profile.stature, paid / 2))


def _going(state: SquadState, stature: Inches, fee: Inches) -> Going | None:
    regions = sealed(tuple(_regions(state)))
    fees: list[Fee] = []
    barred: list[tuple[str, Polygon]] = []
    for piece in state.board.features:
        verdict = _crossing(state, piece, stature)
        if verdict == "fee":
            fees.append(Fee(name=piece.id, outline=piece.outline, inches=fee))
        elif verdict == "barred":
            barred.append((piece.id, piece.outline))
    if regions and not state.holds("2E-OB-08"):
        fees = []
    if not regions and not fees and not barred:
        return None
    return Going(
        regions=regions,
        fees=tuple(fees),
        barred=tuple(barred),
        by_base=state.table.option("terrain_by") == "base",
        halfway=Cite("2E-OB-05"),
    )


def _regions(state: SquadState) -> Iterator[Region]:
    if not state.holds("2E-TR-01"):
        return
    for piece in state.board.features:
        rate = rate_of(state, piece)
        if rate > 1.0:
            yield Region(name=piece.id, outline=piece.outline, rate=rate)


def rate_of(state: SquadState, piece: Feature) -> float:
    """Inches paid for an inch inside a piece: as agreed, else what pieces of its kind cost (2E-TR-02, 2E-TR-03)."""
    agreed = piece.trait("agreed")
    if isinstance(agreed, int | float) and state.holds("2E-TR-03"):
        return float(agreed)
    if piece.trait("hill"):
        is_hard = state.table.option("hills") == "difficult" or not state.holds("2E-TR-02")
        return DIFFICULT if is_hard else 1.0
    rate = piece.trait("rate")
    return float(rate) if isinstance(rate, int | float) else 1.0


def is_open_gate(state: SquadState, piece: Feature) -> bool:
    """Whether a piece is a gate that stands open (2E-OB-06); gates are open unless agreed otherwise."""
    gate = piece.trait("gate")
    return gate is not None and (gate != "shut" if state.holds("2E-OB-06") else False)


def _crossing(state: SquadState, piece: Feature, stature: Inches) -> str:
    """Whether crossing a piece is ``free``, costs a ``fee``, or is ``barred`` (2E-OB-01 to 2E-OB-03, 2E-OB-07)."""
    if piece.blocks or (is_open_gate(state, piece) and state.holds("2E-OB-07")):
        return "free"
    ditch = piece.trait("ditch")
    if isinstance(ditch, int | float):
        is_free = within(float(ditch), LOW) or within(breadth(piece.outline), LOW)
        return _priced(state, is_free and state.holds("2E-OB-01"))
    if not piece.trait("obstacle"):
        return "free"
    if beyond(piece.top, HEIGHTS * stature):
        return "barred"
    thin = bool(state.table.option("thin_is_free")) and within(breadth(piece.outline), LOW)
    return _priced(state, (within(piece.top, LOW) and state.holds("2E-OB-01")) or thin)


def _priced(state: SquadState, is_free: bool) -> str:
    return "free" if is_free or not state.holds("2E-OB-02") else "fee"


def breadth(outline: Polygon) -> Inches:
    """How broad a piece is where it is narrowest: the least distance of two parallel lines that hold it."""
    found = float("inf")
    for ax, ay, bx, by in outline.edges:
        side = length(bx - ax, by - ay)
        away = [abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / side for x, y in outline.points]
        found = min(found, max(away))
    return found
