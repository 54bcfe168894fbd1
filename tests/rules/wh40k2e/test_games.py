"""Random battles of every army against every other: whatever is played, no moment may be impossible."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from tactician.rules.core.action import Action
from tactician.rules.core.ruleset import Scenario
from tactician.rules.wh40k2e import RULESET
from tactician.rules.wh40k2e.state import SquadState, Turn

from tests.rules.wh40k2e.checker import Ply, book_faults, faults_of, fight_faults, played, standing_faults, watch_faults

PAIRS = tuple(combinations(RULESET.info.armies, 2))
TABLES = RULESET.info.tables


def faulty(state: SquadState, seed: int) -> tuple[list[str], Counter[str], SquadState]:
    """Everything wrong in a random game, what was ordered and rolled for in it how often, and its end."""
    found: list[str] = []
    done: Counter[str] = Counter()
    for number, ply in enumerate(played(state, random.Random(seed))):
        found += [f"ply {number}: {fault}" for fault in faults_of(ply)]
        words = ply.what.verb if isinstance(ply.what, Action) else RULESET.pending(ply.before).why.partition(":")[0]
        done[words] += 1
        state = ply.after
    return found, done, state


def begun(pair: tuple[str, str], size: str, number: int, *, deployed: bool = False) -> SquadState:
    table = TABLES[number % len(TABLES)]
    return RULESET.start(Scenario(size=size, armies=pair, table=table, deployed=deployed))


def closed_up(state: SquadState, gap: float) -> SquadState:
    """Both armies as they are deployed, moved together on a table without terrain."""
    top = max(model.pose.y + unit.radius for unit in state.of("red") for model in unit.models)
    low = min(model.pose.y - unit.radius for unit in state.of("blue") for model in unit.models)
    units = tuple(
        unit.moved({model.id: model.pose._replace(y=model.pose.y - (low - top - gap)) for model in unit.models})
        if unit.side == "blue"
        else unit
        for unit in state.units
    )
    bare = replace(state.table, board=replace(state.table.board, features=()))
    return replace(state, table=bare, units=units)


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_a_random_duel_of_two_armies_is_never_impossible(pair: tuple[str, str]) -> None:
    number = PAIRS.index(pair)
    found, done, end = faulty(begun(pair, "duel", number), number)
    assert found == []
    assert end.ended in RULESET.info.ends
    assert done.total() > 10


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_a_random_battle_at_close_quarters_is_never_impossible(pair: tuple[str, str]) -> None:
    number = PAIRS.index(pair)
    state = closed_up(begun(pair, "skirmish", number, deployed=True), gap=4.0 + number % 5)
    found, done, end = faulty(state, 50 + number)
    assert found == []
    assert end.ended in RULESET.info.ends
    assert done["charge"] > 0
    assert done["attack dice"] > done["charge"]


@pytest.mark.slow
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_a_random_skirmish_of_two_armies_is_never_impossible(pair: tuple[str, str]) -> None:
    number = PAIRS.index(pair)
    found, _, end = faulty(begun((pair[1], pair[0]), "skirmish", number + 1), 100 + number)
    assert found == []
    assert end.ended in RULESET.info.ends


# ---- the checks themselves -------------------------------------------------------------------------------------------


def opening() -> SquadState:
    return closed_up(begun(("marines", "orks"), "duel", 0, deployed=True), gap=6.0)


def test_the_checks_find_nothing_in_a_moment_that_is_possible() -> None:
    state = opening()
    assert faults_of(Ply(state, 0, state)) == []


def test_the_checks_notice_who_stands_where_nobody_can() -> None:
    state = opening()
    unit = state.of("red")[0]
    first, second = unit.models[:2]
    on_top = state.with_unit(unit.moved({first.id: second.pose}))
    outside = state.with_unit(unit.moved({first.id: first.pose._replace(x=0.4)}))
    assert any("overlap" in fault for fault in standing_faults(on_top))
    assert any("leaves the table" in fault for fault in standing_faults(outside))


def test_the_checks_notice_a_lost_model_and_a_watcher_that_turns() -> None:
    state = opening()
    unit = replace(state.of("red")[0], overwatch=True)
    name = unit.models[0].id
    turned = unit.moved({name: unit.models[0].pose._replace(bearing=123.0)})
    assert any("models of" in fault for fault in book_faults(state.with_unit(unit.without((name,)))))
    assert any("moves" in fault for fault in watch_faults(Ply(state.with_unit(unit), 0, state.with_unit(turned))))


def test_the_checks_notice_a_pair_that_has_not_fought() -> None:
    state = opening()
    red, blue = state.of("red")[0], state.of("blue")[0]
    name, foe = red.models[0], blue.models[0]
    state = state.with_unit(blue.moved({foe.id: name.pose._replace(y=name.pose.y + red.radius + blue.radius)}))
    fighting = replace(state, agenda=(Turn(owner="red", phase="combat"),))
    over = replace(state, agenda=(Turn(owner="red", phase="follow"),))
    assert any(f"{name.id} and {foe.id}" in fault for fault in fight_faults(Ply(fighting, 0, over)))
