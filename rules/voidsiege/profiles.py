"""Operational data: what a unit, a weapon and a command are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tactician.rules.core.measure import Inches

__all__ = ["SPECIAL_RULES", "Command", "Permits", "Profile", "Weapon"]

SPECIAL_RULES = ("horde", "drag")
"""Names of the special rules that a profile can have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weapon:
    """A weapon's numbers."""

    id: str
    range: Inches = 0.0
    """0 for weapons of hand-to-hand fighting."""
    rof: int = 1
    """Dice for each model."""
    force: int = 1

    @property
    def is_melee(self) -> bool:
        """Whether it is used within engagement distance only."""
        return self.range == 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A unit's OPDAT."""

    id: str
    name: str
    move: Inches
    target_lock: int
    resolve: int
    number: int
    """Models of a full unit."""
    cost: int
    """Threat points."""
    radius: Inches = 0.5
    stature: Inches = 1.5
    """Height of a model above its base, for lines of sight."""
    weapons: tuple[Weapon, ...] = ()
    rules: tuple[str, ...] = ()
    """Its special rules, of those named in `SPECIAL_RULES`."""

    @property
    def ranged(self) -> tuple[Weapon, ...]:
        """Weapons that shoot."""
        return tuple(weapon for weapon in self.weapons if not weapon.is_melee)

    @property
    def melee(self) -> tuple[Weapon, ...]:
        """Weapons of hand-to-hand fighting."""
        return tuple(weapon for weapon in self.weapons if weapon.is_melee)

    @property
    def reach(self) -> Inches:
        """The longest range of its weapons."""
        return max((weapon.range for weapon in self.ranged), default=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Permits:
    """What a command or effect explicitly allows against the general rules of movement."""

    split: bool = False
    """The unit may end in several pieces, which become units."""
    end_near: bool = False
    """Models may end near enemies."""
    pass_models: bool = False
    """Models may be passed through and over."""
    through_cover: bool = False
    """The ban on cover does not apply."""
    pay_descent: bool = False
    """Going down costs like going up."""


NO_PERMITS = Permits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command as data; the movement engine sees only what it grants."""

    id: str
    distance: Literal["none", "move", "run", "fixed"] = "none"
    """What its movement grants: the Move value, twice that, or `inches`."""
    inches: Inches = 0.0
    """The distance of a fixed effect."""
    like: str = ""
    """Another command whose movement distance this one uses."""
    distance_override: Inches | None = None
    """Explicit distance in place of what `distance` grants."""
    cover_ban: bool = False
    """Whether its movement may not enter or pass cover."""
    shoots: bool = False
    charges: bool = False
    """Whether a charge may be declared with it."""
    ordered: bool = True
    """Whether it can be given in a player's own activation."""
    answers: bool = True
    """Whether a targeted unit can answer with it."""
    aids: Literal["", "targeted", "charged"] = ""
    """For whom a unit nearby can answer with it: a friend that was targeted, or one that is charged."""
    gains_moving: tuple[str, ...] = ()
    """Restrictions gained when its movement did something."""
    gains_shooting: tuple[str, ...] = ()
    """Restrictions gained when its shooting did something."""
    gains: tuple[str, ...] = ()
    """Restrictions gained whenever it resolves."""
    permits: Permits = NO_PERMITS

    @property
    def moves(self) -> bool:
        """Whether it includes movement."""
        return self.distance != "none" or bool(self.like)

    @property
    def restricts(self) -> tuple[str, ...]:
        """Every restriction that it can give."""
        return tuple(sorted({*self.gains_moving, *self.gains_shooting, *self.gains}))
