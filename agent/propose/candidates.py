"""A few answers to each choice that the rules offer, every one of them legal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from tactician.agent.propose.aims import middle, nearest_pair
from tactician.agent.propose.spots import Who, spots, walking
from tactician.rules.core.action import Action, Mark, Pairs
from tactician.rules.core.appraisal import Appraiser, appraiser_of
from tactician.rules.core.choice import Assign, Choice, Declare, OneOf, Put, Subset, Walk, Window
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import Inches, snap
from tactician.rules.core.movement import MoveType
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.shapes import Box, Point, length
from tactician.rules.core.state import State, Unit
from tactician.rules.core.targets import aimed_unit

__all__ = ["MOST", "assigned_harm", "candidates", "options_by_harm"]

MOST = 12
"""Most answers to one choice."""

LINES = 4
"""Most lines in which a unit may be set up."""

LOOSE: Inches = 0.5
"""Room between neighbours who are set up in a line."""

WINDOWS = 4
"""Most points on announced ways."""


def candidates(ruleset: Ruleset, state: State, choice: Choice, most: int = MOST) -> tuple[Action, ...]:
    """At most so many legal answers, none twice, the more meaningful first; always at least one."""
    match choice.domain:
        case Walk() as domain:
            found = _walks(ruleset, state, choice, domain.kind, choice.bare(), who=domain.models)
        case Declare() as domain:
            found = _declarations(ruleset, state, choice, domain, most)
        case OneOf() as domain:
            found = [
                replace(choice.bare(), targets=option)
                for option in options_by_harm(appraiser_of(ruleset), state, choice.unit, domain.options)
            ]
        case Assign() as domain:
            found = _assignments(appraiser_of(ruleset), state, choice, domain)
        case Subset() as domain:
            found = _subsets(state, choice, domain)
        case Put():
            found = _puts(ruleset, state, choice)
        case Window() as domain:
            middles = (Mark(model=model, inches=(low + high) / 2) for model, low, high in domain.spans)
            marks = dict.fromkeys((*domain.usual, *middles))
            found = [replace(choice.bare(), mark=mark) for mark in (*marks,)[:WINDOWS]]
        case _:
            found = [choice.canonical(state)]
    return _legal(state, choice, found, most)


def _legal(state: State, choice: Choice, found: list[Action], most: int) -> tuple[Action, ...]:
    """The answers as far as they are legal, without repetition."""
    kept: list[Action] = []
    for action in found:
        if len(kept) >= most:
            break
        clipped = action if isinstance(choice.domain, Put) else choice.clip(state, action)
        if clipped not in kept and not choice.explain(state, clipped):
            kept.append(clipped)
    return tuple(kept) if kept else (choice.canonical(state),)


def options_by_harm(appraiser: Appraiser, state: State, unit: str, options: tuple[Pairs, ...]) -> tuple[Pairs, ...]:
    """Options that name targets, the ones first at which the unit can do most harm; then those that name none."""

    def harm(option: Pairs) -> float:
        if not unit:
            return 0.0
        mine = state.unit(unit)
        foes = [aimed_unit(state, target) for _, target in option]
        return sum(_damage(appraiser, state, mine, foe) for foe in foes if foe is not None and foe.side != mine.side)

    return tuple(sorted(options, key=lambda option: (-round(harm(option), 9), option)))


def _damage(appraiser: Appraiser, state: State, unit: Unit, foe: Unit) -> float:
    """What a unit's attack destroys, or a tenth of what it could."""
    return max(appraiser.harm(state, unit, foe), 0.1 * appraiser.promise(state, unit, foe))


def assigned_harm(appraiser: Appraiser, state: State, unit: Unit, targets: Pairs) -> float:
    """What an assignment of a unit's models to targets destroys, roughly: of each target its share of the models."""
    found: dict[str, int] = {}
    for _, target in targets:
        foe = aimed_unit(state, target)
        if foe is not None and foe.side != unit.side:
            found[foe.id] = found.get(foe.id, 0) + 1
    share = 1 / max(len(unit.models), 1)
    return sum(share * count * _damage(appraiser, state, unit, state.unit(name)) for name, count in found.items())


def _assignments(appraiser: Appraiser, state: State, choice: Choice, domain: Assign) -> list[Action]:
    """The usual ones, those first that destroy most; of equals in the order of the rules."""
    unit = state.unit(choice.unit)
    ranked = sorted(domain.usual, key=lambda option: -round(assigned_harm(appraiser, state, unit, option), 9))
    return [replace(choice.bare(), targets=option) for option in ranked]


