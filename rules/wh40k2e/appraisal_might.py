"""What attacks promise: shots by weapon, range and cover, duels by the models that would meet (for the appraiser).

Everything here depends on the table and on the two units handed in, never on where anybody else stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from tactician.rules.core.derive import but
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import TOL, Inches, beyond, within
from tactician.rules.core.remember import Remembered
from tactician.rules.core.state import Model
from tactician.rules.wh40k2e.contact import barricades, is_between, model_gap, unit_gap
from tactician.rules.wh40k2e.duels import duel_odds
from tactician.rules.wh40k2e.firing import likely
from tactician.rules.wh40k2e.profiles import Weapon
from tactician.rules.wh40k2e.sighting import reach_of
from tactician.rules.wh40k2e.state import Shots, Squad, SquadState
from tactician.rules.wh40k2e.to_hit import cover_at
from tactician.rules.wh40k2e.victory import cost_of, next_points
from tactician.rules.wh40k2e.wounding import is_area, struck

__all__ = [
    "SCORES",
    "Melee",
    "barrels",
    "charge_reach",
    "clash",
    "farthest",
    "fights",
    "is_charging",
    "longest",
    "prize",
    "share",
    "shot_promise",
    "some",
    "spoils",
]

UNDER_BLAST = 3
"""Models that a blast strikes where a squad stands as close as usual."""

UNDER_FLAME = 4
"""Models that a flame strikes."""

AWAY = Pose(-1000.0, -1000.0)
"""Where two models are asked about a duel: off the table, where no ground helps either."""

SCORES = 100.0
"""Points that a victory point counts for in what an attack promises."""

SHOCK = 0.7
"""Victory points that a commander's fall brings besides, as whoever is near must test his nerve."""

Gear = tuple[str, ...]

_GEARS: Remembered[tuple[tuple[Gear, int], ...]] = Remembered(2_000)
_RATES: Remembered[float] = Remembered(4_000)
_REACHES: Remembered[tuple[Inches, ...]] = Remembered(500)
_BARRELS: Remembered[dict[Gear, tuple[float, Inches]]] = Remembered()
_DUELS: Remembered[tuple[float, float]] = Remembered(2_000)


def share(state: SquadState, unit: Squad) -> float:
    """Points of one model of a unit: an equal part of what the unit cost, weapons included."""
    return cost_of(state, unit) / max(unit.mustered, 1)


def prize(state: SquadState, unit: Squad) -> float:
    """Points that a model of a unit is worth to the enemy: its own, and its part of what the next losses score."""
    scores, need, _ = next_points(state, unit)
    shock = SHOCK if state.profile(unit).has("commander") else 0.0
    return share(state, unit) + SCORES * (scores + shock) / max(need, 1)


def spoils(state: SquadState, unit: Squad, fallen: float) -> float:
    """Points that so many models of a unit, on average, are worth to the enemy if they fall."""
    scores, need, _ = next_points(state, unit)
    shock = SHOCK if state.profile(unit).has("commander") else 0.0
    return share(state, unit) * fallen + SCORES * (scores + shock) * min(fallen / max(need, 1), 1.0)


def some(models: tuple[Model, ...], most: int) -> tuple[Model, ...]:
    """A few models spread over a unit."""
    if len(models) <= most:
        return models
    return tuple(models[round(i * (len(models) - 1) / (most - 1))] for i in range(most))


def _gears(unit: Squad) -> tuple[tuple[Gear, int], ...]:
    """What the models that stand carry, and how many of them carry it."""
    return _GEARS.get((unit.models, unit.gear), None, lambda: _find_gears(unit))


def _find_gears(unit: Squad) -> tuple[tuple[Gear, int], ...]:
    counts: dict[Gear, int] = {}
    carried = dict(unit.gear)
    for model in unit.models:
        gear = carried.get(model.id, ())
        counts[gear] = counts.get(gear, 0) + 1
    return tuple(sorted(counts.items()))


# ---- shooting --------------------------------------------------------------------------------------------------------


def farthest(state: SquadState, unit: Squad) -> Inches:
    """The longest range at which at least half of the models have something to fire; 0 where nobody has."""
    reaches = _reaches(state, unit)
    return reaches[ceil(len(reaches) / 2) - 1] if reaches else 0.0


def longest(state: SquadState, unit: Squad) -> Inches:
    """The longest range of any of its weapons; 0 where there is none."""
    return max(_reaches(state, unit), default=0.0)


