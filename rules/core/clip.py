"""As much of a movement as is legal: the maximal clip.

Models that move in step advance together in common time. A model that meets something freezes there; when
coherency is about to break, exactly those models freeze whose link is at its limit and whose own way stretches it.
An end that may not be stood on is given up for the latest legal place before it. Then the frozen models thaw and
the remaining ways are tried again, until a pass moves nobody. No path is lengthened and no order of models enters;
every freezing time becomes a keyframe, so that the result is judged with the timing it was found with.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import sqrt

from tactician.rules.core.barriers import (
    WallBarrier,
    apart,
    begins_in,
    box_of,
    disc_intervals,
    not_inside,
)
from tactician.rules.core.beats import Beat, beats, cut, standing
from tactician.rules.core.coherency import at_limit, disorder, first_break, is_stretching, linked, pieces
from tactician.rules.core.going import Span, spans_over
from tactician.rules.core.legs import Bend, Climb, Drop, Leg, Path, Pose, Straight, Stretch, walk
from tactician.rules.core.mates import distance_to_keep, first_touch
from tactician.rules.core.measure import CLOSED_MARGIN, OPEN_MARGIN, TOL, Inches, beyond
from tactician.rules.core.movement import (
    Closed,
    KeepAway,
    MoveType,
    bill,
    border_gap,
    disorder_of,
    end_pose,
    ends_allowed,
    farthest_concern,
    is_legal,
    spared_units,
    way_barriers,
    whole_rise,
)
from tactician.rules.core.scene import Base, Scene, bases_of, pieces_with, scene_for
from tactician.rules.core.shapes import length
from tactician.rules.core.state import Model, State, Unit
from tactician.rules.core.terrain import GROUND, Board

__all__ = ["clip", "paid_part", "truncated"]

PASSES = 32
"""Most passes of thawing."""

STANDSTILL: Inches = 1e-3
"""A pass that moves no model by more than this ends the clip."""

HAIR = 1e-9

DRIFT: Inches = 1e-6
"""By how much a link at its limit may widen through rounding at one freezing time."""

SLACK: Inches = 1e-5
"""By how much links may widen from one pass to the next, so that a link at its limit cannot hold a unit by a hair."""

MOST_SLACK = 4

TREMBLE: Inches = 1e-7
"""Rounding at a freezing time, not movement."""


def clip(
    state: State, unit: Unit, kind: MoveType, paths: dict[str, Path], order: tuple[str, ...] = ()
) -> dict[str, Path]:
    """The paths, shortened to as much legal movement as possible; empty where none is, unchanged where all is.

    Args:
        state: the moment before the move.
        unit: the unit that moves.
        kind: what must hold.
        paths: legs of each model; models left out stand still.
        order: order of the models where they move one after another.
    """
    if is_legal(state, unit, kind, paths, order):
        return paths
    order = order or tuple(model.id for model in unit.models if model.id in paths)
    found = _shortened(state, unit, kind, paths, order)
    if any(keep.spared_within is not None for keep in kind.keep_away) and not _touches(state, unit, kind, found):
        kind = replace(kind, keep_away=tuple(_unspared(keep) for keep in kind.keep_away))
        found = _shortened(state, unit, kind, paths, order)
    left = tuple(name for name in order if name in found)
    if _ends_alone(kind) or is_legal(state, unit, kind, found, left):
        return found
    if not kind.mates_block:  # mates that may be passed may still not be ended on
        return clip(state, unit, replace(kind, mates_block=True), paths, order)
    return {}  # models that stand still forbid every movement


def _ends_alone(kind: MoveType) -> bool:
    """Whether each model's end is found without regard to where its mates end or stand.

    Then what is left of a movement is legal by construction, and judging it again would be time lost.
    """
    apart = kind.models is not None and kind.mates_block
    return kind.motion == "in_step" and apart and not any(keep.standing for keep in kind.keep_away)


def _shortened(
    state: State, unit: Unit, kind: MoveType, paths: dict[str, Path], order: tuple[str, ...]
) -> dict[str, Path]:
    if kind.motion == "sequence":
        return _clip_sequence(state, unit, kind, paths, order)
    return _clip_in_step(state, unit, kind, paths)


def _unspared(keep: KeepAway) -> KeepAway:
    """The distance without a permission that has to be earned."""
    return keep if keep.spared_within is None else replace(keep, spared=(), spared_within=None)


def _touches(state: State, unit: Unit, kind: MoveType, paths: dict[str, Path]) -> bool:
    """Whether some model ends near enough to a spared unit for the others to be spared."""
    ends = {m.id: end_pose(m.pose, walk(m.pose, paths.get(m.id, ()), state.board)) for m in unit.models}
    others = scene_for(state, unit).others
    resting = bases_of(state, unit.moved(ends))
    return all(keep.spared_within is None or spared_units(keep, others, resting) for keep in kind.keep_away)


# ---- one model's own way -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Way:
    """One model's stretches; places on it are told as number of the stretch plus fraction."""

    model: Model
    stretches: tuple[Stretch, ...]
    hard: float
    """Place at which it first meets something that rests, or has paid its allowance."""
    bad: tuple[Span, ...]
    """Places between which it may not end."""

    def latest_end(self, place: float) -> float:
        """The last place up to here at which the model may end."""
        changed = True
        while changed:
            changed = False
            for low, high in self.bad:
                if low + HAIR < place < high - HAIR:
                    place, changed = low, True
        return max(place, 0.0)


