"""What stands in the SVG, read back through its classes and ids."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from picture_examples import EXAMPLES, chain, lesson, tensor, twice, two_paths, views

import minigrad
from minigrad.picture import Picture
from minigrad.picture.metrics import mono_width, sans_width
from minigrad.picture.scene import scene
from minigrad.picture.style import _DARK, _LIGHT, STORAGE_COLOURS, STYLE
from minigrad.snapshot import Edge

SVG = "{http://www.w3.org/2000/svg}"

VOCABULARY = [
    "tensor leaf grad", "tensor grad", "tensor", "op", "op freed", "edge flow", "edge data",
    "edge cut", "edge saved", "edge saved stale", "half tail", "half head", "scissors", "cell",
]  # fmt: skip


def read(snapshot, **options):
    return ElementTree.fromstring(Picture(snapshot, **options).svg)


def by_id(root, identity):
    found = [item for item in root.iter() if item.get("id") == identity]
    assert len(found) == 1, f"{len(found)} elements have the id {identity}"
    return found[0]


def words(element):
    return [item.text for item in element.iter(f"{SVG}text")]


@pytest.mark.parametrize("classes", VOCABULARY)
def test_every_word_of_the_vocabulary_is_used(classes):
    drawn = [item.get("class") for s in EXAMPLES.values() for item in read(s).iter(f"{SVG}g")]
    drawn += [item.get("class") for s in EXAMPLES.values() for item in read(s).iter(f"{SVG}path")]
    assert classes in drawn


def test_storages_and_their_lines_share_a_colour_class():
    root = read(lesson())
    assert by_id(root, "s-B").get("class") == "storage c1"
    assert by_id(root, "m-t-y--s-B").get("class") == "edge memory c1"
    assert by_id(root, "m-t-z--s-B").get("class") == "edge memory c1"
    assert by_id(root, "s-A").get("class") == "storage c0"


def test_a_volatile_tensor_says_so_in_its_class_and_on_a_plate():
    root = read(EXAMPLES["volatile"])
    for identity in ("t-v", "t-y", "t-z", "u-1"):
        card = by_id(root, identity)
        assert card.get("class") == "tensor volatile"
        assert "volatile" in words(card)
        (plate,) = [item for item in card.iter(f"{SVG}g") if item.get("class") == "label mark"]
        assert words(plate) == ["volatile"]
    assert "volatile" not in words(by_id(root, "t-w"))
    assert "y = [3., 8.]  no grad, volatile, (2,) float32" in Picture(EXAMPLES["volatile"]).text


def test_a_leaf_a_result_and_a_detached_tensor_look_different():
    root = read(lesson())
    assert by_id(root, "t-x").get("class") == "tensor leaf grad"
    assert by_id(root, "t-y").get("class") == "tensor grad"
    assert by_id(root, "t-z").get("class") == "tensor"


def test_card_says_name_values_kind_and_letter():
    assert words(by_id(read(lesson()), "t-y")) == [
        "y", "[2., 4., 6.]", "MulBackward0", "(3,) float32", "B",
    ]  # fmt: skip


def test_gradient_is_on_the_card():
    assert "6." in words(by_id(read(twice()), "t-a"))
    assert "grad" not in words(by_id(read(twice()), "t-b"))


def test_shared_storage_says_who_shares_it():
    root = read(lesson())
    assert "shared by y and z" in words(by_id(root, "s-B"))
    assert not any("shared" in text for text in words(by_id(root, "s-A")))


def test_each_cell_is_a_group_with_its_number():
    root = read(lesson(version=1))
    assert [words(by_id(root, f"s-B-c{place}")) for place in range(3)] == [["3."], ["5."], ["7."]]
    assert words(by_id(root, "s-B"))[-2:] == ["v1", "shared by y and z"]


def test_cut_edge_has_two_halves_with_scissors_between_and_the_word():
    cut = by_id(read(lesson()), "e-t-y--t-z")
    assert cut.get("class") == "edge cut"
    assert [path.get("class") for path in cut.findall(f"{SVG}path")] == [
        "half tail", "half head", "bar",
    ]  # fmt: skip
    assert words(cut) == ["detach"]
    tail, head, _ = (path.get("d") for path in cut.findall(f"{SVG}path"))
    end_of_tail = float(re.findall(r"[-\d.]+", tail)[-2])
    start_of_head = float(re.findall(r"[-\d.]+", head)[0])
    assert start_of_head - end_of_tail > 15


def test_cutting_moves_nothing():
    whole = lesson()
    uncut = replace(
        whole,
        edges=tuple(
            Edge("flow", edge.tail, edge.head) if edge.kind == "cut" else edge
            for edge in whole.edges
        ),
    )
    assert scene(whole).places == scene(uncut).places


def test_a_tensor_stands_on_the_same_side_before_and_after_it_is_cut_off():
    def program(z_of):
        x = minigrad.tensor([1.0, 2.0, 3.0], requires_grad=True)
        y = x * 2
        z = z_of(y)
        loss = (y * z).sum()
        return scene(minigrad.draw(loss, x, y, z).snapshot).places

    cut, whole = program(lambda y: y.detach()), program(lambda y: y.view(3))
    for places in (cut, whole):
        assert places["t-z"].bottom < places["t-y"].bottom
    for name in ("t-x", "o-mul-1", "t-y"):
        assert cut[name].x == whole[name].x
        assert abs(cut[name].y - whole[name].y) < 8


def test_writing_and_freeing_move_nothing():
    before, after = lesson(), lesson(version=1)
    freed = replace(after, ops=tuple(replace(op, freed=True) for op in after.ops), saved=())
    assert Picture(before).dot == Picture(after).dot == Picture(freed).dot
    graph = [item.id for item in (*before.tensors, *before.ops)]
    assert [scene(before).places[name] for name in graph] == [
        scene(freed).places[name] for name in graph
    ]


def test_a_value_that_changes_changes_its_texts_and_nothing_else():
    before = replace(lesson(), saved=())
    after = replace(lesson(version=1), saved=())
    assert Picture(before).structure == Picture(after).structure
    texts, others = Picture(before).texts, Picture(after).texts
    assert {name for name in texts if texts[name] != others[name]} == {
        "t-y-v0", "t-z-v0", "s-B-c0-text", "s-B-c1-text", "s-B-c2-text", "s-B-version",
    }  # fmt: skip


def test_every_text_that_may_change_has_its_element():
    for snapshot in EXAMPLES.values():
        root = read(snapshot)
        for name, text in Picture(snapshot).texts.items():
            assert (by_id(root, name).text or "") == text


def test_saved_tensor_says_its_version_and_turns_stale():
    fresh = by_id(read(lesson()), "v-o-mul-2--s-B")
    stale = by_id(read(lesson(version=1)), "v-o-mul-2--s-B")
    assert (fresh.get("class"), words(fresh)) == ("edge saved", ["saved v0"])
    assert (stale.get("class"), words(stale)) == ("edge saved stale", ["saved v0, now v1"])


def test_leaf_used_twice_has_two_arrows():
    root = read(twice())
    assert by_id(root, "e-t-a--o-mul-1").get("class") == "edge flow"
    assert by_id(root, "e-t-a--o-mul-1-2").get("class") == "edge flow"


def test_view_marks_the_cells_it_reads():
    root = read(views())

    def reach(name):
        line = by_id(root, f"m-t-{name}--s-A")
        return len([path for path in line.iter(f"{SVG}path") if path.get("class") == "reach"])

    assert [reach(name) for name in ("base", "row", "column", "turned")] == [0, 1, 2, 0]


def test_without_memory_there_is_no_storage_and_no_letter():
    root = read(lesson(), memory=False)
    classes = " ".join(item.get("class", "") for item in root.iter())
    assert not re.search(r"\b(storage|memory|saved|badge|plane)\b", classes)
    assert by_id(root, "t-y") is not None
    assert "storage" not in Picture(lesson(), memory=False).text


def test_without_values_no_number_is_drawn():
    picture = Picture(lesson(), values=False)
    texts = [text for text in words(ElementTree.fromstring(picture.svg)) if text]
    assert not any(re.search(r"\d\.", text) for text in texts)
    assert not re.search(r"\d\.", picture.text)


def test_ids_are_never_given_twice():
    for snapshot in EXAMPLES.values():
        ids = [item.get("id") for item in read(snapshot).iter() if item.get("id")]
        assert len(ids) == len(set(ids))


def test_picture_stands_alone():
    for snapshot in EXAMPLES.values():
        svg = Picture(snapshot).svg
        assert not re.search(r"url\(|<script|<image|<foreignObject|<!DOCTYPE|@import", svg)
        assert not re.search(r"[\"\s,(]-0[\",\s)]", svg)
        assert "href" not in svg


def test_picture_says_in_words_what_it_shows():
    root = read(lesson())
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title").text == (
        "Computation graph and memory: 5 tensors, 3 operations, 1 cut, 4 storages"
    )
    assert root.find(f"{SVG}desc").text == Picture(lesson()).text
    assert "y -x detach x-> z" in root.get("aria-label")


def test_boxes_do_not_overlap():
    for name in ("lesson", "written", "twice", "views", "two_paths", "network", "large", "cut_off"):
        places = list(scene(EXAMPLES[name]).places.items())
        for index, (one, a) in enumerate(places):
            for other, b in places[index + 1 :]:
                apart = a.right < b.x or b.right < a.x or a.bottom < b.y or b.bottom < a.y
                assert apart, f"{one} and {other} overlap in {name}"


def test_everything_lies_inside_the_picture():
    for snapshot in EXAMPLES.values():
        drawn = scene(snapshot)
        lines = [line.curve for line in drawn.memory_lines]
        lines += [curve for line in drawn.saved_lines for curve in (line.upper, line.lower)]
        for x, y in [point for line in lines for point in line]:
            assert drawn.frame.x <= x <= drawn.frame.right
            assert drawn.frame.y <= y <= drawn.frame.bottom
        for box in drawn.places.values():
            assert drawn.frame.x < box.x
            assert box.right < drawn.frame.right
            assert box.bottom < drawn.frame.bottom


def test_memory_lines_pass_behind_no_card():
    for name in ("lesson", "twice", "views", "two_paths", "network"):
        drawn = scene(EXAMPLES[name])
        for line in drawn.memory_lines:
            for other in drawn.cards:
                box = drawn.places[other]
                inside = [
                    (x, y) for x, y in line.curve
                    if box.x < x < box.right and box.y < y < box.bottom
                ]  # fmt: skip
                assert other == line.tensor.id or not inside


def test_texts_fit_their_boxes():
    for snapshot in EXAMPLES.values():
        drawn = scene(snapshot)
        for card in drawn.cards.values():
            assert mono_width(card.name, 14) + 20 + 17 * bool(card.letter) <= card.width
            assert all(mono_width(line, 12) + 20 <= card.width for line in card.values)
            small = (card.role, card.kind) if card.name else ()
            assert all(sans_width(line, 11) + 20 <= card.width for line in small)
        for row in drawn.rows.values():
            assert sans_width(row.shared, 11) <= row.width
            assert all(mono_width(cell.text, 12) <= cell.width for cell in row.cells if cell.text)


def test_wide_characters_get_room():
    assert mono_width("张量", 10) >= 20
    assert mono_width("🔥", 10) >= 10
    wide = scene(replace(lesson(), tensors=(tensor("张" * 20, "A", (1.0,)),), ops=(), edges=(),
                         saved=()))  # fmt: skip
    assert wide.cards["t-" + "张" * 20].width > 20 * 14


def test_a_long_chain_is_drawn():
    root = read(chain(100))
    assert len([g for g in root.iter(f"{SVG}g") if g.get("class") == "op"]) == 99


def test_two_paths_tell_recorded_from_unrecorded():
    root = read(two_paths())
    assert by_id(root, "e-o-add-1--t-loss").get("class") == "edge flow"
    assert by_id(root, "e-t-lost--o-add-1").get("class") == "edge data"
    assert by_id(root, "o-mul-2").get("class") == "op unrecorded"


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("page", ["#ffffff", "#111111"])
def test_lines_are_seen_whatever_theme_was_guessed(page):
    lines = [theme[name] for theme in (_LIGHT, _DARK) for name in ("flow", "data", "cut")]
    for colour in (*lines, *STORAGE_COLOURS):
        assert contrast(colour, page) >= 3, colour


@pytest.mark.parametrize("theme", [_LIGHT, _DARK])
def test_texts_are_read_on_the_fill_they_stand_on(theme):
    pairs = [("ink", "card"), ("ink", "leaf"), ("ink", "op"), ("soft", "card"), ("soft", "leaf"),
             ("soft", "op"), ("soft", "paper"), ("grad", "card"), ("grad", "leaf"),
             ("cut-ink", "paper")]  # fmt: skip
    for text, fill in pairs:
        assert contrast(theme[text], theme[fill]) >= 4.5, (text, fill)
    for colour in STORAGE_COLOURS:
        assert contrast("#ffffff", colour) >= 4.5


def test_style_touches_nothing_outside_the_picture():
    rules = re.sub(r"@media[^{]*\{", "", STYLE)
    for selectors in re.findall(r"([^{}]+)\{", rules):
        assert all(".minigrad-picture" in selector for selector in selectors.split(","))
