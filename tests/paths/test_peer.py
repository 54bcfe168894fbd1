"""Points among polygons, against extremitypathfinder in an environment of its own (it pins other versions)."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
import shapely
from tactician.rules.core.shapes import Point, Polygon
from tactician.rules.paths.graph import TangentGraph
from tactician.rules.paths.scene import Scene
from tactician.rules.paths.search import shortest

from tests.paths.tables import random_board, table, wall

SCRIPT = Path(__file__).with_name("peer_script.py")
BOARDS, QUERIES = 6, 50
WIDTH, HEIGHT, INSET = 72.0, 48.0, 0.5


@pytest.fixture(scope="session")
def peer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter that can import the peer."""
    home = tmp_path_factory.mktemp("peer")
    python = home / "bin" / "python"
    commands = (
        [sys.executable, "-m", "venv", str(home)],
        [str(python), "-m", "pip", "install", "--quiet", "extremitypathfinder"],
    )
    for command in commands:
        if subprocess.run(command, capture_output=True, check=False, timeout=300).returncode:
            pytest.skip("no virtual environment with extremitypathfinder could be made")
    return python


def disjoint_pieces(rng: Random) -> list[Polygon]:
    """Random pieces joined where they overlap, without holes, and clear of the table's edge."""
    pieces = [shapely.make_valid(shapely.Polygon(f.outline.points)) for f in random_board(rng, 20).features]
    inside = shapely.box(INSET, INSET, WIDTH - INSET, HEIGHT - INSET)
    filled = [shapely.Polygon(part.exterior) for part in _polygons(shapely.union_all(pieces))]
    clipped = shapely.intersection(shapely.union_all(filled), inside)
    outlines = [shapely.Polygon(part.exterior) for part in _polygons(clipped)]
    return [Polygon(tuple(part.normalize().exterior.coords[:-1])) for part in outlines]


def _polygons(shape: shapely.Geometry) -> list[shapely.Polygon]:
    return [part for part in shapely.get_parts(shape) if part.geom_type == "Polygon"]


def clockwise(polygon: Polygon) -> list[Point]:
    area = sum(ax * by - bx * ay for ax, ay, bx, by in polygon.edges)
    return list(polygon.points if area < 0 else reversed(polygon.points))


def free_points(rng: Random, pieces: list[Polygon], count: int) -> list[Point]:
    walls = shapely.union_all([shapely.Polygon(piece.points) for piece in pieces])
    points: list[Point] = []
    while len(points) < count:
        point = (rng.uniform(0.01, WIDTH - 0.01), rng.uniform(0.01, HEIGHT - 0.01))
        if shapely.distance(shapely.Point(point), walls) > 1e-3:
            points.append(point)
    return points


def cut_through(pieces: list[Polygon], points: Sequence[Point]) -> float:
    """Inches of a path of straight legs that lie inside a piece."""
    inside = shapely.union_all([shapely.Polygon(piece.points).buffer(-1e-7) for piece in pieces])
    return float(shapely.LineString(points).intersection(inside).length) if len(points) > 1 else 0.0


@pytest.mark.slow
def test_points_go_as_the_peer_says(peer: Path) -> None:
    """Lengths agree, but for the rare path of version 2.7.2 that leads through a piece (1 of 300 here)."""
    rng = Random(20)
    boards = [disjoint_pieces(rng) for _ in range(BOARDS)]
    queries = []
    for pieces in boards:
        points = free_points(rng, pieces, 2 * QUERIES)
        queries.append(list(zip(points[::2], points[1::2], strict=True)))
    border = [(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)]
    facts = [
        {"border": border, "holes": [clockwise(piece) for piece in pieces], "queries": asked}
        for pieces, asked in zip(boards, queries, strict=True)
    ]
    done = subprocess.run([str(peer), str(SCRIPT)], input=json.dumps(facts), capture_output=True, text=True, check=True)
    answers = json.loads(done.stdout)
    bent = wrong = 0
    for pieces, asked, answer in zip(boards, queries, answers, strict=True):
        walls = [wall(f"piece {i}", piece) for i, piece in enumerate(pieces)]
        scene = Scene(board=table(*walls, width=WIDTH, height=HEIGHT), radius=0.0)
        graph = TangentGraph(scene)
        for (start, goal), (path, length) in zip(asked, answer["found"], strict=True):
            way = graph.shortest(start, goal, math.inf)
            lazy = shortest(scene, start, goal, math.inf)
            assert way is not None
            assert lazy is not None
            assert lazy.cost == pytest.approx(way.cost, abs=1e-9)
            assert cut_through(pieces, way.points) == 0.0
            bent += len(way.legs) > 1
            if way.cost != pytest.approx(length, abs=1e-9):
                wrong += 1
                assert length < way.cost
                assert cut_through(pieces, path) > 0.01
    assert bent > BOARDS * QUERIES / 3
    assert wrong <= BOARDS * QUERIES / 100
