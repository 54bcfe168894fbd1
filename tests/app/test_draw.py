"""Pictures: to scale, readable back, lettered without overlaps, and the same bytes every time."""

from __future__ import annotations

import io
import math
import random
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from tactician.draw import legend_words, page_size, placed_boxes, png, read_bases, save, scale_for, svg
from tactician.draw.labels import place
from tactician.draw.page import compose
from tactician.draw.palette import known_roles, paint_of, words_of
from tactician.draw.polyline import Box, point_along, segment_meets_box, shortened
from tactician.draw.text import cleaned, drawable, text_width, wrapped
from tactician.rules.core.drawing import Area, Circle, Drawing, Label, Line, Shape

SVG = "{http://www.w3.org/2000/svg}"
WORDS = ("Troopers", 'charge 7.25"', "B", "in cover, a longer text", "R12")


def square(x: float, y: float, edge: float) -> tuple[tuple[float, float], ...]:
    return ((x, y), (x + edge, y), (x + edge, y + edge), (x, y + edge))


def crowd(seed: int, *, width: float = 48.0, height: float = 36.0, bases: int = 60, labels: int = 80) -> Drawing:
    rng = random.Random(seed)

    def spot() -> tuple[float, float]:
        return rng.uniform(0, width), rng.uniform(0, height)

    shapes: list[Shape] = [
        Circle(
            role="base",
            centre=spot(),
            radius=rng.uniform(0.4, 1.2),
            side=rng.choice(("red", "blue")),
            name=f"M{index}",
            bearing=rng.choice((None, rng.uniform(0, 360))),
        )
        for index in range(bases)
    ]
    shapes += [Line(role="path", side="red", points=(spot(), spot()), note='5.50"') for _ in range(12)]
    shapes += [Label(text=rng.choice(WORDS), near=spot(), weight=rng.randrange(4)) for _ in range(labels)]
    return Drawing(width=width, height=height, title="A crowd", shapes=tuple(shapes))


def one(*shapes: Shape, title: str = "One", caption: tuple[str, ...] = ()) -> Drawing:
    return Drawing(width=24.0, height=18.0, title=title, shapes=shapes, caption=caption)


def texts(picture: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(picture).iter(f"{SVG}text")]


@pytest.mark.parametrize("scale", [8, 16, 33.5])
def test_bases_read_back_where_they_stand(scale: float) -> None:
    drawing = replace(crowd(1), height=36.123456)
    read = read_bases(svg(drawing, pixels_per_inch=scale))
    bases = {shape.name: shape for shape in drawing.shapes if isinstance(shape, Circle)}
    assert sorted(read) == sorted(bases)
    for name, base in bases.items():
        assert read[name] == pytest.approx((*base.centre, base.radius), abs=1e-4)


def test_only_named_bases_are_read() -> None:
    named = Circle(role="base", centre=(3.0, 4.0), radius=0.5, side="red", name="R1")
    others = (
        replace(named, role="ghost", centre=(9.0, 9.0)),
        replace(named, role="base_camp", centre=(9.0, 9.0), name="camp"),
        replace(named, name=""),
    )
    assert read_bases(svg(one(named, *others))) == {"R1": (3.0, 4.0, 0.5)}


def test_read_bases_refuses_what_is_no_picture_of_ours() -> None:
    base = Circle(role="base", centre=(3.0, 4.0), radius=0.5, name="R1")
    with pytest.raises(ValueError, match="two bases have the id 'R1'"):
        read_bases(svg(one(base, replace(base, centre=(6.0, 6.0)))))
    with pytest.raises(ValueError, match="data-height"):
        read_bases("<svg/>")
    with pytest.raises(ValueError, match="not an SVG"):
        read_bases("a table")


def test_user_space_is_inches_without_transforms() -> None:
    root = ElementTree.fromstring(svg(crowd(2), pixels_per_inch=20))
    _, _, width, height = map(float, root.get("viewBox", "").split())
    assert (width * 20, height * 20) == pytest.approx(
        (float(root.get("width", "")), float(root.get("height", ""))), abs=0.01
    )
    assert [element.tag for element in root.iter() if element.get("transform") is not None] == []
    for inner in root.iter(f"{SVG}svg"):
        if inner is not root:
            x, y, wide, high = map(float, inner.get("viewBox", "").split())
            given = tuple(float(inner.get(key, "")) for key in ("x", "y", "width", "height"))
            assert given == (x, y, wide, high)


@pytest.mark.parametrize("seed", range(6))
def test_texts_of_a_crowd_neither_overlap_nor_leave_the_table(seed: int) -> None:
    drawing = crowd(seed)
    boxes = placed_boxes(drawing)
    assert len(boxes) > 100
    assert [pair for pair in combinations(boxes, 2) if pair[0].intersects(pair[1])] == []
    assert all(Box(0, 0, 48, 36).contains(box) for box in boxes)


