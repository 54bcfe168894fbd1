"""Suggestions: the best orders of a moment with their value, their reasons and their exact odds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tactician.commands.expectation import expect, mean
from tactician.commands.told import per_cent
from tactician.commands.words import awaited, order_words
from tactician.errors import bad
from tactician.hints import reasons_of, shown_value
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.codec import action_to_data
from tactician.rules.core.files import BadInput
from tactician.rules.core.ruleset import Ruleset, may_measure
from tactician.rules.core.state import State

if TYPE_CHECKING:
    from tactician.agent.tape.orders import Tape

__all__ = ["Loss", "Plan", "plan_data", "plan_lines", "plans"]

MOST_MOMENTS = 2_000
"""Moments looked at for the odds of a suggestion; an order with more outcomes is suggested without."""


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
    tape: Tape | None = None
    """The order model by model; None where nobody moves."""


def plans(ruleset: Ruleset, state: State, top: int, seconds: float, *, with_odds: bool = True) -> tuple[Plan, ...]:
    """The best orders, best first.

    Args:
        ruleset: the game.
        state: the moment; a side has to decide in it.
        top: at most so many.
        seconds: how long to think.
        with_odds: whether the losses that each order leads to are worked out; never while nobody may measure, as they
            would tell distances.

    Raises:
        BadInput: nobody is to decide.
    """
    from tactician.agent.advise import advise
    from tactician.agent.policies import Budget
    from tactician.agent.tape.orders import tape_of

    if ruleset.to_move(state) in (CHANCE, TERMINAL):
        raise bad("BATTLE", awaited(ruleset, state), "a moment in which somebody decides")
    budget = Budget(seconds=seconds, evaluations=10_000)
    with_odds = with_odds and may_measure(ruleset, state)
    return tuple(
        Plan(
            action=plan.action,
            text=order_words(ruleset, state, plan.action),
            value=shown_value(plan),
            against=plan.against,
            why=reasons_of(plan),
            odds=_odds(ruleset, state, plan.action) if with_odds else (),
            tape=tape_of(ruleset, state, plan.action),
        )
        for plan in advise(ruleset, state, top, budget)
    )


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
    for loss in plan.odds:
        yield (
            f"     odds unanswered: {loss.unit} loses {float(loss.expected):.2f} of {loss.models} on average, "
            f"any {per_cent(loss.any)}, all {per_cent(loss.all)}"
        )
    if plan.tape is not None:
        yield from (f"     {line}" for line in plan.tape.lines())


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
        "tape": tape_data(plan.tape),
    }
