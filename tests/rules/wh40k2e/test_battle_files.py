"""Battle files: any moment reads back equal, files by hand may be short, and everything wrong is said at once."""

from __future__ import annotations

import json
import pickle
from copy import deepcopy
from dataclasses import fields, replace
from math import inf
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError
from tactician.rules.core.agenda import Frame
from tactician.rules.core.files import BadInput
from tactician.rules.core.legs import Bend, Pose, Straight
from tactician.rules.core.measure import snap
from tactician.rules.core.shapes import Polygon
from tactician.rules.core.state import Model
from tactician.rules.core.terrain import Feature
from tactician.rules.wh40k2e import catalogue
from tactician.rules.wh40k2e import state as frames
from tactician.rules.wh40k2e.file_agenda import FRAMES
from tactician.rules.wh40k2e.file_form import STATUS, BattleForm, ProfileForm, WeaponForm
from tactician.rules.wh40k2e.files import from_data, notices, schema, to_data
from tactician.rules.wh40k2e.options import OPTIONS
from tactician.rules.wh40k2e.profiles import Damage, Profile, Weapon
from tactician.rules.wh40k2e.state import Deploy, FirstTurn, Shots, Squad, SquadState, Turn

Data = dict[str, Any]


def small() -> Data:
    """Two squads, a wall and a wood, as a person writes them."""
    return {
        "format": "tactician-battle/1",
        "ruleset": "wh40k2e",
        "options": {"coherency": 2.0},
        "scenario": {"size": "skirmish", "turns": 4, "first": "red"},
        "board": {
            "width": 72,
            "height": 48,
            "features": [
                {"id": "wall", "kind": "wall", "shape": {"line": [30, 20, 42, 20], "thickness": 0.4}},
                {"id": "wood", "kind": "wood", "shape": {"polygon": [[20, 22], [28, 22], [28, 29], [20, 29]]}},
                {"id": "bunker", "kind": "building", "shape": {"rect": [33, 30, 38, 34]}, "height": 4},
            ],
        },
        "profiles": {
            "trooper": {
                "move": 4,
                "ws": 4,
                "bs": 4,
                "strength": 4,
                "toughness": 4,
                "initiative": 4,
                "leadership": 8,
                "wounds": 2,
                "save": 3,
                "weapons": ["boltgun"],
                "cost": 30,
            }
        },
        "sides": {
            "red": {
                "rating": 5,
                "units": [
                    {
                        "id": "R",
                        "name": "Troopers",
                        "profile": "trooper",
                        "base": {"round_mm": 25},
                        "models": [
                            {"id": "R1", "at": [32, 8], "weapons": ["bolt-pistol", "sword"]},
                            {"id": "R2", "at": [34, 8]},
                        ],
                    }
                ],
            },
            "blue": {"units": [{"id": "B", "profile": "boy", "models": [{"id": "B1", "at": [30, 26]}]}]},
        },
        "turn": 1,
        "active": "red",
    }


def put(data: Data, path: str, value: Any) -> Data:
    """A copy with one field changed; numbers in the path are places in lists."""
    changed = deepcopy(data)
    here: Any = changed
    *way, last = [int(part) if part.isdecimal() else part for part in path.split(".")]
    for part in way:
        here = here[part] if isinstance(part, int) else here.setdefault(part, {})
    here[last] = value
    return changed


def told(data: Data) -> list[str]:
    """Every fault of a battle, a line each."""
    with pytest.raises(BadInput) as caught:
        from_data(data)
    return [str(fault) for fault in caught.value.faults]


def through_json(state: SquadState) -> SquadState:
    return from_data(json.loads(json.dumps(to_data(state))))


R = "sides.red.units.0"
B = "sides.blue.units.0"
R1 = f"{R}.models.0"
B1 = f"{B}.models.0"

# ---- by hand ---------------------------------------------------------------------------------------------------------


