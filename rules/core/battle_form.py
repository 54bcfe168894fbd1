"""What battle files of all games have in common: outlines, bases, models singly or in formation, where they stand.

The forms are dataclasses that `tactician.rules.core.codec` reads; the functions turn them into the objects of a state
and note what is wrong with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import cos, radians, sin
from typing import Annotated, NamedTuple

from tactician.rules.core.decoding import Bound
from tactician.rules.core.files import Faults
from tactician.rules.core.forms import FAR, nearest
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import Degrees, Inches, overlaps, snap
from tactician.rules.core.shapes import Point, Polygon, contains, length, outline_distance
from tactician.rules.core.state import Model
from tactician.rules.core.terrain import GROUND, Board

__all__ = [
    "BaseForm",
    "FormationForm",
    "ModelForm",
    "ShapeForm",
    "Standing",
    "base_radius",
    "check_id",
    "check_once",
    "check_standing",
    "formation_models",
    "placed_models",
    "polygon_of",
]

MM_PER_INCH = 25.4

MOST_CORNERS = 500
"""Corners of one outline above which it cannot be meant."""

ID = re.compile(r"[A-Za-z0-9_'.-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeForm:
    """An outline: corners in order, or the rectangle [x0, y0, x1, y1]."""

    polygon: tuple[Point, ...] | None = None
    rect: tuple[float, float, float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseForm:
    """A round base: its diameter in millimetres, or its radius in inches."""

    round_mm: Annotated[float, Bound(above=0, most=1000)] | None = None
    radius: Annotated[float, Bound(above=0, most=20)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelForm:
    """One model: its id and the centre of its base; base and profile where the unit does not say them."""

    id: str
    at: Point
    surface: str = GROUND
    bearing: float = 0.0
    base: BaseForm | None = None
    profile: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FormationForm:
    """Models in ranks and files: how many or which, the front left corner, the bearing, the space between bases."""

    models: Annotated[int, Bound(least=1, most=500)] | tuple[str, ...]
    front_left: Point
    files: Annotated[int, Bound(least=1)] | None = None
    """Models of a full rank; one rank where it is left out."""
    bearing: float = 0.0
    spacing: Annotated[float, Bound(least=0)] = 0.5
    surface: str = GROUND


class Standing(NamedTuple):
    """A base on the table, and the field that it comes from."""

    where: str
    model: str
    pose: Pose
    radius: Inches


# ---- names -----------------------------------------------------------------------------------------------------------


def check_id(name: str, where: str, faults: Faults) -> None:
    """Note an id with other characters than ids have."""
    if not ID.fullmatch(name):
        faults.wrong(where, name, "letters, digits and _ ' . - only")


def check_once(named: Iterable[tuple[str, str]], what: str, faults: Faults) -> None:
    """Note every id that stands for a second thing.

    Args:
        named: field and id of everything of one kind
        what: what the things are, in the singular
        faults: collects what is wrong
    """
    first: dict[str, str] = {}
    for where, name in named:
        if name in first:
            faults.add(where, f"the {what} {name!r} is there twice", f"another id than {first[name]} has")
        else:
            first[name] = where


# ---- shapes and bases ------------------------------------------------------------------------------------------------


def polygon_of(shape: ShapeForm, where: str, faults: Faults) -> Polygon | None:
    """The outline of a shape; None where it is none."""
    if (shape.polygon is None) == (shape.rect is None):
        both = "an outline given twice" if shape.rect else "no outline"
        faults.add(where, both, "either polygon or rect")
        return None
    if shape.rect is not None:
        x0, y0, x1, y1 = shape.rect
        points: tuple[Point, ...] = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
        where = f"{where}.rect"
    else:
        assert shape.polygon is not None
        points, where = shape.polygon, f"{where}.polygon"
    if not 3 <= len(points) <= MOST_CORNERS:
        faults.add(where, f"{len(points)} corners", f"3 to {MOST_CORNERS}")
        return None
    if any(abs(one) > FAR for point in points for one in point):
        faults.add(where, "a corner far off every table", "inches")
        return None
    polygon = Polygon(points)
    if polygon.crosses_itself():
        faults.add(where, "the outline crosses itself or has no area", "corners in order round the piece")
        return None
    return polygon


def base_radius(bases: Iterable[tuple[str, BaseForm | None]], default: Inches | None, faults: Faults) -> Inches | None:
    """The one radius of a unit's bases.

    Args:
        bases: field and form wherever a base may be given
        default: radius where none is given
        faults: collects what is wrong

    Returns:
        The radius on the grid; None where it is not known.
    """
    found: Inches | None = None
    for where, base in bases:
        if base is None or faults.within(f"{where}."):
            continue
        if (base.round_mm is None) == (base.radius is None):
            found_sizes = "a base without size" if base.radius is None else "a base with two sizes"
            faults.add(where, found_sizes, "either round_mm or radius")
            continue
        given = base.round_mm / MM_PER_INCH / 2 if base.round_mm is not None else base.radius
        assert given is not None
        radius = snap(given)
        if radius <= 0.0:
            faults.wrong(where, given, "a radius of more than 0")
        elif found is not None and radius != found:
            faults.add(where, f"a base of radius {radius:g} inches", f"{found:g} as for the rest of the unit")
        found = radius if found is None else found
    return default if found is None else found


# ---- models ----------------------------------------------------------------------------------------------------------


def placed_models(forms: Iterable[ModelForm], where: str, faults: Faults) -> tuple[tuple[str, Model], ...]:
    """Models given one by one, on the grid, each with its field."""
    found = []
    for number, form in enumerate(forms):
        place = f"{where}[{number}]"
        check_id(form.id, f"{place}.id", faults)
        if max(abs(form.at[0]), abs(form.at[1])) > FAR:
            faults.add(f"{place}.at", f"{form.id} is far off the table", "inches from the lower left corner")
            continue
        pose = Pose(snap(form.at[0]), snap(form.at[1]), form.surface, _bearing(form.bearing))
        found.append((f"{place}.at", Model(id=form.id, pose=pose)))
    return tuple(found)


def formation_models(
    form: FormationForm, unit: str, radius: Inches, where: str, faults: Faults
) -> tuple[tuple[str, Model], ...]:
    """The models of a formation, rank by rank from the front left, each with its field."""
    names = form.models if isinstance(form.models, tuple) else tuple(f"{unit}{i + 1}" for i in range(form.models))
    for name in names:
        check_id(name, f"{where}.models", faults)
    if max(abs(form.front_left[0]), abs(form.front_left[1]), form.spacing) > FAR:
        faults.add(f"{where}.front_left", f"{unit} is far off the table", "inches from the lower left corner")
        return ()
    files, bearing = form.files or len(names), _bearing(form.bearing)
    ahead = sin(radians(bearing)), cos(radians(bearing))
    right = ahead[1], -ahead[0]
    found = []
    for number, name in enumerate(names):
        across = radius + number % files * (2 * radius + form.spacing)
        back = radius + number // files * (2 * radius + form.spacing)
        x = form.front_left[0] + across * right[0] - back * ahead[0]
        y = form.front_left[1] + across * right[1] - back * ahead[1]
        found.append((where, Model(id=name, pose=Pose(snap(x), snap(y), form.surface, bearing))))
    return tuple(found)


def _bearing(degrees: Degrees) -> Degrees:
    """A bearing on the grid; turned back below a full circle where it cannot be meant."""
    return snap(degrees if abs(degrees) <= FAR else degrees % 360.0)


# ---- where they stand ------------------------------------------------------------------------------------------------


def check_standing(
    board: Board, bases: Iterable[Standing], faults: Faults, *, whole_base_on_table: bool = True
) -> None:
    """Note every base that is off the table, in a wall, not wholly on its surface, or overlaps another.

    Args:
        board: the table
        bases: everything that stands on it
        faults: collects what is wrong
        whole_base_on_table: whether no part of a base may hang over the table's edge; otherwise no centre
    """
    known = [base for base in bases if _alone(board, base, faults, whole_base_on_table)]
    ordered = sorted(known, key=lambda base: (base.pose.x - base.radius, base.model))
    near: list[Standing] = []
    for base in ordered:
        near = [one for one in near if one.pose.x + one.radius > base.pose.x - base.radius]
        for other in near:
            gap = length(other.pose.x - base.pose.x, other.pose.y - base.pose.y) - other.radius - base.radius
            if other.pose.surface == base.pose.surface and overlaps(gap):
                found = f'{base.model} overlaps {other.model} by {-gap:.4g}"'
                faults.add(base.where, found, "bases that touch at most")
        near.append(base)


def _alone(board: Board, base: Standing, faults: Faults, whole: bool) -> bool:
    """Note what is wrong with a base apart from others; whether its surface exists."""
    (x, y, surface, _), r = base.pose, base.radius
    if not board.has_surface(surface):
        names = tuple(one.id for one in board.surfaces)
        faults.add(base.where, f"{base.model} stands on {surface!r}, which is no surface", hint=nearest(surface, names))
        return False
    edge = min(x, y, board.width - x, board.height - y) - (r if whole else 0.0)
    if overlaps(edge):
        faults.add(base.where, f'{base.model} is off the table by {-edge:.4g}"', _table(board))
    reach = board.surface(surface).reach(x, y) - r
    if overlaps(reach):
        faults.add(base.where, f'{base.model} hangs over the edge of {surface} by {-reach:.4g}"', "a base wholly on it")
    for name, polygon in board.ground(surface).walls:
        away = (-1 if contains(polygon, x, y) else 1) * outline_distance(polygon, x, y) - r
        if overlaps(away):
            faults.add(base.where, f'{base.model} stands in {name} by {-away:.4g}"', "free ground")
    return True


def _table(board: Board) -> str:
    return f"a base wholly on the table of {board.width:g} x {board.height:g} inches"
