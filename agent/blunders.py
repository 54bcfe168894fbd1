"""Blunders: what somebody who looks on would call plainly stupid, counted while a game is played.

A watch is told every step of a game and asks the ruleset's appraiser and nothing else of the game. What costs
little is looked at every time; ends of moves are costly and every few of them are looked at, so that a count comes
with its occasions: blunders a game are the share found among those looked at, times the occasions.

The yardstick are the terms of `tactician.agent.value` one order ahead. A policy that sees farther may do on purpose
what is counted here: it is a measure of how the play looks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from math import inf

from tactician.agent.arena import Event
from tactician.agent.by_eye import chance_within, measure_of
from tactician.agent.outlook import PASS, endings
from tactician.agent.policies.base import Budget
from tactician.agent.policies.greedy import Greedy
from tactician.agent.propose.aims import nearest_pair
from tactician.agent.propose.candidates import assigned_harm
from tactician.agent.propose.spots import Spot, moved_to, spots, stay, walking
from tactician.agent.value.terms import Weights, terms, value
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import TERMINAL
from tactician.rules.core.appraisal import Appraiser, appraiser_of
from tactician.rules.core.choice import Choice, Declare, Put, Subset, Walk
from tactician.rules.core.legs import Rates, travel
from tactician.rules.core.measure import Inches, within
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import SIDES, State, Unit
from tactician.rules.core.targets import aimed_unit

__all__ = ["BLUNDERS", "EVERY", "BlunderWatch", "Tally"]

IDLE, DOMINATED, HOPELESS = "idle unit", "destination dominated", "hopeless charge"
EXPOSED, THROWN_AWAY = "needless exposure", "overwatch thrown away"

BLUNDERS = {
    IDLE: "a unit had no order in a round, although one to it would have gained a tenth of its worth over letting "
    "things be when its side did so (over the last order of the round, where nobody may let things be)",
    DOMINATED: "a move ended where no term of the value is better than at another place the unit could have gone to, "
    "and all together are worse by a tenth of its worth",
    HOPELESS: "a charge was declared that reaches its target with a chance below 10 %, or whose expected harm is less "
    "than a fifth of what the target can do to the charger",
    EXPOSED: "a move ended in view of enemies who can destroy a tenth of the unit, although a place out of everybody's "
    "view was as good in everything but danger",
    THROWN_AWAY: "a unit that stood ready to answer gave that up for an order that attacks nobody while an enemy could "
    "have come near, or spent it on an attack from which a tenth of what it can do was to be expected",
}
"""Every kind of blunder, and what it means."""

CLEAR = 0.1
"""Part of a unit's worth that makes a difference clear."""

UNLIKELY = 0.1
"""Chance below which a charge is hopeless."""

FAR_BELOW = 0.2
"""Part of the expected loss below which the harm expected of a charge is far too little."""

NEARLY_NOTHING = 0.1
"""Part of what a unit's attacks can do that is not worth its readiness."""

READY = ("on overwatch", "ready to react")
"""Names of a status with which a unit waits to answer in the enemy's turn."""

TOUCH: Inches = 1.0
"""Beyond its movement a charge tells no farther than this."""

EVERY = 4
"""Of so many ends of moves one is looked at."""

LOOK = 16
"""Orders that are carried out to see what a moment offered to idle units."""

MOMENTS = 4
"""The last moments of a round in which a side let things be that are looked at."""

PLACES = 24
"""Most other ends that a move is compared to."""

SAME = 1e-9
"""Values nearer than this are equal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How often one kind of blunder was found on one side."""

    side: str
    kind: str
    """One of `BLUNDERS`."""
    occasions: int
    """Times that it could have been made."""
    judged: int
    """Occasions that were looked at."""
    found: int

    @property
    def estimate(self) -> float:
        """How many there were on all occasions, as far as those looked at tell."""
        return self.found * self.occasions / self.judged if self.judged else 0.0


@dataclass(frozen=True, slots=True)
class _Moment:
    """A moment of the game's own, not one inside what is going on."""

    state: State
    action: Action
    offered: frozenset[str]
    """Units that could have been ordered."""


