"""Damage and casualties: chapter *Damage* (damage rolls, grievous damage, who is removed)."""

from __future__ import annotations

from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, Handler, push, swap, without_top
from tactician.rules.core.chance import Outcome, Roll, Successes
from tactician.rules.core.choice import Choice, Subset
from tactician.rules.core.derive import but
from tactician.rules.core.movement import disorder_of
from tactician.rules.voidsiege.cover import resolve_against
from tactician.rules.voidsiege.engagement import model_gap
from tactician.rules.voidsiege.movement import coherency_rule
from tactician.rules.voidsiege.shooting import the_exchange, weapon_of, with_exchange
from tactician.rules.voidsiege.state import Casualties, DamageRoll, Fire, VoidState, VoidUnit

__all__ = ["CasualtiesHandler", "DamageHandler", "losses", "removed", "roll_damage", "usual_losses"]

Drags = tuple[str, str, bool]


def resolve_value(state: VoidState, fire: Fire) -> int:
    """The Resolve that some shots meet now."""
    ledger = resolve_against(state, the_exchange(state), state.unit(fire.target), fire.role == "melee")
    return round(ledger.total)


def is_grievous(state: VoidState, fire: Fire) -> bool:
    """Whether a weapon's Force makes every lock damage without a roll (VS-DM-02)."""
    force = weapon_of(state, state.unit(fire.shooter), fire.weapon).force
    return state.holds("VS-DM-02") and force >= resolve_value(state, fire)


def roll_damage(state: VoidState) -> VoidState:
    """Settle the locks in the buffer: grievous ones at once, the rest by dice."""
    exchange = the_exchange(state)
    todo = []
    buffer = []
    for place, fire in enumerate(exchange.buffer):
        if fire.locks and state.unit(fire.target).models:
            if is_grievous(state, fire):
                fire = but(fire, damage=fire.locks)
            else:
                todo.append(place)
        buffer.append(fire)
    state = with_exchange(state, but(exchange, buffer=tuple(buffer)))
    return push(state, DamageRoll(todo=tuple(todo))) if todo else state


class DamageHandler(Handler[VoidState, DamageRoll]):
    """Damage rolls, one for the locks of each weapon."""

    def step(self, state: VoidState, frame: DamageRoll) -> VoidState | None:
        """Done when nothing is left to roll."""
        return None if frame.todo else without_top(state)

    def mover(self, state: VoidState, frame: DamageRoll) -> str:
        """Always dice."""
        return CHANCE

    def roll(self, state: VoidState, frame: DamageRoll) -> Roll:
        """Each lock damages on its Resolve or more (VS-DM-01)."""
        fire = the_exchange(state).buffer[frame.todo[0]]
        target = state.unit(fire.target)
        need = resolve_value(state, fire) if state.holds("VS-DM-01") else 7
        why = f"damage: {fire.weapon} of {fire.shooter} against Resolve {need} of {target.name} ({target.id})"
        return Successes(why=why, subject=fire.shooter, dice=fire.locks, sides=6, at_least=need)

    def land(self, state: VoidState, frame: DamageRoll, outcome: Outcome) -> VoidState:
        """Note the damage."""
        assert isinstance(outcome, int)
        exchange = the_exchange(state)
        place = frame.todo[0]
        fire = but(exchange.buffer[place], damage=outcome)
        buffer = (*exchange.buffer[:place], fire, *exchange.buffer[place + 1 :])
        state = with_exchange(state, but(exchange, buffer=buffer))
        return swap(state, but(frame, todo=frame.todo[1:]))


def losses(state: VoidState, only_criticals_of: str = "") -> VoidState:
    """Turn damage in the buffer into casualties of both sides, the commanding side's first.

    Args:
        state: the moment.
        only_criticals_of: take only the criticals of this role (VS-SI-06: a command's land before the reply).
    """
    exchange = the_exchange(state)
    harm: dict[str, list[tuple[int, str]]] = {}
    buffer, dragging = [], exchange.dragging
    for fire in exchange.buffer:
        if only_criticals_of:
            count = fire.criticals if fire.role == only_criticals_of else 0
            buffer.append(but(fire, criticals=fire.criticals - count))
        else:
            count = fire.criticals + fire.damage
        if count:
            harm.setdefault(fire.target, []).append((count, fire.shooter))
            dragging = noted_drag(state, dragging, fire)
    met = {fire.target for fire in exchange.buffer if fire.criticals or fire.locks or fire.damage}
    if not only_criticals_of:
        state = _ditch_spent(state, met)
    state = with_exchange(state, but(exchange, buffer=tuple(buffer), dragging=dragging))
    frames = [
        Casualties(owner=state.unit(name).side, unit=name, count=sum(c for c, _ in rows), shooter=rows[0][1])
        for name, rows in sorted(harm.items())
    ]
    frames.sort(key=lambda frame: (frame.owner != exchange.owner, frame.unit), reverse=True)
    return push(state, *frames)


