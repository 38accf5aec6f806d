"""How a picture looks: one style sheet, inside the SVG, that touches nothing outside it.

Colours are named by what they say. A theme may be guessed wrongly (JupyterLab shows an SVG file
as an image, which sees the system's theme and not JupyterLab's own), so that no text ever stands
on the page itself: text has a filled shape of its own below it, and lines are mid-tones that are
seen on white and on black. Colour is never the only carrier.
"""

from __future__ import annotations

import re

from minigrad.picture.metrics import MONO, SANS

_LIGHT = {
    "ink": "#17202b",
    "soft": "#56616e",
    "card": "#ffffff",
    "leaf": "#dcebfb",
    "op": "#f3f5f8",
    "flow": "#2b6cc4",
    "data": "#7d8794",
    "cut": "#d63a2f",
    "cut-ink": "#b3261c",
    "grad": "#1f5aa8",
    "paper": "#ffffff",
}
_DARK = {
    "ink": "#eef2f6",
    "soft": "#aab4c0",
    "card": "#1f252d",
    "leaf": "#1d3654",
    "op": "#2b323b",
    "flow": "#4a8be0",
    "data": "#7d8794",
    "cut": "#e5493d",
    "cut-ink": "#ff8a80",
    "grad": "#8fc0ff",
    "paper": "#1f252d",
}

# After Okabe and Ito (safe for colour-blind readers), darkened until each is seen on white and on
# black alike; the letter says the same again.
STORAGE_COLOURS = ("#a2660a", "#0a7d5d", "#a8579a", "#24779f", "#77700f", "#8a5f4b")
"""The colours of the storages, in order of their letters, over and over."""


def _variables(colours: dict[str, str]) -> str:
    return "".join(f"--mg-{name}:{colour};" for name, colour in colours.items())


_THEMED = re.compile(r"(fill|stroke):var\(--mg-([a-z-]+)\)")

_STORAGES = "\n".join(
    f"{{p}} .c{index}{{color:{colour}}}" for index, colour in enumerate(STORAGE_COLOURS)
)

_RULES = """
{p} text{font-family:{sans};font-size:11px;fill:var(--mg-ink)}
{p} .name{font:bold 14px {mono}}
{p} .value,{p} .cell text{font:12px {mono};white-space:pre}
{p} .role,{p} .kind{fill:var(--mg-soft)}
{p} .tensor>rect{fill:var(--mg-card);stroke:var(--mg-data);stroke-width:1}
{p} .tensor.grad>rect{stroke:var(--mg-flow);stroke-width:2.5}
{p} .tensor.leaf>rect{fill:var(--mg-leaf)}
{p} .gradient{fill:var(--mg-grad)}
{p} .badge>rect{fill:currentColor}
{p} .badge text{font:bold 11px {mono};fill:#fff;text-anchor:middle}
{p} .op>ellipse{fill:var(--mg-op);stroke:var(--mg-data);stroke-width:1.5}
{p} .op text{font-size:12px;text-anchor:middle}
{p} .op .note{font-size:10px;fill:var(--mg-soft)}
{p} .op.freed>ellipse{stroke-dasharray:4 3}
{p} .op.unrecorded>ellipse{stroke-dasharray:1.5 3;stroke-linecap:round}
{p} .edge path{fill:none}
{p} .flow path{stroke:var(--mg-flow);stroke-width:2}
{p} .flow polygon{fill:var(--mg-flow)}
{p} .data path{stroke:var(--mg-data);stroke-width:1.5;stroke-dasharray:1.5 3.5;stroke-linecap:round}
{p} .data polygon{fill:var(--mg-data)}
{p} .cut path{stroke:var(--mg-cut);stroke-width:2}
{p} .cut .half{stroke-dasharray:6 4}
{p} .cut .bar{stroke-width:3.5;stroke-linecap:round}
{p} .cut .scissors path{stroke-width:1.6;stroke-linecap:round}
{p} .label rect{fill:var(--mg-paper)}
{p} .label text{text-anchor:middle;fill:var(--mg-soft)}
{p} .cut .label text,{p} .stale .label text{fill:var(--mg-cut-ink);font-weight:bold}
{p} .memory path,{p} .memory line{fill:none;stroke:currentColor;stroke-width:1.8}
{p} .memory circle{fill:var(--mg-paper);stroke:currentColor;stroke-width:2}
{p} .memory .reach{stroke-width:4;stroke-linecap:round}
{p} .storage .cell rect{fill:var(--mg-card);stroke:currentColor;stroke-width:1.2}
{p} .storage .cell text,{p} .storage .rest text{text-anchor:middle}
{p} .storage .rest rect{fill:var(--mg-card);stroke:currentColor;stroke-dasharray:2 2}
{p} .storage .caption>rect{fill:var(--mg-op);stroke:currentColor;stroke-width:1.2}
{p} .storage .version{text-anchor:end;font-weight:bold}
{p} .storage .shared rect{fill:currentColor}
{p} .storage .shared text{fill:#fff;font-weight:bold;text-anchor:middle}
{p} .saved path{stroke:var(--mg-data);stroke-width:1.4;stroke-dasharray:5 3}
{p} .saved .end,{p} .saved.stale .end{stroke-width:0;stroke-dasharray:none}
{p} .saved .end{fill:var(--mg-data);stroke:none}
{p} .saved.stale path{stroke:var(--mg-cut);stroke-width:2}
{p} .saved.stale .end{fill:var(--mg-cut)}
{p} .plane>rect{fill:#7d8794;fill-opacity:.09}
"""


def _with_fallback(rules: str) -> str:
    """Say each themed colour twice, first plainly, for converters that know no variables."""
    return _THEMED.sub(lambda match: f"{match[1]}:{_LIGHT[match[2]]};{match[0]}", rules)


def _light_rules() -> tuple[tuple[str, str], ...]:
    rules = _THEMED.sub(lambda match: f"{match[1]}:{_LIGHT[match[2]]}", _filled(_RULES))
    return tuple(
        (selectors.replace("{p} ", ""), declarations)
        for selectors, declarations in re.findall(r"(?m)^(.+)\{(.+)\}$", rules)
    )


def _filled(rules: str) -> str:
    return f"{_STORAGES}{rules}".replace("{sans}", SANS).replace("{mono}", MONO)


LIGHT_RULES = _light_rules()
"""The rules in their light colours: selectors (inside the picture), and what is declared."""

STYLE = (
    f".minigrad-picture{{{_variables(_LIGHT)}}}"
    f"@media (prefers-color-scheme:dark){{.minigrad-picture{{{_variables(_DARK)}}}}}"
    f'body[data-jp-theme-light="true"] .minigrad-picture{{{_variables(_LIGHT)}}}'
    f'body[data-jp-theme-light="false"] .minigrad-picture{{{_variables(_DARK)}}}'
    + _with_fallback(_filled(_RULES)).replace("{p}", ".minigrad-picture")
)
"""The style sheet."""
