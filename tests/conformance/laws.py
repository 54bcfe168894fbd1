"""The laws that every ruleset keeps, each a function that raises `AssertionError` where one is broken.

A law looks at one moment (or one roll, one game, one package) and knows no game by name, so that it holds for a ruleset
that is written tomorrow, and so that a fault can be planted to see that it is caught.
"""

from __future__ import annotations

import copy
import json
import math
import os
import pickle
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from tactician.rules.core.action import Action, Mark
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.chance import Outcome, Roll
from tactician.rules.core.clauses import MALFORMED, Clause, Violation
from tactician.rules.core.forms import MOST_LEGS
from tactician.rules.core.legs import Pose, Straight
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import SIDES, State, other_side

from tests.conformance.games import MOST_PLIES, Ply, moments, opening, play
from tests.conformance.jitter import jittered

ROOT = Path(__file__).resolve().parents[2]

OWNED = ("check", "effect", "order")
"""Kinds of clause that some code has to decide."""

SIGMAS = 4.0
"""How far sampled counts may lie from the odds."""

MOST_OUTCOMES = 60
"""Outcomes of one roll whose states are compared."""


# ---- answers ---------------------------------------------------------------------------------------------------------


def law_choices_are_legal(ruleset: Ruleset, state: State, seed: int, samples: int = 3) -> None:
    """Every canonical and every sampled answer to a choice passes `check`, and the canonical one never varies."""
    rng = random.Random(seed)
    for choice in ruleset.choices(state):
        usual = choice.canonical(state)
        assert usual == choice.canonical(state), f"{choice.verb}: two canonical answers"
        for action in (usual, *(choice.sample(state, rng.random) for _ in range(samples))):
            assert (action.verb, action.unit) == (choice.verb, choice.unit), f"{choice.verb} answered by {action}"
            broken = ruleset.check(state, action)
            assert broken == (), f"offered and illegal: {action}: {said(broken)}"


def law_clip_is_legal(ruleset: Ruleset, state: State, seed: int, samples: int = 3) -> None:
    """Any answer, shortened, is legal or the canonical one, and shortening it again changes nothing."""
    rng = random.Random(seed)
    for choice in ruleset.choices(state):
        for _ in range(samples):
            wild = jittered(state, choice, choice.sample(state, rng.random), rng)
            tame = choice.clip(state, wild)
            broken = ruleset.check(state, tame)
            assert not broken or tame == choice.canonical(state), f"{wild} became {tame}: {said(broken)}"
            again = choice.clip(state, tame)
            assert again == tame, f"{wild} became {tame} and then {again}"


def law_check_is_membership(ruleset: Ruleset, state: State, seed: int, samples: int = 3) -> None:
    """An answer is legal exactly when it belongs to a choice; what it breaks are clauses of the ruleset."""
    rng = random.Random(seed)
    offered = ruleset.choices(state)
    known = {MALFORMED, *(clause.id for clause in ruleset.clauses)}
    for choice in offered:
        for _ in range(samples):
            action = choice.sample(state, rng.random)
            for one in (action, jittered(state, choice, action, rng)):
                broken = ruleset.check(state, one)
                homes = [home for home in offered if (home.verb, home.unit) == (one.verb, one.unit)]
                belongs = any(not home.explain(state, one) for home in homes)
                assert belongs == (not broken), f"{one}: in a choice {belongs}, check says: {said(broken)}"
                cited = {name for violation in broken for name in (violation.clause, *violation.also)}
                assert cited <= known, f"no such clause: {sorted(cited - known)}"


