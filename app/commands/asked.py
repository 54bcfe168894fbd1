"""Questions about units: what was asked about whom, and what the game's own oracle answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from tactician.commands.given import a_battle, is_file_name, unit_of
from tactician.commands.told import gap_words, measure_now, say, say_json
from tactician.commands.words import awaited
from tactician.errors import bad
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.files import BadInput
from tactician.rules.core.forms import nearest
from tactician.rules.core.oracle import Answer, OracleError, Question, oracle_of
from tactician.rules.core.ruleset import Ruleset, load_ruleset, ruleset_names
from tactician.rules.core.state import State
from typer.core import TyperGroup

__all__ = [
    "Asked",
    "Questions",
    "asked_about",
    "is_answered",
    "own_questions",
    "question_lines",
    "questioned",
    "unknown_question",
]


class Questions(TyperGroup):
    """A group of commands in which a word that is none of them is a question to the game."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command named, or ``ask`` with the word as the question; a misspelt command is none."""
        word = args[0] if args else ""
        if word and not word.startswith("-") and word not in self.commands:
            is_misspelt = get_close_matches(word, self.commands, n=1, cutoff=0.75) and not questioned(word)
            args = args if is_misspelt else ["ask", *args]
        return super().resolve_command(ctx, args)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question about a unit in a moment."""

    ruleset: Ruleset
    state: State
    question: str
    unit: str
    target: str | None

    def deciding(self) -> None:
        """See to it that the unit's side decides.

        Raises:
            BadInput: nobody or somebody else is to decide.
        """
        mover = self.ruleset.to_move(self.state)
        if mover in (CHANCE, TERMINAL):
            raise bad("BATTLE", awaited(self.ruleset, self.state), "a moment in which somebody decides")
        side = self.state.unit(self.unit).side
        if side != mover:
            known = tuple(one.id for one in self.state.of(mover))
            raise bad("UNIT", f"{self.unit} belongs to {side}, and {mover} is to decide", hint=nearest("", known))


def asked_about(unit: str, rest: list[str] | None, question: str, rules: str = "") -> Asked:
    """What was asked, out of what was given.

    Args:
        unit: a unit, by id or name.
        rest: a target, a battle file, both or neither.
        question: what is asked.
        rules: the game whose built-in battle is meant where no file is given.

    Raises:
        BadInput: something is named that is not there, or too much.
    """
    given = list(rest or ())
    files = [one for one in given if is_file_name(one)]
    names = [one for one in given if one not in files]
    if len(files) > 1 or len(names) > 1:
        raise bad(f"odds {question}", f"found {' '.join(given)}", "at most one target and one battle file")
    ruleset, state = a_battle(files[0] if files else None, rules)
    name = unit_of(state, unit)
    target = unit_of(state, names[0], "TARGET") if names else None
    if target is not None and state.unit(target).side == state.unit(name).side:
        raise bad("TARGET", f"{target} is no enemy of {name}")
    return Asked(ruleset=ruleset, state=state, question=question, unit=name, target=target)


# ---- the game's own answers ------------------------------------------------------------------------------------------


def own_questions(ruleset: Ruleset) -> tuple[Question, ...]:
    """What a game can be asked besides what is worked out for all games alike."""
    oracle = oracle_of(ruleset)
    return () if oracle is None else oracle.questions


def questioned(question: str) -> str:
    """The first game that knows a question; empty where none does."""
    return next((name for name in ruleset_names() if _knows(name, question)), "")


def _knows(name: str, question: str) -> bool:
    return any(one.name == question for one in own_questions(load_ruleset(name)))


def question_lines(general: tuple[tuple[str, str], ...]) -> Iterator[str]:
    """Everything that can be asked: about any game, and about each game of its own."""
    yield "any game:"
    yield from (f"  {name} UNIT [TARGET]: {text}" for name, text in general)
    for name in ruleset_names():
        ruleset = load_ruleset(name)
        if own_questions(ruleset):
            yield f"{ruleset.info.name}:"
        for one in own_questions(ruleset):
            yield f"  {one.name} UNIT {'TARGET' if one.needs_target else '[TARGET]'}: {one.text}"


def is_answered(asked: Asked, *, as_json: bool) -> bool:
    """Put a question to the game's oracle and print its answer; whether there was one.

    Raises:
        BadInput: the question makes no sense about these units now.
    """
    oracle = oracle_of(asked.ruleset)
    found = next((one for one in own_questions(asked.ruleset) if one.name == asked.question), None)
    if oracle is None or found is None:
        return False
    if found.needs_target and asked.target is None:
        foes = tuple(unit.id for unit in asked.state.against(asked.state.unit(asked.unit).side))
        raise bad("TARGET", f"missing: {found.name} is asked about two units", f"one of {', '.join(foes)}")
    try:
        answer = oracle.answer(_imagined(asked), asked.question, asked.unit, asked.target)
    except OracleError as error:
        raise bad(f"odds {asked.question}", str(error)) from None
    if answer is None:
        return False
    if as_json:
        say_json(_data(asked, answer))
    else:
        say(*_gap_lines(asked, answer), *answer.lines)
    return True


def _imagined(asked: Asked) -> State:
    """The moment as whoever asks sees it: by eye where nobody may measure, so that no answer is a tape measure."""
    from tactician.agent.by_eye import imagined, seen

    measure = measure_now(asked.ruleset, asked.state)
    if asked.target is None:
        return imagined(asked.state, asked.unit, measure)
    return seen(asked.state, asked.unit, asked.target, measure)


def _gap_lines(asked: Asked, answer: Answer) -> Iterator[str]:
    measure = measure_now(asked.ruleset, asked.state)
    for one in answer.gaps:
        told = gap_words(measure, one.inches)
        yield f"{one.unit} and {one.other}: {told} apart"


def _data(asked: Asked, answer: Answer) -> dict[str, Any]:
    measure = measure_now(asked.ruleset, asked.state)
    gaps = [
        {
            "unit": one.unit,
            "other": one.other,
            "inches": one.inches,
            "by_eye": not measure.exact,
        }
        for one in answer.gaps
    ]
    about = {"question": asked.question, "unit": asked.unit, "target": asked.target}
    return {**about, "answer": dict(answer.data), "gaps": gaps, "lines": list(answer.lines)}


def unknown_question(asked: Asked, general: tuple[str, ...]) -> BadInput:
    """What is wrong with a question that neither the game nor anybody knows."""
    known = (*general, *(one.name for one in own_questions(asked.ruleset)))
    found = f"{asked.ruleset.info.name} cannot be asked {asked.question!r}"
    return bad("QUESTION", found, f"one of {', '.join(known)}", nearest(asked.question, known))
