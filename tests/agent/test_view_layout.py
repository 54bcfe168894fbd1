from __future__ import annotations

import pytest
from tactician.agent.view.layout import OPTIONS, PLACES, Layout, layout_of
from tactician.rules.core.ruleset import RulesetError, Scenario, load_ruleset

from tests.conformance.found import EVERY_SIZE


@pytest.fixture(scope="module", params=EVERY_SIZE, ids="-".join)
def layout(request: pytest.FixtureRequest) -> Layout:
    name, size = request.param
    return layout_of(load_ruleset(name), size)


def test_the_numbers_are_orders_enemies_places_and_options(layout: Layout) -> None:
    assert len(PLACES) == 73
    assert len(OPTIONS) == 12
    assert layout.size == layout.own * len(layout.verbs) + layout.foes + 73 + 12


def test_there_is_a_slot_for_every_unit_of_the_start_and_two_more(layout: Layout) -> None:
    ruleset = load_ruleset(layout.ruleset)
    units = ruleset.start(Scenario(size=layout.scale)).units
    assert layout.own == layout.foes == 2 + max(sum(unit.side == side for unit in units) for side in ("red", "blue"))


def test_every_number_has_a_name_of_its_own_that_leads_back_to_it(layout: Layout) -> None:
    names = [layout.name_of(index) for index in range(layout.size)]
    assert len(set(names)) == layout.size
    assert [layout.index_of(name) for name in names] == list(range(layout.size))


def test_a_number_is_built_from_what_it_names(layout: Layout) -> None:
    assert layout.name_of(layout.order(1, layout.verbs[-1])) == f"unit 2: {layout.verbs[-1]}"
    assert layout.name_of(layout.foe(2)) == "enemy 3"
    assert layout.name_of(layout.place(1)) == "place N 1/2"
    assert layout.name_of(layout.place(7)) == "place NNE 1"
    assert layout.name_of(layout.place(72)) == "place squeeze"
    assert layout.name_of(layout.option("pass")) == "pass"
    assert layout.cell_of(layout.place(8)) == "row 2, column 1"


def test_kinds_follow_each_other_without_a_gap(layout: Layout) -> None:
    kinds = [layout.kind_of(index) for index in range(layout.size)]
    assert list(dict.fromkeys(kinds)) == ["order", "enemy", "place", "option"]
    assert [kinds.count(kind) for kind in ("enemy", "place", "option")] == [layout.foes, 73, 12]


@pytest.mark.parametrize("index", [-1, 10_000])
def test_a_number_out_of_range_is_refused(layout: Layout, index: int) -> None:
    with pytest.raises(ValueError, match=f"{index} means nothing here"):
        layout.name_of(index)


def test_an_unknown_name_is_refused_with_the_nearest(layout: Layout) -> None:
    with pytest.raises(ValueError, match="did you mean 'place squeeze'"):
        layout.index_of("place squeze")
    with pytest.raises(ValueError, match="no straight place"):
        layout.cell_of(layout.place(70))


def test_an_unknown_size_is_refused() -> None:
    with pytest.raises(RulesetError, match="no size"):
        layout_of(load_ruleset("_template"), "siege")
