"""Random numbers pressed for evidence: every mask looked at, every action checked before it is applied."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from types import TracebackType
from typing import Any, Self

import numpy as np
from tactician.env.aec import TableEnv
from tactician.env.game import Game
from tactician.rules.core.action import Action
from tactician.rules.core.notation import action_to_text
from tactician.rules.core.referee import IllegalAction
from tactician.rules.core.ruleset import load_ruleset

from benchmarks.env_claims import EnvClaim, Stretch
from benchmarks.machine import commit, this_machine
from benchmarks.playing import place_of

__all__ = ["ENV_FAULTS", "Stepped", "env_result", "stepped"]

ENV_FAULTS = ("illegal", "refused", "empty", "exception")
"""An action that breaks a rule, a number that the mask allows and the environment refuses, an empty mask, an error."""


class CheckedGame(Game):
    """A game that checks every action before it is applied."""

    def order(self, action: Action) -> None:
        """A whole decision of the side to move.

        Raises:
            IllegalAction: it breaks a rule.
        """
        faults = self.ruleset.check(self.state, action)
        if faults:
            raise IllegalAction(action, faults)
        super().order(action)


class Refused(RuntimeError):
    """A number that the mask allows was counted as illegal."""


class EmptyMask(RuntimeError):
    """A mask allows nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stepped:
    """One finished stretch: a line of the work file."""

    game: Stretch
    version: str
    """Of the ruleset."""
    commit: str
    steps: int = 0
    plies: int = 0
    """Decisions and throws in all its episodes."""
    stages: tuple[tuple[str, int], ...] = ()
    """How often each stage of an answer was asked for."""
    verbs: tuple[tuple[str, int], ...] = ()
    """How often each verb was ordered."""
    ends: tuple[tuple[str, int], ...] = ()
    """How the episodes ended; the last one of a stretch is not played to its end."""
    options: int = 0
    """Numbers that the masks allowed, added up."""
    fault: str = ""
    """One of `ENV_FAULTS`; empty for a stretch that went well."""
    story: str = ""
    seconds: float = 0.0
    """Of processor time."""

    def to_data(self) -> dict[str, Any]:
        """As JSON-able data."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        """Back from data.

        Raises:
            ValueError: a field is missing or unknown.
        """
        if set(data) != {field.name for field in fields(cls)}:
            raise ValueError(f"fields {', '.join(sorted(data))}: written by another version of this module")
        rows = {key: tuple((name, times) for name, times in data[key]) for key in ("stages", "verbs", "ends")}
        game = {**data["game"], "armies": tuple(data["game"]["armies"])}
        return cls(**{**data, **rows, "game": Stretch(**game)})

    def told(self) -> str:
        """What came of it, in a few words."""
        came = f"{self.fault.upper()} {self.story}" if self.fault else f"{sum(n for _, n in self.ends)} episodes over"
        return f"{self.steps} steps: {came}, {self.plies} plies, {self.seconds:.1f} s"


class _Walk:
    """Presses numbers at random and counts."""

    def __init__(self, ruleset: str, stretch: Stretch) -> None:
        self.env = TableEnv(
            ruleset,
            stretch.size,
            mission=stretch.mission,
            table=stretch.table,
            armies=stretch.armies,
            deployed=stretch.deployed,
            auto_forced=False,
        )
        self.env.terms = replace(self.env.terms, play=CheckedGame)
        self.stages: Counter[str] = Counter()
        self.verbs: Counter[str] = Counter()
        self.ends: Counter[str] = Counter()
        self.steps = self.plies = self.options = 0
        self.fault = self.story = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> bool:
        if not isinstance(error, Exception):
            return False
        names = {IllegalAction: "illegal", Refused: "refused", EmptyMask: "empty"}
        self.fault = next((name for known, name in names.items() if isinstance(error, known)), "exception")
        told = f"{action_to_text(error.action)}: {error}" if isinstance(error, IllegalAction) else f"{error}"
        self.story = f"after step {self.steps}: {type(error).__name__}: {told} (raised at {place_of(at)})"
        return True

    def go(self, stretch: Stretch) -> None:
        """All the steps of a stretch."""
        rng = random.Random(stretch.seed)
        self.env.reset(seed=stretch.seed)
        while self.steps < stretch.steps:
            if self.env.game.is_over:
                self.close()
                self.env.reset()
                continue
            self._step(rng)
        self.close()

    def _step(self, rng: random.Random) -> None:
        env, agent = self.env, self.env.agent_selection
        seen, _, _, _, info = env.last()
        assert env.observation_space(agent).contains(seen), "the observation lies outside its space"
        allowed = np.flatnonzero(info["action_mask"])
        assert np.array_equal(allowed, np.flatnonzero(env.action_masks())), "two masks of one moment differ"
        if not allowed.size:
            raise EmptyMask(f"{info['asked']} is asked for, and nothing is allowed")
        self.stages[info["asked"]] += 1
        self.options += int(allowed.size)
        number = int(allowed[int(rng.random() * allowed.size)])
        before = sum(env.game.illegal.values())
        env.step(number)
        if sum(env.game.illegal.values()) > before:
            raise Refused(f"{number} ({env.game.view.layout.name_of(number)}) was allowed and then refused")
        self.steps += 1

    def close(self) -> None:
        """Count the episode."""
        game = self.env.game
        self.plies += len(game.plies)
        self.verbs.update(ply.action.verb for ply in game.plies if hasattr(ply, "action"))
        if game.is_over:
            self.ends[game.ruleset.ending(game.state) if game.is_ended else "cut short"] += 1


def stepped(ruleset: str, stretch: Stretch) -> Stepped:
    """Press the numbers of a stretch."""
    began = time.process_time()
    walk = _Walk(ruleset, stretch)
    with walk:
        walk.go(stretch)
    return Stepped(
        game=stretch,
        version=load_ruleset(ruleset).info.version,
        commit=commit(),
        steps=walk.steps,
        plies=walk.plies,
        stages=_rows(walk.stages),
        verbs=_rows(walk.verbs),
        ends=_rows(walk.ends),
        options=walk.options,
        fault=walk.fault,
        story=walk.story,
        seconds=round(time.process_time() - began, 3),
    )


def _rows(counts: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items()))


def env_result(claim: EnvClaim, games: list[Stepped]) -> dict[str, Any]:
    """A result as JSON-able data; `holds` says whether nothing went wrong."""
    faults = {fault: sum(game.fault == fault for game in games) for fault in ENV_FAULTS}
    steps = sum(game.steps for game in games)
    ends = _added(row for game in games for row in game.ends)
    return {
        "name": claim.name,
        "ruleset": {"id": claim.ruleset, "version": load_ruleset(claim.ruleset).info.version},
        "commits": _added((game.commit, 1) for game in games),
        "machine": asdict(this_machine()),
        "games": {"planned": len(claim.games()), "finished": len(games)},
        "steps": {"planned": sum(game.steps for game in claim.games()), "finished": steps},
        "plies": sum(game.plies for game in games),
        "episodes": sum(ends.values()),
        "options": round(sum(game.options for game in games) / max(steps, 1), 1),
        "processor_seconds": round(sum(game.seconds for game in games), 1),
        "faults": faults,
        "stories": [f"{game.game}: {game.story}" for game in games if game.fault],
        "stages": _added(row for game in games for row in game.stages),
        "verbs": _added(row for game in games for row in game.verbs),
        "ends": ends,
        "holds": bool(games) and not any(faults.values()),
    }


def _added(rows: Iterable[tuple[str, int]]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for name, times in rows:
        counts[name] += times
    return dict(sorted(counts.items()))
