"""The script: what each role does with each question that the game may ask.

Whatever may be ordered is given a number of points by what it does at once (shots, a charge) and by where it leads the
unit; nothing is carried out to see. The best order wins, if it is worth more than to let things be. Questions are told
by what their answers look like; what a verb is for where that does not tell it, the game's appraiser says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from tactician.agent.by_eye import chance_within
from tactician.agent.doctrine.field import Field, apart
from tactician.agent.doctrine.fire import salvo
from tactician.agent.doctrine.places import Place, ends_of, places, walk_to
from tactician.agent.doctrine.setup import put_down
from tactician.agent.outlook import PASS
from tactician.agent.propose.aims import nearest_pair
from tactician.agent.propose.spot import Spot, walking
from tactician.rules.core.action import Action, Pairs
from tactician.rules.core.choice import Assign, Choice, Declare, Nothing, Put, Walk, Window
from tactician.rules.core.movement import MoveType
from tactician.rules.core.shapes import length
from tactician.rules.core.state import Unit
from tactician.rules.core.targets import aimed_unit

__all__ = ["Plan", "answer"]

LATE = 3
"""Rounds left with which enemies are no longer expected to come into sight who have not come yet."""

SURE = 1_000.0
"""Points of what is always done."""


@dataclass(frozen=True, slots=True)
class Plan:
    """An order worth a thought."""

    value: float
    reason: str
    make: Callable[[], Action | None]
    """Works the order out; None where it turns out to do nothing."""


def answer(field: Field) -> tuple[Action, float, str]:
    """What the script answers, its points, and why in a few words."""
    state, choices = field.state, field.choices
    if len(choices) == 1 and isinstance(choices[0].domain, Nothing):
        return choices[0].bare(), 0.0, "nothing else can be done"
    if any(isinstance(choice.domain, Put) for choice in choices):
        return put_down(field), 0.0, "as near to the enemy as it may stand"
    fires = [choice for choice in choices if choice.verb in field.appraiser.verbs_for("fire")]
    if fires:
        return _fire_or_hold(field, fires)
    if len(state.agenda) > 1:
        reply = field.appraiser.reply(state, choices)
        if reply is not None:
            return reply, 0.0, "the sensible answer"
    return _best(field, sorted(_plans(field), key=lambda plan: -round(plan.value, 6)))


def _fire_or_hold(field: Field, fires: list[Choice]) -> tuple[Action, float, str]:
    """Who has waited long enough: fire now where it does a good part of what the unit's fire can do at all."""
    best: tuple[float, Choice] | None = None
    for choice in fires:
        unit, domain = field.state.unit(choice.unit), choice.domain
        most = max((field.means(unit, foe).fire for foe in field.near(unit)), default=0.0)
        now = max((field.fire_from(unit, foe) for foe in field.near(unit)), default=0.0)
        seen = not isinstance(domain, Window) or bool(domain.usual)
        if seen and now >= field.style.held * most > 0.0 and (best is None or now > best[0]):
            best = now, choice
    if best is not None:
        return best[1].canonical(field.state), best[0], "fire from overwatch"
    rest = next((choice for choice in field.choices if choice.verb == PASS), field.choices[0])
    return rest.canonical(field.state), 0.0, "hold fire"


def _best(field: Field, plans: list[Plan]) -> tuple[Action, float, str]:
    """The first order that does something, worth more than letting be where that is allowed."""
    rest = next((choice for choice in field.choices if choice.verb == PASS), None)
    for plan in plans:
        if rest is not None and plan.value <= 0.0:
            break
        action = plan.make()
        if action is not None:
            return action, plan.value, plan.reason
    if rest is not None:
        return rest.canonical(field.state), 0.0, "let it be"
    return _fallback(field), 0.0, "nothing better"


def _fallback(field: Field) -> Action:
    """Where something has to be ordered: the usual answer to the last question that is not about dividing a unit."""
    calm = [choice for choice in field.choices if choice.verb not in field.appraiser.parting_verbs]
    guards = field.appraiser.verbs_for("hide")
    ranked = sorted(calm or field.choices, key=lambda choice: choice.verb not in guards)
    return ranked[0].canonical(field.state)


# ---- what may be ordered ---------------------------------------------------------------------------------------------


