"""The file boundary: reading bytes, writing them all or not at all, and saying everything that is wrong at once."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from json import JSONDecodeError
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, NoReturn

from tactician.rules.core.forms import nearest
from tactician.rules.core.measure import is_finite

__all__ = ["LARGEST", "BadInput", "Fault", "Faults", "json_text", "parse_json", "read_data", "read_text", "write_text"]

LARGEST = 16 * 1024 * 1024
"""Bytes above which a battle, action or case file cannot be meant."""

SHOWN = 12
"""Faults that a message lists before it counts the rest."""

FEW = 4
"""Entries of a list that a message quotes one by one."""

LONG = 60
"""Characters of a found value that a message quotes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing wrong with what was read."""

    where: str = ""
    """Path of the field, such as ``sides.blue.units[0].models[1].at``."""
    found: str = ""
    """What stands there, in words."""
    expected: str = ""
    """What could stand there."""
    hint: str = ""
    """The nearest known names, as `tactician.rules.core.forms.nearest` puts them."""
    file: str = ""
    """The file, where there is one."""

    def __str__(self) -> str:
        """One line: file, field, found, expected, nearest known name."""
        place = ": ".join(part for part in (self.file, self.where) if part)
        wanted = f", expected {self.expected}" if self.expected else ""
        return f"{place + ': ' if place else ''}{self.found}{wanted}{self.hint}"


class BadInput(ValueError):
    """What was read cannot be used; `faults` lists everything that is wrong with it."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        """Keep the faults; the message has one line for each, the first ones at least."""
        self.faults = tuple(faults)
        super().__init__(self.faults)

    def __str__(self) -> str:
        """All faults, one a line, the last ones only counted where there are many."""
        lines = [str(fault) for fault in self.faults[:SHOWN]]
        if len(self.faults) > SHOWN:
            lines.append(f"and {len(self.faults) - SHOWN} more")
        return "\n".join(lines)

    def in_file(self, file: str | Path) -> BadInput:
        """The same faults, with the file that they stand in."""
        return BadInput(fault if fault.file else replace(fault, file=str(file)) for fault in self.faults)


class Faults:
    """Collects faults, so that a reader can go on after the first one."""

    def __init__(self) -> None:
        """Begin with none."""
        self.found: list[Fault] = []

    def __bool__(self) -> bool:
        """Whether anything is wrong so far."""
        return bool(self.found)

    def add(self, where: str, found: str, expected: str = "", hint: str = "") -> None:
        """Note a fault."""
        self.found.append(Fault(where=where, found=found, expected=expected, hint=hint))

    def wrong(self, where: str, value: object, expected: str) -> None:
        """Note a value that is not what was expected."""
        self.add(where, f"found {quoted(value)}", expected)

    def unknown(self, where: str, what: str, name: str, known: Iterable[str]) -> None:
        """Note a name that is not known."""
        self.add(where, f"there is no {what} {quoted(name)}", hint=nearest(name, tuple(known)))

    def within(self, *places: str) -> bool:
        """Whether a fault was noted at or below one of these fields."""
        return any(fault.where.startswith(places) for fault in self.found)

    def check(self) -> None:
        """Go on only if nothing is wrong.

        Raises:
            BadInput: something is.
        """
        if self.found:
            raise BadInput(self.found)


def quoted(value: object) -> str:
    """A value as a message shows it, cut where it is long."""
    if isinstance(value, Mapping):
        return f"an object with {', '.join(map(str, value)) or 'nothing in it'}"[:LONG]
    if isinstance(value, list | tuple) and (len(value) > FEW or any(isinstance(one, list | dict) for one in value)):
        return f"a list of {len(value)}"
    if isinstance(value, float) and not is_finite(value):
        return "a number that is not finite"
    text = repr(value) if not isinstance(value, bool) and value is not None else json.dumps(value)
    return text if len(text) <= LONG else f"{text[: LONG - 4]} ..."


# ---- reading ---------------------------------------------------------------------------------------------------------


def read_text(path: str | Path, largest: int = LARGEST) -> str:
    """The text of a file.

    Args:
        path: the file
        largest: bytes above which it is refused without being read

    Raises:
        BadInput: it is missing, a directory, unreadable, too large or not text.
    """
    place = Path(path)
    try:
        if place.is_dir():
            _refuse(place, "this is a directory", "a file")
        if not place.exists():
            _refuse(place, "there is no such file")
        with place.open("rb") as stream:
            content = stream.read(largest + 1)
    except OSError as error:
        _refuse(place, f"cannot be read ({error.strerror or error})")
    if len(content) > largest:
        _refuse(place, "the file is too large", f"at most {largest / 1024 / 1024:g} MiB")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        _refuse(place, f"byte {error.start} is not text", "UTF-8")


def read_data(path: str | Path, expect_format: str = "") -> dict[str, Any]:
    """The top-level object of a JSON or TOML file, told apart by suffix.

    Args:
        path: a file whose name ends in .json or .toml
        expect_format: value that its ``format`` must have if it has one; empty for any

    Raises:
        BadInput: it cannot be read, is not JSON or TOML, holds numbers that are not finite, or has another format.
    """
    place = Path(path)
    suffix = place.suffix.lower()
    text = read_text(place)
    if suffix not in (".json", ".toml"):
        _refuse(place, f"the name ends in {suffix or 'nothing'}", ".json or .toml")
    try:
        data = parse_toml(text) if suffix == ".toml" else parse_json(text)
        if not isinstance(data, dict):
            raise BadInput([Fault(found=f"found {quoted(data)}", expected="an object at the top level")])
        wanted_format(data, expect_format)
    except BadInput as error:
        raise error.in_file(place) from None
    return data


def wanted_format(data: Mapping[str, Any], expected: str) -> None:
    """Refuse another version of a format; a file that names none is taken to be of this one.

    Raises:
        BadInput: the format is another one.
    """
    found = data.get("format", expected)
    if expected and found != expected:
        raise BadInput([Fault(where="format", found=f"found {quoted(found)}", expected=repr(expected))])


def parse_json(text: str) -> Any:
    """The value that JSON text stands for.

    Raises:
        BadInput: with line and column where it is not JSON, or the fields whose numbers are not finite.
    """
    try:
        data = json.loads(text, object_pairs_hook=_once)
    except JSONDecodeError as error:
        reason = error.msg[:1].lower() + error.msg[1:]
        where = f"line {error.lineno}, column {error.colno}"
        raise BadInput([Fault(where=where, found=f"not JSON: {reason}")]) from None
    except BadInput:
        raise
    except RecursionError:
        raise BadInput([Fault(found="lists or objects nested too deeply", expected="JSON of a usual depth")]) from None
    except ValueError as error:
        raise BadInput([Fault(found=f"not JSON: {error}")]) from None
    _finite(data)
    return data


def parse_toml(text: str) -> dict[str, Any]:
    """The object that TOML text stands for.

    Raises:
        BadInput: with line and column where it is not TOML, or the fields whose numbers are not finite.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput([Fault(found=f"not TOML: {error}")]) from None
    except RecursionError:
        raise BadInput([Fault(found="lists or tables nested too deeply", expected="TOML of a usual depth")]) from None
    _finite(data)
    return data


