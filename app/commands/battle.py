"""Commands about one moment of a battle: new, check, apply, choices, show."""

from __future__ import annotations

from typing import Annotated

import typer
from tactician.commands.given import (
    DATA,
    GAMES,
    PICTURES,
    Throws,
    a_battle,
    is_file_name,
    made,
    outgoing,
    read_orders,
    ruleset_of,
    scenario_of,
    unit_of,
    write_battle,
)
from tactician.commands.told import note, say, say_json, table
from tactician.commands.words import (
    awaited,
    choice_data,
    choice_words,
    order_words,
    roll_data,
    told_roll,
    violation_data,
    violation_lines,
)
from tactician.errors import BAD_INPUT, ILLEGAL, bad, violation_words
from tactician.orders import nearest_order
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE
from tactician.rules.core.clauses import MALFORMED, Violation
from tactician.rules.core.codec import action_to_data
from tactician.rules.core.files import quoted
from tactician.rules.core.forms import nearest
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import SIDES, State
from tactician.say import did

__all__ = ["AsJson", "Battle", "Order", "apply", "check", "choices", "new", "show"]

Battle = Annotated[
    str | None,
    typer.Argument(
        metavar="[BATTLE]", help="A battle file, JSON or TOML; none for the built-in one.", show_default=False
    ),
]
Order = Annotated[
    str | None,
    typer.Argument(
        metavar="ACTION", help="An order in words, JSON, or the name of a file with JSON or TOML.", show_default=False
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Answer as JSON.")]


def new(
    out: Annotated[str, typer.Option("--out", help="The file to write, .json.", show_default=False)],
    rules: Annotated[str, typer.Option(help=GAMES, show_default=False)],
    size: Annotated[str, typer.Option(help="duel, skirmish or battle.")] = "",
    mission: Annotated[str, typer.Option(help="A scenario of the rulebook.")] = "",
    armies: Annotated[str, typer.Option(help="Red's and blue's army, as A,B.")] = "",
    table: Annotated[str, typer.Option(help="A table with its terrain.")] = "",
    option: Annotated[list[str] | None, typer.Option(help="An option of the rules, as name=value.")] = None,
    deployed: Annotated[
        bool, typer.Option("--deployed/--to-deploy", help="Units on the table already, or to be put down by players.")
    ] = True,
) -> None:
    """Write a battle to edit by hand."""
    place = outgoing(out, DATA, "--out")
    ruleset = ruleset_of(rules)
    scenario = scenario_of(
        ruleset, size=size, mission=mission, table=table, armies=armies, options=option or (), deployed=deployed
    )
    state = made(ruleset, scenario)
    write_battle(ruleset, state, place)
    say(f"{place}: {ruleset.describe(state).title}; {awaited(ruleset, state)}")


def check(battle: Battle = None, action: Order = None, as_json: AsJson = False) -> None:
    """Say whether an order is legal: exit 0 legal, 1 illegal, 2 bad input."""
    battle, action = _both(battle, action)
    ruleset, state = a_battle(battle)
    if action is None:
        raise bad("ACTION", f"missing, and {awaited(ruleset, state)}", "an order")
    state, order, violations = _first_illegal(ruleset, state, read_orders(ruleset, state, action))
    nearest = _nearest(ruleset, state, order) if violations else None
    if as_json:
        say_json(
            {
                "legal": not violations,
                "action": action_to_data(order),
                "text": order_words(ruleset, state, order),
                "violations": [violation_data(ruleset, one) for one in violations],
                "nearest": None
                if nearest is None
                else {"text": order_words(ruleset, state, nearest), "action": action_to_data(nearest)},
            }
        )
    else:
        _say_verdict(ruleset, state, violations, nearest)
    if violations:
        raise typer.Exit(_exit_code(violations))


def _both(battle: str | None, action: str | None) -> tuple[str | None, str | None]:
    """Battle and order out of one or two arguments: words or JSON alone are an order in the built-in battle."""
    if battle is not None and action is None and not is_file_name(battle):
        return None, battle
    return battle, action


def _first_illegal(
    ruleset: Ruleset, state: State, orders: tuple[Action, ...]
) -> tuple[State, Action, tuple[Violation, ...]]:
    """The first of some orders that is illegal after those before it, or else the last; its moment, what it breaks."""
    for order in orders[:-1]:
        violations = ruleset.check(state, order)
        if violations:
            return state, order, violations
        state = ruleset.apply(state, order)
    return state, orders[-1], ruleset.check(state, orders[-1])


def _nearest(ruleset: Ruleset, state: State, order: Action) -> Action | None:
    """The order as far as it is legal, where it names a unit that is there."""
    if order.unit and not state.has_unit(order.unit):
        return None
    return nearest_order(ruleset, state, order)


def _say_verdict(ruleset: Ruleset, state: State, violations: tuple[Violation, ...], nearest: Action | None) -> None:
    """Legal, or what is broken; what makes no sense at all is told as an error of the input."""
    if not violations:
        say("legal")
        return
    note(*(f"error: ACTION: {violation_words(one)}" for one in violations if one.clause == MALFORMED))
    say(*violation_lines(ruleset, tuple(one for one in violations if one.clause != MALFORMED)))
    if nearest is not None:
        say(f"nearest legal order: {order_words(ruleset, state, nearest)}")


def _exit_code(violations: tuple[Violation, ...]) -> int:
    """Orders that make no sense here are bad input, those that break rules are illegal."""
    return BAD_INPUT if any(one.clause == MALFORMED for one in violations) else ILLEGAL


def apply(
    out: Annotated[str, typer.Option("--out", help="The file to write, .json.", show_default=False)],
    battle: Battle = None,
    action: Annotated[
        str | None,
        typer.Argument(metavar="[ACTION]", help="As for check; none while dice are awaited.", show_default=False),
    ] = None,
    dice: Annotated[
        str, typer.Option(help="Dice in the order thrown, as 3,5; =N for an outcome instead of faces.")
    ] = "",
) -> None:
    """Take one step; real dice are typed in, and without them the file waits for its dice."""
    place = outgoing(out, DATA, "--out")
    battle, action = _both(battle, action)
    ruleset, state = a_battle(battle)
    throws = Throws(dice)
    log: list[str] = []
    if ruleset.to_move(state) != CHANCE:
        state = _ordered(ruleset, state, action, log)
    elif action is not None:
        raise bad("ACTION", awaited(ruleset, state), "--dice and no order")
    elif not throws.left:
        raise bad("--dice", f"missing while {awaited(ruleset, state)}")
    while throws.left and ruleset.to_move(state) == CHANCE:
        roll = ruleset.pending(state)
        outcome = throws.next(roll)
        log.append(told_roll(roll, outcome))
        state = ruleset.resolve(state, outcome)
        log += state.log
    throws.check_all_used(awaited(ruleset, state))
    write_battle(ruleset, state, place)
    say(*log, awaited(ruleset, state))


def _ordered(ruleset: Ruleset, state: State, given: str | None, log: list[str]) -> State:
    """The moment after the orders given, if all are legal; what was done is noted.

    Raises:
        BadInput: nothing was ordered, or it cannot be read.
        typer.Exit: an order is illegal; why has been said.
    """
    if given is None:
        raise bad("ACTION", f"missing, and {awaited(ruleset, state)}", "an order")
    for order in read_orders(ruleset, state, given):
        violations = ruleset.check(state, order)
        if violations:
            _say_verdict(ruleset, state, violations, _nearest(ruleset, state, order))
            raise typer.Exit(_exit_code(violations))
        log.append(did(ruleset, state, ruleset.to_move(state), order))
        state = ruleset.apply(state, order)
        log += state.log
    return state


def choices(battle: Battle = None, as_json: AsJson = False) -> None:
    """List what the side to move may do, or what the dice are asked."""
    ruleset, state = a_battle(battle)
    mover = ruleset.to_move(state)
    offered = ruleset.choices(state)
    roll = ruleset.pending(state) if mover == CHANCE else None
    if as_json:
        data = {"to_move": mover, "choices": [choice_data(ruleset, state, choice) for choice in offered]}
        say_json(data if roll is None else {**data, "roll": roll_data(roll)})
        return
    say(awaited(ruleset, state))
    if roll is not None:
        table(("outcome", "chance"), ((roll.tell(outcome), str(share)) for outcome, share in roll.exact()))
    elif offered:
        rows = (
            (one.unit, one.verb, choice_words(state, one), order_words(ruleset, state, one.canonical(state)))
            for one in offered
        )
        table(("unit", "verb", "answers", "for example"), rows)


def show(
    picture: Annotated[str, typer.Option(help="The picture to write, .svg or .png.", show_default=False)],
    battle: Battle = None,
    reach: Annotated[str, typer.Option(help="A unit whose reach is drawn.", show_default=False)] = "",
    threat: Annotated[str, typer.Option(help="Whose threat is drawn: red, blue or both.", show_default=False)] = "",
) -> None:
    """Draw a battle to scale, with what a unit reaches or where a side can shoot and strike next turn if asked for."""
    from tactician.pictures import save, with_reach

    place = outgoing(picture, PICTURES, "--picture")
    sides = _sides(threat)
    ruleset, state = a_battle(battle)
    drawing = ruleset.describe(state)
    if sides:
        from tactician.threats import with_threat

        drawing = with_threat(drawing, ruleset, state, sides)
    if reach:
        drawing = with_reach(drawing, ruleset, state, unit_of(state, reach, "--reach"))
    save(drawing, place)
    say(f"{place}: {drawing.title}", *drawing.caption, awaited(ruleset, state))


def _sides(threat: str) -> tuple[str, ...]:
    """The sides whose threat is asked for; none where nothing is.

    Raises:
        BadInput: it is no side.
    """
    if not threat:
        return ()
    known = (*SIDES, "both")
    if threat not in known:
        raise bad("--threat", f"found {quoted(threat)}", "red, blue or both", nearest(threat, known))
    return SIDES if threat == "both" else (threat,)
