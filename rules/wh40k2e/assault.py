"""Chargers on their way: the order in which they go, the ways they take, and what ways that are said break."""

from __future__ import annotations

from dataclasses import dataclass

from tactician.rules.core.action import Action, Pairs
from tactician.rules.core.agenda import push
from tactician.rules.core.barriers import disc_intervals
from tactician.rules.core.choice import Choice, Nothing
from tactician.rules.core.clauses import MALFORMED, Violation
from tactician.rules.core.forms import path_faults
from tactician.rules.core.legs import Path, Pose, walk
from tactician.rules.core.measure import TOL, Inches, beyond, snap
from tactician.rules.core.movement import judge, paid
from tactician.rules.core.state import Model, State
from tactician.rules.wh40k2e.charging import foes_from, legal_target
from tactician.rules.wh40k2e.contact import foes_of, model_gap
from tactician.rules.wh40k2e.movement import Gait, allowance_of, move_type
from tactician.rules.wh40k2e.state import Moving, Squad, SquadState
from tactician.rules.wh40k2e.ways import contact_way, end_of, part_of, toward

__all__ = ["ChargeWays", "assault_choice", "begin_assault", "charge_plan", "order_of"]

Plan = tuple[tuple[str, Path], ...]


def order_of(state: SquadState, unit: Squad, targets: Pairs) -> tuple[str, ...]:
    """The chargers, whoever is nearest to his target first (the usual order; the player may choose another)."""

    def away(pair: tuple[str, str]) -> tuple[Inches, str]:
        try:
            other = state.owner(pair[1])
        except KeyError:
            return float("inf"), pair[0]
        gap = model_gap(unit.model(pair[0]).pose, unit.radius, other.model(pair[1]).pose, other.radius)
        return round(gap, 9), pair[0]

    standing = {model.id for model in unit.models}
    return tuple(name for name, _ in sorted((pair for pair in targets if pair[0] in standing), key=away))


def charge_plan(
    state: SquadState,
    unit: Squad,
    targets: Pairs,
    allowance: Inches,
    *,
    gait: Gait = "charge",
    spent: tuple[tuple[str, Inches], ...] = (),
    given: Plan = (),
    order: tuple[str, ...] = (),
) -> Plan:
    """The ways of all chargers, one after another: into contact, or as far as the movement goes.

    Args:
        state: the moment before the first of them moves.
        unit: the unit.
        targets: model and the enemy model declared for it.
        allowance: inches that each may pay.
        gait: ``charge`` or ``frenzy``.
        spent: inches that models have paid already.
        given: ways that the player has said.
        order: order of the models; the usual one for those it does not name.
    """
    wanted, said, gone = dict(targets), dict(given), dict(spent)
    names = (*order, *(name for name in order_of(state, unit, targets) if name not in order))
    plan: list[tuple[str, Path]] = []
    for name in names:
        unit = state.unit(unit.id)
        model = unit.model(name)
        if name not in said and foes_of(state, name):
            continue
        if name in said:
            path = _up_to_contact(state, unit, model, said[name])
        else:
            path = _way(state, unit, model, wanted[name], allowance - gone.get(name, 0.0), gait)
        if path:
            plan.append((name, path))
            state = _moved(state, unit, model, path)
    return tuple(plan)


def _up_to_contact(state: SquadState, unit: Squad, model: Model, path: Path) -> Path:
    """A way that was said, as far as it touches nobody: at the first enemy that it touches it is over (rulings)."""
    stretches = walk(model.pose, path, state.board)
    foes = [(one.pose, unit.radius + other.radius) for other in state.against(unit.side) for one in other.models]
    for number, stretch in enumerate(stretches):
        spans = [disc_intervals(stretch, pose.x, pose.y, reach + TOL / 2) for pose, reach in foes]
        met = [span[0][0] for span in spans if span]
        if met and (number < len(stretches) - 1 or beyond((1.0 - min(met)) * stretch.across, 0.0)):
            return part_of(path, stretches, number + min(met), state.board)
    return path


def _moved(state: SquadState, unit: Squad, model: Model, path: Path) -> SquadState:
    end = end_of(state, model, path)
    return state.with_unit(unit.moved({model.id: Pose(snap(end.x), snap(end.y), end.surface, end.bearing)}))


def _way(state: SquadState, unit: Squad, model: Model, target: str, inches: Inches, gait: Gait) -> Path:
    """One charger's way: to the nearest, or as far as it comes (2E-CH-13, 2E-CH-18)."""
    kind = move_type(state, unit, gait)
    for name in _targets(state, unit, model, target):
        foe_unit = state.owner(name)
        foe = foe_unit.model(name)
        if model_gap(model.pose, unit.radius, foe.pose, foe_unit.radius) > inches + 1.0 + TOL:
            continue
        way = contact_way(state, unit, model, foe, foe_unit, kind, inches)
        if way is not None:
            return tuple(way.legs)
    first = legal_target(state, unit, model, target)
    if not first or not state.holds("2E-CH-18"):
        return ()
    foe_unit = state.owner(first)
    return toward(state, unit, model, foe_unit.model(first), foe_unit, kind, inches)


