"""What a game is to everybody else: the ruleset protocol, its facts, and how rulesets are found and verified.

Rulesets are the sub-packages of ``tactician.rules`` other than ``core`` and ``paths`` whose name has no leading
underscore; each binds ``RULESET``. Nothing else lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Protocol, runtime_checkable

from tactician.rules.core.action import Action
from tactician.rules.core.chance import Outcome, Roll
from tactician.rules.core.choice import Choice
from tactician.rules.core.clauses import Clause, Violation
from tactician.rules.core.drawing import Drawing
from tactician.rules.core.forms import nearest
from tactician.rules.core.state import State

__all__ = [
    "Info",
    "Option",
    "Ruleset",
    "RulesetError",
    "Scenario",
    "chosen_options",
    "known_name",
    "load_ruleset",
    "may_measure",
    "ruleset_names",
]

OptionValue = float | bool | str


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A value that sources leave open, under a name, so that a table can settle it otherwise."""

    name: str
    default: OptionValue
    values: tuple[OptionValue, ...] = ()
    """All allowed values; empty where any number from `least` up is."""
    least: float = 0.0
    text: str = ""
    mark: str = "ruling"
    """How sure the default is: found, inferred, proposed or ruling."""
    source: str = ""
    """Row of the ruleset's page that it settles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """What to play: everything by name; None or empty means the ruleset's own default."""

    size: str = ""
    mission: str = ""
    table: str = ""
    armies: tuple[str, str] = ("", "")
    """Red's and blue's."""
    first: str = ""
    """Side that has the first turn; empty to roll for it."""
    deployed: bool = False
    """Whether units stand in a default formation from the start, instead of being deployed by their players."""
    options: tuple[tuple[str, OptionValue], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Info:
    """Facts of a ruleset that command line, pages, environments and tests are derived from."""

    id: str
    name: str
    version: str
    summary: str
    verbs: tuple[str, ...]
    """Every verb, in an order that never changes."""
    frames: tuple[str, ...]
    """Every kind of frame."""
    rolls: tuple[str, ...]
    """What is rolled for: the first word of each question to the dice."""
    ends: tuple[str, ...]
    """Every way a game can end."""
    sizes: tuple[str, ...]
    missions: tuple[str, ...]
    armies: tuple[str, ...]
    tables: tuple[str, ...]
    measuring_before_declaring: bool = True
    """Whether anybody may measure anything at any time; if not, the ruleset says by `may_measure` when one may."""


@runtime_checkable
class Ruleset(Protocol):
    """A game. All methods are pure; states, actions and outcomes are values."""

    info: Info
    clauses: tuple[Clause, ...]
    options: tuple[Option, ...]

    def start(self, scenario: Scenario) -> State:
        """The first moment of a scenario, settled.

        Raises:
            RulesetError: a name in the scenario is not known.
        """

    def to_move(self, state: State) -> str:
        """The side that decides, ``chance`` or ``terminal``."""

    def choices(self, state: State) -> tuple[Choice, ...]:
        """What the side to move may do: finite, sorted, never empty while somebody decides."""

    def check(self, state: State, action: Action, assume: Mapping[str, int] | None = None) -> tuple[Violation, ...]:
        """Every clause that any action at all would break now; empty means legal."""

    def apply(self, state: State, action: Action) -> State:
        """The moment after a legal action, settled; trusts its caller."""

    def pending(self, state: State) -> Roll:
        """The question to the dice, when chance is to move."""

    def resolve(self, state: State, outcome: Outcome) -> State:
        """The moment after an outcome of the dice, settled: the only way dice enter."""

    def returns(self, state: State) -> tuple[float, float]:
        """Result for red and blue: 1, 0 or -1 each once the game is over; 0, 0 before."""

    def ending(self, state: State) -> str:
        """How the game ended, one of `Info.ends`; empty before."""

    def describe(self, state: State) -> Drawing:
        """The table as shapes and labels, for any picture or page."""

    def to_data(self, state: State) -> dict[str, Any]:
        """The battle as JSON-able data that `from_data` reads back equal."""

    def from_data(self, data: Mapping[str, Any]) -> State:
        """A battle from JSON-able data; what has a natural default may be left out.

        Raises:
            BadInput: with every fault found, each naming the field and what was expected.
        """


def may_measure(ruleset: Ruleset, state: State) -> bool:
    """Whether distances between own and enemy models may be measured now.

    A ruleset answers by a method ``may_measure(state)``, which it needs only if there are moments in which nobody may.
    """
    asked: Callable[[State], bool] | None = getattr(ruleset, "may_measure", None)
    return asked is None or asked(state)


class RulesetError(ValueError):
    """A ruleset or one of its names is not known, or a ruleset does not keep the protocol."""


def ruleset_names() -> tuple[str, ...]:
    """Every ruleset found, sorted."""
    return names_in(Path(__file__).resolve().parent.parent)


def names_in(folder: Path) -> tuple[str, ...]:
    """Names of the ruleset packages in a folder."""
    found = [module.name for module in iter_modules([str(folder)]) if module.ispkg]
    return tuple(sorted(name for name in found if name not in ("core", "paths") and not name.startswith("_")))


def load_ruleset(name: str) -> Ruleset:
    """A ruleset by name, verified against the protocol.

    Raises:
        RulesetError: there is none of this name, or it lacks something (the message says what).
    """
    known = ruleset_names()
    if name not in known and name != "_template":
        raise RulesetError(f"there is no ruleset {name!r}{nearest(name, known)}")
    ruleset = getattr(import_module(f"tactician.rules.{name}"), "RULESET", None)
    if ruleset is None:
        raise RulesetError(f"tactician.rules.{name} binds no RULESET")
    return verified(name, ruleset)


def verified(name: str, ruleset: object) -> Ruleset:
    """The ruleset itself, if it keeps the protocol.

    Raises:
        RulesetError: naming everything that is missing or wrong.
    """
    wanted = [one for one in dir(Ruleset) if not one.startswith("_")] + ["info", "clauses", "options"]
    missing = sorted({one for one in wanted if not hasattr(ruleset, one)})
    if missing:
        raise RulesetError(f"ruleset {name!r} lacks {', '.join(missing)}")
    assert isinstance(ruleset, Ruleset)
    if not isinstance(ruleset.info, Info):
        raise RulesetError(f"ruleset {name!r}: info is {type(ruleset.info).__name__}, expected Info")
    ids = [clause.id for clause in ruleset.clauses]
    doubled = sorted({one for one in ids if ids.count(one) > 1})
    if doubled:
        raise RulesetError(f"ruleset {name!r} lists a clause twice: {', '.join(doubled)}")
    return ruleset


def known_name(what: str, name: str, known: tuple[str, ...]) -> str:
    """The name itself.

    Raises:
        RulesetError: it is none of those that are known; the message names the nearest.
    """
    if name not in known:
        raise RulesetError(f"there is no {what} {name!r}{nearest(name, known)}")
    return name


def chosen_options(
    options: tuple[Option, ...], given: tuple[tuple[str, OptionValue], ...]
) -> tuple[tuple[str, OptionValue], ...]:
    """All options of a game with their values, defaults where none is given, in their own order.

    Raises:
        RulesetError: an option or a value is not known.
    """
    values = dict(given)
    known = tuple(option.name for option in options)
    for name in values:
        known_name("option", name, known)
    for option in options:
        value = values.get(option.name, option.default)
        if option.values and value not in option.values:
            listed = ", ".join(map(str, option.values))
            raise RulesetError(f"option {option.name!r} is {value!r}: expected one of {listed}")
        if not option.values and not _is_number(value, option.least):
            raise RulesetError(f"option {option.name!r} is {value!r}: expected a number of at least {option.least:g}")
    return tuple((option.name, values.get(option.name, option.default)) for option in options)


def _is_number(value: object, least: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value < 1e6
