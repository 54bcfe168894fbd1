"""What is going on in a battle, out of its file: frames that name only what exists, or the opening of a new battle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tactician.rules.core.agenda import Frame
from tactician.rules.core.codec import frame_from_data
from tactician.rules.core.derive import but
from tactician.rules.core.files import Faults
from tactician.rules.core.state import SIDES
from tactician.rules.wh40k2e import state as frames
from tactician.rules.wh40k2e.file_form import BattleForm
from tactician.rules.wh40k2e.state import (
    Deploy,
    FirstTurn,
    Follow,
    Moving,
    React,
    Scatter,
    Shooting,
    Shots,
    Squad,
    SquadState,
    SquadTable,
    Targeting,
    Turn,
    Volleys,
)

__all__ = ["FRAMES", "opening", "read_agenda"]

FRAMES: dict[str, type[Frame]] = {
    one.kind: one for one in vars(frames).values() if isinstance(one, type) and issubclass(one, Frame) and one.kind
}
"""Every kind of frame."""

UNITS = ("unit", "target", "mover")
"""Fields of frames that name a unit."""

UNIT_LISTS = ("answered", "targets", "watchers")
MODELS = ("first", "second", "striker", "victim", "lone")
"""Fields of frames that name a model."""

MODEL_LISTS = ("free", "models", "several", "next")
BY_MODEL = ("plan", "spent", "walked", "begun")

ASKING = (Turn, Moving, React, frames.Alert, Targeting, Follow, frames.Bonus, frames.Queue)
"""Frames that may ask their owner, who therefore has to be known."""

OUTERMOST = (Deploy, FirstTurn, Turn)
"""Frames below which there need be none."""


def opening(state: SquadState, form: BattleForm) -> SquadState:
    """The agenda of a battle that its file says nothing about: deploy if anybody waits, then take turns."""
    if any(unit.reserve and not unit.models for unit in state.units):
        return but(state, agenda=(FirstTurn(), Deploy()))
    owner = form.active or state.first or SIDES[0]
    return but(state, first=state.first or owner, agenda=(Turn(owner=owner, phase=form.phase),))


def read_agenda(
    form: BattleForm, table: SquadTable, units: tuple[Squad, ...], faults: Faults, *, armies_whole: bool
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
    if armies_whole:
        known = _Known.of(table, units)
        for where, frame in found:
            for name in _names(where, frame):
                known.check(name, faults)
            for place, number in _counts(where, frame):
                if number < 0:
                    faults.wrong(place, number, "at least 0")
    _check_sides(form, found, faults)
    if found and armies_whole and not faults.within("agenda"):
        _check_innermost(found, units, faults)
    return tuple(frame for _, frame in found)


def _check_sides(form: BattleForm, found: list[tuple[str, Frame]], faults: Faults) -> None:
    """Note owners that are no side or missing, and a turn that is not of the side said to be active."""
    kinds = {type(frame) for _, frame in found}
    begins = FirstTurn in kinds or Deploy in kinds
    for where, frame in found:
        if frame.owner and frame.owner not in SIDES:
            faults.unknown(f"{where}.owner", "side", frame.owner, SIDES)
        elif not frame.owner and isinstance(frame, ASKING) and not (begins and isinstance(frame, Turn)):
            faults.add(f"{where}.owner", "missing", "one of 'red', 'blue'")
        elif isinstance(frame, Turn) and form.active is not None and frame.owner not in ("", form.active):
            faults.add("active", f"found {form.active!r}", f"{frame.owner!r}, as the agenda's turn says")


# ---- names in frames -------------------------------------------------------------------------------------------------

Name = tuple[str, str, str]
"""Field, what it names (``unit``, ``model``, ``either``, ``aim``, ``weapon``), and the name."""


@dataclass(frozen=True, slots=True)
class _Known:
    """Every name that a frame may use."""

    units: tuple[str, ...]
    models: tuple[str, ...]
    weapons: tuple[str, ...]

    @classmethod
    def of(cls, table: SquadTable, units: tuple[Squad, ...]) -> _Known:
        """The names of a battle."""
        models = tuple(sorted({name for unit in units for name, _ in unit.gear}))
        return cls(tuple(unit.id for unit in units), models, tuple(name for name, _ in table.weapons))

    def check(self, name: Name, faults: Faults) -> None:
        """Note a name that does not exist."""
        place, what, given = name
        if what == "aim":
            given, colon, weapon = given.partition(":")
            if colon and weapon not in self.weapons:
                faults.unknown(place, "weapon", weapon, self.weapons)
            what = "unit"
        if what == "either":
            what = "model" if given in self.models else "unit"
        known = {"unit": self.units, "model": self.models, "weapon": self.weapons}[what]
        if given not in known:
            faults.unknown(place, what, given, known)


def _names(where: str, frame: Frame) -> Iterator[Name]:
    """Every unit, model and weapon that a frame names."""
    for key in UNITS:
        if getattr(frame, key, ""):
            yield f"{where}.{key}", "unit", getattr(frame, key)
    for key in UNIT_LISTS:
        yield from ((f"{where}.{key}[{i}]", "unit", name) for i, name in enumerate(getattr(frame, key, ())))
    for key in MODELS:
        if getattr(frame, key, ""):
            yield f"{where}.{key}", "model", getattr(frame, key)
    for key in MODEL_LISTS:
        yield from ((f"{where}.{key}[{i}]", "model", name) for i, name in enumerate(getattr(frame, key, ())))
    for key in BY_MODEL:
        yield from ((f"{where}.{key}[{i}][0]", "model", row[0]) for i, row in enumerate(getattr(frame, key, ())))
    match frame:
        case Turn():
            yield from ((f"{where}.todo[{i}][1]", "either", name) for i, (_, name) in enumerate(frame.todo))
            for i, pair in enumerate(frame.fought):
                yield from ((f"{where}.fought[{i}][{j}]", "model", name) for j, name in enumerate(pair))
        case React():
            for i, row in enumerate(frame.windows):
                yield f"{where}.windows[{i}][0]", "unit", row[0]
                yield f"{where}.windows[{i}][1]", "model", row[1]
        case Shooting():
            for i, (model, aim) in enumerate(frame.orders):
                yield f"{where}.orders[{i}][0]", "model", model
                yield f"{where}.orders[{i}][1]", "aim", aim
    for place, shots in _shots(where, frame):
        yield f"{place}.weapon", "weapon", shots.weapon
        yield f"{place}.target", "unit", shots.target
        for key in ("shooters", "reach"):
            yield from ((f"{place}.{key}[{i}]", "model", name) for i, name in enumerate(getattr(shots, key)))


def _shots(where: str, frame: Frame) -> Iterator[tuple[str, Shots]]:
    """Shots on their way in a frame, each with its field."""
    match frame:
        case Shooting():
            yield from ((f"{where}.todo[{i}]", shots) for i, shots in enumerate(frame.todo))
        case Volleys():
            yield from ((f"{where}.groups[{i}]", shots) for i, shots in enumerate(frame.groups))
        case Scatter():
            yield f"{where}.shots", frame.shots


def _counts(where: str, frame: Frame) -> Iterator[tuple[str, float]]:
    """Every number of dice, hits or inches in a frame, with its field."""
    for key in ("hits", "rolled", "allowance"):
        yield f"{where}.{key}", getattr(frame, key, 0)
    for key in ("extra", "parries"):
        yield from ((f"{where}.{key}[{i}]", number) for i, number in enumerate(getattr(frame, key, ())))
    for place, shots in _shots(where, frame):
        yield f"{place}.count", shots.count


def _check_innermost(found: list[tuple[str, Frame]], units: tuple[Squad, ...], faults: Faults) -> None:
    """Note frames outside a turn, and an innermost frame that asks a unit without models."""
    where, frame = found[-1]
    outer = found[0]
    if not isinstance(outer[1], OUTERMOST):
        faults.add(outer[0], f"a frame {outer[1].kind!r} outside a turn", "a turn below it")
    if isinstance(frame, Moving | Targeting | Follow):
        unit = next(one for one in units if one.id == frame.unit)
        if not unit.models:
            faults.add(f"{where}.unit", f"{unit.id} has no models on the table", "a unit that can still act")
        elif unit.side != frame.owner:
            faults.add(f"{where}.owner", f"{unit.id} belongs to {unit.side}", f"{unit.side!r}")
