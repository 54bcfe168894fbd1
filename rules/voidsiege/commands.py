"""Who can be ordered what, and at whom: pages *Actions and commands*, *Restrictions*, *Charge*."""

from __future__ import annotations

from tactician.rules.core.action import Action, Pairs, pairs
from tactician.rules.core.choice import Choice, Declare, Nothing
from tactician.rules.core.clauses import MALFORMED, Violation
from tactician.rules.core.measure import Inches, within
from tactician.rules.voidsiege.allowance import allowance
from tactician.rules.voidsiege.engagement import ENGAGED, is_engaged, unit_gap
from tactician.rules.voidsiege.missions import MISSIONS, is_at_objective
from tactician.rules.voidsiege.movement import move_type
from tactician.rules.voidsiege.profiles import Command
from tactician.rules.voidsiege.shooting import can_shoot
from tactician.rules.voidsiege.state import Exchange, VoidState, VoidUnit

__all__ = ["command_choice", "eligible", "reach_of", "response_choices", "target_faults"]


def _refusal(clause: str, unit: VoidUnit, text: str, against: str = "", also: tuple[str, ...] = ()) -> Violation:
    return Violation(clause=clause, also=also, subject=unit.id, text=text, against=against)


def eligible(state: VoidState, unit: VoidUnit, command: Command) -> tuple[Violation, ...]:
    """Why a unit may not be ordered a command, or answer with it; empty if it may.

    Clauses: VS-RE-01 (restrictions), VS-RA-01 (rally needs losses), VS-DE-01 and VS-DE-02 (engaged units move
    freely).
    """
    faults = []
    clashing = [name for name in command.restricts if name in unit.restrictions]
    snap = command.id == "snap_fire"
    if clashing and state.holds("VS-RE-01") and not (snap and state.holds("VS-SN-04")):
        text = f"{command.id} would give {', '.join(clashing)}, which the unit has this turn"
        faults.append(_refusal("VS-RE-01", unit, text))
    if command.id == "rally" and not unit.lost and state.holds("VS-RA-01"):
        faults.append(_refusal("VS-RA-01", unit, "rally: the unit has lost no model"))
    if command.moves and is_engaged(state, unit) and not (state.holds("VS-DE-01") and state.holds("VS-DE-02")):
        faults.append(_refusal(MALFORMED, unit, "locked in combat"))
    return tuple(faults)


def reach_of(state: VoidState, unit: VoidUnit, command: Command) -> Inches:
    """Greatest distance at which the shots of a command could tell: its movement plus the longest range."""
    far = allowance(state, unit, command).total if command.moves else 0.0
    return far + state.profile(unit).reach


def shooting_targets(state: VoidState, unit: VoidUnit, command: Command) -> tuple[str, ...]:
    """Enemy units that the command can name to shoot at.

    Without movement in it: in range and sight now. With movement: within its distance plus range.
    """
    if not state.profile(unit).ranged:
        return ()
    foes = state.against(unit.side)
    if not command.moves:
        return tuple(foe.id for foe in foes if can_shoot(state, unit, foe))
    far = reach_of(state, unit, command)
    return tuple(foe.id for foe in foes if within(unit_gap(state, unit, foe), far))


def charge_targets(state: VoidState, unit: VoidUnit, command: Command) -> tuple[str, ...]:
    """Enemy units at which a charge can be declared with the command (VS-CH-01 to VS-CH-03)."""
    return tuple(foe.id for foe in state.against(unit.side) if not _charge_faults(state, unit, command, foe))


def _charge_faults(state: VoidState, unit: VoidUnit, command: Command, foe: VoidUnit) -> tuple[Violation, ...]:
    faults = []
    carriers = str(state.table.option("charge_commands")).split()
    if not command.charges or (command.id not in carriers and state.holds("VS-CH-01")):
        text = f"{command.id} carries no charge; {', '.join(carriers)} do"
        faults.append(_refusal("VS-CH-01", unit, text, foe.id))
    far = allowance(state, unit, command).total + ENGAGED
    gap = unit_gap(state, unit, foe)
    if not within(gap, far) and state.holds("VS-CH-02"):
        text = "a charge is declared at what the movement could bring within reach"
        faults.append(Violation(clause="VS-CH-02", subject=unit.id, text=text, against=foe.id, measured=gap, limit=far))
    guarded = MISSIONS[state.table.mission].objective_cover > 0 and is_at_objective(state, foe)
    if guarded and command.id != "move" and state.holds("VS-CH-03"):
        text = "units near an objective can only be charged with Move"
        faults.append(_refusal("VS-CH-03", unit, text, foe.id))
    return tuple(faults)


