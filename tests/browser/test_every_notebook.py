"""Every notebook in JupyterLab: it runs, its widgets show what they should, it fits, and everybody can use it."""

from __future__ import annotations

from html import unescape
from pathlib import Path
from typing import Any

import pytest
from contrast import ENOUGH, ENOUGH_FOR_MARKS, marks_of, texts_of
from hands import Keyboard, Mouse
from lab_server import THEMES, Lab
from lesson_widgets import NOTEBOOKS, asks, bare, playgrounds_of, predicts_of, shown_by, steps_of, text_of, told
from notebook_page import OpenPage, expect
from playground_view import PlaygroundView

from rq import Race
from rq.answers import show

WIDTHS = {"projector": 1280, "laptop with the sidebar open": 1024, "narrow split": 1024}

_TEXT = "root => [...root.querySelectorAll('.rq-view .rq')].map(part => part.textContent).join('')"

_IN_THE_NOTEBOOK = ".jp-NotebookPanel:not(.lm-mod-hidden)"

_TOO_WIDE = """tablesMayScroll => [...document.querySelectorAll(
        ':is(.rq, .widget-vbox, .widget-hbox, .jp-OutputArea-output, .jp-RenderedMarkdown)')]
    .filter(part => part.closest(IN_THE_NOTEBOOK) && part.offsetParent && part.scrollWidth > part.clientWidth + 1)
    .filter(part => !(tablesMayScroll &&
        [...part.querySelectorAll('table')].some(table => table.offsetWidth > part.clientWidth)))
    .map(part => [part.className, part.scrollWidth, part.clientWidth, part.innerText.slice(0, 60)])""".replace(
    "IN_THE_NOTEBOOK", repr(_IN_THE_NOTEBOOK)
)
"""The parts whose content is wider than they are; a wide table may scroll if there is no room for it."""

_BROKEN_NAMES = """() => [...document.querySelectorAll('.rq a')]
    .filter(link => link.closest(IN_THE_NOTEBOOK) && link.getClientRects().length > link.innerText.split(/[ -]/).length)
    .map(link => link.innerText)""".replace("IN_THE_NOTEBOOK", repr(_IN_THE_NOTEBOOK))
"""The links whose name breaks inside a word."""

_OVERLAPS = """() => {
    const overlap = (a, b) =>
        a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const found = [];
    for (const box of document.querySelectorAll(':is(.widget-hbox, .widget-vbox)')) {
        const parts = [...box.children].filter(part => part.offsetParent && part.closest(IN_THE_NOTEBOOK));
        parts.forEach((one, number) => parts.slice(number + 1).forEach(other => {
            if (overlap(one.getBoundingClientRect(), other.getBoundingClientRect()))
                found.push([one.innerText.slice(0, 40), other.innerText.slice(0, 40)]) }));
    }
    return found }""".replace("IN_THE_NOTEBOOK", repr(_IN_THE_NOTEBOOK))
"""Pairs of neighbours in a widget of which one covers a part of the other."""


@pytest.fixture(scope="module", params=NOTEBOOKS)
def opened(request: pytest.FixtureRequest, open_page: OpenPage, lab: Lab) -> Any:
    """A notebook that has run in the page, and what its cells show when they run here."""
    notebook = open_page("light")
    notebook.open(f"{request.param}.ipynb")
    notebook.run_all()
    yield notebook, shown_by(request.param)
    notebook.page.close()


def test_it_runs_without_a_complaint(opened: Any) -> None:
    notebook, shown = opened
    assert notebook.cell_errors() == []
    expect(notebook.page.locator(".rq-steps")).to_have_count(len(steps_of(shown)))
    expect(notebook.page.locator(".rq-steps .rq-view .rq")).to_have_count(len(steps_of(shown)))


def see(root: Any, widget: Any) -> None:
    """Wait until the page shows what the widget here shows."""
    expected = text_of(widget.view.value)
    root.page.wait_for_function(
        f"([root, expected]) => ({_TEXT})(root).replace(/\\s+/g, '') === expected",
        arg=[root.element_handle(), expected],
    )


def agrees_with_the_text_form(root: Any, widget: Any) -> None:
    """What `print` gives for this step (call, answers, reason, tables) stands in the page."""
    page = bare(root.evaluate(_TEXT))
    assert [part for part in told(widget) if bare(part) not in page] == []


def press(root: Any, hands: Any, widget: Any, button: Any) -> None:
    """Press a button of a widget, in the page and here; both must show the same after it."""
    hands.press(root.get_by_role("button", name=button.description, exact=True))
    button.click()
    see(root, widget)


