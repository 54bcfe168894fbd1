"""Following up: models that have killed everybody they fought move two inches (clauses 2E-HH-13, 2E-PS-05, 2E-PS-06).

Readings of our own: obstacles cost nothing on the way, slow ground does; who has to follow up goes straight for the
nearest enemy; a new contact is fought out in the next Hand-to-Hand Phase.
"""

from __future__ import annotations

from dataclasses import replace

from tactician.rules.core.action import Action
from tactician.rules.core.agenda import Handler, push, without_top
from tactician.rules.core.choice import Choice, Nothing, Walk
from tactician.rules.core.clauses import Cite
from tactician.rules.core.legs import Path
from tactician.rules.core.movement import MoveType
from tactician.rules.wh40k2e.charging import foes_from
from tactician.rules.wh40k2e.contact import foes_of
from tactician.rules.wh40k2e.movement import FOLLOW, move_type
from tactician.rules.wh40k2e.moving import announce
from tactician.rules.wh40k2e.psychology import must_follow
from tactician.rules.wh40k2e.state import Follow, Moving, Squad, SquadState
from tactician.rules.wh40k2e.ways import end_of, toward

__all__ = ["FollowHandler", "follow_type"]


def follow_type(state: SquadState, unit: Squad) -> MoveType:
    """What must hold for models that follow up: obstacles are crossed free of charge."""
    kind = move_type(state, unit, "follow")
    if kind.going is None:
        return kind
    free = tuple(replace(fee, inches=0.0) for fee in kind.going.fees)
    return replace(kind, going=replace(kind.going, fees=free))


class FollowHandler(Handler[SquadState, Follow]):
    """Models of one unit that are free to follow up."""

    def step(self, state: SquadState, frame: Follow) -> SquadState | None:
        """Nobody is asked who may not, or has to."""
        unit = state.unit(frame.unit)
        names = _able(state, unit, frame)
        if not names:
            return without_top(state)
        if not must_follow(state, unit):
            return None
        plan = _pursuit(state, unit, names)
        state = without_top(state)
        if not plan:
            return state
        return push(state, Moving(owner=unit.side, unit=unit.id, gait="follow", plan=plan, allowance=FOLLOW))

    def choices(self, state: SquadState, frame: Follow) -> tuple[Choice, ...]:
        """Two inches in any direction, or stay."""
        unit = state.unit(frame.unit)
        kind = follow_type(state, unit)
        walk = Walk(kind, kind, _able(state, unit, frame), Cite("2E-HH-13"))
        return (Choice("follow", unit.id, walk), Choice("pass", "", Nothing()))

    def take(self, state: SquadState, frame: Follow, action: Action) -> SquadState:
        """Go, if anybody does."""
        state = without_top(state)
        if not any(path for _, path in action.paths):
            return state
        return announce(state, action, "follow", FOLLOW)


def _able(state: SquadState, unit: Squad, frame: Follow) -> tuple[str, ...]:
    """Models of a frame that still stand and fight nobody."""
    if unit.broken or not state.holds("2E-HH-13"):
        return ()
    standing = {model.id for model in unit.models}
    return tuple(name for name in frame.models if name in standing and not foes_of(state, name))


def _pursuit(state: SquadState, unit: Squad, names: tuple[str, ...]) -> tuple[tuple[str, Path], ...]:
    """The ways of models that have to follow up, each at the nearest enemy."""
    kind = follow_type(state, unit)
    plan = []
    for name in names:
        unit = state.unit(unit.id)
        model = unit.model(name)
        foes = foes_from(state, unit, model.pose)
        path = toward(state, unit, model, foes[0].model, foes[0].unit, kind, FOLLOW) if foes else ()
        if path:
            plan.append((name, path))
            state = state.with_unit(unit.moved({name: end_of(state, model, path)}))
    return tuple(plan)
