"""Who can be ordered what, and at whom: pages *Actions and commands*, *Restrictions*, *Charge*."""

from __future__ import annotations

from collections.abc import Iterator

from tactician.rules.core.action import Action, Pairs, pairs
from tactician.rules.core.choice import Choice, Declare, Nothing
from tactician.rules.core.clauses import MALFORMED, Violation
from tactician.rules.core.measure import Inches, beyond, within
from tactician.rules.core.remember import Remembered
from tactician.rules.voidsiege.allowance import allowance
from tactician.rules.voidsiege.engagement import ENGAGED, is_engaged, unit_gap, units_within
from tactician.rules.voidsiege.missions import MISSIONS, is_at_objective, is_limited
from tactician.rules.voidsiege.movement import move_type
from tactician.rules.voidsiege.profiles import Command
from tactician.rules.voidsiege.shooting import any_in_sight, can_shoot, is_scout
from tactician.rules.voidsiege.state import Exchange, VoidState, VoidUnit

__all__ = [
    "aid_faults",
    "command_choice",
    "eligible",
    "is_guarded",
    "open_choice",
    "orders_of",
    "reach_of",
    "response_choices",
    "responses",
    "target_faults",
]

_ORDERS: Remembered[tuple[Command, ...]] = Remembered()

AID: Inches = 6.0
"""VS-CF-01, VS-IV-01: a unit answers for friends within this."""

UNSEEN = "nobody aims at a scout that has not moved yet"


def _refusal(clause: str, unit: VoidUnit, text: str, against: str = "", also: tuple[str, ...] = ()) -> Violation:
    return Violation(clause=clause, also=also, subject=unit.id, text=text, against=against)


def eligible(state: VoidState, unit: VoidUnit, command: Command) -> tuple[Violation, ...]:
    """Why a unit may not be ordered a command, or answer with it; empty if it may.

    Clauses: VS-RE-01 (restrictions), VS-RA-01 (rally needs losses), VS-DE-01 and VS-DE-02 (engaged units move
    freely).
    """
    return (*_own_faults(state, unit, command), *_moment_faults(state, unit, command))


def _own_faults(state: VoidState, unit: VoidUnit, command: Command) -> tuple[Violation, ...]:
    """What the unit's own status forbids."""
    faults = []
    clashing = [name for name in command.restricts if name in unit.restrictions]
    snap = command.id == "snap_fire"
    if clashing and state.holds("VS-RE-01") and not (snap and state.holds("VS-SN-04")):
        text = f"{command.id} would give {', '.join(clashing)}, which the unit has this turn"
        faults.append(_refusal("VS-RE-01", unit, text))
    if command.id == "rally" and not unit.lost and state.holds("VS-RA-01"):
        faults.append(_refusal("VS-RA-01", unit, "rally: the unit has lost no model"))
    if unit.scouting and not (command.moves and command.ordered) and state.holds("VS-SU-12"):
        faults.append(_refusal("VS-SU-12", unit, f"{command.id}: a scout does only what moves it"))
    return tuple(faults)


def _moment_faults(state: VoidState, unit: VoidUnit, command: Command) -> tuple[Violation, ...]:
    """What the rest of the table forbids."""
    if command.id == "rally" and is_limited(state, unit.side):
        return (_refusal("VS-OB-12", unit, "rally: not for the side that holds the objective"),)
    if command.moves and not (state.holds("VS-DE-01") and state.holds("VS-DE-02")) and is_engaged(state, unit):
        return (_refusal(MALFORMED, unit, "locked in combat"),)
    return ()


def orders_of(state: VoidState, unit: VoidUnit) -> tuple[Command, ...]:
    """The commands that the unit's own status lets it be ordered."""
    return _ORDERS.get((unit, state.table), "", lambda: _orders_of(state, unit))


