"""Orders that give targets to models: read, printed so that they read back, told shortly, put right."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tactician import orders, say
from tactician.commands.words import choice_data, choice_words
from tactician.order_aims import aims_told
from tactician.orders import OrderError
from tactician.pictures import with_action
from tactician.rules.core.action import Action, Pairs
from tactician.rules.core.choice import Assign, Choice
from tactician.rules.core.codec import action_from_data, action_to_data
from tactician.rules.core.drawing import Line

from tests.core.volleys import CHARGE, SPLIT, Volleys, everybody, volley_state

GAME = Volleys()
STATE = volley_state()
SHOOT = Action(verb="shoot", unit="A")


def targets(text: str) -> Pairs:
    (action,) = orders.read(GAME, STATE, text).actions
    assert (action.unit, action.models, action.paths) == ("A", (), ())
    return action.targets


def choice_of(verb: str) -> Choice:
    return next(one for one in GAME.choices(STATE) if one.verb == verb)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A shoot E1", everybody("E1")),
        ("shoot at e2", everybody("E2")),
        ("a1 shoot f1", everybody("E2")),
        ("A charge E1", CHARGE),
        ("A charge", CHARGE),
        ("A shoot E1 with a1 a2", (("a1", "E1"), ("a2", "E1"))),
        ("A shoot E2 with a3", (("a3", "E2"),)),
        ("A charge E1 with a3", (("a3", "e2"),)),
        ("A shoot with a2", (("a2", "E1"),)),
        ("A shoot a1=E1 a2=e2", (("a1", "E1"), ("a2", "e2"))),
        ("A shoot A3=E2, A1=E1:bolter", (("a1", "E1:bolter"), ("a3", "E2"))),
        ('A shoot a1="E1:heavy bolter" a2=E2', (("a1", "E1:heavy bolter"), ("a2", "E2"))),
        ("A shoot a1 = E1 a2 = E2", (("a1", "E1"), ("a2", "E2"))),
    ],
)
def test_targets_are_read(text: str, found: Pairs) -> None:
    assert targets(text) == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A shoot", "A needs a target; expected E1 or E2, or pairs such as a1=E1"),
        ("A shoot E1 E2", "shoot at E1 and E2; expected one unit, or pairs"),
        ("A shoot E1 a1=E2", "shoot at E1; expected one unit, or pairs"),
        ("A shoot 7", "'7' is not understood; expected a unit to aim at (E1, E2), or pairs"),
        ("A shoot a1=E9", "there is no enemy 'E9' to aim at; did you mean"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, message: str) -> None:
    with pytest.raises(OrderError) as caught:
        orders.read(GAME, STATE, text)
    assert message in str(caught.value)


def test_pairs_after_another_verb_are_the_line_of_the_notation() -> None:
    (action,) = orders.read(GAME, STATE, "A pass a1=E1").actions
    assert action.targets == (("a1", "E1"),)
    assert GAME.check(STATE, action)


def test_an_enemy_at_whom_nothing_is_usual_is_asked_about_all_the_same() -> None:
    far = volley_state(f1=(40, 40))
    (action,) = orders.read(GAME, far, "A shoot E2").actions
    assert action.targets == everybody("E2")
    assert [one.clause for one in GAME.check(far, action)] == ["VO-02"] * 3
    near = orders.nearest_order(GAME, far, action)
    assert near == replace(SHOOT, targets=everybody("E1"))


@pytest.mark.parametrize(
    ("found", "text", "told"),
    [
        (everybody("E1"), "A shoot E1", "A (A) shoot at E1 (all 3)"),
        (everybody("E2"), "A shoot E2", "A (A) shoot at E2 (all 3)"),
        (SPLIT, "A shoot a1=E1 a2=E1 a3=E2", "A (A) shoot a1, a2 at E1; a3 at E2"),
        (everybody("E1")[:2], "A shoot E1 with a1 a2", "A (A) shoot at E1 (a1, a2)"),
        (everybody("E1:bolter"), "A shoot a1=E1:bolter a2=E1:bolter a3=E1:bolter", "at E1 with bolter (all 3)"),
        ((("a1", "E1:heavy bolter"), ("a3", "e2")), 'A shoot a1="E1:heavy bolter" a3=e2', "a1 at E1 with heavy bolter"),
    ],
)
def test_an_assignment_is_printed_shortly_and_reads_back(found: Pairs, text: str, told: str) -> None:
    action = replace(SHOOT, targets=found)
    assert orders.words(GAME, STATE, action) == text
    assert orders.read(GAME, STATE, text).actions == (action,)
    assert told in orders.plain(STATE, action)
    assert action_from_data(action_to_data(action)) == action


def test_pairs_that_are_no_assignment_of_the_unit_are_told_otherwise() -> None:
    unit = STATE.unit("A")
    assert aims_told(STATE, unit, (("shoot", "E1"),)) is None
    assert aims_told(STATE, unit, ()) is None
    lone = unit.without(("a2", "a3"))
    assert aims_told(STATE.with_unit(lone), lone, (("a1", "E2"),)) == "at E2"


def test_what_is_offered_is_told_by_whom_it_is_aimed_at() -> None:
    assert say.offers(GAME, STATE) == ("  A (A): charge [E1], pass, shoot [E1, E2]",)
    told = choice_words(STATE, choice_of("shoot"))
    assert told == "a target for each of a1, a2, a3; usually a1=E1 a2=E1 a3=E1"
    data = choice_data(GAME, STATE, choice_of("shoot"))
    assert data["domain"] == "assignment"
    assert data["models"] == ["a1", "a2", "a3"]
    assert data["usual"][2] == {"a1": "E1", "a2": "E1", "a3": "E2"}
    assert data["canonical"]["text"] == "A shoot E1"


def test_the_only_question_names_whom_one_may_aim_at() -> None:
    class Forced(Volleys):
        def choices(self, state: object) -> tuple[Choice, ...]:
            return (choice_of("shoot"),)

    assert isinstance(choice_of("shoot").domain, Assign)
    assert say.prompt(Forced(), STATE) == "red: A shoot: at whom? (E1, E2) (? for suggestions) > "


def test_an_illegal_assignment_is_put_right_toward_whom_it_aims_at() -> None:
    wrong = replace(SHOOT, targets=(("a1", "E2:sword"), ("a2", "E2"), ("a3", "E2")))
    assert orders.nearest_order(GAME, STATE, wrong) == replace(SHOOT, targets=everybody("E2"))
    assert orders.nearest_order(GAME, STATE, replace(SHOOT, targets=SPLIT)) is None


def test_a_picture_shows_who_aims_at_whom() -> None:
    drawing = with_action(GAME.describe(STATE), GAME, STATE, replace(SHOOT, targets=(*SPLIT[:2], ("a3", "f1"))))
    lines = [shape for shape in drawing.shapes if isinstance(shape, Line)]
    assert [line.points for line in lines] == [((10, 10), (11, 21)), ((12, 10), (11, 21)), ((14, 10), (20, 21))]
    assert [line.note for line in lines] == ["shoot", "", "shoot"]
