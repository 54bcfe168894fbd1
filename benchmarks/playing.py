"""One game played for evidence: every order checked, everything counted, and whatever goes wrong noted."""

from __future__ import annotations

import signal
import time
from collections import Counter
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Self

from tactician.agent.arena import EndlessGame, Event, GameResult, play_game
from tactician.agent.policies import policy
from tactician.rules.core.action import Action
from tactician.rules.core.notation import action_to_text
from tactician.rules.core.referee import IllegalAction
from tactician.rules.core.ruleset import Ruleset, load_ruleset
from tactician.rules.core.state import SIDES

from benchmarks.claims import Game
from benchmarks.machine import ROOT, commit

__all__ = ["FAULTS", "KINDS", "Played", "Tally", "place_of", "played"]

FAULTS = ("illegal", "exception", "endless", "hung")
"""What can go wrong: an illegal order, an exception, a game without an end, one that stands still."""

KINDS = ("verb", "frame", "roll", "end")
"""What is counted."""

STANDSTILL = 1800
"""Seconds after which a game is taken to hang."""


class HungGame(RuntimeError):
    """A game took so long that something in it must turn in circles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How often something occurred in a game because of a policy."""

    kind: str
    """One of `KINDS`."""
    name: str
    policy: str
    """The one that decided, or whose rule event it was."""
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One finished game: a line of the work file."""

    game: Game
    version: str
    """Of the ruleset."""
    commit: str
    returns: tuple[float, float] = (0.0, 0.0)
    ending: str = ""
    plies: int = 0
    rounds: int = 0
    fault: str = ""
    """One of `FAULTS`; empty for a game that went well."""
    story: str = ""
    """What went wrong, and after which ply."""
    tallies: tuple[Tally, ...] = ()
    seconds: float = 0.0
    """Of processor time."""

    def told(self) -> str:
        """What came of it, in a few words."""
        came = f"{self.fault.upper()} {self.story}" if self.fault else f"{self.ending}, {self.returns[0]:+g}"
        return f"{came}, {self.plies} plies, {self.seconds:.1f} s"

    def share_of(self, name: str) -> float:
        """What a policy got of the game: 1 won, 0.5 drawn, 0 lost."""
        mine = self.returns[0 if self.game.red == name else 1]
        return (mine + 1) / 2

    def to_data(self) -> dict[str, Any]:
        """As JSON-able data."""
        rows = [[tally.kind, tally.name, tally.policy, tally.times] for tally in self.tallies]
        return {**asdict(self), "tallies": rows}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        """Back from data.

        Raises:
            ValueError: a field is missing or unknown.
        """
        if set(data) != {field.name for field in fields(cls)}:
            raise ValueError(f"fields {', '.join(sorted(data))}: written by another version of this module")
        rows = tuple(Tally(kind=kind, name=name, policy=who, times=n) for kind, name, who, n in data["tallies"])
        game = Game(**{**data["game"], "armies": tuple(data["game"]["armies"])})
        return cls(**{**data, "game": game, "returns": tuple(data["returns"]), "tallies": rows})


class _Watch:
    """Counts what happens in a game, and notes what ends it before its time."""

    def __init__(self, ruleset: Ruleset, game: Game) -> None:
        self.ruleset, self.game = ruleset, game
        self.counts: Counter[tuple[str, str, str]] = Counter()
        self.plies = 0
        self.fault = self.story = ""

    def __enter__(self) -> Self:
        signal.signal(signal.SIGALRM, _stand_still)
        signal.alarm(STANDSTILL)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> bool:
        signal.alarm(0)
        if not isinstance(error, Exception):
            return False
        names = {IllegalAction: "illegal", EndlessGame: "endless", HungGame: "hung"}
        self.fault = next((name for known, name in names.items() if isinstance(error, known)), "exception")
        told = f"{type(error).__name__}: {error}"
        if isinstance(error, IllegalAction):
            told = f"{action_to_text(error.action)}: {told}"
        self.story = f"after ply {self.plies}: {told} (raised at {place_of(at)})"
        return True

    def see(self, event: Event) -> None:
        """Count a ply: its innermost frame, and its verb or what was rolled for."""
        self.plies = event.ply + 1
        frame = event.before.agenda[-1]
        if isinstance(event.what, Action):
            doers: tuple[str, ...] = (event.who,)
            self._note("verb", event.what.verb, doers)
        else:
            doers = (frame.owner,) if frame.owner in SIDES else SIDES
            self._note("roll", self.ruleset.pending(event.before).why.partition(":")[0], doers)
        self._note("frame", frame.kind, doers)

    def end(self, result: GameResult) -> None:
        """Count the end."""
        self._note("end", result.ending, SIDES)

    def _note(self, kind: str, name: str, sides: tuple[str, ...]) -> None:
        for who in sorted({self.game.red if side == "red" else self.game.blue for side in sides}):
            self.counts[kind, name, who] += 1


def _stand_still(number: int, frame: FrameType | None) -> None:
    raise HungGame(f"not over after {STANDSTILL} seconds")


def place_of(at: TracebackType | None) -> str:
    """File and line in which an error was raised."""
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    if at is None:
        return ""
    place = Path(at.tb_frame.f_code.co_filename)
    return f"{place.relative_to(ROOT) if place.is_relative_to(ROOT) else place.name}:{at.tb_lineno}"


def played(name: str, game: Game) -> Played:
    """Play a game of a ruleset to its end, checking every order before it is applied."""
    ruleset = load_ruleset(name)
    players = {"red": policy(game.red), "blue": policy(game.blue)}
    watch = _Watch(ruleset, game)
    result: GameResult | None = None
    began = time.process_time()
    with watch:
        result = play_game(ruleset, game.scenario, players, game.seed, on_event=watch.see, check=True)
        watch.end(result)
    return Played(
        game=game,
        version=ruleset.info.version,
        commit=commit(),
        returns=(0.0, 0.0) if result is None else result.returns,
        ending="" if result is None else result.ending,
        plies=watch.plies,
        rounds=0 if result is None else result.end.round,
        fault=watch.fault,
        story=watch.story,
        tallies=tuple(
            Tally(kind=kind, name=what, policy=who, times=times)
            for (kind, what, who), times in sorted(watch.counts.items())
        ),
        seconds=round(time.process_time() - began, 3),
    )
