"""Suggestions in moments of deployment: the whole army's places, not one unit's alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tactician.commands.words import order_words
from tactician.hints import LEAST
from tactician.rules.core.codec import action_to_data
from tactician.rules.core.drawing import Circle, Drawing, Label, Shape
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State

if TYPE_CHECKING:
    from tactician.agent.deploy import Deployment

__all__ = ["army_data", "army_lines", "army_of", "with_army"]

OVER = "the places that the rules themselves propose"


def army_of(ruleset: Ruleset, state: State, seconds: float) -> Deployment | None:
    """The proposal for a whole army; None where nobody is putting units down."""
    from tactician.agent.deploy import deployment, is_deployment
    from tactician.agent.policies import Budget

    if not is_deployment(ruleset, state):
        return None
    return deployment(ruleset, state, Budget(seconds=seconds, evaluations=10_000))


def army_lines(ruleset: Ruleset, state: State, army: Deployment) -> Iterator[str]:
    """The proposal for people, in the order in which units are put down."""
    yield f"the whole army, {army.layout}  (value {army.value:+.2f} over {OVER})"
    for term in army.reasons:
        if abs(term.amount) >= LEAST:
            yield f"     {term.sentence} ({term.amount:+.2f})"
    for number, one in enumerate(army.placed, start=1):
        yield f"  {number}. {order_words(ruleset, state, one.action)}  [{one.role}]"


def army_data(ruleset: Ruleset, state: State, army: Deployment) -> dict[str, Any]:
    """The proposal for programs."""
    return {
        "side": army.side,
        "layout": army.layout,
        "value": army.value,
        "over": OVER,
        "why": [f"{term.sentence} ({term.amount:+.2f})" for term in army.reasons if abs(term.amount) >= LEAST],
        "orders": [
            {
                "unit": one.unit,
                "role": one.role,
                "text": order_words(ruleset, state, one.action),
                "action": action_to_data(one.action),
            }
            for one in army.placed
        ],
    }


def with_army(drawing: Drawing, state: State, army: Deployment) -> Drawing:
    """The drawing with every unit of the proposal standing at its place."""
    from tactician.pictures import with_shapes

    shapes: list[Shape] = []
    for one in army.placed:
        unit, poses = state.unit(one.unit), [pose for _, pose in one.action.places]
        shapes += [
            Circle(role="base", centre=pose.point, radius=unit.radius, side=unit.side, name=name)
            for name, pose in one.action.places
        ]
        middle = sum(pose.x for pose in poses) / len(poses), sum(pose.y for pose in poses) / len(poses)
        shapes.append(Label(text=f"{unit.id} {unit.name}", near=middle, side=unit.side, weight=1))
    return with_shapes(drawing, shapes, f"{army.side}'s whole army as proposed: {army.layout}")
