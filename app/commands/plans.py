"""Suggestions: the best orders of a moment with their value, their reasons and their exact odds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tactician.commands.expectation import expect, mean
from tactician.commands.told import per_cent
from tactician.commands.words import awaited, order_words
from tactician.errors import bad
from tactician.hints import reasons_of, shown_value
from tactician.order_text import plain
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.codec import action_to_data
from tactician.rules.core.files import BadInput
from tactician.rules.core.ruleset import Ruleset, may_measure
from tactician.rules.core.state import State

if TYPE_CHECKING:
    from tactician.agent.advice import Answer
    from tactician.agent.advice import Plan as Advice
    from tactician.agent.policies.base import Policy
    from tactician.agent.tape.orders import Tape

__all__ = ["Loss", "Plan", "answer_words", "plan_data", "plan_lines", "plans", "steady_line"]

MOST_MOMENTS = 2_000
"""Moments looked at for the odds of a suggestion; an order with more outcomes is suggested without."""

SURE = 1.0 - 1e-9
"""What is at least as likely is not called a chance."""

LEAST = 0.005
"""Points below which nothing is lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """What a unit loses by an order, dice not yet thrown."""

    unit: str
    models: int
    """How many it has now."""
    expected: Fraction
    any: Fraction
    """Probability that it loses a model at all."""
    all: Fraction
    """Probability that nothing is left of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One suggestion."""

    action: Action
    text: str
    """The order in words that reads back equal."""
    value: float
    """Points gained over `against`: the sum of the numbers in `why`."""
    against: str
    why: tuple[str, ...]
    odds: tuple[Loss, ...]
    """Unanswered, from where the models stand when the order is given."""
    advice: Advice
    """What the adviser says, as it says it."""
    tape: Tape | None = None
    """The order model by model; None where nobody moves."""
    answer: str = ""
    """The enemy's best answer in words; empty where none takes anything."""
    then: tuple[str, ...] = ()
    """The orders that follow if everything goes as is likeliest."""
    measured: bool = True
    """Whether anybody may measure; else what would tell distances is left out."""


def plans(
    ruleset: Ruleset,
    state: State,
    top: int,
    seconds: float,
    *,
    with_odds: bool = True,
    unit: str = "",
    by: str = "",
    whole_turn: bool = False,
) -> tuple[Plan, ...]:
    """The best orders, best first.

    Args:
        ruleset: the game.
        state: the moment; a side has to decide in it.
        top: at most so many.
        seconds: how long to think.
        with_odds: whether the losses that each order leads to are worked out; never while nobody may measure, as they
            would tell distances.
        unit: orders of this unit alone; empty for any.
        by: the policy that proposes; empty for the adviser's own choice.
        whole_turn: whether what follows is looked for to the end of the turn and after every order, however long that
            takes; else after the first one, for as long as `seconds`.

    Raises:
        BadInput: nobody is to decide, the unit has nothing to decide, or there is no such policy.
    """
    from tactician.agent.advise import advise
    from tactician.agent.policies import Budget

    if ruleset.to_move(state) in (CHANCE, TERMINAL):
        raise bad("BATTLE", awaited(ruleset, state), "a moment in which somebody decides")
    source = _source(by)
    budget = Budget(seconds=seconds, evaluations=10_000)
    with_odds = with_odds and may_measure(ruleset, state)
    try:
        found = advise(ruleset, state, top, budget, source=source, unit=unit)
    except ValueError as error:
        raise bad("--unit", str(error), "a unit that has something to decide") from error
    rests = [_then(ruleset, state, found[0], source, None if whole_turn else seconds)]
    rests += [_then(ruleset, state, one, source, None) if whole_turn else () for one in found[1:]]
    return tuple(_told(ruleset, state, one, rest, with_odds=with_odds) for one, rest in zip(found, rests, strict=True))


def _source(by: str) -> Policy | None:
    from tactician.agent.policies import policy

    if not by:
        return None
    try:
        return policy(by)
    except ValueError as error:
        raise bad("--by", str(error), "a policy") from error


def _told(ruleset: Ruleset, state: State, plan: Advice, then: tuple[str, ...], *, with_odds: bool) -> Plan:
    from tactician.agent.tape.orders import tape_of

    return Plan(
        action=plan.action,
        text=order_words(ruleset, state, plan.action),
        value=shown_value(plan),
        against=plan.against,
        why=reasons_of(plan),
        odds=_odds(ruleset, state, plan.action) if with_odds else (),
        advice=plan,
        tape=tape_of(ruleset, state, plan.action),
        answer="" if plan.answer is None else answer_words(plan.answer),
        then=then,
        measured=may_measure(ruleset, state),
    )


def _then(
    ruleset: Ruleset, state: State, plan: Advice, source: Policy | None, seconds: float | None
) -> tuple[str, ...]:
    """The orders that follow, in words."""
    from tactician.agent.following import MOST, following
    from tactician.agent.policies import Budget

    budget = Budget(evaluations=MOST) if seconds is None else Budget(seconds=seconds, evaluations=MOST)
    side = ruleset.to_move(state)
    return tuple(
        f"{'' if one.side == side else '(enemy) '}{order_words(ruleset, one.moment, one.action)}{_likely(one.chance)}"
        for one in following(ruleset, state, plan.action, source=source, budget=budget)
    )