@dataclass(slots=True)
class _Round:
    """What a side has done in the round that is being played."""

    ordered: set[str] = field(default_factory=set)
    """Units that had an order or answered one."""
    passed: list[_Moment] = field(default_factory=list)
    """Moments in which it let things be."""
    last: _Moment | None = None
    """The last moment in which it did not."""


class BlunderWatch:
    """Counts the blunders of both sides of one game; give `see` to the arena as its watcher."""

    def __init__(self, ruleset: Ruleset, *, offset: int = 0, every: int = EVERY) -> None:
        """Begin a game.

        Args:
            ruleset: the game.
            offset: which of `every` moves is looked at, so that it is not the first one of every game.
            every: of so many ends of moves one is looked at.
        """
        self.ruleset, self.appraiser = ruleset, appraiser_of(ruleset)
        self._every, self._offset = every, offset % every
        self._ready = tuple(i for i, name in enumerate(self.appraiser.status_names) if name in READY)
        self._counts = {(side, kind): [0, 0, 0] for side in SIDES for kind in BLUNDERS}
        self._rounds = {side: _Round() for side in SIDES}
        self._charging: set[str] = set()

    def see(self, event: Event) -> None:
        """Look at a step of the game."""
        if isinstance(event.what, Action):
            self._decided(event.who, event.before, event.what, event.after)
        if event.after.round != event.before.round or self.ruleset.to_move(event.after) == TERMINAL:
            self._charging.clear()
            for side in SIDES:
                self._round_over(side, event.after)

    def tallies(self) -> tuple[Tally, ...]:
        """What was found so far: every kind that could have occurred, red's first."""
        return tuple(
            Tally(side=side, kind=kind, occasions=row[0], judged=row[1], found=row[2])
            for (side, kind), row in self._counts.items()
            if row[0]
        )

    def _note(self, side: str, kind: str, found: bool) -> None:
        row = self._counts[side, kind]
        row[0], row[1], row[2] = row[0] + 1, row[1] + 1, row[2] + found

    def _decided(self, side: str, state: State, action: Action, after: State) -> None:
        choices = self.ruleset.choices(state)
        choice = next((one for one in choices if (one.verb, one.unit) == (action.verb, action.unit)), None)
        if choice is None:
            return
        self._remember(side, state, choices, choice, action)
        if not choice.unit or choice.verb == PASS:
            return
        if choice.verb == "charge" or action.target("charge") is not None:
            self._charging.add(choice.unit)
            self._note(side, HOPELESS, _is_hopeless(self.ruleset, state, choice, action, after))
        elif isinstance(choice.domain, Walk):
            self._walked(side, state, choice, action)
        if self._is_ready(state, choice.unit) and not self._is_ready(after, choice.unit):
            self._note(side, THROWN_AWAY, _is_thrown_away(self.appraiser, state, action))

    # ---- idle units --------------------------------------------------------------------------------------------------

    def _remember(self, side: str, state: State, choices: tuple[Choice, ...], choice: Choice, action: Action) -> None:
        """Who is ordered, and who could have been at a moment of the game's own."""
        done, idle = self._rounds[side], (PASS, *self.appraiser.idle_verbs)
        is_free = len(state.agenda) == 1
        if choice.unit and choice.verb not in idle and (is_free or not isinstance(choice.domain, Put | Subset)):
            done.ordered.add(choice.unit)
        if not is_free:
            return
        moment = _Moment(state, action, frozenset(one.unit for one in choices if one.unit and one.verb not in idle))
        if choice.verb == PASS:
            done.passed.append(moment)
        else:
            done.last = moment

    def _round_over(self, side: str, after: State) -> None:
        """Look back at the round: what could the units that had no order have done?"""
        done, self._rounds[side] = self._rounds[side], _Round()
        standing = tuple(unit.id for unit in after.of(side))
        waiting = {name for name in standing if name not in done.ordered}
        moments = done.passed[-MOMENTS:] or ([done.last] if done.last is not None else [])
        found: set[str] = set()
        for moment in moments:
            asked = (waiting & moment.offered) - found
            if asked:
                found |= _idle(self.ruleset, moment, asked)
        for name in standing:
            self._note(side, IDLE, name in found)

    # ---- ends of moves -----------------------------------------------------------------------------------------------

    def _walked(self, side: str, state: State, choice: Choice, action: Action) -> None:
        """Compare where a unit goes to with where else it could have gone; a charger has no choice of ends."""
        if choice.unit in self._charging:
            self._charging.discard(choice.unit)
            return
        row = self._counts[side, DOMINATED]
        is_due = (row[0] + self._offset) % self._every == 0
        worse = _Ends(self.ruleset, state, choice, action) if is_due else None
        for kind in (DOMINATED, EXPOSED):
            if worse is None:
                self._counts[side, kind][0] += 1
            else:
                self._note(side, kind, worse.is_dominated() if kind == DOMINATED else worse.is_exposed())

    # ---- readiness ---------------------------------------------------------------------------------------------------

    def _is_ready(self, state: State, name: str) -> bool:
        if not self._ready:
            return False
        status = self.appraiser.status(state, state.unit(name))
        return any(status[place] > 0.0 for place in self._ready)


