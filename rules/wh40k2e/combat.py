"""Duels: attack dice, parries, strikes, and what comes of them (chapter HH).

Readings of our own: a player who may parry is asked only where he does not win as the dice lie; who
breaks off does so when its last duel is over, if anybody is still in contact with it.
"""

from __future__ import annotations

from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, Handler, push, swap, without_top
from tactician.rules.core.chance import Faces, Outcome, Roll, Total
from tactician.rules.core.choice import Choice, Nothing
from tactician.rules.core.derive import but
from tactician.rules.wh40k2e.contact import foes_of, is_engaged
from tactician.rules.wh40k2e.duel_odds import Dice
from tactician.rules.wh40k2e.duels import (
    attack_dice,
    blow_volley,
    fighter,
    hits_of,
    is_first_round,
    score,
)
from tactician.rules.wh40k2e.flight import flight_of
from tactician.rules.wh40k2e.leadership import after_losses, the_turn
from tactician.rules.wh40k2e.pairing import pairs_left
from tactician.rules.wh40k2e.psychology import hates
from tactician.rules.wh40k2e.state import Blow, Combat, Squad, SquadState, Turn
from tactician.rules.wh40k2e.wounding import fallen

__all__ = ["BlowHandler", "CombatHandler"]

BANDS = (("one", 1, 1), ("two", 2, 2), ("three", 3, 3), ("four", 4, 4), ("five", 5, 5), ("six", 6, 6))
"""Faces of attack dice, counted one by one."""

FIRST, SECOND = 0, 1


# ---- a duel ----------------------------------------------------------------------------------------------------------


class CombatHandler(Handler[SquadState, Combat]):
    """Two models fight: attack dice of both, parries, scores, strikes."""

    def step(self, state: SquadState, frame: Combat) -> SquadState | None:
        """Go on where no dice and no decision are called for."""
        match frame.stage:
            case "first" | "second":
                who = FIRST if frame.stage == "first" else SECOND
                return None if _dice_of(state, frame, who) else swap(state, _after_dice(state, frame))
            case "parry":
                return swap(state, but(frame, stage="score")) if _parrying(state, frame) is None else None
            case "reroll":
                return None
            case "score":
                return _struck(state, frame)
            case "blow":
                return _ended(without_top(state))

    def mover(self, state: SquadState, frame: Combat) -> str:
        """Dice, but for parries."""
        who = _parrying(state, frame) if frame.stage == "parry" else None
        return CHANCE if who is None else fighter(state, _names(frame)[who]).unit.side

    def choices(self, state: SquadState, frame: Combat) -> tuple[Choice, ...]:
        """Make the enemy throw its best die again, or not (2E-HH-09)."""
        who = _parrying(state, frame)
        assert who is not None
        unit = fighter(state, _names(frame)[who]).unit.id
        return (Choice("parry", unit, Nothing()), Choice("pass", "", Nothing()))

    def take(self, state: SquadState, frame: Combat, action: Action) -> SquadState:
        """A parry is spent, or the dice stand."""
        who = _parrying(state, frame)
        if action.verb != "parry" or who is None:
            return swap(state, but(frame, stage="score"))
        first, second = frame.parries
        parries = (first - 1, second) if who == FIRST else (first, second - 1)
        return swap(state, but(frame, stage="reroll", parries=parries, parrying=who))

    def roll(self, state: SquadState, frame: Combat) -> Roll:
        """Attack dice of one of the two, or the die that was parried."""
        if frame.stage == "reroll":
            name = _names(frame)[1 - frame.parrying]
            why = f"parry: {name} throws its best die again"
            return Total(why=why, subject=fighter(state, name).unit.id, dice=1)
        who = FIRST if frame.stage == "first" else SECOND
        name, foe = _names(frame)[who], _names(frame)[1 - who]
        why = f"attack dice: {name} against {foe}" + (", again out of hatred" if frame.rerolled[who] else "")
        return Faces(why=why, subject=fighter(state, name).unit.id, dice=_dice_of(state, frame, who), bands=BANDS)

    def land(self, state: SquadState, frame: Combat, outcome: Outcome) -> SquadState:
        """Note the faces."""
        if frame.stage == "reroll":
            assert isinstance(outcome, int)
            who = 1 - frame.parrying
            kept = frame.dice[who][:-1]
            return swap(state, but(_with_dice(frame, who, (*kept, outcome)), stage="parry"))
        assert isinstance(outcome, tuple)
        who = FIRST if frame.stage == "first" else SECOND
        faces = tuple(face for face, count in enumerate(outcome, start=1) for _ in range(count))
        return swap(state, _after_dice(state, _with_dice(frame, who, faces)))


def _names(frame: Combat) -> tuple[str, str]:
    return frame.first, frame.second


def _dice_of(state: SquadState, frame: Combat, who: int) -> int:
    return attack_dice(state, _names(frame)[who], frame.extra[who])


def _with_dice(frame: Combat, who: int, faces: Dice) -> Combat:
    dice = tuple(sorted(faces))
    return but(frame, dice=(dice, frame.dice[SECOND]) if who == FIRST else (frame.dice[FIRST], dice))


