"""Shortest ways over several surfaces joined by climbs and drops.

A base changes surfaces where it touches or overlaps the border of the higher one. The places where it may do so form
*rims* about each raised surface: at the base's radius outside the outline and, where one can stand below the surface,
also on the outline and at the radius within. Rims are tried at the ends of their pieces, at the feet of start and goal,
where the straight line crosses, and every half inch; then the places of the best way are moved along their rims until
it grows no shorter. Ways are exact within the family of the best half-inch way.

On a ramp the way is the shortest as seen from above, which is the cheapest wherever no base stands in the way there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from math import inf, sqrt
from typing import NamedTuple

from tactician.rules.core.legs import Climb, Drop, Leg, Pose, Rates, cost, walk
from tactician.rules.core.measure import TOL, Inches
from tactician.rules.core.shapes import Box, Point, Polygon, clamp, length
from tactician.rules.core.terrain import Board, Surface
from tactician.rules.paths.inner import NOISE
from tactician.rules.paths.rims import Rim, rims_of
from tactician.rules.paths.scene import Disc, Local, Scene, Way, limit_of, whole_local
from tactician.rules.paths.search import shortest

__all__ = ["shortest_over"]

ROUNDS = 12
"""How often at most every place of a way is moved along its rim."""

GAIN: Inches = 1e-5
"""A round that shortens a way by less is the last."""

SPARE: Inches = 0.5
"""How much a way may be over the budget before its gates are moved to the best places."""

GOLDEN = (sqrt(5.0) - 1.0) / 2.0


class Gate(NamedTuple):
    """A place on a rim, and the surface before and after it."""

    rim: int
    along: Inches
    """Inches along the rim."""
    at: Point
    left: str
    entered: str


Chain = tuple[Gate, ...]


@dataclass(slots=True)
class _Step:
    """The way so far to a gate (None at the goal), and whether its last leg has been measured."""

    cost: Inches
    gates: Chain
    gate: Gate | None
    measured: bool


@dataclass(slots=True)
class _Crossing:
    """One question: the facts, and the scenes and rims they need."""

    board: Board
    radius: Inches
    start: Pose
    goal: Pose
    rates: Rates
    scenes: dict[str, Scene]
    limit: Inches
    rims: list[Rim] = field(default_factory=list)
    gates: dict[str, list[Gate]] = field(default_factory=dict)
    """Gates by the surface they leave."""

    def height(self, surface: str, at: Point) -> Inches:
        return self.board.surface(surface).height_at(*at)

    def rise_cost(self, gate: Gate) -> Inches:
        """What the climb or drop of a gate costs."""
        return self.priced(self.height(gate.entered, gate.at) - self.height(gate.left, gate.at))

    def priced(self, rise: Inches) -> Inches:
        return rise * self.rates.up if rise >= 0.0 else -rise * self.rates.down

    def least(self, surface: str, at: Point, other: str, to: Point) -> Inches:
        """A cost that no way between two places can go below: straight, the height along with it."""
        rise = self.priced(self.height(other, to) - self.height(surface, at))
        return length(to[0] - at[0], to[1] - at[1], rise)

    def leg(self, surface: str, at: Point, to: Point, limit: Inches, *, resting: bool) -> Way | None:
        """The shortest way on one surface, at its real cost there."""
        way = shortest(self.scenes[surface], at, to, limit, resting=resting)
        if way is None or self.board.surface(surface).foot is None:
            return way
        return replace(way, cost=cost(walk(Pose(*at, surface), way.legs, self.board), self.rates))

    def total(self, chain: Chain, limit: Inches) -> Inches:
        """Cost of the way through gates, infinite where a leg is closed or the limit is passed."""
        spent, surface, at = 0.0, self.start.surface, self.start.point
        for gate in chain:
            way = self.leg(surface, at, gate.at, limit - spent, resting=False)
            if way is None:
                return inf
            spent += way.cost + self.rise_cost(gate)
            surface, at = gate.entered, gate.at
            if spent + self.least(surface, at, self.goal.surface, self.goal.point) > limit:
                return inf
        way = self.leg(surface, at, self.goal.point, limit - spent, resting=True)
        return inf if way is None else spent + way.cost


def shortest_over(
    board: Board,
    radius: Inches,
    start: Pose,
    goal: Pose,
    budget: Inches,
    rates: Rates,
    discs_by_surface: Mapping[str, Sequence[Disc]] | None = None,
    closed: tuple[Polygon, ...] = (),
) -> Way | None:
    """The shortest way of a base from a pose to a place on the same or another surface.

    Args:
        board: the table.
        radius: the base's radius.
        start: where the base stands.
        goal: where it is to come to rest, completely on that surface.
        budget: inches that may be spent, finite; climbs and drops count by the rates.
        rates: what an inch costs upward and downward.
        discs_by_surface: bases and zones in the way, by the id of the surface they bar. A base that stands beside a
            raised floor bars that floor too: whoever hangs over its border would be above it.
        closed: outlines that may not be overlapped on any surface.

    Returns:
        The way with its climbs and drops, or None where none is within the budget.

    Raises:
        KeyError: a pose names a surface that does not exist.
    """
    discs = discs_by_surface or {}
    for name in (start.surface, goal.surface):
        board.surface(name)
    scenes = {
        surface.id: Scene(
            board=board, surface=surface.id, radius=radius, discs=tuple(discs.get(surface.id, ())), closed=closed
        )
        for surface in board.surfaces
    }
    crossing = _Crossing(board, radius, start, goal, rates, scenes, limit_of(budget))
    if start.surface == goal.surface:
        direct = crossing.leg(start.surface, start.point, goal.point, budget, resting=True)
        if direct is not None and direct.cost <= crossing.least(*_ends(crossing)) + NOISE:
            return _way(crossing, (), budget)
    chain = _best_chain(crossing, budget)
    return None if chain is None else _way(crossing, _refined(crossing, chain), budget)


def _ends(crossing: _Crossing) -> tuple[str, Point, str, Point]:
    start, goal = crossing.start, crossing.goal
    return start.surface, start.point, goal.surface, goal.point


def _lay_gates(crossing: _Crossing, total: Inches) -> None:
    """Set out the gates that a way of at most this length can pass."""
    board, start, goal = crossing.board, crossing.start, crossing.goal
    locals_: dict[str, Local] = {}

    def may_pass(surface: str, at: Point) -> bool:
        if surface not in locals_:
            locals_[surface] = whole_local(crossing.scenes[surface])
        return locals_[surface].may_stand(*at, whole=False)

    for upper in board.surfaces:
        if upper.polygon is None or _box_detour(upper.polygon.box, start, goal) > total + 4 * crossing.radius:
            continue
        for rim in rims_of(upper, crossing.radius):
            number = len(crossing.rims)
            crossing.rims.append(rim)
            for along in rim.places(start.point, goal.point):
                at = rim.at(along)
                away = length(at[0] - start.x, at[1] - start.y) + length(at[0] - goal.x, at[1] - goal.y)
                if away <= total and may_pass(upper.id, at):
                    for lower in board.surfaces:
                        if _may_join(upper, lower, at) and may_pass(lower.id, at):
                            _add(crossing, Gate(number, along, at, lower.id, upper.id))
                            _add(crossing, Gate(number, along, at, upper.id, lower.id))


def _box_detour(box: Box, start: Pose, goal: Pose) -> Inches:
    """A length that no way from start to goal by way of a box can go below."""
    return sum(
        length(pose.x - clamp(pose.x, box[0], box[2]), pose.y - clamp(pose.y, box[1], box[3])) for pose in (start, goal)
    )


def _may_join(upper: Surface, lower: Surface, at: Point) -> bool:
    """Whether one surface is another one and no lower at a place, so that its border is the one that counts."""
    return upper.id != lower.id and upper.height_at(*at) >= lower.height_at(*at) - TOL


def _add(crossing: _Crossing, gate: Gate) -> None:
    crossing.gates.setdefault(gate.left, []).append(gate)


def _best_chain(crossing: _Crossing, budget: Inches) -> Chain | None:
    """The gates of the cheapest way among those set out; () for a way on one surface."""
    # A way just over the budget may fit once its gates have been moved along their rims.
    crossing.limit = limit_of(budget) + SPARE
    _lay_gates(crossing, crossing.limit)
    return _ChainSearch(crossing).run()


@dataclass(slots=True)
class _ChainSearch:
    """A search through the gates, by cost so far plus what the rest must cost at least.

    A leg is offered at the least it can cost, and measured only when its turn has come.
    """

    crossing: _Crossing
    heap: list[tuple[float, int, _Step]] = field(default_factory=list)
    count: int = 0
    done: set[tuple[str, Point]] = field(default_factory=set)
    spent: dict[Chain, Inches] = field(default_factory=dict)
    """Cost up to and with the last gate of each chain that was gone through."""

    def run(self) -> Chain | None:
        """The chain of the cheapest way, or None."""
        start = self.crossing.start
        self._expand(0.0, (), start.surface, start.point)
        while self.heap:
            _, _, step = heappop(self.heap)
            gate = step.gate
            if gate is not None and (gate.entered, gate.at) in self.done:
                continue
            if not step.measured:
                self._measure(step)
                self._offer(step)
            elif gate is None:
                return step.gates
            else:
                self.done.add((gate.entered, gate.at))
                self._expand(step.cost, (*step.gates, gate), gate.entered, gate.at)
        return None

    def _offer(self, step: _Step) -> None:
        goal = self.crossing.goal
        rest = 0.0
        if step.gate is not None:
            rest = self.crossing.least(step.gate.entered, step.gate.at, goal.surface, goal.point)
        if step.cost + rest <= self.crossing.limit:
            self.count += 1
            heappush(self.heap, (step.cost + rest, self.count, step))

    def _expand(self, spent: Inches, gates: Chain, surface: str, at: Point) -> None:
        """Offer the goal and every gate that leaves a surface."""
        crossing, goal = self.crossing, self.crossing.goal
        self.spent[gates] = spent
        if surface == goal.surface:
            least = crossing.least(surface, at, surface, goal.point)
            self._offer(_Step(spent + least, gates, None, False))
        for gate in crossing.gates.get(surface, ()):
            if (gate.entered, gate.at) not in self.done and (not gates or gate.at != gates[-1].at):
                least = crossing.least(surface, at, surface, gate.at) + crossing.rise_cost(gate)
                self._offer(_Step(spent + least, gates, gate, False))

    def _measure(self, step: _Step) -> None:
        """Replace the least cost of a step's last leg by its real cost."""
        crossing, spent = self.crossing, self.spent[step.gates]
        surface, at = crossing.start.surface, crossing.start.point
        if step.gates:
            surface, at = step.gates[-1].entered, step.gates[-1].at
        to = crossing.goal.point if step.gate is None else step.gate.at
        way = crossing.leg(surface, at, to, crossing.limit - spent, resting=step.gate is None)
        climb = 0.0 if step.gate is None else crossing.rise_cost(step.gate)
        step.measured = True
        step.cost = inf if way is None else spent + way.cost + climb


