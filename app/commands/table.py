"""The command play: a person at the table against a bot."""

from __future__ import annotations

import random
from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer
from tactician.commands.given import GAMES, PICTURES, RECORDS, a_battle, outgoing, scenario_of
from tactician.commands.kernels import STOPPED, begin_warming
from tactician.commands.told import note, say
from tactician.errors import bad
from tactician.rules.paths import twins

if TYPE_CHECKING:
    from tactician.agent.levels import Opponent
    from tactician.agent.policies.base import Budget

__all__ = ["LEVELS", "STYLES", "opponent_lines", "play"]

LEVELS = ("recruit", "regular", "veteran", "master")
STYLES = ("cautious", "balanced", "aggressive")
"""What is listed in the help, which is to be quick; the agent has them."""

SECONDS = 0.5
"""How long is thought about a suggestion, and about a decision by a policy that was named for itself."""

MOST_EVALUATIONS = 10_000
"""So many that the seconds decide."""


class Side(StrEnum):
    """Which side a person plays."""

    red = "red"
    blue = "blue"
    both = "both"


class ThrownBy(StrEnum):
    """Who throws the dice."""

    program = "program"
    table = "table"


def play(
    battle: Annotated[str | None, typer.Argument(metavar="[BATTLE]", help="A battle file.", show_default=False)] = None,
    rules: Annotated[str, typer.Option(help=GAMES)] = "",
    size: Annotated[str, typer.Option(help="duel, skirmish or battle.")] = "",
    side: Annotated[Side, typer.Option(help="The side that you play.")] = Side.red,
    level: Annotated[
        str, typer.Option(help=f"Who plays against you: {', '.join(LEVELS)}, or a policy; else veteran.")
    ] = "",
    style: Annotated[str, typer.Option(help=f"How it plays: {', '.join(STYLES)}.")] = "",
    seed: Annotated[int | None, typer.Option(help="Of the dice; drawn where none is given.")] = None,
    dice: Annotated[ThrownBy, typer.Option(help="table: you throw them and type what came up.")] = ThrownBy.program,
    record: Annotated[str | None, typer.Option(help="Write the game here, .jsonl.", show_default=False)] = None,
    picture: Annotated[
        str | None, typer.Option(help="Keep a picture of the table here, .svg or .png.", show_default=False)
    ] = None,
) -> None:
    """Play against the bot, orders typed in words; `help` lists them."""
    from tactician import session
    from tactician.agent.policies.base import Budget
    from tactician.hints import advised

    twins.spare_no_longer()
    begin_warming()
    record_place = None if record is None else outgoing(record, RECORDS, "--record")
    picture_place = None if picture is None else outgoing(picture, PICTURES, "--picture")
    if battle is not None and (rules or size):
        raise bad("BATTLE", "a battle file and a scenario to begin", "one of the two")
    ruleset, state = a_battle(battle, rules)
    if size:
        state = ruleset.start(scenario_of(ruleset, size=size))
    sown = random.SystemRandom().randrange(1_000_000) if seed is None else seed
    opponent = _opponent(level, style)
    free = Budget(seconds=SECONDS, evaluations=MOST_EVALUATIONS)
    budget = free if opponent.level is None else opponent.budget
    say(f"{ruleset.describe(state).title}: you are {side.value}, against {opponent.policy.name}; seed {sown}")
    say(*opponent_lines(opponent, budget))
    try:
        session.play(
            ruleset,
            state,
            human=side.value,
            bot=opponent.policy,
            ask=_ask,
            tell=say,
            budget=budget,
            adviser=advised(free),
            dice=dice.value,
            seed=sown,
            record=record_place,
            picture=picture_place,
        )
    except KeyboardInterrupt:
        note("stopped")
        raise typer.Exit(STOPPED) from None


def _opponent(level: str, style: str) -> Opponent:
    """Who plays against the person."""
    from tactician.agent.levels import opponent

    try:
        found = opponent(level)
    except ValueError as error:
        raise bad("--level", str(error)) from None
    try:
        return opponent(level, style) if style else found
    except ValueError as error:
        raise bad("--style", str(error)) from None


def opponent_lines(opponent: Opponent, budget: Budget) -> Iterator[str]:
    """Who plays, openly: level, style, what it looks at and how long it thinks."""
    level = opponent.level
    if level is not None:
        yield f"  level: {level.title}, {LEVELS.index(level.name) + 1} of {len(LEVELS)}"
    if opponent.looks:
        yield f"  it {opponent.looks[0].lower()}{opponent.looks[1:]}"
    yield f"  style: {opponent.style}. {opponent.sentence}" if opponent.style else "  style: it knows one way to play"
    if level is None:
        yield f"  no level: {budget.seconds:g} seconds for a decision, as many evaluations as that allows"
    elif not level.evaluations:
        yield "  evaluations: none; it carries out no order to see what comes of it"
    else:
        yield f"  evaluations: it carries out up to {level.evaluations} orders for a decision"


def _ask(question: str) -> str:
    """A line typed by the person; to be stopped from the keyboard is an end of the input."""
    try:
        return input(question)
    except KeyboardInterrupt:
        raise EOFError from None
