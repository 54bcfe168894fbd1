"""Odds: of dice in words, and of what a unit could do in a battle."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import hypot
from typing import TYPE_CHECKING, Annotated, Any

import typer
from tactician.commands.asked import Asked, Questions, asked_about, is_answered, question_lines, questioned
from tactician.commands.asked import unknown_question as unknown
from tactician.commands.battle import AsJson
from tactician.commands.expectation import Expectation, expect, mean
from tactician.commands.given import GAMES, is_file_name
from tactician.commands.told import gap_words, inches, measure_now, per_cent, say, say_json
from tactician.commands.ways import move_types, mover_for, mover_of
from tactician.commands.words import order_words
from tactician.errors import bad, violation_words
from tactician.order_aims import aimed_by, aims_told
from tactician.rules.core.action import Action, Pairs, pairs
from tactician.rules.core.choice import Assign, Choice, Declare, OneOf
from tactician.rules.core.legs import Straight
from tactician.rules.core.measure import CLOSED_MARGIN, Inches, within
from tactician.rules.core.movement import MoveType
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import Model, State, gap
from tactician.rules.core.targets import main_target

if TYPE_CHECKING:
    from tactician.agent.by_eye import Measure

__all__ = ["odds"]

odds = typer.Typer(
    name="odds",
    help="Exact odds: of dice, or of what a unit could do. Games have questions of their own: odds ask lists them.",
    cls=Questions,
    no_args_is_help=True,
    add_completion=False,
)

GENERAL = (
    ("charge", "what distance a charge needs, and whether it can be made"),
    ("shoot", "losses from shooting"),
    ("fight", "losses of both sides from fighting"),
    ("march", "a march, in games that test for one"),
)
"""What can be asked about any game."""

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


@odds.command("ask")
def ask(
    question: Annotated[
        str, typer.Argument(metavar="[QUESTION]", help="What is asked; none to list it all.", show_default=False)
    ] = "",
    unit: Annotated[str, typer.Argument(metavar="UNIT", help="A unit, by id or name.", show_default=False)] = "",
    rest: Rest = None,
    rules: Annotated[str, typer.Option(help=GAMES, show_default=False)] = "",
    as_json: AsJson = False,
) -> None:
    """Ask what a game of its own can answer; odds QUESTION is the same as odds ask QUESTION."""
    if not question:
        say(*question_lines(GENERAL))
        return
    if not unit:
        raise bad("UNIT", f"missing: odds {question}", "a unit to ask about")
    general = tuple(name for name, _ in GENERAL)
    needs_no_search = bool(rules) or question in general or any(is_file_name(one) for one in rest or ())
    asked = asked_about(unit, rest, question, rules if needs_no_search else questioned(question))
    if question not in general:
        if not is_answered(asked, as_json=as_json):
            raise unknown(asked, general)
        return
    _in_general(asked, as_json=as_json)


def _in_general(asked: Asked, verb: str | None = None, *, as_json: bool) -> None:
    """Answer one of the questions about any game; the game's own answer comes first where it has one.

    Args:
        asked: the question, one of `GENERAL`.
        verb: the order that is asked about; None leaves the answer to the game.
        as_json: whether data is printed.
    """
    if verb is None and is_answered(asked, as_json=as_json):
        return
    if asked.question == "march":
        raise bad("odds march", f"{asked.ruleset.info.name} has no march and no test for it")
    asked.deciding()
    match asked.question:
        case "shoot":
            _tell_shots(asked, verb, as_json=as_json)
        case "fight":
            _tell_fight(asked, as_json=as_json)
        case _:
            _tell_charges(asked, as_json=as_json)


@odds.command("march", hidden=True)
def march(unit: UnitName, rest: Rest = None, as_json: AsJson = False) -> None:
    """Odds of a march, in games that test for one."""
    _in_general(asked_about(unit, rest, "march"), as_json=as_json)


# ---- shooting and fighting -------------------------------------------------------------------------------------------


@odds.command("shoot")
def shoot(
    unit: UnitName,
    rest: Rest = None,
    verb: Annotated[str | None, typer.Option(help="The order to shoot by.", show_default=False)] = None,
    as_json: AsJson = False,
) -> None:
    """Losses from shooting, unanswered, from where the models stand now."""
    _in_general(asked_about(unit, rest, "shoot"), verb, as_json=as_json)


def _tell_shots(asked: Asked, verb: str | None, *, as_json: bool) -> None:
    from tactician.agent.by_eye import seen

    ruleset, name, measure = asked.ruleset, asked.unit, measure_now(asked.ruleset, asked.state)
    found = []
    for foe, order in _shots(ruleset, asked.state, name, asked.target, verb).items():
        state = seen(asked.state, name, foe, measure)
        if measure.exact or not ruleset.check(state, order):
            found.append(expect(ruleset, state, order))
    rolled = [one for one in found if one.rolls]
    if not rolled:
        told = "can shoot at nobody" if asked.target is None else f"cannot shoot at {asked.target}"
        raise bad("odds shoot", f"{name} {told} from where it stands now{'' if measure.exact else ', by eye'}")
    _answer(ruleset, rolled, as_json)


def _shots(ruleset: Ruleset, state: State, unit: str, target: str | None, verb: str | None) -> dict[str, Action]:
    """An order to shoot at each target, by the verb named or the one that moves least."""
    found: dict[str, tuple[float, Action]] = {}
    for choice in ruleset.choices(state):
        if choice.unit != unit or (verb is not None and choice.verb != verb):
            continue
        for foe, targets, kind in _aimed(state, choice):
            moves = -1.0 if kind is None else kind.allowance
            if target in (None, foe) and (foe not in found or moves < found[foe][0]):
                found[foe] = moves, Action(verb=choice.verb, unit=unit, targets=targets)
    return {foe: order for foe, (_, order) in found.items()}


def _aimed(state: State, choice: Choice) -> Iterator[tuple[str, Pairs, MoveType | None]]:
    """Each way to shoot at one enemy that a choice offers: the enemy, the targets, and what moves under it."""
    rows: list[tuple[Pairs, MoveType | None]] = []
    match choice.domain:
        case OneOf(options=options):
            rows = [(option, None) for option in options]
        case Declare(options=options, kinds=kinds):
            rows = list(zip(options, kinds, strict=True))
        case Assign(usual=usual) if choice.verb == "shoot":
            yield from ((foe, option, None) for option in usual if (foe := main_target(state, option)) is not None)
    for option, kind in rows:
        aims = dict(option)
        if set(aims) == {"shoot"}:
            yield aims["shoot"], option, kind


@odds.command("fight")
def fight(unit: UnitName, rest: Rest = None, as_json: AsJson = False) -> None:
    """Losses of both sides from fighting, from where the models stand now."""
    _in_general(asked_about(unit, rest, "fight"), as_json=as_json)


def _tell_fight(asked: Asked, *, as_json: bool) -> None:
    ruleset, state, name, target = asked.ruleset, asked.state, asked.unit, asked.target
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

    eye = "" if measure_now(ruleset, one.before).exact else ", distances by eye"
    yield f"{order_words(ruleset, one.before, one.action)} (unanswered{eye})"
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
        "by_eye": not measure_now(ruleset, one.before).exact,
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
    _in_general(asked_about(unit, rest, "charge"), as_json=as_json)


def _tell_charges(asked: Asked, *, as_json: bool) -> None:
    ruleset, state, name = asked.ruleset, asked.state, asked.unit
    measure = measure_now(ruleset, state)
    enemies = [foe.id for foe in state.against(state.unit(name).side)] if asked.target is None else [asked.target]
    found = [_charge(ruleset, state, name, foe, measure) for foe in enemies]
    if as_json:
        say_json({"charges": found})
        return
    for one in found:
        say(*_charge_lines(one, measure))


def _charge(ruleset: Ruleset, state: State, name: str, foe: str, measure: Measure) -> dict[str, Any]:
    """The facts of a charge; while nobody may measure, what follows from the distance is guessed."""
    near = _nearest_models(state, name, foe)
    mine, other, apart = near[0], near[1], measure.gap(near[2], name, foe)
    orders = _assigned(ruleset, state, name, foe)
    for verb, _ in move_types(ruleset, state, name) if not orders else ():
        declared = Action(verb=verb, unit=name, targets=pairs(charge=foe))
        kind = _charging(ruleset, state, declared)
        refused = ruleset.check(state, declared)
        row: dict[str, Any] = {"verb": verb, "refused": [violation_words(one) for one in refused]}
        if kind is not None and not refused:
            row |= _straight(ruleset, state, declared, kind, near) if measure.exact else _guessed(kind, apart)
        orders.append(row)
    models = [mine.id, other.id] if measure.exact else []
    found = {"unit": name, "target": foe, "models": models, "gap": apart, "by_eye": not measure.exact}
    return {**found, "orders": orders}


def _assigned(ruleset: Ruleset, state: State, name: str, foe: str) -> list[dict[str, Any]]:
    """The charge of a unit whose models each have a target, where the rules offer charges so."""
    unit = state.unit(name)
    rows = []
    for choice in ruleset.choices(state):
        if choice.unit == name and choice.verb == "charge" and isinstance(choice.domain, Assign):
            targets = aimed_by(state, unit, choice.domain, state.unit(foe), ())
            refused = ruleset.check(state, Action(verb="charge", unit=name, targets=targets))
            row = {"verb": "charge", "refused": [violation_words(one) for one in refused], "targets": dict(targets)}
            rows.append({**row, "told": aims_told(state, unit, targets) or ""})
    return rows


def _guessed(kind: MoveType, apart: Inches) -> dict[str, Any]:
    """What a charge needs by eye, and how likely it is to be enough."""
    from tactician.agent.by_eye import chance_within

    engaged = _engaged_within(kind)
    need = max(apart - engaged, 0.0)
    likely = chance_within(need, kind.allowance)
    return {"inches": kind.allowance, "need": need, "engaged_within": engaged, "likely": likely}


def _engaged_within(kind: MoveType) -> Inches:
    return max((keep.spared_within or 0.0 for keep in kind.keep_away), default=0.0)


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
    engaged = _engaged_within(kind)
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


def _charge_lines(found: dict[str, Any], measure: Measure) -> Iterator[str]:
    models = f" ({' and '.join(found['models'])})" if found["models"] else ""
    yield f"{found['unit']} against {found['target']}: {gap_words(measure, found['gap'])} apart{models}"
    for row in found["orders"]:
        if row["refused"]:
            yield f"  {row['verb']}: cannot be declared: {'; '.join(row['refused'])}"
        elif "told" in row:
            yield f"  {row['verb']}: can be declared, {row['told']}"
        elif "likely" in row:
            need = f"needs {gap_words(measure, row['need'])} of {row['inches']:g}"
            yield f"  {row['verb']}: {need}, near enough in {per_cent(row['likely'])} of such guesses"
        elif "need" in row:
            yield from _straight_lines(row, found["models"][0])


def _straight_lines(row: dict[str, Any], mine: str) -> Iterator[str]:
    """What a charge needs that is walked straight, and what else there is where that is not free."""
    free = "free" if not row["straight"] else f"not free: {'; '.join(row['straight'])}"
    yield f"  {row['verb']}: needs {inches(row['need'])} of {row['inches']:g}; the straight way is {free}"
    if row["straight"]:
        way = "none within reach" if row["way_round"] is None else inches(row["way_round"])
        yield f"    shortest way of {mine} alone: {way}"
    yield f"    chance {row['exact']}: no dice decide it"
