"""The catalogue: numbers as the sources have them, armies of equal worth, tables that favour nobody."""

from __future__ import annotations

from itertools import combinations
from math import inf

import pytest
from shapely.affinity import rotate
from shapely.geometry import Polygon as Patch
from shapely.geometry import box
from shapely.ops import unary_union
from tactician.rules.core.files import Faults
from tactician.rules.core.ruleset import RulesetError
from tactician.rules.core.terrain import Board, Feature
from tactician.rules.wh40k2e.catalogue import (
    SIZES,
    USUAL,
    armies,
    army,
    compose_units,
    gear_for,
    profiles,
    rating,
    table,
    tables,
    weapons,
)
from tactician.rules.wh40k2e.file_data import damage_of
from tactician.rules.wh40k2e.file_form import ArmsForm
from tactician.rules.wh40k2e.file_terrain import FeatureForm, OutlineForm, read_feature
from tactician.rules.wh40k2e.profiles import SPECIAL_RULES, Damage
from tactician.rules.wh40k2e.scope import refused_kind, refused_terrain, refused_verb, unknown_rule

EDGES = {"duel": (36.0, 36.0), "skirmish": (36.0, 36.0), "battle": (72.0, 48.0)}
DEPTHS = {"duel": 9.0, "skirmish": 9.0, "battle": 12.0}
UNITS = {"duel": (1, 1), "skirmish": (3, 3), "battle": (5, 6)}
LAYOUTS = [pytest.param(name, size, id=f"{name}-{size}") for name in tables() for size in SIZES]
MUSTERS = [pytest.param(name, size, id=f"{name}-{size}") for name in armies() for size in SIZES]


def patch(feature: Feature) -> Patch:
    return Patch(feature.outline.points)


def cost(name: str, size: str) -> float:
    """Points of an army: its models, and what they carry beyond the usual."""
    total = 0.0
    for unit in compose_units(name, "red", size):
        profile = profiles()[unit.profile]
        extra = [weapons()[one].points for _, arms in unit.gear for one in arms if one not in profile.weapons]
        total += unit.mustered * profile.cost + sum(extra)
    return total


def piece(kind: str, **fields: object) -> Feature:
    faults = Faults()
    form = FeatureForm(id="p", kind=kind, shape=OutlineForm(rect=(0, 0, 4, 4)), **fields)  # type: ignore[arg-type]
    found = read_feature(form, "here", faults)
    faults.check()
    assert found is not None
    return found


# ---- weapons and profiles --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "ranges", "hits", "strength", "damage", "save"),
    [
        ("boltgun", (12, 24), (1, 0), 4, "1", -1),
        ("laspistol", (8, 16), (2, -1), 3, "1", 0),
        ("heavy-bolter", (20, 40), (0, 0), 5, "D4", -2),
        ("lascannon", (20, 60), (0, 0), 9, "2D6", -6),
        ("krak-missile", (20, 72), (0, 0), 8, "D10", -6),
        ("multi-melta", (12, 24), (1, 0), 8, "2D12", -4),
        ("plasma-gun", (6, 24), (1, 0), 7, "1", -2),
        ("krak-grenade", (0, 0), (-1, -1), 6, "D6", -3),
        ("power-fist", (0, 0), (0, 0), 8, "1", -5),
    ],
)
def test_weapons_have_the_printed_numbers(
    name: str, ranges: tuple[int, int], hits: tuple[int, int], strength: int, damage: str, save: int
) -> None:
    weapon = weapons()[name]
    assert (weapon.short, weapon.long) == ranges
    assert (weapon.hit_short, weapon.hit_long) == hits
    assert (weapon.strength, str(weapon.damage), weapon.save) == (strength, damage, save)


def test_what_weapons_are() -> None:
    every = weapons().values()
    assert {one.id for one in every if one.is_heavy and not one.move_or_fire} == {"assault-cannon"}
    assert {one.id for one in every if one.move_or_fire} <= {one.id for one in every if one.is_heavy}
    assert {one.id for one in every if one.parries} == {"sword", "chainsword", "power-sword"}
    assert {one.id for one in every if one.is_bolt} == {"boltgun", "bolt-pistol", "storm-bolter"}
    assert {one.id for one in every if one.blast} == {"frag-missile", "multi-melta", "frag-grenade"}
    assert {one.id for one in every if one.is_template} == {"flamer"}
    assert all(one.shoots or one.is_close for one in every)