def law_nonsense_is_refused(ruleset: Ruleset, state: State) -> None:
    """`check` answers any order at all with violations, and never raises."""
    offered = ruleset.choices(state)
    mover = ruleset.to_move(state)
    nonsense = [Action(verb=""), Action(verb="levitate"), Action(verb="levitate", unit="nobody")]
    nonsense += [Action(verb=verb, unit="nobody") for verb in ruleset.info.verbs]
    if mover in SIDES:
        pairs = {(choice.verb, choice.unit) for choice in offered}
        units = [unit.id for unit in state.units if unit.side == other_side(mover)][:1]
        nonsense += [Action(verb=v, unit=u) for v in ruleset.info.verbs for u in units if (v, u) not in pairs]
    for choice in {type(one.domain): one for one in offered}.values():
        nonsense += _spoiled(state, choice.canonical(state))
    for action in nonsense:
        broken = ruleset.check(state, action)
        assert broken, f"nonsense is legal: {action}"
        assert all(isinstance(violation, Violation) and str(violation) for violation in broken)


def _spoiled(state: State, action: Action) -> Iterable[Action]:
    """A legal answer with things in it that nobody can mean."""
    models = [model.id for unit in state.units if unit.id in (action.unit, "") for model in unit.models]
    name = models[0] if models else "nobody"
    middle = state.board.width / 2, state.board.height / 2
    order = (name,) if action.order else ()
    for number in (math.nan, math.inf, -math.inf):
        yield replace(action, paths=((name, (Straight((number, 1.0)),)),), order=order)
        yield replace(action, places=((name, Pose(number, 1.0)),))
        yield replace(action, mark=Mark(model=name, inches=number))
    yield replace(action, paths=((name, (Straight(middle),) * (MOST_LEGS + 1)),), order=order)
    yield replace(action, paths=(("nobody", (Straight(middle),)),))
    yield replace(action, models=("nobody",))
    yield replace(action, targets=(("nothing", "nobody"),))
    yield replace(action, mark=Mark(model="nobody", inches=0.0))


# ---- values ----------------------------------------------------------------------------------------------------------


def law_arguments_stay(ruleset: Ruleset, state: State, seed: int) -> None:
    """Nothing that is asked or done changes the moment it is handed."""
    rng = random.Random(seed)
    before, held, mark = pickle.dumps(state), copy.deepcopy(state), hash(state)

    def unchanged(what: str) -> None:
        same = pickle.dumps(state) == before and state == held and hash(state) == mark
        assert same, f"{what} changed the moment it was handed"

    if ruleset.to_move(state) == CHANCE:
        for outcome in outcomes(ruleset.pending(state), rng):
            ruleset.resolve(state, outcome)
            unchanged(f"resolve({outcome})")
    for choice in ruleset.choices(state):
        action = choice.sample(state, rng.random)
        choice.clip(state, jittered(state, choice, action, rng))
        ruleset.check(state, action)
        unchanged(f"the choice {choice.verb} of {choice.unit}")
        ruleset.apply(state, action)
        unchanged(f"apply({action})")
    ruleset.describe(state), ruleset.to_data(state), ruleset.returns(state), ruleset.ending(state)
    unchanged("a look")


def law_round_trips(ruleset: Ruleset, state: State) -> None:
    """Data, JSON text, pickle and copies come back equal, with equal hashes."""
    data = ruleset.to_data(state)
    again = ruleset.from_data(json.loads(json.dumps(data, allow_nan=False)))
    for back in (ruleset.from_data(data), again, *(f(state) for f in (repickled, copy.copy, copy.deepcopy))):
        assert back == state, f"comes back changed: {data}"
        assert hash(back) == hash(state)
        assert type(back) is type(state)
    assert ruleset.to_data(again) == data, "data of the moment read back differs"


def repickled(state: State) -> State:
    """A state through pickle."""
    back: State = pickle.loads(pickle.dumps(state))
    return back


# ---- chance ----------------------------------------------------------------------------------------------------------


