"""The odds of a duel's dice: attack dice of both, dice thrown again out of hatred, parries.

Nothing here knows a model: only how far one side is ahead without dice, how many dice there are, and who may do what
with them. Sequences are never walked through: dice are taken by what they are worth, and, for the side whose best die
may be parried, by the faces that lie.
"""

from __future__ import annotations

from functools import lru_cache

from tactician.rules.core.odds import faces_odds

__all__ = ["SIX", "Dice", "Rules", "hit_odds", "worth_of_faces"]

SIX = 6

HAIR = 1e-9
"""An advantage smaller than this is rounding."""

Dice = tuple[int, ...]
"""Faces of attack dice, in ascending order."""

Rules = tuple[bool, bool, bool]
"""Whether ones (2E-HH-03) and further sixes (2E-HH-04) count, and whether there are hits at all (2E-HH-10)."""


def worth_of_faces(faces: Dice, rules: Rules = (True, True, True)) -> int:
    """What dice are worth to their owner: best die and further sixes, less the point that each one gives the enemy."""
    sixes = max(faces.count(SIX) - 1, 0) if rules[1] else 0
    return max(faces, default=0) + sixes - (faces.count(1) if rules[0] else 0)


@lru_cache(maxsize=4096)
def hit_odds(
    lead: int, dice: tuple[int, int], parries: tuple[int, int], hatred: tuple[bool, bool], tie: int, rules: Rules
) -> tuple[tuple[int, float], ...]:
    """Odds of hits, given what the first model is ahead without dice and the hits of a tie (both for the first)."""
    if parries[1]:  # seen from the other side, so that only the first may parry
        turned = _of(-lead, dice[::-1], parries[1], hatred[::-1], -tie, rules, second_hates_first=True)
        return tuple(sorted((-hits, chance) for hits, chance in turned))
    return _of(lead, dice, parries[0], hatred, tie, rules, second_hates_first=False)


def _of(
    lead: int,
    dice: tuple[int, int],
    parries: int,
    hatred: tuple[bool, bool],
    tie: int,
    rules: Rules,
    *,
    second_hates_first: bool,
) -> tuple[tuple[int, float], ...]:
    """The same where only the first model may parry.

    Args:
        lead: what the first is ahead without dice.
        dice: attack dice of both.
        parries: of the first.
        hatred: whether each throws again where it does not win.
        tie: hits of a tie.
        rules: which clauses are in force.
        second_hates_first: whether the second throws again before the first does.
    """
    mine, theirs = _worths(dice[0], rules), _multisets(dice[1])
    chances: dict[tuple[int, Dice], float] = {}
    for worth, share in mine:
        for faces, part in theirs:
            chances[worth, faces] = chances.get((worth, faces), 0.0) + share * part
    for who in (1, 0) if second_hates_first else (0, 1):
        if hatred[who] and dice[who]:
            chances = _thrown_again(chances, who, lead, tie, mine, theirs, rules)
    found: dict[int, float] = {}
    for (worth, faces), chance in chances.items():
        for hits, share in _parried(lead + worth, faces, parries, tie, rules):
            found[hits] = found.get(hits, 0.0) + chance * share
    return tuple(sorted(found.items()))


def _thrown_again(
    chances: dict[tuple[int, Dice], float],
    who: int,
    lead: int,
    tie: int,
    mine: tuple[tuple[int, float], ...],
    theirs: tuple[tuple[Dice, float], ...],
    rules: Rules,
) -> dict[tuple[int, Dice], float]:
    """The odds after one side has thrown all its dice again where it did not win (2E-PS-06)."""
    found: dict[tuple[int, Dice], float] = {}
    again: dict[tuple[int, Dice] | int, float] = {}
    for (worth, faces), chance in chances.items():
        hits = _hits(lead + worth - worth_of_faces(faces, rules), tie, rules)
        if (hits if who == 0 else -hits) > 0:
            found[worth, faces] = found.get((worth, faces), 0.0) + chance
        else:
            key = (0, faces) if who == 0 else worth
            again[key] = again.get(key, 0.0) + chance
    for key, chance in again.items():
        if isinstance(key, tuple):
            rows = [((worth, key[1]), share) for worth, share in mine]
        else:
            rows = [((key, faces), share) for faces, share in theirs]
        for row, share in rows:
            found[row] = found.get(row, 0.0) + chance * share
    return found


@lru_cache(maxsize=65536)
def _parried(ahead: int, faces: Dice, parries: int, tie: int, rules: Rules) -> tuple[tuple[int, float], ...]:
    """Odds of hits with parries left: used where the first does not lead and hits get better on average.

    Args:
        ahead: what the first is ahead but for the second's dice.
        faces: the second's dice.
        parries: left to the first.
        tie: hits of a tie.
        rules: which clauses are in force.
    """
    margin = ahead - worth_of_faces(faces, rules)
    hits = _hits(margin, tie, rules)
    if not parries or margin > 0 or not faces:
        return ((hits, 1.0),)
    found: dict[int, float] = {}
    for face in range(1, SIX + 1):
        for number, share in _parried(ahead, tuple(sorted((*faces[:-1], face))), parries - 1, tie, rules):
            found[number] = found.get(number, 0.0) + share / SIX
    better = sum(number * share for number, share in found.items()) > hits + HAIR
    return tuple(sorted(found.items())) if better else ((hits, 1.0),)


def _hits(margin: int, tie: int, rules: Rules) -> int:
    if not rules[2]:
        return 0
    return margin or tie


@lru_cache(maxsize=64)
def _multisets(dice: int) -> tuple[tuple[Dice, float], ...]:
    """Every way in which dice can lie, in ascending order each, with its chance."""
    found = []
    for counts, chance in faces_odds(dice, SIX, (1,) * SIX).support:
        assert isinstance(counts, tuple)
        found.append((tuple(face for face, count in enumerate(counts, start=1) for _ in range(count)), chance))
    return tuple(found)


@lru_cache(maxsize=256)
def _worths(dice: int, rules: Rules) -> tuple[tuple[int, float], ...]:
    """Odds of what dice are worth."""
    found: dict[int, float] = {}
    for faces, chance in _multisets(dice):
        worth = worth_of_faces(faces, rules)
        found[worth] = found.get(worth, 0.0) + chance
    return tuple(sorted(found.items()))
