"""Reading what people give to a command: battles, orders, points, dice; and where answers may be written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isfinite
from pathlib import Path

from tactician.commands.told import neat_json
from tactician.errors import bad
from tactician.orders import OrderError, read
from tactician.rules.core.action import Action
from tactician.rules.core.chance import DiceError, Outcome, Roll, Stage
from tactician.rules.core.codec import action_from_data
from tactician.rules.core.files import BadInput, Fault, Faults, parse_json, quoted, read_data, write_text
from tactician.rules.core.forms import nearest
from tactician.rules.core.ruleset import (
    Option,
    OptionValue,
    Ruleset,
    RulesetError,
    Scenario,
    load_ruleset,
    ruleset_names,
)
from tactician.rules.core.shapes import Point
from tactician.rules.core.state import State

__all__ = [
    "DATA",
    "GAMES",
    "PICTURES",
    "RECORDS",
    "Throws",
    "a_battle",
    "default_ruleset",
    "is_file_name",
    "made",
    "outgoing",
    "point_of",
    "read_battle",
    "read_orders",
    "ruleset_of",
    "scenario_of",
    "small",
    "unit_of",
    "write_battle",
]

DATA = (".json",)
RECORDS = (".jsonl", ".json")
PICTURES = (".svg", ".png")

GAMES = f"The game: {' or '.join(ruleset_names())}."
"""Help of the options that name one."""

_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")


# ---- rulesets and battles --------------------------------------------------------------------------------------------


def default_ruleset() -> str:
    """The ruleset that is meant where none is named: the first."""
    return ruleset_names()[0]


def ruleset_of(name: str, where: str = "--rules") -> Ruleset:
    """A ruleset by the name that a person gave; the default one for an empty name.

    Raises:
        BadInput: there is none of this name.
    """
    try:
        return load_ruleset(name or default_ruleset())
    except RulesetError as error:
        raise bad(where, str(error)) from None


def read_battle(path: str) -> tuple[Ruleset, State]:
    """The ruleset and the moment of a battle file.

    Raises:
        BadInput: it cannot be read, with everything that is wrong with it.
    """
    data = read_data(path)
    named = data.get("ruleset")
    name = named.get("id") if isinstance(named, dict) else named
    try:
        if name is None and len(ruleset_names()) > 1:
            known = ", ".join(ruleset_names())
            raise BadInput([Fault(where="ruleset", found="missing", expected=f"one of {known}")])
        if name is not None and not isinstance(name, str):
            raise BadInput([Fault(where="ruleset", found=f"found {quoted(name)}", expected="the name of a ruleset")])
        ruleset = ruleset_of(name or "", "ruleset")
        return ruleset, ruleset.from_data(data)
    except BadInput as error:
        raise error.in_file(path) from None


def a_battle(path: str | None, rules: str = "") -> tuple[Ruleset, State]:
    """The battle in a file, or the small one that is built in."""
    if path is not None:
        return read_battle(path)
    ruleset = ruleset_of(rules)
    return ruleset, ruleset.start(Scenario(size=small(ruleset), deployed=True))


def small(ruleset: Ruleset) -> str:
    """The size of a battle that nobody asked to be larger: the smallest."""
    return ruleset.info.sizes[0]


def scenario_of(
    ruleset: Ruleset,
    *,
    size: str = "",
    mission: str = "",
    table: str = "",
    armies: str = "",
    options: Sequence[str] = (),
    deployed: bool = True,
) -> Scenario:
    """A scenario out of what was given by name.

    Raises:
        BadInput: armies or options are not written as expected, or a name is not known.
    """
    faults = Faults()
    info = ruleset.info
    for where, what, name, known in (
        ("--size", "size", size, info.sizes),
        ("--table", "table", table, info.tables),
    ):
        if name and name not in known:
            faults.unknown(where, what, name, known)
    sides = [one.strip() for one in armies.split(",")] if armies else ["", ""]
    if len(sides) != 2:
        faults.wrong("--armies", armies, "two names, red's and blue's, with a comma between them")
    for one in sides:
        if one and one not in info.armies:
            faults.unknown("--armies", "army", one, info.armies)
    chosen = [_option(ruleset, text, faults) for text in options]
    faults.check()
    usual = "skirmish" if "skirmish" in info.sizes else info.sizes[0]
    return Scenario(
        size=size or usual,
        mission=mission,
        table=table,
        armies=(sides[0], sides[1]),
        deployed=deployed,
        options=tuple(one for one in chosen if one is not None),
    )


def _option(ruleset: Ruleset, text: str, faults: Faults) -> tuple[str, OptionValue] | None:
    """One ``name=value``, the value read as the option's default is."""
    name, sign, value = text.partition("=")
    name = name.strip()
    found = next((one for one in ruleset.options if one.name == name), None)
    if not sign:
        faults.wrong("--option", text, "name=value")
    elif found is None:
        faults.unknown("--option", "option", name, [one.name for one in ruleset.options])
    else:
        read = _value(found, value.strip())
        if read is not None:
            return name, read
        faults.wrong(f"--option {name}", value, _values(found))
    return None


def _value(option: Option, text: str) -> OptionValue | None:
    """The value of an option that a text stands for, None where it is none."""
    if isinstance(option.default, bool):
        return {"true": True, "yes": True, "false": False, "no": False}.get(text.lower())
    if isinstance(option.default, str):
        return text if text in option.values else None
    try:
        number = float(text)
    except ValueError:
        return None
    fits = number in option.values if option.values else isfinite(number) and number >= option.least
    return number if fits else None


def _values(option: Option) -> str:
    if isinstance(option.default, bool):
        return "true or false"
    return f"one of {', '.join(map(str, option.values))}" if option.values else f"a number of at least {option.least:g}"


