"""Pictures of real moments: every base stands where the state says, at its size, and no text lies on another one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, islice

import pytest
from tactician.draw import placed_boxes, read_bases, scale_for, svg
from tactician.rules.core.drawing import Drawing
from tactician.rules.core.ruleset import Ruleset, Scenario, load_ruleset, ruleset_names
from tactician.rules.core.state import State

from tests.conformance.games import play

CLOSE = 0.01
"""Inches by which a circle of a picture may differ from its base."""


def moments(ruleset: Ruleset, size: str, seed: int, every: int) -> Iterator[State]:
    """Moments of a random game so many plies apart, its first and its last one among them."""
    missions, tables = ruleset.info.missions, ruleset.info.tables
    scenario = Scenario(size=size, mission=missions[seed % len(missions)], table=tables[seed % len(tables)])
    state = ruleset.start(scenario)
    yield state
    number = 0
    for number, ply in enumerate(play(ruleset, state, seed), start=1):
        state = ply.after
        if number % every == 0:
            yield state
    if number % every:
        yield state


def misplaced(state: State, painted: dict[str, tuple[float, float, float]]) -> list[str]:
    """Models whose circle is missing, elsewhere or of another size, and circles without a model."""
    stand = {model.id: (model.pose.x, model.pose.y, unit.radius) for unit in state.units for model in unit.models}
    wrong = [
        name
        for name, base in stand.items()
        if name not in painted or any(abs(a - b) > CLOSE for a, b in zip(base, painted[name], strict=True))
    ]
    return wrong + sorted(set(painted) - set(stand))


def overlaps(drawing: Drawing, pixels_per_inch: float) -> int:
    """How many pairs of texts lie on each other."""
    boxes = placed_boxes(drawing, pixels_per_inch=pixels_per_inch)
    return sum(
        min(a.right, b.right) > max(a.left, b.left) and min(a.top, b.top) > max(a.bottom, b.bottom)
        for a, b in combinations(boxes, 2)
    )


def look_at(ruleset: Ruleset, states: Iterable[State]) -> int:
    """Draw each moment and read it back; how many bases were seen."""
    seen = 0
    for state in states:
        drawing = ruleset.describe(state)
        scale = scale_for(drawing)
        painted = read_bases(svg(drawing, pixels_per_inch=scale))
        assert misplaced(state, painted) == [], drawing.title
        assert overlaps(drawing, scale) == 0, drawing.title
        seen += len(painted)
    return seen


@pytest.mark.parametrize("name", ruleset_names())
def test_a_picture_shows_every_base_of_a_skirmish_and_no_text_on_another(name: str) -> None:
    ruleset = load_ruleset(name)
    states = islice(moments(ruleset, "skirmish", seed=5, every=15), 8)
    assert look_at(ruleset, states) > 50


@pytest.mark.slow
@pytest.mark.parametrize("name", ruleset_names())
def test_pictures_of_whole_games_at_every_size(name: str) -> None:
    ruleset = load_ruleset(name)
    for seed, size in enumerate(ruleset.info.sizes, start=20):
        every = 4 if size == ruleset.info.sizes[0] else 8  # the smallest games are short
        assert look_at(ruleset, moments(ruleset, size, seed, every=every)) > 50


def test_a_picture_that_is_wrong_is_noticed() -> None:
    ruleset = load_ruleset(ruleset_names()[0])
    state = ruleset.start(Scenario(size="skirmish", deployed=True))
    painted = read_bases(svg(ruleset.describe(state)))
    name, (x, y, radius) = next(iter(painted.items()))
    assert misplaced(state, painted) == []
    assert misplaced(state, {**painted, name: (x + 2 * CLOSE, y, radius)}) == [name]
    assert misplaced(state, {**painted, name: (x, y, radius - 2 * CLOSE)}) == [name]
    assert misplaced(state, {key: base for key, base in painted.items() if key != name}) == [name]
    assert misplaced(state, {**painted, "nobody": (1.0, 1.0, 0.5)}) == ["nobody"]
