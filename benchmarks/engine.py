"""How fast the referee is: ``python -m benchmarks.engine`` measures, and writes ``docs/benchmarks/engine.json``.

Checks and masks are measured on one table: 48 x 48 inches, walls of 55 edges or a few more, seven units of ten models.
Random games are battles of every ruleset found, in which everybody picks any choice and any answer to it.
"""

from __future__ import annotations

import cProfile
import pstats
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import cos, pi, sin
from pathlib import Path
from random import Random

import numpy as np
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.choice import Walk
from tactician.rules.core.clauses import Cite
from tactician.rules.core.clip import clip
from tactician.rules.core.legs import Path as Way
from tactician.rules.core.legs import Pose, Rates, Straight
from tactician.rules.core.measure import snap
from tactician.rules.core.movement import Coherency, KeepAway, MoveType, judge
from tactician.rules.core.placement import PlaceRule, find_places
from tactician.rules.core.ruleset import Ruleset, Scenario, load_ruleset, ruleset_names
from tactician.rules.core.shapes import Polygon, polygon_distance
from tactician.rules.core.sight import Eye, sight_lines
from tactician.rules.core.state import Model, State, Table, Unit
from tactician.rules.core.terrain import Board, Feature
from tactician.rules.paths import twins
from tactician.rules.paths.squads import shift, shift_mask

from benchmarks.rows import Row, group, load_ahead, median, part, write_group

__all__ = ["main"]

SIZE, EDGES, UNITS, MODELS = 48.0, 55, 7, 10
"""Side of the table in inches, least edges of walls on it, units, and models of each."""

BUDGET = 6.0
"""Inches of the moves and shifts that are measured."""

WALKING, FEW = ("move", "run"), 3
"""Orders that may ask where a unit walks; of so few choices at most every one is looked at."""

GEOMETRY = frozenset(
    {"arcs", "barriers", "beats", "borders", "clear", "clip", "coherency", "glimpses", "going", "legs", "lit", "mates"}
    | {"movement", "placement", "rows", "scene", "shades", "shapes", "sight", "terrain", "unseen", "views"}
)
"""Modules of the core that measure."""

Moved = tuple[State, Unit, dict[str, Way]]


def move_type() -> MoveType:
    """A movement in step under all usual conditions."""
    return MoveType(
        name="move",
        allowance=BUDGET + 0.5,
        motion="in_step",
        rates=Rates(up=1.0, down=0.0),
        budget=Cite("FAR"),
        walls=Cite("WALL"),
        edge=Cite("EDGE"),
        footing=Cite("FOOT"),
        end_place=Cite("PLACE"),
        models=Cite("MODEL"),
        keep_away=(KeepAway(limit=2.0, cite=Cite("NEAR")),),
        coherency=Coherency(limit=2.0, cite=Cite("LINK")),
    )


def crowded_table(seed: int) -> State:
    """A table of walls and units, none of which overlap."""
    rng, features = Random(seed), list[Feature]()
    while sum(len(piece.outline.points) for piece in features) < EDGES:
        x, y, count, size = rng.uniform(6, 42), rng.uniform(6, 42), rng.randint(3, 7), rng.uniform(1, 4)
        angles = [2 * pi * i / count for i in range(count)]
        outline = Polygon(tuple((x + size * cos(a), y + size * sin(a)) for a in angles))
        features.append(Feature(id=f"f{len(features)}", outline=outline, blocks=True))
    taken: list[Pose] = []
    units = []
    for number in range(UNITS):
        side = "red" if number < 4 else "blue"
        block = _room(rng, tuple(features), taken, (3, 18) if side == "red" else (26, 44))
        taken += block
        models = tuple(Model(id=f"u{number}m{i}", pose=pose) for i, pose in enumerate(block))
        units.append(Unit(id=f"u{number}", side=side, name="", profile="", radius=0.5, models=models))
    board = Board(width=SIZE, height=SIZE, features=tuple(features))
    return State(table=Table(board=board), units=tuple(units))


