"""The need to hit: skill, weapon, cover, speed and size of the target (chapter TH).

Readings of our own: what is taller than four inches is very large; how fast a target went is read off the model aimed
at, and during a move that is interrupted off what that model has gone of it so far; where more than half of a unit
stands in the open it has no cover, where less than half does the cover of the others is one worse for it, and
where all of it is in cover of both kinds it has soft cover.
"""

from __future__ import annotations

from tactician.rules.core.clauses import Entry, Ledger
from tactician.rules.core.legs import Pose
from tactician.rules.core.measure import Inches, at_least, beyond, within
from tactician.rules.core.remember import Remembered
from tactician.rules.core.shapes import contains
from tactician.rules.core.state import Model
from tactician.rules.core.views import covered_by
from tactician.rules.wh40k2e.contact import model_gap
from tactician.rules.wh40k2e.profiles import Weapon
from tactician.rules.wh40k2e.state import Moving, Squad, SquadState

__all__ = ["chain", "charges_at", "cover_at", "cover_of", "move_of", "need_to_hit", "speed_of"]

LARGE: Inches = 4.0
"""2E-TH-05: the height from which a target is very large."""

FAST: Inches = 10.0
"""2E-TH-04: one worse from so many inches."""

FASTEST: Inches = 20.0
"""2E-TH-04: two worse beyond so many inches."""

WORSE = {"soft": 1, "hard": 2}
"""2E-TH-03: what cover adds to the need."""

STEEP = {7: (6, 4), 8: (6, 5), 9: (6, 6)}
"""2E-TH-08: two dice one after another for needs that one die does not have."""

_COVER: Remembered[int] = Remembered(40_000)
_COVERS: Remembered[tuple[int, ...]] = Remembered(8_000)


def chain(need: int, *, goes_on: bool = True) -> tuple[int, ...] | None:
    """The faces that have to be made one after another for a need; None where it cannot be made (2E-TH-08).

    Args:
        need: after all modifiers.
        goes_on: whether needs of seven to nine are a six and then a further die.
    """
    if need <= 6:
        return (need,)
    return STEEP.get(need) if goes_on else None


# ---- cover -----------------------------------------------------------------------------------------------------------


def cover_at(state: SquadState, shooter: Pose, radius: Inches, target: Pose) -> int:
    """How much worse one model is to hit for the cover between it and a shooter: the best piece counts (2E-TH-03)."""
    return _COVER.get((state.table, shooter, target), radius, lambda: _cover_at(state, shooter, radius, target))


def _cover_at(state: SquadState, shooter: Pose, radius: Inches, target: Pose) -> int:
    if not state.holds("2E-TH-03"):
        return 0
    pieces = covered_by(state.board, shooter.point, target.point, "cover", radius)
    return max((WORSE.get(str(piece.trait("cover")), 0) for piece in pieces), default=0)


def cover_of(state: SquadState, unit: Squad, model: Model, foe: Squad, aimed: Model | None = None) -> int:
    """How much worse a unit is to hit for its cover from one shooter (2E-TH-10).

    Args:
        state: the moment.
        unit: the shooter's unit.
        model: the shooter.
        foe: who is shot at.
        aimed: the model aimed at, whose own cover counts where units are not judged as a whole.
    """
    key = unit.id, unit.radius, model.id, foe.id
    covers = _COVERS.get((state.table, unit.models, foe.models), key, lambda: _covers(state, unit, model, foe))
    if not covers:
        return 0
    if not state.holds("2E-TH-10"):
        return covers[0] if aimed is None else covers[foe.models.index(aimed)]
    in_open = covers.count(0)
    if 2 * in_open > len(covers):
        return 0
    covered = min(one for one in covers if one)
    return covered - 1 if in_open else covered


def _covers(state: SquadState, unit: Squad, model: Model, foe: Squad) -> tuple[int, ...]:
    return tuple(cover_at(state, model.pose, unit.radius, other.pose) for other in foe.models)


# ---- a target on its way ---------------------------------------------------------------------------------------------


def move_of(state: SquadState, unit: Squad) -> Moving | None:
    """The interrupted move of a unit, if it is on its way."""
    for frame in reversed(state.agenda):
        if isinstance(frame, Moving) and frame.unit == unit.id:
            return frame
    return None


def speed_of(state: SquadState, unit: Squad, model: str) -> Inches:
    """Inches that a model went in its latest move, or has gone so far in the one that is interrupted (2E-TH-04)."""
    frame = move_of(state, unit)
    walked = unit.walked if frame is None else frame.walked
    return dict(walked).get(model, 0.0)


def charges_at(state: SquadState, foe: Squad, unit: Squad) -> bool:
    """Whether a unit is on its way charging another one, or is driven at it (2E-TH-07, 2E-CM-06)."""
    frame = move_of(state, foe)
    if frame is None or frame.gait not in ("charge", "frenzy"):
        return False
    if frame.gait == "frenzy" and not state.holds("2E-CM-06"):
        return False
    names = {model.id for model in unit.models}
    return any(target in names for _, target in foe.charge)


