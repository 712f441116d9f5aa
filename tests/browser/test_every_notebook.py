"""Every notebook in JupyterLab: it runs, its widgets show what they should, it fits, and everybody can use it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lab_server import THEMES, Lab
from lesson_widgets import NOTEBOOKS, asks, bare, predicts_of, shown_by, steps_of, text_of
from notebook_page import OpenPage, expect

from rq import Stepper

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
    """The step's call, answer and reason, as `print` gives them, stand in the page."""
    if isinstance(widget, Stepper) and widget.index > 0:
        step, page = widget.trace.steps[widget.index - 1], bare(root.evaluate(_TEXT))
        for part in (step.call, step.answer, step.why):
            assert bare(part) in page
            assert bare(part) in bare(str(widget.trace))


def test_with_the_mouse_every_step_shows_what_it_should(opened: Any) -> None:
    notebook, shown = opened
    for number, widget in enumerate(steps_of(shown)):
        root = notebook.page.locator(".rq-steps").nth(number)
        if asks(widget):
            for _ in range(len(widget.trace)):
                for button in (widget.question.skip, widget.question.onward):
                    root.get_by_role("button", name=button.description, exact=True).click()
                    button.click()
                    see(root, widget)
            assert widget.index == len(widget.trace)
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
    for number, widget in enumerate(steps_of(shown)):
        root = notebook.page.locator(".rq-steps").nth(number)
        calls = root.locator(".rq-calls select")
        calls.focus()
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
    pages = notebook.page.locator(".widget-vbox:not(.rq-steps) > .widget-vbox", has_text="What will")
    predicts = predicts_of(shown)
    for number, widget in enumerate(predicts):
        root = pages.nth(number)
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


def _feedback(widget: Any) -> str:
    from html import unescape

    return unescape(widget.feedback.value.split('reply">')[1].split("</div>")[0])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("theme", THEMES)
def test_it_fits(opened: Any, theme: str, width: str, tmp_path: Path) -> None:
    """Nothing is cut or overlaps, and nothing scrolls sideways but a wide table in a narrow window."""
    notebook, _ = opened
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
def test_axe_finds_no_serious_fault(opened: Any, theme: str) -> None:
    """axe-core looks at names, roles and contrast (4.5:1 for text, 3:1 for large text and marks)."""
    from axe_playwright_python.sync_playwright import Axe

    notebook, _ = opened
    notebook.use(theme)
    notebook.resize(1280)
    found = Axe().run(notebook.page, context={"include": [[".jp-OutputArea-output"]]}).response["violations"]
    serious = [
        (fault["id"], fault["help"], [node["html"][:200] for node in fault["nodes"][:3]])
        for fault in found
        if fault["impact"] in ("serious", "critical")
    ]
    assert serious == []


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
