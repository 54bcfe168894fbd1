"""The command line, command by command, run in this process; two runs as a user would start it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tactician.cli import main
from tactician.draw import read_bases
from tactician.rules.core.ruleset import load_ruleset, ruleset_names

Run = Callable[..., tuple[int, str, str]]

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def shooting(battle: Path) -> Path:
    """The same, red's shots announced and to be answered."""
    place = battle.with_name("shooting.json")
    assert main(["apply", str(battle), "R1 shoot B1", "--out", str(place)]) == 0
    return place


# ---- new, check, apply, choices --------------------------------------------------------------------------------------


def test_new_writes_a_battle_that_reads_back(run: Run, battle: Path) -> None:
    data = json.loads(battle.read_text(encoding="utf-8"))
    assert data["ruleset"]["id"] == "voidsiege"
    code, out, _ = run("choices", battle)
    assert code == 0
    assert out.startswith("red is to decide")


@pytest.mark.parametrize("name", ruleset_names())
def test_new_begins_every_mission_and_size(run: Run, tmp_path: Path, name: str) -> None:
    info = load_ruleset(name).info
    for mission in info.missions:
        for size in info.sizes:
            out = tmp_path / f"{mission}-{size}.json"
            given = ("--rules", name, "--mission", mission, "--size", size, "--to-deploy")
            assert run("new", *given, "--out", out)[0] == 0
            assert json.loads(out.read_text(encoding="utf-8"))["scenario"]["size"] == size


