"""What the ground costs: inches paid for each inch of difficult ground, and fees for crossing an obstacle.

Rates are paid by the way of the base's centre inside a piece (or, where a game says so, by the part of the way on
which the base overlaps it); of pieces that overlap each other the dearest counts. A fee is paid once for every
stretch of a way on which the base overlaps the obstacle, when the base enters it, and nothing may come to rest
inside it.

A `Bill` tells what a way costs up to any of its places, and how far a budget reaches. Places on a way are told as the
number of the stretch plus the fraction of it. All of this lies on the table itself: whoever walks on a raised floor
above it pays nothing of it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from tactician.rules.core.barriers import WallBarrier, apart, begins_in, box_of, kept, not_inside, wall_intervals
from tactician.rules.core.clauses import Cite
from tactician.rules.core.legs import Pose, Rates, Stretch, cost
from tactician.rules.core.measure import GRID, TOL, Inches, overlaps, within
from tactician.rules.core.shapes import Box, Interval, Point, Polygon, contains, length, merge, polygon_distance
from tactician.rules.core.terrain import GROUND

__all__ = [
    "Bill",
    "Fee",
    "Going",
    "Region",
    "Span",
    "allows",
    "barred_walls",
    "bill_of",
    "boxes_of",
    "entered",
    "place_at",
    "price",
    "sealed",
    "spans_over",
]

HAIR = 1e-9

BORDER: Inches = GRID
"""How deep inside a region a centre pays its rate: a way along the border stays outside, even where it was rounded."""

SEAM: Inches = 4 * BORDER
"""How far a seam reaches into the two regions that it lies between."""

BESIDE: Inches = 10 * TOL
"""How far from a shared border it is looked on which side of it a region lies."""

UNCITED = Cite("")

Span = tuple[float, float]
"""Two places on a way: number of the stretch plus fraction."""

Stretches = tuple[Stretch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A piece of ground that is slow to cross."""

    name: str
    outline: Polygon
    rate: float
    """Inches paid for an inch of way inside; more than 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fee:
    """An obstacle that costs something to cross."""

    name: str
    outline: Polygon
    inches: Inches
    """Paid on top of the distance, once for each crossing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Going:
    """The ground as one unit finds it under one move type."""

    regions: tuple[Region, ...] = ()
    fees: tuple[Fee, ...] = ()
    barred: tuple[tuple[str, Polygon], ...] = ()
    """Name and outline of pieces that are walls for this unit, though not for everybody."""
    by_base: bool = False
    """Whether rates are paid wherever the base overlaps a region; otherwise by its centre."""
    halfway: Cite = UNCITED
    """The clause that forbids to come to rest inside an obstacle with a fee."""


@dataclass(frozen=True, slots=True)
class Bill:
    """What a way costs up to each of its places."""

    marks: tuple[float, ...]
    """Places at which the price of an inch changes or a fee is due: from 0 to the number of stretches."""
    sums: tuple[Inches, ...]
    """Inches paid on arriving at each mark."""
    fees: tuple[Inches, ...]
    """Inches due at each mark from whoever goes on."""
    shut: tuple[Span, ...]
    """Places between which nothing may come to rest: from where a base touches an obstacle to where it is past it."""

    @property
    def total(self) -> Inches:
        """Inches paid for the whole way."""
        return self.sums[-1]

    def inches_at(self, place: float) -> Inches:
        """Inches paid on arriving at a place: a fee that is due there is not paid yet."""
        number = bisect_left(self.marks, place)
        if number == 0:
            return 0.0
        if number == len(self.marks):
            return self.total
        low, high = self.marks[number - 1], self.marks[number]
        first, last = self.sums[number - 1] + self.fees[number - 1], self.sums[number]
        return first + (last - first) * (place - low) / (high - low)

    def reach(self, inches: Inches) -> float:
        """The farthest place up to which so many inches pay, though nothing might come to rest there."""
        for number in range(1, len(self.marks)):
            low, high = self.marks[number - 1], self.marks[number]
            first, last = self.sums[number - 1] + self.fees[number - 1], self.sums[number]
            if first > inches + HAIR:
                return low
            if last > inches + HAIR:
                return low + (high - low) * max(inches - first, 0.0) / (last - first)
        return self.marks[-1]

    def rest(self, place: float) -> float:
        """The last place up to here that is not inside an obstacle with a fee."""
        moved = True
        while moved:
            moved = False
            for low, high in self.shut:
                if low + HAIR < place < high - HAIR:
                    place, moved = low, True
        return max(place, 0.0)

    def place_at(self, inches: Inches) -> float:
        """Where a budget ends: what cannot be paid for, or not left again, is not entered but halted in front of."""
        return self.rest(self.reach(inches))


