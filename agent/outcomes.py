"""What an order comes to, counted: every outcome where they are not too many, losses unit by unit, terms on average.

Orders are carried out as `tactician.agent.outlook` says: own later answers are the usual ones, the enemy answers as
the game's appraiser calls sensible. Equal moments are put together, so that far more rolls can be followed outcome by
outcome than there is time to value.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tactician.agent.advice import Loss, Prospect
from tactician.agent.by_eye import Measure
from tactician.agent.outlook import representatives, usual_answer
from tactician.agent.value.terms import SENTENCES, Term, Weights, terms
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, TERMINAL, Frame
from tactician.rules.core.appraisal import Appraiser, appraiser_of
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import SIDES, State, Unit, other_side

__all__ = [
    "FULL",
    "ROUGH",
    "Outcomes",
    "broken_name",
    "is_free",
    "is_fuss",
    "outcomes",
    "prospect_of",
    "terms_of",
    "worth_of_model",
]


BROKEN = "broken"
"""First word of the status of a unit that runs, in games that know it."""

SURE = 1.0 - 1e-9


FULL, ROUGH = 48.0, 9.0
"""About how many moments stand for all that a plan leads to; for all that anything else does, to be compared."""

LONGEST = 300
"""Steps after which an order is valued as far as it has come."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The moments that an order leads to."""

    ends: tuple[tuple[State, float], ...]
    """All different, each with its chance, the likeliest first."""
    exact: bool
    """Whether every outcome of every roll was followed."""

    def likeliest(self, ruleset: Ruleset) -> tuple[State, float]:
        """The moment with the greatest chance of those in which the game goes on; of all where it does in none."""
        return next((row for row in self.ends if ruleset.to_move(row[0]) != TERMINAL), self.ends[0])


def outcomes(ruleset: Ruleset, state: State, action: Action, leaves: float = FULL) -> Outcomes:
    """Carry out an order until somebody is free to choose again.

    Step by step all moments that it can have come to are taken one step on, and equal ones are put together. A roll is
    followed outcome by outcome where there are no more of them than the moment's share of `leaves`; else a few
    outcomes stand for equal parts of its odds.

    Args:
        ruleset: the game.
        state: the moment.
        action: a legal order of the side to move.
        leaves: about how many moments to look at.
    """
    side, beneath, kind = ruleset.to_move(state), state.agenda[:-1], state.agenda[-1].kind
    layer, ends, exact = {ruleset.apply(state, action): 1.0}, dict[State, float](), True
    for _ in range(LONGEST):
        following: dict[State, float] = {}
        for here, share in layer.items():
            mover = ruleset.to_move(here)
            if mover == TERMINAL or (mover != CHANCE and is_free(here, beneath, kind)):
                ends[here] = ends.get(here, 0.0) + share
            elif mover == CHANCE:
                rows = representatives(ruleset.pending(here), max(1, round(leaves * share)))
                exact = exact and len(rows) == len(ruleset.pending(here).support())
                for outcome, part in rows:
                    after = ruleset.resolve(here, outcome)
                    following[after] = following.get(after, 0.0) + share * part
            else:
                after = ruleset.apply(here, usual_answer(ruleset, here, mover == side))
                following[after] = following.get(after, 0.0) + share
        layer = following
        if not layer:
            break
    for here, share in layer.items():  # somebody goes round in circles
        ends[here] = ends.get(here, 0.0) + share
    ranked = sorted(enumerate(ends.items()), key=lambda row: (-round(row[1][1], 12), row[0]))
    return Outcomes(tuple(row for _, row in ranked), exact and not layer)


def is_free(here: State, beneath: tuple[Frame, ...], kind: str) -> bool:
    """Whether the decision of a moment is one of the game's own, not one inside an order.

    Args:
        here: a moment in which a side decides.
        beneath: frames under the one in which the order was given.
        kind: of that one.
    """
    return len(here.agenda) == 1 or (here.agenda[:-1] == beneath and here.agenda[-1].kind == kind)


# ---- terms -----------------------------------------------------------------------------------------------------------


