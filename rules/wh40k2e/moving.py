"""Units on their way: announced ways, fire that interrupts them, and how movers go on (D1; rulings on overwatch)."""

from __future__ import annotations

from dataclasses import replace

from tactician.rules.core.action import Action, Mark
from tactician.rules.core.agenda import Handler, push, swap, without_top
from tactician.rules.core.barriers import disc_intervals
from tactician.rules.core.choice import Choice, Nothing, Walk
from tactician.rules.core.clauses import Cite, Violation
from tactician.rules.core.clip import clip
from tactician.rules.core.derive import but
from tactician.rules.core.legs import Path, Pose, Stretch, walk
from tactician.rules.core.measure import TOL, Inches, snap
from tactician.rules.core.move_types import MoveType
from tactician.rules.core.movement import bill, disorder_of
from tactician.rules.core.shapes import polygon_distance
from tactician.rules.core.state import Model, other_side
from tactician.rules.wh40k2e.assault import charge_plan
from tactician.rules.wh40k2e.contact import engaged_models, foes_of, is_engaged
from tactician.rules.wh40k2e.movement import RUN_GAP, STAYING, free_models, move_type
from tactician.rules.wh40k2e.state import Moving, React, Squad, SquadState
from tactician.rules.wh40k2e.ways import end_of, inches_gone, part_of

__all__ = ["VERB_OF", "MovingHandler", "announce", "forgo", "walked_to"]

VERB_OF = {"walk": "move", "run": "run", "follow": "follow"}
"""The verb with which the owner of an interrupted move says new ways."""

DRIVEN = ("frenzy", "flee", "wander")
"""Gaits of compulsory moves."""

STATUS = {
    "walk": "walked",
    "run": "ran",
    "charge": "charged",
    "frenzy": "compelled",
    "flee": "compelled",
    "wander": "compelled",
}
"""What a unit has done once it has moved so."""

Amounts = tuple[tuple[str, Inches], ...]

Plan = tuple[tuple[str, Path], ...]


def announce(state: SquadState, action: Action, gait: str, allowance: Inches) -> SquadState:
    """Announce the ways of an order: the enemy may interrupt them."""
    unit = state.unit(action.unit)
    order = action.order or tuple(model.id for model in unit.models if model.id in dict(action.paths))
    paths = dict(action.paths)
    plan = tuple((name, paths[name]) for name in order if paths[name])
    if gait == "run" and state.table.option("original_run_halt") and state.holds("2E-RU-06"):
        plan = tuple((name, _halted(state, unit, unit.model(name), path)) for name, path in plan)
    frame = Moving(owner=unit.side, unit=unit.id, gait=gait, plan=plan, allowance=allowance)  # type: ignore[arg-type]
    return push(state, frame)


def _halted(state: SquadState, unit: Squad, model: Model, path: Path) -> Path:
    """A runner's way up to where it comes within eight inches of an enemy (2E-RU-06)."""
    stretches = walk(model.pose, path, state.board)
    foes = [(other.radius, one.pose) for other in state.against(unit.side) for one in other.models]
    for number, stretch in enumerate(stretches):
        met = [
            spans[0][0]
            for radius, pose in foes
            if (spans := disc_intervals(stretch, pose.x, pose.y, RUN_GAP + unit.radius + radius))
        ]
        if met:
            return part_of(path, stretches, number + min(met), state.board)
    return path


