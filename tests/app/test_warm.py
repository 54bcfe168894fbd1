"""The command warm, with the compiler replaced by a stand-in, and the commands that start it in a child."""

from __future__ import annotations

from pathlib import Path

import pytest
from tactician.agent.sketch import compiled
from tactician.cli import main
from tactician.rules.paths import twins


@pytest.fixture(autouse=True)
def warm_sketch(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sketch's own cache is of no concern here, but where a test says so."""
    monkeypatch.setattr(compiled, "is_warm", lambda: True)


def compile_two(report: twins.Report | None) -> Path:
    assert report is not None
    for done, name in enumerate(("first", "second")):
        report(name, done, 2)
    return Path()


def test_every_kernel_is_named_and_then_the_cache(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(twins, "is_warm", lambda: False)
    monkeypatch.setattr(twins, "warm", compile_two)
    assert main(["warm"]) == 0
    out, err = capsys.readouterr()
    assert out == f"compiled, in {twins.cache_folder()}\n"
    assert "1 of 2: first\n2 of 2: second\n" in err
    assert "TACTICIAN_KERNELS=plain is set" in err


def test_a_warm_cache_needs_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(twins, "is_warm", lambda: True)
    assert main(["warm"]) == 0
    assert capsys.readouterr().out == f"nothing to do: everything is compiled, in {twins.cache_folder()}\n"


def test_the_sketch_is_compiled_besides(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(twins, "is_warm", lambda: True)
    monkeypatch.setattr(compiled, "is_warm", lambda: False)
    monkeypatch.setattr(compiled, "warm", lambda play: asked.append(callable(play)))
    assert main(["warm"]) == 0
    assert asked == [True]
    assert "1 of 1: the sketch" in capsys.readouterr().err


def test_without_a_compiler_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(twins, "has_compiler", lambda: False)
    assert main(["warm"]) == 1
    assert "pip install numba" in capsys.readouterr().err


def test_it_can_be_stopped(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def stopped(report: twins.Report | None) -> Path:
        raise KeyboardInterrupt

    monkeypatch.setattr(twins, "is_warm", lambda: False)
    monkeypatch.setattr(twins, "warm", stopped)
    assert main(["warm"]) == 130
    assert "stopped; what is done stays in" in capsys.readouterr().err


def test_a_mode_that_does_not_exist_is_bad_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(twins.VARIABLE, "quick")
    assert main(["warm"]) == 2
    assert "auto, plain, interpreted, compiled" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["suggest", "missing.json"], ["duel", "missing.json"], ["play", "missing.json"]])
def test_long_commands_warm_in_a_child(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(twins, "warm_in_child", lambda *_: asked.append(True))
    assert main(command) == 2
    assert asked == [True]
