"""A lesson of the course in a real browser, from opening it to reading why a stale ack is refused."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from lab_server import THEMES, Lab
from notebook_page import OpenPage, expect
from stepper_view import StepperView

LESSON = "03_fencing.ipynb"


@pytest.mark.parametrize("theme", THEMES)
def test_the_fencing_lesson_runs_and_explains_the_stale_ack(
    lab: Lab, open_page: OpenPage, theme: str, tmp_path: Path
) -> None:
    copy = f"{theme}-{LESSON}"  # each theme has a file of its own, and so a fresh kernel
    shutil.copy(lab.root / LESSON, lab.root / copy)
    notebook = open_page(theme)
    notebook.open(copy)
    notebook.run_all()
    assert notebook.cell_errors() == []

    stepper = StepperView(notebook.page)
    stepper.is_at(0)
    stepper.press("Next", times=5)
    stepper.is_at(5)
    expect(stepper.reason).to_contain_text('ack("a", 1) → False')
    expect(stepper.reason).to_contain_text("stale attempt: a is on attempt 2 now")
    expect(stepper.reason).to_be_visible()
    notebook.screenshot("lesson", tmp_path)
    stepper.press("Back")
    stepper.is_at(4)

    assert notebook.outside_requests == []
    assert notebook.errors == []
    assert notebook.dialogs == []