def test_the_picture_shows_exactly_the_placed_texts() -> None:
    drawing = crowd(3)
    placed = [line for each in place(drawing).placed for line in each.lines]
    root = ElementTree.fromstring(svg(drawing))
    assert sorted(e.text or "" for e in root.iter(f"{SVG}text") if e.get("class") == "label") == sorted(placed)


def test_a_text_stands_beside_a_piece_that_it_would_hide() -> None:
    """A wall of 6 by half an inch is named above or below it; a wide wood in its middle."""
    for ring, hides in (
        (((20.0, 17.75), (26.0, 17.75), (26.0, 18.25), (20.0, 18.25)), True),
        (square(8, 8, 10), False),
    ):
        middle = (sum(x for x, _ in ring) / 4, sum(y for _, y in ring) / 4)
        drawing = one(Area(role="wall", rings=(ring,)), Label(text="a wall, 2 high", near=middle))
        (box,) = placed_boxes(drawing)
        clear = box.bottom >= max(y for _, y in ring) or box.top <= min(y for _, y in ring)
        assert clear == hides


def test_the_heaviest_labels_stay_when_room_runs_out() -> None:
    names = [f"label number {index}" for index in range(60)]
    labels = [Label(text=name, near=(4.0, 4.0), weight=index) for index, name in enumerate(names)]
    drawing = Drawing(width=12.0, height=8.0, title="Too much", shapes=tuple(labels))
    placement = place(drawing)
    shown = [" ".join(each.lines) for each in placement.placed]
    assert 0 < len(shown) < len(names)
    assert placement.left_out == len(names) - len(shown)
    assert shown[0] == names[-1]
    assert f"{placement.left_out} texts left out for want of room" in texts(svg(drawing))


def test_a_label_keeps_off_bases_while_there_is_room() -> None:
    base = Circle(
        role="base", centre=(12.0, 9.0), radius=1.5, side="red", name="a name too long for its base, far too long"
    )
    drawing = one(base, Label(text="charge", near=(12.0, 9.0)))
    boxes = placed_boxes(drawing)
    assert len(boxes) == 2
    assert min(box.distance(base.centre) for box in boxes) >= base.radius


def test_a_label_covers_a_base_rather_than_vanish() -> None:
    base = Circle(role="base", centre=(3.0, 2.0), radius=30.0, side="red")
    drawing = Drawing(width=6.0, height=4.0, title="", shapes=(base, Label(text="here", near=(3.0, 2.0))))
    assert "here" in texts(svg(drawing, pixels_per_inch=20))


def test_a_short_id_stands_inside_its_base_and_is_not_repeated() -> None:
    base = Circle(role="base", centre=(5.0, 5.0), radius=0.8, side="blue", name="B7")
    drawing = one(base, Label(text="B7", near=(5.1, 5.0)))
    (box,) = placed_boxes(drawing)
    assert box.centre == pytest.approx(base.centre)
    corners = [(x, y) for x in (box.left, box.right) for y in (box.bottom, box.top)]
    assert max(math.dist(corner, base.centre) for corner in corners) <= base.radius


def test_a_far_label_has_a_leader_to_its_anchor() -> None:
    crowded = [Label(text="in the middle", near=(12.0, 9.0), weight=30 - index) for index in range(30)]
    leaders = [each.leader for each in place(one(*crowded)).placed if each.leader is not None]
    assert leaders
    assert all(leader[1] == pytest.approx((12.0, 9.0)) for leader in leaders)


def test_the_legend_lists_only_roles_that_occur() -> None:
    drawing = one(
        Area(role="cover", rings=(square(2, 2, 3),)),
        Area(role="quick_sand", rings=(square(8, 2, 3),)),
        Circle(role="base", centre=(5.0, 9.0), radius=0.5, side="blue", name="B1"),
        Line(role="sight", points=((5.0, 9.0), (9.0, 9.0))),
        Label(text="note", near=(1.0, 1.0)),
    )
    assert legend_words(drawing) == ["blue model", "line of sight", "cover", "quick sand"]
    root = ElementTree.fromstring(svg(drawing))
    assert [e.text for e in root.iter(f"{SVG}text") if e.get("class") == "legend"] == legend_words(drawing)
    assert legend_words(one()) == []


