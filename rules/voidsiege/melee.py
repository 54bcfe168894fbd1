"""Melee: checked when a command and its response are both over (chapter *Engagement Interaction*)."""

from __future__ import annotations

from tactician.rules.core.action import Pairs
from tactician.rules.voidsiege.engagement import engaged_pairs
from tactician.rules.voidsiege.shooting import melee_dice
from tactician.rules.voidsiege.state import Exchange, VoidState, Volley

__all__ = ["melee_pairs", "melee_volleys"]


def melee_pairs(state: VoidState, exchange: Exchange) -> Pairs:
    """The pairs of units that fight now: opposed models still within engagement distance, one of them involved.

    Clauses: VS-EN-01 to VS-EN-04, VS-NT-04.
    """
    if not state.holds("VS-EN-04"):
        return ()
    charge = dict(exchange.targets).get("charge")
    involved = {exchange.unit, exchange.responder, charge or ""}
    if state.table.option("melee_pairs") == "charged":
        involved = {exchange.unit} if charge else set()
    found = set(engaged_pairs(state))
    if not state.holds("VS-EN-01"):
        found &= set(exchange.near_before)
    if not state.holds("VS-EN-02") or not state.holds("VS-EN-03"):
        found |= set(exchange.near_before)
    if not state.holds("VS-NT-04"):
        found |= set(exchange.met)
    if state.table.option("melee_pairs") == "charged" and charge:
        found = {pair for pair in found if charge in pair}
    return tuple(sorted(pair for pair in found if involved & set(pair)))


def melee_volleys(state: VoidState, exchange: Exchange) -> tuple[Volley, ...]:
    """The blows of both sides, rolled before any of them tells (VS-ML-02)."""
    found = []
    for pair in melee_pairs(state, exchange):
        for attacker, defender in (pair, pair[::-1]):
            unit, foe = state.unit(attacker), state.unit(defender)
            dice = melee_dice(state, unit, foe) if unit.models and foe.models else ()
            if state.holds("VS-EN-02") and state.holds("VS-EN-03") and state.holds("VS-NT-04"):
                blows = dice
            else:
                every = tuple((w.id, len(unit.models) * w.rof) for w in state.profile(unit).melee)
                blows = dice or (every if unit.models and foe.models else ())
            if blows and state.holds("VS-ML-01"):
                found.append(Volley(owner=unit.side, role="melee", shooter=attacker, target=defender, weapons=blows))
    return tuple(found) if state.holds("VS-ML-02") else tuple(found[:1])
