"""A law that nothing can break proves nothing: here each is broken on purpose, and has to notice."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE
from tactician.rules.core.chance import Outcome, Source, Successes
from tactician.rules.core.choice import Choice, Draw, Nothing, Walk
from tactician.rules.core.clauses import Clause, Violation
from tactician.rules.core.legs import Straight
from tactician.rules.core.ruleset import Ruleset, load_ruleset
from tactician.rules.core.state import State

from tests.architecture import scan
from tests.architecture.tree import LAYERS
from tests.conformance import laws
from tests.conformance.found import folder_of
from tests.conformance.games import opening, play

HONEST = load_ruleset("_template")


class Wrapped:
    """A ruleset that passes everything on; each fault overrides one method."""

    def __init__(self) -> None:
        self.info, self.clauses, self.options = HONEST.info, HONEST.clauses, HONEST.options
        self.dice = random.Random(1)

    def __getattr__(self, name: str) -> Any:
        return getattr(HONEST, name)


def first(mover: str, kind: str = "") -> State:
    """The first moment of some game at which somebody (or a kind of frame) is to move."""
    for seed in range(50):
        for ply in play(HONEST, opening(HONEST, "duel"), seed):
            if HONEST.to_move(ply.before) == mover and ply.before.agenda[-1].kind.startswith(kind):
                return ply.before
    raise LookupError(f"{mover} is never to move in {kind!r}")


# ---- 1: a second entrance for dice ----------------------------------------------------------------------------------
class RollsAgain(Wrapped):
    def resolve(self, state: State, outcome: Outcome) -> State:
        return HONEST.resolve(state, HONEST.pending(state).sample(self.dice))


class ForgetsTheDice(Wrapped):
    def resolve(self, state: State, outcome: Outcome) -> State:
        return replace(HONEST.resolve(state, 0), log=())


@pytest.mark.parametrize(("fault", "complaint"), [(RollsAgain, "two moments"), (ForgetsTheDice, "one moment")])
def test_dice_that_enter_elsewhere_are_found(fault: type[Ruleset], complaint: str) -> None:
    state = first(CHANCE)
    laws.law_outcome_decides(HONEST, state, 0)
    with pytest.raises(AssertionError, match=complaint):
        laws.law_outcome_decides(fault(), state, 0)


# ---- 2: offers that are not legal -----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Overrun(Walk):
    """A way that is a hair longer than the move."""

    def sample(self, state: State, choice: Choice, draw: Draw) -> Action:
        model = state.unit(choice.unit).models[0]
        far = self.kind.allowance + 0.001
        return replace(choice.bare(), paths=((model.id, (Straight((model.pose.x - far, model.pose.y)),)),))

    def clip(self, state: State, choice: Choice, action: Action) -> Action:
        return self.sample(state, choice, random.Random(0).random)


class Overruns(Wrapped):
    def choices(self, state: State) -> tuple[Choice, ...]:
        return tuple(
            replace(one, given=Overrun(one.domain.kind, one.domain.kind)) if isinstance(one.domain, Walk) else one
            for one in HONEST.choices(state)
        )


@pytest.mark.parametrize("law", [laws.law_choices_are_legal, laws.law_clip_is_legal], ids=lambda law: law.__name__)
def test_a_choice_that_overruns_is_found(law: Any) -> None:
    state = opening(HONEST, "duel")
    law(HONEST, state, 0)
    with pytest.raises(AssertionError, match="DU-MO-01"):
        law(Overruns(), state, 0)


class AllowsAnything(Wrapped):
    def check(self, state: State, action: Action, assume: Mapping[str, int] | None = None) -> tuple[Violation, ...]:
        return ()


def test_a_check_that_differs_from_the_choices_is_found() -> None:
    state = opening(HONEST, "duel")
    with pytest.raises(AssertionError, match="in a choice False"):
        laws.law_check_is_membership(AllowsAnything(), state, 0, samples=20)
    with pytest.raises(AssertionError, match="nonsense is legal"):
        laws.law_nonsense_is_refused(AllowsAnything(), state)


class OffersNothing(Wrapped):
    def choices(self, state: State) -> tuple[Choice, ...]:
        return ()


class OffersTwice(Wrapped):
    def choices(self, state: State) -> tuple[Choice, ...]:
        return (*HONEST.choices(state), Choice("move", "R1", Nothing()))


@pytest.mark.parametrize(("fault", "complaint"), [(OffersNothing, "0 choices"), (OffersTwice, "offered twice")])
def test_choices_that_nobody_can_use_are_found(fault: type[Ruleset], complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        laws.law_somebody_can_choose(fault(), opening(HONEST, "duel"))


# ---- 3: wrong odds --------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Overweight(Successes):
    """Odds that sum to more than 1."""

    def support(self) -> tuple[tuple[Outcome, float], ...]:
        return ((0, 0.5), (1, 0.51))


@dataclass(frozen=True, slots=True, kw_only=True)
class Optimistic(Successes):
    """Odds that sum to 1 and are those of another threshold."""

    def support(self) -> tuple[tuple[Outcome, float], ...]:
        return Successes(why=self.why, dice=1, at_least=4).support()


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded(Successes):
    """A die that does not fall as its odds say."""

    def sample(self, source: Source) -> Outcome:
        return int(source.randrange(6) >= 3)


@pytest.mark.parametrize("fault", [Overweight, Optimistic, Loaded])
def test_a_wrong_probability_is_found(fault: type[Successes]) -> None:
    laws.law_odds(Successes(why="a shot", dice=1, at_least=5), 0)
    with pytest.raises(AssertionError, match="a shot"):
        laws.law_odds(fault(why="a shot", dice=1, at_least=5), 0)


# ---- 4: a rule that nobody calls ------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", ["check", "effect", "order"])
def test_a_clause_that_nobody_implements_is_found(kind: Any) -> None:
    folder = folder_of(HONEST)
    laws.law_clauses_have_owners(HONEST.clauses, folder)
    clause = Clause(id="DU-MO-09", text="a disc may not stop on the table's middle", source="planted", kind=kind)
    with pytest.raises(AssertionError, match="nobody implements DU-MO-09"):
        laws.law_clauses_have_owners((*HONEST.clauses, clause), folder)


# ---- 5: an arrow that runs the wrong way ----------------------------------------------------------------------------
def test_an_import_against_the_layers_is_found(tmp_path: Path) -> None:
    for layer in LAYERS:
        (tmp_path / layer).mkdir()
    copied = tmp_path / "rules" / "duel"
    shutil.copytree(folder_of(HONEST), copied, ignore=shutil.ignore_patterns("__pycache__"))
    before = scan.layer_faults(tmp_path)
    with (copied / "moving.py").open("a", encoding="utf-8") as module:
        module.write("\nfrom tactician.agent.dice import Dice\n")
    (planted,) = set(scan.layer_faults(tmp_path)) - set(before)
    assert planted.startswith("rules/duel/moving.py:")
    assert planted.endswith("imports tactician.agent.dice.Dice: rules may not see agent")


# ---- 6: values that change ------------------------------------------------------------------------------------------
class Mutates(Wrapped):
    def apply(self, state: State, action: Action) -> State:
        object.__setattr__(state, "round", state.round + 1)
        return HONEST.apply(state, action)


class MutatesOnResolve(Wrapped):
    def resolve(self, state: State, outcome: Outcome) -> State:
        object.__setattr__(state, "log", (*state.log, "dice fell"))
        return HONEST.resolve(state, outcome)


def test_a_step_that_changes_its_argument_is_found() -> None:
    for fault, mover, complaint in ((Mutates(), "red", "apply"), (MutatesOnResolve(), CHANCE, "resolve")):
        with pytest.raises(AssertionError, match=rf"{complaint}.* changed the moment"):
            laws.law_arguments_stay(fault, first(mover), 0)


# ---- further: files and replays -------------------------------------------------------------------------------------
class ForgetsTheAgenda(Wrapped):
    def from_data(self, data: Mapping[str, Any]) -> State:
        return HONEST.from_data({key: value for key, value in data.items() if key != "agenda"})


class RoundsInFiles(Wrapped):
    def to_data(self, state: State) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(
            json.dumps(HONEST.to_data(state)), parse_float=lambda text: round(float(text), 2)
        )
        return data


@pytest.mark.parametrize("fault", [ForgetsTheAgenda, RoundsInFiles])
def test_a_file_that_loses_something_is_found(fault: type[Ruleset]) -> None:
    state = first("blue", "react")
    laws.law_round_trips(HONEST, state)
    with pytest.raises(AssertionError, match="comes back changed"):
        laws.law_round_trips(fault(), state)


def test_a_replay_that_goes_astray_is_found() -> None:
    plies = list(play(HONEST, opening(HONEST, "duel"), 0))
    laws.law_replay(HONEST, plies)
    with pytest.raises(AssertionError, match="after ply 1"):
        laws.law_replay(HONEST, [plies[0], replace(plies[1], after=plies[0].before), *plies[2:]])
