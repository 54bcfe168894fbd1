"""Run by the peer's own interpreter: reads boards and queries as JSON from stdin, writes paths and their lengths."""

from __future__ import annotations

import json
import sys


def main() -> None:
    """Answer every query of every board: the path's points and its length, None where the peer finds no way."""
    from extremitypathfinder import PolygonEnvironment

    answers = []
    for board in json.load(sys.stdin):
        environment = PolygonEnvironment()
        environment.store(board["border"], board["holes"], validate=False)
        found = [environment.find_shortest_path(tuple(start), tuple(goal)) for start, goal in board["queries"]]
        answers.append({"found": found})
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
