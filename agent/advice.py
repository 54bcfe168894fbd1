"""What an adviser says: plans with their reasons, odds, gain and loss, the enemy's best answer and what comes next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tactician.agent.by_eye import EXACT, Measure, about
from tactician.agent.value.terms import Term
from tactician.rules.core.action import Action
from tactician.rules.core.measure import Inches
from tactician.rules.core.state import State

__all__ = ["AGAINST", "Answer", "Contact", "Loss", "Odds", "Order", "Plan", "Prospect"]

AGAINST = "the moment as it stands, nobody doing anything"
"""What a plan's value is the gain over."""

Points = float


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """What an attack costs its target, exactly, if nobody answers."""

    target: str
    chances: tuple[float, ...]
    """Probability of 0, 1, 2 ... models lost."""

    @property
    def any(self) -> float:
        """Probability of at least one loss."""
        return 1.0 - self.chances[0]

    @property
    def expected(self) -> float:
        """Models lost on average."""
        return sum(count * chance for count, chance in enumerate(self.chances))

    def __str__(self) -> str:
        """The odds as printed."""
        return f"{self.target} loses {self.expected:.2f} models on average, at least one in {100 * self.any:.1f} %"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """What a charge needs and what its way reaches."""

    target: str
    gap: Inches
    """Between the nearest bases before the move, as far as it may be known."""
    allowance: Inches | None
    """What the move may cost; None where the rules say it later."""
    left: Inches | None
    """Between the nearest bases after the move; None where no way is ordered, or nobody may measure."""
    measure: Measure = EXACT
    """How `gap` is known."""

    def __str__(self) -> str:
        """The numbers as printed."""
        limit = "" if self.allowance is None else f" of {self.allowance:.2f}"
        left = "" if self.left is None else f", {self.left:.2f} then left"
        if self.measure.exact:
            return f"charge at {self.target}: {self.gap:.2f}{limit} inches{left}"
        return f"charge at {self.target}: {about(self.gap)}{limit} inches by eye"


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """What a unit loses by an order, on average and how likely it matters."""

    unit: str
    side: str
    models: int
    """How many it has on the table now."""
    expected: float
    """Models lost on average."""
    points: Points
    """Their points."""
    any: float
    """Probability that it loses a model at all."""
    half: float
    """Probability that it loses half of its models or more."""
    all: float
    """Probability that nothing is left of it."""
    broken: float = 0.0
    """Probability that it is broken afterwards and was not before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prospect:
    """What an order gains and loses on average, the enemy answering as the game calls sensible."""

    gain: Points
    """Points of enemy models removed."""
    loss: Points
    """Points of own models removed."""
    units: tuple[Loss, ...] = ()
    """Every unit that can lose a model or break, the enemy's first."""
    exact: bool = True
    """Whether every outcome of every roll was followed; else rolls with many outcomes are stood for by a few."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The best that the enemy can do about a plan."""

    kind: Literal["response", "order", "attack"]
    """A reply inside the order, his own next order after it, or an attack in his next turn."""
    unit: str
    """Who answers; empty where the order is nobody's."""
    cost: Points
    """What the answer takes from the value that the plan has if the enemy lets things be."""
    loss: Points
    """Points of own models removed by it on average."""
    moment: State
    """When it is given: the likeliest moment that the plan leads to and in which the game goes on."""
    action: Action | None = None
    """The order; None of an attack in a turn to come."""
    verb: str = ""
    """Of an attack."""
    target: str = ""
    """Of an attack: the own unit that suffers it."""
    moves: bool = False
    """Whether an attack needs a move first; its cost is then what every model together would do."""
    chance: float = 1.0
    """Probability of the moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One of the orders that follow a plan, if everything goes as is likeliest."""

    side: str
    action: Action
    moment: State
    """When it is given."""
    chance: float
    """Probability that it comes to that, as far as dice decide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A suggestion that can be carried out as it is."""

    action: Action
    """The declaration and the exact ways, models in walking order."""
    value: Points
    """Points gained over `against`."""
    reasons: tuple[Term, ...]
    """What the value consists of, the weightiest first; the amounts sum to the value."""
    prospect: Prospect
    odds: tuple[Odds, ...] = ()
    """None at all where nobody may measure, as they would tell distances."""
    contact: Contact | None = None
    answer: Answer | None = None
    """None where it was not asked for, or where nothing can be done about the plan."""
    steady: float = 1.0
    """Share of the steps that stay legal when every model is put down up to a quarter of an inch off, blindly."""
    is_eased: bool = False
    """Whether the ends were drawn back a little, so that a hand may be off."""
    foreseen: Points | None = None
    """What the policy that proposed it thinks of it; None where it sees no farther than `value`."""
    against: str = AGAINST

    @property
    def amounts(self) -> dict[str, Points]:
        """What each term gains or loses."""
        return {term.name: term.amount for term in self.reasons}
