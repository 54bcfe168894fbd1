"""Somebody who proposes, in the made-up game of volleys, everything that a squad can do."""

from __future__ import annotations

import random

from tactician.agent.policies import Budget, Decision
from tactician.rules.core.action import Action
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State

from tests.core.volleys import CHARGE, SPLIT, everybody

AIMED_AT_E1 = (everybody("E1"), everybody("E1:bolter"), SPLIT)
"""Assignments that are aimed at the same enemy: by all, with a weapon that is named, and by most."""


class Everything:
    """Foresees most of what counts least now, so that no plan is better than another one in everything."""

    name = "everything"

    def decide(self, ruleset: Ruleset, state: State, budget: Budget, rng: random.Random) -> Decision:
        """The charge, the volley at the single enemy, and every volley at the other two."""
        shots = (everybody("E2"), *AIMED_AT_E1)
        volleys = tuple(Action(verb="shoot", unit="A", targets=targets) for targets in shots)
        charge = Action(verb="charge", unit="A", targets=CHARGE)
        return Decision(action=charge, value=9.0, alternatives=tuple(zip((8.0, 7.0, 6.0, 5.0), volleys, strict=True)))