def test_a_file_by_hand_becomes_a_state_with_natural_defaults() -> None:
    state = from_data(small())
    red, blue = state.unit("R"), state.unit("B")
    assert red.models == (Model(id="R1", pose=Pose(32.0, 8.0)), Model(id="R2", pose=Pose(34.0, 8.0)))
    assert red.radius == snap(12.5 / 25.4)
    assert (red.mustered, red.at_turn, blue.mustered, blue.radius, blue.name) == (2, 2, 1, 0.5, "Goff Boy")
    assert red.gear == (("R1", ("bolt-pistol", "sword")), ("R2", ("boltgun",)))
    assert blue.weapons_of("B1") == ("bolt-pistol", "axe", "frag-grenade")
    assert (state.round, state.first, state.table.turns, state.table.ratings) == (1, "red", 4, (5, 3))
    assert state.agenda == (Turn(owner="red"),)
    assert state.table.profile("boy") == catalogue.profiles()["boy"]
    assert [option.name for option in OPTIONS] == [name for name, _ in state.table.options]


def test_whose_turn_it_is_and_how_far_can_be_said() -> None:
    assert from_data(small() | {"active": "blue", "phase": "normal"}).agenda == (Turn(owner="blue", phase="normal"),)
    data = small()
    del data["active"]
    data["scenario"].pop("first")
    state = from_data(data)
    assert (state.agenda, state.first) == ((Turn(owner="red"),), "red")
    assert from_data(data | {"first": "blue"}).agenda == (Turn(owner="blue"),)


def test_reserves_are_deployed_first() -> None:
    data = put(small(), B, {"id": "B", "profile": "boy", "reserve": ["B1", "B2"]})
    state = from_data(data)
    assert state.agenda == (FirstTurn(), Deploy())
    assert (state.unit("B").mustered, state.unit("B").at_turn) == (2, 2)
    assert [name for name, _ in state.unit("B").gear] == ["B1", "B2"]


def test_an_army_of_the_catalogue_can_be_named() -> None:
    data = {"table": "farmland", "sides": {"red": {"army": "marines"}, "blue": {"army": "tyranids"}}}
    state = from_data(data)
    assert state.board == catalogue.table("farmland", "skirmish")
    assert state.table.ratings == (5, 1)
    assert [unit.id for unit in state.units] == ["R1", "R2", "R3", "B1", "B2", "B3"]
    assert state.units[:3] == catalogue.compose_units("marines", "red", "skirmish")
    assert through_json(state) == state


def test_a_formation_with_rows_of_arms() -> None:
    unit = {
        "id": "B",
        "profile": "boy",
        "formation": {"models": 3, "files": 2, "front_left": [30, 40], "bearing": 180},
        "weapons": ["boltgun", "axe"],
        "arms": [{"weapons": ["heavy-stubber"]}],
        "gear": {"B3": ["flamer"]},
    }
    squad = from_data(put(small(), B, unit)).unit("B")
    assert [model.pose.bearing for model in squad.models] == [180.0, 180.0, 180.0]
    assert dict(squad.gear) == {"B1": ("heavy-stubber",), "B2": ("boltgun", "axe"), "B3": ("flamer",)}


def test_positions_are_put_on_the_grid() -> None:
    pose = from_data(put(small(), f"{R1}.at", [32.1, 8.000001])).unit("R").model("R1").pose
    assert (pose.x, pose.y) == (snap(32.1), 8.0)


def test_status_can_be_given_as_objects_or_lists() -> None:
    status = {
        "overwatch": True,
        "went": "ran",
        "walked": {"R1": 8},
        "charge": {"R1": "B1"},
        "jams": [["R2", 1]],
        "spotters": ["B"],
        "lost": ["R3"],
    }
    data = small()
    data["sides"]["red"]["units"][0].update(status)
    unit = from_data(data).unit("R")
    assert (unit.overwatch, unit.went, unit.walked) == (True, "ran", (("R1", 8.0),))
    assert (unit.charge, unit.jams, unit.spotters) == ((("R1", "B1"),), (("R2", 1),), ("B",))
    assert (unit.lost, unit.mustered, unit.at_turn) == (("R3",), 3, 2)
    assert unit.weapons_of("R3") == ("boltgun",)


def test_wounds_left_are_wounds_lost() -> None:
    state = from_data(put(small(), f"{R1}.wounds", 1))
    assert state.unit("R").hurt == (("R1", 1),)
    assert from_data(put(small(), f"{R1}.wounds", 2)).unit("R").hurt == ()


def test_weapons_and_profiles_are_data() -> None:
    data = small() | {"weapons": {"boltgun": {"long": 30, "strength": 5, "damage": "D3+1"}, "rock": {"is_close": True}}}
    table = from_data(data).table
    assert table.weapon("boltgun").long == 30.0
    assert table.weapon("boltgun").damage == Damage(dice=1, sides=3, add=1)
    assert table.weapon("rock").damage == Damage()
    assert table.profile("trooper").number == 1
    assert set(catalogue.weapons()) < {name for name, _ in table.weapons}


