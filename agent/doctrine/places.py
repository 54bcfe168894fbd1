"""Where a unit goes: a few places that its errand suggests, the ways there, and the best of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tactician.agent.doctrine.field import Field
from tactician.agent.propose.aims import Aim, middle, nearest_pair
from tactician.agent.propose.shapes import tight
from tactician.agent.propose.slides import Slider
from tactician.agent.propose.spot import Spot, Who, by_ways, moved_to, stay, walking
from tactician.agent.propose.spots import along, binding, drawn_in
from tactician.rules.core.action import Action
from tactician.rules.core.choice import Choice
from tactician.rules.core.clip import clip
from tactician.rules.core.legs import Path, Pose, Straight, walk
from tactician.rules.core.measure import CLOSED_MARGIN, Inches
from tactician.rules.core.movement import MoveType, end_pose, judge
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.state import Unit, front_first

__all__ = ["Place", "ends_of", "places", "stragglers", "walk_to"]

LEAST: Inches = 0.3
"""Moves shorter than this are none."""

BLOCKED = 0.6
"""A straight way that is shorter than this part of what was wanted is worth a way round."""

BEARINGS = (-2, -1, 1, 2)
"""Eighths of a turn from the way to the enemy at which shooters look for a place as well."""

COS = {-2: (0.0, -1.0), -1: (0.7071, -0.7071), 1: (0.7071, 0.7071), 2: (0.0, 1.0)}
"""Cosine and sine of these."""

CATCH_UP = (0.8, 0.4, 0.0)
"""Parts of its way that the greatest piece of a scattered unit goes, for the others to catch up."""

TRIES = 3
"""Places that are tried until one has a legal way."""

SHELTERS = 2
"""Shelters that are looked at."""

MARGIN: Inches = 0.05
"""How much nearer than need be a straggler comes."""

LOOSE = 1.0
"""Part of a unit's fire and blows that it loses that ends a move in pieces."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a unit would go, and what it is worth to stand there."""

    spot: Spot
    value: float

    @property
    def moves(self) -> bool:
        """Whether anybody goes anywhere."""
        return bool(self.spot.ways) or length(*self.spot.shift) >= LEAST


def places(
    field: Field, unit: Unit, kind: MoveType, fires: tuple[float, float], who: Who = None, target: str = ""
) -> list[Place]:
    """The places that a unit can reach under a move type, the best first; staying is always one of them.

    Args:
        field: the moment.
        unit: where it stands now.
        kind: how it may move.
        fires: what its fire counts in this turn where it stays, and where it moves.
        who: the models that may walk; None where all may.
        target: the unit that is to be shot at from there, if any.
    """
    rest = Place(stay, _worth(field, unit, unit, fires[0], target))
    found = [rest]
    for spot in _spots_once(field, unit, kind, who):
        moved = moved_to(unit, spot) if who is None else unit
        value = _worth(field, unit, moved, fires[1], target)
        if value > rest.value + 1e-6:
            found.append(Place(spot, value))
    return sorted(found, key=lambda place: -round(place.value, 6))


def walk_to(
    field: Field, choice: Choice, bare: Action, unit: Unit, found: list[Place], kind: MoveType, who: Who = None
) -> Action:
    """The order that goes to the best of some places to which a legal way leads, shortened to what is legal."""
    for place in found[:TRIES]:
        if not place.moves:
            break
        action = walking(bare, unit, place.spot, kind, who)
        if choice.explain(field.state, action):
            action = choice.clip(field.state, action)
        if any(path for _, path in action.paths):
            return action
    return bare


def ends_of(field: Field, unit: Unit, action: Action) -> dict[str, Pose]:
    """Where the models of an order stand when it is carried out."""
    board, starts = field.state.board, {model.id: model.pose for model in unit.models}
    return {name: end_pose(starts[name], walk(starts[name], path, board)) for name, path in action.paths if path}


def _worth(field: Field, before: Unit, unit: Unit, fires: float, target: str) -> float:
    """What a place is worth: by itself, for the errand, and for being together."""
    value = field.standing(unit, fires=fires)
    if target and field.state.has_unit(target):
        value += field.fire_from(unit, field.state.unit(target))
    errand = field.errand(before)
    if errand.place is not None:
        far = max(_off(before, errand.place), 1.0)
        weight = field.style.with_men if errand.is_leader else field.style.errand
        value += weight * field.appraiser.worth(field.state, before) * (1.0 - _off(unit, errand.place) / far)
    pieces = field.appraiser.pieces(field.state, unit)
    return value - LOOSE * field.appraiser.worth(field.state, unit) * (pieces - 1) if pieces > 1 else value


