"""The order of play, how the duel begins and ends, and the duel as everybody else sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tactician.rules.core.action import Action, pairs
from tactician.rules.core.agenda import AgendaRules, Handler, push, settle, swap
from tactician.rules.core.choice import Choice, Nothing, OneOf, Walk
from tactician.rules.core.clauses import Violation
from tactician.rules.core.drawing import Area, Circle, Drawing, Label, Shape
from tactician.rules.core.forms import nearest
from tactician.rules.core.ruleset import Info, RulesetError, Scenario
from tactician.rules.core.state import SIDES, State, other_side

from .clauses import CLAUSES
from .files import from_data, to_data
from .moving import MovingHandler, ReactHandler, move_type, start_moving
from .options import BOARD, OPTIONS, VERBS, settled_options
from .shooting import ShotHandler, targets
from .state import DuelState, DuelTable, Moving, React, Shot, Turn, starting_units

__all__ = ["Duel", "TurnHandler"]


class TurnHandler(Handler[DuelState, Turn]):
    """A player's turn: first the move, then the shot (DU-TU-01)."""

    def step(self, state: DuelState, frame: Turn) -> DuelState | None:
        """The other player's turn, once this one has shot or has nobody in range."""
        if frame.phase == "over" or (frame.phase == "shoot" and not targets(state, state.of(frame.owner)[0])):
            return _next_turn(state, frame)
        return None

    def choices(self, state: DuelState, frame: Turn) -> tuple[Choice, ...]:
        """A way for the disc, or a target for it."""
        unit = state.of(frame.owner)[0]
        if frame.phase == "move":
            kind = move_type(state, state.table.number("move"))
            return (Choice("move", unit.id, Walk(kind, kind)),)
        options = tuple(pairs(shoot=enemy) for enemy in targets(state, unit))
        return Choice("pass", unit.id, Nothing()), Choice("shoot", unit.id, OneOf(options))

    def take(self, state: DuelState, frame: Turn, action: Action) -> DuelState:
        """Announce the way, or shoot."""
        if frame.phase == "move":
            return start_moving(swap(state, replace(frame, phase="shoot")), action.unit, action)
        state, target = swap(state, replace(frame, phase="over")), action.target("shoot")
        return state if target is None else push(state, Shot(owner=frame.owner, shooter=action.unit, target=target))


def _next_turn(state: DuelState, frame: Turn) -> DuelState:
    """DU-TU-02: the other player's turn, or the end."""
    following = other_side(frame.owner)
    is_round_over = following == state.table.first
    if is_round_over and state.round >= state.table.number("turns") and state.holds("DU-TU-02"):
        return replace(state, agenda=(), ended="last turn")
    return swap(replace(state, round=state.round + is_round_over), Turn(owner=following))


class Duel(AgendaRules):
    """The ruleset."""

    clauses = CLAUSES
    options = OPTIONS
    handlers: Mapping[str, Handler[Any, Any]] = {
        Turn.kind: TurnHandler(),
        Moving.kind: MovingHandler(),
        React.kind: ReactHandler(),
        Shot.kind: ShotHandler(),
    }

    def __init__(self, name: str) -> None:
        """Take the name of the package."""
        self.info = Info(
            id=name,
            name="Duel",
            version="1",
            summary="Two discs, a block, and one die.",
            verbs=VERBS,
            frames=tuple(self.handlers),
            rolls=("shot",),
            ends=("hit", "last turn"),
            sizes=("duel",),
            missions=("duel",),
            armies=("disc",),
            tables=("block",),
        )

    def start(self, scenario: Scenario) -> DuelState:
        """The first moment: a disc at each end of the table.

        Raises:
            RulesetError: a name in the scenario is not known.
        """
        wanted = {
            "size": ((scenario.size,), self.info.sizes),
            "mission": ((scenario.mission,), ("", *self.info.missions)),
            "table": ((scenario.table,), ("", *self.info.tables)),
            "army": (scenario.armies, ("", *self.info.armies)),
            "side": ((scenario.first,), ("", *SIDES)),
        }
        for what, (names, known) in wanted.items():
            for name in names:
                if name not in known:
                    raise RulesetError(f"there is no {what} {name!r}{nearest(name, known)}")
        first = scenario.first or SIDES[0]
        table = DuelTable(board=BOARD, options=settled_options(dict(scenario.options)), first=first)
        return DuelState(table=table, units=starting_units(), agenda=(Turn(owner=first),))

    def check(self, state: State, action: Action, assume: Mapping[str, int] | None = None) -> tuple[Violation, ...]:
        """Every clause that an action would break now, leaving out those switched off; empty means legal."""
        return tuple(one for one in super().check(state, action, assume) if state.holds(one.clause))

    def returns(self, state: State) -> tuple[float, float]:
        """Who won gets 1, who lost -1."""
        assert isinstance(state, DuelState)
        return {"red": (1.0, -1.0), "blue": (-1.0, 1.0)}.get(state.winner, (0.0, 0.0))

    def ending(self, state: State) -> str:
        """How the duel ended; empty before."""
        assert isinstance(state, DuelState)
        return state.ended

    def describe(self, state: State) -> Drawing:
        """The table from above."""
        board = state.board
        shapes: list[Shape] = [
            Area(role="impassable", rings=(one.outline.points,), name=one.id) for one in board.features
        ]
        for unit in (*state.of("red"), *state.of("blue")):
            at = unit.models[0].pose.point
            shapes.append(Circle(role="base", centre=at, radius=unit.radius, side=unit.side, name=unit.models[0].id))
            shapes.append(Label(text=unit.id, near=at, side=unit.side))
        title = f"{self.info.name}, turn {state.round}"
        return Drawing(width=board.width, height=board.height, title=title, shapes=tuple(shapes), caption=state.log)

    def to_data(self, state: State) -> dict[str, Any]:
        """The battle as JSON-able data."""
        assert isinstance(state, DuelState)
        return to_data(state, self.info)

    def from_data(self, data: Mapping[str, Any]) -> DuelState:
        """The battle that data stands for, settled.

        Raises:
            BadInput: with every fault found.
        """
        state = settle(from_data(data, self.info), self.handlers)
        assert isinstance(state, DuelState)
        return state
