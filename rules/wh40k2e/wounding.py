"""Wounds, saves, and who falls (chapter WO; clause SH-12)."""

from __future__ import annotations

from collections.abc import Sequence

from tactician.rules.core import shots as throws
from tactician.rules.core.derive import but
from tactician.rules.core.volley import Volley
from tactician.rules.wh40k2e.profiles import Damage, Profile, Weapon
from tactician.rules.wh40k2e.state import Shots, Squad, SquadState
from tactician.rules.wh40k2e.to_hit import chain

__all__ = [
    "BURST_DIE",
    "fallen",
    "is_area",
    "save_need",
    "saved_on",
    "strength_of",
    "struck",
    "volley_for",
    "wound_need",
    "wounds_left",
]

BURST_DIE = (1, 1, 2, 2, 3, 0)
"""2E-SH-08: hits on each face of the die for sustained fire; 0 is a jam (2E-SH-09)."""

NEVER = 7
"""A need that no die shows."""


def wound_need(strength: int, toughness: int) -> int | None:
    """The least face that wounds: four when equal, one more or less for each point between; None where impossible."""
    harder = toughness - strength
    if harder >= 4:
        return None
    return 6 if harder >= 2 else max(4 + harder, 2)


def saved_on(profile: Profile, modifier: int, *, blast: bool = False) -> int | None:
    """The least total of the save's dice (2E-WO-02), or None where the armour does not help.

    Args:
        profile: whose armour.
        modifier: added to the dice, 0 or less.
        blast: whether it is a blast or a template.
    """
    save = profile.save_blast if blast and profile.save_blast else profile.save
    need = save - modifier
    return need if need <= 6 * profile.save_dice else None


def save_need(profile: Profile, weapon: Weapon, *, blast: bool = False) -> int | None:
    """The least total of the save's dice against a weapon, or None where the armour does not help (2E-WO-02)."""
    return saved_on(profile, weapon.save, blast=blast)


def is_area(weapon: Weapon) -> bool:
    """Whether a weapon strikes an area."""
    return weapon.is_template or weapon.blast > 0.0


def strength_of(state: SquadState, unit: Squad, weapon: Weapon) -> int:
    """A weapon's strength in the hands of a unit's models."""
    return weapon.strength or state.profile(unit).strength


def struck(state: SquadState, unit: Squad, weapon: Weapon, foe: Squad) -> tuple[int, int]:
    """Least face that wounds a unit and least total that saves it, `NEVER` or more for none (2E-WO-01, 2E-WO-02)."""
    profile = state.profile(foe)
    wound: int | None = 4
    if state.holds("2E-WO-01"):
        wound = wound_need(strength_of(state, unit, weapon), profile.toughness)
    modifier = weapon.save if state.holds("2E-WO-02") else 0
    save = saved_on(profile, modifier, blast=is_area(weapon))
    return NEVER if wound is None else wound, 6 * profile.save_dice + 1 if save is None else save


def wounds_left(state: SquadState, unit: Squad, model: str) -> int:
    """Wounds that a model can still lose."""
    return state.profile(unit).wounds - dict(unit.hurt).get(model, 0)


# ---- dice ------------------------------------------------------------------------------------------------------------


def volley_for(state: SquadState, unit: Squad, target: Squad, groups: Sequence[Shots]) -> Volley:
    """The dice for groups of shots at models of one unit, the first to fall first.

    Args:
        state: the moment.
        unit: who shoots.
        target: the unit that is hit.
        groups: their `reach` names models that stand; they fall in the order in which the groups first name them.
    """
    order = reach_of_all(groups)
    left = tuple(wounds_left(state, target, name) for name in order)
    parts = tuple(_numbers(state, shots, target, len(order)) for shots in groups)
    weapons = " and ".join(sorted({shots.weapon for shots in groups}))
    why = f"shooting: {unit.name} ({unit.id}) at {target.name} ({target.id}) with {weapons}"
    models = left if state.holds("2E-WO-03") else (sum(left),)
    return Volley(why=why, subject=unit.id, groups=parts, models=models)


def reach_of_all(groups: Sequence[Shots]) -> tuple[str, ...]:
    """The models that groups of shots can hit, the first to fall first."""
    return tuple(dict.fromkeys(name for shots in groups for name in shots.reach))


def _numbers(state: SquadState, shots: Shots, target: Squad, whole: int) -> throws.Shots:
    """A group for the dice."""
    weapon = state.table.weapon(shots.weapon)
    dice = state.profile(target).save_dice
    return throws.Shots(
        name=weapon.id,
        count=shots.count,
        hit=() if shots.sure else chain(shots.need, goes_on=state.holds("2E-TH-08")),
        sustained=weapon.sustained if state.holds("2E-SH-08") else 0,
        sustained_die=BURST_DIE,
        wound=shots.wound if shots.wound < NEVER else None,
        save=shots.save if shots.save <= 6 * dice else None,
        save_dice=dice,
        damage=_damage(weapon.damage),
        most=len(shots.reach) if len(shots.reach) < whole and state.holds("2E-WO-03") else None,
    )


def _damage(damage: Damage) -> throws.Damage:
    return throws.Damage(dice=damage.dice, sides=damage.sides, add=damage.add)


# ---- casualties ------------------------------------------------------------------------------------------------------


def fallen(state: SquadState, unit_id: str, removed: int, hurt: int, order: tuple[str, ...]) -> SquadState:
    """The state with the first models of an order taken off, and the next one hurt (2E-SH-12, 2E-WO-03).

    Args:
        state: the moment.
        unit_id: the unit that was hit.
        removed: models that fall.
        hurt: wounds that the first model still standing lost now.
        order: models in the order in which they fall.
    """
    unit = state.unit(unit_id)
    if not state.holds("2E-WO-03"):
        removed, hurt = _spilt(state, unit, removed, hurt, order)
    gone = order[:removed]
    wounds = {name: lost for name, lost in unit.hurt if name not in gone}
    if hurt:
        wounds[order[removed]] = wounds.get(order[removed], 0) + hurt
    if not gone and not hurt:
        return state
    left = but(
        unit.without(gone),
        lost=(*unit.lost, *gone),
        hurt=tuple(sorted(wounds.items())),
        walked=tuple(pair for pair in unit.walked if pair[0] not in gone),
        charge=tuple(pair for pair in unit.charge if pair[0] not in gone),
        failed=tuple(name for name in unit.failed if name not in gone),
        charged=tuple(name for name in unit.charged if name not in gone),
        jams=tuple(pair for pair in unit.jams if pair[0] not in gone),
        recharging=tuple(name for name in unit.recharging if name not in gone),
    )
    return state.with_unit(left)


def _spilt(state: SquadState, unit: Squad, removed: int, hurt: int, order: tuple[str, ...]) -> tuple[int, int]:
    """Models removed and wounds of the next where damage spills over: the dice told wounds of all models together."""
    left = [wounds_left(state, unit, name) for name in order]
    damage = sum(left) if removed else hurt
    for number, wounds in enumerate(left):
        if damage < wounds:
            return number, damage
        damage -= wounds
    return len(left), 0
