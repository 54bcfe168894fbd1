"""Which twin of the kernels answers: the compiled one once its cache is warm, otherwise the plain code.

Compiling takes many seconds, so no question waits for it: the compiled twin is loaded only if its cache holds exactly
this source, compiled by this numba and Python on this processor. `warm` fills the cache, `warm_in_child` does so in a
process of its own. The answers are the same doubles either way.
"""

from __future__ import annotations

import gc
import hashlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

from tactician.rules.paths import kernels

__all__ = [
    "AUTO",
    "COMPILED",
    "INTERPRETED",
    "MODES",
    "PLAIN",
    "VARIABLE",
    "cache_folder",
    "compiled",
    "force",
    "forced",
    "has_compiler",
    "in_child",
    "interpreted",
    "is_warm",
    "is_warming",
    "key_of",
    "look_again",
    "mode",
    "spare_no_longer",
    "sparing",
    "warm",
    "warm_in_child",
]

AUTO, PLAIN, INTERPRETED, COMPILED = "auto", "plain", "interpreted", "compiled"
MODES = (AUTO, PLAIN, INTERPRETED, COMPILED)

VARIABLE = "TACTICIAN_KERNELS"
"""Environment variable that holds the mode; `AUTO` where it is not set."""

MARKER = "warm"
"""Name of the file that says that a cache folder holds every kernel."""

OWN = "tactician.rules.paths.twins"
"""This module, by the name under which it is run."""

CHILD = "warming"
"""Name of the file that holds the process id of the one process that is filling a cache folder."""

KEPT = 4
"""Cache folders of other sources or compilers that are kept, the latest."""

Report = Callable[[str, int, int], None]
"""Called before each kernel is compiled: its name, how many are done, how many there are."""


@dataclass(slots=True)
class _Known:
    """What this process has found out."""

    mode: str | None = None
    """The mode that was forced."""
    asked: bool = False
    answer: ModuleType | None = None
    """The twin that answers, once asked for."""
    twin: ModuleType | None = None
    """The compiled twin, once loaded."""
    sparing: bool = False
    """Whether this process has so little to ask that loading the compiled twin would take longer."""
    folder: Path | None = None
    """Where the compiled twin keeps what it compiles: the source may be edited while a process runs."""


_known = _Known()


def mode() -> str:
    """The mode in force: one that was forced, else the one in the environment, else `AUTO`.

    Raises:
        BadInput: the environment names a mode that does not exist.
    """
    if _known.mode is not None:
        return _known.mode
    named = os.environ.get(VARIABLE, AUTO)
    if named not in MODES:
        from tactician.rules.core.files import BadInput, Fault

        raise BadInput([Fault(where=VARIABLE, found=repr(named), expected=", ".join(MODES))])
    return named


def force(named: str | None) -> None:
    """Take a mode for this process whatever the environment says; None for the environment's again."""
    if named is not None and named not in MODES:
        raise ValueError(f"no mode {named!r}: one of {', '.join(MODES)}")
    _known.mode = named
    look_again()


@contextmanager
def forced(named: str) -> Iterator[None]:
    """A mode for as long as a ``with`` block runs."""
    before = _known.mode
    force(named)
    try:
        yield
    finally:
        force(before)


@contextmanager
def sparing() -> Iterator[None]:
    """In the mode `AUTO` do without the compiled twin: loading it takes a second, longer than a question or two."""
    before = _known.sparing
    _known.sparing = True
    look_again()
    try:
        yield
    finally:
        _known.sparing = before
        look_again()


def spare_no_longer() -> None:
    """There will be many questions after all."""
    if _known.sparing:
        _known.sparing = False
        look_again()


def interpreted() -> ModuleType:
    """The kernels as plain Python."""
    return kernels


def compiled() -> ModuleType | None:
    """The kernels that answer now in place of the plain code, or None where the plain code answers.

    Whether the cache is warm is looked up once in a process, when first asked (see `look_again`). In the mode
    `INTERPRETED` this is the interpreted twin; in the mode `COMPILED` kernels are compiled as they are needed.
    """
    if not _known.asked:
        _known.answer = _find(mode())
        _known.asked = True
    return _known.answer


def look_again() -> None:
    """Forget what `compiled` found, so that a cache that has become warm since is used from the next question on."""
    _known.asked = False
    _known.answer = None


def _find(wanted: str) -> ModuleType | None:
    if wanted == INTERPRETED:
        return kernels
    if wanted == COMPILED or (wanted == AUTO and not _known.sparing and is_warm()):
        return _load()
    return None


def _load() -> ModuleType:
    """Load the source of the kernels once more, with the compiler at work; from a warm cache, all that it holds."""
    if _known.twin is not None:
        return _known.twin
    import numba

    found = importlib.util.spec_from_file_location(kernels.COMPILED, _source())
    if found is None or found.loader is None:
        raise ImportError(f"the source of {kernels.COMPILED} is gone")
    twin = importlib.util.module_from_spec(found)
    # The compiler asks where to keep what it makes when a function is decorated, not when it is compiled.
    settings: Any = numba.config
    before = settings.CACHE_DIR
    _known.folder = _made(cache_folder())
    settings.CACHE_DIR = str(_known.folder)
    sys.modules[kernels.COMPILED] = twin
    try:
        found.loader.exec_module(twin)
    finally:
        settings.CACHE_DIR = before
    _known.twin = twin
    if is_warm():
        _take_in(twin)
    return twin


def _take_in(twin: ModuleType) -> None:
    """Call each kernel once, so that none is read from the cache in the middle of a game.

    A compiler is a hundred thousand objects that live as long as the process. The garbage collector is told so:
    otherwise each of its full passes walks them all, which takes 15 of 100 seconds of a long run.
    """
    for each in kernels.SAMPLES:
        getattr(twin, each.kernel)(*each.arguments)
    gc.collect()
    gc.freeze()


