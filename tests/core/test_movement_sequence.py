"""Models that move one after another: earlier ones stand at their requested ends, later ones at their starts."""

from __future__ import annotations

from dataclasses import replace
from math import atan2, cos, pi, sin
from random import Random

import pytest
from tactician.rules.core.action import Action
from tactician.rules.core.arcs import LEFT, RIGHT
from tactician.rules.core.clauses import Cite, Violation
from tactician.rules.core.clip import clip
from tactician.rules.core.forms import path_faults
from tactician.rules.core.legs import Bend, Climb, Drop, Leg, Path, Pose, Straight, walk
from tactician.rules.core.measure import TOL
from tactician.rules.core.movement import KeepAway, MoveType, end_pose, judge
from tactician.rules.core.state import State, Unit
from tactician.rules.core.terrain import Feature, Surface

from tests.core.movement_boards import box, codes, in_step, random_board, random_heights, straight, table_with

WHOLE_WAY = KeepAway(limit=1.0, cite=Cite("NEAR"), whole_way=True)
POST = Feature(id="post", outline=box(13, 9.5, 14, 10.5), blocks=True)


def kind(allowance: float, *, links: bool = False, whole_way: bool = False, spared: str = "") -> MoveType:
    """A movement one after another with all usual conditions."""
    base = in_step(allowance, spared=spared)
    keep = (WHOLE_WAY,) if whole_way else base.keep_away
    return replace(base, motion="sequence", coherency=base.coherency if links else None, keep_away=keep)


def row(*enemies: Pose) -> State:
    """Two models in a row, a behind b, and enemies."""
    foes = {f"e{i}": pose for i, pose in enumerate(enemies)}
    return table_with({"A": ("red", {"a": Pose(10, 10), "b": Pose(12, 10)}), "E": ("blue", foes)}, ())


def faults(state: State, move: MoveType, order: str, **paths: Path) -> tuple[Violation, ...]:
    return judge(state, state.unit("A"), move, paths, tuple(order)).violations


def test_the_first_of_the_order_meets_the_others_where_they_start() -> None:
    ahead = {"a": straight((16, 10)), "b": straight((18, 10))}
    assert faults(row(), kind(12), "ba", **ahead) == ()
    found = faults(row(), kind(12), "ab", **ahead)
    assert [(f.clause, f.subject, f.against, f.at) for f in found] == [
        ("MODEL", "a", "b", (12, 10)),
        ("MODEL", "b", "a", (16, 10)),
    ]


def test_without_an_order_it_is_the_units_own() -> None:
    ahead = {"b": straight((18, 10)), "a": straight((12, 8), (16, 8))}
    assert faults(row(), kind(12), "", **ahead) == ()
    ahead = {"b": straight((14, 10)), "a": straight((16, 10))}
    assert [(f.subject, f.against) for f in faults(row(), kind(12), "", **ahead)] == [("a", "b")]


def test_later_models_meet_earlier_ones_where_they_were_told_to_end() -> None:
    swap = {"a": straight((10, 8), (12, 8)), "b": straight((10, 10))}
    assert faults(row(), kind(12), "ab", **swap) == ()
    into = {"a": straight((10, 8), (14, 8), (14, 10)), "b": straight((16, 10))}
    assert [(f.clause, f.subject) for f in faults(row(), kind(12), "ab", **into)] == [("MODEL", "b")]
    assert faults(row(), kind(12), "ba", **into) == ()


def test_a_model_may_step_into_the_place_that_an_earlier_one_left() -> None:
    assert faults(row(), kind(12), "ba", a=straight((12, 10)), b=straight((14, 10))) == ()


def test_ends_are_judged_with_all_at_their_requested_ends() -> None:
    both = {"a": straight((10, 8), (14, 8)), "b": straight((14, 10), (14, 8.5))}
    found = faults(row(), kind(12), "ab", **both)
    assert [(f.clause, f.subject, f.because_of) for f in found] == [
        ("MODEL", "b", ""),
        ("PLACE", "a", "MODEL"),
        ("PLACE", "b", "MODEL"),
    ]


