"""What things are worth, for whoever has to choose: threat points, expected losses by the rules' own odds, objectives.

Everything is asked of the chapters that decide it; the answers are remembered by the units they depend on, which are
values and never change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from tactician.rules.core.action import Action, pairs
from tactician.rules.core.appraisal import Attack, Goal, Means
from tactician.rules.core.choice import Choice, Declare
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import Inches, within
from tactician.rules.core.movement import disorder_of
from tactician.rules.core.remember import Remembered
from tactician.rules.core.sight import Eye, can_see
from tactician.rules.core.sketch_tables import Tables
from tactician.rules.core.state import Model, State, Unit, gap, other_side
from tactician.rules.voidsiege.allowance import allowance
from tactician.rules.voidsiege.appraisal_strikes import attacks_of, seen_by
from tactician.rules.voidsiege.appraisal_tables import tables_of
from tactician.rules.voidsiege.appraisal_ways import charge_home, stand_between
from tactician.rules.voidsiege.commands import eligible, reach_of
from tactician.rules.voidsiege.cover import cover_of
from tactician.rules.voidsiege.damage import DamageHandler, is_grievous
from tactician.rules.voidsiege.engagement import ENGAGED, engaged_pairs, model_gap
from tactician.rules.voidsiege.movement import coherency_rule
from tactician.rules.voidsiege.profiles import Weapon
from tactician.rules.voidsiege.prospects import goals_of, outlook_of, share_of_army, standing_of
from tactician.rules.voidsiege.shooting import VolleyHandler, eye_of, melee_dice, shooting_dice
from tactician.rules.voidsiege.state import (
    DamageRoll,
    Exchange,
    Fire,
    Movement,
    Turn,
    VoidState,
    VoidTable,
    VoidUnit,
    Volley,
)

__all__ = ["VoidAppraiser"]

LATER = 0.85
"""What an attack counts that comes a turn later, against one that comes now."""

LOOK = 2
"""Models of each side that a rough look compares."""

WORTH_A_POINT = 0.2
"""Threat points that a command point is spent for when answering."""

STATUS = (
    "may not run again",
    "may not shoot again",
    "may not defend again",
    "ditching",
    "in cover",
    "engaged",
    "commands the exchange",
    "is its target",
    "moved in it",
)

MOMENT = (
    "own victory points",
    "enemy victory points",
    "acts first this turn",
    "defends",
    "own threat points",
    "enemy threat points",
    "a charge is being made",
    "shots are named",
    "one of two parts must be commanded",
)

PURPOSES: dict[str, tuple[str, ...]] = {
    "steady": ("move",),
    "hide": ("ditch",),
    "rally": ("rally",),
    "score": ("raid",),
}
"""Commands by what they are for, as `VoidAppraiser.verbs_for` names it."""

MANY = 20.0
"""Victory or threat points that are shown as 1."""


Part = tuple[float, float, float, float]
"""Whether a unit is engaged, commands the exchange, is its target, has moved in it."""

NO_PART: Part = (0.0, 0.0, 0.0, 0.0)


class VoidAppraiser:
    """The worth of things in VoidSiege."""

    has_facing: bool = False
    every_turn: bool = False
    parting_verbs: tuple[str, ...] = ("split",)
    idle_verbs: tuple[str, ...] = ()
    status_names: tuple[str, ...] = STATUS
    moment_names: tuple[str, ...] = MOMENT

    def worth(self, state: State, unit: Unit) -> float:
        """Threat points of the models on the table and of those that follow a scout, each its share of the cost."""
        profile = _void(state).profile(unit)
        return profile.cost * (len(unit.models) + len(_unit(unit).reserve)) / profile.number

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
        return _STRIDES.get((moment.table,), _legs_of(mine), lambda: allowance(moment, mine, command).total)

    def reach(self, state: State, unit: Unit) -> Inches:
        """The farthest shot of any command, or the longest charge."""
        mine = _unit(unit)
        return _REACHES.get((_void(state).table,), _legs_of(mine), lambda: _reach(_void(state), mine))

    def range(self, state: State, unit: Unit) -> Inches:
        """The longest range of its weapons; engagement distance where none shoots."""
        return max(_void(state).profile(unit).reach, ENGAGED)

    def attacks(self, state: State, unit: Unit) -> tuple[Attack, ...]:
        """By every command that shoots or charges, restrictions of this turn forgotten."""
        return attacks_of(_void(state), _unit(unit))

    def eye(self, state: State, unit: Unit, pose: Pose) -> Eye:
        """As tall as its profile says."""
        return eye_of(_void(state), unit, Model(id="", pose=pose))

    def sees(
        self, state: State, unit: Unit, eyes: Sequence[Eye], targets: Sequence[Eye]
    ) -> tuple[tuple[bool, ...], ...]:
        """Past walls and floors; models hide nobody."""
        return seen_by(_void(state), eyes, targets)

    def hope(self, state: State, unit: Unit, gap: Inches) -> float:
        """Less for each move until the enemy is within its reach."""
        return float(LATER ** (max(gap - self.reach(state, unit), 0.0) / max(self.stride(state, unit), 1.0)))

    def campaign(self, state: State, unit: Unit, foe: Unit, gap: Inches) -> tuple[float, float]:
        """Not asked here: an order costs every other unit its turn."""
        promise = self.promise(state, unit, foe)
        return promise * self.view(state, unit, foe), promise * self.hope(state, unit, gap)

    def prize(self, state: State, unit: Unit) -> float:
        """Its points."""
        return self.worth(state, unit)

    def moment_key(self, state: State, side: str) -> object:
        """The turn."""
        return state.round

    def later(self, state: State) -> float:
        """The same in every turn."""
        return 1.0

    def is_ready(self, state: State, unit: Unit) -> bool:
        """Whether it may still shoot this turn, or where it cannot, whether it may still charge at a run."""
        moment, mine = state, unit
        assert isinstance(moment, VoidState)
        assert isinstance(mine, VoidUnit)
        if not moment.table.switched_off.isdisjoint(("VS-DE-01", "VS-DE-02")):
            return _is_ready(moment, mine)  # who stands near it matters too
        return _READY.get((moment.table, mine), None, lambda: _is_ready(moment, mine))

    def orders(self, state: State, side: str) -> int:
        """Command points left."""
        return _void(state).points_of(side)

    def goals(self, state: State, side: str) -> tuple[Goal, ...]:
        """Every objective that can score for the side, and the enemy's headquarters."""
        return goals_of(_void(state), side)

    def shelters(self, state: State, unit: Unit) -> tuple[Goal, ...]:
        """Middles of the pieces that give cover."""
        return _shelters(_void(state).table)

    def standing(self, state: State, side: str) -> float:
        """The lead in victory points where objectives score; where only losses do, `worth` counts them."""
        return standing_of(_void(state), side)

    def outlook(self, state: State, side: str) -> float:
        """What the end of this turn, of the game, or the next raid would score as the units stand."""
        return outlook_of(_void(state), side, self.rounds_left(state))

    def stakes(self, state: State) -> float:
        """A part of the dearer army as it was mustered."""
        return _stakes(_void(state).table, tuple((unit.side, unit.profile) for unit in _void(state).units))

    def rounds_left(self, state: State) -> int:
        """This turn and those to come."""
        moment = _void(state)
        return max(moment.table.turns - moment.round + 1, 0)

    def reply(self, state: State, choices: tuple[Choice, ...]) -> Action | None:
        """Shots that destroy most or an Intervene that spares most, if worth a point; a charger goes straight home."""
        moment = _void(state)
        best, found = WORTH_A_POINT, charge_home(moment, choices)
        for choice in choices:
            command = dict(moment.table.commands).get(choice.verb)
            domain = choice.domain
            if command is not None and command.aids == "charged":
                spared = _spared(moment, moment.unit(choice.unit))
                between = stand_between(moment, choice) if spared > best + 1e-9 else None
                best, found = (spared, between) if between is not None else (best, found)
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

    def status(self, state: State, unit: Unit) -> tuple[float, ...]:
        """Restrictions, Ditch, engagement and cover, and the part it has in the exchange."""
        moment, mine = state, unit
        assert isinstance(moment, VoidState)
        assert isinstance(mine, VoidUnit)
        own = _STATUSES.get((moment.table, mine), moment.defender, lambda: _own_status(moment, mine))
        return own + _PARTS.get((moment,), None, lambda: _parts(moment)).get(unit.id, NO_PART)

    def moment(self, state: State, side: str) -> tuple[float, ...]:
        """Points, who acts first and defends, and what the exchange is about."""
        moment, foe, exchange = _void(state), other_side(side), _exchange(state)
        roles = () if exchange is None else tuple(role for role, _ in exchange.targets)
        turn = moment.agenda[-1] if moment.agenda else None
        return (
            *(_shown(moment.score_of(one)) for one in (side, foe)),
            float(moment.first == side) - float(moment.first == foe),
            float(moment.defender == side) - float(moment.defender == foe),
            *(_shown(moment.threat_of(one)) for one in (side, foe)),
            float("charge" in roles),
            float("shoot" in roles),
            float(isinstance(turn, Turn) and bool(turn.pinned)),
        )

    def answering(self, state: State) -> str:
        """The command of the exchange; the answer, while its movement is made."""
        exchange = _exchange(state)
        if exchange is None:
            return ""
        frame = state.agenda[-1]
        is_answer = isinstance(frame, Movement) and frame.role == "response"
        return exchange.response if is_answer else exchange.command

    def tables(self, state: State) -> Tables:
        """Units by the odds of their own dice."""
        return tables_of(_void(state), self.stakes(state), _kill)

    def means(self, state: State, unit: Unit, foe: Unit) -> Means:
        """Fire of the weapons that shoot; blows of both sides."""
        moment, mine, theirs = _void(state), _unit(unit), _unit(foe)
        blows = _blows(moment, mine, theirs), _blows(moment, theirs, mine)
        return Means(fire=_fire(moment, mine, theirs), struck=blows[0], suffered=blows[1])

    def verbs_for(self, purpose: str) -> tuple[str, ...]:
        """Commands by what they are for."""
        return PURPOSES.get(purpose, ())


