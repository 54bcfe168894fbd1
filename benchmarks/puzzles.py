"""Prove the puzzles and put them to policies: ``python -m benchmarks.puzzles [RULESET] [--policies greedy,...]``.

Every answer of a puzzle is followed through every line of its domain: all dice, the opponent doing the worst that
he can do, nothing cut short. ``docs/evidence/puzzles-RULESET.json`` then holds the worth of every answer and who
found the best.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from tactician.agent.policies import policy
from tactician.agent.policies.base import Budget
from tactician.agent.puzzles.proof import Proof, prove, tried
from tactician.agent.puzzles.puzzle import GAP, REPLYING, Puzzle, puzzles_of
from tactician.rules.core.notation import action_to_text
from tactician.rules.core.ruleset import Ruleset, load_ruleset, ruleset_names

from benchmarks.machine import commit, this_machine
from benchmarks.results import write_result

__all__ = ["LEAST", "evidence", "main"]

LEAST = 20
"""Puzzles that a ruleset should have."""


def evidence(ruleset: Ruleset, policies: Sequence[str], budget: Budget) -> dict[str, Any]:
    """The proofs of a ruleset's puzzles as JSON-able data; `holds` says whether everything asked of them is so."""
    began = time.process_time()
    rows = [_row(ruleset, puzzle, policies, budget) for puzzle in puzzles_of(ruleset)]
    solved = {name: sum(row["tried"][name]["solves"] for row in rows) for name in policies}
    replying = sum(row["kind"] in REPLYING for row in rows)
    enough = len(rows) >= LEAST and 2 * replying >= len(rows)
    hard = all(2 * solved[name] <= len(rows) for name in policies if name == "greedy")
    return {
        "name": f"puzzles-{ruleset.info.id}",
        "ruleset": {"id": ruleset.info.id, "version": ruleset.info.version},
        "commit": commit(),
        "machine": asdict(this_machine()),
        "least_gap": GAP,
        "puzzles": len(rows),
        "interrupts_responses_charges": replying,
        "budget": {"evaluations": budget.evaluations},
        "solved": solved,
        "processor_seconds": round(time.process_time() - began, 1),
        "holds": enough and hard and all(row["proved"] for row in rows),
        "rows": rows,
    }


def _row(ruleset: Ruleset, puzzle: Puzzle, policies: Sequence[str], budget: Budget) -> dict[str, Any]:
    began = time.process_time()
    proof = prove(ruleset, puzzle)
    seconds = time.process_time() - began
    _tell(f"{puzzle.name}: {_told(proof)}, {seconds:.1f} s")
    return {
        "name": puzzle.name,
        "title": puzzle.title,
        "kind": puzzle.kind,
        "asks": puzzle.goal.told(),
        "until": puzzle.until,
        "proved": proof.holds and proof.agrees,
        "best": action_to_text(puzzle.best),
        "gap": round(proof.gap, 6),
        "answers": [[action_to_text(one.action), round(one.value, 6)] for one in proof.found.answers],
        "moments": proof.found.moments,
        "leaves": proof.found.leaves,
        "tried": {name: _tried(ruleset, puzzle, name, budget) for name in policies},
        "seconds": round(seconds, 2),
    }


def _tried(ruleset: Ruleset, puzzle: Puzzle, name: str, budget: Budget) -> dict[str, Any]:
    one = tried(ruleset, puzzle, policy(name), budget)
    return {"solves": one.solves, "value": round(one.value, 6), "action": action_to_text(one.action)}


def _told(proof: Proof) -> str:
    rest = f"{proof.found.moments} moments, {proof.found.leaves} leaves"
    return f"{'proved' if proof.holds and proof.agrees else 'NOT PROVED'}, lead {proof.gap:.3f}, {rest}"


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove the puzzles of one ruleset or of all; 1 where something asked of them is not so."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ruleset", nargs="?", choices=ruleset_names(), help="one ruleset; all by default")
    parser.add_argument("--policies", default="greedy", help="names of policies with commas between them")
    parser.add_argument("--evaluations", type=int, default=Budget().evaluations, help="what a policy may look at")
    given = parser.parse_args(arguments)
    held = True
    for name in [given.ruleset] if given.ruleset else ruleset_names():
        ruleset = load_ruleset(name)
        data = evidence(ruleset, given.policies.split(","), Budget(evaluations=given.evaluations))
        place = write_result(data)
        _tell(f"{name}: {data['puzzles']} puzzles, solved {data['solved']}, {place}")
        held &= data["holds"]
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
