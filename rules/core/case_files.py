"""Cases: situations with a verdict, in files that anybody can write. This is how rules are tested and bugs reported.

A file holds one case, or a list of them under ``cases`` with what they share beside it::

    {"case": "no end near an enemy", "clause": "XX-12", "source": "own", "battle": "two_units.json",
     "set": {"sides.blue.units.B.models.B1.at": [16.9, 10]},
     "steps": [{"do": "R move R1: 14,10", "expect": {"violates": ["XX-12"], "measured": 1.9}},
               {"do": {"clip": "R move R1: 14,10"}, "expect": {"values": {"models.R1.x": [13.9, 0.01]}}},
               {"dice": 3}]}

A path under ``set`` goes through objects by key and through lists by the id of an entry or its number. Orders are lines
of `tactician.rules.core.notation` or actions as data; ``clip`` carries one out as far as it is legal. A step is
expected to be legal unless it says otherwise; one that breaks clauses or is refused changes nothing.

``dice`` is an outcome, or a list of outcomes that fall one after another. A plain list of numbers is one outcome
where the roll asks for several numbers at once, and otherwise one outcome for each roll.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tactician.rules.core.action import Action
from tactician.rules.core.codec import ActionForm, action_of
from tactician.rules.core.decoding import BAD, decode
from tactician.rules.core.files import BadInput, Fault, Faults, read_data
from tactician.rules.core.files_schema import CaseFileForm, CaseForm, ClipForm, ExpectForm, StepForm
from tactician.rules.core.forms import nearest
from tactician.rules.core.notation import NotationError, action_from_text

__all__ = ["Case", "Expected", "Step", "case_files", "read_cases", "set_at"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What must come of a step; legal where nothing is refused."""

    violates: tuple[str, ...] = ()
    measured: float | None = None
    refused: str | None = None
    values: tuple[tuple[str, Any], ...] = ()

    @property
    def is_legal(self) -> bool:
        """Whether the step must be carried out."""
        return not self.violates and self.refused is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step: an action or what clips it, outcomes of the dice, and what must come of it."""

    action: Action | None = None
    clipped: bool = False
    """Whether the action is carried out as far as it is legal."""
    dice: int | tuple[int | tuple[int, ...], ...] | None = None
    expected: Expected = Expected()


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A situation with a verdict."""

    name: str
    clause: str
    source: str
    """``notes``, ``corner 12``, ``corrected`` or ``own``."""
    battle: Mapping[str, Any]
    """The battle as data, changed as the case says."""
    steps: tuple[Step, ...]
    file: str = ""


# ---- reading ---------------------------------------------------------------------------------------------------------


def case_files(paths: Iterable[str | Path]) -> tuple[Path, ...]:
    """The files that paths stand for: a folder stands for every .toml and .json file below it, sorted.

    Raises:
        BadInput: a folder holds none.
    """
    found: list[Path] = []
    for path in map(Path, paths):
        if not path.is_dir():
            found.append(path)
            continue
        inside = sorted(one for one in path.rglob("*") if one.suffix in (".toml", ".json") and one.is_file())
        if not inside:
            raise BadInput([Fault(file=str(path), found="no case files in this folder", expected="*.toml or *.json")])
        found += inside
    return tuple(found)


def read_cases(path: str | Path) -> tuple[Case, ...]:
    """The cases in a file.

    Raises:
        BadInput: with everything that is wrong with it.
    """
    data = read_data(path)
    faults = Faults()
    if "cases" in data:
        cases = _read_file(data, Path(path), faults)
    else:
        form = decode(CaseForm, data, "", faults)
        cases = [] if form is BAD else [_case(form, "", Path(path), faults)]
    try:
        faults.check()
    except BadInput as error:
        raise error.in_file(path) from None
    return tuple(cases)


def _read_file(data: Mapping[str, Any], path: Path, faults: Faults) -> list[Case]:
    shared = {key: data[key] for key in ("battle", "clause", "source") if key in data}
    rows = data["cases"]
    if not isinstance(rows, list) or not rows:
        faults.wrong("cases", rows, "a list of cases")
        return []
    filled = [{**shared, **row} if isinstance(row, dict) else row for row in rows]
    form = decode(CaseFileForm, {**data, "cases": filled}, "", faults)
    if form is BAD or faults:
        return []
    return [_case(one, f"cases[{i}]", path, faults) for i, one in enumerate(form.cases)]


