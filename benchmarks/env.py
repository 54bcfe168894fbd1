"""Steps a second at random, both sides, masks and observations included: ``python -m benchmarks.env``.

Every environment found and its peers take turns, each in a child process, so that a slow minute of the machine is
everybody's; the medians are compared. Writes ``docs/benchmarks/env.json``.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tactician.rules.core.ruleset import load_ruleset, ruleset_names

from benchmarks.env_peers import PEERS, python_of, steps_a_second
from benchmarks.rows import Row, group, load_ahead, median, write_group

__all__ = ["main"]

MUST, GOAL = {"skirmish": 1200.0, "battle": 600.0}, {"skirmish": 2000.0, "battle": 1000.0}
"""Steps a second, by size."""

OURS = """
import numpy as np
from tactician.env.aec import TableEnv
env = TableEnv({ruleset!r}, {size!r})
env.reset(seed={seed})
def step(rng):
    _, _, ended, cut, info = env.last()
    if ended or cut:
        env.reset()
        return
    allowed = np.flatnonzero(info["action_mask"])
    env.step(int(allowed[int(rng.random() * len(allowed))]))
"""
"""The same loop as the peers'."""

WARM = 3.0
"""Seconds of a run that is thrown away, before anything counts."""

Times = dict[str, list[float]]


def measured(rounds: int, seconds: float) -> Times:
    """Steps a second of everybody in every round."""
    subprocess.run([sys.executable, "-m", "tactician.rules.paths.twins"], check=True)  # compiles what is not yet
    ours = [(name, size) for name in ruleset_names() for size in load_ruleset(name).info.sizes]
    times: Times = {}
    for turn in range(-1, rounds):
        span = WARM if turn < 0 else seconds
        row = [
            (f"{name}-{size}", Path(sys.executable), OURS.format(ruleset=name, size=size, seed=turn + 1))
            for name, size in ours
        ]
        row += [(peer.name, python_of(peer), peer.script) for peer in PEERS]
        for what, python, script in row:
            found = steps_a_second(python, script, span)
            if turn >= 0:
                times.setdefault(what, []).append(found)
                sys.stderr.write(f"round {turn + 1}/{rounds}: {what} {found:.0f}\n")
    return times


def rows(times: Times) -> Iterator[Row]:
    """The numbers beside their targets, then those of the peers, then ours against theirs."""
    names = [(f"{name}-{size}", size) for name in ruleset_names() for size in load_ruleset(name).info.sizes]
    for what, size in names:
        speed, least = median(times[what]), MUST.get(size)
        yield Row(
            what=f"random steps, {what}",
            target="" if least is None else f">= {least:.0f}, goal {GOAL[size]:.0f}",
            measured=speed,
            unit="steps/s",
            met=None if least is None else speed >= least,
            note=_spread(times[what]),
        )
    for peer in PEERS:
        yield Row(
            what=f"random steps, {peer.name}",
            target="",
            measured=median(times[peer.name]),
            unit="steps/s",
            note=_spread(times[peer.name]),
        )
    for what, _ in names:
        for peer in PEERS:
            speed, theirs = median(times[what]), median(times[peer.name])
            yield Row(
                what=f"{what} against {peer.name}", target="", measured=speed, unit="steps/s", ratio=speed / theirs
            )


def _spread(times: Sequence[float]) -> str:
    return f"median of {len(times)} runs, {min(times):.0f} to {max(times):.0f}"


def _versions() -> list[tuple[str, str]]:
    code = "import sys, importlib.metadata as m\nfor name in sys.argv[1:]: print(name, m.version(name))"
    found = []
    for peer in PEERS:
        done = subprocess.run(
            [str(python_of(peer)), "-c", code, *peer.shown], capture_output=True, text=True, check=True
        )
        found += [(line.split()[0], line.split()[1]) for line in done.stdout.splitlines()]
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and write; 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.env", description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, help="runs of each")
    parser.add_argument("--seconds", type=float, default=6.0, help="of each run")
    parser.add_argument("--dry", action="store_true", help="show the rows and write nothing")
    given = parser.parse_args(arguments)
    load = load_ahead()
    found = list(rows(measured(given.rounds, given.seconds)))
    for row in found:
        ratio = "" if row.ratio is None else f", {row.ratio:.2f} of the peer"
        sys.stdout.write(f"{row.what}: {row.measured:.0f} {row.unit}{ratio} {row.note}\n")
    if not given.dry:
        write_group(group("env", "Environments: random steps", found, load=load, others=_versions()))
    return 0 if all(row.met is not False for row in found) else 1


if __name__ == "__main__":
    sys.exit(main())
