"""Orders in words: what people type at the table, the same everywhere, and what actions look like in these words.

For example: ``troopers move to 20,14``, ``troopers advance 4 toward E2 shoot E2``, ``troopers assault E2``,
``troopers move to 20,14; b3 to 12.5,9``, ``remove b1 b3``, ``deploy at 10,4``, ``troopers shoot E2 with b1 b2``. The
grammar stands in `tactician.order_reader`; the lossless line of `tactician.rules.core.notation` is understood as well.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tactician.order_aims import nearest_assignment
from tactician.order_reader import Reader
from tactician.order_text import plain, spellings
from tactician.order_ways import contact_paths
from tactician.order_words import Line, OrderError, unit_readings
from tactician.rules.core.action import Action, Pairs
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.choice import Assign, Choice, Declare
from tactician.rules.core.forms import nearest
from tactician.rules.core.notation import NotationError, action_from_text, action_to_text
from tactician.rules.core.referee import nearest_legal
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State

__all__ = ["Order", "OrderError", "Request", "nearest_order", "plain", "read", "read_each", "read_line", "words"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What was ordered: actions to be taken one after another."""

    actions: tuple[Action, ...]
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Something asked of the program rather than of the models."""

    what: str
    """``suggest``, ``take``, ``why``, ``undo``, ``save``, ``picture``, ``threat``, ``concede``, ``quit``, ``help``,
    ``yes``, ``no``, ``show`` or ``orders``."""
    argument: str = ""


PLAIN_REQUESTS = {
    "?": "suggest",
    "suggest": "suggest",
    "hint": "suggest",
    "undo": "undo",
    "concede": "concede",
    "resign": "concede",
    "quit": "quit",
    "exit": "quit",
    "help": "help",
    "y": "yes",
    "yes": "yes",
    "n": "no",
    "no": "no",
    "show": "show",
    "orders": "orders",
    "choices": "orders",
}

WITH_ARGUMENT = {
    "why": "an order or the number of a suggestion",
    "save": "a file",
    "picture": "a file",
    "threat": "a file",
}


def read_line(ruleset: Ruleset, state: State, text: str) -> Order | Request:
    """An order, or a request such as ``?``, ``2``, ``undo`` or ``save F``.

    Raises:
        OrderError: it is neither.
    """
    line = text.strip()
    if line.lower() in PLAIN_REQUESTS:
        return Request(what=PLAIN_REQUESTS[line.lower()])
    if line.isascii() and line.isdigit() and len(line) < 3:
        return Request(what="take", argument=line)
    first, _, rest = line.partition(" ")
    if first.lower() == "help":
        return Request(what="help", argument=rest.strip())
    if first.lower() in WITH_ARGUMENT:
        if not rest.strip():
            wanted = WITH_ARGUMENT[first.lower()]
            raise OrderError(f"{first.lower()!r} needs more", expected=wanted, column=len(first) + 1)
        return Request(what=first.lower(), argument=rest.strip())
    return read(ruleset, state, text)


def read(ruleset: Ruleset, state: State, text: str) -> Order:
    """The actions that an order stands for.

    Args:
        ruleset: the game.
        state: the moment; somebody has to decide in it.
        text: the order, in words or as the lossless line.

    Raises:
        OrderError: it cannot be understood; the message says where, what was expected and the nearest known name.
    """
    mover = ruleset.to_move(state)
    if mover == TERMINAL:
        raise OrderError("the game is over", expected="no order")
    if mover == CHANCE:
        raise OrderError("dice must fall first", expected=ruleset.pending(state).ask())
    try:
        return Order(actions=_actions(ruleset, state, text), text=text.strip())
    except OrderError as error:
        exact = None if error.is_sure else _lossless(ruleset, state, text)
        if isinstance(exact, Action):
            return Order(actions=(exact,), text=text.strip())
        raise (exact or error) from None


def read_each(ruleset: Ruleset, state: State, text: str) -> tuple[Action, ...]:
    """An order, or where it names no verb the same way under every verb that could be meant, for a question.

    ``A3 to 17.5,10`` is so asked about for each command that moves A3's unit.

    Raises:
        OrderError: it cannot be understood.
    """
    try:
        return read(ruleset, state, text).actions[:1]
    except OrderError as error:
        found = _under_each_verb(ruleset, state, text)
        if not found:
            raise error from None
        return found


def _under_each_verb(ruleset: Ruleset, state: State, text: str) -> tuple[Action, ...]:
    line = Line(text)
    readings = list(unit_readings(line, state, ruleset.to_move(state)))
    if not readings or len(readings[-1][0]) > 1:
        return ()
    (unit,), count = readings[-1]
    is_model = any(model.id.lower() == line.here.lower for model in unit.models)
    rest = text if is_model else text[line.peek(count).column - 1 :]
    found: list[Action] = []
    for choice in ruleset.choices(state):
        if choice.unit == unit.id and isinstance(choice.domain, Declare) and any(choice.domain.kinds):
            verb = choice.verb.replace("_", " ")
            try:
                found += _actions(ruleset, state, f'"{unit.id}" {verb}{";" if is_model else ""} {rest}')
            except OrderError:
                continue
    return tuple(found)


def _actions(ruleset: Ruleset, state: State, text: str) -> tuple[Action, ...]:
    """The orders of a line, each read at the moment after the one before."""
    line, found = Line(text), list[Action]()
    mover = ruleset.to_move(state)
    while True:
        action = Reader(ruleset, state, line).order()
        found.append(action)
        column = line.here.column
        if not line.take("then"):
            return tuple(found)
        if ruleset.check(state, action):
            return tuple(found)
        state = ruleset.apply(state, action)
        if ruleset.to_move(state) != mover:
            raise OrderError("'then' comes too early: something else happens first", expected=";", column=column)


def _lossless(ruleset: Ruleset, state: State, text: str) -> Action | OrderError | None:
    """The action of a lossless line; what is wrong with it if only such a line could be meant."""
    if not any(sign in text for sign in (":", "@", "=", " order ", " mark ")):
        return None
    try:
        action = action_from_text(text)
    except NotationError as error:
        return OrderError(str(error)) if any(sign in text for sign in ":@=") else None
    if action.verb not in ruleset.info.verbs:
        return OrderError(f"there is no verb {action.verb!r}", hint=nearest(action.verb, ruleset.info.verbs))
    return action


def words(ruleset: Ruleset, state: State, action: Action) -> str:
    """An action as an order that reads back equal: in words of the formation, of its models, or else losslessly."""
    for text in spellings(ruleset, state, action):
        try:
            if _actions(ruleset, state, text) == (action,):
                return text
        except OrderError:
            continue
    return action_to_text(action)


# ---- the nearest legal order -----------------------------------------------------------------------------------------


def nearest_order(ruleset: Ruleset, state: State, action: Action) -> Action | None:
    """The legal action nearest to an illegal one: its targets if they can be had, its ways as far as legal.

    Returns:
        None where the verb cannot be ordered at all, or nothing of the action is left.
    """
    for choice in ruleset.choices(state):
        if choice.verb != action.verb or choice.unit != action.unit:
            continue
        wanted = _retargeted(state, choice, action)
        found = wanted if not ruleset.check(state, wanted) else nearest_legal(ruleset, state, wanted)
        return found if found is not None and found != action else None
    return None


def _retargeted(state: State, choice: Choice, action: Action) -> Action:
    """The action with the offered targets that have most in common with those it names, and still a way toward them."""
    domain = choice.domain
    if isinstance(domain, Assign):
        asked_for = replace(choice.bare(), targets=action.targets)
        if not choice.explain(state, asked_for):
            return asked_for
        return replace(asked_for, targets=nearest_assignment(state, domain, action.targets))
    if not isinstance(domain, Declare) or action.targets in domain.options:
        return action
    asked, aimed_at = set(action.targets), {target for _, target in action.targets}

    def likeness(option: Pairs) -> tuple[int, int, int]:
        same = sum(1 for _, target in option if target in aimed_at)
        return len(asked & set(option)), same, -len(option)

    best = max(domain.options, key=likeness)
    aimed = replace(action, targets=best)
    charged = action.target("charge")
    kind = domain.kind_for(aimed)
    if action.paths or charged is None or kind is None or not state.has_unit(charged):
        return aimed
    return replace(aimed, paths=contact_paths(state, state.unit(action.unit), state.unit(charged), kind, action.verb))
