"""The pictures of the documentation, from fixed positions: ``python -m benchmarks.pictures``.

Everything in them comes from the program: tables and bases from the ruleset, ways and reach from the planner, and orders
only where the referee finds them legal.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from tactician.commands.ways import mover_of
from tactician.orders import read
from tactician.pictures import save, way_shapes, with_action, with_reach, with_shapes
from tactician.rules.core.drawing import Drawing
from tactician.rules.core.legs import Pose
from tactician.rules.core.ruleset import Ruleset, Scenario, load_ruleset
from tactician.rules.core.state import State
from tactician.rules.core.terrain import GROUND

from benchmarks.machine import ROOT

__all__ = ["PICTURES", "main"]

FOLDER = ROOT / "docs" / "pictures"

Places = Mapping[str, tuple[float, float] | tuple[float, float, str]]
"""Where models stand: x, y and, unless it is the ground, the surface."""


def _placed(state: State, places: Places) -> State:
    """The moment with some models put elsewhere."""
    for unit in state.units:
        poses = {model.id: _pose(*places[model.id]) for model in unit.models if model.id in places}
        state = state.with_unit(unit.moved(poses)) if poses else state
    return state


def _pose(x: float, y: float, surface: str = GROUND) -> Pose:
    return Pose(x, y, surface)


def _begun(ruleset: Ruleset, size: str, table: str, mission: str = "") -> State:
    return ruleset.start(Scenario(size=size, table=table, mission=mission, first="red", deployed=True))


def _ordered(ruleset: Ruleset, state: State, text: str) -> Drawing:
    """The table with an order on it.

    Raises:
        ValueError: the order is not legal here.
    """
    (action,) = read(ruleset, state, text).actions
    broken = ruleset.check(state, action)
    if broken:
        raise ValueError(f"{text}: {'; '.join(map(str, broken))}")
    return with_action(ruleset.describe(state), ruleset, state, action, f"red's order: {text}")


# ---- the pictures ----------------------------------------------------------------------------------------------------


def table(ruleset: Ruleset) -> Drawing:
    """A whole table at the start of a game."""
    return ruleset.describe(_begun(ruleset, "skirmish", "outpost", "all-out-war"))


def way(ruleset: Ruleset) -> Drawing:
    """The exact shortest way of one model, and a unit that goes round a wall in formation."""
    places: Places = {
        "R1a": (10.75, 4.25),
        "R1b": (12.25, 4.25),
        "R1c": (13.75, 4.25),
        "R1d": (11.5, 5.75),
        "R1e": (13.0, 5.75),
    }
    state = _placed(_begun(ruleset, "duel", "outpost"), places)
    return _ordered(ruleset, state, "R1 run along 8.5,7 8.5,12")


def reach(ruleset: Ruleset) -> Drawing:
    """Where a unit can come to beside enemies that it has to keep away from."""
    places: Places = {
        "R1a": (9.0, 3.0),
    }
    state = _placed(_begun(ruleset, "duel", "quarry"), places)
    return with_reach(ruleset.describe(state), ruleset, state, "R1")


def charge(ruleset: Ruleset) -> Drawing:
    """A charge, with who is engaged already and what holds the units together."""
    state = _begun(ruleset, "skirmish", "outpost")
    return _ordered(ruleset, state, "R2 assault B2")


def shortest(ruleset: Ruleset) -> Drawing:
    """One model's way."""
    state = _begun(ruleset, "duel", "outpost")
    mover = mover_of(ruleset, state, "R1c")
    found = mover.way(mover.goal((12.0, 12.0), None), 40.0)
    assert found is not None
    return with_shapes(ruleset.describe(state), way_shapes(state, "R1c", found.legs, mover.rates))


PICTURES: Mapping[str, Callable[[Ruleset], Drawing]] = {
    "table": table,
    "way-round-a-wall": way,
    "reach": reach,
    "charge": charge,
}
"""Name of the file and what it shows."""


def main(folder: Path = FOLDER) -> int:
    """Write every picture."""
    ruleset = load_ruleset("voidsiege")
    folder.mkdir(parents=True, exist_ok=True)
    for name, drawn in PICTURES.items():
        place = folder / f"{name}.png"
        save(drawn(ruleset), place)
        sys.stdout.write(f"{place}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
