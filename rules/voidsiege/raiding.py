"""Raids: units that reach the enemy's token score for it and begin anew (page of the scenario Raid and Repeat)."""

from __future__ import annotations

from dataclasses import replace

from tactician.rules.core.action import Action
from tactician.rules.core.agenda import Handler, push, without_top
from tactician.rules.core.choice import Choice, Nothing, Put
from tactician.rules.core.clauses import Cite
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import snap
from tactician.rules.core.placement import PlaceRule
from tactician.rules.core.state import SIDES, Model
from tactician.rules.voidsiege.deployment import deploy_rule
from tactician.rules.voidsiege.missions import HOLD, decided, near_objective
from tactician.rules.voidsiege.movement import ENEMY_DISTANCE
from tactician.rules.voidsiege.scenario import objectives, token_side
from tactician.rules.voidsiege.state import Redeploy, VoidState, VoidUnit

__all__ = ["RedeployHandler", "is_raider", "raid_choice", "raided"]


def is_raider(state: VoidState, unit: VoidUnit) -> bool:
    """Whether a unit is near an enemy token, so that its activation can be a raid (VS-OB-14)."""
    if state.table.mission != "raid-and-repeat" or unit.scouting or not state.holds("VS-OB-14"):
        return False
    return any(
        token_side(state, number) != unit.side and near_objective(unit, point, HOLD)
        for number, point in enumerate(objectives(state))
    )


def raid_choice(state: VoidState, unit: VoidUnit) -> Choice | None:
    """The choice of raiding, or None where the unit is not near, or has no room in its own zone."""
    if not is_raider(state, unit):
        return None
    away = _off_table(unit)
    moment = state.with_unit(away)
    room = _places(moment, away).canonical(moment).places
    return Choice("raid", unit.id, Nothing()) if room else None


def redeploy_rule(state: VoidState, side: str) -> PlaceRule:
    """As when deploying at the start, and more than 2 inches from enemies (VS-OB-15)."""
    rule = deploy_rule(state, side)
    holds = state.holds("VS-OB-15")
    return replace(
        rule,
        zone=rule.zone if holds and rule.zone is not None else state.board.box,
        zone_cite=Cite("VS-OB-15", ("VS-SU-01",)),
        from_enemies=ENEMY_DISTANCE if holds else None,
        enemies_cite=Cite("VS-OB-15", ("VS-GM-04",)),
    )


def raided(state: VoidState, name: str) -> VoidState:
    """A victory point, and the unit is taken up to be put down again (VS-OB-14)."""
    unit = state.unit(name)
    red, blue = state.score
    score = (red + 1, blue) if unit.side == SIDES[0] else (red, blue + 1)
    told = f"{unit.name} ({unit.id}) raids the token: red {score[0]}, blue {score[1]}"
    state = replace(state, score=score, log=(*state.log, told)).with_unit(_off_table(unit))
    return decided(state) or push(state, Redeploy(owner=unit.side, unit=name))


def _off_table(unit: VoidUnit) -> VoidUnit:
    return replace(unit, models=(), reserve=(*(model.id for model in unit.models), *unit.reserve))


def _places(state: VoidState, unit: VoidUnit) -> Choice:
    return Choice("redeploy", unit.id, Put(unit.reserve, redeploy_rule(state, unit.side)))


class RedeployHandler(Handler[VoidState, Redeploy]):
    """Where a unit begins anew."""

    def step(self, state: VoidState, frame: Redeploy) -> VoidState | None:
        """Nothing to ask where there is nobody to put down, or no room for them."""
        unit = state.unit(frame.unit)
        if not unit.reserve or unit.models or not _places(state, unit).canonical(state).places:
            return without_top(state)
        return None

    def choices(self, state: VoidState, frame: Redeploy) -> tuple[Choice, ...]:
        """Places in its own zone."""
        return (_places(state, state.unit(frame.unit)),)

    def take(self, state: VoidState, frame: Redeploy, action: Action) -> VoidState:
        """Put the models down."""
        unit = state.unit(frame.unit)
        models = tuple(
            Model(id=name, pose=Pose(snap(pose.x), snap(pose.y), pose.surface, pose.bearing))
            for name, pose in sorted(action.places)
        )
        return without_top(state.with_unit(replace(unit, models=models, reserve=())))
