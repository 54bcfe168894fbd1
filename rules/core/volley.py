"""A volley: groups of shots at one target, from the dice that hit to the models that fall.

Shots hit, hits may burst into several, hits wound, wounds may be saved, and what is not saved takes wounds from the
first model still standing; damage beyond the wounds of a model is lost. A game is told only the outcome, so a
volley is one question with exact odds (`tactician.rules.core.volley_odds`). A person at a table throws it in
stages, as many dice each time as the stage before left, and only those whose result is open and can matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from tactician.rules.core.chance import DiceError, Outcome, Source, Stage, Throw, check_faces, throw_on
from tactician.rules.core.odds import Odds
from tactician.rules.core.shots import Burst, Check, Damage, Harm, Shots, Step, group_odds, steps_of
from tactician.rules.core.volley_odds import strike, useful_strikes, volley_odds

__all__ = ["Damage", "Shots", "Volley", "VolleyStage", "stages"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Volley(Throw):
    """Groups of shots at one target, applied in their order.

    The outcome is a tuple: models removed, wounds that the first model still standing has lost in this volley, and the
    number of jams of each group with sustained fire.

    >>> shots = Shots(name="rifle", count=2, hit=(4,), wound=4, save=4)
    >>> volley = Volley(why="shooting", groups=(shots,), models=(1, 1, 1))
    >>> volley.ask()
    'roll 2D6 for hits: each 4 or more; more dice may follow'
    >>> volley.read([4, 2, 6, 1]), volley.tell((1, 0))
    ((1, 0), '1 model removed')

    Raises:
        ValueError: no model, or one without a wound left.
    """

    kind: ClassVar[str] = "volley"
    staged: ClassVar[bool] = True

    groups: tuple[Shots, ...]
    models: tuple[int, ...]
    """Wounds that each model of the target has left, in the order in which they fall."""

    def __post_init__(self) -> None:
        """Refuse a target that cannot be shot at."""
        if not self.models or min(self.models) < 1:
            raise ValueError(f"{self.why}: models with {self.models} wounds, expected some models with 1 or more")

    def to_throw(self) -> tuple[int, ...]:
        """Number of sides of each die of the first stage."""
        return self.first_stage().dice()

    def first_stage(self) -> Stage:
        """What to throw first."""
        return VolleyStage(volley=self, at=_settled(self, _begun(self, _Place())), is_first=True)

    def sample(self, source: Source) -> Outcome:
        """Throw the dice stage by stage, one draw each."""
        after: Stage | Outcome = self.first_stage()
        while not isinstance(after, int | tuple):
            after = after.throw([1 + source.randrange(sides) for sides in after.dice()])
        return after

    def read(self, faces: Sequence[int]) -> Outcome:
        """The outcome that thrown faces stand for.

        Args:
            faces: those of all stages, one after another.

        Raises:
            DiceError: too few or too many faces, or one that its die does not have; says which stage awaits them.
        """
        return self._read(faces)

    def ask(self) -> str:
        """One sentence that tells a person at a table what to throw first."""
        stage = self.first_stage()
        return f"{stage.ask()}; more dice may follow" if stage.dice() else stage.ask()

    def tell(self, outcome: Outcome) -> str:
        """An outcome in words."""
        told = self.accept(outcome)
        assert isinstance(told, tuple)
        removed, lost, *jams = told
        parts = [f"{removed or 'no'} model{'' if removed == 1 else 's'} removed"]
        if lost:
            left = self.models[removed] - lost
            parts.append(f"the {'next' if removed else 'first'} has {left} wound{'' if left == 1 else 's'} left")
        labels = self._jam_labels()
        parts += [
            f"{number} jam{'' if number == 1 else 's'}{label}"
            for number, label in zip(jams, labels, strict=True)
            if number
        ]
        return ", ".join(parts)

    def worth(self, outcome: Outcome) -> float:
        """Models that an outcome has cost, a wounded one counted by the part of its wounds that it lost."""
        assert isinstance(outcome, tuple)
        removed, lost = outcome[:2]
        return removed + (lost / self.models[removed] if lost else 0.0)

    def _jam_labels(self) -> list[str]:
        jamming = [(number, one.name) for number, one in enumerate(self.groups, start=1) if one.sustained]
        names = [name for _, name in jamming]
        if len(names) < 2:
            return [""] * len(names)
        return [f" ({name})" if names.count(name) == 1 else f" ({name}, group {number})" for number, name in jamming]

    def _odds(self) -> Odds:
        return volley_odds(tuple(group_odds(shots) for shots in self.groups), self.models)

    def _read(self, faces: Sequence[int]) -> Outcome:
        after, left = throw_on(self.first_stage(), faces)
        given = f"{self.why}: {len(faces)} face{'' if len(faces) == 1 else 's'} given"
        if not isinstance(after, int | tuple):
            raise DiceError(f"{given}, expected {len(after.dice())} more (then {after.ask()})")
        if left:
            raise DiceError(f"{given}, expected {len(faces) - len(left)}, which come to: {self.tell(after)}")
        return after

    def _expected(self) -> str:
        jams = len(self._jam_labels())
        return (
            f"models removed (at most {len(self.models)}), wounds lost by the next"
            f"{f', jams of {jams} group' if jams else ''}{'s' if jams > 1 else ''}"
        )


def stages(volley: Volley) -> Stage:
    """A volley as a person throws it: its first stage; `throw` leads to the next and in the end to the outcome."""
    return volley.first_stage()


# ---- stages ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """How far a volley has come."""

    group: int = 0
    step: int = 0
    number: int = 0
    """Shots, hits or wounds that are still under way."""
    removed: int = 0
    lost: int = 0
    jammed: int = 0
    """In this group."""
    jams: tuple[int, ...] = ()
    """Of the groups before it that have sustained fire."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VolleyStage:
    """Dice of a volley that are thrown at once."""

    volley: Volley
    at: _Place
    """A place at which dice are open, or the end."""
    is_first: bool = False

    def dice(self) -> tuple[int, ...]:
        """Number of sides of each die to throw now; empty where nothing is left to throw."""
        step = self._step()
        return () if step is None else step.sides(self.at.number)

    def ask(self) -> str:
        """One sentence that tells a person at a table what to throw now."""
        step = self._step()
        if step is None:
            return "nothing to roll"
        groups = self.volley.groups
        weapon = f" ({groups[self.at.group].name})" if len(groups) > 1 else ""
        dice, read = step.ask(self.at.number)
        return f"roll {dice} for {step.noun}{weapon}: {read}"

    def throw(self, faces: Sequence[int]) -> Stage | Outcome:
        """The stage that follows, or the outcome of the volley.

        Args:
            faces: one for each of `dice`, in their order.

        Raises:
            DiceError: too few or too many faces, or one that its die does not have.
        """
        check_faces(self.volley.why, self.dice(), faces, self.ask() if self.is_first else f"then {self.ask()}")
        step, at = self._step(), self.at
        if step is not None:
            at = _settled(self.volley, _thrown(self.volley, at, step, faces))
        if at.group < len(self.volley.groups):
            return VolleyStage(volley=self.volley, at=at)
        return (at.removed, at.lost, *at.jams)

    def _step(self) -> Step | None:
        groups = self.volley.groups
        return steps_of(groups[self.at.group])[self.at.step] if self.at.group < len(groups) else None


