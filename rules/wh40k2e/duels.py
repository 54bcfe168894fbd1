"""Two models fighting, in numbers: attack dice, scores, strikes and their odds (clauses 2E-HH-02 to 2E-HH-11).

Readings of our own: a parry cancels the enemy's if both can; whoever hates throws all its attack dice again, once, in
the first turn of a fight, where it would not win as they lie; a model strikes with its strongest close combat weapon.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from tactician.rules.core import volley
from tactician.rules.core.clauses import Entry, Ledger
from tactician.rules.core.measure import TOL, Inches
from tactician.rules.core.shapes import contains
from tactician.rules.core.state import Model
from tactician.rules.wh40k2e.contact import barricades, is_between
from tactician.rules.wh40k2e.duel_odds import SIX, Dice, hit_odds
from tactician.rules.wh40k2e.profiles import Profile, Weapon
from tactician.rules.wh40k2e.psychology import fears, hates, is_frenzied
from tactician.rules.wh40k2e.state import Squad, SquadState
from tactician.rules.wh40k2e.wounding import NEVER, struck, wounds_left

__all__ = [
    "DuelOdds",
    "Fighter",
    "attack_dice",
    "blow_volley",
    "duel_odds",
    "fighter",
    "hits_of",
    "is_first_round",
    "parries_of",
    "score",
    "striking_weapon",
]

FISTS = Weapon(id="bare hands", is_close=True)
"""What a model strikes with that carries no close combat weapon."""


class Fighter(NamedTuple):
    """A model in hand-to-hand."""

    unit: Squad
    model: Model
    profile: Profile


def fighter(state: SquadState, name: str) -> Fighter:
    """A model on the table as a fighter.

    Raises:
        KeyError: no model of this id is on the table.
    """
    unit = state.owner(name)
    return Fighter(unit, unit.model(name), state.profile(unit))


def _arms(state: SquadState, one: Fighter) -> tuple[Weapon, ...]:
    names = dict(one.unit.gear).get(one.model.id, one.profile.weapons)
    return tuple(state.table.weapon(name) for name in names)


def _close(state: SquadState, one: Fighter) -> tuple[Weapon, ...]:
    return tuple(weapon for weapon in _arms(state, one) if weapon.is_close)


# ---- dice ------------------------------------------------------------------------------------------------------------


def attack_dice(state: SquadState, name: str, extra: int = 0) -> int:
    """How many attack dice a model throws.

    Clauses: 2E-HH-02 (a second weapon), 2E-HH-12 (one of several), 2E-PS-05 (frenzy doubles Attacks).

    Args:
        state: the moment.
        name: the model.
        extra: dice for being one of several.
    """
    one = fighter(state, name)
    attacks = one.profile.attacks
    if is_frenzied(state, one.unit) and state.holds("2E-PS-05"):
        attacks *= 2
    second = len(_close(state, one)) > 1 and state.holds("2E-HH-02")
    return attacks + second + extra


def parries_of(state: SquadState, name: str, foe: str) -> int:
    """How often a model may parry an enemy: once for each weapon that can, unless both can (2E-HH-09, 2E-PS-05)."""
    mine, theirs = _can_parry(state, fighter(state, name)), _can_parry(state, fighter(state, foe))
    return mine if state.holds("2E-HH-09") and not theirs else 0


def _can_parry(state: SquadState, one: Fighter) -> int:
    forgets = is_frenzied(state, one.unit) and state.holds("2E-PS-05")
    if forgets or one.unit.leaving:
        return 0
    return sum(weapon.parries for weapon in _arms(state, one))


def is_first_round(a: Fighter, b: Fighter) -> bool:
    """Whether a fight began in this turn: one of the two has charged."""
    return a.model.id in a.unit.charged or b.model.id in b.unit.charged


# ---- scores ----------------------------------------------------------------------------------------------------------


def score(
    state: SquadState,
    name: str,
    foe: str,
    dice: tuple[Dice, Dice],
    *,
    extra: int = 0,
    charges: bool | None = None,
) -> Ledger:
    """The Combat Score of a model against an enemy, with every reason (2E-HH-01).

    Args:
        state: the moment.
        name: the model.
        foe: the enemy model.
        dice: faces of the model's and of the enemy's attack dice.
        extra: points for being one of several.
        charges: whether to count it as having charged; None for what is true.
    """
    mine, theirs = dice
    one, other = fighter(state, name), fighter(state, foe)
    found = [Entry(value=max(mine, default=0), reason="best die", clause="2E-HH-01")]
    if state.holds("2E-HH-03") and theirs.count(1):
        found.append(Entry(value=theirs.count(1), reason="ones of the enemy", clause="2E-HH-03"))
    if state.holds("2E-HH-04") and mine.count(SIX) > 1:
        found.append(Entry(value=mine.count(SIX) - 1, reason="further sixes", clause="2E-HH-04"))
    found += _circumstances(state, one, other, charges)
    if extra:
        found.append(Entry(value=extra, reason="one of several", clause="2E-HH-12"))
    skill, why = _skill(state, one, other)
    return Ledger(name=f"score of {name}", base=skill, base_reason=why, entries=tuple(found))


def _skill(state: SquadState, one: Fighter, other: Fighter) -> tuple[int, str]:
    """Weapon Skill: none for who breaks off (2E-HH-14), half for who is cowed by its charger (2E-PS-01)."""
    skill = one.profile.ws
    if one.unit.leaving and state.holds("2E-HH-14"):
        return 0, "breaking off"
    cowed = one.unit.cowed and other.model.id in other.unit.charged and fears(state, one.unit, other.unit)
    if cowed and state.holds("2E-PS-01"):
        return (skill + 1) // 2, "half the Weapon Skill, cowed"
    return skill, "Weapon Skill"


def _circumstances(state: SquadState, one: Fighter, other: Fighter, charges: bool | None) -> Iterator[Entry]:
    """What counts besides skill and dice."""
    charged = _has_charged(state, one) if charges is None else charges
    if charged and state.holds("2E-HH-05"):
        yield Entry(value=1, reason="charged", clause="2E-HH-05")
    if _height(state, one.model) > _height(state, other.model) + TOL and state.holds("2E-HH-06"):
        yield Entry(value=1, reason="stands higher", clause="2E-HH-06")
    if charged and _is_behind(state, one, other) and state.holds("2E-HH-07"):
        yield Entry(value=-1, reason="charged across an obstacle", clause="2E-HH-07")
    if any(weapon.is_heavy for weapon in _arms(state, one)) and state.holds("2E-HH-08"):
        yield Entry(value=-1, reason="carries a heavy weapon", clause="2E-HH-08")


def _has_charged(state: SquadState, one: Fighter) -> bool:
    """Whether a model charged this turn; contact made by a compulsory move is no charge (2E-CM-05)."""
    driven = one.unit.went == "compelled" and any(name == one.model.id for name, _ in one.unit.charge)
    return one.model.id in one.unit.charged or (driven and not state.holds("2E-CM-05"))


def _height(state: SquadState, model: Model) -> Inches:
    rises = [
        float(rise)
        for piece in state.board.with_trait("rise")
        if isinstance(rise := piece.trait("rise"), int | float) and contains(piece.outline, *model.pose.point)
    ]
    return max(rises, default=0.0)


def _is_behind(state: SquadState, one: Fighter, other: Fighter) -> bool:
    """Whether an obstacle lies between two fighters."""
    return any(
        is_between(piece, one.model.pose, one.unit.radius, other.model.pose, other.unit.radius)
        for piece in barricades(state)
    )


def hits_of(state: SquadState, first: str, second: str, margin: int) -> int:
    """Hits that the difference of two scores comes to: the first model's where positive, else the second's.

    Clause: 2E-HH-10 (equal scores go by Initiative).
    """
    if not state.holds("2E-HH-10") or margin:
        return margin if state.holds("2E-HH-10") else 0
    quick = fighter(state, first).profile.initiative - fighter(state, second).profile.initiative
    return (quick > 0) - (quick < 0)


# ---- strikes ---------------------------------------------------------------------------------------------------------


def striking_weapon(state: SquadState, name: str) -> Weapon:
    """The weapon of a model's strikes with the strength and save modifier that they have (2E-HH-11)."""
    one = fighter(state, name)
    own = one.profile.strength
    if not state.holds("2E-HH-11"):
        return replace(FISTS, strength=own)
    best = max(_close(state, one), key=lambda weapon: (weapon.strength, -weapon.save, weapon.id), default=FISTS)
    strength = max(own, best.strength)
    return replace(best, strength=strength, save=min(best.save, -min(max(strength - 3, 0), SIX)))


