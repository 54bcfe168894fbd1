"""Putting models down: deployment, arrival, models that come back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, sqrt

from tactician.rules.core.clauses import MALFORMED, Cite, Violation
from tactician.rules.core.coherency import disorder, widest_gap
from tactician.rules.core.forms import nearest
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import CLOSED_MARGIN, OPEN_MARGIN, TOL, Inches, overlaps, snap, within
from tactician.rules.core.remember import Remembered
from tactician.rules.core.scene import Base, base_at, rests_of
from tactician.rules.core.shapes import (
    Box,
    Point,
    clamp,
    contains,
    length,
    may_be_near,
    outline_distance,
    polygon_distance,
)
from tactician.rules.core.state import State, Unit
from tactician.rules.core.terrain import GROUND

__all__ = ["PlaceRule", "find_places", "judge_places"]

UNCITED = Cite("")
"""Stands where a part of a rule does not apply."""

Places = tuple[tuple[str, Pose], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceRule:
    """Where models may be put down; each part with the clause that says so."""

    end_place: Cite
    """Free ground: on the table, clear of walls and bases, wholly on one surface."""
    zone: Box | None = None
    """Rectangle that every base must lie in wholly."""
    zone_cite: Cite = UNCITED
    from_enemies: Inches | None = None
    """More than this from every enemy model."""
    enemies_cite: Cite = UNCITED
    from_friends: Inches | None = None
    """More than this from every model of other own units."""
    friends_cite: Cite = UNCITED
    coherency: Inches | None = None
    """The whole unit in one piece, links of at most this."""
    coherency_cite: Cite = UNCITED
    chain: bool = True
    """Whether coherency asks for one piece, or only for a mate in reach of each."""
    near: Inches | None = None
    """Within this of a model of the unit that already stands."""
    near_cite: Cite = UNCITED

    @property
    def widest(self) -> Inches:
        """The widest gap to other units' models that is asked for."""
        return max(self.from_enemies or 0.0, self.from_friends or 0.0)

    def box(self, state: State, unit: str) -> Box:
        """Rectangle in which places may lie: the zone, or round the unit, or the table."""
        if self.zone is not None:
            return self.zone
        standing = state.unit(unit).models
        if self.near is None or not standing:
            return state.board.box
        far = self.near + 2 * state.unit(unit).radius
        xs, ys = [m.pose.x for m in standing], [m.pose.y for m in standing]
        return min(xs) - far, min(ys) - far, max(xs) + far, max(ys) + far

    def middle(self, state: State) -> Point | None:
        """The middle of the zone; None where places cling to models that stand."""
        if self.zone is None:
            return None
        x0, y0, x1, y1 = self.zone
        return (x0 + x1) / 2, (y0 + y1) / 2


def judge_places(
    state: State, unit: str, models: tuple[str, ...], rule: PlaceRule, places: Places
) -> tuple[Violation, ...]:
    """Everything that putting models down at places breaks."""
    owner = state.unit(unit)
    faults = _form(state, owner, models, places)
    if faults:
        return faults
    put = tuple(base_at(state, owner, name, pose) for name, pose in places)
    rest = _everybody(state)
    found: list[Violation] = []
    for i, base in enumerate(put):
        found += _alone(state, rule, base, owner)
        found += _among(rule, base, (*rest, *put[:i]), owner)
    return (*found, *_together(rule, owner, put, rests_of(state.board, owner)))


_EVERYBODY: Remembered[tuple[Base, ...]] = Remembered(1_000)


def _everybody(state: State) -> tuple[Base, ...]:
    """The bases of all models on the table."""
    board, units = state.board, state.units
    return _EVERYBODY.get((board, units), None, lambda: tuple(b for unit in units for b in rests_of(board, unit)))


def _form(state: State, unit: Unit, models: tuple[str, ...], places: Places) -> tuple[Violation, ...]:
    names = [name for name, _ in places]
    texts = [f"{name!r} is not to be put down{nearest(name, models)}" for name in names if name not in models]
    if sorted(names) != sorted(models) and not texts:
        texts.append(f"{len(names)} models put down, expected {len(models)}: {', '.join(models)}")
    for name, pose in places:
        if not (abs(pose.x) < 1e6 and abs(pose.y) < 1e6):
            texts.append(f"{name} at ({pose.x}, {pose.y}): expected two numbers on the table")
        if not state.board.has_surface(pose.surface):
            texts.append(f"{name}: there is no surface {pose.surface!r}")
    return tuple(Violation(clause=MALFORMED, subject=unit.id, text=text) for text in texts)


def _fault(cite: Cite, text: str, base: Base, against: str, measured: float, limit: float) -> Violation:
    return Violation(
        clause=cite.clause,
        also=cite.also,
        text=text,
        subject=base.model,
        against=against,
        measured=measured,
        limit=limit,
        at=(base.x, base.y),
    )


