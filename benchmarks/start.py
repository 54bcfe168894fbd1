"""How long it takes to begin: ``python -m benchmarks.start``, every number from child processes.

A cold install is a copy of the product with no compiled Python files beside it and an empty cache for compiled kernels.
Writes ``docs/benchmarks/start.json``.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tactician.rules.paths import twins

from benchmarks.machine import ROOT
from benchmarks.rows import Row, group, load_ahead, median, write_group

__all__ = ["main"]

IMPORT, COLD, SECOND = 0.3, 5.0, 2.0
"""Targets in seconds."""

LAYERS, FILES = ("app", "rules", "agent", "env"), ("pyproject.toml", "README.md", "LICENSE", "NOTICE")

TIMED = "import time; began = time.perf_counter(); {code}; print(time.perf_counter() - began)"

LOADED = "from tactician.rules.core.ruleset import load_ruleset, ruleset_names; load_ruleset(ruleset_names()[0])"
"""The whole of the rules with a game."""

SUGGEST = ("-c", "from tactician.cli import main; main()", "suggest")

PATIENCE = 300.0
"""Seconds that kernels may take to compile in the background before the copy is removed."""


def timed(code: str, times: int) -> list[float]:
    """Seconds of a line of code in so many fresh interpreters, after one that does not count."""
    command = [sys.executable, "-P", "-c", TIMED.format(code=code)]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(times + 1)]
    return [float(run.stdout) for run in runs[1:]]


def suggested(environment: Mapping[str, str], folder: Path) -> float:
    """Seconds from the command to its end."""
    began = time.perf_counter()
    command = [sys.executable, "-P", *SUGGEST]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr or done.stdout)
    return time.perf_counter() - began


def starts(rounds: int) -> tuple[list[float], list[float], list[float]]:
    """Seconds of the first suggestion of a cold install, of the next one, and of one once kernels are compiled."""
    firsts, seconds, thirds = [], [], []
    for number in range(rounds):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
            home = Path(name)
            environment = {**os.environ, "PYTHONPATH": str(_installed(home)), "XDG_CACHE_HOME": str(home / "cache")}
            firsts.append(suggested(environment, home))
            seconds.append(suggested(environment, home))
            _wait(home / "cache")
            thirds.append(suggested(environment, home))
        sys.stderr.write(f"{number + 1}/{rounds}: {firsts[-1]:.2f} {seconds[-1]:.2f} {thirds[-1]:.2f} s\n")
    return firsts, seconds, thirds


def _installed(home: Path) -> Path:
    """A copy of the product without compiled files, as a fresh install of the source leaves it."""
    source, target = home / "source", home / "site"
    source.mkdir()
    for layer in LAYERS:
        shutil.copytree(ROOT / layer, source / layer, ignore=shutil.ignore_patterns("__pycache__"))
    for file in FILES:
        shutil.copy(ROOT / file, source)
    command = [sys.executable, "-P", "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile"]
    done = subprocess.run([*command, "--target", str(target), str(source)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return target


def _wait(cache: Path) -> None:
    """Until the kernels that a suggestion has begun to compile in the background are ready."""
    until = time.monotonic() + PATIENCE
    while twins.has_compiler() and not list(cache.rglob(twins.MARKER)) and time.monotonic() < until:
        time.sleep(0.5)


def rows(times: int, rounds: int) -> Iterator[Row]:
    """The numbers beside their targets."""
    yield _row("import tactician.rules, warm", IMPORT, timed("import tactician.rules", times), "in a fresh interpreter")
    yield _row("import of the rules and a game, warm", IMPORT, timed(LOADED, times), "in a fresh interpreter")
    firsts, seconds, thirds = starts(rounds)
    yield _row("first suggestion of a cold install", COLD, firsts, "command to end; kernels begin to be compiled")
    yield _row("suggestion of the second start", SECOND, seconds, "right after the first; compiling goes on beside it")
    yield _row("suggestion once kernels are compiled", SECOND, thirds, "command to end")


def _row(what: str, limit: float, found: Sequence[float], note: str) -> Row:
    middle = median(found)
    spread = f"{note}; median of {len(found)}, {min(found):.2f} to {max(found):.2f}"
    return Row(what=what, target=f"<= {limit:g} s", measured=middle, unit="s", met=middle <= limit, note=spread)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and write; 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.start", description=__doc__.partition("\n")[0])
    parser.add_argument("--times", type=int, default=7, help="imports")
    parser.add_argument("--rounds", type=int, default=3, help="cold installs")
    parser.add_argument("--dry", action="store_true", help="show the rows and write nothing")
    given = parser.parse_args(arguments)
    load = load_ahead()
    found = list(rows(given.times, given.rounds))
    for row in found:
        sys.stdout.write(f"{row.what}: {row.measured:.2f} s ({row.target}), {row.note}\n")
    if not given.dry:
        write_group(group("start", "Starting", found, load=load))
    return 0 if all(row.met is not False for row in found) else 1


if __name__ == "__main__":
    sys.exit(main())