def answer(root: Any, widget: Any, hands: Any) -> None:
    """Answer the question that a quiz asks: wrong first, then right, and go on to the next one."""
    right = show(widget.trace.steps[widget.index].expected)
    wrong = next(text for text in widget.question.choices if text != right)
    for text in (wrong, right):
        press(root, hands, widget, widget.question.choices[text])
        said = " ".join(_feedback(widget.question).split())
        expect(root.locator(".said").filter(has_text=said).first).to_be_visible()
    press(root, hands, widget, widget.question.onward)


def skip(root: Any, widget: Any, hands: Any) -> None:
    """Have the answer shown, and go on to the next question."""
    for button in (widget.question.skip, widget.question.onward):
        press(root, hands, widget, button)


def test_with_the_mouse_every_step_shows_what_it_should(opened: Any) -> None:
    """A quiz is left half done: each of its questions is asked once, and the keyboard has the other half."""
    notebook, shown = opened
    hands = Mouse(notebook.page)
    for number, widget in enumerate(steps_of(shown)):
        root = notebook.page.locator(".rq-steps").nth(number)
        if asks(widget):
            half = len(widget.trace) // 2
            for step in range(half):
                (answer if step % 2 else skip)(root, widget, hands)
            assert widget.index == half
        else:
            root.get_by_role("button", name="First").click()
            widget.first.click()
            for _ in range(int(widget.slider.max)):
                root.get_by_role("button", name="Next").click()
                widget.next.click()
                see(root, widget)
                agrees_with_the_text_form(root, widget)


def test_by_keyboard_alone_every_step_shows_what_it_should(opened: Any) -> None:
    notebook, shown = opened
    hands = Keyboard(notebook.page)
    for number, widget in reversed(list(enumerate(steps_of(shown)))):  # the mouse has left the focus at the last one
        root = notebook.page.locator(".rq-steps").nth(number)
        while asks(widget) and widget.index < len(widget.trace):
            answer(root, widget, hands)
        calls = root.locator(".rq-calls select")
        hands.reach(calls)
        notebook.page.keyboard.press("End")
        widget.last.click()
        see(root, widget)
        while widget.index > 0:
            notebook.page.keyboard.press("ArrowUp")
            widget.back.click()
            see(root, widget)
            expect(calls).to_be_focused()


def test_every_question_answers_to_every_guess(opened: Any) -> None:
    notebook, shown = opened
    for number, widget in enumerate(predicts_of(shown)):
        root = _predicts(notebook).nth(number)
        right = [text for text in widget.choices if text == widget._step.answer]
        for turn, text in enumerate([text for text in widget.choices if text not in right] + right):
            button = root.get_by_role("button", name=text, exact=True)
            if turn % 2:
                button.click()
            else:
                button.focus()
                notebook.page.keyboard.press("Enter")
            widget.choices[text].click()
            said = " ".join(_feedback(widget).split())
            expect(root.locator(".reply")).to_contain_text(said)
            expect(root.locator("xpath=..").locator("[aria-live]")).to_contain_text(said)
        assert widget.solved


def _predicts(notebook: Any) -> Any:
    return notebook.page.locator(".widget-vbox:not(.rq-steps) > .widget-vbox", has_text="What will")


def _feedback(widget: Any) -> str:
    return unescape(widget.feedback.value.split('reply">')[1].split("</div>")[0])


CALLS = (
    ("enqueue a", ("enqueue", "a", "A")),
    ("enqueue b", ("enqueue", "b", "B")),
    ("reserve", ("reserve",)),
    ("retry a#1", ("retry", "a", 1)),
    ("reserve", ("reserve",)),
    ("ack a#1", ("ack", "a", 1)),  # late: a waits for its second attempt
    ("new queue", ("new",)),
    ("enqueue a", ("enqueue", "a", "A")),
    ("queue 0", ("use", 0)),
    ("reserve", ("reserve",)),
)
"""The text of a button, and the call it makes."""


