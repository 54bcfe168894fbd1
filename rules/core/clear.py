"""Moves over the ground that certainly break nothing, found by a kernel before the referee looks for words.

The kernels compare a hair more strictly than the referee. Where they are certain, there is nothing to be worded; where
they are not, because something is broken, nearly broken or out of the ordinary, the referee judges as if they had not
been asked. So a move has the same violations with and without them.

The kernels know neither ground that costs nor distances that may just be touched. What the ground asks of a way
that is clear otherwise is worked out here, as the referee would; a distance that may be touched is handed to the
kernels so that they acquit, or condemn, only for certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from tactician.rules.core.arcs import LEFT
from tactician.rules.core.going import Going, allows, boxes_of, price
from tactician.rules.core.legs import Bend, Path, Pose, Straight, walk
from tactician.rules.core.measure import TOL, Inches
from tactician.rules.core.rows import Outlines, bases_row, kernels_for, outlines_of, starts_of
from tactician.rules.core.scene import Scene, scene_for
from tactician.rules.core.shapes import Box, Point, length
from tactician.rules.core.state import Model, State, Unit

if TYPE_CHECKING:
    from tactician.rules.core.movement import KeepAway, MoveType

__all__ = ["Clear", "certain_shifts", "way_if_clear"]

Clear = tuple[tuple[tuple[str, Inches], ...], tuple[tuple[str, Pose], ...]]
"""Inches paid and ends of each model that has a path."""

NEVER: Inches = -1e6
"""A distance that everybody keeps."""


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
    if starts is None or legs is None or kind.spent:
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
    if not is_clear or (kind.going is not None and not _is_affordable(state, unit, kind, kind.going, paths, paid)):
        return None
    return _told(unit, paths, paid)


def certain_shifts(
    state: State, unit: Unit, kind: MoveType, offsets: Sequence[Point] | np.ndarray[Any, Any]
) -> list[bool | None]:
    """For each offset whether the formation can be shifted by it, or None where only the referee can say.

    Models that walk one after another do so front first: then none comes nearer to a mate than it began.
    """
    starts, leaving = starts_of(unit), {closed.leaving for closed in kind.closed}
    if starts is None or len(leaving) > 1 or len(offsets) == 0 or kind.spent:
        return [None] * len(offsets)
    answers = _shift_answers(state, unit, kind, offsets, _keeps(kind))
    if any(keep.touching and keep.whole_way for keep in kind.keep_away):
        lenient = _shift_answers(state, unit, kind, offsets, _lenient_keeps(state, unit, kind))
        answers = [
            True if answer else False if other is False else None
            for answer, other in zip(answers, lenient, strict=True)
        ]
    if kind.going is not None:
        return _on_costly_ground(state, unit, kind, kind.going, offsets, answers)
    return answers


def _shift_answers(
    state: State, unit: Unit, kind: MoveType, offsets: Sequence[Point] | np.ndarray[Any, Any], keeps: list[float]
) -> list[bool | None]:
    """What the kernel says of each offset with these distances to keep."""
    starts = starts_of(unit)
    assert starts is not None
    leaving = all(closed.leaving for closed in kind.closed)
    scene, outlines = scene_for(state, unit), _outlines(state, kind)
    others = bases_row(state.board, state.units, scene)
    kernels, compiled = kernels_for()
    count, near = len(unit.models), len(scene.others) + outlines.sides + 2
    answers = _marks(len(offsets), compiled)
    kernels.shifts_clear(
        _floats([*_numbers(state, unit, kind)[:-1], 0.0, float(leaving)], compiled),
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


# ---- ground that costs -----------------------------------------------------------------------------------------------


def _is_affordable(state: State, unit: Unit, kind: MoveType, going: Going, paths: dict[str, Path], paid: Any) -> bool:
    """Whether the ground lets every model walk its way, which nothing else bars; corrects the inches paid."""
    boxes = boxes_of(going)
    for i, model in enumerate(unit.models):
        path = paths.get(model.id, ())
        if not paid[i] > 0.0 or not _meets(model, path, boxes, unit.radius):
            continue
        stretches = walk(model.pose, path, state.board)
        if not allows(going, stretches, kind.rates, unit.radius, kind.allowance, model.pose):
            return False
        paid[i] = price(going, stretches, kind.rates, unit.radius)
    return True


def _meets(model: Model, path: Path, boxes: tuple[Box, ...], radius: Inches) -> bool:
    """Whether a base can come near one of these boxes on legs over the ground."""
    (x0, y0), (x1, y1) = model.pose.point, model.pose.point
    for leg in path:
        assert isinstance(leg, Straight | Bend)
        (x, y), size = leg.to, 0.0
        if isinstance(leg, Bend):
            (x, y), size = leg.centre, length(x - leg.centre[0], y - leg.centre[1])
        x0, y0, x1, y1 = min(x0, x - size), min(y0, y - size), max(x1, x + size), max(y1, y + size)
    far = radius + TOL
    return any(a - far <= x1 and c + far >= x0 and b - far <= y1 and d + far >= y0 for a, b, c, d in boxes)


def _on_costly_ground(
    state: State,
    unit: Unit,
    kind: MoveType,
    going: Going,
    offsets: Sequence[Point] | np.ndarray[Any, Any],
    answers: list[bool | None],
) -> list[bool | None]:
    """The answers, those that are no refusal corrected by what the ground asks of each model's way."""
    boxes, found = boxes_of(going), list(answers)
    for number, (dx, dy) in enumerate(np.asarray(offsets, np.float64).tolist()):
        if not found[number] or dx == dy == 0.0:
            continue
        near = _swept(unit, boxes, dx, dy)
        for model in unit.models if near else ():
            path = (Straight((model.pose.x + dx, model.pose.y + dy)),)
            if not _meets(model, path, near, unit.radius):
                continue
            stretches = walk(model.pose, path, state.board)
            if not allows(going, stretches, kind.rates, unit.radius, kind.allowance, model.pose):
                found[number] = False
                break
    return found


