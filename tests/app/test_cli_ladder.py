"""The command ladder: tables, resuming, shards, merging, stopping, its page, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tactician.agent import ladder as playing
from tactician.agent.ladder_files import Ladder, read_ladder
from tactician.commands.strength import page_of

from tests.architecture.tree import ROOT

Run = Callable[..., tuple[int, str, str]]

TINY = ("ladder", "--rules", "_template", "--policies", "random,straight-ahead", "--games", "4", "--jobs", "1")
"""Two policies, two pairs."""


def timeless(place: Path) -> Any:
    """What stands in a file, without the times."""
    data = json.loads(place.read_text())
    for row in data["standings"]:
        del row["seconds_a_decision"], row["longest_decision"]
    for pair in data["pairs"]:
        for game in pair["games"]:
            for side in ("red", "blue"):
                del game[side]["seconds"], game[side]["longest"]
    return data


def read(place: Path) -> Ladder:
    return read_ladder(str(place))


def test_it_prints_shares_ratings_times_and_blunders(run: Run, tmp_path: Path) -> None:
    place = tmp_path / "ladder.json"
    code, out, err = run(*TINY, "--out", place)
    assert code == 0
    for part in (
        "Duel, duel: 4 games",
        "random",
        "straight-ahead",
        "95 % interval",
        "Elo",
        "s a decision",
        "idle unit",
    ):
        assert part in out
    assert f"results: {place}" in out
    assert "2 of 2: random against straight-ahead, seed 1:" in err
    assert len(read(place).pairs) == 2


def test_it_goes_on_from_its_file_and_adds_games(run: Run, tmp_path: Path) -> None:
    place, other = tmp_path / "ladder.json", tmp_path / "other.json"
    more = [*TINY[:-3], "6", *TINY[-2:]]
    assert run(*TINY, "--out", place)[0] == 0
    code, _, err = run(*more, "--out", place)
    assert code == 0
    assert "1 of 1: random against straight-ahead, seed 2" in err
    assert run(*more, "--out", other)[0] == 0
    assert timeless(place) == timeless(other)
    assert "1 of" not in run(*more, "--out", place)[2]


def test_stopping_keeps_what_is_finished(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place, whole = tmp_path / "ladder.json", tmp_path / "whole.json"
    played = playing.played

    def stopped(settings: playing.Settings, todo: Iterable[playing.Fixture], jobs: int) -> Iterator[playing.Pair]:
        first, *_ = todo
        yield from played(settings, (first,), jobs)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(playing, "played", stopped)
        code, out, err = run(*TINY, "--out", place)
    assert code == 130
    assert "stopped" in err
    assert "1 of 2 pairs of games have been played" in out
    assert len(read(place).pairs) == 1
    assert run(*TINY, "--out", place)[0] == run(*TINY, "--out", whole)[0] == 0
    assert timeless(place) == timeless(whole)


def test_shards_and_several_processes_come_to_the_same(run: Run, tmp_path: Path) -> None:
    one, two, joined, whole = (tmp_path / f"{name}.json" for name in ("one", "two", "joined", "whole"))
    assert run(*TINY, "--shard", "1/2", "--out", one)[0] == 0
    assert run(*TINY, "--shard", "2/2", "--out", two)[0] == 0
    code, out, _ = run("ladder", "--merge", one, two, "--out", joined)
    assert code == 0
    assert "pairs of games have been played" not in out
    assert run(*TINY[:-1], "2", "--out", whole)[0] == 0
    assert timeless(joined) == timeless(whole)


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        (("--rules", "chess"), ("--rules", "chess")),
        (("--policies", "greedy,randon"), ("--policies", "no policy 'randon'", "did you mean 'random'")),
        (("--policies", "greedy"), ("--policies", "at least two different ones")),
        (("--policies", "greedy,greedy"), ("--policies", "at least two different ones")),
        (("--size", "huge"), ("--size", "no size 'huge'")),
        (("--games", "0"), ("--games", "found 0, expected a number from 1")),
        (("--budget", "0"), ("--budget", "at least 1 evaluation")),
        (("--jobs", "0"), ("--jobs", "from 1 to")),
        (("--shard", "3/2"), ("--shard", "i/n with i from 1 to n")),
        (("--shard", "half"), ("--shard", "i/n with i from 1 to n")),
        (("--out", "ladder.txt"), ("--out", ".json")),
        (("--out", "nowhere/ladder.json"), ("--out", "no folder")),
        (("a.json",), ("files only together with --merge",)),
        (("--merge",), ("--merge", "no file is named")),
        (("--merge", "a.json", "--games", "4"), ("--merge", "given as well: --games")),
        (("--merge", "nothing.json"), ("nothing.json", "there is no such file")),
        (("--page",), ("--page", "there is no folder docs/strength here")),
    ],
)
def test_bad_input_gets_one_message(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], parts: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run("ladder", *options)
    assert (code, out) == (2, "")
    assert len(err.strip().splitlines()) == 1
    for part in parts:
        assert part in err
    assert list(tmp_path.iterdir()) == []


def test_files_of_other_settings_or_sources_are_refused(run: Run, tmp_path: Path) -> None:
    place, other = tmp_path / "ladder.json", tmp_path / "other.json"
    assert run(*TINY, "--out", place)[0] == 0
    before = place.read_text()
    code, out, err = run(*TINY, "--seed", "5", "--out", place)
    assert (code, out) == (2, "")
    assert "settings.seed is 0, not 5 as in what is asked for" in err
    data = json.loads(before)
    other.write_text(json.dumps({**data, "made": {**data["made"], "code": "0123"}}))
    code, out, err = run("ladder", "--merge", place, other, "--out", place)
    assert (code, out) == (2, "")
    assert len(err.strip().splitlines()) == 1
    assert "made.code is 0123" in err
    code, _, err = run(*TINY, "--out", other)
    assert code == 2
    assert "made.code is 0123" in err
    assert place.read_text() == before


def test_a_file_that_is_no_ladder_is_neither_read_nor_overwritten(run: Run, tmp_path: Path) -> None:
    place = tmp_path / "battle.json"
    place.write_text('{"format": "tactician-battle-1"}')
    for arguments in ((*TINY, "--out", place), ("ladder", "--merge", place)):
        code, _, err = run(*arguments)
        assert code == 2
        assert "expected 'tactician-ladder-1'" in err
    assert place.read_text() == '{"format": "tactician-battle-1"}'


def test_an_illegal_order_is_told(run: Run, tmp_path: Path) -> None:
    place = tmp_path / "ladder.json"
    assert run(*TINY, "--out", place)[0] == 0
    data = json.loads(place.read_text())
    data["pairs"][0]["games"][0]["fault"] = "random ordered win: no such verb"
    place.write_text(json.dumps(data))
    code, out, _ = run(*TINY, "--out", place)
    assert code == 1
    assert "fault, seed 0: random ordered win: no such verb" in out


def test_the_page_is_written_from_the_results(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "docs" / "strength"
    folder.mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    small = ("ladder", "--policies", "random,straight-ahead", "--games", "2", "--jobs", "1", "--budget", "2")
    code, out, _ = run(*small, "--out", "docs/strength/small.json", "--page")
    assert code == 0
    assert "page: docs/strength.md" in out
    text = (tmp_path / "docs" / "strength.md").read_text(encoding="utf-8")
    assert text == page_of(folder)
    assert "### small" in text
    assert "--policies random,straight-ahead --games 2 --seed 0 --budget 2 --out docs/strength/small.json" in text
    assert "| random | straight-ahead | 2 |" in text
    assert run("ladder", "--page")[:2] == (0, "page: docs/strength.md\n")
    place = folder / "small.json"
    place.write_text(place.read_text().replace('"version": "', '"version": "0.'))
    assert "this has to be played again" in page_of(folder)


def test_the_page_of_the_repository_is_what_its_results_say() -> None:
    page = (ROOT / "docs" / "strength.md").read_text(encoding="utf-8")
    assert page == page_of(ROOT / "docs" / "strength"), "tactician ladder --page"
