"""Fear, terror, frenzy, hatred and stupidity: who has to test, and what lies on whom (chapter PS).

Readings of our own: who causes terror fears nothing, and who causes fear is frightened by terror alone; the test for
terror takes the place of the test for fear on the same occasion; frenzy lasts for as long as nothing holds it back,
also through the enemy's turn; everybody with hatred hates every enemy.
"""

from __future__ import annotations

from tactician.rules.core.action import Pairs
from tactician.rules.core.measure import Inches, within
from tactician.rules.wh40k2e.contact import is_engaged, unit_gap
from tactician.rules.wh40k2e.state import Squad, SquadState, Test

__all__ = [
    "FEAR_GAP",
    "charge_tests",
    "chargers_feared",
    "fears",
    "has_feared_near",
    "hates",
    "is_frenzied",
    "is_provoked",
    "is_terrified_now",
    "may_restrain",
    "must_follow",
    "opening_tests",
    "targets_feared",
    "terrifies",
]

FEAR_GAP: Inches = 8.0
"""How near terror is felt (2E-PS-03), and something feared makes a flight longer (2E-LD-06)."""


def fears(state: SquadState, unit: Squad, foe: Squad) -> bool:
    """Whether a unit fears an enemy unit."""
    mine, theirs = state.profile(unit), state.profile(foe)
    if mine.has("immune") or mine.has("terror"):
        return False
    return theirs.has("terror") or (theirs.has("fear") and not mine.has("fear"))


def terrifies(state: SquadState, unit: Squad, foe: Squad) -> bool:
    """Whether an enemy unit causes terror in a unit that has not met terror in this battle (2E-PS-03)."""
    causes = state.profile(foe).has("terror") and state.holds("2E-PS-03")
    return causes and not unit.terrified and fears(state, unit, foe)


def has_feared_near(state: SquadState, unit: Squad) -> bool:
    """Whether something that a unit fears stands near enough to lengthen its flight (2E-LD-06)."""
    return state.holds("2E-LD-06") and any(
        fears(state, unit, foe) and within(unit_gap(unit, foe), FEAR_GAP) for foe in state.against(unit.side)
    )


def is_frenzied(state: SquadState, unit: Squad) -> bool:
    """Whether a unit is in frenzy now."""
    return state.profile(unit).has("frenzy") and not (unit.restrained or unit.broken)


def hates(state: SquadState, unit: Squad) -> bool:
    """Whether a unit fights with hatred (2E-PS-06)."""
    return state.profile(unit).has("hatred") and not unit.broken and state.holds("2E-PS-06")


def must_follow(state: SquadState, unit: Squad) -> bool:
    """Whether models of a unit have to follow up where they may (2E-PS-05, 2E-PS-06)."""
    return hates(state, unit) or (is_frenzied(state, unit) and state.holds("2E-PS-05"))


def is_provoked(state: SquadState, unit: Squad) -> bool:
    """Whether frenzy drives a unit at an enemy within its charge reach (2E-PS-04)."""
    if not state.holds("2E-PS-04") or not is_frenzied(state, unit) or unit.dazed or is_engaged(state, unit):
        return False
    reach = 2 * state.profile(unit).move
    return any(within(unit_gap(unit, foe), reach) for foe in state.against(unit.side))


def may_restrain(state: SquadState, unit: Squad) -> bool:
    """Whether a unit that frenzy would drive may try to hold itself back, in the opening of its turn (2E-PS-04)."""
    return is_provoked(state, unit) and not unit.acted and not state.profile(unit).has("immune")


# ---- tests that fall due ---------------------------------------------------------------------------------------------


def opening_tests(state: SquadState, side: str) -> Pairs:
    """Tests that the units of a side take as its turn opens: cause and unit, unit by unit (2E-PS-03, 2E-PS-07)."""
    found: list[tuple[str, str]] = []
    for unit in state.of(side):
        profile = state.profile(unit)
        if unit.broken or profile.has("immune"):
            continue
        if _has_terror_near(state, unit):
            found.append(("terror", unit.id))
        if profile.has("stupidity") and state.holds("2E-PS-07"):
            found.append(("stupidity", unit.id))
    return tuple(found)


def _has_terror_near(state: SquadState, unit: Squad) -> bool:
    return any(
        terrifies(state, unit, foe) and within(unit_gap(unit, foe), FEAR_GAP) for foe in state.against(unit.side)
    )


def charge_tests(state: SquadState, unit: Squad) -> tuple[Test, ...]:
    """Tests that a declared charge asks for: the charger's first, then those of its targets.

    Clauses: 2E-PS-01 (charged by what it fears), 2E-PS-02 (charging what it fears), 2E-PS-03 (terror either way).

    Args:
        state: the moment after the declaration.
        unit: the charging unit, with its targets.
    """
    targets = targets_of(state, unit)
    tests = []
    if any(terrifies(state, unit, foe) for foe in targets):
        tests.append(Test(owner=unit.side, unit=unit.id, cause="terror"))
    elif targets_feared(state, unit):
        tests.append(Test(owner=unit.side, unit=unit.id, cause="charge"))
    for foe in targets:
        if foe.broken or foe.cowed:
            continue
        if terrifies(state, foe, unit):
            tests.append(Test(owner=foe.side, unit=foe.id, cause="terror"))
        elif fears(state, foe, unit) and state.holds("2E-PS-01"):
            tests.append(Test(owner=foe.side, unit=foe.id, cause="fear"))
    return tuple(tests)


def targets_of(state: SquadState, unit: Squad) -> tuple[Squad, ...]:
    """The units at which a unit has declared a charge, by id."""
    aimed = {target for _, target in unit.charge}
    return tuple(foe for foe in state.against(unit.side) if any(model.id in aimed for model in foe.models))


def targets_feared(state: SquadState, unit: Squad) -> tuple[Squad, ...]:
    """Those of its targets that a charging unit fears (2E-PS-02)."""
    if not state.holds("2E-PS-02"):
        return ()
    return tuple(foe for foe in targets_of(state, unit) if fears(state, unit, foe))


def chargers_feared(state: SquadState, unit: Squad) -> tuple[Squad, ...]:
    """Enemy units that a unit fears and that have declared a charge at it (2E-PS-01)."""
    mine = {model.id for model in unit.models}
    return tuple(
        foe
        for foe in state.against(unit.side)
        if any(target in mine for _, target in foe.charge) and fears(state, unit, foe)
    )


def is_terrified_now(state: SquadState, unit: Squad) -> bool:
    """Whether a test for terror is still called for: something terrible is near, charges the unit, or is charged."""
    foes = (*chargers_feared(state, unit), *targets_of(state, unit))
    return _has_terror_near(state, unit) or any(terrifies(state, unit, foe) for foe in foes)
