"""The links that hold a unit together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from tactician.rules.core.measure import Inches
from tactician.rules.core.shapes import Point, length

__all__ = ["Link", "beyond_link", "shortest_tree", "tree"]

Link = tuple[str, str]

Place = TypeVar("Place")


def tree(places: Mapping[str, Point]) -> list[Link]:
    """The tree with the shortest links over places seen from above."""
    return shortest_tree(places, lambda a, b: length(a[0] - b[0], a[1] - b[1]))


def shortest_tree(places: Mapping[str, Place], away: Callable[[Place, Place], Inches]) -> list[Link]:
    """The tree with the shortest links over places that are so far from each other (Prim, 1957)."""
    names = list(places)
    best = {name: (away(places[names[0]], places[name]), names[0]) for name in names[1:]}
    found = []
    while best:
        nearest = min(best, key=lambda name: (best[name][0], name))
        found.append((best.pop(nearest)[1], nearest))
        for name, (far, _) in best.items():
            mine = away(places[nearest], places[name])
            if mine < far:
                best[name] = mine, nearest
    return found


def beyond_link(links: list[Link], link: Link) -> set[str]:
    """The models on the far side of a link of a tree."""
    found, grown = {link[1]}, True
    while grown:
        more = {name for one in links if one != link and found & set(one) for name in one}
        grown = not more <= found
        found |= more
    return found
