"""How a unit can attack in a turn of its own, and whom it would see (for the appraiser)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tactician.rules.core.appraisal import Attack
from tactician.rules.core.measure import Inches
from tactician.rules.core.move_types import MoveType
from tactician.rules.core.sight import Eye
from tactician.rules.core.views import views
from tactician.rules.wh40k2e.arms import jammed, names_of
from tactician.rules.wh40k2e.contact import engaged_models
from tactician.rules.wh40k2e.movement import free_models, move_type
from tactician.rules.wh40k2e.sighting import eyes_of, reach_of
from tactician.rules.wh40k2e.state import Squad, SquadState

__all__ = ["attacks_of", "seen_by"]


def attacks_of(state: SquadState, unit: Squad) -> tuple[Attack, ...]:
    """Fire from a stand, fire after a walk, a charge; blows alone for models that fight; nothing for the broken.

    Models whose weapons carry equally far are told together. Whoever is on overwatch is taken to have given it up.
    """
    if unit.broken or not unit.models:
        return ()
    fighting = engaged_models(state, unit) if state.holds("2E-SH-06") else ()
    free = tuple(model.id for model in unit.models if model.id not in fighting)
    found = [*_fire(state, unit, free)]
    if fighting:
        found.append(Attack(verb="fight", models=tuple(fighting), kind=None, carry=0.0, needs_sight=False))
    elif not unit.shaken:
        kind = move_type(state, unit, "charge")
        found.append(Attack(verb="charge", models=free, kind=kind, carry=0.0, needs_sight=False))
    return tuple(found)


def _fire(state: SquadState, unit: Squad, free: tuple[str, ...]) -> Iterator[Attack]:
    able = free_models(state, unit)
    walkers = free if able is None else tuple(name for name in free if name in able)
    yield from _volleys(state, unit, free, None)
    yield from _volleys(state, unit, walkers, move_type(state, unit, "walk"))


def _volleys(state: SquadState, unit: Squad, models: tuple[str, ...], kind: MoveType | None) -> Iterator[Attack]:
    """Models by how far their farthest weapon carries, from a stand or after a move (2E-SH-04, 2E-SH-05)."""
    groups: dict[Inches, list[str]] = {}
    for name in models:
        arms = [state.table.weapon(one) for one in names_of(state, unit, name)]
        if kind is not None and state.holds("2E-SH-05"):
            arms = [arm for arm in arms if not arm.move_or_fire]
        reaches = [reach_of(state, unit, arm) for arm in arms if not jammed(state, unit, name, arm)]
        if reaches:
            groups.setdefault(max(reaches), []).append(name)
    for reach, names in sorted(groups.items()):
        sight = state.holds("2E-SH-03")
        yield Attack(verb="shoot", models=tuple(names), kind=kind, carry=reach, needs_sight=sight)


def seen_by(
    state: SquadState, unit: Squad, eyes: Sequence[Eye], targets: Sequence[Eye]
) -> tuple[tuple[bool, ...], ...]:
    """For each eye whether it sees each target past terrain and the models of other units (2E-SH-03)."""
    if not state.holds("2E-SH-03"):
        return tuple(tuple(True for _ in targets) for _ in eyes)
    blockers = [eye for other in state.units if other.id != unit.id for eye in eyes_of(state, other)]
    return views(state.board, eyes, targets, blockers)
