"""One engine for every move: a move type says what must hold, `judge` measures a whole path against it.

The engine knows no command or phase by name. A move type carries an allowance, what must hold while moving and
what must hold after, each with the clause that says so; a part that is None does not apply.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil

from tactician.rules.core.barriers import (
    Barrier,
    DiscBarrier,
    OverhangBarrier,
    apart,
    box_of,
    kept,
    outline_touch,
    wall_distance,
    wall_intervals,
)
from tactician.rules.core.beats import Beat, beats, cut
from tactician.rules.core.clauses import Cite, Violation
from tactician.rules.core.clear import way_if_clear
from tactician.rules.core.coherency import disorder, first_break, moves_as_one, widest_gap, widest_gap_in
from tactician.rules.core.derive import but
from tactician.rules.core.going import Bill, barred_walls, bill_of, entered, price
from tactician.rules.core.legs import Path, Pose, Stretch, walk
from tactician.rules.core.mates import closest_approach, distance_to_keep
from tactician.rules.core.measure import TOL, Inches, beyond, overlaps, within
from tactician.rules.core.move_types import NEVER_NEARER, Closed, Coherency, KeepAway, MoveType
from tactician.rules.core.remember import Remembered
from tactician.rules.core.scene import Base, Scene, base_at, bases_of, pieces_with, scene_for
from tactician.rules.core.shapes import Box, Point, length, polygon_distance
from tactician.rules.core.state import Model, State, Unit
from tactician.rules.core.terrain import Feature

__all__ = ["Closed", "Coherency", "KeepAway", "MoveType", "Verdict", "bill", "end_pose", "judge", "paid"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a move comes to."""

    violations: tuple[Violation, ...]
    spent: tuple[tuple[str, Inches], ...]
    """Inches paid by each model that has a path."""
    ends: tuple[tuple[str, Pose], ...]
    """Where each model that has a path ends, not yet snapped."""

    @property
    def farthest(self) -> Inches:
        """The most inches paid by any model."""
        return max((inches for _, inches in self.spent), default=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """One model's way."""

    model: Model
    stretches: tuple[Stretch, ...]
    moves: bool

    @property
    def end(self) -> Pose:
        """Where it ends."""
        return end_pose(self.model.pose, self.stretches)


def paid(kind: MoveType, stretches: tuple[Stretch, ...], radius: Inches) -> Inches:
    """Inches that a model with a base of this radius pays for stretches under a move type."""
    return price(kind.going, stretches, kind.rates, radius)


def bill(kind: MoveType, stretches: tuple[Stretch, ...], radius: Inches) -> Bill:
    """What stretches cost a model under a move type, up to each of their places."""
    return bill_of(kind.going, stretches, kind.rates, radius)


def end_pose(start: Pose, stretches: tuple[Stretch, ...]) -> Pose:
    """Where a model stands after its stretches."""
    if not stretches:
        return start
    last = stretches[-1]
    return Pose(last.end[0], last.end[1], last.surface, start.bearing)


def judge(state: State, unit: Unit, kind: MoveType, paths: dict[str, Path], order: tuple[str, ...] = ()) -> Verdict:
    """Measure the paths of a unit against a move type.

    Args:
        state: the moment before the move.
        unit: the unit that moves.
        kind: what must hold.
        paths: legs of each model that moves; models left out stand still.
        order: order of the models where they move one after another (default: the unit's order).

    Returns:
        All violations, each prohibition once for each model, with the worst measured number; the inches paid.
    """
    clear = way_if_clear(state, unit, kind, paths, order)
    if clear is not None:
        return Verdict(violations=(), spent=clear[0], ends=clear[1])
    return judge_in_words(state, unit, kind, paths, order)


def is_legal(state: State, unit: Unit, kind: MoveType, paths: dict[str, Path], order: tuple[str, ...] = ()) -> bool:
    """Whether `judge` finds no violation: what it finds first settles it."""
    if way_if_clear(state, unit, kind, paths, order) is not None:
        return True
    try:
        return not _judged(state, unit, kind, paths, order, _NoFault()).violations
    except _FirstFault:
        return False


def judge_in_words(
    state: State, unit: Unit, kind: MoveType, paths: dict[str, Path], order: tuple[str, ...] = ()
) -> Verdict:
    """`judge` without the quick look whether the move is clear of everything: the same verdict."""
    return _judged(state, unit, kind, paths, order, _Faults())


def _judged(
    state: State, unit: Unit, kind: MoveType, paths: dict[str, Path], order: tuple[str, ...], faults: _Faults
) -> Verdict:
    walks = {model.id: _walk(state, model, paths) for model in unit.models}
    scene = scene_for(state, unit).near(_box_of(walks), farthest_concern(kind))
    moving = [model.id for model in unit.models if walks[model.id].moves]
    spent = {name: paid(kind, walks[name].stretches, unit.radius) for name in paths if name in walks}
    for name in moving:
        _judge_alone(scene, kind, walks[name], spent[name], faults)
    if kind.motion == "in_step":
        rows = beats(unit, paths, state.board, [walks[model.id].stretches for model in unit.models])
        _judge_in_step(state, unit, kind, rows, faults)
    else:
        _judge_sequence(state, unit, scene, kind, [walks[m] for m in order or moving if walks[m].moves], faults)
    _judge_ends(state, unit, scene, kind, walks, faults)
    return Verdict(
        violations=faults.found(),
        spent=tuple(spent.items()),
        ends=tuple((name, walks[name].end) for name in paths if name in walks),
    )


def _box_of(walks: dict[str, Walk]) -> Box:
    """The rectangle in which models stand and walk."""
    boxes = [box_of(stretch) for one in walks.values() for stretch in one.stretches]
    boxes += [(*one.model.pose.point, *one.model.pose.point) for one in walks.values()]
    if not boxes:
        return 0.0, 0.0, 0.0, 0.0
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


def farthest_concern(kind: MoveType) -> Inches:
    """The widest gap between bases that a move type asks about."""
    limits = [keep.limit for keep in kind.keep_away] + [keep.spared_within or 0.0 for keep in kind.keep_away]
    return max(limits, default=0.0)


class _Faults:
    """Collects violations: the worst of each prohibition for each model."""

    def __init__(self) -> None:
        self._worst: dict[tuple[str, str], tuple[float, Violation]] = {}

    def add(self, badness: float, violation: Violation) -> None:
        key = violation.clause, violation.subject
        if key not in self._worst or badness > self._worst[key][0]:
            self._worst[key] = (badness, violation)

    def found(self) -> tuple[Violation, ...]:
        return tuple(self._worst[key][1] for key in sorted(self._worst))


class _FirstFault(Exception):
    """Something is broken, and nobody asks for more."""


class _NoFault(_Faults):
    """Ends the judgement at the first violation."""

    def add(self, badness: float, violation: Violation) -> None:
        raise _FirstFault


def fault(cite: Cite, text: str, subject: str, against: str, measured: float, limit: float, at: Point) -> Violation:
    """A violation of a cited prohibition, with its numbers and place."""
    return Violation(
        clause=cite.clause,
        also=cite.also,
        text=text,
        subject=subject,
        against=against,
        measured=measured,
        limit=limit,
        at=(round(at[0], 4), round(at[1], 4)),
    )


def _walk(state: State, model: Model, paths: dict[str, Path]) -> Walk:
    stretches = walk(model.pose, paths.get(model.id, ()), state.board)
    moves = any(stretch.across > 0.0 or stretch.is_vertical for stretch in stretches)
    return Walk(model=model, stretches=stretches, moves=moves)


# ---- on the way, against what rests -------------------------------------------------------------------------------


def _judge_alone(scene: Scene, kind: MoveType, one: Walk, spent: Inches, faults: _Faults) -> None:
    name = one.model.id
    if not within(spent, kind.left_for(name)):
        text = f"{kind.name} of at most {kind.allowance:g} inches"
        whole = spent + kind.allowance - kind.left_for(name)
        faults.add(spent, fault(kind.budget, text, name, "", whole, kind.allowance, one.end.point))
    for fee, gap in entered(kind.going, one.end, scene.radius):
        assert kind.going is not None
        text = "no model rests half way across an obstacle"
        faults.add(-gap, fault(kind.going.halfway, text, name, fee.name, gap, 0.0, one.end.point))
    for stretch in one.stretches:
        for cite, text, barrier in way_barriers(scene, kind, stretch, one.model.pose):
            depth = barrier.depth(stretch)
            if overlaps(depth):
                place = _deepest(barrier, stretch)
                gap = barrier.gap if isinstance(barrier, DiscBarrier) else 0.0
                faults.add(-depth, fault(cite, text, name, barrier.name, depth + gap, gap, place))
        if stretch.is_vertical:
            _judge_climb(scene, kind, stretch, name, faults)
    for closed in kind.closed:
        _judge_closed(scene, closed, one, faults)


def way_barriers(scene: Scene, kind: MoveType, stretch: Stretch, begun: Pose) -> Iterator[tuple[Cite, str, Barrier]]:
    """Every resting thing that bars a stretch under a move type, with the clause that says so.

    Args:
        scene: the table as the unit finds it.
        kind: what must hold.
        stretch: a part of a model's way.
        begun: where the model stood before its move: what it is too near to there it may leave, not come nearer to.
    """
    radius = scene.radius
    yield kind.edge, "no part of a base leaves the table", scene.edge(radius if kind.whole_base else 0.0, begun)
    for wall in scene.walls(stretch, radius, begun):
        yield kind.walls, "not through impassable terrain", wall
    for wall in barred_walls(kind.going, stretch, radius, begun):
        yield kind.walls, "not through terrain that this unit may not cross", wall
    footing = scene.footing(stretch, radius)
    if footing is not None:
        yield kind.footing, "a base keeps touch with the floor it walks on", footing
    if kind.models is not None:
        for _, base in scene.bases(stretch, radius, scene.others, begun):
            yield kind.models, "not through or over another model", base
    for keep in kind.keep_away:
        if keep.whole_way:
            for _, zone in scene.zones(radius, keep.limit, keep.spared, begun):
                zone = but(zone, margin=0.0) if keep.touching else zone
                yield keep.cite, keep.in_words, zone


def _deepest(barrier: Barrier, stretch: Stretch) -> Point:
    """A place on a stretch where it cuts deepest into a barrier (for the message)."""
    u = barrier.first(stretch) or 0.0
    if isinstance(barrier, DiscBarrier | OverhangBarrier) and stretch.arc is None:
        disc = barrier.disc if isinstance(barrier, OverhangBarrier) else barrier
        (ax, ay), (bx, by) = stretch.start, stretch.end
        square = (bx - ax) ** 2 + (by - ay) ** 2
        foot = ((disc.x - ax) * (bx - ax) + (disc.y - ay) * (by - ay)) / square if square else 0.0
        u = min(max(foot, u), 1.0)
    return stretch.at(u)


def _judge_climb(scene: Scene, kind: MoveType, stretch: Stretch, name: str, faults: _Faults) -> None:
    """A climb or drop happens where the base touches or overlaps the border of the higher surface."""
    away, rise = border_gap(scene, stretch), whole_rise(scene, stretch)
    if beyond(rise, kind.highest_climb):
        text = "a face too high to climb"
        faults.add(rise, fault(kind.footing, text, name, stretch.surface, rise, kind.highest_climb, stretch.start))
    if beyond(away, 0.0):
        text = "a climb or drop happens at the border of the higher surface"
        faults.add(away, fault(kind.footing, text, name, stretch.surface, away, 0.0, stretch.start))


def whole_rise(scene: Scene, stretch: Stretch) -> Inches:
    """Height of the face that a climb goes up, of which the stretch may be a part; negative for a drop."""
    before, after = scene.board.surface(stretch.left), scene.board.surface(stretch.surface)
    return after.height_at(*stretch.start) - before.height_at(*stretch.start)


def border_gap(scene: Scene, stretch: Stretch) -> Inches:
    """Distance of a base that climbs or drops from the border of the higher surface: at most 0 where it touches it."""
    before, after = scene.board.surface(stretch.left), scene.board.surface(stretch.surface)
    rise = whole_rise(scene, stretch)
    higher = (before, after) if abs(rise) <= TOL else ((after,) if rise > 0.0 else (before,))
    return min(outline_touch(surface, *stretch.start, scene.radius) for surface in higher)


# ---- closed pieces -----------------------------------------------------------------------------------------------


def closed_spans(
    scene: Scene, closed: Closed, stretches: tuple[Stretch, ...], margin: Inches
) -> list[tuple[Feature, float, float]]:
    """Where, in stretches walked, a base overlaps closed pieces that it may not (from - to, in stretch numbers)."""
    found = []
    for piece in pieces_with(scene.board, closed.trait):
        spans: list[tuple[float, float]] = []
        for number, stretch in enumerate(stretches):
            for low, high in _overlap_spans(piece, stretch, scene.radius + margin):
                if spans and spans[-1][1] >= number + low - 1e-9:
                    spans[-1] = (spans[-1][0], number + high)
                else:
                    spans.append((number + low, number + high))
        if spans and spans[0][0] <= 1e-9 and _starts_in(piece, stretches, scene.radius):
            whole_way = spans[0][1] >= len(stretches) - 1e-9
            spans = spans if whole_way or not closed.leaving else spans[1:]
        found += [(piece, low, high) for low, high in spans]
    return found


def _overlap_spans(piece: Feature, stretch: Stretch, radius: Inches) -> tuple[tuple[float, float], ...]:
    return wall_intervals(stretch, piece.outline, radius)


def _starts_in(piece: Feature, stretches: tuple[Stretch, ...], radius: Inches) -> bool:
    return overlaps(polygon_distance(piece.outline, *stretches[0].start) - radius)


def _judge_closed(scene: Scene, closed: Closed, one: Walk, faults: _Faults) -> None:
    text = f"{closed.trait} may not be entered or passed"
    for piece, low, high in closed_spans(scene, closed, one.stretches, -TOL):
        for number in range(int(low), min(ceil(high), len(one.stretches))):
            part = cut(one.stretches[number], low - number, high - number)
            depth = wall_distance(part, piece.outline) - scene.radius
            faults.add(-depth, fault(closed.cite, text, one.model.id, piece.id, depth, 0.0, part.at(0.5)))


# ---- models one after another --------------------------------------------------------------------------------------


def _judge_sequence(state: State, unit: Unit, scene: Scene, kind: MoveType, walks: list[Walk], faults: _Faults) -> None:
    """Earlier models of the order stand at their requested ends, later ones at their starts."""
    if kind.models is None or not kind.mates_block:
        return
    rest = {base.model: base for base in bases_of(state, unit)}
    for one in walks:
        mates = tuple(base for name, base in sorted(rest.items()) if name != one.model.id)
        for stretch in one.stretches:
            for _, barrier in scene.bases(stretch, scene.radius, mates, one.model.pose):
                depth = barrier.depth(stretch)
                if overlaps(depth):
                    place = _deepest(barrier, stretch)
                    text = "not through or over another model"
                    faults.add(-depth, fault(kind.models, text, one.model.id, barrier.name, depth, 0.0, place))
        rest[one.model.id] = base_at(state, unit, one.model.id, one.end)


# ---- models in step ------------------------------------------------------------------------------------------------


def _judge_in_step(state: State, unit: Unit, kind: MoveType, rows: tuple[Beat, ...], faults: _Faults) -> None:
    """Mates block where they are at the same instant; the unit stays in as few pieces as it was."""
    allowed = 1
    if kind.coherency is not None:
        allowed = disorder_of(state, unit, kind.coherency)
    for beat in rows:
        if moves_as_one(beat):
            continue
        if kind.models is not None and kind.mates_block:
            _judge_mates(unit, kind.models, beat, faults, state)
        if kind.coherency is not None:
            _judge_links(unit, kind.coherency, beat, allowed, faults)


def _judge_mates(unit: Unit, cite: Cite, beat: Beat, faults: _Faults, state: State) -> None:
    boxes = [box_of(stretch) for stretch in beat]
    for i, a in enumerate(beat):
        for j in range(i + 1, len(beat)):
            if apart(boxes[i], boxes[j], 2 * unit.radius):
                continue
            near = closest_approach(a, beat[j], unit.radius, state.board)
            if near is None or not overlaps(near[0] - 2 * unit.radius):
                continue
            if overlaps(near[0] - distance_to_keep(unit.models[i].pose, unit.models[j].pose, unit.radius)):
                depth, u = near[0] - 2 * unit.radius, near[1]
                first, second = unit.models[i].id, unit.models[j].id
                still = a.start == a.end
                subject, against, place = (second, first, beat[j].at(u)) if still else (first, second, a.at(u))
                faults.add(
                    -depth, fault(cite, "not through or over another model", subject, against, depth, 0.0, place)
                )


def _judge_links(unit: Unit, coherency: Coherency, beat: Beat, allowed: int, faults: _Faults) -> None:
    broken = first_break(beat, 2 * unit.radius + coherency.limit + TOL, allowed, coherency.chain)
    if broken is None:
        return
    gap, u = widest_gap_in(beat, unit.radius, coherency.limit)
    text = f"in coherency while moving: links of at most {coherency.limit:g} inches"
    faults.add(gap, fault(coherency.cite, text, unit.id, "", gap, coherency.limit, beat[0].at(u)))


_DISORDER: Remembered[int] = Remembered(5_000)


def disorder_of(state: State, unit: Unit, coherency: Coherency) -> int:
    """How far a unit is from coherency where it stands: 1 where it is coherent."""
    reach = 2 * unit.radius + coherency.limit + TOL
    key = reach, coherency.chain
    return _DISORDER.get(
        (state.board, unit.models), key, lambda: disorder(_places(state, unit), reach, coherency.chain)
    )


def _places(state: State, unit: Unit) -> list[tuple[float, float, float]]:
    return [(m.pose.x, m.pose.y, state.height_of(m.pose)) for m in unit.models]


# ---- after the move --------------------------------------------------------------------------------------------------


def _judge_ends(
    state: State, unit: Unit, scene: Scene, kind: MoveType, walks: dict[str, Walk], faults: _Faults
) -> None:
    ends = {name: one.end for name, one in walks.items()}
    after = unit.moved(ends)
    resting = bases_of(state, after)
    moved = [one for one in walks.values() if one.moves]
    movers = {one.model.id for one in moved}
    for base in resting:
        if base.model in movers:
            mates = tuple(mate for mate in resting if mate.model != base.model)
            _judge_place(scene, kind, base, mates, faults)
    for keep in kind.keep_away:
        bound = movers if not keep.standing or not moved else {base.model for base in resting}
        spared = spared_units(keep, scene.others, resting)
        foes = [other for other in scene.others if other.side != scene.side and other.unit not in spared]
        for base in resting:
            if base.model in bound:
                _judge_keep_away(keep, base, walks[base.model].model.pose, foes, faults)
    if kind.coherency is not None and moved:
        _judge_pieces(state, unit, after, kind.coherency, faults)


def _judge_place(scene: Scene, kind: MoveType, base: Base, mates: tuple[Base, ...], faults: _Faults) -> None:
    """A base ends on free ground: wholly on one surface, clear of walls and of other bases."""
    here = Stretch(
        leg=0,
        kind="straight",
        surface=base.surface,
        left=base.surface,
        start=(base.x, base.y),
        end=(base.x, base.y),
        low=base.z,
        high=base.z,
    )
    place = (base.x, base.y)
    text = "a model ends on free ground, wholly on one surface"
    room = scene.board.surface(base.surface).reach(*place) - base.radius
    if overlaps(room):
        faults.add(-room, fault(kind.end_place, text, base.model, base.surface, room, 0.0, place))
    for wall in (*scene.walls(here, base.radius), *barred_walls(kind.going, here, base.radius)):
        depth = wall.depth(here)
        if overlaps(depth):
            found = fault(kind.end_place, text, base.model, wall.name, depth, 0.0, place)
            faults.add(-depth, _because(found, kind.walls))
    for other in (*scene.others, *mates):
        reach = other.radius + base.radius
        if abs(other.x - base.x) > reach or abs(other.y - base.y) > reach or other.surface != base.surface:
            continue
        depth = length(other.x - base.x, other.y - base.y) - other.radius - base.radius
        if overlaps(depth):
            found = fault(kind.end_place, text, base.model, other.model, depth, 0.0, place)
            faults.add(-depth, _because(found, kind.models) if kind.models is not None else found)


def _because(violation: Violation, cite: Cite) -> Violation:
    return violation if violation.clause == cite.clause else replace(violation, because_of=cite.clause)


def _judge_keep_away(keep: KeepAway, base: Base, begun: Pose, foes: list[Base], faults: _Faults) -> None:
    for other in foes:
        away = length(other.x - base.x, other.y - base.y, other.z - base.z)
        gap, reach = away - other.radius - base.radius, other.radius + base.radius + keep.limit
        before = length(other.x - begun.x, other.y - begun.y)
        if keep.touching:
            too_near = overlaps(away - (kept(reach, before) if keep.whole_way else reach))
        else:
            too_near = within(gap, keep.limit)
        if too_near:
            text, limit = _end_told(keep, before - other.radius - base.radius)
            faults.add(-gap, fault(keep.cite, text, base.model, other.model, gap, limit, (base.x, base.y)))


def _end_told(keep: KeepAway, before: Inches) -> tuple[str, Inches]:
    """What is asked of an end, and the gap that is the limit, where the gap at the beginning was so much."""
    if keep.limit == NEVER_NEARER:
        return keep.in_words, before
    return f"no end {'nearer than' if keep.touching else 'within'} {keep.limit:g} inches of an enemy", keep.limit


def spared_units(keep: KeepAway, others: tuple[Base, ...], resting: tuple[Base, ...]) -> tuple[str, ...]:
    """The enemy units that a distance does not protect, given where the moving unit's models end."""
    if keep.spared_within is None:
        return keep.spared
    limit = keep.spared_within
    touched = {
        other.unit
        for other in others
        for base in resting
        if other.unit in keep.spared
        and within(length(other.x - base.x, other.y - base.y, other.z - base.z) - other.radius - base.radius, limit)
    }
    return keep.spared if touched else ()


def ends_allowed(coherency: Coherency, before: int) -> int:
    """In how many pieces at most a unit may end a move that begins in so many."""
    return 1 if before <= 1 or coherency.regroup == "whole" else before - 1


def _judge_pieces(state: State, unit: Unit, after: Unit, coherency: Coherency, faults: _Faults) -> None:
    """One piece at the end; a unit that starts in several ends in fewer (or in one, where `regroup` says whole)."""
    before, now = disorder_of(state, unit, coherency), disorder_of(state, after, coherency)
    if now > ends_allowed(coherency, before):
        gap = widest_gap(_places(state, after), unit.radius)
        text = f"in coherency after the move: links of at most {coherency.limit:g} inches"
        place = after.models[0].pose.point
        faults.add(gap, fault(coherency.cite, text, unit.id, "", gap, coherency.limit, place))
