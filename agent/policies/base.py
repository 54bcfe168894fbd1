"""What a policy is, what it hands back, and how policies are found by name."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from math import inf
from pkgutil import iter_modules
from time import monotonic
from typing import Protocol, runtime_checkable

from tactician.agent.value.terms import Term
from tactician.rules.core.action import Action
from tactician.rules.core.forms import nearest
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State

__all__ = ["Budget", "Clock", "Decision", "Follower", "Policy", "policy", "policy_names", "register"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How long a policy may think; it always has an answer, however little it is given."""

    seconds: float = inf
    """Of the wall clock; finite limits make decisions depend on the machine."""
    evaluations: int = 24
    """Moments valued after carrying an order out."""

    def clock(self) -> Clock:
        """Begin to count."""
        return Clock(self, monotonic() if self.seconds < inf else 0.0)


@dataclass(slots=True)
class Clock:
    """A budget being used up."""

    budget: Budget
    started: float
    used: int = field(default=0)

    def is_over(self) -> bool:
        """Whether nothing more may be valued."""
        return self.used >= self.budget.evaluations or self.is_late()

    def is_late(self) -> bool:
        """Whether the time is up."""
        return self.budget.seconds < inf and monotonic() - self.started >= self.budget.seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a policy chose, and why."""

    action: Action
    value: float = 0.0
    terms: tuple[Term, ...] = ()
    """Summands of the value; empty where the policy does not value anything."""
    alternatives: tuple[tuple[float, Action], ...] = ()
    """What else was valued, best first."""


class Policy(Protocol):
    """A way to choose."""

    name: str

    def decide(self, ruleset: Ruleset, state: State, budget: Budget, rng: random.Random) -> Decision:
        """An action for the side to move.

        Args:
            ruleset: the game.
            state: the moment; it holds no dice to come.
            budget: how long to think.
            rng: the policy's own stream; nobody else draws from it.
        """


@runtime_checkable
class Follower(Protocol):
    """A policy that wants to see every moment of the game that it plays, not only those in which it decides."""

    def follow(self, ruleset: Ruleset, state: State, *, begins: bool) -> None:
        """A moment of the game.

        Args:
            ruleset: the game.
            state: the moment.
            begins: whether it is the first one of a game.
        """


_REGISTERED: dict[str, Callable[[], Policy]] = {}


def register(name: str) -> Callable[[Callable[[], Policy]], Callable[[], Policy]]:
    """Make a policy known under a name.

    Raises:
        ValueError: the name is taken.
    """

    def known(make: Callable[[], Policy]) -> Callable[[], Policy]:
        if name in _REGISTERED:
            raise ValueError(f"there already is a policy {name!r}")
        _REGISTERED[name] = make
        return make

    return known


def _load() -> None:
    """Import every module beside this one, so that its policies register."""
    package = import_module("tactician.agent.policies")
    for module in iter_modules(package.__path__):
        import_module(f"tactician.agent.policies.{module.name}")


def policy_names() -> tuple[str, ...]:
    """Every policy, sorted."""
    _load()
    return tuple(sorted(_REGISTERED))


def policy(name: str) -> Policy:
    """A policy by name.

    Raises:
        ValueError: there is none of this name.
    """
    known = policy_names()
    if name not in known:
        raise ValueError(f"there is no policy {name!r}{nearest(name, known)}")
    return _REGISTERED[name]()
