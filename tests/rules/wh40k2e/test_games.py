"""Random battles of every army against every other: whatever is played, no moment may be impossible."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest
from tactician.rules.core.action import Action
from tactician.rules.core.ruleset import Scenario
from tactician.rules.wh40k2e import RULESET
from tactician.rules.wh40k2e.state import SquadState

from tests.rules.wh40k2e.checker import faults_of, order_faults, played

PAIRS = tuple(combinations(RULESET.info.armies, 2))


def faulty(scenario: Scenario, seed: int) -> tuple[list[str], Counter[str], SquadState]:
    """Everything wrong in a random game, what was ordered in it how often, and its end."""
    state = RULESET.start(scenario)
    found: list[str] = []
    verbs: Counter[str] = Counter()
    for number, ply in enumerate(played(state, random.Random(seed))):
        found += [f"ply {number}: {fault}" for fault in (*faults_of(ply), *order_faults(ply))]
        if isinstance(ply.what, Action):
            verbs[ply.what.verb] += 1
        state = ply.after
    return found, verbs, state


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_a_random_duel_of_two_armies_is_never_impossible(pair: tuple[str, str]) -> None:
    table = RULESET.info.tables[PAIRS.index(pair) % len(RULESET.info.tables)]
    found, verbs, end = faulty(Scenario(size="duel", armies=pair, table=table), PAIRS.index(pair))
    assert found == []
    assert end.ended in RULESET.info.ends
    assert sum(verbs.values()) > 10


@pytest.mark.slow
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_a_random_skirmish_of_two_armies_is_never_impossible(pair: tuple[str, str]) -> None:
    table = RULESET.info.tables[(PAIRS.index(pair) + 1) % len(RULESET.info.tables)]
    found, _, end = faulty(Scenario(size="skirmish", armies=pair[::-1], table=table), 100 + PAIRS.index(pair))
    assert found == []
    assert end.ended in RULESET.info.ends
