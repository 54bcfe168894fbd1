"""Commands that look ahead: path, suggest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any

import typer
from tactician.commands.battle import AsJson, Battle
from tactician.commands.given import PICTURES, a_battle, outgoing, point_of
from tactician.commands.kernels import begin_warming
from tactician.commands.ledger import Ledger, ledger_of, ledger_words
from tactician.commands.told import gap_words, inches, measure_now, say, say_json
from tactician.commands.ways import Mover, move_types, mover_of
from tactician.commands.words import awaited, order_words
from tactician.errors import ILLEGAL, bad, violation_words
from tactician.rules.core.action import Action
from tactician.rules.core.clauses import Violation
from tactician.rules.core.codec import action_to_data
from tactician.rules.core.going import entered
from tactician.rules.core.legs import Bend, Climb, Drop, Leg, Pose, Straight, walk
from tactician.rules.core.measure import within
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.shapes import length

if TYPE_CHECKING:
    from tactician.agent.by_eye import Measure
    from tactician.rules.paths.scene import Way

__all__ = ["path", "suggest"]

TOO_CLOSE = 0.01
"""Inches of margin under which people with a tape measure would not agree."""

NEAR = 3.0
"""Inches from an enemy's base within which the length of a way would tell how far away that enemy is."""

FAR = 20.0
"""Way looked for where no budget is given, in half outlines of the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The answer to a question for a way."""

    ruleset: Ruleset
    mover: Mover
    goal: Pose
    budget: float | None
    way: Way | None
    verdicts: tuple[tuple[str, float, Action, tuple[Violation, ...]], ...]
    """For each verb that the unit is offered: inches it grants, the order, and what it breaks."""
    enemy: str
    """Where nobody may measure and the place is near an enemy: that enemy's unit; else empty."""
    measure: Measure
    """How the way is measured."""

    @property
    def cost(self) -> float:
        """Inches of the way, as far as they may be known; 0 without one."""
        if self.way is None:
            return 0.0
        return self.measure.gap(self.way.cost, self.mover.unit.id, self.enemy) if self.enemy else self.way.cost


def path(
    model: Annotated[str, typer.Option(help="The model that walks, by id.", show_default=False)],
    to: Annotated[str, typer.Option("--to", help="Where its centre is to end, X,Y in inches.", show_default=False)],
    battle: Battle = None,
    budget: Annotated[float | None, typer.Option(help="Inches that may be spent; none for no limit.")] = None,
    on: Annotated[str | None, typer.Option(help="The surface of the place, where several lie over each other.")] = None,
    verb: Annotated[str | None, typer.Option(help="The verb to move by, for what that move may not touch.")] = None,
    picture: Annotated[str | None, typer.Option(help="A picture of it, .svg or .png.", show_default=False)] = None,
    as_json: AsJson = False,
) -> None:
    """Find the exact cheapest way of a model: its legs, its cost, and which moves it is good for.

    Over ground that costs nothing it is the shortest; slow ground and fees of obstacles are told apart from its
    length.

    Exit 0 where there is a way, 1 where there is none.
    """
    place = None if picture is None else outgoing(picture, PICTURES, "--picture")
    if budget is not None and not (isfinite(budget) and budget >= 0):
        raise bad("--budget", f"found {budget}", "a number of inches from 0 up")
    target = point_of(to, "--to")
    ruleset, state = a_battle(battle)
    board = state.board
    if not (0 <= target[0] <= board.width and 0 <= target[1] <= board.height):
        raise bad("--to", f"found {to}", f"a point on the table of {board.width:g} x {board.height:g} inches")
    mover = mover_of(ruleset, state, model, verb)
    goal = mover.goal(target, on)
    found = _found(ruleset, mover, goal, budget, verb)
    way = found.way
    if as_json:
        say_json(_data(found))
    else:
        say(*_lines(found))
    if way is not None and place is not None:
        from tactician.pictures import save, way_shapes, with_shapes

        told = gap_words(found.measure, found.cost) if found.enemy else inches(found.cost)
        shapes = way_shapes(state, model, way.legs, mover.rates, told)
        save(with_shapes(ruleset.describe(state), shapes, f"{model}: {told}"), place)
    if way is None:
        raise typer.Exit(ILLEGAL)


