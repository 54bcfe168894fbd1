"""Flight: how far and whither broken units go (clauses 2E-LD-04 to 2E-LD-06, 2E-HH-14).

Readings of our own: a flight pays nothing for slow ground and obstacles, but passes nothing impassable, goes through
nobody, ends inside no obstacle and brings nobody within an inch of an enemy. It makes for the nearest cover that is no
nearer to the enemy, where the models find places in it or at its border; where there is no such cover, and out of
hand-to-hand, all models go straight away from the enemy. Whoever comes to the table's edge stops there.
"""

from __future__ import annotations

from dataclasses import replace

from tactician.rules.core.agenda import CHANCE, Handler, push, swap, without_top
from tactician.rules.core.chance import Outcome, Roll, Total
from tactician.rules.core.clauses import Cite
from tactician.rules.core.clip import clip
from tactician.rules.core.derive import but
from tactician.rules.core.legs import Path, Straight, walk
from tactician.rules.core.measure import CLOSED_MARGIN, TOL, Inches, within
from tactician.rules.core.movement import KeepAway, MoveType
from tactician.rules.core.shapes import Point, clamp, contains, length, polygon_distance
from tactician.rules.core.state import Model, front_first
from tactician.rules.core.terrain import Feature
from tactician.rules.wh40k2e.contact import foes_of, is_engaged
from tactician.rules.wh40k2e.ground import going_for
from tactician.rules.wh40k2e.movement import APART, move_type
from tactician.rules.wh40k2e.psychology import has_feared_near
from tactician.rules.wh40k2e.state import Flight, Moving, Squad, SquadState

__all__ = ["FlightHandler", "flight_of", "flight_plan", "flight_type", "has_to_flee", "is_in_cover"]

Plan = tuple[tuple[str, Path], ...]

PIN: Inches = 1e-6
"""Shorter ways are none."""

ROOM = 2.5
"""Distance of places in cover, in radii: wide enough to come in from the side."""

TRIES = 8
"""So many of the nearest places in cover each model tries."""


def is_in_cover(state: SquadState, unit: Squad) -> bool:
    """Whether every model of a unit is in a piece that gives cover, or touches one."""
    return all(_touches_cover(state, unit, model) for model in unit.models)


def _touches_cover(state: SquadState, unit: Squad, model: Model) -> bool:
    return any(_touches(piece, unit, model.pose.point) for piece in _cover(state))


def _touches(piece: Feature, unit: Squad, place: Point) -> bool:
    return within(polygon_distance(piece.outline, *place) - unit.radius, 0.0)


def _cover(state: SquadState) -> tuple[Feature, ...]:
    return tuple(piece for piece in state.board.with_trait("cover") if piece.trait("cover"))


def has_to_flee(state: SquadState, unit: Squad) -> bool:
    """Whether a broken unit runs: out of hand-to-hand always, else unless it is in cover (2E-LD-04, 2E-LD-05)."""
    if not unit.models or not unit.broken:
        return False
    if is_engaged(state, unit):
        return True
    stays = state.holds("2E-LD-04") and is_in_cover(state, unit)
    return state.holds("2E-LD-05") and not stays


def flight_of(state: SquadState, unit: Squad) -> Flight:
    """The flight of a unit, as far again with something it fears near by as it begins (2E-LD-06)."""
    return Flight(owner=unit.side, unit=unit.id, again=has_feared_near(state, unit))


class FlightHandler(Handler[SquadState, Flight]):
    """Two dice, then the unit goes."""

    def step(self, state: SquadState, frame: Flight) -> SquadState | None:
        """Over where the unit is gone, has rallied or has reached cover."""
        return None if has_to_flee(state, state.unit(frame.unit)) else without_top(state)

    def mover(self, state: SquadState, frame: Flight) -> str:
        """Always dice."""
        return CHANCE

    def roll(self, state: SquadState, frame: Flight) -> Roll:
        """How far (2E-LD-05)."""
        unit = state.unit(frame.unit)
        return Total(why=f"flight: how far {unit.name} ({unit.id}) flee", subject=unit.id, dice=2)

    def land(self, state: SquadState, frame: Flight, outcome: Outcome) -> SquadState:
        """Go; what it had been ordered to do is forgotten."""
        assert isinstance(outcome, int)
        unit = but(state.unit(frame.unit), fled=True, went="compelled", overwatch=False, charge=(), leaving=False)
        state = state.with_unit(unit)
        plan = flight_plan(state, unit, float(outcome))
        state = swap(state, but(frame, again=False)) if frame.again else without_top(state)
        if not plan:
            return but(state, log=(*state.log, f"{unit.name} ({unit.id}) cannot flee: the way is barred"))
        gone = Moving(owner=unit.side, unit=unit.id, gait="flee", plan=plan, allowance=float(outcome))
        return push(state, gone)


