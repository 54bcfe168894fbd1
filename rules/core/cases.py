"""Running cases: situations with a verdict (see `tactician.rules.core.case_files` for how they are written)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from math import isclose
from pathlib import Path
from typing import Any

from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE
from tactician.rules.core.case_files import Case, Expected, Step, case_files, read_cases
from tactician.rules.core.chance import DiceError, Outcome
from tactician.rules.core.clauses import MALFORMED, Violation
from tactician.rules.core.codec import outcome_from_data
from tactician.rules.core.files import BadInput, Fault, Faults, quoted
from tactician.rules.core.notation import action_to_text
from tactician.rules.core.ruleset import Ruleset, RulesetError, load_ruleset
from tactician.rules.core.state import State

__all__ = ["CaseResult", "run_case", "run_cases"]

MEASURED: float = 1e-3
"""How far a measured number may be from the one that a case names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """What came of a case: every disagreement, none where rules and case agree."""

    case: Case
    problems: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether the rules say what the case says."""
        return not self.problems

    def __str__(self) -> str:
        """One line, and one more for each disagreement."""
        head = f"{self.case.file}: {self.case.name} [{self.case.clause}]: {'agrees' if self.agrees else 'DISAGREES'}"
        return "\n".join([head, *(f"  {problem}" for problem in self.problems)])


def run_cases(paths: Iterable[str | Path], without: str | None = None) -> list[CaseResult]:
    """Run every case of files and folders.

    Args:
        paths: files, or folders that hold them
        without: id of a clause that is switched off; at least one of its cases should then disagree

    Raises:
        BadInput: a file cannot be read, or names a ruleset, clause or field that does not exist.
    """
    cases = [case for path in case_files(paths) for case in read_cases(path)]
    return [run_case(case, without=without) for case in cases]


def run_case(case: Case, ruleset: Ruleset | None = None, without: str | None = None) -> CaseResult:
    """Play a case and compare.

    Args:
        case: the situation
        ruleset: None for the one that the battle names
        without: id of a clause that is switched off

    Raises:
        BadInput: the battle cannot be read, or a clause does not exist.
    """
    try:
        played = ruleset if ruleset is not None else _ruleset(case)
        _check_clauses(case, played, without)
        state = played.from_data(case.battle)
    except BadInput as error:
        where = f"{case.name}: battle"
        faults = [replace(one, where=f"{where}.{one.where}" if one.where else where) for one in error.faults]
        raise BadInput(faults).in_file(case.file) from None
    if without is not None:
        state = replace(state, table=replace(state.table, switched_off=state.table.switched_off | {without}))
    problems: list[str] = []
    for number, step in enumerate(case.steps, start=1):
        found = _Run(played, state, step)
        problems += [f"step {number}: {problem}" for problem in found.problems]
        if found.stuck:
            break
        state = found.state
    return CaseResult(case=case, problems=tuple(problems))


def _ruleset(case: Case) -> Ruleset:
    named = case.battle.get("ruleset", "")
    name = named.get("id", "") if isinstance(named, dict) else named
    try:
        return load_ruleset(str(name))
    except RulesetError as error:
        raise BadInput([Fault(where="ruleset", found=str(error))]) from None


def _check_clauses(case: Case, ruleset: Ruleset, without: str | None) -> None:
    """Refuse ids that no clause has: a case of a misspelt clause would prove nothing."""
    known = (*(clause.id for clause in ruleset.clauses), MALFORMED)
    named = [case.clause] if case.clause else []
    named += [name for step in case.steps for name in step.expected.violates]
    named += [] if without is None else [without]
    faults = Faults()
    for name in dict.fromkeys(named):
        if name not in known:
            faults.unknown("clause", "clause", name, known)
    faults.check()


class _Run:
    """One step carried out: the state after it, and every disagreement."""

    def __init__(self, ruleset: Ruleset, state: State, step: Step) -> None:
        self.ruleset, self.state, self.step = ruleset, state, step
        self.problems: list[str] = []
        self.stuck = False
        """Whether later steps would not start where the case means them to."""
        if step.action is not None:
            self._act(step.action)
        if step.dice is not None and not self.stuck:
            self._roll(step.dice)
        if not self.stuck:
            for path, wanted in step.expected.values:
                self._compare(path, wanted)

    def _act(self, action: Action) -> None:
        told, expected = action_to_text(action), self.step.expected
        if self.step.clipped and expected.is_legal:
            clipped = self._clip(action)
            if clipped is None:
                self._stop(f"{told}: expected as much of it as is legal, {self._why(action)}")
                return
            action = clipped
        found = self.ruleset.check(self.state, action)
        if expected.is_legal and not found:
            self.state = self.ruleset.apply(self.state, action)
        elif expected.is_legal:
            self._stop(f"{action_to_text(action)}: expected legal, got {_listed(found)}")
        else:
            self.problems += [f"{told}: {problem}" for problem in _disagreements(expected, found)]

    def _clip(self, action: Action) -> Action | None:
        for choice in self.ruleset.choices(self.state):
            if choice.verb == action.verb and choice.unit == action.unit:
                return choice.clip(self.state, action)
        return None

    def _why(self, action: Action) -> str:
        found = self.ruleset.check(self.state, action)
        return f"got {_listed(found)}" if found else "but nothing like it is offered"

    def _roll(self, dice: int | tuple[int | tuple[int, ...], ...]) -> None:
        refused = self.step.action is None and self.step.expected.refused
        for outcome in self._outcomes(dice):
            mover = self.ruleset.to_move(self.state)
            if mover != CHANCE:
                self._stop(f"dice {outcome}: expected a roll, got {mover} to move")
                return
            try:
                self.state = self.ruleset.resolve(self.state, outcome)
            except DiceError as error:
                wanted = f"a refusal with {refused!r}" if refused else "an outcome that can fall"
                if not (refused and refused.lower() in str(error).lower()):
                    self._stop(f"dice {outcome}: expected {wanted}, got {error}")
                return
        if refused:
            self._stop(f"dice {dice}: expected a refusal with {refused!r}, got none")

    def _outcomes(self, dice: int | tuple[int | tuple[int, ...], ...]) -> list[Outcome]:
        """One outcome or several: see the module's docstring."""
        if isinstance(dice, int):
            return [dice]
        if any(isinstance(one, tuple) for one in dice) or self.ruleset.to_move(self.state) != CHANCE:
            return [outcome_from_data(one) for one in dice]
        first = self.ruleset.pending(self.state).support()[0][0]
        return [outcome_from_data(dice)] if isinstance(first, tuple) else [outcome_from_data(one) for one in dice]

    def _compare(self, path: str, wanted: Any) -> None:
        try:
            found = _fact(self.ruleset, self.state, path)
        except (LookupError, ValueError) as error:
            self.problems.append(f"{path}: expected {quoted(wanted)}, but {error.args[0] if error.args else error}")
            return
        is_pair = isinstance(wanted, list) and len(wanted) == 2
        value, tolerance = (wanted[0], wanted[1]) if is_pair else (wanted, MEASURED)
        if _is_number(value) and _is_number(found) and _is_number(tolerance):
            agrees = isclose(value, found, rel_tol=0.0, abs_tol=tolerance)
        else:
            agrees = bool(value == found)
        if not agrees:
            spread = f" within {tolerance:g}" if _is_number(value) else ""
            self.problems.append(f"{path}: expected {quoted(value)}{spread}, got {quoted(found)}")

    def _stop(self, problem: str) -> None:
        self.problems.append(problem)
        self.stuck = True


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _fact(ruleset: Ruleset, state: State, path: str) -> Any:
    """A fact of a moment by its path.

    Raises:
        LookupError: there is none, or the ruleset states no facts.
    """
    fact: Callable[[State, str], Any] | None = getattr(ruleset, "fact", None)
    if fact is None:
        raise LookupError(f"ruleset {ruleset.info.id!r} states no facts")
    return fact(state, path)


def _listed(violations: tuple[Violation, ...]) -> str:
    return "; ".join(str(violation) for violation in violations)


def _disagreements(expected: Expected, found: tuple[Violation, ...]) -> list[str]:
    """Where a refusal differs from the one expected."""
    if not found:
        wanted = ", ".join(expected.violates) or f"a refusal with {expected.refused!r}"
        return [f"expected {wanted}, got legal"]
    problems = [
        f"expected {clause}, got {_listed(found)}"
        for clause in expected.violates
        if not any(violation.names(clause) for violation in found)
    ]
    if expected.measured is not None and not problems:
        named = [one for one in found if one.names(expected.violates[0])] if expected.violates else list(found)
        numbers = [one.measured for one in named if one.measured is not None]
        if not any(isclose(one, expected.measured, rel_tol=0.0, abs_tol=MEASURED) for one in numbers):
            got = ", ".join(f"{one:.4f}" for one in numbers) or "no number"
            problems.append(f"expected {expected.measured:g} measured, got {got}")
    word = expected.refused
    if word is not None and not any(word.lower() in str(violation).lower() for violation in found):
        problems.append(f"expected a refusal with {word!r}, got {_listed(found)}")
    return problems
