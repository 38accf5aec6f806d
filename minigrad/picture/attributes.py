"""The style sheet once more, as attributes: for viewers that take the sheet away.

GitHub shows a notebook's SVG inside its own page, and drops ``<style>`` from it; some versions of
nbconvert do so too. A shape that nothing else gives a colour is then black. So each element says
itself what the rules of the sheet say about it, in the light colours. Where the sheet is read it
wins, for any rule is stronger than an attribute, and the themes are as before.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from minigrad.picture.style import LIGHT_RULES

# No attribute holds a "<" or ">" of its own: ``escape.xml`` has seen to it.
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[a-z]+)(?P<attributes>[^<>]*?)(?P<empty>/?)>")
_CLASSES = re.compile(r' class="([^"]*)"')
_STEP = re.compile(r"(?P<child>^|[ >])(?P<tag>[a-z]*)(?P<classes>(?:\.[\w-]+)*)")
_FONT = re.compile(r"(?:(?P<weight>bold) )?(?P<size>\d+px) (?P<family>.+)")


class Element(NamedTuple):
    """An element as a selector sees it."""

    tag: str
    classes: frozenset[str]


class Step(NamedTuple):
    """One part of a selector; ``child`` says that it stands right below the part before."""

    child: bool
    tag: str
    classes: frozenset[str]


class Rule(NamedTuple):
    """A rule of the sheet; of two that say something else the heavier one holds, or the later."""

    weight: tuple[int, int]
    selector: tuple[Step, ...]
    attributes: dict[str, str]


def with_attributes(svg: str) -> str:
    """Write on each element of ``svg`` what the style sheet says about it."""
    path: list[Element] = []

    def rewritten(match: re.Match[str]) -> str:
        if match["end"]:
            path.pop()
            return match[0]
        named = _CLASSES.search(match["attributes"])
        classes = frozenset(named[1].split()) if named else frozenset()
        path.append(Element(match["name"], classes))
        said = _attributes_of(tuple(path))
        if match["empty"]:
            path.pop()
        return f"<{match['name']}{match['attributes']}{said}{match['empty']}>"

    return _TAG.sub(rewritten, svg)


@lru_cache(maxsize=1024)
def _attributes_of(path: tuple[Element, ...]) -> str:
    """Return the attributes of the last element of ``path``, which leads down to it."""
    said: dict[str, str] = {}
    for rule in _RULES:
        if _selects(rule.selector, path):
            said |= rule.attributes
    return "".join(f' {name}="{value}"' for name, value in said.items())


def _selects(selector: tuple[Step, ...], path: tuple[Element, ...]) -> bool:
    step, element, above = selector[-1], path[-1], path[:-1]
    if step.tag not in ("", element.tag) or not step.classes <= element.classes:
        return False
    if len(selector) == 1:
        return True
    ends = [len(above)] if step.child else range(len(above), 0, -1)
    return any(_selects(selector[:-1], above[:end]) for end in ends if end)


def _rules() -> tuple[Rule, ...]:
    rules: list[Rule] = []
    for selectors, declarations in LIGHT_RULES:
        attributes = _attributes(declarations)
        for text in selectors.split(","):
            steps = tuple(
                Step(step["child"] == ">", step["tag"], frozenset(step["classes"].split(".")[1:]))
                for step in _STEP.finditer(text)
            )
            weight = (sum(len(step.classes) for step in steps), sum(bool(s.tag) for s in steps))
            rules.append(Rule(weight, steps, attributes))
    return tuple(sorted(rules, key=lambda rule: rule.weight))


def _attributes(declarations: str) -> dict[str, str]:
    """Return declarations as attributes, which know neither ``font`` nor ``white-space``."""
    attributes: dict[str, str] = {}
    for declaration in declarations.split(";"):
        name, value = declaration.split(":")
        font = _FONT.fullmatch(value) if name == "font" else None
        if font:
            parts = {f"font-{part}": text for part, text in font.groupdict().items() if text}
            attributes |= {"font-weight": "normal"} | parts
        elif name != "white-space":
            attributes[name] = value
    return attributes


_RULES = _rules()
