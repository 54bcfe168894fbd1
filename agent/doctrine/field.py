"""The moment as the scripted player sees it: who can do what to whom, remembered by the units that it depends on."""

from __future__ import annotations

from dataclasses import dataclass, field

from tactician.agent.by_eye import Measure, measure_of
from tactician.agent.doctrine.roles import Errand, carries, charge_reach, errands, means_of
from tactician.agent.doctrine.style import Style
from tactician.agent.propose.spot import Spot
from tactician.rules.core.appraisal import Appraiser, Means, appraiser_of
from tactician.rules.core.choice import Choice
from tactician.rules.core.measure import Inches
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.shapes import length
from tactician.rules.core.state import State, Unit

__all__ = ["Field", "apart"]

CONTACT: Inches = 0.05
"""Gap up to which bases are taken to touch."""

MOST = 5
"""Enemies that are looked at about one place, the nearest first."""


def apart(unit: Unit, foe: Unit) -> Inches:
    """Least distance between two units' bases, on the level."""
    square = min((a.pose.x - b.pose.x) ** 2 + (a.pose.y - b.pose.y) ** 2 for a in unit.models for b in foe.models)
    return max(float(square**0.5) - unit.radius - foe.radius, 0.0)


@dataclass(slots=True)
class Field:
    """One decision of the scripted player."""

    ruleset: Ruleset
    state: State
    side: str
    style: Style
    choices: tuple[Choice, ...]
    appraiser: Appraiser = field(init=False)
    measure: Measure = field(init=False)
    found: dict[object, list[Spot]] = field(init=False, default_factory=dict)
    """Places that were looked for in this decision, by what they depend on."""
    _errands: dict[str, Errand] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Look about."""
        self.appraiser = appraiser_of(self.ruleset)
        self.measure = measure_of(self.ruleset, self.state)

    @property
    def foes(self) -> tuple[Unit, ...]:
        """Enemy units on the table."""
        return self.state.against(self.side)

    def errand(self, unit: Unit) -> Errand:
        """What a unit is for, and where it should be."""
        if self._errands is None:
            self._errands = errands(self.appraiser, self.state, self.side, self.style)
        return self._errands[unit.id]

    def means(self, unit: Unit, foe: Unit) -> Means:
        """What a unit can do to an enemy."""
        return means_of(self.appraiser, self.state, unit, foe)

    def net(self, unit: Unit, foe: Unit) -> float:
        """What a charge gains, rounds to come included, less what is struck back."""
        found = self.means(unit, foe)
        return self.style.rounds * (found.struck - self.style.struck_back * found.suffered)

    def gap(self, unit: Unit, foe: Unit) -> Inches:
        """How far a unit is from an enemy, as far as that may be known."""
        return self.measure.gap(apart(unit, foe), unit.id, foe.id)

    def near(self, unit: Unit) -> list[Unit]:
        """The enemies about a unit, the nearest first."""
        rows = sorted(((round(apart(unit, foe), 6), foe.id, foe) for foe in self.foes), key=lambda row: row[:2])
        return [foe for _, _, foe in rows[:MOST]]

    # ---- what a place is worth -----------------------------------------------------------------------------------

    def fire_from(self, unit: Unit, foe: Unit) -> float:
        """Points that a unit's fire destroys from where it stands, roughly."""
        fire = self.means(unit, foe).fire
        if fire <= 0.0 or apart(unit, foe) > self.appraiser.range(self.state, unit) + 1.0:
            return 0.0
        return min(fire, self.appraiser.promise(self.state, unit, foe)) * self.appraiser.view(self.state, unit, foe)

    def standing(self, unit: Unit, *, fires: float) -> float:
        """What it is worth that a unit stands where it does.

        Args:
            unit: the unit, as it would stand.
            fires: what its fire counts in this turn: 1 from a stand, less after a move, 0 where it may not shoot.
        """
        style, now, soon, danger = self.style, 0.0, 0.0, 0.0
        for foe in self.near(unit):
            shot = self.fire_from(unit, foe)
            now = max(now, fires * shot)
            soon = max(soon, self.prospect(unit, foe, shot))
            danger += self.danger(unit, foe)
        if self.errand(unit).role in ("assault", "flank"):
            danger *= style.reckless
        return now + style.next_turn * soon - danger + self.at_goals(unit) - self.dallying(unit)

    def prospect(self, unit: Unit, foe: Unit, shot: float) -> float:
        """What a unit can do to an enemy in a later turn, who is shot at from here by so much."""
        means, gap = self.means(unit, foe), self.gap(unit, foe)
        hope = self.appraiser.hope(self.state, unit, gap)
        found = max(shot, self.style.unseen * hope * means.fire)
        net = max(self.net(unit, foe), self.style.rounds * self.style.barely * means.struck)
        if self.errand(unit).role not in ("assault", "flank"):
            net *= self.style.in_passing
        if net <= found:
            return found
        spare = self.style.spare * self.charge_reach(unit)
        return max(found, self.appraiser.hope(self.state, unit, gap + spare) * net)

    def danger(self, unit: Unit, foe: Unit) -> float:
        """What an enemy may do to a unit where it stands, weighed."""
        means, gap = self.means(foe, unit), apart(unit, foe)
        found = 0.0
        if means.fire > 0.0 and gap <= self.appraiser.range(self.state, foe) + self.appraiser.stride(self.state, foe):
            found = self.style.fire_danger * means.fire * self.appraiser.view(self.state, foe, unit)
        if means.struck > means.suffered and gap <= self.charge_reach(foe):
            found = max(found, self.style.charge_danger * (means.struck - means.suffered))
        return found

    def carries(self, unit: Unit) -> Inches:
        """How far most of a unit's models shoot from a stand."""
        return carries(self.appraiser, self.state, unit)

    def charge_reach(self, unit: Unit) -> Inches:
        """How far a unit can run into somebody."""
        return charge_reach(self.appraiser, self.state, unit)

    def dallying(self, unit: Unit) -> float:
        """What is lost for being so far from the prey that neither fire nor a charge reaches it with ease."""
        errand = self.errand(unit)
        if not errand.prey or errand.is_leader or errand.role in ("hold", "screen"):
            return 0.0
        prey = self.state.unit(errand.prey)
        if not prey.models:
            return 0.0
        easy = (1.0 - self.style.spare) * (
            self.charge_reach(unit) if errand.role in ("assault", "flank") else self.carries(unit)
        )
        moves = max(self.gap(unit, prey) - easy, 0.0) / max(self.appraiser.stride(self.state, unit), 1.0)
        return self.style.drive * self.appraiser.worth(self.state, unit) * moves

    def blow_reach(self, unit: Unit) -> Inches:
        """How near an enemy must be when a charge is over."""
        rows = self.appraiser.attacks(self.state, unit)
        return max((one.carry for one in rows if one.kind is not None and not one.needs_sight), default=0.0) + CONTACT

    def at_goals(self, unit: Unit) -> float:
        """What being near its goal is worth."""
        goal = self.errand(unit).goal
        if goal is None:
            return 0.0
        away = min(length(m.pose.x - goal.x, m.pose.y - goal.y) for m in unit.models) - unit.radius - goal.radius
        stride = max(self.appraiser.stride(self.state, unit), 1.0)
        near = 1.0 / (1.0 + max(away, 0.0) / stride)
        return self.style.goals * self.appraiser.stakes(self.state) * goal.weight * near
