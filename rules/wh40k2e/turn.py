"""The order of play: phases of a player's turn and steps of its Movement Phase (chapters MV and GF)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import atan2, degrees

from tactician.rules.core.action import Action
from tactician.rules.core.agenda import Handler, push, swap
from tactician.rules.core.choice import Choice, Nothing
from tactician.rules.core.clauses import Violation
from tactician.rules.core.derive import but
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import snap
from tactician.rules.core.state import Model, other_side
from tactician.rules.wh40k2e.assault import begin_assault
from tactician.rules.wh40k2e.charging import declared
from tactician.rules.wh40k2e.contact import is_engaged, model_gap
from tactician.rules.wh40k2e.movement import allowance_of
from tactician.rules.wh40k2e.moving import announce, forgo
from tactician.rules.wh40k2e.orders import COMPASS, offers, refusal
from tactician.rules.wh40k2e.overwatch import alerted, prepared
from tactician.rules.wh40k2e.state import Combat, Follow, Phase, Squad, SquadState, Test, Turn

__all__ = ["TurnHandler"]

ORDER: tuple[Phase, ...] = (
    "start",
    "opening",
    "compulsory",
    "chargers",
    "normal",
    "hiding",
    "shooting",
    "combat",
    "follow",
    "rally",
    "over",
)
"""Phases and steps in their order (2E-MV-01, 2E-GF-01)."""

LAST: tuple[Phase, ...] = ("hiding", "shooting", "follow", "rally")
"""Steps with which movement, shooting, hand-to-hand and rally end: watchers are asked though nothing is new to them."""


class TurnHandler(Handler[SquadState, Turn]):
    """Whose turn it is, and what happens in it."""

    def step(self, state: SquadState, frame: Turn) -> SquadState | None:
        """Go on by itself as far as nobody has to decide."""
        from tactician.rules.wh40k2e.victory import finish

        if any(not state.of(side) for side in ("red", "blue")) and state.holds("2E-GF-02"):
            return finish(state, "destroyed")
        if frame.phase == "over":
            return _next_turn(state, frame)
        if frame.phase == "start":
            return _begin(state, frame)
        if frame.closing:
            return _following(state, frame)
        asked = alerted(state, frame.owner)
        if asked is not None:
            return asked
        if frame.todo:
            return _caused(swap(state, replace(frame, todo=frame.todo[1:])), *frame.todo[0])
        going_on = _by_itself(state, frame)
        if going_on is not None:
            return going_on
        if next(self._offered(state, frame), None) is not None:
            return None
        return _closed(state, frame)

    def choices(self, state: SquadState, frame: Turn) -> tuple[Choice, ...]:
        """Every unit with every order it can be given in this step, and going on to the next."""
        found = tuple(self._offered(state, frame))
        must_go_on = frame.phase == "chargers"
        return found if must_go_on else (*found, Choice("pass", "", Nothing()))

    def _offered(self, state: SquadState, frame: Turn) -> Iterator[Choice]:
        """The choices one after another, so that whoever asks for any stops at the first."""
        if frame.phase != "combat":
            yield from offers(state, frame)
        elif not frame.fought and not frame.asked:
            from tactician.rules.wh40k2e.pairing import break_off_choices

            yield from break_off_choices(state, frame.owner)

    def refuse(self, state: SquadState, frame: Turn, action: Action) -> tuple[Violation, ...]:
        """Why an order that is not offered may not be given."""
        return refusal(state, frame, action)

    def take(self, state: SquadState, frame: Turn, action: Action) -> SquadState:
        """Carry an order out."""
        if action.verb == "pass":
            is_combat = frame.phase == "combat"
            return swap(state, replace(frame, asked=True)) if is_combat else _closed(state, frame)
        unit = state.unit(action.unit)
        match action.verb:
            case "charge":
                return _charging(state, action)
            case "overwatch":
                return prepared(state, unit)
            case "restrain":
                state = state.with_unit(but(unit, acted=True))
                return push(state, Test(owner=unit.side, unit=unit.id, cause="frenzy"))
            case "assault":
                return begin_assault(forgo(state, unit), action)
            case "move" | "run":
                return _walking(state, unit, action)
            case "turn":
                return _turned(state, unit, action.target("to") or "")
            case "hide":
                return state.with_unit(but(unit, hidden=True, spotters=(), acted=True))
            case "shoot":
                from tactician.rules.wh40k2e.shooting import open_fire

                return open_fire(forgo(state, unit), action)
            case "break_off":
                from tactician.rules.wh40k2e.pairing import begin_break_off

                return begin_break_off(state, action)
        raise ValueError(f"no order {action.verb!r}")


# ---- orders ----------------------------------------------------------------------------------------------------------


def _charging(state: SquadState, action: Action) -> SquadState:
    """A charge declared, and the tests that fear asks for."""
    from tactician.rules.wh40k2e.psychology import charge_tests

    state = declared(state, action)
    unit = state.unit(action.unit)
    tests = charge_tests(state, unit)
    return push(state, *reversed(tests)) if tests else state


def _walking(state: SquadState, unit: Squad, action: Action) -> SquadState:
    """A normal move or a run announced; without ways the unit stays where it is, though it may have run."""
    gait = "walk" if action.verb == "move" else "run"
    state = forgo(state, unit)
    if not any(path for _, path in action.paths):
        moved = "ran" if gait == "run" else ""
        return state.with_unit(but(state.unit(unit.id), went=moved, walked=()))
    return announce(state, action, gait, allowance_of(state, unit, gait))  # type: ignore[arg-type]


def _turned(state: SquadState, unit: Squad, to: str) -> SquadState:
    """A unit told to face an enemy unit or a bearing (2E-NM-05)."""
    bearings = dict(COMPASS)
    poses = {}
    for model in unit.models:
        bearing = bearings[to] if to in bearings else _bearing_to(model, state.unit(to))
        poses[model.id] = Pose(model.pose.x, model.pose.y, model.pose.surface, bearing)
    moved = unit.moved(poses)
    if not state.holds("2E-NM-06"):
        walked = tuple((model.id, 0.1) for model in moved.models)
        return state.with_unit(but(moved, turned=True, went="walked", walked=walked))
    return state.with_unit(but(moved, turned=True))


def _bearing_to(model: Model, other: Squad) -> float:
    near = min(other.models, key=lambda one: (round(model_gap(model.pose, 0.0, one.pose, 0.0), 9), one.id))
    dx, dy = near.pose.x - model.pose.x, near.pose.y - model.pose.y
    return snap(degrees(atan2(dx, dy)) % 360.0)


# ---- by itself -------------------------------------------------------------------------------------------------------


def _begin(state: SquadState, frame: Turn) -> SquadState:
    """A player's turn begins: what lay on units from the last one is gone (2E-OW-06)."""
    from tactician.rules.wh40k2e.psychology import opening_tests

    units = []
    for unit in state.units:
        fresh = but(unit, at_turn=len(unit.models), breaks=0, charge=(), charged=(), fired=False, acted=False)
        if unit.side == frame.owner:
            fresh = but(fresh, overwatch=False, picture="", went="", walked=(), fled=False, restrained=False)
            fresh = but(fresh, dazed=False, cowed=False, turned=False, failed=())
        units.append(fresh)
    log = (*state.log, f"turn {state.round}, {frame.owner}")
    state = but(state, units=tuple(units), log=log)
    return swap(state, Turn(owner=frame.owner, phase="opening", todo=opening_tests(state, frame.owner)))


