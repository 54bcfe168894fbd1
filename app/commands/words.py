"""A game in words: orders, choices, what is awaited, what broke, and the log of a game with its odds and dice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from tactician.commands.told import chance_words, inches
from tactician.errors import violation_words
from tactician.orders import words
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.chance import Outcome, Roll
from tactician.rules.core.choice import Assign, Choice, Declare, OneOf, Put, Subset, Walk, Window
from tactician.rules.core.clauses import Violation
from tactician.rules.core.codec import action_to_data, outcome_to_data
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State

__all__ = [
    "awaited",
    "choice_data",
    "choice_words",
    "clause_line",
    "order_words",
    "roll_data",
    "told_roll",
    "violation_data",
    "violation_lines",
]

FEW = 6
"""Targets that a choice lists before it counts the rest."""


def order_words(ruleset: Ruleset, state: State, action: Action) -> str:
    """An order as one line that reads back equal."""
    return words(ruleset, state, action)


def awaited(ruleset: Ruleset, state: State) -> str:
    """Who is to decide, which dice must fall, or how the game ended."""
    mover = ruleset.to_move(state)
    if mover == TERMINAL:
        red, blue = ruleset.returns(state)
        won = "red wins" if red > blue else "blue wins" if blue > red else "a draw"
        return f"the game is over by {ruleset.ending(state) or 'agreement'}: {won}"
    if mover == CHANCE:
        roll = ruleset.pending(state)
        return f"dice must fall: {roll.why}: {roll.ask()}"
    return f"{mover} is to decide"


# ---- clauses ---------------------------------------------------------------------------------------------------------


def clause_line(ruleset: Ruleset, name: str) -> str:
    """Our line of a clause; empty for what is none."""
    return next((clause.text for clause in ruleset.clauses if clause.id == name), "")


def violation_lines(ruleset: Ruleset, violations: tuple[Violation, ...]) -> Iterator[str]:
    """Each broken clause with numbers and place, and after the last one of each clause the clause's own line."""
    for clause, found in groupby(violations, key=lambda one: one.clause):
        also: dict[str, None] = {}
        for one in found:
            also |= dict.fromkeys(one.also)
            yield violation_words(one)
        line = clause_line(ruleset, clause)
        more = f" Also {', '.join(also)}." if also else ""
        if line:
            yield f"    {clause}: {line}{more}"


def violation_data(ruleset: Ruleset, one: Violation) -> dict[str, Any]:
    """A broken clause as data."""
    return {
        "clause": one.clause,
        "rule": clause_line(ruleset, one.clause),
        "also": list(one.also),
        "text": one.text,
        "subject": one.subject,
        "against": one.against,
        "measured": one.measured,
        "limit": one.limit,
        "unit": one.unit,
        "at": None if one.at is None else list(one.at),
        "because_of": one.because_of,
        "sentence": violation_words(one),
    }


# ---- choices ---------------------------------------------------------------------------------------------------------


def choice_words(state: State, choice: Choice) -> str:
    """What may be answered, in words."""
    match choice.domain:
        case OneOf(options=options):
            return f"one of: {_options(options)}"
        case Declare(options=options, kinds=kinds):
            far = max((kind.allowance for kind in kinds if kind is not None), default=None)
            moving = "" if far is None else f"up to {inches(far)}; "
            return f"{moving}targets: {_options(options)}"
        case Assign(models=models, usual=usual):
            return f"a target for each of {', '.join(models)}; usually {_options(usual[:1])}"
        case Subset(ids=ids, least=least, most=most):
            wanted = f"{least}" if least == most else f"{least} to {most}"
            return f"{wanted} of {', '.join(ids)}"
        case Walk() as domain:
            return f"ways of up to {inches(domain.farthest(state, choice))}"
        case Put(models=models):
            return f"places for {', '.join(models)}"
        case Window(spans=spans):
            return "; ".join(f"{model} at {low:.2f}-{high:.2f}" for model, low, high in spans)
    return ""


def _options(options: tuple[tuple[tuple[str, str], ...], ...]) -> str:
    listed = [" ".join(f"{role}={target}" for role, target in option) or "none" for option in options]
    more = f", {len(listed) - FEW} more" if len(listed) > FEW else ""
    return ", ".join(listed[:FEW]) + more


def choice_data(ruleset: Ruleset, state: State, choice: Choice) -> dict[str, Any]:
    """A choice as data, with its canonical answer."""
    action = choice.canonical(state)
    data: dict[str, Any] = {"verb": choice.verb, "unit": choice.unit, "domain": choice.domain.name}
    match choice.domain:
        case OneOf(options=options):
            data["options"] = [dict(option) for option in options]
        case Declare(options=options, kinds=kinds):
            data["options"] = [
                {"targets": dict(option), "inches": None if kind is None else kind.allowance}
                for option, kind in zip(options, kinds, strict=True)
            ]
        case Assign(models=models, usual=usual):
            data |= {"models": list(models), "usual": [dict(option) for option in usual]}
        case Subset(ids=ids, least=least, most=most):
            data |= {"models": list(ids), "least": least, "most": most}
        case Walk() as domain:
            data["inches"] = domain.farthest(state, choice)
        case Put(models=models):
            data["models"] = list(models)
        case Window(spans=spans):
            data["spans"] = [{"model": model, "from": low, "to": high} for model, low, high in spans]
    canonical = {"text": order_words(ruleset, state, action), "action": action_to_data(action)}
    return {**data, "canonical": canonical}


def roll_data(roll: Roll) -> dict[str, Any]:
    """A question to the dice as data, with exact odds."""
    return {
        "why": roll.why,
        "unit": roll.subject,
        "ask": roll.ask(),
        "dice": list(roll.to_throw()),
        "staged": roll.staged,
        "outcomes": [
            {"outcome": outcome_to_data(outcome), "words": roll.tell(outcome), "exact": str(share)}
            for outcome, share in roll.exact()
        ],
    }


# ---- the log of a game -----------------------------------------------------------------------------------------------


def told_roll(roll: Roll, outcome: Outcome) -> str:
    """A roll: the question, what fell, and how likely that was."""
    share = next(probability for one, probability in roll.exact() if one == outcome)
    unit = f" [{roll.subject}]" if roll.subject and roll.subject not in roll.why else ""
    return f"dice: {roll.why}{unit}: {roll.ask()} -> {roll.tell(outcome)}  ({chance_words(share)})"
