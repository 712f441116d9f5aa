"""People click fast, twice, and while something else still moves: the view always matches its index."""

from __future__ import annotations

from typing import Any

import pytest
from hands import Mouse
from lab_server import Lab
from notebook_page import NotebookPage, OpenPage, expect
from playground_view import PlaygroundView
from stepper_view import StepperView

CELLS = [
    "from rq import Playground, Stepper, random_scenario\none = Stepper(random_scenario(3, 40))\none",
    "one",
    "Playground()",
    'Stepper("retry fences old attempt", predict=True)',
    """import threading
from rq import Queue

class Stuck(Queue):
    def reserve(self):
        threading.Event().wait()

Playground(queue_class=Stuck)""",
    'from pathlib import Path\nwhile Path("busy").exists():\n    pass',
]
FIRST, COPY = 0, 1


@pytest.fixture(scope="module")
def notebook(open_page: OpenPage, lab: Lab) -> NotebookPage:
    lab.write("impatience.ipynb", CELLS)
    notebook = open_page("light")
    notebook.open("impatience.ipynb")
    notebook.run_all()
    return notebook


@pytest.fixture
def stepper(notebook: NotebookPage) -> StepperView:
    """The first stepper, before any call."""
    stepper = StepperView(notebook.page, FIRST)
    stepper.button("First").click()
    stepper.is_at(0)
    return stepper


def in_one_go(button: Any, times: int) -> None:
    """Click without waiting for anything, as fast as the page takes it."""
    button.evaluate("(button, times) => { for (let n = 0; n < times; n++) button.click() }", times)


def test_ten_fast_clicks_go_ten_steps(stepper: StepperView) -> None:
    in_one_go(stepper.button("Next"), 10)
    stepper.is_at(10)
    in_one_go(stepper.button("Back"), 4)
    in_one_go(stepper.button("Next"), 1)
    stepper.is_at(7)


def test_a_double_click_is_two_clicks(stepper: StepperView) -> None:
    stepper.button("Next").dblclick()
    stepper.is_at(2)


def test_everything_at_once_ends_in_one_place(stepper: StepperView) -> None:
    """The buttons, the list, the slider's keys: in whatever order they arrive, all parts agree in the end."""
    for step in (30, 5, 17):
        stepper.click_call(step)
        in_one_go(stepper.button("Next"), 3)
    stepper.handle.focus()
    for _ in range(5):
        stepper.page.keyboard.press("ArrowRight")
    stepper.button("Last").click()
    stepper.button("Back").click()
    stepper.settles()


def test_playing_while_the_slider_is_dragged(stepper: StepperView) -> None:
    play, stop = stepper.play.nth(0), stepper.play.nth(1)
    play.click()
    box = stepper.handle.bounding_box()
    stepper.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    stepper.page.mouse.down()
    for pixels in range(0, 90, 10):
        stepper.page.mouse.move(box["x"] + pixels, box["y"] + 5)
    stepper.page.mouse.up()
    play.click()
    expect(stepper.view).not_to_contain_text("step 0 of ")
    stepper.button("Last").click()
    stepper.is_at(40)
    stop.click()
    stepper.is_at(0)


def test_two_copies_of_one_stepper_move_together(notebook: NotebookPage, stepper: StepperView) -> None:
    copy = StepperView(notebook.page, COPY)
    stepper.button("Next").click()
    copy.is_at(1)
    in_one_go(copy.button("Next"), 6)
    in_one_go(stepper.button("Next"), 3)
    stepper.is_at(10)
    copy.is_at(10)


def test_fast_clicks_in_the_playground(notebook: NotebookPage) -> None:
    play = PlaygroundView(notebook.page, Mouse(notebook.page))
    in_one_go(play.enqueues, 3)
    in_one_go(play.button("reserve"), 4)
    play.stepper.is_at(7)
    in_one_go(play.button("ack a#1"), 2)
    play.stepper.is_at(9)
    expect(play.stepper.reason).to_contain_text("finished: a is done")
    in_one_go(play.button("< Back"), 3)
    in_one_go(play.button("cancel a"), 2)
    play.stepper.is_at(8)


def test_what_is_done_while_a_cell_runs_is_done_afterwards_in_that_order(notebook: NotebookPage, lab: Lab) -> None:
    """Some of it waits in one thread and some in another; the browser's clock tells what was first."""
    play = PlaygroundView(notebook.page, Mouse(notebook.page))
    play.restart(3)
    histories = play.history.locator("option").count()
    busy = lab.root / "busy"
    busy.touch()
    cell = notebook.page.locator(".jp-CodeCell").last
    cell.locator(".cm-content").click()
    notebook.command("notebook:run-cell")
    expect(cell.locator(".jp-InputPrompt")).to_contain_text("*")
    play.hands.type(play.field("id"), "one")
    play.enqueues.click()
    play.stepper.button("Back").click()
    play.button("reserve").click()
    play.stepper.is_at(0)
    busy.unlink()
    expect(play.stepper.reason).to_contain_text("reserve() → None")
    play.stepper.is_at(1)
    play.hands.choose(play.history, histories - 1)
    expect(play.stepper.reason).to_contain_text('enqueue("one", "ONE") → True')
    play.stepper.is_at(1)


def test_a_queue_that_never_answers_is_stopped(notebook: NotebookPage) -> None:
    """Its class waits for what never comes; a timer can end that only in the kernel's main thread."""
    play = PlaygroundView(notebook.page, Mouse(notebook.page), number=1)
    in_one_go(play.button("reserve"), 2)
    play.stepper.is_at(2)
    expect(play.stepper.view).to_contain_text("not reached")
    play.stepper.button("Back").click()
    play.stepper.is_at(1)
    expect(play.stepper.view).to_contain_text("no answer: the call did not end")


def test_a_double_click_on_a_guess_answers_one_question(notebook: NotebookPage) -> None:
    quiz = StepperView(notebook.page, 3)
    in_one_go(quiz.root.get_by_role("button", name="True", exact=True), 3)
    quiz.is_at(1)
    expect(quiz.root).to_contain_text("right at the first try: 1 of 1")


def test_run_all_twice_and_a_restart_in_the_middle(notebook: NotebookPage) -> None:
    notebook.run_all()
    notebook.run_all()
    stepper = StepperView(notebook.page, FIRST)
    stepper.is_at(0)
    in_one_go(stepper.button("Next"), 5)
    notebook.restart_and_run_all()
    stepper = StepperView(notebook.page, FIRST)
    stepper.is_at(0)
    stepper.button("Next").click()
    stepper.is_at(1)
    assert notebook.cell_errors() == []
    assert notebook.outside_requests == notebook.errors == notebook.dialogs == []