def _found(ruleset: Ruleset, mover: Mover, goal: Pose, budget: float | None, verb: str | None) -> Found:
    """The way, exactly or, near an enemy whose distance nobody may measure, by eye."""
    board, measure = mover.state.board, measure_now(ruleset, mover.state)
    enemy = "" if measure.exact else _enemy_near(mover, goal)
    anywhere = FAR * (board.width + board.height)
    way = mover.way(goal, anywhere if budget is None or enemy else budget)
    verdicts = () if way is None or enemy else _verdicts(ruleset, mover, way, verb)
    found = Found(
        ruleset=ruleset,
        mover=mover,
        goal=goal,
        budget=budget,
        way=way,
        verdicts=verdicts,
        enemy=enemy,
        measure=measure,
    )
    is_too_far = bool(enemy) and budget is not None and not within(found.cost, budget)
    return replace(found, way=None) if is_too_far else found


def _enemy_near(mover: Mover, goal: Pose) -> str:
    """The unit of the enemy nearest to a place, if it is near; else empty."""
    rows = [
        (length(goal.x - model.pose.x, goal.y - model.pose.y) - unit.radius - mover.unit.radius, unit.id)
        for unit in mover.state.against(mover.unit.side)
        for model in unit.models
    ]
    away, name = min(rows, default=(NEAR + 1.0, ""))
    return name if away <= NEAR else ""


def _verdicts(
    ruleset: Ruleset, mover: Mover, way: Way, verb: str | None
) -> tuple[tuple[str, float, Action, tuple[Violation, ...]], ...]:
    """What each move that the unit is offered makes of the way, walked by this model while its mates stand still."""
    state, unit = mover.state, mover.unit.id
    legs = mover.straightened(way)
    found = []
    for name, kind in move_types(ruleset, state, unit):
        if verb is not None and name != verb:
            continue
        action = Action(verb=name, unit=unit, paths=((mover.model, legs),))
        found.append((name, kind.allowance, action, ruleset.check(state, action)))
    return tuple(found)


def _leg_words(leg: Leg) -> str:
    match leg:
        case Straight(to=to):
            return f"straight to {_point(to)}"
        case Bend(centre=centre, to=to, turn=turn):
            return f"arc {turn} about {_point(centre)} to {_point(to)}"
        case Climb(surface=surface):
            return f"climb to {surface}"
        case Drop(surface=surface):
            return f"drop to {surface}"


def _point(point: tuple[float, float]) -> str:
    return f"({point[0]:.4f}, {point[1]:.4f})"


def _lines(found: Found) -> list[str]:
    way, mover, goal = found.way, found.mover, found.goal
    where = f"{_point(goal.point)} on {goal.surface}"
    if way is None:
        limit = "" if found.budget is None else f" within {found.budget:g} inches"
        eye = f", by eye: it ends near {found.enemy}" if found.enemy else ""
        inside = [fee.name for fee, _ in entered(mover.going, goal, mover.unit.radius)]
        rest = f": nobody may rest half way across {inside[0]}" if inside else ""
        return [f"{mover.model}: no way to {where}{limit}{eye}{rest}"]
    if found.enemy:
        return list(_guessed_lines(found, way, where))
    lines = [
        f"{mover.model} from {_point(mover.start.point)} on {mover.start.surface} to {where}: {way.cost:.4f} inches"
    ]
    if found.budget is not None:
        close = "; too close to tell with a tape measure" if way.margin < TOO_CLOSE else ""
        lines.append(f"margin {way.margin:.4f} of {found.budget:g}{close}")
    state = mover.state
    spent = 0.0
    for number, leg in enumerate(way.legs):
        total = mover.paid(way.legs[: number + 1])
        lines.append(f"  {number + 1}. {_leg_words(leg)}: {total - spent:.4f}")
        spent = total
    ledger = _ledger(found, way)
    lines += [] if ledger is None else [f"  {text}" for text in ledger_words(ledger)]
    for name, allowance, action, violations in found.verdicts:
        broken = ", ".join(f"{one.clause}{f' [{one.against}]' if one.against else ''}" for one in violations)
        lines.append(f"{name} ({allowance:g}), its mates standing still: {f'breaks {broken}' if broken else 'legal'}")
        if not violations:
            lines.append(f"    {order_words(found.ruleset, state, action)}")
    return lines


def _ledger(found: Found, way: Way) -> Ledger | None:
    """What the way costs item by item, where the ground costs anything and everybody may know."""
    mover = found.mover
    if mover.going is None or found.enemy:
        return None
    stretches = walk(mover.start, way.legs, mover.state.board)
    return ledger_of(mover.going, stretches, mover.rates, mover.unit.radius)


