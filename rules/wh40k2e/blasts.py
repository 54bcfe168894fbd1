"""Blasts on their way: do they hit, where do they come down, whom do they strike (clauses BL-01 to BL-03).

Readings of our own: a miss goes off by the artillery die in the direction of an hour of the clock, twelve being
straight up the table; never further than half the distance between the bases of firer and target; thrown grenades
go half as far as the die says, and a misfire has no effect.
"""

from __future__ import annotations

from math import cos, inf, pi, sin

from tactician.rules.core.agenda import CHANCE, Handler, push, swap, without_top
from tactician.rules.core.chance import Outcome, Roll, Successes
from tactician.rules.core.derive import but
from tactician.rules.core.measure import Inches
from tactician.rules.core.mixed import Die, Mixed
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.state import Model
from tactician.rules.wh40k2e.areas import Under, blast_at, flame_from, strikes
from tactician.rules.wh40k2e.profiles import Weapon
from tactician.rules.wh40k2e.state import Scatter, Shooting, Shots, Squad, SquadState, Volleys
from tactician.rules.wh40k2e.to_hit import chain

__all__ = ["ARTILLERY", "ScatterHandler", "drift", "struck_by"]

ARTILLERY = ("2", "4", "6", "8", "10", "misfire")
"""Inches on each face of the artillery die."""

HOURS = 12


class ScatterHandler(Handler[SquadState, Scatter]):
    """A shot that strikes an area."""

    def step(self, state: SquadState, frame: Scatter) -> SquadState | None:
        """What needs no dice: flames strike at once, hopeless shots miss at once, and some misses come to nothing."""
        shots = frame.shots
        if frame.missed:
            idle = state.table.weapon(shots.weapon).is_template or not state.holds("2E-BL-02")
            return without_top(state) if idle else None
        if shots.sure:
            return _come_down(state, frame, shots.centre or (0.0, 0.0))
        if chain(shots.need, goes_on=state.holds("2E-TH-08")) is None:
            return swap(state, but(frame, missed=True))
        return None

    def mover(self, state: SquadState, frame: Scatter) -> str:
        """Always dice."""
        return CHANCE

    def roll(self, state: SquadState, frame: Scatter) -> Roll:
        """Whether it hits, one die at a time; then where a miss goes."""
        shots, unit = frame.shots, state.unit(frame.unit)
        told = f"{unit.name} ({unit.id}) at {shots.target} with {shots.weapon}"
        if frame.missed:
            dice = (Die(name="clock", sides=HOURS), Die(name="artillery", sides=len(ARTILLERY), marks=ARTILLERY))
            return Mixed(why=f"scatter: {told}", subject=unit.id, dice=dice)
        faces = chain(shots.need, goes_on=state.holds("2E-TH-08"))
        assert faces is not None
        return Successes(why=f"blast: {told}", subject=unit.id, dice=1, sides=6, at_least=faces[0])

    def land(self, state: SquadState, frame: Scatter, outcome: Outcome) -> SquadState:
        """A hit strikes where it was aimed, or asks for a second die; a miss goes elsewhere."""
        shots = frame.shots
        aimed = shots.centre or (0.0, 0.0)
        if isinstance(outcome, tuple):
            inches = _gone(state, frame, outcome[1])
            if inches is None:
                return without_top(but(state, log=(*state.log, f"{shots.weapon}: a misfire without effect")))
            return _come_down(state, frame, drift(aimed, outcome[0], inches))
        if not outcome:
            return swap(state, but(frame, missed=True))
        faces = chain(shots.need, goes_on=state.holds("2E-TH-08")) or ()
        if len(faces) > 1:
            return swap(state, but(frame, shots=but(shots, need=faces[1])))
        return _come_down(state, frame, aimed)


def drift(centre: Point, hour: int, inches: Inches) -> Point:
    """Where a blast comes down that goes so far towards an hour of the clock."""
    angle = 2 * pi * hour / HOURS
    return centre[0] + inches * sin(angle), centre[1] + inches * cos(angle)


def _gone(state: SquadState, frame: Scatter, face: int) -> Inches | None:
    """How far a miss goes; None for a misfire."""
    if face == len(ARTILLERY):
        return None
    inches = float(ARTILLERY[face - 1])
    if state.table.weapon(frame.shots.weapon).is_grenade:
        inches /= 2
    return min(inches, _range(state, frame) / 2)


def _range(state: SquadState, frame: Scatter) -> Inches:
    """Distance between the bases of the firer and of the model aimed at; infinite where the firer is gone."""
    unit, shots = state.unit(frame.unit), frame.shots
    shooter = _shooter(unit, shots)
    if shooter is None or shots.centre is None:
        return inf
    radius = state.unit(shots.target).radius
    apart = length(shooter.pose.x - shots.centre[0], shooter.pose.y - shots.centre[1])
    return max(apart - unit.radius - radius, 0.0)


def _shooter(unit: Squad, shots: Shots) -> Model | None:
    return next((model for model in unit.models if model.id in shots.shooters), None)


def struck_by(state: SquadState, unit: Squad, shots: Shots, weapon: Weapon, centre: Point) -> tuple[Under, ...]:
    """The models under an area that comes down at a place."""
    if not weapon.is_template:
        return blast_at(state, centre, weapon.blast)
    shooter = _shooter(unit, shots)
    return () if shooter is None else flame_from(state, unit, shooter, centre)


def _come_down(state: SquadState, frame: Scatter, centre: Point) -> SquadState:
    """The dice for everybody under the area, unit by unit."""
    unit, weapon = state.unit(frame.unit), state.table.weapon(frame.shots.weapon)
    rows = struck_by(state, unit, frame.shots, weapon, centre)
    state = _with_targets(without_top(state), tuple(sorted({row.unit for row in rows})))
    where = f"{weapon.id} comes down at ({centre[0]:.1f}, {centre[1]:.1f}) on {len(rows)} models"
    state = but(state, log=(*state.log, where))
    found = strikes(state, unit, _shooter(unit, frame.shots), weapon, rows)
    frames = [Volleys(owner=frame.owner, unit=unit.id, target=name, groups=groups) for name, groups in found]
    return push(state, *reversed(frames))


def _with_targets(state: SquadState, names: tuple[str, ...]) -> SquadState:
    """The fire that is being resolved with more units noted that were shot at."""
    for place in range(len(state.agenda) - 1, -1, -1):
        frame = state.agenda[place]
        if isinstance(frame, Shooting):
            noted = but(frame, targets=tuple(sorted({*frame.targets, *names})))
            return but(state, agenda=(*state.agenda[:place], noted, *state.agenda[place + 1 :]))
    return state
