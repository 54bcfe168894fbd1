"""Who fights whom in which order, and who leaves hand-to-hand (chapter HH).

Readings of our own: every pair in contact fights once, the models of the player whose turn it is by id; of two models
the one with more duels in this phase is fought by several, whose player says which of them goes next where it makes a
difference, and each opponent after its first has a further die and point; only the player whose turn it is breaks off.
"""

from __future__ import annotations

from tactician.rules.core.action import Action, Pairs, pairs
from tactician.rules.core.agenda import Handler, swap, without_top
from tactician.rules.core.choice import Choice, Nothing, OneOf
from tactician.rules.core.derive import but
from tactician.rules.wh40k2e.contact import foes_of, is_engaged, touching
from tactician.rules.wh40k2e.duels import parries_of
from tactician.rules.wh40k2e.leadership import the_turn
from tactician.rules.wh40k2e.state import Combat, Queue, Squad, SquadState, Turn

__all__ = [
    "QueueHandler",
    "begin_break_off",
    "break_off_choices",
    "may_stride_out",
    "next_combat",
    "next_queue",
    "pairs_left",
    "pairs_to_fight",
]

FIRST, SECOND = 0, 1


def pairs_to_fight(state: SquadState) -> Pairs:
    """Pairs of models that still have to fight in this phase, in order: the one whose turn it is, and its enemy."""
    turn = the_turn(state)
    return pairs_left(state, turn) if turn is not None else ()


def pairs_left(state: SquadState, turn: Turn) -> Pairs:
    """2E-HH-01: each pair in contact fights."""
    if not state.holds("2E-HH-01"):
        return ()
    contacts = touching(state)
    mine = sorted(model.id for unit in state.of(turn.owner) for model in unit.models if model.id in contacts)
    pairs = ((name, foe) for name in mine for foe in contacts[name])
    return tuple(pair for pair in pairs if pair not in turn.fought)


def next_combat(state: SquadState, turn: Turn) -> Combat | None:
    """The next fight of a Hand-to-Hand Phase; None where all have fought.

    Args:
        state: the moment.
        turn: with the pairs that have fought; whoever pushes the fight notes its pair there.
    """
    left = pairs_left(state, turn)
    if not left:
        return None
    first, second = (turn.next[0], turn.next[1]) if turn.next in left else left[0]
    return Combat(
        owner=turn.owner,
        first=first,
        second=second,
        extra=_extra(state, turn, left, first, second),
        parries=(parries_of(state, first, second), parries_of(state, second, first)),
    )


def _extra(state: SquadState, turn: Turn, left: Pairs, first: str, second: str) -> tuple[int, int]:
    """Dice and points of two models for being one of several that fight the other (2E-HH-12)."""
    if not state.holds("2E-HH-12"):
        return 0, 0
    done = [sum(name in pair for pair in turn.fought) for name in (first, second)]
    duels = [before + sum(name in pair for pair in left) for before, name in zip(done, (first, second), strict=True)]
    if duels[FIRST] == duels[SECOND]:
        return 0, 0
    return (0, done[FIRST]) if duels[FIRST] > duels[SECOND] else (done[SECOND], 0)


def next_queue(state: SquadState, turn: Turn) -> Queue | None:
    """Who of several that fight one model goes next, where their player has to say (2E-HH-12); None otherwise."""
    left = pairs_left(state, turn)
    if not left or turn.next or not state.holds("2E-HH-12"):
        return None
    duels = [sum(name in pair for pair in (*turn.fought, *left)) for name in left[0]]
    if duels[FIRST] == duels[SECOND]:
        return None
    lone = left[0][FIRST if duels[FIRST] > duels[SECOND] else SECOND]
    several = tuple(sorted(other for pair in left if lone in pair for other in pair if other != lone))
    if len({_kind_of(state, name) for name in several}) < 2:
        return None
    return Queue(owner=state.owner(several[0]).side, lone=lone, several=several)


def _kind_of(state: SquadState, name: str) -> tuple[object, ...]:
    """What tells a fighter from another one."""
    unit = state.owner(name)
    return unit.profile, unit.weapons_of(name), dict(unit.hurt).get(name, 0), name in unit.charged, unit.cowed


class QueueHandler(Handler[SquadState, Queue]):
    """Several fight one: their player says who goes next."""

    def choices(self, state: SquadState, frame: Queue) -> tuple[Choice, ...]:
        """Any of those that have not fought it yet."""
        return (Choice("fight", "", OneOf(tuple(pairs(next=name) for name in frame.several))),)

    def take(self, state: SquadState, frame: Queue, action: Action) -> SquadState:
        """Note the pair that fights next."""
        state, name = without_top(state), action.target("next") or frame.several[0]
        turn = state.agenda[-1]
        assert isinstance(turn, Turn)
        mine = state.owner(name).side == turn.owner
        return swap(state, but(turn, next=(name, frame.lone) if mine else (frame.lone, name)))


# ---- leaving ---------------------------------------------------------------------------------------------------------


def break_off_choices(state: SquadState, side: str) -> tuple[Choice, ...]:
    """Units of a side that may break off from hand-to-hand before this phase's fights begin (2E-HH-14)."""
    if not state.holds("2E-HH-14"):
        return ()
    return tuple(
        Choice("break_off", unit.id, Nothing())
        for unit in state.of(side)
        if is_engaged(state, unit) and not unit.leaving and not unit.broken
    )


def begin_break_off(state: SquadState, action: Action) -> SquadState:
    """The state with a unit ordered to break off: it fights this round at no skill, then flees (2E-HH-14)."""
    return state.with_unit(but(state.unit(action.unit), leaving=True))


def may_stride_out(state: SquadState, unit: Squad) -> bool:
    """Whether a unit may walk out of hand-to-hand freely: not from enemies that could do the same (2E-HH-15)."""
    if not state.profile(unit).has("strides_out") or not state.holds("2E-HH-15"):
        return False
    foes = {state.owner(foe).id for model in unit.models for foe in foes_of(state, model.id)}
    return not any(state.profile(state.unit(foe)).has("strides_out") for foe in sorted(foes))
