"""Who may shoot at whom: what an assignment of targets breaks, and which are worth a thought (TG, SH-01 to SH-04).

Where a squad's orders fit no single target, they are judged by the legal target that leaves fewest of them wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

from tactician.rules.core.action import Pairs
from tactician.rules.core.clauses import MALFORMED, Violation
from tactician.rules.core.forms import nearest
from tactician.rules.core.measure import within
from tactician.rules.core.remember import Remembered
from tactician.rules.core.state import Model
from tactician.rules.wh40k2e.arms import aim_of, names_of, ready_weapons, shoot_faults, weapon_faults
from tactician.rules.wh40k2e.firing import Fire, best_weapon, groups_of, mean_losses, worth_of
from tactician.rules.wh40k2e.hiding import can_aim, can_strike
from tactician.rules.wh40k2e.nearest import (
    Field,
    bearings_on,
    chooses_freely,
    due_instead,
    field_of,
    is_lost_in_crowd,
    legal_targets,
    may_differ,
)
from tactician.rules.wh40k2e.profiles import Weapon
from tactician.rules.wh40k2e.sighting import faces, reach_of, rows
from tactician.rules.wh40k2e.state import Squad, SquadState
from tactician.rules.wh40k2e.to_hit import charges_at
from tactician.rules.wh40k2e.wounding import is_area

__all__ = ["aim_faults", "fires_of", "targets_of", "usual_aims"]

_TARGETS: Remembered[tuple[str, ...]] = Remembered(2_000)
_LIKE: Remembered[tuple[str, ...]] = Remembered(2_000)
_USUAL: Remembered[tuple[Pairs, ...]] = Remembered(500)


@dataclass(frozen=True, slots=True)
class _Shot:
    """One weapon of an order, as it was given."""

    model: Model
    weapon: Weapon
    foe: Squad


def targets_of(state: SquadState, unit: Squad, *, on_overwatch: bool = False) -> tuple[str, ...]:
    """The enemy units that somebody of a unit may shoot at now, sorted."""
    moving = next((frame for frame in reversed(state.agenda) if frame.kind == "moving"), None)
    key = unit.id, on_overwatch
    return _TARGETS.get((state.table, state.units, moving), key, lambda: _targets_from(state, unit, on_overwatch))


def _targets_from(state: SquadState, unit: Squad, on_overwatch: bool) -> tuple[str, ...]:
    """`targets_of`, remembered for as long as nothing changes that it depends on."""
    places, others = bearings_on(state, unit)
    return _LIKE.get(places, (on_overwatch, others), lambda: _targets_of(state, unit, on_overwatch))


def _targets_of(state: SquadState, unit: Squad, on_overwatch: bool) -> tuple[str, ...]:
    if shoot_faults(state, unit, on_overwatch=on_overwatch):
        return ()
    field = field_of(state, unit, on_overwatch=on_overwatch)
    squads = _squad_targets(field)
    found = set()
    for (name, foe), prospect in field.seen.items():
        weapons = [one for one in prospect.weapons if not _is_barred(state, field.unit, foe, on_overwatch)]
        if any(_is_legal(field, name, weapon, foe, squads) for weapon in weapons):
            found.add(foe)
    return tuple(sorted(found))


def _squad_targets(field: Field) -> tuple[str, ...]:
    """What the squad may take as its target: known units, and those that only areas can be laid on."""
    return legal_targets(field, tuple(sorted({foe for _, foe in field.seen})))


def _is_legal(field: Field, model: str, weapon: Weapon, foe: str, squads: tuple[str, ...]) -> bool:
    """Whether a model may shoot at a unit under one of the targets that its squad may take."""
    if chooses_freely(field.state, field.unit, weapon):
        return True
    return any(foe == squad or may_differ(field, model, foe, squad) for squad in squads)


def _is_barred(state: SquadState, unit: Squad, foe: str, on_overwatch: bool) -> bool:
    """Whether a unit is too frightened of a charger to fire at it (2E-PS-01)."""
    return on_overwatch and unit.cowed and state.holds("2E-PS-01") and charges_at(state, state.unit(foe), unit)


# ---- what an assignment breaks ---------------------------------------------------------------------------------------


def aim_faults(
    state: SquadState, unit: Squad, orders: Pairs, *, on_overwatch: bool = False, mover: str = ""
) -> tuple[Violation, ...]:
    """Everything that an assignment of targets breaks; empty if it is legal.

    Args:
        state: the moment.
        unit: who shoots.
        orders: model, and the unit (with weapons after a colon) it shoots at.
        on_overwatch: whether the fire comes from overwatch.
        mover: the unit that was interrupted, if any; the same rules hold for it as for all others.
    """
    general = shoot_faults(state, unit, on_overwatch=on_overwatch)
    shots, faults = _read(state, unit, orders, on_overwatch)
    if general or faults:
        return (*general, *faults)
    field = field_of(state, unit, on_overwatch=on_overwatch)
    alone = [fault for shot in shots for fault in _shot_faults(field, shot, on_overwatch)]
    spoilt = {fault.subject for fault in alone}
    together = _squad_faults(field, [shot for shot in shots if shot.model.id not in spoilt])
    return (*alone, *together)


def _read(
    state: SquadState, unit: Squad, orders: Pairs, on_overwatch: bool
) -> tuple[list[_Shot], tuple[Violation, ...]]:
    """The shots of an assignment, and what cannot be understood of it; best weapons are filled in."""
    shots, faults = [], []
    foes = {foe.id: foe for foe in state.against(unit.side)}
    for name, text in orders:
        model = unit.model(name)
        target, named = aim_of(text)
        carried = names_of(state, unit, name)
        unknown = [weapon for weapon in named if weapon not in carried]
        if target not in foes:
            fault = f"there is no enemy unit {target!r}{nearest(target, tuple(foes))}"
            faults.append(Violation(clause=MALFORMED, subject=name, text=fault))
        elif unknown or not carried:
            fault = f"has no {unknown[0]!r} to shoot with; it carries {', '.join(carried)}" if carried else "is unarmed"
            faults.append(Violation(clause=MALFORMED, subject=name, text=fault))
        else:
            if len(named) > 1:
                fault = "fires one weapon or throws one grenade"
                faults.append(Violation(clause="2E-SH-01", subject=name, text=fault, against=" and ".join(named)))
            chosen = named or (_default(state, unit, model, target, on_overwatch),)
            shots += [_Shot(model, state.table.weapon(weapon), foes[target]) for weapon in chosen]
    if not state.holds("2E-SH-01"):
        faults = [fault for fault in faults if fault.clause != "2E-SH-01"]
    return shots, tuple(faults)


def _default(state: SquadState, unit: Squad, model: Model, foe: str, on_overwatch: bool) -> str:
    """The weapon meant where none is named: the best that reaches, else one that could fire, else the first."""
    field = field_of(state, unit, on_overwatch=on_overwatch)
    best = best_weapon(field, model, foe, on_overwatch=on_overwatch)
    if best is not None:
        return best.id
    ready = ready_weapons(state, unit, model, on_overwatch=on_overwatch)
    furthest = max(ready, key=lambda weapon: reach_of(state, unit, weapon), default=None)
    return furthest.id if furthest is not None else names_of(state, unit, model.id)[0]


def _shot_faults(field: Field, shot: _Shot, on_overwatch: bool) -> tuple[Violation, ...]:
    """What one shot breaks by itself."""
    state, unit = field.state, field.unit
    faults = weapon_faults(state, unit, shot.model, shot.weapon, on_overwatch=on_overwatch)
    if faults:
        return faults
    knows = can_strike if is_area(shot.weapon) else can_aim
    if not knows(state, unit, shot.foe):
        clause = "2E-HI-09" if shot.foe.spotters else "2E-HI-04"
        text = "only who has spotted a hidden unit shoots at it" if shot.foe.spotters else "a hidden unit is no target"
        return (_broken(shot, clause, text),)
    if is_lost_in_crowd(state, shot.foe, unit):
        return (_broken(shot, "2E-TG-06", "a character among models of its size cannot be picked out"),)
    if _is_barred(state, unit, shot.foe.id, on_overwatch):
        return (_broken(shot, "2E-PS-01", "too frightened of the charger to fire at it"),)
    return _line_faults(field, shot, on_overwatch)


def _line_faults(field: Field, shot: _Shot, on_overwatch: bool) -> tuple[Violation, ...]:
    """Sight, arc and range, in this order: the first that no model of the target passes."""
    state, unit = field.state, field.unit
    seen = rows(state, unit, shot.foe)[unit.models.index(shot.model)]
    if not seen:
        return (_broken(shot, "2E-SH-03", "sees nobody of its target"),)
    if on_overwatch:
        seen = tuple(row for row in seen if faces(state, shot.model, shot.foe.model(row[1]).pose))
        if not seen:
            return (_broken(shot, "2E-SH-02", "nobody in sight is in its front quarter"),)
    reach = reach_of(state, unit, shot.weapon)
    if not within(seen[0][0], reach):
        clause = "2E-BL-04" if shot.weapon.is_grenade else "2E-SH-04"
        return (_broken(shot, clause, f"{shot.weapon.id} does not reach", seen[0][0], reach),)
    return ()


def _broken(
    shot: _Shot, clause: str, text: str, measured: float | None = None, limit: float | None = None
) -> Violation:
    return Violation(
        clause=clause, subject=shot.model.id, against=shot.foe.id, text=text, measured=measured, limit=limit
    )


def _squad_faults(field: Field, shots: list[_Shot]) -> tuple[Violation, ...]:
    """What the shots of a squad break together (2E-TG-01, 2E-TG-02)."""
    bound = [shot for shot in shots if not chooses_freely(field.state, field.unit, shot.weapon)]
    if not bound:
        return ()
    legal = _squad_targets(field) if field.state.holds("2E-TG-02") else ()
    aimed = tuple(dict.fromkeys(shot.foe.id for shot in bound))
    squads = [foe for foe in aimed if foe in legal] + [foe for foe in legal if foe not in aimed] or list(aimed)
    verdicts = [(_astray(field, bound, squad), squad) for squad in squads]
    astray, squad = min(verdicts, key=lambda verdict: len(verdict[0]))
    return tuple(dict.fromkeys(_astray_fault(field, shot, squad) for shot in astray))


def _astray(field: Field, bound: list[_Shot], squad: str) -> list[_Shot]:
    """The shots that neither go at the squad's target nor may differ from it."""
    return [shot for shot in bound if shot.foe.id != squad and not may_differ(field, shot.model.id, shot.foe.id, squad)]


