"""Any action as one line of text that reads back equal.

A line names the unit and the verb, then only what the action holds, in this order::

    line    = [unit] verb {role=target} {model} ["order" {model}] ["mark" model "at" inches] [entry {";" entry}]
    entry   = model ":" {leg}                                       the way of a model
            | model "@" point ["on" surface] ["facing" degrees]     the place of a model
    leg     = point                                                 straight to a point
            | "arc" turn centre "to" point                          round a centre, turning left or right
            | "climb" surface ["part" number] | "drop" surface ["part" number]
    point   = x "," y

For example::

    R move shoot=B charge=B2 R1: 14,10 climb ledge 13,31; R2: 14,12
    A run order a2 a1 a1: arc left 20,8 to 20.63,8 20.63,12; a2: 3,4
    R deploy R1 @ 10,4; R2 @ 10,5.25 on ledge facing 90
    W shoot mark R1 at 5.5
    R remove R1 R4
    pass

A line of one word is a verb. Names are letters, digits and ``_ ' . - +``; any other name, an empty one, and a name
that is the word ``order`` or ``mark`` stands in double quotes, with a backslash before a quote or a backslash in it.
A unit is left out only where nothing follows the verb; otherwise its place is held by ``""``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from tactician.rules.core.action import Action, Mark
from tactician.rules.core.legs import Bend, Climb, Drop, Leg, Path, Pose, Straight
from tactician.rules.core.measure import is_finite
from tactician.rules.core.shapes import Point
from tactician.rules.core.terrain import GROUND

__all__ = ["NotationError", "action_from_text", "action_to_text"]

RESERVED = ("order", "mark")
"""Words that begin a part of the line where a name could stand."""

TOKEN = re.compile(
    r"""\s*(?:(?P<word>[\w'.+-]+)|"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<sign>[,:;@=]))""", re.ASCII | re.DOTALL
)
PLAIN = re.compile(r"[\w'.+-]+", re.ASCII)

T = TypeVar("T")


class NotationError(ValueError):
    """A line that cannot be read; the message says what was expected at which character."""


# ---- writing ---------------------------------------------------------------------------------------------------------


def action_to_text(action: Action) -> str:
    """One line that `action_from_text` reads back equal."""
    parts = [f"{_name(role)}={_name(target)}" for role, target in action.targets]
    parts += [_name(model) for model in action.models]
    if action.order:
        parts.append(f"order {' '.join(_name(model) for model in action.order)}")
    if action.mark is not None:
        parts.append(f"mark {_name(action.mark.model)} at {_number(action.mark.inches)}")
    entries = [f"{_name(model)}:{''.join(f' {_leg(leg)}' for leg in path)}" for model, path in action.paths]
    entries += [f"{_name(model)} @ {_place(pose)}" for model, pose in action.places]
    if entries:
        parts.append("; ".join(entries))
    head = [_name(action.unit)] if action.unit or parts else []
    return " ".join([*head, _name(action.verb), *parts])


def _name(name: str) -> str:
    if PLAIN.fullmatch(name) and name not in RESERVED:
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'


def _number(value: float) -> str:
    """A number as short as it can be while it reads back equal."""
    return repr(float(value)).removesuffix(".0")


def _point(point: Point) -> str:
    return f"{_number(point[0])},{_number(point[1])}"


def _leg(leg: Leg) -> str:
    match leg:
        case Straight(to=to):
            return _point(to)
        case Bend(centre=centre, to=to, turn=turn):
            return f"arc {_name(turn)} {_point(centre)} to {_point(to)}"
        case Climb(surface=surface, part=part) | Drop(surface=surface, part=part):
            word = "climb" if isinstance(leg, Climb) else "drop"
            return f"{word} {_name(surface)}" + (f" part {_number(part)}" if part != 1.0 else "")


def _place(pose: Pose) -> str:
    surface = f" on {_name(pose.surface)}" if pose.surface != GROUND else ""
    return f"{_point(pose.point)}{surface}" + (f" facing {_number(pose.bearing)}" if pose.bearing else "")


# ---- reading ---------------------------------------------------------------------------------------------------------


def action_from_text(text: str) -> Action:
    """The action that a line stands for.

    Raises:
        NotationError: it cannot be read, with the place in the text.
    """
    line = _Line(text)
    first = line.name("a verb, or a unit and a verb")
    if line.ended:
        return Action(verb=first)
    verb = line.name("a verb")
    targets = line.while_(lambda: line.sees_name and line.sign_after == "=", line.target)
    models = line.while_(lambda: line.sees_name and not line.sign_after, lambda: line.name("a model"))
    order: tuple[str, ...] = ()
    if line.take("order"):
        order = line.while_(lambda: line.sees_name and not line.sign_after, lambda: line.name("a model"))
    mark = line.mark() if line.take("mark") else None
    paths: list[tuple[str, Path]] = []
    places: list[tuple[str, Pose]] = []
    while not line.ended:
        if (paths or places) and not line.take(";"):
            raise line.fault("';' or the end of the line")
        model = line.name("a model with ':' and its way, or '@' and its place")
        if line.take(":"):
            paths.append((model, line.path()))
        elif line.take("@"):
            places.append((model, line.pose()))
        else:
            raise line.fault(f"':' or '@' after {model}")
    return Action(
        verb=verb,
        unit=first,
        order=order,
        paths=tuple(paths),
        targets=tuple(sorted(targets)),
        models=models,
        places=tuple(places),
        mark=mark,
    )


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    kind: str
    """``word``, ``quoted`` or ``sign``."""
    place: int
    """Character of the line that it begins at, from 1."""


class _Line:
    """A line taken apart into names, numbers and signs, read from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[_Token] = []
        self.next = 0
        at, stop = 0, len(text.rstrip())
        while at < stop:
            found = TOKEN.match(text, at)
            if found is None:
                place = stop - len(text[at:stop].lstrip())
                raise NotationError(f"at character {place + 1}: cannot read {text[place : place + 12]!r}")
            kind = found.lastgroup or ""
            value = found[kind]
            begin = found.start(kind) + (kind != "quoted")
            self.tokens.append(_Token(_unescaped(value) if kind == "quoted" else value, kind, begin))
            at = found.end()

    def fault(self, wanted: str) -> NotationError:
        """What was expected instead of the next token."""
        if self.ended:
            return NotationError(f"at the end of the line: expected {wanted}")
        token = self.tokens[self.next]
        return NotationError(f"at character {token.place} ({token.text!r}): expected {wanted}")

    @property
    def ended(self) -> bool:
        """Whether nothing is left."""
        return self.next == len(self.tokens)

    @property
    def sees_name(self) -> bool:
        """Whether a name comes next: quoted, or a plain word that begins no part of the line."""
        if self.ended:
            return False
        token = self.tokens[self.next]
        return token.kind == "quoted" or (token.kind == "word" and token.text not in RESERVED)

    @property
    def sign_after(self) -> str:
        """The sign after the next token, if one of those that make it more than a bare name stands there."""
        following = self.tokens[self.next + 1 : self.next + 2]
        is_sign = bool(following) and following[0].kind == "sign" and following[0].text in ":@="
        return following[0].text if is_sign else ""

    def while_(self, more: Callable[[], bool], read: Callable[[], T]) -> tuple[T, ...]:
        """Everything that is read while there is more."""
        found = []
        while more():
            found.append(read())
        return tuple(found)

    def take(self, word: str) -> bool:
        """Go past an unquoted word or sign if it comes next."""
        if self.ended or self.tokens[self.next].kind == "quoted" or self.tokens[self.next].text != word:
            return False
        self.next += 1
        return True

    def need(self, word: str) -> None:
        """Go past a word or sign that has to come next."""
        if not self.take(word):
            raise self.fault(f"{word!r}")

    def name(self, wanted: str) -> str:
        """A name."""
        if not self.sees_name:
            raise self.fault(wanted)
        self.next += 1
        return self.tokens[self.next - 1].text

    def target(self) -> tuple[str, str]:
        """A role and its target."""
        role = self.name("a role")
        self.need("=")
        return role, self.name(f"what to {role}")

    def mark(self) -> Mark:
        """A model and the inches of its way."""
        model = self.name("a model")
        self.need("at")
        return Mark(model=model, inches=self.number())

    def number(self) -> float:
        """A number."""
        token = None if self.ended else self.tokens[self.next]
        try:
            value = float(token.text) if token is not None and token.kind == "word" else float("nan")
        except ValueError:
            value = float("nan")
        if not is_finite(value):
            raise self.fault("a number")
        self.next += 1
        return value

    def point(self) -> Point:
        """A point x,y."""
        x = self.number()
        self.need(",")
        return x, self.number()

    def path(self) -> Path:
        """Legs up to the next entry."""
        legs: list[Leg] = []
        while not self.ended and not (self.tokens[self.next].kind == "sign" and self.tokens[self.next].text == ";"):
            legs.append(self.leg())
        return tuple(legs)

    def leg(self) -> Leg:
        """One leg."""
        if self.take("arc"):
            turn = self.name("left or right")
            if turn not in ("left", "right"):
                self.next -= 1
                raise self.fault("left or right")
            centre = self.point()
            self.need("to")
            return Bend(centre, self.point(), turn)
        for word, kind in (("climb", Climb), ("drop", Drop)):
            if self.take(word):
                surface = self.name("a surface")
                return kind(surface, self.number()) if self.take("part") else kind(surface)
        token = self.tokens[self.next]
        if token.kind != "word" or token.text.strip("0123456789.+-e"):
            raise self.fault("a point x,y, 'arc', 'climb' or 'drop'")
        return Straight(self.point())

    def pose(self) -> Pose:
        """A place, with its surface and bearing."""
        x, y = self.point()
        surface = self.name("a surface") if self.take("on") else GROUND
        return Pose(x, y, surface, self.number() if self.take("facing") else 0.0)


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "r": "\r"}.get(found[1], found[1]), text, flags=re.DOTALL)
