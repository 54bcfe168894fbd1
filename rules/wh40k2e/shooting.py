"""Shooting: a unit's fire from the choice of targets to the tests of those shot at (chapter SH).

Readings of our own: fire at ordinary targets is resolved before blasts and flames, unit by unit; break tests of those
shot at come when all of the unit's fire is resolved, and then the tests of those still on overwatch, one for each
enemy unit that fires; the jams of equal weapons go to their bearers in turn.
"""

from __future__ import annotations

from itertools import cycle, islice, takewhile
from math import comb

from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, Handler, push, swap, without_top
from tactician.rules.core.chance import Faces, Outcome, Roll
from tactician.rules.core.choice import Assign, Choice
from tactician.rules.core.clauses import Violation
from tactician.rules.core.derive import but
from tactician.rules.core.remember import Remembered
from tactician.rules.core.state import State, other_side
from tactician.rules.wh40k2e.arms import names_of, tended
from tactician.rules.wh40k2e.firing import Fire, best_weapon, groups_of, is_mixed, volley_of
from tactician.rules.wh40k2e.hiding import reveal
from tactician.rules.wh40k2e.leadership import after_losses, overwatch_test
from tactician.rules.wh40k2e.nearest import field_of
from tactician.rules.wh40k2e.state import Scatter, Shooting, Shots, Squad, SquadState, Targeting, Turn, Volleys
from tactician.rules.wh40k2e.targets import aim_faults, fires_of, targets_of, usual_aims
from tactician.rules.wh40k2e.to_hit import chain
from tactician.rules.wh40k2e.wounding import fallen, is_area, reach_of_all, struck, volley_for

__all__ = [
    "ShootingHandler",
    "VolleysHandler",
    "expected_losses",
    "judge_overwatch",
    "judge_shooting",
    "open_fire",
    "shoot_choice",
]

_LOSSES: Remembered[tuple[float, ...]] = Remembered(4_000)


# ---- the player's choice ---------------------------------------------------------------------------------------------


def shoot_choice(state: SquadState, unit: Squad, *, on_overwatch: bool = False, mover: str = "") -> Choice | None:
    """Who of a unit shoots at whom; None where nobody can be shot at.

    Args:
        state: the moment; of fire from overwatch, with its `Targeting` frame on top.
        unit: who shoots.
        on_overwatch: whether the fire comes from overwatch.
        mover: the unit that was interrupted, if any.
    """
    if not targets_of(state, unit, on_overwatch=on_overwatch):
        return None

    def domain() -> Assign:
        models = tuple(model.id for model in unit.models if names_of(state, unit, model.id))
        usual = usual_aims(state, unit, on_overwatch=on_overwatch, mover=mover)
        return Assign(models, usual, judge_overwatch if on_overwatch else judge_shooting)

    return Choice("shoot", unit.id, domain)


def judge_shooting(state: State, action: Action) -> tuple[Violation, ...]:
    """What an assignment of targets in a unit's own turn breaks."""
    assert isinstance(state, SquadState)
    return aim_faults(state, state.unit(action.unit), action.targets)


def judge_overwatch(state: State, action: Action) -> tuple[Violation, ...]:
    """What an assignment of targets from overwatch breaks."""
    assert isinstance(state, SquadState)
    frame = state.agenda[-1] if state.agenda else None
    mover = frame.mover if isinstance(frame, Targeting) else ""
    return aim_faults(state, state.unit(action.unit), action.targets, on_overwatch=True, mover=mover)


def open_fire(state: SquadState, action: Action, *, on_overwatch: bool = False) -> SquadState:
    """The state with a unit's fire under way; a hidden unit is revealed by it (2E-HI-06)."""
    if state.holds("2E-HI-06"):
        state = reveal(state, action.unit, "it shoots")
    unit = state.unit(action.unit)
    state = state.with_unit(but(unit, fired=True))
    frame = Shooting(owner=unit.side, unit=unit.id, orders=action.targets, on_overwatch=on_overwatch)
    return push(state, frame)


# ---- a unit's fire ---------------------------------------------------------------------------------------------------


class ShootingHandler(Handler[SquadState, Shooting]):
    """A unit's fire: groups of equal shots, one after another, then the tests."""

    def step(self, state: SquadState, frame: Shooting) -> SquadState:
        """Everything but the dice."""
        if frame.stage == "sort":
            return _sorted(state, frame)
        if frame.stage == "resolve":
            return _next_shots(state, frame) if frame.todo else _with_losses(state, frame)
        state = without_top(state)
        for name in reversed(_in_turn(state, frame.targets)):
            if state.unit(name).side != state.unit(frame.unit).side:
                state = overwatch_test(state, name)
        return state


