"""A squad that stands in several pieces, brought together again: on the spot, or on the way to where it wants to go.

Whoever moves such a squad as it stands leaves it apart, which no rule of coherency allows. Where models walk one after
another, most of the squad goes first (or stays) and the others walk up to it; where all move at the same time, each
piece keeps its shape and the pieces close in on each other. A tight block that everybody can reach is tried as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from tactician.agent.propose.aims import Aim
from tactician.agent.propose.joining import WELL_WITHIN, Gathering, parts_of
from tactician.agent.propose.march import marched
from tactician.agent.propose.shapes import block
from tactician.agent.propose.spot import Spot, Who, by_ways, moved_to
from tactician.rules.core.clip import clip
from tactician.rules.core.legs import Climb, Drop, Path, Pose, Straight
from tactician.rules.core.measure import CLOSED_MARGIN, Inches
from tactician.rules.core.movement import Coherency, MoveType, disorder_of, ends_allowed
from tactician.rules.core.remember import Remembered
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.state import Model, State, Unit

__all__ = ["gathered", "is_apart"]

Paths = dict[str, Path]

AIMS = 2
"""Places on the way to which a squad is brought together."""

SHARES = (1.0, 0.6, 0.3)
"""Parts of its way toward an aim that the squad is meant to have made when it is together again."""

MEETING = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Parts of its movement that the greater part of a squad goes to meet the others, the least first."""

SLANT = 0.5**0.5
"""Part of a unit vector along each axis that points between them."""

ASIDE: Inches = 1.5
"""How far from the middle of a squad tight blocks are tried as well."""

_GATHERED: Remembered[list[Spot]] = Remembered(1_000)


def is_apart(state: State, unit: Unit, kind: MoveType) -> bool:
    """Whether a unit stands in several pieces and has to mend that by moving."""
    return kind.coherency is not None and len(unit.models) > 1 and disorder_of(state, unit, kind.coherency) > 1


def gathered(state: State, unit: Unit, kind: MoveType, wishes: tuple[Aim, ...], who: Who = None) -> list[Spot]:
    """Spots at which a squad that is apart is in one piece again; where it cannot be, in as few as can be.

    Args:
        state: the moment before the move.
        unit: the unit that moves.
        kind: its move type.
        wishes: where it might want to go, the more meaningful first.
        who: the models that walk; None where all do.

    Returns:
        Spots that lead toward the aims, and one that only brings the squad together.
    """
    if not is_apart(state, unit, kind):
        return []
    aimed = tuple(aim for aim in wishes if aim.goal is not None)[:AIMS]
    key = tuple((aim.name, aim.goal, aim.inches) for aim in aimed), who
    return _GATHERED.get((state.table, state.units, unit, kind), key, lambda: _gathered(state, unit, kind, aimed, who))


def _gathered(state: State, unit: Unit, kind: MoveType, aimed: tuple[Aim, ...], who: Who) -> list[Spot]:
    assert kind.coherency is not None
    found: list[Spot] = []
    for aim in aimed:
        found += _toward(state, unit, kind, aim, who)
    found += _on_the_spot(state, unit, kind, who)
    links = kind.coherency
    rows = [(disorder_of(state, moved_to(unit, spot), links), spot) for spot in found]
    fewest = min((count for count, _ in rows), default=0)
    return [spot for count, spot in rows if count == fewest]


def _toward(state: State, unit: Unit, kind: MoveType, aim: Aim, who: Who) -> list[Spot]:
    """Toward an aim, by what suits the way in which the models move."""
    if kind.motion == "sequence":
        return marched(state, unit, kind, aim, who)
    name = f"closed up {aim.name}"
    for share in SHARES:
        found = _pieces_closing(
            state, unit, kind, name, (share * aim.inches * aim.way[0], share * aim.inches * aim.way[1]), who
        )
        if found:
            return found
    return []


def _on_the_spot(state: State, unit: Unit, kind: MoveType, who: Who) -> list[Spot]:
    """By moving as little as can be: to the greater part of the squad, which comes to meet the others if need be."""
    tries: Iterator[list[Spot]]
    if kind.motion == "sequence":
        tries = (_joined(state, unit, kind, part, who) for part in MEETING)
    else:
        tries = (_pieces_closing(state, unit, kind, "closed up", step, who) for step in _meeting(state, unit, kind))
    for found in tries:
        if found:
            return found
    found = _block(state, unit, kind, "closed up", (0.0, 0.0), who)
    return found or _nearer(state, unit, kind, who)