@pytest.mark.parametrize(
    ("name", "numbers", "leadership", "save"),
    [
        ("marine", (4, 4, 4, 4, 4, 1, 4, 1), 8, 3),
        ("terminator", (4, 5, 5, 4, 4, 1, 5, 1), 9, 3),
        ("guardsman", (4, 3, 3, 3, 3, 1, 3, 1), 7, 6),
        ("boy", (4, 3, 3, 3, 4, 1, 2, 1), 7, 6),
        ("gretchin", (4, 2, 3, 3, 3, 1, 2, 1), 5, 7),
        ("guardian", (5, 3, 3, 3, 3, 1, 4, 1), 8, 5),
        ("genestealer", (6, 7, 0, 6, 4, 1, 7, 4), 10, 5),
        ("termagant", (6, 4, 3, 3, 3, 1, 4, 1), 5, 7),
    ],
)
def test_profiles_have_the_printed_numbers(name: str, numbers: tuple[int, ...], leadership: int, save: int) -> None:
    one = profiles()[name]
    found = (one.move, one.ws, one.bs, one.strength, one.toughness, one.wounds, one.initiative, one.attacks)
    assert found == numbers
    assert (one.leadership, one.save) == (leadership, save)


def test_who_has_which_special_rule() -> None:
    having = {rule: {one.id for one in profiles().values() if one.has(rule)} for rule in SPECIAL_RULES}
    assert all(having.values())
    assert having["commander"] == {"captain", "lieutenant", "warboss", "seer", "broodlord"}
    assert {"genestealer"} < having["fear"] == having["immune"]
    assert having["terror"] == {"ravager"}
    assert having["frenzy"] == {"berserker"}
    assert having["hatred"] == {"veteran"}
    assert having["stupidity"] == {"termagant"}
    assert having["shaken"] == having["rapid_fire"] == {"marine", "terminator", "captain"}
    assert having["never_hides"] == {"terminator"}


def test_a_creature_is_large_and_a_terminator_saves_on_two_dice() -> None:
    assert [one.id for one in profiles().values() if one.kind == "creature"] == ["ravager"]
    assert profiles()["ravager"].stature == 3.0
    assert profiles()["terminator"].save_dice == 2
    assert profiles()["guardsman"].save_blast == 5


def test_everything_serves_somewhere() -> None:
    units = [unit for name in armies() for size in SIZES for unit in compose_units(name, "red", size)]
    assert {unit.profile for unit in units} == set(profiles())
    assert {one for unit in units for _, arms in unit.gear for one in arms} == set(weapons())


@pytest.mark.parametrize(
    ("text", "damage"),
    [
        ("1", Damage()),
        ("D4", Damage(dice=1, sides=4, add=0)),
        ("2d6", Damage(dice=2, sides=6, add=0)),
        ("D3+1", Damage(dice=1, sides=3, add=1)),
        ("0", Damage(add=0)),
        ("many", None),
        ("D0", None),
        ("-1", None),
        ("", None),
    ],
)
def test_damage_is_read_as_printed(text: str, damage: Damage | None) -> None:
    assert damage_of(text) == damage
    assert damage is None or damage_of(str(damage)) == damage


# ---- armies ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "size"), MUSTERS)
def test_armies_muster_units(name: str, size: str) -> None:
    units = compose_units(name, "blue", size)
    least, most = UNITS[size]
    assert least <= len(units) <= most
    assert [unit.id for unit in units] == [f"B{i}" for i in range(1, len(units) + 1)]
    assert len({unit.name for unit in units}) == len(units)
    for unit in units:
        assert (unit.side, unit.models, unit.radius) == ("blue", (), profiles()[unit.profile].radius)
        assert unit.mustered == unit.at_turn == len(unit.reserve) == len(set(unit.reserve))
        assert tuple(model for model, _ in unit.gear) == unit.reserve
        assert unit.reserve[0] == f"{unit.id}a"
        assert all(arms for _, arms in unit.gear)


def test_armies_cost_what_their_files_say() -> None:
    assert {name: tuple(cost(name, size) for size in SIZES) for name in armies()} == {
        "eldar": (147, 396, 787),
        "guard": (140, 394, 783),
        "marines": (137, 398, 809),
        "orks": (148, 395, 789),
        "tyranids": (140, 403, 804),
    }


