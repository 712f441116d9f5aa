"""The stepper: go forward and back through a trace."""

from __future__ import annotations

from dataclasses import replace

import ipywidgets as widgets

from rq.answers import show
from rq.html import header_html, message_html, page, puzzle_html, quiz_html, static_html, step_html
from rq.queue import Queue
from rq.quiz import Quiz, Score, check_quiz
from rq.scenario import QueueFactory, ScenarioError
from rq.state import whole_number
from rq.trace import Step, Trace, as_trace
from rq.widgets.question import Question
from rq.widgets.steps import Steps, cut

_HIDDEN = "…"


class Stepper(Steps):
    """Steps through a scenario: the calls so far, the state tables, the tickets, and the reason for each answer.

    Takes a Scenario, an example's name, a dict, JSON text or a Trace. `at` is the step to open at;
    index 0 shows the empty queue before any call. Answers of later calls stay hidden until they
    are reached. With `predict` each answer stays hidden until the learner has guessed it or skipped
    it; `score` counts the first tries. The steps up to `at` are given then. A bad scenario shows
    its fault in one sentence in the widget's place; it is also in `error` (otherwise None).
    """

    def __init__(
        self, source: object, queue_class: QueueFactory = Queue, *, at: int = 0, predict: bool = False
    ) -> None:
        super().__init__()
        at = whole_number("at", at)
        self._quiz: Quiz | None = None
        self.error: str | None = None
        self.trace: Trace | None = None
        try:
            self.trace = as_trace(source, queue_class)
            if predict:
                check_quiz(self.trace)
        except ScenarioError as error:
            self.error, self.trace = str(error), None
            self.children = [widgets.HTML(page(self.static_html()))]
            return
        self.build(len(self.trace))
        if predict:
            self._start_quiz(self.trace, at)
        else:
            self.index = at

    def load(self, trace: Trace, at: int) -> None:
        """Show another trace in place of this one. Not for a stepper that asks."""
        self.trace, self._last = trace, len(trace)
        self.show(max(0, min(at, len(trace))))

    def _start_quiz(self, trace: Trace, start: int) -> None:
        start = self._start = max(0, min(start, len(trace)))
        self._quiz = Quiz(trace, start)
        self.question = Question(self._quiz, lambda: self.show(self.question.at), self._ask)
        self.controls.children = [part for part in self.controls.children if part is not self.play]
        self.children = [self.controls, self.question, *self.children[1:]]
        self.question.ask()
        self.show(self._quiz.reached)

    def _ask(self) -> None:
        """Put the next question, and show the state it is about."""
        if self._quiz is not None:
            self.question.ask()
            self.show(self._quiz.reached)

    @property
    def score(self) -> Score | None:
        """How the guesses went, rule by rule; None without `predict`."""
        return self._quiz.score if self._quiz is not None else None

    @property
    def furthest(self) -> int:
        """The last step that may be shown: none whose answer is still asked for."""
        return self._quiz.reached if self._quiz is not None else super().furthest

    def go(self, index: int | None) -> None:
        """Show a step. In a quiz, a step further than any known answer asks for the next one."""
        if self._quiz is not None and not self._moving and index is not None and index > self._quiz.reached:
            self._ask()
        else:
            super().go(index)

    def show(self, index: int) -> None:
        """Draw a step; the question stands above it only where it belongs."""
        super().show(index)
        if self._quiz is not None:
            self.question.layout.display = None if index == self.question.at else "none"

    def labels(self, index: int) -> list[str]:
        """The calls; the answers of those after `index` are hidden."""
        if self.trace is None:
            return []
        return call_lines(self.trace, index, [marked(step) for step in self.trace.steps])

    def view_html(self, index: int) -> str:
        """The step with its reason, the state tables and the tickets; less what would answer the question put now."""
        if self.trace is not None and self._quiz is not None and self.question.asking and index == self.question.at:
            return puzzle_html(self.trace, self._quiz.reached + 1, header_html(self.trace, index))
        return step_html(self.trace, index) if self.trace is not None else ""

    def static_html(self) -> str:
        """The whole trace as one table, or the sentence that says what is wrong."""
        if self.trace is None:
            return message_html(f"Stepper cannot show this: {self.error}")
        return static_html(self.trace) if self._quiz is None else quiz_html(self.trace, self._start)

    def __repr__(self) -> str:
        if self.trace is None:
            return f"Stepper: {self.error}"
        return f"Stepper: {self.trace.title}, step {self.index} of {len(self.trace)}"

    def __str__(self) -> str:
        if self.trace is None:
            return repr(self)
        if self._quiz is None:
            return str(self.trace)
        known = replace(self.trace, steps=self.trace.steps[: self._quiz.reached])
        asked = [f"{step.number:>3}   {step.call}   {_HIDDEN}" for step in self.trace.steps[self._quiz.reached :]]
        return "\n".join([str(known), *asked, str(self.score)])


def call_lines(trace: Trace, index: int, answers: list[str]) -> list[str]:
    """A line for each step from 0 on: its call, and its answer in short if it is reached at `index`."""
    calls = [cut(step.call, 28) for step in trace.steps]
    width = max(map(len, calls), default=0)
    lines = [" 0  before any call"]
    for number, (call, answer) in enumerate(zip(calls, answers, strict=True), start=1):
        lines.append(f"{number:>2}  {call:<{width}}  {answer if number <= index else _HIDDEN}")
    return lines


def short(answer: object) -> str:
    """A plain answer in a few letters: the list has no room for more, and the view says it in full."""
    match answer:
        case [id, _, attempt]:
            return cut(f"{id}#{attempt}", 20)
    return cut(show(answer), 12)


def marked(step: Step) -> str:
    """What the queue returned, in short; marked where the contract says otherwise."""
    return short(step.returned) if step.agrees else f"✗ {short(step.returned)}"