# ---- the cache -------------------------------------------------------------------------------------------------------


def has_compiler() -> bool:
    """Whether numba is installed; it is not imported."""
    return importlib.util.find_spec("numba") is not None


def is_warm() -> bool:
    """Whether the cache holds every kernel of exactly this source, numba, Python and processor."""
    return has_compiler() and (cache_folder() / MARKER).is_file()


def cache_folder() -> Path:
    """Where the compiled kernels of this source, compiler and processor are kept, whether it exists yet or not."""
    return _home() / key_of(_source())


def key_of(source: Path) -> str:
    """Name of the cache folder of a source file of kernels: another one for any change of what was compiled.

    The compiler itself goes by the time at which the file was written, so that this is part of the key.
    """
    facts = (
        str(source),
        str(source.stat().st_mtime_ns),
        *(version(name) for name in ("numba", "llvmlite", "numpy")),
        sys.version,
        _processor(),
    )
    return hashlib.sha256(source.read_bytes() + "\n".join(facts).encode()).hexdigest()[:20]


def _source() -> Path:
    return Path(kernels.__file__)


@cache
def _processor() -> str:
    """What code for this processor depends on: its name and its abilities."""
    known = Path("/proc/cpuinfo")
    lines = known.read_text(encoding="utf-8", errors="replace").splitlines() if known.exists() else []
    facts = {line.partition(":")[0].strip(): line.partition(":")[2] for line in lines if line.strip()}
    own = [facts.get(name, "") for name in ("model name", "flags", "Features", "CPU part")]
    return "\n".join((platform.machine(), platform.processor(), *own))


@cache
def _home() -> Path:
    """The folder of all caches of ours: the user's own, or a private one among the temporary files."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    own = base / "tactician" / "kernels"
    if _is_usable(own):
        return own
    name = f"tactician-kernels-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    shared = Path(tempfile.gettempdir()) / name
    return shared if _is_usable(shared) else Path(tempfile.mkdtemp(prefix="tactician-kernels-"))


def _is_usable(folder: Path) -> bool:
    """Whether we can write to a folder that belongs to nobody else: what is loaded from there is run."""
    try:
        _made(folder)
        facts = folder.stat()
    except OSError:
        return False
    is_ours = not hasattr(os, "getuid") or facts.st_uid == os.getuid()
    return is_ours and not facts.st_mode & 0o022 and os.access(folder, os.W_OK)


def _made(folder: Path) -> Path:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


# ---- warming ---------------------------------------------------------------------------------------------------------


def warm(report: Report | None = None) -> Path:
    """Compile every kernel into the cache, or load it from there, and mark the cache as warm.

    Args:
        report: told the name of each kernel before its turn. What it raises stops the work; what is done stays done.

    Returns:
        The folder of the cache.

    Raises:
        ImportError: numba is not installed.
    """
    twin = _load()
    samples = kernels.SAMPLES
    for done, each in enumerate(samples):
        if report is not None:
            report(each.kernel, done, len(samples))
        getattr(twin, each.kernel)(*each.arguments)
    folder = _known.folder or cache_folder()
    (folder / MARKER).write_text(f"{len(samples)} kernels\n", encoding="utf-8")
    _tidy(folder)
    look_again()
    return folder


def _tidy(kept: Path) -> None:
    """Remove the folders of older sources and compilers, all but the latest few."""
    others = [path for path in kept.parent.iterdir() if path.is_dir() and path != kept]
    for path in sorted(others, key=lambda other: other.stat().st_mtime, reverse=True)[KEPT:]:
        shutil.rmtree(path, ignore_errors=True)


def warm_in_child(module: str = OWN, ready: Callable[[], bool] | None = None) -> bool:
    """Fill the cache in a process of its own that outlives this one; False where there is no need or no means.

    Nothing is awaited and nothing printed. There is at most one such process for a cache, and none in a mode other
    than `AUTO`.

    Args:
        module: run by the process; it calls `in_child`.
        ready: whether there is nothing left to compile; by default, whether this cache is warm.
    """
    if mode() != AUTO or not has_compiler() or (ready or is_warm)() or is_warming():
        return False
    note = _made(cache_folder()) / CHILD
    if not _claim(note):
        return False
    command = [sys.executable, "-m", module]
    quiet = subprocess.DEVNULL
    try:
        child = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
    except OSError:
        note.unlink(missing_ok=True)
        return False
    _children.append(child)
    note.write_text(str(child.pid), encoding="utf-8")
    return True


def _claim(note: Path) -> bool:
    """Whether this process, and no other at the same moment, may start the one that fills the cache."""
    note.unlink(missing_ok=True)  # of a process that is gone
    try:
        handle = os.open(note, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return False
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(str(os.getpid()))
    return True


_children: list[subprocess.Popen[bytes]] = []
"""Held so that no warning is given when they are still at work."""


def is_warming() -> bool:
    """Whether a process is filling the cache at this moment."""
    for child in _children:
        child.poll()  # one of ours that has ended would otherwise still answer to its number
    note = cache_folder() / CHILD
    if sys.platform == "win32":
        return note.exists()  # signal 0 is none there: it would end the process that it asks for
    try:
        os.kill(int(note.read_text(encoding="utf-8")), 0)
    except (OSError, ValueError):
        return False
    return True


def in_child(work: Callable[[], object]) -> None:
    """Do what fills the caches, in a process that `warm_in_child` started, which has claimed it."""
    try:
        work()
    finally:
        (_known.folder or cache_folder()).joinpath(CHILD).unlink(missing_ok=True)


if __name__ == "__main__":
    in_child(warm)
