"""The command that measures strength: ladder."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from tactician.commands.given import DATA, GAMES, outgoing, ruleset_of
from tactician.commands.kernels import STOPPED, begin_warming
from tactician.commands.told import note, say, table
from tactician.errors import ILLEGAL, bad
from tactician.rules.core.files import Faults, quoted, write_text
from tactician.rules.paths import twins

if TYPE_CHECKING:
    from tactician.agent.ladder import Fixture, Pair, Settings, Shard
    from tactician.agent.ladder_files import Ladder

__all__ = ["ladder"]

RESULTS, PAGE = Path("docs/strength"), Path("docs/strength.md")
"""Where results stand that the page shows, and the page; both from the folder that the command runs in."""

CHANGED = "with changes"
"""Stands behind a commit where the sources differ from it."""

MOST_JOBS = 256

_SHARD = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was said about playing; None for what was not."""

    rules: str | None
    games: int | None
    policies: str | None
    size: str | None
    seed: int | None
    budget: int | None
    jobs: int | None
    shard: str | None

    def options(self) -> tuple[str, ...]:
        """The options that were given."""
        return tuple(f"--{name}" for name in self.__slots__ if getattr(self, name) is not None)


def ladder(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="[FILE]...", help="Files to merge.", show_default=False)
    ] = None,
    rules: Annotated[str | None, typer.Option(help=GAMES, show_default=False)] = None,
    games: Annotated[
        int | None, typer.Option(help="Games of each pairing; 20 where not said.", show_default=False)
    ] = None,
    policies: Annotated[
        str | None, typer.Option(help="Such as greedy,random; else all, each in one style.", show_default=False)
    ] = None,
    size: Annotated[str | None, typer.Option(help="The smallest where not said.", show_default=False)] = None,
    seed: Annotated[int | None, typer.Option(help="Of the first pair; else 0.", show_default=False)] = None,
    budget: Annotated[int | None, typer.Option(help="Evaluations of a decision.", show_default=False)] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes; else one a core.", show_default=False)] = None,
    shard: Annotated[str | None, typer.Option(help="i/n: every n-th pair only.", show_default=False)] = None,
    out: Annotated[str | None, typer.Option(help="Keep what is played here, .json, and go on from it.")] = None,
    merge: Annotated[bool, typer.Option("--merge", help="Join the FILEs; nothing is played.")] = False,
    page: Annotated[bool, typer.Option("--page", help=f"Write {PAGE} from {RESULTS}/*.json.")] = False,
) -> None:
    """Policies against each other, each seed twice with the sides swapped: shares with intervals, Elo, time, blunders.

    The same settings play the same games, whatever the number of jobs and shards. Ctrl-C keeps what is finished.
    """
    asked = Asked(
        rules=rules, games=games, policies=policies, size=size, seed=seed, budget=budget, jobs=jobs, shard=shard
    )
    place = None if out is None else outgoing(out, DATA, "--out")
    if page and not RESULTS.is_dir():
        raise bad("--page", f"there is no folder {RESULTS} here", "to run where the results of ladders stand")
    code = 0
    if merge:
        _merge(files or [], asked, place)
    elif files:
        raise bad("FILE", f"found {quoted(files[0])}", "files only together with --merge")
    elif asked.options() or place is not None or not page:
        code = _play(asked, place)
    if page:
        from tactician.commands.strength import page_of

        write_text(PAGE, page_of(RESULTS))
        say(f"page: {PAGE}")
    if code:
        raise typer.Exit(code)


def _merge(files: list[str], asked: Asked, place: Path | None) -> None:
    from tactician.agent.ladder_files import merged, read_ladder, write_ladder

    if asked.options():
        raise bad("--merge", f"joins what was played; given as well: {', '.join(asked.options())}", "one of the two")
    if not files:
        raise bad("--merge", "no file is named", "the files to join")
    whole = merged({file: read_ladder(file) for file in files})
    if place is not None:
        write_ladder(place, whole)
    _tell(whole, place)


def _play(asked: Asked, place: Path | None) -> int:
    """Play what is missing; the exit code."""
    from tactician.agent.ladder import fixtures
    from tactician.agent.ladder_files import Ladder, made_now, read_ladder, resumed

    settings, shard = _settings(asked), _shard(asked.shard)
    jobs = _jobs(asked.jobs)
    begun = Ladder(settings=settings, made=made_now(settings.ruleset, _commit(), _machine()))
    if place is not None and place.exists():
        begun = resumed(str(place), read_ladder(str(place)), begun)
    done = {pair.fixture.number for pair in begun.pairs}
    todo = [fixture for fixture in fixtures(settings, shard) if fixture.number not in done]
    pairs, code = _played(begun, todo, min(jobs, max(len(todo), 1)), place)
    whole = begun.having(pairs)
    _tell(whole, place)
    return code or (ILLEGAL if any(game.fault for pair in whole.pairs for game in pair.games) else 0)


# ---- what was asked for ----------------------------------------------------------------------------------------------