def _caused(state: SquadState, cause: str, unit: str) -> SquadState:
    """One thing that happens by itself to a unit."""
    from tactician.rules.wh40k2e.compulsory import begin

    if not state.unit(unit).models:
        return state
    if cause in ("frenzy", "flee", "wander"):
        return begin(state, cause, unit)
    side = state.unit(unit).side
    return push(state, Test(owner=side, unit=unit, cause=cause))  # type: ignore[arg-type]


def _by_itself(state: SquadState, frame: Turn) -> SquadState | None:
    """What happens in a phase without an order: the next fight, the next follow-up; None where nothing does."""
    if frame.phase == "combat":
        return None if _may_break_off(state, frame) else _next_fight(state, frame)
    if frame.phase == "follow":
        return _next_follow(state, frame)
    return None


def _may_break_off(state: SquadState, frame: Turn) -> bool:
    from tactician.rules.wh40k2e.pairing import break_off_choices

    return not frame.fought and not frame.asked and bool(break_off_choices(state, frame.owner))


def _next_fight(state: SquadState, frame: Turn) -> SquadState | None:
    from tactician.rules.wh40k2e.pairing import next_combat, next_queue

    queue = next_queue(state, frame)
    if queue is not None:
        return push(state, queue)
    fight: Combat | None = next_combat(state, frame)
    if fight is None:
        return None
    fought = (*frame.fought, (fight.first, fight.second))
    return push(swap(state, replace(frame, fought=fought, next=())), fight)


