"""One-line actions: what they look like, that they read back equal, and what is said about bad ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tactician.rules.core.action import Action, Mark
from tactician.rules.core.codec import action_from_data, action_to_data
from tactician.rules.core.files import json_text, parse_json
from tactician.rules.core.legs import Bend, Climb, Drop, Pose, Straight
from tactician.rules.core.notation import NotationError, action_from_text, action_to_text

PLAIN = st.text("ABz019_'.-", min_size=1, max_size=4)
WORDS = st.sampled_from(["order", "mark", "climb", "at", "14", "on", "", '"', "\\"])
NAMES = st.one_of(PLAIN, st.text(max_size=5), WORDS)
NUMBERS = st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.integers(-60, 60).map(float))
POINTS = st.tuples(NUMBERS, NUMBERS)
PARTS = st.one_of(st.just(1.0), st.floats(0.0, 1.0, exclude_min=True))
LEGS = st.one_of(
    st.builds(Straight, POINTS),
    st.builds(Bend, POINTS, POINTS, st.sampled_from(["left", "right"])),
    st.builds(Climb, NAMES, PARTS),
    st.builds(Drop, NAMES, PARTS),
)
PATHS = st.lists(LEGS, max_size=4).map(tuple)
POSES = st.builds(Pose, NUMBERS, NUMBERS, st.one_of(st.just("ground"), NAMES), NUMBERS)
ACTIONS = st.builds(
    Action,
    verb=NAMES,
    unit=st.one_of(st.just(""), NAMES),
    order=st.lists(NAMES, max_size=3).map(tuple),
    paths=st.dictionaries(NAMES, PATHS, max_size=3).map(lambda d: tuple(d.items())),
    targets=st.dictionaries(NAMES, NAMES, max_size=2).map(lambda d: tuple(sorted(d.items()))),
    models=st.lists(NAMES, max_size=3).map(tuple),
    places=st.dictionaries(NAMES, POSES, max_size=3).map(lambda d: tuple(d.items())),
    mark=st.one_of(st.none(), st.builds(Mark, model=NAMES, inches=NUMBERS)),
)

EXAMPLES = {
    "pass": Action(verb="pass"),
    "R move": Action(unit="R", verb="move"),
    "R move charge=B2 shoot=B R1: 14,10 climb ledge 13,31; R2: 14,12": Action(
        unit="R",
        verb="move",
        targets=(("charge", "B2"), ("shoot", "B")),
        paths=(
            ("R1", (Straight((14.0, 10.0)), Climb("ledge"), Straight((13.0, 31.0)))),
            ("R2", (Straight((14.0, 12.0)),)),
        ),
    ),
    "A run order a2 a1 a1: 20,7.37 arc left 20,8 to 20.63,8; a2: drop ground part 0.25": Action(
        unit="A",
        verb="run",
        order=("a2", "a1"),
        paths=(
            ("a1", (Straight((20.0, 7.37)), Bend((20.0, 8.0), (20.63, 8.0), "left"))),
            ("a2", (Drop("ground", 0.25),)),
        ),
    ),
    "R deploy R1 @ 10,4; R2 @ 10,5.25 on ledge facing 90": Action(
        unit="R", verb="deploy", places=(("R1", Pose(10.0, 4.0)), ("R2", Pose(10.0, 5.25, "ledge", 90.0)))
    ),
    "W shoot mark R1 at 5.5": Action(unit="W", verb="shoot", mark=Mark(model="R1", inches=5.5)),
    "R remove R1 R4": Action(unit="R", verb="remove", models=("R1", "R4")),
    '"" remove "old \\"Bess\\""': Action(verb="remove", models=('old "Bess"',)),
    "R move R1:; R2: 0.1,-1e-07": Action(unit="R", verb="move", paths=(("R1", ()), ("R2", (Straight((0.1, -1e-07)),)))),
}


@pytest.mark.parametrize("text", EXAMPLES)
def test_an_action_is_written_and_read_like_this(text: str) -> None:
    assert action_to_text(EXAMPLES[text]) == text
    assert action_from_text(text) == EXAMPLES[text]


def test_blanks_and_the_order_of_targets_do_not_matter() -> None:
    text = "  R move  shoot = B charge=B2 R1:14 , 10;R2 :14,12 "
    assert action_from_text(text) == action_from_text("R move charge=B2 shoot=B R1: 14,10; R2: 14,12")


@given(ACTIONS)
def test_every_action_reads_back_equal_from_text_and_from_data(action: Action) -> None:
    text = action_to_text(action)
    assert "\n" not in text
    assert action_from_text(text) == action
    assert action_from_data(parse_json(json_text(action_to_data(action)))) == action


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "at the end of the line: expected a verb, or a unit and a verb"),
        ("R move R1: 14,", "at the end of the line: expected a number"),
        ("R move R1: 14 10", "at character 15 ('10'): expected ','"),
        ("R move R1: 14,10 jump 3", "at character 18 ('jump'): expected a point x,y, 'arc', 'climb' or 'drop'"),
        ("R move R1: nan,10", "at character 12 ('nan'): expected a point"),
        ("R move R1: 1e999,10", "at character 12 ('1e999'): expected a number"),
        ("R move R1: arc up 3,4 to 5,6", "at character 16 ('up'): expected left or right"),
        ("R move R1: arc left 3,4 5,6", "at character 25 ('5'): expected 'to'"),
        ("R move R1: climb", "at the end of the line: expected a surface"),
        ("R move R1: 1,2 R2: 3,4", "at character 16 ('R2'): expected a point"),
        ("R move R1 @ 1,2 R2 @ 3,4", "at character 17 ('R2'): expected ';' or the end of the line"),
        ("R move R1: 1,2; R2", "at the end of the line: expected ':' or '@' after R2"),
        ("W shoot mark R1 5", "at character 17 ('5'): expected 'at'"),
        ("R move shoot=", "at the end of the line: expected what to shoot"),
        ("R move $3", "at character 8: cannot read '$3'"),
        ('R move "R1', "at character 8: cannot read"),
        ("R order", "at character 3 ('order'): expected a verb"),
    ],
)
def test_a_line_that_cannot_be_read_says_where_and_what_was_expected(text: str, words: str) -> None:
    with pytest.raises(NotationError) as caught:
        action_from_text(text)
    assert words in str(caught.value)


def answer(text: str) -> str:
    try:
        return type(action_from_text(text)).__name__
    except NotationError as error:
        return str(error)


@pytest.mark.parametrize("text", EXAMPLES)
def test_every_beginning_of_a_line_is_an_action_or_is_told_what_is_missing(text: str) -> None:
    for size in range(len(text)):
        said = answer(text[:size])
        assert said == "Action" or "expected" in said or "cannot read" in said
