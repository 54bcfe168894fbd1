"""What the command line tells of distances while nobody may measure, and what a game of its own can be asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tactician.agent.advise import contact_of
from tactician.agent.by_eye import about, by_eye, measure_of
from tactician.agent.policies import Budget
from tactician.agent.policies.greedy import Greedy
from tactician.commands import advice, asked, battle, chances
from tactician.rules.core.derive import but
from tactician.rules.core.oracle import Answer, OracleError, Question
from tactician.rules.core.ruleset import Ruleset, load_ruleset
from tactician.rules.core.state import State

from tests.core.volleys import VolleyOracle, Volleys, volley_state

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any, State], None]:
    """Lets every command ask about a moment of a made-up game."""

    def stand(ruleset: Any, state: State) -> None:
        for module in (asked, advice, battle):
            monkeypatch.setattr(module, "a_battle", lambda path, rules="": (ruleset, state))
        monkeypatch.setattr(chances, "questioned", lambda question: "")

    return stand


def shut(monkeypatch: pytest.MonkeyPatch, ruleset: Ruleset) -> None:
    """Forbid measuring in a game."""
    monkeypatch.setattr(type(ruleset), "may_measure", lambda self, state: False, raising=False)


# ---- odds with assignments -------------------------------------------------------------------------------------------


def test_shooting_by_assignment_is_rolled_out(run: Run, at: Any) -> None:
    at(Volleys(), volley_state())
    orders = json.loads(run("odds", "shoot", "A", "--json")[1])["orders"]
    assert [order["order"] for order in orders] == ["A shoot E1", "A shoot E2"]
    exact = {row["value"]: row["exact"] for row in orders[0]["losses"]["E1"]["distribution"]}
    assert exact == {"0": "1/8", 1: "3/8", 2: "1/2"} or exact == {0: "1/8", 1: "3/8", 2: "1/2"}
    code, out, _ = run("odds", "shoot", "A", "E2")
    assert (code, out.splitlines()[0]) == (0, "A shoot E2 (unanswered)")
    assert "any: 7/8 = 87.5 %" in out


def test_shooting_is_judged_by_eye_where_nobody_may_measure(run: Run, at: Any) -> None:
    at(Volleys(measuring=False), volley_state())
    assert run("odds", "shoot", "A", "E1")[1].startswith("A shoot E1 (unanswered, distances by eye)")
    # in turn 3 the eye takes A and E1 to be farther apart than they are: in range by the tape, out of range for it
    factor = by_eye(1.0, 0, 3, ("A", "E1"))
    assert factor > 1.005
    apart = 19.95 / factor + 1.1
    state = volley_state(a1=(12, 10), a3=(12, 10), e1=(12, 10 + apart), e2=(12, 10 + apart), f1=(45, 45))
    at(Volleys(), but(state, round=3))
    assert run("odds", "shoot", "A", "E1")[0] == 0
    at(Volleys(measuring=False), but(state, round=3))
    code, _, err = run("odds", "shoot", "A", "E1")
    assert (code, "A cannot shoot at E1 from where it stands now, by eye" in err) == (2, True)


def test_a_charge_by_assignment_tells_who_runs_at_whom(run: Run, at: Any) -> None:
    at(Volleys(), volley_state())
    code, out, _ = run("odds", "charge", "A", "E1")
    assert code == 0
    assert out.splitlines() == [
        'A against E1: 10.05" apart (a1 and e1)',
        "  charge: can be declared, at E1 (all 3)",
    ]
    refused = json.loads(run("odds", "charge", "A", "E2", "--json")[1])["charges"][0]["orders"]
    assert ["is no enemy model" in text for text in refused[0]["refused"]] == [True, True, True]


def test_a_charge_is_told_by_eye_where_nobody_may_measure(run: Run, at: Any) -> None:
    at(Volleys(measuring=False), volley_state())
    guess = by_eye(10.04536, 0, 1, ("A", "E1"))
    out = run("odds", "charge", "A", "E1")[1]
    assert out.splitlines()[0] == f'A against E1: {about(guess)}" by eye apart'
    data = json.loads(run("odds", "charge", "A", "E1", "--json")[1])["charges"][0]
    assert data["gap"] == pytest.approx(guess, abs=1e-4)
    assert (data["by_eye"], data["models"]) == (True, [])
    assert "10.0" not in out


def test_what_a_charge_needs_is_guessed_where_nobody_may_measure(
    run: Run, battle_near: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = json.loads(run("odds", "charge", "R1", "B1", battle_near, "--json")[1])["charges"][0]
    shut(monkeypatch, load_ruleset("voidsiege"))
    code, out, _ = run("odds", "charge", "R1", "B1", battle_near, "--json")
    told = json.loads(out)["charges"][0]
    assert (code, told["by_eye"]) == (0, True)
    assert told["gap"] == pytest.approx(by_eye(exact["gap"], 0, 1, ("R1", "B1")))
    assert told["gap"] != exact["gap"]
    (move,) = [row for row in told["orders"] if row["verb"] == "move"]
    assert 0.5 < move["likely"] <= 1.0
    assert "straight" not in move
    line = run("odds", "charge", "R1", "B1", battle_near)[1]
    assert "by eye of 6, near enough in" in line


# ---- ways, reaches, suggestions --------------------------------------------------------------------------------------


def test_a_way_that_ends_near_an_enemy_is_told_by_eye(run: Run, at: Any, tmp_path: Path) -> None:
    at(Volleys(measuring=False), volley_state())
    picture = tmp_path / "way.svg"
    code, out, _ = run("path", "--model", "a1", "--to", "10,19", "--picture", picture)
    guess = by_eye(9.0, 0, 1, ("A", "E1"))
    assert code == 0
    assert out.splitlines()[:2] == [
        f'a1 from (10.0000, 10.0000) on ground to (10.0000, 19.0000) on ground: {about(guess)}" by eye',
        "  it ends near E1, and nobody may measure now",
    ]
    assert "9.0000 inches" not in out
    assert "by eye" in picture.read_text(encoding="utf-8")
    assert '9.00"' not in picture.read_text(encoding="utf-8")
    data = json.loads(run("path", "--model", "a1", "--to", "10,19", "--json")[1])
    assert (data["cost"], data["by_eye"]) == (pytest.approx(guess), True)


def test_a_budget_is_compared_with_the_guess(run: Run, at: Any) -> None:
    at(Volleys(measuring=False), volley_state())
    guess = by_eye(9.0, 0, 1, ("A", "E1"))
    assert run("path", "--model", "a1", "--to", "10,19", "--budget", guess + 0.01)[0] == 0
    code, out, _ = run("path", "--model", "a1", "--to", "10,19", "--budget", guess - 0.01)
    assert code == 1
    assert "by eye: it ends near E1" in out


def test_other_ways_and_free_measuring_stay_exact(run: Run, at: Any) -> None:
    at(Volleys(measuring=False), volley_state())
    assert "4.0000 inches" in run("path", "--model", "a1", "--to", "10,14")[1]
    at(Volleys(), volley_state())
    assert "9.0000 inches" in run("path", "--model", "a1", "--to", "10,19")[1]


def test_a_reach_is_drawn_by_eye(run: Run, battle_near: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exact, guessed = tmp_path / "exact.svg", tmp_path / "guessed.svg"
    assert ", by eye" not in run("show", battle_near, "--picture", exact, "--reach", "R1")[1]
    shut(monkeypatch, load_ruleset("voidsiege"))
    assert "may end, by eye" in run("show", battle_near, "--picture", guessed, "--reach", "R1")[1]
    assert exact.read_bytes() != guessed.read_bytes()


def test_a_threat_is_drawn_by_eye(run: Run, battle_near: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exact, guessed = tmp_path / "exact.svg", tmp_path / "guessed.svg"
    assert ", by eye" not in run("show", battle_near, "--picture", exact, "--threat", "both")[1]
    shut(monkeypatch, load_ruleset("voidsiege"))
    assert "right to about an inch, by eye" in run("show", battle_near, "--picture", guessed, "--threat", "both")[1]
    assert exact.read_bytes() != guessed.read_bytes()


def test_suggestions_tell_gaps_by_eye_and_no_odds(run: Run, at: Any) -> None:
    at(Volleys(measuring=False), volley_state())
    code, out, _ = run("suggest", "--top", "9", "--time", "5")
    assert code == 0
    assert "odds unanswered" not in out
    assert "answered sensibly" not in out
    at(Volleys(), volley_state())
    out = run("suggest", "--top", "9", "--time", "5")[1]
    assert "odds unanswered: E1 loses 1.38 of 2" in out
    assert "answered sensibly: E1 loses 1.38 of 2" in out


@pytest.mark.parametrize("measuring", [True, False])
def test_what_a_charge_needs_is_told_by_eye(measuring: bool) -> None:
    ruleset: Any = Volleys(measuring=measuring)
    state = volley_state()
    charges = [
        contact
        for one in Greedy().weighed(ruleset, state, Budget(evaluations=99))
        if (contact := contact_of(ruleset, state, one.action, measure_of(ruleset, state))) is not None
    ]
    told = "10.05 inches" if measuring else f"{about(by_eye(10.04536, 0, 1, ('A', 'E1')))} inches by eye"
    assert any(str(contact).startswith(f"charge at E1: {told}") for contact in charges)


# ---- questions of a game's own ---------------------------------------------------------------------------------------


class Refusing(VolleyOracle):
    """Makes no sense of anything."""

    def answer(self, state: State, question: str, unit: str, target: str | None) -> Answer | None:
        raise OracleError("not while it rains")


class Fighting(VolleyOracle):
    """Knows better about fights."""

    questions = (Question(name="fight", text="a fight"),)

    def answer(self, state: State, question: str, unit: str, target: str | None) -> Answer | None:
        return Answer(lines=(f"{unit} fights {target}",))


@pytest.mark.parametrize("words", [("ask", "hit"), ("hit",)])
def test_a_game_answers_its_own_questions(run: Run, at: Any, words: tuple[str, ...]) -> None:
    at(Volleys(oracle=VolleyOracle()), volley_state())
    code, out, _ = run("odds", *words, "A", "E1")
    assert (code, out.splitlines()) == (0, ['A and E1: 10.05" apart', "each shot at E1 hits: 1/2"])
    data = json.loads(run("odds", *words, "E1", "A", "--json")[1])  # of either side
    assert (data["question"], data["unit"], data["target"], data["answer"]) == ("hit", "E1", "A", {"exact": "1/2"})
    assert data["gaps"] == [{"unit": "E1", "other": "A", "inches": pytest.approx(10.04536, abs=1e-4), "by_eye": False}]


def test_distances_in_an_answer_are_told_by_eye(run: Run, at: Any) -> None:
    at(Volleys(measuring=False, oracle=VolleyOracle()), volley_state())
    out = run("odds", "hit", "A", "E1")[1]
    assert out.splitlines()[0] == f'A and E1: {about(by_eye(10.04536, 0, 1, ("A", "E1")))}" by eye apart'


def test_what_a_game_does_not_answer_is_worked_out(run: Run, at: Any) -> None:
    at(Volleys(oracle=VolleyOracle()), volley_state())
    assert "A shoot E1 (unanswered)" in run("odds", "shoot", "A", "E1")[1]
    assert run("odds", "ask", "shoot", "A", "E1") == run("odds", "shoot", "A", "E1")
    at(Volleys(oracle=Fighting()), volley_state())
    assert run("odds", "fight", "A", "E1")[1] == "A fights E1\n"


@pytest.mark.parametrize(
    ("oracle", "words", "message"),
    [
        (VolleyOracle(), ("hit", "A"), "TARGET: missing: hit is asked about two units, expected one of E1, E2"),
        (VolleyOracle(), ("hit", "A", "A"), "A is no enemy of A"),
        (VolleyOracle(), ("hitt", "A", "E1"), "Volleys cannot be asked 'hitt'"),
        (None, ("hit", "A", "E1"), "one of charge, shoot, fight, march"),
        (Refusing(), ("hit", "A", "E1"), "odds hit: not while it rains"),
        (VolleyOracle(), ("hit",), "UNIT: missing"),
        (None, ("march", "A"), "Volleys has no march"),
        (None, ("fight", "A", "E1"), "A is in no fight with E1"),
    ],
)
def test_questions_that_a_game_cannot_answer(
    run: Run, at: Any, oracle: Any, words: tuple[str, ...], message: str
) -> None:
    at(Volleys(oracle=oracle), volley_state())
    code, out, err = run("odds", *words)
    assert (code, out) == (2, "")
    assert message in err


def test_everything_that_can_be_asked_is_listed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asked, "ruleset_names", lambda: ("volleys",))
    monkeypatch.setattr(asked, "load_ruleset", lambda name: Volleys(oracle=VolleyOracle()))
    code, out, _ = run("odds", "ask")
    assert code == 0
    assert "  shoot UNIT [TARGET]: losses from shooting" in out
    assert "Volleys:\n  hit UNIT TARGET: the chance of each shot\n" in out
    assert (asked.questioned("hit"), asked.questioned("dance")) == ("volleys", "")
    assert "odds ask" in run("odds", "--help")[1]


@pytest.fixture
def battle_near(battle: Path, tmp_path: Path) -> Path:
    """Red's line 4.75 inches from blue's."""
    data = json.loads(battle.read_text(encoding="utf-8"))
    for i, model in enumerate(data["sides"]["red"]["units"][0]["models"]):
        model["at"] = [9 + 1.5 * i, 16.25]
    place = tmp_path / "near.json"
    place.write_text(json.dumps(data), encoding="utf-8")
    return place