# ---- reading the moment ----------------------------------------------------------------------------------------------


def _void(state: State) -> VoidState:
    assert isinstance(state, VoidState)
    return state


def _unit(unit: Unit) -> VoidUnit:
    assert isinstance(unit, VoidUnit)
    return unit


def _is_ready(state: VoidState, unit: VoidUnit) -> bool:
    name = "shoot" if state.profile(unit).ranged else "assault"
    return not eligible(state, unit, state.table.command(name))


def _parts(state: VoidState) -> dict[str, Part]:
    """The part of everybody who is engaged, or commands the exchange, is its target or has moved in it."""
    near, exchange = _engaged(state), _exchange(state)
    if exchange is None:
        return dict.fromkeys(near, (1.0, 0.0, 0.0, 0.0))
    targets = {name for _, name in exchange.targets}
    moved = {name for name, _, _ in exchange.moved}
    return {
        name: (float(name in near), float(name == exchange.unit), float(name in targets), float(name in moved))
        for name in {*near, exchange.unit, *targets, *moved}
    }


def _engaged(state: VoidState) -> frozenset[str]:
    """Who is engaged with anybody; that depends on places alone."""
    if not state.holds("VS-DE-03"):
        return frozenset()
    places = (state.table, *(unit.models for unit in state.units))
    return _ENGAGED.get(places, None, lambda: frozenset(name for pair in engaged_pairs(state) for name in pair))


