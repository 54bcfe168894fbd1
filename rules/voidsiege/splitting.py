"""Dividing and joining units (page *Combining & splitting*; proposed where it is lost)."""

from __future__ import annotations

from dataclasses import replace
from string import ascii_lowercase

from tactician.rules.core.action import Action, pairs
from tactician.rules.core.agenda import Handler, swap, without_top
from tactician.rules.core.choice import Choice, Nothing, OneOf, Subset
from tactician.rules.core.clauses import Cite
from tactician.rules.core.coherency import pieces
from tactician.rules.core.derive import but
from tactician.rules.core.measure import TOL, Inches, within
from tactician.rules.core.movement import disorder_of
from tactician.rules.core.remember import Remembered
from tactician.rules.voidsiege.engagement import unit_gap
from tactician.rules.voidsiege.movement import coherency_rule
from tactician.rules.voidsiege.shooting import the_exchange, with_exchange
from tactician.rules.voidsiege.state import Combine, Turn, VoidState, VoidUnit

__all__ = ["CombineHandler", "combine_frame", "split_apart", "split_choice", "split_unit"]

JOIN: Inches = 2.0
"""How near two units must stand to join."""

_USUAL: Remembered[tuple[str, ...]] = Remembered()


def split_choice(state: VoidState, unit: VoidUnit) -> Choice | None:
    """The choice of dividing a unit on its own command, or None where it cannot (VS-SP-01)."""
    if not state.table.option("splitting") or not state.holds("VS-SP-01") or len(unit.models) < 2:
        return None
    usual = _USUAL.get((unit.models, state.table), unit.radius, lambda: _usual_part(state, unit))
    if not usual:
        return None
    return Choice("split", unit.id, lambda: _parts(state, unit, usual))


def _parts(state: VoidState, unit: VoidUnit, usual: tuple[str, ...]) -> Subset:
    """The models that go, both parts in coherency (VS-SP-02)."""
    links = but(coherency_rule(state), cite=Cite("VS-SP-02"))
    ids = tuple(model.id for model in unit.models)
    return Subset(ids, 1, len(ids) - 1, usual, links if state.holds("VS-SP-02") else None)


def _usual_part(state: VoidState, unit: VoidUnit) -> tuple[str, ...]:
    """About half of the models, so that both parts are coherent: the canonical division; empty where none is found."""
    rule = coherency_rule(state)
    if disorder_of(state, unit, rule) > 1:
        return ()
    ranked = sorted(unit.models, key=lambda model: (model.pose.x, model.pose.y, model.id))
    for size in sorted(range(1, len(ranked)), key=lambda n: (abs(2 * n - len(ranked)), n)):
        part, rest = ranked[:size], ranked[size:]
        names, others = tuple(m.id for m in part), tuple(m.id for m in rest)
        if disorder_of(state, unit.without(others), rule) == 1 and disorder_of(state, unit.without(names), rule) == 1:
            return tuple(sorted(names))
    return ()


def _new_id(state: VoidState, unit: str) -> str:
    taken = {one.id for one in state.units}
    letters = [*ascii_lowercase[1:], *(a + b for a in ascii_lowercase for b in ascii_lowercase)]
    return next(f"{unit}.{letter}" for letter in letters if f"{unit}.{letter}" not in taken)


def _divided(state: VoidState, unit: VoidUnit, models: tuple[str, ...]) -> tuple[VoidState, str]:
    """Both parts keep the restrictions and modifiers; losses stay with the part that keeps the name (VS-SP-03)."""
    name = _new_id(state, unit.id)
    others = tuple(model.id for model in unit.models if model.id not in models)
    stays = replace(unit.without(models), mustered=unit.mustered - len(models))
    leaves = replace(unit.without(others), id=name, mustered=len(models), lost=(), reserve=())
    if not state.holds("VS-SP-03"):
        leaves = replace(leaves, restrictions=())
    units = [stays if one.id == unit.id else one for one in state.units]
    units = sorted([*units, leaves], key=lambda one: (one.side == "blue", one.id))
    log = (*state.log, f"{unit.name} ({unit.id}) divides: {', '.join(models)} are now {name}")
    return replace(state, units=tuple(units), log=log), name


