"""What a result was measured on: the state of the repository and the machine."""

from __future__ import annotations

import os
import platform
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = ["ROOT", "Machine", "commit", "this_machine"]

ROOT = Path(__file__).resolve().parents[1]
"""Of the repository."""

CHANGED = "with changes"
"""Stands behind the commit where files of the product differ from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What the games were played on."""

    processor: str
    cores: int
    system: str
    python: str


@cache
def commit() -> str:
    """The commit the product stood at when this process began, and whether rules, agent or env differed from it."""
    head = _git("rev-parse", "--short=12", "HEAD") or "unknown"
    changed = _git("status", "--porcelain", "--", "rules", "agent", "env")
    return f"{head} {CHANGED}" if changed else head


def _git(*words: str) -> str:
    done = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def this_machine() -> Machine:
    """The machine this runs on."""
    return Machine(
        processor=_processor(),
        cores=os.cpu_count() or 1,
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
    )


def _processor() -> str:
    known = Path("/proc/cpuinfo")
    if known.exists():
        for line in known.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