def _orders_of(state: VoidState, unit: VoidUnit) -> tuple[Command, ...]:
    ordered = (command for _, command in state.table.commands if command.ordered)
    return tuple(command for command in ordered if not _own_faults(state, unit, command))


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
    return tuple(foe.id for foe in foes if units_within(state, unit, foe, far) and not is_scout(state, foe))


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
    if is_scout(state, foe):
        faults.append(_refusal("VS-SU-07", unit, UNSEEN, foe.id))
    if is_guarded(state, command, foe):
        text = "units near an objective can only be charged with Move"
        faults.append(_refusal("VS-CH-03", unit, text, foe.id))
    return tuple(faults)


def is_guarded(state: VoidState, command: Command, foe: VoidUnit) -> bool:
    """Whether the mission forbids a charge at a unit with a command: near an objective only Move may (VS-CH-03)."""
    guarded = MISSIONS[state.table.mission].objective_cover > 0 and is_at_objective(state, foe)
    return guarded and command.id != "move" and state.holds("VS-CH-03")


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
    return None if _own_faults(state, unit, command) else open_choice(state, unit, command)


def open_choice(state: VoidState, unit: VoidUnit, command: Command) -> Choice | None:
    """`command_choice` for a command that the unit's own status allows."""
    if _moment_faults(state, unit, command):
        return None
    if not command.moves and not command.shoots:
        return Choice(command.id, unit.id, Nothing())
    if not _names_somebody(state, unit, command):
        return None
    return Choice(command.id, unit.id, lambda: _declaration(state, unit, command))


def _names_somebody(state: VoidState, unit: VoidUnit, command: Command) -> bool:
    """Whether there is any set of targets that the command can name; none at all is one where it moves."""
    if command.moves and state.holds("VS-GM-01"):
        return True
    if not command.moves and state.profile(unit).ranged:
        return any_in_sight(state, unit)
    return bool(target_options(state, unit, command))


def _declaration(state: VoidState, unit: VoidUnit, command: Command) -> Declare:
    """Everything the command can name, each with the move type that goes with it."""
    options = target_options(state, unit, command)
    charges = {dict(option).get("charge") for option in options} if command.moves else set()
    kind_of = {charge: move_type(state, unit, command, charge) for charge in charges}
    kinds = tuple(kind_of.get(dict(option).get("charge")) for option in options)
    return Declare(options, kinds)


def target_faults(state: VoidState, unit: VoidUnit, command: Command, action: Action) -> tuple[Violation, ...]:
    """Clauses that the targets of an order break (empty where they are fine, or where only their form is wrong)."""
    faults: tuple[Violation, ...] = ()
    enemies = {foe.id: foe for foe in state.against(unit.side)}
    charge, shot = action.target("charge"), action.target("shoot")
    if charge in enemies:
        faults += _charge_faults(state, unit, command, enemies[charge])
    if shot in enemies and command.shoots and shot not in shooting_targets(state, unit, command):
        gap, reach = unit_gap(state, unit, enemies[shot]), reach_of(state, unit, command)
        if is_scout(state, enemies[shot]):
            faults += (_refusal("VS-SU-07", unit, UNSEEN, shot),)
        elif not within(gap, reach):
            text = f"{unit.name} can reach nothing so far away"
            faults += (
                Violation(clause="VS-SI-01", subject=unit.id, text=text, against=shot, measured=gap, limit=reach),
            )
        else:
            faults += (_refusal("VS-SI-02", unit, "no model in range sees any model of the target", shot),)
    return faults


# ---- responses -------------------------------------------------------------------------------------------------------


def response_choices(state: VoidState, exchange: Exchange) -> tuple[Choice, ...]:
    """What the opponent may answer, `pass` last; empty where it could only pass."""
    found = tuple(responses(state, exchange))
    return (*found, Choice("pass", "", Nothing())) if found else ()


