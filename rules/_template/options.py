"""The numbers of the game, under names, so that a table can settle them otherwise; the verbs; the table itself."""

from __future__ import annotations

from collections.abc import Mapping

from tactician.rules.core.forms import nearest
from tactician.rules.core.legs import Pose
from tactician.rules.core.ruleset import Option, OptionValue, RulesetError
from tactician.rules.core.shapes import Polygon
from tactician.rules.core.terrain import Board, Feature

__all__ = ["BOARD", "OPTIONS", "RADIUS", "STARTS", "VERBS", "settled_options"]

VERBS = ("move", "shoot", "pass", "go_on", "stop")
"""New verbs are appended, never inserted."""

OPTIONS: tuple[Option, ...] = (
    Option(name="move", default=6.0, text="inches a disc may walk in a turn", source="DU-MO-01"),
    Option(name="clear", default=1.0, text="inches that an enemy disc keeps others away", source="DU-MO-03"),
    Option(name="range", default=10.0, text="inches a shot carries", source="DU-SH-01"),
    Option(name="hit_on", default=5, values=(2, 3, 4, 5, 6), text="lowest face that hits", source="DU-SH-02"),
    Option(name="turns", default=6, least=1, text="game turns", source="DU-TU-02"),
)

BLOCK = Polygon(((7.5, 7.5), (10.5, 7.5), (10.5, 10.5), (7.5, 10.5)))
BOARD = Board(name="block", width=18.0, height=18.0, features=(Feature(id="block", outline=BLOCK, blocks=True),))
RADIUS = 0.5
STARTS = (("red", "R1", Pose(5.0, 5.5)), ("blue", "B1", Pose(5.0, 12.5)))
"""Side, unit and first place of each disc."""


def settled_options(given: Mapping[str, OptionValue]) -> tuple[tuple[str, float], ...]:
    """Every option with the value given or its default, sorted by name.

    Raises:
        RulesetError: a name is not known, or a value is not allowed.
    """
    names = tuple(option.name for option in OPTIONS)
    for name in given:
        if name not in names:
            raise RulesetError(f"there is no option {name!r}{nearest(name, names)}")
    settled = []
    for option in OPTIONS:
        value = given.get(option.name, option.default)
        if isinstance(value, bool | str) or value < option.least or (option.values and value not in option.values):
            allowed = ", ".join(map(str, option.values)) or f"a number of at least {option.least:g}"
            raise RulesetError(f"option {option.name} is {value!r}, expected {allowed}")
        settled.append((option.name, float(value)))
    return tuple(sorted(settled))