def test_zones_of_ones_own() -> None:
    zones = {"red": [0, 0, 72, 6], "blue": [0, 40, 72, 48]}
    state = from_data(put(small(), "scenario.zones", zones))
    assert state.table.zones == ((0.0, 0.0, 72.0, 6.0), (0.0, 40.0, 72.0, 48.0))
    assert through_json(state) == state


def test_units_in_pieces_load_with_a_notice() -> None:
    state = from_data(put(small(), f"{R1}.at", [10, 30]))
    assert notices(state) == ("Troopers (R) stands in 2 pieces",)
    assert notices(from_data(small())) == ()


def test_the_rules_settle_files_without_an_agenda_only() -> None:
    seen: list[SquadState] = []

    def settle(state: SquadState) -> SquadState:
        seen.append(state)
        return state

    state = from_data(small(), settle)
    assert seen == [state]
    assert from_data(to_data(state), settle) == state
    assert len(seen) == 1


# ---- there and back --------------------------------------------------------------------------------------------------

SHOTS = Shots(
    weapon="boltgun", shooters=("R2",), need=3, target="B", reach=("B1",), count=2, wound=4, centre=(1 / 3, 0.1 + 0.2)
)

PLAN = (("R1", (Straight((32.1, 9.0)), Bend((33.0, 9.0), (34.0, 9.0), "left"))), ("R2", ()))

SAMPLES: tuple[Frame, ...] = (
    Deploy(owner="blue"),
    FirstTurn(rolled=7),
    Turn(owner="red", phase="combat", todo=(("flee", "B"),), fought=(("R1", "B1"),), free=("R1",), closing=True),
    frames.Moving(
        owner="red",
        unit="R",
        gait="charge",
        plan=PLAN,
        spent=(("R1", 0.1 + 0.2),),
        walked=(("R1", 1 / 3),),
        allowance=8.0,
        answered=("B",),
        begun=(("R1", 1 / 3, 2.0),),
        stage="replan",
    ),
    frames.React(owner="blue", windows=(("B", "R1", 0.0, 1 / 3),)),
    frames.Alert(owner="blue", watchers=("B",)),
    frames.Targeting(owner="blue", unit="B", mover="R"),
    frames.Shooting(
        owner="red", unit="R", orders=(("R2", "B:boltgun"),), todo=(SHOTS,), on_overwatch=True, targets=("B",)
    ),
    frames.Volleys(unit="R", target="B", groups=(SHOTS, replace(SHOTS, sure=True, centre=None))),
    frames.Scatter(unit="R", shots=SHOTS, missed=True),
    frames.Test(owner="red", unit="R", cause="terror"),
    frames.Broken(unit="R"),
    frames.Bonus(owner="red", unit="R", stage="shoot"),
    frames.Flight(unit="R", again=True),
    frames.Combat(
        owner="red", first="R1", second="B1", stage="parry", dice=((6, 2), (1,)), extra=(1, 0), parries=(1, 1), hits=2
    ),
    frames.Queue(owner="blue", lone="R1", several=("B1",)),
    frames.Blow(striker="R1", victim="B1", hits=3),
    frames.Follow(owner="red", unit="R", models=("R1",)),
)


def other_than(value: Any) -> Any:
    """Some other value of the same sort."""
    return not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else "seen"


def marked() -> SquadState:
    """A moment with everything that can lie on a unit."""
    state = from_data(small())
    known: dict[str, Any] = {
        "hurt": (("R2", 1),),
        "spotters": ("B",),
        "went": "charged",
        "walked": (("R1", 0.1 + 0.2), ("R2", 4.0)),
        "charge": (("R1", "B1"),),
        "failed": ("R2",),
        "charged": ("R1",),
        "jams": (("R2", 2),),
        "recharging": ("R2",),
        "grave": Pose(1 / 3, 2.0, "ground", 90.0),
    }
    usual = {one.name: one.default for one in fields(Squad)}
    values = {name: known.get(name, other_than(usual[name])) for name in STATUS}
    unit = replace(state.unit("R"), **values, lost=("R0",), gear=(("R0", ("axe",)), *state.unit("R").gear), mustered=3)
    waiting = Squad(
        id="W",
        side="blue",
        name="Waiting",
        profile="gretchin",
        radius=0.5,
        gear=(("W1", ()),),
        reserve=("W1",),
    )
    return replace(state, units=(unit, state.unit("B"), waiting), round=3)


