"""Moving: the announced way, the shot that may interrupt it, and what the mover does then."""

from __future__ import annotations

from dataclasses import replace

from tactician.rules.core.action import Action, Mark
from tactician.rules.core.agenda import Handler, push, swap, without_top
from tactician.rules.core.barriers import disc_intervals
from tactician.rules.core.choice import Choice, Nothing, Walk, Window
from tactician.rules.core.clauses import Cite
from tactician.rules.core.clip import clip
from tactician.rules.core.legs import Bend, Path, Pose, Rates, Straight, Stretch, cost, walk
from tactician.rules.core.measure import CLOSED_MARGIN, TOL, Inches, snap
from tactician.rules.core.movement import KeepAway, MoveType, end_pose
from tactician.rules.core.shapes import merge
from tactician.rules.core.state import Unit

from .shooting import reach
from .state import DuelState, Moving, React, Shot

__all__ = ["MovingHandler", "ReactHandler", "move_type", "start_moving"]

FLAT = Rates(up=1.0, down=1.0)


def move_type(state: DuelState, left: Inches) -> MoveType:
    """What must hold of a way of at most so many inches."""
    barred = Cite("DU-MO-02")
    clear = KeepAway(limit=state.table.number("clear"), cite=Cite("DU-MO-03"), whole_way=True)
    return MoveType(
        name="move",
        allowance=left,
        motion="sequence",
        rates=FLAT,
        budget=Cite("DU-MO-01"),
        walls=barred,
        edge=barred,
        footing=barred,
        end_place=barred,
        models=barred,
        keep_away=(clear,),
    )


def start_moving(state: DuelState, unit: str, action: Action) -> DuelState:
    """Announce a way; without one the disc stays where it is."""
    if not action.paths:
        return state
    plan, left = action.paths[0][1], state.table.number("move")
    return push(state, Moving(owner=state.unit(unit).side, unit=unit, plan=plan, left=left))


class MovingHandler(Handler[DuelState, Moving]):
    """A disc on its way."""

    def step(self, state: DuelState, frame: Moving) -> DuelState | None:
        """Let the enemy answer an announced way (DU-WA-01), or walk it to its end."""
        if frame.stage == "replan" and (frame.plan or frame.left > TOL):
            return None
        if frame.stage == "announced":
            state = swap(state, replace(frame, stage="walk"))
            spans = _spans(state, frame) if state.holds("DU-WA-01") else ()
            watcher = state.against(frame.owner)[0]
            return push(state, React(owner=watcher.side, watcher=watcher.id, spans=spans)) if spans else state
        return without_top(_walked(state, frame.unit, frame.plan))

    def choices(self, state: DuelState, frame: Moving) -> tuple[Choice, ...]:
        """DU-WA-02: the rest of the way, another one, or no further."""
        kind = move_type(state, frame.left)
        found = [Choice("move", frame.unit, Walk(kind, kind)), Choice("stop", frame.unit, Nothing())]
        return (Choice("go_on", frame.unit, Nothing()), *found) if frame.plan else tuple(found)

    def take(self, state: DuelState, frame: Moving, action: Action) -> DuelState:
        """Walk on; the enemy has answered and does not answer again."""
        if action.verb == "go_on":
            return swap(state, replace(frame, stage="walk", plan=_legal_rest(state, frame)))
        plan = action.paths[0][1] if action.paths else ()
        return swap(state, replace(frame, stage="walk", plan=plan))


class ReactHandler(Handler[DuelState, React]):
    """DU-WA-01: the enemy may shoot at any point of the way within range."""

    def choices(self, state: DuelState, frame: React) -> tuple[Choice, ...]:
        """Let the disc pass, or say where it is shot at."""
        return Choice("pass", frame.watcher, Nothing()), Choice("shoot", frame.watcher, Window(frame.spans))

    def take(self, state: DuelState, frame: React, action: Action) -> DuelState:
        """Everything before the shot has happened; everything after it is open again (DU-WA-02)."""
        state = without_top(state)
        if action.mark is None:
            return state
        moving = state.agenda[-1]
        assert isinstance(moving, Moving)
        done, rest = _split(state, moving, action.mark)
        left = moving.left - cost(_stretches(state, moving.unit, done), FLAT)
        after = replace(moving, stage="replan" if state.holds("DU-WA-02") else "walk", plan=rest, left=left)
        state = swap(_walked(state, moving.unit, done), after)
        return push(state, Shot(owner=frame.owner, shooter=frame.watcher, target=moving.unit))


def _pose(unit: Unit) -> Pose:
    return unit.models[0].pose


def _stretches(state: DuelState, unit: str, path: Path) -> tuple[Stretch, ...]:
    return walk(_pose(state.unit(unit)), path, state.board)


def _spans(state: DuelState, frame: Moving) -> tuple[tuple[str, Inches, Inches], ...]:
    """The parts of a way within range of the enemy, in inches walked: circles cut by legs, nothing is sampled."""
    mover, watcher = state.unit(frame.unit), state.against(frame.owner)[0]
    far, spot = reach(state) + mover.radius + watcher.radius - CLOSED_MARGIN, _pose(watcher)
    found, gone = [], 0.0
    for stretch in _stretches(state, frame.unit, frame.plan):
        size = stretch.across
        found += [(gone + low * size, gone + high * size) for low, high in disc_intervals(stretch, *spot.point, far)]
        gone += size
    return tuple((mover.models[0].id, low, high) for low, high in merge(found) if high - low > TOL)


def _split(state: DuelState, frame: Moving, mark: Mark) -> tuple[Path, Path]:
    """A way before and after a point on it."""
    gone = 0.0
    for stretch in _stretches(state, frame.unit, frame.plan):
        if mark.inches < gone + stretch.across:
            before, after = frame.plan[: stretch.leg], frame.plan[stretch.leg :]
            part = (mark.inches - gone) / stretch.across
            return ((*before, _first_part(stretch, part)) if part > 0.0 else before), after
        gone += stretch.across
    return frame.plan, ()


def _first_part(stretch: Stretch, part: float) -> Straight | Bend:
    if stretch.arc is not None:
        return Bend(stretch.arc.centre, stretch.at(part), stretch.arc.turn)
    return Straight(stretch.at(part))


def _walked(state: DuelState, name: str, path: Path) -> DuelState:
    """The disc at the end of a way."""
    unit = state.unit(name)
    end = end_pose(_pose(unit), _stretches(state, name, path))
    return state.with_unit(unit.moved({unit.models[0].id: end._replace(x=snap(end.x), y=snap(end.y))}))


def _legal_rest(state: DuelState, frame: Moving) -> Path:
    """The rest of a way as it was announced, shortened where rounding at the interruption made it illegal."""
    unit, kind = state.unit(frame.unit), move_type(state, frame.left)
    name = unit.models[0].id
    return clip(state, unit, kind, {name: frame.plan}).get(name, ())
