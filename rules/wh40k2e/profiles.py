"""What a unit and a weapon are made of: the numbers of datasheets, and the names of special rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from tactician.rules.core.measure import Inches

__all__ = ["SPECIAL_RULES", "Damage", "Profile", "Weapon"]

SPECIAL_RULES = (
    "acute_senses",
    "commander",
    "fear",
    "frenzy",
    "hatred",
    "immune",
    "never_hides",
    "rapid_fire",
    "shaken",
    "strides_out",
    "stupidity",
    "targeter",
    "terror",
)
"""Names of the special rules that a profile can have.

``immune`` takes no psychology and no break tests; ``shaken`` breaks only at the second failure; ``strides_out`` walks
out of hand-to-hand freely; ``never_hides`` may not go into hiding.
"""


class Damage(NamedTuple):
    """Wounds that an unsaved hit takes: dice of so many sides and a number."""

    dice: int = 0
    sides: int = 6
    add: int = 1

    def __str__(self) -> str:
        """As printed: ``1``, ``D4``, ``2D6``."""
        thrown = f"{self.dice if self.dice > 1 else ''}D{self.sides}" if self.dice else ""
        return f"{thrown}{f'+{self.add}' if thrown and self.add else self.add or ''}" or "0"


ONE = Damage()


@dataclass(frozen=True, slots=True, kw_only=True)
class Weapon:
    """A weapon's numbers."""

    id: str
    short: Inches = 0.0
    """End of short range; 0 for weapons of hand-to-hand fighting, templates and grenades."""
    long: Inches = 0.0
    """End of long range."""
    hit_short: int = 0
    hit_long: int = 0
    strength: int = 0
    """0: the bearer's own."""
    damage: Damage = ONE
    save: int = 0
    """Added to the dice of a save: 0 or less."""
    sustained: int = 0
    """Dice of sustained fire for each hit."""
    blast: Inches = 0.0
    """Radius of the area that it strikes."""
    is_template: bool = False
    """Whether a flame template is laid instead of rolling to hit."""
    is_grenade: bool = False
    """Whether it is thrown: range by the thrower's strength."""
    move_or_fire: bool = False
    is_heavy: bool = False
    """Whether its bearer may take another target than the squad."""
    is_close: bool = False
    """Whether it counts as a close combat weapon (pistols do)."""
    parries: bool = False
    recharges: bool = False
    """Whether it rests a turn after firing."""
    is_bolt: bool = False
    """Whether it may fire twice under Rapid Fire."""
    points: float = 0.0
    """What it adds to the cost of its bearer."""

    @property
    def shoots(self) -> bool:
        """Whether it can be used in the Shooting Phase."""
        return self.long > 0.0 or self.is_template or self.is_grenade


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The datasheet of a unit: all its models have the same numbers."""

    id: str
    name: str
    kind: Literal["infantry", "character", "creature"] = "infantry"
    """``creature``: one large model, which counts as a monster."""
    move: Inches
    ws: int
    bs: int
    strength: int
    toughness: int
    wounds: int
    initiative: int
    attacks: int
    leadership: int
    save: int = 7
    """Least total of the save's dice; more than six for none (on one die)."""
    save_dice: int = 1
    save_blast: int = 0
    """Least total against blasts and templates where that differs; 0 where it does not."""
    weapons: tuple[str, ...] = ()
    """What every model carries that the unit does not arm otherwise."""
    rules: tuple[str, ...] = ()
    """Its special rules, of those named in `SPECIAL_RULES`."""
    cost: float = 0.0
    """Points of a model with its usual weapons."""
    number: int = 1
    """Models of a full unit."""
    radius: Inches = 0.5
    stature: Inches = 1.2
    """Height of a model, for sight, walls and Large targets."""

    def has(self, rule: str) -> bool:
        """Whether it has a special rule."""
        return rule in self.rules
