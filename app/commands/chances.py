"""Odds: of dice in words, and of what a unit could do in a battle."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import hypot
from typing import Annotated, Any

import typer
from tactician.commands.battle import AsJson
from tactician.commands.expectation import Expectation, expect, mean
from tactician.commands.given import a_battle, is_file_name, unit_of
from tactician.commands.told import inches, per_cent, say, say_json
from tactician.commands.ways import move_types, mover_for, mover_of
from tactician.commands.words import awaited, order_words
from tactician.errors import bad, violation_words
from tactician.rules.core.action import Action, pairs
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.choice import Declare, OneOf
from tactician.rules.core.forms import nearest
from tactician.rules.core.legs import Straight
from tactician.rules.core.measure import CLOSED_MARGIN, Inches, within
from tactician.rules.core.movement import MoveType
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import Model, State, gap

__all__ = ["odds"]

odds = typer.Typer(
    name="odds", help="Exact odds: of dice, or of what a unit could do.", no_args_is_help=True, add_completion=False
)

UnitName = Annotated[str, typer.Argument(metavar="UNIT", help="A unit, by id or name.", show_default=False)]
Rest = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[TARGET] [BATTLE]", help="An enemy unit; a battle file (else the built-in battle).", show_default=False
    ),
]


@odds.command("roll")
def roll(
    question: Annotated[str, typer.Argument(metavar="'2d6>=8'", help="Dice in words.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Odds of dice: 2d6>=8, d6+3, 3d6dl1>=9, 10d6 each>=4:>=5."""
    from tactician.odds_words import answer_odds, odds_lines, parse_odds

    try:
        answer = answer_odds(parse_odds(question))
    except ValueError as error:
        raise bad("", str(error)) from None
    if as_json:
        probability = answer.probability
        say_json(
            {
                "question": question,
                "exact": None if probability is None else str(probability),
                "probability": None if probability is None else float(probability),
                "distribution": _shares(answer.distribution),
            }
        )
        return
    say(*odds_lines(answer))


@odds.command("march", hidden=True)
def march(unit: UnitName, rest: Rest = None) -> None:
    """Odds of a march, in games that test for one."""
    ruleset, _, _, _ = _asked(unit, rest, "march")
    raise bad("odds march", f"{ruleset.info.name} has no march and no test for it")


# ---- shooting and fighting -------------------------------------------------------------------------------------------


@odds.command("shoot")
def shoot(
    unit: UnitName,
    rest: Rest = None,
    verb: Annotated[str | None, typer.Option(help="The order to shoot by.", show_default=False)] = None,
    as_json: AsJson = False,
) -> None:
    """Losses from shooting, unanswered, from where the models stand now."""
    ruleset, state, name, target = _asked(unit, rest, "shoot")
    found = [expect(ruleset, state, order) for order in _shots(ruleset, state, name, target, verb)]
    rolled = [one for one in found if one.rolls]
    if not rolled:
        told = "can shoot at nobody" if target is None else f"cannot shoot at {target}"
        raise bad("odds shoot", f"{name} {told} from where it stands now")
    _answer(ruleset, rolled, as_json)


def _shots(ruleset: Ruleset, state: State, unit: str, target: str | None, verb: str | None) -> list[Action]:
    """An order to shoot at each target, by the verb named or the one that moves least."""
    found: dict[str, tuple[float, Action]] = {}
    for choice in ruleset.choices(state):
        if choice.unit != unit or (verb is not None and choice.verb != verb):
            continue
        for targets, kind in _declared(choice.domain):
            aims = dict(targets)
            if set(aims) != {"shoot"} or (target is not None and aims["shoot"] != target):
                continue
            moves = -1.0 if kind is None else kind.allowance
            order = Action(verb=choice.verb, unit=unit, targets=targets)
            if aims["shoot"] not in found or moves < found[aims["shoot"]][0]:
                found[aims["shoot"]] = (moves, order)
    return [order for _, order in found.values()]


def _declared(domain: object) -> Iterator[tuple[tuple[tuple[str, str], ...], MoveType | None]]:
    """Each set of targets that a domain offers, with what moves under it."""
    match domain:
        case OneOf(options=options):
            yield from ((option, None) for option in options)
        case Declare(options=options, kinds=kinds):
            yield from zip(options, kinds, strict=True)


