"""How long the sketch takes: its tables, building it, a roll-out of two player turns, plain and compiled.

Run with ``python -m benchmarks.sketch``; the compiled twin is compiled into its cache first where it is not there yet.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter

from tactician.agent.sketch.model import roll_out, sketch_of
from tactician.agent.warming import warm
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.ruleset import Scenario, load_ruleset, ruleset_names
from tactician.rules.paths import twins

TIMES = 30
"""Runs of each question; the median counts."""


def milliseconds(ask: Callable[[], object]) -> float:
    """Median time of a question that has been asked before."""
    ask()
    found = []
    for _ in range(TIMES):
        started = perf_counter()
        ask()
        found.append(perf_counter() - started)
    return 1e3 * median(found)


def main() -> None:
    """Print a line for each ruleset and size."""
    if twins.has_compiler():
        warm()
    modes = [twins.PLAIN, *([twins.COMPILED] if twins.has_compiler() else [])]
    for name in ruleset_names():
        ruleset = load_ruleset(name)
        appraiser = appraiser_of(ruleset)
        for size in ruleset.info.sizes:
            state = ruleset.start(Scenario(size=size, deployed=True))
            sketch = sketch_of(ruleset, state)
            tables = milliseconds(partial(appraiser.tables, state))
            built = milliseconds(partial(sketch_of, ruleset, state))
            line = f"{name} {size}: tables {tables:.2f} ms, sketch {built:.2f} ms"
            for mode in modes:
                with twins.forced(mode):
                    line += f", {mode} roll-out {milliseconds(partial(roll_out, sketch)):.2f} ms"
            sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