def law_odds(roll: Roll, seed: int, throws: int = 1500) -> None:
    """The odds sum to 1, exactly as fractions, and sampling agrees with them."""
    support, exact = roll.support(), roll.exact()
    assert sum((share for _, share in exact), Fraction(0)) == 1, f"{roll.why}: fractions do not sum to 1"
    assert math.isclose(sum(share for _, share in support), 1.0, rel_tol=0.0, abs_tol=1e-9), f"{roll.why}: odds"
    assert [outcome for outcome, _ in support] == [outcome for outcome, _ in exact]
    for (outcome, share), (_, fraction) in zip(support, exact, strict=True):
        assert share > 0.0, f"{roll.why}: {outcome} cannot happen"
        assert math.isclose(share, float(fraction), rel_tol=1e-12), f"{roll.why}: {outcome} has {share} and {fraction}"
        assert roll.accept(outcome) == outcome
    rng = random.Random(seed)
    seen = Counter(roll.sample(rng) for _ in range(throws))
    odds = dict(support)
    assert set(seen) <= set(odds), f"{roll.why}: threw {sorted(set(seen) - set(odds), key=str)}"
    for outcome, share in odds.items():
        spread = SIGMAS * math.sqrt(throws * share * (1.0 - share)) + 1.0
        assert abs(seen[outcome] - throws * share) <= spread, f"{roll.why}: {outcome} came {seen[outcome]} times"


def law_outcome_decides(ruleset: Ruleset, state: State, seed: int) -> None:
    """Outcome k leads to the moment of k: the same one always, and another one than those of other outcomes."""
    rng = random.Random(seed)
    roll = ruleset.pending(state)
    led: dict[Outcome, State] = {}
    for outcome in outcomes(roll, rng):
        first, *others = (ruleset.resolve(state, outcome) for _ in range(4))
        for other in others:
            assert (other, other.log) == (first, first.log), f"{roll.why}: {outcome} leads to two moments"
        led[outcome] = first
    told = Counter((after, after.log) for after in led.values())
    assert max(told.values()) == 1, f"{roll.why}: two outcomes lead to one moment, and the log is the same"
    for _ in range(3):
        outcome = roll.sample(rng)
        after = ruleset.resolve(state, outcome)
        assert led.get(outcome, after) == after, f"{roll.why}: {outcome} sampled and enumerated differ"


def outcomes(roll: Roll, rng: random.Random) -> list[Outcome]:
    """All outcomes of a roll, or some where there are many."""
    every = [outcome for outcome, _ in roll.support()]
    return every if len(every) <= MOST_OUTCOMES else rng.sample(every, MOST_OUTCOMES)


# ---- games -----------------------------------------------------------------------------------------------------------


def law_somebody_can_choose(ruleset: Ruleset, state: State) -> None:
    """Whoever is to move has a choice; chance has a question, and a game that is over a result."""
    mover, offered = ruleset.to_move(state), ruleset.choices(state)
    assert mover in (*SIDES, CHANCE, TERMINAL), f"{mover!r} is to move"
    assert offered == ruleset.choices(state), "choices differ when asked twice"
    pairs = [(choice.verb, choice.unit) for choice in offered]
    assert len(set(pairs)) == len(pairs), f"one verb and unit offered twice: {pairs}"
    assert bool(offered) == (mover in SIDES), f"{mover} is to move and has {len(offered)} choices"
    if mover == CHANCE:
        assert ruleset.pending(state).support(), "nothing can come of the roll"
    red, blue = ruleset.returns(state)
    if mover == TERMINAL:
        assert ruleset.ending(state) in ruleset.info.ends
        assert (red, blue) in ((1.0, -1.0), (0.0, 0.0), (-1.0, 1.0))
    else:
        assert ruleset.ending(state) == ""
        assert (red, blue) == (0.0, 0.0)


def law_facts_cover(ruleset: Ruleset, state: State) -> None:
    """The verbs, frames and rolls that occur are among those that the ruleset lists."""
    info = ruleset.info
    assert {choice.verb for choice in ruleset.choices(state)} <= set(info.verbs)
    assert {frame.kind for frame in state.agenda} <= set(info.frames)
    if ruleset.to_move(state) == CHANCE:
        assert ruleset.pending(state).why.startswith(info.rolls), ruleset.pending(state).why


