"""Which kernels answer: modes, the key of the cache, the marker, and the process that warms it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tactician.rules.core.files import BadInput
from tactician.rules.paths import kernels, twins
from tactician.rules.paths.scene import Scene
from tactician.rules.paths.search import shortest

from tests.paths.tables import rectangle, table, wall

AUTO_WITHOUT_MARKER = """
import json, sys
from tactician.rules.core.shapes import Polygon
from tactician.rules.core.terrain import Board, Feature
from tactician.rules.paths import twins
from tactician.rules.paths.scene import Scene
from tactician.rules.paths.search import shortest

wall = Feature(id="wall", outline=Polygon(((20, 10), (26, 10), (26, 20), (20, 20))), blocks=True)
way = shortest(Scene(board=Board(width=40, height=30, features=(wall,)), radius=0.5), (18, 15), (28, 15), 40)
known = (twins.mode(), twins.is_warm(), twins.compiled() is None, "numba" in sys.modules)
print(json.dumps([way.cost, *known, str(twins.cache_folder())]))
"""


def fresh(code: str, home: Path, mode: str = "auto") -> list[object]:
    """Run code in a new process with a home of its own; what it prints is a JSON list."""
    environment = os.environ | {"XDG_CACHE_HOME": str(home), twins.VARIABLE: mode}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: list[object] = json.loads(done.stdout)
    return found


def test_auto_without_a_warm_cache_answers_by_the_plain_code_and_imports_no_compiler(tmp_path: Path) -> None:
    cost, mode, warm, plain, imported, folder = fresh(AUTO_WITHOUT_MARKER, tmp_path)
    scene = Scene(board=table(wall("wall", rectangle(20, 10, 26, 20))), radius=0.5)
    way = shortest(scene, (18, 15), (28, 15), 40)
    assert way is not None
    assert (cost, mode, warm, plain, imported) == (way.cost, "auto", False, True, False)
    assert str(folder).startswith(str(tmp_path))


def test_a_marker_for_another_source_does_not_count(tmp_path: Path) -> None:
    other = tmp_path / "tactician" / "kernels" / "0123456789abcdef0123"
    other.mkdir(parents=True, mode=0o700)
    (other / twins.MARKER).write_text("5 kernels\n", encoding="utf-8")
    assert fresh(AUTO_WITHOUT_MARKER, tmp_path)[2:4] == [False, True]


def test_tests_run_on_the_plain_code() -> None:
    assert twins.mode() == twins.PLAIN
    assert twins.compiled() is None
    assert not twins.warm_in_child()


def test_a_mode_holds_for_a_block() -> None:
    with twins.forced(twins.INTERPRETED):
        assert twins.compiled() is twins.interpreted() is kernels
        with twins.forced(twins.PLAIN):
            assert twins.compiled() is None
        assert twins.compiled() is kernels
    assert twins.compiled() is None


def test_modes_that_do_not_exist_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="no mode 'fast'"):
        twins.force("fast")
    monkeypatch.setenv(twins.VARIABLE, "quick")
    with pytest.raises(BadInput, match="quick"):
        twins.mode()


def test_an_edited_source_has_another_cache(tmp_path: Path) -> None:
    copy = tmp_path / "kernels.py"
    shutil.copy2(kernels.__file__, copy)
    before = twins.key_of(copy)
    assert twins.key_of(copy) == before
    text = copy.read_text(encoding="utf-8")
    stamp = copy.stat().st_mtime_ns
    copy.write_text(text.replace("NOISE = 1e-9", "NOISE = 2e-9"), encoding="utf-8")
    os.utime(copy, ns=(stamp, stamp))
    edited = twins.key_of(copy)
    assert edited != before
    copy.write_text(text, encoding="utf-8")
    os.utime(copy, ns=(stamp, stamp))
    assert twins.key_of(copy) == before
    os.utime(copy, ns=(stamp + 1_000_000_000,) * 2)
    assert twins.key_of(copy) not in (before, edited)


def test_another_compiler_has_another_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    before = twins.key_of(Path(kernels.__file__))
    monkeypatch.setattr(twins, "version", lambda name: "0.1" if name == "numba" else "1")
    assert twins.key_of(Path(kernels.__file__)) != before


def test_a_process_that_is_gone_does_not_warm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(twins, "cache_folder", lambda: tmp_path)
    assert not twins.is_warming()
    (tmp_path / twins.CHILD).write_text(str(os.getpid()), encoding="utf-8")
    assert twins.is_warming()
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    (tmp_path / twins.CHILD).write_text(str(ended.pid), encoding="utf-8")
    assert not twins.is_warming()


def test_every_sample_runs() -> None:
    names = [each.kernel for each in kernels.SAMPLES]
    assert len(set(names)) == len(names)
    for each in kernels.SAMPLES:
        getattr(kernels, each.kernel)(*each.arguments)


@pytest.mark.slow
def test_a_warm_cache_is_used_without_compiling(tmp_path: Path) -> None:
    """A child warms a cache, at most one at a time; a later process loads every kernel from it."""
    start = "import json\nfrom tactician.rules.paths import twins\n"
    again = "first, second = twins.warm_in_child(), twins.is_warming() and not twins.warm_in_child()\n"
    wait = "twins._children[0].wait()\nprint(json.dumps([first, second, twins.is_warm(), twins.is_warming()]))"
    assert fresh(start + again + wait, tmp_path) == [True, True, True, False]
    use = """
from tactician.rules.paths import kernels
twin = twins.compiled()
for each in kernels.SAMPLES:
    getattr(twin, each.kernel)(*each.arguments)
stats = [getattr(twin, each.kernel).stats for each in kernels.SAMPLES]
print(json.dumps([twins.is_warm(), sum(sum(s.cache_misses.values()) for s in stats), len(stats)]))
"""
    assert fresh(start + use, tmp_path) == [True, 0, len(kernels.SAMPLES)]


def test_a_process_with_few_questions_does_not_load_the_compiled_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = []
    monkeypatch.setenv(twins.VARIABLE, twins.AUTO)
    monkeypatch.setattr(twins, "is_warm", lambda: True)
    monkeypatch.setattr(twins, "_load", lambda: loaded.append(1))
    with twins.sparing():
        assert twins.compiled() is None
        assert not loaded
        twins.spare_no_longer()
        twins.compiled()
        assert loaded
    twins.look_again()
