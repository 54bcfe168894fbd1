"""Boards, their surfaces and walls; values that hash alike in every process."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace

import pytest
from tactician.rules.core.legs import Pose
from tactician.rules.core.state import gap
from tactician.rules.core.terrain import Board, Feature, Surface

from tests.core.movement_boards import box, table_with


def floor(name: str, height: float, x: float, solid: bool = True) -> Feature:
    outline = box(x, 10, x + 4, 14)
    return Feature(
        id=name, outline=outline, surface=Surface(id=name, polygon=outline, low=height, high=height, solid=solid)
    )


RAMP = Feature(
    id="ramp",
    outline=box(20, 10, 24, 14),
    surface=Surface(id="ramp", polygon=box(20, 10, 24, 14), low=0, high=2, foot=(21, 12), head=(23, 12)),
)
WALL = Feature(id="wall", outline=box(30, 10, 31, 14), blocks=True, top=1.0, traits=(("cover", 2.0), ("soft", True)))
BEAM = Feature(id="beam", outline=box(32, 10, 33, 14), blocks=True, bottom=1.5, top=3.0)
BOARD = Board(width=48, height=48, features=(floor("low", 1, 10), floor("high", 3, 14), RAMP, WALL, BEAM))


def test_heights_on_a_ramp_are_clamped_at_foot_and_head() -> None:
    ramp = BOARD.surface("ramp")
    heights = [ramp.height_at(x, y) for x, y in ((20, 12), (21, 10), (22, 14), (22.5, 12), (23, 13), (99, 12))]
    assert heights == pytest.approx([0, 0, 1, 1.5, 2, 2])


def test_heights_elsewhere_are_even() -> None:
    assert BOARD.surface("ground").height_at(3, 3) == 0.0
    assert BOARD.surface("high").height_at(0, 0) == 3.0


def test_reach_is_how_far_inside_a_surface_a_place_is() -> None:
    assert BOARD.surface("ground").reach(1e5, 0) == float("inf")
    assert BOARD.surface("low").reach(11, 12) == 1.0
    assert BOARD.surface("low").reach(9, 12) == -1.0


@pytest.mark.parametrize(
    ("surface", "walls"),
    [
        ("ground", ["low", "high", "ramp", "wall"]),
        ("low", ["high", "ramp"]),
        ("ramp", ["low", "high", "wall", "beam"]),
        ("high", []),
    ],
)
def test_what_rises_above_a_surface_is_a_wall_on_it(surface: str, walls: list[str]) -> None:
    assert [name for name, _ in BOARD.ground(surface).walls] == walls


def test_one_may_walk_under_a_floor_that_is_not_solid() -> None:
    bridge = Board(width=48, height=48, features=(floor("bridge", 3, 10, solid=False),))
    assert bridge.ground("ground").walls == ()


def test_pieces_are_found_by_id_and_by_trait() -> None:
    assert BOARD.feature("beam") is BEAM
    assert BOARD.with_trait("cover") == (WALL,)
    assert (WALL.trait("cover"), WALL.trait("soft"), WALL.trait("rate")) == (2.0, True, None)
    assert BOARD.has_surface("low")
    assert not BOARD.has_surface("attic")
    for find in (BOARD.feature, BOARD.surface):
        with pytest.raises(KeyError, match="attic"):
            find("attic")


def test_the_distance_of_bases_counts_heights() -> None:
    state = table_with({"A": ("red", {"a": Pose(12, 12, "low")})}, BOARD.features)
    assert gap(state, Pose(8, 12), 0.5, Pose(8, 16), 0.5) == 3.0
    assert gap(state, Pose(12, 12, "low"), 0.5, Pose(15, 12, "high"), 0.5) == pytest.approx(13**0.5 - 1)
    assert gap(state, Pose(15, 12, "high"), 0.5, Pose(15, 14, "high"), 0.5) == pytest.approx(1)


# ---- values ----------------------------------------------------------------------------------------------------------


def test_a_changed_board_has_a_hash_of_its_own() -> None:
    hash(BOARD)
    wider = replace(BOARD, width=60)
    assert wider == Board(width=60, height=48, features=BOARD.features)
    assert hash(wider) == hash(Board(width=60, height=48, features=BOARD.features))
    assert wider != BOARD
    assert replace(wider, width=48) in {BOARD}


def test_boards_units_and_states_cannot_be_written_to() -> None:
    state = table_with({"A": ("red", {"a": Pose(12, 5)})}, BOARD.features)
    for value, name in ((state, "round"), (state.units[0], "models"), (state.table, "board"), (state.board, "width")):
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, 3)


def test_the_log_is_no_part_of_a_moment() -> None:
    state = table_with({"A": ("red", {"a": Pose(12, 5)})})
    told = replace(state, log=("a die fell",))
    assert (state, hash(state)) == (told, hash(told))


CHILD = """
import pickle, sys
from tests.core.movement_boards import table_with
from tactician.rules.core.legs import Pose
from tests.core.test_terrain import BOARD
told = pickle.load(sys.stdin.buffer)
made = table_with({"A": ("red", {"a": Pose(12, 5)})}, BOARD.features)
assert told == made and hash(told) == hash(made) and told in {made}
assert hash(told.board) == hash(made.board) and told.board.surface("low").height_at(0, 0) == 1
sys.stdout.buffer.write(pickle.dumps(told))
"""


def test_a_state_that_went_through_another_process_equals_one_made_here() -> None:
    state = table_with({"A": ("red", {"a": Pose(12, 5)})}, BOARD.features)
    hash(state)
    assert state.board.ground("low").walls
    done = subprocess.run([sys.executable, "-c", CHILD], input=pickle.dumps(state), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    back = pickle.loads(done.stdout)
    assert (back, hash(back)) == (state, hash(state))
    assert back in {state}


def test_finding_units_and_models() -> None:
    state = table_with(
        {"A": ("red", {"a": Pose(12, 5), "b": Pose(14, 5)}), "E": ("blue", {"e": Pose(40, 40)}), "G": ("red", {})}
    )
    assert [unit.id for unit in state.of("red")] == ["A"]
    assert [unit.id for unit in state.against("red")] == ["E"]
    assert state.owner("b").id == "A"
    assert state.unit("A").without(("a",)).models == (state.unit("A").model("b"),)
    after = state.with_unit(state.unit("A").moved({"b": Pose(15, 6)}))
    assert after.unit("A").model("b").pose == Pose(15, 6)
    assert state.unit("A").model("b").pose == Pose(14, 5)
    assert after.unit("E") is state.unit("E")
    for find in (state.unit, state.owner, state.unit("A").model):
        with pytest.raises(KeyError, match="nobody"):
            find("nobody")