def test_every_role_is_painted_in_both_formats() -> None:
    shapes: list[Shape] = []
    for index, role in enumerate((*known_roles(), "something_new", "")):
        x = 1.0 + index
        shapes.append(
            Area(role=role, rings=(square(x, 2, 0.8), square(x + 0.2, 2.2, 0.3)), side="red", name=f"area {index}")
        )
        shapes.append(Circle(role=role, centre=(x, 6.0), radius=0.4, side="blue", name=f"disc {index}", bearing=90.0))
        shapes.append(Line(role=role, points=((x, 8.0), (x, 10.0), (x + 1, 11.0)), side="third", note="1"))
    drawing = one(*shapes)
    root = ElementTree.fromstring(svg(drawing))
    named = {element.get("data-id") for element in root.iter() if element.get("data-id")}
    assert len(named) == 2 * (len(known_roles()) + 2)
    assert Image.open(io.BytesIO(png(drawing))).size == page_size(drawing)


def test_words_and_paint_of_an_unknown_role_are_neutral() -> None:
    assert words_of("quick_sand") == "quick sand"
    assert paint_of("quick_sand", "red") == paint_of("other", "blue")
    assert paint_of("base", "red") != paint_of("base", "blue")


@pytest.mark.parametrize(("width", "height", "scale"), [(24.0, 18.0, 16), (6.0, 6.0, 10), (60.0, 44.0, 12.5)])
def test_png_has_the_size_of_the_page(width: float, height: float, scale: float) -> None:
    drawing = Drawing(width=width, height=height, title="Size", shapes=(), caption=("one", "two"))
    image = Image.open(io.BytesIO(png(drawing, pixels_per_inch=scale)))
    root = ElementTree.fromstring(svg(drawing, pixels_per_inch=scale))
    assert image.size == page_size(drawing, pixels_per_inch=scale)
    assert image.size == (int(root.get("width", "")), int(root.get("height", "")))
    assert image.width >= width * scale
    assert image.height >= height * scale


def test_pixels_show_the_base_to_scale() -> None:
    base = Circle(role="base", centre=(10.0, 4.0), radius=2.0, side="red")
    drawing, scale = one(base), 20
    page = compose(drawing, pixels_per_inch=scale)
    image = Image.open(io.BytesIO(png(drawing, pixels_per_inch=scale)))
    red = tuple(bytes.fromhex(paint_of("base", "red").fill[1:]))

    def at(x: float, y: float) -> object:
        return image.getpixel((round((page.left + x) * scale), round((page.above + drawing.height - y) * scale)))

    assert [at(10.0, 4.0), at(11.85, 4.0), at(8.15, 4.0), at(10.0, 5.85), at(10.0, 2.15)] == [red] * 5
    assert red not in [at(12.15, 4.0), at(7.85, 4.0), at(10.0, 6.15), at(10.0, 1.85), at(10.0, 14.0)]


def test_a_hole_stays_open_and_nothing_is_painted_beyond_the_table() -> None:
    ring, hole = square(4, 4, 8), square(6, 6, 3)
    drawing = one(Area(role="wall", rings=(ring, hole)), Circle(role="wall", centre=(24.0, 18.0), radius=9.0))
    page = compose(drawing, pixels_per_inch=10)
    image = Image.open(io.BytesIO(png(drawing, pixels_per_inch=10)))
    bare = Image.open(io.BytesIO(png(one(), pixels_per_inch=10)))

    def at(picture: Image.Image, x: float, y: float) -> object:
        return picture.getpixel((round((page.left + x) * 10), round((page.above + 18.0 - y) * 10)))

    assert at(image, 5, 5) != at(bare, 5, 5)
    assert at(image, 7.5, 7.5) == at(bare, 7.5, 7.5)
    assert at(image, 23, 17) != at(bare, 23, 17)
    assert at(image, 24.5, 10) == at(bare, 24.5, 10) == (255, 255, 255)


def test_the_sides_differ_without_any_hue() -> None:
    bases = [Circle(role="base", centre=(x, 5.0), radius=1.5, side=s) for x, s in ((5.0, "red"), (15.0, "blue"))]
    drawing = one(*bases)
    page = compose(drawing)
    grey = Image.open(io.BytesIO(png(drawing))).convert("L")
    middles = [grey.getpixel((round((page.left + x) * 16), round((page.above + 13.0) * 16))) for x in (5.0, 15.0)]
    assert isinstance(middles[0], int)
    assert isinstance(middles[1], int)
    assert middles[1] - middles[0] > 100


def test_marked_up_text_survives() -> None:
    title, name = "<b>R&D</b> \"quoted\" 'and' ]]>", '<A&"1">'
    base = Circle(role="base", centre=(5.0, 5.0), radius=0.5, side='re"d <', name=name)
    drawing = one(base, Label(text="a < b & c > d", near=(12.0, 9.0)), title=title, caption=("x & y <z>",))
    picture = svg(drawing)
    assert read_bases(picture) == {name: (5.0, 5.0, 0.5)}
    assert {title, "a < b & c > d", "x & y <z>"} <= set(texts(picture))


