"""Questions about orders: who does what, at whom, and which of a few proposals."""

from __future__ import annotations

from dataclasses import replace

from tactician.agent.propose.candidates import candidates
from tactician.agent.view.layout import POINTS, ROLES
from tactician.agent.view.places import ask_place, ask_spot
from tactician.agent.view.question import Asked, Moment, Question, mask_of
from tactician.rules.core.action import Action, Pairs
from tactician.rules.core.choice import Assign, Choice, Declare, Nothing, OneOf, Put, Subset, Walk
from tactician.rules.core.targets import main_target

__all__ = ["ask", "ask_order"]

Step = Question | Action
"""The next question, or an action where nothing is left to ask."""


def ask(moment: Moment, choice: Choice) -> Step:
    """What is asked first about a choice."""
    domain = choice.domain
    if isinstance(domain, Nothing):
        return choice.bare()
    if isinstance(domain, OneOf | Declare):
        return _ask_targets(moment, choice, domain.options)
    if isinstance(domain, Assign):
        return _ask_main_target(moment, choice, domain)
    if isinstance(domain, Walk):
        return ask_place(moment, choice, domain)
    return ask_spot(moment, choice, domain) if isinstance(domain, Put) else _ask_proposal(moment, choice)


# ---- who does what ---------------------------------------------------------------------------------------------------


def ask_order(moment: Moment, choices: tuple[Choice, ...]) -> Question:
    """Who does what: no domain is looked at."""
    found = _numbered(moment, choices)

    def find(action: Action) -> int | None:
        rows = found.items()
        return next((i for i, one in rows if one.verb == action.verb and one.unit == action.unit), None)

    return Question(
        asked=Asked(stage="order", side=moment.side),
        mask=mask_of(moment.layout, found),
        answer=lambda index: ask(moment, found[index]),
        find=find,
    )


def _numbered(moment: Moment, choices: tuple[Choice, ...]) -> dict[int, Choice]:
    """The number of every choice that has one.

    Choices of nobody go by points. So do choices of units without a seat, but only where nothing else can be chosen.
    """
    layout, slot_of, side = moment.layout, moment.seats.slot, moment.side
    parting = moment.appraiser.parting_verbs
    found: dict[int, Choice] = {}
    points: list[Choice] = []
    seatless: list[Choice] = []
    for choice in choices:
        verb, unit = choice.verb, choice.unit
        if verb == "pass":
            found.setdefault(layout.option("pass"), choice)
        elif not unit:
            points.append(choice)
        else:
            slot = slot_of(side, unit)
            if slot is None or (verb in parting and not moment.has_room):
                seatless.append(choice)
            else:
                found.setdefault(layout.order(slot, verb), choice)
    if not found and not points:
        points = seatless
    for name, choice in zip(POINTS, points, strict=False):
        found[layout.option(name)] = choice
    return found


# ---- at whom ---------------------------------------------------------------------------------------------------------


def _ask_targets(moment: Moment, choice: Choice, options: tuple[Pairs, ...]) -> Step:
    """Targets by role, enemies with a seat or directions; proposals where no option names such alone."""
    if len(options) == 1:
        return replace(choice.bare(), targets=options[0])
    named = tuple(option for option in options if all(moment.aim(target) is not None for _, target in option))
    return _ask_role(moment, choice, named) if named else _ask_proposal(moment, choice)


def _ask_role(moment: Moment, choice: Choice, options: tuple[Pairs, ...]) -> Step:
    """The first role about which the options that are left differ."""
    for role in sorted({role for option in options for role, _ in option}, key=_rank):
        rows: dict[int, tuple[Pairs, ...]] = {}
        for option in options:
            target = dict(option).get(role)
            index = moment.layout.option("go on") if target is None else moment.aim(target)
            if index is not None:
                rows[index] = (*rows.get(index, ()), option)
        if len(rows) > 1:
            return _target_question(moment, choice, role, rows)
    return replace(choice.bare(), targets=options[0])


def _rank(role: str) -> tuple[int, str]:
    return (ROLES.index(role) if role in ROLES else len(ROLES), role)


def _target_question(moment: Moment, choice: Choice, role: str, rows: dict[int, tuple[Pairs, ...]]) -> Question:
    def find(action: Action) -> int | None:
        target = action.target(role)
        index = moment.layout.option("go on") if target is None else moment.aim(target)
        return index if index in rows else min(rows)

    return Question(
        asked=Asked(stage="target", side=moment.side, unit=choice.unit, verb=choice.verb, role=role),
        mask=mask_of(moment.layout, rows),
        answer=lambda index: _ask_role(moment, choice, rows[index]),
        find=find,
    )


def _ask_main_target(moment: Moment, choice: Choice, domain: Assign) -> Step:
    """At whom most models aim, among enemies with a seat; proposals where that does not tell assignments apart.

    An enemy's number stands for the first of the usual assignments whose models mostly aim at it.
    """
    rows: dict[int, Pairs] = {}
    for option in domain.usual:
        index = _aimed_at(moment, option)
        if index is not None:
            rows.setdefault(index, option)
    if len(rows) < 2:
        return _ask_proposal(moment, choice)

    def find(action: Action) -> int | None:
        index = _aimed_at(moment, action.targets)
        return index if index in rows else min(rows)

    return Question(
        asked=Asked(stage="target", side=moment.side, unit=choice.unit, verb=choice.verb, role=choice.verb),
        mask=mask_of(moment.layout, rows),
        answer=lambda index: replace(choice.bare(), targets=rows[index]),
        find=find,
    )


def _aimed_at(moment: Moment, targets: Pairs) -> int | None:
    """The number of the enemy that most models of an assignment aim at, or None."""
    target = main_target(moment.state, targets)
    return None if target is None else moment.foe(target)


# ---- proposals -------------------------------------------------------------------------------------------------------


def _ask_proposal(moment: Moment, choice: Choice) -> Step:
    """The first few proposals; no question where there is only one."""
    found = _proposals(moment, choice)
    if len(found) == 1:
        return found[0]
    rows = {moment.layout.option(name): action for name, action in zip(POINTS, found, strict=False)}

    def find(action: Action) -> int | None:
        return min(rows, key=lambda index: (_unlike(action, rows[index]), index))

    return Question(
        asked=Asked(stage="proposal", side=moment.side, unit=choice.unit, verb=choice.verb),
        mask=mask_of(moment.layout, rows),
        answer=lambda index: rows[index],
        find=find,
    )


def _proposals(moment: Moment, choice: Choice) -> list[Action]:
    """Candidates; where one model of a few is to be named, each of them."""
    found = list(candidates(moment.ruleset, moment.state, choice, len(POINTS)))
    domain = choice.domain
    if isinstance(domain, Subset) and domain.most == 1:
        for name in domain.ids:
            action = replace(choice.bare(), models=(name,))
            if action not in found and not choice.explain(moment.state, action):
                found.append(action)
    return found[: len(POINTS)]


def _unlike(action: Action, other: Action) -> tuple[int, bool, int, float]:
    """How far a proposal is from an action."""
    strangers = len(set(action.models) ^ set(other.models))
    a, b = action.mark, other.mark
    astray = a is not None and b is not None and a.model != b.model
    away = abs(a.inches - b.inches) if a is not None and b is not None else 0.0
    others = len(set(action.targets) ^ set(other.targets))
    return others, astray, strangers, away
