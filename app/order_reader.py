"""Reading one order: a unit, a verb, and what they need, against what the rules offer at the moment.

The grammar, in which capitals do not matter and a few words (at, the, and, with ...) say nothing::

    order   = [unit] verb {item} {";" detail}
            | [unit] way {";" detail}                       where only the way is asked for
            | [unit] "charge" unit "with" verb {item}
    item    = way | role unit | unit | model | model "=" target | "files" number
    target  = (unit | model) [":" weapon]                   in quotes where a name is more than one word
    way     = "to" point | "by" point {point} | "along" leg {leg} | number "toward" thing | "into" unit | "stay"
    leg     = point | "climb" surface | "drop" surface | "arc" ("left" | "right") point "to" point
    thing   = unit | model | point
    detail  = model (way | "at" place) | "order" model {model}
    place   = point ["on" surface] ["facing" degrees]
"""

from __future__ import annotations

from dataclasses import replace

from tactician.order_aims import aimed_by, main_targets, pair_of
from tactician.order_draft import ATTACKS, Draft, Places, ranks, role_of
from tactician.order_way_words import read_pose, read_way
from tactician.order_ways import Paths, contact_paths
from tactician.order_words import (
    Line,
    OrderError,
    Token,
    find_model,
    find_unit,
    nearest_unit,
    one_unit,
    only_close,
    unit_readings,
)
from tactician.rules.core.action import Action, Pairs
from tactician.rules.core.choice import Assign, Choice, Declare, OneOf, Put, Subset, Walk
from tactician.rules.core.forms import nearest
from tactician.rules.core.legs import Pose
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State, Unit, other_side

__all__ = ["Reader"]

ALIASES = {"snap": "snap_fire", "cover": "covering_fire", "join": "combine"}
"""Short words for verbs."""

REGIMENTS = ("wheel", "forward", "reform", "about-face")
"""Words of games with units in ranks and files."""

FILLERS = (",", "at", "the", "and", "with", "from", "unit", "models", "model", "fire", "on", "then:", "in")
STAYS = ("stay", "stays")
TOWARD = ("toward", "towards")
WAY_WORDS = ("to", "by", "along", "into", *STAYS)


