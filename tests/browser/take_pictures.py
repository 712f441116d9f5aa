"""Take the README's pictures from the running course: `python tests/browser/take_pictures.py`. A script, not a test."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hands import Mouse
from lab_server import REPOSITORY, running_lab
from notebook_page import CHROMIUM_OPTIONS, NotebookPage, chromium
from playground_view import PlaygroundView
from playwright.sync_api import sync_playwright
from stepper_view import StepperView

FOLDER = REPOSITORY / "notebooks" / "images"
IMPORTS = "from rq import Playground, Race, Stepper, check\nfrom rq.broken import GALLERY"


def stepper(page: NotebookPage) -> Any:
    """The stepper at the stale acknowledgement."""
    view = StepperView(page.page)
    view.press("Next", times=5)
    view.is_at(5)
    return view.root


def playground(page: NotebookPage) -> Any:
    """The playground after a retry, with a late result one click away."""
    play = PlaygroundView(page.page, Mouse(page.page))
    for number, text in enumerate(["enqueue a", "reserve", "enqueue b", "retry a#1", "reserve", "ack a#1"], start=1):
        play.call(text, number)
    return play.root


def race(page: NotebookPage) -> Any:
    """The race where it parts."""
    view = StepperView(page.page)
    view.press("Next", times=5)
    view.is_at(5)
    return view.root


PICTURES = {
    "stepper": ('Stepper("retry fences old attempt")', stepper),
    "playground": ("Playground(capacity=2)", playground),
    "race": ('Race(check(GALLERY["AckAcceptsOlderAttempt"]))', race),
}


def main() -> None:
    """Take them all."""
    with running_lab(Path(tempfile.mkdtemp())) as lab, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_OPTIONS)
        for name, (source, prepare) in PICTURES.items():
            lab.write(f"{name}.ipynb", [IMPORTS, source])
            page = NotebookPage(lab, browser.new_page(viewport={"width": 1180, "height": 1500}), "light")
            page.open(f"{name}.ipynb")
            page.command("application:toggle-left-area")
            page.run_all()
            part = prepare(page)
            page.page.mouse.move(0, 0)
            part.screenshot(path=FOLDER / f"{name}.png")
            print(f"notebooks/images/{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