@pytest.mark.parametrize("size", SIZES)
def test_armies_of_a_size_cost_about_the_same(size: str) -> None:
    totals = [cost(name, size) for name in armies()]
    assert max(totals) <= 1.1 * min(totals)


@pytest.mark.parametrize("name", armies())
def test_every_army_has_one_commander(name: str) -> None:
    for size in ("skirmish", "battle"):
        leaders = [unit for unit in compose_units(name, "red", size) if profiles()[unit.profile].has("commander")]
        assert [unit.mustered for unit in leaders] == [1]
        assert profiles()[leaders[0].profile].kind == "character"


def test_strategy_ratings() -> None:
    assert {name: rating(name) for name in armies()} == {
        "eldar": 4,
        "guard": 2,
        "marines": 5,
        "orks": 3,
        "tyranids": 1,
    }
    assert set(USUAL) <= set(armies())


def test_the_first_models_carry_what_the_rows_say() -> None:
    rows = (ArmsForm(weapons=("sword",)), ArmsForm(weapons=("flamer",), count=2))
    assert gear_for(("a", "b", "c", "d"), rows, ("lasgun",)) == (
        ("a", ("sword",)),
        ("b", ("flamer",)),
        ("c", ("flamer",)),
        ("d", ("lasgun",)),
    )
    squad = compose_units("marines", "red", "skirmish")[1]
    assert squad.weapons_of("R2a") == ("bolt-pistol", "chainsword", "frag-grenade")
    assert squad.weapons_of("R2b") == ("krak-missile", "frag-missile", "bolt-pistol")
    assert squad.weapons_of("R2e") == profiles()["marine"].weapons


def test_unknown_names_are_refused_with_a_hint() -> None:
    with pytest.raises(RulesetError, match="there is no army 'marine'; did you mean 'marines'"):
        army("marine")
    with pytest.raises(RulesetError, match="there is no table 'farmlend'; did you mean 'farmland'"):
        table("farmlend", "duel")
    with pytest.raises(RulesetError, match="there is no size 'huge'"):
        table("farmland", "huge")
    with pytest.raises(RulesetError, match="there is no size 'huge'"):
        army("orks").units_for("huge")
    with pytest.raises(RulesetError, match="there is no side 'green'"):
        compose_units("orks", "green", "duel")


# ---- tables ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "size"), LAYOUTS)
def test_tables_have_terrain_of_several_sorts_and_room_to_deploy(name: str, size: str) -> None:
    board = table(name, size)
    assert (board.width, board.height) == EDGES[size]
    assert len({one.id for one in board.features}) == len(board.features) >= 8
    assert len({one.kind for one in board.features}) >= 4
    deep, aside = DEPTHS[size], min(12.0, board.width / 6)
    zones = unary_union([box(aside, y, board.width - aside, y + deep) for y in (0.0, board.height - deep)])
    taken = unary_union([patch(one) for one in board.features])
    assert taken.intersection(zones).area <= 0.2 * zones.area
    assert all(box(*board.box).contains(patch(one)) for one in board.features)


@pytest.mark.parametrize(("name", "size"), LAYOUTS)
def test_no_side_is_favoured(name: str, size: str) -> None:
    """Every piece has a twin with the same meaning after a half turn, or is its own."""
    board = table(name, size)
    middle = (board.width / 2, board.height / 2)
    for one in board.features:
        turned = rotate(patch(one), 180, origin=middle)
        twins = [other for other in board.features if turned.symmetric_difference(patch(other)).area < 1e-9]
        assert len(twins) == 1, one.id
        assert meaning(twins[0]) == meaning(one)


def meaning(one: Feature) -> tuple[object, ...]:
    return one.kind, one.blocks, one.top, one.traits, one.screens, one.veil


@pytest.mark.parametrize(("name", "size"), LAYOUTS)
def test_pieces_overlap_only_where_walls_stand_in_ruins(name: str, size: str) -> None:
    for one, other in combinations(table(name, size).features, 2):
        shared = patch(one).intersection(patch(other)).area
        assert shared < 1e-9 or {one.kind, other.kind} == {"ruin", "ruined wall"}, f"{one.id} lies on {other.id}"


