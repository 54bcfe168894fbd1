"""What a game says about the worth of things, for whoever has to choose.

An appraiser answers in the game's own terms: points on the table, models that an attack should cost, places worth
holding. It measures with the ruleset's own functions and decides nothing. A ruleset may bind one as ``appraiser``;
for the others there is a plain one, which knows only what every game has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tactician.rules.core.action import Action
from tactician.rules.core.choice import Choice
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import Inches
from tactician.rules.core.move_types import MoveType
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.shapes import length
from tactician.rules.core.sight import Eye, sight_lines
from tactician.rules.core.sketch_tables import Tables, plain_tables
from tactician.rules.core.state import State, Unit

__all__ = ["Appraiser", "Attack", "Goal", "Means", "PlainAppraiser", "appraiser_of"]

Points = float

LATER = 0.85
"""What an attack counts that comes a turn later, against one that comes now, where nothing else is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """A place worth being at."""

    x: Inches
    y: Inches
    radius: Inches
    """How near a model's edge must come to count."""
    weight: float = 1.0
    """Victory points that being there can be worth in a round."""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """A way in which some models of a unit can attack in an ordinary turn of its own: a move, and what follows it."""

    verb: str
    """The order."""
    models: tuple[str, ...]
    """Who can attack so."""
    kind: MoveType | None
    """The move that comes first; None where they stay where they are."""
    carry: Inches
    """Greatest gap between the bases at which it tells when the move is over."""
    needs_sight: bool
    """Whether the target must be seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What a unit can do to an enemy, in points, if all of its models can take part."""

    fire: Points
    """What its shots destroy on average; 0 where it has nothing to shoot with."""
    struck: Points
    """What its blows destroy in a round of hand-to-hand that it has begun."""
    suffered: Points
    """What it loses itself in that round."""


