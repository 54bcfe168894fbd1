"""Shooting: who can be shot at, and the one die of the game."""

from __future__ import annotations

from dataclasses import replace

from tactician.rules.core.agenda import CHANCE, Handler, without_top
from tactician.rules.core.chance import Outcome, Roll, Successes
from tactician.rules.core.measure import Inches, within
from tactician.rules.core.state import Unit, gap

from .state import DuelState, Shot

__all__ = ["ShotHandler", "reach", "targets"]


def reach(state: DuelState) -> Inches:
    """Range of a shot (DU-SH-01); the whole table while that clause is off."""
    board = state.board
    return state.table.number("range") if state.holds("DU-SH-01") else board.width + board.height


def targets(state: DuelState, shooter: Unit) -> tuple[str, ...]:
    """Enemy units within range (DU-SH-01)."""
    me = shooter.models[0].pose
    return tuple(
        enemy.id
        for enemy in state.against(shooter.side)
        if within(gap(state, me, shooter.radius, enemy.models[0].pose, enemy.radius), reach(state))
    )


class ShotHandler(Handler[DuelState, Shot]):
    """DU-SH-02: a die hits or misses."""

    def mover(self, state: DuelState, frame: Shot) -> str:
        """Dice fall at once."""
        return CHANCE

    def roll(self, state: DuelState, frame: Shot) -> Roll:
        """One die."""
        why = f"shot of {frame.shooter} at {frame.target}"
        return Successes(why=why, subject=frame.shooter, dice=1, at_least=int(state.table.number("hit_on")))

    def land(self, state: DuelState, frame: Shot, outcome: Outcome) -> DuelState:
        """A hit ends the duel, a miss nothing but the shot."""
        if outcome == 0 or not state.holds("DU-SH-02"):
            return without_top(state)
        target = state.unit(frame.target)
        fallen = target.without(tuple(model.id for model in target.models))
        log = (*state.log, f"{frame.target} falls")
        return replace(state.with_unit(fallen), agenda=(), ended="hit", winner=frame.owner, log=log)
