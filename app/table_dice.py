"""Dice for a game at the table: thrown by the program from a seed, or by a person and read off what they type."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from tactician.agent.arena import DiceTower
from tactician.rules.core.chance import DiceError, Outcome, Roll, Stage, throw_on
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State

__all__ = ["ProgramDice", "TableDice", "Thrower", "read_stage", "read_throw"]


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
        """What the dice that were thrown come to, asked for stage by stage."""
        roll = ruleset.pending(state)
        self.tell(f"dice: {roll.why}")
        after: Stage | Outcome = roll.first_stage()
        while not isinstance(after, int | tuple):
            text = self.ask(f"{after.ask()}; what came up? > ").strip()
            if self.request(text):
                continue
            try:
                after = read_stage(roll, after, text)
            except DiceError as error:
                self.tell(str(error))
        return after


def read_throw(roll: Roll, text: str) -> Outcome:
    """The outcome that typed dice stand for.

    Args:
        roll: the question.
        text: faces of all stages (``4 2 6`` or ``426``), an outcome after ``=`` (or without it, where the number of
            dice leaves no doubt), or the name of an outcome.

    Raises:
        DiceError: it fits the roll in no way; the message says which die and what was expected.
    """
    after = read_stage(roll, roll.first_stage(), text)
    if isinstance(after, int | tuple):
        return after
    raise DiceError(f"{roll.why}: more dice must fall (then {after.ask()})")


def read_stage(roll: Roll, stage: Stage, text: str) -> Stage | Outcome:
    """What typed dice lead to from a stage of a roll: the next stage, or the outcome.

    Args:
        roll: the question.
        stage: what is to be thrown now.
        text: as for `read_throw`; faces may go on into later stages.

    Raises:
        DiceError: it fits in no way; the message says which die and what was expected.
    """
    sides = stage.dice()
    for outcome, _ in roll.support():
        if text and roll.tell(outcome).casefold() == text.casefold():
            return outcome
    marked = text.startswith("=")
    body = text.removeprefix("=").strip()
    if not re.fullmatch(r"[-+]?\d+(?:[\s,;]+[-+]?\d+)*", body, re.ASCII) or len(body) > 2000:
        raise DiceError(f"{roll.why}: {text!r} shows no dice, expected faces such as {_example(sides)} ({stage.ask()})")
    numbers = [int(part[:9]) for part in re.split(r"[\s,;]+", body)]
    if marked:
        return _outcome(roll, numbers)
    if len(numbers) == 1 and len(sides) > 1 and len(body) == len(sides) and max(sides) < 10:
        numbers = [int(digit) for digit in body]
    if not roll.staged:
        return _outcome(roll, numbers) if len(numbers) != len(sides) and _fits(roll, numbers) else roll.read(numbers)
    after, left = throw_on(stage, numbers)
    if left:
        raise DiceError(f"{roll.why}: {len(numbers)} faces given, expected {len(numbers) - len(left)} ({stage.ask()})")
    return after


def _example(sides: Sequence[int]) -> str:
    return " ".join(str(1 + i % most) for i, most in enumerate(sides[:6])) or "nothing"


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
