"""Compulsory moves: who is driven, in which order, and what happens (chapter CM).

Readings of our own: units move in the order frenzied, broken, dazed, and by id among these; frenzied models go for
enemies as chargers do and shoot no more than chargers, though they have not charged; a dazed unit goes half its
Movement the way its first model faces and does nothing else; a broken unit in cover makes no move, it hides there.
"""

from __future__ import annotations

from math import cos, radians, sin

from tactician.rules.core.action import Pairs
from tactician.rules.core.agenda import push
from tactician.rules.core.derive import but
from tactician.rules.core.legs import Path
from tactician.rules.wh40k2e.assault import charge_plan
from tactician.rules.wh40k2e.charging import usual_targets
from tactician.rules.wh40k2e.contact import is_engaged
from tactician.rules.wh40k2e.flight import flight_of, has_to_flee, shifted
from tactician.rules.wh40k2e.movement import Gait, allowance_of, move_type
from tactician.rules.wh40k2e.psychology import is_provoked
from tactician.rules.wh40k2e.state import Moving, Squad, SquadState

__all__ = ["begin", "due"]

Plan = tuple[tuple[str, Path], ...]


def due(state: SquadState, side: str, *, late: bool = False) -> Pairs:
    """The compulsory moves of a side's turn, as cause and unit, in their order.

    Clauses: 2E-CM-01 (whatever the player wants), 2E-CM-02 (frenzy), 2E-CM-03 (flight and other causes), 2E-CM-04
    (before chargers and everybody else).

    Args:
        state: the moment.
        side: whose turn it is.
        late: ask for those that wait until all others have moved; there are none while 2E-CM-04 is in force.
    """
    if not state.holds("2E-CM-01") or late == state.holds("2E-CM-04"):
        return ()
    units = state.of(side)
    frenzied = [("frenzy", unit.id) for unit in units if state.holds("2E-CM-02") and is_provoked(state, unit)]
    if not state.holds("2E-CM-03"):
        return tuple(frenzied)
    fleeing = [("flee", unit.id) for unit in units if unit.broken]
    dazed = [("wander", unit.id) for unit in units if unit.dazed and not unit.broken and not is_engaged(state, unit)]
    return (*frenzied, *fleeing, *dazed)


def begin(state: SquadState, cause: str, name: str) -> SquadState:
    """The state with one compulsory move begun: ``frenzy``, ``flee`` or ``wander``.

    Raises:
        ValueError: the cause is none of these.
    """
    unit = state.unit(name)
    match cause:
        case "frenzy":
            return _rushing(state, unit)
        case "flee":
            return push(state, flight_of(state, unit)) if has_to_flee(state, unit) else _cowering(state, unit)
        case "wander":
            return _wandering(state, unit)
    raise ValueError(f"nothing drives {name} by {cause!r}")


def _rushing(state: SquadState, unit: Squad) -> SquadState:
    """Frenzied models go for the enemy with doubled Movement (2E-PS-04)."""
    if not is_provoked(state, unit):
        return state
    targets = usual_targets(state, unit)[0]
    unit = but(unit, charge=targets, hidden=False, spotters=())
    state = state.with_unit(unit)
    allowance = allowance_of(state, unit, "frenzy")
    return _driven(state, unit, "frenzy", charge_plan(state, unit, targets, allowance, gait="frenzy"))


def _driven(state: SquadState, unit: Squad, gait: Gait, plan: Plan) -> SquadState:
    """The state with a unit on a way that it has to go."""
    unit = but(unit, went="compelled", walked=(), overwatch=False)
    state = state.with_unit(unit)
    if not plan:
        return state
    allowance = allowance_of(state, unit, gait)
    return push(state, Moving(owner=unit.side, unit=unit.id, gait=gait, plan=plan, allowance=allowance))


def _cowering(state: SquadState, unit: Squad) -> SquadState:
    """A broken unit in cover stays and hides from its next turn on (2E-LD-04)."""
    if not unit.broken or not state.holds("2E-LD-04") or unit.hidden or state.profile(unit).has("never_hides"):
        return state
    told = f"{unit.name} ({unit.id}) hide in cover"
    return but(state.with_unit(but(unit, hidden=True, spotters=())), log=(*state.log, told))


def _wandering(state: SquadState, unit: Squad) -> SquadState:
    """A dazed unit stumbles straight on (2E-PS-07)."""
    bearing = radians(unit.models[0].pose.bearing)
    inches = allowance_of(state, unit, "wander")
    plan = shifted(state, unit, (sin(bearing), cos(bearing)), inches, move_type(state, unit, "wander"))
    return _driven(state, unit, "wander", plan)