@pytest.fixture(scope="module")
def full(opened: Any) -> Any:
    """The same page with everything in it: every last step, every answer, and playgrounds in which much was done."""
    notebook, shown = opened
    hands = Mouse(notebook.page)
    for number, widget in enumerate(playgrounds_of(shown)):
        play = PlaygroundView(notebook.page, hands, number)
        for text, call in CALLS:
            play.call(text, widget.index + 1)
            widget.call(*call)
            see(play.stepper.root, widget.stepper)
    for number, widget in enumerate(steps_of(shown)):
        root = notebook.page.locator(".rq-steps").nth(number)
        while asks(widget) and widget.furthest < len(widget.trace):
            skip(root, widget, hands)
        press(root, hands, widget, widget.last)
        agrees_with_the_text_form(root, widget)
    for number, widget in enumerate(predicts_of(shown)):
        if not widget.solved:
            root = _predicts(notebook).nth(number)
            root.get_by_role("button", name=widget._step.answer, exact=True).click()
            widget.choices[widget._step.answer].click()
    return opened


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("theme", THEMES)
def test_it_fits(full: Any, theme: str, width: str, tmp_path: Path) -> None:
    """Nothing is cut or overlaps, and nothing scrolls sideways but a wide table in a narrow window."""
    notebook, _ = full
    notebook.use(theme)
    notebook.resize(WIDTHS[width])
    split = width == "narrow split"
    if split:
        notebook.command("application:toggle-left-area")
        notebook.command("docmanager:open", path="conftest.py", options={"mode": "split-right"})
        notebook.page.wait_for_function(f"() => document.querySelector('{_IN_THE_NOTEBOOK}').clientWidth < 500")
    try:
        assert notebook.page.evaluate(_TOO_WIDE, split) == []
        assert notebook.page.evaluate(_OVERLAPS) == []
        assert notebook.page.evaluate(_BROKEN_NAMES) == []
        notebook.screenshot(f"{notebook.notebook.removesuffix('.ipynb')}-{width.split()[0]}", tmp_path)
    finally:
        if split:
            notebook.command("application:close")
            notebook.command("application:toggle-left-area")


@pytest.mark.parametrize("theme", THEMES)
def test_texts_and_marks_stand_out(full: Any, theme: str) -> None:
    """Texts have a contrast of 4.5:1 at least; edges, glyphs, icons, handles and the keyboard's focus 3:1."""
    notebook, shown = full
    notebook.use(theme)
    notebook.resize(1280)
    texts, marks = texts_of(notebook.page), marks_of(notebook.page)
    assert {what: contrast for what, contrast in texts.items() if contrast < ENOUGH} == {}
    assert {what: contrast for what, contrast in marks.items() if contrast < ENOUGH_FOR_MARKS} == {}
    kinds = {"edge", "glyph ▸", "icon", "handle", "focus"}
    if any(isinstance(widget, Race) for widget in shown):
        kinds |= {"edge of what is wrong", "glyph ✗", "glyph ●"}
    assert [kind for kind in kinds if not any(what.startswith(f"{kind}:") for what in marks)] == []
    outputs = notebook.page.locator(".jp-OutputArea-output:has(.rq-named)")
    notebook.pictures(f"{notebook.notebook.removesuffix('.ipynb')}-output", outputs)


def test_axe_finds_no_serious_fault(full: Any) -> None:
    """axe-core looks at names and roles, and is a second opinion on the contrast of texts. It measures no marks."""
    from axe_playwright_python.sync_playwright import Axe

    notebook, _ = full
    notebook.use("light")
    notebook.resize_to_all()
    # What is printed is drawn by JupyterLab, which tells a link in it by its colour alone.
    outputs = {"include": [[".jp-OutputArea-output:not(.jp-RenderedText)"]]}
    found = Axe().run(notebook.page, context=outputs).response
    serious = [
        (fault["id"], fault["help"], [node["html"][:200] for node in fault["nodes"][:3]])
        for fault in found["violations"]
        if fault["impact"] in ("serious", "critical")
    ]
    assert serious == []
    (measured,) = [rule["nodes"][0]["any"][0]["message"] for rule in found["passes"] if rule["id"] == "color-contrast"]
    assert "sufficient color contrast" in measured  # and not "Element is hidden"


def test_afterwards_nobody_complained(opened: Any) -> None:
    notebook, _ = opened
    assert notebook.outside_requests == []
    assert notebook.errors == []
    assert notebook.dialogs == []


def test_the_lessons_hold_every_kind_of_widget() -> None:
    """Otherwise a test above might have had nothing to drive."""
    shown = [each for name in NOTEBOOKS for each in shown_by(name)]
    kinds = {type(each).__name__ for each in shown}
    assert {"Stepper", "Race", "StoryStepper", "Playground", "Predict"} <= kinds
    assert any(asks(each) for each in steps_of(shown))