def test_the_tables_show_every_kind_of_terrain() -> None:
    def kinds(name: str) -> set[str]:
        return {one.kind for size in SIZES for one in table(name, size).features}

    assert {"wood", "wall", "gate", "hedge"} <= kinds("farmland")
    assert {"hill", "ruin"} <= kinds("highland")
    assert {"marsh", "swamp", "rock", "ditch"} <= kinds("marshland")
    assert table("farmland", "duel") is table("farmland", "duel")


# ---- what pieces are -------------------------------------------------------------------------------------------------


def test_kinds_stand_for_natural_defaults() -> None:
    wood, wall, hedge, hill = piece("wood"), piece("wall"), piece("hedge"), piece("hill")
    assert (wood.trait("cover"), wood.trait("conceals"), wood.veil, wood.screens) == ("soft", True, 2.0, False)
    assert (wall.top, wall.trait("obstacle"), wall.trait("cover"), wall.screens) == (1.5, True, "hard", True)
    assert (hedge.top, hedge.trait("obstacle"), hedge.trait("cover"), hedge.screens) == (1.0, True, "soft", False)
    assert (hill.top, hill.trait("rise"), hill.trait("hill"), hill.screens) == (2.0, 2.0, True, True)
    assert piece("ruin").traits == (("conceals", True), ("cover", "hard"))
    assert piece("marsh").traits == (("rate", 2.0),)
    assert piece("swamp").traits == (("rate", 4.0),)
    assert piece("ditch").traits == (("ditch", 1.5),)
    rock = piece("rock")
    assert (rock.blocks, rock.trait("cover"), rock.trait("conceals"), rock.top) == (True, "hard", True, inf)
    assert piece("pond").traits == ()


def test_an_open_gate_hides_nobody_and_a_shut_one_is_a_wall() -> None:
    opened, shut = piece("gate"), piece("gate", gate="shut")
    assert (opened.trait("gate"), opened.trait("cover"), opened.screens) == ("open", None, False)
    assert (shut.trait("gate"), shut.trait("cover"), shut.screens, shut.trait("obstacle")) == (
        "shut",
        "hard",
        True,
        True,
    )


def test_every_meaning_can_be_overruled() -> None:
    wall = piece("wall", height=3.0, cover="soft", screens=False, conceals=False)
    assert (wall.top, wall.screens, wall.traits) == (3.0, False, (("cover", "soft"), ("obstacle", True)))
    assert not piece("wall", height=1.2).screens
    assert piece("hill", height=4.0, rise=1.0).trait("rise") == 1.0
    assert piece("wood", veil="none", cover="none", conceals=False, wood=False).traits == ()
    assert piece("ruin", agreed=2.0).trait("agreed") == 2.0
    assert piece("rock", impassable=False).blocks is False
    assert piece("marsh", rate=1).traits == ()


def test_a_wall_can_be_a_line() -> None:
    faults = Faults()
    thick = read_feature(FeatureForm(id="w", shape=OutlineForm(line=(2, 2, 6, 2), thickness=0.5)), "", faults)
    thin = read_feature(FeatureForm(id="t", shape=OutlineForm(line=(0, 0, 3, 4))), "", faults)
    assert not faults
    assert thick is not None
    assert thin is not None
    assert thick.outline.box == (2, 1.75, 6, 2.25)
    assert 0 < abs(thin.outline.area) == pytest.approx(5 * 2.0**-16)
    assert isinstance(Board(width=10, height=10, features=(thick, thin)), Board)


# ---- what is not there -----------------------------------------------------------------------------------------------


def test_what_is_planned_or_out_of_scope_is_refused_by_its_clause() -> None:
    assert [one.clause for one in refused_verb("drive", "R1")] == ["2E-VE-01"]
    assert [one.clause for one in refused_verb("cast", "R1")] == ["2E-XX-01"]
    assert refused_verb("move", "R1") == ()
    assert unknown_rule("Infiltrate").endswith("infiltration is out of scope [2E-XX-02]")
    assert unknown_rule("frenzied") == "there is no special rule 'frenzied'; did you mean 'frenzy'?"
    assert refused_kind("infantry") == ""
    assert refused_kind("Walker").endswith("[2E-VE-01]")
    assert refused_kind("infantri") == "there is no kind of profile 'infantri'; did you mean 'infantry'?"
    clauses = [refused_terrain(kind).rpartition(" ")[2] for kind in ("wadi", "Dunes", "oasis")]
    assert clauses == ["[2E-AR-06]", "[2E-AR-16]", "[2E-AR-11]"]
    assert refused_terrain("wood") == ""
