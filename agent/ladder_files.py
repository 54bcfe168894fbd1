"""Files of ladders: what was played, by which state of the product, and how files are read, merged and written."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tactician.agent.blunders import BLUNDERS, Tally
from tactician.agent.ladder import Fixture, Game, Pair, Play, Settings, fixtures
from tactician.agent.standings import Encounter, encounters, standings
from tactician.rules.core.files import BadInput, Fault, json_text, read_data, write_text
from tactician.rules.core.state import SIDES

__all__ = [
    "FORMAT",
    "MOST_GAMES",
    "Ladder",
    "Made",
    "code_digest",
    "made_now",
    "merged",
    "read_ladder",
    "resumed",
    "to_text",
    "write_ladder",
]

FORMAT = "tactician-ladder-1"

MOST_GAMES = 1_000_000
"""Of a pairing, that a file may plan."""

LETTERS = 12
"""Of a digest."""

SOURCES = (".py", ".toml", ".json")
ASIDE = ("cases", "golden", "__pycache__")
"""Folders of a ruleset that decide no game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What played the games."""

    product: str
    """Its version."""
    code: str
    """Digest of everything that decides a game: referee, choosing and the ruleset played."""
    commit: str
    """For people; the digest is what counts."""
    machine: str
    """The same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """A ladder as far as it was played."""

    settings: Settings
    made: Made
    pairs: tuple[Pair, ...] = ()
    """By number."""

    @property
    def planned(self) -> int:
        """Pairs of the whole ladder."""
        return self.settings.pairs * len(self.settings.pairings)

    def having(self, pairs: Iterable[Pair]) -> Ladder:
        """The ladder with more pairs."""
        known = {pair.fixture.number: pair for pair in (*self.pairs, *pairs)}
        return replace(self, pairs=tuple(known[number] for number in sorted(known)))


def code_digest(ruleset: str) -> str:
    """A fingerprint of the sources that decide how games of a ruleset go."""
    names = ("tactician.rules.core", "tactician.rules.paths", f"tactician.rules.{ruleset}", "tactician.agent")
    found = hashlib.sha256()
    for name in names:
        (folder,) = import_module(name).__path__
        for place in sorted(Path(folder).rglob("*")):
            inside = place.relative_to(folder)
            if place.suffix in SOURCES and not set(ASIDE).intersection(inside.parts):
                found.update(f"{name} {inside.as_posix()}\0".encode())
                found.update(place.read_bytes())
    return found.hexdigest()[:LETTERS]


def made_now(ruleset: str, commit: str, machine: str) -> Made:
    """What plays now."""
    return Made(product=version("tactician"), code=code_digest(ruleset), commit=commit, machine=machine)


# ---- joining ---------------------------------------------------------------------------------------------------------


def resumed(file: str, found: Ladder, wanted: Ladder) -> Ladder:
    """A ladder that was begun, ready to go on; it may have been planned with fewer games.

    Raises:
        BadInput: it has other settings, or was played by another state of the product.
    """
    games = max(found.settings.games, wanted.settings.games)
    ours = replace(found, settings=replace(found.settings, games=games))
    _match(file, ours, wanted, "what is asked for")
    return ours


def merged(files: Mapping[str, Ladder]) -> Ladder:
    """Ladders of the same settings as one.

    Args:
        files: what was read, by the name of its file; at least one.

    Raises:
        BadInput: settings or what played differ, or a pair came out differently.
    """
    (first, whole), *rest = files.items()
    for name, other in rest:
        _match(name, other, whole, first)
        known = {pair.fixture.number: pair for pair in whole.pairs}
        for pair in other.pairs:
            if known.get(pair.fixture.number, pair) != pair:
                found = f"pair {pair.fixture.number} came out otherwise than in another file"
                raise BadInput([Fault(file=name, where=f"pairs[{pair.fixture.number}]", found=found)])
        whole = whole.having(other.pairs)
    return whole


def _match(name: str, other: Ladder, ours: Ladder, whose: str) -> None:
    theirs, wanted = asdict(other.settings), asdict(ours.settings)
    rows = [(f"settings.{key}", _told(theirs[key]), _told(wanted[key])) for key in theirs if theirs[key] != wanted[key]]
    if other.made.product != ours.made.product:
        rows.append(("made.product", other.made.product, ours.made.product))
    if other.made.code != ours.made.code:
        there, here = (f"{one.made.code} (commit {one.made.commit})" for one in (other, ours))
        rows.append(("made.code", there, here))
    if rows:
        said = "; ".join(f"{where} is {there}, not {here}" for where, there, here in rows)
        raise BadInput([Fault(file=name, found=f"{said} as in {whose}")])


