"""The command play: a person at the table against a bot."""

from __future__ import annotations

import random
from enum import StrEnum
from typing import Annotated

import typer
from tactician.commands.games import policy_of
from tactician.commands.given import GAMES, PICTURES, RECORDS, a_battle, outgoing, scenario_of
from tactician.commands.kernels import STOPPED, begin_warming
from tactician.commands.told import note, say
from tactician.errors import bad
from tactician.rules.paths import twins

__all__ = ["play"]

SECONDS = 0.5
"""How long the bot thinks about a decision."""

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
    level: Annotated[str, typer.Option(help="The policy that plays against you.")] = "",
    seed: Annotated[int | None, typer.Option(help="Of the dice; drawn where none is given.")] = None,
    dice: Annotated[ThrownBy, typer.Option(help="table: you throw them and type what came up.")] = ThrownBy.program,
    record: Annotated[str | None, typer.Option(help="Write the game here, .jsonl.", show_default=False)] = None,
    picture: Annotated[
        str | None, typer.Option(help="Keep a picture of the table here, .svg or .png.", show_default=False)
    ] = None,
) -> None:
    """Play against the bot, orders typed in words; `help` lists them."""
    from tactician import session
    from tactician.agent.policies import Budget
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
    opponent = policy_of(level, "--level")
    budget = Budget(seconds=SECONDS, evaluations=MOST_EVALUATIONS)
    say(f"{ruleset.describe(state).title}: you are {side.value}, against {opponent.name}; seed {sown}")
    try:
        session.play(
            ruleset,
            state,
            human=side.value,
            bot=opponent,
            ask=_ask,
            tell=say,
            budget=budget,
            adviser=advised(budget),
            dice=dice.value,
            seed=sown,
            record=record_place,
            picture=picture_place,
        )
    except KeyboardInterrupt:
        note("stopped")
        raise typer.Exit(STOPPED) from None


def _ask(question: str) -> str:
    """A line typed by the person; to be stopped from the keyboard is an end of the input."""
    try:
        return input(question)
    except KeyboardInterrupt:
        raise EOFError from None
