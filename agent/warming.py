"""Compiling everything that can be compiled: the tape measure's kernels and the sketch's."""

from __future__ import annotations

from tactician.agent.sketch import compiled
from tactician.rules.paths import twins

__all__ = ["is_warm", "warm", "warm_in_child"]

SKETCH = "the sketch"
"""What a watcher is told of while the sketch is compiled."""


def is_warm() -> bool:
    """Whether nothing is left to compile."""
    return twins.is_warm() and compiled.is_warm()


def warm(report: twins.Report | None = None) -> None:
    """Compile what is not yet compiled.

    Args:
        report: told the name of each piece before its turn. What it raises stops the work; what is done stays done.

    Raises:
        ImportError: numba is not installed.
    """
    if not twins.is_warm():
        twins.warm(report)
    if not compiled.is_warm():
        if report is not None:
            report(SKETCH, 0, 1)
        compiled.warm(_play_all)


def _play_all() -> None:
    """Ask the sketch for everything once: every ruleset has numbers of one kind only, but its own shapes of them."""
    from tactician.agent.sketch.model import roll_out, sketch_of
    from tactician.rules.core.ruleset import Scenario, load_ruleset, ruleset_names

    for name in ruleset_names():
        ruleset = load_ruleset(name)
        roll_out(sketch_of(ruleset, ruleset.start(Scenario(size="duel", deployed=True))))


def warm_in_child() -> bool:
    """Compile in a process of its own that outlives this one; see `twins.warm_in_child`."""
    return twins.warm_in_child("tactician.agent.warming", is_warm)


if __name__ == "__main__":
    twins.in_child(warm)
