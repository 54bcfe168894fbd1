"""Who may be ordered what in the steps of a turn, and why others may not (chapters MV, NM, RU, OW, CH)."""

from __future__ import annotations

from collections.abc import Iterator

from tactician.rules.core.action import Action, pairs
from tactician.rules.core.choice import Choice, Nothing, OneOf
from tactician.rules.core.clauses import Violation
from tactician.rules.core.measure import within
from tactician.rules.wh40k2e.assault import assault_choice
from tactician.rules.wh40k2e.charging import charge_choice, may_charge
from tactician.rules.wh40k2e.contact import engaged_models, is_engaged, unit_gap
from tactician.rules.wh40k2e.movement import RUN_GAP, walk_for
from tactician.rules.wh40k2e.overwatch import WholeSquad, may_watch
from tactician.rules.wh40k2e.state import Squad, SquadState, Turn

__all__ = ["COMPASS", "is_compelled", "may_measure", "offers", "refusal"]

COMPASS = tuple((name, 45.0 * number) for number, name in enumerate(("n", "ne", "e", "se", "s", "sw", "w", "nw")))
"""Bearings that a unit can be told to face, besides an enemy unit."""

STEPS = ("opening", "compulsory", "chargers", "normal", "hiding")
"""The steps of the Movement Phase."""

OWN_STEP = {
    "assault": "chargers",
    "move": "normal",
    "run": "normal",
    "turn": "normal",
    "hide": "hiding",
    "shoot": "shooting",
}
"""The step or phase of every order that is given after the opening."""


def offers(state: SquadState, frame: Turn) -> Iterator[Choice]:
    """What the player may order in the present step, besides ending it."""
    for unit in state.of(frame.owner):
        if frame.phase == "opening":
            yield from _opening(state, unit)
        elif frame.phase == "chargers" and unit.charge and not unit.acted and unit.went != "compelled":
            yield assault_choice(unit)
        elif frame.phase == "normal":
            yield from _normal(state, unit)
        elif frame.phase == "hiding":
            yield from _hiding(state, unit)
        elif frame.phase == "shooting":
            yield from _shooting(state, unit)


def _opening(state: SquadState, unit: Squad) -> Iterator[Choice]:
    from tactician.rules.wh40k2e.psychology import may_restrain

    if unit.acted:
        return
    compelled = is_compelled(state, unit)
    if unit.dazed:
        return
    if not compelled and not unit.charge and not may_charge(state, unit) and not unit.cowed:
        choice = charge_choice(state, unit)
        if choice is not None:
            yield choice
    if not may_watch(state, unit, compelled):
        yield Choice("overwatch", unit.id, WholeSquad())
    if may_restrain(state, unit):
        yield Choice("restrain", unit.id, Nothing())


def is_compelled(state: SquadState, unit: Squad) -> bool:
    """Whether a unit has to make a compulsory move this turn."""
    from tactician.rules.wh40k2e.compulsory import due

    return any(name == unit.id for _, name in due(state, unit.side))


def _normal(state: SquadState, unit: Squad) -> Iterator[Choice]:
    if not _stands_still(state, unit) and not unit.acted:
        yield Choice("move", unit.id, lambda: walk_for(state, unit, "walk"))
        if not run_faults(state, unit):
            yield Choice("run", unit.id, lambda: walk_for(state, unit, "run"))
    if not turn_faults(state, unit) and not unit.turned:
        yield Choice("turn", unit.id, lambda: OneOf(facings(state, unit)))