def _likely(chance: float) -> str:
    return "" if chance > SURE else f"  (if it comes to that: {per_cent(chance)})"


def answer_words(answer: Answer) -> str:
    """What the enemy can best do, and what that costs."""
    lost = "" if answer.loss < LEAST else f", {answer.loss:.2f} points of own models with it"
    case = "" if answer.chance > SURE else f" if it comes to that ({per_cent(answer.chance)})"
    if answer.action is None:
        what = f"{answer.unit} {answer.verb.replace('_', ' ')} at {answer.target} in his next turn"
        if answer.moves:
            return f"{what}{case}: after a move, up to {answer.cost:.2f} points if all its models take part"
        return f"{what}{case}: from where it stands, {answer.cost:.2f} points on average"
    when = "at once" if answer.kind == "response" else "as his next order"
    return f"{plain(answer.moment, answer.action)} {when}{case}: takes {answer.cost:.2f} of the value on average{lost}"


def _odds(ruleset: Ruleset, state: State, action: Action) -> tuple[Loss, ...]:
    """The exact losses of every unit that can lose models; none where there are too many outcomes to look at."""
    try:
        found = expect(ruleset, state, action, MOST_MOMENTS)
    except BadInput:
        return ()
    losses = []
    for name in found.harmed():
        shares, stood = found.losses(name), len(state.unit(name).models)
        losses.append(
            Loss(
                unit=name,
                models=stood,
                expected=mean(shares),
                any=sum((share for lost, share in shares if lost), Fraction(0)),
                all=sum((share for lost, share in shares if lost >= stood), Fraction(0)),
            )
        )
    return tuple(losses)


def plan_lines(number: int, plan: Plan) -> Iterator[str]:
    """A suggestion for people."""
    yield f"{number}. {plan.text}  (value {plan.value:+.2f})"
    if number == 1:
        yield f"     a value is the gain in points over {plan.against}; its parts:"
    yield from (f"     {line}" for line in plan.why)
    yield from (f"     {line}" for line in _prospect_lines(plan))
    for loss in plan.odds:
        yield (
            f"     odds unanswered: {loss.unit} loses {float(loss.expected):.2f} of {loss.models} on average, "
            f"any {per_cent(loss.any)}, all {per_cent(loss.all)}"
        )
    if plan.answer:
        yield f"     the enemy's best answer: {plan.answer}"
    if plan.tape is not None:
        yield from (f"     {line}" for line in plan.tape.lines())
        yield f"     {steady_line(plan.advice)}"
    for number, order in enumerate(plan.then, start=1):
        yield f"     {'then' if number == 1 else 'and '} {order}"


def steady_line(plan: Advice) -> str:
    """How well an order stands a hand that is off."""
    eased = ", its ends drawn back a little for that" if plan.is_eased else ""
    return f'put down up to 0.25" off without a look, {per_cent(plan.steady)} of the steps stay legal{eased}'


def _prospect_lines(plan: Plan) -> Iterator[str]:
    """Gain and loss, and what can become of each unit; nothing where nobody may measure."""
    found = plan.advice.prospect
    if not plan.measured or not found.units:
        return
    about = "" if found.exact else " (rolls with many outcomes by a few that stand for them)"
    yield f"gain {found.gain:.2f} points of enemy models on average, loss {found.loss:.2f} of own{about}"
    for one in found.units:
        broken = f", broken {per_cent(one.broken)}" if one.broken else ""
        half = f", half {per_cent(one.half)}" if one.models > 1 else ""
        yield (
            f"answered sensibly: {one.unit} loses {one.expected:.2f} of {one.models} on average, "
            f"any {per_cent(one.any)}{half}, all {per_cent(one.all)}{broken}"
        )


def plan_data(plan: Plan) -> dict[str, Any]:
    """A suggestion for programs."""
    from tactician.taped import tape_data

    return {
        "text": plan.text,
        "action": action_to_data(plan.action),
        "value": plan.value,
        "against": plan.against,
        "why": list(plan.why),
        "odds": [
            {
                "unit": loss.unit,
                "models": loss.models,
                "expected": float(loss.expected),
                "any": str(loss.any),
                "all": str(loss.all),
            }
            for loss in plan.odds
        ],
        **(_prospect_data(plan) if plan.measured else {}),
        "answer": _answer_data(plan),
        "tape": tape_data(plan.tape),
        "steady": round(plan.advice.steady, 4),
        "drawn_back": plan.advice.is_eased,
        "then": list(plan.then),
    }


def _prospect_data(plan: Plan) -> dict[str, Any]:
    found = plan.advice.prospect
    return {
        "gain": found.gain,
        "loss": found.loss,
        "exact": found.exact,
        "losses": [asdict(one) for one in found.units],
    }


def _answer_data(plan: Plan) -> dict[str, Any] | None:
    answer = plan.advice.answer
    if answer is None:
        return None
    return {
        "kind": answer.kind,
        "text": plan.answer,
        "unit": answer.unit,
        "cost": answer.cost,
        "loss": answer.loss,
        "chance": answer.chance,
        "action": None if answer.action is None else action_to_data(answer.action),
    }
