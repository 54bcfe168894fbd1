from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from tactician.agent.arena import Event, play_game
from tactician.agent.blunders import BLUNDERS, BlunderWatch, Tally
from tactician.agent.policies import Budget, Decision, Policy, policy
from tactician.agent.propose.candidates import candidates
from tactician.agent.value.terms import Weights, value
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.choice import Choice, Walk
from tactician.rules.core.legs import Pose
from tactician.rules.core.ruleset import Ruleset, Scenario, load_ruleset
from tactician.rules.core.state import State, Unit

from tests.agent.positions import NAMES, decisions, smallest

BUDGET = Budget(evaluations=4)


class FirstOf:
    """Orders the first verb of a list that is offered, else lets things be, else takes the first choice."""

    def __init__(self, *verbs: str) -> None:
        self.name = "first of"
        self.verbs = (*verbs, "pass")

    def decide(self, ruleset, state: State, budget, rng) -> Decision:  # type: ignore[no-untyped-def]
        choices = ruleset.choices(state)
        named = (choice for verb in self.verbs for choice in choices if choice.verb == verb)
        return Decision(action=next(named, choices[0]).canonical(state))


def watched(ruleset: Ruleset, red: Policy, blue: Policy, seed: int, every: int = 1) -> dict[tuple[str, str], Tally]:
    watch = BlunderWatch(ruleset, every=every)
    play_game(ruleset, smallest(ruleset), {"red": red, "blue": blue}, seed, budget=BUDGET, on_event=watch.see)
    return {(tally.side, tally.kind): tally for tally in watch.tallies()}


def seen(ruleset: Ruleset, state: State, action: Action) -> dict[str, int]:
    """What a watch finds in one decision."""
    watch = BlunderWatch(ruleset, every=1)
    after = ruleset.apply(state, action)
    watch.see(Event(ply=0, who=ruleset.to_move(state), before=state, what=action, after=after))
    return {tally.kind: tally.found for tally in watch.tallies()}


def shifted(unit: Unit, x: float, y: float) -> Unit:
    return unit.moved({m.id: Pose(m.pose.x + x, m.pose.y + y, m.pose.surface, m.pose.bearing) for m in unit.models})


# ---- idle units ------------------------------------------------------------------------------------------------------


def test_a_side_that_lets_everything_be_has_idle_units_and_one_that_acts_has_none() -> None:
    ruleset = load_ruleset("wh40k2e")
    found = watched(ruleset, FirstOf(), policy("straight-ahead"), 0)
    idle, busy = found["red", "idle unit"], found["blue", "idle unit"]
    assert idle.found == idle.occasions > 0
    assert busy.occasions > 0 == busy.found


# ---- ends of moves ---------------------------------------------------------------------------------------------------


def ends(ruleset: Ruleset, name: str) -> Iterator[tuple[State, Choice, list[Action]]]:
    for state in decisions(name, ruleset.info.sizes[0], 21, 60):
        for choice in ruleset.choices(state)[:6]:
            if isinstance(choice.domain, Walk) and choice.domain.kind.allowance > 1.0:
                yield state, choice, [a for a in candidates(ruleset, state, choice) if not ruleset.check(state, a)]


def valued(ruleset: Ruleset, state: State, action: Action) -> float:
    """The value with the unit at the ends of its ways and everybody else where he stands."""
    unit = state.unit(action.unit)
    poses = {}
    for name, path in action.paths:
        leg = path[-1]
        pose = unit.model(name).pose
        poses[name] = Pose(*leg.to, pose.surface, pose.bearing) if hasattr(leg, "to") else pose
    return value(ruleset, state.with_unit(unit.moved(poses)), unit.side, Weights())


@pytest.mark.parametrize("name", NAMES)
def test_the_best_end_of_a_move_is_not_dominated(name: str) -> None:
    ruleset = load_ruleset(name)
    looked_at = 0
    for number, (state, _, actions) in enumerate(ends(ruleset, name)):
        ranked = sorted(actions, key=lambda action: -valued(ruleset, state, action))
        if len(ranked) < 2 or number > 8:
            continue
        assert seen(ruleset, state, ranked[0])["destination dominated"] == 0
        looked_at += 1
    assert looked_at > 0


