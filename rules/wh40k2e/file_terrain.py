"""Pieces of terrain in files: an outline, a kind with its usual meaning, and whatever a piece has otherwise.

A kind stands for natural defaults (a wood is soft cover that one sees two inches into, a wall an obstacle of its
height); every one of them can be overruled. Meanings that nobody has by default are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from math import inf
from typing import Annotated, Any, Literal

from tactician.rules.core.battle_form import ShapeForm, check_id, polygon_of
from tactician.rules.core.codec import encode
from tactician.rules.core.decoding import Bound
from tactician.rules.core.files import Faults
from tactician.rules.core.measure import TOL, Inches
from tactician.rules.core.shapes import Polygon, length
from tactician.rules.core.terrain import GROUND, Feature, TraitValue
from tactician.rules.wh40k2e.scope import refused_terrain

__all__ = ["KINDS", "FeatureForm", "OutlineForm", "feature_data", "read_feature"]

SLIVER: Inches = 2.0**-16
"""Thickness of a wall that is drawn as a line: no tape measure tells it from none."""

MAN_HIGH: Inches = 1.2
"""Higher than this a wall, hedge or gate hides whoever stands behind it."""

Some = Annotated[float, Bound(least=0, most=1000)]
Value = float | bool | str


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineForm:
    """An outline: corners in order, the rectangle [x0, y0, x1, y1], or the line [x0, y0, x1, y1] of some thickness."""

    polygon: tuple[tuple[float, float], ...] | None = None
    rect: tuple[float, float, float, float] | None = None
    line: tuple[float, float, float, float] | None = None
    thickness: Annotated[float, Bound(least=0, most=100)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureForm:
    """A piece of terrain; what is left out is as usual for its kind."""

    id: str
    shape: OutlineForm
    kind: str = ""
    """wood, wall, hedge, hill, ruin, marsh, swamp, rock, building, gate, ditch, or any other word."""
    impassable: bool | None = None
    height: Annotated[float, Bound(above=0, most=1000)] | Literal["none"] | None = None
    """Inches to its top; none for as high as can be."""
    rate: Annotated[float, Bound(least=1, most=100)] | None = None
    """Inches paid for an inch: 2 for difficult ground, 4 for very difficult."""
    agreed: Annotated[float, Bound(least=1, most=100)] | Literal["none"] | None = None
    """The same, where the players have agreed on something else than is usual for such a piece."""
    obstacle: bool | None = None
    """Whether it is crossed at its height."""
    ditch: Some | None = None
    """Depth in inches of a ditch."""
    gate: Literal["open", "shut", "none"] | None = None
    cover: Literal["soft", "hard", "none"] | None = None
    conceals: bool | None = None
    wood: bool | None = None
    hill: bool | None = None
    rise: Some | None = None
    """Inches that eyes and fighters stand higher on it."""
    screens: bool | None = None
    """Whether it hides what is behind, though one may walk there."""
    veil: Some | Literal["none"] | None = None
    """Inches that one sees through it."""
    traits: dict[str, Value] = field(default_factory=dict)


# ---- what kinds mean -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What a piece is for the rules; the values of the fields that mean nothing are the defaults."""

    impassable: bool = False
    height: Inches = inf
    rate: float = 1.0
    agreed: float | None = None
    obstacle: bool = False
    ditch: Inches = 0.0
    gate: str = "none"
    cover: str = "none"
    conceals: bool = False
    wood: bool = False
    hill: bool = False
    rise: Inches = 0.0
    screens: bool = False
    veil: Inches | None = None


def _wall(height: Inches) -> Meaning:
    screens = height > MAN_HIGH + TOL
    return Meaning(height=height, obstacle=True, cover="hard", conceals=True, screens=screens)


def _hedge(height: Inches) -> Meaning:
    screens = height > MAN_HIGH + TOL
    return Meaning(height=height, obstacle=True, cover="soft", conceals=True, screens=screens)


def _solid(height: Inches) -> Meaning:
    return Meaning(height=height, impassable=True, cover="hard", conceals=True)


KINDS: Mapping[str, tuple[Inches, Callable[[Inches], Meaning]]] = {
    "wood": (inf, lambda height: Meaning(height=height, wood=True, cover="soft", conceals=True, veil=2.0)),
    "wall": (1.5, _wall),
    "hedge": (1.0, _hedge),
    "hill": (2.0, lambda height: Meaning(height=height, hill=True, rise=height, screens=True)),
    "ruin": (inf, lambda height: Meaning(height=height, cover="hard", conceals=True)),
    "marsh": (inf, lambda height: Meaning(height=height, rate=2.0)),
    "swamp": (inf, lambda height: Meaning(height=height, rate=4.0)),
    "rock": (inf, _solid),
    "building": (inf, _solid),
    "gate": (2.0, lambda height: Meaning(height=height, obstacle=True, gate="open")),
    "ditch": (inf, lambda height: Meaning(height=height, ditch=1.5)),
}
"""What each kind means: its usual height, and the rest as it follows from the height."""

