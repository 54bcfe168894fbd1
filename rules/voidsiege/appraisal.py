"""What things are worth, for whoever has to choose: threat points, expected losses by the rules' own odds, objectives.

Everything is asked of the chapters that decide it; the answers are remembered by the units they depend on, which are
values and never change.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from tactician.rules.core.action import Action, pairs
from tactician.rules.core.appraisal import Goal
from tactician.rules.core.choice import Choice, Declare
from tactician.rules.core.measure import Inches, within
from tactician.rules.core.movement import disorder_of
from tactician.rules.core.remember import Remembered
from tactician.rules.core.sight import can_see
from tactician.rules.core.state import Model, State, Unit, gap, other_side
from tactician.rules.voidsiege.allowance import allowance
from tactician.rules.voidsiege.commands import eligible, reach_of
from tactician.rules.voidsiege.cover import cover_of
from tactician.rules.voidsiege.damage import DamageHandler, is_grievous
from tactician.rules.voidsiege.engagement import ENGAGED, model_gap
from tactician.rules.voidsiege.missions import HOLD, end_turn, objectives
from tactician.rules.voidsiege.movement import coherency_rule
from tactician.rules.voidsiege.profiles import Weapon
from tactician.rules.voidsiege.shooting import VolleyHandler, eye_of, melee_dice, shooting_dice
from tactician.rules.voidsiege.state import DamageRoll, Exchange, Fire, VoidState, VoidTable, VoidUnit, Volley

__all__ = ["VoidAppraiser"]

LOOK = 2
"""Models of each side that a rough look compares."""

WORTH_A_POINT = 0.2
"""Threat points that a command point is spent for when answering."""

SHARE_OF_ARMY = 0.3
"""What a victory point counts, as a part of the dearer army's cost where objectives decide the game."""


class VoidAppraiser:
    """The worth of things in VoidSiege."""

    def worth(self, state: State, unit: Unit) -> float:
        """Threat points of the models on the table, each its share of the unit's cost."""
        profile = _void(state).profile(unit)
        return profile.cost * len(unit.models) / profile.number

    def losses(self, state: State, attacker: Unit, target: Unit) -> tuple[float, ...]:
        """By shooting, or in melee where no weapon shoots: exact, if nobody answers and no cover is given up."""
        return _losses(_void(state), _unit(attacker), _unit(target))

    def harm(self, state: State, attacker: Unit, target: Unit) -> float:
        """Threat points that the attack destroys on average."""
        mean = sum(count * chance for count, chance in enumerate(self.losses(state, attacker, target)))
        profile = _void(state).profile(target)
        return mean * profile.cost / profile.number

    def promise(self, state: State, attacker: Unit, target: Unit) -> float:
        """Threat points that the best of its weapons would destroy if every model could use them."""
        return _promise(_void(state), _unit(attacker), _unit(target))

    def view(self, state: State, attacker: Unit, target: Unit) -> float:
        """Share of a few of its models that have a few of the target's in range and sight, or in reach of blows."""
        return _view(_void(state), _unit(attacker), _unit(target))

    def stride(self, state: State, unit: Unit) -> Inches:
        """What Move grants."""
        moment, mine = _void(state), _unit(unit)
        command = moment.table.command("move")
        return _STRIDES.get((moment.table, mine), None, lambda: allowance(moment, mine, command).total)

    def reach(self, state: State, unit: Unit) -> Inches:
        """The farthest shot of any command, or the longest charge."""
        mine = _unit(unit)
        return _REACHES.get((_void(state).table, mine), None, lambda: _reach(_void(state), mine))

    def range(self, state: State, unit: Unit) -> Inches:
        """The longest range of its weapons; engagement distance where none shoots."""
        return max(_void(state).profile(unit).reach, ENGAGED)

    def is_ready(self, state: State, unit: Unit) -> bool:
        """Whether it may still shoot this turn, or where it cannot, whether it may still charge at a run."""
        moment = _void(state)
        mine = _unit(unit)
        name = "shoot" if moment.profile(mine).ranged else "assault"
        return not eligible(moment, mine, moment.table.command(name))

    def orders(self, state: State, side: str) -> int:
        """Command points left."""
        return _void(state).points_of(side)

    def goals(self, state: State, side: str) -> tuple[Goal, ...]:
        """Every objective; for the attacker of a wall the one that is nearest, as any of them will do."""
        moment = _void(state)
        found = tuple(
            Goal(x=x, y=y, radius=HOLD, name=f"objective {number}")
            for number, (x, y) in enumerate(objectives(moment), start=1)
        )
        if moment.table.mission != "the-wall" or side == moment.defender or not found:
            return found
        return (min(found, key=lambda goal: (_away(moment, side, goal), goal.name)),)

    def shelters(self, state: State, unit: Unit) -> tuple[Goal, ...]:
        """Middles of the pieces that give cover."""
        return _shelters(_void(state).table)

    def standing(self, state: State, side: str) -> float:
        """The lead in victory points where objectives score; where only losses do, `worth` counts them."""
        moment = _void(state)
        return float(moment.score_of(side) - moment.score_of(other_side(side))) if objectives(moment) else 0.0

    def outlook(self, state: State, side: str) -> float:
        """What the end of this turn would score as the units stand (from the turn on in which anything scores)."""
        moment = _void(state)
        if not objectives(moment) or moment.ended:
            return 0.0
        after = end_turn(replace(moment, round=max(moment.round, 2)))
        return float(after.score_of(side) - after.score_of(other_side(side))) - self.standing(state, side)

    def stakes(self, state: State) -> float:
        """A part of the dearer army as it was mustered."""
        return _stakes(_void(state).table, tuple((unit.side, unit.profile) for unit in _void(state).units))

    def rounds_left(self, state: State) -> int:
        """This turn and those to come."""
        moment = _void(state)
        return max(moment.table.turns - moment.round + 1, 0)

    def reply(self, state: State, choices: tuple[Choice, ...]) -> Action | None:
        """The shots that destroy most, by return or by Snap Fire, if they are worth a command point."""
        moment = _void(state)
        best, found = WORTH_A_POINT, None
        for choice in choices:
            command = dict(moment.table.commands).get(choice.verb)
            domain = choice.domain
            if command is None or not command.shoots or command.moves or not isinstance(domain, Declare):
                continue
            for option in domain.options:
                snap = choice.verb == "snap_fire"
                harm = self._returned(moment, moment.unit(choice.unit), moment.unit(dict(option)["shoot"]), snap)
                if harm > best + 1e-9:
                    best, found = harm, replace(choice.bare(), targets=option)
        return found

    def _returned(self, state: VoidState, unit: VoidUnit, target: VoidUnit, snap: bool) -> float:
        odds = _find_losses(state, unit, target, snap=True) if snap else _losses(state, unit, target)
        profile = state.profile(target)
        return sum(count * chance for count, chance in enumerate(odds)) * profile.cost / profile.number

    def pieces(self, state: State, unit: Unit) -> int:
        """In how many pieces the links of its models leave it."""
        moment = _void(state)
        return disorder_of(moment, unit, coherency_rule(moment)) if unit.models else 1