def _idle(ruleset: Ruleset, moment: _Moment, asked: set[str]) -> set[str]:
    """Those of some units to whom an order would have been clearly better than what their side did."""
    state, appraiser, measure = moment.state, appraiser_of(ruleset), measure_of(ruleset, moment.state)
    side = ruleset.to_move(state)
    done = sum(
        one.chance * value(ruleset, one.state, side, Weights(), measure)
        for one in endings(ruleset, state, moment.action)
    )
    idle = (PASS, *appraiser.idle_verbs)
    valued = Greedy().weighed(ruleset, state, Budget(evaluations=LOOK), value_all=True)
    orders = [one for one in valued if one.action.unit in asked and one.action.verb not in idle]
    return {
        one.action.unit
        for one in orders
        if one.value - done > CLEAR * appraiser.worth(state, state.unit(one.action.unit)) + SAME
    }


def _is_hopeless(ruleset: Ruleset, state: State, choice: Choice, action: Action, after: State) -> bool:
    """Whether a charge hardly reaches any of its targets, or is no good when it does.

    The chance to reach is what the charger can know: whether the gap is within the movement (or, where no move is
    declared with it, within what the appraiser calls the range of the unit once it charges), by the tape where one may
    measure and by eye where one may not.
    """
    appraiser, measure = appraiser_of(ruleset), measure_of(ruleset, state)
    kind = choice.domain.kind_for(action) if isinstance(choice.domain, Declare) else None
    mine = after.unit(choice.unit)
    limit = appraiser.range(after, mine) if kind is None else kind.allowance + TOUCH
    foes = _aimed_at(state, action)
    if not foes or not mine.models:
        return False
    best = harm = loss = 0.0
    for foe in foes:
        away, target = _gap(state.unit(choice.unit), foe), after.unit(foe.id)
        known = measure.gap(away, choice.unit, foe.id)
        chance = float(within(away, limit)) if measure.exact else chance_within(known, limit)
        best = max(best, chance)
        harm = max(harm, chance * appraiser.promise(after, mine, target))
        loss = max(loss, chance * appraiser.promise(after, target, mine))
    matters = loss >= CLEAR * appraiser.worth(after, mine)
    return best < UNLIKELY or (matters and harm < FAR_BELOW * loss)


def _is_thrown_away(appraiser: Appraiser, state: State, action: Action) -> bool:
    """Whether readiness was given up or spent for (nearly) nothing."""
    unit = state.unit(action.unit)
    foes = state.against(unit.side)
    promises = [(appraiser.promise(state, unit, foe), foe) for foe in foes]
    if _aimed_at(state, action):
        best = max((promise for promise, _ in promises), default=0.0)
        return _harm(appraiser, state, unit, action) < NEARLY_NOTHING * best
    return any(
        promise > 0.0 and within(_gap(unit, foe), appraiser.reach(state, unit) + appraiser.stride(state, foe))
        for promise, foe in promises
    )


