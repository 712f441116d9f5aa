"""Notebook 7, the other common page for notebooks: a lesson and the playground work there too."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hands import Mouse
from lab_server import THEMES, Lab
from lesson_widgets import shown_by, steps_of
from notebook_page import NotebookPage, OpenPage, expect
from playground_view import PlaygroundView
from stepper_view import StepperView

APP = "notebooks"

NOT_OURS = re.compile(
    r"reading 'schema'|Command 'filebrowser:open-path' not registered"
    r"|status of 403 \(Forbidden\) \(\S+/static/notebook/\S+\.woff2\)"
)
"""Notebook 7 itself asks for settings and commands that are not there. And a font of it has the name of one of
JupyterLab's: the server knows one place for both, and refuses it to the page that asks second."""


def complaints(notebook: NotebookPage) -> list[str]:
    """What the page complains about, less what Notebook 7 says of itself."""
    ours = [error for error in notebook.errors if not NOT_OURS.search(error)]
    return ours + notebook.outside_requests + notebook.dialogs


@pytest.mark.parametrize("theme", THEMES)
def test_a_lesson(open_page: OpenPage, lab: Lab, tmp_path: Path, theme: str) -> None:
    notebook = open_page(theme)
    notebook.open("03_fencing.ipynb", APP)
    notebook.run_all()
    assert notebook.cell_errors() == []
    expect(notebook.page.locator(".rq-steps .rq-view .rq")).to_have_count(len(steps_of(shown_by("03_fencing"))))
    stepper = StepperView(notebook.page)
    stepper.press("Next", times=5)
    stepper.is_at(5)
    expect(stepper.reason).to_contain_text("stale attempt: a is on attempt 2 now")
    stepper.calls.focus()
    notebook.page.keyboard.press("ArrowUp")
    stepper.is_at(4)
    notebook.screenshot("notebook7", tmp_path)
    assert complaints(notebook) == []


def test_the_playground(open_page: OpenPage, lab: Lab, tmp_path: Path) -> None:
    notebook = open_page("light")
    notebook.open("05_playground.ipynb", APP)
    notebook.run_all()
    assert notebook.cell_errors() == []
    play = PlaygroundView(notebook.page, Mouse(notebook.page))
    play.enqueue("a", 1)
    play.call("reserve", 2)
    play.call("cancel a", 3)
    play.call("ack a#1", 4)
    play.met("Too late")
    notebook.screenshot("notebook7-playground", tmp_path)
    assert complaints(notebook) == []
