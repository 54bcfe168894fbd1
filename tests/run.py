"""Every fast check in one command: ``python -m tests.run``.

Runs the linter, the type checker on an installed copy, and the fast tests, in this order, and stops at the first that
fails. The folders carry other names than the packages they become, so the type checker reads a copy made by pip.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TYPED = ROOT / "build" / "typed"
STALE = (TYPED, ROOT / "build" / "lib")
"""Copies of earlier builds: a module deleted since would live on in them."""

# -P keeps the working directory off sys.path, where the folder names would pass for packages.
PYTHON = (sys.executable, "-P", "-m")


def run(*arguments: str, **environment: str) -> int:
    """Run one tool of this interpreter in the root of the repository and return its exit code."""
    return subprocess.run([*PYTHON, *arguments], cwd=ROOT, env={**os.environ, **environment}, check=False).returncode


def install_copy() -> int:
    """Install the package into `TYPED` from clean; what pip says is shown only if it fails."""
    for folder in STALE:
        shutil.rmtree(folder, ignore_errors=True)
    command = [*PYTHON, "pip", "install", "--quiet", "--no-deps", "--no-compile", "--target", str(TYPED), "."]
    done = subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        say(done.stdout)
    return done.returncode


def say(line: str) -> None:
    """Print a line before anything a child process prints next."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


STEPS: tuple[tuple[str, Callable[[], int]], ...] = (
    ("lint (ruff check .)", lambda: run("ruff", "check", ".")),
    ("copy for the type checker (pip install --target build/typed .)", install_copy),
    ("types (mypy -p tactician)", lambda: run("mypy", "-p", "tactician", MYPYPATH=str(TYPED))),
    ("fast tests (pytest)", lambda: run("pytest")),
)


def main() -> int:
    """Run the steps in order; return 0, or the exit code of the first that failed."""
    for number, (name, step) in enumerate(STEPS, start=1):
        say(f"[{number}/{len(STEPS)}] {name}")
        started = time.perf_counter()
        code = step()
        last = number == len(STEPS)
        if not last:  # the tests' own closing line says their time and stays the last line
            say(f"[{number}/{len(STEPS)}] {'failed' if code else 'passed'} in {time.perf_counter() - started:.1f} s")
        if code:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
