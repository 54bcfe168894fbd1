"""Arcs as chains of straight legs: outside their circles, and clear of everything else."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random

import pytest
from tactician.rules.core.arcs import LEFT, RIGHT
from tactician.rules.core.legs import Bend, Climb, Leg, Pose, Straight, cost, walk
from tactician.rules.core.shapes import point_segment_distance
from tactician.rules.paths.polylines import polyline
from tactician.rules.paths.scene import Scene
from tactician.rules.paths.search import shortest

from tests.paths.tables import RATES, free_place, random_board, rectangle, refused, table, wall


@pytest.mark.parametrize("turn", [LEFT, RIGHT])
@pytest.mark.parametrize("degrees", [0.5, 9, 10, 37, 180, 300])
def test_chain_keeps_outside_the_circle(turn: str, degrees: float) -> None:
    angle = math.radians(degrees) * (1 if turn == LEFT else -1)
    start, end = (7.0, 5.0), (5 + 2 * math.cos(angle), 5 + 2 * math.sin(angle))
    chain = polyline(start, (Bend((5, 5), end, turn),))
    points = [start, *(leg.to for leg in chain if isinstance(leg, Straight))]
    assert len(chain) == len(points) - 1
    assert points[-1] == pytest.approx(end)
    assert len(chain) == math.ceil(degrees / 10 - 1e-9) + 1
    gaps = [point_segment_distance(5, 5, *a, *b) for a, b in pairwise(points)]
    assert min(gaps) == pytest.approx(2.0, abs=1e-9)
    assert max(math.dist((5, 5), point) for point in points) <= 2 / math.cos(math.radians(5)) + 1e-9
    length = sum(math.dist(a, b) for a, b in pairwise(points))
    assert 2 * abs(angle) <= length <= 2 * abs(angle) * 1.003


def test_other_legs_are_kept() -> None:
    legs: tuple[Leg, ...] = (Straight((3, 4)), Climb("roof"), Straight((5, 6)))
    assert polyline((0, 0), legs) == legs


def test_chain_between_tight_walls_is_finer() -> None:
    """Round a corner with a post just beyond the arc, the coarse chain would touch the post."""
    inner, apart = wall("inner", rectangle(0, 0, 20, 15)), 1.0005
    far = 20 + apart * math.sqrt(0.5), 15 + apart * math.sqrt(0.5)
    post = wall("post", rectangle(far[0], far[1], far[0] + 0.2, far[1] + 0.2))
    scene = Scene(board=table(inner, post), radius=0.5)
    way = shortest(scene, (17, 15.5), (20.5, 12), 9)
    assert way is not None
    assert refused(scene.board, 0.5, Pose(17, 15.5), polyline((17, 15.5), way.legs)) == ["post"] * 2
    assert refused(scene.board, 0.5, Pose(17, 15.5), polyline((17, 15.5), way.legs, scene)) == []


@pytest.mark.parametrize("seed", range(3))
def test_chains_of_random_ways_are_legal(seed: int) -> None:
    rng = Random(seed)
    scene = Scene(board=random_board(rng, 16, 40, 30), radius=0.63)
    seen = 0
    while seen < 10:
        start, goal = free_place(rng, scene), free_place(rng, scene)
        way = shortest(scene, start, goal, 60)
        if way is not None and len(way.legs) > 1:
            chain = polyline(start, way.legs, scene)
            pose = Pose(*start)
            assert not any(isinstance(leg, Bend) for leg in chain)
            assert refused(scene.board, scene.radius, pose, chain) == []
            assert way.cost <= cost(walk(pose, chain, scene.board), RATES) <= way.cost * 1.003
            seen += 1