class Reader:
    """Reads one order against a moment."""

    def __init__(self, ruleset: Ruleset, state: State, line: Line) -> None:
        """Look up what is offered."""
        self.ruleset, self.state, self.line = ruleset, state, line
        self.mover = ruleset.to_move(state)
        self.offered = ruleset.choices(state)
        self.verbs = _phrases(ruleset.info.verbs)

    def order(self) -> Action:
        """The action that the words up to the end (or to ``then``) stand for.

        Raises:
            OrderError: they are no order.
        """
        draft = self._head()
        self._items(draft)
        while self.line.take(";"):
            if not self.line.ended:
                self._detail(draft)
        if not self.line.ended and not self.line.sees("then"):
            raise self.line.fault("';' or the end of the order")
        self._settle(draft)
        return self._action(draft)

    # ---- unit and verb -----------------------------------------------------------------------------------------------

    def _head(self) -> Draft:
        draft, line = Draft(), self.line
        first = line.here
        if line.ended:
            raise OrderError("an empty order", expected=self._verbs_expected(None))
        named = self._named_unit()
        if named is not None:
            draft.unit, count = named
            line.next += count
            draft.only = self._model_named(draft.unit, first)
        phrase = self._verb_here(0)
        if phrase is not None:
            draft.verb, count = phrase
            draft.verb_at = line.here
            line.next += count
        elif line.take("charge"):
            self._charge_with(draft)
        elif line.sees(*REGIMENTS):
            word, name = line.here, self.ruleset.info.name
            found = f"{word.text!r} moves regiments in ranks and files, and {name} has none"
            raise OrderError(found, expected=self._verbs_expected(draft.unit), column=word.column)
        elif not self._way_here() and not self._place_here():
            raise self._no_verb(draft.unit, named is not None)
        return draft

    def _named_unit(self) -> tuple[Unit, int] | None:
        """The unit that the order begins with, if a verb or a way follows its name."""
        token = self.line.here
        exact = {name for unit in self.state.units for name in (unit.id.lower(), unit.name.lower())}
        for found, count in unit_readings(self.line, self.state, self.mover):
            is_verb = count == 1 and token.kind == "word" and self._verb_here(0) is not None
            if self._continues(count) and not (is_verb and token.lower not in exact):
                return one_unit(found, token), count
        return None

    def _continues(self, ahead: int) -> bool:
        token = self.line.peek(ahead)
        words = (*WAY_WORDS, ";", "charge", "at", *REGIMENTS)
        plain = token.kind in ("word", "sign") and token.lower in words
        return plain or token.kind == "end" or self._verb_here(ahead) is not None or self._toward_at(ahead)

    def _model_named(self, unit: Unit, token: Token) -> str:
        """The model by whose id a unit was named, or empty."""
        if token.lower in (unit.id.lower(), unit.name.lower()):
            return ""
        return next((model.id for model in unit.models if model.id.lower() == token.lower), "")

    def _verb_here(self, ahead: int) -> tuple[str, int] | None:
        """The verb that stands so many tokens ahead, and how many words it takes."""
        for count in (3, 2, 1):
            tokens = [self.line.peek(ahead + i) for i in range(count)]
            if all(token.kind == "word" for token in tokens):
                verb = self.verbs.get(" ".join(token.lower for token in tokens))
                if verb is not None:
                    return verb, count
        return None

    def _toward_at(self, ahead: int) -> bool:
        following = self.line.peek(ahead + 1)
        return self.line.peek(ahead).kind == "number" and following.lower in TOWARD

    def _way_here(self) -> bool:
        return self.line.sees(*WAY_WORDS) or self._toward_at(0)

    def _place_here(self) -> bool:
        return self.line.sees("at") and self.line.peek(1).kind == "point"

    def _no_verb(self, unit: Unit | None, named: bool) -> OrderError:
        line = self.line
        if not named:
            for found, count in unit_readings(line, self.state, self.mover):
                unit = found[0]
                line.next += count
                break
        expected = self._verbs_expected(unit)
        known = tuple(sorted(self.verbs))
        if unit is not None:
            return line.fault(expected, "" if line.ended else only_close(line.here.lower, known))
        hint = only_close(line.here.lower, known) or nearest_unit(line.here.text, self.state)
        text = f"{line.here.text!r} is no unit and no order"
        return OrderError(text, expected=f"a unit and {expected}", column=line.here.column, hint=hint)

    def _verbs_expected(self, unit: Unit | None) -> str:
        mine = [choice.verb for choice in self.offered if unit is None or choice.unit == unit.id]
        names = mine or [f"{choice.unit} {choice.verb}".strip() for choice in self.offered]
        spoken = [name.replace("_", " ") for name in dict.fromkeys(names)]
        return spoken[0] if len(spoken) == 1 else f"one of {', '.join(spoken)}"

    def _charge_with(self, draft: Draft) -> None:
        """``charge E2 with move``: a command that carries a charge, and the way into contact."""
        target = find_unit(self.line, self.state, other_side(self.mover))
        carriers = [
            choice.verb
            for choice in self.offered
            if isinstance(choice.domain, Declare)
            and any(("charge", target.id) in option for option in choice.domain.options)
            and (draft.unit is None or choice.unit == draft.unit.id)
        ]
        wanted = f"'with' and a command: {', '.join(dict.fromkeys(carriers)) or 'none can charge it now'}"
        if not self.line.take("with"):
            raise self.line.fault(wanted)
        phrase = self._verb_here(0)
        if phrase is None:
            raise self.line.fault(wanted)
        draft.verb_at = self.line.here
        draft.verb, count = phrase
        self.line.next += count
        draft.roles["charge"] = target.id
        draft.into = target

    # ---- what follows ------------------------------------------------------------------------------------------------

    def _items(self, draft: Draft) -> None:
        line = self.line
        while not line.ended and not line.sees(";", "then"):
            if self._listed(draft):
                continue
            if self._way_here():
                self._way(draft)
            elif self._place_here():
                line.next += 1
                draft.middle = line.point("of the middle")
            elif line.take("files"):
                draft.files = max(1, round(line.number("of files")))
            elif line.sees(*self._roles(draft)) and line.peek(1).kind in ("word", "quoted", "number"):
                self._role(draft)
            elif line.take(*FILLERS):
                continue
            elif line.here.kind == "pair" and self._assigns(draft):
                model, target = pair_of(self.state, line.here, self.mover)
                draft.pairs[model] = target
                line.next += 1
            else:
                self._name(draft)

    def _listed(self, draft: Draft) -> bool:
        """Read an answer out of a list: one that names no unit, like a direction, or any after the name of its role."""
        choice = self._choice(draft.verb, self._unit_id(draft))
        if choice is None or not isinstance(choice.domain, OneOf):
            return False
        line, listed = self.line, [pair for option in choice.domain.options for pair in option]
        role = next((role for role, _ in listed if line.sees(role.lower()) and line.peek(1).kind != "end"), "")
        token = line.peek(1 if role else 0)
        meant = [pair for pair in listed if pair[1].lower() == token.lower and role in ("", pair[0])]
        meant.sort(key=lambda pair: pair[1] != token.text)  # a unit E before the direction e, where E is written
        if meant and not self.state.has_unit(meant[0][1]):
            draft.roles[meant[0][0]] = meant[0][1]
            line.next += 2 if role else 1
            return True
        if role in WAY_WORDS and token.kind in ("word", "quoted"):
            self._role(draft)
            return True
        return False

    def _assigns(self, draft: Draft) -> bool:
        """Whether the order gives targets to models."""
        choice = self._choice(draft.verb, self._unit_id(draft))
        return choice is not None and isinstance(choice.domain, Assign)

    def _roles(self, draft: Draft) -> tuple[str, ...]:
        offered = {
            role
            for choice in self.offered
            if isinstance(choice.domain, Declare | OneOf)
            for option in choice.domain.options
            for role, _ in option
        }
        return tuple(sorted({*offered, "shoot", "charge"}))

    def _role(self, draft: Draft) -> None:
        role = self.line.here.lower
        self.line.next += 1
        self.line.skip(*FILLERS)
        draft.roles[role] = find_unit(self.line, self.state, other_side(self.mover)).id

    def _name(self, draft: Draft) -> None:
        """A model of the unit, or a unit that is aimed at or joined."""
        token = self.line.here
        known = self._known_models(draft)
        if token.kind in ("word", "quoted", "number"):
            for model in known:
                if model.lower() == token.lower:
                    draft.models.append(model)
                    self.line.next += 1
                    return
        if token.kind not in ("word", "quoted"):
            raise self.line.fault(self._item_expected(draft))
        friends = draft.verb in ("combine", "remove", "split")
        if not any(True for _ in unit_readings(self.line, self.state, self.mover)):
            hint = nearest(token.text, known) if known and friends else self._meant(token.lower)
            text = f"{token.text!r} is not understood after {draft.verb.replace('_', ' ') or 'the unit'!r}"
            raise OrderError(text, expected=self._item_expected(draft), column=token.column, hint=hint)
        side = self.mover if friends else other_side(self.mover)
        draft.bare.append((find_unit(self.line, self.state, side), token))

    def _meant(self, text: str) -> str:
        """A hint at the word or name that was probably meant."""
        names = [name for unit in self.state.units for name in (unit.id.lower(), unit.name.lower())]
        known = (*WAY_WORDS, "toward", "shoot", "charge", *names)
        return "" if text in known else only_close(text, known)

    def _item_expected(self, draft: Draft) -> str:
        choice = self._choice(draft.verb, self._unit_id(draft))
        match choice.domain if choice is not None else None:
            case Put():
                return "'at' x,y"
            case Subset():
                return "models"
            case Assign() as domain if choice is not None:
                known = main_targets(self.state, domain)
                return f"a unit to aim at ({', '.join(known)}), or pairs of a model and its target such as a=B"
            case OneOf(options=options):
                named = tuple(dict.fromkeys(target for option in options for _, target in option))
                return "a unit" if all(map(self.state.has_unit, named)) else f"one of {', '.join(named)}"
            case Declare(kinds=kinds) if all(kind is None for kind in kinds):
                return "a unit to aim at"
            case Declare() | Walk() | None:
                return "'to' x,y, a distance 'toward' something, 'along' points, or a target"
            case _:
                return "the end of the order"

    def _way(self, draft: Draft) -> None:
        line = self.line
        if line.take(*STAYS):
            draft.stays = True
        elif line.take("into"):
            draft.into = find_unit(line, self.state, other_side(self.mover))
        elif draft.way is not None:
            raise line.fault("one way only: this is the second")
        else:
            draft.way = read_way(line, self.state, self.mover)

    def _detail(self, draft: Draft) -> None:
        """What one model does, or in which order models walk."""
        line = self.line
        known = self._known_models(draft)
        if line.take("order"):
            names: list[str] = []
            while not line.ended and not line.sees(";", "then"):
                names.append(find_model(line.here.text, known, line.here.column))
                line.next += 1
            draft.order = tuple(names)
            return
        if line.here.kind not in ("word", "quoted", "number"):
            raise line.fault("a model and its place")
        model = find_model(line.here.text, known, line.here.column)
        line.next += 1
        if line.take(*STAYS):
            draft.details.append((model, None))
        elif line.take("at"):
            draft.details.append((model, read_pose(line, self.state)))
        elif self._way_here() and not line.sees("into"):
            way = read_way(line, self.state, self.mover)
            draft.details.append((model, lambda one: way((one,))))
        else:
            raise line.fault("'to' x,y, 'along' points, 'at' x,y or 'stay'")

    # ---- putting it together -----------------------------------------------------------------------------------------

    def _unit_id(self, draft: Draft) -> str:
        """The unit that acts: the one named, or the only one that can."""
        if draft.unit is not None:
            return draft.unit.id
        found = dict.fromkeys(choice.unit for choice in self.offered if choice.verb == draft.verb)
        return next(iter(found)) if len(found) == 1 else ""

    def _choice(self, verb: str, unit: str) -> Choice | None:
        return next((choice for choice in self.offered if choice.verb == verb and choice.unit == unit), None)

    def _known_models(self, draft: Draft) -> tuple[str, ...]:
        name = self._unit_id(draft) or (self._only_walker() if not draft.verb else "")
        choice = self._choice(draft.verb, name)
        if choice is not None and isinstance(choice.domain, Put):
            return choice.domain.models
        if choice is not None and isinstance(choice.domain, Subset):
            return choice.domain.ids
        return tuple(model.id for model in self.state.unit(name).models) if name else ()

    def _only_walker(self) -> str:
        walkers = [choice.unit for choice in self.offered if isinstance(choice.domain, Walk | Put)]
        return walkers[0] if len(set(walkers)) == 1 else ""

    def _settle(self, draft: Draft) -> None:
        """Find the unit and the verb where the order leaves them out or says them in other words."""
        if draft.verb and draft.unit is None:
            can = list(dict.fromkeys(choice.unit for choice in self.offered if choice.verb == draft.verb))
            if len(can) > 1:
                word = draft.verb.replace("_", " ")
                column = draft.verb_at.column if draft.verb_at is not None else 0
                raise OrderError(f"who is to {word}?", expected=f"a unit first: {' or '.join(can)}", column=column)
            if can and can[0]:
                draft.unit = self.state.unit(can[0])
        name = draft.unit.id if draft.unit is not None else self._only_walker()
        answers = [c for c in self.offered if c.unit == name and isinstance(c.domain, Walk | Put)]
        says = draft.says_way or (draft.middle is not None or bool(draft.details))
        if answers and says and self._choice(draft.verb, name) is None and len(answers) == 1:
            draft.verb, draft.unit = answers[0].verb, self.state.unit(name)
        if not draft.verb:
            who = f"{draft.only}, a model of {name}," if draft.only else name or "nobody"
            raise OrderError(
                f"{who} is told where to go, but not by which order", expected=self._verbs_expected(draft.unit)
            )

    def _action(self, draft: Draft) -> Action:
        unit = draft.unit.id if draft.unit is not None else ""
        choice = self._choice(draft.verb, unit)
        domain = choice.domain if choice is not None else None
        action = Action(verb=draft.verb, unit=unit, models=tuple(draft.models), order=draft.order)
        if isinstance(domain, Put):
            return replace(action, places=self._places(draft, choice))
        if isinstance(domain, Walk) and not draft.says_way:
            found = f"where {unit} goes is not said"
            raise OrderError(found, expected="'to' x,y, 'along' points, a distance 'toward' something, or 'stay'")
        if draft.stays and not isinstance(domain, Walk):
            found = "'stay' answers the question where a unit goes"
            raise OrderError(found, expected="the command alone, or a way")
        if isinstance(domain, Subset) and not draft.models and choice is not None:
            return choice.canonical(self.state)
        if isinstance(domain, Assign):
            targets = self._assigned(draft, domain)
            return replace(action, models=(), targets=targets, paths=self._paths(draft, choice, targets))
        targets = self._targets(draft, choice)
        return replace(action, targets=targets, paths=self._paths(draft, choice, targets))

    def _places(self, draft: Draft, choice: Choice | None) -> Places:
        assert choice is not None
        assert isinstance(choice.domain, Put)
        single = {name: what for name, what in draft.details if isinstance(what, Pose)}
        if draft.middle is None and not single:
            return choice.canonical(self.state).places
        if draft.middle is None:
            return tuple(single.items())
        radius = self.state.unit(choice.unit).radius
        block = ranks(choice.domain.models, radius, draft.middle, draft.files)
        return tuple((name, single.get(name, pose)) for name, pose in block)

    def _assigned(self, draft: Draft, domain: Assign) -> Pairs:
        """Who aims at whom: pairs as given, else everybody or the models named at the one unit named."""
        assert draft.unit is not None
        named = [*(unit for unit, _ in draft.bare), *(self.state.unit(name) for name in draft.roles.values())]
        if len({unit.id for unit in named}) > 1 or (named and draft.pairs):
            found = f"{draft.verb.replace('_', ' ')} at {' and '.join(unit.id for unit in named)}"
            raise OrderError(found, expected="one unit, or pairs of a model and its target such as a=B", is_sure=True)
        if draft.pairs:
            return tuple(sorted(draft.pairs.items()))
        enemy = named[0] if named else None
        return aimed_by(self.state, draft.unit, domain, enemy, tuple(draft.models))

    def _targets(self, draft: Draft, choice: Choice | None) -> Pairs:
        options: tuple[Pairs, ...] = ()
        if choice is not None and isinstance(choice.domain, Declare | OneOf):
            options = choice.domain.options
        roles = dict(draft.roles)
        for target, token in draft.bare:
            if draft.verb in ATTACKS:
                roles["charge"] = target.id
                draft.into = draft.into or target
                if any(("charge", target.id) in option and ("shoot", target.id) in option for option in options):
                    roles.setdefault("shoot", target.id)
            else:
                roles[role_of(draft.verb, options, target.id, token)] = target.id
        if not roles and options and () not in options:
            if len(options) > 1:
                listed = " or ".join(dict.fromkeys(target for option in options for _, target in option))
                raise OrderError(f"{draft.verb.replace('_', ' ')} needs a target", expected=listed)
            return options[0]
        return tuple(sorted(roles.items()))

    def _paths(self, draft: Draft, choice: Choice | None, targets: Pairs) -> Paths:
        if draft.unit is None:
            return ()
        unit = draft.unit
        paths = dict(self._unit_way(draft, unit, choice, targets))
        for name, what in draft.details:
            if what is None:
                paths.pop(name, None)
            elif not isinstance(what, Pose):
                paths.update(what(unit.model(name)))
        return tuple(paths.items())

    def _unit_way(self, draft: Draft, unit: Unit, choice: Choice | None, targets: Pairs) -> Paths:
        if draft.way is not None:
            models = (unit.model(draft.only),) if draft.only and draft.verb_at is None else unit.models
            return draft.way(models)
        if draft.into is None or choice is None:
            return ()
        kind = choice.domain.kind if isinstance(choice.domain, Walk) else None
        if isinstance(choice.domain, Declare):
            kind = choice.domain.kind_for(Action(verb=draft.verb, unit=unit.id, targets=targets))
            if kind is None:
                return ()
        return contact_paths(self.state, unit, draft.into, kind, draft.verb)


def _phrases(verbs: tuple[str, ...]) -> dict[str, str]:
    """Every way to say a verb."""
    found = {verb.replace("_", " "): verb for verb in verbs} | {verb: verb for verb in verbs}
    return found | {word: verb for word, verb in ALIASES.items() if verb in verbs}