class MovingHandler(Handler[SquadState, Moving]):
    """A unit on its way."""

    def step(self, state: SquadState, frame: Moving) -> SquadState | None:
        """Let the enemy answer an announced way, walk it, or have its owner say how to go on."""
        unit = state.unit(frame.unit)
        if not unit.models or (unit.broken and frame.gait not in DRIVEN):
            return _arrived(state, frame)
        if frame.stage == "replan":
            return self._replanned(state, frame, unit)
        if frame.stage == "announced":
            return self._announced(state, frame)
        if _by_model(state) and len(frame.plan) > 1:
            after, _ = advanced(state, replace(frame, plan=frame.plan[:1]), None)
            moving = after.agenda[-1]
            assert isinstance(moving, Moving)
            return swap(after, replace(moving, plan=frame.plan[1:], stage="announced"))
        after, _ = advanced(state, frame, None)
        top = after.agenda[-1]
        assert isinstance(top, Moving)
        return _arrived(after, top)

    def _announced(self, state: SquadState, frame: Moving) -> SquadState:
        from tactician.rules.wh40k2e.watching import windows

        shown = replace(frame, plan=frame.plan[:1]) if _by_model(state) else frame
        found = windows(state, shown)
        state = swap(state, replace(frame, stage="walk"))
        return push(state, React(owner=other_side(frame.owner), windows=found)) if found else state

    def _replanned(self, state: SquadState, frame: Moving, unit: Squad) -> SquadState | None:
        """Who is driven or charges goes on by itself; everybody else is asked if there is anything to ask."""
        if frame.gait in VERB_OF:
            left = any(frame.allowance - dict(frame.spent).get(model.id, 0.0) > TOL for model in unit.models)
            return None if frame.plan or left else swap(state, replace(frame, stage="walk"))
        if frame.gait in ("charge", "frenzy"):
            standing = {model.id for model in unit.models}
            targets = tuple(pair for pair in unit.charge if pair[0] in standing and not foes_of(state, pair[0]))
            plan = charge_plan(state, unit, targets, frame.allowance, gait=frame.gait, spent=frame.spent)
        else:
            plan = _legal_rest(state, frame, unit)
        return swap(state, replace(frame, plan=plan, stage="announced"))

    def choices(self, state: SquadState, frame: Moving) -> tuple[Choice, ...]:
        """The rest of the way, another one within what is left, or no further."""
        unit, verb = state.unit(frame.unit), VERB_OF[frame.gait]
        anew = Choice(verb, unit.id, _ways_left(state, frame, unit))
        rest = [Choice("go_on", unit.id, Nothing())] if frame.plan else []
        ends = [] if _stop_faults(state, frame, unit) else [Choice("stop", unit.id, Nothing())]
        return tuple(sorted((*rest, *ends, anew), key=lambda choice: choice.verb))

    def refuse(self, state: SquadState, frame: Moving, action: Action) -> tuple[Violation, ...]:
        """Why a move does not end where it was interrupted."""
        if action.verb != "stop" or action.unit != frame.unit or frame.gait not in VERB_OF:
            return ()
        return _stop_faults(state, frame, state.unit(frame.unit))

    def take(self, state: SquadState, frame: Moving, action: Action) -> SquadState:
        """Announce what is walked next; who has fired does not fire again."""
        unit = state.unit(frame.unit)
        if action.verb == "go_on":
            plan = _legal_rest(state, frame, unit)
        elif action.verb == "stop":
            plan = ()
        else:
            order = action.order or tuple(name for name, _ in action.paths)
            plan = tuple((name, dict(action.paths)[name]) for name in order if dict(action.paths)[name])
        return swap(state, replace(frame, plan=plan, stage="announced" if plan else "walk"))


def _by_model(state: SquadState) -> bool:
    return state.table.option("overwatch_foresight") == "model"


def kind_of(state: SquadState, frame: Moving, unit: Squad) -> MoveType:
    """What must hold for a move that is under way, and what its models have paid of it."""
    from tactician.rules.wh40k2e.flight import flight_type
    from tactician.rules.wh40k2e.follow import follow_type

    if frame.gait == "flee":
        kind = flight_type(state, unit, frame.allowance)
    elif frame.gait == "follow":
        kind = follow_type(state, unit)
    else:
        kind = move_type(state, unit, frame.gait, frame.allowance)
    return replace(kind, spent=frame.spent) if frame.spent else kind


def _ways_left(state: SquadState, frame: Moving, unit: Squad) -> Walk:
    """New ways within what is left of each allowance."""
    kind = kind_of(state, frame, unit)
    shortening = kind if state.holds("2E-OB-04") else None
    if frame.gait != "follow":
        free = free_models(state, unit)
        staying, usual = _going_on(state, frame, unit, free)
        return Walk(kind, shortening, free, STAYING, staying, usual)
    names = {*dict(frame.plan), *dict(frame.spent)}
    able = tuple(model.id for model in unit.models if model.id in names)
    return Walk(kind, shortening, able, Cite("2E-HH-13"))