def made(ruleset: Ruleset, scenario: Scenario) -> State:
    """The first moment of a scenario.

    Raises:
        BadInput: a name in it is not known.
    """
    try:
        return ruleset.start(scenario)
    except RulesetError as error:
        raise bad("scenario", str(error)) from None


# ---- orders, units, points, dice -------------------------------------------------------------------------------------


def is_file_name(text: str) -> bool:
    """Whether an argument is the name of a file rather than words or JSON."""
    return not text.lstrip().startswith("{") and (text.lower().endswith((".json", ".toml")) or "/" in text)


def read_orders(ruleset: Ruleset, state: State, given: str) -> tuple[Action, ...]:
    """An order: the name of a JSON or TOML file, JSON itself, or words (which may hold several, joined by *then*).

    Raises:
        BadInput: it cannot be read.
    """
    text = given.strip()
    if text.startswith("{"):
        try:
            return (action_from_data(parse_json(text)),)
        except BadInput as error:
            raise error.in_file("ACTION") from None
    if is_file_name(text):
        data = read_data(text)
        try:
            return (action_from_data(data),)
        except BadInput as error:
            raise error.in_file(text) from None
    try:
        return read(ruleset, state, text).actions
    except OrderError as error:
        raise bad("ACTION", f"{quoted(text)}: {error}") from None


def unit_of(state: State, name: str, where: str = "UNIT") -> str:
    """The id of a unit by its id, or by its name where only one has it, capitals not minded.

    Raises:
        BadInput: there is no such unit, or several.
    """
    if state.has_unit(name):
        return name
    wanted = name.casefold()
    found = [unit.id for unit in state.units if wanted in (unit.id.casefold(), unit.name.casefold())]
    if len(found) == 1:
        return found[0]
    if found:
        raise bad(where, f"{quoted(name)} could be any of {', '.join(found)}", "one id")
    known = tuple(one for unit in state.units for one in (unit.id, unit.name))
    raise bad(where, f"there is no unit {quoted(name)}", hint=nearest(name, known))


def point_of(text: str, where: str) -> Point:
    """A point written as ``x,y``.

    Raises:
        BadInput: it is no point.
    """
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        raise bad(where, f"found {quoted(text)}", "a point as X,Y in inches") from None
    if not (isfinite(x) and isfinite(y)):
        raise bad(where, f"found {quoted(text)}", "two ordinary numbers")
    return x, y


class Throws:
    """Dice that somebody threw or typed in, to be used up in their order.

    Whole numbers are faces, as many as each roll asks for, stage after stage. ``=N`` (or ``=N+M`` where a roll has
    several counts) is an outcome, and so is its name where outcomes have one.
    """

    def __init__(self, text: str, where: str = "--dice") -> None:
        """Take the text apart; empty for no dice."""
        self.where = where
        self.left = [part.strip() for part in text.split(",")] if text.strip() else []

    def next(self, roll: Roll) -> Outcome:
        """What the next dice come to for a roll.

        Raises:
            BadInput: they do not fit the roll.
        """
        first = self.left[0] if self.left else ""
        if not _WHOLE.fullmatch(first):
            self.left.pop(0)
            return self._outcome(roll, first)
        after: Stage | Outcome = roll.first_stage()
        while not isinstance(after, int | tuple):
            count = len(after.dice())
            faces, self.left = self.left[:count], self.left[count:]
            try:
                after = after.throw([int(face) for face in faces])
            except (DiceError, ValueError) as error:
                raise bad(self.where, _told(error, faces)) from None
        return after

    def _outcome(self, roll: Roll, text: str) -> Outcome:
        for outcome, _ in roll.support():
            if roll.tell(outcome).casefold() == text.casefold():
                return outcome
        try:
            numbers = [int(part) for part in text.removeprefix("=").split("+")] if text.startswith("=") else []
        except ValueError:
            numbers = []
        if not numbers:
            raise bad(self.where, f"found {quoted(text)}", f"faces, or an outcome as =N ({roll.ask()})")
        try:
            return roll.accept(numbers[0] if isinstance(roll.support()[0][0], int) else tuple(numbers))
        except DiceError as error:
            raise bad(self.where, str(error)) from None

    def check_all_used(self, awaited: str) -> None:
        """Refuse dice that nothing asked for.

        Args:
            awaited: what is awaited instead of dice, in words

        Raises:
            BadInput: some are left.
        """
        if self.left:
            raise bad(
                self.where, f"{', '.join(self.left)} left over while {awaited}", "only dice that the rules ask for"
            )


def _told(error: ValueError, faces: Sequence[str]) -> str:
    return str(error) if isinstance(error, DiceError) else f"found {', '.join(faces)}, expected whole numbers"


# ---- writing ---------------------------------------------------------------------------------------------------------


def outgoing(path: str, suffixes: tuple[str, ...], where: str) -> Path:
    """A place for an answer, looked at before the work begins.

    Raises:
        BadInput: the name ends otherwise, or the folder does not exist.
    """
    place = Path(path)
    if place.suffix.lower() not in suffixes:
        raise bad(where, f"{path} ends in {place.suffix or 'nothing'}", f"a name that ends in {' or '.join(suffixes)}")
    if place.is_dir():
        raise bad(where, f"{path} is a folder", "a file")
    if not place.parent.is_dir():
        raise bad(where, f"{path}: there is no folder {place.parent}")
    return place


def write_battle(ruleset: Ruleset, state: State, place: Path) -> None:
    """Write a battle as a whole or not at all."""
    write_text(place, neat_json(ruleset.to_data(state)) + "\n")
