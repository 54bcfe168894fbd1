"""Search by roll-outs in the sketch (see `agent.search.plan`), in three styles."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tactician.agent.policies.base import register
from tactician.agent.search.plan import PlanSearch, Settings
from tactician.agent.sketch.model import USUAL, SketchWeights
from tactician.agent.value.profiles import profile
from tactician.agent.value.terms import Weights

__all__ = ["STYLES", "Search", "Style", "aggressive", "cautious"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """A temperament of the search: what it weighs on the table, and what both sides are taken to mind in the sketch."""

    name: str
    """Of the profile that its weights are from."""
    policy: str
    """The name under which it plays."""
    sentence: str
    """What a player is told about it."""
    sketch: SketchWeights

    @property
    def weights(self) -> Weights:
        """Of the terms of the moment."""
        return profile(self.name).weights


STYLES = (
    Style(
        name="cautious",
        policy="search-cautious",
        sentence="Gives up nothing it need not: own losses count more than the enemy's, and waiting in ambush is good.",
        sketch=replace(USUAL, losses=1.1, watch=0.7),
    ),
    Style(
        name="balanced",
        policy="search",
        sentence="Minds own losses a little less than the enemy's, and waits in ambush where that promises more.",
        sketch=USUAL,
    ),
    Style(
        name="aggressive",
        policy="search-aggressive",
        sentence="Trades models: own losses count half as much as the enemy's, and it would rather go than wait.",
        sketch=replace(USUAL, losses=0.5, watch=0.3),
    ),
)
"""Every style, from the most careful to the least."""


@register("search")
class Search(PlanSearch):
    """Plan search as it is usually played."""


@register("search-cautious")
def cautious() -> PlanSearch:
    """Plan search that minds its losses."""
    return _styled(STYLES[0])


@register("search-aggressive")
def aggressive() -> PlanSearch:
    """Plan search that looks for the fight."""
    return _styled(STYLES[2])


def _styled(style: Style) -> PlanSearch:
    return PlanSearch(name=style.policy, settings=Settings(sketch=style.sketch), weights=style.weights)
