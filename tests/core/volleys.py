"""A made-up game in which models are given targets: a squad shoots at two others or charges them; one roll falls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tactician.rules.core.action import Action, Pairs
from tactician.rules.core.agenda import CHANCE, AgendaRules, Frame, Handler
from tactician.rules.core.chance import Outcome, Roll, Successes
from tactician.rules.core.choice import Assign, Choice, Nothing
from tactician.rules.core.clauses import Clause, Violation
from tactician.rules.core.derive import but
from tactician.rules.core.drawing import Drawing
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import within
from tactician.rules.core.oracle import Answer, Gap, Oracle, OracleError, Question
from tactician.rules.core.ruleset import Info, Scenario
from tactician.rules.core.shapes import length
from tactician.rules.core.state import Model, State, Unit
from tactician.rules.core.targets import aimed_unit, main_target, weapon_of

from tests.core.movement_boards import table_with

RANGE = 20.0
WEAPONS = ("", "bolter", "heavy bolter")
MODELS = ("a1", "a2", "a3")


def everybody(target: str) -> Pairs:
    return tuple((model, target) for model in MODELS)


SPLIT = (("a1", "E1"), ("a2", "E1"), ("a3", "E2"))
CHARGE = (("a1", "e1"), ("a2", "e1"), ("a3", "e2"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Aiming(Frame):
    """Red decides."""

    kind: ClassVar[str] = "aiming"


@dataclass(frozen=True, slots=True, kw_only=True)
class Firing(Frame):
    """Dice fall for shots at a unit."""

    kind: ClassVar[str] = "firing"
    target: str = ""
    shots: int = 0


def judge_shots(state: State, action: Action) -> tuple[Violation, ...]:
    """An enemy unit within 20 inches for each model, and a weapon that there is."""
    return tuple(fault for pair in action.targets for fault in _shot_faults(state, action, *pair))


def _shot_faults(state: State, action: Action, model: str, target: str) -> list[Violation]:
    foe, mine = aimed_unit(state, target), state.unit(action.unit)
    if foe is None or foe.side == mine.side or not foe.models or weapon_of(target) not in WEAPONS:
        return [Violation(clause="VO-01", subject=model, text=f"{target!r} cannot be shot at")]
    away = min(_gap(mine.model(model), mine, one, foe) for one in foe.models)
    if not within(away, RANGE):
        return [Violation(clause="VO-02", subject=model, measured=away, limit=RANGE, against=foe.id)]
    return []


def judge_charge(state: State, action: Action) -> tuple[Violation, ...]:
    """A model of an enemy unit for each."""
    enemies = [model.id for unit in state.against("red") for model in unit.models]
    return tuple(
        Violation(clause="VO-03", subject=model, text=f"{target!r} is no enemy model")
        for model, target in action.targets
        if target not in enemies
    )


def _gap(a: Model, mine: Unit, b: Model, theirs: Unit) -> float:
    return length(a.pose.x - b.pose.x, a.pose.y - b.pose.y) - mine.radius - theirs.radius


class AimingHandler(Handler[State, Aiming]):
    """Shoot, charge or let it be."""

    def choices(self, state: State, frame: Aiming) -> tuple[Choice, ...]:
        wanted = (everybody("E1"), everybody("E2"), SPLIT, everybody("E1:bolter"))
        bare = Action(verb="shoot", unit="A")
        usual = tuple(one for one in wanted if not judge_shots(state, but(bare, targets=one)))
        shoot = (Choice("shoot", "A", Assign(MODELS, usual, judge_shots)),) if usual else ()
        return (Choice("charge", "A", Assign(MODELS, (CHARGE,), judge_charge)), Choice("pass", "A", Nothing()), *shoot)

    def take(self, state: State, frame: Aiming, action: Action) -> State:
        target = main_target(state, action.targets) if action.verb == "shoot" else None
        if target is None:
            return but(state, agenda=())
        return but(state, agenda=(Firing(owner="red", target=target, shots=len(action.targets)),))


class FiringHandler(Handler[State, Firing]):
    """Each shot takes one off on a 4 or more."""

    def mover(self, state: State, frame: Firing) -> str:
        return CHANCE

    def roll(self, state: State, frame: Firing) -> Roll:
        return Successes(why="shots", subject=frame.target, dice=frame.shots, at_least=4)

    def land(self, state: State, frame: Firing, outcome: Outcome) -> State:
        assert isinstance(outcome, int)
        unit = state.unit(frame.target)
        fallen = tuple(model.id for model in unit.models[:outcome])
        return but(state.with_unit(unit.without(fallen)), agenda=(), log=(f"{outcome} hits",))


class VolleyOracle:
    """Chances to hit; and a question that is left to others."""

    questions = (
        Question(name="hit", text="the chance of each shot", needs_target=True),
        Question(name="shoot", text="nothing better than what is worked out"),
    )

    def answer(self, state: State, question: str, unit: str, target: str | None) -> Answer | None:
        if question == "shoot" or target is None:
            return None
        if not state.unit(target).models:
            raise OracleError(f"{target} is gone")
        mine, foe = state.unit(unit), state.unit(target)
        apart = min(_gap(a, mine, b, foe) for a in mine.models for b in foe.models)
        gaps = (Gap(unit=unit, other=target, inches=apart),)
        return Answer(lines=(f"each shot at {target} hits: 1/2",), data={"exact": "1/2"}, gaps=gaps)


class Volleys(AgendaRules):
    """The game."""

    clauses: tuple[Clause, ...] = (
        Clause(id="VO-01", text="shots go at enemies", source="made up", kind="check", chapter="fire"),
        Clause(id="VO-02", text="shots carry 20 inches", source="made up", kind="check", chapter="fire"),
        Clause(id="VO-03", text="chargers name models", source="made up", kind="check", chapter="fire"),
    )
    options = ()
    handlers: Mapping[str, Handler[Any, Any]] = {Aiming.kind: AimingHandler(), Firing.kind: FiringHandler()}
    info = Info(
        id="volleys",
        name="Volleys",
        version="1",
        summary="A squad aims.",
        verbs=("shoot", "charge", "pass"),
        frames=("aiming", "firing"),
        rolls=("shots",),
        ends=("over",),
        sizes=("duel",),
        missions=("duel",),
        armies=("squad",),
        tables=("field",),
    )

    def __init__(self, *, measuring: bool = True, oracle: Oracle | None = None) -> None:
        self.measuring = measuring
        self.oracle = oracle

    def may_measure(self, state: State) -> bool:
        return self.measuring

    def start(self, scenario: Scenario) -> State:
        return volley_state()

    def returns(self, state: State) -> tuple[float, float]:
        return 0.0, 0.0

    def ending(self, state: State) -> str:
        return "" if state.agenda else "over"

    def describe(self, state: State) -> Drawing:
        return Drawing(width=48, height=48, title="Volleys", shapes=(), caption=())

    def to_data(self, state: State) -> dict[str, Any]:
        raise NotImplementedError

    def from_data(self, data: Mapping[str, Any]) -> State:
        raise NotImplementedError


def volley_state(**places: tuple[float, float]) -> State:
    """Three models 10 inches below two and one; some of them stood elsewhere."""
    at = {"a1": (10, 10), "a2": (12, 10), "a3": (14, 10), "e1": (11, 21), "e2": (13, 21), "f1": (20, 21)} | places
    pose = {name: Pose(float(x), float(y)) for name, (x, y) in at.items()}
    state = table_with(
        {
            "A": ("red", {name: pose[name] for name in MODELS}),
            "E1": ("blue", {"e1": pose["e1"], "e2": pose["e2"]}),
            "E2": ("blue", {"f1": pose["f1"]}),
        }
    )
    return but(state, agenda=(Aiming(owner="red"),))