def test_mates_may_be_passed_where_a_rule_says_so_and_not_stood_on() -> None:
    free = replace(kind(12), models=None)
    assert faults(row(Pose(14, 10)), free, "a", a=straight((20, 10))) == ()
    found = faults(row(), free, "a", a=straight((12.5, 10)))
    assert [(f.clause, f.subject, f.because_of) for f in found] == [("PLACE", "a", "")]
    for passing in (free, replace(kind(12), mates_block=False)):
        short = clip(row(), row().unit("A"), passing, {"a": straight((12.5, 10))}, ("a",))
        assert short["a"] == straight(pytest.approx((11, 10), abs=1e-6))
    over = clip(row(Pose(14, 10)), row().unit("A"), replace(free, keep_away=()), {"a": straight((14.5, 10))}, ("a",))
    assert over["a"] == straight(pytest.approx((13, 10), abs=1e-6))


# ---- arcs --------------------------------------------------------------------------------------------------------


def bend(centre: tuple[float, float], to: tuple[float, float], turn: str = LEFT) -> Path:
    return (Bend(centre, to, turn),)


def test_an_arc_is_paid_and_measured_along_its_way() -> None:
    state = table_with({"A": ("red", {"a": Pose(10, 10)}), "F": ("red", {"f": Pose(12, 8)})})
    left, right = bend((12, 10), (14, 10)), bend((12, 10), (14, 10), RIGHT)
    assert faults(state, kind(2 * pi), "a", a=right) == ()
    assert codes(faults(state, kind(6.28), "a", a=right)) == ["FAR"]
    (fault,) = faults(state, kind(12), "a", a=left)
    assert (fault.clause, fault.against, fault.measured) == ("MODEL", "f", pytest.approx(-1.0))


def test_an_arc_round_a_base_touches_it_all_the_way_and_is_legal() -> None:
    state = table_with({"A": ("red", {"a": Pose(11, 10)}), "F": ("red", {"f": Pose(12, 10)})})
    assert faults(state, kind(12), "a", a=bend((12, 10), (13, 10))) == ()
    assert codes(faults(state, kind(12), "a", a=bend((11.9, 10), (12.8, 10)))) == ["MODEL", "PLACE"]


def test_an_arc_past_a_corner_is_refused_where_it_cuts_it() -> None:
    state = table_with({"A": ("red", {"a": Pose(12.5, 9.5)})}, (POST,))
    assert faults(state, kind(12), "a", a=bend((13, 9.5), (13, 9))) == ()
    assert codes(faults(state, kind(12), "a", a=bend((13, 9.5), (12.5, 9.5), RIGHT))) == []
    assert codes(faults(state, kind(12), "a", a=bend((13, 9.5), (13, 9), RIGHT))) == ["WALL"]


def test_an_arc_that_bulges_over_the_edge_is_refused_and_cut_where_it_leaves() -> None:
    state = table_with({"A": ("red", {"a": Pose(3, 1)})})
    bulge = bend((5, 2.5), (7, 1))
    assert codes(faults(state, kind(12), "a", a=bulge)) == ["EDGE"]
    kept = clip(state, state.unit("A"), kind(12), {"a": bulge}, ("a",))
    (leg,) = kept["a"]
    assert isinstance(leg, Bend)
    assert leg.to[1] == pytest.approx(0.5, abs=1e-6)
    assert leg.to[0] < 5


