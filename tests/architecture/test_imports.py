"""The arrows between the layers, the libraries each may use, and proof that a planted fault is seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.architecture import scan
from tests.architecture.tree import LAYERS, ROOT, modules

CHECKS = {
    "layers": scan.layer_faults,
    "libraries": scan.library_faults,
    "chance": scan.chance_faults,
    "rulesets": scan.ruleset_faults,
    "words": scan.word_faults,
    "app start": scan.app_start_faults,
}


def write(root: Path, files: dict[str, str]) -> Path:
    """A small clean tree of the four layers with two rulesets, and these files in it."""
    folders = (*LAYERS, "rules/core", "rules/paths", "rules/chess", "rules/draughts")
    for place, text in {**{f"{folder}/__init__.py": "" for folder in folders}, **files}.items():
        path = root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def test_the_scan_reads_every_layer() -> None:
    assert {module.layer for module in modules(ROOT)} == set(LAYERS)
    assert "tactician.rules.core.measure" in {module.name for module in modules(ROOT)}


@pytest.mark.parametrize("check", CHECKS)
def test_our_tree_is_clean(check: str) -> None:
    assert CHECKS[check](ROOT) == []


@pytest.mark.parametrize("check", CHECKS)
def test_a_tree_that_keeps_to_the_architecture_is_clean(check: str, tmp_path: Path) -> None:
    clean = {
        "rules/core/shapes.py": "import math\nimport numpy as np\n\ndef cut():\n    import shapely.geometry\n",
        "rules/core/files.py": "import pydantic\nfrom tactician.rules.core import shapes\n",
        "rules/paths/graph.py": "if TYPE_CHECKING:\n    import networkx\nfrom tactician.rules.core.shapes import cut\n",
        "rules/chess/turn.py": "from tactician.rules.chess import state\nfrom tactician.rules.core import shapes\n",
        "agent/arena.py": "import random, time\nfrom tactician.rules.core import shapes\n",
        "env/aec.py": "import gymnasium, pettingzoo\nfrom tactician.agent import arena\n",
        "app/cli.py": "import typer, rich, PIL\nfrom tactician.env import aec\nfrom tactician import draw\n",
        "app/__init__.py": '"""The package."""\nfrom __future__ import annotations\n',
    }
    assert CHECKS[check](write(tmp_path, clean)) == []


@pytest.mark.parametrize(
    ("check", "place", "text", "fault"),
    [
        ("layers", "rules/core/x.py", "import tactician.agent.y", "rules/core/x.py:1 imports tactician.agent.y"),
        ("layers", "rules/core/x.py", "from tactician import env", "rules may not see env"),
        ("layers", "rules/core/x.py", "def f():\n    from tactician.agent import y", "rules may not see agent"),
        ("layers", "rules/x.py", "if TYPE_CHECKING:\n    import tactician.env", "rules may not see env"),
        ("layers", "rules/x.py", "import_module('tactician.agent')", "rules may not see agent"),
        ("layers", "agent/x.py", "import tactician.env", "agent may not see env"),
        ("layers", "agent/x.py", "from tactician.cli import main", "agent may not see app"),
        ("layers", "env/x.py", "import tactician", "env may not see app"),
        ("layers", "agent/x.py", "from rules.core import measure", "the package is called tactician.rules"),
        ("layers", "app/x.py", "import env", "the package is called tactician.env"),
        ("layers", "app/x.py", "import app", "the package is tactician"),
        ("layers", "app/x.py", "from . import cli", "imports are absolute"),
        ("libraries", "rules/core/x.py", "import shapely", "inside the function that needs it"),
        ("libraries", "rules/core/x.py", "try:\n    import numba\nfinally:\n    pass", "inside the function"),
        ("libraries", "rules/core/x.py", "class A:\n    from scipy import optimize", "inside the function"),
        ("libraries", "agent/x.py", "from networkx import DiGraph", "inside the function that needs it"),
        ("libraries", "rules/core/x.py", "def f():\n    import pydantic", "only at the file boundary"),
        ("libraries", "agent/x.py", "import gymnasium", "not a library of this layer"),
        ("libraries", "env/x.py", "def f():\n    import typer", "not a library of this layer"),
        ("libraries", "app/x.py", "import matplotlib.pyplot", "not a library of this layer"),
        ("chance", "rules/chess/x.py", "import random", "neither chance nor clock"),
        ("chance", "rules/core/x.py", "def f():\n    from time import monotonic", "neither chance nor clock"),
        ("chance", "rules/core/x.py", "from numpy.random import default_rng", "neither chance nor clock"),
        ("chance", "rules/core/x.py", "import numpy as np\nr = np.random.rand()", "x.py:2 imports numpy.random"),
        ("chance", "rules/x.py", "import secrets", "neither chance nor clock"),
        ("chance", "rules/x.py", "from datetime import date", "neither chance nor clock"),
        ("rulesets", "rules/core/x.py", "from tactician.rules.chess import RULESET", "found, not imported"),
        ("rulesets", "rules/paths/x.py", "from tactician.rules import chess", "found, not imported"),
        ("rulesets", "agent/x.py", "def f():\n    import tactician.rules.chess.turn", "found, not imported"),
        ("rulesets", "rules/chess/x.py", "from tactician.rules.draughts import turn", "found, not imported"),
        ("words", "rules/core/x.py", "# as in VoidSiege", "rules/core/x.py:1 names voidsiege"),
        ("words", "agent/warhammer.py", "", "agent/warhammer.py:0 names warhammer"),
        ("words", "env/x.py", "\nID = 'tactician/Chess-v0'", "env/x.py:2 names chess"),
        ("words", "rules/paths/table.toml", "id = 'wfb8e'", "rules/paths/table.toml:1 names wfb8e"),
        ("words", "rules/__init__.py", "NAMES = ['wh40k2e', 'wh40k11e']", "rules/__init__.py:1 names wh40k11e"),
        ("app start", "app/__init__.py", "import sys", "app/__init__.py:1 imports sys"),
    ],
)
def test_a_planted_fault_is_found(check: str, place: str, text: str, fault: str, tmp_path: Path) -> None:
    faults = CHECKS[check](write(tmp_path, {place: text}))
    assert any(place in found and fault in found for found in faults), faults


def test_the_file_boundary_may_not_be_loaded_early(tmp_path: Path) -> None:
    chain = {
        "rules/__init__.py": "from tactician.rules.core.record import Record",
        "rules/core/record.py": "from tactician.rules.core import files",
        "rules/core/files.py": "import pydantic",
    }
    assert scan.library_faults(write(tmp_path, chain)) == [
        "rules/core/files.py:1 imports pydantic: this module loads early: import it inside functions"
    ]
