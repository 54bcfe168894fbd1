"""What things are worth in the second edition: points of models, fire and hand-to-hand by the rules' own odds, cover.

Everything is asked of the chapters that decide it. What depends on two units alone is remembered by them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from tactician.rules.core.action import Action
from tactician.rules.core.agenda import Frame
from tactician.rules.core.appraisal import Attack, Goal, Means
from tactician.rules.core.choice import Choice
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import Inches, within
from tactician.rules.core.movement import disorder_of
from tactician.rules.core.remember import Remembered
from tactician.rules.core.sight import Eye
from tactician.rules.core.sketch_tables import Tables
from tactician.rules.core.state import SIDES, Model, State, Unit, other_side
from tactician.rules.wh40k2e.appraisal_attacks import has_view, losses_of, promise_of, view_of
from tactician.rules.wh40k2e.appraisal_campaign import campaign_of, may_still_move, turns_to_come
from tactician.rules.wh40k2e.appraisal_might import (
    charge_reach,
    clash,
    farthest,
    is_charging,
    longest,
    share,
    shot_promise,
    spoils,
)
from tactician.rules.wh40k2e.appraisal_strikes import attacks_of, seen_by
from tactician.rules.wh40k2e.appraisal_tables import tables_of
from tactician.rules.wh40k2e.appraisal_ways import answer, shelters_for
from tactician.rules.wh40k2e.contact import is_engaged, unit_gap
from tactician.rules.wh40k2e.movement import coherency_rule
from tactician.rules.wh40k2e.moving import VERB_OF
from tactician.rules.wh40k2e.sighting import eye_of
from tactician.rules.wh40k2e.state import Deploy, FirstTurn, Moving, Phase, React, Squad, SquadState, Targeting, Turn
from tactician.rules.wh40k2e.victory import cost_of, next_points, points

__all__ = ["SquadAppraiser"]

CONTACT: Inches = 1.0
"""How far hand-to-hand tells, obstacles between the fighters included."""

NEAR = 0.6
"""Part of its range from which a unit sees whom it wants to shoot at, as a rule."""

LEAST, AGAIN = 0.5, 0.7
"""What an attack counts that will hardly come any more, and how much less with every turn."""

TURN = 1.5
"""Moves that bring a unit nearer in a turn: some of it walking, some running."""

APPROACH: Inches = 6.0
"""Inches that an enemy may come nearer before a watching unit fires at it."""

PARTS = 4.0
"""Parts of an army that a victory point is worth."""

PROGRESS = 0.7
"""What the next victory points for a unit count that has lost nearly all of its models, the less the more are left."""

MANY = 10.0
"""Victory points that are shown as 1."""

PURPOSES: dict[str, tuple[str, ...]] = {
    "charge": ("charge",),
    "steady": ("move",),
    "watch": ("overwatch",),
    "fire": ("fire",),
    "hide": ("hide",),
    "follow": ("follow",),
}
"""Orders by what they are for, as `SquadAppraiser.verbs_for` names it."""

MOVES = ("opening", "compulsory", "chargers", "normal", "hiding")
"""Steps of the Movement Phase."""

STEPS: tuple[str, ...] = get_args(Phase)
"""Steps and phases of a turn in their order."""

STATUS = (
    "on overwatch",
    "hidden, half if spotted",
    "broken, half if shaken",
    "has walked",
    "has run",
    "charges",
    "fights hand to hand",
    "has done its part in this step",
    "has fired this turn",
)

MOMENT = (
    "own victory points",
    "enemy victory points",
    "acts first in a round",
    "whose turn: 1 own, -1 enemy",
    "deployment",
    "charges are declared",
    "movement",
    "hiding",
    "shooting",
    "hand-to-hand",
    "rally",
    "somebody is on his way",
)


class SquadAppraiser:
    """The worth of things in the second edition."""

    has_facing: bool = True
    every_turn: bool = True
    parting_verbs: tuple[str, ...] = ()
    idle_verbs: tuple[str, ...] = ("turn",)
    status_names: tuple[str, ...] = STATUS
    moment_names: tuple[str, ...] = MOMENT

    def worth(self, state: State, unit: Unit) -> float:
        """Points of the models that are left, put down or not, each an equal part of the unit's cost."""
        mine = _squad(unit)
        return share(_moment(state), mine) * (len(mine.models) + len(mine.reserve))

    def losses(self, state: State, attacker: Unit, target: Unit) -> tuple[float, ...]:
        """By shooting as the rules expect it; in a round of hand-to-hand where the two units fight."""
        return losses_of(_moment(state), _squad(attacker), _squad(target))

    def harm(self, state: State, attacker: Unit, target: Unit) -> float:
        """Points that the attack destroys on average."""
        mean = sum(count * chance for count, chance in enumerate(self.losses(state, attacker, target)))
        return mean * share(_moment(state), _squad(target))

    def promise(self, state: State, attacker: Unit, target: Unit) -> float:
        """Points by the better of fire and a charge; by blows alone, less what is struck back, for whoever charges."""
        return promise_of(_moment(state), _squad(attacker), _squad(target))

    def view(self, state: State, attacker: Unit, target: Unit) -> float:
        """Share of a few models that have a few of the target's in range and sight, other models not looked at."""
        return view_of(_moment(state), _squad(attacker), _squad(target))

    def stride(self, state: State, unit: Unit) -> Inches:
        """Its Movement; nothing for whoever is on overwatch."""
        return _moment(state).profile(unit).move

    def reach(self, state: State, unit: Unit) -> Inches:
        """A move and the range, or a charge."""
        moment, mine = _moment(state), _squad(unit)
        if is_charging(mine):
            return charge_reach(moment, mine)
        far = longest(moment, mine)
        if mine.overwatch:
            return far
        walks = moment.profile(mine).move + farthest(moment, mine) if far else 0.0
        return max(far, walks, charge_reach(moment, mine))

    def range(self, state: State, unit: Unit) -> Inches:
        """Of its weapons, and what an enemy may come nearer for who watches; of its charge for who has declared one."""
        moment, mine = _moment(state), _squad(unit)
        if is_charging(mine):
            return charge_reach(moment, mine)
        far = longest(moment, mine)
        return far + APPROACH if mine.overwatch and far else max(far, CONTACT)

    def attacks(self, state: State, unit: Unit) -> tuple[Attack, ...]:
        """Fire from a stand, fire after a walk, a charge; blows for who fights; nothing for who is broken."""
        return attacks_of(_moment(state), _squad(unit))

    def eye(self, state: State, unit: Unit, pose: Pose) -> Eye:
        """As tall as its profile says, and as high as the hill it is on."""
        return eye_of(_moment(state), _squad(unit), Model(id="", pose=pose))

    def sees(
        self, state: State, unit: Unit, eyes: Sequence[Eye], targets: Sequence[Eye]
    ) -> tuple[tuple[bool, ...], ...]:
        """Past terrain and the models of other units."""
        return seen_by(_moment(state), _squad(unit), eyes, targets)

    def hope(self, state: State, unit: Unit, gap: Inches) -> float:
        """The part of the turns left in which it can attack: less where this one is spent on watching or a charge."""
        moment, mine = _moment(state), _squad(unit)
        move = moment.profile(mine).move
        near = charge_reach(moment, mine)
        if not is_charging(mine):
            near = max(near, NEAR * farthest(moment, mine))
        turns = max(gap - near, 0.0) / (TURN * move) + float(mine.overwatch or is_charging(mine))
        return max(1.0 - turns / max(self.rounds_left(state), 1), LEAST * float(AGAIN**turns))

    def campaign(self, state: State, unit: Unit, foe: Unit, gap: Inches) -> tuple[float, float]:
        """By fire and by hand-to-hand, over the turns that are left."""
        return campaign_of(_moment(state), _squad(unit), _squad(foe), gap)

    def prize(self, state: State, unit: Unit) -> float:
        """Its points, and the victory points that its loss scores."""
        mine = _squad(unit)
        return spoils(_moment(state), mine, float(len(mine.models)))

    def moment_key(self, state: State, side: str) -> object:
        """How many turns the side has left, and which step of whose turn is played."""
        turn = _turn(_moment(state))
        step = "" if turn is None or turn.owner != side else turn.phase
        return turns_to_come(_moment(state), side), step

    def later(self, state: State) -> float:
        """Battles are short: each of the turns left counts alike, and this one is one of them."""
        return 1.0 - 1.0 / max(self.rounds_left(state), 1)

    def is_ready(self, state: State, unit: Unit) -> bool:
        """Whether it may still shoot or fight in the turn that is played, or watches while the enemy moves."""
        return _is_ready(_moment(state), _squad(unit))

    def orders(self, state: State, side: str) -> int:
        """Moves and attacks of its units still to come in this turn, and the steps that are left of its own."""
        moment = _moment(state)
        turn = _turn(moment)
        phase = turn.phase if turn is not None and turn.owner == side else ""
        waiting = [unit for unit in moment.units if unit.side == side and (unit.models or unit.reserve)]
        if turn is None:
            return len(waiting) + sum(bool(unit.reserve) for unit in waiting)
        attacks = sum(_is_ready(moment, unit) for unit in waiting)
        if not phase:
            return attacks
        moves = sum(_may_move(unit) for unit in waiting) if phase in MOVES[:-1] else 0
        return attacks + moves + len(STEPS) - STEPS.index(phase)

    def goals(self, state: State, side: str) -> tuple[Goal, ...]:
        """None: nothing but losses scores."""
        return ()

    def shelters(self, state: State, unit: Unit) -> tuple[Goal, ...]:
        """Middles of pieces that give cover, and places behind walls and hedges."""
        return shelters_for(_moment(state), _squad(unit))

    def standing(self, state: State, side: str) -> float:
        """The lead in victory points, units that are about to flee counted as broken."""
        return _points(_moment(state), side) - _points(_moment(state), other_side(side))

    def outlook(self, state: State, side: str) -> float:
        """Nothing scores at the end of a round."""
        return 0.0

    def stakes(self, state: State) -> float:
        """A part of the dearer army, the greater the nearer the end."""
        moment = _moment(state)
        army = max(sum(cost_of(moment, unit) for unit in moment.units if unit.side == side) for side in SIDES)
        return army / PARTS * (1.0 + moment.round / max(moment.table.turns, 1)) / 2

    def rounds_left(self, state: State) -> int:
        """This round and those to come."""
        moment = _moment(state)
        return max(moment.table.turns - moment.round + 1, 0)

    def reply(self, state: State, choices: tuple[Choice, ...]) -> Action | None:
        """Fire from overwatch at the point that promises most, parry, go on."""
        return answer(_moment(state), choices)

    def pieces(self, state: State, unit: Unit) -> int:
        """In how many pieces the links of its models leave it."""
        moment = _moment(state)
        return disorder_of(moment, unit, coherency_rule(moment)) if unit.models else 1

    def status(self, state: State, unit: Unit) -> tuple[float, ...]:
        """What it has done, what it waits for, and its nerve."""
        moment, mine = _moment(state), _squad(unit)
        return (
            float(mine.overwatch),
            (0.5 if mine.spotters else 1.0) if mine.hidden else 0.0,
            1.0 if mine.broken else 0.5 if mine.shaken else 0.0,
            float(mine.went == "walked"),
            float(mine.went == "ran"),
            float(bool(mine.charge or mine.charged)),
            float(is_engaged(moment, mine)),
            float(mine.acted),
            float(mine.fired),
        )

    def moment(self, state: State, side: str) -> tuple[float, ...]:
        """Victory points, whose turn it is and how far it has come."""
        moment, foe = _moment(state), other_side(side)
        turn = _turn(moment)
        phase = "" if turn is None else turn.phase
        owner = "" if turn is None else turn.owner
        return (
            *(max(min(points(moment, one) / MANY, 1.0), -1.0) for one in (side, foe)),
            float(moment.first == side) - float(moment.first == foe),
            float(owner == side) - float(owner == foe),
            float(any(isinstance(frame, Deploy) for frame in moment.agenda)),
            float(phase == "opening"),
            float(phase in ("compulsory", "chargers", "normal")),
            float(phase == "hiding"),
            float(phase == "shooting"),
            float(phase in ("combat", "follow")),
            float(phase == "rally"),
            float(any(isinstance(frame, Moving) for frame in moment.agenda)),
        )

    def answering(self, state: State) -> str:
        """The verb of the move that is interrupted, or of the fire that is being aimed."""
        frame = _innermost(_moment(state))
        if isinstance(frame, Moving):
            return "assault" if frame.gait == "charge" else VERB_OF.get(frame.gait, "")
        return "fire" if isinstance(frame, Targeting) else ""

    def tables(self, state: State) -> Tables:
        """Squads by their own odds of fire, duels and nerve."""
        return tables_of(_moment(state), self.stakes(state))

    def means(self, state: State, unit: Unit, foe: Unit) -> Means:
        """Fire as the weapons carry, and a round of hand-to-hand after a charge."""
        moment, mine, theirs = _moment(state), _squad(unit), _squad(foe)
        found = clash(moment, mine, theirs, charges=True)
        return Means(fire=shot_promise(moment, mine, theirs), struck=found.gained, suffered=found.lost)

    def verbs_for(self, purpose: str) -> tuple[str, ...]:
        """Orders of the second edition by what they are for."""
        return PURPOSES.get(purpose, ())


