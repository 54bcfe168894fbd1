"""The source tree as the architecture tests see it: layers, modules and their imports, read without running them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

LAYERS = ("rules", "agent", "env", "app")
"""The folders, lowest first: each may import itself and what stands before it."""

CORE_PACKAGES = ("core", "paths")
"""The sub-packages of `rules` that are not rulesets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """One thing that a module imports."""

    target: str
    """Dotted name; for ``from a import b`` it is ``a.b``, with leading dots if it was relative."""
    line: int
    lazy: bool
    """Inside a function, so not imported when the module loads."""
    typing_only: bool
    """Under ``if TYPE_CHECKING``, so never imported at run time."""

    @property
    def top(self) -> str:
        """The first component of the target."""
        return self.target.partition(".")[0]

    def is_within(self, package: str) -> bool:
        """Whether the target is the package or lies inside it."""
        return self.target == package or self.target.startswith(package + ".")


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """One source file of a layer."""

    path: Path
    place: str
    """Path below the root, with slashes."""
    name: str
    """Dotted import name, `tactician...`."""
    tree: ast.Module
    lines: int
    imports: tuple[Import, ...]

    @property
    def layer(self) -> str:
        """The folder at the top that holds it."""
        return self.place.partition("/")[0]

    @property
    def is_package(self) -> bool:
        """Whether it is the ``__init__`` of a folder."""
        return self.path.name == "__init__.py"

    @property
    def is_public(self) -> bool:
        """Whether neither it nor a folder above it starts with an underscore."""
        return not any(part.startswith("_") for part in self.place.split("/"))


def modules(root: Path) -> tuple[Module, ...]:
    """All source files of the four layers under a root, sorted by place."""
    files = [path for layer in LAYERS for path in (root / layer).rglob("*.py")]
    return tuple(_read(root, path, path.stat().st_mtime_ns) for path in sorted(files))


def rulesets(root: Path) -> tuple[str, ...]:
    """Names of the sub-packages of `rules` that are rulesets or templates of one, sorted."""
    found = (path.parent.name for path in (root / "rules").glob("*/__init__.py"))
    return tuple(sorted(name for name in found if name not in CORE_PACKAGES))


def dotted(place: Path) -> str:
    """Import name of a file or folder given relative to the root."""
    parts = list(place.with_suffix("").parts)
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(["tactician", *(parts[1:] if parts[0] == "app" else parts)])


def loaded_by(tree: Iterable[Module], name: str) -> frozenset[str]:
    """Names of the modules of the tree that run when a module is imported, itself and its parents included."""
    known = {module.name: module for module in tree}
    loaded: set[str] = set()
    waiting = [name]
    while waiting:
        parts = waiting.pop().split(".")
        for end in range(1, len(parts) + 1):
            module = known.get(".".join(parts[:end]))
            if module is not None and module.name not in loaded:
                loaded.add(module.name)
                waiting += [found.target for found in module.imports if not found.lazy and not found.typing_only]
    return frozenset(loaded)


@cache
def _read(root: Path, path: Path, _stamp: int) -> Module:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text, filename=str(path))
    place = path.relative_to(root)
    return Module(
        path=path,
        place=place.as_posix(),
        name=dotted(place),
        tree=tree,
        lines=len(text.splitlines()),
        imports=tuple(sorted(_imports(tree, text), key=lambda found: (found.line, found.target))),
    )


def _imports(tree: ast.Module, text: str) -> Iterator[Import]:
    calls = "import_module" in text or "__import__" in text
    found: list[Import] = []
    _gather(found, tree.body, lazy=False, typing_only=False, calls=calls)
    yield from found
    if "random" in text:
        yield from _numpy_random(tree)


def _gather(found: list[Import], nodes: Iterable[ast.AST], *, lazy: bool, typing_only: bool, calls: bool) -> None:
    """Add what nodes import; expressions are looked into only where something is imported by a call."""
    for node in nodes:
        if not calls and isinstance(node, ast.expr):
            continue
        for target in _targets(node):
            line = getattr(node, "lineno", 0)
            found.append(Import(target=target, line=line, lazy=lazy, typing_only=typing_only))
        if isinstance(node, ast.If) and _is_type_checking(node.test):
            _gather(found, node.body, lazy=lazy, typing_only=True, calls=calls)
            _gather(found, node.orelse, lazy=lazy, typing_only=typing_only, calls=calls)
        else:
            inside = lazy or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            children = ast.iter_child_nodes(node)
            _gather(found, children, lazy=inside, typing_only=typing_only, calls=calls)


def _targets(node: ast.AST) -> tuple[str, ...]:
    match node:
        case ast.Import(names=names):
            return tuple(alias.name for alias in names)
        case ast.ImportFrom(module=module, names=names, level=level):
            start = "." * level + (f"{module}." if module else "")
            return tuple(start + alias.name for alias in names)
        case ast.Call(
            func=ast.Name(id="import_module" | "__import__") | ast.Attribute(attr="import_module"),
            args=[ast.Constant(value=str(name)), *_],
        ):
            return (name,)
    return ()


def _is_type_checking(test: ast.expr) -> bool:
    match test:
        case ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
            return True
    return False


def _numpy_random(tree: ast.Module) -> Iterator[Import]:
    """Uses of ``numpy.random`` as an attribute, which need no import statement of their own."""
    nodes = list(ast.walk(tree))
    aliases = {
        alias.asname or alias.name
        for node in nodes
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "numpy"
    }
    for node in nodes:
        match node:
            case ast.Attribute(attr="random", value=ast.Name(id=name)) if name in aliases:
                yield Import(target="numpy.random", line=node.lineno, lazy=True, typing_only=False)
