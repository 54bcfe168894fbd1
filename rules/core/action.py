"""What a hand does on the table, and its two written forms: JSON-able data and one line of text."""

from __future__ import annotations

from dataclasses import dataclass

from tactician.rules.core.legs import Leg, Pose

__all__ = ["Action", "Mark", "pairs"]

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A point on an announced path: a model, and the inches it has gone when something happens."""

    model: str
    inches: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One order or answer. Fields that a verb does not use stay empty."""

    verb: str
    unit: str = ""
    order: tuple[str, ...] = ()
    """Order in which models walk, where models walk one after another."""
    paths: tuple[tuple[str, tuple[Leg, ...]], ...] = ()
    """Way of each model that moves."""
    targets: Pairs = ()
    """What each role aims at, sorted by role: ``(("charge", "E2"), ("shoot", "E1"))``."""
    models: tuple[str, ...] = ()
    """A subset of models, such as casualties."""
    places: tuple[tuple[str, Pose], ...] = ()
    """Where models are put down."""
    mark: Mark | None = None
    """Where on an announced path something happens."""

    def target(self, role: str) -> str | None:
        """What a role aims at, or None."""
        for name, target in self.targets:
            if name == role:
                return target
        return None

    @property
    def announces_path(self) -> bool:
        """Whether the action says how models walk."""
        return bool(self.paths)


def pairs(**targets: str | None) -> Pairs:
    """Targets by role, sorted, leaving out those that are None."""
    return tuple(sorted((role, target) for role, target in targets.items() if target is not None))