MEANINGS = tuple(one.name for one in fields(Meaning))
TRAITS = ("agreed", "conceals", "cover", "ditch", "gate", "hill", "obstacle", "rate", "rise", "wood")
"""Meanings that become traits; the others are fields of a piece of terrain."""

NOTHING = Meaning()


def _usual(kind: str, height: Inches | None, gate: str | None) -> Meaning:
    """What a piece of a kind means where its file does not say otherwise; a shut gate is a wall."""
    if kind not in KINDS:
        return Meaning(height=inf if height is None else height)
    standard, means = KINDS[kind]
    high = standard if height is None else height
    if kind == "gate" and gate == "shut":
        wall = _wall(high)
        return Meaning(**{name: getattr(wall, name) for name in MEANINGS if name != "gate"}, gate="shut")
    return means(high)


# ---- reading ---------------------------------------------------------------------------------------------------------


def read_feature(form: FeatureForm, where: str, faults: Faults) -> Feature | None:
    """The piece that a form stands for, faults noted; None where it has no outline."""
    check_id(form.id, f"{where}.id", faults)
    if form.id == GROUND:
        faults.add(f"{where}.id", f"the name {GROUND!r} is taken by the table itself", "another id")
    refused = refused_terrain(form.kind)
    if refused:
        faults.add(f"{where}.kind", refused)
    outline = _outline(form.shape, f"{where}.shape", faults)
    if outline is None:
        return None
    meaning = _meaning(form)
    return Feature(
        id=form.id,
        outline=outline,
        kind=form.kind,
        blocks=meaning.impassable,
        top=meaning.height,
        screens=meaning.screens,
        veil=meaning.veil,
        traits=_traits(meaning, form.traits),
    )


def _meaning(form: FeatureForm) -> Meaning:
    height = inf if form.height == "none" else form.height
    assert not isinstance(height, str)
    usual = _usual(form.kind, height, form.gate)
    values: dict[str, Any] = {"height": usual.height}
    for name in MEANINGS:
        given = getattr(form, name)
        if name != "height":
            values[name] = getattr(usual, name) if given is None else given
    values |= {name: None for name in ("veil", "agreed") if values[name] == "none"}
    return Meaning(**values)


def _traits(meaning: Meaning, more: Mapping[str, Value]) -> tuple[tuple[str, TraitValue], ...]:
    named: dict[str, TraitValue] = {
        name: getattr(meaning, name) for name in TRAITS if getattr(meaning, name) != getattr(NOTHING, name)
    }
    return tuple(sorted({**named, **more}.items()))


def _outline(shape: OutlineForm, where: str, faults: Faults) -> Polygon | None:
    if faults.within(f"{where}."):
        return None
    ways = [name for name in ("polygon", "rect", "line") if getattr(shape, name) is not None]
    if len(ways) != 1:
        faults.add(where, "an outline given twice" if ways else "no outline", "either polygon, rect or line")
        return None
    if shape.line is None:
        if shape.thickness is not None:
            faults.add(f"{where}.thickness", "a thickness without a line", "it beside a line only")
        return polygon_of(ShapeForm(polygon=shape.polygon, rect=shape.rect), where, faults)
    x0, y0, x1, y1 = shape.line
    far = length(x1 - x0, y1 - y0)
    if not 0.0 < far < 1e6:
        faults.add(f"{where}.line", "a line without a length", "[x0, y0, x1, y1] with two different ends")
        return None
    half = (shape.thickness or SLIVER) / 2 / far
    dx, dy = (y0 - y1) * half, (x1 - x0) * half
    corners = ((x0 - dx, y0 - dy), (x1 - dx, y1 - dy), (x1 + dx, y1 + dy), (x0 + dx, y0 + dy))
    return polygon_of(ShapeForm(polygon=corners), f"{where}.line", faults)


# ---- writing ---------------------------------------------------------------------------------------------------------


def feature_data(feature: Feature) -> dict[str, Any]:
    """A piece as data that `read_feature` reads back equal: what differs from the usual of its kind."""
    data: dict[str, Any] = {"id": feature.id, "shape": {"polygon": encode(feature.outline.points)}}
    if feature.kind:
        data["kind"] = feature.kind
    if feature.top != inf:
        data["height"] = feature.top
    elif KINDS.get(feature.kind, (inf,))[0] != inf:
        data["height"] = "none"
    traits = dict(feature.traits)
    found: dict[str, Any] = {
        "impassable": feature.blocks,
        "screens": feature.screens,
        "veil": feature.veil,
    }
    more = {name: value for name, value in traits.items() if name not in TRAITS or value == getattr(NOTHING, name)}
    found |= {name: traits.get(name, getattr(NOTHING, name)) for name in TRAITS if name not in more}
    plain, usual = (_usual(feature.kind, feature.top, gate) for gate in (None, found.get("gate")))
    for name, value in found.items():
        if value != getattr(plain if name == "gate" else usual, name):
            data[name] = "none" if value is None else value
    return {**data, "traits": more} if more else data
