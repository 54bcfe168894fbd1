"""Whole paths are judged, not their ends: each prohibition once, with what was measured, the limit and the place."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import cos, pi, sin
from random import Random

import pytest
from tactician.rules.core.clauses import Cite, Violation
from tactician.rules.core.clip import STANDSTILL, clip
from tactician.rules.core.coherency import widest_gap
from tactician.rules.core.legs import Climb, Drop, Leg, Path, Pose, Straight, walk
from tactician.rules.core.measure import TOL, snap
from tactician.rules.core.movement import Closed, KeepAway, MoveType, end_pose, judge
from tactician.rules.core.shapes import Polygon, length, polygon_distance
from tactician.rules.core.state import State, Unit
from tactician.rules.core.terrain import Board, Feature, Surface

from tests.core.movement_boards import box, codes, in_step, random_board, straight, table_with

WALL = Feature(id="wall", outline=box(12, 9, 13, 11), blocks=True)
SCRUB = Feature(id="scrub", outline=box(16, 8, 20, 12), traits=(("cover", 1.0),))
LEDGE_OUTLINE = box(12.5, 5, 20, 15)
LEDGE = Feature(id="ledge", outline=LEDGE_OUTLINE, surface=Surface(id="ledge", polygon=LEDGE_OUTLINE, low=3, high=3))


def alone(x: float, y: float, *features: Feature, enemies: tuple[Pose, ...] = (), surface: str = "ground") -> State:
    """One model of unit A, and enemies."""
    foes = {f"e{i}": pose for i, pose in enumerate(enemies)}
    return table_with({"A": ("red", {"a": Pose(x, y, surface)}), "E": ("blue", foes)}, features)


def faults(state: State, kind: MoveType, **paths: Path) -> tuple[Violation, ...]:
    return judge(state, state.unit("A"), kind, paths).violations


# ---- one model among things that rest --------------------------------------------------------------------------------


def test_a_legal_end_with_an_illegal_middle_is_refused_and_the_place_is_named() -> None:
    state = alone(10, 10, WALL)
    (fault,) = faults(state, in_step(12), a=straight((16, 10)))
    assert (fault.clause, fault.subject, fault.against) == ("WALL", "a", "wall")
    assert fault.measured == pytest.approx(-0.5)
    assert fault.at == (pytest.approx(11.5, abs=1e-3), 10)
    assert faults(state, in_step(12), a=straight((10, 12), (14, 12), (14, 10))) == ()


def test_the_route_is_paid_and_not_the_displacement() -> None:
    (fault,) = faults(alone(10, 10), in_step(6), a=straight((10, 14), (13, 14)))
    assert (fault.clause, fault.measured, fault.limit) == ("FAR", 7.0, 6)


@pytest.mark.parametrize(("y", "legal"), [(10.0, False), (10.9, False), (11.0, True), (11.0 - TOL / 2, True)])
def test_bases_may_touch_in_passing_and_not_overlap(y: float, legal: bool) -> None:
    state = table_with({"A": ("red", {"a": Pose(10, 10)}), "F": ("red", {"f": Pose(13, y)})})
    found = faults(state, in_step(6), a=straight((16, 10)))
    assert (found == ()) is legal
    if not legal:
        assert (found[0].clause, found[0].against, found[0].measured) == ("MODEL", "f", pytest.approx(y - 11))
        assert found[0].at == (13, 10)


@pytest.mark.parametrize(("x", "legal"), [(17.5, False), (17.0, False), (17.0 - TOL / 2, False), (16.99, True)])
def test_no_end_within_the_distance_of_an_enemy(x: float, legal: bool) -> None:
    found = faults(alone(10, 10, enemies=(Pose(20, 10),)), in_step(12), a=straight((x, 10)))
    assert codes(found) == ([] if legal else ["NEAR"])
    if found:
        assert (found[0].measured, found[0].limit) == (pytest.approx(19 - x), 2.0)


def test_passing_near_an_enemy_is_no_end_near_one() -> None:
    state = alone(10, 10, enemies=(Pose(13, 12),))
    assert faults(state, in_step(6), a=straight((16, 10))) == ()
    kind = replace(in_step(6), keep_away=(KeepAway(limit=2.0, cite=Cite("NEAR"), whole_way=True),))
    (fault,) = faults(state, kind, a=straight((16, 10)))
    assert (fault.clause, fault.measured, fault.limit, fault.at) == ("NEAR", pytest.approx(1.0), 2.0, (13, 10))


def test_a_permission_spares_one_unit_if_somebody_reaches_it() -> None:
    state = table_with({"A": ("red", {"a": Pose(10, 10), "b": Pose(10, 12)}), "E": ("blue", {"e": Pose(20, 10)})})
    kind = in_step(12, spared="E")
    both = {"a": straight((18.9, 10)), "b": straight((18.2, 12))}
    assert faults(state, kind, **both) == ()
    short = {"a": straight((17.5, 10)), "b": straight((18.2, 12))}
    assert [(f.clause, f.subject) for f in faults(state, kind, **short)] == [("NEAR", "a"), ("NEAR", "b")]
    assert codes(faults(state, in_step(12), **both)) == ["NEAR", "NEAR"]


def test_models_that_stand_still_are_asked_only_where_the_distance_says_so() -> None:
    state = table_with({"A": ("red", {"a": Pose(10, 10), "b": Pose(10, 12)}), "E": ("blue", {"e": Pose(10, 14)})})
    away = {"a": straight((9, 9.5))}
    assert faults(state, in_step(12), **away) == ()
    kind = replace(in_step(12), keep_away=(KeepAway(limit=2.0, cite=Cite("NEAR"), standing=True),))
    assert [(f.clause, f.subject) for f in faults(state, kind, **away)] == [("NEAR", "b")]
    assert faults(state, kind) == ()
    assert clip(state, state.unit("A"), kind, away) == {}


def test_no_part_of_a_base_leaves_the_table_even_on_the_way() -> None:
    state = alone(2, 2)
    assert codes(faults(state, in_step(12), a=straight((0.4, 3), (2, 4)))) == ["EDGE"]
    assert faults(state, in_step(12), a=straight((0.5, 3), (2, 4))) == ()
    assert faults(state, replace(in_step(12), whole_base=False), a=straight((0.1, 3), (2, 4))) == ()


def test_all_broken_prohibitions_are_reported_each_once_for_each_model() -> None:
    state = alone(10, 10, WALL, SCRUB, enemies=(Pose(22, 10), Pose(22, 9)))
    found = faults(state, in_step(6, ban=True), a=straight((14, 10), (10, 10), (21.5, 10)))
    assert sorted(codes(found)) == ["COVER", "FAR", "MODEL", "NEAR", "PLACE", "WALL"]
    assert all(fault.subject == "a" and fault.at is not None for fault in found)
    (end,) = [fault for fault in found if fault.clause == "PLACE"]
    assert end.because_of == "MODEL"


def test_nobody_asked_to_move_breaks_nothing_wherever_it_stands() -> None:
    state = alone(12.5, 10, WALL, enemies=(Pose(13, 10),))
    assert faults(state, in_step(6)) == ()
    assert faults(state, in_step(6), a=()) == ()
    assert faults(state, in_step(6), a=straight((12.5, 10))) == ()


def test_the_verdict_tells_inches_and_ends() -> None:
    state = table_with({"A": ("red", {"a": Pose(10, 10, bearing=90.0), "b": Pose(10, 12)})})
    verdict = judge(state, state.unit("A"), in_step(6), {"a": straight((13, 10), (13, 12))})
    assert verdict.spent == (("a", 5.0),)
    assert verdict.ends == (("a", Pose(13, 12, "ground", 90.0)),)
    assert verdict.farthest == 5.0


# ---- whoever begins too near ---------------------------------------------------------------------------------------


def test_a_model_that_begins_overlapping_may_move_away_and_not_deeper() -> None:
    state = table_with({"A": ("red", {"a": Pose(10, 10)}), "F": ("red", {"f": Pose(10.8, 10)})}, (SCRUB, WALL))
    assert faults(state, in_step(6), a=straight((7, 10))) == ()
    assert faults(state, in_step(7), a=straight((8, 10), (8, 12), (11, 12))) == ()
    assert "MODEL" in codes(faults(state, in_step(6), a=straight((10.1, 10), (7, 10))))


def test_a_model_that_begins_over_the_edge_or_in_a_wall_may_come_out() -> None:
    assert faults(alone(0.3, 10), in_step(6), a=straight((0.3, 12), (3, 12))) == ()
    assert codes(faults(alone(0.3, 10), in_step(6), a=straight((0.2, 12), (3, 12)))) == ["EDGE"]
    assert faults(alone(11.7, 10, WALL), in_step(6), a=straight((9, 10))) == ()
    assert codes(faults(alone(11.7, 10, WALL), in_step(6), a=straight((11.8, 10), (9, 10)))) == ["WALL"]


def test_an_end_is_judged_by_itself_wherever_the_way_began() -> None:
    assert codes(faults(alone(11.7, 10, WALL), in_step(6), a=straight((11.7, 9.9)))) == ["PLACE"]


def test_mates_that_begin_overlapping_may_part() -> None:
    state = table_with({"A": ("red", {"a": Pose(10, 10), "b": Pose(10.8, 10)})})
    assert faults(state, in_step(6), a=straight((9, 10)), b=straight((11, 10))) == ()
    assert "MODEL" in codes(faults(state, in_step(6), a=straight((11, 10)), b=straight((9, 10))))


def test_the_distance_on_the_whole_way_never_falls_below_its_start() -> None:
    state = alone(10, 10, enemies=(Pose(12, 10),))
    kind = replace(in_step(12), keep_away=(KeepAway(limit=2.0, cite=Cite("NEAR"), whole_way=True),))
    assert faults(state, kind, a=straight((8.9, 10))) == ()
    assert faults(state, kind, a=straight((9.5, 10), (10, 10), (8.9, 10))) == ()
    assert codes(faults(state, kind, a=straight((10.2, 10), (8.9, 10)))) == ["NEAR"]
    assert codes(faults(state, kind, a=straight((9.5, 10)))) == ["NEAR"]
    reached = clip(state, state.unit("A"), kind, {"a": straight((10, 12), (10, 13.5), (14, 10))})
    assert judge(state, state.unit("A"), kind, reached).violations == ()
    assert reached != {}


# ---- closed pieces ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "way", "refused"),
    [
        ((10, 10), ((15.5, 10),), False),
        ((10, 10), ((17, 10),), True),
        ((10, 10), ((22, 10),), True),
        ((10, 10), ((15, 7.5), (21, 7.5)), False),
        ((17, 10), ((15, 10),), False),
        ((17, 10), ((22, 10),), False),
        ((17, 10), ((18, 10),), True),
        ((17, 10), ((15, 10), (17, 10)), True),
        ((17, 10), ((15, 10), (22, 10)), True),
        ((17, 10), ((15, 10), (14, 7), (21, 7)), False),
        ((15.5, 10), ((15.5, 12), (13, 12)), False),
        ((15.5, 10), ((16, 10), (13, 10)), True),
    ],
)
def test_closed_pieces_may_be_left_once_and_never_entered(
    start: tuple[float, float], way: tuple[tuple[float, float], ...], refused: bool
) -> None:
    state = alone(*start, SCRUB)
    found = faults(state, in_step(30, ban=True), a=straight(*way))
    assert codes(found) == (["COVER"] if refused else [])
    kept = clip(state, state.unit("A"), in_step(30, ban=True), {"a": straight(*way)})
    assert faults(state, in_step(30, ban=True), **kept) == ()


def test_closed_pieces_may_not_even_be_left_where_a_table_says_so() -> None:
    kind = replace(in_step(12), closed=(Closed(trait="cover", cite=Cite("COVER"), leaving=False),))
    assert codes(faults(alone(17, 10, SCRUB), kind, a=straight((15, 10)))) == ["COVER"]
    assert clip(alone(17, 10, SCRUB), alone(17, 10).unit("A"), kind, {"a": straight((15, 10))}) == {}


def test_each_closed_piece_is_one_of_its_own() -> None:
    second = replace(SCRUB, id="second", outline=box(20.5, 8, 24, 12))
    state = alone(17, 10, SCRUB, second)
    (fault,) = faults(state, in_step(12, ban=True), a=straight((26, 10)))
    assert (fault.against, fault.measured) == ("second", pytest.approx(-0.5))


# ---- heights ---------------------------------------------------------------------------------------------------------


def test_up_a_ledge_costs_its_height_and_down_nothing() -> None:
    up = (Straight((12, 10)), Climb("ledge"))
    assert faults(alone(10, 10, LEDGE), in_step(6), a=(*up, Straight((13, 10)))) == ()
    assert codes(faults(alone(10, 10, LEDGE), in_step(6), a=(*up, Straight((13.5, 10))))) == ["FAR"]
    down: Path = (Straight((12, 10)), Drop("ground"), Straight((7, 10)))
    assert faults(alone(13, 10, LEDGE, surface="ledge"), in_step(6), a=down) == ()


def test_climbs_happen_at_a_border_only() -> None:
    early: Path = (Climb("ledge"), Straight((13, 10)))
    found = faults(alone(10, 10, LEDGE), in_step(12), a=early)
    assert codes(found) == ["FOOT"]
    assert found[0].measured == pytest.approx(-2.0)
    inside: Path = (Drop("ground"),)
    assert "FOOT" in codes(faults(alone(16, 10, LEDGE, surface="ledge"), in_step(12), a=inside))
    assert "WALL" in codes(faults(alone(16, 10, LEDGE, surface="ledge"), in_step(12), a=inside))


def test_a_drop_ends_beside_the_ledge_and_not_in_it() -> None:
    state = alone(13, 10, LEDGE, surface="ledge")
    half_out: Path = (Straight((12.5, 10)), Drop("ground"), Straight((11, 10)))
    assert codes(faults(state, in_step(12), a=half_out)) == ["WALL"]


def test_nobody_rests_half_over_a_ledge_but_may_pass_its_border() -> None:
    state = alone(13, 8, LEDGE, surface="ledge")
    assert codes(faults(state, in_step(12), a=straight((12.6, 8)))) == ["PLACE"]
    assert faults(state, in_step(12), a=straight((12.1, 9), (13, 10))) == ()
    assert codes(faults(state, in_step(12), a=straight((11.9, 9), (13, 10)))) == ["FOOT"]


def test_over_a_model_below_one_may_not_hang() -> None:
    state = table_with({"A": ("red", {"a": Pose(13, 10, "ledge")}), "F": ("red", {"f": Pose(11.9, 10)})}, (LEDGE,))
    assert codes(faults(state, in_step(12), a=straight((12.4, 10), (13, 10)))) == ["MODEL"]
    assert faults(state, in_step(12), a=straight((13, 12))) == ()


def test_a_face_too_high_is_too_high_in_parts_as_well() -> None:
    kind = replace(in_step(12), highest_climb=2.0)
    for climb in ((Climb("ledge"),), (Climb("ledge", 0.5), Climb("ledge"))):
        path: Path = (Straight((12, 10)), *climb, Straight((13, 10)))
        found = faults(alone(10, 10, LEDGE), kind, a=path)
        assert [(f.clause, f.measured, f.limit) for f in found] == [("FOOT", 3.0, 2.0)]
        kept = clip(alone(10, 10, LEDGE), alone(10, 10, LEDGE).unit("A"), kind, {"a": path})
        (stop,) = kept["a"]
        assert isinstance(stop, Straight)
        assert stop.to == pytest.approx((12, 10))


def test_nobody_climbs_into_another_base() -> None:
    state = table_with({"A": ("red", {"a": Pose(10, 10)}), "F": ("red", {"f": Pose(13, 10, "ledge")})}, (LEDGE,))
    path: Path = (Straight((12.2, 10)), Climb("ledge"), Straight((12.2, 12)), Straight((13, 12)))
    near: Path = (Straight((12, 10)), Climb("ledge"), Straight((12, 12)), Straight((13, 12)))
    assert "MODEL" in codes(faults(state, in_step(12), a=path))
    assert faults(state, in_step(12), a=near) == ()
    kept = clip(state, state.unit("A"), in_step(12), {"a": path})
    assert faults(state, in_step(12), **kept) == ()


def test_a_distance_to_an_enemy_counts_heights() -> None:
    state = alone(10, 10, LEDGE, enemies=(Pose(13, 10, "ledge"),))
    assert faults(state, in_step(6), a=straight((11.5, 10))) == ()
    low = replace(LEDGE, surface=Surface(id="ledge", polygon=LEDGE_OUTLINE, low=1, high=1))
    assert codes(faults(alone(10, 10, low, enemies=(Pose(13, 10, "ledge"),)), in_step(6), a=straight((11.5, 10)))) == [
        "NEAR"
    ]


# ---- models in step --------------------------------------------------------------------------------------------------


def pair(ax: float = 10, ay: float = 10, bx: float = 10, by: float = 12) -> State:
    return table_with({"A": ("red", {"a": Pose(ax, ay), "b": Pose(bx, by)})})


def test_coherency_holds_at_the_end_and_on_the_way() -> None:
    assert faults(pair(), in_step(6), a=straight((16, 10)), b=straight((14, 12))) == ()
    (end,) = {f.clause for f in faults(pair(), in_step(6), a=straight((16, 10)), b=straight((12, 12)))}
    assert end == "LINK"
    (bulge,) = faults(pair(), in_step(12), a=straight((13, 7), (16, 10)), b=straight((13, 15), (16, 12)))
    assert (bulge.clause, bulge.subject, bulge.measured, bulge.limit) == ("LINK", "A", 7.0, 2.0)


def test_mates_swap_places_at_different_times_and_not_at_once() -> None:
    around = {"a": straight((8.5, 11), (10, 12)), "b": straight((11.5, 11), (10, 10))}
    assert faults(pair(), in_step(6), **around) == ()
    through = faults(pair(), in_step(6), a=straight((10, 12)), b=straight((10, 10)))
    assert [(f.clause, f.subject, f.against, f.at) for f in through] == [("MODEL", "a", "b", (10, 11))]


def test_ways_that_cross_are_legal_where_the_models_are_there_at_different_times() -> None:
    state = pair(10, 10, 12, 8)
    together = {"a": straight((14, 10)), "b": straight((12, 12))}
    later = {"a": straight((13.5, 10), (13.5, 10)), "b": straight((12, 8), (12, 11))}
    assert codes(faults(state, in_step(6), **together)) == ["MODEL"]
    assert faults(state, in_step(6), **later) == ()


def test_mates_may_pass_each_other_where_a_table_says_so_and_still_not_end_on_each_other() -> None:
    kind = replace(in_step(6), mates_block=False)
    assert faults(pair(), kind, a=straight((10, 12)), b=straight((10, 10))) == ()
    found = faults(pair(), kind, a=straight((10, 11.5)))
    assert codes(found) == ["PLACE"]
    assert clip(pair(), pair().unit("A"), kind, {"a": straight((10, 11.5))}) != {}


def pieces(count: int) -> State:
    """Pairs of models three gaps apart."""
    models = {f"m{i}{j}": Pose(10 + 6 * i, 10 + 1.5 * j) for i in range(count) for j in range(2)}
    return table_with({"A": ("red", models)})


def test_a_unit_in_pieces_must_end_in_fewer_and_never_fall_into_more() -> None:
    kind, whole = in_step(12), in_step(12)
    assert whole.coherency is not None
    whole = replace(whole, coherency=replace(whole.coherency, regroup="whole"))
    closing = {"m00": straight((13, 10)), "m01": straight((13, 11.5))}
    assert faults(pieces(3), kind, **closing) == ()
    assert codes(faults(pieces(3), whole, **closing)) == ["LINK"]
    assert faults(pieces(2), whole, **closing) == ()
    idle = {"m00": straight((10.5, 10)), "m01": straight((10.5, 11.5))}
    assert codes(faults(pieces(3), kind, **idle)) == ["LINK"]
    assert faults(pieces(3), kind) == ()
    scattering = {"m00": straight((6, 10), (13, 10)), "m01": straight((10, 11.5), (13, 11.5))}
    assert codes(faults(pieces(3), replace(kind, allowance=20), **scattering)) == ["LINK"]


def test_without_a_chain_every_model_needs_a_mate_only() -> None:
    kind = in_step(12)
    assert kind.coherency is not None
    kind = replace(kind, coherency=replace(kind.coherency, chain=False))
    state = table_with({"A": ("red", {n: Pose(10 + i * 1.5, 10) for i, n in enumerate("abcd")})})
    apart = {n: straight((10 + i * 1.5 + (4 if n in "cd" else 0), 10)) for i, n in enumerate("abcd") if n in "cd"}
    assert faults(state, kind, **apart) == ()
    assert codes(faults(state, in_step(12), **apart)) == ["LINK"]
    alone_out = {"d": straight((20, 10))}
    assert codes(faults(state, kind, **alone_out)) == ["LINK"]


# ---- symmetries ------------------------------------------------------------------------------------------------------

SIZE = 48.0


class Turned:
    """A quarter turn about the table's middle, a mirror image, or a shift of a table within a larger one."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, x: float, y: float) -> tuple[float, float]:
        if self.name == "quarter":
            return SIZE - y, x
        if self.name == "half":
            return SIZE - x, SIZE - y
        if self.name == "mirror":
            return SIZE - x, y
        return x + 3 * 2.0**-4, y + 5 * 2.0**-16

    def leg(self, leg: Leg) -> Leg:
        assert isinstance(leg, Straight)
        return Straight(self(*leg.to))

    def state(self, state: State) -> State:
        board = Board(
            width=state.board.width,
            height=state.board.height,
            features=tuple(
                replace(piece, outline=Polygon(tuple(self(x, y) for x, y in piece.outline.points)))
                for piece in state.board.features
            ),
        )
        units = tuple(unit.moved({m.id: Pose(*self(m.pose.x, m.pose.y)) for m in unit.models}) for unit in state.units)
        return replace(state, table=replace(state.table, board=board), units=units)


