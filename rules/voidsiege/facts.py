"""Facts of a moment by path, for cases and for anybody who asks: read off the state, never stored."""

from __future__ import annotations

from collections.abc import Callable

from tactician.rules.core.forms import nearest
from tactician.rules.core.measure import Inches
from tactician.rules.core.movement import disorder_of
from tactician.rules.core.state import Model
from tactician.rules.voidsiege.allowance import allowance
from tactician.rules.voidsiege.cover import cover_of, has_shunted, inches_moved, resolve_against
from tactician.rules.voidsiege.engagement import is_engaged, unit_gap
from tactician.rules.voidsiege.facts_rolls import FAMILIES, coming_fact
from tactician.rules.voidsiege.missions import holders, objectives
from tactician.rules.voidsiege.movement import coherency_rule
from tactician.rules.voidsiege.state import DamageRoll, Exchange, Horde, Rally, RollOff, VoidState, VoidUnit, Volley

__all__ = ["fact"]

Fact = float | str | bool


def fact(state: VoidState, path: str) -> Fact:
    """The fact at a path.

    Paths: ``points.red``, ``score.red``, ``threat.red``,
    ``round``, ``first``, ``ended``, ``winner``, ``frame``, ``log`` (last
    lines), ``models.ID.x|y|z|surface``, ``units.ID.NAME`` (see `UNIT_FACTS`),
    ``units.ID.allowance.COMMAND``, ``units.ID.gap.OTHER``, ``objectives.N.holder``, and
    those of `tactician.rules.voidsiege.facts_rolls`: what is offered, what is rolled.

    Raises:
        LookupError: there is no such fact; the message names the nearest.
    """
    head, _, rest = path.partition(".")
    if head in FAMILIES:
        return coming_fact(state, path)
    if head == "models":
        return _model_fact(state, rest)
    if head == "units" and rest:
        return _unit_fact(state, rest)
    if head in ("points", "score", "threat"):
        return float(getattr(state, f"{head}_of")(rest))
    if head == "objectives":
        number, _, name = rest.partition(".")
        return holders(state, objectives(state)[int(number)]) if name == "holder" else float(len(objectives(state)))
    return _state_fact(state, path)


def _state_fact(state: VoidState, name: str) -> Fact:
    exchange = _exchange(state)
    facts: dict[str, Callable[[], Fact]] = {
        "round": lambda: float(state.round),
        "first": lambda: state.first,
        "defender": lambda: state.defender,
        "ended": lambda: state.ended,
        "winner": lambda: state.winner,
        "frame": lambda: state.agenda[-1].kind if state.agenda else "",
        "rolling": lambda: _rolling(state),
        "activation": lambda: state.agenda[0].owner if state.agenda else "",
        "log": lambda: "; ".join(state.log),
        "command": lambda: exchange.command if exchange is not None else "",
        "response": lambda: exchange.response if exchange is not None else "",
        "responder": lambda: exchange.responder if exchange is not None else "",
        "charged": lambda: dict(exchange.targets).get("charge", "") if exchange is not None else "",
        "units": lambda: float(sum(1 for unit in state.units if unit.models)),
    }
    if name not in facts:
        raise LookupError(f"there is no fact {name!r}{nearest(name, tuple(facts))}")
    return facts[name]()


def _exchange(state: VoidState) -> Exchange | None:
    found = [frame for frame in state.agenda if isinstance(frame, Exchange)]
    return found[-1] if found else None


def _rolling(state: VoidState) -> str:
    """What dice are to fall for now; empty where none are."""
    frame = state.agenda[-1] if state.agenda else None
    if isinstance(frame, Volley):
        return frame.role
    return frame.kind if isinstance(frame, DamageRoll | Horde | Rally | RollOff) else ""


def _model_fact(state: VoidState, rest: str) -> Fact:
    name, _, what = rest.rpartition(".")
    try:
        model: Model = state.owner(name).model(name)
    except KeyError:
        if what == "stands":
            return False
        raise LookupError(f"no model {name!r} is on the table") from None
    facts: dict[str, Callable[[], Fact]] = {
        "x": lambda: model.pose.x,
        "y": lambda: model.pose.y,
        "z": lambda: state.height_of(model.pose),
        "surface": lambda: model.pose.surface,
        "stands": lambda: True,
        "unit": lambda: state.owner(name).id,
    }
    if what not in facts:
        raise LookupError(f"a model has no fact {what!r}{nearest(what, tuple(facts))}")
    return facts[what]()


def _unit_named(state: VoidState, rest: str) -> str:
    """The unit at the beginning of a path; the longest that fits, as ids may hold dots (``A.b`` beside ``A``)."""
    fitting = [unit.id for unit in state.units if f"{rest}.".startswith(f"{unit.id}.")]
    return max(fitting, key=len, default=rest.partition(".")[0])


def _unit_fact(state: VoidState, rest: str) -> Fact:
    name = _unit_named(state, rest)
    what, _, detail = rest[len(name) + 1 :].partition(".")
    if not state.has_unit(name):
        raise LookupError(f"there is no unit {name!r}{nearest(name, tuple(unit.id for unit in state.units))}")
    unit = state.unit(name)
    if what == "allowance":
        return allowance(state, unit, state.table.command(detail)).total
    if what == "gap":
        return unit_gap(state, unit, state.unit(detail))
    if what not in UNIT_FACTS:
        raise LookupError(f"a unit has no fact {what!r}{nearest(what, tuple(UNIT_FACTS))}")
    return UNIT_FACTS[what](state, unit)


def _resolve(state: VoidState, unit: VoidUnit) -> float:
    exchange = _exchange(state) or Exchange(owner="", unit=unit.id, command="")
    return resolve_against(state, exchange, unit, melee=False).total


def _moved(state: VoidState, unit: VoidUnit) -> Inches:
    return inches_moved(state, _exchange(state), unit.id)


UNIT_FACTS: dict[str, Callable[[VoidState, VoidUnit], Fact]] = {
    "engaged": is_engaged,
    "models": lambda state, unit: float(len(unit.models)),
    "lost": lambda state, unit: float(len(unit.lost)),
    "reserve": lambda state, unit: float(len(unit.reserve)),
    "scouting": lambda state, unit: unit.scouting,
    "restrictions": lambda state, unit: " ".join(unit.restrictions),
    "ditching": lambda state, unit: unit.ditching,
    "cover": cover_of,
    "moved": _moved,
    "shunted": lambda state, unit: has_shunted(state, _exchange(state), unit.id),
    "resolve": _resolve,
    "rules": lambda state, unit: " ".join(state.profile(unit).rules),
    "pieces": lambda state, unit: float(disorder_of(state, unit, coherency_rule(state)) if unit.models else 0),
}
