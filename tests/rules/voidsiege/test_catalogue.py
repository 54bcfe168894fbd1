"""The catalogue: data that load, tables that can be played on, faults that say what was expected."""

from __future__ import annotations

import re
from itertools import combinations
from math import hypot, inf

import pytest
from shapely.geometry import Point as Dot
from shapely.geometry import Polygon as Patch
from shapely.geometry import box
from shapely.ops import unary_union
from tactician.rules.core.legs import Climb, Pose, Rates
from tactician.rules.core.measure import GRID, TOL
from tactician.rules.core.ruleset import RulesetError
from tactician.rules.core.terrain import Board, Feature, Surface
from tactician.rules.paths.surfaces import shortest_over
from tactician.rules.voidsiege.catalogue import (
    SIZES,
    armies,
    army,
    commands,
    compose_units,
    feature_from,
    profiles,
    table,
    tables,
    weapons,
)
from tactician.rules.voidsiege.options import VERBS
from tactician.rules.voidsiege.profiles import SPECIAL_RULES
from tactician.rules.voidsiege.scope import unknown_rule

EDGES = {"duel": 24.0, "skirmish": 36.0, "battle": 48.0}
UNITS = {"duel": (1, 1), "skirmish": (3, 3), "battle": (5, 6)}
RATES = Rates(up=1.0, down=0.0)
AIDS = {"covering_fire": "targeted", "intervene": "charged"}
LAYOUTS = [pytest.param(name, size, id=f"{name}-{size}") for name in tables() for size in SIZES]
MUSTERS = [pytest.param(name, size, id=f"{name}-{size}") for name in armies() for size in SIZES]


def patch(feature: Feature) -> Patch:
    return Patch(feature.outline.points)


def union(features: tuple[Feature, ...]) -> Patch:
    return unary_union([patch(feature) for feature in features])


def closed_to_ground(board: Board) -> Patch:
    """Everything that a base on the ground may not overlap."""
    return unary_union([Patch(outline.points) for _, outline in board.ground("ground").walls])


def strips(board: Board) -> tuple[Patch, Patch]:
    depth = min(12.0, board.height / 4)
    return box(0, 0, board.width, depth), box(0, board.height - depth, board.width, board.height)


def surfaces(board: Board, *, ramps: bool) -> list[Surface]:
    return [one for one in board.surfaces if one.polygon is not None and (one.foot is not None) is ramps]


def along(ramp: Surface) -> tuple[float, float]:
    """The direction from foot to head, one inch long."""
    assert ramp.foot is not None
    assert ramp.head is not None
    dx, dy = ramp.head[0] - ramp.foot[0], ramp.head[1] - ramp.foot[1]
    return dx / hypot(dx, dy), dy / hypot(dx, dy)


def floor_of(board: Board, ramp: Surface) -> Surface:
    """The floor that a ramp leads to."""
    assert ramp.polygon is not None
    outline = Patch(ramp.polygon.points)
    found = []
    for one in surfaces(board, ramps=False):
        assert one.polygon is not None
        shared = outline.intersection(Patch(one.polygon.points))
        if one.high == ramp.high and shared.length > 1.5:
            found.append(one)
    assert len(found) == 1, f"{ramp.id} leads to {[one.id for one in found]}"
    return found[0]


# ---- weapons, profiles, commands, armies -----------------------------------------------------------------------------


def test_weapons_have_sane_numbers() -> None:
    for name, weapon in weapons().items():
        assert weapon.id == name
        assert 0.0 <= weapon.range <= 48.0
        assert 1 <= weapon.rof <= 6
        assert 1 <= weapon.force <= 6


def test_profiles_have_sane_numbers() -> None:
    for name, profile in profiles().items():
        assert profile.id == name
        assert profile.name
        assert 2.0 <= profile.move <= 10.0
        assert 1 <= profile.target_lock <= 5
        assert 2 <= profile.resolve <= 6
        assert 1 <= profile.number <= 26
        assert 1 <= profile.cost <= 8
        assert profile.radius in (0.5, 0.75, 1.0)
        assert (profile.radius / GRID).is_integer()
        assert profile.stature in (1.5, 2.5)
        assert profile.weapons
        assert set(profile.rules) <= set(SPECIAL_RULES)