def on_grid(state: State, paths: dict[str, Path]) -> tuple[State, dict[str, Path]]:
    """Corners and way points on the grid, so that shifting them by its steps is exact."""
    features = tuple(
        replace(piece, outline=Polygon(tuple((snap(x), snap(y)) for x, y in piece.outline.points)))
        for piece in state.board.features
    )
    board = replace(state.board, features=features)
    ways = {
        name: straight(*((snap(leg.to[0]), snap(leg.to[1])) for leg in path if isinstance(leg, Straight)))
        for name, path in paths.items()
    }
    return replace(state, table=replace(state.table, board=board)), ways


def ends(state: State, unit: Unit, paths: dict[str, Path]) -> dict[str, Pose]:
    return {m.id: end_pose(m.pose, walk(m.pose, paths.get(m.id, ()), state.board)) for m in unit.models}


def check_symmetry(seed: int, name: str) -> None:
    rng, turned = Random(seed), Turned(name)
    state, unit, paths = random_board(rng)
    state, paths = on_grid(state, paths)
    kind = in_step(rng.choice((4.0, 6.0, 12.0)), ban=rng.random() < 0.5, spared="E" if rng.random() < 0.3 else "")
    other = turned.state(state)
    ways = {model: tuple(turned.leg(leg) for leg in path) for model, path in paths.items()}
    one = judge(state, unit, kind, paths).violations
    two = judge(other, other.unit("A"), kind, ways).violations
    if name == "shift":  # the edge of the table is not shifted along
        one, two = ([f for f in found if f.clause != "EDGE"] for found in (one, two))  # type: ignore[assignment]
    assert [(f.clause, f.subject) for f in one] == [(f.clause, f.subject) for f in two]
    for a, b in zip(one, two, strict=True):
        assert a.measured == pytest.approx(b.measured, abs=1e-6)
    if name == "shift" and any(f.clause == "EDGE" for f in judge(state, unit, kind, paths).violations):
        return
    first = ends(state, unit, clip(state, unit, kind, paths))
    second = ends(other, other.unit("A"), clip(other, other.unit("A"), kind, ways))
    for model, pose in first.items():
        x, y = turned(pose.x, pose.y)
        # more than rounding: the clip is maximal up to a standstill, and links at their limit widen by hairs
        assert length(x - second[model].x, y - second[model].y) <= STANDSTILL, f"board {seed}, {name}: {model}"