def _sorted(state: SquadState, frame: Shooting) -> SquadState:
    """The shots in groups; who shoots clears no jam, and some weapons rest after this."""
    unit = state.unit(frame.unit)
    fires = fires_of(state, unit, frame.orders, on_overwatch=frame.on_overwatch)
    field = field_of(state, unit, on_overwatch=frame.on_overwatch)
    groups = groups_of(field, fires, on_overwatch=frame.on_overwatch)
    firing = tuple(fire.model.id for fire in fires)
    if not frame.on_overwatch:
        unit = tended(state, unit, firing)
    waits = 1 if frame.on_overwatch else 2
    tired = [fire.model.id for fire in fires if fire.weapon.recharges for _ in range(waits)]
    if state.holds("2E-SH-11"):
        unit = but(unit, recharging=(*unit.recharging, *tired))
    targets = tuple(sorted({fire.foe for fire in fires}))
    return swap(state.with_unit(unit), but(frame, todo=groups, targets=targets, stage="resolve"))


def _next_shots(state: SquadState, frame: Shooting) -> SquadState:
    """The next group of shots; all ordinary ones at one unit go together."""
    first = frame.todo[0]
    if is_area(state.table.weapon(first.weapon)):
        state = swap(state, but(frame, todo=frame.todo[1:]))
        return push(state, Scatter(owner=frame.owner, unit=frame.unit, shots=first))
    together = tuple(
        takewhile(
            lambda shots: shots.target == first.target and not is_area(state.table.weapon(shots.weapon)), frame.todo
        )
    )
    state = swap(state, but(frame, todo=frame.todo[len(together) :]))
    return push(state, Volleys(owner=frame.owner, unit=frame.unit, target=first.target, groups=together))


def _with_losses(state: SquadState, frame: Shooting) -> SquadState:
    """All shots are resolved: what losses call for comes before the tests of those on overwatch."""
    state = swap(state, but(frame, stage="tests"))
    for name in reversed(_in_turn(state, frame.targets)):
        state = after_losses(state, name)
    return state


def _in_turn(state: SquadState, names: tuple[str, ...]) -> list[str]:
    """Units in the order in which they take tests: those of the player whose turn it is first, then by name."""
    turn = next((one for one in state.agenda if isinstance(one, Turn)), None)
    active = turn.owner if turn is not None else other_side(state.first or "blue")
    return sorted(names, key=lambda name: (state.unit(name).side != active, name))


# ---- dice ------------------------------------------------------------------------------------------------------------

PARTS = 1_500
"""Ways in which shots may be shared out by one roll; more of them are shared out in several rolls."""


class VolleysHandler(Handler[SquadState, Volleys]):
    """Groups of shots at one unit, or into one combat."""

    def step(self, state: SquadState, frame: Volleys) -> SquadState | None:
        """Leave out what can no longer hit anybody; done when nothing is left."""
        groups = tuple(shots for one in frame.groups if (shots := _standing(state, one)) is not None)
        if not groups:
            return without_top(state)
        return None if groups == frame.groups else swap(state, but(frame, groups=groups))

    def mover(self, state: SquadState, frame: Volleys) -> str:
        """Always dice."""
        return CHANCE

    def roll(self, state: SquadState, frame: Volleys) -> Roll:
        """Whom shots into a combat go at; or hits, wounds and saves of the next groups with equal reach."""
        unit, mixed = state.unit(frame.unit), _first_mixed(state, frame)
        if mixed is not None:
            bands = tuple((name, face, face) for face, name in enumerate(mixed.reach, start=1))
            why = f"combat: whom shots of {unit.name} ({unit.id}) with {mixed.weapon} go at"
            return Faces(why=why, subject=unit.id, dice=_shared(mixed), sides=len(mixed.reach), bands=bands)
        batch = _batch(frame)
        return volley_for(state, unit, state.unit(batch[0].target), batch)

    def land(self, state: SquadState, frame: Volleys, outcome: Outcome) -> SquadState:
        """Share the shots out; or take casualties off, and note jams."""
        assert isinstance(outcome, tuple)
        mixed = _first_mixed(state, frame)
        if mixed is not None:
            return swap(state, but(frame, groups=_shared_out(state, frame, mixed, outcome)))
        batch = _batch(frame)
        state = swap(state, but(frame, groups=frame.groups[len(batch) :]))
        state = _jams(state, frame.unit, batch, outcome[2:])
        return fallen(state, batch[0].target, outcome[0], outcome[1], reach_of_all(batch))


