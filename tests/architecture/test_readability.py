"""Bounds that keep the source easy to enter: exports named, modules and functions of a readable size."""

from __future__ import annotations

from pathlib import Path

from tests.architecture import scan
from tests.architecture.tree import ROOT


def write(root: Path, place: str, text: str) -> Path:
    """A tree with this one file."""
    path = root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return root


def function(lines: int, docstring: str = "") -> str:
    """Source of a function with this many lines, its first included, and a docstring on top of them."""
    return f"def long():\n{docstring}" + "    pass\n" * (lines - 1)


def test_exports_are_named_and_exist() -> None:
    assert scan.export_faults(ROOT) == []


def test_an_exported_name_that_does_not_exist_is_found(tmp_path: Path) -> None:
    text = "from a import b as c\nd, e = 1, 2\nif c:\n    f: int = 3\ndef g():\n    h = 4\n"
    text += "__all__ = ['b', 'c', 'd', 'e', 'f', 'g', 'h']\n"
    assert scan.export_faults(write(tmp_path, "env/x.py", text)) == [
        "env/x.py exports b, which it does not define",
        "env/x.py exports h, which it does not define",
    ]


def test_a_public_module_without_exports_is_found(tmp_path: Path) -> None:
    for place in ("agent/search/tree.py", "rules/core/x.py", "rules/core/_private.py", "rules/core/__init__.py"):
        write(tmp_path, place, "")
    assert scan.export_faults(tmp_path) == ["agent/search/tree.py has no __all__", "rules/core/x.py has no __all__"]


def test_modules_and_functions_keep_to_a_readable_size() -> None:
    assert scan.size_faults(ROOT) == []


def test_a_module_that_is_too_long_is_found(tmp_path: Path) -> None:
    assert scan.size_faults(write(tmp_path, "rules/x.py", "a = 1\n" * 600)) == []
    assert scan.size_faults(write(tmp_path, "env/y.py", "a = 1\n" * 601)) == ["env/y.py has 601 lines, at most 600"]


def test_a_function_that_is_too_long_is_found_and_its_docstring_does_not_count(tmp_path: Path) -> None:
    docstring = '    """One.\n\n    Three.\n    """\n'
    write(tmp_path, "rules/x.py", function(60, docstring))
    write(tmp_path, "rules/y.py", function(61, docstring))
    assert scan.size_faults(tmp_path) == ["rules/y.py:1 long has 61 lines, at most 60"]