def _way(scene: Scene, kind: MoveType, model: Model, stretches: tuple[Stretch, ...], passed: tuple[Base, ...]) -> Way:
    """A model's way; bases that are `passed` do not bar it, but nobody may end on them."""
    afford, shut = _budget_end(kind, kind.left_for(model.id), stretches, scene.radius)
    hard = min(_first_barrier(scene, kind, stretches, model.pose), afford)
    for closed in kind.closed:
        hard = min(hard, _first_closed(scene, closed, stretches))
    return Way(model, stretches, hard, (*shut, *_bad_ends(scene, kind, stretches, hard, passed)))


def _first_barrier(scene: Scene, kind: MoveType, stretches: tuple[Stretch, ...], begun: Pose) -> float:
    for number, stretch in enumerate(stretches):
        if stretch.across == 0.0 and not stretch.is_vertical:
            continue
        if stretch.is_vertical and (
            beyond(whole_rise(scene, stretch), kind.highest_climb) or beyond(border_gap(scene, stretch), 0.0)
        ):
            return float(number)
        found = [barrier.first(stretch) for _, _, barrier in way_barriers(scene, kind, stretch, begun)]
        met = [u for u in found if u is not None]
        if met:
            return number + min(met)
    return float(len(stretches))


def _budget_end(
    kind: MoveType, left: Inches, stretches: tuple[Stretch, ...], radius: Inches
) -> tuple[float, tuple[Span, ...]]:
    """How far the inches that are left pay, and the places inside obstacles with a fee."""
    if kind.going is not None:
        costs = bill(kind, stretches, radius)
        spare = 0.0 if costs.total <= left + HAIR else CLOSED_MARGIN / 4
        return costs.reach(max(left - spare, 0.0)), costs.shut
    for number, stretch in enumerate(stretches):
        price = stretch.cost(kind.rates)
        if price > left + HAIR:
            return number + max(left - CLOSED_MARGIN / 4, 0.0) / price, ()
        left -= price
    return float(len(stretches)), ()


def _first_closed(scene: Scene, closed: Closed, stretches: tuple[Stretch, ...]) -> float:
    first = float(len(stretches))
    for piece in pieces_with(scene.board, closed.trait):
        if not stretches:
            continue
        if begins_in(piece.outline, *stretches[0].start, scene.radius):
            spans = spans_over(piece.outline, stretches, scene.radius)
            first = min([first, *(low for low, _ in spans[1:])])
            continue
        wall = WallBarrier(name=piece.id, polygon=piece.outline, radius=scene.radius)
        for number, stretch in enumerate(stretches):
            u = wall.first(stretch) if stretch.across > 0.0 else None
            if u is not None:
                first = min(first, number + u)
                break
    return first


