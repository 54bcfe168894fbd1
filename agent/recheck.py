"""Advice re-checked: every number that a plan tells, worked out again from the moment and the order alone.

The order is carried out by a referee, who lets only legal things happen, outcome by outcome with exact fractions; what
it comes to is counted model by model and valued by the terms. Where a roll has too many outcomes to follow all of
them, the plan says so (`Prospect.exact` is false), and what stood for them then is taken again. A difference is a
fault of the adviser.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from tactician.agent.advice import Answer, Loss, Plan
from tactician.agent.advise import contact_of, odds_of
from tactician.agent.answers import Asker, attack_on, letting_be, take_of
from tactician.agent.by_eye import Measure, measure_of
from tactician.agent.outcomes import broken_name, is_free, is_fuss, outcomes, worth_of_model
from tactician.agent.outlook import usual_answer
from tactician.agent.tape.ease import steady
from tactician.agent.tape.orders import Tape, bases_for, tape_of, walkers_of
from tactician.agent.tape.reading import read_fix, rebuilt
from tactician.agent.value.terms import SENTENCES, Weights, terms
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.referee import Referee
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.shapes import length
from tactician.rules.core.state import State, Unit, other_side

__all__ = ["Difference", "recheck"]

NEAR = 1e-6
"""Numbers that differ by less are equal."""

AT = 0.1
"""Inches by which a place rebuilt from its words may miss."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A number of a plan that the referee does not find again."""

    what: str
    told: float
    found: float

    def __str__(self) -> str:
        """As printed."""
        return f"{self.what}: told {self.told:.6g}, found {self.found:.6g}"


def recheck(
    ruleset: Ruleset, state: State, plan: Plan, *, weights: Weights | None = None, seed: int = 0
) -> tuple[Difference, ...]:
    """Every number of a plan that comes out otherwise; none where the plan is as told.

    Args:
        ruleset: the game.
        state: the moment of the plan.
        plan: the advice.
        weights: those of the terms that it was made with.
        seed: of the eye that it was made with.
    """
    broken = ruleset.check(state, plan.action)
    if broken:
        return (Difference(what="clauses broken by the order", told=0.0, found=float(len(broken))),)
    check = _Check(ruleset, state, plan, weights or Weights(), measure_of(ruleset, state, seed), seed)
    pairs = [
        *check.reasons(),
        *check.prospect(),
        *check.attack_odds(),
        *check.contact(),
        *check.answer(),
        *check.places(),
    ]
    return tuple(Difference(what=what, told=told, found=found) for what, told, found in pairs if _differ(told, found))


def _differ(told: float, found: float) -> bool:
    return abs(told - found) > NEAR * max(1.0, abs(told), abs(found))


Row = tuple[str, float, float]
"""What is told, the number told and the number found."""


