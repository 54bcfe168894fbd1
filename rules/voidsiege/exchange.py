"""A command and its response, resolved together: steps in a fixed order (pages *Reacting*, *Command override*).

What a Horde gets back, then the answer; snap fire first of all; then movement, the command's before the response's
except on a charge; then marks of Defend and Ditch; then shooting, mutual and simultaneous but for the command's
criticals, and who is dragged by it; then melee; last the restrictions of the parts that did something.
"""

from __future__ import annotations

from collections.abc import Callable

from tactician.rules.core.action import Action, pairs
from tactician.rules.core.agenda import Handler, push, swap, without_top
from tactician.rules.core.choice import Choice, Nothing, OneOf
from tactician.rules.core.clauses import Violation
from tactician.rules.core.derive import but
from tactician.rules.core.measure import beyond
from tactician.rules.core.state import other_side
from tactician.rules.voidsiege.commands import (
    aid_faults,
    eligible,
    is_guarded,
    response_choices,
    responses,
    target_faults,
)
from tactician.rules.voidsiege.damage import losses, roll_damage
from tactician.rules.voidsiege.drag import drag_frames
from tactician.rules.voidsiege.engagement import engaged_pairs, unit_gap
from tactician.rules.voidsiege.horde import horde_frame, is_horde
from tactician.rules.voidsiege.melee import melee_volleys
from tactician.rules.voidsiege.profiles import Command
from tactician.rules.voidsiege.shooting import can_shoot, shooting_dice, the_exchange, with_exchange
from tactician.rules.voidsiege.state import Exchange, Movement, Rally, Turn, VoidState, Volley
from tactician.rules.voidsiege.turn import spent

__all__ = ["ExchangeHandler"]


class ExchangeHandler(Handler[VoidState, Exchange]):
    """Takes the steps of an exchange one after another."""

    def step(self, state: VoidState, frame: Exchange) -> VoidState | None:
        """The next step, unless somebody must answer first."""
        if not frame.todo:
            return without_top(state)
        quiet = _quiet_steps(state, frame)
        if quiet is not None:
            return quiet
        name, _, role = frame.todo[0].partition(":")
        if name in ("answer", "name"):
            if name == "answer" and next(responses(state, frame), None) is not None:
                return None
            if name == "name" and self.choices(state, frame):
                return None
            skipped = but(frame, todo=_after_answer(state, frame) if name == "answer" else frame.todo[1:])
            return swap(state, skipped)
        left = but(frame, todo=frame.todo[1:])
        return _move(state, left, role) if name == "move" else STEPS[name](swap(state, left), role)

    def mover(self, state: VoidState, frame: Exchange) -> str:
        """The opponent answers; the commander names a target that is named late."""
        return frame.owner if frame.todo[0] == "name" else other_side(frame.owner)

    def choices(self, state: VoidState, frame: Exchange) -> tuple[Choice, ...]:
        """The answers, or the targets to name."""
        if frame.todo[0] == "answer":
            return response_choices(state, frame)
        unit = state.unit(frame.unit)
        seen = [foe.id for foe in state.against(unit.side) if can_shoot(state, unit, foe)]
        if not unit.models or not seen:
            return ()
        options = tuple(pairs(shoot=name) for name in seen)
        return Choice("shoot", unit.id, OneOf(options)), Choice("pass", "", Nothing())

    def refuse(self, state: VoidState, frame: Exchange, action: Action) -> tuple[Violation, ...]:
        """Why a unit may not answer like that."""
        commands = dict(state.table.commands)
        if action.verb not in commands or not action.unit or frame.todo[0] == "name":
            return ()
        unit, command = state.unit(action.unit), commands[action.verb]
        named = sorted({target for _, target in frame.targets})
        if not named and command.id != "snap_fire":
            text = "a movement that names no target is answered by Snap Fire only"
            return (Violation(clause="VS-SN-01", subject=unit.id, text=text),)
        if command.aids:
            faults = aid_faults(state, unit, command, frame)
            return faults or eligible(state, unit, command) or target_faults(state, unit, command, action)
        if named and unit.id not in named:
            text = f"only a unit that was targeted answers: {', '.join(named)}; others cover or intervene"
            return (Violation(clause="VS-RS-02", subject=unit.id, text=text),)
        if not command.answers or (named and command.id == "snap_fire"):
            text = f"{command.id} does not answer here"
            return (Violation(clause="VS-RS-04", subject=unit.id, text=text),)
        return eligible(state, unit, command) or target_faults(state, unit, command, action)

    def explain(self, state: VoidState, frame: Exchange, choice: Choice, action: Action) -> tuple[Violation, ...]:
        """What an answer breaks; one aimed at somebody else than whoever triggered it by its clause."""
        faults = choice.explain(state, action)
        astray = sorted({target for _, target in action.targets} - {frame.unit})
        if not faults or not astray or frame.todo[0] == "name":
            return faults
        text = f"an answer is aimed at {frame.unit}, which triggered it, or at nobody"
        better = Violation(clause="VS-RS-02", subject=choice.unit, text=text, against=astray[0])
        return (better, *(fault for fault in faults if "expected one of" not in fault.text))

    def take(self, state: VoidState, frame: Exchange, action: Action) -> VoidState:
        """Note the answer, which costs a point and counts as the side's next activation."""
        if frame.todo[0] == "name":
            if action.verb == "pass":
                return swap(state, but(frame, todo=frame.todo[1:]))
            targets = tuple(sorted((*frame.targets, *action.targets)))
            asked = frame.response or dict(frame.targets).get("charge")
            todo = frame.todo[1:] if asked else ("answer", *frame.todo[1:])
            return swap(state, but(frame, targets=targets, todo=todo))
        if action.verb == "pass":
            return swap(state, but(frame, todo=_after_answer(state, frame)))
        frame = but(frame, responder=action.unit, response=action.verb, response_plan=action.paths)
        todo = ("horde:response", *_after_answer(state, frame))
        state = spent(swap(state, but(frame, todo=todo)), other_side(frame.owner))
        return _activation_used(state, frame.owner)


