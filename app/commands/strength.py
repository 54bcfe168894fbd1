"""Strength in tables: what the command ladder prints, and the page ``docs/strength.md``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tactician.agent.blunders import BLUNDERS, EVERY
from tactician.agent.ladder import Settings
from tactician.agent.ladder_files import Ladder, read_ladder
from tactician.agent.standings import encounters, standings
from tactician.commands.told import per_cent
from tactician.rules.core.ruleset import load_ruleset, ruleset_names

__all__ = ["ENCOUNTERS", "STANDINGS", "encounter_rows", "fault_lines", "page_of", "standing_rows", "title"]

ENCOUNTERS = ("first", "second", "games", "won", "drawn", "lost", "share of the first", "95 % interval")

STANDINGS = ("policy", "Elo", "share", "95 % interval", "s a decision", "longest", *BLUNDERS)

HEAD = f"""# Strength

This page is generated: `tactician ladder --page` writes it from the files in [strength](strength), which
`tactician ladder --out FILE` plays. Every two policies meet in pairs of games on one seed, the sides swapped; missions,
tables and armies take turns from seed to seed. Every order is checked by the referee before it is applied; an illegal
one loses the game.

A share counts draws half; its 95 % interval (Wilson) takes pairs of games as its trials. Elo is the rating under which
the games are the likeliest (Bradley and Terry; one drawn game of every two policies is added), `random` having 0.
Seconds are of processor time of one core and depend on the machine; nothing else here does.

Blunders are given a game and side, by a yardstick that looks one order ahead. Of the ends of moves one of {EVERY} is
looked at:

"""


def title(settings: Settings) -> str:
    """What was played, in one line."""
    name = load_ruleset(settings.ruleset).info.name
    return (
        f"{name}, {settings.size}: {settings.games} games of each pairing from seed {settings.seed}, "
        f"{settings.evaluations} evaluations a decision"
    )


def encounter_rows(ladder: Ladder) -> Iterator[tuple[str, ...]]:
    """A row for each pairing."""
    for one in encounters(ladder.settings.policies, ladder.pairs):
        counts = (str(number) for number in (one.games, one.won, one.drawn, one.lost))
        yield one.first, one.second, *counts, per_cent(one.score), _between(one.interval)


def standing_rows(ladder: Ladder) -> Iterator[tuple[str, ...]]:
    """A row for each policy, the strongest first."""
    for one in standings(ladder.settings.policies, ladder.pairs):
        blunders = (f"{amount:.2f}" for _, amount in one.blunders)
        times = (f"{one.seconds:.4f}", f"{one.longest:.3f}")
        yield one.policy, f"{round(one.elo)}", per_cent(one.all.score), _between(one.all.interval), *times, *blunders


def fault_lines(ladder: Ladder) -> Iterator[str]:
    """What went wrong, a line a game."""
    for pair in ladder.pairs:
        for game in pair.games:
            if game.fault:
                yield f"fault, seed {pair.fixture.seed}: {game.fault}"


def _between(interval: tuple[float, float]) -> str:
    low, high = interval
    return f"{per_cent(low)} to {per_cent(high)}"


# ---- the page --------------------------------------------------------------------------------------------------------


def page_of(folder: Path) -> str:
    """The page as Markdown: every result in a folder, by game, size and name.

    Raises:
        BadInput: one of the files is no result of a ladder.
    """
    found = [(place.stem, read_ladder(str(place))) for place in sorted(folder.glob("*.json"))]
    lines = [HEAD + "\n".join(f"- **{name}**: {text}." for name, text in BLUNDERS.items()), ""]
    for name in ruleset_names():
        info = load_ruleset(name).info
        mine = [(stem, one) for stem, one in found if one.settings.ruleset == name]
        mine.sort(key=lambda row: (_place(info.sizes, row[1].settings.size), row[0]))
        lines += [f"## {info.name}", "", *(["Nothing has been played yet.", ""] if not mine else [])]
        for stem, one in mine:
            lines += _section(stem, one, info.version)
    return "\n".join(lines).rstrip() + "\n"


def _place(known: tuple[str, ...], name: str) -> int:
    return known.index(name) if name in known else len(known)


def _section(stem: str, ladder: Ladder, present: str) -> Iterator[str]:
    settings, made = ladder.settings, ladder.made
    yield from (f"### {stem}", "", f"{title(settings)}.", "")
    yield f"    {_command(settings)} --out docs/strength/{stem}.json"
    yield ""
    games = 2 * len(ladder.pairs)
    missing = "" if len(ladder.pairs) == ladder.planned else f" of {2 * ladder.planned} planned"
    yield (
        f"{games} games{missing}, version {settings.version} of the ruleset, version {made.product} of the program at "
        f"commit {made.commit}; {made.machine}."
    )
    if settings.version != present:
        yield f"**The present version of the ruleset is {present}: this has to be played again.**"
    yield ""
    yield from _table(STANDINGS, standing_rows(ladder))
    yield from _table(ENCOUNTERS, encounter_rows(ladder))
    faults = [f"- {line}" for line in fault_lines(ladder)]
    yield from [*faults, ""] if faults else []


def _command(settings: Settings) -> str:
    return (
        f"tactician ladder --rules {settings.ruleset} --size {settings.size} --policies {','.join(settings.policies)} "
        f"--games {settings.games} --seed {settings.seed} --budget {settings.evaluations}"
    )


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(columns)} |"
    yield "|---" * len(columns) + "|"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""
