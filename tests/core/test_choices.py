"""Domains of answers: what is canonical, sampled or shortened belongs to them, and what does not is explained."""

from __future__ import annotations

import pickle
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from tactician.rules.core.action import Action, Mark, pairs
from tactician.rules.core.choice import Assign, Choice, Declare, Domain, Nothing, OneOf, Put, Subset, Walk, Window
from tactician.rules.core.clauses import MALFORMED, Cite, Violation
from tactician.rules.core.legs import Climb, Pose
from tactician.rules.core.measure import TOL
from tactician.rules.core.movement import Coherency
from tactician.rules.core.placement import PlaceRule
from tactician.rules.core.state import State

from tests.core.movement_boards import codes, in_step, straight, table_with

ROW = {name: Pose(10 + 2 * i, 10) for i, name in enumerate("abcd")}
STATE = table_with({"A": ("red", ROW), "R": ("red", {}), "E": ("blue", {"e": Pose(20, 20)})})
KIND = in_step(6)
RULE = PlaceRule(end_place=Cite("PLACE"), zone=(0, 40, 48, 48), zone_cite=Cite("ZONE"), coherency=2.0)
LINKS = Coherency(limit=2.0, cite=Cite("LINK"))


def enemies_only(state: State, action: Action) -> tuple[Violation, ...]:
    """Models aim at the enemy."""
    return tuple(Violation(clause="AIM", subject=model) for model, target in action.targets if target != "E")


DOMAINS: dict[str, Domain] = {
    "assign": Assign(("a", "b", "c"), (pairs(a="E", b="E"), pairs(c="E")), enemies_only),
    "nothing": Nothing(),
    "one of": OneOf((pairs(shoot="E"), pairs(charge="E", shoot="E"), ())),
    "declare": Declare((pairs(shoot="E"), ()), (KIND, None)),
    "subset": Subset(ids=("a", "b", "c", "d"), least=1, most=3, usual=("d",)),
    "linked subset": Subset(ids=("a", "b", "c", "d"), least=1, most=3, usual=("d",), links=LINKS),
    "walk": Walk(KIND, KIND),
    "walk in turn": Walk(replace(KIND, motion="sequence"), replace(KIND, motion="sequence")),
    "unshortened walk": Walk(KIND, None),
    "walk of some": Walk(KIND, KIND, ("a", "d"), Cite("STAY")),
    "put": Put(("r", "s"), RULE),
    "window": Window((("a", 1.0, 2.0), ("b", 0.0, 0.5), ("a", 4.0, 4.0))),
}


def choice(name: str) -> Choice:
    return Choice("do", "R" if name == "put" else "A", DOMAINS[name])


def texts(name: str, state: State = STATE, **order: Any) -> list[str]:
    one = choice(name)
    found = one.explain(state, replace(one.bare(), **order))
    return [fault.text if fault.clause == MALFORMED else fault.clause for fault in found]


@pytest.mark.parametrize("name", DOMAINS)
def test_canonical_and_sampled_answers_belong_to_the_domain(name: str) -> None:
    one, rng = choice(name), Random(name)
    assert one.explain(STATE, one.canonical(STATE)) == ()
    assert one.canonical(STATE) == one.canonical(STATE)
    for _ in range(30):
        answer = one.sample(STATE, rng.random)
        assert one.explain(STATE, answer) == ()
        assert (answer.verb, answer.unit) == ("do", one.unit)
        assert one.clip(STATE, answer) == answer


@pytest.mark.parametrize("name", DOMAINS)
def test_the_same_draws_give_the_same_samples(name: str) -> None:
    one = choice(name)
    first, second = Random(7), Random(7)
    for _ in range(5):
        assert one.sample(STATE, first.random) == one.sample(STATE, second.random)


@pytest.mark.parametrize("name", DOMAINS)
def test_any_answer_at_all_is_shortened_to_one_that_belongs(name: str) -> None:
    one = choice(name)
    nan = float("nan")
    wild = (
        replace(one.bare(), places=(("r", Pose(nan, 20)), ("s", Pose(24, nan)))),
        replace(one.bare(), targets=pairs(eat="E"), places=(("r", Pose(24, 44)), ("s", Pose(24, 44)))),
        replace(one.bare(), targets=pairs(eat="E"), models=("z",), mark=Mark(model="z", inches=9.0)),
        replace(one.bare(), paths=(("a", straight((30, 10))), ("b", straight((12, 16))))),
        replace(one.bare(), paths=(("z", straight((30, 10))),), order=("z",)),
        replace(one.bare(), paths=(("a", (Climb("attic"),)),)),
        replace(one.bare(), places=(("r", Pose(24, 20)), ("s", Pose(24, 20)))),
        replace(one.bare(), targets=pairs(shoot="E"), paths=(("a", straight((13, 14))),)),
    )
    for answer in wild:
        assert one.explain(STATE, one.clip(STATE, answer)) == (), answer


