"""What a source tree does against the architecture, as sentences; an empty list is a clean tree.

Each function takes a root that holds the folders of the layers, so that a test can hand it a small tree with a fault
planted in it.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.architecture.tree import CORE_PACKAGES, LAYERS, Import, Module, dotted, loaded_by, modules, rulesets

EAGER = {
    "rules": frozenset({"numpy"}),
    "agent": frozenset({"numpy"}),
    "env": frozenset({"numpy", "gymnasium", "pettingzoo", "PIL"}),
}
"""Third-party packages that a module of a layer may import when it loads."""

LAZY = frozenset({"shapely", "networkx", "scipy", "numba"})
"""Third-party packages for the layers below `app`, inside functions: most calls never need them."""

APP = frozenset({"typer", "rich", "PIL", "fastapi", "starlette", "uvicorn"})
"""Third-party packages for people, beside everything that the layers below may import."""

CHANCE_AND_CLOCK = ("random", "secrets", "time", "datetime", "numpy.random")
"""What would make a verdict depend on more than the table; dice enter `rules` as outcomes only."""

GAME_WORDS = ("voidsiege", "wh40k2e", "wfb8e", "wh40k11e", "warhammer")
"""Names of games, forbidden in the folders that serve all of them; names of rulesets found are added."""

MODULE_LINES = 600
FUNCTION_LINES = 60
LONG_MODULES = frozenset({"agent/sketch/kernel.py", "rules/paths/kernels.py"})
"""Compiled kernels that call each other must share a file: the compiler's cache does not look at other files."""


def layer_faults(root: Path) -> list[str]:
    """Imports against the direction of the layers, relative ones, and ones by a folder's bare name."""
    return _import_faults(root, _layer_fault)


def library_faults(root: Path) -> list[str]:
    """Third-party imports that a layer may not have, or not while a module loads."""
    tree = modules(root)
    loaded = loaded_by(tree, "tactician.rules") | loaded_by(tree, "tactician.agent")

    def fault(module: Module, found: Import) -> str:
        return _library_fault(module, found, loads_early=module.name in loaded)

    return _import_faults(root, fault)


def is_file_boundary(module: Module) -> bool:
    """Whether a module turns files into states and back, and so may use pydantic."""
    name = module.path.stem.strip("_")
    return name == "schema" or (module.path.parent.name == "core" and name.startswith("files"))


def chance_faults(root: Path) -> list[str]:
    """Sources of chance and clocks under `rules`."""
    return _import_faults(root, _chance_fault)


def ruleset_faults(root: Path) -> list[str]:
    """Imports of a ruleset by shared code or by another ruleset; `app` is free, it sits on top of all."""
    names = rulesets(root)

    def fault(module: Module, found: Import) -> str:
        if module.layer == "app":
            return ""
        own = module.name.split(".")[2:3] if module.layer == "rules" else []
        for name in names:
            if [name] != own and found.is_within(f"tactician.rules.{name}"):
                return "rulesets are found, not imported"
        return ""

    return _import_faults(root, fault)


