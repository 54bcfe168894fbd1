"""Facts of a moment by path, for cases and for anybody who asks: read off the state, never stored."""

from __future__ import annotations

from collections.abc import Callable

from tactician.rules.core.forms import nearest
from tactician.rules.core.state import Model
from tactician.rules.wh40k2e.contact import foes_of, is_engaged, unit_gap
from tactician.rules.wh40k2e.facts_rolls import FAMILIES, coming_fact, pending_why
from tactician.rules.wh40k2e.files import pieces
from tactician.rules.wh40k2e.orders import may_measure
from tactician.rules.wh40k2e.state import Squad, SquadState, Targeting, Turn
from tactician.rules.wh40k2e.victory import cost_of, points, points_for

__all__ = ["MODEL_FACTS", "UNIT_FACTS", "fact"]

Fact = float | str | bool


def fact(state: SquadState, path: str) -> Fact:
    """The fact at a path.

    ================================  ==============================================================================
    ``round``, ``first``, ``ended``   of the battle; also ``winner``, ``log`` (last lines), ``units`` (with models)
    ``turn``, ``phase``               whose turn it is, and how far it is
    ``todo``                          what still happens by itself in this phase: ``flee:R2 frenzy:R3``
    ``frame``, ``owner``              the innermost frame, and whose it is
    ``rolling``                       what dice are to fall for
    ``measuring``                     whether distances between own and enemy models may be measured now
    ``points.SIDE``                   victory points that a side has earned as things stand
    ``models.ID.NAME``                see `MODEL_FACTS`; ``stands`` may be asked of anybody
    ``units.ID.NAME``                 see `UNIT_FACTS`; also ``gap.OTHER`` and ``walked.MODEL``
    ``charge.MODEL``                  the enemy model declared as its target, or empty
    ``need.MODEL.UNIT`` (``.WEAPON``) least face that hits its nearest model, with a weapon or the first it can fire
    ``score.MODEL``                   its Combat Score besides dice, against the first of the enemies it fights
    ================================  ==============================================================================

    And those of `tactician.rules.wh40k2e.facts_rolls`: what is offered, what is rolled, how likely.

    Raises:
        LookupError: there is no such fact; the message names the nearest.
    """
    head, _, rest = path.partition(".")
    if head in FAMILIES:
        return coming_fact(state, path)
    match head:
        case "models" if rest:
            return _model_fact(state, rest)
        case "units" if rest:
            return _unit_fact(state, rest)
        case "points" if rest in ("red", "blue"):
            return float(points(state, rest))
        case "charge" if rest:
            return dict(_owner(state, rest).charge).get(rest, "")
        case "need" if rest:
            return _need(state, rest)
        case "score" if rest:
            return _score(state, rest)
    return _state_fact(state, path)


def _state_fact(state: SquadState, name: str) -> Fact:
    turn = next((frame for frame in state.agenda if isinstance(frame, Turn)), None)
    facts: dict[str, Callable[[], Fact]] = {
        "round": lambda: float(state.round),
        "first": lambda: state.first,
        "ended": lambda: state.ended,
        "winner": lambda: state.winner,
        "log": lambda: "; ".join(state.log),
        "measuring": lambda: may_measure(state),
        "units": lambda: float(sum(1 for unit in state.units if unit.models)),
        "turn": lambda: turn.owner if turn is not None else "",
        "phase": lambda: turn.phase if turn is not None else "",
        "todo": lambda: " ".join(f"{cause}:{name}" for cause, name in turn.todo) if turn is not None else "",
        "frame": lambda: state.agenda[-1].kind if state.agenda else "",
        "owner": lambda: state.agenda[-1].owner if state.agenda else "",
        "rolling": lambda: pending_why(state),
    }
    if name not in facts:
        raise LookupError(f"there is no fact {name!r}{nearest(name, (*facts, *FAMILIES, *HEADS))}")
    return facts[name]()


HEADS = ("charge", "models", "need", "points", "score", "units")
"""First words of paths with more to them."""

# ---- models ----------------------------------------------------------------------------------------------------------


def _owner(state: SquadState, name: str) -> Squad:
    try:
        return state.owner(name)
    except KeyError:
        known = tuple(model.id for unit in state.units for model in unit.models)
        raise LookupError(f"no model {name!r} is on the table{nearest(name, known)}") from None


def _wounds(state: SquadState, unit: Squad, model: Model) -> float:
    return float(state.profile(unit).wounds - dict(unit.hurt).get(model.id, 0))


MODEL_FACTS: dict[str, Callable[[SquadState, Squad, Model], Fact]] = {
    "x": lambda state, unit, model: model.pose.x,
    "y": lambda state, unit, model: model.pose.y,
    "bearing": lambda state, unit, model: model.pose.bearing,
    "stands": lambda state, unit, model: True,
    "unit": lambda state, unit, model: unit.id,
    "engaged": lambda state, unit, model: bool(foes_of(state, model.id)),
    "foes": lambda state, unit, model: " ".join(foes_of(state, model.id)),
    "wounds": _wounds,
    "weapons": lambda state, unit, model: " ".join(unit.weapons_of(model.id)),
}
"""What can be asked of a model."""


def _model_fact(state: SquadState, rest: str) -> Fact:
    name, _, what = rest.rpartition(".")
    if what == "stands":
        return any(model.id == name for unit in state.units for model in unit.models)
    if what not in MODEL_FACTS:
        raise LookupError(f"a model has no fact {what!r}{nearest(what, tuple(MODEL_FACTS))}")
    unit = _owner(state, name)
    return MODEL_FACTS[what](state, unit, unit.model(name))


