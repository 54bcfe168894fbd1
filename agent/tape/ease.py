"""Orders drawn back: ends a little clear of whatever a hand that is a quarter of an inch off would break.

An order is shaken: every model is put down a little off, several times, and the referee says what breaks. What broke
tells what to keep clear of (bases, pieces, zones, the end of the allowance, links of the unit), and the ends are moved
until they are. Formations are shifted as they stand where that is enough; otherwise each model gets an end of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import cos, pi, sin, sqrt

from tactician.agent.tape.clear import CLEAR, Demands, demands_of, settled, trimmed, with_late_point
from tactician.agent.tape.orders import faults_for, walkers_of
from tactician.agent.tape.room import TIGHT, Faults, Walker, nudged
from tactician.rules.core.action import Action
from tactician.rules.core.choice import Choice, Declare, Domain, Put, Walk
from tactician.rules.core.clauses import Violation
from tactician.rules.core.measure import Inches
from tactician.rules.core.movement import MoveType
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State, Unit

__all__ = ["Eased", "eased", "steady"]

HANDS, STEPS, MOST_HANDS = 10, 60, 24
"""Times that an order is shaken at least; so often that there are so many steps, but no more often than this."""

ROUNDS = 2
"""Times that what broke is learned from, at each length of the ways."""

TRIMS: tuple[Inches, ...] = (CLEAR, 0.8, 1.4)
"""What is taken off the ways, the next one where models have no room to spread after the one before."""

MOST, LEGS = 12, 600
"""Ways to draw an order back that are tried; so many legs in all of them together, as long ways take long to judge."""

FEW = 0.02
"""Part of the steps that may break something without anything more being tried."""

GOLDEN = (sqrt(5.0) - 1.0) / 2.0
SILVER = sqrt(2.0) - 1.0
"""Numbers whose multiples are spread evenly: hands are the same in every process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Eased:
    """An order and how well it stands a hand that is a little off."""

    action: Action
    steady: float
    """Share of the steps that stay legal when every model is put down up to `TIGHT` off, blindly."""


@dataclass(frozen=True, slots=True)
class _Shaken:
    """What came of shaking."""

    lost: int
    """Steps that broke something, over all hands."""
    broken: tuple[Violation, ...]


def steady(ruleset: Ruleset, state: State, action: Action) -> float:
    """Share of the steps of a legal order that stay legal when every model is put down up to `TIGHT` off, blindly.

    What the unit breaks as a whole counts for one of its steps. 1 where nobody moves.

    Args:
        ruleset: the game.
        state: the moment before the order.
        action: a legal order.
    """
    if not action.unit or not state.has_unit(action.unit):
        return 1.0
    walkers = walkers_of(state, state.unit(action.unit), action)
    if not walkers:
        return 1.0
    lost = _shaken(action, walkers, lambda one: ruleset.check(state, one)).lost
    return 1.0 - lost / _steps(walkers)


def eased(ruleset: Ruleset, state: State, action: Action) -> Iterator[Eased]:
    """The order as it is and ways to draw it back that are legal and steadier, the steadiest first.

    Args:
        ruleset: the game.
        state: the moment before the order.
        action: a legal order of the side that decides.
    """
    unit = state.unit(action.unit) if action.unit and state.has_unit(action.unit) else None
    walkers = () if unit is None else walkers_of(state, unit, action)
    choice = _choice(ruleset, state, action)
    if unit is None or not walkers or choice is None:
        yield Eased(action=action, steady=1.0)
        return
    faults = faults_for(ruleset, state, unit)
    tried = list(_tried(state, unit, action, choice, faults))
    best = min(tried, key=lambda row: row[:2])
    tried += _half_way(state, unit, action, best[2], faults, len(tried))
    steps = _steps(walkers)
    for lost, _, found in sorted(tried, key=lambda row: row[:2]):
        yield Eased(action=found, steady=1.0 - lost / steps)


