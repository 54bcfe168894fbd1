"""The command that compiles the inner loops ahead of time: warm."""

from __future__ import annotations

import sys

import typer
from tactician.commands.told import note, say
from tactician.rules.paths import twins

__all__ = ["STOPPED", "begin_warming", "warm"]

STOPPED = 130
"""Exit code of what was stopped from the keyboard, as shells use it."""


def begin_warming() -> None:
    """Compile in a process of its own, if there is anything to compile, while this one gets to work."""
    from tactician.agent.warming import warm_in_child

    warm_in_child()


def warm() -> None:
    """Compile what measures and searches ahead of time, so that games run faster from then on; about a minute, once."""
    if not twins.has_compiler():
        note("numba is not installed: everything works without it, only slower (pip install numba)")
        raise typer.Exit(1)
    if twins.mode() in (twins.PLAIN, twins.INTERPRETED):
        note(f"note: {twins.VARIABLE}={twins.mode()} is set, so that what is compiled now will not be used")
    from tactician.agent.warming import is_warm

    folder = twins.cache_folder()
    if is_warm():
        say(f"nothing to do: everything is compiled, in {folder}")
        return
    try:
        _warmed()
    except KeyboardInterrupt:
        note(f"stopped; what is done stays in {folder}")
        raise typer.Exit(STOPPED) from None
    say(f"compiled, in {folder}")


def _warmed() -> None:
    """Compile with a bar that moves on with each kernel; lines in its place where there is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    from tactician.agent.warming import warm as compile_all

    console = Console(file=sys.stderr)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("compiling", total=None)

        def report(name: str, done: int, total: int) -> None:
            bar.update(task, description=name, completed=done, total=total)
            if not console.is_terminal:
                note(f"{done + 1} of {total}: {name}")

        compile_all(report)
