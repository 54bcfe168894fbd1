"""Where bases can come over ground that costs: the outline agrees with the exact question at random places."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
import shapely
from tactician.rules.core.clauses import Cite
from tactician.rules.core.going import Fee, Going, Region
from tactician.rules.core.terrain import Board, Feature
from tactician.rules.paths.arrival import arrivals, reachable_area
from tactician.rules.paths.paid_area import HALVINGS, STEP, Source, paid_area
from tactician.rules.paths.scene import Scene
from tactician.rules.paths.weighted import reachable

from tests.core.movement_boards import box

WALL = Feature(id="wall", outline=box(22, 18, 24, 19), blocks=True)
BOARD = Board(width=40, height=40, features=(WALL,))
GOING = Going(
    regions=(Region(name="marsh", outline=box(10, 22, 17, 27), rate=2.0),),
    fees=(Fee(name="ditch", outline=box(18, 23, 30, 24), inches=1.5),),
    halfway=Cite("HALF"),
)
SCENE = Scene(board=BOARD, radius=0.5, discs=((20.0, 16.0, 1.5),))
STARTS = ((18.0, 20.0), (21.0, 21.0))

NEAR = STEP / 2**HALVINGS + 0.02
"""Inches from the border within which an answer is left open."""


def test_the_outline_says_what_the_exact_question_says() -> None:
    sources = [Source(scene=SCENE, start=start) for start in STARTS]
    area = paid_area(sources, GOING, 6.0)
    rng, seen = Random(1), {True: 0, False: 0}
    while min(seen.values()) < 60:
        point = rng.uniform(10, 29), rng.uniform(12, 29)
        if area.boundary.distance(shapely.Point(point)) < NEAR:
            continue
        is_in = any(reachable(SCENE, GOING, start, point, 6.0) for start in STARTS)
        assert area.contains(shapely.Point(point)) == is_in, point
        seen[is_in] += 1


def test_ground_that_costs_nothing_has_the_exact_outline() -> None:
    far = Going(regions=(Region(name="marsh", outline=box(35, 35, 38, 38), rate=2.0),))
    area = paid_area([Source(scene=SCENE, start=STARTS[0])], far, 5.0)
    rings = [shapely.Polygon(ring) for ring in reachable_area(arrivals(SCENE, STARTS[0], 5.0))]
    whole = max(rings, key=lambda one: one.area)
    for ring in rings:
        whole = whole if ring.equals(whole) else whole.difference(ring)
    assert area.symmetric_difference(whole).area == pytest.approx(0.0, abs=1e-6)


def test_nobody_rests_inside_an_obstacle_and_a_barred_piece_is_not_entered() -> None:
    ditch = GOING.fees[0].outline
    area = paid_area([Source(scene=SCENE, start=start) for start in STARTS], GOING, 6.0)
    assert area.intersection(shapely.Polygon(ditch.points).buffer(0.49)).area < 1e-6
    assert area.intersects(shapely.box(19, 25, 24, 27)), "beyond the ditch"
    shut = replace(GOING, fees=(), barred=(("ditch", ditch),))
    walled = replace(SCENE, closed=(ditch,))
    area = paid_area([Source(scene=walled, start=start) for start in STARTS], shut, 6.0)
    assert not area.intersects(shapely.box(21, 24.6, 24, 27))


def test_without_anybody_there_is_nothing() -> None:
    assert paid_area([], GOING, 6.0).is_empty
