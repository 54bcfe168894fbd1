"""The turn: activations by turns, one command point each (pages *Turn structure*, *Command tokens*)."""

from __future__ import annotations

from collections.abc import Iterator

from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, Handler, swap, without_top
from tactician.rules.core.chance import Outcome, Roll, Table
from tactician.rules.core.choice import Choice
from tactician.rules.core.clauses import MALFORMED, Violation
from tactician.rules.core.derive import but
from tactician.rules.core.state import SIDES, other_side
from tactician.rules.voidsiege.commands import command_choice, eligible, open_choice, orders_of, target_faults
from tactician.rules.voidsiege.engagement import engaged_pairs
from tactician.rules.voidsiege.horde import is_horde
from tactician.rules.voidsiege.missions import annihilated, end_turn
from tactician.rules.voidsiege.raiding import raid_choice, raided
from tactician.rules.voidsiege.scouting import with_arrivals
from tactician.rules.voidsiege.splitting import split_choice, split_unit
from tactician.rules.voidsiege.state import Exchange, RollOff, Turn, VoidState, VoidUnit
from tactician.rules.voidsiege.threat import refunded, with_income

__all__ = ["RollOffHandler", "TurnHandler", "fresh_points", "spent"]


def fresh_points(state: VoidState) -> tuple[int, int]:
    """Equal pools for both sides (VS-TN-02)."""
    pool = round(state.table.inches("command_points"))
    return (pool, pool) if state.holds("VS-TN-02") else (pool, 0)


def spent(state: VoidState, side: str) -> VoidState:
    """The state with one command point of a side gone."""
    return but(state, points=left_after(state, side))


def left_after(state: VoidState, side: str) -> tuple[int, int]:
    """Command points once a side has spent one (VS-TN-01)."""
    red, blue = state.points
    if not state.holds("VS-TN-01"):
        return red, blue
    return (red - 1, blue) if side == "red" else (red, blue - 1)


class RollOffHandler(Handler[VoidState, RollOff]):
    """Who goes first."""

    def mover(self, state: VoidState, frame: RollOff) -> str:
        """Always dice."""
        return CHANCE

    def roll(self, state: VoidState, frame: RollOff) -> Roll:
        """One die for both: 1-3 red, 4-6 blue."""
        return Table(why="roll-off: who goes first", sides=6, entries=((1, 3, "red"), (4, 6, "blue")))

    def land(self, state: VoidState, frame: RollOff, outcome: Outcome) -> VoidState:
        """The winner goes first, deploys first, and defends where the mission has a defender."""
        assert isinstance(outcome, int)
        side = SIDES[outcome]
        log = (*state.log, f"{side} wins the roll-off")
        return without_top(but(state, first=side, defender=state.defender or side, log=log))


