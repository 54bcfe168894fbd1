"""What the commands print: lines, tables, JSON; libraries never print, commands do so only through here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import typer
from tactician.rules.core.files import json_text
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State

if TYPE_CHECKING:
    from tactician.agent.by_eye import Measure

__all__ = [
    "chance_words",
    "gap_words",
    "inches",
    "measure_now",
    "neat_json",
    "note",
    "per_cent",
    "say",
    "say_json",
    "table",
]

WIDE = 110
"""Characters that a value may take to be kept on one line of a written file."""


def say(*lines: str) -> None:
    """Print lines."""
    for line in lines:
        typer.echo(line)


def note(*lines: str) -> None:
    """Print lines beside the answer, where they do not end up in a file that the answer is sent to."""
    for line in lines:
        typer.echo(line, err=True)


def say_json(data: Any) -> None:
    """Print data as JSON, for programs."""
    typer.echo(neat_json(data))


def neat_json(data: Any, indent: str = "") -> str:
    """JSON text for people: whatever fits on a line stands on one, numbers exactly as they are.

    >>> neat_json({"at": [1.5, 2]})
    '{"at": [1.5, 2]}'
    """
    flat = json_text(data, indent=None)
    if len(flat) + len(indent) <= WIDE or not isinstance(data, dict | list | tuple) or not data:
        return flat
    inner = f"{indent} "
    if isinstance(data, dict):
        rows = [f"{json_text(str(key))}: {neat_json(value, inner)}" for key, value in data.items()]
    else:
        rows = [neat_json(value, inner) for value in data]
    opening, closing = ("{", "}") if isinstance(data, dict) else ("[", "]")
    body = ",\n".join(f"{inner}{row}" for row in rows)
    return f"{opening}\n{body}\n{indent}{closing}"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], title: str = "") -> None:
    """Print a table as wide as it needs to be (a terminal's width where there is one)."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=200)
    shown = Table(title=Text(title) if title else None, box=box.SIMPLE, title_justify="left", pad_edge=False)
    for column in columns:
        shown.add_column(Text(column), overflow="fold")
    for row in rows:
        shown.add_row(*(Text(cell) for cell in row))
    console.print(shown)


def inches(value: float) -> str:
    """Inches as people read them, rounded to hundredths."""
    return f'{value:.2f}"'


def measure_now(ruleset: Ruleset, state: State) -> Measure:
    """What a command may tell of distances between own and enemy units: all, or what can be seen by eye."""
    from tactician.agent.by_eye import measure_of

    return measure_of(ruleset, state)


def gap_words(measure: Measure, value: float) -> str:
    """A distance between an own and an enemy unit as `Measure.gap` gives it: exact, or marked as an estimate."""
    from tactician.agent.by_eye import about

    return inches(value) if measure.exact else f'{about(value)}" by eye'


def per_cent(probability: Fraction | float) -> str:
    """With one decimal; what is possible is not called 0, and what may fail is not called 100."""
    tenths = round(probability * 1000)
    if tenths == 0 and probability > 0:
        return "<0.1 %"
    if tenths == 1000 and probability < 1:
        return ">99.9 %"
    return f"{tenths // 10}.{tenths % 10} %"


def chance_words(probability: Fraction) -> str:
    """A probability exactly and in per cent; long fractions in per cent alone."""
    exact = str(probability)
    return f"{exact} = {per_cent(probability)}" if len(exact) <= 16 else per_cent(probability)