def _after_dice(state: SquadState, frame: Combat) -> Combat:
    """What follows dice: the other's dice, those that hatred throws again (2E-PS-06), or parries."""
    if frame.stage == "first" and not frame.dice[SECOND] and not any(frame.rerolled):
        return but(frame, stage="second")
    a, b = fighter(state, frame.first), fighter(state, frame.second)
    for who, one in enumerate((a, b)):
        if frame.rerolled[who] or not frame.dice[who] or not is_first_round(a, b) or not hates(state, one.unit):
            continue
        hits = hits_of(state, frame.first, frame.second, _margin(state, frame))
        if (hits if who == FIRST else -hits) <= 0:
            rerolled = (True, frame.rerolled[SECOND]) if who == FIRST else (frame.rerolled[FIRST], True)
            return but(frame, stage="first" if who == FIRST else "second", rerolled=rerolled)
        if who == FIRST:  # asked once: what the second throws does not bring the first's chance back
            frame = but(frame, rerolled=(True, frame.rerolled[SECOND]))
    return but(frame, stage="parry")


def _margin(state: SquadState, frame: Combat) -> int:
    """How far the first model is ahead as the dice lie."""
    a, b = frame.dice
    mine = score(state, frame.first, frame.second, (a, b), extra=frame.extra[FIRST])
    theirs = score(state, frame.second, frame.first, (b, a), extra=frame.extra[SECOND])
    return round(mine.total - theirs.total)


def _parrying(state: SquadState, frame: Combat) -> int | None:
    """Which of the two may parry now: it has a parry left and does not lead; None for neither."""
    margin = _margin(state, frame)
    for who, ahead in ((FIRST, margin), (SECOND, -margin)):
        if frame.parries[who] and ahead <= 0 and frame.dice[1 - who]:
            return who
    return None


def _struck(state: SquadState, frame: Combat) -> SquadState:
    """The scores compared: whoever wins strikes (2E-HH-10)."""
    a, b = frame.dice
    mine = score(state, frame.first, frame.second, (a, b), extra=frame.extra[FIRST])
    theirs = score(state, frame.second, frame.first, (b, a), extra=frame.extra[SECOND])
    hits = hits_of(state, frame.first, frame.second, round(mine.total - theirs.total))
    state = but(state, log=(*state.log, str(mine), str(theirs)))
    state = swap(state, but(frame, stage="blow", hits=abs(hits)))
    if not hits:
        return state
    striker, victim = (frame.first, frame.second) if hits > 0 else (frame.second, frame.first)
    return push(state, Blow(owner=fighter(state, striker).unit.side, striker=striker, victim=victim, hits=abs(hits)))


class BlowHandler(Handler[SquadState, Blow]):
    """Strikes that have hit."""

    def step(self, state: SquadState, frame: Blow) -> SquadState | None:
        """No dice where nothing can come of them, or only one thing."""
        if not all(_stands(state, name) for name in (frame.striker, frame.victim)):
            return without_top(state)
        support = blow_volley(state, frame.striker, frame.victim, frame.hits).support()
        return self.land(state, frame, support[0][0]) if len(support) == 1 else None

    def mover(self, state: SquadState, frame: Blow) -> str:
        """Always dice."""
        return CHANCE

    def roll(self, state: SquadState, frame: Blow) -> Roll:
        """Wounds and saves."""
        return blow_volley(state, frame.striker, frame.victim, frame.hits)

    def land(self, state: SquadState, frame: Blow, outcome: Outcome) -> SquadState:
        """Take the loss, and the tests that it calls for at once."""
        assert isinstance(outcome, tuple)
        removed, hurt = outcome[:2]
        unit = state.owner(frame.victim)
        state = fallen(without_top(state), unit.id, removed, hurt, (frame.victim,))
        if removed:
            told = f"{frame.victim} of {unit.name} ({unit.id}) falls in hand-to-hand"
            state = but(state, log=(*state.log, told))
        return after_losses(state, unit.id) if removed or hurt else state


def _stands(state: SquadState, name: str) -> bool:
    return any(model.id == name for unit in state.units for model in unit.models)


# ---- afterwards ------------------------------------------------------------------------------------------------------


def _ended(state: SquadState) -> SquadState:
    """A duel is over: who is free to follow up, and whether somebody who breaks off is done."""
    turn = the_turn(state)
    if turn is None:
        return state
    freed = but(turn, free=_free(state, turn))
    state = but(state, agenda=tuple(freed if frame is turn else frame for frame in state.agenda))
    waiting = {name for pair in pairs_left(state, freed) for name in pair}
    for unit in state.units:
        if unit.leaving and not any(model.id in waiting for model in unit.models):
            state = _gone(state, unit)
    return state


def _free(state: SquadState, turn: Turn) -> tuple[str, ...]:
    """Models all of whose opponents in this phase are dead (2E-HH-13)."""
    found = []
    for name in sorted({name for pair in turn.fought for name in pair}):
        opponents = {other for pair in turn.fought if name in pair for other in pair if other != name}
        dead = not any(_stands(state, other) for other in opponents)
        if dead and _stands(state, name) and not foes_of(state, name) and state.holds("2E-HH-13"):
            found.append(name)
    return tuple(found)


def _gone(state: SquadState, unit: Squad) -> SquadState:
    """A unit whose last round is over breaks off (2E-HH-14), unless nobody holds it any more."""
    if not unit.models or not is_engaged(state, unit):
        return state.with_unit(but(unit, leaving=False))
    unit = but(unit, leaving=False, broken=True, shaken=False, overwatch=False, charge=())
    told = f"{unit.name} ({unit.id}) break off"
    state = but(state.with_unit(unit), log=(*state.log, told))
    return push(state, flight_of(state, unit))
