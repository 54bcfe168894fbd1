"""Chance as the third player: what the dice are asked, how likely each answer is, and how thrown dice are read.

A roll is a question: `Total`, `Successes`, `Faces`, `Table`, and elsewhere `Shown` and `Mixed`
(`tactician.rules.core.mixed`) and `Volley` (`tactician.rules.core.volley`). Its outcome is the smallest thing the rule
needs to know, and it enters a game the same way whether it was drawn, enumerated by a search or typed in by somebody
with real dice. Its odds are exact (`tactician.rules.core.odds`). Every roll also speaks: `ask` tells a person what to
throw and `tell` says what came of it.

Real dice are thrown in stages: most rolls are one `Stage`, some go on with as many dice as the stage before left.

This module draws nothing by itself; whoever owns the dice hands a `Source` to `sample`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import ClassVar, Protocol

from tactician.rules.core.odds import Odds, Outcome, faces_odds, successes_odds, table_odds, total_odds

__all__ = [
    "DiceError",
    "Faces",
    "Outcome",
    "Roll",
    "Source",
    "Stage",
    "Successes",
    "Table",
    "Throw",
    "Total",
    "check_faces",
    "throw_on",
]


class DiceError(ValueError):
    """Thrown faces or an outcome do not fit the roll; the message says which roll, which die and what was expected."""


class Source(Protocol):
    """Anything that draws whole numbers, such as a seeded generator."""

    def randrange(self, n: int, /) -> int:
        """A number from 0 to n - 1, each equally likely."""
        ...


class Stage(Protocol):
    """Dice that a person throws at once; what they show decides what comes next."""

    def dice(self) -> tuple[int, ...]:
        """Number of sides of each die to throw now; empty where nothing is left to throw."""
        ...

    def ask(self) -> str:
        """One sentence that tells a person at a table what to throw now."""
        ...

    def throw(self, faces: Sequence[int]) -> Stage | Outcome:
        """The stage that follows, or the outcome of the roll; `DiceError` if the faces do not fit `dice`."""
        ...


class Roll(Protocol):
    """A question to the dice. Two rolls with the same numbers have the same odds, whatever they are for."""

    kind: ClassVar[str]
    staged: ClassVar[bool]
    """Whether more dice may follow those of `to_throw`."""

    @property
    def why(self) -> str:
        """What is being rolled for, as printed: "target lock of Troopers at Raiders"."""
        ...

    @property
    def subject(self) -> str:
        """Id of the unit the roll belongs to, or empty."""
        ...

    def support(self) -> tuple[tuple[Outcome, float], ...]:
        """The outcomes that can happen, in ascending order, each with its probability."""
        ...

    def exact(self) -> tuple[tuple[Outcome, Fraction], ...]:
        """The same as `support` with exact fractions, which sum to exactly 1."""
        ...

    def sample(self, source: Source) -> Outcome:
        """Throw the dice, one draw each, and read them."""
        ...

    def to_throw(self) -> tuple[int, ...]:
        """Number of sides of each die that a person has to throw, in the first stage if there are several."""
        ...

    def first_stage(self) -> Stage:
        """What to throw first; the whole roll unless it is `staged`."""
        ...

    def read(self, faces: Sequence[int]) -> Outcome:
        """The outcome that thrown faces stand for, stage after stage; `DiceError` if they do not fit."""
        ...

    def accept(self, outcome: object) -> Outcome:
        """An outcome from a file or a person, in its normal form; `DiceError` if it cannot happen."""
        ...

    def ask(self) -> str:
        """One sentence that tells a person at a table what to throw."""
        ...

    def tell(self, outcome: Outcome) -> str:
        """An outcome in words."""
        ...


def check_faces(why: str, sides: Sequence[int], faces: Sequence[int], ask: str) -> None:
    """Refuse faces that do not fit the dice that were asked for.

    Args:
        why: what is being rolled for.
        sides: of each die.
        faces: what they are said to show.
        ask: the sentence that asked for them, for the message.

    Raises:
        DiceError: too few or too many faces, or one that its die does not have.
    """
    if len(faces) != len(sides):
        raise DiceError(f"{why}: {_count(len(faces), 'face')} given, expected {len(sides)} ({ask})")
    for number, (face, most) in enumerate(zip(faces, sides, strict=True), start=1):
        if not _is_whole(face) or not 1 <= face <= most:
            raise DiceError(f"{why}: die {number} shows {face!r}, expected a whole number from 1 to {most}")


def throw_on(stage: Stage, faces: Sequence[int]) -> tuple[Stage | Outcome, tuple[int, ...]]:
    """Throw a stage, and those that follow it as long as there are faces for them.

    Returns:
        The stage that is to be thrown next, or the outcome; and the faces that nothing asked for.

    Raises:
        DiceError: the faces end within a stage, or one does not fit its die.
    """
    left = tuple(faces)
    while True:
        needed = len(stage.dice())
        after, left = stage.throw(left[:needed]), left[needed:]
        if isinstance(after, int | tuple) or not left:
            return after, left
        stage = after


@dataclass(frozen=True, slots=True)
class _Whole:
    """The only stage of a roll whose dice are all thrown at once."""

    roll: Roll

    def dice(self) -> tuple[int, ...]:
        """Number of sides of each die of the roll."""
        return self.roll.to_throw()

    def ask(self) -> str:
        """The sentence of the roll."""
        return self.roll.ask()

    def throw(self, faces: Sequence[int]) -> Stage | Outcome:
        """The outcome of the roll."""
        return self.roll.read(faces)


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw(ABC):
    """What all rolls have in common: odds looked up once, faces checked before they are read."""

    kind: ClassVar[str]
    staged: ClassVar[bool] = False

    why: str
    """What is being rolled for, as printed."""
    subject: str = ""
    """Id of the unit the roll belongs to, or empty."""

    @abstractmethod
    def to_throw(self) -> tuple[int, ...]:
        """Number of sides of each die that a person has to throw."""

    @abstractmethod
    def ask(self) -> str:
        """One sentence that tells a person at a table what to throw."""

    @abstractmethod
    def tell(self, outcome: Outcome) -> str:
        """An outcome in words."""

    @abstractmethod
    def _odds(self) -> Odds: ...

    @abstractmethod
    def _read(self, faces: Sequence[int]) -> Outcome: ...

    @abstractmethod
    def _expected(self) -> str: ...

    def support(self) -> tuple[tuple[Outcome, float], ...]:
        """The outcomes that can happen, in ascending order, each with its probability."""
        return self._odds().support

    def exact(self) -> tuple[tuple[Outcome, Fraction], ...]:
        """The same as `support` with exact fractions, which sum to exactly 1."""
        return self._odds().exact

    def first_stage(self) -> Stage:
        """The whole roll as one stage."""
        return _Whole(self)

    def sample(self, source: Source) -> Outcome:
        """Throw the dice, one draw each in the order of `to_throw`, and read them."""
        return self._read([1 + source.randrange(sides) for sides in self.to_throw()])

    def read(self, faces: Sequence[int]) -> Outcome:
        """The outcome that thrown faces stand for.

        Args:
            faces: one face from 1 to the number of sides for each of `to_throw`, in any order where all dice are alike.

        Raises:
            DiceError: too few or too many faces, or one that its die does not have.
        """
        check_faces(self.why, self.to_throw(), faces, self.ask())
        return self._read(faces)

    def accept(self, outcome: object) -> Outcome:
        """An outcome from a file or a person, in its normal form (lists become tuples).

        Raises:
            DiceError: the outcome cannot happen in this roll.
        """
        plain: object = tuple(outcome) if isinstance(outcome, list) else outcome
        numbers: tuple[object, ...] = plain if isinstance(plain, tuple) else (plain,)
        if all(_is_whole(number) for number in numbers) and plain in self._odds().outcomes:
            return plain
        raise DiceError(f"{self.why}: outcome {outcome!r}, expected {self._expected()}")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pool(Throw):
    """A throw of some equal dice."""

    dice: int
    """How many; none is legal and has one outcome."""
    sides: int = 6
    """Of each die."""

    def __post_init__(self) -> None:
        """Refuse numbers that describe no throw."""
        _require("dice", self.dice, 0)
        _require("sides", self.sides, 1)
        self._validate()

    @abstractmethod
    def _validate(self) -> None: ...

    def to_throw(self) -> tuple[int, ...]:
        """Number of sides of each die that a person has to throw."""
        return (self.sides,) * self.dice


@dataclass(frozen=True, slots=True, kw_only=True)
class Total(_Pool):
    """The sum of equal dice and a number, some of the lowest or highest dice left out; the outcome is the sum.

    >>> Total(why="a test", dice=2, sides=2).support()
    ((2, 0.25), (3, 0.5), (4, 0.25))

    Raises:
        ValueError: a negative number of dice, a die without sides, or no die left after the drops.
    """

    kind: ClassVar[str] = "total"

    add: int = 0
    """Added to the dice once; may be negative."""
    drop_lowest: int = 0
    drop_highest: int = 0

    def _validate(self) -> None:
        _require("add", self.add, None)
        _require("drop_lowest", self.drop_lowest, 0)
        _require("drop_highest", self.drop_highest, 0)
        dropped = self.drop_lowest + self.drop_highest
        if dropped and dropped >= self.dice:
            raise ValueError(f"{dropped} of {self.dice} dice would be dropped, expected at least one die to be kept")

    def ask(self) -> str:
        """One sentence that tells a person at a table what to throw."""
        if not self.dice:
            return f"nothing to roll: the total is {self.add}"
        steps = [f"roll {self.dice}D{self.sides}"]
        if self.drop_lowest:
            steps.append("drop the lowest" + (f" {self.drop_lowest}" if self.drop_lowest > 1 else ""))
        if self.drop_highest:
            steps.append("drop the highest" + (f" {self.drop_highest}" if self.drop_highest > 1 else ""))
        if self.dice - self.drop_lowest - self.drop_highest > 1:
            steps.append("sum up")
        if self.add:
            steps.append(f"add {self.add}" if self.add > 0 else f"subtract {-self.add}")
        return ", ".join(steps)

    def tell(self, outcome: Outcome) -> str:
        """An outcome in words."""
        return f"a total of {self.accept(outcome)}"

    def _odds(self) -> Odds:
        return total_odds(self.dice, self.sides, self.add, self.drop_lowest, self.drop_highest)

    def _read(self, faces: Sequence[int]) -> Outcome:
        return sum(sorted(faces)[self.drop_lowest : self.dice - self.drop_highest]) + self.add

    def _expected(self) -> str:
        kept = self.dice - self.drop_lowest - self.drop_highest
        return f"a whole number from {kept + self.add} to {kept * self.sides + self.add}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Successes(_Pool):
    """How many of some equal dice succeed; the outcome is that number.

    Exactly one of `at_least` and `at_most` is given. A threshold may lie outside the die: all dice succeed
    then, or none.

    >>> Successes(why="two shots", dice=2, at_least=4).support()
    ((0, 0.25), (1, 0.5), (2, 0.25))

    Raises:
        ValueError: a negative number of dice, a die without sides, or not exactly one threshold.
    """

    kind: ClassVar[str] = "successes"

    at_least: int | None = None
    at_most: int | None = None

    def _validate(self) -> None:
        if (self.at_least is None) == (self.at_most is None):
            raise ValueError(
                f"at_least={self.at_least}, at_most={self.at_most}: expected exactly one of the two thresholds"
            )
        _require("at_most" if self.at_least is None else "at_least", self._threshold, None)

    @property
    def _threshold(self) -> int:
        threshold = self.at_most if self.at_least is None else self.at_least
        assert threshold is not None
        return threshold

    @property
    def _lucky(self) -> int:
        """How many faces of a die are a success."""
        lucky = self._threshold if self.at_least is None else self.sides + 1 - self._threshold
        return min(max(lucky, 0), self.sides)

    def ask(self) -> str:
        """One sentence that tells a person at a table what to throw."""
        if not self.dice:
            return "nothing to roll: no successes"
        if self._lucky in (0, self.sides):
            each = "every die succeeds" if self._lucky else "no die can succeed"
        else:
            each = f"each {self._threshold} or {'less' if self.at_least is None else 'more'} succeeds"
        return f"roll {self.dice}D{self.sides}: {each}"

    def tell(self, outcome: Outcome) -> str:
        """An outcome in words."""
        number = self.accept(outcome)
        return f"{number} {'success' if number == 1 else 'successes'} of {self.dice}"

    def _odds(self) -> Odds:
        return successes_odds(self.dice, self.sides, self._lucky)

    def _read(self, faces: Sequence[int]) -> Outcome:
        if self.at_least is None:
            return sum(face <= self._threshold for face in faces)
        return sum(face >= self._threshold for face in faces)

    def _expected(self) -> str:
        least = self.dice if self._lucky == self.sides else 0
        most = self.dice if self._lucky else 0
        return f"a whole number from {least} to {most}" if least < most else f"{least}, the only possible number"


@dataclass(frozen=True, slots=True, kw_only=True)
class Faces(_Pool):
    """How many of some equal dice fall in each band of faces; the outcome is the tuple of counts, band by band.

    Faces outside every band are misses without a name. Band names are singular nouns ("lock") or adjectives
    ("critical"); see `tell`.

    >>> shots = Faces(why="shots", dice=10, bands=(("critical", 1, 1), ("lock", 2, 3)))
    >>> shots.read([1, 1, 2, 2, 3, 4, 5, 6, 6, 6]), shots.tell((2, 3))
    ((2, 3), '2 critical, 3 locks')

    Raises:
        ValueError: a negative number of dice, a die without sides, no band, or bands that share a name or a face.
    """

    kind: ClassVar[str] = "faces"

    bands: tuple[tuple[str, int, int], ...]
    """Name, lowest and highest face of each; what lies outside the die never shows, so a band may also be empty."""

    def _validate(self) -> None:
        _require_entries("bands", self.bands)
        names = [name for name, _, _ in self.bands]
        if len(set(names)) < len(names):
            raise ValueError(f"bands {', '.join(names)}: expected a different name for each")
        faces = sorted(face for shown in self._shown() for face in shown)
        twice = [face for face, after in pairwise(faces) if face == after]
        if twice:
            raise ValueError(f"bands {', '.join(names)}: face {twice[0]} stands in two of them, expected one at most")

    def _shown(self) -> tuple[range, ...]:
        """The faces of the die in each band."""
        return tuple(range(max(low, 1), min(high, self.sides) + 1) for _, low, high in self.bands)

    def ask(self) -> str:
        """One sentence that tells a person at a table what to throw."""
        if not self.dice:
            return "nothing to roll"
        named = [
            f"each {_span(shown[0], shown[-1])} {'is ' if not told else ''}{_one(name)}"
            for told, (shown, name) in enumerate(
                (shown, name) for shown, (name, _, _) in zip(self._shown(), self.bands, strict=True) if shown
            )
        ]
        return f"roll {self.dice}D{self.sides}: {', '.join(named) or 'every die misses'}"

    def tell(self, outcome: Outcome) -> str:
        """An outcome in words, the counts in the order of the bands."""
        counts = self.accept(outcome)
        assert isinstance(counts, tuple)
        named = zip(counts, self.bands, strict=True)
        return ", ".join(f"{count} {name if count == 1 else _several(name)}" for count, (name, _, _) in named)

    def _odds(self) -> Odds:
        return faces_odds(self.dice, self.sides, tuple(len(shown) for shown in self._shown()))

    def _read(self, faces: Sequence[int]) -> Outcome:
        return tuple(sum(face in shown for face in faces) for shown in self._shown())

    def _expected(self) -> str:
        names = ", ".join(name for name, _, _ in self.bands)
        covered = sum(len(shown) for shown in self._shown()) == self.sides
        return f"{_count(len(self.bands), 'count')} ({names}), {'' if covered else 'at most '}{self.dice} together"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(Throw):
    """One die read off a table; the outcome is the index of the entry.

    >>> Table(why="morale", entries=((1, 4, "stands"), (5, 6, "runs"))).tell(1)
    'runs'

    Raises:
        ValueError: a die without sides, or entries that leave out a face, repeat one or go past the die.
    """

    kind: ClassVar[str] = "table"

    sides: int = 6
    entries: tuple[tuple[int, int, str], ...]
    """Lowest face, highest face and name of each; together they cover every face of the die once."""

    def __post_init__(self) -> None:
        """Refuse numbers that describe no throw."""
        _require("sides", self.sides, 1)
        _require_entries("entries", tuple((name, low, high) for low, high, name in self.entries))
        at = 1
        for low, high, name in sorted(self.entries, key=lambda entry: entry[:2]):
            if low != at or not low <= high <= self.sides:
                raise ValueError(
                    f"entry {name!r} covers {_span(low, high)}, expected it to begin at {at} and end by {self.sides}"
                )
            at = high + 1
        if at <= self.sides:
            raise ValueError(f"no entry covers {_span(at, self.sides)}, expected every face of a D{self.sides}")

    def to_throw(self) -> tuple[int, ...]:
        """Number of sides of each die that a person has to throw."""
        return (self.sides,)

    def ask(self) -> str:
        """One sentence that tells a person at a table what to throw."""
        return f"roll 1D{self.sides}: " + ", ".join(f"{_span(low, high)} {name}" for low, high, name in self.entries)

    def tell(self, outcome: Outcome) -> str:
        """An outcome in words: the name of the entry."""
        index = self.accept(outcome)
        assert isinstance(index, int)
        return self.entries[index][2]

    def _odds(self) -> Odds:
        return table_odds(self.sides, tuple(high - low + 1 for low, high, _ in self.entries))

    def _read(self, faces: Sequence[int]) -> Outcome:
        return next(i for i, (low, high, _) in enumerate(self.entries) if low <= faces[0] <= high)

    def _expected(self) -> str:
        named = ", ".join(f"{i} ({name})" for i, (_, _, name) in enumerate(self.entries))
        return f"the index of an entry: {named}"


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _require(name: str, value: object, least: int | None) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or (least is not None and value < least):
        wanted = "a whole number" if least is None else f"a whole number of at least {least}"
        raise ValueError(f"{name} is {value!r}, expected {wanted}")


def _require_entries(name: str, entries: tuple[tuple[str, int, int], ...]) -> None:
    if not entries:
        raise ValueError(f"{name} is empty, expected at least one")
    for title, low, high in entries:
        if not title:
            raise ValueError(f"{name} has one without a name, expected a name for each")
        _require(f"lowest face of {title!r}", low, None)
        _require(f"highest face of {title!r}", high, None)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun if number == 1 else noun + 's'}"


def _span(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low}-{high}"


def _is_adjective(name: str) -> bool:
    """Names of bands are nouns ("hit") unless they end as the usual adjectives do ("critical", "pinned")."""
    return name.endswith(("al", "ed"))


def _one(name: str) -> str:
    if _is_adjective(name):
        return name
    return f"an {name}" if name[0].lower() in "aeiou" else f"a {name}"


def _several(name: str) -> str:
    if _is_adjective(name):
        return name
    return f"{name}es" if name.endswith(("s", "x", "ch", "sh")) else f"{name}s"