def _activation_used(state: VoidState, owner: str) -> VoidState:
    """After an answer the commanding side is to act again (VS-RS-05)."""
    if not state.holds("VS-RS-05"):
        return state
    agenda = tuple(but(frame, owner=owner) if isinstance(frame, Turn) else frame for frame in state.agenda)
    return but(state, agenda=agenda)


def _quiet_steps(state: VoidState, frame: Exchange) -> VoidState | None:
    """The state after the next steps that ask nobody and roll nothing, all at once; None where the next one does."""
    done = 0
    for one in frame.todo:
        if one == "met":
            frame = but(frame, met=engaged_pairs(state))
        elif one == "restrict":
            state = _restricted(state, frame)
        elif not (one == "melee" and not melee_volleys(state, frame)) and not _is_idle(state, frame, one):
            break
        done += 1
    if done == len(frame.todo):
        return without_top(state)
    return swap(state, but(frame, todo=frame.todo[done:])) if done else None


def _is_idle(state: VoidState, frame: Exchange, step: str) -> bool:
    """Whether a step has nothing to do, so that it can be left out together with others."""
    name, _, role = step.partition(":")
    if name == "mark":
        return (frame.command if role == "command" else frame.response) not in MARKING
    if name == "horde":
        return not is_horde(state, frame.unit if role == "command" else frame.responder)
    if name == "drag":
        return not frame.dragging and state.holds("VS-DG-06")
    return name in ("criticals", "damage", "losses") and not frame.buffer


MARKING = ("defend", "ditch")
"""The commands that leave a mark."""

SHOTS_LAND = ("damage", "losses", "drag")
"""The steps that follow target locks."""

# ---- which steps -----------------------------------------------------------------------------------------------------


def _after_answer(state: VoidState, frame: Exchange) -> tuple[str, ...]:
    """The steps that follow the answer."""
    command = state.table.command(frame.command)
    if frame.todo[1:]:
        return (*_response_moves(state, frame), *_closing_steps(state, frame, command))
    steps: list[str] = [] if state.holds("VS-HO-05") else ["horde:command"]
    if frame.response == "snap_fire":
        steps += ["mark:command"] if frame.command == "ditch" else []
        steps += ["locks:response", *SHOTS_LAND]
    late = state.table.option("target_named") == "after_move" and command.shoots and command.moves
    if late:
        return (*steps, *_moves(state, frame), "name", "rest")
    return (*steps, *_moves(state, frame), *_closing_steps(state, frame, command))


