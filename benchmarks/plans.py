"""What is claimed of advice, measured: ``python -m benchmarks.plans RULESET [--plans 500] [--most GAMES]``.

Plans of positions out of seeded games are carried out as printed: read back from their words, checked and applied;
their places are rebuilt from the printed lines; every model is put down a little off; and the referee works every
number out again. A finished game is a line of a work file under ``build/evidence``: a run may be stopped at any moment
and goes on from there. When there are enough plans, ``docs/evidence/plans-RULESET.json`` is written.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from time import process_time
from typing import Any

from tactician.agent.advise import advise, dominates
from tactician.agent.arena import Event, play_game
from tactician.agent.policies import Budget, policy
from tactician.agent.policies.base import Policy
from tactician.agent.recheck import recheck
from tactician.agent.tape.hands import Taped, failed, felt, misses, off, was_told
from tactician.agent.tape.orders import tape_of
from tactician.orders import read, words
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.ruleset import Ruleset, Scenario, load_ruleset, ruleset_names
from tactician.rules.core.state import State

from benchmarks.machine import commit, this_machine
from benchmarks.results import write_result

__all__ = ["Game", "looked_at", "main", "positions", "result"]

WORK = Path(__file__).resolve().parents[1] / "build" / "evidence"

FIRST_SEED = 20_000
"""Seeds below are for trying things out."""

PLAYERS = ("straight-ahead", "random")
"""Who plays the games that positions come from: by turns games that are meant and games that lead anywhere."""

EACH = 5
"""Positions of a game."""

TOP, DRAWS = 3, 2
"""Plans of a position; times that the models of each are put down off."""

THINK = Budget(evaluations=16)


@dataclass(slots=True, kw_only=True)
class Game:
    """What was found on the positions of one game."""

    seed: int
    version: str
    commit: str
    positions: int = 0
    plans: int = 0
    illegal: int = 0
    """Plans that were not legal when carried out as printed."""
    dominated: int = 0
    """Plans that another one on their list makes needless."""
    numbers_off: int = 0
    """Numbers that the referee does not find again."""
    other_than_greedy: int = 0
    """Positions in which the first plan is not greedy's order, drawn back or not."""
    answers: int = 0
    """Plans to which the enemy has an answer that takes something."""
    eased: int = 0
    """Plans whose ends were drawn back."""
    steps: int = 0
    """Models put down off, blindly and as hands do it alike."""
    blind: int = 0
    """Steps that broke something, put down blindly."""
    stopped: int = 0
    """Steps that did although bases, walls, edges and the end of the tape stop a hand."""
    untold: int = 0
    """Things that broke without having been printed as tight."""
    farthest: float = 0.0
    """Inches by which a place rebuilt from its words was missed most."""
    clauses: dict[str, int] = field(default_factory=dict)
    """What the blind hand broke."""
    stories: list[str] = field(default_factory=list)
    """What went wrong."""
    seconds: float = 0.0
    """Of processor time, for all of it."""


