"""Which of its weapons a model can fire now, and how often (SH-01, SH-05, SH-06, SH-09 to SH-11; NM-03, OW-09).

Readings of our own: a jam silences every weapon of its bearer that has sustained fire; a model clears one jam in
each of its own Shooting Phases in which it does not shoot, unless its unit is on overwatch, broken or fighting,
ran or charged; who made a compulsory move does not shoot that turn.
"""

from __future__ import annotations

from tactician.rules.core.clauses import MALFORMED, Violation
from tactician.rules.core.derive import but
from tactician.rules.core.measure import TOL
from tactician.rules.core.remember import Remembered
from tactician.rules.core.state import Model
from tactician.rules.wh40k2e.contact import engaged_models, is_engaged, touching
from tactician.rules.wh40k2e.profiles import Weapon
from tactician.rules.wh40k2e.state import Squad, SquadState

__all__ = [
    "Aim",
    "aim_of",
    "cleared",
    "has_moved",
    "jammed",
    "names_of",
    "ready_arms",
    "ready_weapons",
    "rested",
    "shoot_faults",
    "shots_of",
    "tended",
    "weapon_faults",
]

Aim = tuple[str, tuple[str, ...]]
"""A unit aimed at, and the weapons named for it; none for the best one."""


def aim_of(text: str) -> Aim:
    """What a model's target says: ``E1``, ``E1:boltgun``, or with several weapons ``E1:boltgun+bolt pistol``."""
    unit, _, named = text.partition(":")
    return unit.strip(), tuple(name.strip() for name in named.split("+") if name.strip())


def names_of(state: SquadState, unit: Squad, model: str) -> tuple[str, ...]:
    """The weapons that a model carries and can shoot with, as far as they are known."""
    known = [name for name in unit.weapons_of(model) if state.table.weapon(name).shoots]
    return tuple(dict.fromkeys(known))


def shoot_faults(state: SquadState, unit: Squad, *, on_overwatch: bool = False) -> tuple[Violation, ...]:
    """Why nobody of a unit shoots now, whatever it aims at; empty where they may."""
    found = []
    if unit.broken:
        found.append((MALFORMED, "a broken unit does not shoot"))
    if unit.dazed and state.holds("2E-PS-07"):
        found.append(("2E-PS-07", "who failed its test for stupidity does nothing"))
    if not on_overwatch:
        found += _own_turn_faults(state, unit)
    return tuple(Violation(clause=clause, subject=unit.id, text=text) for clause, text in found)


def _own_turn_faults(state: SquadState, unit: Squad) -> list[tuple[str, str]]:
    found = []
    if unit.overwatch and state.holds("2E-OW-05"):
        found.append(("2E-OW-05", "who is on overwatch does nothing else in its own turn"))
    if (unit.charge or unit.went == "charged") and state.holds("2E-CH-10"):
        found.append(("2E-CH-10", "a unit that declared a charge does not shoot"))
    if unit.went == "ran" and state.holds("2E-RU-03"):
        found.append(("2E-RU-03", "who ran shoots and throws nothing"))
    if unit.went == "compelled" and state.holds("2E-CM-01"):
        found.append(("2E-CM-01", "who made a compulsory move does not shoot"))
    if unit.fired:
        found.append((MALFORMED, "has fired already"))
    return found


def has_moved(state: SquadState, unit: Squad, model: str) -> bool:
    """Whether a model moved in its own latest turn; who only turned did not (2E-NM-06)."""
    return dict(unit.walked).get(model, 0.0) > TOL


def jammed(state: SquadState, unit: Squad, model: str, weapon: Weapon) -> bool:
    """Whether a weapon is silenced by a jam (2E-SH-09)."""
    return weapon.sustained > 0 and dict(unit.jams).get(model, 0) > 0 and state.holds("2E-SH-09")


def rested(state: SquadState, unit: Squad, model: str, weapon: Weapon) -> bool:
    """Whether a weapon is not still resting from its last shot (2E-SH-11)."""
    return not (weapon.recharges and model in unit.recharging and state.holds("2E-SH-11"))


def weapon_faults(
    state: SquadState, unit: Squad, model: Model, weapon: Weapon, *, on_overwatch: bool = False
) -> tuple[Violation, ...]:
    """Why a model may not fire a weapon now, whatever it aims at; empty where it may."""
    found = []
    if model.id in engaged_models(state, unit) and state.holds("2E-SH-06"):
        found.append(("2E-SH-06", "fighting models do not shoot"))
    if model.id in unit.failed and not (unit.charge or on_overwatch) and state.holds("2E-LD-11"):
        found.append(("2E-LD-11", "apart from its squad, it does nothing this turn"))
    if weapon.move_or_fire and not on_overwatch:
        found += _stillness_faults(state, unit, model)
    if weapon.is_grenade and on_overwatch and state.holds("2E-OW-09"):
        found.append(("2E-OW-09", "no grenade is thrown from overwatch"))
    if jammed(state, unit, model.id, weapon):
        found.append(("2E-SH-09", f"{weapon.id} is jammed"))
    if not rested(state, unit, model.id, weapon):
        found.append(("2E-SH-11", f"{weapon.id} rests this turn"))
    return tuple(Violation(clause=clause, subject=model.id, text=text) for clause, text in found)


