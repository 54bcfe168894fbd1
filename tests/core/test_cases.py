"""Situation files: read with every fault named, run step by step, each disagreement in plain words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tactician.rules.core.case_files import read_cases, set_at
from tactician.rules.core.cases import CaseResult, run_case, run_cases
from tactician.rules.core.files import BadInput
from tactician.rules.core.ruleset import load_ruleset
from tactician.rules.core.state import State

from tests.core.duel import START

DUEL = load_ruleset("_template")


class Telling(type(DUEL)):  # type: ignore[misc]  # the class of a ruleset is not known before it is loaded
    """The template with facts."""

    def fact(self, state: State, path: str) -> object:
        head, _, rest = path.partition(".")
        if head == "models":
            model, _, key = rest.partition(".")
            return getattr(state.owner(model).model(model).pose, key)
        if head == "over":
            return not state.agenda
        raise LookupError(f"there is no fact {path!r}")


TELLING = Telling("_template")


def written(folder: Path, data: object, name: str = "case.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def case(*steps: object, **rest: object) -> dict[str, Any]:
    return {"case": "a duel", "clause": "DU-MO-01", "battle": START, "steps": list(steps), **rest}


def ran(folder: Path, data: object) -> CaseResult:
    (read,) = read_cases(written(folder, data))
    return run_case(read, ruleset=TELLING)


def problems(folder: Path, *steps: object) -> tuple[str, ...]:
    return ran(folder, case(*steps)).problems


FAR = {"unit": "R1", "verb": "move", "paths": {"R1a": [{"to": [9, 9.5]}]}}
NEAR = "R1 move R1a: 4,3"


# ---- running ---------------------------------------------------------------------------------------------------------


def test_a_case_that_agrees(tmp_path: Path) -> None:
    result = ran(
        tmp_path,
        case(
            {"do": FAR, "expect": {"violates": ["DU-MO-01"], "measured": 7.5}},
            {"do": FAR, "expect": {"violates": ["DU-MO-02", "DU-MO-01"], "refused": "IMPASSABLE"}},
            {"do": {"clip": FAR}, "expect": "legal"},
            {"do": "B1 pass", "expect": {"values": {"models.R1a.y": [7, 0.01], "models.R1a.x": 9, "over": False}}},
        ),
    )
    assert result.problems == ()
    assert result.agrees
    assert str(result) == f"{tmp_path / 'case.json'}: a duel [DU-MO-01]: agrees"


def test_a_refused_step_changes_nothing(tmp_path: Path) -> None:
    assert (
        problems(
            tmp_path,
            {"do": FAR, "expect": {"violates": ["DU-MO-01"]}},
            {"do": NEAR, "expect": {"values": {"models.R1a.x": 4, "models.R1a.y": 3}}},
        )
        == ()
    )


def test_dice_fall_with_a_step_or_alone(tmp_path: Path) -> None:
    shot = {"do": "B1 shoot mark R1a at 4.5", "dice": 1, "expect": {"values": {"over": True}}}
    assert problems(tmp_path, {"do": "R1 move R1a: 6,6"}, shot) == ()
    alone = [{"do": shot["do"]}, {"dice": 9, "expect": {"refused": "outcome 9"}}, {"dice": [1], "expect": "legal"}]
    assert problems(tmp_path, {"do": "R1 move R1a: 6,6"}, *alone) == ()


def test_every_disagreement_is_told_with_expected_and_got(tmp_path: Path) -> None:
    assert problems(tmp_path, {"do": NEAR, "expect": {"violates": ["DU-MO-01"]}}) == (
        "step 1: R1 move R1a: 4,3: expected DU-MO-01, got legal",
    )
    assert problems(tmp_path, {"do": NEAR, "expect": {"refused": "far"}}) == (
        "step 1: R1 move R1a: 4,3: expected a refusal with 'far', got legal",
    )
    (told,) = problems(tmp_path, {"do": FAR}, {"do": NEAR, "expect": {"refused": "never reached"}})
    assert told.startswith("step 1: R1 move R1a: 9,9.5: expected legal, got R1a breaks DU-MO-01")
    (told,) = problems(tmp_path, {"do": FAR, "expect": {"violates": ["DU-MO-03"]}})
    assert told.startswith("step 1: R1 move R1a: 9,9.5: expected DU-MO-03, got R1a breaks DU-MO-01")
    assert problems(tmp_path, {"do": FAR, "expect": {"violates": ["DU-MO-01"], "measured": 7.4}}) == (
        "step 1: R1 move R1a: 9,9.5: expected 7.4 measured, got 7.5000",
    )
    (told,) = problems(tmp_path, {"do": FAR, "expect": {"refused": "lava"}})
    assert told.startswith("step 1: R1 move R1a: 9,9.5: expected a refusal with 'lava', got R1a breaks")


def test_measured_is_compared_to_a_thousandth(tmp_path: Path) -> None:
    assert problems(tmp_path, {"do": FAR, "expect": {"violates": ["DU-MO-01"], "measured": 7.5009}}) == ()
    assert problems(tmp_path, {"do": FAR, "expect": {"violates": ["DU-MO-01"], "measured": 7.5011}}) != ()


def test_values_that_differ_or_do_not_exist_are_told(tmp_path: Path) -> None:
    values = {"models.R1a.x": [4.2, 0.1], "models.R1a.surface": "roof", "over": True, "weather": 1}
    assert problems(tmp_path, {"do": NEAR, "expect": {"values": values}}) == (
        "step 1: models.R1a.x: expected 4.2 within 0.1, got 4.0",
        "step 1: models.R1a.surface: expected 'roof', got 'ground'",
        "step 1: over: expected true, got false",
        "step 1: weather: expected 1, but there is no fact 'weather'",
    )


def test_a_ruleset_without_facts_says_so(tmp_path: Path) -> None:
    (read,) = read_cases(written(tmp_path, case({"do": NEAR, "expect": {"values": {"over": True}}})))
    assert run_case(read).problems == ("step 1: over: expected true, but ruleset '_template' states no facts",)


def test_dice_that_nobody_asks_for_and_that_cannot_fall_are_told(tmp_path: Path) -> None:
    assert problems(tmp_path, {"dice": 1}) == ("step 1: dice 1: expected a roll, got red to move",)
    shot = ({"do": "R1 move R1a: 6,6"}, {"do": "B1 shoot mark R1a at 4.5", "dice": [[1, 2]]})
    (told,) = problems(tmp_path, *shot)
    assert told.startswith("step 2: dice (1, 2): expected an outcome that can fall, got shot of B1 at R1: outcome")
    (told,) = problems(tmp_path, *shot[:1], {"do": shot[1]["do"]}, {"dice": 1, "expect": {"refused": "outcome"}})
    assert told == "step 3: dice 1: expected a refusal with 'outcome', got none"


def test_clipping_what_is_not_offered_is_told(tmp_path: Path) -> None:
    (told,) = problems(tmp_path, {"do": {"clip": "R1 shoot shoot=B1"}})
    assert told.startswith("step 1: R1 shoot shoot=B1: expected as much of it as is legal, got R1 breaks order")


def test_a_clause_that_is_switched_off_makes_its_case_disagree(tmp_path: Path) -> None:
    path = written(tmp_path, case({"do": "R1 move R1a: 9,14", "expect": {"violates": ["DU-MO-03"]}}, clause="DU-MO-03"))
    assert [result.agrees for result in run_cases([path])] == [True]
    assert [result.agrees for result in run_cases([path], without="DU-MO-03")] == [False]
    with pytest.raises(BadInput, match=r"there is no clause 'DU-MO-3'; did you mean 'DU-MO-03'\?"):
        run_cases([path], without="DU-MO-3")


# ---- reading ---------------------------------------------------------------------------------------------------------


def test_a_file_holds_a_chapter_of_cases_that_share_what_stands_at_its_top(tmp_path: Path) -> None:
    written(tmp_path, START, "duel.json")
    (tmp_path / "cases").mkdir()
    text = """
