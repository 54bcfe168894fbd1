"""Real dice in stages: asked for at the table, and given to a command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest
from tactician.commands.given import Throws
from tactician.commands.words import roll_data
from tactician.rules.core.chance import DiceError, Outcome, Roll, Total
from tactician.rules.core.files import BadInput
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.shots import Damage, Shots
from tactician.rules.core.state import State
from tactician.rules.core.volley import Volley
from tactician.table_dice import TableDice, read_throw

RIFLE = Shots(name="rifle", count=4, hit=(3,), wound=4, save=5, damage=Damage(add=1))
VOLLEY = Volley(why="fire", groups=(RIFLE,), models=(1, 1, 1))
HITS = "roll 4D6 for hits: each 3 or more; what came up? > "
WOUNDS = "roll 3D6 for wounds: each 4 or more; what came up? > "
SAVES = "roll 2D6 for saves: each 5 or more; what came up? > "


class Asking:
    """A game that asks one thing."""

    def __init__(self, roll: Roll) -> None:
        self.roll = roll

    def pending(self, state: State) -> Roll:
        return self.roll


def thrown(roll: Roll, lines: list[str], request: Callable[[str], bool] = lambda text: False) -> tuple[Any, ...]:
    """The outcome, what was asked and what was told."""
    asked: list[str] = []
    told: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return lines[len(asked) - 1]

    dice = TableDice(ask, told.append, request)
    return dice.throw(cast(Ruleset, Asking(roll)), cast(State, None)), asked, told


def test_a_person_throws_a_volley_stage_by_stage() -> None:
    assert thrown(VOLLEY, ["3 6 2 5", "416", "5,2"]) == ((1, 0), [HITS, WOUNDS, SAVES], ["dice: fire"])


def test_a_stage_is_asked_for_again_until_its_faces_fit() -> None:
    outcome, asked, told = thrown(
        VOLLEY, ["3625", "4 1", "help", "4 7 1", "", "4 1 1", "1"], lambda text: text == "help"
    )
    assert outcome == (1, 0)
    assert asked[:5] == [HITS, WOUNDS, WOUNDS, WOUNDS, WOUNDS]
    assert told[1:] == [
        "fire: 2 faces given, expected 3 (then roll 3D6 for wounds: each 4 or more)",
        "fire: die 2 shows 7, expected a whole number from 1 to 6",
        "fire: '' shows no dice, expected faces such as 1 2 3 (roll 3D6 for wounds: each 4 or more)",
    ]


def test_faces_may_go_on_into_later_stages() -> None:
    assert thrown(VOLLEY, ["3 6 2 5 4 1 6", "5 2"])[:2] == ((1, 0), [HITS, SAVES])
    assert thrown(VOLLEY, ["3 6 2 5 1 1 1"])[0] == (0, 0)


@pytest.mark.parametrize("text", ["=2 0", "2 models removed", "2 Models Removed"])
def test_an_outcome_may_be_said_at_any_stage(text: str) -> None:
    assert thrown(VOLLEY, [text])[0] == (2, 0)
    assert thrown(VOLLEY, ["3625", text])[0] == (2, 0)


def test_a_whole_volley_on_one_line() -> None:
    assert read_throw(VOLLEY, "3 6 2 5 4 1 6 5 2") == (1, 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3625", "more dice must fall .then roll 3D6 for wounds"),
        ("2 0", "2 faces given, expected 4"),
        ("1 1 1 1 1", "5 faces given, expected 4"),
        ("=4 0", "expected models removed"),
    ],
)
def test_a_line_that_is_no_whole_volley(text: str, message: str) -> None:
    with pytest.raises(DiceError, match=message):
        read_throw(VOLLEY, text)


# ---- dice given to a command -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "outcome", "left"),
    [
        ("3,6,2,5,4,1,6,5,2", (1, 0), []),
        ("1,1,2,2", (0, 0), []),
        ("3,6,2,5,1,1,1,4,4", (0, 0), ["4", "4"]),
        ("=2+0,6", (2, 0), ["6"]),
        ("2 models removed", (2, 0), []),
    ],
)
def test_dice_of_a_command_are_used_stage_by_stage(text: str, outcome: Outcome, left: list[str]) -> None:
    throws = Throws(text)
    assert (throws.next(VOLLEY), throws.left) == (outcome, left)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3,6", "2 faces given, expected 4 (roll 4D6 for hits"),
        ("3,6,2,5", "0 faces given, expected 3 (then roll 3D6 for wounds: each 4 or more)"),
        ("3,6,2,5,4,1", "2 faces given, expected 3 (then roll 3D6 for wounds: each 4 or more)"),
        ("3,6,2,5,4,x,1", "found 4, x, 1, expected whole numbers"),
        ("3,6,2,9", "die 4 shows 9"),
    ],
)
def test_dice_of_a_command_that_do_not_fit(text: str, message: str) -> None:
    with pytest.raises(BadInput) as refused:
        Throws(text).next(VOLLEY)
    assert message in str(refused.value)


def test_the_data_of_a_roll_say_whether_more_dice_may_follow() -> None:
    assert (roll_data(VOLLEY)["staged"], roll_data(VOLLEY)["dice"]) == (True, [6, 6, 6, 6])
    assert roll_data(Total(why="march", dice=2))["staged"] is False
