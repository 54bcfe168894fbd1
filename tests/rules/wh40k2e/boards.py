"""Small battles for tests: a bare table, squads in a row, weapons with plain numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, Handler, settle, without_top
from tactician.rules.core.chance import Outcome
from tactician.rules.core.legs import Pose
from tactician.rules.core.ruleset import OptionValue
from tactician.rules.core.shapes import Polygon
from tactician.rules.core.state import Model
from tactician.rules.core.terrain import Board, Feature, TraitValue
from tactician.rules.wh40k2e.blasts import ScatterHandler
from tactician.rules.wh40k2e.leadership import BrokenHandler, TestHandler
from tactician.rules.wh40k2e.options import OPTIONS
from tactician.rules.wh40k2e.profiles import Damage, Profile, Weapon
from tactician.rules.wh40k2e.shooting import ShootingHandler, VolleysHandler, open_fire
from tactician.rules.wh40k2e.state import Flight, Squad, SquadState, SquadTable

WEAPONS = (
    Weapon(id="boltgun", short=12, long=24, hit_short=1, strength=4, save=-1, is_bolt=True),
    Weapon(id="bolt pistol", short=8, long=16, hit_short=2, strength=4, save=-1, is_bolt=True, is_close=True),
    Weapon(id="storm bolter", short=12, long=24, hit_short=1, strength=4, save=-1, sustained=1, is_bolt=True),
    Weapon(id="lasgun", short=12, long=24, hit_short=1, strength=3, save=-1),
    Weapon(
        id="heavy bolter",
        short=20,
        long=40,
        strength=5,
        damage=Damage(dice=1, sides=4, add=0),
        save=-2,
        sustained=2,
        move_or_fire=True,
        is_heavy=True,
    ),
    Weapon(
        id="lascannon",
        short=20,
        long=60,
        strength=9,
        damage=Damage(dice=2, sides=6, add=0),
        save=-6,
        move_or_fire=True,
        is_heavy=True,
    ),
    Weapon(id="frag missile", short=20, long=72, strength=4, save=-1, blast=2, move_or_fire=True, is_heavy=True),
    Weapon(id="plasma gun", short=6, long=24, hit_short=1, strength=7, save=-2, sustained=1, recharges=True),
    Weapon(id="flamer", strength=4, save=-2, is_template=True),
    Weapon(id="frag grenade", strength=3, save=-1, blast=2, is_grenade=True),
    Weapon(id="krak grenade", hit_long=-1, strength=6, damage=Damage(dice=1, add=0), save=-3, is_grenade=True),
    Weapon(id="axe", is_close=True),
)

BASE = Profile(
    id="marine",
    name="Marines",
    move=4,
    ws=4,
    bs=4,
    strength=4,
    toughness=4,
    wounds=1,
    initiative=4,
    attacks=1,
    leadership=8,
    save=3,
    weapons=("boltgun",),
    cost=30,
)

PROFILES = (
    BASE,
    replace(BASE, id="rapid", name="Rapid Marines", rules=("rapid_fire",)),
    replace(BASE, id="guard", name="Guard", bs=3, strength=3, toughness=3, initiative=3, leadership=7, save=6),
    replace(BASE, id="ork", name="Orks", bs=3, strength=3, initiative=2, leadership=7, save=6, cost=12),
    replace(BASE, id="terminator", name="Terminators", save_dice=2, rules=("never_hides", "targeter"), cost=60),
    replace(BASE, id="hero", name="Hero", kind="character", wounds=3, bs=5, cost=100),
    replace(BASE, id="beast", name="Beast", kind="creature", wounds=6, toughness=6, stature=4.5, radius=1.0, cost=200),
    replace(BASE, id="scout", name="Scouts", rules=("acute_senses",)),
)


def wall(
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    *,
    top: float = float("inf"),
    blocks: bool = False,
    screens: bool = False,
    veil: float | None = None,
    name: str = "piece",
    **traits: TraitValue,
) -> Feature:
    """A rectangular piece."""
    outline = Polygon(((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
    return Feature(
        id=name,
        outline=outline,
        top=top,
        blocks=blocks,
        screens=screens,
        veil=veil,
        traits=tuple(sorted(traits.items())),
    )


def squad(
    name: str,
    profile: str,
    places: Sequence[tuple[float, float]],
    *weapons: str,
    bearing: float = 0.0,
    **status: object,
) -> Squad:
    """A squad with models at places, all with the same weapons; model 1 is ``E1.1``."""
    kind = next(one for one in PROFILES if one.id == profile)
    models = tuple(Model(id=f"{name}.{n}", pose=Pose(x, y, bearing=bearing)) for n, (x, y) in enumerate(places, 1))
    carried = weapons or kind.weapons
    unit = Squad(
        id=name,
        side="red" if name.startswith("R") else "blue",
        name=kind.name,
        profile=profile,
        radius=kind.radius,
        models=models,
        gear=tuple((model.id, tuple(carried)) for model in models),
        mustered=len(models),
        at_turn=len(models),
    )
    return replace(unit, **status)  # type: ignore[arg-type]


def armed(unit: Squad, **weapons: str) -> Squad:
    """A squad in which some models, named by their number as ``_1``, carry other weapons (comma separated)."""
    own = {f"{unit.id}.{key[1:]}": tuple(text.split(",")) for key, text in weapons.items()}
    return replace(unit, gear=tuple((name, own.get(name, carried)) for name, carried in unit.gear))


def battle(
    *units: Squad, pieces: Sequence[Feature] = (), off: Sequence[str] = (), **options: OptionValue
) -> SquadState:
    """A moment with these units on a table of 72 by 48 inches."""
    chosen = {option.name: option.default for option in OPTIONS} | options
    table = SquadTable(
        board=Board(width=72, height=48, features=tuple(pieces)),
        switched_off=frozenset(off),
        profiles=tuple((profile.id, profile) for profile in PROFILES),
        weapons=tuple((weapon.id, weapon) for weapon in WEAPONS),
        options=tuple(sorted(chosen.items())),
    )
    ordered = tuple(sorted(units, key=lambda unit: (unit.side != "red", unit.id)))
    return SquadState(table=table, units=ordered, first="red")


def row(count: int, x: float, y: float, step: float = 1.5) -> list[tuple[float, float]]:
    """Places side by side."""
    return [(x + step * n, y) for n in range(count)]


class Stays(Handler[SquadState, Flight]):
    """Stands in for flights, so that tests of shooting end where shooting does."""

    def step(self, state: SquadState, frame: Flight) -> SquadState:
        return without_top(state)


HANDLERS: dict[str, Handler] = {  # type: ignore[type-arg]
    "shooting": ShootingHandler(),
    "volleys": VolleysHandler(),
    "scatter": ScatterHandler(),
    "test": TestHandler(),
    "broken": BrokenHandler(),
    "flight": Stays(),
}


def fire(state: SquadState, unit: str, *orders: tuple[str, str], on_overwatch: bool = False) -> SquadState:
    """A unit's fire up to its first dice."""
    action = Action(verb="shoot", unit=unit, targets=tuple(orders))
    return settled(open_fire(state, action, on_overwatch=on_overwatch))


def settled(state: SquadState) -> SquadState:
    """Everything that happens by itself."""
    after = settle(state, HANDLERS)
    assert isinstance(after, SquadState)
    return after


def asked(state: SquadState) -> Any:
    """The question to the dice."""
    frame = state.agenda[-1]
    handler = HANDLERS[frame.kind]
    assert handler.mover(state, frame) == CHANCE
    return handler.roll(state, frame)


def thrown(state: SquadState, *faces: int) -> SquadState:
    """The moment after dice of a person."""
    return answered(state, asked(state).read(faces))


def answered(state: SquadState, outcome: Outcome) -> SquadState:
    """The moment after an outcome of the dice."""
    frame = state.agenda[-1]
    return settled(HANDLERS[frame.kind].land(state, frame, outcome))