# ---- reading the moment ----------------------------------------------------------------------------------------------


def _moment(state: State) -> SquadState:
    assert isinstance(state, SquadState)
    return state


def _squad(unit: Unit) -> Squad:
    assert isinstance(unit, Squad)
    return unit


def _turn(state: SquadState) -> Turn | None:
    """Whose turn it is; None while units are put down, and when the battle is over."""
    frame = state.agenda[0] if state.agenda else None
    if not isinstance(frame, Turn) or any(isinstance(one, Deploy | FirstTurn) for one in state.agenda):
        return None
    return frame


_READY: Remembered[bool] = Remembered(4_000)


def _is_ready(state: SquadState, unit: Squad) -> bool:
    return _READY.get((state.table, state.units, state.agenda, unit), None, lambda: _find_ready(state, unit))


def _find_ready(state: SquadState, unit: Squad) -> bool:
    turn = _turn(state)
    if turn is None or unit.broken or not unit.models:
        return turn is None
    if is_engaged(state, unit):
        return STEPS.index(turn.phase) <= STEPS.index("combat")
    if unit.overwatch:
        is_time = turn.owner == unit.side or turn.phase in (*MOVES, "start")
        return is_time and any(has_view(state, unit, foe) for foe in state.against(unit.side))
    if turn.owner != unit.side or unit.dazed or turn.phase not in (*MOVES, "start", "shooting"):
        return False
    if unit.charge:
        reach = charge_reach(state, unit)
        return is_charging(unit) and any(within(unit_gap(unit, foe), reach) for foe in state.against(unit.side))
    if unit.fired or unit.went in ("ran", "charged", "compelled"):
        return False
    if not may_still_move(state, unit) and disorder_of(state, unit, coherency_rule(state)) > 1:
        return False  # apart from each other at the end of their moves, they do nothing (2E-LD-11)
    return _has_prospects(state, unit, turn.phase)