def _bad_ends(
    scene: Scene, kind: MoveType, stretches: tuple[Stretch, ...], hard: float, passed: tuple[Base, ...]
) -> Iterable[Span]:
    """Places between which the model may not end; a span that a stretch's end cuts off reaches past that end."""
    for number, stretch in enumerate(stretches[: int(hard) + 1]):
        if stretch.is_vertical:
            yield number, number + 1
        spans = list(_unsupported(scene, stretch))
        for keep in kind.keep_away:
            spans += _too_near(scene, keep, stretch)
        for base in passed:
            if base.surface == stretch.surface:
                spans += disc_intervals(stretch, base.x, base.y, scene.radius + base.radius)
        for low, high in spans:
            yield (
                number + low - (2 * HAIR if low <= 0.0 else 0.0),
                number + high + (2 * HAIR if high >= 1.0 else 0.0),
            )
    for closed in kind.closed:
        for piece in pieces_with(scene.board, closed.trait):
            if stretches and begins_in(piece.outline, *stretches[0].start, scene.radius):
                low, high = spans_over(piece.outline, stretches, scene.radius + CLOSED_MARGIN)[0]
                never_left = not closed.leaving or high >= len(stretches) - HAIR
                yield low, len(stretches) + 1.0 if never_left else high
    for _, outline in kind.going.barred if kind.going is not None and stretches else ():
        if begins_in(outline, *stretches[0].start, scene.radius):
            for low, high in spans_over(outline, stretches, scene.radius - TOL / 2, GROUND):
                yield low, len(stretches) + 1.0 if high >= len(stretches) - HAIR else high


def _unsupported(scene: Scene, stretch: Stretch) -> Iterable[Span]:
    """Parts of a stretch on a raised floor where a base is not wholly on it."""
    polygon = scene.board.surface(stretch.surface).polygon
    if polygon is None:
        return ()
    return not_inside(stretch, polygon, scene.radius - TOL / 2)


def _too_near(scene: Scene, keep: KeepAway, stretch: Stretch) -> Iterable[Span]:
    if keep.touching and keep.whole_way:
        return  # whatever may be passed may be stood on, and what may not bars the way
    x0, y0, x1, y1 = box_of(stretch)
    for other in scene.others:
        if other.side == scene.side or other.unit in keep.spared:
            continue
        far = scene.radius + other.radius + keep.limit + 2 * OPEN_MARGIN
        if other.x + far < x0 or other.x - far > x1 or other.y + far < y0 or other.y - far > y1:
            continue
        # a way that hugs the zone all along ends beyond its limit, though not by the whole margin after rounding
        margin = -HAIR if keep.touching else (TOL + OPEN_MARGIN) / 2 if keep.whole_way else OPEN_MARGIN
        reach = scene.radius + other.radius + keep.limit + margin
        if stretch.arc is not None:  # over a ramp as if level at its nearest height: no end too near is missed
            rise = min(abs(stretch.low - other.z), abs(stretch.high - other.z))
            rise = 0.0 if (stretch.low - other.z) * (stretch.high - other.z) < 0.0 else rise
            yield from disc_intervals(stretch, other.x, other.y, sqrt(max(reach * reach - rise * rise, 0.0)))
            continue
        still = standing(Pose(other.x, other.y, other.surface), other.z)
        part = linked(stretch, still, reach)
        if part is not None:
            yield part


# ---- models in step ------------------------------------------------------------------------------------------------


def _clip_in_step(state: State, unit: Unit, kind: MoveType, paths: dict[str, Path]) -> dict[str, Path]:
    rows = beats(unit, paths, state.board)
    scene = _surroundings(state, unit, kind, rows)
    passed = () if kind.models is not None else scene.others
    ways = [_way(scene, kind, model, tuple(beat[i] for beat in rows), passed) for i, model in enumerate(unit.models)]
    caps = [way.hard for way in ways]
    for _ in range(PASSES):
        run = _Run(state, unit, kind, ways, caps)
        run.go()
        ends = [way.latest_end(place) for way, place in zip(ways, run.places, strict=True)]
        worse = [i for i, place in enumerate(run.places) if ends[i] < place - HAIR]
        if not worse:
            return run.paths() if _ends_together(state, unit, kind, run) else {}
        for i in worse:
            caps[i] = ends[i]
    return {}


def _surroundings(state: State, unit: Unit, kind: MoveType, rows: tuple[Beat, ...]) -> Scene:
    """The part of the scene that models can meet on their ways."""
    boxes = [box_of(stretch) for beat in rows for stretch in beat]
    boxes += [(*model.pose.point, *model.pose.point) for model in unit.models]
    left, low, right, high = zip(*boxes, strict=True)
    box = min(left), min(low), max(right), max(high)
    return scene_for(state, unit).near(box, farthest_concern(kind) + 2 * OPEN_MARGIN)


