"""Texts for a person at the table: the situation, what may be ordered, what an order breaks, how dice fell.

Nothing here prints; every function returns lines or one line.
"""

from __future__ import annotations

from itertools import groupby
from typing import Protocol, runtime_checkable

from tactician.commands.told import per_cent
from tactician.order_aims import main_targets
from tactician.order_text import plain, rounded
from tactician.order_ways import centre_of
from tactician.rules.core.action import Action
from tactician.rules.core.chance import Outcome, Roll
from tactician.rules.core.choice import Assign, Choice, Declare, OneOf, Put, Subset, Walk
from tactician.rules.core.clauses import MALFORMED, Violation
from tactician.rules.core.measure import shown
from tactician.rules.core.movement import MoveType, judge
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import SIDES, State, Unit, other_side

__all__ = ["HELP", "did", "fell", "offers", "prompt", "result", "situation", "violations"]

HELP = """\
Type an order, or one of these:
  ?            suggestions, best first; 1 to 5 takes one (1 alone takes the best)
  orders       what may be ordered now          show         the table in words
  why ORDER    whether it is legal, and if not why; why 2 tells the reasons of a suggestion
  undo         back to before your last order, unless dice have fallen
  save FILE    picture FILE    concede    quit    help
  threat FILE  a picture of where each side can shoot and strike in its next turn
Units go by id, name or the beginning of a name; targets by id or name; places are x,y in inches.
  R1 move to 20,14              the formation as it stands, its centre to that point
  R1 advance 4 toward B1 shoot B1     R1 run along 12,8 18,8 18,14     R1 move by 0,4
  R1 assault B1                 charges and runs into contact; also: R1 charge B1 with move
  R1 move to 20,14; R1c to 21,12      single models after ';'; R1c stay leaves one behind
  R1 shoot B1     snap B1     R1 defend     R1 ditch to 9,6     pass     stay
  R1 shoot B1 with R1a R1b      some models only; R1 shoot R1a=B1 R1b=B2 where models choose their own targets
  R2 covering fire at B1      R2 intervene to 9,6     (for a friend nearby)     R1 drag B1a
  R1 overwatch     R1 turn to B1     R1 turn ne     R1 hide     R1 fire     R1 break off
  remove R1b R1c     deploy at 10,4     R1 split R1a R1b     join R2     R1 arrive at 18,0.5     R1 raid
In along-lists: climb NAME and drop NAME (drop ground) change the floor at that place."""


@runtime_checkable
class _KnowsFacts(Protocol):
    def fact(self, state: State, path: str) -> float | str | bool: ...


# ---- clauses ---------------------------------------------------------------------------------------------------------


def violations(ruleset: Ruleset, found: tuple[Violation, ...]) -> tuple[str, ...]:
    """A line for each broken clause: its id and text, measured against limit and place, the worst model first."""
    texts = {clause.id: clause.text for clause in ruleset.clauses}
    ranked = sorted(found, key=lambda one: (bool(one.because_of), one.clause))
    return tuple(
        _broken(list(group), texts.get(clause, ""))
        for (_, clause, _), group in groupby(ranked, key=lambda one: (bool(one.because_of), one.clause, one.text))
    )


def _broken(group: list[Violation], text: str) -> str:
    worst = max(group, key=lambda one: abs((one.measured or 0.0) - (one.limit or 0.0)))
    if worst.clause == MALFORMED:
        return "; ".join(dict.fromkeys(f"{one.subject}: {one.text}" if one.subject else one.text for one in group))
    others = [one.subject for one in group if one is not worst]
    more = f"; the same: {', '.join(dict.fromkeys(others))}" if others else ""
    follows = f" (follows from {worst.because_of})" if worst.because_of else ""
    head = f"{worst.clause} ({text})" if text else worst.clause
    own = f"; {worst.text}" if worst.measured is None and worst.text else ""
    return f"{head}: {worst.subject or 'the order'}{_numbers(worst)}{own}{more}{follows}"


def _numbers(one: Violation) -> str:
    at = f" at ({rounded(one.at[0])}, {rounded(one.at[1])})" if one.at is not None else ""
    against = f" against {one.against}" if one.against else ""
    if one.measured is None:
        return f"{against}{at}"
    if one.limit == 0.0 and one.measured < 0.0 and one.unit == '"':
        return f' cuts in {shown(-one.measured)}, limit 0"{against}{at}'
    limit = f", limit {one.limit:g}{one.unit}" if one.limit is not None else ""
    return f" {one.measured:.2f}{one.unit}{limit}{against}{at}"


# ---- the situation ---------------------------------------------------------------------------------------------------


def situation(ruleset: Ruleset, state: State, side: str) -> tuple[str, ...]:
    """Turn, score and points, then every unit with its place and status, the side's own first."""
    drawing = ruleset.describe(state)
    lines = [drawing.title, *(f"  {line}" for line in drawing.caption)]
    for one in (side, other_side(side)):
        lines += [f"  {_unit_line(ruleset, state, unit)}" for unit in state.units if unit.side == one and unit.models]
    return tuple(lines)


def _unit_line(ruleset: Ruleset, state: State, unit: Unit) -> str:
    x, y = centre_of(unit.models)
    count = f"{len(unit.models)} model{'s' if len(unit.models) > 1 else ''}"
    status = ", ".join(_status(ruleset, state, unit))
    place = f"({rounded(x)}, {rounded(y)})"
    return f"{unit.side} {unit.id} {unit.name}: {count} about {place}{'; ' + status if status else ''}"


