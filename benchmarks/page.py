"""The page of measured speeds, made from the files under ``docs/benchmarks``: ``python -m benchmarks.page``."""

from __future__ import annotations

from benchmarks.machine import ROOT
from benchmarks.rows import Group, Row, read_groups

__all__ = ["main", "page"]

PAGE = ROOT / "docs" / "benchmarks.md"

HEAD = """# Benchmarks

<!-- Made by `python -m benchmarks.page` from the files in docs/benchmarks; do not edit by hand. -->

Times depend on the machine and on what else it does, so most targets are ratios to a peer in the same run. A row
without a target only informs.
"""


def page(groups: tuple[Group, ...]) -> str:
    """The page as Markdown, a section for each group."""
    return "\n".join([HEAD, *(_section(found) for found in groups)])


def _section(found: Group) -> str:
    machine = found.machine
    versions = ", ".join(f"{name} {number}" for name, number in found.versions)
    lines = [
        f"## {found.title}",
        "",
        f"`{found.command}` at {found.commit}, on {machine.processor}, {machine.cores} cores, {machine.system}, "
        f"Python {machine.python}; {versions}. Load before the run: {found.load:g}.",
        "",
        "| what | target | measured | ratio | met | note |",
        "|---|---|---|---|---|---|",
        *(_line(row) for row in found.rows),
        "",
    ]
    return "\n".join(lines)


def _line(row: Row) -> str:
    met = {True: "yes", False: "**no**", None: ""}[row.met]
    cells = (row.what, row.target, f"{_number(row.measured)} {row.unit}".strip(), _ratio(row.ratio), met, row.note)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _ratio(ratio: float | None) -> str:
    """A ratio as people say it: 1/20 where it is small."""
    if ratio is None:
        return ""
    return f"1/{1 / ratio:.0f}" if 0.0 < ratio < 0.2 else f"1/{1 / ratio:.1f}" if 0.0 < ratio < 1.0 else f"{ratio:.2g}"


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(read_groups()), encoding="utf-8")


if __name__ == "__main__":
    main()