def price(going: Going | None, stretches: Stretches, rates: Rates, radius: Inches, upto: float | None = None) -> Inches:
    """Inches paid for stretches walked, or for the part of them up to a place.

    Args:
        going: what the ground costs; None where it costs nothing.
        stretches: the way.
        rates: what an inch costs upward and downward.
        radius: of the base.
        upto: number of a stretch plus a fraction of it; None for the whole way.
    """
    if going is None and upto is None:
        return cost(stretches, rates)
    bill = _priced(going, stretches, rates, radius)
    return bill.total if upto is None else bill.inches_at(upto)


def place_at(going: Going | None, stretches: Stretches, rates: Rates, radius: Inches, inches: Inches) -> float:
    """The farthest place of a way that a budget pays for and at which a base may rest; see `Bill.place_at`."""
    return bill_of(going, stretches, rates, radius).place_at(inches)


def bill_of(going: Going | None, stretches: Stretches, rates: Rates, radius: Inches) -> Bill:
    """What a way costs up to each of its places.

    Args:
        going: what the ground costs; None where it costs nothing.
        stretches: the way.
        rates: what an inch costs upward and downward.
        radius: of the base.
    """
    bill = _priced(going, stretches, rates, radius)
    if going is None:
        return bill
    return replace(bill, shut=tuple(span for fee in going.fees for span in _shut(fee, stretches, radius)))


def _priced(going: Going | None, stretches: Stretches, rates: Rates, radius: Inches) -> Bill:
    """A bill that does not say where nothing may come to rest."""
    due = _due(going, stretches, radius) if going is not None else ()
    marks, sums, fees = [0.0], [0.0], [0.0]
    for number, stretch in enumerate(stretches):
        whole, dear = stretch.cost(rates), _dear_parts(going, stretch, radius)
        here = [(place - number, inches) for place, inches in due if number <= place < number + 1]
        cuts = {0.0, 1.0, *(u for _, low, high in dear for u in (low, high)), *(u for u, _ in here)}
        for low, high in pairwise(sorted(cuts)):
            fees[-1] += sum(inches for u, inches in here if u == low)
            rate = max((r for r, a, b in dear if a <= (low + high) / 2 <= b), default=1.0)
            marks.append(number + high)
            sums.append(sums[-1] + fees[-1] + whole * (high - low) * max(rate, 1.0))
            fees.append(0.0)
    return Bill(tuple(marks), tuple(sums), tuple(fees), ())


def _dear_parts(going: Going | None, stretch: Stretch, radius: Inches) -> list[tuple[float, float, float]]:
    """The parts of a stretch inside each region: its rate, from, to."""
    if going is None or not _on_table(stretch):
        return []
    return [
        (region.rate, low, high)
        for region in going.regions
        for low, high in _inside(region.outline, stretch, radius, going.by_base)
    ]


