"""A JupyterLab of its own for the tests, and a notebook open in it.

Nothing is read from or left in the home of whoever runs the tests: every folder that Jupyter keeps
is a temporary one, and only the kernel is that of the running Python.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import quote
from urllib.request import urlopen

import nbformat
from playwright.sync_api import Locator, Page

SETTINGS: dict[str, dict[str, object]] = {
    "@jupyterlab/apputils-extension/notification": {"checkForUpdates": False, "fetchNews": "false"},
    "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none"},
    "@jupyterlab/docmanager-extension/plugin": {"autosave": False},
}


class Lab:
    """A JupyterLab that serves ``root`` on this machine alone, behind a random token."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "notebooks"
        self.root.mkdir()
        self.token = secrets.token_urlsafe(16)
        self.url = ""
        for name, values in SETTINGS.items():
            path = folder / "config" / "lab" / "user-settings" / f"{name}.jupyterlab-settings"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(values))

    @property
    def environment(self) -> dict[str, str]:
        """The environment in which Jupyter's programs share the folders of this server."""
        return {
            **os.environ,
            "JUPYTER_CONFIG_DIR": str(self.folder / "config"),
            "JUPYTER_DATA_DIR": str(self.folder / "data"),
            "JUPYTER_RUNTIME_DIR": str(self.folder / "runtime"),
            "JUPYTER_PREFER_ENV_PATH": "1",
            "JUPYTER_TOKEN": self.token,
            "IPYTHONDIR": str(self.folder / "ipython"),
        }

    def __enter__(self) -> Lab:
        command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
        options = {
            "ServerApp.ip": "127.0.0.1",
            "ServerApp.port": "0",
            "ServerApp.root_dir": str(self.root),
            "LabApp.expose_app_in_browser": "True",
            "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
        }
        command += [f"--{name}={value}" for name, value in options.items()]
        self.log = (self.folder / "log.txt").open("w")
        self.process = subprocess.Popen(
            command,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=self.log,
        )
        self.url = self._wait()
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()

    def write(self, name: str, *cells: str | Mapping[str, Any]) -> str:
        """Write a notebook with these code cells (or cells as nbformat has them)."""
        notebook = nbformat.v4.new_notebook(
            cells=[
                nbformat.v4.new_code_cell(cell) if isinstance(cell, str) else cell for cell in cells
            ]
        )
        notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
        nbformat.write(notebook, self.root / name)
        return name

    def trust(self, name: str) -> None:
        """Sign a notebook, as ``jupyter trust`` does, so that its outputs are shown."""
        command = [sys.executable, "-m", "jupyter", "trust", str(self.root / name)]
        subprocess.run(command, env=self.environment, check=True, capture_output=True)

    def _wait(self, seconds: float = 60.0) -> str:
        """Wait until the server answers, and return its address; the port is its own choice."""
        deadline = time.monotonic() + seconds
        note = self.folder / "runtime" / f"jpserver-{self.process.pid}.json"
        while time.monotonic() < deadline and self.process.poll() is None:
            with contextlib.suppress(OSError, ValueError, URLError):
                url = str(json.loads(note.read_text())["url"])
                urlopen(f"{url}api/status?token={self.token}", timeout=5).close()
                return url
            time.sleep(0.1)
        self.__exit__()
        raise RuntimeError("JupyterLab did not start:\n" + (self.folder / "log.txt").read_text())


class Notebook:
    """A notebook that is open in a browser window of its own."""

    def __init__(self, lab: Lab, page: Page, name: str) -> None:
        self.lab = lab
        self.page = page
        self.problems: list[str] = []
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.goto(f"{lab.url}doc/tree/{quote(name)}?reset&token={lab.token}")
        page.wait_for_function(
            """() => {
              const panel = window.jupyterapp?.shell.currentWidget;
              return panel?.content?.widgets && panel.context.isReady
                && panel.sessionContext.session?.kernel?.status === "idle";
            }""",
            timeout=60_000,
        )

    def command(self, name: str, **arguments: object) -> None:
        """Run a command of JupyterLab, and wait for it."""
        self.page.evaluate(
            "([name, args]) => jupyterapp.commands.execute(name, args).then(() => null)",
            [name, arguments],
        )

    def run_all(self) -> None:
        """Run every cell and wait for the kernel; an error fails unless the cell announces it."""
        self.command("notebook:run-all-cells")
        self.wait_until_idle()
        for index, cell in enumerate(self.cells()):
            tags = cell["metadata"].get("tags", ())
            for output in cell.get("outputs", ()):
                if output["output_type"] == "error" and "raises-exception" not in tags:
                    raise AssertionError(f"cell {index}: {output['ename']}: {output['evalue']}")

    def run_cell(self, index: int) -> None:
        """Run one cell and wait for the kernel."""
        self.page.evaluate(
            "(index) => { jupyterapp.shell.currentWidget.content.activeCellIndex = index; }", index
        )
        self.command("notebook:run-cell")
        self.wait_until_idle()

    def write_cell(self, index: int, source: str) -> None:
        """Replace what stands in a cell."""
        self.page.evaluate(
            """([index, source]) => {
              const cell = jupyterapp.shell.currentWidget.content.widgets[index];
              cell.model.sharedModel.setSource(source);
            }""",
            [index, source],
        )

    def wait_until_idle(self) -> None:
        """Wait until the kernel has nothing to do, and the page has drawn what came of it."""
        self.page.wait_for_function(
            "jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.status === 'idle'"
        )
        self.settle()

    def settle(self) -> None:
        """Wait for two frames: what was asked for before is on the screen."""
        self.page.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

    def cells(self) -> list[dict[str, Any]]:
        """Return the cells as a file would hold them."""
        cells = self.page.evaluate("jupyterapp.shell.currentWidget.model.toJSON().cells")
        return list(cells)

    def cell(self, index: int) -> Locator:
        """Find a cell in the page."""
        return self.page.locator(".jp-Notebook .jp-Cell").nth(index)

    def output(self, index: int) -> Locator:
        """Find the output of a cell in the page."""
        return self.cell(index).locator(".jp-Cell-outputArea")

    def use_theme(self, name: str) -> None:
        """Change the theme: ``JupyterLab Light`` or ``JupyterLab Dark``."""
        self.command("apputils:change-theme", theme=name)
        light = str("Dark" not in name).lower()
        self.page.wait_for_selector(f'body[data-jp-theme-light="{light}"]', state="attached")
        self.page.wait_for_selector("#jupyterlab-splash", state="detached")
        self.settle()

    def save(self) -> Path:
        """Save the notebook and return its file."""
        self.command("docmanager:save")
        path = self.page.evaluate("jupyterapp.shell.currentWidget.context.path")
        return self.lab.root / str(path)

    def screenshot(self, name: str, of: Locator | None = None) -> None:
        """Keep a picture of the page in ``MINIGRAD_SCREENSHOTS``, if that names a folder."""
        folder = os.environ.get("MINIGRAD_SCREENSHOTS")
        if folder:
            (of or self.page).screenshot(path=Path(folder) / f"{name}.png")

    def close(self) -> None:
        """Shut the kernel down and close the window."""
        self.page.evaluate("jupyterapp.shell.currentWidget.sessionContext.shutdown()")
        self.page.context.close()