def test_new_takes_armies_options_and_leaves_deploying_to_the_players(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "battle.json"
    given = ("--armies", "confederation,asylumists", "--option", "in_step=false", "--option", "command_points=4")
    code, told, _ = run("new", "--rules", "voidsiege", *given, "--to-deploy", "--out", out)
    assert (code, "dice must fall" in told) == (0, True)
    data = json.loads(out.read_text(encoding="utf-8"))
    assert (data["options"]["in_step"], data["options"]["command_points"]) == (False, 4)
    assert data["sides"]["red"]["units"][0]["models"] == []


def test_check_says_legal_or_every_broken_clause(run: Run, battle: Path) -> None:
    assert run("check", battle, "R1 move by 0,1")[:2] == (0, "legal\n")
    code, out, _ = run("check", battle, "R1 move to 12,10")
    assert code == 1
    assert 'R1a breaks VS-AL-01 (move of at most 6 inches): 7.00", limit 6", at (9, 10)' in out
    assert "VS-AL-01: Move-distance is the OPDAT Move value." in out
    assert "VS-LE-02" in out
    nearest = out.splitlines()[-1].removeprefix("nearest legal order: ")
    assert run("check", battle, nearest)[:2] == (0, "legal\n")


def test_check_answers_programs(run: Run, battle: Path, tmp_path: Path) -> None:
    order = tmp_path / "order.json"
    order.write_text('{"unit": "R1", "verb": "move", "paths": {"R1a": [{"to": [9, 12]}]}}', encoding="utf-8")
    code, out, _ = run("check", battle, order, "--json")
    answer = json.loads(out)
    assert (code, answer["legal"]) == (1, False)
    first = answer["violations"][0]
    assert (first["clause"], first["measured"], first["limit"]) == ("VS-AL-01", 9.0, 6.0)
    again = json.dumps(answer["nearest"]["action"])
    assert json.loads(run("check", battle, again, "--json")[1])["legal"] is True


def test_apply_waits_for_dice_and_takes_them(run: Run, shooting: Path, tmp_path: Path) -> None:
    waiting, rolled, outcome = (tmp_path / name for name in ("waiting.json", "rolled.json", "outcome.json"))
    code, out, _ = run("apply", shooting, "pass", "--out", waiting)
    assert (code, "dice must fall: target lock" in out) == (0, True)
    assert run("apply", waiting, "--dice", "1,1,2,3,4,5,6,6,6,6", "--out", rolled)[0] == 0
    assert run("apply", shooting, "pass", "--dice", "=2+2", "--out", outcome)[0] == 0
    assert rolled.read_bytes() == outcome.read_bytes()
    assert json.loads(run("choices", rolled, "--json")[1])["choices"][0]["verb"] == "remove"


def test_apply_writes_nothing_for_an_illegal_order(run: Run, battle: Path, tmp_path: Path) -> None:
    out = tmp_path / "after.json"
    code, told, _ = run("apply", battle, "R1 move to 12,12", "--out", out)
    assert (code, "VS-AL-01" in told, list(tmp_path.iterdir())) == (1, True, [])


def test_choices_lists_what_can_be_ordered_and_what_dice_are_asked(run: Run, shooting: Path, tmp_path: Path) -> None:
    offered = json.loads(run("choices", shooting, "--json")[1])
    assert offered["to_move"] == "blue"
    assert {"defend", "pass", "ditch"} <= {choice["verb"] for choice in offered["choices"]}
    waiting = tmp_path / "waiting.json"
    run("apply", shooting, "pass", "--out", waiting)
    asked = json.loads(run("choices", waiting, "--json")[1])
    assert (asked["to_move"], asked["choices"], len(asked["roll"]["dice"])) == ("chance", [], 10)
    assert "2 critical, 2 locks" in run("choices", waiting)[1]


# ---- pictures, paths, suggestions ------------------------------------------------------------------------------------


def test_show_draws_the_table_with_the_reach_of_a_unit(run: Run, battle: Path, tmp_path: Path) -> None:
    svg, png = tmp_path / "table.svg", tmp_path / "table.png"
    assert run("show", battle, "--picture", svg, "--reach", "R1")[0] == 0
    text = svg.read_text(encoding="utf-8")
    assert read_bases(text)["R1a"] == (9.0, 3.0, 0.5)
    for legend in ("can be reached", "coherency", "impassable", "red model"):
        assert legend in text
    assert run("show", battle, "--picture", png)[0] == 0
    assert png.read_bytes().startswith(b"\x89PNG")


def test_a_whole_army_is_proposed_while_units_are_put_down(run: Run, tmp_path: Path) -> None:
    place, svg = tmp_path / "new.json", tmp_path / "army.svg"
    new = ("new", "--rules", "wh40k2e", "--size", "skirmish", "--to-deploy", "--out", place)
    assert run(*new)[0] == 0
    code, out, _ = run("suggest", place, "--top", "1", "--time", "0", "--picture", svg)
    assert code == 0
    assert "the whole army, " in out
    data = json.loads(run("suggest", place, "--top", "1", "--time", "0", "--json")[1])
    orders = data["army"]["orders"]
    assert {one["unit"] for one in orders} == {"B1", "B2", "B3"}
    assert run("check", place, orders[0]["text"])[1].strip() == "legal"
    assert "whole army" in svg.read_text(encoding="utf-8")


@pytest.mark.parametrize(("threat", "sides"), [("red", ("red",)), ("both", ("red", "blue"))])
def test_show_draws_what_a_side_threatens(
    run: Run, battle: Path, tmp_path: Path, threat: str, sides: tuple[str, ...]
) -> None:
    svg = tmp_path / "threat.svg"
    code, out, _ = run("show", battle, "--picture", svg, "--threat", threat)
    assert code == 0
    told = [line for line in out.splitlines() if "next turn: can shoot or strike at" in line]
    assert [line.split()[0] for line in told] == list(sides)
    assert "B1 is in reach of R1" in out
    text = svg.read_text(encoding="utf-8")
    assert "one unit can attack" in text
    assert "threat-by-one side-red" in text
    assert ("threat-by-one side-blue" in text) is ("blue" in sides)


def test_path_is_exact_round_a_corner(run: Run, battle: Path, tmp_path: Path) -> None:
    picture = tmp_path / "way.svg"
    code, out, _ = run("path", battle, "--model", "R1c", "--to", "18,12", "--json", "--picture", picture)
    found = json.loads(out)
    assert (code, round(found["cost"], 4)) == (0, 11.2224)
    assert [sorted(leg) for leg in found["legs"]] == [["to"], ["arc", "to", "turn"], ["to"]]
    assert {move["verb"]: move["far_enough"] for move in found["moves"]}["run"] is True
    assert "11.22" in picture.read_text(encoding="utf-8")


def test_path_knows_budgets_heights_and_enemy_models(run: Run, battle: Path) -> None:
    code, out, _ = run("path", battle, "--model", "R1a", "--to", "9,5", "--budget", "2.005")
    assert (code, "too close to tell" in out) == (0, True)
    assert run("path", battle, "--model", "R1a", "--to", "9,5", "--budget", "1")[0] == 1
    climbing = json.loads(run("path", battle, "--model", "B1a", "--to", "6,12", "--json")[1])
    assert climbing["to"]["surface"] == "ledge-1"
    assert {"climb": "ledge-1"} in climbing["legs"]


def test_suggest_prints_orders_that_check_accepts(run: Run, battle: Path, tmp_path: Path) -> None:
    picture = tmp_path / "best.svg"
    code, out, _ = run("suggest", battle, "--top", "2", "--time", "0.2", "--json", "--picture", picture)
    found = json.loads(out)["plans"]
    assert (code, picture.exists()) == (0, True)
    assert 1 <= len(found) <= 2
    assert found[0]["value"] >= found[-1]["value"]
    for plan in found:
        assert run("check", battle, plan["text"])[:2] == (0, "legal\n")
        assert run("check", battle, json.dumps(plan["action"]))[:2] == (0, "legal\n")


def test_without_a_battle_the_built_in_one_is_asked(run: Run, tmp_path: Path) -> None:
    assert run("choices")[0] == 0
    assert run("check", "R1 move by 0,1")[:2] == (0, "legal\n")
    assert run("check", '{"unit": "R1", "verb": "move"}')[:2] == (0, "legal\n")
    assert run("path", "--model", "R1a", "--to", "9,5")[0] == 0
    assert run("suggest", "--top", "1", "--time", "0.1")[1].count("(value") == 1
    assert run("show", "--picture", tmp_path / "table.svg")[0] == 0
    assert run("apply", "R1 move by 0,1", "--out", tmp_path / "after.json")[0] == 0


# ---- whole games -----------------------------------------------------------------------------------------------------

QUICK = ("duel", "--size", "duel", "--red", "random", "--blue", "straight-ahead")


def test_a_duel_tells_orders_clauses_dice_and_odds_and_replays(run: Run, tmp_path: Path) -> None:
    record, picture = tmp_path / "game.jsonl", tmp_path / "end.svg"
    code, out, _ = run(*QUICK, "--seed", "5", "--record", record, "--picture", picture)
    assert code == 0
    for part in ("random", "dice: target lock", " = ", " %)", "[VS-AL-", "the game is over by", "red has left"):
        assert part in out
    assert picture.exists()
    end = out[out.index("the game is over by") :].splitlines()[0].split(",")[0]
    code, again, _ = run("replay", record)
    assert (code, end in again) == (0, True)
    log = run("replay", record, "--log")[1]
    assert [line for line in out.splitlines() if line in log.splitlines()][:5] == out.splitlines()[1:6]
    part = run("replay", record, "--to", "3", "--picture", tmp_path / "three.png")
    assert (part[0], "3 of " in part[1], (tmp_path / "three.png").exists()) == (0, True, True)


def test_the_same_seed_gives_the_same_record(run: Run, tmp_path: Path) -> None:
    first, second, other = (tmp_path / name for name in ("first.jsonl", "second.jsonl", "other.jsonl"))
    for record, seed in ((first, 2), (second, 2), (other, 3)):
        assert run(*QUICK, "--seed", seed, "--quiet", "--record", record)[0] == 0
    assert first.read_bytes() == second.read_bytes() != other.read_bytes()


def test_a_duel_goes_on_from_a_battle_file(run: Run, shooting: Path) -> None:
    code, out, _ = run("duel", shooting, "--red", "random", "--blue", "random", "--quiet")
    assert (code, "the game is over" in out) == (0, True)


def test_a_stopped_duel_keeps_what_it_has(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tactician.commands.games import Watcher

    seen = Watcher.see

    def stopping(watcher: Watcher, event: object) -> None:
        seen(watcher, event)  # type: ignore[arg-type]
        if len(watcher.record.plies) == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(Watcher, "see", stopping)
    record = tmp_path / "game.jsonl"
    code, out, err = run(*QUICK, "--record", record)
    assert (code, "stopped" in err, "4 plies" in out) == (130, True, True)
    assert "4 of 4 plies" in run("replay", record)[1]


def test_play_reads_orders_from_the_terminal(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(["R1 move to 12,12", "n", "R1 shoot B1", "quit"])
    monkeypatch.setattr("builtins.input", lambda question: next(typed))
    record, picture = tmp_path / "game.jsonl", tmp_path / "now.svg"
    given = ("--size", "duel", "--level", "random", "--seed", "1", "--record", record, "--picture", picture)
    code, out, _ = run("play", *given)
    assert (code, picture.exists()) == (0, True)
    assert "VS-AL-01" in out
    assert run("replay", record)[0] == 0


# ---- the rules -------------------------------------------------------------------------------------------------------


def test_rules_lists_games_clauses_and_options(run: Run) -> None:
    assert all(name in run("rules")[1] for name in ruleset_names())
    assert f"{len(load_ruleset('voidsiege').clauses)} clauses: " in run("rules", "voidsiege")[1]
    clauses = run("rules", "voidsiege", "--clauses")[1]
    assert all(clause.id in clauses for clause in load_ruleset("voidsiege").clauses)
    reference = run("rules", "voidsiege", "--reference")[1]
    assert all(part in reference for part in ("coherency_distance", "n-force", "long-rifles", "overrun"))


@pytest.mark.parametrize("name", ruleset_names())
def test_the_page_of_every_ruleset_is_up_to_date(run: Run, name: str) -> None:
    page = ROOT / "docs" / "rulesets" / f"{name}.md"
    is_new = run("rules", name, "--page")[1] == page.read_text(encoding="utf-8")
    assert is_new, f"write it anew: tactician rules {name} --page > docs/rulesets/{name}.md"


def test_case_runs_situations(run: Run, battle: Path, tmp_path: Path) -> None:
    case = {"case": "a move", "clause": "VS-AL-01", "battle": str(battle), "steps": [{"do": "R1 move R1a: 9,4"}]}
    good, wrong = tmp_path / "good.json", tmp_path / "wrong.json"
    good.write_text(json.dumps(case), encoding="utf-8")
    wrong.write_text(json.dumps({**case, "steps": [{"do": "R1 move R1a: 9,11"}]}), encoding="utf-8")
    assert run("case", good)[:2] == (0, "1 cases: 1 agree, 0 disagree\n")
    code, out, _ = run("case", good, wrong, "--json")
    answer = json.loads(out)
    assert (code, answer["agree"], answer["disagree"]) == (1, 1, 1)
    assert "VS-AL-01" in answer["cases"][1]["problems"][0]


def test_case_can_run_without_a_clause(run: Run, battle: Path, tmp_path: Path) -> None:
    step = {"do": "R1 move R1a: 9,9.5", "expect": {"violates": ["VS-GM-07"]}}
    case = {"case": "apart", "clause": "VS-GM-07", "battle": str(battle), "steps": [step]}
    place = tmp_path / "apart.json"
    place.write_text(json.dumps(case), encoding="utf-8")
    assert run("case", place)[0] == 0
    assert run("case", place, "--without", "VS-GM-07")[0] == 1


def test_schema_names_every_kind_of_file(run: Run) -> None:
    assert set(json.loads(run("schema")[1])) == {"battle", "action", "case", "record"}


# ---- as a user starts it ---------------------------------------------------------------------------------------------


def started(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A run in a process of its own."""
    code = "import sys; from tactician.cli import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-P", "-c", code, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_another_process_writes_the_same_record(run: Run, tmp_path: Path) -> None:
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    assert run(*QUICK, "--quiet", "--record", here)[0] == 0
    done = started(*QUICK, "--quiet", "--record", str(there))
    assert (done.returncode, done.stderr) == (0, "")
    assert here.read_bytes() == there.read_bytes()


def test_another_process_reports_bad_input_and_loads_nothing_heavy_for_help() -> None:
    done = started("choices", "nowhere.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: nowhere.json: there is no such file\n"
    heavy = "PIL,rich.table,pydantic,networkx,shapely,scipy,numba,tactician.agent"
    code = f"import sys; import tactician.cli; print([name for name in '{heavy}'.split(',') if name in sys.modules])"
    found = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"
