"""Questions about dice in words, such as ``2d6>=8``, and their answers as text.

The grammar, in which spaces and capitals do not matter::

    question  = sum [compare number] | dice "each" compare number [":" compare number]
    sum       = ["+" | "-"] term {("+" | "-") term}
    term      = dice | number
    dice      = [count] "d" sides ["dl" number] ["dh" number]      dl and dh drop so many of the lowest and highest
    compare   = ">=" | "<=" | ">" | "<" | "="
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from tactician.rules.core.chance import Successes, Total
from tactician.rules.core.odds import one_more_die

__all__ = ["Comparison", "DiceTerm", "OddsAnswer", "OddsQuestion", "answer_odds", "odds_lines", "parse_odds"]

MOST_DICE = 100
MOST_SIDES = 1000
MOST_NUMBER = 1_000_000
MOST_TEXT = 200
MOST_DROP_WORK = 60_000
"""Limit of dice x dice x sides where dice are dropped: about a quarter of a second."""

BAR = 40
"""Characters of the longest bar of a histogram."""
MOST_ROWS = 120
"""A histogram with more values than this shows them in groups."""

_TOKEN = re.compile(r"\s*(?:([0-9]+)|(each|dl|dh|d|>=|<=|>|<|=|\+|-|:))", re.IGNORECASE | re.ASCII)
_COMPARE: tuple[tuple[str, Callable[[int, int], bool]], ...] = (
    (">=", operator.ge),
    ("<=", operator.le),
    (">", operator.gt),
    ("<", operator.lt),
    ("=", operator.eq),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A limit that a number is held against."""

    sign: str
    """One of ``>= <= > < =``."""
    number: int

    def holds(self, value: int) -> bool:
        """Whether the value stands in this relation to the number."""
        return next(compare for sign, compare in _COMPARE if sign == self.sign)(value, self.number)


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceTerm:
    """Some equal dice that are added or taken away, a few of the lowest or highest possibly left out."""

    count: int
    sides: int
    drop_lowest: int = 0
    drop_highest: int = 0
    is_subtracted: bool = False

    @property
    def is_dropping(self) -> bool:
        """Whether dice are left out."""
        return self.drop_lowest + self.drop_highest > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsQuestion:
    """What was asked: the sum of dice and a number, or how many dice of one pool succeed."""

    dice: tuple[DiceTerm, ...]
    add: int = 0
    each: Comparison | None = None
    """If given, the single term of `dice` is a pool, and a die that meets this is a success."""
    wanted: Comparison | None = None
    """What the sum or the number of successes is held against; without it only the distribution is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsAnswer:
    """How likely the comparison is, if there was one, and how likely each value is, in ascending order."""

    probability: Fraction | None
    distribution: tuple[tuple[int, Fraction], ...]


def parse_odds(text: str) -> OddsQuestion:
    """Read a question about dice.

    >>> parse_odds("3d6dl1 >= 9").wanted
    Comparison(sign='>=', number=9)

    Raises:
        ValueError: the text does not follow the grammar or asks for too much; names the place and what was expected.
    """
    if len(text) > MOST_TEXT:
        raise ValueError(f"odds {text[:30]!r}...: {len(text)} characters, expected at most {MOST_TEXT}")
    return _Reader(text).question()


def answer_odds(question: OddsQuestion) -> OddsAnswer:
    """Work out a question that `parse_odds` accepted, exactly."""
    lowest, ways = _pool_ways(question) if question.each else _sum_ways(question)
    everything = sum(ways)
    wanted = question.wanted
    hits = sum(number for value, number in enumerate(ways, start=lowest) if wanted is not None and wanted.holds(value))
    return OddsAnswer(
        probability=None if wanted is None else Fraction(hits, everything),
        distribution=tuple(
            (value, Fraction(number, everything)) for value, number in enumerate(ways, start=lowest) if number
        ),
    )


def odds_lines(answer: OddsAnswer) -> list[str]:
    """An answer as lines of text: exact fraction, per cent, and a histogram with one line for each value.

    More than `MOST_ROWS` values are shown in groups of equal width.
    """
    lines = []
    if answer.probability is not None:
        lines += [f"chance    {answer.probability}", f"per cent  {_per_cent(answer.probability)}"]
    rows = _rows(answer.distribution)
    label_width = max(len(label) for label, _ in rows)
    longest = max(fraction for _, fraction in rows)
    for label, fraction in rows:
        bar = "#" * round(BAR * fraction / longest)
        lines.append(f"{label:>{label_width}}  {_per_cent(fraction):>7}  {bar}".rstrip())
    return lines


def _rows(distribution: tuple[tuple[int, Fraction], ...]) -> list[tuple[str, Fraction]]:
    first, last = distribution[0][0], distribution[-1][0]
    width = -(-(last - first + 1) // MOST_ROWS)
    if width == 1:
        return [(str(value), fraction) for value, fraction in distribution]
    sums = [0.0] * -(-(last - first + 1) // width)
    for value, fraction in distribution:
        sums[(value - first) // width] += float(fraction)
    starts = range(first, last + 1, width)
    labels = [f"{at}..{min(at + width - 1, last)}" if at < last else f"{at}" for at in starts]
    return [(label, Fraction(part)) for label, part in zip(labels, sums, strict=True)]


def _per_cent(probability: Fraction) -> str:
    """With one decimal; what is possible is not called 0, and what may fail is not called 100."""
    tenths = round(probability * 1000)
    if tenths == 0 and probability > 0:
        return "<0.1 %"
    if tenths == 1000 and probability < 1:
        return ">99.9 %"
    return f"{tenths // 10}.{tenths % 10} %"


def _pool_ways(question: OddsQuestion) -> tuple[int, list[int]]:
    """Ways of each number of successes, from none upwards."""
    (pool,) = question.dice
    assert question.each is not None
    # every face is equally likely: only how many of them succeed matters, so any comparison is an "at most"
    lucky = sum(question.each.holds(face) for face in range(1, pool.sides + 1))
    roll = Successes(why="odds", dice=pool.count, sides=pool.sides, at_most=lucky)
    ways = [0] * (pool.count + 1)
    for number, fraction in roll.exact():
        assert isinstance(number, int)
        ways[number] = int(fraction * pool.sides**pool.count)
    return 0, ways


def _sum_ways(question: OddsQuestion) -> tuple[int, list[int]]:
    """The smallest sum, and ways of each sum from it upwards."""
    lowest, ways = question.add, [1]
    for term in question.dice:
        kept = term.count - term.drop_lowest - term.drop_highest
        lowest += -kept * term.sides if term.is_subtracted else kept
    # terms that drop dice are short by their limit, so they are joined before the plain dice make the list long
    for term in (term for term in question.dice if term.is_dropping):
        ways = _joined(ways, _dropping_ways(term))
    for term in (term for term in question.dice if not term.is_dropping):
        for _ in range(term.count):  # a die counted downwards has the same ways
            ways = one_more_die(ways, term.sides)
    return lowest, ways


def _dropping_ways(term: DiceTerm) -> list[int]:
    roll = Total(
        why="odds",
        dice=term.count,
        sides=term.sides,
        drop_lowest=term.drop_lowest,
        drop_highest=term.drop_highest,
    )
    ways = [int(fraction * term.sides**term.count) for _, fraction in roll.exact()]
    return ways[::-1] if term.is_subtracted else ways


def _joined(first: list[int], second: list[int]) -> list[int]:
    """Ways of each sum of two independent parts: a product of polynomials, carried out as one of large integers."""
    width = (sum(first) * sum(second)).bit_length() // 8 + 1
    packed = [b"".join(number.to_bytes(width, "little") for number in part) for part in (first, second)]
    product = int.from_bytes(packed[0], "little") * int.from_bytes(packed[1], "little")
    raw = product.to_bytes(width * (len(first) + len(second) - 1), "little")
    return [int.from_bytes(raw[at : at + width], "little") for at in range(0, len(raw), width)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Token:
    word: str
    """A number, a word or a sign in lower case; empty at the end of the text."""
    at: int
    """Index of its first character."""


class _Reader:
    """Reads a question from left to right, one token ahead."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._token = _Token(word="", at=0)
        self._next_at = 0
        self._advance()

    def question(self) -> OddsQuestion:
        start = self._token.at
        add, terms = self._sum()
        if not terms:
            raise self._wrong("at least one die, such as d6", at=start)
        each = None
        if self._token.word == "each":
            if len(terms) > 1 or add or terms[0].is_dropping or terms[0].is_subtracted:
                raise self._wrong("'each' after one plain pool of dice, such as 10d6 each >=4")
            self._advance()
            each = self._comparison()
            wanted = self._comparison() if self._skipped(":") else None
        else:
            wanted = self._comparison() if self._token.word in {sign for sign, _ in _COMPARE} else None
        if self._token.word:
            raise self._wrong(self._continuation(is_pool=each is not None, is_complete=wanted is not None))
        return OddsQuestion(dice=terms, add=add, each=each, wanted=wanted)

    def _continuation(self, *, is_pool: bool, is_complete: bool) -> str:
        if is_complete:
            return "nothing more"
        return "':' or the end" if is_pool else "'+', '-', 'each', a comparison (>= <= > < =) or the end"

    def _sum(self) -> tuple[int, tuple[DiceTerm, ...]]:
        add = 0
        terms: list[DiceTerm] = []
        sign = self._token.word if self._token.word in ("+", "-") else ""
        if sign:
            self._advance()
        while True:
            start = self._token.at
            number = self._number("dice or a number, such as 2d6") if self._token.word != "d" else None
            if self._token.word == "d":
                terms.append(self._dice(number, start, is_subtracted=sign == "-"))
                if sum(term.count for term in terms) > MOST_DICE:
                    raise self._wrong(f"at most {MOST_DICE} dice in all", at=start)
                if sum(term.count**2 * term.sides for term in terms if term.is_dropping) > MOST_DROP_WORK:
                    raise self._wrong("fewer dice or sides where dice are dropped", at=start)
            else:
                assert number is not None
                add += -number if sign == "-" else number
            sign = self._token.word
            if sign not in ("+", "-"):
                return add, tuple(terms)
            self._advance()

    def _dice(self, count: int | None, start: int, *, is_subtracted: bool) -> DiceTerm:
        count = 1 if count is None else count
        if not 1 <= count <= MOST_DICE:
            raise self._wrong(f"1 to {MOST_DICE} dice", at=start)
        self._advance()
        place = self._token.at
        sides = self._number("the number of sides, such as d6")
        if not 1 <= sides <= MOST_SIDES:
            raise self._wrong(f"1 to {MOST_SIDES} sides", at=place)
        place = self._token.at
        lowest = self._number("how many of the lowest dice to drop") if self._skipped("dl") else 0
        highest = self._number("how many of the highest dice to drop") if self._skipped("dh") else 0
        if lowest + highest >= count:
            raise self._wrong(f"to keep at least one of {count} dice", at=place)
        return DiceTerm(count=count, sides=sides, drop_lowest=lowest, drop_highest=highest, is_subtracted=is_subtracted)

    def _comparison(self) -> Comparison:
        sign = self._token.word
        if sign not in {sign for sign, _ in _COMPARE}:
            raise self._wrong("a comparison (>= <= > < =)")
        self._advance()
        is_negative = self._skipped("-")
        number = self._number("a whole number to compare with")
        return Comparison(sign=sign, number=-number if is_negative else number)

    def _number(self, expected: str) -> int:
        if not self._token.word.isdigit():
            raise self._wrong(expected)
        number = int(self._token.word)
        if number > MOST_NUMBER:
            raise self._wrong(f"a number of at most {MOST_NUMBER}")
        self._advance()
        return number

    def _skipped(self, word: str) -> bool:
        """Whether the word stands here; it is passed if so."""
        if self._token.word != word:
            return False
        self._advance()
        return True

    def _advance(self) -> None:
        rest = self._text[self._next_at :]
        at = self._next_at + len(rest) - len(rest.lstrip())
        match = _TOKEN.match(self._text, self._next_at)
        if match is not None:
            self._token = _Token(word=(match[1] or match[2]).lower(), at=at)
            self._next_at = match.end()
        elif rest.strip():
            raise self._wrong("dice (2d6), a number, '+', '-', 'each', ':' or a comparison (>= <= > < =)", at=at)
        else:
            self._token = _Token(word="", at=len(self._text))

    def _wrong(self, expected: str, at: int | None = None) -> ValueError:
        at = self._token.at if at is None else at
        found = repr(self._text[at : at + 12]) if self._text[at:].strip() else "the end of the text"
        return ValueError(f"odds {self._text!r}: at character {at + 1} ({found}): expected {expected}")