def test_all_that_lies_on_units_reads_back_equal() -> None:
    state = marked()
    usual = {one.name: one.default for one in fields(Squad)}
    assert all(getattr(state.unit("R"), name) != usual[name] for name in STATUS)
    again = through_json(state)
    assert again == state
    assert hash(again) == hash(state)
    assert repr(again) == repr(state)
    assert pickle.loads(pickle.dumps(state)) == state


@pytest.mark.parametrize("frame", SAMPLES, ids=lambda frame: frame.kind)
def test_each_kind_of_frame_reads_back_equal(frame: Frame) -> None:
    state = marked()
    agenda = (frame,) if isinstance(frame, Turn | Deploy | FirstTurn) else (Turn(owner="blue", phase="normal"), frame)
    state = replace(state, agenda=agenda)
    assert through_json(state) == state
    assert pickle.loads(pickle.dumps(state)) == state


def test_a_deep_agenda_reads_back_equal() -> None:
    state = replace(marked(), agenda=(Turn(owner="red", phase="normal"), *SAMPLES[3:]))
    assert through_json(state) == state
    assert repr(through_json(state)) == repr(state)


def test_there_is_a_sample_of_every_kind_of_frame() -> None:
    assert {frame.kind for frame in SAMPLES} == set(FRAMES)


def test_ends_and_switched_off_clauses_read_back_equal() -> None:
    state = marked()
    table = replace(state.table, switched_off=frozenset({"2E-MV-01", "2E-CH-01"}), turns=6)
    dead = replace(state.unit("B"), models=(), lost=("B1",))
    units = (state.unit("R"), dead, state.unit("W"))
    state = replace(state, table=table, units=units, agenda=(), ended="destroyed", winner="red")
    assert through_json(state) == state


@pytest.mark.parametrize("size", catalogue.SIZES)
@pytest.mark.parametrize("name", catalogue.tables())
def test_every_table_reads_back_equal(name: str, size: str) -> None:
    data = {"table": name, "scenario": {"size": size}, "sides": {"red": {"army": "eldar"}, "blue": {"army": "guard"}}}
    state = from_data(data)
    assert through_json(state) == state
    assert through_json(state).board == catalogue.table(name, size)


@pytest.mark.parametrize(
    "feature",
    [
        Feature(id="p", outline=Polygon(((0, 0), (1, 0), (0, 1))), kind="wall"),
        Feature(id="p", outline=Polygon(((0, 0), (1, 0), (0, 1))), kind="wood", top=4.0, screens=True),
        Feature(id="p", outline=Polygon(((0, 0), (1, 0), (0, 1))), kind="gate", traits=(("gate", "shut"),)),
        Feature(id="p", outline=Polygon(((0, 0), (1, 0), (0, 1))), kind="hill", top=3.0, traits=(("rise", 1.0),)),
        Feature(id="p", outline=Polygon(((0, 0), (1, 0), (0, 1))), blocks=True, top=inf, veil=0.5),
        Feature(
            id="p",
            outline=Polygon(((0, 0), (1, 0), (0, 1 / 3))),
            kind="rock",
            traits=(("agreed", 4.0), ("axis", 90.0), ("obstacle", False)),
        ),
    ],
    ids=str,
)
def test_odd_pieces_read_back_equal(feature: Feature) -> None:
    state = from_data(small())
    board = replace(state.board, features=(feature,))
    state = replace(state, table=replace(state.table, board=board))
    assert through_json(state) == state


def test_forms_have_every_field_of_weapons_and_profiles() -> None:
    assert {one.name for one in fields(WeaponForm)} == {one.name for one in fields(Weapon)} - {"id"}
    assert {one.name for one in fields(ProfileForm)} == {one.name for one in fields(Profile)} - {"id"}


# ---- what is refused -------------------------------------------------------------------------------------------------

