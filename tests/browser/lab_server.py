"""A JupyterLab server of our own, on this machine only, with settings that last for one test run."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import nbformat

REPOSITORY = Path(__file__).resolve().parents[2]
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}

_SETTINGS = {
    # With any other mode only the cells in view are in the page.
    "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none"},
    "@jupyterlab/apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
}


@dataclass(frozen=True)
class Lab:
    """A running server: where it listens, its token, and the folders it works in."""

    url: str
    token: str
    root: Path
    settings: Path

    def get(self, path: str) -> Any:
        """The JSON answer of the server's HTTP API."""
        request = urllib.request.Request(f"{self.url}/api/{path}", headers={"Authorization": f"token {self.token}"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    def write(self, notebook: str, cells: Sequence[str]) -> None:
        """Put a notebook with these code cells into the server's folder."""
        made = [nbformat.v4.new_code_cell(source) for source in cells]
        metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
        nbformat.write(nbformat.v4.new_notebook(cells=made, metadata=metadata), self.root / notebook)

    def address(self, notebook: str, app: str = "lab/tree") -> str:
        """The address of a notebook's page, in a workspace that remembers nothing. `app`: lab/tree or notebooks."""
        return f"{self.url}/{app}/{urllib.parse.quote(notebook)}?token={self.token}&reset"

    def use_theme(self, theme: str) -> None:
        """Pages opened from now on have this theme: light or dark."""
        write_settings(self.settings, "@jupyterlab/apputils-extension/themes", {"theme": THEMES[theme]})

    def kernel_is_ready(self, notebook: str) -> bool:
        """True if the notebook's kernel is connected to a page and has nothing to do."""
        try:
            ids = [session["kernel"]["id"] for session in self.get("sessions") if session["path"] == notebook]
            kernels = [kernel for kernel in self.get("kernels") if kernel["id"] in ids]
        except HTTPError:  # the server answers 500 while a kernel is being started
            return False
        return any(kernel["connections"] > 0 and kernel["execution_state"] == "idle" for kernel in kernels)


@contextmanager
def running_lab(folder: Path) -> Iterator[Lab]:
    """Start a server that keeps all it writes in `folder`, and stop it in any case."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    lab = Lab(f"http://127.0.0.1:{port}", secrets.token_hex(16), folder / "notebooks", folder / "settings")
    copy_notebooks(lab.root)
    for name, values in _SETTINGS.items():
        write_settings(lab.settings, name, values)
    log = folder / "server.log"
    with log.open("wb") as output:
        server = subprocess.Popen(_command(lab, port), env=_environment(folder), stdout=output, stderr=output)
        try:
            wait_for(lambda: _answers(lab, server), 60, lambda: f"JupyterLab did not start:\n{log.read_text()[-3000:]}")
            yield lab
        finally:
            _stop(server)


STORED = "stored"
"""The folder of the server that holds the notebooks as committed, with their outputs."""


def copy_notebooks(root: Path) -> None:
    """Copy the course to `root`, without outputs, so that what a test sees comes from its own run."""
    hidden = shutil.ignore_patterns(".ipynb_checkpoints", "*.json")
    shutil.copytree(REPOSITORY / "notebooks", root, ignore=hidden)
    shutil.copytree(REPOSITORY / "notebooks", root / STORED, ignore=hidden)
    for path in root.glob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
        nbformat.write(notebook, path)


def write_settings(folder: Path, name: str, values: dict[str, Any]) -> None:
    """Write one of JupyterLab's settings files."""
    path = folder / f"{name}.jupyterlab-settings"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(values), encoding="utf-8")


def wait_for(condition: Callable[[], bool], seconds: float, problem: Callable[[], str]) -> None:
    """Ask again and again until `condition` holds; after `seconds` fail with what `problem` says."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(problem())
        time.sleep(0.05)


def _command(lab: Lab, port: int) -> list[str]:
    options = {
        "ip": "127.0.0.1",
        "port": port,
        "ServerApp.port_retries": 0,
        "ServerApp.root_dir": lab.root,
        "IdentityProvider.token": lab.token,
        "LabApp.user_settings_dir": lab.settings,
        "LabApp.extension_manager": "readonly",
        "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
        "LabApp.news_url": "",
    }
    start = [sys.executable, "-m", "jupyter", "lab", "--no-browser", "--allow-root", "--expose-app-in-browser"]
    return start + [f"--{name}={value}" for name, value in options.items()]


def _environment(folder: Path) -> dict[str, str]:
    """Configuration and history go to `folder`; `import rq` finds the repository."""
    places = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
    }
    ours = {name: str(folder / place) for name, place in places.items()}
    return {**os.environ, **ours, "PYTHONPATH": str(REPOSITORY), "PYTHONDONTWRITEBYTECODE": "1"}


def _answers(lab: Lab, server: subprocess.Popen[bytes]) -> bool:
    if server.poll() is not None:
        raise RuntimeError(f"JupyterLab ended at its start with code {server.returncode}")
    try:
        return "started" in lab.get("status")
    except OSError:
        return False


def _stop(server: subprocess.Popen[bytes]) -> None:
    """Ask the server to end, which ends its kernels too."""
    server.terminate()
    try:
        server.wait(timeout=15)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
