"""A proposal for a whole army's deployment: who stands where, as orders in turn, and what it gains.

Units are told apart by what they can do: *screens* (many cheap models) stand in front, *fighters* (whose blows reach
farther than a step, or who have nothing to shoot with) beside or behind them, *shooters* where they see and have
cover, *leaders* (one model) behind the middle. A few layouts of such lines are put down, the enemy's units that are
not yet on the table where the rules' own proposal puts them, and the moments after that are valued by the same
terms as any other. The best layout is then bettered by units that change places, as long as there is time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from tactician.agent.by_eye import Measure, measure_of
from tactician.agent.policies.base import Budget
from tactician.agent.value.terms import Term, Weights, terms, total
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.appraisal import Appraiser, appraiser_of
from tactician.rules.core.choice import Choice, Put
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import Inches, snap
from tactician.rules.core.placement import find_places, judge_places
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.shapes import Box, Point, length
from tactician.rules.core.state import Model, State, Unit
from tactician.rules.core.tidy import tidied

__all__ = ["Deployment", "Placed", "deployment", "is_deployment"]

LINES = ("screen", "fighter", "shooter", "leader")
"""Roles, the foremost first."""

LAYOUTS = ("centre", "left", "right", "wide", "guns in cover")
"""How lines are spread over a zone."""

LOOSE: Inches = 0.5
"""Room between neighbours in a line."""

CHEAP = 0.7
"""A screen's model costs less than this part of the army's mean."""

MANY = 5
"""Models of a screen at least."""

RINGS = 8
"""Rings about a wanted place in which room is looked for."""

DECIMALS = (2, 3)
"""Decimals of the coordinates in a proposal."""

Wanted = dict[str, Point]
"""Where the middle of each unit is to stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """One unit of a proposal."""

    unit: str
    role: str
    """One of `LINES`."""
    action: Action
    """The order, legal once the orders before it are carried out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """A whole army put down."""

    side: str
    layout: str
    placed: tuple[Placed, ...]
    """In the order in which they are put down."""
    value: float
    """Points gained over the rules' own proposal for every unit."""
    reasons: tuple[Term, ...]
    """What the value consists of, the weightiest first."""


def is_deployment(ruleset: Ruleset, state: State) -> bool:
    """Whether a side is to put units down in a zone, and nothing else."""
    if ruleset.to_move(state) in (CHANCE, TERMINAL):
        return False
    domains = [choice.domain for choice in ruleset.choices(state)]
    return bool(domains) and all(isinstance(one, Put) and one.rule.zone is not None for one in domains)


def deployment(
    ruleset: Ruleset, state: State, budget: Budget | None = None, *, seed: int = 0, weights: Weights | None = None
) -> Deployment:
    """The best deployment found for the units that the side to move has yet to put down.

    Args:
        ruleset: the game.
        state: a moment of deployment, see `is_deployment`.
        budget: how long to think; the layouts are always looked at, however little it is.
        seed: of the eye that looks where nobody may measure.
        weights: of the terms.

    Raises:
        ValueError: it is no moment of deployment.
    """
    if not is_deployment(ruleset, state):
        raise ValueError("nobody is putting units down")
    return _Proposal(ruleset, state, weights or Weights(), measure_of(ruleset, state, seed)).best(budget or Budget())


@dataclass(frozen=True, slots=True)
class _Tried:
    """A deployment carried out."""

    layout: str
    wanted: Wanted
    actions: tuple[Action, ...]
    terms: tuple[Term, ...]

    @property
    def merit(self) -> tuple[int, float]:
        """The more units have found room the better; then what it is worth."""
        return len(self.actions), round(total(self.terms), 6)


@dataclass(frozen=True, slots=True)
class _Proposal:
    """One side in one moment."""

    ruleset: Ruleset
    state: State
    weights: Weights
    measure: Measure

    @property
    def side(self) -> str:
        """Who puts down."""
        return self.ruleset.to_move(self.state)

    @property
    def appraiser(self) -> Appraiser:
        """What the game says about worth."""
        return appraiser_of(self.ruleset)

    def best(self, budget: Budget) -> Deployment:
        """The best layout, bettered while there is time."""
        usual = self.tried("as the rules propose", {})
        roles = self.roles(usual)
        found = max(
            (self.tried(layout, self.wanted(layout, roles)) for layout in LAYOUTS),
            key=lambda one: (one.merit, one.layout),
        )
        clock = budget.clock()
        for a, b in combinations(sorted(roles), 2):
            if clock.is_over():
                break
            clock.used += 1
            swapped = {**found.wanted, a: found.wanted[b], b: found.wanted[a]}
            other = self.tried(found.layout, swapped)
            found = max(found, other, key=lambda one: one.merit)
        return self.told(max(usual, found, key=lambda one: one.merit), usual, roles)

    def told(self, found: _Tried, usual: _Tried, roles: dict[str, str]) -> Deployment:
        """The answer."""
        before = {term.name: term.amount for term in usual.terms}
        gains = [replace(term, amount=term.amount - before[term.name]) for term in found.terms]
        reasons = sorted((one for one in gains if one.amount != 0.0), key=lambda one: (-abs(one.amount), one.name))
        return Deployment(
            side=self.side,
            layout=found.layout,
            placed=tuple(Placed(unit=one.unit, role=roles[one.unit], action=one) for one in found.actions),
            value=sum(term.amount for term in reasons),
            reasons=tuple(reasons),
        )

    def tried(self, layout: str, wanted: Wanted) -> _Tried:
        """Every unit put down as near as may be to where it is wanted, and what that is worth."""
        state, actions = self.state, list[Action]()
        while is_deployment(self.ruleset, state):
            choices = self.ruleset.choices(state)
            if self.ruleset.to_move(state) == self.side:
                choice = min(choices, key=lambda one: _place_in(wanted, one.unit))
                action = self.put(state, choice, wanted.get(choice.unit))
                action = tidied(action, lambda one, now=state: not self.ruleset.check(now, one), DECIMALS)  # type: ignore[misc]
            else:
                action = choices[0].canonical(state)
            if not action.places:
                break  # no room is left for it
            actions += [action] if self.ruleset.to_move(state) == self.side else []
            state = self.ruleset.apply(state, action)
        found = terms(self.ruleset, state, self.side, self.weights, self.measure)
        return _Tried(layout, wanted, tuple(actions), found)

    def put(self, state: State, choice: Choice, wanted: Point | None) -> Action:
        """One unit put down: side by side about a place if there is room for that, else as near to it as may be."""
        domain = choice.domain
        assert isinstance(domain, Put)
        if wanted is not None:
            for places in _lines(state.unit(choice.unit), domain.models, wanted):
                if not judge_places(state, choice.unit, domain.models, domain.rule, places):
                    return replace(choice.bare(), places=places)
            found = find_places(state, choice.unit, domain.models, domain.rule, wanted, rings=RINGS)
            if found:
                return replace(choice.bare(), places=found)
        return choice.canonical(state)

    # ---- who stands where --------------------------------------------------------------------------------------------

    def roles(self, usual: _Tried) -> dict[str, str]:
        """What each unit is good for, asked where the rules' own proposal puts it."""
        state = self.state
        for action in usual.actions:
            unit = state.unit(action.unit)
            poses = sorted(action.places)
            state = state.with_unit(_standing(unit, poses))
        units = [state.unit(action.unit) for action in usual.actions]
        models = sum(len(unit.models) for unit in units)
        mean = sum(self.appraiser.worth(state, unit) for unit in units) / max(models, 1)
        return {unit.id: self._role(state, unit, mean) for unit in units}

    def _role(self, state: State, unit: Unit, mean: float) -> str:
        attacks = self.appraiser.attacks(state, unit)
        shots = max((one.carry for one in attacks if one.needs_sight), default=0.0)
        blows = max((one.kind.allowance for one in attacks if one.kind and not one.needs_sight), default=0.0)
        share = self.appraiser.worth(state, unit) / max(len(unit.models), 1)
        if len(unit.models) >= MANY and share < CHEAP * mean:
            return "screen"
        if shots == 0.0 or blows > shots:
            return "fighter"
        return "leader" if len(unit.models) == 1 and shots < state.board.height / 2 else "shooter"

    def wanted(self, layout: str, roles: dict[str, str]) -> Wanted:
        """Where a layout wants each unit, those to be put down first standing first."""
        zone = self._zone()
        rows = [[name for name, role in sorted(roles.items()) if role == line] for line in LINES]
        rows = [row for row in rows if row]
        found: Wanted = {}
        for number, row in enumerate(rows):
            depth = (number + 0.5) / len(rows)
            for i, name in enumerate(row):
                found[name] = self._at(zone, _across(layout, i, len(row)), depth)
        if layout == "guns in cover":
            found |= self._sheltered([name for name in found if roles[name] == "shooter"], found, zone)
        return found

    def _zone(self) -> Box:
        for choice in self.ruleset.choices(self.state):
            if isinstance(choice.domain, Put) and choice.domain.rule.zone is not None:
                return choice.domain.rule.zone
        raise ValueError("nobody is putting units down")

    def _at(self, zone: Box, across: float, depth: float) -> Point:
        """A place in a zone: parts of its breadth from the left, and of its depth from the middle of the table."""
        x0, y0, x1, y1 = zone
        is_low = (y0 + y1) / 2 < self.state.board.height / 2
        y = y1 - depth * (y1 - y0) if is_low else y0 + depth * (y1 - y0)
        return x0 + across * (x1 - x0), y

    def _sheltered(self, names: list[str], wanted: Wanted, zone: Box) -> Wanted:
        """Shooters at the shelters of the zone that are nearest to their places, one at each."""
        x0, y0, x1, y1 = zone
        found: Wanted = {}
        for name in names:
            here = wanted[name]
            left = [
                (round(length(goal.x - here[0], goal.y - here[1]), 6), goal.x, goal.y)
                for goal in self.appraiser.shelters(self.state, self.state.unit(name))
                if x0 <= goal.x <= x1 and y0 <= goal.y <= y1 and (goal.x, goal.y) not in found.values()
            ]
            if left:
                _, x, y = min(left)
                found[name] = (x, y)
        return found


