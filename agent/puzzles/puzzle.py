"""A puzzle: a battle, a question about it, the answers, and what each side looks at until the question is settled.

Every ruleset keeps its own as files of the folder ``puzzles`` beside its cases, one puzzle a file::

    {"puzzle": "Hold your fire", "text": "A better window comes if nobody shoots now.", "kind": "interrupt",
     "goal": {"what": "destroy", "unit": "B1"}, "until": "turn", "lines": {"most": 4, "verbs": ["fire", "pass"]},
     "answers": ["W fire mark b1 at 5.5", "pass"], "best": "pass", "value": 0.62, "second": 0.41,
     "source": "own", "battle": {...}}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from tactician.agent.search.expectimax import (
    Lines,
    Question,
    at_free_choice,
    at_other_round,
    at_other_turn,
    never,
    result_or_worth,
    some_candidates,
)
from tactician.rules.core.action import Action
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.decoding import BAD, decode
from tactician.rules.core.files import BadInput, Faults, read_data
from tactician.rules.core.notation import NotationError, action_from_text, action_to_text
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State

__all__ = [
    "GAP",
    "REPLYING",
    "Goal",
    "Kind",
    "LinesForm",
    "Puzzle",
    "Until",
    "puzzle_data",
    "puzzles_of",
    "read_puzzle",
]

GAP = 0.05
"""How much worse than the best answer every other one must be."""

Kind = Literal["interrupt", "response", "charge", "target", "order", "place", "hold", "reserve"]
"""What is decided: firing into a move, answering an order, charging or not; at whom, who goes first, where to be,
whether to keep something back, what to do with the last order."""

REPLYING = ("interrupt", "response", "charge")
"""Kinds that make up half of all puzzles."""

What = Literal["win", "balance", "destroy", "keep"]

Until = Literal["order", "turn", "round", "game"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """What the answer is for: a value from 0 to 1."""

    what: What
    """``win`` the game (a draw is half), the better ``balance`` of what both sides keep of what they have now, or to
    ``destroy`` or ``keep`` a unit."""
    unit: str = ""
    """The unit that is to be destroyed or kept."""

    def told(self) -> str:
        """In words."""
        match self.what:
            case "win":
                return "the chance to win the game, a draw half"
            case "balance":
                return "what both sides keep, as half of the difference of their shares above one half"
            case "destroy":
                return f"the chance that {self.unit} is destroyed"
            case _:
                return f"the chance that something of {self.unit} is left"


@dataclass(frozen=True, slots=True, kw_only=True)
class LinesForm:
    """What is looked at in the decisions after the answer."""

    most: int = 4
    """Answers to one choice, of either side."""
    verbs: tuple[str, ...] = ()
    """Verbs that the side that asks then looks at, where any is offered; all where none is named."""
    units: tuple[str, ...] = ()
    """Units that it then orders about, where any can be; all where none is named."""
    replies: tuple[str, ...] = ()
    """Verbs that the opponent looks at, where any is offered; all where none is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _PuzzleForm:
    """A puzzle as its file has it."""

    puzzle: str
    text: str
    kind: Kind
    goal: Goal
    until: Until
    answers: tuple[str, ...]
    best: str
    value: float
    second: float
    battle: dict[str, Any]
    lines: LinesForm = field(default_factory=LinesForm)
    source: str = "own"


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle:
    """A position with a question and its proved answer."""

    name: str
    """Of its file."""
    title: str
    text: str
    kind: Kind
    goal: Goal
    until: Until
    answers: tuple[Action, ...]
    """Every answer to the question."""
    best: Action
    value: float
    second: float
    """Of the second best answer."""
    lines: LinesForm
    source: str
    """The game that it comes from, or ``own``."""
    battle: Mapping[str, Any]

    def state(self, ruleset: Ruleset) -> State:
        """The position.

        Raises:
            BadInput: the battle cannot be read.
        """
        return ruleset.from_data(self.battle)

    def question(self, ruleset: Ruleset, state: State) -> Question:
        """What is asked in the position."""
        side = ruleset.to_move(state)
        own = some_candidates(ruleset, most=self.lines.most, verbs=self.lines.verbs, units=self.lines.units)
        replies: Lines = some_candidates(ruleset, most=self.lines.most, verbs=self.lines.replies)
        return Question(
            ruleset=ruleset,
            side=side,
            own=own,
            replies=replies,
            ends=_end(self.until, state),
            value=_worth(ruleset, self.goal, state, side),
        )