def _moves(state: VoidState, frame: Exchange) -> list[str]:
    """Movements: the command's first, except on a charge (VS-CH-04)."""
    answers = _response_moves(state, frame)
    charge = dict(frame.targets).get("charge") is not None and state.holds("VS-CH-04")
    return [*answers, "move:command"] if charge else ["move:command", *answers]


def _response_moves(state: VoidState, frame: Exchange) -> list[str]:
    if not frame.response or not state.table.command(frame.response).moves:
        return []
    return ["move:response", "intervene"] if state.table.command(frame.response).aids else ["move:response"]


def _closing_steps(state: VoidState, frame: Exchange, command: Command) -> list[str]:
    snap = frame.response == "snap_fire"
    steps = ["met"]
    steps += ["melee"] if state.table.option("melee_check") == "each" else []
    steps += ["mark:response"] if frame.response and not snap else []
    steps += [] if snap and frame.command == "ditch" else ["mark:command"]
    steps += ["rally"] if frame.command == "rally" else []
    if command.shoots:
        first = ["criticals", "locks:response"] if state.holds("VS-SI-06") else ["locks:response"]
        steps += ["locks:command", *(first if not snap else ["criticals"]), *SHOTS_LAND]
    elif frame.response and not snap and state.table.command(frame.response).shoots:
        steps += ["locks:response", *SHOTS_LAND]
    return [*steps, "melee", "restrict"]


# ---- the steps -------------------------------------------------------------------------------------------------------


def _rest(state: VoidState, role: str) -> VoidState:
    """What follows when no target was named late."""
    frame = _top(state)
    return swap(state, but(frame, todo=tuple(_closing_steps(state, frame, state.table.command(frame.command)))))


def _top(state: VoidState) -> Exchange:
    frame = state.agenda[-1]
    assert isinstance(frame, Exchange)
    return frame


def _actor(state: VoidState, role: str, exchange: Exchange | None = None) -> tuple[str, Command | None]:
    frame = exchange or _top(state)
    unit, name = (frame.unit, frame.command) if role == "command" else (frame.responder, frame.response)
    return unit, state.table.command(name) if name else None


def _move(state: VoidState, frame: Exchange, role: str) -> VoidState:
    name, command = _actor(state, role, frame)
    unit = state.unit(name)
    if command is None or not command.moves or not unit.models:
        return swap(state, frame)
    plan = frame.plan if role == "command" else frame.response_plan
    movement = Movement(owner=unit.side, unit=name, role=role, plan=plan)
    return but(state, agenda=(*state.agenda[:-1], frame, movement))


def _horde(state: VoidState, role: str) -> VoidState:
    """Lost models of a Horde, before its command and before the answer to it (VS-HO-05), or before its own answer."""
    frame = _top(state)
    if role == "command" and "answer" in frame.todo and not state.holds("VS-HO-05"):
        return state
    if role == "response" and not state.table.option("horde_answers"):
        return state
    name, _ = _actor(state, role)
    coming = horde_frame(state, name)
    return push(state, coming) if coming is not None else state


def _intervene(state: VoidState, role: str) -> VoidState:
    """A unit that stands nearer to the charger than the friend for whom it answers is charged instead (VS-IV-03)."""
    frame = _top(state)
    unit, charger = state.unit(frame.responder), state.unit(frame.unit)
    name = dict(frame.targets).get("charge", unit.id)
    if name == unit.id or not unit.models or not charger.models or not state.holds("VS-IV-03"):
        return state
    own, other = unit_gap(state, unit, charger), unit_gap(state, state.unit(name), charger)
    if not beyond(other, own) or is_guarded(state, state.table.command(frame.command), unit):
        return state
    told = f"{unit.name} ({unit.id}) intervenes {own:.2f} inches from {charger.id} and is charged in place of {name}"
    targets = tuple((what, unit.id if what == "charge" else target) for what, target in frame.targets)
    return swap(but(state, log=(*state.log, told)), but(frame, targets=targets))


