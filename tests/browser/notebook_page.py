"""A notebook open in a real browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from lab_server import THEMES, Lab, wait_for

LOCAL = ("127.0.0.1", "localhost")

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

OpenPage = Callable[[str], "NotebookPage"]


def chromium() -> str | None:
    """The path of a Chromium on this machine, or None."""
    return next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)


def expect(part: Any) -> Any:
    """Playwright's assertions, which wait for what they assert. Imported late: Playwright may be missing."""
    from playwright.sync_api import expect

    return expect(part)


class NotebookPage:
    """One page of JupyterLab with one notebook. It keeps what the page asks for and complains about."""

    def __init__(self, lab: Lab, page: Any, theme: str) -> None:
        self.lab, self.page, self.theme = lab, page, theme
        self.notebook = ""
        self.outside_requests: list[str] = []
        self.errors: list[str] = []
        self.dialogs: list[str] = []
        page.on("request", self._note_request)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("dialog", self._note_dialog)
        page.on("console", self._note_console)

    def open(self, notebook: str, app: str = "lab/tree") -> None:
        """Open a notebook of the server's folder and wait until its kernel can be given work."""
        self.notebook = notebook
        self.lab.use_theme(self.theme)
        self.page.goto(self.lab.address(notebook, app))
        self.page.wait_for_selector(".jp-Notebook .jp-Cell")
        self._wait_for_theme()
        self._wait_until_ready()

    def use(self, theme: str) -> None:
        """Change the theme of the open page."""
        self.theme = theme
        self.command("apputils:change-theme", theme=THEMES[theme])
        self._wait_for_theme()

    def command(self, name: str, **arguments: Any) -> None:
        """Give JupyterLab a command, as its menus do."""
        self.page.evaluate("([name, given]) => { window.jupyterapp.commands.execute(name, given) }", [name, arguments])

    def resize(self, width: int, height: int = 800) -> None:
        """Give the browser's window another size."""
        self.page.set_viewport_size({"width": width, "height": height})

    def resize_to_all(self) -> None:
        """Make the window as high as the notebook, and the body (JupyterLab gives it no height) as high as the window.

        What is scrolled away or in a body without height is hidden for axe: it does not look at its contrast.
        """
        self.page.add_style_tag(content="html, body { height: 100% }")
        self.resize(1280)
        self.resize(1280, 400 + self.page.locator(_VISIBLE_NOTEBOOK).evaluate("notebook => notebook.scrollHeight"))
        self.page.wait_for_function(_ALL_IN_VIEW, arg=_VISIBLE_NOTEBOOK)

    def run_all(self) -> None:
        """Run all cells from the menu and wait until the last one has finished, or one has failed."""
        self.page.locator('[role="menuitem"]:has-text("Run")').first.click()
        self.page.locator('.lm-Menu-item[data-command="runmenu:run-all"]').click()
        self.page.wait_for_function(_ALL_CELLS_RAN, arg=_ERROR_OUTPUTS, timeout=60_000)
        self._wait_until_ready()

    def restart_and_run_all(self) -> None:
        """Restart the kernel from the menu, confirm, and wait until all cells have run again."""
        self.page.locator('[role="menuitem"]:has-text("Kernel")').first.click()
        self.page.locator('.lm-Menu-item[data-command="runmenu:restart-and-run-all"]').click()
        self.page.locator(".jp-Dialog-button.jp-mod-accept").click()
        self.page.wait_for_function(_NO_CELL_HAS_RUN, timeout=60_000)
        self.page.wait_for_function(_ALL_CELLS_RAN, arg=_ERROR_OUTPUTS, timeout=60_000)
        self._wait_until_ready()

    def cell_errors(self) -> list[str]:
        """What the cells show of errors, warnings and widgets that failed, as text."""
        broken_widgets = '.jp-OutputArea-output:has-text("Error displaying widget")'
        return self.page.locator(f"{_ERROR_OUTPUTS}, {broken_widgets}").all_inner_texts()

    def screenshot(self, name: str, folder: Path, part: Any = None) -> Path:
        """A picture of the page, or of a part of it, in `folder` or in RQ_SCREENSHOTS if that is set."""
        path = Path(os.environ.get("RQ_SCREENSHOTS") or folder) / f"{name}-{self.theme}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        (part or self.page).screenshot(path=path)
        return path

    def pictures(self, name: str, parts: Any) -> None:
        """A picture of each of these parts, also of what one must scroll to, if RQ_SCREENSHOTS names a folder."""
        folder = os.environ.get("RQ_SCREENSHOTS")
        if folder:
            self.resize_to_all()
            for number, part in enumerate(parts.all(), start=1):
                self.screenshot(f"{name}-{number:02}", Path(folder), part)

    def _wait_until_ready(self) -> None:
        wait_for(
            lambda: self.lab.kernel_is_ready(self.notebook), 60, lambda: f"the kernel of {self.notebook} is not ready"
        )

    def _wait_for_theme(self) -> None:
        self.page.wait_for_selector(f'body[data-jp-theme-name="{THEMES[self.theme]}"]', state="attached")

    def _note_console(self, message: Any) -> None:
        """Note an error with the address it is about, and a warning unless JupyterLab's own code gives it."""
        address = message.location.get("url", "")
        if message.type == "error" or (message.type == "warning" and not urlsplit(address).path.startswith("/static/")):
            self.errors.append(f"{message.text} ({address})")

    def _note_request(self, request: Any) -> None:
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob", "about") and address.hostname not in LOCAL:
            self.outside_requests.append(request.url)

    def _note_dialog(self, dialog: Any) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()


_VISIBLE_NOTEBOOK = ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-WindowedPanel-inner"

_ALL_IN_VIEW = """where => {
    const notebook = document.querySelector(where), frame = notebook.parentElement;
    frame.scrollTop = 0;
    return frame.scrollTop === 0 && frame.clientHeight >= notebook.scrollHeight }"""

_ERROR_OUTPUTS = ", ".join(f'[data-mime-type="application/vnd.jupyter.{kind}"]' for kind in ("stderr", "error"))
"""Exceptions are either, after the version of JupyterLab; warnings are stderr."""

_ALL_CELLS_RAN = """errorOutputs => {
    const prompts = [...document.querySelectorAll(".jp-Notebook .jp-CodeCell")]
        .filter(cell => cell.querySelector(".cm-content")?.innerText.trim())
        .map(cell => cell.querySelector(".jp-InputPrompt").innerText);
    const numbered = prompts.filter(text => /[0-9]/.test(text));
    const finished = document.querySelector(errorOutputs) ? numbered.length > 0 : numbered.length === prompts.length;
    return finished && !prompts.some(text => text.includes("*"));
}"""
"""No code cell has the star of a running one, and each has a number at its side, or those before an error have."""

_NO_CELL_HAS_RUN = """() => [...document.querySelectorAll(".jp-Notebook .jp-CodeCell .jp-InputPrompt")]
    .some(prompt => !/[0-9]/.test(prompt.innerText))"""
"""After a restart some cell waits for its turn: a star, or nothing at its side."""