@pytest.mark.parametrize("name", ["quarter", "half", "mirror", "shift"])
@pytest.mark.parametrize("seed", range(1000, 1010))
def test_judging_and_clipping_know_no_direction_and_no_place(seed: int, name: str) -> None:
    check_symmetry(seed, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["quarter", "half", "mirror", "shift"])
@pytest.mark.parametrize("seed", range(1010, 1150))
def test_judging_and_clipping_know_no_direction_and_no_place_on_many_boards(seed: int, name: str) -> None:
    check_symmetry(seed, name)


def check_longer(seed: int) -> None:
    """Along one straight way, an allowance that is longer reaches at least as far."""
    rng = Random(seed)
    state, unit, _ = random_board(rng)
    name = unit.models[0].id
    state = state.with_unit(unit.without(tuple(m.id for m in unit.models[1:])))
    unit = state.unit("A")
    pose, angle = unit.model(name).pose, rng.uniform(0, 2 * pi)
    way = {name: straight((pose.x + 20 * cos(angle), pose.y + 20 * sin(angle)))}
    reached = []
    for allowance in (0.5, 1.0, 2.0, 4.0, 6.0, 6.1, 9.0, 12.0, 20.0):
        end = ends(state, unit, clip(state, unit, in_step(allowance, ban=seed % 2 == 0), way))[name]
        reached.append(length(end.x - pose.x, end.y - pose.y))
        assert reached[-1] <= allowance + TOL
    assert all(a <= b + 1e-9 for a, b in pairwise(reached)), reached