def _thrown(volley: Volley, at: _Place, step: Step, faces: Sequence[int]) -> _Place:
    """The place after the dice of a step."""
    match step:
        case Check():
            return replace(at, step=at.step + 1, number=step.going_on(faces))
        case Burst(die=die):
            hits = [die[face - 1] for face in faces]
            return replace(at, step=at.step + 1, number=sum(hits), jammed=hits.count(0))
        case Harm(damage=damage):
            groups = range(0, len(faces), damage.dice)
            return _struck(volley, at, [sum(faces[i : i + damage.dice]) + damage.add for i in groups])


def _struck(volley: Volley, at: _Place, damages: Sequence[int]) -> _Place:
    """The place after unsaved wounds have taken effect: the end of a group."""
    limit, struck = _limit(volley, at), (at.removed, at.lost)
    for damage in damages:
        struck = strike(volley.models, limit, struck, damage)
    return replace(at, step=at.step + 1, number=0, removed=struck[0], lost=struck[1])


def _begun(volley: Volley, at: _Place) -> _Place:
    """The place at the start of the group that it names."""
    count = volley.groups[at.group].count if at.group < len(volley.groups) else 0
    return replace(at, step=0, number=count, jammed=0)


def _settled(volley: Volley, at: _Place) -> _Place:
    """The next place at which dice are open and can matter, or the end."""
    while at.group < len(volley.groups):
        shots = volley.groups[at.group]
        steps = steps_of(shots)
        if at.step == len(steps):
            jams = (*at.jams, at.jammed) if shots.sustained else at.jams
            at = _begun(volley, replace(at, group=at.group + 1, jams=jams))
            continue
        number = _useful(volley, at, steps[at.step :])
        at, step = replace(at, number=number), steps[at.step]
        if number and _is_open(volley, at, step):
            return at
        if isinstance(step, Harm):
            at = _struck(volley, at, [step.damage.least] * number)
        else:
            at = replace(at, step=at.step + 1)
    return at


def _useful(volley: Volley, at: _Place, steps: Sequence[Step]) -> int:
    """How many of those under way can still matter."""
    limit = _limit(volley, at)
    step = steps[0]
    if isinstance(step, Harm):
        struck = (at.removed, at.lost)
        return min(at.number, useful_strikes(volley.models, limit, struck, step.damage.least))
    for later in steps:
        if isinstance(later, Burst):
            return at.number  # a jam matters even if no hit does
        if isinstance(later, Check) and later.passes() == 0:
            return 0
    return at.number if at.removed < limit else 0


def _is_open(volley: Volley, at: _Place, step: Step) -> bool:
    """Whether dice decide a step."""
    match step:
        case Check():
            return step.passes() < 1
        case Harm(damage=damage):
            standing = volley.models[at.removed : _limit(volley, at)]
            return damage.dice > 0 and damage.least < max(standing, default=0)
        case Burst():
            return True


def _limit(volley: Volley, at: _Place) -> int:
    """How many models may be gone at the end of the group; asked before any of its wounds take effect."""
    most = volley.groups[at.group].most
    return len(volley.models) if most is None else min(len(volley.models), at.removed + most)