def _legs_of(unit: VoidUnit) -> tuple[str, float, float]:
    """What decides how far a unit can go."""
    return unit.profile, unit.move_value, unit.move_distance


def _own_status(state: VoidState, unit: VoidUnit) -> tuple[float, ...]:
    """What lies on a unit whoever else stands where."""
    restrictions = (float(name in unit.restrictions) for name in ("Run", "Shoot", "Defend"))
    return (*restrictions, float(unit.ditching), float(_cover(state, unit) > 0.0))


def _exchange(state: State) -> Exchange | None:
    return next((frame for frame in reversed(state.agenda) if isinstance(frame, Exchange)), None)


def _shown(points: float) -> float:
    return max(min(points / MANY, 1.0), -1.0)


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
    return share_of_army(table.mission) * max(costs.values())


# ---- remembering -------------------------------------------------------------------------------------------------

_STRIDES: Remembered[float] = Remembered()
_REACHES: Remembered[float] = Remembered()
_PARTS: Remembered[dict[str, Part]] = Remembered(16)
_ENGAGED: Remembered[frozenset[str]] = Remembered(2_000)
_READY: Remembered[bool] = Remembered()
_STATUSES: Remembered[tuple[float, ...]] = Remembered()
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
    return _COVERS.get((state.table, unit.models), (state.defender, unit.side), lambda: cover_of(state, unit))


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


def _spared(state: VoidState, helper: VoidUnit) -> float:
    """Threat points that a unit saves its side by being charged in place of the unit that is."""
    exchange = _exchange(state)
    if exchange is None:
        return 0.0
    charger, friend = state.unit(exchange.unit), state.unit(dict(exchange.targets)["charge"])
    net = [_blows(state, charger, unit) - _blows(state, unit, charger) for unit in (friend, helper)]
    return net[0] - net[1]


def _blows(state: VoidState, attacker: VoidUnit, target: VoidUnit) -> float:
    """Threat points that a whole unit destroys in melee on average."""
    profile, models = state.profile(target), len(attacker.models)
    blows = [(weapon, models * weapon.rof) for weapon in state.profile(attacker).melee]
    mean = sum(count * _kill(state, attacker, target, weapon, "melee") for weapon, count in blows)
    return min(mean, float(len(target.models))) * profile.cost / profile.number


def _fire(state: VoidState, attacker: VoidUnit, target: VoidUnit) -> float:
    """Threat points that a whole unit's shots destroy on average."""
    profile, models = state.profile(target), len(attacker.models)
    shots = [(weapon, models * weapon.rof) for weapon in state.profile(attacker).ranged]
    mean = sum(count * _kill(state, attacker, target, weapon, "command") for weapon, count in shots)
    return min(mean, float(len(target.models))) * profile.cost / profile.number


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
