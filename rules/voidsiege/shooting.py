"""Shooting: who can fire at whom, target locks, criticals (pages *Snap Fire*, *Line of sight*, *Attribute test*)."""

from __future__ import annotations

from tactician.rules.core.agenda import CHANCE, Handler, swap, without_top
from tactician.rules.core.chance import Faces, Outcome, Roll
from tactician.rules.core.derive import but
from tactician.rules.core.measure import within
from tactician.rules.core.remember import Remembered
from tactician.rules.core.sight import Eye, sees_some
from tactician.rules.core.state import Model, Unit, gap
from tactician.rules.voidsiege.engagement import ENGAGED, all_within, model_gap, units_within
from tactician.rules.voidsiege.profiles import Weapon
from tactician.rules.voidsiege.state import Exchange, Fire, VoidState, VoidUnit, Volley

__all__ = [
    "VolleyHandler",
    "any_in_sight",
    "can_shoot",
    "is_scout",
    "melee_dice",
    "shooting_dice",
    "the_exchange",
    "with_exchange",
]


SHOTS: Remembered[bool] = Remembered()

AIMS: Remembered[bool] = Remembered()

FIRING: Remembered[tuple[bool, ...]] = Remembered()


def the_exchange(state: VoidState) -> Exchange:
    """The exchange that is being resolved.

    Raises:
        LookupError: none is.
    """
    for frame in reversed(state.agenda):
        if isinstance(frame, Exchange):
            return frame
    raise LookupError("no exchange is being resolved")


def with_exchange(state: VoidState, exchange: Exchange) -> VoidState:
    """The state with the exchange's frame replaced, wherever it stands on the agenda."""
    place = max(i for i, frame in enumerate(state.agenda) if isinstance(frame, Exchange))
    return but(state, agenda=(*state.agenda[:place], exchange, *state.agenda[place + 1 :]))


def eye_of(state: VoidState, unit: Unit, model: Model) -> Eye:
    """A model, for lines of sight."""
    pose = model.pose
    stature = state.table.profile(unit.profile).stature
    return Eye(x=pose.x, y=pose.y, foot=state.height_of(pose), stature=stature, radius=unit.radius)


def firing(state: VoidState, unit: VoidUnit, weapon: Weapon, target: VoidUnit) -> tuple[bool, ...]:
    """For each model of a unit whether it has a model of the target in range and in sight (VS-SI-01, VS-SI-02)."""
    key = unit.profile, weapon.range, target.profile
    return FIRING.get((unit.models, target.models, state.table), key, lambda: _firing(state, unit, weapon, target))


def _firing(state: VoidState, unit: VoidUnit, weapon: Weapon, target: VoidUnit) -> tuple[bool, ...]:
    others = range(len(target.models))
    if all_within(unit, target, weapon.range):
        near = [list(others) for _ in unit.models]
    else:
        near = [[i for i in others if _in_range(state, unit, model, weapon, target, i)] for model in unit.models]
    if not state.holds("VS-SI-02"):
        return tuple(map(bool, near))
    eyes = [eye_of(state, unit, model) for model in unit.models]
    return sees_some(state.board, eyes, [eye_of(state, target, other) for other in target.models], near)


def _in_range(state: VoidState, unit: VoidUnit, model: Model, weapon: Weapon, target: VoidUnit, other: int) -> bool:
    pose = target.models[other].pose
    return not state.holds("VS-SI-01") or within(gap(state, model.pose, unit.radius, pose, target.radius), weapon.range)


def shooting_dice(
    state: VoidState, unit: VoidUnit, target: VoidUnit, snap: bool = False
) -> tuple[tuple[str, int], ...]:
    """Dice of each ranged weapon that can fire at the target now: models in range and sight times rate of fire.

    A snap shot rolls one die a weapon (VS-SN-02).
    """
    found = []
    for weapon in state.profile(unit).ranged:
        rof = 1 if snap and state.holds("VS-SN-02") else weapon.rof
        count = sum(firing(state, unit, weapon, target))
        if count:
            found.append((weapon.id, count * rof))
    return tuple(found)


def is_scout(state: VoidState, target: VoidUnit) -> bool:
    """Whether nobody may aim at a unit, as its scout has not moved yet (VS-SU-07)."""
    return target.scouting and state.holds("VS-SU-07")


