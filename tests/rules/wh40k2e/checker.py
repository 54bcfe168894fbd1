"""What must hold at every moment of every battle, whoever plays: asked of each step of random games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.chance import Outcome
from tactician.rules.core.coherency import pieces
from tactician.rules.core.legs import Straight
from tactician.rules.core.measure import TOL
from tactician.rules.core.notation import action_to_text
from tactician.rules.core.shapes import contains, length, polygon_distance
from tactician.rules.wh40k2e import RULESET
from tactician.rules.wh40k2e.contact import touching
from tactician.rules.wh40k2e.ground import going_for
from tactician.rules.wh40k2e.state import Moving, Squad, SquadState, Targeting, Turn
from tactician.rules.wh40k2e.wounding import is_area

HAIR = 2 * TOL
"""Ends of ways are rounded to a grid: two of them may be this much nearer than they should."""

ORDER = (
    "start",
    "opening",
    "compulsory",
    "chargers",
    "normal",
    "hiding",
    "shooting",
    "combat",
    "follow",
    "rally",
    "over",
)


@dataclass(frozen=True, slots=True)
class Ply:
    """One step of a game."""

    before: SquadState
    what: Action | Outcome
    after: SquadState


LIKELY = {"charge": 5.0, "pass": 0.3, "stop": 0.3, "overwatch": 0.1, "turn": 0.2, "break_off": 0.3}
"""How often an order is given, where others are once: battles in which everybody waits show little."""

SAMPLES = 3
"""So many ways are thought of, and the one taken that leads nearest to the enemy: contact shows most."""


def played(state: SquadState, rng: random.Random, most: int = 5_000) -> Iterator[Ply]:
    """A game in which everybody does anything legal, rather forward than not; every order is checked."""
    for _ in range(most):
        mover = RULESET.to_move(state)
        if mover == TERMINAL:
            return
        what: Action | Outcome
        if mover == CHANCE:
            what = RULESET.pending(state).sample(rng)
            after = RULESET.resolve(state, what)
        else:
            what = _order(state, rng)
            faults = RULESET.check(state, what)
            assert not faults, f"{action_to_text(what)}: {'; '.join(map(str, faults))}"
            after = RULESET.apply(state, what)
        assert isinstance(after, SquadState)
        yield Ply(state, what, after)
        state = after
    raise AssertionError(f"the game goes on after {most} plies")


def _order(state: SquadState, rng: random.Random) -> Action:
    choices = RULESET.choices(state)
    (chosen,) = rng.choices(choices, [LIKELY.get(choice.verb, 1.0) for choice in choices])
    if chosen.verb not in ("move", "run", "follow"):
        return chosen.sample(state, rng.random)
    ways = [chosen.sample(state, rng.random) for _ in range(SAMPLES)]
    return min(ways, key=lambda way: _ahead(state, way))


def _ahead(state: SquadState, order: Action) -> float:
    """How far from the enemies the ways of an order end, in all."""
    foes = [model.pose.point for foe in state.against(state.unit(order.unit).side) for model in foe.models]
    ends = [path[-1].to for _, path in order.paths if path and isinstance(path[-1], Straight)]
    return sum(min(length(x - u, y - v) for u, v in foes) for x, y in ends) / len(ends) if foes and ends else 99.0


def faults_of(ply: Ply) -> list[str]:
    """Everything that a step has made wrong."""
    kinds = (way_faults, watch_faults, fire_faults, fight_faults, obedience_faults, order_faults)
    return [*standing_faults(ply.after), *book_faults(ply.after), *(fault for kind in kinds for fault in kind(ply))]


# ---- where everybody stands ------------------------------------------------------------------------------------------


def standing_faults(state: SquadState) -> Iterator[str]:
    """Bases that overlap, leave the table, stand in something solid or half across an obstacle."""
    stand = [(model, unit.radius) for unit in state.units for model in unit.models]
    board = state.board
    for number, (one, radius) in enumerate(stand):
        x, y = one.pose.point
        if min(x, y, board.width - x, board.height - y) < radius - HAIR:
            yield f"{one.id} leaves the table at {x:g},{y:g}"
        for other, wide in stand[number + 1 :]:
            gap = length(x - other.pose.x, y - other.pose.y) - radius - wide
            if gap < -HAIR:
                yield f"{one.id} and {other.id} overlap by {-gap:.5f}"
    for unit in state.units:
        yield from _ground_faults(state, unit)


def _ground_faults(state: SquadState, unit: Squad) -> Iterator[str]:
    """Models in something solid; models at rest in the middle of an obstacle."""
    way = next((frame for frame in state.agenda if isinstance(frame, Moving)), None)
    ground = going_for(state, unit, state.profile(unit).move)
    walls = [piece.outline for piece in state.board.features if piece.blocks]
    fees = [] if ground is None or (way is not None and way.unit == unit.id) else [fee.outline for fee in ground.fees]
    for model in unit.models:
        for outline in (*walls, *fees):
            x, y = model.pose.point
            inside = contains(outline, x, y) and not unit.fled
            if inside or polygon_distance(outline, x, y) < unit.radius - HAIR:
                yield f"{model.id} stands half in something at {x:g},{y:g}"


def book_faults(state: SquadState) -> Iterator[str]:
    """Models that are nowhere or in two places, status that contradicts itself."""
    for unit in state.units:
        standing = {model.id for model in unit.models}
        everybody = [*standing, *unit.lost, *unit.reserve]
        if len(everybody) != unit.mustered or len(set(everybody)) != unit.mustered:
            yield f"{unit.id} has {len(everybody)} models of {unit.mustered}"
        for name, lost in unit.hurt:
            if name not in standing or not 0 < lost < state.profile(unit).wounds:
                yield f"{name} has lost {lost} wounds"
        if unit.breaks > 1:
            yield f"{unit.id} has taken {unit.breaks} break tests in one turn"
        if unit.broken and (unit.overwatch or unit.charge or unit.shaken):
            yield f"{unit.id} is broken and still up to something"
        if unit.overwatch and (unit.charge or unit.went):
            yield f"{unit.id} is on overwatch and has moved or charged"
        if unit.spotters and not unit.hidden:
            yield f"{unit.id} is spotted and not hidden"


# ---- what a step may change ------------------------------------------------------------------------------------------


def _gait(ply: Ply, unit: str) -> str:
    """How a unit moves in a step; empty where it does not move of its own accord."""
    for state in (ply.before, ply.after):
        for frame in state.agenda:
            if isinstance(frame, Moving) and frame.unit == unit:
                return frame.gait
    if isinstance(ply.what, Action) and ply.what.unit == unit and ply.what.verb in ("move", "run"):
        return "walk" if ply.what.verb == "move" else "run"
    return ""


def way_faults(ply: Ply) -> Iterator[str]:
    """Who walked or ran too near to an enemy, too far, or out of coherency."""
    for unit in ply.after.units:
        was = ply.before.unit(unit.id)
        poses = {model.id: model.pose for model in was.models}
        moved = [m.id for m in unit.models if m.id in poses and poses[m.id].point != m.pose.point]
        gait = _gait(ply, unit.id)
        if not moved or gait not in ("walk", "run"):
            continue
        if was.broken:
            yield f"{unit.id} is broken and walks"
        most = ply.after.profile(unit).move * (2 if gait == "run" else 1)
        walked = dict(unit.walked)
        yield from (f"{name} goes {walked[name]:.4f}" for name in moved if walked.get(name, 0.0) > most + HAIR)
        for name in moved:
            near, now = _least_gap(ply.before, was, name), _least_gap(ply.after, unit, name)
            if now < min(near, 1.0) - HAIR:
                yield f"{name} comes within {now:.4f} of an enemy"
        rests = not any(isinstance(frame, Moving) and frame.unit == unit.id for frame in ply.after.agenda)
        whole = len(was.models) == len(unit.models)
        if rests and whole and _parts(ply.after, unit) > max(_parts(ply.before, was), 1):
            yield f"{unit.id} walks out of coherency"


def _least_gap(state: SquadState, unit: Squad, name: str) -> float:
    x, y = unit.model(name).pose.point
    return min(
        (
            length(x - foe.pose.x, y - foe.pose.y) - unit.radius - other.radius
            for other in state.against(unit.side)
            for foe in other.models
        ),
        default=float("inf"),
    )


def _parts(state: SquadState, unit: Squad) -> int:
    reach = 2 * unit.radius + state.table.inches("coherency") + HAIR
    return len(pieces([(model.pose.x, model.pose.y, 0.0) for model in unit.models], reach))


def watch_faults(ply: Ply) -> Iterator[str]:
    """Whoever is on overwatch and has moved or turned."""
    for unit in ply.after.units:
        was = ply.before.unit(unit.id)
        if was.overwatch and unit.overwatch:
            poses = {model.id: model.pose for model in was.models}
            turned = [m.id for m in unit.models if m.id in poses and poses[m.id] != m.pose]
            yield from (f"{name} is on overwatch and moves" for name in turned)


def fire_faults(ply: Ply) -> Iterator[str]:
    """Orders to shoot that nobody may give: at the hidden, twice a turn, by who fights, ran, charged or has broken."""
    if not isinstance(ply.what, Action) or ply.what.verb != "shoot":
        return
    state, order = ply.before, ply.what
    unit = state.unit(order.unit)
    watches = isinstance(state.agenda[-1], Targeting)
    if unit.broken or (unit.fired and not watches) or unit.overwatch != watches:
        yield f"{unit.id} shoots though broken, twice, or out of turn"
    if not watches and (unit.charge or unit.went in ("ran", "charged", "compelled")):
        yield f"{unit.id} shoots after {unit.went or 'declaring a charge'}"
    fights = RULESET.fact(state, f"units.{unit.id}.engaged")
    if fights and any(RULESET.fact(state, f"models.{name}.engaged") for name, _ in order.targets):
        yield f"{unit.id} shoots while fighting"
    for name, aim in order.targets:
        target, _, weapon = aim.partition(":")
        foe = state.unit(target)
        if foe.hidden and not foe.spotters:
            yield f"{name} shoots at {target}, which is hidden"
        if foe.hidden and unit.id not in foe.spotters and weapon and not is_area(state.table.weapon(weapon)):
            yield f"{name} shoots at {target}, which only others have spotted"


ORDERS = ("charge", "overwatch", "assault", "move", "run", "turn", "hide", "shoot", "break_off")
"""What a broken unit is never told."""


def obedience_faults(ply: Ply) -> Iterator[str]:
    """Orders to units that obey none."""
    if isinstance(ply.what, Action) and ply.what.verb in ORDERS and ply.before.unit(ply.what.unit).broken:
        yield f"{ply.what.unit} is broken and is told to {ply.what.verb}"


def fight_faults(ply: Ply) -> Iterator[str]:
    """Pairs in contact that have not fought when the Hand-to-Hand Phase is over."""
    was, now = turn_of(ply.before), turn_of(ply.after)
    if was is None or was.phase != "combat" or (now is not None and (now.owner, now.phase) == (was.owner, was.phase)):
        return
    before, after = touching(ply.before), touching(ply.after)
    mine = [model.id for unit in ply.before.of(was.owner) for model in unit.models]
    for name in mine:
        for foe in before.get(name, ()):
            if foe in after.get(name, ()) and (name, foe) not in was.fought:
                yield f"{name} and {foe} have not fought"


def turn_of(state: SquadState) -> Turn | None:
    """Whose turn it is, and how far it is."""
    return next((frame for frame in state.agenda if isinstance(frame, Turn)), None)


def order_faults(ply: Ply) -> Iterator[str]:
    """Phases that come in another order than theirs."""
    was, now = turn_of(ply.before), turn_of(ply.after)
    if was is None or now is None or not was.owner:
        return
    same = was.owner == now.owner
    if same and ORDER.index(now.phase) < ORDER.index(was.phase):
        yield f"from {was.phase} back to {now.phase}"
    if ply.after.round < ply.before.round or ply.after.round > ply.after.table.turns:
        yield f"from round {ply.before.round} to round {ply.after.round}"
