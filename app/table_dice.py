"""Dice for a game at the table: thrown by the program from a seed, or by a person and read off what they type."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from tactician.agent.arena import DiceTower
from tactician.rules.core.chance import DiceError, Outcome, Roll
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State

__all__ = ["ProgramDice", "TableDice", "Thrower", "read_throw"]


class Thrower(Protocol):
    """Whoever throws the dice of a game."""

    def throw(self, ruleset: Ruleset, state: State) -> Outcome:
        """What the dice come to that must fall at a moment."""
        ...


class ProgramDice:
    """Dice that the program throws: decided by the seed and the place in the game, as in every match."""

    def __init__(self, seed: int) -> None:
        """Begin a game."""
        self._tower = DiceTower(seed)

    def throw(self, ruleset: Ruleset, state: State) -> Outcome:
        """What the dice come to that must fall at a moment."""
        return self._tower.roll(ruleset, state)


@dataclass(slots=True)
class TableDice:
    """Dice that a person throws: told what to throw, asked what came up, and asked again when that cannot be."""

    ask: Callable[[str], str]
    tell: Callable[[str], None]
    request: Callable[[str], bool]
    """Deals with a line that is no dice at all (help, save, quit ...); whether it was one."""

    def throw(self, ruleset: Ruleset, state: State) -> Outcome:
        """What the dice that were thrown come to."""
        roll = ruleset.pending(state)
        self.tell(f"dice: {roll.why}")
        while True:
            text = self.ask(f"{roll.ask()}; what came up? > ").strip()
            if self.request(text):
                continue
            try:
                return read_throw(roll, text)
            except DiceError as error:
                self.tell(str(error))


def read_throw(roll: Roll, text: str) -> Outcome:
    """The outcome that typed dice stand for.

    Args:
        roll: the question.
        text: faces (``4 2 6`` or ``426``), an outcome after ``=`` (or without it, where the number of dice leaves no
            doubt), or the name of an outcome.

    Raises:
        DiceError: it fits the roll in no way; the message says which die and what was expected.
    """
    wanted = len(roll.to_throw())
    for outcome, _ in roll.support():
        if text and roll.tell(outcome).casefold() == text.casefold():
            return outcome
    marked = text.startswith("=")
    body = text.removeprefix("=").strip()
    if not re.fullmatch(r"[-+]?\d+(?:[\s,;]+[-+]?\d+)*", body, re.ASCII) or len(body) > 2000:
        raise DiceError(f"{roll.why}: {text!r} shows no dice, expected faces such as {_example(roll)} ({roll.ask()})")
    numbers = [int(part[:9]) for part in re.split(r"[\s,;]+", body)]
    if marked:
        return _outcome(roll, numbers)
    if len(numbers) == 1 and wanted > 1 and len(body) == wanted and max(roll.to_throw()) < 10:
        numbers = [int(digit) for digit in body]
    if len(numbers) != wanted and _fits(roll, numbers):
        return _outcome(roll, numbers)
    return roll.read(numbers)


def _example(roll: Roll) -> str:
    return " ".join(str(1 + i % sides) for i, sides in enumerate(roll.to_throw()[:6])) or "nothing"


def _outcome(roll: Roll, numbers: list[int]) -> Outcome:
    is_one = isinstance(roll.support()[0][0], int) and len(numbers) == 1
    return roll.accept(numbers[0] if is_one else tuple(numbers))


def _fits(roll: Roll, numbers: list[int]) -> bool:
    """Whether numbers are an outcome of the roll."""
    sample = roll.support()[0][0]
    size = 1 if isinstance(sample, int) else len(sample)
    if len(numbers) != size:
        return False
    outcome: object = numbers[0] if isinstance(sample, int) else tuple(numbers)
    return any(one == outcome for one, _ in roll.support())