def noted_drag(state: VoidState, noted: tuple[Drags, ...], fire: Fire) -> tuple[Drags, ...]:
    """What is noted of units with Drag that do damage, with some damaging shots or blows added (VS-DG-01).

    Whether they pull is read off now, while the Resolve is the one that was met (option `drag_resolve`).
    """
    shooter, target = state.profile(state.unit(fire.shooter)), state.profile(state.unit(fire.target))
    if "drag" not in shooter.rules or not state.holds("VS-DG-01"):
        return noted
    if any(row[:2] == (fire.shooter, fire.target) for row in noted):
        return noted
    met = resolve_value(state, fire) if state.table.option("drag_resolve") == "met" else target.resolve
    return (*noted, (fire.shooter, fire.target, met <= shooter.resolve))


def _ditch_spent(state: VoidState, met: set[str]) -> VoidState:
    """Ditch protects against the next incoming damage only, even where it stops all of it (VS-DI-03)."""
    for name in sorted(met):
        unit = state.unit(name)
        if unit.ditching and state.holds("VS-DI-03"):
            state = state.with_unit(but(unit, ditching=False))
    return state


def usual_losses(state: VoidState, unit: VoidUnit, count: int, shooter: str) -> tuple[str, ...]:
    """The default casualties: coherency is kept, and the model nearest the shooter goes last (VS-DM-03)."""
    foe = state.unit(shooter)
    gone: tuple[str, ...] = ()
    rule = coherency_rule(state)
    nearest_first = state.table.option("casualties") == "nearest"
    for _ in range(count):
        left = unit.without(gone)
        best = min(
            left.models,
            key=lambda model: (
                0 if nearest_first else disorder_of(state, left.without((model.id,)), rule),
                round((1 if nearest_first else -1) * model_gap(state, model, unit.radius, foe), 6),
                model.id,
            ),
        )
        gone = (*gone, best.id)
    return tuple(sorted(gone))


def removed(state: VoidState, name: str, models: tuple[str, ...]) -> VoidState:
    """The state with models of a unit lost."""
    unit = state.unit(name)
    told = f"{unit.name} ({name}) loses {', '.join(models)}"
    state = but(state, log=(*state.log, told))
    return state.with_unit(but(unit.without(models), lost=(*unit.lost, *models)))


class CasualtiesHandler(Handler[VoidState, Casualties]):
    """The owner takes off one model for each damage."""

    def step(self, state: VoidState, frame: Casualties) -> VoidState | None:
        """Nothing to choose when all fall, or where the option removes the nearest."""
        unit = state.unit(frame.unit)
        if not unit.models or not frame.count:
            return without_top(state)
        if frame.count >= len(unit.models):
            return without_top(removed(state, unit.id, tuple(model.id for model in unit.models)))
        if state.table.option("casualties") == "nearest" or not state.holds("VS-DM-03"):
            return without_top(removed(state, unit.id, self._usual(state, frame)))
        return None

    def _usual(self, state: VoidState, frame: Casualties) -> tuple[str, ...]:
        return usual_losses(state, state.unit(frame.unit), frame.count, frame.shooter)

    def choices(self, state: VoidState, frame: Casualties) -> tuple[Choice, ...]:
        """Which models."""
        ids = tuple(model.id for model in state.unit(frame.unit).models)
        subset = Subset(ids, frame.count, frame.count, self._usual(state, frame))
        return (Choice("remove", frame.unit, subset),)

    def take(self, state: VoidState, frame: Casualties, action: Action) -> VoidState:
        """Take them off."""
        return without_top(removed(state, frame.unit, tuple(sorted(action.models))))
