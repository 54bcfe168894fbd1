"""VoidSiege as a ruleset: its facts, its handlers, how a game begins and what it comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tactician.rules.core.action import Action
from tactician.rules.core.agenda import AgendaRules, Frame, Handler, settle
from tactician.rules.core.appraisal import Appraiser
from tactician.rules.core.clauses import Clause, Violation
from tactician.rules.core.drawing import Drawing
from tactician.rules.core.ruleset import Info, Option, RulesetError, Scenario, chosen_options, known_name
from tactician.rules.core.state import State
from tactician.rules.voidsiege import catalogue
from tactician.rules.voidsiege.appraisal import VoidAppraiser
from tactician.rules.voidsiege.clauses import CLAUSES
from tactician.rules.voidsiege.damage import CasualtiesHandler, DamageHandler
from tactician.rules.voidsiege.deployment import DeployHandler
from tactician.rules.voidsiege.drag import DragHandler
from tactician.rules.voidsiege.exchange import ExchangeHandler
from tactician.rules.voidsiege.horde import HordeHandler
from tactician.rules.voidsiege.missions import ENDS, MISSIONS
from tactician.rules.voidsiege.moving import MovementHandler
from tactician.rules.voidsiege.options import OPTIONS, RULINGS, VERBS
from tactician.rules.voidsiege.raiding import RedeployHandler
from tactician.rules.voidsiege.rally import RallyHandler, ReturnHandler
from tactician.rules.voidsiege.scope import refused_verb, unknown_mission
from tactician.rules.voidsiege.scouting import ArrivalsHandler, FollowHandler
from tactician.rules.voidsiege.shooting import VolleyHandler
from tactician.rules.voidsiege.splitting import CombineHandler
from tactician.rules.voidsiege.state import Deploy, RollOff, Turn, VoidState, VoidTable
from tactician.rules.voidsiege.turn import RollOffHandler, TurnHandler

__all__ = ["HANDLERS", "VoidSiege"]

VERSION = "2"
"""Raised whenever a record of an earlier version could play differently."""

SIZES = ("duel", "skirmish", "battle")

HANDLERS: dict[str, Handler[Any, Any]] = {
    "roll_off": RollOffHandler(),
    "deploy": DeployHandler(),
    "turn": TurnHandler(),
    "exchange": ExchangeHandler(),
    "movement": MovementHandler(),
    "volley": VolleyHandler(),
    "damage": DamageHandler(),
    "casualties": CasualtiesHandler(),
    "rally": RallyHandler(),
    "return": ReturnHandler(),
    "combine": CombineHandler(),
    "horde": HordeHandler(),
    "drag": DragHandler(),
    "arrivals": ArrivalsHandler(),
    "follow": FollowHandler(),
    "redeploy": RedeployHandler(),
}


def _info() -> Info:
    return Info(
        id="voidsiege",
        name="VoidSiege",
        version=VERSION,
        summary="commands and responses instead of phases; coherency while moving; free descent; partial movement",
        verbs=VERBS,
        frames=tuple(HANDLERS),
        rolls=("roll-off", "target lock", "damage", "rally", "horde"),
        ends=ENDS,
        sizes=SIZES,
        missions=tuple(MISSIONS),
        armies=catalogue.armies(),
        tables=catalogue.tables(),
    )


class VoidSiege(AgendaRules):
    """The ruleset."""

    info: Info = _info()
    clauses: tuple[Clause, ...] = CLAUSES
    options: tuple[Option, ...] = OPTIONS
    rulings: tuple[str, ...] = RULINGS
    """Readings that no option changes, for the page of the game."""
    handlers: Mapping[str, Handler[Any, Any]] = HANDLERS
    appraiser: Appraiser = VoidAppraiser()

    def start(self, scenario: Scenario) -> VoidState:
        """The first moment of a scenario: the roll-off, or where that is settled the deployment.

        Raises:
            RulesetError: a name in the scenario is not known.
        """
        size = known_name("size", scenario.size or "skirmish", SIZES)
        mission = MISSIONS.get(scenario.mission or "annihilation")
        if mission is None:
            raise RulesetError(unknown_mission(scenario.mission, tuple(MISSIONS)))
        board = catalogue.table(known_name("table", scenario.table or "quarry", self.info.tables), size)
        red, blue = (
            known_name("army", name or usual, self.info.armies)
            for name, usual in zip(scenario.armies, self.info.armies[:2], strict=True)
        )
        units = (*catalogue.compose_units(red, "red", size), *catalogue.compose_units(blue, "blue", size))
        table = VoidTable(
            board=board,
            profiles=tuple(sorted(catalogue.profiles().items())),
            commands=tuple(catalogue.commands().items()),
            options=chosen_options(OPTIONS, scenario.options),
            mission=mission.id,
            size=size,
            turns=mission.turns,
        )
        first = known_name("side", scenario.first, ("red", "blue")) if scenario.first else ""
        first = first or ("red" if scenario.deployed else "")
        agenda: tuple[Frame, ...] = (Turn(), Deploy()) if first else (Turn(), Deploy(), RollOff())
        state = VoidState(table=table, units=units, agenda=agenda, first=first, defender=first)
        begun = settle(state, self.handlers)
        assert isinstance(begun, VoidState)
        return self._deployed(begun) if scenario.deployed else begun

    def _deployed(self, state: VoidState) -> VoidState:
        """Every unit put down where the rules' own proposal puts it."""
        while isinstance(state.agenda[-1], Deploy):
            after = self.apply(state, self.choices(state)[0].canonical(state))
            assert isinstance(after, VoidState)
            state = after
        return state

    def check(self, state: State, action: Action, assume: Mapping[str, int] | None = None) -> tuple[Violation, ...]:
        """Every clause that an action would break now; empty means legal."""
        faults = refused_verb(action.verb, action.unit) or super().check(state, action, assume)
        off = state.table.switched_off
        if not off:
            return faults
        left = (replace(one, also=tuple(also for also in one.also if also not in off)) for one in faults)
        return tuple(one for one in left if one.clause not in off)

    def returns(self, state: State) -> tuple[float, float]:
        """Result for red and blue once the game is over."""
        assert isinstance(state, VoidState)
        if not state.winner:
            return 0.0, 0.0
        return (1.0, -1.0) if state.winner == "red" else (-1.0, 1.0)

    def ending(self, state: State) -> str:
        """How the game ended; empty before."""
        assert isinstance(state, VoidState)
        return state.ended

    def describe(self, state: State) -> Drawing:
        """The table as shapes and labels."""
        from tactician.rules.voidsiege.picture import picture

        assert isinstance(state, VoidState)
        return picture(state)

    def fact(self, state: State, path: str) -> float | str | bool:
        """A fact of a moment by path, such as ``units.A.engaged`` or ``models.A1.x``.

        Raises:
            LookupError: there is no such fact.
        """
        from tactician.rules.voidsiege.facts import fact

        assert isinstance(state, VoidState)
        return fact(state, path)

    def to_data(self, state: State) -> dict[str, Any]:
        """The battle as JSON-able data."""
        from tactician.rules.voidsiege.files import to_data

        assert isinstance(state, VoidState)
        return to_data(state)

    def from_data(self, data: Mapping[str, Any]) -> VoidState:
        """A battle from JSON-able data, settled.

        Raises:
            BadInput: with every fault found.
        """
        from tactician.rules.voidsiege.files import from_data

        state = settle(from_data(data), self.handlers)
        assert isinstance(state, VoidState)
        return state
