"""The odds that the command line tells: of dice in words, and of orders, enumerated through the rules."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from tactician.commands.expectation import expect, mean
from tactician.commands.given import read_battle
from tactician.orders import read
from tactician.rules.core.agenda import CHANCE

Run = Callable[..., tuple[int, str, str]]


def lined_up(battle: Path, name: str, y: float, profile: str = "n-force") -> Path:
    """The battle with red's line at another height of the table, straight below blue's at 21."""
    data = json.loads(battle.read_text(encoding="utf-8"))
    unit = data["sides"]["red"]["units"][0]
    unit["profile"] = profile
    for i, model in enumerate(unit["models"]):
        model["at"] = [9 + 1.5 * i, y]
    place = battle.with_name(name)
    place.write_text(json.dumps(data), encoding="utf-8")
    return place


@pytest.mark.parametrize(
    ("question", "exact"),
    [("2d6>=8", "5/12"), ("d6>=4", "1/2"), ("3d6dl1>=9", "113/216"), ("10d6 each<=3:=0", "1/1024")],
)
def test_dice_in_words(run: Run, question: str, exact: str) -> None:
    answer = json.loads(run("odds", "roll", question, "--json")[1])
    assert answer["exact"] == exact
    assert sum(Fraction(row["exact"]) for row in answer["distribution"]) == 1
    assert exact in run("odds", "roll", question)[1]


def test_shooting_is_the_product_of_its_rolls(run: Run, battle: Path) -> None:
    order = json.loads(run("odds", "shoot", "R1", "B1", battle, "--json")[1])["orders"][0]
    shares = {row["value"]: Fraction(row["exact"]) for row in order["losses"]["B1"]["distribution"]}
    assert sum(shares.values()) == 1
    # each of ten dice: a critical on a 1; a lock on 2 or 3, which damages on 3 or more; so 1/6 + 1/3 * 2/3 = 7/18 harm
    assert shares[0] == Fraction(11, 18) ** 10
    assert shares[1] == 10 * Fraction(7, 18) * Fraction(11, 18) ** 9
    told = run("odds", "shoot", "n-force", battle)[1]
    assert f"any: {1 - shares[0]} = " in told


def test_odds_agree_with_games(battle: Path) -> None:
    ruleset, state = read_battle(str(battle))
    (order,) = read(ruleset, state, "R1 shoot B1").actions
    expected = float(mean(expect(ruleset, state, order).losses("B1")))
    rng, games, lost = random.Random(4), 400, 0
    for _ in range(games):
        here = ruleset.apply(state, order)
        while len(here.agenda) > 1:
            if ruleset.to_move(here) == CHANCE:
                here = ruleset.resolve(here, ruleset.pending(here).sample(rng))
            else:
                offered = ruleset.choices(here)
                choice = next((one for one in offered if one.verb == "pass"), offered[0])
                here = ruleset.apply(here, choice.canonical(here))
        lost += 5 - len(here.unit("B1").models)
    assert lost / games == pytest.approx(expected, abs=0.25)


def test_a_charge_tells_distance_and_whether_the_straight_way_is_free(run: Run, battle: Path) -> None:
    far = json.loads(run("odds", "charge", "R1", "B1", battle, "--json")[1])["charges"][0]
    assert far["gap"] == 17.0
    assert all(row["refused"] for row in far["orders"])
    near = lined_up(battle, "near.json", 16.25)
    code, out, _ = run("odds", "charge", "R1", "B1", near, "--json")
    orders = {row["verb"]: row for row in json.loads(out)["charges"][0]["orders"]}
    assert (code, orders["run"]["refused"] != []) == (0, True)
    move = orders["move"]
    assert (move["need"], move["inches"], move["exact"]) == (2.75, 6.0, "1")
    assert any("VS-LE-02" in one for one in move["straight"])
    assert move["way_round"] == pytest.approx(2.75, abs=0.001)
    assert 'needs 2.75" of 6' in run("odds", "charge", "R1", "B1", near)[1]


def test_a_fight_is_rolled_out_through_the_rules(run: Run, battle: Path) -> None:
    fighting = lined_up(battle, "fighting.json", 19.5, "horde")
    losses = json.loads(run("odds", "fight", "R1", "B1", fighting, "--json")[1])["orders"][0]["losses"]
    assert list(losses) == ["B1"]  # troopers carry nothing to strike back with
    shares = {row["value"]: Fraction(row["exact"]) for row in losses["B1"]["distribution"]}
    assert sum(shares.values()) == 1
    # five blades lock on 1 or 2, a critical on the 1; the others damage on 3 or more: 1/6 + 1/6 * 2/3 = 5/18 each
    assert shares[5] == Fraction(5, 18) ** 5
    code, _, err = run("odds", "fight", "R1", "B1", battle)
    assert (code, "in no fight" in err) == (2, True)


def test_the_built_in_battle_answers_too(run: Run) -> None:
    assert run("odds", "charge", "R1")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("roll", "2d6>>8"), "at character 5"),
        (("march", "R1"), "has no march"),
        (("shoot", "B1"), "B1 belongs to blue, and red is to decide"),
        (("shoot", "Z"), "there is no unit 'Z'"),
        (("shoot", "R1", "R1"), "R1 is no enemy of R1"),
        (("shoot", "R1", "B1", "B1"), "at most one target and one battle file"),
        (("shoot", "R1", "--verb", "run"), "R1 can shoot at nobody from where it stands now"),
    ],
)
def test_questions_without_an_answer(run: Run, battle: Path, arguments: tuple[str, ...], message: str) -> None:
    given = arguments if arguments[0] == "roll" else (*arguments, str(battle))
    code, out, err = run("odds", *given)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err
