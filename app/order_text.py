"""Actions as words: spellings that `tactician.orders.read` can read back, and short sentences for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tactician.order_aims import aims_told, assignment_words
from tactician.order_draft import FILES
from tactician.order_ways import centre_of
from tactician.rules.core.action import Action
from tactician.rules.core.choice import Assign, Choice, Declare, OneOf, Put, Walk
from tactician.rules.core.legs import Bend, Climb, Drop, Leg, Path, Pose, Straight
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.shapes import Point, length
from tactician.rules.core.state import Model, State, Unit
from tactician.rules.core.terrain import GROUND

__all__ = ["plain", "spellings"]

SHOWN: float = 0.01
"""Inches by which models' shifts may differ and still be told as one."""

Number = Callable[[float], str]


def exact(value: float) -> str:
    """A number as short as it can be while it reads back equal."""
    return repr(float(value)).removesuffix(".0")


def rounded(value: float) -> str:
    """A number as people read it, to hundredths."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def spellings(ruleset: Ruleset, state: State, action: Action) -> Iterator[str]:
    """Orders in words that may stand for an action, the shortest kind first; the caller reads them back."""
    choice = next((c for c in ruleset.choices(state) if c.verb == action.verb and c.unit == action.unit), None)
    unit = state.unit(action.unit) if action.unit and state.has_unit(action.unit) else None
    head = f"{_quoted(action.unit)} {action.verb.replace('_', ' ')}" if action.unit else action.verb.replace("_", " ")
    tail = _order(action)
    if choice is not None and isinstance(choice.domain, Put):
        yield from (head + rest for rest in _placings(action, choice.domain, unit))
        return
    if choice is not None and isinstance(choice.domain, Assign) and not action.models and not action.paths:
        yield from (head + rest for rest in assignment_words(state, action.targets))
        return
    aim = _aims(choice, action)
    if action.models:
        yield head + "".join(f" {_quoted(name)}" for name in action.models) + aim
    elif not action.paths and choice is not None and isinstance(choice.domain, Walk):
        yield from (f"{_quoted(action.unit)} stay", f"{head} stay")
    elif not action.paths:
        yield head + aim
    elif unit is not None:
        for way in _formation_ways(unit, action):
            yield f"{head} {way}{aim}{tail}"
        details = "".join(f"; {_quoted(name)} {_path(path, exact)}" for name, path in action.paths)
        yield f"{head}{aim}{details}{tail}"


def _quoted(name: str) -> str:
    return name if name and all(letter.isalnum() or letter in "_'.+-" for letter in name) else f'"{name}"'


def _order(action: Action) -> str:
    return "; order " + " ".join(_quoted(name) for name in action.order) if action.order else ""


def _aims(choice: Choice | None, action: Action) -> str:
    """The targets, without their role where it goes without saying."""
    options = choice.domain.options if choice is not None and isinstance(choice.domain, Declare | OneOf) else ()
    roles = {role for option in options for role, _ in option}
    if len(action.targets) == 1 and (roles == {action.targets[0][0]} or action.targets[0][0] == action.verb):
        role, target = action.targets[0]
        joins = "with " if role == "join" else "at " if action.verb.endswith("_fire") else ""
        if action.verb not in ("assault", "charge") and (role == action.verb or not action.paths):
            moves = isinstance(choice.domain, Declare) and any(choice.domain.kinds) if choice is not None else False
            return f" {joins}{_quoted(target)}" if not moves else f" {role} {_quoted(target)}"
    return "".join(f" {role} {_quoted(target)}" for role, target in action.targets)


def _formation_ways(unit: Unit, action: Action) -> Iterator[str]:
    """Words for ways that all models walk alike."""
    paths = dict(action.paths)
    if [name for name, _ in action.paths] != [model.id for model in unit.models]:
        return
    if len(unit.models) == 1:
        yield _path(action.paths[0][1], exact)
        return
    cx, cy = centre_of(unit.models)
    straight = all(len(path) == 1 and isinstance(path[0], Straight) for path in paths.values())
    for model in unit.models:
        shifts = _shifts(model, paths[model.id])
        if shifts is None:
            return
        if straight:
            yield f"to {_point((round(cx + shifts[0][0], 6), round(cy + shifts[0][1], 6)), exact)}"
            yield f"to {_point((cx + shifts[0][0], cy + shifts[0][1]), exact)}"
        if all(isinstance(leg, Straight) for leg in paths[model.id]):
            yield "by " + " ".join(_point(shift, exact) for shift in shifts)
        yield _path(_about_centre(paths[model.id], model.pose, (cx, cy)), exact)


def _shifts(model: Model, path: Path) -> list[Point] | None:
    """How far from its start each leg of a path leads."""
    return [
        (leg.to[0] - model.pose.x, leg.to[1] - model.pose.y) for leg in path if isinstance(leg, Straight | Bend)
    ] or None


def _about_centre(path: Path, pose: Pose, centre: Point) -> Path:
    """One model's way as its formation's centre walks it."""

    def at(point: Point) -> Point:
        return centre[0] + (point[0] - pose.x), centre[1] + (point[1] - pose.y)

    moved: list[Leg] = []
    for leg in path:
        match leg:
            case Straight(to=to):
                moved.append(Straight(at(to)))
            case Bend(centre=middle, to=to, turn=turn):
                moved.append(Bend(at(middle), at(to), turn))
            case Climb() | Drop():
                moved.append(leg)
    return tuple(moved)


def _path(path: Path, number: Number) -> str:
    if len(path) == 1 and isinstance(path[0], Straight):
        return f"to {_point(path[0].to, number)}"
    return "along " + " ".join(_leg(leg, number) for leg in path)


def _point(point: Point, number: Number) -> str:
    return f"{number(point[0])},{number(point[1])}"


def _leg(leg: Leg, number: Number) -> str:
    match leg:
        case Straight(to=to):
            return _point(to, number)
        case Bend(centre=centre, to=to, turn=turn):
            return f"arc {turn} {_point(centre, number)} to {_point(to, number)}"
        case Climb(surface=surface, part=part) | Drop(surface=surface, part=part):
            word = "climb" if isinstance(leg, Climb) else "drop"
            return f"{word} {_quoted(surface)}" + (f" part {number(part)}" if part != 1.0 else "")


def _placings(action: Action, domain: Put, unit: Unit | None) -> Iterator[str]:
    if not action.places or unit is None:
        return
    flat = all(pose.surface == GROUND and not pose.bearing for _, pose in action.places)
    if flat and tuple(name for name, _ in action.places) == domain.models:
        first = action.places[0][1]
        pitch = 2 * unit.radius + min(unit.radius, 0.5)
        for files in dict.fromkeys((min(FILES, len(domain.models)), *range(1, len(domain.models) + 1))):
            deep = -(-len(domain.models) // files)
            middle = first.x + (files - 1) * pitch / 2, first.y - (deep - 1) * pitch / 2
            width = "" if files == min(FILES, len(domain.models)) else f" files {files}"
            yield f" at {_point(middle, exact)}{width}"
    yield "".join(f"; {_quoted(name)} at {_place(pose, exact)}" for name, pose in action.places)


def _place(pose: Pose, number: Number) -> str:
    surface = f" on {_quoted(pose.surface)}" if pose.surface != GROUND else ""
    return f"{_point(pose.point, number)}{surface}" + (f" facing {number(pose.bearing)}" if pose.bearing else "")


# ---- for people ------------------------------------------------------------------------------------------------------


def plain(state: State, action: Action) -> str:
    """What an action does, in one short sentence, numbers rounded to hundredths; not meant to be read back."""
    if not action.unit or not state.has_unit(action.unit):
        return action.verb.replace("_", " ")
    unit = state.unit(action.unit)
    said = [f"{unit.id} ({unit.name})", action.verb.replace("_", " ")]
    if action.models:
        said.append(" ".join(action.models))
    if action.paths:
        said.append(_told_ways(unit, action))
    if action.places:
        said.append(", ".join(f"{name} at {_place(pose, rounded)}" for name, pose in action.places))
    assigned = aims_told(state, unit, action.targets)
    said += [assigned] if assigned is not None else _told_targets(action)
    if not action.paths and action.verb == "go":
        said = [said[0], "stays where it is"]
    return " ".join(said)


def _told_targets(action: Action) -> list[str]:
    return [
        f"{role} {target}" if len(action.targets) > 1 or action.paths else _aimed(action.verb, role, target)
        for role, target in action.targets
    ]


def _aimed(verb: str, role: str, target: str) -> str:
    """A lone target after its verb."""
    if role == "join":
        return f"with {target}"
    return f"at {target}" if verb == role or verb.endswith("_fire") else f"{role} {target}"


def _told_ways(unit: Unit, action: Action) -> str:
    """One way for the whole formation where the models walk alike, else each model's."""
    paths = dict(action.paths)
    together = len(paths) == len(unit.models) and all(model.id in paths for model in unit.models)
    if together and unit.models:
        ways = [_about_centre(paths[m.id], m.pose, centre_of(unit.models)) for m in unit.models]
        if all(_alike(ways[0], way) for way in ways):
            together_words = "" if len(unit.models) == 1 else " as it stands"
            return _path(_shortened(ways[0]), rounded) + together_words
    return ", ".join(f"{name} {_path(_shortened(path), rounded)}" for name, path in action.paths)


def _shortened(path: Path) -> Path:
    """A way without the waits and the points on its straight pieces that only keep time."""
    kept: list[Leg] = []
    for leg in path:
        before = kept[-1] if kept else None
        if isinstance(leg, Straight) and isinstance(before, Straight):
            start = kept[-2] if len(kept) > 1 else None
            if _apart(before.to, leg.to) <= SHOWN or (isinstance(start, Straight) and _between(start.to, before, leg)):
                kept.pop()
        kept.append(leg)
    return tuple(kept)


def _between(start: Point, middle: Straight, end: Straight) -> bool:
    """Whether a point lies on the straight line of its neighbours."""
    return _apart(start, middle.to) + _apart(middle.to, end.to) - _apart(start, end.to) <= SHOWN / 100


def _apart(a: Point, b: Point) -> float:
    return length(a[0] - b[0], a[1] - b[1])


def _alike(a: Path, b: Path) -> bool:
    if len(a) != len(b):
        return False
    for one, other in zip(a, b, strict=True):
        if isinstance(one, Straight) and isinstance(other, Straight):
            if _apart(one.to, other.to) > SHOWN:
                return False
        elif one != other:
            return False
    return True