def _ledger_data(ledger: Ledger) -> dict[str, Any]:
    fees = [{"obstacle": name, "inches": inches} for name, inches in ledger.fees]
    slow = {"pieces": list(ledger.slow_pieces), "inches": ledger.slow}
    return {"length": ledger.length, "slow_ground": slow, "fees": fees}


def _guessed_lines(found: Found, way: Way, where: str) -> Iterator[str]:
    """A way whose length would tell how far away an enemy is, while nobody may measure that."""
    mover = found.mover
    start = f"{_point(mover.start.point)} on {mover.start.surface}"
    yield f"{mover.model} from {start} to {where}: {gap_words(found.measure, found.cost)}"
    yield f"  it ends near {found.enemy}, and nobody may measure now"
    yield from (f"  {number}. {_leg_words(leg)}" for number, leg in enumerate(way.legs, start=1))


def _data(found: Found) -> dict[str, Any]:
    way, mover, goal = found.way, found.mover, found.goal
    data: dict[str, Any] = {
        "model": mover.model,
        "from": {"at": list(mover.start.point), "surface": mover.start.surface},
        "to": {"at": list(goal.point), "surface": goal.surface},
        "budget": found.budget,
        "found": way is not None,
    }
    if way is None:
        return data
    ways = Action(verb="way", paths=((mover.model, way.legs),))
    ledger = _ledger(found, way)
    data |= {} if ledger is None else {"ledger": _ledger_data(ledger)}
    return data | {
        "cost": found.cost,
        "by_eye": bool(found.enemy),
        "margin": None if found.budget is None or found.enemy else way.margin,
        "legs": action_to_data(ways)["paths"][mover.model] if way.legs else [],
        "points": [list(point) for point in way.points],
        "moves": [
            {
                "verb": name,
                "inches": allowance,
                "far_enough": within(way.cost, allowance),
                "legal": not violations,
                "violations": [violation_words(one) for one in violations],
                "action": None if violations else action_to_data(action),
            }
            for name, allowance, action, violations in found.verdicts
        ],
    }


def suggest(
    battle: Battle = None,
    top: Annotated[int, typer.Option(min=1, max=100, help="How many orders at most.")] = 3,
    time: Annotated[float, typer.Option(help="Seconds to think.")] = 0.5,
    unit: Annotated[str, typer.Option(help="Only orders of this unit, by id.", show_default=False)] = "",
    by: Annotated[str, typer.Option(help="The policy that proposes, by name.", show_default=False)] = "",
    turn: Annotated[bool, typer.Option("--turn", help="Look ahead to the end of the turn, after every order.")] = False,
    picture: Annotated[str | None, typer.Option(help="Draw the best one, .svg or .png.", show_default=False)] = None,
    as_json: AsJson = False,
) -> None:
    """Say what the side to move should do: the best orders with values, reasons and odds, best first.

    Each comes with what it gains and loses on average, the enemy's best answer, its ways and places by tape and the
    orders that follow. While units are put down the whole army's places are proposed too.
    """
    from tactician.commands.army import army_data, army_lines, army_of, with_army
    from tactician.commands.plans import plan_data, plan_lines, plans

    begin_warming()
    place = None if picture is None else outgoing(picture, PICTURES, "--picture")
    if not (isfinite(time) and time >= 0):
        raise bad("--time", f"found {time}", "a number of seconds from 0 up")
    ruleset, state = a_battle(battle)
    found = plans(ruleset, state, top, time, unit=unit, by=by, whole_turn=turn)
    army = None if unit else army_of(ruleset, state, time)
    if as_json:
        more = {} if army is None else {"army": army_data(ruleset, state, army)}
        say_json({"plans": [plan_data(plan) for plan in found], **more})
    else:
        say(awaited(ruleset, state))
        say(*(() if army is None else army_lines(ruleset, state, army)))
        for number, plan in enumerate(found, start=1):
            say(*plan_lines(number, plan))
    if place is not None:
        from tactician.pictures import save, with_action

        best, drawing = found[0], ruleset.describe(state)
        if army is not None:
            save(with_army(drawing, state, army), place)
        else:
            save(with_action(drawing, ruleset, state, best.action, f"1. {best.text}"), place)
