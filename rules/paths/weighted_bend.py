"""Ways over ground that costs, moved until no bend can be moved to make them cheaper.

Newton's method slides all stops of a way at once (see `weighted_chain`). Between its runs stops are dropped that are of
no use, those that came to a corner of a region are tried on the border beyond, and circles that the way has come to
touch are put in; whatever is barred or not cheaper after all is undone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import atan2, inf

from tactician.rules.core.arcs import LEFT, RIGHT
from tactician.rules.core.legs import Bend, Straight
from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import Point, point_segment_distance
from tactician.rules.paths import inner
from tactician.rules.paths.scene import Local
from tactician.rules.paths.weighted_chain import (
    HAIR,
    Chain,
    Head,
    Line,
    Stop,
    Wrap,
    apart,
    between,
    line_between,
    lines_of,
    newton,
    set_on,
    slides_of,
    sweep_of,
)
from tactician.rules.paths.weighted_goal import Ends
from tactician.rules.paths.weighted_ground import Border, Ground
from tactician.rules.paths.weighted_rims import Rims

__all__ = ["Ease"]

GAIN: Inches = 1e-10
"""A round that makes a way cheaper by less is the last."""

ROUNDS = 12
"""How often at most all stops of a way are moved."""

SLIVER: Inches = 1e-5
"""A line that crosses a border nearer to its end is not cut there."""


@dataclass(slots=True)
class Ease:
    """Makes ways cheaper on one ground among the obstacles of one question."""

    ground: Ground
    local: Local
    rims: Rims
    ends: Ends

    @property
    def slack(self) -> Inches:
        """How far a line may reach into a circle of walls or bases."""
        return self.local.shared.slack

    # ---- what a chain is ---------------------------------------------------------------------------------------------

    def legs(self, chain: Chain) -> tuple[Straight | Bend, ...] | None:
        """The legs of a chain; None where it cannot be walked."""
        lines = lines_of(chain, self.slack)
        return None if lines is None else _legs(chain, lines)

    def price(self, chain: Chain) -> Inches:
        """What a chain costs, infinite where something bars it."""
        lines = lines_of(chain, self.slack)
        legs = None if lines is None else _legs(chain, lines)
        if lines is None or legs is None:
            return inf
        if not all(line.size <= inner.NOISE or self.local.free(*line.tail, *line.head) for line in lines):
            return inf
        for i in range(1, len(lines)):
            item = chain[i]
            if isinstance(item, Wrap) and item.radius > 0.0 and not self._is_open(item, lines[i - 1], lines[i]):
                return inf
        last = chain[-1]
        moves = isinstance(last, Head) or (isinstance(last, Stop) and last.border is not None)
        if moves and lines and not self.ends.allow(*lines[-1].head):
            return inf
        return self.ground.way(lines[0].tail, legs) if lines else 0.0

    def _is_open(self, wrap: Wrap, before: Line, after: Line) -> bool:
        """Whether nothing bars an arc."""
        first = atan2(before.head[1] - wrap.y, before.head[0] - wrap.x)
        swept = sweep_of(wrap, before, after)
        run = inner.free_run(self.rims.blocked[wrap.circle], first, wrap.turn)
        return swept <= max(run, 0.0) + 1e-7

    # ---- making it cheaper -------------------------------------------------------------------------------------------

    def ease(self, chain: Chain) -> tuple[Inches, Chain]:
        """The cheapest chain found from one, and its price."""
        best = self.price(chain)
        for _ in range(ROUNDS):
            best, chain = self._shortened(best, self._cut(chain)[0])
            start, rates = self._cut(self._at_corners(chain))
            trial = self._released(newton(start, rates, self.slack))
            cost = self.price(trial)
            if cost > best + GAIN:
                cost, trial = self._mended(best, start, rates, trial)
            if cost > best - GAIN:
                cost, trial = self._one_by_one(best, start, rates)
            if cost > best - GAIN:
                break
            best, chain = cost, trial
        return best, chain

    def once(self, chain: Chain) -> tuple[Inches, Chain]:
        """A chain with its stops moved once, and its price: quick, and seldom much dearer than what `ease` finds."""
        best, chain = self._shortened(self.price(chain), self._cut(chain)[0])
        trial = self._released(newton(*self._cut(chain), self.slack))
        cost = self.price(trial)
        return (cost, trial) if cost < best else (best, chain)

    def _one_by_one(self, best: Inches, start: Chain, rates: list[float]) -> tuple[Inches, Chain]:
        """The best of what comes of sliding a single stop, or of setting those near a corner on the border beyond.

        One stop may be held by what its lines would cross, while others are free.
        """
        found = (best, start)
        hopped, again = self._cut(self._at_corners(start, 5e-3))
        trial = self._released(newton(hopped, again, self.slack))
        cost = self.price(trial)
        if cost < best:
            found = (cost, trial)
        for i in slides_of(start) if len(slides_of(start)) > 1 else []:
            trial = self._released(newton(start, rates, self.slack, (i,)))
            cost = self.price(trial)
            if cost < found[0]:
                found = (cost, trial)
        return found

    def _shortened(self, cost: Inches, chain: Chain) -> tuple[Inches, Chain]:
        """Stops dropped that are of no use, and those on circles turned to wraps."""
        i = 1
        while i < len(chain) - 1:
            item = chain[i]
            if isinstance(item, Stop):
                trials = [[*chain[:i], *chain[i + 1 :]]]
                if item.circle >= 0:
                    trials += [[*chain[:i], self._wrap(item.circle, turn), *chain[i + 1 :]] for turn in (1, -1)]
                    trials += [[*chain[:i], stop, *chain[i + 1 :]] for stop in self._off_circle(item)]
                released = [self._released(trial) for trial in trials] if self._may(chain, i) else []
                least, k = min(((self.price(trial), k) for k, trial in enumerate(released)), default=(inf, 0))
                # a stop on a circle may owe a little to the slack that is left about walls
                if least < inf and least <= cost + (1e-6 if item.circle >= 0 else 1e-12):
                    chain, cost = released[k], least
                    i = max(1, i - 1)
                    continue
            i += 1
        return cost, chain

    def _off_circle(self, stop: Stop) -> Iterator[Stop]:
        """A stop on a circle moved off it along the borders that it lies on."""
        x, y = stop.at
        for border in self.ground.borders:
            along = (x - border.x) * border.ux + (y - border.y) * border.uy
            if 0.0 <= along <= border.size and abs((y - border.y) * border.ux - (x - border.x) * border.uy) < 1e-6:
                for off in (1e-3, -1e-3):
                    if 0.0 <= along + off <= border.size:
                        yield Stop(border.at(along + off), border)

    def _may(self, chain: Chain, i: int) -> bool:
        """Whether a stop is worth a trial without it: regions alone do not make the straight way dearer."""
        one, other = line_between(chain[i - 1], chain[i], 1e-4), line_between(chain[i], chain[i + 1], 1e-4)
        if one is None or other is None or isinstance(chain[i - 1], Wrap) or isinstance(chain[i + 1], Wrap):
            return True
        if chain[i].circle >= 0:  # type: ignore[union-attr]
            return True
        now = self.ground.straight(one.tail, one.head) + self.ground.straight(other.tail, other.head)
        return self.ground.straight(one.tail, other.head) <= now + 1e-9

    def _wrap(self, circle: int, turn: int) -> Wrap:
        return Wrap(*self.rims.circles[circle], turn, circle)

    def _released(self, chain: Chain) -> Chain:
        """Wraps left out that a straight way would not touch, and stops that lie in the place of the one before."""
        i = 1
        while i < len(chain) - 1:
            before, item = chain[i - 1], chain[i]
            drop = isinstance(item, Stop) and isinstance(before, Stop) and apart(item.at, before.at) < HAIR
            if isinstance(item, Wrap):
                slack = self.slack
                one, other = line_between(before, item, slack), line_between(item, chain[i + 1], slack)
                drop = one is not None and other is not None and sweep_of(item, one, other) < -1e-7
            if drop:
                chain = [*chain[:i], *chain[i + 1 :]]
                i = max(1, i - 1)
            else:
                i += 1
        return chain

    def _at_corners(self, chain: Chain, near: Inches = 1e-6) -> Chain:
        """Stops at corners of regions set on the border along which the way grows cheapest, or fixed."""
        lines = lines_of(chain, self.slack)
        if lines is None:
            return chain
        found: Chain = [chain[0]]
        for i in range(1, len(chain)):
            item = chain[i]
            if i < len(chain) - 1 and isinstance(item, Stop) and item.circle < 0:
                corner = self._corner(item, near)
                if corner is not None:
                    item = self._off_corner(corner, lines[i - 1].tail, lines[i].head)
            found.append(item)
        return found

    def _corner(self, stop: Stop, near: Inches) -> Point | None:
        """The corner of a region, or crossing of two borders, at which a stop lies."""
        x, y = stop.at
        corners = ((border.x, border.y) for border in self.ground.borders)
        joints = (joint.at for joint in self.ground.joints)
        for each in (*corners, *joints):
            if abs(each[0] - x) < near and abs(each[1] - y) < near:
                return each
        return None

    def _off_corner(self, corner: Point, before: Point, after: Point) -> Stop:
        """A stop moved off a corner along whichever border makes the way cheapest."""
        straight = self.ground.straight
        best = straight(before, corner) + straight(corner, after) - 1e-12
        found = Stop(corner)
        for border, along in self._beside(corner):
            at = border.at(along)
            cost = straight(before, at) + straight(at, after)
            if cost < best:
                best, found = cost, Stop(at, border)
        return found

    def _beside(self, corner: Point) -> Iterator[tuple[Border, Inches]]:
        """Places a little off a corner on every border that comes to it."""
        for border in self.ground.borders:
            off = min(1e-3, border.size / 4)
            if apart((border.x, border.y), corner) < 1e-6:
                yield border, off
            if apart(border.at(border.size), corner) < 1e-6:
                yield border, border.size - off
        for number, along, at in self.ground.joints:
            if apart(at, corner) < 1e-6:
                border = self.ground.borders[number]
                yield border, max(along - 1e-3, 0.0)
                yield border, min(along + 1e-3, border.size)

    def _cut(self, chain: Chain) -> tuple[Chain, list[float]]:
        """A chain with stops wherever a line crosses a border, and the rate of each line."""
        lines = lines_of(chain, self.slack)
        if lines is None:
            return chain, [1.0] * (len(chain) - 1)
        found: Chain = [chain[0]]
        rates: list[float] = []
        for line, item in zip(lines, chain[1:], strict=True):
            (ax, ay), (bx, by) = line.tail, line.head
            rate, wide = 1.0, -1.0
            for low, high, dear, border in self.ground.pieces(line.tail, line.head):
                if border >= 0 and SLIVER < low * line.size < line.size - SLIVER:
                    found.append(set_on(self.ground.borders[border], (ax + low * (bx - ax), ay + low * (by - ay))))
                    rates.append(rate)
                    rate, wide = dear, high - low
                elif high - low > wide:
                    rate, wide = dear, high - low
            rates.append(rate)
            found.append(item)
        return found, rates

    def _mended(self, best: Inches, start: Chain, rates: list[float], trial: Chain) -> tuple[Inches, Chain]:
        """A chain that is barred, or dearer, put right: about the circle in its way, or moved only part of the way."""
        current, result, given = start, trial, rates
        for _ in range(4):
            wrapped = self._wrapped(current, rates, result)
            if wrapped is None:
                break
            current, rates = wrapped
            result = newton(current, rates, self.slack)
            released = self._released(result)
            cost = self.price(released)
            if cost < best:
                return cost, released
        moved = newton(start, given, self.slack)
        low, high, found = 0.0, 1.0, (best, start)
        for _ in range(10):
            middle = (low + high) / 2
            partly = self._released(between(start, moved, middle))
            cost = self.price(partly)
            if cost < found[0]:
                low, found = middle, (cost, partly)
            else:
                high = middle
        return found

    def _wrapped(self, start: Chain, rates: list[float], trial: Chain) -> tuple[Chain, list[float]] | None:
        """A chain with the circle put in that its result comes too near to; None where there is none."""
        lines, old = lines_of(trial, self.slack), lines_of(start, self.slack)
        if lines is None or old is None or len(lines) != len(old):
            return None
        paid = {
            number
            for number, obstacle in enumerate(self.ground.obstacles)
            if any(obstacle.crossings(line.tail, line.head) or obstacle.holds(*line.tail) for line in old)
        }
        worst: tuple[float, int, int] | None = None
        for i, line in enumerate(lines):
            near = {item.circle for item in start[i : i + 2] if isinstance(item, Wrap)}
            for k, (x, y, radius) in enumerate(self.rims.circles):
                if k in near or self.rims.owners[k] in paid:
                    continue
                depth = radius - point_segment_distance(x, y, *line.tail, *line.head)
                if depth > 1e-6 and (worst is None or depth > worst[0]):
                    worst = (depth, i, k)
        if worst is None:
            return None
        _, i, k = worst
        x, y, radius = self.rims.circles[k]
        (ax, ay), (bx, by) = old[i].tail, old[i].head
        side = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        wrap = Wrap(x, y, radius, 1 if side > 0.0 else -1, k)
        return [*start[: i + 1], wrap, *start[i + 1 :]], [*rates[:i], rates[i], rates[i], *rates[i + 1 :]]


def _legs(chain: Chain, lines: list[Line]) -> tuple[Straight | Bend, ...] | None:
    """The legs along the lines of a chain and about its circles; None where one would be turned about the wrong way."""
    legs: list[Straight | Bend] = []
    for i, line in enumerate(lines):
        item = chain[i]
        if isinstance(item, Wrap) and i > 0:
            swept = sweep_of(item, lines[i - 1], line)
            if swept < -1e-6:
                return None
            if item.radius * swept > inner.NOISE:
                legs.append(Bend((item.x, item.y), line.tail, LEFT if item.turn > 0 else RIGHT))
        if line.size > inner.NOISE:
            legs.append(Straight(line.head))
    return tuple(legs)