def _plans(field: Field) -> Iterator[Plan]:
    state, appraiser = field.state, field.appraiser
    walks: dict[str, list[Choice]] = {}
    for choice in field.choices:
        if choice.verb in (PASS, *appraiser.parting_verbs, *appraiser.idle_verbs):
            continue
        purpose = _purpose(field, choice.verb)
        if purpose in ("watch", "hide", "rally", "score") and not isinstance(choice.domain, Walk):
            yield from _bide(field, choice, purpose)
        elif isinstance(choice.domain, Walk):
            walks.setdefault(choice.unit, []).append(choice)
        elif isinstance(choice.domain, Declare):
            yield from _declared(field, choice, choice.domain)
        elif isinstance(choice.domain, Assign):
            yield from _assigned(field, choice, choice.domain, purpose)
        elif isinstance(choice.domain, Nothing):
            yield from _bare(field, choice)
        else:
            yield Plan(0.1, choice.verb, partial(choice.canonical, state))
    yield from _walked(field, walks)


def _purpose(field: Field, verb: str) -> str:
    for purpose in ("charge", "watch", "hide", "rally", "score", "follow"):
        if verb in field.appraiser.verbs_for(purpose):
            return purpose
    return ""


def _bare(field: Field, choice: Choice) -> Iterator[Plan]:
    """Orders without an answer: carried out where nothing may be let be, such as a charge that was declared."""
    if not any(one.verb == PASS for one in field.choices):
        near = (
            min((apart(field.state.unit(choice.unit), foe) for foe in field.foes), default=0.0) if choice.unit else 0.0
        )
        yield Plan(SURE - near, choice.verb, choice.bare)


# ---- walking ---------------------------------------------------------------------------------------------------------


def _walked(field: Field, walks: dict[str, list[Choice]]) -> Iterator[Plan]:
    """One unit after another, whoever is nearest to the enemy first and leaders last, each by the best of its ways."""
    rows = []
    for name, choices in walks.items():
        unit = field.state.unit(name)
        gap = min((apart(unit, foe) for foe in field.foes), default=0.0)
        rows.append((field.errand(unit).is_leader, round(gap, 6), name, choices))
    for number, (_, _, name, choices) in enumerate(sorted(rows, key=lambda row: row[:3])):
        yield Plan(SURE - number, "walk", partial(_walk, field, name, choices))


def _walk(field: Field, name: str, choices: list[Choice]) -> Action | None:
    """The best of a unit's ways to move; None where it stays and need not say so."""
    unit = field.state.unit(name)
    steady = [choice for choice in choices if choice.verb in field.appraiser.verbs_for("steady")]
    rows: list[tuple[float, int, Choice, list[Place]]] = []
    for number, choice in enumerate(choices):
        domain = choice.domain
        assert isinstance(domain, Walk)
        if _purpose(field, choice.verb) == "follow":
            return _follow(field, choice, unit, domain)
        fires = _fires(field, unit, choice, steady)
        found = places(field, unit, domain.kind, fires, domain.models)
        rows.append((-round(found[0].value, 6), number, choice, found))
    for _, _, choice, found in sorted(rows, key=lambda row: row[:2]):
        domain = choice.domain
        assert isinstance(domain, Walk)
        if not found[0].moves:
            break
        action = walk_to(field, choice, choice.bare(), unit, found, domain.kind, domain.models)
        if action.paths:
            return action
    return (steady or choices)[0].canonical(field.state)


def _fires(field: Field, unit: Unit, choice: Choice, steady: list[Choice]) -> tuple[float, float]:
    """What the unit's fire counts in this turn where it stays, and where it moves."""
    if len(field.state.agenda) > 1:
        return 1.0, 1.0  # the way of an order that is being carried out, shots and all
    if not steady or not field.appraiser.is_ready(field.state, unit):
        return 0.0, 0.0
    return 1.0, field.style.moving if choice in steady else 0.0


def _follow(field: Field, choice: Choice, unit: Unit, domain: Walk) -> Action | None:
    """After a fight: into the next enemy, if that is one to be beaten and in reach."""
    near = field.near(unit)
    if not near or field.net(unit, near[0]) <= 0.0 or not 0.0 < apart(unit, near[0]) <= domain.kind.allowance:
        return None
    found = _at(field, choice, choice.bare(), unit, domain.kind, near[0], domain.models)
    return found if found.paths else None


