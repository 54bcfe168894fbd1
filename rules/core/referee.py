"""A game at the table: a ruleset and its present moment, with a verifying way to play.

The rules themselves are pure and `apply` trusts its caller; a referee holds the moment, answers questions about it
and refuses what is illegal, naming every clause that is broken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.chance import Outcome, Roll
from tactician.rules.core.choice import Choice
from tactician.rules.core.clauses import MALFORMED, Violation
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State
from tactician.rules.core.tidy import tidied

__all__ = ["ActionError", "IllegalAction", "LegalView", "MalformedAction", "Referee", "nearest_legal"]


class ActionError(ValueError):
    """An action that cannot be played; `violations` says why.

    MalformedAction
        the order cannot be understood here: unknown names, wrong fields, somebody else's decision
    IllegalAction
        the order is understood and breaks clauses
    """

    def __init__(self, action: Action, violations: tuple[Violation, ...]) -> None:
        """Keep the action and what it breaks."""
        super().__init__("; ".join(str(violation) for violation in violations))
        self.action = action
        self.violations = violations


class MalformedAction(ActionError):
    """The order cannot be understood in this position."""


class IllegalAction(ActionError):
    """The order breaks clauses."""


@dataclass(frozen=True, slots=True)
class LegalView:
    """The legal actions of a moment, as a view: iterate over choices, count them, ask for membership."""

    ruleset: Ruleset
    state: State

    def __iter__(self) -> Iterator[Choice]:
        """The choices."""
        return iter(self.ruleset.choices(self.state))

    def __len__(self) -> int:
        """Number of choices (each with a domain of answers)."""
        return len(self.ruleset.choices(self.state))

    def __contains__(self, action: object) -> bool:
        """Whether an action is legal."""
        return isinstance(action, Action) and not self.ruleset.check(self.state, action)


class Referee:
    """Holds the present moment of a game and lets only legal things happen to it."""

    def __init__(self, ruleset: Ruleset, state: State) -> None:
        """Begin at a moment."""
        self.ruleset = ruleset
        self.state = state

    @property
    def legal(self) -> LegalView:
        """What is legal now."""
        return LegalView(self.ruleset, self.state)

    @property
    def to_move(self) -> str:
        """The side that decides, ``chance`` or ``terminal``."""
        return self.ruleset.to_move(self.state)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.to_move == TERMINAL

    @property
    def pending(self) -> Roll | None:
        """The question to the dice, if dice must fall now."""
        return self.ruleset.pending(self.state) if self.to_move == CHANCE else None

    def check(self, action: Action) -> tuple[Violation, ...]:
        """Every clause an action would break."""
        return self.ruleset.check(self.state, action)

    def explain(self, action: Action) -> str:
        """Why an action is illegal, a line for each broken clause; "legal" if it is not."""
        return "\n".join(str(violation) for violation in self.check(action)) or "legal"

    def play(self, action: Action) -> State:
        """Apply an action after checking it.

        Raises:
            MalformedAction: it cannot be understood here.
            IllegalAction: it breaks clauses.
        """
        violations = self.check(action)
        if violations:
            malformed = any(violation.clause == MALFORMED for violation in violations)
            raise (MalformedAction if malformed else IllegalAction)(action, violations)
        self.state = self.ruleset.apply(self.state, action)
        return self.state

    def roll(self, outcome: Outcome) -> State:
        """Let dice fall.

        Raises:
            DiceError: the outcome is none that the question can have.
        """
        self.state = self.ruleset.resolve(self.state, outcome)
        return self.state


def nearest_legal(ruleset: Ruleset, state: State, action: Action) -> Action | None:
    """The action as far as it is legal, in round numbers; None if it is legal, or its verb cannot be ordered at all."""
    for choice in ruleset.choices(state):
        if choice.verb == action.verb and choice.unit == action.unit:
            found = choice.clip(state, action)
            if found == action or ruleset.check(state, found):
                return None
            return tidied(found, lambda changed: not ruleset.check(state, changed))
    return None
