"""Small battles built by hand for tests of hand-to-hand, Leadership and flight."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tactician.rules.core.agenda import Frame, Handler, settle
from tactician.rules.core.chance import Outcome, Roll
from tactician.rules.core.derive import but
from tactician.rules.core.legs import Pose
from tactician.rules.core.shapes import Polygon
from tactician.rules.core.state import Model
from tactician.rules.core.terrain import Board, Feature
from tactician.rules.wh40k2e.combat import BlowHandler, CombatHandler
from tactician.rules.wh40k2e.flight import FlightHandler
from tactician.rules.wh40k2e.follow import FollowHandler
from tactician.rules.wh40k2e.leadership import BrokenHandler, TestHandler
from tactician.rules.wh40k2e.moving import MovingHandler
from tactician.rules.wh40k2e.options import OPTIONS
from tactician.rules.wh40k2e.profiles import Profile, Weapon
from tactician.rules.wh40k2e.rally import BonusHandler
from tactician.rules.wh40k2e.state import Squad, SquadState, SquadTable, Turn

WEAPONS = (
    Weapon(id="axe", is_close=True),
    Weapon(id="bolt pistol", short=8, long=16, strength=4, save=-1, is_close=True),
    Weapon(id="boltgun", short=12, long=24, strength=4, save=-1),
    Weapon(id="chainsword", strength=4, save=-1, is_close=True, parries=True),
    Weapon(id="heavy bolter", short=20, long=40, strength=5, save=-2, is_heavy=True),
    Weapon(id="power fist", strength=8, save=-5, is_close=True),
    Weapon(id="sword", is_close=True, parries=True),
)

MARINE = Profile(
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
    weapons=("bolt pistol",),
    rules=("shaken",),
)
ORK = Profile(
    id="ork",
    name="Boys",
    move=4,
    ws=3,
    bs=3,
    strength=3,
    toughness=4,
    wounds=1,
    initiative=2,
    attacks=1,
    leadership=7,
    save=6,
    weapons=("bolt pistol", "axe"),
)
GUARD = replace(ORK, id="guard", name="Guardsmen", initiative=3, toughness=3, weapons=("boltgun",))
HERO = replace(
    MARINE, id="hero", name="Hero", kind="character", wounds=3, attacks=3, leadership=10, rules=("commander",)
)
PROFILES = (GUARD, HERO, MARINE, ORK)

Place = tuple[float, float]


def squad(name: str, side: str, profile: str, *places: Place, bearing: float = 0.0, **status: Any) -> Squad:
    """A squad with its models at places, armed as usual unless `arms` says otherwise."""
    ids = tuple(f"{name}{number}" for number in range(1, len(places) + 1))
    known = {one.id: one for one in PROFILES}
    weapons = known[profile].weapons if profile in known else ()
    unit = Squad(
        id=name,
        side=side,
        name=f"Unit {name}",
        profile=profile,
        radius=0.5,
        models=tuple(Model(id=one, pose=Pose(*at, "ground", bearing)) for one, at in zip(ids, places, strict=True)),
        gear=tuple((one, status.get("arms", weapons)) for one in ids),
        mustered=len(ids),
        at_turn=len(ids),
    )
    status.pop("arms", None)
    return but(unit, **status) if status else unit


def piece(name: str, box: tuple[float, float, float, float], top: float = float("inf"), **traits: Any) -> Feature:
    """A rectangular piece of terrain."""
    x0, y0, x1, y1 = box
    outline = Polygon(((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
    blocks = bool(traits.pop("blocks", False))
    return Feature(id=name, outline=outline, top=top, blocks=blocks, traits=tuple(sorted(traits.items())))


def battle(
    *units: Squad,
    features: tuple[Feature, ...] = (),
    owner: str = "red",
    phase: Any = "combat",
    off: tuple[str, ...] = (),
    rules: dict[str, tuple[str, ...]] | None = None,
    frames: tuple[Frame, ...] = (),
    **turn: Any,
) -> SquadState:
    """A battle in a player's turn.

    Args:
        units: the squads.
        features: of the table, which is 48 by 48 inches.
        owner: whose turn it is.
        phase: of that turn.
        off: clauses that are switched off.
        rules: special rules of profiles, in the place of their own.
        frames: what else is going on.
        turn: further fields of the turn's frame.
    """
    given = rules or {}
    profiles = tuple((one.id, replace(one, rules=given.get(one.id, one.rules))) for one in PROFILES)
    table = SquadTable(
        board=Board(width=48, height=48, features=features),
        switched_off=frozenset(off),
        profiles=profiles,
        weapons=tuple((one.id, one) for one in WEAPONS),
        options=tuple((option.name, option.default) for option in OPTIONS),
    )
    ranked = tuple(sorted(units, key=lambda unit: (unit.side != "red", unit.id)))
    return SquadState(table=table, units=ranked, agenda=(Turn(owner=owner, phase=phase, **turn), *frames), first="red")


class Rest(Handler[SquadState, Turn]):
    """A turn that goes on with nothing by itself."""


HANDLERS: dict[str, Handler[Any, Any]] = {
    "turn": Rest(),
    "test": TestHandler(),
    "broken": BrokenHandler(),
    "flight": FlightHandler(),
    "bonus": BonusHandler(),
    "combat": CombatHandler(),
    "blow": BlowHandler(),
    "follow": FollowHandler(),
    "moving": MovingHandler(),
}


def settled(state: SquadState) -> SquadState:
    """The state as soon as somebody must decide or dice must fall."""
    found = settle(state, HANDLERS)
    assert isinstance(found, SquadState)
    return found


def top(state: SquadState) -> str:
    """What is going on: the kind of the innermost frame."""
    return state.agenda[-1].kind


def mover(state: SquadState) -> str:
    """Who decides."""
    return HANDLERS[top(state)].mover(state, state.agenda[-1])


def roll_of(state: SquadState) -> Roll:
    """What the dice are asked."""
    assert mover(state) == "chance"
    return HANDLERS[top(state)].roll(state, state.agenda[-1])


def throw(state: SquadState, *faces: int) -> SquadState:
    """The state after dice that show these faces."""
    return land(state, roll_of(state).read(faces))


def land(state: SquadState, outcome: Outcome) -> SquadState:
    """The state after an outcome of the dice."""
    frame = state.agenda[-1]
    found = HANDLERS[frame.kind].land(state, frame, outcome)
    assert isinstance(found, SquadState)
    return settled(found)


def order(state: SquadState, verb: str, unit: str = "", **fields: Any) -> SquadState:
    """The state after a decision that has been checked."""
    frame = state.agenda[-1]
    handler = HANDLERS[frame.kind]
    choice = handler.choice_for(state, frame, verb, unit)
    assert choice is not None, verb
    action = replace(choice.bare(), **fields)
    assert handler.explain(state, frame, choice, action) == ()
    found = handler.take(state, frame, action)
    assert isinstance(found, SquadState)
    return settled(found)