def positions(ruleset: Ruleset, seed: int) -> list[State]:
    """Moments of one game in which a side decides, spread over it."""
    info, number = ruleset.info, seed - FIRST_SEED
    rest, size = divmod(number, len(info.sizes))
    missions, tables = info.missions or ("",), info.tables or ("",)
    scenario = Scenario(
        size=info.sizes[size],
        mission=missions[rest % len(missions)],
        table=tables[rest // len(missions) % len(tables)],
    )
    who = PLAYERS[number % len(PLAYERS)]
    players: dict[str, Policy] = {"red": policy(who), "blue": policy(who)}
    found: list[State] = []

    def see(event: Event) -> None:
        if ruleset.to_move(event.before) not in (CHANCE, TERMINAL):
            found.append(event.before)

    play_game(ruleset, scenario, players, seed, on_event=see)
    return [found[(2 * part + 1) * len(found) // (2 * EACH)] for part in range(EACH)] if len(found) >= EACH else found


def looked_at(ruleset: Ruleset, seed: int) -> Game:
    """One game's positions, advised and looked at."""
    began = process_time()
    game = Game(seed=seed, version=ruleset.info.version, commit=commit())
    rng, clauses = random.Random(seed), Counter[str]()
    for state in positions(ruleset, seed):
        game.positions += 1
        _look(ruleset, state, game, rng, clauses)
    game.clauses = dict(sorted(clauses.items()))
    game.seconds = round(process_time() - began, 2)
    return game


def _look(ruleset: Ruleset, state: State, game: Game, rng: random.Random, clauses: Counter[str]) -> None:
    plans = advise(ruleset, state, TOP, THINK)
    greedy = policy("greedy").decide(ruleset, state, THINK, random.Random(0)).action
    first = plans[0].action
    game.other_than_greedy += (first.verb, first.unit, first.targets) != (greedy.verb, greedy.unit, greedy.targets)
    for plan in plans:
        game.plans += 1
        game.dominated += any(dominates(other, plan) for other in plans if other is not plan)
        game.answers += plan.answer is not None
        game.eased += plan.is_eased
        text = words(ruleset, state, plan.action)
        (action,) = read(ruleset, state, text).actions
        broken = ruleset.check(state, action)
        if broken:
            game.illegal += 1
            game.stories.append(f"{text}: {broken[0]}")
            continue
        ruleset.apply(state, action)
        wrong = recheck(ruleset, state, plan)
        game.numbers_off += len(wrong)
        game.stories += [f"{text}: {one}" for one in wrong]
        tape = tape_of(ruleset, state, action)
        if tape is not None:
            _hands(Taped(ruleset=ruleset, state=state, action=action, tape=tape), game, rng, clauses)


def _hands(plan: Taped, game: Game, rng: random.Random, clauses: Counter[str]) -> None:
    game.farthest = max(game.farthest, *misses(plan))
    stops = felt(plan)
    for _ in range(DRAWS):
        game.steps += len(plan.tape.steps)
        for stopped_by in (frozenset[str](), stops):
            broken = plan.ruleset.check(plan.state, off(plan, rng, stopped_by))
            untold = [one for one in broken if not was_told(plan, one)]
            game.untold += len(untold)
            game.stories += [f"untold: {one}" for one in untold]
            if stopped_by:
                game.stopped += len(failed(plan, broken))
            else:
                game.blind += len(failed(plan, broken))
                clauses.update(one.clause for one in broken)


# ---- work files ------------------------------------------------------------------------------------------------------


def _place(name: str) -> Path:
    return WORK / f"plans-{name}.jsonl"


def finished(name: str) -> list[Game]:
    """The games that stand in the work file and were played with the present version, by seed."""
    place, version = _place(name), load_ruleset(name).info.version
    known = {one.name for one in fields(Game)}
    found: dict[int, Game] = {}
    for line in place.read_text(encoding="utf-8").splitlines() if place.exists() else ():
        if line.endswith("}"):  # else cut off when its run was stopped
            data: dict[str, Any] = json.loads(line)
            if set(data) == known and data["version"] == version:
                found[data["seed"]] = Game(**data)
    return [game for _, game in sorted(found.items())]


def run(name: str, plans: int, most: int | None) -> list[Game]:
    """Look at games until there are enough plans."""
    ruleset, done = load_ruleset(name), finished(name)
    WORK.mkdir(parents=True, exist_ok=True)
    with _place(name).open("a", encoding="utf-8") as lines:
        for seed in _missing({game.seed for game in done}):
            if sum(game.plans for game in done) >= plans or (most is not None and most <= 0):
                break
            most = None if most is None else most - 1
            game = looked_at(ruleset, seed)
            done.append(game)
            lines.write(json.dumps(asdict(game)) + "\n")
            lines.flush()
            told = f"{game.plans} plans, {game.blind} of {game.steps} steps strayed, {game.seconds:.1f} s"
            sys.stderr.write(f"seed {seed}: {told}; {sum(one.plans for one in done)} of {plans}\n")
    return sorted(done, key=lambda game: game.seed)


def _missing(done: set[int]) -> Iterator[int]:
    seed = FIRST_SEED
    while True:
        if seed not in done:
            yield seed
        seed += 1


def result(name: str, games: list[Game]) -> dict[str, Any]:
    """A result as JSON-able data; `holds` says whether everything that is claimed of advice is so."""
    counts = ("positions", "plans", "illegal", "dominated", "numbers_off", "other_than_greedy", "answers", "eased")
    sums = {key: sum(getattr(game, key) for game in games) for key in (*counts, "steps", "blind", "stopped", "untold")}
    clauses = sum((Counter(game.clauses) for game in games), Counter[str]())
    blind, stopped = (1.0 - sums[key] / max(sums["steps"], 1) for key in ("blind", "stopped"))
    farthest = max((game.farthest for game in games), default=0.0)
    faultless = not (sums["illegal"] or sums["dominated"] or sums["numbers_off"] or sums["untold"])
    return {
        "name": f"plans-{name}",
        "ruleset": {"id": name, "version": load_ruleset(name).info.version},
        "commits": dict(sorted(Counter(game.commit for game in games).items())),
        "machine": asdict(this_machine()),
        "players": list(PLAYERS),
        "games": len(games),
        **sums,
        "legal_put_down_blindly": round(blind, 4),
        "legal_stopped_by_what_is_solid": round(stopped, 4),
        "farthest_place": round(farthest, 4),
        "broken_blindly": dict(clauses.most_common()),
        "stories": [story for game in games for story in game.stories][:50],
        "processor_seconds": round(sum(game.seconds for game in games), 1),
        "holds": faultless and farthest <= 0.1 and blind >= 0.95,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and write; 0 if what is claimed holds so far, 1 if not."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.plans", description=__doc__.partition("\n")[0])
    parser.add_argument("ruleset", choices=ruleset_names())
    parser.add_argument("--plans", type=int, default=500, help="how many plans are enough")
    parser.add_argument("--most", type=int, default=None, help="games to look at before stopping")
    given = parser.parse_args(arguments)
    data = result(given.ruleset, run(given.ruleset, given.plans, given.most))
    sys.stdout.write(json.dumps(data, indent=1) + "\n")
    if data["plans"] >= given.plans:
        sys.stderr.write(f"wrote {write_result(data)}\n")
    return 0 if data["holds"] else 1


if __name__ == "__main__":
    sys.exit(main())
