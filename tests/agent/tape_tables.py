"""Plans of the adviser for the tests of exact orders."""

from __future__ import annotations

from collections.abc import Iterator

from tactician.agent.advise import advise
from tactician.agent.policies import Budget
from tactician.agent.tape.hands import Taped
from tactician.agent.tape.orders import tape_of
from tactician.rules.core.ruleset import load_ruleset

from tests.agent.positions import decisions


def taped(name: str, size: int, seeds: range, most: int, top: int = 3, *, drawn_back: bool = True) -> Iterator[Taped]:
    """Plans of random positions."""
    ruleset = load_ruleset(name)
    for seed in seeds:
        for state in decisions(name, ruleset.info.sizes[size], seed, most):
            for plan in advise(ruleset, state, top, Budget(evaluations=8), answered=False, drawn_back=drawn_back):
                tape = tape_of(ruleset, state, plan.action)
                if tape is not None:
                    yield Taped(ruleset=ruleset, state=state, action=plan.action, tape=tape)