def _off(unit: Unit, place: Point) -> Inches:
    x, y = middle(unit)
    return length(x - place[0], y - place[1])


# ---- where to look ---------------------------------------------------------------------------------------------------


def _spots_once(field: Field, unit: Unit, kind: MoveType, who: Who) -> list[Spot]:
    """The same spots for every order with the same way of moving."""
    key = unit.id, binding(kind), who
    if key not in field.found:
        field.found[key] = _spots(field, unit, kind, who)
    return field.found[key]


def _spots(field: Field, unit: Unit, kind: MoveType, who: Who) -> list[Spot]:
    """Straight shifts to what is wished for, ways round to the first wish, and a tight block for who is scattered."""
    if kind.allowance <= LEAST or not unit.models:
        return []
    wishes = list(_wishes(field, unit, kind))
    if not wishes:
        return []
    slider = Slider(field.state, unit, kind, who)
    inches = slider.lengths([one.way for one in wishes], [one.inches for one in wishes])
    found = [
        Spot(one.name, ((one.way[0] * got, one.way[1] * got),))
        for one, got in zip(wishes, inches, strict=True)
        if got >= LEAST
    ]
    if who is not None:
        return found
    if field.appraiser.pieces(field.state, unit) > 1:
        found += _together(field, unit, kind, wishes[0])
    elif wishes[0].goal is not None and inches[0] < BLOCKED * wishes[0].inches:
        found += _round(field, unit, kind, slider, wishes[0])
    return found


def _round(field: Field, unit: Unit, kind: MoveType, slider: Slider, aim: Aim) -> list[Spot]:
    """Ways past what bars the straight one: as it stands, else every model as far as it comes, else drawn in."""
    found = [spot for spot in along(field.state, unit, kind, slider, aim) if length(*spot.shift) >= LEAST]
    if max((length(*spot.shift) for spot in found), default=0.0) >= BLOCKED * aim.inches or len(unit.models) < 2:
        return found
    straight = walking(
        Action(verb="", unit=unit.id), unit, Spot("", ((aim.way[0] * aim.inches, aim.way[1] * aim.inches),)), kind
    )
    legal = clip(field.state, unit, kind, dict(straight.paths), straight.order)
    ways = {name: legal[name] for name in (straight.order or legal) if legal.get(name)}
    if ways:
        found.append(by_ways("as far as each comes", unit, ways))
    if max((length(*spot.shift) for spot in found), default=0.0) < BLOCKED * aim.inches:
        found += drawn_in(field.state, unit, kind, aim)
    return found


def _together(field: Field, unit: Unit, kind: MoveType, aim: Aim) -> list[Spot]:
    """A scattered unit comes together: as far on its way as its stragglers can catch up, else in a block or a file."""
    for share in CATCH_UP:
        shift = (share * aim.inches * aim.way[0], share * aim.inches * aim.way[1])
        found = stragglers(unit, kind, shift)
        spot = by_ways("together", unit, found) if found else None
        if spot is None or field.appraiser.pieces(field.state, moved_to(unit, spot)) > 1:
            continue
        action = walking(Action(verb="", unit=unit.id), unit, spot, kind)
        if not judge(field.state, unit, kind, dict(action.paths), action.order).violations:
            return [spot]
    return tight(field.state, unit, kind, Aim("together", aim.way, 0.4 * aim.inches)) or drawn_in(
        field.state, unit, kind, aim
    )


