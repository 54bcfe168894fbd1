"""Declared charges judged greedily are the declarations that some order of the chargers makes legal (rulings)."""

from __future__ import annotations

import random
from itertools import permutations, product

from tactician.rules.core.action import Action
from tactician.rules.core.measure import TOL
from tactician.rules.core.shapes import length
from tactician.rules.wh40k2e.charging import declaration_faults, usual_targets
from tactician.rules.wh40k2e.contact import touching
from tactician.rules.wh40k2e.state import SquadState

from tests.rules.wh40k2e.boards import battle, squad

CHARGERS, FOES = 4, 4


def scattered(rng: random.Random) -> SquadState:
    """A few chargers and enemies anywhere on a small field, some of the enemies in hand-to-hand with others."""
    places: list[tuple[float, float]] = []
    while len(places) < CHARGERS + FOES:
        place = (10.0 + rng.randrange(14), 10.0 + rng.randrange(14))
        if place not in places:
            places.append(place)
    foes = places[CHARGERS:]
    beside = [(x + 1.0, y) for x, y in foes if rng.random() < 0.3]
    friends = [place for place in beside if all(length(place[0] - x, place[1] - y) >= 1.0 for x, y in places)]
    units = [squad("R1", "marine", places[:CHARGERS]), squad("B1", "ork", foes)]
    return battle(*units, *([squad("R2", "marine", friends[:1])] if friends else []))


def has_an_order(state: SquadState, targets: dict[str, str]) -> bool:
    """Whether the chargers can be put in an order in which each one's target is the nearest left, or of all."""
    busy = touching(state)
    unit, foe = state.unit("R1"), state.unit("B1")
    gaps = {(a.id, b.id): length(a.pose.x - b.pose.x, a.pose.y - b.pose.y) for a in unit.models for b in foe.models}

    def fits(name: str, taken: set[str]) -> bool:
        mine = gaps[name, targets[name]]
        nearer = [b.id for b in foe.models if gaps[name, b.id] < mine - TOL]
        is_left = targets[name] not in busy and targets[name] not in taken
        return not nearer or (is_left and all(one in busy or one in taken for one in nearer))

    for order in permutations(targets):
        taken: set[str] = set()
        for name in order:
            if not fits(name, taken):
                break
            taken.add(targets[name])
        else:
            return True
    return False


def test_a_declaration_is_legal_exactly_where_some_order_of_the_chargers_is() -> None:
    rng = random.Random(40)
    legal = 0
    for _ in range(60):
        state = scattered(rng)
        names = [model.id for model in state.unit("R1").models]
        foes = [model.id for model in state.unit("B1").models]
        for chosen in rng.sample(list(product(foes, repeat=CHARGERS)), 12):
            targets = dict(zip(names, chosen, strict=True))
            order = Action(verb="charge", unit="R1", targets=tuple(targets.items()))
            is_legal = not declaration_faults(state, order)
            assert is_legal == has_an_order(state, targets), (
                f"{targets} {[m.pose.point for m in state.unit('R1').models]}"
            )
            legal += is_legal
    assert legal > 20


def test_what_is_proposed_is_always_legal() -> None:
    rng = random.Random(41)
    for _ in range(150):
        state = scattered(rng)
        for targets in usual_targets(state, state.unit("R1")):
            assert declaration_faults(state, Action(verb="charge", unit="R1", targets=targets)) == ()


def test_whoever_piles_on_waits_for_who_needs_the_same_enemy_untaken() -> None:
    """R1.2 has nobody else left, as R1.3 takes the nearest enemy of both: R1.1 may pile on R1.2's after it."""
    places = [(10.0, 10.0), (12.0, 13.0), (14.0, 13.0)]
    state = battle(squad("R1", "marine", places), squad("B1", "ork", [(8.0, 10.0), (14.0, 15.0)]))
    targets = (("R1.1", "B1.1"), ("R1.2", "B1.1"), ("R1.3", "B1.2"))
    assert declaration_faults(state, Action(verb="charge", unit="R1", targets=targets)) == ()
