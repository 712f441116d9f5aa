"""Ids, payloads and titles that look like something else are text: in widgets, tables and static pages."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from lab_server import STORED, THEMES, Lab
from nbconvert import HTMLExporter
from notebook_page import NotebookPage, OpenPage, expect
from stepper_view import StepperView

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)",
    "</style><b>bold</b>",
    "\"' onload='alert(1)",
    "\\n \\ \\u003cb\\u003e",
    "$x^2$ [a](b) `c` **d** &lt;",
    "{{ 7*7 }} %s {0} ${x}",
    "W" * 32,
    "  two  spaces  ",
]
AS_SHOWN = [text if text == text.strip() else f'"{text}"' for text in HOSTILE]
LONG_ID = "x" * 16

CELLS = [
    f"""from rq import *
from rq.broken import GALLERY
hostile = {HOSTILE!r}
ops = [["enqueue", f"job-{{n}}", payload] for n, payload in enumerate(hostile)] + [["reserve"]] * len(hostile)
scenario = Scenario(16, [*ops, ["enqueue", "{LONG_ID}", hostile[0]]], title=hostile[0])""",
    "Stepper(scenario, at=19)",
    "Stepper(scenario, predict=True, at=9)",
    "Predict(scenario, 10)",
    'Race(scenario, GALLERY["Lifo"], at=12)',
    "play = Playground(16)\nplay.load(scenario)\nplay",
    "trace_table(scenario)",
    "timeline_table(scenario)",
    "in_full(timeline_table(scenario))",
    "in_full(state_table(trace(scenario).queues_at(18).current))",
]


@pytest.fixture(scope="module", params=THEMES)
def notebook(request: pytest.FixtureRequest, open_page: OpenPage, lab: Lab) -> NotebookPage:
    name = f"hostile-{request.param}.ipynb"
    lab.write(name, CELLS)
    notebook = open_page(request.param)
    notebook.open(name)
    notebook.run_all()
    assert notebook.cell_errors() == []
    return notebook


def test_it_is_shown_as_it_is(notebook: NotebookPage, tmp_path: Path) -> None:
    stepper = StepperView(notebook.page, 0)
    stepper.is_at(19)
    cells = [text.replace("\u00a0", " ") for text in stepper.view.locator("td").all_text_contents()]
    assert set(AS_SHOWN) <= set(cells)
    for number in range(3):
        assert StepperView(notebook.page, number).view.get_by_text(HOSTILE[0], exact=False).count() > 0
    notebook.screenshot("hostile", tmp_path)


def test_nothing_of_it_is_run_or_drawn(notebook: NotebookPage) -> None:
    outputs = notebook.page.locator(".jp-OutputArea-output")
    for tag in ("img", "script", "b:text-is('bold')", "mjx-container", "em", "strong:text-is('d')"):
        assert outputs.locator(tag).count() == 0
    assert notebook.dialogs == notebook.errors == notebook.outside_requests == []


def test_what_is_long_does_not_break_the_page(notebook: NotebookPage) -> None:
    for width in (1280, 1024):
        notebook.resize(width)
        wide = notebook.page.locator(".rq-view").evaluate_all(
            "views => views.filter(view => view.scrollWidth > view.clientWidth + 1).length"
        )
        assert wide == 0


def test_the_static_form_shows_it_too(notebook: NotebookPage, lab: Lab, browser: object) -> None:
    """The notebook as it is saved, made into a page of its own."""
    notebook.command("docmanager:save")
    expect(notebook.page.locator(".jp-mod-dirty")).to_have_count(0)
    saved = nbformat.read(lab.root / notebook.notebook, as_version=4)
    html, _ = HTMLExporter().from_notebook_node(saved)
    path = lab.root / STORED / notebook.notebook.replace(".ipynb", ".html")
    path.write_text(html, encoding="utf-8")
    page = browser.new_page()  # type: ignore[attr-defined]
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.route("http*://**", lambda route: route.abort())
    page.goto(path.as_uri())
    shown = page.locator(".rq td, .dataframe td").all_text_contents()
    assert {text for text in HOSTILE if text.strip() == text} <= set(shown)
    assert page.locator(".jp-OutputArea img").count() == 0
    assert dialogs == []
    page.close()
