"""Choices: what the rules offer, as a verb, a unit and one domain of answers.

A domain can name a canonical answer, sample one, shorten an answer to what is legal, and explain what an answer
breaks; an answer belongs to a domain exactly when `explain` is empty. How to pick a few good answers out of a
domain is the business of whoever chooses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from math import cos, pi, sin, sqrt
from typing import ClassVar, cast

from tactician.rules.core.action import Action, Mark, Pairs
from tactician.rules.core.clauses import MALFORMED, Cite, Violation
from tactician.rules.core.clip import clip
from tactician.rules.core.forms import path_faults
from tactician.rules.core.legs import Path, Straight, walk
from tactician.rules.core.measure import TOL, Inches, is_finite
from tactician.rules.core.movement import Coherency, MoveType, Verdict, disorder_of, judge
from tactician.rules.core.placement import PlaceRule, find_places, judge_places
from tactician.rules.core.shapes import clamp
from tactician.rules.core.state import State, Unit, front_first

__all__ = ["Assign", "Choice", "Declare", "Domain", "Draw", "Nothing", "OneOf", "Put", "Subset", "Walk", "Window"]

Draw = Callable[[], float]
"""A source of numbers from 0 up to but not including 1, owned by the caller."""

UNCITED = Cite(MALFORMED)

SAMPLES = 24
"""Tries of a sampled placement before the canonical one is taken."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """A verb that needs no further answer."""

    name: ClassVar[str] = "nothing"

    def canonical(self, state: State, choice: Choice) -> Action:
        """The only answer."""
        return choice.bare()

    def sample(self, state: State, choice: Choice, draw: Draw) -> Action:
        """The only answer."""
        return choice.bare()

    def clip(self, state: State, choice: Choice, action: Action) -> Action:
        """The only answer."""
        return choice.bare()

    def explain(self, state: State, choice: Choice, action: Action) -> tuple[Violation, ...]:
        """Complain about anything added to the verb."""
        return _extras(action)


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a list of targets by role."""

    options: tuple[Pairs, ...]
    name: ClassVar[str] = "one of"

    def canonical(self, state: State, choice: Choice) -> Action:
        """The first option."""
        return replace(choice.bare(), targets=self.options[0])

    def sample(self, state: State, choice: Choice, draw: Draw) -> Action:
        """Any option."""
        return replace(choice.bare(), targets=self.options[int(draw() * len(self.options))])

    def clip(self, state: State, choice: Choice, action: Action) -> Action:
        """The option named, or the first one."""
        return action if not self.explain(state, choice, action) else self.canonical(state, choice)

    def explain(self, state: State, choice: Choice, action: Action) -> tuple[Violation, ...]:
        """Whether the targets are among the options."""
        return (*_target_faults(self.options, action), *_extras(action, "targets"))


@dataclass(frozen=True, slots=True)
class Declare:
    """Targets by role, and for whom moves a way announced with them (or left until the movement is made)."""

    options: tuple[Pairs, ...]
    kinds: tuple[MoveType | None, ...]
    """The move type that goes with each option, None where nothing moves."""
    name: ClassVar[str] = "declaration"

    def kind_for(self, action: Action) -> MoveType | None:
        """The move type of the option that an action names."""
        for option, kind in zip(self.options, self.kinds, strict=True):
            if option == action.targets:
                return kind
        return None

    def canonical(self, state: State, choice: Choice) -> Action:
        """The first option, no way announced."""
        return replace(choice.bare(), targets=self.options[0])

    def sample(self, state: State, choice: Choice, draw: Draw) -> Action:
        """Any option, no way announced."""
        return replace(choice.bare(), targets=self.options[int(draw() * len(self.options))])

    def clip(self, state: State, choice: Choice, action: Action) -> Action:
        """The announced way as far as it is legal now."""
        if action.targets not in self.options:
            return self.canonical(state, choice)
        kind = self.kind_for(action)
        if kind is None or not action.paths:
            return replace(choice.bare(), targets=action.targets)
        bare = replace(choice.bare(), targets=action.targets, paths=action.paths, order=action.order)
        return _clipped(state, bare, kind)

    def explain(self, state: State, choice: Choice, action: Action) -> tuple[Violation, ...]:
        """Targets among the options; an announced way as if nobody answered."""
        faults = _target_faults(self.options, action)
        kind = self.kind_for(action)
        if action.paths and kind is not None:
            return (*faults, *walk_faults(state, action, kind), *_extras(action, "targets", "paths", "order"))
        return (*faults, *_extras(action, "targets"))