def _room(rng: Random, walls: tuple[Feature, ...], taken: list[Pose], rows: tuple[int, int]) -> list[Pose]:
    """Two ranks of five models on free ground."""
    while True:
        x, y = rng.uniform(4, SIZE - 4), rng.uniform(*rows)
        block = [Pose(snap(x + 1.5 * (i % 5 - 2)), snap(y + 1.5 * (i // 5))) for i in range(MODELS)]
        is_free = all(polygon_distance(wall.outline, *pose.point) > 0.5 for wall in walls for pose in block)
        if is_free and all((a.x - b.x) ** 2 + (a.y - b.y) ** 2 > 1 for a in block for b in taken):
            return block


def three_legs(unit: Unit, rng: Random) -> dict[str, Way]:
    """A way of three legs of about two inches for each model."""
    heading, points, x, y = rng.uniform(0, 2 * pi), list[tuple[float, float]](), 0.0, 0.0
    for _ in range(3):
        turn = heading + rng.gauss(0, 0.3)
        x, y = x + BUDGET / 3 * cos(turn), y + BUDGET / 3 * sin(turn)
        points.append((x, y))
    found: dict[str, Way] = {}
    for model in unit.models:
        found[model.id] = tuple(Straight(_beside(rng, model.pose, dx, dy)) for dx, dy in points)
    return found


def _beside(rng: Random, pose: Pose, dx: float, dy: float) -> tuple[float, float]:
    return pose.x + dx + rng.uniform(-0.1, 0.1), pose.y + dy + rng.uniform(-0.1, 0.1)


def microseconds(ask: Callable[[], object], times: int = 1, runs: int = 12) -> float:
    """The best of some runs, for one call: what the machine does besides only adds."""
    best = float("inf")
    for _ in range(runs):
        began = time.perf_counter()
        for _ in range(times):
            ask()
        best = min(best, (time.perf_counter() - began) / times)
    return best * 1e6


def polar(budget: float) -> list[tuple[float, float]]:
    """Sixteen directions, four distances each."""
    angles = [2 * pi * i / 16 for i in range(16)]
    return [(far * budget * sin(a), far * budget * cos(a)) for a in angles for far in (0.25, 0.5, 0.75, 0.999)]


# ---- moves, masks, places, sight -------------------------------------------------------------------------------------


def check_rows() -> Iterator[Row]:
    """A move of ten models of three legs each, legal and illegal, by both twins."""
    rng, kind = Random(1), move_type()
    moves: list[Moved] = []
    for seed in range(6):
        state = crowded_table(seed)
        moves += [(state, unit, three_legs(unit, rng)) for unit in state.units for _ in range(4)]
    with twins.forced(twins.PLAIN):
        verdicts = [judge(state, unit, kind, paths) for state, unit, paths in moves]
    legal = [move for move, verdict in zip(moves, verdicts, strict=True) if not verdict.violations]
    illegal = [move for move, verdict in zip(moves, verdicts, strict=True) if verdict.violations]
    limits = {twins.PLAIN: 1000.0, twins.COMPILED: 100.0}
    for mode, limit in limits.items():
        with twins.forced(mode):
            assert [judge(state, unit, kind, paths) for state, unit, paths in moves] == verdicts
            times = [_judged(kind, move) for move in legal]
            slow = [_judged(kind, move) for move in illegal]
        yield Row(
            what=f"`check` of a legal move of 10 models, 3 legs each, {mode}",
            target=f"<= {limit / 1000:g} ms",
            measured=round(median(times), 1),
            unit="us",
            met=median(times) <= limit,
            note=f"median of {len(times)} moves, longest {max(times):.0f}; 60 other models, 55 edges",
        )
        yield Row(
            what=f"`check` of an illegal one, all violations in words, {mode}",
            target="<= 1 ms" if mode == twins.PLAIN else "",
            measured=round(median(slow), 1),
            unit="us",
            met=median(slow) <= limit if mode == twins.PLAIN else None,
            note=f"median of {len(slow)} moves, longest {max(slow):.0f}; equal verdicts by both twins; "
            "what a kernel cannot certify is judged and worded in Python",
        )


def _judged(kind: MoveType, move: Moved) -> float:
    state, unit, paths = move
    return microseconds(lambda: judge(state, unit, kind, paths))


def mask_rows() -> Iterator[Row]:
    """The straight shifts of ten units to 64 places each."""
    kind, offsets = move_type(), np.array(polar(BUDGET))
    asked = [(state, unit) for state in map(crowded_table, range(4)) for unit in state.units]
    for mode in (twins.PLAIN, twins.COMPILED):
        with twins.forced(mode):
            times = [_masked(kind, state, unit, offsets) for state, unit in asked]
        yield Row(
            what=f"place masks of ten 10-model units, 64 straight places each, {mode}",
            target="<= 1 ms" if mode == twins.COMPILED else "",
            measured=round(10 * sum(times) / len(times) / 1000, 3),
            unit="ms",
            met=10 * sum(times) / len(times) <= 1000 if mode == twins.COMPILED else None,
            note=f"ten times the mean of {len(times)} units; longest {max(times):.0f} us",
        )


def _masked(
    kind: MoveType, state: State, unit: Unit, offsets: np.ndarray[tuple[int, int], np.dtype[np.float64]]
) -> float:
    return microseconds(lambda: shift_mask(state, unit, kind, offsets))


def other_rows() -> Iterator[Row]:
    """Shortening, finding room, lines of sight: the other questions that games are made of."""
    kind, rng = move_type(), Random(3)
    state = crowded_table(0)
    shifts = [(unit, shift(unit, dx, dy)) for unit in state.units for dx, dy in rng.sample(polar(BUDGET), 6)]
    eyes = [
        Eye(x=model.pose.x, y=model.pose.y, foot=0.0, stature=1.5, radius=unit.radius)
        for unit in state.units
        for model in unit.models[:3]
    ]
    rule = PlaceRule(end_place=Cite("PLACE"), zone=(0, 0, SIZE, 12), from_friends=2.0, coherency=2.0)
    names = tuple(f"n{i}" for i in range(MODELS))
    emptied = state.with_unit(replace(state.unit("u0"), models=()))
    nears = [(rng.uniform(4, SIZE - 4), rng.uniform(3, 9)) for _ in range(8)]
    for mode in (twins.PLAIN, twins.COMPILED):
        with twins.forced(mode):
            times = [_clipped(kind, state, unit, paths) for unit, paths in shifts]
            room = [_found(emptied, rule, names, near) for near in nears]
            lines = microseconds(lambda: sight_lines(state.board, eyes, eyes)) / len(eyes) ** 2
        yield _told(f"`clip` of a shift of 10 models, {mode}", times, "us")
        yield _told(f"room for 10 models in a zone that holds 30, {mode}", room, "us")
        yield _told(f"a line of sight between walls, {mode}", [lines], "us")


def _clipped(kind: MoveType, state: State, unit: Unit, paths: dict[str, Way]) -> float:
    return microseconds(lambda: clip(state, unit, kind, paths), runs=3)


def _found(state: State, rule: PlaceRule, names: tuple[str, ...], near: tuple[float, float]) -> float:
    return microseconds(lambda: find_places(state, "u0", names, rule, near), runs=3)


def _told(what: str, times: Sequence[float], unit: str) -> Row:
    note = f"median of {len(times)}, longest {max(times):.0f}" if len(times) > 1 else ""
    return Row(what=what, target="", measured=round(median(times), 2), unit=unit, note=note)


# ---- random games ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Games:
    """What some random games took."""

    games: int
    decisions: int
    models: float
    """Of a side at the start, on average."""
    seconds: float
    """Of processor time."""
    applied: tuple[float, ...]
    """Seconds of processor time of each `apply`."""


def random_games(ruleset: Ruleset, size: str, seeds: range, profile: cProfile.Profile | None = None) -> Games:
    """Random games; `apply` alone is watched by the profile."""
    applied, models, began = list[float](), 0, time.process_time()
    for seed in seeds:
        rng, state = Random(seed), ruleset.start(Scenario(size=size))
        models += sum(len(unit.models) + len(getattr(unit, "reserve", ())) for unit in state.units)
        while (mover := ruleset.to_move(state)) != TERMINAL:
            if mover == CHANCE:
                state = ruleset.resolve(state, ruleset.pending(state).sample(rng))
                continue
            action = rng.choice(ruleset.choices(state)).sample(state, rng.random)
            if profile is not None:
                profile.enable()
            start = time.process_time()
            state = ruleset.apply(state, action)
            applied.append(time.process_time() - start)
            if profile is not None:
                profile.disable()
    return Games(
        games=len(seeds),
        decisions=len(applied),
        models=models / 2 / len(seeds),
        seconds=time.process_time() - began,
        applied=tuple(applied),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the referee's answers took along random games, seconds of processor time each."""

    checks: tuple[float, ...]
    """`check` of each action before it was applied."""
    masks: tuple[float, ...]
    """64 straight places of a unit that could walk."""


def asked_in_games(ruleset: Ruleset, size: str, seeds: range) -> Asked:
    """Random games in which every action is checked, and one unit that may walk has its places looked at."""
    checks, masks = list[float](), list[float]()
    for seed in seeds:
        rng, state = Random(seed), ruleset.start(Scenario(size=size, deployed=True))
        while (mover := ruleset.to_move(state)) != TERMINAL:
            if mover == CHANCE:
                state = ruleset.resolve(state, ruleset.pending(state).sample(rng))
                continue
            choices = ruleset.choices(state)
            asked = [one for one in choices if len(choices) <= FEW or one.verb in WALKING]
            walks = [one for one in asked if isinstance(one.domain, Walk)]
            if walks:
                choice = rng.choice(walks)
                assert isinstance(choice.domain, Walk)
                unit, kind = state.unit(choice.unit), choice.domain.kind
                start = time.process_time()
                shift_mask(state, unit, kind, np.array(polar(kind.allowance)))
                masks.append(time.process_time() - start)
            action = rng.choice(choices).sample(state, rng.random)
            start = time.process_time()
            ruleset.check(state, action)
            checks.append(time.process_time() - start)
            state = ruleset.apply(state, action)
    return Asked(checks=tuple(checks), masks=tuple(masks))


def asked_rows(name: str, size: str = "battle", count: int = 6) -> Iterator[Row]:
    """What `check` and masks of straight places cost in random games."""
    found = asked_in_games(load_ruleset(name), size, range(count))
    for what, times in (("`check`", found.checks), ("64 straight places of a unit", found.masks)):
        for part_name, share in (("median", 0.5), ("95th percentile", 0.95)):
            yield Row(
                what=f"{name}: {what}, {part_name}",
                target="",
                measured=round(part(times, share) * 1e6, 1),
                unit="us",
                note=f"{len(times)} of them in {count} random games of the size {size}",
            )


def game_rows(name: str, size: str = "battle", count: int = 12) -> Iterator[Row]:
    """Random games a second, and what `apply` costs in them."""
    ruleset, profile = load_ruleset(name), cProfile.Profile()
    random_games(ruleset, size, range(100, 102))
    found = random_games(ruleset, size, range(count))
    random_games(ruleset, size, range(3), profile)
    rate, times = found.games / found.seconds, [seconds * 1e6 for seconds in found.applied]
    yield Row(
        what=f"{name}: random games of 2 x {found.models:.0f} models",
        target=">= 5 a second",
        measured=round(rate, 2),
        unit="games a second",
        met=rate >= 5,
        note=f"{found.games} games of {found.decisions / found.games:.0f} decisions; "
        f"{found.decisions / found.seconds:.0f} decisions a second of processor time",
    )
    share = measuring_share(profile)
    for which, value, limit in (("median", median(times), 50.0), ("95th percentile", part(times, 0.95), 150.0)):
        yield Row(
            what=f"{name}: `apply`, {which}",
            target=f"<= {limit:g} us",
            measured=round(value, 1),
            unit="us",
            met=value <= limit,
            note=f"{len(times)} actions of random games; under a profiler {share:.0%} of it is measuring in the core",
        )


def measuring_share(profile: cProfile.Profile) -> float:
    """The share of a profile's time that was spent in the modules that measure."""
    stats: dict[tuple[str, int, str], tuple[int, int, float, float, object]] = getattr(pstats.Stats(profile), "stats")  # noqa: B009 - not in the type stubs
    own = {place: row[2] for place, row in stats.items()}
    measuring = sum(seconds for (file, _, _), seconds in own.items() if _is_measuring(file))
    return measuring / sum(own.values())


def _is_measuring(file: str) -> bool:
    place = Path(file)
    return place.stem in GEOMETRY and place.parent.name == "core"


def main() -> int:
    """Measure and write; 1 where a target is missed."""
    load = load_ahead()
    if twins.has_compiler():
        twins.warm()
    rows = [*check_rows(), *mask_rows(), *other_rows()]
    for name in ruleset_names():
        rows += [*game_rows(name), *asked_rows(name)]
    for row in rows:
        sys.stdout.write(f"{row.what}: {row.measured:g} {row.unit} ({row.target or 'no target'}) {row.note}\n")
    write_group(group("engine", "The referee", rows, load=load))
    return 0 if all(row.met is not False for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