OUTER = {"kind": "turn", "owner": "red", "phase": "normal"}
WAY = {"kind": "moving", "owner": "red", "unit": "R", "gait": "walk"}
FIRE = {"kind": "volleys", "unit": "R", "target": "B", "groups": []}
ONE = {"weapon": "boltgun", "shooters": ["R1"], "need": 3, "target": "B", "reach": ["B1"]}

FAULTY: dict[str, tuple[str, Any, str]] = {
    "unknown ruleset": ("ruleset", "wh40k3e", "ruleset: there is no ruleset 'wh40k3e'; did you mean 'wh40k2e'?"),
    "wrong format": (
        "format",
        "tactician-battle/9",
        "format: found 'tactician-battle/9', expected 'tactician-battle/1'",
    ),
    "unknown key": ("sdies", {}, "sdies: there is no field 'sdies'; did you mean 'sides'?"),
    "unknown option": (
        "options.coherencey",
        2,
        "options.coherencey: there is no option 'coherencey'; did you mean 'coherency'?",
    ),
    "wrong option": ("options.premeasuring", 1, "options.premeasuring: found 1, expected one of false, true"),
    "option below its least": ("options.coherency", -1, "options.coherency: found -1, expected a number of at least 0"),
    "arid option": ("options.arid", True, "options.arid: rules for arid tables are planned, not there yet [2E-AR-01]"),
    "arid scenario": (
        "scenario.arid",
        True,
        "scenario.arid: rules for arid tables are planned, not there yet [2E-AR-01]",
    ),
    "arid terrain": (
        "board.features.1.kind",
        "wadi",
        "board.features[1].kind: terrain 'wadi': rules for arid tables are planned, not there yet [2E-AR-06]",
    ),
    "vehicle": (
        "profiles.trooper.kind",
        "vehicle",
        "profiles.trooper.kind: kind 'vehicle': vehicles are planned, not there yet [2E-VE-01]",
    ),
    "unknown kind": (
        "profiles.trooper.kind",
        "infantri",
        "profiles.trooper.kind: there is no kind of profile 'infantri'; did you mean 'infantry'?",
    ),
    "psyker": (
        "profiles.trooper.rules",
        ["psyker"],
        "profiles.trooper.rules[0]: special rule 'psyker': the psychic phase is out of scope [2E-XX-01]",
    ),
    "infiltrator": (
        "profiles.trooper.rules",
        ["fear", "infiltrate"],
        "profiles.trooper.rules[1]: special rule 'infiltrate': infiltration is out of scope [2E-XX-02]",
    ),
    "unknown rule": (
        "profiles.trooper.rules",
        ["fright"],
        "profiles.trooper.rules[0]: there is no special rule 'fright'",
    ),
    "unknown size": ("scenario.size", "dual", "scenario.size: there is no size 'dual'; did you mean 'duel'?"),
    "unknown mission": ("scenario.mission", "siege", "scenario.mission: found 'siege', expected one of 'battle'"),
    "zone off the table": (
        "scenario.zones",
        {"red": [0, 0, 80, 6], "blue": [0, 40, 72, 48]},
        "scenario.zones.red: found [0, 0, 80, 6], expected [x0, y0, x1, y1] on the table of 72 x 48 inches",
    ),
    "wrong side": ("active", "green", "active: found 'green', expected one of 'red', 'blue'"),
    "unknown army": ("sides.red.army", "marine", "sides.red.army: there is no army 'marine'; did you mean 'marines'?"),
    "unknown profile": (
        f"{R}.profile",
        "troper",
        "sides.red.units[0].profile: there is no profile 'troper'; did you mean 'trooper'?",
    ),
    "two profiles": (
        f"{R1}.profile",
        "boy",
        "sides.red.units[0].profile: the models of R have several profiles: boy, trooper, expected one for all",
    ),
    "no profile": (
        f"{B}.profile",
        None,
        "sides.blue.units[0].profile: missing: B has no profile, expected the name of one",
    ),
    "unknown weapon of a model": (
        f"{R1}.weapons",
        ["boltgum"],
        "sides.red.units[0].models[0].weapons[0]: there is no weapon 'boltgum'; did you mean 'boltgun'?",
    ),
    "unknown weapon of a unit": (
        f"{R}.weapons",
        ["boltgum"],
        "sides.red.units[0].weapons[0]: there is no weapon 'boltgum'; did you mean 'boltgun'?",
    ),
    "unknown weapon in a row": (
        f"{R}.arms",
        [{"weapons": ["boltgum"]}],
        "sides.red.units[0].arms[0].weapons[0]: there is no weapon 'boltgum'; did you mean 'boltgun'?",
    ),
    "unknown weapon of a profile": (
        "profiles.trooper.weapons",
        ["boltgum"],
        "profiles.trooper.weapons[0]: there is no weapon 'boltgum'; did you mean 'boltgun'?",
    ),
    "too many rows of arms": (
        f"{R}.arms",
        [{"weapons": ["boltgun"], "count": 2}],
        "sides.red.units[0].arms: arms for more models than there are, expected at most 1",
    ),
    "arms for nobody": (
        f"{R}.gear",
        {"R9": ["boltgun"]},
        "sides.red.units[0].gear.R9: there is no model of R 'R9'; did you mean 'R2'?",
    ),
    "wrong damage": (
        "weapons",
        {"gun": {"damage": "D"}},
        "weapons.gun.damage: found 'D', expected a number, or dice such as D4 or 2D6",
    ),
    "long range below short": (
        "weapons",
        {"gun": {"short": 12, "long": 6}},
        "weapons.gun.long: found 6, expected at least the short range, 12",
    ),
    "two units of one id": (
        f"{B}.id",
        "R",
        "sides.blue.units[0].id: the unit 'R' is there twice, expected another id than sides.red.units[0].id has",
    ),
    "two models of one id": (
        f"{B1}.id",
        "R2",
        "sides.blue.units[0].models[0]: the model 'R2' is there twice, "
        "expected another id than sides.red.units[0].models[1] has",
    ),
    "two pieces of one id": (
        "board.features.1.id",
        "wall",
        "board.features[1].id: the piece 'wall' is there twice, expected another id than board.features[0].id has",
    ),
    "overlapping bases": (
        f"{B1}.at",
        [32.5, 8],
        'sides.blue.units[0].models[0].at: B1 overlaps R1 by 0.4921", expected bases that touch at most',
    ),
    "off the table": (
        f"{B1}.at",
        [71.75, 10],
        'sides.blue.units[0].models[0].at: B1 is off the table by 0.25", '
        "expected a base wholly on the table of 72 x 48 inches",
    ),
    "in a building": (
        f"{B1}.at",
        [35, 29.75],
        'sides.blue.units[0].models[0].at: B1 stands in bunker by 0.25", expected free ground',
    ),
    "no point": (f"{B1}.at", [1], "sides.blue.units[0].models[0].at: found [1], expected two numbers [x, y]"),
    "too many wounds": (
        f"{R1}.wounds",
        3,
        "sides.red.units[0].models[0].wounds: found 3, expected at most 2, as trooper has",
    ),
    "no outline": (
        "board.features.1.shape",
        {},
        "board.features[1].shape: no outline, expected either polygon, rect or line",
    ),
    "two outlines": (
        "board.features.1.shape",
        {"rect": [1, 1, 2, 2], "line": [1, 1, 2, 2]},
        "board.features[1].shape: an outline given twice, expected either polygon, rect or line",
    ),
    "a line without length": (
        "board.features.0.shape",
        {"line": [1, 1, 1, 1]},
        "board.features[0].shape.line: a line without a length, expected [x0, y0, x1, y1] with two different ends",
    ),
    "a thick rectangle": (
        "board.features.1.shape",
        {"rect": [1, 1, 2, 2], "thickness": 1},
        "board.features[1].shape.thickness: a thickness without a line, expected it beside a line only",
    ),
    "unknown cover": (
        "board.features.0.cover",
        "steel",
        "board.features[0].cover: found 'steel', expected one of 'soft', 'hard', 'none'",
    ),
    "flat wall": (
        "board.features.0.height",
        0,
        "board.features[0].height: found 0, expected a number, more than 0 and at most 1000",
    ),
    "no board": (
        "board",
        None,
        f"board: missing, expected a board, or a table by name: {', '.join(catalogue.tables())}",
    ),
    "two boards": ("table", "farmland", "table: a table by name beside a board, expected one of the two"),
    "no models": (
        f"{B}.models",
        None,
        "sides.blue.units[0].models: missing: B has no models, expected models, a formation, or a reserve",
    ),
    "bad id": (
        f"{B1}.id",
        "B 1",
        "sides.blue.units[0].models[0].id: found 'B 1', expected letters, digits and _ ' . - only",
    ),
    "unknown way of moving": (
        f"{R}.went",
        "flew",
        "sides.red.units[0].went: found 'flew', expected one of '', 'walked', 'ran', 'charged', 'compelled'",
    ),
    "unknown target of a charge": (
        f"{R}.charge",
        {"R1": "B9"},
        "sides.red.units[0].charge.R1: there is no enemy model 'B9'; did you mean 'B1'?",
    ),
    "unknown charger": (
        f"{R}.charge",
        {"R9": "B1"},
        "sides.red.units[0].charge.R9: there is no model of R 'R9'; did you mean 'R2'?",
    ),
    "unknown spotter": (
        f"{R}.spotters",
        ["R"],
        "sides.red.units[0].spotters[0]: there is no enemy unit 'R'; known: B",
    ),
    "dead of wounds": (
        f"{R}.hurt",
        {"R1": 2},
        "sides.red.units[0].hurt.R1: found 2, expected more than 0 and less than its wounds, 2",
    ),
    "turn nought": ("turn", 0, "turn: found 0, expected a whole number, at least 1"),
    "unknown frame": ("agenda", [{"kind": "trun"}], "agenda[0].kind: there is no kind of frame 'trun'; did you mean"),
    "unknown phase": (
        "agenda",
        [{**OUTER, "phase": "lunch"}],
        "agenda[0].phase: found 'lunch', expected one of 'start', 'opening', 'compulsory', 'chargers', 'normal', "
        "'hiding', 'shooting', 'combat', 'follow', 'rally', 'over'",
    ),
    "unknown unit in a frame": (
        "agenda",
        [OUTER, {**WAY, "unit": "RR"}],
        "agenda[1].unit: there is no unit 'RR'; did you mean 'R'?",
    ),
    "unknown model in a frame": (
        "agenda",
        [OUTER, {**WAY, "plan": [["R7", []]]}],
        "agenda[1].plan[0][0]: there is no model 'R7'; did you mean 'R2'?",
    ),
    "unknown weapon in a frame": (
        "agenda",
        [OUTER, {**FIRE, "groups": [{**ONE, "weapon": "boltgum"}]}],
        "agenda[1].groups[0].weapon: there is no weapon 'boltgum'; did you mean 'boltgun'?",
    ),
    "unknown aim in a frame": (
        "agenda",
        [OUTER, {"kind": "shooting", "owner": "red", "unit": "R", "orders": [["R1", "BB:boltgun"]]}],
        "agenda[1].orders[0][1]: there is no unit 'BB'; did you mean 'B'?",
    ),
    "unknown watcher": (
        "agenda",
        [OUTER, {"kind": "react", "owner": "blue", "windows": [["X", "R1", 0, 1]]}],
        "agenda[1].windows[0][0]: there is no unit 'X'; known: R, B",
    ),
    "unknown fighter": (
        "agenda",
        [OUTER, {"kind": "blow", "striker": "R1", "victim": "B7", "hits": 1}],
        "agenda[1].victim: there is no model 'B7'; did you mean 'B1'?",
    ),
    "negative hits": (
        "agenda",
        [OUTER, {"kind": "blow", "striker": "R1", "victim": "B1", "hits": -1}],
        "agenda[1].hits: found -1, expected at least 0",
    ),
    "unknown side in a frame": (
        "agenda",
        [{**OUTER, "owner": "rde"}],
        "agenda[0].owner: there is no side 'rde'; did you mean 'red'?",
    ),
    "nobody in a frame": (
        "agenda",
        [OUTER, {key: value for key, value in WAY.items() if key != "owner"}],
        "agenda[1].owner: missing, expected one of 'red', 'blue'",
    ),
    "a unit of the other side": (
        "agenda",
        [OUTER, {**WAY, "owner": "blue"}],
        "agenda[1].owner: R belongs to red, expected 'red'",
    ),
    "another side's turn": (
        "agenda",
        [{**OUTER, "owner": "blue"}],
        "active: found 'red', expected 'blue', as the agenda's turn says",
    ),
    "a frame outside a turn": (
        "agenda",
        [WAY],
        "agenda[0]: a frame 'moving' outside a turn, expected a turn below it",
    ),
}