# ---- reading the moment ----------------------------------------------------------------------------------------------


def _void(state: State) -> VoidState:
    assert isinstance(state, VoidState)
    return state


def _unit(unit: Unit) -> VoidUnit:
    assert isinstance(unit, VoidUnit)
    return unit


def _away(state: VoidState, side: str, goal: Goal) -> Inches:
    """Least distance of a side's models from a goal."""
    gaps = [abs(m.pose.x - goal.x) + abs(m.pose.y - goal.y) for unit in state.of(side) for m in unit.models]
    return round(min(gaps, default=0.0), 3)


@lru_cache(maxsize=64)
def _shelters(table: VoidTable) -> tuple[Goal, ...]:
    found = []
    for piece in table.board.with_trait("cover"):
        points = piece.outline.points
        x, y = sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)
        found.append(Goal(x=x, y=y, radius=0.0, name=piece.id))
    return tuple(found)


@lru_cache(maxsize=64)
def _stakes(table: VoidTable, mustered: tuple[tuple[str, str], ...]) -> float:
    costs = {"red": 0.0, "blue": 0.0}
    for side, profile in mustered:
        costs[side] += table.profile(profile).cost
    return SHARE_OF_ARMY * max(costs.values())


# ---- remembering -------------------------------------------------------------------------------------------------

_STRIDES: Remembered[float] = Remembered()
_REACHES: Remembered[float] = Remembered()
_COVERS: Remembered[float] = Remembered()
_KILLS: Remembered[float] = Remembered()
_LOSSES: Remembered[tuple[float, ...]] = Remembered()
_PROMISES: Remembered[float] = Remembered()
_VIEWS: Remembered[float] = Remembered()


def _reach(state: VoidState, unit: VoidUnit) -> Inches:
    best = 0.0
    for _, command in state.table.commands:
        if command.ordered and command.shoots and state.profile(unit).ranged:
            best = max(best, reach_of(state, unit, command))
        elif command.charges and state.profile(unit).melee:
            best = max(best, allowance(state, unit, command).total + ENGAGED)
    return best


# ---- attacks ---------------------------------------------------------------------------------------------------------


def _cover(state: VoidState, unit: VoidUnit) -> float:
    return _COVERS.get((state.table, unit), state.defender, lambda: cover_of(state, unit))


def _kill(state: VoidState, attacker: VoidUnit, target: VoidUnit, weapon: Weapon, role: str) -> float:
    """Chance that one die of a weapon costs the target a model, where it stands.

    Args:
        state: the moment.
        attacker: who rolls.
        target: who is rolled at.
        weapon: what with.
        role: ``command``, ``melee`` or ``snap``.
    """
    key = (attacker.profile, target.profile, weapon.id, role, _cover(state, target), target.ditching)
    return _KILLS.get((state.table,), key, lambda: _asked(state, attacker, target, weapon, role))


