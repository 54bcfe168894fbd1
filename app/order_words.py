"""The words of an order: tokens with their columns, names of units, models and surfaces, and errors about them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from tactician.rules.core.forms import nearest
from tactician.rules.core.measure import is_finite
from tactician.rules.core.shapes import Point
from tactician.rules.core.state import State, Unit

__all__ = [
    "Line",
    "OrderError",
    "Token",
    "find_model",
    "find_surface",
    "find_unit",
    "nearest_unit",
    "one_unit",
    "only_close",
    "unit_readings",
]

NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?"

TOKEN = re.compile(
    rf"""\s*(?:
    (?P<point>\(?\s*(?P<x>{NUMBER})\s*,\s*(?P<y>{NUMBER})\s*\)?(?![\w.]))
    | (?P<number>{NUMBER})(?:"|''|\s?in(?:ch(?:es)?)?\b)?(?![\w.])
    | (?P<pair>\w[\w'.+-]*=(?:"[^"]*"|\w[\w'.+-]*(?::\w[\w'.+-]*)?))
    | "(?P<quoted>[^"]*)"
    | (?P<word>\w[\w'.+-]*)
    | (?P<sign>[;,?])
    )""",
    re.VERBOSE | re.IGNORECASE,
)

MOST_CHARACTERS = 20_000
"""Length above which an order cannot be meant."""

FAR = 1e6
"""Inches beyond which a coordinate cannot be meant."""


class OrderError(ValueError):
    """Words that are no order here: what was not understood, where, and what was expected instead."""

    def __init__(
        self, found: str, *, expected: str = "", column: int = 0, hint: str = "", is_sure: bool = False
    ) -> None:
        """Put the message together.

        Args:
            found: what was not understood.
            expected: what could stand there.
            column: where it stands in the line, from 1; 0 where it is not about one place.
            hint: the nearest known names, as `tactician.rules.core.forms.nearest` puts them.
            is_sure: whether it is clear what was meant, so that no other reading of the line has to be tried.
        """
        place = f"column {column}: " if column else ""
        wanted = f"; expected {expected}" if expected else ""
        super().__init__(f"{place}{found}{wanted}{hint}")
        self.found, self.expected, self.column, self.hint = found, expected, column, hint
        self.is_sure = is_sure


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One word, number, point or sign of a line."""

    kind: str
    """``word``, ``quoted``, ``number``, ``point``, ``pair`` (a model and its target, ``a1=E1``) or ``sign``."""
    text: str
    column: int
    """From 1."""
    point: Point = (0.0, 0.0)
    number: float = 0.0

    @property
    def lower(self) -> str:
        """The text in small letters."""
        return self.text.lower()


class Line:
    """An order as tokens, read from left to right."""

    def __init__(self, text: str) -> None:
        """Cut the text into tokens.

        Raises:
            OrderError: it is too long, or a character in it belongs to no order.
        """
        if len(text) > MOST_CHARACTERS:
            raise OrderError(f"a line of {len(text)} characters", expected=f"at most {MOST_CHARACTERS}")
        self.text = text
        self.tokens = tuple(_tokens(text))
        self.next = 0

    @property
    def ended(self) -> bool:
        """Whether nothing is left."""
        return self.next >= len(self.tokens)

    @property
    def here(self) -> Token:
        """The next token, or an empty one at the end."""
        return self.peek(0)

    def peek(self, ahead: int) -> Token:
        """A token further on, or an empty one past the end."""
        place = self.next + ahead
        if place < len(self.tokens):
            return self.tokens[place]
        return Token(kind="end", text="", column=len(self.text) + 1)

    def sees(self, *words: str) -> bool:
        """Whether one of some words (in small letters) comes next, unquoted."""
        return self.here.kind in ("word", "sign") and self.here.lower in words

    def take(self, *words: str) -> bool:
        """Go past one of some words if one comes next."""
        if not self.sees(*words):
            return False
        self.next += 1
        return True

    def skip(self, *words: str) -> None:
        """Go past all words of a kind that say nothing."""
        while self.take(*words):
            pass

    def point(self, what: str) -> Point:
        """A point that has to come next."""
        token = self.here
        if token.kind != "point":
            raise self.fault(f"a point x,y {what}".rstrip())
        self.next += 1
        return token.point

    def number(self, what: str) -> float:
        """A number that has to come next."""
        token = self.here
        if token.kind != "number":
            raise self.fault(f"a number {what}".rstrip())
        self.next += 1
        return token.number

    def fault(self, expected: str, hint: str = "") -> OrderError:
        """What is wrong with the next token."""
        token = self.here
        found = "the order ends" if token.kind == "end" else f"{token.text!r} is not understood"
        return OrderError(found, expected=expected, column=token.column, hint=hint)


def _tokens(text: str) -> Iterable[Token]:
    at, end = 0, len(text.rstrip())
    while at < end:
        found = TOKEN.match(text, at)
        if found is None:
            column = at + 1 + len(text[at:]) - len(text[at:].lstrip())
            hint = f"{text[column - 1]!r} is not understood"
            raise OrderError(hint, expected="words, numbers and points x,y", column=column)
        at = found.end()
        yield _token(found)


def _token(found: re.Match[str]) -> Token:
    kind = "point" if found["point"] else (found.lastgroup or "")
    column = found.start(kind) + 1
    if kind == "point":
        x, y = float(found["x"]), float(found["y"])
        _ordinary(x, found["point"], column)
        _ordinary(y, found["point"], column)
        return Token(kind="point", text=found["point"], column=column, point=(x, y))
    text = found[kind]
    if kind == "number":
        return Token(kind=kind, text=text, column=column, number=_ordinary(float(text), text, column))
    return Token(kind=kind, text=text.rstrip(".") if kind == "word" else text, column=column)


def _ordinary(value: float, text: str, column: int) -> float:
    if not is_finite(value) or abs(value) >= FAR:
        raise OrderError(f"{text.strip()!r} lies off every table", expected="inches", column=column)
    return value


# ---- names -----------------------------------------------------------------------------------------------------------


def matching_units(text: str, units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """The units that a text names, the surest reading first: id, name, a model's id, the beginning of a name."""
    wanted = text.lower()
    readings = (
        [unit for unit in units if unit.id.lower() == wanted],
        [unit for unit in units if unit.name.lower() == wanted],
        [unit for unit in units if any(model.id.lower() == wanted for model in unit.models)],
        [unit for unit in units if unit.name.lower().startswith(wanted) or unit.id.lower().startswith(wanted)],
        [unit for unit in units if any(word.startswith(wanted) for word in unit.name.lower().split())],
    )
    return tuple(next((found for found in readings if found), []))


def unit_readings(line: Line, state: State, prefer: str, words: int = 4) -> Iterator[tuple[tuple[Unit, ...], int]]:
    """The units that the next words can name, with how many words that takes, the longest name first.

    Args:
        line: the order; it is not gone past.
        state: the moment.
        prefer: the side whose units are thought of first.
        words: most words of a name.
    """
    ours = tuple(unit for unit in state.units if unit.side == prefer)
    theirs = tuple(unit for unit in state.units if unit.side != prefer)
    for count in range(words, 0, -1):
        tokens = [line.peek(i) for i in range(count)]
        if any(token.kind not in ("word", "quoted", "number") for token in tokens):
            continue
        text = " ".join(token.text for token in tokens)
        found = matching_units(text, ours) or matching_units(text, theirs)
        if found:
            yield tuple(unit for unit in found if unit.models) or found, count


def one_unit(found: tuple[Unit, ...], token: Token) -> Unit:
    """The only unit of a reading.

    Raises:
        OrderError: there are several.
    """
    if len(found) > 1:
        listed = " or ".join(f"{unit.id} ({unit.name})" for unit in found)
        raise OrderError(f"{token.text!r} can be {listed}", expected="one unit; say its id", column=token.column)
    return found[0]


def find_unit(line: Line, state: State, prefer: str) -> Unit:
    """The unit named next; the line goes past its name.

    Raises:
        OrderError: none or several are meant.
    """
    token = line.here
    for found, count in unit_readings(line, state, prefer):
        unit = one_unit(found, token)
        line.next += count
        return unit
    if token.kind not in ("word", "quoted"):
        raise line.fault("a unit")
    raise OrderError(f"there is no unit {token.text!r}", column=token.column, hint=nearest_unit(token.text, state))


def nearest_unit(text: str, state: State) -> str:
    """A hint at the unit that may have been meant, or at all of them where few."""
    ids = tuple(unit.id for unit in state.units)
    return only_close(text.lower(), (*(unit.name.lower() for unit in state.units), *ids)) or nearest(text, ids)


def only_close(text: str, known: tuple[str, ...]) -> str:
    """A hint at the nearest known word; empty where none is near."""
    close = get_close_matches(text, known, n=1, cutoff=0.7)
    return f"; did you mean {close[0]!r}?" if close else ""


def find_model(text: str, known: tuple[str, ...], column: int) -> str:
    """A model's id as the game writes it.

    Raises:
        OrderError: none of the known ids is meant; the message names the nearest.
    """
    for one in known:
        if one.lower() == text.lower():
            return one
    found = f"there is no model {text!r} here"
    raise OrderError(found, column=column, hint=nearest(text, known))


def find_surface(line: Line, state: State) -> str:
    """The surface named next; the line goes past it.

    Raises:
        OrderError: none or several are meant.
    """
    token = line.here
    known = tuple(surface.id for surface in state.board.surfaces)
    if token.kind not in ("word", "quoted"):
        raise line.fault(f"a surface: {', '.join(known)}")
    wanted = token.lower
    found = [one for one in known if one.lower() == wanted] or [one for one in known if one.lower().startswith(wanted)]
    if len(found) != 1:
        text = f"{token.text!r} can be {' or '.join(found)}" if found else f"there is no surface {token.text!r}"
        hint = "" if found else only_close(wanted, known)
        raise OrderError(text, expected=f"one of {', '.join(known)}", column=token.column, hint=hint)
    line.next += 1
    return found[0]
