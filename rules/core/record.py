"""Records: a game as its start and everything that was done and rolled since, one JSON line each.

The first line names the format, the product's and the ruleset's version, the seed that the dice had (for whoever
wants to know; a replay draws nothing) and the battle at the start. Then comes a line for every ply, and one for the end
of a game that has ended::

    {"format": "tactician-record/1", "product": "0.1.0", "ruleset": {"id": ...}, "seed": 7, "start": {...}}
    {"do": {"unit": "R", "verb": "shoot", "targets": {"shoot": "B"}}, "side": "red"}
    {"dice": [1, 2], "why": "target lock"}
    {"end": {"ending": "annihilation", "returns": [1.0, -1.0]}}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.chance import DiceError, Outcome
from tactician.rules.core.codec import action_to_data, outcome_from_data, outcome_to_data, read_action
from tactician.rules.core.decoding import BAD, decode
from tactician.rules.core.files import BadInput, Fault, Faults, json_text, parse_json, quoted, read_text, write_text
from tactician.rules.core.notation import action_to_text
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State

__all__ = ["FORMAT", "Did", "End", "Fell", "Ply", "Record", "ReplayError", "read_record", "replay", "write_record"]

FORMAT = "tactician-record/1"

LARGEST = 64 * 1024 * 1024
"""Bytes above which a record cannot be meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Did:
    """A ply: what a side did."""

    side: str
    action: Action


@dataclass(frozen=True, slots=True, kw_only=True)
class Fell:
    """A ply: an outcome of the dice, and what was rolled for."""

    outcome: Outcome
    why: str = ""


Ply = Did | Fell


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """How a finished game ended, and what it was worth to red and blue."""

    ending: str = ""
    returns: tuple[float, float] | None = None


@dataclass(slots=True, kw_only=True)
class Record:
    """A game so far; grows at its end."""

    product: str
    """Version of the product that wrote it."""
    ruleset: str
    version: str
    """Version of the ruleset."""
    start: Mapping[str, Any]
    """The battle as data."""
    seed: int | str | None = None
    """Seed of the dice, None where people threw them."""
    plies: list[Ply] = field(default_factory=list)
    end: End | None = None

    def did(self, side: str, action: Action) -> None:
        """Append what a side did."""
        self.plies.append(Did(side=side, action=action))

    def fell(self, outcome: Outcome, why: str = "") -> None:
        """Append an outcome of the dice."""
        self.plies.append(Fell(outcome=outcome, why=why))

    def write(self, path: str | Path) -> None:
        """Write the whole record at once.

        Raises:
            BadInput: it cannot be written there.
        """
        write_record(self, path)


class ReplayError(ValueError):
    """A record does not fit the rules; `ply` is the number of the first ply that fails, from 1."""

    def __init__(self, ply: int, text: str) -> None:
        """Keep the number."""
        super().__init__(f"ply {ply}: {text}" if ply else text)
        self.ply = ply


# ---- writing and reading ---------------------------------------------------------------------------------------------


def record_text(record: Record) -> str:
    """The lines of a record."""
    head = {
        "format": FORMAT,
        "product": record.product,
        "ruleset": {"id": record.ruleset, "version": record.version},
        "seed": record.seed,
        "start": record.start,
    }
    lines = [head, *(_ply_data(ply) for ply in record.plies)]
    if record.end is not None:
        returns = None if record.end.returns is None else list(record.end.returns)
        lines.append({"end": {"ending": record.end.ending, "returns": returns}})
    return "".join(f"{json_text(line, indent=None)}\n" for line in lines)


def _ply_data(ply: Ply) -> dict[str, Any]:
    match ply:
        case Did(side=side, action=action):
            return {"do": action_to_data(action), "side": side}
        case Fell(outcome=outcome, why=why):
            return {"dice": outcome_to_data(outcome), "why": why}


def write_record(record: Record, path: str | Path) -> None:
    """Write a record as a whole.

    Raises:
        BadInput: it cannot be written there.
    """
    write_text(path, record_text(record))


def read_record(path: str | Path) -> Record:
    """The record in a file.

    Raises:
        BadInput: it cannot be read, with every line that is wrong.
    """
    try:
        return record_from_text(read_text(path, LARGEST))
    except BadInput as error:
        raise error.in_file(path) from None


def record_from_text(text: str) -> Record:
    """The record that lines stand for.

    Raises:
        BadInput: with every line that is wrong.
    """
    faults = Faults()
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if not lines:
        raise BadInput([Fault(found="an empty file", expected="a record, one JSON object a line")])
    record: Record | None = None
    for place, (number, line) in enumerate(lines):
        data = _line(line, f"line {number}", faults)
        if data is None:
            continue
        if place == 0:
            record = _head(data, f"line {number}", faults)
        elif record is not None:
            _body(record, data, f"line {number}", faults, is_last=place == len(lines) - 1)
    faults.check()
    assert record is not None
    return record


