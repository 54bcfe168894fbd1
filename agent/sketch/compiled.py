"""Which twin of the sketch's kernel answers: the compiled one where its cache is warm, otherwise the plain code.

The mode, and what a cache depends on, are those of the tape measure's kernels (`tactician.rules.paths.twins`); this
kernel only has a cache of its own.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from tactician.agent.sketch import kernel
from tactician.rules.paths import twins

__all__ = ["cache_folder", "compiled", "is_warm", "warm"]

MARKER = "warm"
"""Name of the file that says that a cache folder holds the kernel."""


@dataclass(slots=True)
class _Known:
    """What this process has found out."""

    is_warm: bool | None = None
    """Whether the cache was warm when first asked."""
    twin: ModuleType | None = None


_known = _Known()


def compiled() -> ModuleType | None:
    """The compiled kernel where it may answer now, else None.

    In the mode `AUTO` it answers where the tape measure's compiled kernels do, and its own cache was warm when
    that was first looked up in this process.
    """
    mode = twins.mode()
    if mode == twins.COMPILED:
        return _load()
    if mode != twins.AUTO or twins.compiled() is None:
        return None
    if _known.is_warm is None:
        _known.is_warm = is_warm()
    return _load() if _known.is_warm else None


def is_warm() -> bool:
    """Whether the cache holds exactly this source, compiled by this compiler on this processor."""
    return twins.has_compiler() and (cache_folder() / MARKER).is_file()


def cache_folder() -> Path:
    """Where the compiled kernel is kept, whether it exists yet or not: beside the caches of the tape measure."""
    return twins.cache_folder().parent.parent / "sketch" / twins.key_of(Path(kernel.__file__))


def warm(play: Callable[[], Any]) -> Path:
    """Compile the kernel into its cache.

    Args:
        play: asks the kernel for everything once; called while the mode is `COMPILED`.

    Returns:
        The cache folder.
    """
    with twins.forced(twins.COMPILED):
        play()
    folder = cache_folder()
    (folder / MARKER).write_text("compiled\n", encoding="utf-8")
    _known.is_warm = None
    return folder


def _load() -> ModuleType:
    """Load the source of the kernel once more, with the compiler at work."""
    if _known.twin is not None:
        return _known.twin
    import numba

    found = importlib.util.spec_from_file_location(kernel.COMPILED, kernel.__file__)
    if found is None or found.loader is None:
        raise ImportError(f"the source of {kernel.COMPILED} is gone")
    twin = importlib.util.module_from_spec(found)
    # The compiler asks where to keep what it makes when a function is decorated, not when it is compiled.
    settings: Any = numba.config
    before = settings.CACHE_DIR
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    settings.CACHE_DIR = str(folder)
    sys.modules[kernel.COMPILED] = twin
    try:
        found.loader.exec_module(twin)
    finally:
        settings.CACHE_DIR = before
    _known.twin = twin
    return twin
