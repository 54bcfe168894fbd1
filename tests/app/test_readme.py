"""The README: every command in it exists and runs as a user would run it; the page of the evidence is up to date."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import pytest
from tactician.cli import main

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"

PROGRAM = "tactician"
SCRIPTED = {"play": "quit\n"}
"""What is typed into commands that ask."""

PATIENCE = 600
"""Seconds until a command is taken to hang."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command of the README."""

    line: str

    @property
    def words(self) -> list[str]:
        """The arguments after the name of the program, as a shell splits them."""
        return shlex.split(self.line, comments=True)[1:]


def blocks(text: str) -> list[Command]:
    """The commands of this program in the indented code blocks, in their order; installing is left out."""
    lines = [line.strip() for line in text.splitlines() if line.startswith("    ")]
    parts = [part.strip() for line in lines for part in line.split(" && ")]
    return [Command(part) for part in parts if part.split()[:1] == [PROGRAM]]


def mentions(text: str) -> list[Command]:
    """The commands of this program in the running text."""
    return [Command(found) for found in re.findall(rf"`({PROGRAM} [^`]+)`", text)]


def misunderstood(command: Command) -> bool:
    """Whether the command line knows no such sub-command or option, which it says even where only help is asked for."""
    return main([*command.words, "--help"]) != 0


def test_the_readme_names_only_commands_and_options_that_exist() -> None:
    text = README.read_text(encoding="utf-8")
    assert len(blocks(text)) > 10
    assert [command.line for command in (*blocks(text), *mentions(text)) if misunderstood(command)] == []


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("tactician duell --seed 7", "No such command 'duell'"),
        ("tactician duel --sead 7", "No such option: --sead"),
        ("tactician odds rol '2d6>=8'", "No such command 'rol'"),
        ("tactician suggest battle.json --top 3 --pictures plan.png", "No such option: --pictures"),
    ],
)
def test_a_command_that_does_not_exist_is_noticed(capsys: pytest.CaptureFixture[str], line: str, why: str) -> None:
    assert misunderstood(Command(line))
    assert why in capsys.readouterr().err


def test_blocks_leave_out_installing_and_remarks() -> None:
    text = "Text\n\n    python3 -m venv v && pip install -e . && tactician duel --seed 7 && tactician suggest\n"
    text += "    tactician check a.json 'R1 move to 2,3'   # exit 0\n    python -m tests.run\n"
    assert [command.words for command in blocks(text)] == [
        ["duel", "--seed", "7"],
        ["suggest"],
        ["check", "a.json", "R1 move to 2,3"],
    ]


@pytest.mark.slow
def test_every_command_of_the_readme_runs_as_a_user_would_run_it(tmp_path: Path) -> None:
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    faults = []
    for command in blocks(README.read_text(encoding="utf-8")):
        done = subprocess.run(
            command.line,
            shell=True,
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            input=SCRIPTED.get(command.words[0], ""),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        if done.returncode or "Traceback" in done.stdout + done.stderr:
            faults.append(f"{command.line}: exit {done.returncode}: {(done.stderr or done.stdout)[-300:]}")
        elif not done.stdout.strip():
            faults.append(f"{command.line}: prints nothing")
    assert faults == []


def test_the_page_of_the_evidence_is_what_its_results_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))  # benchmarks are run from the checkout and are no part of the package
    written = import_module("benchmarks.evidence_page")
    assert written.PAGE.read_text(encoding="utf-8") == written.page(), "python -m benchmarks.evidence page"
