"""Fields and buttons to make any call: typed ids and payloads, typed attempts, and more queues."""

from __future__ import annotations

from collections.abc import Callable
from string import ascii_lowercase
from typing import Any

import ipywidgets as widgets

from rq.scenario import MOST_ATTEMPT
from rq.state import Operation, Queues, State
from rq.widgets.job_rows import mark_button
from rq.widgets.later import later_button
from rq.widgets.steps import sized, wrapping
from rq.widgets.turns import in_turn


class CallBar(widgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """Makes calls with what is typed. Those that would be refused now are marked as soon as a field is left."""

    def __init__(self, make: Callable[[Operation], object]) -> None:
        super().__init__()
        self._make = make
        self._state = State(0)
        self.id = _text("id", "13em")
        self.payload = _text("payload", "24em")
        self.hand_id = _text("by hand: id", "13em")
        self.hand_attempt = in_turn(
            widgets.BoundedIntText(1, min=0, max=MOST_ATTEMPT, description="attempt", layout=sized("11em"))
        )
        self.buttons = {verb: self._call_button(verb) for verb in ("enqueue", "reserve", "ack", "retry", "cancel")}
        self.new = later_button("new queue", "one more queue of this capacity", lambda: make(("new",)))
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
        count = len(queues.states) if len(queues.states) > 1 else 0
        added = [self._queue_button(number) for number in range(len(self.queues.children), count)]
        self.queues.children = (*self.queues.children[:count], *added)
        for number, button in enumerate(self.queues.children):
            button.description = f"▸ queue {number}" if number == queues.selected else f"queue {number}"
        self._mark()

    def suggest(self) -> None:
        """Type an id that is new, and a payload."""
        used = {job.id for job in self._state.jobs}
        names = (*ascii_lowercase, *(f"job-{number}" for number in range(len(used) + 1)))
        self.id.value = next(name for name in names if name not in used)
        self.payload.value = self.id.value.upper()

    def _call_button(self, verb: str) -> widgets.Button:
        return later_button(verb, "", lambda: self._make(self._operation(verb)))

    def _queue_button(self, number: int) -> widgets.Button:
        return later_button("", "later calls go to this queue", lambda: self._make(("use", number)))

    def _operation(self, verb: str) -> tuple[Any, ...]:
        """The call that a button makes with what is typed now."""
        match verb:
            case "enqueue":
                return verb, self.id.value, self.payload.value
            case "reserve":
                return (verb,)
            case "cancel":
                return verb, self.hand_id.value
        return verb, self.hand_id.value, self.hand_attempt.value

    def note_id(self, id: str) -> None:
        """Type the id by hand too, if nothing stands there."""
        self.hand_id.value = self.hand_id.value or id

    def _mark(self) -> None:
        for verb, button in self.buttons.items():
            mark_button(button, verb, self._state, self._operation(verb))


def _text(description: str, width: str) -> widgets.Text:
    """A field that tells the kernel what it holds when one leaves it: a busy kernel would get half of a word."""
    return in_turn(widgets.Text(description=description, continuous_update=False, layout=sized(width)))
