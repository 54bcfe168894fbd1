"""Orders in words: every form, what is wrong with bad ones, and actions that read back equal from their words."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from math import hypot

import pytest
from tactician import orders
from tactician.orders import Order, OrderError, Request
from tactician.rules.core.action import Action, Mark
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.choice import Declare
from tactician.rules.core.legs import Bend, Climb, Drop, Pose, Straight
from tactician.rules.core.notation import action_to_text
from tactician.rules.core.ruleset import Scenario, load_ruleset
from tactician.rules.core.state import State

RULES = load_ruleset("voidsiege")


@cache
def start(size: str = "skirmish", *, deployed: bool = True) -> State:
    return RULES.start(Scenario(size=size, deployed=deployed, first="red"))


def placed(state: State, **places: tuple[float, float]) -> State:
    """The moment with models stood elsewhere."""
    for name, (x, y) in places.items():
        unit = state.owner(name)
        state = state.with_unit(unit.moved({name: Pose(x, y)}))
    return state


def alone(state: State, unit: str, model: str) -> State:
    """The moment with only one model of a unit left."""
    whole = state.unit(unit)
    return state.with_unit(whole.without(tuple(one.id for one in whole.models if one.id != model)))


def only(state: State, text: str) -> Action:
    (action,) = orders.read(RULES, state, text).actions
    return action


def where_to_go(state: State) -> State:
    """A moment at which R1 has been told to move, and is asked where."""
    return RULES.apply(state, Action(verb="move", unit="R1"))


def shifted(state: State, unit: str, dx: float, dy: float) -> dict[str, tuple[Straight, ...]]:
    return {m.id: (Straight((m.pose.x + dx, m.pose.y + dy)),) for m in state.unit(unit).models}


# ---- ways ------------------------------------------------------------------------------------------------------------


def test_a_formation_goes_as_it_stands_with_its_centre_to_the_point() -> None:
    state = start()
    action = only(state, "n-force move to 18,8")
    assert (action.verb, action.unit) == ("move", "R1")
    assert dict(action.paths) == shifted(state, "R1", 0.0, 3.5)
    assert not RULES.check(state, action)


@pytest.mark.parametrize(
    "text",
    [
        "R1 move to 18,8",
        "r1 MOVE to (18, 8)",
        'n move to 18.0,8.00"'.replace('"', ""),
        "N-Force move by 0,3.5",
        "r1c move 3.5 toward 18,20",
        'R1 move 3.5" towards B1',
        "R1 move along 18,8",
        "r1 to 18,8",
    ],
)
def test_ways_to_say_one_move(text: str) -> None:
    state = start()
    moment = where_to_go(state) if text.startswith("r1 to") else state
    paths = only(moment, text).paths
    assert paths == only(moment, "R1 move to 18,8" if moment is state else "to 18,8").paths


def test_a_distance_toward_a_unit_a_model_or_a_point_never_goes_past_it() -> None:
    state = alone(placed(start(), R1a=(6.0, 6.0)), "R1", "R1a")
    assert only(state, "R1 advance 4 toward 6,30").paths == (("R1a", (Straight((6.0, 10.0)),)),)
    assert only(state, "R1 run 9 toward 6,8").paths == (("R1a", (Straight((6.0, 8.0)),)),)
    near = placed(state, B3a=(6.0, 20.0))
    assert only(near, "R1 move 2 toward walker").paths == (("R1a", (Straight((6.0, 8.0)),)),)
    assert only(near, "R1 move 2 toward b3a").paths == (("R1a", (Straight((6.0, 8.0)),)),)


def test_a_way_along_points_with_climbs_and_drops() -> None:
    state = alone(placed(start(), R1a=(3.0, 11.0)), "R1", "R1a")
    action = only(state, "n-force run along 3,11.5 climb low-wall-3 3,12.5 3,13.5 drop ground 3,14")
    way = (
        Straight((3.0, 11.5)),
        Climb("low-wall-3"),
        Straight((3.0, 12.5)),
        Straight((3.0, 13.5)),
        Drop("ground"),
        Straight((3.0, 14.0)),
    )
    assert action.paths == (("R1a", way),)
    assert not RULES.check(state, action)
    assert only(state, orders.words(RULES, state, action)) == action


def test_arcs_and_parts_of_a_climb_can_be_said() -> None:
    state = placed(start(), R3a=(3.0, 11.0))
    action = only(state, "R3 move along arc left 3,12 to 4,12 climb low-wall-3 part 0.5")
    assert action.paths[0][1] == (Bend((3.0, 12.0), (4.0, 12.0), "left"), Climb("low-wall-3", 0.5))
    assert only(state, orders.words(RULES, state, action)) == action


def test_single_models_follow_after_semicolons() -> None:
    state = start()
    action = only(state, "R1 move to 18,8; r1c to 18,7.5; R1e stay")
    wanted = shifted(state, "R1", 0.0, 3.5)
    del wanted["R1e"]
    wanted["R1c"] = (Straight((18.0, 7.5)),)
    assert dict(action.paths) == wanted
    assert dict(only(state, "R1 move; R1b to 16.5,6").paths) == {"R1b": (Straight((16.5, 6.0)),)}
    assert only(state, "R1 move; R1a by 0,1; order R1a").order == ("R1a",)


def test_a_unit_may_be_commanded_before_its_way_is_known() -> None:
    state = start()
    assert only(state, "R1 move") == Action(verb="move", unit="R1")


@pytest.mark.parametrize("text", ["to 18,8", "R1 to 18,8", "go to 18,8", "R1 move to 18,8", "n-force run to 18,8"])
def test_where_only_the_way_is_asked_for_the_same_words_answer(text: str) -> None:
    moment = where_to_go(start())
    assert only(moment, text) == Action(verb="go", unit="R1", paths=tuple(shifted(moment, "R1", 0.0, 3.5).items()))


def test_standing_still_and_moving_one_model_answer_where_to_go() -> None:
    moment = where_to_go(start())
    for text in ("stay", "R1 stay", "go stay", "n-force stays"):
        assert only(moment, text) == Action(verb="go", unit="R1")
    assert only(moment, "r1e to 21,5").paths == (("R1e", (Straight((21.0, 5.0)),)),)
    assert only(moment, "go; R1e to 21,5; R1d to 19.5,5").paths[0][0] == "R1e"


# ---- targets ---------------------------------------------------------------------------------------------------------


def test_targets_with_their_roles() -> None:
    state = start()
    action = only(state, "R1 advance to 18,8 shoot troopers")
    assert action.targets == (("shoot", "B1"),)
    assert dict(action.paths) == shifted(state, "R1", 0.0, 3.5)
    assert only(state, "R1 advance 3.5 toward 18,20 and shoot at B1a") == action
    assert only(state, "R1 advance B1").targets == (("shoot", "B1"),)
    near = placed(state, B3a=(15.7, 9.7))
    assert only(near, "R1 shoot walker") == Action(verb="shoot", unit="R1", targets=(("shoot", "B3"),))
    assert only(near, "R1 shoot").targets == (("shoot", "B3"),)


def test_an_assault_on_a_unit_runs_straight_into_contact_and_shoots() -> None:
    state = placed(start(), B3a=(21.0, 13.0))
    for text in ("spider assault B3", "R3 charge walker with assault"):
        action = only(state, text)
        assert action.target("charge") == "B3"
        assert not RULES.check(state, action)
        ((_, (leg,)),) = action.paths
        assert isinstance(leg, Straight)
        assert hypot(leg.to[0] - 21.0, leg.to[1] - 13.0) == pytest.approx(1.75)
    assert only(state, "R3 charge B3 with move").verb == "move"


def test_an_assault_goes_round_what_stands_in_the_way() -> None:
    state = placed(start(), R3a=(18.0, 10.0), B3a=(18.0, 15.5))
    action = only(state, "spider assault walker")
    assert len(action.paths[0][1]) > 1
    assert not RULES.check(state, action)
    last = action.paths[0][1][-1]
    assert isinstance(last, Straight)
    assert hypot(last.to[0] - 18.0, last.to[1] - 15.5) == pytest.approx(1.75, abs=1e-3)


def test_a_whole_formation_charges_into_contact() -> None:
    state = placed(start(), B3a=(18.0, 10.0))
    action = only(state, "N-Force charge B3 with move")
    assert len(action.paths) == 5
    assert not RULES.check(state, action)


def test_a_charge_may_leave_its_way_open() -> None:
    state = placed(start(), B3a=(21.0, 13.0))
    action = only(state, "R3 assault charge B3")
    assert action == Action(verb="assault", unit="R3", targets=(("charge", "B3"),))
    assert orders.words(RULES, state, action) == "R3 assault charge B3"


def test_a_charge_out_of_reach_is_refused_with_numbers_and_shortened_toward_its_target() -> None:
    state = start()
    action = only(state, "spider assault B3")
    (broken,) = RULES.check(state, action)
    assert broken.clause == "VS-CH-02"
    assert broken.measured is not None
    assert broken.limit == 17.0
    near = orders.nearest_order(RULES, state, action)
    assert near is not None
    assert not RULES.check(state, near)
    assert near.paths
    assert near.target("charge") is None


# ---- answers and other orders --------------------------------------------------------------------------------------


def test_answers_to_an_order() -> None:
    state = placed(start(), B1c=(18.0, 20.0))
    asked = RULES.apply(state, Action(verb="run", unit="R1"))
    assert RULES.to_move(asked) == "blue"
    snap = Action(verb="snap_fire", unit="B1", targets=(("shoot", "R1"),))
    for text in ("B1 snap fire at R1", "troopers snap R1", "b1 snap_fire", "B1 snap fire"):
        assert only(asked, text) == snap
    assert only(asked, "pass") == Action(verb="pass")
    shot = RULES.apply(state, Action(verb="shoot", unit="R1", targets=(("shoot", "B1"),)))
    assert only(shot, "defend") == Action(verb="defend", unit="B1")
    assert only(shot, "ditch to 18,31").verb == "ditch"
    assert len(only(shot, "B1 ditch to 18,31").paths) == 5


def test_one_who_alone_can_need_not_be_named() -> None:
    state = RULES.apply(placed(start("duel"), B1c=(12.0, 18.0)), Action(verb="run", unit="R1"))
    assert only(state, "snap R1") == Action(verb="snap_fire", unit="B1", targets=(("shoot", "R1"),))
    assert only(start("duel"), "move to 12,5").unit == "R1"


def test_dividing_and_joining() -> None:
    state = start("duel")
    split = only(state, "R1 split R1a, R1b")
    assert split == Action(verb="split", unit="R1", models=("R1a", "R1b"))
    two = orders.read(RULES, state, "split r1a r1b then R1.b move to 9.75,4").actions
    assert [one.unit for one in two] == ["R1", "R1.b"]
    state = RULES.apply(state, split)
    state = RULES.apply(state, only(state, "R1.b move by 0,1"))
    while RULES.to_move(state) == "blue":
        state = RULES.apply(state, Action(verb="pass"))
    for text in ("combine with R1", "R1.b combine R1", "join R1"):
        assert only(state, text) == Action(verb="combine", unit="R1.b", targets=(("join", "R1"),))


def test_putting_down_in_ranks_and_one_by_one() -> None:
    state = start("duel", deployed=False)
    action = only(state, "deploy at 10,4")
    assert [pose.point for _, pose in action.places] == [(7.0, 4.0), (8.5, 4.0), (10.0, 4.0), (11.5, 4.0), (13.0, 4.0)]
    assert not RULES.check(state, action)
    deep = only(state, "N-Force deploy at 10,4 files 2; R1e at 10,2")
    assert dict(deep.places)["R1e"] == Pose(10.0, 2.0)
    assert dict(deep.places)["R1a"] == Pose(9.25, 5.5)
    assert not RULES.check(state, only(state, "deploy"))
    assert only(state, "at 10,4") == action
    turned = only(state, "deploy at 10,4; R1e at 10,2 facing 90").places[-1][1]
    assert turned.bearing == 90.0
    lone = only(state, "R1 deploy; R1a at 3,3").places
    assert lone == (("R1a", Pose(3.0, 3.0)),)


def test_taking_models_off() -> None:
    state = placed(start("duel"), B1c=(12.0, 12.0))
    state = RULES.apply(state, Action(verb="shoot", unit="R1", targets=(("shoot", "B1"),)))
    state = RULES.apply(state, Action(verb="pass")) if RULES.to_move(state) == "blue" else state
    while RULES.to_move(state) == CHANCE:
        roll = RULES.pending(state)
        state = RULES.resolve(state, (2, 0) if roll.kind == "faces" else roll.support()[0][0])
    assert only(state, "remove b1a b1c") == Action(verb="remove", unit="B1", models=("B1a", "B1c"))
    assert len(only(state, "troopers remove").models) == 2


def test_lossless_lines_are_orders_too() -> None:
    state = start()
    lines = {
        "R1 move R1a: 15,5 climb low-wall-3; R1b: 16.5,5": 2,
        "R1 advance shoot=B1 R1a: 15,5": 1,
        "R1 deploy R1a @ 10,4": 0,
    }
    for text, paths in lines.items():
        action = only(state, text)
        assert action_to_text(action) == text
        assert len(action.paths) == paths
    marked = only(state, "R1 shoot mark R1a at 5.5")
    assert marked.mark == Mark(model="R1a", inches=5.5)
    assert orders.words(RULES, state, marked) == "R1 shoot mark R1a at 5.5"


# ---- requests --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "request_"),
    [
        ("?", Request(what="suggest")),
        (" 3 ", Request(what="take", argument="3")),
        ("UNDO", Request(what="undo")),
        ("save my battle.json", Request(what="save", argument="my battle.json")),
        ("picture t.svg", Request(what="picture", argument="t.svg")),
        ("why A3 to 17.5,10", Request(what="why", argument="A3 to 17.5,10")),
        ("why 2", Request(what="why", argument="2")),
        ("concede", Request(what="concede")),
        ("quit", Request(what="quit")),
        ("help", Request(what="help")),
        ("y", Request(what="yes")),
        ("orders", Request(what="orders")),
    ],
)
def test_requests(text: str, request_: Request) -> None:
    assert orders.read_line(RULES, start(), text) == request_


def test_a_line_that_is_no_request_is_an_order() -> None:
    read = orders.read_line(RULES, start(), "R1 move to 18,8")
    assert isinstance(read, Order)
    assert read.text == "R1 move to 18,8"


def test_a_way_without_a_verb_is_asked_about_under_every_command() -> None:
    state = start()
    asked = orders.read_each(RULES, state, "R1b to 17.5,10")
    assert [action.verb for action in asked] == ["move", "run", "advance", "assault", "ditch", "overrun"]
    assert all(action.paths == (("R1b", (Straight((17.5, 10.0)),)),) for action in asked)
    whole = orders.read_each(RULES, state, "n-force to 18,8")
    assert len(whole[0].paths) == 5
    with pytest.raises(OrderError, match="no unit"):
        orders.read_each(RULES, state, "nobody to 3,3")


# ---- what is not understood ------------------------------------------------------------------------------------------

BAD = [
    ("", "an empty order; expected one of move, run"),
    ("dance", r"column 1: 'dance' is no unit and no order; expected a unit and one of"),
    ("mvoe to 3,3", "did you mean 'move'"),
    ("R1", "column 3: the order ends; expected one of move"),
    ("R1 flyy to 3,3", "column 4: 'flyy' is not understood"),
    ("R1 advanc to 3,3", "did you mean 'advance'"),
    ("R1 move to", "column 11: the order ends; expected a point x,y to go to"),
    ("R1 move to 3", "column 12: '3' is not understood; expected a point x,y"),
    ("R1 move too 3,3", "column 9: 'too' is not understood after 'move'.*did you mean 'to'"),
    ("R1 move 3 toward", "column 17: the order ends; expected a unit, a model or a point"),
    ("R1 move 3 toward Trooperz", "there is no unit 'Trooperz'; did you mean 'troopers'"),
    ("R1 move -3 toward B1", "a distance of -3; expected 0 or more"),
    ("R1 move along", "the order ends; expected a point x,y, 'climb' or 'drop'"),
    ("R1 move along 3,3 climb moon", "there is no surface 'moon'; expected one of ground"),
    ("R1 move along 3,3 climb ledge", "'ledge' can be ledge-1 or ledge-2"),
    ("R1 move along 3,3 climb ledge-9", "did you mean 'ledge-2'"),
    ("R1 move along arc up 3,3 to 4,4", "column 19: 'up' is not understood; expected 'left' or 'right'"),
    ("R1 move to 3,3 to 4,4", "expected one way only"),
    ("R1 move to 3,3; X9 to 4,4", "column 17: there is no model 'X9' here; known: R1a"),
    ("R1 move; R1a", "expected 'to' x,y, 'along' points"),
    ("R1 move; R1a into B1", "'into' is not understood; expected 'to' x,y"),
    ("R1 move; 3,3", "expected a model and its place"),
    ("R1 move to 3,3 §", "column 16: '§' is not understood"),
    ("R1 move to 1e9,3", "'1e9,3' lies off every table"),
    ("R1 move to 3,3 sideways", "'sideways' is not understood after 'move'"),
    ("R1 move stay", "'stay' answers the question where a unit goes"),
    ("R1 shoot B9", "'B9' is not understood after 'shoot'"),
    ("R1 to 3,3", "R1 is told where to go, but not by which order; expected one of move"),
    ("R1b to 3,3", "R1b, a model of R1, is told where to go"),
    ("R1 wheel left 30", "column 4: 'wheel' moves regiments in ranks and files, and VoidSiege has none"),
    ("forward 2.4", "column 1: 'forward' moves regiments"),
    ("move to 3,3", "who is to move.*expected a unit first: R1 or R2 or R3"),
    ("R3 charge B3", "expected 'with' and a command"),
    ("R3 charge B3 with hats", "'hats' is not understood; expected 'with' and a command"),
    ("R3 charge Q", "there is no unit 'Q'"),
    ("R1 move R1a: 3,3 climb", "expected a surface"),
    ("R1 fly R1a: 3,3", "there is no verb 'fly'"),
    ("save", "'save' needs more; expected a file"),
    ("why", "'why' needs more"),
    ("R1 move; order R1x", "there is no model 'R1x' here"),
    ("x" * 30_000, "a line of 30000 characters"),
]


@pytest.mark.parametrize(("text", "message"), BAD, ids=[text[:24] or "empty" for text, _ in BAD])
def test_bad_orders_say_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(OrderError, match=message):
        orders.read_line(RULES, start(), text)


def test_names_that_could_be_several_ask_for_an_id() -> None:
    state = RULES.apply(start("duel"), Action(verb="split", unit="R1", models=("R1a", "R1b")))
    with pytest.raises(OrderError, match=r"'n-force' can be R1 \(N-Force\) or R1.b \(N-Force\); expected one unit"):
        orders.read(RULES, state, "n-force move to 9,9")


def test_a_target_in_several_roles_must_say_which() -> None:
    state = placed(start(), B3a=(18.0, 10.0))
    with pytest.raises(OrderError, match=r"advance B3: what for\?.*'charge B3' or 'shoot B3'"):
        orders.read(RULES, state, "R1 advance B3")


def test_then_waits_for_nobody_else() -> None:
    with pytest.raises(OrderError, match="'then' comes too early"):
        orders.read(RULES, start("duel"), "R1 run then R1 move")
    illegal = orders.read(RULES, start("duel"), "R1 move to 12,20 then R1 move to 3,3").actions
    assert len(illegal) == 1


def test_nothing_is_read_while_dice_are_awaited_or_after_the_end() -> None:
    state = RULES.start(Scenario(size="duel"))
    assert RULES.to_move(state) == CHANCE
    with pytest.raises(OrderError, match="dice must fall first; expected roll 1D6"):
        orders.read(RULES, state, "R1 move")
    with pytest.raises(OrderError, match="the game is over"):
        orders.read(RULES, replace(state, agenda=()), "R1 move")


def test_an_order_to_somebody_elses_unit_is_understood_and_refused() -> None:
    state = start()
    (broken,) = RULES.check(state, only(state, "troopers move to 18,28"))
    assert "B1 belongs to blue" in broken.text


# ---- words -----------------------------------------------------------------------------------------------------------


def legal_actions(count: int, size: str) -> list[tuple[State, Action]]:
    """Sampled legal actions of random games, ways announced with commands included."""
    found: list[tuple[State, Action]] = []
    for seed in range(1000):
        rng = random.Random(seed)
        state = RULES.start(Scenario(size=size, mission=("annihilation", "all-out-war", "the-wall")[seed % 3]))
        for _ in range(40):
            mover = RULES.to_move(state)
            if mover == TERMINAL:
                break
            if mover == CHANCE:
                state = RULES.resolve(state, RULES.pending(state).sample(rng))
                continue
            choice = rng.choice(RULES.choices(state))
            action = choice.sample(state, rng.random)
            if isinstance(choice.domain, Declare) and choice.domain.kind_for(action) is not None and rng.random() < 0.5:
                dx, dy = rng.uniform(-6, 6), rng.uniform(-6, 6)
                paths = tuple(shifted(state, choice.unit, dx, dy).items())
                action = choice.clip(state, replace(action, paths=paths))
            assert not RULES.check(state, action)
            found.append((state, action))
            if len(found) == count:
                return found
            state = RULES.apply(state, action)
    raise AssertionError("too few actions")


@pytest.mark.parametrize(("size", "count"), [("duel", 140), ("skirmish", 70)])
def test_words_read_back_equal(size: str, count: int) -> None:
    lossless = 0
    for state, action in legal_actions(count, size):
        text = orders.words(RULES, state, action)
        assert orders.read(RULES, state, text).actions == (action,), text
        lossless += any(sign in text for sign in ":=@")
    assert lossless == 0


def test_words_of_a_formation_are_short() -> None:
    state = start()
    for text in ("R1 move to 18,8", "R2 run to 14,5.5", "R1 advance to 18,8.25 shoot B1", "R2 split R2a R2b"):
        assert orders.words(RULES, state, only(state, text)) == text
    assert orders.words(RULES, where_to_go(state), Action(verb="go", unit="R1")) == "R1 stay"
    assert orders.plain(state, only(state, "R1 advance to 18,8.25 shoot B1")) == (
        "R1 (N-Force) advance to 18,8.25 as it stands shoot B1"
    )


def test_words_of_what_no_words_can_say_are_lossless() -> None:
    state = start()
    action = Action(verb="move", unit="R1", paths=(("R1a", ()),))
    assert orders.words(RULES, state, action) == action_to_text(action)
    assert orders.plain(state, Action(verb="pass")) == "pass"


# ---- the nearest legal order -----------------------------------------------------------------------------------------


def test_the_nearest_legal_order_keeps_what_is_legal() -> None:
    state = start()
    far = orders.nearest_order(RULES, state, only(state, "R1 advance to 18,20 shoot B1"))
    assert far is not None
    assert far.targets == (("shoot", "B1"),)
    assert not RULES.check(state, far)
    assert max(leg.to[1] for _, path in far.paths for leg in path if isinstance(leg, Straight)) > 10.0


def test_what_cannot_be_ordered_at_all_has_no_nearest() -> None:
    state = start()
    assert orders.nearest_order(RULES, state, only(state, "R1 defend")) is None
    assert orders.nearest_order(RULES, state, only(state, "R1 move to 18,8")) is None


WORDS = """R1 B1 R1a b1c n-force troopers move run assault shoot snap charge with to by along toward into stay at 3,3
12,20 4 -2 1e5,2 ; then order climb drop ground part 0.5 arc left files join split pass : = @ " , ? ( the R1.b 9e999"""


def test_any_line_is_read_or_refused_with_a_message() -> None:
    rng = random.Random(4)
    read = 0
    for state in (start("duel"), where_to_go(start("duel")), start("duel", deployed=False)):
        for _ in range(250):
            text = rng.choice(["R1 ", "", "R1 move ", "n-force go "]) + " ".join(
                rng.choices(WORDS.split(), k=rng.randint(1, 6))
            )
            try:
                given = orders.read_line(RULES, state, text)
            except OrderError:
                continue
            assert isinstance(given, Order | Request)
            if isinstance(given, Order):
                read += 1
                near = orders.nearest_order(RULES, state, given.actions[0])
                assert near is None or not RULES.check(state, near)
    assert read > 10