def _has_prospects(state: SquadState, unit: Squad, phase: str) -> bool:
    """Whether a unit can come to shoot at somebody in this turn: after its move, or from where it stands now."""
    foes = state.against(unit.side)
    if phase in ("start", *MOVES[:-1]) and not unit.acted:
        reach = state.profile(unit).move + farthest(state, unit)
        near = any(within(unit_gap(unit, foe), reach) for foe in foes)
        return near or any(has_view(state, unit, foe) for foe in foes)
    return any(has_view(state, unit, foe) for foe in foes)


def _may_move(unit: Squad) -> bool:
    """Whether a unit still has its move in this turn."""
    return bool(unit.models) and not (unit.acted or unit.charge or unit.overwatch or unit.broken)


def _innermost(state: SquadState) -> Frame | None:
    """What is being carried out: the move under an interruption, else the innermost frame."""
    for frame in reversed(state.agenda):
        if not isinstance(frame, React):
            return frame
    return None


def _points(state: SquadState, side: str) -> float:
    """Victory points of a side, and part of those that it is on the way to."""
    leaving = [unit for unit in state.against(side) if unit.leaving]
    hoped = sum(_promised(state, unit) for unit in state.against(side))
    return float(points(state, side) + len(leaving)) + hoped


def _promised(state: SquadState, unit: Squad) -> float:
    """What a unit may yet give its enemy, by what it has lost."""
    scores, need, whole = next_points(state, unit)
    return PROGRESS * scores * (1.0 - need / max(whole, 1)) ** 2