battle = "../duel.json"
clause = "DU-MO-01"

[[cases]]
case = "near"
steps = [{do = "R1 move R1a: 4,3"}]

[[cases]]
case = "far"
clause = "DU-MO-02"
source = "corner 3"
set = {"options.move" = 9.0}
steps = [{do = "R1 move R1a: 9,9.5", expect = {violates = ["DU-MO-02"]}}]
"""
    (tmp_path / "cases" / "moving.toml").write_text(text, encoding="utf-8")
    results = run_cases([tmp_path / "cases"])
    assert [(one.case.name, one.case.clause, one.case.source, one.agrees) for one in results] == [
        ("near", "DU-MO-01", "own", True),
        ("far", "DU-MO-02", "corner 3", True),
    ]


def test_fields_are_set_by_key_id_and_number() -> None:
    units = [{"id": "B", "models": [{"id": "B.1", "at": [1, 2]}, {"id": "B2", "at": [3, 4]}]}]
    data: dict[str, Any] = {"sides": {"blue": {"units": units}}}
    set_at(data, "sides.blue.units.B.models.B.1.at", [5, 6])
    set_at(data, "sides.blue.units.0.models.1.at", [7, 8])
    set_at(data, "scenario.turns", 4)
    assert [model["at"] for model in units[0]["models"]] == [[5, 6], [7, 8]]  # type: ignore[index]
    assert data["scenario"] == {"turns": 4}
    with pytest.raises(LookupError, match=r"units.B.models.B3.at: there is no entry 'B3'; did you mean 'B2'\?"):
        set_at(data, "sides.blue.units.B.models.B3.at", [1, 1])


def test_a_set_field_reaches_the_battle_and_leaves_its_file_alone(tmp_path: Path) -> None:
    battle = written(tmp_path, DUEL.to_data(DUEL.from_data(START)), "duel.json")
    before = battle.read_bytes()
    step = {"do": "R1 move R1a: 4,3", "expect": {"values": {"models.B1a.x": 5}}}
    moved = case(step, battle="duel.json", set={"sides.blue.units.B1.models.B1a.at": [5, 16]})
    assert ran(tmp_path, moved).problems == ()
    assert battle.read_bytes() == before


def refusal(folder: Path, data: object) -> list[str]:
    path = written(folder, data)
    with pytest.raises(BadInput) as caught:
        run_cases([path])
    return [line.removeprefix(f"{path}: ") for line in str(caught.value).split("\n")]


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        ({"steps": [{"do": NEAR}], "battle": START}, ["case: missing, expected a text"]),
        ({"case": "a", "battle": START}, ["steps: no steps, expected at least one"]),
        ({"case": "a", "steps": [{"do": NEAR}]}, ["battle: missing, expected a battle, or the name of its file"]),
        (case({}), ["steps[0]: a step that does nothing, expected do or dice"]),
        (
            case({"do": "R1 move R1a: 3"}),
            ["steps[0].do: 'R1 move R1a: 3' at the end of the line: expected ','"],
        ),
        (
            case({"do": {"unit": "R1", "paths": {}}}, {"do": {"clip": {"verb": 3}}}),
            ["steps[0].do.verb: missing, expected a text", "steps[1].do.clip.verb: found 3, expected a text"],
        ),
        (
            case({"do": NEAR, "expect": "leagl"}),
            ["steps[0].expect: found 'leagl', expected one of 'legal'"],
        ),
        (
            case({"do": NEAR, "expect": {"violate": ["DU-MO-01"]}}),
            ["steps[0].expect.violate: there is no field 'violate'; did you mean 'violates'?"],
        ),
        (
            case({"do": NEAR, "expect": {}}),
            ["steps[0].expect: nothing expected, expected 'legal', violates, refused or values"],
        ),
        (
            case({"do": NEAR, "dice": 3, "expect": {"refused": "x"}}),
            ["steps[0].expect: a refused step with dice or values, expected a step of its own for them"],
        ),
        (
            case({"dice": "six"}),
            ["steps[0].dice: found 'six', expected a whole number or a list of objects"],
        ),
        (
            case({"do": NEAR}, set={"sides.blue.units": [], "sides.blue.units.B1.id": "x"}),
            ["set: sides.blue.units.B1.id: there is no entry 'B1'"],
        ),
        (
            case({"do": NEAR}, clause="DU-MO-1"),
            ["a duel: battle.clause: there is no clause 'DU-MO-1'; did you mean 'DU-MO-01'?"],
        ),
        (
            case({"do": NEAR}, battle={"ruleset": "chess"}),
            ["a duel: battle.ruleset: there is no ruleset 'chess'"],
        ),
        ({"cases": []}, ["cases: found [], expected a list of cases"]),
        ({"cases": [3]}, ["cases[0]: found 3, expected an object with case, clause, source, battle, set, steps"]),
    ],
)
def test_what_is_wrong_with_a_case_file_is_named(tmp_path: Path, data: object, lines: list[str]) -> None:
    told = refusal(tmp_path, data)
    assert [line[: len(wanted)] for line, wanted in zip(told, lines, strict=True)] == lines


def test_a_battle_that_is_missing_or_wrong_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, case({"do": NEAR}, battle="none.json"))
    with pytest.raises(BadInput, match=r"none\.json: there is no such file"):
        run_cases([path])
    path = written(tmp_path, case({"do": NEAR}, battle=START | {"turn": "one"}))
    with pytest.raises(BadInput, match=r"case\.json: a duel: battle\.turn: found 'one', expected a whole number"):
        run_cases([path])
    with pytest.raises(BadInput, match="no case files in this folder"):
        run_cases([Path(tmp_path / "none").mkdir() or tmp_path / "none"])
