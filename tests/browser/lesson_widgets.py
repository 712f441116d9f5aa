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

from rq import Playground, Predict, Stepper
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
