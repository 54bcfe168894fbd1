"""What holds for every test: one profile for properties, and a word about fast tests that are slow."""

from __future__ import annotations

import os
import time
from collections.abc import Generator

import hypothesis
import pytest

FAST_LIMIT = 3.0
"""Seconds of processor time of this process, set-up and tear-down included, that a test not marked slow should need."""

# Tests say themselves which kernels answer: by default the plain code, also in the processes that they start.
os.environ["TACTICIAN_KERNELS"] = "plain"

# A shared machine may stall at any moment, and a test that passed must pass again: no deadline, the same examples.
hypothesis.settings.register_profile("tactician", deadline=None, derandomize=True)
hypothesis.settings.load_profile("tactician")

_overlong = pytest.StashKey[dict[str, float]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_overlong] = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    started = time.process_time()
    try:
        return (yield)
    finally:
        spent = time.process_time() - started
        if spent > FAST_LIMIT and item.get_closest_marker("slow") is None:
            item.config.stash[_overlong][item.nodeid] = spent


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    overlong = config.stash[_overlong]
    if overlong:
        terminalreporter.section(f"fast tests over {FAST_LIMIT:g} s of processor time: shorten or mark slow")
        for name, spent in sorted(overlong.items(), key=lambda entry: -entry[1]):
            terminalreporter.line(f"{spent:6.1f} s  {name}")
