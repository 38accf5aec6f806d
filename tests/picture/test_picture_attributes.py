"""Each element says what the style sheet says about it, for viewers that drop the sheet."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from picture_examples import EXAMPLES

from minigrad.picture import Picture
from minigrad.picture.attributes import with_attributes

SHAPES = {"circle", "ellipse", "path", "polygon", "rect", "text"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_no_shape_is_black_for_want_of_a_sheet(name):
    for element in ElementTree.fromstring(Picture(EXAMPLES[name]).svg).iter():
        tag = element.tag.rpartition("}")[2]
        if tag in SHAPES:
            assert element.get("fill"), ElementTree.tostring(element)
            assert element.get("fill") != "none" or element.get("stroke")


def test_attributes_know_no_variable_and_no_shorthand():
    body = Picture(EXAMPLES["lesson"]).svg.split("</style>")[1]
    assert "var(" not in body
    assert not re.search(r" (font|white-space)=", body)


@pytest.mark.parametrize(
    ("svg", "said"),
    [
        # A rule with more classes is heavier, wherever it stands.
        ('<g class="edge cut"><g class="label"><text/></g></g>', ['fill="#b3261c"']),
        ('<g class="edge saved"><g class="label"><text/></g></g>', ['fill="#56616e"']),
        # The fill is that of a leaf, the border that of what requires grad.
        (
            '<g class="tensor leaf grad"><rect/></g>',
            ['fill="#dcebfb"', 'stroke="#2b6cc4"', 'stroke-width="2.5"'],
        ),
        # A child is not any descendant.
        ('<g class="tensor"><g class="badge"><rect/></g></g>', ['fill="currentColor"']),
        # ``font`` sets all that it stands for.
        ('<g class="badge"><text/></g>', ['font-weight="bold"', 'font-size="11px"']),
        ('<g class="badge c1"/>', ['color="#0a7d5d"']),
    ],
)
def test_the_rules_hold_as_in_a_browser(svg, said):
    written = with_attributes(svg)
    assert [part for part in said if part not in written] == []
    assert written.count("fill=") == svg.count("text") + svg.count("rect")


def test_what_no_rule_speaks_of_stays_as_it_is():
    svg = '<g id="a"><title>b &lt;rect/&gt;</title><desc/></g>'
    assert with_attributes(svg) == svg