@pytest.mark.parametrize("whole_way", [True, False])
def test_an_arc_near_an_enemy_is_judged_and_cut_along_its_way(whole_way: bool) -> None:
    state = table_with({"A": ("red", {"a": Pose(10, 10)}), "E": ("blue", {"e": Pose(13, 7.3)})})
    half = bend((13, 10), (16, 10))
    move = kind(12, whole_way=whole_way)
    assert codes(faults(state, move, "a", a=half)) == (["MODEL", "NEAR"] if whole_way else ["MODEL"])
    kept = clip(state, state.unit("A"), move, {"a": half}, ("a",))
    assert faults(state, move, "a", **kept) == ()
    end = end_pose(Pose(10, 10), walk(Pose(10, 10), kept["a"], state.board))
    limit = 2.0 if whole_way else 3.0
    assert ((end.x - 13) ** 2 + (end.y - 7.3) ** 2) ** 0.5 == pytest.approx(limit, abs=3 * TOL)


# ---- as much as is legal ---------------------------------------------------------------------------------------------


def random_ways(rng: Random, unit: Unit) -> dict[str, Path]:
    """A way of straight legs and arcs for most models."""
    found: dict[str, Path] = {}
    for model in unit.models:
        x, y, legs = model.pose.x, model.pose.y, list[Leg]()
        for _ in range(rng.randint(1, 3)):
            angle, far = rng.uniform(0, 2 * pi), rng.uniform(0.5, 5)
            if rng.random() < 0.5:
                x, y = x + far * cos(angle), y + far * sin(angle)
                legs.append(Straight((x, y)))
            else:
                cx, cy = x + far * cos(angle) / 2, y + far * sin(angle) / 2
                turn = atan2(y - cy, x - cx) + rng.uniform(0, 2 * pi)
                x, y = cx + far / 2 * cos(turn), cy + far / 2 * sin(turn)
                legs.append(Bend((cx, cy), (x, y), rng.choice((LEFT, RIGHT))))
        if rng.random() < 0.9:
            found[model.id] = tuple(legs)
    return found


def check_board(seed: int) -> None:
    rng = Random(seed)
    state, unit, _ = random_board(rng)
    paths = random_ways(rng, unit)
    order = tuple(rng.sample(sorted(paths), len(paths)))
    move = kind(rng.choice((4.0, 8.0, 16.0)), whole_way=rng.random() < 0.5, links=rng.random() < 0.3)
    move = replace(
        move,
        closed=in_step(1, ban=rng.random() < 0.3).closed,
        models=rng.choice((move.models, move.models, None)),
        mates_block=rng.random() < 0.7,
    )
    if not move.keep_away[0].whole_way and rng.random() < 0.3:
        move = replace(move, keep_away=in_step(1, spared="E").keep_away)
    found = clip(state, unit, move, paths, order)
    left = tuple(name for name in order if name in found)
    assert judge(state, unit, move, found, left).violations == (), f"board {seed}"
    assert set(found) <= set(paths)
    for name, path in found.items():
        assert len(path) <= len(paths[name]), f"board {seed}: {name} goes further than asked"
        assert path[: len(path) - 1] == paths[name][: len(path) - 1]


@pytest.mark.parametrize("seed", range(40))
def test_what_is_left_is_legal_and_a_beginning_of_what_was_asked(seed: int) -> None:
    check_board(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40, 640))
def test_what_is_left_is_legal_and_a_beginning_of_what_was_asked_on_many_boards(seed: int) -> None:
    check_board(seed)


def test_each_goes_as_far_as_it_can_past_where_the_earlier_ones_stopped() -> None:
    state = table_with({"A": ("red", {"a": Pose(10, 10), "b": Pose(12, 10)})}, (POST,))
    wanted = {"a": straight((20, 10)), "b": straight((20, 10))}
    kept = clip(state, state.unit("A"), kind(12), wanted, ("b", "a"))
    ends = {name: end_pose(Pose(0, 0), walk(Pose(0, 0), path, state.board)).x for name, path in kept.items()}
    assert ends == pytest.approx({"b": 12.5, "a": 11.5}, abs=1e-6)
    assert {name: path for name, path in clip(state, state.unit("A"), kind(12), wanted).items() if name == "a"} == {
        "a": straight(pytest.approx((11, 10), abs=1e-6))
    }


