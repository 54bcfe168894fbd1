from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from math import log10
from pathlib import Path

import pytest
from tactician.agent.ladder import Pair, Settings, fixtures, play_pair, played, usual_settings
from tactician.agent.ladder_files import Ladder, Made, code_digest, merged, read_ladder, resumed, to_text, write_ladder
from tactician.agent.policies import Decision, base
from tactician.agent.standings import Encounter, encounters, ratings, standings
from tactician.rules.core.action import Action
from tactician.rules.core.files import BadInput
from tactician.rules.core.ruleset import load_ruleset
from tactician.rules.core.state import State

POLICIES = ("greedy", "random", "straight-ahead")
MADE = Made(product="0", code="abc", commit="none", machine="this one")


def settings(name: str = "_template", games: int = 4, policies: tuple[str, ...] = POLICIES) -> Settings:
    return usual_settings(load_ruleset(name), policies, games=games, seed=7, evaluations=3)


@pytest.fixture(scope="module")
def whole() -> Ladder:
    """A small ladder, played in this process in one go."""
    planned = settings()
    return Ladder(settings=planned, made=MADE).having(played(planned, fixtures(planned)))


# ---- what is played --------------------------------------------------------------------------------------------------


def test_every_two_policies_meet_on_the_same_seeds() -> None:
    planned = settings("voidsiege", games=5)
    rows = fixtures(planned)
    assert [one.number for one in rows] == list(range(9))
    met = {(one.first, one.second): [] for one in rows}
    for one in rows:
        met[one.first, one.second].append((one.seed, one.scenario))
    assert list(met) == [("greedy", "random"), ("greedy", "straight-ahead"), ("random", "straight-ahead")]
    first, *others = met.values()
    assert [seed for seed, _ in first] == [7, 8, 9]
    assert all(other == first for other in others)
    assert len({scenario.mission for _, scenario in first}) == 3


def test_shards_share_out_the_pairs_and_more_games_only_add_some() -> None:
    planned = settings(games=7)
    parts = [fixtures(planned, (part, 3)) for part in (1, 2, 3)]
    assert sorted(one.number for part in parts for one in part) == [one.number for one in fixtures(planned)]
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    assert fixtures(replace(planned, games=5)) == fixtures(planned)[:9]


def test_a_pair_swaps_sides_and_counts_decisions() -> None:
    planned = settings()
    pair = play_pair(planned, fixtures(planned)[0])
    there, back = pair.games
    assert pair.scores == ((there.returns[0] + 1) / 2, (back.returns[1] + 1) / 2)
    assert pair.plays_of("greedy") == (there.plays[0], back.plays[1])
    assert pair.plays_of("random") == (there.plays[1], back.plays[0])
    assert pair.plays_of("nobody") == ()
    for game in pair.games:
        assert 0 < sum(play.decisions for play in game.plays) <= game.plies
        assert all(0.0 < play.longest <= play.seconds for play in game.plays)
        assert game.fault == ""


def test_results_do_not_depend_on_jobs(whole: Ladder) -> None:
    pairs = played(whole.settings, fixtures(whole.settings), jobs=2)
    assert whole.pairs == Ladder(settings=whole.settings, made=MADE).having(pairs).pairs


def test_results_do_not_depend_on_shards_in_a_real_game() -> None:
    planned = settings("voidsiege", games=2, policies=("random", "straight-ahead"))
    at_once = Ladder(settings=planned, made=MADE).having(played(planned, fixtures(planned)))
    parts = {
        str(part): Ladder(settings=planned, made=MADE).having(played(planned, fixtures(planned, (part, 2))))
        for part in (1, 2)
    }
    assert merged(parts).pairs == at_once.pairs != ()


class Cheat:
    """Orders what nobody may."""

    name = "cheat"

    def decide(self, ruleset, state: State, budget, rng) -> Decision:  # type: ignore[no-untyped-def]
        return Decision(action=Action(verb="win"))


def test_an_illegal_order_loses_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "_REGISTERED", {**base._REGISTERED, "cheat": Cheat})
    planned = settings(games=2, policies=("cheat", "random"))
    (pair,) = played(planned, fixtures(planned))
    assert pair.scores == (0.0, 0.0)
    assert all(game.fault.startswith("cheat ordered win: ") for game in pair.games)
    assert [one.faults for one in standings(planned.policies, (pair,))] == [2, 2]


# ---- standings -------------------------------------------------------------------------------------------------------


