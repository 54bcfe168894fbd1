"""The second edition as a ruleset: its facts, its handlers, how a battle begins and what it comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tactician.rules.core.action import Action
from tactician.rules.core.agenda import AgendaRules, Frame, Handler, settle
from tactician.rules.core.appraisal import Appraiser
from tactician.rules.core.clauses import Clause, Violation
from tactician.rules.core.drawing import Drawing
from tactician.rules.core.ruleset import Info, Option, Scenario, chosen_options, known_name
from tactician.rules.core.state import State
from tactician.rules.wh40k2e import catalogue
from tactician.rules.wh40k2e.appraisal import SquadAppraiser
from tactician.rules.wh40k2e.blasts import ScatterHandler
from tactician.rules.wh40k2e.clauses import CLAUSES
from tactician.rules.wh40k2e.combat import BlowHandler, CombatHandler
from tactician.rules.wh40k2e.deployment import DeployHandler, FirstTurnHandler
from tactician.rules.wh40k2e.flight import FlightHandler
from tactician.rules.wh40k2e.follow import FollowHandler
from tactician.rules.wh40k2e.leadership import BrokenHandler, TestHandler
from tactician.rules.wh40k2e.moving import MovingHandler
from tactician.rules.wh40k2e.options import OPTIONS, RULINGS, VERBS
from tactician.rules.wh40k2e.oracle import SquadOracle
from tactician.rules.wh40k2e.orders import may_measure
from tactician.rules.wh40k2e.overwatch import AlertHandler, ReactHandler, TargetingHandler
from tactician.rules.wh40k2e.pairing import QueueHandler
from tactician.rules.wh40k2e.rally import BonusHandler
from tactician.rules.wh40k2e.scope import refused_verb
from tactician.rules.wh40k2e.shooting import ShootingHandler, VolleysHandler
from tactician.rules.wh40k2e.state import Deploy, FirstTurn, SquadState, SquadTable, Turn
from tactician.rules.wh40k2e.turn import TurnHandler
from tactician.rules.wh40k2e.victory import ENDS

__all__ = ["HANDLERS", "VERSION", "SecondEdition"]

VERSION = "1"
"""Raised whenever a record of an earlier version could play differently."""

SIZES = ("duel", "skirmish", "battle")

MISSIONS = ("battle",)

HANDLERS: dict[str, Handler[Any, Any]] = {
    "deploy": DeployHandler(),
    "first_turn": FirstTurnHandler(),
    "turn": TurnHandler(),
    "moving": MovingHandler(),
    "react": ReactHandler(),
    "alert": AlertHandler(),
    "targeting": TargetingHandler(),
    "shooting": ShootingHandler(),
    "volleys": VolleysHandler(),
    "scatter": ScatterHandler(),
    "test": TestHandler(),
    "broken": BrokenHandler(),
    "flight": FlightHandler(),
    "combat": CombatHandler(),
    "queue": QueueHandler(),
    "blow": BlowHandler(),
    "follow": FollowHandler(),
    "bonus": BonusHandler(),
}

ROLLS = ("first turn", "shooting", "combat", "blast", "scatter", "test", "flight", "attack dice", "parry", "blow")
"""First words of what is rolled for."""


def _info() -> Info:
    return Info(
        id="wh40k2e",
        name="Warhammer 40,000 2nd edition",
        version=VERSION,
        summary="squads: charges declared per model, overwatch at any time of the enemy's turn, running, hiding",
        verbs=VERBS,
        frames=tuple(HANDLERS),
        rolls=ROLLS,
        ends=ENDS,
        sizes=SIZES,
        missions=MISSIONS,
        armies=catalogue.armies(),
        tables=catalogue.tables(),
        measuring_before_declaring=False,
    )


class SecondEdition(AgendaRules):
    """The ruleset."""

    info: Info = _info()
    clauses: tuple[Clause, ...] = CLAUSES
    options: tuple[Option, ...] = OPTIONS
    rulings: tuple[str, ...] = RULINGS
    """Readings that no option changes, for the page of the game."""
    handlers: Mapping[str, Handler[Any, Any]] = HANDLERS
    appraiser: Appraiser = SquadAppraiser()
    oracle = SquadOracle()
    """Answers to questions about odds that only this game has."""

    def start(self, scenario: Scenario) -> SquadState:
        """The first moment of a scenario: deployment, or where everybody stands already the first turn.

        Raises:
            RulesetError: a name in the scenario is not known.
        """
        size = known_name("size", scenario.size or "skirmish", SIZES)
        mission = known_name("mission", scenario.mission or MISSIONS[0], MISSIONS)
        board = catalogue.table(known_name("table", scenario.table or self.info.tables[0], self.info.tables), size)
        red, blue = (
            known_name("army", name or usual, self.info.armies)
            for name, usual in zip(scenario.armies, catalogue.USUAL, strict=True)
        )
        units = (*catalogue.compose_units(red, "red", size), *catalogue.compose_units(blue, "blue", size))
        table = SquadTable(
            board=board,
            profiles=tuple(sorted(catalogue.profiles().items())),
            weapons=tuple(sorted(catalogue.weapons().items())),
            options=chosen_options(OPTIONS, scenario.options),
            mission=mission,
            size=size,
            ratings=(catalogue.rating(red), catalogue.rating(blue)),
        )
        first = known_name("side", scenario.first, ("red", "blue")) if scenario.first else ""
        state = SquadState(table=table, units=units, agenda=_opening(first), first=first)
        begun = settle(state, self.handlers)
        assert isinstance(begun, SquadState)
        return self._deployed(begun) if scenario.deployed else begun

    def _deployed(self, state: SquadState) -> SquadState:
        """Every unit put down where the rules' own proposal puts it."""
        if not state.first:
            state = replace(state, first="red", agenda=tuple(f for f in state.agenda if not isinstance(f, FirstTurn)))
        while isinstance(state.agenda[-1], Deploy):
            after = self.apply(state, self.choices(state)[0].canonical(state))
            assert isinstance(after, SquadState)
            state = after
        return state

    def may_measure(self, state: State) -> bool:
        """Whether distances between own and enemy models may be measured now (2E-CH-07)."""
        assert isinstance(state, SquadState)
        return may_measure(state)

    def check(self, state: State, action: Action, assume: Mapping[str, int] | None = None) -> tuple[Violation, ...]:
        """Every clause that an action would break now; empty means legal."""
        faults = refused_verb(action.verb, action.unit) or super().check(state, action, assume)
        off = state.table.switched_off
        if not off:
            return faults
        left = (replace(one, also=tuple(also for also in one.also if also not in off)) for one in faults)
        return tuple(one for one in left if one.clause not in off)

    def returns(self, state: State) -> tuple[float, float]:
        """Result for red and blue once the battle is over."""
        assert isinstance(state, SquadState)
        if not state.winner:
            return 0.0, 0.0
        return (1.0, -1.0) if state.winner == "red" else (-1.0, 1.0)

    def ending(self, state: State) -> str:
        """How the battle ended; empty before."""
        assert isinstance(state, SquadState)
        return state.ended

    def describe(self, state: State) -> Drawing:
        """The table as shapes and labels."""
        from tactician.rules.wh40k2e.picture import picture

        assert isinstance(state, SquadState)
        return picture(state)

    def fact(self, state: State, path: str) -> float | str | bool:
        """A fact of a moment by path, such as ``units.A.overwatch`` or ``models.A1.x``.

        Raises:
            LookupError: there is no such fact.
        """
        from tactician.rules.wh40k2e.facts import fact

        assert isinstance(state, SquadState)
        return fact(state, path)

    def to_data(self, state: State) -> dict[str, Any]:
        """The battle as JSON-able data."""
        from tactician.rules.wh40k2e.files import to_data

        assert isinstance(state, SquadState)
        return to_data(state)

    def from_data(self, data: Mapping[str, Any]) -> SquadState:
        """A battle from JSON-able data, settled.

        Raises:
            BadInput: with every fault found.
        """
        from tactician.rules.wh40k2e.files import from_data

        state = settle(from_data(data), self.handlers)
        assert isinstance(state, SquadState)
        return state


def _opening(first: str) -> tuple[Frame, ...]:
    """Deploy, then find out who has the first turn, then take turns."""
    turn = Turn(owner=first)
    return (turn, Deploy()) if first else (turn, FirstTurn(), Deploy())