def split_unit(state: VoidState, frame: Turn, action: Action) -> VoidState:
    """Divide a unit; one of the two must be commanded now."""
    state, name = _divided(state, state.unit(action.unit), action.models)
    return swap(state, replace(frame, pinned=(action.unit, name)))


def split_apart(state: VoidState, name: str) -> VoidState:
    """After a move that may split: every piece becomes a unit (VS-GM-08)."""
    while True:
        unit = state.unit(name)
        reach = 2 * unit.radius + coherency_rule(state).limit + TOL
        found = pieces([(m.pose.x, m.pose.y, state.height_of(m.pose)) for m in unit.models], reach)
        if len(found) < 2:
            return state
        state, _ = _divided(state, unit, tuple(unit.models[i].id for i in found[1]))


def combine_frame(state: VoidState, name: str) -> Combine | None:
    """The question whether a unit that has moved joins another, or None where it cannot (VS-SP-04)."""
    unit = state.unit(name)
    if sum(other.profile == unit.profile for other in state.of(unit.side)) < 2:
        return None
    if not state.table.option("combining") or not state.holds("VS-SP-04") or not unit.models or unit.reserve:
        return None
    most = state.profile(unit).number
    rule = coherency_rule(state)
    partners = tuple(
        other.id
        for other in state.of(unit.side)
        if other.id != unit.id
        and other.profile == unit.profile
        and not other.reserve
        and len(other.models) + len(unit.models) <= most
        and within(unit_gap(state, unit, other), JOIN)
        and disorder_of(state, replace(unit, models=(*unit.models, *other.models)), rule) == 1
    )
    return Combine(owner=unit.side, unit=name, partners=partners) if partners else None


class CombineHandler(Handler[VoidState, Combine]):
    """Whether two units become one."""

    def step(self, state: VoidState, frame: Combine) -> VoidState | None:
        """Nothing to ask when the unit is gone."""
        return None if state.unit(frame.unit).models else without_top(state)

    def choices(self, state: VoidState, frame: Combine) -> tuple[Choice, ...]:
        """Join one of the partners, or not."""
        options = tuple(pairs(join=name) for name in frame.partners)
        return Choice("combine", frame.unit, OneOf(options)), Choice("pass", "", Nothing())

    def take(self, state: VoidState, frame: Combine, action: Action) -> VoidState:
        """The moved unit takes the other's models in; restrictions are joined (VS-SP-05)."""
        state = without_top(state)
        other_name = action.target("join")
        if other_name is None:
            return state
        unit, other = state.unit(frame.unit), state.unit(other_name)
        restrictions = {*unit.restrictions, *(other.restrictions if state.holds("VS-SP-05") else ())}
        models = tuple(sorted((*unit.models, *other.models), key=lambda model: model.id))
        joined = replace(
            unit,
            models=models,
            mustered=min(unit.mustered + other.mustered, state.profile(unit).number),
            lost=(*unit.lost, *other.lost),
            restrictions=tuple(sorted(restrictions)),
            ditching=unit.ditching or other.ditching,
        )
        log = (*state.log, f"{other.id} joins {unit.id}")
        gone = replace(other, models=(), lost=(), mustered=0)
        return replace(_aimed_at(state, other.id, unit.id).with_unit(joined).with_unit(gone), log=log)


def _aimed_at(state: VoidState, gone: str, joined: str) -> VoidState:
    """Whoever was aimed at and joins another unit is aimed at in it: joining is no way out of a volley (VS-SP-04)."""
    exchange = the_exchange(state)
    targets = tuple((role, joined if name == gone else name) for role, name in exchange.targets)
    return with_exchange(state, replace(exchange, targets=targets))
