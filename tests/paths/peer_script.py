"""Run by the peer's own interpreter: reads boards and queries as JSON from stdin, writes paths, lengths and seconds."""

from __future__ import annotations

import json
import sys
import time


def main() -> None:
    """Answer every query of every board: the path's points and its length, None where the peer finds no way."""
    from extremitypathfinder import PolygonEnvironment

    answers = []
    for board in json.load(sys.stdin):
        environment = PolygonEnvironment()
        begun = time.process_time()
        environment.store(board["border"], board["holes"], validate=False)
        built = time.process_time()
        found = [environment.find_shortest_path(tuple(start), tuple(goal)) for start, goal in board["queries"]]
        asked = time.process_time()
        answers.append({"found": found, "build": built - begun, "ask": asked - built})
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