# ---- models one after another --------------------------------------------------------------------------------------


def _main(state: State, unit: Unit, links: Coherency, who: Who) -> tuple[list[str], list[list[str]]]:
    """The piece that the others come to, that of the models that may not walk if there are such; and the others."""
    parts = parts_of(state, unit, links)
    bound = {model.id for model in unit.models if who is not None and model.id not in who}
    ranked = sorted(parts, key=lambda part: not bound.intersection(part))
    return ranked[0], ranked[1:]


def _joined(state: State, unit: Unit, kind: MoveType, part: float, who: Who) -> list[Spot]:
    """The greater part of the squad goes a part of its way toward the others, and they come up to it."""
    found = _joining(state, unit, kind, part, who)
    return _spot_of(state, unit, kind, found.paths, 1)


def _nearer(state: State, unit: Unit, kind: MoveType, who: Who) -> list[Spot]:
    """The spot with the fewest pieces, where the squad cannot come together."""
    assert kind.coherency is not None
    if kind.motion != "sequence":
        return []
    allowed = ends_allowed(kind.coherency, disorder_of(state, unit, kind.coherency))
    found = [_spot_of(state, unit, kind, _joining(state, unit, kind, part, who).paths, allowed) for part in MEETING]
    spots = [spot for row in found for spot in row]
    links = kind.coherency
    return sorted(spots, key=lambda spot: disorder_of(state, moved_to(unit, spot), links))[:1]


def _joining(state: State, unit: Unit, kind: MoveType, part: float, who: Who) -> Gathering:
    assert kind.coherency is not None
    main, others = _main(state, unit, kind.coherency, who)
    found = Gathering(state, unit, kind)
    x, y = _between(unit, main, [name for other in others for name in other])
    away = length(x, y)
    if part > 0.0 and away > 0.0:
        walking = [name for name in main if who is None or name in who]
        for name in sorted(walking, key=lambda name: (-_along(unit.model(name), (x, y)), name)):
            step = min(part * found.left(name), away) / away
            start = unit.model(name).pose
            found.walk(name, found.legal(name, (Straight((start.x + step * x, start.y + step * y)),), found.left(name)))
    main = parts_of(state, found.unit.without(tuple(name for row in others for name in row)), kind.coherency)[0]
    rest = [model.id for model in unit.models if model.id not in main and model.id not in found.paths]
    found.gather([name for name in rest if who is None or name in who], main, None)
    return found


def _along(model: Model, way: Point) -> float:
    return round(model.pose.x * way[0] + model.pose.y * way[1], 6)


def _nearest(unit: Unit, main: list[str], others: list[str]) -> tuple[Point, Point]:
    """A model of one piece and a model of the others that are nearest to each other."""
    rows = [(unit.model(a).pose.point, unit.model(b).pose.point) for a in main for b in others]
    return min(rows, key=lambda row: (round(length(row[1][0] - row[0][0], row[1][1] - row[0][1]), 6), row))


def _between(unit: Unit, main: list[str], others: list[str]) -> Point:
    """The shortest vector from a model of one piece to a model of the others."""
    a, b = _nearest(unit, main, others)
    return b[0] - a[0], b[1] - a[1]


# ---- all at the same time ------------------------------------------------------------------------------------------


def _meeting(state: State, unit: Unit, kind: MoveType) -> list[Point]:
    """Steps of the greater part of the squad toward the others."""
    assert kind.coherency is not None
    main, *others = parts_of(state, unit, kind.coherency)
    x, y = _between(unit, main, [name for other in others for name in other])
    away = length(x, y)
    steps = (min(part * kind.allowance, away) / away for part in MEETING)
    return [(step * x, step * y) for step in steps]


