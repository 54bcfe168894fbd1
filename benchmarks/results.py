"""From finished games to a result: counts, shares with intervals, and what occurred how often."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tactician.agent.arena import wilson
from tactician.rules.core.ruleset import Info, load_ruleset
from tactician.rules.core.state import SIDES

from benchmarks.claims import LEAST_OFTEN, OCCURRENCES, Claim
from benchmarks.machine import ROOT, this_machine
from benchmarks.playing import FAULTS, KINDS, Played, Tally

__all__ = ["RESULTS", "occurrences", "read_result", "result", "tallies_of", "write_result"]

RESULTS = ROOT / "docs" / "evidence"
"""Where results stand, one file a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What a policy got of some games."""

    of: str
    """The games it is about: ``all``, or a size or mission."""
    games: int
    won: int
    drawn: int
    lost: int
    share: float
    """Draws half."""
    low: float
    """Lower end of the 95 % interval (Wilson), pairs of games on one seed being the trials."""
    high: float


def result(claim: Claim, games: list[Played]) -> dict[str, Any]:
    """A result as JSON-able data; `holds` says whether everything that was claimed is so."""
    faults = {fault: sum(game.fault == fault for game in games) for fault in FAULTS}
    shares = _shares(claim, games)
    return {
        "name": claim.name,
        "ruleset": {"id": claim.ruleset, "version": load_ruleset(claim.ruleset).info.version},
        "commits": _counted(game.commit for game in games),
        "machine": asdict(this_machine()),
        "policies": [claim.first, claim.second],
        "games": {"planned": len(claim.games()), "finished": len(games)},
        "plies": sum(game.plies for game in games),
        "processor_seconds": round(sum(game.seconds for game in games), 1),
        "faults": faults,
        "stories": [f"{game.game}: {game.story}" for game in games if game.fault],
        "claimed_share": claim.least,
        "shares": [asdict(share) for share in shares],
        "sides": {side: sum(game.returns[place] > 0 for game in games) for place, side in enumerate(SIDES)},
        "sizes": _counted(game.game.size for game in games),
        "missions": _counted(game.game.mission for game in games),
        "tables": _counted(game.game.table for game in games),
        "armies": _counted(" v ".join(game.game.armies) or "own" for game in games),
        "ends": _counted(game.ending for game in games),
        "occurred": [[row.kind, row.name, row.policy, row.times] for row in _added(games)],
        "holds": not any(faults.values()) and all(share.share >= claim.least for share in shares[:1]),
    }


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))


def _added(games: list[Played]) -> list[Tally]:
    counts: Counter[tuple[str, str, str]] = Counter()
    for game in games:
        for row in game.tallies:
            counts[row.kind, row.name, row.policy] += row.times
    return [Tally(kind=kind, name=name, policy=who, times=times) for (kind, name, who), times in sorted(counts.items())]


def _shares(claim: Claim, games: list[Played]) -> list[Share]:
    """Of all games first, then by size and by mission; none where a policy meets itself."""
    if claim.is_mirror or not games:
        return []
    found = [_share("all", claim, games)]
    parts: tuple[Callable[[Played], str], ...] = (lambda game: game.game.size, lambda game: game.game.mission)
    for part in parts:
        for name in sorted({part(game) for game in games}):
            found.append(_share(name, claim, [game for game in games if part(game) == name]))
    return found


def _share(of: str, claim: Claim, games: list[Played]) -> Share:
    points = [game.share_of(claim.first) for game in games]
    share = sum(points) / len(points)
    low, high = wilson(share, len({game.game.seed for game in games}))
    return Share(
        of=of,
        games=len(games),
        won=points.count(1.0),
        drawn=points.count(0.5),
        lost=points.count(0.0),
        share=round(share, 4),
        low=round(low, 4),
        high=round(high, 4),
    )


# ---- what occurred in all games of a ruleset -------------------------------------------------------------------------


def tallies_of(data: dict[str, Any]) -> list[Tally]:
    """The counts in a result."""
    return [Tally(kind=kind, name=name, policy=who, times=times) for kind, name, who, times in data["occurred"]]


def occurrences(ruleset: str, results: list[dict[str, Any]]) -> dict[str, Any]:
    """The counts of several results added up, and what occurred too seldom or because of one policy alone."""
    info = load_ruleset(ruleset).info
    by: dict[tuple[str, str], Counter[str]] = {row: Counter() for row in _expected(info)}
    for data in results:
        for tally in tallies_of(data):
            by.setdefault((tally.kind, tally.name), Counter())[tally.policy] += tally.times
    rows = [
        {"kind": kind, "name": name, "times": sum(counts.values()), "by": dict(sorted(counts.items()))}
        for (kind, name), counts in by.items()
    ]
    missing = [f"{row['kind']} {row['name']}" for row in rows if not _is_often(row)]
    unknown = [f"{kind} {name}" for kind, name in by if (kind, name) not in _expected(info)]
    return {
        "name": f"{ruleset}-{OCCURRENCES}",
        "ruleset": {"id": ruleset, "version": info.version},
        "of": {data["name"]: data["games"]["finished"] for data in results},
        "versions": sorted({data["ruleset"]["version"] for data in results}),
        "commits": sorted({commit for data in results for commit in data["commits"]}),
        "machine": asdict(this_machine()),
        "least_often": LEAST_OFTEN,
        "rows": rows,
        "missing": missing,
        "unknown": unknown,
        "holds": not missing and not unknown,
    }


def _is_often(row: dict[str, Any]) -> bool:
    return row["times"] >= LEAST_OFTEN and len(row["by"]) >= 2


def _expected(info: Info) -> list[tuple[str, str]]:
    names = (info.verbs, info.frames, info.rolls, info.ends)
    return [(kind, name) for kind, row in zip(KINDS, names, strict=True) for name in row]


# ---- files -----------------------------------------------------------------------------------------------------------


def write_result(data: dict[str, Any], folder: Path = RESULTS) -> Path:
    """Write a result as a whole."""
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / f"{data['name']}.json"
    beside = place.with_suffix(".part")
    beside.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    beside.replace(place)
    return place


def read_result(name: str, folder: Path = RESULTS) -> dict[str, Any] | None:
    """A result by name, or None where nothing has been measured."""
    place = folder / f"{name}.json"
    if not place.exists():
        return None
    data: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))
    return data
