"""Measured numbers beside their targets, one file a group; `benchmarks.page` makes a page of all of them.

A file under ``docs/benchmarks`` holds a name, a title, the command that wrote it, commit, machine, versions, and rows.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.machine import ROOT, Machine, commit, this_machine

__all__ = ["BENCHMARKS", "Group", "Row", "group", "load_ahead", "median", "part", "read_groups", "write_group"]

BENCHMARKS = ROOT / "docs" / "benchmarks"
"""Where measured groups stand, one file a name."""

LIBRARIES = ("numpy", "networkx", "shapely", "scipy", "numba")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One number that was measured."""

    what: str
    target: str
    """In words, like ``<= 1/20 of the peer``; empty where the number only informs."""
    measured: float
    unit: str
    ratio: float | None = None
    """Measured over the peer's number in the same run, where there is a peer."""
    met: bool | None = None
    """None where there is no target."""
    note: str = ""
    """How it was measured, and what limits it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The rows of one benchmark, and what they were measured on."""

    name: str
    title: str
    command: str
    commit: str
    machine: Machine
    load: float
    """Processes that wanted a core when it began: above the number of cores, times are too long."""
    versions: tuple[tuple[str, str], ...]
    rows: tuple[Row, ...]


def load_ahead() -> float:
    """How many processes want a core now, on average over a minute; 0 where the system does not say."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else 0.0


def group(name: str, title: str, rows: Iterable[Row], *, load: float, others: Sequence[tuple[str, str]] = ()) -> Group:
    """Rows together with this machine, the commit and the versions of the libraries.

    Args:
        name: of the file, and of the module ``benchmarks.NAME`` that measures.
        title: of the section of the page.
        rows: what was measured.
        load: from `load_ahead`, asked before measuring.
        others: names and versions beside those of the product's own libraries, such as a peer's.
    """
    return Group(
        name=name,
        title=title,
        command=f"python -m benchmarks.{name}",
        commit=commit(),
        machine=this_machine(),
        load=load,
        versions=(*((library, _version(library)) for library in LIBRARIES), *others),
        rows=tuple(rows),
    )


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "none"


def write_group(found: Group, folder: Path = BENCHMARKS) -> Path:
    """Write a group as a whole."""
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / f"{found.name}.json"
    beside = place.with_suffix(".part")
    beside.write_text(json.dumps(asdict(found), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    beside.replace(place)
    return place


def read_groups(folder: Path = BENCHMARKS) -> tuple[Group, ...]:
    """Every group that has been measured, by name."""
    return tuple(_read(path) for path in sorted(folder.glob("*.json")))


def _read(path: Path) -> Group:
    data = json.loads(path.read_text(encoding="utf-8"))
    data["machine"] = Machine(**data["machine"])
    data["versions"] = tuple((name, number) for name, number in data["versions"])
    data["rows"] = tuple(Row(**row) for row in data["rows"])
    return Group(**data)


def median(numbers: Iterable[float]) -> float:
    """The middle one."""
    return part(numbers, 0.5)


def part(numbers: Iterable[float], share: float) -> float:
    """The number that so great a share of the others does not exceed, as 0.95 for the 95th percentile."""
    row = sorted(numbers)
    return row[min(len(row) - 1, int(share * len(row)))]
