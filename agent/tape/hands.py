"""People with a tape measure: they put the models of a plan down a little off, blindly or as far as things let them."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from tactician.agent.tape.fixes import Disc
from tactician.agent.tape.orders import Tape
from tactician.agent.tape.reading import rebuilt
from tactician.agent.tape.room import nudged
from tactician.rules.core.action import Action
from tactician.rules.core.choice import Declare, Put, Walk
from tactician.rules.core.clauses import Violation
from tactician.rules.core.measure import Inches
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.shapes import length
from tactician.rules.core.state import State

__all__ = ["OFF", "Taped", "failed", "felt", "misses", "off", "was_told"]

OFF: Inches = 0.25
"""How far a model is put down off at most."""

REDRAWS = 40
"""Times that a hand tries another place where something solid or the tape stops it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taped:
    """A plan of the adviser that moves models or puts them down."""

    ruleset: Ruleset
    state: State
    action: Action
    tape: Tape


def off(plan: Taped, rng: random.Random, stopped_by: frozenset[str]) -> Action:
    """The order with every model put down up to `OFF` off, anywhere in that disc alike.

    Where a clause of `stopped_by` would be broken the hand is stopped, by what is solid or by the end of the tape, and
    tries another place.
    """
    action = plan.action
    for step in plan.tape.steps:
        for _ in range(REDRAWS):
            angle, far = 2 * math.pi * rng.random(), OFF * math.sqrt(rng.random())
            tried = nudged(action, step.model, (far * math.cos(angle), far * math.sin(angle)))
            if not stopped_by:
                action = tried
                break
            broken = plan.ruleset.check(plan.state, tried)
            if not any(one.clause in stopped_by for one in broken):
                action = tried
                break
    return action


def felt(plan: Taped) -> frozenset[str]:
    """Clauses of an order that nobody breaks by mishap: bases, walls and edges are solid, and the tape has an end."""
    for choice in plan.ruleset.choices(plan.state):
        if (choice.verb, choice.unit) != (plan.action.verb, plan.action.unit):
            continue
        domain = choice.domain
        if isinstance(domain, Put):
            return frozenset({domain.rule.end_place.clause, domain.rule.zone_cite.clause})
        kind = domain.kind if isinstance(domain, Walk) else None
        if isinstance(domain, Declare):
            kind = domain.kind_for(plan.action)
        if kind is not None:
            cites = (kind.budget, kind.walls, kind.edge, kind.footing, kind.end_place, *filter(None, (kind.models,)))
            return frozenset(cite.clause for cite in cites)
    return frozenset()


def failed(plan: Taped, broken: tuple[Violation, ...]) -> set[str]:
    """The steps that broke something; what the unit breaks as a whole counts for one of its steps."""
    steps = {step.model for step in plan.tape.steps}
    return {one.subject if one.subject in steps else min(steps) for one in broken}


def was_told(plan: Taped, one: Violation) -> bool:
    """Whether what broke had been printed as tight: at a model that it is about, or as a link of the unit."""
    steps = {step.model: step for step in plan.tape.steps}
    about = [steps[name] for name in (one.subject, one.against) if name in steps]
    if about:
        return any(step.rooms for step in about)
    return any(room.clause == one.clause for step in plan.tape.steps for room in step.rooms)


def misses(plan: Taped) -> list[Inches]:
    """How far the places rebuilt from the printed lines are from those of the order, each step after the one before."""
    moving = {step.model for step in plan.tape.steps}
    bases = {
        model.id: Disc(model.pose.x, model.pose.y, unit.radius)
        for unit in plan.state.units
        for model in unit.models
        if model.id not in moving
    }
    radius, board = plan.state.unit(plan.action.unit).radius, plan.state.board
    ends = {step.model: step.end.point for step in plan.tape.steps}
    lines = [line.strip() for line in plan.tape.lines()][1:]
    found, name, put = [], "", (0.0, 0.0)
    for line in lines:
        if line.startswith("tight: "):
            continue
        x, y = rebuilt(line, board, bases, radius)
        if not line.startswith("or "):
            if name:
                bases[name] = Disc(*put, radius)
            name, put = line.partition(":")[0], (x, y)
        found.append(length(x - ends[name][0], y - ends[name][1]))
    return found
