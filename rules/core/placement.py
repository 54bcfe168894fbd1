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
from tactician.rules.core.scene import Base, base_at, bases_of
from tactician.rules.core.shapes import Box, Point, contains, length, may_be_near, outline_distance
from tactician.rules.core.state import State, Unit

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
    rest = tuple(base for other in state.units for base in bases_of(state, other))
    found: list[Violation] = []
    for i, base in enumerate(put):
        found += _alone(state, rule, base, owner)
        found += _among(rule, base, (*rest, *put[:i]), owner)
    return (*found, *_together(rule, owner, put, bases_of(state, owner)))


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
    for other in others:
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
    step = owner.radius
    for shift in _spiral(rings, step):
        for files in _widths(len(models)):
            places = _block(models, owner.radius, (near[0] + shift[0], near[1] + shift[1]), files)
            if not judge_places(state, unit, models, rule, places):
                return places
    return ()


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


def _block(models: tuple[str, ...], radius: Inches, middle: Point, files: int) -> Places:
    """Models in ranks and files, half a base apart, about a middle."""
    pitch = 2 * radius + min(radius, 0.5)
    ranks = ceil(len(models) / files)
    left, top = middle[0] - (files - 1) * pitch / 2, middle[1] + (ranks - 1) * pitch / 2
    return tuple(
        (name, Pose(snap(left + (i % files) * pitch), snap(top - (i // files) * pitch)))
        for i, name in enumerate(models)
    )


def _cling(state: State, unit: str, models: tuple[str, ...], rule: PlaceRule) -> Places:
    """Each model at the first free place in touch with, or a little apart from, a mate that stands."""
    found: Places = ()
    for name in models:
        owner = state.unit(unit)
        for pose in _round(owner, found):
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