def _settings(asked: Asked) -> Settings:
    from tactician.agent.ladder import usual_policies, usual_settings
    from tactician.agent.ladder_files import MOST_GAMES
    from tactician.agent.policies import policy_names

    ruleset = ruleset_of(asked.rules or "")
    faults, known = Faults(), policy_names()
    names = usual_policies() if asked.policies is None else tuple(one.strip() for one in asked.policies.split(","))
    for name in names:
        if name not in known:
            faults.unknown("--policies", "policy", name, known)
    if len(names) < 2 or len(set(names)) < len(names):
        faults.wrong("--policies", ",".join(names), f"at least two different ones of {', '.join(known)}")
    if asked.size is not None and asked.size not in ruleset.info.sizes:
        faults.unknown("--size", "size", asked.size, ruleset.info.sizes)
    if asked.games is not None and not 1 <= asked.games <= MOST_GAMES:
        faults.wrong("--games", asked.games, f"a number from 1 to {MOST_GAMES}")
    if asked.budget is not None and asked.budget < 1:
        faults.wrong("--budget", asked.budget, "at least 1 evaluation")
    faults.check()
    given = {"games": asked.games, "seed": asked.seed}
    numbers = {name: number for name, number in given.items() if number is not None}
    return usual_settings(ruleset, names, size=asked.size or "", evaluations=asked.budget, **numbers)


def _shard(text: str | None) -> Shard:
    if text is None:
        return 1, 1
    found = _SHARD.fullmatch(text.strip())
    part, parts = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 1 <= part <= parts:
        raise bad("--shard", f"found {quoted(text)}", "i/n with i from 1 to n")
    return part, parts


def _jobs(number: int | None) -> int:
    if number is None:
        return os.cpu_count() or 1
    if not 1 <= number <= MOST_JOBS:
        raise bad("--jobs", f"found {number}", f"a number from 1 to {MOST_JOBS}")
    return number


def _commit() -> str:
    """The commit of the checkout that plays, and whether its sources differ from it; ``unknown`` without a checkout."""
    from tactician import agent

    root = Path(agent.__path__[0]).parent
    if not (root / "pyproject.toml").exists():
        return "unknown"
    head = _git(root, "rev-parse", "--short=12", "HEAD")
    changed = _git(root, "status", "--porcelain", "--", "rules", "agent")
    return f"{head} {CHANGED}" if head and changed else head or "unknown"


def _git(root: Path, *words: str) -> str:
    try:
        done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _machine() -> str:
    system = f"{platform.system()} {platform.machine()}"
    return f"{os.cpu_count() or 1} cores, {system}, Python {platform.python_version()}"


# ---- playing and telling ---------------------------------------------------------------------------------------------


def _played(begun: Ladder, todo: list[Fixture], jobs: int, place: Path | None) -> tuple[list[Pair], int]:
    """Play, keeping every pair as soon as it is over; what was played, and the exit code."""
    from concurrent.futures.process import BrokenProcessPool

    from tactician.agent.ladder import played
    from tactician.agent.ladder_files import write_ladder

    twins.spare_no_longer()
    begin_warming()
    pairs: list[Pair] = []
    if place is not None:
        write_ladder(place, begun)
    try:
        with _progress(len(todo)) as show, closing(played(begun.settings, todo, jobs)) as coming:
            for pair in coming:
                pairs.append(pair)
                if place is not None:
                    write_ladder(place, begun.having(pairs))
                show(pair)
    except KeyboardInterrupt:
        note("stopped")
        return pairs, STOPPED
    except BrokenProcessPool:
        note("error: one of the processes was ended from outside; what was finished is kept")
        return pairs, ILLEGAL
    return pairs, 0


@contextmanager
def _progress(total: int) -> Iterator[Callable[[Pair], None]]:
    """A bar that moves on with each pair; lines in its place where there is no terminal."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    console = Console(file=sys.stderr)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    times = (TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, *times, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("pairs of games", total=total)
        count = 0

        def show(pair: Pair) -> None:
            nonlocal count
            count += 1
            bar.update(task, completed=count)
            if not console.is_terminal:
                fixture, score = pair.fixture, sum(pair.scores)
                note(
                    f"{count} of {total}: {fixture.first} against {fixture.second}, seed {fixture.seed}: "
                    f"{score:g} to {2 - score:g}"
                )

        yield show


def _tell(whole: Ladder, place: Path | None) -> None:
    """The tables, and what is still missing."""
    from tactician.commands.strength import ENCOUNTERS, STANDINGS, encounter_rows, fault_lines, standing_rows, title

    say(title(whole.settings))
    table(ENCOUNTERS, encounter_rows(whole))
    table(STANDINGS, standing_rows(whole))
    say(*fault_lines(whole))
    if len(whole.pairs) < whole.planned:
        say(f"{len(whole.pairs)} of {whole.planned} pairs of games have been played")
    if place is not None:
        say(f"results: {place}")