def test_who_has_a_special_rule() -> None:
    assert {name: one.rules for name, one in profiles().items() if one.rules} == {
        "horde": ("horde",),
        "death-spider": ("drag",),
        "spitters": ("drag",),
    }


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("hord", "there is no special rule 'hord'; did you mean 'horde'?"),
        ("Horde", "there is no special rule 'Horde'; did you mean 'horde'?"),
        ("Will of the Masters", "special rule 'Will of the Masters' is out of scope [VS-SR-01]; known: horde, drag"),
        ("toxic", "special rule 'toxic' is out of scope [VS-SR-01]; known: horde, drag"),
    ],
)
def test_a_special_rule_that_nobody_can_have_is_refused_by_name(name: str, message: str) -> None:
    assert unknown_rule(name) == message


def test_every_weapon_is_carried_by_someone() -> None:
    assert {weapon.id for profile in profiles().values() for weapon in profile.weapons} == set(weapons())


def test_every_profile_serves_in_an_army() -> None:
    serving = {profile for name in armies() for size in SIZES for _, profile in army(name).units_for(size)}
    assert serving == set(profiles())


def test_commands_stand_in_the_order_of_the_verbs() -> None:
    names = tuple(commands())
    assert names == tuple(verb for verb in VERBS if verb in names)
    assert all(command.id == name for name, command in commands().items())


@pytest.mark.parametrize(
    ("name", "distance", "restricts"),
    [
        ("move", "move", ()),
        ("shoot", "none", ("Shoot",)),
        ("defend", "none", ("Defend",)),
        ("run", "run", ("Run",)),
        ("advance", "move", ("Shoot",)),
        ("assault", "run", ("Run", "Shoot")),
        ("ditch", "move", ("Run", "Shoot")),
        ("overrun", "run", ("Run", "Shoot")),
        ("rally", "none", ("Defend", "Run", "Shoot")),
        ("snap_fire", "none", ("Shoot",)),
        ("covering_fire", "none", ("Shoot",)),
        ("intervene", "move", ("Run",)),
    ],
)
def test_what_a_command_grants_and_restricts(name: str, distance: str, restricts: tuple[str, ...]) -> None:
    command = commands()[name]
    assert command.distance == distance
    assert command.restricts == restricts


def test_what_commands_allow() -> None:
    every = list(commands().values())
    assert [one.id for one in every if one.cover_ban] == ["run", "assault"]
    assert [one.id for one in every if one.shoots] == ["shoot", "advance", "assault", "snap_fire", "covering_fire"]
    assert [one.id for one in every if one.charges] == ["move", "advance", "assault"]
    assert [one.id for one in every if not one.ordered] == ["defend", "snap_fire", *AIDS]
    assert [one.id for one in every if not one.answers] == ["overrun", "rally", *AIDS]
    assert [(one.id, one.aids) for one in every if one.aids] == list(AIDS.items())
    assert [one.id for one in every if one.permits.through_cover] == ["overrun"]


@pytest.mark.parametrize(("name", "size"), MUSTERS)
def test_armies_muster_units(name: str, size: str) -> None:
    units = compose_units(name, "blue", size)
    least, most = UNITS[size]
    assert least <= len(units) <= most
    assert [unit.id for unit in units] == [f"B{i}" for i in range(1, len(units) + 1)]
    assert len({unit.name for unit in units}) == len(units)
    for unit in units:
        profile = profiles()[unit.profile]
        assert unit.side == "blue"
        assert unit.models == ()
        assert unit.radius == profile.radius
        assert unit.mustered == profile.number == len(unit.reserve)
        assert unit.reserve[0] == f"{unit.id}a"
        assert len(set(unit.reserve)) == len(unit.reserve)


@pytest.mark.parametrize("name", armies())
def test_armies_have_a_large_unit_and_a_single_model(name: str) -> None:
    numbers = [unit.mustered for unit in compose_units(name, "red", "battle")]
    assert max(numbers) > 5
    assert min(numbers) == 1
    assert len({profile for _, profile in army(name).units_for("battle")}) >= 3
    assert compose_units(name, "red", "duel")[0].reserve == ("R1a", "R1b", "R1c", "R1d", "R1e")


@pytest.mark.parametrize("size", SIZES)
def test_armies_of_a_size_cost_about_the_same(size: str) -> None:
    costs = profiles()
    totals = [sum(costs[profile].cost for _, profile in army(name).units_for(size)) for name in armies()]
    assert max(totals) - min(totals) <= 1


