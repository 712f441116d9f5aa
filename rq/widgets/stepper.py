"""The stepper: go forward and back through a trace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets as widgets

from rq.answers import show
from rq.html import message_html, static_html, step_html
from rq.queue import Queue
from rq.scenario import QueueFactory, ScenarioError
from rq.trace import Step, Trace, as_trace
from rq.widgets.static import with_static_html

_HIDDEN = "…"

KEYS = """<style onload="window.rqKeys || (window.rqKeys = true, document.addEventListener('focusin', e => {
  if (e.target.matches('.rq-calls select')) {
    e.target.setAttribute('data-lm-suppress-shortcuts', '');
    e.target.setAttribute('aria-label', 'calls') } }))"></style>"""
"""JupyterLab takes the arrow keys from a list, to move between cells; this attribute tells it not to."""


class Stepper(widgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """Steps through a scenario: the calls so far, the state tables, the tickets, and the reason for each answer.

    Takes a Scenario, an example's name, a dict, JSON text or a Trace. `at` is the step to open at;
    index 0 shows the empty queue before any call. Answers of later calls stay hidden until they
    are reached. A bad scenario shows its fault in one sentence in the widget's place; it is also
    in `error` (otherwise None).
    """

    def __init__(self, source: object, queue_class: QueueFactory = Queue, *, at: int = 0) -> None:
        self.error: str | None = None
        self.trace: Trace | None = None
        self._index, self._moving = -1, False
        super().__init__()
        try:
            self.trace = as_trace(source, queue_class)
        except ScenarioError as error:
            self.error = str(error)
            self._static = message_html(f"Stepper cannot show this: {error}")
            self.children = [widgets.HTML(self._static)]
            return
        self._static = static_html(self.trace)
        self._build(self.trace)
        self.index = at

    def _build(self, trace: Trace) -> None:
        last = len(trace)
        self.first = self._button("|< First", "go to the start, before any call", lambda: 0)
        self.back = self._button("< Back", "go one call back", lambda: self.index - 1)
        self.next = self._button("Next >", "make the next call", lambda: self.index + 1)
        self.last = self._button("Last >|", "go to the end", lambda: last)
        self.slider = widgets.IntSlider(min=0, max=last, description="step", layout=widgets.Layout(width="280px"))
        self.play = widgets.Play(min=0, max=last, interval=1500, description="play", show_repeat=False)
        widgets.jslink((self.play, "value"), (self.slider, "value"))
        self.calls = widgets.Select(
            options=_labels(trace, 0), rows=min(last + 1, 18), layout=widgets.Layout(width="27em")
        )
        self.calls.add_class("rq-calls")
        self.view = widgets.HTML(layout=widgets.Layout(flex="1 1 30em", margin="0 0 0 12px"))
        self.slider.observe(lambda change: self._show(change["new"]), names="value")
        self.calls.observe(lambda change: self._show(change["new"]), names="index")
        controls = [self.first, self.back, self.next, self.last, self.play, self.slider]
        wrap = widgets.Layout(flex_flow="row wrap")
        self.children = [
            widgets.HBox(controls, layout=wrap),
            widgets.HBox([self.calls, self.view], layout=wrap),
        ]

    @property
    def index(self) -> int:
        """The step shown: 0 is before any call. Setting it moves there, at most to either end. -1: nothing to show."""
        return self._index

    @index.setter
    def index(self, index: int) -> None:
        if self.trace is not None:
            self._show(max(0, min(index, len(self.trace))))

    def _show(self, index: int | None) -> None:
        """Bring every part to `index`. The parts tell us of the change we make; that news is no news."""
        if self.trace is None or self._moving or index is None or index == self._index:
            return
        self._moving = True
        try:
            self.slider.value = index  # refuses what is no step
            self._index = index
            with self.calls.hold_sync():
                self.calls.options = _labels(self.trace, index)
                self.calls.index = index
            self.view.value = KEYS + step_html(self.trace, index)
        finally:
            self._moving = False

    def _button(self, text: str, tooltip: str, target: Callable[[], int]) -> widgets.Button:
        button = widgets.Button(description=text, tooltip=tooltip, layout=widgets.Layout(width="84px"))
        button.on_click(lambda _: setattr(self, "index", target()))
        return button

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        return with_static_html(super()._repr_mimebundle_(**kwargs), self._static)

    def __repr__(self) -> str:
        if self.trace is None:
            return f"Stepper: {self.error}"
        return f"Stepper: {self.trace.title}, step {self.index} of {len(self.trace)}"

    def __str__(self) -> str:
        return repr(self) if self.trace is None else str(self.trace)


def _labels(trace: Trace, index: int) -> list[str]:
    """The list of calls; the answers of calls after `index` are hidden. No-break spaces keep the columns."""
    calls = [_cut(step.call) for step in trace.steps]
    width = max(map(len, calls), default=0)
    rows = [" 0  before any call"]
    for step, call in zip(trace.steps, calls, strict=True):
        rows.append(f"{step.number:>2}  {call:<{width}}  {_short(step) if step.number <= index else _HIDDEN}")
    return [row.replace(" ", "\u00a0") for row in rows]


def _cut(call: str, most: int = 28) -> str:
    return call if len(call) <= most else call[: most - 1] + "…"


def _short(step: Step) -> str:
    """The answer in a few letters: the list has no room for more, and the view says it in full."""
    answer = step.returned
    text = f"{answer[0]}#{answer[2]}" if isinstance(answer, list) else _cut(show(answer), 12)
    return text if step.agrees else f"✗ {text}"
