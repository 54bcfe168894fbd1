"""Facts by path, and the picture of a moment."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tactician.rules.core.drawing import Area, Circle, Label, Line
from tactician.rules.wh40k2e.facts import MODEL_FACTS, UNIT_FACTS, fact
from tactician.rules.wh40k2e.files import from_data
from tactician.rules.wh40k2e.picture import picture
from tactician.rules.wh40k2e.state import Deploy, FirstTurn, SquadState, Turn


def moment(**red: Any) -> SquadState:
    """Two marines facing a boy across four inches, a captain further off; one boy fallen."""
    marines = {
        "id": "A",
        "profile": "marine",
        "models": [{"id": "A1", "at": [10, 10]}, {"id": "A2", "at": [12, 10], "bearing": 90}],
        **red,
    }
    captain = {"id": "C", "profile": "captain", "models": [{"id": "C1", "at": [20, 4], "wounds": 1}]}
    boys = {"id": "B.b", "profile": "boy", "models": [{"id": "B1", "at": [10, 15]}], "lost": ["B2"]}
    board = {
        "width": 36,
        "height": 36,
        "features": [
            {"id": "wall", "kind": "wall", "shape": {"line": [20, 20, 30, 20]}},
            {"id": "hill", "kind": "hill", "shape": {"rect": [2, 20, 8, 26]}},
            {"id": "bog", "kind": "marsh", "shape": {"rect": [10, 25, 15, 30]}},
        ],
    }
    return from_data(
        {
            "board": board,
            "sides": {"red": {"units": [marines, captain], "rating": 5}, "blue": {"units": [boys]}},
            "phase": "normal",
        }
    )


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("round", 1.0),
        ("first", "red"),
        ("turn", "red"),
        ("phase", "normal"),
        ("frame", "turn"),
        ("owner", "red"),
        ("todo", ""),
        ("ended", ""),
        ("units", 3.0),
        ("points.red", 0.0),
        ("models.A1.x", 10.0),
        ("models.A2.bearing", 90.0),
        ("models.A1.stands", True),
        ("models.B2.stands", False),
        ("models.A1.engaged", False),
        ("models.A1.unit", "A"),
        ("models.C1.wounds", 1.0),
        ("models.A1.weapons", "boltgun bolt-pistol frag-grenade"),
        ("units.A.models", 2.0),
        ("units.B.b.lost", 1.0),
        ("units.B.b.mustered", 2.0),
        ("units.A.gap.B.b", 4.0),
        ("units.A.pieces", 1.0),
        ("units.A.cost", 60.0),
        ("units.C.hurt", 1.0),
        ("units.A.rules", "rapid_fire shaken"),
        ("charge.A1", ""),
    ],
)
def test_facts_by_path(path: str, value: float | str | bool) -> None:
    assert fact(moment(), path) == value


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("units.A.overwatch", True),
        ("units.A.hidden", True),
        ("units.A.spotted", True),
        ("units.A.spotters", "B.b"),
        ("units.A.moved", "ran"),
        ("units.A.walked.A1", 7.5),
        ("units.A.walked.A2", 0.0),
        ("units.A.charge", "A1:B1"),
        ("charge.A1", "B1"),
        ("units.A.jams", "A2"),
        ("units.A.failed", "A1 A2"),
        ("units.A.broken", True),
        ("units.A.vp", 1.0),
        ("points.blue", 1.0),
    ],
)
def test_facts_of_status(path: str, value: float | str | bool) -> None:
    state = moment(
        overwatch=True,
        hidden=True,
        spotters=["B.b"],
        went="ran",
        walked={"A1": 7.5},
        charge={"A1": "B1"},
        jams={"A2": 1},
        failed=["A1", "A2"],
        broken=True,
    )
    assert fact(state, path) == value


def test_every_fact_of_units_and_models_has_a_value() -> None:
    state = moment()
    for name in UNIT_FACTS:
        assert isinstance(fact(state, f"units.A.{name}"), float | str | bool), name
    for name in MODEL_FACTS:
        assert isinstance(fact(state, f"models.A1.{name}"), float | str | bool), name


def test_what_is_needed_to_hit() -> None:
    """Skill 4 needs 3, a boltgun is one better at short range, a pistol two and never better than 2."""
    state = moment()
    assert fact(state, "need.A1.B.b") == 2.0
    assert fact(state, "need.A1.B.b.bolt-pistol") == 2.0
    with pytest.raises(LookupError, match="A1 cannot shoot with lascannon"):
        fact(state, "need.A1.B.b.lascannon")


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("rond", "there is no fact 'rond'; did you mean 'round'"),
        ("units.Q.models", "there is no unit 'Q'"),
        ("units.A.brokn", "a unit has no fact 'brokn'; did you mean 'broken'"),
        ("models.A9.x", "no model 'A9' is on the table"),
        ("models.A1.z", "a model has no fact 'z'"),
        ("charge.A9", "no model 'A9' is on the table"),
        ("points.green", "there is no fact 'points.green'"),
    ],
)
def test_unknown_facts_name_the_nearest(path: str, message: str) -> None:
    with pytest.raises(LookupError, match=message):
        fact(moment(), path)


def test_what_is_rolled_and_how_likely() -> None:
    state = replace(moment(), agenda=(Turn(), FirstTurn()), first="")
    assert fact(state, "to_move") == "chance"
    assert fact(state, "rolling") == fact(state, "roll.why") == "first turn: red's die and strategy rating"
    assert (fact(state, "roll.kind"), fact(state, "roll.dice")) == ("total", 1.0)
    assert fact(state, "odds.is.6") == pytest.approx(1 / 6)
    assert fact(state, "odds.at_least.9") == pytest.approx(3 / 6)
    assert fact(state, "odds.at_most.6") == pytest.approx(1 / 6)
    assert fact(state, "odds.mean") == pytest.approx(8.5)
    assert fact(state, "offers.deploy") is False
    with pytest.raises(LookupError, match=r"has no odds\.soon"):
        fact(state, "odds.soon")


def test_what_is_offered() -> None:
    state = moment()
    waiting = replace(state.unit("A"), models=(), reserve=("A1", "A2"))
    state = replace(state.with_unit(waiting), agenda=(Turn(), Deploy(owner="red")))
    assert fact(state, "to_move") == "red"
    assert fact(state, "rolling") == ""
    assert fact(state, "offers.deploy") is True
    assert fact(state, "offers.deploy.A") is True
    assert fact(state, "offers.deploy.C") is False
    with pytest.raises(LookupError, match=r"no dice are to fall, so there is no odds\.mean"):
        fact(state, "odds.mean")


# ---- the picture -----------------------------------------------------------------------------------------------------


def test_the_picture_shows_terrain_bases_and_status() -> None:
    drawing = picture(moment(overwatch=True, hidden=True))
    bases = [one for one in drawing.shapes if isinstance(one, Circle) and one.role == "base"]
    assert {(one.name, one.bearing) for one in bases} == {("A1", 0.0), ("A2", 90.0), ("B1", 0.0), ("C1", 0.0)}
    areas = {one.name: one.role for one in drawing.shapes if isinstance(one, Area)}
    assert areas == {"wall": "obstacle", "hill": "hill", "bog": "slow ground"}
    texts = {one.text for one in drawing.shapes if isinstance(one, Label)}
    assert {"A Space Marine [overwatch, hidden]", "wall, 1.5 high, hard cover", "hill, rises 2"} <= texts
    assert "marsh, 2 inches an inch" in texts
    roles = [one.role for one in drawing.shapes if isinstance(one, Line)]
    assert roles.count("coherency") == 1
    assert roles.count("overwatch") == 4
    assert drawing.title.endswith("turn 1 of 4, red: normal")
    assert drawing.caption == ("victory points: red 0, blue 0",)


def test_watchers_look_to_both_edges_of_their_front_quarter() -> None:
    lines = [one for one in picture(moment(overwatch=True)).shapes if isinstance(one, Line) and one.role == "overwatch"]
    (x0, y0), (x1, y1) = lines[0].points
    assert (x0, y0) == pytest.approx((10 - 0.5 * 0.5**0.5, 10 + 0.5 * 0.5**0.5))
    assert (x1, y1) == pytest.approx((10 - 1.5 * 0.5**0.5, 10 + 1.5 * 0.5**0.5))


def test_fighters_are_joined_and_the_detected_are_named() -> None:
    state = moment(hidden=True, spotters=["B.b"])
    foe = state.unit("B.b")
    at = replace(foe.models[0], pose=replace_pose(state, 10.0, 11.0))
    drawing = picture(state.with_unit(replace(foe, models=(at,))))
    fights = [one for one in drawing.shapes if isinstance(one, Line) and one.role == "hand-to-hand"]
    assert [one.points for one in fights] == [((10.0, 10.0), (10.0, 11.0))]
    assert any(isinstance(one, Label) and one.text.endswith("[detected]") for one in drawing.shapes)


def replace_pose(state: SquadState, x: float, y: float) -> Any:
    return state.unit("B.b").models[0].pose._replace(x=x, y=y)


def test_zones_are_shown_while_deploying() -> None:
    state = moment()
    waiting = replace(state.unit("A"), models=(), reserve=("A1", "A2"))
    drawing = picture(replace(state.with_unit(waiting), agenda=(Turn(), Deploy(owner="red"))))
    assert [one.side for one in drawing.shapes if isinstance(one, Area) and one.role == "zone"] == ["red", "blue"]
    assert drawing.caption[-1] == "off the table: A Space Marine"


def test_an_ended_battle_says_how() -> None:
    drawing = picture(replace(moment(), agenda=(), ended="destroyed", winner="red"))
    assert drawing.title.endswith("ended: destroyed")
    assert "red has won" in drawing.caption