# ---- the need --------------------------------------------------------------------------------------------------------


def need_to_hit(
    state: SquadState,
    unit: Squad,
    model: Model,
    weapon: Weapon,
    foe: Squad,
    other: Model,
    *,
    on_overwatch: bool = False,
    at_charger: bool = False,
) -> Ledger:
    """The least face that hits, and how it comes about; more than six is possible (see `chain`).

    Args:
        state: the moment.
        unit: the shooter's unit.
        model: the shooter.
        weapon: what it shoots with.
        foe: the unit shot at.
        other: the model of it that is aimed at.
        on_overwatch: whether the fire comes from overwatch.
        at_charger: whether the target charges the shooter's unit, so that it is shot at at short range.
    """
    profile = state.profile(unit)
    entries = [
        *_range_entries(state, unit, model, weapon, foe, other, at_charger),
        *_cover_entries(state, unit, model, foe, other),
        *_target_entries(state, foe, other),
        *(_overwatch_entries(state, unit, model, foe, other, at_charger) if on_overwatch else ()),
    ]
    if profile.has("targeter") and state.holds("2E-TH-09"):
        entries.append(Entry(value=-1, reason="targeter", clause="2E-TH-09"))
    skill = profile.bs if state.holds("2E-TH-01") else 0
    need = 7 - skill + sum(entry.value for entry in entries)
    if need < 2 and state.holds("2E-TH-01"):
        entries.append(Entry(value=2 - need, reason="a one always misses", clause="2E-TH-01"))
    base_reason = f"at BS {profile.bs} [2E-TH-01]"
    return Ledger(name="to hit", base=7 - skill, base_reason=base_reason, entries=tuple(entries))


def _range_entries(
    state: SquadState, unit: Squad, model: Model, weapon: Weapon, foe: Squad, other: Model, at_charger: bool
) -> list[Entry]:
    """Short or long range; grenades have no bands."""
    if not state.holds("2E-TH-02"):
        return []
    gap = model_gap(model.pose, unit.radius, other.pose, foe.radius)
    charged = at_charger and state.holds("2E-TH-07")
    if within(gap, weapon.short) or charged:
        value, reason = weapon.hit_short, "short range"
    else:
        value, reason = weapon.hit_long, "long range"
    if not value:
        return []
    cited = "2E-TH-07" if charged and not within(gap, weapon.short) else "2E-TH-02"
    return [Entry(value=-value, reason=reason, clause=cited)]


def _cover_entries(state: SquadState, unit: Squad, model: Model, foe: Squad, other: Model) -> list[Entry]:
    worse = cover_of(state, unit, model, foe, other)
    return [Entry(value=worse, reason="cover", clause="2E-TH-03")] if worse else []


def _target_entries(state: SquadState, foe: Squad, other: Model) -> list[Entry]:
    """How fast and how large the target is."""
    found = []
    gone = speed_of(state, foe, other.id)
    if state.holds("2E-TH-04") and at_least(gone, FAST):
        worse = 2 if beyond(gone, FASTEST) else 1
        found.append(Entry(value=worse, reason=f"it went {gone:.1f} inches", clause="2E-TH-04"))
    if state.holds("2E-TH-05") and at_least(state.profile(foe).stature, LARGE):
        found.append(Entry(value=-1, reason="very large", clause="2E-TH-05"))
    return found


def _overwatch_entries(
    state: SquadState, unit: Squad, model: Model, foe: Squad, other: Model, at_charger: bool
) -> list[Entry]:
    """One worse against chargers and against who leaves or enters cover."""
    if not state.holds("2E-TH-06"):
        return []
    if at_charger or _changes_cover(state, unit, model, foe, other):
        reason = "overwatch at a charger" if at_charger else "overwatch at who leaves or enters cover"
        return [Entry(value=1, reason=reason, clause="2E-TH-06")]
    return []


def _changes_cover(state: SquadState, unit: Squad, model: Model, foe: Squad, other: Model) -> bool:
    """Whether a model on its way is in another piece than where its move began, or better or worse off for cover."""
    frame = move_of(state, foe)
    for name, x, y in frame.begun if frame is not None else ():
        if name == other.id:
            begun = Pose(x, y)
            if _pieces_about(state, begun) != _pieces_about(state, other.pose):
                return True
            before = cover_at(state, model.pose, unit.radius, begun)
            return before != cover_at(state, model.pose, unit.radius, other.pose)
    return False


def _pieces_about(state: SquadState, pose: Pose) -> list[str]:
    """The pieces with cover that a centre lies in."""
    return [piece.id for piece in state.board.with_trait("cover") if contains(piece.outline, pose.x, pose.y)]