# ---- shots and charges -----------------------------------------------------------------------------------------------


def _assigned(field: Field, choice: Choice, domain: Assign, purpose: str) -> Iterator[Plan]:
    """Targets for models: of a charge, or of shots."""
    unit = field.state.unit(choice.unit)
    for option in domain.usual:
        value = _charge(field, unit, option) if purpose == "charge" else salvo(field, unit, option)
        yield Plan(value, purpose or "shoot", partial(replace, choice.bare(), targets=option))


def _charge(field: Field, unit: Unit, option: Pairs) -> float:
    """Points of a charge declared model by model: what arrives, what it meets, what is given up for it."""
    style, reach = field.style, field.charge_reach(unit) or field.appraiser.reach(field.state, unit)
    chances: dict[str, float] = {}
    for name, target in option:
        foe = aimed_unit(field.state, target)
        if foe is None:
            continue
        mine, theirs = unit.model(name).pose, foe.model(target).pose if target != foe.id else foe.models[0].pose
        gap = length(mine.x - theirs.x, mine.y - theirs.y) - unit.radius - foe.radius
        chance = chance_within(field.measure.gap(gap, unit.id, foe.id), reach)
        chances[foe.id] = chances.get(foe.id, 0.0) + chance
    arrive = sum(chances.values()) / max(len(unit.models), 1)
    best = max(chances.values(), default=0.0)
    if not option or arrive < style.least_reach * len(option) / len(unit.models) or best < style.least_reach:
        return 0.0
    gained = 0.0
    for name, count in chances.items():
        foe, share = field.state.unit(name), count / max(len(unit.models), 1)
        pinned = style.pinned * field.means(foe, unit).fire
        gained += share * (field.net(unit, foe) + pinned)
    return gained - max((field.fire_from(unit, foe) for foe in field.near(unit)), default=0.0)


# ---- orders that name a target and move ------------------------------------------------------------------------------


def _declared(field: Field, choice: Choice, domain: Declare) -> Iterator[Plan]:
    """Orders with targets and a way announced with them."""
    unit = field.state.unit(choice.unit)
    for option, kind in zip(domain.options, domain.kinds, strict=True):
        named = dict(option)
        bare = replace(choice.bare(), targets=option)
        value = _at_once(field, unit, named, kind)
        if value is None:
            continue
        if kind is None:
            yield Plan(value, choice.verb, partial(replace, bare))
            continue
        gain = 0.0 if "charge" in named else _way_gain(field, unit, kind)
        yield Plan(
            value + gain,
            choice.verb,
            partial(_go, field, choice, bare, unit, kind, named),
        )


def _at_once(field: Field, unit: Unit, named: dict[str, str], kind: MoveType | None) -> float | None:
    """Points of the shots and the charge of an order; None where it names somebody whom it cannot reach."""
    value = 0.0
    if "shoot" in named:
        foe = field.state.unit(named["shoot"])
        if kind is None:
            value += salvo(field, unit, (("", foe.id),))
        else:
            seen = field.fire_from(unit, foe)
            near = apart(unit, foe) <= field.appraiser.range(field.state, unit) + kind.allowance
            value += max(seen, field.style.unseen * field.means(unit, foe).fire if near else 0.0)
    if "charge" in named:
        foe = field.state.unit(named["charge"])
        if kind is None or apart(unit, foe) > kind.allowance:
            return None
        gained = field.net(unit, foe)
        if gained <= 0.0:
            return None
        value += gained
    return value


def _way_gain(field: Field, unit: Unit, kind: MoveType) -> float:
    """What moving so far might gain, before any place has been looked at."""
    appraiser, style, far = field.appraiser, field.style, kind.allowance
    gain = 0.0
    for foe in field.near(unit):
        gap, means = apart(unit, foe), field.means(unit, foe)
        if means.fire > 0.0 and field.fire_from(unit, foe) > 0.0:
            continue
        nearer = appraiser.hope(field.state, unit, max(gap - far, 0.0)) - appraiser.hope(field.state, unit, gap)
        gain = max(gain, style.next_turn * nearer * max(style.unseen * means.fire, field.net(unit, foe)))
    goal = field.errand(unit).goal
    if goal is not None:
        away = min(length(m.pose.x - goal.x, m.pose.y - goal.y) for m in unit.models) - unit.radius - goal.radius
        stride = max(appraiser.stride(field.state, unit), 1.0)
        now, then = 1 / (1 + max(away, 0.0) / stride), 1 / (1 + max(away - far, 0.0) / stride)
        gain += style.goals * appraiser.stakes(field.state) * goal.weight * (then - now)
    return gain


