"""Random tables, and a referee of ways that shares no code with the planner."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

import shapely
from tactician.rules.core.barriers import Barrier, EdgeBarrier, FootingBarrier, WallBarrier, outline_touch
from tactician.rules.core.legs import Leg, Pose, Rates, Straight, cost, walk
from tactician.rules.core.measure import TOL, overlaps
from tactician.rules.core.shapes import Point, Polygon
from tactician.rules.core.terrain import Board, Feature, Surface
from tactician.rules.paths.scene import Disc, Scene, Way

RATES = Rates(up=1, down=0)
SAMPLE = 0.02
"""Inches between the places at which a way is looked at."""


def rectangle(x0: float, y0: float, x1: float, y1: float) -> Polygon:
    return Polygon(((x0, y0), (x1, y0), (x1, y1), (x0, y1)))


def wall(name: str, outline: Polygon) -> Feature:
    return Feature(id=name, outline=outline, blocks=True)


def floor(name: str, outline: Polygon, height: float, *, solid: bool = True) -> Feature:
    surface = Surface(id=name, polygon=outline, low=height, high=height, solid=solid)
    return Feature(id=name, outline=outline, top=height, surface=surface)


def table(*features: Feature, width: float = 40, height: float = 30) -> Board:
    return Board(width=width, height=height, features=features)


def piece(rng: Random, width: float, height: float) -> Polygon:
    """A box, an L or U of thin walls, or a convex lump, anywhere and turned anyhow."""
    w, h, thin = rng.uniform(2.5, 8), rng.uniform(2.5, 8), 0.4
    kind = rng.randrange(4)
    if kind == 0:
        points = [(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)]
    elif kind == 1:
        points = [(0.0, 0.0), (w, 0.0), (w, thin), (thin, thin), (thin, h), (0.0, h)]
    elif kind == 2:
        points = [(0, 0), (w, 0), (w, h), (w - thin, h), (w - thin, thin), (thin, thin), (thin, h), (0, h)]
    else:
        angles = sorted(rng.uniform(0, 2 * math.pi) for _ in range(rng.randrange(5, 9)))
        points = [(w / 2 * math.cos(angle), h / 2 * math.sin(angle)) for angle in angles]
    x, y, turn = rng.uniform(2, width - 2), rng.uniform(2, height - 2), rng.uniform(0, math.pi)
    c, s = math.cos(turn), math.sin(turn)
    return Polygon(tuple((x + px * c - py * s, y + px * s + py * c) for px, py in points))


def random_board(rng: Random, count: int, width: float = 72, height: float = 48) -> Board:
    pieces = [wall(f"piece {i}", piece(rng, width, height)) for i in range(count)]
    return table(*pieces, width=width, height=height)


def random_discs(rng: Random, count: int, reach: float, width: float = 72, height: float = 48) -> tuple[Disc, ...]:
    return tuple((rng.uniform(0, width), rng.uniform(0, height), reach) for _ in range(count))


def gap_to_walls(scene: Scene, points: Sequence[Point]) -> float:
    """Least distance of places from any wall's area."""
    outlines = [polygon for _, polygon in scene.board.ground(scene.surface).walls] + list(scene.closed)
    areas = shapely.union_all([shapely.Polygon(outline.points) for outline in outlines])
    if not points or areas.is_empty:
        return math.inf
    return float(shapely.distance(shapely.points(points), areas).min())


def is_free(scene: Scene, point: Point) -> bool:
    """Whether a base may stand at a place with nothing to spare."""
    (x, y), r, board = point, scene.radius, scene.board
    on_table = r <= x <= board.width - r and r <= y <= board.height - r
    clear = all(math.dist(point, disc[:2]) >= disc[2] for disc in scene.discs)
    return on_table and clear and gap_to_walls(scene, [point]) > r


def free_place(rng: Random, scene: Scene, near: Point | None = None, away: float = 0.0) -> Point:
    """A random free place; with `near`, within `away` of it."""
    for _ in range(1000):
        if near is None:
            place = (rng.uniform(0, scene.board.width), rng.uniform(0, scene.board.height))
        else:
            angle, reach = rng.uniform(0, 2 * math.pi), away * math.sqrt(rng.random())
            place = (near[0] + reach * math.cos(angle), near[1] + reach * math.sin(angle))
        if is_free(scene, place):
            return place
    raise AssertionError("a table without a free place")


def sampled(board: Board, start: Pose, legs: Sequence[Leg]) -> list[Point]:
    """Places along the legs on the surface of the start."""
    places: list[Point] = []
    for stretch in walk(start, tuple(legs), board):
        if stretch.surface == stretch.left == start.surface:
            count = math.ceil(stretch.across / SAMPLE) + 1
            places += [stretch.at(i / count) for i in range(count + 1)]
    return places


def faults(scene: Scene, start: Point, way: Way, end: Point | None = None) -> list[str]:
    """What is wrong with a way, by looking at it every few hundredths of an inch."""
    board, r, allowed = scene.board, scene.radius, 1.1 * TOL
    pose = Pose(*start, scene.surface)
    places = sampled(board, pose, way.legs) or [start]
    found = []
    if gap_to_walls(scene, places) < r - allowed:
        found.append("cuts into a wall")
    for x, y, reach in scene.discs:
        least = min(reach, math.dist(start, (x, y)))
        if min(math.dist(place, (x, y)) for place in places) < least - allowed:
            found.append(f"too near to the disc at {x}, {y}")
    if any(min(x, y, board.width - x, board.height - y) < r - allowed for x, y in places):
        found.append("leaves the table")
    if abs(cost(walk(pose, way.legs, board), RATES) - way.cost) > 1e-8:
        found.append("costs something else")
    if end is not None and math.dist(way.points[-1], end) > 1e-8:
        found.append("ends elsewhere")
    found += refused(board, r, pose, way.legs)
    last = way.legs[-1].to if way.legs and isinstance(way.legs[-1], Straight) else way.points[-1]
    if last != way.points[-1] or way.points[0] != start:
        found.append("points and legs differ")
    return found


def refused(board: Board, radius: float, start: Pose, legs: Sequence[Leg]) -> list[str]:
    """What the checker's own barriers say against a way over any surfaces, by name of the barrier."""
    found = []
    for stretch in walk(start, tuple(legs), board):
        surface = board.surface(stretch.surface)
        barriers: list[Barrier] = [EdgeBarrier(width=board.width, height=board.height, radius=radius)]
        barriers += [
            WallBarrier(name=name, polygon=polygon, radius=radius) for name, polygon in board.ground(surface.id).walls
        ]
        if surface.polygon is not None:
            barriers.append(FootingBarrier(surface=surface, radius=radius))
        found += [barrier.name for barrier in barriers if overlaps(barrier.depth(stretch))]
        if stretch.is_vertical:
            higher = [board.surface(each) for each in (stretch.left, stretch.surface)]
            if min(outline_touch(each, *stretch.start, radius) for each in higher) > TOL:
                found.append("climbs away from any border")
    return found