def _astray_fault(field: Field, shot: _Shot, squad: str) -> Violation:
    """Why a shot at another target than the squad's is wrong, told of the unit as a whole."""
    instead = due_instead(field, shot.foe.id)
    if instead:
        text = f"the nearest of its kind is shot at first, and {instead} is nearer"
        return Violation(
            clause="2E-TG-02",
            subject=field.unit.id,
            against=shot.foe.id,
            text=text,
            measured=field.gap(shot.foe.id),
            limit=field.gap(instead),
        )
    text = f"the squad shoots at one target, here {squad}"
    return Violation(clause="2E-TG-01", subject=field.unit.id, against=shot.foe.id, text=text)


def fires_of(state: SquadState, unit: Squad, orders: Pairs, *, on_overwatch: bool = False) -> tuple[Fire, ...]:
    """The shots of a legal assignment."""
    shots, _ = _read(state, unit, orders, on_overwatch)
    return tuple(Fire(shot.model, shot.weapon, shot.foe.id) for shot in shots)


# ---- assignments worth a thought -------------------------------------------------------------------------------------


def usual_aims(state: SquadState, unit: Squad, *, on_overwatch: bool = False, mover: str = "") -> tuple[Pairs, ...]:
    """Legal assignments worth a thought, the one that destroys most on average first; none where nobody can shoot.

    One for each target that the squad may take: everybody shoots at it with his best weapon, and who cannot at what he
    may; heavy weapons also each at what suits them best.
    """
    targets = targets_of(state, unit, on_overwatch=on_overwatch)
    if not targets:
        return ()
    moving = next((frame for frame in reversed(state.agenda) if frame.kind == "moving"), None)
    key = unit.id, on_overwatch, mover
    return _USUAL.get(
        (state.table, state.units, moving), key, lambda: _usual_aims(state, unit, targets, on_overwatch, mover)
    )


