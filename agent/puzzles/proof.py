"""Proofs of puzzles, and whether a policy finds their answers."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tactician.agent.policies.base import Budget, Policy
from tactician.agent.puzzles.puzzle import GAP, Puzzle
from tactician.agent.search.expectimax import Found, expectimax
from tactician.rules.core.action import Action
from tactician.rules.core.ruleset import Ruleset

__all__ = ["UNBOUNDED", "Proof", "Tried", "prove", "tried"]

UNBOUNDED = Budget(evaluations=10**12)
"""Until every line has been followed."""

SAME = 1e-6
"""How far a value may be from the one that a file names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The worth of every answer to a puzzle."""

    puzzle: Puzzle
    found: Found

    @property
    def gap(self) -> float:
        """By how much the best answer is ahead of the second."""
        first, second = self.found.answers[:2]
        return first.value - second.value

    @property
    def holds(self) -> bool:
        """Whether the answer that the file calls the best is so, and far enough ahead of every other."""
        if not self.found.is_finished:
            return False
        return self.found.best.action == self.puzzle.best and self.gap >= GAP - SAME

    @property
    def agrees(self) -> bool:
        """Whether the best two answers are worth what the file says: so long as the candidates are what they were."""
        if not self.found.is_finished:
            return False
        first, second = self.found.answers[:2]
        return abs(first.value - self.puzzle.value) < SAME and abs(second.value - self.puzzle.second) < SAME


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What a policy answered."""

    action: Action
    value: float
    """What that is worth; an answer of its own that the puzzle does not name is followed out like the others."""
    solves: bool
    """Whether it is worth as much as the best, to half of the least lead."""


def prove(ruleset: Ruleset, puzzle: Puzzle, budget: Budget = UNBOUNDED, *, prune: bool = False) -> Proof:
    """Follow every answer of a puzzle through every line, nothing cut short unless it is asked for."""
    state = puzzle.state(ruleset)
    question = puzzle.question(ruleset, state)
    return Proof(puzzle=puzzle, found=expectimax(question, state, puzzle.answers, budget.clock(), prune=prune))


def tried(ruleset: Ruleset, puzzle: Puzzle, policy: Policy, budget: Budget, seed: int = 0) -> Tried:
    """Put a puzzle to a policy.

    Args:
        ruleset: the game.
        puzzle: the puzzle.
        policy: who is asked.
        budget: how long it may think.
        seed: of its own stream.
    """
    state = puzzle.state(ruleset)
    action = policy.decide(ruleset, state, budget, random.Random(seed)).action
    if action == puzzle.best:
        return Tried(action=action, value=puzzle.value, solves=True)
    question = puzzle.question(ruleset, state)
    found = expectimax(question, state, (action,), UNBOUNDED.clock())
    value = found.best.value
    return Tried(action=action, value=value, solves=value >= puzzle.value - GAP / 2)
