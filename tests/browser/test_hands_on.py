"""What a learner does: a predict round, the playground, a race. With the mouse, and again with the keyboard alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from contrast import ENOUGH, contrast_of
from hands import HANDS
from lab_server import Lab
from notebook_page import NotebookPage, OpenPage, expect
from playground_view import PlaygroundView
from stepper_view import StepperView

from rq import EXAMPLES, trace
from rq.answers import show

FENCE = trace(EXAMPLES["retry fences old attempt"].scenario)
HOSTILE = "<img src=x onerror=alert(1)>"

IMPORTS = "from rq import Playground, Race, Stepper, check\nfrom rq.broken import GALLERY"
QUIZ = 'Stepper("retry fences old attempt", predict=True)'
PLAY = 'Playground(save="{}.json")'
RACE = 'Race(check(GALLERY["AckAcceptsOlderAttempt"]))'


@pytest.fixture(scope="module", params=[("mouse", "light"), ("keyboard", "dark")], ids=lambda pair: pair[0])
def way(request: pytest.FixtureRequest) -> tuple[str, str]:
    """How the page is used, and in which theme."""
    return request.param


@pytest.fixture(scope="module")
def opened(way: tuple[str, str], open_page: OpenPage, lab: Lab) -> Any:
    """A function that opens a notebook with one widget, runs it, and gives the page and the hands."""

    def open_widget(name: str, source: str) -> tuple[NotebookPage, Any]:
        hands, theme = way
        file = f"{name}-{hands}.ipynb"
        lab.write(file, [IMPORTS, source])
        notebook = open_page(theme)
        notebook.open(file)
        notebook.run_all()
        assert notebook.cell_errors() == []
        return notebook, HANDS[hands](notebook.page)

    return open_widget


def complains_about_nothing(notebook: NotebookPage) -> bool:
    return notebook.outside_requests == notebook.errors == notebook.dialogs == []


def test_a_predict_round(opened: Any, tmp_path: Path) -> None:
    notebook, hands = opened("quiz", QUIZ)
    stepper = StepperView(notebook.page)
    panel = stepper.root.locator(".widget-vbox", has_text="What will")
    feedback = panel.locator(".reply")
    for step in FENCE.steps:
        expect(panel).to_contain_text(f"Step {step.number}. What will {step.call} return?")
        stepper.is_at(step.number - 1)
        if step.number == 5:  # the stale ack: guess wrong first
            hands.press(panel.get_by_role("button", name="True", exact=True))
            expect(feedback).to_contain_text("✗ Not True. That would be right if an older attempt was good enough")
            expect(stepper.root.locator("[aria-live]")).to_contain_text("✗ Not True.")
            assert contrast_of(feedback) >= ENOUGH
            notebook.screenshot("quiz-wrong", tmp_path)
            stepper.is_at(4)
        hands.press(panel.get_by_role("button", name=show(step.expected), exact=True))
        expect(feedback).to_contain_text(f"✓ Yes, {show(step.expected)}")
        stepper.is_at(step.number)
        if step.number < len(FENCE):
            hands.press(panel.get_by_role("button", name="Next question >"))
            expect(stepper.root.locator("[aria-live]")).to_contain_text(f"Step {step.number + 1}. What will")
    expect(panel).to_contain_text("right at the first try: 6 of 7")
    notebook.screenshot("quiz-end", tmp_path)
    assert complains_about_nothing(notebook)


def copies(page: Any, play: PlaygroundView, hands: Any, text: str) -> None:
    """Copy is as good as its word: by the clipboard, in the older way, and where both are shut off."""
    copy = play.root.locator(".rq-share button", has_text=re.compile("^copy$"))
    page.evaluate("() => { navigator.clipboard.writeText = async text => { window.copied = text } }")
    hands.press(copy)
    done = play.root.get_by_role("button", name="copied")
    expect(done).to_be_focused()
    assert page.evaluate("window.copied") == text
    page.evaluate("""() => {
        navigator.clipboard.writeText = () => Promise.reject();
        document.execCommand = () => { window.copied = getSelection().toString(); return window.allowed } }""")
    for allowed, said in ((True, "copied"), (False, "now press Ctrl+C or Cmd+C")):
        page.evaluate("allowed => { window.allowed = allowed }", allowed)
        hands.press(copy)
        expect(play.root.get_by_role("button", name=said)).to_be_visible()
        assert page.evaluate("window.copied") == text
    expect(play.out).to_be_focused()


def test_the_playground(opened: Any, way: tuple[str, str], tmp_path: Path) -> None:
    notebook, hands = opened("play", PLAY.format(f"mine-{way[0]}"))
    play = PlaygroundView(notebook.page, hands)

    # Each of the four sequences; the last call of each is one that would be refused, or a retry.
    play.enqueue("a", 1)
    play.call("reserve", 2)
    play.call("retry a#1", 3)
    play.call("reserve", 4)
    expect(play.button("ack a#1")).to_have_text("⊘ ack a#1")
    play.call("ack a#1", 5)
    expect(play.stepper.reason).to_contain_text("stale attempt: a is on attempt 2 now")
    play.met("The late worker")
    play.enqueue("a", 6)
    play.met("Twice the same")
    play.call("cancel a", 7)
    play.call("ack a#2", 8)
    play.met("Too late")
    play.enqueue("b", 9)
    play.enqueue("c", 10)
    play.call("reserve", 11)
    play.call("retry b#1", 12)
    play.met("Behind the others")
    notebook.screenshot("playground", tmp_path)

    # Back, and on in another way: a branch. The other history stays.
    for step in (11, 10):
        hands.press(play.button("< Back"))
        play.stepper.is_at(step)
    play.call("cancel b", 11)
    left = "history 1 stays as it was; this one leaves it after call 10"
    expect(play.root.locator(".said").filter(has_text=left)).to_be_visible()
    expect(play.root.locator("[aria-live]").filter(has_text=left)).to_have_count(1)
    expect(play.history.locator("option")).to_have_count(2)
    hands.choose(play.history, 0)
    play.stepper.is_at(12)

    # Out as JSON, and in again after a restart; what is no JSON is refused.
    expect(play.out).to_have_value(re.compile(r'\["retry","b",1\]\]}$'))
    taken = play.out.input_value()
    copies(notebook.page, play, hands, taken)
    play.restart(3)
    hands.type(play.box, '{"capacity": 3')
    hands.press(play.button("load"))
    expect(play.root.get_by_role("alert")).to_contain_text("not JSON")
    play.stepper.is_at(0)
    hands.type(play.box, taken)
    hands.press(play.button("load"))
    play.stepper.is_at(12)
    hands.press(play.root.get_by_role("button", name="pytest function"))
    expect(play.out).to_have_value(re.compile(r"def test_scenario\(\):"))

    # A payload is text everywhere.
    hands.type(play.field("payload"), HOSTILE)
    play.enqueue("x", 13)
    play.restart(1)
    hands.type(play.field("payload"), HOSTILE)
    play.enqueue("x", 1)
    expect(play.stepper.view.locator("td", has_text=HOSTILE)).to_be_visible()
    assert play.root.locator("img").count() == 0

    # The kernel restarts, and the histories are there.
    expect(play.out).to_have_value(re.compile("onerror"))  # the last part to change
    histories = play.history.locator("option").all_inner_texts()
    notebook.restart_and_run_all()
    play = PlaygroundView(notebook.page, hands)
    play.stepper.is_at(1)
    expect(play.root).to_contain_text(f"taken up from mine-{way[0]}.json")
    expect(play.history.locator("option")).to_have_text(histories)
    play.met("Behind the others")
    assert complains_about_nothing(notebook)


def test_a_race(opened: Any, tmp_path: Path) -> None:
    notebook, hands = opened("race", RACE)
    stepper = StepperView(notebook.page)
    for step in range(1, 8):
        hands.press(stepper.button("Next"))
        stepper.is_at(step)
        parted = {5: "✗ Here they part. Rule X-stale", 6: "✗ They parted at step 5", 7: "✗ They parted at step 5"}
        if step in parted:
            expect(stepper.view).to_contain_text(parted[step])
        else:
            expect(stepper.view).not_to_contain_text("✗")
    left, right = stepper.view.locator(".column").all()
    expect(left).to_contain_text('ack("a", 2) → True')
    expect(right).to_contain_text('ack("a", 2) → ✗ False')
    boxes = left.bounding_box(), right.bounding_box()
    assert boxes[0]["y"] == boxes[1]["y"]  # side by side
    notebook.screenshot("race", tmp_path)
    assert complains_about_nothing(notebook)
