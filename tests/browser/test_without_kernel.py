"""The notebooks as committed, for a reader without a kernel: in JupyterLab, not trusted, and as HTML pages."""

from __future__ import annotations

import re
from typing import Any

import nbformat
import pytest
from lab_server import STORED, Lab
from lesson_widgets import FOLDER, NOTEBOOKS, bare, text_of
from nbconvert import HTMLExporter
from notebook_page import OpenPage, expect

BROKEN = re.compile("Error displaying widget|Loading widget|model not found", re.I)


def static_forms(notebook: str) -> list[str]:
    """The text of each stored HTML output: tables, and the static forms of widgets."""
    cells = nbformat.read(FOLDER / f"{notebook}.ipynb", as_version=4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    return [text_of(output.data["text/html"]) for output in outputs if "text/html" in output.get("data", {})]


_TEXTS = """all => all.map(one => {
    const copy = one.cloneNode(true);
    copy.querySelectorAll('style').forEach(style => style.remove());
    return copy.textContent })"""


def missing(name: str, html_parts: Any) -> list[str]:
    """The static forms that none of these parts of a page shows."""
    shown = [bare(text) for text in html_parts.evaluate_all(_TEXTS)]
    return [text for text in static_forms(name) if not any(text in each for each in shown)]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_in_jupyterlab_every_table_is_there_before_anything_runs(open_page: OpenPage, lab: Lab, name: str) -> None:
    notebook = open_page("light")
    notebook.open(f"{STORED}/{name}.ipynb")
    trust = notebook.page.locator(".jp-StatusItem-trust")
    expect(trust).to_have_attribute("title", re.compile(r"not trusted: 0 of \d+ code cells trusted"))
    folded = notebook.page.locator(".jp-OutputPlaceholder")
    for _ in range(folded.count()):
        folded.first.click()  # what is folded away opens with a click, and is no placeholder any more
    assert missing(name, notebook.page.locator(".jp-RenderedHTML")) == []
    assert not BROKEN.search(" ".join(notebook.page.locator(".jp-OutputArea").all_inner_texts()))
    assert notebook.errors == notebook.outside_requests == notebook.dialogs == []
    notebook.page.close()


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_as_a_page_of_its_own_every_table_is_there(browser: Any, tmp_path: Any, name: str) -> None:
    html, _ = HTMLExporter().from_filename(str(FOLDER / f"{name}.ipynb"))
    path = tmp_path / f"{name}.html"
    path.write_text(html, encoding="utf-8")
    page = browser.new_page()
    page.route("http*://**", lambda route: route.abort())  # the page would fetch MathJax; nothing here needs it
    page.goto(path.as_uri())
    assert missing(name, page.locator(".jp-RenderedHTMLCommon")) == []
    assert not BROKEN.search(" ".join(page.locator(".jp-OutputArea").all_inner_texts()))
    page.close()
