"""What happens to a model on its way, as seen by others: borders, the cells between them, and stretches in sight.

A way is measured in inches along it as a tape measures it from above. Borders cut it into cells; inside a cell nothing
changes that the borders stand for, so that one look at its middle is a look at all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from tactician.rules.core.barriers import box_of
from tactician.rules.core.borders import FAR, Border, Depth, Halfway, Ray, Ring, Side
from tactician.rules.core.legs import Pose, Stretch
from tactician.rules.core.lit import sight_borders
from tactician.rules.core.measure import TOL, Degrees, Inches, within
from tactician.rules.core.shapes import Box, Point, Polygon, contains, length
from tactician.rules.core.sight import Eye
from tactician.rules.core.terrain import Board, Feature
from tactician.rules.core.unseen import Part, is_hidden_all_along
from tactician.rules.core.views import in_arc, views

__all__ = [
    "Border",
    "Depth",
    "Halfway",
    "Lift",
    "Mover",
    "Ray",
    "Ring",
    "Side",
    "Span",
    "Watch",
    "arc_borders",
    "cells",
    "cover_borders",
    "middle",
    "outline_borders",
    "place_at",
    "sight_borders",
    "spans_seen",
    "spans_where",
    "visible_spans",
]

Span = tuple[Inches, Inches]
"""From - to in inches along a way."""

SAME: Inches = 1e-9
"""Borders crossed so near together are one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mover:
    """A model on its way, for sight."""

    radius: Inches
    stature: Inches


@dataclass(frozen=True, slots=True, kw_only=True)
class Lift:
    """A piece that raises whoever's centre is on it, for sight."""

    outline: Polygon
    rise: Inches


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """A model that looks out: how far, edge to edge, and in which arc."""

    eye: Eye
    reach: Inches = float("inf")
    bearing: Degrees = 0.0
    width: Degrees = 360.0
    """Of the whole arc about the bearing, for the target's centre; 360 for all round."""


# ---- ways and cells --------------------------------------------------------------------------------------------------


def place_at(stretches: Sequence[Stretch], at: Inches) -> Point:
    """The place after so many inches of a way, its end when there are fewer."""
    stretch, u = _find(stretches, at)
    return stretch.at(u)


def middle(span: Span) -> Inches:
    """The middle of a span."""
    return (span[0] + span[1]) / 2


def _find(stretches: Sequence[Stretch], at: Inches) -> tuple[Stretch, float]:
    """The stretch walked after so many inches, and the fraction of it."""
    for stretch in stretches:
        if at <= stretch.across and stretch.across > 0.0:
            return stretch, max(at, 0.0) / stretch.across
        at -= stretch.across
    return stretches[-1], 1.0


def cells(stretches: Sequence[Stretch], borders: Iterable[Border], marks: Iterable[Inches] = ()) -> tuple[Span, ...]:
    """The parts of a way between the places at which it crosses a border.

    Args:
        stretches: the way, as `legs.walk` gives it.
        borders: that matter.
        marks: further places to cut at, in inches along the way.

    Returns:
        Spans in order that together make the whole way; none for a way without length.
    """
    ends = list(accumulate((stretch.across for stretch in stretches), initial=0.0))
    found, listed = [0.0, *marks], tuple(dict.fromkeys(borders))
    for stretch, begun in zip(stretches, ends[:-1], strict=True):
        if stretch.across > 0.0:
            found += [begun + u * stretch.across for border in listed for u in border.crossings(stretch)]
    cuts = [0.0]
    for cut in sorted(found):
        if cuts[-1] + SAME < cut < ends[-1] - SAME:
            cuts.append(cut)
    return tuple(pairwise([*cuts, ends[-1]])) if ends[-1] > 0.0 else ()


def spans_where(
    stretches: Sequence[Stretch], spans: Sequence[Span], test: Callable[[Point], bool], *, joined: bool = True
) -> tuple[Span, ...]:
    """The cells in whose middle a test holds.

    Args:
        stretches: the way.
        spans: its cells.
        test: asked about the centre's place in the middle of each.
        joined: whether neighbouring ones are told as one span.
    """
    found = tuple(span for span in spans if test(place_at(stretches, middle(span))))
    return _joined(found) if joined else found


# ---- borders ---------------------------------------------------------------------------------------------------------


def arc_borders(x: Inches, y: Inches, bearing: Degrees, width: Degrees) -> tuple[Ray, ...]:
    """The two sides of an arc; none where it is all round."""
    return tuple(Ray((x, y), bearing + side * width / 2) for side in (-1, 1)) if width < 360.0 else ()


def outline_borders(outline: Polygon) -> tuple[Side, ...]:
    """The edges of a piece, for what changes when a centre enters or leaves it."""
    return tuple(Side((ax, ay), (bx, by)) for ax, ay, bx, by in outline.edges)


def cover_borders(eye: Point, pieces: Sequence[Feature]) -> tuple[Side, ...]:
    """Where `views.covered_by` can change for a target seen from a place: edges, and lines past corners."""
    found = list[Side]()
    for piece in pieces:
        found += outline_borders(piece.outline)
        for x, y in piece.outline.points:
            far = FAR / max(length(x - eye[0], y - eye[1]), TOL)
            found.append(Side((x, y), (eye[0] + (x - eye[0]) * far, eye[1] + (y - eye[1]) * far)))
    return tuple(found)


# ---- in sight --------------------------------------------------------------------------------------------------------


def visible_spans(
    board: Board,
    eyes: Sequence[Eye],
    stretches: Sequence[Stretch],
    mover: Mover,
    blockers: Sequence[Eye] = (),
    reach: Inches = float("inf"),
    lifts: Sequence[Lift] = (),
) -> tuple[Span, ...]:
    """Where on a way at least one of some eyes sees a mover within its reach: the union of `spans_seen`."""
    watches = [Watch(eye=eye, reach=reach) for eye in eyes]
    return _joined(span for watch in watches for span in spans_seen(board, watch, stretches, mover, blockers, lifts))