# ---- whither ---------------------------------------------------------------------------------------------------------


def flight_type(state: SquadState, unit: Squad, inches: Inches) -> MoveType:
    """What must hold for a flight of so many inches."""
    kind = move_type(state, unit, "flee", inches)
    ground = going_for(state, unit, inches)
    if ground is not None:
        ground = replace(ground, regions=(), fees=tuple(replace(fee, inches=0.0) for fee in ground.fees))
    keep = KeepAway(limit=APART, cite=Cite("2E-CH-01"), whole_way=True, touching=True)
    return replace(kind, going=ground, keep_away=(keep,), coherency=None)


def flight_plan(state: SquadState, unit: Squad, inches: Inches) -> Plan:
    """The ways of a fleeing unit, whoever is in front first.

    Args:
        state: the moment before.
        unit: the unit.
        inches: how far each model goes at most.
    """
    piece = None if is_engaged(state, unit) else _refuge(state, unit)
    if piece is None:
        return shifted(state, unit, _away(state, unit), inches, flight_type(state, unit, inches))
    return _toward(state, unit, piece, inches)


def shifted(state: SquadState, unit: Squad, toward: Point, inches: Inches, kind: MoveType) -> Plan:
    """Ways straight in one direction, each as far as legal.

    Args:
        state: the moment before.
        unit: the unit.
        toward: the direction, a vector of length 1.
        inches: how far.
        kind: what must hold.
    """
    far = max(inches - CLOSED_MARGIN / 4, 0.0)
    dx, dy = toward[0] * far, toward[1] * far
    starts = {model.id: model.pose for model in unit.models}
    ends = {name: (starts[name].x + dx, starts[name].y + dy) for name in front_first(unit, *toward)}
    return _clipped(state, unit, kind, ends)


def _clipped(state: SquadState, unit: Squad, kind: MoveType, ends: dict[str, Point]) -> Plan:
    """Straight ways to places, in the order given, as far as legal."""
    paths: dict[str, Path] = {
        name: (Straight(end),)
        for name, end in ends.items()
        if length(end[0] - unit.model(name).pose.x, end[1] - unit.model(name).pose.y) > PIN
    }
    found = clip(state, unit, kind, paths, tuple(paths)) if paths else {}
    return tuple((name, found[name]) for name in paths if found.get(name))


def _away(state: SquadState, unit: Squad) -> Point:
    """The direction straight away from the enemies it fights, or from the nearest one."""
    foes = [model.pose.point for foe in state.against(unit.side) for model in foe.models]
    fought = {name for model in unit.models for name in foes_of(state, model.id)}
    near = [model.pose.point for foe in state.against(unit.side) for model in foe.models if model.id in fought]
    middle = _middle([model.pose.point for model in unit.models])
    if not near:
        near = [min(foes, key=lambda foe: (_nearest_gap(unit, foe), foe))] if foes else []
    if near:
        x, y = _middle(near)
        away = length(middle[0] - x, middle[1] - y)
        if away > TOL:
            return (middle[0] - x) / away, (middle[1] - y) / away
    return (0.0, -1.0) if unit.side == "red" else (0.0, 1.0)


def _nearest_gap(unit: Squad, foe: Point) -> Inches:
    gaps = (length(model.pose.x - foe[0], model.pose.y - foe[1]) for model in unit.models)
    return round(min(gaps), 9)