def _stillness_faults(state: SquadState, unit: Squad, model: Model) -> list[tuple[str, str]]:
    """Move-or-fire weapons: the bearer has to stand still, the squad need not (2E-SH-05, 2E-NM-03)."""
    if has_moved(state, unit, model.id):
        return [("2E-SH-05", "moved, and its weapon fires only from a stand")] if state.holds("2E-SH-05") else []
    if not state.holds("2E-NM-03") and any(has_moved(state, unit, one.id) for one in unit.models):
        return [("2E-SH-05", "its squad moved, and its weapon fires only from a stand")]
    return []


_ARMS: Remembered[tuple[tuple[Weapon, ...], ...]] = Remembered(4_000)


def ready_arms(state: SquadState, unit: Squad, *, on_overwatch: bool = False) -> tuple[tuple[Weapon, ...], ...]:
    """For each model of a unit `ready_weapons`; remembered."""
    busy = touching(state)
    return _ARMS.get((state.table, unit, busy), on_overwatch, lambda: _find_arms(state, unit, bool(busy), on_overwatch))


def _find_arms(state: SquadState, unit: Squad, busy: bool, on_overwatch: bool) -> tuple[tuple[Weapon, ...], ...]:
    """`ready_arms`; where nothing lies on single models, those who carry the same are asked about once."""
    if busy or unit.failed or unit.jams or unit.recharging or (unit.walked and not on_overwatch):
        return tuple(ready_weapons(state, unit, model, on_overwatch=on_overwatch) for model in unit.models)
    carried, known = dict(unit.gear), dict[tuple[str, ...], tuple[Weapon, ...]]()
    found = []
    for model in unit.models:
        gear = carried[model.id]
        if gear not in known:
            known[gear] = ready_weapons(state, unit, model, on_overwatch=on_overwatch)
        found.append(known[gear])
    return tuple(found)


def ready_weapons(state: SquadState, unit: Squad, model: Model, *, on_overwatch: bool = False) -> tuple[Weapon, ...]:
    """The weapons that a model can fire now, whatever it aims at."""
    found = [state.table.weapon(name) for name in names_of(state, unit, model.id)]
    return tuple(one for one in found if not weapon_faults(state, unit, model, one, on_overwatch=on_overwatch))


def shots_of(state: SquadState, unit: Squad, model: Model, weapon: Weapon, *, on_overwatch: bool = False) -> int:
    """How many shots a model has with a weapon: two under Rapid Fire (2E-SH-10)."""
    rapid = state.profile(unit).has("rapid_fire") and weapon.is_bolt and state.holds("2E-SH-10")
    return 2 if rapid and not on_overwatch and not has_moved(state, unit, model.id) else 1


# ---- jams and rest ---------------------------------------------------------------------------------------------------


def tended(state: SquadState, unit: Squad, firing: tuple[str, ...]) -> Squad:
    """A unit with one jam cleared by each model that spends its Shooting Phase on that (2E-SH-09).

    Args:
        state: the moment.
        unit: in its own Shooting Phase.
        firing: its models that shoot.
    """
    idle = unit.went in ("", "walked") and not unit.charge and not unit.overwatch and not unit.broken
    if not unit.jams or not idle or is_engaged(state, unit):
        return unit
    left = [(name, count if name in firing else count - 1) for name, count in unit.jams]
    return but(unit, jams=tuple((name, count) for name, count in left if count > 0))


def cleared(state: SquadState, side: str) -> SquadState:
    """The end of a side's Shooting Phase: who did not shoot has cleared jams, and weapons have rested (2E-SH-11).

    A model stands once in `Squad.recharging` for each end of an own Shooting Phase that it still waits for: twice
    after firing in its own turn, once after firing on overwatch.
    """
    units = []
    for unit in state.units:
        if unit.side != side or not (unit.jams or unit.recharging):
            units.append(unit)
            continue
        fresh = unit if unit.fired else tended(state, unit, ())
        waiting = list(unit.recharging)
        for name in dict.fromkeys(unit.recharging):
            waiting.remove(name)
        units.append(but(fresh, recharging=tuple(waiting)))
    return but(state, units=tuple(units))
