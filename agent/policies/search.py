"""Search by roll-outs in the sketch (see `agent.search.plan`)."""

from __future__ import annotations

from tactician.agent.policies.base import register
from tactician.agent.search.plan import PlanSearch

__all__ = ["Search"]


@register("search")
class Search(PlanSearch):
    """Plan search as it is usually played."""