def _across(layout: str, number: int, count: int) -> float:
    """Where in the breadth of a zone the n-th of several units of a line stands."""
    part = (number + 0.5) / count
    return {"left": 0.1 + 0.45 * part, "right": 0.45 + 0.45 * part, "wide": 0.05 + 0.9 * part}.get(
        layout, 0.25 + 0.5 * part
    )


def _place_in(wanted: Wanted, unit: str) -> tuple[int, str]:
    """When a unit is put down."""
    names = list(wanted)
    return (names.index(unit) if unit in wanted else len(names)), unit


def _standing(unit: Unit, places: list[tuple[str, Pose]]) -> Unit:
    return replace(unit, models=tuple(Model(id=name, pose=pose) for name, pose in places))


def _lines(unit: Unit, models: tuple[str, ...], middle: Point) -> Iterator[tuple[tuple[str, Pose], ...]]:
    """Models side by side about a place, in one rank and in two."""
    step = 2 * unit.radius + LOOSE
    for ranks in (1, 2):
        files = -(-len(models) // ranks)
        yield tuple(
            (
                name,
                Pose(
                    snap(middle[0] + step * (i % files - (files - 1) / 2)),
                    snap(middle[1] + step * (i // files - (ranks - 1) / 2)),
                ),
            )
            for i, name in enumerate(models)
        )
        if len(models) < 2:
            return
