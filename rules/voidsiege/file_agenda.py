"""What is going on in a battle, out of its file: frames that name only what exists, or the opening of a new battle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace

from tactician.rules.core.agenda import Frame
from tactician.rules.core.codec import frame_from_data
from tactician.rules.core.files import Faults
from tactician.rules.core.state import SIDES
from tactician.rules.voidsiege import state as frames
from tactician.rules.voidsiege.file_form import BattleForm
from tactician.rules.voidsiege.scenario import mission_of
from tactician.rules.voidsiege.state import (
    Arrivals,
    Casualties,
    Combine,
    DamageRoll,
    Deploy,
    Exchange,
    Fire,
    Follow,
    Redeploy,
    Return,
    RollOff,
    Turn,
    VoidState,
    VoidTable,
    VoidUnit,
    Volley,
)

__all__ = ["FRAMES", "opening", "read_agenda"]

FRAMES: dict[str, type[Frame]] = {
    one.kind: one for one in vars(frames).values() if isinstance(one, type) and issubclass(one, Frame) and one.kind
}
"""Every kind of frame."""

UNITS = ("unit", "responder", "shooter", "target")
"""Fields of frames and of shots on their way that name a unit."""

UNIT_LISTS = ("pinned", "defending", "partners")
COMMANDS = ("command", "response")

OWNERLESS = (RollOff, Turn, Deploy, DamageRoll)
"""Frames that begin without an owner, where it is known who acts first."""


def opening(state: VoidState, form: BattleForm) -> VoidState:
    """The agenda of a battle that its file says nothing about: roll off, deploy, then take turns.

    Where nobody deploys and units wait to come on, the turn has not begun yet, unless the file says what is left
    of its points.
    """
    waiting = any(unit.reserve and not unit.models for unit in state.units)
    begins = waiting and not mission_of(state).formations and form.points is None and form.threat is None
    owner = "" if begins else form.active or state.first
    agenda: tuple[Frame, ...] = (Turn(owner=owner),)
    if waiting:
        agenda += (Deploy(),)
    if not state.first:
        agenda += (RollOff(),)
    defender = state.defender or state.first
    return replace(state, agenda=agenda, defender=defender)


def read_agenda(
    form: BattleForm, table: VoidTable, units: tuple[VoidUnit, ...], faults: Faults, *, armies_whole: bool
) -> tuple[Frame, ...]:
    """The frames of the file's agenda, each fault noted; none where the file has no agenda.

    Args:
        form: the file
        table: what the battle shares
        units: all units that could be read
        faults: collects what is wrong
        armies_whole: whether every unit could be read; otherwise known names would look unknown
    """
    found = []
    for i, entry in enumerate(form.agenda or ()):
        frame = frame_from_data(entry, FRAMES, f"agenda[{i}]", faults)
        if frame is not None:
            found.append((f"agenda[{i}]", frame))
    agenda = tuple(frame for _, frame in found)
    if armies_whole:
        for where, frame in found:
            _check_frame(where, frame, table, units, faults)
    _check_sides(form, found, faults)
    if agenda and armies_whole and not faults.within("agenda"):
        _check_innermost(f"agenda[{len(agenda) - 1}]", agenda, units, faults)
    return agenda


def _check_sides(form: BattleForm, found: list[tuple[str, Frame]], faults: Faults) -> None:
    """Note owners that are no side or missing, and a turn that is not of the side said to be active."""
    first = form.first or form.scenario.first or form.active
    waits = not first and not any(isinstance(frame, RollOff) for _, frame in found)
    for where, frame in found:
        if frame.owner and frame.owner not in SIDES:
            faults.unknown(f"{where}.owner", "side", frame.owner, SIDES)
        elif not frame.owner and (not isinstance(frame, OWNERLESS) or (waits and isinstance(frame, Turn | Deploy))):
            faults.add(f"{where}.owner", "missing", "one of 'red', 'blue'")
        elif isinstance(frame, Turn) and form.active is not None and frame.owner not in ("", form.active):
            faults.add("active", f"found {form.active!r}", f"{frame.owner!r}, as the agenda's turn says")


def _check_frame(where: str, frame: Frame, table: VoidTable, units: tuple[VoidUnit, ...], faults: Faults) -> None:
    """Note every unknown unit, model, command, weapon or step that a frame names."""
    known = {unit.id: unit for unit in units}
    for place, name in _unit_names(where, frame):
        if name not in known:
            faults.unknown(place, "unit", name, tuple(known))
    commands = tuple(name for name, _ in table.commands)
    for key in COMMANDS:
        name = getattr(frame, key, "")
        if name and name not in commands:
            faults.unknown(f"{where}.{key}", "command", name, commands)
    _check_plans(where, frame, units, faults)
    _check_weapons(where, frame, table, known, faults)
    _check_steps(where, frame, faults)
    for place, number in _counts(where, frame):
        if number < 0:
            faults.wrong(place, number, "at least 0")


def _unit_names(where: str, frame: Frame) -> Iterator[tuple[str, str]]:
    """Every unit that a frame names, with its field."""
    for one in fields(frame):
        value, place = getattr(frame, one.name), f"{where}.{one.name}"
        if one.name in UNITS and value:
            yield place, value
        elif one.name in UNIT_LISTS:
            yield from ((f"{place}[{i}]", name) for i, name in enumerate(value))
        elif one.name == "targets":
            yield from ((f"{place}[{i}][1]", name) for i, (_, name) in enumerate(value))
        elif one.name in ("near_before", "met"):
            yield from ((f"{place}[{i}][{j}]", name) for i, pair in enumerate(value) for j, name in enumerate(pair))
        elif one.name == "dragging":
            yield from ((f"{place}[{i}][{j}]", name) for i, row in enumerate(value) for j, name in enumerate(row[:2]))
        elif one.name == "moved":
            yield from ((f"{place}[{i}][0]", row[0]) for i, row in enumerate(value))
        elif one.name == "buffer":
            for i, fire in enumerate(value):
                yield from ((f"{place}[{i}].{key}", getattr(fire, key)) for key in ("shooter", "target"))


def _counts(where: str, frame: Frame) -> Iterator[tuple[str, int]]:
    """Every number of dice, hits or models in a frame, with its field."""
    if isinstance(frame, Volley):
        yield from ((f"{where}.weapons[{i}][1]", dice) for i, (_, dice) in enumerate(frame.weapons))
    elif isinstance(frame, Casualties | Return | Follow):
        yield f"{where}.count", frame.count
    elif isinstance(frame, Exchange):
        for i, fire in enumerate(frame.buffer):
            keys = ("criticals", "locks", "damage")
            yield from ((f"{where}.buffer[{i}].{key}", getattr(fire, key)) for key in keys)


def _check_plans(where: str, frame: Frame, units: tuple[VoidUnit, ...], faults: Faults) -> None:
    known = tuple(sorted({name for unit in units for name in _models(unit)}))
    for key in ("plan", "response_plan"):
        for i, (name, _) in enumerate(getattr(frame, key, ())):
            if name not in known:
                faults.unknown(f"{where}.{key}[{i}][0]", "model", name, known)
    pulled = getattr(frame, "pulled", "")
    if pulled and pulled not in known:
        faults.unknown(f"{where}.pulled", "model", pulled, known)


def _models(unit: VoidUnit) -> tuple[str, ...]:
    return (*(model.id for model in unit.models), *unit.reserve, *unit.lost)


def _check_weapons(where: str, frame: Frame, table: VoidTable, units: Mapping[str, VoidUnit], faults: Faults) -> None:
    """Note weapons that their shooters do not have."""
    named: list[tuple[str, str, str]] = []
    if isinstance(frame, Volley):
        named = [(f"{where}.weapons[{i}][0]", frame.shooter, weapon) for i, (weapon, _) in enumerate(frame.weapons)]
    elif isinstance(frame, Exchange):
        shots: tuple[Fire, ...] = frame.buffer
        named = [(f"{where}.buffer[{i}].weapon", fire.shooter, fire.weapon) for i, fire in enumerate(shots)]
    profiles = dict(table.profiles)
    for place, shooter, weapon in named:
        unit = units.get(shooter)
        profile = profiles.get(unit.profile) if unit is not None else None
        arms = () if profile is None else tuple(one.id for one in profile.weapons)
        if profile is not None and weapon not in arms:
            faults.unknown(place, f"weapon of {shooter}", weapon, arms)


def _check_steps(where: str, frame: Frame, faults: Faults) -> None:
    """Note steps of an exchange that the rules do not have."""
    if not isinstance(frame, Exchange):
        return
    from tactician.rules.voidsiege.exchange import FURTHER, STEPS

    known = ("answer", "name", *FURTHER, *STEPS)
    for i, step in enumerate(frame.todo):
        name, _, role = step.partition(":")
        if name not in known or role not in ("", "command", "response"):
            faults.unknown(f"{where}.todo[{i}]", "step", step, known)


def _check_innermost(where: str, agenda: tuple[Frame, ...], units: tuple[VoidUnit, ...], faults: Faults) -> None:
    """Note an innermost frame that asks a unit without models, more losses than it has, or shots that are not there."""
    frame = agenda[-1]
    known = {unit.id: unit for unit in units}
    name = getattr(frame, "unit", "")
    unit = known.get(name)
    if unit is not None and not unit.models and not isinstance(frame, Redeploy):
        faults.add(f"{where}.unit", f"{name} has no models on the table", "a unit that can still act")
    elif isinstance(frame, Casualties) and unit is not None and frame.count < 1:
        faults.wrong(f"{where}.count", frame.count, "at least 1")
    elif isinstance(frame, Combine) and not frame.partners:
        faults.add(f"{where}.partners", "no partners", "the units that can be joined")
    exchanges = [one for one in agenda if isinstance(one, Exchange)]
    if not isinstance(frame, RollOff | Deploy | Turn | Arrivals | Redeploy) and not exchanges:
        faults.add(where, f"a frame {frame.kind!r} outside an exchange", "an exchange below it")
    elif isinstance(frame, DamageRoll):
        shots = len(exchanges[-1].buffer)
        for i, number in enumerate(frame.todo):
            if not 0 <= number < shots:
                faults.wrong(f"{where}.todo[{i}]", number, f"a place in the buffer of {shots}")