def responses(state: VoidState, exchange: Exchange) -> Iterator[Choice]:
    """The answers one by one, so that whoever only asks whether there is any pays for the first.

    Clauses: VS-RS-01 (one answer, it costs a point), VS-RS-02 (a targeted unit, at whoever triggered it),
    VS-SN-01 (Snap Fire is the only answer to a movement that names no target), VS-CF-01 and VS-IV-01 (a friend near a
    targeted unit may answer for it).
    """
    commander = state.unit(exchange.unit)
    side = "blue" if commander.side == "red" else "red"
    if state.points_of(side) < 1 and state.holds("VS-RS-01"):
        return
    if not commander.models or not state.holds("VS-RS-02"):
        return
    named = sorted({target for _, target in exchange.targets})
    for name in named:
        yield from _answers_of(state, state.unit(name), commander)
    if named:
        yield from _aids(state, side, exchange)
    elif state.table.command(exchange.command).moves:
        yield from _snaps(state, side, commander)


def _answers_of(state: VoidState, unit: VoidUnit, commander: VoidUnit) -> Iterator[Choice]:
    if not unit.models:
        return
    for name, command in state.table.commands:
        if not command.answers or name == "snap_fire" or eligible(state, unit, command):
            continue
        answer = _answer(state, unit, command, commander)
        if answer is not None:
            yield answer


def _answer(state: VoidState, unit: VoidUnit, command: Command, commander: VoidUnit) -> Choice | None:
    """An answer aimed at whoever triggered it, or at nobody; None where it would shoot and cannot."""
    if not command.moves and not command.shoots:
        return Choice(command.id, unit.id, Nothing())
    options: tuple[Pairs, ...] = ((),)
    if command.shoots:
        targets = shooting_targets(state, unit, command)
        options = (pairs(shoot=commander.id),) if commander.id in targets else ()
    if not options:
        return None
    return Choice(
        command.id, unit.id, lambda: Declare(options, (move_type(state, unit, command) if command.moves else None,))
    )


def _aids(state: VoidState, side: str, exchange: Exchange) -> Iterator[Choice]:
    """What units near a targeted one can do for it."""
    commands = [command for _, command in state.table.commands if command.aids]
    for unit in state.of(side):
        for command in commands:
            if aid_faults(state, unit, command, exchange) or eligible(state, unit, command):
                continue
            answer = _answer(state, unit, command, state.unit(exchange.unit))
            if answer is not None:
                yield answer


def aid_faults(state: VoidState, unit: VoidUnit, command: Command, exchange: Exchange) -> tuple[Violation, ...]:
    """Why a unit may not answer for a friend.

    Clauses: VS-CF-01 (Covering Fire, for whoever was targeted), VS-IV-01 (Intervene, for whoever is charged).
    """
    clause = "VS-IV-01" if command.aids == "charged" else "VS-CF-01"
    if not state.holds(clause):
        return ()
    roles = ("charge",) if command.aids == "charged" else ("charge", "shoot")
    named = {name for role, name in exchange.targets if role in roles and name != unit.id}
    gaps = [(unit_gap(state, unit, state.unit(name)), name) for name in sorted(named) if state.unit(name).models]
    if not gaps:
        wanted = "is charged" if command.aids == "charged" else "is aimed at"
        return (_refusal(clause, unit, f"{command.id} answers for a friend that {wanted}"),)
    gap, friend = min(gaps)
    if beyond(gap, AID):
        text = f"{command.id} answers for a friend nearby"
        return (Violation(clause=clause, subject=unit.id, text=text, against=friend, measured=gap, limit=AID),)
    return ()


def _snaps(state: VoidState, side: str, commander: VoidUnit) -> Iterator[Choice]:
    if not state.holds("VS-SN-01"):
        return
    snap = state.table.command("snap_fire")
    option = pairs(shoot=commander.id)
    for unit in state.of(side):
        if can_shoot(state, unit, commander) and not eligible(state, unit, snap):
            yield Choice("snap_fire", unit.id, Declare((option,), (None,)))
