"""A question before the answer: what will this call return?"""

from __future__ import annotations

from html import escape
from typing import Any

import ipywidgets as widgets

from rq.answers import same, show
from rq.html import block, message_html, state_html, states_html, tickets_html
from rq.queue import Queue
from rq.scenario import ScenarioError
from rq.trace import Step, Trace, as_trace
from rq.widgets.static import with_static_html


class Predict(widgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """Shows the state before call `step` (from 1) of a scenario and asks what the call will return.

    One button for each possible answer; every guess gets feedback, a wrong one names the rule to
    think of, and the right one gives the reason. `solved` tells whether the right answer was given.
    Takes what Stepper takes; bad input shows its fault in the widget's place.
    """

    def __init__(self, source: object, step: int) -> None:
        super().__init__()
        self.solved = False
        self.error: str | None = None
        self.choices: dict[str, widgets.Button] = {}
        self.feedback = widgets.HTML()
        try:
            trace = as_trace(source, Queue)
            if type(step) is not int or not 1 <= step <= len(trace):
                raise ScenarioError(f"step must be a whole number from 1 to {len(trace)}, not {step!r}")
        except ScenarioError as error:
            self.error = str(error)
            self._static = message_html(f"Predict cannot show this: {error}")
            self.children = [widgets.HTML(self._static)]
            return
        self._step = trace.steps[step - 1]
        self._trace = trace
        self.question = widgets.HTML(_question_html(trace, step))
        for answer in _choices(self._step):
            button = widgets.Button(description=show(answer), layout=widgets.Layout(width="auto"))
            button.on_click(lambda _, answer=answer: self._guess(answer))
            self.choices[show(answer)] = button
        row = widgets.HBox(list(self.choices.values()), layout=widgets.Layout(flex_flow="row wrap"))
        self.children = [self.question, row, self.feedback]
        answer = f"{show(self._step.expected)}: {self._step.why}"
        details = f"<details><summary>Show the answer</summary>{escape(answer)}</details>"
        self._static = self.question.value + details

    def _guess(self, answer: object) -> None:
        step = self._step
        if same(answer, step.expected):
            self.solved = True
            tables = states_html(self._trace, step.number) + tickets_html(self._trace, step.number)
            self.question.value = block(_question(step) + tables)
            text, kind = f"✓ Yes, {show(answer)}: {step.why}", "why"
        else:
            rule = step.decision.rule
            text, kind = f"✗ Not {show(answer)}. Think of rule {rule.code}: {rule.statement}.", "why wrong"
        self.feedback.value = block(f'<div class="{kind}" role="status">{escape(text)}</div>')

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        return with_static_html(super()._repr_mimebundle_(**kwargs), self.static_html())

    def static_html(self) -> str:
        """The form for a reader without a kernel: the answer is folded away."""
        return self._static

    def __repr__(self) -> str:
        return f"Predict: {self.error or f'{self._step.call} at step {self._step.number}'}"


def _question_html(trace: Trace, step: int) -> str:
    """The state before the call, without what would give the answer away: places in line, and which tickets count."""
    call = trace.steps[step - 1]
    state = trace.queues_at(step - 1).current
    hide = ["place"] if call.operation[0] == "reserve" else []
    tickets = ", ".join(ticket.name for ticket in trace.tickets_at(step - 1)) or "none yet"
    return block(
        state_html(state, state, "state", hide) + f"<div>tickets handed out: {tickets}</div>" + _question(call)
    )


def _question(step: Step) -> str:
    return f'<div class="why"><b>Step {step.number}. What will <code>{escape(step.call)}</code> return?</b></div>'


def _choices(step: Step) -> list[Any]:
    """The possible answers: True and False, or None and each job that might be reserved."""
    if step.operation[0] != "reserve":
        return [True, False] if step.operation[0] not in ("new", "use") else [None]
    jobs = [job for job in step.before.current.jobs if job.phase.active]
    guesses: list[Any] = [[job.id, job.payload, job.attempt + 1] for job in jobs]
    guesses += [[job.id, job.payload, job.attempt] for job in jobs if job.attempt]
    guesses = [None, *guesses]
    right = guesses.index(step.expected)
    return guesses if len(guesses) <= 6 else [None, *guesses[max(1, right - 4) : max(1, right - 4) + 5]]