@odds.command("fight")
def fight(unit: UnitName, rest: Rest = None, as_json: AsJson = False) -> None:
    """Losses of both sides from fighting, from where the models stand now."""
    ruleset, state, name, target = _asked(unit, rest, "fight")
    for choice in ruleset.choices(state):
        order = choice.canonical(state)
        if choice.unit != name or order.targets or order.models:
            continue
        found = expect(ruleset, state, order)
        if found.rolls and found.harmed() and (target is None or target in found.harmed()):
            _answer(ruleset, [found], as_json)
            return
    raise bad("odds fight", f"{name} is in no fight{'' if target is None else f' with {target}'} where it stands")


def _answer(ruleset: Ruleset, found: list[Expectation], as_json: bool) -> None:
    if as_json:
        say_json({"orders": [_expectation_data(ruleset, one) for one in found]})
        return
    for number, one in enumerate(found):
        say(*([""] if number else []), *_expectation_lines(ruleset, one))


def _expectation_lines(ruleset: Ruleset, one: Expectation) -> Iterator[str]:
    from tactician.odds_words import OddsAnswer, odds_lines

    yield f"{order_words(ruleset, one.before, one.action)} (unanswered)"
    for question in one.rolls[:1]:
        yield f"first roll: {question.why}: {question.ask()}"
    harmed = one.harmed()
    if not harmed:
        yield "nobody can lose a model"
    for name in harmed:
        unit, losses = one.before.unit(name), one.losses(name)
        some = sum((share for lost, share in losses if lost), Fraction(0))
        gone = sum((share for lost, share in losses if lost >= len(unit.models)), Fraction(0))
        yield f"{unit.name} ({name}) loses {float(mean(losses)):.3f} of {len(unit.models)} models on average"
        yield f"  any: {some} = {per_cent(some)}"
        yield f"  all: {gone} = {per_cent(gone)}"
        yield from (f"  {line}" for line in odds_lines(OddsAnswer(probability=None, distribution=losses)))


def _expectation_data(ruleset: Ruleset, one: Expectation) -> dict[str, Any]:
    losses = {name: one.losses(name) for name in one.harmed()}
    return {
        "order": order_words(ruleset, one.before, one.action),
        "rolls": [question.why for question in one.rolls],
        "losses": {
            name: {"expected": float(mean(shares)), "exact": str(mean(shares)), "distribution": _shares(shares)}
            for name, shares in losses.items()
        },
    }


def _shares(distribution: tuple[tuple[int, Fraction], ...]) -> list[dict[str, Any]]:
    return [{"value": value, "exact": str(share), "probability": float(share)} for value, share in distribution]


# ---- charging --------------------------------------------------------------------------------------------------------


@odds.command("charge")
def charge(unit: UnitName, rest: Rest = None, as_json: AsJson = False) -> None:
    """What distance a charge needs, by which orders it can be made, and whether the straight way is free."""
    ruleset, state, name, target = _asked(unit, rest, "charge")
    enemies = [foe.id for foe in state.against(state.unit(name).side)] if target is None else [target]
    found = [_charge(ruleset, state, name, foe) for foe in enemies]
    if as_json:
        say_json({"charges": found})
        return
    for one in found:
        say(*_charge_lines(one))


def _charge(ruleset: Ruleset, state: State, name: str, foe: str) -> dict[str, Any]:
    """The facts of a charge."""
    mine, other, apart = _nearest_models(state, name, foe)
    orders = []
    for verb, _ in move_types(ruleset, state, name):
        declared = Action(verb=verb, unit=name, targets=pairs(charge=foe))
        kind = _charging(ruleset, state, declared)
        refused = ruleset.check(state, declared)
        row: dict[str, Any] = {"verb": verb, "refused": [violation_words(one) for one in refused]}
        if kind is not None and not refused:
            row |= _straight(ruleset, state, declared, kind, (mine, other, apart))
        orders.append(row)
    return {"unit": name, "target": foe, "models": [mine.id, other.id], "gap": apart, "orders": orders}


def _charging(ruleset: Ruleset, state: State, declared: Action) -> MoveType | None:
    """The move type of a declared charge."""
    for choice in ruleset.choices(state):
        if choice.unit == declared.unit and choice.verb == declared.verb and isinstance(choice.domain, Declare):
            return choice.domain.kind_for(declared)
    return None


