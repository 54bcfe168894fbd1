"""How fast the tape measure is: ``python -m benchmarks.paths``, with a peer for points among polygons.

Points among the same polygons are also asked of extremitypathfinder, in a virtual environment of its own (it wants
other versions of libraries). Kernels are compiled before anything is timed. Every query counts with the fastest of a
few runs, and the peer's with the faster of two. Writes ``docs/benchmarks/paths.json``.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from tactician.rules.core.legs import Pose
from tactician.rules.core.movement import MoveType
from tactician.rules.core.shapes import Point, Polygon
from tactician.rules.core.state import State
from tactician.rules.core.terrain import GROUND, Feature
from tactician.rules.paths import twins
from tactician.rules.paths.arrival import arrivals, reachable_shifts
from tactician.rules.paths.contact import contact
from tactician.rules.paths.field import field_of
from tactician.rules.paths.graph import TangentGraph
from tactician.rules.paths.scene import Scene, layout
from tactician.rules.paths.search import shortest
from tactician.rules.paths.squads import shift_mask, surroundings

from benchmarks.rows import Row, group, load_ahead, median, part, write_group
from tests.core.movement_boards import in_step, table_with
from tests.paths.tables import free_place, piece, random_board, random_discs, table, wall
from tests.paths.test_contact import sampled_contact
from tests.paths.test_peer import HEIGHT, WIDTH, clockwise, cut_through, disjoint_pieces, free_points

__all__ = ["main"]

PEER = "extremitypathfinder"
HOME = Path(tempfile.gettempdir()) / "tactician-peer"
"""The peer's virtual environment; it may be removed at any time."""

BOARDS, QUERIES, RUNS = 8, 50, 5
CONTACTS, DOUBT = 300, 0.001
UNITS, BUDGET = 10, 12.0

Query = tuple[Point, Point]


def fastest(act: Callable[[], Any], runs: int = RUNS) -> float:
    """Seconds of the fastest of a few runs."""
    best = math.inf
    for _ in range(runs):
        began = perf_counter()
        act()
        best = min(best, perf_counter() - began)
    return best


# ---- points among polygons, beside the peer --------------------------------------------------------------------------


def peer_python() -> Path:
    """An interpreter that can import the peer with its compiled parts; made where there is none."""
    python = HOME / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(HOME)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", f"{PEER}[numba]"], check=True)
    return python


