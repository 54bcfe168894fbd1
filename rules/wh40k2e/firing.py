"""From who shoots at whom with what to groups of equal shots, and what they are likely to do (clauses SH-07, SH-12).

Readings of our own: the shots of equal weapons under equal conditions at one unit are thrown together; they can
fall on every model that one of their shooters sees within range, nearest to any firing model first. Whether a unit
that partly fights is shot at as a combat depends on the first of these models: if it fights, each shot is as
likely to go at any model of that combat as at any other, friend or foe; otherwise those that fight are left alone.
All hits of a burst of sustained fire go where its shot went.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tactician.rules.core.derive import but
from tactician.rules.core.measure import Inches
from tactician.rules.core.state import Model
from tactician.rules.core.volley import Volley
from tactician.rules.wh40k2e.areas import aimed_at, under
from tactician.rules.wh40k2e.arms import shots_of
from tactician.rules.wh40k2e.contact import touching
from tactician.rules.wh40k2e.nearest import Field
from tactician.rules.wh40k2e.profiles import Weapon
from tactician.rules.wh40k2e.sighting import in_range
from tactician.rules.wh40k2e.state import Shots, Squad, SquadState
from tactician.rules.wh40k2e.to_hit import chain, charges_at, need_to_hit
from tactician.rules.wh40k2e.wounding import BURST_DIE, is_area, struck, volley_for

__all__ = ["Fire", "best_weapon", "combat_of", "groups_of", "is_mixed", "likely", "mean_losses", "reach_for"]


@dataclass(frozen=True, slots=True)
class Fire:
    """A model that fires a weapon at a unit."""

    model: Model
    weapon: Weapon
    foe: str


def reach_for(field: Field, fire: Fire) -> tuple[tuple[Inches, str], ...]:
    """The models of a unit that a weapon can be fired at, the nearest first."""
    prospect = field.seen.get((fire.model.id, fire.foe))
    seen = prospect.rows if prospect is not None else ()
    return tuple(row for row in seen if in_range(field.state, field.unit, fire.weapon, row[0]))


def groups_of(field: Field, fires: Iterable[Fire], *, on_overwatch: bool = False) -> tuple[Shots, ...]:
    """Groups of equal shots, those at one unit next to each other, those that strike areas last and one by one."""
    aimed = [(fire, reach) for fire in fires if (reach := reach_for(field, fire))]
    near: dict[str, Inches] = {}
    for _, reach in aimed:
        for gap, name in reach:
            near[name] = min(gap, near.get(name, gap))
    if not field.state.holds("2E-SH-12"):
        near = dict.fromkeys(near, 0.0)
    together: dict[tuple[str, str, int], list[tuple[Fire, int, tuple[str, ...]]]] = {}
    areas = []
    for fire, reach in aimed:
        names = tuple(name for _, name in reach)
        if is_area(fire.weapon):
            areas.append(_area_shot(field, fire, names, on_overwatch))
            continue
        need = _need(field, fire, names[0], on_overwatch)
        count = shots_of(field.state, field.unit, fire.model, fire.weapon, on_overwatch=on_overwatch)
        together.setdefault((fire.foe, fire.weapon.id, need), []).append((fire, count, names))
    plain = [_group(field, need, rows, near) for (_, _, need), rows in sorted(together.items())]
    return (*plain, *areas)


def _need(field: Field, fire: Fire, name: str, on_overwatch: bool) -> int:
    state, unit = field.state, field.unit
    foe = state.unit(fire.foe)
    at_charger = on_overwatch and charges_at(state, foe, unit)
    ledger = need_to_hit(
        state,
        unit,
        fire.model,
        fire.weapon,
        foe,
        foe.model(name),
        on_overwatch=on_overwatch,
        at_charger=at_charger,
    )
    return round(ledger.total)


def _group(field: Field, need: int, rows: list[tuple[Fire, int, tuple[str, ...]]], near: dict[str, Inches]) -> Shots:
    """Equal shots of several models."""
    state, fire = field.state, rows[0][0]
    names = {name for _, _, reach in rows for name in reach}
    order = tuple(sorted(names, key=lambda name: (near[name], name)))
    wound, save = struck(state, field.unit, fire.weapon, state.unit(fire.foe))
    return Shots(
        weapon=fire.weapon.id,
        shooters=tuple(one.model.id for one, count, _ in rows for _ in range(count)),
        need=need,
        target=fire.foe,
        reach=_into_combat(state, order),
        count=sum(count for _, count, _ in rows),
        save=save,
        wound=wound,
    )


def _area_shot(field: Field, fire: Fire, names: tuple[str, ...], on_overwatch: bool) -> Shots:
    """A shot of a weapon that strikes an area, aimed where it does most."""
    state, unit = field.state, field.unit
    foe = state.unit(fire.foe)
    name = aimed_at(state, unit, fire.model, fire.weapon, foe, names)
    wound, save = struck(state, unit, fire.weapon, foe)
    return Shots(
        weapon=fire.weapon.id,
        shooters=(fire.model.id,),
        need=_need(field, fire, name, on_overwatch),
        target=fire.foe,
        reach=(name,),
        sure=fire.weapon.is_template and state.holds("2E-BL-03"),
        save=save,
        wound=wound,
        centre=foe.model(name).pose.point,
    )


# ---- fire into combat ------------------------------------------------------------------------------------------------


def combat_of(state: SquadState, model: str) -> tuple[str, ...]:
    """All models of the combat that a model is in, sorted; none where it does not fight."""
    pairs = touching(state)
    found, todo = set[str](), [model] if model in pairs else []
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo.extend(pairs[name])
    return tuple(sorted(found))


def _into_combat(state: SquadState, order: tuple[str, ...]) -> tuple[str, ...]:
    """The models that shots can fall on, given those in reach: a whole combat, or who does not fight (2E-SH-07)."""
    if not state.holds("2E-SH-07"):
        return order
    pairs = touching(state)
    if order[0] in pairs:
        return combat_of(state, order[0])
    return tuple(name for name in order if name not in pairs)


def is_mixed(state: SquadState, shots: Shots) -> bool:
    """Whether it is still open which unit's models shots fall on, as they go into a combat."""
    return any(state.owner(name).id != shots.target for name in shots.reach)


