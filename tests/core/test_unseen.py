"""Ways on which nobody is seen: the quick look never says so of a way on which dense looks see somebody."""

from __future__ import annotations

from random import Random

from tactician.rules.core.shapes import Point
from tactician.rules.core.sight import Eye
from tactician.rules.core.unseen import is_hidden_all_along
from tactician.rules.core.views import views

from tests.core.sight_scenes import eye, random_board, random_eye, screen, table, wall, wood

HERE = eye(10, 10)


def hides(*pieces: object, parts: tuple[tuple[Point, Point], ...], blockers: tuple[Eye, ...] = ()) -> bool:
    return is_hidden_all_along(table(*pieces), HERE, 0.5, 1.5, blockers, parts)  # type: ignore[arg-type]


def test_behind_a_wall_that_is_wide_enough() -> None:
    along = (((18.0, 8.0), (18.0, 12.0)),)
    assert hides(wall(14, 5, 15, 15), parts=along)
    assert hides(screen(14, 5, 15, 10), screen(14, 9.9, 15, 15), parts=along)
    assert not hides(parts=along)
    assert not hides(wall(14, 5, 15, 10.9), parts=along)
    assert not hides(wall(14, 5, 15, 15, top=1.5), parts=along)
    assert not hides(wall(14, 5, 18.2, 15), parts=along)
    assert not hides(wood(14, 5, 15, 15, veil=0.0), parts=along)


def test_a_slanting_way_is_looked_at_in_parts() -> None:
    """Its near end comes nearer to the eye than the corner of the wall that hides its far end."""
    assert hides(wall(12.5, 9, 13, 11), wall(12.5, 10.8, 13.5, 13), parts=(((14.0, 10.0), (17.0, 13.0)),))


def test_behind_models() -> None:
    big, small = eye(13, 10, radius=1.0), eye(13, 10, radius=0.15)
    assert hides(parts=(((20.0, 9.8), (20.0, 10.2)),), blockers=(big,))
    assert not hides(parts=(((20.0, 9.8), (20.0, 10.2)),), blockers=(small,))
    assert not hides(parts=(((20.0, 9.8), (20.0, 13.5)),), blockers=(big,))
    assert hides(parts=(((20.0, 9.8), (20.0, 13.5)),), blockers=(big, eye(13, 11.5, radius=1.0)))


def test_many_scenes_agree_with_dense_looks() -> None:
    hidden = 0
    for seed in range(300):
        rng = Random(seed)
        board, one, radius = random_board(rng), random_eye(rng), rng.choice((0.4, 0.5))
        blockers = tuple(
            eye(rng.uniform(2.5, 6), -3.0 + 0.9 * k, radius=rng.choice((0.4, 0.5))) for k in range(rng.randint(0, 8))
        )
        x, y = rng.uniform(7, 14), rng.uniform(-5, 5)
        a, b = (x, y), (x + rng.uniform(-4, 4), y + rng.uniform(-4, 4))
        if not is_hidden_all_along(board, one, radius, 1.5, blockers, ((a, b),)):
            continue
        hidden += 1
        looks = [i / 24 for i in range(25)]
        places = [(a[0] + (b[0] - a[0]) * u, a[1] + (b[1] - a[1]) * u) for u in looks]
        assert not any(views(board, (one,), [eye(x, y, radius=radius) for x, y in places], blockers)[0]), seed
    assert hidden > 30
