"""A question before the answer: what will this call return?"""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets

from rq.html import block, details_html, message_html, page, prompt_html, puzzle_html, states_html, tickets_html
from rq.quiz import Quiz, check_quiz
from rq.scenario import ScenarioError
from rq.trace import Trace, as_trace
from rq.widgets.access import named
from rq.widgets.question import Question
from rq.widgets.static import with_static_html


class Predict(widgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """Shows the state before call `step` (from 1) of a scenario and asks what the call will return.

    One button for each possible answer. A wrong guess gets a sentence about that very mistake, the
    right one the reason. `solved` tells whether the right answer was given. Takes what Stepper
    takes; bad input shows its fault in the widget's place. `Stepper(scenario, predict=True)` asks
    for every step.
    """

    def __init__(self, source: object, step: int) -> None:
        super().__init__()
        self.error: str | None = None
        self._trace: Trace | None = None
        try:
            trace = as_trace(source)
            check_quiz(trace)
            if len(trace) == 0:
                raise ScenarioError("this scenario has no call to guess")
            if type(step) is not int or not 1 <= step <= len(trace):
                raise ScenarioError(f"step must be a whole number from 1 to {len(trace)}, not {step!r}")
            if trace.steps[step - 1].operation[0] in ("new", "use"):
                raise ScenarioError(f"step {step} is {trace.steps[step - 1].call}: it returns nothing to guess")
        except ScenarioError as error:
            self.error = str(error)
            self.children = [widgets.HTML(page(self.static_html()))]
            return
        self._trace = trace
        self._step = trace.steps[step - 1]
        self._quiz = Quiz(trace, start=step - 1)
        self.view = widgets.HTML(puzzle_html(trace, step))
        self.question = Question(self._quiz, self._show_answer, more=None)
        self.question.ask()
        self.children = [self.view, self.question, named(self)]

    @property
    def solved(self) -> bool:
        """True once the right answer was given; a skip does not count."""
        return self._trace is not None and self._quiz.score.total.asked > self._quiz.score.total.skipped

    @property
    def choices(self) -> dict[str, widgets.Button]:
        """The buttons, by the answer they stand for."""
        return self.question.choices if self._trace is not None else {}

    @property
    def feedback(self) -> widgets.HTML:
        """What was said to the last guess."""
        return self.question.feedback if self._trace is not None else widgets.HTML()

    def _show_answer(self) -> None:
        if self._trace is not None:
            number = self._step.number
            self.view.value = block(states_html(self._trace, number) + tickets_html(self._trace, number))

    def static_html(self) -> str:
        """The form for a reader without a kernel: the question, and the answer folded away."""
        if self._trace is None:
            return message_html(f"Predict cannot show this: {self.error}")
        question = puzzle_html(self._trace, self._step.number) + prompt_html(self._step)
        return question + details_html("Show the answer", f"{self._step.answer}: {self._step.why}")

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        return with_static_html(super()._repr_mimebundle_(**kwargs), self.static_html())

    def __repr__(self) -> str:
        return f"Predict: {self.error or f'{self._step.call} at step {self._step.number}'}"
