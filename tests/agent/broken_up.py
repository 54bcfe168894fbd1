"""Squads of random games that have been broken up: some of their models pushed away, others taken off the table."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import cos, pi, sin

from tactician.rules.core.action import Action, Pairs
from tactician.rules.core.choice import Choice, Declare, Walk
from tactician.rules.core.clip import clip
from tactician.rules.core.legs import Straight, walk
from tactician.rules.core.measure import snap
from tactician.rules.core.movement import MoveType, disorder_of, end_pose
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State, Unit

from tests.conformance.games import moments

FARTHEST = 1.3
"""Allowances by which models are pushed away at most, beside an inch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A squad in several pieces that may be ordered to move."""

    state: State
    choice: Choice
    option: Pairs | None
    """The option of a declaration."""
    kind: MoveType

    @property
    def unit(self) -> Unit:
        """The squad."""
        return self.state.unit(self.choice.unit)

    @property
    def bare(self) -> Action:
        """The order without ways."""
        bare = self.choice.bare()
        return bare if self.option is None else replace(bare, targets=self.option)


def broken_up(ruleset: Ruleset, count: int, seed: int) -> tuple[Broken, ...]:
    """So many of them, the same for the same seed."""
    rng, found = random.Random(f"{ruleset.info.name} {seed}"), list[Broken]()
    while len(found) < count:
        seed += 1
        size = ruleset.info.sizes[seed % len(ruleset.info.sizes)]
        states = [s for s in moments(ruleset, size, 1000 + seed, 14) if ruleset.to_move(s) in ("red", "blue")]
        rng.shuffle(states)
        rows = [one for state in states for one in _of(ruleset, state, rng)]
        found += rows[:3]
    return tuple(found[:count])


def _of(ruleset: Ruleset, state: State, rng: random.Random) -> Iterator[Broken]:
    choices = [one for one in ruleset.choices(state) if _kinds(one) and len(state.unit(one.unit).models) >= 3]
    if not choices:
        return
    choice = rng.choice(choices)
    option, kind = rng.choice(_kinds(choice))
    after = state.with_unit(_pushed(state, _with_losses(state.unit(choice.unit), rng), kind, rng))
    assert kind.coherency is not None
    if disorder_of(after, after.unit(choice.unit), kind.coherency) == 1:
        return
    for again in ruleset.choices(after):
        kinds = [one for other, one in _kinds(again) if other == option]
        if (again.verb, again.unit) == (choice.verb, choice.unit) and kinds:
            yield Broken(state=after, choice=again, option=option, kind=kinds[0])


def _kinds(choice: Choice) -> list[tuple[Pairs | None, MoveType]]:
    """Options and their move types, where the whole unit may walk and has to keep together."""
    rows: list[tuple[Pairs | None, MoveType | None]] = []
    if isinstance(choice.domain, Walk) and choice.domain.models is None:
        rows = [(None, choice.domain.kind)]
    if isinstance(choice.domain, Declare):
        rows = list(zip(choice.domain.options, choice.domain.kinds, strict=True))[:2]
    return [(option, kind) for option, kind in rows if kind is not None and kind.coherency is not None]


def _with_losses(unit: Unit, rng: random.Random) -> Unit:
    """Half the time some models are gone from between the others."""
    count, angle = len(unit.models), rng.uniform(0.0, 2 * pi)
    if count < 5 or rng.random() < 0.5:
        return unit
    ranked = sorted(unit.models, key=lambda model: model.pose.x * cos(angle) + model.pose.y * sin(angle))
    lost = rng.randrange(1, count // 2 + 1)
    first = rng.randrange(1, count - lost)
    return unit.without(tuple(model.id for model in ranked[first : first + lost]))


def _pushed(state: State, unit: Unit, kind: MoveType, rng: random.Random) -> Unit:
    """Some models moved away from the others as far as nothing is in their way."""
    angle, far = rng.uniform(0.0, 2 * pi), rng.uniform(1.0, 1.0 + FARTHEST * min(kind.allowance, 8.0))
    dx, dy = far * sin(angle), far * cos(angle)
    ranked = sorted(unit.models, key=lambda model: (model.pose.x * dx + model.pose.y * dy, model.id))
    free = replace(
        kind, coherency=None, keep_away=(), allowance=20.0, going=None, motion="sequence", closed=(), spent=()
    )
    for model in ranked[-rng.randrange(1, max(2, len(ranked) // 2 + 1)) :][::-1]:
        at, way = state.with_unit(unit), {model.id: (Straight((model.pose.x + dx, model.pose.y + dy)),)}
        path = clip(at, unit, free, way, (model.id,)).get(model.id, ())
        if path:
            end = end_pose(model.pose, walk(model.pose, path, state.board))
            unit = unit.moved({model.id: end._replace(x=snap(end.x), y=snap(end.y))})
    return unit