def _stands_still(state: SquadState, unit: Squad) -> tuple[Violation, ...]:
    """Why a unit may not make a normal move; empty where it may."""
    from tactician.rules.wh40k2e.pairing import may_stride_out

    if unit.overwatch:
        return (_no(unit, "2E-OW-02", "a unit on overwatch does not move", "2E-OW-05"),)
    if unit.went == "compelled" or unit.broken or unit.dazed:
        return (_no(unit, "2E-CM-01", "a unit that is driven follows no order"),)
    if unit.charge:
        return (_no(unit, "2E-CH-13", "a squad that declared a charge only charges", "2E-CH-18"),)
    if unit.cowed:
        return (_no(unit, "2E-PS-02", "a unit that dared not charge stays where it is"),)
    if len(engaged_models(state, unit)) == len(unit.models) and not may_stride_out(state, unit):
        return (_no(unit, "2E-SH-06", "fighting models do not move"),)
    near = within(_nearest(state, unit), RUN_GAP)
    if near and not state.holds("2E-RU-05"):
        return (_no(unit, "2E-RU-04", "an enemy is within eight inches"),)
    return ()


def _nearest(state: SquadState, unit: Squad) -> float:
    return min((unit_gap(unit, other) for other in state.against(unit.side)), default=float("inf"))


def run_faults(state: SquadState, unit: Squad) -> tuple[Violation, ...]:
    """Why a unit may not run; empty where it may (2E-RU-02, 2E-RU-04)."""
    found = list(_stands_still(state, unit))
    if unit.shaken:
        found.append(_no(unit, "2E-LD-07", "a shaken unit does not run"))
    if is_engaged(state, unit):
        found.append(_no(unit, "2E-SH-06", "fighting models do not move"))
    gap = _nearest(state, unit)
    if within(gap, RUN_GAP) and state.holds("2E-RU-04"):
        text = "no running with an enemy model this near"
        fault = Violation(
            clause="2E-RU-04", also=("2E-RU-05",), subject=unit.id, text=text, measured=gap, limit=RUN_GAP
        )
        found.append(fault)
    return tuple(found)


def turn_faults(state: SquadState, unit: Squad) -> tuple[Violation, ...]:
    """Why a unit may not turn on the spot; empty where it may (2E-NM-05, 2E-OW-02, 2E-CH-18)."""
    if unit.overwatch:
        return (_no(unit, "2E-OW-02", "a unit on overwatch does not even turn"),)
    if unit.broken or is_engaged(state, unit):
        return (_no(unit, "2E-SH-06", "a broken or fighting unit does not turn"),)
    if unit.failed and state.holds("2E-CH-18"):
        return (_no(unit, "2E-CH-18", "a charger that reached nobody does nothing else"),)
    if not state.holds("2E-NM-05") and (unit.acted or unit.charge):
        return (_no(unit, "2E-NM-01", "it has moved"),)
    return ()