def _alone(state: State, rule: PlaceRule, base: Base, unit: Unit) -> Iterator[Violation]:
    """Table, walls, surface and zone."""
    board, r = state.board, base.radius
    room = min(base.x, base.y, board.width - base.x, board.height - base.y) - r
    text = "a model stands on free ground, wholly on one surface of the table"
    if overlaps(room):
        yield _fault(rule.end_place, text, base, "table edge", room, 0.0)
    reach = board.surface(base.surface).reach(base.x, base.y) - r
    if overlaps(reach):
        yield _fault(rule.end_place, text, base, base.surface, reach, 0.0)
    for name, polygon in board.ground(base.surface).walls:
        if not may_be_near(polygon, base.x, base.y, r):
            continue
        away = 0.0 if contains(polygon, base.x, base.y) else outline_distance(polygon, base.x, base.y)
        if overlaps(away - r):
            yield _fault(rule.end_place, text, base, name, away - r, 0.0)
    if rule.zone is not None:
        x0, y0, x1, y1 = rule.zone
        room = min(base.x - x0, base.y - y0, x1 - base.x, y1 - base.y) - r
        if overlaps(room):
            yield _fault(rule.zone_cite, f"{unit.id} wholly inside the zone", base, "zone", room, 0.0)


def _among(rule: PlaceRule, base: Base, others: tuple[Base, ...], unit: Unit) -> Iterator[Violation]:
    """Bases of others."""
    far = base.radius + rule.widest + 2 * TOL
    for other in others:
        if abs(other.x - base.x) > far + other.radius or abs(other.y - base.y) > far + other.radius:
            continue
        gap = length(other.x - base.x, other.y - base.y, other.z - base.z) - other.radius - base.radius
        above = length(other.x - base.x, other.y - base.y) - other.radius - base.radius
        if other.surface == base.surface and overlaps(above):
            yield _fault(rule.end_place, "bases do not overlap, seen from above", base, other.model, above, 0.0)
        if rule.from_enemies is not None and other.side != base.side and within(gap, rule.from_enemies):
            text = f"more than {rule.from_enemies:g} inches from enemies"
            yield _fault(rule.enemies_cite, text, base, other.model, gap, rule.from_enemies)
        friend = other.side == base.side and other.unit != unit.id
        if rule.from_friends is not None and friend and within(gap, rule.from_friends):
            text = f"more than {rule.from_friends:g} inches from other units"
            yield _fault(rule.friends_cite, text, base, other.model, gap, rule.from_friends)


def _together(rule: PlaceRule, unit: Unit, put: tuple[Base, ...], standing: tuple[Base, ...]) -> Iterator[Violation]:
    """Coherency of the whole unit, and nearness to models that already stand."""
    everyone = [(base.x, base.y, base.z) for base in (*standing, *put)]
    if rule.coherency is not None and put:
        reach = 2 * unit.radius + rule.coherency + TOL
        if disorder(everyone, reach, rule.chain) > 1:
            gap = widest_gap(everyone, unit.radius)
            text = f"in coherency: links of at most {rule.coherency:g} inches"
            yield _fault(rule.coherency_cite, text, put[0], unit.id, gap, rule.coherency)
    if rule.near is None:
        return
    for base in put:
        gaps = [length(one.x - base.x, one.y - base.y, one.z - base.z) - 2 * unit.radius for one in standing]
        if not gaps or not within(min(gaps), rule.near):
            gap = min(gaps, default=float("inf"))
            text = f"within {rule.near:g} inches of a model of the unit"
            yield _fault(rule.near_cite, text, base, unit.id, gap, rule.near)


# ---- finding room ----------------------------------------------------------------------------------------------------


def find_places(
    state: State, unit: str, models: tuple[str, ...], rule: PlaceRule, near: Point | None, rings: int = 24
) -> Places:
    """Legal places as near as possible to a point: a block of ranks shifted outward ring by ring; empty if none.

    With `near` None models are put down one after another, each at the first free place round a standing mate.
    """
    if near is None:
        return _cling(state, unit, models, rule)
    owner = state.unit(unit)
    room = _Room(state, owner, rule)
    near = _inside(rule, near, owner.radius)
    for shift in _spiral(rings, owner.radius):
        for files in _widths(len(models)):
            spots = _block(len(models), owner.radius, (near[0] + shift[0], near[1] + shift[1]), files)
            if room.is_taken(spots):
                continue
            places = tuple((name, Pose(x, y)) for name, (x, y) in zip(models, spots, strict=True))
            if not judge_places(state, unit, models, rule, places):
                return places
    return ()


def _inside(rule: PlaceRule, near: Point, radius: Inches) -> Point:
    """The point, moved as little as lets a base about it lie in the zone, so that narrow zones are not missed."""
    if rule.zone is None:
        return near
    x0, y0, x1, y1 = rule.zone
    return clamp(near[0], x0 + radius, x1 - radius), clamp(near[1], y0 + radius, y1 - radius)


