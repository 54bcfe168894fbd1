"""Odds that only this game has: to hit and why, a volley's losses, staying on overwatch, a duel, reaching a charge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from tactician.rules.core.measure import within
from tactician.rules.core.oracle import Answer, Gap, OracleError, Question
from tactician.rules.core.state import Model, State
from tactician.rules.wh40k2e.charging import foes_from
from tactician.rules.wh40k2e.contact import model_gap, unit_gap
from tactician.rules.wh40k2e.duels import attack_dice, duel_odds, score
from tactician.rules.wh40k2e.firing import groups_of, volley_of
from tactician.rules.wh40k2e.leadership import leadership_of
from tactician.rules.wh40k2e.movement import allowance_of, move_type
from tactician.rules.wh40k2e.nearest import field_of
from tactician.rules.wh40k2e.sighting import in_range, reach_of
from tactician.rules.wh40k2e.state import Squad, SquadState
from tactician.rules.wh40k2e.targets import fires_of
from tactician.rules.wh40k2e.to_hit import chain, need_to_hit
from tactician.rules.wh40k2e.ways import contact_way

__all__ = ["SquadOracle"]

QUESTIONS = (
    Question(name="hit", text="the need to hit, with every modifier, for each weapon of a unit", needs_target=True),
    Question(name="shoot", text="casualties of a unit's volley from where it stands", needs_target=True),
    Question(name="stay", text="whether a unit keeps its overwatch when it is shot at"),
    Question(name="fight", text="who wins a hand-to-hand between two models", needs_target=True),
    Question(name="charge", text="what a charge has to pay, ground and obstacles included", needs_target=True),
)


class SquadOracle:
    """Answers to `QUESTIONS`."""

    questions: tuple[Question, ...] = QUESTIONS

    def answer(self, state: State, question: str, unit: str, target: str | None) -> Answer | None:
        """The answer, or None where this game has none of its own.

        Raises:
            OracleError: the question makes no sense about these units now.
        """
        assert isinstance(state, SquadState)
        answers: dict[str, Callable[[SquadState, Squad, Squad | None], Answer]] = {
            "hit": _hit,
            "shoot": _shoot,
            "stay": _stay,
            "fight": _fight,
            "charge": _charge,
        }
        if question not in answers:
            return None
        mine = state.unit(unit)
        foe = state.unit(target) if target is not None else None
        for one in (mine, foe):
            if one is not None and not one.models:
                raise OracleError(f"{one.id} has no models on the table")
        return answers[question](state, mine, foe)


def _other(state: SquadState, unit: Squad, foe: Squad | None) -> Squad:
    """The unit named, or the nearest enemy."""
    if foe is not None:
        return foe
    others = state.against(unit.side)
    if not others:
        raise OracleError(f"{unit.id} has no enemy on the table")
    return min(others, key=lambda other: (round(unit_gap(unit, other), 9), other.id))


def _apart(unit: Squad, foe: Squad) -> tuple[Gap, ...]:
    return (Gap(unit=unit.id, other=foe.id, inches=unit_gap(unit, foe)),)


# ---- shooting --------------------------------------------------------------------------------------------------------


def _hit(state: SquadState, unit: Squad, foe: Squad | None) -> Answer:
    """The ledger of each weapon, from the nearest bearer to the nearest model of the target."""
    other = _other(state, unit, foe)
    lines: list[str] = []
    rows: list[dict[str, Any]] = []
    for model, name in _bearers(state, unit, other):
        weapon = state.table.weapon(name)
        near = min(other.models, key=lambda one: (round(model_gap(model.pose, 0, one.pose, 0), 9), one.id))
        ledger = need_to_hit(state, unit, model, weapon, other, near, on_overwatch=unit.overwatch)
        need = round(ledger.total)
        chance = _chance(chain(need, goes_on=state.holds("2E-TH-08")))
        tells = in_range(state, unit, weapon, model_gap(model.pose, unit.radius, near.pose, other.radius))
        out = "" if tells else f", but out of range ({reach_of(state, unit, weapon):g} inches) [2E-SH-04]"
        lines.append(f"{name} ({model.id} at {near.id}): {ledger}")
        lines.append(f"  {_needed(need)}: {chance} = {float(chance):.1%}{out}")
        entries = [{"value": entry.value, "reason": entry.reason, "clause": entry.clause} for entry in ledger.entries]
        row = {"weapon": name, "model": model.id, "need": need, "chance": str(chance), "modifiers": entries}
        rows.append({**row, "in_range": tells})
    if not rows:
        raise OracleError(f"{unit.id} has nothing to shoot with")
    return Answer(lines=tuple(lines), data={"hit": rows}, gaps=_apart(unit, other))


def _bearers(state: SquadState, unit: Squad, foe: Squad) -> Iterator[tuple[Model, str]]:
    """For each weapon that shoots, the bearer nearest to the target."""
    found: dict[str, Model] = {}

    def away(model: Model) -> tuple[float, str]:
        return min(round(model_gap(model.pose, 0, one.pose, 0), 9) for one in foe.models), model.id

    for model in sorted(unit.models, key=away):
        for name in unit.weapons_of(model.id):
            if state.table.weapon(name).shoots:
                found.setdefault(name, model)
    for name, model in sorted(found.items()):
        yield model, name


def _chance(faces: tuple[int, ...] | None) -> Fraction:
    """Chance that faces are made one after another."""
    total = Fraction(1)
    for face in faces if faces is not None else (7,):
        total *= Fraction(max(0, min(6, 7 - face)), 6)
    return total


def _needed(need: int) -> str:
    faces = chain(need)
    if faces is None:
        return f"needs {need}: impossible"
    return "needs " + ", then ".join(f"{face}+" for face in faces)


def _shoot(state: SquadState, unit: Squad, foe: Squad | None) -> Answer:
    """The exact distribution of a whole unit's fire at another."""
    other = _other(state, unit, foe)
    field = field_of(state, unit, on_overwatch=unit.overwatch)
    orders = tuple((model.id, other.id) for model in unit.models)
    fires = fires_of(state, unit, orders, on_overwatch=unit.overwatch)
    volley = volley_of(field, other.id, groups_of(field, fires, on_overwatch=unit.overwatch))
    if volley is None:
        raise OracleError(f"{unit.id} can shoot at nobody of {other.id} from where it stands")
    shares: dict[int, Fraction] = {}
    for outcome, chance in volley.exact():
        assert isinstance(outcome, tuple)
        shares[outcome[0]] = shares.get(outcome[0], Fraction(0)) + chance
    mean = sum((lost * share for lost, share in shares.items()), Fraction(0))
    lines = [f"{unit.name} ({unit.id}) at {other.name} ({other.id}): {float(mean):.3f} models lost on average"]
    lines += [f"  {lost} lost: {share} = {float(share):.1%}" for lost, share in sorted(shares.items())]
    data = {"expected": str(mean), "lost": {str(lost): str(share) for lost, share in sorted(shares.items())}}
    return Answer(lines=tuple(lines), data=data, gaps=_apart(unit, other))


