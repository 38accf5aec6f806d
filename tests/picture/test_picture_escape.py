"""A tensor may be called anything, and the picture shows just that."""

from __future__ import annotations

from xml.etree import ElementTree

import graphviz
from hypothesis import given, settings
from hypothesis import strategies as st
from picture_examples import EVIL, hostile, storage, tensor

from minigrad.picture import Picture
from minigrad.picture.escape import dot_label, element_id, shorten, visible, xml
from minigrad.snapshot import Edge, OpInfo, Snapshot

SVG = "{http://www.w3.org/2000/svg}"


def called(name: str) -> Snapshot:
    """One tensor called ``name``, and an operation called so too."""
    card = tensor(name, "A", (1.0,), id=f"t-{name}")
    node = OpInfo("o-x-1", name, name)
    edges = (Edge("data", card.id, node.id), Edge("cut", card.id, node.id, name))
    return Snapshot((card,), (node,), (storage("A", (1.0,)),), edges, ())


def test_hostile_names_are_drawn_as_text():
    svg = Picture(hostile()).svg
    root = ElementTree.fromstring(svg)
    assert "<script" not in svg
    assert {item.tag.removeprefix(SVG) for item in root.iter()} <= {
        "svg", "title", "desc", "style", "g",
        "rect", "text", "path", "polygon", "ellipse", "circle",
    }  # fmt: skip
    names = [item.text for item in root.iter(f"{SVG}text") if item.get("class") == "name"]
    assert names[0] == shorten(visible(EVIL), 24)
    assert names[1:3] == ["张量", "🔥✂️"]
    assert names[4] == "]]>&amp;\\x00\\x1b"


@settings(max_examples=60, deadline=None)
@given(st.text(min_size=1, max_size=40))
def test_any_name_gives_well_formed_svg_that_shows_it(name):
    root = ElementTree.fromstring(Picture(called(name)).svg)
    names = [item.text for item in root.iter(f"{SVG}text") if item.get("class") == "name"]
    assert names == [shorten(visible(name), 24)]
    assert len([item for item in root.iter(f"{SVG}g") if item.get("class") == "tensor"]) == 1


@given(st.text(max_size=30), st.text(max_size=30))
def test_two_texts_never_share_an_id(one, other):
    assert (element_id(one) == element_id(other)) == (one == other)
    assert element_id(one).isascii()


@given(st.text())
def test_escaped_text_reads_back_as_what_is_visible(text):
    root = ElementTree.fromstring(f'<a b="{xml(text)}">{xml(text)}</a>')
    assert (root.text or "") == visible(text)
    assert root.get("b") == visible(text)


def test_names_for_python_variables_keep_their_ids():
    assert element_id("t-x_1") == "t-x_1"
    assert element_id("t-a/b") == "t-a.2f.b"


def test_dot_shows_backslashes_and_brackets_as_they_are():
    source = graphviz.Digraph()
    source.node("a", dot_label("<b>\\N"))
    assert '[label="<b>\\\\N"]' in source.source


def test_long_names_lose_their_middle():
    assert shorten("abcdefghij", 5) == "ab…ij"
    assert shorten("abcde", 5) == "abcde"
    assert len(shorten("x" * 100, 24)) == 24
