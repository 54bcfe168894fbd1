"""Everything the rules say, one line each; whoever decides a rule cites its clause by these ids."""

from __future__ import annotations

from tactician.rules.core.clauses import Clause, Kind

__all__ = ["CLAUSES"]


def _clause(name: str, kind: Kind, chapter: str, text: str) -> Clause:
    return Clause(id=name, text=text, source="the duel's own rules", kind=kind, chapter=chapter)


CLAUSES: tuple[Clause, ...] = (
    _clause("DU-TU-01", "order", "turn", "a player's turn is a moving phase and then a shooting phase"),
    _clause("DU-TU-02", "effect", "turn", "red and blue take turns; after the last turn the duel is a draw"),
    _clause("DU-MO-01", "check", "moving", "the way of a disc is no longer than its move"),
    _clause("DU-MO-02", "check", "moving", "a disc passes through neither walls nor discs and stays on the table"),
    _clause("DU-MO-03", "check", "moving", "a disc stays clear of the enemy on its whole way, not only at its end"),
    _clause("DU-WA-01", "effect", "moving", "the enemy may shoot once at a disc while it moves within range"),
    _clause("DU-WA-02", "effect", "moving", "who was shot at and lives goes on, turns elsewhere or stops"),
    _clause("DU-SH-01", "check", "shooting", "an enemy within range may be shot at, edge to edge"),
    _clause("DU-SH-02", "effect", "shooting", "a die hits or misses; a hit takes the disc off and wins the duel"),
)
