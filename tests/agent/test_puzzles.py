"""Puzzles: every ruleset's files read, ask what they should, and some of them are proved anew."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tactician.agent.policies import policy
from tactician.agent.policies.base import Budget
from tactician.agent.puzzles.proof import prove, tried
from tactician.agent.puzzles.puzzle import GAP, REPLYING, Puzzle, puzzle_data, puzzles_of, read_puzzle
from tactician.rules.core.files import BadInput
from tactician.rules.core.ruleset import load_ruleset, ruleset_names

ALL = [(name, puzzle) for name in ruleset_names() for puzzle in puzzles_of(load_ruleset(name))]

LEAST = 20
"""Puzzles that a ruleset should have."""

EVIDENCE = Path(__file__).resolve().parents[2] / "docs" / "evidence"

QUICK = {"voidsiege": ("a-slim-chance-is-a-chance", "nothing-to-lose"), "wh40k2e": ("hold-on", "parry-the-claw")}
"""Proofs that take a fraction of a second."""


def of(ruleset: str) -> list[Puzzle]:
    return [puzzle for name, puzzle in ALL if name == ruleset]


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_there_are_enough_and_half_of_them_answer_the_enemy_or_charge(ruleset: str) -> None:
    kinds = [puzzle.kind for puzzle in of(ruleset)]
    assert len(kinds) >= LEAST
    assert 2 * sum(kind in REPLYING for kind in kinds) >= len(kinds)
    assert len(set(kinds)) >= 4


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_no_two_are_of_one_game(ruleset: str) -> None:
    sources = [puzzle.source.partition(",")[0] for puzzle in of(ruleset) if puzzle.source != "own"]
    assert len(sources) == len(set(sources))
    assert len({puzzle.title for puzzle in of(ruleset)}) == len(of(ruleset))


@pytest.mark.parametrize(("ruleset", "puzzle"), ALL, ids=[f"{name}-{puzzle.name}" for name, puzzle in ALL])
def test_every_answer_is_legal_and_the_best_is_well_ahead(ruleset: str, puzzle: Puzzle) -> None:
    rules = load_ruleset(ruleset)
    state = puzzle.state(rules)
    for action in puzzle.answers:
        assert rules.check(state, action) == ()
    assert 0.0 <= puzzle.second <= puzzle.value - GAP + 1e-6
    assert puzzle.value <= 1.0
    assert puzzle.text


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_the_evidence_is_of_the_present_puzzles(ruleset: str) -> None:
    data = json.loads((EVIDENCE / f"puzzles-{ruleset}.json").read_text(encoding="utf-8"))
    assert data["holds"]
    assert data["ruleset"]["version"] == load_ruleset(ruleset).info.version
    assert [(row["name"], row["best"]) for row in data["rows"]] == [
        (puzzle.name, puzzle_data(puzzle)["best"]) for puzzle in of(ruleset)
    ]
    for row, puzzle in zip(data["rows"], of(ruleset), strict=True):
        assert [value for _, value in row["answers"][:2]] == pytest.approx([puzzle.value, puzzle.second], abs=1e-5)
        assert len(row["answers"]) == len(puzzle.answers)
    assert 2 * data["solved"]["greedy"] <= data["puzzles"]


@pytest.mark.parametrize(("ruleset", "name"), [(game, name) for game, names in QUICK.items() for name in names])
def test_a_quick_one_is_proved_anew(ruleset: str, name: str) -> None:
    rules = load_ruleset(ruleset)
    puzzle = next(one for one in of(ruleset) if one.name == name)
    proof, cut = prove(rules, puzzle), prove(rules, puzzle, prune=True)
    assert proof.holds
    assert cut.holds
    assert cut.found.leaves <= proof.found.leaves


def test_a_proof_without_the_budget_for_it_does_not_hold() -> None:
    rules = load_ruleset("voidsiege")
    puzzle = next(one for one in of("voidsiege") if one.name == QUICK["voidsiege"][0])
    assert not prove(rules, puzzle, Budget(evaluations=1)).holds


def test_an_answer_is_judged_by_its_worth() -> None:
    rules = load_ruleset("voidsiege")
    puzzle = next(one for one in of("voidsiege") if one.name == QUICK["voidsiege"][0])
    one = tried(rules, puzzle, policy("greedy"), Budget())
    assert one.solves == (one.value >= puzzle.value - GAP / 2)
    assert not rules.check(puzzle.state(rules), one.action)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ruleset_names())
def test_all_are_proved_anew(ruleset: str) -> None:
    rules = load_ruleset(ruleset)
    assert [puzzle.name for puzzle in of(ruleset) if not prove(rules, puzzle).holds] == []


# ---- files -----------------------------------------------------------------------------------------------------------


def written(tmp_path: Path, **changes: object) -> Path:
    data = {**puzzle_data(ALL[0][1]), **changes}
    place = tmp_path / "one.json"
    place.write_text(json.dumps(data), encoding="utf-8")
    return place


def test_a_puzzle_reads_back_equal(tmp_path: Path) -> None:
    puzzle = read_puzzle(written(tmp_path))
    assert puzzle_data(puzzle) == puzzle_data(ALL[0][1])


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"best": "nobody pass"}, "best"),
        ({"answers": ["pass", "pass"], "best": "pass"}, "all different"),
        ({"answers": ["pass"], "best": "pass"}, "at least two"),
        ({"answers": ["pass", "A move ::"], "best": "pass"}, "answers[1]"),
        ({"kind": "riddle"}, "kind"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, changes: dict[str, object], word: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_puzzle(written(tmp_path, **changes))
    assert word in str(caught.value)
    assert "one.json" in str(caught.value)
