"""Play the games behind a claim: ``python -m benchmarks.evidence NAME [--shard i/n] [--workers 2]``.

A game may also be a stretch of random steps in an environment. Every finished game is a line of a work file under
``build/evidence``; a game that stands there, went well and was played with the present version of its ruleset is not
played again, so that a run may be stopped at any moment. When all games of a claim are there,
``docs/evidence/NAME.json`` and the page of the evidence are written.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from tactician.rules.core.ruleset import load_ruleset, ruleset_names

from benchmarks.claims import OCCURRENCES, Claim, Game, claims
from benchmarks.env_claims import EnvClaim, Stretch, env_claims
from benchmarks.env_playing import Stepped, env_result, stepped
from benchmarks.evidence_page import write_page
from benchmarks.machine import ROOT
from benchmarks.playing import Played, played
from benchmarks.results import occurrences, read_result, result, write_result

__all__ = ["finished", "main", "run"]

WORK = ROOT / "build" / "evidence"

PAGE_NAME = "page"

AnyClaim = Claim | EnvClaim
AnyGame = Game | Stretch
AnyPlayed = Played | Stepped


def finished(claim: AnyClaim, work: Path = WORK) -> dict[int, AnyPlayed]:
    """The games of a claim that stand in work files and were played with the present version, by number.

    The last line of a game counts.
    """
    version, games = load_ruleset(claim.ruleset).info.version, claim.games()
    read = Stepped.from_data if isinstance(claim, EnvClaim) else Played.from_data
    found: dict[int, AnyPlayed] = {}
    for place in _files(claim, work):
        for line in place.read_text(encoding="utf-8").splitlines():
            if not line.endswith("}"):
                continue  # cut off when its run was stopped
            one: AnyPlayed = read(json.loads(line))
            if one.version == version and one.game == games[one.game.number]:
                found[one.game.number] = one
    return found


def _files(claim: AnyClaim, work: Path = WORK) -> list[Path]:
    """The work files of a claim: one, or one a shard."""
    return sorted([*work.glob(f"{claim.name}.jsonl"), *work.glob(f"{claim.name}.*-of-*.jsonl")])


def run(claim: AnyClaim, *, shard: tuple[int, int], workers: int, most: int | None, work: Path = WORK) -> None:
    """Play what is missing of a shard, writing a line whenever a game is over."""
    done = finished(claim, work)
    part, parts = shard
    missing = [
        game
        for game in claim.games()
        if game.number % parts == part - 1 and (game.number not in done or done[game.number].fault)
    ][:most]
    _tell(f"{claim.name}: {len(done)} of {len(claim.games())} games are there, {len(missing)} to play")
    if not missing:
        return
    work.mkdir(parents=True, exist_ok=True)
    place = work / (f"{claim.name}.jsonl" if parts == 1 else f"{claim.name}.{part}-of-{parts}.jsonl")
    began = time.monotonic()
    with (
        place.open("a", encoding="utf-8") as lines,
        ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool,
    ):
        waiting = [pool.submit(_play, claim.ruleset, game) for game in missing]
        for number, future in enumerate(as_completed(waiting), start=1):
            one = future.result()
            lines.write(json.dumps(one.to_data()) + "\n")
            lines.flush()
            _tell(f"{number}/{len(missing)} {time.monotonic() - began:6.0f} s  {_told(one.game, one)}")


def _play(ruleset: str, game: AnyGame) -> AnyPlayed:
    return stepped(ruleset, game) if isinstance(game, Stretch) else played(ruleset, game)


def _told(game: AnyGame, one: AnyPlayed) -> str:
    who = f"random numbers, {' v '.join(game.armies)}" if isinstance(game, Stretch) else f"{game.red} v {game.blue}"
    return f"#{game.number} seed {game.seed} {game.size}, {game.mission}, {game.table}, {who}: {one.told()}"


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _conclude(claim: AnyClaim, work: Path = WORK) -> bool:
    """Write the result if every game is there; whether nothing speaks against the claim."""
    games = [one for _, one in sorted(finished(claim, work).items())]
    if isinstance(claim, EnvClaim):
        data = env_result(claim, [game for game in games if isinstance(game, Stepped)])
    else:
        data = result(claim, [game for game in games if isinstance(game, Played)])
    keys = ("games", "steps", "plies", "episodes", "faults", "stages", "verbs", "shares", "ends", "holds")
    told = {key: data[key] for key in keys if key in data}
    sys.stdout.write(json.dumps(told, indent=1) + "\n")
    if len(games) < len(claim.games()):
        _tell(f"{len(claim.games()) - len(games)} games are missing: nothing is written")
    else:
        _tell(f"wrote {write_result(data)} and {write_page()}")
    return bool(data["holds"])


def _merge(ruleset: str) -> bool:
    """Add up what occurred; whether nothing is missing."""
    found = [read_result(claim.name) for claim in claims() if claim.ruleset == ruleset]
    data = occurrences(ruleset, [one for one in found if one is not None])
    _tell(f"wrote {write_result(data)} and {write_page()}")
    sys.stdout.write(f"missing: {', '.join(data['missing']) or 'nothing'}\n")
    return bool(data["holds"])


def _shard(text: str) -> tuple[int, int]:
    part, _, parts = text.partition("/")
    if not (part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts)):
        raise argparse.ArgumentTypeError(f"{text!r}: expected i/n with i from 1 to n")
    return int(part), int(parts)


def _names() -> list[str]:
    merged = [f"{name}-{OCCURRENCES}" for name in ruleset_names()]
    return [*(claim.name for claim in _every()), *merged, PAGE_NAME]


def _every() -> tuple[AnyClaim, ...]:
    return (*claims(), *env_claims())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0 if what is claimed holds so far, 1 if not."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evidence", description=__doc__.partition("\n")[0])
    parser.add_argument("name", choices=_names(), metavar="NAME", help=", ".join(_names()))
    parser.add_argument("--shard", type=_shard, default=(1, 1), metavar="i/n", help="play only one part of n")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--fresh", action="store_true", help="forget the games played so far")
    parser.add_argument("--most", type=int, default=None, help="games to play before stopping")
    given = parser.parse_args(arguments)
    if given.name == PAGE_NAME:
        _tell(f"wrote {write_page()}")
        return 0
    for claim in _every():
        if claim.name == given.name:
            for place in _files(claim) if given.fresh else ():
                place.unlink()
            run(claim, shard=given.shard, workers=given.workers, most=given.most)
            return 0 if _conclude(claim) else 1
    return 0 if _merge(given.name.removesuffix(f"-{OCCURRENCES}")) else 1


if __name__ == "__main__":
    sys.exit(main())
