"""Setting up and finding out who begins (chapters DE and GF).

Rulings: with equal strategy ratings red puts down first; whoever has no unit left is passed over; everybody faces the
enemy's edge; a unit that may begin the battle hidden does, as nothing speaks against it.
"""

from __future__ import annotations

from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, Handler, swap, without_top
from tactician.rules.core.chance import Outcome, Roll, Total
from tactician.rules.core.choice import Choice, Put
from tactician.rules.core.clauses import Cite
from tactician.rules.core.derive import but
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import OPEN_MARGIN, Degrees, Inches, snap
from tactician.rules.core.placement import PlaceRule
from tactician.rules.core.shapes import Box
from tactician.rules.core.state import SIDES, Model, other_side
from tactician.rules.wh40k2e.state import Deploy, FirstTurn, Squad, SquadState, Turn

__all__ = ["DeployHandler", "FirstTurnHandler", "deploy_rule", "facing_of", "zone", "zones"]

DEPTH: Inches = 12.0
"""How deep a zone is on a full table."""

PART = 1 / 4
"""Part of its depth that a zone takes of a smaller table, so that half of it lies between, as on a full one."""

SIDEWAYS: Inches = 12.0
"""How far a zone stops short of the side edges of a full table."""

FROM_ENEMIES: Inches = 1.0 - OPEN_MARGIN
"""More than this from enemies: an inch exactly is enough."""


def zone(state: SquadState, side: str) -> Box:
    """A side's deployment zone (2E-DE-01): the scenario's, else along its own edge, red's being the lower one."""
    if state.table.zones:
        return state.table.zones[SIDES.index(side)]
    board = state.board
    depth = min(DEPTH, PART * board.height)
    short = min(SIDEWAYS, board.width / 6)
    low = 0.0 if side == "red" else board.height - depth
    return short, low, board.width - short, low + depth


def zones(state: SquadState) -> tuple[Box, Box]:
    """Red's and blue's deployment zone."""
    return zone(state, "red"), zone(state, "blue")


def facing_of(side: str) -> Degrees:
    """The bearing toward the enemy's edge."""
    return 0.0 if side == "red" else 180.0


def deploy_rule(state: SquadState, side: str) -> PlaceRule:
    """Where a unit may be put down.

    Clauses: 2E-DE-01 (own zone), 2E-DE-03 (in coherency, away from enemies, on free ground), 2E-TE-01 (on the table).
    """
    whole = state.holds("2E-DE-03")
    return PlaceRule(
        end_place=Cite("2E-DE-03", ("2E-TE-01",)),
        zone=zone(state, side) if state.holds("2E-DE-01") else None,
        zone_cite=Cite("2E-DE-01"),
        from_enemies=FROM_ENEMIES if whole else None,
        enemies_cite=Cite("2E-DE-03"),
        coherency=state.table.inches("coherency") if whole else None,
        coherency_cite=Cite("2E-DE-03", ("2E-NM-02",)),
    )


class DeployHandler(Handler[SquadState, Deploy]):
    """The players put their units down by turns (2E-DE-02)."""

    def step(self, state: SquadState, frame: Deploy) -> SquadState | None:
        """Who puts down next; on to the battle when everybody stands."""
        owner = frame.owner or self._begins(state)
        if not frame.owner:
            return swap(state, Deploy(owner=owner))
        if self._waiting(state, owner):
            return None
        other = other_side(owner)
        return swap(state, Deploy(owner=other)) if self._waiting(state, other) else _deployed(state)

    def _begins(self, state: SquadState) -> str:
        """The side of the lower strategy rating, red where both are equal (2E-DE-02)."""
        red, blue = state.table.ratings
        lower = "blue" if blue < red else "red"
        return lower if state.holds("2E-DE-02") else other_side(lower)

    def _waiting(self, state: SquadState, side: str) -> tuple[Squad, ...]:
        return tuple(unit for unit in state.units if unit.side == side and unit.reserve and not unit.models)

    def choices(self, state: SquadState, frame: Deploy) -> tuple[Choice, ...]:
        """Any unit that is not yet on the table."""
        rule = deploy_rule(state, frame.owner)
        return tuple(Choice("deploy", unit.id, Put(unit.reserve, rule)) for unit in self._waiting(state, frame.owner))

    def take(self, state: SquadState, frame: Deploy, action: Action) -> SquadState:
        """Put the models down, hidden where they may be; then it is the other side's turn (2E-DE-02, 2E-DE-04)."""
        unit = state.unit(action.unit)
        bearing = facing_of(unit.side)
        models = tuple(
            Model(id=name, pose=Pose(snap(pose.x), snap(pose.y), pose.surface, bearing))
            for name, pose in sorted(action.places)
        )
        unit = but(unit, models=models, reserve=())
        state = state.with_unit(unit)
        if state.holds("2E-DE-04") and _can_hide(state, unit):
            state = state.with_unit(but(unit, hidden=True))
            state = but(state, log=(*state.log, f"{unit.name} ({unit.id}) begins the battle hidden"))
        other = other_side(frame.owner)
        by_turns = state.holds("2E-DE-02") and self._waiting(state, other)
        return swap(state, Deploy(owner=other)) if by_turns else state


def _deployed(state: SquadState) -> SquadState:
    """Everybody stands; where the turn comes next and nothing is thrown for, whoever is first has it."""
    state = without_top(state)
    frame = state.agenda[-1] if state.agenda else None
    is_open = isinstance(frame, Turn) and not frame.owner
    return _begun(state, state.first or SIDES[0]) if is_open else state


def _can_hide(state: SquadState, unit: Squad) -> bool:
    """Whether a unit stands where it can hide."""
    from tactician.rules.wh40k2e.hiding import hide_faults

    return not hide_faults(state, unit)


class FirstTurnHandler(Handler[SquadState, FirstTurn]):
    """Who has the first turn: a die and the strategy rating, higher goes first, equal throw again (2E-GF-03)."""

    def step(self, state: SquadState, frame: FirstTurn) -> SquadState | None:
        """Nothing is thrown where it is known who begins; without the clause that is red."""
        if state.first:
            return _begun(state, state.first)
        return None if state.holds("2E-GF-03") else _begun(state, SIDES[0])

    def mover(self, state: SquadState, frame: FirstTurn) -> str:
        """Always dice."""
        return CHANCE

    def roll(self, state: SquadState, frame: FirstTurn) -> Roll:
        """One die for red, then one for blue."""
        side = "blue" if frame.rolled else "red"
        rating = state.table.ratings[SIDES.index(side)]
        return Total(why=f"first turn: {side}'s die and strategy rating", dice=1, add=rating)

    def land(self, state: SquadState, frame: FirstTurn, outcome: Outcome) -> SquadState:
        """Remember red's total; compare blue's with it."""
        assert isinstance(outcome, int)
        if not frame.rolled:
            return swap(state, but(frame, rolled=outcome))
        if outcome == frame.rolled:
            state = but(state, log=(*state.log, f"both have {outcome}: throw again"))
            return swap(state, but(frame, rolled=0))
        first = "red" if frame.rolled > outcome else "blue"
        return _begun(but(state, log=(*state.log, f"{first} has the first turn")), first)


def _begun(state: SquadState, first: str) -> SquadState:
    """The first turn of a side."""
    return but(state, first=first, agenda=(Turn(owner=first),))
