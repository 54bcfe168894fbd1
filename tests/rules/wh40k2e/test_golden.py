"""Battles pinned as records, ply by ply: what happens in them, and what they come to.

A file of `rules/wh40k2e/golden` is a record as the command line writes and replays it, played from the orders and dice
below; the moments that it is about are named by their plies. Write the files anew, after a change of the rules that is
meant, with

    .venv/bin/python -m tests.rules.wh40k2e.test_golden
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.chance import Outcome
from tactician.rules.core.notation import action_from_text
from tactician.rules.core.record import End, Fell, Record, read_record, replay
from tactician.rules.core.state import State
from tactician.rules.wh40k2e import RULESET

FOLDER = Path(__file__).resolve().parents[3] / "rules" / "wh40k2e" / "golden"

Facts = Mapping[str, Any]
Battle = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A battle, everything that is done and thrown in it, and what must be true after some of its plies."""

    battle: Battle
    plies: tuple[str | Outcome, ...]
    """Orders as text, and outcomes of the dice."""
    moments: tuple[tuple[int, Facts], ...]
    """So many plies, and facts after them."""


def models(name: str, *places: tuple[float, float], bearing: float = 0.0) -> list[dict[str, Any]]:
    return [{"id": f"{name}{n}", "at": list(at), "bearing": bearing} for n, at in enumerate(places, start=1)]


def battle(red: list[Battle], blue: list[Battle], **more: Any) -> Battle:
    return {
        "format": "tactician-battle/1",
        "ruleset": "wh40k2e",
        "board": {"width": 48, "height": 48},
        "sides": {"red": {"units": red}, "blue": {"units": blue}},
        **more,
    }


ORKS = models("O", (20, 26), (21.5, 26), (23, 26), (24.5, 26), bearing=180)
MARINES = models("M", (20, 20), (21.5, 20), (23, 20))

STOPPED = Game(
    battle=battle(
        [{"id": "M", "profile": "marine", "models": MARINES}],
        [{"id": "O", "profile": "boy", "models": ORKS}],
        scenario={"turns": 1, "first": "red"},
        active="red",
    ),
    plies=(
        "M overwatch",
        "pass",
        "O charge O1=M1 O2=M2 O3=M3 O4=M3",
        "O assault order O1 O2 O3 O4",
        "M fire mark O1 at 2.5",
        "M shoot M1=O M2=O M3=O",
        (2, 0),
        1,
    ),
    moments=(
        (1, {"units.M.overwatch": True, "turn": "blue"}),
        (3, {"units.O.charge": "O1:M1 O2:M2 O3:M3 O4:M3", "turn": "blue"}),
        (4, {"frame": "react", "to_move": "red", "offers.fire.M": True}),
        (5, {"models.O1.y": 23.5, "models.O2.y": 26, "offers.shoot.M": True}),
        (6, {"units.M.overwatch": False, "roll.subject": "M"}),
        (8, {"units.O.models": 2, "units.O.broken": True, "units.O.engaged": False, "models.O3.y": 26}),
        (8, {"points.red": 1, "winner": "red"}),
    ),
)
"""Two of four chargers fall to fire from overwatch half way, and the rest break before any of them strikes."""

WOOD = {"id": "wood", "kind": "wood", "shape": {"rect": [15, 28, 30, 34]}}
GUARDS = models("G", (20, 24), (21.5, 24), (23, 24), (24.5, 24), bearing=180)

BROKEN = Game(
    battle=battle(
        [{"id": "M", "profile": "marine", "models": models("M", (20, 10), (21.5, 10), (23, 10))}],
        [{"id": "G", "profile": "guardsman", "models": GUARDS}],
        board={"width": 48, "height": 48, "features": [WOOD]},
        scenario={"turns": 2, "first": "red"},
        active="red",
    ),
    plies=("pass", "pass", "M shoot M1=G M2=G M3=G", (1, 0), 1, 6, "pass", "pass", "pass", 1),
    moments=(
        (4, {"rolling": "test: losses of Guardsman (G), Leadership 7", "units.G.models": 3}),
        (5, {"units.G.broken": True, "turn": "blue", "frame": "flight", "roll.dice": 2}),
        (6, {"units.G.fled": True, "units.G.moved": "compelled", "turn": "red", "units.G.hidden": False}),
        (9, {"units.G.hidden": True, "units.G.fled": False}),
        (9, {"rolling": "test: rallying of Guardsman (G), Leadership 7"}),
        (10, {"units.G.broken": False, "ended": "last turn"}),
    ),
)
"""A squad loses a quarter, flees into the wood behind it, hides there in its next turn and takes heart again."""

COPSE = {"id": "copse", "kind": "wood", "shape": {"rect": [15, 24, 30, 30]}}

