"""Roles: what each unit of an army is for, by what the game says that it can do.

*Assault* runs in and charges. *Flank* does so on a way round. *Shoot* finds a place with sight and range and stays.
*Advance* shoots on the way, as its weapons carry less far. *Hold* sits on a goal. *Screen* stands between the enemy's
fighters and the shooters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from tactician.agent.doctrine.style import Style
from tactician.agent.propose.aims import middle
from tactician.rules.core.appraisal import Appraiser, Goal, Means
from tactician.rules.core.measure import Inches
from tactician.rules.core.remember import Remembered
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.state import State, Unit

__all__ = ["ROLES", "Errand", "Role", "carries", "charge_reach", "errands", "means_of", "roles"]

Role = Literal["hold", "advance", "flank", "shoot", "assault", "screen"]

ROLES: tuple[Role, ...] = get_args(Role)

FEW = 3
"""Units that an army needs before one of them goes round, or stands in front of the others."""

CROWD = 5
"""Models of a screen at least."""

ASIDE: Inches = 8.0
"""How far beside its prey a unit passes that goes round it."""

BEFORE: Inches = 5.0
"""How far in front of those behind it a screen stands."""

_MEANS: Remembered[Means] = Remembered()


@dataclass(frozen=True, slots=True)
class Errand:
    """What a unit is for, and where that takes it."""

    role: Role
    prey: str = ""
    """The enemy that it goes for; empty where there is none."""
    goal: Goal | None = None
    """The goal that it is to be at."""
    place: Point | None = None
    """Where else its middle should be."""
    is_leader: bool = False
    """Whether that is with its men."""


def means_of(appraiser: Appraiser, state: State, unit: Unit, foe: Unit) -> Means:
    """What a unit can do to an enemy, remembered."""
    return _MEANS.get((state.table, unit, foe), None, lambda: appraiser.means(state, unit, foe))


def roles(appraiser: Appraiser, state: State, side: str, style: Style) -> dict[str, Role]:
    """The role of every unit of a side that is on the table."""
    return {name: errand.role for name, errand in errands(appraiser, state, side, style).items()}


def errands(appraiser: Appraiser, state: State, side: str, style: Style) -> dict[str, Errand]:
    """The role of every unit of a side, and where it takes it."""
    units, foes = state.of(side), state.against(side)
    found = {unit.id: _by_means(appraiser, state, unit, foes, style) for unit in units}
    held = _goals(appraiser, state, side, units, found)
    if len(units) >= FEW:
        _one_goes_round(appraiser, state, units, found, style)
        _one_stands_before(appraiser, state, units, found, style)
    for name in held:
        found[name] = "hold" if found[name] not in ("assault", "flank") else found[name]
    return {unit.id: _errand(appraiser, state, unit, foes, found, held.get(unit.id), style) for unit in units}


# ---- who is what -----------------------------------------------------------------------------------------------------


def _by_means(appraiser: Appraiser, state: State, unit: Unit, foes: tuple[Unit, ...], style: Style) -> Role:
    """Fighters, those who shoot from afar, and those who have to come nearer."""
    rows = [means_of(appraiser, state, unit, foe) for foe in foes]
    fire = max((one.fire for one in rows), default=0.0)
    blows = max((one.struck - style.struck_back * one.suffered for one in rows), default=0.0)
    is_far = carries(appraiser, state, unit) >= style.long_range * min(state.board.width, state.board.height)
    if rows and (fire <= 0.0 or blows > (style.marksman if is_far else style.fighter) * fire):
        return "assault"
    return "shoot" if is_far else "advance"


def carries(appraiser: Appraiser, state: State, unit: Unit) -> Inches:
    """How far most of a unit's models shoot from a stand."""
    counts: list[Inches] = []
    for attack in appraiser.attacks(state, unit):
        if attack.kind is None and attack.needs_sight:
            counts += [attack.carry] * len(attack.models)
    counts.sort(reverse=True)
    half = (len(unit.models) + 1) // 2
    return counts[half - 1] if len(counts) >= half else 0.0


def charge_reach(appraiser: Appraiser, state: State, unit: Unit) -> Inches:
    """How far a unit can run into somebody."""
    found = [
        one.kind.allowance + one.carry
        for one in appraiser.attacks(state, unit)
        if one.kind is not None and not one.needs_sight
    ]
    return max(found, default=0.0)


def _one_goes_round(
    appraiser: Appraiser, state: State, units: tuple[Unit, ...], found: dict[str, Role], style: Style
) -> None:
    """The fastest fighter goes round, where another one goes straight."""
    fighters = [unit for unit in units if found[unit.id] == "assault"]
    strides = {unit.id: appraiser.stride(state, unit) for unit in units}
    slowest = min(strides.values())
    quick = [unit for unit in fighters if strides[unit.id] >= style.fast * slowest]
    if len(fighters) >= 2 and quick:
        best = min(quick, key=lambda unit: (-strides[unit.id], len(unit.models), unit.id))
        found[best.id] = "flank"


def _one_stands_before(
    appraiser: Appraiser, state: State, units: tuple[Unit, ...], found: dict[str, Role], style: Style
) -> None:
    """The cheapest crowd stands before the shooters, where the enemy has fighters whom they fear."""
    models = sum(len(unit.models) for unit in units)
    mean = sum(appraiser.worth(state, unit) for unit in units) / max(models, 1)
    feared = any(
        means.struck > means.suffered and means.struck > means.fire
        for foe in state.against(units[0].side)
        for unit in units
        if found[unit.id] == "shoot"
        for means in (means_of(appraiser, state, foe, unit),)
    )
    cheap = [
        (appraiser.worth(state, unit) / len(unit.models), unit.id)
        for unit in units
        if len(unit.models) >= CROWD
        and found[unit.id] in ("advance", "shoot")
        and any(role == "shoot" for name, role in found.items() if name != unit.id)
    ]
    if feared and cheap and min(cheap)[0] < style.cheap * mean:
        found[min(cheap)[1]] = "screen"