# ---- what shots are likely to do -------------------------------------------------------------------------------------


def likely(state: SquadState, foe: Squad, shots: Shots) -> float:
    """Models of a unit that shots take off on average, one by one and as if there were no end of models."""
    weapon, profile = state.table.weapon(shots.weapon), state.profile(foe)
    faces = () if shots.sure else chain(shots.need, goes_on=state.holds("2E-TH-08"))
    if faces is None or shots.wound > 6:
        return 0.0
    chance = 1.0
    for face in (*faces, shots.wound):
        chance *= (7 - max(face, 1)) / 6
    if weapon.sustained and state.holds("2E-SH-08"):
        chance *= weapon.sustained * sum(BURST_DIE) / len(BURST_DIE)
    damage = weapon.damage.dice * (weapon.damage.sides + 1) / 2 + weapon.damage.add
    part = min(damage / profile.wounds, 1.0)
    return shots.count * chance * (1.0 - _saved(shots.save, profile.save_dice)) * part


def _saved(save: int, dice: int) -> float:
    """Chance that one or two dice make a save."""
    if dice == 1:
        return max(0, min(6, 7 - save)) / 6
    totals = [a + b for a in range(1, 7) for b in range(1, 7)]
    return sum(total >= save for total in totals) / len(totals)


def worth_of(field: Field, fire: Fire, *, on_overwatch: bool = False) -> float:
    """Points that a shot destroys on average, those of friends under an area counted against it; to compare weapons."""
    state, foe = field.state, field.state.unit(fire.foe)
    groups = groups_of(field, (fire,), on_overwatch=on_overwatch)
    if not groups:
        return -1.0
    shots = groups[0]
    if not is_area(fire.weapon):
        return likely(state, foe, shots) * state.profile(foe).cost
    rows = under(state, field.unit, fire.model, fire.weapon, foe, shots.reach[0])
    total = 0.0
    for row in rows:
        other = state.unit(row.unit)
        wound, save = struck(state, field.unit, fire.weapon, other)
        hit = but(shots, count=1, wound=wound, save=save)
        share = (1.0 if row.wholly else 0.5) * likely(state, other, hit) * state.profile(other).cost
        total += -share if other.side == field.unit.side else share
    return total


def best_weapon(field: Field, model: Model, foe: str, *, on_overwatch: bool = False) -> Weapon | None:
    """The weapon with which a model does most to a unit now; None where it has none that reaches it."""
    prospect = field.seen.get((model.id, foe))
    if prospect is None or not prospect.weapons:
        return None
    if len(prospect.weapons) == 1:
        return prospect.weapons[0]
    return max(prospect.weapons, key=lambda one: worth_of(field, Fire(model, one, foe), on_overwatch=on_overwatch))


def volley_of(field: Field, foe: str, groups: Iterable[Shots]) -> Volley | None:
    """All shots at one unit as one throw, areas as hits on the models about the one aimed at; None without shots."""
    state, unit = field.state, field.state.unit(foe)
    ready: list[Shots] = []
    for shots in groups:
        weapon = state.table.weapon(shots.weapon)
        if shots.target != foe or (is_mixed(state, shots) and not is_area(weapon)):
            continue
        if not is_area(weapon):
            ready.append(shots)
            continue
        shooter = field.unit.model(shots.shooters[0])
        rows = under(state, field.unit, shooter, weapon, unit, shots.reach[0])
        names = tuple(row.model for row in rows if row.unit == foe)
        ready.append(but(shots, reach=names or shots.reach, count=max(len(names), 1)))
    if not ready:
        return None
    ready.sort(key=lambda shots: len(shots.reach))
    return volley_for(state, field.unit, unit, ready)


def mean_losses(field: Field, foe: str, groups: Iterable[Shots]) -> float:
    """Models that all shots at a unit cost it on average, wounded ones counted in part."""
    volley = volley_of(field, foe, groups)
    if volley is None:
        return 0.0
    return sum(chance * volley.worth(outcome) for outcome, chance in volley.support())