def _asked(state: VoidState, attacker: VoidUnit, target: VoidUnit, weapon: Weapon, role: str) -> float:
    """The same, asked of the rolls themselves: one die for target lock, one for damage."""
    exchange = Exchange(owner=attacker.side, unit=attacker.id, command="shoot", targets=pairs(shoot=target.id))
    snap, role = role == "snap", "response" if role == "snap" else role
    volley = Volley(
        owner=attacker.side,
        role=role,
        shooter=attacker.id,
        target=target.id,
        weapons=((weapon.id, 1),),
        snap=snap,
    )
    moment = replace(state.with_unit(attacker).with_unit(target), agenda=(exchange, volley))
    chance = 0.0
    for outcome, share in VolleyHandler().roll(moment, volley).support():
        assert isinstance(outcome, tuple)
        criticals, locks = outcome
        chance += share * (criticals + locks * _damages(moment, exchange, attacker, target, weapon, role))
    return chance


def _damages(
    state: VoidState, exchange: Exchange, attacker: VoidUnit, target: VoidUnit, weapon: Weapon, role: str
) -> float:
    """Chance that a lock that is not critical costs a model."""
    fire = Fire(role=role, shooter=attacker.id, target=target.id, weapon=weapon.id, locks=1)
    frame = DamageRoll(todo=(0,))
    moment = replace(state, agenda=(replace(exchange, buffer=(fire,)), frame))
    if is_grievous(moment, fire):
        return 1.0
    roll = DamageHandler().roll(moment, frame)
    return sum(share for outcome, share in roll.support() if outcome == 1)


def _losses(state: VoidState, attacker: VoidUnit, target: VoidUnit) -> tuple[float, ...]:
    if not state.profile(attacker).ranged:
        return _find_losses(state, attacker, target)  # whom a model strikes depends on every enemy near it
    objects = (state.table, attacker, target)
    return _LOSSES.get(objects, state.defender, lambda: _find_losses(state, attacker, target))


def _find_losses(state: VoidState, attacker: VoidUnit, target: VoidUnit, snap: bool = False) -> tuple[float, ...]:
    shoots = bool(state.profile(attacker).ranged)
    dice = shooting_dice(state, attacker, target, snap) if shoots else melee_dice(state, attacker, target)
    role = "melee" if not shoots else "snap" if snap else "command"
    odds = [1.0]
    for name, count in dice:
        weapon = next(one for one in state.profile(attacker).weapons if one.id == name)
        chance = _kill(state, attacker, target, weapon, role)
        for _ in range(count):
            odds = [
                (odds[k] if k < len(odds) else 0.0) * (1.0 - chance) + (odds[k - 1] if k else 0.0) * chance
                for k in range(len(odds) + 1)
            ]
    most = len(target.models)
    return (*odds[:most], sum(odds[most:])) if len(odds) > most else tuple(odds)


def _promise(state: VoidState, attacker: VoidUnit, target: VoidUnit) -> float:
    objects = (state.table, attacker, target)
    return _PROMISES.get(objects, state.defender, lambda: _find_promise(state, attacker, target))


def _find_promise(state: VoidState, attacker: VoidUnit, target: VoidUnit) -> float:
    profile, mine = state.profile(target), state.profile(attacker)
    best = 0.0
    for weapons, role in ((mine.ranged, "command"), (mine.melee, "melee")):
        dice = ((weapon, len(attacker.models) * weapon.rof) for weapon in weapons)
        mean = sum(count * _kill(state, attacker, target, weapon, role) for weapon, count in dice)
        best = max(best, min(mean, float(len(target.models))))
    return best * profile.cost / profile.number


def _view(state: VoidState, attacker: VoidUnit, target: VoidUnit) -> float:
    return _VIEWS.get((state.table, attacker, target), None, lambda: _find_view(state, attacker, target))


def _find_view(state: VoidState, attacker: VoidUnit, target: VoidUnit) -> float:
    reach = state.profile(attacker).reach
    mine, theirs = _some(attacker.models), _some(target.models)
    if not mine:
        return 0.0
    if not reach:
        near = sum(within(model_gap(state, model, attacker.radius, target), ENGAGED) for model in attacker.models)
        return near / len(attacker.models)
    seeing = 0
    for one in mine:
        eye = eye_of(state, attacker, one)
        seeing += any(
            within(gap(state, one.pose, attacker.radius, other.pose, target.radius), reach)
            and can_see(state.board, eye, eye_of(state, target, other))
            for other in theirs
        )
    return seeing / len(mine)


def _some(models: tuple[Model, ...]) -> tuple[Model, ...]:
    """A few models spread over a unit."""
    if len(models) <= LOOK:
        return models
    return tuple(models[round(i * (len(models) - 1) / (LOOK - 1))] for i in range(LOOK))