def word_faults(root: Path) -> list[str]:
    """Names of games in file names and text of the folders that serve every ruleset."""
    words = {*GAME_WORDS, *(name for name in rulesets(root) if not name.startswith("_"))}
    shared = [*(root / "rules").glob("*.py")]
    for folder in ("rules/core", "rules/paths", "agent", "env"):
        shared += [path for path in (root / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    faults = []
    for path in sorted(shared):
        place = path.relative_to(root).as_posix()
        lines = [place, *path.read_text(encoding="utf-8", errors="ignore").splitlines()]
        for number, line in enumerate(lines):
            faults += [f"{place}:{number} names {word}" for word in sorted(words) if word in line.lower()]
    return faults


def app_start_faults(root: Path) -> list[str]:
    """Imports in ``app/__init__.py``, which runs before every other module of ours."""
    return [
        f"{module.place}:{found.line} imports {found.target}: this file runs before everything and imports nothing"
        for module in modules(root)
        if module.place == "app/__init__.py"
        for found in module.imports
        if found.top != "__future__"
    ]


def package_faults(root: Path) -> list[str]:
    """Folders with an ``__init__.py`` that ``pyproject.toml`` does not list as packages, and the reverse."""
    declared = _declared_packages(root)
    found = {module.name for module in modules(root) if module.is_package}
    faults = [f"{name} is a folder but not listed in pyproject.toml" for name in sorted(found - set(declared))]
    faults += [f"{name} is listed in pyproject.toml but has no folder" for name in sorted(set(declared) - found)]
    faults += [f"{name} is listed twice" for name in sorted(set(declared)) if declared.count(name) > 1]
    return faults


def data_faults(root: Path) -> list[str]:
    """Files of the packages that are neither source nor matched by a ``package-data`` pattern: a wheel lacks them."""
    patterns = _package_data(root)
    packages = {module.path.parent for module in modules(root) if module.is_package}
    packed: set[Path] = set()
    for folder in packages:
        name = dotted(folder.relative_to(root))
        for pattern in [*patterns.get("*", ()), *patterns.get(name, ())]:
            packed.update(folder.glob(pattern))
    files = set(packaged_files(root)) - packed
    return [
        f"{path.relative_to(root).as_posix()} matches no package-data pattern"
        for path in sorted(files)
        if path.suffix != ".py" or path.parent not in packages
    ]


def packaged_files(root: Path) -> list[Path]:
    """Every file of the four layers that the wheel has to hold, sorted."""
    files = (path for layer in LAYERS for path in (root / layer).rglob("*"))
    return sorted(path for path in files if path.is_file() and "__pycache__" not in path.parts)


def export_faults(root: Path) -> list[str]:
    """Names in ``__all__`` that are not bound, and public modules of the library without one."""
    faults = []
    for module in modules(root):
        exported = _exported(module.tree)
        if exported is None:
            if module.is_public and module.place.startswith(("rules/core/", "rules/paths/", "agent/")):
                faults.append(f"{module.place} has no __all__")
            continue
        bound = set(_bound(module.tree.body))
        if "__getattr__" not in bound:  # names made on first use are looked up by a test that imports
            faults += [f"{module.place} exports {name}, which it does not define" for name in exported - bound]
    return sorted(faults)


def size_faults(root: Path) -> list[str]:
    """Modules and functions past the point where a reader loses the thread; docstrings do not count in functions."""
    faults = []
    for module in modules(root):
        if module.lines > MODULE_LINES and module.place not in LONG_MODULES:
            faults.append(f"{module.place} has {module.lines} lines, at most {MODULE_LINES}")
        for node in ast.walk(module.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _length(node) > FUNCTION_LINES:
                place = f"{module.place}:{node.lineno}"
                faults.append(f"{place} {node.name} has {_length(node)} lines, at most {FUNCTION_LINES}")
    return faults


def _import_faults(root: Path, judge: Callable[[Module, Import], str]) -> list[str]:
    return [
        f"{module.place}:{found.line} imports {found.target}: {reason}"
        for module in modules(root)
        for found in module.imports
        if (reason := judge(module, found))
    ]


def _layer_fault(module: Module, found: Import) -> str:
    if found.target.startswith("."):
        return "" if _is_chapter(module, found) else "imports are absolute"
    if found.top in LAYERS:
        return f"the package is called tactician.{found.top}" if found.top != "app" else "the package is tactician"
    if found.top != "tactician":
        return ""
    second = found.target.split(".")[1:2]
    layer = second[0] if second and second[0] in LAYERS[:-1] else "app"
    if LAYERS.index(layer) > LAYERS.index(module.layer):
        return f"{module.layer} may not see {layer}"
    return ""


def _is_chapter(module: Module, found: Import) -> bool:
    """Whether a ruleset names another module of its own folder, which can then be copied under another name."""
    layer, *folders = module.place.split("/")[:-1]
    return layer == "rules" and len(folders) == 1 and folders[0] not in CORE_PACKAGES and found.target[1:2] != "."


def _library_fault(module: Module, found: Import, *, loads_early: bool) -> str:
    if found.top in sys.stdlib_module_names or found.top in {"", "tactician", *LAYERS}:
        return ""
    if module.layer == "app":
        allowed = found.top in {"pydantic", *LAZY, *APP, *EAGER["env"]}
        return "" if allowed else "not a library of this layer"
    if found.top in EAGER[module.layer]:
        return ""
    deferred = found.lazy or found.typing_only
    if found.top in LAZY:
        return "" if deferred else "import it inside the function that needs it"
    if found.top == "pydantic":
        if not is_file_boundary(module):
            return "only at the file boundary (rules/core/files*.py or a schema module)"
        return "" if deferred or not loads_early else "this module loads early: import it inside functions"
    return "not a library of this layer"


def _chance_fault(module: Module, found: Import) -> str:
    if module.layer == "rules" and any(found.is_within(name) for name in CHANCE_AND_CLOCK):
        return "rules know neither chance nor clock"
    return ""


def _declared_packages(root: Path) -> list[str]:
    packages: list[str] = _project(root)["tool"]["setuptools"]["packages"]
    return packages


def _package_data(root: Path) -> dict[str, list[str]]:
    patterns: dict[str, list[str]] = _project(root)["tool"]["setuptools"]["package-data"]
    return patterns


def _project(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))


def _exported(tree: ast.Module) -> set[str] | None:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                return set(ast.literal_eval(value))
            case ast.AnnAssign(target=ast.Name(id="__all__"), value=ast.expr() as value):
                return set(ast.literal_eval(value))
    return None


def _bound(body: list[ast.stmt]) -> Iterator[str]:
    """Names that running the statements of a module binds, whichever branch is taken."""
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
                continue
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                yield from (alias.asname or alias.name.partition(".")[0] for alias in names)
            case ast.Assign(targets=targets):
                yield from _names(targets)
            case ast.AnnAssign(target=target, value=ast.expr()):
                yield from _names([target])
        for field in ("body", "orelse", "finalbody"):
            yield from _bound(getattr(node, field, []))
        for handler in getattr(node, "handlers", []):
            yield from _bound(handler.body)


def _names(targets: list[ast.expr]) -> Iterator[str]:
    for target in targets:
        yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name))


def _length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    end = node.end_lineno or node.lineno
    lines = end - node.lineno + 1
    first = node.body[0]
    if ast.get_docstring(node, clean=False) is not None:
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines
