"""Charges: who may be declared as whose target, and the ways that chargers go (chapter CH)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tactician.rules.core.action import Action, Pairs
from tactician.rules.core.agenda import push
from tactician.rules.core.barriers import disc_intervals
from tactician.rules.core.choice import Assign, Choice, Nothing
from tactician.rules.core.clauses import MALFORMED, Violation
from tactician.rules.core.derive import but
from tactician.rules.core.forms import nearest, path_faults
from tactician.rules.core.legs import Path, Pose, walk
from tactician.rules.core.measure import TOL, Inches, beyond, snap, within
from tactician.rules.core.movement import judge, paid
from tactician.rules.core.state import Model, State
from tactician.rules.wh40k2e.contact import foes_of, model_gap, touching
from tactician.rules.wh40k2e.movement import Gait, allowance_of, move_type
from tactician.rules.wh40k2e.state import Moving, Squad, SquadState
from tactician.rules.wh40k2e.ways import contact_way, end_of, part_of, toward

__all__ = [
    "ChargeWays",
    "assault_choice",
    "begin_assault",
    "charge_choice",
    "charge_plan",
    "declared",
    "legal_target",
    "may_charge",
    "order_of",
]

OFFERED: Inches = 3.0
"""So far beyond its charge reach a charge is still offered, so that the list of offers is no tape measure."""

Plan = tuple[tuple[str, Path], ...]


@dataclass(frozen=True, slots=True)
class Foe:
    """An enemy model as a charger sees it."""

    model: Model
    unit: Squad
    gap: Inches
    fights: bool


def foes_from(state: SquadState, unit: Squad, pose: Pose) -> list[Foe]:
    """Enemy models by their distance from a place, the nearest first."""
    busy = touching(state)
    found = []
    for other in state.against(unit.side):
        if other.hidden and not state.holds("2E-CH-19"):
            continue
        for model in other.models:
            gap = model_gap(pose, unit.radius, model.pose, other.radius)
            found.append(Foe(model, other, gap, model.id in busy))
    return sorted(found, key=lambda foe: (round(foe.gap, 9), foe.model.id))


# ---- declaring -------------------------------------------------------------------------------------------------------


def may_charge(state: SquadState, unit: Squad) -> tuple[Violation, ...]:
    """Why a unit may not declare a charge; empty where it may."""
    texts = []
    if unit.overwatch:
        texts.append(("2E-OW-05", "a unit on overwatch does nothing else"))
    if unit.broken or unit.shaken:
        texts.append((MALFORMED, "a broken or shaken unit does not charge"))
    if not _free(state, unit):
        texts.append(("2E-SH-06", "every model of it fights already"))
    return tuple(Violation(clause=clause, subject=unit.id, text=text) for clause, text in texts)


def _free(state: SquadState, unit: Squad) -> tuple[Model, ...]:
    """Models of a unit that fight nobody."""
    busy = touching(state)
    return tuple(model for model in unit.models if model.id not in busy)


def charge_choice(state: SquadState, unit: Squad) -> Choice | None:
    """The declaration that a unit is offered: where at least one model has an enemy within reach or a little more."""
    reach = 2 * state.profile(unit).move + OFFERED
    free = _free(state, unit)
    near = any(foe.gap <= reach for model in free for foe in foes_from(state, unit, model.pose)[:1])
    if not near:
        return None

    def domain() -> Assign:
        return Assign(tuple(model.id for model in free), usual_targets(state, unit), declaration_faults)

    return Choice("charge", unit.id, domain)


def usual_targets(state: SquadState, unit: Squad) -> tuple[Pairs, ...]:
    """Legal declarations worth a thought: each model takes the nearest enemy left, or all pile on the nearest."""
    free = sorted(_free(state, unit), key=lambda model: (_nearest_gap(state, unit, model), model.id))
    taken: set[str] = set()
    spread: list[tuple[str, str]] = []
    piled: list[tuple[str, str]] = []
    for model in free:
        foes = foes_from(state, unit, model.pose)
        if not foes:
            continue
        left = [foe for foe in foes if not foe.fights and foe.model.id not in taken]
        target = left[0] if left else foes[0]
        taken.add(target.model.id)
        spread.append((model.id, target.model.id))
        open_foes = [foe for foe in foes if not foe.fights]
        piled.append((model.id, (open_foes[0] if open_foes and not left else foes[0]).model.id))
    found = [tuple(sorted(spread)), tuple(sorted(piled))]
    return tuple(dict.fromkeys(one for one in found if not _left_over(state, unit, dict(one)))) or (found[0],)


def _nearest_gap(state: SquadState, unit: Squad, model: Model) -> Inches:
    foes = foes_from(state, unit, model.pose)
    return round(foes[0].gap, 9) if foes else float("inf")


def declaration_faults(state: State, action: Action) -> tuple[Violation, ...]:
    """What a declaration breaks: targets are enemy models, each the nearest that is left (2E-CH-03, 2E-CH-04)."""
    assert isinstance(state, SquadState)
    unit = state.unit(action.unit)
    known = tuple(model.id for other in state.against(unit.side) for model in other.models)
    strange = [(role, target) for role, target in action.targets if target not in known]
    if strange:
        return tuple(
            Violation(clause=MALFORMED, subject=role, text=f"{target!r} is no enemy model{nearest(target, known)}")
            for role, target in strange
        )
    hidden = _hidden_targets(state, unit, action)
    if hidden:
        return hidden
    left = _left_over(state, unit, dict(action.targets))
    return tuple(_not_nearest(state, unit, name, target) for name, target in sorted(left.items()))


def _hidden_targets(state: SquadState, unit: Squad, action: Action) -> tuple[Violation, ...]:
    """2E-CH-19: without it nobody hidden is charged."""
    if state.holds("2E-CH-19"):
        return ()
    text = "hidden models are not charged"
    return tuple(
        Violation(clause="2E-CH-04", subject=role, against=target, text=text)
        for role, target in action.targets
        if state.owner(target).hidden
    )


def _not_nearest(state: SquadState, unit: Squad, name: str, target: str) -> Violation:
    foes = foes_from(state, unit, unit.model(name).pose)
    chosen = next(foe for foe in foes if foe.model.id == target)
    open_foes = [foe for foe in foes if not foe.fights] or foes
    return Violation(
        clause="2E-CH-04",
        also=("2E-CH-11", "2E-CH-14"),
        subject=name,
        against=target,
        text=f"a charger takes the nearest enemy left, such as {open_foes[0].model.id}",
        measured=chosen.gap,
        limit=open_foes[0].gap,
        at=unit.model(name).pose.point,
    )


def _left_over(state: SquadState, unit: Squad, targets: dict[str, str]) -> dict[str, str]:
    """The chargers that cannot be put in an order in which each one's target is the nearest left (rulings).

    A charger whose target is the nearest of all may go once nobody who waits needs that enemy untaken; any other goes
    when all nearer enemies that do not fight are taken and its own target is neither taken nor fighting.
    """
    waiting = {name: foes_from(state, unit, unit.model(name).pose) for name in sorted(targets)}
    taken: set[str] = set()
    is_first = {name: _is_nearest(state, foes, targets[name]) for name, foes in waiting.items()}
    while True:
        ready = [
            name
            for name, foes in waiting.items()
            if (
                not _is_needed(name, targets, waiting, is_first)
                if is_first[name]
                else _is_next(foes, targets[name], taken)
            )
        ]
        if not ready:
            return {name: targets[name] for name in waiting}
        taken.add(targets[ready[0]])
        del waiting[ready[0]]


def _is_nearest(state: SquadState, foes: list[Foe], target: str) -> bool:
    """Whether no enemy at all is nearer than the target (2E-CH-14: whether it fights or not)."""
    if not state.holds("2E-CH-14"):
        return False
    gap = next((foe.gap for foe in foes if foe.model.id == target), None)
    return gap is not None and within(gap, foes[0].gap)


def _is_needed(name: str, targets: dict[str, str], waiting: Iterable[str], is_first: dict[str, bool]) -> bool:
    """Whether somebody else who waits needs the same enemy untaken."""
    return any(other != name and targets[other] == targets[name] and not is_first[other] for other in waiting)


def _is_next(foes: list[Foe], target: str, taken: set[str]) -> bool:
    mine = next((foe for foe in foes if foe.model.id == target), None)
    if mine is None or mine.fights or target in taken:
        return False
    nearer = [foe for foe in foes if foe.gap < mine.gap - TOL]
    return all(foe.fights or foe.model.id in taken for foe in nearer)


def declared(state: SquadState, action: Action) -> SquadState:
    """The state with a charge declared, model by model (2E-CH-03, 2E-CH-05)."""
    unit = state.unit(action.unit)
    targets = action.targets
    if not state.holds("2E-CH-05"):
        first = state.owner(targets[0][1]).id
        targets = tuple(pair for pair in targets if state.owner(pair[1]).id == first)
    if not state.holds("2E-CH-03"):
        targets = tuple((name, targets[0][1]) for name, _ in targets)
    return state.with_unit(but(unit, charge=targets, hidden=False, spotters=()))


# ---- moving chargers -------------------------------------------------------------------------------------------------


def legal_target(state: SquadState, unit: Squad, model: Model, target: str) -> str:
    """Whom a charger has to go for when it moves: the declared target, or a nearer enemy (2E-CH-04, 2E-CH-15).

    Returns:
        Id of an enemy model; empty where no enemy is left.
    """
    foes = foes_from(state, unit, model.pose)
    if not foes:
        return ""
    mine = next((foe for foe in foes if foe.model.id == target), None)
    if mine is not None and (not state.holds("2E-CH-15") or _stays(state, foes, mine)):
        return target
    open_foes = [foe for foe in foes if not foe.fights]
    return (open_foes or foes)[0].model.id


def _stays(state: SquadState, foes: list[Foe], mine: Foe) -> bool:
    """Whether a declared target is still legal: nearest of all, or free with all nearer ones fighting."""
    if within(mine.gap, foes[0].gap):
        return True
    return not mine.fights and all(foe.fights for foe in foes if foe.gap < mine.gap - TOL)


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
