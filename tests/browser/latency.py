"""From a click to the changed page: `python tests/browser/latency.py`. A script, not a test.

It opens a stepper on 64 calls in a real browser, clicks Next and Back 50 times, and prints the median
and the 95th percentile in milliseconds: for the whole way, once at a person's pace and once as fast as
the page can take it, and for the part of it that is spent in Python.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from lab_server import running_lab
from notebook_page import CHROMIUM_OPTIONS, NotebookPage, chromium
from playwright.sync_api import sync_playwright

from rq import Playground, Race, Stepper, random_scenario
from rq.broken import GALLERY

CLICKS = 50
A_PERSON = 250
"""Milliseconds between two clicks of somebody in a hurry. Without a pause the page still draws the step before."""

SOURCES = {
    "stepper": "Stepper(random_scenario(1, 64), at=10)",
    "race": 'Race(random_scenario(1, 64), GALLERY["RetryToHead"], at=10)',
    "playground": "play = Playground()\nplay.load(random_scenario(1, 64))\nplay.stepper.index = 10\nplay",
}
HERE = {
    "stepper": lambda: Stepper(random_scenario(1, 64), at=10),
    "race": lambda: Race(random_scenario(1, 64), GALLERY["RetryToHead"], at=10),
    "playground": lambda: _loaded(Playground()).stepper,
}

_CLICK = """([button, view]) => new Promise(resolve => {
    const started = performance.now();
    new MutationObserver((_, observer) => {
        observer.disconnect();
        requestAnimationFrame(() => resolve(performance.now() - started)) })
        .observe(view, {childList: true, subtree: true, characterData: true});
    button.click() })"""
"""Click, and wait for the frame after the view has changed."""


def _loaded(play: Playground) -> Playground:
    play.load(random_scenario(1, 64))
    play.stepper.index = 10
    return play


def in_python(name: str) -> list[float]:
    """The milliseconds of a click's work in this process, without kernel and browser."""
    widget = HERE[name]()
    times = []
    for number in range(CLICKS):
        started = time.perf_counter()
        (widget.back if number % 2 else widget.next).click()
        times.append(1000 * (time.perf_counter() - started))
    return times


def in_page(page: NotebookPage, name: str, pause: int) -> list[float]:
    """The milliseconds from a click to the frame that shows its step, with `pause` milliseconds between two clicks."""
    root = page.page.locator(".rq-steps").nth(list(SOURCES).index(name))
    view = root.locator(".rq-view").element_handle()
    buttons = [root.get_by_role("button", name=text).element_handle() for text in ("Next", "Back")]
    times = []
    for number in range(CLICKS):
        page.page.wait_for_timeout(pause)
        times.append(page.page.evaluate(_CLICK, [buttons[number % 2], view]))
    return times


def line(what: str, times: list[float]) -> str:
    """One row of the table: median and 95th percentile."""
    return f"{what:<28}{statistics.median(times):>10.1f}{statistics.quantiles(times, n=20)[-1]:>10.1f}"


def main() -> None:
    """Print the table."""
    imports = "from rq import Playground, Race, Stepper, random_scenario\nfrom rq.broken import GALLERY"
    with running_lab(Path(tempfile.mkdtemp())) as lab, sync_playwright() as playwright:
        lab.write("latency.ipynb", [imports, *SOURCES.values()])
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_OPTIONS)
        page = NotebookPage(lab, browser.new_page(viewport={"width": 1280, "height": 900}), "light")
        page.open("latency.ipynb")
        page.run_all()
        print(f"{CLICKS} clicks on 64 calls, milliseconds:   median  95th percentile")
        for name in SOURCES:
            print(line(f"{name}, click to page", in_page(page, name, A_PERSON)))
            print(line(f"{name}, without a pause", in_page(page, name, 0)))
            print(line(f"{name}, in Python", in_python(name)), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
