"""The loop at the table: requests, undo, files, dice, the end of the input; what is told about each."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from tactician import say, session
from tactician.agent.policies import Budget, Decision, policy
from tactician.agent.value.terms import Term
from tactician.hints import Hint, hint_of, hints_from
from tactician.rules.core.action import Action
from tactician.rules.core.chance import DiceError, Faces, Roll, Successes, Total
from tactician.rules.core.chance import Table as Odds
from tactician.rules.core.record import read_record, replay
from tactician.rules.core.ruleset import Ruleset, Scenario
from tactician.rules.core.state import State
from tactician.table_dice import read_throw

from tests.app.table import RULES, Table


class Still:
    """A bot that does the first thing offered, and says why."""

    name = "still"

    def decide(self, ruleset: Ruleset, state: State, budget: Budget, rng: random.Random) -> Decision:
        choices = ruleset.choices(state)
        last = choices[-1] if choices[-1].verb == "pass" else choices[0]
        terms = (Term(name="calm", sentence="it likes to stand", amount=1.5),)
        return Decision(action=last.canonical(state), terms=terms)


class Cheat(Still):
    """A bot whose ideas are illegal."""

    name = "cheat"

    def decide(self, ruleset: Ruleset, state: State, budget: Budget, rng: random.Random) -> Decision:
        return Decision(action=Action(verb="dance"))


def begin(*, deployed: bool = True, first: str = "red") -> State:
    return RULES.start(Scenario(size="duel", deployed=deployed, first=first))


def played(
    lines: Callable[[str], str] | Iterable[str], state: State | None = None, **more: Any
) -> tuple[session.Result, Table]:
    table = Table(lines)
    settings: dict[str, Any] = {"human": "red", "bot": Still(), "seed": 1} | more
    start = begin() if state is None else state
    result = session.play(RULES, start, ask=table.ask, tell=table.tell, **settings)
    return result, table


# ---- leaving ---------------------------------------------------------------------------------------------------------


def test_the_end_of_the_input_leaves_with_what_there_is(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    result, table = played(["R1 move by 0,1", "pass"], record=file)
    assert result.left == "end of input"
    assert result.returns == (0.0, 0.0)
    assert table.transcript[-1] == f"record written: {file}"
    record = read_record(file)
    assert replay(record, RULES) == result.state
    assert len(record.plies) == len(result.record.plies) > 0


def test_quitting_is_the_same_by_wish() -> None:
    for word in ("quit", "exit", "QUIT"):
        result, _ = played([word, "R1 move"])
        assert result.left == "quit"
        assert result.record.plies == []
        assert result.record.end is None


def test_an_interrupt_loses_nothing(tmp_path: Path) -> None:
    def interrupted(question: str) -> str:
        raise KeyboardInterrupt

    result, _ = played(interrupted, record=tmp_path / "game.jsonl")
    assert result.left == "end of input"
    assert read_record(tmp_path / "game.jsonl").start


@pytest.mark.parametrize(("human", "returns"), [("red", (-1.0, 1.0)), ("both", (-1.0, 1.0)), ("blue", (1.0, -1.0))])
def test_conceding_wins_the_game_for_the_other_side(human: str, returns: tuple[float, float]) -> None:
    first = "blue" if human == "blue" else "red"
    result, table = played(["concede"], begin(first=first), human=human)
    assert (result.left, result.returns) == ("conceded", returns)
    assert "concedes: " in table.text


def test_the_result_is_told() -> None:
    over = begin()
    gone = over.unit("B1")
    over = over.with_unit(gone.without(tuple(model.id for model in gone.models)))
    result, table = played(["R1 split R1a R1b", "R1 move by 0,1"], over)
    assert result.left == "finished"
    assert result.returns == (1.0, -1.0)
    assert table.transcript[-1] == "the game is over by annihilation: red wins"
    assert result.record.end is not None
    assert result.record.end.ending == "annihilation"


# ---- one decision ----------------------------------------------------------------------------------------------------


def test_the_situation_and_one_question() -> None:
    _, table = played(["quit"])
    assert table.transcript[:2] == ["  turn 1: red first", "VoidSiege, annihilation, Quarry (duel), turn 1 of 8"]
    assert "  victory points: red 0, blue 0" in table.transcript
    assert "  command points: red 6, blue 6" in table.transcript
    assert "  red R1 N-Force: 5 models about (12, 3)" in table.transcript
    assert "red: your order? (? for suggestions) > quit" in table.transcript
    assert table.questions == [1]


def test_status_of_units_is_told() -> None:
    state = begin()
    unit = state.unit("R1")
    state = state.with_unit(unit.moved({"R1c": state.unit("B1").models[2].pose._replace(y=19.5)}))
    assert isinstance(state, type(begin()))
    told = "\n".join(say.situation(RULES, state, "blue"))
    assert told.index("blue B1") < told.index("red R1")
    assert "R1 N-Force: 5 models about (12, 6.3); engaged" in told


def test_orders_lists_what_may_be_done() -> None:
    _, table = played(["orders", "R1 move", "orders", "quit"])
    assert '  R1 (N-Force): move up to 6", shoot [shoot B1], run up to 12"' in table.text
    assert '  R1 (N-Force): go up to 6"' in table.text
    assert 'red: where does R1 go, up to 6"? (to x,y; ... toward B1; stay)' in table.text


def test_empty_lines_and_stray_words_are_answered() -> None:
    result, table = played(["", "y", "n", "dance", "help", "show", "7", "undo", "why", "why dance"])
    assert result.record.plies == []
    for told in (
        "type an order, ? for suggestions",
        "nothing was offered",
        "not understood: column 1: 'dance' is no unit and no order",
        "suggestions, best first",
        "there is no suggestion 7, expected 1 to 1",
        "nothing to undo: you have given no order yet",
        "not understood: column 4: 'why' needs more",
    ):
        assert told in table.text


def test_an_illegal_order_names_clauses_with_numbers_and_is_offered_shortened() -> None:
    result, table = played(["R1 move to 12,20", "n", "R1 move to 12,20", "", "R1 move to 12,20", "y"])
    assert table.text.count("take it? (y, n, or another order) > ") == 3
    assert 'VS-AL-01 (Move-distance is the OPDAT Move value.): R1a 17.00", limit 6" at (9, 20)' in table.text
    (ply,) = result.record.plies[:1]
    assert hasattr(ply, "action")
    assert ply.action.paths


def test_another_order_may_answer_the_offer() -> None:
    result, _ = played(["R1 move to 12,20", "R1 ditch by 0,1", "quit"])
    (ply,) = result.record.plies[:1]
    assert hasattr(ply, "action")
    assert ply.action.verb == "ditch"


def test_an_order_that_nothing_comes_near_is_only_explained() -> None:
    _, table = played(["R1 defend", "quit"])
    assert "VS-RS-03" in table.text
    assert "take it?" not in table.text


def test_several_orders_in_one_line() -> None:
    result, _ = played(["R1 split R1a R1b then R1.b move by 0,1", "quit"])
    assert [ply.action.verb for ply in result.record.plies[:2] if hasattr(ply, "action")] == ["split", "move"]


# ---- suggestions -----------------------------------------------------------------------------------------------------


def two(ruleset: Ruleset, state: State, top: int, /) -> tuple[Hint, ...]:
    choices = ruleset.choices(state)
    found = [Hint(action=choice.canonical(state), why=(f"{choice.verb} is nice", "and so it is")) for choice in choices]
    return tuple(found[:2])


def test_suggestions_are_numbered_taken_and_explained() -> None:
    result, table = played(["?", "why 2", "why 9", "2", "quit"], adviser=two)
    assert "  1  red: R1 (N-Force) move - move is nice" in table.transcript
    assert "  2  red: R1 (N-Force) shoot at B1 - shoot is nice" in table.transcript
    assert "  because and so it is" in table.transcript
    assert "there is no suggestion 9, expected 1 to 2" in table.text
    assert result.record.plies[0].action.verb == "shoot"  # type: ignore[union-attr]


def test_a_suggestion_may_be_taken_unseen() -> None:
    result, _ = played(["1", "quit"], adviser=two)
    assert result.record.plies[0].action == Action(verb="move", unit="R1")  # type: ignore[union-attr]


def test_a_decision_tells_its_weightiest_reasons_and_its_alternatives() -> None:
    small, big = Term(name="a", sentence="slight", amount=0.001), Term(name="b", sentence="grave", amount=-2.0)
    other = Action(verb="pass")
    decision = Decision(action=Action(verb="go"), value=1.0, terms=(small, big), alternatives=((0.5, other),))
    assert hint_of(decision).why == ("grave (-2.00)",)

    class Fixed(Still):
        def decide(self, ruleset: Ruleset, state: State, budget: Budget, rng: random.Random) -> Decision:
            return decision

    hints = hints_from(Fixed(), Budget(), random.Random(0))(RULES, begin(), 5)
    assert [hint.action for hint in hints] == [decision.action, other]
    assert hints[1].why == ("worth +0.50, the first +1.00",)


def test_why_judges_an_order_without_giving_it() -> None:
    result, table = played(["why R1 move to 12,20", "why R1b to 10.5,8", "why R1 move by 0,1", "quit"])
    assert result.record.plies == []
    assert "R1 (N-Force) move to 12,20 as it stands: not legal" in table.transcript
    assert "R1 (N-Force) move R1b to 10.5,8: not legal" in table.transcript
    assert "R1 (N-Force) overrun R1b to 10.5,8: not legal" in table.transcript
    assert "R1 (N-Force) move to 12,4 as it stands: legal" in table.transcript


# ---- undo ------------------------------------------------------------------------------------------------------------


def test_undo_goes_back_before_the_last_own_order_and_over_the_bots_answer() -> None:
    result, table = played(["R1 move by 0,1", "undo", "undo", "quit"], bot=Still())
    assert "(bot) blue: pass" in table.text
    assert "taken back: red: R1 (N-Force) move to 12,4 as it stands" in table.text
    assert "nothing to undo: you are back" in table.text
    assert result.state == begin()
    assert result.record.plies == []


def test_undo_never_crosses_dice() -> None:
    answers = iter(["R1 shoot B1", "undo", "quit"])
    result, table = played(lambda question: next(answers))
    assert "nothing to undo: dice have fallen since your last order (" in table.text
    assert "dice are not taken back" in table.text
    assert result.record.plies[0].action.verb == "shoot"  # type: ignore[union-attr]


def test_undo_between_two_people() -> None:
    lines = ["R1 move by 0,1", "pass", "B1 move by 0,-1", "pass", "undo", "undo", "quit"]
    result, table = played(lines, human="both")
    assert table.text.count("taken back: ") == 2
    assert len(result.record.plies) == 2


# ---- the bot ---------------------------------------------------------------------------------------------------------


def test_the_bot_says_what_it_does_and_why() -> None:
    _, table = played(["R1 move by 0,1", "quit"])
    assert "(bot) blue: pass" in table.transcript
    assert "      because it likes to stand (+1.50)" in table.transcript


def test_a_bot_that_cheats_is_held_to_the_rules() -> None:
    result, table = played(["R1 move by 0,1", "quit"], bot=Cheat())
    assert "because its own choice was not legal" in table.text
    assert replay(result.record, RULES) == result.state


# ---- files -----------------------------------------------------------------------------------------------------------


def test_saving_and_going_on_later(tmp_path: Path) -> None:
    file = tmp_path / "battle.json"
    first, table = played(["R1 move", f"save {file}", "quit"])
    assert f"saved: {file}" in table.transcript
    loaded = RULES.from_data(json.loads(file.read_text(encoding="utf-8")))
    assert loaded == first.state
    second, _ = played(["to 12,5", "quit"], loaded)
    assert second.record.plies[0].action.verb == "go"  # type: ignore[union-attr]


def test_pictures(tmp_path: Path) -> None:
    always, once = tmp_path / "now.svg", tmp_path / "then.svg"
    _, table = played(["R1 move by 0,1", f"picture {once}", f"picture {tmp_path}/a.gif", "quit"], picture=always)
    assert once.read_text(encoding="utf-8") == always.read_text(encoding="utf-8")
    assert "nothing written" in table.text
    assert "a picture ends in .svg or .png" in table.text


def test_a_picture_of_threats(tmp_path: Path) -> None:
    place = tmp_path / "threat.svg"
    _, table = played([f"threat {place}", f"threat {tmp_path}/a.gif", "threat", "quit"])
    assert "one unit can attack" in place.read_text(encoding="utf-8")
    assert f"picture: {place}" in table.text
    assert "a picture ends in .svg or .png" in table.text
    assert "'threat' needs more" in table.text


def test_what_cannot_be_written_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    nowhere = tmp_path / "no" / "where.json"
    result, table = played([f"save {nowhere}", f"save {tmp_path}", "show", "quit"], record=nowhere)
    assert table.text.count("nothing written") == 3
    assert result.left == "quit"
    assert list(tmp_path.iterdir()) == []


# ---- dice ------------------------------------------------------------------------------------------------------------


def test_program_dice_come_from_the_seed_and_are_shown_with_their_odds() -> None:
    def told(seed: int) -> list[str]:
        answers = iter(["R1 shoot B1", "quit"])
        _, table = played(lambda question: next(answers), seed=seed)
        return [line for line in table.transcript if line.startswith("dice: ")]

    assert told(1) == told(1)
    assert any(told(1) != told(seed) for seed in range(2, 9))
    assert "% for just this" in told(1)[0]


def test_table_dice_are_asked_for_again_until_they_can_be() -> None:
    dice = iter(["", "lots", "1 2 3", "help", "undo", "save", "0 1 2 3 4 5 6 1 2 3", "1212666666"])

    def person(question: str) -> str:
        return next(dice, "quit") if "what came up?" in question else "R1 shoot B1"

    result, table = played(person, dice="table")
    assert result.left == "quit"
    assert "shows no dice, expected faces such as 1 2 3 4 5 6 (roll 10D6" in table.text
    assert "3 faces given, expected 10" in table.text
    assert "suggestions, best first" in table.text
    assert "an order that made them fall is not taken back" in table.text
    assert "'save' needs a file" in table.text
    assert "die 1 shows 0, expected a whole number from 1 to 6" in table.text
    assert "-> 2 critical, 2 locks" in table.text


def test_one_may_concede_instead_of_throwing() -> None:
    result, _ = played(["concede"], begin(deployed=False, first=""), dice="table")
    assert (result.left, result.returns) == ("conceded", (-1.0, 1.0))


LOCKS = Faces(why="locks", dice=4, bands=(("critical", 1, 1), ("lock", 2, 3)))
HITS = Successes(why="hits", dice=3, at_least=4)
MARCH = Total(why="march", dice=2)
FIRST = Odds(why="first", entries=((1, 3, "red"), (4, 6, "blue")))


@pytest.mark.parametrize(
    ("roll", "text", "outcome"),
    [
        (LOCKS, "1 2 3 6", (1, 2)),
        (LOCKS, "1236", (1, 2)),
        (LOCKS, "1,2, 3,6", (1, 2)),
        (LOCKS, "1 2", (1, 2)),
        (LOCKS, "=1 2", (1, 2)),
        (LOCKS, "1 critical, 2 locks", (1, 2)),
        (HITS, "4 2 6", 2),
        (HITS, "2", 2),
        (MARCH, "11", 2),
        (MARCH, "=11", 11),
        (MARCH, "7", 7),
        (FIRST, "4", 1),
        (FIRST, "=0", 0),
        (FIRST, "Red", 0),
    ],
)
def test_typed_dice(roll: Roll, text: str, outcome: object) -> None:
    assert read_throw(roll, text) == outcome


@pytest.mark.parametrize(
    ("roll", "text", "message"),
    [
        (LOCKS, "", "shows no dice"),
        (LOCKS, "1 2 3 7", "die 4 shows 7"),
        (LOCKS, "1 2 3", "3 faces given, expected 4"),
        (LOCKS, "4 4", "2 faces given, expected 4"),
        (LOCKS, "=9 9", "expected 2 counts"),
        (HITS, "9", "1 face given, expected 3"),
        (HITS, "=1 1", "outcome"),
        (MARCH, "=13", "expected a whole number from 2 to 12"),
        (FIRST, "7", "die 1 shows 7"),
        (FIRST, "green", "'green' shows no dice"),
        (FIRST, "9" * 50, "die 1 shows"),
        (FIRST, "1" * 5000, "shows no dice"),
    ],
)
def test_dice_that_cannot_be(roll: Roll, text: str, message: str) -> None:
    with pytest.raises(DiceError, match=message):
        read_throw(roll, text)


def test_a_policy_of_the_program_can_play_both_roles() -> None:
    result, _ = played(["1", "quit"], bot=policy("straight-ahead"), budget=Budget(evaluations=2))
    assert result.record.plies
