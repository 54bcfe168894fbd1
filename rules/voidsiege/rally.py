"""Rally: lost models come back (proposed; page *Damage & Rally* is lost), and how returning models are put down."""

from __future__ import annotations

from dataclasses import replace

from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, Handler, push, swap, without_top
from tactician.rules.core.chance import Outcome, Roll, Total
from tactician.rules.core.choice import Choice, Put
from tactician.rules.core.clauses import Cite
from tactician.rules.core.measure import Inches
from tactician.rules.core.placement import PlaceRule
from tactician.rules.core.state import Model
from tactician.rules.voidsiege.movement import ENEMY_DISTANCE
from tactician.rules.voidsiege.state import Rally, Return, VoidState, VoidUnit

__all__ = ["RallyHandler", "ReturnHandler"]

HORDE_DISTANCE: Inches = 2.0
"""VS-HO-03: how near a survivor models of a Horde come back."""


class RallyHandler(Handler[VoidState, Rally]):
    """How many come back (VS-RA-02)."""

    def mover(self, state: VoidState, frame: Rally) -> str:
        """Always dice."""
        return CHANCE

    def roll(self, state: VoidState, frame: Rally) -> Roll:
        """A D3."""
        unit = state.unit(frame.unit)
        return Total(why=f"rally: models of {unit.name} ({unit.id}) that return", subject=unit.id, dice=1, sides=3)

    def land(self, state: VoidState, frame: Rally, outcome: Outcome) -> VoidState:
        """As many as rolled, as far as the unit has lost any."""
        assert isinstance(outcome, int)
        count = min(outcome, len(state.unit(frame.unit).lost)) if state.holds("VS-RA-02") else 0
        return push(without_top(state), Return(owner=frame.owner, unit=frame.unit, count=count))


def return_rule(state: VoidState, cause: str) -> PlaceRule:
    """Near a mate, away from enemies, in coherency (VS-RA-03; for a Horde VS-HO-03)."""
    clause = "VS-HO-03" if cause == "horde" else "VS-RA-03"
    near = HORDE_DISTANCE if cause == "horde" else state.table.inches("rally_distance")
    return PlaceRule(
        end_place=Cite("VS-LE-03"),
        near=near,
        near_cite=Cite(clause),
        from_enemies=ENEMY_DISTANCE if state.holds(clause) else None,
        enemies_cite=Cite(clause, ("VS-GM-04",)),
        coherency=None,
    )


class ReturnHandler(Handler[VoidState, Return]):
    """Where they are put; those without room stay lost."""

    def step(self, state: VoidState, frame: Return) -> VoidState | None:
        """Fewer models where there is no room for all."""
        unit = state.unit(frame.unit)
        if frame.count < 1 or not unit.models:
            return without_top(state)
        if self._choice(unit, frame, state).canonical(state).places:
            return None
        fewer = frame.count - 1 if frame.cause == "rally" or state.holds("VS-HO-04") else 0
        names = ", ".join(unit.lost[-frame.count : len(unit.lost) - fewer])
        log = (*state.log, f"{unit.name} ({unit.id}): no room for {names}")
        return swap(replace(state, log=log), replace(frame, count=fewer))

    def _choice(self, unit: VoidUnit, frame: Return, state: VoidState) -> Choice:
        return Choice("return", unit.id, Put(unit.lost[-frame.count :], return_rule(state, frame.cause)))

    def choices(self, state: VoidState, frame: Return) -> tuple[Choice, ...]:
        """Places for the models that return."""
        return (self._choice(state.unit(frame.unit), frame, state),)

    def take(self, state: VoidState, frame: Return, action: Action) -> VoidState:
        """Put them down."""
        unit = state.unit(frame.unit)
        back = tuple(Model(id=name, pose=pose) for name, pose in action.places)
        models = tuple(sorted((*unit.models, *back), key=lambda model: model.id))
        lost = tuple(name for name in unit.lost if name not in dict(action.places))
        log = (*state.log, f"{unit.name} ({unit.id}): {', '.join(dict(action.places))} return")
        return without_top(replace(state, log=log).with_unit(replace(unit, models=models, lost=lost)))