def _ends_together(state: State, unit: Unit, kind: MoveType, run: _Run) -> bool:
    """Whether the unit ends in one piece, or in as few as it must."""
    coherency = kind.coherency
    if coherency is None:
        return True
    reach = 2 * unit.radius + coherency.limit + TOL / 2
    now = disorder([(x, y, z) for x, y, z, _ in run.here()], reach, coherency.chain)
    return now <= ends_allowed(coherency, run.allowed)


class _Run:
    """One simulation of all models advancing in common time, with the caps known so far."""

    def __init__(self, state: State, unit: Unit, kind: MoveType, ways: list[Way], caps: list[float]) -> None:
        self.board: Board = state.board
        self.unit = unit
        self.kind = kind
        self.ways = ways
        self.caps = caps
        self.places = [0.0 for _ in ways]
        self.frames: list[Beat] = []
        self.frozen: set[int] = set()
        self._waits: dict[tuple[int, float], Stretch] = {}
        self.allowed, self.reach = self._start_links(state)

    def _start_links(self, state: State) -> tuple[int, Inches]:
        """Pieces at the start, and the reach of a link to aim at (a hair inside the limit unless already at it)."""
        if self.kind.coherency is None:
            return 0, 0.0
        places = [(m.pose.x, m.pose.y, state.height_of(m.pose)) for m in self.unit.models]
        limit = 2 * self.unit.radius + self.kind.coherency.limit
        chain = self.kind.coherency.chain
        allowed = disorder(places, limit + TOL, chain)
        tight = disorder(places, limit - CLOSED_MARGIN, chain) > allowed
        return allowed, limit + (CLOSED_MARGIN if tight else -CLOSED_MARGIN)

    def go(self) -> None:
        """Passes until nobody moves."""
        first_reach, slack = self.reach, 0
        for _ in range(PASSES):
            self.reach = first_reach + slack * SLACK
            before, frames = self.here(), len(self.frames)
            self.frozen = set()
            self._one_pass()
            after = self.here()
            moved = max((length(a[0] - b[0], a[1] - b[1], a[2] - b[2]) for a, b in zip(before, after, strict=True)))
            if moved > STANDSTILL:
                slack = min(slack + 1, MOST_SLACK)
                continue
            if frames:
                del self.frames[frames:]
                self.places = list(self._kept)
            if slack == MOST_SLACK:
                return
            slack = MOST_SLACK

    def _one_pass(self) -> None:
        self._kept = list(self.places)
        total = len(self.ways[0].stretches)
        for _ in range(total):
            if not any(self._moves(i) for i in range(len(self.ways))):
                return
            self._one_beat([self._stretch(i) for i in range(len(self.ways))])

    def _moves(self, i: int) -> bool:
        return i not in self.frozen and self.places[i] < self.caps[i] - HAIR

    def _stretch(self, i: int) -> Stretch:
        """What a model walks next: the rest of its present stretch, or a wait."""
        way, place = self.ways[i], self.places[i]
        if not self._moves(i):
            return self._wait(i)
        number = int(place)
        return cut(way.stretches[number], place - number, 1.0)

    def _wait(self, i: int) -> Stretch:
        key = i, self.places[i]
        if key not in self._waits:
            x, y, z, surface = self._now(i)
            self._waits[key] = standing(Pose(x, y, surface), z)
        return self._waits[key]

    def _one_beat(self, beat: list[Stretch]) -> None:
        """Advance all models to the ends of their present stretches, freezing on the way."""
        aims = [int(place) + 1.0 if self._moves(i) else place for i, place in enumerate(self.places)]
        while any(self._moves(i) for i in range(len(beat))):
            moment, freezing = self._next_event(beat, aims)
            if moment > 0.0:
                self.frames.append(tuple(cut(stretch, 0.0, moment) for stretch in beat))
                for i in range(len(beat)):
                    if self._moves(i):
                        self.places[i] = aims[i] if moment >= 1.0 else self._at(i, aims[i], moment)
            if moment >= 1.0:
                self.frozen.update(freezing)
                return
            self.frozen.update(freezing)
            beat[:] = [cut(stretch, moment, 1.0) if self._moves(i) else self._wait(i) for i, stretch in enumerate(beat)]
            aims = [aim if self._moves(i) else self.places[i] for i, aim in enumerate(aims)]

    def _at(self, i: int, aim: float, moment: float) -> float:
        place = self.places[i] + (aim - self.places[i]) * moment
        return min(place, self.caps[i]) if abs(place - self.caps[i]) < HAIR else place

    def _next_event(self, beat: list[Stretch], aims: list[float]) -> tuple[float, set[int]]:
        """The next moment at which somebody must freeze, and who; moment 1 when the beat simply ends."""
        best, who = 1.0, set[int]()
        moving = [i for i in range(len(beat)) if self._moves(i)]
        for i in moving:
            ahead = aims[i] - self.places[i]
            moment = (self.caps[i] - self.places[i]) / ahead if ahead > HAIR else 1.0
            best, who = _sooner(best, who, moment, {i})
        if self.kind.models is not None and self.kind.mates_block:
            best, who = self._meetings(beat, best, who)
        if self.kind.coherency is not None:
            reach = self._reach_now(beat, self.kind.coherency.chain)
            broken = first_break(tuple(beat), reach, self.allowed, self.kind.coherency.chain)
            if broken is not None:
                best, who = _sooner(best, who, broken, self._stretching(beat, broken, moving, reach))
        return best, who

    def _meetings(self, beat: list[Stretch], best: float, who: set[int]) -> tuple[float, set[int]]:
        """The first of the moments at which two models come too near, if it is before the best one known."""
        boxes, reach = [box_of(stretch) for stretch in beat], 2 * self.unit.radius + 2 * CLOSED_MARGIN
        moving = [self._moves(i) for i in range(len(beat))]
        for i in range(len(beat)):
            for j in range(i + 1, len(beat)):
                if (moving[i] or moving[j]) and not apart(boxes[i], boxes[j], reach):
                    best, who = self._meeting(beat, i, j, best, who)
        return best, who

    def _meeting(self, beat: list[Stretch], i: int, j: int, best: float, who: set[int]) -> tuple[float, set[int]]:
        a, b = beat[i], beat[j]
        reach = distance_to_keep(self.unit.models[i].pose, self.unit.models[j].pose, self.unit.radius)
        moment = first_touch(a, b, self.unit.radius, self.board, reach)
        if moment is None:
            return best, who
        towards = {k for k, one, other in ((i, a, b), (j, b, a)) if self._moves(k) and _nears(one, other, moment)}
        return _sooner(best, who, moment, towards or {k for k in (i, j) if self._moves(k)})

    def _reach_now(self, beat: list[Stretch], chain: bool) -> Inches:
        """The reach of a link, a few millionths wider where rounding left a link at its limit just outside."""
        places = [(*stretch.start, stretch.low) for stretch in beat]
        for step in range(40):
            if disorder(places, self.reach + step * DRIFT, chain) <= self.allowed:
                return self.reach + step * DRIFT
        return self.reach

    def _stretching(self, beat: list[Stretch], moment: float, moving: list[int], reach: Inches) -> set[int]:
        """Moving models whose own way stretches a link at its limit that holds two pieces together.

        All movers, if rounding hides which.
        """
        held = pieces([(*stretch.at(moment), stretch.height_at(moment)) for stretch in beat], reach - TOL / 4)
        piece = {i: number for number, part in enumerate(held) for i in part}
        found = {
            i
            for i in moving
            for j, other in enumerate(beat)
            if piece[i] != piece[j]
            and at_limit(beat[i], other, moment, reach)
            and is_stretching(beat[i], other, moment)
        }
        return found or set(moving)

    def here(self) -> list[tuple[float, float, float, str]]:
        """Where each model is now: x, y, height, surface."""
        return [self._now(i) for i in range(len(self.ways))]

    def _now(self, i: int) -> tuple[float, float, float, str]:
        """Where a model is now."""
        way, place = self.ways[i], self.places[i]
        number = min(int(place), len(way.stretches) - 1)
        if number < 0:
            pose = way.model.pose
            return pose.x, pose.y, self.board.surface(pose.surface).height_at(pose.x, pose.y), pose.surface
        if place == number and number > 0:
            number -= 1
        stretch, u = way.stretches[number], place - number
        (x, y), surface = stretch.at(u) if u < 1.0 else stretch.end, stretch.surface if u > 0.0 else stretch.left
        return x, y, stretch.height_at(u), surface

    def paths(self) -> dict[str, Path]:
        """The legs walked, with a keyframe at every freezing time; a tremble is no movement."""
        frames = [frame for frame in self.frames if any(_goes(stretch) for stretch in frame)]
        found: dict[str, Path] = {}
        for i, way in enumerate(self.ways):
            if any(_goes(frame[i]) for frame in frames):
                found[way.model.id] = tuple(_leg(frame[i], self.board) for frame in frames)
        return found