@pytest.mark.parametrize("seed", range(2000, 2020))
def test_a_longer_allowance_never_reaches_less(seed: int) -> None:
    check_longer(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2020, 2300))
def test_a_longer_allowance_never_reaches_less_on_many_boards(seed: int) -> None:
    check_longer(seed)


# ---- against a film ----------------------------------------------------------------------------------------------

FRAMES = 300
BLUR = 0.03
"""Inches by which a measured gap may differ from the least one on the film, and gaps too near the limit to tell."""


def film(state: State, unit: Unit, kind: MoveType, paths: dict[str, Path]) -> dict[str, float]:
    """The worst gap of each prohibition in frames of the whole movement, each leg walked by all in common time."""
    worst = {"WALL": 9.0, "EDGE": 9.0, "MODEL": 9.0, "LINK": 9.0}
    legs = max(len(path) for path in paths.values())
    walls = [piece.outline for piece in state.board.features if piece.blocks]
    stretches = {m.id: walk(m.pose, paths.get(m.id, ()), state.board) for m in unit.models}
    for leg in range(legs):
        for frame in range(FRAMES + 1):
            places = []
            for model in unit.models:
                way = stretches[model.id]
                here = way[leg].at(frame / FRAMES) if leg < len(way) else (way[-1].end if way else model.pose.point)
                places.append(here)
                if not way or leg >= len(way):
                    continue
                worst["EDGE"] = min([worst["EDGE"], *here, SIZE - here[0], SIZE - here[1]])
                worst["WALL"] = min([worst["WALL"], *(polygon_distance(wall, *here) for wall in walls)])
                enemies = [m.pose for other in state.against("red") for m in other.models]
                worst["MODEL"] = min([worst["MODEL"], *(length(here[0] - e.x, here[1] - e.y) - 0.5 for e in enemies)])
            gaps = [length(a[0] - b[0], a[1] - b[1]) for i, a in enumerate(places) for b in places[:i]]
            worst["MODEL"] = min([worst["MODEL"], *(gap - 0.5 for gap in gaps)])
            worst["LINK"] = min(worst["LINK"], 2.5 - widest_gap([(x, y, 0.0) for x, y in places], 0.5))
    return {clause: gap - 0.5 for clause, gap in worst.items()}


def check_film(seed: int) -> None:
    rng = Random(seed)
    state, unit, paths = random_board(rng)
    if not paths:
        return
    kind = replace(in_step(99), keep_away=())
    judged = {fault.clause for fault in judge(state, unit, kind, paths).violations}
    for clause, gap in film(state, unit, kind, paths).items():
        if abs(gap) > BLUR:
            assert (clause in judged) is (gap < 0.0), f"board {seed}: {clause} {gap}"


@pytest.mark.parametrize("seed", range(3000, 3012))
def test_the_referee_sees_what_a_film_of_the_movement_shows(seed: int) -> None:
    check_film(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3012, 3200))
def test_the_referee_sees_what_a_film_of_the_movement_shows_on_many_boards(seed: int) -> None:
    check_film(seed)