@pytest.mark.parametrize("name", FAULTY)
def test_a_fault_is_told_in_one_clear_line(name: str) -> None:
    path, value, line = FAULTY[name]
    found = told(put(small(), path, value))
    assert len(found) == 1
    assert found[0].startswith(line) if line.endswith("did you mean") else found[0] == line


def test_a_dead_unit_that_is_asked_to_act_is_named() -> None:
    data = small()
    data["sides"]["red"]["units"].append({"id": "D", "profile": "trooper", "models": [], "lost": ["D1"]})
    data["agenda"] = [OUTER, {**WAY, "unit": "D"}]
    assert told(data) == ["agenda[1].unit: D has no models on the table, expected a unit that can still act"]


def test_an_agenda_of_another_version_is_refused() -> None:
    data = to_data(from_data(small()))
    present = data["ruleset"]["version"]
    data["ruleset"]["version"] = "0"
    assert told(data) == [f"ruleset.version: an agenda of version 0, expected version {present}, or no agenda"]
    del data["agenda"]
    assert from_data(data).agenda == (Turn(owner="red"),)


def test_everything_wrong_is_reported_at_once() -> None:
    data = small()
    changes: list[tuple[str, Any]] = [
        ("options.coherence", 2),
        (f"{R1}.at", [10, "ten"]),
        (f"{B1}.at", [0, 0]),
        ("board.features.1.shape", {"polygon": [[0, 0], [1, 1]]}),
        ("profiles.trooper.move", "6"),
        ("turn", "one"),
        ("agenda", [{"kind": "trun"}]),
    ]
    for path, value in changes:
        data = put(data, path, value)
    assert {line.split(": ")[0] for line in told(data)} == {
        "options.coherence",
        "sides.red.units[0].models[0].at",
        "board.features[1].shape.polygon",
        "profiles.trooper.move",
        "turn",
        "agenda[0].kind",
    }