def test_unknown_names_are_refused_with_a_hint() -> None:
    with pytest.raises(RulesetError, match="there is no army 'asylumist'; did you mean 'asylumists'"):
        army("asylumist")
    with pytest.raises(RulesetError, match="there is no table 'quary'; did you mean 'quarry'"):
        table("quary", "duel")
    with pytest.raises(RulesetError, match="there is no size 'huge'"):
        table("quarry", "huge")
    with pytest.raises(RulesetError, match="there is no size 'huge'"):
        army("asylumists").units_for("huge")
    with pytest.raises(RulesetError, match="there is no side 'green'"):
        compose_units("asylumists", "green", "duel")


# ---- tables ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "size"), LAYOUTS)
def test_tables_have_enough_terrain_of_every_sort(name: str, size: str) -> None:
    board = table(name, size)
    assert board.width == board.height == EDGES[size]
    assert len({piece.id for piece in board.features}) == len(board.features) >= 8
    assert len({piece.kind for piece in board.features}) >= 4
    assert union(board.features).area >= 0.1 * board.width * board.height
    covers = [piece.trait("cover") for piece in board.features if piece.trait("cover") is not None]
    assert covers
    assert set(covers) <= {1.0, 2.0}
    assert any(piece.kind == "wall" and piece.blocks and 2.0 <= piece.top <= 3.0 for piece in board.features)
    assert any(piece.kind in ("rocks", "container") and piece.blocks for piece in board.features)
    floors = surfaces(board, ramps=False)
    assert {1.5, 2.0, 3.0} <= {floor.high for floor in floors}
    assert any(not floor.solid for floor in floors)


@pytest.mark.parametrize(("name", "size"), LAYOUTS)
def test_pieces_lie_on_the_table_on_quarter_inches(name: str, size: str) -> None:
    board = table(name, size)
    for piece in board.features:
        assert box(*board.box).contains(patch(piece))
        assert all((4 * value).is_integer() for point in piece.outline.points for value in point)


@pytest.mark.parametrize(("name", "size"), LAYOUTS)
def test_pieces_overlap_only_where_walls_carry_a_floor(name: str, size: str) -> None:
    for one, other in combinations(table(name, size).features, 2):
        shared = patch(one).intersection(patch(other)).area
        carried = {one.kind, other.kind} == {"ruin", "wall"}
        assert shared == 0.0 or carried, f"{one.id} lies on {other.id}"


@pytest.mark.parametrize(("name", "size"), LAYOUTS)
def test_upper_floors_stand_on_walls_of_their_height(name: str, size: str) -> None:
    board = table(name, size)
    ruins = [piece for piece in board.features if piece.kind == "ruin"]
    assert ruins
    for ruin in ruins:
        carriers = [one for one in board.features if one.kind == "wall" and patch(ruin).contains(patch(one))]
        assert len(carriers) >= 3
        assert ruin.surface is not None
        assert {one.top for one in carriers} == {ruin.surface.high}
        assert union(tuple(carriers)).area < 0.25 * patch(ruin).area


@pytest.mark.parametrize(("name", "size"), LAYOUTS)
def test_low_walls_can_be_climbed_over(name: str, size: str) -> None:
    low = [piece for piece in table(name, size).features if piece.kind == "low wall"]
    assert low
    for piece in low:
        x0, y0, x1, y1 = piece.outline.box
        assert min(x1 - x0, y1 - y0) == 1.0
        assert piece.surface is not None
        assert piece.surface.solid
        assert not piece.blocks
        assert 1.5 <= piece.surface.high <= 2.0
        assert piece.surface.reach((x0 + x1) / 2, (y0 + y1) / 2) >= 0.5


@pytest.mark.parametrize(("name", "size"), LAYOUTS)
def test_floors_hold_a_base(name: str, size: str) -> None:
    for floor in surfaces(table(name, size), ramps=False):
        assert floor.polygon is not None
        least = 1.0 if floor.high >= 2.0 and floor.polygon.area > 6.0 else 0.5
        place = Patch(floor.polygon.points).buffer(TOL - least).representative_point()
        assert floor.reach(place.x, place.y) >= least - TOL, floor.id


