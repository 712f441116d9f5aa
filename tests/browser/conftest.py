"""What the browser tests share: a JupyterLab server, a browser, and pages in the light or the dark theme.

Without Playwright or a Chromium the tests are skipped; with RQ_REQUIRE_BROWSER=1 they fail instead.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from lab_server import Lab, running_lab
from notebook_page import CHROMIUM_NAMES, CHROMIUM_OPTIONS, NotebookPage, OpenPage, chromium

_A_LAPTOP = {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A Chromium without a window. It ends with the module, because Playwright keeps an event loop running."""
    path = chromium()
    try:
        import axe_playwright_python  # noqa: F401
        import notebook  # noqa: F401
        from playwright.sync_api import expect, sync_playwright
    except ImportError as error:
        _no_browser(f"the Python package {error.name} is not installed")
    if path is None:
        _no_browser(f"none of {', '.join(CHROMIUM_NAMES)} is on the PATH")
    expect.set_options(timeout=15_000)  # a busy machine may need more than the usual 5 s
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_OPTIONS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A JupyterLab server in a temporary folder with a copy of the course."""
    with running_lab(tmp_path_factory.mktemp("lab")) as lab:
        yield lab


@pytest.fixture(scope="module")
def open_page(browser: Any, lab: Lab) -> Iterator[OpenPage]:
    """A function that gives a new page in a theme: open_page("dark"). The pages are closed at the end."""
    context = browser.new_context(viewport=_A_LAPTOP)
    yield lambda theme: NotebookPage(lab, context.new_page(), theme)
    context.close()


def _no_browser(reason: str) -> None:
    if os.environ.get("RQ_REQUIRE_BROWSER") == "1":
        pytest.fail(f"RQ_REQUIRE_BROWSER is 1, but {reason}", pytrace=False)
    pytest.skip(f"no real browser: {reason}")