@dataclass(frozen=True, slots=True)
class Subset:
    """Some of a list of models."""

    ids: tuple[str, ...]
    least: int
    most: int
    usual: tuple[str, ...]
    """The canonical answer."""
    links: Coherency | None = None
    """Where set: the models named and the others must each be coherent."""
    name: ClassVar[str] = "subset"

    def canonical(self, state: State, choice: Choice) -> Action:
        """The usual answer."""
        return replace(choice.bare(), models=self.usual)

    def sample(self, state: State, choice: Choice, draw: Draw) -> Action:
        """Any subset of an allowed size."""
        size = self.least + int(draw() * (self.most - self.least + 1))
        left = list(self.ids)
        picked = [left.pop(int(draw() * len(left))) for _ in range(size)]
        return self.clip(state, choice, replace(choice.bare(), models=tuple(sorted(picked))))

    def clip(self, state: State, choice: Choice, action: Action) -> Action:
        """The answer if it is one, else the usual."""
        return action if not self.explain(state, choice, action) else self.canonical(state, choice)

    def explain(self, state: State, choice: Choice, action: Action) -> tuple[Violation, ...]:
        """Known models, none twice, as many as asked."""
        faults = [
            _malformed(choice.unit, f"{one!r} is not one of {', '.join(self.ids)}")
            for one in action.models
            if one not in self.ids
        ]
        if len(set(action.models)) != len(action.models):
            faults.append(_malformed(choice.unit, "a model is named twice"))
        if not self.least <= len(action.models) <= self.most:
            wanted = f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"
            faults.append(_malformed(choice.unit, f"{len(action.models)} models named, expected {wanted}"))
        if not faults and self.links is not None:
            faults += _part_faults(state, choice.unit, action.models, self.links)
        return (*faults, *_extras(action, "models"))


@dataclass(frozen=True, slots=True)
class Assign:
    """Targets for models: who aims at what, as pairs of a model and what it aims at."""

    models: tuple[str, ...]
    """Who may be given a target."""
    usual: tuple[Pairs, ...]
    """Assignments worth a thought, the canonical one first; never empty."""
    judge: Callable[[State, Action], tuple[Violation, ...]]
    """What an assignment of well-formed pairs breaks: a function of a module, so that choices can be copied."""
    name: ClassVar[str] = "assignment"

    def canonical(self, state: State, choice: Choice) -> Action:
        """The first of the usual assignments."""
        return replace(choice.bare(), targets=self.usual[0])

    def sample(self, state: State, choice: Choice, draw: Draw) -> Action:
        """Any of the usual assignments."""
        return replace(choice.bare(), targets=self.usual[int(draw() * len(self.usual))])

    def clip(self, state: State, choice: Choice, action: Action) -> Action:
        """The assignment if it is legal, else the canonical one."""
        return action if not self.explain(state, choice, action) else self.canonical(state, choice)

    def explain(self, state: State, choice: Choice, action: Action) -> tuple[Violation, ...]:
        """Known models, each with one target; then what the rules say about who aims at what."""
        roles = [role for role, _ in action.targets]
        faults = [
            _malformed(choice.unit, f"{role!r} is not one of {', '.join(self.models)}")
            for role in roles
            if role not in self.models
        ]
        if len(set(roles)) != len(roles):
            faults.append(_malformed(choice.unit, "a model is named twice"))
        if not roles:
            faults.append(_malformed(choice.unit, "no target named, expected at least one model with a target"))
        return (*(faults or self.judge(state, action)), *_extras(action, "targets"))


