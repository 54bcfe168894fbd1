"""The sketch against the exact rules: expected losses in sampled positions, the order of places, both twins."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest
from tactician.agent.policies.base import Budget
from tactician.agent.policies.straight_ahead import StraightAhead
from tactician.agent.sketch import kernel
from tactician.agent.sketch.model import Sketch, blows, fire, roll_out, sketch_of
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.legs import Pose
from tactician.rules.core.ruleset import Ruleset, Scenario, load_ruleset
from tactician.rules.core.state import State, Unit
from tactician.rules.paths import twins

NAMES = ("voidsiege", "wh40k2e")
EVERY = {"voidsiege": 23, "wh40k2e": 6}
"""One in so many decisions is looked at."""
GAMES = {"voidsiege": 6, "wh40k2e": 14}


@cache
def positions(name: str, games: int, size: str = "skirmish") -> tuple[State, ...]:
    """Moments of games in which the sides go straight at each other half of the time, and do anything otherwise."""
    return tuple(state for seed in range(games) for state in _game(load_ruleset(name), size, seed, EVERY[name]))


def _game(ruleset: Ruleset, size: str, seed: int, every: int) -> Iterator[State]:
    rng, bot = random.Random(seed), StraightAhead()
    state = ruleset.start(Scenario(size=size, deployed=True))
    asked = 0
    for _ in range(700):
        mover = ruleset.to_move(state)
        if mover == TERMINAL:
            return
        if mover == CHANCE:
            state = ruleset.resolve(state, ruleset.pending(state).sample(rng))
            continue
        asked += 1
        if asked % every == 3 and state.of("red") and state.of("blue"):
            yield state
        if rng.random() < 0.6:
            action = bot.decide(ruleset, state, Budget(), rng).action
        else:
            action = rng.choice(ruleset.choices(state)).sample(state, rng.random)
        state = ruleset.apply(state, action)


def compared(name: str, games: int) -> Iterator[tuple[float, float]]:
    """Exact and sketched losses by fire of everybody who has not yet moved or shot in the turn that is played."""
    ruleset = load_ruleset(name)
    appraiser = appraiser_of(ruleset)
    for state in positions(name, games):
        sketch = sketch_of(ruleset, state)
        for unit in state.units:
            if not unit.models or not _is_fresh(sketch, unit):
                continue
            for foe in state.against(unit.side):
                if sketch.tables.contacts[sketch.number(unit.id), sketch.number(foe.id)] > 0.0:
                    continue
                odds = appraiser.losses(state, unit, foe)
                exact = sum(count * chance for count, chance in enumerate(odds))
                found = fire(sketch, unit.id, foe.id)
                if exact > 1e-6 or found > 1e-6:
                    yield exact, found


def _is_fresh(sketch: Sketch, unit: Unit) -> bool:
    """Whether the exact odds of a unit are those of a turn of its own: it has not spent it on anything."""
    row = sketch.rows[sketch.number(unit.id)]
    is_its_turn = sketch.tables.active == int(row[kernel.SIDE])
    walked = getattr(unit, "walked", ())
    if sketch.tables.alternate:
        return True
    watches = bool(row[kernel.WATCHING] > 0.0)
    return bool(row[kernel.ATTACKS] > 0.0) if is_its_turn else not (walked or watches or row[kernel.BROKEN] > 0.0)


def check_fire(name: str, games: int, least: int, limit: float) -> None:
    rows = list(compared(name, games))
    exact, found = sum(a for a, _ in rows), sum(b for _, b in rows)
    assert len(rows) >= least
    assert found / exact == pytest.approx(1.0, abs=limit)


def test_fire_costs_what_the_rules_expect_in_a_few_positions() -> None:
    check_fire("voidsiege", 1, 10, 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_fire_costs_what_the_rules_expect(name: str) -> None:
    check_fire(name, GAMES[name], 200, 0.05)


def places(rng: random.Random, state: State, unit: Unit, count: int) -> Iterator[tuple[float, float, Unit]]:
    """Places of a unit away from the enemy, its formation as it is: where its middle is, and the unit there."""
    x = sum(model.pose.x for model in unit.models) / len(unit.models)
    y = sum(model.pose.y for model in unit.models) / len(unit.models)
    found = 0
    for _ in range(400):
        px, py = rng.uniform(1.5, state.board.width - 1.5), rng.uniform(1.5, state.board.height - 1.5)
        dx, dy = px - x, py - y
        poses = {m.id: Pose(m.pose.x + dx, m.pose.y + dy, m.pose.surface, m.pose.bearing) for m in unit.models}
        inside = all(
            unit.radius <= pose.x <= state.board.width - unit.radius
            and unit.radius <= pose.y <= state.board.height - unit.radius
            for pose in poses.values()
        )
        foes = [model.pose for foe in state.against(unit.side) for model in foe.models]
        if inside and min((pose.x - px) ** 2 + (pose.y - py) ** 2 for pose in foes) > 25.0:
            yield px, py, unit.moved(poses)
            found += 1
        if found == count:
            return


def taus(name: str, games: int, coarse: bool) -> Iterator[float]:
    """Kendall's tau of the sketch and the exact rules for the harm of a unit's fire from 20 places."""
    from scipy.stats import kendalltau

    ruleset, rng = load_ruleset(name), random.Random(5)
    appraiser = appraiser_of(ruleset)
    for state in positions(name, games)[::3]:
        sketch = sketch_of(ruleset, state)
        for unit in state.units:
            if not unit.models or not _is_fresh(sketch, unit) or appraiser.range(state, unit) < 6.0:
                continue
            exact, found = [], []
            for x, y, moved in places(rng, state, unit, 20):
                there, foes = state.with_unit(moved), state.against(unit.side)
                exact.append(max(appraiser.harm(there, moved, foe) for foe in foes))
                other = sketch.moved(unit.id, x, y, coarse=coarse)
                each = [fire(other, unit.id, f.id) * appraiser.worth(state, f) / len(f.models) for f in foes]
                found.append(round(max(each), 9))
            if len(exact) == 20 and len(set(exact)) > 3 and len(set(found)) > 1:
                yield float(kendalltau(exact, found).statistic)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_places_are_ranked_as_the_rules_would(name: str) -> None:
    found = list(taus(name, 2, coarse=False))
    assert len(found) >= 10
    assert sum(found) / len(found) >= 0.7


@pytest.mark.slow
@pytest.mark.skipif(not twins.has_compiler(), reason="no compiler")
def test_compiled_equals_interpreted() -> None:
    sketches = []
    for name in NAMES:
        ruleset = load_ruleset(name)
        sketches += [sketch_of(ruleset, state) for state in positions(name, 2)[:12]]
    plain = [roll_out(sketch, 2) for sketch in sketches]
    with twins.forced(twins.COMPILED):
        assert [roll_out(sketch, 2) for sketch in sketches] == plain


def melees(name: str, games: int) -> Iterator[tuple[float, float]]:
    """Exact and sketched losses by blows of everybody who fights, and of fighters put beside an enemy."""
    ruleset, rng = load_ruleset(name), random.Random(9)
    appraiser = appraiser_of(ruleset)
    for state in positions(name, games):
        for unit in state.units:
            foes = [foe for foe in state.against(unit.side) if foe.models]
            if not unit.models or not foes or (name == "voidsiege" and appraiser.range(state, unit) > 1.0):
                continue
            foe = rng.choice(foes)
            there = state.with_unit(_beside(unit, foe))
            sketch = sketch_of(ruleset, there)
            if sketch.tables.contacts[sketch.number(unit.id), sketch.number(foe.id)] <= 0.0:
                continue
            odds = appraiser.losses(there, there.unit(unit.id), foe)
            yield sum(count * chance for count, chance in enumerate(odds)), blows(sketch, unit.id, foe.id)[0]


def _beside(unit: Unit, foe: Unit) -> Unit:
    """The unit with its first models in contact with the foe's first ones, the others as they stand."""
    poses = {
        one.id: Pose(other.pose.x + unit.radius + foe.radius, other.pose.y, other.pose.surface, one.pose.bearing)
        for one, other in zip(unit.models, foe.models, strict=False)
    }
    return unit.moved(poses)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_blows_cost_what_the_rules_expect(name: str) -> None:
    rows = list(melees(name, GAMES[name]))
    assert len(rows) >= 5
    assert sum(b for _, b in rows) / sum(a for a, _ in rows) == pytest.approx(1.0, abs=0.05)
