"""Setting up: battle formations (pages of the scenarios)."""

from __future__ import annotations

from dataclasses import replace

from tactician.rules.core.action import Action
from tactician.rules.core.agenda import Handler, swap, without_top
from tactician.rules.core.choice import Choice, Put
from tactician.rules.core.clauses import Cite
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import Inches, snap
from tactician.rules.core.placement import PlaceRule
from tactician.rules.core.shapes import Box
from tactician.rules.core.state import Model, other_side
from tactician.rules.voidsiege.scenario import FULL_TABLE, mission_of
from tactician.rules.voidsiege.state import Deploy, VoidState, VoidUnit

__all__ = ["DeployHandler", "deploy_rule", "zone"]

UNITS_APART: Inches = 2.0
"""VS-SU-02: units deploy more than this from each other."""


def zone(state: VoidState, side: str) -> Box:
    """A side's deployment zone along its own table edge (red's is the lower one), shrunk with the table (VS-SU-01)."""
    board = state.board
    depth = state.table.inches("deploy_depth") * min(board.height, FULL_TABLE) / FULL_TABLE
    low = 0.0 if side == "red" else board.height - depth
    return 0.0, low, board.width, low + depth


def deploy_rule(state: VoidState, side: str) -> PlaceRule:
    """Where a unit may be put down.

    Clauses: VS-SU-01 (own zone), VS-SU-02 (units apart), VS-SU-03 (in coherency).
    """
    return PlaceRule(
        end_place=Cite("VS-LE-03"),
        zone=zone(state, side) if state.holds("VS-SU-01") else None,
        zone_cite=Cite("VS-SU-01"),
        from_friends=UNITS_APART if state.holds("VS-SU-02") else None,
        friends_cite=Cite("VS-SU-02"),
        coherency=state.table.inches("coherency_distance") if state.holds("VS-SU-03") else None,
        coherency_cite=Cite("VS-SU-03"),
        chain=bool(state.table.option("coherency_chain")),
    )


class DeployHandler(Handler[VoidState, Deploy]):
    """The first player puts all units down, then the other (VS-SU-04)."""

    def step(self, state: VoidState, frame: Deploy) -> VoidState | None:
        """On to the other side, or to the first turn; at once where units arrive instead (VS-SU-11)."""
        if not mission_of(state).formations and state.holds("VS-SU-11"):
            return without_top(state)
        owner = frame.owner or (state.first if state.holds("VS-SU-04") else other_side(state.first))
        if not frame.owner:
            return swap(state, replace(frame, owner=owner))
        if self._waiting(state, owner):
            return None
        other = other_side(owner)
        return swap(state, replace(frame, owner=other)) if self._waiting(state, other) else without_top(state)

    def _waiting(self, state: VoidState, side: str) -> tuple[VoidUnit, ...]:
        return tuple(unit for unit in state.units if unit.side == side and unit.reserve and not unit.models)

    def choices(self, state: VoidState, frame: Deploy) -> tuple[Choice, ...]:
        """Any unit that is not yet on the table."""
        rule = deploy_rule(state, frame.owner)
        return tuple(Choice("deploy", unit.id, Put(unit.reserve, rule)) for unit in self._waiting(state, frame.owner))

    def take(self, state: VoidState, frame: Deploy, action: Action) -> VoidState:
        """Put the models down."""
        unit = state.unit(action.unit)
        models = tuple(
            Model(id=name, pose=Pose(snap(pose.x), snap(pose.y), pose.surface, pose.bearing))
            for name, pose in sorted(action.places)
        )
        return state.with_unit(replace(unit, models=models, reserve=()))