def _pieces_closing(state: State, unit: Unit, kind: MoveType, name: str, step: Point, who: Who) -> list[Spot]:
    """The greater part of the squad takes a step as it stands, each other piece comes up to it as it stands."""
    from tactician.rules.paths.squads import in_pace

    assert kind.coherency is not None
    main, others = _main(state, unit, kind.coherency, who)
    after = unit.moved({one: _shifted(unit.model(one), step) for one in main})
    joined, ways = list(main), _turns(state, unit, kind, main, step)
    for part in sorted(others, key=lambda part: (round(length(*_between(after, part, joined)), 6), part)):
        x, y = _between(after, part, joined)
        away, reach = length(x, y), 2 * unit.radius + WELL_WITHIN * kind.coherency.limit
        share = max(1.0 - reach / away, 0.0) if away > 0.0 else 0.0
        move = (share * x, share * y)
        ways |= _turns(state, unit, kind, part, move)
        after = after.moved({one: _shifted(after.model(one), move) for one in part})
        joined += part
    walking = {one: points for one, points in ways.items() if (who is None or one in who) and len(points) > 1}
    if not walking:
        return []
    paced = in_pace(walking, max(kind.allowance - CLOSED_MARGIN, 0.0))
    return _spot_of(state, unit, kind, clip(state, unit, kind, paced), 1, name)


def _plus(model: Model, step: Point) -> Point:
    return model.pose.x + step[0], model.pose.y + step[1]


def _shifted(model: Model, step: Point) -> Pose:
    x, y = _plus(model, step)
    return model.pose._replace(x=x, y=y)


def _turns(state: State, unit: Unit, kind: MoveType, part: list[str], step: Point) -> dict[str, list[Point]]:
    """Start and corners of each model of a piece that takes a step, all making the turns that its first model makes."""
    from tactician.rules.paths.polylines import polyline
    from tactician.rules.paths.walkers import cheapest, surroundings

    if length(*step) <= CLOSED_MARGIN:
        return {name: [unit.model(name).pose.point] for name in part}
    first = unit.model(part[0])
    scene = surroundings(state, unit, kind, first.pose)
    way = cheapest(kind, scene, first.pose.point, _plus(first, step), kind.allowance)
    legs = () if way is None else polyline(first.pose.point, way.legs, scene)
    corners = [leg.to for leg in legs if not isinstance(leg, Climb | Drop)]
    moves = [(x - first.pose.x, y - first.pose.y) for x, y in corners] or [step]
    return {name: [unit.model(name).pose.point, *(_plus(unit.model(name), move) for move in moves)] for name in part}


# ---- both ------------------------------------------------------------------------------------------------------------


def _block(state: State, unit: Unit, kind: MoveType, name: str, step: Point, who: Who) -> list[Spot]:
    """Everybody in a tight block, a step from about the middle of all, where everybody can reach it."""
    from tactician.rules.paths.squads import reshaped

    if who is not None:
        return []
    for x, y in _centres(state, unit, kind):
        for way in ((0.0, 1.0), (SLANT, SLANT)):
            places = block((x + step[0], y + step[1]), way, len(unit.models), unit.radius)
            found = _spot_of(state, unit, kind, reshaped(state, unit, kind, places) or {}, 1, name)
            if found:
                return found
    return []


def _centres(state: State, unit: Unit, kind: MoveType) -> list[Point]:
    """Places from which nobody is far: the middle of the ground that the squad covers, and of its greatest gap."""
    assert kind.coherency is not None
    xs, ys = [m.pose.x for m in unit.models], [m.pose.y for m in unit.models]
    main, *others = parts_of(state, unit, kind.coherency)
    gaps = [_nearest(unit, main, part) for part in others]
    (ax, ay), (bx, by) = max(gaps, key=lambda gap: round(length(gap[1][0] - gap[0][0], gap[1][1] - gap[0][1]), 6))
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    aside = [(x + dx, y + dy) for dx in (-ASIDE, ASIDE) for dy in (-ASIDE, ASIDE)]
    return [(x, y), ((ax + bx) / 2, (ay + by) / 2), *aside]


def _spot_of(state: State, unit: Unit, kind: MoveType, paths: Paths, most: int, name: str = "closed up") -> list[Spot]:
    """The spot that ways lead to, if the squad is there in no more pieces."""
    assert kind.coherency is not None
    if not paths:
        return []
    spot = by_ways(name, unit, paths)
    return [spot] if disorder_of(state, moved_to(unit, spot), kind.coherency) <= most else []