def _reaches(state: SquadState, unit: Squad) -> tuple[Inches, ...]:
    """How far each model can shoot, the farthest first."""
    key = unit.profile, _gears(unit)
    return _REACHES.get((state.table,), key, lambda: _find_reaches(state, unit))


def _find_reaches(state: SquadState, unit: Squad) -> tuple[Inches, ...]:
    reaches: list[Inches] = []
    for gear, count in _gears(unit):
        arms = [state.table.weapon(name) for name in gear]
        far = max((reach_of(state, unit, arm) for arm in arms if arm.shoots and not arm.is_grenade), default=0.0)
        reaches += [far] * count
    return tuple(sorted(reaches, reverse=True))


def shot_promise(state: SquadState, unit: Squad, foe: Squad) -> float:
    """Points that a unit's fire destroys on average if everybody may take part: range and cover as they stand."""
    if not unit.models or not foe.models or unit.broken:
        return 0.0
    rates, counts = barrels(state, unit, foe), dict(_gears(unit))
    total = sum(counts[gear] * rate for gear, (rate, _) in rates.items())
    return spoils(state, foe, min(total, float(len(foe.models))))


def barrels(state: SquadState, unit: Squad, foe: Squad) -> dict[Gear, tuple[float, Inches]]:
    """For each way in which models are armed what one of them takes off on average, and how far that carries.

    A weapon that does not carry so far counts as if it just did.
    """
    still = _is_still(unit)
    key = unit.profile, unit.radius, foe.profile, foe.radius, unit.overwatch, still
    places = (state.table, unit.models, unit.gear, foe.models)
    return _BARRELS.get(places, key, lambda: _find_barrels(state, unit, foe, still))


def _is_still(unit: Squad) -> bool:
    """Whether a unit may fire what is only fired from a stand."""
    return unit.overwatch or unit.fired or unit.went != "walked"


def _find_barrels(state: SquadState, unit: Squad, foe: Squad, still: bool) -> dict[Gear, tuple[float, Inches]]:
    gap, cover = unit_gap(unit, foe), _cover(state, unit, foe)
    found = {}
    for gear, _ in _gears(unit):
        arms = [state.table.weapon(name) for name in gear]
        usable = [arm for arm in arms if arm.shoots and (still or not arm.move_or_fire)]
        near = [arm for arm in usable if within(gap, reach_of(state, unit, arm))]
        if not near:
            near = [arm for arm in usable if not arm.is_grenade]
        rows = [(_rate(state, unit, arm, foe, gap, cover, still), reach_of(state, unit, arm)) for arm in near]
        found[gear] = max(rows, default=(0.0, 0.0))
    return found


def _rate(state: SquadState, unit: Squad, weapon: Weapon, foe: Squad, gap: Inches, cover: int, still: bool) -> float:
    """Between the bands of its range gradually, as whoever is nearer comes the sooner to short range."""
    profile = state.profile(unit)
    rapid = still and not unit.overwatch and profile.has("rapid_fire") and weapon.is_bolt
    count = 2 if rapid else 1
    if is_area(weapon):
        count = min(UNDER_FLAME if weapon.is_template else UNDER_BLAST, len(foe.models))
    worse = 7 - profile.bs + cover - profile.has("targeter")
    far = _at_need(state, unit, weapon, foe, worse - weapon.hit_long, count)
    if weapon.hit_short == weapon.hit_long or weapon.long <= weapon.short:
        return far
    near = _at_need(state, unit, weapon, foe, worse - weapon.hit_short, count)
    part = min(max((gap - weapon.short) / (weapon.long - weapon.short), 0.0), 1.0)
    return near + part * (far - near)


def _at_need(state: SquadState, unit: Squad, weapon: Weapon, foe: Squad, need: int, count: int) -> float:
    key = unit.profile, weapon.id, foe.profile, max(need, 2), count
    return _RATES.get((state.table,), key, lambda: _find_rate(state, unit, weapon, foe, max(need, 2), count))


def _find_rate(state: SquadState, unit: Squad, weapon: Weapon, foe: Squad, need: int, count: int) -> float:
    wound, save = struck(state, unit, weapon, foe)
    shots = Shots(
        weapon=weapon.id,
        shooters=(),
        need=need,
        target=foe.id,
        reach=(),
        count=count,
        sure=weapon.is_template,
        wound=wound,
        save=save,
    )
    return likely(state, foe, shots)