def target_options(state: VoidState, unit: VoidUnit, command: Command) -> tuple[Pairs, ...]:
    """Every set of targets that the command can name, none first."""
    shoots: list[str | None] = [None]
    charges: list[str | None] = [None]
    later = state.table.option("target_named") == "after_move" and command.moves
    if command.shoots and not later:
        shoots += shooting_targets(state, unit, command)
    if command.charges:
        charges += charge_targets(state, unit, command)
    found = [pairs(shoot=shot, charge=charge) for shot in shoots for charge in charges]
    needs_target = (command.shoots and not command.moves) or not state.holds("VS-GM-01")
    return tuple(option for option in found if option or not needs_target)


def command_choice(state: VoidState, unit: VoidUnit, command: Command) -> Choice | None:
    """The choice of ordering a unit a command, or None where it cannot be given."""
    if eligible(state, unit, command):
        return None
    if not command.moves and not command.shoots:
        return Choice(command.id, unit.id, Nothing())
    options = target_options(state, unit, command)
    if not options:
        return None
    charges = {dict(option).get("charge") for option in options} if command.moves else set()
    kind_of = {charge: move_type(state, unit, command, charge) for charge in charges}
    kinds = tuple(kind_of.get(dict(option).get("charge")) for option in options)
    return Choice(command.id, unit.id, Declare(options, kinds))


def target_faults(state: VoidState, unit: VoidUnit, command: Command, action: Action) -> tuple[Violation, ...]:
    """Clauses that the targets of an order break (empty where they are fine, or where only their form is wrong)."""
    faults: tuple[Violation, ...] = ()
    enemies = {foe.id: foe for foe in state.against(unit.side)}
    charge, shot = action.target("charge"), action.target("shoot")
    if charge in enemies:
        faults += _charge_faults(state, unit, command, enemies[charge])
    if shot in enemies and command.shoots and shot not in shooting_targets(state, unit, command):
        gap, reach = unit_gap(state, unit, enemies[shot]), reach_of(state, unit, command)
        if not within(gap, reach):
            text = f"{unit.name} can reach nothing so far away"
            faults += (
                Violation(clause="VS-SI-01", subject=unit.id, text=text, against=shot, measured=gap, limit=reach),
            )
        else:
            faults += (_refusal("VS-SI-02", unit, "no model in range sees any model of the target", shot),)
    return faults


# ---- responses -------------------------------------------------------------------------------------------------------


def response_choices(state: VoidState, exchange: Exchange) -> tuple[Choice, ...]:
    """What the opponent may answer, `pass` last; empty where it could only pass.

    Clauses: VS-RS-01 (one answer, it costs a point), VS-RS-02 (a targeted unit, at whoever triggered it),
    VS-SN-01 (Snap Fire is the only answer to a movement that names no target).
    """
    commander = state.unit(exchange.unit)
    side = "blue" if commander.side == "red" else "red"
    if state.points_of(side) < 1 and state.holds("VS-RS-01"):
        return ()
    if not commander.models or not state.holds("VS-RS-02"):
        return ()
    named = sorted({target for _, target in exchange.targets})
    found: list[Choice] = []
    if named:
        for name in named:
            found += _answers_of(state, state.unit(name), commander)
    elif state.table.command(exchange.command).moves:
        found += _snaps(state, side, commander)
    return (*found, Choice("pass", "", Nothing())) if found else ()


def _answers_of(state: VoidState, unit: VoidUnit, commander: VoidUnit) -> list[Choice]:
    if not unit.models:
        return []
    found = []
    for name, command in state.table.commands:
        if not command.answers or name == "snap_fire" or eligible(state, unit, command):
            continue
        if command.shoots:
            targets = shooting_targets(state, unit, command)
            options: tuple[Pairs, ...] = (pairs(shoot=commander.id),) if commander.id in targets else ()
        else:
            options = ((),)
        if options and (command.moves or command.shoots):
            kinds = tuple(move_type(state, unit, command) if command.moves else None for _ in options)
            found.append(Choice(name, unit.id, Declare(options, kinds)))
        elif options:
            found.append(Choice(name, unit.id, Nothing()))
    return found


def _snaps(state: VoidState, side: str, commander: VoidUnit) -> list[Choice]:
    snap = state.table.command("snap_fire")
    if not state.holds("VS-SN-01"):
        return []
    option = pairs(shoot=commander.id)
    return [
        Choice("snap_fire", unit.id, Declare((option,), (None,)))
        for unit in state.of(side)
        if not eligible(state, unit, snap) and can_shoot(state, unit, commander)
    ]
