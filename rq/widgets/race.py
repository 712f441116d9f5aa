"""The race: the same calls on two queues, step by step."""

from __future__ import annotations

import ipywidgets as widgets

from rq.contract import Rule
from rq.html import message_html, page
from rq.race import parting, race, race_text, rule_of
from rq.race_html import race_html, race_static_html
from rq.scenario import QueueFactory, ScenarioError
from rq.state import whole_number
from rq.trace import Trace
from rq.widgets.stepper import call_lines, marked, short
from rq.widgets.steps import Steps


class Race(Steps):
    """The same calls on the right queue and on another one, in two columns that move together.

    Takes what Stepper takes, with the other queue's class; or a report of check(), whose calls go
    on after the counterexample, to show what becomes of the jobs. The first step where the answers
    differ is marked and named by its rule. `at` is the step to open at. Bad input shows its fault in
    one sentence in the widget's place; it is also in `error` (otherwise None).
    """

    def __init__(self, source: object, queue_class: QueueFactory | None = None, *, at: int = 0) -> None:
        super().__init__()
        self.error: str | None = None
        self.trace: Trace | None = None
        self.rule: Rule | None = None
        at = whole_number("at", at)
        try:
            self.trace = race(source, queue_class)
        except ScenarioError as error:
            self.error = str(error)
            self.children = [widgets.HTML(page(self.static_html()))]
            return
        self.rule = rule_of(source, self.trace, queue_class)
        self.build(len(self.trace))
        self.calls.layout.width = "33em"
        self.view.layout.flex = "1 1 60em"  # where two columns have no room beside the list, they go below it
        self.index = at

    def labels(self, index: int) -> list[str]:
        """The calls, each with the right answer and the other queue's; those after `index` are hidden."""
        if self.trace is None:
            return []
        width = max((len(short(step.expected)) for step in self.trace.steps), default=0)
        both = [f"{short(step.expected):<{width}} | {marked(step)}" for step in self.trace.steps]
        return call_lines(self.trace, index, both)

    def view_html(self, index: int) -> str:
        """Both queues at this step."""
        return race_html(self.trace, self.rule, index) if self.trace is not None else ""

    def static_html(self) -> str:
        """The whole race as one table, or the sentence that says what is wrong."""
        if self.trace is None:
            return message_html(f"Race cannot show this: {self.error}")
        return race_static_html(self.trace, self.rule)

    def __repr__(self) -> str:
        if self.trace is None:
            return f"Race: {self.error}"
        end = parting(self.trace, self.rule, len(self.trace)) or "the same answers"
        return f"Race: {self.trace.title}, step {self.index} of {len(self.trace)}. {end}"

    def __str__(self) -> str:
        return repr(self) if self.trace is None else race_text(self.trace, self.rule)