@pytest.mark.parametrize(("name", "size"), LAYOUTS)
def test_ramps_have_level_landings_that_hold_a_base(name: str, size: str) -> None:
    board = table(name, size)
    ramps = surfaces(board, ramps=True)
    assert ramps
    for ramp in ramps:
        ux, uy = along(ramp)
        assert ramp.foot is not None
        assert ramp.head is not None
        below = ramp.foot[0] - ux, ramp.foot[1] - uy
        above = ramp.head[0] + ux, ramp.head[1] + uy
        assert ramp.height_at(*below) == ramp.low == 0.0
        assert ramp.height_at(*above) == ramp.high == floor_of(board, ramp).high
        assert ramp.reach(*below) >= 1.0 - TOL
        assert ramp.reach(*above) >= 1.0 - TOL


@pytest.mark.parametrize("radius", [0.5, 1.0])
@pytest.mark.parametrize(("name", "size"), LAYOUTS)
def test_ramps_lead_up_to_their_floors(name: str, size: str, radius: float) -> None:
    board = table(name, size)
    for ramp in surfaces(board, ramps=True):
        floor = floor_of(board, ramp)
        ux, uy = along(ramp)
        assert ramp.foot is not None
        assert floor.polygon is not None
        start = Pose(ramp.foot[0] - ux * (2.5 + radius), ramp.foot[1] - uy * (2.5 + radius))
        goal = Pose(*floor.polygon.centre, floor.id)
        way = shortest_over(board, radius, start, goal, 12.0, RATES)
        assert way is not None
        assert Climb(ramp.id) in way.legs


@pytest.mark.parametrize(("name", "size"), LAYOUTS)
def test_objectives_can_be_reached_from_both_edges_by_the_largest_base(name: str, size: str) -> None:
    board = table(name, size)
    open_ground = box(*board.box).buffer(-1.0).difference(closed_to_ground(board).buffer(1.0))
    pieces = list(getattr(open_ground, "geoms", [open_ground]))
    middle = board.width / 2
    goals = [Dot(middle + step, board.height / 2) for step in (-12.0, 0.0, 12.0) if abs(step) < middle]
    (main,) = (piece for piece in pieces if piece.contains(goals[0]))
    assert all(main.contains(goal) for goal in goals)
    assert main.area >= 0.95 * open_ground.area
    for strip in strips(board):
        assert main.intersection(strip).area >= 0.5 * strip.area


@pytest.mark.parametrize(("name", "size"), LAYOUTS)
def test_deployment_strips_are_free_and_fair(name: str, size: str) -> None:
    board = table(name, size)
    everything, walls = union(board.features), closed_to_ground(board)
    bare = [strip.difference(everything).area / strip.area for strip in strips(board)]
    walkable = [strip.difference(walls).area / strip.area for strip in strips(board)]
    assert min(bare) >= 0.7
    assert min(walkable) >= 0.85
    assert abs(bare[0] - bare[1]) <= 0.05


@pytest.mark.parametrize(("name", "size"), LAYOUTS)
def test_layouts_are_nearly_the_same_after_a_half_turn(name: str, size: str) -> None:
    board = table(name, size)
    whole = union(board.features)
    corners = [[(board.width - x, board.height - y) for x, y in piece.outline.points] for piece in board.features]
    turned = unary_union([Patch(outline) for outline in corners])
    assert whole.intersection(turned).area >= 0.85 * whole.area


def test_tables_are_shared_and_named() -> None:
    assert table("quarry", "duel") is table("quarry", "duel")
    assert table("quarry", "duel").name == "Quarry"
    assert table("quarry", "duel") != table("outpost", "duel")


# ---- reading pieces --------------------------------------------------------------------------------------------------

SQUARE = [0, 0, 4, 4]


def test_a_piece_reads_all_its_fields() -> None:
    outline = {"polygon": [[0, 0], [4, 0], [0, 4.5]]}
    body = {"blocks": True, "bottom": 1, "top": 3, "cover": 2}
    piece = feature_from({"id": "w", "kind": "wall", **outline, **body}, "here")
    assert piece.outline.points == ((0.0, 0.0), (4.0, 0.0), (0.0, 4.5))
    assert (piece.kind, piece.blocks, piece.bottom, piece.top) == ("wall", True, 1.0, 3.0)
    assert piece.traits == (("cover", 2.0),)
    assert piece.surface is None