def _mark(state: VoidState, role: str) -> VoidState:
    """Defend lasts to the end of this exchange, Ditch until the next incoming damage."""
    name, command = _actor(state, role)
    if command is None or not state.unit(name).models:
        return state
    if command.id == "defend":
        frame = _top(state)
        return swap(state, but(frame, defending=(*frame.defending, name), acted=(*frame.acted, (role, "whole"))))
    if command.id == "ditch":
        return state.with_unit(but(state.unit(name), ditching=True))
    return state


def _locks(state: VoidState, role: str) -> VoidState:
    """The shots of a command or response, if anything is still in range and sight (VS-RS-06, command override)."""
    frame = _top(state)
    name, command = _actor(state, role)
    target = dict(frame.targets).get("shoot") if role == "command" else frame.unit
    if command is None or not command.shoots or target is None or not state.unit(target).models:
        return state
    if role == "command" and command.moves and not state.holds("VS-PM-02") and (role, "move") not in frame.acted:
        return state
    if command.aids and not state.holds("VS-CF-02"):
        return state
    snap = command.id == "snap_fire"
    dice = shooting_dice(state, state.unit(name), state.unit(target), snap)
    if not dice:
        return state
    state = swap(state, but(frame, acted=(*frame.acted, (role, "shoot"))))
    side = state.unit(name).side
    return push(state, Volley(owner=side, role=role, shooter=name, target=target, weapons=dice, snap=snap))


def _criticals(state: VoidState, role: str) -> VoidState:
    return losses(state, only_criticals_of="command")


def _damage(state: VoidState, role: str) -> VoidState:
    return roll_damage(state)


def _losses(state: VoidState, role: str) -> VoidState:
    state = losses(state)
    return with_exchange(state, but(the_exchange(state), buffer=()))


def _drag(state: VoidState, role: str) -> VoidState:
    """Who was damaged by a unit with Drag; by shots before the check for melee (VS-DG-06)."""
    frame = _top(state)
    if "melee" in frame.todo and not state.holds("VS-DG-06"):
        place = len(frame.todo) - frame.todo[::-1].index("melee")
        return swap(state, but(frame, todo=(*frame.todo[:place], "drag", *frame.todo[place:])))
    frames = drag_frames(state, frame)
    return push(swap(state, but(frame, dragging=())), *reversed(frames))


def _rally(state: VoidState, role: str) -> VoidState:
    name = _top(state).unit
    return push(state, Rally(owner=state.unit(name).side, unit=name)) if state.unit(name).models else state


def _melee(state: VoidState, role: str) -> VoidState:
    frame = _top(state)
    volleys = melee_volleys(state, frame)
    state = swap(state, but(frame, todo=(*SHOTS_LAND, *frame.todo)))
    commanders_first = sorted(volleys, key=lambda volley: volley.owner != frame.owner)
    return push(state, *reversed(commanders_first))


def _restricted(state: VoidState, frame: Exchange) -> VoidState:
    """Restrictions of the parts that did something (VS-RE-03); a part made impossible gives none (VS-RS-06)."""
    idle = bool(state.table.option("idle_part_restricts")) or not state.holds("VS-RS-06")
    for one in ("command", "response"):
        name, command = _actor(state, one, frame)
        if command is None or not state.holds("VS-RE-03"):
            continue
        gained = set(command.gains)
        gained |= set(command.gains_moving) if idle or (one, "move") in frame.acted else set()
        gained |= set(command.gains_shooting) if idle or (one, "shoot") in frame.acted else set()
        if command.id == "snap_fire" and not state.table.option("snap_leaves_shoot"):
            gained = set()
        if not gained:
            continue
        side = state.unit(name).side
        for part in sorted({name, *(moved for moved, _, _ in frame.moved if state.unit(moved).side == side)}):
            unit = state.unit(part)
            if not gained.issubset(unit.restrictions):
                state = state.with_unit(but(unit, restrictions=tuple(sorted({*unit.restrictions, *gained}))))
    return state


FURTHER = ("move", "met", "restrict")
"""The steps that are not taken by the table below."""

STEPS: dict[str, Callable[[VoidState, str], VoidState]] = {
    "horde": _horde,
    "intervene": _intervene,
    "mark": _mark,
    "locks": _locks,
    "criticals": _criticals,
    "damage": _damage,
    "losses": _losses,
    "drag": _drag,
    "rally": _rally,
    "melee": _melee,
    "rest": _rest,
}
