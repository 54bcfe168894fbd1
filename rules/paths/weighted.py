"""Cheapest ways over ground that costs: rates of regions, fees of obstacles, walls that bar some only.

A way is looked for in three steps. The shortest way that takes no account of rates and fees costs at least its length;
where it pays nothing more, it is the answer. Otherwise what it pays is a bound, a net of places within that bound is
searched, and the bends of the way found there, and of the first one, are moved until neither grows cheaper.

Ways are exact within the family (the borders crossed, the circles gone about) of the best way of the net, whose places
along borders lie at most `STEP` inches apart. What the ground costs, it costs on the table itself: on raised surfaces
ways are those of `search` and `contact`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import NamedTuple

from tactician.rules.core.arcs import LEFT
from tactician.rules.core.going import Going, price
from tactician.rules.core.legs import Bend, Pose, Rates, walk
from tactician.rules.core.measure import TOL, Inches
from tactician.rules.core.shapes import Point, Polygon, length
from tactician.rules.core.terrain import GROUND
from tactician.rules.paths.contact import contact
from tactician.rules.paths.inner import NOISE
from tactician.rules.paths.scene import Disc, Local, Scene, Way, limit_of, local_of
from tactician.rules.paths.search import as_floats, shortest
from tactician.rules.paths.weighted_bend import Ease
from tactician.rules.paths.weighted_chain import Chain, Head, Stop, Wrap
from tactician.rules.paths.weighted_goal import Aim, End, Ends, Goal, aim_at, ends_of
from tactician.rules.paths.weighted_ground import Border, Ground, ground_of
from tactician.rules.paths.weighted_net import Net
from tactician.rules.paths.weighted_rims import Rims, rims_of

__all__ = ["easiest", "easiest_each", "reachable"]

STEP: Inches = 0.5
"""Inches between places along borders at most."""

SPARE: Inches = 0.15
"""How much dearer than the bound a way of the net may be: that much its bends may be moved to make it cheaper."""

LEVEL = Rates(up=1.0, down=0.0)


def easiest(
    scene: Scene, going: Going, start: Point, goal: Goal, budget: Inches = inf, *, step: Inches = STEP
) -> Way | None:
    """The cheapest way of a base over ground that costs.

    Args:
        scene: the base and what stands in its way; a disc about the centre of a target is left out of account.
        going: what the ground costs, and what bars it for this base.
        start: where the centre is; an obstacle that holds the base there is left without a fee.
        goal: a place for the centre; or a target's centre and the distance of the centres in contact; or an outline
            whose face is to be touched.
        budget: inches that may be paid; infinite for no limit.
        step: inches between places along borders; a smaller one takes longer and seldom finds a cheaper way.

    Returns:
        The way and what it costs by `going.price`; None where none is within the budget, or where the base would come
        to rest inside an obstacle with a fee.

    Raises:
        ValueError: an outline is the goal of a base on a raised surface.
    """
    if scene.surface != GROUND:
        if isinstance(goal, Polygon):
            raise ValueError(f"an outline can be a goal on the table itself, but not on {scene.surface!r}")
        return _level(scene, start, goal, budget)
    return _Question(scene, going, as_floats(start), goal, budget, step).answer()


def reachable(scene: Scene, going: Going, start: Point, goal: Goal, budget: Inches) -> bool:
    """Whether a goal can be reached within a budget; the arguments are those of `easiest`."""
    return easiest(scene, going, start, goal, budget) is not None


def easiest_each(
    scene: Scene, going: Going, start: Point, goals: Sequence[Point], budget: Inches = inf, *, step: Inches = STEP
) -> tuple[Way | None, ...]:
    """For each of several places what `easiest` says of it, with one search for all of them."""
    if scene.surface != GROUND:
        return tuple(_level(scene, start, goal, budget) for goal in goals)
    asked = [_Question(scene, going, as_floats(start), as_floats(goal), budget, step) for goal in goals]
    for each in asked:
        each.begin()
    _search_together([each for each in asked if each.is_open])
    return tuple(each.finish() for each in asked)


def _level(scene: Scene, start: Point, goal: Point | Disc, budget: Inches) -> Way | None:
    """The shortest way, where nothing is paid for the ground."""
    if len(goal) == 3:
        return contact(scene, start, goal, budget)
    return shortest(scene, start, goal, budget)


def _search_together(asked: Sequence[_Question]) -> None:
    """Look for better ways for questions that share all but the goal."""
    if not asked:
        return
    first, aim = asked[0], Aim(tuple(piece for each in asked for piece in aim_at(each.goal, each.scene.radius).pieces))
    bound = max(each.bound for each in asked)
    local = local_of(first.scene, first.start, first.start, 2 * bound)
    if local is None:
        return
    rims = rims_of(first.ground, local, first.start, first.start, 2 * bound)
    eases = [Ease(each.ground, local, rims, Ends(each.ground, local, each.goal)) for each in asked]
    for each, ease in zip(asked, eases, strict=True):
        each.ease_first(ease, aim)
    bests = [each.best for each in asked]
    ends = [End(piece[:2], i) for i, piece in enumerate(aim.pieces) if not isinstance(piece, Border)]
    net = Net(first.ground, local, rims, first.start, aim, ends, max(each.bound for each in asked), first.step)
    for path in net.paths():
        i = net.piece_of(path)
        asked[i].improve(eases[i], _chain_along(net, path), aim, i)
    for each, ease, best in zip(asked, eases, bests, strict=True):
        each.ease_first_fully(ease, best)


class _Around(NamedTuple):
    """What a search needs."""

    local: Local
    rims: Rims
    aim: Aim
    ends: tuple[End, ...]


@dataclass(slots=True)
class _Question:
    """One start and one goal, and the best answer so far."""

    scene: Scene
    going: Going
    start: Point
    goal: Goal
    budget: Inches
    step: Inches
    ground: Ground = field(init=False)
    best: Inches = field(init=False, default=inf)
    way: Way | None = field(init=False, default=None)
    piece: int = field(init=False, default=0)
    """The piece of the goal that the best way ends on."""
    first: Chain = field(init=False, default_factory=list)
    """The first way with its bends moved once."""
    first_piece: int = field(init=False, default=0)
    """The piece of the goal that it ends on."""
    is_open: bool = field(init=False, default=False)
    """Whether there may be a better way than the best so far."""

    def __post_init__(self) -> None:
        """Make walls of what is barred, and an obstacle of the target."""
        scene, going = self.scene, self.going
        self.ground = ground_of(going, scene.radius)
        if going.barred:
            scene = replace(scene, closed=(*scene.closed, *(outline for _, outline in going.barred)))
        if not isinstance(self.goal, Polygon) and len(self.goal) == 3:
            x, y, _ = self.goal
            others = tuple(disc for disc in scene.discs if length(disc[0] - x, disc[1] - y) > TOL)
            scene = replace(scene, discs=(*others, self.goal))
        self.scene = scene

    @property
    def bound(self) -> Inches:
        """What a way of the net may cost."""
        return min(limit_of(self.budget), self.best) + SPARE

    def answer(self) -> Way | None:
        """The cheapest way."""
        self.begin()
        if self.is_open:
            around = self.around()
            if around is not None:
                self.search(around)
        return self.finish()

    def begin(self) -> None:
        """The shortest way, if it is the cheapest or at least a way."""
        goal, limit = self.goal, limit_of(self.budget)
        if isinstance(goal, Polygon):
            self.is_open = limit >= 0.0
            return
        if len(goal) == 2 and self.ground.is_halfway(*goal):
            return
        way = _level(self.scene, self.start, goal, self.budget)
        if way is None:
            return
        end = way.points[-1]
        self.is_open = True
        if not self.ground.is_halfway(*end):
            self.offer(way)
            self.is_open = self.best > way.cost + NOISE

    def offer(self, way: Way, piece: int = 0) -> None:
        """Take note of a way if it is cheaper than the best."""
        cost = self.ground.way(self.start, way.legs)
        if cost < self.best:
            self.best, self.way, self.piece = cost, way, piece

    def around(self) -> _Around | None:
        """What stands about the ways that are of interest; None where there are none."""
        aim = aim_at(self.goal, self.scene.radius)
        middle = aim.middle()
        spread = max(_reach(piece, middle) for piece in aim.pieces)
        is_place = not isinstance(self.goal, Polygon) and len(self.goal) == 2
        local = local_of(self.scene, self.start, middle, self.bound + spread, goal_in=is_place)
        ends = () if local is None else ends_of(self.ground, local, self.goal, aim, self.start)
        if local is None or not ends or (self.way is None and not self._begin_with(ends)):
            return None
        rims = rims_of(self.ground, local, self.start, middle, self.bound + spread)
        return _Around(local, rims, aim, ends)

    def _begin_with(self, ends: Sequence[End]) -> bool:
        """Offer the shortest way to the nearest end that has one; whether there is any."""
        for end in ends:
            way = shortest(self.scene, self.start, end.at, self.budget)
            if way is not None:
                self.offer(way, end.piece)
                return True
        return False

    def search(self, around: _Around) -> None:
        """Make the first way cheaper, and look for another."""
        local, rims, aim, ends = around
        ease = Ease(self.ground, local, rims, Ends(self.ground, local, self.goal))
        self.ease_first(ease, aim)
        bound = self.best
        net = Net(self.ground, local, rims, self.start, aim, ends, self.bound, self.step)
        path = next(net.paths(), None)
        if path is not None:
            self.improve(ease, _chain_along(net, path), aim, net.piece_of(path))
        self.ease_first_fully(ease, bound)

    def ease_first(self, ease: Ease, aim: Aim) -> None:
        """Make the first way cheaper, in a hurry."""
        chain = _chain_of(self.way, ease.rims) if self.way is not None else None
        if chain is not None:
            self.first_piece = self.piece
            cost, self.first = ease.once(_ending_on(ease, chain, aim.pieces[self.piece]))
            self.take(ease, cost, self.first, self.piece)

    def ease_first_fully(self, ease: Ease, before: Inches) -> None:
        """Make the first way as cheap as it can be, where it was not much dearer than the best."""
        if self.first and before < self.best + SPARE:
            self.take(ease, *ease.ease(self.first), self.first_piece)

    def improve(self, ease: Ease, chain: Chain, aim: Aim, piece: int) -> None:
        """Make a way as cheap as it can be and take note of it."""
        self.take(ease, *ease.ease(_ending_on(ease, chain, aim.pieces[piece])), piece)

    def take(self, ease: Ease, cost: Inches, chain: Chain, piece: int) -> None:
        """Take note of a chain if it is cheaper than the best."""
        legs = ease.legs(chain)
        if cost < self.best and legs is not None:
            points = (self.start, *(leg.to for leg in legs))
            way = Way(cost=cost, legs=legs, margin=self.budget - cost, points=points)
            self.best, self.way, self.piece = cost, way, piece

    def finish(self) -> Way | None:
        """The best way with its cost as a referee finds it, if it is within the budget."""
        if self.way is None:
            return None
        pose = Pose(*self.start, self.scene.surface)
        cost = price(self.going, walk(pose, self.way.legs, self.scene.board), LEVEL, self.scene.radius)
        if cost > limit_of(self.budget):
            return None
        if abs(cost - self.way.cost) <= NOISE:
            return self.way
        return replace(self.way, cost=cost, margin=self.budget - cost)


def _reach(piece: Disc | Border, middle: Point) -> Inches:
    """How far a piece of a goal is from a place at most."""
    if isinstance(piece, Border):
        ends = (piece.at(0.0), piece.at(piece.size))
        return max(length(x - middle[0], y - middle[1]) for x, y in ends)
    return length(piece[0] - middle[0], piece[1] - middle[1]) + piece[2]


def _chain_of(way: Way, rims: Rims) -> Chain | None:
    """A way as a chain; None where it goes about a circle that is not among those in reach."""
    chain: Chain = [Stop(way.points[0])]
    for leg in way.legs:
        if isinstance(leg, Bend):
            (x, y), turn = leg.centre, 1 if leg.turn == LEFT else -1
            around = length(leg.to[0] - x, leg.to[1] - y)
            near = [k for k, (cx, cy, r) in enumerate(rims.circles) if length(cx - x, cy - y) + abs(r - around) < TOL]
            if not near:
                return None
            chain.append(Wrap(*rims.circles[near[0]], turn, near[0]))
    return [*chain, Stop(way.points[-1])]


def _chain_along(net: Net, path: Sequence[tuple[int, int]]) -> Chain:
    """A way of a net as a chain: stops at its places, and one wrap for all neighbouring arcs of a circle."""
    chain: Chain = []
    for number, turn in path:
        node = net.nodes[number]
        border = net.ground.borders[node.border] if node.border >= 0 else None
        if turn:
            wrap = Wrap(*net.rims.circles[node.circle], turn, node.circle)
            if len(chain) > 1 and chain[-2] == wrap:
                chain.pop()
            else:
                chain.append(wrap)
        chain.append(Stop(node.at, border, node.circle))
    return chain


def _ending_on(ease: Ease, chain: Chain, piece: Disc | Border) -> Chain:
    """A chain whose end may slide along its piece of the goal, or meets it head on where that is no dearer."""
    last = chain[-1]
    if isinstance(piece, Border):
        return [*chain[:-1], Stop(last.at, piece)] if isinstance(last, Stop) else chain
    if piece[2] == 0.0:
        return chain
    headed: Chain = [*chain[:-1], Head(*piece)]
    return headed if ease.price(headed) <= ease.price(chain) + NOISE else chain