def _next_follow(state: SquadState, frame: Turn) -> SquadState | None:
    """2E-HH-13: models that have killed everybody they fought may follow up, the player's own first."""
    if not frame.free or not state.holds("2E-HH-13"):
        return None
    standing = {model.id: unit for unit in state.units for model in unit.models}
    names = [name for name in frame.free if name in standing]
    if not names:
        return swap(state, replace(frame, free=()))
    ranked = sorted(names, key=lambda name: (standing[name].side != frame.owner, standing[name].id, name))
    unit = standing[ranked[0]]
    mine = tuple(name for name in ranked if standing[name].id == unit.id)
    left = tuple(name for name in ranked if name not in mine)
    return push(swap(state, replace(frame, free=left)), Follow(owner=unit.side, unit=unit.id, models=mine))


def _closed(state: SquadState, frame: Turn) -> SquadState:
    """A phase is over but for what the enemy's watchers do at its end."""
    state = swap(state, replace(frame, closing=True))
    return alerted(state, frame.owner, ends=frame.phase in LAST) or state


def _following(state: SquadState, frame: Turn) -> SquadState:
    """The next phase or step."""
    phase = ORDER[ORDER.index(frame.phase) + 1]
    free = frame.free if phase == "follow" else ()
    if frame.phase == "normal":
        state = _settled(state, frame)
    if frame.phase == "shooting":
        from tactician.rules.wh40k2e.arms import cleared

        state = cleared(state, frame.owner)
    keeps = phase in ("compulsory", "chargers", "normal", "hiding")
    if not keeps:
        units = tuple(but(unit, acted=False) if unit.side == frame.owner else unit for unit in state.units)
        state = but(state, units=units)
    if phase == "chargers":
        units = tuple(
            but(unit, acted=False) if unit.side == frame.owner and unit.charge else unit for unit in state.units
        )
        state = but(state, units=units)
    if phase == "hiding":
        units = tuple(but(unit, acted=False) if unit.side == frame.owner else unit for unit in state.units)
        state = but(state, units=units)
    return swap(state, Turn(owner=frame.owner, phase=phase, todo=_todo(state, phase, frame.owner), free=free))


def _todo(state: SquadState, phase: Phase, owner: str) -> tuple[tuple[str, str], ...]:
    """What happens by itself in a phase that begins."""
    from tactician.rules.wh40k2e.compulsory import due
    from tactician.rules.wh40k2e.rally import due_rallies

    if phase == "compulsory":
        return due(state, owner)
    if phase == "hiding":
        return due(state, owner, late=True)
    return due_rallies(state, owner) if phase == "rally" else ()


def _settled(state: SquadState, frame: Turn) -> SquadState:
    """The end of the movement steps: stragglers, and everybody turns to the nearest enemy (rulings)."""
    from tactician.rules.wh40k2e.rally import with_stragglers

    state = with_stragglers(state, frame.owner)
    units = []
    for unit in state.units:
        turns = unit.side == frame.owner and unit.models and not (unit.overwatch or unit.turned or unit.broken)
        units.append(_facing(state, unit) if turns and not is_engaged(state, unit) else unit)
    return but(state, units=tuple(units))


def _facing(state: SquadState, unit: Squad) -> Squad:
    foes = [(other, model) for other in state.against(unit.side) for model in other.models]
    if not foes:
        return unit
    poses = {}
    for model in unit.models:
        other = min(foes, key=lambda foe: (round(model_gap(model.pose, 0.0, foe[1].pose, 0.0), 9), foe[1].id))[0]
        bearing = _bearing_to(model, other)
        if bearing != model.pose.bearing:
            poses[model.id] = Pose(model.pose.x, model.pose.y, model.pose.surface, bearing)
    return unit.moved(poses) if poses else unit


def _next_turn(state: SquadState, frame: Turn) -> SquadState:
    """The other player's turn, or the end of the battle (2E-GF-02)."""
    from tactician.rules.wh40k2e.victory import finish

    following = other_side(frame.owner)
    is_round_over = following == (state.first or "red")
    if is_round_over and state.round >= state.table.turns and state.holds("2E-GF-02"):
        return finish(state, "last turn")
    if is_round_over and state.round >= 2 * state.table.turns + 10:
        return finish(state, "last turn")
    return swap(but(state, round=state.round + is_round_over), Turn(owner=following))