def _status(ruleset: Ruleset, state: State, unit: Unit) -> list[str]:
    """Restrictions, engagement and cover, where the game knows such facts."""
    told: list[str] = []
    if not isinstance(ruleset, _KnowsFacts):
        return told
    for name, words in (("restrictions", "may not again: {}"), ("engaged", "engaged"), ("cover", "cover {:g}")):
        try:
            value = ruleset.fact(state, f"units.{unit.id}.{name}")
        except LookupError:
            continue
        if value:
            told.append(words.format(value.replace(" ", ", ") if isinstance(value, str) else value))
    return told


def offers(ruleset: Ruleset, state: State) -> tuple[str, ...]:
    """What may be ordered now, a line for each unit."""
    by_unit: dict[str, list[str]] = {}
    for choice in ruleset.choices(state):
        by_unit.setdefault(choice.unit, []).append(_offer(state, choice))
    lines = []
    for name, offered in by_unit.items():
        who = f"{name} ({state.unit(name).name}): " if name and state.has_unit(name) else "or "
        lines.append(f"  {who}{', '.join(offered)}")
    return tuple(lines)


def _offer(state: State, choice: Choice) -> str:
    verb = choice.verb.replace("_", " ")
    match choice.domain:
        case Declare(kinds=kinds, options=options):
            inches = max((kind.allowance for kind in kinds if kind is not None), default=None)
            targets = dict.fromkeys(f"{role} {target}" for option in options for role, target in option)
            far = f' up to {inches:g}"' if inches is not None else ""
            return f"{verb}{far}" + (f" [{', '.join(targets)}]" if targets else "")
        case OneOf(options=options):
            return f"{verb} [{', '.join(dict.fromkeys(target for option in options for _, target in option))}]"
        case Assign() as domain:
            return f"{verb} [{', '.join(main_targets(state, domain))}]"
        case Walk() as domain:
            return f'{verb} up to {domain.farthest(state, choice):g}"'
        case Subset(ids=ids, least=least, most=most):
            return f"{verb} {least if least == most else f'{least} to {most}'} of {', '.join(ids)}"
    return verb


def prompt(ruleset: Ruleset, state: State) -> str:
    """The one question that the present decision asks."""
    side, choices = ruleset.to_move(state), ruleset.choices(state)
    only = choices[0] if len(choices) == 1 else None
    match only.domain if only is not None else None:
        case Walk() as domain if only is not None:
            text = f'where does {only.unit} go, up to {domain.farthest(state, only):g}"? (to x,y; ... toward B1; stay)'
        case Subset(least=least, ids=ids) if only is not None:
            text = f"{only.verb} {least} of {', '.join(ids)}: which?"
        case Assign() as domain if only is not None:
            text = f"{only.unit} {only.verb}: at whom? ({', '.join(main_targets(state, domain))})"
        case Put() if only is not None:
            text = f"{only.verb} {only.unit}: where? (at x,y)"
        case _:
            text = "your answer?" if any(choice.verb == "pass" for choice in choices) else "your order?"
    return f"{side}: {text} (? for suggestions) > "


# ---- what happened ---------------------------------------------------------------------------------------------------


def did(ruleset: Ruleset, state: State, side: str, action: Action) -> str:
    """What a side does, with the inches paid and the clause that grants them."""
    return f"{side}: {plain(state, action)}{_paid(ruleset, state, action)}"


def _paid(ruleset: Ruleset, state: State, action: Action) -> str:
    kind = _kind_of(ruleset, state, action)
    if kind is None or not action.paths:
        return ""
    verdict = judge(state, state.unit(action.unit), kind, dict(action.paths), action.order)
    return f' ({shown(verdict.farthest)} of {kind.allowance:g}" [{kind.budget.clause}])'


def _kind_of(ruleset: Ruleset, state: State, action: Action) -> MoveType | None:
    for choice in ruleset.choices(state):
        if choice.verb == action.verb and choice.unit == action.unit:
            match choice.domain:
                case Walk(kind=kind):
                    return kind
                case Declare() as declared:
                    return declared.kind_for(action)
    return None


def fell(roll: Roll, outcome: Outcome) -> str:
    """How dice fell, with the odds of just this and, for numbers, of at least this."""
    support = roll.support()
    exactly = sum(share for one, share in support if one == outcome)
    odds = f"{per_cent(exactly)} for just this"
    if isinstance(outcome, int) and roll.kind in ("total", "successes") and len(support) > 2:
        more = sum(share for one, share in support if isinstance(one, int) and one >= outcome)
        odds += (
            f", {per_cent(min(more, 1.0))} for this or more" if outcome not in (support[0][0], support[-1][0]) else ""
        )
    return f"dice: {roll.why}: {roll.ask()} -> {roll.tell(outcome)} ({odds})"


def result(ruleset: Ruleset, state: State) -> str:
    """How a finished game ended."""
    red, blue = ruleset.returns(state)
    winner = SIDES[0] if red > blue else SIDES[1] if blue > red else ""
    return f"the game is over by {ruleset.ending(state)}: {winner + ' wins' if winner else 'a draw'}"