def _straight(
    ruleset: Ruleset, state: State, declared: Action, kind: MoveType, near: tuple[Model, Model, Inches]
) -> dict[str, Any]:
    """The charge walked straight at the nearest model by the whole formation, and the shortest way of that model."""
    from tactician.rules.paths.contact import contact

    mine, other, apart = near
    unit, foe = state.owner(mine.id), state.owner(other.id)
    engaged = max((keep.spared_within or 0.0 for keep in kind.keep_away), default=0.0)
    need = max(apart - engaged, 0.0)
    paths = _shifted(unit.models, mine, other, need + (CLOSED_MARGIN if need else 0.0)) if need else ()
    broken = ruleset.check(state, Action(verb=declared.verb, unit=unit.id, targets=declared.targets, paths=paths))
    mover = mover_for(mover_of(ruleset, state, mine.id), kind)
    disc = (other.pose.x, other.pose.y, unit.radius + foe.radius + engaged)
    level = mine.pose.surface == other.pose.surface
    round_ = contact(mover.scene(), mine.pose.point, disc, kind.allowance) if level else None
    reached = not broken or (round_ is not None and within(round_.cost, kind.allowance))
    return {
        "inches": kind.allowance,
        "need": need,
        "engaged_within": engaged,
        "straight": [violation_words(one) for one in broken],
        "way_round": None if round_ is None else round_.cost,
        "exact": "1" if reached else "0",
    }


def _shifted(
    models: tuple[Model, ...], mine: Model, other: Model, far: Inches
) -> tuple[tuple[str, tuple[Straight, ...]], ...]:
    """Each model's straight leg, all alike, toward the model charged."""
    dx, dy = other.pose.x - mine.pose.x, other.pose.y - mine.pose.y
    share = far / hypot(dx, dy)
    return tuple((one.id, (Straight((one.pose.x + dx * share, one.pose.y + dy * share)),)) for one in models)


def _nearest_models(state: State, name: str, foe: str) -> tuple[Model, Model, Inches]:
    unit, enemy = state.unit(name), state.unit(foe)
    if not unit.models or not enemy.models:
        gone = name if not unit.models else foe
        raise bad("odds charge", f"{gone} has no models on the table")
    rows = [
        (gap(state, a.pose, unit.radius, b.pose, enemy.radius), a.id, b.id, a, b)
        for a in unit.models
        for b in enemy.models
    ]
    apart, _, _, mine, other = min(rows, key=lambda row: row[:3])
    return mine, other, apart


def _charge_lines(found: dict[str, Any]) -> Iterator[str]:
    mine, other = found["models"]
    yield f"{found['unit']} against {found['target']}: {inches(found['gap'])} apart ({mine} and {other})"
    for row in found["orders"]:
        if row["refused"]:
            yield f"  {row['verb']}: cannot be declared: {'; '.join(row['refused'])}"
            continue
        if "need" not in row:
            continue
        free = "free" if not row["straight"] else f"not free: {'; '.join(row['straight'])}"
        yield f"  {row['verb']}: needs {inches(row['need'])} of {row['inches']:g}; the straight way is {free}"
        if row["straight"]:
            way = "none within reach" if row["way_round"] is None else inches(row["way_round"])
            yield f"    shortest way of {mine} alone: {way}"
        yield f"    chance {row['exact']}: no dice decide it"


# ---- what was asked --------------------------------------------------------------------------------------------------


def _asked(unit: str, rest: list[str] | None, what: str) -> tuple[Ruleset, State, str, str | None]:
    """Ruleset, moment, unit and target out of what was given."""
    given = list(rest or ())
    files = [one for one in given if is_file_name(one)]
    names = [one for one in given if one not in files]
    if len(files) > 1 or len(names) > 1:
        raise bad(f"odds {what}", f"found {' '.join(given)}", "at most one target and one battle file")
    ruleset, state = a_battle(files[0] if files else None)
    name = unit_of(state, unit)
    target = unit_of(state, names[0], "TARGET") if names else None
    mover = ruleset.to_move(state)
    if what == "march":
        return ruleset, state, name, target
    if mover in (CHANCE, TERMINAL):
        raise bad("BATTLE", awaited(ruleset, state), "a moment in which somebody decides")
    if state.unit(name).side != mover:
        known = tuple(one.id for one in state.of(mover))
        raise bad(
            "UNIT", f"{name} belongs to {state.unit(name).side}, and {mover} is to decide", hint=nearest("", known)
        )
    if target is not None and state.unit(target).side == mover:
        raise bad("TARGET", f"{target} is no enemy of {name}")
    return ruleset, state, name, target
