"""Run by the peer's own interpreter: answers and times queries given as JSON on stdin, as JSON on stdout."""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version
from typing import Any


def main() -> None:
    """Build every board and answer its queries; each query counts with the faster of two runs."""
    from extremitypathfinder import PolygonEnvironment

    boards = json.load(sys.stdin)
    _answer(PolygonEnvironment(), boards[0])  # compiles what the peer compiles
    answers = [_answer(PolygonEnvironment(), board) for board in boards]
    json.dump({"version": version("extremitypathfinder"), "boards": answers}, sys.stdout)


def _answer(environment: Any, board: dict[str, Any]) -> dict[str, Any]:
    started = time.perf_counter()
    environment.store(board["border"], board["holes"], validate=False)
    build = time.perf_counter() - started
    paths, lengths, seconds = [], [], []
    for start, goal in board["queries"]:
        runs = []
        for _ in range(2):
            started = time.perf_counter()
            path, length = environment.find_shortest_path(tuple(start), tuple(goal))
            runs.append(time.perf_counter() - started)
        paths.append(path)
        lengths.append(length)
        seconds.append(min(runs))
    return {"build": build, "paths": paths, "lengths": lengths, "seconds": seconds}


if __name__ == "__main__":
    main()
