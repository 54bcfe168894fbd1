"""Overwatch: who may prepare it, when it fires, and how it is spent (chapter OW)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256

from tactician.rules.core.action import Action, Mark
from tactician.rules.core.agenda import Handler, push, swap, without_top
from tactician.rules.core.choice import Choice, Nothing, Window
from tactician.rules.core.clauses import MALFORMED, Violation
from tactician.rules.core.derive import but
from tactician.rules.core.remember import Remembered
from tactician.rules.core.state import State, other_side
from tactician.rules.wh40k2e.contact import is_engaged
from tactician.rules.wh40k2e.moving import advanced
from tactician.rules.wh40k2e.psychology import chargers_feared
from tactician.rules.wh40k2e.state import Alert, Moving, React, Squad, SquadState, Targeting

__all__ = [
    "AlertHandler",
    "ReactHandler",
    "TargetingHandler",
    "WholeSquad",
    "alerted",
    "may_watch",
    "prepared",
    "watchers",
]

_PICTURES: Remembered[str] = Remembered(4_000)
_PRINTS: Remembered[str] = Remembered(4_000)


def may_watch(state: SquadState, unit: Squad, is_compelled: bool) -> tuple[Violation, ...]:
    """Why a unit may not prepare overwatch; empty where it may (2E-OW-01).

    Args:
        state: the opening of the player's turn.
        unit: one of his units.
        is_compelled: whether it has to make a compulsory move this turn.
    """
    texts = []
    if unit.charge:
        texts.append(("2E-OW-01", "no overwatch after declaring a charge"))
    if is_compelled:
        texts.append(("2E-OW-01", "no overwatch with a compulsory move due"))
    if unit.overwatch:
        texts.append((MALFORMED, "is on overwatch already"))
    if unit.broken or is_engaged(state, unit):
        texts.append((MALFORMED, "a broken or fighting unit does not watch"))
    return tuple(Violation(clause=clause, subject=unit.id, text=text) for clause, text in texts)


@dataclass(frozen=True, slots=True)
class WholeSquad(Nothing):
    """An order to a whole unit, which may name all its models but not some of them (2E-OW-04)."""

    def explain(self, state: State, choice: Choice, action: Action) -> tuple[Violation, ...]:
        """Complain about models left out, and about anything else added to the verb."""
        names = {model.id for model in state.unit(choice.unit).models}
        faults = Nothing.explain(self, state, choice, replace(action, models=()))
        if not action.models or set(action.models) == names:
            return faults
        text = "all models of a unit go on overwatch together"
        return (*faults, Violation(clause="2E-OW-04", subject=choice.unit, text=text))


def prepared(state: SquadState, unit: Squad) -> SquadState:
    """The state with a whole unit on overwatch (2E-OW-04); hidden ones stay hidden (2E-HI-10)."""
    hidden = unit.hidden and state.holds("2E-HI-10")
    return state.with_unit(but(unit, overwatch=True, hidden=hidden, acted=True))


def watchers(state: SquadState, side: str) -> tuple[Squad, ...]:
    """Units of a side that may fire from overwatch now: not who fights (corner case 36), nor who fears his charger."""
    turn = state.agenda[0] if state.agenda else None
    if not state.holds("2E-OW-07") and getattr(turn, "phase", "") in ("shooting", "combat", "follow", "rally", "over"):
        return ()
    if not state.holds("2E-OW-06"):
        return ()
    ready = (unit for unit in state.of(side) if unit.overwatch and not unit.broken and not is_engaged(state, unit))
    return tuple(unit for unit in ready if not (unit.cowed and chargers_feared(state, unit)))


# ---- fire along a way ------------------------------------------------------------------------------------------------


class ReactHandler(Handler[SquadState, React]):
    """Units on overwatch may fire at any point of an announced way at which they see somebody of the movers."""

    def choices(self, state: SquadState, frame: React) -> tuple[Choice, ...]:
        """Let them go, or say where they are fired at."""
        units = sorted({watcher for watcher, _, _, _ in frame.windows})
        fires = tuple(Choice("fire", unit, partial(_window, state, frame, unit)) for unit in units)
        return (*fires, Choice("pass", "", Nothing()))

    def take(self, state: SquadState, frame: React, action: Action) -> SquadState:
        """Everything before the fire has happened; everything after it is open again."""
        state = without_top(state)
        if action.mark is None:
            return state
        moving = state.agenda[-1]
        assert isinstance(moving, Moving)
        state, _ = advanced(state, moving, action.mark)
        stopped = state.agenda[-1]
        assert isinstance(stopped, Moving)
        answered = tuple(sorted({*stopped.answered, action.unit}))
        state = swap(state, replace(stopped, stage="replan", answered=answered))
        return push(state, Targeting(owner=frame.owner, unit=action.unit, mover=moving.unit))


def _window(state: SquadState, frame: React, unit: str) -> Window:
    """The stretches in sight of a unit, and the best points of them."""
    from tactician.rules.wh40k2e.watching import best_marks

    moving = state.agenda[-2]
    assert isinstance(moving, Moving)
    spans = tuple((model, low, high) for watcher, model, low, high in frame.windows if watcher == unit)

    def usual() -> tuple[Mark, ...]:
        return tuple(mark for mark in best_marks(state, moving, state.unit(unit)) if _holds(spans, mark))

    return Window(spans, usual)


def _holds(spans: tuple[tuple[str, float, float], ...], mark: Mark) -> bool:
    return any(model == mark.model and low <= mark.inches <= high for model, low, high in spans)


# ---- fire after an action --------------------------------------------------------------------------------------------


def alerted(state: SquadState, owner: str, *, ends: bool = False) -> SquadState | None:
    """The state with the enemy's watchers asked, or None where there is nothing to ask.

    Args:
        state: a moment between two actions of the player whose turn it is.
        owner: that player.
        ends: whether a phase ends here, so that watchers are asked although they have seen nothing new.
    """
    asked = tuple(
        unit.id
        for unit in watchers(state, other_side(owner))
        if (seen := picture(state, unit)) and (ends or seen != unit.picture)
    )
    return push(state, Alert(owner=other_side(owner), watchers=asked)) if asked else None


def picture(state: SquadState, unit: Squad) -> str:
    """A fingerprint of what a watcher could fire at, and of which enemies have fired; empty where it sees nobody."""
    return _PICTURES.get((state.table, state.units), unit.id, lambda: _picture(state, unit))


def _picture(state: SquadState, unit: Squad) -> str:
    from tactician.rules.wh40k2e.targets import targets_of

    seen = [state.unit(name) for name in targets_of(state, unit, on_overwatch=True)]
    if not seen:
        return ""
    models, fired = tuple(foe.models for foe in seen), tuple(foe.id for foe in state.against(unit.side) if foe.fired)
    return _PRINTS.get(models, fired, lambda: _print_of(seen, list(fired)))


def _print_of(seen: list[Squad], fired: list[str]) -> str:
    facts = [(foe.id, [model.pose for model in foe.models]) for foe in seen]
    return sha256(repr((facts, fired)).encode()).hexdigest()[:16]


class AlertHandler(Handler[SquadState, Alert]):
    """Units on overwatch may fire at whoever they see."""

    def choices(self, state: SquadState, frame: Alert) -> tuple[Choice, ...]:
        """Fire, or wait."""
        fires = tuple(Choice("fire", unit, Nothing()) for unit in sorted(frame.watchers))
        return (*fires, Choice("pass", "", Nothing()))

    def take(self, state: SquadState, frame: Alert, action: Action) -> SquadState:
        """One unit fires, or all of them have seen this and wait."""
        state = without_top(state)
        if action.verb == "fire":
            return push(state, Targeting(owner=frame.owner, unit=action.unit))
        for name in frame.watchers:
            unit = state.unit(name)
            state = state.with_unit(but(unit, picture=picture(state, unit)))
        return state


class TargetingHandler(Handler[SquadState, Targeting]):
    """A unit on overwatch fires: all its shots are declared at once (2E-OW-08)."""

    def step(self, state: SquadState, frame: Targeting) -> SquadState | None:
        """Nothing to say where nobody can be shot at after all."""
        from tactician.rules.wh40k2e.shooting import shoot_choice

        unit = state.unit(frame.unit)
        if not unit.models or shoot_choice(state, unit, on_overwatch=True, mover=frame.mover) is None:
            return without_top(state)
        return None

    def choices(self, state: SquadState, frame: Targeting) -> tuple[Choice, ...]:
        """Who shoots at whom."""
        from tactician.rules.wh40k2e.shooting import shoot_choice

        choice = shoot_choice(state, state.unit(frame.unit), on_overwatch=True, mover=frame.mover)
        assert choice is not None
        return (choice,)

    def take(self, state: SquadState, frame: Targeting, action: Action) -> SquadState:
        """Fire; the whole unit's overwatch is spent, whoever of it shot."""
        from tactician.rules.wh40k2e.shooting import open_fire

        state = without_top(state)
        if state.holds("2E-OW-08"):
            unit = state.unit(action.unit)
            state = state.with_unit(but(unit, overwatch=False, picture=""))
        return open_fire(state, action, on_overwatch=True)