def _usual_aims(
    state: SquadState, unit: Squad, targets: tuple[str, ...], on_overwatch: bool, mover: str
) -> tuple[Pairs, ...]:
    field = field_of(state, unit, on_overwatch=on_overwatch)
    allowed = [foe for foe in targets if not _is_barred(state, unit, foe, on_overwatch)]
    bests = {
        (model.id, foe): Fire(model, weapon, foe)
        for model in unit.models
        for foe in allowed
        if (weapon := best_weapon(field, model, foe, on_overwatch=on_overwatch)) is not None
    }
    worth = {key: worth_of(field, fire, on_overwatch=on_overwatch) for key, fire in bests.items()}
    squads = [*_squad_targets(field), *allowed]
    found: dict[Pairs, tuple[float, bool]] = {}
    for squad in dict.fromkeys(squads):
        for heavies_free in (False, True):
            fires = _fires_at(field, squad, bests, worth, heavies_free)
            orders = tuple((fire.model.id, f"{fire.foe}:{fire.weapon.id}") for fire in fires)
            if not orders or orders in found or aim_faults(state, unit, orders, on_overwatch=on_overwatch):
                continue
            found[orders] = (_points(field, fires, on_overwatch), any(fire.foe == mover for fire in fires))
    ranked = sorted(found, key=lambda orders: (-found[orders][0], not found[orders][1], orders))
    return tuple(ranked)


def _fires_at(
    field: Field,
    squad: str,
    bests: dict[tuple[str, str], Fire],
    worth: dict[tuple[str, str], float],
    heavies_free: bool,
) -> list[Fire]:
    """Everybody's shot when a squad takes a target."""
    fires = []
    for model in field.unit.models:
        own = {foe: fire for (name, foe), fire in bests.items() if name == model.id}
        fit = [
            foe
            for foe, fire in own.items()
            if foe == squad
            or chooses_freely(field.state, field.unit, fire.weapon)
            or may_differ(field, model.id, foe, squad)
        ]
        is_free = squad in own and heavies_free and chooses_freely(field.state, field.unit, own[squad].weapon)
        if squad in own and not is_free:
            fires.append(own[squad])
        elif fit:
            fires.append(own[max(sorted(fit), key=lambda foe: worth[model.id, foe])])
    return fires


def _points(field: Field, fires: list[Fire], on_overwatch: bool) -> float:
    """Points that shots destroy on average, areas counted by the enemies about the model aimed at."""
    groups = groups_of(field, fires, on_overwatch=on_overwatch)
    total = 0.0
    for foe in sorted({fire.foe for fire in fires}):
        cost = field.state.profile(field.state.unit(foe)).cost
        total += cost * mean_losses(field, foe, groups)
    return total
