"""The second game on the command line: a battle made, shown, checked, asked about, played and told."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tactician.cli import main
from tactician.rules.core.ruleset import load_ruleset

Run = Callable[..., tuple[int, str, str]]

MAN = {"move": 4, "ws": 4, "bs": 4, "strength": 4, "toughness": 4, "initiative": 4, "leadership": 8, "weapons": ["gun"]}
MARK = {**MAN, "ws": 3, "initiative": 3, "leadership": 7}


def battle_of(place: Path, apart: float, *features: dict[str, Any], **more: Any) -> Path:
    """Two men whose centres are so far below those of two marks; the file."""
    sides = {
        side: {"units": [{"id": unit, "profile": profile, "models": models}]}
        for side, unit, profile, models in (
            ("red", "A", "man", [{"id": "a1", "at": [10, 10]}, {"id": "a2", "at": [12, 10]}]),
            ("blue", "E", "mark", [{"id": "e1", "at": [10, 10 + apart]}, {"id": "e2", "at": [12, 10 + apart]}]),
        )
    }
    data = {
        "ruleset": "wh40k2e",
        "scenario": {"first": "red"},
        "board": {"width": 48, "height": 48, "features": list(features)},
        "weapons": {"gun": {"short": 12, "long": 24, "strength": 4}},
        "profiles": {"man": MAN, "mark": MARK},
        "sides": sides,
        "active": "red",
        "phase": "shooting",
        **more,
    }
    place.write_text(json.dumps(data), encoding="utf-8")
    return place


def asked(run: Run, *words: object) -> dict[str, Any]:
    """What a question of odds is answered."""
    code, out, err = run("odds", *words, "--json")
    assert code == 0, err
    answer: dict[str, Any] = json.loads(out)["answer"]
    return answer


@pytest.fixture(scope="module")
def skirmish(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A battle of the built-in armies at its first order."""
    place = tmp_path_factory.mktemp("second") / "skirmish.json"
    assert main(["new", "--rules", "wh40k2e", "--size", "skirmish", "--out", str(place)]) == 0
    return place


# ---- odds by hand ----------------------------------------------------------------------------------------------------


def test_a_hit_is_counted_modifier_by_modifier(run: Run, tmp_path: Path) -> None:
    """Ballistic Skill 4 hits on 3; two off for hard cover, and what is out of range says so."""
    open_ground = battle_of(tmp_path / "open.json", 10)
    assert asked(run, "hit", "A", "E", open_ground)["hit"][0]["chance"] == "2/3"
    wall = {"id": "wall", "kind": "wall", "shape": {"rect": [8, 18.5, 14, 19]}, "height": 1}
    covered = battle_of(tmp_path / "covered.json", 10, wall)
    (row,) = asked(run, "hit", "A", "E", covered)["hit"]
    assert (row["chance"], row["need"], row["in_range"]) == ("1/3", 5, True)
    far = battle_of(tmp_path / "far.json", 30)
    code, out, _ = run("odds", "hit", "A", "E", far)
    assert code == 0
    assert "out of range (24 inches)" in out


def test_a_volley_costs_what_its_dice_say(run: Run, tmp_path: Path) -> None:
    """Two shots, each hitting on 3, wounding on 4, with no save: 2/3 of 1/2 each."""
    answer = asked(run, "shoot", "A", "E", battle_of(tmp_path / "volley.json", 10))
    third = Fraction(1, 3)
    shares = {0: (1 - third) ** 2, 1: 2 * third * (1 - third), 2: third**2}
    assert answer == {"expected": "2/3", "lost": {str(lost): str(share) for lost, share in shares.items()}}


def test_overwatch_is_kept_on_leadership(run: Run, tmp_path: Path) -> None:
    """Of 36 throws of two dice 26 are 8 or less."""
    place = battle_of(tmp_path / "stay.json", 10)
    assert asked(run, "stay", "A", place) == {"leadership": 8, "stays": "13/18"}
    assert f"shot at by two units: {Fraction(13, 18) ** 2}" in run("odds", "stay", "A", place)[1]


def test_a_fight_of_one_die_each(run: Run, tmp_path: Path) -> None:
    """Weapon Skill 4 against 3, and ties to the quicker: 25 of 36 throws, by 1 to 7 hits, each of which wounds on 4."""
    answer = asked(run, "fight", "A", "E", battle_of(tmp_path / "fight.json", 1.0))
    assert not answer["charges"]
    assert answer["wins"] == pytest.approx(25 / 36)
    assert answer["loses"] == pytest.approx(11 / 36)
    throws = {1: 10, 2: 4, 3: 4, 4: 3, 5: 2, 6: 1, 7: 1}
    falls = sum(count * (1 - Fraction(1, 2) ** hits) for hits, count in throws.items()) / 36
    assert falls == Fraction(2333, 4608)
    assert answer["second_falls"] == pytest.approx(float(falls))


@pytest.mark.parametrize(("apart", "reached"), [(8.0, 2), (9.0, 2), (9.01, 0)])
def test_a_charge_reaches_eight_inches_and_no_further(run: Run, tmp_path: Path, apart: float, reached: int) -> None:
    answer = asked(run, "charge", "A", "E", battle_of(tmp_path / "charge.json", apart))
    assert (answer["allowance"], answer["reached"]) == (8.0, reached)


