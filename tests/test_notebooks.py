"""The notebooks keep their habits, and the answers to their exercises run.

That every notebook runs, and gives the outputs that are stored, is nbval's part.
"""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
LESSONS = [path for path in NOTEBOOKS if not path.stem.startswith("00")]
ANSWER = re.compile(r"<details><summary>Show the answer</summary>(.*?)</details>", re.S)
PYTHON = re.compile(r"```python\n(.*?)```", re.S)


def cells(path: Path, kind: str) -> list[nbformat.NotebookNode]:
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == kind]


def answers(path: Path) -> list[str]:
    return [answer for cell in cells(path, "markdown") for answer in ANSWER.findall(cell.source)]


def programs() -> list[pytest.param]:
    return [
        pytest.param(path, program, id=f"{path.stem}-{number}")
        for path in LESSONS
        for number, answer in enumerate(answers(path), start=1)
        for program in PYTHON.findall(answer)
    ]


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 5


@pytest.mark.parametrize(("path", "program"), programs())
def test_an_answer_runs_and_asserts_its_claim(path, program):
    imports = cells(path, "code")[0].source
    assert "assert" in program
    exec(compile(f"{imports}\n{program}", f"{path.name} answer", "exec"), {})


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_has_two_or_three_exercises_each_with_a_program_as_answer(path):
    found = answers(path)
    assert 2 <= len(found) <= 3
    assert all(PYTHON.search(answer) for answer in found)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_title_asks_a_question(path):
    title = cells(path, "markdown")[0].source.splitlines()[0]
    assert title.startswith("# ")
    assert title.endswith("?")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_code_cells_are_short_and_imports_stand_in_the_first(path):
    first, *others = cells(path, "code")
    assert first.source.startswith("from rq import")
    assert all(len(line) <= 96 for cell in (first, *others) for line in cell.source.splitlines())  # fits a projector
    for cell in others:
        assert len(cell.source.splitlines()) <= 15
        assert not re.search(r"^\s*(import|from)\b", cell.source, re.M)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_stored_outputs_are_static_and_complete(path):
    notebook = nbformat.read(path, as_version=4)
    assert "widgets" not in notebook.metadata
    for number, cell in enumerate(cells(path, "code"), start=1):
        assert cell.execution_count == number
        for output in cell.outputs:
            assert output.output_type != "error"
            assert "application/vnd.jupyter.widget-view+json" not in output.get("data", {})


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_stored_widget_shows_its_table(path):
    for cell in cells(path, "code"):
        if re.match(r"(Stepper|StoryStepper|Predict|Race)\(", cell.source.splitlines()[-1]):
            assert "<table" in cell.outputs[-1].data["text/html"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_links_lead_to_files(path):
    for cell in cells(path, "markdown"):
        for target in re.findall(r"\]\(([^)#:]+)\)", cell.source):
            assert (FOLDER / target).exists(), target
