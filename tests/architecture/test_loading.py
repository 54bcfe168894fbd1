"""What an import really does, in a fresh interpreter: what it loads, and whose files it finds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.scan import is_file_boundary
from tests.architecture.tree import LAYERS, ROOT, modules

HEAVY = (
    *("gymnasium", "pettingzoo", "networkx", "shapely", "scipy", "numba", "pydantic"),
    *("matplotlib", "PIL", "typer", "rich", "fastapi"),
)


def fresh(code: str, *arguments: str) -> object:
    """Run code in a new interpreter that does not see the working directory; what it prints is JSON."""
    command = [sys.executable, "-P", "-c", code, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


LOADED = """
import importlib, json, sys
heavy, names = map(json.loads, sys.argv[1:])
for name in names:
    importlib.import_module(name)
print(json.dumps([name for name in heavy if name in sys.modules]))
"""


@pytest.mark.parametrize("name", ["tactician", "tactician.rules"])
def test_importing_the_rules_loads_nothing_heavy(name: str) -> None:
    assert fresh(LOADED, json.dumps(HEAVY), json.dumps([name])) == []


def test_no_module_of_the_library_loads_anything_heavy() -> None:
    names = [
        module.name for module in modules(ROOT) if module.layer in ("rules", "agent") and not is_file_boundary(module)
    ]
    assert fresh(LOADED, json.dumps(HEAVY), json.dumps(names)) == []


def test_a_heavy_import_would_be_noticed() -> None:
    assert fresh(LOADED, json.dumps(HEAVY), json.dumps(["networkx"])) == ["networkx"]


EXPORTS = """
import importlib, json, sys
missing = []
for name in json.loads(sys.argv[1]):
    module = importlib.import_module(name)
    missing += [f"{name}.{item}" for item in getattr(module, "__all__", ()) if not hasattr(module, item)]
print(json.dumps(missing))
"""


def test_every_exported_name_can_be_imported() -> None:
    names = [module.name for module in modules(ROOT) if module.layer != "app"]
    assert fresh(EXPORTS, json.dumps(names)) == []


FOREIGN = """
import json, sys
sys.path.insert(0, sys.argv[1])
import rules, env
import tactician.rules, tactician.agent, tactician.env
found = {name: sys.modules[name] for name in ("rules", "env", "tactician.rules", "tactician.agent", "tactician.env")}
print(json.dumps({name: [module.__file__, getattr(module, "MARK", "")] for name, module in found.items()}))
"""


def test_foreign_packages_of_the_same_names_stay_apart(tmp_path: Path) -> None:
    for name in ("rules", "env"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"MARK = 'foreign {name}'\n", encoding="utf-8")
    ours = {f"tactician.{name}": [str(ROOT / name / "__init__.py"), ""] for name in LAYERS[:-1]}
    theirs = {name: [str(tmp_path / name / "__init__.py"), f"foreign {name}"] for name in ("rules", "env")}
    assert fresh(FOREIGN, str(tmp_path)) == ours | theirs