def _going_on(
    state: SquadState, frame: Moving, unit: Squad, free: tuple[str, ...] | None
) -> tuple[tuple[Violation, ...], Plan]:
    """What new ways break that leave somebody where he may not stop, and the rest of the plan, which mends it.

    Clauses: 2E-OB-05 (a model half way across), 2E-NM-02 (a squad that is apart and would not be).
    """
    if not _stop_faults(state, frame, unit):
        return (), ()
    rest = tuple((name, path) for name, path in _legal_rest(state, frame, unit) if free is None or name in free)
    leaving = {name for name, _ in rest}
    inside = halfway_models(state, frame, unit)
    if not inside:
        return (_stop_faults(state, frame, unit), rest) if rest else ((), ())
    bound = tuple(name for name in inside if name in leaving)
    return tuple(_halfway(name) for name in bound), rest if bound else ()


def halfway_models(state: SquadState, frame: Moving, unit: Squad) -> tuple[str, ...]:
    """The models that were interrupted half way across an obstacle, so that they cannot stop there (2E-OB-05)."""
    going = kind_of(state, frame, unit).going
    fees = going.fees if going is not None and state.holds("2E-OB-05") else ()
    near = unit.radius - TOL
    return tuple(
        model.id
        for model in unit.models
        if any(polygon_distance(fee.outline, *model.pose.point) < near for fee in fees)
    )


def _halfway(subject: str) -> Violation:
    return Violation(clause="2E-OB-05", subject=subject, text="nobody comes to rest half way across")


def _stop_faults(state: SquadState, frame: Moving, unit: Squad) -> tuple[Violation, ...]:
    """Why an interrupted move may not end at once: half way across something, or apart where going on mends it."""
    if halfway_models(state, frame, unit):
        return (_halfway(unit.id),)
    links = kind_of(state, frame, unit).coherency
    if links is None or disorder_of(state, unit, links) == 1 or not state.holds("2E-NM-02"):
        return ()
    after = unit
    for name, path in _legal_rest(state, frame, unit):
        after = after.moved({name: end_of(state, after.model(name), path)})
    if disorder_of(state, after, links) > 1:
        return ()
    text = "the squad is apart here, and the rest of its way mends it"
    return (Violation(clause="2E-NM-02", subject=unit.id, text=text),)


def _legal_rest(state: SquadState, frame: Moving, unit: Squad) -> tuple[tuple[str, Path], ...]:
    """What is left of the plan, as far as it is still legal."""
    standing = {model.id for model in unit.models}
    plan = [(name, path) for name, path in frame.plan if name in standing]
    found = clip(state, unit, kind_of(state, frame, unit), dict(plan), tuple(name for name, _ in plan))
    return tuple((name, found[name]) for name, _ in plan if found.get(name))


# ---- walking ---------------------------------------------------------------------------------------------------------


def advanced(state: SquadState, frame: Moving, mark: Mark | None) -> tuple[SquadState, bool]:
    """The state with a plan walked, up to a mark or to its end, and whether the mark was met.

    The innermost frame is the move; it comes back with what is left of the plan, and with what was paid.
    """
    left = list(frame.plan)
    while left:
        name, path = left[0]
        unit = state.unit(frame.unit)
        model = unit.model(name)
        stretches = walk(model.pose, path, state.board)
        stops = mark is not None and mark.model == name
        place = _place_of(stretches, mark.inches) if mark is not None and stops else float(len(stretches))
        state, frame = walked_to(state, frame, unit, model, path, place)
        left = left[1:]
        if stops:
            rest = _rest_of(path, stretches, place)
            left = [(name, rest), *left] if rest else left
            return swap(state, replace(frame, plan=tuple(left))), True
    return swap(state, replace(frame, plan=())), False