FOUND = Game(
    battle=battle(
        [{"id": "M", "profile": "marine", "models": models("M", (20, 17.5), (21.5, 17.5), (23, 17.5))}],
        [{"id": "G", "profile": "guardsman", "models": models("G", (20, 25), (21.5, 25), (23, 25), bearing=180)}],
        board={"width": 48, "height": 48, "features": [COPSE]},
        scenario={"turns": 1, "first": "blue"},
        active="blue",
        phase="hiding",
    ),
    plies=(
        "G hide",
        "pass",
        "pass",
        "M move order M1 M2 M3 M1: 20,20.5; M2: 21.5,20.5; M3: 23,20.5",
        "pass",
        'M shoot M1="G:boltgun" M2="G:boltgun" M3="G:boltgun"',
        (1, 0),
        0,
    ),
    moments=(
        (1, {"units.G.hidden": True, "units.G.spotted": False}),
        (4, {"units.G.hidden": True, "units.G.spotters": "M", "units.G.gap.M": 3.5}),
        (5, {"phase": "shooting", "offers.shoot.M": True}),
        (7, {"units.G.models": 2, "frame": "test"}),
    ),
)
"""Whoever comes within its Initiative in inches of a hidden squad has found it, and shoots."""


def run(halts: bool, after: Facts) -> Game:
    """Three marines run straight at an enemy ten inches off."""
    return Game(
        battle=battle(
            [{"id": "M", "profile": "marine", "models": models("M", (20, 10), (21.5, 10), (23, 10))}],
            [{"id": "G", "profile": "guardsman", "models": models("G", (21.5, 21), bearing=180)}],
            options={"original_run_halt": halts},
            scenario={"turns": 1, "first": "red"},
            active="red",
            phase="normal",
        ),
        plies=("M run order M2 M1 M3 M1: 20,18; M2: 21.5,18; M3: 23,18",),
        moments=((1, after),),
    )


GAMES: dict[str, Game] = {
    "overwatch-stops-a-charge": STOPPED,
    "broken-and-rallied": BROKEN,
    "hidden-and-found": FOUND,
    "runners-go-on": run(False, {"models.M2.y": 18, "units.G.gap.M": 2, "units.M.moved": "ran"}),
    "runners-halt": run(True, {"models.M2.y": 12, "units.G.gap.M": 8, "units.M.moved": "ran"}),
}


def written(name: str) -> Record:
    return read_record(FOLDER / f"{name}.jsonl")


def holds(state: State, facts: Facts) -> list[str]:
    """The facts that are not as they should be."""
    found = {path: RULESET.fact(state, path) for path in facts}
    return [f"{path}: {found[path]!r}, not {facts[path]!r}" for path in facts if not is_as(found[path], facts[path])]


def is_as(found: object, wanted: object) -> bool:
    if isinstance(wanted, float | int) and not isinstance(wanted, bool):
        return found == pytest.approx(wanted, abs=1e-3)
    return found == wanted


@pytest.mark.parametrize("name", GAMES)
def test_a_pinned_battle_comes_out_the_same(name: str) -> None:
    record = written(name)
    assert record.version == RULESET.info.version, "of another version of the rules; see above how to write it anew"
    end = replay(record, RULESET)
    assert RULESET.to_move(end) == TERMINAL
    assert record.plies == played(GAMES[name]).plies


@pytest.mark.parametrize("name", GAMES)
def test_the_moments_that_it_is_about_are_as_they_should_be(name: str) -> None:
    for ply, facts in GAMES[name].moments:
        assert holds(replay(written(name), RULESET, ply), facts) == [], f"after ply {ply}"


@pytest.mark.parametrize("name", GAMES)
def test_the_dice_of_a_pinned_battle_are_asked_the_same(name: str) -> None:
    record = written(name)
    state: State = RULESET.from_data(record.start)
    for ply in record.plies:
        if isinstance(ply, Fell):
            assert RULESET.pending(state).why == ply.why
            state = RULESET.resolve(state, ply.outcome)
        else:
            state = RULESET.apply(state, ply.action)


# ---- writing ---------------------------------------------------------------------------------------------------------


def played(game: Game) -> Record:
    """The record of a battle: its orders and dice, then whatever ends it soonest."""
    record = Record(product="0", ruleset=RULESET.info.id, version=RULESET.info.version, start=game.battle)
    state: State = RULESET.from_data(game.battle)
    for ply in game.plies:
        state = went_on(record, state, ply)
    while (mover := RULESET.to_move(state)) != TERMINAL:
        if mover == CHANCE:
            state = went_on(record, state, max(RULESET.pending(state).support(), key=lambda row: row[1])[0])
        else:
            state = went_on(record, state, "pass")
    record.end = End(ending=RULESET.ending(state), returns=RULESET.returns(state))
    return record


def went_on(record: Record, state: State, ply: str | Outcome) -> State:
    mover = RULESET.to_move(state)
    if not isinstance(ply, str):
        assert mover == CHANCE, f"{ply}: {mover} is to decide"
        record.fell(ply, RULESET.pending(state).why)
        return RULESET.resolve(state, ply)
    action = action_from_text(ply)
    faults = RULESET.check(state, action)
    assert not faults, f"{ply}: {'; '.join(map(str, faults))}"
    record.did(mover, action)
    return RULESET.apply(state, action)


def regenerate() -> None:
    """Write the files anew."""
    for name, game in GAMES.items():
        played(game).write(FOLDER / f"{name}.jsonl")


if __name__ == "__main__":
    regenerate()