def peer_answers(boards: Sequence[Sequence[Polygon]], queries: Sequence[Sequence[Query]]) -> dict[str, Any]:
    """The peer's lengths and seconds."""
    border = [(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)]
    facts = [
        {"border": border, "holes": [clockwise(piece) for piece in pieces], "queries": asked}
        for pieces, asked in zip(boards, queries, strict=True)
    ]
    script = Path(__file__).with_name("paths_peer.py")
    command = [str(peer_python()), "-W", "ignore", str(script)]
    done = subprocess.run(command, input=json.dumps(facts), capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def beside_the_peer() -> tuple[list[Row], tuple[str, str]]:
    """The rows about the peer, and its version."""
    rng = Random(20)
    boards = [disjoint_pieces(rng) for _ in range(BOARDS)]
    points = [free_points(rng, pieces, 2 * QUERIES) for pieces in boards]
    queries = [list(zip(row[::2], row[1::2], strict=True)) for row in points]
    peer = peer_answers(boards, queries)
    builds, graphs, kernels, theirs, laid = [], [], [], [], []
    worst, wrong = 0.0, 0
    for pieces, asked, answer in zip(boards, queries, peer["boards"], strict=True):
        walls = [wall(f"piece {i}", outline) for i, outline in enumerate(pieces)]
        scene = Scene(board=table(*walls, width=WIDTH, height=HEIGHT), radius=0.0)
        laid.append(fastest(lambda scene=scene: _lay_out(scene)) / answer["build"])
        builds.append((fastest(lambda scene=scene: TangentGraph(scene), 3), answer["build"]))
        graph = TangentGraph(scene)
        rows = zip(asked, answer["paths"], answer["lengths"], answer["seconds"], strict=True)
        for (start, goal), path, length, seconds in rows:
            way, lazy = graph.shortest(start, goal, math.inf), shortest(scene, start, goal, math.inf)
            assert way is not None
            assert lazy is not None
            off = max(abs(way.cost - length), abs(lazy.cost - length))
            if off > 1e-9 and length < way.cost and cut_through(pieces, path) > 0.01:
                wrong += 1
            else:
                worst = max(worst, off)
            graphs.append(fastest(lambda g=graph, s=start, e=goal: g.shortest(s, e, math.inf)))
            kernels.append(fastest(lambda c=scene, s=start, e=goal: shortest(c, s, e, math.inf)))
            theirs.append(seconds)
    return _peer_rows(peer, builds, laid, graphs, kernels, theirs, worst, wrong), (PEER, peer["version"])


def _lay_out(scene: Scene) -> None:
    layout.cache_clear()
    layout(scene.board, scene.surface, scene.radius, scene.closed).rows()


def _peer_rows(
    peer: dict[str, Any],
    builds: list[tuple[float, float]],
    laid: list[float],
    graphs: list[float],
    kernels: list[float],
    theirs: list[float],
    worst: float,
    wrong: int,
) -> list[Row]:
    build, their_build = median(ours for ours, _ in builds), median(each for _, each in builds)
    graph, kernel, their = median(graphs), median(kernels), median(theirs)
    lay = median(laid)
    count = len(theirs)
    return [
        Row(
            what="path lengths against the peer: largest difference",
            target="<= 1e-9 inch",
            measured=worst,
            unit="inch",
            met=worst <= 1e-9,
            note=f"{count} queries on {BOARDS} boards; {wrong} left out, where the peer's path leads through a piece",
        ),
        Row(
            what="path query, networkx graph",
            target="<= 1/20 of the peer",
            measured=1e3 * graph,
            unit="ms",
            ratio=graph / their,
            met=graph <= their / 20,
            note=f"peer {1e3 * their:.2f} ms; medians; limited by A* over dictionaries and by adding the ends",
        ),
        Row(
            what="path query, kernel",
            target="<= 1/100 of the peer",
            measured=1e3 * kernel,
            unit="ms",
            ratio=kernel / their,
            met=kernel <= their / 100,
            note="search without a graph, across the whole table, the way's legs included",
        ),
        Row(
            what="build for the networkx graph",
            target="<= 1/100 of the peer",
            measured=1e3 * build,
            unit="ms",
            ratio=build / their_build,
            met=build <= their_build / 100,
            note=f"peer {1e3 * their_build:.0f} ms, itself compiled; half of ours is networkx taking in its edges",
        ),
        Row(
            what="build for the kernel",
            target="<= 1/100 of the peer",
            measured=1e3 * lay * their_build,
            unit="ms",
            ratio=lay,
            met=lay <= 0.01,
            note="the layout of the walls for one radius; the search makes its tangents as it goes",
        ),
    ]


# ---- contact ---------------------------------------------------------------------------------------------------------


def contacts() -> list[Row]:
    """Random charges, judged by 720 places about the target and timed."""
    rng, wrong, times = Random(5), 0, []
    while len(times) < CONTACTS:
        scene = Scene(board=random_board(rng, 14, 30, 24), radius=0.63, discs=random_discs(rng, 4, 2.26, 30, 24))
        for _ in range(10):
            start, target = free_place(rng, scene), (rng.uniform(1, 29), rng.uniform(1, 23), 1.26)
            budget = rng.choice([6.0, 8.0, 12.0])
            if not 1.36 < math.dist(start, target[:2]) < budget + 1.26 or len(times) == CONTACTS:
                continue
            way = contact(scene, start, target, budget)
            best = sampled_contact(scene, start, target, budget + 0.01)
            wrong += best < budget - DOUBT if way is None else way.cost > best + 1e-9
            times.append(1e3 * fastest(lambda c=scene, s=start, t=target, b=budget: contact(c, s, t, b)))
    middle, late = median(times), part(times, 0.95)
    note = f"{CONTACTS} random cases, 14 pieces and 4 zones on 30 x 24 inches"
    return [
        Row(
            what="contact within a budget: wrong answers against 720 places",
            target="0 beyond 0.001 inch",
            measured=wrong,
            unit="",
            met=wrong == 0,
            note=note,
        ),
        Row(what="contact, median", target="<= 0.1 ms", measured=middle, unit="ms", met=middle <= 0.1, note=note),
        Row(what="contact, 95 of 100", target="<= 0.2 ms", measured=late, unit="ms", met=late <= 0.2, note=note),
    ]


# ---- ten units -------------------------------------------------------------------------------------------------------


def areas() -> list[Row]:
    """Fields of ten units among 40 pieces and 60 enemies."""
    states, quick, exact = [], [], []
    for seed in range(5):
        rng = Random(seed)
        scene = Scene(board=random_board(rng, 40), radius=0.63, discs=random_discs(rng, 60, 2.26))
        starts = [free_place(rng, scene) for _ in range(UNITS)]
        reach = [arrivals(scene, start, BUDGET) for start in starts]
        search = fastest(lambda c=scene, row=starts: [arrivals(c, start, BUDGET) for start in row])
        states.append(1e3 * search)
        quick.append(1e3 * (search + fastest(lambda row=reach: [field_of(each) for each in row])))
        exact.append(1e3 * (search + fastest(lambda row=reach: [field_of(each, exact=True) for each in row])))
    note = "median of 5 boards; search and 0.5 inch field of the square that 12 inches span"
    whole = median(exact)
    return [
        Row(
            what="ten units' reachable areas, exact (12 inches, 40 pieces, 60 enemies)",
            target="<= 25 ms",
            measured=whole,
            unit="ms",
            met=whole <= 25,
            note=note,
        ),
        Row(what="the same by any-angle fields", target="", measured=median(quick), unit="ms", note=note),
        Row(
            what="arrival states of ten units",
            target="",
            measured=median(states),
            unit="ms",
            note="enough to answer any end point",
        ),
    ]


def masks() -> list[Row]:
    """Place masks of ten units of ten models: 96 places each, 16 bearings and 6 distances."""
    state, kind = _crowd(), in_step(6.0)
    turns = [math.pi * k / 8 for k in range(16)]
    offsets = [(d * math.cos(turn), d * math.sin(turn)) for d in range(1, 7) for turn in turns]
    units = [unit for unit in state.units if unit.side == "red"]
    straight = 1e3 * fastest(lambda: [shift_mask(state, unit, kind, offsets) for unit in units])
    roundabout = 1e3 * fastest(lambda: [_any_path(state, unit.id, kind, offsets) for unit in units])
    note = "48 x 48 inches, 12 pieces, 30 enemies; 96 places a unit"
    return [
        Row(
            what="place masks of ten 10-model units, straight",
            target="<= 1 ms",
            measured=straight,
            unit="ms",
            met=straight <= 1,
            note=note,
        ),
        Row(
            what="place masks of ten 10-model units, any path",
            target="<= 15 ms",
            measured=roundabout,
            unit="ms",
            met=roundabout <= 15,
            note=f"{note}; every model by a way of its own, mates left out of account",
        ),
    ]


def _any_path(state: State, name: str, kind: MoveType, offsets: Sequence[Point]) -> list[bool]:
    """For each offset whether every model of a unit can reach its place in the shifted formation."""
    unit = state.unit(name)
    scene = surroundings(state, unit, kind, unit.models[0].pose)
    places = [model.pose.point for model in unit.models]
    able: list[bool] = reachable_shifts(scene, places, offsets, kind.allowance).tolist()
    return able


def _crowd() -> State:
    """Ten units of ten models, and thirty enemies, clear of twelve pieces of terrain."""
    rng = Random(9)
    pieces: list[Feature] = [wall(f"piece {i}", piece(rng, 48, 48)) for i in range(12)]
    scene = Scene(board=table(*pieces, width=48, height=48), radius=0.5)
    bare = layout(scene.board, GROUND, 0.5, ())
    units: dict[str, tuple[str, dict[str, Pose]]] = {}
    taken: list[Point] = []

    def is_clear(places: list[Point]) -> bool:
        away = all(math.dist(place, other) > 3.1 for place in places for other in taken)
        on_table = all(0.5 <= x <= 47.5 and 0.5 <= y <= 47.5 for x, y in places)
        return away and on_table and not any(_in_wall(bare, place) for place in places)

    while len(units) < UNITS:
        x, y = rng.uniform(1, 42), rng.uniform(1, 46)
        places = [(x + 1.25 * (i % 5), y + 1.25 * (i // 5)) for i in range(10)]
        if is_clear(places):
            taken += places
            units[f"u{len(units)}"] = ("red", {f"m{i}": Pose(*place) for i, place in enumerate(places)})
    foes: dict[str, Pose] = {}
    while len(foes) < 30:
        place = (rng.uniform(1, 47), rng.uniform(1, 47))
        if is_clear([place]):
            foes[f"e{len(foes)}"] = Pose(*place)
            taken.append(place)
    return table_with(units | {"E": ("blue", foes)}, tuple(pieces))


def _in_wall(bare: Any, place: Point) -> bool:
    from tactician.rules.paths import inner

    return bare.inside_wall(*place) or any(inner.point_edge_distance(*place, edge) < 0.5 for edge in bare.edges)


def main() -> None:
    """Measure everything and write the file."""
    load = load_ahead()
    twins.force(twins.COMPILED)
    twins.warm()
    rows, peer = beside_the_peer()
    for more in (contacts, areas, masks):
        rows += more()
    title = "Paths"
    place = write_group(group("paths", title, rows, load=load, others=(peer,)))
    for row in rows:
        sys.stdout.write(f"{row.what}: {row.measured:.4g} {row.unit} (target {row.target or '-'}; met {row.met})\n")
    sys.stdout.write(f"{place}\n")


if __name__ == "__main__":
    main()