def _standing(state: SquadState, shots: Shots) -> Shots | None:
    """Shots at those still on the table; None where they can do nothing at all."""
    standing = {model.id for unit in state.units for model in unit.models}
    reach = tuple(name for name in shots.reach if name in standing)
    weapon = state.table.weapon(shots.weapon)
    hits = shots.sure or chain(shots.need, goes_on=state.holds("2E-TH-08")) is not None
    harmless = shots.wound > 6 and not (weapon.sustained and state.holds("2E-SH-08"))
    if not reach or not hits or not shots.count:
        return None
    left = shots if reach == shots.reach else but(shots, reach=reach)
    return None if harmless and not is_mixed(state, left) else left


def _first_mixed(state: SquadState, frame: Volleys) -> Shots | None:
    """The first shots that go into a combat: all are shared out before any strikes."""
    return next((shots for shots in frame.groups if is_mixed(state, shots)), None)


def _batch(frame: Volleys) -> tuple[Shots, ...]:
    """The next groups that go at the same models."""
    first = frame.groups[0]
    same = (first.target, frozenset(first.reach))
    return tuple(takewhile(lambda shots: (shots.target, frozenset(shots.reach)) == same, frame.groups))


def _shared(shots: Shots) -> int:
    """How many shots of a group one roll shares out among the models of a combat."""
    models = len(shots.reach)
    return max(
        (number for number in range(1, shots.count + 1) if comb(number + models - 1, number) <= PARTS), default=1
    )


def _shared_out(state: SquadState, frame: Volleys, mixed: Shots, counts: tuple[int, ...]) -> tuple[Shots, ...]:
    """The groups with some shots into a combat given to the models that they go at (2E-SH-07)."""
    unit, weapon = state.unit(frame.unit), state.table.weapon(mixed.weapon)
    shooters, found = mixed.shooters, list[Shots]()
    for name, count in zip(mixed.reach, counts, strict=True):
        if count:
            foe = state.owner(name)
            wound, save = struck(state, unit, weapon, foe)
            changes = {"shooters": shooters[:count], "target": foe.id, "reach": (name,), "count": count}
            found.append(but(mixed, **changes, wound=wound, save=save))
            shooters = shooters[count:]
    rest = [but(mixed, shooters=shooters, count=len(shooters))] if shooters else []
    place = frame.groups.index(mixed)
    return (*frame.groups[:place], *found, *rest, *frame.groups[place + 1 :])


def _jams(state: SquadState, name: str, batch: tuple[Shots, ...], jams: tuple[int, ...]) -> SquadState:
    """The state with jams noted, one for each bearer in turn (2E-SH-09)."""
    if not any(jams) or not state.holds("2E-SH-09"):
        return state
    unit = state.unit(name)
    found = dict(unit.jams)
    bursting = [shots for shots in batch if state.table.weapon(shots.weapon).sustained]
    for shots, count in zip(bursting, jams, strict=True):
        for model in islice(cycle(shots.shooters), count):
            found[model] = found.get(model, 0) + 1
    standing = {model.id for model in unit.models}
    return state.with_unit(but(unit, jams=tuple(sorted(pair for pair in found.items() if pair[0] in standing))))


# ---- for whoever weighs positions ------------------------------------------------------------------------------------


def expected_losses(state: SquadState, attacker: Squad, target: Squad) -> tuple[float, ...]:
    """How likely it is that a unit loses no model, one, two and so on by one shooting from where both stand.

    Everybody who can fires his best weapon at it, whatever other target he would have to take. Exact for ordinary
    shots at models equally in reach; blasts count as one shot for each model about the one aimed at, and fire into
    a combat counts as none.
    """
    key = attacker.id, target.id
    return _LOSSES.get((state.table, state.units), key, lambda: _expected_losses(state, attacker, target))


def _expected_losses(state: SquadState, attacker: Squad, target: Squad) -> tuple[float, ...]:
    field = field_of(state, attacker)
    fires = [
        Fire(model, weapon, target.id)
        for model in attacker.models
        if (weapon := best_weapon(field, model, target.id)) is not None
    ]
    volley = volley_of(field, target.id, groups_of(field, fires))
    chances = [0.0] * (len(target.models) + 1)
    if volley is None:
        chances[0] = 1.0
        return tuple(chances)
    for outcome, chance in volley.support():
        assert isinstance(outcome, tuple)
        chances[outcome[0]] += chance
    return tuple(chances)
