"""The command line `tactician`."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from typing import Annotated

import typer
from tactician.commands import advice, battle, chances, games, kernels, ladder, rulebook, table
from tactician.errors import BAD_INPUT, EXPECTED, complaints
from tactician.rules.paths import twins

__all__ = ["app", "main"]

app = typer.Typer(
    name="tactician",
    help="An opponent and move planner for tabletop miniature wargames on a real table.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"tactician {version('tactician')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it.")] = False,
) -> None:
    pass


for command in (
    *(battle.new, battle.check, battle.apply, battle.choices, battle.show),
    *(table.play, games.duel, games.replay, ladder.ladder),
    *(advice.suggest, advice.path),
    *(rulebook.case, rulebook.rules, rulebook.schema),
    kernels.warm,
):
    app.command()(command)

app.add_typer(chances.odds)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: the arguments; None for those of the process.

    Returns:
        The exit code: 0 fine, 1 illegal or in disagreement, 2 bad input.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        with twins.sparing():
            typer.main.get_command(app)(args=None if argv is None else list(argv), prog_name="tactician")
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
    except EXPECTED as error:
        for line in complaints(error):
            typer.echo(f"error: {line}", err=True)
        return BAD_INPUT
    return 0
