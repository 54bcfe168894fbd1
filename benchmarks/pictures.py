"""The pictures of the documentation, from fixed positions: ``python -m benchmarks.pictures``.

Everything in them comes from the program: tables and bases from the ruleset, ways and reach from the planner, and
orders only where the referee finds them legal.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from tactician.commands.given import read_battle
from tactician.commands.told import inches
from tactician.commands.ways import mover_of
from tactician.orders import read
from tactician.pictures import save, way_shapes, with_action, with_reach, with_shapes
from tactician.rules.core.drawing import Drawing
from tactician.rules.core.ruleset import Ruleset, Scenario, load_ruleset
from tactician.rules.core.state import State
from tactician.threats import with_threat

from benchmarks.machine import ROOT

__all__ = ["PICTURES", "main"]

FOLDER = ROOT / "docs" / "pictures"

POSITIONS = Path(__file__).parent / "positions"
"""Battle files as people write them."""


def _position(name: str) -> tuple[Ruleset, State]:
    return read_battle(str(POSITIONS / f"{name}.toml"))


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


def table() -> Drawing:
    """A whole table at the start of a game."""
    ruleset = load_ruleset("voidsiege")
    scenario = Scenario(size="skirmish", table="outpost", mission="all-out-war", first="red", deployed=True)
    return ruleset.describe(ruleset.start(scenario))


def way() -> Drawing:
    """A unit that goes round a wall in its formation, and the exact shortest way of a single model."""
    ruleset, state = _position("way")
    drawing = _ordered(ruleset, state, "R1 run along 20,7.5 20,10.5 16.5,12")
    mover = mover_of(ruleset, state, "R2a")
    found = mover.way(mover.goal((6.75, 11.75), None), 40.0)
    assert found is not None
    told = f"R2a to 6.75,11.75: {inches(found.cost)} by the shortest way there is"
    return with_shapes(drawing, way_shapes(state, "R2a", found.legs, mover.rates), told)


def reach() -> Drawing:
    """Where a unit can come to beside enemies that it has to keep away from."""
    ruleset, state = _position("reach")
    return with_reach(ruleset.describe(state), ruleset, state, "R1")


def threat() -> Drawing:
    """Where red can shoot and strike in its next turn."""
    ruleset = load_ruleset("voidsiege")
    scenario = Scenario(size="battle", table="quarry", first="red", deployed=True)
    state = ruleset.start(scenario)
    return with_threat(ruleset.describe(state), ruleset, state, ("red",))


def charge() -> Drawing:
    """A charge beside a melee: who is engaged, and what holds the units together."""
    return _ordered(*_position("charge"), "R2 assault B2")


PICTURES: Mapping[str, Callable[[], Drawing]] = {
    "table": table,
    "way-round-a-wall": way,
    "reach": reach,
    "threat": threat,
    "charge": charge,
}
"""Name of the file and what it shows."""


def main(folder: Path = FOLDER) -> int:
    """Write every picture."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, drawn in PICTURES.items():
        place = folder / f"{name}.png"
        save(drawn(), place)
        sys.stdout.write(f"{place}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