def test_a_permission_is_earned_or_lost_one_after_another_too() -> None:
    state = row(Pose(24.5, 10))
    wanted = {"b": straight((23.5, 10)), "a": straight((22.3, 10))}
    arrived = clip(state, state.unit("A"), kind(13, spared="E"), wanted, ("b", "a"))
    assert arrived == wanted
    short = clip(state, state.unit("A"), kind(10, spared="E"), wanted, ("b", "a"))
    assert short["b"] == straight(pytest.approx((21.5, 10), abs=1e-3))


def test_a_unit_in_pieces_may_close_up_one_after_another() -> None:
    models = {"a": Pose(10, 10), "b": Pose(16, 10), "c": Pose(22, 10)}
    state = table_with({"A": ("red", models)})
    move = kind(3, links=True)
    kept = clip(state, state.unit("A"), move, {"a": straight((15, 10))}, ("a",))
    assert kept["a"] == straight(pytest.approx((13, 10), abs=1e-3))
    assert judge(state, state.unit("A"), move, kept).violations == ()
    assert clip(state, state.unit("A"), kind(1, links=True), {"a": straight((15, 10))}, ("a",)) == {}


def test_a_climb_that_cannot_be_finished_is_not_begun() -> None:
    outline = box(12, 8, 13, 12)
    wall = Feature(id="wall", outline=outline, surface=Surface(id="wall", polygon=outline, low=2, high=2))
    state = table_with({"A": ("red", {"a": Pose(10.5, 10)})}, (wall,))
    over: Path = (Straight((11.5, 10)), Climb("wall"), Straight((13.5, 10)), Drop("ground"), Straight((15, 10)))
    reached = {
        allowance: clip(state, state.unit("A"), kind(allowance), {"a": over}, ("a",)).get("a", ())
        for allowance in (0.5, 2.5, 3.5, 4.0, 5.0, 6.5)
    }
    assert [len(path) for path in reached.values()] == [1, 1, 1, 3, 4, 5]
    assert reached[2.5] == straight(pytest.approx((11.5, 10)))
    assert reached[4.0] == (Straight((11.5, 10)), Climb("wall"), Straight(pytest.approx((12.5, 10), abs=1e-4)))


def check_heights(seed: int) -> int:
    """What is left of a movement over a floor is legal, in step and one after another; how many climbs are in it."""
    rng = Random(seed)
    state, unit, paths = random_heights(rng)
    climbs = 0
    for motion in ("in_step", "sequence"):
        move = replace(in_step(rng.choice((12.0, 30.0))), motion=motion)
        found = clip(state, unit, move, paths)
        assert judge(state, unit, move, found).violations == (), f"board {seed}, {motion}"
        action = Action(verb="move", unit="A", paths=tuple(found.items()))
        assert path_faults(state, unit, action, motion) == (), f"board {seed}, {motion}"
        climbs += sum(isinstance(leg, Climb) for path in found.values() for leg in path)
    return climbs


def test_what_is_left_of_ways_over_floors_and_ramps_is_legal() -> None:
    assert sum(check_heights(seed) for seed in range(80)) > 20


@pytest.mark.slow
@pytest.mark.parametrize("first", range(100, 2100, 100))
def test_what_is_left_of_ways_over_floors_and_ramps_is_legal_on_many_boards(first: int) -> None:
    assert sum(check_heights(seed) for seed in range(first, first + 100)) > 5


def test_a_hair_of_movement_is_none() -> None:
    state = table_with({"A": ("red", {"a": Pose(12.5, 10), "b": Pose(10, 10)})}, (POST,))
    kept = clip(state, state.unit("A"), kind(12), {"a": straight((20, 10)), "b": straight((13, 10))}, ("a", "b"))
    assert kept == {"b": straight(pytest.approx((11.5, 10), abs=1e-6))}
