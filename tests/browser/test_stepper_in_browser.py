"""The widgets in a real browser: what one sees, clicks and presses, in the light and the dark theme."""

from __future__ import annotations

from pathlib import Path

import pytest
from contrast import ENOUGH, contrast_of
from lab_server import THEMES, Lab
from notebook_page import NotebookPage, OpenPage, expect
from stepper_view import StepperView

STALE = "stale attempt: a is on attempt 2 now"
HOSTILE = "<img src=x onerror=alert(1)>"

CELLS = [
    'from rq import Predict, Scenario, Stepper\nStepper("retry fences old attempt")',
    f'hostile = {HOSTILE!r}\nStepper(Scenario(1, (("enqueue", "a", hostile), ("reserve",)), title=hostile))',
    """ops = [["new"]] * 7
for queue in range(8):
    ops += [["use", queue], ["enqueue", f"job-{queue}", "P"], ["reserve"], ["retry", f"job-{queue}", 1], ["reserve"]]
    ops += [["ack", f"job-{queue}", 2]] if queue < 5 else []
ops += [["enqueue", f"late-{n}", "a payload of 32 printable letter"] for n in range(8)]
assert len(ops) == 60
Stepper({"capacity": 16, "ops": ops})""",
    'Stepper({"capacity": 1, "ops": [["ack", "a", "1"]]})',
    'Predict("retry fences old attempt", 5)',
    "from rq import EXAMPLES, trace, trace_table\ntrace_table(trace(EXAMPLES['fifo'].scenario))",
]
FENCING, PAYLOAD, MANY_QUEUES = range(3)
"""The places of the steppers in the notebook."""


@pytest.fixture(scope="module", params=THEMES)
def notebook(request: pytest.FixtureRequest, open_page: OpenPage, lab: Lab) -> NotebookPage:
    """A notebook with the widgets, run once for each theme."""
    name = f"widgets-{request.param}.ipynb"
    lab.write(name, CELLS)
    notebook: NotebookPage = open_page(request.param)
    notebook.open(name)
    notebook.run_all()
    assert notebook.cell_errors() == []
    return notebook


@pytest.fixture
def stepper(notebook: NotebookPage) -> StepperView:
    """The stepper of the fencing example, before any call."""
    stepper = StepperView(notebook.page, FENCING)
    stepper.button("First").click()
    stepper.is_at(0)
    return stepper


def test_next_leads_to_the_stale_ack_and_back_leads_back(stepper: StepperView) -> None:
    stepper.press("Next", times=5)
    stepper.is_at(5)
    expect(stepper.reason).to_be_visible()
    expect(stepper.reason).to_contain_text('ack("a", 1) → False')
    expect(stepper.reason).to_contain_text(STALE)
    stepper.press("Back")
    stepper.is_at(4)
    expect(stepper.reason).not_to_contain_text(STALE)
    expect(stepper.view).to_contain_text("● in flight (was waiting)")


def test_a_screen_reader_hears_the_reason_of_each_step(stepper: StepperView) -> None:
    """In a region that stays: what is drawn anew, with its region, is not read out by every screen reader."""
    live = stepper.root.locator("[aria-live=polite]")
    live.evaluate("region => { region.stays = true }")
    stepper.press("Next", times=5)
    expect(live).to_contain_text('ack("a", 1) → False')
    expect(live).to_contain_text(STALE)
    assert live.evaluate("region => region.stays === true && region.offsetWidth <= 1")
    expect(stepper.handle).to_have_attribute("aria-label", "step")
    expect(stepper.play.nth(0)).to_have_attribute("aria-label", "play or pause")


def test_last_and_first_lead_to_the_ends(stepper: StepperView) -> None:
    stepper.press("Last")
    stepper.is_at(7)
    stepper.press("First")
    stepper.is_at(0)
    expect(stepper.reason).to_contain_text("before any call")


def test_a_step_past_either_end_stays_there(stepper: StepperView) -> None:
    stepper.button("Back").click()
    stepper.press("Next")
    stepper.is_at(1)
    stepper.press("Last")
    stepper.button("Next").click()
    stepper.press("Back")
    stepper.is_at(6)


def test_a_click_on_a_call_jumps_there(stepper: StepperView) -> None:
    stepper.click_call(5)
    stepper.is_at(5)
    expect(stepper.reason).to_contain_text(STALE)
    stepper.click_call(2)
    stepper.is_at(2)


def test_answers_of_later_calls_are_hidden(stepper: StepperView) -> None:
    stepper.click_call(4)
    stepper.is_at(4)
    assert stepper.label(3).endswith("True")
    assert stepper.label(5).endswith("…")