def _targets(state: SquadState, unit: Squad, model: Model, target: str) -> tuple[str, ...]:
    """Whom a charger tries to reach, in order; only the nearest unless the option lets it try others."""
    first = legal_target(state, unit, model, target)
    if not first:
        return ()
    if state.table.option("unreachable_nearest") != "next":
        return (first,)
    others = [foe.model.id for foe in foes_from(state, unit, model.pose) if not foe.fights]
    return tuple(dict.fromkeys((first, *others)))


@dataclass(frozen=True, slots=True)
class ChargeWays(Nothing):
    """Chargers move: the rules know the ways, but the player may say some, and the order."""

    def explain(self, state: State, choice: Choice, action: Action) -> tuple[Violation, ...]:
        """What ways that were said break: see `assault_faults`."""
        assert isinstance(state, SquadState)
        extra = [name for name in ("targets", "models", "places", "mark") if getattr(action, name)]
        faults = [
            Violation(clause=MALFORMED, subject=choice.unit, text=f"{action.verb} takes no {name} here")
            for name in extra
        ]
        return (*faults, *assault_faults(state, action))

    def clip(self, state: State, choice: Choice, action: Action) -> Action:
        """The ways as said where they are legal, else those that the rules know."""
        return action if not self.explain(state, choice, action) else choice.bare()


def assault_choice(unit: Squad) -> Choice:
    """The move of a unit that has declared a charge."""
    return Choice("assault", unit.id, ChargeWays())


def assault_faults(state: SquadState, action: Action) -> tuple[Violation, ...]:
    """What the ways of chargers break: the move itself, and that each ends at its target if it can."""
    unit = state.unit(action.unit)
    targets = dict(unit.charge)
    if action.order and not action.paths:
        return _order_faults(unit, action.order)
    form = path_faults(state, unit, action, "sequence")
    strangers = [name for name in dict(action.paths) if name not in targets]
    if form or strangers:
        text = "declared no charge"
        return (*form, *(Violation(clause="2E-CH-13", subject=name, text=text) for name in strangers))
    if not action.paths:
        return ()
    kind = move_type(state, unit, "charge")
    found = list(judge(state, unit, kind, dict(action.paths), action.order).violations)
    return tuple(found) or tuple(_misses(state, unit, action))


def _order_faults(unit: Squad, order: tuple[str, ...]) -> tuple[Violation, ...]:
    """What an order of chargers breaks that says none of their ways: it names each at most once."""
    known = tuple(name for name, _ in unit.charge if any(model.id == name for model in unit.models))
    text = f"an order names chargers of {', '.join(known)}, each once"
    wrong = [name for number, name in enumerate(order) if name not in known or name in order[:number]]
    return tuple(Violation(clause=MALFORMED, subject=name, text=text) for name in wrong)


def _misses(state: SquadState, unit: Squad, action: Action) -> list[Violation]:
    """Chargers whose way ends at nobody although they could reach their target, or short of the full distance."""
    found = []
    allowance = allowance_of(state, unit, "charge")
    order = action.order or tuple(name for name, _ in action.paths)
    for name in order:
        unit = state.unit(unit.id)
        model, path = unit.model(name), dict(action.paths)[name]
        target = legal_target(state, unit, model, dict(unit.charge)[name])
        proper = _way(state, unit, model, dict(unit.charge)[name], allowance, "charge")
        reaches = target in foes_of(_moved(state, unit, model, proper), name)
        path = _up_to_contact(state, unit, model, path)
        after = _moved(state, unit, model, path)
        ends = end_of(state, model, path)
        if reaches and target not in foes_of(after, name) and not foes_of(after, name):
            other = state.owner(target)
            gap = model_gap(ends, unit.radius, other.model(target).pose, other.radius)
            found.append(_missed(name, target, gap, ends))
        elif not reaches and not foes_of(after, name):
            found += _short(state, unit, model, path, proper)
        state = after
    return found


def _missed(name: str, target: str, gap: Inches, end: Pose) -> Violation:
    text = "a charger goes into contact with its target if it can"
    return Violation(
        clause="2E-CH-16",
        also=("2E-CH-14",),
        subject=name,
        against=target,
        text=text,
        measured=gap,
        limit=0.0,
        at=(round(end.x, 4), round(end.y, 4)),
    )


def _short(state: SquadState, unit: Squad, model: Model, path: Path, proper: Path) -> list[Violation]:
    """2E-CH-18: who reaches nobody goes the full distance along the way."""
    kind = move_type(state, unit, "charge")
    mine = paid(kind, walk(model.pose, path, state.board), unit.radius)
    full = paid(kind, walk(model.pose, proper, state.board), unit.radius)
    if mine >= full - 2 * TOL:
        return []
    text = "a charger that reaches nobody goes the full distance"
    return [Violation(clause="2E-CH-18", subject=model.id, text=text, measured=mine, limit=full)]


def begin_assault(state: SquadState, action: Action) -> SquadState:
    """Announce the ways of a unit's chargers."""
    unit = state.unit(action.unit)
    allowance = allowance_of(state, unit, "charge")
    plan = charge_plan(state, unit, unit.charge, allowance, given=action.paths, order=action.order)
    return push(state, Moving(owner=unit.side, unit=unit.id, gait="charge", plan=plan, allowance=allowance))