def walked_to(
    state: SquadState, frame: Moving, unit: Squad, model: Model, path: Path, place: float
) -> tuple[SquadState, Moving]:
    """One model walked to a place of its way; the frame notes what it paid and went, and where it began."""
    from tactician.rules.wh40k2e.hiding import stays_concealed

    stretches = walk(model.pose, path, state.board)
    done = part_of(path, stretches, place, state.board)
    gone = walk(model.pose, done, state.board)
    end = end_of(state, model, done)
    pose = Pose(snap(end.x), snap(end.y), end.surface, end.bearing)
    price = bill(kind_of(state, frame, unit), stretches, unit.radius).inches_at(place)
    frame = replace(
        frame,
        bared=frame.bared or (unit.hidden and not stays_concealed(state, unit, model, done)),
        spent=_added(frame.spent, model.id, price),
        walked=_added(frame.walked, model.id, inches_gone(gone)),
        begun=_begun(frame, model),
    )
    return state.with_unit(unit.moved({model.id: pose})), frame


def _added(amounts: Amounts, name: str, inches: Inches) -> Amounts:
    found = dict(amounts)
    found[name] = found.get(name, 0.0) + inches
    return tuple(sorted(found.items()))


def _begun(frame: Moving, model: Model) -> tuple[tuple[str, Inches, Inches], ...]:
    """Where models stood before their first step, that of this one included."""
    if any(name == model.id for name, _, _ in frame.begun):
        return frame.begun
    return tuple(sorted((*frame.begun, (model.id, *model.pose.point))))


def _place_of(stretches: tuple[Stretch, ...], inches: Inches) -> float:
    """The place of a way after so many inches of it."""
    for number, stretch in enumerate(stretches):
        if inches <= stretch.across:
            return number + (inches / stretch.across if stretch.across > 0.0 else 0.0)
        inches -= stretch.across
    return float(len(stretches))


def _rest_of(path: Path, stretches: tuple[Stretch, ...], place: float) -> Path:
    """The legs after a place: the leg that it lies on is gone on with."""
    number = int(place)
    if number >= len(stretches) or (number == len(stretches) - 1 and place - number > 1.0 - 1e-9):
        return ()
    return path[stretches[number].leg :]


# ---- arriving --------------------------------------------------------------------------------------------------------


def _arrived(state: SquadState, frame: Moving) -> SquadState:
    """The end of a move: what it makes of the unit."""
    from tactician.rules.wh40k2e.hiding import with_spotted

    state = without_top(state)
    unit = state.unit(frame.unit)
    if not unit.models:
        return state
    if frame.gait in STATUS:
        unit = but(unit, went=STATUS[frame.gait], walked=frame.walked)
    if frame.gait == "charge":
        unit = _charged(state, unit)
    if frame.gait in DRIVEN and unit.overwatch and state.holds("2E-OW-01"):
        unit = but(unit, overwatch=False)
    state = _revealed(state.with_unit(unit), unit, frame)
    return with_spotted(_caught(state))


def _caught(state: SquadState) -> SquadState:
    """Units on overwatch that a move has brought into hand-to-hand lose what they have not fired (corner case 36)."""
    for unit in state.units:
        if unit.overwatch and is_engaged(state, unit):
            state = state.with_unit(but(unit, overwatch=False, picture=""))
    return state


def _charged(state: SquadState, unit: Squad) -> Squad:
    """Who made contact and who failed (2E-CH-16, 2E-CH-18)."""
    fights = engaged_models(state, unit)
    names = tuple(name for name, _ in unit.charge if any(model.id == name for model in unit.models))
    return but(
        unit,
        charged=tuple(name for name in names if name in fights),
        failed=tuple(name for name in names if name not in fights),
    )


def _revealed(state: SquadState, unit: Squad, frame: Moving) -> SquadState:
    """2E-HI-05: moving reveals a hidden unit, except wholly through what conceals, and not at a run."""
    from tactician.rules.wh40k2e.hiding import reveal

    if not unit.hidden or not frame.walked or not state.holds("2E-HI-05"):
        return state
    return state if frame.gait == "walk" and not frame.bared else reveal(state, unit.id, "moves")


def forgo(state: SquadState, unit: Squad) -> SquadState:
    """A unit that has an order to move and stays where it is."""
    return state.with_unit(but(unit, acted=True))
