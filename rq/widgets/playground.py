"""The playground: make any call, go back, branch off, and see what it all comes to."""

from __future__ import annotations

import os
from typing import Any

import ipywidgets as widgets

from rq.challenges import Progress
from rq.history import History
from rq.html import message_html, note_html, progress_html, static_html
from rq.paste import scenario_test
from rq.queue import Queue
from rq.savefile import SaveError, SaveFile
from rq.scenario import MOST_CAPACITY, QueueFactory, Scenario, ScenarioError
from rq.state import Operation, State
from rq.trace import Trace, trace
from rq.widgets.access import named
from rq.widgets.call_bar import CallBar
from rq.widgets.job_rows import REFUSED, JobRows
from rq.widgets.share import Share
from rq.widgets.static import with_static_html
from rq.widgets.stepper import Stepper
from rq.widgets.steps import sized, step_button, wrapping
from rq.widgets.turns import in_turn


class Playground(widgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """Make calls one by one on a queue of your own, go back, and go on from any earlier step.

    Every ticket ever handed out has its buttons, so a late result is one click. A call that would be
    refused is marked and can be made. Nothing is lost: a history that was left stays in the list of
    histories. The contract's rules and the challenges are ticked off as they are met.

    `capacity` counts slots (0 to 16; a wrong one raises ValueError). `save` names a file that keeps
    the histories after each call and is taken up again, so that they survive a restart of the kernel.
    A file that holds something else is left alone, and `message` says so. With `queue_class` the
    calls go to a queue of another class, and its answers are compared with the contract's.
    """

    def __init__(
        self,
        capacity: int = 2,
        queue_class: QueueFactory = Queue,
        *,
        save: str | os.PathLike[str] | None = None,
    ) -> None:
        super().__init__()
        self._queue_class = queue_class
        self._history = History(capacity)
        self._progress = Progress()
        self._file: SaveFile | None = None
        self._unsaved = ""
        self._busy = False
        note = self._take_up(SaveFile(save)) if save is not None else ""
        self._build()
        for branch, scenario in enumerate(self._history.branches):
            if branch != self._history.branch:  # that one was played for the stepper, and is noted when it is shown
                self._progress.note(trace(scenario, queue_class))
        self._show(self.trace)
        self._say(note)

    # What code can ask for

    @property
    def scenario(self) -> Scenario:
        """The current history as a scenario: all its calls, also those after the step that is shown."""
        return self._history.scenario

    @property
    def program(self) -> str:
        """The current history as a pytest function to paste."""
        return scenario_test(self.scenario)

    @property
    def trace(self) -> Trace:
        """The trace of the current history."""
        assert self.stepper.trace is not None
        return self.stepper.trace

    @property
    def index(self) -> int:
        """How many calls of the current history are made at the step that is shown."""
        return self._history.index

    @property
    def state(self) -> State:
        """The state that is shown, of the selected queue; the contract's."""
        return self.trace.queues_at(self.index).current

    @property
    def histories(self) -> list[Scenario]:
        """Every history, those that were left included."""
        return list(self._history.branches)

    def call(self, *operation: Any) -> None:
        """Make one call, as its button does: `call("ack", "a", 1)`. A malformed one is refused in `message`."""
        in_a_list = len(operation) == 1 and isinstance(operation[0], (list, tuple))
        self._make(tuple(operation[0]) if in_a_list else operation)

    def load(self, source: object) -> None:
        """Take up a scenario: JSON text, a dict, a Scenario or an example's name. A bad one is refused in `message`."""
        self.share.load(source)

    # The parts

    def _build(self) -> None:
        self.bar = CallBar(self._make)
        self.rows = JobRows(self._make)
        self.note = widgets.HTML()
        self.stepper = Stepper(trace(self.scenario, self._queue_class))
        self.stepper.calls.rows = 12
        self.stepper.moved = self._moved
        self.history_list = in_turn(widgets.Dropdown(description="history", layout=sized("28em")))
        self.capacity_field = in_turn(
            widgets.BoundedIntText(
                self.scenario.capacity, min=0, max=MOST_CAPACITY, description="capacity", layout=sized("11em")
            )
        )
        tip = "begin an empty history; the others stay"
        self.restart_button = step_button("restart", tip, self.restart, width="auto")
        self.progress = widgets.HTML()
        self.share = Share(self._add, self._say)
        self.history_list.observe(lambda change: self._switch(change["new"]), names="index")
        histories = widgets.HBox([self.history_list, self.capacity_field, self.restart_button], layout=wrapping())
        above, below = [self.bar, self.rows, self.note], [histories, self.progress, self.share]
        self.children = [*above, self.stepper, *below, named(self)]

    # What the controls do

    def _make(self, operation: Operation) -> None:
        """Make a call at the step that is shown, and show what it did."""
        history, left, at = self._history.copy(), self._history.branch, self.index
        try:
            history.call(operation)
        except ScenarioError as error:
            self._say(f"✗ {error}")
            return
        branched = history.branch != left
        note = f"history {left + 1} stays as it was; this one leaves it after call {at}" if branched else ""
        self._take(history, note, since=at)

    def restart(self) -> None:
        """Begin an empty history with the capacity in its field; the others stay."""
        history = self._history.copy()
        history.restart(self.capacity_field.value)
        self._take(history)

    def _add(self, scenario: Scenario) -> None:
        """Take up a scenario from elsewhere."""
        history = self._history.copy()
        history.add(scenario)
        self._take(history)

    def _switch(self, branch: int | None) -> None:
        if not self._busy and branch is not None and branch != self._history.branch:
            history = self._history.copy()
            history.switch(branch)
            self._take(history)

    def _take(self, history: History, note: str = "", since: int = 0) -> None:
        """Play a history, then keep it and show it. If somebody stops it while it plays, all is as it was."""
        try:
            made = trace(history.scenario, self._queue_class)
        except KeyboardInterrupt:
            self._say("✗ stopped; your history is as it was")
            self._show_list()
            raise
        if history.scenario.capacity != self.scenario.capacity:
            self.capacity_field.value = history.scenario.capacity
        self._history = history
        self._show(made, since)
        self._say(note or self._unsaved)
        self._store()

    # What is shown

    def _show(self, made: Trace, since: int = 0) -> None:
        """Bring every part to the current history, whose trace this is; its calls after `since` may be new."""
        self._progress.note(made, since)
        self.stepper.load(made, self.index)
        self._show_list()
        self.progress.value = progress_html(self._progress)
        self.share.show(self.scenario)

    def _show_list(self) -> None:
        self._busy = True
        try:
            with self.history_list.hold_sync():
                self.history_list.options = [_label(n, each) for n, each in enumerate(self.histories, start=1)]
                self.history_list.index = self._history.branch
        finally:
            self._busy = False

    def _moved(self) -> None:
        """The stepper shows another step: the buttons are about that one."""
        self._history.go(self.stepper.index)
        queues = self.trace.queues_at(self.index)
        self.bar.show(queues)
        self.rows.show(queues.current, [t for t in self.trace.tickets_at(self.index) if t.queue == queues.selected])

    def _say(self, text: str) -> None:
        """Show a sentence above the stepper: a mistake begins with a mark."""
        self.message = text
        legend = f"{REFUSED} would be refused: make the call, and read why"
        self.note.value = message_html(text.removeprefix("✗ ")) if text.startswith("✗ ") else note_html(text or legend)

    # The file

    def _take_up(self, file: SaveFile) -> str:
        try:
            found = file.load()
        except SaveError as error:
            self._unsaved = f"✗ {error}. It is left as it is, and nothing is saved; name another file to save in"
            return self._unsaved
        self._file = file
        if found is None:
            return ""
        self._history = found
        return f"taken up from {file.path.name}"

    def _store(self) -> None:
        if self._file is not None:
            try:
                self._file.store(self._history)
            except SaveError as error:
                self._say(f"✗ {error}; what you do here is not saved")

    # The other forms

    def static_html(self) -> str:
        """The form for a reader without a kernel: the history so far, or the challenges that wait."""
        if len(self.trace):
            return static_html(self.trace)
        return note_html("A playground. Run this cell, and make calls on a queue.") + progress_html(self._progress)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        return with_static_html(super()._repr_mimebundle_(**kwargs), self.static_html())

    def __repr__(self) -> str:
        calls = len(self.scenario.ops)
        return f"Playground: capacity {self.scenario.capacity}, step {self.index} of {calls}"

    def __str__(self) -> str:
        return str(self.trace)


def _label(number: int, scenario: Scenario) -> str:
    calls = len(scenario.ops)
    return f"{number}: capacity {scenario.capacity}, {calls} call{'s' * (calls != 1)}"