@pytest.mark.parametrize("name", DOMAINS)
def test_what_a_domain_does_not_use_may_not_be_said(name: str) -> None:
    used = {
        "nothing": (),
        "one of": ("targets",),
        "declare": ("targets", "paths", "order"),
        "assign": ("targets",),
        "subset": ("models",),
        "linked subset": ("models",),
        "walk": ("order", "paths"),
        "walk in turn": ("order", "paths"),
        "unshortened walk": ("order", "paths"),
        "walk of some": ("order", "paths"),
        "put": ("places",),
        "window": ("mark",),
    }[name]
    extras = {"models": ("a",), "places": (("a", Pose(1, 1)),), "mark": Mark(model="a", inches=1.5)}
    canonical = choice(name).canonical(STATE)
    for field, value in extras.items():
        if field not in used:
            found = choice(name).explain(STATE, replace(canonical, **{field: value}))
            assert [fault.text for fault in found] == [f"do takes no {field} here"]


# ---- each domain -----------------------------------------------------------------------------------------------------


def test_targets_outside_the_list_are_told_the_list() -> None:
    assert texts("one of", targets=pairs(shoot="B")) == [
        "do shoot B: expected one of shoot E; charge E, shoot E; no target"
    ]
    assert texts("one of") == []


def test_a_way_may_go_with_a_declaration_only_where_something_moves() -> None:
    way = (("a", straight((10, 12))),)
    assert texts("declare", targets=pairs(shoot="E"), paths=way) == []
    assert texts("declare", paths=way) == ["do takes no paths here"]
    far = (("a", straight((10, 30))),)
    assert texts("declare", targets=pairs(shoot="E"), paths=far) == ["FAR", "LINK"]
    assert texts("declare", targets=pairs(shoot="B"), paths=far)[0].startswith("do shoot B")


def test_an_assignment_gives_known_models_one_target_each_and_is_judged_by_the_rules() -> None:
    assert texts("assign", targets=pairs(b="E")) == []
    assert texts("assign", targets=pairs(a="A", b="E", c="B")) == ["AIM", "AIM"]
    assert texts("assign") == ["no target named, expected at least one model with a target"]
    assert texts("assign", targets=pairs(d="A")) == ["'d' is not one of a, b, c"]
    assert texts("assign", targets=(("a", "E"), ("a", "A"))) == ["a model is named twice"]


def test_an_assignment_that_the_rules_refuse_becomes_the_usual_one() -> None:
    one = choice("assign")
    assert one.canonical(STATE).targets == pairs(a="E", b="E")
    assert one.clip(STATE, replace(one.bare(), targets=pairs(a="A"))) == one.canonical(STATE)
    kept = replace(one.bare(), targets=pairs(a="E", c="E"))
    assert one.clip(STATE, kept) == kept
    assert pickle.loads(pickle.dumps(one)) == one


def test_a_subset_names_known_models_once_and_as_many_as_asked() -> None:
    assert texts("subset", models=("b", "a")) == []
    assert texts("subset", models=()) == ["0 models named, expected 1 to 3"]
    assert texts("subset", models=("a", "b", "c", "d")) == ["4 models named, expected 1 to 3"]
    assert texts("subset", models=("a", "a")) == ["a model is named twice"]
    assert texts("subset", models=("z",)) == ["'z' is not one of a, b, c, d"]


def test_both_parts_of_a_linked_subset_hold_together() -> None:
    assert texts("linked subset", models=("a", "b")) == []
    assert texts("linked subset", models=("b",)) == ["LINK"]
    assert texts("linked subset", models=("a", "d")) == ["LINK"]
    found = choice("linked subset").explain(STATE, Action(verb="do", unit="A", models=("a", "c")))
    assert [fault.text for fault in found] == [
        "both parts in coherency: a, c would not be",
        "both parts in coherency: b, d would not be",
    ]


def test_a_walk_is_explained_by_form_first_and_then_by_rules() -> None:
    assert texts("walk", paths=(("z", ()),)) == ["'z' is no model of A on the table; known: a, b, c, d"]
    assert texts("walk", paths=(("d", straight((25, 10))),)) == ["FAR", "LINK"]
    verdict = Walk(KIND, KIND).verdict(STATE, Action(verb="do", unit="A", paths=(("d", straight((17, 10))),)))
    assert (verdict.farthest, codes(verdict.violations)) == (1.0, [])


def test_a_walk_is_shortened_by_its_own_move_type_by_another_or_not_at_all() -> None:
    asked = Action(verb="do", unit="A", paths=(("d", straight((22, 10))),))
    own = choice("walk").clip(STATE, asked)
    assert own.paths == (("d", straight(pytest.approx((17, 10), abs=1e-3))),)
    assert choice("unshortened walk").clip(STATE, asked) == Action(verb="do", unit="A")
    short = Choice("do", "A", Walk(KIND, in_step(0.5))).clip(STATE, asked)
    assert short.paths == (("d", straight(pytest.approx((16.5, 10), abs=1e-3))),)


