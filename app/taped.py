"""Exact orders for a person with a tape measure, as lines and as data."""

from __future__ import annotations

from typing import Any

from tactician.agent.tape.fixes import Fix, FromBase, FromCorner, FromEdge, Reference
from tactician.agent.tape.orders import MANNERS, Step, Tape, tape_of
from tactician.agent.tape.pieces import Piece
from tactician.rules.core.action import Action
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State

__all__ = ["tape_data", "tape_lines", "tight_line"]

FEW = 3
"""Tight steps that are named before the rest is counted."""


def tape_lines(ruleset: Ruleset, state: State, action: Action) -> tuple[str, ...]:
    """A legal order model by model: ways, places, what is tight; none where nobody moves."""
    tape = tape_of(ruleset, state, action)
    return () if tape is None else tuple(tape.lines())


def tight_line(ruleset: Ruleset, state: State, action: Action) -> str:
    """What is tightest in a legal order, in one line; empty where nothing is."""
    tape = tape_of(ruleset, state, action)
    if tape is None or not tape.tight:
        return ""
    named = [f"{step.model} {str(step.rooms[0]).removeprefix('tight: ')}" for step in tape.tight[:FEW]]
    more = len(tape.tight) - len(named)
    return f"tight: {', '.join(named)}{f', {more} more' if more else ''}"


def tape_data(tape: Tape | None) -> dict[str, Any] | None:
    """An order by tape for programs."""
    if tape is None:
        return None
    return {"manner": MANNERS[tape.manner], "steps": [_step(step) for step in tape.steps]}


def _step(step: Step) -> dict[str, Any]:
    return {
        "model": step.model,
        "way": [_piece(piece) for piece in step.way],
        "end": {"at": list(step.end.point), "surface": step.end.surface},
        "places": [_fix(fix) for fix in step.fixes],
        "tight": [
            {
                "inches": round(room.inches, 3),
                "clause": room.clause,
                "against": room.against,
                "relation": room.relation,
                "text": str(room),
            }
            for room in step.rooms
        ],
    }


def _piece(piece: Piece) -> dict[str, Any]:
    data: dict[str, Any] = {"kind": piece.kind, "inches": round(piece.inches, 3)}
    where = {"bearing": round(piece.bearing, 2)} if piece.kind == "straight" else {"to": piece.surface}
    return {**data, **where, "text": str(piece)}


def _fix(fix: Fix) -> dict[str, Any]:
    return {"from": [_reference(fix.first), _reference(fix.second)], "side": fix.side, "text": str(fix)}


def _reference(one: Reference) -> dict[str, Any]:
    inches = round(one.inches, 2)
    match one:
        case FromEdge(edge=edge):
            return {"edge": edge, "inches": inches}
        case FromCorner(corner=corner, piece=piece):
            return {"corner": corner, "piece": piece, "inches": inches}
        case FromBase(model=model):
            return {"base": model, "inches": inches}