def _tried(
    state: State, unit: Unit, action: Action, choice: Choice, faults: Faults
) -> Iterator[tuple[int, int, Action]]:
    """The order and others drawn back, with the steps that shaking loses and how plain each is (0: as it was)."""
    domain, walkers = choice.domain, walkers_of(state, unit, action)
    kind, rule = _kind(domain, action), domain.rule if isinstance(domain, Put) else None
    demands, shaken, plain = Demands(), _shaken(action, walkers, faults), 0
    best, few = shaken.lost, round(FEW * _steps(walkers))
    yield best, plain, action
    here, most = walkers, max(min(LEGS // max(sum(len(path) for _, path in action.paths), 1), MOST), 1)
    for trim in TRIMS:
        for _ in range(ROUNDS):
            learned = demands_of(state, unit, here, shaken.broken, kind, rule)
            if demands | learned == demands and trim == TRIMS[0]:
                break
            demands |= learned
            found = []
            for one in _drawn_back(state, unit, action, demands, trim):
                if plain >= most or best <= few:
                    return
                plain += 1
                legal = _repaired(state, choice, one, faults)
                moving = () if legal is None else walkers_of(state, unit, legal)
                if legal is None or len(moving) < len(walkers):
                    continue  # not legal at all, or drawn back to where it began
                new = _shaken(legal, moving, faults)
                best = min(best, new.lost)
                found.append((new.lost, plain, moving, new))
                yield new.lost, plain, legal
            if not found:
                break
            _, _, here, shaken = min(found, key=lambda row: row[:2])
        if not action.paths or demands.is_simple:
            return


def _drawn_back(state: State, unit: Unit, action: Action, demands: Demands, trim: Inches) -> Iterator[Action]:
    """The order with ends that meet some demands as well as may be, the plainest first."""
    if (demands.tape or trim > TRIMS[0]) and action.paths:
        action = trimmed(state, unit, action, trim)
        yield action
    walkers = walkers_of(state, unit, action)
    for together in (True, False) if demands.is_outer else (False,):
        ends = settled(state, unit, action, walkers, demands, together=together)
        found = action
        for walker in walkers:
            x, y = ends[walker.model]
            found = nudged(found, walker.model, (x - walker.end.x, y - walker.end.y))
        if found != action:
            yield found
        if found.paths and not demands.is_simple:
            yield with_late_point(state, unit, found)


def _half_way(
    state: State, unit: Unit, action: Action, other: Action, faults: Faults, plain: int
) -> Iterator[tuple[int, int, Action]]:
    """The order with ends half way to those of another one, for whoever finds the whole way too dear."""
    ends = {walker.model: walker.end for walker in walkers_of(state, unit, other)}
    found = action
    for walker in walkers_of(state, unit, action):
        end = ends.get(walker.model, walker.end)
        found = nudged(found, walker.model, ((end.x - walker.end.x) / 2, (end.y - walker.end.y) / 2))
    moving = walkers_of(state, unit, found)
    if found not in (action, other) and len(moving) == len(ends) and not faults(found):
        yield _shaken(found, moving, faults).lost, plain, found


def _repaired(state: State, choice: Choice, action: Action, faults: Faults) -> Action | None:
    """The order if it is legal, else as much of it as is; None where nothing is."""
    if not faults(action):
        return action
    if action.places:
        return None
    found = choice.clip(state, action)
    return None if not found.paths or faults(found) else found


def _hands(walkers: tuple[Walker, ...]) -> int:
    return min(max(HANDS, STEPS // len(walkers)), MOST_HANDS)


def _steps(walkers: tuple[Walker, ...]) -> int:
    return _hands(walkers) * len(walkers)


def _shaken(action: Action, walkers: tuple[Walker, ...], faults: Faults) -> _Shaken:
    names = {walker.model for walker in walkers}
    first, lost, broken = walkers[0].model, 0, list[Violation]()
    for hand in range(_hands(walkers)):
        found = faults(_off(action, walkers, hand))
        lost += len({one.subject if one.subject in names else first for one in found})
        broken += found
    return _Shaken(lost, tuple(broken))


def _off(action: Action, walkers: tuple[Walker, ...], hand: int) -> Action:
    """The order with every model put down off, anywhere in a disc alike."""
    for number, walker in enumerate(walkers):
        k = hand * len(walkers) + number + 1
        angle, far = 2.0 * pi * (k * GOLDEN % 1.0), TIGHT * sqrt(k * SILVER % 1.0)
        action = nudged(action, walker.model, (far * cos(angle), far * sin(angle)))
    return action


def _choice(ruleset: Ruleset, state: State, action: Action) -> Choice | None:
    found = (one for one in ruleset.choices(state) if (one.verb, one.unit) == (action.verb, action.unit))
    return next(found, None)


def _kind(domain: Domain, action: Action) -> MoveType | None:
    if isinstance(domain, Walk):
        return domain.kind
    return domain.kind_for(replace(action, paths=(), order=())) if isinstance(domain, Declare) else None