# ---- Leadership ------------------------------------------------------------------------------------------------------


def _stay(state: SquadState, unit: Squad, foe: Squad | None) -> Answer:
    """2E-OW-10: two dice against Leadership, once for each enemy unit that fires."""
    leadership = leadership_of(state, unit, "overwatch")
    ways = sum(1 for a in range(1, 7) for b in range(1, 7) if a + b <= leadership)
    chance = Fraction(ways, 36)
    lines = (
        f"{unit.name} ({unit.id}) keeps its overwatch on 2D6 of at most {leadership}: {chance} = {float(chance):.1%}",
        f"  shot at by two units: {chance * chance} = {float(chance * chance):.1%}",
    )
    return Answer(lines=lines, data={"leadership": leadership, "stays": str(chance)})


# ---- hand-to-hand ----------------------------------------------------------------------------------------------------


def _fight(state: SquadState, unit: Squad, foe: Squad | None) -> Answer:
    """A duel of the two nearest models, the unit named first having charged where they do not fight yet."""
    other = _other(state, unit, foe)
    rows = [(round(model_gap(a.pose, 0, b.pose, 0), 9), a.id, b.id) for a in unit.models for b in other.models]
    _, first, second = min(rows)
    charges = not within(unit_gap(unit, other), 0.0)
    odds = duel_odds(state, first, second, charges=charges)
    win = sum(chance for hits, chance in odds.hits if hits > 0)
    lose = sum(chance for hits, chance in odds.hits if hits < 0)
    lines = (
        f"{first} ({attack_dice(state, first)} dice) against {second} ({attack_dice(state, second)} dice)"
        f"{', having charged' if charges else ''}",
        f"  {score(state, first, second, ((), ()), charges=charges or None)}",
        f"  {score(state, second, first, ((), ()))}",
        f"  {first} wins: {win:.1%}, and {second} falls: {odds.second_falls:.1%}",
        f"  {second} wins: {lose:.1%}, and {first} falls: {odds.first_falls:.1%}",
    )
    data = {
        "models": [first, second],
        "wins": win,
        "loses": lose,
        "first_falls": odds.first_falls,
        "second_falls": odds.second_falls,
        "charges": charges,
    }
    return Answer(lines=lines, data=data, gaps=_apart(unit, other))


# ---- charging --------------------------------------------------------------------------------------------------------


def _charge(state: SquadState, unit: Squad, foe: Squad | None) -> Answer:
    """What each model pays to reach the nearest of a unit: length, slow ground, obstacles."""
    other = _other(state, unit, foe)
    kind, allowance = move_type(state, unit, "charge"), allowance_of(state, unit, "charge")
    lines = [f"{unit.name} ({unit.id}) charging {other.name} ({other.id}): up to {allowance:g} inches a model"]
    reached = 0
    rows = []
    for model in unit.models:
        near = next(one for one in foes_from(state, unit, model.pose) if one.unit.id == other.id)
        way = contact_way(state, unit, model, near.model, other, kind)
        cost = None if way is None else way.cost
        arrives = cost is not None and within(cost, allowance)
        reached += arrives
        rows.append({"model": model.id, "target": near.model.id, "reaches": arrives})
    lines.append(f"  {reached} of {len(unit.models)} models would reach it if they went now; no dice decide it")
    data = {"allowance": allowance, "models": rows, "reached": reached}
    return Answer(lines=tuple(lines), data=data, gaps=_apart(unit, other))