def met(first: str, second: str, won: int, lost: int, drawn: int = 0) -> Encounter:
    return Encounter(first=first, second=second, won=won, drawn=drawn, lost=lost, pairs=(won + lost + drawn) // 2)


def test_two_ratings_differ_by_the_odds_of_their_games() -> None:
    found = ratings(("random", "better"), [met("better", "random", 749, 249, 2)])
    assert found["random"] == 0.0
    assert found["better"] == pytest.approx(400 * log10(750.5 / 250.5), abs=0.01)


def test_ratings_make_what_happened_the_likeliest() -> None:
    """At the maximum of the likelihood everybody scores what the ratings expect, and the anchor is at 0."""
    rows = [met("a", "b", 12, 5, 3), met("a", "c", 18, 2), met("b", "c", 9, 9, 2)]
    found = ratings(("a", "b", "c"), rows)
    assert found["a"] == 0.0

    def expected(one: str, other: str) -> float:
        return 1 / (1 + 10 ** ((found[other] - found[one]) / 400))

    scores = {"a": 12 + 1.5 + 18 + 1, "b": 5 + 1.5 + 9 + 1 + 1, "c": 2 + 9 + 1 + 1}
    games = {("a", "b"): 21, ("a", "c"): 21, ("b", "c"): 21}
    for name, score in scores.items():
        total = sum(n * expected(name, x if y == name else y) for (x, y), n in games.items() if name in (x, y))
        assert total == pytest.approx(score, abs=1e-5)


def test_who_always_wins_has_a_rating_all_the_same() -> None:
    found = ratings(("random", "champion", "idler"), [met("random", "champion", 0, 20)])
    assert 300 < found["champion"] < 1000
    assert found["random"] < found["idler"] < found["champion"]


def test_standings_add_up(whole: Ladder) -> None:
    policies = whole.settings.policies
    rows, encountered = standings(policies, whole.pairs), encounters(policies, whole.pairs)
    assert [one.games for one in encountered] == [4, 4, 4]
    assert sorted(one.policy for one in rows) == sorted(policies)
    assert sum(one.all.won for one in rows) == sum(one.all.lost for one in rows)
    assert [one.elo for one in rows] == sorted((one.elo for one in rows), reverse=True)
    for one in rows:
        low, high = one.all.interval
        assert low <= one.all.score <= high
        assert one.decisions == sum(play.decisions for pair in whole.pairs for play in pair.plays_of(one.policy))
        assert 0.0 < one.seconds <= one.longest
        assert all(amount >= 0.0 for _, amount in one.blunders)


# ---- files -----------------------------------------------------------------------------------------------------------


def test_a_ladder_comes_back_from_its_file(whole: Ladder, tmp_path: Path) -> None:
    place = tmp_path / "ladder.json"
    write_ladder(place, whole)
    assert read_ladder(str(place)) == whole
    data = json.loads(place.read_text())
    assert [row["policy"] for row in data["standings"]] == [
        one.policy for one in standings(whole.settings.policies, whole.pairs)
    ]
    empty = replace(whole, pairs=())
    write_ladder(place, empty)
    assert read_ladder(str(place)) == empty


def parts(whole: Ladder) -> tuple[Ladder, Ladder]:
    return replace(whole, pairs=whole.pairs[::2]), replace(whole, pairs=whole.pairs[1::2])


def test_parts_are_joined_in_any_order(whole: Ladder) -> None:
    one, other = parts(whole)
    assert merged({"a": one, "b": other}) == merged({"b": other, "a": one, "c": whole}) == whole
    assert to_text(merged({"a": one, "b": other})) == to_text(whole)


def strangers(whole: Ladder) -> Iterator[tuple[Ladder, str]]:
    yield replace(whole, settings=replace(whole.settings, seed=8)), "settings.seed is 8, not 7 as in a.json"
    yield replace(whole, settings=replace(whole.settings, version="0")), "settings.version is 0, not 1"
    yield replace(whole, settings=replace(whole.settings, policies=("greedy", "random"))), "policies is greedy,random"
    yield replace(whole, made=replace(MADE, code="xyz", commit="one")), r"made.code is xyz \(commit one\), not abc"
    yield replace(whole, made=replace(MADE, product="2")), "made.product is 2, not 0"


def test_what_does_not_belong_together_is_not_joined(whole: Ladder) -> None:
    for other, message in strangers(whole):
        with pytest.raises(BadInput, match=message) as told:
            merged({"a.json": whole, "b.json": other})
        assert len(told.value.faults) == 1
        assert str(told.value).startswith("b.json: ")
    first, *rest = whole.pairs
    game = replace(first.games[0], plies=first.games[0].plies + 1)
    other = replace(whole, pairs=(Pair(fixture=first.fixture, games=(game, first.games[1])), *rest))
    with pytest.raises(BadInput, match="pair 0 came out otherwise"):
        merged({"a.json": whole, "b.json": other})


def test_a_ladder_goes_on_with_more_games_and_not_with_fewer(whole: Ladder) -> None:
    more = replace(whole, settings=replace(whole.settings, games=10), pairs=())
    assert resumed("a.json", whole, more) == replace(whole, settings=more.settings)
    fewer = replace(whole, settings=replace(whole.settings, games=2), pairs=())
    with pytest.raises(BadInput, match=r"settings\.games is 4, not 2 as in what is asked for"):
        resumed("a.json", whole, fewer)


def test_the_digest_is_of_what_is_played() -> None:
    assert code_digest("_template") == code_digest("_template") != code_digest("voidsiege")


@pytest.mark.parametrize(
    "change",
    [
        {"settings": {}},
        {"settings": None},
        {"made": {"product": 3}},
        {"pairs": [{"number": 99}]},
        {"pairs": {"number": 1}},
        {"pairs": [[]]},
    ],
)
def test_what_is_no_ladder_is_refused(whole: Ladder, tmp_path: Path, change: dict[str, object]) -> None:
    place = tmp_path / "a.json"
    place.write_text(json.dumps({**json.loads(to_text(whole)), **change}))
    with pytest.raises(BadInput, match="is no result of a ladder"):
        read_ladder(str(place))
