"""Virtual environments to try the package in, and the JupyterLab that runs in one."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest
from repository import run


@dataclass(frozen=True)
class Environment:
    """A virtual environment, and a home of its own for whatever runs in it."""

    folder: Path
    home: Path

    @property
    def bin(self) -> Path:
        return self.folder / "bin"

    @property
    def variables(self) -> dict[str, str]:
        """The variables a program sees: nothing of this machine's Python or Jupyter settings."""
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("JUPYTER", "IPYTHON", "PYTHON", "MINIGRAD"))
        }
        return inherited | {
            "HOME": str(self.home),
            "JUPYTER_RUNTIME_DIR": str(self.home / "runtime"),
            "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}",
            "VIRTUAL_ENV": str(self.folder),
        }

    def python(self, program: str, *arguments: str | Path, **options: Any) -> str:
        """Run a Python program in this environment and return what it printed."""
        options.setdefault("env", self.variables)
        return run(self.bin / "python", "-c", program, *arguments, **options)


def with_new_home(folder: Path, home: Path) -> Environment:
    """Give the environment in ``folder``, made or to be made, an empty home; any port will do."""
    settings = home / ".jupyter" / "jupyter_server_config.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"ServerApp": {"port": 0}}))
    return Environment(folder, home)


def new_environment(folder: Path, *, installing: tuple[str | Path, ...], cwd: Path) -> Environment:
    """Make an environment with nothing in it but what pip brings for ``installing``."""
    environment = with_new_home(folder / "venv", folder / "home")
    run(sys.executable, "-m", "venv", environment.folder)
    run(environment.bin / "pip", "install", "--quiet", *installing, cwd=cwd)
    return environment


@dataclass(frozen=True)
class Server:
    """A running JupyterLab, as it describes itself in Jupyter's runtime folder."""

    url: str
    token: str
    root: Path

    def get(self, path: str) -> Any:
        """Fetch one JSON answer of the server's interface."""
        return json.loads(self._fetch(f"api/{path}"))

    def page_config(self) -> Any:
        """Fetch what JupyterLab's page is told about itself."""
        found = re.search(r'(?s)id="jupyter-config-data"[^>]*>(.*?)</script>', self._fetch("lab"))
        assert found is not None
        return json.loads(found[1])

    def first_page(self) -> str:
        """Return the path to which a browser is led from the server's own address."""
        request = Request(self.url, headers={"Authorization": f"token {self.token}"})
        with urlopen(request, timeout=60) as answer:
            return urlsplit(answer.geturl()).path

    def _fetch(self, path: str) -> str:
        request = Request(f"{self.url}{path}", headers={"Authorization": f"token {self.token}"})
        with urlopen(request, timeout=60) as answer:
            assert answer.status == 200
            return str(answer.read(), "utf-8")


@contextmanager
def serving(environment: Environment, *command: str | Path, cwd: Path) -> Iterator[Server]:
    """Start a command that opens JupyterLab, wait until it answers, and stop it at the end."""
    log = environment.home / "server.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [str(part) for part in command],
            cwd=cwd,
            env=environment.variables,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield _await_server(process, environment.home / "runtime", log)
    finally:
        _stop(process)


def _await_server(process: "subprocess.Popen[bytes]", runtime: Path, log: Path) -> Server:
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline:
        for description in runtime.glob("jpserver-*.json"):
            # The file is there for a moment before all of it is.
            text = description.read_text()
            if text.endswith("}"):
                facts = json.loads(text)
                return Server(facts["url"], facts["token"], Path(facts["root_dir"]))
        if process.poll() is not None:
            break
        time.sleep(0.1)
    pytest.fail(f"JupyterLab did not start\n{log.read_text()}")


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """End the command and everything it started: its session holds nothing else."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, how)
            process.wait(timeout=20)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue
