"""Battle files: any moment reads back equal, files by hand may be short, and everything wrong is said at once."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.files import BadInput
from tactician.rules.core.legs import Climb, Pose, Straight
from tactician.rules.core.measure import snap
from tactician.rules.core.ruleset import Scenario
from tactician.rules.core.state import Model
from tactician.rules.voidsiege import RULESET, catalogue
from tactician.rules.voidsiege.file_agenda import FRAMES
from tactician.rules.voidsiege.file_form import BattleForm
from tactician.rules.voidsiege.files import from_data, notices, schema, to_data
from tactician.rules.voidsiege.state import (
    Casualties,
    Deploy,
    Drag,
    Exchange,
    Fire,
    Horde,
    Movement,
    Return,
    RollOff,
    Turn,
    VoidState,
    Volley,
)

Data = dict[str, Any]


def small() -> Data:
    """Two units on a table with a wall, a ledge and scrub, as a person writes them."""
    return {
        "format": "tactician-battle/1",
        "ruleset": "voidsiege",
        "options": {"coherency_distance": 2.0},
        "scenario": {"mission": "all-out-war", "size": "duel", "turns": 8, "first": "red"},
        "board": {
            "width": 48,
            "height": 48,
            "features": [
                {"id": "scrub", "shape": {"rect": [16, 8, 20, 12]}, "cover": 1},
                {
                    "id": "block",
                    "shape": {"polygon": [[24, 20], [30, 20], [30, 22], [24, 22]]},
                    "height": 3,
                    "impassable": True,
                },
                {"id": "ledge", "shape": {"rect": [12, 30, 20, 36]}, "surface": {"height": 3}},
                {
                    "id": "ramp",
                    "shape": {"rect": [20, 30, 24, 36]},
                    "ramp": {"high": 3, "foot": [24, 33], "head": [20, 33], "solid": False},
                },
            ],
        },
        "weapons": {"rifle": {"range": 24, "rof": 2}},
        "profiles": {
            "trooper": {"move": 5, "target_lock": 3, "resolve": 3, "weapons": ["rifle"]},
            "raider": {
                "move": 6,
                "target_lock": 2,
                "resolve": 2,
                "weapons": [{"id": "pistol", "range": 8}, {"id": "blade", "force": 2}],
            },
        },
        "sides": {
            "red": {
                "units": [
                    {
                        "id": "R",
                        "name": "Troopers",
                        "models": [
                            {"id": "R1", "profile": "trooper", "at": [10, 10], "base": {"round_mm": 25}},
                            {"id": "R2", "profile": "trooper", "at": [10, 12], "base": {"round_mm": 25}},
                        ],
                    }
                ]
            },
            "blue": {"units": [{"id": "B", "profile": "raider", "models": [{"id": "B1", "at": [26, 10]}]}]},
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


def through_json(state: VoidState) -> VoidState:
    return from_data(json.loads(json.dumps(to_data(state))))


R1 = "sides.red.units.0.models.0"
B1 = "sides.blue.units.0.models.0"

# ---- by hand ---------------------------------------------------------------------------------------------------------


def test_a_file_by_hand_becomes_a_state_with_natural_defaults() -> None:
    state = from_data(small())
    red, blue = state.unit("R"), state.unit("B")
    assert red.models == (Model(id="R1", pose=Pose(10.0, 10.0)), Model(id="R2", pose=Pose(10.0, 12.0)))
    assert red.radius == snap(12.5 / 25.4)
    assert (red.mustered, blue.mustered, blue.radius, blue.name) == (2, 1, 0.5, "raider")
    assert (state.round, state.first, state.defender, state.points, state.score) == (1, "red", "red", (6, 6), (0, 0))
    assert state.agenda == (Turn(owner="red"),)
    assert state.table.profile("trooper").number == 2
    assert [weapon.id for weapon in state.table.profile("raider").melee] == ["blade"]
    assert state.table.profile("troopers") == dict(catalogue.profiles())["troopers"]
    assert [option.name for option in RULESET.options] == [name for name, _ in state.table.options]


def test_features_say_what_they_are_for() -> None:
    board = from_data(small()).board
    assert board.feature("scrub").trait("cover") == 1.0
    assert not board.feature("scrub").blocks
    block = board.feature("block")
    assert (block.blocks, block.top) == (True, 3.0)
    assert board.surface("ledge").height_at(15.0, 33.0) == 3.0
    assert board.surface("ramp").height_at(22.0, 33.0) == 1.5
    assert not board.surface("ramp").solid


def test_positions_are_put_on_the_grid() -> None:
    pose = from_data(put(small(), f"{R1}.at", [10.1, 10.000001])).unit("R").model("R1").pose
    assert (pose.x, pose.y) == (snap(10.1), 10.0)


def test_a_formation_stands_in_ranks_from_its_front_left_corner() -> None:
    formation = {"models": 3, "files": 2, "front_left": [30, 40], "bearing": 0}
    unit = {"id": "B", "profile": "raider", "formation": formation}
    models = from_data(put(small(), "sides.blue.units.0", unit)).unit("B").models
    assert [(model.id, model.pose.point) for model in models] == [
        ("B1", (30.5, 39.5)),
        ("B2", (32.0, 39.5)),
        ("B3", (30.5, 38.0)),
    ]
    unit["formation"] = {"models": ["x", "y"], "front_left": [30, 40], "bearing": 90, "spacing": 0}
    models = from_data(put(small(), "sides.blue.units.0", unit)).unit("B").models
    assert [(model.id, model.pose.point) for model in models] == [("x", (29.5, 39.5)), ("y", (29.5, 38.5))]


def test_a_table_can_be_named() -> None:
    data = put(small(), "sides.blue.units.0", {"id": "B", "profile": "raider", "reserve": ["B1"]})
    data = put(data, "sides.red.units.0", {"id": "R", "profile": "trooper", "reserve": ["R1"]})
    del data["board"]
    name = catalogue.tables()[0]
    assert from_data(data | {"table": name}).board == catalogue.table(name, "duel")


def test_without_a_first_side_it_is_rolled_for_and_reserves_are_deployed() -> None:
    data = small()
    del data["active"]
    data["scenario"].pop("first")
    assert from_data(data).agenda == (Turn(owner=""), RollOff())
    data["sides"]["blue"]["units"][0].update(models=[], reserve=["B1", "B2"])
    state = from_data(data)
    assert state.agenda == (Turn(owner=""), Deploy(), RollOff())
    assert state.unit("B").mustered == 2
    assert RULESET.pending(RULESET.from_data(data)).why.startswith("roll-off")
    assert from_data(data | {"first": "blue"}).agenda == (Turn(owner="blue"), Deploy())


def test_settling_is_the_rules_business_and_only_for_files_without_an_agenda() -> None:
    seen: list[VoidState] = []

    def settle(state: VoidState) -> VoidState:
        seen.append(state)
        return state

    state = from_data(small(), settle)
    assert seen == [state]
    assert from_data(to_data(state), settle) == state
    assert len(seen) == 1


def test_new_and_changed_profiles_weapons_and_commands_are_data() -> None:
    probe = {"probe": {"distance": "fixed", "inches": 4, "permits": {"end_near": True}}}
    data = small() | {"commands": probe}
    data["weapons"] = {"rifle": {"range": 24}, "rifles": {"range": 99, "rof": 1}}
    table = from_data(data).table
    command = table.command("probe")
    assert (command.id, command.inches, command.permits.end_near, command.moves) == ("probe", 4.0, True, True)
    assert [weapon.range for weapon in table.profile("troopers").weapons if weapon.id == "rifles"] == [99.0]
    assert set(dict(catalogue.commands())) < {name for name, _ in table.commands}


def test_status_can_be_given() -> None:
    status = {"restrictions": ["Shoot", "Run"], "ditching": True, "move_value": 1, "lost": ["R9"], "mustered": 4}
    data = small()
    data["sides"]["red"]["units"][0].update(status)
    data |= {"turn": 3, "points": {"red": 2, "blue": 1}, "score": {"blue": 4}, "first": "blue", "defender": "blue"}
    state = from_data(data)
    unit = state.unit("R")
    assert (unit.restrictions, unit.ditching, unit.move_value) == (("Run", "Shoot"), True, 1.0)
    assert (unit.lost, unit.mustered) == (("R9",), 4)
    assert (state.round, state.points, state.score) == (3, (2, 1), (0, 4))
    assert (state.first, state.defender, state.agenda) == ("blue", "blue", (Turn(owner="red"),))


def test_units_in_pieces_load_with_a_notice() -> None:
    state = from_data(put(small(), f"{R1}.at", [10, 30]))
    assert notices(state) == ("Troopers (R) stands in 2 pieces",)
    assert notices(from_data(small())) == ()


# ---- there and back --------------------------------------------------------------------------------------------------


def middle() -> VoidState:
    """A moment in the middle of an exchange, with everything that frames hold."""
    state = from_data(small())
    plan = (("R1", (Straight((14.1, 10.0)), Climb("ledge", 0.5))), ("R2", ()))
    exchange = Exchange(
        owner="red",
        unit="R",
        command="assault",
        targets=(("charge", "B"), ("shoot", "B")),
        plan=plan,
        responder="B",
        response="defend",
        response_plan=(("B1", (Straight((1.0, 1 / 3)),)),),
        todo=("move:command", "met", "losses"),
        buffer=(Fire(role="command", shooter="R", target="B", weapon="rifle", criticals=1, locks=2),),
        moved=(("R", 0.1 + 0.2, 0.0),),
        acted=(("command", "move"),),
        defending=("B",),
        dragging=(("B", "R", True),),
        near_before=(("R", "B"),),
        met=(("R", "B"),),
    )
    movement = Movement(owner="red", unit="R", role="command", plan=plan)
    return replace(state, agenda=(Turn(owner="blue", pinned=("R",)), exchange, movement), round=3, points=(2, 0))


def test_a_moment_in_the_middle_of_an_exchange_reads_back_equal() -> None:
    state = middle()
    again = through_json(state)
    assert again == state
    assert hash(again) == hash(state)
    assert repr(again) == repr(state)


@pytest.mark.parametrize(
    "frame",
    [
        Casualties(owner="red", unit="R", count=1, shooter="B"),
        Volley(owner="red", role="command", shooter="R", target="B", weapons=(("rifle", 4),), snap=True),
        Drag(owner="blue", unit="B", target="R", pulls=False, pulled="R2"),
        Horde(owner="red", unit="R"),
        Return(owner="red", unit="R", count=1, cause="horde"),
    ],
)
def test_each_kind_of_innermost_frame_reads_back_equal(frame: Casualties | Volley | Drag | Horde | Return) -> None:
    state = middle()
    state = replace(state, agenda=(*state.agenda[:-1], frame))
    assert through_json(state) == state


def test_switched_off_clauses_ends_and_dead_units_read_back_equal() -> None:
    state = from_data(small())
    state = replace(
        state,
        table=replace(state.table, switched_off=frozenset({"VS-GM-04", "VS-AL-01"}), objectives=((1.5, 2.0),)),
        units=(replace(state.unit("R"), models=(), mustered=0), state.unit("B")),
        agenda=(),
        ended="annihilation",
        winner="blue",
    )
    assert through_json(state) == state


@pytest.mark.parametrize("seed", [1, 2])
def test_every_moment_of_a_random_game_reads_back_equal(seed: int) -> None:
    random = Random(seed)
    state: Any = RULESET.start(Scenario(size="duel", deployed=True))
    for _ in range(60):
        assert through_json(state) == state
        assert RULESET.from_data(to_data(state)) == state
        mover = RULESET.to_move(state)
        if mover == TERMINAL:
            break
        if mover == CHANCE:
            state = RULESET.resolve(state, RULESET.pending(state).sample(random))
        else:
            state = RULESET.apply(state, random.choice(RULESET.choices(state)).sample(state, random.random))


def test_every_frame_that_the_rules_handle_can_be_read() -> None:
    assert set(FRAMES) == set(RULESET.info.frames)


# ---- what is refused -------------------------------------------------------------------------------------------------

OUTER = {"kind": "turn", "owner": "red"}
INNER = {"kind": "exchange", "owner": "red", "unit": "R", "command": "shoot", "targets": [["shoot", "B"]]}

SHOTS = {"kind": "volley", "owner": "red", "role": "command", "shooter": "R", "target": "B"}

FAULTY: dict[str, tuple[str, Any, str]] = {
    "unknown ruleset": ("ruleset", "voidseige", "ruleset: there is no ruleset 'voidseige'; did you mean 'voidsiege'?"),
    "wrong format": (
        "format",
        "tactician-battle/9",
        "format: found 'tactician-battle/9', expected 'tactician-battle/1'",
    ),
    "unknown key": ("sdies", {}, "sdies: there is no field 'sdies'; did you mean 'sides'?"),
    "unknown option": (
        "options.coherency_distanse",
        2,
        "options.coherency_distanse: there is no option 'coherency_distanse'; did you mean 'coherency_distance'?",
    ),
    "wrong option": ("options.in_step", 1, "options.in_step: found 1, expected one of true, false"),
    "option below its least": (
        "options.coherency_distance",
        -1,
        "options.coherency_distance: found -1, expected a number of at least 0",
    ),
    "unknown mission": (
        "scenario.mission",
        "anihilation",
        "scenario.mission: there is no mission 'anihilation'; did you mean 'annihilation'?",
    ),
    "unknown size": ("scenario.size", "dual", "scenario.size: there is no size 'dual'; did you mean 'duel'?"),
    "wrong side": ("active", "green", "active: found 'green', expected one of 'red', 'blue'"),
    "unknown profile": (
        f"{R1}.profile",
        "troper",
        "sides.red.units[0].models[0].profile: there is no profile 'troper'; did you mean 'trooper'?",
    ),
    "two profiles": (
        f"{R1}.profile",
        "raider",
        "sides.red.units[0].models[0].profile: the models of R have several profiles: raider, trooper, "
        "expected one for all",
    ),
    "no profile": (
        "sides.blue.units.0.profile",
        None,
        "sides.blue.units[0].profile: missing: B has no profile, expected the name of one",
    ),
    "unknown weapon": (
        "profiles.trooper.weapons",
        ["rifel"],
        "profiles.trooper.weapons[0]: there is no weapon 'rifel'; did you mean 'rifle'?",
    ),
    "two units of one id": (
        "sides.blue.units.0.id",
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
        "scrub",
        "board.features[1].id: the piece 'scrub' is there twice, expected another id than board.features[0].id has",
    ),
    "overlapping bases": (
        f"{B1}.at",
        [10.5, 10],
        'sides.blue.units[0].models[0].at: B1 overlaps R1 by 0.4921", expected bases that touch at most',
    ),
    "off the table": (
        f"{B1}.at",
        [47.75, 10],
        'sides.blue.units[0].models[0].at: B1 is off the table by 0.25", '
        "expected a base wholly on the table of 48 x 48 inches",
    ),
    "far off the table": (
        f"{B1}.at",
        [1e300, 10],
        "sides.blue.units[0].models[0].at: B1 is far off the table, expected inches from the lower left corner",
    ),
    "in a wall": (
        f"{B1}.at",
        [27, 19.75],
        'sides.blue.units[0].models[0].at: B1 stands in block by 0.25", expected free ground',
    ),
    "deep in a wall": (
        f"{B1}.at",
        [27, 21],
        'sides.blue.units[0].models[0].at: B1 stands in block by 1.5", expected free ground',
    ),
    "hanging over a ledge": (
        "sides.blue.units.0.models",
        [{"id": "B1", "at": [12.25, 33], "surface": "ledge"}],
        'sides.blue.units[0].models[0].at: B1 hangs over the edge of ledge by 0.25", expected a base wholly on it',
    ),
    "unknown surface": (
        f"{B1}.surface",
        "legde",
        "sides.blue.units[0].models[0].at: B1 stands on 'legde', which is no surface; did you mean 'ledge'?",
    ),
    "not a number": (
        f"{B1}.at",
        [float("nan"), 1],
        "sides.blue.units[0].models[0].at: a number that is not finite, expected an ordinary number",
    ),
    "endless": (
        f"{B1}.bearing",
        float("inf"),
        "sides.blue.units[0].models[0].bearing: a number that is not finite, expected an ordinary number",
    ),
    "no point": (f"{B1}.at", [1], "sides.blue.units[0].models[0].at: found [1], expected two numbers [x, y]"),
    "negative base": (
        f"{B1}.base",
        {"radius": -0.5},
        "sides.blue.units[0].models[0].base.radius: found -0.5, expected a number, more than 0 and at most 20",
    ),
    "no base": (
        f"{B1}.base",
        {"round_mm": 0},
        "sides.blue.units[0].models[0].base.round_mm: found 0, expected a number, more than 0 and at most 1000",
    ),
    "base without size": (
        f"{B1}.base",
        {},
        "sides.blue.units[0].models[0].base: a base without size, expected either round_mm or radius",
    ),
    "unequal bases": (
        f"{R1}.base",
        {"radius": 1},
        "sides.red.units[0].models[1].base: a base of radius 0.492126 inches, expected 1 as for the rest of the unit",
    ),
    "crossing outline": (
        "board.features.1.shape",
        {"polygon": [[0, 0], [4, 4], [4, 0], [0, 4]]},
        "board.features[1].shape.polygon: the outline crosses itself or has no area, "
        "expected corners in order round the piece",
    ),
    "two corners": (
        "board.features.1.shape",
        {"polygon": [[0, 0], [4, 4]]},
        "board.features[1].shape.polygon: 2 corners, expected 3 to 500",
    ),
    "no outline": (
        "board.features.1.shape",
        {},
        "board.features[1].shape: no outline, expected either polygon or rect",
    ),
    "circle": (
        "board.features.1.shape",
        {"rect": [1, 1, 2, 2], "circle": 3},
        "board.features[1].shape.circle: there is no field 'circle'; known: polygon, rect",
    ),
    "flat ramp": (
        "board.features.3.ramp.head",
        [24, 33],
        "board.features[3].ramp.head: the same point as the foot, expected the point where the slope ends",
    ),
    "upside down": (
        "board.features.1.bottom",
        3,
        "board.features[1].height: found 3, expected more than the bottom, 3",
    ),
    "no board": (
        "board",
        None,
        f"board: missing, expected a board, or a table by name: {', '.join(catalogue.tables())}",
    ),
    "two boards": ("table", "quarry", "table: a table by name beside a board, expected one of the two"),
    "flat board": ("board.width", 0, "board.width: found 0, expected a number, more than 0 and at most 1000"),
    "no models": (
        "sides.blue.units.0.models",
        None,
        "sides.blue.units[0].models: missing: B has no models, expected models, a formation, or a reserve",
    ),
    "bad id": (
        f"{B1}.id",
        "B 1",
        "sides.blue.units[0].models[0].id: found 'B 1', expected letters, digits and _ ' . - only",
    ),
    "unknown restriction": (
        "sides.blue.units.0.restrictions",
        ["Shot"],
        "sides.blue.units[0].restrictions[0]: there is no restriction 'Shot'; did you mean 'Shoot'?",
    ),
    "turn nought": ("turn", 0, "turn: found 0, expected a whole number, at least 1"),
    "unknown command": (
        "commands.probe",
        {"like": "rum"},
        "commands.probe.like: there is no command 'rum'; did you mean 'run'?",
    ),
    "agenda is no list": ("agenda", "turn", "agenda: found 'turn', expected a list of objects"),
    "unknown frame": (
        "agenda",
        [{"kind": "exchanje"}],
        "agenda[0].kind: there is no kind of frame 'exchanje'; did you mean 'exchange'?",
    ),
    "unknown unit in a frame": (
        "agenda",
        [OUTER, {**INNER, "unit": "RR"}],
        "agenda[1].unit: there is no unit 'RR'; did you mean 'R'?",
    ),
    "unknown target in a frame": (
        "agenda",
        [OUTER, {**INNER, "targets": [["shoot", "BB"]]}],
        "agenda[1].targets[0][1]: there is no unit 'BB'; did you mean 'B'?",
    ),
    "unknown command in a frame": (
        "agenda",
        [OUTER, {**INNER, "command": "shot"}],
        "agenda[1].command: there is no command 'shot'; did you mean 'shoot'?",
    ),
    "unknown model in a frame": (
        "agenda",
        [OUTER, INNER, {"kind": "movement", "owner": "red", "unit": "R", "role": "command", "plan": [["R7", []]]}],
        "agenda[2].plan[0][0]: there is no model 'R7'; did you mean 'R2'?",
    ),
    "unknown weapon in a frame": (
        "agenda",
        [OUTER, INNER, {**SHOTS, "weapons": [["gun", 1]]}],
        "agenda[2].weapons[0][0]: there is no weapon of R 'gun'; known: rifle",
    ),
    "unknown step in a frame": (
        "agenda",
        [OUTER, {**INNER, "todo": ["losess"]}],
        "agenda[1].todo[0]: there is no step 'losess'; did you mean 'losses'?",
    ),
    "unknown side in a frame": (
        "agenda",
        [{**OUTER, "owner": "rde"}],
        "agenda[0].owner: there is no side 'rde'; did you mean 'red'?",
    ),
    "nobody in a frame": (
        "agenda",
        [OUTER, {key: value for key, value in INNER.items() if key != "owner"}],
        "agenda[1].owner: missing, expected one of 'red', 'blue'",
    ),
    "another side's turn": (
        "agenda",
        [{**OUTER, "owner": "blue"}],
        "active: found 'red', expected 'blue', as the agenda's turn says",
    ),
    "a frame outside an exchange": (
        "agenda",
        [OUTER, {"kind": "casualties", "owner": "red", "unit": "R", "count": 1, "shooter": "B"}],
        "agenda[1]: a frame 'casualties' outside an exchange, expected an exchange below it",
    ),
}


@pytest.mark.parametrize("name", FAULTY)
def test_a_fault_is_told_in_one_clear_line(name: str) -> None:
    path, value, line = FAULTY[name]
    assert told(put(small(), path, value)) == [line]


def test_a_dead_unit_that_is_asked_to_act_is_named() -> None:
    data = small()
    data["sides"]["red"]["units"].append({"id": "D", "profile": "trooper", "models": [], "lost": ["D1"]})
    data["agenda"] = [OUTER, INNER, {"kind": "movement", "owner": "red", "unit": "D", "role": "command"}]
    assert told(data) == ["agenda[2].unit: D has no models on the table, expected a unit that can still act"]


def test_a_turn_that_nobody_begins_is_named() -> None:
    data = small() | {"agenda": [{"kind": "turn"}]}
    assert RULESET.to_move(RULESET.from_data(data)) == "red"
    del data["active"]
    del data["scenario"]["first"]
    assert told(data) == ["agenda[0].owner: missing, expected one of 'red', 'blue'"]
    assert RULESET.to_move(RULESET.from_data(data | {"agenda": [{"kind": "turn"}, {"kind": "roll_off"}]})) == CHANCE


def test_an_agenda_of_another_version_is_refused() -> None:
    data = to_data(from_data(small()))
    data["ruleset"]["version"] = "0"
    assert told(data) == ["ruleset.version: an agenda of version 0, expected version 2, or no agenda"]
    del data["agenda"]
    assert from_data(data).agenda == (Turn(owner="red"),)


def test_everything_wrong_is_reported_at_once() -> None:
    data = small()
    changes: list[tuple[str, Any]] = [
        ("options.coherency", 2),
        (f"{R1}.at", [10, "ten"]),
        (f"{B1}.at", [0, 0]),
        ("board.features.0.shape", {"polygon": [[0, 0], [1, 1]]}),
        ("profiles.raider.move", "6"),
        ("turn", "one"),
        ("agenda", [{"kind": "trun"}]),
    ]
    for path, value in changes:
        data = put(data, path, value)
    wheres = {line.split(": ")[0] for line in told(data)}
    assert wheres == {
        "options.coherency",
        "sides.red.units[0].models[0].at",
        "board.features[0].shape.polygon",
        "profiles.raider.move",
        "turn",
        "agenda[0].kind",
    }
    sound = put(data, "board.features.0.shape", {"rect": [16, 8, 20, 12]})
    assert any("B1 is off the table" in line for line in told(sound))


def answer(data: Data) -> str:
    """What comes of a battle: who is to move, or what is wrong with it."""
    try:
        return RULESET.to_move(RULESET.from_data(data))
    except BadInput as error:
        return str(error)


@pytest.mark.parametrize("value", [None, -3, "R", True, [], {"a": 1}, -1e308])
def test_a_value_that_does_not_belong_somewhere_never_ends_in_a_defect(value: Any) -> None:
    base = to_data(middle())
    answers = {path: answer(put(base, path, value)) for path in paths_of(base)}
    assert all(answers.values())
    assert "expected" in answers["board.width"] or value is None


def paths_of(data: Any, before: str = "") -> list[str]:
    """The path of every field, profiles, options and commands but for the first of each left out."""
    rows = list(data.items()) if isinstance(data, dict) else list(enumerate(data)) if isinstance(data, list) else []
    if before.rstrip(".") in ("profiles", "options", "commands"):
        rows = rows[:1]
    return [found for key, one in rows for found in (f"{before}{key}", *paths_of(one, f"{before}{key}."))]


# ---- schema ----------------------------------------------------------------------------------------------------------


def test_the_schema_names_every_field_and_frame() -> None:
    published = schema()
    assert set(published) == {"battle", "action", "case", "record"}
    battle = published["battle"]
    assert {"ruleset", "options", "scenario", "board", "sides", "agenda"} <= set(battle["properties"])
    assert battle["additionalProperties"] is False
    frames = battle["properties"]["agenda"]["anyOf"][0]["items"]["anyOf"]
    assert {frame["properties"]["kind"]["const"] for frame in frames} == set(FRAMES)
    assert battle["$defs"]["BaseForm"]["properties"]["radius"]["anyOf"][0]["exclusiveMinimum"] == 0
    assert set(battle["$defs"]["Bend"]["properties"]) == {"arc", "to", "turn"}
    assert json.loads(json.dumps(published)) == published


def test_the_schema_and_the_reader_agree_about_sound_files() -> None:
    reader = TypeAdapter(BattleForm)
    for data in (small(), to_data(middle()), to_data(RULESET.start(Scenario(size="skirmish")))):
        assert isinstance(reader.validate_python(data), BattleForm)
        assert isinstance(from_data(data), VoidState)
    for path in ("board.width", "turn", f"{R1}.at", "profiles.trooper.move", "options", "sides.red.units"):
        with pytest.raises(ValidationError):
            reader.validate_python(put(small(), path, "wrong"))


def test_every_reference_of_the_schema_has_its_definition() -> None:
    for part in schema().values():
        text = json.dumps(part)
        names = {piece.split('"')[0] for piece in text.split("#/$defs/")[1:]}
        assert names <= set(part.get("$defs", {}))


def test_special_rules_that_nobody_can_have_are_refused_by_name() -> None:
    data = put(
        small(), "profiles.odd", {"move": 6, "target_lock": 3, "resolve": 3, "rules": ["horde", "drug", "toxic"]}
    )
    assert told(data) == [
        "profiles.odd.rules[1]: there is no special rule 'drug'; did you mean 'drag'?",
        "profiles.odd.rules[2]: special rule 'toxic' is out of scope [VS-SR-01]; known: horde, drag",
    ]


def test_a_drag_that_names_nobody_known_is_refused() -> None:
    state = middle()
    frame = Drag(owner="blue", unit="B", target="R", pulled="R9")
    data = to_data(replace(state, agenda=(*state.agenda[:-1], frame)))
    assert told(data) == ["agenda[2].pulled: there is no model 'R9'; did you mean 'R2'?"]
