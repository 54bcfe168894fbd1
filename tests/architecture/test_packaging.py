"""What git keeps and what the wheel holds."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.architecture import scan
from tests.architecture.tree import LAYERS, ROOT

PROJECT = """
[tool.setuptools]
packages = ["tactician", "tactician.rules", "tactician.rules.gone"]
[tool.setuptools.package-data]
"*" = ["*.toml"]
"""


def test_the_list_of_packages_matches_the_folders() -> None:
    assert scan.package_faults(ROOT) == []


def test_every_data_file_is_packed() -> None:
    assert scan.data_faults(ROOT) == []


def test_a_list_that_differs_from_the_folders_is_found(tmp_path: Path) -> None:
    for folder in ("app", "rules", "rules/_template"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").touch()
    (tmp_path / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    assert scan.package_faults(tmp_path) == [
        "tactician.rules._template is a folder but not listed in pyproject.toml",
        "tactician.rules.gone is listed in pyproject.toml but has no folder",
    ]


def test_files_that_a_wheel_would_lack_are_found(tmp_path: Path) -> None:
    for folder in ("rules", "rules/data", "rules/lost"):
        (tmp_path / folder).mkdir()
    for place in ("__init__.py", "good.toml", "bad.csv", "data/deep.toml", "lost/module.py"):
        (tmp_path / "rules" / place).touch()
    (tmp_path / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    assert scan.data_faults(tmp_path) == [
        "rules/bad.csv matches no package-data pattern",
        "rules/data/deep.toml matches no package-data pattern",
        "rules/lost/module.py matches no package-data pattern",
    ]


@pytest.mark.parametrize(
    ("path", "ignored"),
    [
        (".venv/pyvenv.cfg", True),
        ("build/typed/tactician/__init__.py", True),
        ("rules/core/__pycache__/measure.cpython-311.pyc", True),
        ("env", False),
        ("env/__init__.py", False),
        ("rules/core/measure.py", False),
        ("rules/core/data/terrain.toml", False),
        (".ci/run", False),
    ],
)
def test_git_ignores_environments_but_not_the_layer_env(path: str, ignored: bool, tmp_path: Path) -> None:
    # In a repository of its own: there nothing is tracked, and tracked files are never reported as ignored.
    shutil.copy(ROOT / ".gitignore", tmp_path)
    if path == "env":
        (tmp_path / path).mkdir()  # patterns that end in a slash match folders only
    git = ["git", "-C", str(tmp_path), "-c", "core.excludesFile="]
    subprocess.run([*git, "init", "--quiet"], check=True, capture_output=True)
    done = subprocess.run([*git, "check-ignore", "--quiet", path], check=False, capture_output=True)
    assert done.returncode == (0 if ignored else 1), done.stderr


@pytest.mark.slow
def test_the_wheel_holds_our_package_and_nothing_else(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for name in LAYERS:
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, source)
    command = [sys.executable, "-P", "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(tmp_path), str(source)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    wanted = set()
    for path in scan.packaged_files(ROOT):
        place = path.relative_to(ROOT)
        below = place.relative_to("app") if place.parts[0] == "app" else place
        wanted.add(f"tactician/{below.as_posix()}")
    assert {name for name in held if ".dist-info/" not in name} == wanted
    information = "-".join(wheel.name.split("-")[:2]) + ".dist-info"
    assert {name.partition("/")[0] for name in held} == {"tactician", information}
    assert any(name.endswith("LICENSE") for name in held)
