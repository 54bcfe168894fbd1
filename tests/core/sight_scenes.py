"""Random scenes for sight: walls, screens, woods, hills and models, an eye, and ways that overlap no base."""

from __future__ import annotations

from math import cos, pi, sin
from random import Random

from tactician.rules.core.legs import Bend, Leg, Pose, Straight, Stretch, walk
from tactician.rules.core.shapes import Polygon, length
from tactician.rules.core.sight import Eye
from tactician.rules.core.terrain import Board, Feature

from tests.core.movement_boards import box


def eye(x: float, y: float, foot: float = 0.0, stature: float = 1.5, radius: float = 0.5) -> Eye:
    return Eye(x=x, y=y, foot=foot, stature=stature, radius=radius)


def wall(x0: float, y0: float, x1: float, y1: float, top: float = float("inf")) -> Feature:
    return Feature(id=f"wall {x0} {y0}", outline=box(x0, y0, x1, y1), blocks=True, top=top)


def screen(x0: float, y0: float, x1: float, y1: float, top: float = float("inf")) -> Feature:
    return Feature(id=f"screen {x0} {y0}", outline=box(x0, y0, x1, y1), screens=True, top=top)


def wood(x0: float, y0: float, x1: float, y1: float, veil: float = 2.0, top: float = float("inf")) -> Feature:
    return Feature(id=f"wood {x0} {y0}", outline=box(x0, y0, x1, y1), veil=veil, top=top)


def table(*features: Feature) -> Board:
    return Board(width=48, height=48, features=features)


def random_outline(rng: Random, x: float, y: float) -> Polygon:
    """A star-shaped outline, convex or not; sometimes a box with sides along the axes."""
    if rng.random() < 0.3:
        return box(x, y, x + rng.choice((0.2, 1, 2, 3)), y + rng.choice((0.2, 1, 2, 3)))
    count, begun = rng.randint(3, 7), rng.uniform(0, pi)
    rays = [(begun + 2 * pi * i / count, rng.uniform(0.4, 2.5)) for i in range(count)]
    return Polygon(tuple((x + far * cos(angle), y + far * sin(angle)) for angle, far in rays))


def random_piece(rng: Random, name: str) -> Feature:
    outline = random_outline(rng, rng.uniform(3, 13), rng.uniform(-3, 3))
    top = rng.choice((0.8, 1.2, 2.0, 3.0, 3.0, float("inf")))
    kind = rng.choice(("blocks", "screens", "screens", "veil", "veil", "hangs"))
    if kind == "veil":
        return Feature(id=name, outline=outline, top=max(top, 2.0), veil=rng.choice((0.0, 1.0, 2.0, 2.0)))
    if kind == "hangs":
        return Feature(id=name, outline=outline, blocks=True, bottom=1.0, top=max(top, 2.0))
    return Feature(id=name, outline=outline, top=top, blocks=kind == "blocks", screens=kind == "screens")


def random_board(rng: Random, most: int = 5) -> Board:
    return table(*(random_piece(rng, f"p{number}") for number in range(rng.randint(0, most))))


def random_eye(rng: Random) -> Eye:
    return eye(rng.uniform(-1, 1), rng.uniform(-2, 2), rng.choice((0.0, 0.0, 1.0, 2.0, 4.0)))


def random_blockers(rng: Random, most: int = 6) -> list[Eye]:
    """Models of all sizes that do not overlap one another."""
    found: list[Eye] = []
    for _ in range(rng.randint(0, most)):
        one = eye(
            rng.uniform(2, 12), rng.uniform(-3, 3), 0.0, rng.choice((1.0, 1.5, 1.5, 3.0)), rng.choice((0.4, 0.5, 1.0))
        )
        if all(length(one.x - other.x, one.y - other.y) > one.radius + other.radius for other in found):
            found.append(one)
    return found


def random_way(rng: Random, blockers: list[Eye]) -> tuple[Stretch, ...]:
    """Straight stretches and arcs on which a base of half an inch overlaps none of the blockers."""
    while True:
        x, y = rng.uniform(8, 16), rng.uniform(-6, 6)
        legs: list[Leg] = []
        ax, ay = x, y
        for _ in range(rng.randint(1, 3)):
            bx, by = ax + rng.uniform(-4, 4), ay + rng.uniform(-5, 5)
            if rng.random() < 0.4:
                centre = ((ax + bx) / 2 + (by - ay) * 0.3, (ay + by) / 2 - (bx - ax) * 0.3)
                legs.append(Bend(centre, (bx, by), rng.choice(("left", "right"))))
            else:
                legs.append(Straight((bx, by)))
            ax, ay = bx, by
        way = walk(Pose(x, y), tuple(legs), table())
        places = [stretch.at(i / 100) for stretch in way for i in range(101)]
        if all(length(px - b.x, py - b.y) > b.radius + 0.56 for px, py in places for b in blockers):
            return way
