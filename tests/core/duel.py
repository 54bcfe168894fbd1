"""A position of the template's duel with every number written out, so that tests do not lean on its defaults."""

from __future__ import annotations

from typing import Any

__all__ = ["START"]

START: dict[str, Any] = {
    "ruleset": {"id": "_template"},
    "options": {"move": 6, "clear": 1, "range": 10, "hit_on": 5},
    "first": "red",
    "board": {
        "width": 18,
        "height": 18,
        "features": [{"id": "block", "shape": {"polygon": [[7.5, 7.5], [10.5, 7.5], [10.5, 10.5], [7.5, 10.5]]}}],
    },
    "sides": {
        "red": {"units": [{"id": "R1", "models": [{"id": "R1a", "at": [9, 2]}]}]},
        "blue": {"units": [{"id": "B1", "models": [{"id": "B1a", "at": [9, 16]}]}]},
    },
}
