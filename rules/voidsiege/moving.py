"""The movement part of a command or response: where the models go, and what follows from it."""

from __future__ import annotations

from tactician.rules.core.action import Action
from tactician.rules.core.agenda import Handler, push, without_top
from tactician.rules.core.choice import Choice, Walk
from tactician.rules.core.clauses import Violation
from tactician.rules.core.derive import but
from tactician.rules.core.legs import Pose, Rates, travel
from tactician.rules.core.measure import TOL, Inches, snap
from tactician.rules.voidsiege.movement import walk_for
from tactician.rules.voidsiege.profiles import Command
from tactician.rules.voidsiege.scouting import followed
from tactician.rules.voidsiege.shooting import the_exchange, with_exchange
from tactician.rules.voidsiege.splitting import combine_frame, split_apart
from tactician.rules.voidsiege.state import Movement, VoidState

__all__ = ["MovementHandler"]


class MovementHandler(Handler[VoidState, Movement]):
    """Asks for the ways and walks them."""

    def step(self, state: VoidState, frame: Movement) -> VoidState | None:
        """Walk an announced way that is still legal; nobody is asked who cannot move."""
        unit = state.unit(frame.unit)
        if not unit.models:
            return without_top(state)
        walk_domain = self._walk(state, frame)
        plan = tuple((name, path) for name, path in frame.plan if any(model.id == name for model in unit.models))
        if plan:
            action = Action(verb="go", unit=frame.unit, paths=plan)
            choice = Choice("go", frame.unit, walk_domain)
            if not choice.explain(state, action):
                return self.take(state, frame, action)
        if walk_domain.kind.allowance <= TOL:
            return self.take(state, frame, Action(verb="go", unit=frame.unit))
        return None

    def _command(self, state: VoidState, frame: Movement) -> Command:
        exchange = the_exchange(state)
        return state.table.command(exchange.command if frame.role == "command" else exchange.response)

    def _walk(self, state: VoidState, frame: Movement) -> Walk:
        charge = dict(the_exchange(state).targets).get("charge") if frame.role == "command" else None
        return walk_for(state, state.unit(frame.unit), self._command(state, frame), charge)

    def choices(self, state: VoidState, frame: Movement) -> tuple[Choice, ...]:
        """Any legal way; standing still is one."""
        return (Choice("go", frame.unit, self._walk(state, frame)),)

    def refuse(self, state: VoidState, frame: Movement, action: Action) -> tuple[Violation, ...]:
        """Somebody else's unit, or another verb: the general reason does."""
        return ()

    def take(self, state: VoidState, frame: Movement, action: Action) -> VoidState:
        """Put the models where their ways end; note what they moved."""
        unit, walked = state.unit(frame.unit), self._walk(state, frame)
        paths = dict(action.paths)
        rates = walked.kind.rates
        if state.table.option("shunt_measure") == "walked":
            rates = Rates(up=1.0, down=1.0)  # inches as walked, with descents
        trips = {m.id: travel(m.pose, paths[m.id], state.board, rates) for m in unit.models if m.id in paths}
        measured = [trips[m.id][0] if m.id in trips else 0.0 for m in unit.models]
        ends = {name: _rested(end) for name, (_, end) in trips.items()}
        exchange = the_exchange(state)
        acted = ((frame.role, "move"),) if max(measured) > TOL else ()
        moved = (*exchange.moved, (frame.unit, max(measured), min(measured)))
        noted = but(exchange, moved=moved, acted=(*exchange.acted, *acted))
        state = but(
            state,
            units=tuple(unit.moved(ends) if one is unit else one for one in state.units),
            agenda=tuple(noted if one is exchange else one for one in state.agenda[:-1]),
        )
        if self._splits(state, frame):
            state = _with_pieces(split_apart(state, frame.unit), moved[-1], {one.id for one in state.units})
        joining = combine_frame(state, frame.unit) if max(measured) > TOL else None
        return followed(push(state, joining) if joining is not None else state, frame.unit)

    def _splits(self, state: VoidState, frame: Movement) -> bool:
        return self._command(state, frame).permits.split and state.holds("VS-GM-08")


def _with_pieces(state: VoidState, moved: tuple[str, Inches, Inches], known: set[str]) -> VoidState:
    """Units that have split off in a movement have moved in it like the one that they come from (VS-SP-03)."""
    rows = tuple((unit.id, *moved[1:]) for unit in state.units if unit.id not in known)
    exchange = the_exchange(state)
    return with_exchange(state, but(exchange, moved=(*exchange.moved, *rows)))


def _rested(end: Pose) -> Pose:
    """Where a model comes to rest."""
    return Pose(snap(end.x), snap(end.y), end.surface, end.bearing)
