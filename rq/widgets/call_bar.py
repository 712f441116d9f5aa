"""Fields and buttons to make any call: typed ids and payloads, typed attempts, and more queues."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, count
from string import ascii_lowercase
from typing import Any

import ipywidgets as widgets

from rq.scenario import MOST_ATTEMPT
from rq.state import Operation, Queues, State
from rq.widgets.job_rows import mark_button
from rq.widgets.steps import cut, sized, step_button, wrapping
from rq.widgets.turns import in_turn

ON_A_BUTTON = 20
"""Letters of an id."""


class CallBar(widgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """Makes calls with what is typed. Those that would be refused now are marked as soon as a field is left.

    An empty id stands for the next free letter, an empty payload for the id in capitals: the button
    says what it would enqueue. Nothing is ever written into a field, since somebody may be typing there.
    """

    def __init__(self, make: Callable[[Operation], object]) -> None:
        super().__init__()
        self._make = make
        self._state = State(0)
        self.id = _text("id", "13em", "next free")
        self.payload = _text("payload", "24em", "the id in capitals")
        self.hand_id = _text("by hand: id", "13em", "any id")
        self.hand_attempt = in_turn(
            widgets.BoundedIntText(1, min=0, max=MOST_ATTEMPT, description="attempt", layout=sized("11em"))
        )
        self.buttons = {verb: self._call_button(verb) for verb in ("enqueue", "reserve", "ack", "retry", "cancel")}
        self.new = step_button("new queue", "one more queue of this capacity", lambda: make(("new",)), width="auto")
        self.queues = widgets.HBox(layout=wrapping())
        for part in (self.id, self.payload, self.hand_id, self.hand_attempt):
            part.observe(lambda _: self._mark(), names="value")
        enqueue, reserve, *by_hand = self.buttons.values()
        self.children = [
            widgets.HBox([self.id, self.payload, enqueue, reserve, self.new, self.queues], layout=wrapping()),
            widgets.HBox([self.hand_id, self.hand_attempt, *by_hand], layout=wrapping()),
        ]

    def show(self, queues: Queues) -> None:
        """Bring the marks to this state, and show a button for each queue where there are several."""
        self._state = queues.current
        shown = len(queues.states) if len(queues.states) > 1 else 0
        added = [self._queue_button(number) for number in range(len(self.queues.children), shown)]
        self.queues.children = (*self.queues.children[:shown], *added)
        for number, button in enumerate(self.queues.children):
            button.description = f"▸ queue {number}" if number == queues.selected else f"queue {number}"
        self._mark()

    def _free_id(self) -> str:
        """The first letter that is no job's id yet, then job-0 and so on."""
        used = {job.id for job in self._state.jobs}
        return next(name for name in chain(ascii_lowercase, map("job-{}".format, count())) if name not in used)

    def _call_button(self, verb: str) -> widgets.Button:
        return step_button(verb, "", lambda: self._make(self._operation(verb)), width="auto")

    def _queue_button(self, number: int) -> widgets.Button:
        return step_button("", "later calls go to this queue", lambda: self._make(("use", number)), width="auto")

    def _operation(self, verb: str) -> tuple[Any, ...]:
        """The call that a button makes with what is typed now."""
        match verb:
            case "enqueue":
                id = self.id.value or self._free_id()
                return verb, id, self.payload.value or id.upper()
            case "reserve":
                return (verb,)
            case "cancel":
                return verb, self.hand_id.value
        return verb, self.hand_id.value, self.hand_attempt.value

    def _mark(self) -> None:
        for verb, button in self.buttons.items():
            operation = self._operation(verb)
            text = f"{verb} {cut(operation[1], ON_A_BUTTON)}" if verb == "enqueue" else verb
            mark_button(button, text, self._state, operation)


def _text(description: str, width: str, empty: str) -> widgets.Text:
    """A field that tells the kernel what it holds when one leaves it: a busy kernel would get half of a word."""
    return in_turn(
        widgets.Text(description=description, placeholder=empty, continuous_update=False, layout=sized(width))
    )