@dataclass(frozen=True, slots=True)
class Walk:
    """A way for each model under a move type; standing still is the canonical answer, unless it is forbidden."""

    kind: MoveType
    shortening: MoveType | None
    """What a way is shortened to that cannot be made in full: the same move type, unless a rule says otherwise."""
    models: tuple[str, ...] | None = None
    """Who of the unit may walk; None where everybody may."""
    others: Cite = UNCITED
    """The clause that keeps the others where they are."""
    staying: tuple[Violation, ...] = ()
    """What it breaks if the model named by the subject stays where it is, or if the whole unit does."""
    usual: tuple[tuple[str, Path], ...] = ()
    """Ways in their order that are the canonical answer; they break nothing. None where standing still is."""
    name: ClassVar[str] = "walk"

    def canonical(self, state: State, choice: Choice) -> Action:
        """The usual ways; where there are none nobody moves."""
        order = tuple(name for name, _ in self.usual) if self.kind.motion == "sequence" else ()
        return replace(choice.bare(), paths=self.usual, order=order)

    def sample(self, state: State, choice: Choice, draw: Draw) -> Action:
        """The formation shifted as it stands, in any direction, as far as legal."""
        angle, far = 2 * pi * draw(), self.kind.allowance * sqrt(draw())
        dx, dy = far * cos(angle), far * sin(angle)
        unit = state.unit(choice.unit)
        walking = [model for model in unit.models if self.may_walk(model.id)]
        paths = tuple((m.id, (Straight((m.pose.x + dx, m.pose.y + dy)),)) for m in walking)
        order = self._allowed(front_first(unit, dx, dy)) if self.kind.motion == "sequence" else ()
        return self.clip(state, choice, replace(choice.bare(), paths=paths, order=order))

    def clip(self, state: State, choice: Choice, action: Action) -> Action:
        """As much of the ways as is legal; the canonical answer where somebody would stay who may not."""
        if self.shortening is not self.kind and not self.explain(state, choice, action):
            return action
        paths = tuple(row for row in action.paths if self.may_walk(row[0]))
        bare = replace(choice.bare(), paths=paths, order=self._allowed(action.order))
        found = choice.bare() if self.shortening is None else _clipped(state, bare, self.shortening)
        return self.canonical(state, choice) if self._stays(state, found) else found

    def explain(self, state: State, choice: Choice, action: Action) -> tuple[Violation, ...]:
        """Everything the ways break, and who may not walk."""
        faults = (*self._strangers(state, action), *walk_faults(state, action, self.kind))
        staying = () if faults else self._stays(state, action)
        return (*faults, *staying, *_extras(action, "paths", "order"))

    def farthest(self, state: State, choice: Choice) -> Inches:
        """Inches that the model may pay that may pay most."""
        return self.kind.most_left(self._allowed(tuple(model.id for model in state.unit(choice.unit).models)))

    def may_walk(self, model: str) -> bool:
        """Whether a model of the unit may walk at all."""
        return self.models is None or model in self.models

    def _allowed(self, names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(filter(self.may_walk, names))

    def _strangers(self, state: State, action: Action) -> Iterator[Violation]:
        """Models that are given a way and may not walk; names that nobody has are told elsewhere."""
        if self.models is None:
            return
        standing = {model.id for model in state.unit(action.unit).models}
        text = f"only {', '.join(self.models) or 'nobody'} may walk"
        for name, _ in action.paths:
            if name in standing and name not in self.models:
                yield Violation(clause=self.others.clause, also=self.others.also, subject=name, text=text)

    def _stays(self, state: State, action: Action) -> tuple[Violation, ...]:
        """What is broken by those who stay where they are; the ways are well formed."""
        if not self.staying:
            return ()
        unit = state.unit(action.unit)
        walking = {name for name, path in action.paths if _goes(state, unit, name, path)}
        return tuple(
            one for one in self.staying if one.subject not in walking and not (one.subject == unit.id and walking)
        )

    def verdict(self, state: State, action: Action) -> Verdict:
        """What the ways come to: violations, inches paid, ends."""
        return judge(state, state.unit(action.unit), self.kind, dict(action.paths), action.order)


@dataclass(frozen=True, slots=True)
class Put:
    """Places at which models are put down."""

    models: tuple[str, ...]
    rule: PlaceRule
    name: ClassVar[str] = "place"

    def canonical(self, state: State, choice: Choice) -> Action:
        """The first free formation found from the middle of the zone outward; with no room, no places."""
        found = find_places(state, choice.unit, self.models, self.rule, self.rule.middle(state))
        return replace(choice.bare(), places=found)

    def sample(self, state: State, choice: Choice, draw: Draw) -> Action:
        """A formation near any place of the zone."""
        x0, y0, x1, y1 = self.rule.box(state, choice.unit)
        for _ in range(SAMPLES):
            near = (x0 + (x1 - x0) * draw(), y0 + (y1 - y0) * draw())
            found = find_places(state, choice.unit, self.models, self.rule, near, rings=2)
            if found:
                return replace(choice.bare(), places=found)
        return self.canonical(state, choice)

    def clip(self, state: State, choice: Choice, action: Action) -> Action:
        """The nearest free formation to the one asked for; the canonical one where there is none near it."""
        if not self.explain(state, choice, action):
            return action
        poses = [pose for _, pose in action.places if is_finite(pose.x) and is_finite(pose.y)]
        if not poses:
            return self.canonical(state, choice)
        x0, y0, x1, y1 = self.rule.box(state, choice.unit)
        near = (
            clamp(sum(pose.x for pose in poses) / len(poses), x0, x1),
            clamp(sum(pose.y for pose in poses) / len(poses), y0, y1),
        )
        found = find_places(state, choice.unit, self.models, self.rule, near)
        return replace(choice.bare(), places=found) if found else self.canonical(state, choice)

    def explain(self, state: State, choice: Choice, action: Action) -> tuple[Violation, ...]:
        """Everything the places break."""
        return (*judge_places(state, choice.unit, self.models, self.rule, action.places), *_extras(action, "places"))


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """A point on announced paths at which something may happen.

    Points worth a thought may be handed in as a function that finds them: it is called when they are first looked at.
    """

    spans: tuple[tuple[str, Inches, Inches], ...]
    """Model, and the inches of its way from - to."""
    given: tuple[Mark, ...] | Callable[[], tuple[Mark, ...]] = field(default=(), repr=False)
    """Points worth a thought, or what finds them."""
    name: ClassVar[str] = "window"

    @property
    def usual(self) -> tuple[Mark, ...]:
        """Points worth a thought, the best first."""
        if callable(self.given):
            object.__setattr__(self, "given", self.given())
        return cast("tuple[Mark, ...]", self.given)

    def __eq__(self, other: object) -> bool:
        """Equal where spans and usual points are."""
        if not isinstance(other, Window):
            return NotImplemented
        return (self.spans, self.usual) == (other.spans, other.usual)

    def __hash__(self) -> int:
        """By the spans, so that nothing has to be found."""
        return hash(self.spans)

    def __reduce__(self) -> tuple[type[Window], tuple[object, ...]]:
        """Pickle with the usual points found."""
        return Window, (self.spans, self.usual)

    def canonical(self, state: State, choice: Choice) -> Action:
        """The best of the usual points; the middle of the first window where none are named."""
        if self.usual:
            return replace(choice.bare(), mark=self.usual[0])
        model, low, high = self.spans[0]
        return replace(choice.bare(), mark=Mark(model=model, inches=(low + high) / 2))

    def sample(self, state: State, choice: Choice, draw: Draw) -> Action:
        """Any point of any window."""
        model, low, high = self.spans[int(draw() * len(self.spans))]
        return replace(choice.bare(), mark=Mark(model=model, inches=low + (high - low) * draw()))

    def clip(self, state: State, choice: Choice, action: Action) -> Action:
        """The point if it lies in a window, else the canonical one."""
        return action if not self.explain(state, choice, action) else self.canonical(state, choice)

    def explain(self, state: State, choice: Choice, action: Action) -> tuple[Violation, ...]:
        """Whether the point lies in a window."""
        mark = action.mark
        if mark is None:
            return (_malformed(choice.unit, "say at which inch of whose way"),)
        if any(m == mark.model and low - TOL <= mark.inches <= high + TOL for m, low, high in self.spans):
            return _extras(action, "mark")
        spans = "; ".join(f"{m} {low:.2f}-{high:.2f}" for m, low, high in self.spans)
        return (_malformed(choice.unit, f"{mark.model} at {mark.inches:.2f} lies in no window ({spans})"),)


Domain = Nothing | OneOf | Declare | Assign | Subset | Walk | Put | Window


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """What the rules offer: a verb for a unit, with one domain of answers.

    Whoever offers many choices may hand in a function that works out the domain: it is called when the domain is first
    looked at, so that a list of what may be ordered costs no more than who may be ordered what.
    """

    verb: str
    unit: str
    given: Domain | Callable[[], Domain] = field(repr=False)
    """The domain, or what works it out."""

    @property
    def domain(self) -> Domain:
        """The answers."""
        if callable(self.given):
            object.__setattr__(self, "given", self.given())
        return cast(Domain, self.given)

    def __eq__(self, other: object) -> bool:
        """Equal where verb, unit and domain are."""
        if not isinstance(other, Choice):
            return NotImplemented
        mine, theirs = (self.verb, self.unit), (other.verb, other.unit)
        return mine == theirs and self.domain == other.domain

    def __hash__(self) -> int:
        """By verb and unit, so that no domain has to be worked out."""
        return hash((self.verb, self.unit))

    def __repr__(self) -> str:
        """With the domain worked out."""
        return f"Choice({self.verb!r}, {self.unit!r}, {self.domain!r})"

    def __reduce__(self) -> tuple[type[Choice], tuple[str, str, Domain]]:
        """Pickle with the domain worked out."""
        return Choice, (self.verb, self.unit, self.domain)

    def bare(self) -> Action:
        """The verb and the unit alone."""
        return Action(verb=self.verb, unit=self.unit)

    def canonical(self, state: State) -> Action:
        """A legal answer that is always the same."""
        return self.domain.canonical(state, self)

    def sample(self, state: State, draw: Draw) -> Action:
        """A legal answer at random."""
        return self.domain.sample(state, self, draw)

    def clip(self, state: State, action: Action) -> Action:
        """The answer as far as legal."""
        return self.domain.clip(state, self, action)

    def explain(self, state: State, action: Action) -> tuple[Violation, ...]:
        """What the answer breaks; empty if it belongs to the domain."""
        return self.domain.explain(state, self, action)


def _goes(state: State, unit: Unit, name: str, path: Path) -> bool:
    """Whether a way leads anywhere at all."""
    return any(one.across > 0.0 or one.is_vertical for one in walk(unit.model(name).pose, path, state.board))


def walk_faults(state: State, action: Action, kind: MoveType) -> tuple[Violation, ...]:
    """Everything that announced ways break: their form first, then the rules."""
    unit = state.unit(action.unit)
    faults = path_faults(state, unit, action, kind.motion)
    return faults or judge(state, unit, kind, dict(action.paths), action.order).violations


def _clipped(state: State, action: Action, kind: MoveType) -> Action:
    unit = state.unit(action.unit)
    if path_faults(state, unit, action, kind.motion):
        return replace(action, paths=(), order=())
    found = clip(state, unit, kind, dict(action.paths), action.order)
    paths = tuple((name, found[name]) for name, _ in action.paths if name in found)
    paths += tuple((name, path) for name, path in sorted(found.items()) if name not in dict(action.paths))
    return replace(action, paths=paths, order=tuple(name for name in action.order if name in found))


def _part_faults(state: State, unit: str, models: tuple[str, ...], links: Coherency) -> list[Violation]:
    """Whether the models named and the others are each coherent."""
    whole = state.unit(unit)
    others = tuple(model.id for model in whole.models if model.id not in models)
    found = []
    for part in (whole.without(others), whole.without(models)):
        if disorder_of(state, part, links) > 1:
            names = ", ".join(model.id for model in part.models)
            text = f"both parts in coherency: {names} would not be"
            found.append(Violation(clause=links.cite.clause, also=links.cite.also, subject=unit, text=text))
    return found


def _malformed(subject: str, text: str) -> Violation:
    return Violation(clause=MALFORMED, subject=subject, text=text)


def _target_faults(options: tuple[Pairs, ...], action: Action) -> tuple[Violation, ...]:
    if action.targets in options:
        return ()
    listed = "; ".join(_spoken(option) for option in options)
    return (_malformed(action.unit, f"{action.verb} {_spoken(action.targets)}: expected one of {listed}"),)


def _spoken(targets: Pairs) -> str:
    return ", ".join(f"{role} {target}" for role, target in targets) or "no target"


def _extras(action: Action, *used: str) -> tuple[Violation, ...]:
    fields = ("order", "paths", "targets", "models", "places", "mark")
    extra = [name for name in fields if getattr(action, name) and name not in used]
    return tuple(_malformed(action.unit, f"{action.verb} takes no {name} here") for name in extra)
