"""The widgets of a notebook, made in this process too, so that the page can be compared with them."""

from __future__ import annotations

import ast
import contextlib
import io
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import nbformat

from rq import Playground, Predict, Race, Stepper
from rq.answers import show
from rq.beyond.story import Moment
from rq.trace import Step
from rq.widgets.steps import Steps

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
NOTEBOOKS = sorted(path.stem for path in FOLDER.glob("*.ipynb"))


def shown_by(notebook: str) -> list[Any]:
    """Run the notebook's code cells, and give what each shows, in order."""
    names: dict[str, Any] = {"__name__": "__main__"}
    shown = []
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in nbformat.read(FOLDER / f"{notebook}.ipynb", as_version=4).cells:
            if cell.cell_type == "code":
                *body, last = ast.parse(cell.source).body
                if not isinstance(last, ast.Expr):
                    body.append(last)
                exec(compile(ast.Module(body, []), notebook, "exec"), names)
                if isinstance(last, ast.Expr):
                    shown.append(eval(compile(ast.Expression(last.value), notebook, "eval"), names))
    return shown


def steps_of(shown: list[Any]) -> list[Steps]:
    """The widgets that step, in the page's order; a playground holds one."""
    widgets = [each.stepper if isinstance(each, Playground) else each for each in shown]
    return [each for each in widgets if isinstance(each, Steps)]


def asks(widget: Steps) -> bool:
    """True for a stepper that asks before it shows."""
    return isinstance(widget, Stepper) and widget.score is not None


def predicts_of(shown: list[Any]) -> list[Predict]:
    """The single questions, in the page's order."""
    return [each for each in shown if isinstance(each, Predict)]


def playgrounds_of(shown: list[Any]) -> list[Playground]:
    """The playgrounds, in the page's order."""
    return [each for each in shown if isinstance(each, Playground)]


def told(widget: Any) -> list[str]:
    """What the text form says of the step that is shown, part by part; AssertionError if it leaves something out.

    The parts are those of the trace or the story, and each must stand in the step's own lines.
    """
    if not isinstance(widget, (Stepper, Race)):
        parts = _parts_of_moment(widget.story.moments[widget.index])
    elif widget.index == 0:
        parts = []
    else:
        parts = _parts_of_step(widget.trace.steps[widget.index - 1], isinstance(widget, Race))
    lines = bare(_lines_of_step(str(widget), widget.index)) if parts else ""
    assert [part for part in parts if bare(part) not in lines] == []
    if isinstance(widget, Race) and widget.index == len(widget.trace) and widget.rule is not None:
        parts.append(str(widget).splitlines()[-1])  # where they part
    return parts


def _parts_of_step(step: Step, race: bool) -> list[str]:
    if not race:
        return [step.call, step.answer, step.why]
    other = show(step.returned)
    return [step.call, show(step.expected), other if step.agrees else f"✗ {other}", step.why]


def _parts_of_moment(moment: Moment) -> list[str]:
    cells = [str(cell) for table in moment.tables for row in table.rows for cell in row]
    return [moment.event, moment.sentence, *(table.caption for table in moment.tables), *cells]


def _lines_of_step(text: str, number: int) -> str:
    """A step's own lines in a text form: from the one with its number to the next that has a number."""
    steps = re.split(r"\n(?= {0,2}\d+   )", text)[1:]
    return next(step for step in steps if step.split()[0] == str(number))


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self._hidden = False

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self._hidden = tag == "style"

    def handle_endtag(self, tag: str) -> None:
        self._hidden = False

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.text.append(data)


def text_of(html: str) -> str:
    """The text of a piece of HTML, without any white space: a page draws that in its own way."""
    parser = _Text()
    parser.feed(html)
    return bare("".join(parser.text))


def bare(text: str) -> str:
    """A text without white space."""
    return re.sub(r"\s+", "", text)