def test_arrow_keys_in_the_list_move_one_step(stepper: StepperView) -> None:
    """Also before any click: JupyterLab would take them to go to another cell."""
    stepper.calls.focus()
    for key, step in [("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1), ("End", 7), ("Home", 0)]:
        stepper.page.keyboard.press(key)
        stepper.is_at(step)
        expect(stepper.calls).to_be_focused()


def test_arrow_keys_on_the_slider_move_one_step(stepper: StepperView) -> None:
    stepper.handle.focus()
    for key, step in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowUp", 3), ("ArrowLeft", 2), ("ArrowDown", 1)]:
        stepper.page.keyboard.press(key)
        stepper.is_at(step)
        expect(stepper.handle).to_be_focused()


def test_play_moves_by_itself_and_stop_returns(stepper: StepperView) -> None:
    play, stop = stepper.play.nth(0), stepper.play.nth(1)
    play.click()
    expect(stepper.view).not_to_contain_text("step 0 of ")
    play.click()
    stop.click()
    stepper.is_at(0)


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_the_keyboard_alone_reaches_next(stepper: StepperView, key: str) -> None:
    stepper.button("First").focus()
    for text in ("Back", "Next"):
        stepper.page.keyboard.press("Tab")
        expect(stepper.button(text)).to_be_focused()
    for step in (1, 2):
        stepper.page.keyboard.press(key)
        stepper.is_at(step)
        expect(stepper.button("Next")).to_be_focused()


def test_a_payload_is_text_and_never_a_picture(notebook: NotebookPage) -> None:
    stepper = StepperView(notebook.page, PAYLOAD)
    for step in (1, 2):
        stepper.press("Next")
        stepper.is_at(step)
        expect(stepper.view.locator("td", has_text=HOSTILE)).to_be_visible()
        expect(stepper.view.locator("b", has_text=HOSTILE).first).to_be_visible()
    assert HOSTILE[:10] in stepper.label(1)
    assert notebook.page.locator(".jp-OutputArea-output img").count() == 0
    assert notebook.dialogs == []


def test_eight_queues_and_sixty_calls_fit(notebook: NotebookPage, tmp_path: Path) -> None:
    stepper = StepperView(notebook.page, MANY_QUEUES)
    stepper.button("Last").click()
    stepper.is_at(60)
    rows = stepper.view.locator("table", has_text="all queues").locator("tbody tr")
    expect(rows).to_have_count(8)
    expect(rows.filter(has_text="selected")).to_have_count(1)
    notebook.screenshot("many-queues", tmp_path)
    assert stepper.root.evaluate("root => root.scrollWidth - root.clientWidth") <= 0


def test_a_bad_scenario_shows_its_fault(notebook: NotebookPage) -> None:
    sentence = notebook.page.get_by_role("alert").filter(has_text="Stepper cannot show this")
    expect(sentence).to_be_visible()
    expect(sentence).to_contain_text('ops[0]: attempt must be a whole number from 0 to 64, not "1"')


def test_a_guess_gets_feedback(notebook: NotebookPage, tmp_path: Path) -> None:
    predict = notebook.page.locator(".widget-vbox", has_text="What will").last
    feedback = predict.locator(".reply")
    predict.get_by_role("button", name="True").click()
    expect(feedback).to_contain_text("✗ Not True")
    notebook.screenshot("predict-wrong", tmp_path, predict)
    assert contrast_of(feedback) >= ENOUGH
    predict.get_by_role("button", name="False").click()
    expect(feedback).to_contain_text("✓ Yes, False")
    expect(feedback).to_contain_text(STALE)
    notebook.screenshot("predict-right", tmp_path, predict)
    assert contrast_of(feedback) >= ENOUGH


READABLE = {
    "a changed cell": ".rq td.hit",
    "an unchanged cell": ".rq td:not(.hit)",
    "a table's header": ".rq th",
    "a table's caption": ".rq caption",
    "the reason": ".rq .why",
    "the call in the reason": ".rq .why code",
    "a call in the list": ".rq-calls option:not(:checked)",
    "the selected call": ".rq-calls option:checked",
    "a button": "button.widget-button",
    "the number beside the slider": ".widget-readout",
}


def test_everything_is_readable(stepper: StepperView, notebook: NotebookPage, tmp_path: Path) -> None:
    stepper.click_call(4)
    stepper.is_at(4)
    notebook.screenshot("stepper", tmp_path)
    contrasts = {
        what: min(contrast_of(part) for part in stepper.root.locator(where).all()) for what, where in READABLE.items()
    }
    assert {what: contrast for what, contrast in contrasts.items() if contrast < ENOUGH} == {}

    stepper.is_at(4)
    sides = stepper.view.locator("th").evaluate_all("cells => cells.map(cell => getComputedStyle(cell).textAlign)")
    assert set(sides) == {"left"}


def test_the_page_asks_nobody_else_and_complains_about_nothing(notebook: NotebookPage) -> None:
    for number in (FENCING, PAYLOAD, MANY_QUEUES):
        stepper = StepperView(notebook.page, number)
        stepper.button("Last").click()
        stepper.is_at(stepper.calls.locator("option").count() - 1)
    assert notebook.outside_requests == []
    assert notebook.errors == []
    assert notebook.dialogs == []