@dataclass(frozen=True, slots=True)
class _Check:
    """One plan being checked."""

    ruleset: Ruleset
    state: State
    plan: Plan
    weights: Weights
    measure: Measure
    seed: int

    @property
    def side(self) -> str:
        """Whose plan it is."""
        return self.ruleset.to_move(self.state)

    def ends(self) -> list[tuple[State, float]]:
        """Everything the order leads to, by a referee; as the adviser took it where that is too much."""
        if self.plan.prospect.exact:
            return [(end, float(share)) for end, share in refereed(self.ruleset, self.state, self.plan.action)]
        return list(outcomes(self.ruleset, self.state, self.plan.action).ends)

    def reasons(self) -> Iterator[Row]:
        """Every term, told or not; and their sum."""
        before = {
            one.name: one.amount for one in terms(self.ruleset, self.state, self.side, self.weights, self.measure)
        }
        after = dict.fromkeys(SENTENCES, 0.0)
        for end, share in self.ends():
            for term in terms(self.ruleset, end, self.side, self.weights, self.measure):
                after[term.name] += share * term.amount
            if is_fuss(self.ruleset, self.state, end, self.side):
                after["fuss"] -= share * self.weights.fuss
        told = self.plan.amounts
        for name in SENTENCES:
            yield name, told.get(name, 0.0), after[name] - before[name]
        yield "value", self.plan.value, sum(after.values()) - sum(before.values())

    def prospect(self) -> Iterator[Row]:
        """Gain and loss, and every number of every unit."""
        told, ends = self.plan.prospect, self.ends()
        by_unit, sums = {one.unit: one for one in told.units}, {self.side: 0.0, other_side(self.side): 0.0}
        for unit in (*self.state.of(other_side(self.side)), *self.state.of(self.side)):
            lost, points, broken = self._losses(unit, ends)
            sums[unit.side] += points
            yield from _rows_of(by_unit.get(unit.id), unit, lost, points, broken)
        yield "gain", told.gain, sums[other_side(self.side)]
        yield "loss", told.loss, sums[self.side]

    def _losses(self, unit: Unit, ends: list[tuple[State, float]]) -> tuple[dict[int, float], float, float]:
        """The distribution of models lost, their points, and the chance that the unit breaks."""
        appraiser = appraiser_of(self.ruleset)
        share, place = worth_of_model(appraiser, self.state, unit), broken_name(appraiser)
        ran = place is not None and appraiser.status(self.state, unit)[place] == 1.0
        whole = appraiser.worth(self.state, unit)
        lost: dict[int, float] = {}
        broken = 0.0
        for end, chance in ends:
            gone = len({model.id for model in unit.models} - {model.id for one in end.units for model in one.models})
            now = end.unit(unit.id) if end.has_unit(unit.id) else None
            if gone and share and now is not None and not now.models:
                # models that wait beside the table are worth what they were
                gone = min(gone, round((whole - appraiser.worth(end, now)) / share))
            lost[gone] = lost.get(gone, 0.0) + chance
            if place is not None and not ran and now is not None and now.models:
                broken += chance * (appraiser.status(end, now)[place] == 1.0)
        return lost, share * sum(count * chance for count, chance in lost.items()), broken

    def attack_odds(self) -> Iterator[Row]:
        """The odds of the attacks that the order names."""
        found = (
            {}
            if not self.measure.exact
            else {one.target: one for one in odds_of(self.ruleset, self.state, self.plan.action)}
        )
        for told in self.plan.odds:
            mine = found.get(told.target)
            yield f"odds at {told.target} sum to", 1.0, sum(told.chances)
            yield f"odds at {told.target}", told.expected, -1.0 if mine is None else mine.expected

    def contact(self) -> Iterator[Row]:
        """What a charge needs."""
        told = self.plan.contact
        found = contact_of(self.ruleset, self.state, self.plan.action, self.measure)
        if told is not None and found is not None:
            yield "charge gap", told.gap, found.gap
            yield "charge allowance", told.allowance or 0.0, found.allowance or 0.0
            yield "charge left", told.left or 0.0, found.left or 0.0

    def answer(self) -> Iterator[Row]:
        """What the enemy's answer takes."""
        told = self.plan.answer
        if told is not None:
            cost, loss = self._taken(told)
            yield f"cost of the answer of {told.unit}", told.cost, cost
            yield f"loss by the answer of {told.unit}", told.loss, loss

    def _taken(self, told: Answer) -> tuple[float, float]:
        asker = Asker(ruleset=self.ruleset, side=self.side, weights=self.weights, measure=self.measure, seed=self.seed)
        if told.action is not None:
            if self.ruleset.check(told.moment, told.action):
                return 0.0, 0.0
            return take_of(asker, told.moment, told.action, letting_be(self.ruleset, told.moment))
        found = attack_on(asker, told.moment, told.unit, told.target)
        return (0.0, 0.0) if found is None else (found.cost, found.loss)

    def places(self) -> Iterator[Row]:
        """How far places rebuilt from their printed words miss, where it is too far; and how steady the order is."""
        tape = tape_of(self.ruleset, self.state, self.plan.action, self.measure)
        if tape is not None:
            yield from ((f"place of {name}", 0.0, miss) for name, miss in self._misses(tape) if miss > AT)
        if self.plan.is_eased:
            found = steady(self.ruleset, self.state, self.plan.action)
            yield "steady", 1.0, 1.0 if found >= self.plan.steady - STEADY else found

    def _misses(self, tape: Tape) -> Iterator[tuple[str, float]]:
        unit = self.state.unit(self.plan.action.unit)
        walkers = walkers_of(self.state, unit, self.plan.action)
        bases = {name: base for name, (base, _) in bases_for(self.state, unit, walkers, self.measure).items()}
        for step in tape.steps:
            x, y = rebuilt(read_fix(str(step.fixes[0])), self.state.board, bases, unit.radius)
            yield step.model, length(x - step.end.x, y - step.end.y)


STEADY = 0.05
"""Part of the steps by which rounding an order may make it less steady than was told."""


def _rows_of(told: Loss | None, unit: Unit, lost: dict[int, float], points: float, broken: float) -> Iterator[Row]:
    count = len(unit.models)
    found = {
        "models": sum(number * chance for number, chance in lost.items()),
        "points": points,
        "any": sum(chance for number, chance in lost.items() if number),
        "half": sum(chance for number, chance in lost.items() if number and 2 * number >= count),
        "all": lost.get(count, 0.0),
        "broken": broken,
    }
    numbers = (0.0,) * 6
    if told is not None:
        numbers = (told.expected, told.points, told.any, told.half, told.all, told.broken)
    for (name, value), number in zip(found.items(), numbers, strict=True):
        yield f"{name} lost by {unit.id}" if name != "broken" else f"{unit.id} broken", number, value


def refereed(ruleset: Ruleset, state: State, action: Action) -> list[tuple[State, Fraction]]:
    """Everything that an order leads to, each step let happen by a referee, with exact fractions that sum to 1.

    Args:
        ruleset: the game.
        state: the moment.
        action: the order.

    Raises:
        IllegalAction: something that was taken for granted is not legal.
    """
    side, beneath, kind = ruleset.to_move(state), state.agenda[:-1], state.agenda[-1].kind
    waiting = {Referee(ruleset, state).play(action): Fraction(1)}
    ends: dict[State, Fraction] = {}
    while waiting:
        here, share = waiting.popitem()
        referee = Referee(ruleset, here)
        if referee.to_move == TERMINAL or (referee.to_move != CHANCE and is_free(here, beneath, kind)):
            ends[here] = ends.get(here, Fraction(0)) + share
            continue
        if referee.to_move != CHANCE:
            following = [(referee.play(usual_answer(ruleset, here, referee.to_move == side)), Fraction(1))]
        else:
            following = [
                (Referee(ruleset, here).roll(outcome), part) for outcome, part in ruleset.pending(here).exact()
            ]
        for after, part in following:
            waiting[after] = waiting.get(after, Fraction(0)) + share * part
    return list(ends.items())