class _Room:
    """A quick look at places on the ground: many that cannot be stood on are found out at little cost."""

    def __init__(self, state: State, unit: Unit, rule: PlaceRule) -> None:
        radius = unit.radius
        bases = [base for base in _everybody(state) if base.surface == GROUND]
        self._bases = [(base.x, base.y, _apart(rule, unit, base) - 2 * TOL) for base in bases]
        self._walls = [polygon for _, polygon in state.board.ground(GROUND).walls]
        self._radius, self._near = radius, radius - 2 * TOL
        x0, y0, x1, y1 = state.board.box
        if rule.zone is not None:
            a, b, c, d = rule.zone
            x0, y0, x1, y1 = max(x0, a), max(y0, b), min(x1, c), min(y1, d)
        least = radius - 2 * TOL
        self._box = x0 + least, y0 + least, x1 - least, y1 - least

    def is_taken(self, spots: list[Point]) -> bool:
        """Whether some spot cannot be stood on for sure: off the table or zone, in a wall, too near to a base."""
        left, right = min(x for x, _ in spots), max(x for x, _ in spots)
        low, high = min(y for _, y in spots), max(y for _, y in spots)
        x0, y0, x1, y1 = self._box
        if left < x0 or low < y0 or right > x1 or high > y1:
            return True
        for bx, by, far in self._bases:
            if bx + far > left and bx - far < right and by + far > low and by - far < high:
                square = far * far
                for x, y in spots:
                    if (x - bx) * (x - bx) + (y - by) * (y - by) < square:
                        return True
        far = self._radius
        for wall in self._walls:
            a, b, c, d = wall.box
            if a - far < right and c + far > left and b - far < high and d + far > low:
                for x, y in spots:
                    if may_be_near(wall, x, y, far) and polygon_distance(wall, x, y) < self._near:
                        return True
        return False


def _apart(rule: PlaceRule, unit: Unit, base: Base) -> Inches:
    """Least distance of a centre on the ground from that of a base that stands there too."""
    gap = 0.0
    if rule.from_enemies is not None and base.side != unit.side:
        gap = max(gap, rule.from_enemies)
    if rule.from_friends is not None and base.side == unit.side and base.unit != unit.id:
        gap = max(gap, rule.from_friends)
    return gap + base.radius + unit.radius


def _spiral(rings: int, step: Inches) -> Iterator[Point]:
    yield 0.0, 0.0
    for ring in range(1, rings + 1):
        for i in range(-ring, ring + 1):
            for j in range(-ring, ring + 1):
                if max(abs(i), abs(j)) == ring:
                    yield i * step, j * step


def _widths(count: int) -> list[int]:
    wide = ceil(sqrt(count))
    return sorted({min(count, 5), wide, count}, key=lambda files: (abs(files - min(count, 5)), files))


def _block(count: int, radius: Inches, middle: Point, files: int) -> list[Point]:
    """Models in ranks and files, half a base apart, about a middle."""
    pitch = 2 * radius + min(radius, 0.5)
    ranks = ceil(count / files)
    left, top = middle[0] - (files - 1) * pitch / 2, middle[1] + (ranks - 1) * pitch / 2
    xs, ys = [snap(left + i * pitch) for i in range(files)], [snap(top - i * pitch) for i in range(ranks)]
    return [(xs[i % files], ys[i // files]) for i in range(count)]


def _cling(state: State, unit: str, models: tuple[str, ...], rule: PlaceRule) -> Places:
    """Each model at the first free place in touch with, or a little apart from, a mate that stands."""
    found: Places = ()
    owner = state.unit(unit)
    room = _Room(state, owner, rule)
    for name in models:
        for pose in _round(owner, found):
            if pose.surface == GROUND and room.is_taken([pose.point]):
                continue
            trial = (*found, (name, pose))
            if not judge_places(state, unit, tuple(m for m, _ in trial), rule, trial):
                found = trial
                break
        else:
            return ()
    return found


def _round(unit: Unit, put: Places) -> Iterator[Pose]:
    """Places round every model that stands, near ones first."""
    directions = ((1, 0), (0.5, 0.866), (-0.5, 0.866), (-1, 0), (-0.5, -0.866), (0.5, -0.866), (0, 1), (0, -1))
    standing = [model.pose for model in unit.models] + [pose for _, pose in put]
    for away in (CLOSED_MARGIN + 0.05, 0.5, 1.0, 2.0 - OPEN_MARGIN - 0.1):
        for pose in standing:
            for dx, dy in directions:
                far = 2 * unit.radius + away
                yield Pose(snap(pose.x + dx * far), snap(pose.y + dy * far), pose.surface)