def _middle(points: list[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


# ---- toward cover ----------------------------------------------------------------------------------------------------


def _refuge(state: SquadState, unit: Squad) -> Feature | None:
    """The nearest cover that is no nearer to any enemy than the unit is to its nearest one."""
    middle = _middle([model.pose.point for model in unit.models])
    foes = [model.pose.point for foe in state.against(unit.side) for model in foe.models]
    now = min((_apart(middle, foe) for foe in foes), default=0.0)
    found = []
    for piece in _cover(state):
        place = _nearest_point(piece, middle)
        if all(_apart(place, foe) >= now - TOL for foe in foes):
            found.append((round(polygon_distance(piece.outline, *middle), 9), piece.id, piece))
    return min(found, key=lambda row: row[:2])[2] if found else None


def _apart(a: Point, b: Point) -> Inches:
    return length(a[0] - b[0], a[1] - b[1])


def _nearest_point(piece: Feature, place: Point) -> Point:
    """The point of a piece that is nearest to a place; the place itself where it lies inside."""
    if contains(piece.outline, *place):
        return place
    best, least = place, float("inf")
    for ax, ay, bx, by in piece.outline.edges:
        dx, dy = bx - ax, by - ay
        square = dx * dx + dy * dy
        t = clamp(((place[0] - ax) * dx + (place[1] - ay) * dy) / square, 0.0, 1.0) if square else 0.0
        near = (ax + t * dx, ay + t * dy)
        if _apart(near, place) < least:
            best, least = near, _apart(near, place)
    return best


def _toward(state: SquadState, unit: Squad, piece: Feature, inches: Inches) -> Plan:
    """All together while the cover is out of reach of every model; else each to a place of its own there."""
    kind = flight_type(state, unit, inches)
    middle = _middle([model.pose.point for model in unit.models])
    gaps = {m.id: polygon_distance(piece.outline, *m.pose.point) - unit.radius for m in unit.models}
    if min(gaps.values()) > inches:
        x, y = _nearest_point(piece, middle)
        away = _apart((x, y), middle)
        return shifted(state, unit, ((x - middle[0]) / away, (y - middle[1]) / away), inches, kind)
    plan = []
    for model in sorted(unit.models, key=lambda m: (round(gaps[m.id], 9), m.id)):
        path = () if _touches(piece, unit, model.pose.point) else _way_in(state, unit, model, piece, inches, kind)
        if path:
            plan.append((model.id, path))
            end = walk(model.pose, path, state.board)[-1].end
            unit = unit.moved({model.id: model.pose._replace(x=end[0], y=end[1])})
            state = state.with_unit(unit)
    return tuple(plan)


def _way_in(state: SquadState, unit: Squad, model: Model, piece: Feature, inches: Inches, kind: MoveType) -> Path:
    """A straight way to the nearest free place at a piece that can be reached, else as near as possible."""
    here = model.pose.point
    best: tuple[Inches, Path] = (polygon_distance(piece.outline, *here) - PIN, ())
    for place in sorted(_places(state, unit, model, piece), key=lambda one: _rank(one, here))[:TRIES]:
        away = _apart(place, here)
        far = min(max(inches - CLOSED_MARGIN / 4, 0.0) / away, 1.0) if away > 0.0 else 0.0
        goal = (here[0] + (place[0] - here[0]) * far, here[1] + (place[1] - here[1]) * far)
        path = clip(state, unit, kind, {model.id: (Straight(goal),)}, (model.id,)).get(model.id, ())
        if not path:
            continue
        end = walk(model.pose, path, state.board)[-1].end
        gap = polygon_distance(piece.outline, *end)
        if gap < best[0]:
            best = gap, path
        if far == 1.0 and _apart(end, place) <= TOL:
            return path
    return best[1]


def _rank(place: Point, here: Point) -> tuple[Inches, Point]:
    return round(_apart(place, here), 6), place


def _places(state: SquadState, unit: Squad, model: Model, piece: Feature) -> list[Point]:
    """Places for a model in a piece or touching it, free now."""
    solid = piece.blocks or bool(piece.trait("obstacle")) or piece.trait("ditch") is not None
    others = [(other.pose.point, of.radius) for of in state.units for other in of.models if other.id != model.id]
    width, height, radius = state.board.width, state.board.height, unit.radius
    return [
        (x, y)
        for x, y in (*_round(piece, radius), *(() if solid else _within(piece, radius)))
        if radius <= x <= width - radius
        and radius <= y <= height - radius
        and all(_apart((x, y), place) >= radius + reach for place, reach in others)
        and not (solid and polygon_distance(piece.outline, x, y) < radius)
    ]


def _round(piece: Feature, radius: Inches) -> list[Point]:
    """Places outside a piece whose bases touch its border."""
    off, step = radius + CLOSED_MARGIN / 4, ROOM * radius
    found = []
    for ax, ay, bx, by in piece.outline.edges:
        side = _apart((ax, ay), (bx, by))
        if side <= TOL:
            continue
        ux, uy = (bx - ax) / side, (by - ay) / side
        count = int(side / step)
        first = (side - count * step) / 2
        for number in range(count + 1):
            x, y = ax + ux * (first + number * step), ay + uy * (first + number * step)
            for nx, ny in ((uy, -ux), (-uy, ux)):
                if not contains(piece.outline, x + nx * off, y + ny * off):
                    found.append((x + nx * off, y + ny * off))
    return found


def _within(piece: Feature, radius: Inches) -> list[Point]:
    """Places inside a piece, on a grid of bases."""
    x0, y0, x1, y1 = piece.outline.box
    step = ROOM * radius
    columns, rows = int((x1 - x0) / step) + 1, int((y1 - y0) / step) + 1
    found = [(x0 + step * i, y0 + step * j) for i in range(columns) for j in range(rows)]
    return [place for place in found if contains(piece.outline, *place)]