class Appraiser(Protocol):
    """The worth of things in one game.

    Units are passed as objects, so that one may be asked about where it is not. `promise`, `view`, `stride`, `reach`
    and `range` depend on the table and on the units passed alone, so that whoever asks may remember the answers.
    """

    def worth(self, state: State, unit: Unit) -> Points:
        """Points of the unit's models on the table."""

    def losses(self, state: State, attacker: Unit, target: Unit) -> tuple[float, ...]:
        """Probability of 0, 1, 2 ... models lost to the attacker's next attack from where both stand, exactly."""

    def harm(self, state: State, attacker: Unit, target: Unit) -> Points:
        """Points that the attack of `losses` destroys on average."""

    def promise(self, state: State, attacker: Unit, target: Unit) -> Points:
        """Points that an attack would destroy on average if every model could take part."""

    def view(self, state: State, attacker: Unit, target: Unit) -> float:
        """Share of the attacker's models that could take part from where both stand; may look at some models only."""

    def stride(self, state: State, unit: Unit) -> Inches:
        """How far an ordinary move takes the unit."""

    def reach(self, state: State, unit: Unit) -> Inches:
        """How far away an attack of its next activation can tell, movement included."""

    def range(self, state: State, unit: Unit) -> Inches:
        """How far away its attacks tell from where it stands."""

    def attacks(self, state: State, unit: Unit) -> tuple[Attack, ...]:
        """How it can attack in a turn of its own that begins as things stand, whoever's turn it is now.

        What it has done in this turn is forgotten by then. A move into the enemy asks for no distance from whoever is
        attacked; as that is not known, it asks for none from anybody.
        """

    def eye(self, state: State, unit: Unit, pose: Pose) -> Eye:
        """A model of the unit at a place, for lines of sight: whoever looks, or is looked at."""

    def sees(
        self, state: State, unit: Unit, eyes: Sequence[Eye], targets: Sequence[Eye]
    ) -> tuple[tuple[bool, ...], ...]:
        """For each place of a model of the unit whether it would see each target, by the rules.

        The other models of the unit hide nothing: they may be anywhere when it looks.
        """

    def hope(self, state: State, unit: Unit, gap: Inches) -> float:
        """What an attack counts, from 0 to 1, for which the unit has to come nearer: the enemy is so far away.

        It may depend on the round besides the table and the unit.
        """

    def campaign(self, state: State, unit: Unit, foe: Unit, gap: Inches) -> tuple[Points, Points]:
        """What the unit's attacks on an enemy promise: in the turn that is played, and over all later ones.

        Asked only where `every_turn` is true. The enemy is so far away.
        """

    def prize(self, state: State, unit: Unit) -> Points:
        """What the whole unit is worth to its enemy: its points, and what its loss scores."""

    def moment_key(self, state: State, side: str) -> object:
        """What of a moment, besides the table and the units, `campaign` depends on for a side."""

    def later(self, state: State) -> float:
        """What attacks of later rounds count, from 0 to 1, where few of those are left to come."""

    def is_ready(self, state: State, unit: Unit) -> bool:
        """Whether it may still attack in this round."""

    def orders(self, state: State, side: str) -> int:
        """How many units the side can still order in this round."""

    def goals(self, state: State, side: str) -> tuple[Goal, ...]:
        """Places that the side wants to be at for their own sake."""

    def shelters(self, state: State, unit: Unit) -> tuple[Goal, ...]:
        """Places that protect the unit."""

    def standing(self, state: State, side: str) -> float:
        """Victory points that the side is ahead, beyond what `worth` already counts."""

    def outlook(self, state: State, side: str) -> float:
        """Victory points by which the side would gain on the other if the round ended as things stand."""

    def stakes(self, state: State) -> Points:
        """What a victory point is worth in points on the table."""

    def rounds_left(self, state: State) -> int:
        """Ends of a round still to come."""

    def reply(self, state: State, choices: tuple[Choice, ...]) -> Action | None:
        """What a sensible opponent would answer here with little thought; None where it lets things pass."""

    def pieces(self, state: State, unit: Unit) -> int:
        """In how many pieces the unit stands; 1 where it is in coherency, or where the game asks for none."""

    has_facing: bool
    """Whether it matters where models face."""
    every_turn: bool
    """Whether every unit acts in each turn of its side, so that an order costs no other unit's."""
    parting_verbs: tuple[str, ...]
    """Orders that make two units of one."""
    idle_verbs: tuple[str, ...]
    """Orders that by themselves lead to nothing: whoever thinks little leaves them out."""
    status_names: tuple[str, ...]
    """What `status` says, at most nine things; the list never changes while a game has its version."""
    moment_names: tuple[str, ...]
    """What `moment` says, at most twelve things; the same holds."""

    def status(self, state: State, unit: Unit) -> tuple[float, ...]:
        """What lies on the unit besides where it stands: a number from -1 to 1 for each of `status_names`."""

    def moment(self, state: State, side: str) -> tuple[float, ...]:
        """What the moment is like for a side besides its units: a number from -1 to 1 for each of `moment_names`."""

    def answering(self, state: State) -> str:
        """The verb of the order that is being carried out or answered; empty where a new one is to be given."""

    def means(self, state: State, unit: Unit, foe: Unit) -> Means:
        """What the unit can do to an enemy by fire and by hand-to-hand; it depends on the table and the units alone."""

    def verbs_for(self, purpose: str) -> tuple[str, ...]:
        """The verbs that serve a purpose which is not plain from what an order asks for; none where a game has none.

        Args:
            purpose: ``charge`` (name whom one's models run into), ``steady`` (moves after which a unit may still
                shoot in this turn), ``watch`` (wait, ready to shoot), ``fire`` (having waited), ``hide`` (be hard
                to shoot at), ``rally`` (get models back), ``score`` (gain points at once), ``follow`` (go on after
                a fight).
        """

    def tables(self, state: State) -> Tables:
        """The moment in numbers for a coarse model of the game, in which every unit is one point."""