def _go(field: Field, choice: Choice, bare: Action, unit: Unit, kind: MoveType, named: dict[str, str]) -> Action | None:
    """An order with its way: home with a charge, else to the best place; None where it would do nothing."""
    if "charge" in named:
        return _home(field, choice, bare, unit, kind, field.state.unit(named["charge"]))
    found = places(field, unit, kind, (0.0, 0.0), None, named.get("shoot", ""))
    action = walk_to(field, choice, bare, unit, found, kind)
    if "shoot" not in named:
        return action if action.paths else None
    target = field.state.unit(named["shoot"])
    stands = unit.moved(ends_of(field, unit, action)) if action.paths else unit
    return action if field.fire_from(stands, target) > 0.0 else None


def _home(field: Field, choice: Choice, bare: Action, unit: Unit, kind: MoveType, foe: Unit) -> Action | None:
    """Straight at the unit charged; None where that does not bring anybody into its reach."""
    action = _at(field, choice, bare, unit, kind, foe, None)
    stands = unit.moved(ends_of(field, unit, action))
    return action if apart(stands, foe) <= field.blow_reach(unit) else None


def _at(
    field: Field, choice: Choice, bare: Action, unit: Unit, kind: MoveType, foe: Unit, who: tuple[str, ...] | None
) -> Action:
    """The way straight at an enemy, from the nearest models, as far as it is legal."""
    pair = nearest_pair(unit, (foe,))
    gap = 0.0 if pair is None else pair[0]
    if pair is None or gap <= 0.0:
        return bare
    (ax, ay), (bx, by) = pair[1], pair[2]
    away = length(bx - ax, by - ay)
    shift = (bx - ax) * gap / away, (by - ay) * gap / away
    return choice.clip(field.state, walking(bare, unit, Spot("home", (shift,)), kind, who))


# ---- biding ----------------------------------------------------------------------------------------------------------


def _bide(field: Field, choice: Choice, purpose: str) -> Iterator[Plan]:
    """Watching, hiding, rallying, scoring."""
    if purpose == "score":
        yield Plan(SURE, purpose, lambda: choice.canonical(field.state))
        return
    unit = field.state.unit(choice.unit)
    if purpose == "watch":
        value = _watch(field, unit)
    elif purpose == "rally":
        value = field.style.rally * field.appraiser.worth(field.state, unit)
    else:
        value = _hide(field, unit)
    yield Plan(value, purpose, lambda: choice.canonical(field.state))


def _watch(field: Field, unit: Unit) -> float:
    """What fire from where it stands may come to in the enemy's turn, less what the unit could do in its own."""
    appraiser, found, own = field.appraiser, 0.0, 0.0
    stride, reach = appraiser.stride(field.state, unit), field.carries(unit)
    for foe in field.near(unit):
        fire, gap = field.means(unit, foe).fire, field.gap(unit, foe)
        own = max(own, field.fire_from(unit, foe))
        if gap <= reach + stride - 1.0:
            own = max(own, field.style.moving * field.style.unseen * fire)
        far = appraiser.stride(field.state, foe)
        comes = field.means(foe, unit).fire < field.means(foe, unit).struck and gap <= field.charge_reach(foe) + far
        if gap <= reach + far and (comes or appraiser.rounds_left(field.state) > LATE):
            found = max(found, (field.style.watch_fighters if comes else field.style.watch) * fire)
    errand = field.errand(unit)
    return found - own if errand.role in ("shoot", "hold", "screen", "advance") else 0.0


def _hide(field: Field, unit: Unit) -> float:
    """What it is worth to be hard to shoot at for a unit that has no attack to make now."""
    if field.appraiser.is_ready(field.state, unit):
        return 0.0
    danger = sum(
        field.means(foe, unit).fire
        for foe in field.near(unit)
        if apart(unit, foe) <= field.appraiser.range(field.state, foe) + field.appraiser.stride(field.state, foe)
    )
    return field.style.guard * min(danger, field.appraiser.worth(field.state, unit)) + 0.01
