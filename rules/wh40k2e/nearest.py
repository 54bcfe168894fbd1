"""Which enemy unit is the nearest of its kind, and what may be passed over for it (clauses TG-02 to TG-07).

Readings of our own: only units that somebody of the squad sees, and may aim at, count. A squad is as far from a unit
as its nearest model is from the nearest model that it sees of it; a model that chooses for itself measures from
itself. Kinds are troops and monsters, and the player picks the kind. A unit in cover may be passed over for one in
the open only. A character within two inches of models of its own side that are nearly as tall (half an inch) is
neither a target nor the nearest, except for whoever it fights or charges.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tactician.rules.core.measure import Inches, beyond, within
from tactician.rules.core.remember import Remembered
from tactician.rules.core.state import Model
from tactician.rules.wh40k2e.arms import ready_arms
from tactician.rules.wh40k2e.contact import is_engaged, model_gap, surely_beyond, touching, unit_gap
from tactician.rules.wh40k2e.hiding import can_aim, can_strike
from tactician.rules.wh40k2e.profiles import Weapon
from tactician.rules.wh40k2e.sighting import Row, faces, in_range, reach_of, rows
from tactician.rules.wh40k2e.state import Squad, SquadState
from tactician.rules.wh40k2e.to_hit import charges_at, cover_of
from tactician.rules.wh40k2e.wounding import is_area

__all__ = ["Field", "Prospect", "chooses_freely", "due_instead", "field_of", "is_lost_in_crowd", "may_differ"]

CROWD: Inches = 2.0
"""2E-TG-06: how near models of its size hide a character."""

LIKE: Inches = 0.5
"""Difference of heights up to which models are of like size."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a model sees of an enemy unit, and what it can fire at it."""

    rows: tuple[Row, ...]
    """The models that it sees (in its front quarter, on overwatch), the nearest first."""
    weapons: tuple[Weapon, ...]
    """Those that can be fired at one of them now."""

    @property
    def gap(self) -> Inches:
        """To the nearest model seen."""
        return self.rows[0][0]


@dataclass(frozen=True, slots=True)
class Field:
    """What a unit has before it when it shoots."""

    state: SquadState
    unit: Squad
    seen: dict[tuple[str, str], Prospect]
    """By model and enemy unit."""
    foes: tuple[str, ...]
    """Enemy units that the squad sees and may aim at, sorted."""

    def gap(self, foe: str, model: str = "") -> Inches:
        """How far off an enemy unit is from the squad, or from one model of it; infinite where it is not seen."""
        names = [model] if model else [one.id for one in self.unit.models]
        found = (self.seen[name, foe].gap for name in names if (name, foe) in self.seen)
        return min(found, default=float("inf"))

    def nearest_to(self, foe: str) -> Model:
        """The model of the squad that is the nearest to an enemy unit, of those that see it."""
        seeing = [model for model in self.unit.models if (model.id, foe) in self.seen]
        return min(seeing, key=lambda model: (self.seen[model.id, foe].gap, model.id))


_FIELDS: Remembered[Field] = Remembered(300)

Before = tuple[dict[tuple[str, str], Prospect], tuple[str, ...]]
"""What a field consists of besides the moment: who is seen, and the units that may be aimed at."""

_BEFORE: Remembered[Before] = Remembered(2_000)

Bearings = tuple[tuple[object, ...], tuple[object, ...]]


def bearings_on(state: SquadState, unit: Squad) -> Bearings:
    """What it depends on who may be shot at by a unit: objects by identity, and what lies on the other units.

    It stays the same when another unit is given an order, fires or is hurt, as long as nobody moves, falls, hides, is
    spotted, breaks or declares a charge.
    """
    moving = next((frame for frame in reversed(state.agenda) if frame.kind == "moving"), None)
    places = (state.table, unit, touching(state), moving, *(one.models for one in state.units))
    return places, tuple((one.hidden, one.broken, one.spotters, one.charge) for one in state.units)


def field_of(state: SquadState, unit: Squad, *, on_overwatch: bool = False) -> Field:
    """What a unit has before it when it shoots; remembered."""
    moving = next((frame for frame in reversed(state.agenda) if frame.kind == "moving"), None)
    key = unit.id, on_overwatch
    return _FIELDS.get((state.table, state.units, moving), key, lambda: _field(state, unit, on_overwatch))


def _field(state: SquadState, unit: Squad, on_overwatch: bool) -> Field:
    places, others = bearings_on(state, unit)
    seen, foes = _BEFORE.get(places, (on_overwatch, others), lambda: _before(state, unit, on_overwatch))
    return Field(state, unit, seen, foes)