def _harm(appraiser: Appraiser, state: State, unit: Unit, action: Action) -> float:
    """What the attacks of an action destroy on average from where everybody stands."""
    if all(any(model.id == role for model in unit.models) for role, _ in action.targets):
        return assigned_harm(appraiser, state, unit, action.targets)
    return sum(appraiser.harm(state, unit, foe) for foe in _aimed_at(state, action))


def _gap(unit: Unit, foe: Unit) -> Inches:
    pair = nearest_pair(unit, (foe,))
    return inf if pair is None else pair[0]


def _aimed_at(state: State, action: Action) -> tuple[Unit, ...]:
    """The enemy units that an action names, each once."""
    side = state.unit(action.unit).side
    units = (aimed_unit(state, target) for _, target in action.targets)
    found = {unit.id: unit for unit in units if unit is not None and unit.side != side}
    return tuple(found.values())


class _Ends:
    """The end of one move beside the others that the unit could have moved to under the same move type."""

    def __init__(self, ruleset: Ruleset, state: State, choice: Choice, action: Action) -> None:
        """Value the end, everybody else standing where he stands."""
        assert isinstance(choice.domain, Walk)
        self.ruleset, self.state, self.choice, self.domain = ruleset, state, choice, choice.domain
        self.appraiser, self.measure = appraiser_of(ruleset), measure_of(ruleset, state)
        self.unit = state.unit(choice.unit)
        self.worth = self.appraiser.worth(state, self.unit)
        self.chosen = _walked_to(state, self.unit, action)
        self.terms = self._terms(self.chosen)
        kind = self.domain.kind
        found = spots(self.appraiser, state, self.unit, kind, None, self.measure)
        self.others = [(spot, moved_to(self.unit, spot)) for spot in (stay, *islice(found, PLACES))]

    def is_dominated(self) -> bool:
        """Whether another end is no worse in any term and clearly better in all."""
        for spot, other in self.others:
            there = self._terms(other)
            gains = [there[name] - self.terms[name] for name in self.terms]
            if min(gains) >= -SAME and sum(gains) > CLEAR * self.worth and self._is_legal(spot):
                return True
        return False

    def is_exposed(self) -> bool:
        """Whether enemies see the unit who matter, although there is an end as good that nobody sees."""
        if self._seen_for(self.chosen) <= CLEAR * self.worth:
            return False
        here = self._but_danger(self.terms)
        return any(
            self._seen_for(other) <= 0.0
            and self._but_danger(self._terms(other)) >= here - SAME
            and self._is_legal(spot)
            for spot, other in self.others
        )

    def _terms(self, unit: Unit) -> dict[str, float]:
        side, moment = self.unit.side, self.state.with_unit(unit)
        return {term.name: term.amount for term in terms(self.ruleset, moment, side, Weights(), self.measure)}

    def _but_danger(self, found: dict[str, float]) -> float:
        return sum(amount for name, amount in found.items() if name != "danger")

    def _seen_for(self, unit: Unit) -> float:
        """What all enemies who have the unit in view could destroy of it."""
        moment = self.state.with_unit(unit)
        return sum(
            self.appraiser.promise(moment, foe, unit)
            for foe in moment.against(unit.side)
            if self.appraiser.view(moment, foe, unit) > 0.0
        )

    def _is_legal(self, spot: Spot) -> bool:
        action = walking(self.choice.bare(), self.unit, spot, self.domain.kind, self.domain.models)
        return not self.ruleset.check(self.state, action)


def _walked_to(state: State, unit: Unit, action: Action) -> Unit:
    """The unit at the ends of the ways of an action."""
    free = Rates(up=0.0, down=0.0)
    ends = {name: travel(unit.model(name).pose, path, state.board, free)[1] for name, path in action.paths}
    return unit.moved(ends)
