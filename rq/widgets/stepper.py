"""The stepper: go forward and back through a trace."""

from __future__ import annotations

import ipywidgets as widgets

from rq.answers import show
from rq.html import message_html, static_html, step_html
from rq.queue import Queue
from rq.scenario import QueueFactory, ScenarioError
from rq.trace import Step, Trace, as_trace
from rq.widgets.steps import Steps

_HIDDEN = "…"


class Stepper(Steps):
    """Steps through a scenario: the calls so far, the state tables, the tickets, and the reason for each answer.

    Takes a Scenario, an example's name, a dict, JSON text or a Trace. `at` is the step to open at;
    index 0 shows the empty queue before any call. Answers of later calls stay hidden until they
    are reached. A bad scenario shows its fault in one sentence in the widget's place; it is also
    in `error` (otherwise None).
    """

    def __init__(self, source: object, queue_class: QueueFactory = Queue, *, at: int = 0) -> None:
        super().__init__()
        self.error: str | None = None
        self.trace: Trace | None = None
        try:
            self.trace = as_trace(source, queue_class)
        except ScenarioError as error:
            self.error = str(error)
            self.children = [widgets.HTML(self.static_html())]
            return
        self.build(len(self.trace))
        self.index = at

    def labels(self, index: int) -> list[str]:
        """The calls; the answers of those after `index` are hidden."""
        return call_labels(self.trace, index) if self.trace is not None else []

    def view_html(self, index: int) -> str:
        """The step with its reason, the state tables and the tickets."""
        return step_html(self.trace, index) if self.trace is not None else ""

    def static_html(self) -> str:
        """The whole trace as one table, or the sentence that says what is wrong."""
        if self.trace is None:
            return message_html(f"Stepper cannot show this: {self.error}")
        return static_html(self.trace)

    def __repr__(self) -> str:
        if self.trace is None:
            return f"Stepper: {self.error}"
        return f"Stepper: {self.trace.title}, step {self.index} of {len(self.trace)}"

    def __str__(self) -> str:
        return repr(self) if self.trace is None else str(self.trace)


def call_labels(trace: Trace, index: int) -> list[str]:
    """A line for each step from 0 on: its call, and its answer if it is reached at `index`."""
    calls = [_cut(step.call) for step in trace.steps]
    width = max(map(len, calls), default=0)
    lines = [" 0  before any call"]
    for step, call in zip(trace.steps, calls, strict=True):
        lines.append(f"{step.number:>2}  {call:<{width}}  {short_answer(step) if step.number <= index else _HIDDEN}")
    return lines


def short_answer(step: Step) -> str:
    """The answer in a few letters: the list has no room for more, and the view says it in full."""
    answer = step.returned
    text = f"{answer[0]}#{answer[2]}" if isinstance(answer, list) else _cut(show(answer), 12)
    return text if step.agrees else f"✗ {text}"


def _cut(call: str, most: int = 28) -> str:
    return call if len(call) <= most else call[: most - 1] + "…"