def facings(state: SquadState, unit: Squad) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Whither a unit can be told to face: enemy units, and eight bearings."""
    foes = tuple(pairs(to=other.id) for other in state.against(unit.side))
    return (*foes, *(pairs(to=name) for name, _ in COMPASS))


def _hiding(state: SquadState, unit: Squad) -> Iterator[Choice]:
    from tactician.rules.wh40k2e.hiding import hide_faults

    if not unit.hidden and not unit.acted and not hide_faults(state, unit):
        yield Choice("hide", unit.id, Nothing())


def _shooting(state: SquadState, unit: Squad) -> Iterator[Choice]:
    from tactician.rules.wh40k2e.shooting import shoot_choice

    if unit.acted or unit.overwatch:
        return
    choice = shoot_choice(state, unit)
    if choice is not None:
        yield choice


# ---- refusals --------------------------------------------------------------------------------------------------------


def refusal(state: SquadState, frame: Turn, action: Action) -> tuple[Violation, ...]:
    """Why an order that is not offered may not be given; empty where the general reason will do."""
    if action.verb == "measure":
        return () if may_measure(state) else (_measuring(action),)
    if not action.unit or not state.has_unit(action.unit):
        return ()
    unit = state.unit(action.unit)
    found = _about(state, frame, unit, action)
    return found or _wrong_step(frame, unit, action)


def may_measure(state: SquadState) -> bool:
    """Whether distances between own and enemy models may be measured now: not before the declarations (2E-CH-07)."""
    turn = state.agenda[0] if state.agenda else None
    if state.table.option("premeasuring") or not state.holds("2E-CH-07"):
        return True
    return not (isinstance(turn, Turn) and turn.phase in ("start", "opening"))


def _measuring(action: Action) -> Violation:
    return Violation(clause="2E-CH-07", subject=action.unit, text="nothing is measured before charges are declared")


def _about(state: SquadState, frame: Turn, unit: Squad, action: Action) -> tuple[Violation, ...]:
    """What forbids it to this unit, whatever the step."""
    from tactician.rules.wh40k2e.hiding import hide_faults

    verb = action.verb
    if verb in ("move", "run", "assault") and unit.went in ("walked", "ran") and unit.acted and frame.phase == "normal":
        return (_no(unit, "2E-RU-02", "the whole squad moves at once, walking or running"),)
    if verb == "move":
        return _stands_still(state, unit) if frame.phase == "normal" else ()
    if verb == "run":
        return run_faults(state, unit) if frame.phase == "normal" else ()
    if verb == "turn":
        return turn_faults(state, unit)
    if verb == "overwatch":
        compelled = is_compelled(state, unit)
        return may_watch(state, unit, compelled) if frame.phase == "opening" else ()
    if verb == "charge":
        return _no_charge(state, frame, unit)
    if verb == "hide":
        return hide_faults(state, unit) if frame.phase in ("normal", "hiding") else ()
    return _no_shot(state, unit, action) if verb == "shoot" and frame.phase == "shooting" else ()


def _no_charge(state: SquadState, frame: Turn, unit: Squad) -> tuple[Violation, ...]:
    if frame.phase != "opening":
        text = "charges are announced before anything moves"
        return (Violation(clause="2E-CH-02", also=("2E-MV-01",), subject=unit.id, text=text),)
    return may_charge(state, unit)


def _no_shot(state: SquadState, unit: Squad, action: Action) -> tuple[Violation, ...]:
    """Why a unit may not shoot in its own Shooting Phase; what its aims break, where nobody of it can shoot at all."""
    from tactician.rules.wh40k2e.targets import aim_faults

    if unit.overwatch:
        return (_no(unit, "2E-OW-05", "a unit on overwatch does nothing else in its own turn"),)
    if unit.went == "compelled":
        return (_no(unit, "2E-CM-01", "a unit that is driven does not shoot"),)
    if unit.charge:
        return (_no(unit, "2E-CH-10", "a unit that declared a charge does not shoot"),)
    if unit.went == "ran":
        return (_no(unit, "2E-RU-03", "who ran does not shoot"),)
    standing = {model.id for model in unit.models}
    if unit.acted or not standing.issuperset(dict(action.targets)):
        return ()
    return aim_faults(state, unit, action.targets)


def _wrong_step(frame: Turn, unit: Squad, action: Action) -> tuple[Violation, ...]:
    """An order that belongs to another step of the turn."""
    if OWN_STEP.get(action.verb) == frame.phase:
        return ()
    if action.verb in ("move", "run", "turn", "assault") and frame.phase in STEPS:
        text = "charges are declared, then compulsory moves, then chargers, then everybody else"
        return (Violation(clause="2E-MV-01", also=("2E-CM-04",), subject=unit.id, text=text),)
    if action.verb == "overwatch":
        return (_no(unit, "2E-OW-03", "overwatch is announced as the turn opens"),)
    if action.verb in ("move", "run", "turn", "shoot", "hide", "assault"):
        return (_no(unit, "2E-GF-01", "movement, shooting, hand-to-hand, rally: in this order"),)
    return ()


def _no(unit: Squad, clause: str, text: str, *also: str) -> Violation:
    return Violation(clause=clause, also=also, subject=unit.id, text=text)
