"""How long after a key on a slider the new picture is painted, in a real JupyterLab.

    python tests/benchmarks/slider_to_paint.py [keys]

Three outputs stand in one notebook, each with a slider of its own: ``minigrad.live``; the package
graphviz-anywidget (if it is installed), which lays the same graph out in the browser; and a bare
slider with a label, which is what the round trip to the kernel costs without any picture. Each key
goes to each of them in turn, so that whatever else the machine does meets them all alike.

A key's time runs in the page, from its ``keydown`` event until the frame that shows its value has
been painted, which is when the next frame starts. (Two animation frames after the change, unless
the change was made while a frame was being prepared: then it is one.) Three kinds of change to a
graph of ten nodes are measured:

values      the numbers change and nothing else
structure   every key cuts the graph or heals it (two layouts, both seen before)
new layout  every key makes a graph that was never laid out before
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "browser"))

from lab import Lab, Notebook

WARM_UP = 6

PROGRAM = """
import ipywidgets
import minigrad
from minigrad import snapshot
from minigrad.live import live

def graph(n, kind):
    x = minigrad.tensor([float(n), 2.0, 3.0], requires_grad=True)
    a = x * 2
    b = a + 1
    c = b * 1 if kind == "structure" and n % 2 else b.detach()
    d = c * a
    loss = d.sum()
    tensors = {"x": x, "a": a, "b": b, "c": c, "d": d, "loss": loss}
    if kind == "new layout":
        tensors[f"loss_{n}"] = tensors.pop("loss")
    return tensors

def slider():
    return ipywidgets.IntSlider(100, min=100, max=1000)
"""

MINIGRAD = """
live(graph, n=slider(), kind=ipywidgets.fixed({kind!r}))
"""

GRAPHVIZ = """
from graphviz_anywidget import GraphvizAnyWidget

def dot(n):
    tensors = graph(n, {kind!r})
    taken = snapshot.take(tensors.values(), tensors)
    lines = [f'"{{it.id}}" [shape=box label="{{it.name}}\\n{{it.values}}"]' for it in taken.tensors]
    lines += [f'"{{it.id}}" [label="{{it.label}}"]' for it in taken.ops]
    lines += [f'"{{it.tail}}" -> "{{it.head}}"' for it in taken.edges]
    return "digraph {{ rankdir=LR; " + "; ".join(lines) + " }}"

control, widget = slider(), GraphvizAnyWidget(dot_source=dot(100))
control.observe(lambda change: setattr(widget, "dot_source", dot(change["new"])), "value")
ipywidgets.VBox([control, widget])
"""

BARE = """
control, label = slider(), ipywidgets.Label("= 100.")
control.observe(lambda change: setattr(label, "value", f"= {{change['new']}}."), "value")
ipywidgets.VBox([control, label])
"""

# ``preparing`` is true while the callbacks of an animation frame run.
WATCH_FRAMES = """
() => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => { window.preparing = false; };
  const frame = () => {
    window.preparing = true;
    port2.postMessage(null);
    requestAnimationFrame(frame);
  };
  frame();
}
"""

# The value is shown once the text of the output holds it.
MEASURE = """
([output, value]) => {
  const shown = new RegExp(String.raw`(^|\\D)${value}\\.`);
  const handle = output.querySelector(".noUi-handle");
  const once = { capture: true, once: true };
  let start = NaN;
  handle.addEventListener("keydown", () => { start = performance.now(); }, once);
  window.outcome = new Promise((resolve) => {
    const painted = () => resolve(performance.now() - start);
    const observer = new MutationObserver(() => {
      if (!shown.test(output.textContent)) return;
      observer.disconnect();
      requestAnimationFrame(window.preparing ? painted : () => requestAnimationFrame(painted));
    });
    observer.observe(output, { childList: true, characterData: true, subtree: true });
  });
  handle.focus();
}
"""


def key_to_paint(page: Page, notebook: Notebook, cell: int, value: int) -> float:
    """Press the key that makes the slider in ``cell`` say ``value``; return milliseconds."""
    output = notebook.output(cell).element_handle()
    page.evaluate(MEASURE, [output, value])
    page.keyboard.press("ArrowRight")
    milliseconds = float(page.evaluate("window.outcome"))
    notebook.wait_until_idle()
    return milliseconds


def measure(lab: Lab, page: Page, kind: str, keys: int) -> dict[str, list[float]]:
    """Return the milliseconds of ``keys`` keys, by what was driven."""
    sources = {"minigrad.live": MINIGRAD, "graphviz-anywidget": GRAPHVIZ, "bare slider": BARE}
    try:
        import graphviz_anywidget  # noqa: F401
    except ImportError:
        del sources["graphviz-anywidget"]
    cells = [source.format(kind=kind) for source in sources.values()]
    notebook = Notebook(lab, page, lab.write("benchmark.ipynb", PROGRAM, *cells))
    notebook.run_all()
    page.wait_for_selector(".minigrad-live svg")
    page.evaluate(WATCH_FRAMES)
    page.wait_for_timeout(2000)
    times: dict[str, list[float]] = {name: [] for name in sources}
    for key in range(1, WARM_UP + keys + 1):
        for cell, name in enumerate(sources, start=1):
            milliseconds = key_to_paint(page, notebook, cell, 100 + key)
            if key > WARM_UP:
                times[name].append(milliseconds)
    return times


def main(keys: int = 50) -> None:
    """Measure, and print a table."""
    browser_path = shutil.which("chromium") or shutil.which("google-chrome")
    arguments = ["--no-sandbox", "--disable-gpu", "--no-first-run"]
    print(f"key to paint in milliseconds, {keys} keys, a graph of ten nodes\n")
    print(f"{'':12}{'':22}{'median':>8}{'p95':>8}{'max':>8}")
    with tempfile.TemporaryDirectory() as folder, Lab(Path(folder)) as lab, sync_playwright() as it:
        browser = it.chromium.launch(executable_path=browser_path, args=arguments)
        for kind in ("values", "structure", "new layout"):
            page = browser.new_page(viewport={"width": 1400, "height": 1600})
            for name, times in measure(lab, page, kind, keys).items():
                p95 = statistics.quantiles(times, n=20)[-1]
                numbers = (statistics.median(times), p95, max(times))
                print(f"{kind:12}{name:22}" + "".join(f"{number:8.1f}" for number in numbers))
                kind = ""
            page.close()
        browser.close()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