class PlainAppraiser:
    """What can be said of any game: models count one point each, and nothing is known about attacks or goals."""

    has_facing: bool = False
    every_turn: bool = False
    parting_verbs: tuple[str, ...] = ()
    idle_verbs: tuple[str, ...] = ()
    status_names: tuple[str, ...] = ()
    moment_names: tuple[str, ...] = ()

    def worth(self, state: State, unit: Unit) -> Points:
        """A point a model."""
        return float(len(unit.models))

    def losses(self, state: State, attacker: Unit, target: Unit) -> tuple[float, ...]:
        """No attack is known to do anything."""
        return (1.0,)

    def harm(self, state: State, attacker: Unit, target: Unit) -> Points:
        """No attack is known to do anything."""
        return 0.0

    def promise(self, state: State, attacker: Unit, target: Unit) -> Points:
        """A little, so that there is a reason to close in."""
        return min(self.worth(state, attacker), self.worth(state, target)) / 4

    def view(self, state: State, attacker: Unit, target: Unit) -> float:
        """All of them, once near."""
        gaps = [
            length(a.pose.x - b.pose.x, a.pose.y - b.pose.y) - attacker.radius - target.radius
            for a in attacker.models
            for b in target.models
        ]
        return 1.0 if gaps and min(gaps) <= self.range(state, attacker) else 0.0

    def stride(self, state: State, unit: Unit) -> Inches:
        """A tenth of the table."""
        return min(state.board.width, state.board.height) / 10

    def reach(self, state: State, unit: Unit) -> Inches:
        """A move and the range."""
        return self.stride(state, unit) + self.range(state, unit)

    def range(self, state: State, unit: Unit) -> Inches:
        """A quarter of the table."""
        return min(state.board.width, state.board.height) / 4

    def attacks(self, state: State, unit: Unit) -> tuple[Attack, ...]:
        """From where it stands, as far as its reach."""
        models, reach = tuple(model.id for model in unit.models), self.reach(state, unit)
        return (Attack(verb="attack", models=models, kind=None, carry=reach, needs_sight=False),) if models else ()

    def eye(self, state: State, unit: Unit, pose: Pose) -> Eye:
        """A flat base."""
        return Eye(x=pose.x, y=pose.y, foot=state.height_of(pose), stature=0.0, radius=unit.radius)

    def sees(
        self, state: State, unit: Unit, eyes: Sequence[Eye], targets: Sequence[Eye]
    ) -> tuple[tuple[bool, ...], ...]:
        """Past walls, as far as they are higher than the line."""
        return sight_lines(state.board, eyes, targets)

    def hope(self, state: State, unit: Unit, gap: Inches) -> float:
        """Less for each move until the enemy is within its reach."""
        return float(LATER ** (max(gap - self.reach(state, unit), 0.0) / max(self.stride(state, unit), 1.0)))

    def campaign(self, state: State, unit: Unit, foe: Unit, gap: Inches) -> tuple[Points, Points]:
        """As much again as now, as far as it can be hoped for."""
        promise = self.promise(state, unit, foe)
        return promise * self.view(state, unit, foe), promise * self.hope(state, unit, gap)

    def prize(self, state: State, unit: Unit) -> Points:
        """A point a model."""
        return self.worth(state, unit)

    def moment_key(self, state: State, side: str) -> object:
        """The round."""
        return state.round

    def later(self, state: State) -> float:
        """There are always enough to come."""
        return 1.0

    def is_ready(self, state: State, unit: Unit) -> bool:
        """Always."""
        return True

    def orders(self, state: State, side: str) -> int:
        """One for each unit."""
        return len(state.of(side))

    def goals(self, state: State, side: str) -> tuple[Goal, ...]:
        """None."""
        return ()

    def shelters(self, state: State, unit: Unit) -> tuple[Goal, ...]:
        """None."""
        return ()

    def standing(self, state: State, side: str) -> float:
        """Even."""
        return 0.0

    def outlook(self, state: State, side: str) -> float:
        """Nothing to come."""
        return 0.0

    def stakes(self, state: State) -> Points:
        """One for one."""
        return 1.0

    def rounds_left(self, state: State) -> int:
        """As good as for ever."""
        return 100

    def reply(self, state: State, choices: tuple[Choice, ...]) -> Action | None:
        """Nothing is known to be sensible."""
        return None

    def pieces(self, state: State, unit: Unit) -> int:
        """Nothing is asked."""
        return 1

    def status(self, state: State, unit: Unit) -> tuple[float, ...]:
        """Nothing is known."""
        return ()

    def moment(self, state: State, side: str) -> tuple[float, ...]:
        """Nothing is known."""
        return ()

    def answering(self, state: State) -> str:
        """Nothing is known."""
        return ""

    def means(self, state: State, unit: Unit, foe: Unit) -> Means:
        """All by fire, as far as anything is promised."""
        return Means(fire=self.promise(state, unit, foe), struck=0.0, suffered=0.0)

    def verbs_for(self, purpose: str) -> tuple[str, ...]:
        """None is known."""
        return ()

    def tables(self, state: State) -> Tables:
        """Where units stand; nothing is known about attacks."""
        return plain_tables(state)


_PLAIN = PlainAppraiser()


def appraiser_of(ruleset: Ruleset) -> Appraiser:
    """The appraiser that a ruleset binds, or the plain one."""
    found: Appraiser = getattr(ruleset, "appraiser", _PLAIN)
    return found
