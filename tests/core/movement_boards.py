"""Random boards and orders for the movement engine, and a builder for small hand-made ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import cos, pi, sin
from random import Random

from tactician.rules.core.arcs import LEFT, RIGHT, Arc
from tactician.rules.core.clauses import Cite
from tactician.rules.core.legs import Climb, Drop, Leg, Path, Pose, Rates, Straight, Stretch
from tactician.rules.core.measure import snap
from tactician.rules.core.movement import Closed, Coherency, KeepAway, MoveType
from tactician.rules.core.shapes import Polygon, polygon_distance
from tactician.rules.core.state import Model, State, Table, Unit
from tactician.rules.core.terrain import GROUND, Board, Feature, Surface

SAMPLED = 400
"""Places looked at along a way where sampling is the witness."""

HAIR = 1e-7
"""Inches by which a sampled distance may miss a limit through rounding."""


def box(x0: float, y0: float, x1: float, y1: float) -> Polygon:
    return Polygon(((x0, y0), (x1, y0), (x1, y1), (x0, y1)))


def straight(*points: tuple[float, float]) -> Path:
    return tuple(Straight(point) for point in points)


def in_step(allowance: float, *, ban: bool = False, spared: str = "", limit: float = 2.0) -> MoveType:
    """A movement in step with all usual conditions."""
    keep = KeepAway(limit=2.0, cite=Cite("NEAR"))
    if spared:
        keep = KeepAway(limit=2.0, cite=Cite("NEAR"), spared=(spared,), spared_within=1.0)
    return MoveType(
        name="move",
        allowance=allowance,
        motion="in_step",
        rates=Rates(up=1.0, down=0.0),
        budget=Cite("FAR"),
        walls=Cite("WALL"),
        edge=Cite("EDGE"),
        footing=Cite("FOOT"),
        end_place=Cite("PLACE"),
        models=Cite("MODEL"),
        closed=(Closed(trait="cover", cite=Cite("COVER")),) if ban else (),
        keep_away=(keep,),
        coherency=Coherency(limit=limit, cite=Cite("LINK")),
    )


def table_with(units: dict[str, tuple[str, dict[str, Pose]]], features: tuple[Feature, ...] = ()) -> State:
    """A 48 x 48 table with units of radius 0.5: ``{"A": ("red", {"a": Pose(10, 10)})}``."""
    found = tuple(
        Unit(
            id=name,
            side=side,
            name=name,
            profile="any",
            radius=0.5,
            models=tuple(Model(id=model, pose=pose) for model, pose in models.items()),
        )
        for name, (side, models) in units.items()
    )
    return State(table=Table(board=Board(width=48, height=48, features=features)), units=found)


def codes(violations: tuple[object, ...]) -> list[str]:
    return [getattr(violation, "clause") for violation in violations]  # noqa: B009 - any violation will do


def random_board(rng: Random) -> tuple[State, Unit, dict[str, Path]]:
    """A unit of 2 to 8 models among walls, cover and enemies, ordered along ways that may be anything but legal."""
    features = tuple(
        Feature(
            id=f"f{number}",
            outline=_blob(rng),
            blocks=number % 2 == 0,
            traits=(("cover", 1.0),) if number % 2 else (),
        )
        for number in range(rng.randint(2, 8))
    )
    taken: list[Pose] = []
    models = _cluster(rng, features, taken, rng.randint(2, 8))
    enemies = {f"e{i}": pose for i, pose in enumerate(_scatter(rng, features, taken, rng.randint(0, 6)))}
    state = table_with({"A": ("red", models), "E": ("blue", enemies)}, features)
    heading = rng.uniform(0, 2 * pi)
    legs = rng.randint(1, 3)
    paths = {}
    for name, pose in models.items():
        if rng.random() < 0.9:
            paths[name] = _way(rng, pose, heading, legs)
    return state, state.unit("A"), paths


def _way(rng: Random, pose: Pose, heading: float, legs: int) -> Path:
    x, y, points = pose.x, pose.y, []
    for _ in range(legs):
        turn, far = heading + rng.gauss(0, 0.35), rng.uniform(0.5, 6)
        x, y = x + far * cos(turn), y + far * sin(turn)
        points.append((x, y))
    return straight(*points)


def _blob(rng: Random) -> Polygon:
    x, y = rng.uniform(6, 42), rng.uniform(6, 42)
    count, size = rng.randint(3, 7), rng.uniform(1, 4)
    return Polygon(
        tuple((x + size * cos(2 * pi * i / count), y + size * sin(2 * pi * i / count)) for i in range(count))
    )


def _free(features: tuple[Feature, ...], taken: list[Pose], pose: Pose) -> bool:
    if not (0.5 <= pose.x <= 47.5 and 0.5 <= pose.y <= 47.5):
        return False
    if any(piece.blocks and polygon_distance(piece.outline, pose.x, pose.y) < 0.5 for piece in features):
        return False
    return all((pose.x - other.x) ** 2 + (pose.y - other.y) ** 2 >= 1.0 for other in taken)


def _cluster(rng: Random, features: tuple[Feature, ...], taken: list[Pose], count: int) -> dict[str, Pose]:
    """Models each within a link of an earlier one."""
    while True:
        chain: list[Pose] = []
        for _ in range(200):
            if len(chain) == count:
                taken += chain
                return {f"a{i}": pose for i, pose in enumerate(chain)}
            if not chain:
                pose = Pose(snap(rng.uniform(10, 38)), snap(rng.uniform(10, 38)))
            else:
                near, turn, far = rng.choice(chain), rng.uniform(0, 2 * pi), rng.uniform(1.0, 2.9)
                pose = Pose(snap(near.x + far * cos(turn)), snap(near.y + far * sin(turn)))
            if _free(features, [*taken, *chain], pose):
                chain.append(pose)


def _scatter(rng: Random, features: tuple[Feature, ...], taken: list[Pose], count: int) -> list[Pose]:
    found: list[Pose] = []
    for _ in range(200):
        pose = Pose(snap(rng.uniform(1, 47)), snap(rng.uniform(1, 47)))
        if len(found) < count and _free(features, [*taken, *found], pose):
            found.append(pose)
    return found


def agree(parts: tuple[tuple[float, float], ...], away: Callable[[float], float], limit: float, label: str) -> None:
    """Fail where sampled distances contradict the parts of a way that are said to be nearer than a limit."""
    for i in range(SAMPLED + 1):
        u = i / SAMPLED
        inside, distance = any(low <= u <= high for low, high in parts), away(u)
        assert inside or distance > limit - HAIR, f"{label}: at {u} {distance} is nearer than {limit}, not in {parts}"
        assert not inside or distance < limit + HAIR, f"{label}: at {u} {distance} is not nearer than {limit}: {parts}"


def random_arc(rng: Random) -> Arc:
    """An arc of any sweep, among them tiny ones, nearly whole circles and none at all."""
    sweep = rng.choice((0.0, rng.uniform(0, 0.05), rng.uniform(0, 2 * pi), 2 * pi - rng.uniform(1e-6, 0.05)))
    first, radius = rng.uniform(-pi, pi), rng.uniform(0.2, 5)
    centre, turn = (rng.uniform(-3, 3), rng.uniform(-3, 3)), rng.choice((LEFT, RIGHT))
    last = first + (sweep if turn == LEFT else -sweep)
    ends = [(centre[0] + radius * cos(angle), centre[1] + radius * sin(angle)) for angle in (first, last)]
    return Arc(ends[0], ends[1], centre, turn)


def random_stretch(rng: Random, near: tuple[float, float] = (0.0, 0.0)) -> Stretch:
    """A straight, bent, vertical or waiting stretch on the ground within a few inches of a place."""
    start = near[0] + rng.uniform(-5, 5), near[1] + rng.uniform(-5, 5)
    kind = rng.choice(("straight", "straight", "arc", "wait", "climb"))
    arc = None
    if kind == "arc":
        whole = random_arc(rng)
        shift = start[0] - whole.start[0], start[1] - whole.start[1]
        end = whole.end[0] + shift[0], whole.end[1] + shift[1]
        arc = Arc(start, end, (whole.centre[0] + shift[0], whole.centre[1] + shift[1]), whole.turn)
    elif kind == "straight":
        end = near[0] + rng.uniform(-5, 5), near[1] + rng.uniform(-5, 5)
    else:
        end = start
    high = 2.0 if kind == "climb" else 0.0
    name = "straight" if kind == "wait" else kind
    return Stretch(leg=0, kind=name, surface="ground", left="ground", start=start, end=end, low=0.0, high=high, arc=arc)


def random_heights(rng: Random) -> tuple[State, Unit, dict[str, Path]]:
    """A unit of 1 to 6 models near a floor or ramp, ordered over it, mostly by climbs at its border."""
    x, y, wide, deep = (snap(rng.uniform(*span)) for span in ((14, 30), (14, 30), (2, 6), (2, 6)))
    outline, high = box(x, y, x + wide, y + deep), rng.choice((1.0, 2.0, 3.0))
    if rng.random() < 0.35:
        floor = Surface(id="f", polygon=outline, low=0, high=high, foot=(x, y), head=(x + wide, y))
    else:
        floor = Surface(id="f", polygon=outline, low=high, high=high, solid=rng.random() < 0.7)
    feature, taken = Feature(id="f", outline=outline, surface=floor, blocks=True), list[Pose]()
    models = _cluster(rng, (feature,), taken, rng.randint(1, 6))
    enemies = {f"e{i}": pose for i, pose in enumerate(_scatter(rng, (feature,), taken, rng.randint(0, 4)))}
    state = table_with({"A": ("red", models), "E": ("blue", enemies)}, (replace(feature, blocks=False),))
    heading, legs = rng.uniform(0, 2 * pi), rng.randint(1, 4)
    return state, state.unit("A"), {name: _climbing(rng, pose, heading, outline, legs) for name, pose in models.items()}


def _climbing(rng: Random, pose: Pose, heading: float, outline: Polygon, legs: int) -> Path:
    """Goes straight, up at a place of the border, about on the floor, and straight down wherever it is."""
    x, y, path, is_up = pose.x, pose.y, list[Leg](), False
    x0, y0, x1, y1 = outline.box
    for _ in range(legs):
        if rng.random() > 0.7:
            turn, far = heading + rng.gauss(0, 0.4), rng.uniform(0.5, 5)
            x, y = x + far * cos(turn), y + far * sin(turn)
            path.append(Straight((x, y)))
        elif is_up:
            path.append(Drop(GROUND))
            is_up = False
        else:
            along, up = rng.uniform(x0, x1), rng.uniform(y0, y1)
            foot = rng.choice(((x0 - 0.5, up), (x1 + 0.5, up), (along, y0 - 0.5), (along, y1 + 0.5)))
            x, y = rng.uniform(x0 + 0.5, x1 - 0.5), rng.uniform(y0 + 0.5, y1 - 0.5)
            path += [Straight(foot), Climb("f"), Straight((x, y))]
            is_up = True
    return tuple(path)