def can_shoot(state: VoidState, unit: VoidUnit, target: VoidUnit) -> bool:
    """Whether any model could fire at the target now."""
    key = unit.profile, target.profile, target.scouting
    return SHOTS.get((unit.models, target.models, state.table), key, lambda: _can_shoot(state, unit, target))


def any_in_sight(state: VoidState, unit: VoidUnit) -> bool:
    """Whether the unit could fire at anybody now."""
    foes = state.against(unit.side)
    key = unit.profile, *(foe.scouting for foe in foes)
    places = unit.models, state.table, *(foe.models for foe in foes)
    return AIMS.get(places, key, lambda: any(can_shoot(state, unit, foe) for foe in foes))


def _can_shoot(state: VoidState, unit: VoidUnit, target: VoidUnit) -> bool:
    reach = state.profile(unit).reach
    if not unit.models or not target.models or not reach or is_scout(state, target):
        return False
    if not units_within(state, unit, target, reach) and state.holds("VS-SI-01"):
        return False
    return any(any(firing(state, unit, weapon, target)) for weapon in state.profile(unit).ranged)


def melee_dice(state: VoidState, unit: VoidUnit, target: VoidUnit) -> tuple[tuple[str, int], ...]:
    """Dice of each melee weapon: every engaged model strikes at its nearest enemy unit (VS-ML-01)."""
    foes = state.against(unit.side)
    striking = 0
    for model in unit.models:
        gaps = [(model_gap(state, model, unit.radius, foe), foe.id) for foe in foes]
        near = [pair for pair in gaps if within(pair[0], ENGAGED)]
        striking += bool(near) and min(near)[1] == target.id
    return tuple((weapon.id, striking * weapon.rof) for weapon in state.profile(unit).melee if striking)


def weapon_of(state: VoidState, unit: VoidUnit, name: str) -> Weapon:
    """A weapon of a unit by name."""
    return next(weapon for weapon in state.profile(unit).weapons if weapon.id == name)


def cancels_criticals(state: VoidState, target: VoidUnit) -> bool:
    """Whether the target's answer turns criticals into ordinary locks (VS-DF-03 Defend, VS-DI-02 Ditch)."""
    defends = target.id in the_exchange(state).defending and state.holds("VS-DF-03")
    return defends or (target.ditching and state.holds("VS-DI-02"))


class VolleyHandler(Handler[VoidState, Volley]):
    """Target locks, weapon by weapon."""

    def step(self, state: VoidState, frame: Volley) -> VoidState | None:
        """Done when every weapon has been rolled for, or a side is gone."""
        if not frame.weapons or not state.unit(frame.shooter).models or not state.unit(frame.target).models:
            return without_top(state)
        return None

    def mover(self, state: VoidState, frame: Volley) -> str:
        """Always dice."""
        return CHANCE

    def roll(self, state: VoidState, frame: Volley) -> Roll:
        """Dice for target lock: low is good, a 1 is critical, a 6 always fails (VS-SI-03 to VS-SI-05)."""
        shooter, target = state.unit(frame.shooter), state.unit(frame.target)
        weapon, dice = frame.weapons[0]
        value = 1 if frame.snap and state.holds("VS-SN-03") else state.profile(shooter).target_lock
        value = min(value, 5) if state.holds("VS-SI-05") else value
        value = value if state.holds("VS-SI-03") else 6
        critical = 0 if cancels_criticals(state, target) or not state.holds("VS-SI-04") else 1
        bands = (("critical", 1, critical), ("lock", 1 + critical, value))
        why = f"target lock: {shooter.name} ({shooter.id}) at {target.name} ({target.id}) with {weapon}"
        return Faces(why=why, subject=shooter.id, dice=dice, sides=6, bands=bands)

    def land(self, state: VoidState, frame: Volley, outcome: Outcome) -> VoidState:
        """Keep the locks in the exchange's buffer."""
        assert isinstance(outcome, tuple)
        criticals, locks = outcome
        fire = Fire(
            role=frame.role,
            shooter=frame.shooter,
            target=frame.target,
            weapon=frame.weapons[0][0],
            criticals=criticals,
            locks=locks,
        )
        exchange = the_exchange(state)
        state = with_exchange(state, but(exchange, buffer=(*exchange.buffer, fire)))
        return swap(state, but(frame, weapons=frame.weapons[1:]))