def _need(state: SquadState, rest: str) -> float:
    """What a model needs to hit the nearest model of a unit (`to_hit.need_to_hit`)."""
    from tactician.rules.wh40k2e.contact import model_gap
    from tactician.rules.wh40k2e.to_hit import charges_at, need_to_hit

    shooter = _longest(rest, tuple(model.id for unit in state.units for model in unit.models), "model")
    rest = rest[len(shooter) + 1 :]
    target = _longest(rest, tuple(unit.id for unit in state.units if unit.models), "unit")
    weapon = rest[len(target) + 1 :]
    unit, foe = state.owner(shooter), state.unit(target)
    model = unit.model(shooter)
    carried = [name for name in unit.weapons_of(shooter) if state.table.weapon(name).shoots]
    if (weapon and weapon not in carried) or not carried:
        raise LookupError(f"{shooter} cannot shoot with {weapon or 'anything'}{nearest(weapon, tuple(carried))}")
    near = min(foe.models, key=lambda one: model_gap(model.pose, unit.radius, one.pose, foe.radius))
    ledger = need_to_hit(
        state,
        unit,
        model,
        state.table.weapon(weapon or carried[0]),
        foe,
        near,
        on_overwatch=bool(state.agenda) and isinstance(state.agenda[-1], Targeting),
        at_charger=charges_at(state, foe, unit),
    )
    return float(ledger.total)


def _score(state: SquadState, name: str) -> float:
    """What a model's Combat Score comes to without any dice (`duels.score`)."""
    from tactician.rules.wh40k2e.duels import score

    _owner(state, name)
    foes = foes_of(state, name)
    if not foes:
        raise LookupError(f"{name} fights nobody")
    return float(score(state, name, foes[0], ((), ())).total)


# ---- units -----------------------------------------------------------------------------------------------------------


def _longest(rest: str, ids: tuple[str, ...], what: str) -> str:
    """The id at the beginning of a path; the longest that fits, as ids may hold dots (``A.b`` beside ``A``)."""
    fitting = [name for name in ids if f"{rest}.".startswith(f"{name}.")]
    if not fitting:
        name = rest.partition(".")[0]
        raise LookupError(f"there is no {what} {name!r}{nearest(name, ids)}")
    return max(fitting, key=len)


def _unit_fact(state: SquadState, rest: str) -> Fact:
    name = _longest(rest, tuple(unit.id for unit in state.units), "unit")
    what, _, detail = rest[len(name) + 1 :].partition(".")
    unit = state.unit(name)
    if what == "gap":
        return unit_gap(unit, state.unit(_longest(detail, tuple(one.id for one in state.units), "unit")))
    if what == "walked":
        return dict(unit.walked).get(detail, 0.0)
    if what not in UNIT_FACTS or detail:
        raise LookupError(f"a unit has no fact {what!r}{nearest(what, tuple(UNIT_FACTS))}")
    return UNIT_FACTS[what](state, unit)


def _leadership(state: SquadState, unit: Squad) -> float:
    from tactician.rules.wh40k2e.leadership import leadership_of

    return float(leadership_of(state, unit))


UNIT_FACTS: dict[str, Callable[[SquadState, Squad], Fact]] = {
    "acted": lambda state, unit: unit.acted,
    "at_turn": lambda state, unit: float(unit.at_turn),
    "breaks": lambda state, unit: float(unit.breaks),
    "broken": lambda state, unit: unit.broken,
    "charge": lambda state, unit: " ".join(f"{model}:{target}" for model, target in unit.charge),
    "charged": lambda state, unit: " ".join(unit.charged),
    "cost": cost_of,
    "cowed": lambda state, unit: unit.cowed,
    "dazed": lambda state, unit: unit.dazed,
    "engaged": is_engaged,
    "failed": lambda state, unit: " ".join(unit.failed),
    "fired": lambda state, unit: unit.fired,
    "fled": lambda state, unit: unit.fled,
    "hidden": lambda state, unit: unit.hidden,
    "hurt": lambda state, unit: float(sum(lost for _, lost in unit.hurt)),
    "jams": lambda state, unit: " ".join(model for model, _ in unit.jams),
    "leadership": _leadership,
    "lost": lambda state, unit: float(len(unit.lost)),
    "models": lambda state, unit: float(len(unit.models)),
    "moved": lambda state, unit: unit.went,
    "mustered": lambda state, unit: float(unit.mustered),
    "overwatch": lambda state, unit: unit.overwatch,
    "pieces": lambda state, unit: float(pieces(state, unit)),
    "recharging": lambda state, unit: " ".join(unit.recharging),
    "reserve": lambda state, unit: float(len(unit.reserve)),
    "restrained": lambda state, unit: unit.restrained,
    "rules": lambda state, unit: " ".join(state.profile(unit).rules),
    "shaken": lambda state, unit: unit.shaken,
    "spotted": lambda state, unit: bool(unit.spotters),
    "spotters": lambda state, unit: " ".join(unit.spotters),
    "terrified": lambda state, unit: unit.terrified,
    "turned": lambda state, unit: unit.turned,
    "vp": lambda state, unit: float(points_for(state, unit)),
}
"""What can be asked of a unit; lists of models are their ids with spaces between them, empty for none."""