def _goes(stretch: Stretch) -> bool:
    return stretch.is_vertical or stretch.across > TREMBLE


def _leg(stretch: Stretch, board: Board) -> Leg:
    """The leg that walks a frame's stretch; a climb cut in two says how far up it has come."""
    if not stretch.is_vertical:
        return Straight(stretch.end)
    foot = board.surface(stretch.left).height_at(*stretch.start)
    rise = board.surface(stretch.surface).height_at(*stretch.start) - foot
    part = 1.0 if rise == 0.0 or abs(stretch.high - foot - rise) < HAIR else (stretch.high - foot) / rise
    return Climb(stretch.surface, part) if stretch.kind == "climb" else Drop(stretch.surface, part)


def _sooner(best: float, who: set[int], moment: float, freezing: set[int]) -> tuple[float, set[int]]:
    """The earlier of two events; one at the very end of a beat is left to the next beat."""
    moment = max(moment, 0.0)
    if moment > 1.0 - HAIR or moment > best + 1e-12:
        return best, who
    if moment < best - 1e-12 or not who:
        return moment, set(freezing)
    return best, who | freezing


def _nears(a: Stretch, b: Stretch, u: float) -> bool:
    """Whether a model's own movement brings it nearer to another at a moment."""
    (ax, ay), (bx, by) = a.at(u), b.at(u)
    return (a.end[0] - a.start[0]) * (bx - ax) + (a.end[1] - a.start[1]) * (by - ay) > 0.0