def _end(until: Until, state: State) -> Callable[[State], bool]:
    match until:
        case "order":
            return at_free_choice
        case "turn":
            return at_other_turn(state)
        case "round":
            return at_other_round(state)
        case _:
            return never


def _worth(ruleset: Ruleset, goal: Goal, begin: State, side: str) -> Callable[[State], float]:
    match goal.what:
        case "win":
            return result_or_worth(ruleset, side)
        case "balance":
            return _balance(ruleset, begin, side)
        case "destroy":
            return lambda state: float(not state.unit(goal.unit).models)
        case _:
            return lambda state: float(bool(state.unit(goal.unit).models))


def _balance(ruleset: Ruleset, begin: State, side: str) -> Callable[[State], float]:
    appraiser = appraiser_of(ruleset)

    def kept(state: State, own: bool) -> float:
        return sum(appraiser.worth(state, unit) for unit in (state.of(side) if own else state.against(side)))

    mine, theirs = kept(begin, True), kept(begin, False)

    def balance(state: State) -> float:
        ahead = kept(state, True) / mine - kept(state, False) / theirs
        return min(max(0.5 + ahead / 2.0, 0.0), 1.0)  # who gets models back may keep more than he has now

    return balance


# ---- files -----------------------------------------------------------------------------------------------------------


def puzzles_of(ruleset: Ruleset) -> tuple[Puzzle, ...]:
    """Every puzzle of a ruleset, by name; none where it keeps none.

    Raises:
        BadInput: with everything that is wrong with a file.
    """
    package = import_module(f"tactician.rules.{ruleset.info.id}")
    folder = Path(str(package.__file__)).parent / "puzzles"
    return tuple(read_puzzle(path) for path in sorted(folder.glob("*.json")))


def read_puzzle(path: Path) -> Puzzle:
    """The puzzle in a file.

    Raises:
        BadInput: with everything that is wrong with it.
    """
    faults = Faults()
    form = decode(_PuzzleForm, read_data(path), "", faults)
    try:
        faults.check()
        assert form is not BAD
        answers = tuple(_action(text, f"answers[{i}]", faults) for i, text in enumerate(form.answers))
        best = _action(form.best, "best", faults)
        if best not in answers:
            faults.wrong("best", form.best, "one of the answers")
        if len(set(answers)) < max(len(answers), 2):
            faults.wrong("answers", list(form.answers), "at least two, all different")
        faults.check()
    except BadInput as error:
        raise error.in_file(path) from None
    return Puzzle(
        name=path.stem,
        title=form.puzzle,
        text=form.text,
        kind=form.kind,
        goal=form.goal,
        until=form.until,
        answers=answers,
        best=best,
        value=form.value,
        second=form.second,
        lines=form.lines,
        source=form.source,
        battle=form.battle,
    )


def _action(text: str, where: str, faults: Faults) -> Action:
    try:
        return action_from_text(text)
    except NotationError as error:
        faults.add(where, f"{text!r} {error}")
        return Action(verb="", unit="")


def puzzle_data(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle as `read_puzzle` reads it back."""
    named = {"verbs": puzzle.lines.verbs, "units": puzzle.lines.units, "replies": puzzle.lines.replies}
    lines = {"most": puzzle.lines.most} | {key: list(names) for key, names in named.items() if names}
    goal = {"what": puzzle.goal.what} | ({"unit": puzzle.goal.unit} if puzzle.goal.unit else {})
    return {
        "puzzle": puzzle.title,
        "text": puzzle.text,
        "kind": puzzle.kind,
        "goal": goal,
        "until": puzzle.until,
        "lines": lines,
        "answers": [action_to_text(action) for action in puzzle.answers],
        "best": action_to_text(puzzle.best),
        "value": round(puzzle.value, 6),
        "second": round(puzzle.second, 6),
        "source": puzzle.source,
        "battle": dict(puzzle.battle),
    }
