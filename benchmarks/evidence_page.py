"""The page of the evidence, ``docs/evidence.md``, written from the results that stand beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tactician.rules.core.ruleset import load_ruleset, ruleset_names

from benchmarks.claims import LEAST_OFTEN, OCCURRENCES, Claim, claims
from benchmarks.env_claims import STEPS, env_claims
from benchmarks.machine import ROOT
from benchmarks.playing import FAULTS
from benchmarks.results import RESULTS, read_result

__all__ = ["PAGE", "page", "write_page"]

PAGE = ROOT / "docs" / "evidence.md"

HEAD = """# Evidence

What was measured before it was claimed: whole games, every order checked by the referee before it was applied. This
page is generated from the files in [evidence](evidence): `python -m benchmarks.evidence page` writes it anew, and
`python -m benchmarks.evidence NAME` plays the games of a row (fixed seeds; it goes on where it was stopped).

A share counts draws half; its 95 % interval (Wilson) takes the pairs of games on one seed, sides swapped, as its
trials.
"""

ENV_COLUMNS = ("name", "steps", "episodes", "plies", "numbers to choose from", "faults", "holds", "of")

COLUMNS = ("name", "games", "plies", f"faults ({', '.join(FAULTS)})", "share of the first", "claimed", "holds", "of")


def page(folder: Path = RESULTS) -> str:
    """The whole page as Markdown."""
    lines = [HEAD]
    for name in ruleset_names():
        lines += _ruleset(name, folder)
    return "\n".join(lines).rstrip() + "\n"


def write_page() -> Path:
    """Write it."""
    PAGE.write_text(page(), encoding="utf-8")
    return PAGE


def _ruleset(name: str, folder: Path) -> Iterator[str]:
    info = load_ruleset(name).info
    yield from (f"## {info.name}", "", f"The present version of the ruleset is {info.version}.", "")
    yield f"| {' | '.join(COLUMNS)} |"
    yield "|---" * len(COLUMNS) + "|"
    found = [(claim, read_result(claim.name, folder)) for claim in claims() if claim.ruleset == name]
    for claim, data in found:
        yield _row(claim, data, info.version)
    yield ""
    for _, data in found:
        if data is not None:
            yield from _details(data)
    yield from _occurrences(name, folder, info.version)
    yield from _environments(name, folder, info.version)


def _row(claim: Claim, data: dict[str, Any] | None, present: str) -> str:
    if data is None:
        return f"| `{claim.name}` | not played yet | | | | {_claimed(claim)} | | |"
    games = data["games"]
    cells = (
        f"`{claim.name}`",
        _of(games["finished"], games["planned"]),
        str(data["plies"]),
        ", ".join(str(number) for number in data["faults"].values()),
        _share(data["shares"][0]) if data["shares"] else "",
        _claimed(claim),
        "yes" if data["holds"] else "**no**",
        _version(data, present),
    )
    return f"| {' | '.join(cells)} |"


def _claimed(claim: Claim) -> str:
    return "no fault" + (f", at least {claim.least:.0%}" if claim.least > 0 else "")


def _of(finished: int, planned: int) -> str:
    return str(finished) if finished == planned else f"{finished} of {planned}"


def _share(row: dict[str, Any]) -> str:
    return f"{row['share']:.1%} ({row['low']:.1%} to {row['high']:.1%})"


def _version(data: dict[str, Any], present: str) -> str:
    version = data["ruleset"]["version"]
    return f"version {version}" if version == present else f"**version {version}, no longer the present one**"


def _details(data: dict[str, Any]) -> Iterator[str]:
    parts = "; ".join(_counts(data[part]) for part in ("sizes", "missions", "tables", "armies") if data.get(part))
    yield from (f"### {data['name']}", "")
    yield f"- {' against '.join(data['policies'])}: {parts}."
    yield f"- Ended by {_counts(data['ends'])}; red won {data['sides']['red']}, blue {data['sides']['blue']}."
    if data["shares"]:
        yield from ("", "| games | number | won | drawn | lost | share |", "|---|---|---|---|---|---|")
        for row in data["shares"]:
            numbers = " | ".join(str(row[key]) for key in ("games", "won", "drawn", "lost"))
            yield f"| {row['of']} | {numbers} | {_share(row)} |"
        yield ""
    yield f"- {data['processor_seconds']:g} seconds of processor time, {_machine(data['machine'])}."
    yield f"- Commit {_counts(data['commits'])}."
    yield from (f"- Fault: {story}" for story in data["stories"])
    yield ""


def _machine(machine: dict[str, Any]) -> str:
    return f"{machine['processor']}, {machine['cores']} cores, {machine['system']}, Python {machine['python']}"


def _counts(numbers: dict[str, int]) -> str:
    return ", ".join(f"{name or 'none'} {number}" for name, number in numbers.items())


def _occurrences(name: str, folder: Path, present: str) -> Iterator[str]:
    title = f"{name}-{OCCURRENCES}"
    data = read_result(title, folder)
    yield from (f"### {title}", "")
    if data is None:
        yield from ("Not put together yet.", "")
        return
    yield f"Each verb, kind of frame, kind of roll and end should occur at least {LEAST_OFTEN} times, because of at"
    yield f"least two policies. Counted in {_counts(data['of'])} games, {_version(data, present)}."
    yield ""
    yield f"Missing: {', '.join(data['missing']) or 'nothing'}."
    yield from ("", "| kind | name | times | because of |", "|---|---|---|---|")
    for row in data["rows"]:
        yield f"| {row['kind']} | {row['name']} | {row['times']} | {_counts(row['by'])} |"
    yield ""


# ---- environments ----------------------------------------------------------------------------------------------------


def _environments(name: str, folder: Path, present: str) -> Iterator[str]:
    yield from ("### As an environment", "")
    yield f"{STEPS} numbers a size pressed at random among those that the mask allows, both sides, every action checked"
    yield "before it is applied. A fault is an action that breaks a rule, an allowed number that is refused, an empty"
    yield "mask, an observation outside its space, or an error."
    yield from ("", f"| {' | '.join(ENV_COLUMNS)} |", "|---" * len(ENV_COLUMNS) + "|")
    found = [(claim, read_result(claim.name, folder)) for claim in env_claims() if claim.ruleset == name]
    for claim, data in found:
        yield f"| `{claim.name}` | not played yet | | | | | | |" if data is None else _env_row(data, present)
    yield ""
    for _, data in found:
        if data is not None:
            yield f"- `{data['name']}`: asked for {_counts(data['stages'])}; ordered {_counts(data['verbs'])}; ended by"
            yield f"  {_counts(data['ends'])}; {data['processor_seconds']:g} seconds of processor time,"
            yield f"  {_machine(data['machine'])}; commit {_counts(data['commits'])}."
            yield from (f"- Fault: {story}" for story in data["stories"])
    yield ""


def _env_row(data: dict[str, Any], present: str) -> str:
    cells = (
        f"`{data['name']}`",
        _of(data["steps"]["finished"], data["steps"]["planned"]),
        str(data["episodes"]),
        str(data["plies"]),
        f"{data['options']:g}",
        str(sum(data["faults"].values())),
        "yes" if data["holds"] else "**no**",
        _version(data, present),
    )
    return f"| {' | '.join(cells)} |"