def blow_volley(state: SquadState, striker: str, victim: str, hits: int) -> volley.Volley:
    """The dice for strikes that have hit: wounds, saves, damage, all on one model."""
    one, other = fighter(state, striker), fighter(state, victim)
    weapon = striking_weapon(state, striker)
    wound, save = struck(state, one.unit, weapon, other.unit)
    dice = other.profile.save_dice
    hurt = weapon.damage
    group = volley.Shots(
        name=weapon.id,
        count=hits,
        wound=wound if wound < NEVER else None,
        save=save if save <= SIX * dice else None,
        save_dice=dice,
        damage=volley.Damage(dice=hurt.dice, sides=hurt.sides, add=hurt.add),
    )
    why = f"blow: {striker} strikes {victim} with {weapon.id}"
    left = wounds_left(state, other.unit, victim)
    return volley.Volley(why=why, subject=one.unit.id, groups=(group,), models=(left,))


# ---- odds ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelOdds:
    """What a duel of two models comes to."""

    hits: tuple[tuple[int, float], ...]
    """Hits of the first model where positive, else of the second, each with its chance."""
    first_falls: float
    second_falls: float


def duel_odds(state: SquadState, first: str, second: str, *, charges: bool = False) -> DuelOdds:
    """The odds of a duel of two models, the first of them being of the side whose turn it is.

    A player who may parry is taken to do so where that makes his difference of hits greater on average.

    Args:
        state: the moment.
        first: the model whose side has the turn.
        second: the enemy model.
        charges: whether to count the first as having charged, though it has not.
    """
    a, b = fighter(state, first), fighter(state, second)
    counted = charges or _has_charged(state, a)
    nobody: tuple[Dice, Dice] = ((), ())
    lead = score(state, first, second, nobody, charges=counted).total - score(state, second, first, nobody).total
    fresh = charges or is_first_round(a, b)
    hits = hit_odds(
        round(lead),
        (attack_dice(state, first), attack_dice(state, second)),
        (parries_of(state, first, second), parries_of(state, second, first)),
        (fresh and hates(state, a.unit), fresh and hates(state, b.unit)),
        hits_of(state, first, second, 0),
        (state.holds("2E-HH-03"), state.holds("2E-HH-04"), state.holds("2E-HH-10")),
    )
    falls = [0.0, 0.0]
    for number, chance in hits:
        if number:
            striker, victim = (first, second) if number > 0 else (second, first)
            odds = blow_volley(state, striker, victim, abs(number)).support()
            dies = sum(share for fallen, share in odds if isinstance(fallen, tuple) and fallen[0])
            falls[1 if number > 0 else 0] += chance * dies
    return DuelOdds(hits=hits, first_falls=falls[0], second_falls=falls[1])