def _cover(state: SquadState, unit: Squad, foe: Squad) -> int:
    """How much worse a unit is to hit for its cover: a few of its models from the middle one of the shooters."""
    eye = unit.models[len(unit.models) // 2].pose
    covers = sorted(cover_at(state, eye, unit.radius, model.pose) for model in some(foe.models, 3))
    return covers[(len(covers) - 1) // 2]


# ---- hand-to-hand ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Melee:
    """What a round of hand-to-hand comes to on average, in points."""

    gained: float
    lost: float


def charge_reach(state: SquadState, unit: Squad) -> Inches:
    """How far a charge carries."""
    return 2.0 * state.profile(unit).move


def is_charging(unit: Squad) -> bool:
    """Whether a unit has declared a charge that it has not yet made."""
    return bool(unit.charge) and unit.went != "charged"


def fights(state: SquadState, unit: Squad, foe: Squad) -> tuple[tuple[str, str], ...]:
    """Pairs of models of two units in contact, edge to edge or across an obstacle (2E-CH-16, 2E-CH-17)."""
    reach = unit.radius + foe.radius + 1.0
    found = []
    for one in unit.models:
        x, y = one.pose.x, one.pose.y
        for other in foe.models:
            dx, dy = other.pose.x - x, other.pose.y - y
            if -reach < dx < reach and -reach < dy < reach and _touch(state, unit, one, foe, other):
                found.append((one.id, other.id))
    return tuple(found)


def _touch(state: SquadState, unit: Squad, one: Model, foe: Squad, other: Model) -> bool:
    gap = model_gap(one.pose, unit.radius, other.pose, foe.radius)
    if gap <= TOL:
        return True
    if beyond(gap, 1.0):
        return False
    return any(is_between(piece, one.pose, unit.radius, other.pose, foe.radius) for piece in barricades(state))


def clash(state: SquadState, unit: Squad, foe: Squad, *, charges: bool) -> Melee:
    """A round of hand-to-hand in which as many models meet as can: every model one enemy, those left over a second.

    Args:
        state: for the table and the rules in force.
        unit: the unit asked about.
        foe: its enemy.
        charges: whether the unit is counted as having charged.
    """
    if not unit.models or not foe.models:
        return Melee(0.0, 0.0)
    wins = loses = 0.0
    for mine, count in _gears(unit):
        for theirs, number in _gears(foe):
            part = count * number / (len(unit.models) * len(foe.models))
            win, lose = _duel(state, unit, mine, foe, theirs, charges)
            wins, loses = wins + part * win, loses + part * lose
    pairs = min(len(unit.models), len(foe.models))
    spare = min(len(unit.models) - pairs, pairs)
    kills = pairs * (wins + spare / pairs * (1.0 - wins) * min(1.3 * wins, 1.0))
    extra = min(len(foe.models) - pairs, pairs)
    losses = pairs * (loses + extra / pairs * (1.0 - loses) * min(1.3 * loses, 1.0))
    return Melee(spoils(state, foe, kills), spoils(state, unit, losses))


def _duel(state: SquadState, unit: Squad, mine: Gear, foe: Squad, theirs: Gear, charges: bool) -> tuple[float, float]:
    """Chances that the enemy's and that the own model falls in a duel."""
    mood = unit.restrained or unit.broken, unit.leaving, unit.cowed, foe.restrained or foe.broken, foe.leaving
    key = unit.profile, mine, foe.profile, theirs, charges, foe.cowed, mood
    return _DUELS.get((state.table,), key, lambda: _find_duel(state, unit, mine, foe, theirs, charges))


def _find_duel(
    state: SquadState, unit: Squad, mine: Gear, foe: Squad, theirs: Gear, charges: bool
) -> tuple[float, float]:
    """The same, asked of the rules: one model of each, off the table."""
    a, b = _alone(unit, "a", mine), _alone(foe, "b", theirs)
    odds = duel_odds(but(state, units=(a, b)), "a", "b", charges=charges)
    return odds.second_falls, odds.first_falls


def _alone(unit: Squad, name: str, gear: Gear) -> Squad:
    model = Model(id=name, pose=AWAY)
    return but(unit, models=(model,), gear=((name, gear),), hurt=(), charged=(), charge=())