def _swept(unit: Unit, boxes: tuple[Box, ...], dx: Inches, dy: Inches) -> tuple[Box, ...]:
    """The boxes near which any base of a formation can come while it is shifted."""
    xs, ys = [model.pose.x for model in unit.models], [model.pose.y for model in unit.models]
    far = unit.radius + TOL
    x0, x1 = min(xs) + min(dx, 0.0) - far, max(xs) + max(dx, 0.0) + far
    y0, y1 = min(ys) + min(dy, 0.0) - far, max(ys) + max(dy, 0.0) + far
    return tuple(box for box in boxes if box[0] <= x1 and box[2] >= x0 and box[1] <= y1 and box[3] >= y0)


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


def _keeps(kind: MoveType, limits: Sequence[Inches] | None = None) -> list[float]:
    """Rows of distances to keep; the kernels take an end at the limit for too near, so that some are told lower."""
    rows: list[float] = []
    for i, keep in enumerate(kind.keep_away):
        within = -1.0 if keep.spared_within is None else keep.spared_within
        lower = keep.touching and not keep.whole_way
        limit = limits[i] if limits is not None else keep.limit - 2 * TOL if lower else keep.limit
        rows += (limit, float(keep.whole_way), float(keep.standing), within)
    return rows


def _lenient_keeps(state: State, unit: Unit, kind: MoveType) -> list[float]:
    """Rows with which whatever is refused is refused for certain, also where a distance may just be touched."""
    limits = [keep.limit - 2 * TOL if keep.touching else keep.limit for keep in kind.keep_away]
    for i, keep in enumerate(kind.keep_away):
        if keep.touching and keep.whole_way and _begins_within(state, unit, keep):
            limits[i] = NEVER
    return _keeps(kind, limits)


def _begins_within(state: State, unit: Unit, keep: KeepAway) -> bool:
    """Whether some model begins nearer to an enemy than it should come, so that it may stay as near."""
    foes = [base for base in scene_for(state, unit).others if base.side != unit.side]
    return any(
        length(foe.x - model.pose.x, foe.y - model.pose.y) < foe.radius + unit.radius + keep.limit
        for foe in foes
        for model in unit.models
    )


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
