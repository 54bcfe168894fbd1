"""Charges: who may be declared as whose target, and whom a charger goes for when it moves (chapter CH)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import itemgetter

from tactician.rules.core.action import Action, Pairs
from tactician.rules.core.choice import Assign, Choice
from tactician.rules.core.clauses import MALFORMED, Violation
from tactician.rules.core.derive import but
from tactician.rules.core.forms import nearest
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import TOL, Inches, within
from tactician.rules.core.state import Model, State
from tactician.rules.wh40k2e.contact import model_gap, surely_beyond, touching
from tactician.rules.wh40k2e.state import Squad, SquadState

__all__ = [
    "Foe",
    "charge_choice",
    "declaration_faults",
    "declared",
    "foes_from",
    "legal_target",
    "may_charge",
    "usual_targets",
]

OFFERED: Inches = 3.0
"""So far beyond its charge reach a charge is still offered, so that the list of offers is no tape measure."""


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
            found.append((round(gap, 9), model.id, gap, model, other))
    found.sort(key=itemgetter(0, 1))
    return [Foe(model, other, gap, name in busy) for _, name, gap, model, other in found]


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
    if all(surely_beyond(unit, other, reach) for other in state.against(unit.side)):
        return None
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


# ---- when they move -----------------------------------------------------------------------------------------------


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