def _told(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


# ---- writing ---------------------------------------------------------------------------------------------------------


def write_ladder(place: Path, ladder: Ladder) -> None:
    """Write a ladder as a whole.

    Raises:
        BadInput: it cannot be written there.
    """
    write_text(place, to_text(ladder))


def to_text(ladder: Ladder) -> str:
    """A ladder as JSON text, a line for each pair; what follows from the pairs stands in it for other programs."""
    head = {
        "format": FORMAT,
        "settings": asdict(ladder.settings),
        "made": asdict(ladder.made),
        "planned_pairs": ladder.planned,
        "encounters": [_encounter_data(one) for one in encounters(ladder.settings.policies, ladder.pairs)],
        "standings": _standings_data(ladder),
    }
    lines = ",\n  ".join(json_text(_pair_data(pair), indent=None) for pair in ladder.pairs)
    body = f"[\n  {lines}\n ]" if lines else "[]"
    return f'{json_text(head).removesuffix("}").rstrip()},\n "pairs": {body}\n}}\n'


def _encounter_data(one: Encounter) -> dict[str, Any]:
    low, high = one.interval
    return {**asdict(one), "score": round(one.score, 4), "low": round(low, 4), "high": round(high, 4)}


def _standings_data(ladder: Ladder) -> list[dict[str, Any]]:
    rows = standings(ladder.settings.policies, ladder.pairs)
    return [
        {
            "policy": one.policy,
            "elo": round(one.elo, 1),
            **{key: value for key, value in _encounter_data(one.all).items() if key not in ("first", "second")},
            "decisions": one.decisions,
            "seconds_a_decision": round(one.seconds, 6),
            "longest_decision": one.longest,
            "blunders_a_game": {kind: round(amount, 4) for kind, amount in one.blunders},
            "faults": one.faults,
        }
        for one in rows
    ]


def _pair_data(pair: Pair) -> dict[str, Any]:
    fixture = pair.fixture
    return {
        "number": fixture.number,
        "first": fixture.first,
        "second": fixture.second,
        "seed": fixture.seed,
        "games": [_game_data(game) for game in pair.games],
    }


def _game_data(game: Game) -> dict[str, Any]:
    return {
        "returns": game.returns,
        "ending": game.ending,
        "plies": game.plies,
        "rounds": game.rounds,
        **({"fault": game.fault} if game.fault else {}),
        **{side: _play_data(play) for side, play in zip(SIDES, game.plays, strict=True)},
    }


def _play_data(play: Play) -> dict[str, Any]:
    """Of blunders: occasions, looked at, found."""
    rows = {tally.kind: [tally.occasions, tally.judged, tally.found] for tally in play.blunders}
    return {"decisions": play.decisions, "seconds": play.seconds, "longest": play.longest, "blunders": rows}


# ---- reading ---------------------------------------------------------------------------------------------------------


def read_ladder(file: str) -> Ladder:
    """The ladder in a file.

    Raises:
        BadInput: it cannot be read, or is no result of a ladder.
    """
    data = read_data(file, FORMAT)
    try:
        settings = _settings(data["settings"])
        planned = {fixture.number: fixture for fixture in fixtures(settings)}
        made = Made(**{key: _text(value) for key, value in data["made"].items()})
        pairs = [_pair(planned, row) for row in data["pairs"]]
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        found = f"is no result of a ladder ({type(error).__name__}: {error})"
        raise BadInput([Fault(file=file, found=found, expected="a file that `tactician ladder --out` wrote")]) from None
    return Ladder(settings=settings, made=made).having(pairs)


def _settings(data: Mapping[str, Any]) -> Settings:
    found = Settings(
        ruleset=_text(data["ruleset"]),
        version=_text(data["version"]),
        size=_text(data["size"]),
        policies=tuple(map(_text, data["policies"])),
        games=_count(data["games"]),
        seed=_count(data["seed"], signed=True),
        evaluations=_count(data["evaluations"]),
    )
    if len(set(found.policies)) != len(found.policies) or len(found.policies) < 2:
        raise ValueError("at least two policies, none twice")
    if found.games > MOST_GAMES:
        raise ValueError(f"{found.games} games of a pairing")
    return found


def _pair(planned: Mapping[int, Fixture], data: Mapping[str, Any]) -> Pair:
    fixture = planned[_count(data["number"])]
    told = tuple(data[key] for key in ("first", "second", "seed"))
    if told != (fixture.first, fixture.second, fixture.seed):
        raise ValueError(f"pair {fixture.number} is {fixture.first} against {fixture.second}, seed {fixture.seed}")
    there, back = (_game(row) for row in data["games"])
    return Pair(fixture=fixture, games=(there, back))


def _game(data: Mapping[str, Any]) -> Game:
    red, blue = (_number(value) for value in data["returns"])
    there, back = (_play(side, data[side]) for side in SIDES)
    return Game(
        returns=(red, blue),
        ending=_text(data["ending"]),
        plies=_count(data["plies"]),
        rounds=_count(data["rounds"]),
        plays=(there, back),
        fault=_text(data.get("fault", "")),
    )


def _play(side: str, data: Mapping[str, Any]) -> Play:
    blunders = []
    for kind in BLUNDERS:
        if kind in data["blunders"]:
            occasions, judged, found = map(_count, data["blunders"][kind])
            blunders.append(Tally(side=side, kind=kind, occasions=occasions, judged=judged, found=found))
    return Play(
        decisions=_count(data["decisions"]),
        seconds=_number(data["seconds"]),
        longest=_number(data["longest"]),
        blunders=tuple(blunders),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number")
    return float(value)


def _count(value: object, signed: bool = False) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or (value < 0 and not signed):
        raise TypeError(f"{value!r} is no whole number")
    return value
