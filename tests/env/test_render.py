"""Pictures of a table: characters, pixels, and the terminal."""

from __future__ import annotations

import numpy as np
import pytest
from tactician.env.aec import TableEnv
from tactician.env.render import MODES, pixels, text
from tactician.env.solo import SoloEnv
from tactician.rules.core.drawing import Area, Circle, Drawing, Line

from tests.env.walks import EVERY_SIZE, lowest

SMALL = Drawing(
    width=10.0,
    height=8.0,
    title="a small table",
    shapes=(
        Area(role="impassable", rings=(((2.0, 4.0), (5.0, 4.0), (5.0, 8.0), (2.0, 8.0)),)),
        Circle(role="objective", centre=(8.5, 7.0), radius=0.5),
        Line(role="path", points=((0.0, 0.0), (10.0, 8.0)), side="blue"),
        Circle(role="base", centre=(0.5, 0.5), radius=0.5, side="red", name="R1a"),
        Circle(role="base", centre=(9.5, 0.5), radius=0.5, side="blue", name="B1a"),
    ),
    caption=("nobody leads",),
)


def test_characters_are_an_inch_across_and_two_down() -> None:
    assert text(SMALL).splitlines() == [
        "a small table",
        "..###...*.",
        "..###.....",
        "..........",
        "R........B",
        "nobody leads",
    ]


def test_pixels_have_the_colours_of_what_is_there() -> None:
    found = pixels(SMALL)
    assert found.shape == (512, 640, 3)
    assert found.dtype == np.uint8
    red, blue = found[512 - 32, 32], found[512 - 32, 640 - 32]
    assert red[0] > 150 > red[2]
    assert blue[2] > 150 > blue[0]
    assert np.array_equal(found, pixels(SMALL))


def test_a_hole_shows_what_is_below() -> None:
    outer = ((0.0, 0.0), (8.0, 0.0), (8.0, 8.0), (0.0, 8.0))
    hole = ((2.0, 2.0), (6.0, 2.0), (6.0, 6.0), (2.0, 6.0))
    drawing = Drawing(width=8.0, height=8.0, title="", shapes=(Area(role="cover", rings=(outer, hole)),))
    assert text(drawing).splitlines()[1:] == ['""""""""', '""....""', '""....""', '""""""""']


@pytest.mark.parametrize(("name", "size"), EVERY_SIZE)
def test_every_mode_shows_every_game(name: str, size: str, capsys: pytest.CaptureFixture[str]) -> None:
    solo = {mode: SoloEnv(name, size, render_mode=mode, opponent=lowest) for mode in (*MODES, None)}
    for env in solo.values():
        env.reset(seed=1)
    shown = capsys.readouterr().out
    page, picture = solo["ansi"].render(), solo["rgb_array"].render()
    assert isinstance(page, str)
    assert isinstance(picture, np.ndarray)
    assert "R" in page
    assert "B" in page
    assert page in shown, "human mode shows the table after a reset"
    assert picture.max() > picture.min()
    assert solo[None].render() is None
    assert solo["human"].render() is None
    capsys.readouterr()
    solo["human"].step(int(solo["human"].action_masks().argmax()))
    assert capsys.readouterr().out
    table = TableEnv(name, size, render_mode="rgb_array")
    table.reset(seed=1)
    assert np.array_equal(table.render(), picture)
    table.close()