def _walks(
    ruleset: Ruleset,
    state: State,
    choice: Choice,
    kind: MoveType,
    bare: Action,
    charged: str | None = None,
    who: Who = None,
) -> list[Action]:
    unit = state.unit(choice.unit)
    found = spots(appraiser_of(ruleset), state, unit, kind, charged, who=who)
    stays = [bare]
    walks = [walking(bare, unit, spot, kind, who) for spot in found]
    return [*walks[: MOST - 1], *stays]


def _declarations(ruleset: Ruleset, state: State, choice: Choice, domain: Declare, most: int) -> list[Action]:
    """Every option bare; each option that moves with its best few ways, by turns."""
    ranked = options_by_harm(appraiser_of(ruleset), state, choice.unit, domain.options)
    rows: list[list[Action]] = []
    for option in ranked:
        bare = replace(choice.bare(), targets=option)
        kind = domain.kind_for(bare)
        if kind is None:
            rows.append([bare])
            continue
        charged = dict(option).get("charge")
        rows.append(_walks(ruleset, state, choice, kind, bare, charged))
    found = []
    for number in range(max(map(len, rows), default=0)):
        found += [row[number] for row in rows if number < len(row)]
    return found[: 2 * most]


def _subsets(state: State, choice: Choice, domain: Subset) -> list[Action]:
    """The usual one, and at most two more: those farthest from the enemy, and those at the ends of the line."""
    found = [choice.canonical(state)]
    unit = state.unit(choice.unit)
    size = len(domain.usual)
    here = middle(unit)
    pair = nearest_pair(unit, state.against(unit.side))
    foe = here if pair is None else pair[2]
    places = {model.id: model.pose.point for model in unit.models if model.id in domain.ids}
    if len(places) < len(domain.ids):
        return found
    for place in (foe, here):
        ranked = sorted(places, key=lambda name, place=place: (-_away(places[name], place), name))  # type: ignore[misc]
        found.append(replace(choice.bare(), models=tuple(sorted(ranked[:size]))))
    return found


def _away(a: Point, b: Point) -> Inches:
    return round(length(a[0] - b[0], a[1] - b[1]), 6)


def _puts(ruleset: Ruleset, state: State, choice: Choice) -> list[Action]:
    """The proposal of the rules, the same shifted forward and to both sides, and near the best shelter."""
    usual = choice.canonical(state)
    found = [usual]
    domain = choice.domain
    if not usual.places or not isinstance(domain, Put) or domain.rule.zone is None:
        return found
    x0, y0, x1, y1 = domain.rule.zone
    count = len(usual.places)
    x, y = sum(p.x for _, p in usual.places) / count, sum(p.y for _, p in usual.places) / count
    ahead = state.board.height / 2 - y
    room = max((abs(p.y - y) for _, p in usual.places), default=0.0) + state.unit(choice.unit).radius + 0.1
    forward = (y1 - room if ahead > 0 else y0 + room) - y
    side = (x1 - x0) / 4
    shifts = [(0.0, forward), (side, forward), (-side, forward)]
    appraiser = appraiser_of(ruleset)
    near = [
        (goal.x - x, goal.y - y)
        for goal in appraiser.shelters(state, state.unit(choice.unit))
        if x0 <= goal.x <= x1 and y0 <= goal.y <= y1
    ]
    for dx, dy in (*shifts, *near[:2]):
        places = tuple(
            (name, Pose(snap(pose.x + dx), snap(pose.y + dy), pose.surface, pose.bearing))
            for name, pose in usual.places
        )
        found.append(replace(usual, places=places))
    if appraiser.has_facing and count > 1:
        lines = _lines(state, usual, domain.rule.zone, ahead > 0)
        legal = (line for line in lines if not choice.explain(state, line))
        return [*islice(legal, LINES), *found[4:], usual]
    return found


def _lines(state: State, usual: Action, zone: Box, upward: bool) -> Iterator[Action]:
    """Everybody side by side, where nobody stands in anybody's way: along the front of a zone, and further back."""
    x0, y0, x1, y1 = zone
    radius, count = state.unit(usual.unit).radius, len(usual.places)
    step, room = 2 * radius + LOOSE, radius + 0.1
    free = x1 - x0 - 2 * room - step * (count - 1)
    if free < 0.0:
        return
    for back in (0.0, 2 * step):
        y = y1 - room - back if upward else y0 + room + back
        for part in (0.5, 0.0, 1.0, 0.25, 0.75):
            places = tuple(
                (name, Pose(snap(x0 + room + part * free + step * i), snap(y), pose.surface, pose.bearing))
                for i, (name, pose) in enumerate(usual.places)
            )
            yield replace(usual, places=places)
