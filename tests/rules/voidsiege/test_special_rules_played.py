"""Whole games in which every unit has every special rule and a gun: hordes come back, models are dragged."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from tactician.agent.arena import Event, play_game
from tactician.agent.policies import policy
from tactician.rules.core.ruleset import Scenario, load_ruleset
from tactician.rules.voidsiege.state import VoidState

RULES = load_ruleset("voidsiege")


def everybody_special(size: str, table: str) -> VoidState:
    """A deployed battle of the Host and the Asylumists whose profiles have both rules and a rifle more."""
    state = RULES.start(Scenario(size=size, table=table, armies=("host", "asylumists"), deployed=True))
    assert isinstance(state, VoidState)
    rifle = next(w for _, one in state.table.profiles for w in one.weapons if w.range >= 16)
    profiles = tuple(
        (name, replace(one, rules=("drag", "horde"), weapons=(*one.weapons, *(() if one.ranged else (rifle,)))))
        for name, one in state.table.profiles
    )
    return replace(state, table=replace(state.table, profiles=profiles))


def played(size: str, table: str, seeds: range) -> Counter[str]:
    seen: Counter[str] = Counter()

    def note(event: Event) -> None:
        told = " ".join(event.after.log)
        seen["dragged"] += "drag" in told
        frame = event.before.agenda[-1].kind if event.before.agenda else ""
        seen[frame] += 1

    for seed in seeds:
        players = {"red": policy("random"), "blue": policy("straight-ahead")}
        play_game(RULES, everybody_special(size, table), players, seed, on_event=note)
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("table", RULES.info.tables)
def test_hordes_come_back_and_drags_are_made_in_whole_games(table: str) -> None:
    seen = played("skirmish", table, range(16))
    assert seen["horde"] > 20, seen
    assert seen["dragged"] > 20, seen
    assert seen["drag"] > 4, seen