def spans_seen(
    board: Board,
    watch: Watch,
    stretches: Sequence[Stretch],
    mover: Mover,
    blockers: Sequence[Eye] = (),
    lifts: Sequence[Lift] = (),
) -> tuple[Span, ...]:
    """Where on a way a watching model sees the mover within its reach and arc: `views.sees`, exactly.

    Args:
        board: with what hides.
        watch: who looks.
        stretches: the way; its stretches are level, climbs and drops have no length on it.
        mover: who is on it.
        blockers: models that hide others, without the mover.
        lifts: pieces that raise the mover while its centre is on them; the highest counts.

    Raises:
        ValueError: a stretch goes up or down a slope.
    """
    parts = [
        (span, _foot(stretches, middle(span), lifts))
        for span in cells(stretches, _limits(watch, mover, lifts), _steps(stretches))
        if _is_watched(watch, place_at(stretches, middle(span)), mover)
    ]
    found = list[Span]()
    for foot in sorted({foot for _, foot in parts}):
        spans = [span for span, other in parts if other == foot]
        found += _seen_at(board, watch.eye, stretches, (mover, foot), blockers, spans)
    return _joined(found)


def _limits(watch: Watch, mover: Mover, lifts: Sequence[Lift]) -> list[Border]:
    """The ends of a watching model's reach and arc, and of what lifts the mover."""
    eye = watch.eye
    far = watch.reach + eye.radius + mover.radius
    limits: list[Border] = [Ring((eye.x, eye.y), far)] if far < FAR else []
    limits += arc_borders(eye.x, eye.y, watch.bearing, watch.width)
    return limits + [side for lift in lifts for side in outline_borders(lift.outline)]


def _steps(stretches: Sequence[Stretch]) -> list[Inches]:
    """Where on a way the height changes."""
    ends = accumulate(stretch.across for stretch in stretches)
    return [end for end, (one, other) in zip(ends, pairwise(stretches), strict=False) if one.high != other.high]


def _foot(stretches: Sequence[Stretch], at: Inches, lifts: Sequence[Lift]) -> Inches:
    """Height on which a mover stands after so many inches."""
    stretch, u = _find(stretches, at)
    if abs(stretch.high - stretch.low) > TOL:
        raise ValueError("stretches in sight are worked out on level ways only")
    place = stretch.at(u)
    return stretch.low + max((lift.rise for lift in lifts if contains(lift.outline, *place)), default=0.0)


def _is_watched(watch: Watch, place: Point, mover: Mover) -> bool:
    """Whether a mover is within a watching model's reach and arc."""
    eye = watch.eye
    gap = length(place[0] - eye.x, place[1] - eye.y) - eye.radius - mover.radius
    pose = Pose(eye.x, eye.y)
    return within(gap, watch.reach) and (watch.width >= 360.0 or in_arc(pose, watch.bearing, watch.width, *place))


def _seen_at(
    board: Board,
    eye: Eye,
    stretches: Sequence[Stretch],
    standing: tuple[Mover, Inches],
    blockers: Sequence[Eye],
    spans: Sequence[Span],
) -> list[Span]:
    """The parts of some spans, on all of which a mover stands at one height, in which an eye sees it."""
    mover, foot = standing
    parts = _straight_parts(stretches, spans)
    top = foot + mover.stature
    if parts and is_hidden_all_along(board, eye, mover.radius, top, blockers, parts):
        return []
    ways = [way for span in spans for way in _walked(stretches, span)]
    boxes = [box_of(way) for way in ways]
    box: Box = (
        min(one[0] for one in boxes),
        min(one[1] for one in boxes),
        max(one[2] for one in boxes),
        max(one[3] for one in boxes),
    )
    borders = sight_borders(board, eye, mover.radius, top, blockers, box)
    cuts = cells(stretches, borders, [mark for span in spans for mark in span])
    asked = [cell for cell in cuts if any(low < middle(cell) < high for low, high in spans)]
    places = [place_at(stretches, middle(cell)) for cell in asked]
    targets = [Eye(x=x, y=y, foot=foot, stature=mover.stature, radius=mover.radius) for x, y in places]
    seen = views(board, (eye,), targets, blockers)[0]
    return [cell for cell, answer in zip(asked, seen, strict=True) if answer]


def _straight_parts(stretches: Sequence[Stretch], spans: Sequence[Span]) -> list[Part]:
    """Some spans of a way as straight parts; none where the way is not straight there."""
    ends, parts = list(accumulate((stretch.across for stretch in stretches), initial=0.0)), list[Part]()
    for low, high in spans:
        for stretch, (begun, end) in zip(stretches, pairwise(ends), strict=True):
            if end <= begun or end <= low or begun >= high:
                continue
            if stretch.arc is not None:
                return []
            one, other = ((min(max(mark, begun), end) - begun) / (end - begun) for mark in (low, high))
            parts.append((stretch.at(one), stretch.at(other)))
    return parts


def _walked(stretches: Sequence[Stretch], span: Span) -> list[Stretch]:
    """The stretches on which a part of a span is walked."""
    ends = list(accumulate((stretch.across for stretch in stretches), initial=0.0))
    return [
        stretch
        for stretch, (low, high) in zip(stretches, pairwise(ends), strict=True)
        if high > low and high > span[0] and low < span[1]
    ]


def _joined(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The union of spans; a border alone does not part them."""
    found: list[Span] = []
    for low, high in sorted(spans):
        if found and low <= found[-1][1] + SAME:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return tuple(found)