def _line(line: str, where: str, faults: Faults) -> dict[str, Any] | None:
    try:
        data = parse_json(line)
    except BadInput as error:
        faults.found += [replace(fault, where=": ".join(filter(None, (where, fault.where)))) for fault in error.faults]
        return None
    if isinstance(data, dict):
        return data
    faults.wrong(where, data, "an object")
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Played:
    id: str
    version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    start: dict[str, Any]
    ruleset: _Played
    format: str = ""
    product: str = ""
    seed: int | str | None = None


def _head(data: dict[str, Any], where: str, faults: Faults) -> Record | None:
    if data.get("format") != FORMAT:
        found = f"found {quoted(data['format'])}" if "format" in data else "missing"
        faults.add(f"{where}: format", found, repr(FORMAT))
        return None
    head = decode(_Head, data, f"{where}: record", faults)
    if head is BAD:
        return None
    played: _Played = head.ruleset
    return Record(
        product=head.product, ruleset=played.id, version=played.version, seed=head.seed, start=dict(data["start"])
    )


def _body(record: Record, data: dict[str, Any], where: str, faults: Faults, *, is_last: bool) -> None:
    known = {"do": {"do", "side"}, "dice": {"dice", "why"}, "end": {"end"}}
    kinds = [key for key in known if key in data]
    if len(kinds) != 1 or not set(data) <= known[kinds[0]]:
        faults.wrong(where, data, "do and side, dice and why, or end")
        return
    match kinds[0]:
        case "do":
            action = read_action(data["do"], f"{where}: do", faults)
            side = decode(str, data.get("side", ""), f"{where}: side", faults)
            if action is not None and side is not BAD:
                record.did(side, action)
        case "dice":
            why = decode(str, data.get("why", ""), f"{where}: why", faults)
            try:
                record.fell(outcome_from_data(data["dice"], f"{where}: dice"), why)
            except BadInput as error:
                faults.found += error.faults
        case _:
            record.end = decode(End, data["end"], f"{where}: end", faults)
            if not is_last:
                faults.add(where, "the end of the game before the last line", "nothing after it")


# ---- replaying -------------------------------------------------------------------------------------------------------


def replay(record: Record, ruleset: Ruleset, to: int | None = None) -> State:
    """The moment after so many plies of a record, every action checked and every outcome accepted; nothing is drawn.

    Args:
        record: the game
        ruleset: the one that it was played with
        to: how many plies to play; None for all, and then the end is compared too

    Raises:
        ReplayError: naming the first ply that does not fit the rules, or an end that is another one.
        BadInput: the battle at the start cannot be read.
    """
    if record.ruleset != ruleset.info.id:
        raise ReplayError(0, f"the record is of {record.ruleset!r}, not of {ruleset.info.id!r}")
    if to is not None and not 0 <= to <= len(record.plies):
        raise ReplayError(0, f"the record has {len(record.plies)} plies, not {to}")
    state = ruleset.from_data(record.start)
    for number, ply in enumerate(record.plies[:to], start=1):
        state = _played(ruleset, state, ply, number)
    if to is None and record.end is not None:
        _same_end(ruleset, state, record.end)
    return state


def _played(ruleset: Ruleset, state: State, ply: Ply, number: int) -> State:
    mover = ruleset.to_move(state)
    match ply:
        case Did(side=side, action=action):
            told = f"{side}: {action_to_text(action)}"
            if mover != side:
                raise ReplayError(number, f"{told}: {_turn(mover)}")
            violations = ruleset.check(state, action)
            if violations:
                raise ReplayError(number, f"{told}: {'; '.join(str(violation) for violation in violations)}")
            return ruleset.apply(state, action)
        case Fell(outcome=outcome, why=why):
            if mover != CHANCE:
                raise ReplayError(number, f"dice {outcome_to_data(outcome)} ({why}): {_turn(mover)}")
            try:
                return ruleset.resolve(state, ruleset.pending(state).accept(outcome))
            except DiceError as error:
                raise ReplayError(number, str(error)) from None


def _turn(mover: str) -> str:
    if mover == TERMINAL:
        return "the game is over"
    return "dice must fall first" if mover == CHANCE else f"{mover} is to decide"


def _same_end(ruleset: Ruleset, state: State, end: End) -> None:
    ending, returns = ruleset.ending(state), ruleset.returns(state)
    if ending != end.ending:
        raise ReplayError(0, f"the record ends by {end.ending!r}, the replay by {ending!r}")
    if end.returns is not None and tuple(returns) != end.returns:
        raise ReplayError(0, f"the record ends with {end.returns} for red and blue, the replay with {tuple(returns)}")