def _refined(crossing: _Crossing, chain: Chain) -> Chain:
    """Move each gate along its rim, one after the other, for as long as the way grows shorter."""
    best = crossing.total(chain, inf)
    for _ in range(ROUNDS if chain else 0):
        before = best
        for i in range(len(chain)):
            chain, best = _slide(crossing, chain, i, best)
        if best > before - GAIN:
            break
    return chain


def _slide(crossing: _Crossing, chain: Chain, i: int, best: Inches) -> tuple[Chain, Inches]:
    """The chain with one gate at the best place near its own, by golden section."""
    gate = chain[i]
    rim = crossing.rims[gate.rim]

    def moved(along: Inches) -> Chain:
        return (*chain[:i], gate._replace(along=along, at=rim.at(along)), *chain[i + 1 :])

    def value(along: Inches) -> Inches:
        return crossing.total(moved(along), best + 1.0)

    low, high = gate.along - rim.step, gate.along + rim.step
    one, other = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_one, at_other = value(one), value(other)
    while high - low > 1e-4:
        if at_one <= at_other:
            high, other, at_other = other, one, at_one
            one = high - GOLDEN * (high - low)
            at_one = value(one)
        else:
            low, one, at_one = one, other, at_other
            other = low + GOLDEN * (high - low)
            at_other = value(other)
    found, along = min((at_one, one), (at_other, other))
    return (moved(along), found) if found < best - NOISE else (chain, best)


def _way(crossing: _Crossing, chain: Chain, budget: Inches) -> Way | None:
    """The legs through the gates, or None where they cost more than the budget."""
    legs: list[Leg] = []
    points: list[Point] = [crossing.start.point]
    spent, surface, at = 0.0, crossing.start.surface, crossing.start.point
    for gate in chain:
        way = crossing.leg(surface, at, gate.at, inf, resting=False)
        if way is None:
            return None
        rise = crossing.height(gate.entered, gate.at) - crossing.height(surface, gate.at)
        legs += [*way.legs, Climb(gate.entered) if rise >= 0.0 else Drop(gate.entered)]
        points += [*way.points[1:], gate.at]
        spent += way.cost + crossing.rise_cost(gate)
        surface, at = gate.entered, gate.at
    way = crossing.leg(surface, at, crossing.goal.point, inf, resting=True)
    if way is None or spent + way.cost > limit_of(budget):
        return None
    spent += way.cost
    points += way.points[1:]
    return Way(cost=spent, legs=(*legs, *way.legs), margin=budget - spent, points=tuple(points))
