"""Ways and reaches over ground that costs, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tactician.cli import main
from tactician.rules.core.ruleset import Scenario, load_ruleset

from tests.app.conftest import Run

RULES = load_ruleset("wh40k2e")


def moved(tmp: Path, table: str, x: float, y: float) -> Path:
    """A skirmish in which red may walk, its second unit with its first model at a place."""
    state = RULES.start(Scenario(size="skirmish", table=table, deployed=True, first="red"))
    while not any(choice.verb == "run" for choice in RULES.choices(state)):
        state = RULES.apply(state, next(one for one in RULES.choices(state) if one.verb == "pass").bare())
    unit = state.unit("R2")
    places = {m.id: m.pose._replace(x=x + 1.5 * (i % 3), y=y + 1.5 * (i // 3)) for i, m in enumerate(unit.models)}
    place = tmp / f"{table}.json"
    place.write_text(json.dumps(RULES.to_data(state.with_unit(unit.moved(places)))))
    return place


@pytest.fixture(scope="module")
def farmland(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Beside walls that cost a fee, and an open gate between them."""
    return moved(tmp_path_factory.mktemp("ground"), "farmland", 14.0, 13.5)


@pytest.fixture(scope="module")
def marshland(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Beside a marsh."""
    return moved(tmp_path_factory.mktemp("ground"), "marshland", 15.5, 12.0)


def test_a_fee_stands_in_the_ledger(run: Run, farmland: Path) -> None:
    code, out, _ = run("path", farmland, "--model", "R2d", "--to", "14,19.5", "--verb", "run")
    assert code == 0
    assert "6.5000 inches" in out.splitlines()[0]
    assert "length: 4.5000" in out
    assert "fee for wall-1: 2.0000" in out


def test_slow_ground_stands_in_the_ledger(run: Run, marshland: Path) -> None:
    code, out, _ = run("path", marshland, "--model", "R2d", "--to", "11,13", "--verb", "run", "--json")
    assert code == 0
    data = json.loads(out)
    ledger = data["ledger"]
    assert ledger["slow_ground"]["pieces"] == ["marsh-1"]
    assert ledger["slow_ground"]["inches"] > 1.0
    assert ledger["fees"] == []
    assert data["cost"] == pytest.approx(ledger["length"] + ledger["slow_ground"]["inches"])


def test_the_legs_of_a_way_add_up_to_its_cost(run: Run, farmland: Path) -> None:
    _, out, _ = run("path", farmland, "--model", "R2e", "--to", "18,21", "--verb", "run")
    first, *rest = out.splitlines()
    legs = [float(line.rsplit(":", 1)[1]) for line in rest if line.strip()[:1].isdigit()]
    assert len(legs) > 1
    assert sum(legs) == pytest.approx(float(first.rsplit(":", 1)[1].split()[0]), abs=1e-3)


def test_a_budget_counts_fees(run: Run, farmland: Path) -> None:
    assert run("path", farmland, "--model", "R2d", "--to", "14,19.5", "--verb", "run", "--budget", "6.5")[0] == 0
    assert run("path", farmland, "--model", "R2d", "--to", "14,19.5", "--verb", "run", "--budget", "6.4")[0] == 1


def test_a_place_inside_an_obstacle_is_refused_by_its_name(run: Run, farmland: Path) -> None:
    code, out, _ = run("path", farmland, "--model", "R2d", "--to", "14,18", "--verb", "run")
    assert code == 1
    assert "nobody may rest half way across wall-1" in out


def test_a_way_over_free_ground_has_no_ledger(run: Run, farmland: Path) -> None:
    _, out, _ = run("path", farmland, "--model", "R2d", "--to", "14,16.5", "--verb", "run")
    assert "length" not in out


def test_the_picture_of_a_way_tells_what_is_paid(run: Run, farmland: Path, tmp_path: Path) -> None:
    svg = tmp_path / "way.svg"
    run("path", farmland, "--model", "R2d", "--to", "14,19.5", "--verb", "run", "--picture", svg)
    assert 'R2d: 6.50"' in svg.read_text()


@pytest.mark.slow
def test_a_reach_over_ground_that_costs_is_drawn(farmland: Path, marshland: Path, tmp_path: Path) -> None:
    for battle in (farmland, marshland):
        svg = tmp_path / f"{battle.stem}.svg"
        assert main(["show", str(battle), "--picture", str(svg), "--reach", "R2"]) == 0
        assert "can be reached" in svg.read_text()
