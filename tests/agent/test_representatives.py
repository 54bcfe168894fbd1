"""Outcomes that stand for a volley: models come before wounds, and wounds before jams."""

from __future__ import annotations

import pytest
from tactician.agent.outlook import representatives
from tactician.rules.core.chance import Outcome
from tactician.rules.core.mixed import Die, Mixed, Shown
from tactician.rules.core.shots import Damage, Shots
from tactician.rules.core.volley import Volley

RIFLES = Shots(name="rifle", count=10, hit=(3,), sustained=1, sustained_die=(1, 1, 2, 2, 3, 0), wound=4, save=5)
HEAVY = Shots(
    name="heavy",
    count=2,
    hit=(4,),
    sustained=2,
    sustained_die=(1, 1, 2, 2, 3, 0),
    wound=3,
    save=6,
    damage=Damage(dice=1, sides=4),
)


def mean(volley: Volley, rows: list[tuple[Outcome, float]]) -> float:
    return sum(volley.worth(outcome) * share for outcome, share in rows)


@pytest.mark.parametrize(
    "volley",
    [
        Volley(why="rifles", groups=(RIFLES,), models=(1,) * 10),
        Volley(why="heavy", groups=(HEAVY,), models=(10,)),
        Volley(why="both", groups=(RIFLES, HEAVY), models=(1, 1, 1, 10)),
    ],
    ids=lambda volley: volley.why,
)
def test_few_outcomes_stand_for_a_volley(volley: Volley) -> None:
    for parts in (1, 2, 3, 5):
        found = representatives(volley, parts)
        assert len(found) <= parts
        assert sum(share for _, share in found) == pytest.approx(1.0)
        assert all(outcome in dict(volley.support()) for outcome, _ in found)
        worths = [volley.worth(outcome) for outcome, _ in found]
        assert worths == sorted(worths)
    assert mean(volley, representatives(volley, 5)) == pytest.approx(mean(volley, list(volley.support())), abs=0.3)


def test_a_model_lost_outweighs_wounds_and_jams() -> None:
    volley = Volley(why="heavy", groups=(HEAVY,), models=(10, 10))
    ranked = sorted((outcome for outcome, _ in volley.support()), key=volley.worth)
    removed = [outcome[0] for outcome in ranked if isinstance(outcome, tuple)]
    assert removed == sorted(removed)
    assert max(removed) > 0


@pytest.mark.parametrize(
    "roll",
    [Shown(why="attacks", dice=4), Mixed(why="drift", dice=(Die(name="way", sides=12), Die(name="far")))],
)
def test_dice_that_count_each_have_representatives(roll: Shown | Mixed) -> None:
    found = representatives(roll, 3)
    assert sum(share for _, share in found) == pytest.approx(1.0)
    assert all(outcome in dict(roll.support()) for outcome, _ in found)
