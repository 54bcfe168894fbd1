"""The numbers of the scripted player: two styles, version 1.

**Frozen.** The styles are yardsticks: other policies are measured against them for years, so no number here is ever
edited. A better doctrine is a new record with a new version beside these, under a new name.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BOLD", "STEADY", "Style"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a scripted player judges; all shares are of points on the table."""

    name: str
    version: int
    sentence: str
    """What a player is told about it."""
    # ---- who is what
    fighter: float
    """Blows, less part of what is struck back, are worth this many times the fire of whoever is a fighter."""
    marksman: float
    """The same for those who shoot from afar: what is in the hand is worth more than what has to be run for."""
    long_range: float
    """Shooters carry at least this part of the table's shorter side; those with less have to come nearer."""
    fast: float
    """Whoever goes round moves at least so many times as far as the slowest unit."""
    cheap: float
    """A screen costs at most this part of the army's mean unit, model by model."""
    # ---- hand-to-hand
    least_reach: float
    """Least part of a charge's models that are expected to arrive."""
    struck_back: float
    """What own losses in hand-to-hand count."""
    barely: float
    """Least part of what is struck that counts for who has nowhere better to go, however much is struck back."""
    rounds: float
    """Rounds of hand-to-hand that a charge is counted for, against one salvo."""
    in_passing: float
    """What hand-to-hand to come counts for whoever is no fighter."""
    pinned: float
    """What the fire counts that a charged enemy does not get to shoot."""
    # ---- fire
    moving: float
    """What fire counts after a move, against fire from a stand."""
    unseen: float
    """What fire counts for which a place in sight has yet to be found."""
    heavy: float
    """The part of a unit whose loss in one attack may shake it."""
    shaken: float
    """Part of a unit's worth that shaking it counts."""
    finished: float
    """Part of a unit's worth that its loss counts on top."""
    # ---- places
    next_turn: float
    """What attacks of the next turn count."""
    fire_danger: float
    """What the enemy's fire at a place counts."""
    charge_danger: float
    """What the enemy's charges at a place count."""
    reckless: float
    """Part of these dangers that fighters on their way mind."""
    spare: float
    """Part of its charge that a unit wants to be nearer than the charge carries, as all of its models are to arrive."""
    drive: float
    """Part of its worth that a unit loses for each move that its prey is still out of reach: nobody dallies."""
    goals: float
    """What being at a goal counts, for each point that it scores."""
    errand: float
    """What progress on a unit's errand counts: round a flank, between friend and enemy."""
    leader: float
    """A lone fighter that is at most this part of its army is a leader, who stays with his men until he charges."""
    with_men: float
    """What a leader's way to his men counts."""
    # ---- biding
    watch: float
    """What fire from overwatch counts that may come, against fire now."""
    watch_fighters: float
    """The same where fighters come, who have to show themselves."""
    held: float
    """Part of what a watching unit's fire promises at best for which it gives its fire away."""
    guard: float
    """What protection counts for whoever has nothing better to do, against the danger that it stands in."""
    rally: float
    """Part of a unit's worth that an order to get models back is given for."""


STEADY = Style(
    name="doctrine-steady",
    version=1,
    sentence="Keeps its distance, shoots together at one target, and charges only what it clearly beats.",
    fighter=1.5,
    marksman=3.0,
    long_range=0.5,
    fast=1.2,
    cheap=0.7,
    least_reach=0.35,
    struck_back=0.7,
    barely=0.15,
    rounds=1.5,
    in_passing=0.3,
    pinned=0.4,
    moving=0.85,
    unseen=0.7,
    heavy=0.25,
    shaken=0.25,
    finished=0.35,
    next_turn=0.9,
    fire_danger=0.04,
    charge_danger=0.2,
    reckless=0.4,
    spare=0.3,
    drive=0.09,
    goals=0.5,
    errand=0.06,
    leader=0.23,
    with_men=0.5,
    watch=0.3,
    watch_fighters=0.6,
    held=0.35,
    guard=0.3,
    rally=0.12,
)
"""The careful yardstick."""

BOLD = Style(
    name="doctrine-bold",
    version=1,
    sentence="Goes forward whenever it can, charges on even odds, and minds the enemy's answer little.",
    fighter=0.9,
    marksman=2.5,
    long_range=0.6,
    fast=1.1,
    cheap=0.5,
    least_reach=0.25,
    struck_back=0.5,
    barely=0.25,
    rounds=1.6,
    in_passing=0.5,
    pinned=0.5,
    moving=0.9,
    unseen=0.8,
    heavy=0.25,
    shaken=0.25,
    finished=0.35,
    next_turn=0.9,
    fire_danger=0.03,
    charge_danger=0.12,
    reckless=0.3,
    spare=0.25,
    drive=0.09,
    goals=0.7,
    errand=0.04,
    leader=0.23,
    with_men=0.3,
    watch=0.25,
    watch_fighters=0.45,
    held=0.25,
    guard=0.15,
    rally=0.08,
)
"""The pushing yardstick."""