def test_who_may_not_walk_is_named_and_left_where_he_is() -> None:
    paths = (("b", straight((13.5, 11))), ("d", straight((17, 10))))
    assert texts("walk of some", paths=paths)[0] == "STAY"
    assert texts("walk of some", paths=paths[1:]) == []
    kept = choice("walk of some").clip(STATE, Action(verb="do", unit="A", paths=paths))
    assert kept.paths == paths[1:]
    for draw in (0.1, 0.4, 0.8):
        sampled = choice("walk of some").sample(STATE, iter((draw, 0.3)).__next__)
        assert {name for name, _ in sampled.paths} <= {"a", "d"}


def test_who_may_not_stay_is_named_and_walks_as_usual() -> None:
    """A violation whose subject is a model holds while that model stays; one of the unit while everybody does."""
    usual = (("a", straight((10, 10.5))), ("d", straight((17, 10))))
    bound = Walk(KIND, KIND, staying=(Violation(clause="OUT", subject="d"),), usual=usual)
    one = Choice("do", "A", bound)
    assert one.canonical(STATE).paths == usual
    assert [fault.clause for fault in one.explain(STATE, one.bare())] == ["OUT"]
    only_a, still = replace(one.bare(), paths=usual[:1]), replace(one.bare(), paths=(("d", ()),))
    assert [fault.clause for fault in one.explain(STATE, only_a)] == ["OUT"]
    assert [fault.clause for fault in one.explain(STATE, still)] == ["OUT"]
    assert one.explain(STATE, replace(one.bare(), paths=usual[1:])) == ()
    assert one.clip(STATE, only_a) == one.clip(STATE, one.bare()) == one.canonical(STATE)
    whole = Choice("do", "A", replace(bound, staying=(Violation(clause="OUT", subject="A"),)))
    assert [fault.clause for fault in whole.explain(STATE, whole.bare())] == ["OUT"]
    assert whole.explain(STATE, only_a) == ()


def test_the_usual_ways_have_an_order_where_models_walk_in_turn() -> None:
    usual = (("d", straight((17, 10))), ("a", straight((10, 10.5))))
    turn = replace(KIND, motion="sequence")
    assert Choice("do", "A", Walk(turn, turn, usual=usual)).canonical(STATE).order == ("d", "a")
    assert Choice("do", "A", Walk(KIND, KIND, usual=usual)).canonical(STATE).order == ()


def test_how_far_a_walk_leads_is_what_is_left_of_the_allowance() -> None:
    spent = replace(KIND, spent=(("a", 1.0), ("d", 2.0)))
    one = Walk(spent, spent, ("a", "d"), Cite("STAY"))
    assert one.farthest(STATE, Choice("do", "A", one)) == KIND.allowance - 1.0
    assert Walk(spent, spent).farthest(STATE, choice("walk")) == KIND.allowance


def test_models_that_do_not_get_to_move_leave_the_order() -> None:
    asked = Action(verb="do", unit="A", order=("a", "d"), paths=(("a", straight((12, 10))), ("d", straight((17, 10)))))
    kept = choice("walk in turn").clip(STATE, asked)
    assert kept.order == tuple(name for name, _ in kept.paths)
    assert choice("walk in turn").explain(STATE, kept) == ()


def test_places_are_put_right_near_where_they_were_asked_for() -> None:
    asked = Action(verb="do", unit="R", places=(("r", Pose(20, 39)), ("s", Pose(21, 39))))
    put = choice("put").clip(STATE, asked)
    assert choice("put").explain(STATE, put) == ()
    assert all(abs(pose.x - 20.5) < 3 and pose.y < 43 for _, pose in put.places)


def test_a_point_on_a_way_lies_in_a_window() -> None:
    assert texts("window", mark=Mark(model="a", inches=2.0 + TOL / 2)) == []
    assert texts("window", mark=Mark(model="a", inches=4.0)) == []
    assert texts("window", mark=Mark(model="b", inches=0.6)) == [
        "b at 0.60 lies in no window (a 1.00-2.00; b 0.00-0.50; a 4.00-4.00)"
    ]
    assert texts("window") == ["say at which inch of whose way"]
    assert choice("window").canonical(STATE).mark == Mark(model="a", inches=1.5)


def test_a_domain_is_worked_out_when_it_is_first_looked_at() -> None:
    asked = []

    def work() -> Nothing:
        asked.append(1)
        return Nothing()

    choice = Choice("pass", "", work)
    assert not asked
    assert hash(choice) == hash(Choice("pass", "", Nothing()))
    assert not asked
    assert choice.domain == Nothing()
    assert choice == Choice("pass", "", Nothing())
    assert len(asked) == 1
    assert pickle.loads(pickle.dumps(choice)) == choice
