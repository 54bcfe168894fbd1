"""Inches as a referee reads them: one grid for resting poses, one tolerance, four comparisons.

Resting positions lie on a grid of 2**-16 inch, so that squared distances between them are exact in a double and equal
on every machine. Every rule compares through the four functions here and nothing else; whoever *generates* places aims
inside a limit by `CLOSED_MARGIN` or beyond it by `OPEN_MARGIN`, so that rounding never turns an offer illegal.
"""

from __future__ import annotations

import math

__all__ = [
    "CLOSED_MARGIN",
    "GRID",
    "OPEN_MARGIN",
    "TOL",
    "Degrees",
    "Inches",
    "at_least",
    "beyond",
    "is_finite",
    "overlaps",
    "shown",
    "snap",
    "within",
]

Inches = float
Degrees = float

GRID: Inches = 2.0**-16
"""Step of the grid on which resting coordinates, radii and heights lie."""

TOL: Inches = 1e-4
"""The one tolerance: no tape measure tells lengths apart that differ by less."""

CLOSED_MARGIN: Inches = TOL / 2
"""How far inside a limit that includes its end ("within X") generated places stay."""

OPEN_MARGIN: Inches = 2 * TOL
"""How far past a limit that excludes its end ("more than X") generated places stay."""


def within(distance: Inches, limit: Inches) -> bool:
    """Whether a distance is at most the limit: a tape showing exactly X is within X."""
    return distance <= limit + TOL


def beyond(distance: Inches, limit: Inches) -> bool:
    """Whether a distance is more than the limit: the negation of `within`."""
    return distance > limit + TOL


def at_least(distance: Inches, limit: Inches) -> bool:
    """Whether a distance reaches the limit: a tape showing exactly X is at least X."""
    return distance >= limit - TOL


def overlaps(gap: Inches) -> bool:
    """Whether two outlines with this signed gap cut into each other; mere contact does not."""
    return gap < -TOL


def snap(value: float) -> float:
    """Round to the grid of resting coordinates (ties to even, as `round` does)."""
    return round(value / GRID) * GRID


def is_finite(value: float) -> bool:
    """Whether a coordinate is an ordinary number (no NaN, no infinity)."""
    return math.isfinite(value)


def shown(value: Inches) -> str:
    """Inches as they are printed in messages, rounded to hundredths: ``1.50"``."""
    return f'{value:.2f}"'
