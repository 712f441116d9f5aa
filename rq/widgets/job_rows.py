"""A row of buttons for each job: cancel it, and ack or retry every ticket that was handed out for it."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import ipywidgets as widgets

from rq.contract import decide
from rq.scenario import Scenario, ScenarioError, without_place
from rq.state import Operation, State
from rq.trace import Ticket, phase_text
from rq.widgets.steps import sized, wrapping
from rq.widgets.turns import in_turn

REFUSED = "⊘"
"""Marks a call that would be refused now. It can be made all the same."""


class CallButton(widgets.Button):  # type: ignore[misc]  # ipywidgets has no types
    """A button that makes one call, and shows beforehand whether it would be refused."""

    def __init__(self, text: str, operation: Operation, make: Callable[[Operation], object]) -> None:
        super().__init__(description=text, layout=widgets.Layout(width="auto"))
        self.operation, self._text = operation, text
        in_turn(self)
        self.on_click(lambda _: make(self.operation))

    def mark(self, state: State) -> None:
        """Say what this call would do in this state."""
        mark_button(self, self._text, state, self.operation)


def mark_button(button: widgets.Button, text: str, state: State, operation: Operation) -> None:
    """Put the text on a button, with a mark if its call would be refused; the tooltip says why."""
    try:
        Scenario(state.capacity, (operation,))
    except ScenarioError as error:
        button.description, button.tooltip = f"{REFUSED} {text}", without_place(error)
        return
    decision = decide(state, operation)
    refused = decision.returned is False or decision.returned is None
    button.description = f"{REFUSED} {text}" if refused else text
    button.tooltip = f"would be {'refused: ' if refused else ''}{decision.why}"


class JobRows(widgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """The rows of one queue's jobs. A button stays the same object while it is shown, so it keeps the focus."""

    def __init__(self, make: Callable[[Operation], object]) -> None:
        super().__init__()
        self._make = make
        self._labels: dict[str, widgets.HTML] = {}
        self._rows: dict[str, widgets.HBox] = {}
        self._buttons: dict[Operation, CallButton] = {}

    def show(self, state: State, tickets: list[Ticket]) -> None:
        """Bring the rows to this state; `tickets` are those of its queue."""
        shown = []
        for job in state.jobs:
            self._labels.setdefault(job.id, widgets.HTML(layout=sized("16em")))
            row = self._rows.setdefault(job.id, widgets.HBox(layout=wrapping()))
            self._labels[job.id].value = f'<div class="rq"><b>{escape(job.id)}</b> {phase_text(state, job.id)}</div>'
            buttons = [self._button(f"cancel {job.id}", ("cancel", job.id), state)]
            for ticket in tickets:
                if ticket.id == job.id:
                    calls = [(verb, job.id, ticket.attempt) for verb in ("ack", "retry")]
                    buttons += [self._button(f"{call[0]} {ticket.name}", call, state) for call in calls]
            row.children = [self._labels[job.id], *buttons]
            shown.append(row)
        self.children = shown

    def button(self, *operation: object) -> CallButton:
        """The button of one call, such as `button("ack", "a", 1)`."""
        return self._buttons[operation]

    def _button(self, text: str, operation: Operation, state: State) -> CallButton:
        if operation not in self._buttons:
            self._buttons[operation] = CallButton(text, operation, self._make)
        self._buttons[operation].mark(state)
        return self._buttons[operation]