def _goals(
    appraiser: Appraiser, state: State, side: str, units: tuple[Unit, ...], found: dict[str, Role]
) -> dict[str, Goal]:
    """Who is to be at which goal: the nearest pairs first, fighters last, until every goal or every unit is taken."""
    rows = sorted(
        (
            round(_away(unit, goal) * (2.0 if found[unit.id] == "assault" else 1.0) / goal.weight, 6),
            unit.id,
            goal.name,
            goal,
        )
        for unit in units
        for goal in appraiser.goals(state, side)
        if goal.weight > 0.0
    )
    taken: dict[str, Goal] = {}
    for _, unit, _, goal in rows:
        if unit not in taken and goal not in taken.values():
            taken[unit] = goal
    return taken


def _away(unit: Unit, goal: Goal) -> Inches:
    return min(length(model.pose.x - goal.x, model.pose.y - goal.y) for model in unit.models)


# ---- where that takes them -------------------------------------------------------------------------------------------


def _errand(
    appraiser: Appraiser,
    state: State,
    unit: Unit,
    foes: tuple[Unit, ...],
    found: dict[str, Role],
    goal: Goal | None,
    style: Style,
) -> Errand:
    role = found[unit.id]
    prey = _prey(appraiser, state, unit, foes, style)
    if prey is None:
        return Errand(role, "", goal)
    men = _men(appraiser, state, unit, found, prey, style) if role not in ("hold", "shoot") else None
    if men is not None:
        return Errand(role, prey.id, goal, men, True)
    if role == "flank":
        return Errand(role, prey.id, goal, _beside(state, unit, prey))
    if role == "screen":
        return Errand(role, prey.id, goal, _between(appraiser, state, unit, found, foes))
    return Errand(role, prey.id, goal)


def _prey(appraiser: Appraiser, state: State, unit: Unit, foes: tuple[Unit, ...], style: Style) -> Unit | None:
    """The enemy to whom a unit can do most, the farther away the less."""

    def promise(foe: Unit) -> float:
        means = means_of(appraiser, state, unit, foe)
        blows = style.rounds * max(means.struck - style.struck_back * means.suffered, style.barely * means.struck)
        hope = appraiser.hope(state, unit, length(*_from_to(unit, foe)))
        return max(means.fire, blows) * hope

    return max(foes, key=lambda foe: (round(promise(foe), 6), foe.id), default=None)


def _men(
    appraiser: Appraiser, state: State, unit: Unit, found: dict[str, Role], prey: Unit, style: Style
) -> Point | None:
    """Where the men of a leader are, as long as his prey is out of his reach; None for everybody else."""
    army = sum(appraiser.worth(state, one) for one in state.of(unit.side))
    if len(unit.models) > 1 or appraiser.worth(state, unit) > style.leader * army:
        return None
    if length(*_from_to(unit, prey)) <= charge_reach(appraiser, state, unit):
        return None
    squads = [one for one in state.of(unit.side) if len(one.models) >= FEW]
    men = min(
        squads,
        key=lambda one: (found[one.id] not in ("assault", "flank"), round(length(*_from_to(unit, one)), 6), one.id),
        default=None,
    )
    return None if men is None else middle(men)


def _from_to(unit: Unit, foe: Unit) -> Point:
    (ax, ay), (bx, by) = middle(unit), middle(foe)
    return bx - ax, by - ay


def _beside(state: State, unit: Unit, prey: Unit) -> Point | None:
    """A place beside the prey, on the side on which the unit is already; None once it is no longer in front of it."""
    dx, dy = _from_to(unit, prey)
    away = length(dx, dy)
    if away <= ASIDE:
        return None
    (x, y), (here_x, here_y) = middle(prey), middle(unit)
    ways = [(-dy / away, dx / away), (dy / away, -dx / away)]
    inside = [
        (x + ASIDE * wx, y + ASIDE * wy)
        for wx, wy in ways
        if 2.0 <= x + ASIDE * wx <= state.board.width - 2.0 and 2.0 <= y + ASIDE * wy <= state.board.height - 2.0
    ]
    return min(inside, key=lambda spot: (round(length(spot[0] - here_x, spot[1] - here_y), 6), spot), default=None)


def _between(
    appraiser: Appraiser, state: State, unit: Unit, found: dict[str, Role], foes: tuple[Unit, ...]
) -> Point | None:
    """A few inches before the dearest shooter, toward the enemy whom he fears most."""
    wards = [one for one in state.of(unit.side) if one.id != unit.id and found[one.id] in ("shoot", "hold", "advance")]
    if not wards:
        return None
    ward = max(wards, key=lambda one: (round(appraiser.worth(state, one), 6), one.id))
    feared = max(foes, key=lambda foe: (round(means_of(appraiser, state, foe, ward).struck, 6), foe.id))
    dx, dy = _from_to(ward, feared)
    away = max(length(dx, dy), 1.0)
    (x, y), step = middle(ward), min(BEFORE, away / 2)
    return x + step * dx / away, y + step * dy / away