def test_ending_in_view_for_no_reason_is_needless_and_out_of_view_never_is() -> None:
    ruleset = load_ruleset("voidsiege")
    appraiser = appraiser_of(ruleset)
    found = watched(ruleset, policy("greedy"), policy("random"), 0)
    assert 0 < found["blue", "needless exposure"].found < found["blue", "needless exposure"].occasions
    hidden = 0
    for state, choice, actions in ends(ruleset, "voidsiege"):
        for action in actions[:2]:
            after = ruleset.apply(state, action)
            unit = after.unit(choice.unit)
            if not any(appraiser.view(after, foe, unit) > 0.0 for foe in after.against(unit.side)):
                hidden += 1
                assert seen(ruleset, state, action)["needless exposure"] == 0
    assert hidden > 0


def test_some_ends_are_looked_at_and_all_are_counted() -> None:
    ruleset = load_ruleset("voidsiege")
    every, some = (watched(ruleset, policy("random"), policy("random"), 3, n) for n in (1, 4))
    for key in (("red", "destination dominated"), ("blue", "needless exposure")):
        assert every[key].judged == every[key].occasions == some[key].occasions
        assert some[key].judged == -(-some[key].occasions // 4)
        assert every[key].found > 0  # who walks about at random ends at bad places


# ---- charges, readiness ----------------------------------------------------------------------------------------------


def charging(gap: float) -> tuple[Ruleset, State, Choice]:
    """A moment in which a unit may charge another at about this distance over open ground."""
    ruleset = load_ruleset("wh40k2e")
    state = ruleset.start(Scenario(size="duel", deployed=True, first="red"))
    while ruleset.to_move(state) == CHANCE:
        state = ruleset.resolve(state, ruleset.pending(state).support()[0][0])
    mine, foe = state.of("red")[0], state.of("blue")[0]
    for unit, y in ((mine, 10.0), (foe, 10.0 + gap)):
        first = unit.models[0].pose
        state = state.with_unit(shifted(unit, 20.0 - first.x, y - first.y))
    return ruleset, state, next(choice for choice in ruleset.choices(state) if choice.verb == "charge")


def test_a_charge_that_can_hardly_arrive_is_hopeless() -> None:
    found = []
    for gap in (4.0, 6.0, 14.0):
        ruleset, state, choice = charging(gap)
        found.append(seen(ruleset, state, choice.canonical(state))["hopeless charge"])
    assert (found[0], found[-1]) == (0, 1)
    assert all(a <= b for a, b in pairwise(found))


def test_readiness_is_thrown_away_on_a_bad_shot_and_not_on_a_good_one() -> None:
    ruleset = load_ruleset("wh40k2e")
    good, bad = (
        watched(ruleset, FirstOf("overwatch", "fire"), policy("straight-ahead"), seed)["red", "overwatch thrown away"]
        for seed in (0, 1)
    )
    assert good.occasions > 0 == good.found
    assert 0 < bad.found <= bad.occasions


# ---- all of it -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_looking_on_changes_nothing_and_finds_the_same_again(name: str) -> None:
    ruleset = load_ruleset(name)
    players = {"red": policy("random"), "blue": policy("straight-ahead")}
    plain = play_game(ruleset, smallest(ruleset), players, 5)
    watches = [BlunderWatch(ruleset, offset=1) for _ in range(2)]
    for watch in watches:
        assert play_game(ruleset, smallest(ruleset), players, 5, on_event=watch.see) == plain
    assert watches[0].tallies() == watches[1].tallies() != ()
    for tally in watches[0].tallies():
        assert 0 <= tally.found <= tally.judged <= tally.occasions
        assert tally.kind in BLUNDERS


def test_what_was_found_is_carried_over_to_all_occasions() -> None:
    assert Tally(side="red", kind="idle unit", occasions=12, judged=3, found=2).estimate == 8.0
    assert Tally(side="red", kind="idle unit", occasions=1, judged=0, found=0).estimate == 0.0
