"""Commands that play whole games: duel, replay."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from tactician.commands.given import (
    GAMES,
    PICTURES,
    RECORDS,
    made,
    outgoing,
    read_battle,
    ruleset_of,
    scenario_of,
    small,
)
from tactician.commands.kernels import STOPPED, begin_warming
from tactician.commands.told import note, say
from tactician.commands.words import awaited, told_roll
from tactician.errors import bad
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.files import BadInput, Fault
from tactician.rules.core.record import Did, End, Ply, Record, ReplayError, read_record
from tactician.rules.core.record import replay as replayed
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import SIDES, State
from tactician.rules.paths import twins
from tactician.say import did

if TYPE_CHECKING:
    from tactician.agent.arena import Event
    from tactician.agent.policies import Policy

__all__ = ["duel", "policy_of", "replay"]

USUAL = "greedy"
"""The policy that plays a side for which none is named, where it is registered."""

EVERY = 25
"""Plies after which the progress of a quiet game is shown anew."""


@dataclass(slots=True, kw_only=True)
class Watcher:
    """Follows a game: keeps its record, and tells its log."""

    ruleset: Ruleset
    state: State
    record: Record
    tell: bool
    show: Callable[[str], None]
    """Shows progress."""
    rolls: int = field(default=0)

    def see(self, event: Event) -> None:
        """Take note of a step."""
        if event.who == CHANCE:
            assert not isinstance(event.what, Action)
            roll = self.ruleset.pending(event.before)
            self.record.fell(event.what, roll.why)
            self.rolls += 1
        else:
            assert isinstance(event.what, Action)
            self.record.did(event.who, event.what)
        self.state = event.after
        if self.tell:
            _tell_ply(self.ruleset, event.ply + 1, self.record.plies[-1], event.before, event.after)
        elif event.ply % EVERY == 0:
            self.show(f"turn {event.after.round}, ply {event.ply + 1}")


def _tell_ply(ruleset: Ruleset, number: int, ply: Ply, before: State, after: State) -> None:
    """A ply in words, and what the rules did by themselves after it."""
    if isinstance(ply, Did):
        line, known = did(ruleset, before, ply.side, ply.action), ""
    else:
        roll = ruleset.pending(before)
        line, known = told_roll(roll, ply.outcome), f"{roll.why}: {roll.tell(ply.outcome)}"
    say(f"{number:4}  {line}", *(f"      {one}" for one in after.log if one != known))


def duel(
    battle: Annotated[str | None, typer.Argument(metavar="[BATTLE]", help="A battle file.", show_default=False)] = None,
    rules: Annotated[str, typer.Option(help=GAMES)] = "",
    size: Annotated[str, typer.Option(help="duel, skirmish or battle.")] = "",
    mission: Annotated[str, typer.Option(help="A scenario of the rulebook.")] = "",
    table: Annotated[str, typer.Option(help="A table with its terrain.")] = "",
    red: Annotated[str, typer.Option(help="The policy that plays red.")] = "",
    blue: Annotated[str, typer.Option(help="The policy that plays blue.")] = "",
    seed: Annotated[int, typer.Option(help="Of the dice; the same seed plays the same game.")] = 0,
    record: Annotated[str | None, typer.Option(help="Write the game here, .jsonl.", show_default=False)] = None,
    picture: Annotated[str | None, typer.Option(help="Draw its end here, .svg or .png.", show_default=False)] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Tell the end only.")] = False,
) -> None:
    """Let two policies play a game: every order with its clause, every roll with its odds."""
    twins.spare_no_longer()
    begin_warming()
    places = _places(record, picture)
    if battle is not None and (rules or size or mission or table):
        raise bad("BATTLE", "a battle file and a scenario to begin", "one of the two")
    ruleset, start = read_battle(battle) if battle is not None else _begun(rules, size, mission, table)
    players = {"red": policy_of(red, "--red"), "blue": policy_of(blue, "--blue")}
    game = Record(
        product=version("tactician"),
        ruleset=ruleset.info.id,
        version=ruleset.info.version,
        start=ruleset.to_data(start),
        seed=seed,
    )
    title = ruleset.describe(start).title
    say(f"{title}: red {players['red'].name}, blue {players['blue'].name}, seed {seed}")
    with _progress(quiet) as show:
        watcher = Watcher(ruleset=ruleset, state=start, record=game, tell=not quiet, show=show)
        code = _played(watcher, start, players, seed)
    _finish(watcher, places)
    if code:
        raise typer.Exit(code)


def _places(record: str | None, picture: str | None) -> tuple[Path | None, Path | None]:
    return (
        None if record is None else outgoing(record, RECORDS, "--record"),
        None if picture is None else outgoing(picture, PICTURES, "--picture"),
    )


def _begun(rules: str, size: str, mission: str, table: str) -> tuple[Ruleset, State]:
    ruleset = ruleset_of(rules)
    return ruleset, made(ruleset, scenario_of(ruleset, size=size or small(ruleset), mission=mission, table=table))


def policy_of(name: str, where: str) -> Policy:
    """A policy by name; the usual one for an empty name.

    Raises:
        BadInput: there is none of this name.
    """
    from tactician.agent.policies import policy, policy_names

    usual = USUAL if USUAL in policy_names() else policy_names()[-1]
    try:
        return policy(name or usual)
    except ValueError as error:
        raise bad(where, str(error)) from None


@contextmanager
def _progress(quiet: bool) -> Iterator[Callable[[str], None]]:
    """What shows how far a quiet game has come, where somebody looks at a terminal."""
    from rich.console import Console

    console = Console(stderr=True)
    if not quiet or not console.is_terminal:
        yield lambda text: None
        return
    with console.status("begins") as status:
        yield status.update


def _played(watcher: Watcher, start: State, players: dict[str, Policy], seed: int) -> int:
    """Play to the end, or until somebody stops it; the exit code."""
    from tactician.agent.arena import EndlessGame, play_game

    try:
        play_game(watcher.ruleset, start, players, seed, on_event=watcher.see)
    except KeyboardInterrupt:
        note("stopped")
        return STOPPED
    except EndlessGame as error:
        note(f"error: {error}")
        return 1
    return 0


def _finish(watcher: Watcher, places: tuple[Path | None, Path | None]) -> None:
    """Tell the end, write the record and the picture."""
    ruleset, state, record = watcher.ruleset, watcher.state, watcher.record
    if ruleset.to_move(state) == TERMINAL:
        record.end = End(ending=ruleset.ending(state), returns=ruleset.returns(state))
    drawing = ruleset.describe(state)
    say(f"{awaited(ruleset, state)}, turn {state.round}, {len(record.plies)} plies, {watcher.rolls} rolls")
    say(*drawing.caption, *_standing(state))
    if places[0] is not None:
        record.write(places[0])
        say(f"record: {places[0]}")
    if places[1] is not None:
        from tactician.pictures import save

        save(drawing, places[1])
        say(f"picture: {places[1]}")


def _standing(state: State) -> Iterator[str]:
    for side in SIDES:
        units = [f"{unit.name} ({unit.id}) {len(unit.models)}" for unit in state.of(side)]
        yield f"{side} has left: {', '.join(units) or 'nobody'}"


def replay(
    record: Annotated[str, typer.Argument(metavar="RECORD", help="A record of a game.", show_default=False)],
    to: Annotated[int | None, typer.Option("--to", help="Play so many plies only.", show_default=False)] = None,
    picture: Annotated[str | None, typer.Option(help="Draw it here, .svg or .png.", show_default=False)] = None,
    log: Annotated[bool, typer.Option("--log", help="Tell every ply.")] = False,
) -> None:
    """Play a record again, every order checked and no dice thrown."""
    place = None if picture is None else outgoing(picture, PICTURES, "--picture")
    game = read_record(record)
    ruleset = ruleset_of(game.ruleset, "ruleset")
    try:
        state = replayed(game, ruleset, to)
    except ReplayError as error:
        raise BadInput([Fault(file=record, found=str(error))]) from None
    if log:
        _tell(ruleset, game, to)
    played = len(game.plies) if to is None else to
    say(f"{ruleset.describe(state).title}: {played} of {len(game.plies)} plies", *ruleset.describe(state).caption)
    say(*_standing(state), awaited(ruleset, state))
    if place is not None:
        from tactician.pictures import save

        save(ruleset.describe(state), place)
        say(f"picture: {place}")


def _tell(ruleset: Ruleset, game: Record, to: int | None) -> None:
    """The log of a record that has been replayed, so that all of it is known to be legal."""
    state = ruleset.from_data(game.start)
    for number, ply in enumerate(game.plies[:to], start=1):
        after = ruleset.apply(state, ply.action) if isinstance(ply, Did) else ruleset.resolve(state, ply.outcome)
        _tell_ply(ruleset, number, ply, state, after)
        state = after