# ---- models one after another --------------------------------------------------------------------------------------


def _clip_sequence(
    state: State, unit: Unit, kind: MoveType, paths: dict[str, Path], order: tuple[str, ...]
) -> dict[str, Path]:
    found: dict[str, Path] = {}
    moved = unit
    alone = scene_for(state, unit)
    for name in order:
        model = moved.model(name)
        mates = tuple(base for base in bases_of(state, moved) if base.model != name)
        scene = replace(alone, others=(*alone.others, *mates)) if kind.mates_block else alone
        passed = (*alone.others, *mates) if kind.models is None else () if kind.mates_block else mates
        stretches = walk(model.pose, paths.get(name, ()), state.board)
        way = _way(scene, kind, model, stretches, passed)
        place = way.latest_end(way.hard)
        legs = truncated(paths.get(name, ()), stretches, place, state.board)
        walked = walk(model.pose, legs, state.board)
        if any(_goes(stretch) for stretch in walked):
            found[name] = legs
            moved = moved.moved({name: end_pose(model.pose, walked)})
    if kind.coherency is not None:
        before, now = disorder_of(state, unit, kind.coherency), disorder_of(state, moved, kind.coherency)
        if now > ends_allowed(kind.coherency, before):
            return {}
    return found


def paid_part(state: State, unit: Unit, kind: MoveType, name: str, path: Path) -> Path:
    """The part of a model's way that the allowance of a move type pays for, whatever else may bar it.

    It ends in front of an obstacle that cannot be paid for, or not left again; never inside.

    Args:
        state: the moment before the move.
        unit: the unit that moves.
        kind: what must be paid.
        name: the model.
        path: its whole way.
    """
    stretches = walk(unit.model(name).pose, path, state.board)
    afford, shut = _budget_end(kind, kind.left_for(name), stretches, unit.radius)
    place = Way(unit.model(name), stretches, afford, shut).latest_end(afford)
    return truncated(path, stretches, place, state.board)


def truncated(path: Path, stretches: tuple[Stretch, ...], place: float, board: Board) -> Path:
    """The legs of a path up to a place on its stretches: number of the stretch plus fraction."""
    if place <= 0.0:
        return ()
    number = min(int(place), len(stretches) - 1)
    u = place - number
    if u >= 1.0:
        return path
    last = stretches[number]
    whole = path[: last.leg]
    if u <= HAIR and (number == 0 or stretches[number - 1].leg < last.leg):
        return whole
    if last.arc is not None:
        return (*whole, Bend(last.arc.centre, last.at(u), last.arc.turn))
    return (*whole, _leg(cut(last, 0.0, u), board))