class TurnHandler(Handler[VoidState, Turn]):
    """Whose activation it is, and what may be ordered."""

    def step(self, state: VoidState, frame: Turn) -> VoidState | None:
        """Begin a turn, pass the activation on, or end the turn."""
        over = refunded(state) or annihilated(state)
        if over is not None:
            return over
        if not frame.owner:
            return self._begin(state, frame)
        if frame.pinned:
            return None
        if max(state.points) < 1:
            return self._end(state)
        if state.points_of(frame.owner) < 1:
            return swap(state, but(frame, owner=other_side(frame.owner)))
        if next(self._offers(state, frame), None) is None:
            return self._unable(state, frame) if state.holds("VS-TN-04") else self._end(state)
        return None

    def _begin(self, state: VoidState, frame: Turn) -> VoidState:
        units = tuple(
            but(unit, restrictions=(), ditching=False) if unit.restrictions or unit.ditching else unit
            for unit in state.units
        )
        units = units if state.holds("VS-RE-02") or state.round == 1 else state.units
        log = (*state.log, f"turn {state.round}: {state.first} first")
        points = fresh_points(state)
        state = with_income(but(state, points=points, units=units, log=log))
        return with_arrivals(swap(state, but(frame, owner=state.first)))

    def _end(self, state: VoidState) -> VoidState:
        state = end_turn(state)
        if state.ended:
            return state
        alternates = state.table.option("turn_order") == "alternate" and state.holds("VS-TN-03")
        first = other_side(state.first) if alternates else state.first
        return swap(but(state, round=state.round + 1, first=first), Turn(owner=""))

    def _unable(self, state: VoidState, frame: Turn) -> VoidState:
        """A side that can order nothing says so and discards a point (VS-TN-04)."""
        log = (*state.log, f"{frame.owner} can order nothing and discards a command point")
        red, blue = state.points
        points = (red - 1, blue) if frame.owner == "red" else (red, blue - 1)
        return swap(but(state, points=points, log=log), but(frame, owner=other_side(frame.owner)))

    def choices(self, state: VoidState, frame: Turn) -> tuple[Choice, ...]:
        """Every unit with every command it can be given, raids, and splits."""
        return tuple(self._offers(state, frame))

    def _offers(self, state: VoidState, frame: Turn) -> Iterator[Choice]:
        """The choices one after another, so that whoever asks for any stops at the first."""
        for unit in state.of(frame.owner):
            if not frame.pinned or unit.id in frame.pinned:
                yield from self._offers_to(state, frame, unit)

    def _offers_to(self, state: VoidState, frame: Turn, unit: VoidUnit) -> Iterator[Choice]:
        for command in orders_of(state, unit):
            choice = open_choice(state, unit, command)
            if choice is not None:
                yield choice
        for other in (raid_choice(state, unit), None if frame.pinned else split_choice(state, unit)):
            if other is not None:
                yield other

    def choice_for(self, state: VoidState, frame: Turn, verb: str, unit: str) -> Choice | None:
        """One command of one unit."""
        if not state.has_unit(unit) or (frame.pinned and unit not in frame.pinned):
            return None
        ordered = state.unit(unit)
        if ordered.side != frame.owner or not ordered.models:
            return None
        if verb == "split":
            return None if frame.pinned else split_choice(state, ordered)
        if verb == "raid":
            return raid_choice(state, ordered)
        command = dict(state.table.commands).get(verb)
        return command_choice(state, ordered, command) if command is not None and command.ordered else None

    def refuse(self, state: VoidState, frame: Turn, action: Action) -> tuple[Violation, ...]:
        """Why a unit of the side may not be given a command."""
        commands = dict(state.table.commands)
        if action.verb == "raid" and state.table.mission == "raid-and-repeat":
            text = "a unit raids within 3 inches of the enemy's token, with room in its own zone to begin anew"
            return (Violation(clause="VS-OB-14", subject=action.unit, text=text),)
        if action.verb not in commands or not action.unit:
            return ()
        unit, command = state.unit(action.unit), commands[action.verb]
        if not unit.models:
            return ()
        if frame.pinned and unit.id not in frame.pinned:
            text = f"after the split {' or '.join(frame.pinned)} must be commanded"
            return (Violation(clause="VS-SP-01", subject=unit.id, text=text),)
        if not command.ordered:
            text = f"{command.id} is an answer, not an order of its own"
            return (Violation(clause="VS-RS-03", subject=unit.id, text=text),)
        return eligible(state, unit, command) or target_faults(state, unit, command, action)

    def explain(self, state: VoidState, frame: Turn, choice: Choice, action: Action) -> tuple[Violation, ...]:
        """What an order breaks; wrong targets by the clause that forbids them."""
        faults = choice.explain(state, action)
        command = dict(state.table.commands).get(action.verb)
        if not faults or command is None:
            return faults
        better = target_faults(state, state.unit(action.unit), command, action)
        return (*better, *(fault for fault in faults if not better or fault.clause != MALFORMED))

    def take(self, state: VoidState, frame: Turn, action: Action) -> VoidState:
        """Spend the point, put the token down, open the exchange; or raid; or divide a unit."""
        if action.verb == "split":
            return split_unit(state, frame, action)
        side = state.unit(action.unit).side
        after = Turn(owner=other_side(side))
        if action.verb == "raid":
            return raided(swap(spent(state, side), after), action.unit)
        exchange = Exchange(
            owner=side,
            unit=action.unit,
            command=action.verb,
            targets=action.targets,
            plan=action.paths,
            todo=("horde:command", "answer") if is_horde(state, action.unit) else ("answer",),
            near_before=engaged_pairs(state),
        )
        return but(state, points=left_after(state, side), agenda=(*state.agenda[:-1], after, exchange))