def test_a_piece_has_natural_defaults() -> None:
    piece = feature_from({"id": "w", "rect": SQUARE}, "here")
    assert piece.outline.points == ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))
    assert (piece.kind, piece.blocks, piece.bottom, piece.top, piece.traits) == ("", False, 0.0, inf, ())


def test_floors_and_ramps_bear_the_id_of_their_piece() -> None:
    floor = feature_from({"id": "f", "rect": SQUARE, "surface": {"height": 2}}, "here").surface
    assert floor == Surface(id="f", polygon=feature_from({"id": "f", "rect": SQUARE}, "").outline, low=2.0, high=2.0)
    ramp = feature_from(
        {"id": "r", "rect": SQUARE, "ramp": {"low": 0, "high": 3, "foot": [2, 1], "head": [2, 3], "solid": False}},
        "here",
    ).surface
    assert ramp is not None
    assert (ramp.id, ramp.low, ramp.high, ramp.solid) == ("r", 0.0, 3.0, False)
    assert (ramp.foot, ramp.head) == ((2.0, 1.0), (2.0, 3.0))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"rect": SQUARE}, "here: id: expected a text, got nothing"),
        ({"id": "", "rect": SQUARE}, "here: id: expected a text, got ''"),
        ({"id": "ground", "rect": SQUARE}, "here: id: expected another name: 'ground' is the table itself"),
        ({"id": "w"}, "here: polygon: expected an outline as either polygon or rect"),
        (
            {"id": "w", "rect": SQUARE, "polygon": [[0, 0], [1, 0], [0, 1]]},
            "here: polygon: expected an outline as either",
        ),
        ({"id": "w", "rect": [0, 0, 4]}, "here: rect: expected 4 numbers, got [0, 0, 4]"),
        ({"id": "w", "rect": [0, 0, True, 4]}, "here: rect: expected 4 numbers"),
        ({"id": "w", "rect": [0, 0, inf, 4]}, "here: rect: expected 4 numbers"),
        ({"id": "w", "rect": [4, 0, 0, 4]}, "here: rect: expected [x0, y0, x1, y1] with x0 < x1 and y0 < y1"),
        ({"id": "w", "polygon": [[0, 0], [4, 4]]}, "here: polygon: expected at least three corners"),
        ({"id": "w", "polygon": [[0, 0], [4, 4], [1]]}, "here: polygon: expected at least three corners"),
        ({"id": "w", "polygon": "round"}, "here: polygon: expected at least three corners"),
        ({"id": "w", "polygon": [[0, 0], [4, 4], [4, 0], [0, 4]]}, "here: polygon: expected an outline with an area"),
        ({"id": "w", "rect": SQUARE, "blocks": 1}, "here: blocks: expected true or false, got 1"),
        ({"id": "w", "rect": SQUARE, "kind": 5}, "here: kind: expected a text, got 5"),
        ({"id": "w", "rect": SQUARE, "top": 0}, "here: top: expected more than the bottom, 0, got 0"),
        ({"id": "w", "rect": SQUARE, "cover": -1}, "here: cover: expected a number from 0 up, got -1"),
        ({"id": "w", "rect": SQUARE, "cover": float("nan")}, "here: cover: expected a number from 0 up, got nan"),
        ({"id": "w", "rect": SQUARE, "surface": 3}, "here: surface: expected a table of fields, got 3"),
        ({"id": "w", "rect": SQUARE, "surface": {}}, "here: surface: height: expected a number from 0 up, got nothing"),
        (
            {"id": "w", "rect": SQUARE, "surface": {"height": 2}, "ramp": {}},
            "here: ramp: expected either a surface or a",
        ),
        (
            {"id": "w", "rect": SQUARE, "ramp": {"low": 3, "high": 3}},
            "here: ramp: high: expected more than low, 3, got 3",
        ),
        (
            {"id": "w", "rect": SQUARE, "ramp": {"low": 0, "high": 3, "foot": [1, 1], "head": [1, 1]}},
            "here: ramp: head: expected another place than the foot",
        ),
        ({"id": "w", "rect": SQUARE, "colour": "red"}, "here: colour: expected no such field"),
        ({"id": "w", "rect": SQUARE, "blok": True}, "here: blok: expected no such field; did you mean 'blocks'"),
    ],
)
def test_faults_name_the_field_and_what_was_expected(fields: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        feature_from(fields, "here")