def answer(data: Data) -> str:
    """What comes of a battle: its agenda, or what is wrong with it."""
    try:
        return repr(from_data(data).agenda)
    except BadInput as error:
        return str(error)


@pytest.mark.parametrize("value", [None, -3, "R", True, [], {"a": 1}, -1e308])
def test_a_value_that_does_not_belong_somewhere_never_ends_in_a_defect(value: Any) -> None:
    base = to_data(replace(marked(), agenda=(Turn(owner="red", phase="normal"), *SAMPLES[3:])))
    answers = {path: answer(put(base, path, value)) for path in paths_of(base)}
    assert all(answers.values())
    assert "expected" in answers["board.width"] or value is None


def paths_of(data: Any, before: str = "") -> list[str]:
    """The path of every field, weapons, profiles and options but for the first of each left out."""
    rows = list(data.items()) if isinstance(data, dict) else list(enumerate(data)) if isinstance(data, list) else []
    if before.rstrip(".") in ("weapons", "profiles", "options"):
        rows = rows[:1]
    return [found for key, one in rows for found in (f"{before}{key}", *paths_of(one, f"{before}{key}."))]


# ---- schema ----------------------------------------------------------------------------------------------------------


def test_the_schema_names_every_field_and_frame() -> None:
    published = schema()
    assert set(published) == {"battle", "action", "case", "record"}
    battle = published["battle"]
    assert {"ruleset", "options", "scenario", "board", "sides", "agenda"} <= set(battle["properties"])
    assert battle["additionalProperties"] is False
    kinds = battle["properties"]["agenda"]["anyOf"][0]["items"]["anyOf"]
    assert {frame["properties"]["kind"]["const"] for frame in kinds} == set(FRAMES)
    assert set(STATUS) <= set(battle["$defs"]["UnitForm"]["properties"])
    assert json.loads(json.dumps(published)) == published
    for part in published.values():
        names = {piece.split('"')[0] for piece in json.dumps(part).split("#/$defs/")[1:]}
        assert names <= set(part.get("$defs", {}))


def test_the_schema_and_the_reader_agree() -> None:
    reader = TypeAdapter(BattleForm)
    state = marked()
    no_pose = replace(state.unit("R"), grave=None)  # poses have a written form of their own
    for data in (small(), to_data(state.with_unit(no_pose))):
        assert isinstance(reader.validate_python(data), BattleForm)
    for path in ("board.width", "turn", f"{R1}.at", "profiles.trooper.move", "options", "sides.red.units"):
        with pytest.raises(ValidationError):
            reader.validate_python(put(small(), path, "wrong"))