def law_replay(ruleset: Ruleset, plies: list[Ply]) -> None:
    """What was done and thrown, done again without drawing, leads through the same moments."""
    state = plies[0].before
    for number, ply in enumerate(plies):
        if ply.action is not None:
            state = ruleset.apply(state, ply.action)
        else:
            assert ply.outcome is not None
            state = ruleset.resolve(state, ply.outcome)
        assert (state, state.log) == (ply.after, ply.after.log), f"the replay differs after ply {number}"


def law_games_end(ruleset: Ruleset, size: str, seed: int) -> str:
    """A random game ends; returns how."""
    state = opening(ruleset, size)
    for ply in play(ruleset, state, seed):
        state = ply.after
    assert ruleset.to_move(state) == TERMINAL, f"no end after {MOST_PLIES} plies"
    law_somebody_can_choose(ruleset, state)
    return ruleset.ending(state)


def law_every_process_agrees(name: str, size: str, seed: int, most: int) -> None:
    """A random game is the same in every process, however texts are hashed there."""
    code = (
        "import sys\n"
        "from tactician.rules.core.ruleset import load_ruleset\n"
        "from tests.conformance.games import digest\n"
        "name, size, seed, most = sys.argv[1:]\n"
        "sys.stdout.write(digest(load_ruleset(name), size, int(seed), int(most)))\n"
    )
    found = set()
    for hashing in ("1", "2"):
        paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
        environment = {**os.environ, "PYTHONHASHSEED": hashing, "PYTHONPATH": paths}
        command = [sys.executable, "-P", "-c", code, name, size, str(seed), str(most)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        found.add(done.stdout)
    assert len(found) == 1, "two processes play two games"


# ---- clauses ---------------------------------------------------------------------------------------------------------


def law_clauses_have_owners(clauses: Iterable[Clause], folder: Path) -> None:
    """Every clause that decides something is cited by some module other than the list itself."""
    sources = [path for path in sorted(folder.rglob("*.py")) if path.name != "clauses.py"]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    orphans = [one.id for one in clauses if one.kind in OWNED and not re.search(rf"\b{re.escape(one.id)}\b(?!-)", text)]
    assert not orphans, f"nobody implements {', '.join(orphans)}"


# ---- all of them -----------------------------------------------------------------------------------------------------


def law_moment(ruleset: Ruleset, state: State, seed: int) -> None:
    """Every law about one moment."""
    law_somebody_can_choose(ruleset, state)
    law_facts_cover(ruleset, state)
    law_choices_are_legal(ruleset, state, seed)
    law_clip_is_legal(ruleset, state, seed)
    law_check_is_membership(ruleset, state, seed)
    law_nonsense_is_refused(ruleset, state)
    law_arguments_stay(ruleset, state, seed)
    law_round_trips(ruleset, state)
    if ruleset.to_move(state) == CHANCE:
        law_odds(ruleset.pending(state), seed)
        law_outcome_decides(ruleset, state, seed)


def law_ruleset(ruleset: Ruleset, size: str, seed: int, most: int = 10) -> None:
    """Every law, on some moments of one random game: what a new ruleset is tried with first."""
    folder = Path(sys.modules[f"tactician.rules.{ruleset.info.id}"].__file__ or "").parent
    law_clauses_have_owners(ruleset.clauses, folder)
    for state in moments(ruleset, size, seed, most):
        law_moment(ruleset, state, seed)
    law_replay(ruleset, list(play(ruleset, opening(ruleset, size), seed, 12 * most)))
    law_games_end(ruleset, size, seed)
    law_every_process_agrees(ruleset.info.id, size, seed, 3 * most)


def said(broken: tuple[Violation, ...]) -> str:
    """Violations as a message shows them."""
    return "; ".join(map(str, broken)) or "legal"