def _inside(outline: Polygon, stretch: Stretch, radius: Inches, by_base: bool) -> tuple[Interval, ...]:
    """The parts of a stretch on which the base overlaps an outline, or its centre is inside."""
    if by_base:
        return wall_intervals(stretch, outline, radius - TOL)
    if apart(box_of(stretch), outline.box, 0.0):
        return ()
    outer = merge([(-1.0, 0.0), *not_inside(stretch, outline, BORDER), (1.0, 2.0)])
    return tuple((a[1], b[0]) for a, b in pairwise(outer))


def _on_table(stretch: Stretch) -> bool:
    return stretch.surface == stretch.left == GROUND


# ---- regions that share a border -------------------------------------------------------------------------------------


def sealed(regions: tuple[Region, ...]) -> tuple[Region, ...]:
    """Regions with a seam wherever two of them share a border, so that nobody walks free between them.

    A way along the border of a region stays outside it, and pays what lies beyond: along a border that two regions
    share, the less of the two rates. A seam is a strip of that rate over the shared part, too thin for any tape.
    """
    seams = []
    for number, a in enumerate(regions):
        for b in regions[number + 1 :]:
            for strip in _strips(a.outline, b.outline):
                seams.append(Region(name=f"{a.name} and {b.name}", outline=strip, rate=min(a.rate, b.rate)))
    return (*regions, *seams)


def _strips(a: Polygon, b: Polygon) -> Iterator[Polygon]:
    """Strips over the parts of a border that two outlines share, which lie on its two sides."""
    if apart(a.box, b.box, TOL):
        return
    for ax, ay, bx, by in a.edges:
        size = length(bx - ax, by - ay)
        if size <= TOL:
            continue
        ux, uy = (bx - ax) / size, (by - ay) / size
        for cx, cy, dx, dy in b.edges:
            rows = [((x - ax) * ux + (y - ay) * uy, (y - ay) * ux - (x - ax) * uy) for x, y in ((cx, cy), (dx, dy))]
            (first, off), (last, there) = sorted(rows)
            low, high = max(first, 0.0), min(last, size)
            if high - low <= TOL or max(abs(off), abs(there)) > TOL:
                continue
            along, across, half = (low + high) / 2, (off + there) / 2, abs(off + there) / 4 + SEAM
            x, y = ax + along * ux - across / 2 * uy, ay + along * uy + across / 2 * ux
            if _parts(a, b, (x, y), (-uy * BESIDE, ux * BESIDE)):
                far = (high - low) / 2
                ends = ((-far, -half), (far, -half), (far, half), (-far, half))
                yield Polygon(tuple((x + i * ux - j * uy, y + i * uy + j * ux) for i, j in ends))


def _parts(a: Polygon, b: Polygon, at: Point, aside: Point) -> bool:
    """Whether two outlines lie on different sides of a place on the border of both."""
    left, right = (at[0] + aside[0], at[1] + aside[1]), (at[0] - aside[0], at[1] - aside[1])
    return (contains(a, *left) and contains(b, *right)) or (contains(a, *right) and contains(b, *left))


# ---- obstacles that cost a fee ---------------------------------------------------------------------------------------


def spans_over(outline: Polygon, stretches: Stretches, radius: Inches, surface: str | None = None) -> list[Span]:
    """Places between which a disc overlaps an outline, joined across the ends of stretches.

    Args:
        outline: the piece.
        stretches: the way of the disc's centre.
        radius: of the disc.
        surface: where given, only stretches that stay on this surface count.
    """
    spans: list[Span] = []
    for number, stretch in enumerate(stretches):
        if surface is not None and not stretch.surface == stretch.left == surface:
            continue
        for low, high in wall_intervals(stretch, outline, radius):
            if spans and number + low <= spans[-1][1] + HAIR:
                spans[-1] = (spans[-1][0], number + high)
            else:
                spans.append((number + low, number + high))
    return spans


def _due(going: Going, stretches: Stretches, radius: Inches) -> tuple[Span, ...]:
    """Where fees fall due, and the inches: not for the obstacle that a way begins in."""
    found = []
    for fee in going.fees:
        spans = spans_over(fee.outline, stretches, radius - TOL, GROUND)
        if spans and spans[0][0] <= HAIR and begins_in(fee.outline, *stretches[0].start, radius):
            spans = spans[1:]
        found += [(low, fee.inches) for low, _ in spans]
    return tuple(found)