def terms_of(
    ruleset: Ruleset, state: State, found: Outcomes, side: str, weights: Weights, measure: Measure
) -> tuple[Term, ...]:
    """The terms of the value after an order, on average over what it leads to.

    Args:
        ruleset: the game.
        state: the moment before the order.
        found: what the order leads to.
        side: whose value it is.
        weights: of the terms.
        measure: what that side knows of distances.
    """
    sums = dict.fromkeys(SENTENCES, 0.0)
    for after, chance in found.ends:
        for term in terms(ruleset, after, side, weights, measure):
            sums[term.name] += chance * term.amount
        if is_fuss(ruleset, state, after, side):
            sums["fuss"] -= chance * weights.fuss
    return tuple(Term(name=name, sentence=text, amount=sums[name]) for name, text in SENTENCES.items())


def is_fuss(ruleset: Ruleset, state: State, after: State, side: str) -> bool:
    """Whether a side must choose again at once, no order spent: nothing has come of its order yet."""
    if len(after.agenda) != 1 or len(state.agenda) != 1 or ruleset.to_move(after) != side:
        return False
    appraiser = appraiser_of(ruleset)
    return after.round == state.round and appraiser.orders(after, side) >= appraiser.orders(state, side)


# ---- losses ----------------------------------------------------------------------------------------------------------


def prospect_of(ruleset: Ruleset, state: State, found: Outcomes, side: str) -> Prospect:
    """What an order gains and loses on average, unit by unit.

    Args:
        ruleset: the game.
        state: the moment before the order.
        found: what the order leads to.
        side: whose loss is a loss.
    """
    appraiser = appraiser_of(ruleset)
    losses = [
        loss
        for one in (other_side(side), side)
        for unit in state.of(one)
        if (loss := _loss(appraiser, state, unit, found)) is not None
    ]
    sums = {one: sum(loss.points for loss in losses if loss.side == one) for one in SIDES}
    return Prospect(gain=sums[other_side(side)], loss=sums[side], units=tuple(losses), exact=found.exact)


def _loss(appraiser: Appraiser, state: State, unit: Unit, found: Outcomes) -> Loss | None:
    share, count = worth_of_model(appraiser, state, unit), len(unit.models)
    place = broken_name(appraiser)
    was_broken = place is not None and appraiser.status(state, unit)[place] >= SURE
    chances, broken = [0.0] * (count + 1), 0.0
    for after, chance in found.ends:
        lost = _lost(appraiser, state, unit, after, share)
        chances[lost] += chance
        if place is not None and not was_broken and lost < count and after.has_unit(unit.id):
            now = after.unit(unit.id)
            broken += chance * (bool(now.models) and appraiser.status(after, now)[place] >= SURE)
    if chances[0] >= 1.0 - 1e-12 and not broken:
        return None
    expected = sum(number * chance for number, chance in enumerate(chances))
    return Loss(
        unit=unit.id,
        side=unit.side,
        models=count,
        expected=expected,
        points=share * expected,
        any=sum(chances[1:]),
        half=sum(chance for number, chance in enumerate(chances) if 2 * number >= count),
        all=chances[count],
        broken=broken,
    )


def _lost(appraiser: Appraiser, state: State, unit: Unit, after: State, share: float) -> int:
    """Models of a unit that are gone for good: neither on the table, in whatever unit, nor waiting beside it."""
    names = {model.id for model in unit.models}
    gone = len(names) - sum(model.id in names for one in after.units for model in one.models)
    if not gone or not share or not after.has_unit(unit.id):
        return gone
    waiting = _waiting(appraiser, after, after.unit(unit.id)) - _waiting(appraiser, state, unit)
    return max(gone - max(round(waiting / share), 0), 0)


def _waiting(appraiser: Appraiser, state: State, unit: Unit) -> float:
    """Points of a unit's models that are not on the table and not lost."""
    return appraiser.worth(state, replace(unit, models=()))


def worth_of_model(appraiser: Appraiser, state: State, unit: Unit) -> float:
    """Points of one model of a unit on the table."""
    if not unit.models:
        return 0.0
    return (appraiser.worth(state, unit) - _waiting(appraiser, state, unit)) / len(unit.models)


def broken_name(appraiser: Appraiser) -> int | None:
    """Where a game's status says that a unit is broken; None where it knows no such thing."""
    names = enumerate(appraiser.status_names)
    return next((place for place, name in names if name.replace(",", " ").split()[:1] == [BROKEN]), None)
