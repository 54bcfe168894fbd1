"""Exact orders by tape: places rebuilt from printed words, and room that was promised."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice
from math import cos, radians, sin

import pytest
from tactician.agent.advise import advise
from tactician.agent.by_eye import Measure
from tactician.agent.policies import Budget
from tactician.agent.tape.fixes import Disc, FromBase, FromCorner, FromEdge, corners, fixes, meeting, told
from tactician.agent.tape.hands import Taped, failed, felt, misses, off, was_told
from tactician.agent.tape.orders import HOW, Step, tape_of
from tactician.agent.tape.pieces import Piece, pieces_of
from tactician.agent.tape.reading import read_fix, rebuilt
from tactician.agent.tape.room import Room, nudged
from tactician.rules.core.action import Action
from tactician.rules.core.legs import Bend, Climb, Pose, Straight
from tactician.rules.core.measure import Inches
from tactician.rules.core.notation import action_from_text, action_to_text
from tactician.rules.core.ruleset import Scenario, load_ruleset, ruleset_names
from tactician.rules.core.shapes import Point, Polygon, length
from tactician.rules.core.terrain import GROUND, Board, Feature, Surface

from tests.agent.positions import NAMES, decisions
from tests.agent.tape_tables import taped

GAMES = ruleset_names()

BLIND = 0.9
"""Part of the steps that stay legal at least when models are put down off without a look."""

NEAR: Inches = 0.1
"""How near a place rebuilt from words must be."""

RUIN = Feature(id="old ruin", outline=Polygon(((10.0, 10.0), (16.0, 10.0), (16.0, 14.0), (10.0, 14.0))), kind="ruin")
TABLE = Board(width=30.0, height=20.0, features=(RUIN,))
BARE = replace(TABLE, features=())


# ---- places ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_places_are_rebuilt_from_the_printed_lines_alone(name: str) -> None:
    found = [miss for plan in taped(name, 0, range(50, 51), 8, 2, drawn_back=False) for miss in misses(plan)]
    assert len(found) > 8
    assert max(found) <= NEAR


def test_a_place_is_told_from_edges_corners_and_bases() -> None:
    bases = {"A1": Disc(8.0, 16.0, 0.5), "A2": Disc(10.0, 18.0, 0.5)}
    place = (8.5, 17.9)
    edges, of_corners, of_bases = fixes(place, 0.5, TABLE, {**bases, "far": Disc(29.0, 1.0, 0.5)})
    assert str(edges) == '8.0" from the left edge and 1.6" from the top edge'
    assert isinstance(of_corners.first, FromCorner)
    assert str(of_bases) == '0.5" from A2 and 0.95" from A1: the upper of the two places'
    for fix in (edges, of_corners, of_bases):
        x, y = rebuilt(str(fix), TABLE, bases, 0.5)
        assert length(x - place[0], y - place[1]) <= NEAR


def test_things_from_which_a_place_is_not_found_well_are_not_named() -> None:
    in_a_row = {"A1": Disc(4.0, 3.0, 0.5), "A2": Disc(8.0, 3.0, 0.5), "A3": Disc(7.0, 3.02, 0.5)}
    assert len(fixes((5.5, 3.0), 0.5, BARE, in_a_row)) == 1
    overlapped = {"A1": Disc(5.5, 3.5, 0.5), "A2": Disc(8.0, 3.0, 0.5)}
    assert len(fixes((5.5, 3.0), 0.5, BARE, overlapped)) == 1


def test_a_corner_and_a_base_are_taken_together_where_there_are_no_two_of_a_kind() -> None:
    edges, mixed = fixes((25.5, 12.0), 0.5, TABLE, {"A1": Disc(25.5, 14.0, 0.5)})
    assert edges.second == FromEdge(edge="top", inches=7.5)
    assert {type(mixed.first), type(mixed.second)} == {FromCorner, FromBase}
    assert rebuilt(mixed, TABLE, {"A1": Disc(25.5, 14.0, 0.5)}, 0.5) == pytest.approx((25.5, 12.0), abs=NEAR)


def test_a_base_over_the_edge_is_measured_from_the_other_side() -> None:
    (edges,) = fixes((0.2, 5.0), 0.5, TABLE, {})[:1]
    assert edges.first == FromEdge(edge="right", inches=pytest.approx(29.3))


def test_corners_have_names_only_where_they_can_be_told_apart() -> None:
    assert corners(RUIN.outline) == {
        "upper left": (10.0, 14.0),
        "upper right": (16.0, 14.0),
        "lower left": (10.0, 10.0),
        "lower right": (16.0, 10.0),
    }
    assert corners(Polygon(((0.0, 0.0), (6.0, 0.0), (6.0, 0.1), (0.0, 0.1)))) == {}
    diamond = Polygon(((0.0, 2.0), (2.0, 0.0), (4.0, 2.0), (2.0, 4.0)))
    assert corners(diamond) == {"left": (0.0, 2.0), "bottom": (2.0, 0.0), "right": (4.0, 2.0), "top": (2.0, 4.0)}


def test_circles_meet_in_two_places_or_in_none() -> None:
    assert meeting((0.0, 0.0), 5.0, (6.0, 0.0), 5.0) == ((3.0, 4.0), (3.0, -4.0))
    assert meeting((0.0, 0.0), 1.0, (6.0, 0.0), 1.0) is None
    assert meeting((0.0, 0.0), 1.0, (0.0, 0.0), 1.0) is None


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ('1.5" from the left edge and 2.0" from the top edge', (2.0, 17.5)),
        ('R1a: 3.9" at 10 o\'clock (315°), to 1.5" from the right edge and 2.0" from the bottom edge', (28.0, 2.5)),
        ('or 2.5" from the upper left corner of "old ruin" and 4.5" from A1: the left of the two places', (7.0, 14.0)),
    ],
)
def test_printed_places_are_read(words: str, place: Point) -> None:
    found = rebuilt(words, TABLE, {"A1": Disc(7.0, 19.5, 0.5)}, 0.5)
    assert found == pytest.approx(place, abs=1e-6)


@pytest.mark.parametrize(
    "words", ["", "here and there", '1.5" from the left edge', '1" from nowhere at all and 2" from A1']
)
def test_words_that_tell_no_place_are_refused(words: str) -> None:
    with pytest.raises(ValueError, match="tells no place"):
        read_fix(words)


def test_distances_that_cannot_be_told_a_place_by_are_refused() -> None:
    with pytest.raises(ValueError, match="tell no place"):
        rebuilt('1.0" from the left edge and 2.0" from the right edge', TABLE, {}, 0.5)
    with pytest.raises(ValueError, match="do not meet"):
        rebuilt(
            '0.1" from A1 and 0.1" from A2: the upper of the two places',
            TABLE,
            {"A1": Disc(1.0, 1.0, 0.5), "A2": Disc(20.0, 1.0, 0.5)},
            0.5,
        )


# ---- ways ------------------------------------------------------------------------------------------------------------


def test_a_way_is_spoken_in_straight_pieces() -> None:
    path = (Straight((3.0, 0.0)), Straight((3.0, 0.0)), Straight((5.0, 0.0)), Straight((5.0, 2.0)))
    east, north = pieces_of(Pose(0.0, 0.0), path, TABLE)
    assert str(east) == "5.0\" at 3 o'clock (90°)"
    assert str(north) == "2.0\" at 12 o'clock (0°)"
    assert pieces_of(Pose(1.0, 1.0), (Straight((1.0, 1.0)),), TABLE) == ()


def test_arcs_are_spoken_in_short_straight_pieces() -> None:
    found = pieces_of(Pose(2.0, 0.0), (Bend((0.0, 0.0), (0.0, 2.0), "left"),), TABLE)
    assert len(found) >= 3
    assert sum(piece.inches for piece in found) == pytest.approx(3.14159, abs=0.05)


def test_climbs_are_spoken_once() -> None:
    ledge = Surface(id="ledge", polygon=RUIN.outline, low=2.0, high=2.0)
    board = replace(TABLE, features=(replace(RUIN, id="ledge", surface=ledge),))
    path = (Straight((9.6, 12.0)), Climb("ledge", 0.5), Climb("ledge"), Straight((12.0, 12.0)))
    words = [str(piece) for piece in pieces_of(Pose(8.0, 12.0, GROUND), path, board)]
    assert words == ["1.6\" at 3 o'clock (90°)", 'climb 2.0" onto ledge', "2.4\" at 3 o'clock (90°)"]


def test_numbers_are_as_short_as_a_tape_reads_them() -> None:
    assert [told(one) for one in (14.0, 9.55, 0.0, -0.0)] == ['14.0"', '9.55"', '0.0"', '0.0"']
    assert Piece(kind="straight", inches=1.0, bearing=359.9).hour == 12


# ---- room ------------------------------------------------------------------------------------------------------------


def test_room_is_printed_with_the_clause_and_whom() -> None:
    room = Room(inches=0.0749, clause="X-01", against="B3", relation="enemy")
    assert str(room) == 'tight: 0.07" of room (X-01, enemy B3)'
    step = Step(model="A1", way=(), end=Pose(1.0, 1.0), fixes=fixes((1.0, 1.0), 0.5, TABLE, {}), rooms=(room,))
    assert list(step.lines()) == ['A1: 0.5" from the left edge and 0.5" from the bottom edge', f"  {room}"]


@pytest.mark.parametrize(
    ("end", "inches", "clause", "against"),
    [
        ((5.0, 10.43), 0.07, "DU-MO-03", "enemy B1a"),
        ((6.9, 9.0), 0.1, "DU-MO-02", "block"),
        ((5.0, 0.62), 0.12, "DU-MO-02", "table edge"),
        ((10.8, 5.5), 0.2, "DU-MO-01", ""),
    ],
)
def test_what_is_nearest_to_being_broken_is_told(end: Point, inches: Inches, clause: str, against: str) -> None:
    ruleset = load_ruleset("_template")
    state = ruleset.start(Scenario(size="duel"))
    action = Action(verb="move", unit="R1", paths=(("R1a", (Straight(end),)),))
    tape = tape_of(ruleset, state, action)
    assert tape is not None
    (step,) = tape.tight
    (room,) = step.rooms
    assert room.inches == pytest.approx(inches, abs=0.006)
    assert room.clause == clause
    assert f"{room.relation} {room.against}".strip() == against


def test_where_there_is_room_nothing_is_tight() -> None:
    ruleset = load_ruleset("_template")
    state = ruleset.start(Scenario(size="duel"))
    tape = tape_of(ruleset, state, Action(verb="move", unit="R1", paths=(("R1a", (Straight((5.0, 9.0)),)),)))
    assert tape is not None
    assert tape.tight == ()
    assert list(tape.lines()) == [
        f"{HOW}, one after another, in this order:",
        '  R1a: 3.5" at 12 o\'clock (0°), to 4.5" from the left edge and 8.5" from the bottom edge',
        '    or 2.4" from the lower left corner of block and 2.4" from the upper left corner of block: '
        "the left of the two places",
    ]


def test_an_order_that_moves_nobody_has_no_tape() -> None:
    ruleset = load_ruleset("_template")
    state = ruleset.start(Scenario(size="duel"))
    assert tape_of(ruleset, state, Action(verb="move", unit="R1")) is None
    assert tape_of(ruleset, state, Action(verb="move", unit="R1", paths=(("R1a", (Straight((5.0, 5.5)),)),))) is None
    assert tape_of(ruleset, state, Action(verb="pass")) is None


@pytest.mark.parametrize("name", GAMES)
def test_a_tight_step_breaks_something_just_beyond_its_room_and_nothing_within(name: str) -> None:
    looked = 0
    for plan in taped(name, 0, range(60, 61), 6, 2, drawn_back=False):
        for step in plan.tape.tight[:2]:
            looked += 1
            room = step.rooms[0].inches
            assert not any(shifted(plan, step, angle, 0.9 * room) for angle in range(0, 360, 15))
            most = 2 * (room + 0.03)  # of a room between mates both use half
            assert any(
                shifted(plan, step, angle, most * part / 8) for angle in range(0, 360, 15) for part in range(1, 9)
            )
    assert looked > 3


def shifted(plan: Taped, step: Step, angle: float, inches: Inches) -> bool:
    """Whether an order breaks something with one model put down so much off."""
    shift = inches * cos(radians(angle)), inches * sin(radians(angle))
    return bool(plan.ruleset.check(plan.state, nudged(plan.action, step.model, shift)))


def test_nobody_is_told_distances_that_may_not_be_measured() -> None:
    looked = 0
    for plan in taped("_template", 0, range(50, 53), 8, 2, drawn_back=False):
        blind = tape_of(plan.ruleset, plan.state, plan.action, Measure(False))
        assert blind is not None
        looked += 1
        side = plan.state.unit(plan.action.unit).side
        hidden = {model.id for unit in plan.state.against(side) for model in unit.models}
        text = "\n".join(blind.lines())
        assert not any(name in text for name in hidden)
    assert looked > 3


# ---- hands that are a little off -------------------------------------------------------------------------------------


def carried_out(plans: list[Taped], draws: int, seed: int) -> None:
    """Put every model down up to `OFF` off, several times: what fails had been printed as tight.

    Once blindly, through whatever is in the way; once as hands do it, which bases, walls and the end of the tape stop:
    then at least 95 % of the steps stay legal, and blindly, as plans are drawn back, at least `BLIND` of them.
    """
    rng, steps, lost, strayed = random.Random(seed), 0, 0, 0
    for plan in plans:
        stops = felt(plan)
        for _ in range(draws):
            for blind in (True, False):
                broken = plan.ruleset.check(plan.state, off(plan, rng, frozenset() if blind else stops))
                assert all(was_told(plan, one) for one in broken), (plan.action, list(map(str, broken)))
                if blind:
                    strayed += len(failed(plan, broken))
                else:
                    steps += len(plan.tape.steps)
                    lost += len(failed(plan, broken))
    assert steps > 0
    assert lost <= 0.05 * steps, (lost, steps)
    assert strayed <= (1.0 - BLIND) * steps, (strayed, steps)


@pytest.mark.parametrize("name", GAMES)
def test_whoever_is_a_little_off_stays_legal_or_was_warned(name: str) -> None:
    carried_out(list(taped(name, 0, range(70, 71), 5, 2)), 1, 7)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_whoever_is_a_little_off_stays_legal_or_was_warned_in_many_positions(name: str) -> None:
    plans = list(islice(taped(name, 1, range(900, 906), 20), 60))
    assert len(plans) == 60
    carried_out(plans, 3, 8)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_places_are_rebuilt_from_the_printed_lines_in_many_positions(name: str) -> None:
    found = [miss for plan in taped(name, 1, range(910, 913), 15) for miss in misses(plan)]
    assert len(found) > 100
    assert max(found) <= NEAR


@pytest.mark.slow
def test_hundreds_of_plans_read_back_from_their_lines_are_legal() -> None:
    done = 0
    for name in GAMES:
        for size, seed in ((0, 920), (1, 922)):
            ruleset = load_ruleset(name)
            for state in decisions(name, ruleset.info.sizes[size], seed, 30):
                for plan in advise(ruleset, state, 5, Budget(evaluations=16), answered=False):
                    action = action_from_text(action_to_text(plan.action))
                    assert action == plan.action
                    assert ruleset.check(state, action) == ()
                    assert ruleset.apply(state, action) != state
                    done += 1
    assert done >= 200
