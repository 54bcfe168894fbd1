"""A copy of the template under another name is a game of its own, with no other edit."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.tree import ROOT

NAME = "pistols_at_dawn"

SCRIPT = """
import json, sys
import tactician
from tactician.rules.core.ruleset import load_ruleset, ruleset_names
from tests.conformance.laws import law_ruleset

ruleset = load_ruleset(sys.argv[1])
law_ruleset(ruleset, ruleset.info.sizes[0], seed=0)
law_ruleset(ruleset, ruleset.info.sizes[0], seed=1)
print(json.dumps([tactician.__file__, ruleset_names(), ruleset.info.id, type(ruleset).__module__]))
"""


def copy_of_the_source(to: Path) -> Path:
    """The whole package `tactician` as it is installed, with the laws beside it."""
    places = {"app": "tactician", "tests/conformance": "tests/conformance"}
    places |= {layer: f"tactician/{layer}" for layer in ("rules", "agent", "env")}
    for source, place in places.items():
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / source, to / place, ignore=ignored, dirs_exist_ok=True)
    (to / "tests" / "__init__.py").touch()
    return to


def test_a_copied_template_is_found_and_keeps_the_laws(tmp_path: Path) -> None:
    root = copy_of_the_source(tmp_path)
    rules = root / "tactician" / "rules"
    shutil.copytree(rules / "_template", rules / NAME)
    environment = {**os.environ, "PYTHONPATH": str(root)}
    command = [sys.executable, "-P", "-c", SCRIPT, NAME]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    place, names, name, module = json.loads(done.stdout)
    assert Path(place).is_relative_to(root), "the copy was not what was tried"
    assert NAME in names
    assert name == NAME
    assert module.startswith(f"tactician.rules.{NAME}.")


COMMANDS = """
import io, json, sys
from contextlib import redirect_stdout
from tactician.cli import main

said = {}
for words in (["rules"], ["rules", sys.argv[1], "--page"], ["duel", "--rules", sys.argv[1], "--seed", "3"]):
    out = io.StringIO()
    with redirect_stdout(out):
        code = main(words)
    said[" ".join(words)] = [code, out.getvalue()]
print(json.dumps(said))
"""


@pytest.mark.slow
def test_a_copied_template_appears_on_the_command_line_and_has_a_page(tmp_path: Path) -> None:
    root = copy_of_the_source(tmp_path)
    rules = root / "tactician" / "rules"
    shutil.copytree(rules / "_template", rules / NAME)
    environment = {**os.environ, "PYTHONPATH": str(root)}
    command = [sys.executable, "-P", "-c", COMMANDS, NAME]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout.splitlines()[-1])
    assert {code for code, _ in said.values()} == {0}, said
    listed, page, game = (text for _, text in said.values())
    assert NAME in listed
    assert page.startswith("#")
    assert game


def test_the_template_does_not_know_its_own_name() -> None:
    for path in sorted((ROOT / "rules" / "_template").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        assert "template" not in text.lower(), f"{path.name} names the folder that it is copied from"