def _shut(fee: Fee, stretches: Stretches, radius: Inches) -> Iterator[Span]:
    """Places between which a base rests inside an obstacle; whoever cannot get through halts where it touches it."""
    inside = spans_over(fee.outline, stretches, radius - TOL / 2, GROUND)
    if not inside:
        return
    # a base that hugs the obstacle from the start, nearer than touching only by rounding, touches it there no earlier
    have = polygon_distance(fee.outline, *stretches[0].start)
    near = radius if overlaps(have - radius) else min(radius, have)
    touching, past = spans_over(fee.outline, stretches, near - HAIR, GROUND), 0.0
    for low, high in inside:
        front = max((a for a, _ in touching if a <= low), default=low)
        ends_inside = high >= len(stretches) - HAIR
        yield max(front, past), high + 1.0 if ends_inside else high
        past = high


def entered(going: Going | None, end: Pose, radius: Inches) -> Iterator[tuple[Fee, Inches]]:
    """The obstacles with a fee that a base overlaps where it rests, and the gap, which is negative."""
    for fee in going.fees if going is not None and end.surface == GROUND else ():
        if begins_in(fee.outline, *end.point, radius):
            yield fee, polygon_distance(fee.outline, *end.point) - radius


# ---- walls of some only ----------------------------------------------------------------------------------------------


def barred_walls(
    going: Going | None, stretch: Stretch, radius: Inches, begun: Pose | None = None
) -> Iterator[WallBarrier]:
    """The pieces that bar a stretch though they are no walls for everybody.

    Args:
        going: the ground; None where nothing is barred.
        stretch: what is walked, or a stretch of no length for a place.
        radius: of the base.
        begun: where the model stood before its move; it need not be further away than there.
    """
    if going is None or stretch.surface != GROUND:
        return
    for name, outline in going.barred:
        if apart(box_of(stretch), outline.box, radius + TOL):
            continue
        near = begun is not None and begun.surface == GROUND
        keep = kept(radius, polygon_distance(outline, *begun.point)) if begun is not None and near else radius
        yield WallBarrier(name=name, polygon=outline, radius=keep)


# ---- in short --------------------------------------------------------------------------------------------------------


def boxes_of(going: Going) -> tuple[Box, ...]:
    """The rectangles outside of which the ground costs and bars nothing, a base's radius added."""
    outlines = [region.outline for region in going.regions]
    outlines += [fee.outline for fee in going.fees]
    outlines += [outline for _, outline in going.barred]
    return tuple(outline.box for outline in outlines)


def allows(going: Going, stretches: Stretches, rates: Rates, radius: Inches, allowance: Inches, begun: Pose) -> bool:
    """Whether the ground lets a model walk a way: it is paid for, not barred, and does not end half way across.

    Args:
        going: the ground.
        stretches: the way, at least one stretch.
        rates: what an inch costs upward and downward.
        radius: of the base.
        allowance: inches that may be paid.
        begun: where the model stands before its move.
    """
    last = stretches[-1]
    end = Pose(*last.end, last.surface)
    if any(True for _ in entered(going, end, radius)):
        return False
    if any(overlaps(polygon_distance(outline, *end.point) - radius) for outline in _reached(going, end, radius)):
        return False
    if any(overlaps(wall.depth(one)) for one in stretches for wall in barred_walls(going, one, radius, begun)):
        return False
    return within(price(going, stretches, rates, radius), allowance)


def _reached(going: Going, end: Pose, radius: Inches) -> Iterator[Polygon]:
    """The barred outlines on which a base could stand."""
    box = (*end.point, *end.point)
    return (piece for _, piece in going.barred if end.surface == GROUND and not apart(box, piece.box, radius))