def test_what_may_not_be_measured_is_answered_by_eye(run: Run, tmp_path: Path) -> None:
    """While charges are declared the answer is that of the estimate, which is now within 8 inches and now beyond."""
    told = set()
    for number in range(8):
        place = battle_of(tmp_path / f"{number}.json", 8.6 + 0.1 * number, phase="opening")
        data = json.loads(run("odds", "charge", "A", "E", place, "--json")[1])
        assert data["gaps"][0]["by_eye"]
        assert (data["answer"]["reached"] == 2) == (data["gaps"][0]["inches"] <= 8.0)
        told.add(data["answer"]["reached"])
    assert told == {0, 2}


# ---- a battle --------------------------------------------------------------------------------------------------------


def test_a_battle_is_shown_with_its_ground(run: Run, skirmish: Path, tmp_path: Path) -> None:
    place = tmp_path / "table.svg"
    code, out, _ = run("show", skirmish, "--picture", place)
    assert code == 0
    assert "turn 1 of" in out
    drawn = place.read_text(encoding="utf-8")
    for words in ("wood, soft cover", "gate, open", "wall that can be crossed", "Tactical Squad"):
        assert words in drawn


def test_overwatch_and_what_became_of_units_are_drawn(run: Run, skirmish: Path, tmp_path: Path) -> None:
    watching, place = tmp_path / "watching.json", tmp_path / "watching.svg"
    assert run("apply", skirmish, "R2 overwatch", "--out", watching)[0] == 0
    assert run("show", watching, "--picture", place)[0] == 0
    drawn = place.read_text(encoding="utf-8")
    assert "front of who is on overwatch" in drawn
    assert "[overwatch]" in drawn


@pytest.mark.parametrize(
    ("order", "clause"),
    [("R2 overwatch", ""), ("pass", ""), ("R2 move to 23,8", "2E-MV-01"), ("R2 shoot B2", "2E-GF-01")],
)
def test_orders_are_checked(run: Run, skirmish: Path, order: str, clause: str) -> None:
    code, out, _ = run("check", skirmish, order)
    assert code == bool(clause)
    assert (clause or "legal") in out


@pytest.mark.parametrize(
    ("order", "action"),
    [
        ("A turn to E", {"verb": "turn", "targets": {"to": "E"}}),
        ("A turn ne", {"verb": "turn", "targets": {"to": "ne"}}),
        ("A turn to SW", {"verb": "turn", "targets": {"to": "sw"}}),
        ("A move stay", {"verb": "move"}),
    ],
)
def test_words_of_this_game_are_understood(run: Run, tmp_path: Path, order: str, action: dict[str, Any]) -> None:
    place = battle_of(tmp_path / "battle.json", 20, phase="normal")
    told = json.loads(run("check", place, order, "--json")[1])
    assert told["action"] == {"unit": "A", **action}
    assert told["legal"]


def test_a_direction_that_there_is_not_is_answered_with_those_there_are(run: Run, tmp_path: Path) -> None:
    code, _, err = run("check", battle_of(tmp_path / "battle.json", 20, phase="normal"), "A turn nne")
    assert code == 2
    assert "one of E, n, ne, e, se, s, sw, w, nw" in err


def test_choices_and_suggestions_are_orders_that_check_accepts(run: Run, skirmish: Path) -> None:
    offered = json.loads(run("choices", skirmish, "--json")[1])["choices"]
    assert {"overwatch", "pass"} <= {choice["verb"] for choice in offered}
    told = json.loads(run("suggest", skirmish, "--top", "2", "--json")[1])
    assert len(told["plans"]) == 2
    for plan in told["plans"]:
        assert run("check", skirmish, plan["text"])[0] == 0


def test_a_way_pays_for_slow_ground(run: Run, tmp_path: Path) -> None:
    marsh = {"id": "marsh", "kind": "marsh", "shape": {"rect": [0, 13, 40, 15]}}
    place = battle_of(tmp_path / "marsh.json", 20, marsh, phase="normal")
    code, out, _ = run("path", place, "--model", "a1", "--to", "10,16")
    assert code == 0
    assert "slow ground (marsh): 2.0000" in out


def test_a_duel_is_told_recorded_and_replayed(run: Run, tmp_path: Path) -> None:
    record = tmp_path / "duel.jsonl"
    code, out, err = run(
        "duel", "--rules", "wh40k2e", "--size", "duel", "--seed", "7", "--red", "random", "--blue", "straight-ahead",
        "--record", record,
    )  # fmt: skip
    assert code == 0, err
    assert "the game is over by" in out
    code, again, _ = run("replay", record)
    assert code == 0
    assert again.splitlines()[-1] == next(line for line in out.splitlines() if "game is over" in line).split(",")[0]


def test_the_rules_are_listed(run: Run) -> None:
    info = load_ruleset("wh40k2e").info
    out = run("rules", "wh40k2e", "--clauses")[1]
    assert "2E-OW-06" in out
    assert info.name in run("rules")[1]


def test_odds_list_the_questions_of_the_game(run: Run) -> None:
    out = run("odds", "ask")[1]
    for question in ("hit UNIT TARGET", "stay UNIT [TARGET]"):
        assert question in out