@given(text=st.text(alphabet=st.characters(exclude_categories=()), max_size=30))
@settings(max_examples=60, deadline=None)
def test_any_text_gives_a_well_formed_picture(text: str) -> None:
    base = Circle(role=text, centre=(5.0, 5.0), radius=0.5, side=text, name=text, bearing=0.0)
    line = Line(role="path", points=((1.0, 1.0), (9.0, 9.0)), note=text, name=text)
    drawing = one(
        base, replace(base, role="base"), line, Label(text=text, near=(9.0, 3.0)), title=text, caption=(text,)
    )
    assert ElementTree.fromstring(svg(drawing).encode()).tag == f"{SVG}svg"
    Image.open(io.BytesIO(png(drawing, pixels_per_inch=8))).verify()


def test_same_drawing_same_bytes() -> None:
    assert svg(crowd(5)) == svg(crowd(5))
    assert png(crowd(5)) == png(crowd(5))


def test_save_goes_by_the_suffix(tmp_path: Path) -> None:
    drawing = crowd(4, bases=5, labels=3)
    save(drawing, tmp_path / "a.svg")
    save(drawing, str(tmp_path / "a.PNG"), pixels_per_inch=10)
    assert len(read_bases((tmp_path / "a.svg").read_text(encoding="utf-8"))) == 5
    pixels = Image.open(io.BytesIO((tmp_path / "a.PNG").read_bytes()))
    assert (pixels.format, pixels.size) == ("PNG", page_size(drawing, pixels_per_inch=10))
    for bad in ("a.pdf", "a"):
        with pytest.raises(ValueError, match=r"ends in \.svg or \.png"):
            save(drawing, tmp_path / bad)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.PNG", "a.svg"]


def test_small_tables_are_shown_larger() -> None:
    sizes = [scale_for(Drawing(width=w, height=12.0, title="", shapes=())) for w in (12.0, 36.0, 60.0, 200.0)]
    assert sizes == [40, 26, 16, 12]


@pytest.mark.parametrize("scale", [0, -3, math.nan, math.inf])
def test_a_scale_must_be_positive(scale: float) -> None:
    with pytest.raises(ValueError, match="pixels_per_inch"):
        svg(one(), pixels_per_inch=scale)
    with pytest.raises(ValueError, match="positive width"):
        png(Drawing(width=0.0, height=4.0, title="", shapes=()))


def test_degenerate_shapes_are_harmless() -> None:
    drawing = one(
        Line(role="path", points=()),
        Line(role="path", points=((3.0, 3.0),), note="stays"),
        Line(role="path", points=((3.0, 3.0), (3.0, 3.0)), note="stays"),
        Area(role="cover", rings=()),
        Area(role="base", rings=(), name="gone"),
        Area(role="cover", rings=(((1.0, 1.0), (2.0, 2.0)),)),
        Circle(role="base", centre=(4.0, 4.0), radius=0.0, name="dot"),
        Label(text="  ", near=(5.0, 5.0)),
    )
    assert read_bases(svg(drawing)) == {"dot": (4.0, 4.0, 0.0)}
    assert Image.open(io.BytesIO(png(drawing))).size == page_size(drawing)


def test_an_arrow_ends_at_the_rim_of_its_base() -> None:
    ghost = Circle(role="ghost", centre=(4.0, 4.0), radius=0.5)
    base = Circle(role="base", centre=(10.0, 4.0), radius=0.5)
    picture = svg(one(ghost, base, Line(role="path", points=((4.0, 4.0), (10.0, 4.0)))))
    heads = [e.get("d", "") for e in ElementTree.fromstring(picture).iter(f"{SVG}path") if e.get("class") == "arrow"]
    assert [head.split(" ")[0] for head in heads] == ["M9.5000,14.0000"]


def test_polyline_helpers() -> None:
    bend = ((0.0, 0.0), (4.0, 0.0), (4.0, 3.0))
    assert point_along(bend, 5.0) == (4.0, 1.0)
    assert shortened(bend, 1.0, 1.0) == ((1.0, 0.0), (4.0, 0.0), (4.0, 2.0))
    box = Box(1.0, 1.0, 2.0, 2.0)
    assert segment_meets_box((0.0, 0.0), (3.0, 3.0), box)
    assert not segment_meets_box((0.0, 1.5), (0.9, 1.5), box)
    assert not segment_meets_box((0.0, 2.0), (2.0, 5.0), box)


def test_lines_break_to_fit() -> None:
    lines = wrapped("the quick brown fox " + "x" * 60, 10, 80)
    assert "".join(lines).replace(" ", "") == "thequickbrownfox" + "x" * 60
    assert all(text_width(line, 10) <= 80 for line in lines)
    assert cleaned(" a\n\tb\x00 ") == "a b\ufffd"
    assert drawable("caf\u00e9 \u2264 3\u2033 \u4e2d") == 'cafe <= 3" ?'
