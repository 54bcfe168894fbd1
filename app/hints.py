"""Suggestions for a person: actions with their reasons, from the adviser or from any policy."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tactician.agent.advise import Plan, advise
from tactician.agent.policies.base import Budget, Decision, Policy
from tactician.rules.core.action import Action
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State

__all__ = ["Adviser", "Hint", "advised", "hint_of", "hints_from", "reasons_of", "shown_value"]

LEAST = 0.005
"""Points below which a term is no reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """An action and why it is a good one."""

    action: Action
    why: tuple[str, ...] = ()


class Adviser(Protocol):
    """Whoever advises the person."""

    def __call__(self, ruleset: Ruleset, state: State, top: int, /) -> Sequence[Hint]:
        """At most so many legal actions, best first; at least one."""
        ...


def hint_of(decision: Decision) -> Hint:
    """A decision with the terms that weigh most as its reasons."""
    ranked = sorted(decision.terms, key=lambda term: (-abs(term.amount), term.name))
    why = tuple(f"{term.sentence} ({term.amount:+.2f})" for term in ranked if abs(term.amount) >= LEAST)
    return Hint(action=decision.action, why=why)


def reasons_of(plan: Plan) -> tuple[str, ...]:
    """A plan's reasons, weightiest first, in hundredths of a point; what a charge needs comes after them."""
    told = [f"{term.sentence} ({term.amount:+.2f})" for term in plan.reasons if round(term.amount, 2) != 0.0]
    return (*told, *([str(plan.contact)] if plan.contact is not None else []))


def shown_value(plan: Plan) -> float:
    """A plan's value as printed: the sum of its reasons as printed."""
    return round(sum(round(term.amount, 2) for term in plan.reasons), 2)


def advised(budget: Budget) -> Adviser:
    """The adviser itself."""

    def ask(ruleset: Ruleset, state: State, top: int, /) -> tuple[Hint, ...]:
        return tuple(
            Hint(action=plan.action, why=(f"value {shown_value(plan):+.2f}", *reasons_of(plan)))
            for plan in advise(ruleset, state, top, budget, answered=False)
        )

    return ask


def hints_from(policy: Policy, budget: Budget, rng: random.Random) -> Adviser:
    """An adviser that tells what a policy would do, and what else it thought of."""

    def advise(ruleset: Ruleset, state: State, top: int, /) -> tuple[Hint, ...]:
        decision = policy.decide(ruleset, state, budget, rng)
        best = hint_of(decision)
        others = tuple(
            Hint(action=action, why=(f"worth {value:+.2f}, the first {decision.value:+.2f}",))
            for value, action in decision.alternatives
            if action != best.action
        )
        return (best, *others)[:top]

    return advise