def _once(entries: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(entries)
    if len(data) < len(entries):
        keys = [key for key, _ in entries]
        twice = sorted({key for key in keys if keys.count(key) > 1})
        raise BadInput([Fault(where=key, found="the key stands twice in one object") for key in twice])
    return data


def _finite(data: Any) -> None:
    faults = [
        Fault(where=where, found="a number that is not finite", expected="an ordinary number")
        for where, number in _numbers(data)
        if not is_finite(number)
    ]
    if faults:
        raise BadInput(faults)


def _numbers(data: Any) -> list[tuple[str, float]]:
    """Every number that is no whole one, with the path of its field."""
    found: list[tuple[str, float]] = []
    waiting: list[tuple[str, Any]] = [("", data)]
    while waiting:
        where, value = waiting.pop()
        if isinstance(value, float):
            found.append((where, value))
        elif isinstance(value, dict):
            waiting += [(f"{where}.{key}" if where else key, value[key]) for key in reversed(value)]
        elif isinstance(value, list):
            waiting += [(f"{where}[{i}]", value[i]) for i in reversed(range(len(value)))]
    return found


def _refuse(path: Path, found: str, expected: str = "") -> NoReturn:
    raise BadInput([Fault(file=str(path), found=found, expected=expected)])


# ---- writing ---------------------------------------------------------------------------------------------------------


def json_text(data: Any, *, indent: int | None = 1) -> str:
    """JSON text of data, its numbers written so that they read back exactly.

    Raises:
        ValueError: a number is not finite.
    """
    return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=indent)


def write_text(path: str | Path, text: str) -> None:
    """Write a file as a whole: whoever reads it sees the old text or the new one, never a part.

    Raises:
        BadInput: it cannot be written there.
    """
    place = Path(path)
    name = ""
    try:
        with NamedTemporaryFile(
            "w", encoding="utf-8", dir=place.parent, prefix=f".{place.name}.", delete=False, newline="\n"
        ) as stream:
            name = stream.name
            stream.write(text)
        os.chmod(name, place.stat().st_mode if place.exists() else 0o644)
        os.replace(name, place)
    except OSError as error:
        if name:
            Path(name).unlink(missing_ok=True)
        _refuse(place, f"cannot be written ({error.strerror or error})")