def stragglers(unit: Unit, kind: MoveType, shift: Point = (0.0, 0.0)) -> dict[str, Path]:
    """Ways that bring a unit together: its greatest piece shifted, the others to places beside the nearest models.

    Args:
        unit: the unit, which stands in several pieces.
        kind: how it may move.
        shift: of the greatest piece.
    """
    if kind.coherency is None:
        return {}
    reach = kind.coherency.limit - MARGIN + 2 * unit.radius
    piece = max(_pieces(unit, kind.coherency.limit + 2 * unit.radius), key=lambda one: (len(one), sorted(one)))
    body = unit.without(tuple(model.id for model in unit.models if model.id not in piece))
    found: dict[str, Path] = {}
    if length(*shift) > 0.0:
        ends = {model.id: (model.pose.x + shift[0], model.pose.y + shift[1]) for model in body.models}
        found = {name: (Straight(ends[name]),) for name in front_first(body, *shift)}
        standing = list(ends.values())
    else:
        standing = [model.pose.point for model in body.models]
    rows = sorted(
        (min(length(m.pose.x - x, m.pose.y - y) for x, y in standing), m.id, m)
        for m in unit.models
        if m.id not in piece
    )
    for _, name, model in rows:
        x, y = min(standing, key=lambda spot: (round(length(model.pose.x - spot[0], model.pose.y - spot[1]), 6), spot))
        away = length(model.pose.x - x, model.pose.y - y)
        part = max(away - reach, 0.0) / away if away > 0.0 else 0.0
        end = model.pose.x + part * (x - model.pose.x), model.pose.y + part * (y - model.pose.y)
        found[name] = (Straight(end),)
        standing.append(end)
    return found


def _pieces(unit: Unit, reach: Inches) -> list[set[str]]:
    """The models of a unit in groups whose links are no longer than so much between middles."""
    left = {model.id: model.pose.point for model in unit.models}
    found = []
    while left:
        first = min(left)
        group, edge = {first}, [left.pop(first)]
        while edge:
            x, y = edge.pop()
            near = [name for name, (a, b) in left.items() if length(a - x, b - y) <= reach]
            group.update(near)
            edge += [left.pop(name) for name in near]
        found.append(group)
    return found


def _wishes(field: Field, unit: Unit, kind: MoveType) -> Iterator[Aim]:
    """Ways and lengths, what matters most first."""
    far, errand, here = max(kind.allowance - CLOSED_MARGIN, 0.0), field.errand(unit), middle(unit)
    if errand.place is not None:
        yield from _to(f"{errand.role} place", here, errand.place, far)
    if errand.goal is not None:
        yield from _to(errand.goal.name, here, (errand.goal.x, errand.goal.y), far)
    prey = field.state.unit(errand.prey) if errand.prey else None
    if prey is not None and prey.models:
        yield from _toward(field, unit, prey, far)
    near = field.near(unit)
    if near and (prey is None or near[0].id != prey.id):
        yield from _toward(field, unit, near[0], far)
    if near:
        yield from _about(here, middle(near[0]), far)
    if errand.role not in ("assault", "flank"):
        shelters = sorted(
            field.appraiser.shelters(field.state, unit),
            key=lambda one: (round(length(one.x - here[0], one.y - here[1]), 6), one.name),
        )
        for shelter in shelters[:SHELTERS]:
            yield from _to(f"into {shelter.name}", here, (shelter.x, shelter.y), far)


def _to(name: str, start: Point, end: Point, far: Inches) -> Iterator[Aim]:
    away = length(end[0] - start[0], end[1] - start[1])
    if away > LEAST:
        way = (end[0] - start[0]) / away, (end[1] - start[1]) / away
        yield Aim(name, way, min(far, away), end)


def _toward(field: Field, unit: Unit, foe: Unit, far: Inches) -> Iterator[Aim]:
    """Straight at an enemy, all the way and only just into range."""
    pair = nearest_pair(unit, (foe,), field.measure)
    if pair is None:
        return
    away, mine, theirs, _ = pair
    yield from _to(f"toward {foe.id}", mine, theirs, min(far, max(away, 0.0)))
    shot = away - field.appraiser.range(field.state, unit) + LEAST
    if LEAST < shot < far:
        for aim in _to(f"into range of {foe.id}", mine, theirs, shot):
            yield Aim(aim.name, aim.way, shot)


def _about(here: Point, foe: Point, far: Inches) -> Iterator[Aim]:
    """Aslant and to both sides, and back."""
    away = length(foe[0] - here[0], foe[1] - here[1])
    if away <= LEAST:
        return
    x, y = (foe[0] - here[0]) / away, (foe[1] - here[1]) / away
    for eighth in BEARINGS:
        cos, sin = COS[eighth]
        yield Aim(f"aslant {eighth}", (x * cos - y * sin, x * sin + y * cos), far)
    yield Aim("back", (-x, -y), far)