def _before(state: SquadState, unit: Squad, on_overwatch: bool) -> Before:
    arms = ready_arms(state, unit, on_overwatch=on_overwatch)
    furthest = max((reach_of(state, unit, weapon) for weapon in _unlike(arms)), default=0.0)
    seen = {}
    for foe in state.against(unit.side):
        if not unit.models or surely_beyond(unit, foe, furthest) or beyond(unit_gap(unit, foe), furthest):
            continue  # nobody is shot at there, and nobody nearer stands there either
        if not can_strike(state, unit, foe) or is_lost_in_crowd(state, foe, unit):
            continue
        sure = can_aim(state, unit, foe)
        for model, weapons, row in zip(unit.models, arms, rows(state, unit, foe), strict=True):
            if on_overwatch:
                row = tuple(one for one in row if faces(state, model, foe.model(one[1]).pose))
            if row:
                fit = [one for one in weapons if (sure or is_area(one)) and in_range(state, unit, one, row[0][0])]
                seen[model.id, foe.id] = Prospect(row, tuple(fit))
    foes = tuple(sorted({foe for _, foe in seen if can_aim(state, unit, state.unit(foe))}))
    return seen, foes


def _unlike(arms: Iterable[tuple[Weapon, ...]]) -> list[Weapon]:
    """The weapons of several models, each kind once."""
    return list({weapon.id: weapon for weapons in arms for weapon in weapons}.values())


def is_lost_in_crowd(state: SquadState, foe: Squad, unit: Squad) -> bool:
    """Whether a character cannot be picked out among the models about it (2E-TG-06)."""
    profile = state.profile(foe)
    if profile.kind != "character" or not state.holds("2E-TG-06") or charges_at(state, foe, unit):
        return False
    for other in state.of(foe.side):
        if other.id == foe.id or abs(state.profile(other).stature - profile.stature) > LIKE:
            continue
        gaps = (model_gap(a.pose, foe.radius, b.pose, other.radius) for a in foe.models for b in other.models)
        if any(within(gap, CROWD) for gap in gaps):
            return True
    return False


def chooses_freely(state: SquadState, unit: Squad, weapon: Weapon) -> bool:
    """Whether a weapon may be fired at anybody in sight: heavy ones of a squad, all others of a character."""
    if state.profile(unit).kind == "character":
        return not weapon.is_heavy and state.holds("2E-TG-07")
    return weapon.is_heavy and state.holds("2E-TG-03")


def due_instead(field: Field, foe: str, model: str = "") -> str:
    """The enemy unit that has to be shot at before another one; empty where the other one is legal (2E-TG-02).

    Args:
        field: what the squad has before it.
        foe: who is to be shot at.
        model: the model that chooses for itself; empty for the squad.
    """
    state, gap = field.state, field.gap(foe, model)
    nearer = [
        (field.gap(other, model), other)
        for other in field.foes
        if other != foe and _is_monster(state, other) == _is_monster(state, foe)
    ]
    for other_gap, other in sorted(nearer):
        if beyond(gap, other_gap) and not _may_pass_over(field, other, foe):
            return other
    return ""


def _is_monster(state: SquadState, unit: str) -> bool:
    return state.profile(state.unit(unit)).kind == "creature"


def _may_pass_over(field: Field, other: str, foe: str) -> bool:
    """Whether a nearer unit may be left: it fights, is broken, or has cover that the target has not (2E-TG-05)."""
    state = field.state
    if not state.holds("2E-TG-05"):
        return False
    unit = state.unit(other)
    return unit.broken or is_engaged(state, unit) or (_in_cover(field, other) and not _in_cover(field, foe))


def _in_cover(field: Field, foe: str) -> bool:
    """Whether a unit is in cover as the nearest model of the squad sees it."""
    return cover_of(field.state, field.unit, field.nearest_to(foe), field.state.unit(foe)) > 0


def may_differ(field: Field, model: str, foe: str, squad: str) -> bool:
    """Whether a model may shoot at a unit of its own choice in place of the squad's (2E-TG-04).

    It has to see nobody of the squad's target, or to have one of the same kind nearer; and what it shoots at has to be
    the nearest of its kind to it.
    """
    state = field.state
    if not state.holds("2E-TG-04") or due_instead(field, foe, model):
        return False
    if (model, squad) not in field.seen:
        return True
    alike = _is_monster(state, foe) == _is_monster(state, squad)
    return alike and beyond(field.gap(squad, model), field.gap(foe, model))


def legal_targets(field: Field, others: Iterable[str] = ()) -> tuple[str, ...]:
    """The enemy units that a squad may take as its target, sorted; of those given, or of all."""
    return tuple(foe for foe in (others or field.foes) if not due_instead(field, foe))