def _case(form: CaseForm, where: str, path: Path, faults: Faults) -> Case:
    before = f"{where}." if where else ""
    battle = _battle(form, f"{before}battle", path, faults)
    for place, value in form.set.items():
        try:
            set_at(battle, place, value)
        except LookupError as error:
            faults.add(f"{before}set", str(error.args[0]))
    if not form.steps and not faults.within(f"{before}steps"):
        faults.add(f"{before}steps", "no steps", "at least one")
    steps = tuple(_step(step, f"{before}steps[{i}]", faults) for i, step in enumerate(form.steps))
    return Case(name=form.case, clause=form.clause, source=form.source, battle=battle, steps=steps, file=str(path))


def _battle(form: CaseForm, where: str, path: Path, faults: Faults) -> dict[str, Any]:
    """The battle as data of its own, by name relative to the case's file."""
    if isinstance(form.battle, str):
        try:
            return deepcopy(read_data(path.parent / form.battle))
        except BadInput as error:
            faults.found += error.faults
    elif form.battle is None:
        faults.add(where, "missing", "a battle, or the name of its file")
    return deepcopy(form.battle) if isinstance(form.battle, dict) else {}


def _step(form: StepForm, where: str, faults: Faults) -> Step:
    given, clipped = (form.do.clip, True) if isinstance(form.do, ClipForm) else (form.do, False)
    if given is None and form.dice is None and not faults.within(where):
        faults.add(where, "a step that does nothing", "do or dice")
    expected = Expected()
    if isinstance(form.expect, ExpectForm):
        one = form.expect
        values = tuple(one.values.items())
        expected = Expected(violates=one.violates, measured=one.measured, refused=one.refused, values=values)
        if expected == Expected() and not faults.within(f"{where}.expect"):
            faults.add(f"{where}.expect", "nothing expected", "'legal', violates, refused or values")
        elif not expected.is_legal and (values or (given is not None and form.dice is not None)):
            faults.add(f"{where}.expect", "a refused step with dice or values", "a step of its own for them")
    action = action_of(given) if isinstance(given, ActionForm) else None
    if isinstance(given, str):
        try:
            action = action_from_text(given)
        except NotationError as error:
            faults.add(f"{where}.do", f"{given!r} {error}")
    return Step(action=action, clipped=clipped, dice=form.dice, expected=expected)


def set_at(data: dict[str, Any], path: str, value: Any) -> None:
    """Change a field of a battle's data.

    Args:
        data: changed in place; objects that do not exist on the way are made
        path: keys with dots between them; an entry of a list by its id, or by its number from 0
        value: what to put there

    Raises:
        LookupError: a list on the way has no such entry.
    """
    here: Any = data
    left = path.split(".")
    while True:
        key, used = _next_key(here, left, path)
        left = left[used:]
        if not left:
            here[key] = value
            return
        if isinstance(here, dict) and not isinstance(here.get(key), dict | list):
            here[key] = {}
        here = here[key]


def _next_key(here: Any, left: Sequence[str], path: str) -> tuple[Any, int]:
    """Key or index of the next part of a path, and how many of its words it takes: names may hold dots."""
    for used in range(len(left), 0, -1):
        name = ".".join(left[:used])
        if isinstance(here, dict) and name in here:
            return name, used
        if isinstance(here, list):
            for index, entry in enumerate(here):
                if isinstance(entry, dict) and entry.get("id") == name:
                    return index, used
    if isinstance(here, dict):
        return left[0], 1
    if isinstance(here, list) and left[0].isdecimal() and int(left[0]) < len(here):
        return int(left[0]), 1
    known = tuple(str(entry["id"]) for entry in here if isinstance(entry, dict) and "id" in entry) if here else ()
    raise LookupError(f"{path}: there is no entry {left[0]!r}{nearest(left[0], known)}")
