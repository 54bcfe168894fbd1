"""Moves over the ground that certainly break nothing, found by a kernel before the referee looks for words.

The kernels compare a hair more strictly than the referee. Where they are certain, there is nothing to be worded; where
they are not, because something is broken, nearly broken or out of the ordinary, the referee judges as if they had not
been asked. So a move has the same violations with and without them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from tactician.rules.core.arcs import LEFT
from tactician.rules.core.legs import Bend, Path, Pose, Straight
from tactician.rules.core.measure import TOL, Inches
from tactician.rules.core.rows import Outlines, bases_row, kernels_for, outlines_of, starts_of
from tactician.rules.core.scene import Scene, scene_for
from tactician.rules.core.shapes import Point
from tactician.rules.core.state import State, Unit

if TYPE_CHECKING:
    from tactician.rules.core.movement import MoveType

__all__ = ["Clear", "certain_shifts", "way_if_clear"]

Clear = tuple[tuple[tuple[str, Inches], ...], tuple[tuple[str, Pose], ...]]
"""Inches paid and ends of each model that has a path."""


def way_if_clear(
    state: State, unit: Unit, kind: MoveType, paths: dict[str, Path], order: tuple[str, ...]
) -> Clear | None:
    """What a move comes to that certainly breaks nothing; None where it breaks something or that is not certain.

    Args:
        state: the moment before the move.
        unit: the unit that moves.
        kind: what must hold.
        paths: legs of each model that moves.
        order: order of the models where they move one after another.
    """
    starts, legs = starts_of(unit), _legs(unit, kind, paths)
    if starts is None or legs is None:
        return None
    begins, tos, bends = legs
    moving = _order(unit, paths, order)
    if moving is None:
        return None
    scene = scene_for(state, unit)
    others, outlines = bases_row(state.board, state.units, scene), _outlines(state, kind)
    kernels, compiled = kernels_for()
    count = len(unit.models)
    paid = _room(count, compiled)
    marks = _marks(3 * count + len(scene.others) + outlines.count, compiled)
    is_clear = kernels.move_is_clear(
        _floats(_numbers(state, unit, kind), compiled),
        starts.for_twin(compiled),
        _ints(begins, compiled),
        _floats(tos, compiled),
        _floats(bends, compiled),
        _ints(moving, compiled),
        others.for_twin(compiled),
        _ints(_spared(kind, scene), compiled),
        _floats(_keeps(kind), compiled),
        outlines.boxes.for_twin(compiled),
        outlines.firsts.for_twin(compiled),
        outlines.edges.for_twin(compiled),
        paid,
        _room(6 * count + 4, compiled),
        marks,
    )
    return _told(unit, paths, paid) if is_clear else None


def certain_shifts(
    state: State, unit: Unit, kind: MoveType, offsets: Sequence[Point] | np.ndarray[Any, Any]
) -> list[bool | None]:
    """For each offset whether the formation can be shifted by it, or None where only the referee can say."""
    starts, leaving = starts_of(unit), {closed.leaving for closed in kind.closed}
    if starts is None or len(leaving) > 1 or len(offsets) == 0:
        return [None] * len(offsets)
    scene, outlines = scene_for(state, unit), _outlines(state, kind)
    others, keeps = bases_row(state.board, state.units, scene), _keeps(kind)
    kernels, compiled = kernels_for()
    count, near = len(unit.models), len(scene.others) + outlines.sides + 2
    answers = _marks(len(offsets), compiled)
    kernels.shifts_clear(
        _floats([*_numbers(state, unit, kind), float(False not in leaving)], compiled),
        starts.for_twin(compiled),
        _pairs(offsets, compiled),
        others.for_twin(compiled),
        _ints(_spared(kind, scene), compiled),
        _floats(keeps, compiled),
        outlines.boxes.for_twin(compiled),
        outlines.firsts.for_twin(compiled),
        outlines.edges.for_twin(compiled),
        outlines.kinds.for_twin(compiled),
        answers,
        _room(3 * count, compiled),
        _marks(2 * count + len(kind.keep_away) + count * near, compiled),
    )
    words = (False, True, None)
    return [words[answer] for answer in (answers.tolist() if compiled else answers)]


def _told(unit: Unit, paths: dict[str, Path], paid: Any) -> Clear:
    inches = {model.id: float(paid[i]) for i, model in enumerate(unit.models)}
    ends = []
    for name, path in paths.items():
        pose = unit.model(name).pose
        ends.append((name, _end(pose, path) if path else pose))
    return tuple((name, inches[name]) for name in paths), tuple(ends)


def _end(pose: Pose, path: Path) -> Pose:
    last = path[-1]
    assert isinstance(last, Straight | Bend)
    return Pose(last.to[0], last.to[1], pose.surface, pose.bearing)


def _numbers(state: State, unit: Unit, kind: MoveType) -> list[float]:
    board, links = state.board, kind.coherency
    return [
        unit.radius,
        kind.allowance,
        board.width,
        board.height,
        unit.radius if kind.whole_base else 0.0,
        float(kind.motion == "in_step"),
        float(kind.models is not None),
        -1.0 if links is None else 2 * unit.radius + links.limit + TOL,
        float(links is not None and links.chain),
        float(kind.models is not None and kind.mates_block),
    ]


def _legs(unit: Unit, kind: MoveType, paths: dict[str, Path]) -> tuple[list[int], list[float], list[float]] | None:
    """First leg of each model, ends of the legs, and how they bend; None where a leg is of another kind."""
    begins, tos, bends, known = [0], list[float](), list[float](), 0
    for model in unit.models:
        path = paths.get(model.id)
        if path is not None:
            known += 1
            for leg in path:
                if type(leg) is Straight:
                    tos += leg.to
                    if bends:
                        bends += (0.0, 0.0, 0.0)
                elif type(leg) is Bend and kind.motion != "in_step":
                    bends += (0.0, 0.0, 0.0) * (len(tos) // 2 - len(bends) // 3)
                    bends += (1.0 if leg.turn == LEFT else -1.0, *leg.centre)
                    tos += leg.to
                else:
                    return None
        begins.append(len(tos) // 2)
    return (begins, tos, bends) if known == len(paths) else None


def _order(unit: Unit, paths: dict[str, Path], order: tuple[str, ...]) -> list[int] | None:
    """The places in the unit of the models that move, in the order in which they do."""
    if not order:
        return [i for i, model in enumerate(unit.models) if model.id in paths]
    place = {model.id: i for i, model in enumerate(unit.models)}
    if len(set(order)) != len(order) or not place.keys() >= set(order):
        return None
    return [place[name] for name in order]


def _outlines(state: State, kind: MoveType) -> Outlines:
    return outlines_of(state.board, tuple(closed.trait for closed in kind.closed))


def _keeps(kind: MoveType) -> list[float]:
    rows: list[float] = []
    for keep in kind.keep_away:
        within = -1.0 if keep.spared_within is None else keep.spared_within
        rows += (keep.limit, float(keep.whole_way), float(keep.standing), within)
    return rows


def _spared(kind: MoveType, scene: Scene) -> list[int]:
    if not any(keep.spared for keep in kind.keep_away):
        return []
    return [int(base.unit in keep.spared) for keep in kind.keep_away for base in scene.others]


# ---- numbers for either twin -----------------------------------------------------------------------------------------


def _floats(numbers: list[float], compiled: bool) -> Any:
    return np.array(numbers, dtype=np.float64) if compiled else numbers


def _ints(numbers: list[int], compiled: bool) -> Any:
    return np.array(numbers, dtype=np.int64) if compiled else numbers


def _room(size: int, compiled: bool) -> Any:
    return np.empty(size) if compiled else [0.0] * size


def _marks(size: int, compiled: bool) -> Any:
    return np.empty(size, np.int64) if compiled else [0] * size


def _pairs(offsets: Sequence[Point] | np.ndarray[Any, Any], compiled: bool) -> Any:
    if isinstance(offsets, np.ndarray):
        flat = np.ascontiguousarray(offsets, dtype=np.float64).reshape(-1)
        return flat if compiled else flat.tolist()
    return _floats([number for pair in offsets for number in pair], compiled)
